# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What stands in the store, as Judge::Torture::Model wants it, and what must
# hold in it whatever the clients did.  For quiet points: nothing is under way.

package Judge::Torture::View;

use strict;
use warnings;

use Judge::Nginx ();
use lib Judge::Nginx->repo . '/util/gen/lib';
use Postgresql ();


# name, id and sum of each row of a kind.
my %rows = (
    judge => <<'SQL',
select v.name, j.id from judges j left join judge_versions v
    on v.org = j.org and v.judge_id = j.id and v.version = j.version
where j.deleted_at is null
SQL
    version => <<'SQL',
select description as name, judge_id || ':' || version as id
from judge_versions
SQL
    batch => 'select name, id from batches',
    content => <<'SQL',
select name, id, coalesce(length(text_content) || ':'
    || substr(text_content, 1, 40) || ':' || substr(text_content, -40),
    status) as sum
from contents
SQL
    evaluation => <<'SQL',
select coalesce(c.name, '?') || '|' || coalesce(v.name, '?') || '|'
    || coalesce(b.name, '') as name, e.id
from evaluations e
left join contents c on c.org = e.org and c.id = e.content_id
left join judge_versions v on v.org = e.org and v.judge_id = e.judge_id
    and v.version = e.judge_version
left join batches b on b.org = e.org and b.id = e.batch_id
SQL
    feedback => <<'SQL',
select json_extract(content, '$.comment') as name, id from feedback
SQL
    key => <<'SQL',
select name, id, status as sum from api_keys where name like 'key-%'
SQL
    job => <<'SQL',
select replace(json_extract(options, '$.notification_email'),
    '@localhost.example', '') as name, id, status as sum
from training_jobs
SQL
);


# Rows that must not be: what is wrong, and which.
my %wrong = (
    'counts of a batch are not those of its rows' => <<'SQL',
select b.name, b.status, b.total, b.completed, b.failed, r.* from batches b
left join (select org, batch_id, count(*) as n,
        sum(case when status = 'completed' then 1 else 0 end) as done,
        sum(case when status = 'failed' then 1 else 0 end) as bad
    from evaluations where batch_id is not null group by org, batch_id) r
on r.org = b.org and r.batch_id = b.id
where b.total <> coalesce(r.n, 0) or b.completed <> coalesce(r.done, 0)
    or b.failed <> coalesce(r.bad, 0)
SQL
    'a batch whose evaluations have ended has not' => <<'SQL',
select name, status, total, completed, failed from batches
where status = 'evaluating' and completed + failed >= total
SQL
    'an evaluation that has ended has no result' => <<'SQL',
select e.id, e.status, r.status as result from evaluations e
left join results r on r.org = e.org and r.evaluation_id = e.id
left join results_together t on t.org = e.org
    and t.number = e.result / 64
where e.status in ('completed', 'failed') and t.number is null
    and (r.status is null or r.status <> e.status)
SQL
    'a result without its evaluation' => <<'SQL',
select r.evaluation_id from results r
left join evaluations e on e.org = r.org and e.id = r.evaluation_id
where e.status is null or e.status <> r.status
SQL
    'an evaluation that nobody will ever do' => <<'SQL',
select e.id, e.status, b.status as batch from evaluations e
left join batches b on b.org = e.org and b.id = e.batch_id
left join uploads u on u.org = e.org and u.evaluation_id = e.id
left join queue_ranges r on r.org = e.org and r.batch_id = e.batch_id
    and e.id between r.first and r.last
where e.status = 'processing' and e.queue_at is null and u.id is null
    and r.first is null and coalesce(b.status, '') <> 'created'
SQL
    'feedback without its evaluation' => <<'SQL',
select f.id from feedback f
left join evaluations e on e.org = f.org and e.id = f.evaluation_id
where e.id is null
SQL
    'versions of a judge are not on_server one by one' => <<'SQL',
select judge_id, count(*) as n, max(version) as latest from judge_versions
group by org, judge_id having count(*) <> max(version)
SQL
    'a body of a delivery without its row, or the reverse' => <<'SQL',
select d.id, b.id as body from deliveries d
left join delivery_bodies b on b.org = d.org and b.id = d.id
where b.id is null
union all select d.id, b.id from delivery_bodies b
left join deliveries d on d.org = b.org and d.id = b.id where d.id is null
SQL
);

my $waiting = <<'SQL';
select (select count(*) from evaluations where queue_at is not null)
    + (select count(*) from queue_ranges)
    + (select count(*) from feedback where queue_at is not null)
    + (select count(*) from uploads where status = 'received') as n
SQL


# The store of this server.

sub new {
    my ($class, $server) = @_;
    return bless { server => $server, ended => {}, events => {}, news => [] },
                 $class;
}

# What stands here is written for SQLite.

