# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Comparisons of candidates: who is the best, by how much and how surely; what
# people prefer; rows of tables with a text of each system, and their ranking.

use Judge::Docs;
use Judge::Test;

my $t     = Judge::Test->new;
my $judge = $t->new_judge;
my $plain = 'The club meets in the old school. Everybody brings a lamp.';
my $slips = 'Teh club meats in teh old scool. Evrybody bring a lampp.';
my $decided = $t->new_judge(name => 'Words', criteria => [
    { name => 'Length', description => 'It has at most 8 words.' } ]);

sub compare {
    my ($candidates, %fields) = @_;
    my %opt = (org => delete $fields{org} // 0);
    return $t->post('/comparisons', headers => [ Prefer => 'wait=60' ], %opt,
        json => { judge_id => $judge, candidates => $candidates, %fields });
}

sub texts {
    my $n = 0;
    return [ map { { id => 'c' . ++$n, text_content => $_ } } @_ ];
}


# --- One comparison ---------------------------------------------------------

my $r = compare([ { id => 'before', text_content => $slips },
    { id => 'after', text_content => $plain, metadata => { draft => 2 } } ],
    source => 'Where does the club meet?', name => 'Drafts');
status_is($r, 201, 'two candidates are compared');
my $c = $r->json;
is($c->{status}, 'completed', 'a comparison that is waited for has ended');
is($r->header('Preference-Applied'), 'wait=60',
   'a comparison says how long it has waited');
is($r->header('Location') =~ s{.*(?=/comparisons)}{}r,
   "/comparisons/$c->{id}", 'a comparison says where it is');
is_deeply([ map { $_->{id} } @{ $c->{candidates} } ], [ qw(before after) ],
          'candidates stand in the order in which they came');

my $read = $t->get("/comparisons/$c->{id}?level=0.5");
is($read->json->{overall}{winner}, 'after',
   'the candidate with fewer slips wins');
my $o = $read->json->{overall};
my @s = map { $_->{score} } @{ $o->{candidates} };
near_is($o->{difference}, $s[1] - $s[0],
        'the difference is that of the scores', 0.01);
ok($o->{probability} > 0.5 && $o->{probability} < 1,
   'the winner is probably, but not surely, the better one');
near_is($o->{candidates}[0]{probability} + $o->{probability}, 1,
        'the probabilities of two candidates add up to 1', 0.001);
is(@{ $read->json->{criteria} }, 2, 'each criterion is compared by itself');

# Phi(difference / sqrt(2) / spread), out of the interval of the record.

my ($e) = map { $t->get("/evaluations/$_->{evaluation_id}")->json }
          $read->json->{candidates}[0];
my $i     = $e->{criteria_scores}[0]{interval};
my $width = $i->{low} > 0 && $i->{high} < 100 ? ($i->{high} - $i->{low}) / 2
          : (sort { $b <=> $a } map { abs($i->{$_}
             - $e->{criteria_scores}[0]{score}) } qw(low high))[0];
is($e->{criteria_scores}[0]{interval}{basis}, 'prior',
   'the interval of a judge that nobody corrected is a prior');
is($width, 45, 'the interval of a judge that nobody corrected is wide');
my $target = $read->json->{criteria}[0];
my ($z) = abs($target->{difference}) / (45 / 1.6448536) / 2;
my $p = 0.5;                           # + the integral of the density
$p += exp(-(($_ + 0.5) * $z / 1000) ** 2) * $z / 1000 / sqrt(3.14159265)
    for 0 .. 999;
near_is($target->{probability}, $p,
        'the probability follows from difference and interval', 0.002);

is_deeply([ @{ $t->get("/comparisons/$c->{id}?level=1")->json->{overall} }
            {qw(verdict reason)} ], [qw(undecided close)],
          'a close comparison is undecided where certainty is asked for');
is_deeply([ @{ $t->get("/content/$c->{candidates}[1]{content_id}")
               ->json->{metadata} }{qw(draft source)} ],
          [ 2, 'Where does the club meet?' ],
          'a candidate keeps its metadata and has the source');
is($t->get("/batches/$c->{id}")->json->{total_evaluations}, 2,
   'a comparison is a batch, too');


# --- Ties, certainty --------------------------------------------------------

$c = compare(texts($plain, $plain))->json;
is_deeply([ @{ $c->{overall} }{qw(verdict reason)} ], [qw(tie equal_text)],
          'the same text twice is a tie');

$c = compare(texts('Few words.', 'There are far more words in this one, and '
    . 'so it fails.', 'Few, too.'), judge_id => $decided)->json;
is_deeply([ @{ $c->{overall} }{qw(verdict reason)} ], [qw(tie equal_score)],
          'candidates that pass the same checks are a tie');

$c = compare(texts('Few words.', 'There are far more words in this one, and '
    . 'so it fails.'), judge_id => $decided)->json;
is_deeply([ @{ $c->{overall} }{qw(winner probability)} ], [ 'c1', 1 ],
          'what a check decides is certain');
is($c->{criteria}[0]{winner}, 'c1', 'a criterion of a check has its winner');

$c = compare(texts(map { "$plain Number $_." } 1 .. 16))->json;
is(@{ $c->{overall}{candidates} }, 16, 'sixteen candidates are compared');
my $sum = 0;
$sum += $_->{probability} // 0 for @{ $c->{overall}{candidates} };
near_is($sum, 1, 'the probabilities of sixteen candidates add up to 1', 0.01);


# --- Criteria that are not judged of all candidates ------------------------

my $both = $t->new_judge(name => 'Both', criteria => [
    { name => 'Grammar', description => 'Correct grammar.' },
    { name => 'Length', description => 'It has at most 8 words.' } ]);
$c = compare(texts('We have sent the lamp to your house today, and it should'
    . ' be there on Monday.', 'Die Lampe ist leider seit Montag weg.'),
    judge_id => $both)->json;
is_deeply([ map { $_->{winner} // $_->{reason} } @{ $c->{criteria} } ],
          [qw(not_judged c2)],
          'a criterion is compared where each candidate has a score');
is_deeply([ @{ $c->{overall} }{qw(verdict reason)} ],
          [qw(undecided not_judged)],
          'nothing is decided by overall scores of different criteria');


# --- Contents that are there ------------------------------------------------

my @contents = map { $t->new_content($_) } $plain, $slips;
$c = compare([ map { { id => $_, content_id => $contents[$_ eq 'b'] } }
               qw(a b) ])->json;
is($c->{candidates}[1]{content_id}, $contents[1],
   'contents that are there are compared');
$t->delete("/content/$contents[1]");
$c = $t->get("/comparisons/$c->{id}")->json;
is($c->{candidates}[1]{status}, 'deleted',
   'a candidate whose content is deleted says so');
is_deeply([ @{ $c->{overall} }{qw(verdict reason)} ],
          [qw(undecided not_judged)],
          'a comparison with a deleted content is undecided');


# --- Lists, deleting --------------------------------------------------------

my @all = map { $_->{id} } map { @$_ }
          $t->pages('/comparisons?limit=2', 'comparisons');
is(@all, 7, 'all comparisons are listed');
is($all[0], $c->{id}, 'comparisons are listed with the newest first');
status_is($t->delete("/comparisons/$c->{id}"), 204, 'a comparison is deleted');
status_is($t->get("/comparisons/$c->{id}"), 404,
          'a deleted comparison is gone');
status_is($t->get("/batches/$c->{id}"), 404,
          'the batch of a deleted comparison is gone');
my $batch = $t->new_batch($judge, [$plain]);
error_is($t->$_("/comparisons/$batch"), 404, qr/^there is no such comparison$/,
         "$_ finds no comparison in a plain batch") for qw(get delete);
status_is($t->get("/batches/$batch"), 200,
          'a plain batch is not deleted as a comparison');


# --- Bad requests -----------------------------------------------------------

error_is(compare(texts($plain)), 400, qr/^candidates: expected an array of 2/,
         'one candidate is refused');
error_is(compare(texts(map { "N $_" } 1 .. 17)), 400, qr/^candidates: expect/,
         'seventeen candidates are refused');
error_is(compare([ map { { id => 'a', text_content => $_ } } $plain, $slips ]),
         400, qr/^candidates\[1\]: expected an id that no other/,
         'two candidates with the same id are refused');
error_is(compare([ { id => 'a', text_content => $plain }, { id => 'b' } ]),
         400, qr/^candidates\[1\]: expected one of text_content/,
         'a candidate without a text is refused');
error_is(compare([ { id => 'a', text_content => $plain },
         { id => 'tie', text_content => $slips } ]), 400,
         qr/^candidates\[1\]: expected another id/,
         'tie is refused as the id of a candidate');
error_is(compare([ map { { id => $_, content_id => $contents[0] } } 1, 2 ]),
         400, qr/^candidates\[0\]\.id: /,
         'a number is refused as the id of a candidate');
error_is(compare([ map { { id => "c$_", content_id => $contents[0] } } 1, 2 ]),
         400, qr/^candidates\[1\]: expected a content_id that/,
         'one content as two candidates is refused');
error_is(compare([ { id => 'a', content_id => $contents[0] },
         { id => 'b', text_content => $plain } ], source => 'A question?'),
         400, qr/^candidates\[0\]: expected metadata and source only/,
         'a source is refused where a content may have another');
error_is(compare([ { id => 'a', content_id => $contents[1] },
         { id => 'b', text_content => $plain } ]), 404,
         qr/^candidates\[0\].content_id: there is no such content$/,
         'a deleted content is refused as a candidate');
error_is(compare(texts($plain, $slips), judge_id => 'jdg_none'), 404,
         qr/^judge_id: there is no such judge$/,
         'an unknown judge is refused');
error_is(compare(texts($plain, 'x' x (1 << 20) . 'y')), 400,
         qr/^candidates\[1\]\.text_content: expected at most/,
         'a text beyond max_text is refused as a candidate');
error_is(compare([ { id => 'a', text_content => $plain },
         { id => 'b', messages => [] } ]), 400, qr/^candidates\[1\]\.messages/,
         'messages that are none are refused by the name of their field');

$t->new_org('Another');
my $foreign = $t->new_content($plain, org => 1);
error_is(compare([ { id => 'a', content_id => $foreign },
         { id => 'b', text_content => $plain } ]), 404,
         qr/^candidates\[0\].content_id: there is no such content$/,
         'the content of another organization is refused');
my $mine = compare(texts($plain, $slips))->json->{id};
error_is($t->get("/comparisons/$mine", org => 1), 404,
         qr/^there is no such comparison$/,
         'another organization does not see a comparison');
error_is($t->get("/comparisons/$mine?item=1"), 404, qr/^item: expected 0 to 0/,
         'an item beyond the last one is refused');


# --- What people prefer -----------------------------------------------------

my $path = "/comparisons/$mine/feedback";
$r = $t->post($path, json => { feedback_type => 'preference', winner => 'c1',
                               comment => 'No slips.' });
status_is($r, 201, 'a preference is taken');
is($r->json->{winner}, 'c1', 'a preference names its winner');
$t->post($path, json => { winner => undef });
$t->post($path, json => { winner => 'tie' });
$t->post($path, json => { winner => 'c2', person => 'Ada' });
my $criterion = $t->get("/comparisons/$mine")->json->{criteria}[0]
                {criterion_id};
$t->post($path, json => { winner => 'c1', criterion_id => $criterion });
my @preferred = @{ $t->get("/comparisons/$mine")->json->{preferences} };
is(@preferred, 3, 'who says something else has that preference now');
is($preferred[0]{winner}, undef, 'a preference can be a tie of none');
is($preferred[1]{person}, 'Ada', 'a preference names the person');
is($preferred[2]{criterion_id}, $criterion,
   'a preference can be for one criterion');
error_is($t->post($path, json => {}), 400, qr/^winner: required/,
         'a preference without a winner is refused');
error_is($t->post($path, json => { winner => 'c3' }), 400, qr/^winner: expect/,
         'a winner that is no candidate is refused');
error_is($t->post($path, json => { winner => 'c1', criterion_id => 'crt_x' }),
         400, qr/^criterion_id: the judge has no such/,
         'a preference for an unknown criterion is refused');
error_is($t->post($path, json => { winner => 'c1', item => 1 }), 404,
         qr/^item: /, 'a preference for an unknown item is refused');
error_is($t->post("/comparisons/$batch/feedback", json => { winner => 'c1' }),
         404, qr/^there is no such comparison$/,
         'a preference needs a comparison');
my $short = compare([ { id => 'old', text_content => $slips },
                      { id => 'new', text_content => $plain } ])->json->{id};
$r = $t->post("/comparisons/$short/feedback", json => { winner => 'tie' });
status_is($r, 201, 'a tie is taken of names as long as its own');
is($r->json->{winner}, undef, 'a tie of short names has no winner');
permission_is($t, 'feedback:write', POST => $path,
              json => { winner => 'c1' });
permission_is($t, 'evaluations:read', GET => "/comparisons/$mine");
permission_is($t, 'evaluations:read', GET => '/comparisons');
permission_is($t, 'evaluations:write', POST => '/comparisons',
              json => { judge_id => $judge,
                        candidates => texts($plain, $slips) });
my $reader = $t->new_key(permissions => 'evaluations:read');
my $seen   = $t->get("/comparisons/$mine", key => $reader);
is_deeply($seen->json->{preferences}, [],
          'preferences are not shown without the permission for feedback');
permission_is($t, 'evaluations:write', DELETE => "/comparisons/$mine");
$t->delete("/comparisons/$short");
is($t->sql1('select count(*) from preferences'), 0,
   'preferences are deleted with their comparison');


# --- docs/comparisons.md ----------------------------------------------------

my ($first) = Judge::Docs->blocks('docs/comparisons.md', 'Comparisons', 'sh',
                                  1);
my ($table) = Judge::Docs->blocks('docs/comparisons.md',
    'Tables with a text of each system', 'sh', 1);
my $out = Judge::Docs->works($t, 'docs/comparisons.md', "$first $table");
like($out, qr/"winner": "after"/,
     'the first commands of docs/comparisons.md find the better text');
like($out, qr/"id": "new",\s+"strength"/,
     'the table of docs/comparisons.md ranks systems');
like($out, qr/"agreement": 1,/,
     'the ranking of docs/comparisons.md agrees with people');

done_testing;
