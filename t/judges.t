# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Judges: made, read, changed by versions, listed, deleted.

use Judge::Test;

my $t = Judge::Test->new(orgs => 2);
my $none = 'jdg_' . '0' x 26;
my ($id, $content);                    # of a judge and of a text
my @mine;                              # judges of the other organization
my ($r, $j);

my @criteria = (
    { name => 'Grammar', description => 'Grammar and spelling.' },
    { name => 'Structure', description => 'Order and links.' },
);

sub judge_with {
    return {
        name => 'Essays', description => 'How well it is written.',
        content_type => 'text', criteria => \@criteria, @_,
    };
}

sub many { map { { name => "C$_", description => 'x' } } 1 .. $_[0] }
sub criterion { { criteria => [ { %{ $criteria[0] }, @_ } ] } }

subtest 'a judge is made and read' => sub {
    for my $path (qw(/api-key/judges /judges /v1/judges /v1/api-key/judges)) {
        $r = $t->post($path, json => judge_with(name => "At $path"));
        status_is($r, 201, "POST $path makes a judge");
        my $id = $r->json->{judge_id};
        is($r->json->{name}, "At $path", "POST $path answers with the name");
        is($r->json->{status}, 'ready', "POST $path answers with the status");
        is($r->header('ETag'), '"1"',
           "POST $path has the version as its ETag");
        like($r->header('Content-Type'), qr{^application/json},
             "POST $path answers in JSON");

        $r = $t->get("$path/$id");
        status_is($r, 200, "GET $path/{judge_id} finds the judge");
        is($r->json->{name}, "At $path",
           "GET $path/{judge_id} reads its name");
    }

    $id = $t->new_judge(%{ judge_with() });
    $j  = $t->get("/api-key/judges/$id")->json;

    like($id, qr/^jdg_[0-9A-HJKMNP-TV-Z]{26}$/,
         'an identifier has a prefix and 26 digits and letters');
    is($j->{judge_id}, $id,
       'a judge has the identifier that it was made with');
    is($j->{name}, 'Essays', 'a judge has the name that it was made with');
    is($j->{description}, 'How well it is written.',
       'a judge has the description that it was made with');
    is($j->{content_type}, 'text',
       'a judge has the type that it was made with');
    is($j->{status}, 'ready', 'a judge without references is ready at once');
    is($j->{version_number}, 1, 'a new judge has version 1');
    time_is($j->{created_at}, 'a judge has the time when it was made');
    is(scalar @{ $j->{criteria} }, 2,
       'a judge has both criteria that it was made with');
    like($j->{criteria}[0]{criterion_id}, qr/^crt_[0-9A-Z]{26}$/,
         'a criterion is given an identifier');
    is($j->{criteria}[0]{name}, 'Grammar',
       'a criterion has the name that it was made with');
    is($j->{criteria}[1]{description}, 'Order and links.',
       'a criterion has the description that it was made with');
    is($j->{criteria}[0]{weight}, 1,
       'a criterion weighs 1 unless told otherwise');
    ok(!exists $j->{criteria}[0]{$_},
       "a criterion has no $_ unless they are given")
        for qw(thresholds examples);
    ok(!exists $j->{reference_content_uri},
       'a judge has no references unless they are given');

    for my $type (qw(video audio image)) {
        my $other = $t->new_judge(content_type => $type);
        is($t->get("/judges/$other")->json->{content_type}, $type,
           "a judge of $type has that type");
    }

    my $full = $t->new_judge(criteria => [ {
        name => "Gr\x{fc}\x{df}e \x{1f600}", description => "\x{4e2d}" x 5000,
        weight => 2.5, examples => [ 'One.', 'Two.' ],
        thresholds => { excellent => 90, good => 75.5, fair => 50, poor => 0 },
    } ]);
    my $c = $t->get("/judges/$full")->json->{criteria}[0];
    is($c->{name}, "Gr\x{fc}\x{df}e \x{1f600}", 'names are Unicode');
    is(length $c->{description}, 5000, 'lengths are counted in characters');
    is($c->{weight}, 2.5, 'a criterion has the weight that it was given');
    is_deeply($c->{thresholds},
              { excellent => 90, good => 75.5, fair => 50, poor => 0 },
              'a criterion has the thresholds that it was given');
    is_deeply($c->{examples}, [ 'One.', 'Two.' ],
              'a criterion has the examples that it was given');

    $r = $t->post('/judges', json => judge_with(
        criteria => [ { %{ $criteria[0] }, criterion_id => 'crt_mine' } ]));
    isnt($r->json->{criteria}[0]{criterion_id}, 'crt_mine',
         'a new judge gives its criteria identifiers of its own');

    status_is($t->post('/judges', json => judge_with(colour => 'green')), 201,
              'unknown fields are ignored');
};

