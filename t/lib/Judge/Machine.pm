# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A machine of its own, to do in it what the documents say, as they say it: it
# begins with the files of this one and leaves them alone.  Processes, mounts
# and network are its own, too; there is no way out of it.
#
#   my $machine = Judge::Machine->new or plan(skip_all => …);
#   my ($status, $out) = $machine->run('judge --version');     # bash -e
#
# The tree, without its .git and run/, is where it is here, with what is built,
# so that it is not built again.  `systemctl` does what it does to nginx on a
# Debian without systemd.

package Judge::Machine;

use strict;
use warnings;

use Fcntl qw(:flock);
use File::Temp qw(tempdir);
use POSIX ();
use Time::HiRes qw(sleep);

use Judge::Nginx;

my $owner = $$;
my @machines;

# Mounts a tmpfs, on it the layers, and becomes the first process of it, which
# takes in what is orphaned.
my $setup = <<'SH';
set -e
mount --make-rprivate /
mount -t tmpfs -o mode=755 machine "$1"
mkdir "$1"/upper "$1"/work "$1"/root
mount -t overlay machine \
    -o lowerdir=/,upperdir="$1"/upper,workdir="$1"/work "$1"/root
cd "$1"/root
mount --rbind /dev dev
mount -t proc proc proc
mount -t tmpfs -o mode=1777 tmp tmp
mount -t tmpfs -o mode=755 run run
mkdir -p run/lock var/backups
rm -rf var/lib/judge etc/nginx/sites-enabled/default
cp "$2"/systemctl usr/local/bin/systemctl
mkdir -p ".$3"
rm -rf ".$3/run" ".$3/.git"
tar -xf "$2"/tree.tar -C ".$3"
touch ready
ip link set lo up 2>/dev/null || perl -e '
    use Socket;
    socket(my $s, AF_INET, SOCK_DGRAM, 0) or die;
    ioctl($s, 0x8914, pack("Z16 s x22", "lo", 0x41)) or die "lo: $!"'
exec chroot . perl -e '$SIG{CHLD} = "IGNORE"; sleep 100 while 1'
SH


sub new {
    my ($class) = @_;

    my $try = 'mount -t tmpfs x /media && mkdir /media/u /media/w /media/r &&'
            . ' mount -t overlay -o lowerdir=/,upperdir=/media/u,'
            . 'workdir=/media/w x /media/r';
    return if $> != 0
              || (Judge::Nginx->run(qw(unshare -m -n -p -f sh -c), $try))[0];

    my $dir  = tempdir('judge-machine-XXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $repo = Judge::Nginx->repo;

    mkdir "$dir/m" or die "$dir: $!";
    write_file("$dir/systemctl", "#!/bin/sh\n[ \"\$1\" = daemon-reload ]"
                                 . " || exec service \"\$2\" \"\$1\"\n");
    chmod 0755, $dir, "$dir/systemctl";

    system('tar', '-C', $repo, '-cf', "$dir/tree.tar", '--exclude=./.git',
           '--exclude=./run', '--exclude=./build/t', '--exclude=./build/asan',
           '--exclude=./build/obj/asan', '--exclude=./build/obj/fuzz',
           '--exclude=./build/obj/compat-*',
           '--exclude=./build/compat', '--exclude=./build/npm',
           '--exclude=./build/debian',
           '--exclude=./build/package/*-judge-*', '.') == 0 or die "tar: $?";

    my $self = bless { dir => $dir, owner => $$ }, $class;
    $self->{pid} = fork // die "fork: $!";

    if ($self->{pid} == 0) {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP CHLD);
        open STDIN,  '<', '/dev/null';
        open STDOUT, '>', "$dir/log";
        open STDERR, '>&', \*STDOUT;
        exec 'setpriv', '--pdeathsig', 'KILL', 'unshare', '-m', '-n', '-p',
             '-f', '--kill-child', 'sh', '-c', $setup, 'machine',
             "$dir/m", $dir, $repo
            or POSIX::_exit(127);
    }

    push @machines, $self;
    $self->{init} = $self->first // die Judge::Nginx::read_file("$dir/log");

    return $self;
}


# The process number of its first process, once it is set up.

sub first {
    my ($self) = @_;

    for (1 .. 600) {
        my ($pid) = (Judge::Nginx::read_file(
                        "/proc/$self->{pid}/task/$self->{pid}/children")
                     // '') =~ /(\d+)/;
        return $pid if $pid && -e "/proc/$pid/root/ready"
                       && (readlink("/proc/$pid/exe") // '') =~ /perl/;
        return if !-d "/proc/$self->{pid}/task";
        sleep 0.1;
    }

    return;
}


# Runs a script as root, in a folder of it: (exit status, what it printed).

sub run {
    my ($self, $script, %opt) = @_;

    return Judge::Nginx->run(
        'timeout', $opt{timeout} // 300, 'nsenter', '-t', $self->{init}, '-m',
        '-n', '-p', '-r', 'env', '-i', '-C', '/', 'HOME=/root',
        'LC_ALL=C.UTF-8',
        'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        'bash', '-euo', 'pipefail', '-c',
        'cd "$1"; eval "$2"', 'bash', $opt{in} // Judge::Nginx->repo, $script);
}


# A path of it, as it is seen from outside.

sub path { "/proc/$_[0]{init}/root$_[1]" }

sub write_file {
    my ($path, $text) = @_;

    open my $file, '>:raw', $path or die "$path: $!";
    print {$file} $text;
    close $file or die "$path: $!";
}

sub write { write_file($_[0]->path($_[1]), $_[2]) }

sub end {
    my ($self) = @_;

    return if !$self->{pid};
    kill KILL => $self->{pid};
    waitpid delete $self->{pid}, 0;
}

END {
    my $status = $?;
    if ($$ == $owner) { $_->end for @machines }
    $? = $status;
}

1;
