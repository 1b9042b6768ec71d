# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Videos on social media over real sockets, and the callback of the workers
# that evaluate them.

use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();

use Judge::Test;
use Judge::Work;

my $t = Judge::Test->new(
    orgs   => 2,
    store  => 'max_body=64k',
    http   => 'judge_store @DIR@/brief name=brief callback_deadline=1s;',
    judge  => 'default',
    server => 'location /brief/ { judge brief; }');

my $json     = JSON::PP->new->utf8->canonical;
my $path     = '/v1/evaluations/social-media';
my $judge    = $t->new_judge(content_type => 'video');
my @criteria = @{ $t->get("/judges/$judge")->json->{criteria} };
my $r;

works($t);

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
            strengths => ['The light'],
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

my %asked = (judge_id => $judge, priority => 'high',
    metadata => { campaign => 7, platform => 'mine' },
    urls => [ 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=43s',
              'https://youtu.be/dQw4w9WgXcQ?si=x',
              'https://vimeo.com/76979871' ]);
my @key = (headers => [ 'Idempotency-Key' => 'k1' ]);
$r = $t->post($path, json => \%asked, @key);
status_is($r, 202, 'addresses of videos are taken');
my ($job, @items) = ($r->json->{job_id}, @{ $r->json->{items} });
is($r->json->{status}, 'processing', 'a job of videos is processing');
like($job, qr/^job_[0-9A-HJKMNP-TV-Z]{26}$/, 'a job has an identifier');
is_deeply([ map { "$_->{url} $_->{platform} $_->{video_id} $_->{status}" }
            @items ],
          [ map { "$asked{urls}[$_->[0]] $_->[1] processing" }
            [ 0, 'youtube dQw4w9WgXcQ' ], [ 1, 'youtube dQw4w9WgXcQ' ],
            [ 2, 'vimeo 76979871' ] ],
          'each address comes back as it was sent, with what it is of');
is_deeply([ @{ $items[0] }{qw(evaluation_id content_id)} ],
          [ @{ $items[1] }{qw(evaluation_id content_id)} ],
          'two addresses of one video have one evaluation');
isnt($items[0]{evaluation_id}, $items[2]{evaluation_id},
     'two videos have an evaluation each');
is($t->post($path, json => \%asked, @key)->json->{job_id}, $job,
   'the same Idempotency-Key gives the same job');

my $video = $t->get("/content/$items[0]{content_id}")->json;
is_deeply([ @$video{qw(file_type status file_url metadata)} ],
          [ 'video', 'ready', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
            { platform => 'youtube', video_id => 'dQw4w9WgXcQ',
              url => $asked{urls}[0], campaign => 7 } ],
          'a video is a content with what is known of it');

is($t->sql1('select count(*) from evaluations where judge_id = '
            . "'$judge' and queue_at is not null"), 3,
   'the evaluations wait for a worker');

$r = $t->get("/v1/evaluations/results/$job");
is(join(' ', map { $r->json->{$_} } qw(status total completed failed)),
   'processing 2 0 0', 'the job counts its evaluations');
is_deeply([ map { [ map { $_->{evaluation_id} } @$_ ] }
            $t->pages("/v1/evaluations/results/$job?limit=1", 'results') ],
          [ map { [ $_->{evaluation_id} ] } @items[2, 0] ],
          'the evaluations of a job are read in pages, the newest first');
error_is($t->get("/v1/evaluations/results/$job", org => 1), 404,
         qr/no such job/, 'another organization does not see the job');

error_is($t->post($path, json => { judge_id => $judge, urls => [
             'https://vimeo.com/76979871', 'https://vimeo.com@127.0.0.1/1' ]
         }), 400, qr/^urls\[1\]: expected /,
         'an address that is none of a video is named');

error_is($t->post($path, org => 1, json => { judge_id => $judge,
             urls => ['https://vimeo.com/76979871'] }), 404, undef,
         'the judge of another organization is not found');

# --- Reported --------------------------------------------------------------

my $done = result($items[0], 80, 91);

error_is(called_back($done, org => 1), 401,
         qr/^there is no such evaluation, or /,
         'a report that another organization signed is refused');
error_is(called_back($done, sign => undef), 401, qr/^X-Webhook-Signature: /,
         'a report without a signature is refused');
