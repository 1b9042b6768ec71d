# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# docs/examples does what it says, in each of its languages.

use JSON::PP ();

use Judge::HTTP;
use Judge::Test;
my $t = Judge::Test->new(server => <<"CONF");
location /judge-webhooks {
    judge_outbound allow=127.0.0.0/8 timeout=60s;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF

my $examples = $t->repo . '/docs/examples';

$ENV{JUDGE_URL}            = $t->url;
$ENV{JUDGE_API_KEY}        = $t->key;
$ENV{JUDGE_WEBHOOK_SECRET} = $t->org->{secret};

for (['python3', 'py'], ['node', 'mjs']) {
    my ($program, $suffix) = @$_;

    SKIP: {
        skip "$program is not installed", 1
            if system("$program --version >/dev/null 2>&1") != 0;

        first($program, "$examples/first.$suffix");
        batch_example($program, "$examples/batch.$suffix");
        webhook($program, "$examples/webhook.$suffix");
    }
}

sub first {
    my ($program, $example) = @_;
    my ($status, $out) = $t->run($program, $example);

    is($status, 0, "$program: the first example succeeds") or diag($out);
    like($out, qr/^ *[\d.]+ +\w.*\n *[\d.]+ +Clarity: .*\n *- +Warm/,
         "$program: the first example prints its result");
    like($out, qr/^corrected: fbk_\w+$/m,
         "$program: the first example corrects the result");

    local $ENV{JUDGE_API_KEY} = 'jdgk_wrong';
    ($status, $out) = $t->run($program, $example);
    isnt($status, 0, "$program: the first example fails with a wrong key");
    like($out, qr{POST /judges: .*API key},
         "$program: the first example says what is wrong with a key");
}

sub batch_example {
    my ($program, $example) = @_;

    my @files = map { $t->write(@$_) }
        ['bad.txt', 'no'],
        ['good.txt', 'Thank you for your letter. The lamp will be replaced;'
                     . ' a new one left our warehouse today.'];

    my ($status, $out) = $t->run($program, $example, $t->new_judge, @files);
    is($status, 0, "$program: the example of a batch succeeds") or diag($out);
    like($out, qr/100(?:\.0)? %/,
         "$program: the example of a batch shows how far it is");
    like($out, qr{\d +\S+/good\.txt\n.*\d +\S+/bad\.txt\n},
         "$program: the example of a batch sorts files by score");

    ($status, $out) = $t->run($program, $example);
    isnt($status, 0, "$program: the example of a batch fails without files");
    like($out, qr/\A[^\n]*(?:\n\n.*)?JUDGE_ID FILE\.\.\.\n\z/,
         "$program: the example of a batch says what it is called with");

    ($status, $out) = $t->run($program, $example, 'jdg_x', @files);
    isnt($status, 0, "$program: the example of a batch fails without a judge");
    like($out, qr{\A/batches/evaluate: .*judge.*\n\z},
         "$program: the example of a batch prints what the service says");
}

sub webhook {
    my ($program, $example) = @_;
    my $port = $t->free_port;

    my $pid = open(my $said, '-|', $program, $example, $port)
        // die "$program: $!";
    my $there = $t->wait_for(60, sub {
        eval { Judge::HTTP->connect(port => $port) } });
    ok($there, "$program: the receiver of webhooks listens");

    my $forged = Judge::HTTP->connect(port => $port);
    $forged->send(Judge::HTTP::request_bytes('POST', '/', body => '{}',
        headers => [ 'webhook-id' => 'evt_1', 'webhook-timestamp' => time,
                     'webhook-signature' => 'v1,' . 'A' x 43 . '=' ]));
    is($forged->response(method => 'POST')->{status}, 401,
       "$program: the receiver takes nothing that is not signed");

    status_is($t->put('/config/webhooks', json => {
        url => "http://127.0.0.1:$port/", enabled => JSON::PP::true }), 200,
        "$program: the address of the receiver is taken");
    status_is($t->post('/config/webhooks/test'), 202,
              "$program: a test event is sent to the receiver");
    like(scalar <$said>, qr/^webhook\.test evt_\w+$/,
         "$program: the receiver takes the event");

    $t->put('/config/webhooks', json => { enabled => JSON::PP::false });
    kill TERM => $pid;
    close $said;
}

done_testing;
