# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Work by webhook: evaluation.requested goes to who asked for it by name, once
# for each evaluation that begins to wait for a worker, whatever makes it so.

use Judge::Test;
use Judge::Receiver;

use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();

my $receiver = Judge::Receiver->start;

my $t = Judge::Test->new(orgs => 2, server => <<"CONF");
location /judge-webhooks {
    judge_outbound allow=127.0.0.0/8 timeout=4s;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF

my $json     = JSON::PP->new->utf8->canonical;
my $judge    = $t->new_judge(content_type => 'video');
my @criteria = @{ $t->get("/judges/$judge")->json->{criteria} };
my $video    = "\0\0\0\x18ftypisom" . 'v' x 1000;
my $clips    = 76979870;
my $r;

# --- Helpers ----------------------------------------------------------------

sub hooks {
    my ($path, %more) = @_;
    my $r = $t->put('/config/webhooks', json => {
        url => $receiver->url($path), enabled => JSON::PP::true, %more });
    die $r->body if $r->status != 200;
}

sub clips {
    my ($n, %opt) = @_;
    my $r = $t->post('/v1/evaluations/social-media', json => {
        judge_id => $judge,
        urls => [ map { 'https://vimeo.com/' . ++$clips } 1 .. $n ] }, %opt);
    die $r->body if $r->status != 202;
    return @{ $r->json->{items} };
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

sub report {
    my ($work, $score) = @_;
    my $bytes = $json->encode({
        evaluation_id => $work->{evaluation_id},
        content_id => $work->{content}{content_id}, status => 'completed',
        results => { criteria_scores => [ map { {
            criterion_id => $_->{criterion_id}, score => $score } }
            @{ $work->{judge}{criteria} } ] } });
    return $t->post($work->{callback_url} =~ s{^http://localhost}{}r,
        key => undef, body => $bytes, headers => [
            'Content-Type' => 'application/json', 'X-Webhook-Signature' =>
            'sha256=' . hmac_sha256_hex($bytes, $t->org->{secret}) ]);
}

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
                  200, 'uploaded');
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
   'it is not among all events');
clips(1);
is(written(), 0, 'and is not sent with them');

hooks('/work', events => ['evaluation.requested']);
is_deeply($t->get('/config/webhooks')->json->{events},
          ['evaluation.requested'], 'it is asked for');

my ($item)  = clips(1);
my ($event) = arrived('/work', 1);
my $work    = $event->{data};
is($event->{type}, 'evaluation.requested', 'it comes');
like($event->{id}, qr/^evt_[0-9A-HJKMNP-TV-Z]{26}$/, 'id');
time_is($event->{created_at}, 'created_at');
is($event->{organization_id}, $t->org->{id}, 'organization_id');
is(join(' ', sort keys %$work), 'callback_url content created_at deadline'
   . ' evaluation_id id judge priority', 'a work item without a lease');
is($work->{evaluation_id}, $item->{evaluation_id}, 'evaluation_id');
is($work->{content}{url}, "https://vimeo.com/$clips", 'the video');
is_deeply($work->{judge}{criteria}, \@criteria, 'the criteria');
is($work->{callback_url}, 'http://localhost/api/video-evaluations/callback',
   'callback_url');

my ($request) = $receiver->requests('/work');
is($request->{headers}{'x-webhook-signature'}, 'sha256='
   . hmac_sha256_hex($request->{body}, $t->org->{secret}), 'it is signed');
is($request->{headers}{'webhook-id'}, $event->{id}, 'webhook-id');

my ($d) = @{ $t->get('/webhooks/deliveries?type=evaluation.requested')
               ->json->{deliveries} };
is($d->{event_id}, $event->{id}, 'in the list');
is_deeply($t->get("/webhooks/deliveries/$d->{id}")->json->{body}{data},
          { evaluation_id => $item->{evaluation_id} },
          'what is kept is no address of a file');

status_is(report($work, 70), 200, 'its result');
is($t->get("/evaluations/$item->{evaluation_id}")->json->{overall_score}, 70,
   'is there');
is(written(), 1, 'and nothing is asked for again');

# --- Whatever makes it wait -------------------------------------------------

my ($promise, $put) = uploaded(judge_id => $judge);
is(written(), 1, 'a promise');
$put->($video);
(undef, $event) = arrived('/work', 2);
is($event->{data}{evaluation_id}, $promise->{job_id}, 'is kept, then sent');
$work = $event->{data};
my ($expires) = $work->{content}{download_url} =~ /expires=(\d+)/;
cmp_ok($expires, '>', time + 23 * 3600, 'the address holds for a day');
cmp_ok($expires, '<', time + 25 * 3600, 'and no longer');
$r = $t->get($work->{content}{download_url} =~ s{^http://localhost}{}r,
             key => undef);
ok($r->body eq $video, 'and gives the video');
is($work->{content}{size}, length $video, 'size');

(undef, $put) = uploaded(judge_id => $judge);
$put->('This is no video.');
is(written(), 2, 'what is no video is no work');

my $content = $promise->{content_id};
my $single  = $t->new_evaluation($judge, $content, priority => 'low');
is((arrived('/work', 3))[2]{data}{evaluation_id}, $single, 'a single one');
is((arrived('/work', 3))[2]{data}{priority}, 'low', 'with its priority');

my @other = map { my ($p, $put) = uploaded(); $put->("$video$_");
                  $p->{content_id} } 1 .. 3;
is(written(), 3, 'contents alone are no work');
my %batch = (name => 'B', judge_ids => [$judge],
             content_items => [ map { { content_id => $_ } } @other ]);
my $batch = $t->post('/batches/evaluate', json => {
    %batch, auto_start => JSON::PP::false })->json->{batch_id};
is(written(), 3, 'nor is a batch that waits');
status_is($t->post("/batches/$batch/start"), 200, 'started');
my @three = (arrived('/work', 6))[3 .. 5];
is(join(' ', sort map { $_->{data}{content}{content_id} } @three),
   join(' ', sort @other), 'it is');
is(join(' ', map { $_->{data}{batch_id} } @three), "$batch $batch $batch",
   'batch_id');
is(scalar keys %{ { map { $_->{id} => 1 } @three } }, 3, 'each with an id');
$t->post('/batches/evaluate', json => \%batch);
arrived('/work', 9);
is(written(), 9, 'a batch that starts by itself');
error_is($t->post('/batches/evaluate', json => { %batch, content_items =>
    [ @{ $batch{content_items} }, { content_id => 'cnt_x' } ] }), 404, undef,
    'a batch that is refused');
is(written(), 9, 'asks for nothing');

my $text = $t->new_judge;
$t->evaluated($t->new_evaluation($text, $t->new_content('A text.')));
is(written(), 9, 'nor does a text');

# What was lost too often fails; taken up again, it is asked for again.

$t->alter("update evaluations set attempts = 5 where id = '$single'");
$t->wait_until(sub {
    $t->post('/work/claim', json => { max => 16, lease => 600 });
    $t->get("/evaluations/$single")->json->{status} eq 'failed';
}, 'the end');
is(written(), 9, 'claims and ends ask for nothing');
status_is($t->post("/evaluations/$single/retry"), 200, 'retried');
my @again = grep { $_->{data}{evaluation_id} eq $single } arrived('/work', 10);
is(scalar @again, 2, 'is asked for once more');
isnt($again[0]{id}, $again[1]{id}, 'as another event');

is(scalar(grep { $_->{evaluation_id} eq $single } @{
       $t->post('/work/claim', json => { max => 16 })->json->{work} }), 1,
   'and can be claimed, too');
status_is(report($again[1]{data}, 30), 200, 'whoever has the result first');
error_is(report($again[1]{data}, 40), 409, qr/with another result$/,
         'the other one is told');

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
   'the same event again');
$work = $json->decode($twice[1]{body})->{data};
is($work->{evaluation_id}, $item->{evaluation_id}, 'with its work');
status_is(report($work, 50), 200, 'which is done');
$t->wait_until(sub {
    hurry();
    ($d) = @{ $t->get('/webhooks/deliveries?type=evaluation.requested')
                ->json->{deliveries} };
    return $d->{status} eq 'failed';
}, 'the end of the delivery');
is($d->{last_error}, 'the evaluation has ended, or was deleted',
   'then it is not sent any more');

# --- Turned off; another organization ---------------------------------------

my $before = written();
$t->put('/config/webhooks', json => { enabled => JSON::PP::false });
clips(1);
is(written(), $before, 'turned off: nothing is written');
is($t->sql1("select count(*) from deliveries where org = '"
            . $t->org(1)->{id} . "'"), 0, 'nothing for anybody else');

done_testing;
