# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What happens to connections to PostgreSQL and to its servers: nothing that
# was acknowledged is lost, nothing is done twice, and nodes recover by
# themselves.

use Judge::Test;
use IO::Select;

use Judge::Proxy;

# It takes minutes: with a sanitizer only when it is asked for.
plan skip_all => 'JUDGE_TEST_LONG is not set'
    if Judge::Nginx->asan && !$ENV{JUDGE_TEST_LONG};

my $server = Judge::Postgresql->start;
my $direct = $server->database;
my ($name) = $direct =~ m{/(\w+)\?};
my $proxy  = Judge::Proxy->start($server->socket_path);
my $t = Judge::Test->new(store => 'lease=3s', address =>
    "postgresql://judge\@127.0.0.1:" . $proxy->port . "/$name");

my $judge = $t->new_judge;
my $n     = 0;
my %made;

sub content {
    my ($text) = @_;
    my $key = 'key-' . ++$n;

    return sub {
        return $t->post('/content', headers => [ 'Idempotency-Key' => $key ],
                        timeout => 60, json => {
                            file_type => 'text', name => $text,
                            text_content => "The bridge of $text is long." });
    };
}

# Tries until it is acknowledged; how often it was refused.

sub kept {
    my ($text) = @_;
    my $try     = content($text);
    my $refused = 0;

    $t->wait_until(sub {
        my $r = $try->();
        if ($r->status == 201) {
            $made{$text} = $r->json->{id};
            return 1;
        }
        $refused++;
        die "$text: " . $r->status if $r->status != 503;
        die "$text: without Retry-After" if !$r->header('Retry-After');
        return 0;
    }, "$text to be kept", 90);

    return $refused;
}

sub rows {
    my ($text) = @_;
    return $server->psql($t->{now} // $direct, 'select count(*) from contents'
                         . " where name = '$text'") + 0;
}

sub once {
    my ($what) = @_;
    my @wrong = grep { rows($_) != 1 } sort keys %made;
    is("@wrong", '', "$what: all that was acknowledged is there, once");
}

sub recovers {
    my ($what) = @_;
    $t->wait_until(sub { $t->get('/readyz', key => undef)->status == 200 },
                   "the service to be ready after $what", 90);

    # Each worker process finds the server again by itself.
    my $id;
    $t->wait_until(sub {
        $id = eval { $t->new_evaluation($judge, $made{first}) };
    }, 'an evaluation to be made');
    $t->evaluated($id);
    pass("$what: an evaluation is made and ends");
}

kept('first');

# --- Connections that are cut ----------------------------------------------

for my $i (1 .. 30) {
    $proxy->cut if $i % 5 == 0;
    kept("cut $i");
}
once('connections were cut');
recovers('connections were cut');

# Until the proxy has cut a transaction: another connection may be missing.

sub cut_amid {
    my ($how, $text, $there) = @_;
    my $try  = content($text);
    my $cuts = $proxy->cuts;
    my $r;

    $proxy->$how($text);
    $t->wait_until(sub { $r = $try->(); $proxy->cuts > $cuts }, 'a cut');
    status_is($r, 503, "$text: the request is refused");
    ok($r->header('Retry-After'), "$text: Retry-After says to try again");
    is(rows($text), $there, "$text: there are $there rows of it");
    $proxy->pass;
    $t->wait_until(sub { ($r = $try->())->status != 503 },
                   'another try to be answered');
    status_is($r, 201, "$text: another try makes it or finds it by its key");
    $made{$text} = $r->json->{id};
}

for my $i (1 .. 4) {
    cut_amid(before => "cut before commit $i", 0);
    cut_amid(vanish => "server vanished $i", 1);
}

# Where the server can be asked it says what became of the transaction.

for my $text (map { "answer lost $_" } 1 .. 4) {
    my $try  = content($text);
    my $cuts = $proxy->cuts;
    my $r;

    $proxy->lose($text);
    $t->wait_until(sub { $r = $try->(); $proxy->cuts > $cuts }, 'a cut');
    status_is($r, 201, "$text: what was made is answered as made");
    is(rows($text), 1, "$text: it is made once");
    $made{$text} = $r->json->{id};
}

# So what is counted is counted once: the use of a key, told each second.

subtest 'what is counted is counted once' => sub {
    my $key  = $t->post('/api-keys', json => { name => 'Counted',
                            permissions => ['judges:read'] })->json;
    my $cuts = $proxy->cuts;
    my $used = sub { $t->sql1('select requests from api_keys where id ='
                              . " '$key->{api_key_id}'") };

    $proxy->lose($key->{api_key_id});
    $t->get('/judges', key => $key->{api_key}) for 1 .. 5;
    $t->wait_until(sub { $proxy->cuts > $cuts }, 'the answer to be lost');
    $t->get('/judges', key => $key->{api_key});
    $t->wait_until(sub { $used->() >= 6 }, 'the use of a key to be written');
    is($used->(), 6, 'the use of a key is counted once');
};

