# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Training over real sockets: from corrections to a judge that scores as people
# do; followed, cancelled, and gone on with by another worker when the one
# that had it is killed or leaves.

use Judge::Test;

plan skip_all => 'one process only' if Judge::Nginx->single;

my $t = Judge::Test->new(orgs => 2);
my $r;

my %essays = $t->essays;
my @words  = split ' ', join ' ', map { $essays{$_} } sort keys %essays;
my @texts  = map { join ' ', @words[$_ * 17 .. $_ * 17 + 20 + $_ * 29 % 120] }
             0 .. 39;

my $judge = $t->new_judge;

sub job { $t->get("/training/jobs/$_[0]?include_logs=true")->json }

# Makes and executes a job; its identifier.

sub train {
    my ($config, %options) = @_;

    my $type = delete $options{type} // 'full_retrain';
    $r = $t->post('/training/jobs', json => {
        judge_id => $judge, training_type => $type,
        training_config => $config, execution_options => \%options });
    status_is($r, 201, 'a training job is made');

    my $id = $r->json->{job_id};

    $r = $t->post("/training-jobs/$id/execute", json => {});
    status_is($r, 200, 'a training job is executed');

    return $id;
}

# --- From corrections to scores -------------------------------------------

# Of each text people give half of what the engine gives, and ten points.

sub corrected {
    my @judged  = @_;
    my $batch   = $t->judged_batch($judge, \@judged);
    my @results = $t->batch_results($batch);
    is(scalar @results, scalar @judged, 'each text of a batch has a result');

    $r = $t->post("/batches/$batch/feedback", json => {
        feedback_entries => [ map {
            { evaluation_id => $_->{evaluation_id}, type => 'correction',
              content => { corrected_scores => { map {
                  $_->{criterion_id} => $_->{score} / 2 + 10
              } @{ $_->{criteria_scores} } } } }
        } @results ] });
    status_is($r, 201, 'a correction of each result is taken');
}

corrected(@texts);

my $id  = train({}, auto_deploy => JSON::PP::true);
my $run = $r->json;
is($run->{status}, 'queued', 'a job that is executed is queued');
like($run->{monitoring_info}{progress_url}, qr{/training/jobs/\Q$id\E$},
     'the answer says where to follow the job');

my $job = $t->job_ended($id);
is_deeply([ $job->{status}, @{ $job->{results} }{qw(deployed
            new_model_version)} ], [ 'completed', JSON::PP::true, '2' ],
          'a job that makes the judge better is deployed as a version');
is(scalar @{ $job->{metrics}{training_loss} },
   $job->{progress}{current_epoch}, 'a job has a loss for each epoch');

is($job->{results}{validation_results}{learned_from}, JSON::PP::false,
   'a new version is measured on what it has not learned from');

is($t->get("/judges/$judge")->json->{version_number}, 2,
   'the judge is in the version of the job');

my $seen = $t->job_ended(train({}, type => 'validation'));
is($seen->{results}{validation_results}{learned_from}, JSON::PP::true,
   'a validation without new feedback says that it measures on the old one');
like($seen->{results}{deployment_reason}, qr/on what was learned from$/,
     'the reason not to deploy says so, too');
unlike(join('|', map { $_->{message} } @{ $seen->{logs} }), qr/items held out/,
       'its log speaks of nothing that was held out');
like($t->get("/judges/$judge/versions")->json->{versions}[0]{changes_summary},
     qr/^trained on what people said of 40 evaluations/,
     'the version says what it was trained on');

my $content = $t->new_content(join ' ', @words[100 .. 190]);
my $record  = $t->evaluated($t->new_evaluation($judge, $content));
is($record->{provenance}{calibrator}, $id,
   'the evaluation names the job that its scores come from');

for my $score (@{ $record->{criteria_scores} }) {
    my $wanted = $score->{raw_score} / 2 + 10;
    cmp_ok(abs($score->{score} - $wanted), '<', 4,
           "$score->{name} is $score->{score}, near people's $wanted");
    like($score->{feedback},
         qr/^(?:Found:|Nothing\ wrong\ was\ found\.).*
            \ People's\ scores\ moved\ this\ from\ [\d.]+\ to\ [\d.]+\./x,
         "the feedback on $score->{name} says what was found, and then that"
         . ' people moved the score');
}

