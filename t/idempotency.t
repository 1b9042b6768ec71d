# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Idempotency-Key: what creates, creates once.

use Judge::Test;

my $t = Judge::Test->new(orgs => 2);
my $r;

sub judge_named {
    return { name => $_[0], description => 'x', content_type => 'text',
             criteria => [ { name => 'Grammar', description => 'x' } ] };
}

sub once { return (headers => [ 'Idempotency-Key' => $_[0] ]) }

sub judges { $t->sql1('select count(*) from judges') }

# --- Replayed -------------------------------------------------------------

my $first = $t->post('/judges', json => judge_named('One'), once('a'));
status_is($first, 201, 'a request with a new key is executed');
is($first->header('Idempotency-Replayed'), undef,
   'the first answer is not called a repeat');

for (1 .. 3) {
    $r = $t->post('/judges', json => judge_named('One'), once('a'));
    status_is($r, 201, 'a repeat has the status of the first answer');
    is($r->header('Idempotency-Replayed'), 'true', 'a repeat is called one');
    is($r->body, $first->body, 'a repeat has the body of the first answer');
    is($r->header('ETag'), '"1"', 'a repeat has the tag of the judge');
}

is($first->header('ETag'), '"1"', 'the first answer had the tag of the judge');
$r = $t->post('/v1/judges', json => judge_named('One'), once('a'));
status_is($r, 201, 'a repeat may use the path with /v1');
is($r->header('Idempotency-Replayed'), 'true',
   'a repeat with /v1 is called one');
is($r->body, $first->body,
   'a repeat with /v1 has the body of the first answer');

is(judges(), 1, 'repeats have made no second judge');

$r = $t->post('/judges', json => judge_named('One'), once('b'));
isnt($r->json->{judge_id}, $first->json->{judge_id},
     'another key makes another judge');
$r = $t->post('/judges', json => judge_named('One'));
isnt($r->json->{judge_id}, $first->json->{judge_id},
     'a request without a key makes another judge');

is($t->post('/judges', json => judge_named('One'), org => 1, once('a'))
     ->header('Idempotency-Replayed'), undef,
   'the keys of another organization are its own');

SKIP: {
    skip 'one process only', 2 if $t->single;
    $t->restart;
    $r = $t->post('/judges', json => judge_named('One'), once('a'));
    is($r->header('Idempotency-Replayed'), 'true',
       'a restart forgets nothing');
    is($r->body, $first->body, 'a repeat after a restart has the same body');
}

# --- With another body ----------------------------------------------------

my $before = judges();

error_is($t->post('/judges', json => judge_named('Two'), once('a')), 422,
         qr/^Idempotency-Key: /, 'a key with another body is refused');
error_is($t->post('/content', once('a'), json => {
             name => 'x', file_type => 'text', text_content => 'x' }),
         422, qr/^Idempotency-Key: /, 'a key with another path is refused');
error_is($t->post('/judges', once('a'), body => '{',
                  headers => [ 'Idempotency-Key' => 'a', 'Content-Type'
                               => 'application/json' ]), 400, qr/JSON/,
         'a key with a body that is no JSON is refused');
is(judges(), $before, 'a key that is used for something else makes nothing');

error_is($t->post('/judges?x=1', json => judge_named('One'), once('a')), 422,
         qr/^Idempotency-Key: /, 'a key with a query is refused');
is(judges(), $before, 'a key with another query makes nothing');

# The query of an import is part of what it is.

my $row    = $t->post('/judges', json => judge_named('Rows'))->json;
my $import = sub {
    return $t->post("/batches/import?judge_ids=$row->{judge_id}&$_[0]",
                    body => "content\nA text. It is one.\n",
                    headers => [ 'Idempotency-Key' => 'rows',
                                 'Content-Type' => 'text/csv' ]);
};
status_is($r = $import->('name=One'), 201, 'an import with a key is executed');
is($import->('name=One')->header('Idempotency-Replayed'),
   'true', 'a repeated import is called a repeat');
