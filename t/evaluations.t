# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Evaluations: asked for, waited for, read, listed, tried again; which one
# goes before which, and how they end.

use utf8;

use Time::HiRes qw(sleep time);

use Judge::Test;

my $t = Judge::Test->new(orgs => 2);
my %essays = $t->essays;
my $r;

my $judge   = $t->new_judge;
my $content = $t->new_content($essays{'repair-cafe'});

sub pair { return { judge_id => $judge, content_id => $content, @_ } }

my ($e, $id, $german);

sub said {
    my ($judge) = @_;
    my $e = $t->evaluated($t->new_evaluation($judge, $german));
    is($e->{language}, 'de', 'an evaluation knows a German text');
    return $e->{summary};
}

subtest 'an evaluation is asked for, and read when it is done' => sub {
    for my $path (qw(/evaluations/single /v1/evaluations/single)) {
        $r = $t->post($path, json => pair());
        status_is($r, 201, "POST $path makes an evaluation");
        is($r->json->{status}, 'processing', "POST $path answers at once");
        is($r->header('Preference-Applied'), undef,
           "POST $path waits for nothing unless asked");

        (my $one = $path) =~ s{single$}{$r->json->{evaluation_id}}e;
        status_is($t->get($one), 200, "GET $one finds it");
    }

    $e = $t->post('/evaluations/single', json => pair())->json;
    like($e->{evaluation_id}, qr/^evl_[0-9A-HJKMNP-TV-Z]{26}$/,
         'the identifier of an evaluation has its form');
    is_deeply([ @$e{qw(judge_id content_id)} ], [ $judge, $content ],
              'an evaluation names its judge and its content');
    time_is($e->{created_at}, 'created_at is a time');
    ok(!exists $e->{$_}, "an evaluation that is not done has no $_")
        for qw(overall_score criteria_scores summary strengths weaknesses
               suggestions evaluated_at evaluation_duration_sec error);

    $id = $e->{evaluation_id};
    $e = $t->evaluated($id);

    is_deeply([ @$e{qw(status evaluation_id judge_id content_id)} ],
              [ 'completed', $id, $judge, $content ],
              'a completed evaluation is the one that was asked for');
    time_is($e->{evaluated_at}, 'evaluated_at is a time');
    cmp_ok($e->{evaluation_duration_sec}, '>=', 0,
           'evaluation_duration_sec is not negative');
    ok(length $e->{summary}, 'a completed evaluation has a summary');
    is(ref $e->{$_}, 'ARRAY', "$_ is a list")
        for qw(strengths weaknesses suggestions);
    is(scalar(grep { ref } map { @{ $e->{$_} } }
              qw(strengths weaknesses suggestions)), 0,
       'strengths, weaknesses and suggestions are lists of strings');
    is($e->{provenance}{judge_version}, 1, 'provenance names the version');
    like($e->{engine}, qr{^builtin/}, 'an evaluation names the engine');
    is($e->{language}, 'en', 'an evaluation names the language of the text');

    # Feedback is in the text's language, or in that of the judge.

    $german = $t->new_content('Der Bericht ist klar und gut gegliedert, denn'
        . ' er nennt zuerst die Zahlen und dann die Gründe. Außerdem zeigt er,'
        . ' wie'
        . ' sich die Lage seit dem letzten Jahr verändert hat.');

    my $free = $t->new_judge;
    is(said($free), 'Beurteilt wurden 1 von 2 Kriterien.',
       'feedback on a German text is in German');

    status_is($t->put("/judges/$free", json => { feedback_language => 'en' }),
              200, 'a judge that speaks English');
    is($t->get("/judges/$free")->json->{feedback_language}, 'en',
       'a judge says that its feedback is in English');
    is(said($free), 'Judged were 1 of 2 criteria.',
       'a judge that speaks English does so of a German text');

    status_is($t->put("/judges/$free",
                      json => { feedback_language => 'text' }),
              200, 'a judge follows the language of the text again');
    is($t->get("/judges/$free")->json->{feedback_language}, undef,
       'a judge that follows the language of the text names none');
    like($t->get("/judges/$free/versions")->json->{versions}[0]
           {changes_summary},
         qr/language of feedback/,
         'another language of feedback is a version of its own');
    error_is($t->put("/judges/$free", json => { feedback_language => 'it' }),
             400,
             'feedback_language: expected one of text, en, de, es, fr, pt',
             'a language of feedback that does not exist is refused');
    is($e->{provenance}{tokens_used}, 0, 'the built-in engine uses no tokens');

    is(join(' ', map { $_->{name} } @{ $e->{criteria_scores} }),
       'Grammar Spelling',
       'each criterion has a score, in the order of the judge');

    for my $s (@{ $e->{criteria_scores} }) {
        like($s->{criterion_id}, qr/^crt_/,
             "$s->{name}: the score names its criterion");
        ok($s->{score} >= 0 && $s->{score} <= 100,
           "$s->{name}: the score is from 0 to 100");
        like($s->{score}, qr/^\d+(?:\.\d\d?)?$/,
             "$s->{name}: the score has at most two decimals");
        ok(length $s->{feedback}, "$s->{name}: the score has a reason");
    }
};

