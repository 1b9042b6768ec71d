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

    status_is($r, 200, "GET $path");
    is($r->header('Content-Type'),
       'text/plain; version=0.0.4; charset=utf-8', 'its type');

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
    is($wrong, '', 'every line is as it has to be');
    like($r->body, qr/\n\z/, 'and ends');

    return \%value;
}

my $before = values_of('/metrics', 'main');
is($before->{'judge_evaluations_ended_total status="completed"'}, 0,
   'nothing has ended yet');

my $judge = $t->new_judge;
my $id    = $t->new_evaluation($judge, $t->new_content('A text.'));
$t->evaluated($id);
$t->get('/nothing') for 1 .. 3;

my $place = $t->post('/evaluations/presigned-upload', json => {
    name => 'U', file_type => 'text' })->json;
(my $path = $place->{upload_url}) =~ s{^http://[^/]+}{};
status_is($t->put($path, key => undef, body => 'x' x 1000,
                  headers => [ 'Content-Type' => 'text/plain' ]), 200,
          'a file');

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
   'one evaluation');
is(grown('judge_evaluations_ended_total status="failed"'), 0, 'none failed');
is(grown('judge_requests_total class="4xx"'), 3, 'three wrong paths');
cmp_ok(grown('judge_requests_total class="2xx"'), '>=', 6, 'the others');
is(grown('judge_requests_total class="5xx"'), 0, 'no fault');
is(grown('judge_uploads_total'), 1, 'one file');
is(grown('judge_uploaded_bytes_total'), 1000, 'its bytes');
is(grown("judge_purged_total what=\"$_\""), 0, "no $_ expired")
    for qw(idempotency_keys training_logs delivery_bodies deliveries uploads
           files contents results feedback audit);
cmp_ok(grown('judge_store_commits_total'), '>=', 5, 'commits');
cmp_ok(grown('judge_store_lock_seconds_total '
             . 'state="held"'), '>', 0, 'the commit lock was held');
cmp_ok(grown('judge_store_writes_total'), '>=',
       grown('judge_store_commits_total'), 'of one write at least');
is($after->{'judge_queue_depth queue="builtin",priority="normal",'
            . 'state="due"'}, 0, 'nothing waits');

# Times: every class counts those below it, and the last one counts all.

is(grown('judge_request_duration_seconds_count group="judges"'), 1,
   'a request for judges');
is(grown('judge_request_duration_seconds_count group="other"'), 3,
   'and for nothing');
is(grown('judge_evaluation_duration_seconds_count'), 1, 'an evaluation');
cmp_ok(grown('judge_store_duration_seconds_count kind="write"'), '>=', 4,
       'writes');
for my $times ('judge_request_duration_seconds group="files"',
               'judge_evaluation_duration_seconds ') {
    my ($name, $label) = split / /, $times, -1;
    $label .= ',' if $label;
    my @classes = map { grown("${name}_bucket ${label}le=\"$_\"") }
                  qw(0.001 0.002 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10
                     60 +Inf);
    is("@classes", join(' ', sort { $a <=> $b } @classes), "$name: classes");
    is($classes[-1], 1, 'of one');
    cmp_ok(grown("${name}_sum" . ($label ? ' ' . $label =~ s/,//r : '')),
           '<=', 60, 'its sum');
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
        "one of priority $priority");
}

$idle = values_of('/idle/metrics', 'idle\\"x');
for my $queue ([ builtin => '2 0 1' ], [ model => '0 0 0' ]) {
    my ($name, $depth) = @$queue;
    is(join(' ', map { $idle->{qq(judge_queue_depth queue="$name",)
                               . qq(priority="$_",state="due")} }
                 qw(high normal low)), $depth, "the depth of queue $name");
}

done_testing;