error_is($import->('name=Two'), 422,
         qr/^Idempotency-Key: /, 'a key with another query is refused');

# What was refused may be sent again, and right.

error_is($t->post('/judges', json => judge_named(''), once('later')), 400,
         undef, 'a request with an empty name is refused');
status_is($t->post('/judges', json => judge_named('Good'), once('later')),
          201, 'a refused request does not use up its key');

# --- The key --------------------------------------------------------------

error_is($t->post('/judges', json => judge_named('Long'), once('k' x 256)),
         400, qr/^Idempotency-Key: expected 1 to 255/,
         'a key of 256 characters is refused');
error_is($t->post('/judges', json => judge_named('Odd'), once("k\xff")), 400,
         qr/^Idempotency-Key: must be UTF-8/,
         'a key that is no UTF-8 is refused');
error_is($t->post('/judges', json => judge_named('Twice'), headers => [
             'Idempotency-Key' => 'x', 'Idempotency-Key' => 'y' ]), 400,
         qr/only once/, 'a request with two keys is refused');

# --- On everything that creates -------------------------------------------

my $judge = $first->json->{judge_id};

for ([ '/content', 'contents', { name => 'x', file_type => 'text',
                                 text_content => 'Some text. Yes.' } ],
     [ '/api-key/judges', 'judges', judge_named('Three') ],
     [ '/v1/judges', 'judges', judge_named('Four') ])
{
    my ($path, $table, $body) = @$_;
    my $n = $t->sql1("select count(*) from $table");
    my @r = map { $t->post($path, json => $body, once("on $path")) } 1, 2;
    is($r[1]->header('ETag'), $r[0]->header('ETag'),
       "the repeat of POST $path has the same tag");
    is($r[0]->body, $r[1]->body, "the repeat of POST $path has the same body");
    is($r[1]->header('Idempotency-Replayed'), 'true',
       "the repeat of POST $path is called one");
    is($t->sql1("select count(*) from $table"), $n + 1,
       "POST $path and its repeat make one row");
}

my $content = $t->new_content('Some text. It has an end.');
my %pair    = (json => { judge_id => $judge, content_id => $content });
my @e = map { $t->post('/evaluations/single', %pair, once('e')) } 1, 2;
is($e[1]->body, $e[0]->body, 'an evaluation is replayed as it was');

my $waited = $t->post('/evaluations/single', %pair, headers => [
    'Idempotency-Key' => 'w', Prefer => 'wait=30' ]);
is($waited->json->{status}, 'completed', 'an evaluation with a key has ended');
is_deeply([ map {; $_->header('Idempotency-Replayed'),
                  $_->header('Preference-Applied'), @{ $_->json }{qw(id status
                  overall_score)} }
            map { $t->post('/evaluations/single', %pair, headers => [
                'Idempotency-Key' => $_, Prefer => 'wait=30' ]) } qw(w e) ],
          [ map {; 'true', 'wait=30', $_, 'completed',
                  $waited->json->{overall_score} }
            $waited->json->{id}, $e[0]->json->{id} ],
          'a repeat that waits is given the result');
$r = $t->post('/evaluations/single', %pair, once('w'));
is($r->json->{evaluation_id}, $waited->json->{evaluation_id},
   'an evaluation that was waited for is not made again');
is($t->sql1("select count(*) from evaluations where judge_id = '$judge'"),
   2, 'two keys have made two evaluations');

