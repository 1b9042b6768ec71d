# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Evaluations by language models, over real sockets against a strict server:
# all that goes well, and all that goes wrong.

use Judge::Test;
use Judge::OpenAI;

use MIME::Base64 ();

my @unreadable = qw(empty nothing prose truncated refused filtered too_much
                    missing unknown not_json);
my @broken     = qw(half garbage close);

# A text with "do-NAME" in it is answered so.
my @when = map { [ qr/do-$_\b/, $_ ] } @unreadable, @broken,
               qw(invented error quota rate hang overload html),
               qw(as_string fenced thinking);

my %server = (
    main    => Judge::OpenAI->start(key => 'sk-test', models => ['main'],
                                    when => \@when),
    rate    => Judge::OpenAI->start(script => [
                   { action => 'rate', headers => { 'Retry-After' => 5 } } ]),
    error   => Judge::OpenAI->start(script => ['error']),
    repair  => Judge::OpenAI->start(script => ['prose']),
    object  => Judge::OpenAI->start(lacks => ['schema', 'seed']),
    plain   => Judge::OpenAI->start(
                   lacks => [qw(schema object max_tokens temperature system)]),
    keyed   => Judge::OpenAI->start(key => 'sk-other'),
    narrow  => Judge::OpenAI->start(context => 200),
    other   => Judge::OpenAI->start(models => ['something']),
    down    => Judge::OpenAI->nowhere,
    samples => Judge::OpenAI->start(verdict => \&by_seed),
    hang    => Judge::OpenAI->start(script => [('hang') x 100]),
    picture => Judge::OpenAI->start,
    crash   => Judge::OpenAI->start(script => [('hang') x 6]),
    slow    => Judge::OpenAI->start(
                   script => [({ action => 'ok', delay => 1 }) x 6]),
    stuck   => Judge::OpenAI->start(script => [('hang') x 2]),
    parrot  => Judge::OpenAI->start(lacks => [qw(schema object)],
                                    verdict => \&parrot),
);
my %more = (hang => 'timeout=1s', picture => 'images=on',
            main => 'served=main');

my $t = Judge::Test->new(
    server => join('', map { $server{$_}->location($_, $more{$_}) }
                      sort keys %server),
    store  => 'model_attempts=2 fleet=off', orgs => 3,
);

my $judge   = $t->new_model_judge;
my $both    = $t->new_judge(criteria => [
    { name => 'Grammar', description => 'Correct grammar.' },
    { name => 'Wit', description => 'It makes the reader smile.' } ]);
my $content = $t->new_content('A text about whales, and why they sing.');
my ($r, @records);



# Scores by the number of the sample: 50, 60, 70, …

