# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What people would give on average, out of all scores and the few that they
# corrected, against the formulas of prediction-powered inference.

use List::Util qw(sum);

use Judge::Test;

my $t = Judge::Test->new;

my ($judge, $other) = ($t->new_judge, $t->new_judge(name => 'Other'));
my ($plain, $slips) = $t->evening;

# Texts with none to six sentences that have slips.

sub text {
    my ($i) = @_;
    return join ' ', "This is evening $i.",
        map { ($_ < $i * 5 % 7 ? $slips : $plain)->[($_ + $i) % 6] } 0 .. 5;
}


# --- A batch of 40, of which 24 are corrected -------------------------------

my $batch = $t->judged_batch($judge, [ map { text($_) } 1 .. 40 ]);
my @rows  = sort { $a->{evaluation_id} cmp $b->{evaluation_id} }
            @{ $t->get("/batches/$batch/results")->json->{results} };
my ($first, $second) = map { $_->{criterion_id} }
                       @{ $rows[0]{criteria_scores} };

sub correct {
    my ($row, $content, %opt) = @_;
    my $r = $t->post("/feedback/evaluation/$row->{evaluation_id}", %opt,
        json => { type => 'correction', content => $content });
    status_is($r, 201, 'a correction is taken') if $r->status != 201;
}

my $empty = $t->get("/judges/$judge/estimate")->json;
is_deeply([ @$empty{qw(evaluations corrected)} ], [ 40, 0 ],
          'an estimate counts all evaluations before any is corrected');
ok(!exists $empty->{overall}{human_mean},
   'nothing is estimated without corrections');
near_is($empty->{overall}{given_mean}, mean(map { $_->{overall_score} } @rows),
        'given_mean is that of the scores', 0.011);

# Two people on some of them; what they say counts as its mean.  One of them
# gives an overall score; else it follows from the criterion.

my $person = $t->new_key;
my (%human, %given);

for my $i (0 .. 23) {
    my $row   = $rows[$i];
    my $score = $row->{criteria_scores}[0]{score};
    my $said  = 10 + 0.7 * $score + $i % 6;

    correct($row, { corrected_scores => { $first => $said } });
    if ($i % 4 == 0) {
        correct($row, { corrected_scores => { $first => $said + 4 } },
                key => $person);
        $said += 2;
    }
    $given{first}[$i]   = $score;
    $human{first}[$i]   = $said;
    $given{overall}[$i] = $row->{overall_score};
    $human{overall}[$i] = $row->{overall_score} + ($said - $score) / 2;
}
correct($rows[23], { corrected_overall_score => 33 });
$human{overall}[23] = 33;

$t->feedback_processed;


# --- By the formulas --------------------------------------------------------

sub mean { sum(@_) / @_ }

