# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The conformance tool of the Model Context Protocol. Most of its scenarios
# call tools, resources and prompts of fixed names that only its own example
# has: those are named here with the reason. A scenario that is in neither
# list, and one that passes although it is named, fails.

use Judge::Test;

my %APPLIES = (
    'server-initialize'        => 1,
    'ping'                     => 1,
    'tools-list'               => 1,
    'resources-list'           => 1,
    'prompts-list'             => 1,
    'dns-rebinding-protection' => 2,
);

my $NAMES  = qr/expected that of a (?:tool|prompt|resource)/;
my $METHOD = qr/-32601/;

my %NOT = (
    # Methods that are not announced in the capabilities.
    (map { $_ => $METHOD } qw(logging-set-level completion-complete
        resources-subscribe resources-unsubscribe
        tools-call-with-logging)),

    # Names of the example.
    (map { $_ => $NAMES } qw(tools-call-simple-text tools-call-image
        tools-call-audio tools-call-embedded-resource
        tools-call-mixed-content tools-call-error
        tools-call-with-progress tools-call-sampling tools-call-elicitation
        elicitation-sep1034-defaults elicitation-sep1330-enums
        resources-read-text resources-read-binary resources-templates-read
        prompts-get-simple prompts-get-with-args
        prompts-get-embedded-resource prompts-get-with-image)),
    'json-schema-2020-12' => qr/json_schema_2020_12_tool/,

    # Streams and sessions: every answer is JSON, of no session.
    (map { $_ => qr/did not provide session ID/ }
         qw(server-sse-polling server-sse-multiple-streams)),
);

my $t = Judge::Test->new(
    described => 0, location => 'judge_mcp on;',
    store  => 'public_url=http://127.0.0.1:@PORT@',
    server => <<'CONF');
location = /conformance/mcp {        # the tool cannot send a key
    access_log off;
    error_log /dev/null;             # the key is in the request
    set $bearer "Bearer $arg_key";
    set $args "";
    proxy_pass http://127.0.0.1:@PORT@/mcp;
    proxy_set_header Host $http_host;
    proxy_set_header Authorization $bearer;
}
CONF

my $npm = $t->repo . '/build/npm/node_modules';
my ($node) = glob "$npm/node-linux-*/bin/node";
my $tool = "$npm/\@modelcontextprotocol/conformance/dist/index.js";

plan skip_all => 'the tool and its Node are not installed (util/dev/deps test)'
    if !$node || !-f $tool || system("$node --version >/dev/null 2>&1") != 0;

# The checks of each scenario.

my $out = $t->dir . '/conformance';
my ($status, $said) = $t->run($node, $tool, 'server', '--suite', 'all',
    '-o', $out, '--url', 'http://127.0.0.1:' . $t->port
                         . '/conformance/mcp?key=' . $t->org->{key});
my %checks;
for my $file (glob "$out/server-*/checks.json") {
    my ($name) = $file =~ m{/server-([^/]+?)-\d{4}-\d\d-\d\dT[^/]+/};
    $checks{$name} = JSON::PP::decode_json(Judge::Nginx::read_file($file));
}

is_deeply([ sort keys %checks ], [ sort keys %APPLIES, keys %NOT ],
          'each scenario of the tool is one that applies, or has its reason')
    or diag($said);

sub with { my ($checks, @status) = @_;
           return grep { my $c = $_; grep { $c->{status} eq $_ } @status }
                  @{ $checks // [] } }

for my $name (sort keys %APPLIES) {
    is(scalar with($checks{$name}, 'SUCCESS'), $APPLIES{$name},
       "$name: all its checks succeed");
    is_deeply([ map { $_->{errorMessage} }
                with($checks{$name}, qw(FAILURE WARNING)) ], [],
              "$name: none fails");
}

for my $name (sort keys %NOT) {
    my @why = map { $_->{errorMessage} // $_->{details}{message} }
              with($checks{$name}, qw(FAILURE WARNING));
    like("@why", $NOT{$name}, "$name does not apply");
}

done_testing;
