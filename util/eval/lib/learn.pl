#!/usr/bin/env perl
#
# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# How well judges learn from corrections, seen from outside: over the HTTP
# interface of a running service (JUDGE_URL and JUDGE_API_KEY, as in run/env)
# each number of corrections gets a judge of its own, which evaluates the texts
# in a batch, gets people's scores, is trained, and then evaluates texts that
# nobody corrected.  Called by util/eval/quality learn.
#
#   learn.pl [--items=N,N,…] [--seed=N] [--draws=N] [--intervals|--review]
#            NAME FILE.jsonl …
#
# With --draws each row is about so many judges, of seeds that follow each
# other: how many were deployed, how many err more on the unseen texts than
# before, how many more than the interval of the error before allows, and how
# many beyond the interval of the difference, which is narrower.
#
# With --intervals: how many of people's scores of unseen texts lie within the
# intervals of the judge's, in percent, and how wide these are in points:
# before any correction, after the corrections, and after the training.
#
# With --review a draw has two judges: people correct what GET
# /judges/{id}/review names first, of 500 texts, or the first of these.
#
# Texts are divided by a hash of their id (a fifth is unseen); where they name
# their document and system, a third of both is, and what mixes the two is
# left out.

use strict;
use warnings;

use Digest::MD5 qw(md5);
use HTTP::Tiny;
use List::Util qw(min sum0);
use Time::HiRes qw(sleep time);

require JSON::PP;

my $json = eval { require JSON::XS; JSON::XS->new->utf8 }
           // JSON::PP->new->utf8;

my ($url, $key) = @ENV{qw(JUDGE_URL JUDGE_API_KEY)};
die "learn: JUDGE_URL and JUDGE_API_KEY name the service\n"
    if !defined $url || !defined $key;

my $http = HTTP::Tiny->new(timeout => 120, default_headers => {
    'X-API-Key' => $key, 'Content-Type' => 'application/json' });

my $UNSEEN    = 400;                   # texts at most, with --draws
my $RESAMPLES = 400;

my %opt = (items => '25,100,all', seed => 0, draws => 0);
while (@ARGV && $ARGV[0] =~ /^--(items|seed|draws|intervals|review)
                         (?:=(.+))?$/x) {
    $opt{$1} = $2 // 1;
    shift @ARGV;
}

my $POOL  = 500;
my @BASES = ('nothing', 'corrected', 'trained');

# The error of the judge, of the untrained judge, and of one that always gives
# the mean of the scores that it has seen; the same for the correlations.

if ($opt{review}) {
    printf "%-10s %6s %6s  %8s %8s  %8s %8s %9s\n", 'set', 'items', 'draws',
           'rmse', 'random', 'spearman', 'random', 'untrained';
} elsif ($opt{intervals}) {
    printf "%-10s %6s %6s%s\n", 'set', 'items', 'draws',
           join '', map { sprintf ' %9s %6s', $_, 'width' } @BASES;
} elsif ($opt{draws}) {
    printf "%-10s %6s %6s %9s %6s %8s %7s  %6s %9s %6s  %8s %9s\n", 'set',
           'items', 'draws', 'deployed', 'worse', 'outside', 'beyond', 'rmse',
           'untrained', 'mean', 'spearman', 'untrained';
} else {
    printf "%-10s %6s %7s  %6s %9s %6s  %8s  %8s %9s  %8s\n", 'set', 'items',
           'unseen', 'rmse', 'untrained', 'mean', 'pearson', 'spearman',
           'untrained', 'training';
}

while (my ($name, $file) = splice @ARGV, 0, 2) {
    my @samples = samples($file);

    for my $n (split /,/, $opt{items}) {
        if ($opt{review}) {
            review($name, $n, @samples);
        } elsif ($opt{intervals}) {
            intervals($name, $n, @samples);
        } elsif ($opt{draws}) {
            draws($name, $n, @samples);
        } else {
            report($name, drawn($name, $n, @samples));
        }
    }
}


# What comes of so many corrections; of texts as the seed divides them.

sub drawn {
    my ($name, $n, @samples) = @_;

    my ($learn, $unseen) = divide(@samples);

    $n = @$learn if $n eq 'all' || $n > @$learn;
    splice @$unseen, $UNSEEN if $opt{draws} && @$unseen > $UNSEEN;

    my $last = $opt{review} ? min($POOL, scalar @$learn) : $n;

    return measured($name, [ @$learn[0 .. $last - 1] ], $unseen, $n);
}


