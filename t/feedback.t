# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Feedback over real sockets: on evaluations and batches, processed in the
# background by any worker, seen by its organization only.

use Judge::Docs;
use Judge::Test;

my $t = Judge::Test->new(orgs => 2);
my $r;

my $judge   = $t->new_judge;
my $content = $t->new_content('The night buses run late. Nobody knows why.');
my $id      = $t->new_evaluation($judge, $content);
my $record  = $t->evaluated($id);

my @scores = @{ $record->{criteria_scores} };
my %given  = map { $_->{criterion_id} => $_->{score} } @scores;
my $first  = $scores[0]{criterion_id};

# Waits until all feedback on an evaluation is processed; its entries.

sub processed {
    my ($evaluation) = @_;
    my $entries;

    $t->wait_until(sub {
        $entries = $t->get("/feedback/evaluation/$evaluation")
                     ->json->{feedback_entries};
        return @$entries && !grep { !$_->{processed} } @$entries;
    }, "the feedback on $evaluation");

    return $entries;
}

# --- One entry ------------------------------------------------------------

is_deeply($t->get("/feedback/evaluation/$id")->json, {
    evaluation_id        => $id,
    total_feedback_count => 0,
    feedback_entries     => [],
    feedback_summary     => { correction_count => 0, approval_count => 0,
                              rejection_count => 0, comment_count => 0 },
    evaluation_context   => { judge_id => $judge, judge_version => 1,
                              original_scores => \%given,
                              original_overall_score =>
                                  $record->{overall_score},
                              evaluation_date => $record->{evaluated_at} },
}, 'an evaluation has no feedback at first');

for my $path ("/feedback/evaluation/$id", "/v1/feedback/evaluation/$id") {
    $r = $t->post($path, json => {
        type => 'correction',
        content => { corrected_scores => { $first => 77.5 },
                     explanation => "\x{fc}ber" },
        criterion_specific => JSON::PP::true, target_criteria => [ $first ],
        severity => 'high',
    });
    status_is($r, 201, "POST $path takes feedback");
    like($r->json->{feedback_id}, qr/^fbk_[0-9A-Z]{26}$/,
         "POST $path gives feedback_id");
}

my $last = $r->json->{feedback_id};
my ($entry) = @{ processed($id) };
time_is($entry->{submitted_at}, 'submitted_at is a time');
delete $entry->{submitted_at};
is_deeply($entry, {
    id                 => $last,
    feedback_id        => $last,
    type               => 'correction',
    content            => { corrected_scores => { $first => 77.5 },
                            explanation => "\x{fc}ber" },
    criterion_specific => JSON::PP::true,
    target_criteria    => [ $first ],
    severity           => 'high',
    submitted_by       => $t->org->{key_id},
    processed          => JSON::PP::true,
    processing_notes   => 'used as 1 training example of weight 2: the'
                          . ' corrected scores',
}, 'feedback is read as it was submitted, the newest first');
is($t->sql1("select count(*) from examples where criterion_id = '$first'"
            . " and kind = 'correction' and target = 77.5 and weight = 2"),
   2, 'each correction has become a training example');

error_is($t->post("/feedback/evaluation/$id", json => {
             type => 'correction',
             content => { corrected_scores => { crt_x => 5 } } }),
         400, "content.corrected_scores.crt_x: expected a criterion of the"
              . " evaluation's judge version",
         'a score of an unknown criterion is refused');
error_is($t->post("/feedback/evaluation/$id", json => {
             type => 'rating', content => { rating => 6 } }),
         400, 'content.rating: expected a number from 1 to 5',
         'a rating out of range is refused');
error_is($t->post("/feedback/evaluation/$id", json => { type => 'rating',
             content => { rating => 4, corrected_scores => { a => ['b'] } } }),
         400, 'content.corrected_scores.a: expected a number from 0 to 100',
         'scores that are none are refused beside a rating, too');
error_is($t->get("/feedback/evaluation/$id?feedback_type=praise"), 400,
         qr/^feedback_type: expected one of/,
         'an unknown type of feedback is refused');

my @same = map {
    $t->post("/feedback/evaluation/$id",
             headers => [ 'Idempotency-Key' => 'once' ],
             json => { type => 'rating', content => { rating => 4.5 } })
} 1 .. 2;
is($same[1]->json->{feedback_id}, $same[0]->json->{feedback_id},
   'a repeated request submits feedback once');