# Of each kind one: t/api/t_judges.c has them all.

subtest 'fields have bounds' => sub {
    status_is($t->post('/judges', json => judge_with(
                  name => "\x{e4}" x 200, criteria => [ many(64) ])), 201,
              'a name of 200 characters and 64 criteria are taken');

    my @wrong = (
        [ { name => undef }, qr/^name: required/ ],
        [ { description => 'x' x 5001 }, qr/^description: .*at most 5000/ ],
        [ { content_type => 'smell' },
          qr/^content_type: expected one of text, video, audio, image$/ ],
        [ { criteria => [ many(65) ] },
          qr/^criteria: expected an array of 1 to 64 items$/ ],
        [ { criteria => [ many(2), many(1) ] },
          qr/^criteria\[2\]\.name: expected a name that no other/ ],
        [ criterion(weight => 0),
          qr/^criteria\[0\]\.weight: .*greater than 0/ ],
        [ criterion(thresholds => { excellent => 50, good => 60, fair => 40,
                                    poor => 20 }),
          qr/^criteria\[0\]\.thresholds: .*falling/ ],
        [ { reference_content_uri => 'judge://org_0/references/ref_0.txt' },
          qr/^reference_content_uri\[0\]: expected a URI that POST/ ],
    );

    my $before = $t->sql1('select count(*) from judges');

    for (@wrong) {
        my ($fields, $says) = @$_;
        error_is($t->post('/judges', json => judge_with(%$fields)), 400, $says,
                 "a judge that is out of bounds is refused: $says");
    }

    is($t->sql1('select count(*) from judges'), $before,
       'nothing is stored of a judge that is refused');
};

subtest 'a judge has references' => sub {
    my ($one, $two, $theirs_uri) = map {
        $t->post('/v1/judges/reference_content', org => $_,
                 json => { file_extension => 'txt' })
          ->json->{reference_content_uri}
    } 0, 0, 1;

    my $learning = $t->new_judge(reference_content_uri => $one);
    $j = $t->get("/judges/$learning")->json;
    is($j->{status}, 'learning', 'a judge with references begins by learning');
    is_deeply($j->{reference_content_uri}, [ $one ],
              'one reference is an array of one');

    my $several = $t->new_judge(reference_content_uri => [ $one, $two ]);
    is(scalar @{ $t->get("/judges/$several")->json->{reference_content_uri} },
       2, 'a judge can have several references');

    error_is($t->post('/judges', json => judge_with(
                 reference_content_uri => $theirs_uri)), 400,
             qr/^reference_content_uri/,
             'a reference of another organization is refused');
};

subtest 'conditions hold or do not' => sub {
    $r = $t->get("/judges/$id");
    is($r->header('ETag'), '"1"', 'the ETag is the version');

    $r = $t->get("/judges/$id", headers => [ 'If-None-Match' => '"1"' ]);
    status_is($r, 304, 'a version that is known is not sent again');
    is($r->body, '', 'a judge that has not changed is not sent');
    is($r->header('ETag'), '"1"', 'the answer without a body has the ETag');

    status_is($t->get("/judges/$id", headers => [ 'If-None-Match' => '"2"' ]),
              200, 'another version is sent');

    error_is($t->put("/judges/$id", json => { name => 'No' },
                     headers => [ 'If-Match' => '"2"' ]),
             412, qr/^If-Match: /, 'another version is not changed');

    is($t->get("/judges/$id")->json->{version_number}, 1,
       'a condition that does not hold changes nothing');
};

