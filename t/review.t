# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Which results a person should look at, and why.

use Judge::Test;

my $t = Judge::Test->new;

my %text = $t->essays;
my ($name) = sort keys %text;
my $essay = $t->new_content($text{$name});

sub judge_with {
    my ($judge, %changes) = @_;
    status_is($t->put("/judges/$judge", json => \%changes), 200,
              join ', ', 'a judge with', sort keys %changes);
    return $t->get("/judges/$judge")->json;
}

sub evaluated {
    my ($judge, $content) = @_;
    return $t->evaluated($t->new_evaluation($judge, $content // $essay));
}

sub reasons_are {
    my ($e, $reasons, $what) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    is_deeply($e->{review_reasons}, $reasons, $what);
    is($e->{needs_review} ? 1 : 0, @$reasons ? 1 : 0,
       "$what, and needs_review agrees");
}


# --- What the judge says ----------------------------------------------------

my $judge = $t->new_judge;
my $plain = evaluated($judge);
reasons_are($plain, [], 'nobody has to look at an essay');
is($t->get("/judges/$judge")->json->{review}, undef,
   'a judge has no rules of review to begin with');

my $score = $plain->{overall_score};
my $width = $plain->{interval}{high} - $plain->{interval}{low};

my $made = judge_with($judge, review => { near_threshold => $score + 1 });
is_deeply($made->{review}, { near_threshold => $score + 1 },
          'a judge keeps its rules of review');
is($made->{version_number}, 2, 'changed rules of review make a new version');
reasons_are(evaluated($judge), ['near_threshold'],
            'a score near the threshold needs a look');

judge_with($judge, review => { interval_wider_than => $width - 1 });
my $wide = evaluated($judge);
reasons_are($wide, ['interval_wide'],
            'an interval that is too wide needs a look');

judge_with($judge, review => { interval_wider_than => $width + 1 });
reasons_are(evaluated($judge), [],
            'an interval that is not too wide needs no look');

judge_with($judge, review => { near_threshold => $score < 50 ? 100 : 0.01,
                               interval_wider_than => 5 });
reasons_are(evaluated($judge), ['interval_wide'],
            'a score far from the threshold needs no look for that');

is(judge_with($judge, review => {})->{review}, undef,
   'rules of review can be taken back');
reasons_are(evaluated($judge), [], 'nobody has to look where no rules are');
like($t->get("/judges/$judge/versions")->json->{versions}[0]{changes_summary},
     qr/changed what a person should look at/,
     'the version says that the rules of review changed');

for ([ { near_threshold => 0 }, qr/^review\.near_threshold: expected/ ],
     [ { near_threshold => 101 }, qr/^review\.near_threshold: expected/ ],
     [ { interval_wider_than => -1 },
       qr/^review\.interval_wider_than: expected/ ],
     [ { interval_wider_than => 'far' },
       qr/^review\.interval_wider_than: expected a number/ ],
     [ 60, qr/^review: expected an object/ ])
{
    error_is($t->put("/judges/$judge", json => { review => $_->[0] }), 400,
             $_->[1],
             'a wrong rule of review is refused with what is expected');
}


# --- What is odd in itself --------------------------------------------------

reasons_are(evaluated($judge, $t->new_content('tent camping best ' x 300)),
            [], 'no text is unlike those seen where nothing was learned');
reasons_are(evaluated($t->new_judge(criteria => [ {
                name => 'Price', description => 'States the price.' } ]),
                $t->new_content('The bag costs 49 euros.')),
            [], 'what checks decide needs no look because it is short');

my $dutch = $t->ended($t->new_evaluation($judge, $t->new_content(
    'Dit is een verhaal over een hond die naar de markt ging. Hij kocht daar'
    . ' een mooie vis, want hij had honger en wilde niet langer wachten.')));
is("$dutch->{status} $dutch->{error}{code}", 'failed NOT_JUDGED',
   'a language in which nothing is measured has no score to look at');
is_deeply([ map { $_->{reason} } @{ $dutch->{not_judged} } ],
          [ 'In texts in Dutch, grammar is not measured.',
            'In texts in Dutch, spelling and punctuation is not measured.' ],
          'the record says which criteria are not measured in Dutch');

my $strict = $t->new_judge(criteria => [ {
    name => 'Grammar', description => 'Well written', checks => [
        { type => 'max_words', value => 3 } ],
    thresholds => { excellent => 4, good => 3, fair => 2, poor => 1 } } ]);
reasons_are(evaluated($strict), ['checks_contradict'],
            'a good score that no check agrees with needs a look');


# --- In lists ---------------------------------------------------------------

sub listed {
    my ($query) = @_;
    return [ map { $_->{evaluation_id} }
             @{ $t->get("/evaluations?judge_id=$judge&$query")
                  ->json->{evaluations} } ];
}

my @all  = @{ $t->get("/evaluations?judge_id=$judge")->json->{evaluations} };
my @need = map { $_->{evaluation_id} } grep { $_->{needs_review} } @all;
my @rest = map { $_->{evaluation_id} }
           grep { $_->{status} eq 'completed' && !$_->{needs_review} } @all;

is_deeply(listed("needs_review=$_"), \@need,
          "needs_review=$_ lists those that need a look")
    for qw(true True 1);
is_deeply(listed('needs_review=false'), \@rest,
          'needs_review=false lists those that need none');
is_deeply(listed("needs_review=$_"), \@need,
          "needs_review=$_ means true") for qw(True 1);
is_deeply(listed("needs_review=$_"), \@rest,
          "needs_review=$_ means false") for qw(False 0);
cmp_ok(scalar @need, '>', 0, 'some evaluations need a look');
cmp_ok(scalar @rest, '>', 0, 'some evaluations need no look');
error_is($t->get('/evaluations?needs_review=maybe'), 400,
         'needs_review: expected true or false',
         'needs_review=maybe is refused');

my ($item) = grep { $_->{evaluation_id} eq $wide->{evaluation_id} }
             @{ $t->get("/judges/$judge/review")->json->{items} };
is_deeply($item->{review_reasons}, ['interval_wide'],
          'an item of the review queue says why it is there');

my $nameless = $t->new_key(permissions => 'feedback:read');
is_deeply([ map { [ sort grep { /^content_/ } keys %$_ ] } map {
                $t->get("/judges/$judge/review", key => $_)->json->{items}[0] }
            $t->key, $nameless ],
          [ [qw(content_id content_name)], ['content_id'] ],
          'the review queue names contents to a key that may read them');

done_testing();
