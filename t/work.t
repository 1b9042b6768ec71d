# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Work for external workers over real sockets: claimed, waited for, prolonged,
# given back, lost and taken by others; key frames; what can't be measured;
# and what judges learn of what was measured.

use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();

use Judge::Test;

my $t = Judge::Test->new(
    orgs   => 2,
    http   => 'judge_store @DIR@/tired name=tired attempts=2;',
    judge  => 'default',
    server => 'location /tired/ { judge tired; }');

my $json     = JSON::PP->new->utf8->canonical;
my $claim    = '/v1/work/claim';
my $callback = '/api/video-evaluations/callback';
my $judge    = $t->new_judge(content_type => 'video');
my @criteria = @{ $t->get("/judges/$judge")->json->{criteria} };
my $jpeg     = "\xff\xd8\xff\xe0 and what follows";
my $clips    = 76979870;
my $r;

# --- Helpers --------------------------------------------------------------

# Evaluations of videos elsewhere; their items.

sub clips {
    my ($n, %fields) = @_;

    my %as = map { $_ => delete $fields{$_} } grep { $fields{$_} }
             qw(key org prefix);
    my $path = delete($as{prefix}) // '';
    my @urls = map { 'https://vimeo.com/' . ++$clips } 1 .. $n;

    my $r = $t->post("$path/v1/evaluations/social-media", %as,
                     json => { judge_id => $judge, urls => \@urls, %fields });
    die $r->body if $r->status != 202;

    return @{ $r->json->{items} };
}

# What a claim brings.

sub claimed {
    my ($body, %opt) = @_;

    my $path = delete($opt{prefix}) // '';
    my $r    = $t->post("$path$claim", json => $body, %opt);
    die $r->body if $r->status != 200;

    return @{ $r->json->{work} };
}

sub beat {
    my ($work, %opt) = @_;

    my $path = delete($opt{prefix}) // '';
    my %as   = map { $_ => delete $opt{$_} } grep { exists $opt{$_} }
               qw(key org);
    return $t->post("$path/v1/work/$work->{evaluation_id}/heartbeat", %as,
                    json => { lease_id => $work->{lease_id}, %opt });
}

sub release {
    my ($work, %more) = @_;
    return $t->post("/v1/work/$work->{evaluation_id}/release",
                    json => { lease_id => $work->{lease_id}, %more });
}

