# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A large batch is taken in slices, beside other writes: what was begun is
# finished or taken back, past a crash.  A trigger lets the first slice pass
# and none behind it, so that each is caught half done.

use JSON::PP ();

use Judge::Test;

my $t = Judge::Test->new(store => 'evaluate=off');

my @judges = map { $t->new_judge } 1 .. 10;
my $ITEMS  = 120;                      # three slices
my $ALL    = $ITEMS * @judges;

sub stop_between {
    my ($texts) = @_;

    my $when = $texts ? "NEW.kind = 'texts'"
        : "NEW.kind = 'making' AND NEW.done > 40"
          . " OR NEW.kind = 'starting' AND OLD.last <> ''"
          . " OR NEW.kind = 'retrying' AND (SELECT COUNT(*) FROM evaluations"
          . " WHERE status = 'failed') < $ALL - 250";
    $t->fail_updates('gate', 'unfinished', $when);
}

sub go_on { $t->drop_trigger('gate') }

sub count {
    my ($table, $where) = @_;

    return $t->sql1("SELECT COUNT(*) FROM $table WHERE " . ($where // 'true'));
}

sub batch {
    my (%opt) = @_;

    return $t->post('/batches/evaluate', headers => $opt{headers} // [],
        json => {
            name => 'Many', judge_ids => \@judges,
            auto_start => $opt{waits} ? JSON::PP::false() : JSON::PP::true(),
            content_items => [ map { { name         => "T$_",
                                       text_content => "Text $_.",
                                       metadata     => $opt{metadata} // {} } }
                               1 .. $ITEMS ] });
}

sub finished {
    $t->wait_until(sub { !count('unfinished') }, 'the end of all slices', 60);
}

sub died {
    $t->crash;
    go_on();
    $t->start;
}

# Every content by every judge, in their order.

sub whole {
    my ($batch, $what) = @_;

    my @pairs = map { "$_->{content_id} $_->{judge_id}" } @{ $t->sql(
        'SELECT content_id, judge_id FROM evaluations'
        . " WHERE batch_id = '$batch' ORDER BY id") };
    my @contents = @{ $t->get("/batches/$batch")->json->{content_ids} };

    is(@contents, $ITEMS, "the batch has all texts $what");
    is_deeply(\@pairs, [ map { my $id = $_; map { "$id $_" } @judges }
                         @contents ],
              "each judge has each text $what, in their order");
    is($t->get("/batches/$batch")->json->{total_evaluations}, $ALL,
       "the batch counts all evaluations $what");
}

# --- Texts without their batch --------------------------------------------

# 1 MB is a slice of texts.
my @long = (metadata => { pad => 'x' x 10_520 });

stop_between('texts');
cmp_ok(batch(@long)->status, '>=', 400, 'the store fails between texts');
is(count('contents'), 100, 'the texts of the first slices are stored');
is(count('batches'), 0, 'no batch is stored before all its texts are');
died();
finished();
is(count('contents'), 0,
   'the texts without a batch are removed after a crash');

stop_between('texts');
cmp_ok(batch(@long)->status, '>=', 400,
       'the store fails between texts a second time');
my $used = $t->sql1('SELECT min(id) FROM contents');
$t->new_evaluation($judges[0], $used);
go_on();
finished();
is(join(',', $t->column('SELECT id AS v FROM contents')), $used,
   'texts without a batch are removed, but for one that is judged');
is($t->delete("/content/$used")->status, 204,
   'the text that somebody judged can be deleted');

stop_between('texts');
cmp_ok(batch(@long)->status, '>=', 400,
       'the store fails between texts a third time');
my @named = $t->column('SELECT id AS v FROM contents');
$t->fail_updates('made', 'unfinished',
                 "NEW.kind = 'making' AND NEW.done > 40");
my $other = $t->made('/batches/evaluate', 'batch_id', json => {
    name => 'Other', judge_ids => \@judges,
    content_items => [ map { { content_id => $_ } } @named ] });
is(count('evaluations'), 400, 'a batch in making has named them all');
go_on();
$t->wait_until(sub { !count('unfinished', "kind = 'texts'") },
               'the texts to be settled', 60);
is(count('contents'), @named,
   'texts that another batch names are not removed');
$t->drop_trigger('made');
finished();
is(count('evaluations', "batch_id = '$other'"), @named * @judges,
   'the other batch has evaluations of all texts');
is($t->delete("/batches/$other")->status, 204, 'the other batch is deleted');
finished();
$t->alter('DELETE FROM contents');

# However short they are, 400 texts are a slice.
stop_between('texts');
cmp_ok($t->post('/batches/evaluate', json => {
    name => 'Short', judge_ids => [ $judges[0] ],
    content_items => [ map { { name => "S$_", text_content => "Text $_." } }
                       1 .. 600 ] })->status,
       '>=', 400, 'the store fails between short texts');
is(count('contents'), 400, 'four hundred short texts are stored at once');
go_on();
finished();
is(count('contents'), 0, 'short texts without a batch are removed');

# --- Evaluations after a crash --------------------------------------------

stop_between();
my @once  = (headers => [ 'Idempotency-Key' => 'many' ]);
my $batch = batch(@once)->json->{batch_id};
is(count('evaluations'), 400, 'the store fails between evaluations');
is($t->get("/batches/$batch")->json->{total_evaluations}, $ALL,
   'all evaluations count from the first slice on');
died();

my $again = batch(@once);
is($again->status, 201, 'a client that asks again after a crash is answered');
is($again->json->{batch_id}, $batch,
   'a client that asks again has the batch of before');
finished();
whole($batch, 'after a crash');
is(count('queue_ranges'), 3, 'a batch waits in the queue slice by slice');
is($t->sql1('SELECT SUM(size) FROM queue_ranges'), $ALL,
   'the slices count all evaluations');
is($t->sql1("SELECT COUNT(*) FROM evaluations e JOIN queue_ranges r ON r.org"
            . ' = e.org AND r.batch_id = e.batch_id AND e.id BETWEEN r.first'
            . ' AND r.last'), $ALL, 'each evaluation is in one slice');
ok($t->get("/evaluations?batch_id=$batch&limit=1")->json->{evaluations}[0]
     {next_attempt_at}, 'an evaluation of a slice says when it may be taken');
is(count('batches'), 1, 'a request that is sent twice makes one batch');
ok(eval { $t->tool('check'); 1 },
   'the store is sound after a crash') or diag $@;

# --- Start, while it is being made ----------------------------------------

stop_between();
$batch = batch(waits => 1)->json->{batch_id};
is($t->post("/batches/$batch/start")->json->{status}, 'evaluating',
   'a batch is started while it is made');
is(count('unfinished'), 2, 'both the making and the start are unfinished');
died();
finished();
whole($batch, 'when it was started half made');
is(count('evaluations', "batch_id = '$batch' AND queue_at IS NULL"), 0,
   'all evaluations of the batch are in the queue after a crash');
is(count('evaluations', "batch_id = '$batch' AND created_at < (SELECT"
         . " started_at FROM batches WHERE id = '$batch')"), 0,
   'no evaluation is older than the start of its batch');
is($t->post("/batches/$batch/start")->status, 409,
   'a batch is started only once');

$batch = batch(waits => 1)->json->{batch_id};
stop_between();
$t->post("/batches/$batch/start");
is(count('evaluations', "batch_id = '$batch' AND queue_at IS NULL"),
   $ALL - 250, 'two slices of the batch are started');
died();
finished();
is(count('evaluations', "batch_id = '$batch' AND queue_at IS NULL"), 0,
   'the rest of the batch is started after a crash');

# --- Retry ----------------------------------------------------------------

sub all_failed {
    $t->alter("UPDATE evaluations SET status = 'failed', queue_at = NULL,"
        . " error_code = 'TIMED_OUT', batch_seq = 1, evaluated_at = 1"
        . " WHERE batch_id = '$batch'");
    $t->alter("UPDATE batches SET status = 'failed', last_seq = 1,"
        . " failed = total, completed_at = 1 WHERE id = '$batch'");
}

sub has_failed {
    my ($number, $what) = @_;

    my $now = $t->get("/batches/$batch")->json;
    is($now->{failed_evaluations}, $number, "the batch counts $what");
    is(count('evaluations', "batch_id = '$batch' AND status = 'failed'"),
       $number, "the store has $what");
    is($now->{status}, 'evaluating', "a batch with $what goes on");
}

all_failed();
stop_between();
is($t->post("/batches/$batch/retry")->status, 200,
   'a batch that failed is tried again');
has_failed($ALL - 250, 'the failures behind the first slices');

# Others end meanwhile: those that were tried again first.
my $these = "batch_id = '$batch' AND status = 'processing'";
$t->alter("UPDATE batches SET completed = 250, last_seq = 2"
          . " WHERE id = '$batch'");
$t->alter("UPDATE evaluations SET status = 'completed', batch_seq = 2,"
          . " queue_at = NULL, overall_score = 50, evaluated_at = 2"
          . " WHERE $these");
died();
finished();
has_failed(0, 'no failures after a crash');
is(count('evaluations', $these), $ALL - 250,
   'what has ended meanwhile is not tried again');

$t->alter("UPDATE batches SET completed = 0 WHERE id = '$batch'");
all_failed();
is($t->post("/batches/$batch/retry")->json->{failed_evaluations}, 0,
   'a retry without a crash ends before it is answered');
is($t->post("/batches/$batch/retry")->status, 409,
   "a batch without failures can't be tried again");

# --- Deleted on the way ---------------------------------------------------

stop_between();
$batch = batch()->json->{batch_id};
my ($last) = @{ $t->get("/batches/$batch")->json->{content_ids} }[-1];
is($t->delete("/content/$last")->status, 204,
   'a content is deleted while its batch is made');
$t->alter("UPDATE evaluations SET status = 'completed', queue_at = NULL,"
          . ' overall_score = 50, evaluated_at = 2'
          . " WHERE judge_id = '$judges[-1]'");
is($t->delete("/judges/$judges[-1]")->status, 409,
   "a judge of a batch that is made can't be deleted");
go_on();
finished();
is($t->get("/batches/$batch")->json->{total_evaluations}, $ALL - @judges,
   'a content that is deleted meanwhile is not counted');
is(count('evaluations', "batch_id = '$batch'"), $ALL - @judges,
   'a content that is deleted meanwhile is not judged');

stop_between();
$batch = batch()->json->{batch_id};
is($t->delete("/batches/$batch")->status, 204,
   'a batch is deleted while it is made');
go_on();
finished();
is(count('evaluations', "batch_id = '$batch'"), 0,
   'nothing is left of the batch');
is(count('making_judges'), 0, 'no judges of a batch in the making are left');

# --- For external workers -------------------------------------------------

my @watchers = map { $t->new_judge(content_type => 'video') } 1 .. 20;
my @videos   = map {
    my $n = $_;
    my $job = $t->post('/v1/evaluations/social-media', json => {
        judge_id => $watchers[0],
        urls     => [ map { "https://vimeo.com/${n}2345678$_" } 0 .. 9 ] });
    map { $_->{content_id} } @{ $job->json->{items} };
} 1, 2;

$batch = $t->made('/batches/evaluate', 'batch_id', json => {
    name => 'Videos', judge_ids => \@watchers,
    content_items => [ map { { content_id => $_ } } @videos ] });
is(count('evaluations', "batch_id = '$batch' AND queue_at = deadline AND"
         . ' work_kind = 2'), 400,
   'all evaluations of videos wait for a worker');
is(count('unfinished'), 0, 'a batch of videos is made when it is answered');

# --- Judged, though workers die -------------------------------------------

# What others left in the queue goes: a slice whose worker died is scored one
# by one, which takes long where there are many.
my $rest = "status = 'processing' AND work_kind IS NULL";
$t->alter("UPDATE evaluations SET status = 'completed', queue_at = NULL,"
          . " overall_score = 50, evaluated_at = 2 WHERE $rest");
$t->alter('DELETE FROM queue_ranges');
$batch = batch()->json->{batch_id};
$t->conf(store => 'lease=5s');         # what who died had is free again soon
$t->reload;
for my $round (0, 1) {
    $t->wait_until(sub { count('queue_ranges', 'owner IS NOT NULL')
                         || !count('evaluations', $rest) }, 'work');
    $t->kill_worker(pid => ($t->workers)[$round]);
}
$t->wait_until(sub { !count('evaluations', $rest) }, 'results', 600);
is($t->get("/batches/$batch")->json->{completed_evaluations}, $ALL,
   'each evaluation ends once though workers die');
is(count('evaluations', "batch_id = '$batch' AND (attempts < 1 OR attempts > 4"
         . ' OR queue_at IS NOT NULL OR owner IS NOT NULL)'), 0,
   'an evaluation has as many attempts as workers had it');
is(count('queue_ranges'), 0, 'no slice is left in the queue');

done_testing;
