# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/bench fleet: nginx on PostgreSQL, which makes each commit durable,
# against pgbench that sends the same server the same statements, by turns,
# with as many connections as there are clients and with a few, of which the
# better counts; and one, two and four nodes on it.
#
# What pgbench sends is what the server has logged of one request: statements
# of the operations named here, with the values they had, but for identifiers
# that the request made.

use Bench;

use JSON::PP ();

use Judge::Postgresql;

use constant { FEW_CLIENTS => 8, GROUP => 16, ITEMS => 100,
               CLAIMABLE => 200_000, BATCHES => 100 };


sub bench_fleet {
    my $pg = Judge::Postgresql->start(options => '-c fsync=on'
        . ' -c synchronous_commit=on -c shared_buffers=256MB'
        . ' -c max_wal_size=4GB -c checkpoint_timeout=30min'
        . ' -c logging_collector=on -c log_destination=jsonlog'
        . ' -c log_filename=sent.log');
    my ($t, @others) = Judge::Test->fleet(4, described => 0, address =>
        $pg->database, access_log => 'off');
    my %asks = fleet_requests($t);

    $t->conf(store => 'evaluate=off');
    $t->restart;
    $_->quit for @others;
    against_pgbench($pg, $t, $asks{$_}) for qw(read create batch claim);

    for my $node ($t, @others) {
        $node->quit;
        $node->conf(workers => 1, store => 'evaluate=off');
        $node->start;
    }
    for my $what (qw(read create)) {
        my ($one, @more) = by_turns(map { my @nodes = ($t, @others)[0 .. $_];
            sub { fleet_load($asks{$what}, @nodes) } } 0, 1, 3);
        row("$asks{$what}{name}, a node of one worker", median(@$one));
        row_of('  2 nodes', '', $more[0], $one);
        row_of('  4 nodes', '', $more[1], $one);
    }
    $_->quit for $t, @others;
    fleet_sizes($pg, $asks{batch});
}


# What is asked for: a name, wrk's arguments, the operations that it comes to,
# how many rows one brings, what to reach.

sub fleet_requests($t) {
    my ($judge, undef, $read, $body) = evaluated_one($t);
    my (undef, $film) = film_batch($t, $t->new_judge(content_type => 'video'),
                                   1);
    my $columns = join ', ', grep { $_ ne 'id' } $t->columns('evaluations');

    # Many that wait for a worker.
    $t->alter("INSERT INTO evaluations (id, $columns) SELECT '"
        . substr($film->{evaluation_id}, 0, -8) . "' ||"
        . " to_char(n, 'FM00000000'), $columns FROM evaluations,"
        . ' generate_series(1, ' . CLAIMABLE . ") n WHERE id ="
        . " '$film->{evaluation_id}'");
    $t->alter('ANALYZE');

    return (
        read => { name => 'an evaluation read, per s', n => 1, reach => 0.8,
            load => [$read], ops => [qw(key_find evaluation_find)] },
        create => { name => 'an evaluation created, durable, per s', n => 1,
            reach => 1.2, load => ['/evaluations/single', body => $body],
            ops => [qw(key_find pair_find evaluation_create)] },
        batch => { name => 'evaluations in batches, per s', n => ITEMS,
            reach => 0.7, load => [ '/batches/evaluate',
                connections => FEW_CLIENTS, body => batch_body([$judge],
                    [ ('Words follow words. ' x 50) x ITEMS ]) ],
            ops => [qw(key_find batch_check batch_texts batch_create
                       batch_slice)] },
        claim => { name => 'work claimed, one by one, per s', reach => 0.8,
            counted => 'SELECT count(work_until) FROM evaluations',
            load => [ '/v1/work/claim', body => encode({ kinds => ['video'],
                max => 1, sources => ['social_media'] }) ],
            ops => [qw(key_find work_peek work_claim)] },
    );
}


# --- Against pgbench -------------------------------------------------------

