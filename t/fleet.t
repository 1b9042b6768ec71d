# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Limits over the nodes of a fleet: several nginx, each with a zone of its
# own, that share a store.

use Judge::Test;
use Judge::OpenAI;

use Time::HiRes qw(sleep time);

my $llm = Judge::OpenAI->start(script => [
    map { { action => 'ok', delay => 0.7 } } 1 .. 400 ]);

# So many nodes on one store, of which the first has made the organizations.

sub nodes {
    my ($n, %opt) = @_;

    my $first = Judge::Test->new(%opt);

    return ($first, map {
        my $node = Judge::Test->new(%opt, start => 0);
        symlink $first->store_dir, $node->store_dir or die "symlink: $!";
        $node->start;
        $node->{orgs} = $first->{orgs};
        $node
    } 2 .. $n);
}


# Requests as fast as they are answered, by turns to the nodes: how many of
# them were let through, each node's first.

sub hammer {
    my ($seconds, $org, @of) = @_;

    my @n   = (0) x @of;
    my $end = time + $seconds;

    while (time < $end) {
        for my $i (0 .. $#of) {
            my @r = $of[$i]->at_once(
                map { [ GET => '/judges', org => $org ] } 1 .. 4);
            $n[$i] += grep { $_->status == 200 } @r;
        }
    }

    return @n;
}

sub sum {
    my $sum = 0;
    $sum += $_ for @_;
    return $sum;
}

sub metric {
    my ($node, $name) = @_;
    my ($value) = $node->get('/metrics', key => undef)->body
                  =~ /^judge_fleet_\Q$name\E (\S+)$/m;
    return $value // 0;
}

sub share { metric($_[0], 'share{service="default",limit="rate"}') }


# --- Rates ------------------------------------------------------------------

my @nodes = nodes(3, store => 'fleet=on rate=20/s burst=40', orgs => 3);
my $t     = $nodes[0];

# What a bucket holds, what flows in, and a reserve of the other nodes: a
# sixteenth of the bucket and of what flows in until their leases are there.

sub most {
    my ($seconds, $others) = @_;
    return 40 + 20 * $seconds + $others * (40 / 16 + 20 / 16 * 3) + 2;
}

my $began = time;
my @n     = hammer(6, 0, @nodes[0, 1]);
my $took  = time - $began;

cmp_ok(sum(@n), '<=', most($took, 1), 'two nodes: one limit');
cmp_ok(sum(@n), '>=', 20 * $took * 0.6, 'which can be used');
cmp_ok($_, '>=', sum(@n) / 5, 'by both') for @n;

my $both = share($nodes[0]) + share($nodes[1]);
cmp_ok($both, '<=', 1.0001, 'their shares are not more than one');
cmp_ok($both, '>=', 0.6, 'and not much less');
is(metric($nodes[0], 'limits{service="default",limit="rate"}'), 1,
   'a limit that is leased');

my $rows = $t->sql1("select count(*) from allowances where name <> ''");
is($rows, 2, 'a row for each node and limit that was used, not for requests');

$began = time;
@n     = hammer(6, 1, @nodes);
$took  = time - $began;
cmp_ok(sum(@n), '<=', most($took, 2), 'three nodes: one limit');
cmp_ok(sum(@n), '>=', 20 * $took * 0.6, 'which can be used');


# --- Shares follow demand ---------------------------------------------------

hammer(1.5, 1, $nodes[2]);
hammer(1, 1, $nodes[2]) while share($nodes[2]) < 0.9 && time - $began < 60;
cmp_ok(share($nodes[2]), '>=', 0.9, 'who asks alone has nearly all of it');

$t->wait_until(sub {
    share($nodes[0]) == 0 && share($nodes[1]) == 0
}, 'the others to have nothing');


# --- A node dies ------------------------------------------------------------

hammer(4, 2, @nodes[0, 1]);
cmp_ok(share($nodes[0]), '<', 0.9, 'two nodes have shares');

$nodes[1]->crash;
$began = time;
hammer(0.5, 2, $nodes[0]) while share($nodes[0]) < 0.99
                                && time - $began < 30;
cmp_ok(share($nodes[0]), '>=', 0.99,
       'what a node had that died is the others\' soon');
$nodes[1]->start;
cmp_ok(share($nodes[1]), '==', 0, 'it comes back without any');
$_->quit for @nodes;


# --- Budgets ----------------------------------------------------------------

@nodes = nodes(2, store => 'fleet=on',
    server => $llm->location('busy', 'in_all=4') . $llm->location('paid'));
$t     = $nodes[0];

my $judge = $t->new_judge;

$t->put('/config/llm', json => {
    rate_limits => { requests_per_minute => 32 } });

my $first = time;
my @ids   = map {
    my $node = $nodes[ $_ % 2 ];
    $node->new_evaluation($judge, $t->new_content("Text $_"),
                          model => 'paid')
} 1 .. 48;

# All of them: paid for, or sent back until later.

$t->wait_until(sub {
    sleep 0.5;
    0 == $t->sql1(q{select count(*) from evaluations where model = 'paid'
                    and status = 'processing' and last_error is null
                    and attempts = 0});
}, 'all of them to be paid for or sent back', 60);

my $paid = $llm->requests;
$took = time - $first;
cmp_ok($paid, '<=', 32 + 32 / 60 * $took + 32 / 16 + 2,
       'requests per minute hold over two nodes');
cmp_ok($paid, '>=', 2, 'and the first do not wait');

# The others come back when there is a lease.

$t->wait_until(sub { $llm->requests >= 16 }, 'half of the budget', 60);
$took = time - $first;
cmp_ok(scalar($llm->requests), '<=', 32 + 32 / 60 * $took + 32 / 16 + 2,
       'which still holds');


# --- Calls at once ----------------------------------------------------------

$t->put('/config/llm', json => {
    rate_limits => { requests_per_minute => 0 } });

@ids = map {
    my $node = $nodes[ $_ % 2 ];
    $node->new_evaluation($judge, $t->new_content("Call $_"),
                          model => 'busy')
} 1 .. 24;

my ($most, %seen) = 0;
$t->wait_until(sub {
    my @active = map { metric($_, 'calls{service="default",model="busy",'
                                  . 'state="active"}') } @nodes[0, 1];
    $most = sum(@active) if sum(@active) > $most;
    $seen{$_} = 1 for grep { $active[$_] } 0 .. 1;
    return 0 == $t->sql1(q{select count(*) from evaluations
                           where model = 'busy' and status <> 'completed'});
}, 'all calls', 120);

is($most, 4, 'as many calls at once as in_all says, over two nodes');
is(join(' ', sort keys %seen), '0 1', 'both nodes called');
is(scalar(grep { $_->{body} =~ /Call \d/ } $llm->requests), 24, 'each once');


# --- What nginx -t says -----------------------------------------------------

my ($fine, $out) = $t->check_conf(store => 'fleet=maybe');
ok(!$fine, 'fleet=maybe: refused');
like($out, qr/fleet=maybe: expected on or off/, 'and why');
($fine, $out) = $t->check_conf(server => $llm->location('m', 'in_all=0'));
like($out, qr/in_all=0: expected a whole number from 1 to 65536/, 'in_all=0');

done_testing;
