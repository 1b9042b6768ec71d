# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Contents: made from texts, read, listed, deleted.

use Encode ();

use Judge::Test;

my $t = Judge::Test->new(orgs => 2);
my $r;

sub content_with {
    return { name => 'A text', file_type => 'text', text_content => 'Some.',
             @_ };
}

# --- Made and read --------------------------------------------------------

for my $path (qw(/content /v1/content)) {
    $r = $t->post($path, json => content_with());
    status_is($r, 201, "POST $path makes a content");
    status_is($t->get("$path/" . $r->json->{id}), 200,
              "GET $path finds it");
}

# Keys are no Authorization, so that caches on the way have to be told.

is_deeply([ map { $t->get(@$_)->header('Cache-Control') } ['/content'],
            ['/people'], ['/content/cnt_x'],
            ['/judges/' . $t->new_judge ], ['/healthz', key => undef ] ],
          [ ('no-store') x 3, 'private, no-cache', undef ],
          'caches on the way keep nothing of an organization');

my $text = "Gr\x{fc}\x{df}e, \"\\\x{4e2d}\x{6587}\"\r\n\t\x{1f600} \x{2028}.";
my $id   = $t->new_content($text, description => 'Of several scripts.',
                           metadata => { b => [ 1, 2.5, undef, { } ],
                                         a => "\x{e4}" });
my $c    = $t->get("/content/$id")->json;

like($id, qr/^cnt_[0-9A-HJKMNP-TV-Z]{26}$/,
     'the identifier of a content has its form');
is_deeply({ %$c, created_at => undef }, {
    id => $id, content_id => $id, name => 'A text',
    description => 'Of several scripts.',
    file_type => 'text', status => 'ready', text_content => $text,
    size => length Encode::encode('UTF-8', $text), created_at => undef,
    metadata => { b => [ 1, 2.5, undef, {} ], a => "\x{e4}" },
}, 'a content is read as it was made, to the last character');
time_is($c->{created_at}, 'created_at is a time');
ok(!exists $c->{$_}, "a text has no $_") for qw(file_path file_url);

$c = $t->get('/content/' . $t->new_content('x'))->json;
ok(!exists $c->{$_}, "a content has no $_ unless given")
    for qw(description metadata);

$r = $t->post('/content', headers => [ 'Content-Type' => 'application/json' ],
              body => '{"name":"a","file_type":"text",'
                      . '"text_content":"\u00e4\ud83d\ude00\/\b"}');
is($r->json->{text_content}, "\x{e4}\x{1f600}/\b",
   'escapes in JSON are resolved');

status_is($t->post('/content', json => content_with(), headers => [
              'Content-Type' => 'Application/x+JSON; charset=utf-8' ]),
          201, 'another type of JSON is taken');

# --- The bounds -----------------------------------------------------------

# Of each kind one: t/api/t_contents.c has them all.

status_is($t->post('/content', json => content_with(
              text_content => 'x' x 1048576)), 201,
          'a text of exactly 1 MiB is taken');

my $before = $t->sql1('select count(*) from contents');

for ([ { name => '' }, qr/^name: expected a non-empty string of at most 255/ ],
     [ { name => undef }, qr/^name: required/ ],
     [ { file_type => 'smell' },
       qr/^file_type: expected one of text, video, audio, image$/ ],
     [ { text_content => 'x' x 1048577 },
       qr/^text_content: expected at most 1048576 bytes$/ ],
     [ { text_content => "a\0b" }, qr/^text_content: .*U\+0000/ ],
     [ { metadata => { a => 'x' x 2097152 } }, qr/^metadata: / ])
{
    my ($fields, $says) = @$_;
    error_is($t->post('/content', json => content_with(%$fields)), 400,
             $says, "a content is refused: $says");
}

is($t->sql1('select count(*) from contents'), $before,
   'a refused content is not stored');

my $small = Judge::Test->new(store => 'max_text=1k');
status_is($small->post('/content', json => content_with(
              text_content => 'x' x 1024)), 201, 'max_text bounds a text');
error_is($small->post('/content', json => content_with(
             text_content => 'x' x 1025)), 400, qr/at most 1024 bytes/,
         'a text beyond max_text is refused');

# --- Listed ---------------------------------------------------------------

my @mine = map { $t->new_content("Text $_", org => 1, name => "C$_") } 1 .. 7;
my @newest = reverse sort @mine;

lists_like($t, '/content', 'contents', \@newest,
           'contents are listed with the newest first', org => 1);
lists_like($t, '/v1/content?limit=2', 'contents', \@newest,
           'each content is listed once in pages of two', org => 1);
lists_like($t, '/content?file_type=text&limit=6', 'contents', \@newest,
           'contents are listed by file_type', org => 1);
