# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# t/matrix.txt: no test is lost, and each with a server runs with sanitizers
# and on PostgreSQL, but for those that the table takes out with its reason.

use strict;
use warnings;

use Test::More;

my (%tests, %runs, $way, %by_file);

open my $table, '<', 't/matrix.txt' or die "t/matrix.txt: $!";
for (grep { /^[^#\n]/ } <$table>) {
    if (/^(\w+): *(.*)/) {
        ($way, $runs{$1}) = ($1, $2);
    }
    else {
        push @{ $tests{$way} }, split ' ';
    }
}

my @files = sort glob 't/*.t t/*/*.t';
my %named = map { $_ => 1 } @files;


# --- What the table says ----------------------------------------------------

for my $way (sort keys %tests) {
    my @gone;

    for my $name (@{ $tests{$way} }) {
        my @of = grep { -e } glob "t/$name.t";
        push @gone, $name if !@of;
        push @{ $by_file{$_} }, $way for @of;
    }
    is("@gone", '', "every test that is $way is there");
}

is(join(', ', grep { 1 < grep { $_ ne 'nightly' } @{ $by_file{$_} } }
              sort keys %by_file), '', 'no test has two ways');
is(join(' ', sort map { grep { !/^(?:sqlite|postgresql)\+?;?$/ } split ' ' }
             values %runs), '', 'each run is on SQLite or on PostgreSQL');


# --- What is run ------------------------------------------------------------

# plan(OPTION…): the files of t/, with how each is run.

sub plan_of {
    my %plan;

    for (split /\n/, qx(util/test --list @_)) {
        my ($asan, $store, $file) = m{^(asan: )?(postgresql: )?(t/.*\.t)$}
            or next;
        push @{ $plan{$file} }, ($store ? 'postgresql' : 'sqlite')
                                . ($asan ? '+' : '');
    }
    return %plan;
}

sub serves {
    open my $file, '<', $_[0] or die "$_[0]: $!";
    return scalar grep { /^use Judge::(?:Test|Torture(?:::Server)?);/ }
                  <$file>;
}

sub is_of {
    my ($file, @ways) = @_;
    my %of = map { $_ => 1 } @{ $by_file{$file} // [] };
    return grep { $of{$_} } @ways;
}

my %default = plan_of();
my %nightly = plan_of('--nightly');
my @serving = grep { serves($_) && !is_of($_, 'once') } @files;

is(join(' ', grep { !$nightly{$_} } @files), '',
   'each test runs by --nightly');
is(join(' ', grep { !$default{$_} } @files),
   join(' ', grep { is_of($_, 'nightly') } @files),
   'each test runs by default, but for those marked nightly');

for (['default', \%default], ['nightly', \%nightly]) {
    my ($when, $plan) = @$_;
    my @there = grep { $plan->{$_} } @serving;
    my @rows  = grep { !is_of($_, qw(own sane lone)) } @there;

    is(join(' ', grep { !grep { /\+/ } @{ $plan->{$_} } }
                 grep { $when eq 'nightly' || !is_of($_, 'lone') } @there), '',
       "by $when each with a server runs with the sanitizers");
    is(join(' ', grep { !grep { /postgresql/ } @{ $plan->{$_} } } @rows), '',
       "by $when each with rows of its own runs on PostgreSQL");
    is(join(' ', grep { !grep { /sqlite/ } @{ $plan->{$_} } } @there), '',
       "by $when each runs on SQLite");
}

my @once = grep { @{ $default{$_} // [0] } != 1 }
           grep { !serves($_) || is_of($_, qw(once sane lone)) } @files;
is("@once", '', 'what has no server, or is taken out, runs once');

done_testing;