is_deeply($record->{review_reasons}, [],
          'a text like those of the training needs no review');
is_deeply($t->evaluated($t->new_evaluation($judge,
    $t->new_content('{"tent": [17, 4], "camp": {"best": 9}}, ' x 40)))
    ->{review_reasons}, ['unlike_seen'],
          'a text unlike those of the training needs review');

# --- A model of other features ----------------------------------------------

# Whether the scores are those of before.

sub scores { join ' ', map { $_->{score} } @{ $_[0]{criteria_scores} } }

sub again { $t->evaluated($t->new_evaluation($judge, $content)) }

is($t->get("/judges/$judge")->json->{trained}{state}, 'ready',
   'the judge uses what it has learned');

# Without feedback it can't be fitted again (t/refit.t has how it is).

$t->alter("update feedback set type = 'comment' where judge_id = '$judge'");
$t->alter("update judge_calibrators set inputs = inputs + 1"
          . " where judge_id = '$judge'");
$t->restart;

my $trained = $t->get("/judges/$judge")->json->{trained};
is($trained->{state}, 'features_changed',
   'the judge does not use what was learned from other features');
like($trained->{message}, qr/train the judge again\.$/,
     'the judge says that it has to be trained again');

my $alone = again();
$alone = again() for 1 .. 5;
is($alone->{provenance}{calibrator_state}, 'features_changed',
   'an evaluation says that its judge has to be trained again');
like($alone->{summary}, qr/train the judge again\./,
     'a summary says that the judge has to be trained again');
is(scores($alone),
   join(' ', map { $_->{raw_score} } @{ $record->{criteria_scores} }),
   'the engine alone gives the scores meanwhile');

my @lines = $t->log_text =~ /\[warn\].* judge: \Q$judge\E, version 2: What/g;
ok(@lines >= 1 && @lines <= 2, 'each worker writes one line to the log');

$t->alter("update feedback set type = 'correction' where judge_id = '$judge'");
$t->alter("update judge_calibrators set inputs = inputs - 1"
          . " where judge_id = '$judge'");
$t->restart;
is(scores(again()), scores($record),
   'the scores are those of before when the features are');

cmp_ok($record->{score_interval}{low}, '<=', $record->{overall_score},
       'the interval begins at most at the score');

is($t->get("/judges/$judge/agreement")->json->{criteria}[0]{items}, 40,
   'the agreement counts forty items');

$r = $t->get("/training/jobs/$id/events");
like($r->body, qr/^event: done$/m,
     'the events of a job that has ended are done');
my ($last_event) = $r->body =~ /^id: (\d+-done)$/m;
status_is($t->get("/training/jobs/$id/events",
                  headers => [ 'Last-Event-ID' => $last_event ]), 204,
          'nothing is sent to a client that has seen the last event');

for my $path ("/training/jobs/$id", "/judges/$judge/agreement") {
    error_is($t->get($path, key => $t->key(1)), 404, qr/no such/,
             "$path is not found by another organization");
}
error_is($t->post("/training-jobs/$id/execute", json => {},
                  key => $t->key(1)), 404, qr/no such/,
         'a job is not executed by another organization');
error_is($t->post("/training-jobs/$id/execute", json => {}), 409,
         "the job can't be executed: it is completed",
         'a job is executed only once');

permission_is($t, 'training:read', GET => '/training/jobs');

# --- A worker dies, another one leaves ------------------------------------

my %long = (max_epochs => 10_000, early_stopping => JSON::PP::false);

sub epoch { job($_[0])->{progress}{current_epoch} }

sub reaches {
    my ($job, $epoch) = @_;
    $t->wait_until(sub { epoch($job) >= $epoch }, "epoch $epoch", 60);
}

# On many texts, so that it does not end before its workers.
corrected(map { my $n = $_; map { "$_ Again, $n." } @texts } 1 .. 3);
$id = train(\%long);
reaches($id, 200);

my @workers = $t->workers;
$t->kill_workers;
$t->wait_until(sub {
    my %new = map { $_ => 1 } $t->workers;
    return keys %new == 2 && !grep { $new{$_} } @workers;
}, 'new workers');

my $before = epoch($id);
cmp_ok($before, '>=', 200,
       'a job keeps its epochs when the workers are killed');
reaches($id, $before + 200);
ok(scalar(grep { $_->{message} =~ /goes on from its checkpoint/ }
          @{ job($id)->{logs} }), 'a job goes on from its checkpoint');

