# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The Debian package: lintian finds nothing; it is installed, serves, is
# replaced without a refused request, removed and purged, and the data stay.
# Installed where that may be done, else unpacked into a folder.  What Debian
# does to the service `nginx` is done to the nginx of this test.

use Fcntl qw(:flock);
use POSIX ();

use Judge::Test;
use Judge::Torture::Server;

my $name = 'libnginx-mod-http-judge';
my $so   = 'modules/ngx_http_judge_module.so';
my $t    = Judge::Torture::Server->new(start => 0, module => $so,
               allow => [qr/dlopen\(\) .* failed/]);   # once it is removed
my $repo = $t->repo;
my $dir  = $t->dir;
my $tree = '/usr/share/nginx/src/debian/libnginx-mod.abisubstvars';

if (!-e $tree || grep { !-x "/usr/bin/$_" } qw(dpkg-buildpackage lintian)) {
    plan(skip_all => 'util/dev/deps package has not been here');
}

plan(skip_all => 'the package has no sanitizers') if $t->asan;

# A package that somebody uses stays as it is, and one test has it at a time.
open my $lock, '>', '/tmp/judge-package-test.lock' if $> == 0;
flock $lock, LOCK_EX if $lock;

my $installs  = $> == 0 && ($t->run('dpkg', '-s', $name))[0] != 0;
my $root      = $installs ? '' : "$dir/root";
my $installed = 0;

sub command {
    my ($what, @command) = @_;
    my ($status, $out) = $t->run(@command);
    is($status, 0, $what) or diag($out);
    return $out;
}

sub slurp { Judge::Nginx::read_file($_[0]) // '' }


# --- The package ----------------------------------------------------------

my ($deb) = command('the package is built', "$repo/util/package")
          =~ /(\S+\.deb)/;
$deb = "$repo/$deb";

my $tags = command('lintian ends well', 'lintian', '--allow-root', '--fail-on',
                   'error,warning', $deb =~ s/deb$/changes/r);
is($tags =~ s/^running with root.*\n//mr, '',
   'lintian finds nothing in the package');

my ($abi) = slurp($tree) =~ /^nginx:abi=(\S+)/m;
like(command('Depends is read', 'dpkg-deb', '-f', $deb, 'Depends'),
     qr/\Q$abi\E,/,
     'the package needs the nginx that it was built for, and no other');
my ($version) = command('Version is read', 'dpkg-deb', '-f', $deb, 'Version')
              =~ /(\S+)/;

# judgectl is a package of its own, for machines without nginx.
my ($ctl) = glob "$repo/build/package/judgectl_*_all.deb";
command('judgectl is unpacked', 'dpkg-deb', '-x', $ctl, "$dir/ctl");
is(command('judgectl tells its version', "$dir/ctl/usr/bin/judgectl",
           '--version'),
   "judgectl $version\n", 'judgectl has the version of the service');
is(slurp("$dir/ctl/usr/bin/judgectl") =~ /\A(.*\n)/ ? $1 : '',
   "#!/usr/bin/python3\n", 'judgectl runs by the Python of Debian');
ok(-s "$dir/ctl/usr/share/$_", "judgectl brings $_ along")
    for 'man/man1/judgectl.1.gz', 'bash-completion/completions/judgectl';


# --- Installed --------------------------------------------------------------

# What the scripts of packages do to the service, for an nginx in $dir.

mkdir "$dir/bin" or die "$dir/bin: $!";
$t->write('bin/invoke-rc.d', <<"SH");
#!/bin/sh
cd $dir
echo "\$*" >>calls
case "\$*" in
    *status)          [ -s nginx.pid ] ;;
    'nginx reload')   kill -HUP "\$(cat nginx.pid)" ;;
    'nginx upgrade')  kill -USR2 "\$(cat nginx.pid)"
                      until [ -s nginx.pid.oldbin ] && [ -s nginx.pid ]; do
                          sleep 0.1
                      done
                      kill -QUIT "\$(cat nginx.pid.oldbin)" ;;
esac
SH
chmod 0755, "$dir/bin/invoke-rc.d" or die "invoke-rc.d: $!";
local $ENV{PATH} = "$dir/bin:$ENV{PATH}:/usr/sbin:/sbin";

sub install {
    my ($what) = @_;

    if ($installs) {
        $installed = 1;
        command($what, 'dpkg', '-i', $deb);
        return;
    }

    command($what, 'dpkg-deb', '-x', $deb, $root);
    system('invoke-rc.d', 'nginx', 'upgrade') if -s "$dir/nginx.pid";
}

END {
    my $status = $?;
    system('dpkg', '-P', $name) if $installed;
    $? = $status;
}

