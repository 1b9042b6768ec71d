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
    down    => Judge::OpenAI->start,
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

$server{down}->stop;

my $judge   = $t->new_model_judge;
my $both    = $t->new_judge(criteria => [
    { name => 'Grammar', description => 'Correct grammar.' },
    { name => 'Wit', description => 'It makes the reader smile.' } ]);
my $content = $t->new_content('A text about whales, and why they sing.');



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


# --- It goes well ----------------------------------------------------------

my $r = evaluate('main', undef, content => $content);

is($r->{status}, 'completed', 'a model judges');
is($r->{overall_score}, 71.5, 'the mean of its scores');
is($r->{criteria_scores}[0]{score}, 71, 'its score of a criterion');
like($r->{criteria_scores}[1]{feedback}, qr/^Reasons for c2\..*A text about/s,
     'its reasons, with what it quotes');
is($r->{engine}, 'llm/1', 'engine');
is($r->{needs_review}, JSON::PP::false, 'nothing is odd');

my $p = $r->{provenance};

is($p->{engine}, 'llm', 'provenance: engine');
is($p->{model}, 'main', 'the model that was asked for');
is($p->{model_served}, 'main-2026-01-01', 'and the one that served');
is($p->{attempts}, 1, 'one attempt');
is($p->{cached}, JSON::PP::false, 'not out of the store');
like($p->{prompt_hash}, qr/^[0-9a-f]{64}$/, 'prompt_hash');
is(scalar $server{main}->requests, 1, 'one question');

my ($q) = $server{main}->requests;
is($p->{tokens_used},
   2 + int(length(JSON::PP->new->utf8->canonical
                          ->encode($q->{json}{messages})) / 4)
     + int(length(JSON::PP->new->utf8->canonical
                          ->encode(Judge::OpenAI::verdict($q->{json}))) / 4),
   'tokens_used as the server says');
is($q->{json}{response_format}{type}, 'json_schema', 'with a schema');
is($q->{json}{temperature}, 0, 'without chance');

my $again = evaluate('main', undef, content => $content);

is($again->{provenance}{cached}, JSON::PP::true, 'the same again is stored');
is($again->{provenance}{tokens_used}, 0, 'and costs nothing');
is($again->{provenance}{prompt_hash}, $p->{prompt_hash}, 'the same prompt');
isnt($again->{evaluation_id}, $r->{evaluation_id}, 'it is its own record');
is_deeply($again->{criteria_scores}, $r->{criteria_scores}, 'same scores');
is(scalar $server{main}->requests, 1, 'nobody was asked');

$again = evaluate('main', undef, content => $content,
                  cache => JSON::PP::false);

is($again->{provenance}{cached}, JSON::PP::false, 'unless cache is false');
is(scalar $server{main}->requests, 2, 'then it is asked again');

is(evaluate('main', undef, content => $t->new_content('A text about whales,'
            . ' and why they sing.'))->{provenance}{cached},
   JSON::PP::false, 'another content is another question');

$r = evaluate('builtin', 'By the built-in engine.', judge => $both);
is($r->{provenance}{engine}, 'builtin', 'builtin is a model, too');
is($r->{not_judged}[0]{name}, 'Wit', 'which can\'t judge everything');


# --- What may be asked for -------------------------------------------------

my %body = (judge_id => $judge, content_id => $content);

error_is($t->post('/evaluations/single', json => { %body, model => 'gpt' }),
         400, qr/^model: expected one of builtin, .*\bmain\b/,
         'no such model');
error_is($t->post('/evaluations/single',
                  json => { %body, model => 'main', samples => $_ }),
         400, qr/^samples: /, "samples: $_") for 0, 11;
error_is($t->post('/evaluations/single',
                  json => { %body, model => 'main', cache => 'no' }),
         400, qr/^cache: /, 'cache is a boolean');
