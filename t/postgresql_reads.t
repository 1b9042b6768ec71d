# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Reads that wait for PostgreSQL are sent to it together, those of several
# organizations: what becomes of one is nothing to the others.

use Judge::Test;

use Judge::Proxy;

use constant { ORGS => 4, READS => 16 };

my $server = Judge::Postgresql->start;
my $url    = $server->database;
my ($name) = $url =~ m{/(\w+)\?};
my $proxy  = Judge::Proxy->start($server->socket_path);
my $t = Judge::Test->new(workers => 1, orgs => ORGS, address =>
    'postgresql://judge@127.0.0.1:' . $proxy->port . "/$name");

my (@judges, @done, @open);

for my $org (0 .. ORGS - 1) {
    my @as      = (org => $org);
    my $judge   = $t->new_judge(@as);
    my $video   = $t->new_judge(@as, content_type => 'video');
    my $content = $t->new_content("The text of organization $org.", @as);
    my $id      = $t->new_evaluation($judge, $content, @as);

    $t->evaluated($id, @as);
    push @judges, $judge;
    push @done, $id;
    push @open, $t->post('/v1/evaluations/social-media', @as, json => {
        judge_id => $video, urls => ['https://vimeo.com/76979871'] })
        ->json->{items}[0]{evaluation_id};
}
$t->conf(store => 'evaluate=off');
$t->restart;

# Of each organization: what has ended, what has not (its second statement
# finds it), what is another's, and what it knows.

my @reads = map {
    my $org = $_ % ORGS;
    my $n   = int $_ / ORGS;
    my $id  = $n == 1 ? $open[$org] : $n == 2 ? $done[$org - 1] : $done[$org];
    { org => $org, id => $id, status => $n == 2 ? 404 : 200,
      state => $n == 1 ? 'processing' : 'completed' }
} 0 .. READS - 1;


# Keeps reads of results waiting, by a lock, until all of these are; the keys
# are looked up before.  The answers.

sub at_once {
    open my $lock, '|-', 'psql', '-qd', $url or die "psql: $!";
    $lock->autoflush(1);
    print {$lock} "begin; lock table results_together;\n";
    $t->wait_until(sub { locks('granted') }, 'the lock');

    $t->get("/judges/$judges[$_]", org => $_) for 0 .. ORGS - 1;
    my @clients = map { $t->connect } @reads;
    for my $i (0 .. $#reads) {
        $clients[$i]->send($t->bytes(GET => "/evaluations/$reads[$i]{id}",
                                     org => $reads[$i]{org}));
    }
    $t->wait_until(sub { locks('not granted') }, 'a read that waits');
    $t->get('/healthz', key => undef);

    print {$lock} "commit;\n";
    close $lock;

    return map { $_->response } @clients;
}

sub locks {
    my ($how) = @_;
    return $server->psql($url, 'select count(*) from pg_locks where relation'
        . " = to_regclass('results_together') and $how and mode like"
        . ($how eq 'granted' ? " 'AccessExclusive%'" : " '%'")) > 0;
}

# What is wrong with them, but for the one that may be.

sub wrong {
    my ($but, @answers) = @_;
    my @wrong;

    for my $i (grep { $reads[$_]{id} ne $but } 0 .. $#reads) {
        my ($r, $read) = ($answers[$i], $reads[$i]);
        my $right = $r->status == $read->{status} && ($r->status == 404
            || $r->json->{evaluation_id} eq $read->{id}
               && $r->json->{status} eq $read->{state});
        push @wrong, "$i: " . $r->status if !$right;
    }
    return "@wrong";
}

# An attempt counts if they came together, and each must be right.

sub together {
    my ($but, $came, $what) = @_;
    my @answers;

    $t->wait_until(sub {
        @answers = at_once();
        my $wrong = wrong($but, @answers);
        die "wrong: $wrong\n" if $wrong;
        $came->();
    }, $what, 90);
    pass($what);

    return @answers;
}

# --- All is well ------------------------------------------------------------

together('', sub { $proxy->together >= READS / 2 },
         'reads of several organizations are sent together');

# --- One that fails ---------------------------------------------------------

my $number = $server->psql($url, 'select result / 64 from evaluations'
                           . " where id = '$done[1]'") + 0;
$server->psql($url, <<"SQL");
CREATE FUNCTION broken(bytea) RETURNS bytea LANGUAGE plpgsql
    AS \$\$ BEGIN RAISE EXCEPTION 'broken'; END \$\$;
BEGIN;
ALTER TABLE results_together RENAME TO results_whole;
CREATE VIEW results_together AS SELECT org, number, CASE WHEN number = $number
    THEN broken(bodies) ELSE bodies END AS bodies FROM results_whole;
COMMIT;
SQL

$proxy->pass;
my @answers = together($done[1], sub { $proxy->together >= READS / 2 },
                       'a read that fails is nothing to the others');
is(join(' ', map { $answers[$_]->status }
       grep { $reads[$_]{id} eq $done[1] } 0 .. $#reads), '500 404 500',
   'reads of what is broken are refused');

$server->psql($url, 'DROP VIEW results_together;'
              . ' ALTER TABLE results_whole RENAME TO results_together');
is(wrong('', at_once()), '', 'all is read once nothing is broken');

# --- A connection that is cut -----------------------------------------------

my $cuts = $proxy->cuts;
$proxy->amid(READS / 2);
together('', sub { $proxy->cuts > $cuts },
         'reads that are cut off amid the answers are read once more');

$server->psql($url, 'select pg_terminate_backend(pid, 10000)'
              . ' from pg_stat_activity where pid <> pg_backend_pid()'
              . ' and datname = current_database()');
is(wrong('', at_once()), '',
   'reads whose connection was dead are read once more');

done_testing;
