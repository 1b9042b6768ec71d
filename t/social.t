# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Videos on social media over real sockets, and the callback of the workers
# that evaluate them.

use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();

use Judge::Test;

my $t = Judge::Test->new(
    orgs   => 2,
    store  => 'max_body=64k',
    http   => 'judge_store @DIR@/brief name=brief callback_deadline=1s;',
    judge  => 'default',
    server => 'location /brief/ { judge brief; }');

my $json     = JSON::PP->new->utf8->canonical;
my $path     = '/v1/evaluations/social-media';
my $callback = '/api/video-evaluations/callback';
my $judge    = $t->new_judge(content_type => 'video');
my @criteria = @{ $t->get("/judges/$judge")->json->{criteria} };
my $r;

# report({ … }): the callback as a worker sends it.

sub report {
    my ($body, %opt) = @_;

    my $bytes  = ref $body ? $json->encode($body) : $body;
    my $secret = $opt{secret} // $t->org($opt{org})->{secret};
    my $sign   = exists $opt{sign} ? $opt{sign}
               : 'sha256=' . hmac_sha256_hex($bytes, $secret);

    return $t->post($callback, key => undef, body => $bytes, headers => [
        'Content-Type' => $opt{type} // 'application/json',
        'X-Webhook-Signature' => $sign ], map { $_ => $opt{$_} }
        grep { $opt{$_} } qw(chunk delay));
}

sub result {
    my ($item, @scores) = @_;
    return {
        evaluation_id => $item->{evaluation_id},
        content_id    => $item->{content_id},
        status        => 'completed',
        results       => {
            overall_score   => ($scores[0] + $scores[1]) / 2,
            criteria_scores => [ map { {
                criterion_id => $criteria[$_]{criterion_id},
                name         => $criteria[$_]{name},
                score        => $scores[$_],
                feedback     => "Reason $_, with an \x{e9}.",
            } } 0, 1 ],
            processing_metadata => {
                duration => 61.5, resolution => { width => 1920,
                height => 1080 }, processing_time => 12.25 },
        },
        callback_metadata => { timestamp => '2026-01-31T23:59:59Z',
                               source_service => 'video', retry_count => 0 },
    };
}

# --- Submitted -------------------------------------------------------------

permission_is($t, 'evaluations:write', POST => $path, json => {
    judge_id => $judge, urls => ['https://vimeo.com/76979871'] });

$r = $t->post($path, json => { judge_id => $judge, priority => 'high',
    urls => [ 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
              'https://youtu.be/dQw4w9WgXcQ?si=x',
              'https://vimeo.com/76979871' ] });
status_is($r, 202, 'three addresses of two videos');
my ($job, @items) = ($r->json->{job_id}, @{ $r->json->{items} });
is($r->json->{status}, 'processing', 'status');
is(join(' ', map { $_->{platform} } @items), 'youtube youtube vimeo',
   'platforms');
is($items[0]{evaluation_id}, $items[1]{evaluation_id}, 'a video once');
isnt($items[0]{evaluation_id}, $items[2]{evaluation_id}, 'each one');
is($t->sql1('select count(*) from evaluations where judge_id = '
            . "'$judge' and queue_at is not null"), 3,
   'which wait for a worker');

$r = $t->get("/v1/evaluations/results/$job");
is(join(' ', map { $r->json->{$_} } qw(status total completed failed)),
   'processing 2 0 0', 'the job');
error_is($t->get("/v1/evaluations/results/$job", org => 1), 404,
         qr/no such job/, 'of nobody else');

for ([ ['https://example.com/x'], qr/^urls\[0\]: expected an address on / ],
     [ ['https://vimeo.com/76979871', 'javascript:alert(1)'],
       qr/^urls\[1\]: expected / ],
     [ ['https://vimeo.com.example.com/76979871'], qr/^urls\[0\]: / ],
     [ ['https://vimeo.com@127.0.0.1/76979871'], qr/^urls\[0\]: / ],
     [ [], qr/^urls: expected / ],
     [ ['https://vimeo.com/' . 'x' x 3000], qr/^urls\[0\]: / ])
{
    my ($urls, $says) = @$_;
    error_is($t->post($path, json => { judge_id => $judge, urls => $urls }),
             400, $says, "refused: $says");
}

error_is($t->post($path, json => { judge_id => $t->new_judge,
             urls => ['https://vimeo.com/76979871'] }), 400,
         qr/^judge_id: .*video/, 'a judge of texts');
error_is($t->post($path, org => 1, json => { judge_id => $judge,
             urls => ['https://vimeo.com/76979871'] }), 404, undef,
         'the judge of somebody else');

# --- Reported --------------------------------------------------------------

my $done = result($items[0], 80, 91);

error_is(report($done, org => 1), 401, qr/^there is no such evaluation, or /,
         'signed by another organization');
error_is(report({ %$done, evaluation_id => 'evl_' . '0' x 26 }), 401,
         qr/^there is no such evaluation, or /, 'an unknown evaluation');
error_is(report($done, sign => undef), 401, qr/^X-Webhook-Signature: /,
         'unsigned');