sub on_server { $_[0]{server}->store =~ m{://} }

sub sql {
    my ($self, $sql) = @_;

    if ($self->on_server) {
        $sql = Postgresql::statement($sql =~ s{\s+}{ }gr)
               =~ s/\bsubstr\((\w+), -(\d+)\)/right($1, $2)/gr;
    }
    return $self->{server}->sql($sql);
}

sub alter {
    my ($self, $sql) = @_;

    return $self->{server}->alter($sql) if !$self->on_server;
    Judge::Postgresql->psql($self->{server}->store, $sql);
}


# Every evaluation that ends leaves a row behind.

sub watch {
    my ($self) = @_;

    my $trigger = <<'SQL';
CREATE TRIGGER test_end AFTER UPDATE OF status ON evaluations
    WHEN new.status IN ('completed', 'failed')
    BEGIN INSERT INTO test_ends VALUES (new.id, new.status); END;
SQL
    $self->alter('CREATE TABLE test_ends (id TEXT, status TEXT); '
                 . ($self->on_server ? Postgresql::migration($trigger)
                                     : $trigger));
}


# How much is still to be done by the service.

sub waiting { $_[0]->sql($waiting)->[0]{n} }

# A file that was received is leased to the worker that reads it for five
# minutes, also where the store then fails to take the outcome: this ends the
# leases.

sub hurry_uploads {
    my ($self) = @_;
    $self->alter("update uploads set queue_at = 1"
                           . " where status = 'received'");
}

sub rows {
    my ($self) = @_;

    my %view;

    for my $kind (keys %rows) {
        for my $row (@{ $self->sql($rows{$kind}) }) {
            push @{ $view{$kind}{ delete $row->{name} // '?' } }, $row;
        }
    }

    return \%view;
}


# Faults as [ class, text ].

sub wrong {
    my ($self) = @_;

    my @faults;

    for my $what (sort keys %wrong) {
        for my $row (@{ $self->sql($wrong{$what}) }) {
            push @faults, [ inconsistent => "$what: " . join ', ',
                map { "$_ " . ($row->{$_} // 'null') } sort keys %$row ];
        }
    }

    return @faults if $self->on_server;

    my $check = $self->sql('pragma integrity_check')->[0]{integrity_check};
    push @faults, [ inconsistent => "integrity_check: $check" ]
        if $check ne 'ok';

    return @faults;
}


# --- Ends and events ------------------------------------------------------

# Evaluations that ended twice, or without exactly one event; events that
# nobody made.  `news` returns what the receiver got since its last call: what
# came before the store is read must be in it, and what is delivered there has
# come before the next call.  What is settled is taken out of the store, so
# that a long run does not fill it.

sub events {
    my ($self, $news) = @_;

    my ($events, $ended) = @$self{qw(events ended)};
    my @before = (@{ $self->{news} }, $news->());
    my (@faults, @new, %of);

    for my $row (@{ $self->sql('select id, status from test_ends') }) {
        push @faults, [ twice => "evaluation $row->{id} ended again" ]
            if $ended->{ $row->{id} }++;
        push @new, $row;
    }

    for my $row (@{ $self->sql(<<'SQL') }) {
select d.event_id, d.type, d.status, json_extract(b.data,
    '$.evaluation_id') as evaluation
from deliveries d join delivery_bodies b on b.org = d.org and b.id = d.id
SQL
        my $known = $events->{ $row->{event_id} } //= {};
        $known->{status} = $row->{status};
        $of{ "$row->{type} $row->{evaluation}" }++
            if $row->{type} =~ /^evaluation\.(?:completed|failed)$/;
    }

    for my $row (@new) {
        my $n = $of{ "evaluation.$row->{status} $row->{id}" } // 0;
        push @faults, [ events => "$n events of the end of $row->{id},"
                                  . " which is $row->{status}" ] if $n != 1;
    }

    for (@before) {
        my ($how, $id, $genuine) = @$_;
        push @faults, [ events => "$id arrived, and is not in the store" ]
            if !$events->{$id};
        push @faults, [ events => "$id is not signed as it should be" ]
            if !$genuine;
    }

    $self->{news} = [ $news->() ];
    push @faults, $self->delivered(@before, @{ $self->{news} });
    $self->alter('delete from test_ends;'
                           . ' delete from idempotency');

    return @faults;
}


# What is delivered has arrived; both are forgotten some time later.

sub delivered {
    my ($self, @news) = @_;

    my $events = $self->{events};
    for (@news) {
        my ($how, $id) = @$_;
        $events->{$id}{arrived} = 1 if $how =~ /^(?:200|slow|cut)$/;
    }

    my @done   = grep { ($events->{$_}{status} // '') eq 'delivered' }
                 keys %$events;
    my @faults = map { [ events => "$_ is delivered, and did not arrive" ] }
                 grep { !$events->{$_}{arrived} } @done;

    $events->{$_}{old}++ for @done;
    my @old = grep { $events->{$_}{old} > 2 } @done;
    delete @$events{@old};

    while (my @some = splice @old, 0, 500) {
        my $ids = join ', ', map { "'$_'" } @some;
        $self->alter(<<"SQL");
delete from delivery_bodies where id in
    (select id from deliveries where event_id in ($ids));
delete from deliveries where event_id in ($ids)
SQL
    }

    return @faults;
}


# Lets what waits for another attempt be due at once; how many there are.  The
# server may find that this and a node wait for each other: the next look does
# it.

sub hurry {
    my ($self) = @_;

    for my $sql ('update deliveries set queue_at = 1'
                 . ' where owner is null and queue_at is not null',
                 'update webhook_endpoints set queue_at = 1,'
                 . ' blocked_until = 0, failures = 0'
                 . ' where queue_at is not null')
    {
        eval { $self->alter($sql); 1 } or $@ =~ /psql failed/ or die $@;
    }

    return $self->sql("select count(*) as n from deliveries"
                      . " where status = 'pending'")->[0]{n};
}


1;
