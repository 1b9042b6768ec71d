# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The part of util/bench about judges that learn.

use strict;
use warnings;

use JSON::PP ();
use List::Util qw(max);


# Learning from 100,000 examples alone; then, in the service, from 10,000 while
# others read.

sub training {
    my ($t, $done, @essays) = @_;

    my ($status, $out) = $t->run('build/bench_core', 'learn', 100_000, 20,
                               @essays);
    die $out if $status != 0;

    my ($seconds, $mb, $plain, $trained) = split ' ', $out;
    row('100,000 examples x 6 criteria learned in s', $seconds, '', '', '60');
    row('  memory for it, MB', $mb, '', '', '500');
    row('a text of 400 bytes scored as learned, us', $trained, $plain,
        sprintf('%.2f', $trained / $plain), '1.5');

    my $six = $t->new_judge(criteria => [ map {
        { name => $_, description => "$_ of the text." }
    } qw(Cohesion Syntax Vocabulary Phraseology Grammar Conventions) ]);
    my $idle = wrk(path => "/evaluations/$done", connections => 8)->{p99};
    my $job  = learned($t, $six, 10_000, @essays);

    $t->wait_until(sub { training_job($t, $job)->{status} eq 'training' },
                   'the training');
    my @p99;
    while (training_job($t, $job)->{status} !~ /ed$/ || !@p99) {
        push @p99, wrk(path => "/evaluations/$done", connections => 8)->{p99};
    }

    my $r = training_job($t, $job);
    warn "bench     training: $r->{status}\n" if $r->{status} ne 'completed';
    row('reads while a judge learns, p99 in ms (idle)',
        sprintf('%.2f', median(@p99)), sprintf('%.2f', $idle), '', '5 ms');
    row('  the worst of ' . @p99 . ' times 3 s', sprintf('%.2f', max(@p99)),
        '', '', '');
    row('  that took s, of 10,000 x 6',
        sprintf('%.1f', $t->sql1("SELECT completed_at - started_at FROM"
                                 . " training_jobs WHERE id = '$job'")
                        / 1000), '', '', '');
}


sub training_job { $_[0]->get("/training/jobs/$_[1]")->json }


# A job on so many corrected evaluations, executed.

sub learned {
    my ($t, $judge, $n, @essays) = @_;

    my @words = split ' ', join ' ', map { Judge::Nginx::read_file($_) }
                                     @essays;
    my $batch = post($t, '/batches/evaluate', {
        name => 'Bench', judge_ids => [ $judge ], content_items => [ map {
            my $at = $_ * 31 % ($#words - 120);
            { name => "Item $_", text_content => Encode::decode('UTF-8',
                  join(' ', @words[$at .. $at + 60 + $_ % 60]),
                  Encode::FB_DEFAULT) } } 1 .. $n ] })->{batch_id};

    sleep 1 while $t->get("/batches/$batch")->json->{status} eq 'evaluating';

    my @results = grep { $_->{evaluation_id} }
                  map { JSON::PP->new->utf8->decode($_) } split /\n/,
                  $t->get("/batches/$batch/results?format=jsonl")->body;

    while (my @some = splice @results, 0, 2000) {
        post($t, "/batches/$batch/feedback", { feedback_entries => [ map { {
            evaluation_id => $_->{evaluation_id}, type => 'correction',
            content => { corrected_scores => { map {
                $_->{criterion_id} => $_->{score} / 2 + 10
            } @{ $_->{criteria_scores} } } } } } @some ] });
    }

    my $job = post($t, '/training/jobs', { judge_id => $judge,
        training_type => 'full_retrain', training_config => {
            early_stopping => JSON::PP::false } })->{job_id};
    post($t, "/training-jobs/$job/execute", {});

    return $job;
}


sub post {
    my ($t, $path, $body) = @_;

    my $r = $t->post($path, body => JSON::PP->new->utf8->encode($body),
                     headers => [ 'Content-Type' => 'application/json' ]);
    die "bench     $path: ", $r->status, ' ', substr($r->body, 0, 200), "\n"
        if $r->status >= 300;

    return $r->json;
}

1;
