# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The part of util/bench about the big beside the small: how long others wait
# for their reads and writes while a large batch is accepted, started, tried
# again and deleted, with nothing evaluated meanwhile: the store alone; while
# one is evaluated, and cancelled; while a judge with 1,000,000 corrected
# scores is deleted; and while results become too old.

use strict;
use warnings;

use Time::HiRes qw(time sleep);

use constant { CONTENTS => 10_000, MANY_JUDGES => 20, EXAMPLES => 1_000_000 };


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
    my @json = (body => $body, timeout => 300,
                headers => [ 'Content-Type' => 'application/json' ]);
    my %small = (
        writes => [ POST => '/evaluations/single', json =>
                    { judge_id => $judges[0], content_id => $content } ],
        reads  => [ GET => "/evaluations/$read" ]);

    my $batch;
    small_beside($t, 'accepted', \%small, sub {
        $batch = $t->post('/batches/evaluate', @json)->json->{batch_id};
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
        slices_over($t);
    });

    slices_evaluated($t, \%small, $body =~ s/"auto_start":false/
                     "auto_start":true/r);
    slices_deleted($t, \%small);

    $t->quit;
}


sub slices_over {
    my ($t) = @_;

    do { sleep 0.05 } while $t->sql1('SELECT COUNT(*) FROM unfinished');
}


# One that is evaluated, and then is too old; and one that is cancelled.

sub slices_evaluated {
    my ($t, $small, $body) = @_;

    $t->conf(store => '');
    $t->restart;

    my @json = (body => $body, timeout => 300,
                headers => [ 'Content-Type' => 'application/json' ]);
    my $batch;
    small_beside($t, 'accepted and evaluated', $small, sub {
        $batch = $t->post('/batches/evaluate', @json)->json->{batch_id};
        do { sleep 0.2 } while $t->get("/batches/$batch")->json->{status}
                               eq 'evaluating';
    });

    # A round begins with the workers.  Their age is in their identifiers, too.
    $small->{reads} = [ GET => "/judges/$small->{writes}[3]{judge_id}" ];
    $t->alter("UPDATE evaluations SET evaluated_at = 1, id = 'evl_00' ||"
        . " substr(id, 7) WHERE batch_id = '$batch'");
    $t->conf(store => 'keep_results=1h');
    $t->restart;
    my $end = time + 30;
    small_beside($t, 'too old', $small, sub {
        sleep 0.2 while time < $end && $t->sql1('SELECT EXISTS (SELECT 1'
            . " FROM evaluations WHERE batch_id = '$batch')");
    });
    row('  left', $t->sql1('SELECT COUNT(*) FROM evaluations'
                           . " WHERE batch_id = '$batch'"), '', '', '');
    $t->conf(store => '');
    $t->restart;

    $batch = $t->post('/batches/evaluate', @json)->json->{batch_id};
    small_beside($t, 'cancelled and deleted', $small, sub {
        $t->delete("/batches/$batch");
        slices_over($t);
    });
}


# A judge with what people said about its evaluations.

sub slices_deleted {
    my ($t, $small) = @_;

    my $judge = $t->new_judge;
    $t->alter('WITH RECURSIVE n(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM n'
        . ' WHERE n < ' . EXAMPLES . ') INSERT INTO examples (org, judge_id,'
        . ' evaluation_id, criterion_id, feedback_id, content_id,'
        . ' judge_version, kind, target, weight, created_at) SELECT'
        . " '" . $t->org->{id} . "', '$judge', 'evl_' || n, 'crt_1', 'fbk_' ||"
        . " n, 'cnt_' || n, 1, 'correction', 50, 2, n FROM n");
    small_beside($t, EXAMPLES . ' corrected scores deleted with their judge',
                 $small, sub {
        $t->delete("/judges/$judge");
        slices_over($t);
    });
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
            $t->request($method, $path, @rest, timeout => 60);
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
    $what = CONTENTS * MANY_JUDGES . " evaluations $what" if $what !~ /^\d/;
    row("$what, s",
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
