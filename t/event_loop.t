# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What a client can make long is computed in threads, not on the event loop,
# on which all others wait, and what it can make large in bounded memory.

use Judge::Test;

my $t = Judge::Test->new(orgs => 1, workers => 1);

# Whether all but a fifth of what this takes is done in threads.

sub threads_do {
    my ($work, $what) = @_;
    my ($loop, $all) = ($t->ticks(1), $t->ticks(0));

    $work->() for 1 .. 3;
    $loop = $t->ticks(1) - $loop;
    $all  = $t->ticks(0) - $all;
    cmp_ok($all, '>', 20, "$what takes a while");
    cmp_ok($loop, '<', $all / 5,
           "of $all ticks for this $loop are of the event loop: $what");
}

# --- The columns of a table of results ---------------------------------------

my @large = map {
    { name => "Part $_", description => 'Whether it is there.',
      examples => [ map { "Example $_. " . 'x' x 4900 } 1 .. 20 ] }
} 1 .. 60;

my $judges = [ map { $t->new_judge(criteria => \@large) } 1 .. 12 ];
my $batch  = $t->new_batch($judges, ['One text.']);

$t->batch_ended($batch);
my $before = $t->peak_memory;

my $r = $t->get("/batches/$batch/results?format=csv");

like($r->body, qr/^[^\n]*,Part\ 1,.*,Part\ 60,summary,/x,
     'the criteria of all judges are columns, each once');
is(() = $r->body =~ /^evl_/mg, 12, 'each judge has a row');
cmp_ok($t->peak_memory - $before, '<', ($t->asan ? 100 : 70) * 1024,
       'the criteria of many judges are read one after the other');

# --- Judges ------------------------------------------------------------------

my @slow = map { { name => "Criterion $_", description =>
    substr("At most $_ words and no links; names the product. " x 50, 0, 1999)
} } 1 .. 64;

my %judge = (name => 'Slow', description => 'Of many requirements.',
             content_type => 'text', criteria => \@slow);
my $judge = $t->new_judge;

threads_do(sub {
    status_is($t->post('/judges/check', json => \%judge), 200,
              'a judge with many requirements is checked');
}, 'a judge is checked');

threads_do(sub {
    status_is($t->post('/judges', json => \%judge), 201,
              'a judge with many requirements is made');
}, 'a judge is made');

my $version = 0;

threads_do(sub {
    $slow[0]{name} = 'Version ' . $version++;
    status_is($t->put("/judges/$judge", json => { criteria => \@slow }), 200,
              'a judge gets many requirements');
}, 'a judge is updated');

$before = $t->peak_memory;

$_->{description} = '; ' x 1000 for @slow;
status_is($t->post('/judges/check', json => \%judge), 200,
          'a judge whose descriptions are many empty sentences is checked');
cmp_ok($t->peak_memory - $before, '<', ($t->asan ? 400 : 64) * 1024,
       'checks are looked for in bounded memory');

# --- Criteria out of prose ---------------------------------------------------

threads_do(sub {
    status_is($t->post('/llm/parse-criteria', json => {
        content_type => 'text', description => join '', map {
            "- Criterion $_: at most $_ words"
            . ', no links, names the product and the shop' x 18 . ".\n"
        } 1 .. 60,
    }), 200, 'a list of requirements becomes criteria');
}, 'criteria are made of prose');

# --- Many judges of one text -------------------------------------------------

# Each of them needs 14 MB for its patterns.

my $patterns = sub {
    my ($judge) = @_;

    return [ map { my $n = $_; {
        name => "Code $n", description => "It matches code $n.",
        checks => [ map { { type => 'regex', value =>
            "x$judge-$n-$_(?:[a-z][0-9][A-F]){1,300}" } } 1 .. 20 ],
    } } 1 .. 16 ];
};
my $heavy = [ map { $t->new_judge(criteria => $patterns->($_)) } 1 .. 20 ];
my $were  = $t->metric('judge_texts_measured_total');
my $texts = $t->batch_ended($t->new_batch($heavy, ['One text.']));

is($texts->{completed_evaluations}, 20, 'judges with many patterns judge');
cmp_ok($t->metric('judge_texts_measured_total') - $were, '>=', 5,
       'only a few judges with many patterns are in memory together');

done_testing;
