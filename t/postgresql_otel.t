# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Two nodes on one PostgreSQL that send results to a collector: each event is
# sent once, whichever node judged, and a node that dies leaves to the other
# one what it had noted, and what it was just sending.

use Judge::Docs;
use Judge::Test;
use Judge::OTLP;
use Judge::Receiver;

my $server    = Judge::Postgresql->start;
my $url       = $server->database;
my $collector = Judge::Receiver->start;
my $taken     = '/hex/200/7b7d';

# A node has the first lines of the page, with an address of its own at the
# collector.

my ($lines) = Judge::Docs->blocks('docs/otel.md', 'OpenTelemetry', 'nginx', 1);

sub node {
    my ($name, %opt) = @_;
    my $conf = $lines;

    $conf =~ s{http://127\.0\.0\.1:4318/v1/logs}{$collector->url("/as/$name")}e
        or die 'no collector';
    $collector->set($name => $taken);
    return Judge::Test->new(address => $url, server => $conf, %opt);
}

my $first  = node('first');
my $second = node('second', orgs => 0);
$second->{orgs} = $first->{orgs};

my $judge = $first->new_judge(criteria => [
    { name => 'Length', description => 'At most 2 words.' } ]);

sub judged {
    my ($node) = @_;
    my $r = $node->post('/evaluations/single', json => {
        judge_id => $judge, text_content => 'Buses run at night.' });
    die $r->body if $r->status != 201;
    $node->ended($r->json->{evaluation_id});
    return $r->json->{evaluation_id};
}

sub waiting { $server->psql($url, 'select count(*) from exports') + 0 }

# How often each evaluation has come from a node, or from both.

sub sent {
    my (@from) = @_ ? map { "/as/$_" } @_ : ();
    my %times;

    for my $request ($collector->requests) {
        next if @from && !grep { $_ eq $request->{path} } @from;
        my ($errors, @records) = Judge::OTLP::logs($request->{body});
        die "@$errors" if @$errors;
        $times{ $_->{attributes}{'judge.evaluation.id'} }++
            for grep { !$_->{attributes}{'judge.criterion.id'} } @records;
    }
    return \%times;
}

# What the second node has not sent.  While the first one is dead, nobody else
# forgets what waits, and a node forgets only what was taken.

sub unsent {
    my $sent = sent('second');
    return grep { !$sent->{$_} } @_;
}

# --- Both are well -----------------------------------------------------------

my @all;
for (1 .. 20) {
    push @all, judged($first), judged($second);
}
$first->comes_true(sub {
    push @all, judged($first), judged($second);
    %{ sent('first') } && %{ sent('second') };
}, 'both nodes send');

my $batch = $first->post('/batches/evaluate', json => {
    name => 'Many', judge_ids => [ $judge ],
    content_items => [ map { { name => "Text $_",
                               text_content => "Trams run $_." } } 1 .. 252 ]
});
status_is($batch, 201, 'a large batch is made');
my $of = $batch->json->{batch_id};
$first->comes_true(sub {
    $first->get("/batches/$of")->json->{status} eq 'completed'
}, 'a large batch completes');
push @all, map { $_->[0] } map { [ split ] } split /\n/, $server->psql($url,
    "select id from evaluations where batch_id = '$of'");
$first->comes_true(sub { !waiting() }, 'all that waited is sent');
is_deeply(sent(), { map { $_ => 1 } @all }, 'each event is sent once');

# --- One dies with what it has noted ----------------------------------------

$collector->set($_ => '/status/503') for qw(first second);
my @noted = map { judged($first) } 1 .. 5;
$first->crash;
is(waiting(), 5, 'a node that dies leaves what it had noted');
$collector->set(second => $taken);
$second->comes_true(sub { !waiting() },
                    'nothing is left of what the dead node had noted');
is(join(' ', unsent(@noted)), '', 'the other node has sent what was noted');
$first->start;

# --- One dies while it sends -------------------------------------------------

$collector->set(first => '/hang');
$collector->set(second => '/status/503');
$collector->clear;
my @claimed;
$first->comes_true(sub {
    push @claimed, judged($first);
    grep { $_->{path} eq '/as/first' } $collector->requests;
}, 'a node is sending');
my @sending = keys %{ sent('first') };
$first->crash;
is($server->psql($url, 'select count(*) from exports where id in ('
                       . join(', ', map { "'$_'" } @sending) . ')') + 0,
   @sending, 'what a node was sending when it died is kept');

$collector->set(second => $taken);
$server->psql($url, 'update exports set queue_at = 1');   # its lease ends
$second->comes_true(sub { !waiting() },
                    'nothing is left of what the dead node was sending');
is(join(' ', unsent(@claimed)), '', 'the other node has sent all');

$second->stop;
done_testing;
