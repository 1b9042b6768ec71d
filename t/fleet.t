# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Limits over the nodes of a fleet: several nginx, each with a zone of its
# own, that share a store.

use Judge::Test;
use Judge::OpenAI;

use List::Util qw(max min);
use Time::HiRes qw(sleep time);

use constant LASTS => 0.7;

my $llm = Judge::OpenAI->start(script => [
    map { { action => 'ok', delay => LASTS } } 1 .. 400 ]);

# Requests as fast as they are answered, by turns to the nodes: how many of
# them were let through, each node's first; in all they are $asked.

my $asked;

sub hammer {
    my ($seconds, $org, @of) = @_;

    my @n   = (0) x @of;
    my $end = time + $seconds;
    $asked = 0;

    while (time < $end) {
        for my $i (0 .. $#of) {
            my @r = $of[$i]->at_once(
                map { [ GET => '/judges', org => $org ] } 1 .. 4);
            $n[$i] += grep { $_->status == 200 } @r;
            $asked += @r;
        }
    }

    return @n;
}

sub sum {
    my $sum = 0;
    $sum += $_ for @_;
    return $sum;
}

sub share {
    $_[0]->metric('judge_fleet_share', limit => 'rate')
}


# --- Rates ------------------------------------------------------------------

my @nodes = Judge::Test->fleet(3, orgs => 3,
                               store => 'fleet=on rate=20/s burst=40');
my $t     = $nodes[0];

# What a bucket holds, what flows in, and a reserve of the other nodes: a
# sixteenth of the bucket and of what flows in until their leases are there.

sub most {
    my ($seconds, $others) = @_;
    return 40 + 20 * $seconds + $others * (40 / 16 + 20 / 16 * 3) + 2;
}

# Rounds of it, each within the limit, until one uses most of it, or of what
# was asked for, by all.

sub limited {
    my ($what, $org, @of) = @_;

    for (1 .. 6) {
        my $began = time;
        my @n     = hammer(6, $org, @of);
        my $took  = time - $began;
        my $sum   = sum(@n);

        my $may = min(20 * $took, $asked);

        cmp_ok($sum, '<=', most($took, @of - 1),
               "$what have one limit together");
        return pass("$what can use most of their limit")
            if $sum >= 0.6 * $may && !grep { $_ < $sum / 5 } @n;
    }
    fail("$what can use most of their limit");
}

limited('two nodes', 0, @nodes[0, 1]);
cmp_ok($t->sql1(q{select coalesce(sum(share), 0) from allowances
                  where name <> '' and expires > (select max(expires)
                  from allowances where name = '')}), '<=', 65536,
       'the shares of two nodes are not more than one limit');
$t->wait_until(sub {
    hammer(0.2, 0, @nodes[0, 1]);
    my $both = share($nodes[0]) + share($nodes[1]);
    $both >= 0.6 && 1 == $nodes[0]->metric('judge_fleet_limits',
                                           limit => 'rate')
}, 'their shares not to be much less, of one limit');

my $rows = $t->sql1("select count(*) from allowances where name <> ''");
is($rows, 2,
   'a row is kept for each node and limit that was used, not for requests');

limited('three nodes', 1, @nodes);


# --- Who asks little --------------------------------------------------------

my @small;
$t->comes_true(sub {
    hammer(1, 2, $nodes[0]);
    $nodes[1]->get('/judges', org => 2);
    push @small, share($nodes[1]);
    return @small >= 7 && 3 == grep { $_ >= 0.05 } @small[-3 .. -1];
}, 'a node with few requests keeps a part');


# --- Shares follow demand ---------------------------------------------------

$t->comes_true(sub { hammer(1, 1, $nodes[2]); share($nodes[2]) >= 0.9 },
              'a node that asks alone has nearly all of a limit');

$t->wait_until(sub {
    share($nodes[0]) == 0 && share($nodes[1]) == 0
}, 'the others to have nothing');


# --- A node dies ------------------------------------------------------------

$t->wait_until(sub {
    hammer(0.5, 2, @nodes[0, 1]);
    0.1 < share($nodes[0]) && share($nodes[0]) < 0.9
}, 'two nodes to have shares');

$nodes[1]->crash;
$t->comes_true(sub { hammer(0.5, 2, $nodes[0]); share($nodes[0]) >= 0.99 },
              'the share of a node that died goes to the others');
$nodes[1]->start;
cmp_ok(share($nodes[1]), '==', 0, 'a node that comes back has no share');
$_->quit for @nodes;


# --- Budgets ----------------------------------------------------------------

@nodes = Judge::Test->fleet(2, store => 'fleet=on', orgs => 2,
    server => $llm->location('busy', 'in_all=4') . $llm->location('paid'));
$t     = $nodes[0];

my $judge = $t->new_model_judge;

$t->put('/config/llm', json => {
    rate_limits => { requests_per_minute => 32 } });

