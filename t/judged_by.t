# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Who judges the criteria of a judge: what the model that is named, the type
# of the content and the client's wish do to it, and what is said of a judge of
# which nothing can be judged.

use Judge::Docs;
use Judge::Stored qw(alter_criteria);
use Judge::Test;
use Judge::OpenAI;

my $model = Judge::OpenAI->start;
my $t     = Judge::Test->new(
    server => $model->location('main', 'images=on'), orgs => 2);
my $bare  = Judge::Test->new;

my $depth   = { name => 'Humour', description => 'How funny it is.' };
my $grammar = { name => 'Grammar', description => 'Correct grammar.' };
my $short   = { name => 'Short', description => 'At most 50 words.' };



# The answer to a judge with these criteria.

sub made {
    my ($t, $criteria, %more) = @_;

    my @strict = delete $more{strict}
                 ? (headers => [ Prefer => 'handling=strict' ]) : ();

    return $t->post('/api-key/judges', @strict, json => {
        name => 'Essays', description => 'How well an essay is written.',
        content_type => 'text', criteria => $criteria, %more });
}

sub by {
    my ($r) = @_;
    return join ' ', map { $_->{judged_by} // '-' } @{ $r->json->{criteria} };
}

# What to think over in a judge with these criteria.

sub advice {
    my $r = $bare->post('/judges/check', json => {
        name => 'Essays', description => '', content_type => 'text',
        criteria => [ @_ ] });
    status_is($r, 200, 'a judge is checked') or return;
    return $r->json->{advice} // [];
}

my ($shown) = Judge::Docs->blocks('docs/judging.md', 'Judging', 'sh', 1);
is(join(' ', Judge::Docs->works($bare, 'docs/judging.md', $shown)
             =~ /"judged_by": ?"(\w+)"/g), 'measures checks nothing',
   'the criteria of docs/judging.md are judged as it says');


# --- By their words --------------------------------------------------------

my $r = made($bare, [ $grammar, $depth, $short ]);

is(by($r), 'measures nothing checks',
   'each criterion gets the method that fits it');
like($_->{judged_by_reason}, qr/^[A-Z].*\.$/,
     "the judge says in a sentence why $_->{name} has its method")
    for @{ $r->json->{criteria} };
ok(!exists $r->json->{warnings}, 'nobody is warned of a part');

my $asked = made($bare, [
    { name => 'Politeness', description => 'A polite tone.' },
    { name => 'Cortesia', description => 'Tom gentil.' },
    { name => 'Development', description => 'Detail.' } ]);

is(by($asked), 'measures nothing measures',
   'politeness is measured where its language has evidence');
is($asked->json->{criteria}[2]{judged_by_reason},
   'It asks for organization and development, which is measured in the text.',
   'development is measured with organization');

my %polite = map {
    my $evaluation = $bare->evaluated($bare->made(
        '/evaluations/single', 'evaluation_id', json => {
            judge_id     => $asked->json->{judge_id},
            text_content => $_->[1] }));
    ($_->[0] => $evaluation->{criteria_scores}[0]{score});
} ([ thanks => 'Thank you for writing. Could you please send the form?' ],
   [ plain  => 'Send us the form. The office needs it by Friday.' ],
   [ blame  => 'Why did you never send it? That is obviously nonsense.' ]);

ok($polite{thanks} > $polite{plain} + 10
   && $polite{plain} > $polite{blame} + 10,
   'thanks are more polite than an order, and that than a reproach');


# --- Advice ----------------------------------------------------------------

my $jokes = { name => 'Humour',
              description => 'It makes fun of its own author.' };

is_deeply(advice($grammar, $jokes, $short), [],
          'three different criteria get no advice');
like("@{ advice($grammar, { name => 'Correctness',
                            description => 'Grammar.' }) }",
     qr/^"Grammar" and "Correctness" are one measurement: [^.]*\.  Leave/,
     'one measurement under two names gets advice');
like("@{ advice($jokes, { %$jokes, name => 'Wit' }) }",
     qr/^"Humour" and "Wit" ask for the same\./,
     'one description under two names gets advice');
is_deeply([ map { /^(.*?):/ } @{ advice({ %$grammar, weight => 98 }, $jokes,
                                        $short) } ],
          [ '"Grammar" has 98 % of the weight', '"Humour" has 1 % of the'
            . ' weight', '"Short" has 1 % of the weight' ],
          'weights that hide the other criteria get advice');
is(@{ advice({ %$grammar, weight => 98 }, $jokes) }, 1,
   'one of two criteria may have most of the weight');
