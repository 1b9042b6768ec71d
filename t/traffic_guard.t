# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judge_traffic mode=guard: an answer is judged before the client sees it.

use Judge::Test;
use Judge::Traffic;

my $upstream = upstream();

my $guard = "$JUDGED mode=guard min=50 on_error=pass";
my $guard_request = "$JUDGED min=50 on_error=pass";
my $redact = '"redact=[\w.+-]+@[\w-]+\.[\w.]+"';

my $t = Judge::Test->new(
    described => 0,
    prefix    => '/api/',
    http      => <<'CONF',
log_format guard '$uri $status $judge_score $judge_passed $judge_evaluation_id'
                 ' $judge_time $judge_skipped';
access_log logs/guard.log guard;
CONF
    server => <<"CONF",
location /guard/    { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard; }
location /direct/   { proxy_pass http://127.0.0.1:$upstream/;
                      proxy_buffering off; judge_traffic $guard; }
location /block/    { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard on_error=block max=1k; }
location /small/    { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard max=1k; }
location /fallback/ { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard; error_page 422 = \@other; }
location \@other     { rewrite ^.*\$ /text break;
                      proxy_set_header X-Text "Another plan.";
                      proxy_pass http://127.0.0.1:$upstream;
                      add_header X-Score \$judge_score; }
location /plain/    { proxy_pass http://127.0.0.1:$upstream/; }
location /little/   { proxy_pass http://127.0.0.1:$upstream/;
                      proxy_http_version 1.1;
                      judge_traffic $guard memory=4m max=1m; }
location /both/     { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard on_error=block; }
location /asked/    { proxy_pass http://127.0.0.1:$upstream/;
                      judge_request $guard_request; }
location /redact/   { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard $redact; }
location /redact-block/ { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard on_error=block
                      $redact; }
location /told/     { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard "message=Ask us."; }
location /told-asked/ { proxy_pass http://127.0.0.1:$upstream/;
                      judge_request $guard_request "message=Not so."; }
location /files/    { alias \@DIR\@/files/; judge_traffic $guard; }
CONF
);

mkdir $t->dir . '/files';
$t->write('files/good.txt', "A plan.\n" x 5000);
$t->write('files/bad.txt', "Nothing.\n" x 20);

# Checks decide, so that it is known what passes.

my $judge = $t->new_judge(criteria => [
    { name => 'Plan', description => 'There is a plan.', checks => [
        { type => 'contains', value => 'plan' } ] } ]);
asks($t, judge => $judge, text => 'A plan.');

# --- What passes -----------------------------------------------------------

for my $path (qw(guard/text guard/chat guard/gzip guard/text?n=3000 direct/text
                 guard/chat/stream direct/messages/stream files/good.txt))
{
    my $r    = ask(GET => "/$path");
    my $same = $path =~ /^files/ ? $r
             : ask(GET => '/plain/' . $path =~ s{^\w+/}{}r);

    is($r->status, 200, "$path passes");
    is($r->body, $same->body, 'as it is');
    is($r->header('Content-Type'), $same->header('Content-Type'), 'its type');
    ok($r->header('Judge-Score') >= 50, 'with its score');

    my $id = $r->header('Judge-Evaluation');
    is($t->evaluated($id)->{overall_score}, $r->header('Judge-Score'),
       'which is that of the evaluation');
}

is(ask(HEAD => '/guard/text')->status, 200, 'HEAD');
is(ask(GET => '/guard/status/404')->status, 404, 'an error is passed');
is(ask(GET => '/guard/none')->status, 204, 'an empty answer');
is(ask(GET => '/files/good.txt', headers => [ Range => 'bytes=0-9' ])->status,
   200, 'no ranges');

my $etag = ask(GET => '/files/good.txt')->header('ETag');
is(ask(GET => '/files/good.txt', headers => [ 'If-None-Match' => $etag ])
   ->status, 304, 'one that did not change');

# --- What does not ---------------------------------------------------------

for my $path (qw(guard/text guard/chat guard/gzip direct/text guard/chat/stream
                 files/bad.txt))
{
    my $r = ask(GET => "/$path", text => 'Nothing.');

    is($r->status, 422, "$path does not");
    like($r->detail, qr/^the answer was judged to be below/, 'as it says');
    ok($r->json->{overall_score} < 50, 'with its score');
    is($r->json->{minimum}, 50, 'and what is wanted');
    is($r->json->{criteria_scores}[0]{name}, 'Plan', 'by criterion');
    is($r->header('Judge-Evaluation'), $r->json->{evaluation_id}, 'its id');
    ok(!$r->header('Content-Encoding'), 'and no encoding of the other');
}

my $r = ask(GET => '/told/text', text => 'Nothing.');
is($r->status, 422, 'with message= it does not pass either');
is_deeply([ $r->detail, [ sort keys %{ $r->json } ] ],
          [ 'Ask us.', [ 'detail', 'evaluation_id' ] ],
          'the client is told that, and no scores');
is($r->header('Judge-Score'), undef, 'nor in a header');
like($r->header('Judge-Evaluation'), qr/^evl_/, 'but its id');

$r = ask(POST => '/told-asked/echo', headers => [ 'Content-Type' =>
                'text/plain' ], body => 'Nothing.');
is_deeply([ $r->status, $r->detail ], [ 422, 'Not so.' ], 'of a request, too');

$r = ask(GET => '/fallback/text', text => 'Nothing.');
is($r->status, 200, 'another location answers in its place');
is($r->body, "Another plan.\n", 'with what it has');
ok($r->header('X-Score') < 50, 'and knows the score');

is(ask(GET => '/fallback/text')->body, "A plan.\n", 'where it is needed');

# --- What can't be judged --------------------------------------------------

for my $row ([ 'text?n=500', 'too_large' ], [ 'broken', 'malformed' ],
             [ 'zstd', 'unsupported_encoding' ], [ 'binary', 'binary' ])
{
    my ($path, $reason) = @$row;
    my $plain = ask(GET => "/plain/$path");

    $r = ask(GET => "/small/$path");
    is($r->status, 200, "$reason passes");
    is($r->body, $plain->body, 'as it is');

    $r = ask(GET => "/block/$path");
    is($r->status, 422, "$reason is blocked");
    is($r->detail, "the answer could not be judged: $reason", 'says why');
}

$r = ask(GET => '/block/chat', judge => 'jdg_none');
is($r->detail, 'the answer could not be judged: no_judge', 'no judge');

# --- What would step around it ---------------------------------------------

my @range = (headers => [ Range => 'bytes=0-', 'If-Range' => 'x' ]);
$r = ask(GET => '/guard/ranged', @range);
is($r->status, 200, 'the server behind is asked for all, not for a part');
is($r->body, 'A plan.[null]', 'and gets no If-Range');
is(ask(GET => '/guard/ranged', @range, text => 'Nothing.')->status, 422,
   'so that a Range steps around nothing');
$r = ask(GET => '/guard/ranged/always');
is($r->status, 206, 'a part that comes all the same passes');
ok($r->header('Judge-Score') >= 50, 'when it is judged');
is(ask(GET => '/guard/ranged/always', text => 'Nothing.')->status, 422,
   'or it does not');
is(ask(GET => '/both/ranged/parts')->detail,
   'the answer could not be judged: malformed',
   'parts of several ranges are not judged');
is(ask(GET => '/plain/ranged', @range)->status, 206,
   'where nothing guards, a Range is passed on');

$r = ask(GET => '/guard/members');
is($r->status, 200, 'what stands behind the first end of gzip is read');
is($t->get('/content/' . $t->evaluated($r->header('Judge-Evaluation'))
           ->{content_id})->json->{text_content}, 'Nothing. A plan.',
   'with what stands before');

# With on_error=pass, too: nothing but a reader of that encoding sees it.
for my $charset (qw(utf-7 UTF-32LE utf-32)) {
    $r = ask(GET => "/guard/charset/$charset");
    is($r->status, 422, "$charset does not pass unread");
    is($r->detail, 'the answer could not be judged: unsupported_charset',
       'and why');
    is(ask(POST => '/asked/echo', body => 'A plan.', headers => [
           'Content-Type' => "text/plain; charset=$charset" ])->status, 422,
       'nor does a request of it');
}
is(ask(GET => '/guard/charset/utf-8')->status, 200, 'UTF-8 does');

# A search that is given up is told apart from a text that is clean.

is(ask(GET => '/redact/text?n=1', text => 'A plan of ann@example.com')
   ->status, 200, 'what is taken out in time is judged');
for my $way (qw(redact redact-block)) {
    $r = ask(POST => "/$way/chat", json => { messages => [
        { role => 'user', content => 'A plan. ' . 'a' x 250_000 . '@.' } ] });
    is($r->status, $way eq 'redact' ? 200 : 422, "$way: what is given up");
}
is($r->detail, 'the answer could not be judged: redact', 'says why');
$t->wait_until(sub {
    (Judge::Nginx::read_file($t->dir . '/logs/guard.log') // '')
        =~ m{^/redact/chat 200 - - - - redact$}m
}, 'the reason in the log');
my $took = 0;
for my $pid ($t->workers) {
    $took += (split ' ', Judge::Nginx::read_file("/proc/$pid/stat"))[13];
}
ok($took < 500, "and takes no seconds of a processor: $took ticks");

# --- Memory is bounded -------------------------------------------------------

# Twelve answers of 600 KB in chunks of a byte, of which four MB are held; what
# nginx takes for them itself is known by those that are not judged.

my $one = Judge::Test->new(
    described => 0,
    prefix    => '/api/',
    workers   => 1,
    server    => <<"CONF",
proxy_http_version 1.1;
location /plain/  { proxy_pass http://127.0.0.1:$upstream/; }
location /guard/  { proxy_pass http://127.0.0.1:$upstream/;
                    judge_traffic $guard memory=4m max=1m; }
location /block/  { proxy_pass http://127.0.0.1:$upstream/;
                    judge_traffic $guard memory=4m max=1m on_error=block; }
location /watch/  { proxy_pass http://127.0.0.1:$upstream/;
                    judge_traffic $JUDGED memory=4m max=1m; }
CONF
);
asks($one, judge => 'jdg_none');

sub peak {
    my ($pid) = $one->workers;
    return Judge::Nginx::read_file("/proc/$pid/status") =~ /VmHWM:\s+(\d+)/
           ? $1 : 0;
}

sub dropped {
    my $text = $one->get('/metrics', key => undef)->body;
    return $text =~ /skipped_total\{.*reason="dropped"\} (\d+)/ ? $1 : 0;
}

# The peak while they are held; and how long each is in the end.

sub flood {
    my ($way)   = @_;
    my $before  = dropped();
    my @clients = map { $one->connect } 1 .. 12;

    $_->send(sends(GET => "/$way/bytes?n=600000", text => '')) for @clients;
    $t->wait_until(sub {
        ask(GET => '/plain/waits')->body == 12
            && ($way eq 'plain' || dropped() - $before >= 5)
    }, "$way: more of them than there is room for");
    my $peak = peak();
    ask(GET => '/plain/go');
    my @bodies = map { length $_->response(method => 'GET')->body } @clients;
    $_->close for @clients;

    return $peak, @bodies;
}

if (!Judge::Nginx->asan) {
    my ($own) = flood('plain');
    for my $way (qw(guard watch)) {
        my ($peak, @bodies) = flood($way);
        is("@bodies", join(' ', (600_000) x 12), "$way: all of them pass");
        next if $way eq 'watch';    # what was judged before is resident still
        ok($peak - $own < 4.4 * 1024, "$way: memory=4m is what is held at"
           . " most: " . ($peak - $own) . ' KB');
    }
    my (undef, @bodies) = flood('block');
    ok((grep { $_ < 100 } @bodies) >= 5, 'block: what is dropped is refused');
}
asks($t, judge => $judge, text => 'A plan.');

# --- Who leaves, the log, and the configuration ----------------------------

for (1 .. 20) {
    my $client = $t->connect;
    $client->send(sends(GET => '/guard/text'));
    $_ % 2 ? $client->reset : $client->close;
}
is(ask(GET => '/guard/text')->status, 200, 'clients that leave');

$t->wait_until(sub {
    (Judge::Nginx::read_file($t->dir . '/logs/guard.log') // '')
        =~ m{^/guard/text 422 [\d.]+ 0 evl_\w+ \d\.\d{3} -$}m
}, 'the variables in the log');

my $metrics = $t->get('/metrics', key => undef)->body;
like($metrics, qr/^judge_traffic_refused_total\{[^}]*of="$_->[0]",reason=
                  "$_->[1]"\}\ [1-9]/mx, "refused $_->[0]: $_->[1] is counted")
    for [ answer => 'below_minimum' ], [ answer => 'too_large' ],
        [ request => 'below_minimum' ];
like($metrics, qr/^judge_traffic_refused_total\{[^}]*of="request",reason=
                  "too_large"\}\ 0/mx, 'what was not refused is 0');

for (
    [ 'mode=guard', qr/expected mode=guard and min=, the score from which/ ],
    [ 'min=50', qr/expected mode=guard and min=/ ],
    [ 'mode=guard min=101', qr/min=101: expected a score from 0 to 100/ ],
    [ 'mode=guard min=5 on_error=stop', qr/expected pass or block/ ],
) {
    my ($args, $sentence) = @$_;
    my (undef, $out) = Judge::Nginx->check_conf(server =>
        "location /x { judge_traffic judge=x organization=y $args; }");
    like($out, $sentence, $args);
}

done_testing;
