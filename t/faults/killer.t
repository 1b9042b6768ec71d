# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A text that kills whoever scores it fails; all others of its batch, which
# were in the hands of the same process, are scored.

use File::Temp;

use Judge::Test;

plan skip_all => 'one process only'           if Judge::Nginx->single;
plan skip_all => 'another library comes first' if Judge::Nginx->asan;

my $made = File::Temp->newdir;
my $repo = Judge::Nginx->repo;

system('gcc', '-shared', '-fPIC', '-O2', '-o', "$made/kill.so",
       "$repo/t/faults/kill_preload.c", '-ldl') == 0
    or BAIL_OUT('the library that kills is not compiled');

my $attempts = 3;
my $t = do {
    local $ENV{LD_PRELOAD} = "$made/kill.so";
    Judge::Test->new(store => "attempts=$attempts");
};
$t->allow(qr/worker process \d+ exited on signal 9/);

my $judge = $t->new_judge(criteria => [
    { name => 'Words', description => 'It is a text.', checks => [
        { type => 'regex', value => 'text' } ] } ]);

for my $n (3, 450) {
    my @texts = map { "A text, number $_; "
        . ($_ == 2 ? 'this one kills.' : 'a peaceful one.') } 1 .. $n;
    my $id;

    # The worker that takes the batch may be killed before it answers.
    my @key = (headers => [ 'Idempotency-Key' => "texts-$n" ]);
    $t->comes_true(sub { $id = eval { $t->new_batch($judge, \@texts, @key) } },
                   "a batch of $n texts is taken, if need be by a repetition");

    my $batch = $t->batch_ended($id);

    is($batch->{completed_evaluations}, $n - 1,
       "all but one of $n texts are scored");
    is($batch->{failed_evaluations}, 1, "one of $n texts fails");
    is($t->sql1("select error_code || ' ' || attempts from evaluations where
                 batch_id = '$id' and status = 'failed'"),
       'ATTEMPTS_EXHAUSTED ' . ($attempts + 1),
       "the text that kills fails after its attempts, of $n");
}

$t->quit;
done_testing;
