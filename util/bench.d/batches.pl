# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The parts of util/bench about batches: batch, size, instructions, slices and
# cores.

use Bench;

use constant { SIZED => 3_000, COUNTED => 600, EXAMPLES => 1_000_000,
               SLICE => 400 };


# How soon 10,000 texts of 2 KB are accepted, how fast they are evaluated, and
# reading a batch meanwhile; as many evaluations of a quarter of the texts by
# four judges.

sub bench_batch {
    my $t     = service();
    my @texts = essays(10_000);
    my $alone = scored($t, 2, [ @texts[0 .. 19] ], said => \1);
    my ($rate, $took) = batch_timed($t, [ six($t) ], \@texts);
    my $rows  = bare_rows($t, SLICE, [qw(contents evaluations)],
                          ['results_together']);

    row('a batch of 10,000 texts of 2 KB, accepted in s', $took, undef, '1 s');
    row('  accepted and evaluated, per s', $rate, $alone, 0.6);
    row('  its rows inserted by SQLite', $rate, $rows, 0.8);

    ($rate) = batch_timed($t, [ map { six($t) } 1 .. 4 ],
                          [ @texts[0 .. @texts / 4 - 1] ]);
    row('  by 4 judges each, per s', $rate, $alone, 0.55);

    my $film = $t->new_judge(content_type => 'video');
    my ($id) = film_batch($t, $film, 1);
    against_static($t, '  GET a running batch', 0.75, "/batches/$id");
    $t->quit;
}


# What an evaluation costs on the disk.  Its text is a content already when the
# workers' writes are counted, log, database and all.

sub bench_size {
    my $t = service();
    my @contents = map { { content_id => $t->new_content(text(2000)) } }
                   1 .. SIZED;
    my $read = sub { map { $t->sql1("SELECT $_") }
        "COUNT(*) FROM evaluations WHERE status = 'completed'",
        "SUM(pgsize) FROM dbstat WHERE name LIKE 'results%'",
        "SUM(pgsize) FROM dbstat WHERE name NOT LIKE '%contents%'" };
    my @before = $read->();
    checkpoint($t);
    my $wrote  = written($t->workers);

    batch_timed($t, [ six($t) ], \@contents);
    sleep 2;                           # for a checkpoint that is under way
    $wrote = written($t->workers) - $wrote + checkpoint($t);
    my @after = $read->();
    my ($n, $results, $all) = map { $after[$_] - $before[$_] } 0 .. 2;

    row('a result in the database file, bytes', $results / $n, undef, 1200);
    row('  with its evaluation, all indexes', $all / $n);
    row('  written for an evaluation, log included', $wrote / $n, undef, 4096);
    $t->quit;
}

# Moves the log into the database; how many bytes that were.

sub checkpoint($t) {
    my $wrote = written($$);           # by it, and by those that it waited for

    timed('sqlite3', '-cmd', '.timeout 10000', $t->store_dir . '/judge.db',
          '.output /dev/null', 'PRAGMA wal_checkpoint(TRUNCATE)');
    return written($$) - $wrote;
}

sub written {
    return sum(map { Judge::Nginx::read_file("/proc/$_/io") =~ /wchar: (\d+)/ }
               @_);
}


# How many instructions an evaluation of a batch takes, by parts of the code,
# counted by valgrind in one process, without those of the kernel and of what
# is done once a second.  What is indented is a part of what stands above it.

my @counted = (
    [ 'score'                  => qw(judge_reading_create judge_score_reading
                                     judge_explain) ],
    [ '  words and sentences'  => 'judge_text_read' ],
    [ '  features'             => 'judge_measure_text' ],
    [ '  flags'                => 'judge_flags_find' ],
    [ '  criteria'             => 'judge_score_reading' ],
    [ '  feedback in words'    => 'judge_explain' ],
    [ 'result as JSON'         => 'judge_evaluation_json_ended' ],
    [ 'features packed'        => 'judge_pack_floats' ],
    [ 'results packed'         => 'judge_queue_finish_pack' ],
    [ 'transactions of SQLite' => 'judge_runner_group' ],
    [ 'request read'           => 'judge_pipeline_receive' ],
);

