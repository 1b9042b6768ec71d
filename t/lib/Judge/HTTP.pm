# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# HTTP/1.1 over plain sockets, so that a test decides about every byte: what
# is sent, in which pieces, how slowly, and when the connection ends.

package Judge::HTTP;

use strict;
use warnings;

use IO::Select;
use IO::Socket::INET;
use Socket qw(SHUT_WR SOL_SOCKET SO_LINGER SO_RCVBUF IPPROTO_TCP TCP_NODELAY);
use Time::HiRes qw(sleep time);


# Judge::HTTP->connect(port => …, timeout => 10): one connection; rcvbuf makes
# it one that takes few bytes at a time.

sub connect {
    my ($class, %opt) = @_;

    local $SIG{PIPE} = 'IGNORE';

    my $socket = IO::Socket::INET->new(
        PeerAddr => $opt{host} // '127.0.0.1',
        PeerPort => $opt{port},
        Proto    => 'tcp',
        Timeout  => $opt{timeout} // 10,
    ) or die "cannot connect to port $opt{port}: $@\n";

    setsockopt($socket, IPPROTO_TCP, TCP_NODELAY, 1);
    setsockopt($socket, SOL_SOCKET, SO_RCVBUF, $opt{rcvbuf}) if $opt{rcvbuf};
    $socket->blocking(0);

    return bless {
        socket  => $socket,
        timeout => $opt{timeout} // 10,
        in      => '',
        eof     => 0,
    }, $class;
}


# Sends bytes; false when the peer does not take them (it has closed, or the
# time is over).  In pieces: chunk => bytes, delay => seconds between them.
#
# apart: the connection stays, and the body comes after the head.  Then the
# answer ends the request at once, so that sanitizers see what is used after.

