# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# OpenAI's Evals and files, below a location with judge_openai: each endpoint,
# bad inputs, two organizations, several workers, a crash.

use Judge::Docs;
use Judge::OpenAI;
use Judge::OpenAI::Error;
use Judge::Test;

my ($shown) = Judge::Docs->blocks('docs/openai.md', 'OpenAI Evals', 'nginx',
                                  1);

my $llm = Judge::OpenAI->start(when => [
    [ qr/capital of (?:France|Spain)/ => { content => 'Paris' } ],
    [ qr/make it fail/ => { status => 400, body => { error => {
        message => 'no', type => 'invalid_request_error', param => undef,
        code => undef } } } ],
    [ qr/slow/ => { content => 'Paris', delay => 0.5 } ],
    [ qr/asleep/ => { content => 'Paris', delay => 60 } ],
    [ qr/stays dark/ => { content => 'Hardware' } ],
    [ qr/can't quit/ => { content => 'Software' } ],
    [ qr/eat well/ => { content => 'Other' } ] ],
    script => [ 'ok', 'ok', 'error', { content => 'Paris' } ]);

my $t = Judge::Test->new(orgs => 2, described => 0, workers => 3,
                         location => 'judge_openai on;',
                         server => $llm->location('m')
                                   . ' location /off/ { judge on; }'
                                   . ' location /narrow/ { judge on;'
                                   . ' client_max_body_size 1;'
                                   . ' judge_openai on; }'
                                   . $shown);

my $json = JSON::PP->new->utf8->canonical;

sub call {
    my ($method, $path, $body, %opt) = @_;
    return $t->request($method, "/openai/v1$path", bearer => 1,
                       defined $body ? (json => $body) : (), %opt);
}

my %schema = (type => 'object', required => [ 'question' ], properties => {
    question => { type => 'string' }, answer => { type => 'string' } });
my %config = (type => 'custom', item_schema => \%schema);
my @check = { type => 'string_check', name => 'same', operation => 'eq',
              input => '{{item.question}}', reference => '{{item.answer}}' };


# --- The directive ----------------------------------------------------------

subtest 'a location has Evals as its directive says' => sub {
    for (['judge_openai on;',
          qr/judge_openai: there is no service.*"judge on"/s],
         ['judge on; judge_openai on; judge_openai on;', qr/duplicate/])
    {
        my ($fine, $said) = $t->check_conf(
            server => "location /l { $_->[0] }");
        ok(!$fine, "$_->[0] is refused");
        like($said, $_->[1], "the error says what is wrong with $_->[0]");
    }

    status_is($t->get('/judging/openai/v1/evals', bearer => 1), 200,
              'what docs/openai.md shows serves');
    status_is($t->get('/off/openai/v1/evals', bearer => 1), 404,
              'a location without judge_openai has no Evals');
    is(refused(call(GET => '/evals', undef, key => undef), 401, undef,
               qr/API key/, 'a call without a key is refused')->{code},
       'invalid_api_key',
       'the error of a call without a key is invalid_api_key');
    refused(call(GET => '/eval'), 404, undef, qr{/openai/v1/evals},
            'an unknown path is not found');
    refused(call(PUT => '/evals'), 405, undef, qr/GET, HEAD, POST/,
            'an unknown method is refused');
    refused($t->post('/narrow/openai/v1/evals', bearer => 1, json => { }), 413,
            undef, qr/larger than allowed/,
            'a body is refused by nginx itself');
    is_deeply($t->post('/narrow/judges', json => { })->json, {
        detail => 'the body is larger than allowed here' },
              'other paths have an error of their own form');
};


# --- Evals ------------------------------------------------------------------

my $r = call(POST => '/evals', { name => 'Sums', metadata => { a => 'b' },
    data_source_config => \%config, testing_criteria => \@check });
status_is($r, 201, 'an eval is made');
my $eval = $r->json;
like($eval->{id}, qr/^eval_\w{26}\z/, 'the id of an eval begins with eval_');
is($eval->{object}, 'eval', 'an eval says that it is one');
cmp_ok(abs($eval->{created_at} - time), '<', 60,
       'an eval has its time in seconds since 1970');
is_deeply($eval->{data_source_config}, { type => 'custom', schema => {
    type => 'object', properties => { item => \%schema },
    required => [ 'item' ] } }, 'an eval has the schema of its items');
is_deeply($eval->{testing_criteria}, \@check, 'an eval has its graders');
is_deeply($eval->{metadata}, { a => 'b' },
          'an eval has the metadata that the client gave');
is_deeply(call(GET => "/evals/$eval->{id}")->json, $eval,
          'an eval is read again as it was answered');

$r = call(POST => '/evals', { data_source_config => { %config,
    include_sample_schema => JSON::PP::true }, testing_criteria => \@check });
my $second = $r->json;
is_deeply($second->{data_source_config}{schema}{required},
          [ qw(item sample) ],
          'an eval with a sample schema requires item and sample');
is_deeply($second->{metadata}, {}, 'an eval made without metadata has none');

sub nested { my ($n) = @_; return $n ? [ nested($n - 1) ] : 1 }

subtest 'an eval that is wrong is refused by its member' => sub {
    for ([ {}, 'data_source_config', qr/required|expected/ ],
         [ { data_source_config => { type => 'logs' } },
           'data_source_config.type', qr/no completions are stored/ ],
         [ { data_source_config => { type => 'stored_completions' } },
           'data_source_config.type', qr/no completions are stored/ ],
         [ { data_source_config => { type => 'x' } },
           'data_source_config.type', qr/custom/ ],
         [ { data_source_config => { type => 'custom' } },
           'data_source_config.item_schema', qr/JSON Schema/ ],
         [ { data_source_config => { type => 'custom',
             item_schema => { dependentRequired => {} } } },
           'data_source_config.item_schema', qr/value/ ],
         [ { data_source_config => { type => 'custom', item_schema => {
                 const => nested(60) } } },
           'data_source_config.item_schema', qr/fewer levels/ ],
         [ { data_source_config => \%config, testing_criteria => [] },
           'testing_criteria', qr/1 to 32/ ],
         [ { data_source_config => \%config, metadata => { a => 1 } },
           'metadata', qr/strings/ ],
         [ { data_source_config => \%config, name => 7 }, 'name', qr/string/ ])
    {
        my ($body, $param, $like) = @$_;
        refused(call(POST => '/evals',
                     { testing_criteria => \@check, %$body }),
                400, $param, $like, "$param is refused");
    }
};

my $page = call(GET => '/evals?limit=1')->json;
is_deeply([ @$page{qw(object first_id last_id has_more)} ],
          [ 'list', $eval->{id}, $eval->{id}, JSON::PP::true ],
          'a page of evals says where it ends and that there are more');
is_deeply($page->{data}, [ $eval ], 'a page of evals has what a get has');
$page = call(GET => "/evals?limit=1&after=$eval->{id}")->json;
is($page->{data}[0]{id}, $second->{id},
   'the page after an eval has the next one');
ok(!$page->{has_more}, 'the last page says that there are no more');
is(call(GET => '/evals?order=desc')->json->{data}[0]{id}, $second->{id},
   'order=desc has the newest eval first');
refused(call(GET => '/evals?order=up'), 400, 'order', qr/asc/,
        'an unknown order is refused');
refused(call(GET => '/evals?limit=101'), 400, 'limit', qr/100/,
        'a limit of 101 is refused');
refused(call(GET => "/evals?after=$_"), 400, 'after', qr/eval_ and 26/,
        "a page after $_ is refused")
    for 'eval_zzz', 'evalrun_' . substr($eval->{id}, 5);

select undef, undef, undef, 0.01;
$r = call(POST => "/evals/$eval->{id}", { name => 'More sums',
                                          metadata => { c => 'd' } });
is($r->json->{name}, 'More sums', 'an eval is renamed');
is_deeply(call(GET => "/evals/$eval->{id}")->json->{metadata}, { c => 'd' },
          'the metadata of an eval are replaced');
is(call(GET => '/evals?order_by=updated_at&order=desc')->json->{data}[0]{id},
   $eval->{id}, 'order_by=updated_at has the eval that was changed last');
my $by = '/evals?order_by=updated_at&after=';
is_deeply([ map { $_->{id} } @{ call(GET => "$by$second->{id}")->json->{data}
          } ], [ $eval->{id} ], 'pages follow the time of the last change');
refused(call(GET => "${by}eval_" . 'z' x 26), 400, 'after', qr/was deleted/,
        'a page after the time of what is not there is refused');

subtest 'what is no eval is not found' => sub {
    for (qw(eval_none %ff)) {
        refused(call(GET => "/evals/$_"), 404, undef, qr/no such eval/,
                "$_ is not found");
        refused(call(POST => "/evals/$_", {}), 404, undef, qr/no such eval/,
                "$_ is not changed");
        refused(call(DELETE => "/evals/$_"), 404, undef, qr/no such eval/,
                "$_ is not deleted");
    }
};

my @other = (key => $t->key(1));
refused(call(GET => "/evals/$eval->{id}", undef, @other), 404, undef,
        qr/no such/, 'another organization does not see it');
refused(call(DELETE => "/evals/$eval->{id}", undef, @other), 404, undef,
        qr/no such/, 'another organization does not delete it');
is_deeply(call(GET => '/evals', undef, @other)->json->{data}, [],
          'another organization does not list the eval');

$r = call(DELETE => "/evals/$second->{id}");
is_deeply($r->json, { object => 'eval.deleted', deleted => JSON::PP::true,
                      eval_id => $second->{id} }, 'an eval is deleted');
refused(call(GET => "/evals/$second->{id}"), 404, undef, qr/no such/,
        'a deleted eval is gone');

# --- Files ------------------------------------------------------------------

sub upload {
    my ($bytes, %opt) = @_;
    my %part = (purpose => 'evals', %{ $opt{parts} // {} });
    my $b = 'x-boundary-7';
    my $body = join '', map { "--$b\r\nContent-Disposition: form-data;"
        . " name=\"$_\"\r\n\r\n$part{$_}\r\n" } sort keys %part;
    $body .= "--$b\r\nContent-Disposition: form-data; name=\"file\";"
        . " filename=\"" . ($opt{name} // 'sums.jsonl') . "\"\r\nContent-Type:"
        . " application/jsonl\r\n\r\n$bytes\r\n--$b--\r\n";
    return $t->post('/openai/v1/files', body => $opt{body} // $body,
                    bearer => 1, headers => [ 'Content-Type' =>
                    $opt{type} // "multipart/form-data; boundary=$b" ],
                    $opt{key} ? (key => $opt{key}) : ());
}

sub lines { join '', map { $json->encode($_) . "\n" } @_ }

my @items = map { { item => { question => $_->[0], answer => $_->[1] } } }
            ([ 'a', 'a' ], [ 'b', 'c' ], [ "\x{e4}", "\x{e4}" ]);
my $bytes = "\x{ef}\x{bb}\x{bf}\n" . lines(@items) . "\r\n";
$r = upload($bytes);
status_is($r, 200, 'a file is kept');
my $file = $r->json;
like($file->{id}, qr/^file-\w{26}\z/, 'the id of a file begins with file-');
is_deeply([ @$file{qw(object purpose filename bytes status)} ],
          [ 'file', 'evals', 'sums.jsonl', length $bytes, 'processed' ],
          'a file has the name, the purpose and the size that were sent');
is_deeply(call(GET => "/files/$file->{id}")->json, $file,
          'a file is read again as it was answered');
is(call(GET => "/files/$file->{id}/content")->body, $bytes,
   'the content of a file is the bytes that came');
is_deeply(call(GET => '/files?purpose=evals')->json->{data}, [ $file ],
          'a file is listed');
is_deeply(call(GET => '/files?purpose=batch')->json->{data}, [],
          'a file is not listed for another purpose');
for ([ { parts => { purpose => 'batch' } }, 'purpose', qr/evals/ ],
     [ { name => '' }, 'file', qr/name/ ],
     [ { body => 'none' }, 'body', qr/multipart/ ],
     [ { type => 'multipart/form-data' }, 'body', qr/boundary/ ])
{
    refused(upload($bytes, %{ $_->[0] }), 400, $_->[1], $_->[2],
            "a bad $_->[1] is refused");
}
refused(upload("\xff"), 400, 'file', qr/UTF-8/,
        'a file that is not UTF-8 is refused');
refused(call(GET => '/files/' . 'x' x 81), 404, undef, qr/no such file/,
        'a file whose id is too long is not found');
refused(call(POST => '/files', {}), 415, undef, qr/multipart/,
        'a file as JSON is refused');
refused(call(GET => "/files/$file->{id}$_", undef, @other), 404, undef,
        qr/no such file/, 'another organization does not get it')
    for '', '/content';


# --- Runs -------------------------------------------------------------------

sub run_of {
    my ($source, %opt) = @_;
    return call(POST => "/evals/$eval->{id}/runs",
                { data_source => $source, name => 'R', %opt });
}

sub ended {
    my ($run) = @_;
    my $r;
    $t->wait_for(180 * $t->slow, sub {
        $r = call(GET => "/evals/$run->{eval_id}/runs/$run->{id}")->json;
        return $r->{status} !~ /^(?:queued|in_progress)\z/;
    });
    return $r;
}

sub content { { type => 'jsonl',
                source => { type => 'file_content', content => [ @_ ] } } }

sub outputs {
    my ($run, $query) = @_;
    return call(GET => "/evals/$run->{eval_id}/runs/$run->{id}/output_items"
                . ($query // ''))->json;
}

$r = run_of(content(@items), metadata => { k => 'v' });
status_is($r, 201, 'a run is made');
my $run = $r->json;
like($run->{id}, qr/^evalrun_\w{26}\z/,
     'the id of a run begins with evalrun_');
is_deeply([ @$run{qw(object eval_id status name model)} ],
          [ 'eval.run', $eval->{id}, 'queued', 'R', '' ],
          'a run is queued at first');
is_deeply($run->{result_counts}, { total => 3, passed => 0, failed => 0,
                                   errored => 0 },
          'a run has counted nothing at first');
like($run->{report_url}, qr{^http://.*/console/},
     'a run has an address in the console');
$run = ended($run);
is($run->{status}, 'completed', 'a run completes');
is_deeply($run->{result_counts}, { total => 3, passed => 2, failed => 1,
                                   errored => 0 },
          'a run counts what passed and what failed');
is_deeply($run->{per_testing_criteria_results},
          [ { testing_criteria => 'same', passed => 2, failed => 1 } ],
          'a run counts by criterion');
is_deeply($run->{metadata}, { k => 'v' },
          'a run has the metadata that the client gave');
is($run->{error}, undef, 'a run that completed has no error');

my $list = outputs($run);
is(scalar @{ $list->{data} }, 3, 'each item has an output');
my ($pass, $fail) = @{ $list->{data} };
is_deeply([ map { $_->{status} } @{ $list->{data} } ], [ qw(pass fail pass) ],
          'outputs have the order of their items');
is_deeply($fail->{datasource_item}, $items[1]{item},
          'an output has the item that was graded');
is_deeply([ @{ $fail->{results}[0] }{qw(name type score passed)} ],
          [ 'same', 'string_check', 0, JSON::PP::false ],
          'an output has the result of each grader');
is_deeply(outputs($run, '?status=fail')->{data}, [ $fail ],
          'status=fail lists the outputs that failed');
is_deeply([ map { $_->{datasource_item_id} }
            @{ outputs($run, '?order=desc&limit=2')->{data} } ], [ 2, 1 ],
          'order=desc lists the last outputs first');
is_deeply(outputs($run, "?after=$pass->{id}&limit=1")->{data}, [ $fail ],
          'the page after an output has the next one');
is_deeply(call(GET => "/evals/$eval->{id}/runs/$run->{id}/output_items/"
               . $fail->{id})->json, $fail, 'one output is read by itself');
refused(call(GET => "/evals/$eval->{id}/runs/$run->{id}/output_items/x"), 404,
        undef, qr/no such output item/, 'an unknown output is not found');
refused(call(GET => "/evals/$eval->{id}/runs/$run->{id}/output_items?after=x"),
        400, 'after', qr/item of this run/,
        'a page after an unknown output is refused');
refused(call(GET => "/evals/$eval->{id}/runs/$run->{id}/output_items"
             . '?status=passed'), 400, 'status', qr/pass.*fail/,
        'a status that no item has is refused');

my $filed = run_of({ type => 'jsonl', source => { type => 'file_id',
                                                  id => $file->{id} } });
status_is($filed, 201, 'a run of a file is made');
is(ended($filed->json)->{result_counts}{passed}, 2,
   'a run of a file has the results of its items');
is_deeply(call(GET => "/evals/$eval->{id}/runs?status=completed&limit=1&after="
               . $run->{id})->json->{data}[0]{id}, $filed->json->{id},
          'runs are listed by status and after another');

my $broken = upload("{\"item\": {\"question\": \"a\"}}\n{\n")->json->{id};
subtest 'a run that is wrong is refused by its member' => sub {
    for ([ { type => 'logs', source => content(@items)->{source} },
           'data_source.type', qr/jsonl/ ],
         [ content(), 'data_source.source', qr/at least one/ ],
         [ content({ item => { question => 7 } }), 'data_source.source',
           qr/item 1: .*question/ ],
         [ content({ question => 'a' }), 'data_source.source', qr/"item"/ ],
         [ content(map { $items[0] } 1 .. 10001), 'data_source.source',
           qr/10000/ ],
         [ { type => 'jsonl',
             source => { type => 'file_id', id => 'file-x' } },
           'data_source.source.id', qr/no such file/ ],
         [ { type => 'jsonl', source => { type => 'file_id', id => $broken } },
           'data_source.source.id', qr/line 2 of the file/ ],
         [ { type => 'completions',
             source => { type => 'stored_completions' } },
           'data_source.source.type', qr/no completions/ ],
         [ { type => 'completions', model => 'x',
             %{ content(@items) }{source} },
           'data_source.model', qr/routes \(of (?!builtin).*m/ ])
    {
        my ($source, $param, $like) = @$_;
        refused(run_of($source), 400, $param, $like, "$param is refused");
    }
};

# --- Samples by a model -----------------------------------------------------

my $asked = call(POST => '/evals', { name => 'Capitals',
    data_source_config => { %config, include_sample_schema => JSON::PP::true },
    testing_criteria => [ { type => 'string_check', name => 'right',
        operation => 'eq', input => '{{sample.output_text}}',
        reference => '{{item.answer}}' } ] })->json;

sub sampled {
    my ($type, $what, @questions) = @_;
    return ended(call(POST => "/evals/$asked->{id}/runs", { data_source => {
        type => $type, model => 'm', source => { type => 'file_content',
            content => [ map { { item => { question => $_,
                                           answer => 'Paris' } } }
                         @questions ] },
        input_messages => { type => 'template', template => [
            { role => 'developer', content => 'Be brief.' },
            { role => 'user', content => $what } ] },
        sampling_params => { temperature => 0, max_completion_tokens => 50,
                             seed => 3 } } })->json);
}

subtest 'a run takes samples of both interfaces' => sub {
    for my $type (qw(completions responses)) {
        my $run = sampled($type, 'What is the {{item.question}}?',
            'capital of France', 'capital of Rome', 'make it fail');
        is($run->{status}, 'completed', "$type are sampled");
        is_deeply($run->{result_counts},
                  { total => 3, passed => 1, failed => 1, errored => 1 },
                  "$type are graded");
        is($run->{model}, 'm', "the run of $type names its model");
        my $use = $run->{per_model_usage}[0];
        is($use->{invocation_count}, 2,
           "the calls that answered are counted for $type");
        cmp_ok($use->{total_tokens}, '>', 0,
               "the tokens of $type are counted");
        my ($first, undef, $third) = @{ outputs($run)->{data} };
        is_deeply($first->{sample}{output},
                  [ { role => 'assistant', content => 'Paris' } ],
                  "the output of $type has the sample");
        is($first->{sample}{input}[1]{content},
           'What is the capital of France?',
           "the output of $type has what was asked");
        is($third->{status}, 'error',
           "a refusal by the model of $type is an error of the item");
        like($third->{sample}{error}{message}, qr/answered 400/,
             "the error of $type says what the model answered");
    }
};
is(sampled('completions', '{{item.nothing}}', 'a')->{result_counts}{errored},
   1, 'a reference that leads to nothing is an error of the item');

refused(call(POST => "/evals/$asked->{id}/runs", { data_source => {
            type => 'jsonl', source => { type => 'file_id', id => 'a b' } } }),
        400, 'data_source.source.id', qr/there is no such file/,
        'an id that no file can have is refused');

subtest 'a key needs llm:use for a run with a model' => sub {
    my $key = $t->new_key(permissions => 'evaluations:write');
    my %run = (data_source => { type => 'completions', model => 'm',
        source => { type => 'file_content',
                    content => [ { item => { question => 'a' } } ] },
        input_messages => { type => 'template', template => [
            { role => 'user', content => '{{item.question}}' } ] } });

    refused($t->post("/openai/v1/evals/$asked->{id}/runs", key => $key,
                     bearer => 1, json => \%run), 403, undef,
            qr/lacks the permission llm:use, which runs with models need/,
            'a run with a model is refused to a key without llm:use');
};


# --- Judges as graders ------------------------------------------------------

subtest 'a judge is a grader' => sub {
    my $judge = $t->new_judge(name => 'Length', criteria => [
        { name => 'Length', description => 'at most 20 words', weight => 1 }
    ]);
    my %eval = (name => 'Judged', data_source_config => \%config,
                testing_criteria => [ { type => 'judge', name => 'Short',
                    judge_id => $judge, input => '{{item.question}}',
                    pass_threshold => 70 } ]);
    my $judged = call(POST => '/evals', \%eval)->json;
    my $run = sub {
        ended(call(POST => "/evals/$judged->{id}/runs", { data_source =>
            content(map { { item => { question => $_ } } } @_) })->json);
    };

    my $done = $run->('Nine words are fewer than twenty, so this passes.',
                      'word ' x 200);
    is_deeply($done->{result_counts}, { total => 2, passed => 1, failed => 1,
                                        errored => 0 },
              'a judge grades as one passes and one fails');
    is_deeply($done->{per_model_usage}, [],
              'a judge is not counted as a model');
    my $alone = $t->evaluated($t->new_evaluation($judge,
                    $t->new_content('word ' x 200)));
    is(outputs($done)->{data}[1]{results}[0]{score}, $alone->{overall_score},
       'a judge grades by the score that an evaluation has');

    refused(call(POST => '/evals', { %eval, testing_criteria => [ {
                %{ $eval{testing_criteria}[0] }, judge_id => 'jdg_none' } ] }),
            400, 'testing_criteria[0].judge_id', qr/no such judge/,
            'an eval with a judge that is not there is refused');

    $t->delete("/judges/$judge");
    $done = $run->('a');
    is($done->{result_counts}{errored}, 1,
       'a judge that was deleted is an error of the item');
    like(outputs($done)->{data}[0]{results}[0]{error}, qr/no such judge/,
         'the error says that there is no such judge');
};


# --- The examples of OpenAI's guides, with texts of our own ------------------

# Evals: tickets are put into one of three classes, and compared with labels.
subtest 'the guide of evals classes tickets' => sub {
    my @tickets = ([ 'The screen of my laptop stays dark.', 'Hardware' ],
                   [ "I am in an editor and can't quit it!", 'Software' ],
                   [ 'Where can one eat well near here?', 'Other' ]);
    my $guide = call(POST => '/evals', {
        name => 'Classes of IT tickets',
        data_source_config => { type => 'custom', item_schema => {
            type => 'object', properties => {
                ticket_text   => { type => 'string' },
                correct_label => { type => 'string' } },
            required => [ qw(ticket_text correct_label) ] },
            include_sample_schema => JSON::PP::true },
        testing_criteria => [ { type => 'string_check',
            name => 'As people labelled it', operation => 'eq',
            input => '{{ sample.output_text }}',
            reference => '{{ item.correct_label }}' } ] })->json;

    for ([ \@tickets, 3, 0 ],
         [ [ @tickets, [ 'My mouse stays dark.', 'Other' ] ], 3, 1 ])
    {
        my ($rows, $passed, $failed) = @$_;
        my $file = upload(lines(map { { item => { ticket_text => $_->[0],
            correct_label => $_->[1] } } } @$rows))->json;
        my $run = ended(call(POST => "/evals/$guide->{id}/runs", {
            name => 'Classes', data_source => { type => 'responses',
                model => 'm', input_messages => { type => 'template',
                    template => [ { role => 'developer', content => 'Say of'
                        . ' a ticket Hardware, Software or Other, and only'
                        . ' that word.' },
                        { role => 'user',
                          content => '{{ item.ticket_text }}' } ] },
                source => { type => 'file_id', id => $file->{id} } }
            })->json);
        is_deeply([ $run->{status}, $run->{result_counts} ], [ 'completed',
            { total => $passed + $failed, passed => $passed,
              failed => $failed, errored => 0 } ],
            "$passed tickets of the guide of evals pass and $failed fail");
    }
};

# Graders: a name that may be nearly right, and an address that must be.
subtest 'the guide of graders joins two of them' => sub {
    my $guide = call(POST => '/evals', {
        data_source_config => { type => 'custom',
            item_schema => { type => 'object' },
            include_sample_schema => JSON::PP::true },
        testing_criteria => [ { type => 'multi', name => 'Person',
            graders => {
                name => { type => 'text_similarity', name => 'name',
                    input => '{{sample.output_json.name}}',
                    reference => '{{item.name}}',
                    evaluation_metric => 'fuzzy_match' },
                email => { type => 'string_check', name => 'email',
                    input => '{{sample.output_json.email}}',
                    reference => '{{item.email}}', operation => 'eq' } },
            calculate_output => '(name + email) / 2',
            pass_threshold => 0.9 } ] })->json;
    my $of = sub { { item => { name => 'Ada Lovelace', email => 'ada@b.org' },
                     sample => { output_text => $json->encode($_[0]) } } };
    my $run = ended(call(POST => "/evals/$guide->{id}/runs", { data_source =>
        content($of->({ name => 'Ada Lovelace', email => 'ada@b.org' }),
                $of->({ name => 'Ada Lovelace', email => 'x@b.org' }),
                $of->({ name => 'Ada Lovelace' })) })->json);
    is_deeply([ map { [ $_->{status}, $_->{results}[0]{score} ] }
                @{ outputs($run)->{data} } ],
              [ [ 'pass', 1 ], [ 'fail', 0.5 ], [ 'error', 0 ] ],
              'the formula (name + email) / 2 of the guide of graders is'
              . ' followed');
};

# Graders of tool calls, without a name for the formula.
subtest 'the guide of graders looks at tool calls' => sub {
    my %check = (type => 'string_check', operation => 'eq');
    my $guide = call(POST => '/evals', {
        data_source_config => { type => 'custom',
            item_schema => { type => 'object' },
            include_sample_schema => JSON::PP::true },
        testing_criteria => [ { type => 'multi', pass_threshold => 1,
            graders => {
                function_name => { %check, name => 'function_name',
                    input => 'get_acceptors',
                    reference => '{{sample.output_tools[0].function.name}}' },
                arguments => { %check, name => 'arguments',
                    input => '{"smiles": "{{item.smiles}}"}', reference =>
                        '{{sample.output_tools[0].function.arguments}}' } },
            calculate_output => '0.5 * function_name + 0.5 * arguments' } ]
    })->json;
    my $of = sub {
        my ($name, $smiles) = @_;
        { item => { smiles => 'CCO' }, sample => { output_text => '',
            output_tools => [ { type => 'function', function => {
                name => $name, arguments => qq({"smiles": "$smiles"}) } } ] } }
    };
    my $run = ended(call(POST => "/evals/$guide->{id}/runs", { data_source =>
        content($of->('get_acceptors', 'CCO'), $of->('get_acceptors', 'CC'),
                $of->('get_donors', 'CC')) })->json);
    is_deeply([ map { [ $_->{status}, $_->{results}[0]{score} ] }
                @{ outputs($run)->{data} } ],
              [ [ 'pass', 1 ], [ 'fail', 0.5 ], [ 'fail', 0 ] ],
              'the formula for tool calls of the guide of graders is'
              . ' followed');
    is_deeply($run->{per_testing_criteria_results}, [
        { testing_criteria => 'multi', passed => 1, failed => 2 } ],
        'a grader without a name is counted by its type');
};


# --- Faults of models, stops, and items that end the process -----------------

subtest 'a run lives through faults, stops and items that kill' => sub {
    my $run = sampled('completions', '{{item.question}}', 'Try it twice');
    is_deeply([ $run->{result_counts}{passed},
                $run->{per_model_usage}[0]{invocation_count} ], [ 1, 1 ],
              'what failed for now is asked again');

    my $slow = call(POST => "/evals/$asked->{id}/runs", { data_source => {
        type => 'completions', model => 'm', source => {
            type => 'file_content', content => [ map { { item => {
                question => "slow $_", answer => 'Paris' } } } 1 .. 40 ] },
        input_messages => { type => 'template', template => [
            { role => 'user', content => '{{item.question}}' } ] } } })->json;
    $t->wait_until(sub { $llm->requests > 20 }, 'some to be asked');
    $t->restart;
    my $after = ended($slow);
    is($after->{status}, 'completed', 'a run goes on after a restart');
    is_deeply($after->{result_counts}, { total => 40, passed => 40,
              failed => 0, errored => 0 },
              'a run has all its items after a restart');

    # As if the first item had ended the process six times.
    my $killer = ended(run_of(content(@items))->json);
    my $none = { %{ $killer->{result_counts} }, passed => 0, failed => 0 };
    my $progress = $json->encode({ result_counts => $none,
        per_model_usage => [], error => undef,
        per_testing_criteria_results => [ { testing_criteria => 'same',
                                            passed => 0, failed => 0 } ] });
    $t->alter("update openai_items set status = 'queued', result = null where"
              . " parent = '$killer->{id}'");
    $t->alter("update openai_objects set status = 'queued', queue_at = 1,"
              . " attempts = 6, progress = '$progress' where"
              . " id = '$killer->{id}'");
    $after = ended($killer);
    is_deeply($after->{result_counts}, { total => 3, passed => 1, failed => 1,
              errored => 1 }, 'an item that kills is given up');
    like(outputs($after)->{data}[0]{sample}{error}{message},
         qr/the service ended/,
         'the error says that the service ended at that item');
};


# --- Moderations ------------------------------------------------------------

$r = call(POST => '/moderations', { input => [
    'You are a stupid idiot, a moron and an asshole, shut up, you bastard.',
    'The train to the coast leaves at nine, and a ticket is ten euros.' ] });
my @said = @{ $r->json->{results} // [] };
is_deeply([ map { $_->{flagged} } @said ], [ JSON::PP::true, JSON::PP::false ],
          'insults are flagged, and nothing else');
ok($said[0]{categories}{harassment}, 'insults are flagged as harassment');
is(scalar keys %{ $said[0]{category_scores} }, 13,
   'a moderation has all 13 scores that clients expect');
is_deeply($said[0]{category_applied_input_types}{violence}, [],
          'a category that is not judged is applied to nothing');
refused(call(POST => '/moderations', { input => $_ }), 400, 'input',
        qr/images are not/, 'what is no text is refused')
    for [], 7, [ { type => 'image_url', image_url => { url => 'x' } } ];


# --- Canceling, deleting, crashes -------------------------------------------

# One that a model does not let end.
sub asleep {
    return call(POST => "/evals/$asked->{id}/runs", { data_source => {
        type => 'completions', model => 'm', source => {
            type => 'file_content', content => [ { item => {
                question => 'asleep', answer => 'Paris' } } ] },
        input_messages => { type => 'template', template => [
            { role => 'user', content => '{{item.question}}' } ] } } })->json;
}

my @many = map { { item => { question => "$_",
                             answer => $_ % 2 ? "$_" : '' } } } 1 .. 5000;
my $long = asleep();
$r = call(POST => "/evals/$asked->{id}/runs/$long->{id}");
status_is($r, 200, 'a run is canceled');
is($r->json->{status}, 'canceled', 'the answer says that the run is canceled');
is(ended($long)->{status}, 'canceled', 'a canceled run stays so');
is(call(POST => "/evals/$eval->{id}/runs/$run->{id}")->json->{status},
   'completed', 'canceling leaves a run that has ended as it is');

$r = call(DELETE => "/evals/$asked->{id}/runs/$long->{id}");
is_deeply($r->json, { object => 'eval.run.deleted', run_id => $long->{id},
                      deleted => JSON::PP::true }, 'a run is deleted');
refused(call(GET => "/evals/$asked->{id}/runs/$long->{id}"), 404, undef,
        qr/no such run/, 'a deleted run is gone');
refused(call(POST => "/evals/$eval->{id}/runs/$run->{id}", undef, @other), 404,
        undef, qr/no such run/, 'another organization does not cancel it');

$long = asleep();
my $until = sub {
    $t->sql1("select max(queue_at) from openai_objects where owner is not null"
             . " and id = '$long->{id}'") // 0;
};
my $first;
$t->comes_true(sub { $first = $until->() }, 'a slice is claimed');
$t->comes_true(sub { $until->() > $first },
               'the lease is renewed while a model is asked');
call(POST => "/evals/$asked->{id}/runs/$long->{id}");

$long = run_of(content(@many))->json;
$t->wait_until(sub {
    $t->sql1("select count(*) from openai_items where parent ="
             . " '$long->{id}' and status <> 'queued'") > 0
}, 'some to be done');
$t->kill_worker for 1 .. 3;
my $after = ended($long);
is($after->{status}, 'completed', 'a run goes on after kill -9');
is_deeply($after->{result_counts}, { total => 5000, passed => 2500,
          failed => 2500, errored => 0 },
          'a run counts no item twice after kill -9');

subtest 'a run with a judge lives through kill -9' => sub {
    my $judge = $t->new_judge(name => 'Short', criteria => [
        { name => 'Length', description => 'at most 3 words', weight => 1 }
    ]);
    my $judged = call(POST => '/evals', { name => 'By a judge',
        data_source_config => \%config, testing_criteria => [ {
            type => 'judge', name => 'Short', judge_id => $judge,
            input => '{{item.question}}' } ] })->json;
    my $scored = sub {
        $t->sql1("select count(*) from evaluations where judge_id = '$judge'"
                 . " and status = '$_[0]'");
    };
    my $run = call(POST => "/evals/$judged->{id}/runs", { data_source =>
        content(map { { item => { question => $_ % 2 ? "$_"
                        : "$_ of all five words" } } } 1 .. 800) })->json;

    $t->comes_true(sub { $scored->('completed') > 20 }, 'a judge grades');
    $t->kill_worker for 1 .. 3;
    my $done = ended($run);
    is_deeply($done->{result_counts}, { total => 800, passed => 400,
              failed => 400, errored => 0 },
              'a run with a judge goes on after kill -9');
    is_deeply([ $scored->('completed'), $scored->('processing') ], [ 800, 0 ],
              'a run with a judge evaluates nothing twice');
};

subtest 'a run whose progress cannot be read fails' => sub {
    my $broken = "update openai_objects set progress = '{', queue_at = 1,"
                 . " status = 'in_progress' where id = '$after->{id}'";
    $t->sqlite ? $t->run('sqlite3', $t->store_dir . '/judge.db', $broken)
               : Judge::Postgresql->psql($t->store, $broken);
    $t->comes_true(sub {
        $t->sql1('select status from openai_objects where id ='
                 . " '$after->{id}'") eq 'failed'
    }, 'a run whose progress cannot be read is not claimed for ever');
    like(ended($after)->{error}{message}, qr/progress of the run can't/,
         'the error of the run says what could not be read');
};

is_deeply(call(DELETE => "/files/$file->{id}")->json, { object => 'file',
          id => $file->{id}, deleted => JSON::PP::true }, 'a file is deleted');
refused(call(GET => "/files/$file->{id}/content"), 404, undef, qr/no such/,
        'the content of a deleted file is gone');
call(DELETE => "/evals/$eval->{id}");
$t->comes_true(sub {
    !$t->sql1("select count(*) from openai_objects where status = 'deleted'")
}, 'what was deleted leaves no rows');
is($t->sql1("select count(*) from openai_items where parent ="
            . " '$after->{id}'"), 0, 'what was deleted leaves no items');

# --- The official client ----------------------------------------------------

SKIP: {
    my $npm = $t->repo . '/build/npm/node_modules';

    skip 'the client of OpenAI is not installed: see util/dev/deps test', 1
        if !-d "$npm/openai" || system('node --version >/dev/null 2>&1') != 0;

    my ($status, $said) = $t->run('node', $t->repo
        . '/t/lib/openai_client.mjs', $npm, 'http://127.0.0.1:' . $t->port
        . '/openai/v1', $t->key);
    is($said, <<'SAID', 'the official client gets along');
eval: "eval"
retrieved: "Tickets"
updated: "IT tickets"
listed: 1
file: ["file","tickets.jsonl","evals"]
file retrieved: true
file listed: true
file content: 2
run: ["eval.run","completed"]
counts: {"total":2,"passed":1,"failed":1,"errored":0}
criteria: [{"testing_criteria":"Label","passed":1,"failed":1}]
runs listed: 1
outputs: ["pass","fail"]
one: ["eval.run.output_item","I forgot my password",false]
sampled: ["completed",1,"m"]
canceled: "completed"
no such model: [400,"data_source.model","invalid_request_error"]
no such eval: ["NotFoundError","not_found"]
no key: ["AuthenticationError","invalid_api_key"]
run deleted: true
file deleted: true
eval deleted: true
SAID
    is($status, 0, 'the official client ends well');
}

done_testing;
