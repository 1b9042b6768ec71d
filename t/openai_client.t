# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# OpenAI's own client gets along with the model server of our tests, so that
# what that server takes for right is right.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP ();
use Test::More;

use Judge::OpenAI;

my $modules = abs_path(dirname(__FILE__) . '/..') . '/build/npm/node_modules';

plan skip_all => 'node is not installed'
    if system('node --version >/dev/null 2>&1') != 0;
plan skip_all => 'the npm package openai is not there: run util/dev/deps test'
    if !-d "$modules/openai";

my $dir  = tempdir(CLEANUP => 1);
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
    my $value = eval { JSON::PP->new->decode($text) };
    diag($text) if !defined $value;
    return $value // {};
}

my $url = $good->url;

my $r = node("return await client('$url', 'sk-test')"
             . '.chat.completions.create(ask);');
is($r->{choices}[0]{finish_reason}, 'stop',
   'the client reads the end of an answer');
is(JSON::PP->new->decode($r->{choices}[0]{message}{content})
       ->{criteria}{c1}{score}, 71, 'the client gets an answer by the schema');
ok($r->{usage}{total_tokens} > 0, 'the client reads the usage');
is(scalar $good->requests, 1, 'the client needs one request');

is_deeply(node("return await client('$url', 'sk-wrong')"
               . '.chat.completions.create(ask);'),
          { name => 'AuthenticationError', status => 401,
            code => 'invalid_api_key' }, 'the client finds its key refused');
is_deeply(node("return await client('$url', 'sk-test')"
               . ".chat.completions.create({ ...ask, model: 'm-2' });"),
          { name => 'NotFoundError', status => 404,
            code => 'model_not_found' }, 'the client finds its model missing');
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

done_testing;
