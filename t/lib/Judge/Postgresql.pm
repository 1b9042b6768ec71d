# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# A PostgreSQL server of the tests' own, in a folder and on a socket there:
#
#   my $server = Judge::Postgresql->start;
#   my $url    = $server->database;      # an empty one, for one nginx
#   $server->stop;                       # start_again; crash
#   my $second = $server->standby;       # has all that is acknowledged
#   $second->promote;
#
# start() takes options of the server, a port of 127.0.0.1 to listen on
# besides, auth and pwfile of initdb. The server ends with the process that
# has started it, however that one ends.
#
# JUDGE_TEST_POSTGRESQL is the folder of a server that runs already, with
# which the tests of util/test --store=postgresql run.

package Judge::Postgresql;

use strict;
use warnings;

use File::Temp qw(tempdir);
use POSIX ();
use Time::HiRes qw(sleep time);

my $made = 0;


sub running { $ENV{JUDGE_TEST_POSTGRESQL} }

# The one that runs already.
sub shared {
    return bless { dir => running(), port => 5432, shared => 1 }, $_[0];
}


# The programs are Debian's; a server does not run as root.

sub program {
    my ($name) = @_;
    my ($path) = reverse sort glob "/usr/lib/postgresql/*/bin/$name";
    return $path // $name;
}

sub command {
    my ($name, @args) = @_;
    return ($> == 0 ? qw(setpriv --reuid=postgres --regid=postgres
                         --init-groups) : 'setpriv',
            qw(--pdeathsig QUIT), program($name), @args);
}

sub quietly {
    my (@command) = @_;

    waitpid spawn('/dev/null', @command), 0;
    return $? == 0;
}

sub spawn {
    my ($out, @command) = @_;
    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        setpgrp;
        open STDIN, '<', '/dev/null';
        open STDOUT, '>>', $out;
        open STDERR, '>&', \*STDOUT;
        chdir '/';
        exec @command or POSIX::_exit(127);
    }

    return $pid;
}


sub start {
    my ($class, %opt) = @_;
    my $dir = tempdir('judge-postgresql-XXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $self = bless { dir => $dir, opt => $opt{options} // '' }, $class;

    $self->folder;
    $self->{opt} .= " -c listen_addresses=127.0.0.1 -p $opt{port}"
        if $opt{port};
    $self->{port} = $opt{port} // 5432;

    quietly(command('initdb', '-D', "$dir/data", qw(-U judge -E UTF8),
                    '--locale=C', '--auth=' . ($opt{auth} // 'trust'),
                    $opt{pwfile} ? "--pwfile=$opt{pwfile}" : ()))
        or die "initdb failed\n";
    $self->start_again;

    return $self;
}

sub folder {
    my ($self) = @_;

    chmod 0711, $self->{dir};
    mkdir "$self->{dir}/data", 0700;
    chown +(getpwnam 'postgres')[2, 3], $self->{dir}, "$self->{dir}/data"
        if $> == 0;
}

# Another server that follows this one; from now on no commit is acknowledged
# that it does not have.

sub standby {
    my ($self) = @_;
    my $dir = tempdir('judge-standby-XXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $standby = bless { dir => $dir, opt => '', port => 5432 }, ref $self;

    $standby->folder;
    quietly(command('pg_basebackup', '-h', $self->{dir}, qw(-U judge -R -c),
                    'fast', '-D', "$dir/data")) or die "pg_basebackup failed";
    $standby->start_again;
    $self->psql('postgres',
                q{alter system set synchronous_standby_names = '*'});
    $self->psql('postgres', 'select pg_reload_conf()');

    return $standby;
}

sub promote { $_[0]->control(qw(promote -w)) }

sub start_again {
    my ($self) = @_;

    $self->{pid} = spawn("$self->{dir}/log", command('postgres',
        '-D', "$self->{dir}/data", qw(-c listen_addresses= -c fsync=off
                                      -c max_connections=300),
        '-c', "unix_socket_directories=$self->{dir}",
        split ' ', $self->{opt}));
    $self->{owner} = $$;

    my $until = time + 120;
    until ($self->ready) {
        sleep 0.02;
        die 'the server does not start: ' . `tail -3 $self->{dir}/log`
            if time > $until || waitpid($self->{pid}, POSIX::WNOHANG()) != 0;
    }
}

# As the server itself says in the last line of its file.
sub ready {
    my ($self) = @_;
    open my $file, '<', "$self->{dir}/data/postmaster.pid" or return 0;
    my @lines = <$file>;
    return @lines == 8 && $lines[0] == $self->{pid}
           && $lines[7] =~ /^(?:ready|standby)/;
}

sub stop  { $_[0]->end('INT') }
sub crash { $_[0]->end('QUIT') }

sub end {
    my ($self, $signal) = @_;
    my $pid = delete $self->{pid} or return;

    kill $signal => $pid;
    waitpid $pid, 0;
}

sub control {
    my ($self, @args) = @_;
    return quietly(command('pg_ctl', '-D', "$self->{dir}/data", @args));
}

sub DESTROY {
    my ($self) = @_;
    local $?;
    $self->crash if ($self->{owner} // 0) == $$;
}


# Where it listens.
sub socket_path { "$_[0]{dir}/.s.PGSQL.$_[0]{port}" }

# The address of a new database.

sub database {
    my ($self) = @_;
    my $name = "t$$" . '_' . ++$made;

    $self->psql('postgres', "create database $name");

    return $self->url($name);
}

sub url {
    my ($self, $name) = @_;
    return "postgresql://judge\@/$name?host=$self->{dir}"
           . ($self->{port} == 5432 ? '' : "&port=$self->{port}");
}


# What psql prints for a statement, without alignment; change() is the number
# of rows that the last one of statements changed.

sub psql {
    my ($self, $database, $sql, $options) = @_;
    local $ENV{PGOPTIONS} = '-c client_min_messages=warning';

    open my $out, '-|', 'psql', $options // '-XAtq', '-v', 'ON_ERROR_STOP=1',
         '-v', 'VERBOSITY=terse',
         '-d', $database =~ m{://} ? $database : $self->url($database),
         '-c', $sql or die "psql: $!";
    my $text = do { local $/; <$out> } // '';
    close $out or die "psql failed: $sql\n";

    return $text;
}

sub change {
    my ($self, $database, $sql) = @_;
    my ($n) = $self->psql($database, $sql, '-XAt') =~ /(\d+)\n\z/;

    return $n // 0;
}

1;
