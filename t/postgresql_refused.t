# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What a node can't use: a sentence in the log, 503 with Retry-After to
# clients, and it goes on by itself once it is right.  TLS, and passwords.

use Judge::Test;
use Judge::Proxy;

my $tls    = Judge::Test->new(start => 0);      # for a folder and a port
my $dir    = $tls->dir;
my $port   = $tls->port(9);
my $server = Judge::Postgresql->start(port => $port);
my $proxy  = Judge::Proxy->start($server->socket_path);

my $some = Judge::Test->new(address => $server->database);
my $key  = $some->key;
$some->stop;

# A node on this address is refused with the sentence until it was mended.

sub refused {
    my ($what, $address, $sentence, $mend, %opt) = @_;
    my $node = Judge::Test->new(address => $address, orgs => 0, workers => 1,
                                allow => [ qr/judge_store:/ ], %opt);

    subtest "$what: requests are refused until it is mended" => sub {
        $node->wait_until(sub { $node->log_text =~ $sentence },
                          "$what in the log");
        pass('the log says so in a sentence');

        my $r = $node->get('/judges', key => $key);
        status_is($r, 503, 'requests are refused');
        ok($r->header('Retry-After'), 'Retry-After says to try again');
        unlike($r->body, qr/Wrong7|Secret9|$server->{dir}/,
               'the answer has no password and no path');
        status_is($node->get('/healthz', key => undef), 200,
                  'the process answers');
        unlike($node->log_text, qr/Wrong7|Secret9/,
               'the log has no password');

        $mend->($node);
        $node->wait_until(sub {
            $node->get('/readyz', key => undef)->status == 200
        }, "$what to be over");
        pass('the service goes on without a restart');
    };

    return $node;
}

sub address {
    my ($user, $database) = @_;
    return "postgresql://$user\@127.0.0.1:" . $proxy->port . "/$database";
}

sub name { $_[0] =~ m{/(\w+)\?} ? $1 : die }

sub sql { $server->psql(@_) }

# --- Passwords --------------------------------------------------------------

sql('postgres', "create role clerk login superuser password 'Secret9'");
open my $hba, '>', "$server->{dir}/data/pg_hba.conf" or die $!;
print $hba "local all judge trust\nlocal all all scram-sha-256\n",
           "host all all all scram-sha-256\n";
close $hba;
sql('postgres', 'select pg_reload_conf()');

my $name = name($server->database);
my $node = refused('a wrong password', address('clerk:Wrong7', $name),
    qr/password authentication failed for user "clerk"/,
    sub { sql('postgres', "alter role clerk password 'Wrong7'") });

for my $pid ($node->processes) {
    unlike(Judge::Nginx::read_file("/proc/$pid/$_") // '', qr/Wrong7/,
           "$_ of a process has no password") for qw(cmdline environ);
}
unlike(sql($name, 'select * from pg_stat_activity'), qr/Wrong7/,
       'the list of connections of the server has no password');
$node->stop;

open my $pass, '>', "$dir/pass" or die $!;
print $pass "*:*:*:clerk:Nothing\n";
close $pass;
chmod 0600, "$dir/pass";
chown +(getpwnam 'www-data')[2], -1, "$dir/pass" if $> == 0;

refused('a wrong password in a file', address('clerk', $name)
        . "?passfile=$dir/pass", qr/password authentication failed/, sub {
    open my $file, '+<', "$dir/pass" or die $!;
    print $file "*:*:*:clerk:Wrong7\n";
    close $file;
})->stop;

# --- Whether a host is this machine -----------------------------------------

# libpq learns of the host elsewhere: it may be any, and asks for TLS.

open my $services, '>', "$dir/services" or die $!;
print $services "[far]\nhost=127.0.0.1\nport=$port\nuser=clerk\n",
                "password=Wrong7\n";
close $services;
chmod 0755, $dir;
chmod 0644, "$dir/services";

for ([ 'a service', { PGSERVICEFILE => "$dir/services" },
       "postgresql:///$name?service=far" ],
     [ 'a service of the environment', { PGSERVICEFILE => "$dir/services",
                                         PGSERVICE => 'far' },
       "postgresql:///$name?application_name=x" ],
     [ 'a host of the environment', { PGHOST => 'db.invalid,127.0.0.1',
                                      PGPORT => $port, PGUSER => 'clerk',
                                      PGPASSWORD => 'Wrong7' },
       "postgresql:///$name?application_name=x" ])
{
    my ($what, $environment, $url) = @$_;
    local %ENV = (%ENV, %$environment);
    my $list = sub {
        return $some->run($some->repo . '/build/judge', "--store=$url$_[0]",
                          qw(org list));
    };
    my ($status, $out) = $list->('');

    is($status, 1, "$what may be another machine");
    like($out, qr/SSL|certificate/, "$what has no way without TLS");
    is(($list->('&sslmode=disable'))[0], 0,
       "$what needs no TLS where the address says so");
}

