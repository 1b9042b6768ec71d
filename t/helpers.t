# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Criteria out of prose and columns of a table: the built-in way, a language
# model, and the way back when that can't be used.

use Judge::Test;
use Judge::OpenAI;

my $prose = 'Essays should have correct grammar and a clear structure.'
          . ' Grammar counts twice as much as structure.';
my $table = "Heading,Body,Tag,Nr\n"
          . "On whales,Whales sing long songs under water at night.,sea,1\n"
          . "On wolves,Wolves howl in the hills and far away at dawn.,land,2\n"
          . "On larks,Larks rise with the sun and sing until it sets.,air,3\n";

my %criteria = (
    criteria => [
        { name => 'Grammar', description => 'Sentences are correct.',
          weight => 2, examples => ['"He goes"'],
          thresholds => { excellent => 90, good => 75, fair => 50,
                          poor => 25 } },
        { name => 'Structure', description => 'Parts follow each other.',
          weight => 1, examples => [],
          thresholds => { excellent => 85, good => 70, fair => 45,
                          poor => 20 } },
    ],
    confidence => 0.87, suggestions => ['Say how long an essay is.'],
);
my %columns = (columns => [
    { index => 0, field => 'title',    confidence => 0.9 },
    { index => 1, field => 'content',  confidence => 0.95 },
    { index => 2, field => 'metadata', confidence => 0.8 },
    { index => 3, field => 'none',     confidence => 0.7 },
]);

# The model gives what a test has put here; each server is a process of its
# own, so what it gives is fixed when it starts.

sub gives {
    my ($value, %opt) = @_;
    return Judge::OpenAI->start(%opt, verdict => sub {
        my ($q) = @_;
        my $text = join "\n", map { $_->{content} } @{ $q->{messages} };
        my ($key) = $text =~ /first member is "key": "([0-9a-f]+)"/;
        return { $key ? (key => $key) : (), %$value };
    });
}

sub with { return { %criteria, @_ } }
sub criterion_with {
    return with(criteria => [ { %{ $criteria{criteria}[0] }, @_ } ]);
}
sub columns_with {
    my ($i, %change) = @_;
    my @all = map { { %$_ } } @{ $columns{columns} };
    $all[$i] = { %{ $all[$i] }, %change };
    return { columns => \@all };
}

my %server = (
    criteria    => gives(\%criteria),
    columns     => gives(\%columns),
    second      => gives(\%criteria),
    turned      => gives(with(criteria => [
                       { %{ $criteria{criteria}[0] }, name => 'Insults',
                         description => 'It may insult anyone.' } ])),
    plain       => gives(\%criteria, lacks => [qw(schema object)]),
    repair      => gives(\%criteria, script => ['prose']),
    error       => gives(\%criteria, script => [('error') x 9]),
    hang        => gives(\%criteria, script => [('hang') x 9]),
    refused     => gives(\%criteria, script => [('refused') x 9]),
    c_none      => gives(with(criteria => [])),
    c_name      => gives(criterion_with(name => '')),
    c_weight    => gives(criterion_with(weight => 0)),
    c_levels    => gives(criterion_with(thresholds => {
                       excellent => 50, good => 60, fair => 40, poor => 2 })),
    c_twice     => gives(with(criteria => [ ($criteria{criteria}[0]) x 2 ])),
    c_sure      => gives(with(confidence => 7)),
    t_few       => gives({ columns => [ $columns{columns}[0] ] }),
    t_twice     => gives(columns_with(1, index => 0)),
    t_field     => gives(columns_with(1, field => 'body')),
    t_unwanted  => gives(columns_with(3, field => 'id')),
    t_two       => gives(columns_with(1, field => 'title')),
    t_sure      => gives(columns_with(1, confidence => 1.5)),
);
my @bad_criteria = grep { /^c_/ } sort keys %server;
my @bad_columns  = grep { /^t_/ } sort keys %server;

my $t = Judge::Test->new(store => 'fleet=off', server => join('', map {
    my $timeout = $_ eq 'hang' ? 'timeout=1s' : '';
    "location = /models/$_ { internal; judge_model $_ $timeout;"
    . " proxy_pass " . $server{$_}->url . "; proxy_http_version 1.1;"
    . " proxy_set_header Connection ''; proxy_buffering off; }\n"
} sort keys %server), orgs => 2);


sub parse {
    return $t->post('/llm/parse-criteria', json => {
        description => $prose, content_type => 'text', @_ });
}

sub detect {
    return $t->post('/llm/detect-csv-columns', json => {
        csv_sample => $table,
        expected_fields => [qw(content title metadata)], @_ });
}

