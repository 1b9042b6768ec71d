# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Numbers that pages name are those of the sources: each line of
# t/data/numbers.txt has a page, a piece of it with "#" where a number stands,
# and what that number is, in constants of src.  And t/README.md has the
# variables that tests read.

use strict;
use warnings;

use Test::More;

my %constant;

for my $path (split /\n/, qx(find src -name '*.[ch]')) {
    open my $file, '<', $path or die "$path: $!";
    while (<$file>) {
        $constant{$1} = $2
            if m{^\#\s*define\s+(\w+)\s+(.*?)\s*(?:/\*.*)?$} && $2 ne '';
    }
}

# The value of an expression of constants.

sub value {
    my ($expression) = @_;

    my $of = $expression;
    $of =~ s{\((?:size_t|int64_t|judge_ms_t)\)|INT64_C|(?<=\d)(?:u|ll)\b}{}g;
    $of =~ s{\b([A-Z]\w+)}{exists $constant{$1} ? '(' . value($1) . ')'
                           : die "there is no constant $1\n"}ge
        if $of !~ /^[A-Z]\w+$/;
    return value($constant{$of} // die "there is no constant $of\n")
        if $of =~ /^[A-Z]\w+$/;
    die "$expression is no number\n" if $of !~ m{^[\d\s.()*+/<>-]+$};
    return eval $of;
}

sub page {
    my ($name) = @_;
    open my $file, '<:encoding(UTF-8)', "docs/$name.md"
        or die "docs/$name.md: $!";
    return do { local $/; <$file> };
}

open my $table, '<', 't/data/numbers.txt' or die "t/data/numbers.txt: $!";
while (<$table>) {
    next if /^\s*(?:$|--)/;
    chomp;
    my ($page, $text, @values) = split / *\| */;
    my $pattern = join '([\d.,]*\d)', map { join '\s+', map { quotemeta }
                  split / +/, $_, -1 } split /#/, $text, -1;
    my @found = page($page) =~ /$pattern/;

    is_deeply([ map { s/,//gr + 0 } @found ], [ map { value($_) } @values ],
              "docs/$page.md has the numbers of: $text");
}


# --- The variables of t/README.md --------------------------------------------

# Those that util/test sets for itself are nobody's business.
my %own = map { ("JUDGE_TEST_$_" => 1) } qw(SERVER DATABASE SERVERLESS);
my %read;

for my $path (split /\n/, qx(find t util -type f ! -path 't/data/*')) {
    open my $file, '<', $path or die "$path: $!";
    my $text = do { local $/; <$file> };
    push @{ $read{$_} }, $path for $path eq 't/README.md' ? ()
        : do { my %is; grep { !$is{$_}++ && !$own{$_} }
                            $text =~ /\b(JUDGE_TEST_[A-Z]+)/g };
}

open my $readme, '<', 't/README.md' or die "t/README.md: $!";
my %said = map { /^\| `(JUDGE_TEST_[A-Z]+)=\S*` \|(.*)/ ? ($1 => $2) : () }
           <$readme>;

is(join(' ', sort keys %said), join(' ', sort keys %read),
   't/README.md has each variable that tests read');
is(join(' ', sort $said{"JUDGE_TEST_$_"} =~ m{`(t/[\w/]+\.t)`}g),
   join(' ', grep { /\.t$/ && $_ ne 't/numbers.t' }
             sort @{ $read{"JUDGE_TEST_$_"} }),
   "t/README.md names the tests that read JUDGE_TEST_$_")
    for qw(SEED CASES LONG PICTURES);

done_testing;
