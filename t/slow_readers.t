# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Large answers: pages that end early, clients that read slowly or not at
# all, the memory that these take, and the refusal of too many of them.

use IO::Select;

use Judge::Test;

use constant { READERS => 100, GROWTH => 100 * 1024 };      # kB

my @sndbuf = (server => 'listen 127.0.0.1:@PORT1@ sndbuf=16k;');

# Of judges with 64 criteria; a result has some 40 KB.

sub wide {
    my ($t, $org) = @_;

    my $judge = $t->new_judge(org => $org, criteria => [
        map { { name => "Grammar $_", description => 'Correct grammar.' } }
            1 .. 64 ]);
    my $id = $t->made('/batches/evaluate', 'batch_id', org => $org, json => {
        name => 'Wide', judge_ids => [$judge],
        content_items => [ map { { text_content => "Number $_. It is short.",
                                   name => "Text $_" } } 1 .. 120 ] });

    $t->wait_until(sub {
        $t->get("/batches/$id", org => $org)->json->{status} eq 'completed';
    }, 'the batch', 120);

    return $id;
}

# A client that reads the head of an answer and no more.

sub stuck {
    my ($t, $path, %opt) = @_;

    my $client = $t->connect(port => $t->port(1),
                             rcvbuf => $opt{rcvbuf} // 4096);

    $client->send($t->bytes(GET => $path, %opt));
    $client->{head} = $client->read_until(qr/\r\n\r\n/);
    ($client->{status}) = ($client->{head} // '') =~ m{^HTTP/1.1 (\d+)};

    return $client;
}

sub rss {
    my ($kb) = Judge::Nginx::read_file("/proc/$_[0]/status")
               =~ /VmRSS:\s+(\d+)/;
    return $kb;
}


my $t     = Judge::Test->new(@sndbuf);
my $batch = wide($t, 0);
my $r;

# --- Pages ----------------------------------------------------------------

for my $path ('/evaluations?limit=200',
              "/evaluations?limit=200&batch_id=$batch",
              "/evaluations/results/$batch?limit=200")
{
    my ($next, @ids, @sizes);
    my $name = $path =~ s/$batch/ID/r;

    do {
        $r = $t->get($path . ($next ? "&cursor=$next" : ''));
        my $rows = $r->json->{evaluations} // $r->json->{results};
        push @ids, map { $_->{evaluation_id} } @$rows;
        push @sizes, length $r->body;
        $next = $r->json->{next_cursor};
    } while ($next && @sizes < 120);

    my %once = map { $_ => 1 } @ids;
    cmp_ok(scalar @sizes, '>', 4, "pages of $name end early");
    is(scalar(grep { $_ > 400 * 1024 } @sizes), 0,
       "pages of $name are not much larger than their bound");
    is(scalar @ids, 120, "the pages of $name have all rows");
    is(scalar keys %once, 120, "the pages of $name have each row once");
    is_deeply(\@ids, [ sort { $b cmp $a } @ids ],
              "the pages of $name are in order");
}

is(scalar @{ $t->get('/evaluations?limit=2')->json->{evaluations} }, 2,
   'a page that its limit ends keeps to the limit');

# --- Speed ----------------------------------------------------------------

for my $format (qw(json jsonl csv)) {
    my $path = "/batches/$batch/results?format=$format";
    my $fast = $t->get($path)->body;
    my $slow = stuck($t, $path, rcvbuf => 32768);

    $slow->{in} = $slow->{head} . $slow->{in};
    $r = $slow->response;
    ok($r && $r->body eq $fast,
       "the results as $format are the same for a slow reader");
    cmp_ok(length $fast, '>', 65536,
           "the results as $format are larger than what a socket holds");
}

my %seen = map { $_->{evaluation_id} => 1 }
           @{ $t->get("/batches/$batch/results")->json->{results} };
is(scalar keys %seen, 120, 'the results have each evaluation once');

# --- Memory ---------------------------------------------------------------

for my $path ("/batches/$batch/results",
              "/batches/$batch/results?format=csv", '/evaluations?limit=200')
{
    my %before = map { $_ => rss($_) } $t->workers;
    my @stuck  = map { stuck($t, $path) } 1 .. READERS;
    my $name   = $path =~ s/$batch/ID/r;

    is(scalar(grep { ($_->{status} // '') !~ /^(?:200|429)$/ } @stuck), 0,
       READERS . " clients that don't read $name are answered or refused");

    SKIP: {
        skip 'the sanitizer keeps what is freed', 1 if $t->asan;
        my ($most) = sort { $b <=> $a }
                     map { rss($_) - $before{$_} } keys %before;
        cmp_ok($most, '<', GROWTH,
               "clients that don't read $name take little memory");
    }

    status_is($t->get('/judges'), 200,
              "clients that don't read $name harm nobody");
    $_->close for @stuck;
}

$t->quit;

# --- Too many -------------------------------------------------------------

$t = Judge::Test->new(@sndbuf, orgs => 3, workers => 1,
                      store => 'max_unread=2m');

my @path = map { '/batches/' . wide($t, $_) . '/results' } 0 .. 2;
my @keys = map {
    my $org = $_;
    [ map { scalar $t->new_key(org => $org) } 1 .. 4 ]
} 0, 1;
my @open = map { stuck($t, $path[0], key => $_) } $t->key(0), $keys[0][0];

is(join(' ', map { $_->{status} } @open), '200 200',
   'large answers that are not read may fill half of max_unread');

my $refused = $t->get($path[0]);
error_is($refused, 429, qr/^the\ API\ key\ has\ too\ many/x,
         'one key may leave unread a quarter of max_unread');
$refused = $t->get($path[0], key => $keys[0][1]);
error_is($refused, 429, qr/^the\ organization\ has\ too\ many\ large\ answers
                           \ under\ way\ that\ are\ not\ read;\ read\ or\ close
                           \ them\ and\ try\ again$/x,
         'one organization may leave unread half of max_unread');
is($refused->header('Retry-After'), 1,
   'an organization is told to come back soon');
is($refused->header('Content-Disposition'), undef,
   'a refused answer is not named as a file');
error_is($t->get('/evaluations?limit=200', key => $keys[0][1]), 429,
         qr/organization has too many large answers/,
         'a large page is refused, too');
status_is($t->get('/evaluations?limit=1'), 200,
          'a small page is never refused');
status_is($t->get("$path[0]/../events"), 200,
          'a stream of events is never refused');

$r = $t->post('/judges', json => {
    name => 'Large', description => '', content_type => 'text',
    criteria => [ map { { name => "Criterion $_",
                          description => 'long ' x 300 } } 1 .. 64 ] });
status_is($r, 201, 'a request that has changed something is answered');
cmp_ok(length $r->body, '>', 65536,
       'the answer to a change is sent though it is large');

push @open, map { stuck($t, $path[1], key => $_) } @{ $keys[1] }[0, 1];
is(join(' ', map { $_->{status} } @open), '200 200 200 200',
   'another organization has the other half of max_unread');
$refused = $t->get($path[2], org => 2);
error_is($refused, 503, qr/^too\ many\ large\ answers\ are\ under\ way\ that
                           \ are\ not\ read;\ try\ again\ later$/x,
         'a large answer is refused when max_unread is used up');
is($refused->header('Retry-After'), 1, 'everybody is told to come back soon');
status_is($t->get('/evaluations?limit=1', org => 2), 200,
          'a small page is sent though max_unread is used up');
metrics_like($t, qr/^judge_answers_refused_total\{.*\} 4$/m,
             'refused answers are counted');

$_->close for @open;

for my $org (0, 2) {
    $t->comes_true(sub {
        $t->get($path[$org], org => $org)->status == 200
    }, "a large answer is sent when those who don't read have left");
}

# Pages that are not read count as well, and a single one is always sent.

my $page = '/evaluations?limit=200';
@open = map { stuck($t, $page, key => $_) } @{ $keys[0] };
is(join(' ', map { $_->{status} } @open), '200 200 200 429',
   'pages that are not read count for the bound of an organization');
$_->close for @open;

my $text = $t->new_content('word ' x 200_000, org => 2);
is(length $t->get("/content/$text", org => 2)->json->{text_content},
   1_000_000,
   'a single answer is sent though it is larger than half of the bound');

# --- In turn --------------------------------------------------------------

# What one organization wants does not come before all that another one wants:
# how many of 50 came earlier than a page of another one, asked for behind
# them.  They are sent to a worker that is stopped; which of them it knows of
# before it reads the first is up to the machine, so there are some rounds.

$t = Judge::Test->new(orgs => 2, workers => 1);
wide($t, $_) for 0, 1;

sub earlier {
    my ($many, $other) = @_;

    my @clients = map { $t->connect } 0 .. 50;
    $_->send($t->bytes(GET => '/healthz', keepalive => 1)), $_->response
        for @clients;

    my ($worker) = $t->workers;
    kill STOP => $worker;
    $t->wait_until(sub {
        Judge::Nginx::read_file("/proc/$worker/stat") =~ /.*\) T/s
    }, 'it to be stopped');
    $clients[$_]->send($t->bytes(GET => $page,
                                 org => $_ == 50 ? $other : $many))
        for 0 .. 50;
    kill CONT => $worker;

    my $select  = IO::Select->new(map { $_->{socket} } @clients);
    my $earlier = 0;
    while (my @ready = $select->can_read(60 * $t->slow)) {
        last if grep { $_ == $clients[50]{socket} } @ready;
        $earlier += @ready;
        $select->remove(@ready);
    }

    is(scalar(grep { $_->response->status != 200 } @clients), 0,
       'all pages come, whoever asks');
    return $earlier;
}

for ([ 0, 1 ], [ 1, 0 ]) {
    my ($many, $other) = @$_;
    my $earlier;

    for (1 .. 6) {
        $earlier = earlier($many, $other);
        last if $earlier < 25;
    }
    cmp_ok($earlier, '<', 25, "a page of organization $other comes before most"
           . ' of the 50 that were asked for earlier');
}

done_testing;