my ($r, $p, $d);

subtest 'criteria and columns are found without a model' => sub {
    $r = parse();
    status_is($r, 200, 'criteria are parsed without a model');
    $p = $r->json;
    is($p->{tokens_used}, 0, 'the built-in way uses no tokens');
    ok(@{ $p->{parsed_criteria} } >= 2,
       'the built-in way finds both criteria');
    my ($c) = grep { $_->{name} =~ /grammar/i } @{ $p->{parsed_criteria} };
    ok($c && length $c->{description}, 'a parsed criterion has a description');
    ok($c->{suggested_weight} > 0.5,
       'what counts twice as much has the greater weight');
    ok($c->{suggested_thresholds}{excellent} > $c->{suggested_thresholds}{good}
       && $c->{suggested_thresholds}{good} > $c->{suggested_thresholds}{fair}
       && $c->{suggested_thresholds}{fair} > $c->{suggested_thresholds}{poor},
       'each threshold is lower than the one before');
    is(ref $c->{examples}, 'ARRAY',
       'a parsed criterion has a list of examples');
    ok($p->{parsing_confidence} > 0 && $p->{parsing_confidence} <= 1,
       'parsing_confidence is a share');
    is_deeply($p->{questions}, [], 'nothing is asked of what is clear');
    $p = parse(description => 'No typos, slang and quotes.')->json;
    like($p->{questions}[0],
         qr/^Is "No typos, slang and quotes" one criterion/,
         'what may be meant otherwise is asked');

    $p = parse(parsing_options => { max_criteria_count => 1,
                   include_weights => JSON::PP::false,
                   include_thresholds => JSON::PP::false })->json;
    is(scalar @{ $p->{parsed_criteria} }, 1,
       'max_criteria_count bounds how many criteria are parsed');
    ok(!exists $p->{parsed_criteria}[0]{suggested_weight},
       'include_weights=false leaves weights out');
    ok(!exists $p->{parsed_criteria}[0]{suggested_thresholds},
       'include_thresholds=false leaves thresholds out');

    is(parse(content_type => $_)->status, 200, "criteria of $_ are parsed")
        for qw(video audio image);

    status_is($t->post('/api-key/judges', json => {
        name => 'As parsed', description => '', content_type => 'text',
        criteria => [ map { { name => $_->{name},
                              description => $_->{description},
                              weight => $_->{suggested_weight},
                              thresholds => $_->{suggested_thresholds} } }
                      @{ parse()->json->{parsed_criteria} } ] }), 201,
        'a judge can be made of parsed criteria');

    $r = detect();
    status_is($r, 200, 'columns are detected without a model');
    $d = $r->json;
    my %field = map { $_->{mapped_field} => $_ } @{ $d->{detected_columns} };
    is_deeply([ @{ $field{content} }{qw(csv_column_name csv_column_index)} ],
              [ 'Body', 1 ], 'the column of texts is the content');
    is($field{content}{sample_values}[0],
       'Whales sing long songs under water at night.',
       'a detected column shows samples of its values');
    ok($field{content}{confidence} > 0.5,
       'the column of texts is detected with confidence');
    ok($field{content}{data_type}, 'a detected column has a type of data');
    is($field{title}{csv_column_name}, 'Heading',
       'the column of headings is the title');
    is($d->{data_quality_insights}{estimated_rows}, 3,
       'estimated_rows counts rows below the header');
    is(ref $d->{data_quality_insights}{potential_issues}, 'ARRAY',
       'potential_issues is a list');
    is($d->{import_preview}{sample_records}[1]{content},
       'Wolves howl in the hills and far away at dawn.',
       'the preview has the records of the table');
    is($d->{import_preview}{estimated_success_rate}, 1,
       'the preview says that all rows can be imported');
    is($d->{tokens_used}, 0, 'columns are detected without tokens');

    is_deeply([ map { $_->{mapped_field} }
                @{ detect(detection_options => { confidence_threshold => 1 })
                   ->json->{detected_columns} } ], [],
              'confidence_threshold leaves out what is less sure');
};

