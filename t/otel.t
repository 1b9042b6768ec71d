# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Results for OpenTelemetry over real sockets: what a strict collector gets
# (t/lib/Judge/OTLP.pm), which span it belongs to, and what happens when the
# collector refuses, is slow or is not there.

use Judge::Docs;
use Judge::Test;
use Judge::OTLP;
use Judge::Receiver;

use Time::HiRes qw(time);

my $repo      = Judge::Nginx->repo;
my $collector = Judge::Receiver->start;
my $conf      = Judge::Nginx::read_file("$repo/conf/otel.conf");

$conf =~ s{http://127\.0\.0\.1:4318/v1/logs}{$collector->url('/as/logs')}e
    or die 'no collector';
$conf =~ s{timeout=10s}{timeout=6s} or die 'no timeout';
$collector->set(logs => '/hex/200/7b7d');

# Answers of language models that pass, with their identifiers, whole and as
# events.

my $line  = 'Trams run at night, too.';
my %says  = (
    chat => '{"id":"chatcmpl-a","choices":[{"message":{'
        . qq("content":"$line"}}]}),
    responses => '{"id":"resp_a","output":[{"type":"message","id":"msg_x",'
        . qq("content":[{"type":"output_text","text":"$line"}]}]}),
    messages => '{"id":"msg_a","type":"message","content":[{"type":"text",'
        . qq("text":"$line"}]}),
);
my %streams = (
    chat => [ map({ '{"id":"chatcmpl-b","choices":[{"index":0,"delta":{'
                    . qq("content":"$_"}}]}) } 'Trams run ', 'at night.'),
              '[DONE]' ],
    responses => [
        '{"type":"response.created","response":{"id":"resp_b","output":[]}}',
        '{"type":"response.output_text.delta","item_id":"msg_x",'
            . qq("delta":"$line"}),
        '{"type":"response.completed","response":{"id":"resp_b"}}' ],
    messages => [
        '{"type":"message_start","message":{"id":"msg_b","content":[]}}',
        '{"type":"content_block_delta","index":0,"delta":{'
            . qq("type":"text_delta","text":"$line"}}),
        '{"type":"message_stop"}' ],
);
my $models = join '', map {
    my $events = join '', map { "data: $_\n\n" } @{ $streams{$_} };
    "location = /whole/$_ { default_type application/json;"
    . " return 200 '$says{$_}'; }\n"
    . "location = /stream/$_ { default_type text/event-stream;"
    . " return 200 '$events'; }\n"
} sort keys %says;

my $t = Judge::Test->new(orgs => 2, server => <<"CONF");
$conf
$models
location = /echo { default_type text/plain; return 200 "Buses run at night.";
}
location /front/ {
    proxy_pass http://127.0.0.1:\@PORT@/echo;
    judge_traffic judge=\$http_x_judge organization=\$http_x_org;
}
location /model/ {
    proxy_pass http://127.0.0.1:\@PORT@/;
    judge_traffic judge=\$http_x_judge organization=\$http_x_org;
}
location /guarded/ {
    proxy_pass http://127.0.0.1:\@PORT@/;
    judge_traffic judge=\$http_x_judge organization=\$http_x_org store=scores
                  mode=guard min=0 on_error=pass stream=window window=16;
}
CONF

# The first lines of the page are right, too; t/postgresql_otel.t sends by
# them.

my ($three) = Judge::Docs->blocks('docs/otel.md', 'OpenTelemetry', 'nginx', 1);
my ($fine, $why) = Judge::Test->new(start => 0)->check_conf(server => $three);
ok($fine, 'the first lines of docs/otel.md are a configuration') or diag($why);

my ($example) = Judge::Docs->blocks('docs/otel.md',
    'The span that a result belongs to', 'json', 1);

my $trace  = '0af7651916cd43dd8448eb211c80319c';
my $span   = 'b7ad6b7169203331';
my $parent = "00-$trace-$span-01";


# --- Helpers ----------------------------------------------------------------

my (@wrong, %read);
my $judge;                             # of essays, of most of the tests

# The records of these requests, or of all so far. A body is read once, however
# often it is looked at.

sub records_in {
    return map {
        my $body = $_->{body};
        $read{$body} //= do {
            my ($errors, @records) = Judge::OTLP::logs($body);
            push @wrong, @$errors;
            \@records;
        };
        @{ $read{$body} };
    } @_ ? @_ : $collector->requests;
}

# Those of an evaluation; those of overall scores.

sub records {
    my ($id) = @_;
    return grep { $_->{attributes}{'judge.evaluation.id'} eq $id }
           records_in();
}

