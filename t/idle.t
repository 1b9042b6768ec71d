# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Workers without work: how seldom they wake up, and what ends that.

use Judge::Test;
use Time::HiRes ();

plan skip_all => 'wake-ups are read from Linux\'s /proc'
    if !-r '/proc/self/status';

use constant { WINDOW => 4, PAUSE => 3, SOON => 40 };

# How often the process has waited for an event.

sub waits {
    my ($pid) = @_;

    open my $file, '<', "/proc/$pid/status" or die "$pid: $!";
    my ($n) = join('', <$file>) =~ /^voluntary_ctxt_switches:\s+(\d+)/m;

    return $n;
}

# Whether each worker waits at most twice a second, which is once for its timer
# and once for the thread that looks whether the store was moved; of seconds as
# many as it has slept.

sub rests {
    my ($t) = @_;

    my %before = map { $_ => waits($_) } $t->workers;
    my $slept  = Time::HiRes::sleep(WINDOW);

    return !grep { waits($_) - $before{$_} > 2 * $slept } keys %before;
}

sub rest {
    my ($t, $label) = @_;

    my $rested = 0;
    for (1 .. 10) {
        last if $rested ||= rests($t);
    }
    ok($rested, $label);
}

my $t     = Judge::Test->new(store => 'evaluate=off');
my $judge = $t->new_judge;
my @late  = map { $t->new_evaluation($judge, $t->new_content("Text $_.")) }
            1 .. 2;
my ($due, $free) = @late;

rest($t, 'each worker that evaluates nothing rests');

# The first is due while the workers rest, the second before they can know.
my $now = int(Time::HiRes::time() * 1000);
$t->alter('update evaluations set queue_at = ' . ($now + 8_000)
          . " where id = '$due'");
$t->alter('update evaluations set queue_at = ' . ($now + 3_600_000)
          . " where id = '$free'");
$t->conf(store => '');
$t->single ? $t->restart : $t->reload;

$t->wait_until(sub {
    $t->get("/evaluations/$due")->json->{status} eq 'completed'
}, 'work that becomes due is done', SOON);
is($t->get("/evaluations/$free")->json->{status}, 'processing',
   'work that is due later waits');
rest($t, 'workers rest while work is not due yet');

is($t->alter("update evaluations set queue_at = $now where id = '$free'"), 1,
   'another process commits');
$t->wait_until(sub {
    Time::HiRes::sleep(PAUSE);
    return $t->sql1("select status from evaluations where id = '$free'")
           eq 'completed' }, 'what another process commits is found', SOON);

ok((grep { $t->get('/judges')->status == 200 } 1 .. 20) == 20,
   'each request is answered by workers that rested');
my $next = $t->new_evaluation($judge, $t->new_content('One text more.'));
is($t->ended($next)->{status}, 'completed', 'workers that rested do work');

SKIP: {
    skip 'SQLite does not count transactions', 2 if $t->sqlite;

    rest($t, 'workers rest again');
    my $count = 'select xact_commit + xact_rollback from pg_stat_database'
                . ' where datname = current_database()';

    # PostgreSQL counts what a session did up to 10 s later.
    my $seldom = 0;
    for (1 .. 10) {
        my $before = $t->sql1($count);
        my $slept  = Time::HiRes::sleep(3 * WINDOW);
        last if $seldom = $t->sql1($count) - $before <= 4 * $slept / 3;
    }
    ok($seldom, 'a node that rests asks the database about once a second');
}

done_testing;
