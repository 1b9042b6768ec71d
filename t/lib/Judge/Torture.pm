# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/dev/torture: clients work on a real nginx while it is damaged; after
# each round all is held against what the clients were told.
#
#   Judge::Torture->new(minutes => 3, seed => 1)->run      how much is wrong

package Judge::Torture;

use strict;
use warnings;

use JSON::PP ();

use Judge::JSON;
use List::Util qw(max);
use Time::HiRes qw(sleep time);

use Judge::Test ();
use Judge::Torture::Client;
use Judge::Torture::Faults;
use Judge::Torture::Fleet;
use Judge::Torture::Hooks;
use Judge::Torture::Model;
use Judge::Torture::Plan;
use Judge::Torture::Server;
use Judge::Torture::View;


my $json = Judge::JSON->new->utf8;

# Seconds until all that was accepted has been done when the faults are over.
my $BOUND = 60;

# What can be wrong, and how the table calls it.
my @classes = (
    lost         => 'acknowledged, and not in the store',
    doubled      => 'stored more than once',
    undone       => 'deleted or suspended, and still there',
    stored       => 'refused with an error, and stored',
    changed      => 'stored with another content',
    invented     => 'in the store, and nobody asked for it',
    unfinished   => "not done within $BOUND s after the faults",
    twice        => 'evaluations that ended more than once',
    events       => 'events missing, doubled, invented or not delivered',
    inconsistent => 'rows of the store that contradict each other',
    answers      => 'answers that there should not be',
    died         => 'processes that died by themselves, alerts',
    driver       => 'faults of this program',
);


sub new {
    my ($class, %opt) = @_;

    my $self = bless {
        minutes => 3, clients => 6, workers => 3, seed => 1, %opt,
        model   => Judge::Torture::Model->new,
        wrong   => {}, rounds => {}, times => {}, orders => 0, children => [],
        owner   => $$,
    }, $class;

    $self->{plan} = Judge::Torture::Plan->new(
        seed => $opt{seed}, only => $opt{only}, fleet => $opt{fleet},
        longer => $opt{fleet} && $self->{minutes} > 1 ? 4 : 1);
    $self->set_up;

    return $self;
}


# --- Setting up -----------------------------------------------------------

