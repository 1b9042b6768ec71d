# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The interface document, sentence by sentence and in its order: each
# assertion names what the document says, and asks the running service.  Every
# answer is held against docs/openapi.yaml besides, as in all tests.

use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();

use Judge::Test;
use Judge::Receiver;

my $receiver = Judge::Receiver->start;
my $json     = JSON::PP->new->utf8->canonical->allow_nonref;
my $true     = JSON::PP::true;

my $t = Judge::Test->new(orgs => 2, server => <<"CONF");
location /judge-webhooks {
    judge_outbound allow=127.0.0.0/8;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF

my (@said, $r);

# The document says this, and it holds.
sub holds {
    my ($sentence, $holds, @because) = @_;

    push @said, $sentence;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    ok($holds, $sentence) or diag(map { ref ? $json->encode($_) : $_ }
                                  grep { defined } @because);
}

sub has_type {
    my ($v, $type) = @_;

    return 0 if !defined $v;
    return ref $v eq 'ARRAY' if $type eq 'array';
    return ref $v eq 'HASH' if $type eq 'object';
    return JSON::PP::is_bool($v) if $type eq 'boolean';
    return !ref $v && $v =~ /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
        if $type eq 'datetime';
    return !ref $v && $json->encode($v) =~ /^"/ if $type eq 'string';
    return !ref $v && $json->encode($v) =~ /^-?\d+$/ if $type eq 'integer';
    return !ref $v && $json->encode($v) =~ /^-?\d+(?:\.\d+)?(?:[eE]\S+)?$/;
}

# Rows of a table of fields: "name type", each a sentence.
sub fields {
    my ($object, @rows) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    for my $row (@rows) {
        my ($name, $type) = split ' ', $row;
        holds("| $name | $type |", has_type($object->{$name}, $type),
              $object);
    }
}

sub body { $_[0]->json // {} }

sub ended {
    my ($path) = @_;
    my $e;

    $t->wait_until(sub {
        $e = body($t->get($path));
        return ($e->{status} // '') =~ /^(?:completed|failed|cancelled)$/;
    }, $path);

    return $e;
}

sub path_of { return $_[0] =~ s{^http://localhost}{}r }

status_is($t->put('/config/webhooks', json => {
    url => $receiver->url('/ok'), enabled => $true,
    events => [qw(evaluation.completed evaluation.failed batch.started
                  batch.completed judge.ready training.completed)] }), 200,
    'webhooks are configured');

my %essays = $t->essays;
my @texts  = map { $essays{$_} } sort keys %essays;


# --- What the service does ------------------------------------------------

my $judge    = $t->new_judge;
my $record   = body($t->get("/api-key/judges/$judge"));
my @criteria = map { $_->{criterion_id} } @{ $record->{criteria} };

holds('A judge is a named set of evaluation criteria for one content type'
      . ' (text, video, audio or image).',
      !grep({ $t->post('/api-key/judges', json => { name => 'J',
              description => 'D', content_type => $_, criteria => [
                  { name => 'Grammar', description => 'It is correct.' } ] })
              ->status != 201 } qw(text video audio image)));

my $old = $t->new_judge;
status_is($t->put("/judges/$old", json => { name => 'Renamed' }), 200,
          'a judge is updated');
my $versions = body($t->get("/judges/$old/versions"));
holds('Judges are created, read, updated and listed by version.',
      @{ $versions->{versions} } == 2, $versions);

my $content = $t->new_content($texts[0]);
my $gone    = $t->new_content('This one is to be deleted soon.');
holds('Content items are read and deleted.',
      $t->get("/content/$gone")->status == 200
      && $t->delete("/content/$gone")->status == 204);

my $reference = body($r = $t->post('/v1/judges/reference_content',
                                   json => { file_extension => 'txt' }));
holds('Reference content for a judge is uploaded through a pre-signed upload'
      . ' address.', $t->put(path_of($reference->{upload_url}), key => undef,
          body => 'A model text.', headers => [
              'Content-Type' => 'text/plain' ])->status == 200, $reference);

my $created = body($r = $t->post('/evaluations/single', json => {
    judge_id => $judge, content_id => $content }));
my $evaluation = ended("/evaluations/$created->{evaluation_id}");
holds('A content item is scored against a judge, singly or in a batch.',
      $evaluation->{status} eq 'completed', $evaluation);
holds('Results hold an overall score, per-criterion scores, a summary,'
      . ' strengths, weaknesses and suggestions.',
      !grep({ !exists $evaluation->{$_} } qw(overall_score criteria_scores
             summary strengths weaknesses suggestions)), $evaluation);

my %feedback = (
    correction => { corrected_scores => { $criteria[0] => 40 },
                    corrected_overall_score => 45, explanation => 'Low.' },
    rating     => { rating => 4, comment => 'Near.' },
    approval   => { approved => $true, comment => 'Yes.' },
    comment    => { comment => 'A word.' },
);
holds('Corrections, ratings, approvals and comments are submitted on'
      . ' evaluations, singly per evaluation or in bulk for a batch, and are'
      . ' read back per evaluation.',
      !grep({ $t->post("/feedback/evaluation/$evaluation->{evaluation_id}",
              json => { type => $_, content => $feedback{$_} })->status != 201
            } sort keys %feedback));

my $batch = body($r = $t->post('/batches/evaluate', json => {
    name => 'B', description => 'D', judge_ids => [ $judge ],
    content_items => [ map { { name => "T$_", metadata => { i => $_ },
                               text_content => $texts[$_ % @texts] . " $_." }
                           } 0 .. 29 ] }));
my $batch_created = $batch;
$batch = ended("/batches/$batch->{batch_id}");
my @results = $t->batch_results($batch->{id});
my $session = body($t->post("/batches/$batch->{id}/feedback", json => {
    feedback_entries => [ (map { {
        evaluation_id => $_->{evaluation_id}, type => 'correction',
        severity => 'low', criterion_specific => $true,
        target_criteria => [ $criteria[0] ],
        content => { corrected_scores => { map {
            $_->{criterion_id} => int $_->{score} / 2 + 10
        } @{ $_->{criteria_scores} } } } } } @results),
        { evaluation_id => 'evl_unknown', type => 'rating',
          content => { rating => 3 } } ],
    feedback_options => { auto_trigger_retraining => JSON::PP::false,
        notification_preferences => { email => JSON::PP::false } } }));
holds('Training jobs use accumulated feedback to improve a judge.',
      $t->wait_until(sub {
          $r = $t->post('/training/jobs', json => { judge_id => $judge,
              training_type => 'incremental', training_config => {
                  minimum_feedback_count => 25, validation_split => 0.2,
                  max_epochs => 20, early_stopping => $true },
              execution_options => { priority => 'high',
                  auto_deploy => JSON::PP::false,
                  backup_current_version => $true,
                  notification_email => 'ops@example.com',
                  webhook_url => $receiver->url('/job') } });
          return $r->status == 201
                 && body($r)->{feedback_data_summary}{correction_count} >= 30;
      }, 'a job with thirty corrections'), body($r));
my $job = body($r);
my $executed = body($r = $t->post("/training-jobs/$job->{job_id}/execute",
    json => { execution_override => { priority => 'normal',
              resource_allocation => 'minimal', max_duration_minutes => 30 },
              confirmation => { acknowledge_cost => $true,
                                backup_confirmation => $true } }));
holds('A created job is later started by an execute operation.',
      $r->status == 200, $executed);

my $parsed = body($r = $t->post('/llm/parse-criteria', json => {
    description => 'Essays should have correct grammar and a clear structure.',
    content_type => 'text', parsing_options => { max_criteria_count => 3,
        include_weights => $true, include_thresholds => $true } }));
holds('Natural-language criteria are parsed into structured criteria.',
      @{ $parsed->{parsed_criteria} // [] } > 0, $parsed);
my $columns = body($r = $t->post('/llm/detect-csv-columns', json => {
    csv_sample => "Heading,Body,Tag\nOn whales,Whales sing long songs under"
        . " water at night.,sea\nOn wolves,Wolves howl in the hills.,land\n",
    expected_fields => [qw(title content category)],
    detection_options => { confidence_threshold => 0.5,
                           suggest_transformations => $true } }));
holds('CSV columns are detected for bulk import.',
      @{ $columns->{detected_columns} // [] } == 3, $columns);
my $llm = body($r = $t->put('/config/llm', json => { max_tokens => 900,
    temperature => 0.3, rate_limits => { requests_per_minute => 60,
    tokens_per_minute => 90_000 } }));
holds("The organization's language-model settings are updated.",
      $r->status == 200, $llm);
my $keys = body($r = $t->get('/api-keys'));
holds('API key listing for the organization.', @{ $keys->{api_keys} } >= 1);
holds('Asynchronous notification by webhook, and a callback that carries video'
      . ' evaluation results.', $t->wait_until(sub {
          scalar $receiver->requests('/ok') }, 'a webhook'));
holds('Requests and responses are JSON, except the direct file upload to the'
      . ' pre-signed address.',
      $t->get("/judges/$judge")->header('Content-Type')
          =~ m{^application/json});


# --- Resources and their fields -------------------------------------------

holds('Timestamps are datetimes (ISO 8601).',
      has_type($record->{created_at}, 'datetime'), $record);
holds('Identifiers are strings.', has_type($record->{judge_id}, 'string'));

fields($record, 'judge_id string', 'name string', 'description string',
       'content_type string', 'status string', 'criteria array',
       'created_at datetime', 'version_number integer');
$r = $t->put("/judges/$old", json => { description => 'Another.' });
holds('Returned as `id` by the update operation',
      body($r)->{id} eq $old, body($r));
holds('In an evaluation result: `criterion_id` string, `name` string, `score`'
      . ' number, `feedback` string.', !grep({
          my $score = $_;
          grep({ !has_type($score->{ $_->[0] }, $_->[1]) }
               [qw(criterion_id string)], [qw(name string)],
               [qw(score number)], [qw(feedback string)])
      } @{ $evaluation->{criteria_scores} }), $evaluation);
fields($versions->{versions}[0], 'version_number integer', 'is_active boolean',
       'created_at datetime', 'changes_summary string',
       'criteria_count integer');

my $item = body($t->get("/content/$content"));
holds("| $_->[0] | $_->[1] | required", has_type($item->{ $_->[0] }, $_->[1]),
      $item)
    for [qw(id string)], [qw(name string)], [qw(file_type string)],
        [qw(size integer)], [qw(status string)], [qw(created_at datetime)];
holds('optional; for text type', $item->{text_content} eq $texts[0]);
holds('Inline content in a batch request carries `text_content` (string),'
      . ' `name` (string) and `metadata` (object), in place of `content_id`.',
      $batch_created->{total_evaluations} == 30, $batch_created);

fields($evaluation, 'evaluation_id string', 'content_id string',
       'judge_id string', 'status string', 'overall_score number',
       'criteria_scores array', 'summary string', 'strengths array',
       'weaknesses array', 'suggestions array', 'evaluated_at datetime',
       'evaluation_duration_sec number');
holds('only on retrieval of one evaluation',
      !exists $created->{evaluation_duration_sec}, $created);
holds('The evaluation is processed asynchronously.',
      $created->{status} =~ /^(?:processing|completed)$/, $created);

fields($batch, 'id string', 'name string', 'description string',
       'status string', 'judge_ids array', 'content_ids array',
       'total_evaluations integer', 'completed_evaluations integer',
       'failed_evaluations integer', 'progress_percentage number',
       'results_summary object', 'created_at datetime',
       'completed_at datetime');
holds('average_score number, score_distribution object',
      has_type($batch->{results_summary}{average_score}, 'number')
      && has_type($batch->{results_summary}{score_distribution}, 'object'),
      $batch);

my $of = body($t->get("/feedback/evaluation/$evaluation->{evaluation_id}"));
my ($entry) = grep { $_->{type} eq 'correction' } @{ $of->{feedback_entries} };
holds('As retrieved, each entry has: feedback_id, type, content'
      . ' (corrected_scores, rating, comment, approved, explanation),'
      . ' criterion_specific, target_criteria, submitted_by (string),'
      . ' submitted_at (datetime), processed (boolean), processing_notes'
      . ' (string).',
      has_type($entry->{feedback_id}, 'string')
      && $entry->{content}{corrected_scores}{ $criteria[0] } == 40
      && $entry->{content}{explanation} eq 'Low.'
      && has_type($entry->{criterion_specific}, 'boolean')
      && has_type($entry->{target_criteria}, 'array')
      && has_type($entry->{submitted_by}, 'string')
      && has_type($entry->{submitted_at}, 'datetime')
      && has_type($entry->{processed}, 'boolean')
      && has_type($entry->{processing_notes}, 'string'), $entry);
holds('Retrieval wrapper: evaluation_id; total_feedback_count (integer);'
      . ' feedback_summary (average_rating number, correction_count,'
      . ' approval_count, rejection_count, comment_count: integers);'
      . ' feedback_entries; evaluation_context (judge_id string, judge_version'
      . ' integer, original_scores object, evaluation_date datetime).',
      $of->{total_feedback_count} == 4
      && has_type($of->{feedback_summary}{average_rating}, 'number')
      && !grep({ !has_type($of->{feedback_summary}{"${_}_count"}, 'integer') }
               qw(correction approval rejection comment))
      && has_type($of->{evaluation_context}{judge_version}, 'integer')
      && has_type($of->{evaluation_context}{original_scores}, 'object')
      && has_type($of->{evaluation_context}{evaluation_date}, 'datetime'),
      $of);
holds('Feedback batch result, per entry in validation_results: evaluation_id,'
      . ' status, message, feedback_id (all strings).',
      !grep({ my $v = $_; grep { !has_type($v->{$_}, 'string') }
              qw(evaluation_id status message) }
            @{ $session->{validation_results} })
      && @{ $session->{validation_results} } == 31, $session);

fields($job, 'job_id string', 'judge_id string', 'training_type string',
       'status string', 'feedback_data_summary object',
       'estimated_duration integer');
holds('total_feedback_count, correction_count, rating_count (integers);'
      . ' date_range: earliest, latest (datetimes)',
      has_type($job->{feedback_data_summary}{total_feedback_count}, 'integer')
      && has_type($job->{feedback_data_summary}{rating_count}, 'integer')
      && has_type($job->{feedback_data_summary}{date_range}{latest},
                  'datetime'), $job);

my $trained = ended("/training/jobs/$job->{job_id}");
holds('current_epoch, total_epochs (integers); epoch_progress,'
      . ' overall_progress, estimated_time_remaining (numbers); phase'
      . ' (string)',
      !grep({ !has_type($trained->{progress}{ $_->[0] }, $_->[1]) }
            [qw(current_epoch integer)], [qw(total_epochs integer)],
            [qw(epoch_progress number)], [qw(overall_progress number)],
            [qw(phase string)]), $trained->{progress});
holds('training_loss (array), validation_loss (array), accuracy_improvement'
      . ' (number), f1_score (number), criteria_improvements (object),'
      . ' convergence_info (converged boolean, early_stopped boolean,'
      . ' patience_remaining integer)',
      has_type($trained->{metrics}{training_loss}, 'array')
      && has_type($trained->{metrics}{validation_loss}, 'array')
      && has_type($trained->{metrics}{accuracy_improvement}, 'number')
      && has_type($trained->{metrics}{f1_score}, 'number')
      && has_type($trained->{metrics}{criteria_improvements}, 'object')
      && has_type($trained->{metrics}{convergence_info}{converged}, 'boolean')
      && has_type($trained->{metrics}{convergence_info}{early_stopped},
                  'boolean'), $trained->{metrics});
holds('new_model_version (string); performance_comparison (accuracy_delta,'
      . ' consistency_delta, speed_delta numbers); validation_results'
      . ' (test_accuracy, test_f1_score numbers; criteria_scores object);'
      . ' deployment_ready (boolean)',
      $trained->{status} ne 'completed'
      || has_type($trained->{results}{deployment_ready}, 'boolean')
      && has_type($trained->{results}{performance_comparison}
                      {accuracy_delta}, 'number')
      && has_type($trained->{results}{validation_results}{criteria_scores},
                  'object'), $trained->{results});
fields($trained, 'training_config object', 'created_at datetime',
       'started_at datetime', 'completed_at datetime', 'created_by string');
holds('On GET, `metrics` is present per include_metrics, `results` only when'
      . ' the job is completed, `error_info` only when the job failed.',
      !exists body($t->get("/training/jobs/$job->{job_id}"
                           . '?include_metrics=false'))->{metrics}
      && exists $trained->{results} == ($trained->{status} eq 'completed')
      && exists $trained->{error_info} == ($trained->{status} eq 'failed'),
      $trained);

my ($key) = @{ $keys->{api_keys} };
holds('api_key_id, name, status (active, suspended, expired), permissions'
      . ' (array), usage_stats (requests_this_month integer,'
      . ' evaluations_this_month integer, last_used datetime), created_at,'
      . ' expires_at.',
      has_type($key->{api_key_id}, 'string') && $key->{status} eq 'active'
      && has_type($key->{permissions}, 'array')
      && has_type($key->{usage_stats}{requests_this_month}, 'integer')
      && has_type($key->{usage_stats}{evaluations_this_month}, 'integer')
      && has_type($key->{created_at}, 'datetime'), $key);
holds('upload_url (string, pre-signed address); reference_content_uri (string,'
      . ' storage URI of the form `<scheme>://<bucket>/<path>`).',
      $reference->{upload_url} =~ m{^http://localhost/uploads/}
      && $reference->{reference_content_uri} =~ m{^\w+://[^/]+/.+},
      $reference);


# --- States and transitions -----------------------------------------------

holds('| Judge | ready, learning, training |',
      $record->{status} =~ /^(?:ready|learning|training)$/);
holds('| Content | uploaded, processing, ready, error |',
      $item->{status} eq 'ready');
holds('| Feedback processing_status | submitted, processing, processed, failed'
      . ' |', $session->{processing_status}
          =~ /^(?:submitted|processing|processed|failed)$/, $session);
holds('POST batches/evaluate with auto_start true (default) yields a batch in'
      . ' `evaluating`; the creation response status is created or'
      . ' evaluating.', $batch_created->{status} eq 'evaluating');
my $waiting = body($t->post('/batches/evaluate', json => { name => 'W',
    judge_ids => [ $judge ], auto_start => JSON::PP::false,
    content_items => [ { content_id => $content } ] }));
holds('auto_start (boolean, default true)', $waiting->{status} eq 'created',
      $waiting);
holds('The execute operation for a training job returns a status among queued,'
      . ' preparing, training.',
      $executed->{status} =~ /^(?:queued|preparing|training)$/, $executed);
holds('Deleting a batch cancels its active evaluations.',
      $t->delete("/batches/$waiting->{batch_id}")->status == 204
      && $t->get("/batches/$waiting->{batch_id}")->status == 404);
my $doomed = $t->new_content($texts[1]);
my $by     = body($t->post('/evaluations/single', json => {
    judge_id => $judge, content_id => $doomed }))->{evaluation_id};
holds('Deleting content cancels active evaluations that use it.',
      $t->delete("/content/$doomed")->status == 204
      && $t->get("/evaluations/$by")->status == 404);
holds('Updating a judge creates a new version and preserves the original.',
      @{ body($t->get("/judges/$old/versions"))->{versions} } == 3);


# --- Endpoints ------------------------------------------------------------

$r = $t->post('/api-key/judges', json => { name => 'J', description => 'D',
    content_type => 'text', criteria => [ { name => 'Grammar',
    description => 'It is correct.' } ] });
holds('judge_id, name, status, created_at (all required)',
      !grep({ !defined body($r)->{$_} } qw(judge_id name status created_at)),
      body($r));
$r = $t->put("/judges/$old", json => { criteria => [ { name => 'Spelling',
    description => 'It is correct.' } ] });
holds('id, updated_at, message (all required)',
      !grep({ !defined body($r)->{$_} } qw(id updated_at message)), body($r));
$versions = body($t->get("/judges/$old/versions"));
holds('versions (array of judge version entries), current_version (integer)',
      has_type($versions->{current_version}, 'integer'), $versions);
holds('file_extension (string, 1 to 10 characters, required; a file extension'
      . ' without a dot)',
      !grep({ $t->post('/v1/judges/reference_content', json => {
                  file_extension => $_ })->status != 400 }
            '', '.txt', 'x' x 11));
my $model = $t->new_judge(reference_content => [
    $reference->{reference_content_uri} ]);
holds('The reference_content_uri is used when creating a judge.',
      $t->wait_until(sub {
          body($t->get("/judges/$model"))->{status} eq 'ready'
      }, 'the reference is read'));
holds('204 No Content; deletes the content and its evaluation history; cancels'
      . ' active evaluations; irreversible',
      $t->get("/content/$doomed")->status == 404);

holds('priority (string, default normal: low, normal, high)',
      !grep({ $t->post('/evaluations/single', json => { judge_id => $judge,
                  content_id => $content, priority => $_->[0] })->status
              != $_->[1] }
            [ low => 201 ], [ normal => 201 ], [ high => 201 ],
            [ urgent => 400 ]));
holds('Optional query feedback_type (correction, rating, comment, approval)',
      @{ body($t->get("/feedback/evaluation/$evaluation->{evaluation_id}"
                      . '?feedback_type=rating'))->{feedback_entries} } == 1);
holds('batch_id, name, status, total_evaluations, estimated_completion_time'
      . ' (optional), created_at',
      !grep({ !defined $batch_created->{$_} } qw(batch_id name status
             total_evaluations created_at)), $batch_created);
holds('batch_id, feedback_session_id, submitted_count (entries accepted),'
      . ' failed_count (entries that failed validation)',
      $session->{submitted_count} == 30 && $session->{failed_count} == 1
      && has_type($session->{feedback_session_id}, 'string'), $session);
holds('impact_analysis (object, optional: significant_corrections integer,'
      . ' approval_rate number, average_rating number, retraining_recommended'
      . ' boolean)',
      has_type($session->{impact_analysis}{significant_corrections},
               'integer')
      && has_type($session->{impact_analysis}{retraining_recommended},
                  'boolean'), $session);
holds('training_type (string, required: incremental, full_retrain, fine_tune,'
      . ' validation; validation performs no model update)',
      !grep({ $t->post('/training/jobs', json => { judge_id => $judge,
                  training_type => $_->[0], training_config => {} })->status
              != $_->[1] }
            [ incremental => 201 ], [ full_retrain => 201 ],
            [ fine_tune => 201 ], [ validation => 201 ], [ other => 400 ]));
holds('metrics_limit (integer, default 100, maximum data points returned)',
      @{ body($t->get("/training/jobs/$job->{job_id}?metrics_limit=1"))
          ->{metrics}{training_loss} } <= 1);
holds('include_logs (boolean, default false, for debugging)',
      !exists $trained->{logs}
      && exists body($t->get("/training/jobs/$job->{job_id}"
                             . '?include_logs=true'))->{logs});
holds('job_id, execution_id, status (queued, preparing, training),'
      . ' estimated_duration (integer)',
      has_type($executed->{execution_id}, 'string')
      && has_type($executed->{estimated_duration}, 'integer'), $executed);
holds('resource_allocation (compute_tier string, gpu_count integer, memory_gb'
      . ' number, estimated_cost number)',
      !grep({ !has_type($executed->{resource_allocation}{ $_->[0] }, $_->[1])
            } [qw(compute_tier string)], [qw(gpu_count integer)],
              [qw(memory_gb number)], [qw(estimated_cost number)]),
      $executed);
holds('execution_timeline (queue_position integer, estimated_start_time,'
      . ' estimated_completion_time datetimes, milestone_schedule array)',
      !grep({ !has_type($executed->{execution_timeline}{ $_->[0] }, $_->[1]) }
            [qw(queue_position integer)], [qw(estimated_start_time datetime)],
            [qw(estimated_completion_time datetime)],
            [qw(milestone_schedule array)]), $executed);
holds('monitoring_info (progress_url string, webhook_configured boolean,'
      . ' log_retention_days integer), executed_at, executed_by',
      has_type($executed->{monitoring_info}{progress_url}, 'string')
      && $executed->{monitoring_info}{webhook_configured}
      && has_type($executed->{monitoring_info}{log_retention_days}, 'integer')
      && has_type($executed->{executed_at}, 'datetime')
      && has_type($executed->{executed_by}, 'string'), $executed);

holds('parsed_criteria (required array; items name, description,'
      . ' suggested_weight number, suggested_thresholds with excellent, good,'
      . ' fair, poor numbers, examples array)',
      !grep({ !has_type($_->{name}, 'string')
              || !has_type($_->{description}, 'string')
              || !has_type($_->{suggested_weight}, 'number')
              || !has_type($_->{suggested_thresholds}{poor}, 'number')
              || !has_type($_->{examples}, 'array') }
            @{ $parsed->{parsed_criteria} }), $parsed);
holds('parsing_confidence (required, number 0.0 to 1.0)',
      $parsed->{parsing_confidence} >= 0
      && $parsed->{parsing_confidence} <= 1, $parsed);
holds('tokens_used (required integer, language-model tokens consumed)',
      has_type($parsed->{tokens_used}, 'integer'), $parsed);
holds('detected_columns (required array; items csv_column_name string,'
      . ' csv_column_index integer, mapped_field string, confidence number,'
      . ' sample_values array, data_type string, suggested_transformations'
      . ' array)',
      !grep({ !has_type($_->{csv_column_name}, 'string')
              || !has_type($_->{csv_column_index}, 'integer')
              || !has_type($_->{confidence}, 'number')
              || !has_type($_->{sample_values}, 'array')
              || !has_type($_->{data_type}, 'string') }
            @{ $columns->{detected_columns} }), $columns);
holds('data_quality_insights (required: estimated_rows integer,'
      . ' potential_issues array, recommendations array)',
      has_type($columns->{data_quality_insights}{estimated_rows}, 'integer')
      && has_type($columns->{data_quality_insights}{potential_issues},
                  'array'), $columns);
holds('import_preview (required: sample_records array, estimated_success_rate'
      . ' number)',
      has_type($columns->{import_preview}{sample_records}, 'array')
      && has_type($columns->{import_preview}{estimated_success_rate},
                  'number'), $columns);
holds('A success flag, the updated configuration object and an update'
      . ' timestamp', $llm->{success}
      && has_type($llm->{updated_at}, 'datetime'), $llm);
holds('status (string: active, suspended, expired), limit (integer, default'
      . ' 25)', @{ body($t->get('/api-keys?status=suspended'))->{api_keys} }
      == 0 && $t->get('/api-keys?status=odd')->status == 400);

holds('| GET | /v1/judges | List all judges of the organization |',
      @{ body($t->get('/v1/judges'))->{judges} } > 3
      && !@{ body($t->get('/v1/judges', org => 1))->{judges} });
holds('| GET | /v1/judges/{judge_id} | Get one judge |',
      body($t->get("/v1/judges/$judge"))->{judge_id} eq $judge);
holds('| POST | /v1/judges | Create a judge with evaluation criteria |',
      $t->post('/v1/judges', json => { name => 'J', description => 'D',
          content_type => 'text', criteria => [ { name => 'Grammar',
          description => 'It is correct.' } ] })->status == 201);
my $video = $t->new_judge(content_type => 'video');
my $promise = body($r = $t->post('/v1/evaluations/presigned-upload', json => {
    name => 'U', file_type => 'text', file_extension => 'txt',
    judge_id => $judge }));
holds('Request a pre-signed upload address for content to evaluate',
      $r->status == 201 && has_type($promise->{upload_url}, 'string'),
      $promise);
holds('Get evaluation results by job identifier',
      $t->get("/v1/evaluations/results/$promise->{job_id}")->status == 200);
my $social = body($r = $t->post('/v1/evaluations/social-media', json => {
    judge_id => $video, urls => ['https://vimeo.com/76979871'] }));
holds('Submit social media video URLs for evaluation',
      has_type($social->{job_id}, 'string'), $social);

my $reported = $social->{items}[0];
my @video    = @{ body($t->get("/judges/$video"))->{criteria} };
my $callback = $json->encode({
    evaluation_id => $reported->{evaluation_id},
    content_id    => $reported->{content_id}, status => 'completed',
    results => { overall_score => 41, criteria_scores => [ map { {
            criterion_id => $_->{criterion_id}, name => $_->{name},
            score => 50, feedback => 'Half.' } } @video ],
        processing_metadata => { duration => 1.5, processing_time => 2.5,
            resolution => { width => 640, height => 480 } } },
    callback_metadata => { timestamp => '2026-01-31T23:59:59Z',
        source_service => 'video', retry_count => 0 } });

sub report {
    my ($signature) = @_;
    return $t->post('/api/video-evaluations/callback', key => undef,
        body => $callback, headers => [ 'Content-Type' => 'application/json',
            'X-Webhook-Signature' => $signature ])->status;
}

my $signature = hmac_sha256_hex($callback, $t->org->{secret});
holds('POST `/api/video-evaluations/callback`, content type JSON, header'
      . ' X-Webhook-Signature (form `sha256=<hex digest>`).',
      report('sha256=' . '0' x 64) == 401
      && report('sha256=' . uc $signature) == 200);
my $video_result = body($t->get("/evaluations/$reported->{evaluation_id}"));
holds('reports the result of a video evaluation',
      $video_result->{overall_score} == 41
      && $video_result->{criteria_scores}[0]{score} == 50
      && $video_result->{provenance}{overall} eq 'reported', $video_result);


# --- Authentication -------------------------------------------------------

subtest 'keys and signatures are as they should be' => sub {
    holds('the header `X-API-Key` carries the organization API key',
          $t->get('/v1/judges')->status == 200);
    holds('all other endpoints in the Endpoints part are called with the'
          . ' header `Authorization: Bearer <API_KEY>`.',
          $t->get("/content/$content", bearer => 1)->status == 200);
    holds('Missing or invalid key on reference_content yields 401; an'
          . ' organization without permission to upload reference content'
          . ' yields 403.',
          $t->post('/v1/judges/reference_content', key => undef,
                   json => { file_extension => 'txt' })->status == 401
          && $t->post('/v1/judges/reference_content',
                      key => scalar $t->new_key(permissions => 'judges:read'),
                      json => { file_extension => 'txt' })->status == 403);
    my ($hook) = $receiver->requests('/ok');
    my %head   = %{ $hook->{headers} // {} };
    holds('Webhook requests carry the header `X-Webhook-Signature`, computed'
          . " with HMAC-SHA256 and the organization's webhook secret"
          . ' (<WEBHOOK_SECRET>).',
          ($head{'x-webhook-signature'} // '') eq 'sha256='
              . hmac_sha256_hex($hook->{body}, $t->org->{secret}), $hook);
    my $upload = $t->put(path_of($promise->{upload_url}), key => undef,
        body => $texts[0] =~ s/[^ -~]//gr,
        headers => [ %{ $promise->{headers} } ]);
    holds('The pre-signed upload address is used without further credentials'
          . ' for the file PUT.', $upload->status == 200, $upload->body);
    holds('Key listing exposes status, permissions, usage statistics and'
          . ' expiry per key.', exists $key->{usage_stats});
};


# --- Events ---------------------------------------------------------------

holds('They report: - evaluation completion - processing errors - status'
      . ' changes', $t->wait_until(sub {
          grep { ($_->{body} // '') =~ /"evaluation\.completed"/ }
          $receiver->requests('/ok')
      }, 'the event of a completed evaluation'));
holds('`execution_options.webhook_url` on training job creation',
      $t->wait_until(sub { scalar $receiver->requests('/job') },
                     'the event of the job'));


# --- Errors ---------------------------------------------------------------

subtest 'errors are told as they should be' => sub {
    $r = $t->get('/evaluations/evl_unknown');
    holds('Error body: a JSON object with one string field `detail` that'
          . ' describes what went wrong.',
          join(' ', keys %{ body($r) }) eq 'detail'
          && has_type(body($r)->{detail}, 'string'), body($r));
    holds('2xx success; 4xx client errors (invalid requests, authentication'
          . ' problems); 5xx server errors.', $r->status == 404);
    holds('| 400 | Invalid file extension or invalid request format |',
          $t->post('/v1/judges/reference_content', body => '{',
                   headers => [ 'Content-Type' => 'application/json' ])->status
          == 400);
    $r = $t->delete("/batches/$batch->{id}");
    holds('DELETE of a batch or content item returns 204 on success and no'
          . ' body.',
          $r->status == 204 && $r->body eq '');
    my $few = body($t->post('/training/jobs', json => { judge_id => $old,
        training_type => 'full_retrain', training_config => {
            minimum_feedback_count => 500 } }));
    $t->post("/training-jobs/$few->{job_id}/execute", json => {});
    my $failed = ended("/training/jobs/$few->{job_id}");
    holds('A failed training job carries `error_info` (error_code,'
          . ' error_message, failed_at_epoch, suggested_fixes).',
          $failed->{status} eq 'failed'
          && has_type($failed->{error_info}{error_code}, 'string')
          && has_type($failed->{error_info}{error_message}, 'string')
          && has_type($failed->{error_info}{failed_at_epoch}, 'integer')
          && has_type($failed->{error_info}{suggested_fixes}, 'array'),
          $failed);
    holds('Feedback for a batch reports entries that failed validation through'
          . ' failed_count and validation_results.',
          grep({ $_->{evaluation_id} eq 'evl_unknown' && $_->{message} ne '' }
               @{ $session->{validation_results} }), $session);
};


# --- Limits ---------------------------------------------------------------

subtest 'numbers have the bounds that they should' => sub {
    holds('| Pre-signed upload address validity | about 5 minutes (stated as'
          . ' typical) |', do {
              my ($expires) = $reference->{upload_url} =~ /expires=(\d+)/;
              $expires /= 1000 if $expires > 1e11;
              abs($expires - time() - 300) < 200
          }, $reference);
    holds('| overall_score | 0 to 100 |', $evaluation->{overall_score} >= 0
          && $evaluation->{overall_score} <= 100);
    holds('| progress_percentage | 0 to 100 |',
          $batch->{progress_percentage} == 100);
    holds('| limit default | 25 keys |', do {
        $t->post('/api-keys', json => { name => "K$_",
                                        permissions => ['judges:read'] })
            for 1 .. 26;
        @{ body($t->get('/api-keys'))->{api_keys} } == 25
    });
    holds('max_tokens per request; requests_per_minute; tokens_per_minute',
          grep({ ($_->{max_tokens} // 0) == 900 }
               grep { ref eq 'HASH' } values %$llm), $llm);
};


# --- Versioning -----------------------------------------------------------

subtest 'versions are recorded where they should be' => sub {
    holds('The versions endpoint lists all versions with `is_active`,'
          . ' `created_at`, `changes_summary` and `criteria_count`, and'
          . ' `current_version`.',
          1 == grep { $_->{is_active} } @{ $versions->{versions} });
    holds('The evaluation context of feedback records `judge_version`.',
          $of->{evaluation_context}{judge_version} == 1);
    holds('A training result records `new_model_version`.',
          $trained->{status} ne 'completed'
          || has_type($trained->{results}{new_model_version}, 'string'),
          $trained);
};


# --- The document ---------------------------------------------------------

SKIP: {
    my $path = Judge::Nginx->repo . '/../shared/spec/interface.md';
    open my $in, '<', $path
        or skip('the interface document is not at hand', 1);
    my $document = join ' ', split ' ', join '', <$in>;
    my @missing = grep { index($document, join ' ', split) < 0 } @said;

    is(join("\n", @missing), '',
       'each assertion names what the document says');
}

done_testing;
