# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The untrained builtin engine against human scores, where the data is at
# hand (JUDGE_DATA names the folder of the sets; docs/quality.md says how one
# looks).  The least that is asked for is well below what is measured, so
# that only a real loss fails.

use strict;
use warnings;

use Test::More;

my $data  = $ENV{JUDGE_DATA} // '../shared/data';
my %least = (ellipse => 0.55, summeval => 0.30, emobank => 0.28);
my @sets  = grep { glob "$data/$_/*.jsonl.gz" } sort keys %least;

plan skip_all => "no scored texts in $data: set JUDGE_DATA" if !@sets;

my $table = qx(util/quality @{[ map { "'$data/$_'" } @sets ]});
is($?, 0, 'util/quality ends well');

for my $set (@sets) {
    my ($pearson, $spearman) =
        $table =~ /^\Q$set\E\s+\(mean\)\s+(\S+)\s+(\S+)$/m;

    cmp_ok($spearman // 0, '>=', $least{$set},
           "$set: mean Spearman over the criteria");
    diag($table) if ($spearman // 0) < $least{$set};
}

my $left = qx(util/quality --leave-one-out @{[ map { "'$data/$_'" } @sets ]});

for my $set (@sets > 1 ? @sets : ()) {
    my ($spearman) = $left =~ /^\Q$set\E\s+\(mean\)\s+\S+\s+(\S+)$/m;

    cmp_ok($spearman // 0, '>=', $least{$set} - 0.02,
           "$set: likewise, compared with the other sets only");
}

like(qx(util/quality --reference '$data/$sets[0]'),
     qr/^words \S+ \S+\n    \S+:-\S+ /m, 'a reference is made of a set');

my ($first) = @sets;
is(qx(util/quality '$data/$first'), qx(util/quality '$data/$first'),
   'the same again');

isnt(system("util/quality '$data' 2>/dev/null"), 0, 'no texts, no success');
isnt(system('util/quality 2>/dev/null'), 0, 'no folder, no success');
like(qx(util/quality --help), qr/^ *util\/quality .*DIR/m, 'help');

done_testing;
