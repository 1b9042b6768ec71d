# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What the checks of an evaluation may use: a batch that exhausts it stays
# within bounded memory, and is given up when nginx stops or it is deleted.

use Judge::Test;

# Of 2^30 ways through the schema all fail: each says nothing.
my %defs = map { ("d$_" => { anyOf => [ map { { '$ref' => '#/$defs/d' . $_ } }
                                        ($_ + 1) x 2 ] }) } 0 .. 29;
my $schema = { '$ref' => '#/$defs/d0',
               '$defs' => { %defs, d30 => { type => 'object' } } };

my $t     = Judge::Test->new(orgs => 1);
my $many  = $t->asan ? 3 : 16;
my $judge = judge_of({ type => 'json_schema', value => $schema });

sub judge_of {
    return $t->new_judge(criteria => [ { name => 'Grammar',
        description => 'What is sent to the shop.', checks => [ @_ ] } ]);
}

sub new_batch { $t->new_batch($judge, [ ('[1,2,34]') x $many ]) }

sub ended {
    my ($id) = @_;

    my $b = $t->get("/batches/$id")->json;

    return $b->{failed_evaluations} // die 'no count';
}

# --- Refused ----------------------------------------------------------------

for (
    [ { enum => [ 1 .. 10000 ] },
      qr/^criteria\[0\]\.checks\[0\]\.value: .* at most 10000 values/ ],
    [ { anyOf => [ map { { pattern => "a$_" } } 1 .. 101 ] },
      qr/^criteria\[0\]\.checks\[0\]\.value: expected at most 100 patterns/ ],
) {
    my $r = $t->post('/judges', json => {
        name => 'Large', description => '', content_type => 'text',
        criteria => [ { name => 'Punctuation', description => 'D', checks => [
            { type => 'json_schema', value => $_->[0] } ] } ],
    });
    status_is($r, 400, 'a large schema is refused');
    like($r->json->{detail}, $_->[1],
         'a large schema is refused with its field and the bound');
}

# --- A batch that exhausts it -----------------------------------------------

my $before = $t->peak_memory;
my $id     = new_batch();

$t->wait_for(300 * $t->slow, sub { ended($id) == $many });
is(ended($id), $many, "all $many evaluations of a batch end");
cmp_ok($t->peak_memory - $before, '<', 40 * 1024,
       'a batch that exhausts the budget takes less than 40 MB')
    unless $t->asan;

my ($first, @others) = map {
    $t->get("/evaluations/$_->{id}")->json->{not_judged}[0];
} (map { @$_ } $t->pages("/evaluations?batch_id=$id", 'evaluations'))[0, 1,
                                                                      -1];

is_deeply([ map { $_->{result} } @{ $first->{checks} } ], [ 'budget' ],
          'a check that exhausts the budget says so');
like($first->{reason}, qr/^Whether json_schema is met was not decided/,
     'the reason says that the check was not decided');
is_deeply(\@others, [ $first, $first ], 'the same text has the same record');
is($t->sql1("select count(*) from evaluations where error_code ="
            . " 'NOT_JUDGED'"), $many,
   'evaluations that exhaust the budget have no score');

# --- Given up ---------------------------------------------------------------

# nginx gives a worker two seconds, which may pass where the machine is busy.

my $killed;
for (1 .. 3) {
    $id = new_batch();
    $t->wait_until(sub { ended($id) }, 'the first of a batch');
    my $before = length $t->log_text;
    $t->stop;
    $killed = substr($t->log_text, $before) =~ /exited on signal 9/;
    $t->start;
    last if !$killed;
}
ok(!$killed, 'a worker that is stopped ends by itself');
$t->wait_until(sub {
    ended($id) == $many
    || $t->sql1("select count(*) from evaluations where batch_id = '$id'"
                . " and status = 'processing' and owner is not null");
}, 'the rest to be taken again, unless all had ended with the first');

# A database elsewhere may not be told before the process ends; the lease that
# it left behind counts as an attempt then.
cmp_ok($t->sql1('select max(attempts) from evaluations where batch_id ='
                . " '$id'"), '<=', $t->sqlite ? 1 : 2,
       'what was given up has had no attempt');

status_is($t->delete("/batches/$id"), 204,
          'a batch is deleted while it is scored');
$t->quit;
ok(!@{ $t->{faults} // [] }, 'no worker stays for a deleted batch');

done_testing();
