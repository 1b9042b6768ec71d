# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Feedback that teaches nothing, or nonsense: the job ends with a clear
# result, and no judge is deployed that errs more than the one in use.  And
# what else a job promises: its order, its limits, the same model each time.

use Judge::Test;

plan skip_all => 'one process only' if Judge::Nginx->single;

my $t = Judge::Test->new(orgs => 1);
my $r;

my %essays = $t->essays;
my @words  = split ' ', join ' ', map { $essays{$_} } sort keys %essays;

sub text {
    return join ' ', map { $words[$_ % @words] }
           $_[0] * 17 .. $_[0] * 17 + 20 + $_[0] * 29 % 120;
}

# A judge and the records of so many evaluations by it.

sub evaluated {
    my ($n, %judge) = @_;

    my $judge = $t->new_judge(%judge);
    my $batch = $t->judged_batch($judge, [ map { text($_) } 0 .. $n - 1 ]);
    my @rows  = $t->batch_results($batch);

    return { judge => $judge, batch => $batch, rows => \@rows };
}


# Entries for evaluations, by a sub that gives an entry without its name.

sub say_of {
    my ($of, $entry, @rows) = @_;

    my $i = 0;
    $r = $t->post("/batches/$of->{batch}/feedback", json => {
        feedback_entries => [ map { {
            evaluation_id => $_->{evaluation_id}, $entry->($_, $i++),
        } } @rows ? @rows : @{ $of->{rows} } ] });
    status_is($r, 201, 'feedback is taken') or diag($r->body);
}


sub correction {
    my ($row, $score, $i) = @_;

    return (type => 'correction', content => { corrected_scores => {
        map { $_->{criterion_id} => $score->($_->{score}, $i) }
        @{ $row->{criteria_scores} } } });
}

sub correct {
    my ($of, $score, @rows) = @_;

    say_of($of, sub { correction($_[0], $score, $_[1]) }, @rows);
}


