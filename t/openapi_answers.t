# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What the C tests in t/api ask for, most of it wrong, and are answered, is as
# docs/openapi.yaml describes it: each status, header and member.  What tests
# get over sockets, Judge::Test holds against it.

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Test::More;

use lib dirname(abs_path($0)) . '/lib';
use Judge::HTTP;
use Judge::JSON;
use Judge::OpenAPI;

chdir dirname(abs_path($0)) . '/..' or die "chdir: $!";

# Those that change no rows behind the service's back.
my @PROGRAMS = qw(batches callback contents feedback judges keys llm not_judged
                  pipeline rate results settings social uploads webhook_list);

my $json = Judge::JSON->new->utf8;
my $dir  = tempdir(CLEANUP => 1);

sub bytes {
    my ($text) = @_;
    utf8::encode($text) if defined $text;
    return $text;
}

# The answers that a program was given, as t/api/harness_record.c writes them.

sub answers {
    my ($program) = @_;

    local $ENV{JUDGE_TEST_ANSWERS} = "$dir/$program";
    is(system("build/t/api/t_$program >$dir/out 2>&1"), 0,
       "t_$program ends well");
    open my $file, '<', "$dir/$program" or return;

    return map { $json->decode($_) } <$file>;
}

sub response {
    my ($answer) = @_;
    my $headers = $answer->{headers};
    my $head    = join '', "HTTP/1.1 $answer->{status} \r\n",
                       map { "$_: " . bytes($headers->{$_}) . "\r\n" }
                           sort keys %$headers;
    my $r = Judge::HTTP::Response->parse($head);

    $r->{body} = bytes($answer->{body}) // '';
    return $r;
}

# To HEAD nginx leaves out the body that is here.

for my $program (@PROGRAMS) {
    my @answers = grep { $_->{method} ne 'HEAD' } answers($program);
    my %wrong;

    for my $answer (@answers) {
        $wrong{$_} //= $answer->{body}
            for Judge::OpenAPI->breaches(@$answer{qw(method path)},
                                         response($answer),
                                         bytes($answer->{sent}));
    }

    cmp_ok(scalar @answers, '>', 10, "t_$program has written its answers");
    is(join("\n", sort keys %wrong), '',
       "the answers of t_$program are as they are described")
        or diag(map { "$_: $wrong{$_}\n" } sort keys %wrong);
}

done_testing;
