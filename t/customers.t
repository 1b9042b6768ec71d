# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Answers to a customer by what needs no model: grammar, spelling, respect, and
# what makes a text none to judge, with the customer's question beside them and
# without.

use utf8;

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

# --- Words of trades, sources in another language ---------------------------

sub judged {
    my ($name, $text, %metadata) = @_;
    my $id = $t->new_judge(criteria => [
        { name => $name, description => $name } ]);
    return $t->ended($t->new_evaluation(
        $id, $t->new_content($text, metadata => \%metadata)));
}

for my $text ('Take paracetamol or ibuprofen with water.',
              'Rinse the quinoa and serve it with kimchi.',
              'It is ok to call the office until 10 pm.')
{
    cmp_ok(judged(Spelling => $text)->{overall_score}, '>', 90,
           "nothing is misspelt: $text");
}

my $r = judged(Spelling => 'Our shop has a balayage and a balayage.');
like($r->{criteria_scores}[0]{feedback},
     qr/Found: 1\. unknown word: .balayage/,
     'what no list has is said to be unknown, once');

cmp_ok($r->{overall_score}, '>', judged(
           Spelling => 'Our shop has a baloon and a baloon.'
       )->{overall_score} + 20, 'it costs less than what is misspelt');

$r = judged(Faithfulness => 'On Monday, the board decided to close the plant.',
            source => 'Der Vorstand hat am Montag beschlossen, das Werk in'
                      . ' Kassel zum Jahresende zu schließen.');
is($r->{not_judged}[0]{reason}, 'metadata.source has no document in the'
   . ' language of the text.',
   'a translation is not measured by the words that it shares');

done_testing;
