# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The Model Context Protocol: each method and each bad message as bytes on a
# socket, and the official client (t/lib/mcp_client.mjs).

use Judge::Docs;
use Judge::Test;

my ($shown) = Judge::Docs->blocks('docs/mcp.md', 'MCP', 'nginx', 1);
my ($client) = Judge::Docs->blocks('docs/mcp.md', 'MCP', 'json', 1);
my ($curl) = Judge::Docs->blocks('docs/mcp.md', 'MCP', 'sh', 1);

my $public = 'https://judge.example.com';
my $t = Judge::Test->new(
    orgs => 2, described => 0, location => 'judge_mcp on;',
    store  => "public_url=$public/x",
    server => 'location /plain/ { judge on; }
               ' . $shown . '
               location /off/ { judge on; judge_mcp off; }
               location = /only/mcp { judge on; judge_mcp on;
                                      if ($arg_x) { set $y 1; } }');

my $json = JSON::PP->new->utf8->canonical;

sub say_to { my ($message, %opt) = @_;
             return $t->post('/mcp', json => $message, bearer => 1, %opt) }

sub message { my ($method, $params, $id) = @_;
              return { jsonrpc => '2.0', id => $id // 7, method => $method,
                       $params ? (params => $params) : () } }

# The result of a method.

sub result {
    my ($method, $params, %opt) = @_;
    my $r = say_to(message($method, $params), %opt);

    return $r->json->{result} if $r->status == 200 && $r->json->{result};
    diag($r->body);
    return {};
}

# The message is answered with this error, the HTTP status and the id.

sub refused {
    my ($message, $code, $like, $name, %opt) = @_;

    my $status = delete $opt{status} // 200;
    my $id     = exists $opt{id} ? delete $opt{id} : 7;
    my $r = ref $message ? say_to($message, %opt)
          : $t->post('/mcp', body => $message, %opt,
                     headers => [ 'Content-Type' => 'application/json',
                                  @{ $opt{headers} // [] } ]);
    my $said = eval { $r->json } // {};

    is_deeply([ $r->status, $said->{error}{code}, $said->{id} ],
              [ $status, $code, $id ], "$name is refused by $code")
        or diag($r->body);
    like($said->{error}{message} // '', $like,
         "the message says why $name is refused");
}

sub tool {
    my ($name, $arguments, %opt) = @_;
    return result('tools/call', { name => $name, arguments => $arguments },
                  %opt);
}

# The call is refused with a sentence that a model can read.

sub misses {
    my ($name, $arguments, $like, $what, %opt) = @_;
    my $r = tool($name, $arguments, %opt);

    ok($r->{isError} && !exists $r->{structuredContent},
       "$name with $what is an error")
        or diag($json->encode($r));
    like($r->{content}[0]{text} // '', $like,
         "the error says what is wrong with $name with $what");
}

sub version { (headers => [ 'MCP-Protocol-Version' => $_[0] ]) }

my %hello = (protocolVersion => '2025-06-18', capabilities => {},
             clientInfo => { name => 't', version => '1' });
my ($judge, $done);                    # a judge, and what it has judged

subtest 'judge_mcp is read from nginx.conf' => sub {
    for (['judge_mcp on;', qr/judge_mcp: there is no service.*"judge on"/s],
         ['judge on; judge_mcp on; judge_mcp on;',
          qr/"judge_mcp" .*duplicate/],
         ['judge on; judge_mcp some;', qr/"judge_mcp" .*neither on nor off/],
         ['judge on; judge_mcp;', qr/number of arguments in "judge_mcp"/])
    {
        my ($fine, $said) = $t->check_conf(
            server => "location /l { $_->[0] }");
        ok(!$fine, "$_->[0] is refused");
        like($said, $_->[1], "the error says what $_->[0] lacks or has wrong");
    }
};

subtest 'a client initializes' => sub {
    for (['2025-11-25', '2025-11-25'], ['2025-06-18', '2025-06-18'],
         ['2025-03-26', '2025-03-26'], ['2024-11-05', '2025-11-25'],
         ['2099-01-01', '2025-11-25'], ['', '2025-11-25'])
    {
        my ($asked, $given) = @$_;
        my $r = result('initialize', { %hello, protocolVersion => $asked });
        is($r->{protocolVersion}, $given, "'$asked' is answered by $given");
    }

    my $r = say_to(message('initialize', \%hello));
    is($r->header('Mcp-Session-Id'), undef, 'initialize opens no session');
    like($r->header('Content-Type'), qr{^application/json},
         'initialize is answered in JSON');
    is_deeply([ sort keys %{ $r->json->{result}{capabilities} } ],
              [ qw(prompts resources tools) ],
              'prompts, resources and tools are offered');
    is($r->json->{result}{serverInfo}{name}, 'judge',
       'initialize names the server');
    status_is(say_to(message('initialize', \%hello), version('2099-01-01')),
              200,
              'an initialize may have any revision in its header');
    refused(message('initialize', {}), -32602, qr/protocolVersion/,
            'initialize without a revision');

    is_deeply(result('ping'), {}, 'ping is answered by an empty result');
    is(say_to(message('ping', undef, 'a'))->json->{id}, 'a',
       'an id may be text');
    is($t->post('/mcp', json => message('ping'))->status, 200,
       'a key may stand in X-API-Key, too');
};

subtest 'messages come by POST' => sub {
    for (qw(GET DELETE PUT PATCH)) {
        my $r = $t->request($_, '/mcp', bearer => 1);
        status_is($r, 405, "$_ is not taken");
        like($r->header('Allow'), qr/^POST/,
             "Allow says what is taken instead of $_");
    }

    error_is($t->post('/mcp', json => message('ping'), key => undef), 401,
             qr/API key is required/, 'a message without a key is refused');
    error_is(say_to(message('ping'), key => 'jdgk_' . 'x' x 36), 401, undef,
             'a wrong key is refused');
    error_is($t->post('/mcp', body => '{}', headers => [
                 'Content-Type' => 'text/plain' ]), 415, undef,
             'a message that is not JSON by its type is refused');
    error_is($t->post('/plain/mcp', json => message('ping')), 404, undef,
             'a location without judge_mcp has no /mcp');
    error_is($t->post('/off/mcp', json => message('ping')), 404, undef,
             'a location with judge_mcp off has no /mcp');
    status_is($t->post('/only/mcp', json => message('ping')), 200,
              '/mcp may be a location of its own');
    status_is($t->post('/only/mcp?x=1', json => message('ping')), 200,
              '/mcp works in an if');
    error_is(say_to(message('ping', { a => 'x' x (9 << 20) })), 413, undef,
             'a body of 9 MB is refused');
    is(say_to(message('ping', { a => 'x' x (1 << 20) }))->status, 200,
       'a body of 1 MB is taken');
    is(scalar keys %{ $t->get('/judges')->json }, 1,
       'the other routes of the location are there');

    for ("http://evil.example", "$public.evil.example", 'null', '',
         'https://judge')
    {
        error_is(say_to(message('ping'), headers => [ Origin => $_ ]), 403,
                 qr/^Origin: /, "Origin '$_' is refused");
    }
    status_is(say_to(message('ping'), headers => [ Origin => $public ]), 200,
              'the Origin of public_url is taken');
    error_is(say_to(message('ping'), headers => [ Origin => $public,
                                                 Origin => $public ]), 403,
             undef, 'two Origins are refused');

    status_is(say_to(message('ping'), version($_)), 200,
              "revision $_ is taken")
        for qw(2025-11-25 2025-06-18 2025-03-26);
    refused(message('ping'), -32600, qr/2025-11-25/, "the revision '$_'",
            status => 400, id => undef, version($_)) for '2024-11-05', 'x', '';

    for ({ jsonrpc => '2.0', method => 'notifications/initialized' },
         { jsonrpc => '2.0', method => 'notifications/none', params => [] },
         { jsonrpc => '2.0', id => 1, result => {} },
         { jsonrpc => '2.0', id => 1, error => { code => 1, message => 'x' } })
    {
        my $r = say_to($_);
        is_deeply([ $r->status, $r->body ], [ 202, '' ],
                  "no answer is sent to @{[ $json->encode($_) ]}");
    }

    refused($_, -32700, qr/./, "'$_', which is no JSON,", status => 400,
            id => undef)
        for '', '{', '{"jsonrpc":"2.0"', "\xff", '{} {}', '{"a":1,"a":2}';
    refused($_, -32600, qr/./, substr($_, 0, 60) . ', which is no message,',
            status => 400, id => undef)
        for '1', '"x"', 'null', '{}',
            '{"jsonrpc":"1.0","id":7,"method":"ping"}',
            '{"jsonrpc":"2.0","id":null,"method":"ping"}',
            '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
            '{"jsonrpc":"2.0","id":{},"method":"ping"}';
    refused('{"jsonrpc":"2.0","id":7}', -32600, qr/method/,
            'a message without a method', status => 400);
    refused('{"jsonrpc":"2.0","id":7,"method":1}', -32600, qr/method/,
            'a number as a method', status => 400);
    refused(message('none'), -32601, qr/none/, 'an unknown method');
    refused(message("x\0" . 'y' x 5000), -32601, qr/method/,
            'a long unknown method');
    refused({ %{ message('ping') }, params => [] }, -32602, qr/params/,
            'an array as params');
};

subtest 'batches are answered' => sub {
    my $r = say_to([ message('ping', undef, 1), message('none', undef, 2),
                  { jsonrpc => '2.0', method => 'notifications/x' }, 3,
                  message('tools/call', { name => 'list_judges' }, 4),
                  message('initialize', \%hello, 5) ], version('2025-03-26'));
    status_is($r, 200, 'a batch of messages is taken');
    is_deeply([ map { [ $_->{id}, $_->{error}{code} // 0 ] } @{ $r->json } ],
              [ [ 1, 0 ], [ 2, -32601 ], [ undef, -32600 ], [ 4, 0 ],
                [ 5, -32600 ] ],
              'each message is answered but the notification');
    status_is(say_to([ message('ping') ]), 200,
              'a batch is taken without a revision, too');
    status_is(say_to([ { jsonrpc => '2.0', method => 'x' } ]), 202,
              'a batch of notifications is taken');
    refused([ message('ping') ], -32600, qr/2025-03-26/, 'a batch in another'
            . ' revision', status => 400, id => undef, version('2025-06-18'));
    refused([], -32600, qr/1 to 10/, 'an empty batch', status => 400,
            id => undef);
    refused([ map { message('ping', undef, $_) } 1 .. 11 ], -32600,
            qr/1 to 10/, 'a batch of eleven messages', status => 400,
            id => undef);
    is(scalar @{ say_to([ map { message('tools/call',
                                        { name => 'list_judges' }, $_) }
                          1 .. 10 ])->json }, 10,
       'a batch of ten calls is answered');
};

subtest 'tools are called' => sub {
    my $tools = result('tools/list')->{tools};
    is_deeply([ map { $_->{name} } @$tools ],
              [ qw(judge_text compare_texts explain_score list_judges
                   create_judge correct) ], 'the six tools are listed');
    refused(message('tools/list', { cursor => 'x' }), -32602, qr/cursor/,
            'a cursor for a second page of tools');

    my $made = tool('create_judge', { name => 'N', description => '',
        criteria => [ { name => 'Spelling',
                        description => 'Correct spelling.' } ] });
    $judge = $made->{structuredContent}{judge_id};
    is($made->{structuredContent}{content_type}, 'text',
       'create_judge makes a judge of texts');
    is_deeply($json->decode(Encode::encode_utf8($made->{content}[0]{text})),
              $made->{structuredContent},
              'the text of a result is its structured content');
    is($t->get("/judges/$judge")->json->{name}, 'N',
       'the judge that create_judge made can be read');

    my $text = "The lift is mended since Monday. Thank you for pat\x{ef}ence.";
    $done = tool('judge_text', { judge_id => $judge, text_content => $text,
                                    name => 'Notice' })->{structuredContent};
    is($done->{status}, 'completed', 'judge_text has a text judged');
    is_deeply($t->get("/evaluations/$done->{evaluation_id}")->json
                ->{criteria_scores}, $done->{criteria_scores},
              'an evaluation has the scores that judge_text gave');

    my $short = $t->new_judge(criteria => [
        { name => 'Length', description => 'At most 5 words.' } ]);
    my $both = tool('compare_texts', { judge_id => $short, first => $text,
                                       second => 'Well done.' })
        ->{structuredContent};
    is($both->{better}, 'second', 'compare_texts says which of two is better');
    is($both->{difference}, $both->{second}{overall_score}
                            - $both->{first}{overall_score},
       'the difference is that of the overall scores');
    $both = tool('compare_texts', { judge_id => $t->new_model_judge,
                                    first => 'x', second => $text })
        ->{structuredContent};
    is($both->{first}{status}, 'failed',
       'compare_texts says that a text is not judged');
    ok(!exists $both->{better},
       'of two texts that are not judged none is better');
    my $same = tool('compare_texts', { judge_id => $judge, first => $text,
                                       second => $text })->{structuredContent};
    is_deeply([ @$same{qw(better difference intervals_overlap)} ],
              [ 'equal', 0, JSON::PP::true ], 'a text is equal to itself');

    my $cohesion = $t->new_judge(criteria => [
        { name => 'Length', description => 'At most 8 words.' },
        { name => 'Cohesion', description => 'Cohesion of the text.' } ]);
    $both = tool('compare_texts', { judge_id => $cohesion,
        first => 'It is late.', second => 'We are sorry. However, the parcel'
            . ' is late because the train was late. Therefore we send a new'
            . ' one. Moreover, you get a voucher, so that you can buy more.' })
        ->{structuredContent};
    is(scalar @{ $both->{first}{criteria_scores} }, 1,
       'a text is too short for a criterion');
    is_deeply([ @$both{qw(better reason difference)} ],
              [ 'undecided', 'not_judged', undef ],
              'means of different criteria are not compared');
    $t->delete("/judges/$cohesion");

    my $why = tool('explain_score',
                   { evaluation_id => $done->{evaluation_id} });
    is($why->{structuredContent}{criteria}[0]{name}, 'Spelling',
       'explain_score explains each criterion');

    my $criterion = $done->{criteria_scores}[0]{criterion_id};
    tool('correct', { evaluation_id => $done->{evaluation_id},
                      corrected_scores => { $criterion => 40 } });
    is($t->get("/feedback/evaluation/$done->{evaluation_id}")
         ->json->{feedback_entries}[0]{content}{corrected_scores}{$criterion},
       40, 'correct stores a correction');

    my $page = tool('list_judges', {})->{structuredContent};
    is($page->{judges}[-1]{judge_id}, $judge, 'list_judges has the judge');
    $t->new_judge for 1 .. 60;
    my ($n, $cursor) = (0, undef);
    do {
        $page = tool('list_judges', { $cursor ? (cursor => $cursor) : () })
            ->{structuredContent};
        $n += @{ $page->{judges} };
    } while $cursor = $page->{next_cursor};
    is($n, 63, 'list_judges has all judges, page by page');

    my $failed = tool('judge_text', { judge_id => $t->new_model_judge,
                                      text_content => 'x' });
    ok($failed->{isError}, 'a text that nothing judges is an error');
    is($failed->{structuredContent}{error}{code}, 'NOT_JUDGED',
       'the error of a text that nothing judges is NOT_JUDGED');

    refused(message('tools/call', $_->[0]), -32602, $_->[1],
            'tools/call with ' . $json->encode($_->[0]))
        for [ {}, qr/name/ ], [ { name => 1 }, qr/name/ ],
            [ { name => 'none' }, qr/tools\/list/ ],
            [ { name => 'judge_text', arguments => [] }, qr/arguments/ ];

    misses('judge_text', {}, qr/^judge_id: required/, 'no argument');
    misses('judge_text', { judge_id => $judge }, qr/^text_content: expected/,
           'no text');
    misses('correct', { evaluation_id => $done->{evaluation_id} },
           qr/^corrected_scores: required/, 'a correction without scores');
    misses('judge_text', { judge_id => $judge, text_content => 5 },
           qr/text_content: expected/, 'a number');
    misses('judge_text',
           { judge_id => $judge, text_content => 'x', txet => 1 },
           qr/not known here: txet/, 'an argument of another name');
    misses('judge_text', { judge_id => 'jdg_x', text_content => 'x' },
           qr/no such judge/, 'an unknown judge');
    misses('judge_text', { judge_id => $judge, text_content => 'x' },
           qr/no such judge/, "another organization's judge", org => 1);
    misses('compare_texts', { judge_id => $judge, first => 'x' },
           qr/^second: expected/, 'one text only');
    misses('compare_texts', { judge_id => $judge, first => 'x', second => 'y',
                              text_content => 'z' }, qr/duplicate key/,
           'a third text');
    misses('explain_score', { evaluation_id => $_ }, qr/no such evaluation/,
           'the evaluation ' . $json->encode([ $_ ]))
        for undef, 1, '', "$done->{evaluation_id}x",
        "$done->{evaluation_id}/frames/0", '../config/llm', "a\0b",
        'evl_' . '0' x 26;
    misses('correct', { evaluation_id => $done->{evaluation_id} },
           qr/corrected_scores/, 'no score');
    misses('correct', { evaluation_id => '../batches',
                        corrected_overall_score => 5 }, qr/no such evaluation/,
           'a path as its evaluation');
    misses('create_judge', { name => 'x' }, qr/expected/, 'no criteria');
    misses('list_judges', { cursor => $_ }, qr/^cursor: /,
           'the cursor ' . $json->encode([ $_ ]))
        for 'x', 'a&limit=1', "\0", '%00', '';

    for (['judges:write', 'create_judge', { name => 'N', description => '',
            criteria => [ { name => 'Spelling',
                            description => 'Right.' } ] } ],
         ['evaluations:write', 'judge_text', { judge_id => $judge,
                                               text_content => 'A text.' } ],
         ['evaluations:read', 'explain_score',
          { evaluation_id => $done->{evaluation_id} } ],
         ['judges:read', 'list_judges', {} ],
         ['feedback:write', 'correct', { corrected_overall_score => 5,
             evaluation_id => $done->{evaluation_id} } ])
    {
        my ($permission, $name, $arguments) = @$_;
        my $without = $t->new_key(permissions => 'work:claim');

        misses($name, $arguments, qr/lacks the permission \Q$permission\E$/,
               "a key that lacks $permission", key => $without);
        my $key = $t->new_key(permissions => $permission);
        ok(!tool($name, $arguments, key => $key)->{isError},
           "$name needs no permission but $permission");
    }


    # A message counts as a request, and so does what it calls.

    subtest 'a message counts for the rate, and so does its call' => sub {
        my $few = Judge::Test->new(store => 'rate=5/m fleet=off',
                                   described => 0,
                                   location => 'judge_mcp on;');
        my @said = map { $few->post('/mcp', json => message('tools/call',
                             { name => 'list_judges' })) } 1 .. 4;
        is_deeply([ map { $_->status } @said ], [ 200, 200, 200, 429 ],
                  'messages beyond the rate are refused');
        is_deeply([ map { $_->json->{result}{isError} ? 1 : 0 }
                    @said[0 .. 2] ],
                  [ 0, 0, 1 ], 'a call in a message counts for the rate, too');
        like($said[2]->json->{result}{content}[0]{text}, qr/has used up/,
             'the call says that the rate has been used up');
    };
};

subtest 'resources are read' => sub {
    my @uris;
    my $cursor;
    do {
        my $r = result('resources/list',
                       { $cursor ? (cursor => $cursor) : () });
        push @uris, map { $_->{uri} } @{ $r->{resources} };
        $cursor = $r->{nextCursor};
    } while $cursor;
    is(scalar(grep { m{^judge://judges/jdg_} } @uris), 65,
       'the resources have all judges');
    is(scalar(grep { m{^judge://results/evl_} } @uris),
       scalar @{ $t->get('/evaluations?status=completed&limit=200')
                   ->json->{evaluations} }, 'the resources have all results');
    is(scalar @{ result('resources/templates/list')->{resourceTemplates} }, 2,
       'there are two templates of resources');

    for ("judge://judges/$judge", "judge://results/$done->{evaluation_id}") {
        my $r = result('resources/read', { uri => $_ })->{contents}[0];
        is_deeply([ @$r{qw(uri mimeType)} ], [ $_, 'application/json' ], $_);
        like($r->{text}, qr/"id":"(?:$judge|$done->{evaluation_id})"/,
             "$_ is read as JSON with its id");
        refused(message('resources/read', { uri => $_ }), -32002, qr/no such/,
                "$_, read by another organization,", org => 1);
    }

    refused(message('resources/read', $_->[0]), $_->[1], qr/./,
            'resources/read with ' . $json->encode($_->[0]))
        for [ {}, -32602 ], [ { uri => 1 }, -32602 ],
            map { [ { uri => $_ }, -32002 ] } 'x', 'judge://',
                'judge://judges/', "judge://judges/$judge/versions",
                'judge://results/../config/llm',
                'http://localhost/', "judge://results/$judge";
    refused(message('resources/list', { cursor => $_ }), -32602, qr/^cursor: /,
            "the cursor $_") for 'x', 'results.x', 'results.&limit=1';

    my $poor = $t->new_key(permissions => 'work:claim');
    my $none = result('resources/list', undef, key => $poor);
    is_deeply($none, { resources => [], nextCursor => 'results.' },
              'resources that the key may not list are left out');
    is_deeply(result('resources/list', { cursor => 'results.' }, key => $poor),
              { resources => [] },
              'results that the key may not list are left out');
    refused(message('resources/read', { uri => "judge://judges/$judge" }),
            -32000, qr/lacks the permission judges:read/,
            'a read without permission', key => $poor);
};

subtest 'prompts are read' => sub {
    is_deeply([ map { $_->{name} } @{ result('prompts/list')->{prompts} } ],
              [ qw(write_rubric improve_rubric) ],
              'the two prompts are listed');
    my $prompt = result('prompts/get', { name => 'write_rubric',
                                         arguments => {
                                             texts => "Ha\x{ef}ku" } });
    like($prompt->{messages}[0]{content}{text}, qr/judged: Ha\x{ef}ku\nEach/,
         'a prompt has its argument filled in');
    refused(message('prompts/get', $_->[0]), -32602, $_->[1],
            'prompts/get with ' . $json->encode($_->[0]))
        for [ {}, qr/^name/ ], [ { name => 'none' }, qr/^name/ ],
            [ { name => 'write_rubric' }, qr/^arguments.texts/ ],
            [ { name => 'improve_rubric', arguments => { judge_id => 5 } },
              qr/^arguments.judge_id/ ];
};

# --- What docs/mcp.md shows -------------------------------------------------

my ($status, $said) = $t->run('env', 'JUDGE_URL=' . $t->url, 'JUDGE_API_KEY='
                              . $t->key, 'sh', '-c', $curl =~ s/-s/-sS/r);
is(eval { scalar @{ $json->decode($said)->{result}{structuredContent}
                      {judges} } }, 25,
   'the command with curl in docs/mcp.md calls a tool') or diag($said);

$client = $json->decode($client)->{mcpServers}{judge};
my $url = $client->{url} =~ s{^https://example\.com}{$t->url}re;
my $key = $client->{headers}{Authorization} =~ s{^Bearer jdgk_\.\.\.}
                                               {$t->key}re;


subtest 'clients that leave disturb nobody' => sub {
    for (1 .. 20) {
        my $c = $t->connect;
        $c->send($t->bytes(POST => '/mcp', bearer => 1, json => [ map {
            message('tools/call', { name => 'judge_text', arguments => {
                judge_id => $judge, text_content => 'word ' x 2000 } }, $_)
        } 1 .. 5 ]));
        $c->reset;
    }
    status_is(say_to(message('ping')), 200,
              'clients that leave disturb nobody');
};

# --- The official client ----------------------------------------------------

SKIP: {
    my $npm = $t->repo . '/build/npm/node_modules';

    skip 'the SDK of MCP is not installed (util/dev/deps test does it)', 1
        if !-d "$npm/\@modelcontextprotocol/sdk"
           || system('node --version >/dev/null 2>&1') != 0;

    ($status, $said) = $t->run('node', $t->repo . '/t/lib/mcp_client.mjs',
                               $npm, $url, $key);
    is($said, <<'SAID', 'the official client gets along');
server: "judge"
newest revision: true
session: null
capabilities: ["prompts","resources","tools"]
tool: "judge_text"
tool: "compare_texts"
tool: "explain_score"
tool: "list_judges"
tool: "create_judge"
tool: "correct"
schemas of all: true
the text of create_judge is its result: true
judged by: ["measures","checks"]
the text of list_judges is its result: true
it is listed: true
the text of judge_text is its result: true
status: "completed"
score: true
the text of compare_texts is its result: true
better: "second"
difference: true
the text of explain_score is its result: true
explained: ["Spelling","Length"]
the text of correct is its result: true
corrected: 70
a wrong judge: {"isError":true,"text":"judge_id: there is no such judge"}
no such tool: -32602
resources: [1,1]
templates: ["judge://judges/{judge_id}","judge://results/{evaluation_id}"]
read: true
no such resource: -32002
prompts: ["write_rubric","improve_rubric"]
prompt: true
no argument: -32602
error: "Streamable HTTP error: Error POSTing to "
no key: true
SAID
    is($status, 0, 'the official client ends well');
}

done_testing;