sub overall {
    return grep { !$_->{attributes}{'judge.criterion.id'} } records_in(@_);
}

sub exported {
    my ($id) = @_;
    return $t->wait_until(sub { my @r = records($id); @r ? \@r : 0 },
                          "records of $id");
}

sub settled {
    my ($name) = @_;
    $t->comes_true(sub { !$t->sql1('select count(*) from exports') }, $name);
}

sub judged {
    my ($judge, %more) = @_;
    my $headers = delete $more{headers};
    my $r = $t->post('/evaluations/single', headers => $headers // [],
                     json => { judge_id => $judge,
                               text_content => 'Buses run at night. ' x 9,
                               %more });
    die $r->body if $r->status != 201;
    $t->ended($r->json->{evaluation_id});
    return $r->json->{evaluation_id};
}

sub counted {
    my ($metric, $outcome) = @_;
    return $t->metric("judge_otel_${metric}_total",
                      $outcome ? (outcome => $outcome) : ()) // 0;
}


sub interval {
    my ($of) = @_;
    return map { exists $of->{interval}{$_}
                 ? ("judge.score.interval.$_" => $of->{interval}{$_}) : () }
           qw(low high level basis n);
}

subtest 'a collector gets what the conventions ask for' => sub {
    my %levels = (thresholds => { excellent => 90, good => 75, fair => 1,
                                  poor => 0 });
    $judge = $t->new_judge(
        name     => 'Essays, strictly',
        review   => { near_threshold => 100 },
        criteria => [
            { name => 'Grammar', description => 'Correct grammar, spelling and'
                                                . ' punctuation.', %levels },
            { name => 'Length', description => 'At most 2 words.' },
            { name => 'Courtesy of the host',
              description => 'The host is kind to each guest.' },
        ]);

    my $id     = judged($judge, headers => [ Traceparent => $parent ]);
    my $record = $t->evaluated($id);
    my @events = @{ exported($id) };
    my ($overall, $grammar, $length, $wit) = @events;
    my ($sent)  = $collector->requests;

    is_deeply(\@wrong, [], 'the body is what the messages of OTLP say');
    is($sent->{method}, 'POST', 'records are sent by POST');
    is($sent->{headers}{'content-type'}, 'application/json',
       'the body is sent as JSON');
    is(scalar @events, 4,
       'there is a record for the score and for each criterion');
    is(scalar(grep { $_->{eventName} ne 'gen_ai.evaluation.result' } @events),
       0,
       'each record is the event of the convention');
    is_deeply([ map { @$_{qw(traceId spanId flags)} } @events ],
              [ ($trace, $span, 1) x 4 ],
              'the records are in the span of the request');
    is_deeply($overall->{resource},
              { 'service.name' => 'judge', 'service.version' => '0.1.0',
                'judge.service' => 'default' },
              'the resource of the records is the service');
    is($overall->{scope}{name}, 'judge',
       'the scope of the records is the judge');
    cmp_ok(abs($overall->{timeUnixNano} / 1e9 - time), '<', 300,
           'the time of the records is that of the evaluation');
    is($overall->{severityNumber}, 9, 'the record of a result is no error');

    my ($by_name) = grep { $_->{name} eq 'Grammar' }
                    @{ $record->{criteria_scores} };
    my ($missing) = @{ $record->{not_judged} };
    my %shared = (
        'judge.organization.id'   => $t->org->{id},
        'judge.evaluation.id'     => $id,
        'judge.content.id'        => $record->{content_id},
        'judge.evaluator.id'      => $judge,
        'judge.evaluator.name'    => 'Essays, strictly',
        'judge.evaluator.version' => 1,
        'judge.engine'            => $record->{engine},
    );

    is_deeply($overall->{attributes}, {
        %shared, interval($record),
        'gen_ai.evaluation.name'        => 'Essays, strictly',
        'gen_ai.evaluation.score.value' => $record->{overall_score},
        'gen_ai.evaluation.score.label' => 'fail',
        'gen_ai.evaluation.explanation' => $record->{summary},
        'judge.score.threshold'         => 100,
        'judge.score.range.min' => 0, 'judge.score.range.max' => 100,
    }, 'the overall score fails by the threshold for reviews');
    is_deeply($grammar->{attributes}, {
        %shared, interval($by_name),
        'gen_ai.evaluation.name'        => 'Grammar',
        'gen_ai.evaluation.score.value' => $by_name->{score},
        'gen_ai.evaluation.score.label' => 'pass',
        'gen_ai.evaluation.explanation' => $by_name->{feedback},
        'judge.criterion.id'            => $by_name->{criterion_id},
        'judge.method'                  => $by_name->{judged_by},
        'judge.score.threshold'         => 1,
        'judge.score.range.min' => 0, 'judge.score.range.max' => 100,
    }, 'a criterion passes by its own threshold');
    is($length->{attributes}{'judge.method'}, 'checks',
       'a criterion that checks decide has their method');
    ok(!exists $length->{attributes}{'gen_ai.evaluation.score.label'},
       'a criterion without a threshold has no label');
    is_deeply($wit->{attributes}, {
        %shared,
        'gen_ai.evaluation.name'  => 'Courtesy of the host',
        'judge.criterion.id'      => $missing->{criterion_id},
        'judge.not_judged.reason' => $missing->{reason},
    }, 'a criterion that nobody could judge has its reason and no score');
    settled('what was sent is forgotten');
};

