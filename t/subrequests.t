# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Answers of the service as parts of other answers: subrequests of nginx's
# modules, which end nothing but themselves and may have to wait for others.
# And answers in pieces where nginx changes or delays what is written.

use JSON::PP ();

use Judge::Test;

use constant TEXTS => 450;             # results in three pieces

my $to = 'proxy_pass http://127.0.0.1:@PORT@/plain';

my $t = Judge::Test->new(
    described => 0,
    server    => <<"CONF");
    client_body_buffer_size 1k;

    location /pages/    { alias \@DIR\@/pages/; ssi on; ssi_types *; }
    location /plain/    { judge on; }
    location /again/    { judge on; }
    location /parsed/   { judge on; ssi on; ssi_types *; }
    location /slow/     { judge on; limit_rate 4k; }
    location /both/     { judge on; mirror /copy; }
    location = /copy    { $to/content; }
    location /mirrored/ { $to/; mirror /again/content; }
CONF

mkdir $t->dir . '/pages' or die "mkdir: $!";

sub page {
    my ($name, @parts) = @_;

    $t->write("pages/$name", join '|', '', (map {
        qq{<!--#include virtual="$_" -->}
    } @parts), '');
    return "/pages/$name";
}

my $judge = $t->new_judge;
my $batch = $t->judged_batch($judge, [ map { "Text $_." } 1 .. TEXTS ]);
my $all   = "/plain/batches/$batch/results?format=jsonl";
my $lines = $t->get($all)->body;

is(() = $lines =~ /^\{.*\}$/mg, TEXTS, 'all results of the batch are there');


subtest 'A page goes on behind what it includes' => sub {
    my $r = $t->get(page('short', '/plain/judges', '/plain/judges/jdg_x',
                         '/plain/healthz'));
    like($r->body, qr/^\|\{.*"$judge".*\}\|\{"detail".*\}\|\{.*\}\|$/,
         'answers and an error are followed by the rest of the page');

    my $ready = $t->get($all)->body;
    is($t->get(page('piece', $all))->body, "|$ready|",
       'what comes in pieces is followed by the rest of the page');
};


# The first part ends when its batch is started, long after the others.

subtest 'An answer in pieces waits for the part before it' => sub {
    my $late = $t->new_batch($judge, ['A text.'],
                             auto_start => JSON::PP::false());
    my $path = page('waits', "/plain/batches/$late/events", ($all) x 2);
    my $http = Judge::HTTP->connect(port => $t->port, timeout => 60);

    $http->send("GET $path HTTP/1.0\r\nX-API-Key: " . $t->key . "\r\n\r\n");
    ok($http->read_until(qr/retry: \d+\n\n/), 'the first part has begun');

    $t->get($all) for 1 .. 5;
    status_is($t->post("/batches/$late/start"), 200, 'its batch is started');

    my (undef, @parts) = split /\|/, $http->read_all, -1;
    is_deeply([ map { $_ eq $lines } @parts ], [ 1, 1, '' ],
              'both parts behind it are whole');
    is($parts[-1], '', 'the page has its end');
};


subtest 'A body is there for each who reads it' => sub {
    for my $words (1, 5000) {
        my $text = 'A shared text. ' x $words;
        my $n    = $t->sql1('select count(*) from contents');

        for my $path (qw(/mirrored/content /both/content)) {
            my $r = $t->post($path, timeout => 20, json => {
                name => 'A text', file_type => 'text',
                text_content => $text });
            status_is($r, 201, "$path takes a text of $words sentences");
        }

        $t->wait_until(sub {
            $t->sql1('select count(*) from contents') == $n + 4;
        }, 'the text twice from each');
        is($t->sql1("select count(*) from contents where size = "
                    . length $text), 4, 'it is whole each time');
    }
};


# nginx keeps what is short until more comes, or its delay is over.

subtest 'An answer in pieces comes soon, whatever nginx does to it' => sub {
    my $one  = $t->judged_batch($judge, ['A text.']);
    my $path = "batches/$one/results";
    my $r    = $t->get("/plain/$path");

    status_is($r, 200, 'the results can be read');
    is($t->get("/parsed/$path", timeout => 20)->body, $r->body,
       'a filter that drops flushes does not hold it back');
    is($t->get("/slow/$path", timeout => 20)->body, $r->body,
       'it goes on when the delay of limit_rate is over');
};

done_testing;
