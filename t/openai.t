# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The model server of the tests: that it refuses what OpenAI refuses, goes
# wrong as it is told, and that OpenAI's own client gets along with it.  A
# lenient one would prove nothing about us.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use HTTP::Tiny;
use JSON::PP qw(decode_json encode_json);
use Test::More;

use lib "$FindBin::Bin/lib";
use Judge::OpenAI;

my $llm  = Judge::OpenAI->start(key => 'sk-test', models => ['m-1', 'm-2'],
                                context => 10_000);
my $http = HTTP::Tiny->new(timeout => 10);

sub request {
    my (%more) = @_;
    return { model => 'm-1',
             messages => [ { role => 'user', content => 'Hello as JSON.' } ],
             %more };
}

sub ask {
    my ($server, $q, %headers) = @_;
    return $http->post($server->url, {
        headers => { 'Content-Type' => 'application/json',
                     Authorization => 'Bearer sk-test', %headers },
        content => ref $q ? encode_json($q) : $q,
    });
}

# --- What it takes --------------------------------------------------------

my $schema = {
    type => 'object', additionalProperties => JSON::PP::false,
    required => ['criteria'],
    properties => { criteria => {
        type => 'object', additionalProperties => JSON::PP::false,
        required => ['c1', 'c2'],
        properties => { map { $_ => { type => 'number' } } qw(c1 c2) },
    } },
};

sub format_of {
    my ($s) = @_;
    return { type => 'json_schema', json_schema => {
        name => 'verdict', strict => JSON::PP::true, schema => $s } };
}

my $r = ask($llm, request(temperature => 0.5, max_tokens => 10, seed => -1,
                          response_format => format_of($schema)));
is($r->{status}, 200, 'a request that is right is answered');
my $a = decode_json($r->{content});
is($a->{choices}[0]{finish_reason}, 'stop', 'the answer ends by stop');
is_deeply([sort keys %{ decode_json($a->{choices}[0]{message}{content})
                        ->{criteria} }], ['c1', 'c2'],
          'the answer has the criteria of the schema');
cmp_ok($a->{usage}{total_tokens}, '>', 1, 'the answer tells its usage');

my $image = { type => 'image_url',
              image_url => { url => 'data:image/png;base64,AAAA' } };
is(ask($llm, request(messages => [ { role => 'user', content => [
    { type => 'text', text => 'x' }, $image ] } ]))->{status}, 200,
   'an image is taken');

# --- What it refuses ------------------------------------------------------

my @bad = (
    ['not JSON',              '{"model": "m-1"'],
    ['an array',              '[]'],
    ['bytes that are no UTF-8', "{\"model\": \"\xff\"}"],
    ['no model',              { messages => request()->{messages} }],
    ['no messages',           { model => 'm-1' }],
    ['empty messages',        request(messages => [])],
    ['an unknown role',       request(messages => [
                                  { role => 'boss', content => 'x' } ])],
    ['an unknown member',     request(messages => [
                                  { role => 'user', content => 'x',
                                    weight => 1 } ])],
    ['no content',            request(messages => [ { role => 'user' } ])],
    ['an unknown parameter',  request(colour => 'red')],
    ['temperature 2.1',       request(temperature => 2.1)],
    ['temperature as string', request(temperature => '1')],
    ['max_tokens 0',          request(max_tokens => 0)],
    ['max_tokens 1.5',        request(max_tokens => 1.5)],
    ['seed as string',        request(seed => '7')],
    ['an unknown format',     request(response_format => { type => 'xml' })],
    ['json_object without the word',
        request(messages => [ { role => 'user', content => 'x' } ],
                response_format => { type => 'json_object' })],
    ['a schema that is open', request(response_format => format_of({
        type => 'object', properties => {}, required => [] }))],
    ['one with optional members', request(response_format => format_of({
        %$schema, required => [] }))],
    ['one with bounds', request(response_format => format_of({
        %$schema, properties => { criteria => { type => 'number',
                                                minimum => 0 } } }))],
    ['an image that is none', request(messages => [ { role => 'user',
        content => [ { type => 'image_url',
                       image_url => { url => 'data:image/png;base64,AAA' } }
                   ] } ])],
    ['an image of the system', request(messages => [ { role => 'system',
        content => [ $image ] } ])],
    ['what does not fit', request(messages => [ { role => 'user',
        content => 'x' x 50_000 } ])],
);

for my $row (@bad) {
    $r = ask($llm, $row->[1]);
    is($r->{status}, 400, "the server refuses $row->[0]");
    ok(decode_json($r->{content})->{error}{message},
       "the server says why it refuses $row->[0]");
}

is(ask($llm, request(), Authorization => 'Bearer sk-other')->{status}, 401,
   'a wrong key is refused');
is(ask($llm, request(), Authorization => 'sk-test')->{status}, 401,
   'a key without Bearer is refused');
is(ask($llm, request(), 'Content-Type' => 'text/plain')->{status}, 415,
   'a request that is not JSON is refused');
is(ask($llm, request(model => 'm-3'))->{status}, 404,
   'an unknown model is refused');
is($http->get($llm->url)->{status}, 405, 'GET is refused');
is($http->get($llm->url . 's')->{status}, 404, 'another path is not found');

my @requests = $llm->requests;
is(scalar @requests, 2 + @bad + 6, 'each request is kept');
is($requests[0]{json}{seed}, -1, 'a kept request has its JSON');
is($requests[-2]{status}, 405, 'a kept request has the status of its answer');

