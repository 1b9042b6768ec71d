# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A store in PostgreSQL: what is refused, a server that goes and comes back,
# and several nodes of which one is killed.

use File::Path qw(remove_tree);
use POSIX ();
use Time::HiRes qw(time);

use Judge::Test;

my $server = Judge::Postgresql->start;
my $url    = $server->database;
my $t      = Judge::Test->new(address => $url, store => 'lease=2s');

my $judge   = $t->new_judge;
my $content = $t->new_content('The bridge was opened in 1932.');
my $early   = $t->new_evaluation($judge, $content);
$t->evaluated($early);
pass('an evaluation is made and ends');
is($server->psql($url, 'select version from judge_schema') + 0,
   scalar(my @files = glob $t->repo . '/src/store/sql/*.sql'),
   'the schema has the version of the migrations');

# --- Keys ------------------------------------------------------------------

# What begins with the organization can be where that is.

sub elsewhere {
    return join ' ', split /\n/, $server->psql($_[0], <<'SQL');
select t.relname || '.' || coalesce(a.attname, '?') from pg_index k
join pg_class t on t.oid = k.indrelid
left join pg_attribute a on a.attrelid = t.oid and a.attnum = k.indkey[0]
where k.indisunique and t.relnamespace = current_schema()::regnamespace
and a.attname is distinct from 'org' order by 1
SQL
}

my $without = 'engines.version judge_schema.product organizations.id'
              . ' probes.id service_secrets.name';
is(elsewhere($url), $without,
   'every key begins with the organization, but for those of few tables');
like(do { local (@ARGV, $/) = $t->repo . '/docs/scaling.md'; <> },
     qr/^Every key [^.]*\Q$_\E/m, "docs/scaling.md says it of $_")
    for map { /^(\w+)/ ? "`$1`" : () } split ' ', $without;

# As it was before: rows of results found by their number alone, and some that
# did not name their organization.

$t->quit;
$server->psql($url, 'alter table results_together'
    . ' drop constraint results_together_pkey, alter org drop not null,'
    . ' add primary key (number); update results_together set org = null;'
    . ' alter table contents add constraint contents_rowid_key'
    . ' unique (rowid); drop table former_secrets;'
    . ' drop index feedback_session; alter table evaluations drop given_back;'
    . ' drop index feedback_judge; alter table feedback'
    . ' drop submitted_by_person, drop updated_at, drop updated_by,'
    . ' drop updated_by_person; create index feedback_judge'
    . ' on feedback (org, judge_id, submitted_at);'
    . ' alter table judge_versions drop scope, drop panel;'
    . ' alter table batches drop systems; drop table preferences;'
    . ' alter table training_jobs drop refits; drop table engines;'
    . ' drop table openai_objects, openai_items, exports, alerts;'
    . ' drop table people, audit, pair_answers, suggestions,'
    . ' annotation_queues, annotation_items, annotation_turns;'
    . ' alter table batches drop pairs, drop pairs_at,'
    . ' drop pairs_owner, drop pairs_tries;'
    . ' drop index queue_ranges_in_turn;'
    . join('', map { " create function evaluations_${_}_later() returns"
                     . " trigger language plpgsql as 'begin end';" }
               qw(requested kind))
    . ' alter table evaluations drop trace; alter table batches drop trace;'
    . ' alter table org_settings drop prices,'
    . ' add previous_secret text, add previous_until bigint;'
    . ' update judge_schema set version = 23');
$t->start;
is(elsewhere($url), $without, 'the keys of an older schema are made anew');
is($t->sql1('select count(*) from results_together where org is null'), 0,
   'rows of an older schema say whose they are after the update');
like($t->get("/evaluations/$early")->body, qr/"overall_score":/,
     'results of an older schema are found');
status_is($t->delete("/content/$content"), 204,
          'a content of an older schema is deleted');
is($t->sql1('select count(*) from results_together'), 0,
   'the results of that content are deleted for good');
$content = $t->new_content('The bridge was opened in 1932.');

# --- Refused at the start --------------------------------------------------

sub refused {
    my ($address, $sentence, $name) = @_;
    my ($status, $out) = $t->run($t->repo . '/build/judge', '--store',
                                 $address, qw(org create x));

    isnt($status, 0, "$name is refused");
    like($out, $sentence, "the tool says why $name is refused");
}

refused($server->url('nowhere'), qr/database "nowhere" does not exist/,
        'a database that is not there');

my $foreign = $server->database;
$server->psql($foreign, 'create table orders (id int)');
refused($foreign, qr/tables of another program/,
        'a database of another program');

my $newer = $server->database;
$t->run($t->repo . '/build/judge', '--store', $newer, qw(org create x));
$server->psql($newer, 'update judge_schema set version = 9999');
refused($newer, qr/newer schema/, 'a newer schema');

