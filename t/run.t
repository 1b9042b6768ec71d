# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/run: started, started again while it runs, stopped, started anew.

use File::Temp qw(tempdir);
use HTTP::Tiny ();
use JSON::PP qw(decode_json);

use Judge::Test;

my $repo = Judge::Nginx->repo;
my $dir  = tempdir('judge-run-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $port = Judge::Nginx::free_port();
my $run  = "$dir/run";
my $http = HTTP::Tiny->new(timeout => 30);

chmod 0755, $dir;
$ENV{JUDGE_DIR}  = $run;
$ENV{JUDGE_PORT} = $port;

# It must not outlast the test.
my $owner = $$;
END {
    my $status = $?;
    local $ENV{JUDGE_DIR} = $run;
    system("$repo/util/run stop >/dev/null 2>&1") if $$ == ($owner // 0);
    $? = $status;
}

sub run { Judge::Nginx->run("$repo/util/run", @_) }

# What `. run/env` sets.
sub env {
    my $text = Judge::Nginx::read_file("$run/env") // '';
    return { $text =~ /^export (\w+)='(.*)'$/mg };
}

sub evaluations {
    my ($key) = @_;
    my $r = $http->get("http://127.0.0.1:$port/evaluations",
                       { headers => { 'X-API-Key' => $key } });

    return "$r->{status} $r->{content}" if !$r->{success};
    return scalar @{ decode_json($r->{content})->{evaluations} };
}


# --- The first time -------------------------------------------------------

my ($status, $out) = run();
is($status, 0, 'it starts') or diag($out);
like($out, qr{^run +started: http://127\.0\.0\.1:$port$}m, 'and says where');
is(scalar(() = $out =~ /^[\w-]+( +\d+\.\d){4}$/mg), 6,
   'six essays are judged by three criteria') or diag($out);
like($out, qr/^repair-cafe, \w+: /m, 'with a reason');
like($out, qr/^To end it: util\/run stop$/m, 'it says how to end it');

my $env = env();
is((stat "$run/env")[2] & 0777, 0600, 'run/env is private');
is($env->{JUDGE_URL}, "http://127.0.0.1:$port", 'it has the address');
like($env->{JUDGE_API_KEY}, qr/^jdgk_/, 'a key');
like($env->{JUDGE_API_KEY_2}, qr/^jdgk_/, 'one of another organization');
like($env->{JUDGE_WEBHOOK_SECRET}, qr/^whsec_/, 'and a secret');

is(evaluations($env->{JUDGE_API_KEY}), 6, 'the results are stored');
is(evaluations($env->{JUDGE_API_KEY_2}), 0,
   'the second organization has none');

my ($table) = $out =~ /^(Essay .*?)^$/ms;

# --- While it runs --------------------------------------------------------

($status, $out) = run();
is($status, 0, 'it is called again') or diag($out);
like($out, qr/^run +already runs: /m, 'and says that it runs');
like($out, qr/^\Q$table\E$/m, 'with the same results');
is(evaluations($env->{JUDGE_API_KEY}), 6, 'which were not made again');

# --- Stopped and started --------------------------------------------------

($status, $out) = run('stop');
is($status, 0, 'it stops');
like($out, qr/^run +stopped; /m, 'and says so');
is($http->get("http://127.0.0.1:$port/healthz")->{status}, 599,
   'nobody listens');

($status, $out) = run('stop');
is($status, 0, 'stopping twice is no failure');
like($out, qr/nothing runs/, 'but told');

$ENV{JUDGE_PORT} = $port = Judge::Nginx::free_port();

($status, $out) = run();
is($status, 0, 'it starts on another port') or diag($out);
like($out, qr/^\Q$table\E$/m, 'with the results of before');
is(env()->{JUDGE_URL}, "http://127.0.0.1:$port", 'run/env follows');
is(env()->{JUDGE_API_KEY}, $env->{JUDGE_API_KEY}, 'the keys stay');
is(evaluations($env->{JUDGE_API_KEY}), 6, 'and what was stored');

# --- What goes wrong ------------------------------------------------------

$ENV{JUDGE_DIR} = "$dir/other";
($status, $out) = run();
is($status, 1, 'a port that is taken');
like($out, qr/port $port is taken; try JUDGE_PORT=/, 'is told');

$ENV{JUDGE_PORT} = 'http';
($status, $out) = run();
is($status, 1, 'a port that is none');
like($out, qr/JUDGE_PORT is not a port: http/, 'is told');

($status, $out) = run('restart');
is($status, 2, 'an unknown command is wrong usage');

$ENV{JUDGE_DIR}  = $run;
$ENV{JUDGE_PORT} = $port;

($status, $out) = run('stop');
is($status, 0, 'it stops again') or diag($out);

my $log = Judge::Nginx::read_file("$run/logs/error.log");
is(join("\n", grep { /\[(?:alert|emerg|crit)\]/ } split /\n/, $log), '',
   'the error log is clean');

done_testing;
