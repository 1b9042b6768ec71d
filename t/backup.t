# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A backup that is made while the service works, and what is in it when it is
# restored.  t/operations.t runs the commands that docs/operations.md has.

use Judge::Test;

plan skip_all => 'judge backup is for SQLite' if Judge::Postgresql->running;

my $t       = Judge::Test->new;
my $judge   = $t->new_judge;
my $content = $t->new_content('One sentence here. Another one there.');
my $before  = $t->evaluated($t->new_evaluation($judge, $content));

# More is written while the copy is made.
my @later = map { $t->new_evaluation($judge, $content) } 1 .. 5;
my $copy  = $t->dir . '/backup';
my $tool  = $t->repo . '/build/judge';

chmod 0777, $t->dir;
is(($t->run($tool, '--store', $t->store_dir, 'backup', $copy))[0], 0,
   'a backup of a running service');
my @after = map { $t->new_evaluation($judge, $content) } 1 .. 2;

$t->quit;

is(($t->run($tool, '--store', $t->store_dir, '--force', 'restore', $copy))[0],
   0, 'is restored');

$t->start;

is($t->sql1('select * from pragma_integrity_check'), 'ok',
   'the database is whole');

my $r = $t->get("/evaluations/$before->{evaluation_id}");
status_is($r, 200, 'what had ended is there');
is($r->json->{overall_score}, $before->{overall_score}, 'as it was');

is(scalar(grep { $t->evaluated($_)->{status} eq 'completed' } @later), 5,
   'what was in the queue is worked off');
is(scalar(grep { $t->get("/evaluations/$_")->status == 404 } @after), 2,
   'what came after the backup is gone');
is($t->evaluated($t->new_evaluation($judge, $content))->{overall_score},
   $before->{overall_score}, 'and the service goes on');

done_testing;