# --- Databases --------------------------------------------------------------

refused('a database that is not there', address('judge', 'later'),
        qr/database "later" does not exist/,
        sub { sql('postgres', 'create database later') })->stop;

my $foreign = $server->database;
sql($foreign, 'create table orders (id int)');
refused('tables of another program', address('judge', name($foreign)),
        qr/tables of another program/,
        sub { sql($foreign, 'drop table orders') })->stop;

my $newer = $server->database;
Judge::Test->new(address => $newer)->stop;
sql($newer, 'update judge_schema set version = version + 1000');
refused('a newer schema', address('judge', name($newer)), qr/newer schema/,
        sub { sql($newer, 'update judge_schema set version = version - 1000')
        })->stop;

$proxy->version(13);
refused('an old server', address('judge', name($server->database)),
        qr/too old: PostgreSQL 14/, sub { $proxy->pass })->stop;

for my $encoding (qw(LATIN1 SQL_ASCII)) {
    my $odd = "create database odd encoding '$encoding' template template0"
              . " lc_collate 'C' lc_ctype 'C'";
    sql('postgres', $odd);
    refused("a database in $encoding", address('judge', 'odd'),
            qr/the database is not in UTF8: make it by createdb -E UTF8/, sub {
        sql('postgres', 'drop database odd with (force)');
        sql('postgres', $odd =~ s/$encoding/UTF8/r);
    })->stop;
    sql('postgres', 'drop database odd with (force)');
}

# Tables that go while nodes run, as when a dump is restored.

my $kept = $server->database;
my $runs = Judge::Test->new(address => $kept);
my $text = $runs->new_content('Some text.');
status_is($runs->get("/content/$text"), 200,
          'a text is read before its table goes');
sql($kept, 'alter schema public rename to away; create schema public');
$runs->wait_until(sub { $runs->get("/content/$text")->status != 200 },
                  'it not to be there');
for my $r ($runs->get("/content/$text"),
           $runs->post('/content', json => { file_type => 'text', name => 'x',
                                             text_content => 'More text.' })) {
    status_is($r, 503, 'a request to tables that are gone is refused');
    ok($r->header('Retry-After'),
       'a request to tables that are gone gets Retry-After');
}
$runs->wait_until(sub {
    $runs->log_text =~ /relation "\w+" does not exist/
}, 'the log to say why');
sql($kept, 'drop schema public; alter schema away rename to public');
$runs->wait_until(sub { $runs->get('/readyz', key => undef)->status == 200 },
                  'them to be back');
status_is($runs->get("/content/$text"), 200,
          'a text is read again once its table is back');
$runs->stop;

# --- Locks ------------------------------------------------------------------

# The workers want the locked table all the time, and write one by one: what
# stands behind them waits for one lock, not for each of theirs.

my $shut = Judge::Test->new(address => $kept, workers => 1);
my %with = (judge_id => $shut->new_judge,
            content_id => $shut->new_content('Some text.'));

open my $psql, '|-', 'psql', '-qd', $kept or die "psql: $!";
$psql->autoflush(1);
print {$psql} "begin; lock table evaluations;\n";
$shut->wait_until(sub {
    sql($kept, "select count(*) from pg_locks where not granted and relation"
               . " = 'evaluations'::regclass") > 0;
}, 'somebody to wait for the table');

my $began = time;
status_is($shut->post('/evaluations/single', json => \%with), 503,
          'a write to a table that is locked is refused');
cmp_ok(time - $began, '<', 30 * $shut->slow,
       'a write to a table that is locked is refused in time');

my $took;
for (1 .. 6) {
    $began = time;
    $shut->new_judge;
    last if ($took = time - $began) < 4;
}
cmp_ok($took, '<', 4, 'a write to another table is done');

print {$psql} "rollback;\n";
close $psql;
$shut->wait_until(sub {
    $shut->post('/evaluations/single', json => \%with)->status == 201;
}, 'the table to be free');
pass('a write is taken again when the lock has gone');
$shut->stop;

# --- Clocks -----------------------------------------------------------------

# A function of the same name hides the server's.

