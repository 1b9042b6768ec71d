# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# API keys: how a request brings one, what it permits, how keys are made,
# changed and removed.

use POSIX qw(strftime);
use Time::HiRes qw(time);

use Judge::Test;

my $t = Judge::Test->new(orgs => 2);
my $r;
my $key  = $t->key;
my $none = 'key_' . '0' x 26;
my ($k, $path, $maker, @ids);

sub at { strftime('%Y-%m-%dT%H:%M:%SZ', gmtime(time() + $_[0])) }

# A worker may remember a key for a moment (see JUDGE_AUTH_TTL), each for its
# own: the answer is waited for, with its detail where there is one.

sub answers {
    my ($key, $wanted, $detail, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    ok($t->wait_for(60 * $t->slow, sub {
        my $r = $t->get('/judges', key => $key);
        return $r->status == $wanted
               && (!defined $detail || $r->detail =~ $detail);
    }), $name);
}

sub refused {
    my ($headers, $name, $says) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my $r = $t->get('/judges', key => undef, headers => $headers);
    error_is($r, 401, $says // qr/the API key is not valid$/,
             "$name is refused");
    like($r->header('WWW-Authenticate'), qr/^Bearer realm="/,
         'the refusal says how a key is brought');
}

subtest 'a request brings a key' => sub {
    like($key, qr/^[a-z]+_[0-9A-Za-z]{36}$/,
         'a key has a prefix and 36 letters and digits');

    for ([ [ 'X-API-Key' => $key ], 'X-API-Key' ],
         [ [ 'x-api-key' => $key ], 'x-api-key' ],
         [ [ Authorization => "Bearer $key" ], 'Authorization: Bearer' ],
         [ [ authorization => "bearer  $key" ], 'authorization: bearer' ],
         [ [ 'X-API-Key' => $key, Authorization => 'Basic eDp5' ],
           'two ways' ])
    {
        my ($headers, $name) = @$_;
        for my $path (qw(/judges /api-key/judges/x /v1/judges /content
                         /evaluations /api-keys))
        {
            my $s = $t->get($path, key => undef, headers => $headers)->status;
            ok($s == 200 || $s == 404, "$path takes the key by $name");
        }
    }
};

subtest 'a request without a valid key is refused' => sub {
    my $needed = qr/^an API key is required/;
    refused([], 'a request without a key', $needed);
    refused([ Authorization => "Basic $key" ], 'a key behind another scheme',
            $needed);
    refused([ Authorization => $key ], 'a key without a scheme', $needed);
    refused([ Authorization => 'Bearer' ], 'a scheme without a key', $needed);
    refused([ 'X-API-Key' => 'x' ], 'a short key');
    refused([ 'X-API-Key' => $key . 'x' ], 'a key with a letter more');
    refused([ 'X-API-Key' => substr $key, 0, -1 ],
            'a key without its last letter');
    refused([ 'X-API-Key' => "$key $key" ], 'a header with two keys');
    refused([ 'X-API-Key' => lc $key ], 'a key in small letters');
    refused([ Authorization => "Bearer \xff\xfe" ], 'a key that is not UTF-8');
    refused([ 'X-API-Key' => 'x' x 900 ], 'a very long key');

    my $typo = $key;
    substr($typo, 12, 1) = substr($key, 12, 1) eq 'x' ? 'y' : 'x';
    refused([ 'X-API-Key' => $typo ], 'a key with a wrong letter');

    # One whose checksum is right and which nobody has.
    my ($forged) = Judge::Test->new->key;
    refused([ 'X-API-Key' => $forged ], 'a key of another store');

    error_is($t->get('/judges', key => undef,
                     headers => [ 'X-API-Key' => $key, 'X-API-Key' => $key ]),
             400, qr/x-api-key: .*only once/,
             'a key that is given twice is refused');

    # A request that is refused does not get to send its body.

    is($t->sql1("select count(*) from judges"), 0,
       'the organization has no judge yet');
    error_is($t->post('/judges', key => undef, json => {
                 name => 'x', description => 'x', content_type => 'text',
                 criteria => [ { name => 'x', description => 'x' } ] }),
             401, $needed, 'a POST without a key is refused');
    is($t->sql1("select count(*) from judges"), 0,
       'a POST without a key stores nothing');
};

subtest 'a key is made' => sub {
    $r = $t->post('/api-keys', json => { name => 'Reader',
                                         permissions => [ 'judges:read' ] });
    status_is($r, 201, 'a key is made');
    $k = $r->json;

    like($k->{api_key}, qr/^[a-z]+_[0-9A-Za-z]{36}$/,
         'the answer shows the key that was made');
    like($k->{api_key_id}, qr/^key_[0-9A-HJKMNP-TV-Z]{26}$/,
         'a new key has an identifier');
    is($k->{name}, 'Reader', 'a new key has the name that was asked for');
    is($k->{status}, 'active', 'a new key is active');
    is_deeply($k->{permissions}, [ 'judges:read' ],
              'a new key has the permissions that were asked for');
    is_deeply($k->{usage_stats},
              { requests_this_month => 0, evaluations_this_month => 0 },
              'a new key has not been used');
    time_is($k->{created_at}, 'a new key has the time when it was made');
    ok(!exists $k->{expires_at},
       'a key does not expire unless an end is given');

    answers($k->{api_key}, 200, undef, 'a new key works');
    error_is($t->post('/judges', key => $k->{api_key}, json => {}), 403,
             qr/lacks the permission judges:write$/,
             'a key does not do what it does not permit');

    is($t->sql1('select count(*) from api_keys where'
                . " hash like '%$k->{api_key}%'"
                . " or name like '%$k->{api_key}%'"), 0,
       'the store has only the digest of a key');

    $r = $t->post('/v1/api-keys', json => {
        name => "Sch\x{f6}n", permissions => [ 'judges:read', 'llm:use',
                                               'judges:read', '*' ],
        expires_at => '2100-02-28T12:00:00+02:00' });
    status_is($r, 201, 'a key with an end is made');
    is($r->json->{expires_at}, '2100-02-28T10:00:00.000Z',
       'the end of a key is told in UTC');
    my $naive = $t->post('/api-keys', json => { name => 'Naive',
        permissions => ['judges:read'], expires_at => '2100-02-28T12:00:00' });
    is($naive->json->{expires_at}, '2100-02-28T12:00:00.000Z',
       'a time without an offset is UTC');
    is_deeply($r->json->{permissions}, [ 'judges:read', 'llm:use', '*' ],
              'a permission that was named twice is granted once');

    my $before = $t->sql1('select count(*) from api_keys');

    # Of each kind one: t/api/t_keys.c has them all.

    for ([ { name => 'x' x 201 }, qr/^name: / ],
         [ { permissions => [ '*', 'judges:eat' ] },
           qr/^permissions\[1\]: expected the name of a permission/ ],
         [ { expires_at => at(-5) }, qr/^expires_at: .*future/ ],
         [ { expires_at => 'soon' }, qr/^expires_at: expected an RFC 3339/ ])
    {
        my ($fields, $says) = @$_;
        error_is($t->post('/api-keys', json => { name => 'x',
                     permissions => [ '*' ], %$fields }), 400, $says,
                 "a key that cannot be made is refused: $says");
    }

    is($t->sql1('select count(*) from api_keys'), $before,
       'nothing is stored of a key that is refused');

    # Nobody grants what they do not have.

    $maker = $t->new_key(permissions => 'keys:write,judges:read');
    error_is($t->post('/api-keys', key => $maker, json => {
                 name => 'x', permissions => [ $_ ] }), 403,
             qr/lacks the permission \Q$_\E and can't grant it$/,
             "a key without $_ can't make one with it")
        for '*', 'content:read';
    status_is($t->post('/api-keys', key => $maker, json => {
                  name => 'x', permissions => [ 'judges:read' ] }), 201,
              'a key makes one that has less permissions');
};

subtest 'a key is changed' => sub {
    $path = "/api-keys/$k->{api_key_id}";

    $r = $t->patch($path, json => { name => 'Writer',
                                    permissions => [ 'judges:write' ] });
    status_is($r, 200, 'a key is changed');
    is($r->json->{name}, 'Writer', 'a change gives a key its new name');
    is_deeply($r->json->{permissions}, [ 'judges:write' ],
              'a change gives a key its new permissions');
    ok(!exists $r->json->{api_key},
       'the answer to a change does not show the key');
    answers($k->{api_key}, 403, undef, 'a key does not do what it did before');

    $r = $t->patch($path, json => { permissions => [ 'judges:read' ] });
    is($r->json->{name}, 'Writer',
       'a change keeps the name that it leaves out');
    answers($k->{api_key}, 200, undef,
            'a key does what it is permitted again');

    $r = $t->patch($path, json => { status => 'suspended' });
    is($r->json->{status}, 'suspended', 'a key can be suspended');
    answers($k->{api_key}, 401, qr/is suspended$/,
            'a suspended key does not work');

    $r = $t->patch($path, json => { status => 'active',
                                    expires_at => '2100-01-01T00:00:00Z' });
    is($r->json->{status}, 'active',
       'a suspended key can be made active again');
    answers($k->{api_key}, 200, undef, 'a key that is active again works');
    $r = $t->patch($path, json => { name => 'Reader' });
    is($r->json->{expires_at}, '2100-01-01T00:00:00.000Z',
       'a change keeps the end that it leaves out');
    $r = $t->patch($path, json => { expires_at => undef });
    ok(!exists $r->json->{expires_at},
       'a change of the end to null takes it away');
    status_is($t->patch($path, json => {}), 200,
              'a change of nothing is taken');

    error_is($t->patch($path, json => { status => 'expired' }), 400,
             qr/^status: expected one of/, 'a wrong status is refused');
    error_is($t->patch($path), 415, undef, 'a change needs a body');

    # A key that expires does so by itself.

    $t->alter("update api_keys set expires_at = " . int((time() - 1) * 1000)
              . " where id = '$k->{api_key_id}'");
    answers($k->{api_key}, 401, qr/has expired$/,
            'an expired key does not work');
    $r = $t->patch($path, json => { expires_at => at(3600) });
    is($r->json->{status}, 'active',
       'a key that has expired can be made to last longer');

    # A weaker key does not wake up a stronger one, nor make it last.

    my ($strong, $strong_id) = $t->new_key(permissions => 'content:read');
    $t->patch("/api-keys/$strong_id", json => { status => 'suspended' });
    error_is($t->patch("/api-keys/$strong_id", key => $maker, json => $_), 403,
             qr/can't grant it$/,
             'a weaker key does not change a stronger one')
        for { status => 'active' }, { expires_at => undef },
            { permissions => [ 'judges:read', 'content:read' ] };
    status_is($t->patch("/api-keys/$strong_id", key => $maker,
                        json => { name => 'Sleeper' }), 200,
                        'a weaker key changes the name of a stronger one');
};

subtest 'the last key with all permissions stays' => sub {
    my $only = Judge::Test->new;
    my $last = '/api-keys/' . $only->org->{key_id};

    for ([ { status => 'suspended' }, 'suspended' ],
         [ { permissions => [ 'judges:read' ] }, 'weakened' ])
    {
        my ($fields, $name) = @$_;
        error_is($only->patch($last, json => $fields), 409,
                 qr/last active key/, "the last key is not $name");
    }
    error_is($only->delete($last), 409, qr/last active key/,
             'the last key is not removed');
    status_is($only->get('/judges'), 200,
              'the last key still works after refused changes');

    my ($weak) = $only->new_key(permissions => 'keys:write');
    error_is($only->delete($last), 409, undef,
             'the last key is not removed beside one with less permissions');
    my ($second, $second_id) = $only->new_key;
    status_is($only->delete($last, key => $second), 204,
              'the last key is removed beside another one with all');
    error_is($only->delete("/api-keys/$second_id", key => $second), 409, undef,
             'the key that remains cannot be removed');
};

subtest 'a key is removed' => sub {
    $r = $t->delete($path);
    status_is($r, 204, 'a key is removed');
    is($r->body, '', 'the answer to a removal has no body');
    error_is($t->delete($path), 404, qr/no such API key/,
             'a key that was removed is not found');
    error_is($t->patch($path, json => {}), 404, undef,
             'a key that was removed cannot be changed');
    answers($k->{api_key}, 401, undef, 'a key that was removed does not work');
};

subtest 'keys are listed' => sub {
    @ids = ($t->org(1)->{key_id},
               map { ($t->new_key(org => 1, name => "K$_"))[1] } 1 .. 4);
    my @newest = reverse sort @ids;

    lists_like($t, '/api-keys', 'api_keys', \@newest,
               'keys are listed, the newest first', org => 1);
    lists_like($t, '/v1/api-keys?limit=2', 'api_keys', \@newest,
               'keys are listed by pages of two', org => 1);

    $t->patch("/api-keys/$ids[1]", org => 1,
              json => { status => 'suspended' });
    $t->alter("update api_keys set expires_at = 1000 where id = '$ids[2]'");

    lists_like($t, '/api-keys?status=active', 'api_keys',
               [ grep { $_ ne $ids[1] && $_ ne $ids[2] } @newest ],
               'keys that are active are listed', org => 1);
    lists_like($t, '/api-keys?status=suspended', 'api_keys', [ $ids[1] ],
               'keys that are suspended are listed', org => 1);
    lists_like($t, '/api-keys?status=expired', 'api_keys', [ $ids[2] ],
               'keys that have expired are listed', org => 1);

    my %listed = map { $_->{api_key_id} => $_ }
                 map { @$_ } $t->pages('/api-keys', 'api_keys', org => 1);
    is($listed{ $ids[2] }{status}, 'expired',
       'an expired key is listed as expired');
    is(scalar(grep { exists $_->{api_key} || exists $_->{hash} }
              values %listed), 0, 'no key is shown in a list');
    error_is($t->get('/api-keys?status=gone'), 400, qr/^status: /,
             'an unknown status is refused in a list');
};

subtest 'keys of another organization are not found' => sub {
    for my $x ($ids[3], $none, 'x') {
        error_is($t->patch("/api-keys/$x", json => { name => 'Mine' }), 404,
                 qr/no such API key/,
                 "PATCH finds no key $x of another organization");
        error_is($t->delete("/api-keys/$x"), 404, qr/no such API key/,
                 "DELETE finds no key $x of another organization");
    }
    is($t->sql1("select name from api_keys where id = '$ids[3]'"), 'K3',
       'a key of another organization is as it was');
};

subtest 'the use of a key is counted' => sub {
    my ($used, $used_id) = $t->new_key(org => 1);
    $t->get('/judges', key => $used) for 1 .. 7;
    my $judge   = $t->new_judge(key => $used);
    my $content = $t->new_content('A text. It is.', key => $used);
    $t->new_evaluation($judge, $content, key => $used) for 1 .. 3;

    my $stats;
    $t->wait_until(sub {
        ($stats) = map { $_->{usage_stats} }
                   grep { $_->{api_key_id} eq $used_id }
                   @{ $t->get('/api-keys', org => 1)->json->{api_keys} };
        return $stats->{evaluations_this_month} == 3
               && $stats->{requests_this_month} >= 12;
    }, 'the usage');
    is($stats->{requests_this_month}, 12, 'requests are counted');
    is($stats->{evaluations_this_month}, 3,
       'evaluations are counted for their key');
    time_is($stats->{last_used}, 'a key says when it was last used');
};

subtest 'a change counts for every worker at once' => sub {
    # Each worker remembers the key; the answer to the change is the moment
    # from which on none goes by it.  What waits with the key ends within a
    # second.

    my $idle = Judge::Test->new(workers => 4, store => 'evaluate=off');
    my @workers = map { $idle->connect } 1 .. 24;

    # An end that is still to come when the request does, and is then past.

    my $expires = sub {
        my ($path) = @_;

        for (my $n = 2; ; $n *= 2) {
            my $r = $idle->patch($path, json => { expires_at => at($n) });
            next if $r->status == 400;
            sleep $n;
            return $r;
        }
    };

    my $everywhere = sub {
        my ($key) = @_;

        $_->send($idle->bytes(GET => '/evaluations', key => $key,
                              keepalive => 1)) for @workers;

        return join ' ', sort keys %{ { map { $_->response->status => 1 }
                                        @workers } };
    };

    my $waiting = $idle->new_judge;
    my $text    = $idle->new_content('A text. It is.');
    my $batch   = $idle->made('/batches/evaluate', 'batch_id', json => {
        name => 'Waits', judge_ids => [$waiting],
        content_items => [ { content_id => $text } ] });
    my $by_external = { judge_id => $waiting, content_id => $text };

    for my $change (
        [ 'a suspended key', 401,
          sub { $idle->patch($_[0], json => { status => 'suspended' }) } ],
        [ 'a key with other permissions', 403,
          sub { $idle->patch($_[0],
                             json => { permissions => [ 'keys:read' ] }) } ],
        [ 'a deleted key', 401, sub { $idle->delete($_[0]) } ],
        [ 'a key that has expired', 401, $expires ])
    {
        my ($name, $status, $how) = @$change;
        my ($key, $id) = $idle->new_key(permissions => join ',', qw(
            judges:read content:read evaluations:read evaluations:write
            work:claim));

        my $events = $idle->connect;
        $events->send($idle->bytes(GET => "/batches/$batch/events",
                                   key => $key));
        ok($events->read_until(qr/event: progress.*?\n\n/s),
           "$name: a stream has begun with it");

        my @polls = map { $idle->connect } 1 .. 2;
        $polls[0]->send($idle->bytes(POST => '/evaluations/single',
            key => $key, headers => [ Prefer => 'wait=30' ],
            json => $by_external));
        $polls[1]->send($idle->bytes(POST => '/work/claim', key => $key,
            json => { kinds => ['video'], sources => ['file'], wait => 20 }));

        is($everywhere->($key), 200,
           "$name: every worker takes it before the change");
        ok($idle->wait_for(60 * $idle->slow, sub {
            $idle->sql1('select count(*) from evaluations') > 1
        }), "$name: a request with it waits");

        like($how->("/api-keys/$id")->status, qr/^20[04]$/,
             "$name: the change is made");
        is($everywhere->($key), $status,
           "$name: every worker refuses it at once");

        ok($events->closed(20 * $idle->slow), "$name: its stream ends");
        is(join(' ', map { $_->response->status } @polls),
           "$status $status", "$name: what waited is refused");
        $idle->alter('delete from evaluations where batch_id is null');
    }

    $_->close for @workers;
};

subtest 'the use of many keys is stored' => sub {
    my $busy = Judge::Test->new(workers => 1);
    my (@many, $unseen);

    for my $hundred (1 .. 16) {
        push @many, map { $_->json->{api_key} } $busy->pipeline(map {
            [ POST => '/api-keys', json => { name => "Key $_",
                                             permissions => ['judges:read'] } ]
        } 1 .. 100);
    }
    for my $from (map { $_ * 100 } 0 .. 15) {
        $unseen += grep { $_->status != 200 } $busy->pipeline(map {
            [ GET => '/judges', key => $many[$_] ]
        } $from .. $from + 99);
    }
    is($unseen, 0, '1600 keys are used');

    $busy->quit;
    is($busy->sql1('select count(*) from api_keys where requests = 1'), 1600,
       'the use of keys is stored when the workers end');
};

# --- Permissions ----------------------------------------------------------

permission_is($t, 'keys:read', GET => '/api-keys');
permission_is($t, 'keys:write', PATCH => "/api-keys/$none", json => {});
permission_is($t, 'keys:write', DELETE => "/api-keys/$none");
error_is($t->post('/api-keys', key => $t->{limited}{'!keys:write'},
                  json => { name => 'x', permissions => [ 'judges:read' ] }),
         403, qr/permission keys:write$/, 'POST /api-keys needs keys:write');

done_testing;
