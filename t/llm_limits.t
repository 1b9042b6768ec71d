# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A model's server that answers 429 when it is asked too much at once: a worker
# finds out how much that is, and asks no more.

use Judge::Test;
use Judge::OpenAI;

my $TAKES = 4;
my $N     = 240;

my $narrow = Judge::OpenAI->start(takes => $TAKES, script =>
                 [ ({ action => 'ok', delay => 0.1 }) x 10_000 ]);
my $closed = Judge::OpenAI->start(script => [ 'rate', 'rate' ]);

my $t = Judge::Test->new(server => $narrow->location('narrow', 'at_once=32'));
my $judge = $t->new_model_judge;





# --- So many at once --------------------------------------------------------

my $r = $t->post('/batches/evaluate', json => {
    name => 'Many', judge_ids => [$judge], model => 'narrow',
    content_items => [ map { { name         => "Text $_",
                             text_content => "Text $_ is about mills." } }
                       1 .. $N ] });
status_is($r, 201, "a batch is made");

my $path = '/batches/' . $r->json->{batch_id};
$t->wait_until(sub { $t->get($path)->json->{status} eq 'completed' },
               'the batch');
is($t->get($path)->json->{completed_evaluations}, $N,
   'all texts of the batch are judged in the end');

my @refused = grep { $_->{status} == 429 } $narrow->requests;

ok(@refused > 0, 'the server has refused some');
cmp_ok(scalar @refused, '<', $N / 2,
       'far fewer are refused than of 64 questions at once to one that takes'
       . ' 4');
is($t->metric('judge_calls_refused_total'), @refused,
   'the metrics count the refused calls');
cmp_ok($t->metric('judge_model_calls', state => 'allowed', model => 'narrow'),
       '<', 32,
       'the metrics say how many are allowed now');
for my $state (qw(active waiting)) {
    $t->comes_true(sub {
        $t->metric('judge_model_calls', state => $state, model => 'narrow')
            == 0
    }, "no call is $state any more");
}


# --- None at once -----------------------------------------------------------

# Three questions are in a line that only one at a time leaves: after a refusal
# all of them wait for as long as Retry-After says, and not only the first.

my $one = Judge::Test->new(workers => 1,
                           server => $closed->location('closed', 'at_once=1'));
$judge = $one->new_model_judge;

my @ids = map { $one->new_evaluation($judge,
                    $one->new_content("Text $_ is about rivers."),
                    model => 'closed') } 1 .. 3;
is($one->ended($_)->{status}, 'completed',
   'a question that was refused is judged in the end')
    for @ids;

my @asked = $closed->requests;

is(scalar @asked, 5,
   'the server gets two questions that it refuses and three that it answers');
cmp_ok($asked[$_ + 1]{at} - $asked[$_]{at}, '>=', 0.9,
       'no other question comes in the second after a refusal')
    for grep { $asked[$_]{status} == 429 && $asked[$_ + 1] } 0 .. 1;


# --- None for a long time ---------------------------------------------------

my $paused = Judge::OpenAI->start(script =>
                 [ { action => 'rate', headers => { 'Retry-After' => 60 } } ]);

SKIP: {
    skip 'one process only', 1 if $one->single;

    my $two = Judge::Test->new(workers => 1,
                       server => $paused->location('paused', 'at_once=1'));
    my ($old) = $two->workers;

    my $asking = $two->new_model_judge;
    $two->new_evaluation($asking, $two->new_content("Text $_."),
                         model => 'paused') for 1, 2;
    $two->wait_until(sub {
        $two->metric('judge_calls_refused_total') == 1 }, 'the refusal');
    $two->reload;
    ok($two->wait_for(30, sub { !grep { $_ == $old } $two->processes }),
       'a worker leaves, however long a server wants to be left alone');
}

done_testing();
