# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Work for external workers over real sockets: claimed, waited for, prolonged,
# given back, lost and taken by others; and key frames.

use JSON::PP ();

use Judge::Test;
use Judge::Work;

my $t = Judge::Test->new(
    orgs   => 2,
    http   => 'judge_store @DIR@/tired name=tired attempts=2;',
    judge  => 'default',
    server => 'location /tired/ { judge tired; }');

my $json     = JSON::PP->new->utf8->canonical;
my $claim    = '/v1/work/claim';
my $judge    = $t->new_judge(content_type => 'video');
my @criteria = @{ $t->get("/judges/$judge")->json->{criteria} };
my $jpeg     = "\xff\xd8\xff\xe0 and what follows";
my $r;

works($t, judge => $judge);

# --- Helpers --------------------------------------------------------------

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

sub chunk {
    my ($work, $percent, %opt) = @_;

    return called_back({
        evaluation_id => $work->{evaluation_id}, status => 'processing',
        content_id => $work->{content}{content_id},
        defined $percent ? (progress_percentage => $percent) : () }, %opt);
}

sub status_of { $t->get("/evaluations/$_[0]")->json }

# Leases run out, behind the service's back.

sub expire { $t->alter('update evaluations set work_until = 1'
                       . ' where work_until is not null') }

# Nothing is left to be claimed.

sub clear {
    expire();
    report($_, [ 50, 50 ]) for map { claimed({ max => 16 }) } 1 .. 10;
    is(scalar claimed({ max => 16 }), 0, 'nothing is left to be claimed');
}

