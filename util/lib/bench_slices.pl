# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The part of util/bench about the big beside the small: how long others wait
# for their reads and writes while a large batch is accepted, started, tried
# again and deleted.  Nothing is evaluated meanwhile: it is the store alone.

use strict;
use warnings;

use Time::HiRes qw(time sleep);

use constant { CONTENTS => 10_000, MANY_JUDGES => 20 };


sub slices {
    my $t = Judge::Test->new(described => 0, access_log => 'off',
                             store => 'evaluate=off');
    my @judges  = map { $t->new_judge } 1 .. MANY_JUDGES;
    my $content = $t->new_content('A text.');
    my $read    = $t->new_evaluation($judges[0], $content);
    my $body    = JSON::PP->new->utf8->encode({
        name => 'Big', auto_start => JSON::PP::false(),
        judge_ids => \@judges, content_items => [
            map { { name => "T$_", text_content => 'A word. ' x 250 } }
            1 .. CONTENTS ] });
    my %small = (
        writes => [ POST => '/evaluations/single', json =>
                    { judge_id => $judges[0], content_id => $content } ],
        reads  => [ GET => "/evaluations/$read" ]);

    my $batch;
    small_beside($t, 'accepted', \%small, sub {
        $batch = $t->post('/batches/evaluate', body => $body, headers =>
            [ 'Content-Type' => 'application/json' ])->json->{batch_id};
    });
    small_beside($t, 'started', \%small,
                 sub { $t->post("/batches/$batch/start") });

    $t->alter("UPDATE evaluations SET status = 'failed', queue_at = NULL,"
        . ' error_code = \'TIMED_OUT\', batch_seq = 1'
        . " WHERE batch_id = '$batch'");
    $t->alter("UPDATE batches SET status = 'failed', last_seq = 1,"
        . " failed = total WHERE id = '$batch'");
    small_beside($t, 'tried again', \%small,
                 sub { $t->post("/batches/$batch/retry") });
    small_beside($t, 'deleted', \%small, sub {
        $t->delete("/batches/$batch");
        sleep 0.05 while $t->sql1("SELECT COUNT(*) FROM unfinished");
    });

    $t->quit;
}


# What others take meanwhile: one process for each.

sub small_beside {
    my ($t, $what, $small, $big) = @_;

    my (%says, $began);
    for my $name (sort keys %$small) {
        my $pid = open($says{$name}, '-|') // die "fork: $!";
        next if $pid;
        my ($end, @took) = (0);
        local $SIG{USR1} = sub { $end = 1 };
        print "$$\n";
        STDOUT->flush;
        my ($method, $path, @rest) = @{ $small->{$name} };
        while (!$end) {
            my $from = time;
            $t->request($method, $path, @rest);
            push @took, 1000 * (time - $from);
            sleep 0.002;
        }
        @took = sort { $a <=> $b } @took;
        printf "%.2f %.2f\n", $took[0.99 * @took], $took[-1];
        STDOUT->flush;
        POSIX::_exit(0);
    }

    my %pid = map { chomp(my $pid = readline $says{$_}); $_ => $pid }
              keys %says;
    sleep 0.2;
    $began = time;
    $big->();
    row(sprintf('%d evaluations %s, s', CONTENTS * MANY_JUDGES, $what),
        sprintf('%.2f', time - $began), '', '', '');
    for my $name (sort keys %says) {
        kill USR1 => $pid{$name};
        my ($p99, $most) = split ' ', readline $says{$name};
        close $says{$name};
        row("  other $name, p99 and the longest, ms", $p99, $most, '',
            $name eq 'reads' ? '5' : '50');
    }
}

1;
