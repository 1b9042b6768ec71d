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

    is($status, 1, "nginx $version without threads: refused");
    like($out, $old ? qr/needs nginx, version 1\.18\.0 or later\./
                    : qr/works in threads/, 'for the right reason');
}


# --- Configured without util/build -----------------------------------------

# As nginx's configure does it, with its tests left out: the module by a
# relative path, objects in the folder of --builddir.

{
    my $dir    = tempdir(CLEANUP => 1);
    my $out    = "$dir/out";
    my $module = File::Spec->abs2rel($repo, $dir);

    # The tables of words, half a minute's work, are there already.
    my ($status, $listed) = $class->run('sh', '-ec', <<"SCRIPT");
cd $dir
mkdir -p src/core auto out
cp $repo/build/obj/gen/judge_wordlist.c out
cp $repo/build/obj/gen/judge_languages.c out
echo '#define nginx_version 1022001' > src/core/nginx.h
echo 'ngx_found=yes' > auto/feature
echo 'ls \$ngx_module_srcs' > auto/module
NGX_OBJS=$out USE_THREADS=YES ngx_addon_dir=$module CFLAGS=-Werror
. $module/config
echo \$CFLAGS > flags
SCRIPT

    is($status, 0, 'config makes its own sources') or diag($listed);

    my @sources = split /\n/, `cd $dir && find $module/src -name '*.c'`;
    my @made    = map { "$out/judge_$_.c" }
                  qw(migrations tables tables_media tables_traffic statements
                     wordlist features aspects patterns vectors languages
                     openapi console dictionaries postgresql extensions);
    push @sources, @made;

    is(join("\n", sort split /\n/, $listed), join("\n", sort @sources),
       'and names them, and all of src');
    ok(!(grep { !-s } @made), 'none of them empty');
    like(Judge::Nginx::read_file("$dir/flags"), qr/-Werror .*-Wno-error$/,
         'a warning does not stop it');
}


# --- Extensions -------------------------------------------------------------

# config as nginx's configure runs it, with these extensions: what it prints,
# and the list of them that it makes.

sub extended {
    my ($extensions) = @_;
    my $dir = tempdir(CLEANUP => 1);

    my ($status, $printed) = $class->run('sh', '-c', <<"SCRIPT");
cd $dir
mkdir -p src/core auto
cp -r $repo/build/obj/gen out
touch out/*
echo '#define nginx_version 1022001' > src/core/nginx.h
echo 'ngx_found=yes' > auto/feature
echo 'echo \$ngx_module_name; ls \$ngx_module_srcs' > auto/module
NGX_OBJS=$dir/out USE_THREADS=YES ngx_addon_dir=$repo
JUDGE_EXTENSIONS='$extensions'
. $repo/config
SCRIPT

    return ($status, $printed, -e "$dir/out/judge_extensions.c"
        ? Judge::Nginx::read_file("$dir/out/judge_extensions.c") : '');
}

{
    my ($status, $printed, $list) = extended('');

    is($status, 0, 'no extension needs to be built in');
    like($printed, qr/^ngx_http_judge_module ngx_http_judge_left_out_module$/m,
         'then nginx gets the module of the core, and one that refuses'
         . ' directives');
    unlike($printed, qr{/src/extensions/}, 'no file of an extension');
    unlike($list, qr/&judge_extension_/, 'and the core walks an empty list');

    ($status, $printed, $list) = extended('traffic');
    is($status, 0, 'an extension is chosen by its name');
    like($printed, qr/^ngx_http_judge_module ngx_http_judge_traffic_module /m,
         'its directives are a module of their own');
    like($list, qr/\&judge_extension_traffic,/,
         'the core finds it in its list');

    ($status, $printed) = extended('traffic trafic');
    is($status, 1, 'a name that is no extension is refused');
    like($printed, qr/has "trafic", which is none of: .*traffic/,
         'with the names that there are');
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
     'and the line names the log');

my @tarballs = glob "$repo/../shared/nginx/*.tar.*";

if (!@tarballs) {
    my ($status, $out) = $class->run("$repo/util/dev/compat");
    is($status, 0, 'nothing to build against');
    like($out, qr/skipped: no tarballs/, 'which is said');
    done_testing;
    exit;
}

my ($status, $out) = $class->run("$repo/util/dev/compat", '--binary');
is($status, 0, 'all of them build') or diag($out);

for my $name (map { m{([^/]+)\.tar\.\w+$} } @tarballs) {
    like($out, qr/^compat    \Q$name\E +gcc +ok /m, "$name by gcc");
}
is(scalar(() = $out =~ / clang +ok /g), 2, 'and two by clang');
is(scalar(() = $out =~ / static +ok /g), 1, 'and one with the module in it');
is(scalar(() = $out =~ / core +ok /g), 1, 'and one without extensions');


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
             'and the extension is named');
    }

    my ($fine, $said) = $class->new(@core)->check_conf(
        conf => "load_module $core[3];\nevents {}\n"
                . 'http { judge_store postgresql://u@h/d files=/tmp; }');
    ok(!$fine, 'without postgresql its store is refused');
    like($said, qr{needs the extension for postgresql:// addresses, which},
         'and the extension is named');
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
    is($e->{status}, 'completed', "$name judges by the built-in engine");

    $e = $t->evaluated($t->new_evaluation($t->new_model_judge, $content,
                                          model => 'm'));
    is($e->{provenance}{model}, 'm', "$name judges by a model");

    my ($fine, $said) = $t->check_conf(server => 'location /open {'
        . ' judge_model m; proxy_pass http://127.0.0.1:9; }');
    ok(!$fine, "$name refuses a model that is open to clients");
    like($said, qr/can be reached by every client/, 'and says so');

    my $big = $t->post('/content', body => 'x' x (9 << 20), headers => [
        'Content-Type' => 'application/json' ]);
    status_is($big, 413, "$name: the module's limit holds, not nginx's 1m");
    like($big->body, qr/^\{"detail":/, 'and answers as JSON');
}

done_testing;
