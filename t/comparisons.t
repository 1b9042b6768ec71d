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
status_is($r, 201, 'compared');
my $c = $r->json;
is($c->{status}, 'completed', 'it has ended');
is($r->header('Preference-Applied'), 'wait=60', 'it waited');
is($r->header('Location') =~ s{.*(?=/comparisons)}{}r,
   "/comparisons/$c->{id}", 'it says where it is');
is_deeply([ map { $_->{id} } @{ $c->{candidates} } ], [ qw(before after) ],
          'the candidates');

my $read = $t->get("/comparisons/$c->{id}?level=0.5");
is($read->json->{overall}{winner}, 'after', 'fewer slips win');
my $o = $read->json->{overall};
my @s = map { $_->{score} } @{ $o->{candidates} };
ok(abs($o->{difference} - $s[1] + $s[0]) < 0.01, 'by the difference');
cmp_ok($o->{probability}, '>', 0.5, 'probably');
cmp_ok($o->{probability}, '<', 1, 'not surely');
ok(abs($o->{candidates}[0]{probability} + $o->{probability} - 1) < 0.001,
   'one of them is the best');
is(@{ $read->json->{criteria} }, 2, 'by criterion, too');

# Phi(difference / sqrt(2) / spread), out of the interval of the record.

my ($e) = map { $t->get("/evaluations/$_->{evaluation_id}")->json }
          $read->json->{candidates}[0];
my $i     = $e->{criteria_scores}[0]{interval};
my $width = $i->{low} > 0 && $i->{high} < 100 ? ($i->{high} - $i->{low}) / 2
          : (sort { $b <=> $a } map { abs($i->{$_}
             - $e->{criteria_scores}[0]{score}) } qw(low high))[0];
is($e->{criteria_scores}[0]{interval}{basis}, 'prior', 'nobody corrected it');
is($width, 45, 'so the interval is wide');
my $target = $read->json->{criteria}[0];
my ($z) = abs($target->{difference}) / (45 / 1.6448536) / 2;
my $p = 0.5;                           # + the integral of the density
$p += exp(-(($_ + 0.5) * $z / 1000) ** 2) * $z / 1000 / sqrt(3.14159265)
    for 0 .. 999;
ok(abs($target->{probability} - $p) < 0.002, 'the probability')
    or diag("$target->{probability}, wanted $p");

is($t->get("/comparisons/$c->{id}?level=1")->json->{overall}{verdict},
   'undecided', 'to be sure takes more');
is($t->get("/comparisons/$c->{id}?level=1")->json->{overall}{reason}, 'close',
   'it is close');
is($t->get("/content/$c->{candidates}[1]{content_id}")->json->{metadata}
   {draft}, 2, 'metadata is kept');
is($t->get("/content/$c->{candidates}[1]{content_id}")->json->{metadata}
   {source}, 'Where does the club meet?', 'with the source');
is($t->get("/batches/$c->{id}")->json->{total_evaluations}, 2,
   'it is a batch, too');


# --- Ties, certainty --------------------------------------------------------

$c = compare(texts($plain, $plain))->json;
is($c->{overall}{verdict}, 'tie', 'the same text twice');
is($c->{overall}{reason}, 'equal_text', 'is a tie by definition');

$c = compare(texts('Few words.', 'There are far more words in this one, and '
    . 'so it fails.', 'Few, too.'), judge_id => $decided)->json;
is($c->{overall}{verdict}, 'tie', 'checks that two pass');
is($c->{overall}{reason}, 'equal_score', 'are a tie');

$c = compare(texts('Few words.', 'There are far more words in this one, and '
    . 'so it fails.'), judge_id => $decided)->json;
is($c->{overall}{winner}, 'c1', 'what is decided');
is($c->{overall}{probability}, 1, 'is certain');
is($c->{criteria}[0]{winner}, 'c1', 'also by criterion');

$c = compare(texts(map { "$plain Number $_." } 1 .. 16))->json;
is(@{ $c->{overall}{candidates} }, 16, 'sixteen candidates');
my $sum = 0;
$sum += $_->{probability} // 0 for @{ $c->{overall}{candidates} };
ok(abs($sum - 1) < 0.01, 'whose probabilities add up') or diag($sum);


# --- Contents that are there ------------------------------------------------

my @contents = map { $t->new_content($_) } $plain, $slips;
$c = compare([ map { { id => $_, content_id => $contents[$_ eq 'b'] } }
               qw(a b) ])->json;
is($c->{candidates}[1]{content_id}, $contents[1], 'contents are compared');
$t->delete("/content/$contents[1]");
$c = $t->get("/comparisons/$c->{id}")->json;
is($c->{candidates}[1]{status}, 'deleted', 'one is deleted');
is($c->{overall}{verdict}, 'undecided', 'then it is open');
is($c->{overall}{reason}, 'not_judged', 'for it has no score');


# --- Lists, deleting --------------------------------------------------------

my @all = map { $_->{id} } map { @$_ }
          $t->pages('/comparisons?limit=2', 'comparisons');
is(@all, 6, 'all are listed');
is($all[0], $c->{id}, 'the newest first');
status_is($t->delete("/comparisons/$c->{id}"), 204, 'deleted');
status_is($t->get("/comparisons/$c->{id}"), 404, 'it is gone');
status_is($t->get("/batches/$c->{id}"), 404, 'with its batch');
my $batch = $t->made('/batches/evaluate', 'batch_id', json => {
    name => 'Plain', judge_ids => [ $judge ],
    content_items => [ { name => 'A', text_content => $plain } ] });
error_is($t->$_("/comparisons/$batch"), 404, qr/^there is no such comparison$/,
         "$_ of a batch that compares nothing") for qw(get delete);
status_is($t->get("/batches/$batch"), 200, 'which is still there');


