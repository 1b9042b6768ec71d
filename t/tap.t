# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What t/unit/tap.h prints: TAP, and of what fails the label, the file and the
# line of the call, and both values.

use strict;
use warnings;

use File::Temp qw(tempdir);
use Test::More;

my $dir = tempdir(CLEANUP => 1);

open my $file, '>', "$dir/t_some.c" or die "t_some.c: $!";
print {$file} <<'C';
#include "tap.h"

int
main(void)
{
    t_ok(true, "%s holds", "this");
    t_ok(false, "%s holds", "that");
    t_is_int(1, 1, "one is one");
    t_is_int(1,
             2, "one is two");
    t_is_str(JUDGE_STR("a\nb"), "c", "a letter");
    t_is_near(1.25, 1, 0.25, "%s is near", "it");
    t_is_near(1.25, 1, 0.2, "%s is near", "it");
    t_ok(t_finds(JUDGE_STR("a bc"), "bc") && !t_finds(JUDGE_STR("a b"), "bc"),
         "a part is found");
    return t_done();
}
C
close $file or die "t_some.c: $!";

is(system('gcc', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-Isrc',
          '-It/unit', '-o', "$dir/t_some", "$dir/t_some.c", 't/unit/tap.c',
          (map { "src/base/core/$_.c" } qw(str buf arena)), '-lm'), 0,
   'a program of tests compiles');

my $out    = qx($dir/t_some 2>$dir/err);
my $status = $?;
my $err    = do { local (@ARGV, $/) = "$dir/err"; <> };

isnt($status, 0, 'a program with a test that fails, fails');
is($out, <<'TAP', 'each assertion has its line of TAP');
ok 1 - this holds
not ok 2 - that holds
ok 3 - one is one
not ok 4 - one is two
not ok 5 - a letter
ok 6 - it is near
not ok 7 - it is near
ok 8 - a part is found
1..8
TAP

is($err =~ s{\Q$dir\E/}{}gr, <<'ERR', 'what fails is told with both values');
#   Failed test 'that holds'
#   at t_some.c line 7.
#   got:  false
#   want: true
#   Failed test 'one is two'
#   at t_some.c line 9.
#   got:  1
#   want: 2
#   Failed test 'a letter'
#   at t_some.c line 11.
#   got: "a\x0ab" (3 bytes)
#   want: "c" (1 bytes)
#   Failed test 'it is near'
#   at t_some.c line 13.
#   got:  1.25
#   want: 1, 0.2 more or less
# 4 of 8 failed
ERR

done_testing;