is($same[1]->header('Idempotency-Replayed'), 'true',
   'the answer to a repeated request says so');

subtest 'feedback is summed up, chosen by type and read in pages' => sub {
    my $said = $t->new_evaluation($judge, $content);
    $t->evaluated($said);
    my $path = "/feedback/evaluation/$said";
    my @made = map { $t->made($path, 'feedback_id', json => $_) }
        { type => 'comment', content => { comment => 'Why?' } },
        (map { { type => 'rating', content => { rating => $_ } } } 4.5, 2),
        (map { { type => 'approval', content => { approved => $_ } } }
             JSON::PP::true, JSON::PP::true, JSON::PP::false);

    my $all = $t->get($path)->json;
    is_deeply($all->{feedback_summary},
              { average_rating => 3.25, correction_count => 0,
                approval_count => 2, rejection_count => 1,
                comment_count => 1 },
              'the summary counts each type and has the mean rating');

    my $ratings = $t->get("$path?feedback_type=rating")->json;
    is_deeply([ map { $_->{content}{rating} }
                @{ $ratings->{feedback_entries} } ], [ 2, 4.5 ],
              'feedback is listed by type');
    is($ratings->{total_feedback_count}, 6,
       'the total is of all entries, whatever the type');

    my @pages = $t->pages("$path?limit=4", 'feedback_entries');
    is(join(' ', map { scalar @$_ } @pages), '4 2',
       'a page has no more entries than its limit');
    is(join(' ', map { $_->{feedback_id} } map { @$_ } @pages),
       join(' ', reverse @made),
       'the pages have each entry once, the newest first');
};

# --- People -----------------------------------------------------------------

my %says = (type => 'comment', content => { comment => 'Fine.' });
for my $person ('Ann Example', 'x' x 200, undef) {
    $r = $t->post("/feedback/evaluation/$id",
                  json => { %says, submitted_by_person => $person });
    status_is($r, 201, 'feedback is taken with a person, or without');
    is_deeply([ @{ $r->json }{qw(submitted_by_person submitted_by)} ],
              [ $person, $t->org->{key_id} ],
              'feedback names the person beside the key');
    is($t->get("/feedback/evaluation/$id?limit=1")
         ->json->{feedback_entries}[0]{submitted_by_person}, $person,
       'feedback that is read names the person');
}
for my $person ('', 'x' x 201, 7) {
    error_is($t->post("/feedback/evaluation/$id",
                      json => { %says, submitted_by_person => $person }), 400,
             qr/^submitted_by_person: expected a non-empty string of at most/,
             'a person has 1 to 200 characters');
}

# --- A batch --------------------------------------------------------------

my $batch = $t->new_batch($judge, [ map { "Text number $_ is short." }
                                    1 .. 3 ]);
$t->batch_completed($batch);
my @ids = map { $_->{evaluation_id} }
          @{ $t->get("/evaluations?batch_id=$batch")->json->{evaluations} };
is(scalar @ids, 3, 'the batch has an evaluation for each content');

$r = $t->post("/batches/$batch/feedback", json => {
    feedback_entries => [
        (map { { evaluation_id => $_, type => 'approval',
                 content => { approved => JSON::PP::true } } } @ids),
        { evaluation_id => $ids[0], type => 'rating',
          content => { rating => 0 } },
        { evaluation_id => $id, type => 'rating', content => { rating => 1 } },
    ],
    feedback_options => { auto_trigger_retraining => JSON::PP::true,
        notification_preferences => { email => JSON::PP::true } },
});
status_is($r, 201, 'feedback on a batch is taken');
is_deeply([ @{ $r->json }{qw(submitted_count failed_count
                             processing_status)} ], [ 3, 2, 'submitted' ],
          'feedback on a batch counts what is accepted and what is not');
like($r->json->{feedback_session_id}, qr/^fbs_/,
     'feedback on a batch is a session');
like($r->json->{notices}[0], qr/sends no e-mail/,
     'a notice says that no e-mail is sent');
is_deeply([ map { $_->{status} } @{ $r->json->{validation_results} } ],
          [ ('accepted') x 3, ('rejected') x 2 ],
          'validation_results has a status for each entry');
