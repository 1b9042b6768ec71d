# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What util/gen/statements refuses.

use Judge::Test;
use File::Temp qw(tempdir);

my $dir = tempdir(CLEANUP => 1);

sub made {
    my ($other) = @_;

    open my $file, '>', "$dir/x.sql" or die $!;
    print $file "%op org_x inline\n%\nSELECT :{a, b} FROM t\n"
                . "%= postgresql\n$other\n";
    close $file;

    my $program = Judge::Test->repo . '/util/gen/statements';
    return scalar `$program $dir 2>&1`;
}

like(made('SELECT a, max(b, (SELECT 1 FROM u)) FROM t'), qr/judge_op_specs/,
     'a statement of another engine may have as many columns');
like(made('SELECT max(a, b) FROM t'),
     qr/x\.sql:2: fewer columns than the other engine has/,
     'a statement of another engine with fewer columns is refused');

done_testing();
