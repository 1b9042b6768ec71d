# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/bench peers: what people would pick instead, side by side, by turns, on
# this machine.  Both have two processes for requests and two cores.

use strict;
use warnings;

use IO::Socket::INET;
use POSIX ();
use Time::HiRes qw(sleep time);


sub peers {
    if (system('util/dev/deps', 'peers') != 0
        || !-d 'build/peers/node_modules/better-sqlite3/build')
    {
        warn "bench     peers: skipped, their packages are not there\n";
        return;
    }

    peers_service();
    peers_models();
}


# --- A service of Node.js ---------------------------------------------------

sub peers_service {
    my $m    = Judge::Test->new(described => 0, access_log => 'off',
                                http => 'judge_store @DIR@/queue name=queue'
                                        . ' evaluate=off;',
                                judge => 'default',
                                server => 'location /queue/ { judge queue; }');
    my $done = $m->new_evaluation($m->new_judge, $m->new_content('A text.'));
    $m->evaluated($done);
    my $port = Judge::Nginx->free_port;

    local $ENV{RESULT} = $m->get("/evaluations/$done")->body;
    system(qw(cp util/bench.d/service.mjs build/peers/)) == 0 or die "cp: $?";
    mkdir $m->dir . '/node' or die 'node: ' . $!;
    my $pid = peers_start('node', 'build/peers/service.mjs', $m->dir . '/node',
                          $port, 2);
    $m->wait_until(sub { IO::Socket::INET->new("127.0.0.1:$port") }, 'node');

    my $queue = queue($m);
    my %theirs = (port => $port, key => 'bench-key',
                  body => '{"judge_id":"jdg_1","content_id":"cnt_1"}');
    my @parts = (
        ['an evaluation read, per s', "/evaluations/$done",
         '/evaluations/evl_1'],
        ['evaluations listed, 25, per s', '/evaluations?limit=25',
         '/evaluations'],
        ['an evaluation created, durable, per s',
         '/queue/evaluations/single', '/evaluations/single', 1],
    );

    # Lists of 25 results on either side.
    $m->evaluated($_) for map {
        $m->new_evaluation($m->new_judge, $m->new_content("Text $_."))
    } 2 .. 25;

    for (@parts) {
        my ($name, $our_path, $their_path, $creates) = @$_;
        my (@ours, @theirs);

        for (1 .. 3) {
            push @ours, wrk(t => $m, path => $our_path, connections => 64,
                $creates ? (key => $queue->{key}, body => $queue->{body})
                         : ())->{rate};
            push @theirs, wrk(t => $m, path => $their_path,
                connections => 64, port => $port, key => $theirs{key},
                $creates ? (body => $theirs{body}) : ())->{rate};
        }
        peers_row($name, 'fastify, better-sqlite3', \@ours, \@theirs, 1);
    }

    peers_stop($pid);
    $m->quit;
}


# --- promptfoo --------------------------------------------------------------

# Texts judged by the same model server, which answers after 200 ms, 256 at a
# time: from the command to the results in hand, for promptfoo without its
# start, which is measured with one text.

sub peers_models {
    my ($ms, $n, $at_once) = (200, 1000, 256);
    my $model = model_server($ms);
    my $port  = $model->port;
    my $m     = model_service($port, $at_once);
    my $judge = $m->new_model_judge;
    my (@ours, @theirs, @start);

    for my $round (1 .. 3) {
        my @texts = map { "Text $_ of round $round. It is of no length." }
                    1 .. $n;
        my $began = time();
        my $batch = $m->post('/batches/evaluate', json => {
            name => 'Bench', judge_ids => [$judge], model => 'bench',
            content_items => [ map { { name => 'A text',
                                       text_content => $_ } } @texts ],
        })->json->{batch_id};
        $m->wait_until(sub {
            $m->get("/batches/$batch")->json->{status} ne 'evaluating';
        }, 'the batch', 60);
        $m->get("/batches/$batch/results?format=jsonl");
        push @ours, 1000 * (time() - $began);

        push @start, promptfoo($m, $port, $at_once, $texts[0]);
        push @theirs, promptfoo($m, $port, $at_once, @texts) - $start[-1];
    }

    peers_row("$n texts by a model of $ms ms, ms", 'promptfoo', \@ours,
              \@theirs, 0);
    peers_row('  the start of the command, ms', 'promptfoo', [0], \@start, 0);

    $m->quit;
    $model->quit;
}


sub promptfoo {
    my ($m, $port, $at_once, @texts) = @_;

    my $json = JSON::PP->new->canonical;
    my $path = $m->write('promptfoo.json', $json->encode({
        prompts   => ['Judge by clarity and grammar, in JSON: {{text}}'],
        providers => [{ id => 'openai:chat:bench', config => {
            apiBaseUrl => "http://127.0.0.1:$port", apiKey => 'none' } }],
        defaultTest => { assert => [{ type => 'is-json' }] },
        tests       => [ map { { vars => { text => $_ } } } @texts ] }));

    local %ENV = (%ENV, PROMPTFOO_DISABLE_TELEMETRY => 1,
                  PROMPTFOO_DISABLE_UPDATE => 1,
                  PROMPTFOO_CONFIG_DIR => $m->dir . '/promptfoo');
    my $began = time();
    my ($status, $out) = $m->run('node',
        'build/peers/node_modules/promptfoo/dist/src/main.js', 'eval',
        '-c', $path, '--no-cache', '--no-table', '--no-progress-bar',
        '-j', $at_once, '-o', $m->dir . '/promptfoo-out.jsonl');

    # Its logger sometimes fails when all is done.
    die "promptfoo ($status): $out" if $out !~ /Eval complete/;
    return 1000 * (time() - $began);
}


# --- Small things -----------------------------------------------------------

sub peers_row {
    my ($name, $peer, $ours, $theirs, $more) = @_;
    my ($a, $b) = (median(@$ours), median(@$theirs));

    row("$name ($peer)", int $a, int $b,
        $a && $b ? sprintf('%.1f', $more ? $a / $b : $b / $a) : '', '');
}


sub peers_start {
    my (@command) = @_;
    my $pid = fork // die "fork: $!";

    if ($pid == 0) {
        setpgrp;
        exec @command or POSIX::_exit(127);
    }
    return $pid;
}


sub peers_stop {
    my ($pid) = @_;
    kill TERM => -$pid;
    waitpid $pid, 0;
}

1;