$r = called_back($json->encode($done) . ' ', sign => 'sha256='
            . hmac_sha256_hex($json->encode($done), $t->org->{secret}));
error_is($r, 401, undef,
         'a report that is longer than what was signed is refused');
ok($r->header('WWW-Authenticate'),
   'the refusal of a signature asks for another one');
error_is(called_back($done, type => 'text/plain'), 415, undef,
         'a report of another type than JSON is refused');
error_is(called_back('{'), 400, undef, 'half a report is refused');
error_is(called_back('x' x 70_000), 413, undef,
         'a report that is too large is refused');
error_is($t->get($CALLBACK, key => undef), 405, undef,
         'the callback takes POST only');
my $wrong = result($items[0], 80, 91);
$wrong->{results}{criteria_scores}[1]{score} = 101;
error_is(called_back($wrong), 400,
         qr/^results\.criteria_scores\[1\]\.score: .* 0 to 100$/,
         'a report with a wrong score is refused');

is($t->get("/evaluations/$items[0]{evaluation_id}")->json->{status},
   'processing', 'refused reports leave the evaluation as it was');

# A worker may weigh the criteria in another way than the judge does.
$done->{results}{overall_score} = 50;
$r = called_back($done, chunk => 50, delay => 0.001);
status_is($r, 200, 'a report is taken');
is_deeply([ @{ $r->json }{qw(evaluation_id content_id status)} ],
          [ @{ $items[0] }{qw(evaluation_id content_id)}, 'completed' ],
          'the answer to a report says what it ended');
my $e = $t->get("/evaluations/$items[1]{evaluation_id}")->json;
is_deeply([ @$e{qw(status overall_score strengths)},
            map { $_->{score} } @{ $e->{criteria_scores} } ],
          [ 'completed', 50, ['The light'], 80, 91 ],
          'a report completes its evaluation with the scores that were sent');
is($e->{provenance}{overall}, 'reported',
   'the record says that the overall score was sent');
is($e->{criteria_scores}[1]{feedback}, "Reason 1, with an \x{e9}.",
   'a reason is kept as it was sent');
is($e->{processing_metadata}{resolution}{width}, 1920,
   'what the worker says about its processing is kept');
is_deeply([ $e->{engine}, $e->{provenance}{engine} ],
          [ 'worker/1', 'worker' ], 'the record says that a worker judged');
time_is($e->{evaluated_at}, 'the record says when it was made');

$done->{callback_metadata}{retry_count} = 1;
$r = called_back($done);
status_is($r, 200, 'the same report is taken again');
is($r->json->{status}, 'completed',
   'a report that comes again is answered as before');
error_is(called_back(result($items[0], 80, 92)), 409, qr/with another result$/,
         'another result is refused');
is_deeply($t->get("/evaluations/$items[0]{evaluation_id}")->json, $e,
          'a refused result changes nothing');

$r = $t->get("/v1/evaluations/results/$job");
is(join(' ', map { $r->json->{$_} } qw(status total completed failed)),
   'processing 2 1 0', 'the job goes on after one of two results');

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
}, 'four who wait');
status_is(called_back(result({ content_id => $items[2]{content_id}, %$_ },
                        60, 70)), 200, 'a result is taken for each who waits')
    for map { { evaluation_id => $_->{evaluation_id} } } @$found;
my @answers = map { $_->response } @waiting;
is(join(' ', map { $_->json->{overall_score} } @answers), '65 65 65 65',
   'each who waits is told the result');

$r = $t->get("/v1/evaluations/results/$job");
is(join(' ', map { $r->json->{$_} } qw(status total completed failed)),
   'completed 2 2 0', 'the job ends with its last result');
status_is($t->delete("/content/$items[0]{content_id}"), 204,
          'a content of a job is deleted');
is($t->get("/v1/evaluations/results/$job")->json->{total}, 1,
   'an evaluation whose content is deleted is not counted');

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
is($r->json->{status}, 'failed', 'the job of a video that nobody took fails');
$r = $r->json->{results}[0];
is($r->{error}{code}, 'NO_WORKER', 'the error says that there was no worker');
like($r->{error}{message}, qr/^no external worker took the address by the/,
     'the error says in words that no worker took the address');
is_deeply([ @{ $r->{provenance} }{qw(engine model attempts)} ],
          [ 'worker', undef, 0 ],
          'a video that nobody took was not tried by any engine');

done_testing;
