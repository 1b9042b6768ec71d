# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# docs/scaling.md: a role and a database as it makes them, and what its
# backup brings back, with files.

use Judge::Docs;
use Judge::Test;

my $server = Judge::Postgresql->start;
my @sh     = Judge::Docs->blocks('docs/scaling.md', 'Setting it up',
                                 'sh', 3);
my $dir    = Judge::Nginx->prepare->dir;

$ENV{PGHOST} = $server->{dir};
$ENV{PGUSER} = 'judge';
$ENV{PATH}   = "$ENV{PATH}:" . ($server->program('psql') =~ s{/psql$}{}r);

# The superuser of the test is called judge: the role is called node.

sub does {
    my ($script, $store, $name) = @_;

    $script =~ s/(?:ROLE|-O|--role=)\K( ?)judge/$1node/g;
    $script =~ s{psql }{psql -d postgres };
    $script =~ s{/srv/judge}{$store};
    $script =~ s{/srv/restored}{$dir/restored}g;

    my ($status, $out) = Judge::Nginx->run('bash', '-ec',
                                           "umask 022; cd '$dir'\n$script");
    is($status, 0, $name) or diag($out);
}

sub address {
    return "postgresql://node\@/$_[0]?host=$server->{dir}";
}

does('dropdb --if-exists judge', '', 'the database of the superuser is gone');
does($sh[0], '', 'a role and a database are made');

my $t = Judge::Test->new(address => address('judge'));
my $e = $t->evaluated($t->new_evaluation($t->new_judge,
                                         $t->new_content('A short text.')));
is($e->{status}, 'completed', 'a role without any other rights will do');
$t->write('store/files/kept', 'x') if -d $t->store_dir . '/files'
    || mkdir $t->store_dir . '/files';

does($sh[1], $t->store_dir, 'a backup is made');
$t->quit;
does($sh[2], '', 'the backup is restored into an empty database');
ok(-s "$dir/restored/files/kept", 'the restored store has the files');

my $again = Judge::Test->new(address => address('restored'), orgs => 0);
$again->{orgs} = $t->{orgs};
is($again->get("/evaluations/$e->{evaluation_id}")->json->{overall_score},
   $e->{overall_score}, 'the restored store has the result of the evaluation');
is($again->evaluated($again->new_evaluation($again->new_judge,
       $again->new_content('Another text.')))->{status}, 'completed',
   'the restored store evaluates');

# Where the files are stands in nginx.conf, and not in the address.

my $png   = "\x89PNG\r\n\x1a\n" . "\0" x 100;
my $place = $again->post('/v1/evaluations/presigned-upload', json => {
    name => 'Picture', file_type => 'image', file_extension => 'png' })->json;
status_is($again->put($place->{upload_url} =~ s{^http://[^/]+}{}r,
                      key => undef, body => $png,
                      headers => ['Content-Type' => 'image/png']),
          200, 'a file is uploaded');

my ($status, $out) = $again->run($again->repo . '/build/judge', '--store',
                                 address('restored') . '&password=hidden',
                                 'check');
is($status, 0, 'a database whose files are elsewhere is whole');
like($out, qr/^the database is whole; its 1 files, which files= of /m,
     'check says which files it does not look at');
unlike($out, qr/hidden/, 'check does not print the password of an address');

done_testing;
