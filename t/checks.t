# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Checks of criteria: given, found in descriptions, kept, decided, refused.

use Judge::Test;

my $t = Judge::Test->new(orgs => 1);
my $r;

sub judge_of {
    return $t->new_judge(criteria => [ @_ ]);
}

sub evaluated {
    my ($judge, $text) = @_;

    my $id = $t->new_evaluation($judge, $t->new_content($text));

    return $t->evaluated($id)->{criteria_scores};
}

# --- Found in a description -------------------------------------------------

my $short = judge_of({ name => 'Length',
                       description => 'No more than 80 words.' });
my $j = $t->get("/judges/$short")->json;

is_deeply($j->{criteria}[0]{checks},
          [ { type => 'max_words', value => 80, weight => 1,
              caps => JSON::PP::false, on => JSON::PP::true,
              origin => 'description' } ],
          'a limit in a description becomes a check');
ok($j->{criteria}[0]{decided},
   'a criterion that checks decide leaves nothing to judge');

my ($long) = evaluated($short, join(' ', ('Words and more.') x 54))->[0];
cmp_ok($long->{score}, '<=', 20, '162 words score low where 80 are asked for');
is($long->{feedback}, '162 words; at most 80 asked for.',
   'the feedback says why a check is not met');
is_deeply($long->{checks}, [ { type => 'max_words', value => 80,
                               result => 'not_met' } ],
          'a score has the results of its checks');

my $fits = evaluated($short, join(' ', ('Words and more.') x 25))->[0];
is($fits->{score}, 100, '75 words score high where 80 are asked for');
ok(!defined $fits->{raw_score}, 'nothing is measured where a check decides');

my $blank = evaluated($short, " \n ")->[0];
is($blank->{score}, 0, 'white space meets no check and scores 0');
is($blank->{feedback}, 'The text is empty; there is nothing to score.',
   'white space is said to be no text');

my $both = judge_of({ name => 'Grammar', description =>
                      'Correct grammar. No more than 80 words.' });
my $weak = 'Me and him was go to the park becaus it are sunny. He have a ball'
           . ' and I has a bat, then we was play until dark come on us.';

like(evaluated($both, $weak)->[0]{feedback},
     qr/at most 80 asked for\. Found: [4-9]\./,
     'where more is asked for, what was found stands behind the check');
unlike(evaluated($short, $weak)->[0]{feedback}, qr/Found/,
       'no findings stand where a check decides all');

# --- What is said of a description -------------------------------------------

my $table = judge_of({ name => 'Table',
                       description => 'A Markdown table with 3 columns.' });
for my $case (
    [ "a | b | c\n--- | --- | ---\n1 | 2 | 3", 'As asked for',
      'It has 1 table.' ],
    [ 'None.', 'Not as asked for', 'It has no tables.' ],
) {
    is(evaluated($table, $case->[0])->[0]{feedback},
       "$case->[1]: \"A Markdown table with 3 columns\". $case->[2]",
       "of what a description asks for its words are said: $case->[1]");
}

is(evaluated(judge_of({ name => 'Format', description => 'Valid JSON.',
                        checks => [ { type => 'json' } ] }),
             '{"a":1}')->[0]{feedback}, 'It is valid JSON.',
   'what two checks find is said once');

# --- A reference of the item -------------------------------------------------

my $like = judge_of({ name => 'Likeness', description => 'Like the reference.',
                      checks => [ { type => 'levenshtein',
                                    value => { at_least => 0.9 } } ] });
for (['It left on Monday.', 100], ['Something else altogether.', 0]) {
    my $id = $t->made('/content', 'content_id', json => { name => 'One',
        file_type => 'text', text_content => 'It left on Monday.',
        metadata => { reference => $_->[0] } });
    my $like = $t->ended($t->new_evaluation($like, $id))->{criteria_scores}[0];
    is($like->{score}, $_->[1], "a text is compared with: $_->[0]");
}

# --- Switched off, and kept by versions --------------------------------------