subtest 'what is wrong is refused' => sub {
    error_is(parse(description => ''), 400, qr/^description: /,
             'criteria need a description');
    error_is(parse(content_type => 'song'), 400, qr/^content_type: /,
             'criteria need a content type that exists');
    error_is(parse(parsing_options => { max_criteria_count => 0 }), 400,
             qr/^parsing_options\.max_criteria_count: /,
             'a maximum of no criteria is refused');
    error_is(parse(model => 'gpt'), 400, qr/^model: expected one of builtin, /,
             'a model that is not configured is refused');
    error_is(detect(csv_sample => "\n"), 400, qr/^csv_sample: /,
             'a table without a cell is refused');
    my %names = ('unknown words' => [ 'zorp,qux' ],
                 'another language' => [ "\x{420}\x{435}\x{446},\x{422}" ]);
    for my $name (sort keys %names) {
        my ($header) = @{ $names{$name} };
        $p = detect(csv_sample => "$header\nIt is red.,Fine\n"
                                . "It is blue.,Bad\n")
             ->json;
        is(join(',', map { $_->{csv_column_name} }
                     sort { $a->{csv_column_index} <=> $b->{csv_column_index} }
                     @{ $p->{detected_columns} }), $header,
           "a header in $name is a header")
            if @{ $p->{detected_columns} } == 2;
        is($p->{data_quality_insights}{estimated_rows}, 2,
           "a header in $name is no row of data");
    }

    for my $first ('zorp,12.5', 'zorp,2024-01-05', 'zorp,a@b.example',
                   'It came a week late and the box was open,zorp')
    {
        $p = detect(csv_sample => "$first\nqux,red\nthud,blue\n")->json;
        is($p->{data_quality_insights}{estimated_rows}, 3,
           "the first row can't be a header: $first");
    }

    error_is(detect(expected_fields => []), 400, qr/^expected_fields: /,
             'columns need fields that are expected');
    error_is(detect(expected_fields => ['content', 'body']), 400,
             qr/^expected_fields\[1\]: expected one of content, title/,
             'a field that does not exist is refused');
    error_is(detect(detection_options => { confidence_threshold => 2 }), 400,
             qr/^detection_options\.confidence_threshold: /,
             'a confidence_threshold over 1 is refused');
    permission_is($t, 'llm:use', POST => '/llm/parse-criteria', json => {
        description => $prose, content_type => 'text' });
    permission_is($t, 'llm:use', POST => '/llm/detect-csv-columns', json => {
        csv_sample => $table, expected_fields => ['content'] });
};

subtest 'a model finds criteria and columns' => sub {
    for my $name (qw(criteria plain repair)) {
        $p = parse(model => $name)->json;
        is_deeply($p->{parsed_criteria}, [
            { name => 'Grammar', description => 'Sentences are correct.',
              suggested_weight => 0.67, examples => ['"He goes"'],
              suggested_thresholds => { excellent => 90, good => 75,
                                        fair => 50,
                                        poor => 25 } },
            { name => 'Structure', description => 'Parts follow each other.',
              suggested_weight => 0.33, examples => [],
              suggested_thresholds => { excellent => 85, good => 70,
                                        fair => 45,
                                        poor => 20 } } ],
            "$name: the criteria are those of the model");
        is($p->{parsing_confidence}, 0.87,
           "$name: the confidence is that of the model");
        is_deeply($p->{suggestions}, ['Say how long an essay is.'],
                  "$name: the suggestions are those of the model");
        ok($p->{tokens_used} > 0,
           "$name: the tokens of the model are counted");
    }

    $p = parse(model => 'turned', description => 'They must not insult anyone.'
                                    . ' They name the price.')->json;
    is_deeply([ map { "$_->{name}: $_->{suggested_weight}" }
                @{ $p->{parsed_criteria} } ],
              [ 'They must not insult anyone: 0.67',
                'They name the price: 0.33' ],
              'a clause that the model turned round is put back, a lost one'
              . ' is added');
    like($p->{questions}[0], qr/turned "They must not insult anyone" round/,
         'a question says what was turned round');
    like($p->{questions}[1], qr/"They name the price" was missing/,
         'a question says what was missing');

    my ($q) = $server{criteria}->requests;
    is($q->{json}{response_format}{json_schema}{name}, 'criteria',
       'a model is asked for criteria by a schema');
    like($q->{json}{messages}[1]{content}, qr/DESCRIPTION [0-9a-f]+ BEGIN/,
         'the description stands apart from the question');

    $d = detect(model => 'columns')->json;
    is_deeply([ map { join ' ',
                      @$_{qw(csv_column_index mapped_field confidence)} }
                @{ $d->{detected_columns} } ],
              [ '0 title 0.9', '1 content 0.95', '2 metadata 0.8' ],
              'detected columns are those of the model');
    is_deeply($d->{unmapped_columns}, ['Nr'],
              'what the model maps to nothing is unmapped');
    is_deeply($d->{import_preview}{sample_records}[0],
              { title => 'On whales', metadata => { Tag => 'sea' },
                content => 'Whales sing long songs under water at night.' },
              'the preview follows the columns of the model');
    ok($d->{tokens_used} > 0, 'the tokens for columns are counted');

    $t->put('/config/llm', json => { default_model => 'criteria' });
    is(parse()->json->{parsing_confidence}, 0.87,
       'the default model is asked when none is named');
    is(parse(model => 'builtin')->json->{tokens_used}, 0,
       'builtin goes before the default model');
    $t->put('/config/llm', json => { default_model => 'builtin' });
};

