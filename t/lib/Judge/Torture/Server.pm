# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# nginx as a service manager runs it: it is nobody's child, as an upgrade of
# the binary wants it, and may leave workers behind.  A watchdog ends all of
# it with the driver.

package Judge::Torture::Server;

use strict;
use warnings;

use POSIX qw(setpgid);
use Time::HiRes qw(sleep);

use Judge::Nginx;
use parent -norequire, 'Judge::Test';


# Starts beside what is left of another one, too.

sub start {
    my ($self) = @_;

    my $pidfile = "$self->{dir}/nginx.pid";
    unlink $pidfile;

    my $starter = fork // die "fork: $!";

    if ($starter == 0) {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP PIPE CHLD);
        %ENV = (%ENV, Judge::Nginx::environment(), $self->{environment}->());
        open STDIN,  '<', '/dev/null';
        open STDOUT, '>>', "$self->{dir}/logs/out";
        open STDERR, '>&', \*STDOUT;
        exec $self->command or POSIX::_exit(127);
    }

    waitpid $starter, 0;
    my $pid = $self->wait_for(20, sub { pidfile($pidfile) });
    die "nginx did not start\n" . $self->log_tail(15) if $? || !$pid;

    $self->{pid}     = $self->{group} = $pid;
    $self->{started} = 1;
    push @{ $self->{groups} }, $pid;
    $self->guard;
    $self->answers;
}

sub pidfile {
    return (Judge::Nginx::read_file($_[0]) // '') =~ /^(\d+)/ ? $1 : undef;
}

sub answers {
    my ($self) = @_;

    $self->wait_until(sub {
        $self->request(GET => '/healthz', key => undef,
                       timeout => 5)->status == 200;
    }, 'nginx to answer', 60);
}


# A process that sees the end of this one, however it comes.

sub guard {
    my ($self) = @_;

    my $group = $self->{group};
    my $us    = $$;

    pipe my $wait, my $lives or die "pipe: $!";
    my $guard = fork // die "fork: $!";

    if ($guard == 0) {
        close $lives;
        setpgid(0, 0);
        $SIG{$_} = 'IGNORE' for qw(INT TERM HUP);
        sysread $wait, my $end, 1;
        kill KILL => -$group;
        sleep 1;
        $self->unmount;
        POSIX::_exit(0);
    }

    push @{ $self->{guards} }, [ $guard, $lives ];
}


sub expand {
    my ($self, $text) = @_;
    return $self->SUPER::expand($text) =~ s/^daemon +off;/daemon on;/mr;
}

# With its path, by which an upgrade starts it again.

sub command {
    my ($self) = @_;

    my ($nginx, @arguments) = $self->SUPER::command;
    my ($path) = $nginx =~ m{/} ? $nginx
               : grep { -x } map { "$_/$nginx" }
                 split(/:/, $ENV{PATH}), '/usr/sbin';

    return ($path, @arguments);
}


# The store on a file system of its own, where one may be mounted.

sub mount {
    my ($self) = @_;

    mkdir $self->store_dir;
    $self->{mounted} = $> == 0
        && system("mount -t tmpfs -o size=512m judge-torture"
                  . ' ' . $self->store_dir . ' 2>/dev/null') == 0;
}

# With room for so many more KB only; or for all.

sub resize {
    my ($self, $room) = @_;

    my $dir = $self->store_dir;
    my $kb  = 512 << 10;

    # What is used grows meanwhile.
    for my $try (0 .. 9) {
        $kb = $room + 100 * $try + (split /\n/, `df -k --output=used $dir`)[1]
            if defined $room;
        return if system("mount -o remount,size=${kb}k $dir 2>/dev/null") == 0;
    }

    die "the file system keeps its size\n";
}

sub unmount {
    my ($self) = @_;
    system('umount', $self->store_dir) if delete $self->{mounted};
}


sub alive {
    my ($self) = @_;
    return $self->{pid} && grep { $_ == $self->{pid} } $self->processes;
}

sub processes {
    my ($self) = @_;

    local $self->{group};
    return map { $self->{group} = $_; $self->SUPER::processes }
           @{ $self->{groups} };
}

sub end {
    my ($self, @how) = @_;

    $self->SUPER::end(@how);
    $self->{groups} = [];

    for (splice @{ $self->{guards} }) {
        my ($guard, $lives) = @$_;
        kill KILL => $guard;
        waitpid $guard, 0;
    }
}


# Puts a new binary in the place of the running one, without a pause; or
# takes the new one back.

sub upgrade {
    my ($self, $back) = @_;

    my $old  = $self->{pid};
    my %was  = map { $_ => 1 } $self->workers;
    my $file = "$self->{dir}/nginx.pid";

    kill USR2 => $old;
    my $new = $self->wait_until(sub {
        my $pid = pidfile($file) // 0;
        return $pid && $pid != $old && -e "$file.oldbin" && $pid;
    }, 'the new binary');
    $self->wait_until(sub {
        $self->{opt}{workers} <= grep { !$was{$_} } $self->workers;
    }, 'the workers of the new binary');

    kill WINCH => $old;
    $self->wait_until(sub { !grep { $was{$_} } $self->workers },
                      'the old workers to begin to leave');

    if ($back) {
        kill HUP => $old;
        sleep 0.2;
        ($old, $new) = ($new, $old);
    }

    kill QUIT => $old;
    $self->wait_until(sub { !grep { $_ == $old } $self->processes },
                      'the other binary to leave', 60);
    $self->{pid} = $new;
}


1;
