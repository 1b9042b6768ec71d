# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What is done to the service, and when: the schedule depends on nothing but
# its seed.  In every cycle each kind of damage comes once.

package Judge::Torture::Plan;

use strict;
use warnings;

use Errno qw(EIO ENOMEM ENOSPC);
use Time::HiRes qw(sleep time);

use Judge::Torture::Random;


# Each is called with the server, the faults, and numbers of its own; it
# returns how often it did what it does.
my %damage = (
    calm    => \&calm,                 # nothing
    worker  => \&worker,               # kill -9 of workers
    crash   => \&crash,                # kill -9 of all
    master  => \&master,               # kill -9 of the master only
    reload  => \&reload,
    upgrade => \&upgrade,              # another binary, or back
    quit    => \&quit,                 # graceful end, and a start
    stop    => \&stop,                 # fast end, and a start
    freeze  => \&freeze,               # SIGSTOP and SIGCONT of workers
    input   => \&input,                # calls fail, with a probability
    nth     => \&nth,                  # the n-th call fails
    dirty   => \&dirty,                # writes fail, and then all are killed
    nospace => \&nospace,              # writes fail with ENOSPC
    full    => \&full,                 # no room in the file system
    slow    => \&slow,                 # writes and syncs take long
    short   => \&short,                # half of what was asked is done
    memory  => \&memory,               # no memory
    clock   => \&clock,                # the clock jumps
);

# What is done to a fleet (Judge::Torture::Fleet).
my %fleet = (
    workers  => \&workers,             # kill -9 of workers of any node
    nodes    => \&nodes,               # kill -9 of nodes, but one at least
    leave    => \&leave,               # one node ends gracefully, and starts
    reloads  => \&reloads,
    database => \&database,            # crashes, and starts
);

# While one of these lasts, another kind may come in its midst.
my %lasts = map { $_ => 1 } qw(input nospace slow short memory clock);


sub kinds       { sort keys %damage }
sub fleet_kinds { sort keys %fleet }


# only: these kinds; fleet: of a fleet; rounds are so many times longer.

sub new {
    my ($class, %opt) = @_;

    return bless {
        random => Judge::Torture::Random->new($opt{seed}),
        only   => $opt{only} // [ $opt{fleet} ? fleet_kinds() : kinds() ],
        longer => $opt{longer} // 1,
        left   => [],
    }, $class;
}


# The next round: { damage, seconds, seed, and perhaps `midst` }.

sub next {
    my ($self) = @_;

    my $random = $self->{random};
    my @only   = @{ $self->{only} };

    $self->{left} = [ $random->shuffle(@only) ] if !@{ $self->{left} };

    my $damage = shift @{ $self->{left} };
    my @midst  = grep { my $kind = $_; grep { $_ eq $kind } @only }
                 qw(worker reload freeze);
    my $midst  = $random->pick('', @midst);

    return {
        damage  => $damage,
        seconds => $self->{longer} * $random->between(1.5, 5),
        seed    => $random->int(1 << 24),
        midst   => $lasts{$damage} && @midst ? $midst : '',
    };
}


