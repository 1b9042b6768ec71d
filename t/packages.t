# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Packages for the nginx of nginx.org: nginx-module-judge as a .deb and as an
# .rpm, each for one version, which loads the module that is in them.

use File::Temp qw(tempdir);

use Judge::Test;

my $class = 'Judge::Test';
my $repo  = Judge::Nginx->repo;
my ($tar) = sort { version($b) cmp version($a) }
            glob "$repo/../shared/nginx/nginx-*.tar.*";

plan(skip_all => 'no source of nginx in ../shared/nginx') if !$tar;
plan(skip_all => 'the packages have no sanitizers') if $ENV{JUDGE_TEST_ASAN};

my $dir     = tempdir('judge-packages-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($nginx) = $tar =~ m{/nginx-([\d.]+)\.tar};
my $dash    = '-' x 70;

sub version {
    return join '.', map { sprintf '%03d', $_ } $_[0] =~ /(\d+)/g;
}

sub command {
    my ($what, @command) = @_;
    my ($status, $out) = $class->run(@command);
    is($status, 0, $what) or diag(substr $out, -3000);
    return $out;
}

# The nginx that the package is for, of its source alone.
command('nginx is compiled', 'sh', '-ec', <<"SCRIPT");
mkdir $dir/nginx && cd $dir/nginx
tar -xf $tar --strip-components=1
[ -e configure ] || ln -s auto/configure configure
./configure --with-compat --with-threads --with-http_ssl_module \\
    --with-http_v2_module --error-log-path=stderr --with-cc-opt='-O0 -g0'
make -s -j2 -f objs/Makefile binary
SCRIPT

sub serves {
    my ($module, $how) = @_;
    my $t = $class->new(nginx => "$dir/nginx/objs/nginx", module => $module);
    my $e = $t->evaluated($t->new_evaluation($t->new_judge,
                $t->new_content('A text about whales, and why they sing.')));

    is($e->{status}, 'completed', "$how serves in that nginx");
}


# --- A .deb -----------------------------------------------------------------

SKIP: {
    skip 'util/dev/deps package has not been here', 1
        if grep { !-x "/usr/bin/$_" } qw(dpkg-buildpackage dh lintian);

    my ($deb) = command('a .deb is made', "$repo/util/package", 'nginx', $tar)
              =~ /(\S+\.deb)/;
    my ($version) = $deb =~ /judge_([^_]+)_/;

    like($version, qr/^\Q$nginx\E\+\d[\d.]*-1~\w+$/,
         'the version of the .deb begins with that of nginx');
    my $fields = command('the .deb tells its fields', 'dpkg-deb', '-f',
                         "$repo/$deb");
    like($fields, qr/^Depends: nginx-r\Q$nginx\E,/m,
         'the .deb needs this nginx and no other');

    command('the .deb is unpacked', 'dpkg-deb', '-R', "$repo/$deb",
            "$dir/deb");
    like(Judge::Nginx::read_file("$dir/deb/DEBIAN/postinst"),
         qr/^$dash\n\nThe judge .*load_module modules\/\w+\.so;.*^$dash$/ms,
         'the .deb shows the line that loads the module');
    like(command('the .deb has a changelog', 'sh', '-c', 'zcat '
                 . "$dir/deb/usr/share/doc/nginx-module-judge/changelog.Debian"
                 . '.gz'),
         qr/^nginx-module-.*\n\n  \* base version updated to \Q$nginx\E$/m,
         'the changelog of the .deb names the nginx that it follows');
    like(command('the tool of the .deb runs', "$dir/deb/usr/bin/judge",
                 '--version'), qr/^judge \d/, 'the .deb has the tool');
    is(command('lintian ends well', 'lintian', '--allow-root', '--fail-on',
               'error', '--suppress-tags', 'bad-distribution-in-changes-file',
               "$repo/$deb") =~ s/^running with root.*\n//mr, '',
       'lintian finds no error in the .deb');
    serves("$dir/deb/usr/lib/nginx/modules/ngx_http_judge_module.so",
           'the module of the .deb');
}


# --- An .rpm ----------------------------------------------------------------

SKIP: {
    skip 'rpmbuild is not installed: see util/dev/deps', 1
        if !-x '/usr/bin/rpmbuild';

    my ($rpm) = command('an .rpm is made', "$repo/util/package", 'rpm', $tar)
              =~ /(\S+\.rpm)/;

    like(command('the .rpm tells what it needs', 'rpm', '-qp', '--requires',
                 "$repo/$rpm"), qr/^nginx-r\Q$nginx\E$/m,
         'the .rpm needs this nginx and no other');
    like(command('the .rpm has a changelog', 'rpm', '-qp', '--changelog',
                 "$repo/$rpm"),
         qr/^- base version updated to \Q$nginx\E$/m,
         'the changelog of the .rpm names the nginx that it follows');
    like(command('the .rpm has scripts', 'rpm', '-qp', '--scripts',
                 "$repo/$rpm"),
         qr/load_module modules/,
         'the .rpm shows the line that loads the module');

    command('the .rpm is unpacked', 'sh', '-c', "mkdir $dir/rpm"
            . " && rpm2archive - < $repo/$rpm | tar -xz -C $dir/rpm");
    my ($module) = glob "$dir/rpm/usr/lib*/nginx/modules/*.so";
    serves($module, 'the module of the .rpm');
}

done_testing;
