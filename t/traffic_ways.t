# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Traffic of all kinds of locations and clients: FastCGI, gRPC, subrequests,
# internal redirects, ranges from behind, values out of a map; clients that
# read slowly, for whom nothing is piled up; and scores by route.

use Judge::Test;
use Judge::Traffic;

use IO::Socket::INET;
use List::Util qw(sum);
use Time::HiRes ();

use constant FLOOD => 40_000;                    # events of 1 KB

my $upstream = upstream();
my $to       = "proxy_pass http://127.0.0.1:$upstream/;";
my $live     = "judge_traffic $JUDGED mode=guard min=1 on_error=pass";

# One that answers any FastCGI request: FCGI_STDOUT, and FCGI_END_REQUEST.

my $fcgi = IO::Socket::INET->new(Listen => 8, LocalAddr => '127.0.0.1')
    // die "listen: $!";

sub fastcgi {
    my $out = "Content-Type: text/plain\r\n\r\nThe plan is said by FastCGI.";
    while (my $client = $fcgi->accept) {
        sysread $client, my $asked, 65536;
        print {$client} pack('CCnnCx', 1, 6, 1, length $out, 0) . $out
                        . pack('CCnnCx NCx3', 1, 3, 1, 8, 0, 0, 0);
        close $client;
    }
}

# And one of HTTP/2 with a message of gRPC.

my $port = Judge::Nginx::free_port();
my $grpc = <<"NODE";
require('http2').createServer().on('stream', stream => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
}).listen($port, '127.0.0.1');
NODE

my @pids = map {
    my $run = $_;
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        $run->();
        POSIX::_exit(1);
    }
    $pid;
} \&fastcgi, sub { exec 'node', '-e', $grpc };
my $owner = $$;

END {
    my $status = $?;
    kill 'TERM', @pids if $$ == $owner;
    $? = $status;
}

