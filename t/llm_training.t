# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What a language model has judged can be learned from as well as what the
# built-in engine has: texts are measured all the same.

use Judge::Test;
use Judge::OpenAI;

my $llm = Judge::OpenAI->start;
my $t   = Judge::Test->new(server => $llm->location('m'));

my %essays = $t->essays;
my @words  = split ' ', join ' ', map { $essays{$_} } sort keys %essays;
my @texts  = map { join(' ', @words[$_ * 7 .. $_ * 7 + 10 + $_ * 5]) . '.' }
             0 .. 29;

# People find long texts better than short ones.

sub correct {
    my ($batch) = @_;

    my $n = 0;
    my @entries = map {
        my $score = 20 + 2 * $n++;
        { evaluation_id => $_->{evaluation_id}, type => 'correction',
          content => { corrected_scores => { map {
              $_->{criterion_id} => $score } @{ $_->{criteria_scores} } } } }
    } $t->batch_results($batch);
    status_is($t->post("/batches/$batch/feedback",
                       json => { feedback_entries => \@entries }), 201,
              'all corrections of the batch are taken');
}

sub train {
    my ($judge) = @_;

    my $id = $t->made('/training/jobs', 'job_id', json => {
        judge_id => $judge, training_type => 'full_retrain',
        training_config => {},
        execution_options => { auto_deploy => JSON::PP::true } });
    status_is($t->post("/training-jobs/$id/execute", json => {}), 200,
              'a training job is executed');
    my $job = $t->job_ended($id);
    is($job->{status}, 'completed', 'the training job completes');

    my $log = JSON::PP->new->canonical->encode($job);
    my ($learned, $features) = $log
        =~ /(\d+) evaluations with scores by people.*?; (\d+) features/;
    return ($id, $learned, $features, $log);
}



# --- The built-in engine ----------------------------------------------------

my $builtin = $t->new_judge;
my $batch = $t->judged_batch($builtin, \@texts, model => 'builtin');
correct($batch);
my (undef, undef, $measured) = train($builtin);
cmp_ok($measured, '>', 30,
       'the built-in engine measures more than 30 features');

# --- A model ----------------------------------------------------------------

# Half of what is learned from was answered by the model, and half by what it
# had answered before: both were measured.

my $judge = $t->new_model_judge;
my @same  = map { { content_id => $_ } }
            @{ $t->get("/batches/$batch")->json->{content_ids} };

for my $cached (0, 1) {
    $batch = $t->judged_batch($judge, \@same, model => 'm');
    is(scalar(grep { $_->{engine} =~ /^llm/
                     && !!$_->{provenance}{cached} == !!$cached }
              $t->batch_results($batch)),
       scalar @texts, $cached ? 'stored answers' : 'answers');
    correct($batch);
}

my ($job, $learned, $features, $log) = train($judge);
is($features, $measured, 'the same features are measured for a model');
is($learned, 2 * @texts,
   'the job learns from answers and from stored answers');
unlike($log, qr/measured in different ways/,
       'all evaluations count as measured in one way');

my $content = $t->new_content(join ' ', @words[300 .. 370]);
my $e = $t->evaluated($t->post('/evaluations/single', json => {
    judge_id => $judge, content_id => $content, model => 'm' })
    ->json->{evaluation_id});
is($e->{provenance}{calibrator}, $job,
   'the next evaluation uses what was learned');
is($e->{criteria_scores}[0]{raw_score}, 71,
   'the raw score is that of the model');
cmp_ok($e->{criteria_scores}[0]{score}, '!=', 71,
       'what was learned moves the score of the model');
like($e->{criteria_scores}[0]{feedback},
     qr/moved this from 71\.0 to [\d.]+\. Speaks \w+ it: [a-z].* \([-+]\d/,
     'the feedback names what moved the score most');

# Another model has other habits.

for ([ samples => 2, $job, 'more samples keep what was learned' ],
     [ model => 'm', undef, 'another model has nothing learned yet' ])
{
    my ($field, $value, $calibrator, $name) = @$_;
    status_is($t->put("/judges/$judge", json => { $field => $value }), 200,
              "a new version with another $field is made");
    $e = $t->evaluated($t->post('/evaluations/single', json => {
        judge_id => $judge, content_id => $content, model => 'm' })
        ->json->{evaluation_id});
    is($e->{provenance}{calibrator}, $calibrator, $name);
}
status_is($t->post("/judges/$judge/versions/2/activate"), 200,
          'version 2, with what was learned, becomes active again');

# What was learned about a model says nothing about its fallback.

$t->put('/config/llm', json => { fallback_models => ['builtin'] });
$llm->stop;
$e = $t->ended($t->post('/evaluations/single', json => {
    judge_id => $judge, content_id => $content, model => 'm',
    cache => JSON::PP::false })->json->{evaluation_id});
is($e->{provenance}{fallback_model}, 'builtin',
   'the built-in engine stands in for a model that is gone');
is($e->{provenance}{calibrator}, undef,
   'what was learned about a model is not used for its fallback');
is_deeply([ scalar @{ $e->{criteria_scores} // [] },
            scalar @{ $e->{not_judged} } ], [ 0, 2 ],
          'a fallback gives no score where it measures nothing');

done_testing;