sub send {
    my ($self, $bytes, %opt) = @_;

    local $SIG{PIPE} = 'IGNORE';

    if ($opt{apart} && !$opt{chunk}
        && $bytes =~ s/^Connection: close\r\n(?=.*\r\n\r\n.)//ms
        && $bytes =~ /\r\n\r\n/g)
    {
        $self->send(substr $bytes, 0, pos $bytes, '') or return 0;
        sleep 0.002;
    }

    my $deadline = time() + ($opt{timeout} // $self->{timeout});
    my $select   = IO::Select->new($self->{socket});
    my $chunk    = $opt{chunk} // 65536;
    my $sent     = 0;

    while ($sent < length $bytes) {
        my $left = $deadline - time();
        return 0 if $left <= 0;

        $select->can_write($left) or return 0;

        my $n = syswrite($self->{socket}, $bytes, $chunk, $sent);

        if (!defined $n) {
            next if $!{EAGAIN} || $!{EINTR};
            return 0;
        }

        $sent += $n;
        sleep $opt{delay} if $opt{delay} && $sent < length $bytes;
    }

    return 1;
}


# Half-closes the connection: the answer can still be read.

sub half_close { shutdown($_[0]{socket}, SHUT_WR) }

sub close { close(delete $_[0]{socket}) if $_[0]{socket} }


# Ends the connection with a reset, as a client that dies.

sub reset {
    my ($self) = @_;

    setsockopt($self->{socket}, SOL_SOCKET, SO_LINGER, pack('ii', 1, 0));
    $self->close;
}


# Reads more into {in}; false at the end of the stream or of the time.  What
# is there is taken also when the time is over: this process may have slept.

sub fill {
    my ($self, $deadline) = @_;

    return 0 if $self->{eof};

    my $select = IO::Select->new($self->{socket});

    while (1) {
        my $left = $deadline - time();
        return 0 if !$select->can_read($left > 0 ? $left : 0);

        my $n = sysread($self->{socket}, $self->{in}, 65536,
                        length $self->{in});

        return 1 if $n;
        next if !defined $n && ($!{EAGAIN} || $!{EINTR});

        $self->{eof}   = 1;
        $self->{error} = "$!" if !defined $n;
        return 0;
    }
}


# What has come up to a match of $re, taken from the stream; undef if the
# stream or the time ends before.

sub read_until {
    my ($self, $re, $timeout) = @_;

    my $deadline = time() + ($timeout // $self->{timeout});

    while (1) {
        return substr($self->{in}, 0, $+[0], '') if $self->{in} =~ $re;
        return undef if !$self->fill($deadline);
    }
}


# All up to the end of the stream; {eof} is whether it came in time.

sub read_all {
    my ($self, $timeout) = @_;

    my $deadline = time() + ($timeout // $self->{timeout});

    1 while $self->fill($deadline);

    return substr($self->{in}, 0, length $self->{in}, '');
}


# Whether the peer closes the connection within the time.

sub closed {
    my ($self, $timeout) = @_;

    my $deadline = time() + ($timeout // $self->{timeout});

    1 while $self->fill($deadline);

    return $self->{eof};
}


# The next response on the connection, or undef (see {eof}, {in}).  Pass the
# request's method, as the answer to HEAD has no body.

sub response {
    my ($self, %opt) = @_;

    my $timeout  = $opt{timeout} // $self->{timeout};
    my $deadline = time() + $timeout;
    my ($head, $response);

    do {
        $head = $self->read_until(qr/\r\n\r\n/, $deadline - time());
        return undef if !defined $head;
        $response = Judge::HTTP::Response->parse($head) or return undef;
    } while ($response->status >= 100 && $response->status < 200);

    my $status = $response->status;
    my $length = $response->header('Content-Length');
    my $coding = $response->header('Transfer-Encoding') // '';

    if (($opt{method} // '') eq 'HEAD' || $status == 204 || $status == 304) {
        $response->{body} = '';

    } elsif ($coding =~ /chunked/i) {
        $response->{body} = '';

        while (1) {
            my $line = $self->read_until(qr/\r\n/, $deadline - time());
            return undef if !defined $line;

            my $size = hex($line =~ /^([0-9a-f]+)/i ? $1 : return undef);

            if ($size == 0) {
                $self->read_until(qr/^(?:[^\r\n]+\r\n)*\r\n/,
                                  $deadline - time());
                last;
            }

            my $data = $self->take($size + 2, $deadline);
            return undef if !defined $data;
            $response->{body} .= substr($data, 0, $size);
        }

    } elsif (defined $length) {
        $response->{body} = $self->take($length, $deadline);
        return undef if !defined $response->{body};

    } else {
        $response->{body} = $self->read_all($deadline - time());
    }

    return $response;
}


sub take {
    my ($self, $n, $deadline) = @_;

    while (length $self->{in} < $n) {
        return undef if !$self->fill($deadline);
    }

    return substr($self->{in}, 0, $n, '');
}


# The bytes of a request.  headers is a list of name, value, …; a header
# in `headers` replaces the one that would be made.

sub request_bytes {
    my ($method, $target, %opt) = @_;

    my @own = @{ $opt{headers} // [] };
    my $body  = $opt{body};
    my (%seen, @lines);

    for (my $i = 0; $i < @own; $i += 2) {
        $seen{lc $own[$i]} = 1;
        push @lines, "$own[$i]: $own[$i + 1]" if defined $own[$i + 1];
    }

    unshift @lines, 'Host: localhost' if !$seen{host};
    push @lines, 'Connection: ' . ($opt{keepalive} ? 'keep-alive' : 'close')
        if !$seen{connection};
    push @lines, 'Content-Length: ' . length $body
        if defined $body && !$seen{'content-length'}
           && !$seen{'transfer-encoding'};

    return join("\r\n", "$method $target HTTP/1.1", @lines, '', $body // '');
}


package Judge::HTTP::Response;

use JSON::PP ();

use Judge::JSON;

my $json = Judge::JSON->new->utf8->allow_nonref;


sub parse {
    my ($class, $head) = @_;

    my ($line, @fields) = split /\r\n/, $head;
    my ($status, $reason) = $line =~ m{^HTTP/1\.[01] (\d{3}) ?(.*)$}
        or return undef;

    my %headers;

    for my $field (@fields) {
        my ($name, $value) = $field =~ /^([^:\s]+):[ \t]*(.*?)[ \t]*$/
            or return undef;
        push @{ $headers{lc $name} }, $value;
    }

    return bless {
        status  => $status,
        reason  => $reason,
        headers => \%headers,
        head    => $head,
        body    => '',
    }, $class;
}


sub status { $_[0]{status} }
sub reason { $_[0]{reason} }
sub head   { $_[0]{head} }             # the status line and the headers
sub body   { $_[0]{body} }             # bytes
sub seconds { $_[0]{seconds} }         # from connecting to the last byte

sub header {
    my ($self, $name) = @_;

    my $values = $self->{headers}{lc $name} or return undef;
    return join ', ', @$values;
}

# The decoded body; undef where it is not JSON.

sub json {
    my ($self) = @_;

    $self->{json} = eval { $json->decode($self->{body}) }
        if !exists $self->{json};

    return $self->{json};
}

# The sentence of an error body.

sub detail {
    my $json = $_[0]->json;
    return ref $json eq 'HASH' ? $json->{detail} : undef;
}


1;
