# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/bench --record: ratios of a release are kept beside those of the last
# one, and what got slower is told.

use strict;
use warnings;

use File::Temp qw(tempdir);
use Test::More;

use lib 't/lib', 'util/bench.d';
use Bench ();

*record = \&Bench::record;
my $file = tempdir(CLEANUP => 1) . '/benchmarks.tsv';

sub lines {
    open my $in, '<', $file or die "$file: $!";
    return map { s/\t\d{4}-\d\d-\d\d\t/ /r =~ tr/\t\n/ /dr } <$in>;
}

is_deeply([ record($file, '1.0', [ 'reads, per s', 0.8 ], [ 'batch, ms', 1.1 ],
                   [ 'gone', 2 ]) ], [],
          'nothing is slower in the first record');
is_deeply([ record($file, '1.1', [ 'reads, per s', 0.7 ], [ 'batch, ms', 1.2 ],
                   [ 'new', 3 ]) ], [], 'what moved by little is not slower');
is_deeply([ record($file, '1.1', [ 'reads, per s', 0.6 ],
                   [ 'batch, ms', 1.4 ]) ],
          [ 'reads, per s: 0.6, was 0.8', 'batch, ms: 1.4, was 1.1' ],
          'a lower rate is slower, and a longer time');
is_deeply([ record($file, '1.2', [ 'reads, per s', 0.9 ], [ 'batch, ms', 0.9 ],
                   [ 'gone', 2.1 ]) ], [], 'what is faster is not told');
is_deeply([ lines() ], [ '1.0 reads, per s 0.8', '1.0 batch, ms 1.1',
                         '1.0 gone 2', '1.1 reads, per s 0.6',
                         '1.1 batch, ms 1.4', '1.2 reads, per s 0.9',
                         '1.2 batch, ms 0.9', '1.2 gone 2.1' ],
          'a release that is measured again has its last figures');

done_testing;
