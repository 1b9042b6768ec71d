# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The people of an organization: how they are registered, what their roles
# permit, how nginx says who is logged in, and whose feedback it is.

use Judge::Docs;
use Judge::Test;

# An identity provider, which knows people by their cookies.

my $idp = <<'END';
    location = /session {
        internal;
        proxy_pass http://127.0.0.1:@PORT@/idp;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
    }
    location = /idp { add_header X-Login $who; return 204; }
    location /in/ {
        auth_request /session;
        auth_request_set $login $upstream_http_x_login;
        judge on;
        judge_login $login organization=$of;
        location /in/off/ { judge on; judge_login off; }
    }
    location /sole/ {
        auth_request /session;
        auth_request_set $login $upstream_http_x_login;
        judge on;
        judge_login $login;
    }
END

my $http = <<'END';
    map $cookie_session $who {
        s-ann ann; s-bo bo; s-vi vi; s-cy cy; s-eve eve; s-bad "@BAD@";
        s-long "@LONG@";
        default "";
    }
    map $cookie_of $of { default $cookie_of; }
END
$http =~ s/\@BAD\@/\xff/;
$http =~ s/\@LONG\@/'x' x 321/e;

my $t = Judge::Test->new(orgs => 2, workers => 3, http => $http,
                         server => $idp);
my $org = $t->org->{id};
my ($ann, $bo, $cy, $vi, $path);       # people, and where Ann is
my ($clerk, $spare, $spare_id, $only); # keys, and another service
my $r;

