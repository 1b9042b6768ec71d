# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Tables with a text of each system, as CSV and as lines of JSON, and what is
# computed of them: wins, strengths, intervals, and how often people are met.

use JSON::PP qw(encode_json);

use Judge::Test;

my $t     = Judge::Test->new;
my $judge = $t->new_judge(name => 'Short', criteria => [
    { name => 'Length', description => 'It has at most 8 words.' } ]);
my $other = $t->new_judge;
my $short = 'Few words.';
my $long  = 'There are far more words in this one, and so it fails.';

sub upload {
    my ($type, $body, %query) = @_;
    my %opt = (org => delete $query{org} // 0);
    return $t->post('/batches/import?' . join('&',
        map { "$_=$query{$_}" } sort keys %query), %opt, body => $body,
        headers => [ 'Content-Type' => $type ]);
}

sub ended {
    my ($r, $name) = @_;
    status_is($r, 201, $name) or return;
    return $t->batch_ended($r->json->{batch_id})->{batch_id};
}

# Rows of `question`, texts of a, b and c, and whom people prefer: a passes
# always, b in two of three, c never.

sub rows {
    my ($n) = @_;
    return map { my $i = $_; { question => 'Question ' . int($i / 2),
        a => "$short A $i.", b => $i % 3 ? "$short B $i." : "$long B $i.",
        c => "$long C $i.", best => $i % 4 ? 'a' : $i % 8 ? 'tie' : '' }
    } 1 .. $n;
}

my @rows  = rows(24);
my @names = qw(question a b c best);
my $csv   = join '', map { "$_\n" } join(',', @names),
            map { my $r = $_; join ',', map { "\"$r->{$_}\"" } @names } @rows;
my %three = (name => 'Three', judge_ids => $judge, systems => 'a,b,c',
             source => 'question', preferred => 'best');
my $batch = ended(upload('text/csv', $csv, %three),
                  'a table of systems is taken');

is($t->get("/batches/$batch")->json->{total_evaluations}, 72,
   'each text of the table is judged');
my $one = $t->get("/comparisons/$batch?item=2")->json;
is($one->{items}, 24, 'a row of the table is an item');
is_deeply([ map { $_->{id} } @{ $one->{candidates} } ], [ qw(a b c) ],
          'the columns of the table are the systems');
my $m = $t->get("/content/$one->{candidates}[1]{content_id}")->json;
is_deeply($m->{metadata}, { system => 'b', source => 'Question 1',
                            preferred => 'a' },
          'a content says whose text it is');
is($one->{overall}{winner}, 'a',
   'the one system that passes in the third row has won');

my $r = $t->get("/batches/$batch/ranking");
status_is($r, 200, 'a batch of systems is ranked');
my $o = $r->json->{overall};
is_deeply([ $r->json->{complete}, @$o{qw(items clusters)} ],
          [ JSON::PP::true, 24, 13 ],
          'a ranking counts its items and their sources');
is("@{[ map { $_->{id} } @{ $o->{systems} } ]}", 'a b c',
   'the strongest system comes first');
is_deeply([ @{ $o->{systems}[0] }{qw(wins ties losses)} ], [ 32, 16, 0 ],
          'a system that wins or ties everywhere has no losses');
is_deeply([ @{ $o->{pairs}[2] }{qw(id against wins ties losses)} ],
          [ 'b', 'c', 16, 8, 0 ],
          'the ranking counts what a pair of systems won');
my $sum = 0;
$sum += $_->{strength} for @{ $o->{systems} };
ok(abs($sum) < 0.001, 'strengths have the mean 0');
for my $s (@{ $o->{systems} }) {
    ok($s->{low} <= $s->{strength} && $s->{strength} <= $s->{high},
       "$s->{id} is within its interval");
}
cmp_ok($o->{systems}[0]{low}, '>', $o->{systems}[2]{high},
       'a is stronger than c beyond chance');
is($r->json->{criteria}[0]{name}, 'Length', 'the ranking has each criterion');
is_deeply($t->get("/batches/$batch/ranking")->json, $r->json,
          'a ranking that is asked for again is the same');

# The equations of the model: the expected wins are those that were counted,
# a tie as half of one, with one tie more in each pair.

my %strength = map { $_->{id} => $_->{strength} } @{ $o->{systems} };
for my $s (@{ $o->{systems} }) {
    my $expected = 0;
    $expected += 25 / (1 + exp($strength{$_} - $s->{strength}))
        for grep { $_ ne $s->{id} } keys %strength;
    ok(abs($s->{wins} + $s->{ties} / 2 + 1 - $expected) < 0.01,
       "as many wins as $s->{id} has are expected");
}

# 18 rows prefer a, in two pairs each: against b it is decided in 6 of these,
# against c always.  Three are ties, of three pairs each, two of which scores
# do not see as ties.

my $p = $o->{people};
is_deeply([ @$p{qw(preferences pairs)} ], [ 21, 18 * 2 + 3 * 3 ],
          'the ranking counts what people prefer, and in how many pairs');
my $tied = grep { $_->{best} eq 'a' && $_->{b} =~ /^Few/ } @rows;
is($p->{decided}, 36 - $tied, 'ties are not among the decided pairs');
is($p->{agreement}, 1, 'scores meet every preference that is decided');
ok(abs($p->{agreement_with_ties} - (36 - $tied + 3) / 45) < 0.001,
   'a tie of people is met by a tie of scores only');
cmp_ok($p->{longer}, '<', 0.4, 'people do not prefer the longer text');

$t->post("/comparisons/$batch/feedback", json => { item => 7, winner => 'c' });
$p = $t->get("/batches/$batch/ranking")->json->{overall}{people};
is($p->{preferences}, 22, 'feedback is a preference that counts');
cmp_ok($p->{agreement}, '<', 1,
       'a preference that scores do not meet lowers the agreement');


# --- Lines of JSON -----------------------------------------------------------

my $lines = join "\n", map { encode_json($_) } @rows;
my $again = ended(upload('application/jsonl', $lines, %three,
                         judge_ids => "$judge,$other"),
                  'lines of JSON are taken');
is_deeply($t->get("/batches/$again/ranking?judge_id=$judge")->json->{overall}
          {pairs}, $o->{pairs}, 'lines of JSON are ranked as the table is');
error_is($t->get("/batches/$again/ranking"), 400, qr/^judge_id: required/,
         'a ranking needs to know which of two judges is meant');
is($t->get("/batches/$again/ranking?judge_id=$other")->json->{judge_id},
   $other, 'the ranking is of the judge that was asked for');

status_is($t->post("/comparisons/$again/feedback", json => {
              winner => 'b', judge_id => $other }), 201,
          'feedback on a comparison names one of two judges');
error_is($t->post("/comparisons/$again/feedback", json => { winner => 'b' }),
         400, qr/^judge_id: required/,
         'feedback without a judge is refused where there are two');

my $plain = ended(upload('application/x-ndjson',
    qq({"content":"One text.","id":7,"x":null}\r\n\n)
    . qq({"x":[1],"content":"Another text.","y":1}),
    name => 'L', judge_ids => $other, id => 'id', metadata => 'x'),
    'lines without systems are taken');
my @contents = map { $t->get("/content/$_")->json }
               @{ $t->get("/batches/$plain")->json->{content_ids} };
is_deeply([ map { $_->{metadata} } @contents ],
          [ { id => '7' }, { x => '[1]' } ],
          'a value of any type becomes metadata as text');
error_is($t->get("/batches/$plain/ranking"), 404, qr/^there is no such batch/,
         'a batch without systems is not ranked');

my @runs = map { my $end = $_; ended(upload('application/jsonl',
    join("\n", map { encode_json({ id => "no $_", a => "Mine $_$end",
                                   b => "Yours $_$end" }) } 1 .. 4),
    name => 'Run', judge_ids => $other, systems => 'a,b', id => 'id'),
    'a run of systems is taken') } ' is.', ' were.';
my $d = $t->get("/batches/$runs[0]/difference?against=$runs[1]")->json;
is($d->{matched}, 8, 'the texts of two runs of systems are matched');
is($d->{matched_by}, 'identifier',
   'runs are matched by the identifiers of their rows');


# --- Not judged --------------------------------------------------------------

my $few = ended(upload('text/csv', "a,b\n$short,\"$long\"\n$short,$short\n",
    name => 'Few', judge_ids => $judge, systems => 'a,b'),
    'a table of two rows is taken');
$o = $t->get("/batches/$few/ranking")->json->{overall};
ok(!exists $o->{systems}[0]{low}, 'a ranking of two rows has no interval');
is_deeply([ @{ $o->{pairs}[0] }{qw(wins ties losses)} ], [ 1, 1, 0 ],
          'texts that score alike are a tie');
ok(!exists $o->{people},
   'a ranking that nobody was asked about has no people');
$t->delete('/content/'
    . $t->get("/comparisons/$few")->json->{candidates}[0]{content_id});
$o = $t->get("/batches/$few/ranking")->json->{overall};
is($o->{items}, 1, 'a deleted content is not compared');
is_deeply([ @{ $o->{pairs}[0] }{qw(wins ties losses)} ], [ 0, 1, 0 ],
          'the other contents stay in their place');


# --- Bad requests -----------------------------------------------------------

my %two = (name => 'T', judge_ids => $judge, systems => 'a,b');
error_is(upload('text/csv', "a,b\n1,2\n", %two, systems => 'a'), 400,
         qr/^systems: expected 2 to 16 different columns/,
         'a single system is refused');
error_is(upload('text/csv', "a,b\n1,2\n", %two, systems => 'a,a'), 400,
         qr/^systems: expected 2 to 16 different/,
         'a system that is named twice is refused');
error_is(upload('text/csv', "a,b\n1,2\n", %two, systems => 'a,c'), 400,
         qr/^systems: the table has no column "c"/,
         'a system without a column is refused');
error_is(upload('text/csv', "a,b\n1,2\n", %two, content => 'a'), 400,
         qr/^systems: expected either systems or content/,
         'systems beside a column of texts are refused');
error_is(upload('text/csv', "a,b\n1,\n", %two), 400,
         qr/^row 2, column "b": expected a text; the cell is empty/,
         'an empty cell of a system is refused');
error_is(upload('text/csv', join(',', 1 .. 17) . "\n" . join(',', 1 .. 17)
         . "\n", %two, systems => join(',', 1 .. 17)), 400,
         qr/^systems: expected 2 to 16/, 'seventeen systems are refused');
error_is(upload('text/csv', "a,b,p\n1,2,c\n", %two, preferred => 'p'), 400,
         qr/^row 2, column "p": expected the name of a system, "tie"/,
         'a preference for no system is refused');
error_is(upload('application/jsonl', qq({"a":"1","b":"2"}\n[1]\n), %two), 400,
         qr/^line 2: expected a JSON object$/,
         'a line that is no object is refused');
error_is(upload('application/jsonl', qq({"a":"1",\n), %two), 400,
         qr/^line 1: invalid JSON/, 'a line that is no JSON is refused');
error_is(upload('application/jsonl', "{}\n", %two), 400,
         qr/^line 1: expected an object with 1 to 1000/,
         'an empty object is refused');
error_is(upload('application/jsonl', "\n \n", %two), 400,
         qr/^body: expected lines of JSON objects$/,
         'lines that are all blank are refused');
error_is(upload('application/jsonl', qq({"a":"1","b":"2"}\n{"a":"3"}), %two),
         400, qr/^row 2, column "b": expected a text/,
         'a line without the text of a system is refused');

my $both = $t->new_judge(name => 'Both', criteria => [
    { name => 'Grammar', description => 'Correct grammar.' },
    { name => 'Length', description => 'It has at most 8 words.' } ]);
my $mixed = ended(upload('application/jsonl', join('', map { encode_json({
    a => "We have sent the lamp to your house, and it is number $_.",
    b => "Die Lampe ist leider weg, Nummer $_." }) . "\n" } 1 .. 8),
    %two, judge_ids => $both), 'texts in two languages are taken');
$m = $t->get("/batches/$mixed/ranking")->json;
is($m->{overall}{items}, 0,
   'overall scores of different criteria are not ranked');
is($m->{criteria}[1]{items}, 8, 'a criterion of all systems is ranked');

my $waits = upload('text/csv', "a,b\n1,2\n", %two, auto_start => 'false')
            ->json->{batch_id};
error_is($t->get("/batches/$waits/ranking"), 409,
         qr/^the batch \S+ has not ended: it is created$/,
         'a batch that has not ended is not ranked');
is($t->get("/comparisons/$waits")->json->{overall}{reason}, 'not_judged',
   'the comparison says that nothing is judged yet');
$t->new_org('Another');
error_is($t->get("/batches/$batch/ranking", org => 1), 404,
         qr/^there is no such batch/,
         "another organization can't see the ranking");
permission_is($t, 'evaluations:read', GET => "/batches/$batch/ranking");

done_testing;
