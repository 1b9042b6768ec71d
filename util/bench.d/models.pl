# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The parts of util/bench about models that judge, and about what people would
# pick instead of the service: models and peers.

use Bench;

use IO::Socket::INET ();
use JSON::PP ();


# --- Models ----------------------------------------------------------------

# Evaluations by a language model that answers in 200 ms, 512 at once; then by
# one that takes half as many at once, and refuses the others.

sub bench_models {
    my ($ms, $n, $at_once) = (200, 10_000, 512);

    for my $takes (0, $at_once / 2) {
        my $model = model_server($ms, $takes);
        my $t     = model_service($model, $at_once);
        my $judge = $t->new_model_judge;
        my $read  = $t->new_evaluation($judge, $t->new_content('A text.'),
                                       model => 'bench');
        my (@took, @p99, @size);
        $t->evaluated($read);

        for my $round (1 .. ROUNDS) {
            my $batch = send_batch($t, batch_body([$judge], [
                map { "Round $round, $_" } essays($n)
            ], model => 'bench', auto_start => JSON::PP::false()));
            my $reads = begin_load($t, "/evaluations/$read", connections => 1,
                                   pause => 3);
            sleep 0.3;
            $t->post("/batches/$batch/start");
            $t->batch_completed($batch);
            push @p99, end_load($reads)->{p99};
            push @took, $t->sql1('SELECT completed_at - started_at FROM'
                                 . " batches WHERE id = '$batch'");
            push @size, sum(megabytes($t, 'RssAnon'));
        }

        row("$n evaluations by a model, $at_once at once, "
            . ($takes ? "of which it takes $takes, ms" : 'ms'), median(@took),
            $ms * $n / ($takes || $at_once), $takes ? '' : '1.1');
        row('  reads meanwhile, p99 in ms', median(@p99), undef, '5 ms');
        row('  memory of all workers, more than after the first, MB',
            $size[-1] - $size[0], undef, 'flat');
        my $refused = $t->metric('judge_calls_refused_total');
        row('  refused, of all calls',
            sprintf '%.3f', $refused / ($refused + ROUNDS * $n)) if $takes;
        $_->quit for $t, $model;
    }
}


# An nginx that answers everything as a model does, after so many milliseconds,
# so many at once; what is more it refuses.

sub model_server($ms, $takes = 0) {
    my $why    = 'Reasons for it, in a sentence of the usual length.';
    my $answer = encode({ summary => 'A summary.',
        criteria => { map { ("c$_" => { score => 70 + $_, feedback => $why,
                                        evidence => [] }) } 1, 2 },
        map { $_ => ['One.'] } qw(strengths weaknesses suggestions) });
    my $body   = encode({ id => 'x', object => 'chat.completion',
        model => 'bench', choices => [ { index => 0, finish_reason => 'stop',
            message => { role => 'assistant', content => $answer } } ],
        usage => { prompt_tokens => 600, completion_tokens => 90,
                   total_tokens => 690 } }) =~ s/([\\'])/\\$1/gr;
    my $most   = $takes ? "limit_conn all $takes; limit_conn_status 429;"
                          . ' error_page 429 @refused;' : '';
    my $second = $ms / 1000;

    return other_nginx(<<"CONF", http => ' limit_conn_zone $server_port'
client_body_buffer_size 64k;
location / {
    $most
    echo_read_request_body;
    echo_sleep $second;
    echo -n '$body';
}
location \@refused {
    return 429 '{"error":{"message":"Rate limit reached",
        "type":"requests","code":"rate_limit_exceeded"}}';
}
CONF
        . ' zone=all:1m;');
}


sub model_service($model, $at_once) {
    return service(
        http   => 'judge_tuning on; upstream model { server 127.0.0.1:'
                  . $model->port . '; keepalive 256; }'
                  . ' keepalive_requests 1000000;',
        server => 'location = /model { internal; judge_model bench at_once='
                  . $at_once / 2 . '; proxy_pass http://model/;'
                  . ' proxy_http_version 1.1; proxy_buffering off;'
                  . ' proxy_set_header Connection ""; }');
}


# --- Peers -----------------------------------------------------------------

# By turns on this machine, with two processes for requests on either side.

