# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The parts of util/bench about who is told and who reads: events, clients and
# webhooks.

use Bench;

use constant { ENDS => 40, READERS => 500, KEYS => 20, ABORTED => 20_000,
               REST => 60, DELIVERIES => 100_000 };


# How soon clients that listen to a batch hear of an item that has ended, from
# the answer to the callback that ends it.

sub bench_events {
    my $t    = service(connections => 4096);
    my $film = $t->new_judge(content_type => 'video');

    for my $n (1, 100, 1000) {
        my ($batch, @films) = film_batch($t, $film, ENDS + 1);
        my $spent   = processor($t);
        my @clients = map { $t->connect } 1 .. $n;
        my (@answers, @heard);

        $_->send($t->bytes(GET => "/v1/batches/$batch/events")) for @clients;
        hears(qr/event: progress/, @clients);
        for my $item (1 .. ENDS) {
            sleep 0.1;
            my $began = time;
            report($films[$item], [ 60, 80 ]);
            my $answered = time;
            push @answers, 1000 * ($answered - $began);
            push @heard, map { 1000 * ($_ - $answered) }
                         hears(qr/^id: $item\S*\nevent: item/m, @clients);
        }
        row("an item's end told to $n, median, ms (answered in)",
            median(@heard), median(@answers), '', '');
        row('  p99', percent(99, @heard), undef, 50);
        row('  the longest', max(@heard));
        row('  µs of the workers for one event',
            1e6 * (processor($t) - $spent) / $n / ENDS) if $n >= 100;
    }
    $t->quit;
}


# When each of these clients has it.