sub against_pgbench($pg, $t, $r) {
    my %o       = @{ $r->{load} }[1 .. $#{ $r->{load} }];
    my $clients = $o{connections} // 64;
    my @sent    = fleet_recorded($pg, $t, $r);
    my $script  = fleet_script($t, $r, 1, @sent);
    my $grouped = $r->{ops}[-1] eq 'evaluation_create'
                  && fleet_script($t, $r, GROUP, @sent);

    my ($ours, $as_many, $few, $groups) = by_turns(
        sub { fleet_rate($t, $r, sub { fleet_load($r, $t) }) },
        (map { my $n = $_; sub {
            fleet_rate($t, $r, sub { pgbench($t, $script, $n) })
        } } $clients, FEW_CLIENTS),
        $grouped ? sub { GROUP * pgbench($t, $grouped, 2) } : ());

    row_of("$r->{name}, $clients connections", $r->{reach}, $ours,
           median(@$few) > median(@$as_many) ? $few : $as_many);
    row_of('  pgbench in transactions of ' . GROUP . ', 2 connections', '',
           $ours, $groups) if $grouped;
}


# Things a second: what the load says, or what there is more of in the store.

sub fleet_rate($t, $r, $load) {
    my $count = sub { Judge::Postgresql->psql($t->store, $r->{counted}) };
    my $was   = $r->{counted} && $count->();
    my $rate  = $load->();

    return $r->{counted} ? ($count->() - $was) / SECONDS : $rate * $r->{n};
}


# Requests to all of these nodes at the same time: how many a second.

sub fleet_load($r, @nodes) {
    my ($path, %o)  = @{ $r->{load} };
    my $each  = max(2, ($o{connections} // 64) / @nodes);
    my @loads = map { begin_load($_, $path, %o, connections => $each,
                                 seconds => SECONDS) } @nodes;

    return sum(map { end_load($_)->{rate} } @loads);
}

sub pgbench($t, $script, $clients) {
    my ($dbname, $host) = $t->store =~ m{/(\w+)\?host=(.*)};
    my ($status, $out)  = $t->run(Judge::Postgresql::program('pgbench'),
        qw(-n -M prepared -U judge -j 2 -h), $host, '-c', $clients,
        '-T', SECONDS, '-D', 'n=' . int(time * 10_000),
        '-D', "clients=$clients", '-f', $script, $dbname);

    return $out =~ /^tps = ([\d.]+)/m ? $1 : die "pgbench: $out";
}


# --- The statements --------------------------------------------------------

# A script of pgbench for what was sent, so many times in a transaction:
# identifiers that the request made are made anew, or, by a claim, are those
# that its first statement found.

sub fleet_script($t, $r, $times, @sent) {
    my $known = join ' ', @{ $r->{load} };
    my (%made, @lines);

    for my $value (map { @{ $_->{values} } } @sent) {
        $made{$value} //= keys %made
            if defined $value && $value =~ /^(?:evl|cnt|bat)_\w{16,}\z/
               && index($known, $value) < 0;
    }

    my $all = $times * keys %made;
    for my $turn (0 .. $times - 1) {
        my $took;
        push @lines, map { my $i = $turn * keys(%made) + $made{$_};
            "\\set i$i (:n * :clients + :client_id) * $all + $i" } keys %made;
        for my $s (@sent) {
            my $of = sub ($value) {
                my $i = $made{ $value // '' };
                return fleet_quoted($value) if !defined $i;
                return ':took_id' if $took;
                $i += $turn * keys %made;
                return "('" . substr($value, 0, -20) . "' || :i$i)";
            };
            my $sql = $s->{sql} =~ s{\$(\d+)}{$of->($s->{values}[$1 - 1])}ger;
            my $finds = $s->{sql} =~ /^SELECT id FROM evaluations .* LOCKED/;
            push @lines, $sql . ($finds ? ' \aset took_' : ';');
            $took ||= $finds;
        }
    }
    @lines = ('\set n :n + 1', 'BEGIN;', @lines, 'COMMIT;')
        if grep { $_->{writes} } @sent;

    return $t->write("$r->{ops}[-1]-$times.sql", join "\n", @lines, '');
}

sub fleet_quoted($value) {
    return 'NULL' if !defined $value;
    return $value if $value =~ /^\d{1,18}\z/;

    # A colon would be a variable.
    return "E'" . ($value =~ s/([:\\'])/sprintf '\\x%02x', ord $1/ger) . "'";
}


# What a request came to: { sql, values, writes }.

sub fleet_recorded($pg, $t, $r) {
    my %of  = fleet_statements(@{ $r->{ops} });
    my $log = "$pg->{dir}/data/log/sent.json";
    my $set = sub {
        $pg->psql('postgres', "ALTER SYSTEM $_[0]");
        $pg->psql('postgres', 'SELECT pg_reload_conf()');
        sleep 0.5;
    };
    my ($path, %o) = @{ $r->{load} };

    $set->("SET log_statement = 'all'");
    my $from = -s $log;
    my $answer = $t->request($o{body} ? 'POST' : 'GET', $path,
        body => $o{body}, headers => [ 'Content-Type' => 'application/json' ]);
    die "$path: ", $answer->status if $answer->status !~ /^20[01]$/;
    $set->('RESET log_statement');

    return map {
        my $line = JSON::PP::decode_json($_);
        my ($sql) = ($line->{message} // '') =~ /^execute \w+: (.*)/s;
        my @values;
        push @values, defined $1 ? $1 =~ s/''/'/gr : undef
            while ($line->{detail} // '')
                  =~ /\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g;
        defined $of{ $sql // '' } ? { sql => $sql, values => \@values,
                                      writes => $of{$sql} } : ()
    } split /\n/, substr Judge::Nginx::read_file($log), $from;
}


# The statements of operations, out of the generated table; 1: they write.

sub fleet_statements {
    my $table = Judge::Nginx::read_file('build/obj/gen/judge_statements.c');
    my %of;

    for my $op (@_) {
        my ($place, $body) = $table
            =~ /\.name = "$op",\n +\.place = JUDGE_OP_(\w+),(.*?)^    \},$/ms
            or die "no operation $op\n";
        while ($body =~ /engines\[JUDGE_DIALECT_POSTGRESQL\] = "(.*?)",\n/g) {
            my $sql = $1;
            $sql =~ s{" JUDGE_SQL_NUMBER\((\w+)\) "}{
                qx(grep -rhE '^#define +$1 ' src) =~ /$1 +\(?(\w+)/
                    ? $1 : die "no number\n"}ge;
            $of{ $sql =~ s/\\"/"/gr } = $place eq 'WRITE' ? 1 : 0;
        }
    }
    return %of;
}


# What evaluations, created in batches and evaluated, cost the server.

sub fleet_sizes($pg, $r) {
    my $t     = service(address => $pg->database);
    my $judge = $t->new_judge;
    my $body  = $r->{load}[-1] =~ s/jdg_\w+/$judge/r;
    my $both  = sub { map { $pg->psql('postgres', "SELECT $_") + 0 }
        'sum(pg_database_size(oid)) FROM pg_database',
        "pg_current_wal_lsn() - '0/0'" };

    $pg->psql('postgres', 'CHECKPOINT');
    my @before = $both->();
    $t->batch_completed($_) for map { send_batch($t, $body) } 1 .. BATCHES;
    my @after = $both->();
    row('an evaluation with its content, stored, bytes; log',
        (map { ($after[$_] - $before[$_]) / BATCHES / ITEMS } 0, 1), '', '');
    $t->quit;
}

1;
