# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A receiver of webhooks for tests, on a port of 127.0.0.1.  What it does is
# set by the path of the request; the requests it received can be read:
#
#     my $receiver = Judge::Receiver->start;
#     ... $receiver->url('/status/503') ...
#     my ($first) = $receiver->requests;         # in the order they came
#     is($first->{headers}{'webhook-id'}, ...);
#
#     /ok             200              /status/N       N, with a body
#     /retry/N/S      N, with Retry-After: S
#     /hex/N/HEX      N, with that body
#     /slow/S         200 after S seconds
#     /hang           no answer, until the peer leaves
#     /drip           200, and a byte of the body now and then
#     /drip-head      the same with the head
#     /cut            fewer bytes than its Content-Length
#     /cut-chunks     chunks without an end
#     /nothing        closes the connection          /reset   resets it
#     /garbage        what is no HTTP
#     /large          200 and 1 MB     /large-head    64 KB of headers
#     /binary         500 and bytes that are no text
#     /redirect       302 to /ok       /accel         X-Accel-Redirect to it
#     /as/NAME        as $receiver->set(NAME => '/path') set it last

package Judge::Receiver;

use strict;
use warnings;

use Fcntl qw(:flock SEEK_SET);
use File::Temp ();
use IO::Select;
use IO::Socket::INET;
use JSON::PP ();

use Judge::JSON;
use POSIX ();
use Socket qw(SOL_SOCKET SO_LINGER);
use Time::HiRes qw(sleep time);


my $json = Judge::JSON->new->utf8->canonical;

