# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A version of a judge judges a share beside the active one, unseen: what
# clients see of it, what it is compared by, and how it ends.

use Judge::Test;
use Judge::OpenAI;
use Judge::Traffic;

use List::Util qw(max sum0);

my $server = Judge::OpenAI->start(models => ['main']);

my $t = Judge::Test->new(
    workers => 4, orgs => 2,
    server  => $server->location('main', 'served=main')
        . "location = /passes { default_type text/plain; return 200 '"
        . ('The wheel turns and turns. ' x 9) . "'; judge_traffic $JUDGED; }",
);

my @first  = ({ name => 'Writing', description => 'Correct grammar.' },
              { name => 'Respect', description => 'No insults.' });
my @second = ({ name => 'Writing', description => 'Plain language.' },
              { name => 'Respect', description => 'No insults.' },
              { name => 'Spelling', description => 'Correct spelling.' });
my @plain  = (@{ ($t->evening)[0] },
              'Nobody who belongs to it has ever missed an evening.');
my @texts  = map { join ' ', "Of evening $_ much can be said.",
                   @plain[0 .. $_ % 8 - 1],
                   ('We was not lissening.') x ($_ % 3 == 1),
                   ('What a stupid idiot he is.') x ($_ % 5 == 1) } 1 .. 40;

# Judges of the first criteria, which have the second ones as version 2.

sub judge_of {
    my (%fields) = @_;
    my $judge = $t->new_judge(criteria => \@first, %fields);
    my $r = $t->put("/judges/$judge", json => { criteria => \@second,
                                       activate => JSON::PP::false });
    is($r->json->{message}, 'version 2 was made and is not active',
       'a version is made without being activated');
    is($r->header('ETag'), '"1"', 'the tag is that of the active version');
    is($t->get("/judges/$judge")->json->{version_number}, 1,
       'a judge is shown in its active version');
    return $judge;
}

sub begin {
    my ($judge, %body) = @_;
    return $t->post("/judges/$judge/canary", json => { version => 2, %body });
}

