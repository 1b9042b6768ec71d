# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A backup that is made while the service works, and what is in it when it is
# restored; what is no whole backup is refused.  t/operations.t runs the
# commands that docs/operations.md has.

use Digest::SHA qw(sha256_hex);
use POSIX ();

use Judge::Test;

plan skip_all => 'judge backup is for SQLite' if Judge::Postgresql->running;

my $t       = Judge::Test->new;
my $judge   = $t->new_judge;
my $content = $t->new_content('One sentence here. Another one there.');
my $before  = $t->evaluated($t->new_evaluation($judge, $content));

# More is written while the copy is made.
my @later = map { $t->new_evaluation($judge, $content) } 1 .. 5;
my $copy  = $t->dir . '/backup';
my $tool  = $t->repo . '/build/judge';

# On a store, and on that of the service: [exit status, what it prints].
sub on    { my $store = shift; [ $t->run($tool, '--store', $store, @_) ] }
sub judge { on($t->store_dir, @_) }

sub slurp {
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!";
    local $/;
    return <$in>;
}

sub put {
    my ($path, $bytes) = @_;
    open my $out, '>:raw', $path or die "$path: $!";
    print $out $bytes;
    close $out or die "$path: $!";
}

# Another value for a byte of a file; the second time it is the first again.
sub damage {
    my ($path, $at) = @_;
    my $bytes = slurp($path);
    substr($bytes, $at, 1) ^= "\x55";
    put($path, $bytes);
}

sub sqlite {
    my ($path, $sql) = @_;
    my ($status, $out) = $t->run('sqlite3', $path, $sql);
    die "sqlite3: $out" if $status != 0;
}

# Checksums of what a folder has now; it belongs to the store's owner.
sub summed {
    my ($folder) = @_;
    my @owner = (stat $t->store_dir)[4, 5];

    put("$folder/judge.sums",
        join '', map { sha256_hex(slurp("$folder/$_")) . "  $_\n" }
                 (map { substr $_, length "$folder/" } glob "$folder/files/*"),
                 'judge.db');
    chown @owner, $folder, glob "$folder/*" if $> == 0;
}

# The files of a folder with their contents.
sub state_of {
    my ($folder) = @_;
    return join ' ', map { -f $_ ? "$_ " . sha256_hex(slurp($_)) : $_ }
                     map { glob "$_/*" } $folder, "$folder/files";
}

chmod 0777, $t->dir;
is(($t->run($tool, '--store', $t->store_dir, 'backup', $copy))[0], 0,
   'a running service is backed up');
my @after = map { $t->new_evaluation($judge, $content) } 1 .. 2;

$t->quit;

is(($t->run($tool, '--store', $t->store_dir, '--force', 'restore', $copy))[0],
   0, 'a backup is restored');

$t->start;

is($t->sql1('select * from pragma_integrity_check'), 'ok',
   'the restored database is whole');

my $r = $t->get("/evaluations/$before->{evaluation_id}");
status_is($r, 200, 'an evaluation from before a backup is restored');
is($r->json->{overall_score}, $before->{overall_score},
   'a restored evaluation has its score');

is(scalar(grep { $t->evaluated($_)->{status} eq 'completed' } @later), 5,
   'what was in the queue is worked off');
is(scalar(grep { $t->get("/evaluations/$_")->status == 404 } @after), 2,
   'what came after the backup is gone');
is($t->evaluated($t->new_evaluation($judge, $content))->{overall_score},
   $before->{overall_score}, 'a restored service evaluates as before');

# --- What a backup holds, and what is refused -------------------------------

my $png   = "\x89PNG\r\n\x1a\n" . "\0" x 100;
my $place = $t->post('/v1/evaluations/presigned-upload', json => {
    name => 'Picture', file_type => 'image', file_extension => 'png' })->json;
