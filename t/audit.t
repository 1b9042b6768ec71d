# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Who changed what: what is noted and what is not, that it belongs to its
# change, and how it is read.

use JSON::PP qw(decode_json);

use Judge::Docs;
use Judge::Test;

my $t = Judge::Test->new(orgs => 2, workers => 2);
my $r;

sub entries {
    my ($query, %opt) = @_;
    my $r = $t->get('/audit' . ($query // ''), %opt);
    status_is($r, 200, 'the audit is read' . ($query ? ": $query" : ''));
    return @{ $r->json->{entries} };
}

is_deeply([ entries() ], [], 'the audit is empty before anything was changed');

# --- What is noted ----------------------------------------------------------

my $ann = $t->post('/people', json => { name => 'Ann', role => 'owner',
                                        address => 'ann@example.com' })->json;
my ($made) = entries();
like($made->{entry_id}, qr/^aud_[0-9A-HJKMNP-TV-Z]{26}$/,
     'an entry has an identifier');
time_is($made->{at}, 'an entry has a time');
is_deeply([ @$made{qw(changed_by action object)} ],
          [ $t->org->{key_id}, 'POST /people', $ann->{person_id} ],
          'an entry says which key made a person');
ok(!exists $made->{changed_by_person},
   "an entry names no person where the key is nobody's");
is_deeply([ sort @{ $made->{fields} } ], [ qw(address name role) ],
          'an entry names the fields that were given');
is_deeply($made->{values}, { name => 'Ann', role => 'owner' },
          'an entry has values that are no secrets and no addresses');

my @ann = (key => $ann->{api_key});
my $judge = $t->made('/judges', 'judge_id', @ann, json => {
    name => 'Letters', content_type => 'text', description => 'Secret prose.',
    criteria => [ { name => 'Clarity', description => 'Clear.' } ] });
($made) = entries();
is_deeply([ @$made{qw(changed_by changed_by_person action object)} ],
          [ $ann->{api_key_id}, $ann->{person_id}, 'POST /judges', $judge ],
          'an entry names the person whose key made a judge');
is_deeply($made->{values}, { name => 'Letters', content_type => 'text' },
          'an entry has no prose of a judge');

$r = $t->post('/api-keys', @ann, json => { name => 'reader',
    permissions => [ 'judges:read' ] })->json;
($made) = entries();
is_deeply([ @$made{qw(action object values)} ],
          [ 'POST /api-keys', $r->{api_key_id},
            { name => 'reader', permissions => [ 'judges:read' ] } ],
          'an entry says which permissions a key was given');

my $hook = 'https://hooks.example.com/Token9';
$t->put('/config/webhooks', @ann, json => { url => $hook,
                                            enabled => JSON::PP::false });
($made) = entries();
is_deeply([ @$made{qw(action object values)} ],
          [ 'PUT /config/webhooks', '/config/webhooks',
            { enabled => JSON::PP::false } ],
          'an entry has settings without their address');
my $rotated = $t->post('/config/webhooks/rotate-secret', @ann);
is((entries())[0]{action}, 'POST /config/webhooks/rotate-secret',
   'a new secret is noted') or diag($rotated->body);

my $before = () = entries();
for ([ PUT => "/judges/$judge", { name => 'Other', wHo => 1, 'x/y' => 2 },
       'PUT /judges/{judge_id}', $judge, [ 'name' ] ],
     [ PATCH => "/api-keys/$r->{api_key_id}", { status => 'suspended' },
       'PATCH /api-keys/{api_key_id}', $r->{api_key_id}, [ 'status' ] ],
     [ DELETE => "/api-keys/$r->{api_key_id}", undef,
       'DELETE /api-keys/{api_key_id}', $r->{api_key_id}, undef ],
     [ DELETE => "/judges/$judge", undef, 'DELETE /judges/{judge_id}', $judge,
       undef ])
{
    my ($method, $path, $body, $action, $object, $fields) = @$_;
    my $s = $t->request($method, $path, @ann, $body ? (json => $body) : ());
    cmp_ok($s->status, '<', 300, "$action is done") or diag($s->body);
    ($made) = entries();
    is_deeply([ @$made{qw(action object fields)} ],
              [ $action, $object, $fields ], "$action is noted");
}

my $text = $t->new_content('The club meets in the old school.');
is((() = entries()), $before + 4, 'a content that is made is not noted');
status_is($t->delete("/content/$text"), 204,
          'a content is deleted before the audit is read');
is((entries())[0]{action}, 'DELETE /content/{content_id}',
   'a content that is deleted is noted');

# --- It belongs to its change -----------------------------------------------

my @all = entries('?limit=200');
error_is($t->delete("/people/$ann->{person_id}"), 409, qr/last owner/,
         'the last owner is not deleted');
status_is($t->delete("/judges/$judge"), 404,
          'a judge that is gone is not deleted');
status_is($t->post('/judges', json => { name => 1 }), 400,
          'a wrong judge is not made');
is_deeply([ entries('?limit=200') ], \@all, 'what is refused is not noted');

my @once = (headers => [ 'Idempotency-Key' => 'k1' ], json => {
    name => 'Once', role => 'viewer', address => 'once@example.com' });
status_is($t->post('/people', @once), 201,
          'a request with its key is answered again')  for 1, 2;
is((() = entries('?limit=200')), @all + 1, 'a repeated request is noted once');

my $body = $t->get('/audit?limit=200')->body;
unlike($body, qr/\Q$_\E/, "the audit has no secret: $_")
    for 'Token9', 'Secret prose', $ann->{api_key}, $t->key, 'jdgk_', 'whsec';
unlike(join(' ', $t->column("select coalesce(given, '') ||"
                            . " coalesce(fields, '') as v from audit")),
       qr/wHo|x.y/,
       'the audit has no member that is not known');

# --- How it is read ---------------------------------------------------------

@all = entries('?limit=200');
my (@paged, $cursor);
do {
    my $page = $t->get('/audit?limit=3' . ($cursor ? "&cursor=$cursor" : ''))
                 ->json;
    push @paged, @{ $page->{entries} };
    $cursor = $page->{next_cursor};
} while ($cursor);
is_deeply(\@paged, \@all, 'pages have each entry of the audit');

$r = $t->get('/audit/export');
status_is($r, 200, 'the audit is exported');
is($r->header('Content-Type'), 'application/x-ndjson',
   'an export is lines of JSON');
is_deeply([ map { decode_json($_) } split /\n/, $r->body ], \@all,
          'an export has the entries of the pages');

sub some { return map { $_->{entry_id} } @_ }

for ([ "person=$ann->{person_id}",
       sub { ($_->{changed_by_person} // '') eq $ann->{person_id} } ],
     [ 'key=' . $t->org->{key_id},
       sub { $_->{changed_by} eq $t->org->{key_id} } ],
     [ "object=$judge", sub { $_->{object} eq $judge } ],
     [ 'object=/config/webhooks',
       sub { $_->{object} eq '/config/webhooks' } ],
     [ "to=$all[1]{at}", sub { $_->{at} lt $all[1]{at} } ],
     [ "from=$all[1]{at}", sub { $_->{at} ge $all[1]{at} } ],
     [ 'object=jdg_none', sub { 0 } ])
{
    my ($query, $is) = @$_;
    is_deeply([ some(entries("?limit=200&$query")) ],
              [ some(grep { $is->() } @all) ], "entries are chosen by $query");
    is_deeply([ some(map { decode_json($_) } split /\n/,
                     $t->get("/audit/export?$query")->body) ],
              [ some(grep { $is->() } @all) ],
              "exported entries are chosen by $query");
}
error_is($t->get("/audit?from=$all[0]{at}&to=$all[-1]{at}"), 400,
         qr/^from: expected a time before "to"$/,
         'a time that ends before it begins is refused');
error_is($t->get('/audit?from=x'), 400, qr/^from: /,
         'a time that is none is refused');

is_deeply([ entries('', org => 1) ], [],
          'another organization sees none of the entries');
is($t->get('/audit/export', org => 1)->body, '',
   'another organization exports none of the entries');
permission_is($t, 'audit:read', GET => '/audit');
permission_is($t, 'audit:read', GET => '/audit/export');
status_is($t->request($_, '/audit', described => 0), 405,
          "$_ does not change the audit") for qw(POST PUT PATCH DELETE);

# More than one piece of a stream.

my $c = $t->connect;
for my $n (1 .. 510) {
    $c->send($t->bytes(PUT => '/config/webhooks', org => 1, keepalive => 1,
                       json => { enabled => \0 }));
    $c->response;
}
$c->close;
my @lines = map { decode_json($_) }
            split /\n/, $t->get('/audit/export', org => 1)->body;
is(scalar @lines, 510, 'an export of 510 entries has them all');
is_deeply([ some(@lines) ], [ reverse sort { $a cmp $b } some(@lines) ],
          'an export has the newest first');

my ($shown) = Judge::Docs->blocks('docs/people.md', 'Who changed what', 'sh',
                                  1);
is(Judge::Docs->works($t, 'docs/people.md',
                      "cd $t->{dir}; $shown wc -l < audit.jsonl") + 0,
   scalar @all, 'the commands of docs/people.md export all entries');

done_testing;
