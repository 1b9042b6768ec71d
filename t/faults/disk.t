# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A store that can't be written, read or opened: a clear 503, and the service
# comes back by itself.

use IO::Handle;
use Time::HiRes qw(time);

use Judge::Test;

plan skip_all => 'faults of the file of SQLite; t/postgresql_refused.t has a'
                 . ' full disk of PostgreSQL' if Judge::Postgresql->running;

my $r;

sub unavailable {
    my ($r, $says, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    error_is($r, 503, $says, "$name: 503 is answered");
    like($r->header('Retry-After'), qr/^\d+$/,
         "$name: Retry-After says to try again");
}

# Waits until that is why requests are refused, and no path with it.

sub says {
    my ($t, $why) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    $t->wait_until(sub {
        10 == grep {
            my $r = $t->post('/content', json => {});
            $r->status == 503 && $r->json->{detail} =~ /^\Q$why\E; try again/;
        } 1 .. 10
    }, $why);
    status_is($t->get('/healthz'), 200, "$why: the process answers");
}

# Somebody else takes the lock of the store, until release() is called.

sub hold {
    my ($t) = @_;

    open(my $hold, '|-', 'sqlite3', '-bail', '-cmd', '.timeout 60000',
         $t->store_dir . '/judge.db') or die "sqlite3: $!";
    $hold->autoflush(1);
    print {$hold} "begin immediate;\n.shell touch $t->{dir}/held\n";
    $t->wait_until(sub { -e "$t->{dir}/held" }, 'the lock');

    return $hold;
}

sub release {
    my ($hold) = @_;

    print {$hold} "commit;\n";
    close $hold;
}

my %small = (json => { name => 'small', file_type => 'text',
                       text_content => 'x' });

# --- A full disk ----------------------------------------------------------

my $mounted;

SKIP: {
    my $full = Judge::Test->new(start => 0, workers => 1,
                                allow => [ qr/\[emerg\].*judge_store: / ]);
    mkdir $full->store_dir;

    skip 'no file system can be mounted here', 1
        if $> != 0 || system('mount -t tmpfs -o size=6m judge-test '
                             . $full->store_dir . ' 2>/dev/null') != 0;
    $mounted = $full;
    $full->start;
    $full->new_org('Full');

    my $judge   = $full->new_judge;
    my $content = $full->new_content('A text. It is short.');
    my %pair    = (json => { judge_id => $judge, content_id => $content });

    my @kept;
    my $large = '{"name":"Large","file_type":"text","text_content":"'
                . 'word ' x 50000 . '"}';

    for (1 .. 100) {
        $r = $full->post('/content', body => $large, headers => [
            'Content-Type' => 'application/json' ]);
        last if $r->status != 201;
        push @kept, $r->json->{id};
    }

    unavailable($r, qr/^the disk is full; try again later$/, 'a full disk');
    log_like($full, qr/content_create: database or disk is full/,
         'the log says that the disk is full');
    cmp_ok(scalar @kept, '>', 3, 'more than three large contents fit');

    # Writes that wait for the lock are done in one group.  It does not fit,
    # and more than is kept in memory goes to the disk before its commit.

    my %status = map { ("Burst $_" => 0) } 10 .. 39;
    my $hold   = hold($full);
    my @burst;

    for my $name (sort keys %status) {
        my $client = $full->connect;
        my $text   = $name =~ /[0369]$/ ? 'x' : 'word ' x 200_000;
        $client->send($full->bytes(POST => '/content', json => {
            name => $name, file_type => 'text', text_content => $text }));
        push @burst, [ $name, $client ];
        $full->get('/healthz');        # answered once that has been read
    }
    release($hold);

    for (@burst) {
        my ($name, $client) = @$_;
        $status{$name} = $client->response->status;
        $client->close;
    }
    is(scalar(grep { $_ != 201 && $_ != 503 } values %status), 0,
       'each write of a group is done or refused');
    cmp_ok(scalar(grep { $_ == 503 } values %status), '>', 0,
           'some writes of a group are refused');
    is(join(', ', map { $_->{name} } @{ $full->sql(
           "select name from contents where name like 'Burst %'"
           . ' order by name') }),
       join(', ', grep { $status{$_} == 201 } sort keys %status),
       'no write that is refused is stored');

    # Even for what is small there is no room in the end.

    for (1 .. 5000) {
        $r = $full->post('/content', %small);
        last if $r->status != 201;
        push @kept, $r->json->{id};
    }
    unavailable($r, qr/^the disk is full; try/, 'an entirely full disk');

    is(scalar(grep { $full->get("/content/$_")->status != 200 }
              @kept[0, 1, -2, -1]), 0,
       'what was written before is read from a full disk');
    status_is($full->get('/healthz'), 200,
              'the process answers with a full disk');
    $full->wait_until(sub { $full->get('/readyz')->status == 503 },
                      'that it is not ready');
    unavailable($full->get('/readyz'),
                qr/^the store does not take a write: the disk is full$/,
                'readiness on a full disk');

    for (1 .. 20) {
        my $s = $full->post('/evaluations/single', %pair)->status;
        last if $s == 503;
    }
    $r = $full->post('/judges', json => { name => 'x', description => 'x',
        content_type => 'text',
        criteria => [ { name => 'x' x 200, description => 'x' x 5000 } ] });
    unavailable($r, qr/try again/, 'a judge on a full disk');

    # Who knocks all the time does not fill another disk with lines.

    my %lines;
    $full->wait_until(sub {
        $full->post('/content', %small) for 1 .. 20;
        return $full->log_text =~ /is full.*?, and [1-9]\d* more since the l/;
    }, 'a line that says how many more there were');
    for (split /\n/, $full->log_text) {
        $lines{"$1 $2 $3"}++
            if /^(\S+\ \S+)\ \[error\]\ (\d+)\#.*?judge:\ \w+:\ (.*?),\ and/x;
    }
    ok(%lines, 'the log says what fails');
    is(scalar(grep { $_ > 1 } values %lines), 0,
       'each worker writes one line a second of each cause');
    # Room again: the service goes on without a restart.

    system('mount', '-o', 'remount,size=64m', $full->store_dir) == 0
        or die 'remount';
    $full->wait_until(sub {
        $full->post('/content', %small)->status == 201 }, 'the recovery');
    $full->wait_until(sub { $full->get('/readyz')->status == 200 },
                      'that it is ready with room again');
    is($full->evaluated($full->new_evaluation($judge, $content))->{status},
       'completed', 'the service evaluates when there is room again');
    is(scalar(grep { $full->get("/content/$_")->status != 200 } @kept), 0,
       'nothing that was acknowledged is lost');
    is($full->sql('pragma integrity_check')->[0]{integrity_check}, 'ok',
       'the database is whole after a full disk');
    $full->wait_until(sub {
        !$full->sql1("select count(*) from evaluations where status ="
                     . " 'processing'") }, 'the evaluations');
    $full->quit;

    # A file system that can only be read.

    system('mount', '-o', 'remount,ro', $full->store_dir) == 0
        or die 'remount';
    $full->start(wait => 0);
    says($full, 'the store cannot be opened: its file system is read-only');
    log_like($full, qr/is not readable.*: Read-only file system;/,
         'the log says that the file system is read-only');
    system('mount', '-o', 'remount,rw', $full->store_dir) == 0
        or die 'remount';
    $full->wait_until(sub { $full->get('/readyz')->status == 200 },
                      'that it is ready when it can write');
    $full->quit;
}

END {
    if ($mounted) {
        $mounted->crash if $mounted->{group};
        system('umount', $mounted->store_dir);
    }
}

# --- A newer schema -------------------------------------------------------

my $t = Judge::Test->new(allow => [ qr/\[emerg\].*judge_store: / ]);
my $judge = $t->new_judge;
my $schema = $t->sql('pragma user_version')->[0]{user_version};

sub closed {
    my ($damage, $says) = @_;

    $t->quit if $t->{group};
    $damage->();
    $t->start(wait => 0);
    $t->wait_until(sub {
        $r = $t->get('/readyz', key => undef);
        return $r->status == 503 && $t->log_text =~ $says;
    }, 'the refusal');
}

# Repairs it and waits until the same processes take it.

sub opened {
    my ($repair, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    $t->wait_until(sub { $t->single || $t->workers == 2 }, 'both workers');
    my @workers = $t->workers;
    $repair->();
    $t->wait_until(sub {
        10 == grep { $t->get("/judges/$judge")->status == 200
                     && $t->get('/readyz')->status == 200 } 1 .. 10
    }, $name);
    pass("$name: it is ready");
    is(join(' ', $t->workers), "@workers", "$name: the workers are the same")
        if !$t->single;
    $t->new_judge;
}

closed(sub { $t->alter('pragma user_version = 9999') },
       qr/schema version 9999, newer than this program's/);

for my $path ('/judges', "/judges/$judge") {
    unavailable($t->get($path), qr/^the store cannot be opened; try again/,
                "GET $path");
}
unavailable($t->get('/readyz'), qr/does not take a write/, 'GET /readyz');
status_is($t->get('/healthz'), 200, 'the process answers with a newer store');
status_is($t->get('/judges', key => undef), 401,
          'a request without a key is refused with a newer store, too');
unavailable($t->post('/judges', json => {}), undef, 'POST /judges');
unavailable($t->post('/content', json => {}, headers => [
    'Content-Type' => 'application/json', Expect => '100-continue' ]), undef,
    'POST with Expect: 100-continue');
is($t->sql('pragma user_version')->[0]{user_version}, 9999,
   'the newer store is left as it is');
opened(sub { $t->alter("pragma user_version = $schema") }, 'the older schema');

# --- Not a database -------------------------------------------------------

my $db = $t->store_dir . '/judge.db';

closed(sub { rename $db, "$db.kept"; $t->write('store/judge.db', 'x' x 9000) },
       qr/not a database/);
unavailable($t->get('/judges'), qr/cannot be opened/,
            'rubbish for a database');
opened(sub { rename "$db.kept", $db or die "rename: $!" }, 'the database');

# --- A directory that can't be written ------------------------------------

SKIP: {
    skip 'not root: the workers are the owner', 1 if $> != 0;

    closed(sub { rename $db, "$db.kept"; mkdir $db },
           qr/unable to open database/);
    unavailable($t->get('/judges'), qr/its file is not readable and writable/,
                'a directory for a database');
    opened(sub { rmdir $db; rename "$db.kept", $db or die "rename: $!" },
           'the database again');
}

# --- The database is moved under the running service ----------------------

# Each request on a connection of its own: both workers get some.

sub all_refused {
    my ($name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my @status = map { $t->post('/content', %small)->status } 1 .. 20;
    is(scalar(grep { $_ != 503 } @status), 0, "$name: no write is taken");
    $t->wait_until(sub { $t->get('/readyz')->status == 503 }, $name);
    is(scalar(grep { $t->get('/readyz')->status != 503 } 1 .. 10), 0,
       "$name: it is not ready");
    status_is($t->get('/healthz'), 200, "$name: the process answers");
}

sub back {
    my ($repair, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    $repair->();
    $t->wait_until(sub {
        10 == grep { $t->post('/content', %small)->status == 201
                     && $t->get('/readyz')->status == 200 } 1 .. 10
    }, $name);
    is_there("/judges/$judge", "$name: what was there is");
}

# Whatever worker answers: each opens the store by itself.

sub is_there {
    my ($path, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    $t->wait_until(sub {
        $r = $t->get($path);
        return $r->status != 503;
    }, $name);
    status_is($r, 200, $name);
}

my $count = 'select count(*) from contents';
my $stored = $t->sql1($count);

rename $db, "$db.kept" or die "rename: $!";
all_refused('moved away');
ok(!-e $db, 'no other database is made where one was moved away');
rename "$db.kept", $db or die "rename: $!";
is($t->sql1($count), $stored,
   'nothing is written to a database that was moved away');
back(sub { }, 'moved back');

# It comes back, but as somebody else's.

my $dir = $t->store_dir;

sub foreign {
    my ($path, $mode, $what) = @_;

    my @owner = (stat $path)[4, 5];
    my $own = (stat $path)[2] & 07777;

    rename $db, "$db.kept" or die "rename: $!";
    says($t, 'the store is not in its place');
    chmod $mode, $path eq $db ? "$db.kept" : $path or die "chmod: $!";
    chown 0, 0, $path eq $db ? "$db.kept" : $path or die "chown: $!";
    rename "$db.kept", $db or die "rename: $!";

    says($t, "the store cannot be opened: its $what is not readable and"
             . ' writable');
    my $mine = sprintf '%04o', $mode;
    log_like($t, qr/"\Q$path\E"\ is\ not\ readable\ and\ writable\ for
                    \ user\ $owner[0],\ group\ \d+:\ Permission\ denied;
                    \ it\ is\ of\ user\ 0,\ group\ 0,\ mode\ $mine$/mx,
         "$what: the log says whose it is");
    back(sub { chmod $own, $path; chown @owner, $path }, "$what: the rights");
}

SKIP: {
    skip 'not root: nobody else owns it', 1 if $> != 0;

    foreign($db, 0600, 'file');
    foreign($dir, 0700, 'directory');
}

rename $dir, "$dir.kept" or die "rename: $!";
all_refused('its directory moved');
says($t, 'the store is not in its place');
back(sub { rename "$dir.kept", $dir or die "rename: $!" }, 'the directory');

$t->quit;
is(system('cp', '-p', $db, "$db.copy"), 0, 'the database is copied');
$t->start;
back(sub { }, 'started');
unlink map { "$db$_" } '', '-wal', '-shm';
all_refused('removed');
ok(!-e $db, 'no other database is made where one was removed');
$t->wait_until(sub {
    $t->log_text =~ /judge\.db" is missing or empty: put it back/
}, 'that the log says what to do');

# Nobody writes: it is noticed all the same.

sub noticed {
    my ($name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    $t->wait_until(sub {
        20 == grep { $t->get("/judges/$judge")->status == 503 } 1 .. 20
    }, "$name: no read is answered, either");
    all_refused($name);
}

$t->quit;
is(system('cp', '-p', "$db.copy", $db), 0,
   'the copy takes the place of the database');
$t->start;
back(sub { }, 'started with it');
my $logged = $t->post('/content', %small);
status_is($logged, 201, 'a content is written to the log of the database');
unlink "$db-wal" or die "unlink: $!";
noticed('its log removed');
back(sub { }, 'the database without that log');
is_there('/content/' . $logged->json->{id}, 'what was in the log is there');

truncate $db, (-s $db) / 2 or die "truncate: $!";
noticed('half of it cut off');
log_like($t, qr/moved, replaced, cut or removed/,
         'the log says what became of the database');
$t->quit;
unlink $db, "$db-wal", "$db-shm";

$t->start(wait => 0);
$t->wait_until(sub { $t->get('/readyz')->status == 503 },
               'the refusal after a restart');
ok(!-e $db, 'a restart makes no other database');
back(sub { rename "$db.copy", $db or die "rename: $!" }, 'the copy');

# --- Somebody else holds the lock of the store ----------------------------

# Reads go on while a write waits, and the write is done once it may.

my $hold   = hold($t);
my $writer = $t->connect;
$writer->send($t->bytes(POST => '/content', %small));

for my $n (1 .. 20) {
    my $s = $t->get("/judges/$judge")->status;
    next if $s == 200;
    is($s, 200, "read $n is answered while a write waits");
}
ok(!$writer->fill(time() + 0.01), 'the write waits for the lock');
release($hold);

status_is($writer->response, 201, 'the write is done when it has the lock');
$writer->close;

done_testing;
