# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The blocks of README.md and docs/*.md, for the tests that run them as they
# are written:
#
#   my ($make, $check) = Judge::Docs->blocks('docs/operations.md', 'Backup',
#                                            'sh', 2);
#
# are the two ```sh blocks below that heading.  There must be so many, so that
# a new one is noticed; util/dev/check looks for a test that names each.

package Judge::Docs;

use strict;
use warnings;

use Judge::Nginx;


sub blocks {
    my ($class, $path, $heading, $kind, $count) = @_;

    my $text = Judge::Nginx::read_file(Judge::Nginx->repo . "/$path")
        // die "there is no $path\n";
    my ($section) = $text =~ /^#+ \Q$heading\E\n(.*?)(?=^##|\z)/ms
        or die "$path has no section $heading\n";
    my @blocks = $section =~ /^```\Q$kind\E\n(.*?)^```$/msg;

    die "$path has " . @blocks . " $kind blocks below $heading, the test"
        . " runs $count\n" if @blocks != $count;

    return @blocks;
}

1;
