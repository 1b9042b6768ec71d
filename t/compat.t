# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The module builds against every nginx of ../shared/nginx without a warning,
# and works in the oldest, the newest and Angie, and linked into the newest.

use File::Spec;
use File::Temp qw(tempdir);

use Judge::OpenAI;
use Judge::Test;

my $class = 'Judge::Test';
my $repo  = Judge::Nginx->repo;


# --- Too old ----------------------------------------------------------------

for (['1016001', 1], ['1017010', 1], ['1018000', 0]) {
    my ($version, $old) = @$_;
    my $dir = tempdir(CLEANUP => 1);

    mkdir "$dir/$_" or die "$dir/$_: $!" for qw(src src/core);
    open my $header, '>', "$dir/src/core/nginx.h" or die "nginx.h: $!";
    print {$header} "#define nginx_version      $version\n";
    close $header;

    my ($status, $out) = $class->run('sh', '-c',
        "cd $dir && ngx_addon_dir=$repo && . $repo/config");

    is($status, 1, "nginx $version without threads is refused");
    like($out, $old ? qr/needs nginx, version 1\.18\.0 or later\./
                    : qr/works in threads/,
         "nginx $version is told why it is refused");
}


# --- Configured ------------------------------------------------------------

# config as nginx's configure runs it, where tests find all but one library,
# the module by a relative path, and objects in the folder of --builddir: what
# it says of the module, what config.make adds to nginx's Makefile, and the
# list of extensions that it makes.

sub configured {
    my ($environment, $lacks) = (@_, '-lnone');
    my $dir    = tempdir(CLEANUP => 1);
    my $module = File::Spec->abs2rel($repo, $dir);

    my ($status, $printed) = $class->run('sh', '-ec', <<"SCRIPT");
cd $dir
mkdir -p src/core auto out
echo '#define nginx_version 1022001' > src/core/nginx.h
cat > auto/feature << 'END'
ngx_found=yes
[ "\$ngx_feature_libs" != $lacks ] || ngx_found=no
END
cat > auto/module << 'END'
echo \$ngx_module_name
ls \$ngx_module_srcs | sed 's/^/source /'
echo libs \$ngx_module_libs
END
NGX_OBJS=$dir/out NGX_MAKEFILE=$dir/out/Makefile NGX_CC_OPT='-O3 -g0'
USE_THREADS=YES ngx_addon_dir=$module CFLAGS=-Werror
$environment
. $module/config
echo flags \$CFLAGS
. $module/config.make
SCRIPT

    return ($status, $printed, map { -e $_ ? Judge::Nginx::read_file($_) : '' }
            "$dir/out/judge_extensions.c", "$dir/out/Makefile");
}

