# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# prove's harness, for util/test: keeps the sentence that counts assertions.  A
# file that ended early or broke its plan has one failure at least.  Those of a
# subtest count, and the subtest does not, but for its failure.

package Judge::Harness;

use strict;
use warnings;

use parent 'TAP::Harness';

my %counts;        # of a file's last run: [passed, failed, skipped]
my %inner;         # of its subtests, as they are read

sub counts {
    my ($passed, $failed, $skipped) = (0, %counts ? 0 : 1, 0);

    for (values %counts) {
        $passed  += $_->[0];
        $failed  += $_->[1];
        $skipped += $_->[2];
    }

    return "$passed passed, $failed failed"
           . ($skipped ? ", $skipped skipped" : '');
}

sub failed {
    return grep { $counts{$_}[1] } sort keys %counts;
}


# What a subtest prints is indented, and TAP::Parser does not know it.

sub make_parser {
    my ($self, @args) = @_;
    my ($parser, @rest) = $self->SUPER::make_parser(@args);
    my $count = $inner{$parser} = { passed => 0, skipped => 0 };

    $parser->callback(unknown => sub {
        local $_ = $_[0]->as_string;
        $count->{skipped}++ if /^ +ok \d+ # skip/;
        $count->{passed}++  if /^ +ok \d+(?! # skip)/;
        $count->{passed}--  if /^ +1\.\.[1-9]/;
    });

    return ($parser, @rest);
}


sub summary {
    my ($self, $sum) = @_;
    my @files = $sum->descriptions;

    $self->SUPER::summary($sum);

    for my $parser ($sum->parsers) {
        my $within = $inner{$parser};

        $counts{shift @files} = [
            $within->{passed} + $parser->passed - $parser->skipped,
            $parser->failed || ($parser->has_problems ? 1 : 0),
            $within->{skipped} + $parser->skipped
                + ($parser->skip_all ? 1 : 0),
        ];
    }
}

1;
