# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judge_detect looks at large bodies in threads: what becomes of them is the
# same, the worker serves others meanwhile, and clients may leave.

use Compress::Zlib ();

use Judge::Test;
use Judge::Traffic;

my $upstream = upstream();
my $to       = "proxy_pass http://127.0.0.1:$upstream/;";

my $t = Judge::Test->new(
    described => 0,
    prefix    => '/api/',
    workers   => 1,
    http      => <<'CONF',
log_format large '$uri $status $judge_request_detected $judge_detected';
access_log logs/large.log large;
judge_detect_expression EMPLOYEE "EMP-[0-9]{6}";
CONF
    server => <<"CONF",
proxy_http_version 1.1;
client_max_body_size 32m;
client_body_buffer_size 2m;
location /plain/  { $to }
location /block/  { $to judge_detect pii,EMPLOYEE; }
location /mask/   { $to judge_detect pii,EMPLOYEE action=mask; }
location /ask/    { $to judge_detect pii action=mask on=request restore=on; }
location /file/   { $to client_body_buffer_size 1k;
                    judge_detect pii,EMPLOYEE action=mask on=request; }
location /tag/    { $to judge_detect pii action=tag; }
location /slow/   { $to judge_detect pii,secrets,insults,orders,links
                    on=request max=32m; }
location /after/  { $to judge_detect pii,secrets,insults,orders,links
                    on=request max=32m; post_action /late; }
location = /late  { proxy_pass http://127.0.0.1:$upstream/late; }
location /alone/  { $to judge_detect language languages=en on=request; }
CONF
);
asks($t);

my $mail  = 'jo.doe@mail.example.org';
my $prose = 'The committee met on Monday and agreed on a plan. ' x 2000;
my @type  = ('Content-Type' => 'text/plain');

sub says { (headers => [ @type, @_[1 .. $#_] ], body => $_[0]) }

# --- The same as of small ones -----------------------------------------------

for my $way (qw(mask file)) {
    my $r = ask(POST => "/$way/echo", says("To $mail, EMP-123456. $prose"));
    is($r->status, 200, "a large request passes where $way masks it");
    is($r->body, "|To [EMAIL_1], [EMPLOYEE_1]. $prose",
       "a large request is masked where $way masks it");
}

is(ask(POST => '/ask/echo', says("To $mail. $prose"))->body,
   "|To $mail. $prose", 'texts are put back into a large answer');
is(ask(POST => '/block/echo', says("$prose$mail"))->status, 403,
   'a large request is blocked');
is(ask(POST => '/block/echo', says($prose))->body, "|$prose",
   'a large request without anything to find passes');
is(ask(POST => '/mask/echo', says(Compress::Zlib::memGzip("$prose$mail"),
                                  'Content-Encoding' => 'gzip'))->body,
   "|$prose\[EMAIL_1]", 'a large request is masked when it is inflated');

my @many = map { { content => "To $mail, EMP-123456." } } 1 .. 2000;
like(ask(POST => '/mask/echo', json => { messages => \@many })->body,
     qr/^\|\{"messages":\[(?:\{"content":"To\ \[EMAIL_1\],
        \ \[EMPLOYEE_1\]\."\},?){2000}\]\}$/x,
     'each string of a large request of JSON is masked');
is(ask(POST => '/block/echo', says("$prose\xff"))->status, 403,
   "a large request that can't be read is blocked");
is(ask(POST => '/tag/echo', says("$prose$mail"))->body, "|$prose$mail",
   'what is only tagged passes');
is(ask(POST => '/alone/echo', says($prose))->status, 200,
   'a large request in an allowed language passes');
$t->wait_until(sub {
    (Judge::Nginx::read_file($t->dir . '/logs/large.log') // '')
        =~ m{^/tag/echo 200 pii=1 pii=1$}m
}, 'what was tagged is in the log');

# --- The event loop does not look -------------------------------------------

my ($loop, $all) = ($t->ticks(1), $t->ticks(0));
is(ask(POST => '/slow/none', says($prose x 10 . $mail))->status, 403,
   'each of many large requests is blocked') for 1 .. 40;
$loop = $t->ticks(1) - $loop;
$all  = $t->ticks(0) - $all;
cmp_ok($loop, '<', $all / 2, "of $all ticks $loop are of the event loop");

# --- Who leaves --------------------------------------------------------------

for my $n (1 .. 36) {
    my $client = $t->connect;
    $client->send(sends(POST => '/' . qw(slow mask ask tag)[$n % 4] . '/echo',
                        says(($prose x ($n % 4 ? 1 : 20)) . $mail)));
    ask(GET => '/plain/text', text => 'x') if $n % 2;
    $n % 3 ? $client->reset : $client->close;
}
is(ask(POST => '/mask/echo', says("$prose$mail"))->body,
   "|$prose\[EMAIL_1]", 'a large request is masked when others have left');

sub waits { ask(GET => '/plain/waits')->body }

# A post_action takes the place of a request whose client leaves.
for (1 .. 4) {
    my $client = $t->connect;
    $client->send(sends(POST => '/after/echo', says($prose x 20)));
    waits();
    $client->close;
}
$t->wait_until(sub { waits() >= 4 }, 'what is to be done afterwards');
ask(POST => '/slow/none', says($prose x 60));
is(waits(), 4, 'what is to be done afterwards is done once');
ask(GET => '/plain/go');

my $reused = $t->connect;
for (1 .. 3) {
    $reused->send(sends(POST => '/mask/echo', says("$prose$mail"),
                        keepalive => 1));
    is($reused->response(method => 'POST')->body, "|$prose\[EMAIL_1]",
       'a large request is masked again on one connection');
    $reused->send(sends(POST => '/tag/echo', says("$prose$mail"),
                        keepalive => 1));
    is($reused->response(method => 'POST')->body, "|$prose$mail",
       'a large request is tagged again on one connection');
}
$reused->close;

# --- A worker that is to end waits -------------------------------------------

my @last = map { $t->connect } 1 .. 3;
$_->send(sends(POST => '/slow/none', says($prose x 100))) for @last;
is(ask(GET => '/plain/text', text => 'x')->status, 200,
   'others are served while large requests are looked at');
$t->quit;
ok($_->response(method => 'POST'), 'what is being looked at is answered')
    for @last;
unlike($t->log_text, qr/\[alert\]/, 'nothing is left open when a worker ends');

done_testing;
