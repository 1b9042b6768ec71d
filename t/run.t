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
is($status, 0, 'util/run starts the service') or diag($out);
like($out, qr{^run +started: http://127\.0\.0\.1:$port$}m,
     'util/run says where the service listens');
is(scalar(() = $out =~ /^[\w-]+\.txt( +\d+\.\d){4} .*75% judged$/mg), 6,
   'six essays are judged by three criteria') or diag($out);
like($out, qr/^repair-cafe\.txt .*\n    Grammar \d+\.\d: \w/m,
     'an essay is printed with a reason');
like($out, qr/^To end it: JUDGE_DIR=\Q$run\E util\/run stop$/m,
     'util/run says how to end the service');

my $env = env();
is((stat "$run/env")[2] & 0777, 0600, 'run/env can be read by its owner only');
is($env->{JUDGE_URL}, "http://127.0.0.1:$port", 'run/env has the address');
like($env->{JUDGE_API_KEY}, qr/^jdgk_/, 'run/env has a key');
like($env->{JUDGE_API_KEY_2}, qr/^jdgk_/,
     'run/env has a key of another organization');
like($env->{JUDGE_WEBHOOK_SECRET}, qr/^whsec_/, 'run/env has a secret');

is(evaluations($env->{JUDGE_API_KEY}), 6,
   'the results of the essays are stored');
is(evaluations($env->{JUDGE_API_KEY_2}), 0,
   'the second organization has no results');

my ($table) = $out =~ /^( +overall .*?)^$/ms;

# --- While it runs --------------------------------------------------------

($status, $out) = run();
is($status, 0, 'util/run can be called while the service runs') or diag($out);
like($out, qr/^run +already runs: /m,
     'util/run says that the service runs already');
like($out, qr/^\Q$table\E$/m,
     'util/run prints the same results while the service runs');
is(evaluations($env->{JUDGE_API_KEY}), 6,
   'what is stored is not judged again');

# --- Stopped and started --------------------------------------------------

($status, $out) = run('stop');
is($status, 0, 'util/run stop ends the service');
like($out, qr/^run +stopped; /m,
     'util/run stop says that it has ended the service');
is($http->get("http://127.0.0.1:$port/healthz")->{status}, 599,
   'nobody listens after util/run stop');

($status, $out) = run('stop');
is($status, 0, 'stopping what is stopped is no failure');
like($out, qr/nothing runs/, 'util/run stop says when nothing runs');

$ENV{JUDGE_PORT} = $port = Judge::Nginx::free_port();

($status, $out) = run();
is($status, 0, 'util/run starts the service on another port') or diag($out);
like($out, qr/^\Q$table\E$/m,
     'a service that is started again has the results of before');
is(env()->{JUDGE_URL}, "http://127.0.0.1:$port", 'run/env has the new port');
is(env()->{JUDGE_API_KEY}, $env->{JUDGE_API_KEY},
   'the keys stay when the service is started again');
is(evaluations($env->{JUDGE_API_KEY}), 6,
   'what was stored stays when the service is started again');

# --- What goes wrong ------------------------------------------------------

$ENV{JUDGE_DIR} = "$dir/other";
($status, $out) = run();
is($status, 1, 'util/run fails where the port is taken');
like($out, qr/port $port is taken; try JUDGE_PORT=/,
     'util/run suggests another port where this one is taken');

$ENV{JUDGE_PORT} = 'http';
($status, $out) = run();
is($status, 1, 'util/run fails where the port is not a number');
like($out, qr/JUDGE_PORT is not a port: http/,
     'util/run says that a name is not a port');

($status, $out) = run('restart');
is($status, 2, 'an unknown command is refused');

$ENV{JUDGE_DIR}  = $run;
$ENV{JUDGE_PORT} = $port;

($status, $out) = run('stop');
is($status, 0, 'util/run stop ends the service again') or diag($out);

my $log = Judge::Nginx::read_file("$run/logs/error.log");
is(join("\n", grep { /\[(?:alert|emerg|crit)\]/ } split /\n/, $log), '',
   'the error log is clean');

done_testing;
