# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Alerts: rules on the scores of a judge, which fire and clear once each, with
# hysteresis, whoever looks at them.

use Judge::Docs;
use Judge::Receiver;
use Judge::Test;

use JSON::PP qw(decode_json);
use Time::HiRes ();

my $receiver = Judge::Receiver->start;

my ($t, $other) = Judge::Test->fleet(2, orgs => 2, server => <<"CONF");
location /judge-webhooks {
    judge_outbound allow=127.0.0.0/8 timeout=60s;
    include @{[ Judge::Nginx->repo ]}/conf/outbound.conf;
}
CONF

my $judge = $t->new_judge;
my ($first, $second) = map { $_->{criterion_id} }
                       @{ $t->get("/judges/$judge")->json->{criteria} };

status_is($t->put('/config/webhooks', json => {
    url => $receiver->url('/alerts'), enabled => JSON::PP::true,
    events => ['judge.alert'] }), 200, 'an address for alerts is taken');


# --- Rules -----------------------------------------------------------------

my $none = $t->get("/judges/$judge/alerts");
status_is($none, 200, 'a judge without alerts answers');
is_deeply($none->json, { judge_id => $judge, alerts => [] },
          'a judge has no alerts at first');

sub rules { $t->put("/judges/$judge/alerts", json => { alerts => [@_] }) }

my %low = (name => 'Low', metric => 'mean', threshold => 50, clear_at => 60);

for ([ [ { %low, name => '' } ], qr/^alerts\[0\]\.name: /, 'no name' ],
     [ [ { %low, metric => 'max' } ],
       qr/^alerts\[0\]\.metric: expected one of mean, share_below,/,
       'no metric' ],
     [ [ { name => 'x', metric => 'mean' } ],
       qr/^alerts\[0\]\.threshold: required/, 'no threshold' ],
     [ [ { %low, clear_at => 40 } ],
       qr/^alerts\[0\]\.clear_at: expected at least the threshold/,
       'cleared below it' ],
     [ [ { %low, below => 60 } ], qr/below: expected only with share_below/,
       'a mark' ],
     [ [ { %low, window => '61d' } ], qr/^alerts\[0\]\.window: .*60 days/,
       'a long window' ],
     [ [ { %low, window => '0h' } ], qr/^alerts\[0\]\.window: /, 'none' ],
     [ [ \%low, \%low ], qr/^alerts\[1\]\.name: .*another alert/, 'twice' ],
     [ [ { %low, criterion_id => 'crt_x' } ],
       qr/^alerts\[0\]\.criterion_id: expected a criterion/, 'no criterion' ],
     [ [ { %low, metric => 'share_below' } ],
       qr/^alerts\[0\]\.threshold: expected a share/, 'no share' ],
     [ [ { name => 'x', metric => 'share_below', threshold => 0.2 } ],
       qr/below: required with share_below/, 'no mark' ],
     [ [ { name => 'x', metric => 'share_below', threshold => 0.2,
           below => 62 } ], qr/below: expected a multiple of 5/, 'between' ],
     [ [ { name => 'x', metric => 'not_judged', threshold => 0.2,
           clear_at => 0.3 } ], qr/clear_at: expected at most/, 'above it' ],
     [ [ { name => 'x', metric => 'drift', threshold => 1 } ],
       qr/drift takes no threshold/, 'a threshold of drift' ],
     [ [ map { { %low, name => "n$_" } } 1 .. 21 ], qr/^alerts: .*20/,
       'too many' ])
{
    my ($sent, $error, $what) = @$_;
    error_is(rules(@$sent), 400, $error, "an alert is refused: $what");
}

error_is($t->put('/judges/jdg_01K2Y7QH4E8ZV5N3T6W9B0C1D2/alerts',
                 json => { alerts => [] }), 404, qr/judge/,
         'an unknown judge has no alerts');
error_is($t->get("/judges/$judge/alerts", org => 1), 404, qr/judge/,
         'another organization does not see alerts');

my ($shown) = map { JSON::PP->new->utf8->decode($_) }
              Judge::Docs->blocks('docs/watching.md', 'Alerts', 'json', 1);
my $r = $t->put("/judges/$judge/alerts", json => $shown);
status_is($r, 200, 'the alerts of docs/watching.md are taken');
is_deeply([ @{ $r->json->{alerts}[0] }{qw(state count)} ], [ 'not_enough', 0 ],
          'an alert has too few results at first');


# --- Firing ----------------------------------------------------------------

my @rules = (\%low,
    { name => 'Weak', metric => 'share_below', below => 60, threshold => 0.25,
      criterion_id => $first },
    { name => 'Silent', metric => 'not_judged', threshold => 0.1,
      window => '2d' },
    { name => 'Part', metric => 'not_judged', threshold => 0.1,
      criterion_id => $second },
    { name => 'Other', metric => 'drift' });

status_is(rules(@rules), 200, 'five rules are taken');
my $org = $t->org->{id};

# So many scores in these bins of 5 points: of two criteria and overall.

