# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# OpenTelemetry's own exporter of spans delivers to a judge's traces, plain and
# compressed, and takes the answer for what it is.

use JSON::PP ();

use Judge::Test;

my $modules = Judge::Nginx->repo . '/build/npm/node_modules';
my $package = "$modules/\@opentelemetry/exporter-trace-otlp-http";

plan skip_all => 'node is not installed'
    if system('node --version >/dev/null 2>&1') != 0;
plan skip_all => 'the exporter is not there: run util/dev/deps test'
    if !-d $package;

my $t     = Judge::Test->new;
my $judge = $t->new_judge(criteria => [ { name => 'Short', weight => 1,
    description => 'At most 20 words.' } ]);

# Exports one span of a model's call, and prints how that ended and what the
# exporter logged meanwhile.

sub exported {
    my ($answer, %opt) = @_;

    my $out = JSON::PP->new->encode({
        url => $t->url . "/v1/judges/$judge/traces",
        headers => { Authorization => 'Bearer ' . ($opt{key} // $t->key) },
        compression => $opt{compression} // 'none' });
    my $said = JSON::PP->new->allow_nonref->encode($answer);

    my $file = $t->write('export.js', <<"JS");
const at = '$modules/\@opentelemetry/';
const { diag, DiagLogLevel } = require(at + 'api');
const { BasicTracerProvider, BatchSpanProcessor }
    = require(at + 'sdk-trace-base');
const { OTLPTraceExporter } = require(at + 'exporter-trace-otlp-http');

const logged = [];
const log = (...words) => logged.push(words.join(' '));
diag.setLogger({ error: log, warn: log, info() {}, debug() {}, verbose() {} },
               DiagLogLevel.WARN);

const provider = new BasicTracerProvider({
    spanProcessors: [ new BatchSpanProcessor(new OTLPTraceExporter($out)) ] });
const span = provider.getTracer('test').startSpan('chat m-1');
const part = content => [ { type: 'text', content } ];
span.setAttributes({
    'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm-1',
    'gen_ai.input.messages': JSON.stringify([
        { role: 'user', parts: part('Where is order 7?') } ]),
    'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: part($said) } ]) });
span.end();
provider.shutdown().catch(log).then(() => console.log(JSON.stringify({
    trace: span.spanContext().traceId, logged })));
JS

    my $text = `node $file 2>&1`;
    return eval { JSON::PP->new->decode($text) } // { logged => [ $text ] };
}

sub judged {
    return @{ $t->get("/evaluations?judge_id=$judge")->json->{evaluations} };
}

my $n = 0;
for my $compression (qw(none gzip)) {
    my $run = exported("Order $n is on its way.",
                       compression => $compression);
    is_deeply($run->{logged}, [],
              "a span is delivered with compression $compression");

    my @all = judged();
    is(scalar @all, ++$n,
       "a span with compression $compression is one evaluation");
    is($t->ended($all[0]{id})->{overall_score}, 100,
       "a span with compression $compression is judged");

    my $c = $t->get("/content/$all[0]{content_id}")->json;
    like($c->{metadata}{traceparent}, qr/^00-$run->{trace}-/,
         'the content has the traceparent of the span');
    like($c->{text_content}, qr/Order \d is on its way\.\z/,
         'the content has the answer of the span');
}

my $run = exported('Never.', key => 'jdgk_wrong');
like("@{ $run->{logged} }", qr/401|Unauthorized/,
     'the exporter is told that its key is wrong');
is(scalar judged(), $n, 'nothing is judged by a wrong key');

done_testing;
