# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Judges that leave to a language model what the built-in engine is not sure
# of: who decides, what stands in the records, and what people say of it.

use Judge::Test;
use Judge::OpenAI;
use Judge::Traffic;

my %server = (
    main  => Judge::OpenAI->start(models => ['main'], verdict => \&high),
    error => Judge::OpenAI->start(models => ['error'],
                                  script => [('error') x 100]),
);

my $t = Judge::Test->new(
    server => join('', map { $server{$_}->location($_, "served=$_") }
                      sort keys %server)
        . "location = /passes { default_type text/plain; return 200 '"
        . ('The wheel turns and turns. ' x 9) . "'; judge_traffic $JUDGED"
        . " mode=guard min=0; }",
    orgs   => 2,
);

my $text = 'The mill stands by the river. It grinds rye for the village,'
           . ' and its wheel has turned for two hundred years.';



sub high {
    my $v = Judge::OpenAI::verdict($_[0]);
    $_->{score} = 93 for values %{ $v->{criteria} };
    return $v;
}


# A judge that escalates so, and what it says of a text.

sub judge_that {
    my ($model, %when) = @_;

    return $t->new_judge(escalate => { model => $model, when => \%when });
}

sub evaluate {
    my ($judge, %fields) = @_;

    return $t->evaluated($t->new_evaluation($judge, $t->new_content($text),
                                            %fields));
}

sub asked { scalar $server{main}->requests }


# --- What passes is not left to anybody --------------------------------------

asks($t, judge => judge_that('main', sample => 1));
my $passed = ask(GET => '/passes');
ok($passed->header('Judge-Score') > 0, 'an answer that passes has a score');
my $own = $t->evaluated($passed->header('Judge-Evaluation'));
is($own->{overall_score}, $passed->header('Judge-Score'),
   'the score of an answer that passes is that of the engine');
is(asked(), 0, 'no model is asked about an answer that passes');

# --- Who decides ------------------------------------------------------------

my $plain = evaluate($t->new_judge);

ok(!exists $plain->{decided_by},
   'decided_by is left out where a judge has no choice');

my $wide = judge_that('main', interval_wider_than => 10);
my $r    = evaluate($wide);

is($r->{engine}, 'llm/1', 'what is not sure enough is left to the model');
is($r->{overall_score}, 93, 'the score of the model counts');
is_deeply($r->{decided_by}, {
    engine => 'llm', judge_version => 1, model => 'main',
    why => 'interval_wide', builtin_score => $plain->{overall_score} + 0,
}, 'decided_by has the model, why, and what the engine had said');
is(asked(), 1, 'the model is asked one question');
is($r->{provenance}{attempts}, 1, 'the first look is no attempt');

$r = evaluate(judge_that('main', near_threshold => $plain->{overall_score}));
is($r->{decided_by}{why}, 'near_threshold',
   'a score near a threshold is left to the model');

$r = evaluate(judge_that('main', sample => 1));
is($r->{decided_by}{why}, 'sample', 'a sample is left to the model');

my $n    = asked();
my $sure = judge_that('main', interval_wider_than => 100);
$r = evaluate($sure);

like($r->{engine}, qr{^builtin/}, 'what is sure enough stays with the engine');
is_deeply($r->{decided_by}, { engine => 'builtin', judge_version => 1,
                              why => 'sure_enough' },
          'decided_by says that the engine was sure enough');
is_deeply([ map { $_->{score} } @{ $r->{criteria_scores} } ],
          [ map { $_->{score} } @{ $plain->{criteria_scores} } ],
          'what is sure enough has the scores of any judge');
is(asked(), $n, 'no model is asked about what is sure enough');

$r = evaluate(judge_that('error', sample => 1));
is($r->{status}, 'completed', 'where the model fails, nothing else does');
is($r->{overall_score}, $plain->{overall_score},
   'the first score counts where the model fails');
is($r->{decided_by}{why}, 'model_failed',
   'decided_by says that the model failed');
is($r->{provenance}{fallback_model}, 'builtin',
   'provenance says that the engine took its place');

$n = asked();
$r = evaluate($sure, model => 'main');
like($r->{engine}, qr{^builtin/},
     'a model that the request names is not asked what is measured');
is(asked(), $n, 'no model is asked what is measured');
ok(!exists $r->{decided_by},
   'a model that the request names is no choice of the judge');

$r = evaluate($t->new_judge(
    escalate => { model => 'main', when => { interval_wider_than => 100 } },
    criteria => [
        { name => 'Grammar', description => 'Correct grammar.' },
        { name => 'Wit', description => 'It makes the reader smile.' } ]),
    model => 'main');
is($r->{engine}, 'llm/1', 'a model that the request names judges the rest');
is_deeply([ map { $_->{judged_by} } @{ $r->{criteria_scores} } ],
          [ 'measures', 'model' ], 'each score says who gave it');
is($r->{criteria_scores}[1]{score}, 93,
   'the model scores what is not measured');
is($r->{criteria_scores}[0]{score},
   (map { $_->{score} } grep { $_->{name} eq 'Grammar' }
        @{ $plain->{criteria_scores} })[0],
   'the engine scores what is measured');
