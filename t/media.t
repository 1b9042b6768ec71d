# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The whole way of media: files that FFmpeg makes, good ones and those with
# one fault each, are uploaded, judged by two reference workers
# (util/media-worker), and come out with low scores where the fault is, and
# only there.

use Judge::Test;

use Judge::Media;
use Judge::OpenAI;
use Judge::Receiver;

plan(skip_all => 'FFmpeg is not installed: see util/dev/deps')
    if !Judge::Media->can_make;
plan(skip_all => 'build/media-worker is not built: see util/dev/deps media')
    if !-x Judge::Media->program;

# The other ports are those of services that behave oddly: one sends
# downloads elsewhere, one tells the addresses of another, one takes no
# reports.
my $t = Judge::Test->new(server => <<"CONF", http => <<'HTTP');
location /judge-webhooks {
    judge_outbound allow=127.0.0.0/8;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF
proxy_set_header Host $http_host;

server {
    listen 127.0.0.1:@PORT1@;
    access_log off;
    location / { proxy_pass http://127.0.0.1:@PORT@; }
    location /files/ { return 302 http://127.0.0.1:@PORT@$request_uri; }
}

server {
    listen 127.0.0.1:@PORT2@;
    access_log off;
    location / {
        proxy_set_header Host 127.0.0.1:@PORT@;
        proxy_pass http://127.0.0.1:@PORT@;
    }
}

server {
    listen 127.0.0.1:@PORT3@;
    access_log off;
    location / { proxy_pass http://127.0.0.1:@PORT@; }
    location /api/ { return 503; }
}
HTTP

my $media    = Judge::Media->new($t);
my $receiver = Judge::Receiver->start;

status_is($t->put('/config/webhooks', json => { enabled => JSON::PP::true,
              url => $receiver->url('/ok'), events => [qw(
                  evaluation.completed evaluation.failed batch.started
                  batch.progress batch.completed)] }), 200,
          'webhooks for evaluations and batches are set');

# What a judge of videos asks for; the last can't be measured.
my @video = (
    [ sharp   => 'Sharpness', 'The picture is sharp and in focus.' ],
    [ light   => 'Exposure', 'Well lit: neither too dark nor too bright.' ],
    [ black   => 'Black', 'There is no black or blank picture.' ],
    [ frozen  => 'Freezing', 'The picture is never frozen or stuck.' ],
    [ loud    => 'Loudness', 'The volume is as it should be.' ],
    [ clean   => 'Distortion', 'No clipping and no overload.' ],
    [ silence => 'Silence', 'No silent passages; it is never muted.' ],
    [ story   => 'Story', 'The story is told well.' ],
);
my @audio = grep { $_->[0] =~ /^(?:loud|clean|silence|story)$/ } @video;
my @image = grep { $_->[0] =~ /^(?:sharp|light|story)$/ } @video;

my %rubric = (video => \@video, audio => \@audio, image => \@image);
my %judge  = map {
    $_ => $t->new_judge(name => "Judge of $_", content_type => $_,
        criteria => [ map { { name => $_->[1], description => $_->[2] } }
                      @{ $rubric{$_} } ])
} keys %rubric;

my %name_of = map { $_->[1] => $_->[0] } @video;


# --- Helpers --------------------------------------------------------------

sub promise {
    my ($file, %fields) = @_;

    my ($type, $extension) = Judge::Media::kind($file);
    my $r = $t->post('/v1/evaluations/presigned-upload', json => {
        name => $file, file_type => $type, file_extension => $extension,
        %fields });

    die $r->body if $r->status != 201;
    return $r->json;
}

# Uploads one to where the service says; the promise.

sub uploaded {
    my ($file, %fields) = @_;

    my $p = promise($file, %fields);
    my $r = $t->put($p->{upload_url} =~ s{^http://localhost}{}r, key => undef,
                    body => $media->bytes($file),
                    headers => [ %{ $p->{headers} } ]);

    die "$file: " . $r->body if $r->status != 200;
    return $p;
}

# Scores by the short names of the criteria.

sub scores {
    my ($e) = @_;
    return { map { $name_of{ $_->{name} } => $_->{score} }
             @{ $e->{criteria_scores} // [] } };
}

sub feedback {
    my ($e, $name) = @_;
    my ($c) = grep { $name_of{ $_->{name} } eq $name }
              @{ $e->{criteria_scores} // [] }, @{ $e->{not_judged} // [] };
    return $c->{feedback} // $c->{reason} // '';
}


# --- Media ----------------------------------------------------------------

$media->make;

# Each file: what it is like, which criteria see it, how low they get, and
# what they say.
my %fault = (
    'dark.mp4'    => [ { light => 50 }, light => qr/dark|bright/i ],
    'blurred.mp4' => [ { sharp => 65 }, sharp => qr/sharp|blur/i ],
    'black.mp4'   => [ { black => 60 },
                       black => qr/black from 0:01(?:\.\d)? to 0:02/i ],
    'frozen.mp4'  => [ { frozen => 60 },
                       frozen => qr/frozen from 0:01\.\d to 0:0[34]/i ],
    'silent.mp4'  => [ { loud => 50, silence => 50 },
                       silence => qr/silent from 0:00 to 0:0[34]/i ],
    'clipped.mp4' => [ { clean => 60, loud => 80 },
                       clean => qr/clip\w* .*0:0\d/i ],
    'quiet.wav'   => [ { loud => 60 }, loud => qr/LUFS/ ],
    'gap.wav'     => [ { silence => 70 },
                       silence => qr/silent from 0:01\.\d to 0:03/i ],
    'dark.png'    => [ { light => 50 }, light => qr/dark|bright/i ],
    'blurred.jpg' => [ { sharp => 50 }, sharp => qr/sharp|blur/i ],
);
my %good = map { $_ => 1 } qw(good.mp4 good.webm good.wav good.png good.jpg);
my %good_of = ('mp4' => 'good.mp4', wav => 'good.wav', png => 'good.png',
               jpg => 'good.jpg');

my %broken = (
    'truncated.mp4' => 'UNREADABLE',
    'truncated.webm' => 'TRUNCATED',
    'truncated.jpg' => 'DAMAGED',
    'lie.mp4'       => 'UNREADABLE',
    'noise.mp4'     => 'UNREADABLE',
    'sound.mp4'     => 'KIND_MISMATCH',
    'huge.png'      => 'TOO_LARGE',
);

my @files = sort keys %fault, keys %good, keys %broken;


# --- One batch of each kind, two workers ----------------------------------

my @workers = map { $media->worker } 1 .. 2;
my (%content, %file, %batch);
my ($other, $p);                       # another worker, and an upload

for my $file (@files) {
    my $p = uploaded($file);
    $content{$file} = $p->{content_id};
    $file{ $p->{content_id} } = $file;
}

for my $file (@files) {
    $t->wait_until(sub {
        $t->get("/content/$content{$file}")->json->{status} eq 'ready'
    }, "$file to be ready");
}

for my $kind (sort keys %judge) {
    $batch{$kind} = $t->new_batch($judge{$kind}, [
        map  { { content_id => $content{$_} } }
        grep { (Judge::Media::kind($_))[0] eq $kind } @files ]);
}

# One more by itself, as its upload asks.
my $single = uploaded('good.mp4', judge_id => $judge{video});

$t->batch_completed($_) for values %batch;

my %e;
for my $batch (values %batch) {
    for my $page ($t->pages("/evaluations?batch_id=$batch&limit=100",
                            'evaluations')) {
        $e{ $file{ $_->{content_id} } } =
            $t->get("/evaluations/$_->{evaluation_id}")->json for @$page;
    }
}

is(scalar keys %e, scalar @files, 'every file is judged');


subtest 'good files have high scores' => sub {
    for my $file (sort keys %good) {
        my $e = $e{$file};
        is($e->{status}, 'completed',
           "$file has completed") or diag(explain($e));

        my $scores = scores($e);
        my @low    = grep { defined $scores->{$_} && $scores->{$_} < 75 }
                     sort keys %$scores;
        is(join(' ', map { "$_ $scores->{$_}" } @low), '',
           "$file has high scores throughout");
        is($scores->{story}, undef,
           "$file gets no score for its story, which nobody measures");
        my ($no) = grep { $name_of{ $_->{name} } eq 'story' }
                   @{ $e->{not_judged} };
        like($no->{reason}, qr/^Not measurable/,
             "$file has the reason why its story is not judged");
        like($e->{provenance}{model}, qr/^media-worker 1/,
             "$file has the worker as its model");
    }

    is_deeply(scores($t->evaluated($single->{job_id})), scores($e{'good.mp4'}),
              'a video judged by itself has the scores of one in a batch');
};

subtest 'a file with one fault has a low score of that' => sub {
    for my $file (sort keys %fault) {
        my ($low, $where, $words) = @{ $fault{$file} };
        my $e    = $e{$file};
        my $is   = scores($e);
        my $best = scores($e{ $good_of{ $file =~ s/.*\.//r } });

        is($e->{status}, 'completed',
           "$file has completed") or diag(explain($e));

        for my $c (grep { $_ ne 'story' } sort keys %$is) {
            if ($low->{$c}) {
                cmp_ok($is->{$c}, '<', $low->{$c},
                       "$file has a low score of $c");
            } else {
                cmp_ok(abs($is->{$c} - $best->{$c}), '<=', 6,
                       "$file has the score of $c that one without fault has");
            }
        }

        like(feedback($e, $where), $words,
             "$file has feedback that tells the measurement and its time");
    }
};

subtest 'files that are none fail with a code' => sub {
    for my $file (sort keys %broken) {
        is($e{$file}{status}, 'failed', "$file has failed");
        is($e{$file}{error}{code}, $broken{$file},
           "$file has the code of its error")
            or diag(explain($e{$file}));
    }


    # What the service sees by itself never comes to a worker.

    my $text = uploaded('text.mp4', judge_id => $judge{video});
    is($t->ended($text->{job_id})->{error}{code}, 'CONTENT_UNUSABLE',
       'a text that is called a video is refused');
    my $empty = promise('empty.mp4');
    error_is($t->put($empty->{upload_url} =~ s{^http://localhost}{}r,
                     key => undef, body => '',
                     headers => [ %{ $empty->{headers} } ]), 400,
             qr/^body: expected a file/, 'an empty file is refused');
};

subtest 'key frames are kept' => sub {
    my $frames = $t->get("/evaluations/$e{'good.mp4'}{evaluation_id}/frames")
                   ->json->{frames};
    is(scalar @$frames, 4, 'a video has four key frames');
    is(join(' ', map { $_->{position} } @$frames), '0 1 2 3',
       'key frames are listed in their order');
    ok(!grep({ $_->{at} < 0 || $_->{at} > 4 || $_->{size} > 262144 } @$frames),
       'key frames are from within the video and small');

    my $jpeg = $t->get("/evaluations/$e{'good.mp4'}{evaluation_id}/frames/1");
    is(substr($jpeg->body, 0, 3), "\xff\xd8\xff", 'a key frame is a JPEG');
    is($media->size_of($jpeg->body), '320x240',
       'a key frame has the size of the picture');
    is(scalar @{ $t->get("/evaluations/$e{'good.wav'}{evaluation_id}/frames")
                   ->json->{frames} }, 0, 'sound has no key frames');
};

subtest 'batches and webhooks tell how files end' => sub {
    my $b = $t->get("/batches/$batch{video}")->json;
    is($b->{completed_evaluations} + $b->{failed_evaluations},
       $b->{total_evaluations},
       'the batch counts completed and failed evaluations');
    is($b->{failed_evaluations},
       scalar(grep { /\.(?:mp4|webm)$/ } keys %broken),
       'the batch counts the files that failed');

    my %hooks;
    $t->wait_until(sub {
        %hooks = ();
        for my $request ($receiver->requests('/ok')) {
            my $event = JSON::PP::decode_json($request->{body});
            $hooks{ $event->{type} }{ $event->{data}{evaluation_id}
                                      // $event->{data}{id} } = 1;
        }
        keys %{ $hooks{'batch.completed'} // {} } == 3
            && keys %{ $hooks{'evaluation.failed'} // {} } > keys %broken;
    }, 'webhooks');

    is(scalar keys %{ $hooks{'batch.started'} }, 3,
       'a webhook tells that each batch has begun');
    ok($hooks{'batch.progress'}{ $batch{video} },
       'a webhook tells the progress of a batch');
    is(scalar keys %{ $hooks{'evaluation.failed'} }, 1 + keys %broken,
       'a webhook tells each evaluation that failed');
    is(scalar keys %{ $hooks{'evaluation.completed'} },
       1 + (keys %good) + keys %fault,
       'a webhook tells each evaluation that completed');
};

subtest 'workers say what they do, and no secret' => sub {
    my $said = join '', map { $media->log($_) } @workers;
    my $evaluations = 1 + @files;

    is(scalar(() = $said
                   =~ /^\S+ \[\d\] evl_\w+: \w+ (?:completed|failed) /mg),
       $evaluations, 'the log of the workers has a line for each evaluation');
    unlike($said, qr/jdgk_|whsec_|signature=/,
           'the log of the workers has no secret');
    ok(!grep({ $media->argv($_) =~ /jdgk_|whsec_/ } @workers),
       'the workers have no secret in their command lines');
    is(scalar(grep { $media->log($_) =~ / completed / } @workers), 2,
       'both workers have worked');
    is(join(' ', glob $media->temp . '/*'), '',
       'the workers leave no files behind');
};

subtest 'another worker takes over what was begun' => sub {
    # The other does not work then: the killed one has it for sure.
    $media->stop($_) for @workers;

    my $victim = $media->worker(JUDGE_LEASE => 2);
    my $long   = uploaded('long.mp4', judge_id => $judge{video});

    my @orphans;
    $t->wait_until(sub { @orphans = $media->decoders($victim) },
                   'a child that measures');

    # What reads the file knows nothing: not in its environment, nor its
    # memory.
    my ($decoder) = @orphans;
    is(Judge::Nginx::read_file("/proc/$decoder/environ"), '',
       'what reads the file has no environment');
    SKIP: {
        skip 'its memory can\'t be read', 2 if $> != 0 || Judge::Nginx->asan;
        my $measurer = Judge::Media::parent($decoder);
        my $memory   = Judge::Media::memory($measurer);
        ok(length $memory > 1e6
           && index($memory, $t->key) < 0
           && index($memory, $t->org->{secret}) < 0,
           'the process that starts the decoder has neither key nor secret');
        $memory = Judge::Media::memory(Judge::Media::parent($measurer));
        ok(index($memory, $t->key) >= 0,
           'the worker above that process has the key');
    }

    $media->kill($victim);
    $t->wait_until(sub { !grep { -d "/proc/$_" } @orphans },
                   'its child to end with it');
    is($t->get("/evaluations/$long->{job_id}")->json->{status}, 'processing',
       'an evaluation waits when its worker is killed');

    $other = $media->worker(JUDGE_LEASE => 2);
    my $e = $t->evaluated($long->{job_id});
    is($e->{status}, 'completed',
       'another worker completes what the killed one had');
    is($e->{provenance}{attempts}, 2,
       'another worker completes it at the second attempt');

    # A child that is killed is no fault of the file.
    $long = uploaded('long.mp4', judge_id => $judge{video});
    my @decoders;
    $t->wait_until(sub { @decoders = $media->decoders($other) }, 'a child');
    my $measurer = Judge::Media::parent($decoders[0]);
    kill KILL => @decoders;
    is($t->evaluated($long->{job_id})->{status}, 'completed',
       'an evaluation completes whose decoder is killed');

    # Nor is it the fault of the next one that the process above it is gone.
    kill KILL => $measurer;
    $long = uploaded('long.mp4', judge_id => $judge{video});
    is($t->evaluated($long->{job_id})->{provenance}{attempts}, 1,
       'what measures is begun anew where it was killed meanwhile');

    # One that is to end gives back what it holds.
    $long = uploaded('long.mp4', judge_id => $judge{video});
    $t->wait_until(sub { $media->decoders($other) }, 'a child again');
    $media->stop($other);
    like($media->log($other), qr/given back: the worker ends/,
         'a worker that is to end gives back what it has');
    my $open = $t->get("/evaluations/$long->{job_id}")->json;
    is_deeply([ $open->{attempts}, @{ $open->{last_error} }{qw(code message)},
                $open->{waiting_for} ],
              [ 1, 'GIVEN_BACK', 'the worker ends', 'worker' ],
              'what a worker gives back is an attempt with its reason');

    $other = $media->worker;
    is($t->evaluated($long->{job_id})->{status}, 'completed',
       'what is given back is judged by the next worker');
};

subtest "a model judges what can't be measured" => sub {
    $media->stop($other);

    # It gives 90 to all, and knows neither schemas nor the first request.
    my $llm = Judge::OpenAI->start(key => 'sk-seen', models => ['seer'],
        lacks => ['schema'], script => ['error'],
        verdict => sub {
            my ($q) = @_;
            my $v = Judge::OpenAI::verdict($q);
            $_->{score} = 90 for values %{ $v->{criteria} };
            return $v;
        });
    my @model = (JUDGE_MODEL_URL => $llm->url,
                 JUDGE_MODEL => 'seer', JUDGE_MODEL_KEY => 'sk-seen',
                 JUDGE_MODEL_SHARE => 40);

    $other = $media->worker(@model);
    my $seen = $t->evaluated(uploaded('dark.mp4', judge_id => $judge{video})
                             ->{job_id});
    my $had  = scores($e{'dark.mp4'});
    my $has  = scores($seen);

    is($seen->{status}, 'completed',
       'a worker with a model completes an evaluation')
        or diag(explain($seen));
    is($has->{story}, 90, "the model scores what can't be measured");
    for my $c (grep { $_ ne 'story' } sort keys %$had) {
        cmp_ok(abs($has->{$c} - (0.4 * 90 + 0.6 * $had->{$c})), '<', 0.011,
               "the score of $c is made of the model's and the measured one");
    }
    like(feedback($seen, 'light'), qr/dark.* Seen in the key frames: Reasons/s,
         'the feedback has what was measured and what was seen');
    is($seen->{provenance}{model}, 'media-worker 1 + seer',
       'the provenance names the worker and the model');

    my ($asked) = grep { $_->{status} == 200 } $llm->requests;
    my @parts   = grep { $_->{type} eq 'image_url' }
                  map { ref $_->{content} ? @{ $_->{content} } : () }
                  @{ $asked->{json}{messages} };
    is(scalar @parts, 4, 'the model is shown four key frames');
    unlike($media->log($other), qr/sk-seen/,
           'the key of the model is not in the log');

    # Sound has nothing to be seen.
    my $before = scalar $llm->requests;
    is($t->evaluated(uploaded('good.wav', judge_id => $judge{audio})->{job_id})
         ->{status}, 'completed', 'sound is judged by a worker with a model');
    is(scalar $llm->requests, $before, 'the model is not asked about sound');
    $media->stop($other);

    # One that can't be used is done without.
    $other = $media->worker(@model, JUDGE_MODEL_KEY => 'sk-wrong');
    $seen  = $t->evaluated(uploaded('good.png', judge_id => $judge{image})
                           ->{job_id});
    is_deeply(scores($seen), scores($e{'good.png'}),
              "a model that can't be asked leaves the measured scores");
    like($seen->{summary}, qr/The model could not be asked\.$/,
         'the summary says that the model could not be asked');
};

subtest 'a file that is too large is refused' => sub {
    $media->stop($other);
    $other = $media->worker(JUDGE_MAX_FILE_MB => 1);
    my $large = uploaded('large.wav', judge_id => $judge{audio});
    is($t->ended($large->{job_id})->{error}{code}, 'FILE_TOO_LARGE',
       'a file that is larger than the worker takes fails');
    $media->stop($other);
};

subtest 'a worker keeps to its service' => sub {
    sub at { return (JUDGE_URL => 'http://127.0.0.1:' . $t->port($_[0])) }

    $p = uploaded('good.png', judge_id => $judge{image});

    # Leases are short here: what is left to them is claimed again.
    for my $case (
        [ 1, qr/left to its lease: the download is redirected/, {},
          'a redirect is not followed by a worker' ],
        [ 2, qr/given back: an address of another origin/, {},
          'an address of another origin is not fetched' ],
        [ 3, qr/the report can't be brought: 503/, { JUDGE_TRIES => 2 },
          'a report is tried again, but not for ever' ],
    ) {
        my ($n, $words, $env, $name) = @$case;
        my $w = $media->worker(JUDGE_LEASE => 1, %$env, at($n));
        $t->wait_until(sub { $media->log($w) =~ $words }, $name);
        $media->stop($w);
        is($t->get("/evaluations/$p->{job_id}")->json->{status}, 'processing',
           $name);

        # What is given back for a minute need not be waited for.
        $t->alter("update evaluations set work_until = 1, attempts = 0"
                  . " where id = '$p->{job_id}'");
    }

    # That origin is allowed by name; all of it is said in a file.
    $media->write('worker.key', $t->key . "\n");
    $media->write('worker.conf', "# A comment\nexport"
        . " JUDGE_URL='http://127.0.0.1:"
        . $t->port(2) . "'\nJUDGE_API_KEY_FILE=" . $media->path('worker.key')
        . "\nJUDGE_WEBHOOK_SECRET=" . $t->org->{secret} . "\n");
    my $filed = $media->worker('--config=' . $media->path('worker.conf'),
        JUDGE_URL => undef, JUDGE_API_KEY => undef,
        JUDGE_WEBHOOK_SECRET => undef,
        JUDGE_ORIGINS => 'https://else.example,' . $t->url);
    is($t->evaluated($p->{job_id})->{status}, 'completed',
       'an address of another origin that is allowed is fetched');
    $media->stop($filed);
};

subtest 'damaged files crash nothing' => sub {
    # Whatever comes of them, nothing crashes.

    srand 11;
    my @mutants;

    for my $file (qw(good.mp4 good.webm good.jpg good.png good.wav)) {
        for my $n (1 .. 5) {
            my $bytes = $media->bytes($file);
            substr $bytes, int rand($n % 2 ? 2048 : length $bytes), 1,
                   chr int rand 256 for 1 .. 4 ** $n;
            $media->write("$n-$file", $bytes);
            push @mutants, $media->path("$n-$file");
        }
    }

    my (undef, $measured) = $t->run('env', 'ASAN_OPTIONS=detect_leaks=0',
                                    $media->program, 'measure', @mutants);
    my @came = map { eval { JSON::PP::decode_json($_) } // { none => $_ } }
               split /\n/, $measured;
    is(scalar @came, scalar @mutants, 'a line comes of each damaged file');
    is(join("\n", map { $_->{error}{message} // $_->{none} // () }
        grep { !$_->{status} || ($_->{error}{code} // '')
               =~ /^(?:DECODER_CRASHED|INTERNAL|KILLED)$/ } @came), '',
       'no damaged file crashes the decoder');
};

subtest 'a worker that is set up wrongly says so' => sub {
    for my $case ([ { JUDGE_URL => undef },
                    qr/^media-worker: JUDGE_URL: is req/ ],
                  [ { JUDGE_URL => 'ftp://x' },
                    qr/JUDGE_URL: expected an addr/ ],
                  [ { JUDGE_LEASE => '1e9' },
                    qr/JUDGE_LEASE: expected a number/ ],
                  [ { JUDGE_KINDS => 'text' }, qr/JUDGE_KINDS: expected/ ],
                  [ { JUDGE_MODEL_URL => 'http://x/' },
                    qr/JUDGE_MODEL: is req/ ])
    {
        my ($env, $words) = @$case;
        my $w = $media->worker(%$env);
        is($media->wait($w), 2,
           "a wrong @{[ keys %$env ]} ends the worker by 2");
        like($media->log($w), $words, 'the log says which variable is wrong');
    }

    # With a secret that is not the organization's the evaluation waits for one
    # that has it.
    my $wrong = $media->worker(JUDGE_WEBHOOK_SECRET => 'whsec_d3Jvbmc=');
    $p = uploaded('good.png', judge_id => $judge{image});
    $t->wait_until(sub { $media->log($wrong) =~ /see JUDGE_WEBHOOK_SECRET/ },
                   'a refused report');
    is($t->get("/evaluations/$p->{job_id}")->json->{status}, 'processing',
       'a report signed with another secret changes nothing');
    $media->stop($wrong);

    my $denied = $media->worker(JUDGE_API_KEY => 'jdgk_' . 'x' x 36);
    $t->wait_until(sub { $media->log($denied) =~ /can't claim work: 401/ },
                   'a refused key');
    $media->stop($denied);

    $t->wait_until(sub { $receiver->requests('/ok') }, 'the last webhooks');
};

done_testing;
