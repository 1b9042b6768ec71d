# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Many clients that listen to the events of one batch, each over a connection
# of its own, and come back with the last event they saw when they are cut off.

package Judge::Listeners;

use strict;
use warnings;

use IO::Socket::INET ();
use Time::HiRes qw(time);

# Opens n of them; heard() begins to take what comes.

sub new {
    my ($class, $t, $n, $path) = @_;

    my $self = bless { t => $t, path => $path, by => {}, ready => '',
                       all => [ map { { in => '', last => 0, next => 1,
                                        wrong => 0, comes => 0 } } 1 .. $n ] },
               $class;
    $self->open($_) for @{ $self->{all} };

    return $self;
}

# HTTP/1.0, so that events come without chunks between them.

sub open {
    my ($self, $l) = @_;

    my $socket = IO::Socket::INET->new(
        PeerAddr => '127.0.0.1', PeerPort => $self->{t}->port) or return;
    my $last   = $l->{comes} ? "Last-Event-ID: $l->{last}\r\n" : '';

    syswrite $socket, "GET $self->{path} HTTP/1.0\r\n$last"
                      . 'X-API-Key: ' . $self->{t}->key . "\r\n\r\n";
    $socket->blocking(0);
    @$l{qw(socket in)} = ($socket, '');
    $l->{comes}++;
    $self->{by}{ fileno $socket } = $l;
    vec($self->{ready}, fileno $socket, 1) = 1;
}

sub shut {
    my ($self, $l) = @_;

    my $fd = fileno $l->{socket};
    vec($self->{ready}, $fd, 1) = 0;
    delete $self->{by}{$fd};
    close delete $l->{socket};
}

# Takes what has come, waiting for it at most so long.

sub hear {
    my ($self, $seconds) = @_;

    $self->open($_)
        for grep { !$_->{socket} && !$_->{done} } @{ $self->{all} };
    return if select(my $ready = $self->{ready}, undef, undef, $seconds) <= 0;

    for my $fd (grep { vec($ready, $_, 1) } keys %{ $self->{by} }) {
        my $l = $self->{by}{$fd};
        my $n = sysread $l->{socket}, $l->{in}, 65536, length $l->{in};

        $self->take($l, $1) while $l->{in} =~ s/\A(.*?)\r?\n\r?\n//s;
        $self->shut($l) if !$n && (defined $n || !$!{EAGAIN});
    }
}

# A block of the stream: an event, a comment, or the head of the answer.

sub take {
    my ($self, $l, $block) = @_;

    my ($id, $event) = $block =~ /^id: (\d+)\S*\nevent: (\w+)\n/ or return;

    $l->{last} = $id;
    $l->{done} = 1 if $event eq 'done';
    $l->{wrong}++ if $event eq 'item' && $id != $l->{next}++;
}

# How many have heard of so many items; that all of them do.

sub heard {
    my ($self, $items) = @_;
    return scalar grep { $_->{next} > $items } @{ $self->{all} };
}

sub all_hear {
    my ($self, $items) = @_;

    my $until = time + 60 * $self->{t}->slow;
    $self->hear(0.1)
        while $self->heard($items) < @{ $self->{all} } && time < $until;

    return $self->heard($items) == @{ $self->{all} };
}

# Of all: how often something else than the next item came; how many heard the
# end; how often they had to come back.

sub wrong { my $n = 0; $n += $_->{wrong} for @{ $_[0]{all} }; return $n }
sub done { return scalar grep { $_->{done} } @{ $_[0]{all} } }
sub back { my $n = 0; $n += $_->{comes} - 1 for @{ $_[0]{all} }; return $n }

1;
