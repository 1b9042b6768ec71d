# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# What generators of C share: strings, the hashes of src/base/core/hash.h, and
# tables that are found by them.

package C;

use v5.36;
no feature 'unicode_strings';          # texts are read as bytes

use Exporter qw(import);

our @EXPORT_OK = qw(escaped quoted hash hash_of join_hash slot file_lines);


# A text as it stands within C's quotes; with them; no text is NULL.

sub escaped { $_[0] =~ s/(["\\])/\\$1/gr }

sub quoted { defined $_[0] ? '"' . escaped($_[0]) . '"' : 'NULL' }


# FNV-1a with 64 bits; of the text's bytes, or of any numbers.

sub hash($text) {
    utf8::encode($text) if utf8::is_utf8($text);
    return hash_of(unpack 'C*', $text);
}

sub hash_of {
    use integer;
    my $hash = -3750763034362895579;

    $hash = ($hash ^ $_) * 1099511628211 for @_;

    return $hash;
}

# Of something behind what has the first hash.

sub join_hash($hash, $next) {
    {
        use integer;
        $hash = (($hash * 1099511628211) ^ $next) * 1099511628211;
    }

    return $hash ^ ($hash >> 29);
}


# Where a hash goes among slots that are filled one behind the other.

sub slot($slots, $mask, $hash) {
    my $i = $hash & $mask;

    $i = ($i + 1) & $mask while defined $slots->[$i];

    return $i;
}


# Calls for each line, without its end and comments (whole lines, unless
# `behind` is set), until it says that one was the last; the line stands in $_.

sub file_lines($path, $row, $behind = 0) {
    open my $in, '<', $path or die "$0: $path: $!\n";

    while (<$in>) {
        chomp;
        $behind ? s/(?:^|\s+)#.*// : s/^#.*//;
        last if /\S/ && ($row->() // '') eq 'last';
    }

    close $in;
}

1;
