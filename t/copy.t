# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# All of a store in PostgreSQL, and from there back in a directory: what is
# asked of each is answered as it was.

use JSON::PP ();

use Judge::Postgresql;
use Judge::Test;

my $t    = Judge::Test->new(orgs => 2);
my $tool = $t->repo . '/build/judge';
my $pg   = Judge::Postgresql->running ? Judge::Postgresql->shared
                                      : Judge::Postgresql->start;
my $far  = $pg->database;
my $near = $t->dir . '/back';

chmod 0777, $t->dir;
mkdir $near;
chown +(getpwnam 'www-data')[2, 3], $near if $> == 0;

my $judge = $t->new_judge;
my $batch = $t->new_batch($judge, [ map {
    { name => "T$_", text_content => "Text $_. \x{2713}",
      metadata => { n => $_ } } } 1 .. 40 ]);
$t->batch_completed($batch);

my $content    = $t->new_content('Somebody wrote this down, at length.');
my $evaluation = $t->evaluated($t->new_evaluation($judge, $content));
my $foreign    = $t->new_judge(org => 1);

my @asked = ("/judges/$judge", "/contents/$content",
             "/evaluations/$evaluation->{evaluation_id}",
             "/batches/$batch", "/batches/$batch/results?limit=50",
             '/evaluations?limit=50', '/judges');

sub answers { join "\n", map { $t->get($_)->body } @asked }

sub copy {
    my (@args) = @_;
    my ($status, $out) = $t->run($tool, 'copy', @args);
    return ($status, $out);
}

sub on {
    my ($store) = @_;
    $t->quit if $t->pid;
    $t->{store} = $store;
    $t->conf;
    $t->start;
}

my $first  = $t->store;
my $before = answers();
$t->quit;
mkdir "$first/files";
open my $uploaded, '>', "$first/files/cnt_1" or die $!;
close $uploaded;

my ($status, $out) = copy("--from=$first", "--to=$far");
is($status, 0, 'a store is copied into a database') or diag $out;
like($out, qr/^evaluations +41 +41 +same$/m, 'rows are counted on both sides');
like($out, qr{^Not copied: uploaded files \(1\) in \Q$first\E/files\.}m,
     'it is said that files are not copied');
unlike($out, qr/differs/, 'a copy differs in no table');

on($far);
is(answers(), $before, 'a copy answers as the store did');
is($t->evaluated($t->new_evaluation($judge, $content))->{overall_score},
   $evaluation->{overall_score}, 'a copy evaluates as the store did');

($status, $out) = copy("--from=$first", "--to=$far");
is($status, 1, 'a copy over one with more rows fails');
like($out, qr/^evaluations +41 +42 +differs$/m,
     'the table with more rows is named');
like($out, qr/a table differs from its source/,
     'copy says that a table differs');
is(scalar(() = $out =~ /^evaluations /mg), 1,
   'a table that differs is printed once');

on($first);
$t->quit;

my ($name) = $far =~ m{/(\w+)\?};
$pg->psql($far, "alter database $name set log_statement = 'all'");
($status, $out) = copy("--from=$far", "--to=$near", '--org=' . $t->org->{id});
is($status, 0, 'an organization is copied back into a directory') or diag $out;
$pg->psql($far, "alter database $name reset log_statement");
like(`cat $pg->{dir}/log`,
     qr/set_config\('idle_in[^\n]*'statement_timeout', '0'/,
     'a copy has no limit on the time of a statement');
like($out, qr/^judges +1 +1 +same$/m,
     'a copy of an organization has its judges only');

on($near);
is($t->get("/judges/$judge")->status, 200,
   'the judge of a copied organization is there');
is($t->get("/judges/$foreign", org => 1)->status, 401,
   'the judge of another organization is not there');

# Logs have no key: those of the other organization would be deleted.

($status, $out) = copy("--from=$near", "--to=$far");
isnt($status, 0, 'a store is not copied whole over one with more in it');
like($out, qr/organizations that the source lacks: name .* by --org/,
     'copy says which organizations would lose their logs');

# There is no way to delete an organization that came along.
my $lone = $t->dir . '/lone';
$t->run($tool, "--store=$lone", qw(org create Lone));
($status, $out) = copy("--from=$first", "--to=$lone");
is($status, 1, 'a store is not copied whole over another one');
like(($t->run($tool, "--store=$lone", qw(org list)))[1], qr/\A.*\n.* Lone\n\z/,
     'a copy that is refused leaves no organization');

for my $org ('org_none', 'nobody') {
    mkdir "$near$org";
    ($status, $out) = copy("--from=$first", "--to=$near$org", "--org=$org");
    is($status, 1, 'an organization that is not there is not copied');
    is($out, "judge: there is no organization \"$org\"\n",
       'copy says that an organization is not there');
    ok(!-e "$near$org/judge.db", 'a copy that is refused makes no store');
}

# Results of several evaluations are rows with numbers, from 1 in each store.

my $other = Judge::Test->new;
$other->batch_completed($other->new_batch($other->new_judge, [
    { name => 'Other', text_content => 'A text of somebody else.' } ]));
$other->quit;

my $org = $other->org->{id};
($status, $out) = copy('--from=' . $other->store, "--to=$first", "--org=$org");
is($status, 1,
   'results under the numbers of another organization are not copied');
like($out, qr/another organization under the numbers of these: expected one/,
     'copy says which target has room for such results');

($status, $out) = copy('--from=' . $other->store, "--to=$far", "--org=$org");
is($status, 0, 'a database takes results under the same numbers') or diag $out;

on($first);
is(answers(), $before, 'a copy that is refused changes no results');
is($t->get('/judges', key => $other->org->{key})->status, 401,
   'a copy that is refused leaves no organization');
$t->quit;

for ([["--from=$first"], qr/copy needs --from and --to/],
     [["--from=$first", "--to=$first"], qr/which name two stores/],
     [["--from=$near/none", "--to=$far"], qr/there is no store in/],
     [["--from=$first", '--to=postgresql://nobody@127.0.0.1:1/none'],
      qr/connect|refused/i])
{
    ($status, $out) = copy(@{ $_->[0] });
    isnt($status, 0, "copy @{ $_->[0] } is refused");
    like($out, $_->[1], 'copy says why it is refused');
}

done_testing;
