# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What is deleted is gone at once; what hangs on it follows in slices, beside
# other writes and past a crash.

use JSON::PP ();

use Judge::Test;

my $t = Judge::Test->new(store => 'evaluate=off');

my @judges = map { $t->new_judge } 1 .. 10;
my $kept   = $t->new_evaluation($judges[0], $t->new_content('Kept.'));

sub inline { map { { name => "T$_", text_content => "Text $_." } } 1 .. $_[0] }

sub evaluations {
    return $t->sql1('SELECT COUNT(*) FROM evaluations');
}

sub finished {
    $t->wait_until(sub { !$t->sql1('SELECT COUNT(*) FROM unfinished') },
                   'all slices');
}

# Lets the first slices pass and none behind them; and no longer.

sub stop_between {
    my $few = '(SELECT COUNT(*) FROM evaluations) < 1500';

    $t->alter($t->sqlite
        ? "CREATE TRIGGER gate BEFORE DELETE ON evaluations WHEN $few"
          . " BEGIN SELECT raise(abort, 'gate'); END"
        : 'CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$'
          . " BEGIN IF $few THEN RAISE EXCEPTION 'gate'; END IF; RETURN old;"
          . ' END $$;'
          . ' CREATE TRIGGER gate BEFORE DELETE ON evaluations FOR EACH ROW'
          . ' EXECUTE FUNCTION gate()');
}

# --- A batch, and a crash in the middle -----------------------------------

my $batch = $t->new_batch(\@judges, [ inline(300) ]);
is(evaluations(), 3001,
   'a batch has 3,000 evaluations beside the one of before');

stop_between();
is($t->delete("/batches/$batch")->status, 204, 'the batch is deleted');
my $left = evaluations() - 1;
$t->crash;

cmp_ok($left, '<', 3000, 'some evaluations went with the batch');
cmp_ok($left, '>', 1000, 'most evaluations were left for later');
is($t->sql1('SELECT id FROM unfinished'), $batch,
   'the store names the batch as unfinished');
$t->drop_trigger('gate');

$t->start;
is($t->get("/batches/$batch")->status, 404, 'the batch is gone');
is_deeply($t->get("/evaluations?batch_id=$batch")->json->{evaluations}, [],
          'no evaluation of the deleted batch is listed');
finished();
is(evaluations(), 1, 'a crash later the rest has gone, and nothing else');
is($t->get("/evaluations/$kept")->status, 200,
   'an evaluation beside the deleted batch is there');

# --- A content in many batches --------------------------------------------

my $content = $t->new_content('Looked at often.');
my @batches = map { $t->new_batch(\@judges, [ { content_id => $content },
                                               inline(1) ]) } 1 .. 15;

is($t->delete("/content/$content")->status, 204, 'a content is deleted');
is($t->get("/content/$content")->status, 404, 'a deleted content is gone');
finished();
is($t->sql1("SELECT COUNT(*) FROM evaluations WHERE content_id = '$content'"),
   0, 'the evaluations of a deleted content are deleted');
is_deeply([ map { $t->get("/batches/$_")->json->{total_evaluations} }
            @batches ], [ (10) x 15 ],
            'no batch counts the evaluations of a deleted content');

# --- A judge with many examples -------------------------------------------

my $judge = $t->new_judge;
$t->alter('INSERT INTO examples (org, judge_id, evaluation_id, criterion_id,'
    . ' feedback_id, content_id, judge_version, kind, target, weight,'
    . " created_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1"
    . " FROM n WHERE i < 1000) SELECT '" . $t->org->{id} . "', '$judge',"
    . " '$kept', 'crt_' || i % 3, 'fbk_' || i, 'cnt_1', 1, 'correction', 50,"
    . ' 1, 1 FROM n');
$t->alter("UPDATE examples SET evaluation_id = evaluation_id || feedback_id"
          . " WHERE judge_id = '$judge'");
is($t->delete("/judges/$judge")->status, 204, 'a judge is deleted');
is($t->get("/judges/$judge")->status, 404, 'a deleted judge is gone');
finished();
is($t->sql1("SELECT COUNT(*) FROM examples WHERE judge_id = '$judge'"), 0,
   'the examples of a deleted judge are deleted');

done_testing;
