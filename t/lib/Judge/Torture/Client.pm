# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# One client, in a process of its own.  It works only on what it has made
# itself, one thing after the other, so that it knows what has to be there;
# what it learns it writes into its journal, for the model.

package Judge::Torture::Client;

use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use Encode qw(encode_utf8);
use IO::Handle;
use JSON::PP ();

use Judge::JSON;
use POSIX ();
use Time::HiRes qw(sleep time);

use Judge::HTTP;
use Judge::Torture::Random;


my $json = Judge::JSON->new->utf8->canonical;

# What is done, and how often.
my %does = (
    content => 24, upload => 5, twins => 4, left => 6, evaluate => 22,
    batch => 5, start => 3, feedback => 8, judge => 3, change => 6, key => 3,
    suspend => 3, remove_key => 2, job => 2, cancel => 2, look => 14,
    list => 4, slow => 3, remove_content => 9, remove_batch => 3,
    remove_judge => 1,
);

# More of each are not kept: what is beyond is removed first.
my %most = (content => 120, batch => 12, judge => 6, key => 10);

my @words = qw(the a river bridge town night bus letter early because people
               often walk slowly reads writes clear however and then school
               first second reason example wind light under between);


# run(server => a Judge::Torture::Server, number, seed, dir, orders => file):
# works until it is told to stop.

sub run {
    my ($class, %opt) = @_;

    my $self = bless {
        %opt,
        random => Judge::Torture::Random->new($opt{seed} * 64 + $opt{number}),
        parent => getppid,
        n      => 0,
        has    => { map { $_ => [] } qw(content batch judge key job
                                        evaluation) },
    }, $class;

    open $self->{journal}, '>>', "$opt{dir}/journal-$opt{number}"
        or die "journal: $!\n";
    $self->{journal}->autoflush(1);
    open $self->{order}, '<', $opt{orders} or die "orders: $!\n";

    while ((my $order = $self->order) ne 'stop') {
        ($self->{amid}) = $order =~ /^run (\w+)/;
        $order =~ /^pause/ ? $self->pause($order) : $self->act;
    }
}

sub order {
    my ($self) = @_;

    # Nobody is there to give orders any more.
    return 'stop' if getppid != $self->{parent};

    sysseek $self->{order}, 0, 0;
    sysread $self->{order}, my $order, 20;

    return $order =~ s/ +$//r;
}

sub pause {
    my ($self, $order) = @_;

    $self->write({ paused => $order });
    sleep 0.05 while $self->order eq $order;
}

sub act {
    my ($self) = @_;

    my $has  = $self->{has};
    my $does = $self->{random}->weighted(\%does);

    for (sort keys %most) {
        $does = "remove_$_" if @{ $has->{$_} } > $most{$_};
    }

    $does = 'judge' if !@{ $has->{judge} };
    eval { $self->$does; 1 } or $self->bad(driver => "$does: $@");
}


# --- The journal ----------------------------------------------------------

sub write { print { $_[0]{journal} } $json->encode($_[1]), "\n" }

sub note {
    my ($self, $kind, $name, $state, %more) = @_;
    $self->write({ kind => $kind, name => $name, state => $state,
                   said => $self->{said}, %more });
}

# What can be seen to be wrong at once.

sub bad {
    my ($self, $class, $text) = @_;
    $self->write({ bad => $class,
                   text => "client $self->{number}: $text" });
}

sub name {
    my ($self, $kind) = @_;
    return "$kind-$self->{number}-" . ++$self->{n};
}


# --- Requests -------------------------------------------------------------

# The answer; its status is 0 when there was none and -1 when nothing was
# sent.  at_once: nobody waits for the answer (reset or close).

