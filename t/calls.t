# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Calls to the outside under way: how many there are at once, by TLS, longer
# than allowed, and when nginx is reloaded, quits, stops or is killed.

use List::Util qw(max);

use Judge::Test;
use Judge::DNS;
use Judge::OpenAI;
use Judge::Receiver;

my $receiver = Judge::Receiver->start;

sub slow {
    return Judge::OpenAI->start(script => [
        ({ action => 'ok', delay => 1 }) x $_[0] ]);
}

my %server = (
    few    => Judge::OpenAI->start(held => 1),
    wait   => Judge::OpenAI->start(held => 1),
    tls    => Judge::OpenAI->start,
    long   => Judge::OpenAI->start(script => [
                  ({ action => 'ok', long => 2_000_000 }) x 100 ]),
    reload => slow(6),
    quit   => slow(6),
    stop   => slow(6),
    kill   => slow(6),
);
my %at_once = (few => 3, wait => 32);
my $named   = Judge::OpenAI->start;
my $dns     = Judge::DNS->start('model.test' => ['127.0.0.1']);

# Connections are kept, so that those of a worker that leaves are, too.

sub location {
    my ($server, $name, $peer, $lines) = @_;
    return $server->location($name,
        $at_once{$name} ? "at_once=$at_once{$name}" : '', peer => $peer,
        next => 'error non_idempotent', lines => $lines);
}

sub tls {
    my ($path, $name) = @_;
    return location($server{tls}, $path, "https://$path", <<"CONF");
proxy_ssl_verify on; proxy_ssl_trusted_certificate \@DIR@/ca.pem;
    proxy_ssl_server_name on; proxy_ssl_name $name;
CONF
}

