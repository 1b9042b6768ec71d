# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/bench --record: the ratios of a release in a small file, beside those of
# the releases before, so that a slower build is seen.  Ratios are to what
# bounds a row on the same machine in the same run.

use strict;
use warnings;

use POSIX ();

use constant SLOWER => 1.2;            # by so much: ratios move by a tenth


# Writes the rows [name, ratio] of a release, in place of what it had, and
# tells which are slower than in the last release that has them.

sub record {
    my ($file, $release, @rows) = @_;
    my (@kept, %last, @slower);

    if (open my $in, '<', $file) {
        @kept = grep { !/^\Q$release\E\t/ } <$in>;
        close $in;
    }
    for (@kept) {
        my (undef, undef, $name, $ratio) = split /[\t\n]/;
        $last{$name} = $ratio;
    }
    for (@rows) {
        my ($name, $ratio) = @$_;
        my $was = $last{$name} || next;
        my $by  = $name =~ m{/s|per s$} ? $was / $ratio : $ratio / $was;
        push @slower, "$name: $ratio, was $was" if $by > SLOWER;
    }

    my $day = POSIX::strftime('%Y-%m-%d', gmtime);
    open my $out, '>', "$file.new" or die "$file.new: $!\n";
    print $out @kept, map { join("\t", $release, $day, @$_) . "\n" } @rows;
    close $out or die "$file.new: $!\n";
    rename "$file.new", $file or die "$file: $!\n";

    return @slower;
}

1;
