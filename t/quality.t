# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The untrained builtin engine against what people said, where the data is at
# hand (JUDGE_DATA names the folder of the sets, which look as
# docs/development/quality.md says).  The least that is asked for is somewhat
# below what is measured, so that only a real loss fails.

use strict;
use warnings;

use File::Temp qw(tempdir);
use JSON::PP ();
use Test::More;

my $data = $ENV{JUDGE_DATA} // '../shared/data';

# Spearman's correlation, the mean of the criteria.
my %least = (ellipse => 0.58, summeval => 0.27, emobank => 0.29,
             clear => 0.66);

# The share of the pairs in which the better text scores higher.
my %pairs = (jfleg => [ grammar => 0.86 ], asset => [ plain => 0.83 ]);

my $json = JSON::PP->new->utf8;
my @sets = grep { my @files = glob "$data/$_/*.jsonl.gz"; @files }
           sort keys %least;

plan skip_all => "no scored texts in $data: set JUDGE_DATA" if !@sets;


# --- Texts with scores ------------------------------------------------------

my $table = qx(util/eval/quality @{[ map { "'$data/$_'" } @sets ]});
is($?, 0, 'util/eval/quality ends well');

for my $set (@sets) {
    my ($pearson, $spearman) =
        $table =~ /^\Q$set\E\s+\(mean\)\s+(\S+)\s+(\S+)$/m;

    cmp_ok($spearman // 0, '>=', $least{$set},
           "$set: scores follow people's as well as they did");
    diag($table) if ($spearman // 0) < $least{$set};
}

# A criterion that nothing measures counts as 0.
SKIP: {
    skip "no emobank in $data", 1 if !grep { $_ eq 'emobank' } @sets;
    like($table, qr/^emobank +dominance +0 +0\.000 +0\.000 /m,
         'what is not judged is judged in no text');
}


# --- Pairs, and texts of two kinds ------------------------------------------

sub lines {
    my ($set) = @_;
    return map { $json->decode($_) } map { qx(gzip -dc '$_') }
           glob "$data/$set/*.jsonl.gz";
}

# The scores of an aspect for these texts.

sub scores {
    my ($aspect, @texts) = @_;

    my $dir = tempdir(CLEANUP => 1);
    open my $to, '|-', "gzip > '$dir/texts.jsonl.gz'" or die "gzip: $!";
    print $to $json->encode({ text => $_, scores => {} }), "\n" for @texts;
    close $to or die 'gzip';

    my ($names, @rows) = map { [ split ] }
                         qx(util/eval/quality --values '$dir');
    my ($at) = grep { $names->[$_] eq $aspect } 0 .. $#$names;
    die "there is no aspect $aspect\n" if !defined $at;

    die "not a line for each text\n" if @rows != @texts;

    return map { $_->[$at] =~ /nan/ ? undef : $_->[$at] } @rows;
}

for my $set (sort keys %pairs) {
    SKIP: {
        my @pairs = lines($set);
        skip "no $set in $data", 1 if !@pairs;

        my ($aspect, $share) = @{ $pairs{$set} };
        my @scores = scores($aspect, map { @$_{qw(worse better)} } @pairs);
        my $right  = grep { ($scores[2 * $_ + 1] // 0)
                            > ($scores[2 * $_] // 0) } 0 .. $#pairs;

        cmp_ok($right / @pairs, '>=', $share,
               "$set: the share of pairs in order by $aspect");
    }
}

# What people prefer among two answers: where a comparison is decided.

SKIP: {
    skip "no prefer in $data", 1 if !lines('prefer');
    my ($right) = qx(util/eval/quality preferences '$data/prefer')
                  =~ /^overall(?:.*?%){4} +([\d.]+) %/m;
    cmp_ok($right // 0, '>=', 75,
           'prefer: a comparison that is decided is decided as people do');
}

# The area under the curve: a text without insults scores higher than one
# with them; half of those that score alike.

SKIP: {
    my @texts = lines('offensive');
    skip "no offensive in $data", 1 if !@texts;

    my @scores = scores('respect', map { $_->{text} } @texts);
    my @all    = sort { $scores[$a] <=> $scores[$b] }
                 grep { defined $scores[$_] } 0 .. $#texts;
    cmp_ok(scalar @all, '>=', 0.9 * @texts,
           'offensive: most texts are judged for respect');

    my ($above, $insults, $fine) = (0, 0, 0);

    while (@all) {
        my $score = $scores[$all[0]];
        my ($n, $m) = (0, 0);

        while (@all && $scores[$all[0]] == $score) {
            $texts[shift @all]{label} eq 'neither' ? $m++ : $n++;
        }

        $above += $m * ($insults + $n / 2);
        $insults += $n;
        $fine += $m;
    }

    cmp_ok($above / ($insults * $fine), '>=', 0.91,
           'offensive: those without insults score higher in respect');
}


# --- The tool ---------------------------------------------------------------

my ($first) = @sets;
is(qx(util/eval/quality '$data/$first'), qx(util/eval/quality '$data/$first'),
   'the tool prints the same for the same texts');

isnt(system("util/eval/quality '$data' 2>/dev/null"), 0,
     'the tool fails where there are no texts');
isnt(system('util/eval/quality 2>/dev/null'), 0,
     'the tool fails when no folder is named');
isnt(system("util/eval/quality --levels '$data/$first' 2>/dev/null"), 0,
     'the tool fails when it does not know an option');
like(qx(util/eval/quality --help), qr/^ *util\/eval\/quality .*DIR/m,
     '--help shows how the tool is called');

done_testing;