sub hears($pattern, @clients) {
    my ($waits, @socket, @in, @at) = ('');

    for my $socket (map { $_->{socket} } @clients) {
        $socket[fileno $socket] = $socket;
        vec($waits, fileno $socket, 1) = 1;
    }
    while (@at < @clients) {
        select(my $ready = $waits, undef, undef, 10) > 0
            or die "bench     events: not heard\n";
        my $bits = unpack 'b*', $ready;
        while ($bits =~ /1/g) {
            my $fd = $-[0];
            sysread $socket[$fd], $in[$fd], 65536, length($in[$fd] // '')
                or die "bench     events: cut off\n";
            next if $in[$fd] !~ $pattern;
            vec($waits, $fd, 1) = 0;
            push @at, time;
        }
    }
    return @at;
}


# --- Clients that read slowly or leave -------------------------------------

# What memory they take, whom they keep waiting, and whether it comes back.

sub bench_clients {
    my $t = service();
    my (undef, undef, $read) = evaluated_one($t);
    my @wide  = map { wide_batch($t, $_) } 1 .. KEYS;
    my $alone = load($t, $read, connections => 8);

    my $slow = aside(sub { read_slowly($t, @wide) });
    sleep SECONDS;
    my $busy = load($t, $read, connections => 8);
    row(READERS . ' slow readers, MB of a worker', max(megabytes($t)), undef,
        '< 150');
    over($slow);
    row('  p99 of other reads in ms (without them)',
        map({ $_->{p99} } $busy, $alone), '< 5');

    abort_all($t, map { $_->[1] } @wide);
    my $most = max(megabytes($t));
    sleep REST;
    row(ABORTED . ' aborted requests, MB (before a minute of rest)',
        max(megabytes($t)), $most, '< 60');
    $t->quit;
}


# A batch with results of some 40 KB each, of an organization of its own: the
# path of its results and the key.

sub wide_batch($t, $n) {
    my %of    = (key => $t->new_org("Wide $n")->{key});
    my $judge = $t->new_judge(%of, criteria => [
        map { { name => "Grammar $_", description => 'Correct grammar.' } }
            1 .. 64 ]);
    my $id = $t->new_batch($judge, [ map { text(30) } 1 .. 60 ], %of);

    $t->batch_completed($id, %of);
    return [ "/batches/$id/results", $of{key} ];
}


# Each takes a few kilobytes now and then; who is refused comes again.

sub read_slowly($t, @wide) {
    my @clients;

    while (1) {
        for my $i (0 .. READERS - 1) {
            if ($clients[$i]) {
                my $n = sysread $clients[$i]{socket}, my $piece, 2048;
                next if $n || !defined $n && $!{EAGAIN};
            }
            my ($path, $key) = @{ $wide[$i % @wide] };
            $clients[$i] = $t->connect(rcvbuf => 4096);
            $clients[$i]->send($t->bytes(GET => $path, key => $key));
        }
        sleep 0.1;
    }
}


# Large answers, large bodies and halves of bodies whose clients leave.

sub abort_all($t, @keys) {
    my $body = encode({ name => 'x', text_content => 'word ' x 20_000 });
    my @open;

    for my $n (1 .. ABORTED) {
        my @key   = (key => $keys[$n % @keys]);
        my $bytes = $n % 3
            ? $t->bytes(GET => '/evaluations?limit=200', @key)
            : $t->bytes(POST => '/content', @key, body => $body,
                        headers => [ 'Content-Type' => 'application/json' ]);
        my $c = $t->connect;
        $c->send($n % 6 == 3 ? substr $bytes, 0, 60_000 : $bytes);
        push @open, $c;
        (shift @open)->close if @open > 100;
    }
    $_->close for @open;
}


# --- Webhooks --------------------------------------------------------------

# A full outbox, emptied by one worker into an nginx of its own that takes
# everything, while others read.  Then all of the way: evaluations are stored
# and scored, their events stored, delivered and recorded.

sub bench_webhooks {
    my $sink = other_nginx('location = /sink { return 204; }');
    my $t = service(workers => 1, server => 'location /out { judge_outbound'
        . ' allow=127.0.0.0/8; include ' . Judge::Nginx->repo
        . '/conf/outbound.conf; }');
    my ($judge, undef, $read) = evaluated_one($t);

    $t->put('/config/webhooks', json => {
        url => 'http://127.0.0.1:' . $sink->port . '/sink',
        events => ['evaluation.completed'] });
    batch_timed($t, [$judge], [ essays(50) ]);
    delivered($t);
    refill($t);

    my $began = time;
    my $reads = load($t, $read, connections => 2, pause => 3);
    my ($half) = megabytes($t);
    delivered($t);
    my $took = time - $began;
    my ($all) = megabytes($t);
    row('webhooks delivered by a worker, per s', DELIVERIES / $took, undef,
        5000);
    row('  reads meanwhile, p99 in ms', $reads->{p99}, undef, '5 ms');
    row('  memory after ' . DELIVERIES . ', MB (halfway)', $all, $half);

    $began = time;
    batch_timed($t, [$judge], [ essays(5000) ]);
    delivered($t);
    row('  with their evaluations, per s', 5000 / (time - $began));
    $_->quit for $t, $sink;
}


# The outbox holds DELIVERIES, made of those that are there; all are due.

sub refill($t) {
    my $copies = "substr(x.id, 1, 14) || printf('%08d', n)"
                 . ' || substr(x.id, 23)';
    my $from = ' FROM n, %s x WHERE n > 1';
    my $n    = 'WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1'
        . ' FROM n WHERE n < (SELECT ' . DELIVERIES . ' / COUNT(*) FROM'
        . ' deliveries))';

    $t->alter("INSERT INTO delivery_bodies (org, id, data) $n SELECT x.org,"
        . " $copies, x.data" . sprintf $from, 'delivery_bodies');
    $t->alter('INSERT INTO deliveries (org, id, event_id, type, status,'
        . " created_at, url) $n SELECT x.org, $copies, x.event_id, x.type,"
        . " 'delivered', x.created_at, x.url" . sprintf $from, 'deliveries');
    $t->alter("UPDATE deliveries SET status = 'pending', queue_at = 1,"
              . ' attempts = 0');
    $t->alter('INSERT OR REPLACE INTO webhook_endpoints (org, url, queue_at)'
              . " SELECT DISTINCT org, '', 1 FROM deliveries");
}

sub delivered($t) {
    $t->wait_until(sub {
        !$t->sql1('SELECT EXISTS (SELECT 1 FROM webhook_endpoints)')
    }, 'the deliveries', 300);

    my $failed = $t->sql1("SELECT COUNT(*) FROM deliveries"
                          . " WHERE status <> 'delivered'");
    die "bench     webhooks: $failed were not delivered\n" if $failed;
}

1;