my $first = time;
for (1 .. 48) {
    $nodes[ $_ % 2 ]->new_evaluation($judge, $t->new_content("Text $_"),
                                     model => 'paid');
}

# All of them: paid for, or sent back until later.

$t->wait_until(sub {
    sleep 0.5;
    0 == $t->sql1(q{select count(*) from evaluations where model = 'paid'
                    and status = 'processing' and last_error is null
                    and attempts = 0});
}, 'all of them to be paid for or sent back', 180);

$t->wait_until(sub { $llm->requests >= 2 }, 'the first not to wait');

my $paid = $llm->requests;
my $took = time - $first;
cmp_ok($paid, '<=', 32 + 32 / 60 * $took + 32 / 16 + 2,
       'requests per minute hold over two nodes');
pass('the first requests do not wait for a lease');

# The others come back when there is a lease.

$t->wait_until(sub { $llm->requests >= 16 }, 'half of the budget', 300);
$took = time - $first;
cmp_ok(scalar($llm->requests), '<=', 32 + 32 / 60 * $took + 32 / 16 + 2,
       'requests per minute hold when leases have come');


# Tokens are paid for by an estimate, and the difference is made up: they are
# above it by what the last call of each node took, too.

my ($most_of_one, $tokens) = (0, 0);
my $limit  = 16_000;
my %second = (org => 1);
my @other  = (%second, json => { rate_limits => {
    tokens_per_minute => $limit } });
my $theirs = $t->new_model_judge(%second);

$t->put('/config/llm', @other);
$first = time;
my @ids = map {
    $nodes[ $_ % 2 ]->new_evaluation($theirs,
        $t->new_content("Token $_", %second), model => 'paid', %second)
} 1 .. 40;

$t->wait_until(sub {
    sleep 0.3;
    my @of = map { $_->{provenance}{tokens_used} // () }
             map { $t->get("/evaluations/$_", %second)->json } @ids;
    $tokens = sum(@of);
    $took = time - $first;
    $most_of_one = (sort { $b <=> $a } @of)[0] // 0;
    return $tokens >= $limit * 0.35 || @of == @ids
}, 'a third of the tokens', 300);
cmp_ok($tokens, '<=', $limit * (1 + $took / 60 + 1 / 16) + 2 * $most_of_one,
       'tokens per minute hold over two nodes');

# More of them, until one has come too early.
$t->comes_true(sub {
    return 1 if grep { ($_->{last_error}{code} // '') eq 'BUDGET' }
                map { $t->get("/evaluations/$_", %second)->json } @ids;
    push @ids, map { $t->new_evaluation($theirs, $t->new_content(
        'Token ' . (@ids + $_), %second), model => 'paid', %second) } 1 .. 8;
    return 0;
}, 'an evaluation that a budget has no tokens for waits');


# --- Calls at once ----------------------------------------------------------

$t->put('/config/llm', json => {
    rate_limits => { requests_per_minute => 0 } });

# More of them until both nodes have called, as many at once as may be.  What
# two nodes say is not said at the same moment: the model knows better.

my ($calls, %seen) = (0);

sub most_at_once {
    my @ends = map { $_->{body} =~ /Call \d/ ? $_->{at} : () } $llm->requests;
    return max(map { my $end = $_; scalar grep { $end <= $_
                                                 && $_ < $end + LASTS } @ends }
               @ends);
}

sub calls {
    $nodes[ $calls % 2 ]->new_evaluation($judge,
        $t->new_content('Call ' . ++$calls), model => 'busy') for 1 .. $_[0];
}

sub wait_calls {
    my @active = map { $_->metric('judge_fleet_calls', model => 'busy',
                                  state => 'active') } @nodes[0, 1];
    $seen{$_} = 1 for grep { $active[$_] } 0 .. 1;
    return $t->sql1(q{select count(*) from evaluations
                      where model = 'busy' and status <> 'completed'});
}

calls(16);
$t->wait_until(sub {
    calls(8) if wait_calls() < 8;
    keys %seen == 2 && most_at_once() >= 4
}, 'both nodes to call', 300);
$t->wait_until(sub { 0 == wait_calls() }, 'all calls', 300);

is(most_at_once(), 4, 'in_all bounds the calls at once of two nodes');
my %called;
$called{$_}++ for map { $_->{body} =~ /(Call \d+)/ } $llm->requests;
is(scalar(keys %called), $calls, 'each call at once is made');
is(scalar(grep { $_ != 1 } values %called), 0,
   'each call at once is made once');


# --- What nginx -t says -----------------------------------------------------

my ($fine, $out) = $t->check_conf(store => 'fleet=maybe');
ok(!$fine, 'nginx -t refuses fleet=maybe');
like($out, qr/fleet=maybe: expected on or off/,
     'nginx -t says why it refuses fleet=maybe');
($fine, $out) = $t->check_conf(server => $llm->location('m', 'in_all=0'));
like($out, qr/in_all=0: expected a whole number from 1 to 65536/,
     'nginx -t says why it refuses in_all=0');

done_testing;