$server->psql($url, "create role clerk login password 'Secret9'");
open my $hba, '>', "$server->{dir}/data/pg_hba.conf" or die $!;
print $hba "local all judge trust\nlocal all all scram-sha-256\n";
close $hba;
$server->psql($url, 'select pg_reload_conf()');
(my $wrong = $url) =~ s/judge\@/clerk:Wrong7\@/;
refused($wrong, qr/password authentication failed/, 'a wrong password');
unlike(($t->run($t->repo . '/build/judge', '--store', $wrong,
                qw(org create x)))[1], qr/Wrong7/,
       'the tool does not repeat a wrong password');

my ($ok, $out) = $t->check_conf(store => '', conf => undef,
                                http => 'judge_store postgresql://[x name=b;');
ok(!$ok, 'nginx -t refuses what is no address');
like($out, qr/is no address of a database: expected postgresql:/,
     'nginx -t says what an address begins with');

# --- A server that goes ----------------------------------------------------

$server->stop;
my $r = $t->post('/content', json => { file_type => 'text', name => 'x',
                                       text_content => 'Nobody keeps it.' });
status_is($r, 503, 'a write is refused while the server is down');
ok($r->header('Retry-After'), 'a write that is refused gets Retry-After');
status_is($t->get('/healthz', key => undef), 200,
          'the process answers while the server is down');

$server->start_again;
$t->wait_until(sub { $t->get('/readyz', key => undef)->status == 200 },
               'the service to find the server again');

# Each connection of a worker tries again once a second.
$t->wait_until(sub {
    $r = $t->post('/evaluations/single', json => {
        judge_id => $judge, content_id => $content });
    return $r->status != 503;
}, 'an evaluation to be taken');
is($t->ended($r->json->{evaluation_id})->{status}, 'completed',
   'the service goes on without a restart');

# --- Connections that are gone ---------------------------------------------

# Each finds out at its next use, and that is not refused.  A new connection
# may fail where the machine is busy for seconds: then all are ended again.

my ($reads, $writes, $kept);
for (1 .. 3) {
    $server->psql($url, "delete from contents where name = 'x'");
    $server->psql($url, 'select pg_terminate_backend(pid, 10000)'
                  . ' from pg_stat_activity where pid <> pg_backend_pid()'
                  . ' and datname = current_database()');
    my @reads  = map { $_->response }
                 map { $_->send($t->bytes(GET => '/judges')); $_ }
                 map { $t->connect } 1 .. 12;
    my @writes = map { $t->post('/content', json => { file_type => 'text',
                       name => 'x', text_content => 'Somebody keeps it.' })
                     } 1 .. 6;
    ($reads, $writes) = map { join ' ', map { $_->status } @$_ }
                            \@reads, \@writes;
    $kept = $t->sql1("select count(*) from contents where name = 'x'");
    last if "$reads $writes" !~ /5/;
    diag($_->body) for grep { $_->status >= 500 } @reads, @writes;
}
is($reads, join(' ', (200) x 12),
   'reads on connections that are gone are read once more');
is($writes, join(' ', (201) x 6),
   'writes on connections that are gone are written');
is($kept, 6, 'writes on connections that are gone are written once');

# --- Training ---------------------------------------------------------------

# Another node takes a job: who looks meanwhile waits for it.

open my $psql, '|-', 'psql', '-XAtq', '-d', $url or die "psql: $!";
$psql->autoflush(1);
print $psql "begin; select pg_advisory_xact_lock(1785033830, 2);\n";
$t->wait_until(sub {
    $server->psql($url, "select count(*) from pg_locks where locktype ="
                  . " 'advisory' and classid = 1785033830 and objid = 2"
                  . ' and granted') > 0;
}, 'the lock to be taken');
my $job = $t->made('/training/jobs', 'job_id', json => {
    judge_id => $judge, training_type => 'full_retrain',
    training_config => {} });
status_is($t->post("/training-jobs/$job/execute", json => {}), 200,
          'a job is executed');
$t->wait_until(sub {
    $server->psql($url, "select count(*) from pg_locks where locktype ="
                  . " 'advisory' and not granted") > 0;
}, 'a node to wait for the other one to have taken its job');
is($t->sql1("select status from training_jobs where id = '$job'"), 'queued',
   'a job is taken by one node after the other');
close $psql;
$t->wait_until(sub {
    $t->sql1("select status from training_jobs where id = '$job'") ne 'queued';
}, 'the job to be taken');

# --- Several nodes ---------------------------------------------------------

my $other = Judge::Test->new(address => $url, store => "lease=2s");

my @ids = map { $t->new_evaluation($judge, $t->new_content("Text number $_,"
              . ' which is short, and says where the bridge is.')) } 1 .. 60;
$other->crash;
$t->evaluated($_) for @ids;
is($t->sql1('select count(*) from evaluations'), 61,
   'every evaluation of two nodes is there');
is($t->sql1("select count(*) from evaluations where status <> 'completed'"), 0,
   'every evaluation has ended, though a node was killed');
is($t->sql1('select count(*) from (select result from evaluations where result'
            . ' is not null group by result having count(*) > 1) twice'), 0,
   'no two evaluations have the same result');

# What another node is just taking is passed by, and the next is taken: also
# where that is all that is looked at first.

