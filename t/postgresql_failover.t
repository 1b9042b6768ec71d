# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Two servers, the second one following the first, which is lost: both nodes
# go on with the second.  One of them is killed amid its claims.

use Judge::Test;

my $first  = Judge::Postgresql->start;
my $url    = $first->database;
my $second = $first->standby;
my ($name) = $url =~ m{/(\w+)\?};
my $both   = "postgresql://judge\@/$name?host=$first->{dir},$second->{dir}";

my $t     = Judge::Test->new(address => $both, store => 'lease=3s');
my $other = Judge::Test->new(address => $both, store => 'lease=3s',
                             orgs => 0);
$other->{orgs} = $t->{orgs};

my $judge = $t->new_judge;
my $n     = 0;
my @contents;
my @evaluations;

# Tries until it is acknowledged, with one key; its identifier.

sub acknowledged {
    my ($node, $path, $field, %json) = @_;
    my $key = 'key-' . ++$n;
    my $id;

    $t->wait_until(sub {
        my $r = $node->post($path, json => \%json, timeout => 60,
                            headers => [ 'Idempotency-Key' => $key ]);
        die "$path: " . $r->status if $r->status !~ /^(?:20\d|503)$/;
        die "$path: no Retry-After" if $r->status == 503
                                       && !$r->header('Retry-After');
        return $id = $r->status == 503 ? undef : $r->json->{$field};
    }, "$path to be acknowledged", 90);

    return $id;
}

sub make {
    my ($node, $count) = @_;

    for (1 .. $count) {
        my $text = 'Text number ' . ++$n . ' says where the bridge is.';
        push @contents, acknowledged($node, '/content', 'id',
            file_type => 'text', name => "n$n", text_content => $text);
        push @evaluations, acknowledged($node, '/evaluations/single',
            'evaluation_id', judge_id => $judge,
            content_id => $contents[-1]);
    }
}

sub whole {
    my ($server, $what) = @_;
    my $db = $server->url($name);

    $t->evaluated($_) for @evaluations;
    is($server->psql($db, 'select count(*) from contents') + 0,
       scalar @contents, "$what: every content is there, once");
    is($server->psql($db, 'select count(*) from evaluations where status ='
                     . " 'completed'") + 0,
       scalar @evaluations, "$what: every evaluation has ended, once");
    is($server->psql($db, 'select count(*) from (select result from'
                     . ' evaluations where result is not null group by result'
                     . ' having count(*) > 1) twice') + 0, 0,
       "$what: no two evaluations have the same result");
}

make($t, 10);
make($other, 10);
whole($first, 'two nodes wrote');

# --- The first server is lost ----------------------------------------------

$first->crash;
my $r = $t->get('/judges');
status_is($r, 503, 'a read is refused where no server can be written to');
ok($r->header('Retry-After'), 'a read that is refused gets Retry-After');
$second->promote;
make($t, 10);
make($other, 10);
whole($second, 'the second server took over');

# --- A node is killed -------------------------------------------------------

# A batch has work for both.

my $batch = acknowledged($other, '/batches/evaluate', 'batch_id',
    name => 'All', judge_ids => [ $judge ],
    content_items => [ map { { name => "item $_", text_content =>
        "Item $_ says where the bridge is." } } 1 .. 60 ]);
push @evaluations, map { acknowledged($other, '/evaluations/single',
    'evaluation_id', judge_id => $judge, content_id => $_) } @contents[0 .. 9];
$other->crash;
my $record = $t->batch_completed($batch);
$t->evaluated($_) for @evaluations;

is($record->{completed_evaluations}, 60,
   'the batch counts each item once, though a node was killed');
is($second->psql($second->url($name), 'select count(*) from evaluations'
                 . " where status = 'completed'") + 0,
   @evaluations + 60,
   'each evaluation has ended once, though a node was killed');

$t->stop;
done_testing();