ok(!exists $r->{decided_by}, 'judging by both is no choice of the judge');

status_is($t->put('/config/llm', json => { default_model => 'error' }), 200,
          'an organization may have a default model of its own');
like(evaluate($sure)->{engine}, qr{^builtin/},
   'a judge that escalates begins with the built-in engine');
$t->put('/config/llm', json => { default_model => 'builtin' });


# --- Batches and metrics ----------------------------------------------------

my $record = $t->batch_completed($t->new_batch([ $wide, $sure ], [
    map { "$text It has $_ wheels." } 1 .. 4 ]));
is($record->{completed_evaluations}, 8,
   'a batch of both kinds of judges ends with all evaluations');
is($record->{results_summary}{escalated}, 4,
   'a batch says how many evaluations were left to the model');

my $batch = $t->new_batch($sure, [$text]);
ok(!exists $t->get("/batches/$batch")->json->{results_summary}{escalated},
   'a batch of which none was left to a model says nothing of it');

metrics_like($t, qr/^judge_escalations_total\{[^}]*decided="model"\} 8$/m,
             'metrics count what was left to a model');
metrics_like($t,
             qr/^judge_escalations_total\{[^}]*decided="builtin"\} [6-9]$/m,
             'metrics count what a model was spared');


# --- What people say --------------------------------------------------------

my $mixed = judge_that('main', sample => 0.5);
my (@rows, %engines);

# Enough of both, by whom chance would have it.

for (my $i = 1; $i <= 16 || grep { ($engines{$_} // 0) < 4 } qw(llm builtin);
     $i++)
{
    $r = $t->evaluated($t->new_evaluation($mixed, $t->new_content(
             $text . (' The miller is proud of it.' x ($i % 5)))));
    push @rows, $r;
    $engines{ $r->{decided_by}{engine} }++;
    status_is($t->post("/feedback/evaluation/$r->{evaluation_id}", json => {
        type => 'correction', content => { corrected_scores => {
            map { $_->{criterion_id} => 90 + $i % 3 }
                @{ $r->{criteria_scores} } } } }), 201,
              "a person corrects text $i");
}
cmp_ok(scalar @rows, '<', 99, 'half of the texts are a sample');

$t->feedback_processed;

my $e = $t->get("/judges/$mixed/agreement")->json->{escalation};

is_deeply({ map { $_ => $e->{$_}{items} + 0 } qw(as_decided builtin_alone
                                                 model builtin_there) },
          { as_decided => scalar @rows, builtin_alone => scalar @rows,
            model => $engines{llm}, builtin_there => $engines{llm} },
          'agreement counts what both, the engine and the model decided');
ok($e->{model}{rmse}{value} < 4 && $e->{model}{rmse}{value}
   < $e->{builtin_there}{rmse}{value},
   'the model is nearer to this person than the engine');
ok($e->{as_decided}{rmse}{value} < $e->{builtin_alone}{rmse}{value},
   'both together are nearer to this person than the engine alone');
ok(!exists $t->get("/judges/$wide/agreement")->json->{escalation},
   'there is no agreement on what nobody corrected');


# --- The field --------------------------------------------------------------

is_deeply($t->get("/v1/judges/$mixed")->json->{escalate},
          { model => 'main', when => { sample => 0.5 } },
          'a judge is read with its escalation');
my $changed = $t->put("/judges/$mixed", json => { escalate => {} });
status_is($changed, 200, 'the escalation of a judge is taken away');
like($t->get("/judges/$mixed/versions")->json->{versions}[0]{changes_summary},
     qr/^changed when a language model is asked/,
     'versions say that the escalation changed');
ok(!exists $t->get("/v1/judges/$mixed")->json->{escalate},
   'a judge without escalation has no such field');
like(evaluate($mixed)->{engine}, qr{^builtin/},
     'a judge without escalation has the built-in engine');

sub refused {
    my ($fields, $like, $what) = @_;
    error_is($t->post('/v1/judges', json => {
        name => 'J', description => 'D', content_type => 'text', criteria =>
        [ { name => 'Grammar', description => 'Clear.' } ], %$fields }), 400,
        $like, "an escalation is refused: $what");
}

refused({ escalate => { model => 'nobody', when => { sample => 1 } } },
        qr/^escalate\.model: expected the name of a language model that is/,
        'a model that nobody has configured');
refused({ escalate => { when => { sample => 1 } } },
        qr/^escalate\.model: expected the name/, 'no model');
refused({ escalate => { model => 'main' } },
        qr/^escalate\.when: expected interval_wider_than, near_threshold/,
        'no condition');
refused({ escalate => { model => 'main', when => {} } },
        qr/^escalate\.when: expected interval_wider_than/, 'an empty one');
refused({ escalate => { model => 'main', when => { sample => 1.5 } } },
        qr/^escalate\.when\.sample: /, 'more than all');
refused({ content_type => 'image',
          escalate => { model => 'main', when => { sample => 1 } } },
        qr/^escalate: expected none; only texts/, 'a judge of images');

done_testing;
