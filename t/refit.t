# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What a judge learned of another engine's scores is fitted again by itself,
# once, from the stored feedback, while its evaluations wait; and they never
# wait for longer than that may take.

use Judge::Test;
use Judge::OpenAI;

plan skip_all => 'one process only' if Judge::Nginx->single;

my $server = Judge::OpenAI->start(models => ['main']);

my $t = Judge::Test->new(workers => 2,
                         server  => $server->location('main', 'served=main'));

my %essays = $t->essays;
my @words  = split ' ', join ' ', map { $essays{$_} } sort keys %essays;
my @texts  = map { join ' ', @words[$_ * 17 .. $_ * 17 + 20 + $_ * 29 % 120] }
             0 .. 29;

sub jobs {
    my ($judge) = @_;
    return grep { $_->{reason} }
           @{ $t->get("/training/jobs?judge_id=$judge")->json->{jobs} };
}

# A judge that was trained: people give what `given` makes of a score.

sub trained {
    my ($given) = @_;
    my $judge = $t->new_judge;
    my $batch = $t->made('/batches/evaluate', 'batch_id', json => {
        name => 'B', judge_ids => [$judge], content_items => [ map {
            { name => "T$_", text_content => $texts[$_] } } 0 .. $#texts ] });
    $t->batch_completed($batch);

    my @results = map { @{ $_->{results} } }
                  $t->get("/batches/$batch/results?limit=100")->json;
    status_is($t->post("/batches/$batch/feedback", json => {
        feedback_entries => [ map { { evaluation_id => $_->{evaluation_id},
            type => 'correction', content => { corrected_scores => {
                map { $_->{criterion_id} => $given->($_->{score}) }
                @{ $_->{criteria_scores} } } } } } @results ] }), 201,
        'corrections of a batch are taken');

    my $id = $t->made('/training/jobs', 'job_id', json => {
        judge_id => $judge, training_type => 'full_retrain',
        training_config => {} });
    $t->post("/training-jobs/$id/execute", json => {});
    my $job = $t->job_ended($id);
    is($job->{status}, 'completed',
       'a judge learns from corrections') or diag(explain($job));
    $t->post("/judges/$judge/versions/2/activate");
    is($t->get("/judges/$judge")->json->{trained}{job_id}, $id,
       'the judge uses what it learned');

    return ($judge, $id, map { $_->{evaluation_id} } @results);
}

# As if another engine had been there: of its models, and of its features.

sub other_engine {
    my (@judges) = @_;
    my $judges = join ', ', map { "'$_'" } @judges;
    $t->alter("update judge_calibrators set inputs = 12345"
              . " where judge_id in ($judges)");
    $t->restart;
}

sub waits {
    my ($evaluation) = @_;
    my $record;
    $t->wait_until(sub {
        $record = $t->get("/evaluations/$evaluation")->json;
        return $record->{status} ne 'processing' || $record->{waiting_for};
    }, 'an evaluation that waits');
    return $record->{waiting_for};
}

# No job is taken up as long as another one of its judge seems to run.

sub hold_jobs {
    my ($held, @judges) = @_;
    my $at = $held ? (time + 3600) * 1000 : 0;
    $t->alter("update training_jobs set status = '"
              . ($held ? 'training' : 'cancelled') . "', queue_at = "
              . ($held ? $at : 'null') . " where id = '$_'") for @judges;
}

sub blocker {
    my ($judge) = @_;
    return $t->made('/training/jobs', 'job_id', json => {
        judge_id => $judge, training_type => 'validation',
        training_config => {} });
}

my $content = $t->new_content(join ' ', @words[100 .. 190]);

sub state_of { $_[0]{provenance}{calibrator_state} }


# --- It is fitted again ------------------------------------------------------

my ($judge, $first) = trained(sub { $_[0] / 2 + 10 });
my $before = $t->evaluated($t->new_evaluation($judge, $content));
is($before->{provenance}{calibrator}, $first,
   'an evaluation is scored by what the judge learned');

my $blocker = blocker($judge);
hold_jobs(1, $blocker);
other_engine($judge);

my @waiting = map { $t->new_evaluation($judge, $content) } 1 .. 8;
is(waits($_), 'training',
   'an evaluation waits until the judge is fitted again')
    for @waiting;

my @made = jobs($judge);
is(scalar @made, 1, 'one of all workers makes a job');
is($made[0]{reason}, 'features_changed',
   'the job says that another engine gives the scores now');
is($made[0]{training_type}, 'full_retrain', 'the job learns everything anew');
is($made[0]{status}, 'queued', 'the job waits for another one of its judge');

hold_jobs(0, $blocker);
my $job = $t->job_ended($made[0]{job_id});
is($job->{status}, 'completed',
   'the job runs when the other one has ended') or diag(explain($job));
is($job->{results}{deployed}, JSON::PP::true,
   'a judge that was fitted again is deployed');
ok((grep { $_->{message} =~ /of another engine's scores: it is fitted again/ }
    @{ $job->{logs} }), 'the log of the job says why it is there');

for my $id (@waiting) {
    my $record = $t->evaluated($id);
    is($record->{provenance}{calibrator}, $job->{job_id},
       'an evaluation that waited is scored by what was fitted');
    is($record->{provenance}{judge_version}, 3,
       'an evaluation that waited is by the version that was fitted');
    is(state_of($record), undef,
       'the provenance of an evaluation that waited says nothing amiss');
}

is($t->get("/judges/$judge")->json->{trained}{state}, 'ready',
   'a judge that was fitted again is ready');
my $later = $t->evaluated($t->new_evaluation($judge, $content));
is($later->{provenance}{calibrator}, $job->{job_id},
   'a later evaluation is scored by what was fitted');
$t->restart;
$t->evaluated($t->new_evaluation($judge, $content));
is(scalar jobs($judge), 1, 'no second job is made after a restart');


# --- It is deployed unless it errs more --------------------------------------

# People are now 6 points above what the engine gave, and 20 to both sides of
# that: no gate would take so little for better.  Or they agree with it.

my ($near, undef, @near) = trained(sub { $_[0] / 2 + 10 });
my ($alike) = trained(sub { $_[0] / 2 + 10 });
$t->alter("update examples set target = given where judge_id = '$alike'");
$t->alter("update examples set target = given + case evaluation_id "
          . join(' ', map { "when '$near[$_]' then "
                            . (6 + ($_ * 7 % 30 < 15 ? 20 : -20)) } 0 .. 29)
          . " end where judge_id = '$near'");
# --- Bounds ------------------------------------------------------------------

my ($few)  = trained(sub { $_[0] / 2 + 10 });
my ($late) = trained(sub { $_[0] / 2 + 10 });
my ($gone) = trained(sub { $_[0] / 2 + 10 });
my %blocks = map { $_ => blocker($_) } $late, $gone;
hold_jobs(1, values %blocks);
$t->alter("update feedback set type = 'comment' where judge_id = '$few'");
other_engine($near, $alike, $few, $late, $gone);

my $record = $t->evaluated($t->new_evaluation($near, $content));
my ($tried) = jobs($near);
$job = $t->job_ended($tried->{job_id});
like($job->{results}{deployment_reason},
     qr/^it errs less than the engine alone/,
     'a gain that may be chance is enough to deploy what was fitted');
is($record->{provenance}{calibrator}, $job->{job_id},
   'an evaluation is scored by what may be better by chance');

$record  = $t->evaluated($t->new_evaluation($alike, $content));
($tried) = jobs($alike);
$job     = $t->job_ended($tried->{job_id});
like($job->{results}{deployment_reason}, qr/^it errs no less/,
     'a job says that what it learned errs more than the engine');
ok(!$job->{results}{deployed},
   'what errs more than the engine alone is not deployed');
is(state_of($record), 'features_changed',
   'an evaluation goes on without what was not deployed');

$record = $t->evaluated($t->new_evaluation($few, $content));
is(state_of($record), 'features_changed',
   'without feedback an evaluation goes on, and says so');
($job) = jobs($few);
is($job->{status}, 'failed', 'the job of a judge without feedback fails');
is($t->get("/training/jobs/$job->{job_id}")->json->{error_info}{error_code},
   'INSUFFICIENT_FEEDBACK',
   'the job of a judge without feedback says why it failed');
$t->restart;
$t->evaluated($t->new_evaluation($few, $content));
is(scalar jobs($few), 1, 'a job that lacked feedback is not tried again');

my $evaluation = $t->new_evaluation($late, $content);
is(waits($evaluation), 'training',
   'an evaluation waits as long as another job runs');
$t->alter("update training_jobs set created_at = created_at - 600000"
          . " where judge_id = '$late' and refits is not null");
is(state_of($t->evaluated($evaluation)), 'features_changed',
   'an evaluation that waited for ten minutes goes on');

$evaluation = $t->new_evaluation($gone, $content);
is(waits($evaluation), 'training',
   'an evaluation waits for the job that is cancelled next');
($job) = jobs($gone);
status_is($t->post("/training/jobs/$job->{job_id}/cancel"), 200,
          'the job is cancelled');
is(state_of($t->evaluated($evaluation)), 'features_changed',
   'a job that was cancelled is not waited for');
hold_jobs(0, values %blocks);

done_testing;
