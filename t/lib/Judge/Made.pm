# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What tests make over and over, as methods of Judge::Test: judges, contents,
# evaluations and batches, waiting for them, and what workers take.

package Judge::Made;

use strict;
use warnings;

use Encode ();
use JSON::PP ();


# Creates one with these fields over some defaults; its identifier.  Fields may
# be the options org, key and headers of a request, too.

sub new_judge {
    my ($self, %fields) = @_;

    my %opt = options(\%fields);

    return $self->made('/api-key/judges', 'judge_id', %opt, json => {
        name         => 'Essays',
        description  => 'How well an essay is written.',
        content_type => 'text',
        criteria     => [
            { name => 'Grammar',
              description => 'Correct grammar, spelling and punctuation.' },
            { name => 'Spelling',
              description => 'Correct spelling and punctuation.' },
        ],
        %fields,
    });
}

# One whose criteria a language model judges, because nothing else does.

sub new_model_judge {
    my ($self, %fields) = @_;

    return $self->new_judge(criteria => [
        { name => 'Wit', description => 'It makes the reader smile.' },
        { name => 'Courtesy of the host',
          description => 'The host is kind to each guest.' },
    ], %fields);
}

sub new_content {
    my ($self, $text, %fields) = @_;

    my %opt = options(\%fields);

    return $self->made('/content', 'id', %opt, json => {
        name => 'A text', file_type => 'text', text_content => $text, %fields,
    });
}

sub new_evaluation {
    my ($self, $judge, $content, %fields) = @_;

    my %opt = options(\%fields);

    return $self->made('/evaluations/single', 'evaluation_id', %opt, json => {
        judge_id => $judge, content_id => $content, %fields,
    });
}

# Waits until the evaluation has ended; its record.  evaluated() is for one
# that has to complete: a failed one ends the test.

sub evaluated {
    my ($self, $id, %opt) = @_;

    my $record = $self->ended($id, %opt);
    my $error  = $record->{error} // {};

    die "evaluation $id failed: $error->{code}: $error->{message}\n"
        if $record->{status} ne 'completed';

    return $record;
}

sub ended {
    my ($self, $id, %opt) = @_;

    my $record;

    $self->wait_until(sub {
        $record = $self->get("/evaluations/$id", %opt)->json;
        return ($record->{status} // '') =~ /^(completed|failed)$/;
    }, "evaluation $id");

    return $record;
}

# A batch of texts, or of items, for one judge or several; its identifier.

sub new_batch {
    my ($self, $judges, $items, %fields) = @_;

    my %opt = options(\%fields);
    my $n   = 0;

    return $self->made('/batches/evaluate', 'batch_id', %opt, json => {
        name          => 'Texts',
        judge_ids     => ref $judges ? $judges : [$judges],
        content_items => [ map { $n++;
            ref $_ ? $_ : { name => "Text $n", text_content => $_ }
        } @$items ],
        %fields,
    });
}

# Waits until the batch has ended; its record.  batch_completed() is for one
# that has to complete: a failed one ends the test.

sub batch_completed {
    my ($self, $id, %opt) = @_;

    my $record = $self->batch_ended($id, %opt);

    die "batch $id failed\n" if $record->{status} ne 'completed';

    return $record;
}

sub batch_ended {
    my ($self, $id, %opt) = @_;

    my $record;

    $self->wait_until(sub {
        $record = $self->get("/batches/$id", %opt)->json;
        return ($record->{status} // '') =~ /^(?:completed|failed)$/;
    }, "batch $id", 180);

    return $record;
}

# One that has completed; its identifier.

sub judged_batch {
    my ($self, $judges, $items, %fields) = @_;

    my %opt = map { $_ => $fields{$_} } grep { exists $fields{$_} }
              qw(key org);
    my $id  = $self->new_batch($judges, $items, %fields);

    $self->batch_completed($id, %opt);
    return $id;
}

# Its results, all of them.

sub batch_results {
    my ($self, $id) = @_;

    return map { JSON::PP->new->utf8->decode($_) } split /\n/,
           $self->get("/batches/$id/results?format=jsonl")->body;
}

# Waits until the training job has ended; its record, with what it logged.

sub job_ended {
    my ($self, $id, %opt) = @_;

    my $record;

    $self->wait_until(sub {
        $record = $self->get("/training/jobs/$id?include_logs=true", %opt)
                    ->json;
        return ($record->{status} // '')
               =~ /^(?:completed|failed|cancelled)$/;
    }, "job $id", 120);

    return $record;
}

# Waits until all feedback is processed.

sub feedback_processed {
    my ($self) = @_;

    $self->wait_until(sub {
        !$self->sql1('select count(*) from feedback where processed = 0')
    }, 'the feedback');
}

sub options {
    my ($fields) = @_;
    return map { exists $fields->{$_} ? ($_ => delete $fields->{$_}) : () }
           qw(key org headers);
}


# Six sentences of an evening, and the same six with slips in each.

sub evening {
    return ([ 'The club meets in the old school.', 'Everybody brings a lamp.',
              'We read what the others wrote.', 'Some of it makes us laugh.',
              'Then there is tea, and a song.',
              'At nine we walk home together.' ],
            [ 'The club meet in a old scool.', 'Everybody bring an lamp.',
              'We reads what the other have wrote.',
              'Some of them makes we laugh.',
              'Than their is tea, and an song.',
              'At nine we walks home togeter.' ]);
}


# The texts of t/data/essays: name => text.

sub essays {
    my %essays;

    my $folder = Judge::Nginx->repo . '/t/data/essays';

    for my $path (glob "$folder/*.txt") {
        my ($name) = $path =~ m{([^/]+)\.txt$};
        my $text   = Judge::Nginx::read_file($path);
        $essays{$name} = Encode::decode('UTF-8', $text);
    }

    return %essays;
}


# The most memory that each worker has had so far, in kB, of all together.

sub peak_memory {
    my ($self) = @_;
    my $sum = 0;

    for ($self->workers) {
        my $text = Judge::Nginx::read_file("/proc/$_/status") // '';
        $sum += $1 if $text =~ /^VmHWM:\s+(\d+) kB/m;
    }

    return $sum;
}


# Ticks of the processor that the only worker has taken, or its event loop
# alone.

sub ticks {
    my ($self, $loop) = @_;
    my ($pid) = $self->workers;
    my $stat = $loop ? "/proc/$pid/task/$pid/stat" : "/proc/$pid/stat";

    return (split ' ', Judge::Nginx::read_file($stat))[13];
}


1;
