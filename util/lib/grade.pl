#!/usr/bin/env perl
#
# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# The chat replies of GRADE (Huang et al. 2020), as util/quality reads texts:
#
#   grade.pl human_judgement.json
#
# Each has what was said before as its source, a turn a line, and the mean of
# ten people's scores of how coherent it is with that.

use strict;
use warnings;

use JSON::PP;
use List::Util qw(sum);

my $json = JSON::PP->new->utf8->canonical;
my $file = shift @ARGV // die "usage: grade.pl FILE\n";

open my $in, '<', $file or die "grade.pl: $file: $!\n";
my $rows = $json->decode(do { local $/; <$in> });

for my $row (@$rows) {
    my @scores = @{ $json->decode($row->{HumanScores}) };
    my $mean   = sum(@scores) / @scores;

    print $json->encode({
        id      => "$row->{ID}", text => $row->{Response},
        scores  => { coherence => $mean }, overall => $mean,
        meta    => { source => $row->{Context} =~ s/\Q|||\E/\n/gr } }), "\n";
}
