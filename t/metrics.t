# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# /metrics: the format, what is counted, and that services count apart.

use Judge::Test;

my $t = Judge::Test->new(
    store    => 'name=main',
    judge    => 'main',
    http     => 'judge_store @DIR@/idle "name=idle\"x" evaluate=off;',
    server   => 'location /idle/ { judge "idle\"x"; }');

# The values of a page: "name{labels without the service}" => number.

sub values_of {
    my ($path, $service) = @_;

    my $r = $t->get($path, key => undef);
    my %value;

    status_is($r, 200, "GET $path is answered");
    is($r->header('Content-Type'),
       'text/plain; version=0.0.4; charset=utf-8',
       "$path has the type of Prometheus' text format");

    my ($typed, $wrong) = ('', '');
    for my $line (split /\n/, $r->body) {
        if ($line =~ /^# TYPE (\w+) (?:counter|gauge|histogram)$/) {
            $typed = $1;
        } elsif ($line =~ /^(\w+)\{service="\Q$service\E"(?:,(.*))?\}
                           \ ([\d.]+)$/x) {
            my ($name, $labels, $n) = ($1, $2, $3);
            $value{$labels ? "$name $labels" : $name} = $n;
            $wrong .= $line if $name !~ /^$typed(?:_bucket|_sum|_count)?$/;
        } elsif ($line !~ /^# HELP \w+ \S/) {
            $wrong .= $line;
        }
    }
    is($wrong, '', "every line of $path is one of the format");
    like($r->body, qr/\n\z/, "$path ends with a line feed");

    return \%value;
}

my $before = values_of('/metrics', 'main');
is($before->{'judge_evaluations_ended_total status="completed"'}, 0,
   'no evaluation has ended before the first');

my $judge = $t->new_judge;
my $id    = $t->new_evaluation($judge, $t->new_content('A text.'));
$t->evaluated($id);
$t->get('/nothing') for 1 .. 3;

my $place = $t->post('/evaluations/presigned-upload', json => {
    name => 'U', file_type => 'text' })->json;
(my $path = $place->{upload_url}) =~ s{^http://[^/]+}{};
status_is($t->put($path, key => undef, body => 'x' x 1000,
                  headers => [ 'Content-Type' => 'text/plain' ]), 200,
          'a file is uploaded');

# What is counted behind an answer may come later, by each worker.

my $after;
$t->wait_until(sub {
    $after = values_of('/metrics', 'main');
    return grown('judge_request_duration_seconds_count group="files"')
           && grown('judge_request_duration_seconds_count group="judges"')
           && grown('judge_evaluation_duration_seconds_count')
           && grown('judge_requests_total class="4xx"') >= 3
           && grown('judge_requests_total class="2xx"') >= 6;
}, 'all of it');

sub grown { return $after->{$_[0]} - $before->{$_[0]} }

is(grown('judge_evaluations_ended_total status="completed"'), 1,
   'one completed evaluation is counted');
is(grown('judge_evaluations_ended_total status="failed"'), 0,
   'no evaluation is counted as failed');
is(grown('judge_requests_total class="4xx"'), 3,
   'three answers of 4xx are counted');
cmp_ok(grown('judge_requests_total class="2xx"'), '>=', 6,
       'the answers of 2xx are counted');
is(grown('judge_requests_total class="5xx"'), 0,
   'no answer of 5xx is counted');
is(grown('judge_uploads_total'), 1, 'one upload is counted');
is(grown('judge_uploaded_bytes_total'), 1000,
   'the bytes of the upload are counted');
is(grown("judge_purged_total what=\"$_\""), 0, "no $_ are counted as expired")
    for qw(idempotency_keys training_logs delivery_bodies deliveries uploads
           files contents results feedback audit);
cmp_ok(grown('judge_store_commits_total'), '>=', 5,
       'commits of the store are counted');
cmp_ok(grown('judge_store_lock_seconds_total '
             . 'state="held"'), '>', 0,
       'the time with the commit lock is counted');
cmp_ok(grown('judge_store_writes_total'), '>=',
       grown('judge_store_commits_total'),
       'each commit has one write at least');
is($after->{'judge_queue_depth queue="builtin",priority="normal",'
            . 'state="due"'}, 0, 'the depth of a queue that is empty is 0');

# Times: every class counts those below it, and the last one counts all.

is(grown('judge_request_duration_seconds_count group="judges"'), 1,
   'one request in the group of judges is timed');
is(grown('judge_request_duration_seconds_count group="other"'), 3,
   'three requests in the group of the others are timed');
is(grown('judge_evaluation_duration_seconds_count'), 1,
   'one evaluation is timed');
cmp_ok(grown('judge_store_duration_seconds_count kind="write"'), '>=', 4,
       'writes of the store are timed');
for my $times ('judge_request_duration_seconds group="files"',
               'judge_evaluation_duration_seconds ') {
    my ($name, $label) = split / /, $times, -1;
    $label .= ',' if $label;
    my @classes = map { grown("${name}_bucket ${label}le=\"$_\"") }
                  qw(0.001 0.002 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10
                     60 +Inf);
    is("@classes", join(' ', sort { $a <=> $b } @classes),
       "each class of $name counts those below it, too");
    is($classes[-1], 1, "the last class of $name counts all");
    cmp_ok(grown("${name}_sum" . ($label ? ' ' . $label =~ s/,//r : '')),
           '<=', 60, "the sum of $name is at most 60 seconds");
}

# The other service has counted nothing of that; its queue fills.

my $idle = values_of('/idle/metrics', 'idle\\"x');
is($idle->{'judge_evaluations_ended_total status="completed"'}, 0,
   'services count apart');

my ($status, $out) = $t->run($t->repo . '/build/judge', '--store',
                             $t->dir . '/idle', '--json', 'org', 'create',
                             'I');
my ($key) = $out =~ /"api_key":"([^"]+)"/;
my %as = (key => $key);
my $j = $t->post('/idle/judges', %as, json => { name => 'J',
    description => '', content_type => 'text',
    criteria => [{ name => 'Grammar', description => 'a' }],
})->json->{judge_id};
my $c = $t->post('/idle/content', %as, json => { name => 'C',
    file_type => 'text', text_content => 'x' })->json->{id};

for my $priority (qw(high high low)) {
    status_is($t->post('/idle/evaluations/single', %as, json => {
        judge_id => $j, content_id => $c, priority => $priority }), 201,
        "an evaluation of priority $priority waits in the other service");
}

$idle = values_of('/idle/metrics', 'idle\\"x');
for my $queue ([ builtin => '2 0 1' ], [ model => '0 0 0' ]) {
    my ($name, $depth) = @$queue;
    is(join(' ', map { $idle->{qq(judge_queue_depth queue="$name",)
                               . qq(priority="$_",state="due")} }
                 qw(high normal low)), $depth,
       "the depth of the queue $name is told by priority");
}

done_testing;
