# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judgectl gate --against a batch: what is undecided may fail it.

use utf8;

use Judge::Judgectl;
use Judge::Test;

my $t    = Judge::Test->new;
my $repo = $t->repo;

work_in($t, PATH => "$repo/build:/usr/bin:$ENV{PATH}");

prints('--undecided fail looks at each criterion', <<'SH', qr/^✗ A: -/m,
printf %s\\n name:\ Two criteria: '- {name: A, description: At most 3 words}' \
    '- {name: B, description: Contains "x".}' >two.yaml
judgectl apply two.yaml
mkdir two; for i in 1 2 3 4; do echo "hi there $i" >two/$i.txt; done
run=$(judgectl gate --judge Two --batch --json two/ | grep -o 'bat_[0-9A-Z]*')
echo hi x a b c >two/1.txt
set -- judgectl gate --judge Two --against "${run%%[!bat_0-9A-Z]*}" two/
"$@" && "$@" --undecided fail
SH
       status => 2);

prints('a gate that asks for nothing says so', <<'SH',
judgectl gate --judge Two two/
judgectl gate --judge Two --min 1 two/ | grep -c 'asked for' || true
SH
       qr/nothing was asked for, so every score passes.*passed.*^0$/ms);

done_testing;
