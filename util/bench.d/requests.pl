# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The parts of util/bench about single requests: reads, creates, memory,
# upload, keys.

use Bench;

use constant { EVALUATIONS => 100_000, GIGABYTE => 1024 ** 3,
               GUESSES => 20_000 };


sub bench_reads {
    my $t = service();
    my ($judge, undef, $read) = evaluated_one($t);

    against_static($t, 'GET a judge', 0.7, "/judges/$judge");
    against_static($t, 'GET a known judge: 304', 0.9, "/judges/$judge",
                   headers => ['If-None-Match: "1"']);
    against_static($t, 'GET an evaluation', 0.85, $read);
    $t->quit;
}


# Alone, against SQLite that inserts the same in groups of half as many; then
# with all of them evaluated beside, and read.

sub bench_creates {
    my $path = '/evaluations/single';
    my $late = sub { row('  p99 against median, ms', @{ $_[0] }{qw(p99 p50)},
                         $_[1]) };

    my $t = service(store => 'evaluate=off');
    my (undef, undef, undef, $body) = evaluated_one($t, waits => 1);
    for my $n (64, 512) {
        my ($ours, $bound) = by_turns(
            sub { load($t, $path, connections => $n, body => $body) },
            sub { bare_rows($t, $n / 2, ['evaluations']) });
        row_of("POST an evaluation, $n connections, per s", 0.65, $ours,
               $bound);
        $late->($ours->[-1], $n == 64 ? 4 : '');
    }
    $t->quit;

    $t = service();
    (undef, undef, my $read, $body) = evaluated_one($t);
    my $r = load($t, $path, body => $body);
    row('  and evaluated at the same time, 64, per s', $r->{rate});
    $late->($r, 4);

    my $load  = begin_load($t, $path, body => $body);
    my $reads = load($t, $read, connections => 8);
    end_load($load);
    row('  reads meanwhile, p99 in ms', $reads->{p99}, undef, '5 ms');
    $t->quit;
}


# Of the workers after half and after all, and when they have rested.

sub bench_memory {
    my $t = service();
    my (undef, undef, undef, $body) = evaluated_one($t);
    my @mb;

    for my $goal (EVALUATIONS / 2, EVALUATIONS) {
        load($t, '/evaluations/single', body => $body, seconds => 1)
            while $t->sql1('SELECT COUNT(*) FROM evaluations') < $goal;
        $t->wait_until(sub {
            !$t->sql1('SELECT EXISTS (SELECT 1 FROM evaluations'
                      . ' WHERE queue_at IS NOT NULL)')
        }, 'the queue to run empty', 300);
        push @mb, max(megabytes($t));
    }
    row('memory of a worker after ' . EVALUATIONS . ', MB (halfway)',
        @mb[1, 0], '60 MB');

    sleep 40;
    row('  40 s later', max(megabytes($t)), undef, '60 MB');
    row('  of that not of files or shared', max(megabytes($t, 'RssAnon')));
    $t->quit;
}


# A gigabyte to a pre-signed address, against one that is written and made
# durable.

sub bench_upload {
    my $t    = service();
    my $file = $t->dir . '/gigabyte';
    my $url  = $t->made('/evaluations/presigned-upload', 'upload_url',
        json => { name => 'A gigabyte', file_type => 'video',
                  file_extension => 'mp4' })
        =~ s{//localhost}{'//127.0.0.1:' . $t->port}er;

    $t->write('gigabyte', "\0\0\0\x18ftypisom");
    truncate $file, GIGABYTE or die "$file: $!";
    my $bound = timed('dd', "if=$file", "of=$file.copy", 'bs=256k',
                      'conv=fsync', 'status=none');
    unlink "$file.copy";

    my $before = max(megabytes($t, 'VmHWM'));
    my $took   = timed(qw(curl -sf -o /dev/null -T), $file, '-H', 'Expect:',
                       '-H', 'Content-Type: video/mp4', $url);
    row('PUT of a file of 1 GB, MB/s', GIGABYTE / $took / 1e6,
        GIGABYTE / $bound / 1e6, 0.5);
    row('  memory that a worker takes for it, MB',
        max(megabytes($t, 'VmHWM')) - $before, undef, '1 MB');
    $t->quit;
}


# Whether the time of a refusal tells how much of a key was guessed: wrong keys
# that begin as a real one does, and others, by turns on one connection.

sub bench_keys {
    my $t     = service();
    my @chars = ('0' .. '9', 'A' .. 'Z', 'a' .. 'z');
    my ($client, %took);

    for my $n (1 .. 2 * GUESSES) {
        my $same = $n % 2 ? 29 : 0;
        my $key  = substr($t->key, 0, 5 + $same)
                   . join '', map { $chars[rand @chars] } $same .. 29;
        next if $key eq substr $t->key, 0, 35;

        my $bytes = $t->bytes(GET => '/judges', key => key_of($key),
                              keepalive => 1);
        $client = $t->connect if !$client || !($n % 500);
        my $began = time;
        $client->send($bytes);
        my $status = $client->response->status;
        die "bench     a wrong key was answered with $status\n"
            if $status != 401;
        push @{ $took{$same} }, 1e6 * (time - $began);
    }

    row('a key with 29 of 30 characters right is refused, us',
        median(@{ $took{29} }), median(@{ $took{0} }), '1.00');
    $t->quit;
}

1;
