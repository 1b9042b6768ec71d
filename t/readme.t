# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# README.md tells the truth: its commands and its configuration, one after the
# other and as they are written, in a machine of their own; its links.  Those
# of docs/api.md follow on the service that util/run has started there.

use JSON::PP qw(decode_json);

use Judge::Docs;
use Judge::Machine;
use Judge::Test;

my $repo   = Judge::Nginx->repo;
my $readme = Judge::Nginx::read_file("$repo/README.md");


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


# --- As a new user ----------------------------------------------------------

# What has not changed is not built again, as for t/package.t.  It takes
# minutes, and is for --nightly.
my $packs = $ENV{JUDGE_TEST_EVERY} && -x '/usr/bin/dpkg-buildpackage'
            && -d '/usr/share/nginx/src';
Judge::Nginx->run("$repo/util/package") if $packs && $> == 0;

my $m = Judge::Machine->new;
if (!$m) {
    note('no machine can be made here: not root, or no overlay');
    done_testing;
    exit;
}

sub blocks { Judge::Docs->blocks('README.md', @_) }

sub does {
    my ($name, $script, %opt) = @_;
    my ($status, $out) = $m->run($script, timeout => 900, %opt);

    is($status, $opt{status} // 0, $name) or diag($out);
    return $out;
}

sub record { return eval { decode_json($_[0]) } // {} }

my ($begin) = blocks('Judge', 'sh', 1);
ok($begin =~ s{^util/test .*\n}{}m,
   'README.md runs util/test, which this is a test of');
like(does('util/run starts the service', $begin), qr/127\.0\.0\.1:8080/,
     'util/run says where it listens');

my ($first) = blocks('A first evaluation', 'sh', 1);
my $e = record(does('README.md makes a first evaluation', $first));
is($e->{status}, 'completed', 'the first evaluation completes');
is(join(' ', map { $_->{name} } @{ $e->{criteria_scores} // [] }),
   'Clarity Grammar', 'the first evaluation has the criteria of its judge');

# What is shown of the answer is there.
my ($shown) = blocks('A first evaluation', 'json', 1);
my %has     = map { $_ => 1 } keys %$e, map { keys %$_ }
              @{ $e->{criteria_scores} // [] }, @{ $e->{not_judged} // [] };
is(join(' ', grep { !$has{$_} } $shown =~ /"(\w+)": /g), '',
   'each field that README.md shows is in the answer');

my ($quick) = Judge::Docs->blocks('docs/quickstart.md', 'Quickstart', 'sh', 1);
like(does('the quickstart runs', $quick), qr/^corrected: fbk_\w+$/m,
     'the quickstart corrects a score');


# --- docs/api.md ------------------------------------------------------------

sub api { Judge::Docs->blocks('docs/api.md', @_) }

my ($clients) = api('The interface', 'sh', 1);
my ($again)   = api('Sending again', 'sh', 1);
my ($lists)   = api('Lists', 'sh', 1);
does('docs/api.md fetches the description', ". run/env; cd /tmp; $clients");
is(record(does('the description is there', 'cat /tmp/judge.json'))
       ->{openapi} =~ s/\..*//r, 3,
   'the description is of OpenAPI 3');
is(record(does('docs/api.md makes a content', ". run/env; $again"))->{id},
   record(does('the same request is sent again', ". run/env; $again"))->{id},
   'a request that is sent again makes nothing new');
my ($hooks) = Judge::Docs->blocks('docs/webhooks.md', 'Turning them on',
                                  'sh', 1);
like(does('webhooks are turned on', ". run/env; $hooks"),
     qr/"enabled":true.*"delivery_id":"/s,
     'a webhook that is turned on is tried at once');
my @pages = map { record($_) } split /\n/,
            does('docs/api.md reads a list', ". run/env; $lists");
cmp_ok(scalar map({ @{ $_->{evaluations} // [] } } @pages), '>=', 7,
       'all pages of a list are read');

my ($batch) = Judge::Docs->blocks('docs/batches.md', 'Batches', 'sh', 1);
my $results = does('docs/batches.md follows a batch', ". run/env; $batch");
like($results, qr/^event: done$/m, 'a batch is followed to its end');
is(scalar(() = $results =~ /,completed,/g), 2, 'the batch has both results');


# --- docs/media.md ----------------------------------------------------------

my ($start, $try) = Judge::Docs->blocks('docs/media.md',
                                        'A photo, to begin with', 'sh', 2);

my $short = $try =~ s/seq 60/seq 2/r;
my $none  = does('docs/media.md runs without a worker', $short);
like($none, qr{^No worker takes it: util/media-worker/run$}m,
     "what is tried without a worker names the worker's command");
like($none, qr/"status":"processing"/,
     'what is tried without a worker ends, and nothing is judged');


# --- A worker of one's own, by docs/media.md ---------------------------------

my ($claim, $report, $release) = Judge::Docs->blocks('docs/media.md',
                                                     'The protocol', 'sh', 3);

# The second of two photos: the first is given back and may wait for 30 s.
does('a second photo waits for a worker', $short);
is(does('a photo is claimed and given back',
        ". run/env; cd /tmp; $claim $release"), '',
   'the release of a photo prints nothing');
my @said = map { record($_) } split /(?<=\})(?=\{)/,
           does('the other photo is claimed and reported',
                ". run/env; cd /tmp; $claim $report");
ok($said[0]{lease_expires_at}, 'a heartbeat prolongs the lease');
is($said[-1]{status}, 'completed', "a worker's report is taken");
$e = record(does('the result is read', '. run/env; curl -s -H "X-API-Key:'
                 . ' $JUDGE_API_KEY" "$JUDGE_URL/evaluations/'
                 . $said[-1]{evaluation_id} . '"'));
is($e->{overall_score}, 75, 'the result is what the worker reported');

SKIP: {
    skip 'the libraries of FFmpeg are not installed: see util/dev/deps', 4
        if !-x "$repo/build/media-worker";

    does('a worker is started', $start);
    $e = record(does('a picture is judged', $try));
    is($e->{status}, 'completed', 'a picture is judged to the end');
    is(join(' ', map { $_->{name} } @{ $e->{criteria_scores} // [] }),
       'Sharpness Exposure',
       'a picture is judged by the criteria of its judge');
    does('the worker is stopped', 'util/media-worker/run stop');
}

does('util/run stop ends the service', 'util/run stop');


# --- In a gateway that is there already -------------------------------------

my ($package, $hand, $org) = blocks('In a gateway that is there already',
                                    'sh', 3);
my ($conf) = blocks('In a gateway that is there already', 'nginx', 1);

# It goes into Debian's nginx.conf, which has the rest: its first line to the
# top, what is in http{} to what is there.
my ($load, $http) = $conf =~ /^(load_module .*?;).*?^http \{\n(.*)^\}/ms
    or die "nginx.conf of README.md: $conf";

sub serves {
    my ($how) = @_;
    my $made  = does("$how, an organization is made", $org);
    my ($key) = $made =~ /(jdgk_\w+)/;

    like(does("$how, judges are listed", "curl -s -H 'X-API-Key: $key'"
              . ' http://127.0.0.1/judging/judges'), qr/^\{"judges":\[\]/,
         "$how, the new key is taken");
}

$m->write('/etc/nginx/conf.d/judge.conf', $http);
does('nginx alone does not know it', 'nginx -t', status => 1);
does('the module is installed by hand', $hand);
$m->write('/etc/nginx/modules-enabled/60-judge.conf', $load);
does('nginx starts with the module', 'nginx -t && systemctl restart nginx');
serves('by hand');

SKIP: {
    skip 'JUDGE_TEST_EVERY is not set, or no util/dev/deps package was here', 8
        if !$packs;

    does('what was installed is removed',
         'systemctl stop nginx; rm -r /var/lib/judge'
         . ' /usr/local/bin/judge /usr/lib/nginx/modules/*judge*'
         . ' /etc/nginx/modules-enabled/60-judge.conf');
    my ($same) = Judge::Docs->blocks('docs/quickstart.md',
                                     'The Debian package', 'sh', 1);
    is($same, $package,
       'docs/quickstart.md installs the package as README.md does');
    does('the package is installed', $package);
    does('nginx starts with the package',
         'nginx -t && systemctl restart nginx');
    serves('as a package');
}

done_testing;