my %actions = (
    ok       => sub { answer($_[0], 200, 'fine') },
    status   => sub { answer($_[0], $_[1], "it is $_[1]") },
    retry    => sub { answer($_[0], $_[1], 'later', "Retry-After: $_[2]") },
    hex      => sub { answer($_[0], $_[1], pack 'H*', $_[2] // '') },
    slow     => sub { sleep $_[1]; answer($_[0], 200, 'at last') },
    hang     => sub { wait_for_end($_[0]) },
    drip     => sub { drip($_[0], head(200, 1000), 'x' x 1000) },
    'drip-head'  => sub { drip($_[0], '', head(200, 2) . 'ok') },
    cut      => sub { put($_[0], head(200, 100) . 'not all'); 0 },
    'cut-chunks' => sub {
        put($_[0], "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                   . "5\r\nhello\r\n");
        0;
    },
    nothing  => sub { 0 },
    reset    => sub {
        setsockopt($_[0], SOL_SOCKET, SO_LINGER, pack 'ii', 1, 0);
        0;
    },
    garbage  => sub { put($_[0], "\0\1\2 220 mail.example ready\r\n"); 0 },
    large    => sub { answer($_[0], 200, 'x' x 1_000_000) },
    'large-head' => sub {
        answer($_[0], 200, '', map { "X-$_: " . 'y' x 1000 } 1 .. 64);
    },
    binary   => sub { answer($_[0], 500, join '', map { chr } 0 .. 255) },
    redirect => sub { answer($_[0], 302, '', 'Location: /ok') },
    accel    => sub { answer($_[0], 200, 'fine', 'X-Accel-Redirect: /ok') },
);


# start(port => …): runs in a process of its own, which ends with us.

sub start {
    my ($class, %opt) = @_;

    my $dir    = File::Temp->newdir('judge-receiver-XXXXXX', TMPDIR => 1);
    my $server = IO::Socket::INET->new(
        LocalAddr => '127.0.0.1', LocalPort => $opt{port} // 0,
        Proto => 'tcp', Listen => 512, ReuseAddr => 1,
    ) or die "receiver: $!\n";

    my $self = bless {
        dir => $dir, port => $server->sockport, owner => $$,
    }, $class;

    $self->write_file('log', '');

    my $pid = fork // die "fork: $!\n";

    if ($pid == 0) {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
        $SIG{CHLD} = 'IGNORE';
        $SIG{PIPE} = 'IGNORE';
        POSIX::setpgid(0, 0);
        $self->serve($server);
        POSIX::_exit(0);
    }

    $self->{pid} = $pid;
    close $server;

    return $self;
}


sub stop {
    my ($self) = @_;

    my $pid = delete $self->{pid} or return;

    kill KILL => -$pid, $pid;
    waitpid $pid, 0;
}

sub DESTROY {
    my ($self) = @_;
    local $?;
    $self->stop if $$ == $self->{owner};
}


sub port { $_[0]{port} }
sub url { "http://127.0.0.1:$_[0]{port}" . ($_[1] // '/ok') }


# What came so far: hashes of path, headers (lower case), body, at (seconds)
# and connection, a number.

sub requests {
    my ($self, $path) = @_;

    my @all = map { $self->{read}{$_} //= $json->decode($_) }
              split /\n/, $self->read_file('log');

    return defined $path ? grep { $_->{path} eq $path } @all : @all;
}

# The webhook-id of each, without reading all the rest.

sub ids {
    my ($self, $path) = @_;

    return map { /"webhook-id":"([^"]*)"/ ? $1 : () }
           grep { index($_, qq("path":"$path")) >= 0 }
           split /\n/, $self->read_file('log');
}

sub clear {
    my ($self) = @_;
    $self->write_file('log', '');
    $self->{read} = {};
}

sub set {
    my ($self, $name, $path) = @_;
    $self->write_file("as-$name", $path);
}


# --- The other process ----------------------------------------------------

sub serve {
    my ($self, $server) = @_;

    my $connection = 0;

    while (1) {
        my $client = $server->accept or next;
        my $pid    = fork // next;
        $connection++;

        if ($pid == 0) {
            close $server;
            $self->converse($client, $connection);
            close $client;
            POSIX::_exit(0);
        }

        close $client;
    }
}


sub converse {
    my ($self, $client, $connection) = @_;

    my $in = '';

    while (my $request = receive($client, \$in)) {
        my $at   = time();
        my $path = $request->{path};

        # Before the test can see the request, and set another answer.
        $path = $self->read_file("as-$1") if $path =~ m{^/as/([\w-]+)};
        $self->note({ %$request, at => $at, connection => $connection });

        my (undef, $name, @args) = split m{/}, $path =~ s/\?.*//r;
        my $action = $actions{ $name // '' } // $actions{ok};

        return if !$action->($client, @args);
    }
}


sub receive {
    my ($client, $in) = @_;

    while ($$in !~ /\r\n\r\n/) {
        sysread($client, $$in, 65536, length $$in) or return undef;
    }

    my ($head) = $$in =~ /^(.*?)\r\n\r\n/s;
    my ($line, @fields) = split /\r\n/, $head;
    my ($method, $path) = split / /, $line;
    my %headers;

    for my $field (@fields) {
        my ($name, $value) = $field =~ /^([^:]+):\s*(.*)$/ or next;
        $headers{lc $name} = exists $headers{lc $name}
                             ? "$headers{lc $name}, $value" : $value;
    }

    my $length = ($headers{'content-length'} // 0) + length($head) + 4;

    while (length $$in < $length) {
        sysread($client, $$in, 65536, length $$in) or return undef;
    }

    my $body = substr $$in, length($head) + 4, $length - length($head) - 4;
    substr $$in, 0, $length, '';

    return { method => $method, path => $path, headers => \%headers,
             body => $body };
}


sub note {
    my ($self, $request) = @_;

    open my $log, '>>:raw', "$self->{dir}/log" or return;
    flock $log, LOCK_EX;
    syswrite $log, $json->encode({
        %$request, body => JSON::PP::decode_json('["' . $request->{body}
            =~ s/([^ !#-\[\]-~])/sprintf '\u%04x', ord $1/ger . '"]')->[0] })
        . "\n";
    close $log;
}


my %reasons = (200 => 'OK', 302 => 'Found', 500 => 'Internal Server Error');

sub head {
    my ($status, $length, @fields) = @_;

    return join "\r\n", "HTTP/1.1 $status " . ($reasons{$status} // 'Other'),
                "Content-Length: $length", @fields, '', '';
}

# True: the connection may go on.

sub answer {
    my ($client, $status, $body, @fields) = @_;
    return put($client, head($status, length $body, @fields) . $body);
}


sub put {
    my ($client, $bytes) = @_;

    my $sent = 0;

    while ($sent < length $bytes) {
        my $n = syswrite $client, $bytes, 65536, $sent;
        return 0 if !$n;
        $sent += $n;
    }

    return 1;
}


# Longer than any deadline of a test; ends when the peer does.

sub drip {
    my ($client, $first, $rest) = @_;

    put($client, $first) if length $first;

    for my $byte (split //, $rest) {
        return 0 if IO::Select->new($client)->can_read(0.1)
                    || !put($client, $byte);
    }

    return 0;
}


sub wait_for_end {
    my ($client) = @_;

    sysread $client, my $bytes, 65536;
    return 0;
}


# --- Files ----------------------------------------------------------------

sub read_file {
    my ($self, $name) = @_;

    open my $file, '<:raw', "$self->{dir}/$name" or return '';
    flock $file, LOCK_SH;
    local $/;
    return scalar(<$file>) // '';
}


sub write_file {
    my ($self, $name, $text) = @_;

    open my $file, '+>>:raw', "$self->{dir}/$name" or die "$name: $!\n";
    flock $file, LOCK_EX;
    truncate $file, 0;
    syswrite $file, $text;
    close $file;
}


1;
