# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Annotation queues: who is given what, blind to each other, and how it comes
# back.

use JSON::PP ();

use Judge::Docs;
use Judge::Test;

my $t = Judge::Test->new(orgs => 2, workers => 3);
my $r;
my $n = 0;

sub person {
    my ($name, $role) = @_;
    return $t->post('/people', json => { name => $name, role => $role,
        address => ++$n . '@example.com' })->json;
}

sub evaluation {
    my ($judge) = @_;
    my $id = $t->new_evaluation($judge, $t->new_content(
        'Letter ' . ++$n . '. The club meets in the old school at noon.'));
    $t->evaluated($id);
    return $id;
}

sub queue {
    my ($judge, %fields) = @_;
    my $r = $t->post('/annotation-queues', json => {
        name => 'Letters', judge_id => $judge, items => 10, %fields });
    status_is($r, 201, 'a queue is made');
    return $r->json;
}

sub next_of {
    my ($queue, $person) = @_;
    return $t->post("/annotation-queues/$queue/next",
                    key => $person->{api_key});
}

sub given {
    my ($queue, $person) = @_;
    my $r = next_of($queue, $person);
    return $r->status == 200 ? $r->json->{evaluation_id} : $r->status;
}

sub says {
    my ($evaluation, $person) = @_;
    my $r = $t->post("/feedback/evaluation/$evaluation",
        key => $person->{api_key}, json => { type => 'rating',
                                             content => { rating => 3 } });
    status_is($r, 201, 'an annotator may give feedback');
    return $r->json->{feedback_id};
}

my ($ann, $bo, $cy) = map { person($_, 'annotator') } qw(Ann Bo Cy);
my $judge = $t->new_judge;

# --- Drawn ------------------------------------------------------------------

my %new = (name => 'x', judge_id => $judge, items => 3);
error_is($t->post('/annotation-queues', json => \%new), 409,
         qr/^there is no evaluation to be looked at: none of/,
         'nothing is drawn without evaluations');
is_deeply($t->get('/annotation-queues')->json->{annotation_queues}, [],
          'no queue is made where nothing is drawn');
my %there = map { evaluation($judge) => 1 } 1 .. 4;
error_is($t->post('/annotation-queues', json => { %new, @$_[0, 1] }),
         $_->[2], $_->[3], "a queue is refused: $_->[0] $_->[1]")
    for [ judge_id => 'jdg_' . '0' x 26, 404, qr/^judge_id: there is no/ ],
        [ judge_id => $t->new_judge(org => 1), 404, qr/^judge_id: / ],
        [ batch_id => 'bat_' . '0' x 26, 404, qr/ no such batch$/ ],
        [ items => 0, 400, qr/^items: / ],
        [ people => 11, 400, qr/^people: / ],
        [ sampling => 'x', 400, qr/^sampling: / ];

my $q = queue($judge, items => 3, people => 2);
like($q->{queue_id}, qr/^anq_/, 'a queue has an identifier');
is_deeply([ @$q{qw(items done people_per_item sampling lease_seconds)} ],
          [ 3, 0, 2, 'random', 3600 ],
          'as many evaluations are drawn as were asked for');
my @again = map { $t->post('/annotation-queues', json => {
    name => 'Once', judge_id => $judge, items => 9 },
    headers => [ 'Idempotency-Key' => 'q' ]) } 1, 2;
is($again[1]->header('Idempotency-Replayed'), 'true',
   'a queue is made once with its Idempotency-Key');
is_deeply($again[1]->json, $again[0]->json,
          'a repeat shows the queue with the items that were drawn');
status_is($t->delete('/annotation-queues/' . $again[0]->json->{queue_id}), 204,
          'a queue that was made once is deleted');
my $rest = queue($judge);
is($rest->{items}, 4, 'no more evaluations are drawn than there are');
status_is($t->delete("/annotation-queues/$rest->{queue_id}"), 204,
          'a queue is deleted');
my $id = $q->{queue_id};