is_deeply([ map { ($_->{feedback_id} // '-') =~ s/^(...)_.*/$1/r }
            @{ $r->json->{validation_results} } ],
          [ ('fbk') x 3, ('-') x 2 ],
          'what is accepted has an identifier, what is rejected has none');
is($r->json->{validation_results}[3]{message},
   'content.rating: expected a number from 1 to 5',
   'what is rejected has the reason');
is_deeply($r->json->{impact_analysis},
          { significant_corrections => 0, approval_rate => 1,
            retraining_recommended => JSON::PP::false },
          'impact_analysis sums up what was accepted');
is_deeply($r->json->{training_jobs}, [],
          'no training job is named that would fail');
processed($_) for @ids;

my $session = $r->json->{feedback_session_id};
is($r->header('Location'), "http://localhost/feedback/sessions/$session",
   'the session is where the answer says that it is');
$r = $t->get("/feedback/sessions/$session");
is_deeply([ @{ $r->json }{ qw(id batch_id processing_status submitted_count
                              failed_count processed_count deleted_count
                              submitted_by) } ],
          [ $session, $batch, 'processed', 3, 2, 3, 0, $t->org->{key_id} ],
          'a session says what became of its entries');
is_deeply([ sort map { $_->{evaluation_id} }
            @{ $r->json->{feedback_entries} } ], [ sort @ids ],
          'a session shows the entries that were accepted');
is_deeply([ grep { !/^used as / } map { $_->{processing_notes} }
            @{ $r->json->{feedback_entries} } ], [],
          'a session says of each entry how it was used');
$r = $t->get("/feedback/sessions/$session?limit=2");
is(scalar @{ $r->json->{feedback_entries} }, 2, 'a session is read in pages');
$r = $t->get("/feedback/sessions/$session?limit=2&cursor="
             . $r->json->{next_cursor});
is(scalar @{ $r->json->{feedback_entries} }, 1,
   'the pages of a session have no entry twice');

$r = $t->post("/batches/$batch/feedback", json => { feedback_entries => [
    { evaluation_id => $id, type => 'rating', content => { rating => 1 } } ]});
$r = $t->get("/feedback/sessions/" . $r->json->{feedback_session_id});
is_deeply([ @{ $r->json }{ qw(processing_status submitted_count failed_count
                              feedback_entries) } ], [ 'failed', 0, 1, [] ],
          'a session of which nothing was accepted has failed');

error_is($t->get("/feedback/sessions/$session", org => 1), 404,
         'there is no such feedback session',
         'another organization does not see a session');
error_is($t->get('/feedback/sessions/fbs_nonsense'), 404,
         'there is no such feedback session',
         'a malformed identifier is no session');
permission_is($t, 'feedback:read', GET => "/feedback/sessions/$session");

# Many at once: read in a thread.
my @many = map { { evaluation_id => $ids[$_ % 3], type => 'comment',
                   content => { comment => 'c' x 40 } } } 1 .. 3000;
$r = $t->post("/batches/$batch/feedback",
              json => { feedback_entries => \@many });
status_is($r, 201, 'three thousand entries are taken at once');
is($r->json->{submitted_count}, 3000,
   'three thousand entries are all accepted');
processed($ids[0]);
is($t->get("/feedback/evaluation/$ids[0]")->json->{feedback_summary}
     {comment_count}, 1000,
   'an evaluation counts the thousand comments on it');

# --- Changed and withdrawn --------------------------------------------------

my $other = $t->new_evaluation($judge, $content);
$t->evaluated($other);

sub corrects {
    my ($evaluation, %more) = @_;
    return $t->made("/feedback/evaluation/$evaluation", 'feedback_id',
        json => { type => 'correction', severity => 'high', %more,
                  content => { corrected_scores => { $first => 60 },
                               explanation => 'Why.' } });
}

sub taught {
    my ($said) = @_;
    return join ' ', sort map { $_ + 0 } $t->column(
        "select target as v from examples where feedback_id = '$said'");
}

sub agreed {
    my ($of) = grep { $_->{criterion_id} eq $first }
               @{ $t->get("/judges/$judge/agreement")->json->{criteria} };
    return $of->{items};
}

my $before = agreed();
my $wrong  = corrects($other, submitted_by_person => 'Ann Example');
processed($other);
is(agreed(), $before + 1, 'a correction counts for the agreement');
is(taught($wrong), 60, 'a correction teaches what it says');

$r = $t->patch("/feedback/$wrong", json => {
    content => { corrected_scores => { $first => 20 } },
    updated_by_person => 'Ben Example' });
status_is($r, 200, 'a correction is changed');
time_is($r->json->{updated_at}, 'a changed entry has updated_at');
ok(!$r->json->{processed}, 'a changed correction is to be processed again');
processed($other);
$entry = $t->get("/feedback/$wrong")->json;
my %fields = %$entry;
delete @fields{qw(submitted_at updated_at)};
is_deeply(\%fields, {
    id => $wrong, feedback_id => $wrong, evaluation_id => $other,
    type => 'correction', severity => 'high',
    content => { corrected_scores => { $first => 20 },
                 explanation => 'Why.' },
    criterion_specific => JSON::PP::false, target_criteria => [],
    submitted_by => $t->org->{key_id}, submitted_by_person => 'Ann Example',
    updated_by => $t->org->{key_id}, updated_by_person => 'Ben Example',
    processed => JSON::PP::true,
    processing_notes => 'used as 1 training example of weight 2: the'
                        . ' corrected scores',
}, 'what is absent in a change stays, and who made it is said');
is(taught($wrong), 20, 'a changed correction teaches what it says now');
is(agreed(), $before + 1,
   'a changed correction counts once for the agreement');
is($t->get("/feedback/evaluation/$other")->json->{feedback_entries}[0]
     {updated_at}, $entry->{updated_at},
   'a list says when feedback was changed');

$r = $t->patch("/feedback/$wrong", json => {
    target_criteria => [ $first ], severity => 'low', content => {
        corrected_scores => { $scores[1]{criterion_id} => 5.5 },
        corrected_overall_score => 7 } });
is_deeply([ @{ $r->json }{qw(target_criteria severity content)} ],
          [ [ $first ], 'low', {
              corrected_scores => { $scores[1]{criterion_id} => 5.5 },
              corrected_overall_score => 7, explanation => 'Why.' } ],
          'scores are replaced, other fields are changed');
processed($other);
is(taught($wrong), '5.5 7', 'replaced scores are taught');

for ([ { content => { corrected_scores => { crt_x => 5 } } },
       "content.corrected_scores.crt_x: expected a criterion of the"
       . " evaluation's judge version" ],
     [ { content => { corrected_scores => { $first => 101 } } },
       "content.corrected_scores.$first: expected a number from 0 to 100" ],
     [ { content => 5 }, 'content: expected an object' ],
     [ { severity => 'huge' }, qr/^severity: expected one of low/ ],
     [ { target_criteria => [ 'crt_x' ] }, 'target_criteria[0]: expected a'
       . " criterion of the evaluation's judge version" ],
     [ { updated_by_person => '' }, qr/^updated_by_person: expected/ ])
{
    my ($body, $sentence) = @$_;
    error_is($t->patch("/feedback/$wrong", json => $body), 400, $sentence,
             'checked as a new one: '
             . JSON::PP->new->canonical->encode($body));
}
error_is($t->patch("/feedback/$wrong", json => { type => 'comment' },
                   headers => [ Prefer => 'handling=strict' ]), 400,
         qr/\btype\b/, 'the type of an entry stays');

my $stars = $t->made("/feedback/evaluation/$other", 'feedback_id',
                     json => { type => 'rating', content => { rating => 1 } });
status_is($t->patch("/feedback/$stars",
                    json => { content => { rating => 5 } }),
          200, 'a rating is changed');
is($t->get("/feedback/evaluation/$other")->json->{feedback_summary}
     {average_rating}, 5, 'the summary has the changed rating');
error_is($t->patch("/feedback/$stars", json => {
             content => { rating => 4.2 } }), 400,
         'content.rating: expected a number from 1 to 5, whole or half',
         'a changed rating is checked as a new one is');
processed($other);

status_is($t->delete("/feedback/$wrong"), 204, 'a correction is withdrawn');
is(taught($wrong), '', 'a withdrawn correction teaches nothing more');
is($t->get("/feedback/evaluation/$other")->json->{feedback_summary}
     {correction_count}, 0,
   'a withdrawn correction does not count in the summary');
for my $method (qw(get delete)) {
    error_is($t->$method("/feedback/$wrong"), 404, 'there is no such feedback',
             "a withdrawn correction is gone for $method");
}
error_is($t->patch("/feedback/$wrong", json => {}), 404,
         'there is no such feedback',
         'a withdrawn correction cannot be changed');
$t->delete("/feedback/$stars");
is(agreed(), $before, 'withdrawn feedback does not count for the agreement');

$stars = corrects($other);
error_is($t->get('/feedback/nonsense'), 404, 'there is no such feedback',
         'a malformed identifier is no feedback');
error_is($t->get("/feedback/$stars", org => 1), 404,
         'there is no such feedback',
         'another organization reads no feedback');
error_is($t->patch("/feedback/$stars", org => 1, json => {}), 404,
         'there is no such feedback',
         'another organization changes no feedback');
error_is($t->delete("/feedback/$stars", org => 1), 404,
         'there is no such feedback',
         'another organization withdraws no feedback');
permission_is($t, 'feedback:read', GET => "/feedback/$stars");
permission_is($t, 'feedback:write', PATCH => "/feedback/$stars", json => {});
permission_is($t, 'feedback:write', DELETE => "/feedback/$stars");

# What has been corrected is not to be reviewed; what was withdrawn is again.

sub waits {
    my ($evaluation) = @_;
    return grep { $_->{evaluation_id} eq $evaluation }
           @{ $t->get("/judges/$judge/review?limit=200")->json->{items} };
}

my $third = $t->new_evaluation($judge, $content);
$t->evaluated($third);
ok(waits($third), 'an evaluation that nobody has looked at waits for review');
$wrong = corrects($third);
ok(!waits($third), 'a correction takes an evaluation from the review');
$t->delete("/feedback/$wrong");
ok(waits($third),
   'a withdrawn correction brings an evaluation back to the review');

# A session of which one entry is withdrawn, and others are changed.

$r = $t->post("/batches/$batch/feedback", json => { feedback_entries => [
    map { { evaluation_id => $_, type => 'approval',
            content => { approved => JSON::PP::true } } } @ids ] });
my $told = $r->json->{feedback_session_id};
my @of   = map { $_->{feedback_id} } @{ $r->json->{validation_results} };

sub counted {
    return $t->sql1("select processed from feedback_sessions"
                    . " where id = '$told'");
}

status_is($t->delete("/feedback/$of[0]"), 204,
          'an entry of a session is withdrawn');
status_is($t->patch("/feedback/$of[1]", json => {
    content => { approved => JSON::PP::false } }), 200,
          'an entry of a session is changed');
processed($_) for @ids[1, 2];
$t->comes_true(sub { counted() == 3 },
               'the session counts each of its entries once');
is($t->get("/feedback/sessions/$told")->json->{deleted_count}, 1,
   'a session says that one of its entries was deleted');
status_is($t->patch("/feedback/$of[2]", json => {}), 200,
          'a changed entry of a session is processed again');
processed($ids[2]);
is(counted(), 3, 'an entry that is processed twice counts once');

# Changes and withdrawals at once, by several workers.

for my $round (1 .. 6) {
    my $at     = corrects($third);
    my @answer = $t->at_once(map { $_ == 4 && $round % 2
        ? [ DELETE => "/feedback/$at" ]
        : [ PATCH => "/feedback/$at", json => { content => {
              corrected_scores => { $first => 10 * $_ } } } ] } 1 .. 6);
    is(join(' ', grep { !/^(?:20[04]|404)$/ } map { $_->status } @answer), '',
       'changes and withdrawals at once are answered without errors');
    if ($round % 2) {
        is(taught($at), '',
           'a correction that was withdrawn meanwhile teaches nothing');
    } else {
        processed($third);
        is(taught($at), $t->get("/feedback/$at")->json->{content}
                           {corrected_scores}{$first},
           'a correction changed by many teaches what it shows');
        $t->delete("/feedback/$at");
    }
}

# A judge that was deleted: what was said of it can still be changed.

my $gone = $t->new_judge;
my $said = $t->new_evaluation($gone, $content);
my ($of) = map { $_->{criterion_id} } @{ $t->evaluated($said)
                                           ->{criteria_scores} };
$wrong = $t->made("/feedback/evaluation/$said", 'feedback_id', json => {
    type => 'correction', content => { corrected_scores => { $of => 10 } } });
processed($said);
status_is($t->delete("/judges/$gone"), 204,
          'the judge of a correction is deleted');
status_is($t->patch("/feedback/$wrong", json => {
    content => { corrected_scores => { $of => 20 } } }), 200,
    "a correction of a deleted judge's result can be changed");
is(processed($said)->[0]{processing_notes}, 'the judge has been deleted',
   'a changed correction says that its judge has been deleted');
is(taught($wrong), '',
   "a correction of a deleted judge's result teaches nothing");
status_is($t->delete("/feedback/$wrong"), 204,
          "a correction of a deleted judge's result can be withdrawn");

# --- A crash --------------------------------------------------------------

$t->post("/feedback/evaluation/$id",
         json => { type => 'comment', content => { comment => 'kept' } });
$t->crash;
$t->start;
is(processed($id)->[0]{content}{comment}, 'kept',
   'feedback survives a crash, and is processed');

# --- Who may, and who sees ------------------------------------------------

permission_is($t, 'feedback:read', GET => "/feedback/evaluation/$id");
permission_is($t, 'feedback:write', POST => "/feedback/evaluation/$id",
              json => { type => 'comment', content => { comment => 'x' } });
permission_is($t, 'feedback:write', POST => "/batches/$batch/feedback",
              json => { feedback_entries => [ 1 ] });

error_is($t->get("/feedback/evaluation/$id", org => 1), 404,
         'there is no such evaluation',
         'another organization reads no feedback on an evaluation');
error_is($t->post("/feedback/evaluation/$id", org => 1, json => {
             type => 'comment', content => { comment => 'x' } }), 404,
         'there is no such evaluation',
         'another organization submits no feedback on an evaluation');
error_is($t->post("/batches/$batch/feedback", org => 1,
                  json => { feedback_entries => [ 1 ] }), 404,
         'there is no such batch',
         'another organization submits no feedback on a batch');
error_is($t->post('/batches/%ff/feedback',
                  json => { feedback_entries => [ 1 ] }), 404,
         'there is no such batch', 'no batch has a name that is no UTF-8');

# --- Deleted with what it speaks about ------------------------------------

($of) = $t->sql1("select content_id from evaluations where id = "
                    . "'$ids[0]'");
status_is($t->delete("/content/$of"), 204,
          'a content of the batch is deleted');
$r = $t->get("/feedback/sessions/$session");
is_deeply([ @{ $r->json }{ qw(processed_count deleted_count) } ], [ 2, 1 ],
          'a session counts what was deleted with its evaluation');

status_is($t->delete("/batches/$batch"), 204,
          'a batch with feedback is deleted');
error_is($t->get("/feedback/sessions/$session"), 404, undef,
         'sessions are deleted with their batch');
is($t->sql1("select count(*) from feedback where batch_id = '$batch'"), 0,
   'feedback is deleted with its batch');
is($t->sql1('select count(*) from examples e where not exists'
            . ' (select 1 from evaluations v where v.id = e.evaluation_id)'),
   0, 'examples are deleted with their evaluations');
status_is($t->delete("/content/$content"), 204, 'a content is deleted');
error_is($t->get("/feedback/evaluation/$id"), 404,
         'there is no such evaluation',
         'feedback is deleted with the content it was given on');
is($t->sql1('select (select count(*) from feedback)'
            . ' + (select count(*) from examples)'), 0,
   'no feedback and no example is left');

# --- docs/training.md -----------------------------------------------------

$id = $t->new_evaluation($t->new_judge, $t->new_content('A short text.'));
$t->evaluated($id);
my ($shown) = Judge::Docs->blocks('docs/training.md', 'Feedback and training',
                                  'sh', 1);
like(Judge::Docs->works($t, 'docs/training.md', $shown),
     qr/"evaluation_id": ?"$id".*"job_id": ?"trj_/s,
     'the commands of docs/training.md correct a score and begin a training');

done_testing;