sub start {
    my ($of, %job) = @_;

    my $options = { auto_deploy => JSON::PP::true,
                    %{ delete $job{options} // {} } };
    $r = $t->post('/training/jobs', json => {
        judge_id => $of->{judge}, training_type => 'full_retrain',
        training_config => {}, execution_options => $options, %job });
    status_is($r, 201, 'a training job is made') or diag($r->body);
    $job{made} = $r->json;

    my $id = $r->json->{job_id};
    status_is($t->post("/training-jobs/$id/execute", json => {}), 200,
              'a training job is executed');

    return $id;
}


sub job { $t->get("/training/jobs/$_[0]?include_logs=true")->json }

sub logged {
    my ($job, $message) = @_;
    return scalar grep { $_->{message} =~ $message } @{ $job->{logs} };
}


sub active { $t->get("/judges/$_[0]{judge}")->json->{version_number} }

# Whatever was said: it is told how it ended, and deployed only if better.

sub sane {
    my ($name, $of, %job) = @_;

    my $job = $t->job_ended(start($of, %job));

    like($job->{status}, qr/^(completed|failed)$/,
         "$name, the job ends as $job->{status}");

    if ($job->{status} eq 'failed') {
        ok(length $job->{error_info}{error_message},
           "$name, a job that fails says why");
        ok(length $job->{error_info}{suggested_fixes}[0],
           "$name, a job that fails says what to do");
        is(active($of), 1, "$name, a job that fails leaves the judge alone");
        return $job;
    }

    my $results = $job->{results};
    my $gain    = $results->{performance_comparison}{rmse}{gain};

    ok(length $results->{deployment_reason},
       "$name, a job says why its version is deployed or not");

    if ($results->{deployed}) {
        cmp_ok($gain->{low}, '>', 0,
               "$name, what is deployed is better beyond doubt");
        is(active($of), 2,
           "$name, the judge has the version that is deployed");
    } else {
        is(active($of), 1,
           "$name, the judge is as it was without a deployment");
    }

    my $record = $t->evaluated($t->new_evaluation($of->{judge},
                     $t->new_content(text(77))));
    ok(!(grep { $_->{score} < 0 || $_->{score} > 100 }
         @{ $record->{criteria_scores} }), "$name, scores are 0 to 100");

    return $job;
}


sub spearman {
    return $_[0]{results}{validation_results}{mean}{spearman}{value} // 0;
}

my ($of, $job, $first);

subtest 'feedback that teaches nothing ends without harm' => sub {
    $of = evaluated(40);
    correct($of, sub { $_[1] * 2654435761 >> 8 & 1 ? 100 : 0 });
    $job = sane('at random', $of);
    cmp_ok(spearman($job), '<', 0.5,
           'at random, no order of texts can be found');

    $of = evaluated(30);
    correct($of, sub { 100 });
    correct($of, sub { 0 });
    sane('each evaluation 100 and 0', $of);

    $of = evaluated(30);
    correct($of, sub { 50 });
    $job = sane('always 50', $of);
    ok(logged($job, qr/comes to 50\.0 for every evaluation/),
       'always 50, the job says what the feedback comes to');

    for my $score (0, 100) {
        $of = evaluated(30);
        correct($of, sub { $score });
        $job = sane("always $score", $of);
    }

    $of = evaluated(30);
    correct($of, sub { 100 - $_[0] });
    sane('the contrary', $of);

    $of = evaluated(30);
    say_of($of, sub { (type => 'approval', content => {
                       approved => JSON::PP::false }) });
    sane('rejections only', $of);

    $of = evaluated(30);
    say_of($of, sub { (type => 'approval', content => {
                       approved => JSON::PP::true }) });
    $job = sane('approvals only', $of);
    isnt($job->{results}{deployed}, JSON::PP::true,
         'approvals only, nothing better is known');

    $of = evaluated(30);
    say_of($of, sub { (type => 'rating', content => { rating => 1 }) });
    sane('the worst rating for all', $of);
};

# Ten thousand entries about forty evaluations: that is all that is learned
# from, however often it is said.  Eighty of them are written, and repeated.

sub said_often {
    my ($name, $score) = @_;

    my $of = evaluated(40);
    my $i  = 0;
    my $said = join ',', map { JSON::PP->new->utf8->encode({
        evaluation_id => $_->{evaluation_id}, correction($_, $score, $i++),
    }) } (@{ $of->{rows} }) x 2;

    $r = $t->post("/batches/$of->{batch}/feedback",
        headers => [ 'Content-Type' => 'application/json' ],
        body => '{"feedback_entries":[' . join(',', ($said) x 125) . ']}');
    status_is($r, 201, 'feedback of 10,000 entries is taken');
    like($r->body, qr/"submitted_count":10000\b/,
         "$name, 10,000 entries are counted");

    my $job = sane("$name, 10,000 times", $of);
    is($job->{status}, 'completed', "$name, a job learns from 10,000 entries");

    return $job;
}

subtest 'what is said ten thousand times is learned once' => sub {
    $job = said_often('for and against', sub { ($_[1] / 40) % 2 ? 100 : 0 });
    ok(logged($job, qr/comes to 50\.0 for every evaluation/),
       'for and against, the job says what the feedback comes to');

    $job = said_often('constant', sub { 50 });
    ok(logged($job, qr/comes to 50\.0 for every evaluation/),
       'constant, the job says what the feedback comes to');

    $job = said_often('extreme', sub {
        ($_[1] % 40) * 2654435761 >> 8 & 1 ? 100 : 0 });
    cmp_ok(spearman($job), '<', 0.5,
           'extreme, no order of texts can be found');
};

subtest 'a job that has too little feedback says so' => sub {
    $of = evaluated(12);
    correct($of, sub { 10 }, @{ $of->{rows} }[0 .. 2]);
    $job = sane('three', $of);
    is($job->{error_info}{error_code}, 'INSUFFICIENT_FEEDBACK',
       'feedback on three evaluations is too little');
    like($job->{error_info}{suggested_fixes}[0], qr/more corrections/,
         'a job that has too little feedback asks for more');

    correct($of, sub { $_[0] / 2 }, @{ $of->{rows} }[0 .. 2]) for 1 .. 4;
    $job = sane('three, five times', $of);
    is($job->{error_info}{error_code}, 'INSUFFICIENT_FEEDBACK',
       'feedback on three evaluations is too little, however often said');

    $of = evaluated(12);
    correct($of, sub { $_[0] / 2 });
    $job = sane('twelve', $of);
    is($job->{status}, 'completed',
       'feedback on twelve evaluations is enough to learn from');
};

subtest 'feedback on a criterion that is gone teaches nothing' => sub {
    $of = evaluated(30);
    my $made     = $t->get("/judges/$of->{judge}")->json;
    my @criteria = @{ $made->{criteria} };
    my $gone     = $criteria[0]{criterion_id};

    say_of($of, sub {
        my ($row, $i) = @_;
        return (type => 'correction', content => {
            corrected_scores => { $gone => $i % 7 } });
    });

    $r = $t->put("/judges/$of->{judge}", json => { criteria => [ map { {
        criterion_id => $_->{criterion_id}, name => $_->{name},
        description => $_->{description}, weight => 1 } } $criteria[1] ] });
    status_is($r, 200, 'a criterion is removed') or diag($r->body);

    $job = $t->job_ended(start($of));
    is_deeply([ $job->{status}, $job->{error_info}{error_code} ],
              [ 'failed', 'INSUFFICIENT_FEEDBACK' ],
              'feedback on a criterion that is gone teaches nothing');
    is($t->get("/judges/$of->{judge}")->json->{version_number}, 2,
       'the judge is as it was when feedback teaches nothing');
};

subtest 'a score that is no number is refused' => sub {
    $of = evaluated(1);
    my ($row) = @{ $of->{rows} };
    my $id    = $row->{criteria_scores}[0]{criterion_id};

    for my $number ('"NaN"', 'NaN', '1e999', '-1e999', 'null', '-0.01',
                    '100.01', '"50"', '[]', 'true', 'Infinity')
    {
        my $body = '{"evaluation_id":"' . $row->{evaluation_id} . '","type":'
                   . '"correction","content":{"corrected_scores":{"' . $id
                   . '":' . $number . '}}}';

        $r = $t->post("/feedback/evaluation/$row->{evaluation_id}",
                      body => $body,
                      headers => [ 'Content-Type' => 'application/json' ]);
        $r = $t->post('/feedback', body => $body,
                      headers => [ 'Content-Type' => 'application/json' ])
            if $r->status == 404 || $r->status == 405;
        is($r->status, 400, "a score of $number is refused");
    }
};

subtest 'workers that are killed change nothing of what is learned' => sub {
    $of = evaluated(80);
    correct($of, sub { $_[0] / 2 + 10 + $_[1] % 5 });

    my %course = (training_config => { max_epochs => 2400,
                                       early_stopping => JSON::PP::false },
                  options => { auto_deploy => JSON::PP::false });
    $first = start($of, %course);
    is($t->job_ended($first)->{results}{new_model_version}, '2',
       'a job that nothing disturbs makes a version');

    my $second = start($of, %course);
    $t->step_until(sub {
        $t->sql1("select epoch from training_jobs where id = '$second'")
            >= 80;
    }, 'some epochs');
    $t->kill_workers;
    $t->wait_until(sub { logged(job($second), qr/goes on from/) },
                   'it goes on', 60);
    $t->reload;

    $job = $t->job_ended($second);
    is($job->{results}{new_model_version}, '3',
       'a job that several workers went on with makes a version');
    ok(logged($job, qr/goes on from its checkpoint/),
       'a job goes on from its checkpoint');
    is($t->sql1("select count(distinct model) from judge_calibrators"
                . " where job_id in ('$first', '$second')"), 1,
       'both jobs have learned the same, bit for bit');
    is(active($of), 1, 'no version is deployed without auto_deploy');
};

subtest 'resource_allocation says how much is measured' => sub {
    my %folds;
    for my $allocation (qw(minimal standard high_performance)) {
        $job = $t->job_ended(start($of, options => {
            auto_deploy => JSON::PP::false,
            resource_allocation => $allocation }));
        ($folds{$allocation}) = map { $_->{message} =~ /(\d+) folds held out/ }
                                @{ $job->{logs} };
    }
    is($folds{minimal}, 2,
       'resource_allocation=minimal measures with two folds');
    cmp_ok($folds{standard}, '>', 2,
           'resource_allocation=standard measures with more folds');
    cmp_ok($folds{high_performance}, '>=', $folds{standard},
           'resource_allocation=high_performance measures with no fewer');
};

# All have to be made before either of the first two can end.

sub halved {
    my ($n) = @_;
    my $of  = evaluated($n);
    correct($of, sub { $_[0] / 2 });
    return $of;
}

subtest 'jobs go by priority, and end with their time' => sub {
    my %short = map { $_ => halved(12) } qw(low normal high);
    my @busy  = map {
        start($_, training_config => { max_epochs => 10_000,
                                       early_stopping => JSON::PP::false });
    } map { halved(120) } 1, 2;
    $t->wait_until(sub { 2 == grep { job($_)->{status} eq 'training' } @busy },
                   'both workers to be busy', 60);

    my %queued;
    for my $priority (qw(low normal high)) {
        $queued{$priority} = start($short{$priority},
                                   options => { priority => $priority });
    }

    status_is($t->post("/training-jobs/$busy[0]/cancel"), 200,
              'a job that runs is cancelled');
    $t->job_ended($_) for values %queued;

    my ($low, $normal, $high) = map {
        $t->sql1('select started_at from training_jobs'
                 . " where id = '$queued{$_}'")
    } qw(low normal high);
    cmp_ok($high, '<=', $normal, 'high goes before normal');
    cmp_ok($normal, '<=', $low,
           'a job of normal priority goes before one of low');

    # What is left of its time is a millisecond.

    $t->alter('update training_jobs set max_duration = 1'
              . " where id = '$busy[1]'");
    like($t->post("/training-jobs/$busy[1]/cancel")->status, qr/^(?:200|409)$/,
         'the other job that runs is cancelled, unless it has ended');

    $of = halved(40);
    $r = $t->post('/training/jobs', json => {
        judge_id => $of->{judge}, training_type => 'full_retrain',
        training_config => { max_epochs => 10_000,
                             early_stopping => JSON::PP::false } });
    my $late = $r->json->{job_id};
    cmp_ok($r->json->{estimated_duration}, '>=', 1,
           'a job is expected to take some minutes');

    # As if the jobs that are done had taken a minute for each item.
    $t->alter('update training_jobs set started_at = completed_at'
              . " - 60000 * items where status = 'completed' and items > 0");
    $r = $t->post('/training/jobs', json => {
        judge_id => $of->{judge}, training_type => 'full_retrain',
        training_config => {} });
    cmp_ok(abs($r->json->{estimated_duration} - 40), '<=', 2,
           'a job is expected to take as long for an evaluation as others');
    status_is($t->post("/training-jobs/$late/execute", json => {
        execution_override => { max_duration_minutes => 1 } }), 200,
            'a job is executed with a limit of its time');
    $t->alter("update training_jobs set max_duration = 1 where id = '$late'");
    $t->wait_until(sub { job($late)->{status} ne 'queued' }, 'it runs', 60);
    $t->kill_workers;

    $job = $t->job_ended($late);
    is($job->{status}, 'failed', 'a job whose time is over fails');
    is($job->{error_info}{error_code}, 'TIMED_OUT',
       'a job whose time is over says so');
    like(join(' ', @{ $job->{error_info}{suggested_fixes} }),
         qr/max_duration_minutes.*max_epochs/,
         'a job whose time is over says what to do');
};

subtest 'the events of a job say how it ended' => sub {
    $r = $t->get("/training/jobs/$first/events");
    like($r->body, qr/^event: done\ndata: \{.*"status":"completed"/m,
         'the events of a job that has ended are done');
};

done_testing;