error_is($t->post('/evaluations/presigned-upload',
                  json => { name => 'x', file_type => 'video',
                            judge_id => $t->new_judge(content_type => 'video'),
                            model => 'main' }),
         400, qr/^model: this one can't judge content of the type video/,
         'not what it can\'t look at');


# --- Answers that can't be read --------------------------------------------

my %code = (empty => 'EMPTY', nothing => 'EMPTY', prose => 'INVALID',
            truncated => 'TRUNCATED', refused => 'REFUSED',
            filtered => 'REFUSED', too_much => 'INVALID',
            missing => 'INVALID', unknown => 'INVALID',
            not_json => 'INVALID');

my @records = evaluate_all('main', map { "do-$_ please" } @unreadable);

for my $i (0 .. $#unreadable) {
    my ($name, $record) = ($unreadable[$i], $records[$i]);

    is($record->{status}, 'failed', "$name: failed");
    is($record->{error}{code}, $code{$name}, "$name: code");
    like($record->{error}{message}, qr/^model main: \S/, "$name: why");
    ok(!exists $record->{overall_score} && !exists $record->{criteria_scores},
       "$name: never a score");
}

my %by_name = map { $unreadable[$_] => $records[$_] } 0 .. $#unreadable;

like($by_name{prose}{error}{answer}, qr/^A fine text, 90 of 100/,
     'the start of the answer is kept');
like($by_name{truncated}{error}{answer}, qr/^\{"criteria"/,
     'of one that broke off, too');
ok($by_name{prose}{provenance}{tokens_used} > 0, 'what it cost is told');

$r = evaluate('repair', 'Any text.');
is($r->{status}, 'completed', 'the second answer was better');
is(scalar $server{repair}->requests, 2, 'it was asked for once');
like(($server{repair}->requests)[1]{body}, qr/A fine text, 90 of 100/,
     'with what was wrong');

$r = evaluate('main', 'do-invented please');
is($r->{status}, 'completed', 'quotes that are none: still an answer');
is_deeply($r->{review_reasons}, ['quotes_missing'], 'but one to look at');
is($r->{provenance}{evidence_missing}, 1, 'they are counted');


# --- Answers that people would read ----------------------------------------

my %tolerated = (fenced    => 'fence text', as_string => 'score_as_string',
                 thinking  => 'thoughts', ok => undef);
my @habits    = sort keys %tolerated;

@records = evaluate_all('main', map { "do-$_ please" } @habits);

for my $i (0 .. $#habits) {
    my $is = $records[$i]{provenance}{tolerated};

    is($records[$i]{status}, 'completed', "$habits[$i]: is read");
    is($is ? "@$is" : undef, $tolerated{$habits[$i]},
       "$habits[$i]: what was tolerated stands in the record");
}


# --- Servers with habits ---------------------------------------------------

for my $name (qw(object plain)) {
    my @two = (evaluate($name, 'Any text.'), evaluate($name, 'Another text.'));

    is($_->{status}, 'completed', "$name: completed") for @two;

    my @requests = $server{$name}->requests;
    my @refused  = grep { $_->{status} == 400 } @requests;

    # Each of two workers learns for itself.
    ok(@refused >= 1 && @refused <= 10, "$name: it is learnt, then known")
        or diag(scalar @refused);
    is(scalar(@requests) - @refused, 2, "$name: each is answered once");
}


# --- Servers that fail -----------------------------------------------------

$t->put('/config/llm', json => { max_tokens => 600 });

my ($slow) = $t->new_evaluation($judge, $t->new_content('x y'),
                                model => 'rate');
my $seen = {};

$t->wait_until(sub {
    $seen = $t->get("/evaluations/$slow")->json;
    $seen->{last_error} || $seen->{status} ne 'processing';
}, 'the first attempt');

is($seen->{last_error}{code}, 'MODEL_RATE', 'too fast: the record says so');
is($seen->{attempts}, 1, 'one attempt');
time_is($seen->{next_attempt_at}, 'next_attempt_at');

my @times = map { my ($s) = /:(\d\d\.\d+)Z/; $s }
            $seen->{last_error}{at}, $seen->{next_attempt_at};
my $pause = $times[1] - $times[0];
$pause += 60 if $pause < 0;
ok($pause >= 5, 'not before Retry-After') or diag($pause);

my @failing = map { [ $_->[0], $t->new_evaluation($judge,
                        $t->new_content($_->[1]), model => $_->[0]) ] }
    [ error => 'Any text.' ], [ down => 'Any text.' ],
    (map { [ main => "do-$_ please" ] } @broken, qw(error overload html rate)),
    [ main => 'do-quota please' ], [ keyed => 'Any text.' ],
    [ narrow => 'Any text. ' x 100 ], [ other => 'Any text.' ],
    [ hang => 'Any text.' ];
my @ended = map { $t->ended($_->[1]) } @failing;

is($t->evaluated($slow)->{status}, 'completed', 'and then it is');
is($t->evaluated($slow)->{provenance}{attempts}, 2, 'by the second attempt');
is(($server{rate}->requests)[1]{json}{max_tokens}, 600, 'max_tokens');

is($ended[0]{status}, 'completed', 'a fault that passes');
is($ended[0]{provenance}{attempts}, 2, 'by the second attempt');

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

    is($record->{status}, 'failed', "$name: failed");
    is($record->{error}{code}, $code, "$name: $code");
    is($record->{provenance}{attempts}, $attempts,
       "$name: after $attempts attempts");
}

