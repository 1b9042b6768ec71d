# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The description of the interface: it is well made, it is served, and every
# operation does what its examples say.  That it has the routes and fields
# that are built in is the matter of t/api/t_routes.c; every answer here, as
# in all tests, is held against it by Judge::Test.

use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();

use Judge::OpenAI;
use Judge::Test;

my $json    = JSON::PP->new->utf8->canonical->allow_nonref;
my $doc     = Judge::OpenAPI->document;
my $schemas = Judge::OpenAPI->schemas;
my @all     = Judge::OpenAPI->operations;


# --- The document ---------------------------------------------------------

sub resolve { Judge::OpenAPI->resolve($_[0]) }

like($doc->{openapi}, qr/^3\.1\.\d+$/, 'the description is of OpenAPI 3.1');

# It is stricter than libyaml: a question mark ends a plain scalar in braces.
is(system('python3 -c "import yaml; yaml.safe_load(open(0))"'
          . ' < docs/openapi.yaml'), 0, 'PyYAML reads the description');

my @loose;
walk($doc, '#');
is_deeply(\@loose, [], 'every reference leads somewhere');

sub walk {
    my ($node, $at) = @_;

    if (ref $node eq 'ARRAY') {
        walk($node->[$_], "$at/$_") for 0 .. $#$node;
        return;
    }

    return if ref $node ne 'HASH';

    push @loose, "$at: $node->{'$ref'}"
        if $node->{'$ref'} && !eval { resolve($node); 1 };
    walk($node->{$_}, "$at/$_") for sort keys %$node;
}

# Who generates a client takes a default for a member that is always there, in
# requests, too: defaults of bodies are said in words.

my @defaults;
defaults($doc->{components}{schemas}, 'schemas');
defaults($_->{spec}{requestBody}, $_->{name}) for @all;
is_deeply(\@defaults, [], 'no member of a body has a default');

sub defaults {
    my ($node, $at) = @_;

    if (ref $node eq 'ARRAY') {
        defaults($node->[$_], "$at/$_") for 0 .. $#$node;
    } elsif (ref $node eq 'HASH') {
        push @defaults, $at
            if exists $node->{default} && exists $node->{type};
        defaults($node->{$_}, "$at/$_") for sort keys %$node;
    }
}

is_deeply([ map { $schemas->vet($doc->{components}{schemas}{$_}, $_) }
            sort keys %{ $doc->{components}{schemas} } ], [],
          'the schemas use what the tests understand');

my (%used, %ids, %tags);
collect($doc);

sub collect {
    my ($node) = @_;

    if (ref $node eq 'ARRAY') {
        collect($_) for @$node;
    } elsif (ref $node eq 'HASH') {
        $used{ $node->{'$ref'} }++ if $node->{'$ref'};
        collect($_) for values %$node;
    }
}

my $components = $doc->{components};
is_deeply([ grep { !$used{$_} }
            map  { my $kind = $_;
                   map { "#/components/$kind/$_" }
                       sort keys %{ $components->{$kind} } }
            qw(schemas parameters responses headers examples) ],
          [], 'everything shared is used');

$tags{ $_->{name} } = 0 for @{ $doc->{tags} };

subtest 'every operation is well described' => sub {
    for my $op (@all) {
        is_deeply([ flaws($op) ], [], "$op->{name} is well described");
    }
};

is_deeply([ grep { !$tags{$_} } sort keys %tags ], [], 'every tag is used');