sub run {
    my ($class, $round, $server, $faults) = @_;

    my $it = {
        server  => $server,
        faults  => $faults,
        seconds => $round->{seconds},
        random  => Judge::Torture::Random->new($round->{seed}),
        midst   => $damage{ $round->{midst} },
    };

    my $times = ($damage{ $round->{damage} }
                 // $fleet{ $round->{damage} })->($it);
    $faults->set;

    return $times;
}


# Does it again and again for the round's time, with pauses between.

sub again {
    my ($it, $low, $high, $do) = @_;

    my $end   = time() + $it->{seconds};
    my $times = 0;

    while (time() < $end) {
        sleep $it->{random}->between($low, $high);
        $times += $do->() // 1;
    }

    return $times;
}

# Lets a fault last for the round's time; how many calls failed.

sub last_long {
    my ($it, %fault) = @_;

    my $before = $it->{faults}->done;
    $it->{faults}->set(%fault);

    if ($it->{midst}) {
        $it->{midst}->($it);
    } else {
        sleep $it->{seconds};
    }

    return $it->{faults}->done - $before;
}


sub calm { sleep $_[0]{seconds}; 1 }

sub worker {
    my ($it) = @_;

    return again($it, 0.2, 1.2, sub {
        my $pid = $it->{random}->pick($it->{server}->workers) // return 0;
        kill KILL => $pid;
    });
}

sub crash {
    my ($it) = @_;

    return again($it, 0.5, 2, sub {
        $it->{server}->crash;
        $it->{server}->start;
        1;
    });
}


# Its workers go on alone; then another master starts when they have been
# ended, or beside them.

sub master {
    my ($it) = @_;

    my $server  = $it->{server};
    my @workers = $server->workers;

    kill KILL => $server->pid;
    sleep $it->{seconds} / 3;

    my $beside = $it->{random}->chance(0.5);
    my $signal = $it->{random}->pick(qw(QUIT TERM KILL));

    if ($beside) {
        $server->start;
        sleep $it->{seconds} / 3;
    }

    $server->ends_fast(@workers) if $signal eq 'TERM';
    kill $signal => @workers;
    my $left = $server->wait_for(40, sub {
        my %is = map { $_ => 1 } $server->processes;
        return !grep { $is{$_} } @workers;
    });
    kill KILL => @workers if !$left;

    if (!$beside) {
        $server->wait_for(5, sub { !$server->processes });
        $server->start;
    }

    return 1;
}


sub reload {
    my ($it) = @_;

    return again($it, 0.3, 1.5, sub { kill HUP => $it->{server}->pid });
}

sub upgrade {
    my ($it) = @_;

    sleep 0.5;
    $it->{server}->upgrade($it->{random}->chance(0.3));
    sleep $it->{seconds} / 2;
    return 1;
}

sub quit { ended($_[0], 'quit') }
sub stop { ended($_[0], 'stop') }

sub ended {
    my ($it, $how) = @_;

    return again($it, 0.5, 2, sub {
        $it->{server}->$how;
        $it->{server}->start;
        1;
    });
}

sub freeze {
    my ($it) = @_;

    return again($it, 0.1, 0.5, sub {
        my $pid = $it->{random}->pick($it->{server}->workers) // return 0;
        kill STOP => $pid;
        sleep $it->{random}->between(0.2, 1.5);
        kill CONT => $pid;
    });
}


sub input {
    my ($it) = @_;

    my $random = $it->{random};
    my @calls  = ($random->shuffle(qw(open read write sync name map)))
                 [0 .. $random->int(6)];

    return last_long($it, calls => \@calls, error => EIO,
                     per_million => $random->pick(500, 5000, 50_000,
                                                  1_000_000));
}

sub nth {
    my ($it) = @_;

    my $random = $it->{random};
    my $before = $it->{faults}->done;

    again($it, 0.1, 0.3, sub {
        $it->{faults}->set(
            calls     => [ $random->pick(qw(open read write sync map)) ],
            error     => $random->pick(EIO, EIO, ENOSPC, ENOMEM),
            countdown => 1 + $random->int(60));
    });

    return $it->{faults}->done - $before;
}

# What was acknowledged before is there after the next start.

sub dirty {
    my ($it) = @_;

    my ($server, $faults, $random) = @$it{qw(server faults random)};

    return again($it, 0.2, 1, sub {
        $faults->set(calls => [ $random->pick('sync', 'write', 'map') ],
                     error => EIO,
                     per_million => $random->pick(50_000, 1_000_000));
        sleep $random->between(0.1, 0.5);
        $server->crash;
        $faults->set;
        $server->start;
        1;
    });
}

sub nospace {
    my ($it) = @_;

    return last_long($it, calls => [ 'write' ], error => ENOSPC,
                     per_million => $it->{random}->pick(200_000, 1_000_000));
}

sub full {
    my ($it) = @_;

    my $server = $it->{server};
    return nospace($it) if !$server->{mounted};

    $server->resize($it->{random}->int(300));
    sleep $it->{seconds};
    $server->resize;
    return 1;
}

sub slow {
    my ($it) = @_;
    last_long($it, delay => 1000 * $it->{random}->between(5, 100));
    return 1;
}

sub short {
    my ($it) = @_;
    return last_long($it, calls => [ qw(read write) ], error => 0,
                     per_million => 200_000);
}

sub memory {
    my ($it) = @_;
    return last_long($it, calls => [ 'memory' ],
                     per_million => $it->{random}->pick(30, 300, 3000,
                                                        30_000));
}

sub clock {
    my ($it) = @_;

    return again($it, 0.3, 1, sub {
        $it->{faults}->set(
            clock => 1000 * $it->{random}->between(-40, 40));
        1;
    });
}


# --- A fleet ----------------------------------------------------------------

sub workers {
    my ($it) = @_;

    return again($it, 0.1, 0.8, sub {
        my $node = $it->{random}->pick($it->{server}->nodes);
        my $pid  = $it->{random}->pick($node->workers) // return 0;
        kill KILL => $pid;
    });
}

# Those that are left go on with what they had.

sub nodes {
    my ($it) = @_;

    return again($it, 0.2, 1.5, sub {
        my @nodes = $it->{random}->shuffle($it->{server}->nodes);
        my @some  = @nodes[0 .. $it->{random}->int($#nodes)];
        pop @some if @some == @nodes;
        $_->crash for @some;
        sleep $it->{random}->between(0, 4);
        $_->start for @some;
        return scalar @some;
    });
}

sub leave {
    my ($it) = @_;

    return again($it, 0.2, 1, sub {
        my $node = $it->{random}->pick($it->{server}->nodes);
        $node->quit;
        $node->start;
        1;
    });
}

sub reloads {
    my ($it) = @_;

    return again($it, 0.2, 0.8, sub {
        kill HUP => $it->{random}->pick($it->{server}->nodes)->pid;
    });
}

sub database {
    my ($it) = @_;

    return again($it, 1, 3, sub {
        $it->{server}->database->crash;
        sleep $it->{random}->between(0, 2);
        $it->{server}->database->start_again;
        1;
    });
}


1;
