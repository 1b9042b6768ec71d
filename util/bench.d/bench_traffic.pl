# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The part of util/bench about judge_traffic and judge_detect: a location in
# front of another nginx with them and without, by turns.

use strict;
use warnings;

use File::Temp ();
use IO::Socket::INET;
use IPC::Open2;
use List::Util qw(max min sum);
use Time::HiRes qw(sleep);

use constant { STREAMS => 10_000, CORRECTED => 300 };

my %SIZES = ('2k' => 2_048, '32k' => 32_768);


# All is judged but where `rate` says otherwise; an organization and a judge
# are made first.

sub traffic {
    my $up    = traffic_upstream();
    my $serve = Judge::Nginx::free_port();
    my $who   = 'judge=$judge organization=$organization';
    my $files = POSIX::sysconf(POSIX::_SC_OPEN_MAX());
    my $n     = min(STREAMS, 100 * int($files / 150 - 1));
    my $t     = Judge::Test->new(
        described => 0, access_log => 'off', prefix => '/api/',
        connections => 1.5 * $n + 100,
        http   => "proxy_http_version 1.1; proxy_set_header Connection '';"
            . ' upstream behind { server 127.0.0.1:' . $up->port
            . '; keepalive 64; }'
            . ' map x $judge { include judge*.conf; }'
            . ' map x $trained { include trained*.conf; }'
            . ' map x $organization { include organization*.conf; }',
        server => join "\n", map {
            my ($name, $line, $behind) = @$_;
            "location /$name/ { proxy_pass $behind; $line }"
        } ([ 'plain', '', 'http://behind/' ],
           [ 'default', "judge_traffic $who;", 'http://behind/' ],
           [ 'all', "judge_traffic $who rate=100000/s;", 'http://behind/' ],
           [ 'guard', "judge_traffic $who mode=guard min=0;",
             'http://behind/' ],
           [ 'trained', "judge_traffic $who mode=guard min=0;"
                        =~ s/\$judge/\$trained/r, 'http://behind/' ],
           [ 'detect', 'judge_detect pii,secrets,insults,orders,links;',
             'http://behind/' ],
           map { [ "streams-$_->[0]", "proxy_buffering off; $_->[1]",
                   "http://127.0.0.1:$serve/" ] }
               [ 'plain', '' ], [ 'judged', "judge_traffic $who;" ]));

    $t->write('judge.conf', 'x ' . $t->new_judge . ';');
    $t->write('trained.conf', 'x ' . traffic_trained($t) . ';');
    $t->write('organization.conf', 'x ' . $t->org->{id} . ';');
    $t->reload;

    traffic_throughput($t);
    traffic_latency($t, $_) for qw(2k 32k);
    traffic_streams($t, $serve, $n);
    $t->quit;
    $up->quit;
}


# Another nginx, with answers of 2 and 32 KB of text.

sub traffic_upstream {
    my $text = 'The committee met on Monday and agreed on a plan. ' x 700;
    my %body = map { $_ => JSON::PP->new->encode({ choices => [ { index => 0,
        message => { role => 'assistant',
                     content => substr $text, 0, $SIZES{$_} } } ] })
    } keys %SIZES;
    my $user = $> == 0 ? 'user www-data;' : '';
    my $up   = Judge::Test->prepare(described => 0, conf => <<"CONF");
$user daemon off; worker_processes 1; pid nginx.pid;
events { worker_connections 1024; }
http {
    access_log off;
    keepalive_requests 1000000;
    server {
        listen 127.0.0.1:\@PORT\@;
        location = /healthz { return 200; }
        default_type application/json;
        location = /2k { return 200 '$body{'2k'}'; }
        location = /32k { root answers; open_file_cache max=10; }
    }
}
CONF
    mkdir $up->dir . '/answers' or die "answers: $!";
    $up->write('answers/32k', $body{'32k'});
    $up->start;
    return $up;
}


# A judge in use that has learned from corrections.

sub traffic_trained {
    my ($t) = @_;
    my $judge = $t->new_judge;
    my $job   = learned($t, $judge, CORRECTED, glob 't/data/essays/*.txt');

    $t->wait_until(sub { training_job($t, $job)->{status}
                         =~ /^(?:completed|failed)$/ }, 'the training');
    my $version = training_job($t, $job)->{results}{new_model_version}
        // die "bench     nothing was learned\n";
    post($t, "/judges/$judge/versions/$version/activate", {});

    return $judge;
}


sub traffic_throughput {
    my ($t) = @_;
    my (%rate, %ratio, @share);

    for my $round (1 .. ROUNDS()) {
        for my $way (qw(plain default all guard detect)) {
            my $judged = traffic_judged($t);
            push @{ $rate{$way} }, wrk(t => $t, path => "/$way/2k",
                                       connections => 64)->{rate};
            push @share, (traffic_judged($t) - $judged) / SECONDS()
                / $rate{all}[-1] if $way eq 'all';
            push @{ $ratio{$way} }, $rate{$way}[-1] / $rate{plain}[-1];
        }
    }
    my $share = sprintf '%.0f%%', 100 * median(@share);
    for (['observed, rate=100/s, per s', 'default', '0.85'],
         ["observed, no rate ($share judged), per s", 'all', '0.85'],
         ['guard, all judged, per s', 'guard', ''],
         ['five detectors, per s', 'detect', ''])
    {
        my ($name, $way, $reach) = @$_;
        row("traffic $name", int(median(@{ $rate{$way} })),
            int(median(@{ $rate{plain} })),
            sprintf('%.2f', median(@{ $ratio{$way} })), $reach);
    }

    # At half of that: each connection pauses as long as it takes a request.
    my $pause = 1000 * 2 * 64 / median(@{ $rate{plain} });
    my %p99;
    for (1 .. ROUNDS()) {
        for my $way (qw(plain default all)) {
            push @{ $p99{$way} }, wrk(t => $t, path => "/$way/2k",
                connections => 64, pause => $pause)->{p99};
        }
    }
    for (['rate=100/s', 'default', '+0.2'], ['no rate', 'all', '']) {
        my ($name, $way, $reach) = @$_;
        row("  p99 at half load, $name, ms",
            sprintf('%.2f', median(@{ $p99{$way} })),
            sprintf('%.2f', median(@{ $p99{plain} })), '', $reach);
    }
}


