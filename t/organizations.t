# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Organizations that share a service: one with much that waits does not hold
# up another.

use Judge::Test;

use constant BIG => 4000;

my $t     = Judge::Test->new(store => 'evaluate=off');
my $big   = $t->org;
my $small = $t->new_org('Small');

sub batch_of {
    my ($org, $n) = @_;

    return $t->new_batch($t->new_judge(key => $org->{key}),
        [ map { "A text with the number $_." } 1 .. $n ],
        key => $org->{key});
}

# How many of one batch had ended when the last one of another did.
sub before {
    my ($of, $last) = @_;

    return $t->sql1("SELECT COUNT(*) FROM evaluations WHERE batch_id = '$of'"
        . ' AND evaluated_at < (SELECT MAX(evaluated_at) FROM evaluations'
        . " WHERE batch_id = '$last')");
}

my $first = batch_of($big, BIG);
my $later = batch_of($small, 10);
my $last  = batch_of($small, 1000);

$t->conf(store => '');
$t->restart;
$t->batch_completed($first, key => $big->{key});
$t->batch_completed($_, key => $small->{key}) for $later, $last;

cmp_ok(before($first, $later), '<', BIG / 2,
    'a small batch does not wait for all of another organization');
cmp_ok(before($first, $last), '<', BIG * 3 / 4,
    'a batch of several ranges does not wait for it all, either');

done_testing();
