# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Processes that are killed with work in their hands: what was acknowledged
# is there, and everything is evaluated, once.

use Judge::Test;

plan skip_all => 'one process only' if Judge::Nginx->single;

my %essays = Judge::Test->essays;
my $long   = join "\n\n", (map { $essays{$_} } sort keys %essays) x 4;

# Notes every evaluation that ends, and every one that is changed after it.

sub watch {
    my ($t) = @_;

    $t->alter('create table test_ends (id text, status text)');
    $t->on_update('test_end', 'evaluations', "new.status <> 'processing'",
                  'insert into test_ends values (new.id, new.status)');
}

sub count {
    my ($t, $where) = @_;
    return $t->sql1("select count(*) from evaluations where $where");
}

sub all_end {
    my ($t, $n, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    $t->wait_until(sub { !count($t, "status = 'processing'") },
                   "$name: the end of all");

    is(count($t, "status = 'completed'"), $n, "$name: all are completed");
    is(count($t, "status <> 'completed'"), 0, "$name: none is lost");
    is($t->sql1('select count(*) from test_ends'), $n,
       "$name: there are as many ends as evaluations");
    is($t->sql1('select count(distinct id) from test_ends'), $n,
       "$name: each evaluation has ended once");
    is(count($t, 'queue_at is not null or owner is not null'), 0,
       "$name: nothing is left in the queue");
}

# $n more evaluations.

sub queue {
    my ($t, $n) = @_;

    my $of   = $t->{queue} //= { judge => $t->new_judge, texts => [
        map { $t->new_content("Essay $_.\n\n$long") } 1 .. 5 ] };
    my @made = $t->pipeline(map { [ POST => '/evaluations/single', json => {
        judge_id   => $of->{judge},
        content_id => $of->{texts}[$_ % 5] } ] } 1 .. $n);

    is(scalar(grep { $_->status == 201 } @made), $n,
       "$n evaluations are made");
}

# --- A worker dies, and another one ---------------------------------------

my $t = Judge::Test->new(store => 'evaluate=off');
queue($t, 300);
watch($t);
$t->conf(store => '');
$t->reload;

for my $round (1 .. 3) {
    my $held;

    queue($t, 50);
    $t->wait_until(sub {
        $held = count($t, 'owner is not null');
        return $held || !count($t, "status = 'processing'");
    }, 'work');

    $t->kill_worker(pid => ($t->workers)[$round % 2]);
    note("round $round: they had $held in their hands");
}

all_end($t, 450, 'workers killed');

my $attempts = $t->sql1('select max(attempts) from evaluations');
cmp_ok($attempts, '<=', 4, 'no evaluation takes more than four attempts');
status_is($t->get('/readyz'), 200, 'the service is ready');
$t->quit;

# --- Both at once ---------------------------------------------------------

$t = Judge::Test->new(store => 'evaluate=off');
queue($t, 200);
watch($t);

# No evaluation can end before they die: both have work in their hands.

$t->fail_updates('no_end', 'evaluations', "new.status <> 'processing'");
$t->conf(store => 'lease=5s');         # of what the next ones may try too soon
$t->reload;
$t->wait_until(sub { count($t, 'owner is not null') }, 'work');
my @both = $t->workers;
$t->kill_workers;
$t->drop_trigger('no_end');
$t->wait_until(sub {
    my %new = map { $_ => 1 } $t->workers;
    return keys %new == 2 && !grep { $new{$_} } @both;
}, 'new workers');
all_end($t, 200, 'both workers killed');
$t->quit;

# --- A worker dies while it takes requests --------------------------------

# What has no answer may or may not have been stored; it is not there twice.

$t = Judge::Test->new;
my $judge   = $t->new_judge;
my $content = $t->new_content($long);
watch($t);

my @clients = map { $t->connect } 1 .. 8;
my %post    = (json => { judge_id => $judge, content_id => $content });

for my $client (@clients) {
    $client->send(join '', map {
        $t->bytes(POST => '/evaluations/single', keepalive => 1, %post)
    } 1 .. 30);
}

my @acknowledged = $clients[0]->response->json->{evaluation_id};
$t->kill_worker(wait => 0);

for my $n (0 .. $#clients) {
    for (($n ? 1 : 2) .. 30) {
        my $r = $clients[$n]->response or last;
        push @acknowledged, $r->json->{evaluation_id};
    }
    $clients[$n]->close;
}

my %ids = map { $_ => 1 } @acknowledged;
is(scalar keys %ids, scalar @acknowledged,
   'no identifier is acknowledged twice');
cmp_ok(scalar @acknowledged, '<=', 240,
       'no more evaluations are acknowledged than were asked for');

$t->wait_until(sub { !count($t, "status = 'processing'") },
               'the end of what is stored');
my $rows = count($t, 'true');
cmp_ok($rows, '<=', 240, 'no more evaluations are stored than were asked for');
all_end($t, $rows, 'killed under load');
is($t->evaluated($_)->{status}, 'completed',
   'an evaluation that was acknowledged is completed')
    for @acknowledged[0, $#acknowledged];
is(scalar(grep { !$ids{$_->{id}} } @{ $t->sql('select id from evaluations') }),
   $rows - @acknowledged, 'all evaluations that were acknowledged are there');
$t->quit;

# --- All processes die ----------------------------------------------------

# Where there are no other nodes, nothing waits for the end of a lease.

$t = Judge::Test->new(store => 'fleet=off');
$judge   = $t->new_judge;
$content = $t->new_content($long);
watch($t);
%post = (json => { judge_id => $judge, content_id => $content });

@acknowledged = ();

for my $round (1 .. 3) {
    my $client = $t->connect;
    $client->send(join '', map {
        $t->bytes(POST => '/evaluations/single', keepalive => 1, %post)
    } 1 .. 60);

    for (1 .. 10 * $round) {
        my $r = $client->response or last;
        push @acknowledged, $r->json->{evaluation_id};
    }

    $t->crash;

    while (my $r = $client->response(timeout => 5)) {
        push @acknowledged, $r->json->{evaluation_id};
    }
    $client->close;

    $t->start;

    my %there = map { $_->{id} => 1 }
                @{ $t->sql('select id from evaluations') };
    is(scalar(grep { !$there{$_} } @acknowledged), 0,
       "round $round: all that was acknowledged is there");
    status_is($t->get("/evaluations/$acknowledged[-1]"), 200,
              "round $round: what was acknowledged last is read");
}

all_end($t, count($t, 'true'), 'all processes killed');
is($t->sql('pragma integrity_check')->[0]{integrity_check}, 'ok',
   'the database is whole after all processes were killed') if $t->sqlite;

done_testing;
