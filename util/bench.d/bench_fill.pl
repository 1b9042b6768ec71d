# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The stores of util/bench flat: an organization with judges, contents,
# evaluations that are completed, failed or wait, feedback, a batch and
# deliveries, made by the service itself, and by SQLite copies of those rows,
# with identifiers, times, batches and organizations of their own.  Results
# are copied as they are packed, so that they name what they are copies of.

use strict;
use warnings;

use Time::HiRes qw(time);

# Evaluations of a batch; of an organization; ms between two.
use constant { FILL_BATCH => 100, FILL_ORG => 10_000, FILL_EVERY => 10 };


# An identifier, in SQL: its time, and a number in place of what is random.

sub fill_id {
    my ($prefix, $ms, $n) = @_;
    my @digits = map {
        "substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (($ms) >> "
        . 5 * $_ . ' & 31), 1)' } reverse 0 .. 9;

    return join ' || ', "'${prefix}_'", @digits, "printf('%016d', $n)";
}


# Of a hundred evaluations one waits for a worker and one has failed, and
# neither is in a batch.  Of the last batch, a large one, the older half has
# ended and of the others half wait.  Half of the batches are the first
# organization's.

sub fill_plan {
    my ($n, $large, $at, $org) = @_;
    my ($from, $orgs) = ($n - $large, 1 + int $n / FILL_ORG);
    my ($batch, $every) = (FILL_BATCH, FILL_EVERY);
    my $id = fill_id('org', $at, 'n');

    return <<"SQL";
CREATE TEMP TABLE templates AS SELECT kind, id, content_id,
    row_number() OVER (PARTITION BY kind ORDER BY content_id, id) - 1 AS at,
    count(*) OVER (PARTITION BY kind) AS n
    FROM (SELECT CASE status WHEN 'completed' THEN 'c' WHEN 'failed' THEN 'f'
                 ELSE 'p' END AS kind, id, content_id FROM main.evaluations);
CREATE TEMP TABLE owners (n INTEGER PRIMARY KEY, id TEXT);
INSERT INTO owners WITH RECURSIVE s(n) AS (VALUES(0) UNION ALL
    SELECT n + 1 FROM s WHERE n < $orgs - 1)
    SELECT n, CASE n WHEN 0 THEN '$org' ELSE $id END FROM s;
CREATE TEMP TABLE plan (i INTEGER PRIMARY KEY, batch, large, kind, ms, since,
                        id, content_id, owner, seq, slot, content);
INSERT INTO plan
    WITH RECURSIVE s(i) AS (VALUES(0) UNION ALL SELECT i + 1 FROM s
                            WHERE i < $n - 1),
    kinds AS (SELECT i, i >= $from AS large,
        CASE WHEN i >= $from THEN $n ELSE i / $batch END AS batch,
        CASE WHEN i >= $from + $large / 2
             THEN CASE (i - $from) % 2 WHEN 0 THEN 'p' ELSE 'f' END
             WHEN i >= $from THEN 'c'
             WHEN i % 100 = 99 THEN 'f' WHEN i % 100 = 49 THEN 'p'
             ELSE 'c' END AS kind FROM s),
    rows AS (SELECT k.*, t.id, t.content_id,
        CASE WHEN k.kind = 'c' THEN sum(k.kind = 'c')
             OVER (PARTITION BY batch ORDER BY i) END AS seq,
        CASE WHEN k.kind <> 'p' THEN sum(k.kind <> 'p')
             OVER (PARTITION BY batch ORDER BY i) - 1 END AS slot,
        CASE WHEN lag(t.content_id) OVER (PARTITION BY batch ORDER BY i)
                  IS NOT t.content_id THEN i END AS fresh
        FROM kinds k JOIN templates t ON t.kind = k.kind AND t.at = i % t.n)
    SELECT i, batch, large, kind, $at + i * $every,
        $at + $every * (CASE large WHEN 1 THEN $from ELSE batch * $batch END),
        id, content_id,
        CASE WHEN large OR batch % 2 = 0 THEN 0 ELSE batch / 2 % $orgs END,
        seq, slot, max(fresh) OVER (PARTITION BY batch ORDER BY i) FROM rows;
SQL
}


# A copy of a table's rows x, by a plan p for an owner o, with other columns.

