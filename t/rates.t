# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Rate limits: one bucket for a key in all workers, kept by a reload.

use Judge::Test;

my $t = Judge::Test->new(store => 'rate=1/m burst=20 fleet=off', orgs => 2);
my %count;
my $last;

# Each on a connection of its own, so that both workers get some.

for (1 .. 24) {
    my $r = $t->get('/judges');
    $count{$r->status}++;
    $last = $r;
    like($r->header('RateLimit'),
         qr/^"key";r=(\d+);t=(\d+);limit=20;remaining=\1;reset=\2$/,
         'RateLimit says what is left');
    my ($left, $reset) = $r->header('RateLimit') =~ /r=(\d+);t=(\d+)/;
    is(join(' ', map { $r->header("RateLimit-$_") } qw(Limit Remaining Reset)),
       "20 $left $reset", 'the headers of earlier drafts say the same');
    is($r->header('RateLimit-Policy'), '"key";q=20;w=1200',
       'RateLimit-Policy names the limit and its window');
}

is("$count{200} $count{429}", '20 4', 'all workers take from one bucket')
    or diag(explain(\%count));
error_is($last, 429, qr/its 1 request per minute; try again later$/,
         'a refusal names the limit');
like($last->header('Retry-After'), qr/^(?:[1-9]|[1-5]\d|60)$/,
     'Retry-After is at most a minute');

SKIP: {
    my $npm = $t->repo . '/build/npm/node_modules';

    skip 'ratelimit-header-parser is not installed: see util/dev/deps test', 1
        if !-d "$npm/ratelimit-header-parser";

    my $script = $t->write('rates.js', <<'JS');
const { parseRateLimit } = require(process.argv[2]
                                   + '/ratelimit-header-parser');
const [ all, limit, remaining, seconds ] = process.argv.slice(3);
for (const headers of [ { 'ratelimit': all },
                        { 'ratelimit-limit': limit, 'ratelimit-reset': seconds,
                          'ratelimit-remaining': remaining } ]) {
    const wait = 1000 * seconds, before = Date.now();
    const { limit, remaining, reset } = parseRateLimit(headers);
    console.log(limit, remaining, reset >= before + wait - 1000
                                  && reset <= Date.now() + wait + 1000);
}
JS
    my (undef, $said) = $t->run('node', $script, $npm,
        map { $last->header("RateLimit$_") } '', qw(-Limit -Remaining -Reset));
    is($said, "20 0 true\n" x 2,
       'ratelimit-header-parser reads the headers of both drafts');
}

status_is($t->get('/judges', org => 1), 200,
          'another key has a bucket of its own');
status_is($t->get('/healthz', key => undef), 200,
          'what needs no key is not limited');

# What is answered before the key is looked at.

for ([ GET => '/nothing', 404 ], [ PUT => '/judges', 405 ],
     [ OPTIONS => '/judges', 204 ])
{
    my ($method, $path, $status) = @$_;
    my $r = $t->request($method, $path);
    status_is($r, $status, "$method $path is answered after all is used up");
    ok(!defined $r->header('RateLimit'),
       "the answer to $method $path does not tell what is left");
}

my $wrong = $t->get('/judges', key => 'jdgk_' . 'x' x 36);
error_is($wrong, 401, undef, 'a wrong key is refused as such');
ok(!defined $wrong->header('RateLimit'), 'a wrong key has no bucket');

SKIP: {
    skip 'one process only', 1 if $t->single;

    $t->reload;
    status_is($t->get('/judges'), 429, 'a reload does not fill a bucket');
}

# What nginx -t says.

my %wrong = (
    'rate=5'             => qr/rate=5: expected requests of a key per second/,
    'rate=0/s'           => qr/rate=0\/s: expected requests/,
    'rate=5/h'           => qr/rate=5\/h: expected requests/,
    'rate=/s'            => qr/rate=\/s: expected requests/,
    'rate=9999999/s'     => qr/from 1 to 1000000/,
    'burst=5'            => qr/burst= expects a rate= beside it/,
    'rate=5/s burst=0'   => qr/burst=0: expected a whole number/,
);

for my $store (sort keys %wrong) {
    my ($fine, $out) = $t->check_conf(store => $store);
    ok(!$fine, "$store is refused");
    like($out, $wrong{$store}, "the refusal of $store says why");
}

done_testing;
