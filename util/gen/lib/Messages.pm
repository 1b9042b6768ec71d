# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# The sentences and names that feedback can say, and their translations.

package Messages;

use v5.36;
use utf8;

use Exporter qw(import);

use C qw(quoted);
use Lists qw(read_languages slurp);

our @EXPORT_OK = qw(messages read_po write_po);

# What has a sentence as an argument that is a literal.
my $CALLS = qr/\b(?:judge_(?:say|explain_say|explain_quote|check_say
                   |format_say|check_noun|check_has)|JUDGE_TRANSLATED)\(/x;

my $LITERAL = qr/"((?:\\.|[^"\\])*)"/;


# All of them, in the order of the files under src.
sub messages($folder) {
    my (@found, %seen);

    push @found, calls(slurp($_))
        for sort glob "$folder/../*/*/*.c";

    push @found, aspects($folder),
        (map { $_->{name} } read_languages("$folder/languages")),
        map { grep { length } /$LITERAL/g }
        map { join ',', (split /,/)[6, 7] }
        grep { !/likeness/ } nouns($folder);

    return grep { !$seen{$_}++ } @found;
}


# The types of checks, as C has them.
sub nouns($folder) {
    return qx("$folder/../../util/gen/tables" "$folder/checks/types_table.txt")
           =~ /\{ ([^{}]*) \}/g;
}


# Literals that stand side by side are one.
sub calls($text) {
    my @found;

    while ($text =~ /$CALLS/g) {
        my ($depth, $whole) = (1);

        while ($depth > 0 && $text =~ m{\G(?:$LITERAL|(\s+)|(.))}gcs) {
            if (defined $1) {
                $whole .= $1;
            } elsif (defined $3) {
                $depth += $3 eq '(' ? 1 : $3 eq ')' ? -1 : 0;
                push @found, $whole if defined $whole;
                undef $whole;
            }
        }
    }

    return map { s/\\(.)/$1/gr } grep { !/^(?:|…|[^\w“]+)$/ } @found;
}


# Aspects are named, and their features, where they have a name, and the
# places that these count.
sub aspects($folder) {
    my (%uses, @called);

    for (map { split /\n/, slurp($_) } sort glob "$folder/aspects/*.txt") {
        $uses{$1} = 1 if /^(?:feature|elsewhere|fault) (\w+)/;
        push @called, $1 if /^(?:called|opposite): (.+)/;
    }

    my ($on, $first, $last, @names, @places) = (0);

    for (split /\n/, slurp("$folder/features/features.txt")) {
        s/(?:^|\s+)#.*//;

        if (/^place (\w+)(?:: (.+))?/) {
            push @places, [ $1, $2 ];
        } elsif (/^\s+name: (.+)/) {
            push @names, $1 if $on;
        } elsif (/^(\w+) \d/) {
            $on = $uses{$1};
            push @$last, [ $1, $2 // $1 ]
                if $on && /counts (\w+)(?:\.\.(\w+))?/;
        }
    }

    # CONVENTION_SLIPS counts the places of its family
    push @$last, [ 'misspelled', 'unfinished' ] if $uses{convention_slips};

    my %number = map { $places[$_][0] => $_ } 0 .. $#places;
    my %counted = map { $_ => 1 } map { $number{$_->[0]} .. $number{$_->[1]} }
                  @{$last // []};

    return (@called, @names,
            grep { defined } map { $places[$_][1] }
            sort { $a <=> $b } keys %counted);
}


# Pairs of msgid and msgstr, but for the head.
sub read_po($path) {
    my (@pairs, $text);

    for (split /\n/, slurp($path)) {
        next if /^#/ || !/\S/;

        my ($kind, $string) = /^(?:(msgid|msgstr) )?$LITERAL$/
            or die "$path: not a line of a .po file: $_\n";

        push @pairs, [] if ($kind // '') eq 'msgid';
        die "$path: $_: no msgid is before it\n" if !@pairs;
        push @{$pairs[-1]}, '' if defined $kind;
        $pairs[-1][-1] .= $string =~ s/\\n/\n/gr =~ s/\\(.)/$1/gr;
    }

    return grep { length $_->[0] } @pairs;
}


sub po_quoted { quoted($_[0]) =~ s/\n/\\n/gr }


# The pairs as lines of a .po file, but for the head.
sub write_po {
    return join "\n",
        map { (index($_->[0], '%') >= 0 ? "#, c-format\n" : '')
              . 'msgid ' . po_quoted($_->[0]) . "\n"
              . 'msgstr ' . po_quoted($_->[1] // '') . "\n" } @_;
}

1;
