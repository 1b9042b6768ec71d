# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Reload, graceful end and heavy writing: no request and no work is lost.

use IO::Socket::INET;

use Judge::Test;

plan skip_all => 'one process only' if Judge::Nginx->single;

my $t = Judge::Test->new;
my %essays  = $t->essays;
my $judge   = $t->new_judge;
my $content = $t->new_content(join "\n\n", values %essays);
my %post    = (json => { judge_id => $judge, content_id => $content });

sub count { $t->sql1("select count(*) from evaluations where $_[0]") }

# Connections from clients that a worker has accepted and read all of.

sub taken {
    my $port = sprintf ':%04X', $t->port;

    return grep { my @f = split; @f > 9 && $f[1] =~ /$port$/ && $f[3] eq '01'
                                 && $f[4] =~ /:0+$/ && $f[9] ne '0' }
           split /\n/, Judge::Nginx::read_file('/proc/net/tcp');
}

sub all_end {
    my ($n, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    $t->wait_until(sub { !count("status = 'processing'") }, "$name: the end");
    is(count("status = 'completed'"), $n, "$name: all $n are completed");
}

# --- Reloaded under load --------------------------------------------------

# Eight requests are always under way, on new connections.

my %status;
my %ids;

for my $round (1 .. 60) {
    kill HUP => $t->pid if $round % 10 == 0;

    my @r = $t->at_once(
        (map { [ POST => '/evaluations/single', %post ] } 1 .. 5),
        (map { [ GET => "/judges/$judge" ] } 1 .. 2),
        [ POST => '/evaluations/single', %post,
          headers => [ Prefer => 'wait=30' ] ]);

    $status{ $_->status }++ for @r;
    $ids{ $_->json->{evaluation_id} }++ for @r[0 .. 4, 7];
    $status{'not waited for'}++ if $r[7]->json->{status} ne 'completed';
}

is_deeply(\%status, { 200 => 120, 201 => 360 },
          'every request is answered over six reloads');
is(scalar keys %ids, 360, 'no evaluation has the identifier of another');
all_end(360, 'reloaded under load');

# The old workers leave once they have nothing left to do.

$t->reload;
$t->wait_until(sub {
    2 == grep { Judge::Nginx::title($_) =~ /worker/ } $t->processes
}, 'the old workers to leave');
pass('the old workers leave');

# Who waits when the reload comes, is still answered, by the old worker.

my $idle = Judge::Test->new(store => 'evaluate=off');
my $waiter = $idle->connect;
$waiter->send($idle->bytes(POST => '/evaluations/single',
    json => { judge_id => $idle->new_judge,
              content_id => $idle->new_content('Some text. Good.') },
    headers => [ Prefer => 'wait=60' ]));
$idle->wait_until(sub { $idle->sql1('select count(*) from evaluations') },
                  'the evaluation');
$idle->conf(store => '');
$idle->reload;
my $r = $waiter->response // Judge::Test::no_answer('closed');
status_is($r, 201, 'a client that waits over a reload is answered');
is($r->json->{status}, 'completed',
   'a client that waits over a reload gets what the new workers did');
$waiter->close;

# Who had connected and begins when nothing else is under way any more, too.
# The pause lets the old workers find that out; the outcome must be the same
# without.

my $whole   = $t->bytes(POST => '/evaluations/single', %post);
my %old     = map { $_ => 1 } $t->workers;
my @waiting = map { $t->connect } 1 .. 8;
$_->send(substr $whole, 0, 20) for @waiting;
$t->wait_until(sub { taken() == @waiting }, 'them to be taken');
kill HUP => $t->pid;
$t->wait_until(sub { !grep { $old{$_} } $t->workers }, 'the old workers');
select undef, undef, undef, 0.3;
$_->send(substr $whole, 20) for @waiting;
is(scalar(grep { $_ && $_->status == 201 } map { $_->response } @waiting), 8,
   'clients that had connected before a reload are answered');
$_->close for @waiting;

# A limit that a reload changes holds afterwards.

$t->conf(store => 'max_text=1k');
$t->reload;
error_is($t->post('/content', json => { name => 'x', file_type => 'text',
             text_content => 'x' x 2000 }), 400, qr/at most 1024 bytes/,
         'a reload brings new limits');

# A configuration that is wrong leaves the old one at work.

$t->allow(qr/there is no parameter|no parameter "nonsense"|\[emerg\]/);
$t->conf(store => 'nonsense=1');
kill HUP => $t->pid;
$t->wait_until(sub { $t->log_text =~ /\[emerg\].*nonsense/ }, 'the refusal');
status_is($t->get("/judges/$judge"), 200, 'a wrong configuration is refused');

# One that is refused late, since a port is taken, has changed nothing either:
# not the limit of a node that is alone into a share of it.

my $taken = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1)
    or die "socket: $!";
