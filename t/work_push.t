# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Work by webhook: evaluation.requested goes to who asked for it by name, once
# for each evaluation that begins to wait for a worker, whatever makes it so.

use Judge::Test;
use Judge::Receiver;
use Judge::Work;

use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();

my $receiver = Judge::Receiver->start;

my $t = Judge::Test->new(orgs => 2, server => <<"CONF");
location /judge-webhooks {
    judge_outbound allow=127.0.0.0/8 timeout=60s;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF

my $json     = JSON::PP->new->utf8->canonical;
my $judge    = $t->new_judge(content_type => 'video');
my @criteria = @{ $t->get("/judges/$judge")->json->{criteria} };
my $video    = "\0\0\0\x18ftypisom" . 'v' x 1000;
my $r;

works($t, judge => $judge);

# --- Helpers ----------------------------------------------------------------

sub hooks {
    my ($path, %more) = @_;
    my $r = $t->put('/config/webhooks', json => {
        url => $receiver->url($path), enabled => JSON::PP::true, %more });
    die $r->body if $r->status != 200;
}

# The events that came to a path, when there are so many.

sub arrived {
    my ($path, $n) = @_;
    $t->wait_until(sub { $receiver->ids($path) >= $n }, "$n to $path");
    return map { $json->decode($_->{body}) } $receiver->requests($path);
}

# How many were written; behind the service's back.

sub written {
    return $t->sql1('select count(*) from deliveries'
                    . " where type = 'evaluation.requested'");
}

sub ids { return join ' ', sort map { $_->{evaluation_id} } @_ }

sub uploaded {
    my (%fields) = @_;
    my $p = $t->post('/v1/evaluations/presigned-upload', json => {
        name => 'U', file_type => 'video', %fields })->json;
    my $before = written();
    my $put = sub {
        my ($body) = @_;
        status_is($t->put($p->{upload_url} =~ s{^http://localhost}{}r,
                          key => undef, body => $body, headers => [
                              'Content-Type' =>
                              $p->{headers}{'Content-Type'} ]),
                  200, 'a file is uploaded');
        $t->wait_until(sub {
            $t->get("/content/$p->{content_id}")->json->{status}
                =~ /^(?:ready|error)$/
        }, 'the content');
    };
    return ($p, $put);
}

# --- Only by name -----------------------------------------------------------

hooks('/all');
is(scalar(grep { $_ eq 'evaluation.requested' }
          @{ $t->get('/config/webhooks')->json->{events} }), 0,
   'evaluation.requested is not among all events');
clips(1);
is(written(), 0, 'evaluation.requested is not sent with all events');

hooks('/work', events => ['evaluation.requested']);
is_deeply($t->get('/config/webhooks')->json->{events},
          ['evaluation.requested'],
          'evaluation.requested is asked for by its name');

my ($item)  = clips(1);
my ($event) = arrived('/work', 1);
my $work    = $event->{data};
is($event->{type}, 'evaluation.requested', 'evaluation.requested is sent');
like($event->{id}, qr/^evt_[0-9A-HJKMNP-TV-Z]{26}$/,
     'an event has an identifier');
time_is($event->{created_at}, 'an event says when it was made');
is($event->{organization_id}, $t->org->{id},
   'an event names its organization');
is(join(' ', sort keys %$work), 'callback_url content created_at deadline'
   . ' evaluation_id id judge priority',
   'the event has a work item without a lease');
is_deeply([ $work->{evaluation_id}, $work->{content}{url},
            $work->{callback_url} ],
          [ $item->{evaluation_id}, $item->{url},
            "http://localhost$CALLBACK" ],
          'the work item has the evaluation, the video and the callback');
is_deeply($work->{judge}{criteria}, \@criteria,
          'the work item has the criteria of the judge');
is_deeply([ Judge::OpenAPI->schemas->check(
                { '$ref' => '#/components/schemas/Event' }, $event) ], [],
          'the event is as it is described');

my ($request) = $receiver->requests('/work');
is($request->{headers}{'x-webhook-signature'}, 'sha256='
   . hmac_sha256_hex($request->{body}, $t->org->{secret}),
   'the event is signed');
is($request->{headers}{'webhook-id'}, $event->{id},
   'the identifier of the event is in a header');

my ($d) = @{ $t->get('/webhooks/deliveries?type=evaluation.requested')
               ->json->{deliveries} };
is($d->{event_id}, $event->{id}, 'the delivery is in the list');
is_deeply($t->get("/webhooks/deliveries/$d->{id}")->json->{body}{data},
          { evaluation_id => $item->{evaluation_id} },
          'what is kept is no address of a file');

status_is(report($work, [ 70, 70 ]), 200, 'a report without a lease is taken');
is($t->get("/evaluations/$item->{evaluation_id}")->json->{overall_score}, 70,
   'the evaluation has the score of the report');
is(written(), 1, 'an evaluation that has ended is not asked for again');

# --- Whatever makes it wait -------------------------------------------------

my ($promise, $put) = uploaded(judge_id => $judge);
is(written(), 1, 'nothing is asked for before the file is there');
$put->($video);
(undef, $event) = arrived('/work', 2);
is($event->{data}{evaluation_id}, $promise->{job_id},
   'an evaluation is asked for when its file is there');
$work = $event->{data};
my ($expires) = $work->{content}{download_url} =~ /expires=(\d+)/;
cmp_ok($expires, '>', time + 23 * 3600,
       'the address of a file is valid for a day');
cmp_ok($expires, '<', time + 25 * 3600,
       'the address of a file is valid for no longer than a day');
$r = $t->get($work->{content}{download_url} =~ s{^http://localhost}{}r,
             key => undef);
ok($r->body eq $video, 'a worker downloads the file by its address');
is($work->{content}{size}, length $video,
   'the work item has the size of the file');

(undef, $put) = uploaded(judge_id => $judge);
$put->('This is no video.');
is(written(), 2, 'nothing is asked for when the file is no video');

my $content = $promise->{content_id};
my $single  = $t->new_evaluation($judge, $content, priority => 'low');
is((arrived('/work', 3))[2]{data}{evaluation_id}, $single,
   'a single evaluation is asked for');
is((arrived('/work', 3))[2]{data}{priority}, 'low',
   'a work item has the priority of its evaluation');

my @other = map { my ($p, $put) = uploaded(); $put->("$video$_");
                  $p->{content_id} } 1 .. 3;
is(written(), 3, 'nothing is asked for by contents alone');
my %batch = (name => 'B', judge_ids => [$judge],
             content_items => [ map { { content_id => $_ } } @other ]);
my $batch = $t->post('/batches/evaluate', json => {
    %batch, auto_start => JSON::PP::false })->json->{batch_id};
is(written(), 3, 'nothing is asked for by a batch that waits');
status_is($t->post("/batches/$batch/start"), 200,
          'a batch that waits is started');
my @three = (arrived('/work', 6))[3 .. 5];
is(join(' ', sort map { $_->{data}{content}{content_id} } @three),
   join(' ', sort @other),
   'each content of a batch that is started is asked for');
is(join(' ', map { $_->{data}{batch_id} } @three), "$batch $batch $batch",
   'a work item names its batch');
is(scalar keys %{ { map { $_->{id} => 1 } @three } }, 3,
   'each work item of a batch is an event of its own');
$t->post('/batches/evaluate', json => \%batch);
arrived('/work', 9);
is(written(), 9, 'a batch that starts by itself is asked for');
error_is($t->post('/batches/evaluate', json => { %batch, content_items =>
    [ @{ $batch{content_items} }, { content_id => 'cnt_x' } ] }), 404, undef,
    'a batch with an unknown content is refused');
is(written(), 9, 'nothing is asked for by a batch that is refused');

my $text = $t->new_judge;
$t->evaluated($t->new_evaluation($text, $t->new_content('A text.')));
is(written(), 9, 'nothing is asked for by a text');

# What was lost too often fails; taken up again, it is asked for again.

$t->alter("update evaluations set attempts = 5 where id = '$single'");
$t->wait_until(sub {
    $t->post('/work/claim', json => { max => 16, lease => 600 });
    $t->get("/evaluations/$single")->json->{status} eq 'failed';
}, 'the end');
is(written(), 9, 'nothing is asked for by claims and failures');
status_is($t->post("/evaluations/$single/retry"), 200,
          'a failed evaluation is tried again');
my @again = grep { $_->{data}{evaluation_id} eq $single } arrived('/work', 10);
is(scalar @again, 2,
   'an evaluation that is tried again is asked for once more');
isnt($again[0]{id}, $again[1]{id},
     'an evaluation that is tried again is another event');

is(scalar(grep { $_->{evaluation_id} eq $single } @{
       $t->post('/work/claim', json => { max => 16 })->json->{work} }), 1,
   'an evaluation that was asked for can be claimed, too');
status_is(report($again[1]{data}, [ 30, 30 ]), 200,
          'the first report on an evaluation is taken');
error_is(report($again[1]{data}, [ 40, 40 ]), 409, qr/with another result$/,
         'another report on the evaluation is refused');

# --- Tried again ------------------------------------------------------------

hooks('/status/503');
($item) = clips(1);
arrived('/status/503', 1);

sub hurry {
    $t->alter('update deliveries set queue_at = 1 where owner is null'
              . ' and queue_at is not null');
    $t->alter('update webhook_endpoints set queue_at = 1, blocked_until = 0,'
              . ' failures = 0 where queue_at is not null');
}

$t->wait_until(sub { hurry(); $receiver->ids('/status/503') >= 2 }, 'two');
my @twice = $receiver->requests('/status/503');
is($twice[0]{headers}{'webhook-id'}, $twice[1]{headers}{'webhook-id'},
   'a delivery that failed is tried again as the same event');
$work = $json->decode($twice[1]{body})->{data};
is($work->{evaluation_id}, $item->{evaluation_id},
   'a delivery that is tried again has its work item');
status_is(report($work, [ 50, 50 ]), 200, 'the report of a worker is taken');
$t->wait_until(sub {
    hurry();
    ($d) = @{ $t->get('/webhooks/deliveries?type=evaluation.requested')
                ->json->{deliveries} };
    return $d->{status} eq 'failed';
}, 'the end of the delivery');
is($d->{last_error}, 'the evaluation has ended, or was deleted',
   'a delivery ends with its evaluation');

# --- Turned off; another organization ---------------------------------------

my $before = written();
$t->put('/config/webhooks', json => { enabled => JSON::PP::false });
clips(1);
is(written(), $before, 'nothing is written when webhooks are turned off');
is($t->sql1("select count(*) from deliveries where org = '"
            . $t->org(1)->{id} . "'"), 0,
   'nothing is written for another organization');

done_testing;