sub flaws {
    my ($op) = @_;

    my $spec      = $op->{spec};
    my $responses = $spec->{responses};
    my @flaws;

    push @flaws, 'the operationId is missing or not its own'
        if !$op->{id} || $ids{ $op->{id} }++;
    push @flaws, 'there is no summary' if !$spec->{summary};
    push @flaws, 'there is no tag' if !@{ $spec->{tags} // [] };

    for my $tag (@{ $spec->{tags} // [] }) {
        push @flaws, "the tag $tag is not known" if !exists $tags{$tag};
        $tags{$tag}++;
    }

    # What can happen to any request of its kind.
    my @statuses = (400, 'default',
                    @{ $spec->{security} } ? (401, 403, 429, 500, 503) : (),
                    $op->{path} =~ /\{\w+_id\}/ && @{ $spec->{security} }
                        ? 404 : (),
                    $spec->{requestBody} ? (413, 415) : ());

    push @flaws, map { "there is no $_" } grep { !$responses->{$_} } @statuses;
    push @flaws, 'nothing succeeds' if !grep { /^2/ } keys %$responses;
    push @flaws, body_flaws(request_content($op), 1);

    for my $status (sort keys %$responses) {
        push @flaws, map { "$status: $_" }
                     body_flaws(resolve($responses->{$status})->{content});
    }

    for my $p (@{ $op->{parameters} }) {
        push @flaws, map { "$p->{name}: $_" }
            $schemas->vet($p->{schema}, 'the schema'),
            exists $p->{example} ? $schemas->check($p->{schema}, $p->{example})
                                 : ();
    }

    return @flaws;
}


sub request_content { ($_[0]{spec}{requestBody} // {})->{content} }

sub body_flaws {
    my ($content, $of_request) = @_;

    my $of_json = ($content // {})->{'application/json'};

    return 'there is no example'
        if $of_request && $of_json && !$of_json->{examples};

    return map {
        my $as = $content->{$_};
        my @of = ($as->{schema}, $as->{'x-line-schema'} // (),
                  values %{ $as->{'x-events'} // {} });

        ((map { $schemas->vet($_, 'a schema') } @of),
         (map { my $name = $_;
                map { "the example $name: $_" }
                $schemas->check($as->{schema},
                                resolve($as->{examples}{$name})->{value}) }
              sort keys %{ $as->{examples} // {} }));
    } sort keys %{ $content // {} };
}


# --- What else is written about it ----------------------------------------

subtest 'pages name no request that there is not' => sub {
    for my $file ('README.md', glob Judge::Nginx->repo . '/docs/{,*/}*.md') {
        my $path = $file =~ m{^/} ? $file : Judge::Nginx->repo . "/$file";
        my @unknown;

        for my $request (Judge::Nginx::read_file($path)
                             =~ /`((?:GET|POST|PUT|PATCH|DELETE) \/[^`\s]*)/g)
        {
            my ($method, $at) = split / /, $request =~ s/\{[^}]*\}/x/gr;
            push @unknown, $request
                if !Judge::OpenAPI->operation($method, $at);
        }

        my $name = $file =~ s{.*/docs/}{docs/}r;
        is_deeply(\@unknown, [], "$name names no request that there is not");
    }
};


# --- The checks find what is wrong ----------------------------------------

# A value, its schema, and the sentence that it deserves.

sub finds {
    my ($value, $schema, $sentence) = @_;

    my @found = $schemas->check($json->decode($schema), $json->decode($value));
    is(join("\n", @found), $sentence, "'$sentence' is said of $value");
}

my $open   = '{"type":"object","properties":{"a":{"type":"integer"}}}';
my $either = '{"oneOf":[{"type":"string"},{"type":"number"}]}';
my $when   = '{"if":{"properties":{"s":{"const":"x"}}},'
           . '"then":{"required":["t"]}}';

subtest 'what is wrong with a value is found' => sub {
    finds('"1"', '{"type":"integer"}', '/: expected integer, found "1"');
    finds('1.5', '{"type":"integer"}', '/: expected integer, found 1.5');
    finds('1', '{"type":"number"}', '');
    finds('true', '{"type":"number"}', '/: expected number, found true');
    finds('null', '{"type":["string","null"]}', '');
    finds('{"a":1}', $open, '');
    finds('{"a":1,"b":2}', $open, '/b: no such member is known');
    finds('{"a":"x"}', $open, '/a: expected integer, found "x"');
    finds('{"b":2}',
          '{"allOf":[{"properties":{"a":{}}},{"properties":{"c":{}}}]}',
          '/b: no such member is known');
    finds('{"b":2}', '{"type":"object"}', '');
    finds('[1,"x"]', '{"items":{"type":"number"}}',
          '/1: expected number, found "x"');
    finds('{}', '{"required":["a"]}', '/a: is missing');
    finds('101', '{"maximum":100}', '/: expected a maximum of 100, found 101');
    finds('0', '{"exclusiveMinimum":0}',
          '/: expected a exclusiveMinimum of 0, found 0');
    finds('"b"', '{"enum":["a"]}', '/: expected one of a, found "b"');
    finds('"ab"', '{"pattern":"^a$"}', '/: expected ^a$, found "ab"');
    finds('"2026-01-31"', '{"format":"date-time"}',
          '/: expected a date-time, found "2026-01-31"');
    finds('true', $either, '/: 0 of 2 schemas of oneOf fit');
    finds('{"s":"x"}', $when, '/t: is missing');
    finds('{"s":"y"}', $when, '');
};

is_deeply([ $schemas->vet({ minimun => 1 }, 'x') ],
          [ 'x: the keyword minimun is not known' ], 'a wrong word is found');
is_deeply([ $schemas->vet({ '$ref' => '#/components/schemas/Juge' }, 'x') ],
          [ "x: #/components/schemas/Juge: leads nowhere\n" ],
          'a reference that leads nowhere is found');

# An answer that is not as it is described.

sub answer {
    my ($status, $type, $body) = @_;

    return bless { status => $status, body => $body,
                   headers => { 'content-type' => [ $type ] },
                 }, 'Judge::HTTP::Response';
}

for my $case (
    [ 200, 'application/json',
      '{"status":"ok","version":"0","engine":"e/0"}', '' ],
    [ 200, 'text/html', 'ok', '200: the type "text/html" is not described' ],
    [ 200, 'application/json', '{', '200: the body is no JSON' ],
    [ 200, 'application/json',
      '{"status":"so so","version":"0","engine":"e/0"}',
      '200: /status: expected "ok", found "so so"' ],
    [ 404, 'application/json', '{"detail":"x"}',
      'the status 404 is not described' ],
    [ 501, 'application/json', '{"error":"x"}', '501: /detail: is missing' ],
) {
    my ($status, $type, $body, $sentence) = @$case;

    is(join("\n", Judge::OpenAPI->breaches('GET', '/healthz',
                                           answer($status, $type, $body))),
       $sentence && "GET /healthz: $sentence", "$status $body is checked");
}


# --- It is served ---------------------------------------------------------

my $repo = Judge::Nginx->repo;

my $llm = Judge::OpenAI->start;
my $t = Judge::Test->new(
    orgs   => 2,
    server => $llm->location('main') . "location /hook { return 204; }
               location /outbound {
                   judge_outbound allow=127.0.0.0/8;
                   include $repo/conf/outbound.conf;
               }");

my @host = ('Host', $t->url =~ s{^http://}{}r);

my $r = $t->get('/openapi.json', key => undef, headers => \@host);
status_is($r, 200, 'the description is served without a key');

my $served = { %{ $r->json } };
is_deeply(delete $served->{servers}, [ { url => $t->url } ],
          'the server of the description is the one that was asked');
is_deeply($served, { map { $_ => $doc->{$_} } grep { $_ ne 'servers' }
                     keys %$doc }, 'docs/openapi.yaml is served');

my $tag = $r->header('ETag');
like($tag, qr/^"[0-9a-f]{32}"$/, 'the description has an ETag');
like($r->header('Cache-Control'), qr/\bmax-age=\d/, 'a max-age is given');

my $served_length = length $r->body;
$r = $t->head('/v1/openapi.json', key => undef, headers => \@host);
is_deeply([ $r->status, map { $r->header($_) } qw(Content-Length ETag) ],
          [ 200, $served_length, $tag ], 'HEAD has what GET has');

for my $given ($tag, "W/$tag", qq{"x", $tag}, '*') {
    $r = $t->get('/openapi.json', key => undef,
                 headers => [ @host, 'If-None-Match' => $given ]);
    is_deeply([ $r->status, $r->header('ETag') ], [ 304, $tag ],
              "If-None-Match: $given is answered by 304 with the tag");
}

status_is($t->get('/openapi.json', key => undef,
                  headers => [ 'If-None-Match' => '"x"' ]),
          200, 'another tag is answered by the description');

$r = $t->get('/openapi.json', key => undef,
             headers => [ Host => 'judge.example' ]);
is($r->json->{servers}[0]{url}, 'http://judge.example', 'the host is named');
isnt($r->header('ETag'), $tag, 'another host has another tag');

my $mounted = Judge::Test->new(prefix => '/judging/', orgs => 0);
is($mounted->get('/openapi.json', headers => [ Host => 'a.example:81' ])
   ->json->{servers}[0]{url}, 'http://a.example:81/judging',
   'the description names the place where the service is mounted');


# --- Every operation does what it says ------------------------------------

# In the examples an identifier of a kind is always the same; here it becomes
# the one of something that is there.

my $EXAMPLE = '01K2Y7QH4E8ZV5N3T6W9B0C1D2';

my %real;
my $judge   = $t->new_judge;
my $clips   = $t->new_judge(content_type => 'video', criteria => [
    { name => 'Picture', description => 'Steady and sharp.' } ]);
my $content = $t->new_content('A short text. It is about nothing much.');
my $done    = $t->new_evaluation($judge, $content);

$t->evaluated($done);

$t->put('/config/webhooks', json => { url => $t->url . '/hook' });

# What an operation needs that the usual things do not give.  Each gives what
# to add to the request: path and body replace those of the example.

my %prepare = (
    activateJudgeVersion => sub { $real{jdg} = $t->new_judge; () },
    beginJudgeCanary     => sub { canary(); () },
    suggestJudgeWording  => sub { $real{jdg} = $t->new_judge; () },
    getJudgeSuggestion   => sub {
        $real{sug} = $t->made("/judges/$judge/suggestions", 'id',
                              headers => [ Prefer => 'wait=60' ]);
        return;
    },
    getJudgeCanary       => sub { canary(1); () },
    dropJudgeCanary      => sub { canary(1); () },
    promoteJudgeCanary   => sub { canary(1); () },
    deleteJudge          => sub { $real{jdg} = $t->new_judge; () },
    updateJudge          => sub { fresh_judge(); () },
    deleteContent        => sub { $real{cnt} = $t->new_content('Away.'); () },
    putUpload            => \&upload,
    abortUpload          => sub { $real{cnt} = promised()->{content_id}; () },
    completeUpload       => sub { $real{cnt} = promised()->{content_id}; () },
    noticeUploads        => \&bucket,
    getFile              => \&file,
    retryEvaluation      => sub { $real{evl} = failed_evaluation(); () },
    createSocialMediaJob => sub { $real{jdg} = $clips; () },
    startBatch           => sub { $real{bat} = batch(auto_start => \0); () },
    retryBatch           => sub { $real{bat} = failed_batch(); () },
    deleteBatch          => sub { $real{bat} = batch(); () },
    getBatchDifference   => sub {
        my $other = ended_batch();
        $real{bat} = ended_batch();
        return (path => "/batches/$real{bat}/difference?against=$other");
    },
    (map { $_ => sub { $real{bat} = comparison(); () } }
     qw(getComparison deleteComparison preferCandidate getBatchRanking)),
    streamBatch          => sub { $real{bat} = ended_batch(); () },
    createBatchFeedback  => sub { feedback_batch(); () },
    createFeedback       => sub { $real{crt} = criterion($judge); () },
    reportEvaluation     => \&report,
    (map { $_ => sub { said(); () } }
     qw(getFeedbackEntry changeFeedback withdrawFeedback)),
    (map { $_ => sub { (org => 1) } }
     qw(updateLlmConfig updateWebhooks rotateWebhookSecret)),
    (map { $_ => sub { $real{key} = ($t->new_key)[1]; () } }
     qw(getApiKey updateApiKey deleteApiKey)),
    (map { $_ => sub { $real{per} = person(); () } }
     qw(getPerson updatePerson deletePerson)),
    (map { $_ => \&queue } qw(getAnnotationQueue deleteAnnotationQueue
                              getAnnotationAgreement)),
    takeAnnotation => sub { queue(); (key => person('annotator', 'api_key')) },
    leaveAnnotation      => sub {
        my $key = person('annotator', 'api_key');
        queue();
        $real{evl} = $t->post("/annotation-queues/$real{anq}/next",
                              key => $key)->json->{evaluation_id};
        return (key => $key);
    },
    getReferenceContent  => sub {
        $real{ref} = $t->post('/v1/judges/reference_content',
                              json => { file_extension => 'txt' })
                       ->json->{reference_id};
        return;
    },
    createTrainingJob    => sub { $real{crt} = criterion($judge); () },
    (map { $_ => sub { $real{trj} = job('cancel'); () } }
     qw(getTrainingJob streamTrainingJob streamTrainingJobAlso)),
    (map { $_ => sub { $real{trj} = job(); () } }
     qw(getTrainingJobAlso executeTrainingJob executeTrainingJobAlso
        cancelTrainingJob cancelTrainingJobAlso)),
    getDelivery          => sub { $real{whd} = delivery(); () },
    redeliver            => sub { $real{whd} = delivery(); () },
    claimWork            => sub { clip(); () },
    prolongWork          => sub { claimed(); () },
    releaseWork          => sub { claimed(); () },
    putFrame             => \&frame,
    listFrames           => sub { framed(); () },
    getFrame             => sub { framed(); () },
);

my $batch   = ended_batch();
my $session = $t->post("/batches/$batch/feedback",
                       json => { feedback_entries => [ {} ] })
                ->json->{feedback_session_id};

subtest 'every operation does what its examples say' => sub {
    for my $op (@all) {
        my @examples = request_examples($op);

        for my $example (@examples) {
            my ($name, $value, $type) = @$example;

            %real = (jdg => $judge, cnt => $content, evl => $done,
                     fbs => $session, bat => $batch);

            my %more   = $prepare{ $op->{id} }
                       ? $prepare{ $op->{id} }->($value) : ();
            my $path   = delete $more{path} // path($op);
            my @with   = body($value, $type);
            my $server = delete $more{server} // $t;
            my $answer = $server->request($op->{method}, $path, @with, %more);

            succeeds($op, $answer, "$op->{name}" . ($name ? ": $name" : ''));
        }

        choices($op) if $op->{method} eq 'GET';
    }
};


# --- A judge that has learnt ----------------------------------------------

# What only a job that was completed shows, and what comes of it.

my @texts = map { "This is text $_. " . 'It says a bit more. ' x $_ } 1 .. 12;
my $told  = $t->new_batch($judge, \@texts);

$t->batch_ended($told);

my @told = @{ $t->get("/v1/evaluations/results/$told")->json->{results} };
status_is($t->post("/batches/$told/feedback", json => {
              feedback_entries => [ map { correction($_) } @told ] }),
          201, 'feedback on the texts is taken');

for my $id (map { $_->{evaluation_id} } @told) {
    $t->wait_until(sub { $t->get("/feedback/evaluation/$id")
                           ->json->{feedback_entries}[0]{processed} },
                   "feedback on $id");
}

my $job = $t->made('/training/jobs', 'job_id', json => {
    judge_id => $judge, training_type => 'full_retrain',
    training_config => { max_epochs => 2 } });

status_is($t->post("/training-jobs/$job/execute"), 200, 'a job is executed');
like($t->get("/training/jobs/$job/events")->body, qr/^event: done$/m,
     'the events of the job come to its end');
$r = $t->get("/training/jobs/$job?include_logs=true");
is($r->json->{status}, 'completed', 'the job has completed')
    or diag(Judge::Test::about($r));
my $version = $r->json->{results}{new_model_version};
status_is($t->get('/training/jobs?status=completed'), 200, 'a job is listed');

status_is($t->post("/judges/$judge/versions/$version/activate"), 200,
          'the judge takes what was learnt');
my $again = $t->evaluated($t->new_evaluation($judge, $content));
is($again->{provenance}{calibrator}, $job, 'what was learnt is used');


sub comparison {
    return $t->made('/comparisons', 'id', headers => [ Prefer => 'wait=60' ],
        json => { judge_id => $judge, candidates => [
            map { { id => $_, text_content => "Text $_." } }
                qw(before after) ] });
}


my $persons = 0;

sub person {
    my ($role, $member) = @_;
    return $t->made('/people', $member // 'person_id', json => {
        name => 'Somebody', address => 'a' . ++$persons . '@example.com',
        role => $role // 'viewer' });
}


sub queue {
    $real{anq} = $t->made('/annotation-queues', 'queue_id', json => {
        name => 'x', judge_id => $judge, items => 3 });
    return;
}


sub correction {
    my ($e) = @_;

    return { evaluation_id => $e->{evaluation_id}, type => 'correction',
             content => { corrected_scores => {
                 map { $_->{criterion_id} => 0 + ($_->{score} > 40 ? 30 : 60) }
                     @{ $e->{criteria_scores} } } } };
}


sub request_examples {
    my ($op) = @_;

    my $content = request_content($op) // {};
    my @examples;

    for my $type (sort keys %$content) {
        my $examples = $content->{$type}{examples} // {};
        push @examples, map { [ $_, $examples->{$_}{value}, $type ] }
                        sort keys %$examples;
    }

    return @examples ? @examples : [ '', undef, undef ];
}


sub succeeds {
    my ($op, $answer, $name) = @_;

    my $wanted = join '|', grep { /^2/ } keys %{ $op->{spec}{responses} };

    like($answer->status, qr/^(?:$wanted)$/, "$name is answered with success")
        or diag(Judge::Test::about($answer));
}


sub real {
    my ($text) = @_;
    $text =~ s/\b([a-z]{3})_$EXAMPLE/$real{$1} \/\/ "$1_$EXAMPLE"/ge;
    return $text;
}


sub path {
    my ($op) = @_;

    my %example = map { $_->{name} => $_->{example} } @{ $op->{parameters} };
    my $path    = $op->{path} =~ s/\{(\w+)\}/$example{$1} \/\/ 'x'/ger;
    my @query   = map  { "$_->{name}=" . ($_->{example} =~ s/ /+/gr) }
                  grep { $_->{in} eq 'query' && defined $_->{example} }
                  @{ $op->{parameters} };

    return real(@query ? "$path?" . join('&', @query) : $path);
}


sub body {
    my ($value, $type) = @_;

    return () if !defined $type;

    my $bytes = real($type eq 'application/json' ? $json->encode($value)
                                                 : $value);

    return (body => $bytes, headers => [ 'Content-Type' => $type ]);
}


# Every word that a parameter of the query can be, and its bounds.

sub choices {
    my ($op) = @_;

    for my $p (grep { $_->{in} eq 'query' } @{ $op->{parameters} }) {
        my $schema = resolve($p->{schema});
        my @values = $schema->{enum} ? @{ $schema->{enum} }
                   : ($schema->{minimum} // 9) == 1 && $p->{name} eq 'limit'
                   ? (1, $schema->{maximum}) : ();

        %real = (jdg => $judge, cnt => $content, evl => $done,
                 fbs => $session, bat => $batch);

        for my $value (@values) {
            my $path = path($op);
            $path =~ s/[?&]\Q$p->{name}\E=[^&]*//;
            $path .= ($path =~ /\?/ ? '&' : '?') . "$p->{name}=$value";

            succeeds($op, $t->get($path), "$op->{name}: $p->{name}=$value");
        }
    }
}


# --- What is needed for that ----------------------------------------------

sub criterion {
    return $t->get("/v1/judges/$_[0]")->json->{criteria}[0]{criterion_id};
}

sub fresh_judge {
    $real{jdg} = $t->new_judge;
    $real{crt} = criterion($real{jdg});
}

# A service whose bucket nobody reaches still hears of files.

sub bucket {
    my $dir = File::Temp::tempdir(CLEANUP => 1);

    chmod 0755, $dir;
    for ([ keys => "[default]\naws_access_key_id = a\n"
                   . "aws_secret_access_key = b\n" ],
         [ events => "the secret of events\n" ])
    {
        open my $file, '>', "$dir/$_->[0]" or die "$dir: $!";
        print {$file} $_->[1];
        close $file;
    }

    my $far = Judge::Test->new(
        workers => 1,
        allow   => [qr/files in bucket/],
        server  => "location /files {
                        judge_files s3://example-judge region=x
                                    endpoint=http://127.0.0.1:1
                                    credentials=$dir/keys
                                    events=$dir/events;
                        include $repo/conf/outbound.conf;
                    }");
    my @secret = (Authorization  => 'Bearer the secret of events',
                  'Content-Type' => 'application/json');

    $far->wait_until(sub { $far->post('/uploads/events', key => undef,
                               body => '{"Records":[]}', headers => \@secret)
                               ->status == 200 }, 'the secret');

    return (server => $far, key => undef, headers => \@secret);
}

# A judge with a second version, which may be judging beside the first.

sub canary {
    my ($begun) = @_;

    fresh_judge();
    $t->put("/judges/$real{jdg}", json => { name => 'Another',
                                            activate => \0 });
    $t->post("/judges/$real{jdg}/canary", json => { version => 2 }) if $begun;
}

sub batch {
    my (%more) = @_;

    return $t->new_batch($judge, [ { content_id => $content } ], %more);
}

sub ended_batch { $t->batch_ended(batch(@_))->{id} }

# A text that has gone can't be evaluated.

sub lost_content {
    my $id = $t->new_content('It will be gone.');
    $t->alter("update contents set text_content = null where id = '$id'");
    return $id;
}

sub failed_evaluation {
    return $t->ended($t->new_evaluation($judge, lost_content()))->{id};
}

# A video to be evaluated; one in the hands of a worker, with a picture.
sub clip {
    return $t->made('/v1/evaluations/social-media', 'job_id', json => {
        judge_id => $clips, urls => ['https://vimeo.com/76979871'] });
}

sub claimed {
    clip();
    my $work = $t->post('/work/claim', json => { kinds => ['video'] })
                 ->json->{work}[0];
    @real{qw(evl lea)} = @$work{qw(evaluation_id lease_id)};
}

sub frame {
    claimed();
    return (body => "\xff\xd8\xff\xe0 and so on",
            headers => [ 'Content-Type' => 'image/jpeg' ]);
}

sub framed {
    my %put = frame();
    status_is($t->put("/work/$real{evl}/frames/0?lease_id=$real{lea}", %put),
              204, 'a frame is uploaded');
}

sub failed_batch {
    return ended_batch(content_items => [ { content_id => lost_content() } ]);
}

sub feedback_batch {
    $real{bat} = ended_batch();
    $real{evl} = $t->get("/evaluations?batch_id=$real{bat}")
                   ->json->{evaluations}[0]{evaluation_id};
    $real{crt} = criterion($judge);
}

sub said {
    $real{crt} = criterion($judge);
    $real{fbk} = $t->made("/feedback/evaluation/$real{evl}", 'feedback_id',
        json => { type => 'correction', content => {
            corrected_scores => { $real{crt} => 40 } } });
}

# Of no feedback; one that is to be followed to its end has come to it.

sub job {
    my ($then) = @_;

    my $id = $t->made('/training/jobs', 'job_id', json => {
        judge_id => $judge, training_type => 'incremental',
        training_config => {} });

    $t->post("/training-jobs/$id/$then") if $then;
    return $id;
}

sub promised {
    return $t->post('/v1/evaluations/presigned-upload', json => {
        name => 'A file', file_type => 'text' })->json;
}

sub upload {
    return (path => promised()->{upload_url} =~ s{^https?://[^/]+}{}r,
            key => undef, body => 'Some text.',
            headers => [ 'Content-Type' => 'text/plain' ]);
}

sub file {
    my $promised = promised();
    my ($path)   = $promised->{upload_url} =~ m{^https?://[^/]+(/.*)};

    $t->put($path, key => undef, body => 'Some text.',
            headers => [ 'Content-Type' => 'text/plain' ]);

    my $url = $t->get("/content/$promised->{content_id}")->json->{file_url};
    return (path => $url =~ s{^https?://[^/]+}{}r, key => undef);
}

sub report {
    my ($value) = @_;

    my $made = $t->post('/v1/evaluations/social-media', json => {
        judge_id => $clips, urls => [ 'https://vimeo.com/76979871' ],
    })->json->{items}[0];

    @real{qw(evl cnt crt)} = ($made->{evaluation_id}, $made->{content_id},
                              criterion($clips));

    my $bytes = real($json->encode($value));

    return (key => undef, headers => [
        'Content-Type' => 'application/json',
        'X-Webhook-Signature' => 'sha256='
            . hmac_sha256_hex($bytes, $t->org->{secret}) ]);
}

# One that is not on its way.

sub delivery {
    my $id = $t->made('/config/webhooks/test', 'delivery_id', json => {});

    $t->wait_until(sub { $t->get("/webhooks/deliveries/$id")->json->{status}
                             ne 'pending' }, "delivery $id");
    return $id;
}

done_testing;
