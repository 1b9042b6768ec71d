# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Whether the process answers, whether the service works; where the service
# is mounted, and which methods its paths take.

use Judge::Test;

my $t = Judge::Test->new;
my $r;

subtest 'the service tells whether it works, and its version' => sub {
    for my $path (qw(/healthz /readyz /v1/healthz /v1/readyz)) {
        $r = $t->get($path, key => undef);
        status_is($r, 200, "GET $path needs no key");
        like($r->header('Content-Type'), qr{^application/json},
             "$path answers in JSON");
        like($r->json->{status}, qr/^(?:ok|ready)$/,
             "$path says how the service is");

        $r = $t->head($path, key => undef);
        status_is($r, 200, "HEAD $path needs no key");
        is($r->body, '', "HEAD $path has no body");
        status_is($t->get("$path?x=%zz", key => 'x'), 200,
                  "$path answers whatever else is in the request");
    }

    # One version, wherever it is told.

    my $version = $t->get('/healthz')->json->{version};
    like($version, qr/^\d+\.\d+\.\d+$/, 'the version has three numbers');
    like($t->get('/healthz')->json->{engine}, qr{^builtin/\d+(?:[-+]|$)},
         'the version of the engine is told');
    is($t->get('/openapi.json')->json->{info}{version}, $version,
       'openapi.json has the same version');
    is(($t->run($t->repo . '/build/judge', '--version'))[1],
       "judge $version\n", 'the tool has the same version');
    open my $changes, '<', $t->repo . '/docs/CHANGES' or die "CHANGES: $!";
    like(join('', <$changes>), qr/\A\s*Changes with judge \Q$version\E\s/,
         'docs/CHANGES begins with the same version');

    # Readiness is a row that was committed.

    is($t->sql1('select count(*) from probes'), 1,
       'readiness has written a row');
    $t->fail_updates('probes_fail', 'probes', 'true');
    $t->wait_until(sub { $t->get('/readyz')->status == 503 },
                   'a write that fails');
    status_is($t->get('/healthz'), 200, '/healthz answers while writes fail');
    $t->drop_trigger('probes_fail');
    $t->wait_until(sub { $t->get('/readyz')->status == 200 }, 'the recovery');

    # A queue that is not ours to work on does not matter.

    my $x = Judge::Test->new(store => 'evaluate=off');
    $x->new_evaluation($x->new_judge, $x->new_content('Text.'));
    $x->alter('update evaluations set queue_at = 1000');
    status_is($x->get('/readyz'), 200, 'a gateway without a queue is ready');
};

