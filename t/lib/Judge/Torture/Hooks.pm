# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A receiver of webhooks in a process of its own: it answers as it likes,
# unless it is told to be good, and notes each event.

package Judge::Torture::Hooks;

use strict;
use warnings;

use Digest::SHA qw(hmac_sha256_hex);
use IO::Select;
use IO::Socket::INET;
use POSIX ();
use Time::HiRes qw(sleep);

use Judge::Torture::Random;


# Each answer, and how often it is given.
my %answers = (200 => 84, 503 => 6, cut => 3, none => 4, slow => 3);


sub start {
    my ($class, %opt) = @_;

    my $server = IO::Socket::INET->new(
        LocalAddr => '127.0.0.1', Proto => 'tcp', Listen => 512)
        or die "hooks: $!\n";
    my $self = bless { dir => $opt{dir}, server => $server, owner => $$,
                       url => 'http://127.0.0.1:' . $server->sockport,
                       random => Judge::Torture::Random->new($opt{seed}) },
                     $class;

    $self->{pid} = fork // die "fork: $!\n";

    if ($self->{pid} == 0) {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
        $SIG{PIPE} = 'IGNORE';
        $self->serve;
        POSIX::_exit(0);
    }

    return $self;
}

sub url { $_[0]{url} }

sub secret {
    my ($self, $secret) = @_;
    $self->file('secret', $secret);
}

sub good {
    my ($self, $good) = @_;
    $good ? $self->file('good', 1) : unlink "$self->{dir}/hooks-good";
}

sub file {
    my ($self, $name, $text) = @_;

    open my $file, '>', "$self->{dir}/hooks-$name" or die "hooks: $!\n";
    print {$file} $text;
}

sub stop {
    my ($self) = @_;

    my $pid = delete $self->{pid} or return;
    kill KILL => $pid;
    waitpid $pid, 0;
}

sub DESTROY {
    my ($self) = @_;
    local $?;
    $self->stop if $$ == $self->{owner};
}


# What has come since the last call: [ how it was answered, event, whether
# the signature is good ].

sub news {
    my ($self) = @_;

    open my $log, '<', "$self->{dir}/hooks-log" or return;
    seek $log, $self->{read} // 0, 0;

    my @news;

    while (defined(my $line = <$log>)) {
        last if $line !~ /\n\z/;
        chomp $line;
        push @news, [ split ' ', $line ];
        $self->{read} = tell $log;
    }

    return @news;
}


sub serve {
    my ($self) = @_;

    open $self->{log}, '>>', "$self->{dir}/hooks-log" or die "hooks: $!\n";

    my $parent = getppid;
    my $select = IO::Select->new($self->{server});

    while (getppid == $parent) {
        $select->can_read(1) or next;
        my $client = $self->{server}->accept or next;
        $self->converse($client);
        close $client;
    }
}

sub converse {
    my ($self, $client) = @_;

    my ($in, $length) = ('', undef);

    while (!defined $length || length $in < $length) {
        IO::Select->new($client)->can_read(2) or return;
        sysread($client, $in, 65536, length $in) or return;

        if (!defined $length && $in =~ /\r\n\r\n/) {
            $length = $+[0];
            $length += $1
                if substr($in, 0, $length) =~ /^content-length: (\d+)/mi;
        }
    }

    my ($id) = $in =~ /^webhook-id: (\S+)\r$/mi or return;
    my $how  = -e "$self->{dir}/hooks-good"
               ? 200 : $self->{random}->weighted(\%answers);

    sleep 0.3 if $how eq 'slow';

    # Before the answer: what is delivered has been noted.
    syswrite $self->{log}, "$how $id " . $self->genuine($in) . "\n";

    my $status = $how eq 'slow' ? 200 : $how;
    syswrite $client, "HTTP/1.1 $status Yes\r\nContent-Length: 0\r\n\r\n"
        if $status =~ /^\d+$/;
    syswrite $client, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nnot"
        if $how eq 'cut';
}

sub genuine {
    my ($self, $in) = @_;

    open my $file, '<', "$self->{dir}/hooks-secret" or return 0;
    my $secret = do { local $/; <$file> };
    my ($body) = $in =~ /\r\n\r\n(.*)\z/s;
    my ($is)   = $in =~ /^x-webhook-signature: sha256=(\w+)\r$/mi or return 0;

    return $is eq hmac_sha256_hex($body, $secret) ? 1 : 0;
}


1;
