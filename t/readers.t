# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The readers of JSON and CSV against Python's and against yajl alone, by
# documents that t/diff/readers.py makes: the same are taken, with the same
# values.  By two seeds that stay; JUDGE_TEST_SEED is
# one more.

use strict;
use warnings;

use Test::More;

my $reader = 'build/t/diff/reader';
my @python = `python3 -c 'import sys; print(sys.version_info >= (3, 9))' 2>&1`;

plan skip_all => 'there is no Python 3.9' if ($python[0] // '') !~ /^True/;
plan skip_all => "$reader is not built"  if !-x $reader;

for my $kind (qw(json csv)) {
    for my $seed (1, 20779, $ENV{JUDGE_TEST_SEED} // ()) {
        my $out = `t/diff/readers.py $kind $reader $seed 5000 2>&1`;

        is($?, 0,
           "both readers read the $kind of seed $seed alike") or diag($out);
        note($out);

        # Neither all nor none of them.
        my ($taken) = $out =~ /^(\d+) taken/m;
        cmp_ok(abs(2500 - ($taken // 0)), '<', 2000,
               "of the $kind of seed $seed, some are taken and some refused");
    }
}

done_testing;
