# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A disk that fails while a file is uploaded: the client is told, nothing is
# left of the file, and the same address takes it when the disk is well.

use Errno qw(EIO ENOSPC);

use Judge::Test;
use Judge::Torture::Faults;

plan skip_all => 'a library of faults does not go with a sanitizer'
    if { Judge::Nginx::environment() }->{LD_PRELOAD} || Judge::Nginx->single;

my $t = Judge::Test->new(start => 0, workers => 1,
                         allow => [ qr/judge: writing ".*" failed/ ]);
my $files  = $t->store_dir . '/files';
my $faults = Judge::Torture::Faults->new(dir => $t->dir, seed => 1,
                                         repo => $t->repo, folder => $files);

# The directory itself as well.
sysseek $faults->{fh}, 64, 0;
syswrite $faults->{fh}, pack 'a448', $files;

$faults->into($t);
$t->start;
$t->new_org('Faults');

for (
    [ 'the sync of the file fails',      1, EIO,    500, 'sync' ],
    [ 'the sync of the directory fails', 2, EIO,    500, 'sync' ],
    [ 'there is no room to sync it',     1, ENOSPC, 503, 'sync' ],
    [ 'its write fails',                 1, EIO,    500, 'write' ],
    [ 'there is no room',                1, ENOSPC, 503, 'write' ],
    [ 'it gets no name',                 1, EIO,    500, 'name' ],
) {
    my ($name, $nth, $error, $status, $calls) = @$_;

    my $promise = $t->post('/v1/evaluations/presigned-upload', json => {
        name => 'U', file_type => 'text' })->json;
    my $put = sub {
        return $t->put($promise->{upload_url} =~ s{^http://localhost}{}r,
                       key => undef, body => 'A text.',
                       headers => [ 'Content-Type' => 'text/plain' ]);
    };
    my @before = glob "$files/*";
    my $failed = $faults->done;

    $faults->set(calls => [ $calls ], error => $error, countdown => $nth);
    status_is($put->(), $status, $name);
    is($faults->done, $failed + 1,
       "$name: the call that was to fail has failed");
    $faults->set;

    $t->wait_until(sub { my @now = glob "$files/*"; "@now" eq "@before" },
                   "$name: nothing is left of it");
    is($t->sql1("select status from uploads where id ="
                . " '$promise->{content_id}'"), 'waiting',
       "$name: the upload is still waited for");
    status_is($put->(), 200, "$name: the file is taken afterwards");
}

done_testing;