unlike($t->get('/evaluations?limit=200')->body, qr/sk-test/,
       'no key of ours in any record');


# --- Other models instead --------------------------------------------------

status_is($t->put('/config/llm', json => {
    default_model => 'down', fallback_models => [qw(down other object)] }),
    200, 'fallback models are set');

$r = $t->evaluated($t->new_evaluation($judge, $t->new_content('A text.')));
is($r->{status}, 'completed', 'one of the others answers');
is($r->{provenance}{model}, 'down', 'what was asked for');
is($r->{provenance}{fallback_model}, 'object', 'and who answered');
is($r->{provenance}{attempts}, 1, 'at once');
is_deeply([ map { $_->{model} } @{ $r->{provenance}{models_failed} } ],
          [qw(down other)], 'with those that were asked in vain');
like($r->{provenance}{models_failed}[1]{message}, qr/404/,
     'each with its reason');

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
       "completed builtin $model", "$text: another one decides");
    like($no->{message}, $why // qr/./, "$text: why stands in the record");
    like($no->{code}, qr/^MODEL_\w+$|^\w+$/, "$text: with its code");
}

$t->put('/config/llm', json => { default_model => 'down',
                                 fallback_models => ['builtin'] });
$r = $t->evaluated($t->new_evaluation($both, $t->new_content('A text.')));
is($r->{status}, 'completed', 'the built-in engine can be the last of them');
is($r->{provenance}{engine}, 'builtin', 'and says so');
is($r->{provenance}{fallback_model}, 'builtin', 'for whom');
is_deeply([ map { $_->{name} } @{ $r->{criteria_scores} } ], ['Grammar'],
          'with what it measures');
like($r->{not_judged}[0]{reason}, qr/^The language model down judges this/,
     'what only the model judges says why it is not judged');
$r = $t->ended($t->new_evaluation($judge, $t->new_content('A text.')));
is("$r->{status} $r->{error}{code}", 'failed MODEL_UNREACHABLE',
   'where that is everything, nothing is judged');


# --- Batches and uploads ---------------------------------------------------

$t->put('/config/llm', json => { default_model => 'main',
                                 fallback_models => [] });

my $batch = $t->post('/batches/evaluate', json => {
    name => 'B', judge_ids => [$judge],
    content_items => [ map { { name => "T$_", text_content => "Text $_." } }
                       1 .. 20 ] });
status_is($batch, 201, 'a batch');
my $batch_id = $batch->json->{batch_id};
$t->wait_until(sub {
    $t->get("/batches/$batch_id")->json->{status} eq 'completed';
}, 'the batch');
my @in_batch = @{ $t->get("/evaluations?batch_id=$batch_id")
                    ->json->{evaluations} };