# What nothing judges can be scored by people alone.
my $wit = $t->new_judge(criteria => [ { name => 'Wit',
                                        description => 'Makes one laugh.' } ]);
$r = $t->post('/evaluations/single', json => {
    judge_id => $wit, text_content => 'The bus is late again.' });
my $unjudged = $t->ended($r->json->{id});
is($unjudged->{error}{code}, 'NOT_JUDGED', 'wit is judged by nothing');
$r = $t->get("/judges/$wit/review")->json;
is_deeply([ map { $_->{evaluation_id} } @{ $r->{items} } ],
          [ $unjudged->{id} ],
          'what was not judged waits for a review');
$rest = queue($wit);
is($rest->{items}, 1, 'what was not judged is drawn');

# --- Given ------------------------------------------------------------------

my $talker = person('Talker', 'annotator');
is(given($rest->{queue_id}, $talker), $unjudged->{id},
   'what was not judged is given');
status_is($t->post("/feedback/evaluation/$unjudged->{id}",
    key  => $talker->{api_key},
    json => { type => 'comment', content => { comment => 'x' } }), 201,
    'an annotator may comment');
is(given($rest->{queue_id}, $talker), $unjudged->{id},
   'a comment alone makes nothing done');

$r = next_of($id, $ann);
status_is($r, 200, 'an evaluation is given');
my $first = $r->json->{evaluation_id};
ok($there{$first}, 'an evaluation that was drawn is given');
is(given($id, $ann), $first, 'who asks again is given the same evaluation');
is(given($id, $bo), $first, 'a second person is given the same evaluation');
my $second = given($id, $cy);
isnt($second, $first, 'a third person is given another evaluation');
for my $path ('next', 'leave') {
    my $body = $path eq 'leave' ? { evaluation_id => $first } : {};

    error_is($t->post("/annotation-queues/$id/$path", json => $body), 403,
             qr/worked through by people: the API key belongs to nobody/,
             "a key that is nobody's does not work through a queue: $path");
}

my $vi = person('Vi', 'viewer');
error_is(next_of($id, $vi), 403, qr/^the role viewer lacks/,
         'a viewer is given nothing');

# --- Blind ------------------------------------------------------------------