subtest 'the built-in way answers where a model cannot' => sub {
    my $builtin = parse()->json;

    for my $name (qw(error hang refused), @bad_criteria) {
        $r = parse(model => $name);
        status_is($r, 200,
                  "$name: criteria are parsed although the model fails");
        $p = $r->json;
        is_deeply($p->{parsed_criteria}, $builtin->{parsed_criteria},
                  "$name: the built-in way gives the criteria");
        like($p->{suggestions}[-1],
             qr/^The language model could not be used \(/,
             "$name: a suggestion says that the model was not used");
        like($p->{suggestions}[-1], qr/\bmodel \Q$name\E\b.*\bbuilt-in way\.$/,
             "$name: a suggestion says which model failed");
    }

    $builtin = detect()->json;

    for my $name (qw(error refused), @bad_columns) {
        $r = detect(model => $name);
        status_is($r, 200,
                  "$name: columns are detected although the model fails");
        $d = $r->json;
        is_deeply($d->{detected_columns}, $builtin->{detected_columns},
                  "$name: the built-in way gives the columns");
        like($d->{data_quality_insights}{recommendations}[-1],
             qr/^The language model could not be used/,
             "$name: a recommendation says that the model was not used");
    }

    ok(parse(model => 'c_name')->json->{tokens_used} > 0,
       'the tokens of an unusable answer are told');
};

my $asked;

# Those that fail are passed over, each asked once; who answers is named.

sub asked {
    my (@of) = @_;
    my %before = map { $_ => scalar $server{$_}->requests } @of;
    return sub {
        return join ' ', map { $_ . ' '
            . ($server{$_}->requests - $before{$_}) } @of;
    };
}

subtest 'fallbacks are asked one after the other' => sub {
    $t->put('/config/llm', json => {
        default_model => 'error',
        fallback_models => [qw(refused hang second criteria)] });
    $asked = asked(qw(error refused hang second criteria));
    $r = parse();
    status_is($r, 200, 'a request succeeds when only the fallbacks work');
    is($r->json->{parsing_confidence}, 0.87,
       'the result is that of the first model that works');
    like($r->json->{suggestions}[-1],
         qr/\(model error .*; this is the result of model second\.$/,
         'a suggestion names the model that answered, and who failed');
    is($r->json->{suggestions}[0], 'Say how long an essay is.',
       'suggestions of the model stand before the notice');
    is($asked->(), 'error 1 refused 1 hang 1 second 1 criteria 0',
       'each model is asked once, and none after the one that answers');

    $t->put('/config/llm', json => { fallback_models => [qw(t_few columns)] });
    $d = detect(model => 't_two')->json;
    is_deeply([ map { "$_->{csv_column_index} $_->{mapped_field}" }
                @{ $d->{detected_columns} } ],
              [ '0 title', '1 content', '2 metadata' ],
              'columns come from a fallback, too');
    like($d->{data_quality_insights}{recommendations}[-1],
         qr/\(model t_two: .*this is the result of model columns\.$/,
         'a recommendation names the fallback of columns');
    my $alone = do {
        $t->put('/config/llm', json => { fallback_models => [] });
        detect(model => 'columns')->json->{tokens_used};
    };
    cmp_ok($d->{tokens_used}, '>', $alone,
           'tokens of all models that were asked are counted');

    $t->put('/config/llm',
            json => { fallback_models => [qw(refused c_name)] });
    $p = parse(model => 'error')->json;
    is_deeply($p->{parsed_criteria}, parse(model => 'builtin')->json
                  ->{parsed_criteria},
              'the built-in way answers when all models fail');
    like($p->{suggestions}[-1], qr/\(model error .*built-in way\.$/,
         'the notice names the first model when all fail');

    $t->put('/config/llm', json => {
        fallback_models => [qw(builtin criteria)] });
    $asked = asked('criteria');
    like(parse(model => 'error')->json->{suggestions}[-1],
         qr/built-in way\.$/,
         'builtin among the fallbacks answers when its turn comes');
    is($asked->(), 'criteria 0', 'no model behind builtin is asked');
    $t->put('/config/llm', json => { default_model => 'builtin',
                                     fallback_models => [] });

    $t->put('/config/llm', json => { temperature => 0.3 });
    $t->post('/llm/parse-criteria', json => {
        description => $prose, content_type => 'text', model => 'criteria' });
    detect(model => 'columns');
    is_deeply([ map { ($server{$_}->requests)[-1]{json}{temperature} }
                qw(criteria columns) ], [ 0.3, 0.3 ],
              'the temperature of the settings holds for helpers, too');
};

sub test { $t->post('/llm/test', json => { model => $_[0] }, @_[1 .. $#_]) }

subtest 'a model can be tested, and has a price' => sub {
    $t->put('/config/llm', json => { fallback_models => ['criteria'] });
    status_is($r = test('criteria'), 200, 'a model is tested');
    my $tested = $r->json;
    ok($tested->{usable}, 'a model that answers can be used');
    like($tested->{answer}, qr/^\{.*"criteria"/s,
         'the answer of a tested model is shown');
    ok($tested->{tokens_used} > 0 && $tested->{duration_ms} >= 0,
       'a test says what it took of tokens and time');
    $asked = asked('criteria');
    $tested = test('error')->json;
    ok(!$tested->{usable} && !exists $tested->{answer},
       'a model that fails its test can not be used and has no answer');
    is($tested->{error}{code}, 'MODEL_SERVER', 'a failed test says why');
    is($asked->(), 'criteria 0',
       'no fallback takes the place of a tested model');
    $t->put('/config/llm', json => { fallback_models => [] });
    error_is(test('builtin'), 400, qr/^model: expected a language model/,
             'the built-in engine is not tested');
    error_is(test('nobody'), 400, qr/^model: expected one of/,
             'an unknown model is not tested');
    permission_is($t, 'llm:use', POST => '/llm/test', json => {
        model => 'criteria' });

    ok(!exists $t->get('/config/llm')->json->{config}{prices},
       'a configuration has no prices at first');
    $t->put('/config/llm',
            json => { prices => { criteria => 2.5, gone => 0 } });
    $t->put('/config/llm', json => { temperature => 0.2 });
    is_deeply($t->get('/config/llm')->json->{config}{prices},
              { criteria => 2.5, gone => 0 },
              'prices are kept when other settings change');
    error_is($t->put('/config/llm', json => { prices => { criteria => $_ } }),
             400, qr/^prices\.criteria: expected a number from 0 to 1000000$/,
             "a price of $_ is refused")
        for -1, 1_000_001, 'much';
    $t->put('/config/llm', json => { prices => {} });
};

subtest 'budgets bound what models are asked' => sub {
    $t->put('/config/llm', org => 1, json => {
        rate_limits => { requests_per_minute => 1 } });
    my @two = map { $t->post('/llm/parse-criteria', org => 1, json => {
        description => $prose, content_type => 'text', model => 'criteria' })
        ->json } 1 .. 2;
    is($two[0]{parsing_confidence}, 0.87,
       'a question within the budget is asked');
    is_deeply($t->get('/config/llm', org => 1)->json->{budget},
              { requests_left => 0 }, 'nothing is left of a used budget');
    like($two[1]{suggestions}[-1],
         qr/requests or tokens per minute are used up/,
         'a question beyond the budget is answered by the built-in way');

    $t->new_org('Another');
    $t->put('/config/llm', org => 2, json => {
        default_model => 'refused', fallback_models => ['criteria'],
        rate_limits => { requests_per_minute => 2 } });
    @two = map { $t->post('/llm/parse-criteria', org => 2, json => {
        description => $prose, content_type => 'text' })->json } 1 .. 2;
    is($two[0]{parsing_confidence}, 0.87,
       'two questions are within the budget');
    like($two[1]{suggestions}[-1],
         qr/\(the organization's requests or tokens per/,
         'the fallback was one of them');

    # Whoever leaves while a model is asked, or between two, harms nobody.

    $t->put('/config/llm', json => { fallback_models => ['criteria'] });
    my $before = $server{hang}->requests;
    my $client = $t->connect;
    $client->send($t->bytes(POST => '/llm/parse-criteria', json => {
        description => $prose, content_type => 'text', model => 'hang' }));
    $t->wait_until(sub { $before < $server{hang}->requests },
    'the model asked');
    $client->close;
    is(parse()->status, 200, 'a client that leaves harms nobody');
};

done_testing;
