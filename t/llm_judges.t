# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Judges that name the model and the samples they want to be judged by: the
# request goes before them, and what the organization has set behind them.

use Judge::Test;
use Judge::OpenAI;

my %server = map { $_ => Judge::OpenAI->start } qw(one two shows);
my %more   = (shows => 'images=on');

my $t = Judge::Test->new(
    server => join('', map { $server{$_}->location($_, $more{$_}) }
                      sort keys %server),
);
my $r;

my $content = $t->new_content('A text about whales, and why they sing.');

sub judge {
    return $t->post('/judges', json => {
        name => 'J', description => 'x', content_type => 'text',
        criteria => [ { name => 'Grammar', description => 'Correct grammar.' },
                      { name => 'Wit', description => 'x' } ], @_ });
}

sub judged {
    my ($judge, %more) = @_;
    my $e = $t->evaluated($t->post('/evaluations/single', json => {
        judge_id => $judge, content_id => $content,
        cache => JSON::PP::false, %more })->json->{evaluation_id});
    return join ' ', ($e->{provenance}{model} // $e->{engine}) =~ s{/.*}{}r,
                     $e->{provenance}{samples} // 1;
}

# --- Made -------------------------------------------------------------------

$r = judge(model => 'one', samples => 3);
status_is($r, 201, 'a judge with a model and samples is made');
my $one = $r->json->{judge_id};
is($r->json->{model}, 'one', 'the answer has the model of the judge');
is($r->json->{samples}, 3, 'the answer has the samples of the judge');
is($t->get("/judges/$one")->json->{model}, 'one',
   'the judge shows its model later, too');
is($t->get('/judges')->json->{judges}[0]{samples}, 3,
   'the list shows the samples of the judge');
my ($version) = @{ $t->get("/judges/$one/versions")->json->{versions} };
is("$version->{model} $version->{samples}", 'one 3',
   'the version has the model and the samples');

my $plain = judge()->json;
ok(!exists $plain->{$_},
   "a judge without $_ shows none") for qw(model samples);
$plain = $plain->{judge_id};
ok(!exists judge(model => '')->json->{model},
   'a judge whose model is an empty name shows none');

error_is(judge(model => 'three'), 400,
         qr/^model: expected one of builtin, .*one/,
         'a model that does not exist is refused');
error_is(judge(model => 'one', content_type => 'image'), 400,
         qr/^model: this one can't judge content of the type image/,
         "a judge for images can't name a model that sees none");
status_is(judge(model => 'shows', content_type => 'image'), 201,
          'a judge for images can name a model that sees them');
status_is(judge(model => 'builtin'), 201,
          'a judge can name the built-in engine');
error_is(judge(samples => $_), 400, qr/^samples: /, "samples: $_ is refused")
    for 0, 11, 1.5, 'x';
error_is(judge(model => $_), 400, qr/^model: /,
         'what is no name of a model is refused')
    for 7, 'x' x 101;

# --- Who decides ------------------------------------------------------------

is(judged($plain), 'builtin 1',
   'the built-in engine judges where nobody names a model');
is(judged($one), 'one 3', 'the model and the samples of the judge are used');
is(judged($one, model => 'two'), 'two 3',
   'the model of the request goes before that of the judge');
is(judged($one, samples => 1), 'one 1',
   'the samples of the request go before those of the judge');
is(judged($one, model => 'builtin'), 'builtin 1',
   "the built-in engine of the request goes before the judge's model");

$t->put('/config/llm', json => { default_model => 'two' });
is(judged($plain), 'two 1',
   "the organization's model is used where the judge names none");
is(judged($one), 'one 3',
   'the model of the judge goes before that of the organization');
my $builtin = judge(model => 'builtin')->json->{judge_id};
is(judged($builtin), 'builtin 1',
   "the built-in engine of the judge goes before the organization's model");
my $many = judge(samples => 2)->json->{judge_id};
is(judged($many), 'two 2', 'a judge may name samples alone');

# --- Batches ----------------------------------------------------------------

sub judged_by {
    my ($judges, %more) = @_;
    my $id = $t->judged_batch($judges, [ { content_id => $content } ], %more);
    return join ', ', sort map { ($_->{provenance}{model} // $_->{engine})
                                 =~ s{/.*}{}r } $t->batch_results($id);
}

is(judged_by([$one]), 'one', 'a batch is judged by the model of its judge');
my $same = judge(model => 'one', samples => 3)->json->{judge_id};
is(judged_by([ $one, $same ]), 'one, one',
   'two judges of a batch may want the same model');
is(judged_by([ $one, $plain, $builtin ]), 'builtin, one, two',
   'each judge of a batch is judged by its own model');
is(judged_by([ $plain, $many ]), 'two, two',
   'two judges of a batch share a model with different samples');
is(join(' ', $t->column('select coalesce(samples, 1) as v from evaluations
                         where batch_id = (select max(id) from batches)
                         order by 1')), '1 2',
   'each judge of a batch has its own samples');
is(judged_by([ $one, $plain ], model => 'two', samples => 1), 'two, two',
   'the model of the batch goes before those of its judges');

# --- Changed ----------------------------------------------------------------

$r = $t->put("/judges/$one", json => { model => 'two' });
is($r->json->{version_number}, 2, 'another model makes another version');
like($t->get("/judges/$one/versions")->json->{versions}[0]{changes_summary},
     qr/^changed the model from "one" to "two"$/,
     'the summary of the version names both models');
is(judged($one), 'two 3', 'the new version is judged by the new model');
is($t->get("/judges/$one?version=1")->json->{model}, 'one',
   'the former version keeps its model');
$t->put("/judges/$one", json => { name => 'Renamed' });
is($t->get("/judges/$one")->json->{model}, 'two',
   'an update that leaves the model out keeps it');
$r = $t->put("/judges/$one", json => { samples => 2 });
like($t->get("/judges/$one/versions")->json->{versions}[0]{changes_summary},
     qr/^changed the samples to 2$/,
     'the summary of a version names the new samples');
$t->put("/judges/$one", json => { model => '' });
ok(!exists $t->get("/judges/$one")->json->{model},
   'an empty name takes the model out of the judge');
$t->put('/config/llm', json => { default_model => 'builtin' });
is(judged($one), 'builtin 1',
   "a judge without a model is judged by the organization's again");
error_is($t->put("/judges/$one", json => { model => 'three' }), 400,
         qr/^model: expected one of/,
         'an update to a model that does not exist is refused');
status_is($t->post("/judges/$one/versions/1/activate"), 200,
          'version 1 becomes active again');
is(judged($one), 'one 3', 'version 1 has its model and its samples again');

# --- Long texts --------------------------------------------------------------

# 32 are loaded together, but 8 MB at most: the others are loaded next.

my $long = 'A text about whales, and why they sing. ' x 7500;
my $b = $t->new_batch($one, [ map { "$_ $long" } 1 .. 32 ]);
is($t->batch_ended($b)->{completed_evaluations}, 32,
   'all 32 texts of 300 KB are judged');


# --- Gone from nginx.conf ---------------------------------------------------

SKIP: {
    skip 'one process only', 3 if $t->single;
    my $asked = $t->new_model_judge(model => 'one');
    $t->conf(server => $server{two}->location('two'));
    $t->restart;

    my $e = $t->ended($t->post('/evaluations/single', json => {
        judge_id => $asked, content_id => $content })->json->{evaluation_id});
    is("$e->{status} $e->{error}{code}", 'failed MODEL_UNKNOWN',
       'an evaluation fails whose judge names a model that is gone');
    $t->put('/config/llm', json => { fallback_models => ['two'] });
    $e = $t->evaluated($t->post('/evaluations/single', json => {
        judge_id => $one, content_id => $content })->json->{evaluation_id});
    is($e->{status}, 'completed',
       'an evaluation completes by a fallback where the model is gone');
    is(scalar(grep { $_->{json}{model} eq 'two' } $server{two}->requests) > 0,
       1, 'the fallback for a model that is gone is asked');
}

done_testing;