sub bench_peers {
    if (system('util/dev/deps', 'peers') != 0
        || !-d 'build/peers/node_modules/better-sqlite3/build')
    {
        warn "bench     peers: skipped, their packages are not there\n";
        return;
    }

    peer_service();
    peer_promptfoo();
}


# The service of service.mjs, with an evaluation of ours and lists of 25.

sub peer_service {
    my $t     = service();
    my (undef, undef, $read, $body) = evaluated_one($t);
    my $port  = Judge::Nginx->free_port;
    my %their = (port => $port, key => 'bench-key');

    evaluated_one($t) for 2 .. 25;
    mkdir $t->dir . '/node' or die "node: $!";
    timed(qw(cp util/bench.d/service.mjs build/peers/));
    local $ENV{RESULT} = $t->get($read)->body;
    my $peer = aside(sub {
        exec 'node', 'build/peers/service.mjs', $t->dir . '/node', $port, 2 });
    $t->wait_until(sub { IO::Socket::INET->new("127.0.0.1:$port") }, 'node');

    for ([ 'read', $read, '/evaluations/evl_1' ],
         [ 'listed, 25', '/evaluations?limit=25', '/evaluations' ])
    {
        my ($name, $ours, $theirs) = @$_;
        row_of("an evaluation $name (fastify, better-sqlite3), per s", '',
               by_turns(sub { load($t, $ours) },
                        sub { load($t, $theirs, %their) }));
    }

    # Both only store them.
    $t->conf(store => 'evaluate=off');
    $t->restart;
    my @path = ('/evaluations/single', body =>);
    row_of('an evaluation created, durable, per s', '', by_turns(
        sub { load($t, @path, $body) },
        sub { load($t, @path, '{"judge_id":"jdg_1","content_id":"cnt_1"}',
                   %their) }));
    over($peer);
    $t->quit;
}


# Texts judged by the same model server, which answers after 200 ms, 256 at a
# time: from the command to the results in hand, for promptfoo without its
# start, which is measured with one text.

sub peer_promptfoo {
    my ($ms, $n, $at_once) = (200, 1000, 256);
    my $model = model_server($ms);
    my $t     = model_service($model, $at_once);
    my $judge = $t->new_model_judge;
    my $round = 0;

    my ($ours, $start, $theirs) = by_turns(sub {
        my $body  = batch_body([$judge], [ texts_of(++$round, $n) ],
                               model => 'bench');
        my $began = time;
        my $batch = send_batch($t, $body);
        $t->batch_completed($batch);
        $t->get("/batches/$batch/results?format=jsonl");
        return 1000 * (time - $began);
    }, map { my @texts = texts_of(0, $_);
             sub { promptfoo($t, $model->port, $at_once, @texts) } } 1, $n);

    row_of("$n texts by a model of $ms ms, ms (promptfoo)", '', $ours,
           [ map { $theirs->[$_] - $start->[$_] } 0 .. $#$start ]);
    row('  the start of its command, ms', median(@$start));
    $_->quit for $t, $model;
}

sub texts_of($round, $n) {
    return map { "Text $_ of round $round. It is of no length." } 1 .. $n;
}

sub promptfoo($t, $port, $at_once, @texts) {
    my $path = $t->write('promptfoo.json', encode({
        prompts   => ['Judge by clarity and grammar, in JSON: {{text}}'],
        providers => [{ id => 'openai:chat:bench', config => {
            apiBaseUrl => "http://127.0.0.1:$port", apiKey => 'none' } }],
        defaultTest => { assert => [{ type => 'is-json' }] },
        tests       => [ map { { vars => { text => $_ } } } @texts ] }));

    local %ENV = (%ENV, PROMPTFOO_DISABLE_TELEMETRY => 1,
                  PROMPTFOO_DISABLE_UPDATE => 1,
                  PROMPTFOO_CONFIG_DIR => $t->dir . '/promptfoo');
    my $began = time;
    my (undef, $out) = $t->run('node',
        'build/peers/node_modules/promptfoo/dist/src/main.js', 'eval',
        '-c', $path, '--no-cache', '--no-table', '--no-progress-bar',
        '-j', $at_once, '-o', $t->dir . '/promptfoo-out.jsonl');

    # Its logger sometimes fails when all is done.
    die "promptfoo: $out" if $out !~ /Eval complete/;
    return 1000 * (time - $began);
}

1;