subtest 'a judge is changed' => sub {
    for my $same ({}, { name => 'Essays' }, { criteria => \@criteria },
                  { description => 'How well it is written.', x => 1 })
    {
        $r = $t->put("/judges/$id", json => $same);
        status_is($r, 200, 'an update that changes nothing is taken');
        like($r->json->{message}, qr/no changes/,
             'an update that changes nothing is told as one');
        is($r->json->{version_number}, 1,
           'an update that changes nothing makes no version');
        is($r->json->{updated_at}, $t->get("/judges/$id")->json->{created_at},
           'an update that changes nothing keeps the time of the last change');
    }

    status_is($t->put("/judges/$id"), 200, 'no body is an empty update');

    $r = $t->put("/judges/$id", json => { name => 'Long essays' },
                 headers => [ 'If-Match' => '"1"' ]);
    status_is($r, 200, 'a judge is given a new name');
    is($r->json->{id}, $id, 'the answer has the id as id');
    time_is($r->json->{updated_at}, 'the answer says when it was changed');
    like($r->json->{message}, qr/version 2/,
         'the answer says which version was made');
    is($r->header('ETag'), '"2"',
       'the answer has the ETag of the new version');

    my $old = $j = $t->get("/judges/$id?version=1")->json;
    is($j->{name}, 'Essays', 'the former version is there');
    is($j->{version_number}, 1, 'the former version has its number');
    is($t->get("/api-key/judges/$id?version=1")->json->{name}, 'Essays',
       'the former version is found under /api-key, too');
    is($t->get("/judges/$id")->json->{name}, 'Long essays',
       'a judge is read in its active version unless a number is given');

    error_is($t->put("/judges/$id", json => { name => 'Late' },
                     headers => [ 'If-Match' => '"1"' ]),
             412, undef, "who has seen version 1 only can't change version 2");

    # Criteria keep their identity by id, else by name.

    my ($grammar, $structure) = map { $_->{criterion_id} }
                                @{ $old->{criteria} };

    $r = $t->put("/v1/judges/$id", json => { criteria => [
        { criterion_id => $structure, name => 'Order',
          description => 'Links.' },
        { name => 'Grammar', description => 'Grammar and spelling.',
          weight => 3 },
        { name => 'Spelling', description => 'How it sounds.' },
    ] });
    status_is($r, 200, 'a judge is given new criteria');

    $j = $t->get("/judges/$id")->json;
    is($j->{criteria}[0]{criterion_id}, $structure,
       'a criterion that is sent with its id keeps it');
    is($j->{criteria}[1]{criterion_id}, $grammar,
       'a criterion that is sent with its name keeps its id');
    isnt($j->{criteria}[2]{criterion_id}, $_, 'a new criterion has a new id')
        for $grammar, $structure;
    is($j->{name}, 'Long essays',
       'an update keeps the name that it leaves out');

    error_is($t->put("/judges/$id", json => { criteria => [
                 { %{ $criteria[0] }, criterion_id => 'crt_x' } ] }),
             400, qr/^criteria\[0\]\.criterion_id: the judge has no such/,
             'an unknown criterion is refused');
    error_is($t->put("/judges/$id", json => { content_type => 'text',
                                              criteria => [] }),
             400, qr/^criteria: expected/,
             'a change to no criteria at all is refused');

    my $kept = $t->get("/judges/$id")->json;
    status_is($t->put("/judges/$id", json => { criteria => undef,
                                               name => undef }), 200,
              'an update with null is taken');
    is_deeply($t->get("/judges/$id")->json, $kept,
              'null is taken as what is left out');
};

subtest 'versions are listed, read and made active' => sub {
    $r = $t->get("/judges/$id/versions");
    status_is($r, 200, 'the versions of a judge are listed');
    is($r->json->{current_version}, 3,
       'the list of versions names the current one');
    my @v = @{ $r->json->{versions} };
    is(join(' ', map { $_->{version_number} } @v), '3 2 1',
       'the newest version comes first');
    is(join(' ', map { $_->{is_active} ? 1 : 0 } @v), '1 0 0',
       'one version is active');
    is(join(' ', map { $_->{criteria_count} } @v), '3 2 2',
       'each version tells how many criteria it has');
    time_is($_->{created_at},
            "version $_->{version_number} says when it was made") for @v;
    like($v[1]{changes_summary}, qr/renamed from "Essays" to "Long essays"/,
         'a version tells that the judge was renamed');
    like($v[0]{changes_summary}, $_, "a version tells what was changed: $_")
        for qr/added criterion "Spelling"/,
            qr/weight of "Grammar" from 1 to 3/,
            qr/renamed a criterion from "Structure" to "Order"/, qr/order/;

    $r = $t->post("/judges/$id/versions/1/activate");
    status_is($r, 200, 'an old version is made active again');
    is($r->header('ETag'), '"1"',
       'the answer has the ETag of the version that is active');
    $j = $t->get("/judges/$id")->json;
    is($j->{version_number}, 1, 'the version that was made active is read');
    is($j->{name}, 'Essays', 'the version that was made active is as it was');
    like($t->post("/judges/$id/versions/1/activate")->json->{message},
         qr/already/,
         'a version that is active already is made active with a word of it');

    $r = $t->put("/judges/$id", json => { description => 'Anew.' });
    is($r->json->{version_number}, 4,
       'a change after that makes a new number');
    is($t->get("/judges/$id/versions")->json->{current_version}, 4,
       'the version that was made by a change is active');
    is($t->get("/judges/$id")->json->{name}, 'Essays',
       'a change starts from the version that was active');
    is($t->get("/judges/$id/versions")->json->{versions}[0]{changes_summary},
       'changed the description',
       'changes are told against the version that was active');

    error_is($t->post("/judges/$id/versions/5/activate"), 404, qr/version/,
             'a version that does not exist cannot be made active');
    error_is($t->get("/judges/$id?version=9"), 404, qr/version/,
             'a version that does not exist cannot be read');
    error_is($t->get("/judges/$id?version=x"), 400, qr/^version: /,
             'a version that is no number is refused');
};

