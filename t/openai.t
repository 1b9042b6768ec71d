# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The model server of the tests: that it refuses what OpenAI refuses, and goes
# wrong as it is told.  A lenient one would prove nothing about us.

use strict;
use warnings;

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

done_testing;
