# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What a guard did not read does not pass: each row once was a way around it.
# Everything here has the word that the judge does not want, where another
# reader would find it.

use Judge::Test;
use Judge::Traffic;

my $upstream = upstream();
my $to       = "proxy_pass http://127.0.0.1:$upstream/;";
my $guard    = "judge_traffic $JUDGED mode=guard min=50";
my $asks     = "judge_request $JUDGED min=50";

my $t = Judge::Test->new(
    described => 0,
    prefix    => '/api/',
    server    => <<"CONF",
proxy_http_version 1.1;
location /guard/  { $to $guard; }
location /window/ { $to $guard stream=window window=16; }
location /pass/   { $to $guard on_error=pass; }
location /named/  { $to $guard pass_types=image/*,text/css; }
location /socket/ { $to $guard; proxy_set_header Connection upgrade;
                    proxy_set_header Upgrade x; }
location /watch/  { $to judge_traffic $JUDGED; }
location /asked/  { $to $asks; }
location /field/  { $to $asks field=text; }
location /images/ { $to $asks pass_types=image/png; }
location /path/   { $to $asks format=\$.q[0].a; }
location /answer/ { $to $guard format=\$.a; }
location /own/    { $guard; return 404 "nothing here"; }
location /away/   { proxy_pass http://127.0.0.1:\@PORT1\@/; $guard; }
location /page/   { $to $guard; error_page 422 /page.txt; }
location = /page.txt { root \@DIR\@; $guard; }
CONF
);

$t->write('page.txt', 'Not like this.');
my $judge = $t->new_judge(criteria => [
    { name => 'No offers', description => 'Nothing is sold.', checks => [
        { type => 'not_contains', value => 'casino' } ] } ]);
asks($t, judge => $judge);

sub is_refused {
    my ($r, $what, $name) = @_;
    is($r->status, 422, "$name does not pass");
    unlike($r->body, qr/casino/, "nothing of $name is sent");
    like($r->detail, $what ? qr/could not be judged: $what$/
                           : qr/judged to be below/,
         "the refusal of $name says why");
}

# --- Types of answers --------------------------------------------------------

my $type = 'Content-Type:';

subtest 'a type that readers take otherwise is refused' => sub {
    for (
        [ 'malformed', "$type text/plain\r\n$type image/png\r\n" ],
        [ 'malformed', "$type image/png\r\n$type text/plain\r\n" ],
        [ 'malformed', "$type image/png, text/html\r\n" ],
        [ 'malformed', "$type text/html, image/png\r\n" ],
        [ 'malformed', "$type image/png text/html\r\n" ],
        [ 'malformed', "$type text/html; charset=utf-8; charset=utf-7\r\n" ],
        [ 'malformed', "$type text/html; charset='utf-7'\r\n" ],
        [ 'malformed', "$type text/html; charset=\"utf-\\7\"\r\n" ],
        [ 'malformed', "$type text\r\n" ],
        [ 'type', "$type multipart/mixed; boundary=x\r\n" ],
        [ 'type', "$type image/png\r\n" ],
        [ 'type', "$type application/xjson\r\n" ],
        [ 'type', '' ],
        [ 'unsupported_charset', "$type text/html; charset=utf-7\r\n" ],
        [ 'unsupported_charset', "$type text/html; charset=iso-2022-jp\r\n" ],
        [ 'unsupported_charset',
          "$type application/json; charset=utf-16\r\n" ],
    ) {
        my ($reason, $head) = @$_;
        my $name = $head =~ s/\r\n/ /gr || 'no type ';
        my $seen = count($reason);

        is_refused(ask(GET => '/guard/raw', raw($head, 'casino')), $reason,
                   $name);
        is(ask(GET => '/watch/raw', raw($head, 'casino'))->body, 'casino',
           "$name passes where it is only observed");
        is(count($reason), $seen + 2, "$name is counted as $reason");
    }
};

is_refused(ask(GET => '/guard/raw', raw("$type text/plain\r\n",
           "casino\nx\0" . "y\0" x 40)), 'binary',
           'zero bytes, by which text is taken for UTF-16,');

for ("text/html;", "TEXT/HTML ; Charset = none",
     'text/html; charset="UTF-8"; q=1')
{
    my $r = ask(GET => '/guard/raw', raw("$type $_\r\n", 'casino'));
    /none/ ? is_refused($r, 'malformed', $_) : is_refused($r, '', $_);
}

for ([ 'image/png' ], [ 'text/css' ], [ 'Image/X; a=b' ],
     [ 'text/html', '' ], [ 'application/pdf', 'type' ],
     [ 'image', 'malformed' ], [ 'image/png, text/html', 'malformed' ])
{
    my ($name, $reason) = @$_;
    my $r = ask(GET => '/named/raw', raw("$type $name\r\n", 'casino'));
    defined $reason ? is_refused($r, $reason, "$name")
                    : is($r->body, 'casino', "$name is named, and passes");
}

# --- Statuses ----------------------------------------------------------------

for my $status (301, 404, 429, 500) {
    my $r = ask(GET => "/guard/status/$status", text => 'casino');
    is($r->status, $status, "the status $status stays");
    is($r->detail, 'the answer could not be judged: status',
       "the body of status $status does not pass");
    is($r->header('Content-Type'), 'application/json',
       "the refusal in place of status $status is JSON");
    is(ask(GET => "/pass/status/$status", text => 'casino')->body, 'casino',
       "the body of status $status passes with on_error=pass");
}

is(ask(GET => '/own/x')->body, 'nothing here',
   'a page of nginx itself passes');
my $away = ask(GET => '/away/x');
is($away->status, 502, 'a server behind that is away is answered 502');
like($away->body, qr/<center>nginx/,
     'a server behind that is away has a page of nginx');
my $page = ask(GET => '/page/text', text => 'casino');
is($page->body, 'Not like this.', 'a page passes in place of what is refused');
like($page->header('Judge-Score') . ' ' . $page->header('Judge-Blocked'),
     qr/^0 blk_\w+$/,
     'a page that is guarded itself has the headers of the refusal once');
is(ask(HEAD => '/guard/text')->status, 200, 'a HEAD without a body passes');
is(ask(GET => '/guard/none')->status, 204, 'a 204 without a body passes');
is(ask(GET => '/guard/empty')->status, 200, 'an empty answer passes');
is(ask(GET => '/guard/raw', raw("$type text/plain\r\nTransfer-Encoding:"
       . " chunked\r\n", "0\r\n\r\n"))->status, 200,
   'an answer of no chunks passes');
is_refused(ask(GET => '/socket/raw', raw("Connection: upgrade\r\nUpgrade: x"
               . "\r\n", 'casino', '101 Switching Protocols')), 'status',
           'another protocol');
is_refused(ask(GET => '/guard/text', judge => ''), 'no_judge',
           'what names no judge');

# --- Streams: what a strict reader can't parse, and what is text -------------

sub event { "data: $_[0]\n\n" }
sub delta { event('{"choices":[{"index":0,"delta":{' . $_[0] . '}}]}') }

my $hello = delta('"content":"Hello, this is long enough"');
my $done  = event('[DONE]');
my $bad   = delta('"content":"casino"');

subtest 'a stream that no strict reader can parse is refused' => sub {
    for (
        [ 'equal keys', $hello . delta('"content":"x","content":"casino"')
                        . $done ],
        [ 'a lone surrogate', $hello . delta('"content":"casino \ud800"')
                              . $done ],
        [ 'CR', $hello . ($bad =~ s/\n/\r/gr) . "\n\n$done" ],
        [ 'CR within', $hello . ": x\r$bad$done" ],
        [ 'a mark', "\xEF\xBB\xBF$bad$hello$done" ],
        [ 'a zero byte', "$hello: \0\n$bad$done" ],
        [ 'another provider', $hello . event('{"type":"content_block_delta",'
          . '"delta":{"type":"text_delta","text":"casino"}}') . $done ],
        [ 'nobody\'s event', $hello . event('{"answer":"casino"}') . $done ],
        [ 'no JSON', $hello . event('casino') . $done ],
        [ 'no object', $hello . event('["casino"]') . $done ],
        [ 'another field', $hello . ($bad =~ s/data/data /r) . $done ],
        [ 'after the end', "$hello$done$bad" ],
        [ 'Choices', $hello . event('{"choices":[],"Choices":[{"index":0,'
          . '"delta":{"content":"casino"}}]}') . $done ],
    ) {
        my ($name, $body) = @$_;
        my @raw  = raw("$type text/event-stream\r\n", $body);
        my $seen = count('malformed');

        is_refused(ask(GET => "/$_/raw", @raw), 'malformed', "$_: $name")
            for qw(guard window);
        is(ask(GET => '/watch/raw', @raw)->body, $body,
           "a stream with $name passes where it is only observed");

        # What is refused counts at once; what is observed, when a thread took
        # it.
        $t->wait_until(sub { count('malformed') >= $seen + 2 },
                       'the count of the stream');
    }
};

my $unfinished = "$hello$done" . substr $bad, 0, -1;
my @unfinished = raw("$type text/event-stream\r\n", $unfinished);
is_refused(ask(GET => '/guard/raw', @unfinished), 'malformed',
           'a last event without its end');
my $last = ask(GET => '/window/raw', @unfinished)->body;
like($last, qr/Hello.*not_judged.*malformed|malformed.*not_judged/s,
     'a window ends with an error at an event without its end');
unlike($last, qr/casino/, 'a window does not pass an event without its end');

subtest 'every text of a stream is judged' => sub {
    for (
        [ 'another choice', $hello . event('{"choices":[{"index":1,"delta":'
          . '{"content":"casino"}}]}') . $done ],
        [ 'choices by turns', $hello . join('', map { my $piece = $_; map {
              event('{"choices":[{"index":' . $_ . ',"delta":{"content":"'
                    . "$piece\"}}]}") } 1, 2 } qw(cas in o)) . $done ],
        [ 'thoughts', $hello . delta('"reasoning_content":"casino"') . $done ],
        [ 'a refusal', $hello . delta('"refusal":"casino"') . $done ],
        [ 'arguments', $hello . delta('"tool_calls":[{"index":0,"function":'
          . '{"arguments":"casino"}}]') . $done ],
        [ 'Anthropic\'s thoughts', map { join '', map { event($_) } @$_ } [
          '{"type":"content_block_delta","index":0,"delta":'
          . '{"type":"thinking_delta","thinking":"casino"}}',
          '{"type":"content_block_delta","index":1,"delta":'
          . '{"type":"input_json_delta","partial_json":"{}"}}',
          '{"type":"message_stop"}' ] ],
        [ 'OpenAI\'s thoughts', map { join '', map { event($_) } @$_ } [
          '{"type":"response.reasoning_summary_text.delta","delta":"casino"}',
          '{"type":"response.output_text.delta","delta":"Hello"}',
          '{"type":"response.completed"}' ] ],
        [ 'another text in the end', map { join '', map { event($_) } @$_ } [
          '{"type":"response.output_text.delta","delta":"Hello"}',
          '{"type":"response.completed","response":{"output":[{"type":'
          . '"message","content":[{"type":"output_text",'
          . '"text":"casino"}]}]}}' ] ],
        [ 'Google',
          event('{"candidates":[{"content":{"parts":[{"text":"casino",'
                . '"thought":true}]}}]}') ],
    ) {
        my ($name, $body) = @$_;
        my @raw = raw("$type text/event-stream\r\n", $body);

        is_refused(ask(GET => '/guard/raw', @raw), '', $name);
        unlike(ask(GET => '/window/raw', @raw)->body, qr/"casino/,
               "a window does not pass $name");
    }
};

subtest 'every text of an answer is judged' => sub {
    for (
        [ '', 'choices', '{"message":{"content":"Hello"}},'
          . '{"index":1,"message":{"content":"casino"}}' ],
        [ '', 'choices',
          '{"message":{"content":"Hello","refusal":"casino"}}' ],
        [ '', 'choices',
          '{"message":{"content":"Hello","reasoning":"casino"}}' ],
        [ '', 'choices', '{"message":{"content":"","tool_calls":[{"function":'
          . '{"name":"f","arguments":"casino"}}]}}' ],
        [ '', 'output', '{"type":"reasoning","summary":[{"text":"casino"}]}' ],
        [ '', 'output', '{"type":"message","content":[{"type":"refusal",'
          . '"refusal":"casino"}]}' ],
        [ '', 'output', '{"type":"function_call","arguments":"casino"}' ],
        [ '', 'content', '{"type":"thinking","thinking":"casino"},'
          . '{"type":"text","text":"Hello"}' ],
        [ '', 'content', '{"type":"tool_use","input":{"type":"casino"}}' ],
        [ '', 'content', '{"type":"tool_use","input":{"casino":1}}' ],
        [ '', 'candidates', '{"content":{"parts":[{"functionCall":{"args":'
          . '{"a":"casino"}}}]}}' ],
        [ 'malformed', 'output', '{"content":[]}],"choices":[{"message":'
          . '{"content":"casino"}}' ],
        [ 'malformed', 'choices', '{"message":{"content":"Hello"}}],"Choices":'
          . '[{"message":{"content":"casino"}}' ],
        [ 'no_text', 'answers', '"casino"' ],
    ) {
        my ($reason, $name, $parts) = @$_;
        is_refused(ask(GET => '/guard/raw', raw("$type application/json\r\n",
                   "{\"$name\":[$parts]}")), $reason, $parts);
    }
};

# --- Types of requests -------------------------------------------------------

sub typed { headers => [ map +('Content-Type' => $_), @_[1 .. $#_] ],
            body => $_[0] }

my $form = 'application/x-www-form-urlencoded';
my $part = "--x\r\nContent-Disposition: form-data; name=text\r\n\r\ncasino"
         . "\r\n--x--\r\n";

subtest 'a request of a type that is not clear is refused' => sub {
    for (
        [ 'type', body => 'text=casino' ],
        [ 'type', typed('text=casino', '') ],
        [ 'type', typed('text=casino', 'application/octet-stream') ],
        [ 'type', typed('text=casino', 'text/event-stream') ],
        [ 'malformed', typed('text=casino', 'image/png', $form) ],
        [ 'malformed', typed('text=casino', $form, 'image/png') ],
        [ 'malformed', typed('text=casino', "$form, image/png") ],
        [ 'malformed', typed($part, 'multipart/form-data, x; boundary=x') ],
        [ 'unsupported_charset',
          typed('text=casino', "$form; charset=utf-7") ],
        [ 'binary',
          typed('text=casino&text=c%00a%00s%00i%00n%00o%00', $form) ],
        [ 'unsupported_charset', typed('text=%FF%FEx&text=casino', $form) ],
        [ 'malformed', typed('text=a&text=%FF%FEcasino', $form) ],
        [ 'malformed', typed("\xE9casino", 'text/plain') ],
    ) {
        my ($reason, @ask) = @$_;
        my $name = ref $ask[1] ? $ask[1][1] : 'no type';
        is_refused(ask(POST => "/$_/echo", @ask), $reason, "$_: $name")
            for qw(asked field);
    }
};

is(ask(POST => '/images/echo', typed('casino', 'image/png'))->body, '|casino',
   'a type of pass_types passes');
is(ask(POST => '/asked/echo', headers => [ 'Content-Type' => 'text/plain',
       'Transfer-Encoding' => 'chunked' ], body => "0\r\n\r\n")->status, 200,
   'a request of no chunks passes as one without a body');

# --- What a request to a model has beside the text ---------------------------

sub part { { type => $_[0], @_[1 .. $#_] } }

my $hi    = part(text => text => 'Hello');
my $image = part(image_url => image_url => { url => 'data:casino' });
my %data  = (mimeType => 'image/png', data => 'casino');

subtest 'what a message has beside its text is refused' => sub {
    for (
        [ 'malformed', { content => 'Hello', Content => 'casino' } ],
        [ 'malformed', { content => 'casino', Role => 'assistant' } ],
        [ 'malformed',
          { content => 'Hello', parts => [ { text => 'casino' } ] } ],
        [ 'malformed', [ { %$hi, Text => 'casino' } ] ],
        [ 'type', [ $hi, $image ] ],
        [ 'type', [ { %$image, text => 'Hello' } ] ],
        [ 'type', [ $hi, part(document => source => { type => 'text',
                    media_type => 'text/plain', data => 'casino' }) ] ],
        [ 'type', [ $hi, { text => 'Hello', inlineData => \%data } ] ],
        [ 'type', [ part(tool_result => content => [ $hi, $image ]) ] ],
        [ '', [ part(tool_result => content => 'casino') ] ],
        [ '',
          [ part(tool_result => content => [ part(text => text => 'casino') ])
              ] ],
        [ '', [ { functionResponse => { response => { a => 'casino' } } } ] ],
        [ '', [ part(text => text => 'casino'),
                { %$hi, role => 'user', content => 'Hello' } ] ],
    ) {
        my ($reason, $said) = @$_;
        my $message = { role => 'user',
                        ref $said eq 'HASH' ? %$said : (content => $said) };

        is_refused(ask(POST => '/asked/echo',
                       json => { messages => [ $message ] }), $reason,
                   JSON::PP->new->canonical->encode($message));
    }
};

for my $message ({ content => [ $hi, part(image_url => image_url => {}) ] },
                 { content => [ $hi, part(image => source => {
                   media_type => 'image/png', data => 'x' }) ] },
                 { content => [ part(tool_result => content => [ $hi ]) ] })
{
    my $named = ask(POST => '/images/echo',
                    json => { messages => [ { role => 'user', %$message } ] });
    is($named->status, $message->{content}[1]
                       && $message->{content}[1]{type} eq 'image_url' ? 422
                                                                      : 200,
       'of parts that are no text those pass that are said to be of a type in'
       . ' pass_types');
}

for (
    [ '', { parts => [ { text => 'casino' } ] } ],
    [ 'type', { parts => [ { text => 'Hello' }, { inlineData => \%data } ] } ],
    [ 'malformed', { text => 'casino' } ],
) {
    my ($reason, $content) = @$_;
    is_refused(ask(POST => '/asked/echo',
                   json => { contents => [ $content ] }), $reason,
               'Google\'s ' . join ' ', %$content);
}
is(ask(POST => '/asked/echo', json => { contents => [ { parts => [
       { text => 'Hello' } ] } ] })->status, 200,
   'what a user of Google says passes without a role');

is(ask(POST => '/path/echo', json => { q => [ { a => 'Hello' } ] })->status,
   200, 'what lies at a path of one\'s own passes');
is_refused(ask(POST => '/path/echo', json => $_), 'malformed',
           'what other readers may find at a path of one\'s own')
    for { q => [ { a => 'Hello', A => 'casino' } ] },
        { q => [ { a => 'Hello' } ], Q => [ { a => 'casino' } ] };
is_refused(ask(GET => '/answer/raw', raw("$type $_->[0]\r\n", $_->[1])),
           'malformed', "$_->[0] with a name in capitals at the path")
    for [ 'application/json', '{"a":"Hello","A":"casino"}' ],
        [ 'text/event-stream', event('{"a":"Hello","A":"casino"}') ];

is_refused(ask(POST => '/asked/echo', typed($_->[1], $_->[2])), $_->[0],
           "a form that names its charset in $_->[2]")
    for [ 'malformed', '_charset_=utf-7&a=casino', $form ],
        [ 'unsupported_charset', "--x\r\nContent-Disposition: form-data;"
          . " name=\"_charset_\"\r\n\r\nIBM037\r\n$part",
          'multipart/form-data; boundary=x' ];
is(ask(POST => '/asked/echo', typed('_charset_=UTF-8&a=b', $form))->status,
   200, 'a form that names UTF-8 passes');

is(ask(GET => '/guard/raw', raw("$type text/event-stream\r\n",
       event('{"candidates":[{"content":{"parts":[{"text":"Hello"}]}}]}')
       . event('{"usageMetadata":{"totalTokenCount":3}}')))->status, 200,
   'the last event of Google may count tokens and have no text');

# --- The configuration -------------------------------------------------------

for (
    [ 'judge_traffic', 'mode=guard min=5 sample=1%',
      qr/expected no sample=/ ],
    [ 'judge_request',
      'min=5 sample=$x', qr/no parameter "sample"; there are/ ],
    [ 'judge_request', 'min=5 pass_types=image',
      qr{expected types such as image/\*,application/pdf} ],
    [ 'judge_request', 'min=5 pass_types=', qr/expected types such as/ ],
) {
    my ($name, $args, $sentence) = @$_;
    my (undef, $out) = Judge::Nginx->check_conf(server =>
        'set $x 1%; location /x {' . " $name judge=jdg_x"
        . " organization=org_y $args; }");
    like($out, $sentence, "a sentence says what is wrong with $name $args");
}

done_testing;
