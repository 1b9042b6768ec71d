# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The least configuration, and the way from a judge to a result.

use Judge::Test;

my $t = Judge::Test->new(orgs => 2);
my $r;

# --- Who is there ---------------------------------------------------------

$r = $t->get('/healthz', key => undef);
status_is($r, 200, 'the process answers');

$r = $t->get('/readyz', key => undef);
status_is($r, 200, 'the service is ready');

$r = $t->get('/judges', key => undef);
error_is($r, 401, qr/API key/, 'a request without a key is refused');
like($r->header('WWW-Authenticate'), qr/^Bearer/,
     'the refusal says how to send a key');

error_is($t->get('/nothing'), 404, undef, 'an unknown path is not found');

# --- A judge ---------------------------------------------------------------

$r = $t->post('/api-key/judges', json => {
    name         => 'Essays',
    description  => 'How well a short essay is written.',
    content_type => 'text',
    criteria     => [
        { name => 'Grammar', description => 'Grammar and spelling.' },
        { name => 'Organization', description => 'Order and links.' },
    ],
});
status_is($r, 201, 'a judge is made');

my $judge = $r->json->{judge_id};
like($judge, qr/^jdg_[0-9A-Z]{26}$/, 'a judge has an identifier');
is($r->json->{status}, 'ready', 'a judge is ready at once');

$r = $t->get("/api-key/judges/$judge");
status_is($r, 200, 'a judge is read back');
is($r->json->{version_number}, 1, 'a new judge is in its first version');
is(scalar @{ $r->json->{criteria} }, 2, 'a judge has all its criteria');

error_is($t->get("/api-key/judges/$judge", org => 1), 404, undef,
         'another organization does not see the judge');

# --- Content ---------------------------------------------------------------

my %essays = $t->essays;
is(scalar keys %essays, 6, 'there are six essays');

$r = $t->post('/content', json => {
    name => 'Repair', file_type => 'text',
    text_content => $essays{'repair-cafe'},
});
status_is($r, 201, 'a content is stored');

my $content = $r->json->{id};
is($r->json->{status}, 'ready', 'a content is ready at once');

$r = $t->get("/content/$content");
is($r->json->{text_content}, $essays{'repair-cafe'}, 'the text is the same');

# --- An evaluation ----------------------------------------------------------

$r = $t->post('/evaluations/single',
              json    => { judge_id => $judge, content_id => $content },
              headers => [ Prefer => 'wait=30' ]);
status_is($r, 201, 'an evaluation is made');

my $e = $r->json;
is($e->{status}, 'completed', 'an evaluation is waited for');

$r = $t->get("/evaluations/$e->{evaluation_id}");
status_is($r, 200, 'the record of an evaluation is read back');
$e = $r->json;

is_deeply([ @$e{qw(judge_id content_id)} ], [ $judge, $content ],
          'a record names its judge and its content');
ok($e->{overall_score} >= 0 && $e->{overall_score} <= 100,
   'the overall score is between 0 and 100');
is(join(' ', map { $_->{name} } @{ $e->{criteria_scores} }),
   'Grammar Organization', 'every criterion has a score');
is(scalar(grep { length $_->{feedback} } @{ $e->{criteria_scores} }), 2,
   'every score has a reason');
ok(length $e->{summary}, 'a record has a summary');
is(join(' ', map { ref $e->{$_} } qw(strengths weaknesses suggestions)),
   'ARRAY ARRAY ARRAY', 'a record lists what is good and what is not');
like($e->{evaluated_at}, qr/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/,
     'a record says when it was made');
ok($e->{evaluation_duration_sec} >= 0, 'a record says how long it took');

# A careless text is worse than a careful one.

my $poor = $t->new_content($essays{'my-weekend'});
my $id   = $t->new_evaluation($judge, $poor);
my $low  = $t->evaluated($id);

is($low->{status}, 'completed', 'the poor essay is judged in the background');
cmp_ok($low->{overall_score}, '<', $e->{overall_score},
       'the poor essay has a lower score than the careful one');

my $again = $t->evaluated($t->new_evaluation($judge, $poor));
is($again->{overall_score}, $low->{overall_score},
   'the same text has the same score');

# --- The end ----------------------------------------------------------------

status_is($t->delete("/content/$poor"), 204, 'the content is deleted');
error_is($t->get("/evaluations/$id"), 404, undef,
         'the evaluations of a deleted content are gone');

SKIP: {
    skip 'one process only', 2 if $t->single;

    $t->reload;
    $r = $t->get("/evaluations/$e->{evaluation_id}");
    is($r->json->{overall_score}, $e->{overall_score},
       'the result is there after a reload');

    $t->restart;
    $r = $t->get("/evaluations/$e->{evaluation_id}");
    is($r->json->{overall_score}, $e->{overall_score},
       'the result is there after a restart');
}

done_testing;
