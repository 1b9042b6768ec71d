# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/bench batch and size: batches against scoring alone on all cores; and
# what an evaluation costs on the disk.

use strict;
use warnings;

use Encode ();
use IPC::Open2 qw(open2);
use JSON::PP ();
use Time::HiRes ();

use constant { ITEMS => 10_000, SIZED => 3_000, TEXT => 2_000, SCORING => 3,
               SLICE => 400 };


sub six {
    my ($t) = @_;

    return $t->new_judge(criteria => [
        map { { name => $_, description => "$_ of the text." } }
            'Cohesion', 'Syntax', 'Vocabulary', 'Phraseology', 'Grammar',
            'Conventions' ]);
}


# How many milliseconds a batch takes from its request on, since it is
# evaluated while it is accepted; and how many seconds that took.

sub batch_run {
    my ($t, $judges, @items) = @_;

    my $body  = JSON::PP->new->utf8->encode({
        name => 'Bench', judge_ids => $judges, content_items => \@items });
    my $began = Time::HiRes::time();
    my $id    = $t->post('/batches/evaluate', body => $body, headers =>
                         [ 'Content-Type' => 'application/json' ])
                   ->json->{batch_id};
    my $took  = Time::HiRes::time() - $began;
    my $from  = int(1000 * $began);

    # Asked seldom, since who asks takes time from those who evaluate.
    sleep 1 while $t->get("/batches/$id")->json->{status} eq 'evaluating';

    return ($t->sql1("SELECT MAX(evaluated_at) - $from FROM evaluations"
                     . " WHERE batch_id = '$id'"), $took);
}


sub batch_items {
    my ($n, @essays) = @_;

    my @texts = map {
        substr(Judge::Nginx::read_file($_) x 4, 0, TEXT)
    } @essays;

    return map { { name => "Item $_", text_content =>
        Encode::decode('UTF-8', "$_ $texts[$_ % @texts]", Encode::FB_DEFAULT)
    } } 1 .. $n;
}


# One batch of 10,000 texts of 2 KB: how soon it is accepted, how fast it is
# evaluated against scoring alone on all cores, and reading it meanwhile; and
# as many evaluations of a quarter of the texts by four judges.

sub batch {
    my ($t, @essays) = @_;

    my @items = batch_items(ITEMS, @essays);

    my ($ms, $took) = batch_run($t, [ six($t) ], @items);
    row('a batch of 10,000 texts of 2 KB, accepted in s',
        sprintf('%.2f', $took), '', '', '1 s');

    my $bound = bare_scoring($t, map { $_->{text_content} }
                                     @items[0 .. $#essays]);
    row('  accepted and evaluated, per s', int(1000 * ITEMS / $ms),
        int($bound), ratio(1000 * ITEMS / $ms, $bound), '0.6');

    my $rows = bare_rows($t);
    row('  its rows inserted by SQLite in a C loop', int(1000 * ITEMS / $ms),
        int($rows), ratio(1000 * ITEMS / $ms, $rows), '0.8');

    ($ms) = batch_run($t, [ map { six($t) } 1 .. 4 ],
                      @items[0 .. ITEMS / 4 - 1]);
    row('  by 4 judges each, per s', int(1000 * ITEMS / $ms),
        int($bound), ratio(1000 * ITEMS / $ms, $bound), '0.55');

    running($t);
}


# The rows of the store, in transactions as large as those of a batch.

sub bare_rows {
    my ($t) = @_;
    my $dir = $t->dir . '/rows';

    mkdir $dir or die "mkdir: $!";
    my ($status, $out) = $t->run('build/bench_core', 'rows',
                                 $t->store_dir . '/judge.db', $dir, SLICE);
    die $out if $status != 0;
    unlink glob "$dir/*";
    rmdir $dir;

    return $out + 0;
}


# Scoring alone, one process a core at the same time.

sub bare_scoring {
    my ($t, @texts) = @_;

    my $n     = 0;
    my @files = map { $t->write('text' . $n++, Encode::encode('UTF-8', $_)) }
                    @texts;
    my @pipes = map {
        open my $pipe, '-|', 'build/bench_core', 'score', SCORING, @files
            or die "fork: $!";
        $pipe;
    } 1 .. 2;

    my $rate = 0;
    for my $pipe (@pipes) {
        my ($mb, $evaluations) = split ' ', scalar <$pipe>;
        $rate += $evaluations;
        close $pipe;
    }

    return $rate;
}


# A batch that does not end: its judge waits for a worker that never comes.

sub running {
    my ($t)  = @_;
    my $film = $t->new_judge(content_type => 'video');
    my $r    = $t->post('/v1/evaluations/social-media', json => {
        judge_id => $film,
        urls     => [ 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' ] });
    my $clip = $r->json->{items}[0]{content_id};
    my $id   = $t->post('/batches/evaluate', json => {
        name => 'Runs', judge_ids => [ $film ],
        content_items => [ { content_id => $clip } ] })->json->{batch_id};

    against_static($t, '  GET a running batch', '0.75', "/batches/$id");
}


# Texts of sentences of all essays, in an order that none of them has.  They
# are contents already when the workers' writes are counted, log, database
# and all.

sub size {
    my ($t, @essays) = @_;

    my @sentences = map { split /(?<=[.!?])\s+/ } map {
        Encode::decode('UTF-8', Judge::Nginx::read_file($_)) } @essays;
    my $next = 1;
    my @contents = map {
        my $text = '';
        while (length $text < TEXT) {
            $next = ($next * 1_103_515_245 + 12_345) % 2_147_483_648;
            $text .= $sentences[($next >> 8) % @sentences] . ' ';
        }
        $t->new_content($text);
    } 1 .. SIZED;

    my $judge = six($t);
    my $rows  = "SELECT COUNT(*) FROM evaluations WHERE status = 'completed'";
    my $kept  = "SELECT SUM(pgsize) FROM dbstat WHERE name LIKE 'results%'";
    my $ended = "SELECT SUM(pgsize) FROM dbstat WHERE name NOT LIKE"
                . " '%contents%'";
    my @before = map { $t->sql1($_) } $rows, $kept, $ended;
    checkpoint($t);                    # of what was written for the texts
    my $wrote  = written($t);

    batch_run($t, [$judge], map { { content_id => $_ } } @contents);
    sleep 2;                           # for a checkpoint that is under way
    $wrote = written($t) - $wrote + checkpoint($t);
    my @after = map { $t->sql1($_) } $rows, $kept, $ended;
    my ($n, $result, $all) = map { $after[$_] - $before[$_] } 0 .. 2;

    row('a result in the database file, bytes', int($result / $n), '', '',
        '1200');
    row('  with its evaluation, all indexes', int($all / $n), '', '', '');
    row('  written for an evaluation, log included', int($wrote / $n), '', '',
        '4096');
}


# Moves the log into the database; how many bytes that were.

sub checkpoint {
    my ($t) = @_;

    my $pid = open2(my $out, my $in, 'sqlite3', '-cmd', '.timeout 10000',
                    $t->store_dir . '/judge.db');
    print $in "PRAGMA wal_checkpoint(TRUNCATE);\n";
    $in->flush;
    my $done  = <$out>;
    my $wrote = written($t, $pid);
    close $in;
    waitpid $pid, 0;

    return $wrote;
}


# By these processes, or all workers.

sub written {
    my ($t, @pids) = @_;
    my $sum = 0;

    for my $pid (@pids ? @pids : $t->workers) {
        my ($n) = Judge::Nginx::read_file("/proc/$pid/io") =~ /wchar: (\d+)/;
        $sum += $n;
    }

    return $sum;
}


1;