sub bench_instructions {
    # Judge::Test is told how to start nginx when it is loaded.
    if (($ENV{JUDGE_TEST_VALGRIND} // '') ne 'callgrind') {
        $ENV{JUDGE_TEST_VALGRIND} = 'callgrind';
        exec $^X, $0, 'instructions';
    }

    my $t     = service();
    my @batch = ([ six($t) ], [ essays(COUNTED) ]);
    batch_timed($t, $batch[0], [ @{ $batch[1] }[0 .. 99] ]);
    $t->run('callgrind_control', '-z', $t->pid);
    batch_timed($t, @batch);
    $t->run('callgrind_control', '-d', $t->pid);

    my ($file) = sort glob $t->dir . '/callgrind.*';
    my ($all, %sum) = (0);
    open my $in, '-|', 'callgrind_annotate', '--inclusive=yes', '--auto=no',
         '--threshold=100', $file or die "callgrind_annotate: $!";
    while (<$in>) {
        # A function that calls itself has a number for each depth.
        my ($n, $function)
            = /^\s*([\d,]+) .*?:([\w.]+?)(?:'\d+)?(?: \[[^\]]*\])?$/ or next;
        $n =~ tr/,//d;
        $sum{$function} = max($n, $sum{$function} // 0);
    }

    for (@counted) {
        my ($label, @functions) = @$_;
        my $each = sum(map { $sum{$_} // 0 } @functions) / COUNTED;
        row($label, $each);
        $all += $each if $label !~ /^ /;
    }
    row('instructions of one evaluation, all of these', $all, undef, 700_000);
    $t->crash;
}


# --- The big beside the small ----------------------------------------------

# How long others wait for their reads and writes while a large batch is
# accepted, started, tried again and deleted, with nothing evaluated meanwhile:
# the store alone; while one is evaluated, and cancelled; while results become
# too old; while a judge with very many corrected scores is deleted.

sub bench_slices {
    my $t = service(store => 'evaluate=off');
    my ($judge, undef, $read, $body) = evaluated_one($t, waits => 1);
    my @big  = ([ $judge, map { $t->new_judge } 2 .. 20 ],
                [ ('A word. ' x 250) x 10_000 ]);
    my $held = batch_body(@big, auto_start => JSON::PP::false());
    my $big  = batch_body(@big);
    my $meanwhile = sub ($what, $do) {
        my %loads = (
            reads  => begin_load($t, $read, connections => 1, pause => 2),
            writes => begin_load($t, '/evaluations/single', body => $body,
                                 connections => 1, pause => 2));
        sleep 0.3;
        my $began = time;
        $do->();
        row("$what, s", time - $began);
        for (sort keys %loads) {
            my $r = end_load($loads{$_});
            row("  other $_, p99 and the longest, ms", @$r{qw(p99 longest)},
                $_ eq 'reads' ? 5 : 50, '');
        }
    };
    my $again = sub { $t->conf(store => $_[0]); $t->restart };
    my $empty = sub {
        sleep 0.05 while $t->sql1('SELECT COUNT(*) FROM unfinished');
    };
    my $id;

    $meanwhile->('200000 evaluations accepted', sub {
        $id = send_batch($t, $held) });
    $meanwhile->('200000 started', sub { $t->post("/batches/$id/start") });
    $t->alter("UPDATE evaluations SET status = 'failed', queue_at = NULL,"
        . " error_code = 'TIMED_OUT', batch_seq = 1 WHERE batch_id = '$id'");
    $t->alter("UPDATE batches SET status = 'failed', last_seq = 1,"
        . " failed = total WHERE id = '$id'");
    $meanwhile->('200000 tried again', sub { $t->post("/batches/$id/retry") });
    $meanwhile->('200000 deleted', sub { $t->delete("/batches/$id");
                                         $empty->() });

    $again->('');
    $meanwhile->('200000 accepted and evaluated', sub {
        $id = send_batch($t, $big);
        $t->wait_until(sub { $t->get("/batches/$id")->json->{status}
                             ne 'evaluating' }, 'the batch', 300);
    });

    # A round begins with the workers.  Their age is in their identifiers, too.
    my $old = "FROM evaluations WHERE batch_id = '$id'";
    $read = "/judges/$judge";
    $t->alter("UPDATE evaluations SET evaluated_at = 1, id = 'evl_00' ||"
              . " substr(id, 7) WHERE batch_id = '$id'");
    $again->('keep_results=1h');
    my $end = time + 30;
    $meanwhile->('200000 too old', sub {
        sleep 0.2 while time < $end
                        && $t->sql1("SELECT EXISTS (SELECT 1 $old)");
    });
    row('  left', $t->sql1("SELECT COUNT(*) $old"));

    $again->('');
    $id = send_batch($t, $big);
    $meanwhile->('200000 cancelled and deleted', sub {
        $t->delete("/batches/$id"); $empty->() });

    my $gone = $t->new_judge;
    $t->alter('WITH RECURSIVE n(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM n'
        . ' WHERE n < ' . EXAMPLES . ') INSERT INTO examples (org, judge_id,'
        . ' evaluation_id, criterion_id, feedback_id, content_id,'
        . ' judge_version, kind, target, weight, created_at) SELECT'
        . " '" . $t->org->{id} . "', '$gone', 'evl_' || n, 'crt_1', 'fbk_' ||"
        . " n, 'cnt_' || n, 1, 'correction', 50, 2, n FROM n");
    $meanwhile->(EXAMPLES . ' corrected scores deleted with their judge',
                 sub { $t->delete("/judges/$gone"); $empty->() });
    $t->quit;
}


# --- More cores than this machine has --------------------------------------

# A simulation of workers that compute beside each other and commit one after
# the other, fed with what scoring and committing take here.  It leaves out
# what it has no figure for: memory bandwidth, caches, the disk's queue.

# Instructions of docs/development/history.md: what an evaluation of a batch
# takes beside its scoring; the share of SQLite in it, which one worker at a
# time does with the commit lock; that of a create, whose time is measured.
use constant { BESIDE => 355_000, LOCKED => 156_000, CREATED => 71_700 };

# Evaluations of a range, which end in one commit; groups under way in each
# worker; what is simulated, in s; a small write each so many s.
use constant { GROUPS => 3, SIMULATED => 60, PROBE => 0.02 };

sub bench_cores {
    my $t = service(store => 'evaluate=off');
    my (undef, undef, undef, $body) = evaluated_one($t, waits => 1);

    load($t, '/evaluations/single', body => $body);

    # A commit of g rows takes a fixed time and g times that of a row.
    my %took = map { $_ => $_ / bare_rows($t, $_, ['evaluations']) } 32, 256;
    my $row  = ($took{256} - $took{32}) / (256 - 32);
    my %of   = (beside => 1 / scored($t, 1, [ essays(20) ], said => \1)
                          + $row * BESIDE / CREATED,
                locked => $row * LOCKED / CREATED,
                fixed  => max(0, $took{32} - 32 * $row));
    $t->quit;
    row('an evaluation beside others, µs; locked, µs',
        map({ int 1e6 * $_ } @of{qw(beside locked)}), '', '');

    my $alone;
    for my $n (1, 2, 4, 8, 16, 32, 64) {
        my $r = simulated($n, %of);
        $alone //= $r->{rate};
        row("$n cores, evaluations of batches per s", $r->{rate}, $n * $alone);
        row('  commit lock held, of the time', $r->{held});
        row('  p99 of a small write, ms', $r->{p99}, undef, '50 ms');
    }
}


# n cores and workers.  A group computes on the core that is free first, which
# it gives back before it waits for the lock; the lock is given in the order in
# which it was asked for, as pthread's is on average.

sub simulated($n, %of) {
    my ($free, $held, $ended, $probe) = (0, 0, 0, PROBE);
    my @cores  = (0) x $n;             # from when on each is free
    my @writes;
    my $computes = sub ($from) {
        my ($core) = sort { $cores[$a] <=> $cores[$b] } 0 .. $#cores;
        return $cores[$core] = max($from, $cores[$core])
            + SLICE * $of{beside} * (0.8 + rand 0.4);
    };
    my $commits = sub ($from, $rows) {
        my $takes = $of{fixed} + $rows * $of{locked};
        $held += $takes;
        return $free = max($from, $free) + $takes;
    };

    srand 1;
    my @asks = sort { $a <=> $b } map { $computes->(0) } 1 .. GROUPS * $n;
    while ($free < SIMULATED) {
        my $ask = shift @asks;
        for (; $probe < $ask; $probe += PROBE) {
            push @writes, 1000 * ($commits->($probe, 1) - $probe);
        }
        my $again = $computes->($commits->($ask, SLICE));
        @asks   = sort { $a <=> $b } @asks, $again;
        $ended += SLICE;
    }

    return { rate => $ended / $free, held => $held / $free,
             p99 => percent(99, @writes) };
}

1;
