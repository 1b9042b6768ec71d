# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/dev/torture for three minutes, by the same seed each time unless
# JUDGE_TEST_SEED is set; before that, that it finds what is made wrong in the
# store behind its back.

use strict;
use warnings;

use Test::More;

use Judge::Nginx;
use Judge::Torture;

plan skip_all => 'one process only' if Judge::Nginx->single;

# --- It notices -----------------------------------------------------------

# What is done once all is quiet, and what has to be found.
my %lies = (
    lost => "delete from judge_versions where description like 'judge-0-%'",
    doubled => "insert into contents (org, id, file_type, status, size,"
        . " created_at, name, text_content) select org, id || 'x', file_type,"
        . " status, size, created_at, name, text_content from contents"
        . " where name like 'content-%' limit 1",
    changed => "update contents set text_content = 'x' where id = (select"
        . " max(id) from contents where name like 'content-%')",
    invented => "insert into api_keys (org, id, hash, name, status,"
        . " permissions, created_at) select org, id || 'x', x'00', 'key-x',"
        . " status, permissions, created_at from api_keys limit 1",
    twice => "insert into test_ends select id, status from test_ends limit 1",
    events => "update deliveries set event_id = event_id || 'x',"
        . " id = id || 'x' where id = (select id from deliveries where"
        . " status = 'delivered' limit 1)",
    inconsistent => 'update batches set completed = completed + 1 where'
        . ' id = (select min(id) from batches)',
);

{
    my $torture = Judge::Torture->new(minutes => 0.35, seed => 1,
                                      only => [ 'calm' ]);
    my $pause = \&Judge::Torture::pause;
    my $lied;

    no warnings 'redefine';
    local *Judge::Torture::pause = sub {
        $pause->(@_);
        $torture->{server}->alter(join '; ', values %lies) if !$lied++;
    };

    open my $stdout, '>&', \*STDOUT or die "dup: $!";
    open STDOUT, '>', '/dev/null' or die "/dev/null: $!";
    my $wrong = eval { $torture->run };
    open STDOUT, '>&', $stdout or die "dup: $!";

    cmp_ok($wrong // 0, '>=', keys %lies,
           'each wrong change behind its back is found')
        or diag($@);
    cmp_ok($torture->{wrong}{$_} // 0, '>', 0, "the wrong change is found: $_")
        for sort keys %lies;
}

# --- It finds nothing -----------------------------------------------------

my $seed = $ENV{JUDGE_TEST_SEED} // 20779;
my $out  = `util/dev/torture --minutes=3 --seed=$seed 2>&1`;

is($?, 0, "nothing is wrong after three minutes with seed $seed");
note($out);
diag($out) if $?;

my ($acknowledged) = $out =~ /^ +acknowledged +(\d+)/m;
my ($rounds)       = scalar(() = $out =~ /until all was done/g);

cmp_ok($acknowledged // 0, '>', 500,
       'more than 500 operations were acknowledged');
cmp_ok($rounds, '>', 5, 'more than five rounds were done');

done_testing;
