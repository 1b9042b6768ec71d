# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The part of util/bench about machines with more cores than this one: a
# simulation of workers that compute beside each other and commit one after
# the other, fed with what scoring and committing take here.  It leaves out
# what it has no figure for: memory bandwidth, caches, the disk's queue.

use strict;
use warnings;

# Instructions of docs/development/history.md: what an evaluation of a batch
# takes beside its scoring; the share of SQLite in it, which one worker at a
# time does with the commit lock; that of a create, whose time is measured.
use constant { BESIDE => 468_000, LOCKED => 243_000, CREATED => 71_700 };

# Evaluations of a range, which end in one commit; groups under way in each
# worker; what is simulated, in s; a small write each so many ms.
use constant { RANGE => 400, GROUPS => 3, SIMULATED => 60, PROBE => 20 };


sub cores {
    my ($seconds, $bare, $t) = @_;

    my ($status, $out) = $t->run('build/bench_core', 'score', $seconds,
                                 glob 't/data/essays/*.txt');
    die $out if $status != 0;
    my $scored = 1 / (split ' ', $out)[1];

    # A commit of g rows takes a fixed time and g times that of a row.
    my %took = map { $_ => $_ / $bare->($_) } 32, 256;
    my $row  = ($took{256} - $took{32}) / (256 - 32);
    my $fixed = $took{32} - 32 * $row;
    $fixed = 0 if $fixed < 0;

    my %of = (beside => $scored + $row * BESIDE / CREATED,
              locked => $row * LOCKED / CREATED, fixed => $fixed);
    row('beside others, µs; with the lock, µs',
        map({ int 1e6 * $_ } @of{qw(beside locked)}), '', '');

    my $alone;
    for my $n (1, 2, 4, 8, 16, 32, 64) {
        my $r = cores_simulated($n, %of);
        $alone //= $r->{rate};
        row("$n cores, evaluations of batches per s", int $r->{rate},
            int $n * $alone, ratio($r->{rate}, $n * $alone), '');
        row('  commit lock held, of the time', sprintf('%.2f', $r->{held}), '',
            '', '');
        row('  p99 of a small write, ms', sprintf('%.1f', $r->{p99}), '', '',
            '50 ms');
    }
}


# n cores and workers.  A group computes on a core, which it gives back before
# it waits for the lock; the lock is given in the order in which it was asked
# for, as pthread's is on average.

sub cores_simulated {
    my ($n, %of) = @_;

    my (@ready, @asked, @events, @writes);
    my ($now, $idle, $locked, $held, $ended) = (0, $n, 0, 0, 0);
    my $at = sub {
        my ($time, @what) = @_;
        my $i = @events;
        $i-- while $i && $events[$i - 1][0] < $time;
        splice @events, $i, 0, [ $time, @what ];
    };

    srand 1;
    @ready = ('group') x (GROUPS * $n);
    $at->(PROBE / 1000, 'probe');

    while ($now < SIMULATED) {
        while ($idle && @ready) {
            $idle--;
            shift @ready;
            $at->($now + RANGE * $of{beside} * (0.8 + rand 0.4), 'computed');
        }
        if (!$locked && @asked) {
            my ($what, $since) = @{ shift @asked };
            my $rows = $what eq 'group' ? RANGE : 1;
            my $takes = $of{fixed} + $rows * $of{locked};
            ($locked, $held) = (1, $held + $takes);
            $at->($now + $takes, 'committed', $what, $since);
            next;
        }

        ($now, my ($event, $what, $since)) = @{ pop @events };
        if ($event eq 'computed') {
            $idle++;
            push @asked, [ 'group', $now ];
        } elsif ($event eq 'probe') {
            push @asked, [ 'write', $now ];
            $at->($now + PROBE / 1000, 'probe');
        } else {
            $locked = 0;
            push @ready, 'group' if $what eq 'group';
            $ended += RANGE if $what eq 'group';
            push @writes, 1000 * ($now - $since) if $what eq 'write';
        }
    }

    @writes = sort { $a <=> $b } @writes;

    return { rate => $ended / $now, held => $held / $now,
             p99 => $writes[0.99 * $#writes] };
}


1;