status_is($t->put($place->{upload_url} =~ s{^http://[^/]+}{}r, key => undef,
                  body => $png, headers => ['Content-Type' => 'image/png']),
          200, 'a file is uploaded');

# Evaluations whose content has not come, and those whose content never will.
my ($awaited, $dropped, $late) = map {
    $t->post('/v1/evaluations/presigned-upload', json => {
        name => 'Letter', file_type => 'text', judge_id => $judge })->json
} 1 .. 3;
status_is($t->delete("/evaluations/presigned-upload/$dropped->{content_id}"),
          204, 'an upload is given up');
$t->alter("update uploads set queue_at = 1 where id = '$late->{content_id}'");
for ($dropped, $late) {
    is($t->ended($_->{job_id})->{error}{code}, 'UPLOAD_EXPIRED',
       'an evaluation fails whose file never comes');
    error_is($t->post("/evaluations/$_->{job_id}/retry"), 409,
             qr/is failed, and its content never came$/,
             'an evaluation whose file never came is not tried again');
}
$t->quit;

my $whole = $t->dir . '/whole';
is(judge('backup', $whole)->[0], 0, 'a service with a file is backed up');
my ($file) = map { s{.*/}{}r } glob "$whole/files/*";

my ($summed, $sums) = $t->run('sh', '-c',
                              "cd $whole && sha256sum -c judge.sums");
is("$summed $sums", "0 files/$file: OK\njudge.db: OK\n",
   'sha256sum reads the checksums of a backup');
for (1, 2) {
    is(on($whole, 'check')->[0], 0,
       'a check finds a backup whole, and leaves it as it is');
}

# Where a byte is another one, in whatever place of the database.
my $size = -s "$whole/judge.db";
my @passed;
for my $n (0 .. 24) {
    my $place = int(($n + 0.5) * $size / 25);
    damage("$whole/judge.db", $place);
    push @passed, $place if on($whole, 'check')->[0] == 0;
    damage("$whole/judge.db", $place);
}
is("@passed", '', 'damage anywhere in the database is found');

damage("$whole/files/$file", 50);
like(on($whole, 'check')->[1],
     qr/^files\/\Q$file\E differs from its checksum/m,
     'damage of a file is found');
damage("$whole/files/$file", 50);
is(on($whole, 'check')->[0], 0, 'a check passes when the damage is undone');

my $state  = state_of($t->store_dir);
my $picked = $t->dir . '/picked';

for ([ 'an empty judge.db', sub { put("$_[0]/judge.db", '') }, qr/is empty/ ],
     [ 'a judge.db that is no database', sub {
         put("$_[0]/judge.db", 'x' x 8192) },
       qr/is no database of this program/ ],
     [ 'a database of another product', sub {
         unlink "$_[0]/judge.db";
         sqlite("$_[0]/judge.db", 'create table t (a)') },
       qr/is no database of this program/ ],
     [ 'a database of another product with a log', sub {
         unlink "$_[0]/judge.db";
         sqlite("$_[0]/judge.db", 'pragma journal_mode = wal;'
                . ' create table t (a); pragma user_version = 3');
         summed($_[0]) }, qr/no such table/ ],
     [ 'a store of a newer program', sub {
         sqlite("$_[0]/judge.db", 'pragma user_version = 9999') },
       qr/has schema version 9999, expected 1 to this program's \d+/ ],
     [ 'a store of nobody', sub {
         sqlite("$_[0]/judge.db", 'delete from organizations');
         summed($_[0]) }, qr/of api_keys refer to rows of organizations/ ],
     [ 'a store that has lost a text', sub {
         sqlite("$_[0]/judge.db",
                "delete from contents where id = '$content'");
         summed($_[0]) },
       qr/: 1 problem in .*rows of evaluations refer to rows of contents/s ],
     [ 'an empty store', sub {
         unlink glob "$_[0]/judge.db*";
         on($_[0], 'org', 'list');
         summed($_[0]) }, qr/has no organization: nothing was restored/ ],
     [ 'broken pages that agree with their checksums', sub {
         damage("$_[0]/judge.db", 8192 + $_) for 0 .. 7;
         summed($_[0]) }, qr/is damaged|malformed|failed/ ],
     [ 'rows whose file is not there', sub {
         unlink "$_[0]/files/$file";
         summed($_[0]) }, qr/an uploaded file is missing: .*\Q$file\E/ ],
     [ 'a damaged file', sub { damage("$_[0]/files/$file", 50) },
       qr/files\/\Q$file\E differs from its checksum/ ],
     [ 'a FIFO in the place of a file', sub {
         unlink "$_[0]/files/$file";
         POSIX::mkfifo("$_[0]/files/$file", 0600) },
       qr/files\/\Q$file\E cannot be read: it is not a regular file/ ],
     [ 'a FIFO beside the files', sub {
         POSIX::mkfifo("$_[0]/files/a.b.c", 0600) },
       qr/there are 2 files, of which judge.sums has 1/ ],
     [ 'a FIFO in the place of the database', sub {
         unlink "$_[0]/judge.db";
         POSIX::mkfifo("$_[0]/judge.db", 0600) },
       qr/judge.db: it is not a regular file/ ],
     [ 'no checksums', sub { unlink "$_[0]/judge.sums" },
       qr/there is no complete backup in .*: judge.sums: No such file/ ],
     [ 'checksums that were cut', sub {
         put("$_[0]/judge.sums", (split /^/, slurp("$_[0]/judge.sums"))[0]) },
       qr/judge.sums ends before judge.db/ ],
     [ 'checksums that are none', sub { put("$_[0]/judge.sums", "x\n") },
       qr/judge.sums: line 1 is not the checksum/ ],
     [ 'checksums of files elsewhere', sub {
         put("$_[0]/judge.sums", '0' x 64 . "  files/../../x\n") },
       qr/judge.sums: line 1 is not the checksum/ ])
{
    my ($name, $change, $sentence) = @$_;
    $t->run('rm', '-rf', $picked);
    $t->run('cp', '-a', $whole, $picked);
    $change->($picked);

    my $out = judge('--force', 'restore', $picked);
    is($out->[0], 1, "$name is refused");
    like($out->[1], $sentence, "a sentence says what is wrong with $name");
    is(state_of($t->store_dir), $state, "$name changes nothing in the store");
}

is(on($t->dir . '/new', 'restore', $t->dir . '/none')->[0], 1,
   'nothing is restored where no backup is');
ok(!-e $t->dir . '/new', 'no store is made where no backup is');

# A program that is newer than the backup takes it, too.
my ($older, $served) = map { $t->dir . "/$_" } qw(older served);
mkdir $older;
sqlite("$older/judge.db", join "\n", 'pragma journal_mode = wal;',
       (map { slurp($_) } (sort glob $t->repo . '/src/store/sql/*.sql')[0, 1]),
       "insert into organizations (id, name, webhook_secret, created_at)"
       . " values ('org_1', 'Old', 'x', 1);", 'pragma user_version = 2');
summed($older);
like(on($served, 'restore', $older)->[1],
     qr/^the backup is restored in .*; organizations: 1, files: 0$/m,
     'a backup of an older program is restored');

# An older module may be using the store: its schema stays as it is.
for my $command ([qw(org list)], [qw(org create New)], [qw(key list)],
                 [qw(key create org_1 New)])
{
    my $out = on($served, @$command);
    is($out->[0], 1, "@$command leaves an older schema as it is");
    like($out->[1], qr/older than this program's .*"judge check" says what/,
         "@$command of an older schema names what may be done");
}
my $looked = on($served, 'check');
is($looked->[0], 0, 'a store of an older program is checked');
like($looked->[1],
     qr/^the database is whole.*^criteria of texts: 0 .judges: 0/ms,
     'the check says what an upgrade would judge otherwise');
is(on($served, 'copy', "--from=$whole", "--to=$served", '--org=Old')->[0], 1,
   'nothing is copied into a store of an older program');
like(on($served, 'version')->[1], qr/schema version 2$/m,
     'the schema of an older program is what it was');
is_deeply([glob "$served/check-*"], [], 'the check leaves no copy');

is(judge('--force', 'restore', $older)->[0], 0,
   'a store is replaced by that of an older program');
$t->start;
$t->quit;
like(judge('org', 'list')->[1], qr/^org_1 .* Old$/m,
     'the module brings the schema of an older program up to date');

is(judge('--force', 'restore', $whole)->[0], 0,
   'a backup is restored after all that was refused');
$t->start;
is($t->get("/evaluations/$before->{evaluation_id}")->json->{overall_score},
   $before->{overall_score}, 'a restored service has its evaluations');
status_is($t->put($awaited->{upload_url} =~ s{^http://[^/]+}{}r, key => undef,
                  body => 'Dear friend, this letter comes late.',
                  headers => ['Content-Type' => 'text/plain']),
          200, 'a file that was awaited comes after a restore');
is($t->evaluated($awaited->{job_id})->{status}, 'completed',
   'a file that came after a restore is evaluated');

# --- Files that are deleted meanwhile ---------------------------------------

$t->quit;

my $shim   = $t->dir . '/gone.so';
my $during = $t->dir . '/during';
my $there  = $t->store_dir . "/files/$file";

system('gcc', '-shared', '-fPIC', '-O2', '-o', $shim,
       $t->repo . '/t/faults/gone_preload.c', '-ldl') == 0
    or BAIL_OUT('the library that deletes a file is not compiled');

is(($t->run('env', "LD_PRELOAD=$shim",
            "T_AFTER=$during/judge.db.part", "T_GONE=$there",
            $tool, '--store', $t->store_dir, 'backup', $during))[0], 0,
   'a backup is made while a file is deleted');
ok(!-e $there, 'the file is deleted after the database is copied');
my $out = judge('--force', 'restore', $during);
is($out->[0], 0, 'a backup is restored though a file was deleted meanwhile')
    or diag $out->[1];
ok(-e $there, 'a backup has the files that its database names');

# --- A restore that breaks off ----------------------------------------------

# It ends in the middle of a file that the store has, as on a full disk.
put($_, $png x 100_000) for $there, "$during/files/$file";
summed($during);
is(($t->run('sh', '-c', 'ulimit -f 8192; exec "$@"', 'sh', $tool, '--store',
            $t->store_dir, '--force', 'restore', $during))[0], 255,
   'a restore breaks off in a file');
is(-s $there, 100_000 * length $png,
   'a restore that breaks off leaves files whole');

done_testing;