subtest 'an evaluation is bound to its version' => sub {
    my %essays = $t->essays;
    $content = $t->new_content($essays{'night-buses'});
    my $bound   = $t->evaluated($t->new_evaluation($id, $content));
    is($bound->{provenance}{judge_version}, 4,
       'an evaluation names the version of its judge');
    $t->put("/judges/$id", json => { criteria => [ $criteria[1] ] });
    my $next = $t->evaluated($t->new_evaluation($id, $content));
    is(scalar @{ $next->{criteria_scores} }, 1,
       'the next evaluation has the criteria of the new version');
    is(scalar @{ $t->get("/evaluations/$bound->{evaluation_id}")
                 ->json->{criteria_scores} }, 2,
       'the former evaluation keeps the criteria of its version');
};

subtest 'one of two changes at once wins' => sub {
    SKIP: {
        my $judge = $t->new_judge(%{ judge_with() });
        my @clients = map { $t->connect } 1 .. 8;

        for my $n (0 .. $#clients) {
            $clients[$n]->send($t->bytes(PUT => "/judges/$judge",
                json => { name => "By $n" },
                headers => [ 'If-Match' => '"1"' ]));
        }

        my @status = sort map { $_->response->status } @clients;
        is("@status", '200' . ' 412' x 7,
           'of eight who saw version 1 one wins');
        is($t->get("/judges/$judge/versions")->json->{current_version}, 2,
           'eight changes of version 1 at once make one version');
    }
};

subtest 'judges are listed' => sub {
    @mine = map { $t->new_judge(org => 1, name => "J$_",
                         content_type => $_ % 2 ? 'text' : 'audio') } 1 .. 7;
    my @newest = reverse sort @mine;

    lists_like($t, '/judges', 'judges', \@newest,
               'judges are listed, the newest first', org => 1);
    lists_like($t, '/v1/judges', 'judges', \@newest,
               'judges are listed under /v1, too', org => 1);
    lists_like($t, '/judges?limit=3', 'judges', \@newest,
               'judges are listed by pages of three', org => 1);
    lists_like($t, '/judges?limit=7', 'judges', \@newest,
               'judges are listed on one full page', org => 1);

    my @pages = $t->pages('/judges?limit=3', 'judges', org => 1);
    is(join(' ', map { scalar @$_ } @pages), '3 3 1',
       'no page is longer than its limit');

    lists_like($t, '/judges?content_type=text', 'judges',
               [ reverse sort @mine[0, 2, 4, 6] ],
               'judges are listed by content_type', org => 1);
    lists_like($t, '/judges?content_type=text&limit=1', 'judges',
               [ reverse sort @mine[0, 2, 4, 6] ],
               'judges of one type are listed by pages of one', org => 1);
    lists_like($t, '/judges?status=ready', 'judges', \@newest,
               'judges are listed by status', org => 1);
    lists_like($t, '/judges?status=learning', 'judges', [],
               'no judge is listed of a status that none has', org => 1);

    my $first = $t->get('/judges', org => 1)->json->{judges}[0];
    is_deeply($first, $t->get("/judges/$first->{judge_id}", org => 1)->json,
              'an entry of the list is the record');

    # What is added while somebody reads pages does not move them.

    my %seen;
    @pages = $t->pages('/judges?limit=2', 'judges', org => 1, each => sub {
        $t->new_judge(org => 1);
    });
    $seen{ $_->{judge_id} }++ for map { @$_ } @pages;
    is(join(' ', sort keys %seen), join(' ', sort @mine),
       'a list that is read meanwhile has what was there');
    is(scalar(grep { $_ > 1 } values %seen), 0,
       'a list that is read meanwhile has each judge once');

    error_is($t->get("/judges?limit=201"), 400, qr/^limit: .*from 1 to 200/,
             'a limit of more than 200 is refused');
    error_is($t->get("/judges?cursor=$mine[0]"), 400, qr/^cursor: /,
             'a cursor that no page has given is refused');
    error_is($t->get('/judges?status=happy'), 400,
             qr/^status: expected one of ready, learning, training$/,
             'an unknown status is refused in a list');
};

