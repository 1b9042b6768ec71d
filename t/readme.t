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
ok($begin =~ s{^util/test .*\n}{}m, 'it names util/test, which this is of');
like(does('util/run', $begin), qr/127\.0\.0\.1:8080/, 'says where it is');

my ($first) = blocks('A first evaluation', 'sh', 1);
my $e = record(does('a first evaluation', $first));
is($e->{status}, 'completed', 'completes');
is(join(' ', map { $_->{name} } @{ $e->{criteria_scores} // [] }),
   'Clarity Grammar', 'with the criteria of the judge');

# What is shown of the answer is there.
my ($shown) = blocks('A first evaluation', 'json', 1);
my %has     = map { $_ => 1 } keys %$e, map { keys %$_ }
              @{ $e->{criteria_scores} // [] }, @{ $e->{not_judged} // [] };
is(join(' ', grep { !$has{$_} } $shown =~ /"(\w+)": /g), '',
   'every field that is shown');

my ($quick) = Judge::Docs->blocks('docs/quickstart.md', 'Quickstart', 'sh', 1);
like(does('the quickstart', $quick), qr/^corrected: fbk_\w+$/m,
     'corrects a score');


# --- docs/api.md ------------------------------------------------------------

sub api { Judge::Docs->blocks('docs/api.md', @_) }

my ($clients) = api('The interface', 'sh', 1);
my ($again)   = api('Sending again', 'sh', 1);
my ($lists)   = api('Lists', 'sh', 1);
does('the description', ". run/env; cd /tmp; $clients");
is(record(does('is JSON', 'cat /tmp/judge.json'))->{openapi} =~ s/\..*//r, 3,
   'of OpenAPI 3');
is(record(does('a content', ". run/env; $again"))->{id},
   record(does('sent again', ". run/env; $again"))->{id}, 'is made once');
my ($hooks) = Judge::Docs->blocks('docs/webhooks.md', 'Turning them on',
                                  'sh', 1);
like(does('webhooks are turned on', ". run/env; $hooks"),
     qr/"enabled":true.*"delivery_id":"/s, 'and tried');
my @pages = map { record($_) } split /\n/,
            does('all evaluations', ". run/env; $lists");
cmp_ok(scalar map({ @{ $_->{evaluations} // [] } } @pages), '>=', 7,
       'are listed');

my ($batch) = Judge::Docs->blocks('docs/batches.md', 'Batches', 'sh', 1);
my $results = does('a batch', ". run/env; $batch");
like($results, qr/^event: done$/m, 'is judged to its end');
is(scalar(() = $results =~ /,completed,/g), 2, 'with both results');


# --- docs/media.md ----------------------------------------------------------

my ($start, $try) = Judge::Docs->blocks('docs/media.md',
                                        'A photo, to begin with', 'sh', 2);

my $short = $try =~ s/seq 60/seq 2/r;
my $none  = does('without a worker', $short);
like($none, qr{^No worker takes it: util/media-worker/run$}m, 'it says so');
like($none, qr/"status":"processing"/, 'and ends');


# --- A worker of one's own, by docs/media.md ---------------------------------

my ($claim, $report, $release) = Judge::Docs->blocks('docs/media.md',
                                                     'The protocol', 'sh', 3);

# The second of two photos: the first is given back and may wait for 30 s.
does('another photo waits for a worker', $short);
is(does('a photo is claimed and given back',
        ". run/env; cd /tmp; $claim $release"), '', 'without a word');
my @said = map { record($_) } split /(?<=\})(?=\{)/,
           does('the other is claimed and reported',
                ". run/env; cd /tmp; $claim $report");
ok($said[0]{lease_expires_at}, 'its lease is prolonged');
is($said[-1]{status}, 'completed', 'its report is taken');
$e = record(does('the result', '. run/env; curl -s -H "X-API-Key:'
                 . ' $JUDGE_API_KEY" "$JUDGE_URL/evaluations/'
                 . $said[-1]{evaluation_id} . '"'));
is($e->{overall_score}, 75, 'is what the worker says');

SKIP: {
    skip 'the libraries of FFmpeg are not installed: see util/dev/deps', 4
        if !-x "$repo/build/media-worker";

    does('a worker is started', $start);
    $e = record(does('a picture is judged', $try));
    is($e->{status}, 'completed', 'to the end');
    is(join(' ', map { $_->{name} } @{ $e->{criteria_scores} // [] }),
       'Sharpness Exposure', 'by its criteria');
    does('and the worker is stopped', 'util/media-worker/run stop');
}

does('util/run stop', 'util/run stop');


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
    my $made  = does("$how: an organization", $org);
    my ($key) = $made =~ /(jdgk_\w+)/;

    like(does("$how: a key", "curl -s -H 'X-API-Key: $key'"
              . ' http://127.0.0.1/judging/judges'), qr/^\{"judges":\[\]/,
         "$how: is taken");
}

$m->write('/etc/nginx/conf.d/judge.conf', $http);
does('nginx alone does not know it', 'nginx -t', status => 1);
does('by hand', $hand);
$m->write('/etc/nginx/modules-enabled/60-judge.conf', $load);
does('nginx starts', 'nginx -t && systemctl restart nginx');
serves('by hand');

SKIP: {
    skip 'JUDGE_TEST_EVERY is not set, or no util/dev/deps package was here', 8
        if !$packs;

    does('nothing is left', 'systemctl stop nginx; rm -r /var/lib/judge'
         . ' /usr/local/bin/judge /usr/lib/nginx/modules/*judge*'
         . ' /etc/nginx/modules-enabled/60-judge.conf');
    my ($same) = Judge::Docs->blocks('docs/quickstart.md',
                                     'The Debian package', 'sh', 1);
    is($same, $package, 'docs/quickstart.md says the same');
    does('as a package', $package);
    does('nginx starts', 'nginx -t && systemctl restart nginx');
    serves('as a package');
}

done_testing;