subtest 'each path takes its methods, and names them' => sub {
    my %allowed = (
        '/api-key/judges'                 => 'POST',
        '/api-key/judges/{x}'             => 'GET, HEAD',
        '/judges'                         => 'GET, HEAD, POST',
        '/judges/{x}'                     => 'GET, HEAD, PUT, DELETE',
        '/judges/{x}/versions'            => 'GET, HEAD',
        '/judges/{x}/versions/1/activate' => 'POST',
        '/content'                        => 'GET, HEAD, POST',
        '/content/{x}'                    => 'GET, HEAD, DELETE',
        '/evaluations/single'             => 'GET, HEAD, POST',
        '/evaluations/{x}'                => 'GET, HEAD',
        '/evaluations/{x}/retry'          => 'POST',
        '/evaluations/results/{x}'        => 'GET, HEAD',
        '/api-keys'                       => 'GET, HEAD, POST',
        '/api-keys/{x}'                   => 'GET, HEAD, PATCH, DELETE',
        '/healthz'                        => 'GET, HEAD',
        '/readyz'                         => 'GET, HEAD',
    );

    for my $pattern (sort keys %allowed) {
        (my $path = $pattern) =~ s/\{x\}/x/;
        my %may = map { $_ => 1 } split /, /, $allowed{$pattern};

        for my $prefix ('', '/v1') {
            $r = $t->request(OPTIONS => "$prefix$path", key => undef);
            status_is($r, 204, "OPTIONS $prefix$path is answered");
            is(join(' ', sort split /, /, $r->header('Allow') // ''),
               join(' ', sort keys %may, 'OPTIONS'),
               "Allow of $prefix$path names the methods that are served");
        }

        for my $method (grep { !$may{$_} } qw(GET POST PUT PATCH DELETE TRACE
                                              PROPFIND BREW)) {
            $r = $t->request($method, $path, json => {});
            error_is($r, 405, qr/method/, "$method $path is refused");
            like($r->header('Allow'), qr/\bOPTIONS$/,
                 "the refusal of $method $path has Allow");
        }
    }

    error_is($t->request(OPTIONS => '/nowhere'), 404, undef,
             'OPTIONS of an unknown path is not found');
};

subtest 'HEAD is GET without the body' => sub {
    my $judge = $t->new_judge;

    for my $path ("/judges/$judge", '/judges', '/content', '/api-keys') {
        my ($get, $head);

        # The use of a key is counted a little later, which may change its list
        # between two requests.

        $t->wait_until(sub {
            ($get, $head, my $after) = ($t->get($path), $t->head($path),
                                        $t->get($path));
            return $get->body eq $after->body;
        }, "$path, the same before and after HEAD");

        status_is($head, 200, "HEAD $path succeeds");
        is($head->body, '', "HEAD $path has no body");
        is($head->header('Content-Length'), length $get->body,
           "HEAD $path tells the length that GET has");
        is($head->header($_), $get->header($_), "HEAD $path has the $_ of GET")
            for qw(ETag Content-Type);
    }

    $r = $t->head('/judges/x');
    status_is($r, 404, 'HEAD of an unknown judge is not found');
    is($r->body, '', 'HEAD of an unknown judge has no body');
};

subtest 'paths that are not there are not found' => sub {
    error_is($t->get($_), 404, qr/nothing at this path/,
             "GET $_ finds nothing") for qw(/ /v2/judges /judges/);

    status_is($t->get('//judges'), 200, 'nginx merges slashes');
    status_is($t->get('/content/../judges'), 200,
              'nginx resolves dots in a path');
    status_is($t->get('/%6audges'), 200, 'nginx resolves escapes in a path');
};

subtest 'a service can be mounted elsewhere' => sub {
    for my $prefix ('/judging', '/a/b/c/') {
        my $m = Judge::Test->new(prefix => $prefix);

        status_is($m->get('/healthz', key => undef), 200,
                  "a service under $prefix is healthy");
        my $id = $m->new_judge;
        is($m->get("/v1/judges/$id")->json->{judge_id}, $id,
           "a judge under $prefix is found with /v1");
        is($m->get("/judges/$id")->json->{judge_id}, $id,
           "a judge under $prefix is found without /v1");
        my $content = $m->new_content('Text. Yes.');
        is($m->evaluated($m->new_evaluation($id, $content))->{status},
           'completed', "a service under $prefix evaluates");

        error_is($m->get('/nowhere'), 404, qr/nothing at this path/,
                 "what is not found under $prefix is told in JSON");
        $r = $m->raw("GET /judges HTTP/1.1\r\nHost: x\r\n"
                     . "Connection: close\r\n\r\n");
        status_is($r, 404, "what is not below $prefix is not found");
        like($r->header('Content-Type'), qr{^text/html},
             "what is not below $prefix is left to nginx");
    }

    # Several locations, and several services, side by side.

    my $two = Judge::Test->new(
        http   => 'judge_store @DIR@/sandbox name=sandbox;',
        server => 'location /sandbox/ { judge sandbox; }
                   location /again/ { judge on; }
                   location = /ping { return 204; }');

    my $here = $two->new_judge;
    status_is($two->get("/again/judges/$here"), 200,
              'a service answers in two locations');
    error_is($two->get("/sandbox/judges/$here"), 401, undef,
             'another service has other keys');
    status_is($two->get('/sandbox/readyz', key => undef), 200,
              'another service is ready');
    status_is($two->get('/ping', key => undef), 204,
              'other locations are as they were');
};

done_testing;
