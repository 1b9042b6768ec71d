# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The part of util/bench about clients that read slowly or leave: what memory
# they take, whom they keep waiting, and whether the memory comes back.

use strict;
use warnings;

use Compress::Zlib ();
use IO::Select;
use List::Util qw(max);
use Time::HiRes qw(time);

use constant { READERS => 500, KEYS => 20, ABORTED => 20_000, REST => 60,
               GUESSES => 20_000 };


sub clients {
    my ($t, $done) = @_;

    my @paths = map { wide_batch($t, $_) } 1 .. KEYS;
    my $idle  = wrk(path => "/evaluations/$done", connections => 8);
    my $most  = 0;

    my $pid = fork // die "fork: $!";
    if ($pid == 0) {
        read_slowly($t, \@paths, time() + 3 * SECONDS());
        POSIX::_exit(0);
    }

    select undef, undef, undef, SECONDS();
    my $busy = wrk(path => "/evaluations/$done", connections => 8);
    $most = max(map { rss($_) } $t->workers);
    waitpid $pid, 0;

    row(READERS . ' slow readers, MB of a worker',
        sprintf('%.1f', $most / 1024), '', '', '< 150');
    row('  p99 of other reads in ms (without them)',
        sprintf('%.2f', $busy->{p99}), sprintf('%.2f', $idle->{p99}), '',
        '< 5');

    my @keys = map { $_->[1] } @paths;
    abort_all($t, \@keys, $done);
    $most = max(map { rss($_) } $t->workers);

    sleep REST;
    row(ABORTED . ' aborted requests, MB (before a minute of rest)',
        sprintf('%.1f', max(map { rss($_) } $t->workers) / 1024),
        sprintf('%.1f', $most / 1024), '', '< 60');
}


# A batch with results of some 40 KB each, of an organization of its own: the
# path of its results and the key.

sub wide_batch {
    my ($t, $n) = @_;

    my $org   = $t->new_org("Wide $n");
    my $key   = $org->{key};
    my $judge = $t->new_judge(key => $key, criteria => [
        map { { name => "Criterion $_", description => "Correct, part $_." } }
            1 .. 64 ]);
    my $id = $t->made('/batches/evaluate', 'batch_id', key => $key, json => {
        name => 'Wide', judge_ids => [$judge],
        content_items => [ map { { text_content => "Number $_. It is short.",
                                   name => "Text $_" } } 1 .. 60 ] });

    $t->wait_until(sub {
        $t->get("/batches/$id", key => $key)->json->{status} eq 'completed';
    }, 'a batch', 120);

    return [ "/batches/$id/results", $key ];
}


# Each takes a few kilobytes now and then; who is refused comes again.

sub read_slowly {
    my ($t, $paths, $until) = @_;

    my %client;
    my $n = 0;

    while (time() < $until) {
        while (keys %client < READERS) {
            my ($path, $key) = @{ $paths->[ $n++ % @$paths ] };
            my $c = $t->connect(rcvbuf => 4096);
            $c->send($t->bytes(GET => $path, key => $key));
            $client{ fileno $c->{socket} } = $c;
        }

        for my $s (IO::Select->new(map { $_->{socket} } values %client)
                             ->can_read(0.05))
        {
            my $fd = fileno $s;
            next if sysread $s, my $piece, 2048;
            (delete $client{$fd})->close;
        }

        select undef, undef, undef, 0.05;
    }
}


# Large answers, large bodies and halves of bodies whose clients leave.

sub abort_all {
    my ($t, $keys, $done) = @_;

    my @open;

    for my $n (1 .. ABORTED) {
        my $key  = $keys->[ $n % @$keys ];
        my $body = '{"name":"x","text_content":"' . 'word ' x 20_000 . '"}';
        my $c    = $t->connect;
        my $bytes = $n % 3
            ? $t->bytes(GET => '/evaluations?limit=200', key => $key)
            : $t->bytes(POST => '/content', key => $key, body => $body,
                        headers => [ 'Content-Type' => 'application/json' ]);

        $c->send($n % 6 == 3 ? substr $bytes, 0, 60_000 : $bytes);
        push @open, $c;
        (shift @open)->close if @open > 100;
    }

    $_->close for @open;
}


# Whether the time of a refusal tells how much of a key was guessed: wrong keys
# that begin as a real one does, and others, by turns on one connection.

sub keys_timed {
    my ($t) = @_;

    my $real   = $t->key;
    my ($client, %took, @chars);

    @chars = ('0' .. '9', 'A' .. 'Z', 'a' .. 'z');

    for my $n (1 .. 2 * GUESSES) {
        my $same = $n % 2 ? 29 : 0;
        my $body = substr($real, 0, 5 + $same)
                   . join '', map { $chars[rand @chars] } $same .. 29;
        next if $body eq substr $real, 0, 35;

        my $bytes = $t->bytes(GET => '/judges', key => $body . crc($body),
                              keepalive => 1);
        $client = $t->connect if !$client || !($n % 500);
        my $began = time();
        $client->send($bytes);
        my $status = $client->response->status;
        die "bench     a wrong key was answered with $status\n"
            if $status != 401;
        push @{ $took{$same} }, 1e6 * (time() - $began);
    }

    row('a key with 29 of 30 characters right is refused, us',
        sprintf('%.1f', median(@{ $took{29} })),
        sprintf('%.1f', median(@{ $took{0} })),
        ratio(median(@{ $took{29} }), median(@{ $took{0} })), '1.00');
}


# The last six characters of a key: CRC-32 of the others, in base 62.

sub crc {
    my $crc = Compress::Zlib::crc32($_[0]);
    return join '', map { (0 .. 9, 'A' .. 'Z', 'a' .. 'z')[
        int($crc / 62 ** $_) % 62 ] } reverse 0 .. 5;
}


1;
