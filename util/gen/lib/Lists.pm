# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# What src/analysis/languages says of a language, and which of Debian's lists
# of words are read for it.  JUDGE_LANGUAGES="NAME …" in the environment names
# the only languages whose lists are read, by their codes.

package Lists;

use v5.36;
use utf8;

use Encode qw(decode);
use Exporter qw(import);

use C qw(file_lines);

our @EXPORT_OK = qw(left_out list_files slurp read_languages read_settings
                    $handbook);

our $handbook = '/usr/share/doc/debian-handbook/html';


# Fails with the name of the package, of which a machine without documentation
# (a small container) may have left out files.
sub slurp($path, $package = '') {
    open my $in, '<:raw', $path
        or die "$path: $!" . ($package && ": install the Debian package"
                              . " $package with all of its files") . "\n";
    local $/;
    my $bytes = <$in>;

    return eval { decode('UTF-8', "$bytes", 1) }
           // decode('ISO-8859-1', $bytes);
}


# The languages of FOLDER/languages.txt: code, name, and the ranges of an
# alphabet of their own.
sub read_languages($folder) {
    my @languages;

    file_lines("$folder/languages.txt", sub {
        my ($code, $name, @ranges) = split;
        push @languages, { code => $code, name => $name,
                           ranges => [map { [split /-/] } @ranges] };
    });

    return @languages;
}


# The lines of FOLDER/CODE.txt before its first class: key => [values], with
# those of the file that "like" names.
sub read_settings($folder, $code) {
    my %settings;

    for (split /\n/, slurp("$folder/$code.txt")) {
        last if /^\[/;
        my ($key, @values) = split ' ', s/#.*//r;
        push @{$settings{$key}}, @values if defined $key;
    }

    for (map { read_settings($folder, $_) } @{delete $settings{like} // []}) {
        my %other = %$_;
        push @{$settings{$_}}, @{$other{$_}} for keys %other;
    }

    return \%settings;
}


# Debian's files that are read for a language.
sub list_files($folder, $code) {
    my $settings = read_settings($folder, $code);
    my @text = map { my @pages = sort glob "$handbook/$_/*.html";
                     @pages ? @pages : "$handbook/$_" }
               @{$settings->{text} // []};

    return (@{$settings->{words} // []},
            (map { ("$_.aff", "$_.dic") } @{$settings->{hunspell} // []}),
            @text);
}


# Why a language has no tables in this build, or undef.
sub left_out($folder, $code) {
    my $wanted = $ENV{JUDGE_LANGUAGES};

    return 'JUDGE_LANGUAGES does not name it'
        if defined $wanted && !grep { $_ eq $code } split ' ', $wanted;

    my @files  = list_files($folder, $code);
    my ($gone) = grep { !-r } @files;

    return @files ? undef : 'no lists' if !defined $gone;
    return "$gone is not there";
}

1;