# What was refused must not happen when nobody expects it any more.

subtest 'a commit that is held back does not come later' => sub {
    my $cuts = $proxy->cuts;
    my $r;

    $proxy->stall('held back');
    $t->wait_until(sub {
        $r = $t->post('/content', timeout => 90, json => {
            file_type => 'text', name => 'held back',
            text_content => 'It is held back on its way.' });
        $proxy->cuts > $cuts;
    }, 'a commit to be held back', 120);
    status_is($r, 503, 'a commit that does not come is refused');
    $t->wait_until(sub {
        $server->psql($direct, 'select count(*) from pg_stat_activity where'
                      . " state = 'idle in transaction' and state_change <"
                      . " now() - interval '10 s'") == 0;
    }, 'its transaction to end', 90);
    is(rows('held back'), 0,
       'a commit that was held back does not come later');
    $proxy->pass;
};

once('commits were cut');
recovers('commits were cut');

# --- A slow network ---------------------------------------------------------

# How slow it has to be to be slower than the machine is tried.

my $early;
for my $delay (0.2, 0.5, 1, 2) {
    $proxy->delay($delay);
    my @slow = map { $t->connect } 1 .. 8;
    $_->send($t->bytes(GET => "/content/$made{first}")) for @slow;
    status_is($t->get('/healthz', key => undef), 200,
              'the process answers with a slow network') for 1 .. 8;
    $early = grep { !IO::Select->new($_->{socket})->can_read(0) } @slow;
    is(scalar(grep { $_->response->status == 200 } @slow), 8,
       'reads that are slow are answered, too');
    last if $early == 8;
}
is($early, 8, 'the process answers before reads that are slow');
$proxy->delay(0.2);
kept('slow');
$proxy->pass;
once('a slow network');

# --- A job that ends while it is read ----------------------------------------

# Its course is read with its state: the state that is shown is not newer.

# Where the machine is busy for seconds the read is given up: then another job
# is read.

my ($reader, @get, $job);

for (1 .. 5) {
    my $id = $t->made('/training/jobs', 'job_id', json => {
        judge_id => $judge, training_type => 'full_retrain',
        training_config => {} });
    $reader = $t->connect;
    @get    = map { $t->bytes(GET => "/training/jobs/$id?include_logs=true$_",
                              keepalive => 1) } '', '&include_metrics=true';

    $reader->send($get[0]);
    is($reader->response->json->{status}, 'created', 'the job is created');

    my $later = $proxy->cuts;
    $proxy->later($id);
    $reader->send($get[1]);            # not as an answer that is remembered
    $t->wait_until(sub { $proxy->cuts > $later }, 'it to be read');
    $t->alter('insert into training_logs (org, job_id, at, level, message)'
              . " select org, id, created_at, 'info', 'the last line'"
              . " from training_jobs where id = '$id'");
    status_is($t->post("/training-jobs/$id/cancel"), 200,
              'the job is cancelled while it is read');
    $proxy->pass;

    $job = $reader->response->json;
    last if $job->{status};
}

my $lines = join ' ', map { $_->{message} } @{ $job->{logs} };
ok($job->{status} eq 'created' || $lines eq 'the last line cancelled',
   'a reader from before sees no end without its last lines')
    or diag("$job->{status}: $lines");
$reader->send($get[1]);
$job = $reader->response->json;
is_deeply([ $job->{status}, map { $_->{message} } @{ $job->{logs} } ],
          [ 'cancelled', 'the last line', 'cancelled' ],
          'a reader from then on sees the end and its last lines');

# --- Half-open connections --------------------------------------------------

$proxy->hold;
my $refused = kept('half open');
status_is($t->get('/healthz', key => undef), 200,
          'the process answers with half-open connections');
once('connections were half-open');
recovers('connections were half-open');

# --- A server that goes -----------------------------------------------------

$server->crash;
my $r = content('nowhere')->();
status_is($r, 503, 'a write is refused without the server');
ok($r->header('Retry-After'), 'a write that is refused gets Retry-After');
status_is($t->get('/judges'), 503, 'a read is refused without the server');
status_is($t->get('/readyz', key => undef), 503,
          'the service is not ready without the server');
like($t->log_text, qr/judge.*(?:refused|closed|terminat|No such file)/,
     "the log says why the server can't be used");
$server->start_again;
recovers('the server had crashed');
kept('after the crash');

for my $i (1 .. 3) {
    $server->stop;
    $server->start_again;
    kept("restart $i");
}
once('the server went');

$t->stop;
done_testing();
