# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judge_traffic mode=guard: an answer is judged before the client sees it.

use Judge::Test;
use Judge::Traffic;

my $upstream = upstream();

my $guard = "$JUDGED mode=guard min=50 on_error=pass";
my $strict = $guard =~ s/pass$/block/r;
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
                      judge_traffic $strict max=1k; }
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
                      judge_traffic $strict; }
location /asked/    { proxy_pass http://127.0.0.1:$upstream/;
                      judge_request $guard_request; }
location /redact/   { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard $redact; }
location /redact-block/ { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $strict
                      $redact; }
location /told/     { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $guard "message=Ask us."; }
location /told-asked/ { proxy_pass http://127.0.0.1:$upstream/;
                      judge_request $guard_request "message=Not so."; }
location /kept/     { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $strict keep_text=on; }
location /seen/     { proxy_pass http://127.0.0.1:$upstream/;
                      judge_traffic $JUDGED; }
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

subtest 'what is good passes a guard as it is' => sub {
    for my $path (qw(guard/text guard/chat guard/gzip guard/text?n=3000
                     direct/text guard/chat/stream direct/messages/stream
                     files/good.txt))
    {
        my $r    = ask(GET => "/$path");
        my $same = $path =~ /^files/ ? $r
                 : ask(GET => '/plain/' . $path =~ s{^\w+/}{}r);

        is($r->status, 200, "$path passes where a guard stands");
        is($r->body, $same->body, "the body of $path passes as it is");
        is($r->header('Content-Type'), $same->header('Content-Type'),
           "the type of $path passes as it is");
        ok($r->header('Judge-Score') >= 50, "$path passes with its score");

        my $id = $r->header('Judge-Evaluation');
        is($t->evaluated($id)->{overall_score}, $r->header('Judge-Score'),
           "Judge-Score of $path is the score of its evaluation");
    }
};

is(ask(HEAD => '/guard/text')->status, 200, 'HEAD passes a guard');
is(ask(GET => '/guard/status/404')->status, 404, 'an error passes a guard');
is(ask(GET => '/guard/none')->status, 204, 'an empty answer passes a guard');
is(ask(GET => '/files/good.txt', headers => [ Range => 'bytes=0-9' ])->status,
   200, 'a range is answered with all there is');

my $etag = ask(GET => '/files/good.txt')->header('ETag');
is(ask(GET => '/files/good.txt', headers => [ 'If-None-Match' => $etag ])
   ->status, 304, 'an answer that did not change passes a guard');

# --- What does not ---------------------------------------------------------

subtest 'what is below the minimum is blocked' => sub {
    for my $path (qw(guard/text guard/chat guard/gzip direct/text
                     guard/chat/stream files/bad.txt))
    {
        my $r = ask(GET => "/$path", text => 'Nothing.');

        is($r->status, 422, "$path is blocked");
        like($r->detail, qr/^the answer was judged to be below/,
             "the refusal of $path says why");
        ok($r->json->{overall_score} < 50,
           "the refusal of $path has the score");
        is_deeply([ $r->json->{minimum},
                    $r->json->{criteria_scores}[0]{name} ],
                  [ 50, 'Plan' ],
                  "the refusal of $path has the minimum and each criterion");
        is($r->header('Judge-Evaluation'), $r->json->{evaluation_id},
           "the refusal of $path names the evaluation");
        ok(!$r->header('Content-Encoding'),
           "the refusal of $path is not compressed");
    }
};

my $r = ask(GET => '/told/text', text => 'Nothing.');
is($r->status, 422, 'message= lets nothing pass');
is_deeply([ $r->detail, [ sort keys %{ $r->json } ] ],
          [ 'Ask us.', [ 'detail', 'evaluation_id' ] ],
          'message= tells the client that sentence, and no scores');
is($r->header('Judge-Score'), undef, 'message= tells no score in a header');
like($r->header('Judge-Evaluation'), qr/^evl_/,
     'message= tells the identifier of the evaluation');

like(ask(GET => '/told/text')->header('Judge-Score'), qr/^\d/,
     'message= hides no score of what passes');

$r = ask(POST => '/told-asked/echo', headers => [ 'Content-Type' =>
                'text/plain' ], body => 'Nothing.');
is_deeply([ $r->status, $r->detail ], [ 422, 'Not so.' ],
          'message= is told of a request, too');

$r = ask(GET => '/fallback/text', text => 'Nothing.');
is($r->status, 200, 'error_page answers in the place of a refusal');
is($r->body, "Another plan.\n", 'error_page answers with its own body');
ok($r->header('X-Score') < 50, 'error_page knows the score');
is($r->header('Judge-Score'), $r->header('X-Score'),
   'what error_page answers has the score in a header');
