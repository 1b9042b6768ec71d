# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The fuzz targets of t/fuzz, by clang's libFuzzer with AddressSanitizer and
# UBSan: what is in t/fuzz/corpus, and a number of inputs made out of it.  The
# same seed makes the same inputs. For hours instead:
#
#   util/build fuzz
#   build/t/fuzz/fuzz_csv -max_len=4096 FOLDER t/fuzz/corpus/csv

use strict;
use warnings;

use File::Temp qw(tempdir);
use Test::More;

# As many as take a few seconds.
my %runs = (
    assist => 20_000, callback => 20_000, checks => 5000, criteria => 2000,
    csv => 20_000, detect => 50_000, extract => 20_000, grader => 100_000,
    inflate => 20_000,
    messages => 20_000, reply => 20_000, score => 1500, url => 200_000,
);

is(join(' ', sort map { m{fuzz_(\w+)\.c$} } glob 't/fuzz/fuzz_*.c'),
   join(' ', sort keys %runs), 'every target has a number of runs');

my $dir = tempdir('judge-fuzz-XXXXXX', TMPDIR => 1, CLEANUP => 1);

for my $name (sort keys %runs) {
    my $program = "build/t/fuzz/fuzz_$name";
    my @corpus  = glob "t/fuzz/corpus/$name/*";

    ok(scalar @corpus, "$name: " . @corpus . ' inputs are kept');

    SKIP: {
        skip "$program is not built: it takes clang and its libFuzzer", 1
            if !-x $program;

        # What is new goes to the first folder.
        mkdir "$dir/$name";
        my $out = `$program -seed=1 -runs=$runs{$name} -max_len=1024 \\
                   -timeout=20 -rss_limit_mb=1000 -verbosity=0 \\
                   -artifact_prefix=$dir/bad- -print_final_stats=1 \\
                   $dir/$name t/fuzz/corpus/$name 2>&1 </dev/null`;
        my ($n) = $out =~ /number_of_executed_units: (\d+)/;

        is($?, 0, "$name: " . ($n // 0) . ' inputs') or diag(
            $out, map { "$_: " . unpack('H*', slurp($_)) } glob "$dir/bad-*");
    }
}

sub slurp {
    open my $file, '<:raw', $_[0] or return '';
    local $/;
    return scalar <$file>;
}

done_testing;