{
    my ($status, $printed, undef, $rules) = configured('');
    my @sources = grep { !/_console\.c$/ } $printed =~ m{^source (\S+)}mg;

    is($status, 0, 'config works by a relative path') or diag($printed);
    is(join("\n", map { s{^.*?src/}{}r } grep { m{/src/} } @sources),
       join("\n", sort map { s{^\Q$repo\E/src/}{}r }
            glob("$repo/src/ngx/*.c $repo/src/extensions/*/ngx/*.c")),
       'nginx compiles what sees nginx, and no more');
    like($printed, qr{^libs /\S+/out/judge/own/libjudge\.a -lyajl }m,
         'nginx links the library that holds the rest');
    like($printed, qr/^flags -Werror$/m, 'flags of nginx stay as they are');
    like($rules, qr{-C \Q$repo\E -f util/Makefile library },
         'the Makefile of nginx has the library made');
    like($rules, qr{JUDGE_CC_OPT='-O3 -g0' EXTENSIONS='.*traffic},
         'the library has the options of configure and its extensions');
}


# --- What is missing --------------------------------------------------------

for (['-lsqlite3', qr/SQLite 3\.38; on Debian: .* libsqlite3-dev\.\s*\z/],
     ['-lpq', qr/libpq-dev\.\s+Or leave out postgresql: JUDGE_EXTENSIONS=/])
{
    my ($lacks, $why) = @$_;
    my ($status, $printed) = configured('', $lacks);

    is($status, 1, "configure refuses what lacks $lacks");
    like($printed, $why, "configure says how to do without $lacks, or get it");
}

is((configured('', '-lhs'))[0], 0, 'configure does without -lhs');


# --- Extensions -------------------------------------------------------------

sub extended { return configured("JUDGE_EXTENSIONS='$_[0]'") }

{
    my ($status, $printed, $list) = extended('');

    is($status, 0, 'no extension needs to be built in');
    like($printed, qr/^ngx_http_judge_module ngx_http_judge_left_out_module$/m,
         'without extensions a module refuses their directives');
    unlike($printed, qr{/src/extensions/},
           'without extensions nginx compiles no file of one');
    unlike($list, qr/&judge_extension_/,
           'without extensions the core walks an empty list');

    ($status, $printed, $list) = extended('traffic');
    is($status, 0, 'an extension is chosen by its name');
    like($printed, qr/^ngx_http_judge_module ngx_http_judge_traffic_module /m,
         'the directives of an extension are a module of their own');
    like($list, qr/\&judge_extension_traffic,/,
         'the core finds an extension in its list');

    ($status, $printed) = extended('traffic trafic');
    is($status, 1, 'a name that is no extension is refused');
    like($printed, qr/has "trafic", which is none of:\s.*traffic/,
         'a name that is no extension is told the names that there are');
}


# --- Warnings ---------------------------------------------------------------

# Errors here, and to nobody who builds it for himself.

for my $makefile (qw(util util/media-worker)) {
    for (['', 'a user', ''], ['1', 'a test', ' -Werror']) {
        my ($errors, $who, $flag) = @$_;
        my (undef, $out) = $class->run('sh', '-c', "cd $repo &&"
            . " JUDGE_WERROR=$errors make -pn -f $makefile/Makefile none");

        like($out, qr/^WARN := [^\n]*-Wno-unused-parameter *\Q$flag\E *$/m,
             "$makefile: $who has" . ($flag || ' no -Werror'));
    }
}


# --- Built ------------------------------------------------------------------

my $empty = tempdir(CLEANUP => 1) . '/none';
mkdir $empty or die "$empty: $!";
my ($failed, $why) = $class->run("$repo/util/dev/compat", '--cc=gcc', $empty);
is($failed, 1, 'a folder without nginx does not build');
like($why, qr/^compat    none +gcc +failed +\d+ s +build\/compat\/\S+\.log$/m,
     'a line names the log of a build that failed');

my @tarballs = glob "$repo/../shared/nginx/*.tar.*";

if (!@tarballs) {
    my ($status, $out) = $class->run("$repo/util/dev/compat");
    is($status, 0, 'compat succeeds where there is nothing to build against');
    like($out, qr/skipped: no tarballs/,
         'compat says that there is nothing to build against');
    done_testing;
    exit;
}

my ($status, $out) = $class->run("$repo/util/dev/compat", '--binary');
is($status, 0, 'each version is built') or diag($out);

for my $name (map { m{([^/]+)\.tar\.\w+$} } @tarballs) {
    like($out, qr/^compat    \Q$name\E +gcc +ok /m, "$name is built by gcc");
}
is(scalar(() = $out =~ / clang +ok /g), 2, 'two versions are built by clang');
is(scalar(() = $out =~ / static +ok /g), 1,
   'one version is built with the module in it');
is(scalar(() = $out =~ / core +ok /g), 1,
   'one version is built without extensions');


# --- Served -----------------------------------------------------------------

sub version {
    return join '.', map { sprintf '%03d', $_ } $_[0] =~ /(\d+)/g;
}

my @nginx  = sort { version($a) cmp version($b) }
             grep { m{/nginx-} } @tarballs;
my @served = (@nginx[0, -1], grep { m{/angie-} } @tarballs);

for my $name (map { m{([^/]+)\.tar\.\w+$} } @served) {
    my $objs     = "$repo/build/compat/$name/gcc/objs";
    my ($binary) = grep { -x } "$objs/nginx", "$objs/angie";

    serves($name, $binary, "$objs/ngx_http_judge_module.so");
}

my ($newest) = $nginx[-1] =~ m{([^/]+)\.tar\.\w+$};
serves("$newest (static)", "$repo/build/compat/$newest/static/objs/nginx",
       undef);

# The core alone, and what needs an extension is refused.
{
    my $built = "$repo/build/compat/$newest";
    my @core  = (nginx  => "$built/gcc/objs/nginx",
                 module => "$built/core/objs/ngx_http_judge_module.so");

    serves("$newest (core)", @core[1, 3]);

    for (['traffic', 'judge_traffic judge_1;'],
         ['console', 'judge on; judge_console on;'],
         ['mcp', 'judge on; judge_mcp on;'],
         ['openai', 'judge on; judge_openai on;'],
         ['s3', 'internal; judge_files s3://abc endpoint=http://h region=r;'])
    {
        my ($name, $directive) = @$_;
        my ($fine, $said) = $class->new(@core)->check_conf(
            server => "location /l { $directive }");

        ok(!$fine, "without $name its directive is refused");
        like($said, qr/judge_\w+ needs the extension $name, which this build/,
             "without $name the extension is named");
    }

    my ($fine, $said) = $class->new(@core)->check_conf(
        conf => "load_module $core[3];\nevents {}\n"
                . 'http { judge_store postgresql://u@h/d files=/tmp; }');
    ok(!$fine, 'without postgresql its store is refused');
    like($said, qr{needs the extension for postgresql:// addresses, which},
         'without postgresql the extension is named');
}


sub serves {
    my ($name, $binary, $module) = @_;

    my $llm = Judge::OpenAI->start;
    my $t   = $class->new(nginx => $binary, module => $module,
                          server => <<"CONF");
location = /models/m {
    internal;
    judge_model m;
    proxy_pass @{[ $llm->url ]};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_buffering off;
    client_max_body_size 16m;
}
CONF

    my $judge   = $t->new_judge;
    my $content = $t->new_content('A text about whales, and why they sing.');

    my $e = $t->evaluated($t->new_evaluation($judge, $content));
    is($e->{status}, 'completed', "$name has the built-in engine");

    $e = $t->evaluated($t->new_evaluation($t->new_model_judge, $content,
                                          model => 'm'));
    is($e->{provenance}{model}, 'm', "$name asks a model");

    my ($fine, $said) = $t->check_conf(server => 'location /open {'
        . ' judge_model m; proxy_pass http://127.0.0.1:9; }');
    ok(!$fine, "$name refuses a model that is open to clients");
    like($said, qr/can be reached by every client/,
         "$name says why a model is refused");

    my $big = $t->post('/content', body => 'x' x (9 << 20), headers => [
        'Content-Type' => 'application/json' ]);
    status_is($big, 413, "$name: the module's limit holds, not nginx's 1m");
    like($big->body, qr/^\{"detail":/,
         "$name answers as JSON beyond the limit");
}

done_testing;
