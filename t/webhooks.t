# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Webhooks over real sockets: what a receiver gets and how it verifies it,
# what is tried again, who may see it; and that whatever ends a worker, every
# event arrives.

use Judge::Test;
use Judge::Receiver;

use Digest::SHA qw(hmac_sha256_base64 hmac_sha256_hex);
use JSON::PP qw(decode_json);
use MIME::Base64 qw(decode_base64);

my $receiver = Judge::Receiver->start;

sub server {
    my ($timeout) = @_;
    return <<"CONF";
location /sink { return 204; }

location /judge-webhooks {
    judge_outbound allow=127.0.0.0/8 timeout=$timeout;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF
}

# No call lasts too long at first, however busy the machine: it would be sent
# again.

my $t = Judge::Test->new(orgs => 2, server => server('60s'));

my $secret = $t->org->{secret};


# --- Helpers ----------------------------------------------------------------

sub hooks {
    my ($path, %more) = @_;

    my $org = delete $more{org};
    my $r   = $t->put('/config/webhooks', org => $org, json => {
        url => $receiver->url($path), enabled => JSON::PP::true, %more });
    die $r->body if $r->status != 200;
}

sub deliveries {
    my ($query, %opt) = @_;
    return @{ $t->get("/webhooks/deliveries?$query", %opt)
              ->json->{deliveries} };
}

sub arrived {
    my ($path, $n, $seconds) = @_;
    $t->wait_until(sub { $receiver->ids($path) >= $n },
                   "$n requests to $path", $seconds);
    return defined wantarray ? $receiver->requests($path) : ();
}

# No delivery is pending any more; behind the service's back nothing is due
# later than now.

sub settled {
    my (%opt) = @_;

    my $ended = $t->wait_for(180 * $t->slow, sub {
        if ($opt{hurry}) {
            $t->alter('update deliveries set queue_at = 1 where owner is null'
                      . ' and queue_at is not null');
            $t->alter('update webhook_endpoints set queue_at = 1,'
                      . ' blocked_until = 0, failures = 0'
                      . ' where queue_at is not null');
        }
        !$t->sql1("select count(*) from deliveries where status = 'pending'")
    });
    return if $ended;

    diag(explain($t->sql("select * from deliveries where status = 'pending'"
                         . ' limit 3'), time));
    die "waited in vain for the deliveries\n";
}

sub unique { my %seen; return scalar grep { !$seen{$_}++ } @_ }


# --- What a receiver gets ---------------------------------------------------

my $quiet = $t->new_judge;
is($t->sql1('select count(*) from deliveries'), 0,
   'no event is kept without an address');

hooks('/first');
my $judge   = $t->new_judge;
my ($v)     = arrived('/first', 1);
my $content = $t->new_content('A text about buses that run at night.');
my $id      = $t->new_evaluation($judge, $content);
my $record  = $t->evaluated($id);
my ($e)     = grep { $_->{body} =~ /"evaluation\.completed"/ }
              arrived('/first', 2);
my $event   = decode_json($e->{body});

is(decode_json($v->{body})->{type}, 'judge.version_created',
   'a new judge is an event');
is_deeply([ @$event{qw(type organization_id)} ],
          [ 'evaluation.completed', $t->org->{id} ],
          'an evaluation is an event of its organization');
time_is($event->{created_at}, 'an event says when it was made');
is_deeply($event->{data}, $record, 'data is the record as its GET shows it');
is(join(' ', sort keys %$event), 'created_at data event_id id'
   . ' organization_id type', 'an event has no other fields');

my %h = %{ $e->{headers} };
is_deeply([ @h{qw(content-type webhook-id)} ],
          [ 'application/json', $event->{id} ],
          'an event is JSON, with its identifier in webhook-id');
like($h{'user-agent'}, qr{^judge-webhooks/\d}, 'User-Agent names the sender');

# By hand, with Perl's own digests and with OpenSSL.

is($h{'x-webhook-signature'},
   'sha256=' . hmac_sha256_hex($e->{body}, $secret),
   'X-Webhook-Signature is the HMAC of the body');

my $base64 = hmac_sha256_base64("$h{'webhook-id'}.$h{'webhook-timestamp'}."
    . $e->{body}, decode_base64($secret =~ s/^whsec_//r)) . '=';
is($h{'webhook-signature'}, "v1,$base64",
   'webhook-signature is that of Standard Webhooks');
cmp_ok(abs($h{'webhook-timestamp'} - time), '<', 300,
       'webhook-timestamp is the time when it was sent');

my $file = $t->write('body', $e->{body});
my ($status, $out) = $t->run('openssl', 'dgst', '-sha256', '-hmac', $secret,
                             $file);
like($out, qr/= (?:\Q${\ substr $h{'x-webhook-signature'}, 7 }\E)$/,
     'openssl dgst makes the same signature');

# By the public library of Standard Webhooks.

SKIP: {
    my $npm = $t->repo . '/build/npm/node_modules';
    skip 'standardwebhooks is not installed (util/dev/deps test does it)', 3
        if !-d "$npm/standardwebhooks";

    my $script = $t->write('verify.js', <<'JS');
const { Webhook } = require(process.argv[2] + '/standardwebhooks');
const [secret, body, headers] = JSON.parse(
    require('fs').readFileSync(process.argv[3], 'utf8'));
try {
    console.log('verified ' + new Webhook(secret).verify(body, headers).type);
} catch (e) {
    console.log('refused: ' + e.message);
}
JS
    my $verify = sub {
        my ($s, $body) = @_;
        my $input = $t->write('verify.json', JSON::PP->new->utf8->encode(
            [ $s, Encode::decode('UTF-8', $body), { map { $_ => $h{$_} }
              grep { /^webhook-/ } keys %h } ]));
        my (undef, $said) = $t->run('node', $script, $npm, $input);
        chomp $said;
        return $said;
    };

    is($verify->($secret, $e->{body}), 'verified evaluation.completed',
       'standardwebhooks verifies an event');
    like($verify->($secret, $e->{body} =~ s/completed/failed/r), qr/^refused/,
         'standardwebhooks refuses an event that was altered');
    like($verify->('whsec_' . 'A' x 43 . '=', $e->{body}), qr/^refused/,
         'standardwebhooks refuses an event with another secret');
}

my $new = $t->post('/config/webhooks/rotate-secret')->json->{secret};
$t->post('/config/webhooks/test');
my ($r) = grep { $_->{body} =~ /"webhook\.test"/ } arrived('/first', 3);
is($r->{headers}{'x-webhook-signature'},
   'sha256=' . hmac_sha256_hex($r->{body}, $new),
   'an event is signed with the new secret');
is(scalar(split / /, $r->{headers}{'webhook-signature'}), 2,
   'an event is signed with the former secret, too, for a while');


# --- Failures ---------------------------------------------------------------

$receiver->set('moody', '/status/503');
hooks('/as/moody', events => ['evaluation.completed']);
$t->evaluated($t->new_evaluation($judge, $content));
my ($first) = arrived('/as/moody', 1);

my $delivery;
$t->wait_until(sub {
    ($delivery) = deliveries('limit=1');
    $delivery->{last_error}
}, 'the failure');
is_deeply([ @$delivery{qw(status response_status response last_error
                          attempts)} ],
          [ 'pending', 503, 'it is 503', 'it answered 503', 1 ],
          'a delivery that failed says why, and is pending');
time_is($delivery->{next_attempt_at},
        'a delivery that failed says when it is tried again');

my ($second) = (arrived('/as/moody', 2, 30))[1];
is($second->{headers}{'webhook-id'}, $first->{headers}{'webhook-id'},
   'a delivery is tried again with the same webhook-id');
is($second->{body}, $first->{body},
   'a delivery is tried again with the same body');
cmp_ok($second->{at} - $first->{at}, '>=', 4.9,
       'a delivery is not tried again before 5 s');
cmp_ok($second->{headers}{'webhook-timestamp'}, '>',
       $first->{headers}{'webhook-timestamp'},
       'a delivery that is tried again has another timestamp');

$receiver->set('moody', '/ok');
settled(hurry => 1);
($delivery) = deliveries('limit=1');
is_deeply([ @$delivery{qw(status last_error)} ], [ 'delivered', undef ],
          'a delivery that is taken has no error any more');

status_is($t->post("/webhooks/deliveries/$delivery->{id}/redeliver"), 202,
          'a delivery can be sent again by hand');
arrived('/as/moody', $delivery->{attempts} + 1);
settled();
is(unique($receiver->ids('/as/moody')), 1,
   'a delivery that is sent again is the same event');

$receiver->set('moody', '/status/400');
$t->evaluated($t->new_evaluation($judge, $content));
for my $n (2 .. 10) {
    settled(hurry => 1);
}
($delivery) = deliveries('status=failed&limit=1');
is_deeply([ @$delivery{qw(attempts response next_attempt_at)} ],
          [ 10, 'it is 400', undef ],
          'a delivery fails after ten attempts, with its last answer');

$receiver->set('moody', '/status/410');
$t->evaluated($t->new_evaluation($judge, $content));
$t->wait_until(sub {
    !$t->get('/config/webhooks')->json->{enabled}
}, 'webhooks to be turned off');
pass('410 turns webhooks off');
$t->evaluated($t->new_evaluation($judge, $content));
is($t->sql1("select count(*) from deliveries where status = 'pending'"), 0,
   'nothing is kept when webhooks are turned off');


# --- Who may ----------------------------------------------------------------

permission_is($t, 'config:read', GET => '/webhooks/deliveries');
permission_is($t, 'config:read',
              GET => "/webhooks/deliveries/$delivery->{id}");
permission_is($t, 'config:write', POST => '/config/webhooks/test');
permission_is($t, 'config:write',
              POST => "/webhooks/deliveries/$delivery->{id}/redeliver");
is(scalar deliveries('', org => 1), 0,
   'another organization sees no deliveries');
error_is($t->get("/webhooks/deliveries/$delivery->{id}", org => 1), 404,
         'there is no such delivery',
         "another organization can't read a delivery");

my $shown = $t->get("/webhooks/deliveries/$delivery->{id}")->json;
is($shown->{body}{type}, 'evaluation.completed',
   'a delivery shows what is sent');
for ([ 'config:read' => 0 ], [ 'config:read,content:read' => 0 ],
     [ 'config:read,evaluations:read' => 1 ])
{
    my ($permissions, $seen) = @$_;
    $r = $t->get("/webhooks/deliveries/$delivery->{id}",
                 key => scalar $t->new_key(permissions => $permissions));
    is_deeply([ $r->json->{id}, exists $r->json->{body} ? 1 : 0 ],
              [ $delivery->{id}, $seen ],
              "a key sees what it may read of a delivery: $permissions");
}


# --- Beside a receiver that hangs -------------------------------------------

# Much may be under way at the address before; the next one has not earned it.

$t->conf(server => server('4s'));
$t->restart;
hooks('/quick', events => ['evaluation.completed']);
batch(80);
complete('/quick', 80, 'an address that answers');

hooks('/hang', events => ['evaluation.completed']);
hooks('/living', events => ['evaluation.completed'], org => 1);

my $began = time;
my $dead  = batch(40);
my $alive = batch(40, org => 1);
$t->comes_true(sub { unique($receiver->ids('/living')) == 40 },
               'a receiver that hangs does not hold up the others');
SKIP: {
    skip 'the first calls have lasted too long', 1 if time - $began >= 4;
    cmp_ok(unique($receiver->ids('/hang')), '<', 20,
           'a receiver that hangs is not overrun');
}

# A worker that is to leave does not wait for it.

if (!$t->single) {
    $t->reload(gone => 1);
    pass('workers leave without its answer');
}

hooks('/now-good', events => ['evaluation.completed']);
settled(hurry => 1);
is($t->sql1("select count(*) from deliveries where status <> 'delivered'"
            . " and event_id in (select event_id from deliveries where"
            . " created_at >= (select created_at from batches where id ="
            . " '$dead'))"), 0, 'what workers handed back has arrived');


# --- Nothing is lost --------------------------------------------------------

sub batch {
    my ($n, %opt) = @_;

    my $judge = $opt{org} ? $t->new_judge(%opt) : $quiet;

    return $t->new_batch($judge, [ map { "Text $_ is short." } 1 .. $n ],
                         %opt);
}

# All events of a batch have come, each with its evaluation.

sub complete {
    my ($path, $n, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    $t->wait_until(sub {
        unique($receiver->ids($path)) >= $n
    }, "$n events at $path", 90);
    settled(hurry => 1);

    my @requests = $receiver->requests($path);
    is(unique($receiver->ids($path)), $n, "no event is lost by $name");
    is(unique(map { decode_json($_->{body})->{data}{evaluation_id} }
              @requests), $n, "no evaluation is left out by $name");

    return @requests;
}

# A worker that leaves cuts off what takes longer than five seconds, and sends
# it again, as it does with a call that lasts too long: then, by the times that
# are signed, some seconds lie between both.

sub once {
    my ($path, $n, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my (%last, @soon);
    for my $request (complete($path, $n, $name)) {
        my ($id, $at) = @{ $request->{headers} }
                        {qw(webhook-id webhook-timestamp)};
        push @soon, $id if defined $last{$id} && abs($at - $last{$id}) < 4;
        $last{$id} = $at;
    }
    is("@soon", '', "no event is sent twice by $name");
}

# No call lasts too long here, either.

$t->conf(server => server('60s'));
$t->restart;

hooks('/calm', events => ['evaluation.completed']);
batch(300);
once('/calm', 300, 'two workers');

if (!$t->single) {
    hooks('/slow/0.05/reload', events => ['evaluation.completed']);
    batch(120);
    for my $n (20, 50, 80) {
        arrived('/slow/0.05/reload', $n);
        $t->reload;
    }
    once('/slow/0.05/reload', 120, 'reloads');
}

hooks('/slow/0.05/quit', events => ['evaluation.completed']);
batch(100);
arrived('/slow/0.05/quit', 30);
$t->restart;
once('/slow/0.05/quit', 100, 'a server that quits');

# What a process held that died is taken over when a call of it must have
# ended.

$t->conf(server => server('4s'));
$t->restart;

if (!$t->single) {
    hooks('/slow/0.05/kill', events => ['evaluation.completed']);
    batch(120);
    for my $n (20, 50, 80) {
        arrived('/slow/0.05/kill', $n);
        $t->kill_worker;
    }
    complete('/slow/0.05/kill', 120, 'workers that are killed');
}

hooks('/slow/0.05/stop', events => ['evaluation.completed']);
batch(100);
arrived('/slow/0.05/stop', 30);
$t->stop;
$t->start;
complete('/slow/0.05/stop', 100, 'a server that is stopped');

hooks('/slow/0.05/crash', events => ['evaluation.completed']);
batch(100);
arrived('/slow/0.05/crash', 30);
$t->crash;
$t->start;
complete('/slow/0.05/crash', 100, 'a server that is killed');


# --- Judges become ready ----------------------------------------------------

hooks('/ready', events => ['judge.ready']);
my $place = $t->post('/v1/judges/reference_content',
                     json => { file_extension => 'txt' })->json;
my $learns = $t->new_judge(
    reference_content_uri => $place->{reference_content_uri});
is($t->get("/judges/$learns")->json->{status}, 'learning',
   'a judge learns while its reference is to come');
status_is($t->put($place->{upload_url} =~ s{^http://[^/]+}{}r, key => undef,
                  body => 'A good example.', headers => [
                      'Content-Type' => 'text/plain' ]), 200,
          'the reference of a judge is taken');
my ($ready) = map { decode_json($_->{body}) } arrived('/ready', 1);
is($ready->{type}, 'judge.ready', 'an event says that a judge is ready');
is_deeply([ @{ $ready->{data} }{qw(judge_id status)} ], [ $learns, 'ready' ],
          'the event has the judge that is ready');


# --- Memory -----------------------------------------------------------------

sub memory {
    my ($most) = sort { $b <=> $a } map {
        Judge::Nginx::read_file("/proc/$_/status") =~ /VmRSS:\s+(\d+)/
    } $t->workers;
    return $most;
}

# All that were delivered go out once more, into nginx itself.

sub again {
    my ($rounds) = @_;

    for (1 .. $rounds) {
        $t->alter("update deliveries set status = 'pending', attempts = 0,"
                  . ' queue_at = 1');
        $t->alter('insert into webhook_endpoints (org, url, queue_at)'
                  . " select distinct org, '', 1 from deliveries where true"
                  . ' on conflict (org, url) do update set queue_at = 1,'
                  . ' blocked_until = 0, failures = 0');
        settled();
    }
}

SKIP: {
    skip 'memory is that of the sanitizer', 1 if $t->asan || $t->single;

    $t->put('/config/webhooks', org => $_, json => {
        url => $t->url . '/sink' }) for 0, 1;
    again(3);
    my $n      = $t->sql1('select count(*) from deliveries');
    my $before = memory();
    again(7);
    my $after = memory();
    cmp_ok($after, '<', $before + 4096, 'memory stays flat over ' . 7 * $n
           . " deliveries: $before KB, then $after KB");
}

done_testing;