is(scalar(grep { $_->{provenance}{model} eq 'main' } @in_batch), 20,
   'all of a batch by the default model');

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
is($r->{status}, 'completed', 'a model looks at it');
my ($shown) = map { $_->{image_url}{url} } grep { $_->{type} eq 'image_url' }
              map { ref $_->{content} ? @{ $_->{content} } : () }
              @{ ($server{picture}->requests)[0]{json}{messages} };
is($shown, 'data:image/png;base64,' . MIME::Base64::encode_base64($png, ''),
   'as data');


# --- Samples ---------------------------------------------------------------

$r = evaluate('samples', 'Any text.', samples => 5);
is($r->{status}, 'completed', 'five samples');
is($r->{overall_score}, 70, 'their mean');
my $interval = $r->{score_interval};
is($interval->{coverage}, 0.9, 'an interval');
is($interval->{low}, 54.92, 'its lower end');       # 70 - 2.132 * 15.81 / √5
is($interval->{high}, 85.08, 'its upper end');
is_deeply($r->{review_reasons}, ['answers_apart'],
          'so far apart: to be looked at');
is($r->{provenance}{samples}, 5, 'how many');
my @samples = $server{samples}->requests;
is(scalar @samples, 5, 'five questions');
is(scalar(grep { $_->{json}{temperature} == 1 } @samples), 5, 'with chance');

is(evaluate('samples', 'Any text.', samples => 1)->{score_interval}, undef,
   'one sample has no spread');


# --- Budgets ---------------------------------------------------------------

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

ok(@back <= 5 && @back >= 8 - $may, 'three in a minute, over both workers');
ok($n >= 3 && $n <= $may, 'no more were asked') or diag("$n, not $may");
is(join(' ', grep { $_ ne 'BUDGET' } map { $_->{last_error}{code} } @back), '',
   'the others wait');
is_deeply([ grep { $_->{attempts} } @back ], [], 'which is no attempt');

my %at = map { $_->{next_attempt_at} => 1 } @back;
is(scalar keys %at, @back, 'each until a time of its own');

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
   'tokens per minute hold, too') or diag($n);


# --- Items that try to steer -----------------------------------------------

my @items = sort glob Judge::Nginx->repo . '/t/data/injection/*.txt';
ok(@items >= 20, 'items that speak to the model');

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
   'all of them are judged');
is(scalar(grep { ($_->{overall_score} // 0) == 71.5 } @held), scalar @items,
   'none by a score of its own');
ok((grep { $_->{needs_review} } @held) >= 5, 'those that were altered show');
ok(!(grep { $_->{provenance}{passages_altered} && !$_->{needs_review} }
     @held), 'altered ones are to be looked at');

is(scalar(grep { $_->{status} eq 'completed' }
          map { $t->ended($_) } @asked), 0,
   'what an item says is never taken for the model\'s answer');


# --- Crashes and reloads ---------------------------------------------------

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
    $t->kill_worker(pid => $_, wait => 0) for $t->workers;
    my @records = map { $t->evaluated($_) } @ids;
    is(scalar(grep { $_->{status} eq 'completed' } @records), 6,
       'workers that die lose none');
    is(scalar(grep { $_->{provenance}{attempts} == 2 } @records), 6,
       'all are asked for again, as a second attempt');

    my @slow  = asked(slow => 6);
    my @stuck = asked(stuck => 2);
    $t->reload;
    is(scalar(grep { $t->evaluated($_)->{status} eq 'completed' } @slow), 6,
       'a reload loses none');
    @records = map { $t->evaluated($_) } @stuck;
    is(scalar(grep { $_->{status} eq 'completed' } @records), 2,
       'not even those whose answer does not come');
    is(scalar(grep { $_->{provenance}{attempts} == 1 } @records), 2,
       'who were handed back, which is no attempt');
}

done_testing;