my $said = says($first, $ann);
sub seen {
    my ($person) = @_;
    my $r = $t->get("/feedback/evaluation/$first", key => $person->{api_key})
              ->json;
    return [ scalar @{ $r->{feedback_entries} }, $r->{total_feedback}
             // $r->{total} // $r->{statistics}{total} // 'none' ];
}
my $own = seen($ann);
is($own->[0], 1, 'an annotator sees feedback of their own');
is(seen($bo)->[0], 0, 'an annotator does not see feedback of others');
isnt(seen($bo)->[1], $own->[1],
     "an annotator sees no count of others' feedback")
    if $own->[1] ne 'none';
is(seen($vi)->[0], 1, 'a viewer sees feedback of annotators');
error_is($t->get("/feedback/$said", key => $bo->{api_key}), 404,
         qr/no such feedback/,
         "an annotator cannot read others' feedback by its identifier");
status_is($t->get("/feedback/$said", key => $ann->{api_key}), 200,
          'an annotator reads their own feedback by its identifier');
error_is($t->patch("/feedback/$said", key => $bo->{api_key},
                   json => { content => { comment => 'y' } }), 404,
         qr/no such feedback/, "an annotator cannot change others' feedback");
error_is($t->delete("/feedback/$said", key => $bo->{api_key}), 404,
         qr/no such feedback/, "an annotator cannot delete others' feedback");
is(given($id, $ann), $second,
   'who has given feedback is given the next evaluation');

says($first, $bo);
is(seen($bo)->[0], 2,
   'all annotators see all feedback when each has given it');
is($t->get("/annotation-queues/$id")->json->{done}, 1,
   'a queue counts an evaluation that all have judged as done');

# --- Left -------------------------------------------------------------------

sub leaves {
    my ($person, $evaluation) = @_;
    return $t->post("/annotation-queues/$id/leave", key => $person->{api_key},
                    json => { evaluation_id => $evaluation });
}

sub remaining {
    return $t->get("/annotation-queues/$id", key => $_[0]{api_key})
             ->json->{remaining};
}
is_deeply([ map { remaining($_) } $ann, $bo, $cy ], [ 2, 1, 2 ],
          'remaining says how many each person can be given yet');
ok(!exists $t->get("/annotation-queues/$id")->json->{remaining},
   "a key that is nobody's has nothing remaining");
status_is(leaves($cy, $second), 204, 'an evaluation is left to others');
error_is(leaves($cy, $first), 404, qr/was given no such evaluation here/,
         'an evaluation that was not given is not left');
my $third = given($id, $cy);
isnt($third, $second, 'who left an evaluation is given another one');
is(given($id, $bo), $second, 'an evaluation that was left is given to others');
says($_, $cy) for $third;
is(given($id, $cy), 204, 'nothing is given when nothing is left for a person');
is(remaining($cy), 0, 'remaining is 0 when nothing is left for a person');

my %by = map { $_->{name} => [ @$_{qw(done left open)} ] }
         @{ $t->get("/annotation-queues/$id")->json->{people} };
is_deeply(\%by, { Ann => [1, 0, 1], Bo => [1, 0, 1], Cy => [1, 1, 0] },
          'a queue says what each person did');

# --- Agreement --------------------------------------------------------------

# Of what all people of an item have scored, and of nothing else.

my $scored = $t->new_judge;
my ($crt) = map { $_->{criterion_id} }
            @{ $t->get("/judges/$scored")->json->{criteria} };
my %own = map { evaluation($scored) => 1 } 1 .. 6;
my $felt = queue($scored, people => 2)->{queue_id};
sub agreement { return $t->get("/annotation-queues/$felt/agreement")->json }

sub scores {
    my ($evaluation, $person, $score, %more) = @_;
    my $r = $t->post("/feedback/evaluation/$evaluation",
        key => $person->{api_key}, json => $score eq 'right'
        ? { type => 'approval', content => { approved => JSON::PP::true } }
        : { type => 'correction', content => {
                corrected_scores => { $crt => $score } } });
    status_is($r, 201, "a score is taken: $score");
}

my $none = agreement();
is_deeply([ $none->{done}, $none->{criteria}[0]{items}, $none->{mean}{items},
            exists $none->{mean}{rmse} ], [ 0, 0, 0, '' ],
          'agreement is empty before anything was said');
my $nth = 0;
for my $both ([ 80, 60 ], [ 40, 20 ], [ 70, 50 ]) {
    my $e = given($felt, $ann);
    is(given($felt, $bo), $e, 'two people are given the same evaluation');
    scores($e, $ann, $both->[0]);
    scores($e, $bo, $both->[1]);
    scores($e, $cy, 0) if $nth++ == 0;     # who was never given it
}
my $half = given($felt, $ann);
scores($half, $ann, 10);

# Where a judge is off most is a text with what others gave it.
my $apart_in = sub {
    my (@as) = @_;
    return $t->get("/judges/$scored/agreement", @as)->json->{disagreements};
};
$t->wait_until(sub {
    return grep { $_->{evaluation_id} eq $half } @{ $apart_in->() };
}, 'agreement to have what one of two said');
is_deeply($apart_in->(key => $bo->{api_key}), [],
          'an annotator sees in the agreement no text with its scores');
sub figures {
    my ($person) = @_;
    my $all = $t->get("/judges/$scored/agreement", key => $person->{api_key})
                ->json;
    return map { my $of = $_; map { "$of $_" } grep { exists $all->{$of}{$_} }
                                               qw(items bias rmse) }
           qw(overall mean);
}
$t->wait_until(sub { @{ $apart_in->() } == 4 }, 'agreement to have all');
is_deeply([ figures($bo) ], [ 'overall items', 'mean items', 'mean rmse' ],
          'an annotator sees no bias, which would tell what another one gave');
is_deeply([ figures($vi) ], [ 'overall items', 'mean items', 'mean bias',
                              'mean rmse' ],
          'a viewer sees the bias in the agreement');
my $single = $t->new_judge;
my $alone = evaluation($single);
($crt, my $kept) = (map({ $_->{criterion_id} }
    $t->get("/judges/$single")->json->{criteria}[0]), $crt);
scores($alone, $ann, 15);
$crt = $kept;
my $one_of = sub {
    return $t->get("/judges/$single/agreement", key => $_[0]{api_key})
             ->json->{mean};
};
$t->wait_until(sub { $one_of->($vi)->{items} }, 'agreement of one score');
is_deeply([ sort keys %{ $one_of->($bo) } ], [ 'items' ],
          'an annotator sees no figure of a single score');
ok(exists $one_of->($vi)->{bias}, 'a viewer sees the bias of one score');
ok(@{ $apart_in->(key => $vi->{api_key}) },
   'a viewer sees in the agreement where people and the judge differ');

my $a;
$t->wait_until(sub {
    $a = agreement();
    return $a->{criteria}[0]{items} == 3;
}, 'what both said is compared');
is($a->{criteria}[0]{rmse}{value}, 20, 'rmse is how far two people are apart');
is(0 + $a->{criteria}[1]{items}, 0,
   'a criterion that nobody scored has no agreement');
is($a->{done}, 3, 'agreement is of the items that are done');
ok($a->{complete}, 'agreement says that it is of all of these');
is(given($felt, $bo), $half,
   'an item that one of two has scored is given to the other');
scores($half, $bo, 'right');
my $right;
$t->wait_until(sub {
    ($right) = map { $_->{score} } grep { $_->{criterion_id} eq $crt }
               @{ $t->get("/evaluations/$half")->json->{criteria_scores} };
    $a = agreement();
    return $a->{criteria}[0]{items} == 4;
}, 'who approves says that the score is right');
my $apart = sqrt((3 * 400 + ($right - 10)**2) / 4);
near_is($a->{criteria}[0]{rmse}{value}, $apart,
        'an approval counts as the score that was approved', 0.01);
is(0 + $a->{overall}{items}, 0,
   'scores of criteria are no agreement on the overall score');
{
    local %ENV = (%ENV, JUDGE_URL => $t->url, JUDGE_API_KEY => $t->key);
    my ($status, $out) = $t->run($t->repo . '/build/judgectl', 'queue', 'show',
                                 $felt);
    is($status, 0, 'judgectl shows a queue') or diag($out);
    like($out, qr/^  Bo: 4 done.*^  Grammar: people are .* of 4 items$/ms,
         'judgectl says who did what, and how they agree');
}
error_is($t->get("/annotation-queues/anq_x/agreement"), 404,
         qr/no such annotation queue/, 'an unknown queue has no agreement');
permission_is($t, 'feedback:read',
              GET => "/annotation-queues/$felt/agreement");
status_is($t->delete("/judges/$scored"), 204,
          'the judge of a queue is deleted');
error_is($t->get("/annotation-queues/$felt/agreement"), 404,
         qr/^the judge of this annotation queue was deleted/,
         'a queue has no agreement without its judge');

# --- Come back --------------------------------------------------------------

$t->quit;
$t->start;
is(given($id, $ann), $second, 'an evaluation is still given after a restart');

my $other = $t->new_judge;
my $one   = evaluation($other);
my $long  = queue($other)->{queue_id};
my $soon  = queue($other, lease_seconds => 1)->{queue_id};
is(given($long, $ann), $one, 'who asks is given the evaluation');
is(given($long, $bo), 204, 'an evaluation is given to one person at a time');
is(given($soon, $ann), $one,
   'an evaluation is given for the time of its lease');
$t->wait_until(sub { given($soon, $bo) eq $one },
               'what somebody left lying is given to others');
says($one, $ann);
my %late = map { $_->{name} => $_->{done} }
           @{ $t->get("/annotation-queues/$soon")->json->{people} };
is($late{Ann}, 1, 'who is late has done the evaluation, too');
is(given($soon, $cy), 204,
   'an evaluation that somebody did late is given to nobody else');

# --- At once, by all workers ------------------------------------------------

evaluation($other) for 1 .. 6;
my $all = queue($other)->{queue_id};
my @people = map { person("P$_", 'annotator') } 1 .. 6;
my @c = map { $t->connect } @people;
$c[$_]->send($t->bytes(POST => "/annotation-queues/$all/next",
                       key => $people[$_]{api_key}, keepalive => 1))
    for 0 .. $#c;
my %got;
$got{ $_->response->json->{evaluation_id} }++ for @c;
$_->close for @c;
is_deeply([ values %got ], [ (1) x 6 ],
          'nobody is given what another one has');

# --- Chosen -----------------------------------------------------------------

my $batch = $t->new_batch($other, [ 'In a batch.' ]);
$t->batch_completed($batch);
my $of = queue($other, batch_id => $batch, sampling => 'review');
is_deeply([ @$of{qw(items batch_id sampling)} ], [ 1, $batch, 'review' ],
          'a queue can be drawn from a batch');

# --- The rest ---------------------------------------------------------------

is_deeply([ map { $_->{queue_id} } @{ $t->get('/annotation-queues?limit=2')
              ->json->{annotation_queues} } ], [ $of->{queue_id}, $all ],
          'queues are listed with the newest first');
for my $none ('anq_' . '0' x 26, 'x') {
    error_is($t->get("/annotation-queues/$none"), 404,
             qr/no such annotation queue/, "GET finds no queue $none");
    error_is(next_of($none, $ann), 404, qr/no such annotation queue/,
             "$none has no next evaluation");
    error_is($t->delete("/annotation-queues/$none"), 404,
             qr/no such annotation queue/, "DELETE finds no queue $none");
}
error_is($t->get("/annotation-queues/$id", org => 1), 404,
         qr/no such annotation queue/,
         'another organization does not see a queue');
status_is($t->delete("/annotation-queues/$id"), 204,
          'a queue that was worked through is deleted');
error_is(next_of($id, $ann), 404, qr/no such annotation queue/,
         'a deleted queue gives nothing');

permission_is($t, 'judges:write', POST => '/annotation-queues', json => {});
permission_is($t, 'feedback:read', GET => '/annotation-queues');
error_is($t->post("/annotation-queues/$all/next",
                  key => ($t->new_key(permissions => 'judges:read'))[0]), 403,
         qr/lacks the permission feedback:write/,
         'a key without feedback:write is given nothing');

my ($shown) = Judge::Docs->blocks('docs/people.md', 'Annotation queues', 'sh',
                                  1);
like(Judge::Docs->works($t, 'docs/people.md', $shown),
     qr/"people_per_item": ?2/, 'the commands of docs/people.md make a queue');

# --- Submitted together -----------------------------------------------------

subtest 'what an annotator submits together is as blind' => sub {
    my $judge  = $t->new_judge;
    my $batch  = $t->new_batch($judge, ['The club meets at noon. It rains.']);
    $t->batch_ended($batch);

    my $queue  = queue($judge, batch_id => $batch, items => 1, people => 2);
    my ($mine) = map { given($queue->{queue_id}, $_) } $ann, $bo;
    my $r = $t->post("/batches/$batch/feedback", key => $ann->{api_key},
        json => { feedback_entries => [{ evaluation_id => $mine,
            type => 'rating', content => { rating => 2 } }] });
    status_is($r, 201, 'an annotator gives feedback on a batch');

    my $session = $r->json->{feedback_session_id};
    my $entries = sub {
        return scalar @{ $t->get("/feedback/sessions/$session",
            key => $_[0]{api_key})->json->{feedback_entries} };
    };
    is_deeply([ map { $entries->($_) } $ann, $bo, $vi ], [ 1, 0, 1 ],
              "an annotator does not see others' entries of a session");
    says($mine, $bo);
    is($entries->($bo), 1, 'an annotator sees the entries of a session when'
                           . ' each has given feedback');
};

done_testing;
