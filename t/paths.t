# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# docs/development/paths.md lists the functions that requests enter, as
# t/paths/paths.c sees them called.

use Judge::Test;

chdir Judge::Nginx->repo;

my %file = files();
my %calls = calls();

# The first and last function of each path, or one with what it calls.
my @paths = (
    ['POST /evaluations/single', 'judge_pipeline_bound', 'judge_await'],
    ['POST /batches/evaluate', 'judge_pipeline_bound', 'judge_await'],
    ['GET /batches/', 'judge_pipeline_handle', 'judge_reply_send'],
    ['GET /content/', 'judge_pipeline_handle', 'judge_reply_send'],
    ['A criterion', 'judge_score_criterion'],
);

open my $page, '<', 'docs/development/paths.md' or die "paths.md: $!";
my $text = do { local $/; <$page> };

for (@paths) {
    my ($name, $first, $last) = @$_;
    my ($request) = grep { /^\Q$name\E/ } sort keys %calls;
    my @called = $last ? between($calls{$request}, $first, $last)
                       : below($calls{'POST /evaluations/single'}, $first);
    my ($listed) = $text =~ /^## \Q$name\E[^\n]*\n(.*?)(?=^## |\z)/ms;
    my ($count)  = ($listed // '') =~ /^(\d+ functions in \d+ files)/m;
    my @lines    = ($listed // '') =~ /^ {4}(.*)$/mg;
    my ($functions, @want) = lines(@called);

    is(join("\n", @lines), join("\n", @want),
       "$name enters the functions that the page lists");
    is($count, $functions, "$name enters as many as the page says");
}

done_testing;


# The calls of each request: the depth and name of each function.

sub calls {
    my %name = map { m/^0*([0-9a-f]+) [tT] (\w+)$/ ? ($1 => $2) : () }
               `nm build/t/paths/paths`;
    my (%calls, $list);

    for (`build/t/paths/paths`) {
        if (/^(\d+) ([0-9a-f]+)$/) {
            push @$list, [$1, $name{$2} // $2];
        }
        else {
            chomp;
            $calls{$_} = $list = [];
        }
    }

    is($?, 0, 'the requests are answered');
    return %calls;
}


# Where each function is defined.

sub files {
    my %found;

    for my $path (glob 'src/{api,work,analysis}/*/*.c') {
        open my $file, '<', $path or die "$path: $!";
        for (<$file>) {
            $found{$1} //= $path =~ s{^src/}{}r if /^(judge_\w+)\(/;
        }
    }
    return %found;
}


# Of a new row, the operation that is submitted is the last one that has been
# awaited by judge_await_create().

sub between {
    my ($list, $first, $last) = @_;
    my @names = map { $_->[1] } @$list;

    shift @names while @names && $names[0] ne $first;

    my ($from) = grep { $names[$_] eq 'judge_await_create' } 0 .. $#names;
    my ($to)   = grep { $_ >= ($from // 0) && $names[$_] eq $last }
                 0 .. $#names;
    return @names[0 .. $to // $#names];
}

sub below {
    my ($list, $name) = @_;
    my ($i) = grep { $list->[$_][1] eq $name } 0 .. $#$list;
    my @names = $name;

    for ($i + 1 .. $#$list) {
        last if $list->[$_][0] <= $list->[$i][0];
        push @names, $list->[$_][1];
    }
    return @names;
}


# How many there are, and a line for each stay in a file, with each function
# when it is entered for the first time.

sub lines {
    my (%seen, %files, @lines);

    for (grep { !$seen{$_}++ } @_) {
        my $path = $file{$_} // '?';
        $files{$path}++;
        if (@lines && $lines[-1][0] eq $path) {
            push @{ $lines[-1][1] }, $_;
        }
        else {
            push @lines, [$path, [$_]];
        }
    }

    return (keys(%seen) . ' functions in ' . keys(%files) . ' files',
            map { wrapped($_->[0], @{ $_->[1] }) } @lines);
}

sub wrapped {
    my ($path, @names) = @_;
    my @lines = sprintf '%-34s %s', $path, shift @names;

    for (@names) {
        if (length("$lines[-1], $_,") > 115) {
            $lines[-1] .= ',';
            push @lines, ' ' x 35 . $_;
        }
        else {
            $lines[-1] .= ", $_";
        }
    }
    return @lines;
}
