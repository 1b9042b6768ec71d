# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judge_traffic mode=guard stream=window|end: streams of events are judged
# while they pass.

use Judge::Test;
use Judge::Traffic;

my $upstream = upstream();
my $guard    = "proxy_buffering off; judge_traffic $JUDGED mode=guard min=50"
             . ' on_error=pass';
my $strict   = $guard =~ s/pass$/block/r;
my $crowd    = $strict =~ s/min=50/min=0/r;
my $to       = "proxy_pass http://127.0.0.1:$upstream/;";

my $t = Judge::Test->new(
    described => 0,
    prefix    => '/api/',
    http      => <<'CONF',
log_format streams '$uri $status $judge_score $judge_passed';
access_log logs/streams.log streams;
CONF
    server => <<"CONF",
proxy_http_version 1.1;
location /plain/    { $to proxy_buffering off; }
location /window/   { $to $guard stream=window window=64 delay=60s; }
location /told/     { $to $guard stream=window window=64 delay=60s
                      "message=Ask us."; }
location /end/      { $to $guard stream=end window=64 delay=60s; }
location /buffered/ { $to judge_traffic $JUDGED mode=guard min=50
                      on_error=pass stream=window window=64 delay=60s; }
location /old/      { $to proxy_http_version 1.0; judge_traffic $JUDGED
                      mode=guard min=50 on_error=pass stream=window window=64
                      delay=60s; }
location /soon/     { $to $guard stream=window window=4k delay=20ms; }
location /never/    { $to $strict stream=window window=4k delay=2s; }
location /small/    { $to $guard stream=window window=64 delay=60s max=1k; }
location /block/    { $to $strict stream=window window=64 delay=60s max=1k; }
location /crowd/    { $to $crowd stream=window window=64 delay=60s max=1k; }
location /fallback/ { $to $guard stream=window window=64 delay=60s;
                      error_page 422 = \@other; }
location /later/    { $to $guard stream=window window=64 delay=2s;
                      error_page 422 = \@later; }
location \@later     { rewrite ^.*\$ /late break;
                      proxy_set_header X-Text "A later plan.";
                      proxy_pass http://127.0.0.1:$upstream; }
location \@other     { rewrite ^.*\$ /text break;
                      proxy_set_header X-Text "Another plan.";
                      proxy_pass http://127.0.0.1:$upstream; }
CONF
);

my $judge = $t->new_judge(criteria => [
    { name => 'Secret', description => 'It is kept.', checks => [
        { type => 'not_contains', value => 'xylophone' } ] } ]);
asks($t, judge => $judge);

my $fine = join ' ', ('The committee met and agreed.') x 12;
my $late = "$fine The xylophone is the word. $fine";

# The texts of the events, and the last event.

sub heard {
    my ($body) = @_;
    my @data = map { eval { JSON::PP::decode_json($_) } // $_ }
               map { /^data: (.*)$/m ? $1 : () } split /\n\n/, $body;
    my $text = join '', map {
        ref ne 'HASH'  ? ''
        : $_->{choices} ? $_->{choices}[0]{delta}{content}
        : ref $_->{delta} ? $_->{delta}{text} // '' : $_->{delta} // ''
    } @data;
    return ($text, $data[-1]);
}

# --- What passes is not changed ---------------------------------------------

for my $kind (qw(chat responses messages)) {
    my $plain = ask(GET => "/plain/$kind/stream", text => $fine)->body;

    for my $way (qw(window end buffered)) {
        my $r = ask(GET => "/$way/$kind/stream", text => $fine);
        is($r->status, 200, "$way passes a stream of $kind that is well");
        is($r->body, $plain, "$way passes a stream of $kind byte by byte");
    }
}

is(ask(GET => '/window/chat/stream', text => 'Short.')->status, 200,
   'a stream that is shorter than a window passes');

# --- What falls --------------------------------------------------------------

my %ends = (
    chat => sub {
        is($_[0]{error}{code}, 'judged_below_minimum',
           'a chat ends with an error as of OpenAI');
        return $_[0]{error}{message};
    },
    responses => sub {
        is_deeply([ @{ $_[0] }{qw(type code)} ],
                  [ 'error', 'judged_below_minimum' ],
                  'a stream of responses ends with an error as of OpenAI');
        ok($_[0]{sequence_number} > 0,
           'the error of a stream of responses has its number');
        return $_[0]{message};
    },
    messages => sub {
        is_deeply([ $_[0]{type}, $_[0]{error}{type} ],
                  [ 'error', 'api_error' ],
                  'a stream of messages ends with an error as of Anthropic');
        return $_[0]{error}{message};
    },
);

for my $kind (sort keys %ends) {
    my $plain = ask(GET => "/plain/$kind/stream", text => $late)->body;

    for my $way (qw(window end)) {
        my $r = ask(GET => "/$way/$kind/stream", text => $late);
        my ($text, $last) = heard($r->body);
        my ($passed, $event) = $r->body =~ /^(.*\n\n)((?:.+\n)+\n)\z/s;

        is($r->status, 200, "$way has begun to pass a stream of $kind");
        is(substr($plain, 0, length $passed), $passed,
           "$way passes the beginning of a stream of $kind as it is");
        like($event, $kind eq 'chat' ? qr/^data: / : qr/^event: error\ndata: /,
             "$way ends a stream of $kind with an event of an error");
        like($ends{$kind}->($last),
             qr/^the answer was judged to be below .* \d+ of 100 \(evl_\w+\)$/,
             "the error that ends a stream of $kind says why");
        like($text, qr/^The committee met/,
             "$way passes the first window of a stream of $kind");
        unlike($text, qr/xylophone/,
               "$way does not pass the window of $kind that is bad")
            if $way eq 'window';

        my ($id) = $event =~ /(evl_\w+)/;
        my $e = $t->evaluated($id);
        ok($e->{overall_score} < 50,
           "the evaluation of the stream of $kind is stored");
        my $said = $t->get("/content/$e->{content_id}")->json->{text_content};
        like($said, qr/xylophone/,
             "the evaluation of $kind has the text up to its end");
    }
}

my $told = (heard(ask(GET => '/told/chat/stream', text => $late)->body))[1];
is_deeply([ @{ $told->{error} }{qw(code message)} ],
          [ 'judged_below_minimum', 'Ask us.' ],
          'message= takes the place of the score in the error of a stream');

# A client is served on; the server behind is left.

my $client = $t->connect;
my $before = ask(GET => '/plain/left')->body;
for (1 .. 2) {
    $client->send(sends(GET => '/end/chat/stream', text => "$late wait $fine",
                        keepalive => 1));
    my $r = $client->response(method => 'GET');
    like($r->body, qr/judged_below_minimum/,
         'a client reads an ended stream again on one connection');
}
$client->close;
$client = $t->connect;
$client->send(sends(GET => '/window/chat/stream', text =>
    "$fine The xylophone is the word and more is to come after it, much"
    . " more than was to be expected. wait $fine"));
$client->read_until(qr/judged_below_minimum/);
$t->wait_until(sub { ask(GET => '/plain/left')->body >= $before + 3 },
               'the server to be left each time');
$client->close;

my $bad = "The xylophone is the word. $fine";
for my $way (qw(window fallback buffered)) {
    my $r = ask(GET => "/$way/chat/stream", text => $bad);
    is($r->status, $way eq 'fallback' ? 200 : 422,
       "$way answers a stream that is bad from the beginning");
    $way eq 'fallback'
        ? is($r->body, "Another plan.\n", 'error_page answers for a stream')
        : like($r->detail, qr/^the answer was judged/,
               "the refusal of a stream says why where $way refuses it");
}

$client = $t->connect;
$client->send(sends(GET => '/later/chat/stream', text => 'A xylophone.',
                    keepalive => 1));
ok(!$client->read_until(qr/./, 3), 'nothing of a refused stream follows');
$t->wait_until(sub {
    ask(GET => '/plain/go');
    return $client->read_until(qr/A later plan\.\n/, 0.1);
}, 'what is in its place');
$client->send(sends(GET => '/plain/text', text => 'The next.'));
is($client->response(method => 'GET')->body, "The next.\n",
   'the next request on the connection is answered');
$client->close;

$client = $t->connect;
$client->send(sends(GET => '/end/chat/stream', text => 'A xylophone. wait x'));
like($client->read_until(qr/"wait "/), qr{^HTTP/1\.1 200 },
     'stream=end passes the beginning before the end is there');
ask(GET => '/plain/go');
ok($client->read_until(qr/judged_below_minimum/),
   'stream=end judges a stream whose beginning has passed');
$client->close;

# --- What waits, and what can't be judged ------------------------------------

$client = $t->connect;
$client->send(sends(GET => '/soon/chat/stream',
                    text => 'One two wait three four.'));
ok($client->read_until(qr/"wait "/),
   'what is too short for a window passes after the delay');
ask(GET => '/plain/go');
ok($client->read_until(qr/\[DONE\]/),
   'the rest of a stream passes behind its beginning');

# What is complete passes while the next is being made, with proxy_buffering,
# too, and where only the end of the connection ends the answer.

my $short = join ' ', ('The committee met and agreed.') x 4;
for my $way (qw(window buffered old)) {
    $client = $t->connect;
    $client->send(sends(GET => "/$way/chat/stream",
                        text => "$short wait $fine"));
    ok($client->read_until(qr/committee/, 40),
       "$way: the first window passes before the rest is there");
    $t->wait_until(sub {
        ask(GET => '/plain/go');
        return $client->read_until(qr/\[DONE\]/, 0.1);
    }, 'the rest');
    $client->close;
}

$client = $t->connect;
$client->send(sends(GET => '/never/chat/stream',
                    text => 'One two wait three four.'));
ok(!$client->read_until(qr/"wait "/, 3),
   'on_error=block passes nothing after the delay');
$t->comes_true(sub {
    ask(GET => '/plain/go');
    return $client->read_until(qr/\[DONE\]/, 0.1);
}, 'a client gets the stream to its end');

my $long = join ' ', ('The committee met and agreed.') x 60;
is(ask(GET => '/small/chat/stream', text => $long)->body,
   ask(GET => '/plain/chat/stream', text => $long)->body,
   'a stream that becomes too large passes from there on');
my (undef, $last) = heard(ask(GET => '/block/chat/stream', text => $long)
                          ->body);
is($last->{error}{message}, 'the answer could not be judged: too_large',
   'on_error=block ends a stream that becomes too large');
is($last->{error}{code}, 'not_judged',
   "a stream that can't be judged ends with a code of its own");

# So does each of many, some of which a verdict on what came before is just
# ready for.

my $measured = $t->new_judge;
my $lines    = join ' ', map { 'The-committee-met-and-agreed-' x 3 . $_ }
                         1 .. 30;
my $passed   = 0;
for (1 .. 5) {
    my @clients = map { $t->connect } 1 .. 40;
    $_->send(sends(GET => '/crowd/chat/stream', text => $lines,
                   judge => $measured)) for @clients;
    $passed += grep { $_->response(method => 'GET')->body =~ /DONE/ } @clients;
    $_->close for @clients;
}
is($passed, 0, 'no stream that becomes too large passes among many');

unlike(ask(GET => '/window/cut-stream', text => $fine)->body // '',
       qr/DONE|error/, 'a stream that breaks off does so for the client, too');

my $none = count('no_judge');
is(ask(GET => '/window/chat/stream', text => $fine, judge => 'jdg_none')
   ->status, 200, 'a stream without a judge passes with on_error=pass');
is(ask(GET => '/block/chat/stream', text => $fine, judge => 'jdg_none')
   ->status, 422, 'a stream without a judge is refused with on_error=block');
$t->wait_until(sub { count('no_judge') > $none + 1 }, 'the counts');
is(count('no_judge'), $none + 2, 'a stream without a judge counts once');

# --- Who leaves --------------------------------------------------------------

for my $way (qw(window end soon) x 6) {
    $client = $t->connect;
    $client->send(sends(GET => "/$way/chat/stream", text => $late));
    $client->read_until(qr/data:/);
    $client->reset;
}
is(ask(GET => '/window/chat/stream', text => $fine)->status, 200,
   'a stream passes when other clients have left');

$t->wait_until(sub {
    (Judge::Nginx::read_file($t->dir . '/logs/streams.log') // '')
        =~ m{^/window/chat/stream 200 [\d.]+ 0$}m
}, 'the variables in the log');

for (
    [ 'mode=guard min=5 stream=now', qr/expected hold, window or end/ ],
    [ 'mode=guard min=5 window=1', qr/window=1: expected a size such as 512/ ],
    [ 'mode=guard min=5 delay=1ms', qr/delay=1ms: expected a time such as/ ],
    [ 'stream=end', qr/expected mode=guard with stream=/ ],
    [ 'message=x', qr/expected mode=guard with message=/ ],
    [ 'conversation=$uri request=off',
      qr/expected no request=off and no redact= with conversation=/ ],
    [ 'conversation=$uri redact=x', qr/expected no request=off and no red/ ],
    [ 'conversation=$.a[', qr/expected a path such as \$\.conversation/ ],
    [ 'conversation=', qr/expected an identifier, or a variable/ ],
    [ 'mode=guard min=5 message=', qr/expected a sentence/ ],
    [ 'mode=guard min=60 redact=a redact=b min=10',
      qr/judge_traffic: expected only one min= in/ ],
) {
    my ($args, $sentence) = @$_;
    my (undef, $out) = Judge::Nginx->check_conf(server =>
        "location /x { judge_traffic judge=jdg_x organization=org_y $args; }");
    like($out, $sentence, "a sentence says what is wrong with $args");
}

done_testing;