subtest 'the overall score is the weighted mean' => sub {
    my $weighted = $t->new_judge(criteria => [
        { name => 'Grammar', description => 'Grammar and spelling.' },
        { name => 'Spelling', description => 'Few typos.', weight => 3 },
        { name => 'Plain language', description => 'Short words.',
          weight => 0.5 },
    ]);

    for my $name (sort keys %essays) {
        my $w = $t->evaluated($t->new_evaluation($weighted,
                                  $t->new_content($essays{$name})));
        my @s = map { $_->{score} } @{ $w->{criteria_scores} };
        my $mean = ($s[0] + 3 * $s[1] + 0.5 * $s[2]) / 4.5;
        near_is($w->{overall_score}, $mean,
                "$name: the overall score is the weighted mean", 0.01);
    }
};

# --- The same text has the same result ------------------------------------

sub essence {
    my ($record) = @_;
    my %same = %$record;
    delete @same{qw(id evaluation_id content_id created_at evaluated_at
                    evaluation_duration_sec)};
    return \%same;
}

my $twin = $t->evaluated($t->new_evaluation($judge,
               $t->new_content($essays{'repair-cafe'}, name => 'Twin')));
is_deeply(essence($twin), essence($e),
          'the same text has the same result to the last word');

sub texts { return $t->sql1('select count(*) from contents') }