sub canary { $t->get("/judges/$_[0]/canary" . ($_[1] // ''))->json }

sub batch_of {
    my ($texts, @judges) = @_;
    my $batch = $t->new_batch(\@judges, $texts);
    $t->batch_completed($batch);
    return map { @{ $_->{results} } }
           $t->get("/batches/$batch/results?limit=500")->json;
}

sub mean { @_ ? sum0(@_) / @_ : 0 }


# --- It begins --------------------------------------------------------------

my $judge = judge_of();
my $path  = "/judges/$judge/canary";
my $none  = 'there is no such judge, or no canary of it';

error_is($t->get($path), 404, 'the judge has no canary',
         'a judge has no canary at first');
status_is($t->get("$path?if_any=true"), 204,
          'if_any=true asks for a canary without an error');
error_is($t->post("$path/promote"), 404, $none,
         'no canary is promoted where there is none');
error_is($t->delete($path), 404, $none,
         'no canary is dropped where there is none');

for my $case (
    [ { version => undef }, qr/^version: / ],
    [ { version => 'two' }, qr/^version: / ],
    [ { version => 0 }, qr/^version: / ],
    [ { version => 1 }, 'version: expected another version of the judge than'
                        . ' the active one, which is 1' ],
    [ { version => 7 }, 'version: the judge has no version 7' ],
    [ { share => 0 }, qr/^share: / ],
    [ { share => 1.5 }, qr/^share: / ],
    [ { share => '10%' }, qr/^share: / ],
) {
    error_is(begin($judge, %{ $case->[0] }), 400, $case->[1],
             'a canary is refused: ' . join ', ', map {
                 "$_ " . ($case->[0]{$_} // 'null') } keys %{ $case->[0] });
}

my $video = $t->new_judge(content_type => 'video');
error_is(begin($video), 400, 'only a judge of texts can have a canary: what'
         . ' this one judges is measured by external workers',
         'a judge of video can have no canary');

my $asking = $t->new_judge(criteria => \@first);
$t->put("/judges/$asking", json => { model => 'main',
                                     activate => JSON::PP::false });
error_is(begin($asking), 400, 'version: expected two versions that the'
         . ' built-in engine judges by, but 2 asks the language model "main"',
         'a version that asks a language model is no canary');

my $missing = '/judges/jdg_01K2Y7QH4E8ZV5N3T6W9B0C1D2/canary';
error_is($t->post($missing, json => { version => 2 }), 404,
         'there is no such judge', 'an unknown judge has no canary');
status_is($t->post($path, json => { version => 2 }, org => 1), 404,
          'another organization begins no canary');

for my $case (['POST', $path, json => { version => 2 }], ['DELETE', $path],
              ['POST', "$path/promote"])
{
    my ($method, @request) = @$case;
    permission_is($t, 'judges:write', $method, @request);
}
permission_is($t, 'feedback:read', 'GET', $path);

my $r = begin($judge, share => 1);
status_is($r, 201, 'a canary begins');
is_deeply($r->json, { judge_id => $judge, version => 2, active_version => 1,
                      share => 1 },
          'a canary says what it compares and which share');
is_deeply([ @{ canary($judge) }{qw(status evaluations)} ], [ 'running', 0 ],
          'a canary runs before anything was judged by both versions');
is_deeply(canary($judge)->{sentences}, ['0 evaluations were judged by both'
          . ' versions; from 30 on there is an interval.'],
          'a canary says how much it takes for an interval');
status_is($t->get($path, org => 1), 404,
          'another organization sees no canary');


# --- What clients see, and what is compared ---------------------------------

# A judge that has no canary, and one that has the second criteria.

my $twin = $t->new_judge(criteria => \@first);
my $then = $t->new_judge(criteria => \@second);
my @all  = batch_of(\@texts, $judge, $twin, $then);
my %of;
push @{ $of{ $_->{judge_id} } }, $_
    for sort { $a->{content_id} cmp $b->{content_id} } @all;

my @scores = map { [ map { $_->{overall_score} } @{ $of{$_} } ] }
             $judge, $twin, $then;
is_deeply($scores[0], $scores[1], 'scores are those of the active version');
is_deeply([ sort keys %{ $of{$judge}[0] } ],
          [ sort keys %{ $of{$twin}[0] } ],
          'records are those of the active version');
ok(!grep({ $_->{judge_version} && $_->{judge_version} != 1 } @{ $of{$judge} }),
   'each evaluation of a judge with a canary is of version 1');
$t->wait_until(sub {
    ($t->get("/judges/$judge/drift")->json->{window}{evaluations} // 0) == 40
}, 'drift counts what clients see');

my $c = canary($judge);
is($c->{evaluations}, 40, 'all evaluations were judged by both versions');
near_is($c->{overall}{active_mean}, mean(@{ $scores[0] }),
        'active_mean is that of the first criteria');
near_is($c->{overall}{canary_mean}, mean(@{ $scores[2] }),
        'canary_mean is that of the second criteria');
near_is($c->{overall}{difference},
        mean(@{ $scores[2] }) - mean(@{ $scores[0] }),
        'the difference is that of the means');
ok($c->{overall}{low} < $c->{overall}{difference}
   && $c->{overall}{high} > $c->{overall}{difference},
   'the difference is within its interval');
is_deeply([ map { $_->{name} } @{ $c->{criteria} } ], [qw(Writing Respect)],
          'the criteria are those of the active version');
cmp_ok($c->{criteria}[1]{active_mean}, '<', 95, 'some texts have no respect');
near_is($c->{criteria}[1]{difference}, 0,
        'an unchanged criterion has no difference');
near_is($c->{criteria}[0]{canary_mean},
        mean(map { $_->{criteria_scores}[0]{score} } @{ $of{$then} }),
        'a changed criterion has the mean of the canary');

my $side = (max(@{ $scores[0] }) + max(@{ $scores[2] })) / 2;
my $s    = canary($judge, "?threshold=$side")->{overall}{changes_side};
is($s->{rising}, scalar(grep { $scores[0][$_] < $side
                               && $scores[2][$_] >= $side } 0 .. 39),
   'rising counts what would pass by the canary');
is($s->{falling}, scalar(grep { $scores[0][$_] >= $side
                                && $scores[2][$_] < $side } 0 .. 39),
   'falling counts what would pass no more');
near_is($s->{share}, ($s->{rising} + $s->{falling}) / 40,
        'share is that of all which change sides');
ok($s->{low} < $s->{share} && $s->{high} > $s->{share},
   'the share that changes sides is within its interval');
error_is($t->get("$path?threshold=100.5"), 400, qr/^threshold: /,
         'a threshold that no score has is refused');

my $content = $t->new_content($texts[0]);
my $one     = $t->new_evaluation($judge, $content);
$t->evaluated($one);
is(canary($judge)->{evaluations}, 41, 'a single evaluation is compared, too');
status_is($t->delete("/content/$content"), 204,
          'the content of a compared evaluation is deleted');
$t->wait_until(sub { canary($judge)->{evaluations} == 40 },
               'what is said of it goes, too');

asks($t, judge => $judge);
status_is(ask(GET => '/passes'), 200, 'an answer passes the gateway');
$t->wait_until(sub { canary($judge)->{evaluations} == 41 },
               'what passes is compared, too');

metrics_like($t,
     qr/^judge_canary_evaluations_total\{.*status="completed"\} 42$/m,
     'metrics count what canaries have judged');


# --- What people say of it --------------------------------------------------

my @corrected = @{ $of{$judge} }[ 0 .. 5 ];
my (@errors, %person);
for (0 .. 5) {
    my $e = $corrected[$_];
    my $human = $person{ $e->{evaluation_id} } = 20 + 10 * $_;
    push @errors, [ abs($scores[0][$_] - $human),
                    abs($scores[2][$_] - $human) ];
    status_is($t->post("/feedback/evaluation/$e->{evaluation_id}", json => {
        type => 'correction', content => { corrected_overall_score => $human },
    }), 201, 'a correction is taken');
}
$t->wait_until(sub { (canary($judge)->{corrected} // 0) == 6 },
               'people corrected six');
my $people = canary($judge)->{overall}{people};
is($people->{corrections}, 6, 'corrections of the overall score are counted');
near_is($people->{active_error}, mean(map { $_->[0] } @errors),
        'active_error is how far the active version is off');
near_is($people->{canary_error}, mean(map { $_->[1] } @errors),
        'canary_error is how far the canary is off');
near_is($people->{difference}, mean(map { $_->[1] - $_->[0] } @errors),
        'the difference to people is that of the errors');
ok(defined $people->{low}, 'the difference to people has an interval');
like(join(' ', @{ canary($judge)->{sentences} }),
     qr/On the 6 that people corrected /,
     'a sentence says what people corrected');


# --- Another one ------------------------------------------------------------

$t->put("/judges/$judge", json => { name => 'Third',
                                    activate => JSON::PP::false });
error_is(begin($judge, version => 3), 409, 'the judge has another canary;'
         . ' promote or drop it first',
         'another version is no canary until the first is dropped');
status_is(begin($judge, share => 0.25), 201,
          'the share of a canary can be changed');
is_deeply([ @{ canary($judge) }{qw(share evaluations)} ], [ 0.25, 41 ],
          'a canary with another share keeps what was compared');
batch_of([ map { my $n = $_; map { "$_ Again, $n." } @texts } 1 .. 10 ],
         $judge);
my $n = canary($judge)->{evaluations} - 41;
ok($n > 50 && $n < 150,
   "a share of 0.25 judges some of 400 texts: $n");   # in 100 million, all


# --- Promoted ---------------------------------------------------------------

$r = $t->post("$path/promote");
status_is($r, 200, 'a canary is promoted');
is($r->json->{message}, 'version 2 is active',
   'the promotion of a canary says which version is active');
is($r->header('ETag'), '"2"', 'the tag is that of the promoted version');
is($t->get("/judges/$judge")->json->{version_number}, 2,
   'a promoted version is active');
error_is($t->get($path), 404, 'the judge has no canary',
         'a promoted canary is none any more');
is($t->sql1('select count(*) from canary_scores'), 0,
   'a promoted canary leaves no scores behind');
near_is((batch_of([ $texts[7] ], $judge))[0]{overall_score},
        (batch_of([ $texts[7] ], $then))[0]{overall_score},
        'a promoted version judges by its criteria');


# --- Another version becomes active meanwhile -------------------------------

status_is(begin($judge, version => 3, share => 1), 201,
          'version 3 becomes a canary');
batch_of([ @texts[0 .. 4] ], $judge);
$t->put("/judges/$judge", json => { name => 'Fourth' });
$c = canary($judge);
is_deeply([ @$c{qw(status evaluations)} ], [ 'stale', 5 ],
          'a canary is stale once another version is active');
is($c->{sentences}[-1], 'Version 4 has become active since, so nothing more'
   . ' is compared: drop the canary.', 'a stale canary says why');
error_is($t->post("$path/promote"), 409, 'version 2, which the canary was'
         . ' compared with, is not active any more; drop the canary, and'
         . ' activate version 3 if that is still wanted',
         'a stale canary is not promoted');
batch_of([ $texts[0] ], $judge);
is(canary($judge)->{evaluations}, 5, 'what version 4 says is not compared');
status_is($t->delete($path), 204, 'a canary is dropped');
error_is($t->delete($path), 404, $none, 'a canary is dropped once');
is($t->get("/judges/$judge")->json->{version_number}, 4,
   'a dropped canary leaves the active version as it is');

status_is(begin($judge, version => 3), 201,
          'a dropped version can be a canary again');
status_is($t->post("/judges/$judge/versions/3/activate"), 200,
          'the version of a canary is activated by hand');
status_is($t->get($path), 404, 'a canary ends when its version is activated');


# --- Where it fails ---------------------------------------------------------

my $broken = judge_of();
status_is(begin($broken, share => 1), 201,
          'a canary whose version is broken begins');
$t->alter("update judge_versions set criteria = 'x'"
          . " where judge_id = '$broken' and version = 2");
is($_->{status}, 'completed', 'a canary that fails fails alone')
    for (batch_of([ @texts[0 .. 2] ], $broken))[ 0 .. 2 ];
is(canary($broken)->{evaluations}, 0, 'a canary that fails compares nothing');
metrics_like($t,
     qr/^judge_canary_evaluations_total\{.*status="failed"\} [1-9]/m,
     'metrics count canaries that have failed');
status_is($t->delete("/judges/$broken"), 204,
          'a judge with a canary is deleted');
is($t->sql1("select count(*) from canaries where judge_id = '$broken'"), 0,
   'a canary is deleted with its judge');


# --- A judge that asks a model when unsure ----------------------------------

my $unsure = judge_of(escalate => { model => 'main',
                                    when => { sample => 1 } });
status_is(begin($unsure, share => 1), 201,
          'a judge that escalates can have a canary');
my @asked = batch_of([ @texts[0 .. 4] ], $unsure);
is(canary($unsure)->{evaluations}, 5,
   'evaluations that are escalated are compared');
near_is(canary($unsure)->{overall}{active_mean}, mean(@{ (sub {
         my @e = batch_of([ @texts[0 .. 4] ], $twin);
         return [ map { $_->{overall_score} } @e ];
     })->() }), 'a canary is compared with what the built-in engine says');


# --- Workers that are killed ------------------------------------------------

my $killed = judge_of();
status_is(begin($killed, share => 1), 201,
          'a canary begins before workers are killed');
my $batch = $t->new_batch($killed, [ map { "$_ " x 5 } (@texts) x 20 ]);
for (1 .. 3) {
    my $before = $t->get("/batches/$batch")->json->{completed_evaluations};
    $t->kill_worker;
    $t->wait_until(sub {
        my $b = $t->get("/batches/$batch")->json;
        return $b->{status} eq 'completed'
               || $b->{completed_evaluations} > $before;
    }, 'it goes on');
}
$t->batch_completed($batch);
is(canary($killed)->{evaluations}, 800,
   'each evaluation is compared once although workers are killed');
is($t->sql1("select n from canaries where judge_id = '$killed'"), 800,
   'each evaluation is counted once although workers are killed');


# --- Another engine ---------------------------------------------------------

$t->alter("update engines set version = 'of before'");
batch_of(['A text.'], $killed);
$t->wait_until(sub { canary($killed)->{evaluations} <= 1 },
               'what another engine scored is compared no more');

done_testing;
