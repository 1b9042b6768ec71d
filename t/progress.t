# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# How batches stand is told out of shared memory: as fresh as the row on every
# worker, without reading it; and who listens is woken.

use Digest::SHA qw(hmac_sha256_hex);
use List::Util qw(max sum);
use Time::HiRes qw(time);

use Judge::Listeners;
use Judge::Test;

my $t = Judge::Test->new(orgs => 2, workers => 3, store => 'progress=8',
                         connections => 2048, events => 'multi_accept off;');
my $json  = JSON::PP->new->utf8->canonical;
my $judge = $t->new_judge(content_type => 'video');
my @criteria = map { $_->{criterion_id} }
               @{ $t->get("/judges/$judge")->json->{criteria} };
my $clips = 76979870;
my %work;                              # by batch: what was claimed of it

# --- Helpers --------------------------------------------------------------

# A batch of so many videos, which end when end_one() says so.

sub new_batch {
    my ($n) = @_;

    my $r = $t->post('/v1/evaluations/social-media', json => {
        judge_id => $judge,
        urls => [ map { 'https://vimeo.com/' . ++$clips } 1 .. $n ] });
    my @contents = map { $_->{content_id} } @{ $r->json->{items} };

    my $id = $t->made('/batches/evaluate', 'batch_id', json => {
        name => 'Videos', judge_ids => [$judge],
        content_items => [ map { { content_id => $_ } } @contents ] });

    # Others wait, too, and come again when their lease has run out.
    while (@{ $work{$id} // [] } < $n) {
        push @{ $work{$id} }, grep { ($_->{batch_id} // '') eq $id }
            @{ $t->post('/v1/work/claim', json => {
                   kinds => ['video'], max => 16, lease => 600 })
                 ->json->{work} };
    }

    return $id;
}

sub end_one {
    my ($id, %more) = @_;

    my $work  = shift @{ $work{$id} };
    my $bytes = $json->encode({
        evaluation_id => $work->{evaluation_id},
        content_id    => $work->{content}{content_id},
        $more{fails} ? (status => 'failed', error => {
            code => $more{fails}, message => 'It is broken.' })
        : (status => 'completed', results => { criteria_scores => [ map { {
            criterion_id => $_, score => 70, feedback => 'As it is.' }
        } @criteria ] }) });

    my $r = $t->post('/api/video-evaluations/callback', key => undef,
                     body => $bytes, headers => [
        'Content-Type' => 'application/json', 'X-Webhook-Signature' =>
            'sha256=' . hmac_sha256_hex($bytes, $t->org->{secret}) ]);
    die $r->body if $r->status >= 300;
}

# On so many connections, that each worker has some of them.

sub everywhere {
    my ($path) = @_;
    return $t->at_once(map { [ GET => $path ] } 1 .. 16);
}

sub all_say {
    my ($id, $completed, $what) = @_;

    my @said = map { $_->json->{completed_evaluations} // $_->status }
               everywhere("/batches/$id");
    is("@said", join(' ', ($completed) x @said), $what);
}

# How many times progress was read from the store.

sub asked { $t->metric('judge_progress_asked_total', from => 'store') }

sub listen_to {
    my ($id) = @_;

    my $client = $t->connect;
    $client->send($t->bytes(GET => "/batches/$id/events"));
    die 'no events' if !$client->read_until(qr/event: progress\ndata: .*\n\n/);

    return $client;
}

# --- Fresh on every worker, at once ----------------------------------------

my $id = new_batch(40);

for my $n (1 .. 8) {
    end_one($id);
    all_say($id, $n, "$n have ended, say all workers as soon as it is stored");
}

end_one($id, fails => 'BROKEN');
is($_->json->{failure_summary}{BROKEN}, 1,
   'each worker tells a failure with its code')
    for everywhere("/batches/$id");
end_one($id, fails => 'WORSE');
is(join(' ', %{ $_->json->{failure_summary} }{'WORSE'}), 'WORSE 1',
   'each worker tells another failure with its code')
    for everywhere("/batches/$id");

status_is($_, 404, 'there is no batch for another organization')
    for $t->at_once(map { [ GET => "/batches/$id", org => 1 ] } 1 .. 8);
status_is($t->get("/batches/$id", key => undef), 401,
          'a batch is not told without a key');
status_is($t->get("/batches/$id/events", org => 1), 404,
          'events are not told to another organization');

# --- What is streamed -------------------------------------------------------

my ($read, $began) = (0, time);

# What is streamed is not read, also while it goes on: the worker that commits
# stores it for all.  Other nodes may commit to PostgreSQL: what has changed is
# read there.

sub rows_read {
    my ($name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

  SKIP: {
        skip 'PostgreSQL is asked by each worker', 1 if !$t->sqlite;
        cmp_ok(asked() - $read, '<=', 3 * (2 + time - $began), $name);
    }
}

for (1 .. 10) {
    end_one($id);
    everywhere("/batches/$id");
}

# --- Who listens is woken -------------------------------------------------

# Who was not woken would look once a second, half of one later in the median;
# util/bench events has how soon they hear.

# Nor does it prove anything that it takes longer on a machine that is busy.

my $median;

for my $round (1 .. 6) {
    my $batch   = new_batch(9);
    my @clients = map { listen_to($batch) } 1 .. 6;
    my @waits;

    for my $n (1 .. 9) {
        select undef, undef, undef, 0.05;  # so that nobody rests from the last
        end_one($batch);
        my $stored = time;
        for my $client (@clients) {
            ok($client->read_until(qr/event: item\ndata: .*\n\n/),
               "each listener hears of item $n in round $round");
            push @waits, time - $stored;
        }
    }

    @waits  = sort { $a <=> $b } @waits;
    $median = $waits[@waits / 2];
    note(sprintf 'listeners heard of an item in %.1f ms, in %.1f at most',
                 $median * 1000, $waits[-1] * 1000);
    last if $median < 0.25;
}
cmp_ok($median, '<', 0.25,
       'most listeners hear of an item without looking for it');

my @clients = map { listen_to($id) } 1 .. 6;
($read, $began) = (asked(), time);
end_one($id) for 1 .. 5;
$_->read_until(qr/"completed_evaluations":23\b.*\n\n/) for @clients;
rows_read('no listener reads the row');

# --- A worker dies, a reload ----------------------------------------------

SKIP: {
    skip 'one process only', 4 if $t->single;

    $t->kill_worker;
    all_say($id, 23, 'all workers say the same after a crash of one');
    end_one($id);
    all_say($id, 24, 'all workers say what comes after the crash');

    my $client = listen_to($id);
    $t->reload(gone => 1);
    ok($client->closed, 'a reload ends streams, so that they come back');
    end_one($id);
    all_say($id, 25, 'new workers go on with the zone');
}

# --- A thousand who listen -------------------------------------------------

# Each hears of every item once, in order, whatever happens to its worker.

sub memory {
    return max(map { Judge::Nginx::read_file("/proc/$_/statm") =~ /^\d+ (\d+)/
                     ? $1 * 4096 / 1e6 : 0 } $t->workers);
}

# An end that the worker which died had stored, and could not announce, as it
# seems to those who wait for it: they look at once, not after ten seconds.

sub wait_for_unannounced {
    for (1 .. 5) {
        return pass('these clients are told of the end at once')
            if told_at_once();
    }
    fail('these clients are told of the end at once');
}

sub told_at_once {
    $t->wait_until(sub { $t->workers == 3 }, 'its successor');

    my $r = $t->post('/v1/evaluations/social-media', json => {
        judge_id => $judge, urls => [ 'https://vimeo.com/' . ++$clips ] });
    my %ask = (json => { judge_id => $judge,
                         content_id => $r->json->{items}[0]{content_id} },
               headers => [ Prefer => 'wait=30' ]);
    my %was = map { $_ => 1 } ids();
    my @all = map { my $c = $t->connect;
                    $c->send($t->bytes(POST => '/evaluations/single', %ask));
                    $c } 1 .. 12;
    my @new;
    $t->wait_until(sub { 12 == (@new = grep { !$was{$_} } ids()) },
                   'those who wait');

    my $began = time;
    $t->alter("update evaluations set status = 'cancelled', queue_at = NULL"
              . ' where id in (' . join(',', map { "'$_'" } @new) . ')');
    $t->kill_worker;
    my @told = grep { $_ && $_->status == 201 } map { $_->response } @all;
    cmp_ok(scalar @told, '>', 0,
           'clients at another worker wait when theirs dies');
    return time - $began < 8;
}

sub ids {
    return map { $_->{id} } @{ $t->sql('select id from evaluations') };
}

my $many   = $t->single ? 100 : 1000;
my $watched = new_batch(40);
everywhere("/batches/$watched");
my $before = memory();
my $crowd  = Judge::Listeners->new($t, $many, "/v1/batches/$watched/events");

end_one($watched) for 1 .. 10;
ok($crowd->all_hear(10), "all $many listeners hear of 10 items");
cmp_ok(memory() - $before, '<', 40, sprintf 'in %.0f MB of a worker',
       memory() - $before) if !$t->single && !Judge::Nginx->asan;

if (!$t->single) {
    end_one($watched) for 1 .. 5;
    $t->kill_worker(wait => 0);
    end_one($watched) for 1 .. 5;
    ok($crowd->all_hear(20),
       'all listeners hear of 20 items, though a worker has died');
    wait_for_unannounced();
    $t->wait_until(sub { $t->workers == 3 }, 'its successor');

    end_one($watched) for 1 .. 5;
    kill HUP => $t->pid;
    for (1 .. 5) {
        end_one($watched);
        $crowd->hear(0.01);
    }
    ok($crowd->all_hear(30), 'all listeners hear of 30 items, over a reload');
    $t->comes_true(sub { $crowd->hear(0.1); $crowd->back > $many },
               'most listeners had to come back');
}

end_one($watched) while @{ $work{$watched} };
ok($crowd->all_hear(40), 'all listeners hear of all 40 items');
$t->wait_until(sub { $crowd->hear(0.1); $crowd->done == $many }, 'the end');
is($crowd->wrong, 0, 'each listener hears of each item once, in order');

# --- Changed by others ----------------------------------------------------

$t->alter("update batches set completed = 7 where id = '$id'");
$t->wait_until(sub {
    !grep { $_->json->{completed_evaluations} != 7 } everywhere("/batches/$id")
}, 'what another program has written');
pass('the row is the truth, at the latest after a second');

# --- More than there is room for ------------------------------------------

my $text = $t->new_judge;
my @many = map {
    $t->new_batch($text, [ "Text $_." ], auto_start => JSON::PP::false())
} 1 .. 24;

listen_to($_)->close for @many;
for my $round (1 .. 3) {
    is(scalar(grep { $t->get("/batches/$_")->json->{batch_id} eq $_ } @many),
       24, "24 batches have their turn where 8 have room: round $round");
}
cmp_ok($t->metric('judge_progress_evicted_total'), '>=', 16,
       'batches make room for others');

$t->post("/batches/$_/start") for @many;
$t->batch_completed($_) for @many;

# --- Deleted --------------------------------------------------------------

my $client = listen_to($id);
everywhere("/batches/$id");
status_is($t->delete("/batches/$id"), 204, 'a batch is deleted');
status_is($_, 404,
          'a batch that is deleted is gone on every worker')
    for everywhere("/batches/$id");
like($client->read_all, qr/event: done\ndata: .*"deleted"/,
     'a listener is told that the batch is deleted');

done_testing;