subtest 'judges of another organization are not found' => sub {
    my $theirs = $mine[0];

    for my $x ($theirs, $none, 'jdg_x', 'x', "$theirs%20", "../$theirs") {
        my @same;

        for my $try ([ GET => "/judges/$x" ], [ GET => "/api-key/judges/$x" ],
                     [ GET => "/judges/$x/versions" ],
                     [ PUT => "/judges/$x", json => {} ],
                     [ POST => "/judges/$x/versions/1/activate" ],
                     [ DELETE => "/judges/$x" ])
        {
            my ($method, $path, %opt) = @$try;
            error_is($t->request($method, $path, %opt),
                     404, undef,
                     "$method $path does not find the judge");
        }
    }

    is($t->get("/judges/$theirs")->detail, $t->get("/judges/$none")->detail,
       "another organization's judge and none are not told apart");
    is($t->get("/judges/$theirs", org => 1)->json->{name}, 'J1',
       'a judge lives on though another organization asked for it');
};

subtest 'a judge is deleted' => sub {
    my $doomed = $t->new_judge;
    my $scored = $t->evaluated($t->new_evaluation($doomed, $content));

    error_is($t->delete("/judges/$doomed", headers => [ 'If-Match' => '"7"' ]),
             412, 'If-Match: the judge has another version by now',
             'a judge of another version than that of If-Match stays');
    $r = $t->delete("/judges/$doomed");
    status_is($r, 204, 'a judge is deleted');
    is($r->body, '', 'the answer to a deletion has no body');
    error_is($t->delete("/judges/$doomed"), 404, undef,
             'a deleted judge is not deleted again');
    error_is($t->get("/judges/$doomed"), 404, undef,
             'a deleted judge cannot be read');
    error_is($t->get("/judges/$doomed/versions"), 404, undef,
             'the versions of a deleted judge cannot be read');
    error_is($t->put("/judges/$doomed", json => { name => 'x' }), 404, undef,
             'a deleted judge cannot be changed');
    error_is($t->post('/evaluations/single',
                      json => { judge_id => $doomed, content_id => $content }),
             404, qr/^judge_id: /, 'a deleted judge cannot evaluate');
    is_deeply($t->get("/evaluations/$scored->{evaluation_id}")->json, $scored,
              'evaluations of a deleted judge stay readable');
    is(scalar(grep { $_->{judge_id} eq $doomed }
              map { @$_ } $t->pages('/judges', 'judges')), 0,
              'a deleted judge is not listed');

    # An evaluation that is under way holds its judge: here nobody works.

    my $idle = Judge::Test->new(store => 'evaluate=off');
    my $held = $idle->new_judge;
    $idle->new_evaluation($held, $idle->new_content('Waits.'));
    error_is($idle->delete("/judges/$held"), 409, qr/under way/,
             'a judge at work is not deleted');
    status_is($idle->get("/judges/$held"), 200,
              'a judge at work can still be read');
};

# --- Permissions ----------------------------------------------------------

permission_is($t, 'judges:read', GET => '/judges');
permission_is($t, 'judges:read', GET => "/judges/$id");
permission_is($t, 'judges:read', GET => "/api-key/judges/$id");
permission_is($t, 'judges:read', GET => "/judges/$id/versions");
permission_is($t, 'judges:write', POST => '/judges', json => judge_with());
permission_is($t, 'judges:write', POST => '/api-key/judges',
              json => judge_with());
permission_is($t, 'judges:write', PUT => "/judges/$id", json => {});
permission_is($t, 'judges:write', POST => "/judges/$id/versions/1/activate");
permission_is($t, 'judges:write', DELETE => "/judges/$none");

done_testing;