install('the package is installed');

my $conf = 'modules-available/mod-http-judge.conf';
is(slurp("$root/usr/share/nginx/$conf"), "load_module $so;\n",
   'the package has the line that loads the module');
is(readlink('/etc/nginx/modules-enabled/50-mod-http-judge.conf'),
   "/usr/share/nginx/$conf",
   'the line that loads the module is switched on') if $installs;

is(command('the tool tells its version', "$root/usr/bin/judge", '--version'),
   "judge $version\n", 'the tool has the version of the package');

my $help   = command('the tool prints its help', "$root/usr/bin/judge",
                     '--help');
my $manual = command('the manual of the tool is there', 'sh', '-c',
                     "zcat $root/usr/share/man/man1/judge.1.gz")
             =~ s/\\//gr;
my @named  = ($help =~ /^ {4}(--\w+|(?:org|key) \w+|\w+)/mg);
cmp_ok(@named, '>', 10,
       "the tool's help names more than ten commands and options");
is(join(' ', grep { $manual !~ /^\.BI? "?\Q$_\E/m } @named), '',
   'the manual has each command and option of the help');
like(command('the manual of the module is there', 'sh', '-c',
             "zcat $root/usr/share/man/man5/ngx_http_judge_module.5.gz"),
     qr/^\.SH JUDGE_STORE\n.*^\\fBburst=\\fP\n/ms,
     'the manual of the module has the directives');
ok(-s "$root/usr/share/doc/$name/examples/minimal.conf",
   'the package has examples of configuration');


# --- Served -----------------------------------------------------------------

symlink "$root/usr/lib/nginx/modules", "$dir/modules" or die "symlink: $!";
my ($fine, $said) = $t->check_conf;
ok($fine, 'nginx takes the configuration') or diag($said);

$t->{environment} = sub { () };
$t->start;
$t->new_org('Organization');
my $judge = $t->new_judge;
is($t->get('/healthz')->json->{version}, $version,
   'the module of the package serves');

sub mapped {
    return map { slurp("/proc/$_/maps") =~ /ngx_http_judge_module\.so(.*)/ }
           $t->workers;
}

# A client all the while, which does not outlive the test.

my $test   = $$;
my $client = fork // die "fork: $!";
if ($client == 0) {
    open my $answered, '>', "$dir/answered" or POSIX::_exit(1);
    $answered->autoflush(1);
    print {$answered} $t->get("/judges/$judge")->status, "\n"
        until -e "$dir/stop" || getppid != $test;
    POSIX::_exit(0);
}

sub answered { slurp("$dir/answered") =~ tr/\n// }

$t->wait_until(sub { answered() > 5 }, 'the client');
my $before = $t->pid;
install('the package is replaced while it serves');
$t->{pid} = (slurp("$dir/nginx.pid") =~ /(\d+)/)[0];
isnt($t->pid, $before, 'a new master serves after the package was replaced');
$t->wait_until(sub { my @m = mapped(); @m && !grep { $_ ne '' } @m },
               'workers with the new module only');
my $more = answered() + 5;
$t->wait_until(sub { answered() > $more }, 'answers of the new module');
$t->write('stop', '');
waitpid $client, 0;
is(join(' ', grep { $_ != 200 } split /\n/, slurp("$dir/answered")), '',
   'no request has failed while the package was replaced');

$t->wait_until(sub { !grep { $_ == $before } $t->processes },
               'the former master to leave');

if ($installs) {
    like(slurp("$dir/calls"), qr/^nginx upgrade\n.*^nginx reload$/ms,
         'the package upgrades and reloads nginx as others do');

    command('the package is removed', 'dpkg', '-r', $name);
    status_is($t->get("/judges/$judge"), 200,
              'nginx serves on after the removal');
    ok(!-e "/usr/lib/nginx/$so", 'the module is gone after the removal');
    ok(!-l '/etc/nginx/modules-enabled/50-mod-http-judge.conf',
       'nothing loads the module after the removal');

    my $purged = command('the package is purged', 'dpkg', '-P', $name);
    $installed = 0;
    like($purged, qr{The data of judge are kept: /var/lib/judge},
         'the purge says where the data are');
    is(`find /etc/nginx /usr/bin/judge /usr/lib/nginx /usr/share/nginx \\
             /usr/share/doc /usr/share/man /var/lib/dpkg/info 2>/dev/null \\
             | grep -E 'mod-http-judge|http_judge|/judge'`, '',
       'the purge leaves no trace');
}

$t->quit;
is($t->sql1('select count(*) from judges'), 1, 'the data are there after all');

done_testing;