subtest 'a text may stand in place of a content' => sub {
    my $texts = texts();

    for ([ {}, 'Untitled', undef ],
         [ { name => 'Letter', metadata => { from => 'Ann' } }, 'Letter',
           { from => 'Ann' } ])
    {
        my ($more, $name, $metadata) = @$_;

        $r = $t->post('/evaluations/single', json => {
            judge_id => $judge, text_content => $essays{'repair-cafe'},
            %$more });
        status_is($r, 201, "$name: a text is evaluated");
        is_deeply(essence($t->evaluated($r->json->{evaluation_id})),
                  essence($e),
                  "$name: a text is evaluated as if it were a content");

        my $made = $t->get("/content/$r->{json}{content_id}")->json;
        is_deeply([ @$made{qw(name text_content file_type status metadata)} ],
                  [ $name, $essays{'repair-cafe'}, 'text', 'ready',
                    $metadata ],
                  "$name: a text that is evaluated becomes a content");
    }
    is(texts(), $texts += 2, 'two texts have become two contents');

    my %once = (headers => [ 'Idempotency-Key' => 'text' ], json => {
        judge_id => $judge, text_content => 'One text. It is short.' });
    is($t->post('/evaluations/single', %once)->json->{content_id},
       $t->post('/evaluations/single', %once)->json->{content_id},
       'a text sent again with its key is the same content');
    is(texts(), ++$texts, 'a text sent again with its key makes one content');

    my $of_videos = $t->new_judge(content_type => 'video');
    my $inline    = { judge_id => $judge, text_content => 'x' };

    for ([ { judge_id => $judge },
           qr/^content_id: required, or text_content/ ],
         [ { %$inline, content_id => $content },
           qr/^content_id: expected either content_id or text_content, not/ ],
         [ { %$inline, text_content => 'x' x 1_048_577 },
           qr/^text_content: expected at most 1048576 bytes$/ ],
         [ { %$inline, judge_id => $of_videos },
           qr/^text_content: expected content of the judge's type, video;/ ])
    {
        error_is($t->post('/evaluations/single', json => $_->[0]), 400,
                 $_->[1], "a text is refused: $_->[1]");
    }
    $inline->{judge_id} = 'x';
    error_is($t->post('/evaluations/single', json => $inline), 404,
             qr/^judge_id: there is no such judge$/,
             'a text with an unknown judge is refused');
    is(texts(), $texts, 'a refused text becomes no content');
};

subtest 'Prefer: wait=N waits for the end' => sub {
    for my $prefer ('wait=30', 'respond-async, wait=30', 'WAIT="30"; x=1',
                    'wait=9999')
    {
        $r = $t->post('/evaluations/single', json => pair(),
                      headers => [ Prefer => $prefer ]);
        status_is($r, 201, "Prefer: $prefer is answered");
        is($r->json->{status}, 'completed',
           "Prefer: $prefer waits for the end");
        is($r->header('Preference-Applied'),
           $prefer =~ /9999/ ? 'wait=60' : 'wait=30',
           "Prefer: $prefer is told how long one waits");
        ok(!exists $r->json->{evaluation_duration_sec},
           'the duration is for those who ask for one');
        is($r->json->{overall_score}, $e->{overall_score},
           "Prefer: $prefer gets the score");
    }

    for my $prefer ('wait=0', 'wait=soon', 'wait=', 'wait', 'return=minimal',
                    'wait=-1')
    {
        $r = $t->post('/evaluations/single', json => pair(),
                      headers => [ Prefer => $prefer ]);
        status_is($r, 201, "Prefer: $prefer is answered");
        is($r->json->{status}, 'processing',
           "Prefer: $prefer waits for nothing");
    }
};

subtest 'what cannot be evaluated is refused' => sub {
    my %other = (judge   => $t->new_judge(org => 1),
                 content => $t->new_content('Theirs.', org => 1));
    my $video  = $t->new_judge(content_type => 'video');
    my $broken = $t->new_content('It broke.');
    $t->alter("update contents set status = 'error' where id = '$broken'");
    my $unread = $t->new_content('Not read yet.');
    $t->alter("update contents set status = 'processing'"
              . " where id = '$unread'");

    my $before = $t->sql1('select count(*) from evaluations');

    for ([ { judge_id => 'jdg_' . '0' x 26 }, 404,
           qr/^judge_id: there is no/ ],
         [ { judge_id => $other{judge} }, 404, qr/^judge_id: there is no/ ],
         [ { judge_id => $content }, 404, qr/^judge_id: there is no/ ],
         [ { judge_id => 'x' }, 404, qr/^judge_id: there is no/ ],
         [ { content_id => 'cnt_' . '0' x 26 }, 404,
           qr/^content_id: there is/ ],
         [ { content_id => $other{content} }, 404, qr/^content_id: there is/ ],
         [ { judge_id => $video }, 400,
           qr/^content_id: .*video; this is text$/ ],
         [ { content_id => $broken }, 409, qr/its status is error$/ ],
         [ { content_id => $unread }, 409, qr/its status is processing$/ ],
         [ { priority => 'urgent' }, 400,
           qr/^priority:\ expected\ one\ of\ (?=.*\blow)(?=.*\bnormal)
              (?=.*\bhigh)/x ],
         [ { judge_id => undef }, 400, qr/^judge_id: required/ ],
         [ { content_id => 'x' x 201 }, 400, qr/^content_id: / ])
    {
        my ($fields, $status, $says) = @$_;
        error_is($t->post('/evaluations/single', json => pair(%$fields)),
                 $status, $says, "an evaluation is refused: $status $says");
    }

    is($t->sql1('select count(*) from evaluations'), $before,
       'a refused evaluation is not stored');

    error_is($t->get("/evaluations/$_"), 404, qr/no such evaluation/,
             "GET /evaluations/$_ finds nothing")
        for 'evl_' . '0' x 26, 'x', $content, $t->new_evaluation($other{judge},
                                                  $other{content}, org => 1);
};

subtest 'an evaluation is a job of one' => sub {
    $r = $t->get("/v1/evaluations/results/$id");
    status_is($r, 200, 'an evaluation is a job of one');
    is_deeply([ @{ $r->json }{qw(job_id status total completed failed)} ],
              [ $id, 'completed', 1, 1, 0 ], 'a job of one counts one');
    is($r->json->{results}[0]{overall_score}, $e->{overall_score},
       'a job of one has the result');
    error_is($t->get("/evaluations/results/$_"), 404, qr/no such job/,
             "a job $_ is not found") for 'evl_' . '0' x 26, 'x', $judge;
    error_is($t->get("/evaluations/results/$id", org => 1), 404, undef,
             'another organization cannot read the results of a job');
};

subtest 'evaluations are listed' => sub {
    my $lister = $t->new_judge;
    my @texts  = map { $t->new_content("List $_.") } 1 .. 3;
    my @listed = map { $t->new_evaluation($lister, $texts[$_ % 3]) } 0 .. 8;
    $t->evaluated($_) for @listed;
    my @newest = reverse sort @listed;

    lists_like($t, "/evaluations?judge_id=$lister", 'evaluations', \@newest,
               'judge_id lists the evaluations of a judge, newest first');
    lists_like($t, "/v1/evaluations?judge_id=$lister&limit=2", 'evaluations',
               \@newest, 'pages of two have each evaluation once');
    lists_like($t, "/evaluations?content_id=$texts[1]&limit=1", 'evaluations',
               [ reverse sort @listed[1, 4, 7] ],
               'content_id lists the evaluations of a content');
    lists_like($t, "/evaluations?content_id=$texts[1]&judge_id=$judge",
               'evaluations', [],
               'a judge and a content that never met list nothing');
    lists_like($t, "/evaluations?judge_id=$lister&status=completed",
               'evaluations', \@newest,
               'status=completed lists what is completed');
    lists_like($t, "/evaluations?judge_id=$lister&status=failed",
               'evaluations',
               [], 'status=failed lists nothing where none has failed');
    lists_like($t, '/evaluations?batch_id=bat_x', 'evaluations', [],
               'an unknown batch lists nothing');
    is(scalar(map { @$_ } $t->pages('/evaluations?limit=200', 'evaluations')),
       $t->sql1('select count(*) from evaluations where org = '
                . "'" . $t->org->{id} . "'"),
       'the list has all evaluations of the organization, and no others');

    my ($entry) = grep { $_->{evaluation_id} eq $listed[0] }
                  @{ $t->get("/evaluations?judge_id=$lister")
                     ->json->{evaluations} };
    my $one = $t->get("/evaluations/$listed[0]")->json;
    delete $one->{evaluation_duration_sec};
    is_deeply($entry, $one, 'an entry is the record without its duration');

    error_is($t->get("/evaluations?$_"), 400, qr/^\w+: expected/,
             "?$_ is refused") for 'status=gone', 'judge_id=';
};

my ($idle, $j, $c);

# Nobody works here until `evaluate` is turned on.

sub idle {
    my $idle = Judge::Test->new(store => 'evaluate=off ' . join ' ', @_);
    return ($idle, $idle->new_judge, $idle->new_content('A text. It is.'));
}

sub work {
    my ($idle, $store) = @_;
    $idle->conf(store => $store // '');
    $idle->single ? $idle->restart : $idle->reload;
}

subtest 'what has failed is tried again' => sub {
    ($idle, $j, $c) = idle('deadline=1s');
    my $fine  = $idle->new_evaluation($j, $c);
    my $held  = $idle->get("/evaluations/$fine")->json;
    is_deeply([ @$held{qw(status attempts)} ], [ 'processing', 0 ],
              'an evaluation that nobody works on was not tried');
    time_is($held->{next_attempt_at}, 'next_attempt_at says when it will be');

    $r = $idle->post('/evaluations/single',
                     json => { judge_id => $j, content_id => $c },
                     headers => [ Prefer => 'wait=1' ]);
    status_is($r, 201, 'waiting comes to an end');
    is($r->json->{status}, 'processing',
       'who has waited long enough gets an evaluation that is not done');
    my $late = $r->json->{evaluation_id};

    error_is($idle->post("/evaluations/$fine/retry"), 409,
             qr/only a failed .* is processing$/,
             'an evaluation that has not failed is not tried again');

    my $spent = $idle->new_evaluation($j, $c);
    my $blank = $idle->new_content('Soon gone.');
    my $empty = $idle->new_evaluation($j, $blank);
    $idle->alter("update evaluations set attempts = 99 where id = '$spent'");
    $idle->alter('update contents set text_content = null'
                 . " where id = '$blank'");
    $idle->alter("update evaluations set deadline = deadline + 3600000"
                 . " where id <> '$late'");
    $idle->wait_until(sub {
        $idle->sql1("select deadline from evaluations where id = '$late'")
            < time() * 1000 - 10
    }, 'the deadline');
    work($idle);

    my $f = $idle->ended($late);
    is($f->{status}, 'failed', 'what was not done by its deadline fails');
    is($f->{error}{code}, 'TIMED_OUT',
       'a deadline that has passed is TIMED_OUT');
    ok(!eval { $idle->evaluated($late) },
       'no test takes a failed evaluation for a completed one');
    ok(length $f->{error}{message}, 'a failure has a sentence');
    ok(!exists $f->{$_}, "a failed evaluation has no $_")
        for qw(overall_score summary strengths);
    is_deeply([ map { $idle->ended($_)->{error}{code} } $spent, $empty ],
              [qw(ATTEMPTS_EXHAUSTED CONTENT_MISSING)],
              'what was tried too often, or has no text, fails');
    is($idle->evaluated($fine)->{status}, 'completed',
       'failures leave other evaluations alone');

    $r = $idle->get("/evaluations/results/$late");
    is(join(' ', map { $r->json->{$_} } qw(status total completed failed)),
       'failed 1 0 1', 'a failed evaluation is a failed job of one');
    lists_like($idle, '/evaluations?status=failed', 'evaluations',
               [ reverse sort $late, $spent, $empty ],
               'status=failed lists the failed ones');

    $idle->alter("update contents set text_content = 'Back.'"
                 . " where id = '$blank'");

    for my $failed ($late, $spent, $empty) {
        $r = $idle->post("/evaluations/$failed/retry");
        status_is($r, 200, 'a failed evaluation is tried again');
        is($r->json->{status}, 'processing', 'a retry is in the queue');
        ok(!exists $r->json->{$_}, "a retry has no $_")
            for qw(error last_error);
        is($idle->evaluated($failed)->{status}, 'completed',
           'a retry succeeds');
    }

    error_is($idle->post("/evaluations/$late/retry"), 409, qr/is completed$/,
             'an evaluation that succeeded is not tried again');
    error_is($t->post("/evaluations/$_/retry"), 404, undef,
             "retry of $_ finds nothing")
        for 'evl_' . '0' x 26, 'x', $late;
};

# --- A content that goes while somebody waits -----------------------------

my ($gone, $gj, $gc) = idle();
my $client = $gone->connect;
$client->send($gone->bytes(POST => '/evaluations/single',
    json => { judge_id => $gj, content_id => $gc },
    headers => [ Prefer => 'wait=60' ]));
$gone->wait_until(sub { $gone->sql1('select count(*) from evaluations') },
                  'the evaluation');
status_is($gone->delete("/content/$gc"), 204,
          'the content of a waiting evaluation is deleted');
error_is($client->response // Judge::Test::no_answer('none'), 404,
         qr/cancelled/,
         'who waits for a deleted content is told that it is cancelled');
$client->close;

my $class;

# One worker with one thread scores in the order in which it takes.  Each has a
# text of its own, long enough that no class is done within a millisecond.

sub order_of {
    my ($x, $xj, @classes) = @_;

    # No two classes are made within a millisecond.
    my %class;

    for my $class (@classes) {
        my @answers = $x->pipeline(map { [ POST => '/evaluations/single',
            json => { judge_id => $xj, priority => $class,
                      text_content => "$_. " . $essays{'repair-cafe'} x 4 } ]
        } 1 .. 64);
        $class{ $_->json->{evaluation_id} } = $class for @answers;
        sleep 0.02;
    }

    return \%class;
}

sub taken {
    my ($x, $class, $store) = @_;

    work($x, $store);
    $x->wait_until(sub {
        !$x->sql1("select count(*) from evaluations where status ="
                  . " 'processing'") }, 'all evaluations');

    my $rows = $x->sql('select id, evaluated_at from evaluations');
    my (%first, %last, %sum);

    # Of the same number in each class; two may share a millisecond.
    for my $row (@$rows) {
        my ($of, $at) = ($class->{ $row->{id} }, $row->{evaluated_at});
        $first{$of} = $at if $at < ($first{$of} // $at + 1);
        $last{$of}  = $at if $at > ($last{$of} // 0);
        $sum{$of}  += $at;
    }

    my @order = sort { $sum{$a} <=> $sum{$b} } keys %sum;
    my @early = grep { $first{ $order[$_] } < $last{ $order[$_ - 1] } }
                1 .. $#order;
    return join ' ', @order, map { "$order[$_] too early" } @early;
}

subtest 'priorities say what goes before what' => sub {
    my @queue = idle('aging=1h');
    $queue[0]->conf(workers => 1, main => 'thread_pool default threads=1;');
    $class = order_of(@queue[0, 1], qw(low normal high));
    is(taken($queue[0], $class, 'aging=1h'), 'high normal low',
       'high goes before normal, and normal before low');

    my @aged = idle('aging=1ms');
    $aged[0]->conf(workers => 1, main => 'thread_pool default threads=1;');
    $class = order_of(@aged[0, 1], qw(low normal high));
    is(taken($aged[0], $class, 'aging=1ms'), 'low normal high',
       'what has waited long enough is no longer behind');
};

subtest 'changes of judges and contents are seen' => sub {
    my $changing = $t->new_judge;
    my %version;

    for my $n (2 .. 12) {
        $t->post('/evaluations/single', json => pair(judge_id => $changing))
            for 1 .. 4;
        $t->put("/judges/$changing", json => { name => "Name $n" });
        my $r = $t->post('/evaluations/single',
                         json => pair(judge_id => $changing));
        $version{$n} = $t->evaluated($r->json->{evaluation_id})
                         ->{provenance}{judge_version};
    }

    is_deeply(\%version, { map { $_ => $_ } 2 .. 12 },
              'an evaluation has the version that was active when it began');

    my $leaving = $t->new_content('A text that goes.');
    my @ask = ('/evaluations/single', json => pair(content_id => $leaving));
    is(scalar(grep { $t->post(@ask)->status != 201 } 1 .. 8), 0,
       'evaluations of a known text are made');
    $t->delete("/content/$leaving");
    is_deeply([ map { $_->status . ' ' . $_->detail }
                map { $t->post(@ask) } 1 .. 4 ],
              [ ('404 content_id: there is no such content') x 4 ],
              'what was deleted is gone for every worker');
};

# --- Permissions ----------------------------------------------------------

permission_is($t, 'evaluations:read', GET => '/evaluations');
permission_is($t, 'evaluations:read', GET => "/evaluations/$id");
permission_is($t, 'evaluations:read', GET => "/evaluations/results/$id");
permission_is($t, 'evaluations:write', POST => '/evaluations/single',
              json => pair());
permission_is($t, 'evaluations:write', POST => "/evaluations/$id/retry");

done_testing;