sub ask {
    my ($self, $method, $path, %opt) = @_;

    my $bytes  = $self->{server}->bytes($method, $path, %opt);
    my $client = eval { Judge::HTTP->connect(
        port => $self->{server}->port, timeout => 20,
        rcvbuf => $opt{rcvbuf}) } or sleep(0.1), return none(-1);

    my %slowly = $opt{slowly} ? (chunk => 1 + int(length($bytes) / 5),
                                 delay => 0.02) : ();

    # Who reads slowly leaves what has come in the kernel.
    $client->send($bytes, %slowly);
    sleep $opt{rcvbuf} ? 0.5 : 0;

    my $response = $client->response(method => $method) // none(0);
    $client->close;
    $self->{said} = join ' ', $method, $path, @{ $opt{headers} // [] }, '->',
                              $response->status, $response->detail // '';
    $self->write({ slow => "$method $path" })
        if !$response->status && !$client->{eof};

    return $response;
}

sub none {
    return bless { status => $_[0], reason => '', headers => {}, head => '',
                   body => '' }, 'Judge::HTTP::Response';
}

sub failed { $_[0]->status >= 500 || $_[0]->status == 429 }

# Whether the answer says nothing about what was done.  Without memory it can
# fail behind the commit.  A commit whose sync fails is refused, but stands in
# SQLite's log until the next one overwrites it: where all processes die before
# that, the next start takes it up.

sub unsure {
    my ($self, $r) = @_;

    return $r->status == 0
           || $r->status == 500 && $self->{amid} eq 'memory'
           || $r->status >= 500 && $self->{amid} eq 'dirty';
}


# Makes something: its state and the answer.  With a key of its own it is
# sent again until there is an answer.

sub make {
    my ($self, $path, $body, %opt) = @_;

    my $key     = $self->{random}->chance(0.5) ? "i$self->{number}-$self->{n}"
                                               : undef;
    my @headers = (defined $key ? ('Idempotency-Key' => $key) : (),
                   $opt{wait} ? (Prefer => "wait=$opt{wait}") : ());
    my $lost    = 0;

    for my $try (1 .. 40) {
        my $r = $self->ask(POST => $path, json => $body, headers => \@headers,
                           slowly => $self->{random}->chance(0.03));
        my $s = $r->status;

        return (there => $r) if $s == 201;

        $lost ||= $self->unsure($r);
        my $again = defined $key && ($lost || $s == -1);
        return ($lost ? 'maybe' : 'never', $r) if !$again;

        sleep 0.25;
    }

    return ($lost ? 'maybe' : 'never', none(0));
}


# Changes or removes something: its state, given the one when it is done.

sub change_it {
    my ($self, $method, $path, $done, $unsure, %opt) = @_;

    my $r = $self->ask($method, $path, %opt);
    my $s = $r->status;

    $self->bad(lost => "$method $path: 404") if $s == 404;

    return ($s >= 200 && $s < 300 ? $done
            : $self->unsure($r)   ? $unsure : undef, $r);
}


# --- Contents -------------------------------------------------------------

sub text {
    my ($self, $name) = @_;

    my $random = $self->{random};
    my $words  = $random->chance(0.04) ? 20_000 + $random->int(20_000)
               : $random->chance(0.2)  ? $random->int(2000)
               :                         5 + $random->int(120);
    my @some   = map { $random->pick(@words) } 1 .. 50;

    return "\u$name. " . join(' ', map { $some[$_ % 50] . ($_ % 9 ? '' : '.') }
                                   1 .. $words);
}

sub sum {
    my ($text) = @_;
    return join ':', length $text, substr($text, 0, 40), substr($text, -40);
}

sub keep_content {
    my ($self, $name, $id, $text) = @_;

    push @{ $self->{has}{content} },
         { name => $name, id => $id, md5 => md5_hex(encode_utf8($text)),
           judges => {} };
}

sub content {
    my ($self) = @_;

    my $name = $self->name('content');
    my $text = $self->text($name);
    my ($state, $r) = $self->make('/content', {
        name => $name, file_type => 'text', text_content => $text });
    my $id = $state eq 'there' ? $r->json->{id} : undef;

    $self->note(content => $name, $state, id => $id, sums => [ sum($text) ]);
    return if !defined $id;

    $self->keep_content($name, $id, $text);
    $self->look if $self->{random}->chance(0.2);
}


# A file by way of a place that is promised first.

sub upload {
    my ($self) = @_;

    my $name = $self->name('content');
    my $text = $self->text($name);
    my ($state, $r) = $self->make('/v1/evaluations/presigned-upload', {
        name => $name, file_type => 'text', file_extension => 'txt' });

    $self->note(content => $name, 'maybe', part => 1);
    return if $state ne 'there';

    my $promise = $r->json;
    my ($path)  = $promise->{upload_url} =~ m{^http://[^/]+(/.*)};

    $r = $self->ask(PUT => $path, key => undef, body => $text,
                    headers => [ %{ $promise->{headers} } ],
                    slowly => $self->{random}->chance(0.3));

    if ($r->status != 200) {
        $self->write({ counts => $self->unsure($r) ? 'unknown' : 'refused' });
        return;
    }

    $self->note(content => $name, 'there', id => $promise->{content_id},
                sums => [ sum($text) ]);
}


# The same request twice at the same time.

sub twins {
    my ($self) = @_;

    my $name  = $self->name('content');
    my $text  = $self->text($name);
    my $bytes = $self->{server}->bytes(POST => '/content',
        headers => [ 'Idempotency-Key' => "t$name" ],
        json => { name => $name, file_type => 'text',
                  text_content => $text });
    my @clients = grep { $_ } map { scalar eval { Judge::HTTP->connect(
        port => $self->{server}->port, timeout => 20) } } 1, 2;

    $_->send($bytes) for @clients;
    my @r = map { $_->response // none(0) } @clients;
    $_->close for @clients;

    my %ids   = map { $_->json->{id} => 1 } grep { $_->status == 201 } @r;
    my @ids   = keys %ids;
    my $state = @ids                              ? 'there'
              : (grep { $self->unsure($_) } @r)   ? 'maybe' : 'never';

    $self->bad(doubled => "$name by one Idempotency-Key: @ids") if @ids > 1;
    $self->note(content => $name, $state, id => $ids[0],
                sums => [ sum($text) ]);
    $self->keep_content($name, $ids[0], $text) if @ids;
}


# Leaves in the middle of the request or just behind it.

sub left {
    my ($self) = @_;

    my $random = $self->{random};
    my $name   = $self->name('content');
    my $text   = $self->text($name);
    my $bytes  = $self->{server}->bytes(POST => '/content', json => {
        name => $name, file_type => 'text', text_content => $text });
    my $whole  = $random->chance(0.5);
    my $how    = $random->pick(qw(close reset));
    my $client = eval { Judge::HTTP->connect(
        port => $self->{server}->port, timeout => 20) };

    substr $bytes, $random->int(length($bytes) - 1) + 1, length $bytes, ''
        if !$whole;
    $self->note(content => $name, $client && $whole ? 'maybe' : 'never',
                sums => [ sum($text) ]);
    return if !$client;

    $client->send($bytes);
    sleep $random->pick(0, 0, 0.002, 0.02);
    $client->$how;
}


sub remove_content {
    my ($self) = @_;

    my $list    = $self->{has}{content};
    my $content = splice @$list, $self->{random}->int(scalar @$list), 1
        or return;
    my ($state) = $self->change_it(DELETE => "/content/$content->{id}",
                                   'gone', 'going');

    return $self->refused($list, $content) if !$state;

    $self->note(content => $content->{name}, $state);
    $self->drop_evaluations(content => $content->{name});

    $self->gone("/content/$content->{id}") if $state eq 'gone';
}

# The answer was an error: it is still there.

sub refused {
    my ($self, $list, $thing) = @_;
    push @$list, $thing if $list;
    $self->write({ counts => 'refused' });
}

sub gone {
    my ($self, $path) = @_;
    my $r = $self->ask(GET => $path);
    $self->bad(undone => "GET $path after its deletion: 200")
        if $r->status == 200;
}

sub drop_evaluations {
    my ($self, $of, $name) = @_;
    my $list = $self->{has}{evaluation};
    @$list = grep { ($_->{$of} // '') ne $name } @$list;
}


# --- Evaluations and batches ----------------------------------------------

sub evaluate {
    my ($self) = @_;

    my $random  = $self->{random};
    my $has     = $self->{has};
    my $judge   = $random->pick(@{ $has->{judge} });
    my $content = $random->pick(grep { !$_->{judges}{ $judge->{name} } }
                                @{ $has->{content} }) or return;

    $content->{judges}{ $judge->{name} } = 1;
    $self->name('evaluation');

    my ($state, $r) = $self->make('/evaluations/single', {
        judge_id => $judge->{id}, content_id => $content->{id},
        $random->chance(0.2) ? (priority => $random->pick(qw(low high))) : (),
    }, wait => $random->chance(0.3) ? 5 : 0);

    $self->add_evaluation($state, $content, $judge, undef,
        $state eq 'there' ? $r->json->{evaluation_id} : undef);
}

sub add_evaluation {
    my ($self, $state, $content, $judge, $batch, $id, %more) = @_;

    my $name = join '|', $content->{name}, $judge->{name}, $batch // '';

    $self->note(evaluation => $name, $state, id => $id, %more, of => [
        [ content => $content->{name} ],
        defined $batch ? [ batch => $batch ] : () ]);

    push @{ $self->{has}{evaluation} },
         { name => $name, id => $id, content => $content->{name},
           batch => $batch } if defined $id;

    splice @{ $self->{has}{evaluation} }, 0, -100;
}


sub batch {
    my ($self) = @_;

    my $random = $self->{random};
    my $has    = $self->{has};
    my $name   = $self->name('batch');
    my $n      = $random->chance(0.05) ? 80 : 2 + $random->int(10);
    my @texts  = map { { name => "$name.$_", text => substr $self->text(
                         "$name.$_"), 0, 3000 } } 1 .. $n;
    my @old    = map { $random->pick(@{ $has->{content} }) // () } 1 .. 2;
    my @judges = ($random->shuffle(@{ $has->{judge} }))[0, 1];
    @judges    = grep { $_ } @judges;

    my ($state, $r) = $self->make('/batches/evaluate', {
        name => $name, judge_ids => [ map { $_->{id} } @judges ],
        auto_start => $random->chance(0.8) ? JSON::PP::true : JSON::PP::false,
        content_items => [
            (map { { name => $_->{name}, text_content => $_->{text} } }
                 @texts),
            (map { { content_id => $_->{id} } } @old) ],
    });
    my $id   = $state eq 'there' ? $r->json->{batch_id} : undef;
    my %with = (part => 1, with => [ batch => $name ]);
    my $each = $state eq 'maybe' ? 'with' : $state;
    my %seen;

    $self->note(batch => $name, $state, id => $id);
    $self->note(content => $_->{name}, $each, %with,
                sums => [ sum($_->{text}) ]) for @texts;

    for my $content (@texts, grep { !$seen{ $_->{name} }++ } @old) {
        $self->add_evaluation($each, $content, $_, $name, undef, %with)
            for @judges;
    }

    push @{ $has->{batch} }, { name => $name, id => $id } if defined $id;
}

sub start {
    my ($self) = @_;

    my $batch = $self->{random}->pick(@{ $self->{has}{batch} }) or return;
    $self->change_it(POST => "/batches/$batch->{id}/start", 1, 1);
}

sub remove_batch {
    my ($self) = @_;

    my $list  = $self->{has}{batch};
    my $batch = splice @$list, $self->{random}->int(scalar @$list), 1
        or return;
    my ($state) = $self->change_it(DELETE => "/batches/$batch->{id}",
                                   'gone', 'going');

    return $self->refused($list, $batch) if !$state;

    $self->note(batch => $batch->{name}, $state);
    $self->gone("/batches/$batch->{id}") if $state eq 'gone';
}

sub feedback {
    my ($self) = @_;

    my $of   = $self->{random}->pick(@{ $self->{has}{evaluation} }) or return;
    my $name = $self->name('feedback');
    my ($state, $r) = $self->make("/feedback/evaluation/$of->{id}",
        $self->{random}->pick(
            { type => 'comment', content => { comment => $name } },
            { type => 'rating', content => { comment => $name,
                                             rating => 4 } },
            { type => 'approval', content => { comment => $name,
                                               approved => JSON::PP::true } },
        ));

    $self->note(feedback => $name, $state,
                id => $state eq 'there' ? $r->json->{feedback_id} : undef,
                of => [ [ evaluation => $of->{name} ] ]);
}


# --- Judges, keys, training jobs ------------------------------------------

sub judge {
    my ($self) = @_;

    my $name = $self->name('judge');
    my ($state, $r) = $self->make('/judges', {
        name => $name, description => "$name.v", content_type => 'text',
        criteria => [ map { { name => $_, description => "\u$_ of it." } }
                      qw(grammar structure) ] });
    my $id = $state eq 'there' ? $r->json->{judge_id} : undef;

    $self->note(judge => $name, $state, id => $id);
    $self->note(version => "$name.v", $state eq 'maybe' ? 'with' : $state,
                part => 1, with => [ judge => $name ]);
    push @{ $self->{has}{judge} }, { name => $name, id => $id }
        if defined $id;
}

sub change {
    my ($self) = @_;

    my $judge = $self->{random}->pick(@{ $self->{has}{judge} });
    my $name  = $self->name('version');
    my ($state, $r) = $self->change_it(PUT => "/judges/$judge->{id}",
        'there', 'maybe', json => { description => $name });

    $self->note(version => $name, $state // 'never');
}

sub remove_judge {
    my ($self) = @_;

    my $list    = $self->{has}{judge};
    my $judge   = shift @$list;
    my ($state, $r) = $self->change_it(DELETE => "/judges/$judge->{id}",
                                       'gone', 'going');

    # In use, most often.
    return $self->refused($list, $judge) if !$state;

    $self->note(judge => $judge->{name}, $state);
}


sub key {
    my ($self) = @_;

    my $name = $self->name('key');
    my ($state, $r) = $self->make('/api-keys', {
        name => $name, permissions => [ 'judges:read' ] });
    my $made = $state eq 'there' ? $r->json : {};

    $self->note(key => $name, $state, id => $made->{api_key_id},
                sums => [ 'active' ]);
    push @{ $self->{has}{key} }, { name => $name, id => $made->{api_key_id},
                                   key => $made->{api_key} }
        if $state eq 'there';
}

sub suspend {
    my ($self) = @_;

    my $key = $self->{random}->pick(@{ $self->{has}{key} }) or return;
    my ($state) = $self->change_it(PATCH => "/api-keys/$key->{id}",
        'done', 'unknown', json => { status => 'suspended' });

    return $self->refused if !$state;

    $self->note(key => $key->{name}, 'there', sums => $state eq 'done'
                ? [ 'suspended' ] : [ qw(active suspended) ],
                counts => $state eq 'done' ? 'acknowledged' : 'unknown');
    $self->locked_out($key) if $state eq 'done';
}

sub remove_key {
    my ($self) = @_;

    my $key = shift @{ $self->{has}{key} } or return;
    my ($state) = $self->change_it(DELETE => "/api-keys/$key->{id}",
                                   'gone', 'going');

    return $self->refused($self->{has}{key}, $key) if !$state;

    $self->note(key => $key->{name}, $state);
    $self->locked_out($key) if $state eq 'gone';
}

# Within a quarter of a second; here it may take four times as long.

sub locked_out {
    my ($self, $key) = @_;

    return if !defined $key->{key} || $self->{random}->chance(0.5);

    sleep 1;
    my $r = $self->ask(GET => '/judges?limit=1', key => $key->{key});
    $self->bad(undone => "$key->{name} is taken, although suspended or gone")
        if $r->status == 200;
}


sub job {
    my ($self) = @_;

    my $judge = $self->{random}->pick(@{ $self->{has}{judge} });
    my $name  = $self->name('job');
    my $mail  = "$name\@localhost.example";
    my ($state, $r) = $self->make('/training/jobs', {
        judge_id => $judge->{id}, training_type => 'incremental',
        training_config => {},
        execution_options => { notification_email => $mail } });
    my $id = $state eq 'there' ? $r->json->{job_id} : undef;

    $self->note(job => $name, $state, id => $id, sums => [ 'created' ]);
    push @{ $self->{has}{job} }, { name => $name, id => $id } if defined $id;
}

sub cancel {
    my ($self) = @_;

    my $job = shift @{ $self->{has}{job} } or return;
    my ($state) = $self->change_it(POST => "/training-jobs/$job->{id}/cancel",
                                   'done', 'unknown');

    return $self->refused($self->{has}{job}, $job) if !$state;

    $self->note(job => $job->{name}, 'there', sums => $state eq 'done'
                ? [ 'cancelled' ] : [ qw(created cancelled) ],
                counts => $state eq 'done' ? 'acknowledged' : 'unknown');
}


# --- Reading --------------------------------------------------------------

sub look {
    my ($self, %opt) = @_;

    my $content = $self->{random}->pick(@{ $self->{has}{content} }) or return;
    my $r = $self->ask(GET => "/content/$content->{id}", %opt);

    return if failed($r) || $r->status < 1;

    $self->bad(lost => "GET $content->{name}: " . $r->status), return
        if $r->status != 200;
    $self->bad(changed => "GET $content->{name}: another text")
        if md5_hex(encode_utf8($r->json->{text_content} // ''))
           ne $content->{md5};
}

sub list {
    my ($self) = @_;

    my $path = $self->{random}->pick('/content?limit=100', '/evaluations',
        '/batches', '/judges?limit=200', '/webhooks/deliveries?limit=50',
        '/training/jobs', '/api-keys');
    my $r = $self->ask(GET => $path);

    $self->bad(answers => "GET $path: " . $r->status)
        if $r->status > 0 && $r->status != 200 && !failed($r);
}

# Takes the results of a batch or a text a little at a time, or leaves.

sub slow {
    my ($self) = @_;

    my $batch = $self->{random}->pick(@{ $self->{has}{batch} });

    return $self->look(rcvbuf => 4096)
        if !$batch || $self->{random}->chance(0.3);

    my $path = "/batches/$batch->{id}/" . $self->{random}->pick(
        'results?format=jsonl', 'results?format=csv', 'events');
    my $client = eval { Judge::HTTP->connect(
        port => $self->{server}->port, rcvbuf => 4096) } or return;

    $client->send($self->{server}->bytes(GET => $path));
    for (1 .. 1 + $self->{random}->int(20)) {
        last if !$client->fill(time() + 0.1);
        sleep 0.02;
    }
    $client->{in} = '';
    $client->reset;
}


1;
