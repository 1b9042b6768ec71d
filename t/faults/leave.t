# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Clients that leave: whenever they do, the worker lives, what they asked for
# is done or not done, and nothing waits for them.

use Judge::Test;

my $t = Judge::Test->new(workers => 1);
my @workers = $t->workers;
my %essays  = $t->essays;
my $judge   = $t->new_judge;
my $content = $t->new_content(join "\n\n", values %essays);
my %post    = (json => { judge_id => $judge, content_id => $content });

sub lives {
    my ($name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    status_is($t->get("/judges/$judge"), 200, "$name: the service answers");
    is(join(' ', $t->workers), "@workers", "$name: the worker is the same")
        if !$t->single;
}

my @ways = ([ close => 'close' ], [ reset => 'reset' ],
            [ half_close => 'end their half of' ]);

# --- In the middle of a request -------------------------------------------

# Cut at every few bytes.

my $request = $t->bytes(POST => '/content', json => {
    name => "left \x{e4}", file_type => 'text', text_content => 'x' x 300,
    metadata => { a => [ 1, 2, { b => 'c' } ] } });

for my $way (@ways) {
    my ($how, $name) = @$way;

    for (my $n = 0; $n < length $request; $n += 13) {
        my $client = $t->connect;
        $client->send(substr $request, 0, $n) if $n;
        $client->$how;
    }
    lives("clients that $name a request that is not complete");
}

is($t->sql1("select count(*) from contents where name like 'left%'"), 0,
   'no request that was left incomplete stores anything');

# --- Behind a whole request, before the answer ----------------------------

for my $way (@ways) {
    my ($how, $name) = @$way;

    for (1 .. 30) {
        my $client = $t->connect;
        $client->send($t->bytes(POST => '/content', json => {
            name => "gone $how", file_type => 'text', text_content => 'x' }));
        $client->$how;

        $client = $t->connect;
        $client->send($t->bytes(GET => '/content', keepalive => 1) x 5);
        $client->$how;
    }
    lives("clients that $name a connection before the answer");

    cmp_ok($t->sql1("select count(*) from contents where name = 'gone $how'"),
           '<=', 30, 'what clients that left asked for is done once at most');
}

# --- While they wait for an evaluation ------------------------------------

for my $way (@ways) {
    my ($how, $name) = @$way;

    for (1 .. 20) {
        my $client = $t->connect;
        $client->send($t->bytes(POST => '/evaluations/single', %post,
                                headers => [ Prefer => 'wait=60' ]));
        $client->$how;
    }
    lives("clients that $name a connection at once");
}

$t->wait_until(sub {
    !$t->sql1("select count(*) from evaluations where status = 'processing'")
}, 'the evaluations');
is($t->sql1("select count(*) from evaluations where status = 'failed'"), 0,
   'no evaluation fails because nobody waits for it');

# Where nobody evaluates, they wait for long, and leave in the middle.

my $idle = Judge::Test->new(workers => 1, store => 'evaluate=off');
my %idle = (json => { judge_id => $idle->new_judge,
                      content_id => $idle->new_content('Some text.') },
            headers => [ Prefer => 'wait=60' ]);

my @clients = map { $idle->connect } 1 .. 30;
$_->send($idle->bytes(POST => '/evaluations/single', %idle)) for @clients;
$idle->wait_until(sub {
    $idle->sql1('select count(*) from evaluations') == 30 }, 'all to wait');

for my $n (0 .. 29) {
    my $how = $ways[$n % 3][0];
    $clients[$n]->$how;
}
status_is($idle->get('/judges'), 200,
          'the service answers after clients that waited have left');

$idle->conf(store => '');
$idle->single ? $idle->restart : $idle->reload;
$idle->wait_until(sub {
    !$idle->sql1("select count(*) from evaluations where status ="
                 . " 'processing'") }, 'the evaluations');
is($idle->sql1("select count(*) from evaluations where status = 'completed'"),
   30, 'evaluations of clients that left are done all the same');

# Some wait, and the whole server is asked to go: it does not wait for those
# who have left (done_testing looks whether it went).

@clients = map { $idle->connect } 1 .. 10;
$_->send($idle->bytes(POST => '/evaluations/single', %idle)) for @clients;
$_->reset for @clients;

# --- In the middle of a long answer ---------------------------------------

my $long = $t->new_content('word ' x 150000);

for my $way (@ways) {
    my ($how, $name) = @$way;

    for (1 .. 10) {
        my $client = $t->connect;
        $client->send($t->bytes(GET => "/content/$long", keepalive => 1) x 4);
        $client->read_until(qr/word/);
        $client->$how;
    }
    lives("clients that $name a connection in the middle of an answer");
}

# Who reads slowly gets it all.

my $slow = $t->connect;
$slow->send($t->bytes(GET => "/content/$long"));
my $r = $slow->response;
is(length $r->json->{text_content}, 750000, 'a long answer is whole');
$slow->close;

done_testing;