sub frame {
    my ($work, $position, %opt) = @_;

    my $query = $opt{query} // "lease_id=$work->{lease_id}&at=1.5";
    return $t->put("/work/$work->{evaluation_id}/frames/$position?$query",
                   body => $opt{body} // $jpeg,
                   headers => [ 'Content-Type' =>
                                $opt{type} // 'image/jpeg' ],
                   map { $_ => $opt{$_} } grep { $opt{$_} } qw(key org));
}

# The callback; scores are numbers, undef where it can't be measured.

sub report {
    my ($work, $scores, %more) = @_;

    my $bytes = $json->encode({
        evaluation_id => $work->{evaluation_id},
        content_id    => $work->{content}{content_id} // $work->{content_id},
        $scores ? (status => 'completed') : (status => 'failed'),
        $scores ? (results => {
            criteria_scores => [ map { {
                criterion_id => $criteria[$_]{criterion_id},
                defined $scores->[$_] ? (score => $scores->[$_])
                                      : (measurable => JSON::PP::false),
                feedback => 'As it is.',
            } } 0 .. $#$scores ],
            $more{features} ? (processing_metadata => {
                features => $more{features} }) : (),
        }) : (error => { code => 'BROKEN', message => 'It is broken.' }),
        %{ $more{beside} // {} } });

    return $t->post($callback, key => undef, body => $bytes, headers => [
        'Content-Type' => 'application/json', 'X-Webhook-Signature' =>
            'sha256=' . hmac_sha256_hex($bytes, $t->org->{secret}),
        $more{strict} ? (Prefer => 'handling=strict') : () ]);
}

sub chunk {
    my ($work, $percent, $secret) = @_;

    my $bytes = $json->encode({
        evaluation_id => $work->{evaluation_id}, status => 'processing',
        content_id => $work->{content}{content_id},
        defined $percent ? (progress_percentage => $percent) : () });

    return $t->post($callback, key => undef, body => $bytes, headers => [
        'Content-Type' => 'application/json', 'X-Webhook-Signature' =>
            'sha256=' . hmac_sha256_hex($bytes, $secret
                                        // $t->org->{secret}) ]);
}

sub status_of { $t->get("/evaluations/$_[0]")->json }

# Leases run out, behind the service's back.

sub expire { $t->alter('update evaluations set work_until = 1'
                       . ' where work_until is not null') }

# Nothing is left to be claimed.

sub clear {
    expire();
    report($_, [ 50, 50 ]) for map { claimed({ max => 16 }) } 1 .. 10;
    is(scalar claimed({ max => 16 }), 0, 'nothing is left');
}

sub uploaded {
    my ($type, $bytes) = @_;

    my $p = $t->post('/v1/evaluations/presigned-upload', json => {
        name => "A $type", file_type => $type,
        metadata => { scene => 'beach' } })->json;
    status_is($t->put($p->{upload_url} =~ s{^http://localhost}{}r,
                      key => undef, body => $bytes, headers => [
                          'Content-Type' => $p->{headers}{'Content-Type'} ]),
              200, "uploaded: $type");
    $t->wait_until(sub {
        $t->get("/content/$p->{content_id}")->json->{status} eq 'ready'
    }, 'the content');

    return $p->{content_id};
}

# --- Claimed --------------------------------------------------------------

is_deeply([ claimed({}) ], [], 'nothing to be done');
is_deeply($t->post($claim)->json, { work => [] }, 'nor without a body');

my ($item) = clips(1);
my ($work) = claimed({});
is($work->{evaluation_id}, $item->{evaluation_id}, 'an evaluation');
like($work->{lease_id}, qr/^lea_[0-9A-Z]{26}$/, 'lease_id');
time_is($work->{$_}, $_) for qw(lease_expires_at created_at deadline);
is($work->{attempt}, 1, 'the first attempt');
is($work->{priority}, 'normal', 'priority');
is($work->{callback_url}, "http://localhost$callback", 'callback_url');
is($work->{content}{content_id}, $item->{content_id}, 'the content');
is($work->{content}{url}, 'https://vimeo.com/76979871', 'is where it is');
is($work->{content}{file_type}, 'video', 'is a video');
ok(!exists $work->{content}{download_url}, 'and no file of ours');
is($work->{judge}{judge_id}, $judge, 'the judge');
is($work->{judge}{version}, 1, 'its version');
is_deeply([ map { @$_{qw(criterion_id name description)} }
            @{ $work->{judge}{criteria} } ],
          [ map { @$_{qw(criterion_id name description)} } @criteria ],
          'its criteria');
is_deeply([ claimed({}) ], [], 'nobody else gets it');
is_deeply([ claimed({}, org => 1) ], [], 'no other organization at all');
is(status_of($item->{evaluation_id})->{attempts}, 1,
   'the record says how often it was tried');

error_is(report($work, [ 60, 80 ], beside => { eror => {} }, strict => 1), 400,
         qr/^not known here: eror; did you mean error\?$/,
         'what a report may not have, strictly');
$r = report($work, [ 60, 80 ], beside => { extra => 1 });
status_is($r, 200, 'its result');
is($r->header('Judge-Ignored'), 'extra', 'with what is not known in it');
is(status_of($item->{evaluation_id})->{overall_score}, 70, 'is there');
is_deeply([ claimed({}) ], [], 'and it is not given again');

permission_is($t, 'work:claim', POST => $claim, json => {});
error_is($t->post($claim, key => undef, json => {}), 401, undef, 'no key');

for ([ { kinds => [] }, qr/^kinds: / ], [ { kinds => 'video' }, qr/^kinds: / ],
     [ { kinds => ['text'] }, qr/^kinds: expected video, audio and image/ ],
     [ { kinds => [ 'video', 'video' ] }, qr/^kinds: / ],
     [ { kinds => [7] }, qr/^kinds\[0\]: / ],
     [ { sources => ['web'] }, qr/^sources: expected file and social_media/ ],
     [ { sources => [] }, qr/^sources: / ],
     [ { sources => [ 'file', 'file' ] }, qr/^sources: / ],
     (map { [ { max => $_ }, qr/^max: .*1 to 16/ ] } 0, 17, 1.5, '"1"'),
     (map { [ { wait => $_ }, qr/^wait: .*0 to 60/ ] } -1, 61),
     (map { [ { lease => $_ }, qr/^lease: .*1 to 600/ ] } 0, 601))
{
    my ($body, $says) = @$_;
    error_is($t->post($claim, json => $body), 400, $says,
             'refused: ' . $json->encode($body));
}

error_is($t->post($claim, body => '{', headers => [
    'Content-Type' => 'application/json' ]), 400, undef, 'half a body');
error_is($t->get($claim), 405, undef, 'another method');

# --- Files, kinds and sources ---------------------------------------------

my $bytes = "\0\0\0\x18ftypisom" . join '', map { chr($_ % 251) } 1 .. 5000;
my $video = uploaded(video => $bytes);
my $image = uploaded(image => "\xff\xd8\xff\xe0\0\x10JFIF\0" . 'x' x 100);
my $looks = $t->new_judge(content_type => 'image');
my $seen  = $t->new_evaluation($looks, $image, priority => 'high');
my $file  = $t->new_evaluation($judge, $video);
($item) = clips(1);

is(join(' ', map { $_->{evaluation_id} }
        claimed({ kinds => ['audio'], max => 3 })), '', 'no sound');
($work) = claimed({ kinds => ['image'], max => 3, sources => ['file'] });
is($work->{evaluation_id}, $seen, 'an image');
is($work->{content}{file_type}, 'image', 'is one');
is(scalar claimed({ kinds => ['image'] }), 0, 'there was one only');
($work) = claimed({ kinds => [ 'audio', 'video' ], sources => ['file'],
                    max => 5 });
is($work->{evaluation_id}, $file, 'a video in a file');
is($work->{content}{size}, length $bytes, 'its size');
is_deeply($work->{content}{metadata}{scene}, 'beach', 'its metadata');
ok(!exists $work->{content}{url}, 'no address elsewhere');

$r = $t->get($work->{content}{download_url} =~ s{^http://localhost}{}r,
             key => undef);
status_is($r, 200, 'it is downloaded without a key');
ok($r->body eq $bytes, 'byte by byte');
error_is($t->get($work->{content}{download_url}
                     =~ s{^http://localhost(.*cnt_\w+).*}{$1}r,
                 key => undef), 403, undef, 'but not unsigned');

($work) = claimed({ sources => ['social_media'], max => 5 });
is($work->{evaluation_id}, $item->{evaluation_id}, 'a video elsewhere');
clear();

# --- Order, batches, priority ---------------------------------------------

my %by = map { ($_ => (clips(1, priority => $_))[0]{evaluation_id}) }
         qw(low normal high);
is(join(' ', map { $_->{evaluation_id} } claimed({ max => 16 })),
   "$by{high} $by{normal} $by{low}", 'the most urgent first');
clear();

my @videos = map { uploaded(video => "$bytes $_") } 1 .. 3;
my $batch  = $t->post('/batches/evaluate', json => {
    name => 'B', judge_ids => [$judge], auto_start => JSON::PP::false,
    content_items => [ map { { content_id => $_ } } @videos ],
})->json->{batch_id};
is_deeply([ claimed({ max => 16 }) ], [], 'a batch that was not started');
status_is($t->post("/batches/$batch/start"), 200, 'is started');
my @works = claimed({ max => 2 });
is(scalar @works, 2, 'two of it');
push @works, claimed({ max => 16 });
is(scalar @works, 3, 'and the rest');
is(join(' ', sort map { $_->{content}{content_id} } @works),
   join(' ', sort @videos), 'are its contents');
is(join(' ', map { $_->{batch_id} } @works), "$batch $batch $batch",
   'batch_id');
status_is(report($_, [ 40, 60 ]), 200, 'a result') for @works;
my $ended = $t->get("/batches/$batch")->json;
is($ended->{status}, 'completed', 'ends it');
is($ended->{results_summary}{average_score}, 50, 'with its scores');

# --- Waiting --------------------------------------------------------------

$r = $t->post($claim, json => { wait => 1 });
is_deeply($r->json, { work => [] }, 'a wait in vain');
cmp_ok($r->seconds, '>=', 0.9, 'takes its time');

# Claims that wait, each in the hands of a worker process.

sub waiting {
    my ($n, %opt) = @_;

    my $bytes = $t->bytes(POST => $claim, json => { wait => 60, %opt },
                          headers => [ Expect => '100-continue' ]);
    my ($head, $body) = $bytes =~ /^(.*?\r\n\r\n)(.*)\z/s;

    return map {
        my $client = $t->connect;
        $client->send($head);
        defined $client->read_until(qr/^HTTP\S+ 100 .*?\r\n\r\n/s)
            or die "nobody takes the claim\n";
        $client->send($body);
        $client
    } 1 .. $n;
}

my @clients = waiting(4);
my @made = clips(4);
my @got  = map { $_->response } @clients;
is(join(' ', sort map { $_->json->{work}[0]{evaluation_id} } @got),
   join(' ', sort map { $_->{evaluation_id} } @made),
   'four that wait are woken, each with one');

# The client of one that waits leaves; nothing is lost.

my @gone = waiting(3);
$_->reset for @gone;
clear();

# A worker process that leaves answers those who wait.

@clients = waiting(4);
$t->reload(gone => 1) if !Judge::Nginx->single;
($item) = clips(1) if Judge::Nginx->single;
@got = map { $_->response } @clients;
is(scalar(grep { $_ && $_->status == 200 } @got), 4,
   'all are answered when nginx is reloaded') if !Judge::Nginx->single;
clear();

SKIP: {
    skip 'one process only', 1 if Judge::Nginx->single;

    # Two workers die while claims wait, and while some are held.

    @made    = clips(5);
    my @held = claimed({ max => 2 });
    @clients = waiting(6, kinds => ['audio']);
        $t->kill_worker for 1, 2;
    push @made, clips(5);
    expire();
    my %seen;
    while (my @more = claimed({ max => 3 })) {
        $seen{ $_->{evaluation_id} }++ for @more;
        status_is(report($_, [ 50, 70 ]), 200, 'a result') for @more;
    }
    is(join(' ', sort keys %seen),
       join(' ', sort map { $_->{evaluation_id} } @made),
       'killed workers lose nothing');
    is(scalar(grep { $_ != 1 } values %seen), 0, 'and nothing comes twice');
}

# --- At the same time -----------------------------------------------------

@made = clips(40);
@got  = map { @{ $_->json->{work} } }
        $t->at_once(map { [ POST => $claim, json => { max => 3 } ] } 1 .. 20);
is(scalar @got, 40, 'twenty at once get all there is');
is(join(' ', sort map { $_->{evaluation_id} } @got),
   join(' ', sort map { $_->{evaluation_id} } @made), 'each of them once');
clear();

# --- Leases ---------------------------------------------------------------

($item) = clips(1);
($work) = claimed({ lease => 1 });
my ($second) = claimed({ wait => 30 });
is($second->{evaluation_id}, $work->{evaluation_id},
   'what nobody prolongs goes to another');
is($second->{attempt}, 2, 'as the second attempt');
isnt($second->{lease_id}, $work->{lease_id}, 'with a lease of its own');

error_is(beat($work), 409, qr/^lease_id: .* in the hands of another worker$/,
         'the first one is told');
error_is(release($work), 409, undef, 'and gives nothing back');
error_is(frame($work, 0), 409, undef, 'nor sends pictures');

$r = beat($second, lease => 600);
status_is($r, 200, 'the second one prolongs it');
is($r->json->{lease_id}, $second->{lease_id}, 'lease_id');
cmp_ok($r->json->{lease_expires_at}, 'gt', $second->{lease_expires_at},
       'to later');
expire();
status_is(beat($second), 200, 'even too late, while nobody else has it');
is_deeply([ claimed({}) ], [], 'then it holds again');

error_is(beat($second, key => $t->key(1)), 404, 'there is no such evaluation',
         'another organization knows nothing');
error_is(beat({ %$second, evaluation_id => 'evl_x' }), 404, undef, 'nobody');
error_is(beat({ %$second, lease_id => 'lea_x' }), 409, undef, 'guessed');
# PostgreSQL refuses bytes that are no text.
error_is($t->post("/work/%ff/$_", json => { lease_id => 'lea_x' }),
         404, qr/^there is no such evaluation$/,
         "$_: an identifier that is not UTF-8 names no evaluation")
    for qw(heartbeat release);
error_is($t->put("/work/%ff/frames/0?lease_id=lea_x",
                 body => "\xff\xd8\xff\xe0",
                 headers => [ 'Content-Type' => 'image/jpeg' ]),
         404, qr/^there is no such evaluation$/,
         'a frame needs an evaluation');
error_is($t->post("/work/$item->{evaluation_id}/heartbeat", json => {}), 400,
         qr/^lease_id: required/, 'no lease');
error_is($t->post("/work/$item->{evaluation_id}/heartbeat"), 415, undef,
         'no body');
error_is(beat($second, lease => 0), 400, qr/^lease: /, 'a lease of nothing');
permission_is($t, 'work:claim',
              POST => "/work/$second->{evaluation_id}/heartbeat",
              json => { lease_id => $second->{lease_id} });

# How far it is.

error_is(beat($second, progress_percentage => $_), 400,
         qr/^progress_percentage: /, "progress $_") for -1, 101, 'x';
status_is(beat($second, progress_percentage => 40), 200, 'two fifths');
is(status_of($item->{evaluation_id})->{progress_percentage}, 40, 'are shown');
status_is(beat($second), 200, 'nothing new');
is(status_of($item->{evaluation_id})->{progress_percentage}, 40, 'is that');
$r = chunk($second, 62.5);
status_is($r, 200, 'more, by the callback');
is_deeply($r->json, { status => 'processing',
          (map { $_ => $item->{evaluation_id} } qw(id evaluation_id)),
          content_id => $item->{content_id} }, 'goes on');
is(status_of($item->{evaluation_id})->{progress_percentage}, 62.5, 'shown');
is($t->get("/evaluations?content_id=$item->{content_id}")
     ->json->{evaluations}[0]{progress_percentage}, 62.5, 'in lists, too');
error_is(chunk($second, $_), 400, qr/^progress_percentage: /,
         'a chunk of ' . ($_ // 'nothing')) for -1, 101, undef;
error_is(chunk({ %$second, content => { content_id => 'x' } }, 50), 400,
         qr/^content_id: /, 'of another content');
error_is(chunk($second, 50, 'whsec_x'), 401, undef, 'signed by somebody');

# Whoever has the result first: a lost lease does not make it worse.

status_is(report($work, [ 10, 30 ]), 200, 'the first one reports after all');
is(status_of($item->{evaluation_id})->{overall_score}, 20, 'which counts');
error_is(beat($second), 409, qr/^lease_id: the evaluation has ended, /,
         'the second one is told');
error_is(report($second, [ 90, 90 ]), 409, qr/has ended already, with anoth/,
         'its result comes too late');
status_is(report($second, [ 10, 30 ]), 200, 'the same result does not');
error_is(frame($second, 0), 409, undef, 'nor do pictures');
error_is(chunk($second, 90), 409, qr/has ended already$/, 'nor progress');

# --- Given back -----------------------------------------------------------

clips(1);
($work) = claimed({});
status_is(release($work), 204, 'given back');
error_is(release($work), 409, undef, 'once');
error_is(beat($work), 409, undef, 'the lease has gone');
($second) = claimed({});
is($second->{evaluation_id}, $work->{evaluation_id}, 'it is claimed again');
is($second->{attempt}, 2, 'that was an attempt');
status_is(release($second, delay => 3600, reason => "The disk is full."), 204,
          'given back for later');
$r = $t->get("/evaluations/$work->{evaluation_id}")->json;
is_deeply([ $r->{attempts}, $r->{waiting_for},
            @{ $r->{last_error} }{qw(code message)} ],
          [ 2, 'worker', 'GIVEN_BACK', 'The disk is full.' ],
          'the record shows the attempts, and why the last was given back');
is_deeply([ claimed({}) ], [], 'it rests');
expire();
is(scalar claimed({}), 1, 'until then');
error_is(release($work, delay => $_), 400, qr/^delay: .*0 to 3600/,
         "a delay of $_") for -1, 3601;
error_is($t->post("/work/evl_x/release", json => { lease_id => 'x' }), 404,
         undef, 'of nothing');
permission_is($t, 'work:claim',
              POST => "/work/$work->{evaluation_id}/release",
              json => { lease_id => $work->{lease_id} });
clear();

# --- Attempts and deadlines -----------------------------------------------

sub other {
    my ($name) = @_;
    my (undef, $out) = $t->run($t->repo . '/build/judge', '--store',
                               $t->dir . "/$name", '--json', 'org', 'create',
                               'B');
    my ($key) = $out =~ /"api_key":"([^"]+)"/;
    my $id    = $t->post("/$name/judges", key => $key, json => {
        name => 'J', description => '', content_type => 'video',
        criteria => [{ name => 'Grammar', description => 'a' }] })
        ->json->{judge_id};

    return ($id, key => $key, prefix => "/$name");
}

my ($tired, %tired) = other('tired');
my ($lost) = clips(1, judge_id => $tired, %tired);
for my $n (1, 2) {
    ($work) = claimed({ lease => 1, wait => 30 }, %tired);
    is($work->{attempt}, $n, "attempt $n, and nobody hears of it again");
}
my ($fresh) = clips(1, judge_id => $tired, %tired);
($work) = claimed({ wait => 30 }, %tired);
is($work->{evaluation_id}, $fresh->{evaluation_id}, 'another one is done');
$t->wait_until(sub {
    claimed({}, %tired);
    $r = $t->get("/tired/evaluations/$lost->{evaluation_id}",
                 key => $tired{key})->json;
    return $r->{status} eq 'failed';
}, 'the end of the attempts');
is($r->{error}{code}, 'ATTEMPTS_EXHAUSTED', 'what is lost twice fails');

# The deadline, here behind the service's back, ends it, held or not; retried,
# it is nobody's.

($item) = clips(1);
($work) = claimed({ lease => 600 });
$t->alter('update evaluations set queue_at = 1, deadline = 1'
          . " where id = '$work->{evaluation_id}'");
$t->wait_until(sub {
    status_of($work->{evaluation_id})->{status} eq 'failed'
}, 'its end');
is(status_of($work->{evaluation_id})->{error}{code}, 'TIMED_OUT',
   'the deadline ends it');
error_is(beat($work), 409, qr/has ended/, 'its worker is told');
status_is($t->post("/evaluations/$work->{evaluation_id}/retry"), 200,
          'what failed while it was held');
is((claimed({}))[0]{evaluation_id}, $item->{evaluation_id},
   'can be claimed when it is retried');
clear();

# --- Key frames -----------------------------------------------------------

my $pictured = $t->new_evaluation($judge, $video);
($work) = claimed({});
my $frames = "/evaluations/$work->{evaluation_id}/frames";
is_deeply($t->get($frames)->json, {
    evaluation_id => $work->{evaluation_id}, frames => [] }, 'no pictures');
status_is(frame($work, 3), 204, 'one');
status_is(frame($work, 0, query => "lease_id=$work->{lease_id}",
                body => $jpeg . 'x' x (256 * 1024 - length $jpeg)), 204,
          'a large one');
status_is(frame($work, 3, body => "$jpeg.", query =>
                "lease_id=$work->{lease_id}&at=2.25"), 204, 'one again');

is_deeply($t->get($frames)->json->{frames}, [
    { position => 0, at => 0, size => 256 * 1024,
      url => "http://localhost$frames/0" },
    { position => 3, at => 2.25, size => 1 + length $jpeg,
      url => "http://localhost$frames/3" } ], 'two by position');

$r = $t->get("$frames/3");
status_is($r, 200, 'one to look at');
is($r->header('Content-Type'), 'image/jpeg', 'a JPEG');
is($r->header('X-Content-Type-Options'), 'nosniff', 'and nothing else');
ok($r->body eq "$jpeg.", 'byte by byte');

error_is(frame($work, 1, body => $jpeg . 'x' x 256 x 1024), 413,
         qr/^the frame is larger than 262144 bytes$/, 'too large');
error_is(frame($work, 1, body => "\x89PNG\r\n\x1a\n"), 400,
         'body: expected a JPEG', 'no JPEG');
error_is(frame($work, 1, body => "\xff\xd8\xff"), 400, undef, 'a short one');
error_is(frame($work, 1, body => ''), 400, undef, 'nothing');
error_is(frame($work, 1, type => 'image/png'), 415, undef, 'another type');
error_is(frame($work, $_), 404, undef, "position $_") for qw(8 -1 00 x);
error_is(frame($work, 1, query => 'at=1'), 400, qr/^lease_id: /, 'no lease');
error_is(frame($work, 1, query => 'lease_id=lea_x'), 409, undef, 'guessed');
error_is(frame($work, 1, query => "lease_id=$work->{lease_id}&at=$_"), 400,
         qr/^at: /, "at $_") for -1, 1000001, 'x';
error_is(frame($work, 1, org => 1), 404, undef, 'another organization');
error_is($t->get("$frames$_", org => 1), 404, undef, 'sees nothing')
    for '', '/3';
error_is($t->get("$frames/$_"), 404, 'there is no such frame', "frame $_")
    for qw(1 8 x);
error_is($t->get('/evaluations/evl_x/frames'), 404, undef, 'of nothing');
permission_is($t, 'evaluations:read', GET => $_) for $frames, "$frames/3";
is(scalar @{ $t->get($frames)->json->{frames} }, 2, 'nothing was added');

status_is(report($work, [ 20, 30 ]), 200, 'its result');
is(scalar @{ $t->get($frames)->json->{frames} }, 2, 'they stay with it');
status_is($t->delete("/content/$video"), 204, 'the content is deleted');
error_is($t->get($frames), 404, undef, 'no pictures any more');
is($t->sql1('select count(*) from evaluation_frames'), 0, 'at all');

# --- What can't be measured -----------------------------------------------

clips(2);
my @both = claimed({ max => 2 });
error_is(report($both[0], [ undef, undef ]), 400,
         qr/^results\.criteria_scores: expected a score of one/,
         'nothing can be measured');
$r = $t->get("/evaluations/$both[0]{evaluation_id}")->json;
is($r->{status}, 'processing', 'it goes on');
status_is(report($both[0], [ undef, 64 ]), 200, 'one of two');
$r = status_of($both[0]{evaluation_id});
is($r->{overall_score}, 64, 'the other one is the overall score');
is_deeply([ map { "$_->{score} $_->{judged_by}" } @{ $r->{criteria_scores} } ],
          ['64 worker'], 'which alone stands among the scores');
is_deeply($r->{not_judged}, [ {
    criterion_id => $criteria[0]{criterion_id}, name => $criteria[0]{name},
    reason => 'As it is.' } ], 'the one without is not judged, and why');
is($r->{coverage}, 0.5, 'half of the weights is judged');
is_deeply($r->{review_reasons}, [], 'which nobody has to look at');
is($r->{summary}, 'Overall 64 of 100.', 'a summary');
status_is(report($both[0], [ undef, 64 ]), 200, 'the same again');
status_is(report($both[1], undef), 200, 'or it has failed');
clips(1);
my ($left) = claimed({ max => 1 });
status_is(report($left, [ 64 ]), 200, 'a score of the first criterion alone');
$r = status_of($left->{evaluation_id});
is_deeply([ map { $_->{criterion_id} } @{ $r->{not_judged} } ],
          [ $criteria[1]{criterion_id} ], 'what is left out is not judged');
is($r->{not_judged}[0]{reason}, 'The worker sent no score of it.', 'and why');
ok(!exists $r->{provenance}{overall}, 'the overall score is the mean');
is(status_of($both[1]{evaluation_id})->{error}{code}, 'BROKEN', 'with a code');

# Whatever looks at scores gets on without one.

$batch = $t->post('/batches/evaluate', json => {
    name => 'C', judge_ids => [$judge],
    content_items => [ map { { content_id => $_ } } @videos ],
})->json->{batch_id};
@works = claimed({ max => 16 });
status_is(report($_, [ undef, 64 ]), 200, 'of a batch') for @works;
is($t->get("/batches/$batch")->json->{results_summary}{average_score}, 64,
   'its average');
$r = $t->get("/batches/$batch/results?format=csv");
status_is($r, 200, 'as a table');
is(scalar(() = $r->body =~ /^(?:[^,\r\n]*,)*64,/mg), 3, 'with three scores')
    or diag($r->body);
$r = $t->get("/batches/$batch/results?format=jsonl");
is(scalar(() = $r->body =~ /"not_judged":\[\{/g), 3, 'as lines');

my @said = ({ type => 'approval', content => {
    approved => JSON::PP::true } }, { type => 'correction', content => {
    corrected_scores => { $criteria[0]{criterion_id} => 30 } } });
$r = $t->post("/batches/$batch/feedback", json => { feedback_entries => [
    map { { evaluation_id => $works[$_]{evaluation_id}, %{ $said[$_] } } }
        0, 1 ] });
status_is($r, 201, 'an approval, and a score where there was none');
is(join(' ', map { $_->{status} } @{ $r->json->{validation_results} }),
   'accepted accepted', 'are taken');
status_is($t->get("/judges/$judge/agreement"), 200, 'agreement');

# Taken up again, it is claimed again, as if for the first time.

status_is($t->post("/evaluations/$both[1]{evaluation_id}/retry"), 200,
          'retried');
($work) = claimed({});
is($work->{evaluation_id}, $both[1]{evaluation_id}, 'it is claimed again');
is($work->{attempt}, 1, 'from the first attempt on');
status_is(report($work, [ 50, 50 ]), 200, 'done');

# --- What was measured teaches --------------------------------------------

# People think the dark ones worse than the worker does, and by how much.

sub light { return 10 + $_[0] * 37 % 71 }

# So many that each fold has enough to learn more than a line from.
my @taught = clips(80);
my %n      = map { ($taught[$_]{evaluation_id} => $_) } 0 .. $#taught;
while (my @more = claimed({ max => 16 })) {
    for my $w (@more) {
        my $n = $n{ $w->{evaluation_id} };
        $r = report($w, [ 70, 60 + $n % 7 ], features => {
            brightness => light($n), sharpness => 50, unknown => 3,
            contrast => 'none' });
        status_is($r, 200, 'measured') if $r->status != 200;
    }
}
is($t->sql1('select count(*) from results where length(features) > 0'), 80,
   'features are kept');

for my $e (@taught) {
    my $n = $n{ $e->{evaluation_id} };
    $r = $t->post("/feedback/evaluation/$e->{evaluation_id}", json => {
        type => 'correction', content => { corrected_scores => {
            $criteria[0]{criterion_id} => 20 + light($n) * 0.8,
            $criteria[1]{criterion_id} => 60 + $n % 7 } } });
    status_is($r, 201, 'a correction') if $r->status != 201;
}

$t->wait_until(sub {
    $t->sql1('select count(*) from feedback where processed = 0') == 0
}, 'what was said is taken up');

my $job = $t->made('/training/jobs', 'job_id', json => {
    judge_id => $judge, training_type => 'full_retrain',
    training_config => {}, execution_options => {
        auto_deploy => JSON::PP::true } });
status_is($t->post("/training-jobs/$job/execute", json => {}), 200, 'trained');
my $trained;
$t->wait_until(sub {
    $trained = $t->get("/training/jobs/$job?include_logs=true")->json;
    return $trained->{status} =~ /^(?:completed|failed)$/;
}, 'the training', 60);
is($trained->{status}, 'completed', 'a judge of videos learns')
    or diag(explain($trained));
is($trained->{results}{new_model_version}, '2', 'and has a new version');

sub judged {
    my ($light, $score, %opt) = @_;

    my ($e) = clips(1);
    my ($w) = claimed({});
    is($w->{judge}{version}, 2, 'an evaluation by the new version');
    my @args = ($w, [ $score, 63 ], $opt{bare} ? () : (features => {
        brightness => $light, sharpness => 50 }));
    status_is(report(@args), 200, 'is reported');
    status_is(report(@args), 200, 'also twice');

    return status_of($e->{evaluation_id});
}

my ($dark, $fair) = (judged(12, 70), judged(78, 70));
my ($before, $after) = map { $_->{criteria_scores}[0] } $dark, $fair;
is($dark->{provenance}{calibrator}, $job, 'what was learned is applied');
is($before->{raw_score}, 70, 'the score of the worker is kept');
cmp_ok($before->{score}, '<', 45, 'a dark one is worse');
cmp_ok($after->{score}, '>', 65, 'a bright one is not');
like($before->{feedback}, qr/^As it is\. People's scores moved this from 70/,
     'it says why');
like($before->{feedback}, qr/brightness \(-\d/, 'and by what');
my $mean = ($before->{score} + $dark->{criteria_scores}[1]{score}) / 2;
cmp_ok(abs($dark->{overall_score} - $mean), '<', 0.02, 'the mean of them');
my ($none) = @{ judged(12, undef)->{criteria_scores} };
is("$none->{criterion_id} $none->{judged_by}",
   "$criteria[0]{criterion_id} corrections",
   'what the worker can give no score has one by what was learned');
cmp_ok($none->{score}, '<', 45, 'that of a dark one');
ok(!exists $none->{raw_score}, 'and there was no score before');
my $bare = judged(0, 70, bare => 1);
is($bare->{criteria_scores}[0]{score}, 70, 'nothing measured: as it came');
is_deeply($bare->{review_reasons}, ['features_missing'], 'and it is said');
is_deeply($fair->{review_reasons}, [], 'all was measured');

done_testing;