like($r->header('Judge-Evaluation'), qr/^evl_/,
     'what error_page answers names the evaluation');
like($r->header('Judge-Blocked'), qr/^blk_/,
     'what error_page answers names what was blocked');

$r = ask(GET => '/fallback/text');
is($r->body, "A plan.\n", 'error_page does not answer for what passes');
is($r->header('Judge-Blocked'), undef, 'what passes is not blocked');

# --- What can't be judged --------------------------------------------------

subtest 'what is not judged passes or is blocked' => sub {
    for my $row ([ 'text?n=500', 'too_large' ], [ 'broken', 'malformed' ],
                 [ 'zstd', 'unsupported_encoding' ], [ 'binary', 'binary' ])
    {
        my ($path, $reason) = @$row;
        my $plain = ask(GET => "/plain/$path");

        $r = ask(GET => "/small/$path");
        is($r->status, 200, "$reason passes with on_error=pass");
        is($r->body, $plain->body, "$reason passes as it is");

        $r = ask(GET => "/block/$path");
        is($r->status, 422, "$reason is blocked with on_error=block");
        is($r->detail, "the answer could not be judged: $reason",
           "the refusal says that it is for $reason");
    }
};

$r = ask(GET => '/block/chat', judge => 'jdg_none');
is($r->detail, 'the answer could not be judged: no_judge',
   'the refusal says that there is no such judge');

# A judge none of whose criteria can be judged: neither store nor memory is to
# blame, and people's corrections are what helps.

my $untold = $t->new_judge(criteria => [
    { name => 'Kindness',
      description => 'The customer feels taken seriously.' } ]);
my @unjudged = map {
    my $r = ask(GET => "/$_/text", judge => $untold);
    is($r->status, $_ eq 'kept' ? 422 : 200,
       "$_ answers where no criterion can be judged");
    $r;
} qw(kept guard seen);

is($unjudged[0]->detail, 'the answer could not be judged: not_judged',
   'the refusal says that no criterion was judged');
log_like($t, qr/is blocked: not_judged, No measurement of the text .*, blk_/,
     'the log says why no criterion was judged');
is($t->get('/traffic/blocked')->json->{blocked}[0]{text}, "A plan.\n",
   'the list of what was blocked has the text that was not judged');
