# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The life of a private nginx: its folder and configuration, its processes,
# its error log.  Judge::Test is this and what tests do with it.

package Judge::Nginx;

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use POSIX qw(:sys_wait_h setpgid);
use Socket qw(pack_sockaddr_un);
use Test::More ();
use Time::HiRes qw(sleep time);

use Judge::Postgresql;


my $repo = abs_path(dirname(__FILE__) . '/../../..');

my $asan     = $ENV{JUDGE_TEST_ASAN} || '';
my $valgrind = $ENV{JUDGE_TEST_VALGRIND} || '';

# Deadlines are longer where the server is slower.
my $slow = $valgrind ? 10 : $asan ? 3 : 1;

my @locks;                             # of ports, held by this process


sub repo { $repo }
sub slow { $slow }                     # factor for the deadlines of a test
sub single { $valgrind }               # one process: no workers, no reload
sub asan { $asan }

sub dir { $_[0]{dir} }
sub pid { $_[0]{pid} }                 # of the master
sub store_dir { "$_[0]{dir}/store" }

# What the store is named by: an address, where the tests run on a server.
sub store {
    my ($self) = @_;

    return $self->{store} //= $self->{opt}{address}
        // (Judge::Postgresql->running && !$self->{opt}{conf}
            ? Judge::Postgresql->shared->database : $self->store_dir);
}
sub sqlite { $_[0]->store !~ m{://} }
sub url { 'http://127.0.0.1:' . $_[0]->port . $_[0]{prefix_path} }

sub port {
    my ($self, $n) = @_;
    return $self->{ports}[$n // 0] //= free_port();
}


# A folder with its nginx.conf; nothing runs yet.

sub prepare {
    my ($class, %opt) = @_;

    my $dir = tempdir('judge-test-XXXXXX', TMPDIR => 1,
                      CLEANUP => !$ENV{JUDGE_TEST_KEEP});
    chmod 0755, $dir;
    mkdir "$dir/$_" for qw(logs temp);

    my $self = bless {
        dir    => $dir,
        opt    => { workers => 2, orgs => 1, %opt },
        allow  => [ @{ $opt{allow} // [] } ],
        orgs   => [],
        faults => [],
    }, $class;

    ($self->{prefix_path} = $opt{prefix} // '/') =~ s{/$}{};

    $self->conf;

    return $self;
}


# --- Configuration --------------------------------------------------------

# Writes nginx.conf anew, with these options changed; reload or restart makes
# nginx read it.

sub conf {
    my ($self, %opt) = @_;

    my $o = $self->{opt} = { %{ $self->{opt} }, %opt };

    $self->write('nginx.conf', $self->expand($o->{conf} // template($o)));
}


# nginx -t with these options changed: (true when it is fine, its output).
# As a class method it makes a folder of its own.

sub check_conf {
    my ($self, %opt) = @_;

    $self = $self->prepare if !ref $self;

    my $o    = { %{ $self->{opt} }, %opt };
    my $text = $self->expand($o->{conf} // template($o));

    $text =~ s{logs/error\.log}{logs/check.log}g;
    $self->write('check.conf', $text);

    my ($status, $out) = $self->run(map { s{/error\.log$}{/check.log}r }
                                    map { s{/nginx\.conf$}{/check.conf}r }
                                    $self->command, '-t');
    unlink "$self->{dir}/logs/check.log";

    return ($status == 0, $out);
}


sub template {
    my ($o) = @_;

    my %part = (map { $_ => $o->{$_} // '' }
                qw(main events http server location store));

    my $within = $asan eq 'static' || exists $o->{module} && !$o->{module};
    my $main   = $within ? ''
               : 'load_module ' . ($o->{module} // module()) . ";\n";
    my $prefix = $o->{prefix} // '/';
    my $judge  = $o->{judge} // 'on';

    # Of several sockets of `reuseport` a single process would serve one.
    my $workers = $valgrind ? 1 : $o->{workers};

    $main .= "user " . ($valgrind ? "root" : "www-data") . ";\n" if $> == 0;
    $main .= "master_process off;\n" if $valgrind;

    return <<"CONF";
$main
daemon           off;
worker_processes $workers;
pid              nginx.pid;
error_log        logs/error.log info;

$part{main}

events {
    worker_connections @{[ $o->{connections} // 512 ]};
    $part{events}
}

http {
    access_log             @{[ $o->{access_log} // "logs/access.log" ]};
    client_body_temp_path  temp/body;
    proxy_temp_path        temp/proxy;
    fastcgi_temp_path      temp/fastcgi;
    scgi_temp_path         temp/scgi;
    uwsgi_temp_path        temp/uwsgi;

    judge_store \@STORE\@ $part{store};

    $part{http}

    server {
        listen 127.0.0.1:\@PORT\@ reuseport;
        server_name localhost;

        $part{server}

        location $prefix {
            judge $judge;
            $part{location}
        }
    }
}
CONF
}


sub module {
    return $ENV{JUDGE_TEST_MODULE} if $ENV{JUDGE_TEST_MODULE};
    return $asan ? "$repo/build/asan/ngx_http_judge_module.so"
                 : "$repo/build/ngx_http_judge_module.so";
}


sub expand {
    my ($self, $text) = @_;

    $text =~ s{\@STORE\@}{
        my $store = $self->store;
        $store =~ m(://) ? "$store files=\@DIR\@/store" : $store;
    }ge;
    $text =~ s/\@DIR\@/$self->{dir}/g;
    $text =~ s/\@PORT(\d?)\@/$self->port($1 || 0)/ge;
    $text =~ s/\@MODULE\@/$self->{opt}{module} \/\/ module()/ge;

    return $text;
}


sub command {
    my ($self) = @_;

    my $own   = $self->{opt}{nginx};
    my @nginx = ($own // ($asan eq 'static' ? "$repo/build/static-asan/nginx"
                                            : 'nginx'),
                 '-p', "$self->{dir}/", '-c', "$self->{dir}/nginx.conf",
                 # Since 1.19.5, and for a log whose place is compiled in.
                 $own ? () : ('-e', "$self->{dir}/logs/error.log"));

    return @nginx if !$valgrind;
    return ('valgrind', '--tool=callgrind',
            "--callgrind-out-file=$self->{dir}/callgrind",
            "--log-file=$self->{dir}/logs/callgrind.%p", @nginx)
        if $valgrind eq 'callgrind';

    return ('valgrind', '-q', "--log-file=$self->{dir}/logs/valgrind.%p",
            '--leak-check=full', '--show-leak-kinds=definite',
            '--errors-for-leak-kinds=definite', '--num-callers=30',
            "--suppressions=$repo/t/lib/valgrind.supp", @nginx);
}


sub environment {
    local $ENV{PATH} = "$ENV{PATH}:/usr/sbin:/sbin";

    return (
        PATH => $ENV{PATH},
        ASAN_OPTIONS  => 'detect_leaks=0:detect_stack_use_after_return=1'
                         . ':malloc_context_size=8:quarantine_size_mb=16',
        UBSAN_OPTIONS => 'print_stacktrace=1',
        $asan && $asan ne 'static' ? (LD_PRELOAD => libasan()) : (),
    );
}


my $libasan;

# Vectorscan throws, which ASan can only follow if it knows C++'s library.

sub libasan {
    $libasan //= join ' ', grep { defined && -f } map {
        chomp(my $path = `gcc -print-file-name=$_`);
        abs_path($path);
    } qw(libasan.so libstdc++.so.6);
    return $libasan;
}


# --- Processes ------------------------------------------------------------

sub start {
    my ($self, %opt) = @_;

    die "nginx runs already" if $self->{pid};
    die "util/test does not see that $0 has a server: see serves() in it\n"
        if $ENV{JUDGE_TEST_SERVERLESS};

    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        setpgid(0, 0);
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP PIPE CHLD);
        %ENV = (%ENV, environment());
        open STDIN,  '<', '/dev/null';
        open STDOUT, '>>', "$self->{dir}/logs/out";
        open STDERR, '>&', \*STDOUT;

        # nginx goes down with the test, whatever happens to the test.
        exec 'setpriv', '--pdeathsig', 'TERM', $self->command
            or POSIX::_exit(127);
    }

    $self->{started} = 1;
    $self->{pid}     = $pid;
    $self->{group}   = $pid;
    setpgid($pid, $pid);

    return if exists $opt{wait} && !$opt{wait};

    my $up = $self->wait_for(120 * $slow, sub {
        return -1 if !$self->alive;
        my $r = eval { $self->request(GET => '/healthz', key => undef,
                                      timeout => 5 * $slow) };
        return $r && $r->status == 200;
    });

    if (!$up || $up < 0) {
        Test::More::diag($self->log_tail(15));
        die 'nginx ' . ($up ? 'ended at once' : 'does not answer /healthz')
            . "\n";
    }

    # One has answered; the others may still be on their way.
    $self->wait_until(sub { $self->workers >= $self->{opt}{workers} },
                      'all workers')
        if !$valgrind && !$self->{opt}{conf};
}


# Whether the master is there; notes how it ended.

sub alive {
    my ($self) = @_;

    return 0 if !$self->{pid};

    if (waitpid($self->{pid}, WNOHANG) == $self->{pid}) {
        $self->{ended} = $?;
        delete $self->{pid};
        return 0;
    }

    return 1;
}


# A process that was leaving gracefully and then has to end fast says of each
# connection that it was left open; nginx since 1.25.4 does not.  Of one that
# takes two seconds for it, with what it still has to store, the master says
# that it was killed.

sub ends_fast {
    my ($self, @pids) = @_;

    $self->allow(map { qr/\ $_\#\d+:\ (?:\*\d+\ open\ socket\ \#\d+\ left\ in
                          |aborting$)
                          |worker\ process\ $_\ exited\ on\ signal\ 9\b/x }
                 @pids);
}


# Asks nginx to leave and waits until every process of it has left.  QUIT is
# graceful; stop() is fast; crash() kills all processes at once.

sub quit  { $_[0]->end('QUIT', 90) }
sub stop  { $_[0]->end('TERM', 30) }
sub crash { $_[0]->end('KILL', 30) }

sub end {
    my ($self, $signal, $seconds) = @_;

    return if !$self->{group};

    if ($signal eq 'KILL') {
        kill KILL => $self->processes;
    } else {
        $self->ends_fast($self->processes) if $signal eq 'TERM';
        kill $signal => $self->{pid} if $self->alive;
    }

    my $left = $self->wait_for($seconds * $slow, sub {
        !$self->alive && !$self->processes;
    });

    if (!$left) {
        push @{ $self->{faults} },
             "after SIG$signal and $seconds s these were left: "
             . join(', ', map { "$_ (" . title($_) . ')' } $self->processes);
        kill KILL => $self->processes;
        $self->wait_for(5, sub { !$self->alive && !$self->processes });
    }

    delete @$self{qw(pid group)};
}


sub restart {
    my ($self) = @_;

    $self->quit;
    $self->start;
}


# Makes nginx read its configuration again; returns when the new workers are
# there and, with gone => 1, the old ones have left.

sub reload {
    my ($self, %opt) = @_;

    my %old = map { $_ => 1 } $self->workers;

    kill HUP => $self->{pid};

    $self->wait_until(sub {
        my @now = $self->workers;
        return @now >= $self->{opt}{workers} && !grep { $old{$_} } @now;
    }, 'the new workers');

    $self->wait_until(sub { !grep { $old{$_} } $self->processes },
                      'the old workers to leave') if $opt{gone};
}


# The workers that serve, without those that are shutting down.

sub workers {
    my ($self) = @_;

    return grep { title($_) =~ /^nginx: worker process$/ } $self->processes;
}


# Kills one worker (-9 by default) and waits for its successor.  A worker that
# is killed while it holds the lock of a zone leaves it to the master process,
# which frees it and says so in the log.

sub kill_worker {
    my ($self, %opt) = @_;

    my $pid    = $opt{pid} // ($self->workers)[0];
    my $signal = $opt{signal} // 'KILL';

    $self->allow(qr/worker process $pid exited on signal/);
    $self->allow(qr/shared memory zone "[^"]+" was locked by $pid$/)
        if $signal eq 'KILL';
    kill $signal => $pid;

    $self->wait_until(sub {
        my @now = $self->workers;
        return @now >= $self->{opt}{workers} && !grep { $_ == $pid } @now;
    }, 'the successor of the worker') if $opt{wait} // 1;

    return $pid;
}


# Kills all workers as if at one moment: none can take up what another one had
# in its hands.  Their successors come later.

sub kill_workers {
    my ($self) = @_;
    my @pids   = $self->workers;

    kill STOP => @pids;
    $self->kill_worker(pid => $_, wait => 0) for @pids;
}


# Lets the workers go on for a moment at a time until the condition holds, and
# leaves them stopped: what they do can't have ended unseen.  A worker that was
# stopped within a commit keeps others from reading the store, which sqlite3
# calls a "locking protocol" error: it has to go on first.

sub step_until {
    my ($self, $condition, $what) = @_;
    my @pids = $self->workers;

    $self->wait_until(sub {
        kill CONT => @pids;
        sleep 0.05;
        kill STOP => @pids;

        my $value = eval { $condition->() };
        die $@ if $@ && $@ !~ /locking protocol|database is locked/;
        return $value;
    }, $what);
}


# All living processes of the instance.

sub processes {
    my ($self) = @_;

    my $group = $self->{group} or return;
    my @found;

    opendir my $proc, '/proc' or die "/proc: $!";

    for my $pid (sort { $a <=> $b } grep { /^\d+$/ } readdir $proc) {
        my $stat = read_file("/proc/$pid/stat") or next;
        my ($state, undef, $pgrp, @more) = split ' ', $stat =~ s/.*\) //sr;

        # While a thread of it is left, its files and sockets are open.
        push @found, $pid
            if $pgrp == $group && ($state ne 'Z' || $more[14] > 1);
    }

    return @found;
}

sub title {
    my $line = read_file("/proc/$_[0]/cmdline") // '';
    $line =~ s/\0+$//;
    $line =~ tr/\0/ /;
    return $line;
}


# Runs a command: (exit status, what it printed on both streams).  Only
# nginx needs the sanitizer's library before all others; some programs hang
# with it.

sub run {
    my ($self, @command) = @_;

    my $pid = open(my $out, '-|') // die "fork: $!";

    if ($pid == 0) {
        %ENV = (%ENV, environment());
        delete $ENV{LD_PRELOAD} if $command[0] ne 'nginx';
        open STDERR, '>&', \*STDOUT;
        exec @command or POSIX::_exit(127);
    }

    my $text = do { local $/; <$out> } // '';
    close $out;

    return ($? >> 8 || ($? & 127 ? 255 : 0), $text);
}


# --- Waiting --------------------------------------------------------------

# Waits until the condition holds; dies when it does not in time.

sub wait_until {
    my ($self, $condition, $what, $seconds) = @_;

    my $value = $self->wait_for(($seconds // 120) * $slow, $condition);
    return $value if $value;

    die "waited in vain for $what\n";
}

# A test that it becomes true, and not the end of the file where it does not.

sub comes_true {
    my ($self, $condition, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    return Test::More::ok($self->wait_for(120 * $slow, $condition), $name);
}

sub wait_for {
    my ($self, $seconds, $condition) = @_;

    my $deadline = time() + $seconds;
    my $pause    = 0.01;

    while (1) {
        my $value = $condition->();
        return $value if $value || time() >= $deadline;

        sleep $pause;
        $pause *= 1.3 if $pause < 0.2;
    }
}


# --- The error log --------------------------------------------------------

# Lines of the error log that match one of these are expected.

sub allow {
    my ($self, @patterns) = @_;
    push @{ $self->{allow} }, @patterns;
}

sub log_text {
    my ($self) = @_;
    return join '', map { read_file($_) // '' }
           "$self->{dir}/logs/error.log", "$self->{dir}/logs/out",
           glob "$self->{dir}/logs/valgrind.*";
}

sub access_text { read_file("$_[0]{dir}/logs/access.log") // '' }

sub log_tail {
    my ($self, $n) = @_;

    my @lines = split /^/, $self->log_text;
    return join '', @lines > $n ? @lines[-$n .. -1] : @lines;
}


# The lines of the log that report something broken.

sub log_faults {
    my ($self) = @_;

    my @faults;

    for my $line (split /\n/, $self->log_text) {
        if ($line =~ /\[(?:alert|emerg|crit)\]|exited on signal/) {
            push @faults, $line if !grep { $line =~ $_ } @{ $self->{allow} };

        } elsif ($line =~ /ERROR:\ \w+Sanitizer|SUMMARY:\ \w+Sanitizer
                          |judge_\w+\.[ch]:\d+.*runtime\ error
                          |^==\d+==\ \S/x)
        {
            push @faults, $line;
        }
    }

    return @faults;
}


# --- Small things ---------------------------------------------------------

# A port that is free and stays reserved among the tests that run at the same
# time: the name of an abstract socket is the lock, gone with the process.

sub free_port {
    for (1 .. 500) {
        my $port = 10000 + int rand 20000;

        socket(my $lock, Socket::AF_UNIX(), Socket::SOCK_STREAM(), 0)
            or die "socket: $!";
        bind($lock, pack_sockaddr_un("\0judge-test-port-$port")) or next;

        my $try = IO::Socket::INET->new(
            LocalAddr => '127.0.0.1', LocalPort => $port, Proto => 'tcp',
            Listen => 1) or next;
        close $try;

        push @locks, $lock;
        return $port;
    }

    die "no free port\n";
}


# One that stays taken, and where nobody listens.

sub shut_port {
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
                                       Proto => 'tcp') or die "socket: $!";
    push @locks, $socket;
    return $socket->sockport;
}


sub read_file {
    my ($path) = @_;

    open my $file, '<:raw', $path or return undef;
    local $/;
    return scalar <$file>;
}


sub write {
    my ($self, $name, $text) = @_;

    utf8::encode($text) if utf8::is_utf8($text);

    my $path = "$self->{dir}/$name";
    open my $file, '>:raw', $path or die "$path: $!";
    print {$file} $text;
    close $file or die "$path: $!";

    return $path;
}


1;