my $late = $server->database;
sql($late, 'create schema clock; create function clock.clock_timestamp()'
           . ' returns timestamptz language sql as $$ select'
           . " pg_catalog.clock_timestamp() - interval '30 s' \$\$");
refused('a clock that goes wrong', address('judge', name($late))
        . '?options=-csearch_path%3Dpublic,clock,pg_catalog',
        qr/clock of this machine is (?:29|3\d) s ahead of the database's/,
        sub { sql($late, 'drop function clock.clock_timestamp()') })->stop;

# --- The disk of the server -------------------------------------------------

SKIP: {
    skip 'a small disk can be made by root only', 6 if $> != 0;

    my $disk = "$server->{dir}/disk";
    mkdir $disk;
    skip 'no small disk can be made here', 6
        if system(qw(mount -t tmpfs -o size=24m none), $disk) != 0;
    chown +(getpwnam 'postgres')[2, 3], $disk;
    chmod 0700, $disk;

    my $ok = eval {
        sql('postgres', "create tablespace small location '$disk'");
        sql('postgres', 'create database small tablespace small');
        disk_full($disk);
        1;
    };
    my $why = $@;
    sql('postgres', $_) for 'drop database if exists small with (force)',
                            'drop tablespace if exists small';
    system('umount', $disk);
    die $why if !$ok;
}

sub disk_full {
    my ($disk) = @_;
    my $node = Judge::Test->new(address => address('judge', 'small'));
    my $kept = $node->new_content('What was kept before.');
    my $r;

    system("head -c 64M /dev/zero > $disk/filler 2>/dev/null");
    $node->wait_until(sub {
        $r = $node->post('/content', json => {
            file_type => 'text', name => 'long',
            text_content => join ' ', map { rand } 1 .. 2000 });
        return $r->status != 201;
    }, 'a full disk');
    status_is($r, 503,
              'a write is refused while the disk of the server is full');
    ok($r->header('Retry-After'), 'a write to a full disk gets Retry-After');
    status_is($node->get("/content/$kept"), 200,
              'reads go on while the disk of the server is full');
    log_like($node, qr/No space left on device/,
             'the log says that the disk of the server is full');
    unlink "$disk/filler";
    $node->wait_until(sub {
        $node->post('/content', json => {
            file_type => 'text', name => 'x', text_content => 'It fits.'
        })->status == 201
    }, 'room');
    pass('writes go on without a restart when there is room again');
    $node->stop;
}

# --- TLS --------------------------------------------------------------------

sub openssl {
    my ($status, $out) = $tls->run('openssl', @_);
    die "openssl @_: $out" if $status;
}

openssl(qw(req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes),
        '-days', 2, '-subj', "/CN=$_", '-keyout', "$dir/$_.key",
        '-out', "$dir/$_.pem") for qw(ours theirs);

sub certificate {
    my ($name) = @_;
    my $data = "$server->{dir}/data";

    openssl(qw(req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes
               -subj /CN=server), '-keyout', "$data/server.key", '-out',
            "$dir/request");
    open my $ext, '>', "$dir/ext" or die $!;
    print $ext "subjectAltName=$name\n";
    close $ext;
    openssl(qw(x509 -req -days 2 -CAcreateserial), '-in', "$dir/request",
            '-CA', "$dir/ours.pem", '-CAkey', "$dir/ours.key", '-extfile',
            "$dir/ext", '-out', "$data/server.crt");
    chmod 0600, "$data/server.key";
    chown +(getpwnam 'postgres')[2, 3], "$data/server.key", "$data/server.crt"
        if $> == 0;
    sql('postgres', 'alter system set ssl = on');
    sql('postgres', 'select pg_reload_conf()');
}

# An address that is this machine's, but not known for it.

my $far = "postgresql://clerk:Wrong7\@0.0.0.0:$port/"
          . name($server->database);

refused('a server without TLS', "$far?sslrootcert=$dir/ours.pem",
        qr/server does not support SSL/,
        sub { certificate('IP:0.0.0.0') })->stop;
refused('a certificate of nobody that is known', $far,
        qr/certificate verify failed/, sub {
    $_[0]->stop;
    $_[0]->conf(address => "$far?sslrootcert=$dir/ours.pem");
    delete $_[0]{store};
    $_[0]->conf;
    $_[0]->start;
})->stop;
certificate('DNS:another.example');
refused('a certificate of another name', "$far?sslrootcert=$dir/ours.pem",
        qr/certificate.*does not match host name/,
        sub { certificate('IP:0.0.0.0') })->stop;

done_testing();
