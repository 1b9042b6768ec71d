# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/gen/migrations: a migration has the number that its name says, or the
# build ends.

use File::Temp qw(tempdir);

use Judge::Test;

my $embed = Judge::Nginx->repo . '/util/gen/migrations';

# Exit status and output for a folder with files of these names.

sub embed {
    my (@names) = @_;

    my $dir = tempdir('judge-test-XXXXXX', TMPDIR => 1, CLEANUP => 1);

    for my $name (@names) {
        open my $file, '>', "$dir/$name" or die "$name: $!";
        print {$file} "-- A comment.\nSELECT \"$name\";\n";
        close $file;
    }

    my $out = `$embed $dir 2>&1`;
    return ($?, $out);
}

sub refused {
    my ($names, $says, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my ($status, $out) = embed(@$names);

    isnt($status, 0, "$name is refused");
    is($out, "util/gen/migrations: $says\n",
       "the message says why $name is refused");
}

my ($status, $out) = embed('0002_b.sql', '0001_a.sql', 'README');

is($status, 0, 'numbers without a gap are embedded');
like($out, qr/"SELECT \\"0001_a.sql\\";\\n".*"SELECT \\"0002_b.sql\\";\\n"/s,
     'migrations are embedded in the order of their numbers');
unlike($out, qr/A comment/, 'comments are left out');
like($out, qr/^const size_t  judge_migrations_count = 2;$/m,
     'the migrations are counted');

refused([qw(0001_a.sql 0002_b.sql 0002_c.sql)],
        '0002_c.sql: 0002_b.sql has the same number', 'one number twice');
refused([qw(0001_a.sql 0003_c.sql)], '0003_c.sql: the next number is 0002',
        'a gap');
refused([qw(0002_b.sql)], '0002_b.sql: the next number is 0001',
        'a list without a first one');
refused([qw(0000_z.sql 0001_a.sql)], '0000_z.sql: the next number is 0001',
        'number zero');
refused([qw(0001_a.sql b.sql)], 'b.sql: a migration is named'
        . ' NUMBER_SUBJECT.sql, like 0002_subject.sql',
        'a name without a number');
refused([qw(1_a.sql)], '1_a.sql: a migration is named NUMBER_SUBJECT.sql,'
        . ' like 0001_subject.sql', 'a number of one digit');
refused([], '*.sql: a migration is named NUMBER_SUBJECT.sql, like'
        . ' 0001_subject.sql', 'a folder without files');

done_testing;