sub holding {
    my ($sql) = @_;
    my $pid = fork // die "fork: $!";
    if ($pid == 0) {
        open STDERR, '>', '/dev/null';
        eval { $server->psql($url, "begin; $sql for update;"
                             . ' select pg_sleep(600)') };
        POSIX::_exit(0);
    }
    $t->wait_until(sub {
        $t->sql1("select count(*) from pg_stat_activity"
                 . " where wait_event = 'PgSleep'");
    }, 'rows to be held');
    return $pid;
}

sub let_go {
    $t->sql1('select count(pg_terminate_backend(pid)) from pg_stat_activity'
             . " where wait_event = 'PgSleep'");
    waitpid $_[0], 0;
}

$t->quit;
$server->psql($url, <<'SQL');
insert into evaluations (org, id, status, queue_at, priority, attempts,
    content_id, judge_id, judge_version, created_at, deadline)
select org, 'evl_waits_' || lpad(n::text, 4, '0'), 'processing', n, priority,
    0, content_id, judge_id, judge_version, created_at, deadline + 3600000
from (select * from evaluations where status = 'completed' limit 1) as e,
    generate_series(1, 300) as n
SQL
my $held = holding("select id from evaluations where id <= 'evl_waits_0256'"
                   . " and id like 'evl_waits_%'");
my $waits = 'select count(*) from evaluations where status ='
            . " 'processing' and id like 'evl_waits_%'";
$t->start;
$t->wait_until(sub { $t->sql1($waits) == 256 },
               'what nobody holds to be evaluated');
pass('a claim goes on behind as many as it looks at first');
let_go($held);
$t->wait_until(sub { $t->sql1($waits) == 0 }, 'the others');

my $films = $t->post('/v1/evaluations/social-media', json => {
    judge_id => $t->new_judge(content_type => 'video'),
    urls => [ map { "https://vimeo.com/7697987$_" } 1, 2 ] })->json->{items};
my ($first, $second) = map { $_->{evaluation_id} } @$films;
$held = holding("select id from evaluations where id = '$first'");
$r = $t->post('/v1/work/claim', json => { kinds => ['video'], max => 1,
                                          sources => ['social_media'] });
is(join(' ', map { $_->{evaluation_id} } @{ $r->json->{work} }), $second,
   'a claim goes on to what nobody holds');
let_go($held);

# A content goes while another node ends its evaluation: its batch counts what
# was deleted as it was then.

my $batch = $t->made('/batches/evaluate', 'batch_id', json => {
    name => 'Two', judge_ids => [$judge], auto_start => JSON::PP::false,
    content_items => [ map { { name => $_, text_content => "$_ text." } }
                       qw(Gone Kept) ] });
my $gone = $t->sql1("select content_id from evaluations e join contents c on"
                    . ' c.id = e.content_id where c.name = ' . "'Gone'");

open $psql, '|-', 'psql', '-XAtq', '-d', $url or die "psql: $!";
$psql->autoflush(1);
print $psql "begin; update evaluations set status = 'completed',"
            . " overall_score = 50 where content_id = '$gone';"
            . ' update batches set completed = completed + 1'
            . " where id = '$batch'; select pg_advisory_lock(7);\n";
$t->wait_until(sub {
    $server->psql($url, "select count(*) from pg_locks where locktype ="
                  . " 'advisory' and objid = 7 and granted") > 0;
}, 'the evaluation to be ended');
my $deleter = $t->connect;
$deleter->send($t->bytes(DELETE => "/content/$gone"));
$t->wait_until(sub {
    $server->psql($url, 'select count(*) from pg_locks where not granted') > 0;
}, 'the deletion to wait for that');
print $psql "commit;\n";
close $psql;
status_is($deleter->response, 204,
          'a content is deleted while its evaluation ends elsewhere');
is($t->sql1("select total || ' ' || completed from batches"
            . " where id = '$batch'"), '1 0',
   'its batch counts the deleted content as it was then');

# A node may hang amid its lease of limits.

my $node = Judge::Test->new(orgs => 0, address => $url,
                           store => 'rate=100/s burst=100');
$node->{orgs} = $t->{orgs};
my $leased = sub {
    $node->get('/judges');
    ($node->metric('judge_fleet_limits', limit => 'rate') // 0) == 1;
};
$node->wait_until($leased, 'a share of a limit');

$held = holding("select node from allowances where node = ''");
my ($slowest, $began, @refused) = (0, time);
while (time - $began < 7) {
    my $start = time;
    my $r = $node->post('/content', json => { file_type => 'text',
        name => 'T', text_content => 'Some text.' });
    push @refused, $r->status if $r->status != 201;
    $slowest = time - $start if time - $start > $slowest;
    select undef, undef, undef, 0.2;
}
is("@refused", '', 'another node writes while one hangs amid a lease');
cmp_ok($slowest, '<', 20,
       'another node does not wait for the one that'
       . ' hangs');    # held for ten minutes
$node->comes_true(sub { !$leased->() },
                  "the share of a node that can't renew it runs out");
let_go($held);
$node->wait_until($leased, 'a share again');
pass('a node has its share again when the other one has let go');
$node->quit;

$t->stop;
done_testing();
