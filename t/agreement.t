# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# How well a judge agrees with people, by what texts they are about, and how
# well people agree with each other.

use List::Util qw(sum);

use Judge::Test;

my $t = Judge::Test->new;

my $judge = $t->new_judge;
my @keys  = (undef, map { scalar $t->new_key } 2, 3);

my @topics = ('frost', 'bread', 'trains', 'taxes', 'whales', 'glass');
my (@rows, @said);

for my $i (0 .. $#topics) {
    my $content = $t->new_content(
        "Of $topics[$i] much can be said. It is what many people live with, "
        . ('and some of them work on it day by day. ' x ($i + 1)),
        metadata => { language => $i < 4 ? 'en' : 'de', draft => $i % 2 == 0
                      ? JSON::PP::true() : JSON::PP::false(),
                      deep => { er => 1 } });
    push @rows, $t->evaluated($t->new_evaluation($judge, $content));
}

my @criteria = @{ $rows[0]{criteria_scores} };

# The second and the third person share a key, and have a name each.

sub correct {
    my ($i, $person, @scores) = @_;
    status_is($t->post("/feedback/evaluation/$rows[$i]{evaluation_id}",
        $person ? (key => $keys[1]) : (), json => {
            $person ? (submitted_by_person => "person $person") : (),
            type => 'correction', content => { corrected_scores => {
                map { $criteria[$_]{criterion_id} => $scores[$_] }
                    0 .. $#scores } } }), 201,
        "person $person corrects text $i");
}

# Of the first criterion three people on some texts; one of them has second
# thoughts.  Of the second one person, everywhere.

my @people = ([ 20, 30 ], [ 40, 50, 60 ], [ 55, 40 ], [ 80, 70, 90 ],
              [ 35 ], [ 62 ]);

for my $i (0 .. $#people) {
    for my $person (0 .. $#{ $people[$i] }) {
        correct($i, $person, $people[$i][$person], $person ? () : 50);
    }
}
correct(2, 1, 46);
my @together = map { sum(@$_) / @$_ } @people;
$together[2] = (55 + 40 + 46) / 3;
$people[2][1] = (40 + 46) / 2;

$t->feedback_processed;

my $a;
$t->wait_until(sub {
    $a = $t->get("/judges/$judge/agreement?slice=metadata.language")->json;
    return $a->{evaluations} == 6
           && ($a->{criteria}[0]{people}{items} // 0) == 4
           && abs($a->{criteria}[0]{people}{krippendorff_alpha}{value}
                  - alpha(@people)) < 1e-4;
}, 'all corrections are counted, and alpha is that of all pairs', 60);


# --- Alpha, by all pairs ----------------------------------------------------

# The mean squared difference of two scores of the same item, each item by its
# scores that can be paired, over that of any two scores.

sub alpha {
    my @units = grep { @$_ > 1 } @_;
    my @all   = map { @$_ } @units;
    my ($seen, $chance) = (0, 0);

    for my $unit (@units) {
        $seen += squares(@$unit) / (@$unit - 1);
    }
    $chance = squares(@all) / (@all - 1);

    return 1 - $seen / $chance;
}

sub squares {
    my @v   = @_;
    my $sum = 0;
    for my $x (@v) {
        $sum += ($x - $_) ** 2 for @v;
    }
    return $sum;
}

my $first = $a->{criteria}[0];
is($first->{items}, 6, 'agreement is over all texts');
near_is($first->{krippendorff_alpha}{value}, alpha(map {
    [ $rows[$_]{criteria_scores}[0]{score}, $together[$_] ]
} 0 .. 5), 'alpha is that of the judge and people', 0.001);

ok(defined $first->{people}{rmse}{value},
   'rmse says how far one person is off the others');
ok(!exists $first->{people}{bias}, 'people have no bias among each other');
ok(!exists $a->{criteria}[1]{people}, 'one person has nobody to agree with');
is($a->{mean}{people}{items}, 4, 'the mean has the agreement of people, too');


# --- Slices -----------------------------------------------------------------

is_deeply([ map { [ $_->{value}, $_->{items} ] } @{ $a->{slices} } ],
          [ [ 'en', 4 ], [ 'de', 2 ] ], 'slices come with the largest first');
is($a->{slices_in_all}, 2, 'slices_in_all counts the slices');
ok(defined $a->{slices}[0]{rmse}{low}, 'a slice has an interval');

my $again = $t->get("/judges/$judge/agreement?slice=metadata.language")->json;
is_deeply($again, $a, 'agreement is the same again, to the digit');

sub sliced { $t->get("/judges/$judge/agreement?slice=$_[0]")->json }

is_deeply([ sort map { $_->{value} } @{ sliced('metadata.draft')->{slices} } ],
          [ 'false', 'true' ], 'a slice can be of true or false');
is_deeply(sliced('metadata.deep')->{slices}, [], 'an object is no slice');
is_deeply(sliced('metadata.none')->{slices}, [],
          'a member that is missing makes no slice');
ok(!exists $t->get("/judges/$judge/agreement")->json->{slices},
   'no slices are given unless asked for');

for my $wrong ('language', 'metadata.', 'metadata') {
    error_is($t->get("/judges/$judge/agreement?slice=$wrong"), 400,
             qr/^slice: expected metadata\. and the name of a member/,
             "slice=$wrong is refused");
}

my $nameless = $t->new_key(permissions => 'feedback:read');
is_deeply([ map { scalar grep { exists $_->{content_name} } map {
                @{ $_->{disagreements} } } $t->get("/judges/$judge/agreement",
                                                   key => $_)->json }
            $nameless, $nameless ], [ 0, 0 ],
          'disagreements name no contents to a key that may not read them');
ok(!grep({ !exists $_->{content_name} }
         @{ $t->get("/judges/$judge/agreement")->json->{disagreements} }),
   'disagreements name contents to a key that may read them');

# --- Remembered, until somebody corrects something ---------------------------

# How many of so many requests are given what is remembered; for a while only,
# and by a worker that was asked before.

sub given {
    my ($n) = @_;
    my $before = $t->metric('judge_answers_remembered_total');
    $t->get("/judges/$judge/agreement") for 1 .. $n;
    return $t->metric('judge_answers_remembered_total') - $before;
}

$t->comes_true(sub { given(10) >= 8 },
               'each worker measures the agreement once');
$t->comes_true(sub {
    $t->new_evaluation($judge, $t->new_content('Of owls much can be said.'));
    given(4) == 4;
}, 'the agreement stays measured whatever else is written');

correct(5, 2, 70);
$t->wait_until(sub {
    my @people = map { $_->get("/judges/$judge/agreement")->json->{criteria}[0]
                         {people}{items} } ($t) x 4;
    return 4 == grep { $_ == 5 } @people;
}, 'what was said since is in it');

done_testing();