my @compared = map { $t->post('/comparisons', json => {
    judge_id => $judge, candidates => [
        map { +{ id => "c$_", text_content => "Text $_. An end." } } 1, 2
    ] }, headers => [ 'Idempotency-Key' => 'c', Prefer => $_ ])
} 'x', 'wait=30', 'wait=30';
is_deeply([ map { join ' ', $_->status, map { $_ // '' }
                  @{ $_->json }{qw(id status)},
                  $_->header('Idempotency-Replayed') } @compared ],
          [ map {; '201 ' . $compared[0]->json->{id} . " $_" } 'processing ',
            ('completed true') x 2 ],
          'a repeated comparison that waits is given the result');

# A key is shown once; the repeat tells what was made and not the key.

my %key = (json => { name => 'k', permissions => [ 'judges:read' ] });
my @k = map { $t->post('/api-keys', %key, once('key')) } 1, 2;
ok(exists $k[0]->json->{api_key}, 'a new API key is shown');
ok(!exists $k[1]->json->{api_key}, 'the repeat does not show the new API key');
is($k[1]->json->{api_key_id}, $k[0]->json->{api_key_id},
   'the repeat tells the identifier of the API key');
is($t->sql1("select count(*) from idempotency where body like '%"
            . $k[0]->json->{api_key} . "%'"), 0,
            'the store does not keep the API key in the answer');

# What is deleted afterwards is not given out again, nor kept in the answer.

for (
    [ '/content', { name => 'Ann Zmuster', file_type => 'text',
                    text_content => 'Ann Zmuster is ill.',
                    metadata => { patient => 'Ann Zmuster' } } ],
    [ '/people', { name => 'Ann Zmuster', role => 'viewer',
                   address => 'zmuster@example.com' } ])
{
    my ($path, $body) = @$_;
    my ($made, $again) = map { $t->post($path, json => $body, once("z $path"))
                         } 1, 2;
    my %made = %{ $made->json };
    delete $made{api_key};
    is_deeply($again->json, \%made,
              "the repeat of POST $path shows what was made");
    is($again->header('Location'), $made->header('Location'),
       "the repeat of POST $path has the same Location");
    is($t->sql1("select count(*) from idempotency"
                . " where lower(body) like '%zmuster%'"), 0,
       "the answer that is kept of POST $path has no text and no name");
    status_is($t->delete("$path/$made{id}"), 204,
              "what POST $path has made is deleted");
    error_is($t->post($path, json => $body, once("z $path")), 404,
             qr/has been (?:deleted|removed)/,
             "a repeat of POST $path says that it has been deleted");
}

# --- At the same time -----------------------------------------------------

# Of many at once one creates; the others get its answer or are told to wait.

my @clients = map { $t->connect } 1 .. 16;
$_->send($t->bytes(POST => '/judges', json => judge_named('Race'),
                   once('race'))) for @clients;

my %status;
my %ids;

for my $client (@clients) {
    my $answer = $client->response;
    $status{ $answer->status }++;
    $ids{ $answer->json->{judge_id} }++ if $answer->status == 201;
    $client->close;
}

is(join(' ', grep { $_ != 201 && $_ != 409 } keys %status), '',
   'equal requests at once are answered with 201 or 409');
is(scalar keys %ids, 1, 'equal requests at once are given the same judge');
is($t->sql1("select count(*) from judge_versions where name = 'Race'"), 1,
   'equal requests at once make one judge');

# --- For a day ------------------------------------------------------------

# The old ones are swept away once a minute, and when a worker begins.

$t->alter('update idempotency set created_at = created_at - 25 * 3600000'
          . " where key = 'a'");
$t->restart;
$t->wait_until(sub {
    !$t->sql1("select count(*) from idempotency where key = 'a'"
              . ' and created_at < (select max(created_at) - 1000'
              . ' from idempotency)') }, 'the sweep');
$r = $t->post('/judges', json => judge_named('One'), once('a'));
status_is($r, 201, 'a key is executed again after a day');
is($r->header('Idempotency-Replayed'), undef, 'a key is free after a day');
$r = $t->post('/judges', json => judge_named('Four'), once('on /v1/judges'));
is($r->header('Idempotency-Replayed'), 'true', 'a younger key is not free');

done_testing;
