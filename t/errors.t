# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What is wrong with a request is said in one clear sentence, nothing of it
# is stored, and the worker lives.

use IO::Compress::Gzip ();

use Judge::Test;

my $t = Judge::Test->new(orgs => 2, http => <<'CONF', server => <<'SERVER');
    client_max_body_size        64m;
    large_client_header_buffers 4 4k;
    limit_req_zone              $server_name zone=limit:1m rate=1r/m;
    server {
        listen 127.0.0.1:@PORT2@;
        client_body_timeout     1s;
        client_header_timeout   2s;
        large_client_header_buffers 4 32k;
        location / { judge on; }
    }
CONF
    location /small/    { judge on; client_max_body_size 1k; }
    location /denied/   { judge on; deny all; }
    location /private/  { judge on; auth_basic x; auth_basic_user_file x; }
    location /limited/  { judge on; limit_req zone=limit; }
    location /counted/  { judge on; limit_req zone=limit;
                          limit_req_status 429; }
    location /broken/   { judge on; return 500; }
    location /gone/     { judge on; return 410; }
    location /behind/   { judge on;
                          if ($uri) { proxy_pass http://127.0.0.1:@PORT1@; } }
SERVER

my $r;
my @workers = $t->workers;
my $judge   = $t->new_judge;
my $content = $t->new_content('A text. It has two sentences.');
my $key_id  = $t->org->{key_id};
my $uri     = $t->post('/judges/reference_content',
                       json => { file_extension => 'txt' })
                ->json->{reference_content_uri};

sub stored {
    return join ' ', map { $t->sql1("select count(*) from $_") }
        qw(judges judge_versions contents evaluations api_keys idempotency);
}

my $before = stored();

sub nothing_happened {
    my ($name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    is(stored(), $before, "$name: nothing was stored");
    is(join(' ', $t->workers), "@workers", "$name: no worker has died")
        if !$t->single;
}

# Any bytes as a body, in every way in which a body may come.

my %way = (
    'at once' => sub { $t->post($_[0], body => $_[1], headers => [
        'Content-Type' => 'application/json' ]) },
    'in pieces' => sub { $t->post($_[0], body => $_[1], headers => [
        'Content-Type' => 'application/json' ], chunk => 97) },
    'in chunks' => sub { $t->post($_[0], body => chunked($_[1], 5),
        headers => [ 'Content-Type' => 'application/json',
                     'Transfer-Encoding' => 'chunked' ]) },
);

sub chunked {
    my ($body, $size) = @_;
    my $out = '';

    for (my $i = 0; $i < length $body; $i += $size) {
        my $piece = substr $body, $i, $size;
        $out .= sprintf "%x\r\n%s\r\n", length $piece, $piece;
    }

    return $out . "0\r\n\r\n";
}

sub body_fails {
    my ($body, $says, $name, $path) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    error_is($way{$_}->($path // '/content', $body), 400, $says,
             "a body is refused: $name, $_") for sort keys %way;
}

my ($at, $fine);

# Of each kind one, in each way: t/unit/t_json.c has them all.

sub nested { my ($n) = @_; $fine . ',"x":' . '[' x $n . ']' x $n . '}' }

subtest 'bodies that are no JSON are refused' => sub {
    $at   = qr/^invalid JSON at byte \d+: /;
    $fine = '{"name":"x","file_type":"text","text_content":"x"';

    for ([ '' , qr/^(?:body: expected|${at}unexpected end)/, 'nothing' ],
         [ " \r\n\t", qr/${at}unexpected end/, 'white space' ],
         [ $fine, qr/${at}unexpected end/, 'all but the end' ],
         [ "$fine}$fine}", qr/${at}nothing may follow/, 'two objects' ],
         [ "{'name':'x'}", $at, 'single quotes' ],
         [ "\x1f\x8b\x08\x00\x00\x00\x00\x00", $at, 'compressed data' ],
         [ 'name=x&file_type=text', $at, 'a form' ],
         [ '[]', qr/^body: expected a JSON object$/, 'an array' ],
         [ 'null', qr/^body: expected a JSON object$/, 'null' ],
         [ "$fine,\"x\":\"a\nb\"}", qr/${at}control character/,
           'a raw newline' ],
         [ "$fine,\"x\":\"\\x41\"}", qr/${at}invalid escape/,
           'a wrong escape' ],
         [ "{\"name\":\"a\xffb\",\"file_type\":\"text\","
           . '"text_content":"x"}', qr/${at}invalid UTF-8/, 'a wrong byte' ],
         [ "$fine,\"a\xf0\x9f\x98\":1}", qr/${at}invalid UTF-8/,
           'the beginning of a character, in a key nobody knows' ],
         [ "$fine,\"x\":\"\\ud83d\\ud83d\"}", qr/${at}lone surrogate/,
           'half a character' ],
         [ "$fine,\"n\\u0061me\":\"y\"}", qr/${at}duplicate key/,
           'a field twice, once with an escape' ],
         [ "$fine,\"metadata\":{\"a\":[{\"b\":1,\"b\":2}]}}",
           qr/${at}duplicate key/, 'a key twice, deep inside' ],
         [ "$fine,\"x\":1e999}", $at, 'a number beyond all' ],
         [ nested(64), qr/${at}too deep$/, '65 levels' ],
         [ $fine . ',"x":' . '{"a":' x 100000, qr/${at}too deep$/,
           '100,000 objects' ])
    {
        body_fails(@$_);
    }

    is($way{'at once'}->('/content', nested(63))->status, 201,
       'an object of 64 levels is taken');
    $t->alter("delete from contents where id <> '$content'");

    nothing_happened('no JSON');
};

my (%body, %type, %also);

sub type_of {
    my ($v) = @_;
    return !ref $v ? ($v =~ /^\d+$/ ? 'number' : 'string')
         : ref $v eq 'ARRAY' ? 'array' : 'object';
}

# Calls $try->($path, what is said of it, a copy of all with this changed).

sub each_wrong {
    my ($value, $path, $put, $try) = @_;

    (my $name = $path) =~ s/.*\.//;

    for my $type (sort keys %type) {
        next if $type eq type_of($value) || $also{$name}{$type};
        next if $type eq 'null' && length $path && $path !~ /\]$/;
        $try->($path, $type, $put->($type{$type}));
    }

    return if $name eq 'metadata';

    if (ref $value eq 'HASH') {
        for my $key (sort keys %$value) {
            each_wrong($value->{$key}, length $path ? "$path.$key" : $key,
                       sub { $put->({ %$value, $key => $_[0] }) }, $try);
        }

    } elsif (ref $value eq 'ARRAY') {
        each_wrong($value->[0], $path . '[0]', sub { $put->([ $_[0] ]) },
                   $try);
    }
}

subtest 'wrong types are refused at every field' => sub {
    %body = (
        'POST /judges' => {
            name => 'x', description => 'x', content_type => 'text',
            reference_content_uri => [ $uri ],
            criteria => [ {
                name => 'x', description => 'x', weight => 2,
                thresholds => { excellent => 90, good => 70, fair => 50,
                                poor => 30 },
                examples => [ 'x' ],
            } ],
        },
        'POST /content' => {
            name => 'x', file_type => 'text', text_content => 'x',
            description => 'x', metadata => { any => 1 },
        },
        'POST /evaluations/single' => {
            judge_id => $judge, content_id => $content, priority => 'low',
        },
        'POST /api-keys' => {
            name => 'x', permissions => [ 'judges:read' ],
            expires_at => '2100-01-01T00:00:00Z',
        },
        "PATCH /api-keys/$key_id" => {
            name => 'x', status => 'active', permissions => [ '*' ],
        },
    );

    $body{"PUT /judges/$judge"} = { %{ $body{'POST /judges'} } };
    delete $body{"PUT /judges/$judge"}{content_type};

    %type = (string => 'text', number => 7, boolean => JSON::PP::true,
                array => [ [] ], object => { x => 1 }, null => undef);

    # A string is the same as an array of one.
    %also = (reference_content_uri => { string => 1 });

    for my $route (sort keys %body) {
        my ($method, $path) = split ' ', $route;

        each_wrong($body{$route}, '', sub { $_[0] }, sub {
            my ($field, $type, $json) = @_;
            my $where = length $field ? qr/^\Q$field\E: expected/
                                      : qr/^body: expected a JSON object$/;
            error_is($t->request($method, $path, json => $json), 400, $where,
                     "$route refuses " . (length $field ? $field : 'all')
                     . " as $type");
        });
    }

    nothing_happened('wrong types');
};

subtest 'what is not JSON by its type is refused' => sub {
    error_is($t->post('/content', body => "$fine}", headers => [
                 'Content-Type' => 'text/plain' ]), 415,
             qr/^Content-Type: expected/, 'a text is refused');
    error_is($t->post('/content', body => "$fine}"), 415, undef,
             'a body without Content-Type is refused');
    error_is($t->post('/content'), 415, undef,
             'a request without body and Content-Type is refused');
};

sub zipped { IO::Compress::Gzip::gzip(\$_[0], \my $out); $out }

sub coded {
    my ($coding, $bytes, %opt) = @_;
    return $t->post('/content', body => $bytes, %opt, headers => [
        'Content-Type' => 'application/json',
        'Content-Encoding' => $coding ]);
}

subtest 'compressed bodies are read within bounds' => sub {
    my $gzip = zipped("$fine}");
    my $long = zipped("$fine, \"metadata\": { \"a\": \""
                      . join(',', 1 .. 50_000) . '"}}');
    for ([ 'not compressed',  coded(identity => "$fine}") ],
         [ 'byte by byte',    coded(gzip => $gzip, chunk => 1) ],
         [ 'in many buffers', coded(GZIP => $long) ],
         [ 'in two members',  coded(gzip => zipped($fine) . zipped('}')) ],
         [ 'in two members byte by byte',
           coded(gzip => zipped($fine) . zipped('}'), chunk => 1) ])
    {
        my ($name, $r) = @$_;
        status_is($r, 201, "a body that comes $name is read");
        status_is($t->delete('/content/' . $r->json->{id}), 204,
                  "the content of a body that came $name is there");
    }
    for ([ br => $gzip, 415, qr/^Content-Encoding: expected g/ ],
         [ 'gzip, gzip' => $gzip, 415, qr/^Content-Encoding: expected g/ ],
         [ gzip => "$fine}", 400, qr/^body: expected gzip data/ ],
         [ gzip => "${gzip}xy", 400, qr/^body: expected gzip data/ ],
         [ gzip => $gzip . substr($gzip, 0, 9), 400,
           qr/^body: its gzip data end/ ],
         [ gzip => zipped($fine) . zipped(' ' x 5_000_000) . zipped('}'), 413,
           qr/^body: it is more than 32 times/ ],
         [ gzip => substr($gzip, 0, -1), 400, qr/^body: its gzip data end/ ],
         [ gzip => '', 400, qr/^body: its gzip data end ea/ ],
         [ gzip => zipped("$fine"), 400, undef ],
         [ gzip => zipped("$fine}" . ' ' x 5_000_000), 413,
           qr/^body: it is more than 32 times/ ])
    {
        my ($coding, $bytes, $status, $says) = @$_;
        error_is(coded($coding, $bytes), $status, $says,
                 "$coding: " . length($bytes) . ' bytes are refused');
    }
};

subtest 'keys that are wrong, and records of others, are refused' => sub {
    my ($weak, $weak_id) = $t->new_key(permissions => 'config:read');
    my ($off, $off_id)   = $t->new_key;
    $t->tool(qw(key suspend), $off_id);

    my $none    = '0' x 26;
    my @private = (
        [ GET => '/judges' ], [ GET => "/judges/$judge" ],
        [ GET => "/api-key/judges/$judge" ],
        [ GET => "/judges/$judge/versions" ],
        [ POST => '/judges' ], [ POST => '/api-key/judges' ],
        [ PUT => "/judges/$judge" ], [ DELETE => "/judges/$judge" ],
        [ POST => "/judges/$judge/versions/1/activate" ],
        [ GET => '/content' ], [ GET => "/content/$content" ],
        [ POST => '/content' ], [ DELETE => "/content/$content" ],
        [ GET => '/evaluations' ], [ GET => "/evaluations/evl_$none" ],
        [ POST => '/evaluations/single' ],
        [ POST => "/evaluations/evl_$none/retry" ],
        [ GET => "/evaluations/results/evl_$none" ],
        [ GET => '/api-keys' ], [ POST => '/api-keys' ],
        [ PATCH => "/api-keys/$key_id" ], [ DELETE => "/api-keys/$key_id" ],
    );

    for (@private) {
        my ($method, $path) = @$_;
        my $body = $body{"$method $path"} // {};

        error_is($t->request($method, $path, key => undef, json => $body), 401,
                 qr/API key is required/, "$method $path needs a key");
        error_is($t->request($method, $path, key => 'jdgk_' . 'x' x 36,
                             json => $body), 401, qr/not valid/,
                 "$method $path refuses a wrong key");
        error_is($t->request($method, $path, key => $off, json => $body), 401,
                 qr/suspended/, "$method $path refuses a suspended key");
        error_is($t->request($method, $path, key => $weak, json => $body), 403,
                 qr/lacks the permission/,
                 "$method $path refuses a key without the permission");

        next if $path !~ m{/(?:jdg|cnt|key)_};

        $body = {} if $method eq 'PUT';
        my $theirs = $t->request($method, $path, org => 1, json => $body);
        error_is($theirs, 404, qr/there is no such/,
                 "$method $path finds nothing of another organization");
        (my $unknown = $path) =~ s/_[0-9A-Z]{26}/_$none/;
        is($t->request($method, $unknown, org => 1, json => $body)->body,
           $theirs->body,
           "$method $path tells what is another's like what is not there");
    }

    $t->alter("delete from api_keys where id in ('$weak_id', '$off_id')");
    nothing_happened('without permission');
};

my @json;

subtest 'what is too large is refused' => sub {
    my $large = "$fine,\"x\":\"" . 'y' x 3000 . '"}';
    @json  = ('Content-Type' => 'application/json');

    for my $way (sort keys %way) {
        error_is($way{$way}->('/small/content', $large), 413, qr/larger than/,
                 "a body beyond client_max_body_size is refused, $way");
    }

    my $tiny = Judge::Test->new(store => 'max_body=1k');
    for my $body ($large, chunked($large, 100)) {
        my @coding = $body =~ /^\{/ ? () : ('Transfer-Encoding' => 'chunked');
        error_is($tiny->post('/content', body => $body,
                             headers => [ @json, @coding ]), 413,
                 qr/^the body is larger than 1024 bytes$/,
                 'a body beyond max_body is refused'
                 . (@coding ? ', in chunks' : ''));
    }
    is($tiny->sql1('select count(*) from contents'), 0,
       'a body beyond max_body is not stored');

    # Refused by its length, before anything of it is sent.
    $r = $t->raw("POST /content HTTP/1.1\r\nHost: x\r\nX-API-Key: " . $t->key
                 . "\r\nContent-Type: application/json\r\n"
                 . "Content-Length: 99999999999\r\n\r\n");
    error_is($r, 413, undef,
             'a length beyond everything is refused before the body comes');
};

sub head_of {
    my ($length) = @_;
    return "POST /content HTTP/1.1\r\nHost: x\r\nX-API-Key: " . $t->key
           . "\r\nContent-Type: application/json\r\n"
           . (defined $length ? "Content-Length: $length\r\n\r\n"
                              : "Transfer-Encoding: chunked\r\n\r\n");
}

subtest 'requests that break off do no harm' => sub {
    for my $sent ('', '{', $fine, "$fine}") {
        my $name = 'after ' . length($sent) . ' bytes of the body';

        $r = $t->raw(head_of(200) . $sent, end => 1);
        ok($r->status == 0 || $r->status == 400,
           "a request that is half closed $name is not read on")
            or diag($r->status);

        my $client = $t->connect;
        $client->send(head_of(200) . $sent);
        $client->reset;
        $client = $t->connect;
        $client->send(head_of(200) . $sent);
        $client->close;
    }

    for my $head ("POST", "POST /content HTTP/1.1\r\n",
                  head_of(5) =~ s/\r\n$//r)
    {
        my $client = $t->connect;
        $client->send($head);
        $client->reset;
    }

    # All of these are silent at the same time, where that is not borne for
    # long.

    my %silent = (
        'after ' . length($fine) . ' bytes of the body' => head_of(200)
                                                           . $fine,
        'before the body'           => head_of(200),
        'one byte before the end'   => head_of(2 + length $fine) . "$fine}",
        'in a chunk'                => head_of() . "5\r\n{\"nam",
        'in the size of a chunk'    => head_of() . '5',
        'between chunks'            => head_of() . "5\r\n{\"nam\r\n",
    );
    my %client = map { $_ => $t->connect(port => $t->port(2)) } keys %silent;
    my $silent = $t->connect(port => $t->port(2));

    $client{$_}->send($silent{$_}) for keys %silent;
    $silent->send("GET /judges HTTP/1.1\r\nHost:");

    for my $name (sort keys %silent) {
        error_is($client{$name}->response // Judge::Test::no_answer('none'),
                 408, qr/did not come in time/,
                 "a client that is silent $name is told so");
        $client{$name}->close;
    }
    ok($silent->closed(10 * $t->slow),
       'who does not finish the head is let go');
    $silent->close;

    nothing_happened('broken off');
};

subtest 'slow requests are read' => sub {
    for my $i (1 .. 2) {
        $r = $t->post('/content', body => "$fine}", headers => [ @json ],
                      chunk => 1, delay => 0.001);
        status_is($r, 201, 'a body that comes byte by byte is read');
    }
    $r = $t->post('/content', body => chunked("$fine}", 1), headers => [
        @json, 'Transfer-Encoding' => 'chunked' ], chunk => 3, delay => 0.001);
    status_is($r, 201, 'a body in chunks of a byte is read');
    my $wide = $fine . ',"metadata":{"source":"' . "\xe4\xb8\xad" x 200000
             . '"}}';
    for my $way (sort keys %way) {
        status_is($way{$way}->('/content', $wide), 201,
                  "a long body is read, $way");
    }
};

subtest 'Expect: 100-continue is answered' => sub {
    my $client = $t->connect;
    my $polite = head_of(1 + length $fine)
                 =~ s/\r\n\r\n$/\r\nExpect: 100-continue\r\n\r\n/r;
    $client->send($polite);
    like($client->read_until(qr/\r\n\r\n/), qr/^HTTP\/1\.1 100 /,
         'who expects 100-continue is told to go on');
    $client->send("$fine}");
    status_is($client->response, 201, 'who was told to go on is answered');
    $client->close;

    $client = $t->connect;
    $client->send($polite =~ s/X-API-Key: \S+/X-API-Key: x/r);
    error_is($client->response, 401, undef,
             'a wrong key is refused before 100-continue');
    $client->close;
};

my @json_type;

subtest 'errors do not end a connection' => sub {
    @json_type = (headers => [ @json ]);
    my @answers = $t->pipeline(
        [ GET  => "/content/$content" ],
        [ POST => '/content', body => '{', @json_type ],
        [ POST => '/content', body => "$fine}", @json_type ],
        [ GET  => '/nowhere' ],
        [ PUT  => '/content', body => "$fine}", @json_type ],
        [ POST => '/content', body => "$fine}" ],
        [ HEAD => "/content/$content" ],
        [ POST => '/content', key => undef, body => "$fine}", @json_type ],
        [ DELETE => '/content/x' ],
        [ GET  => "/content/$content" ]);
    is(join(' ', map { $_->status } @answers),
       '200 400 201 404 405 415 200 401 404 200',
       'errors do not end a connection, nor disturb what follows');
    is($answers[9]->json->{id}, $content, 'the last answer is the right one');

    @answers = $t->pipeline(map { [ GET => "/content/$content" ] } 1 .. 100);
    is(scalar(grep { $_->status == 200 } @answers), 100,
       'a hundred pipelined requests are answered');

    $t->alter("delete from contents where id <> '$content'");
    nothing_happened('slow and together');
};

my $key;

sub nginx_says {
    my ($status, $says, $name, @lines) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my $r = $t->raw(join("\r\n", @lines, '', ''));
    error_is($r, $status, $says, "nginx refuses $name");
}

subtest 'what nginx refuses is told as the API tells it' => sub {
    $key = 'X-API-Key: ' . $t->key;

    my $host = 'Host: x';
    nginx_says(400, qr/malformed/, 'no request line', 'hello there');
    nginx_says(400, qr/malformed/, 'a wrong method',
               'GE\x01T /judges HTTP/1.1');
    nginx_says(400, qr/malformed/, 'no Host', 'GET /judges HTTP/1.1');
    nginx_says(400, qr/malformed/, 'two Hosts', 'GET /judges HTTP/1.1', $host,
               'Host: y');
    nginx_says(400, qr/malformed/, 'a wrong Host', 'GET /judges HTTP/1.1',
               'Host: a b/c');
    nginx_says(400, qr/malformed/, 'a wrong escape',
               'GET /judges/%zz HTTP/1.1', $host);
    nginx_says(400, qr/malformed/, 'a zero byte', 'GET /judges/%00 HTTP/1.1',
               $host);
    nginx_says(400, qr/malformed/, 'a path above the root',
               'GET /../../etc/passwd HTTP/1.1', $host);
    nginx_says(400, qr/malformed/, 'two lengths', 'POST /content HTTP/1.1',
               $host, 'Content-Length: 1', 'Content-Length: 2');
    nginx_says(400, qr/malformed/, 'a length that is none',
               'POST /content HTTP/1.1', $host, 'Content-Length: many');
    nginx_says(400, qr/malformed/, 'a negative length',
               'POST /content HTTP/1.1', $host, 'Content-Length: -1');
    nginx_says(400, qr/malformed/, 'a length and chunks',
               'POST /content HTTP/1.1', $host, 'Content-Length: 5',
               'Transfer-Encoding: chunked');
    nginx_says(501, qr/not served/, 'a coding that nobody knows',
               'POST /content HTTP/1.1', $host, 'Transfer-Encoding: gzip');
    nginx_says(505, qr/version of HTTP/, 'HTTP of the future',
               'GET /judges HTTP/2.0', $host);
    nginx_says(405, qr/method; Allow names/, 'TRACE',
               'TRACE /judges HTTP/1.1', $host, $key);
    nginx_says(414, qr/too long/, 'a long address',
               'GET /judges?x=' . 'y' x 5000 . ' HTTP/1.1', $host);
    nginx_says(400, qr/headers are too large/, 'a long header',
               'GET /judges HTTP/1.1', $host, 'X: ' . 'y' x 5000);
    nginx_says(400, qr/headers are too large/, 'many headers',
               'GET /judges HTTP/1.1', $host,
               map { "X-$_: " . 'y' x 1000 } 1 .. 30);

    for my $bad ("zz\r\n{}\r\n0\r\n\r\n", "5\r\n{}", "-1\r\n\r\n",
                 "ffffffffffffffffff\r\n")
    {
        $r = $t->raw(head_of() . $bad, end => 1);
        ok($r->status == 400 && length $r->detail || $r->status == 0
           || $r->status == 413, 'wrong sizes of chunks are refused')
            or diag($r->status, $r->body);
    }

    $r = $t->raw("GET /healthz\r\n");
    like($r->body . $r->reason, qr/ok|closed/,
         'HTTP/0.9 is answered or closed');
    $r = $t->raw("GET /healthz HTTP/1.0\r\n\r\n");
    status_is($r, 200, 'HTTP/1.0 without Host is served');

    error_is($t->get('/denied/judges'), 403, qr/not allowed/,
             'a denied location answers 403 as the API does');
    error_is($t->get('/private/judges'), 401, qr/authentication/,
             'a private location answers 401 as the API does');
    error_is($t->get('/broken/judges'), 500, qr/failed; try again/,
             'a broken location answers 500 as the API does');
    error_is($t->get('/gone/judges'), 410, qr/refused/,
             'a location that is gone answers 410 as the API does');
    error_is($t->get('/behind/judges'), 502, qr/behind failed/,
             'a location with nobody behind it answers 502 as the API does');

    $t->get('/limited/healthz');
    $r = $t->get('/limited/healthz');
    error_is($r, 503, qr/busy/,
             'a limited location answers 503 as the API does');
    ok($r->header('Retry-After'), 'a limited location has Retry-After');
    error_is($t->get('/counted/healthz'), 429, qr/too many requests/,
             'limit_req_status is kept in the answer of a limited location');

    $r = $t->head('/broken/judges');
    status_is($r, 500, 'HEAD of a broken location answers 500');
    is($r->body, '', 'HEAD of a broken location has no body');

    nothing_happened('refused by nginx');
};

subtest 'wrong queries are refused' => sub {
    for my $q ('limit=%zz', 'limit=1&limit=0', 'status=' . 'x' x 3000,
               'cursor=' . 'A' x 3000)
    {
        my $short = length $q > 20 ? substr($q, 0, 20) . '…' : $q;
        error_is($t->get("/judges?$q"), 400, qr/^\w+: (?:expected|must)\b/,
                 "?$short is refused");
    }
    status_is($t->get("/judges?$_"), 200, "?$_ is taken")
        for '', '&', '=', '?', '%', '=%zz', 'x=%00', '&&limit=1&&';
};

subtest 'what is not known is named, or refused' => sub {
    # Named wherever bodies are read: at once, as they come, in a thread, by a
    # handler of its own.

    my $batch = $t->post('/batches/evaluate', json => {
        name => 'B', judge_ids => [ $judge ],
        content_items => [ { content_id => $content } ] })->json;

    $before = stored();

    for ([ '/content?limt=1',
           { name => 'N', file_type => 'text', text => 'T' },
           '?limt, text; did you mean text_content?', 'a body', '?limt' ],
         [ '/content', { name => 'N', file_type => 'text',
                         text_content => 'x' x 200_000, metaData => {},
                         metadata => { metaData => 1 } },
           'metaData; did you mean metadata?', 'a large one' ],
         [ '/batches/evaluate', { name => 'B', judge_ids => [ 'jdg_x' ],
             content_items => [ { name => 'N', text_content => 'T' },
                                { contentId => 'x', text_content => 'T' } ] },
           'content_items[1].contentId; did you mean content_id?', 'items' ],
         [ "/batches/$batch->{batch_id}/feedback",
           { feedback_entries => [ { type => 'comment', evaluation_id => 'x',
                                     content => { coment => 'x' } } ] },
           'feedback_entries[0].content.coment; did you mean comment?',
           'feedback' ],
         [ '/content', { map { ("\x{e9}\r\n\0$_" . '-' x 99) => 1 } 1 .. 50 },
           qr/%C3%A9%0D%0A%00\d+-{5,}\.\.\., .*, and 4\d more/,
           'hostile names' ],
        )
    {
        my ($path, $body, $names, $name, $first) = @$_;
        my $strict = $first // $names;

        $_ = ref $_ ? $_ : qr/\Q$_\E/ for $names, $strict;
        like($t->post($path, json => $body)->header('Judge-Ignored'),
             qr/^$names$/, "$name: what is ignored is named");

        my $stored = stored();

        $r = $t->post($path, json => $body, headers => [
            Prefer => 'wait=1', Prefer => 'handling=strict' ]);
        error_is($r, 400, qr/^not known here: $strict$/,
                 "$name: what is not known is refused with handling=strict");
        is($r->header('Preference-Applied'), 'handling=strict',
           "$name: the answer says that handling is strict");
        is(stored(), $stored, "$name: nothing is stored");
    }

    $r = $t->get('/judges?limit=1',
                 headers => [ Prefer => 'handling=strict' ]);
    status_is($r, 200,
              'handling=strict takes a request of which all is known');
    is($r->header('Judge-Ignored'), undef,
       'a request of which all is known has nothing ignored');

    $before = stored();
};

# In a service of its own, because some of these requests store something.

subtest 'every endpoint names a parameter that it does not know' => sub {
    my $own   = Judge::Test->new;
    my $paths = $own->get('/openapi.json')->json->{paths};
    my %start = (judge_id => 'jdg', evaluation_id => 'evl',
                 batch_id => 'bat', content_id => 'cnt');
    my (@silent, $asked);

    for my $path (sort keys %$paths) {
        my $at = $path =~ s/\{(\w+)\}/($start{$1} || 'xxx')
                                       . '_01M8QSE1BX7YZ2QKPJ9K53XNP9'/ger;

        for my $method (grep { /^(?:get|post|put|patch|delete)$/ }
                        sort keys %{ $paths->{$path} })
        {
            my $r = $own->request(uc $method, "$at?nosuch=1",
                                  $method =~ /^p/ ? (json => {}) : ());
            my $named = $r->header('Judge-Ignored') // '';
            push @silent, "$method $path" if $named ne '?nosuch';
            $asked++;
        }
    }

    cmp_ok($asked, '>', 100, 'the description names the endpoints');
    is(join("\n", @silent), '', 'no endpoint ignores a parameter in silence');
};

subtest 'a list in many headers takes little memory' => sub {
    my $client = $t->connect(port => $t->port(2));
    my $peak   = $t->peak_memory;

    $client->send("GET /healthz HTTP/1.1\r\nHost: x\r\n"
                  . ('Prefer: ' . 'x' x 100 . "\r\n") x 980
                  . "Prefer: handling=strict\r\n\r\n");
    $r = $client->response;
    status_is($r, 200, 'Prefer in hundreds of headers is answered');
    is($r->header('Preference-Applied'), 'handling=strict',
       'the last one of hundreds of headers is read');
    cmp_ok($t->peak_memory - $peak, '<', 20 * 1024,
           'Prefer in hundreds of headers takes less than 20 MB');
    $client->close;
};

subtest 'noise does no harm' => sub {
    srand 4711;

    my $seed = JSON::PP->new->utf8->canonical->encode($body{'POST /judges'});
    my %seen;

    for (1 .. 20) {
        my @noise = map {
            my $noise = $seed;
            for (0 .. int rand 3) {
                my $at = int rand length $noise;
                my $how = int rand 4;
                $how == 0 ? (substr($noise, $at, 1) = chr int rand 256)
              : $how == 1 ? (substr($noise, $at, 1 + int rand 20) = '')
              : $how == 2 ? (substr($noise, $at, 0) = substr $noise,
                                 int rand length $noise, int rand 30)
              :             (substr($noise, $at, 0)
                                 = ('[', '{', '"', ',', '\\u', "\xf0", '1e9',
                                    'null')[ int rand 8 ]);
            }
            [ POST => '/judges', body => $noise, @json_type ]
        } 1 .. 25;

        $seen{ $_->status }++ for $t->pipeline(@noise);
    }

    is(join(' ', grep { $_ != 201 && $_ != 400 } keys %seen), '',
       'noise is taken or refused, nothing else');
    cmp_ok($seen{400}, '>', 250, 'noise is mostly refused');

    SKIP: {
        skip 'one process only', 1 if $t->single;
        is(join(' ', $t->workers), "@workers", 'no worker has died of noise');
    }

    status_is($t->get("/judges/$judge"), 200, 'the service works after noise');
};

# Calls $try->($path, the value with null there, and without the field).

sub each_null {
    my ($value, $path, $put, $try) = @_;

    $value = $value->[0], $path .= '[0]', $put = one($put)
        if ref $value eq 'ARRAY';
    return if ref $value ne 'HASH' || $path eq 'metadata';

    for my $key (sort keys %$value) {
        my %without = %$value;
        my $at = length $path ? "$path.$key" : $key;
        delete $without{$key};
        $try->($at, $put->({ %without, $key => undef }),
               $put->(\%without));
        each_null($value->{$key}, $at,
                  sub { $put->({ %without, $key => $_[0] }) }, $try);
    }
}

sub one { my ($put) = @_; return sub { $put->([ $_[0] ]) } }

subtest 'null counts as left out' => sub {
    for my $route (sort grep { !/^PATCH/ } keys %body) {
        my ($method, $path) = split ' ', $route;

        each_null($body{$route}, '', sub { $_[0] }, sub {
            my ($field, $null, $without) = @_;
            my ($r, $like) = map { $t->request($method, $path, json => $_) }
                                 $null, $without;
            is($r->status . ' ' . ($r->status < 300 ? '' : $r->body),
               $like->status . ' ' . ($like->status < 300 ? '' : $like->body),
               "$route: $field as null is as if it were left out");
        });
    }
};

done_testing;