$t->wait_until(sub {
    3 == grep { ($_->{error_code} // $_->{error}{code} // '') eq 'NOT_JUDGED' }
         @{ $t->get("/evaluations?judge_id=$untold")->json->{evaluations} }
}, 'what no criterion judges has evaluations');
is(count('not_judged'), 3, 'what no criterion judges is counted as such');
$t->wait_until(sub {
    Judge::Nginx::read_file($t->dir . '/logs/guard.log')
        =~ m{^/kept/text 422 - 0 - - not_judged$}m
}, 'the access log has 0 for what was refused unjudged');

# --- What would step around it ---------------------------------------------

my @range = (headers => [ Range => 'bytes=0-', 'If-Range' => 'x' ]);
$r = ask(GET => '/guard/ranged', @range);
is($r->status, 200, 'the server behind is asked for all, not for a part');
is($r->body, 'A plan.[null]', 'the server behind gets no If-Range');
is(ask(GET => '/guard/ranged', @range, text => 'Nothing.')->status, 422,
   'a Range does not step around a guard');
$r = ask(GET => '/guard/ranged/always');
is($r->status, 206, 'a part that comes all the same passes');
ok($r->header('Judge-Score') >= 50,
   'a part that comes all the same is judged');
is(ask(GET => '/guard/ranged/always', text => 'Nothing.')->status, 422,
   'a part that comes all the same may be blocked');
is(ask(GET => '/both/ranged/parts')->detail,
   'the answer could not be judged: malformed',
   'parts of several ranges are not judged');
is(ask(GET => '/plain/ranged', @range)->status, 206,
   'where nothing guards, a Range is passed on');

$r = ask(GET => '/guard/members');
is($r->status, 200, 'what stands behind the first end of gzip is read');
is($t->get('/content/' . $t->evaluated($r->header('Judge-Evaluation'))
           ->{content_id})->json->{text_content}, 'Nothing. A plan.',
   'what stands in each member of gzip is judged');

# With on_error=pass, too: nothing but a reader of that encoding sees it.
for my $charset (qw(utf-7 UTF-32LE utf-32)) {
    $r = ask(GET => "/guard/charset/$charset");
    is($r->status, 422, "$charset does not pass unread");
    is($r->detail, 'the answer could not be judged: unsupported_charset',
       "the refusal of $charset says why");
    is(ask(POST => '/asked/echo', body => 'A plan.', headers => [
           'Content-Type' => "text/plain; charset=$charset" ])->status, 422,
       "a request in $charset does not pass unread");
}
is(ask(GET => '/guard/charset/utf-8')->status, 200,
   'an answer in UTF-8 passes');

# A search that is given up is told apart from a text that is clean.

sub ticks {
    my $ticks = 0;
    $ticks += (split ' ', Judge::Nginx::read_file("/proc/$_/stat"))[13]
        for $t->workers;
    return $ticks;
}

is(ask(GET => '/redact/text?n=1', text => 'A plan of ann@example.com')
   ->status, 200, 'what is taken out in time is judged');
my $took = -ticks();
for my $way (qw(redact redact-block)) {
    $r = ask(POST => "/$way/chat", json => { messages => [
        { role => 'user', content => 'A plan. ' . 'a' x 250_000 . '@.' } ] });
    is($r->status, $way eq 'redact' ? 200 : 422,
       "$way decides on a search that is given up");
}
is($r->detail, 'the answer could not be judged: redact',
   'the refusal says that the search was given up');
$t->wait_until(sub {
    (Judge::Nginx::read_file($t->dir . '/logs/guard.log') // '')
        =~ m{^/redact/chat 200 - - - - redact$}m
}, 'the reason in the log');
$took += ticks();
ok($took < 500, "a search that is given up takes no seconds, but $took ticks");

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
                    judge_traffic $strict memory=4m max=1m; }
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

# The peak while they are held; and how long each is in the end.  What is only
# watched may be skipped for another reason first: there is no such judge.

sub flood {
    my ($way)   = @_;
    my $skipped = sub {
        return $way eq 'watch' ? $one->metric('judge_traffic_skipped_total')
                               : count('dropped');
    };
    my $before  = $skipped->() // 0;
    my @clients = map { $one->connect } 1 .. 12;

    $_->send(sends(GET => "/$way/bytes?n=600000", text => '')) for @clients;
    $t->wait_until(sub {
        ask(GET => '/plain/waits')->body == 12
            && ($way eq 'plain' || $skipped->() - $before >= 5)
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
        is("@bodies", join(' ', (600_000) x 12), "$way lets all answers pass");
        next if $way eq 'watch';    # what was judged before is resident still
        ok($peak - $own < 4.4 * 1024, "$way: memory=4m is what is held at"
           . " most: " . ($peak - $own) . ' KB');
    }
    my (undef, @bodies) = flood('block');
    ok((grep { $_ < 100 } @bodies) >= 5,
       'on_error=block refuses what there is no memory for');
}
asks($t, judge => $judge, text => 'A plan.');

# --- Who leaves, the log, and the configuration ----------------------------

for (1 .. 20) {
    my $client = $t->connect;
    $client->send(sends(GET => '/guard/text'));
    $_ % 2 ? $client->reset : $client->close;
}
is(ask(GET => '/guard/text')->status, 200,
   'the guard goes on when clients leave');

$t->wait_until(sub {
    (Judge::Nginx::read_file($t->dir . '/logs/guard.log') // '')
        =~ m{^/guard/text 422 [\d.]+ 0 evl_\w+ \d\.\d{3} -$}m
}, 'the variables in the log');

sub refusals {
    return $t->metric('judge_traffic_refused_total', of => $_[0],
                      reason => $_[1]);
}

cmp_ok(refusals(@$_), '>', 0,
       "a refusal for $_->[1] of the $_->[0] is counted")
    for [ answer => 'below_minimum' ], [ answer => 'too_large' ],
        [ request => 'below_minimum' ];
is(ask(GET => '/block/status/404')->status, 404,
   'an error keeps its status where it is blocked');
is(refusals('answer', 'status'), 1, 'an error that is blocked counts once');
is(refusals('request', 'too_large'), 0,
   'what was not refused is counted as 0');

for (
    [ 'mode=guard', qr/expected mode=guard and min=, the score from which/ ],
    [ 'min=50', qr/expected mode=guard and min=/ ],
    [ 'mode=guard min=101', qr/min=101: expected a score from 0 to 100/ ],
    [ 'mode=guard min=5 on_error=stop', qr/expected pass or block/ ],
) {
    my ($args, $sentence) = @$_;
    my (undef, $out) = Judge::Nginx->check_conf(server =>
        "location /x { judge_traffic judge=jdg_x organization=org_y $args; }");
    like($out, $sentence, "a sentence says what is wrong with $args");
}

done_testing;