sub fill_copy {
    my ($t, $table, $from, %changed) = @_;
    my @columns = map { $_->{v} } @{ $t->sql("SELECT name AS v FROM"
                                    . " pragma_table_info('$table')") };
    my $values  = join ', ', map { $changed{$_} // qq(x."$_") } @columns;

    return "INSERT INTO main.$table (" . join(', ', map { qq("$_") } @columns)
           . ") SELECT $values FROM $from;\n";
}


sub fill_rows {
    my ($t, $n, $large, $at, $org) = @_;
    my ($kept) = $t->sql1('SELECT max(kept) FROM results_together');
    my $first  = 1 + $t->sql1('SELECT max(number) FROM results_together');
    my $plan   = 'plan p JOIN owners o ON o.n = p.owner';
    my $of     = "x.org = '$org'";
    my %own    = (org => 'o.id');
    my %id     = map { ($_ => fill_id($_, 'p.ms', 'p.i')) }
                     qw(evl fbk whd evt);
    my $group  = "($first + p.batch * 100000 + p.slot / $kept)";
    my $ended  = "CASE x.status WHEN 'processing' THEN NULL ELSE p.ms END";
    my $like   = "substr($id{fbk}, 1, 24) || substr(x.";
    my $told   = "$plan JOIN main.%1\$s x ON $of AND x.id ="
                 . ' (SELECT min(id) FROM main.%1$s) WHERE p.i %% 20 = 0';
    my $said   = "$plan JOIN main.%s x ON $of AND x.evaluation_id = p.id"
                 . " WHERE p.kind = 'c' AND p.i %% 40 = 0";

    $id{bat} = fill_id('bat', 'p.since', 'p.batch');
    $id{cnt} = fill_id('cnt', "($at + " . FILL_EVERY . ' * p.content)',
                       'p.content');
    my %said = (%own, evaluation_id => $id{evl}, content_id => $id{cnt},
                batch_id => $id{bat});
    my $batches = "(SELECT batch, since, owner, max(seq) AS total FROM plan"
                  . ' GROUP BY batch) p JOIN owners o ON o.n = p.owner';

    return join '',
        fill_copy($t, 'organizations', 'owners o JOIN main.organizations x'
                  . " ON o.n > 0 AND x.id = '$org'", id => 'o.id'),
        (map { fill_copy($t, $_, "owners o JOIN main.$_ x ON o.n > 0 AND $of",
                         %own) } qw(judges judge_versions)),
        fill_copy($t, 'contents', "$plan JOIN main.contents x ON $of"
                  . ' AND x.id = p.content_id WHERE p.content = p.i',
                  %own, id => $id{cnt}, created_at => 'p.ms'),
        fill_copy($t, 'results_together', "(SELECT owner, $group AS number,"
                  . ' count(*) AS kept FROM plan p WHERE slot IS NOT NULL'
                  . ' GROUP BY owner, batch, number) p JOIN owners o'
                  . ' ON o.n = p.owner JOIN (SELECT * FROM'
                  . " main.results_together WHERE kept = $kept LIMIT 1) x",
                  %own, number => 'p.number', kept => 'p.kept'),
        fill_copy($t, 'evaluations', "$plan JOIN main.evaluations x ON $of"
                  . ' AND x.id = p.id', %own, id => $id{evl},
                  content_id => $id{cnt}, created_at => 'p.ms',
                  batch_id => "CASE WHEN p.large OR p.kind = 'c' THEN"
                              . " $id{bat} END", batch_seq => 'p.seq',
                  result => "$group * 64 + p.slot % $kept",
                  evaluated_at => $ended),
        fill_copy($t, 'feedback', sprintf($said, 'feedback'), %said,
                  id => "${like}id, -6)", submitted_at => 'p.ms'),
        fill_copy($t, 'examples', sprintf($said, 'examples'), %said,
                  feedback_id => "${like}feedback_id, -6)",
                  created_at => 'p.ms'),
        fill_copy($t, 'deliveries', sprintf($told, 'deliveries'), %own,
                  id => $id{whd}, event_id => $id{evt}, owner => 'NULL',
                  status => "'delivered'", queue_at => 'NULL',
                  created_at => 'p.ms'),
        fill_copy($t, 'delivery_bodies', sprintf($told, 'delivery_bodies'),
                  %own, id => $id{whd}),
        fill_copy($t, 'batches', "$batches JOIN main.batches x ON $of AND"
                  . " x.status = 'completed'", %own, id => $id{bat},
                  created_at => 'p.since',
                  map { $_ => 'p.total' } qw(total completed last_seq)),
        fill_copy($t, 'batch_texts', "$batches JOIN main.batches b ON b.org ="
                  . " '$org' AND b.status = 'completed' JOIN main.batch_texts"
                  . " x ON $of AND x.batch_id = b.id", %own,
                  batch_id => $id{bat});
}


# Rows, and how many a second.

sub fill {
    my ($t, $dir, $n) = @_;
    my $org   = $t->sql1('SELECT org FROM evaluations LIMIT 1');
    my $at    = int(1000 * time) - $n * FILL_EVERY;
    my $large = int $n / 50 < 200_000 ? int $n / 50 : 200_000;

    my $sql = $t->write('fill.sql', join "\n",
        'PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;'
        . ' PRAGMA foreign_keys = OFF; BEGIN;',
        fill_plan($n, $large, $at, $org),
        'CREATE TEMP TABLE was AS SELECT total_changes() AS n;',
        fill_rows($t, $n, $large, $at, $org),
        'SELECT total_changes() - n FROM was;'
        . ' COMMIT; PRAGMA wal_checkpoint(TRUNCATE);');
    my $began = time;
    my ($status, $out) = $t->run('sqlite3', '-bail', "$dir/judge.db",
                                 ".read $sql");
    my ($rows) = $out =~ /^(\d+)$/m;
    die "bench     flat: $out" if $status != 0 || !$rows;

    return ($rows, int $rows / (time - $began));
}

1;
