# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The description of the interface in the hands of others: two linters have
# nothing to say about it, and a TypeScript client that is generated from it
# makes a judge, contents with metadata, evaluations, a batch whose events it
# reads, an upload, feedback and a training job.

use JSON::PP qw(decode_json);

use Judge::Test;

my $t   = Judge::Test->new(server => "
               location /outbound {
                   judge_outbound;
                   include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
               }");
my $npm = $t->repo . '/build/npm/node_modules';

plan(skip_all => 'node is not installed')
    if system('node --version >/dev/null 2>&1') != 0;
plan(skip_all => 'the packages of npm are not there: run util/dev/deps test')
    if grep { !-d "$npm/$_" } qw(@redocly/cli @stoplight/spectral-cli
                                 openapi-typescript openapi-fetch typescript);

my $openapi = $t->repo . '/docs/openapi.yaml';
my $data    = $t->repo . '/t/data/openapi';

# What a reader of YAML 1.1 takes for true or false is quoted.
my $words = <<'END';
import re, sys, yaml
for e in yaml.parse(sys.stdin, Loader=yaml.SafeLoader):
    if (isinstance(e, yaml.ScalarEvent) and e.style is None
            and re.fullmatch('(?i)y|n|yes|no|on|off', e.value)):
        print(e.start_mark.line + 1, e.value)
END
is(`python3 -c "$words" < $openapi 2>&1`, '',
   'no word of the description is a boolean in YAML 1.1');

# A command of a package: what it says, '' where all is well.

sub says {
    my ($command, @args) = @_;
    my ($status, $said) = $t->run("$npm/.bin/$command", @args);
    return $status ? $said || "it ended with $status" : '';
}

my (undef, $found) = $t->run('env', 'REDOCLY_TELEMETRY=off',
    'REDOCLY_SUPPRESS_UPDATE_NOTICE=true', "$npm/.bin/redocly", 'lint',
    "--config=$data/redocly.yaml", '--format=json', $openapi);
like($found, qr/"errors": 0,\s+"warnings": 0,/,
     'Redocly finds nothing in the description');
is(says('spectral', 'lint', '--quiet', '--fail-severity=hint', '-r',
        "$data/spectral.yaml", $openapi), '',
   'Spectral finds nothing in the description');

my $dir = $t->dir . '/client';
mkdir $dir or die "$dir: $!";
symlink $npm, "$dir/node_modules" or die "$dir/node_modules: $!";

is(says('openapi-typescript', $openapi, '-o', "$dir/api.d.ts"), '',
   'types are made of the description');
system('cp', "$data/flow.ts", $dir) == 0 or die 'cp';
$t->write('client/package.json', '{"type":"module"}');
is(says('tsc', '--strict', '--target', 'es2022', '--lib', 'es2022,dom',
        '--module', 'esnext', '--moduleResolution', 'bundler',
        '--skipLibCheck', '--typeRoots', "$npm/\@types", '--types', 'node',
        "$dir/flow.ts"), '', 'the client of these types compiles');

my ($status, $said) = $t->run('node', "$dir/flow.js", $t->url, $t->key);
is_deeply(eval { decode_json($said) } // $said, {
    judge => JSON::PP::true, version => 1, evaluation => 'completed',
    scores => 2, batch => 'completed', results => 12, floor => 3,
    told => [ 'event: done', 'event: item', 'event: progress' ], put => 200,
    uploaded => 'completed', event => JSON::PP::true, trained => 'completed',
    refused => 'there is no such content',
}, 'the client does all that it is written for');

done_testing;