sub products {
    my ($x, $y) = @_;
    my ($mx, $my) = (mean(@$x), mean(@$y));
    return sum(map { ($x->[$_] - $mx) * ($y->[$_] - $my) } 0 .. $#$x);
}

# The scores that were corrected, and the others.
sub by_hand {
    my ($human, $given, $others) = @_;
    my ($n, $m) = (scalar @$human, scalar @$others);
    my @all     = (@$given, @$others);
    my $lambda  = products($human, $given) / ($n - 1)
                  / ((1 + $n / $m) * products(\@all, \@all) / ($n + $m - 1));
    return ($lambda,
            mean(@$human) + $lambda * (mean(@$others) - mean(@$given)));
}

my $e = $t->get("/judges/$judge/estimate")->json;
is($e->{corrected}, 24, 'an estimate counts evaluations with a correction');
is($e->{sampling}, 'unknown',
   'an estimate says that nobody knows how texts were chosen');
ok($e->{complete}, 'an estimate of 40 evaluations has read all');

my @rest = @rows[24 .. 39];

for (['first', $e->{criteria}[0],
      [ map { $_->{criteria_scores}[0]{score} } @rest ]],
     ['overall', $e->{overall}, [ map { $_->{overall_score} } @rest ]])
{
    my ($name, $got, $others) = @$_;
    my ($lambda, $mean) = by_hand($human{$name}, $given{$name}, $others);
    near_is($got->{lambda}, $lambda, "lambda of $name is by the formula",
            0.011);
    near_is($got->{human_mean}, $mean,
            "human_mean of $name is by the formula", 0.011);
    is($got->{corrections}, 24, "all corrections of $name are counted");
    ok($got->{low} < $mean && $got->{high} > $mean && $got->{holds},
       "the mean of $name is within an interval that holds");
}
is($e->{criteria}[1]{corrections}, 0,
   'the second criterion has no corrections');
ok(!exists $e->{criteria}[1]{human_mean},
   'nothing is estimated of a criterion without corrections');

# Without the judge the interval would be that of the corrections.
my $alone = 2 * 1.714 * sqrt(products($human{first}, $human{first}) / 23 / 24);
cmp_ok($e->{criteria}[0]{high} - $e->{criteria}[0]{low}, '<', $alone,
       'a judge that is bent, but knows, makes the interval narrower');


# --- Batches and whiles -----------------------------------------------------

my $of = $t->get("/batches/$batch/estimate")->json;
is(delete $of->{batch_id}, $batch, 'the estimate of a batch names it');
is_deeply($of, $e, 'the estimate of a batch is of its evaluations');

my $second_batch = $t->judged_batch([ $judge, $other ],
                                    [ map { text($_) } 1 .. 6 ]);
error_is($t->get("/batches/$second_batch/estimate"), 400,
         'judge_id: required, for the batch has several judges',
         'a batch of two judges needs one of them named');
error_is($t->get("/batches/$second_batch/estimate?judge_id=jdg_x"), 400,
         'judge_id: expected one of the judges of the batch',
         'a judge that is not of the batch is refused');
$of = $t->get("/batches/$second_batch/estimate?judge_id=$other")->json;
is_deeply([ @$of{qw(evaluations corrected)} ], [ 6, 0 ],
          'the estimate of one judge in a batch leaves out all others');

is($t->get("/judges/$judge/estimate")->json->{evaluations}, 46,
   'the estimate of a judge counts evaluations of all batches');
my $between = $t->get("/batches/$second_batch")->json->{created_at};
my $while = $t->get("/judges/$judge/estimate?from=$between")->json;
is("$while->{evaluations} $while->{corrected}", '6 0',
   'from= leaves out what came before');
$while = $t->get("/judges/$judge/estimate?to=$between")->json;
is("$while->{evaluations} $while->{corrected}", '40 24',
   'to= leaves out what came later');
error_is($t->get("/judges/$judge/estimate?from=$between&to=$between"), 400,
         'to: expected a time after that of from',
         'a time that ends where it begins is refused');
status_is($t->get("/judges/$judge/estimate?from=yesterday"), 400,
          'a time that is none is refused');
status_is($t->get('/judges/jdg_01K2Y7QH4E8ZV5N3T6W9B0C1D2/estimate'), 404,
          'an unknown judge has no estimate');


# --- More than are read one by one ------------------------------------------

# Copies of one evaluation, whose identifiers lie behind all others.

my $like = $rows[0]{evaluation_id};
for (['evaluations', 'id'], ['results', 'evaluation_id']) {
    my ($table, $id) = @$_;
    my @columns = $t->columns($table);
    $t->alter("with recursive n(i) as (select 1 union all select i + 1 from n"
        . " where i < 20100) insert into $table (" . join(', ', @columns)
        . ') select ' . join(', ', map { $_ eq $id
              ? "'evl_ZZ" . '0' x 16 . "' || (10000000 + i)"
              : $_ eq 'batch_id' || $_ eq 'batch_seq' ? 'null' : $_ } @columns)
        . " from n, $table where $id = '$like'");
}

my $many = $t->get("/judges/$judge/estimate")->json;
ok(!$many->{complete}, 'an estimate of 20,146 evaluations has not read all');
is($many->{evaluations}, int(20146 / 3),
   'a third of 20,146 evaluations is read');
cmp_ok(abs($many->{overall}{given_mean} - $rows[0]{overall_score}), '<', 0.5,
       'a third of 20,146 evaluations is nearly all copies');
is($many->{corrected}, 24, 'all corrections count although a third is read');

done_testing;