my $limit = 'rate=1/m burst=40';

$t->conf(store => "$limit fleet=off");
$t->reload;
$t->conf(store => "$limit fleet=on",
         http => 'server { listen 127.0.0.1:' . $taken->sockport . '; }');
kill HUP => $t->pid;
$t->wait_until(sub { $t->log_text =~ /still could not bind/ }, 'the refusal');
is(scalar(grep { $_->status == 200 }
          $t->at_once(map { [ GET => "/judges/$judge" ] } 1 .. 30)), 30,
   'a configuration that is refused late changes no limits');
$taken->close;
$t->conf(store => '', http => '');
$t->reload;

# --- Ended under load -----------------------------------------------------

my @clients = map { $t->connect } 1 .. 10;
$_->send($t->bytes(POST => '/evaluations/single', %post)) for @clients;
my $first = $clients[0]->response;
status_is($first, 201, 'the first client is answered before the end');

kill QUIT => $t->pid;

my @acknowledged = $first->json->{evaluation_id};
my $refused = 0;

for my $client (@clients[1 .. 9]) {
    my $answer = $client->response;
    defined $answer && $answer->status == 201
        ? push @acknowledged, $answer->json->{evaluation_id}
        : $refused++;
    $client->close;
}
$clients[0]->close;

$t->quit;
$t->start;

is(scalar(grep { $t->get("/evaluations/$_")->status != 200 } @acknowledged),
   0, 'evaluations that were acknowledged are there after the end');
cmp_ok(@acknowledged + $refused, '==', 10, 'each client has one outcome');
all_end($t->sql1('select count(*) from evaluations'), 'ended under load');
is(count('queue_at is not null or owner is not null'), 0,
   'nothing is left in the queue');

# A fast end, too.

$_->status == 201 or die 'not made' for $t->pipeline(
    map { [ POST => '/evaluations/single', %post ] } 1 .. 50);
my $n = count('true');
$t->stop;
$t->start;
all_end($n, 'stopped with work in hand');

# And of workers that were leaving, but had clients that wait.

$t->conf(store => 'evaluate=off');
$t->reload;
@clients = map { $t->connect } 1 .. 4;
$_->send($t->bytes(POST => '/evaluations/single', %post,
                   headers => [ Prefer => 'wait=60' ])) for @clients;
$t->wait_until(sub { count('true') == $n + 4 }, 'them to wait');
$t->conf(store => '');
$t->reload;
$t->stop;
$_->close for @clients;
$t->start;
all_end($n + 4, 'stopped while leaving');

# --- Two workers that write at once ---------------------------------------

@clients = map { $t->connect } 1 .. 16;

for my $n (0 .. $#clients) {
    $clients[$n]->send(join '', map {
        $t->bytes(POST => '/content', keepalive => 1, json => {
            name => "W$n.$_", file_type => 'text', text_content => 'x' }),
        $t->bytes(PUT => "/judges/$judge", keepalive => 1,
                  json => { description => "By $n in $_" }),
    } 1 .. 20);
}

my %made;
%status = ();

for my $client (@clients) {
    for (1 .. 20) {
        my $content = $client->response // Judge::Test::no_answer('none');
        my $put     = $client->response // Judge::Test::no_answer('none');

        $status{ $content->status }++;
        $made{ $content->json->{id} // '' }++;
        $status{'put ' . $put->status}++;
    }
    $client->close;
}

is($status{201}, 320, '16 clients make 320 contents');
is(scalar keys %made, 320, 'each content has an identifier of its own');
is($t->sql1("select count(*) from contents where name like 'W%'"), 320,
   'each content is in the store');
is(join(' ', grep { !/^(?:201|put 200|put 409)$/ } sort keys %status), '',
   'a judge that all change at once fails for nobody');
is($t->sql1("select max(version) from judge_versions where judge_id ="
            . " '$judge'"), 1 + $status{'put 200'},
   'every change of the judge is a version');

done_testing;
