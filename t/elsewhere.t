# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Builds on other systems than Debian: the source package becomes module and
# tool where there is a shell, make and a C compiler, and neither Perl nor
# Python nor any list of words; and it runs.

use File::Basename qw(basename);
use File::Temp qw(tempdir);

use Judge::Test;

my $class = 'Judge::Test';
my $repo  = Judge::Nginx->repo;
my $nginx = '/usr/share/nginx/src';
my $dir   = tempdir('judge-elsewhere-XXXXXX', TMPDIR => 1, CLEANUP => 1);

plan(skip_all => 'there is no nginx-dev: see util/dev/deps') if !-d $nginx;
plan(skip_all => 'what is built here is plain') if $ENV{JUDGE_TEST_ASAN};


# --- What there is ----------------------------------------------------------

# Those of POSIX, and what belongs to compilers.  What was compiled before is
# taken from ccache, which looks for the compiler behind itself.

my @TOOLS = qw(sh [ ar as awk basename cat chmod cmp cp cut date dirname echo
               egrep env expr false find grep head id ld ln ls make mkdir mv
               printf pwd rm rmdir sed sleep sort test touch tr true uname wc
               xargs pkg-config);

mkdir "$dir/$_" or die "$dir/$_: $!" for qw(cache bin);
for my $tool (@TOOLS, qw(cc gcc)) {
    my ($path) = grep { -x } map { "$_/$tool" } qw(/usr/bin /bin);
    symlink $path, "$dir/bin/$tool" or die "$tool: $!" if $path;
}
if (-x '/usr/bin/ccache') {
    symlink '/usr/bin/ccache', "$dir/cache/$_" or die "$_: $!" for qw(cc gcc);
}

# Folders of word lists, which are empty in a namespace of its own.
my $hidden = join "\n", map { "mount -t tmpfs -o size=1m none $_" } grep { -d }
             qw(/usr/share/dict /usr/share/hunspell /usr/share/pocketsphinx
                /usr/share/doc/debian-handbook /usr/share/libexttextcat);
my $alone  = $> == 0 && ($class->run(qw(unshare -m sh -ec), $hidden))[0] == 0;
my ($cache) = ($class->run(qw(sh -c), 'ccache --get-config cache_dir'))[1]
              =~ m{^(/\S+)};
$cache //= "$dir/cache";

# there($name, $folder, $script): what the script prints there, which has to
# succeed.

sub there {
    my ($what, $folder, $script) = @_;

    open my $file, '>', "$dir/script" or die "script: $!";
    print {$file} "cd $dir/$folder\n$script\n";
    close $file or die "script: $!";
    my ($status, $out) = $class->run(
        ($alone ? qw(unshare -m) : ()), 'sh', '-ec', ($alone ? $hidden : '')
        . "\nexec env -i HOME=/root LC_ALL=C JUDGE_WERROR=1 CCACHE_DIR=$cache"
        . " CCACHE_BASEDIR=$dir CCACHE_NOHASHDIR=1 PATH=$dir/cache:$dir/bin"
        . " sh -e $dir/script");

    is($status, 0, $what) or diag(substr $out, -3000);
    return $out;
}

for my $missing (qw(perl python3 hunspell gettext node)) {
    unlike(there("$missing is looked for", '.', "command -v $missing || :"),
           qr/\S/, "$missing is not there");
}


# --- The package ------------------------------------------------------------

my ($status, $said) = $class->run("$repo/util/package", 'source');
is($status, 0, 'the source package is made') or diag($said);
my ($tar) = $said =~ /(\S+\.tar\.gz)/ or die $said;
my $name  = basename($tar) =~ s/\.tar\.gz$//r;

($status, $said) = $class->run('tar', '-xf', "$repo/$tar", '-C', $dir);
is($status, 0, 'the source package is unpacked') or diag($said);
ok(-e "$dir/$name/gen/judge_statements.c",
   'the package has what is generated');
ok(!-e "$dir/$name/$_", "the package has no $_") for qw(build t run .git);
unlike(Judge::Nginx::read_file("$dir/$name/gen/judge_languages.c"),
       qr/judge_(?:de|es|fr|pt)_lexicon/,
       'the package has no words of lists under the GPL');


# --- The module -------------------------------------------------------------

$class->run('cp', '-r', $nginx, "$dir/nginx");
my ($flags) = Judge::Nginx::read_file("$nginx/conf_flags")
              =~ /^NGX_CONF_FLAGS=\((.*)\)$/m;

there('nginx is configured with the module', 'nginx',
      "./configure $flags --add-dynamic-module=../$name");
there('the module is built', 'nginx', 'make -j2 -f objs/Makefile modules');
my $module = "$dir/nginx/objs/ngx_http_judge_module.so";
ok(-s $module, 'the module is there when it is built');

my @times = map { (stat)[9] } $module;
there('the module is built again', 'nginx', 'make -f objs/Makefile modules');
is((stat $module)[9], $times[0], 'a second build does nothing');

# The tool takes the objects of the library, as packages do.
there('the tool is built', $name, 'make -j2 -f util/Makefile build/judge'
      . ' JUDGE_OBJ=../nginx/objs/judge JUDGE_WAY=own');
like(there('the tool runs', $name, 'build/judge --version'),
     qr/^judge \Q@{[ $name =~ s{^judge-}{}r ]}\E$/,
     'the tool is of the version of the package');


# --- It serves --------------------------------------------------------------

my $t = $class->new(module => $module);
my $e = $t->evaluated($t->new_evaluation($t->new_judge,
            $t->new_content('A text about whales, and why they sing.')));
is($e->{status}, 'completed',
   'the module completes an evaluation of a text in English');



# --- Another C library ------------------------------------------------------

# All of the library compiles against musl, by which Alpine is built, and asks
# for no function that musl lacks.  Headers of the other libraries are those of
# Debian, which has them for glibc only: so nothing can be linked.

SKIP: {
    skip 'musl-gcc is not installed: see util/dev/deps', 2
        if !-x '/usr/bin/musl-gcc';

    my ($machine) = ($class->run(qw(gcc -dumpmachine)))[1] =~ /(\S+)/;
    my @headers   = qw(yajl sqlite3.h sqlite3ext.h pcre2.h expat.h
                       expat_external.h expat_config.h yaml.h zstd.h
                       zstd_errors.h zdict.h zlib.h zconf.h brotli hs);

    mkdir "$dir/$_" or die "$dir/$_: $!" for qw(headers headers/openssl);
    for my $header (@headers) {
        my ($path) = grep { -e } map { "$_/$header" } "/usr/include/$machine",
                     '/usr/include';
        symlink $path, "$dir/headers/$header" if $path;
    }
    for my $path (glob "/usr/include/openssl/* /usr/include/$machine/openssl/*"
                       . ' /usr/include/postgresql/*.h')
    {
        my $to = $path =~ m{/(openssl/[^/]+|[^/]+)$} ? $1 : die $path;
        symlink $path, "$dir/headers/$to";
    }

    my ($failed, $out) = $class->run('make', '-s', '-j2', '-C', "$dir/$name",
        '-f', 'util/Makefile', 'library', 'CC=musl-gcc', 'JUDGE_WAY=musl',
        'JUDGE_WERROR=1', "JUDGE_CC_OPT=-O0 -g0 -isystem $dir/headers");
    is($failed, 0, 'musl-gcc compiles all of it without a warning')
        or diag(substr $out, -3000);

    my ($libc) = glob '/usr/lib/*-linux-musl/libc.so';
    my %has    = map { / \w (\w+)$/ ? ($1 => 1) : () } split /\n/,
                 ($class->run('nm', '-D', '--defined-only', $libc))[1];
    my %wants  = map { /^ +U (\w+)$/ ? ($1 => 1) : () } split /\n/,
                 ($class->run('nm',
                              "$dir/$name/build/obj/musl/libjudge.a"))[1];

    ok($has{malloc} && $wants{malloc}, 'malloc is known on both sides');
    is(join(' ', grep { !$has{$_} } sort grep {
           !/^(?:judge_|yajl_|sqlite3_|EVP_|HMAC|OPENSSL_|CRYPTO_|RAND_|pcre2_
               |XML_|yaml_|ZSTD_|ZDICT_|PQ|Brotli|hs_|inflate|deflate|crc32
               |_GLOBAL_OFFSET_TABLE_$|__\w+[dst]i[234]$)/x } keys %wants),
       '', 'musl has what the library calls');
}

done_testing;
