# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Pre-signed addresses are those that the SDK of AWS makes, for 200 requests.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Test::More;

my $repo    = abs_path(dirname(__FILE__) . '/..');
my $modules = "$repo/build/npm/node_modules";

plan skip_all => 'node is not installed'
    if system('node --version >/dev/null 2>&1') != 0;
plan skip_all => 'the SDK of AWS is not there: run util/dev/deps test'
    if !-d "$modules/\@aws-sdk/s3-request-presigner";

my $dir   = tempdir(CLEANUP => 1);
my @cases = `node $repo/t/lib/s3_sign.mjs $modules 2>$dir/err`;

open my $out, '>', "$dir/requests" or die "$dir/requests: $!";
print {$out} map { (split /\t/)[0] . "\n" } @cases;
close $out;

chomp(my @ours = `$repo/build/t/unit/t_s3 - <$dir/requests`);

# The order of the parameters is anybody's.

sub parts {
    my ($url) = @_;
    my ($at, $query) = split /\?/, $url, 2;
    return [ $at, sort split /&/, $query // '' ];
}

is(@cases, 200, '200 requests are signed by the SDK') or diag(`cat $dir/err`);

subtest 'each address is the one that the SDK makes' => sub {
    for my $i (0 .. $#cases) {
        my ($request, $url) = split /\t/, $cases[$i];
        chomp $url;
        is_deeply(parts($ours[$i] // ''), parts($url),
                  "request $i has the address that the SDK makes")
            or diag($url);
    }
};

done_testing();