sub review {
    my ($name, $n, @samples) = @_;

    my $first = $opt{seed};
    my $draws = $opt{draws} || 1;
    my %sum;

    for my $draw (0 .. $draws - 1) {
        for my $review (1, 2) {
            local $opt{seed}   = $first + $draw;
            local $opt{review} = $review;
            my $m = drawn($name, $n, @samples);
            $sum{"$_$review"} += $m->{$_} / $draws
                for qw(rmse spearman untrained);
        }
    }

    printf "%-10s %6s %6d  %8.3f %8.3f  %8.3f %8.3f %9.3f\n", $name, $n,
           $draws, @sum{qw(rmse1 rmse2 spearman1 spearman2 untrained1)};
}


# The rows to correct: those that are named first, or any.

sub chosen {
    my ($judge, $n, @rows) = @_;

    return 0 .. $n - 1 if $opt{review} != 1;

    my %at = map { $rows[$_]{evaluation_id} => $_ } 0 .. $#rows;
    my (@order, $cursor);

    while (@order < $n) {
        my $page = ask(GET => "/judges/$judge/review?limit=200"
                              . ($cursor ? "&cursor=$cursor" : ''));
        push @order, map { $at{$_->{evaluation_id}} } @{ $page->{items} };
        $cursor = $page->{next_cursor} // last;
    }

    return @order[0 .. $n - 1];
}


sub intervals {
    my ($name, $n, @samples) = @_;

    my $first = $opt{seed};
    my $draws = $opt{draws} || 1;
    my %sum;

    for my $draw (0 .. $draws - 1) {
        local $opt{seed} = $first + $draw;
        my $held = drawn($name, $n, @samples)->{held};
        for my $basis (@BASES) {
            $sum{$basis}[$_] += $held->{$basis}[$_] / $draws for 0, 1;
        }
    }

    printf "%-10s %6s %6d%s\n", $name, $n, $draws,
           join '', map { sprintf ' %9.1f %6.1f', @{ $sum{$_} } } @BASES;
}


# The share of scores in their intervals, and the mean width of these.

sub held {
    my ($rows, $samples, $criteria) = @_;
    my ($in, $n, $width) = (0, 0, 0);

    for my $k (0 .. $#$samples) {
        my ($low, $high) = @{ $samples->[$k]{range} };

        for my $c (@$criteria) {
            my ($score) = grep { $_->{name} eq $c }
                          @{ $rows->[$k]{criteria_scores} };
            my $human = 100 * ($samples->[$k]{scores}{$c} - $low)
                            / ($high - $low);
            my $i = $score->{interval};

            $in++ if $human >= $i->{low} && $human <= $i->{high};
            $width += $i->{high} - $i->{low};
            $n++;
        }
    }

    return [ 100 * $in / $n, $width / $n ];
}


# Until the corrections have been counted in.

sub counted {
    my ($judge, $sample, $n) = @_;

    for ( ;; ) {
        my $row = evaluate($judge, [ $sample ])->{rows}[0];
        return if $row->{criteria_scores}[0]{interval}{n} >= $n;
        sleep 1;
    }
}


