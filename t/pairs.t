# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Pairs of texts of which any careful reader knows the better one
# (t/data/pairs): so many must be right, and the wrong ones are listed in
# t/data/pairs/wrong.  As weights change, a few come and go; many that are new
# are a loss that the list should not hide.  And texts by themselves, with the
# level that they should have.

use strict;
use warnings;

use Test::More;

my $floor = 0.90;              # of all pairs
my $coming = 6;                # wrong ones that are not listed

my $table = qx(util/quality --pairs);
is($?, 0, 'util/quality --pairs ends well');

my ($right, $all) = $table =~ /^all +(\d+) of +(\d+) /m;
my @kinds = $table =~ /^(\w+)\.txt /mg;

cmp_ok($all // 0, '>=', 300, 'pairs');
cmp_ok(scalar @kinds, '>=', 15, 'kinds of text');
cmp_ok(($right // 0) / ($all || 1), '>=', $floor, 'right');
diag($table) if ($right // 0) < $floor * ($all || 1);

for my $language (qw(german spanish french portuguese)) {
    my ($good, $of) = $table =~ /^$language\.txt +(\d+) of +(\d+)$/m;

    cmp_ok($of // 0, '>=', 12, "$language pairs");
    cmp_ok(($good // 0) / ($of || 1), '>=', 0.8, 'right');
}

open my $list, '<', 't/data/pairs/wrong' or die "t/data/pairs/wrong: $!\n";
chomp(my @listed = grep { !/^#/ } <$list>);
my %listed = map { $_ => 1 } @listed;

my @wrong = map { s/:\d+: \d+ \d+ /: /r } split /\n/,
                qx(util/quality --pairs --wrong);
my @new = grep { !$listed{$_} } @wrong;

cmp_ok(scalar @new, '<=', $coming, 'wrong ones that are not listed');
diag("not in t/data/pairs/wrong: $_") for @new;

# Good texts are not low because they are short, nor bad ones high: the bands
# of t/data/levels.

my $levels = qx(util/quality --pairs --levels);
my ($within, $texts) = $levels =~ /^all +(\d+) of +(\d+) /m;

cmp_ok($texts // 0, '>=', 75, 'texts with a level');
cmp_ok(($within // 0) / ($texts || 1), '>=', 0.78, 'within their band');
diag($levels) if ($within // 0) < 0.78 * ($texts || 1);

is(qx(util/quality --pairs), $table, 'the same again');
isnt(system('util/quality --pairs /dev/null 2>/dev/null'), 0, 'no pair');
like(qx(util/quality --pairs --explain t/data/pairs/chat.txt), qr/^ {4}\S/m,
     'feedback explains') if grep { /^chat/ } @wrong;

done_testing;