# --- What goes wrong ------------------------------------------------------

my $faulty = Judge::OpenAI->start(
    script => ['rate', 'truncated', 'refused', 'half', 'close', 'garbage',
               { status => 418, body => { teapot => 1 } },
               { delay => 0.01, action => 'empty' }, 'fenced'],
    when   => [ [ qr/special/ => 'html' ] ],
);
my @got;

for (1 .. 10) {
    $r = ask($faulty, request());
    push @got, $r->{status};
    if ($_ == 1) {
        is($r->{headers}{'retry-after'}, 1,
           'a refused request has Retry-After');
        is(ask($faulty, request(model => 'special'))->{status}, 502,
           'a word in the request makes its answer fail');
    }
}

is_deeply(\@got, [429, 200, 200, 599, 599, 599, 418, 200, 200, 200],
          'the answers of a script come one after the other');

for my $lack (qw(schema temperature seed max_tokens)) {
    my $lacking = Judge::OpenAI->start(lacks => [$lack]);
    my $q = request(temperature => 1, seed => 1, max_tokens => 5,
                    response_format => format_of($schema));
    is(ask($lacking, $q)->{status}, 400,
       "a server that lacks $lack refuses it");
    delete $q->{ $lack eq 'schema' ? 'response_format' : $lack };
    is(ask($lacking, $q)->{status}, 200,
       "a server that lacks $lack answers a request without it");
}

my $pid = $faulty->{pid};
$faulty->stop;
ok(!kill(0, $pid), 'a server that is stopped is gone');

# --- OpenAI's own client -----------------------------------------------------

my $modules = abs_path("$FindBin::Bin/..") . '/build/npm/node_modules';
my $dir     = tempdir(CLEANUP => 1);
my $good = Judge::OpenAI->start(key => 'sk-test', models => ['m-1']);
my $late = Judge::OpenAI->start(script => [qw(rate overload)]);
my $no   = Judge::OpenAI->start(script => ['refused']);

# Runs a script in which `client(url, key)` makes a client: what it prints.

sub node {
    my ($script) = @_;

    open my $out, '>', "$dir/test.js" or die "test.js: $!";
    print {$out} <<"JS";
const OpenAI = require('$modules/openai');
const client = (url, apiKey) => new OpenAI.OpenAI({
    baseURL: url.replace('/chat/completions', ''), apiKey, maxRetries: 2 });
const ask = {
    model: 'm-1', temperature: 0, seed: 7, max_tokens: 500,
    messages: [
        { role: 'system', content: 'c1: Grammar (weight 1)' },
        { role: 'user', content: 'Answer in JSON.' },
    ],
    response_format: { type: 'json_schema', json_schema: {
        name: 'verdict', strict: true, schema: {
            type: 'object', additionalProperties: false,
            required: ['criteria'], properties: { criteria: {
                type: 'object', additionalProperties: false,
                required: ['c1'], properties: { c1: {
                    type: 'object', additionalProperties: false,
                    required: ['score'],
                    properties: { score: { type: 'number' } } } } } } } } },
};
(async () => { $script })()
    .then(v => console.log(JSON.stringify(v)))
    .catch(e => console.log(JSON.stringify({
        name: e.constructor.name, status: e.status, code: e.code })));
JS
    close $out;

    my $text = `node $dir/test.js 2>&1`;
    my $value = eval { decode_json($text) };
    diag($text) if !defined $value;
    return $value // {};
}

SKIP: {
    skip 'node is not installed', 1
        if system('node --version >/dev/null 2>&1') != 0;
    skip 'the npm package openai is not there: run util/dev/deps test', 1
        if !-d "$modules/openai";

    my $url = $good->url;

    $r = node("return await client('$url', 'sk-test')"
                 . '.chat.completions.create(ask);');
    is($r->{choices}[0]{finish_reason}, 'stop',
       'the client reads the end of an answer');
    is(decode_json($r->{choices}[0]{message}{content})
           ->{criteria}{c1}{score}, 71,
       'the client gets an answer by the schema');
    ok($r->{usage}{total_tokens} > 0, 'the client reads the usage');
    is(scalar $good->requests, 1, 'the client needs one request');

    is_deeply(node("return await client('$url', 'sk-wrong')"
                   . '.chat.completions.create(ask);'),
              { name => 'AuthenticationError', status => 401,
                code => 'invalid_api_key' },
              'the client finds its key refused');
    is_deeply(node("return await client('$url', 'sk-test')"
                   . ".chat.completions.create({ ...ask, model: 'm-2' });"),
              { name => 'NotFoundError', status => 404,
                code => 'model_not_found' },
              'the client finds its model missing');
    is(node("return await client('$url', 'sk-test')"
            . '.chat.completions.create({ ...ask, temperature: 9 });')->{name},
       'BadRequestError', 'the client finds its parameter refused');

    $url = $late->url;
    is(node("return await client('$url', 'x').chat.completions.create(ask);")
           ->{model}, 'm-1-2026-01-01',
       'the client tries again after 429 and 503');
    is(scalar $late->requests, 3,
       'the client makes three requests where two fail');

    $url = $no->url;
    ok(length node("return (await client('$url', 'x')"
                   . '.chat.completions.create(ask)).choices[0].message;')
           ->{refusal}, 'the client reads a refusal');
}

done_testing;