sub uploaded {
    my ($type, $bytes) = @_;

    my $p = $t->post('/v1/evaluations/presigned-upload', json => {
        name => "A $type", file_type => $type,
        metadata => { scene => 'beach' } })->json;
    status_is($t->put($p->{upload_url} =~ s{^http://localhost}{}r,
                      key => undef, body => $bytes, headers => [
                          'Content-Type' => $p->{headers}{'Content-Type'} ]),
              200, "a file of $type is uploaded");
    $t->wait_until(sub {
        $t->get("/content/$p->{content_id}")->json->{status} eq 'ready'
    }, 'the content');

    return $p->{content_id};
}

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

# An organization on another store: a judge of it, and as whom.

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

my $bytes = "\0\0\0\x18ftypisom" . join '', map { chr($_ % 251) } 1 .. 5000;
my $video = uploaded(video => $bytes);

subtest 'work is claimed and reported' => sub {
    is_deeply([ claimed({}) ], [],
              'a claim brings nothing where nothing is to be done');
    is_deeply($t->post($claim)->json, { work => [] }, 'a claim needs no body');

    my ($item) = clips(1);
    my ($work) = claimed({});
    is_deeply([ @$work{qw(evaluation_id attempt priority callback_url)} ],
              [ $item->{evaluation_id}, 1, 'normal',
                "http://localhost$CALLBACK" ],
              'a claim brings an evaluation and where to report it');
    like($work->{lease_id}, qr/^lea_[0-9A-Z]{26}$/, 'a claim brings a lease');
    time_is($work->{$_}, "$_ is a time")
        for qw(lease_expires_at created_at deadline);
    is_deeply([ @{ $work->{content} }{qw(content_id url file_type)} ],
              [ $item->{content_id}, 'https://vimeo.com/76979871', 'video' ],
              'a claim says which video is to be judged, and where it is');
    ok(!exists $work->{content}{download_url},
       'a video elsewhere is no file of ours');
    is_deeply([ @{ $work->{judge} }{qw(judge_id version)} ], [ $judge, 1 ],
              'a claim brings the judge in its version');
    is_deeply([ map { @$_{qw(criterion_id name description)} }
                @{ $work->{judge}{criteria} } ],
              [ map { @$_{qw(criterion_id name description)} } @criteria ],
              'a claim brings the criteria of the judge');
    is_deeply([ claimed({}) ], [],
              'an evaluation that is claimed is not claimed by another');
    is_deeply([ claimed({}, org => 1) ], [],
              "another organization can't claim an evaluation");
    is(status_of($item->{evaluation_id})->{attempts}, 1,
       'the record says how often an evaluation was tried');

    error_is(report($work, [ 60, 80 ], beside => { eror => {} }, strict => 1),
             400, qr/^not known here: eror; did you mean error\?$/,
             'a strict report with an unknown field is refused');
    $r = report($work, [ 60, 80 ], beside => { extra => 1 });
    status_is($r, 200, 'a report is taken');
    is($r->header('Judge-Ignored'), 'extra',
       'a report with an unknown field is told which was ignored');
    is(status_of($item->{evaluation_id})->{overall_score}, 70,
       'an evaluation has the scores of its report');
    is_deeply([ claimed({}) ], [],
              'an evaluation that has ended is not claimed again');

    permission_is($t, 'work:claim', POST => $claim, json => {});
    error_is($t->post($claim, key => undef, json => {}), 401, undef,
             'a claim needs a key');

    for ([ { kinds => [] }, qr/^kinds: / ],
         [ { kinds => 'video' }, qr/^kinds: / ],
         [ { kinds => ['text'] }, qr/^kinds: expected video, audio and im/ ],
         [ { kinds => [ 'video', 'video' ] }, qr/^kinds: / ],
         [ { kinds => [7] }, qr/^kinds\[0\]: / ],
         [ { sources => ['web'] }, qr/^sources: expected file and social_/ ],
         [ { sources => [] }, qr/^sources: / ],
         [ { sources => [ 'file', 'file' ] }, qr/^sources: / ],
         (map { [ { max => $_ }, qr/^max: .*1 to 16/ ] } 0, 17, 1.5, '"1"'),
         (map { [ { wait => $_ }, qr/^wait: .*0 to 60/ ] } -1, 61),
         (map { [ { lease => $_ }, qr/^lease: .*1 to 600/ ] } 0, 601))
    {
        my ($body, $says) = @$_;
        error_is($t->post($claim, json => $body), 400, $says,
                 'a claim is refused with ' . $json->encode($body));
    }

    error_is($t->post($claim, body => '{', headers => [
        'Content-Type' => 'application/json' ]), 400, undef,
             'a claim with half a body is refused');
    error_is($t->get($claim), 405, undef, 'GET of claims is refused');
};

subtest 'work is claimed by kinds and sources' => sub {
    my $image = uploaded(image => "\xff\xd8\xff\xe0\0\x10JFIF\0" . 'x' x 100);
    my $looks = $t->new_judge(content_type => 'image');
    my $seen  = $t->new_evaluation($looks, $image, priority => 'high');
    my $file  = $t->new_evaluation($judge, $video);
    my ($item) = clips(1);

    is(join(' ', map { $_->{evaluation_id} }
            claimed({ kinds => ['audio'], max => 3 })), '',
                'a claim of sounds brings no videos and no images');
    my ($work) = claimed({ kinds => ['image'], max => 3,
                           sources => ['file'] });
    is_deeply([ $work->{evaluation_id}, $work->{content}{file_type} ],
              [ $seen, 'image' ], 'a claim of images brings an image');
    is(scalar claimed({ kinds => ['image'] }), 0,
       'a claim of images brings nothing but images');
    ($work) = claimed({ kinds => [ 'audio', 'video' ], sources => ['file'],
                        max => 5 });
    is($work->{evaluation_id}, $file,
       'a claim of files brings a video in a file');
    is_deeply([ $work->{content}{size}, $work->{content}{metadata}{scene} ],
              [ length $bytes, 'beach' ],
              'a claim brings the size and the metadata of a file');
    ok(!exists $work->{content}{url}, 'a file has no address elsewhere');

    $r = $t->get($work->{content}{download_url} =~ s{^http://localhost}{}r,
                 key => undef);
    status_is($r, 200, 'a file is downloaded without a key');
    ok($r->body eq $bytes, 'a file is downloaded byte by byte');
    error_is($t->get($work->{content}{download_url}
                         =~ s{^http://localhost(.*cnt_\w+).*}{$1}r,
                     key => undef), 403, undef,
                             'an address without a signature gives no file');

    ($work) = claimed({ sources => ['social_media'], max => 5 });
    is($work->{evaluation_id}, $item->{evaluation_id},
       'a claim of social media brings a video elsewhere');
    clear();
};

subtest 'work comes by its priority, that of batches, too' => sub {
    my %by = map { ($_ => (clips(1, priority => $_))[0]{evaluation_id}) }
             qw(low normal high);
    is(join(' ', map { $_->{evaluation_id} } claimed({ max => 16 })),
       "$by{high} $by{normal} $by{low}",
       'the most urgent evaluation is claimed first');
    clear();

    my @videos = map { uploaded(video => "$bytes $_") } 1 .. 3;
    my $batch  = $t->post('/batches/evaluate', json => {
        name => 'B', judge_ids => [$judge], auto_start => JSON::PP::false,
        content_items => [ map { { content_id => $_ } } @videos ],
    })->json->{batch_id};
    is_deeply([ claimed({ max => 16 }) ], [],
              'a batch that was not started is not claimed');
    status_is($t->post("/batches/$batch/start"), 200, 'a batch is started');
    my @works = claimed({ max => 2 });
    is(scalar @works, 2, 'a claim brings two evaluations of a batch');
    push @works, claimed({ max => 16 });
    is(scalar @works, 3, 'a second claim brings the rest of a batch');
    is(join(' ', sort map { $_->{content}{content_id} } @works),
       join(' ', sort @videos), 'each content of a batch is claimed once');
    is(join(' ', map { $_->{batch_id} } @works), "$batch $batch $batch",
       'work of a batch names the batch');
    status_is(report($_, [ 40, 60 ]), 200,
              'a report on a batch is taken') for @works;
    my $ended = $t->get("/batches/$batch")->json;
    is_deeply([ $ended->{status}, $ended->{results_summary}{average_score} ],
              [ 'completed', 50 ],
              'a batch ends with the scores of its reports');
};

subtest 'claims that wait are woken' => sub {
    $r = $t->post($claim, json => { wait => 1 });
    is_deeply($r->json, { work => [] },
              'a claim that waits in vain brings nothing');
    cmp_ok($r->seconds, '>=', 0.9,
           'a claim that waits in vain takes its time');

    my @clients = waiting(4);
    my @made = clips(4);
    my @got  = map { $_->response } @clients;
    is(join(' ', sort map { $_->json->{work}[0]{evaluation_id} } @got),
       join(' ', sort map { $_->{evaluation_id} } @made),
       'claims that wait are woken, each with one evaluation');

    # The client of one that waits leaves; nothing is lost.

    my @gone = waiting(3);
    $_->reset for @gone;
    clear();

    # A worker process that leaves answers those who wait.

    @clients = waiting(4);
    $t->reload(gone => 1) if !Judge::Nginx->single;
    clips(1) if Judge::Nginx->single;
    @got = map { $_->response } @clients;
    is(scalar(grep { $_ && $_->status == 200 } @got), 4,
       'all claims are answered when nginx is reloaded')
        if !Judge::Nginx->single;
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
            status_is(report($_, [ 50, 70 ]), 200,
                      'a report is taken when workers were killed') for @more;
        }
        is(join(' ', sort keys %seen),
           join(' ', sort map { $_->{evaluation_id} } @made),
           'no evaluation is lost by killed workers');
        is(scalar(grep { $_ != 1 } values %seen), 0,
           'no evaluation comes twice when workers were killed');
    }
};

subtest 'claims at the same time share what there is' => sub {
    my @made = clips(40);
    my @got  = map { @{ $_->json->{work} } }
            $t->at_once(map { [ POST => $claim, json => { max => 3 } ] }
                        1 .. 20);
    is(scalar @got, 40, 'twenty claims at once get all there is');
    is(join(' ', sort map { $_->{evaluation_id} } @got),
       join(' ', sort map { $_->{evaluation_id} } @made),
       'no evaluation is claimed twice by claims at once');
    clear();
};

subtest 'work belongs to whoever has its lease' => sub {
    my ($item) = clips(1);
    my ($work) = claimed({ lease => 1 });
    my ($second) = claimed({ wait => 30 });
    is($second->{evaluation_id}, $work->{evaluation_id},
       'an evaluation whose lease ran out goes to another worker');
    is($second->{attempt}, 2,
       'an evaluation that goes to another worker is tried again');
    isnt($second->{lease_id}, $work->{lease_id},
         'another worker has a lease of its own');

    error_is(beat($work), 409,
             qr/^lease_id: .* in the hands of another worker$/,
             'a worker that lost its lease is told at its heartbeat');
    error_is(release($work), 409, undef,
             'a worker that lost its lease gives nothing back');
    error_is(frame($work, 0), 409, undef,
             'a worker that lost its lease sends no pictures');

    $r = beat($second, lease => 600);
    status_is($r, 200, 'a worker prolongs its lease');
    is($r->json->{lease_id}, $second->{lease_id},
       'a lease that is prolonged keeps its identifier');
    cmp_ok($r->json->{lease_expires_at}, 'gt', $second->{lease_expires_at},
           'a lease that is prolonged ends later');
    expire();
    status_is(beat($second), 200,
              'a lease is prolonged too late while nobody else has it');
    is_deeply([ claimed({}) ], [],
              'an evaluation whose lease is prolonged is not claimed');

    error_is(beat($second, key => $t->key(1)), 404,
             'there is no such evaluation',
             'another organization does not know the evaluation');
    error_is(beat({ %$second, evaluation_id => 'evl_x' }), 404, undef,
             'a heartbeat for an unknown evaluation is refused');
    error_is(beat({ %$second, lease_id => 'lea_x' }), 409, undef,
             'a heartbeat with a guessed lease is refused');
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
    error_is($t->post("/work/$item->{evaluation_id}/heartbeat", json => {}),
             400, qr/^lease_id: required/, 'a heartbeat needs a lease');
    error_is($t->post("/work/$item->{evaluation_id}/heartbeat"), 415, undef,
             'a heartbeat needs a body');
    error_is(beat($second, lease => 0), 400, qr/^lease: /,
             'a lease of no time is refused');
    permission_is($t, 'work:claim',
                  POST => "/work/$second->{evaluation_id}/heartbeat",
                  json => { lease_id => $second->{lease_id} });

    # How far it is.

    error_is(beat($second, progress_percentage => $_), 400,
             qr/^progress_percentage: /,
             "a heartbeat with progress $_ is refused")
        for -1, 101, 'x';
    status_is(beat($second, progress_percentage => 40), 200,
              'a heartbeat may say how far the work is');
    is(status_of($item->{evaluation_id})->{progress_percentage}, 40,
       'the record shows how far the work is');
    status_is(beat($second), 200,
              'a heartbeat need not say how far the work is');
    is(status_of($item->{evaluation_id})->{progress_percentage}, 40,
       'the record keeps how far the work is');
    $r = chunk($second, 62.5);
    status_is($r, 200, 'the callback may say how far the work is');
    is_deeply($r->json, { status => 'processing',
              (map { $_ => $item->{evaluation_id} } qw(id evaluation_id)),
              content_id => $item->{content_id} },
              'the callback answers that the evaluation goes on');
    is(status_of($item->{evaluation_id})->{progress_percentage}, 62.5,
       'the record shows the progress by the callback');
    is($t->get("/evaluations?content_id=$item->{content_id}")
         ->json->{evaluations}[0]{progress_percentage}, 62.5,
       'lists show how far the work is');
    error_is(chunk($second, $_), 400, qr/^progress_percentage: /,
             'the callback refuses a progress of ' . ($_ // 'nothing'))
        for -1, 101, undef;
    error_is(chunk({ %$second, content => { content_id => 'x' } }, 50), 400,
             qr/^content_id: /,
             'the callback refuses progress with another content');
    error_is(chunk($second, 50, secret => 'whsec_x'), 401, undef,
             'the callback refuses progress that somebody else signed');

    # Whoever has the result first: a lost lease does not make it worse.

    status_is(report($work, [ 10, 30 ]), 200,
              'a worker that lost its lease may report first');
    is(status_of($item->{evaluation_id})->{overall_score}, 20,
       'the first report counts');
    error_is(beat($second), 409, qr/^lease_id: the evaluation has ended, /,
             'the second worker is told that the evaluation has ended');
    error_is(report($second, [ 90, 90 ]), 409,
             qr/has ended already, with anoth/,
             "the second worker's report comes too late");
    status_is(report($second, [ 10, 30 ]), 200,
              "the second worker's report is taken when it is the same");
    error_is(frame($second, 0), 409, undef,
             'no pictures are taken of an evaluation that has ended');
    error_is(chunk($second, 90), 409, qr/has ended already$/,
             'no progress is taken of an evaluation that has ended');
};

subtest 'work that is given back goes to others' => sub {
    clips(1);
    my ($work) = claimed({});
    status_is(release($work), 204, 'work is given back');
    error_is(release($work), 409, undef, 'work is given back only once');
    error_is(beat($work), 409, undef,
             "a lease that was given back can't be prolonged");
    my ($second) = claimed({});
    is($second->{evaluation_id}, $work->{evaluation_id},
       'work that was given back is claimed again');
    is($second->{attempt}, 2, 'work that was given back counts as an attempt');
    status_is(release($second, delay => 3600, reason => 'The disk is full.'),
              204, 'work is given back for later');
    $r = $t->get("/evaluations/$work->{evaluation_id}")->json;
    is_deeply([ $r->{attempts}, $r->{waiting_for},
                @{ $r->{last_error} }{qw(code message)} ],
              [ 2, 'worker', 'GIVEN_BACK', 'The disk is full.' ],
              'the record says how often it was tried, and why given back');
    is_deeply([ claimed({}) ], [], 'work that was given back for later rests');
    expire();
    is(scalar claimed({}), 1,
       'work that was given back for later is claimed then');
    error_is(release($work, delay => $_), 400, qr/^delay: .*0 to 3600/,
             "a delay of $_ is refused") for -1, 3601;
    error_is($t->post("/work/evl_x/release", json => { lease_id => 'x' }), 404,
             undef, "an unknown evaluation can't be given back");
    permission_is($t, 'work:claim',
                  POST => "/work/$work->{evaluation_id}/release",
                  json => { lease_id => $work->{lease_id} });
    clear();
};

subtest 'work ends with its attempts, and at its deadline' => sub {
    my ($tired, %tired) = other('tired');
    my $work;
    my ($lost) = clips(1, judge_id => $tired, %tired);
    for my $n (1, 2) {
        ($work) = claimed({ lease => 1, wait => 30 }, %tired);
        is($work->{attempt}, $n,
           "attempt $n is claimed, and nobody hears of it again");
    }
    my ($fresh) = clips(1, judge_id => $tired, %tired);
    ($work) = claimed({ wait => 30 }, %tired);
    is($work->{evaluation_id}, $fresh->{evaluation_id},
       'another evaluation is claimed when the attempts of one end');
    $t->wait_until(sub {
        claimed({}, %tired);
        $r = $t->get("/tired/evaluations/$lost->{evaluation_id}",
                     key => $tired{key})->json;
        return $r->{status} eq 'failed';
    }, 'the end of the attempts');
    is($r->{error}{code}, 'ATTEMPTS_EXHAUSTED',
       'an evaluation that is lost twice fails');

    # The deadline, here behind the service's back, ends it, held or not;
    # retried, it is nobody's.

    my ($item) = clips(1);
    ($work) = claimed({ lease => 600 });
    $t->alter('update evaluations set queue_at = 1, deadline = 1'
              . " where id = '$work->{evaluation_id}'");
    $t->wait_until(sub {
        status_of($work->{evaluation_id})->{status} eq 'failed'
    }, 'its end');
    is(status_of($work->{evaluation_id})->{error}{code}, 'TIMED_OUT',
       'an evaluation fails at its deadline');
    error_is(beat($work), 409, qr/has ended/,
             'a worker is told that the deadline has ended its work');
    status_is($t->post("/evaluations/$work->{evaluation_id}/retry"), 200,
              'an evaluation that failed while it was held is retried');
    is((claimed({}))[0]{evaluation_id}, $item->{evaluation_id},
       'an evaluation that is retried can be claimed');
    clear();
};

subtest 'frames of a video are kept with its evaluation' => sub {
    my $pictured = $t->new_evaluation($judge, $video);
    my ($work) = claimed({});
    my $frames = "/evaluations/$work->{evaluation_id}/frames";
    is_deeply($t->get($frames)->json, {
        evaluation_id => $work->{evaluation_id}, frames => [] },
            'an evaluation has no frames to begin with');
    status_is(frame($work, 3), 204, 'a frame is taken');
    status_is(frame($work, 0, query => "lease_id=$work->{lease_id}",
                    body => $jpeg . 'x' x (256 * 1024 - length $jpeg)), 204,
              'a frame of the most bytes is taken');
    status_is(frame($work, 3, body => "$jpeg.", query =>
                    "lease_id=$work->{lease_id}&at=2.25"), 204,
              'a frame is taken again in place of the first');

    is_deeply($t->get($frames)->json->{frames}, [
        { position => 0, at => 0, size => 256 * 1024,
          url => "http://localhost$frames/0" },
        { position => 3, at => 2.25, size => 1 + length $jpeg,
          url => "http://localhost$frames/3" } ],
              'frames are listed by position');

    $r = $t->get("$frames/3");
    status_is($r, 200, 'a frame can be looked at');
    is_deeply([ map { $r->header($_) }
                    qw(Content-Type X-Content-Type-Options) ],
              [ qw(image/jpeg nosniff) ],
              'a frame is a JPEG and nothing else');
    ok($r->body eq "$jpeg.", 'a frame has its bytes');

    error_is(frame($work, 1, body => $jpeg . 'x' x 256 x 1024), 413,
             qr/^the frame is larger than 262144 bytes$/,
             'a frame that is too large is refused');
    error_is(frame($work, 1, body => "\x89PNG\r\n\x1a\n"), 400,
             'body: expected a JPEG', 'a frame that is no JPEG is refused');
    error_is(frame($work, 1, body => "\xff\xd8\xff"), 400, undef,
             'a frame that is too short is refused');
    error_is(frame($work, 1, body => ''), 400, undef,
             'a frame without bytes is refused');
    error_is(frame($work, 1, type => 'image/png'), 415, undef,
             'a frame of another type is refused');
    error_is(frame($work, $_), 404, undef,
             "a frame at position $_ is refused") for qw(8 -1 00 x);
    error_is(frame($work, 1, query => 'at=1'), 400, qr/^lease_id: /,
             'a frame without a lease is refused');
    error_is(frame($work, 1, query => 'lease_id=lea_x'), 409, undef,
             'a frame with a guessed lease is refused');
    error_is(frame($work, 1, query => "lease_id=$work->{lease_id}&at=$_"), 400,
             qr/^at: /, "a frame at second $_ is refused")
        for -1, 1000001, 'x';
    error_is(frame($work, 1, org => 1), 404, undef,
             'a frame of another organization is refused');
    error_is($t->get("$frames$_", org => 1), 404, undef,
             'another organization sees no frames')
        for '', '/3';
    error_is($t->get("$frames/$_"), 404, 'there is no such frame',
             "there is no frame $_")
        for qw(1 8 x);
    error_is($t->get('/evaluations/evl_x/frames'), 404, undef,
             'an unknown evaluation has no frames');
    permission_is($t, 'evaluations:read', GET => $_) for $frames, "$frames/3";
    is(scalar @{ $t->get($frames)->json->{frames} }, 2,
       'a frame that is refused is not added');

    status_is(report($work, [ 20, 30 ]), 200,
              'a report on an evaluation with frames is taken');
    is(scalar @{ $t->get($frames)->json->{frames} }, 2,
       'frames stay with an evaluation that has ended');
    status_is($t->delete("/content/$video"), 204,
              'the content of frames is deleted');
    error_is($t->get($frames), 404, undef,
             'no frames can be read when their content is deleted');
    is($t->sql1('select count(*) from evaluation_frames'), 0,
       'no frames are stored when their content is deleted');
};

done_testing;