sub traffic_judged {
    my ($t) = @_;
    my $text = $t->get('/metrics', key => undef)->body;
    return $text =~ /traffic_judged_total\{.*\} (\d+)/ ? $1 : 0;
}


# What it adds where there is time: two connections that pause.

sub traffic_latency {
    my ($t, $size) = @_;
    my (%took, %name) = ();

    %name = (detect => 'five detectors', guard => 'guard, built-in engine',
             trained => 'guard, judge that has learned');
    for (1 .. ROUNDS()) {
        for my $way (qw(plain detect guard trained)) {
            my $r = wrk(t => $t, path => "/$way/$size", connections => 2,
                        pause => 2);
            push @{ $took{$way}{$_} }, $r->{$_} for qw(p50 p99);
        }
    }
    for my $way (qw(detect guard trained)) {
        for my $p (qw(p50 p99)) {
            row("$name{$way}, $size, $p, ms",
                map({ sprintf '%.2f', median(@{ $took{$_}{$p} }) } $way,
                    'plain'), '', $p eq 'p50' && $size eq '2k' ? '+1.0' : '');
        }
    }
}


# What the workers take for streams: with judge_traffic and without, when all
# are open and some events later.

sub traffic_streams {
    my ($t, $port, $n) = @_;
    my @mb;

    my $server = fork // die "fork: $!";
    if (!$server) {
        exec 'node', 'util/bench.d/streams.mjs', 'serve', $port
                or POSIX::_exit(1);
    }
    $t->wait_until(sub { IO::Socket::INET->new("127.0.0.1:$port") }, 'node');
    my $memory = sub { sum(map { rss($_) } $t->workers) / 1024 };

    for my $way (qw(plain judged)) {
        $t->restart;
        my $before = $memory->();
        my $pid = open2(my $says, my $in, 'node', 'util/bench.d/streams.mjs',
                        'read', $t->port, $n, "/streams-$way/");
        chomp(my $reading = readline $says);
        die "bench     only $reading of $n streams\n" if $reading != $n;
        push @mb, [ map { sleep $_; $memory->() - $before } 4, 8, 8 ];
        close $in;
        waitpid $pid, 0;
    }
    kill 'TERM', $server;
    waitpid $server, 0;

    row("$n streams observed, MB of all workers",
        map({ sprintf '%.0f', $_->[0] } @mb[1, 0]),
        ratio($mb[1][0], $mb[0][0]), '');
    row('  the same 8 and 16 seconds later',
        join(', ', map { sprintf '%.0f', $_ } @{ $mb[1] }[1, 2]),
        join(', ', map { sprintf '%.0f', $_ } @{ $mb[0] }[1, 2]), '',
        'flat');
}


# --- Detectors ------------------------------------------------------------

# What 250 KB take of a processor in a process that has just started, the least
# of five: prose, and what was slowest of all that was tried, repeated.

sub detectors {
    my $dir  = File::Temp->newdir;
    my $long = 250 * 1024;
    my @hard = ('4111 ', "#'s ", 'a=sk-sk-sk-', ':tok1token', 'a. ', 'is ',
                "a\xe2\x80\x9c", '//a', 'a@', 'never tell anyone about ');
    my $write = sub {
        open my $file, '>:raw', "$dir/$_[0]" or die "$_[0]: $!";
        print {$file} $_[1];
        close $file or die "$_[0]: $!";
    };
    my $find = sub {
        my ($text, @which) = @_;
        $write->('text', substr $text x (1 + $long / length $text), 0, $long);
        return min(map {
            my ($status, $out) = Judge::Nginx->run('build/judge', 'detect',
                "$dir/text", 'type=text/plain', @which);
            $out =~ /([\d.]+) ms of a processor\n\z/ ? $1 : die $out;
        } 1 .. 5);
    };
    my $prose = join '', map { Judge::Nginx::read_file($_) } glob 'docs/*.md';

    $write->('words', "black box\nxyzzy\n");
    my @given = ("words=$dir/words", 'leak=README.md', 'languages=fr');
    my @names = qw(pii secrets insults orders links);
    my @all   = (join(',', @names), 'hosts=example.com', @given);
    row("$_, 250 KB of prose, ms" =~ s/=\S+,/,/r, $find->($prose, $_), '', '',
        '') for @names, @given;
    row('all detectors, 250 KB of prose, ms', $find->($prose, @all), '', '',
        20);
    row("all detectors, 250 KB of \"$_\", ms", $find->($_, @all), '', '', 20)
        for @hard;
}

1;
