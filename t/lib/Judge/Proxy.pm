# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Stands between the service and a server of PostgreSQL, and does to the
# connections what networks do:
#
#   my $proxy = Judge::Proxy->start($path);   # of the server's socket
#   $proxy->port                              # on 127.0.0.1
#
#   $proxy->cut;            # resets all connections there are
#   $proxy->refuse;         # so, and each new one
#   $proxy->delay(0.5);     # each piece comes so many seconds later
#   $proxy->hold;           # those there are stay, and carry nothing any more
#   $proxy->hang;           # so, and each new one
#   $proxy->reset;          # resets these, too, as a host that is back does
#   $proxy->lose($text);    # the next transaction with this text: it is
#                           # committed, but the answer never comes
#   $proxy->vanish($text);  # and nor is there a server behind it
#   $proxy->before($text);  # it is cut before its COMMIT arrives
#   $proxy->stall($text);   # its COMMIT arrives 40 s later, and nothing comes
#                           # back any more
#   $proxy->later($text);   # what is sent with this text is answered, but
#                           # only when pass is called
#   $proxy->amid(8);        # it is cut amid the answer to the next piece
#                           # with so many statements
#   $proxy->together        # statements in a piece, at most
#   $proxy->version(13);    # as what the server introduces itself
#   $proxy->pass;           # carries all again, but what is held
#   $proxy->cuts            # how often these have cut, and later has begun
#                           # to wait

package Judge::Proxy;

use strict;
use warnings;

use IO::Select;
use IO::Socket::INET;
use IO::Socket::UNIX;
use POSIX ();
use Socket qw(AF_UNIX PF_UNSPEC SOCK_STREAM SOL_SOCKET SO_LINGER);
use Time::HiRes qw(time);


sub start {
    my ($class, $path) = @_;

    my $listener = IO::Socket::INET->new(
        LocalAddr => '127.0.0.1', Listen => 128, ReuseAddr => 1)
        or die "proxy: $!";
    socketpair my $ours, my $theirs, AF_UNIX, SOCK_STREAM, PF_UNSPEC
        or die "socketpair: $!";
    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        close $ours;
        $SIG{PIPE} = 'IGNORE';
        bless({ path => $path, listener => $listener, control => $theirs,
                mode => 'pass', delay => 0, cuts => 0, pairs => {} },
              $class)->serve;
        POSIX::_exit(0);
    }

    $ours->autoflush(1);

    return bless { pid => $pid, port => $listener->sockport,
                   control => $ours }, $class;
}


sub DESTROY {
    my ($self) = @_;
    return if !$self->{pid};
    local $?;
    close $self->{control};
    waitpid $self->{pid}, 0;
}


sub port { $_[0]{port} }

sub cut     { $_[0]->tell('cut') }
sub refuse  { $_[0]->tell('refuse') }
sub reset   { $_[0]->tell('reset') }
sub hold    { $_[0]->tell('hold') }
sub hang    { $_[0]->tell('hang') }
sub pass    { $_[0]->tell('pass') }
sub cuts    { $_[0]->tell('cuts') }
sub delay   { $_[0]->tell("delay $_[1]") }
sub lose    { $_[0]->tell("lose $_[1]") }
sub vanish  { $_[0]->tell("vanish $_[1]") }
sub before  { $_[0]->tell("before $_[1]") }
sub stall   { $_[0]->tell("stall $_[1]") }
sub later   { $_[0]->tell("later $_[1]") }
sub amid    { $_[0]->tell("amid $_[1]") }
sub version { $_[0]->tell("version $_[1]") }

sub together { $_[0]->tell('together') }

