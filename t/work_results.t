# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What external workers report: scores of a part of the criteria, failures, and
# what judges learn of features that were measured.

use JSON::PP ();

use Judge::Test;
use Judge::Work;

my $t = Judge::Test->new;

my $judge    = $t->new_judge(content_type => 'video');
my @criteria = @{ $t->get("/judges/$judge")->json->{criteria} };
my $r;

works($t, judge => $judge);

sub status_of { $t->get("/evaluations/$_[0]")->json }

# --- What can't be measured -----------------------------------------------

clips(2);
my @both = claimed({ max => 2 });
error_is(report($both[0], [ undef, undef ]), 400,
         qr/^results\.criteria_scores: expected a score of one/,
         'a report without any score is refused');
$r = $t->get("/evaluations/$both[0]{evaluation_id}")->json;
is($r->{status}, 'processing',
   'an evaluation goes on when its report is refused');
status_is(report($both[0], [ undef, 64 ]), 200,
          'a report with one of two scores is taken');
$r = status_of($both[0]{evaluation_id});
is($r->{overall_score}, 64, 'the only score is the overall score');
is_deeply([ map { "$_->{score} $_->{judged_by}" } @{ $r->{criteria_scores} } ],
          ['64 worker'],
          'a criterion without a score is not among the scores');
is_deeply($r->{not_judged}, [ {
    criterion_id => $criteria[0]{criterion_id}, name => $criteria[0]{name},
    reason => 'As it is.' } ],
        'a criterion without a score is not judged, with a reason');
is($r->{coverage}, 0.5,
   'half of the weights is judged with one of two scores');
is_deeply($r->{review_reasons}, [],
          'an evaluation with one of two scores needs no review');
is($r->{summary}, 'Overall 64 of 100.',
   'an evaluation with one of two scores has a summary');
status_is(report($both[0], [ undef, 64 ]), 200,
          'a report with one of two scores is taken again');
status_is(report($both[1], undef), 200, 'a report of a failure is taken');
clips(1);
my ($left) = claimed({ max => 1 });
status_is(report($left, [ 64 ]), 200,
          'a report that leaves a criterion out is taken');
$r = status_of($left->{evaluation_id});
is_deeply([ map { $_->{criterion_id} } @{ $r->{not_judged} } ],
          [ $criteria[1]{criterion_id} ],
          'a criterion that is left out is not judged');
is($r->{not_judged}[0]{reason}, 'The worker sent no score of it.',
   'a criterion that is left out has a reason');
ok(!exists $r->{provenance}{overall},
   'the overall score of a worker is the mean, and not explained');
is(status_of($both[1]{evaluation_id})->{error}{code}, 'BROKEN',
   "an evaluation that a worker failed has the worker's code");

# Whatever looks at scores gets on without one.

clips(3);
my @videos = map { report($_, [ 50, 50 ]); $_->{content}{content_id} }
             claimed({ max => 3 });
my $batch  = $t->post('/batches/evaluate', json => {
    name => 'C', judge_ids => [$judge],
    content_items => [ map { { content_id => $_ } } @videos ],
})->json->{batch_id};
my @works = claimed({ max => 16 });
status_is(report($_, [ undef, 64 ]), 200,
          'a report on a batch without some scores is taken') for @works;
$r = $t->get("/batches/$batch")->json;
is("$r->{status} $r->{completed_evaluations}", 'completed 3',
   'a batch is completed with its last report');
is($r->{results_summary}{average_score}, 64,
   'a batch without some scores has an average');
$r = $t->get("/batches/$batch/results?format=csv");
status_is($r, 200, 'a batch without some scores is read as a table');
is(scalar(() = $r->body =~ /^(?:[^,\r\n]*,)*64,/mg), 3,
   'a table has a row for each result without some scores')
    or diag($r->body);