sub by_seed {
    my ($q) = @_;
    my $v = Judge::OpenAI::verdict($q);
    $_->{score} = 50 + 10 * ($q->{seed} // 0) for values %{ $v->{criteria} };
    return $v;
}


# A model that says what the item says, where that is JSON.

sub parrot {
    my ($q) = @_;
    my $text = join "\n", map { $_->{content} } @{ $q->{messages} };
    my ($item) = $text =~ /(\{.*\})/s;
    return eval { JSON::PP->new->decode($item) } // { said => $text };
}


# Evaluates and waits: the record.

sub evaluate {
    my ($model, $text, %more) = @_;

    my $id = $t->new_evaluation($more{judge} // $judge,
                                $more{content} // $t->new_content($text),
                                model => $model,
                                map { $_ => $more{$_} }
                                grep { exists $more{$_} } qw(samples cache));
    return $t->evaluated($id);
}


# The records of several texts, which are evaluated at the same time.

sub evaluate_all {
    my ($model, @texts) = @_;

    my @ids = map { $t->new_evaluation($judge, $t->new_content($_),
                                       model => $model) } @texts;
    return map { $t->ended($_) } @ids;
}


subtest 'a model judges texts' => sub {
    $r = evaluate('main', undef, content => $content);

    is($r->{status}, 'completed', 'a text is judged by a model');
    is($r->{overall_score}, 71.5,
       "the overall score is the mean of the model's scores");
    is($r->{criteria_scores}[0]{score}, 71,
       "the score of a criterion is the model's");
    like($r->{criteria_scores}[1]{feedback},
         qr/^Reasons for c2\..*A text about/s,
         "the feedback has the model's reasons and what it quotes");
    is($r->{engine}, 'llm/1', 'the engine of the result is llm/1');
    is($r->{needs_review}, JSON::PP::false, 'a plain answer needs no review');

    my $p = $r->{provenance};

    is($p->{engine}, 'llm', 'the provenance names the engine');
    is($p->{model}, 'main',
       'the provenance names the model that was asked for');
    is($p->{model_served}, 'main-2026-01-01',
       'the provenance names the model that served');
    is($p->{attempts}, 1, 'a plain answer takes one attempt');
    is($p->{cached}, JSON::PP::false,
       'the first answer does not come out of the store');
    like($p->{prompt_hash}, qr/^[0-9a-f]{64}$/,
         'the provenance has the hash of the prompt');
    is(scalar $server{main}->requests, 1, 'one question is asked');

    my ($q)  = $server{main}->requests;
    my $json = JSON::PP->new->utf8->canonical;
    is($p->{tokens_used},
       2 + int(length($json->encode($q->{json}{messages})) / 4)
         + int(length($json->encode(Judge::OpenAI::verdict($q->{json}))) / 4),
       'tokens_used is what the server says');
    is($q->{json}{response_format}{type}, 'json_schema',
       'the question has a schema');
    is($q->{json}{temperature}, 0, 'the question asks for no chance');

    my $again = evaluate('main', undef, content => $content);

    is($again->{provenance}{cached}, JSON::PP::true,
       'the answer to the same question is stored');
    is($again->{provenance}{tokens_used}, 0,
       'a stored answer costs no tokens');
    is($again->{provenance}{prompt_hash}, $p->{prompt_hash},
       'the same question has the same prompt');
    isnt($again->{evaluation_id}, $r->{evaluation_id},
         'each of two same evaluations is a record of its own');
    is_deeply($again->{criteria_scores}, $r->{criteria_scores},
              'a stored answer gives the same scores');
    is(scalar $server{main}->requests, 1,
       'the model is not asked for a stored answer');

    $again = evaluate('main', undef, content => $content,
                      cache => JSON::PP::false);

    is($again->{provenance}{cached}, JSON::PP::false,
       'cache: false does without the stored answer');
    is(scalar $server{main}->requests, 2, 'cache: false asks the model again');

    is(evaluate('main', undef, content => $t->new_content('A text about'
                . ' whales, and why they sing.'))->{provenance}{cached},
       JSON::PP::false, 'another content is another question');

    $r = evaluate('builtin', 'By the built-in engine.', judge => $both);
    is($r->{provenance}{engine}, 'builtin', 'builtin is a model, too');
    is($r->{not_judged}[0]{name}, 'Wit',
       'the built-in engine does not judge every criterion');
};

subtest 'what may be asked for has bounds' => sub {
    my %body = (judge_id => $judge, content_id => $content);

    error_is($t->post('/evaluations/single',
                      json => { %body, model => 'gpt' }), 400,
             qr/^model: expected one of builtin, .*\bmain\b/,
             'a model that does not exist is refused');
    error_is($t->post('/evaluations/single',
                      json => { %body, model => 'main', samples => $_ }),
             400, qr/^samples: /, "samples: $_ is refused") for 0, 11;
    error_is($t->post('/evaluations/single',
                      json => { %body, model => 'main', cache => 'no' }),
             400, qr/^cache: /, 'cache has to be a boolean');
    error_is($t->post('/evaluations/presigned-upload',
                      json => { name => 'x', file_type => 'video',
                                judge_id => $t->new_judge(
                                    content_type => 'video'),
                                model => 'main' }),
             400, qr/^model: this one can't judge content of the type video/,
             "a model is refused that can't look at a video");
};

subtest "answers that can't be read give no scores" => sub {
    my %code = (empty => 'EMPTY', nothing => 'EMPTY', prose => 'INVALID',
                truncated => 'TRUNCATED', refused => 'REFUSED',
                filtered => 'REFUSED', too_much => 'INVALID',
                missing => 'INVALID', unknown => 'INVALID',
                not_json => 'INVALID');

    @records = evaluate_all('main', map { "do-$_ please" } @unreadable);

    for my $i (0 .. $#unreadable) {
        my ($name, $record) = ($unreadable[$i], $records[$i]);

        is($record->{status}, 'failed',
           "an answer that is $name fails the evaluation");
        is($record->{error}{code}, $code{$name},
           "an answer that is $name has its code of an error");
        like($record->{error}{message}, qr/^model main: \S/,
             "the error says why an answer that is $name can't be read");
        ok(!exists $record->{overall_score}
           && !exists $record->{criteria_scores},
           "an answer that is $name gives no score");
    }

    my %by_name = map { $unreadable[$_] => $records[$_] } 0 .. $#unreadable;

    like($by_name{prose}{error}{answer}, qr/^A fine text, 90 of 100/,
         'the error keeps the start of the answer');
    like($by_name{truncated}{error}{answer}, qr/^\{"criteria"/,
         'the error keeps the start of an answer that broke off, too');
    ok($by_name{prose}{provenance}{tokens_used} > 0,
       "the record tells the tokens of an answer that can't be read");

    $r = evaluate('repair', 'Any text.');
    is($r->{status}, 'completed',
       'a second answer that can be read completes the evaluation');
    is(scalar $server{repair}->requests, 2,
       'a second answer is asked for once');
    like(($server{repair}->requests)[1]{body}, qr/A fine text, 90 of 100/,
         'the second question shows the first answer');

    $r = evaluate('main', 'do-invented please');
    is($r->{status}, 'completed',
       'an answer with invented quotes completes the evaluation');
    is_deeply($r->{review_reasons}, ['quotes_missing'],
              'an answer with invented quotes has to be reviewed');
    is($r->{provenance}{evidence_missing}, 1,
       'the invented quotes are counted');
};

subtest 'answers that people would read are read' => sub {
    my %tolerated = (fenced    => 'fence text', as_string => 'score_as_string',
                     thinking  => 'thoughts', ok => undef);
    my @habits    = sort keys %tolerated;

    @records = evaluate_all('main', map { "do-$_ please" } @habits);

    for my $i (0 .. $#habits) {
        my $is = $records[$i]{provenance}{tolerated};

        is($records[$i]{status}, 'completed',
           "an answer in the form $habits[$i] is read");
        is($is ? "@$is" : undef, $tolerated{$habits[$i]},
           "the record says what was tolerated: $habits[$i]");
    }
};

subtest 'servers with habits are learned' => sub {
    for my $name (qw(object plain)) {
        my @two = (evaluate($name, 'Any text.'),
                   evaluate($name, 'Another text.'));

        is($_->{status}, 'completed',
           "a server that is $name answers after all") for @two;

        my @requests = $server{$name}->requests;
        my @refused  = grep { $_->{status} == 400 } @requests;

        # Each of two workers learns for itself.
        ok(@refused >= 1 && @refused <= 10,
           "each worker learns what a server that is $name lacks")
            or diag(scalar @refused);
        is(scalar(@requests) - @refused, 2,
           "each text is answered once by a server that is $name");
    }
};

subtest 'servers that fail are tried again or given up' => sub {
    $t->put('/config/llm', json => { max_tokens => 600 });

    my ($slow) = $t->new_evaluation($judge, $t->new_content('x y'),
                                    model => 'rate');
    my $seen = {};

    $t->wait_until(sub {
        $seen = $t->get("/evaluations/$slow")->json;
        $seen->{last_error} || $seen->{status} ne 'processing';
    }, 'the first attempt');

    is($seen->{last_error}{code}, 'MODEL_RATE',
       'the record says that the model was asked too often');
    is($seen->{attempts}, 1, 'the record counts the attempt that was refused');
    time_is($seen->{next_attempt_at},
            'the record says when the next attempt is');

    my @times = map { my ($s) = /:(\d\d\.\d+)Z/; $s }
                $seen->{last_error}{at}, $seen->{next_attempt_at};
    my $pause = $times[1] - $times[0];
    $pause += 60 if $pause < 0;
    ok($pause >= 5,
       'the next attempt is not before Retry-After') or diag($pause);

    my @failing = map { [ $_->[0], $t->new_evaluation($judge,
                            $t->new_content($_->[1]), model => $_->[0]) ] }
        [ error => 'Any text.' ], [ down => 'Any text.' ],
        (map { [ main => "do-$_ please" ] }
             @broken, qw(error overload html rate)),
        [ main => 'do-quota please' ], [ keyed => 'Any text.' ],
        [ narrow => 'Any text. ' x 100 ], [ other => 'Any text.' ],
        [ hang => 'Any text.' ];
    my @ended = map { $t->ended($_->[1]) } @failing;

    is($t->evaluated($slow)->{status}, 'completed',
       'an evaluation completes after Retry-After');
    is($t->evaluated($slow)->{provenance}{attempts}, 2,
       'an evaluation completes by the second attempt after Retry-After');
    is(($server{rate}->requests)[1]{json}{max_tokens}, 600,
       'the configured max_tokens is sent');

    is($ended[0]{status}, 'completed',
       'an evaluation completes after a fault that passes');
    is($ended[0]{provenance}{attempts}, 2,
       'a fault that passes takes a second attempt');

    my @wanted = ([ down => 'MODEL_UNREACHABLE', 2 ],
                  [ half => 'MODEL_UNREACHABLE', 2 ],
                  [ garbage => 'MODEL_UNREACHABLE', 2 ],
                  [ close => 'MODEL_UNREACHABLE', 2 ],
                  [ error => 'MODEL_SERVER', 2 ],
                  [ overload => 'MODEL_SERVER', 2 ],
                  [ html => 'MODEL_SERVER', 2 ], [ rate => 'MODEL_RATE', 2 ],
                  [ quota => 'MODEL_QUOTA', 1 ], [ key => 'MODEL_KEY', 1 ],
                  [ 'too long' => 'MODEL_TOO_LONG', 1 ],
                  [ 'no model' => 'MODEL_UNKNOWN', 1 ],
                  [ hang => 'MODEL_TIMEOUT', 2 ]);

    for my $i (0 .. $#wanted) {
        my ($name, $code, $attempts) = @{ $wanted[$i] };
        my $record = $ended[$i + 1];

        is($record->{status}, 'failed', "an evaluation fails by $name");
        is($record->{error}{code}, $code,
           "an evaluation that fails by $name has the code $code");
        is($record->{provenance}{attempts}, $attempts,
           "an evaluation that fails by $name takes $attempts attempts");
    }

    unlike($t->get('/evaluations?limit=200')->body, qr/sk-test/,
           'no record has our key for a model');
};

subtest 'other models stand in' => sub {
    status_is($t->put('/config/llm', json => {
        default_model => 'down', fallback_models => [qw(down other object)] }),
        200, 'fallback models are set');

    $r = $t->evaluated($t->new_evaluation($judge, $t->new_content('A text.')));
    is($r->{status}, 'completed', 'a fallback completes the evaluation');
    is($r->{provenance}{model}, 'down',
       'the record names the model that was asked for');
    is($r->{provenance}{fallback_model}, 'object',
       'the record names the fallback that answered');
    is($r->{provenance}{attempts}, 1,
       'a fallback is asked in the same attempt');
    is_deeply([ map { $_->{model} } @{ $r->{provenance}{models_failed} } ],
              [qw(down other)],
              'the record names the models that were asked in vain');
    like($r->{provenance}{models_failed}[1]{message}, qr/404/,
         'the record has the reason of each model that failed');

    # An expired key, a limit, a fault, garbage: what was wrong is to be seen.
    for ([ keyed => 'A text.', qr/\b401\b/ ],
         [ main => 'Here do-rate.', qr/\b429\b/ ],
         [ main => 'Here do-error.', qr/\b500\b/ ],
         [ main => 'Here do-prose.', undef ])
    {
        my ($model, $text, $why) = @$_;
        $t->put('/config/llm', json => { default_model => $model,
                                         fallback_models => ['builtin'] });
        $r = $t->evaluated($t->new_evaluation($both, $t->new_content($text)));
        my ($no) = @{ $r->{provenance}{models_failed} };
        is("$r->{status} $r->{provenance}{engine} $no->{model}",
           "completed builtin $model", "$text: another model decides");
        like($no->{message}, $why // qr/./, "$text: the record says why");
        like($no->{code}, qr/^MODEL_\w+$|^\w+$/,
             "$text: the record has the code of what was wrong");
    }

    $t->put('/config/llm', json => { default_model => 'down',
                                     fallback_models => ['builtin'] });
    $r = $t->evaluated($t->new_evaluation($both, $t->new_content('A text.')));
    is($r->{status}, 'completed',
       'the built-in engine can be the last fallback');
    is($r->{provenance}{engine}, 'builtin',
       'the record has the built-in engine as its engine');
    is($r->{provenance}{fallback_model}, 'builtin',
       'the record has the built-in engine as its fallback');
    is_deeply([ map { $_->{name} } @{ $r->{criteria_scores} } ], ['Grammar'],
              'the built-in engine as a fallback judges what it measures');
    like($r->{not_judged}[0]{reason}, qr/^The language model down judges this/,
         'the reason says that only the model judges the other criterion');
    $r = $t->ended($t->new_evaluation($judge, $t->new_content('A text.')));
    is("$r->{status} $r->{error}{code}", 'failed MODEL_UNREACHABLE',
       'an evaluation fails if all its criteria need the model');
};

subtest 'batches and uploads are judged' => sub {
    $t->put('/config/llm', json => { default_model => 'main',
                                     fallback_models => [] });

    my $batch = $t->new_batch($judge, [ map { "Text $_." } 1 .. 20 ]);
    $t->batch_completed($batch);
    my @in_batch = @{ $t->get("/evaluations?batch_id=$batch")
                        ->json->{evaluations} };
    is(scalar(grep { $_->{provenance}{model} eq 'main' } @in_batch), 20,
       'all of a batch are judged by the default model');

    my $png = "\x89PNG\r\n\x1a\n" . "\0" x 100;
    my $place = $t->post('/evaluations/presigned-upload', json => {
        name => 'Picture', file_type => 'image', file_extension => 'png',
        judge_id => $t->new_judge(content_type => 'image'),
        model => 'picture' })->json;
    my ($path) = $place->{upload_url} =~ m{^http://[^/]+(/.*)};
    status_is($t->put($path, key => undef, body => $png,
                      headers => ['Content-Type' => 'image/png']), 200,
              'an image is uploaded');
    $r = $t->evaluated($place->{job_id});
    is($r->{status}, 'completed', 'an image is judged by a model');
    my ($shown) = map { $_->{image_url}{url} }
                  grep { $_->{type} eq 'image_url' }
                  map { ref $_->{content} ? @{ $_->{content} } : () }
                  @{ ($server{picture}->requests)[0]{json}{messages} };
    is($shown, 'data:image/png;base64,'
               . MIME::Base64::encode_base64($png, ''),
       'the model gets the image as data');
};

subtest 'samples are joined' => sub {
    $r = evaluate('samples', 'Any text.', samples => 5);
    is($r->{status}, 'completed', 'five samples complete the evaluation');
    is($r->{overall_score}, 70,
       'the overall score is the mean of five samples');
    my $interval = $r->{score_interval};
    is($interval->{coverage}, 0.9, 'the interval of five samples covers 90 %');
    is($interval->{low}, 54.92,
       "the interval has the lower end that Student's t"
       . " gives");       # 70 - 2.132 * 15.81 / √5
    is($interval->{high}, 85.08,
       "the interval has the upper end that Student's t gives");
    is_deeply($r->{review_reasons}, ['answers_apart'],
              'samples far apart have to be reviewed');
    is($r->{provenance}{samples}, 5,
       'the record says how many samples there are');
    my @samples = $server{samples}->requests;
    is(scalar @samples, 5, 'five samples are five questions');
    is(scalar(grep { $_->{json}{temperature} == 1 } @samples), 5,
       'each of several samples is asked for with chance');

    is(evaluate('samples', 'Any text.', samples => 1)->{score_interval}, undef,
       'one sample has no interval');
};

subtest 'budgets hold' => sub {
    my %second = (org => 1);
    my $judge2 = $t->new_model_judge(%second);

    $t->put('/config/llm', %second, json => {
        rate_limits => { requests_per_minute => 3 } });

    my $before = $server{main}->requests;
    my $began  = time;
    my @paid   = map {
        $t->new_evaluation($judge2, $t->new_content("T $_", %second),
                           model => 'main', %second)
    } 1 .. 8;

    $t->wait_until(sub {
        my @now = map { $t->get("/evaluations/$_", %second)->json } @paid;
        8 == grep { $_->{status} eq 'completed' || $_->{last_error} } @now;
    }, 'all of them to be paid for or sent back');

    # On a slow machine another one may have been paid for, each 20 s.

    my @now  = map { $t->get("/evaluations/$_", %second)->json } @paid;
    my @back = grep { $_->{status} eq 'processing' } @now;
    my $n    = $server{main}->requests - $before;
    my $may  = 3 + int((time - $began + 1) / 20);

    ok(@back <= 5 && @back >= 8 - $may,
       'three in a minute are paid for, over both workers');
    ok($n >= 3 && $n <= $may,
       'the model is asked no more often than the budget allows')
        or diag("$n, not $may");
    is(join(' ', grep { $_ ne 'BUDGET' } map { $_->{last_error}{code} } @back),
       '',
       'what the budget does not pay for waits');
    is_deeply([ grep { $_->{attempts} } @back ], [],
              'waiting for the budget is no attempt');

    my %at = map { $_->{next_attempt_at} => 1 } @back;
    is(scalar keys %at, @back,
       'each evaluation waits until a time of its own');

    $t->put('/config/llm', %second, json => {
        rate_limits => { requests_per_minute => 100_000 } });
    $began = time;
    is(join(' ', grep { $_ ne 'completed' }
                 map { $t->ended($_, %second)->{status} } @paid), '',
       'what waits for the budget is judged after the limit is raised');
    cmp_ok(time - $began, '<', 15,
           'what waits for the budget looks at a raised limit at once');

    my %third = (org => 2);
    my $judge3 = $t->new_model_judge(%third);

    $t->put('/config/llm', %third, json => {
        rate_limits => { tokens_per_minute => 1000 } });

    $began = time;
    @paid  = map { $t->new_evaluation($judge3, $t->new_content("T $_", %third),
                                      model => 'main', %third) } 1 .. 3;
    $t->wait_until(sub {
        my @now = map { $t->get("/evaluations/$_", %third)->json } @paid;
        3 == grep { $_->{status} eq 'completed' || $_->{last_error} } @now;
    }, 'all of them to be paid for or sent back');
    $n = grep { $t->get("/evaluations/$_", %third)->json->{status}
                eq 'completed' } @paid;
    ok($n >= 1 && $n <= 1 + int((time - $began + 1) / 20),
       'the tokens per minute hold, too') or diag($n);
};

subtest 'items that try to steer do not' => sub {
    my @items = sort glob Judge::Nginx->repo . '/t/data/injection/*.txt';
    ok(@items >= 20, 'there are twenty items that speak to the model');

    my (@steered, @asked);

    for my $path (@items) {
        my $bytes = Judge::Nginx::read_file($path);
        my $text  = Encode::decode('UTF-8', $bytes);

        $text =~ tr/\0//d;
        my $id = $t->new_content($text);
        push @steered, $t->new_evaluation($judge, $id, model => 'main');
        push @asked, $t->new_evaluation($judge, $id, model => 'parrot');
    }

    my @held = map { $t->evaluated($_) } @steered;

    is(scalar(grep { $_->{status} eq 'completed' } @held), scalar @items,
       'each item that speaks to the model is judged');
    is(scalar(grep { ($_->{overall_score} // 0) == 71.5 } @held),
       scalar @items,
       'no item that speaks to the model gets another score');
    ok((grep { $_->{needs_review} } @held) >= 5,
       'items with altered passages have to be reviewed');
    ok(!(grep { $_->{provenance}{passages_altered} && !$_->{needs_review} }
         @held), 'no item with altered passages goes without a review');

    is(scalar(grep { $_->{status} eq 'completed' }
              map { $t->ended($_) } @asked), 0,
       'what an item says is never taken for the model\'s answer');
};

subtest 'crashes and reloads lose nothing' => sub {
    sub asked {
        my ($name, $n) = @_;
        my @ids = map { $t->new_evaluation($judge, $t->new_content("Text $_."),
                                           model => $name) } 1 .. $n;
        $t->wait_until(sub { $n <= $server{$name}->requests },
                       "all $n to be asked");
        return @ids;
    }

    if (!$t->single) {
        my @ids = asked(crash => 6);
        $t->kill_workers;
        my @records = map { $t->evaluated($_) } @ids;
        is(scalar(grep { $_->{status} eq 'completed' } @records), 6,
           'no evaluation is lost when workers die');
        is(scalar(grep { $_->{provenance}{attempts} == 2 } @records), 6,
           'the evaluations of workers that die are asked for a second time');

        my @slow  = asked(slow => 6);
        my @stuck = asked(stuck => 2);
        $t->reload;
        is(scalar(grep { $t->evaluated($_)->{status} eq 'completed' } @slow),
           6,
           'a reload loses no evaluation');
        @records = map { $t->evaluated($_) } @stuck;
        is(scalar(grep { $_->{status} eq 'completed' } @records), 2,
           'a reload loses no evaluation whose answer does not come');
        is(scalar(grep { $_->{provenance}{attempts} == 1 } @records), 2,
           'giving an evaluation back at a reload is no attempt');
    }
};

done_testing;