error_is(report($done, sign => 'sha256=' . '0' x 64), 401, undef,
         'signed at random');
$r = report($json->encode($done) . ' ', sign => 'sha256='
            . hmac_sha256_hex($json->encode($done), $t->org->{secret}));
error_is($r, 401, undef, 'a blank more than was signed');
ok($r->header('WWW-Authenticate'), 'WWW-Authenticate');
error_is(report($done, type => 'text/plain'), 415, undef, 'another type');
error_is(report('{'), 400, undef, 'half a body');
error_is(report('x' x 70_000), 413, undef, 'a large one');
error_is($t->get($callback, key => undef), 405, undef, 'another method');
is($t->get("/evaluations/$items[0]{evaluation_id}")->json->{status},
   'processing', 'nothing of that ends it');

my @wrong = map { result($items[0], 80, 91) } 1 .. 3;
$wrong[0]{results}{criteria_scores} = [];
$wrong[1]{results}{criteria_scores}[1]{score} = 101;
$wrong[2]{content_id} = $items[2]{content_id};

for ([ qr/^results\.criteria_scores: expected a score of one criterion/ ],
     [ qr/^results\.criteria_scores\[1\]\.score: .* 0 to 100$/ ],
     [ qr/^content_id: / ])
{
    error_is(report(shift @wrong), 400, $_->[0], "refused: $_->[0]");
}

# A worker may weigh the criteria in another way than the judge does.
$done->{results}{overall_score} = 50;
status_is(report($done, chunk => 50, delay => 0.001), 200, 'a result');
my $e = $t->get("/evaluations/$items[1]{evaluation_id}")->json;
is($e->{status}, 'completed', 'completes it');
is($e->{overall_score}, 50, 'the overall score is kept as it was sent');
is($e->{provenance}{overall}, 'reported', 'and the record says so');
is($e->{criteria_scores}[1]{feedback}, "Reason 1, with an \x{e9}.",
   'a reason');
is($e->{processing_metadata}{resolution}{width}, 1920,
   'processing_metadata');
is($e->{engine}, 'worker/1', 'engine');
is($e->{provenance}{engine}, 'worker', 'provenance');
time_is($e->{evaluated_at}, 'evaluated_at');

$done->{callback_metadata}{retry_count} = 1;
$r = report($done);
status_is($r, 200, 'the same again');
is($r->json->{status}, 'completed', 'is answered as before');
error_is(report(result($items[0], 80, 92)), 409, qr/with another result$/,
         'another result');
is_deeply($t->get("/evaluations/$items[0]{evaluation_id}")->json, $e,
          'changes nothing');

$r = $t->get("/v1/evaluations/results/$job");
is(join(' ', map { $r->json->{$_} } qw(status total completed failed)),
   'processing 2 1 0', 'the job goes on');

# A client of the other worker waits for it.

my @waiting = map { $t->connect } 1 .. 4;
$_->send($t->bytes(POST => '/evaluations/single',
                   json => { judge_id => $judge,
                             content_id => $items[2]{content_id} },
                   headers => [ Prefer => 'wait=30' ])) for @waiting;
my $found;
$t->wait_until(sub {
    $found = $t->get("/evaluations?content_id=$items[2]{content_id}")
               ->json->{evaluations};
    return @$found == 5;
}, 'those who wait');
status_is(report(result({ content_id => $items[2]{content_id}, %$_ },
                        60, 70)), 200, 'a result for each')
    for map { { evaluation_id => $_->{evaluation_id} } } @$found;
my @answers = map { $_->response } @waiting;
is(join(' ', map { $_->json->{overall_score} } @answers), '65 65 65 65',
   'who waits is told');

$r = $t->get("/v1/evaluations/results/$job");
is(join(' ', map { $r->json->{$_} } qw(status total completed failed)),
   'completed 2 2 0', 'the job is done');

# --- Nobody reports --------------------------------------------------------

my ($status, $out) = $t->run($t->repo . '/build/judge', '--store',
                             $t->dir . '/brief', '--json', 'org', 'create',
                             'B');
my ($key) = $out =~ /"api_key":"([^"]+)"/;
my $brief = $t->post('/brief/judges', key => $key, json => { name => 'J',
    description => '', content_type => 'video',
    criteria => [{ name => 'Grammar', description => 'a' }],
})->json->{judge_id};
my $late = $t->post("/brief$path", key => $key, json => {
    judge_id => $brief, urls => ['https://vimeo.com/76979871'] })->json;
$t->wait_until(sub {
    $r = $t->get("/brief/evaluations/results/$late->{job_id}", key => $key);
    return $r->json->{status} ne 'processing';
}, 'the deadline');
is($r->json->{status}, 'failed', 'the job fails');
$r = $r->json->{results}[0];
is($r->{error}{code}, 'NO_WORKER', 'an address that no worker took');
like($r->{error}{message}, qr/^no external worker took the address by the/,
     'and says so in words');
is_deeply([ @{ $r->{provenance} }{qw(engine model attempts)} ],
          [ 'worker', undef, 0 ],
          'the built-in engine has no part in it, and nobody tried');

done_testing;
