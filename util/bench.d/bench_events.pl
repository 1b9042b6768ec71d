# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/bench events: how soon clients that listen to a batch hear of an item
# that has ended; and a batch and a training job that run, read.

use strict;
use warnings;

use Digest::SHA qw(hmac_sha256_hex);
use IPC::Open2 qw(open2);
use JSON::PP ();
use POSIX ();

use constant { ENDS => 40, CROWDS => [ 1, 100, 1000 ] };


sub events {
    my $t = Judge::Test->new(described => 0, access_log => 'off',
                             connections => 4096,
                             server => 'include static*.conf;');
    my $film = $t->new_judge(content_type => 'video');

    printf "\n%-44s %12s %12s %8s %8s\n", '', 'ms', 'answered in', '',
           'to reach';

    for my $n (@{ CROWDS() }) {
        my ($id, @ends) = films($t, $film, ENDS + 1);
        pop @ends;                     # so that the batch does not end
        my $spent = spent($t);
        my ($answer, @heard) = crowd($t, $n, $id, @ends);
        $spent = (spent($t) - $spent) / $n / ENDS;
        row("an item's end answered, told to $n, median", $heard[0], $answer,
            '', '');
        row('  p99', $heard[1], '', '', '50');
        row('  the longest', $heard[2], '', '', '');
        row('  µs of the workers for one event', int(1e6 * $spent), '', '',
            '') if $n >= 100;
    }

    print "\n";
    my ($id) = films($t, $film, 1);
    against_static($t, 'GET a running batch', '0.75', "/v1/batches/$id");
    against_static($t, 'GET a running training job', '0.75',
                   '/v1/training/jobs/' . job($t));
    $t->quit;
}


# A batch of so many videos, and the callbacks that end them.

sub films {
    my ($t, $judge, $n) = @_;
    our $clips;
    my $json = JSON::PP->new->utf8->canonical;

    my $r = $t->post('/v1/evaluations/social-media', json => {
        judge_id => $judge, urls => [ map {
            'https://vimeo.com/' . (76_979_870 + ++$clips) } 1 .. $n ] });
    my @contents = map { $_->{content_id} } @{ $r->json->{items} };
    my $id = $t->made('/batches/evaluate', 'batch_id', json => {
        name => 'Films', judge_ids => [$judge],
        content_items => [ map { { content_id => $_ } } @contents ] });
    my @criteria = map { $_->{criterion_id} }
                   @{ $t->get("/judges/$judge")->json->{criteria} };

    my %content = map { @$_{qw(id content_id)} } @{ $t->sql(
        "SELECT id, content_id FROM evaluations WHERE batch_id = '$id'") };

    return ($id, map {
        my $body = $json->encode({
            evaluation_id => $_, content_id => $content{$_},
            status => 'completed', results => { criteria_scores => [ map { {
                criterion_id => $_, score => 70, feedback => 'As it is.' }
            } @criteria ] } });
        $json->encode({ body => $body, signature => 'sha256='
            . hmac_sha256_hex($body, $t->org->{secret}) }) . "\n";
    } sort keys %content);
}


# Seconds of processor time of the workers, connecting included.

sub spent {
    my ($t) = @_;
    my $ticks = 0;

    for my $pid ($t->workers) {
        my @stat = split ' ', Judge::Nginx::read_file("/proc/$pid/stat")
                              =~ s/.*\) //r;
        $ticks += $stat[11] + $stat[12];
    }

    return $ticks / POSIX::sysconf(POSIX::_SC_CLK_TCK());
}


sub crowd {
    my ($t, $n, $id, @ends) = @_;

    my $pid = open2(my $says, my $in, 'node', 'util/bench.d/listen.mjs',
                    $t->port, $t->key, $n, "/v1/batches/$id/events");
    print $in @ends;
    close $in;
    my $line = <$says> // die "bench     the listeners failed\n";
    waitpid $pid, 0;

    return map { sprintf '%.1f', $_ } @{ JSON::PP::decode_json($line) };
}


# A job with 50 epochs behind it that stays as it is: nobody has its lease.

sub job {
    my ($t) = @_;

    my $id = $t->made('/training/jobs', 'job_id', json => {
        judge_id => $t->new_judge, training_type => 'validation',
        training_config => {} });
    $t->alter("UPDATE training_jobs SET status = 'training', epoch = 50,"
              . " epochs = 100, progress = 0.5, phase = 'epoch 50',"
              . " started_at = created_at WHERE id = '$id'");
    $t->alter("INSERT INTO training_epochs (org, job_id, epoch, training_loss,"
              . " validation_loss) SELECT org, t.id, value, 1.0 / value,"
              . ' 1.1 / value FROM training_jobs t, json_each(\'['
              . join(',', 1 .. 50) . "]') WHERE t.id = '$id'");

    return $id;
}

1;