sub set_up {
    my ($self) = @_;

    my %opt = (
        start => 0, orgs => 0, described => 0, workers => $self->{workers},
        store => $self->{fleet} ? 'lease=3s' : 'lease=10s',
        main  => join('', map { "env $_;\n" } qw(JUDGE_FAULTS LD_PRELOAD
                                              ASAN_OPTIONS UBSAN_OPTIONS)),
        server => <<"CONF");
location /judge-webhooks {
    judge_outbound allow=127.0.0.0/8 timeout=4s;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF

    my $fleet  = $self->{fleet}
                 && Judge::Torture::Fleet->new($self->{fleet}, %opt);
    my @nodes  = $fleet ? $fleet->nodes : Judge::Torture::Server->new(%opt);
    my $server = $self->{server} = $nodes[0];
    my $dir    = $server->dir;
    my $faults = $self->{faults} = Judge::Torture::Faults->new(
        dir => $dir, repo => $server->repo, folder => $server->store_dir,
        seed => $self->{seed});

    # Who clients ask; a fleet, or the only one.
    @$self{qw(nodes asked)} = (\@nodes, $fleet || $server);

    my %test = Judge::Nginx::environment();
    $server->{environment} = sub {
        return (JUDGE_FAULTS => $faults->file,
                LD_PRELOAD => join ' ', grep { $_ } $test{LD_PRELOAD},
                                        $faults->library);
    };

    # They are checked by this one, not by Judge::Test.
    $_->{checked} = 1 for @nodes;

    if ($fleet) {
        $_->{environment} = sub { } for @nodes;
        $fleet->start;
    } else {
        $server->mount if !$self->{disk};
        $server->start;
        $server->new_org('Torture');
    }

    $self->{hooks} = Judge::Torture::Hooks->start(dir => $dir,
                                                  seed => $self->{seed});
    $self->{hooks}->secret($server->org->{secret});
    $server->put('/config/webhooks', json => {
        url => $self->{hooks}->url, enabled => JSON::PP::true
    })->status == 200 or die "the webhooks are not set\n";

    $self->{view} = Judge::Torture::View->new($server);
    $self->{view}->watch;
}


sub start_clients {
    my ($self) = @_;

    my $dir = $self->{server}->dir;

    for my $number (0 .. $self->{clients} - 1) {
        my $pid = fork // die "fork: $!\n";

        if ($pid == 0) {
            $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
            srand $self->{seed} + $number;
            eval { Judge::Torture::Client->run(
                server => $self->{asked}, number => $number, dir => $dir,
                seed => $self->{seed}, orders => "$dir/orders"); 1 }
                or print STDERR "client $number: $@";
            POSIX::_exit(0);
        }

        push @{ $self->{children} }, $pid;
    }
}


# All clients read it before each thing that they do.

sub order {
    my ($self, $order) = @_;

    if (!$self->{order}) {
        open $self->{order}, '>', $self->{server}->dir . '/orders'
            or die "orders: $!\n";
    }

    sysseek $self->{order}, 0, 0;
    syswrite $self->{order}, sprintf '%-20s', $order;
}


# --- The run --------------------------------------------------------------

# The number of things that are wrong.

sub run {
    my ($self) = @_;

    local $SIG{PIPE} = 'IGNORE';
    my $began = $self->{began} = time();
    my $end   = $began + 60 * $self->{minutes};

    $self->order('run calm');
    $self->start_clients;

    # The end takes some of the time, too.
    while (time() < $end - 15) {
        $self->round($self->{plan}->next);
    }

    $self->{hooks}->good(1);
    $self->pause;
    $self->deliver;
    $self->check;
    $self->order('stop');
    waitpid $_, 0 for splice @{ $self->{children} };
    $_->quit for @{ $self->{nodes} };
    $self->read_log;
    $self->bad(died => $_) for map { @{ $_->{faults} } } @{ $self->{nodes} };

    $self->table;

    my $wrong = 0;
    $wrong += $_ for values %{ $self->{wrong} };
    return $wrong;
}


sub round {
    my ($self, $round) = @_;

    my $damage = $round->{damage};
    my $name   = join ' and ', grep { $_ } $damage, $round->{midst};
    my %before = %{ $self->{model}->counts };
    my $began  = time();

    $self->order("run $damage");

    my $times = eval { Judge::Torture::Plan->run($round, $self->{asked},
                                                 $self->{faults}) };
    $self->bad(unfinished => "$name: $@") if !defined $times;
    $self->{rounds}{$damage}++;
    $self->{times}{$damage} += $times // 0;

    my $damaged = time() - $began;
    $self->pause;
    $self->check;
    $self->{model}->forget;

    my $counts = $self->{model}->counts;
    printf "%6.1f s  %-18s %3.1f s, %5d times; %3.1f s until all was done;"
           . " %d acknowledged, %d refused, %d unknown%s\n",
           time() - $self->{began}, $name, $damaged, $times // 0,
           time() - $began - $damaged,
           map({ $counts->{$_} - $before{$_} }
               qw(acknowledged refused unknown)), $self->so_far;
    STDOUT->flush;
}

sub so_far {
    my ($self) = @_;
    my $wrong = $self->{wrong};
    return join '', map { "; $wrong->{$_} $_" } sort keys %$wrong;
}


sub bad {
    my ($self, $class, $text) = @_;

    chomp $text;
    my $n = ++$self->{wrong}{$class};
    print "  WRONG  $class: $text\n" if $n <= 20 || $self->{verbose};
}


# --- Quiet points ---------------------------------------------------------

# Until the clients wait, the service is up and everything has been done.

sub pause {
    my ($self) = @_;

    my $server = $self->{server};
    my $order  = 'pause ' . ++$self->{orders};

    $self->{faults}->set;
    $self->order($order);
    $self->{paused} = {};

    my $paused = $server->wait_for(90, sub {
        $self->read_journals($order);
        return keys %{ $self->{paused} } == $self->{clients};
    });
    $self->bad(driver => 'clients do not come to an end') if !$paused;

    for my $node (grep { !$_->alive } @{ $self->{nodes} }) {
        $self->bad(died => 'the master process') if $node->{pid};
        $node->crash;
        $node->start;
    }

    my $began = time();
    for my $node (@{ $self->{nodes} }) {
        my $ready = $node->wait_for($BOUND, sub {
            $node->get('/readyz', timeout => 5)->status == 200 });
        $self->bad(unfinished => 'the service is not ready') if !$ready;
    }

    my ($left, $hurried);
    $server->wait_for($BOUND - (time() - $began), sub {
        $self->{view}->hurry_uploads
            if time() - $began > 3 && !$hurried++;
        $left = $self->{view}->waiting;
        return $left == 0;
    });
    $self->bad(unfinished => "$left rows wait in the queues") if $left;
}


sub read_journals {
    my ($self, $order) = @_;

    for my $number (0 .. $self->{clients} - 1) {
        open my $file, '<', $self->{server}->dir . "/journal-$number" or next;
        seek $file, $self->{read}{$number} // 0, 0;

        while (defined(my $line = <$file>)) {
            last if $line !~ /\n\z/;
            $self->{read}{$number} = tell $file;
            $self->learn($number, $json->decode($line), $order);
        }
    }
}

sub learn {
    my ($self, $number, $entry, $order) = @_;

    if ($entry->{paused}) {
        $self->{paused}{$number} = 1 if $entry->{paused} eq $order;

    } elsif ($entry->{bad}) {
        $self->bad($entry->{bad}, $entry->{text});

    } elsif ($entry->{slow}) {
        $self->{slow}++;

    } else {
        $self->{model}->note($entry);
    }
}


sub check {
    my ($self) = @_;

    my $view = $self->{view};
    my $rows = $view->rows;
    my $news = sub {
        my @news = $self->{hooks}->news;
        $self->{arrived} += @news;
        return @news;
    };

    $self->{compared} += keys %$_ for values %$rows;
    $self->bad(@$_) for
        $self->{model}->compare($rows), $view->wrong, $view->events($news);
    $self->read_log;
}


# Until no event waits for its delivery: one that a worker had when it died
# may be leased for 49 s.

sub deliver {
    my ($self) = @_;

    my $left;
    $self->{server}->wait_for($BOUND + 30, sub {
        $left = $self->{view}->hurry;
        sleep 0.3 if $left;
        return $left == 0;
    });

    $self->bad(unfinished => "$left events are not delivered") if $left;
}


# What the logs have told since the last time; they are emptied then.

sub read_log {
    my ($self) = @_;
    $self->read_log_of($_) for @{ $self->{nodes} };
}

sub read_log_of {
    my ($self, $node) = @_;

    my $logs = $node->dir . '/logs';
    my $text = $node->log_text;

    truncate $_, 0 for "$logs/error.log", "$logs/out";

    my @lines = split /\n/, $text;
    my @fine  = (qr/exited on signal 9\b/, @{ $self->{server}{allow} });
    my @wrong = grep { my $line = $lines[$_];
                       $line =~ /\[alert\]|Sanitizer|runtime error/
                       && !grep { $line =~ $_ } @fine } 0 .. $#lines;

    # What led to it, because it may not happen again.
    print map { "  before $lines[$_]\n" }
          max(0, $wrong[0] - 60) .. $wrong[0] - 1 if @wrong;

    $self->bad(died => $lines[$_]) for @wrong;
}


# --- The end --------------------------------------------------------------

sub table {
    my ($self) = @_;

    my $counts = $self->{model}->counts;
    my $row    = sub { printf "  %-14s %8s %8s  %s\n", @_ };

    print "\n";
    $row->('damage', 'rounds', 'times', '');
    $row->($_, $self->{rounds}{$_}, $self->{times}{$_}, '')
        for sort keys %{ $self->{rounds} };

    print "\n";
    $row->('operations', '', '', '');
    $row->('acknowledged', '', $counts->{acknowledged}, '');
    $row->('refused', '', $counts->{refused}, '');
    $row->('unknown', '', $counts->{unknown},
           "$counts->{found} are there, $counts->{absent} are not");
    $row->('without answer', '', $self->{slow} // 0, 'within 20 s');
    $row->('rows', '', $self->{compared}, 'compared after the rounds');
    $row->('webhooks', '', $self->{arrived}, 'arrived');

    print "\n";
    for (my $n = 0; $n < @classes; $n += 2) {
        my ($class, $text) = @classes[$n, $n + 1];
        $row->($class, '', $self->{wrong}{$class} // 0, $text);
    }

    printf "\n  seed %d, %.0f s, store %s\n", $self->{seed},
           time() - $self->{began},
           $self->{fleet} ? "in PostgreSQL, $self->{fleet} nodes"
           : $self->{server}{mounted} ? 'on a tmpfs' : 'on the disk';
}


# Whatever happens, nothing stays behind.

sub DESTROY {
    my ($self) = @_;

    local $?;
    return if $$ != $self->{owner};

    kill KILL => @{ $self->{children} };
    waitpid $_, 0 for @{ $self->{children} };

    for my $server (@{ $self->{nodes} // [] }) {
        $server->crash if $server->{group};

        if ($self->{keep}) {
            print "kept: ", $server->dir, "\n";
        } else {
            $server->unmount;
        }
    }
}


1;
