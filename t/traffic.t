# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judge_traffic: what passes through nginx is judged, and the client never sees
# a difference.  Node.js and nginx answer behind it.

use IPC::Open2;

use Judge::Test;
use Judge::Docs;
use Judge::Traffic;

my $upstream = upstream();
my $judged   = $JUDGED;

my $t = Judge::Test->new(
    described => 0,
    store     => 'fleet=off',
    prefix    => '/api/',
    http      => <<"CONF",
log_format traffic '\$uri skipped=\$judge_skipped';
access_log logs/traffic.log traffic;
upstream node { server 127.0.0.1:$upstream; keepalive 4; }
server {
    listen 127.0.0.1:\@PORT1\@;
    root \@DIR\@;
    location / { gzip on; gzip_types text/plain; gzip_min_length 1; }
}
CONF
    server => <<"CONF",
proxy_http_version 1.1;
proxy_set_header Connection "";

location /plain/        { proxy_pass http://node/; }
location /judged/       { proxy_pass http://node/; judge_traffic $judged; }
location /unbuffered/   { proxy_pass http://node/; proxy_buffering off;
                          judge_traffic $judged format=openai-chat; }
location /scores/       { proxy_pass http://node/;
                          judge_traffic $judged store=scores; }
location /redacted/     { proxy_pass http://node/;
                          judge_traffic $judged "redact=[0-9]{4,}"; }
location /sampled/      { proxy_pass http://node/;
                          judge_traffic $judged sample=50%; }
location /small/        { proxy_pass http://node/;
                          judge_traffic $judged max=1k; }
location /limited/      { proxy_pass http://node/;
                          judge_traffic $judged rate=1/s; }
location /talk/         { proxy_pass http://node/;
                          judge_traffic $judged conversation=\$http_x_talk; }
location /thread/       { proxy_pass http://node/;
                          judge_traffic $judged conversation=\$.meta.thread; }
location /inner/        { internal; proxy_pass http://node/;
                          judge_traffic $judged; }
location /files-plain/  { alias \@DIR\@/files/; }
location /files/        { alias \@DIR\@/files/; judge_traffic $judged; }
location /zipped/       { alias \@DIR\@/files/; judge_traffic $judged;
                          gzip on; gzip_types text/plain; gzip_min_length 1; }
location /included/     { ssi on; ssi_types text/plain; alias \@DIR\@/files/;
                          judge_traffic $judged; }
location /nginx/        { proxy_pass http://127.0.0.1:\@PORT1\@/;
                          judge_traffic $judged; }
CONF
);

mkdir $t->dir . '/files';
my $sentence = 'The committee met on Monday and agreed on a plan.';
$t->write('files/a.txt', "$sentence\n" x 20);
$t->write('files/ssi.txt', qq{Before. <!--#include virtual="/plain/text" -->});

my $judge = $t->new_judge;
asks($t, judge => $judge);

# Asks, waits until it is counted; the evaluation and the content if it was
# judged.

sub passes {
    my ($reason, @ask) = @_;
    my $before = count($reason);
    my $r      = ask(@ask);

    $t->wait_until(sub { count($reason) == $before + 1 },
                   "$ask[1]: " . ($reason || 'judged'));
    return $r if $reason;

    my $e = $t->get('/evaluations?limit=1')->json->{evaluations}[0];
    my $c = $t->get("/content/$e->{content_id}")->json;
    return wantarray ? ($e, $c, $r) : $e;
}

# --- What is judged ---------------------------------------------------------

# --- Conversations ----------------------------------------------------------

my $talker = $t->new_judge(scope => 'each_answer', criteria => [
    { name => 'No offers', description => 'Nothing is sold.', checks => [
        { type => 'not_contains', value => 'casino' } ] } ]);
my @said = ({ role => 'user', content => 'Where to?' },
            { role => 'assistant', content => 'To the casino.' },
            { role => 'user', content => 'To the lake, then.' });

for my $kind (qw(chat messages)) {
    for my $way ('', '/stream') {
        my ($e, $c) = passes('', POST => "/talk/$kind$way", judge => $talker,
            headers => [ 'X-Talk' => "t-$kind" ],
            json => { messages => \@said, meta => { thread => 'other' } });

        is_deeply([ map { $_->{overall_score} } @{ $e->{turns} } ], [ 0, 100 ],
                  "$kind$way: each answer of the conversation is judged")
            or diag($t->get("/evaluations/$e->{id}")->body);
        is_deeply([ $c->{metadata}{conversation_id}, scalar
                    @{ $c->{messages} }, $c->{messages}[3]{role} ],
                  [ "t-$kind", 4, 'assistant' ],
            'the last turn of the conversation is the answer that passed');
        is($c->{metadata}{source}, undef,
           'a conversation has no question as its source');
    }
}

{
    my ($e, $c) = passes('', POST => '/thread/chat', judge => $talker,
        json => { messages => \@said, meta => { thread => 'x-7' } });
    is($c->{metadata}{conversation_id}, 'x-7',
       'a member of the request names the conversation');
    is(scalar @{ $e->{turns} }, 2,
       'each answer of a named conversation is judged');

    ($e, $c) = passes('', GET => '/thread/chat', judge => $talker,
                      text => $sentence);
    is_deeply([ $c->{text_content}, $c->{messages} ], [ $sentence, undef ],
              'an answer to no messages is judged alone');
    ($e, $c) = passes('', POST => '/talk/chat', judge => $talker, json => {
        messages => [ { role => 'nobody', content => $sentence } ] });
    is($c->{text_content}, $sentence,
       "an answer to messages that can't be read is judged alone");
    is($c->{metadata}{conversation_id}, undef,
       "messages that can't be read are no conversation");
}

# --- What is judged, answer by answer ----------------------------------------

my $long = join ' ', ($sentence) x 12;

for my $kind (qw(chat responses messages)) {
    for my $way ('', '/stream') {
        my ($e, $c, $r) = passes('', POST => "/judged/$kind$way", json => {
            messages => [ { role => 'user', content => $long } ] });

        is($e->{status}, 'completed', "$kind$way is judged");
        is($c->{text_content}, $long,
           "the text of the evaluation is what was said in $kind$way");
        is($c->{metadata}{source}, $long,
           "the source of the evaluation is the question of $kind$way");
        is($c->{metadata}{traffic}{path}, "/judged/$kind$way",
           "the evaluation has the path of $kind$way");
        is($e->{judge_id}, $judge,
           'the evaluation is by the judge of the location');
        ok($e->{overall_score} > 0, "the answer of $kind$way has a score");

        my $again = $t->evaluated($t->new_evaluation($judge, $c->{id}));
        is($again->{overall_score}, $e->{overall_score},
           "the service gives the text of $kind$way the same score");
    }
}

{
    my $asked = '{"messages":[{"role":"user","content":"Is it so?"}]}';
    my (undef, $c) = passes('', POST => '/judged/chat', headers => [
        'Content-Type' => 'application/json',
        'Transfer-Encoding' => 'chunked' ],
        body => sprintf "%x\r\n%s\r\n0\r\n\r\n", length $asked, $asked);
    is($c->{metadata}{source}, 'Is it so?',
       'a question that comes in chunks is a source');
}

for my $path (qw(/judged/gzip /judged/deflate /judged/br /judged/text
                 /nginx/files/a.txt /unbuffered/chat/stream /unbuffered/text
                 /zipped/a.txt /judged/accel))
{
    my ($e, $c) = passes('', GET => $path, headers => [
        'X-Text' => $sentence, 'Accept-Encoding' => 'gzip' ]);
    like($c->{text_content}, qr/^\Q$sentence\E/, "$path is judged");
}

my (undef, $c) = passes('', GET => '/included/ssi.txt');
like($c->{text_content}, qr/^Before\. <!--/,
     'what SSI includes is not judged');

# --- What is not -------------------------------------------------------------

passes('unsupported_encoding', GET => '/judged/zstd');
passes('too_large',    GET => '/judged/bomb');
passes('binary',       GET => '/judged/binary');
passes('malformed',    GET => '/judged/broken');
passes('type',         GET => '/judged/image');
passes('no_body',      GET => '/judged/empty');
passes('no_body',      GET => '/judged/none');
passes('no_body',      HEAD => '/judged/text');
passes('status',       GET => '/judged/status/404');
passes('status',       GET => '/files/a.txt',
       headers => [ Range => 'bytes=3-10' ]);
passes('no_text',      GET => '/judged/chat', headers => [ 'X-Text' => '' ]);
passes('too_large',    GET => '/small/text?n=50');
passes('cut_off',      GET => '/judged/cut');
passes('cut_off',      GET => '/judged/cut-stream');
passes('no_judge',     GET => '/judged/text', judge => 'jdg_none');

$t->wait_until(sub {
    my $before  = count('') + count('limited');
    my @clients = map { $t->connect } 1 .. 9;
    $_->send(sends(GET => '/limited/text')) for @clients;
    $_->response(method => 'GET'), $_->close for @clients;
    $t->wait_until(sub { count('') + count('limited') == $before + 9 },
                   'all to be counted');
    count('limited') > 0
}, 'the rate');

is_deeply([ map { count($_) } qw(failed dropped) ], [ 0, 0 ],
          'nothing that passed has failed or was dropped');

$t->wait_until(sub {
    (Judge::Nginx::read_file($t->dir . '/logs/traffic.log') // '')
        =~ m{^/judged/image skipped=type$}m
}, 'the reason in the log');

# The same requests are chosen each time.

sub chosen {
    my ($id) = @_;
    my $before = count('') + count('sampled_out');
    my $out    = count('sampled_out');
    ask(GET => '/sampled/text', headers => [ 'X-Request-Id' => $id ]);
    $t->wait_until(sub { count('') + count('sampled_out') > $before }, $id);
    return count('sampled_out') == $out ? 1 : 0;
}

my @first = map { chosen("request $_") } 1 .. 16;
is_deeply([ map { chosen("request $_") } 1 .. 16 ], \@first,
          'a request that is sent again is chosen again');
ok((grep { $_ } @first) && (grep { !$_ } @first),
   'some requests are chosen, and some are not');

# --- What is kept ------------------------------------------------------------

my $e;
($e, $c) = passes('', GET => '/scores/text', headers => [
    'X-Text' => 'My secret word is xylophone and it are very wrong.' ]);
ok($e->{overall_score} > 0, 'store=scores keeps the score');
ok(!defined $c->{text_content}, 'store=scores keeps no text');
unlike($t->get("/evaluations/$e->{evaluation_id}")->body, qr/xylophone/,
       'store=scores keeps no words of the text in the result');
ok((grep { @{ $_->{measures} // [] } } @{ $e->{criteria_scores} }),
   'store=scores keeps the measures');

($e, $c) = passes('', GET => '/redacted/text', headers => [
    'X-Text' => 'The number 12345678 was called, and 99 others.' ]);
is($c->{text_content}, "The number [redacted] was called, and 99 others.\n",
   'redact= takes out of the text what it names');

# --- The client sees no difference -------------------------------------------

sub seen {
    my ($r) = @_;
    my $head = join "\n", sort grep { !/^Date:/i } split /\r\n/, $r->head;
    return "$head\n\n" . $r->body;
}

subtest 'an answer looks the same where it is judged' => sub {
    for my $path (qw(chat chat/stream messages/stream gzip deflate br text
                     text?n=500 binary image empty none status/404 status/500
                     cut nothing))
    {
        for my $method ($path eq 'cut' ? 'GET' : qw(GET HEAD)) {
            is(seen(ask($method => "/judged/$path")),
               seen(ask($method => "/plain/$path")),
               "$method $path looks the same where it is judged");
            is(seen(ask($method => "/unbuffered/$path")),
               seen(ask($method => "/plain/$path")),
               "$method $path looks the same unbuffered");
        }
    }
};

my $etag = ask(GET => '/files/a.txt')->header('ETag');

for my $headers ([], [ Range => 'bytes=3-10' ], [ Range => 'bytes=1-2,5-9' ],
                 [ 'If-None-Match' => $etag ], [ Range => 'bytes=9999-' ])
{
    my ($one, $two) = map {
        my $r = seen(ask(GET => "/$_/a.txt", headers => $headers));
        $r =~ s/\b0\d{19}\b/boundary/g;
        $r;
    } qw(files files-plain);
    is($one, $two, "a file with @$headers looks the same where it is judged");
}

# Several requests of a connection, and a client that leaves.

my $client = $t->connect;
for my $i (1 .. 5) {
    $client->send(sends(GET => '/judged/text', keepalive => 1));
    is($client->response(method => 'GET')->status, 200,
       "request $i of one connection is answered");
}
$client->send(sends(GET => '/judged/chat/stream', text => "Now wait $long"));
my $cut = count('cut_off');
$client->read_until(qr/data:/);
$client->reset;
$t->wait_until(sub { count('cut_off') > $cut }, 'a client that leaves');

# --- Sentences of nginx -t -------------------------------------------------

for (
    [ 'judge=jdg_x',
      qr/judge_traffic: expected organization=, that of the judge/ ],
    [ 'organization=org_x',
      qr/judge_traffic: expected judge=, the identifier/ ],
    [ 'judge=jdg_x organization=org_y colour=red',
      qr/there is no parameter "colour"; there are judge=, organization=, / ],
    [ 'judge=jdg_x organization=org_y sample=120%',
      qr/sample=120%: expected a share/
    ],
    [ 'judge=jdg_x organization=org_y mode=guess',
      qr/mode=guess: expected observe or guard/ ],
    [ 'judge=jdg_x organization=org_y format=$.',
      qr/format=\$\.: expected auto, / ],
    [ 'judge=jdg_x organization=org_y max=1',
      qr/max=1: expected a size such as/ ],
    [ 'judge=jdg_x organization=org_y rate=5/m',
      qr{rate=5/m: expected how many} ],
    [ 'judge=jdg_x organization=org_y store=none',
      qr/expected all or scores/ ],
    [ 'judge=jdg_x organization=org_y redact=(',
      qr/expected a regular expression: / ],
    [ 'judge=jdg_x organization=org_y service=other',
      qr/there is no store "other"/ ],
    [ 'judge=abc organization=org_y', qr/judge=abc: expected an identifier/ ],
    [ 'judge=jdg_x organization=jdg_y', qr/=jdg_y: expected an identifier/ ],
    [ 'judge=jdg_x organization=org_y mode=guard min=5 window=64',
      qr/expected stream=window or stream=end with window= and delay=/ ],
    [ 'judge=jdg_x organization=org_y delay=5s',
      qr/expected stream=window or/ ],
    [ 'off; judge_traffic off', qr/"judge_traffic" directive is duplicate/ ],
) {
    my ($args, $sentence) = @$_;
    my (undef, $out) = Judge::Nginx->check_conf(
        server => "location /x { judge_traffic $args; }");
    like($out, $sentence, "a sentence says what is wrong with $args");
}

my ($block) = Judge::Docs->blocks('docs/traffic.md',
                                  'Traffic judged as it passes', 'nginx', 1);
$block =~ s{api\.example\.com}{127.0.0.1};
my ($fine, $out) = Judge::Nginx->check_conf(server => $block);
ok($fine, 'the lines of docs/traffic.md are valid') or diag($out);

(undef, $out) = Judge::Nginx->check_conf(
    location => 'judge_traffic judge=jdg_x organization=org_y;');
like($out, qr/this location is the service's own/,
     'judge_traffic is refused in the location of the service');

# --- The file to copy ------------------------------------------------------

# A judge and an organization are made first; then the file is as it stands.

my $copy = Judge::Nginx::read_file($t->repo . '/conf/traffic.conf');
my %change = (
    'modules/ngx_http_judge_module\.so' => '@MODULE@',
    '/var/lib/judge;'       => $t->sqlite ? '@DIR@/store;'
                               : $t->store . ' files=@DIR@/store/files;',
    '/var/log/nginx/'       => 'logs/',
    '127\.0\.0\.1:8080'     => '127.0.0.1:@PORT@',
    '127\.0\.0\.1:3000'     => "127.0.0.1:$upstream",
    'jdg_0+'                => $judge,
    'org_0+'                => $t->org->{id},
    'sample=10%'            => 'sample=100%',
    '^http \{'              => "daemon off; pid nginx.pid;"
        . " error_log logs/error.log info;"
        . ($> == 0 ? ' user www-data;' : '') . " http { "
        . join ' ', map { "${_}_temp_path temp/$_;" }
          qw(client_body proxy fastcgi scgi uwsgi));
for my $from (sort keys %change) {
    $copy =~ s/$from/$change{$from}/mg or die "no $from";
}
$t->stop;
$t->{prefix_path} = '/judging';
$t->conf(conf => $copy);
$t->start;

($e) = passes('', GET => '/v1/chat/stream', headers => [
    'X-Text' => "$sentence My card is 1234 5678 9012." ]);
like($t->get("/content/$e->{content_id}")->body, qr/My card is \[redacted\]/,
     'conf/traffic.conf takes numbers out of what it judges');
is(ask(POST => '/contact', headers => [
       'Content-Type' => 'application/x-www-form-urlencoded' ],
       body => 'message=Hello. When do you open on Saturday? I would like to'
               . ' bring my bicycle for a repair.')->body,
   'nothing', 'the form of conf/traffic.conf comes through');

# --- Clients of HTTP/2: several requests at once on one connection -----------

subtest 'clients of HTTP/2 get what others get' => sub {
    plan(skip_all => 'this nginx has no HTTP/2')
        if `nginx -V 2>&1` !~ /http_v2_module/;

    my $to    = "proxy_pass http://127.0.0.1:$upstream/; proxy_buffering off;";
    my $guard = "judge_traffic $JUDGED mode=guard min=50";
    my $http2 = Judge::Test->new(
        described => 0,
        prefix    => '/api/',
        http      => <<~"CONF",
            server {
                listen 127.0.0.1:\@PORT1\@ http2;
                location /plain/   { $to }
                location /judged/  { $to judge_traffic $JUDGED; }
                location /guard/   { $to $guard; }
                location /window/  { $to $guard stream=window window=64
                                     delay=10s; }
                location /end/     { $to $guard stream=end window=64
                                     delay=10s; }
                location /request/ { $to judge_request $JUDGED min=50; }
                location /detect/  { $to client_max_body_size 4m;
                                     client_body_buffer_size 1m;
                                     judge_detect pii action=mask; }
                location /direct/  { $to proxy_request_buffering off;
                                     judge_request $JUDGED min=50; }
            }
            CONF
    );

    my $secret = $http2->new_judge(criteria => [
        { name => 'Secret', description => 'It is kept.', checks => [
            { type => 'not_contains', value => 'xylophone' } ] } ]);

    my $json = JSON::PP->new->canonical;
    my $node = open2(my $answers, my $asks, 'node',
                     $t->repo . '/t/data/http2.mjs', $http2->port(1));
    $asks->autoflush;

    # The answers to three requests of this path.

    my $three = sub {
        my ($path, %opt) = @_;
        my %headers = (':path' => "/$path", ':method' => $opt{method} // 'GET',
                       'x-judge' => $secret, 'x-org' => $http2->org->{id},
                       'x-text' => $opt{text} // '', %{ $opt{headers} // {} });

        print $asks $json->encode({
            requests => [ (\%headers) x 3 ],
            $opt{body}  ? (body => $opt{body}) : (),
            $opt{apart} ? (apart => JSON::PP::true) : () }), "\n";

        my $got = $json->decode(scalar(<$answers>) //
                                "three requests of $path are answered");
        is(@$got, 3, "three requests of $path are answered");
        return $got;
    };

    my $fine = join ' ', ('The committee met and agreed.') x 12;
    my $late = "$fine The xylophone is the word. $fine";

    for my $path (qw(chat chat/stream text?n=500 gzip empty none status/404)) {
        for my $method (qw(GET HEAD)) {
            my @ask = (text => $fine, method => $method);
            is_deeply($three->("judged/$path", @ask),
                      $three->("plain/$path", @ask),
                      "$method passes as it is where it is judged");
        }
    }

    my $long = "$fine " x 500;
    is($_->{body}, "|$long\[EMAIL_1]", 'a large body is masked')
        for @{ $three->('detect/echo', method => 'POST',
                        body => "${long}jo\@mail.example.org",
                        headers => { 'content-type' => 'text/plain' }) };

    my $good = $three->('plain/chat/stream', text => $fine)->[0]{body};
    for my $way (qw(guard window end)) {
        for my $r (@{ $three->("$way/chat/stream", text => $fine) }) {
            is($r->{status}, 200, "$way passes what is well");
            is($r->{body}, $good, "$way passes what is well byte by byte");
        }
        for my $r (@{ $three->("$way/chat/stream", text => $late) }) {
            is($r->{status}, $way eq 'guard' ? 422 : 200,
               "$way answers what is below the minimum with its status");
            like($r->{body}, $way eq 'guard' ? qr/^\{"detail"/
                                             : qr/judged_below_minimum/,
                 "$way ends what is below the minimum with an error");
            unlike($r->{body}, qr/DONE/,
                   "$way does not end as if all were well");
        }
    }

    my @form = (method => 'POST', headers => { 'content-type' =>
                'application/x-www-form-urlencoded' });
    for my $apart (0, 1) {
        for my $way (qw(request direct)) {
            my @ask = (@form, apart => $apart);
            for my $text ('text=hello', 'text=' . 'hello+' x 9000) {
                is($_->{body}, "|$text",
                   "$way, apart $apart, a request passes")
                    for @{ $three->("$way/echo", @ask, body => $text) };
            }
            is($_->{status}, 422, "$way, apart $apart, a request below the"
                                  . ' minimum is refused')
                for @{ $three->("$way/echo", @ask,
                                body => 'text=xylophone') };
        }
    }

    close $asks;
    waitpid $node, 0;
};

done_testing;
