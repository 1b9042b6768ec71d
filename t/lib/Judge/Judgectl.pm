# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What tests of judgectl share: commands of a shell in a folder of the test,
# with an address and a key in the environment.
#
#   my $dir = work_in($t, %ENVIRONMENT);
#   does('judges are listed', 'judgectl judges list');      # its output
#   prints('apply makes version 2', 'judgectl apply x.yaml', qr/version 2/);
#   refused('an unknown judge', 1, 'no judge', 'judgectl judges show None');
#
# Each takes, behind these, NAME => value to change the environment, and
# does() and prints() status => 2.  sh() gives (exit status, output, standard
# error), said() the last standard error, kept() a file of the folder.

package Judge::Judgectl;

use strict;
use warnings;
use utf8;

use Encode qw(decode);
use Test::More;

use Judge::Nginx;
use parent 'Exporter';

our @EXPORT = qw(work_in leave_out sh said kept does prints refused);

my ($t, $dir, %env);


sub work_in {
    ($t, %env) = @_;
    $dir = $t->dir . '/work';
    mkdir $_ or die "$_: $!" for $dir, "$dir/home", "$dir/letters";

    # Debian's Python, which has what Debian's packages bring.
    %env = (HOME => "$dir/home",
            PATH => "$dir/home/.local/bin:/usr/bin:$ENV{PATH}",
            JUDGE_URL => $t->url, JUDGE_API_KEY => $t->key, LC_ALL => 'C',
            %env);
    $SIG{INT} = 'DEFAULT';              # also where it was ignored
    delete @ENV{qw(XDG_CONFIG_HOME JUDGE_PROFILE GITHUB_STEP_SUMMARY
                   NO_COLOR)};

    my %essays = $t->essays;
    $t->write("work/letters/$_.txt", $essays{$_}) for keys %essays;
    return $dir;
}

# These are not in the environment from here on.

sub leave_out { @env{@_} = () }

sub sh {
    my ($script, %more) = @_;
    local %ENV = (%ENV, %env, %more);
    delete @ENV{grep { !defined $ENV{$_} } keys %ENV};

    my ($status, $out) = $t->run('bash', '-c',
        "cd '$dir' && ln -sfn '@{[ $t->repo ]}/build' build && { $script\n}"
        . " 2>'$dir/stderr'");
    return ($status, decode('UTF-8', $out), said());
}

sub said { kept('stderr') }
sub kept { decode('UTF-8', Judge::Nginx::read_file("$dir/$_[0]") // '') }

sub does {
    my ($name, $script, %more) = @_;
    my $expected = delete $more{status} // 0;
    my ($status, $out, $err) = sh($script, %more);

    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is($status, $expected, $name) or diag("$out\n$err");
    return $out;
}

sub prints {
    my ($name, $script, $like, %more) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $out = does($name, $script, %more);
    like($out, $like, "$name: it is printed");
    return $out;
}

# One sentence on standard error, and never a traceback.

sub refused {
    my ($name, $status, $says, $script, %more) = @_;
    my ($got, $out, $err) = sh($script, %more);

    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is($got, $status, "$name is refused by exit code $status") or diag($out);
    like($err, qr/\Ajudgectl[^\n]*: [^\n]*$says[^\n]*\n\z/,
         "one sentence says why $name is refused");
}

1;