my $t = Judge::Test->new(
    described => 0,
    prefix    => '/api/',
    http      => <<'CONF',
map $arg_team $team_judge { default $http_x_judge; none ""; }
map $arg_team $team_org   { default $http_x_org; }
map $arg_team $share      { default 100%; few 0%; wrong many; }
map $arg_team $team_route { default "team $arg_team"; "" ""; }
log_format ways '$uri $judge_skipped';
access_log logs/ways.log ways;
server {
    listen 127.0.0.1:@PORT1@;
    root @DIR@;
}
CONF
    server => <<"CONF",
proxy_http_version 1.1;
location /plain/    { $to }
location /judged/   { $to judge_traffic $JUDGED rate=1000/s; }
location /team/     { $to judge_traffic judge=\$team_judge
                      organization=\$team_org sample=\$share
                      route=\$team_route rate=1000/s; }
location /fast/     { fastcgi_pass 127.0.0.1:@{[ $fcgi->sockport ]};
                      judge_traffic $JUDGED; }
location /grpc/     { grpc_pass grpc://127.0.0.1:$port;
                      judge_traffic $JUDGED; }
location /checked/  { auth_request /check/text; $to judge_traffic $JUDGED; }
location /check/    { internal; $to judge_traffic $JUDGED; }
location /error/    { $to proxy_intercept_errors on;
                      judge_traffic $JUDGED; error_page 404 = /check/text; }
location /behind/   { proxy_pass http://127.0.0.1:\@PORT1\@/;
                      judge_traffic $JUDGED; }
location /unjudged/ { proxy_pass http://127.0.0.1:\@PORT1\@/; }
location /path/     { $to judge_traffic $JUDGED
                      format=\$.choices[*].message.content; }
location /little/   { $to judge_traffic $JUDGED memory=1k; }
location /redacted/ { $to judge_traffic $JUDGED "redact=[0-9]{4,}"
                      redact=Ann; }
location /end/      { $to proxy_buffering off; $live stream=end; }
location /window/   { $to proxy_buffering off;
                      $live stream=window delay=10ms; }
location /buffered/ { $to $live stream=end; }
CONF
);

mkdir $t->dir . '/files';
$t->write('files/a.txt', "The committee agreed on a plan.\n" x 20);

my $judge = $t->new_judge;
asks($t, judge => $judge);
$t->wait_until(sub { IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port") },
               'the server of gRPC');

# Asks; what is counted of all that is, once something is.

sub counted {
    my @all = ('', qw(sampled_out type status failed dropped no_body));
    my %before = map { $_ => count($_) } @all;
    my $r = ask(@_);
    my %now;
    $t->wait_until(sub {
        %now = map { $_ => count($_) - $before{$_} } @all;
        return sum(values %now) > 0;
    }, "$_[1] is counted");
    is(sum(values %now), 1, "$_[1] is counted once");
    return wantarray ? ((grep { $now{$_} } @all), $r)
           : (grep { $now{$_} } @all)[0];
}

sub latest {
    my $e = $t->get('/evaluations?limit=1')->json->{evaluations}[0];
    return $t->get("/content/$e->{content_id}")->json;
}

# --- Locations ---------------------------------------------------------------

is(counted(GET => '/fast/x'), '', 'an answer by fastcgi_pass is judged');
is(latest()->{text_content}, 'The plan is said by FastCGI.',
   'the text of an answer by fastcgi_pass is read');
is(counted(GET => '/grpc/x'), 'type', 'messages of gRPC are no text');
is(counted(GET => '/checked/text'), '',
   'an answer behind auth_request is judged');
is(latest()->{metadata}{traffic}{path}, '/checked/text',
   'the subrequest of auth_request is not judged');
is(counted(GET => '/error/nowhere'), '', 'what error_page answers is judged');
is(latest()->{metadata}{traffic}{route}, '/check/',
   'what error_page answers has its own location for a route');
is(counted(GET => '/path/chat'), '',
   'an answer is read by the path of format=');
is(counted(GET => '/little/text?n=99'), 'dropped',
   'an answer is dropped where there is no memory for it');
is(counted(POST => '/redacted/chat', json => { messages => [
    { role => 'user', content => 'Is Ann 12345?' } ] }), '',
   'an answer is judged when its texts are redacted');
is(latest()->{metadata}{source}, 'Is [redacted] [redacted]?',
   'the request of an answer is redacted, too');

my (undef, $whole) = counted(GET => '/behind/files/a.txt');

for my $headers ([ Range => 'bytes=3-10' ], [ Range => 'bytes=9999-' ],
                 [ 'If-None-Match' => $whole->header('ETag') ])
{
    my @ask = ('files/a.txt', headers => $headers);
    my (undef, $one) = counted(GET => '/behind/' . $ask[0], @ask[1, 2]);
    my $two = ask(GET => '/unjudged/' . $ask[0], @ask[1, 2]);
    is($one->status, $two->status,
       "an answer to @$headers has the status from behind");
    is($one->body, $two->body,
       "an answer to @$headers has the bytes from behind");
}

# A store that fails.

$t->alter('ALTER TABLE judges RENAME TO judges_away');
is(counted(GET => '/judged/text'), 'failed',
   'an answer fails to be judged while the store fails');
$t->alter('ALTER TABLE judges_away RENAME TO judges');
is(counted(GET => '/judged/text'), '',
   'an answer is judged when the store is back');

# --- Values out of a map -----------------------------------------------------

is(counted(GET => '/team/text?team=red'), '',
   'an answer is judged by the judge of a map');
is(counted(GET => '/team/text?team=none'), 'sampled_out',
   'an answer without a judge in the map is not judged');
is(counted(GET => '/team/text?team=few'), 'sampled_out',
   'a share of 0% in the map lets nothing be judged');
is(counted(GET => '/team/text?team=wrong'), 'sampled_out',
   'a wrong share in the map lets nothing be judged');
log_like($t, qr/sample= has "many", expected a share such as 10%/,
         'the log names the wrong share in the map');

# --- Routes ------------------------------------------------------------------

# The last of 40 routes have none of their own any more.

my @teams = map { sprintf 'n%02d', $_ } 1 .. 40;
my $asked = @teams + count('') + count('dropped');
for (@teams) {
    ask(GET => "/team/text?team=$_", text => "The plan of $_ is fine.");
}

my ($d, $judged, %routes);
$t->wait_until(sub {
    $d      = $t->get("/judges/$judge/drift")->json;
    %routes = map { $_->{route} => $_->{evaluations} } @{ $d->{routes} };
    $judged = count('');
    return $d->{window}{evaluations} == $judged && ($routes{other} // 0) > 8
           && $judged + count('dropped') == $asked;
}, 'all are counted');

is(sum(values %routes), $judged, 'each evaluation has a route');
is(scalar keys %routes, 33, 'the routes are 32 and one for all others');
is($routes{'/fast/'}, 1, 'a route has the name of its location');
is($routes{'team red'}, 1, 'a route has the name that route= gives it');

$d = $t->get("/judges/$judge/drift?route=team%20red")->json;
is($d->{route}, 'team red', 'the drift of a route names it');
is($d->{window}{evaluations}, 1, 'the drift of a route has its evaluations');
is(sum(@{ $d->{overall}{counts} }), 1, 'the drift of a route has its scores');
is(scalar @{ $d->{routes} }, 33, 'the drift of a route lists all routes');

# One route drifts, the judge does not.

$t->made('/batches/evaluate', 'batch_id', json => {
    name => 'Many', judge_ids => [$judge],
    content_items => [ map { { name => "$_", text_content => "Text $_." } }
                           1 .. 1500 ] });
ask(GET => '/fast/x') for 1 .. 40;
$t->wait_until(sub {
    my $more  = count('') - $judged;
    my $route = $t->get("/judges/$judge/drift?route=/fast/")->json;
    my $all   = $t->get("/judges/$judge/drift")->json;

    # Beside so much else one may be dropped.
    ask(GET => '/fast/x') if $more < 40;
    return $more >= 40 && $route->{window}{evaluations} == 1 + $more
        && $all->{window}{evaluations} == $judged + 1500 + $more;
}, 'all of the batch, and some more of the route');
my $at = int(time / 3600) - 48;
$t->alter("insert into score_hours select org, judge_id, route, $at, '', 0,"
    . " 100 from score_hours where route = '/fast/' limit 1");
$t->alter("insert into score_hours select org, judge_id, '', $at,"
    . " criterion_id, bin, sum(n) from score_hours where route = ''"
    . " and judge_id = '$judge' group by 1, 2, 5, 6");
is($t->get("/judges/$judge/drift?route=/fast/")->json->{verdict}, 'strong',
   'a route drifts by itself');
isnt($t->get("/judges/$judge/drift")->json->{verdict}, 'strong',
     'the judge does not drift with one of its routes');

status_is($t->put('/config/webhooks', json => {
    url => 'https://hooks.example/', enabled => JSON::PP::true,
    events => ['judge.drift'] }), 200, 'webhooks of drift are turned on');
# They are looked at one a second: of all routes only the one that drifts.
my $now = int(Time::HiRes::time() * 1000);
$t->alter("update drifts set queue_at = case when route in ('', '/fast/')"
          . " then $now else $now + 3600000 end");
$t->wait_until(sub {
    $t->sql1('select count(*) from deliveries') > 0
        && !$t->sql1("select count(*) from drifts where queue_at = $now")
}, 'it is told');
is($t->sql1("select count(*) from deliveries"), 1,
   'one webhook is sent for a route that drifts');
like($t->sql1('select data from delivery_bodies'), qr{"route":"/fast/"},
     'the webhook of drift names the route');

# --- Clients that read slowly ------------------------------------------------

# One that takes nothing for a while: what comes from behind comes to a stop,
# which is two counts that are the same.  nginx's own buffers become a file.
# AddressSanitizer keeps what was freed.

sub memory {
    return sum(map { Judge::Nginx::read_file("/proc/$_/status")
                     =~ /VmRSS:\s+(\d+)/ } $t->workers);
}

my $plain = ask(GET => '/plain/flood?n=' . FLOOD)->body;

for my $way (qw(judged buffered end window)) {
    my $client = $t->connect(rcvbuf => 65536);
    my $before = ask(GET => '/plain/flooded')->body;
    my $held   = memory();
    my $last   = 0;

    $client->send(sends(GET => "/$way/flood?n=" . FLOOD));
    $t->wait_until(sub {
        my $n    = ask(GET => '/plain/flooded')->body - $before;
        my $same = $n == $last && $n > 0;
        $last = $n;
        return $same;
    }, "$way: it stops");

    ok($last < FLOOD * 3 / 4,
       "$way stops reading after $last of @{[ FLOOD ]} events")
        if $way =~ /end|window/;
    ok(memory() - $held < 20_000, "$way piles up nothing for a slow client")
        if !Judge::Nginx->asan;
    ok($client->response(method => 'GET')->body eq $plain,
       "$way passes all of it byte by byte in the end");
    $client->close;
}

done_testing;
