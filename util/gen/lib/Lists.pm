# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Where Debian has its lists of words, and what src/analysis/languages says of
# a language.

package Lists;

use strict;
use warnings;
use utf8;

use Encode qw(decode);
use Exporter qw(import);

our @EXPORT_OK = qw(list_files slurp read_settings
                    $american $british $model $handbook $profiles);

our $american = '/usr/share/dict/american-english';
our $british  = '/usr/share/dict/british-english';
our $model    = '/usr/share/pocketsphinx/model/en-us/en-us.lm.bin';
our $handbook = '/usr/share/doc/debian-handbook/html';
our $profiles = '/usr/share/libexttextcat';


# Fails with the name of the package, of which a machine without documentation
# (a small container) may have left out files.
sub slurp {
    my ($path, $package) = @_;

    open my $in, '<:raw', $path
        or die "$path: $!: install the Debian package $package with all of "
               . "its files\n";
    local $/;
    my $bytes = <$in>;

    return eval { decode('UTF-8', "$bytes", 1) }
           // decode('ISO-8859-1', $bytes);
}


# The lines of FOLDER/CODE.txt before its first class: key => [values], with
# those of the file that "like" names.
sub read_settings {
    my ($folder, $code) = @_;
    my %settings;

    for (split /\n/, slurp("$folder/$code.txt", '')) {
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
sub list_files {
    my ($folder, $code) = @_;

    return ($american, $british, $model, sort glob "$profiles/*.lm")
        if $code eq 'en';

    my $settings = read_settings($folder, $code);
    my @text = map { my @pages = sort glob "$handbook/$_/*.html";
                     @pages ? @pages : "$handbook/$_" }
               @{$settings->{text} // []};

    return (@{$settings->{words} // []},
            (map { ("$_.aff", "$_.dic") } @{$settings->{hunspell} // []}),
            @text);
}

1;