$before = epoch($id);
$t->reload;
reaches($id, $before + 200);
is($t->sql1("select attempts from training_jobs where id = '$id'") <= 3, 1,
   'a worker that leaves hands its job over');

is($t->get("/judges/$judge")->json->{status}, 'training',
   'the judge is in training while its job runs');
my $now = job($id);
time_is($now->{estimated_completion_time},
        'a job says when it is expected to end');
cmp_ok($now->{estimated_completion_time}, 'gt', $now->{started_at},
       'a job is expected to end later than it began');
$t->evaluated($t->new_evaluation($judge, $content));
pass('a judge in training evaluates');

status_is($t->post("/training-jobs/$id/cancel"), 200,
          'a job can be cancelled');
$job = $t->job_ended($id);
is($job->{status}, 'cancelled', 'a job that is cancelled ends');
ok(!exists $job->{estimated_completion_time},
   'a job that was cancelled is expected no more');
ok(!exists $job->{error_info}, 'a job that was cancelled has no error');
like($job->{cancelled_at_epoch}, qr/^\d+$/,
     'a job that was cancelled says at what epoch');
is($job->{logs}[-1]{message}, 'cancelled',
   'a job that was cancelled says so in its log');
$t->wait_until(sub {
    $t->get("/judges/$judge")->json->{status} eq 'ready'
}, 'the judge to be ready');

# --- What is asked for stands in the job ------------------------------------

my %asked = (judge_id => $judge, training_type => 'validation',
             training_config => {});
error_is($t->post('/training/jobs', json => { %asked,
             execution_options => { notification_email => 'nonsense' } }),
         400, qr/^execution_options\.notification_email: expected an e-mail/,
         'an e-mail address that is none is refused');
my $mail = $t->post('/training/jobs', json => { %asked,
    execution_options => { notification_email => 'ann@example.com' } })->json;
is($mail->{notification_email}, 'ann@example.com',
   'the e-mail address of a job is kept');
like($mail->{notices}[0], qr/sends no e-mail/,
     'a job says that no e-mail is sent');

my $executed = $t->post("/training-jobs/$mail->{job_id}/execute", json => {
    execution_override => { priority => 'high', max_duration_minutes => 9,
                            resource_allocation => 'minimal' } })->json;
like($executed->{notices}[0], qr/sends no e-mail/,
     'a job that is executed says that no e-mail is sent');
$job = $t->job_ended($mail->{job_id});
is(join(' ', map { $job->{execution_options}{$_} } qw(priority
        max_duration_minutes resource_allocation notification_email)),
   'high 9 minimal ann@example.com',
   'a job shows what was given on execution');
like($job->{notices}[0], qr/sends no e-mail/,
     'a job that has ended says that no e-mail is sent');

# --- A job that no worker can read -----------------------------------------

$mail = $t->post('/training/jobs', json => \%asked)->json;
$t->alter("update training_jobs set status = 'queued', queue_at = 1,"
          . " executed_at = 1, attempts = 5, config = '{\"max_epochs\":0}'"
          . " where id = '$mail->{job_id}'");
$t->wait_until(sub {
    $t->sql1("select status from training_jobs where id = '$mail->{job_id}'")
        eq 'failed'
}, 'a job that no worker can read to be given up');
like($t->sql1("select error from training_jobs where id = '$mail->{job_id}'"),
     qr/"INTERNAL"/, 'a job that no worker can read is given up');

# --- What a job tells while it runs -----------------------------------------

$t->put('/config/webhooks', json => {
    url => 'https://hooks.example.com/in', enabled => JSON::PP::true,
    events => [ 'training.started', 'training.progress' ] });

for my $level (qw(milestone_only detailed)) {
    $job = $t->job_ended(train({}, notification_level => $level));
    my @told = reverse map { $_->{type} } grep {
        my $event = $t->get("/webhooks/deliveries/$_->{delivery_id}")->json;
        $event->{body}{data}{job_id} eq $job->{job_id}
    } @{ $t->get('/webhooks/deliveries?limit=100')->json->{deliveries} };
    is($told[0], 'training.started',
       "a job that tells $level things tells first that it has begun");
    is(scalar(grep { $_ eq 'training.started' } @told), 1,
       "a job that tells $level things tells once that it has begun");
}

done_testing;
