# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# How sure scores are: intervals from what is known of judges in general, and
# from what people said about this one; and what they should look at next.

use Judge::Test;

my $t = Judge::Test->new;

my $judge   = $t->new_judge;
my $content = $t->new_content('It is so, because he says so. It is short.');

sub evaluation { $t->evaluated($t->new_evaluation($judge, $content)) }

# Bounds around a score.

sub around {
    my ($interval, $score, $width, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my ($low, $high) = ($score - $width, $score + $width);
    $low  = 0   if $low < 0;
    $high = 100 if $high > 100;
    ok(abs($interval->{low} - $low) < 0.011
       && abs($interval->{high} - $high) < 0.011, $name)
        or diag("$interval->{low} to $interval->{high}, not $low to $high");
}

my $first = evaluation();
my $score = $first->{criteria_scores}[0];
is_deeply([ @{ $score->{interval} }{qw(level basis n)} ],
          [ undef, 'prior', 0 ],
          'what nobody has corrected promises no level');
around($score->{interval}, $score->{score}, 45,
       'a criterion that nobody corrected has an interval of 45 points');
around($first->{interval}, $first->{overall_score}, 45,
       'a judge that nobody corrected has an interval of 45 points');


# --- Corrections ------------------------------------------------------------

# Each is one point farther from what was given, to the same side: of nine the
# largest counts, of twenty the nineteenth largest distance from their median.

my $side = $score->{score} > 50 ? -1 : 1;

sub correct {
    my ($by) = @_;

    my $e     = evaluation();
    my $score = $e->{criteria_scores}[0];
    my $right = $score->{score} + $side * $by;

    status_is($t->post("/feedback/evaluation/$e->{evaluation_id}", json => {
        type => 'correction', content => { corrected_scores => {
            $score->{criterion_id} => $right } },
    }), 201, "a score is corrected by $by points");
}

# Until so many corrections are known.

sub counted {
    my ($n) = @_;
    my $e;

    $t->wait_until(sub {
        $e = evaluation();
        return $e->{criteria_scores}[0]{interval}{n} == $n;
    }, "$n corrections are counted", 60);

    return $e;
}

correct($_) for 1 .. 8;
correct(9);

my $e = counted(9);
$score = $e->{criteria_scores}[0];
is_deeply([ @{ $score->{interval} }{qw(basis level)} ], [ 'corrections', 0.9 ],
          'nine of ten corrections lie within an interval of what people say');
around($score->{interval}, $score->{score}, 9,
       'of nine corrections the largest is the bound');

correct($_) for 10 .. 19;
$score = counted(19)->{criteria_scores}[0];
around($score->{interval}, $score->{score}, 18,
       'of nineteen corrections the eighteenth is the bound');

correct(20);
$e     = counted(20);
$score = $e->{criteria_scores}[0];
around($score->{interval}, $score->{score} + $side * 10.5, 9.5,
       'of twenty corrections the interval lies to their side');
around($e->{interval}, $e->{overall_score} + $side * 10.5 / 2, (9.5 + 45) / 2,
       'the overall interval is the mean of those of the criteria');

is($t->get("/evaluations/$first->{evaluation_id}")->json->{interval}{n}, 0,
   'an interval that was given stays as it was');

my $exact = $t->new_judge(review => { near_threshold => 60 }, criteria => [
    { name => 'Length', description => 'At most 40 words.' },
    { name => 'Name', description => 'It contains "Maier".' } ]);
$exact = $t->evaluated($t->new_evaluation($exact, $content));
ok(!exists $exact->{interval},
   'an overall score that checks alone decided has no interval');
is_deeply([ $exact->{overall_score}, $exact->{review_reasons} ], [ 50, [] ],
          'such a score is looked at by nobody because a threshold is near');



# --- What to look at next ---------------------------------------------------

my $other = $t->new_judge;
my %text  = $t->essays;
my @names = (sort keys %text)[0 .. 2];
my %id;

sub review { $t->get("/judges/$other/review" . ($_[0] // ''))->json }

is_deeply(review(), { judge_id => $other, waiting => 0, items => [] },
          'nothing waits for review before something was judged');

# Three texts, of which one is there three times.

for my $name (@names, ($names[0]) x 2) {
    push @{ $id{$name} }, $t->evaluated($t->new_evaluation($other,
        $t->new_content($text{$name})))->{evaluation_id};
}

my $all = review();
is_deeply([ $all->{waiting}, scalar @{ $all->{items} } ], [ 5, 5 ],
          'each evaluation waits for review once');

my %name  = map { my $n = $_; map { $_ => $n } @{ $id{$n} } } @names;
my @first = map { $name{$_->{evaluation_id}} } @{ $all->{items} };
is(join(' ', sort @first[0 .. 2]), join(' ', sort @names),
   'each text comes before the same one again');

my @gain = map { $_->{gain} } @{ $all->{items} };
cmp_ok($gain[0], '>', $gain[2], 'the text that teaches most comes first');
cmp_ok($gain[3], '<', $gain[2], 'a text that comes again teaches less');

my ($page, @seen);
do {
    $page = review('?limit=2' . ($page ? "&cursor=$page->{next_cursor}" : ''));
    push @seen, map { $_->{evaluation_id} } @{ $page->{items} };
} while ($page->{next_cursor});
is_deeply(\@seen, [ map { $_->{evaluation_id} } @{ $all->{items} } ],
          'pages of the review have each evaluation once');

status_is($t->post("/feedback/evaluation/$id{$names[1]}[0]", json => {
    type => 'approval', content => { approved => JSON::PP::true() } }), 201,
    'an evaluation is approved');
is(review()->{waiting}, 4, 'an approved evaluation does not wait for review');

error_is($t->get("/judges/$other/review?cursor=x"), 400, qr/^cursor: /,
         'a wrong cursor is refused');
error_is($t->get('/judges/jdg_x/review'), 404, qr/no such judge/,
         'an unknown judge has no review');

done_testing();