sub registered {
    my ($name, $role, %fields) = @_;
    my %opt = (org => delete $fields{org} // 0);
    my $r = $t->post('/people', %opt, json => { name => $name, role => $role,
        address => lc($name) . '@example.com', %fields });
    status_is($r, 201, "$name is registered");
    return $r->json;
}


# Headers of somebody who is logged in.

sub as {
    my ($session, @more) = @_;
    return (key => undef, headers => [ Cookie => "session=$session; of=$org",
                                       @more ]);
}

subtest 'a person is registered' => sub {
    $r = $t->post('/people', json => { name => 'Ann Example', role => 'owner',
                                       address => 'Ann@Example.com' });
    status_is($r, 201, 'a person is registered');
    $ann = $r->json;
    like($ann->{person_id}, qr/^per_[0-9A-HJKMNP-TV-Z]{26}$/,
         'a person gets an identifier');
    is($ann->{address}, 'ann@example.com',
       'an address is kept in small letters');
    is($ann->{role}, 'owner', 'the record has the role');
    is($r->header('Location') =~ s{.*(?=/people)}{}r,
       "/people/$ann->{person_id}", 'Location says where the record is');
    like($ann->{api_key}, qr/^jdgk_/, 'a key is made for a person');
    time_is($ann->{created_at}, 'a person has the time of the registration');

    my ($key) = grep { $_->{api_key_id} eq $ann->{api_key_id} }
                @{ $t->get('/api-keys')->json->{api_keys} };
    is_deeply([ @$key{qw(name permissions)} ], [ 'Ann Example', ['*'] ],
              'the key is one of the organization, with the permissions of the'
              . ' role');

    $path = "/people/$ann->{person_id}";
    $r = $t->get($path);
    status_is($r, 200, 'the record of a person is read');
    ok(!exists $r->json->{api_key}, 'the record has no key');

    my $me = $t->get('/people/me', key => $ann->{api_key})->json;
    is($me->{person}{person_id}, $ann->{person_id},
       '/people/me tells who makes a request');
    is_deeply($me->{permissions}, ['*'],
              '/people/me tells what a request may do');
    $me = $t->get('/people/me')->json;
    is_deeply([ exists $me->{person}, $me->{api_key_id}, $me->{permissions} ],
              [ '', $t->org->{key_id}, ['*'] ],
              "/people/me tells of a key that is nobody's");
    error_is($t->get('/people/me', key => undef), 401, qr/API key is required/,
             '/people/me without a key is refused');

    # What a client repeats gets the same answer, without the key.

    my @once = (headers => [ 'Idempotency-Key' => 'x' ], json => {
        name => 'Once', role => 'viewer', address => 'once@example.com' });
    my $once = $t->post('/people', @once)->json;
    $r = $t->post('/people', @once);
    is($r->json->{person_id}, $once->{person_id},
       'a request that is repeated registers one person');
    ok(!exists $r->json->{api_key}, 'the key of that person is shown once');
    status_is($t->delete("/people/$once->{person_id}"), 204,
              'a person is removed');

    for ([ { name => '' }, qr/^name: / ],
         [ { role => 'boss' }, qr/^role: .*one of/ ],
         [ { address => 'ann' }, qr/^address: expected an e-mail address/ ],
         [ { address => 'a@b@c' }, qr/^address: / ],
         [ { address => '@example.com' }, qr/^address: / ],
         [ { address => 'a b@example.com' }, qr/^address: / ],
         [ { address => "a\@example\x00" }, qr/^address: / ],
         [ { login => '' }, qr/^login: / ],
         [ { api_key_id => 'key_' . '0' x 26 }, qr/^api_key_id: there is no/ ],
         [ { api_key_id => $t->org(1)->{key_id} },
           qr/^api_key_id: there is no/ ])
    {
        my ($fields, $says) = @$_;
        error_is($t->post('/people', json => { name => 'x', role => 'viewer',
                     address => 'x@example.com', %$fields }), 400, $says,
                 "what $says complains of is refused");
    }
    error_is($t->post('/people', json => { name => 'x', role => 'viewer',
                 address => 'ANN@example.com' }), 409,
             qr/^address: somebody else here has it$/,
             'an address that somebody has is refused');
    error_is($t->post('/people', json => { name => 'x', role => 'viewer',
                 address => 'y@example.com',
                 api_key_id => $ann->{api_key_id} }), 409,
             qr/^api_key_id: it belongs to somebody else$/,
             'a key that somebody has is refused');
    ($spare, $spare_id) = $t->new_key(permissions => 'judges:read,keys:read');
    $cy = registered(Cy => 'editor', login => 'cy',
                     api_key_id => $spare_id);
    ok(!exists $cy->{api_key},
       'no key is made where a login or a key is given');
    error_is($t->patch($path, json => { login => 'cy' }), 409,
             qr/^login: somebody else here has it$/,
             'a login that somebody has is refused');
    registered(Ann => 'owner', org => 1, login => 'cy');
    is_deeply([ map { $_->{name} } @{ $t->get('/people')->json->{people} } ],
              [ 'Cy', 'Ann Example' ],
              'the people of one organization are listed, the newest first');
    is_deeply([ map { $_->{name} } @{ $t->get('/people?role=owner&limit=1')
                                        ->json->{people} } ],
              [ 'Ann Example' ], 'the people of one role are listed');

    for my $none ('per_' . '0' x 26, 'x',
                  $t->get('/people', org => 1)->json->{people}[0]{person_id})
    {
        error_is($t->get("/people/$none"), 404, qr/no such person/,
                 "GET $none finds nobody");
        error_is($t->patch("/people/$none", json => { name => 'x' }), 404,
                 qr/no such person/, "PATCH $none finds nobody");
        error_is($t->delete("/people/$none"), 404, qr/no such person/,
                 "DELETE $none finds nobody");
    }
};

subtest 'a person is changed' => sub {
    error_is($t->patch($path, json => { role => 'editor' }), 409,
             qr/last owner; make somebody else one first/,
             'the last owner stays an owner');
    error_is($t->delete($path), 409, qr/last owner/,
             'the last owner is not removed');
    $bo = registered(Bo => 'owner');
    $r = $t->patch($path, json => { role => 'viewer', name => 'Ann Other' });
    status_is($r, 200, 'one of two owners becomes a viewer');
    is_deeply([ @{ $r->json }{qw(name role address)} ],
              [ 'Ann Other', 'viewer', 'ann@example.com' ],
              'a change keeps what it leaves out');
    is_deeply($t->get("/api-keys/$ann->{api_key_id}")->json->{permissions},
              [ qw(judges:read content:read evaluations:read feedback:read
                   training:read) ], 'the key follows the role');
    error_is($t->post('/judges', key => $ann->{api_key}, json => {}), 403,
             qr/^the role viewer lacks the permission judges:write$/,
             'a viewer does not write');
    $t->patch("/api-keys/$ann->{api_key_id}", json => {
        permissions => [ 'judges:read', 'judges:write' ] });
    error_is($t->post('/judges', key => $ann->{api_key}, json => {}), 403,
             qr/^the role viewer lacks/,
             'a viewer does not write, whatever the key permits');
    $t->patch($path, json => { role => 'editor' });
    status_is($t->post('/judges', key => $ann->{api_key}, json => {}), 400,
              'an editor writes');
    error_is($t->get('/content', key => $ann->{api_key}), 403,
             qr/^the API key lacks the permission content:read$/,
             'an editor may do no more than the key permits');

    # Nobody gives what they do not have.

    ($clerk) = $t->new_key(permissions => 'people:read,people:write');
    error_is($t->post('/people', key => $clerk, json => { name => 'x',
                 address => 'x@example.com', role => 'viewer' }), 403,
             qr/lacks the permission judges:read and can't grant it/,
             'a key that may not read makes no reader');
    error_is($t->patch("/people/$bo->{person_id}", key => $clerk, json => $_),
             403,
             qr/can't grant it/,
             'a key that may not read sets no login or key of an owner')
        for { login => 'eve' }, { api_key_id => $spare_id };
    status_is($t->patch("/people/$bo->{person_id}", key => $clerk,
                        json => { name => 'Bo B.' }), 200,
              'a key that may only write people changes a name');

    $only = Judge::Test->new(workers => 1);
    my $sole = $only->post('/people', json => { name => 'x', role => 'owner',
        address => 'x@example.com',
        api_key_id => $only->org->{key_id} })->json;
    $only->post('/people', json => { name => 'y', role => 'owner',
        login => 'y', address => 'y@example.com' });
    error_is($only->delete("/people/$sole->{person_id}"), 409,
             qr/last active API key with the permission \*/,
             'the last key with all permissions stays');
    error_is($only->patch("/people/$sole->{person_id}",
                          json => { role => 'viewer' }), 409,
             qr/last active API key/,
             'the last key with all permissions keeps them');
};

subtest 'a role permits what docs/people.md says' => sub {
    # What docs/people.md says each role may do, each endpoint does.

    my (@roles, %may);
    for (split /\n/, Judge::Nginx::read_file($t->repo . '/docs/people.md')) {
        @roles = map { s/\s//gr } split /\|/, $1 if /^\| Permission \|(.*)\|$/;
        my ($permission, $row) = /^\| `(\S+:\w+)` \|(.*)\|$/ or next;
        @{ $may{$permission} }{@roles} = map { s/\s//gr } split /\|/, $row;
    }
    is_deeply(\@roles, [ qw(owner editor annotator viewer) ],
              'docs/people.md has the four roles');

    my %named = map { $_ => 1 }
                @{ Judge::OpenAPI->document->{components}{schemas}{Permission}
                   {enum} };
    delete $named{'*'};
    is_deeply([ sort keys %may ], [ sort keys %named ],
              'docs/people.md tells the roles of all permissions');

    my %by = map { $_ => registered("Role$_" => $_)->{api_key} } @roles;
    for my $role (@roles) {
        my @wrong;

        for my $op (Judge::OpenAPI->operations) {
            my ($needed) = map { @{ $_->{apiKey} // [] } }
                           @{ $op->{spec}{security} };
            next if !$needed || $role eq 'owner' && $op->{method} ne 'GET';

            my $at = $op->{path} =~ s/\{\w+\}/x/gr;
            my $s = $t->request($op->{method}, $at, key => $by{$role},
                                described => 0, $op->{spec}{requestBody}
                                ? (json => {}) : ());
            my $refused = $s->status == 403
                && $s->detail eq "the role $role lacks the permission $needed";
            push @wrong, "$op->{name}: " . $s->status
                if ($s->status == 403) != ($may{$needed}{$role} eq 'no')
                   || ($s->status == 403) != $refused;
        }
        is_deeply(\@wrong, [],
                  "each endpoint lets $role do what docs/people.md says");
    }
};

subtest 'a login is as good as a key' => sub {
    $vi = registered(Vi => 'annotator', login => 'vi');
    $r = $t->get('/in/people/me', as('s-vi'));
    status_is($r, 200, 'a person who is logged in needs no key');
    is($r->json->{person}{person_id}, $vi->{person_id},
       '/people/me tells who is logged in');
    ok(!exists $r->json->{api_key_id},
       '/people/me tells no key of a person who is logged in');
    is_deeply($r->json->{permissions},
              [ qw(judges:read content:read evaluations:read feedback:read
                   feedback:write) ],
              'a person who is logged in may do what the role permits');
    error_is($t->delete('/in/judges/x', as('s-vi')), 403,
             qr/^the role annotator lacks the permission judges:write$/,
             'a person who is logged in may do no more');
    error_is($t->get('/in/judges', as('s-eve')), 401,
             qr/^nobody here has the login/,
             'a login that nobody has is refused');
    error_is($t->get('/in/judges', as($_)), 401, qr/^an API key is required/,
             "the session $_ is no login") for qw(s-none s-bad s-long);
    error_is($t->get('/in/off/judges', as('s-vi')), 401, qr/^an API key/,
             'a login does not count where judge_login is off');
    error_is($t->get('/judges', as('s-vi')), 401, qr/^an API key/,
             'a login does not count where there is no judge_login');
    error_is($t->get('/sole/judges', as('s-vi')), 401, qr/^nobody here/,
             'a login without an organization is refused where there are two');
    error_is($t->get('/in/judges', key => undef,
                     headers => [ Cookie => 'session=s-vi' ]), 401,
             qr/^nobody here/, 'an empty organization is none for a login');
    error_is($t->get('/in/people/me', key => undef, headers =>
                 [ Cookie => 'session=s-vi; of=' . $t->org(1)->{id} ]), 401,
             qr/^nobody here/,
             'a login does not count in another organization');

    # Whatever header a client sends changes nothing.

    for my $name (qw(X-Login x-login Login X_Login X-Remote-User Remote-User
                     REMOTE_USER X-Forwarded-User X-Auth-Request-User
                     Judge-Login judge_login X-Judge-Login
                     upstream_http_x_login From))
    {
        error_is($t->get('/in/judges', as('s-none', $name => 'vi')), 401,
                 qr/^an API key is required/,
                 "$name is not taken for a login");
        is($t->get('/in/people/me', as('s-vi', $name => 'cy'))
             ->json->{person}{person_id}, $vi->{person_id},
           "$name does not replace the login");
    }
    error_is($t->get('/in/judges', as('s-none',
                                      Authorization => 'Basic dmk6eA==')), 401,
             qr/^an API key/,
             'a password that nobody asked for is not taken for a login');

    # A page of another site makes requests that bear the cookies.

    my $host = $t->url =~ s{^http://}{}r =~ s{/$}{}r;
    error_is($t->get('/in/judges', as('s-vi', Host => $host, @$_)), 401,
             qr/^an API key/, "a login does not count from elsewhere: @$_")
        for [ 'Sec-Fetch-Site' => 'cross-site' ],
            [ 'Sec-Fetch-Site' => 'same-site' ],
            [ 'Sec-Fetch-Site' => 'x', Origin => "http://$host" ],
            [ 'Sec-Fetch-Site' => 'same-origin',
              'Sec-Fetch-Site' => 'cross-site' ],
            [ Origin => 'http://other.example' ], [ Origin => 'null' ],
            [ Origin => "http://$host.other.example" ], [ Origin => '' ];
    status_is($t->get('/in/judges', as('s-vi', Host => $host, @$_)), 200,
              "a login counts from here: @$_")
        for [ 'Sec-Fetch-Site' => 'same-origin' ],
            [ 'Sec-Fetch-Site' => 'none' ],
            [ Origin => "http://$host" ];

    # Nor does it write, by what a form can send.

    registered(Or => 'owner', login => 'bo');
    my $kept = $t->new_judge;
    error_is($t->request(@$_[0, 1], as('s-bo', Host => $host,
                 'Content-Type' => 'text/plain',
                 Origin => 'http://other.example'), body =>
                 '{"name":"Taken","role":"owner","address":"t@e.org"}'),
             401, qr/^an API key/,
             "a login does not write from elsewhere: $_->[0] $_->[1]")
        for [ POST => '/in/people' ], [ DELETE => "/in/judges/$kept" ],
            [ PUT => "/in/judges/$kept" ];
    ok(!grep({ $_->{name} eq 'Taken' }
             @{ $t->get('/people')->json->{people} }),
       'a form from elsewhere makes nobody');
    status_is($t->get("/judges/$kept"), 200,
              'a form from elsewhere deletes nothing');
    status_is($t->delete("/in/judges/$kept", as('s-bo', Host => $host,
                  Origin => "http://$host")), 204,
              'a page from here deletes a judge');

    # With a key, both count.

    my @both = (headers => [ Cookie => "session=s-vi; of=x" ]);
    is($t->get('/in/people/me', @both)->json->{person}{person_id},
       $vi->{person_id}, "a login counts beside a key that is nobody's");
    error_is($t->get('/in/api-keys', @both), 403,
             qr/^the role annotator lacks/, 'the role narrows the key');
    error_is($t->get('/in/judges', @both, key => $clerk), 403,
             qr/^the API key lacks the permission judges:read$/,
             'the key narrows the role');
    error_is($t->get('/in/judges', @both, key => $bo->{api_key}), 403,
             qr/^the API key belongs to somebody else than is logged in$/,
             'a key of somebody else than is logged in is refused');
    error_is($t->get('/in/judges', headers => [ Cookie => 'session=s-eve' ]),
             401,
             qr/^nobody here/,
             'a login that nobody has is refused beside a key, too');
    is($t->get('/in/people/me', key => $spare, headers =>
           [ Cookie => "session=s-cy" ])->json->{person}{person_id},
       $cy->{person_id}, 'a key and a login of the same person count');

    # A store with one organization.

    my $one = Judge::Test->new(http => $http, server => $idp, workers => 1);
    $one->post('/people', json => { name => 'Vi', role => 'viewer',
        login => 'vi', address => 'vi@example.com' });
    status_is($one->get('/sole/judges', key => undef,
                        headers => [ Cookie => 'session=s-vi' ]), 200,
              'a login needs no organization where there is one');
};

subtest 'feedback bears who gave it' => sub {
    my $judge = $t->new_judge;
    my $text  = $t->new_content('The club meets in the old school.');
    my $done  = $t->new_evaluation($judge, $text);
    $t->evaluated($done);

    my $says = sub {
        my ($fields, @as) = @_;
        my $prefix = @as > 2 ? '/in' : '';
        return $t->post("$prefix/feedback/evaluation/$done", @as, json => {
            type => 'comment', content => { comment => 'So it is.' },
            %$fields });
    };

    $r = $says->({}, as('s-vi'));
    status_is($r, 201, 'a person who is logged in gives feedback');
    is_deeply([ @{ $r->json }{qw(submitted_by submitted_by_person)} ],
              [ ($vi->{person_id}) x 2 ],
              'feedback bears the person who is logged in');
    my $entry = $r->json->{feedback_id};
    $r = $says->({}, key => $bo->{api_key});
    is_deeply([ @{ $r->json }{qw(submitted_by submitted_by_person)} ],
              [ $bo->{api_key_id}, $bo->{person_id} ],
              'feedback by a key bears the key and its person');
    is($says->({ submitted_by_person => $bo->{person_id} },
               key => $bo->{api_key})->json->{submitted_by_person},
       $bo->{person_id},
       'a person may name themselves as who gives feedback');
    error_is($says->({ submitted_by_person => $_ }, key => $bo->{api_key}),
             400,
             qr/^submitted_by_person: expected nobody, because it is set to /,
             "a person can't name $_ as who gives feedback")
        for $vi->{person_id}, 'Vi';
    error_is($says->({ submitted_by_person => $vi->{person_id} }), 400,
             qr/^submitted_by_person: /,
             "a key that is nobody's can't name a person by the identifier");
    is($says->({ submitted_by_person => 'Vi' })->json->{submitted_by_person},
       'Vi',
       "a key that is nobody's names people in words of its own");
    my @change = (json => { content => { comment => 'No.' } });
    is($t->patch("/feedback/$entry", key => $bo->{api_key}, @change)
       ->json->{updated_by_person}, $bo->{person_id},
       'a changed entry bears who has changed it');
    error_is($t->patch("/feedback/$entry", key => $bo->{api_key}, json => {
                 content => { comment => 'No.' }, updated_by_person => 'Vi' }),
             400, qr/^updated_by_person: /,
             "a change can't name somebody else as its author");

    my $batch = $t->new_batch($judge, [ { content_id => $text } ]);
    $t->batch_completed($batch);
    my ($item) = map { $_->{evaluation_id} }
                 @{ $t->get("/evaluations/results/$batch")->json->{results} };
    $r = $t->post("/batches/$batch/feedback", key => $bo->{api_key}, json => {
        feedback_entries => [ map { { evaluation_id => $item,
            type => 'comment', content => { comment => 'x' }, %$_ } } {},
            { submitted_by_person => $vi->{person_id} } ] });
    is_deeply([ map { $_->{status} } @{ $r->json->{validation_results} } ],
              [ qw(accepted rejected) ],
              'feedback on a batch is refused where it names somebody else');
    is($t->get("/feedback/evaluation/$item")
         ->json->{feedback_entries}[0]{submitted_by_person}, $bo->{person_id},
       'feedback on a batch bears its person');
};

subtest 'a person is removed in every worker' => sub {
    my @workers = map { $t->connect } 1 .. 24;

    my $everywhere = sub {
        my (@as) = @_;
        $_->send($t->bytes(GET => '/in/judges', @as, keepalive => 1))
            for @workers;
        return join ' ', sort keys %{ { map { $_->response->status => 1 }
                                        @workers } };
    };

    my @bo = (key => $bo->{api_key}, headers => []);
    is($everywhere->(as('s-vi')), 200, 'every worker knows a login');
    is($everywhere->(@bo), 200, 'every worker knows the key of a person');
    $t->patch("/people/$vi->{person_id}", json => { login => 'other' });
    is($everywhere->(as('s-vi')), 401,
       'another login counts for every worker at once');
    $t->patch("/people/$vi->{person_id}", json => { login => 'vi' });
    is($everywhere->(as('s-vi')), 200,
       'the former login counts for every worker again');
    status_is($t->delete("/people/$_->{person_id}"), 204,
              'a person with a key and one with a login are removed')
        for $vi, $bo;
    is($everywhere->(as('s-vi')), 401,
       'every worker refuses the login of a person who is removed');
    is($everywhere->(@bo), 401,
       'every worker refuses the key of a person who is removed');
    is($t->sql1('select count(*) from api_keys'
                . " where id = '$bo->{api_key_id}'"), 0,
       'the key of a person who is removed is gone');
    $_->close for @workers;

    status_is($t->delete("/api-keys/$cy->{api_key_id}"), 204,
              'the key of a person is deleted');
    ok(!exists $t->get("/people/$cy->{person_id}")->json->{api_key_id},
       'a person whose key is deleted has none');
};

subtest 'judge_login is read from nginx.conf' => sub {
    for ([ '$http_x_user', qr/variable that clients set/ ],
         [ '$cookie_user', qr/clients set/ ], [ '$arg_user', qr/clients set/ ],
         [ '$remote_user', qr/clients set/ ],
         [ '$HTTP_user', qr/clients set/ ],
         [ 'ann', qr/has no variable: expected off/ ],
         [ '$nothing_like_it', qr/unknown "nothing_like_it" variable/ ],
         [ '$uid org=x', qr/another argument than "organization="/ ],
         [ '$pid; judge_login $pid', qr/is duplicate/ ])
    {
        my ($value, $says) = @$_;
        my (undef, $out) = $t->check_conf(location => "judge_login $value;",
            http => $http . 'map $pid $uid { default x; }');
        like($out, $says, "judge_login $value is refused");
    }

    my ($shown) = Judge::Docs->blocks('docs/people.md', 'Logging in', 'nginx',
                                      1);
    my ($fine, $says) = $t->check_conf(server => $shown);
    ok($fine,
       'what docs/people.md shows for logging in is a configuration')
        or diag($says);

    my ($first) = Judge::Docs->blocks('docs/people.md', 'People', 'sh', 1);
    like(Judge::Docs->works($only, 'docs/people.md', $first),
         qr/"api_key": ?"jdgk_/,
         'what docs/people.md shows makes the first owner, with a key');

    permission_is($t, 'people:read', GET => '/people');
    permission_is($t, 'people:read', GET => '/people/per_' . '0' x 26);
    permission_is($t, 'people:write', DELETE => '/people/per_' . '0' x 26);
    permission_is($t, 'people:write', PATCH => '/people/per_' . '0' x 26,
                  json => {});
};

done_testing;
