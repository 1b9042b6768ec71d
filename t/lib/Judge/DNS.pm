# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A name server for tests, on a UDP port of 127.0.0.1, with addresses as the
# test gives them:
#
#     my $dns = Judge::DNS->start(
#         'good.test'  => ['127.0.0.1'],
#         'both.test'  => ['127.0.0.1', 'fd00::1'],
#         'turns.test' => [['127.0.0.1'], ['10.0.0.1']],  # in turn
#         'slow.test'  => undef);                         # no answer at all
#     ... resolver 127.0.0.1:PORT ...                     # $dns->port
#     is($dns->asked('good.test'), 1);                    # for an A record
#
# What is not named does not exist (NXDOMAIN).  Answers have no time to live.

package Judge::DNS;

use strict;
use warnings;

use Fcntl qw(:flock);
use File::Temp ();
use IO::Socket::INET;
use POSIX ();
use Socket qw(AF_INET AF_INET6 inet_pton);


use constant { A => 1, AAAA => 28, NXDOMAIN => 3 };


sub start {
    my ($class, %zone) = @_;

    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
                                       LocalPort => 0, Proto => 'udp')
        or die "dns: $!\n";
    my $self = bless {
        log => File::Temp->new, port => $socket->sockport, owner => $$,
    }, $class;

    my $pid = fork // die "fork: $!\n";

    if ($pid == 0) {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
        $self->serve($socket, \%zone);
        POSIX::_exit(0);
    }

    $self->{pid} = $pid;
    close $socket;

    return $self;
}


sub DESTROY {
    my ($self) = @_;

    local $?;
    return if $$ != $self->{owner} || !$self->{pid};

    kill KILL => $self->{pid};
    waitpid delete $self->{pid}, 0;
}


sub port { $_[0]{port} }

sub asked {
    my ($self, $name) = @_;

    open my $log, '<', $self->{log}->filename or die "dns: $!\n";
    return scalar grep { $_ eq "$name\n" } <$log>;
}


# --- The other process ----------------------------------------------------

sub serve {
    my ($self, $socket, $zone) = @_;

    my %turn;

    while (1) {
        my $peer = recv $socket, my $packet, 4096, 0;
        next if !defined $peer || length $packet < 17;

        my ($id, undef, $questions) = unpack 'nnn', $packet;
        my ($name, $at) = name($packet, 12);
        my ($type) = unpack 'n', substr $packet, $at, 2;

        next if $questions != 1;

        if ($type == A) {
            open my $log, '>>', $self->{log}->filename or next;
            print {$log} "$name\n";
            close $log;
        }

        my $addresses = $zone->{$name};
        next if exists $zone->{$name} && !defined $addresses;

        if (ref $addresses && ref $addresses->[0]) {
            my $n = $turn{"$name $type"}++;
            $addresses = $addresses->[$n] // $addresses->[-1];
        }

        send $socket, answer($id, substr($packet, 12, $at + 4 - 12), $type,
                             $addresses), 0, $peer;
    }
}


# A name in a packet, and where it ends.

sub name {
    my ($packet, $at) = @_;

    my @labels;

    while ($at < length $packet) {
        my $length = ord substr $packet, $at++, 1;
        last if !$length;
        push @labels, lc substr $packet, $at, $length;
        $at += $length;
    }

    return (join('.', @labels), $at);
}


sub answer {
    my ($id, $question, $type, $addresses) = @_;

    my @records;

    for my $address (@{ $addresses // [] }) {
        my $six  = $address =~ /:/;
        next if $type != ($six ? AAAA : A);

        my $bytes = inet_pton($six ? AF_INET6 : AF_INET, $address);
        push @records, pack 'n n n N n/a', 0xc00c, $type, 1, 0, $bytes;
    }

    return pack('n6', $id, 0x8580 | ($addresses ? 0 : NXDOMAIN), 1,
                scalar @records, 0, 0) . $question . join '', @records;
}


1;
