# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A criterion that nothing judges has no part in what is reckoned of a judge's
# scores: not as 0, not as the middle of the scale, not as a mean.

use utf8;

use List::Util qw(min sum0);

use Judge::OpenAI;
use Judge::Test;

my $server = Judge::OpenAI->start(models => ['main']);
my $t      = Judge::Test->new(server => $server->location('main',
                                                          'served=main'));

# Texts with more and more slips, in no order that is also that of their
# numbers.

my ($plain, $slips) = $t->evening;

sub slips { $_[0] * 5 % 7 }

sub text {
    my ($i) = @_;
    return join ' ', "This is evening $i.",
        map { ($_ < slips($i) ? $slips : $plain)->[($_ + $i) % 6] } 0 .. 5;
}

my @criteria = (
    { name => 'Humour', description => 'Makes one laugh.', weight => 3 },
    { name => 'Grammar', description => 'Correct grammar.' });

# Results of so many texts, in the order of their numbers.

sub judged {
    my ($judge, $n, $text) = @_;
    $text //= \&text;
    my $batch = $t->new_batch($judge, [ map { $text->($_) } 1 .. $n ]);
    $t->batch_ended($batch);
    my @rows  = sort { $a->{evaluation_id} cmp $b->{evaluation_id} }
                $t->batch_results($batch);
    return ($batch, @rows);
}

# People give these scores, by a function of the number of a text.

