# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Panels: several language models that judge together, how one score is made
# of theirs, and what becomes of it where they fail, refuse or disagree.

use Judge::Docs;
use Judge::Test;
use Judge::OpenAI;

use File::Temp ();
use Time::HiRes qw(sleep time);

my @names   = qw(ada ben cleo dan);
my $meeting = File::Temp->newdir;
my %server  = map {
    my $name = $_;
    $name => Judge::OpenAI->start(
        verdict => sub { verdict($name, @_) },
        when    => [ map { [ qr/$_-$name\b/, $_ ] }
                     qw(refused prose error rate quota hang missing) ]);
} @names;
my %more = (dan => 'images=on', ben => 'served=openai/gpt-4o-mini');

my $models = join '', map { $server{$_}->location($_, $more{$_}) } @names;
my $t = Judge::Test->new(server => $models, orgs => 2,
                         store => 'model_attempts=2 attempts=2 fleet=off');

my @criteria = ({ name => 'Humour', description => 'How funny it is.' },
                { name => 'Originality',
                  description => 'How new the idea is.' });
my $words = 'The mill stands by the river. It grinds rye for the village.';



# A text says what each member gives: "ada=40".  With "meet-NAME" a member
# answers only once all three have been asked, for as long as that takes.

sub verdict {
    my ($name, $q) = @_;
    my $v    = Judge::OpenAI::verdict($q);
    my $text = join "\n", map { $_->{content} } @{ $q->{messages} };
    my ($score) = $text =~ /\b$name=([\d.]+)/;

    if ($text =~ /meet-(\w+)/) {
        open my $file, '>', "$meeting/$1-$name" or die "meeting: $!\n";
        for (1 .. 600) {
            last if 3 == grep { -e "$meeting/$1-$_" } @names;
            sleep 0.05;
        }
        $score = 3 == grep({ -e "$meeting/$1-$_" } @names) ? 80 : 10;
    }

    $_->{score} = ($score // 70) + 0 for values %{ $v->{criteria} };
    return $v;
}

sub panel {
    my (%fields) = @_;
    return $t->new_judge(criteria => $fields{criteria} // \@criteria,
                         panel => { models => [qw(ada ben cleo)],
                                    %{ $fields{panel} // {} } });
}

sub evaluate {
    my ($judge, $text, %fields) = @_;
    return $t->ended($t->new_evaluation($judge,
                         $t->new_content("$text $words", %fields)));
}

sub asked { my $n = 0; $n += $server{$_}->requests for @names; $n }

# "ada:70 ben:REFUSED", of the first criterion.

sub members {
    my ($r) = @_;
    return join ' ', map { "$_->{model}:" . ($_->{score} // $_->{status}) }
                     @{ $r->{criteria_scores}[0]{panel} };
}

sub score { $_[0]{criteria_scores}[0]{score} }


# --- What a judge says -----------------------------------------------------

my $judge = panel;
my $made  = $t->get("/judges/$judge")->json;

is_deeply($made->{panel}, { models => [qw(ada ben cleo)], take => 'mean',
                            agree_within => 20 },
          'a panel takes the mean and agrees within 20 by default');
ok(!exists $made->{model}, 'a judge with a panel has no model');
is($made->{criteria}[0]{judged_by}, 'model',
   'what a model judges is judged by the panel');

for ([ { models => ['ada'] }, qr/^panel\.models: expected .*2 to 7/,
       'one model' ],
     [ { models => [ ('ada') x 8 ] }, qr/^panel\.models: .*2 to 7/,
       'eight models' ],
     [ { models => [qw(ada ada)] },
       qr/^panel\.models\[1\]: this model is named twice;/,
       'one model twice' ],
     [ { models => [qw(ada zoe)] },
       qr/^panel\.models\[1\]: no model has this name;.*: ada.*, dan$/,
       'an unknown model' ],
     [ { models => [qw(ada builtin)] }, qr/^panel\.models\[1\]: /,
       'the built-in engine' ],
     [ { models => [qw(ada ben)], take => 'best' },
       qr/^panel\.take: expected .*mean.*weighted/, 'an unknown take' ],
     [ { models => [qw(ada ben)], agree_within => 0 },
       qr/^panel\.agree_within: expected/, 'a distance of 0' ],
     [ { models => [qw(ada ben)], agree_within => 101 },
       qr/^panel\.agree_within: expected/, 'too large a distance' ],
     [ { take => 'mean' }, qr/^panel\.models: required/, 'no models' ],
     [ { models => 'ada' }, qr/^panel\.models: expected/, 'no array' ])
{
    my ($sent, $error, $what) = @$_;
    error_is($t->put("/judges/$judge", json => { panel => $sent }), 400,
             $error, "a panel with $what is refused");
}

my %body = (name => 'x', description => 'y', content_type => 'text',
            criteria => \@criteria, panel => { models => [qw(ada ben)] });

error_is($t->post('/judges', json => { %body, model => 'ada' }), 400,
         qr/either model or panel/, 'a model beside a panel is refused');
error_is($t->post('/judges', json => { %body, samples => 3 }), 400,
         qr/^samples: expected none or 1/,
         'samples beside a panel are refused');
error_is($t->post('/judges', json => { %body,
             escalate => { model => 'ada', when => { sample => 1 } } }), 400,
         qr/either escalate or panel/,
         'an escalation beside a panel is refused');
error_is($t->post('/judges', json => { %body, content_type => 'image' }), 400,
         qr/^panel\.models\[0\]: .*can't judge/,
         'a panel of models that see no images is refused for images');
error_is($t->post('/evaluations/single', json => { judge_id => $judge,
             text_content => $words, samples => 2 }), 400,
         qr/^samples: expected none or 1/,
         'samples of an evaluation by a panel are refused');
error_is($t->post('/evaluations/single', json => { judge_id => $judge,
             text_content => $words, model => 'panel' }), 400,
         qr/^model: expected one of/, 'a panel is no name of a model');

status_is($t->put("/judges/$judge", json => { name => 'Mills' }), 200,
          'a judge with a panel gets another name');
is_deeply($t->get("/judges/$judge")->json->{panel}, $made->{panel},
          'the panel stays when the name changes');
status_is($t->put("/judges/$judge", json => { panel => {
              models => [qw(cleo ben)], take => 'median' } }), 200,
          'a judge gets another panel');
my @versions = @{ $t->get("/judges/$judge/versions")->json->{versions} };
is($versions[0]{changes_summary}, 'changed the panel',
   'the summary of the version says that the panel has changed');
is($versions[0]{panel}{take}, 'median', 'the version has its own panel');
status_is($t->put("/judges/$judge", json => { panel => {} }), 200,
          'an empty panel is taken');
$made = $t->get("/judges/$judge")->json;
ok(!exists $made->{panel} && !exists $made->{model},
   'an empty panel leaves the judge neither panel nor model');
status_is($t->put("/judges/$judge", json => { panel => {
              models => [qw(ada ben)] } }), 200, 'a judge gets a panel again');
status_is($t->put("/judges/$judge", json => { model => 'ada' }), 200,
          'a model is taken in place of a panel');
$made = $t->get("/judges/$judge")->json;
is($made->{model}, 'ada', 'the judge has the model in place of the panel');
ok(!exists $made->{panel}, 'a model in its place ends the panel');


# --- All at once -----------------------------------------------------------

$judge = panel;
my $r = evaluate($judge, 'ada=40 ben=70 cleo=60');

is($r->{status}, 'completed', 'a text is judged by a panel');
is(members($r), 'ada:40 ben:70 cleo:60',
   'the result has the score of each member');
is(score($r), 56.67, 'the score is the mean of the members');
is($r->{criteria_scores}[0]{spread}, 30, 'the spread of the members is told');
is_deeply($r->{review_reasons}, ['panel_disagrees'],
          'members that disagree by more than 20 ask for a review');
is(asked(), 3, 'each member is asked once for all criteria');
is($r->{provenance}{model}, 'panel',
   'the provenance has the panel as its model');
is($r->{provenance}{samples_answered}, 3,
   'the provenance counts the members that answered');
ok(!exists $r->{provenance}{models_failed},
   'the provenance names no failed model where none failed');
ok(!exists $r->{warnings}, 'a panel gives no warning by itself');
cmp_ok($r->{provenance}{tokens_used}, '>', 300,
       'the tokens of all members are counted');

$r = evaluate($judge, 'meet-once');
is(members($r), 'ada:80 ben:80 cleo:80',
   'the members are asked at the same time');
is_deeply($r->{review_reasons}, [], 'members that agree ask for no review');

my $before = asked();
my $again  = $t->new_content("ada=1 ben=2 cleo=3 $words");
$t->evaluated($t->new_evaluation($judge, $again)) for 1 .. 2;
is(asked(), $before + 3, 'the same question is answered out of the store');


# --- Takes -----------------------------------------------------------------

my %take = map { $_ => panel(panel => { take => $_ }) }
           qw(median majority weighted);
my $four = panel(panel => { take => 'majority', agree_within => 10,
                            models => \@names });

is(score(evaluate($take{median}, 'ada=10 ben=90 cleo=60')), 60,
   'median takes the score in the middle');
is(score(evaluate($take{majority}, 'ada=10 ben=90 cleo=80')), 85,
   'majority takes the two that agree');
is(score(evaluate($take{majority}, 'ada=10 ben=90 cleo=60')), 60,
   'majority takes the median where none agree');
is(score(evaluate($four, 'ada=10 ben=20 cleo=60 dan=66')), 63,
   'majority takes the closer one of two pairs');
is(score(evaluate($four, 'ada=10 ben=20 cleo=50 dan=60')), 15,
   'majority takes the lower one of two pairs that are as close');
is(score(evaluate($take{weighted}, 'ada=10 ben=90 cleo=80')), 60,
   'weighted counts all alike without corrections');


# --- Members that fail -----------------------------------------------------

$r = evaluate($judge, 'ada=40 ben=50 refused-cleo');
is(members($r), 'ada:40 ben:50 cleo:REFUSED',
   'a member that refuses gives no score');
is(score($r), 45, 'a member that refuses is left out of the mean');
is_deeply([ map { "$_->{model} $_->{code}" }
            @{ $r->{provenance}{models_failed} } ], ['cleo REFUSED'],
          'the record names the member that refused');
is($r->{provenance}{samples_answered}, 2,
   'two of three members have answered');

is(members(evaluate($judge, 'prose-ada ben=50 cleo=60')),
   'ada:INVALID ben:50 cleo:60',
   "a member whose answer can't be read gives no score");
is(scalar(grep { $_->{body} =~ /prose-ada/ } $server{ada}->requests), 2,
   "a member whose answer can't be read is asked again");
is(members(evaluate($judge, 'error-ada ben=50 cleo=60')),
   'ada:MODEL_SERVER ben:50 cleo:60',
   'a member whose server fails gives no score');

$r = evaluate($judge, 'refused-ada quota-ben cleo=60');
is($r->{status}, 'failed', 'one answer of three is not enough');
is($r->{error}{code}, 'REFUSED',
   'an evaluation with too few answers has the first cause');
is(scalar @{ $r->{provenance}{models_failed} }, 2,
   'each member that failed is named');

$r = evaluate($judge, 'error-ada error-ben error-cleo');
is($r->{error}{code}, 'MODEL_SERVER',
   'an evaluation without any answer has its cause');
is($r->{provenance}{attempts}, 2,
   'an evaluation without any answer is tried again');

$r = evaluate(panel(criteria => [ @criteria,
    { name => 'Short', description => 'At most 50 words.' } ]),
    'error-ada error-ben error-cleo');
is($r->{status}, 'completed',
   'what needs no model is judged without the panel');
is(join(' ', map { $_->{name} } @{ $r->{not_judged} }), 'Humour Originality',
   'the criteria of a panel that fails are not judged');
like($r->{not_judged}[0]{reason}, qr/too few answers \(MODEL_SERVER\)/,
     'the reason says that there were too few answers');


# --- Hostile texts ---------------------------------------------------------

my @hostile = sort glob Judge::Nginx->repo . '/t/data/injection/*.txt';

for my $path (@hostile[0 .. 5]) {
    my $text = Encode::decode('UTF-8', Judge::Nginx::read_file($path));
    $text =~ tr/\0//d;
    $r = evaluate($judge, $text);
    is(score($r), 70, 'a text that gives orders is judged by the panel');
}


# --- The same family -------------------------------------------------------

$r = evaluate($judge, 'One.', metadata => { model => 'GPT-5' });
is($r->{warnings}[0]{warning}, 'same_family',
   'a text by a model of the same family gets a warning');
is_deeply($r->{warnings}[0]{models}, ['ben'],
          'the warning names the member of that family');
$r = evaluate($judge, 'Two.', metadata => { generated_by => 'OpenAI/o3' });
is_deeply($r->{warnings}[0]{models}, ['ben'],
          'a text by the provider of a member gets a warning');
$r = evaluate($judge, 'Three.', metadata => { model => 'mistral-large' });
ok(!exists $r->{warnings}, 'a text by another family gets no warning');


# --- Weights and agreement -------------------------------------------------

# Ben is right, Ada is wrong by 40, Cleo by 20.

my $weighted = $take{weighted};

my @past = map {
    evaluate($weighted, sprintf 'Mill %d. ada=%d ben=%d cleo=%d', $_, 30 + $_,
             70 + $_, 50 + $_)
} 1 .. 12;

for my $i (1 .. 12) {
    my $e = $past[$i - 1];
    status_is($t->post("/feedback/evaluation/$e->{evaluation_id}", json => {
        type => 'correction', content => { corrected_scores => {
            map { $_->{criterion_id} => 70 + $i }
                @{ $e->{criteria_scores} } } } }), 201,
              "the correction of text $i is taken");
}

$t->feedback_processed;

# 12 / (12 + 20) of weights by 1 / 1600, 1 / 1, 1 / 400; the rest equal.
my $sum  = 1 / 1600 + 1 + 1 / 400;
my @w    = map { 0.375 * $_ / $sum + 0.625 / 3 } 1 / 1600, 1, 1 / 400;
my $want = sprintf '%.2f', 10 * $w[0] + 90 * $w[1] + 50 * $w[2];

is(score(evaluate($weighted, 'ada=10 ben=90 cleo=50')), $want + 0,
   'weighted counts who was right more');
my @two = ($w[1] * 90 + $w[2] * 50) / ($w[1] + $w[2]);
is(score(evaluate($weighted, 'refused-ada ben=90 cleo=50')),
   sprintf('%.2f', $two[0]) + 0,
   'weighted counts who was right more where one is left out, too');

my $agree = $t->get("/judges/$weighted/agreement")->json->{panel};
is_deeply([ map { $_->{model} } @{ $agree->{members} } ], [qw(ada ben cleo)],
          'the agreement with people has each member');
is_deeply([ map { $_->{bias} } @{ $agree->{members} } ], [ -40, 0, -20 ],
          'the agreement says how far each member is off');
is($agree->{members}[1]{rmse}{value}, 0,
   'a member that is right has no error');
is($agree->{together}{items}, 12, 'the agreement has the members together');
is($agree->{together}{bias}, -20,
   'the agreement says how far they are off with equal weights');
is(scalar @{ $agree->{members}[0]{criteria} }, 2,
   'the agreement of a member has each criterion');
is($agree->{members}[0]{criteria}[0]{items}, 12,
   'the agreement of a criterion counts its corrections');


# --- Budgets ---------------------------------------------------------------

my %other = (org => 1);
my $small = $t->new_judge(criteria => \@criteria, %other,
                          panel => { models => \@names });

$t->put('/config/llm', %other, json => {
    rate_limits => { requests_per_minute => 1 } });
$before = asked();
$r = $t->ended($t->new_evaluation($small, $t->new_content($words, %other),
                                  %other), %other);
is($r->{error}{code}, 'BUDGET',
   'a budget that never pays for the whole panel is an error');
is(asked(), $before, "no member is asked where the budget can't pay for all");


# --- What docs/panels.md shows ---------------------------------------------

my ($shown, $record) = map { JSON::PP->new->utf8->decode($_) }
    Judge::Docs->blocks('docs/panels.md', 'Panels', 'json', 1),
    Judge::Docs->blocks('docs/panels.md', 'The record', 'json', 1);
my $example = $t->post('/judges', json => $shown);
status_is($example, 201, 'the judge that docs/panels.md shows is made');
$r = evaluate($example->json->{judge_id}, 'ada=50 ben=60 refused-cleo');
my $criterion = $r->{criteria_scores}[0];
$record->{criterion_id} = $criterion->{criterion_id};
is_deeply({ map { $_ => $criterion->{$_} } keys %$record }, $record,
          'the record that docs/panels.md shows is what comes out');


# --- A batch, and workers that die -----------------------------------------

my $all = $t->new_batch($judge, [ map { "Mill $_. ada=10 ben=20 cleo=30" }
                                  1 .. 5 ]);
$t->batch_completed($all);
is_deeply([ map { score($_) } @{ $t->get("/batches/$all/results")
                                    ->json->{results} } ], [ (20) x 5 ],
          'a batch is judged by the panel');

if (!$t->single) {
    my $id = $t->new_evaluation($judge,
                 $t->new_content("hang-ada hang-ben hang-cleo $words"));
    $t->wait_until(sub {
        3 == grep { my $s = $_; grep { $_->{body} =~ /hang-ada/ }
                    $server{$s}->requests } @names
    }, 'all members to be asked');
    $t->kill_workers;
    $t->wait_until(sub {
        3 == grep { my $s = $_; 2 <= grep { $_->{body} =~ /hang-ada/ }
                    $server{$s}->requests } @names
    }, 'all members to be asked again');
    is($t->get("/evaluations/$id")->json->{status}, 'processing',
       'an evaluation is not lost with its worker');
}

done_testing;
