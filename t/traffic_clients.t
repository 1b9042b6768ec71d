# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Whatever a guard passes of answers is read by clients as the guard read it:
# those of OpenAI and Anthropic, a parser of event streams, and JSON.parse, of
# answers made by chance of pieces that they take differently
# (t/data/readers/clients.mjs).  JUDGE_TEST_SEED and JUDGE_TEST_CASES in the
# environment make other answers, and more of them; at night there are 5,000.

use Judge::Test;
use Judge::Nginx;
use Judge::Traffic;
use File::Temp ();

my $npm   = Judge::Nginx->repo . '/build/npm/node_modules';
my $cases = $ENV{JUDGE_TEST_CASES} // ($ENV{JUDGE_TEST_EVERY} ? 5000 : 400);
my $seed  = $ENV{JUDGE_TEST_SEED} // 1;

plan skip_all => 'the clients are not installed (util/dev/deps test does it)'
    if !-d "$npm/\@anthropic-ai/sdk" || !-d "$npm/openai"
       || system('which node >/dev/null 2>&1') != 0;

my $words = File::Temp->new;
print {$words} "casino\n";
$words->flush;

my $to = 'proxy_pass http://127.0.0.1:' . upstream() . '/;';
my $guard = "judge_traffic $JUDGED mode=guard min=50";
my $t = Judge::Test->new(described => 0, prefix => '/api/',
                         server => <<"CONF");
proxy_http_version 1.1;
location /open/   { $to }
location /guard/  { $to $guard; }
location /window/ { $to $guard stream=window window=16; }
location /found/  { $to judge_detect words words=$words on=answer; }
CONF
my $judge = $t->new_judge(criteria => [
    { name => 'No offers', description => 'Nothing is sold.', checks => [
        { type => 'not_contains', value => 'casino' } ] } ]);

my ($status, $out) = $t->run('node', Judge::Nginx->repo
    . '/t/data/readers/clients.mjs', $npm, 'http://127.0.0.1:' . $t->port,
    $seed, $cases, $judge, $t->org->{id});
my @lines = map { eval { JSON::PP::decode_json($_) } // { } } split /\n/, $out;
my $counts = pop @lines;

is($status, 0, 'the clients have read all answers') or diag($out);
for (@lines) {
    fail("$_->{reader} reads what $_->{path} passed");
    diag("JUDGE_TEST_SEED=$seed\n"
         . $_->{answer} =~ s/([^\n -~])/sprintf '\\x%02x', ord $1/ger);
}

for my $reader (qw(openai anthropic parser json text)) {
    cmp_ok($counts->{open}{$reader} // 0, '>', $cases / 40,
           "$reader reads the word where nothing guards");
}

for my $path (qw(guard window found)) {
    cmp_ok($counts->{refused}{$path} // 0, '>', $cases / 3,
           "most answers are refused by $path");
    note("$path: $counts->{passed}{$path} of $cases begin to pass");
}
note("$_ reads the word $counts->{open}{$_} times where nothing guards")
    for sort keys %{ $counts->{open} };

done_testing;
