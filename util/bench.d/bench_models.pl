# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/bench models: evaluations by a language model.

use strict;
use warnings;

use JSON::PP ();
use List::Util qw(sum);

our ($t, $text);                       # of util/bench

# Evaluations by a language model that answers in 200 ms, 512 at once, in a
# service of their own; reads go on beside them.  Then by one that takes half
# as many at once, and refuses the others.

sub models {
    my ($ms, $n, $at_once) = (200, 10_000, 512);

    for my $takes (0, $at_once / 2) {
        my $width = $takes || $at_once;
        my $ideal = $ms * $n / $width;
        my ($took, $p99, $more, $refused) = models_of($ms, $n, $at_once,
                                                      $takes, $ideal / 1000);

        row("$n evaluations by a model, $at_once at once, "
            . ($takes ? "of which it takes $takes, ms" : 'ms'), $took,
            int $ideal, ratio($took, $ideal), $takes ? '' : '1.1');
        row('  reads meanwhile, p99 in ms', sprintf('%.2f', $p99), '', '',
            '5 ms');
        row('  memory of all workers, more than after the first, MB',
            sprintf('%.1f', $more), '', '', 'flat');
        row('  refused, of all calls', sprintf('%.3f', $refused), '', '', '')
            if $takes;
    }
}


# ms that a batch took, p99 of reads in ms, MB that workers have grown by
# between the first and the last one, share of the calls that were refused.

sub models_of {
    my ($ms, $n, $at_once, $takes, $seconds) = @_;
    my $model = model_server($ms, $takes);
    my (@took, @p99, @size);

    local $t  = model_service($model->port, $at_once);

    my $judge = $t->new_model_judge;
    my $read  = $t->new_evaluation($judge, $t->new_content('A text.'),
                                   model => 'bench');
    $t->evaluated($read);

    for my $round (1 .. ROUNDS()) {
        my $batch = $t->post('/batches/evaluate', json => {
            name => 'Bench', judge_ids => [$judge], model => 'bench',
            auto_start => JSON::PP::false,
            content_items => [ map { { name => "Text $_", text_content =>
                "Text $_ of round $round. " . $text } } 1 .. $n ],
        })->json->{batch_id};

        my $reads = open(my $rate, '-|') // die "fork: $!";
        if ($reads == 0) {
            print reader("/evaluations/$read", $seconds);
            close STDOUT;
            POSIX::_exit(0);
        }
        Time::HiRes::sleep(0.3);

        $t->post("/batches/$batch/start");
        $t->wait_until(sub {
            $t->get("/batches/$batch")->json->{status} ne 'evaluating';
        }, 'the batch', 120);

        my $b = $t->get("/batches/$batch")->json;
        die "bench     models: $b->{failed_evaluations} failed\n"
            if $b->{failed_evaluations};
        push @took, $t->sql1("SELECT completed_at - started_at FROM batches"
                             . " WHERE id = '$batch'");
        push @p99, readline $rate;
        push @size, sum(map { rss($_, 'RssAnon') } $t->workers) / 1024;
        close $rate;
    }

    my ($refused) = $t->get('/metrics', key => undef)->body
                    =~ /^judge_calls_refused_total\S* (\d+)/m;

    $t->quit;
    $model->quit;

    return (median(@took), median(@p99), $size[-1] - $size[0],
            $refused / ($refused + ROUNDS() * $n));
}


# An nginx that answers everything as a model does, after so many milliseconds,
# so many at once; what is more it refuses.

sub model_server {
    my ($ms, $takes) = @_;
    my $json   = JSON::PP->new->canonical;
    my $why    = 'Reasons for it, in a sentence of the usual length.';
    my $answer = $json->encode({ criteria => { map {
        ("c$_" => { score => 70 + $_, feedback => $why, evidence => [] })
    } 1, 2 }, summary => 'A summary.',
        map { $_ => ['One.'] } qw(strengths weaknesses suggestions) });
    my $body   = $json->encode({ id => 'x', object => 'chat.completion',
        model => 'bench', choices => [ { index => 0, finish_reason => 'stop',
            message => { role => 'assistant', content => $answer } } ],
        usage => { prompt_tokens => 600, completion_tokens => 90,
                   total_tokens => 690 } }) =~ s/([\\'])/\\$1/gr;
    my $most   = $takes ? "limit_conn all $takes; limit_conn_status 429;"
                          . ' error_page 429 @refused;' : '';
    my $second = $ms / 1000;
    my $server = Judge::Test->prepare(described => 0, conf => <<"CONF");
load_module /usr/lib/nginx/modules/ngx_http_echo_module.so;
daemon off; worker_processes 1; pid nginx.pid;
events { worker_connections 4096; }
http {
    access_log off;
    keepalive_requests 1000000;
    client_body_buffer_size 64k;
    default_type application/json;
    limit_conn_zone \$server_port zone=all:1m;
    server {
        listen 127.0.0.1:\@PORT\@ backlog=4096;
        location = /healthz { return 200; }
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
    }
}
CONF
    $server->start;
    return $server;
}


sub model_service {
    my ($port, $at_once) = @_;

    return Judge::Test->new(
        described => 0,
        http   => "judge_tuning on; upstream model { server 127.0.0.1:$port;"
                  . ' keepalive 256; } keepalive_requests 1000000;',
        server => 'location = /model { internal; judge_model bench at_once='
                  . $at_once / 2 . '; proxy_pass http://model/;'
                  . ' proxy_http_version 1.1; proxy_buffering off;'
                  . ' proxy_set_header Connection ""; }',
    );
}

1;
