# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Scores are counted by the hour in the background, those of a while are
# compared with those before, and a judge that drifts is told of once.

use Judge::Docs;
use Judge::Test;
use Judge::Receiver;

use JSON::PP qw(decode_json);
use Time::HiRes ();

my $receiver = Judge::Receiver->start;

my $t = Judge::Test->new(server => <<"CONF");
location /judge-webhooks {
    judge_outbound allow=127.0.0.0/8 timeout=60s;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF

# Each text has the same slips, among more and more of what has none.
my ($plain) = $t->evening;

sub text {
    my ($i) = @_;
    return join ' ', "Text $i are tol by my freind.",
                     @$plain[0 .. $i % 7 - 1];
}

my $judge = $t->new_judge;
my $hour  = int(time / 3600);


# --- Counting ---------------------------------------------------------------

my $batch = $t->new_batch($judge, [ map { text($_) } 1 .. 40 ]);

sub counted {
    my ($n) = @_;
    my $d;
    $t->wait_until(sub {
        $d = $t->get("/judges/$judge/drift")->json;
        return $d->{window}{evaluations} == $n;
    }, "$n evaluations are counted");
    return $d;
}

my $d    = counted(40);

my ($begin) = Judge::Docs->blocks('docs/watching.md', 'Watching a judge', 'sh',
                                  1);
is(decode_json(Judge::Docs->works($t, 'docs/watching.md', $begin))
       ->{window}{evaluations}, 40,
   'the commands of docs/watching.md show the drift of the newest judge');

my @rows = @{ $t->get("/batches/$batch/results")->json->{results} };
my (@bins, @first);
for (@rows) {
    $bins[ int($_->{overall_score} / 5) ]++;
    $first[ int($_->{criteria_scores}[0]{score} / 5) ]++;
}

is_deeply($d->{overall}{counts}, [ map { $bins[$_] // 0 } 0 .. 19 ],
          'overall scores are counted by bins');
is_deeply($d->{criteria}[0]{counts}, [ map { $first[$_] // 0 } 0 .. 19 ],
          'scores of a criterion are counted by bins');
is($d->{criteria}[1]{name}, 'Spelling', 'each criterion is counted');
is($d->{verdict}, 'none', 'there is no drift without scores of before');
is_deeply($d->{sentences}, [ 'There are too few scores to compare: 40, before'
                             . ' 0; it takes 30 of each.' ],
          'a sentence says that there are too few scores');
ok(!exists $d->{overall}{psi}, 'there is no measure without scores of before');


# --- Comparing --------------------------------------------------------------

# 60 scores of two days ago, as they are now or all in one bin.

my $criteria = join ', ', map { "'$_->{criterion_id}'" }
               @{ $rows[0]{criteria_scores} };

sub before {
    my ($bin) = @_;
    my $at = $hour - 48;
    $t->alter("delete from score_hours where hour = $at");
    $t->alter("insert into score_hours select org, judge_id, route, $at,"
        . " criterion_id, " . ($bin // 'bin') . ', sum(n) * 2 from score_hours'
        . " where judge_id = '$judge' and hour >= $hour"
        . " and criterion_id not in ($criteria) group by 1, 2, 3, 5, 6");
}

before();
$d = $t->get("/judges/$judge/drift")->json;
is_deeply([ $d->{verdict}, $d->{overall}{ks} ], [ 'none', 0 ],
          'scores that lie as before have no drift');
cmp_ok($d->{overall}{psi}, '<', 0.02, 'psi is low for scores like before');
is_deeply($d->{sentences}, ['The scores lie as they did.'],
          'a sentence says that there is no drift');
is($d->{reference}{evaluations}, 80, 'the reference counts its evaluations');

before(19);
$d = $t->get("/judges/$judge/drift")->json;
is_deeply([ $d->{verdict}, $d->{overall}{ks} ], [ 'strong', 1 ],
          'scores that all lie elsewhere have a strong drift');
like($d->{sentences}[0], qr{^Overall[ ]score:[ ]100[ ]%[ ]of[ ]the[ ]scores
     [ ]are[ ]below[ ]95,[ ]before[ ]0[ ]%;[ ]the[ ]mean[ ]went[ ]from[ ]97\.5
     [ ]to[ ]\d+\.\d\.$}x, 'a sentence says how shares and mean have changed');
is($t->get("/judges/$judge/drift?window=3d")->json->{verdict}, 'none',
   'there is no drift where the window has both times');
is($t->get("/judges/$judge/drift?reference=12h")->json->{verdict}, 'none',
   'there is no drift where the reference is too short');

for my $bad ('window=0h', 'window=1441h', 'window=61d', 'window=7w',
             'window=-1h', 'window=1.5h', 'window=6')
{
    error_is($t->get("/judges/$judge/drift?$bad"), 400,
             'window: expected hours or days, such as 24h or 7d, 60 days at'
             . ' most', "$bad is refused");
}
status_is($t->get('/judges/jdg_01K2Y7QH4E8ZV5N3T6W9B0C1D2/drift'), 404,
          'an unknown judge has no drift');


# --- The event --------------------------------------------------------------

status_is($t->put('/config/webhooks', json => {
    url => $receiver->url('/drift'), enabled => JSON::PP::true,
    events => ['judge.drift'] }), 200, 'an address for drift is taken');

# Due since now: of who has begun to look before, what he saw does not count.

sub look {
    my $now = int(Time::HiRes::time() * 1000);
    $t->alter("update drifts set queue_at = $now");
    $t->wait_until(sub {
        $t->sql1("select count(*) from drifts where queue_at = $now") == 0
    }, 'the judge was looked at');
}

sub told {
    return $t->sql1("select count(*) from deliveries"
                    . " where type = 'judge.drift'");
}

is(told(), 0, 'nobody is told before a judge was looked at');
look();
$t->wait_until(sub { $receiver->ids('/drift') }, 'the event arrives');
my $event = decode_json(($receiver->requests('/drift'))[0]{body});
is($event->{type}, 'judge.drift', 'the event of a drift has its type');
# But for the hours, of which another may have begun.
my $shown = $t->get("/judges/$judge/drift")->json;
for my $drift ($event->{data}, $shown) {
    delete @{ $drift->{$_} }{qw(from to)} for qw(window reference);
}
is_deeply($event->{data}, $shown, 'the event of a drift has what GET shows');
look();
is(told(), 1, 'a drift that is still strong is not told again');

before();
look();
is(told(), 1, 'the end of a drift is not told');
before(0);
look();
is(told(), 2, 'a drift that is strong again is told again');


# --- Failures ---------------------------------------------------------------

before();
$t->alter("insert into score_hours select org, judge_id, route, min(hour), '',"
          . " -1, 20 from score_hours where judge_id = '$judge'"
          . " and hour >= $hour group by org, judge_id, route");
$d = $t->get("/judges/$judge/drift")->json;
is($d->{window}{failed}, 20, 'the window counts evaluations that failed');
is($d->{verdict}, 'strong', 'a third of failures is a strong drift');
is_deeply($d->{sentences}, [ '33.3 % of the evaluations failed, before'
                             . ' 0.0 %.' ],
          'a sentence says how many evaluations failed');
$t->alter('delete from score_hours where bin < 0');


# --- Each of very many, once, and what a restart finds ----------------------

$t->new_batch($judge, [ map { "Text $_ is short." } 1 .. 2000 ]);
counted(2040);

$t->new_evaluation($judge, $t->new_content('One more text.'));
$t->restart;
counted(2041);


# --- Another engine ---------------------------------------------------------

before(0);
is($t->get("/judges/$judge/drift")->json->{verdict}, 'strong',
   'a judge drifts before the engine changes');
$t->alter("update engines set version = 'of before'");
$t->new_evaluation($judge, $t->new_content('The last text.'));
$t->wait_until(sub {
    $d = $t->get("/judges/$judge/drift")->json;
    return $d->{sentences}[0] =~ /^The engine is another one/;
}, 'the first score of another engine is seen');
is($d->{verdict}, 'none',
   'scores of another engine are not compared with those before');
is($d->{reference}{evaluations}, 0,
   'the reference has no score of the engine before');
is($t->get("/judges/$judge/drift?window=5d&reference=50d")->json
   ->{reference}{evaluations}, 0,
   'no hours that are asked for bring back the engine before');


# --- A judge that is deleted ------------------------------------------------

my $short = $t->new_judge;
$t->new_evaluation($short, $t->new_content('A text.'));
$t->wait_until(sub {
    $t->sql1("select count(*) from drifts where judge_id = '$short'")
}, 'it is counted');
status_is($t->delete("/judges/$short"), 204,
          'a judge with counted scores is deleted');
$t->wait_until(sub {
    !$t->sql1("select count(*) from score_hours where judge_id = '$short'")
    && !$t->sql1("select count(*) from drifts where judge_id = '$short'")
}, 'nothing of it is left');
ok($t->sql1("select count(*) from score_hours where judge_id = '$judge'"),
   'scores of other judges are kept');

done_testing;