lists_like($t, '/content?file_type=audio', 'contents', [],
           'a type that no content has lists nothing', org => 1);
lists_like($t, '/content?status=ready', 'contents', \@newest,
           'contents are listed by status', org => 1);

$t->alter("update contents set status = 'error',"
          . " metadata = '{\"error\":\"broken\"}' where id = '$mine[2]'");
lists_like($t, '/content?status=error', 'contents', [ $mine[2] ],
           'status=error lists what is in error', org => 1);
lists_like($t, '/content?status=ready&limit=1', 'contents',
           [ grep { $_ ne $mine[2] } @newest ],
           'status=ready leaves out what is in error', org => 1);

my $entry = $t->get('/content', org => 1)->json->{contents}[0];
is($entry->{size}, 6, 'an entry of the list has the size');
ok(!exists $entry->{text_content},
   'an entry of the list has no text, which may be long');

my %seen;
my @pages = $t->pages('/content?limit=2', 'contents', org => 1, each => sub {
    $t->new_content('More.', org => 1);
});
$seen{ $_->{id} }++ for map { @$_ } @pages;
is(join(' ', sort keys %seen), join(' ', sort @mine),
   'a list that is read meanwhile has what was there');

# What is deleted meanwhile does not disturb it either.

my ($first) = $t->get('/content?limit=3', org => 1)->json;
my $last    = $first->{contents}[2]{id};
$t->delete("/content/$last", org => 1);
$r = $t->get("/content?limit=3&cursor=$first->{next_cursor}", org => 1);
status_is($r, 200, 'the cursor of a deleted record holds');
ok($r->json->{contents}[0]{id} lt $last,
   'a list goes on behind a deleted record');

error_is($t->get("/content?$_"), 400, qr/^\w+: expected/, "?$_ is refused")
    for 'file_type=smell', 'status=gone';

# --- Of another organization ----------------------------------------------

my $none = 'cnt_' . '0' x 26;

for my $x ($mine[0], $none, 'cnt_x', 'x', "jdg_" . '0' x 26) {
    error_is($t->get("/content/$x"), 404, qr/no such content/,
             "GET finds no content $x");
    error_is($t->delete("/content/$x"), 404, qr/no such content/,
             "DELETE finds no content $x");
}

status_is($t->get("/content/$mine[0]", org => 1), 200,
          'a content lives although others tried to delete it');

# --- Deleted --------------------------------------------------------------

my $judge  = $t->new_judge;
my $doomed = $t->new_content('A text that will go. It is short.');
my @evaluations = map { $t->new_evaluation($judge, $doomed) } 1 .. 3;
my $kept   = $t->new_evaluation($judge,
    $t->new_content('A text that stays. It is short.'));

$t->evaluated($_) for @evaluations, $kept;

$r = $t->delete("/content/$doomed");
status_is($r, 204, 'a content is deleted');
is($r->body, '', 'the answer to DELETE has no body');
error_is($t->delete("/content/$doomed"), 404, undef,
         'a content is deleted once only');
error_is($t->get("/content/$doomed"), 404, undef,
         'a deleted content is gone');
error_is($t->get("/evaluations/$_"), 404, undef,
         'evaluations are deleted with their content') for @evaluations;
error_is($t->post('/evaluations/single',
                  json => { judge_id => $judge, content_id => $doomed }),
         404, qr/^content_id: /, 'a deleted content is not evaluated');
status_is($t->get("/evaluations/$kept"), 200,
          'evaluations of other contents stay');
is($t->sql1("select count(*) from evaluations where content_id = '$doomed'"),
   0, 'no evaluation of a deleted content is left');

# Where nobody works on them, evaluations under way are cancelled as well.

my $idle    = Judge::Test->new(store => 'evaluate=off');
my $held    = $idle->new_judge;
my $waiting = $idle->new_content('Waits.');
my $pending = $idle->new_evaluation($held, $waiting);

is($idle->get("/evaluations/$pending")->json->{status}, 'processing',
   'an evaluation is under way');
status_is($idle->delete("/content/$waiting"), 204,
          'the content of an evaluation under way can be deleted');
error_is($idle->get("/evaluations/$pending"), 404, undef,
         'an evaluation under way is cancelled with its content');
status_is($idle->delete("/judges/$held"), 204,
          'a judge is free when its last evaluation is cancelled');

# --- Permissions ----------------------------------------------------------

permission_is($t, 'content:read', GET => '/content');
permission_is($t, 'content:read', GET => "/content/$id");
permission_is($t, 'content:write', POST => '/content', json => content_with());
permission_is($t, 'content:write', DELETE => "/content/$none");

done_testing;
