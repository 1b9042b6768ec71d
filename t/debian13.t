# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The commands of README.md in a whole Debian 13, which debootstrap makes of
# the archive that this machine's apt uses and which stays in build/debian.
# Half an hour, the first time.

use Judge::Test;

my $repo = Judge::Nginx->repo;
my $root = "$repo/build/debian/trixie";

sub ran { Judge::Nginx->run(@_) }

plan skip_all => 'debootstrap needs root' if $> != 0;
plan skip_all => 'there is no debootstrap: run util/dev/deps test'
    if (ran('sh', '-c', 'command -v debootstrap'))[0];


# --- Made -------------------------------------------------------------------

my (undef, $archives) = ran(qw(apt-get indextargets --format $(REPO_URI)),
                            'Identifier: Packages', 'Label: Debian');
my ($archive) = $archives =~ m{^(\w+://\S+)}m
    or plan skip_all => 'apt names no archive of Debian';

if (!-e "$root/made") {
    my ($status, $out) = ran('sh', '-ec', 'rm -rf "$1"; mkdir -p "$1";'
        . ' debootstrap --variant=minbase trixie "$1" "$2"; touch "$1/made"',
        'sh', $root, $archive);

    plan skip_all => 'debootstrap: ' . ($out =~ /(.*)\n\z/)[0] if $status;
}

# The tree of today, beside what was built there before.
my ($status, $out) = ran('sh', '-ec', <<'SH', 'sh', $root, $repo);
cp /etc/resolv.conf "$1/etc/resolv.conf"
mkdir -p "$1/srv/judge"
find "$1/srv/judge" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
tar -C "$2" -cf - --exclude=./.git --exclude=./run --exclude=./build . \
    | tar -C "$1/srv/judge" -xf -
SH
die $out if $status;


# --- Used -------------------------------------------------------------------

# What is mounted and runs there ends with the command.

sub does {
    my ($command, $name, $like) = @_;
    my ($status, $out) = ran(qw(unshare -m -p -f --kill-child sh -ec), <<'SH',
mount --make-rprivate /
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
exec chroot "$1" env -i HOME=/root LC_ALL=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    bash -ec "cd /srv/judge; $2"
SH
        'sh', $root, $command);

    is($status, 0, "$name succeeds in Debian 13") or diag(substr $out, -4000);
    like($out, $like, "$name comes to its end in Debian 13") if $like;
}

my $port  = Judge::Nginx::free_port();
my $units = join ' ', map { s{^\Q$repo/}{}r } sort glob "$repo/t/unit/t_*.c";

does("JUDGE_PORT=$port util/run; util/run stop", 'util/run',
     qr/^To end it: util\/run stop$/m);
does("util/test t/smoke.t t/media.t $units", 'util/test',
     qr/^\d+ passed, 0 failed/m);
does('util/test --asan t/smoke.t', 'util/test --asan',
     qr/^\d+ passed, 0 failed/m);
does('util/build --static; build/static/nginx -V', 'util/build --static');
does('util/dev/compat --cc=gcc /usr/share/nginx/src', 'util/dev/compat',
     qr/^compat +src +gcc +ok/m);

done_testing;