sub tell {
    my ($self, $command) = @_;
    my $control = $self->{control};

    print $control "$command\n";
    chomp(my $answer = <$control> // die "the proxy has ended\n");

    return $answer;
}


# --- In a process of its own ----------------------------------------------

sub serve {
    my ($self) = @_;

    while (1) {
        my @ends = grep { !$_->{held} } values %{ $self->{pairs} };
        my $due  = (sort { $a <=> $b }
                    map { $_->{queue}[0][0] }
                    grep { @{ $_->{queue} } && !$_->{later} }
                    @ends)[0];
        my $wait = defined $due ? $due - time : undef;

        my @ready = IO::Select->new($self->{listener}, $self->{control},
                                    map { $_->{socket} } @ends)
                    ->can_read(defined $wait && $wait < 0 ? 0 : $wait);

        for my $socket (@ready) {
            if ($socket == $self->{listener}) {
                $self->accept;
            } elsif ($socket == $self->{control}) {
                $self->obey or return;
            } elsif (my $end = $self->{pairs}{$socket}) {
                $self->read($end);
            }
        }

        my @all = values %{ $self->{pairs} };
        $self->write($_) for @all;
    }
}


sub obey {
    my ($self) = @_;
    my $control = $self->{control};

    sysread $control, my $line, 4096 or return 0;
    my ($command, $rest) = $line =~ /^(\w+) ?(.*)$/;

    if ($command =~ /^(?:cut|refuse|reset)$/) {
        my @all = grep { $command eq 'reset' || !$_->{held} }
                  values %{ $self->{pairs} };
        $self->drop($_) for @all;
    }

    $self->{mode} = $command if $command =~ /^(?:refuse|pass|hang)$/;
    my $asks = $command =~ /^(?:cuts|together)$/;
    $self->{delay} = $command eq 'delay' ? $rest : 0 if !$asks;

    if ($command eq 'pass') {
        delete @$self{qw(version lose before vanish stall later amid
                         together)};
        delete $_->{later} for values %{ $self->{pairs} };
    } elsif ($command =~ /^(?:hold|hang)$/) {
        $_->{held} = 1 for values %{ $self->{pairs} };
    } elsif ($command =~ /^(?:lose|before|vanish|stall|later|amid|version)$/) {
        $self->{$command} = $rest;
    }

    syswrite $control, ($asks ? $self->{$command} // 0 : 'ok') . "\n";

    return 1;
}


sub accept {
    my ($self) = @_;
    my $near = $self->{listener}->accept or return;
    my $far  = $self->{mode} eq 'refuse'
               ? undef : IO::Socket::UNIX->new(Peer => $self->{path});

    if (!$far) {
        close $near;
        return;
    }

    my $client = { socket => $near, queue => [], client => 1 };
    my $server = { socket => $far, queue => [], peer => $client };
    $client->{peer} = $server;
    $client->{held} = $server->{held} = $self->{mode} eq 'hang';
    $self->{pairs}{$near} = $client;
    $self->{pairs}{$far}  = $server;
}


# The queue of an end is what waits to be sent to it.

sub read {
    my ($self, $end) = @_;

    my $data;

    if (!sysread $end->{socket}, $data, 65536) {
        $self->drop($end);
        return;
    }

    my $writer = $end->{client} ? $end : $end->{peer};

    if ($end->{client}) {
        for my $how (qw(lose before vanish stall)) {
            $writer->{$how} = 1
                if defined $self->{$how} && index($data, $self->{$how}) >= 0;
        }

        if (defined $self->{later} && index($data, $self->{later}) >= 0) {
            delete $self->{later};
            $self->{cuts}++;
            $end->{later} = 1;
        }

        if ($writer->{before} && $data =~ /COMMIT\0/) {
            delete $self->{before};
            $self->{cuts}++;
            $self->drop($end);
            return;
        }

        if ($writer->{stall} && $data =~ /COMMIT\0/) {
            delete $self->{stall};
            $self->{cuts}++;
            $end->{held} = 1;
            push @{ $end->{peer}{queue} }, [ time + 40, $data ];
            return;
        }

        # A statement is bound to a portal without a name.
        my $n = () = $data =~ /B.{4}\0s\d+\0/gs;
        $self->{together} = $n if $n > ($self->{together} // 0);
        $writer->{halves} = 1 if $self->{amid} && $n >= $self->{amid};

        $writer->{ends} = 1 if ($writer->{lose} || $writer->{vanish})
                               && $data =~ /COMMIT\0/;

    } elsif ($writer->{halves}) {
        delete $self->{amid};
        $self->{cuts}++;
        syswrite $writer->{socket}, substr $data, 0, length($data) / 2;
        $self->drop($end);
        return;

    } elsif ($writer->{ends}) {
        if ($data =~ /COMMIT\0/) {         # the tag of the command
            $self->{mode} = 'refuse' if delete $self->{vanish};
            delete $self->{lose};
            $self->{cuts}++;
            $self->drop($end);
        }
        return;

    } elsif (defined $self->{version}) {
        $data =~ s/server_version\0\K\d\d/$self->{version}/;
    }

    push @{ $end->{peer}{queue} }, [ time + $self->{delay}, $data ];
}


sub write {
    my ($self, $end) = @_;
    my $queue = $end->{queue};

    return if $end->{held} || $end->{later}
              || !$self->{pairs}{ $end->{socket} };

    while (@$queue && $queue->[0][0] <= time) {
        my $data = (shift @$queue)->[1];

        while (length $data) {
            my $n = syswrite $end->{socket}, $data;
            if (!defined $n) {
                $self->drop($end);
                return;
            }
            substr $data, 0, $n, '';
        }
    }
}


sub drop {
    my ($self, $end) = @_;
    my $peer = delete $end->{peer} or return;

    delete $peer->{peer};

    for my $one ($end, $peer) {
        my $socket = $one->{socket};
        delete $self->{pairs}{$socket};
        setsockopt $socket, SOL_SOCKET, SO_LINGER, pack 'II', 1, 0
            if $one->{client};
        close $socket;
    }
}

1;