# --- Bad requests -----------------------------------------------------------

error_is(compare(texts($plain)), 400, qr/^candidates: expected an array of 2/,
         'one candidate');
error_is(compare(texts(map { "N $_" } 1 .. 17)), 400, qr/^candidates: expect/,
         'seventeen');
error_is(compare([ map { { id => 'a', text_content => $_ } } $plain, $slips ]),
         400, qr/^candidates\[1\]: expected an id that no other/, 'equal ids');
error_is(compare([ { id => 'a', text_content => $plain }, { id => 'b' } ]),
         400, qr/^candidates\[1\]: expected one of text_content/, 'no text');
error_is(compare([ { id => 'a', text_content => $plain },
         { id => 'tie', text_content => $slips } ]), 400,
         qr/^candidates\[1\]: expected another id/, 'a name that is none');
error_is(compare([ map { { id => $_, content_id => $contents[0] } } 1, 2 ]),
         400, qr/^candidates\[0\]\.id: /, 'a number as identifier');
error_is(compare([ map { { id => "c$_", content_id => $contents[0] } } 1, 2 ]),
         400, qr/^candidates\[1\]: expected a content_id that/, 'one content');
error_is(compare([ { id => 'a', content_id => $contents[0] },
         { id => 'b', text_content => $plain } ], source => 'A question?'),
         400, qr/^candidates\[0\]: expected metadata and source only/,
         'the source of a content');
error_is(compare([ { id => 'a', content_id => $contents[1] },
         { id => 'b', text_content => $plain } ]), 404,
         qr/^candidates\[0\].content_id: there is no such content$/,
         'a deleted content');
error_is(compare(texts($plain, $slips), judge_id => 'jdg_none'), 404,
         qr/^judge_id: there is no such judge$/, 'no judge');
error_is(compare(texts($plain, 'x' x (1 << 20) . 'y')), 400,
         qr/^candidates\[1\]: expected a text of at most/, 'a huge text');

$t->new_org('Another');
my $foreign = $t->new_content($plain, org => 1);
error_is(compare([ { id => 'a', content_id => $foreign },
         { id => 'b', text_content => $plain } ]), 404,
         qr/^candidates\[0\].content_id: there is no such content$/,
         'the content of another organization');
my $mine = compare(texts($plain, $slips))->json->{id};
error_is($t->get("/comparisons/$mine", org => 1), 404,
         qr/^there is no such comparison$/, 'is not seen by others');
error_is($t->get("/comparisons/$mine?item=1"), 404, qr/^item: expected 0 to 0/,
         'an item that is not there');


# --- What people prefer -----------------------------------------------------

my $path = "/comparisons/$mine/feedback";
$r = $t->post($path, json => { feedback_type => 'preference', winner => 'c1',
                               comment => 'No slips.' });
status_is($r, 201, 'preferred');
is($r->json->{winner}, 'c1', 'who');
$t->post($path, json => { winner => undef });
$t->post($path, json => { winner => 'tie' });
$t->post($path, json => { winner => 'c2', person => 'Ada' });
my $criterion = $t->get("/comparisons/$mine")->json->{criteria}[0]
                {criterion_id};
$t->post($path, json => { winner => 'c1', criterion_id => $criterion });
my @preferred = @{ $t->get("/comparisons/$mine")->json->{preferences} };
is(@preferred, 3, 'who says something else has that preference now');
is($preferred[0]{winner}, undef, 'a tie');
is($preferred[1]{person}, 'Ada', 'another person');
is($preferred[2]{criterion_id}, $criterion, 'for a criterion');
error_is($t->post($path, json => {}), 400, qr/^winner: required/, 'nobody');
error_is($t->post($path, json => { winner => 'c3' }), 400, qr/^winner: expect/,
         'somebody else');
error_is($t->post($path, json => { winner => 'c1', criterion_id => 'crt_x' }),
         400, qr/^criterion_id: the judge has no such/, 'no criterion');
error_is($t->post($path, json => { winner => 'c1', item => 1 }), 404,
         qr/^item: /, 'no item');
error_is($t->post("/comparisons/$batch/feedback", json => { winner => 'c1' }),
         404, qr/^there is no such comparison$/, 'no comparison');
permission_is($t, 'feedback:write', POST => $path,
              json => { winner => 'c1' });
permission_is($t, 'evaluations:read', GET => "/comparisons/$mine");
permission_is($t, 'evaluations:read', GET => '/comparisons');
permission_is($t, 'evaluations:write', POST => '/comparisons',
              json => { judge_id => $judge,
                        candidates => texts($plain, $slips) });
my $reader = $t->new_key(permissions => 'evaluations:read');
my $seen   = $t->get("/comparisons/$mine", key => $reader);
is_deeply($seen->json->{preferences}, [], 'which not everybody sees');
permission_is($t, 'evaluations:write', DELETE => "/comparisons/$mine");
is($t->sql1('select count(*) from preferences'), 0, 'they go with it');


# --- docs/comparisons.md ----------------------------------------------------

my ($first) = Judge::Docs->blocks('docs/comparisons.md', 'Comparisons', 'sh',
                                  1);
my ($table) = Judge::Docs->blocks('docs/comparisons.md',
    'Tables with a text of each system', 'sh', 1);
{
    local %ENV = (%ENV, JUDGE_URL => $t->url, JUDGE_API_KEY => $t->key);
    my ($status, $out) = $t->run('bash', '-c', "set -e; $first $table");
    is($status, 0, 'what docs/comparisons.md shows') or diag($out);
    like($out, qr/"winner": "after"/, 'finds the better one');
    like($out, qr/"id": "new",\s+"strength"/, 'ranks systems');
    like($out, qr/"agreement": 1,/, 'as people do') or diag($out);
}

done_testing;