my @spans;

sub span_of {
    my ($name, $want, %how) = @_;
    my $response = delete $how{response};
    push @spans, [ judged($judge, %how), $name, $want, $response ];
}

subtest 'events belong to spans and responses' => sub {
    # All are judged first, and then looked at: they are sent together.

    my @none  = ('', '', '');
    my $other = '00-' . 'a' x 32 . '-' . 'b' x 16 . '-00';

    span_of('without a traceparent there is no span', \@none);
    for my $bad ("00-$trace-$span", "00-\U$trace\E-$span-01",
                 "ff-$trace-$span-01",
                 '00-' . 0 x 32 . "-$span-01", "00-$trace-" . 0 x 16 . '-01',
                 "00-$trace-$span-01-x", "00-$trace-$span-0g", 'x' x 55, '')
    {
        span_of("\"$bad\" is ignored", \@none,
                headers => [ traceparent => $bad ]);
    }
    span_of('two traceparents are ignored', \@none,
            headers => [ traceparent => $parent, traceparent => $other ]);
    span_of('of a later version the known part is read',
            [ $trace, $span, 255 ],
            headers => [ traceparent => "01-$trace-$span-ff-more" ]);

    span_of('the span in the metadata is nearer',
        [ 'a' x 32, 'b' x 16, 0 ], headers => [ traceparent => $parent ],
        metadata => { traceparent => $other, response_id => 'chatcmpl-1' },
        response => [ 'chatcmpl-1', 'the metadata name the response' ]);
    $example = JSON::PP::decode_json($example);
    delete $example->{judge_id};
    span_of('the example of the page is right', [ $trace, $span, 1 ],
            %$example, response => [ 'chatcmpl-123',
                                     'the example names its response' ]);
    span_of('what is no traceparent in the metadata is ignored',
        [ $trace, $span, 1 ], headers => [ traceparent => $parent ],
        metadata => { traceparent => [ 1 ], response_id => 7,
                      'gen_ai.response.id' => "r\x{1F600}" },
        response => [ "r\x{1F600}",
            'the name of the convention is known, too, in any script' ]);

    for (@spans) {
        my ($of, $name, $want, $response) = @$_;
        my ($first) = @{ exported($of) };
        is_deeply([ map { $first->{$_} // '' } qw(traceId spanId flags) ],
                  $want,
                  $name);
        is($first->{attributes}{'gen_ai.response.id'}, $response->[0],
           $response->[1] // "$name: no response is named");
    }

    my $brief = $t->new_judge(criteria => [
        { name => 'Length', description => 'At most 2 words.' } ]);

    for my $large (0, 1) {
        my $n     = $large ? 252 : 3;
        my $batch = $t->post('/batches/evaluate',
            headers => [ traceparent => $parent ],
            json => { name => 'Many', judge_ids => [ $brief ],
                      content_items => [ map { {
                          name => "Text $_", text_content => "Trams run $_." }
                      } 1 .. $n ] });
        status_is($batch, 201, "a batch of $n is made");
        my $of = $batch->json->{batch_id};
        $t->comes_true(sub {
            $t->get("/batches/$of")->json->{status} eq 'completed'
        }, "a batch of $n completes");
        settled("a batch of $n leaves no exports");
        my %seen = map { $_->{attributes}{'judge.evaluation.id'}
                         => "$_->{traceId} $_->{spanId}" }
                   grep { ($_->{attributes}{'judge.batch.id'} // '') eq $of }
                   overall();
        is(scalar keys %seen, $n, "a batch of $n is exported");
        is(scalar(grep { $_ ne "$trace $span" } values %seen), 0,
           "a batch of $n is in the span of the request that made it");
    }

    my @sizes = map { scalar overall($_) } $collector->requests;
    cmp_ok((sort { $b <=> $a } @sizes)[0], '>', 1,
           'evaluations are sent together');
    cmp_ok((sort { $b <=> $a } @sizes)[0], '<=', 64,
           'up to 64 evaluations are sent together');
    $collector->clear;

    # Traffic that passes.

    $t->request(GET => '/front/', headers => [
        'X-Judge' => $judge, 'X-Org' => $t->org->{id},
        Traceparent => $parent ]);
    $t->comes_true(sub { grep { $_->{traceId} } overall() },
                   'the answer that passes is judged');
    is((overall())[0]{spanId}, $span,
       'an answer that passes is in the span of its request');

    my %names = (chat => 'chatcmpl-', responses => 'resp_',
                 messages => 'msg_');
    my %passes;
    for my $way (qw(model/whole model/stream guarded/whole guarded/stream)) {
        for my $kind (sort keys %names) {
            my $of = sprintf '%016x', 1 + keys %passes;
            $passes{$of} = [ "/$way/$kind",
                             $names{$kind} . ($way =~ /stream/ ? 'b' : 'a') ];
        }
    }
    $passes{'f' x 16} = [ '/front/', undef ];

    for my $of (sort keys %passes) {
        my ($path) = @{ $passes{$of} };
        status_is($t->request(GET => $path, headers => [
            'X-Judge' => $judge, 'X-Org' => $t->org->{id},
            Traceparent => "00-$trace-$of-01" ]), 200,
                  "$path passes to the client");
    }
    for my $of (sort keys %passes) {
        my ($path, $response) = @{ $passes{$of} };
        $t->comes_true(sub { grep { $_->{spanId} eq $of } overall() },
                       "$path is judged");
        my ($passed) = grep { $_->{spanId} eq $of } overall();
        is($passed->{attributes}{'gen_ai.response.id'}, $response,
           $response ? "$path: the event names the response"
                     : "$path: a text has no identifier");
    }

    my $alone = $t->new_content('Trams.');
    my $twice = $t->new_evaluation($judge, $alone);
    exported($twice);
    is($t->sql1("select count(*) from evaluations where trace is not null"
                . " and batch_id is null and id = '$twice'"), 0,
       'an evaluation without a span has none in the store');
};

subtest 'failures are told as errors' => sub {
    my $hopeless = $t->new_judge(criteria => [
        { name => 'Courtesy of the host',
          description => 'The host is kind to each guest.' } ]);
    my $failed = judged($hopeless);
    my ($event, $reason) = @{ exported($failed) };
    is($t->ended($failed)->{status}, 'failed',
       'an evaluation of a judge that can judge nothing fails');
    is($event->{attributes}{'error.type'}, 'NOT_JUDGED',
       'the record of a failure has its code');
    is($event->{severityNumber}, 17, 'the record of a failure is an error');
    like($event->{attributes}{'judge.error.message'}, qr/criteria/,
         'the record of a failure says why');
    ok(!exists $event->{attributes}{'gen_ai.evaluation.score.value'},
       'the record of a failure has no score');
    like($reason->{attributes}{'judge.not_judged.reason'}, qr/\w/,
         'the record of a criterion says why it was not judged');
};

# The collector does something else; then the evaluation is sent again, in the
# end with success, or not.

sub misbehaves {
    my ($how, $name) = @_;

    my $retried = counted('requests', 'retried');
    $collector->clear;
    $collector->set(logs => $how);
    my $of = judged($judge);
    $t->comes_true(sub { counted('requests', 'retried') > $retried },
                   "the records are sent again after $name");
    is($t->sql1("select count(*) from exports where id = '$of'"), 1,
       "$name keeps the export in the store");
    $collector->set(logs => '/hex/200/7b7d');
    settled("the records arrive in the end after $name");
    cmp_ok(scalar(() = records($of)), '>=', 4,
           "all records arrive after $name");
}

sub refuses {
    my ($how, $name, $log) = @_;

    $collector->clear;
    my ($refused, $rejected) = (counted('requests', 'refused'),
                                counted('records', 'rejected'));
    $collector->set(logs => $how);
    my $of = judged($judge);
    settled("the records are dropped after $name");
    is(scalar(() = records($of)), 4,
       "$name is answered to one request with all records");
    $t->comes_true(sub { counted('records', 'rejected') == $rejected + 4 },
                   "$name is counted with its records");
    is(counted('requests', 'refused'), $refused + 1,
       "$name is counted as a refused request");
    log_like($t, $log, "$name is told by the log");
}

# Answers of 200, whatever is in them.

sub takes {
    my ($body, $rejected, $name, $log) = @_;

    my @before = map { counted('records', $_) } qw(accepted rejected);
    $collector->set(logs => '/hex/200/' . unpack 'H*', $body);
    judged($judge);
    $t->comes_true(sub { counted('records', 'accepted')
                         == $before[0] + 4 - $rejected
                         && counted('records', 'rejected')
                            == $before[1] + $rejected },
                   "$rejected records are rejected by $name");
    settled("nothing is sent again after $name");
    log_like($t, $log, "$name is told by the log") if $log;
}

subtest 'collectors may misbehave' => sub {
    misbehaves('/status/429',   '429');
    misbehaves('/status/502',   '502');
    misbehaves('/status/503',   '503');
    misbehaves('/status/504',   '504');
    misbehaves('/nothing',      'an end without an answer');
    misbehaves('/reset',        'a reset');
    misbehaves('/garbage',      'no HTTP');
    misbehaves('/cut',          'an answer that breaks off');
    misbehaves('/large-head',   'a head that is too large');
    misbehaves('/hang',         'no answer in time');

    my $accepted = counted('records', 'accepted');

    refuses('/hex/400/7b226d657373616765223a226e6f0a09227d', '400',
            qr/refused records, which are .* 400: \{"message":"no\?\?"/);
    refuses('/status/401', '401', qr/with status 401/);
    refuses('/status/404', '404', qr/with status 404/);
    refuses('/status/413', '413', qr/with status 413/);
    refuses('/status/500', '500', qr/with status 500/);
    refuses('/redirect',   '302', qr/with status 302/);
    is(counted('records', 'accepted'), $accepted,
       'no record that was refused counts as accepted');

    takes('{"partialSuccess":{"rejectedLogRecords":"3",'
          . '"errorMessage":"too old"}}', 3, 'a number in a string',
          qr/did not take all records.*: too old/);
    takes('{"partialSuccess":{"rejectedLogRecords":2}}', 2, 'a number');
    takes('{"partialSuccess":{"errorMessage":"use gRPC"}}', 0, 'a warning',
          qr/took all records and warns.*: use gRPC/);
    takes('{"partialSuccess":{"rejectedLogRecords":"99999999999"}}', 4,
          'more than were sent');
    takes('{"partialSuccess":{"rejectedLogRecords":-5}}', 0, 'less than none');
    takes('{"partialSuccess":{"rejectedLogRecords":[]}}', 0, 'no number');
    takes('{"partialSuccess":7}', 0, 'no object');
    takes('[]', 0, 'an array');
    takes('', 0, 'no body');
    takes("\x0a\x02\x08\x01", 0, 'Protobuf');
    $collector->set(logs => '/large');
    judged($judge);
    settled('an answer that is too large is one');
    $collector->set(logs => '/accel');
    judged($judge);
    settled('X-Accel-Redirect of a collector leads nowhere');

    # Retry-After is honoured: the next request comes after it.

    $collector->clear;
    $collector->set(logs => '/retry/503/2');
    my $later = judged($judge);
    $t->comes_true(sub { $collector->requests >= 1 },
                   'records are refused by 503 with Retry-After');
    $collector->set(logs => '/hex/200/7b7d');
    settled('the records are sent again after Retry-After');
    my @times = map { $_->{at} } $collector->requests;
    cmp_ok($times[1] - $times[0], '>=', 1.9,
           'the next request comes after as long as Retry-After said');
};

subtest 'what waits is sent after all, or dropped' => sub {
    $collector->set(logs => '/status/503');
    my $old = judged($judge);
    $t->comes_true(sub { $t->sql1('select count(*) from exports') },
                   'a record that was refused waits in the store');
    $t->alter("update exports set noted_at = 1, queue_at = 1");
    $t->comes_true(sub { counted('dropped') == 1 },
                   'what has waited for a day is dropped and counted');
    settled('what was dropped does not wait any more');

    my $kept = judged($judge);
    $t->evaluated($kept);
    $t->crash;
    $collector->clear;
    $collector->set(logs => '/hex/200/7b7d');
    $t->start;
    $t->comes_true(sub { $t->alter('update exports set queue_at = 1');
                         records($kept) >= 4 },
                   'what ended before all processes were killed is exported');
    settled('what was exported after the crash is forgotten');

    my $gone = $t->new_content('A text that is deleted soon.');
    $collector->set(logs => '/status/503');
    $t->evaluated($t->new_evaluation($judge, $gone));
    status_is($t->delete("/content/$gone"), 204, 'a content is deleted');
    $collector->set(logs => '/hex/200/7b7d');
    settled('of what was deleted nothing is exported');
    is_deeply(\@wrong, [], 'every body is what the messages of OTLP say');
};

done_testing;