like("@{ advice({ name => 'Help',
                  description => 'Is it kind? Does it say what to do?' }) }",
     qr/^"Help" asks several questions and gets one score\./,
     'a description with two questions gets advice');
like("@{ advice({ name => 'Reply',
                  description => 'It is funny, and polite to readers.' }) }",
     qr/^"Reply" asks for several things \("funny" and "polite"\), /,
     'a description with two qualities gets advice');
like("@{ advice({ name => 'Wit', description => $_ }) }",
     qr/^"Wit" names nothing that can be seen in a text: /,
     "\"$_\" gets the advice that it names nothing to be seen")
    for 'Esprit', 'It should be very funny.';
is_deeply(advice({ name => 'Wit', description => 'Three puns about bread' }),
          [], 'few words that say enough get no advice');
is_deeply(advice($short, { name => 'Emojis', description => 'No emojis.' }),
          [], 'few words get no advice where checks decide');


# --- Methods ---------------------------------------------------------------

is(by($bare->get('/judges/' . $r->json->{judge_id})),
   'measures nothing checks', 'the methods of a judge are stored with it');

error_is(made($bare, [ { %$depth, judge_by => 'model' } ]), 400,
         'criteria[0].judge_by: expected another than model; no language'
         . ' model that takes this content is configured',
         'judge_by: model is refused where no model is configured');
error_is(made($bare, [ { %$depth, judge_by => 'worker' } ]), 400,
         qr/^criteria\[0\]\.judge_by: expected auto, checks, measures, model/,
         "judge_by: worker can't be asked for");

$r = made($bare, [ { %$grammar, judge_by => 'measures', judged_by => 'model',
                     judged_by_reason => 'Mine.' }, $short ]);
is(by($r), 'measures checks',
   'the method of a criterion is chosen, whatever a client calls it');
is_deeply([ map { $_->{judge_by} }
            @{ $bare->get('/judges/' . $r->json->{judge_id})
               ->json->{criteria} } ], [ 'measures', undef ],
          'judge_by is read where it was given, and only there');


# --- By the model that is named --------------------------------------------

is(by(made($t, [ $grammar, $depth ])), 'measures nothing',
   'a model that is configured and not named judges nothing');
is(by(made($t, [ $grammar, $depth ], model => 'main')), 'measures model',
   'the model that a judge names judges what nothing else does');
is(by(made($t, [ $grammar, $depth ], model => 'builtin')), 'measures nothing',
   'the built-in engine is no language model');
is(by(made($t, [ { %$grammar, judge_by => 'model' } ], model => 'main')),
   'model', 'judge_by: model has a measured criterion judged by the model');

$r = made($t, [ $grammar, { %$depth, judge_by => 'model' } ]);
is(by($r), 'measures nothing',
   'a criterion that asks for a model is judged by nothing if none is named');
like($r->json->{criteria}[1]{judged_by_reason}, qr/none is named/,
     'the reason of that criterion says that no model is named');

my $judge = made($t, [ $grammar, $depth ])->json->{judge_id};

status_is($t->put("/judges/$judge", json => { model => 'main' }), 200,
          'the judge names a model later');
is(by($t->get("/judges/$judge")), 'measures model',
   'the version that names a model is judged by it');
status_is($t->put("/judges/$judge",
                  json => { criteria => [ { %$grammar, judge_by => 'model' },
                                          $depth ] }), 200,
          'a judge takes criteria that ask for a model');
is(by($t->get("/judges/$judge")), 'model model',
   'the version with these criteria is judged by the model throughout');
like($t->get("/judges/$judge/versions")->json->{versions}[0]{changes_summary},
     qr/changed who judges "Grammar"/,
     'the summary of the version says whose method changed');

my %other = (org => 1);

status_is($t->put('/config/llm', %other, json => { default_model => 'main' }),
          200, 'an organization sets a model of its own');
$r = $t->post('/api-key/judges', %other, json => {
    name => 'Essays', description => 'Essays.', content_type => 'text',
    criteria => [ $grammar, $depth ] });
is(by($r), 'measures model',
   'the model of the organization judges what nothing else does');
$r = $t->post('/api-key/judges', %other, json => {
    name => 'Essays', description => 'Essays.', content_type => 'text',
    criteria => [ $grammar, $depth ], model => 'builtin' });
is(by($r), 'measures nothing',
   "the built-in engine of a judge goes before the organization's model");


# --- What is no text -------------------------------------------------------

