# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Crossed pairs: the same two texts by two criteria, in opposite order, so that
# a reader who never sees the criterion is right in half of them.  The least
# that is asked for is somewhat below what is measured.

use strict;
use warnings;

use File::Temp ();
use Test::More;

my %least = (all => [58, 94], checks => [100, 97], measures => [80, 90]);

my $table = qx(util/eval/quality pairs t/data/pairs/pairs.jsonl);
is($?, 0, 'util/eval/quality pairs ends well');
diag($table);

for my $row (sort keys %least) {
    my ($judged, $right) = $table =~ /^$row +\d+ +(\S+) % +(\S+) %/m;

    cmp_ok($judged // 0, '>=', $least{$row}[0],
           "as large a share of $row is judged as is asked for");
    cmp_ok($right // 0, '>=', $least{$row}[1],
           "as many pairs of $row are right by 3 points as are asked for");
}

like($table, qr/^all +120 /m, '120 comparisons are made, two of each pair');
like($table, qr/^right in 50\.0 % of all, whoever/m,
     'a reader who sees no criterion is right in half of the pairs');

my ($least_sure) = $table =~ /^ +100 % +\S+ % +\S+ +(\S+) %$/m;
my ($most_sure) = $table =~ /^ +20 % +\S+ % +\S+ +(\S+) %$/m;
cmp_ok($most_sure, '>=', $least_sure,
       'a large difference is right as often as a small one at least');

my $bad = File::Temp->new;
print $bad "{\n";
close $bad;
my $said = qx(util/eval/quality pairs $bad 2>&1);
like($said, qr/:1: not a line of the format/,
     'a line that is no pair is refused');
isnt($?, 0, 'a line that is no pair makes the command fail');

done_testing();
