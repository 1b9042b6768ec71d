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
#
#   my $out = Judge::Docs->works($t, 'docs/operations.md', "$make $check");
#
# runs commands as a reader does after `. run/env`, tests that they succeed,
# and has what they print.

package Judge::Docs;

use strict;
use warnings;

use Test::More ();

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


sub works {
    my ($class, $t, $path, $commands) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;
    local %ENV = (%ENV, JUDGE_URL => $t->url, JUDGE_API_KEY => $t->key);

    my ($status, $out) = $t->run('bash', '-c', "set -e; $commands");

    Test::More::is($status, 0, "the commands of $path succeed")
        or Test::More::diag($out);
    return $out;
}


1;
