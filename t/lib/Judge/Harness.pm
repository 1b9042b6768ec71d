# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# prove's harness, for util/test: keeps the sentence that counts assertions.  A
# file that ended early or broke its plan has one failure at least.

package Judge::Harness;

use strict;
use warnings;

use parent 'TAP::Harness';

my $counts = "0 passed, 1 failed\n";

sub counts { $counts }


sub summary {
    my ($self, $sum) = @_;
    my ($passed, $failed, $skipped) = (0, 0, 0);

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
