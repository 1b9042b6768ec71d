# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# The labels of tests, and which of them are fragments of a sentence: these
# begin with "and", have fewer than three words, or have no verb behind their
# first word.  It is a guess; a label that it takes is not a good one yet.

package Judge::Labels;

use strict;
use warnings;
use utf8;

use Exporter qw(import);

our @EXPORT_OK = qw(labels fragment);

# Words behind which a sentence has its verb; plurals of nouns look like
# verbs, and those that labels use are named.

my $NO_START = qr/^(?:\W*…|(?:and|but|or|so|then|nor|which|whose|unless|is
                  |are|was|were|has|have|takes|gives|says|keeps)\b)/xi;
my $VERB     = qr/\b(?:am|are|was|were|has|have|had|does|do|did|may|might
                  |must|shall|should|will|would|can(?:not)?|\w+n't|agree|ask
                  |became|begin|came|come|cost|count|differ|end|fail|find|fit
                  |follow|get|give|go|got|hold|keep|know|lack|lead|leave|let
                  |lie|look|make|match|meet|move|need|pass|read|remain|say
                  |share|show|stand|stay|stop|take|tell|use|wait|went|win
                  |work)\b/xi;
my $PLURAL   = qr/^(?:\w*(?:ss|us)|as|this|its|his|yes|always|times|others
                  |criteria|judges|keys|texts|scores|words|bytes|letters
                  |lines|files|parts|pages|rows|values|numbers|fields|jobs
                  |labels|lists|webhooks|events|workers|people|versions|limits
                  |batches|evaluations|contents|requests|models
                  |errors|failures|rules|digits|headers|signs|points|tokens
                  |spaces|quotes|items|pairs|characters|seconds|minutes|days
                  |hours|years|organizations|rates|entries|messages|quarters
                  |examples|languages|sentences|columns|members|pictures
                  |thirds|results|steps|things|types|uploads|clips|reasons
                  |weights|ways|strings|objects|brackets|sides|cases)$/xi;

sub fragment {
    my ($label) = @_;
    my ($first, @words) = $label =~ /[\w'’\$%{}\@>-]+/g;

    return 0 if $label =~ /^[\$%][\w.{}>*-]+$/;
    return 1 if @words < 2 || $label =~ $NO_START;
    return !grep { $_ =~ $VERB || /^(?:is|\w{2,}s)$/ && $_ !~ $PLURAL }
                 @words;
}

# The label of an assertion in Perl is the last string of its statement; in C,
# it is the argument behind what is compared, in two arguments or, of numbers
# that are near and of details, in three.  Returns pairs of line and label.

sub labels {
    my ($text, $c) = @_;
    my $string = qr/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/;
    my $group  = qr/([({](?:[^(){}"']|$string|(?-1))*[)}])/;
    my $before = qr/(?:[^(){}"',;]|$string|$group)+,/;
    my $called = $c ? qr/^[ ]+t_(?=(?:ok|are|is_\w+)\()/m
        : qr/^[ ]*(?:ok|isn?t?|(?:un)?like|is_deeply|cmp_ok|status_is
                    |error_is)\(/mx;
    my $rest   = $c
        ? qr/(?:ok\($before|is_(?:near|detail)\($before$before$before
                |(?:are|is_(?!near|detail)\w+)\($before$before)\s*
             (?<label>$string(?:\s*$string)*)\s*[,)]/x
        : qr/(?:(?!$called).)*?,\s*(?<label>$string(?:\s*\.\s*$string)*)\)\s*
             (?:;|\b(?:or|for|if)\b)/xs;
    my @labels;

    while ($text =~ /$called/g) {
        next if $text !~ /\G$rest/gc;
        my ($at, $label) = ($-[0], $+{label});
        push @labels, [ 1 + (substr($text, 0, $at) =~ tr/\n//),
                        join '', map { substr $_, 1, -1 }
                                 $label =~ /$string/g ];
    }

    return @labels;
}

1;
