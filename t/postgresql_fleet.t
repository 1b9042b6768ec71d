# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Four nodes on one PostgreSQL for half a minute, by the same seed each time
# unless JUDGE_TEST_SEED is set: while clients make, change and read things by
# any of them, whole nodes are killed and the database crashes. All that was
# acknowledged is there, once; all is done, once; webhooks arrive.

use strict;
use warnings;

use Test::More;

use Judge::Nginx;

plan skip_all => 'one process only' if Judge::Nginx->single;

my $seed = $ENV{JUDGE_TEST_SEED} // 2;

my $how  = "--fleet --minutes=0.5 --seed=$seed --workers=1";
my $out  = `util/dev/torture $how 2>&1`;

is($?, 0, "nothing is wrong after half a minute with seed $seed");
note($out);
diag($out) if $?;

my ($acknowledged) = $out =~ /^ +acknowledged +(\d+)/m;
cmp_ok($acknowledged // 0, '>', 50,
       'more than 50 operations were acknowledged');
like($out, qr/^ +nodes +\d+ +[1-9]/m, 'nodes were killed meanwhile');

done_testing;