my ($c) = @{ $j->{criteria} };
$c->{checks}[0]{on} = JSON::PP::false;
$r = $t->put("/judges/$short", json => { criteria => [ $c ] });
status_is($r, 200, 'a check that is switched off is taken');
$c = $t->get("/judges/$short")->json->{criteria}[0];
ok(!$c->{checks}[0]{on}, 'a check stays off in a new version');
is(scalar @{ $c->{checks} }, 1,
   'a check that is off is not found again in the description');
ok(!$c->{decided}, 'a check that is off does not decide a criterion');
is($c->{judged_by}, 'nothing', 'a criterion is not judged without its check');
my $e = $t->ended($t->new_evaluation($short, $t->new_content('Some words.')));
is($e->{error}{code}, 'NOT_JUDGED',
   'an evaluation of which nothing is judged fails');
ok(!$e->{not_judged}[0]{checks},
   'a criterion that is not judged has no results of checks');

$c->{description} = 'At least two paragraphs.';
status_is($t->put("/judges/$short", json => { criteria => [ $c ] }), 200,
          'another description is taken');
$c = $t->get("/judges/$short")->json->{criteria}[0];
is(join(' ', map { $_->{type} } @{ $c->{checks} }), 'min_paragraphs',
   'a check goes when the description does not say it any more');

# --- Given -------------------------------------------------------------------

my $given = judge_of(
    { name => 'Form', description => 'What is sent to the shop.',
      checks => [ { type => 'json_schema', caps => JSON::PP::true,
                    value => { required => [ 'id' ] } } ] },
    { name => 'Respect', description => 'No insults.',
      checks => [ { type => 'no_email', caps => JSON::PP::true } ] },
);

my $scores = evaluated($given, '{"no": "write to a@example.org"}');
is($scores->[0]{score}, 0, 'JSON without what the schema wants has no points');
like($scores->[0]{feedback}, qr/has no id/,
     'the feedback says what the schema wants');
cmp_ok($scores->[1]{score}, '<=', 20, 'a cap bounds what is judged');
is_deeply($scores->[1]{checks}[0]{passages},
          [ { start => 17, end => 30, quote => 'a@example.org' } ],
          'a check shows the passage that it found');

$scores = evaluated($given, '{"id": 1, "text": "Thank you, dear friend!"}');
is($scores->[0]{score}, 100, 'JSON as the schema wants it has all points');

# --- Refused -----------------------------------------------------------------

for (
    [ { type => 'max_wrods', value => 3 },
      qr/^criteria\[0\]\.checks\[0\]\.type: expected one of min_words,/ ],
    [ { type => 'icontains', value => 'a' },
      qr/contains, as icontains is called/ ],
    [ { type => 'max_words', value => 'many' },
      qr/\.value: expected a whole/ ],
    [ { type => 'regex', value => '(' }, qr/\.value: expected a regular/ ],
    [ { type => 'json_schema', value => { format => 'date' } }, qr/"format"/ ],
    [ { type => 'json', weight => 0 }, qr/checks\[0\]\.weight: expected/ ],
) {
    my ($check, $sentence) = @$_;
    $r = $t->post('/judges', json => {
        name => 'Refused', description => '', content_type => 'text',
        criteria => [ { name => 'Punctuation', description => 'D',
                        checks => [ $check ] } ],
    });
    status_is($r, 400, "$check->{type} is refused");
    like($r->json->{detail} // $r->body, $sentence,
         "$check->{type}: the answer says what is expected");
}

# --- Proposed ----------------------------------------------------------------

$r = $t->post('/llm/parse-criteria', json => {
    description => "- Length (50%): no more than 80 words\n"
                   . '- Tone (50%): warm and friendly',
    content_type => 'text',
});
status_is($r, 200, 'criteria are parsed out of prose');
my ($proposed) = grep { $_->{checks} } @{ $r->json->{parsed_criteria} };
is($proposed && $proposed->{checks}[0]{type}, 'max_words',
   'parsed criteria have their checks');

done_testing();