my $t = Judge::Test->new(
    store  => 'model_attempts=2',
    http   => join('', map { $server{$_}->upstream($_) }
                       grep { $_ ne 'tls' } sort keys %server) . <<"CONF",
upstream good {
    server 127.0.0.1:\@PORT1@;
    keepalive 8;
}

upstream other {
    server 127.0.0.1:\@PORT1@;
    keepalive 8;
}

server {
    listen 127.0.0.1:\@PORT1@ ssl;
    ssl_certificate good.pem;
    ssl_certificate_key key.pem;

    location / {
        proxy_pass http://127.0.0.1:@{[ $server{tls}->port ]};
        proxy_set_header X-Connection \$connection;
    }
}
CONF
    server => join('', map { location($server{$_}, $_, $_) }
                       grep { $_ ne 'tls' } sort keys %server)
              . tls('good', 'good.test') . tls('other', 'other.test')
              . location($named, 'named', 'http://$peer:' . $named->port,
                         'set $peer model.test; resolver 127.0.0.1:'
                         . $dns->port . ' ipv6=off;')
              . <<"CONF",
location /out {
    judge_outbound allow=127.0.0.0/8 at_once=4 timeout=1s;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF
    workers => 1,
    orgs    => 8,
    start   => 0,
);

certificate();
$t->start;
$t->new_org("Organization $_") for 1 .. 8;

my $judge = $t->new_model_judge;
my $r;

sub certificate {
    my $dir = $t->dir;

    for ([ qw(req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes
              -days 2 -subj), '/CN=Test authority', '-keyout',
           "$dir/ca.key", '-out', "$dir/ca.pem" ],
         [ qw(req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj
              /CN=good.test -keyout), "$dir/key.pem", '-out',
           "$dir/good.csr" ],
         [ qw(x509 -req -days 2 -CAcreateserial -in), "$dir/good.csr", '-CA',
           "$dir/ca.pem", '-CAkey', "$dir/ca.key", '-extfile', "$dir/ext",
           '-out', "$dir/good.pem" ])
    {
        $t->write('ext', "subjectAltName=DNS:good.test\n");
        my ($status, $out) = $t->run('openssl', @$_);
        die "openssl: $out" if $status != 0;
    }
}

sub asked {
    my ($model, $n) = @_;
    return map { $t->new_evaluation($judge,
                     $t->new_content("A text, $_ for $model."),
                     model => $model) } 1 .. $n;
}

sub how {
    my %how;
    for my $e (map { $t->ended($_) } @_) {
        $how{ join ' ', grep { defined } $e->{status}, $e->{error}{code} }++;
    }
    return join ', ', map { "$how{$_} $_" } sort keys %how;
}

sub sockets {
    my ($pid) = @_;

    return map { (readlink // '') =~ /^socket:\[(\d+)\]$/ ? ($1 => 1) : () }
           glob "/proc/$pid/fd/*";
}

# The most connections that the worker had to a port while a condition was not
# met; those that it had before the table was read and behind it, because one
# may end and the next begin meanwhile.

sub most {
    my ($port, $until) = @_;

    my $hex  = sprintf ':%04X', $port;
    my $most = 0;
    my ($pid) = $t->single ? $t->pid : $t->workers;

    $t->wait_until(sub {
        my %before = sockets($pid);
        my $table  = Judge::Nginx::read_file("/proc/$pid/net/tcp") // '';
        my %after  = sockets($pid);
        my $n = grep { my @f = split; $f[2] =~ /$hex$/ && $f[3] eq '01'
                                      && $before{ $f[9] } && $after{ $f[9] } }
                grep { length } split /\n/, $table;
        $most = $n if $n > $most;
        return $until->();
    }, "what calls port $port", 60);

    return $most;
}

# --- At once ----------------------------------------------------------------

my @few = asked(few => 9);
$t->wait_until(sub { $server{few}->under_way == 3 }, 'three calls');
$server{few}->let_go;
is(how(@few), '9 completed', 'calls beyond at_once are made in the end');
is(max(map { $_->{with} } $server{few}->requests), 3,
   'at_once bounds the calls of a model');

for my $org (0 .. 7) {
    $t->put('/config/webhooks', org => $org, json => {
        url => $receiver->url("/hang/$org") });
}
status_is($_, 202, 'a webhook for a receiver that hangs is tested')
    for $t->at_once(map { [ POST => '/config/webhooks/test', org => $_ ] }
                    0 .. 7);
my $most = most($receiver->port, sub {
    !$t->sql1("select count(*) from deliveries where status = 'pending'") });
cmp_ok($most, '<=', 4, 'at_once bounds webhooks');
$t->wait_until(sub { $receiver->requests >= 8 }, 'all to be read');
is(scalar $receiver->requests, 8,
   'webhooks beyond at_once are sent in the end');

# --- What waits --------------------------------------------------------------

# Compiled, each of these expressions takes 40 KB, and those of the judge 4 MB.

sub memory {
    my ($pid) = $t->single ? $t->pid : $t->workers;
    return (split ' ', Judge::Nginx::read_file("/proc/$pid/statm"))[1]
           * 4096 / 1e6;
}

my $checked = $t->new_judge(criteria => [ map { {
    name => "Wit $_", description => 'It makes the reader smile.',
    judge_by => 'model', checks => [ map { {
        type => 'not_regex', value => "(?:[a-z]x[0-9]$_){400}" } } 1 .. 20 ],
} } 1 .. 5 ]);
my $before = memory();
my @wait = map { $t->new_evaluation($checked, $t->new_content("Text $_."),
                                    model => 'wait') } 1 .. 24;
$t->wait_until(sub { $server{wait}->under_way == 24 }, 'all calls');
my $grown = memory() - $before;
cmp_ok($grown, '<', 60, sprintf 'what waits for a model holds no compiled'
       . ' patterns: %.0f MB', $grown) if !Judge::Nginx->asan;
$server{wait}->let_go;
is(how(@wait), '24 completed', 'what has waited is judged');
is_deeply([ map { scalar grep { ($_->{result} // '') eq 'met' }
                  @{ $_->{checks} } }
            @{ $t->get("/evaluations/$wait[0]")->json->{criteria_scores} } ],
          [ (20) x 5 ], 'its checks are decided after the answer');

# --- TLS, and too much ------------------------------------------------------

is(join(', ', map { how(asked(good => 1)) } 1 .. 3),
   '1 completed, 1 completed, 1 completed',
   'a model is called by TLS with a verified certificate');
my %seen = map { $_->{headers}{'x-connection'} => 1 } $server{tls}->requests;
is(scalar keys %seen, 1, 'a connection by TLS is kept open');
is(how(asked(other => 1)), '1 failed MODEL_UNREACHABLE',
   'a certificate for another name is refused');
is(scalar $server{tls}->requests, 3,
   'a server with a certificate for another name is not called');
is(how(asked(long => 1)), '1 failed INVALID',
   'an answer that is too long fails');

# --- Names, and deadlines ---------------------------------------------------

is(how(asked(named => 1)), '1 completed',
   'a model whose name is a variable is called');
cmp_ok($dns->asked('model.test'), '>=', 1,
       'a name that is a variable is looked up when it is called');

my $hang  = Judge::OpenAI->start(script => [ ('hang') x 20 ]);
my $brief = Judge::Test->new(store => 'deadline=5s model_attempts=9',
    server => location($hang, 'brief'));
$r = $brief->post('/evaluations/single', json => {
    judge_id => $brief->new_model_judge, model => 'brief',
    content_id => $brief->new_content('A text.') });
my $e = $brief->ended($r->json->{evaluation_id});
is("$e->{status} $e->{error}{code}", 'failed TIMED_OUT',
   'the deadline of an evaluation bounds all calls for it');
$brief->wait_until(sub { $hang->requests }, 'the call to be read');
is(scalar $hang->requests, 1,
   'the one call of an evaluation had all of its time');

# --- In the middle ----------------------------------------------------------

if (!$t->single) {
    for ([ reload => sub { $t->reload } ],
         [ quit   => sub { $t->restart } ],
         [ stop   => sub { $t->stop; $t->start } ],
         [ kill   => sub { $t->crash; $t->start } ])
    {
        my ($how, $act) = @$_;
        my @ids = asked($how => 6);
        $t->wait_until(sub { 6 <= $server{$how}->requests }, 'all asked');
        $act->();
        is(how(@ids), '6 completed', "$how: no evaluation is lost");
        is(scalar(grep { $_ } map { scalar @{
               $t->get("/evaluations/$_")->json->{criteria_scores} } } @ids),
           6, "$how: each evaluation has its scores");
    }
}

done_testing;
