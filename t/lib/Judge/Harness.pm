# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# prove's harness, for util/test: keeps the sentence that counts assertions.  A
# file that ended early or broke its plan has one failure at least.  Those of a
# subtest count, and the subtest does not, but for its failure.

package Judge::Harness;

use strict;
use warnings;

use parent 'TAP::Harness';

my $counts = "0 passed, 1 failed\n";
my %inner  = (passed => 0, skipped => 0);

sub counts { $counts }


# What a subtest prints is indented, and TAP::Parser does not know it.

sub make_parser {
    my ($self, @args) = @_;
    my ($parser, @rest) = $self->SUPER::make_parser(@args);

    $parser->callback(unknown => sub {
        local $_ = $_[0]->as_string;
        $inner{skipped}++ if /^ +ok \d+ # skip/;
        $inner{passed}++  if /^ +ok \d+(?! # skip)/;
        $inner{passed}--  if /^ +1\.\.[1-9]/;
    });

    return ($parser, @rest);
}


sub summary {
    my ($self, $sum) = @_;
    my ($passed, $failed, $skipped) = ($inner{passed}, 0, $inner{skipped});

    $self->SUPER::summary($sum);

    for my $parser ($sum->parsers) {
        my $bad = $parser->failed;

        $bad ||= 1 if $parser->has_problems;

        $failed  += $bad;
        $skipped += $parser->skipped + ($parser->skip_all ? 1 : 0);
        $passed  += $parser->passed - $parser->skipped;
    }

    $counts = "$passed passed, $failed failed"
              . ($skipped ? ", $skipped skipped" : '') . "\n";
}

1;