sub correct {
    my ($batch, $rows, $scores) = @_;
    my $r = $t->post("/batches/$batch/feedback", json => {
        feedback_entries => [ map {
            { evaluation_id => $rows->[$_]{evaluation_id},
              type => 'correction',
              content => { corrected_scores => $scores->($_ + 1) } }
        } 0 .. $#$rows ] });
    status_is($r, 201, 'the corrections of the batch are taken');
    $t->feedback_processed;
    return $r->json->{impact_analysis};
}

sub mean { @_ ? sum0(@_) / @_ : 0 }




# --- Of a judge, half of whose criteria are judged ---------------------------

my $judge = $t->new_judge(criteria => \@criteria,
                          escalate => { model => 'main',
                                        when  => { sample => 1e-6 } });
status_is($t->put("/judges/$judge", json => {
    criteria => [ $criteria[0], { name => 'Grammar',
                                  description => 'Plain language.',
                                  judge_by => 'measures' } ],
    activate => JSON::PP::false }), 200,
          'a version with another criterion is made');
status_is($t->post("/judges/$judge/canary", json => { version => 2,
                                                      share => 1 }), 201,
          'the version is tried beside the active one');

my ($batch, @rows) = judged($judge, 24);
my $grammar = $rows[0]{criteria_scores}[0]{criterion_id};
my $humour  = $rows[0]{not_judged}[0]{criterion_id};
is(scalar(grep { @{ $_->{criteria_scores} } == 1 } @rows), 24,
   'one of the two criteria is judged');

my @given = map { $_->{criteria_scores}[0]{score} } @rows;
my @human = map { 20 + 0.5 * $given[$_] + $_ % 4 } 0 .. $#rows;
correct($batch, \@rows, sub {
    return { $grammar => $human[ $_[0] - 1 ], $humour => 85 + $_[0] % 3 };
});

my $e = $t->get("/judges/$judge/estimate")->json;
is($e->{criteria}[0]{corrections}, 0,
   'the estimate counts no corrections of a criterion that is not judged');
ok(!exists $e->{criteria}[0]{given_mean},
   'the estimate has no mean of the scores of such a criterion');
ok(!exists $e->{criteria}[0]{human_mean},
   'the estimate has no mean of what people would give it');
near_is($e->{criteria}[1]{human_mean}, mean(@human),
        'what people give the other criterion is estimated');
near_is($e->{overall}{human_mean}, mean(@human),
        'what people give over all is estimated by that criterion alone');

my $a = $t->get("/judges/$judge/agreement")->json;
is($a->{criteria}[0]{items}, 0,
   'the agreement has no items of a criterion that is not judged');
ok(!exists $a->{criteria}[0]{rmse},
   'the agreement has no figures of such a criterion');
is($a->{criteria}[1]{items}, 24,
   'the agreement has the items of the criterion that is judged');
near_is($a->{mean}{rmse}{value}, $a->{criteria}[1]{rmse}{value},
        'the mean of the agreement is over what was judged');
is($a->{by_version}[0]{scores}, 24,
   'the agreement of the version counts what was judged');
is(scalar(grep { ($_->{criterion_id} // '') eq $humour }
          @{ $a->{disagreements} }), 0,
   'no disagreement is about what was not judged');
is($a->{escalation}{as_decided}{items}, 24,
   'the agreement of decided results counts what was judged');
near_is($a->{escalation}{as_decided}{bias}, $a->{criteria}[1]{bias},
        'decided results are off by as much as the criterion that is judged');

my $c = $t->get("/judges/$judge/canary")->json;
is($c->{criteria}[0]{evaluations}, 0,
   'the canary does not compare what neither version judges');
ok(!exists $c->{criteria}[0]{people},
   'the canary does not compare it with people');
near_is($c->{overall}{people}{active_error},
        $c->{criteria}[1]{people}{active_error},
        'people differ over all as they do for the one criterion they share');

my $d;
$t->wait_until(sub {
    $d = $t->get("/judges/$judge/drift")->json;
    return $d->{window}{evaluations} == 24;
}, 'the scores are counted');
my ($counted) = grep { $_->{criterion_id} eq $grammar } @{ $d->{criteria} };
is(sum0(@{ $counted->{counts} }), 24,
   'drift counts the scores of the criterion that is judged');
is(sum0(map { @{ $_->{counts} // [] } }
        grep { $_->{criterion_id} eq $humour } @{ $d->{criteria} }), 0,
   'drift counts no scores of the criterion that is not judged');

my $row;
$t->wait_until(sub {
    $row = $t->evaluated($t->new_evaluation($judge,
                                            $t->new_content(text(30))));
    return ($row->{criteria_scores}[0]{interval}{n} // 0) == 24;
}, 'an interval by the corrections', 60);
is_deeply([ @{ $row->{interval} }{qw(basis level)} ], ['corrections', 0.9],
          'the interval of the whole is by corrections of what is judged');
near_is($row->{interval}{$_} - $row->{overall_score},
        $row->{criteria_scores}[0]{interval}{$_} - $row->{overall_score},
        "the interval of the whole is as wide as that of the criterion: $_",
        0.011) for qw(low high);


# --- What is learned of it ---------------------------------------------------

# The job that learns from these scores of Humour.

sub learned {
    my ($score, %opt) = @_;
    my $judge = $t->new_judge(criteria => $opt{criteria} // \@criteria);
    my ($batch, @rows) = judged($judge, $opt{texts} // 40, $opt{text});
    my $humour = $rows[0]{not_judged}[0]{criterion_id};
    is_deeply(correct($batch, \@rows,
                      sub { return { $humour => $score->($_[0]) } }),
              { significant_corrections => scalar @rows,
                retraining_recommended  => JSON::PP::true },
              'to score a criterion for the first time recommends a training');

    my $id = $t->made('/training/jobs', 'job_id', json => {
        judge_id => $judge, training_type => $opt{type} // 'full_retrain',
        training_config => {},
        execution_options => { auto_deploy => JSON::PP::true } });
    status_is($t->post("/training-jobs/$id/execute", json => {}), 200,
              'a training is started');
    my $job = $t->job_ended($id);
    is($job->{status}, 'completed', 'the training completes');
    return ($judge, $job->{results});
}

# What the texts do not tell is no better than people's mean, however far that
# lies from the middle of the scale.

my ($none, $results) = learned(sub { 82 + $_[0] * 7919 % 11 });
ok(!$results->{deployment_ready},
   'scores by chance, about 87, are taken for no more than their mean')
    or diag(explain($results));
ok(!$results->{deployed},
   'what teaches no more than the mean is not deployed');

my $some;
($some, $results) = learned(sub { 90 - 10 * slips($_[0]) + $_[0] % 3 });
ok($results->{deployed},
   'what the texts tell is better than the mean and deployed')
    or diag(explain($results));
is($results->{deployment_reason}, q(it errs less than people's mean, by more)
   . ' than may be chance', 'the reason names what it was compared with');
$row = $t->evaluated($t->new_evaluation($some, $t->new_content(text(41))));
my ($score) = grep { $_->{name} eq 'Humour' } @{ $row->{criteria_scores} };
is($score->{judged_by}, 'corrections',
   'a criterion is judged by corrections that taught something of it');
ok(!exists $score->{raw_score},
   'a criterion judged by corrections has no score of the engine');
near_is($row->{coverage}, 1, 'the coverage is 1 where corrections judge, too');

subtest 'what is next to people\'s mean is not deployed' => sub {
    my @kind  = ('We are so sorry for the trouble',
                 'Thank you very much for your patience',
                 'We understand how annoying this is',
                 'Please let us make it right',
                 'We really appreciate your message');
    my @cold  = ('Your request was rejected',
                 'Read the manual before you write',
                 'This is not our problem', 'The matter is closed',
                 'We do not answer such mails');
    my @plain = ('Your order left us on Monday.', 'The kettle is broken.',
                 'It will be there on Friday.', 'The refund takes five days.',
                 'See the terms on our page.',
                 'Call the number on the label.');
    for my $shift (1, 5) {
        my ($judge, $results) = learned(
            sub { ($_[0] % 2 ? 80 : 20) + ($_[0] - 1) * 7 % 5 }, texts => 30,
            type => 'fine_tune', text => sub {
                my ($i) = @_;
                return ($i % 2 ? $kind[ $i * 2 % 5 ]
                               : $cold[ ($i * 2 + $shift) % 5 ])
                       . ". $plain[ $i * 5 % 6 ] $plain[ ($i + $shift) % 6 ]";
            });
        is($results->{deployment_reason}, "it predicts people's scores no"
           . ' better than their mean does', 'the reason is their mean');
        ok(!$results->{deployed},
           'a gain that is reliable and tiny deploys nothing');
    }
};

subtest 'few corrections teach beside what is judged' => sub {
    my ($judge, $results) = learned(
        sub { 90 - 10 * slips($_[0]) + $_[0] % 3 }, texts => 30,
        criteria => [ $criteria[0], { name => 'Length',
                                      description => 'At most 500 words.' } ]);
    ok($results->{deployed}, 'what 30 taught is deployed')
        or diag(explain($results));
    my $row = $t->evaluated($t->new_evaluation($judge,
                                               $t->new_content(text(41))));
    my ($score) = grep { $_->{name} eq 'Humour' }
                  @{ $row->{criteria_scores} };
    is_deeply([ @{ $score->{interval} }{qw(basis n)} ], ['corrections', 30],
              'the interval says how many corrections show it');
};

subtest 'evaluations that failed as nothing was judged teach' => sub {
    my ($alone, $results) = learned(sub { 90 - 10 * slips($_[0]) + $_[0] % 3 },
                                    criteria => [ $criteria[0] ],
                                    texts => 25);
    ok($results->{deployed}, 'what they taught is deployed')
        or diag(explain($results));
    my $row = $t->evaluated($t->new_evaluation($alone,
                                               $t->new_content(text(41))));
    is($row->{criteria_scores}[0]{judged_by}, 'corrections',
       'the only criterion is judged from then on');
};


# --- What is said of what was learned ----------------------------------------

sub evaluated {
    my ($judge, $text) = @_;
    my $e = $t->ended($t->new_evaluation($judge, $t->new_content($text)));
    return ($e, map { $_->{name} => $_ } @{ $e->{criteria_scores} // [] },
                                         @{ $e->{not_judged} });
}

# Who judges Humour, and why, as the judge has it.

sub stands {
    my ($judge) = @_;
    my ($c) = grep { $_->{name} eq 'Humour' }
              @{ $t->get("/judges/$judge")->json->{criteria} };
    return "$c->{judged_by}: $c->{judged_by_reason}";
}

sub changed {
    my ($judge, %change) = @_;
    my @kept = map {
        { name => $_->{name}, description => $_->{description},
          $_->{name} eq 'Humour' ? %change : () }
    } @criteria;
    status_is($t->put("/judges/$judge", json => { criteria => \@kept }), 200,
              'Humour is changed');
}

my $lacks   = 'No measurement of the text shows what it asks for.';
my $german  = 'Der Hund hat gestern im Garten einen alten Knochen gefunden,'
              . ' und wir haben alle darüber gelacht.';
my $nothing = "nothing: $lacks So far corrections taught too little; a check"
              . ' or a model can judge it.';

is(stands($none), $nothing,
   'the judge says of a training that corrections taught too little');
my %by;
($e, %by) = evaluated($none, text(42));
is("nothing: $by{Humour}{reason}", $nothing, 'a result says so, too');
(undef, %by) = evaluated($none, $german);
is($by{Humour}{reason}, 'Keine Messung des Textes zeigt, was es verlangt.'
   . ' Korrekturen lehrten zu wenig; eine Prüfung oder ein Modell kann es.',
   'a result says so in the language of the text');
changed($none, weight => 2);
is(stands($none), $nothing, 'another weight keeps what is known of it');
changed($none, description => 'It makes people laugh aloud.');
is(stands($none), "nothing: $lacks A check, a language model or 25 corrections"
   . ' can judge it.', 'of another description nothing is known');

my $learned = "corrections: The judge learned it from people's scores.";

is(stands($some), $learned,
   'a trained version says of itself what its results say');
is($t->get("/judges/$some")->json->{criteria}[1]{judged_by}, 'measures',
   'what nobody corrected is judged as before');
($e, %by) = evaluated($some, text(42));
like($by{Humour}{feedback}, qr/^People's scores of other texts give [\d.]+\./,
     'the feedback says what people\'s scores give');
like($by{Humour}{feedback},
     qr/\ Speaks\ (?:for|against)\ it:
        \ [a-z][^;:]*:\ -?[\d.]+(?:\ %)?\ \([-+]\d/x,
     'the feedback names what was measured in words, with its value');
my $why = $t->get("/evaluations/$e->{evaluation_id}/explanation")->json;
my ($humour_why) = grep { $_->{name} eq 'Humour' } @{ $why->{criteria} };
is_deeply([ map { "$_->{stage}: $_->{reason}" } @{ $humour_why->{stages} } ],
          [ map { "$_: The judge learned it from people's scores of 40"
                  . ' texts.' } qw(chosen learned) ],
          'the explanation says that people\'s scores judge it, and how many');
unlike($by{Grammar}{feedback}, qr/People|Training/,
       'training says nothing of a score that it left alone');
is_deeply($e->{review_reasons}, [],
          'a text in the language of those corrected needs no look');

($e, %by) = evaluated($some, text(43) . ' You are an idiot.');
is($by{Humour}{score}, 15, 'what was learned is capped');
like($by{Humour}{feedback},
     qr/^People's\ scores\ of\ other\ texts\ give\ [2-9]\d.*
     \ It\ insults\ people\.\ Such\ a\ text\ gets\ at\ most\ 15\.$/x,
     'the feedback on a score that is capped ends with the cap');

($e, %by) = evaluated($some, $german);
like($by{Humour}{feedback},
     qr/^Die\ Urteile\ von\ Menschen\ über\ andere\ Texte
     \ ergeben\ \d+,\d\.(?:\ Da(?:für|gegen)\ spricht:\ [^.]+\([-+].*)+$/x,
     'the feedback is in the language of the text');

# A score of what nothing is known about promises nothing.

for ([ 'in German',             $german ],
     [ 'in Japanese',           '昨日の夜、私たちは庭で古い骨を見つけた犬を見ました。' ],
     [ 'in no known language',  'asdf qwer zxcv' ])
{
    my ($name, $text) = @$_;
    ($e, %by) = evaluated($some, $text);
    ok($e->{needs_review}, "a text $name needs a look");
    is_deeply([ grep { $_ eq 'language_unsupported' }
                @{ $e->{review_reasons} } ], ['language_unsupported'],
              "nobody has corrected a text $name");
    for my $score ($e, $by{Humour}) {
        my $interval = $score->{interval};
        is($interval->{basis}, 'prior',
           "no corrections show how sure a score is of a text $name");
        ok(!exists $interval->{level}, "a text $name has no level");
        near_is($interval->{high},
                min(100, ($score->{score} // $score->{overall_score}) + 45),
                "nothing learned narrows the interval of a text $name");
    }
}

for my $text (" \n ", '42', '…') {
    ($e, %by) = evaluated($some, $text);
    for my $name (qw(Humour Grammar)) {
        is($by{$name}{score}, 0,
           "$name of '$text' is 0, whatever was learned");
        like($by{$name}{feedback}, qr/^The\ text\ (?:is\ empty|has\ no\ words)
             ;\ there\ is\ nothing\ to\ score\.$/x,
             "the feedback on $name of '$text' says why");
        ok(!exists $by{$name}{interval}{level},
           "no corrections show what people give '$text' for $name");
    }
    is($e->{overall_score}, 0, "the overall score of '$text' is 0");
}

changed($some, weight => 2);
is(stands($some), $learned, 'another weight keeps what was learned');
changed($some, description => 'It makes people laugh aloud.');
like(stands($some), qr/^nothing: .* 25 corrections/,
     'another description loses what was learned');

done_testing;