for my $type (qw(video audio image)) {
    $r = made($bare, [ $grammar, $short ], content_type => $type);
    is(by($r), 'worker worker',
       "each criterion of a judge for $type is judged by a worker");
    like($r->json->{criteria}[0]{judged_by_reason}, qr/external worker/,
         "the reason says that a worker judges $type");
    ok(!exists $r->json->{criteria}[1]{checks},
       "a judge for $type has no checks");

    for my $wish (qw(checks measures)) {
        error_is(made($bare, [ { %$grammar, judge_by => $wish } ],
                      content_type => $type), 400,
                 qr/^criteria\[0\]\.judge_by: expected auto, model or corr/,
                 "a criterion of a judge for $type can't ask for $wish");
    }
}

is(by(made($t, [ $grammar ], content_type => 'image', model => 'main')),
   'model', 'an image is shown to the model that the judge names');
error_is(made($t, [ { %$grammar, judge_by => 'model' } ],
              content_type => 'video'), 400,
         qr/^criteria\[0\]\.judge_by: .*no/, 'no model looks at a video');
is(by(made($bare, [ { %$grammar, judge_by => 'corrections' } ],
           content_type => 'video')), 'corrections',
   'a criterion of videos may be judged by corrections');


# --- Judges of which nothing is judged -------------------------------------

$r = made($bare, [ $depth ]);
status_is($r, 201, 'a judge of which nothing can be judged is made');
like($r->json->{warnings}[0], qr/NOT_JUDGED/,
     'the answer warns that nothing is judged');
error_is(made($bare, [ $depth ], strict => 1), 400,
         qr/^criteria: expected one at least that can be judged/,
         'a judge of which nothing can be judged is refused by'
         . ' handling=strict');
status_is(made($bare, [ $depth, $grammar ], strict => 1), 201,
          'a judge with one criterion that is judged passes handling=strict');
status_is(made($t, [ $depth ], strict => 1, model => 'main'), 201,
          'a judge whose model judges its criterion passes handling=strict');
like(made($bare, [ { %$depth, judge_by => 'corrections' } ])
         ->json->{warnings}[0], qr/NOT_JUDGED/,
     'a new judge has no corrections yet');

$judge = $bare->new_judge(criteria => [ $depth ]);
$r = $bare->put("/judges/$judge", json => { name => 'Letters' });
like($r->json->{warnings}[0], qr/NOT_JUDGED/,
     'an update of a judge of which nothing is judged warns, too');
$r = $bare->put("/judges/$judge", json => { criteria => [ $grammar ] });
ok(!exists $r->json->{warnings},
   'an update that makes a judge judge something has no warning');
$r = $bare->post("/judges/$judge/versions/1/activate");
like($r->json->{warnings}[0], qr/NOT_JUDGED/,
     'going back to a version of which nothing is judged warns, too');
error_is($bare->put("/judges/$judge", json => { name => 'Notes' },
                    headers => [ Prefer => 'handling=strict' ]), 400,
         qr/^criteria: expected one/,
         'handling=strict refuses an update of a judge of which nothing is'
         . ' judged');


# --- Judges that were made before ------------------------------------------

my $stored = $bare->new_judge(criteria => [ $grammar, $depth, $short ]);

alter_criteria($bare, sub { delete @{ $_[0] }{qw(judged_by
                                                 judged_by_reason)} });

$r = $bare->get("/judges/$stored");
is(by($r), 'measures nothing checks',
   'judges stored without methods get them when they are read');
like($r->json->{criteria}[1]{judged_by_reason}, qr/^[A-Z].*\.$/,
     'judges stored without methods get the reasons, too');
is_deeply([ map { $_->{name} } @{ $r->json->{criteria} } ],
          [qw(Grammar Humour Short)],
          'judges stored without methods keep all their criteria');
my ($listed) = grep { $_->{judge_id} eq $stored }
               @{ $bare->get('/judges')->json->{judges} };
is($listed->{criteria}[0]{judged_by}, 'measures',
   'the list has the methods of judges stored without them');

$stored = $t->new_judge(%other, criteria => [ $grammar, $depth ]);
my $own = $t->new_judge(%other, criteria => [ $grammar, $depth ],
                        model => 'builtin');
alter_criteria($t, sub { delete @{ $_[0] }{qw(judged_by judged_by_reason)} });
is(by($t->get("/judges/$stored", %other)), 'measures model',
   'the model of the organization counts for judges of before');
is(by($t->get("/judges/$own", %other)), 'measures nothing',
   'a judge that names the built-in engine is not judged by that model');
($listed) = grep { $_->{judge_id} eq $stored }
            @{ $t->get('/judges', %other)->json->{judges} };
is($listed->{criteria}[1]{judged_by}, 'model',
   "the list counts the organization's model for these judges, too");

done_testing;