$r = $t->get("/batches/$batch/results?format=jsonl");
is(scalar(() = $r->body =~ /"not_judged":\[\{/g), 3,
    'lines of JSON name what is not judged');

my @said = ({ type => 'approval', content => {
    approved => JSON::PP::true } }, { type => 'correction', content => {
    corrected_scores => { $criteria[0]{criterion_id} => 30 } } });
$r = $t->post("/batches/$batch/feedback", json => { feedback_entries => [
    map { { evaluation_id => $works[$_]{evaluation_id}, %{ $said[$_] } } }
        0, 1 ] });
status_is($r, 201,
          'an approval and a score where there was none are feedback');
is(join(' ', map { $_->{status} } @{ $r->json->{validation_results} }),
   'accepted accepted', 'feedback on results without some scores is accepted');
status_is($t->get("/judges/$judge/agreement"), 200,
          'the agreement of a judge without some scores is read');

# Taken up again, it is claimed again, as if for the first time.

status_is($t->post("/evaluations/$both[1]{evaluation_id}/retry"), 200,
          'an evaluation that failed is retried');
my ($work) = claimed({});
is($work->{evaluation_id}, $both[1]{evaluation_id},
   'an evaluation that is retried is claimed again');
is($work->{attempt}, 1,
   'an evaluation that is retried begins with the first attempt');
status_is(report($work, [ 50, 50 ]), 200,
          'a report on an evaluation that was retried is taken');

# A batch takes them up again in the same way.

clips(1);
my ($shown) = claimed({});
report($shown, [ 50, 50 ]);
$batch = $t->post('/batches/evaluate', json => {
    name => 'D', judge_ids => [$judge],
    content_items => [ { content_id => $shown->{content}{content_id} } ],
})->json->{batch_id};
($work) = claimed({});
status_is($t->post("/work/$work->{evaluation_id}/release", json => {
    lease_id => $work->{lease_id} }), 204, 'work of a batch is given back');
($work) = claimed({ wait => 30 });
report($work, undef);
is(status_of($work->{evaluation_id})->{provenance}{given_back}, 1,
   'a failure says that the work was given back before');
status_is($t->post("/batches/$batch/retry"), 200,
          'a batch whose evaluation failed is tried again');
($work) = claimed({ wait => 30 });
is($work->{attempt}, 1,
   'work of a batch that is retried begins with the first attempt');
report($work, [ 50, 50 ]);
$r = status_of($work->{evaluation_id});
is($r->{provenance}{attempts}, 1,
   'the record of work that is retried counts its attempts anew');
ok(!exists $r->{provenance}{given_back},
   'the record of work that is retried forgets what was given back');

# --- What was measured teaches --------------------------------------------

# People think the dark ones worse than the worker does, and by how much.

sub light { return 10 + $_[0] * 37 % 71 }

# So many that each fold has enough to learn more than a line from.
my @taught = clips(80);
my %n      = map { ($taught[$_]{evaluation_id} => $_) } 0 .. $#taught;
while (my @more = claimed({ max => 16 })) {
    for my $w (@more) {
        my $n = $n{ $w->{evaluation_id} };
        $r = report($w, [ 70, 60 + $n % 7 ], features => {
            brightness => light($n), sharpness => 50, unknown => 3,
            contrast => 'none' });
        status_is($r, 200, 'a report with features is taken')
            if $r->status != 200;
    }
}
is($t->sql1('select count(*) from results where length(features) > 0'), 80,
   'the features of reports are kept');

for my $e (@taught) {
    my $n = $n{ $e->{evaluation_id} };
    $r = $t->post("/feedback/evaluation/$e->{evaluation_id}", json => {
        type => 'correction', content => { corrected_scores => {
            $criteria[0]{criterion_id} => 20 + light($n) * 0.8,
            $criteria[1]{criterion_id} => 60 + $n % 7 } } });
    status_is($r, 201, 'a correction of what a worker scored is taken')
        if $r->status != 201;
}

$t->feedback_processed;

my $job = $t->made('/training/jobs', 'job_id', json => {
    judge_id => $judge, training_type => 'full_retrain',
    training_config => {}, execution_options => {
        auto_deploy => JSON::PP::true } });
status_is($t->post("/training-jobs/$job/execute", json => {}), 200,
          'a training job for a judge of videos is executed');
my $trained = $t->job_ended($job);
is($trained->{status}, 'completed', 'a judge of videos learns')
    or diag(explain($trained));
is($trained->{results}{new_model_version}, '2',
   'a judge of videos that learned has a new version');

sub judged {
    my ($light, $score, %opt) = @_;

    my ($e) = clips(1);
    my ($w) = claimed({});
    is($w->{judge}{version}, 2,
       'an evaluation is claimed with the new version');
    my @args = ($w, [ $score, 63 ], $opt{bare} ? () : (features => {
        brightness => $light, sharpness => 50 }));
    status_is(report(@args), 200, 'a report on the new version is taken');
    status_is(report(@args), 200,
              'a report on the new version is taken twice');

    return status_of($e->{evaluation_id});
}

my ($dark, $fair) = (judged(12, 70), judged(78, 70));
my ($before, $after) = map { $_->{criteria_scores}[0] } $dark, $fair;
is($dark->{provenance}{calibrator}, $job,
   'the scores of a worker are moved by what was learned');
is($before->{raw_score}, 70, 'the score of the worker is kept as raw_score');
cmp_ok($before->{score}, '<', 45,
       'a dark video has a lower score by what was learned');
cmp_ok($after->{score}, '>', 65,
       'a bright video has no lower score by what was learned');
like($before->{feedback}, qr/^As it is\. People's scores moved this from 70/,
     'the feedback says that people moved the score');
like($before->{feedback}, qr/brightness: 12 \(-\d/,
    'the feedback says which feature moved the score');
my $mean = ($before->{score} + $dark->{criteria_scores}[1]{score}) / 2;
cmp_ok(abs($dark->{overall_score} - $mean), '<', 0.02,
       'the overall score is the mean of the scores that were moved');
my ($none) = @{ judged(12, undef)->{criteria_scores} };
is("$none->{criterion_id} $none->{judged_by}",
   "$criteria[0]{criterion_id} corrections",
   'what the worker can give no score has one by what was learned');
cmp_ok($none->{score}, '<', 45,
       'a dark video has a low score by what was learned alone');
ok(!exists $none->{raw_score},
   'a score by what was learned alone has no raw score');
my $bare = judged(0, 70, bare => 1);
is($bare->{criteria_scores}[0]{score}, 70,
   'a score without features is kept as it came');
is_deeply($bare->{review_reasons}, ['features_missing'],
          'a score without features needs review');
is_deeply($fair->{review_reasons}, [],
          'a score with all features needs no review');

done_testing;
