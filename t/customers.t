# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Answers to a customer by what needs no model: grammar, spelling, respect, and
# what makes a text none to judge, with the customer's question beside them and
# without.

use Judge::Test;
use JSON::PP ();

my $t     = Judge::Test->new;
my $judge = $t->new_judge(criteria => [
    map { { name => $_, description => $_ } } qw(Grammar Spelling Respect) ]);

open my $in, '<', 't/data/answers/answers.jsonl' or die "answers: $!";
my @answers = map { JSON::PP->new->utf8->decode($_) } <$in>;
close $in;

is(scalar(grep { $_->{good} } @answers), 13,
   'there are thirteen good answers');
is(scalar(grep { !$_->{good} } @answers), 13,
   'there are thirteen bad answers');

# What is right by one criterion and wrong by another has a middling mean: the
# lowest criterion says that an answer is bad, the mean how it compares.

for my $with (1, 0) {
    my $beside = $with ? 'with the question' : 'without it';
    my $least  = 101;
    my $most   = -1;

    for my $x (@answers) {
        my $content = $t->new_content($x->{text}, !$with ? () : (
            metadata => { source => $x->{question} }));
        my $r = $t->ended($t->new_evaluation($judge, $content));
        my @each  = sort { $a <=> $b } map { $_->{score} }
                    @{ $r->{criteria_scores} };
        my $score = $r->{overall_score} // 0;
        my $flags = join ' ', map { $_->{flag} } @{ $r->{flags} // [] };
        my $name  = "$beside, $x->{kind}: " . substr($x->{text}, 0, 30);

        if ($x->{good}) {
            cmp_ok($each[0] // 0, '>=', 70,
                   "$name: each criterion gives 70 or more");
            is($flags, '', "$name: no flag says that it is no text");
            $least = $score if $score < $least;
        } elsif ($with || $x->{kind} !~ /copy|language/) {
            cmp_ok($each[0] // 0, '<=', 40,
                   "$name: a criterion gives 40 or less")
                or diag("@each, $flags");
            cmp_ok($score, '<=', 60, "$name: the overall score is at most 60");
            $most = $score if $score > $most;
        }
    }

    cmp_ok($most, '<', $least,
           "$beside each bad answer has less than each good one");
}

done_testing;
