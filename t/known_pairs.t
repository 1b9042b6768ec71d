# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Workers remember judges and contents that fit each other; what is changed by
# any of them holds for the next evaluation that any other one makes.

use Judge::Test;

plan skip_all => 'one process only' if Judge::Nginx->single;

my $t = Judge::Test->new(
    workers => 4,
    orgs    => 2,
    store   => 'evaluate=off',
    server  => 'location /m { internal; judge_model main; proxy_pass'
               . ' http://127.0.0.1:9; }',
);

my $judge   = $t->new_judge;
my $content = $t->new_content('A text that is judged again and again.');

# Each request is a connection of its own, and finds any of the workers.

sub create {
    my (%opt) = @_;
    return $t->post('/evaluations/single', %{ $opt{with} // {} }, json => {
        judge_id => $judge,
        $opt{text} ? (text_content => $opt{text}) : (content_id => $content),
    });
}

sub made {
    my ($column, %opt) = @_;
    my @ids = map { create(%opt)->json->{evaluation_id} // 'none' } 1 .. 8;
    my $in  = join ', ', map { "'$_'" } @ids;

    my @of  = map { $_ // '-' } $t->column(
        "SELECT $column AS v FROM evaluations WHERE id IN ($in)");

    return join(',', sort keys %{ { map { $_ => 1 } @of } }) . ' of ' . @of;
}

my %wrong;

for my $version (2 .. 25) {
    my $r = $t->put("/judges/$judge", json => {
        criteria => [{ name => "Criterion $version",
                       description => 'It is well said.' }] });
    my @got = (made('judge_version'),
               made('judge_version', text => 'Made with it.'));
    $wrong{$version} = "@got" if "@got" ne "$version of 8 $version of 8";
}

is_deeply(\%wrong, {}, 'a judge that was changed: its version is judged by');

is(made('model'), '- of 8', 'nobody has asked for a model');
status_is($t->put('/config/llm', json => { default_model => 'main' }), 200,
          'the organization asks for one');
is(made('model'), 'main of 8', 'each evaluation goes to it');
$t->put('/config/llm', json => { default_model => 'builtin' });
is(made('model'), '- of 8', 'and no longer');

error_is(create(with => { key => $t->key(1) }), 404,
         'judge_id: there is no such judge', 'not for another organization');

status_is($t->delete("/content/$content"), 204, 'the content is deleted');
error_is($_, 404, 'content_id: there is no such content', 'gone for all')
    for map { create() } 1 .. 8;

done_testing;