sub draws {
    my ($name, $n, @samples) = @_;

    my $first = $opt{seed};
    my (@all, %count);

    for my $draw (0 .. $opt{draws} - 1) {
        local $opt{seed} = $first + $draw;
        my $m = drawn($name, $n, @samples);
        push @all, $m;
        $count{deployed}++ if $m->{deployed};
        $count{worse}++    if $m->{rmse} > $m->{before} + 1e-9;
        $count{outside}++  if $m->{outside};
        $count{beyond}++   if $m->{beyond};
    }

    printf "%-10s %6d %6d %9d %6d %8d %7d  %6.3f %9.3f %6.3f  %8.3f %9.3f\n",
           $name, $all[0]{n}, scalar @all,
           (map { $count{$_} // 0 } qw(deployed worse outside beyond)),
           map { my $k = $_; avg(map { $_->{$k} } @all) }
               qw(rmse before mean spearman untrained);
}


sub samples {
    my ($file) = @_;
    my @samples;

    open my $in, '<:raw', $file or die "learn: $file: $!\n";
    while (my $line = <$in>) {
        push @samples, $json->decode($line);
    }

    return @samples;
}


sub hash {
    my ($text) = @_;
    utf8::encode($text);
    return unpack 'N', md5("$opt{seed} $text");
}


# By hash, so that the same texts are unseen in every run of a seed.

sub divide {
    my @samples = @_;
    my (@learn, @unseen);
    my %held = map { $_ => third($_, @samples) } qw(doc system);

    for my $s (sort { hash($a->{id}) <=> hash($b->{id}) } @samples) {
        my ($doc, $system) = @{ $s->{meta} // {} }{qw(doc system)};

        if (!defined $doc || !defined $system) {
            push @{ hash("unseen $s->{id}") % 5 ? \@learn : \@unseen }, $s;
            next;
        }

        my $held = ($held{doc}{$doc} // 0) + ($held{system}{$system} // 0);
        push @unseen, $s if $held == 2;
        push @learn,  $s if $held == 0;
    }

    return (\@learn, \@unseen);
}


# A third of the documents, or systems.

sub third {
    my ($what, @samples) = @_;

    my %all   = map { $_->{meta}{$what} // '' => 1 } @samples;
    my @order = sort { hash("$what $a") <=> hash("$what $b") } sort keys %all;

    return { map { $_ => 1 } @order[0 .. int(@order / 3) - 1] };
}


sub call {
    my ($method, $path, $body) = @_;

    my $r = $http->request($method, "$url$path", {
        defined $body ? (content => $json->encode($body)) : ()
    });

    die "learn: $method $path: $r->{status} ", substr($r->{content}, 0, 300),
        "\n" if !$r->{success};

    return $r->{content};
}


sub ask { return $json->decode(call(@_)) }


sub report {
    my ($name, $m) = @_;

    printf "%-10s %6d %7d  %6.3f %9.3f %6.3f  %8.3f  %8.3f %9.3f  %6.1f s"
           . "  %s\n", $name, @$m{qw(n unseen rmse before mean pearson
           spearman untrained seconds why)};
}


# A judge that learns from some texts, and its figures on others.

sub measured {
    my ($name, $learn, $unseen, $n) = @_;

    my @criteria = sort keys %{ $learn->[0]{scores} };
    my ($low, $high) = @{ $learn->[0]{range} };
    my $judge = ask(POST => '/judges', {
        name => "Quality of learning: $name", content_type => 'text',
        description => 'As people scored',
        criteria => [ map { { name => $_, description => $_ } } @criteria ],
    });
    my $made = ask(GET => "/judges/$judge->{judge_id}");
    my %id   = map { $_->{name} => $_->{criterion_id} } @{ $made->{criteria} };

    my %held;
    $held{nothing} = held(evaluate($judge->{judge_id}, $unseen)->{rows},
                          $unseen, \@criteria) if $opt{intervals};

    my $evaluated = evaluate($judge->{judge_id}, $learn);
    my $batch     = $evaluated->{batch};
    my @rows      = @{ $evaluated->{rows} };

    if ($opt{review}) {
        my @chosen = chosen($judge->{judge_id}, $n, @rows);
        @rows  = @rows[@chosen];
        $learn = [ @$learn[@chosen] ];
    }

    for (my $i = 0; $i < @rows; $i += 2000) {
        my $last = $i + 1999 < $#rows ? $i + 1999 : $#rows;
        ask(POST => "/batches/$batch/feedback", { feedback_entries => [ map {
            my $k = $_;
            {
                evaluation_id => $rows[$k]{evaluation_id},
                type => 'correction',
                content => { corrected_scores => { map {
                    $id{$_} => 100 * ($learn->[$k]{scores}{$_} - $low)
                                   / ($high - $low)
                } @criteria } },
            }
        } $i .. $last ] });
    }

    if ($opt{intervals}) {
        counted($judge->{judge_id}, $unseen->[0], scalar @$learn);
        $held{corrected} = held(evaluate($judge->{judge_id}, $unseen)->{rows},
                                $unseen, \@criteria);
    }

    my ($job, $seconds) = train($judge->{judge_id});
    my $results = $job->{results} // {};
    my $rows    = evaluate($judge->{judge_id}, $unseen)->{rows};
    $held{trained} = held($rows, $unseen, \@criteria) if $opt{intervals};

    my (@rmse, @before, @pearson, @spearman, @mean, @untrained, @squares);

    for my $c (@criteria) {
        my @human = map { $_->{scores}{$c} } @$unseen;
        my (@judged, @raw);

        for my $row (@$rows) {
            my ($score) = grep { $_->{name} eq $c }
                          @{ $row->{criteria_scores} };
            push @judged, $low + $score->{score} / 100 * ($high - $low);
            push @raw, $low + ($score->{raw_score} // $score->{score})
                              / 100 * ($high - $low);
        }

        my $average = sum0(map { $_->{scores}{$c} } @$learn) / @$learn;
        push @rmse, rmse(\@judged, \@human);
        push @before, rmse(\@raw, \@human);
        push @squares, [ map {
            my $scores = $_;
            [ map { ($scores->[$_] - $human[$_]) ** 2 } 0 .. $#human ]
        } \@judged, \@raw ];
        push @mean, rmse([ ($average) x @human ], \@human);
        push @pearson, pearson(\@judged, \@human);
        push @spearman, pearson(ranks(@judged), ranks(@human));
        push @untrained, pearson(ranks(@raw), ranks(@human));
    }

    return {
        n => scalar @$learn, unseen => scalar @$unseen, held => \%held,
        rmse => avg(@rmse), before => avg(@before), mean => avg(@mean),
        pearson => avg(@pearson), spearman => avg(@spearman),
        untrained => avg(@untrained), seconds => $seconds,
        deployed => $results->{deployed} ? 1 : 0,
        $opt{draws} ? doubts(avg(@rmse), \@squares) : (),
        why => $job->{status} ne 'completed'
            ? "failed: $job->{error_info}{error_message}"
            : $results->{deployed} ? '' : 'not deployed: '
              . ($results->{deployment_reason} // ''),
    };
}


# Out of a bootstrap over the texts: whether the error is above 97.5 % of what
# it was before; and whether it grew in 97.5 % of the draws.

sub doubts {
    my ($rmse, $squares) = @_;
    my $n = @{ $squares->[0][0] };
    my ($worse, $less) = (0, 0);

    srand $opt{seed};

    for (1 .. $RESAMPLES) {
        my @drawn = map { int rand $n } 1 .. $n;
        my ($judged, $raw) = map {
            my $k = $_;
            avg(map { sqrt(sum0(@{ $_->[$k] }[@drawn]) / $n) } @$squares)
        } 0, 1;
        $worse++ if $judged > $raw;
        $less++  if $raw < $rmse;
    }

    return (outside => $less > 0.975 * $RESAMPLES,
            beyond => $worse > 0.975 * $RESAMPLES);
}


# A batch of texts by a judge: its identifier and its records, in order.

sub evaluate {
    my ($judge, $samples) = @_;

    my $batch = ask(POST => '/batches/evaluate', {
        name => 'Quality of learning', judge_ids => [ $judge ],
        content_items => [ map { {
            name => $_->{id}, text_content => $_->{text},
            defined $_->{meta}{source}
                ? (metadata => { source => $_->{meta}{source} }) : ()
        } } @$samples ],
    })->{batch_id};

    while (ask(GET => "/batches/$batch")->{status} eq 'evaluating') {
        sleep 0.3;
    }

    my @rows = map { $json->decode($_) } split /\n/,
               call(GET => "/batches/$batch/results?format=jsonl");
    @rows = grep { $_->{evaluation_id} } @rows;
    die "learn: a batch has ", scalar @rows, " results, not ",
        scalar @$samples, "\n" if @rows != @$samples;

    return { batch => $batch, rows => \@rows };
}


sub train {
    my ($judge) = @_;

    my $job = ask(POST => '/training/jobs', {
        judge_id => $judge, training_type => 'full_retrain',
        training_config => {},
        execution_options => { auto_deploy => JSON::PP::true() },
    })->{job_id};
    my $begun = time;

    ask(POST => "/training-jobs/$job/execute", {});

    for ( ;; ) {
        my $r = ask(GET => "/training/jobs/$job");
        return ($r, time - $begun)
            if $r->{status} =~ /^(completed|failed|cancelled)$/;
        sleep 0.3;
    }
}


# --- Figures ---------------------------------------------------------------

sub avg { return sum0(@_) / @_ }


sub rmse {
    my ($x, $y) = @_;
    return sqrt(avg(map { ($x->[$_] - $y->[$_]) ** 2 } 0 .. $#$x));
}


sub pearson {
    my ($x, $y) = @_;
    my ($mx, $my) = (avg(@$x), avg(@$y));
    my ($xx, $yy, $xy) = (0, 0, 0);

    for my $i (0 .. $#$x) {
        $xx += ($x->[$i] - $mx) ** 2;
        $yy += ($y->[$i] - $my) ** 2;
        $xy += ($x->[$i] - $mx) * ($y->[$i] - $my);
    }

    return $xx > 0 && $yy > 0 ? $xy / sqrt($xx * $yy) : 0;
}


sub ranks {
    my @v = @_;
    my @order = sort { $v[$a] <=> $v[$b] } 0 .. $#v;
    my @rank;

    for (my $i = 0; $i < @order; ) {
        my $k = $i;
        $k++ while $k < $#order && $v[$order[$k + 1]] == $v[$order[$i]];
        $rank[$order[$_]] = ($i + $k) / 2 for $i .. $k;
        $i = $k + 1;
    }

    return \@rank;
}
