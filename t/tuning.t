# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judge_tuning: only where it is on do threads that score have the batch
# scheduling policy; idle workers give memory back with it and without.

use Judge::Test;

use constant SCHED_BATCH => 3;

plan skip_all => 'the scheduling policy is read from Linux\'s /proc'
    if !-r '/proc/self/stat';

# Whether a thread of a worker has that policy now: field 41 of its stat.

sub batch_policy {
    my ($t) = @_;

    for my $pid ($t->workers) {
        for my $path (glob "/proc/$pid/task/*/stat") {
            open my $file, '<', $path or next;
            my $stat = <$file> // next;
            my @fields = split ' ', $stat =~ s/^.*\)//sr;
            return 1 if ($fields[38] // 0) == SCHED_BATCH;
        }
    }

    return 0;
}

# Evaluates texts until they are done: whether the policy was seen meanwhile.

sub seen {
    my ($t) = @_;

    my $judge = $t->new_judge;
    my $batch = $t->made('/batches/evaluate', 'batch_id', json => {
        name => 'A batch', judge_ids => [ $judge ],
        content_items => [ map { { name => "Text $_", text_content =>
                                   "It is text $_. " x 4000 } } 1 .. 40 ] });
    my $seen = 0;
    $t->wait_until(sub {
        $seen ||= grep { batch_policy($t) } 1 .. 50;
        return $t->get("/batches/$batch")->json->{status} eq 'completed';
    }, 'the batch');

    return $seen;
}

# Megabytes of all workers that are not of files.

sub anonymous {
    my ($t) = @_;
    my $kb  = 0;

    for my $pid ($t->workers) {
        my $status = Judge::Nginx::read_file("/proc/$pid/status");
        $kb += $1 if $status =~ /^RssAnon:\s+(\d+)/m;
    }

    return $kb / 1024;
}


my $t = Judge::Test->new;

SKIP: {
    skip 'a sanitizer keeps what is freed', 1 if Judge::Nginx::asan;

    # A large request and threads that score leave much that is free.
    my $judge = $t->new_judge;
    my $batch = $t->made('/batches/evaluate', 'batch_id', json => {
        name => 'A batch', judge_ids => [ $judge ],
        content_items => [ map { { name => "Text $_", text_content =>
                                   "It is text $_. " x 120 } } 1 .. 2000 ] });
    my $most = 0;
    $t->wait_until(sub {
        my $now = anonymous($t);
        $most = $now if $now > $most;
        $t->get("/batches/$batch")->json->{status} eq 'completed';
    }, 'the large batch');

    ok($t->wait_for(90, sub { anonymous($t) < 0.7 * $most }),
       'without judge_tuning idle workers give back what they have freed');
}

ok(!seen($t), 'without judge_tuning the policy of a thread stays as it is');

$t->quit;
$t->conf(http => 'judge_tuning on;');
$t->start;

my $seen = 0;
for (1 .. 20) {
    last if $seen ||= seen($t);
}
ok($seen, 'with judge_tuning a thread that scores has the batch policy');

my ($ok, $out) = $t->check_conf(http => 'judge_tuning maybe;');
ok(!$ok, 'another value of judge_tuning is refused');
like($out, qr/invalid value "maybe" in "judge_tuning" directive/,
     'nginx says which value of judge_tuning is wrong');
($ok, $out) = $t->check_conf(server => 'judge_tuning on;');
ok(!$ok, 'judge_tuning is refused in a server');
like($out, qr/"judge_tuning" directive is not allowed here/,
     'nginx says that judge_tuning is not allowed in a server');

done_testing;
