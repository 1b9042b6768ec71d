# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/bench instructions: how many instructions an evaluation of a batch takes
# (texts of 2 KB, six criteria), and in which part of the code.  They are
# counted by valgrind in one process, without those of the kernel, and without
# what is done once a second, which is often where valgrind slows all down.

use strict;
use warnings;

use constant COUNTED => 600;

# Inclusive, so that what is indented is a part of what stands above it.
my @counted = (
    [ 'score'                  => qw(judge_reading_create judge_score_reading
                                     judge_explain) ],
    [ '  words and sentences'  => 'judge_text_parse_as' ],
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


sub instructions {
    my $callgrind = 'callgrind';

    # Judge::Test is told how to start nginx when it is loaded.
    if (($ENV{JUDGE_TEST_VALGRIND} // '') ne $callgrind) {
        $ENV{JUDGE_TEST_VALGRIND} = $callgrind;
        exec $^X, $0, 'instructions';
    }

    my $t = Judge::Test->new(http => 'judge_tuning on;', judge => 'default',
                             described => 0, access_log => 'off',
                             ends => 'KILL');
    my @items = batch_items(COUNTED, glob 't/data/essays/*.txt');
    my $judge = six($t);

    batch_run($t, [$judge], @items[0 .. 99]);
    $t->run('callgrind_control', '-z', $t->pid);
    batch_run($t, [$judge], @items);
    $t->run('callgrind_control', '-d', $t->pid);

    my ($file) = sort glob $t->dir . '/callgrind.*';
    my %sum;
    open my $in, '-|', 'callgrind_annotate', '--inclusive=yes', '--auto=no',
         '--threshold=100', $file or die "callgrind_annotate: $!";
    while (<$in>) {
        my ($n, $name) = /^\s*([\d,]+) .*?(\S+)(?: \[[^\]]*\])?$/ or next;
        $n =~ tr/,//d;
        # A function that calls itself has a number for each depth.
        my ($function) = $name =~ /:([\w.]+?)(?:'\d+)?$/ or next;
        $sum{$function} = $n if $n > ($sum{$function} // 0);
    }
    close $in;

    printf "\n%-44s %12s\n", 'instructions of one evaluation', '';
    printf "%-44s %12d\n", @$_ for
        (map { my ($label, @f) = @$_;
               [ $label, sum(map { $sum{$_} // 0 } @f) / COUNTED ] } @counted),
        [ 'all of these', sum(map { my ($label, @f) = @$_;
            $label =~ /^ / ? () : map { $sum{$_} // 0 } @f } @counted)
            / COUNTED ];
    $t->crash;
}


1;
