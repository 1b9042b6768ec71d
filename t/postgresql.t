# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A store in PostgreSQL: what is refused, a server that goes and comes back,
# and several nodes of which one is killed.

use POSIX ();

use Judge::Test;

my $server = Judge::Postgresql->start;
my $url    = $server->database;
my $t      = Judge::Test->new(address => $url, store => 'lease=2s');

my $judge   = $t->new_judge;
my $content = $t->new_content('The bridge was opened in 1932.');
$t->evaluated($t->new_evaluation($judge, $content));
pass('an evaluation is made and ends');
is($server->psql($url, 'select version from judge_schema') + 0,
   scalar(my @files = glob $t->repo . '/src/store/sql/*.sql'),
   'the schema has the version of the migrations');

# --- Refused at the start --------------------------------------------------

sub refused {
    my ($address, $sentence, $name) = @_;
    my ($status, $out) = $t->run($t->repo . '/build/judge', '--store',
                                 $address, qw(org create x));

    isnt($status, 0, $name);
    like($out, $sentence, '… with a sentence');
}

refused($server->url('nowhere'), qr/database "nowhere" does not exist/,
        'another database');

my $foreign = $server->database;
$server->psql($foreign, 'create table orders (id int)');
refused($foreign, qr/tables of another program/, 'that of another program');

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
                qw(org create x)))[1], qr/Wrong7/, 'which is not repeated');

my ($ok, $out) = $t->check_conf(store => '', conf => undef,
                                http => 'judge_store postgresql://[x name=b;');
ok(!$ok, 'nginx -t refuses what is no address');
like($out, qr/is no address of a database: expected postgresql:/,
     '… with a sentence');

# --- A server that goes ----------------------------------------------------

$server->stop;
my $r = $t->post('/content', json => { file_type => 'text', name => 'x',
                                       text_content => 'Nobody keeps it.' });
status_is($r, 503, 'without the server a write is refused');
ok($r->header('Retry-After'), '… for the moment');
status_is($t->get('/healthz', key => undef), 200, 'the process answers');

$server->start_again;
$t->wait_until(sub { $t->get('/readyz', key => undef)->status == 200 },
               'the service to find the server again');
$t->evaluated($t->new_evaluation($judge, $content));
pass('it goes on without a restart');

# --- Connections that are gone ---------------------------------------------

# Each finds out at its next use, and that is not refused.

$server->psql($url, 'select pg_terminate_backend(pid, 10000)'
              . ' from pg_stat_activity where pid <> pg_backend_pid()'
              . " and datname = current_database()");
my @r = map { $_->response } map { $_->send($t->bytes(GET => '/judges')); $_ }
        map { $t->connect } 1 .. 12;
is(join(' ', map { $_->status } @r), join(' ', (200) x 12),
   'reads on connections that are gone are read once more');
@r = map { $t->post('/content', json => { file_type => 'text', name => 'x',
                    text_content => 'Somebody keeps it.' }) } 1 .. 6;
is(join(' ', map { $_->status } @r), join(' ', (201) x 6),
   '… and writes are written');
is($t->sql1("select count(*) from contents where name = 'x'"), 6, '… once');

# --- Training ---------------------------------------------------------------

# Another node takes a job: who looks meanwhile waits for it.

open my $psql, '|-', 'psql', '-XAtq', '-d', $url or die "psql: $!";
$psql->autoflush(1);
print $psql "begin; select pg_advisory_xact_lock(1785033830, 2);\n";
$t->wait_until(sub {
    $server->psql($url, "select count(*) from pg_locks where locktype ="
                  . " 'advisory' and granted") > 0;
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
is($t->sql1('select count(*) from evaluations'), 62,
   'every evaluation is there');
is($t->sql1("select count(*) from evaluations where status <> 'completed'"), 0,
   'and has ended, though a node was killed');
is($t->sql1('select count(*) from (select result from evaluations where result'
            . ' is not null group by result having count(*) > 1) twice'), 0,
   'no two have the same result');

# What another node is just taking is passed by, and the next is taken.

my $films = $t->post('/v1/evaluations/social-media', json => {
    judge_id => $t->new_judge(content_type => 'video'),
    urls => [ map { "https://vimeo.com/7697987$_" } 1, 2 ] })->json->{items};
my ($first, $second) = map { $_->{evaluation_id} } @$films;
my $sleeps = "from pg_stat_activity where wait_event = 'PgSleep'";

my $taking = fork // die "fork: $!";
if ($taking == 0) {
    open STDERR, '>', '/dev/null';
    eval { $server->psql($url, 'begin; select 1 from evaluations where id ='
                         . " '$first' for update; select pg_sleep(60)") };
    POSIX::_exit(0);
}
$t->wait_until(sub { $t->sql1("select count(*) $sleeps") }, 'the row held');

$r = $t->post('/v1/work/claim', json => { kinds => ['video'], max => 1,
                                          sources => ['social_media'] });
is(join(' ', map { $_->{evaluation_id} } @{ $r->json->{work} }), $second,
   'a claim goes on to what nobody holds');
$t->sql1("select count(pg_terminate_backend(pid)) $sleeps");
waitpid $taking, 0;

$t->stop;
done_testing();
