# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Answers that workers remember: given again while nothing is written, and
# never behind a write that any process has acknowledged.

use Judge::Test;

plan skip_all => 'one process only' if Judge::Nginx->single;
plan skip_all => 'another node may write: no answer is remembered'
    if Judge::Postgresql->running;

my $t = Judge::Test->new(workers => 4, orgs => 2,
                         store => 'answers=64k keys=1 pages=1m');

my $judge   = $t->new_judge;
my $content = $t->new_content('A text that is read.');
my $done    = $t->new_evaluation($judge, $content);

$t->evaluated($done);

sub remembered { $t->metric('judge_answers_remembered_total') }

sub names { map { $_->json->{name} } @_ }


# --- Given again -----------------------------------------------------------

my $before = remembered();
my @same   = map { $t->get("/judges/$judge") } 1 .. 40;
my @ended  = map { $t->get("/evaluations/$done") } 1 .. 40;

cmp_ok(remembered() - $before, '>=', 20, 'answers are remembered');
is(scalar(grep { $_->body ne $same[0]->body } @same), 0,
   'an answer with a judge is the same each time');
is(scalar(grep { $_->header('ETag') ne '"1"' } @same), 0,
   'an answer that is remembered has its ETag');
is(scalar(grep { $_->body ne $ended[0]->body } @ended), 0,
   'an answer with an evaluation is the same each time');

my $other = $t->new_judge;             # a write: nothing is remembered
$before   = remembered();

my @known = map { $t->get("/judges/$judge",
                          headers => [ 'If-None-Match' => '"1"' ]) } 1 .. 40;
is_deeply([ map { $_->status } @known ], [ (304) x 40 ],
          'who knows the answer is told 304');
is($known[-1]->header('ETag'), '"1"', 'an answer of 304 has the ETag');
cmp_ok(remembered() - $before, '>=', 20,
       'a tag is remembered without the judge');
is(scalar(grep { $_->body ne $same[0]->body }
          map { $t->get("/judges/$judge") } 1 .. 40), 0,
   'a judge is read although its tag is remembered');

is($t->get("/judges/$judge", key => $t->key(1))->status, 404,
   'an answer is not given to another organization');

is(scalar(grep { $t->get("/judges/$judge")->status != 200
                 || $t->get('/judges', key => $t->key(1))->status != 200 }
          1 .. 20), 0, 'with keys=1 keys take turns in the one place');


# --- What workers keep -----------------------------------------------------

my %kept = map { /^judge_cache_(\w+)\{.*cache="(\w+)"\} (\d+)$/
                 ? ("$1 $2" => $3) : () }
           split /\n/, $t->get('/metrics')->body;

for my $cache (qw(answers keys pages)) {
    cmp_ok($kept{"entries $cache"}, '>', 0, "the cache of $cache has entries");
    cmp_ok($kept{"bytes $cache"}, '>', 0, "the cache of $cache takes memory");
    cmp_ok($kept{"bytes $cache"}, '<=', 4 * $kept{"max_bytes $cache"},
           "the cache of $cache is within the bound of each worker");
}

is($kept{'max_bytes pages'}, 1 << 20, 'the bound of a cache is as set');
cmp_ok($kept{'entries keys'}, '<=', 4,
       'each worker keeps one key with keys=1');


# --- Written by any worker -------------------------------------------------

# Each request is a connection of its own, and finds any of the workers.

my %wrong;

for my $n (1 .. 100) {
    $t->put("/judges/$judge", json => { name => "Name $n" });
    my @r = map { $t->get("/judges/$judge") } 1 .. 8;
    $wrong{$n} = join ' ', names(@r) if grep { $_ ne "Name $n" } names(@r);
}

is_deeply(\%wrong, {}, 'what was written is read, by whichever worker');

$t->delete("/content/$content");
is_deeply([ map { $t->get("/evaluations/$done")->status } 1 .. 20 ],
          [ (404) x 20 ], 'what was deleted is gone for every worker');


# --- Written by another program --------------------------------------------

$t->get("/judges/$judge") for 1 .. 20;
$t->alter("update judge_versions set name = 'By hand'"
          . " where judge_id = '$judge'");
is(scalar(grep { $_ ne 'By hand' }
          names(map { $t->get("/judges/$judge") } 1 .. 20)), 0,
   'a commit of another program is seen');

done_testing;