sub scores {
    my ($bins, $firsts, $seconds) = @_;
    my $hour = int(time / 3600);
    my %of   = ('' => $bins, $first => $firsts // $bins,
                $second => $seconds // $firsts // $bins);

    $t->alter("delete from score_hours where judge_id = '$judge'"
              . " and hour > $hour - 24");
    for my $id (keys %of) {
        $t->alter("insert into score_hours (org, judge_id, route, hour,"
            . " criterion_id, bin, n) values ('$org', '$judge', '', $hour,"
            . " '$id', $_, $of{$id}{$_})") for keys %{ $of{$id} };
    }
}

# Due since now: of who has begun to look before, what he saw does not count.

sub look {
    my $now = int(Time::HiRes::time() * 1000);
    $t->alter("update drifts set queue_at = $now where judge_id = '$judge'");
    $t->wait_until(sub {
        $t->sql1("select count(*) from drifts where queue_at = $now") == 0
    }, 'the judge was looked at');
    my %of = map { $_->{name} => $_ }
             @{ $other->get("/judges/$judge/alerts")->json->{alerts} };
    return \%of;
}

sub states { join ' ', map { "$_:$_[0]{$_}{state}" } sort keys %{ $_[0] } }

sub told {
    return map { my $d = decode_json($_->{body})->{data};
                 "$d->{name}:$d->{state}" } $receiver->requests('/alerts');
}

sub told_are {
    my ($want, $what) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    $t->wait_until(sub { told() >= @$want }, $what);
    is_deeply([ sort(told()) ], [ sort @$want ], $what);
}

scores({ 10 => 29 });
is(states(look()), join(' ', map { "$_:not_enough" }
                        qw(Low Other Part Silent Weak)),
   '29 results are too few for any alert');

scores({ 14 => 40 });
my $now = look();
is_deeply([ @{ $now->{Low} }{qw(state value count)} ], [ 'ok', 72.5, 40 ],
          'an alert is ok while the mean is above its threshold');
ok(!exists $now->{Low}{since}, 'an alert that never changed has no since');
is_deeply([ map { $now->{$_}{value} } qw(Weak Silent) ], [ 0, 0 ],
          'shares are 0 where all is judged and none is below');
is($now->{Other}{state}, 'not_enough',
   'an alert on drift has nothing to compare with at first');
is(scalar(told()), 0, 'nobody is told while all is ok');

scores({ 9 => 40 });
$now = look();
is_deeply([ @{ $now->{Low} }{qw(state value)} ], [ 'firing', 47.5 ],
          'an alert fires when the mean is below its threshold');
ok($now->{Low}{since}, 'an alert that fires says since when');
is($now->{Weak}{state}, 'firing',
   'an alert fires when the share is above its threshold');
told_are(['Low:firing', 'Weak:firing'],
         'each alert is told once when it fires');

my $event = decode_json(($receiver->requests('/alerts'))[0]{body});
is_deeply([ $event->{type}, $event->{data}{judge_id} ],
          [ 'judge.alert', $judge ], 'the event of an alert names its judge');

look() for 1 .. 3;
is(scalar(told()), 2, 'an alert that still fires is not told again');

scores({ 11 => 40 });
is(look()->{Low}{state}, 'firing',
   'a mean between threshold and clear_at does not clear an alert');
scores({ 11 => 20 });
is(look()->{Low}{state}, 'firing', 'too few results do not clear an alert');
scores({ 12 => 40 });
$now = look();
is_deeply([ map { $now->{$_}{state} } qw(Low Weak) ], [qw(ok ok)],
          'alerts are clear beyond clear_at');
told_are(['Low:firing', 'Weak:firing', 'Low:ok', 'Weak:ok'],
         'each alert is told once when it is clear');

scores({ 14 => 40, -1 => 10 }, { 14 => 40 }, { 14 => 20 });
$now = look();
is_deeply([ @{ $now->{Silent} }{qw(value state)} ], [ 0.2, 'firing' ],
          'an alert fires when a fifth of the evaluations has failed');
is($now->{Part}{value}, 0.6,
   'an alert counts what is not judged of its criterion');
told_are(['Low:firing', 'Weak:firing', 'Low:ok', 'Weak:ok',
          'Silent:firing', 'Part:firing'],
   'both alerts on what is not judged are told');

# Drift: last week they lay elsewhere.
my $hour = int(time / 3600) - 48;
$t->alter("insert into score_hours (org, judge_id, route, hour, criterion_id,"
          . " bin, n) values ('$org', '$judge', '', $hour, '', 4, 100)");
is(look()->{Other}{state}, 'firing', 'an alert fires on drift');
$t->alter("update score_hours set bin = 14 where hour = $hour");
scores({ 14 => 100 });
is(look()->{Other}{state}, 'ok',
   'an alert on drift is clear when scores lie as before');


# --- Changes ---------------------------------------------------------------

scores({ 9 => 40 });
look();
$rules[0] = { %low, window => '24h' };
status_is(rules(@rules[0, 1]), 200,
          'fewer rules are taken, one with its window written out');
my @alerts = @{ $t->get("/judges/$judge/alerts")->json->{alerts} };
is(join(' ', map { "$_->{name}:$_->{state}" } @alerts),
   'Low:firing Weak:firing',
   'unchanged rules keep their states and their order');
status_is(rules({ %low, threshold => 40 }), 200,
          'a rule with another threshold is taken');
$t->wait_until(sub {
    $t->get("/judges/$judge/alerts")->json->{alerts}[0]{state} eq 'ok'
}, 'begins anew, and is looked at soon');

$t->wait_until(sub { $t->delete("/judges/$judge")->status == 204 },
               'the judge is deleted');
error_is($t->get("/judges/$judge/alerts"), 404, qr/judge/,
         'a deleted judge has no alerts');
is($t->sql1("select count(*) from alerts where judge_id = '$judge'"), 0,
   'no alert of a deleted judge is left');

done_testing;
