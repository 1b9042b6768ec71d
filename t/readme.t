# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# README.md tells the truth: its commands, its nginx.conf, its links.

use File::Basename qw(dirname);
use JSON::PP qw(decode_json);

use Judge::Media;
use Judge::Test;

my $repo   = Judge::Nginx->repo;
my $readme = Judge::Nginx::read_file("$repo/README.md");

# The blocks of a kind below a heading.

sub blocks {
    my ($heading, $kind) = @_;

    my ($section) = $readme =~ /^## \Q$heading\E\n(.*?)(?=^## |\z)/ms
        or die "README.md has no section $heading\n";

    return $section =~ /^```$kind\n(.*?)^```$/msg;
}


# --- A first evaluation ---------------------------------------------------

my $t = Judge::Test->new;

$t->write('env', "export JUDGE_URL='" . $t->url . "'\n"
               . "export JUDGE_API_KEY='" . $t->key . "'\n");

my ($script) = blocks('A first evaluation', 'sh');
my $env      = $t->dir . '/env';

ok($script =~ s{^\. run/env$}{. $env}m, 'it begins with run/env');
$t->write('first.sh', $script);

my ($status, $out) = $t->run('bash', '-euo', 'pipefail',
                             $t->dir . '/first.sh');
is($status, 0, 'the commands work') or diag($out);

my $e = eval { decode_json($out) } // {};
is($e->{status}, 'completed', 'the evaluation completes') or diag($out);
is(join(' ', map { $_->{name} } @{ $e->{criteria_scores} // [] }),
   'Clarity Grammar', 'with the criteria of the judge');

# What is shown of the answer is there.

my ($shown) = blocks('A first evaluation', 'json');
my @fields  = $shown =~ /"(\w+)": /g;
my %has     = map { $_ => 1 } keys %$e,
              map { keys %$_ } @{ $e->{criteria_scores} // [] };
is(join(' ', grep { !$has{$_} } @fields), '', 'every field that is shown');


# --- Video, audio, images -------------------------------------------------

# The worker is started by its command, for this server.

SKIP: {
    skip 'FFmpeg is not installed: see util/deps', 4
        if !Judge::Media->can_make || !-x "$repo/build/media-worker";

    my ($start, $try) = blocks('Video, audio, images', 'sh');
    my $dir = $t->dir;
    my @env = ('env', "JUDGE_DIR=$dir", 'JUDGE_WORKERS=1');

    $t->write('env', "export JUDGE_URL='" . $t->url . "'\n"
                   . "export JUDGE_API_KEY='" . $t->key . "'\n"
                   . "export JUDGE_WEBHOOK_SECRET='" . $t->org->{secret}
                   . "'\n");

    ($status, $out) = $t->run(@env, split ' ', "$repo/$start");
    is($status, 0, 'a worker starts') or diag($out);

    Judge::Media->new($t)->photo("$dir/photo.jpg");
    $try =~ s{^\. run/env$}{cd $dir; . ./env}m;
    $t->write('media.sh', $try);

    ($status, $out) = $t->run('timeout', 60, 'bash', '-euo', 'pipefail',
                              "$dir/media.sh");
    $e = eval { decode_json($out) } // {};
    is($e->{status}, 'completed', 'an image is judged') or diag($out);
    is(join(' ', map { $_->{name} } @{ $e->{criteria_scores} // [] }),
       'Sharpness Exposure', 'by its criteria');

    ($status, $out) = $t->run(@env, "$repo/util/media-worker/run", 'stop');
    like($out, qr/\b1 stopped$/, 'and it is stopped');
}


# --- nginx.conf -----------------------------------------------------------

my ($conf) = blocks('In a gateway that is there already', 'nginx');

# What a gateway has already, and the paths of this test.
my $temp = join ' ', map { "${_}_temp_path temp/$_;" }
           qw(client_body proxy fastcgi scgi uwsgi);

$conf =~ s{modules/ngx_http_judge_module\.so}{\@MODULE\@};
$conf =~ s{/var/lib/}{\@DIR\@/lib-};
$conf =~ s{listen 80;}{listen 127.0.0.1:\@PORT1\@;};
$conf =~ s!^http \{!events {} pid check.pid; error_log logs/error.log;
                     http { $temp!m;

my ($fine, $said) = $t->check_conf(conf => $conf);
ok($fine, 'its nginx.conf is right') or diag($said);


# --- Names that it mentions -----------------------------------------------

for my $link ($readme =~ /\]\((?!https?:)([^)#]+)/g) {
    ok(-e "$repo/$link", "there is $link");
}

for my $path ($readme =~ m{`((?:util|conf|docs|src|t)/[\w./-]*)`}g) {
    ok(-e "$repo/$path", "there is $path");
}

my ($commands) = $readme =~ /^```sh\n(.*?)^```$/ms;
for my $command ($commands =~ /^(\S+)/mg) {
    ok(-x "$repo/$command", "$command can be run");
}

done_testing;
