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

use strict;
use warnings;

use List::Util qw(max);
use POSIX ();
use Time::HiRes qw(time);

use Judge::Postgresql;

use constant { CONNECTIONS => 64, FLEET_FEW => 8, GROUP => 16,
               FLEET_ITEMS => 100, CLAIMABLE => 200_000,
               SIZED_BATCHES => 100, ONLY => $ENV{JUDGE_BENCH_ONLY} // '' };

my $statement_file = 'build/obj/gen/judge_statements.c';


sub fleet {
    my $pg = Judge::Postgresql->start(options => '-c fsync=on'
        . ' -c synchronous_commit=on -c shared_buffers=256MB'
        . ' -c max_wal_size=4GB -c checkpoint_timeout=30min');
    my $url = $pg->database;
    my @nodes = map { fleet_node($url) } 1 .. 4;
    my $t     = $nodes[0];

    $t->conf(store => '');
    $t->start;
    $t->new_org('Bench');
    $_->{orgs} = $t->{orgs} for @nodes;

    my %request = fleet_requests($t);
    $t->conf(store => 'evaluate=off');
    $t->restart;

    printf "\n%-44s %12s %12s %8s %8s\n", 'PostgreSQL, fsync=on,'
           . ' synchronous_commit=on', 'measured', 'pgbench', 'ratio',
           'to reach';

    fleet_pgbench($pg, $url, $t, \%request);
    fleet_by_nodes($pg, $url, \@nodes, \%request) if !ONLY;
    $_->quit for @nodes;
    fleet_sizes($pg, $request{batch}) if !ONLY;
}


sub fleet_node {
    my ($url) = @_;

    return Judge::Test->new(described => 0, access_log => 'off', start => 0,
                            address => $url, store => 'evaluate=off',
                            orgs => 0);
}


# What is asked for: a name, the request, the operations that it comes to, how
# many rows one brings or takes, what to reach, connections.

sub fleet_requests {
    my ($t) = @_;

    my $judge   = $t->new_judge;
    my $video   = $t->new_judge(content_type => 'video');
    my $content = $t->new_content('A text of a few words.');
    my $read    = $t->new_evaluation($judge, $content);

    $t->evaluated($read);
    fleet_claimable($t, $video);

    return (
        read => { name => 'GET an evaluation, per s', n => 1,
                  reach => '0.50', path => "/evaluations/$read",
                  ops => [qw(key_find evaluation_find)] },
        create => { name => 'POST an evaluation, durable, per s', n => 1,
                    reach => '0.70', path => '/evaluations/single',
                    body => { judge_id => $judge, content_id => $content },
                    ops => [qw(key_find pair_find evaluation_create)] },
        batch => { name => 'evaluations in batches, per s',
                   n => FLEET_ITEMS, reach => '', connections => 8,
                   path => '/batches/evaluate',
                   body => { name => 'Bench', judge_ids => [$judge],
                       content_items => [ map { { name => "Text $_",
                           text_content => 'Words follow words. ' x 50 } }
                           1 .. FLEET_ITEMS ] },
                   ops => [qw(key_find batch_check batch_texts batch_create
                              batch_slice)] },
        claim => { name => 'work claimed, one by one, per s', n => 1,
                   reach => '', path => '/v1/work/claim', counted =>
                       'SELECT count(work_until) FROM evaluations',
                   body => { kinds => ['video'], max => 1,
                             sources => ['social_media'] },
                   ops => [qw(key_find work_peek work_claim)] },
    );
}


# An evaluation that waits for a worker, and many of the same.

sub fleet_claimable {
    my ($t, $judge) = @_;

    my $items = $t->post('/v1/evaluations/social-media', json => {
        judge_id => $judge, urls => ['https://vimeo.com/76979871'] });
    my $id = $items->json->{items}[0]{evaluation_id};
    my @columns = split ' ', Judge::Postgresql->psql($t->store, <<"SQL");
SELECT column_name FROM information_schema.columns
    WHERE table_name = 'evaluations' AND column_name <> 'id'
SQL
    my $columns = join ', ', @columns;

    Judge::Postgresql->psql($t->store, <<"SQL");
INSERT INTO evaluations (id, $columns)
    SELECT '@{[ substr $id, 0, -8 ]}' || to_char(n, 'FM00000000'), $columns
    FROM evaluations, generate_series(1, ${\CLAIMABLE}) n WHERE id = '$id';
SQL
    Judge::Postgresql->psql($t->store, 'VACUUM ANALYZE');
    return $id;
}


# --- Against pgbench --------------------------------------------------------

sub fleet_pgbench {
    my ($pg, $url, $t, $request) = @_;

    for my $what (grep { /${\ONLY}/ } qw(read create batch claim)) {
        my $r = $request->{$what};
        my $script = fleet_script($pg, $t, $r);
        my $at = $r->{connections} // CONNECTIONS;
        my (@ours, %bound, @per_sync);

        for (1 .. ROUNDS()) {
            push @{ $bound{$_} }, fleet_rate($url, $r, sub {
                fleet_bound($t, $url, $script, $_[0])
            }, $_) for $at, FLEET_FEW;
            my $syncs = fleet_syncs($pg);
            push @ours, fleet_rate($url, $r,
                                   sub { fleet_load([$t], $r) });
            push @per_sync, $ours[-1] * SECONDS()
                            / (fleet_syncs($pg) - $syncs || 1);
        }

        my $best = max(map { median(@$_) } values %bound);
        row("$r->{name}, $at connections", int median(@ours),
            int $best, ratio(median(@ours), $best), $r->{reach});
        fleet_grouped($pg, $url, $t, $r, \@ours, \@per_sync)
            if $what eq 'create';
    }
}


# Things a second: what the load says, or what there is more of in the store.

sub fleet_rate {
    my ($url, $r, $load, @args) = @_;
    my $count = sub { Judge::Postgresql->psql($url, $r->{counted}) + 0 };

    my $was  = $r->{counted} && $count->();
    my $rate = $load->(@args);
    return $r->{counted} ? ($count->() - $was) / SECONDS() : $rate * $r->{n};
}


# The module commits what waits together, one group at a time for each node:
# pgbench in transactions of several, by as many connections.

sub fleet_grouped {
    my ($pg, $url, $t, $r, $ours, $per_sync) = @_;

    my $script = fleet_script($pg, $t, $r, GROUP);
    my @bound  = map { GROUP * fleet_bound($t, $url, $script, 2) }
                 1 .. ROUNDS();

    row('  pgbench in transactions of ' . GROUP . ', 2 connections',
        int median(@$ours), int median(@bound),
        ratio(median(@$ours), median(@bound)), '');
    row('  created for a sync of the log', int median(@$per_sync), '', '', '');
}


sub fleet_syncs {
    my ($pg) = @_;

    sleep 1;    # until counts are in the view
    return $pg->psql('postgres', 'select wal_sync from pg_stat_wal') + 0;
}


sub fleet_bound {
    my ($t, $url, $script, $connections) = @_;

    my ($dbname, $host) = $url =~ m{/(\w+)\?host=(.*)};
    my ($status, $out) = $t->run(Judge::Postgresql::program('pgbench'),
        qw(-n -M prepared -U judge -j 2 -h), $host, '-c', $connections,
        '-T', SECONDS(), '-D', 'n=' . int(time() * 10_000),
        '-D', "clients=$connections", '-f', $script, $dbname);
    my ($rate) = $out =~ /^tps = ([\d.]+)/m;

    die "pgbench: $out" if $status != 0 || !$rate;
    return $rate;
}


# --- The statements ---------------------------------------------------------

# A script of pgbench for a request, which is made twice: what differs was made
# by it.

sub fleet_script {
    my ($pg, $t, $r, $times) = @_;

    my @first = fleet_recorded($pg, $t, $r);
    my @sent  = fleet_recorded($pg, $t, $r);
    my (%known, %made, @lines);

    $known{$_}++ for map { grep { defined } @{ $_->{values} } } @first;
    for my $value (map { grep { defined } @{ $_->{values} } } @sent) {
        $made{$value} //= 1 + keys %made
            if !$known{$value} && $value =~ /^[a-z]+_\w{16,}\z/;
    }

    my $k    = keys(%made) * ($times // 1) || 1;
    my $took = 0;

    push @lines, '\set n :n + 1', 'BEGIN;' if grep { $_->{writes} } @sent;
    for my $turn (0 .. ($times // 1) - 1) {
        push @lines, map {
            my ($value, $i) = ($_, $made{$_} + $turn * keys %made);
            "\\set i$i (:n * :clients + :client_id) * $k + $i"
        } sort keys %made if $r->{body};

        for my $s (@sent) {
            my $claims = $s->{sql} =~ /^SELECT id FROM evaluations .* LOCKED/;
            my $sql = $s->{sql} =~ s{\$(\d+)}{
                fleet_value($s->{values}[$1 - 1], \%made, $turn, $took) }ger;
            push @lines, $sql . ($claims ? ' \aset took_' : ';');
            $took ||= $claims;
        }
    }
    push @lines, 'COMMIT;' if grep { $_->{writes} } @sent;

    return $t->write("pgbench-$r->{ops}[-1]-$k.sql",
                     join('', map { "$_\n" } @lines));
}

sub fleet_value {
    my ($value, $made, $turn, $took) = @_;

    return 'NULL' if !defined $value;

    if (my $i = $made->{$value}) {
        return ':took_id' if $took;
        $i += $turn * keys %$made;
        return "('" . substr($value, 0, -20) . "' || :i$i)";
    }

    return $value if $value =~ /^\d{1,18}\z/;

    # A colon would be a variable.
    return $value =~ /[:\\]/
           ? "E'" . ($value =~ s/([:\\'])/sprintf '\\x%02x', ord $1/ger) . "'"
           : "'" . ($value =~ s/'/''/gr) . "'";
}


# What a request came to: { sql, values, writes }.

sub fleet_recorded {
    my ($pg, $t, $r) = @_;

    my %of = fleet_statements(@{ $r->{ops} });
    $pg->psql('postgres', 'ALTER SYSTEM SET log_statement = \'all\'');
    $pg->psql('postgres', 'SELECT pg_reload_conf()');
    select undef, undef, undef, 0.5;

    my $from   = -s "$pg->{dir}/log";
    my $answer = $t->request($r->{body} ? 'POST' : 'GET', $r->{path},
                             json => $r->{body});
    die "$r->{path}: " . $answer->status if $answer->status !~ /^20[01]$/;

    $pg->psql('postgres', 'ALTER SYSTEM RESET log_statement');
    $pg->psql('postgres', 'SELECT pg_reload_conf()');
    select undef, undef, undef, 0.5;

    open my $log, '<', "$pg->{dir}/log" or die "log: $!\n";
    seek $log, $from, 0;
    my $text = do { local $/; <$log> };
    my @sent;

    my $line = qr/\S+ \S+ \S+ \[(\d+)\] (LOG:  execute \w+:|DETAIL: )/;
    while ($text =~ /^$line (.*(?:\n\t.*)*)/gm) {
        my ($pid, $what, $rest) = ($1, $2, $3);
        if ($what =~ /^LOG/) {
            push @sent, { pid => $pid, sql => $rest, values => [],
                          writes => $of{$rest} };
        } elsif ($rest =~ s/^parameters: //) {
            my ($s) = grep { $_->{pid} == $pid } reverse @sent;
            push @{ $s->{values} }, defined $1 ? $1 =~ s/''/'/gr : undef
                while $rest =~ /\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g;
        }
    }

    @sent = grep { defined $_->{writes} } @sent;
    die "nothing recorded of $r->{path}\n" if !@sent;
    return @sent;
}


# The statements of operations, out of the generated table; 1: they write.

sub fleet_statements {
    my (@ops) = @_;

    my $table = Judge::Nginx::read_file($statement_file);
    my %of;

    for my $op (@ops) {
        my ($place, $body) = $table
            =~ /\.name = "$op",\n +\.place = JUDGE_OP_(\w+),(.*?)^    \},$/ms
            or die "no operation $op\n";
        while ($body =~ /engines\[JUDGE_ENGINE_POSTGRESQL\] = "(.*?)",\n/g) {
            my $sql = $1;
            $sql =~ s/" JUDGE_SQL_NUMBER\((\w+)\) "/fleet_number($1)/ge;
            $of{ $sql =~ s/\\"/"/gr } = $place eq 'WRITE' ? 1 : 0;
        }
    }
    return %of;
}

sub fleet_number {
    my ($name) = @_;
    my ($number) = qx(grep -rhE '^#define +$name +' src) =~ /$name +\(?(\w+)/
        or die "no number $name\n";
    return $number;
}


# --- Nodes ------------------------------------------------------------------

# Requests to all of these nodes at the same time: how many a second.

sub fleet_load {
    my ($nodes, $r) = @_;

    my $at   = ($r->{connections} // CONNECTIONS) / @$nodes;
    my $body = $r->{body} && JSON::PP->new->canonical->encode($r->{body});
    my @from;

    for my $node (@$nodes) {
        pipe my $reads, my $writes or die "pipe: $!";
        my $pid = fork // die "fork: $!";
        if ($pid == 0) {
            my $one = wrk(t => $node, path => $r->{path}, body => $body,
                              connections => $at < 2 ? 2 : $at);
            syswrite $writes, $one->{rate};
            POSIX::_exit(0);
        }
        push @from, [ $pid, $reads ];
    }

    my $sum = 0;
    for (@from) {
        my ($pid, $reads) = @$_;
        sysread $reads, my $rate, 64;
        waitpid $pid, 0;
        die "no load\n" if !$rate;
        $sum += $rate;
    }
    return $sum;
}


sub fleet_by_nodes {
    my ($pg, $url, $nodes, $request) = @_;

    for my $node (@$nodes) {
        $node->conf(workers => 1);
        $node->{pid} ? $node->restart : $node->start;
    }

    printf "\n%-44s %12s %12s %12s\n", 'nodes, a worker process each', 1, 2,
           4;
    for my $what (qw(read create)) {
        my $r = $request->{$what};
        my %rate;

        for (1 .. ROUNDS()) {
            push @{ $rate{$_} }, fleet_load([ @$nodes[0 .. $_ - 1] ],
                                            $r) for 1, 2, 4;
        }
        my %median = map { $_ => median(@{ $rate{$_} }) } 1, 2, 4;
        printf "%-44s %12d %12d %12d\n", $r->{name}, @median{1, 2, 4};
        printf "%-44s %12s %12s %12s\n", '  against one', '',
               map { ratio($median{$_}, $median{1}) } 2, 4;
    }
}


# What evaluations, created in batches and evaluated, cost the server.

sub fleet_sizes {
    my ($pg, $r) = @_;

    my $t = Judge::Test->new(described => 0, access_log => 'off',
                             address => $pg->database);
    my $body = { %{ $r->{body} }, judge_ids => [$t->new_judge] };
    my $stored = sub { $pg->psql('postgres', 'SELECT'
                           . ' sum(pg_database_size(oid)) FROM pg_database') };
    my $log = sub { $pg->psql('postgres',
                              "SELECT pg_current_wal_lsn() - '0/0'") };

    $pg->psql('postgres', 'CHECKPOINT');
    my ($size, $written, $n) = ($stored->(), $log->(),
                                SIZED_BATCHES() * FLEET_ITEMS());
    my @ids = map { $t->post($r->{path}, json => $body)->json->{batch_id} }
              1 .. SIZED_BATCHES();
    for my $id (@ids) {
        $t->wait_until(sub { $t->get("/batches/$id")->json->{status}
                             eq 'completed' }, 'a batch is evaluated');
    }

    printf "\n%-44s %12s %12s\n", "$n evaluations and contents, in batches",
           'stored', 'log';
    printf "%-44s %12d %12d\n", 'bytes of each', ($stored->() - $size) / $n,
           ($log->() - $written) / $n;
}

1;
