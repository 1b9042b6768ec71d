# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Uploads over real sockets: to pre-signed addresses, broken off, twice,
# read in the background, downloaded, deleted; references of judges.

use Judge::Test;

my $t = Judge::Test->new(
    store  => 'name=main max_upload=3m max_text=64k',
    allow  => [ qr/judge: opening ".*" failed/ ],
    judge  => 'main',
    http   => 'judge_store @DIR@/brief name=brief upload_valid=1s;',
    server => 'location /brief/ { judge brief; }',
    orgs   => 2);

my $files = $t->store_dir . '/files';
my ($r, $p, $c, $e);

sub files { my @f = glob "$files/*"; return scalar @f }

# What a promise says is a path of ours.

sub path_of { return $_[0] =~ s{^http://localhost}{}r }

sub promise {
    my (%fields) = @_;
    my %as = map { exists $fields{$_} ? ($_ => delete $fields{$_}) : () }
             qw(key org);

    my $r = $t->post('/v1/evaluations/presigned-upload', %as,
                     json => { name => 'U', file_type => 'text', %fields });
    die 'no promise: ' . $r->body if $r->status != 201;
    return $r->json;
}

sub put {
    my ($promise, $body, %opt) = @_;
    my $type = exists $opt{type} ? delete $opt{type}
             : $promise->{headers}{'Content-Type'};

    return $t->put(path_of($promise->{upload_url}), key => undef,
                   body => $body, headers => [ 'Content-Type' => $type ],
                   %opt);
}

sub content_read {
    my ($id, %opt) = @_;
    my $c;

    $t->wait_until(sub {
        $c = $t->get("/content/$id", %opt)->json;
        return ($c->{status} // '') =~ /^(?:ready|error)$/;
    }, "content $id");

    return $c;
}

# What became of it stands in nginx's log behind its end.

sub ends { return scalar(() = $t->access_text =~ /"PUT \Q$_[0]\E[^"]*"/g) }

my $judge  = $t->new_judge;
my @free   = map { promise() } 1, 2;
my $before;

subtest 'a promise becomes a file, and a score' => sub {
    $p = promise(judge_id => $judge, file_extension => 'txt',
                 metadata => { a => 1 });

    like($p->{content_id}, qr/^cnt_[0-9A-Z]{26}$/,
         'a promise names its content');
    like($p->{job_id}, qr/^evl_/, 'a promise names its evaluation');
    like($p->{content_uri}, qr{^judge://org_\w+/contents/\Q$p->{content_id}\E
                               \.txt$}x,
         'a promise has the URI of its content');
    like($p->{upload_url}, qr{^http://localhost/uploads/org_\w+/cnt_\w+
                              \?expires=\d+&signature=[\w-]+$}x,
         'a promise has a signed address');
    is_deeply([ @$p{qw(method headers)} ],
              [ 'PUT', { 'Content-Type' => 'text/plain' } ],
              'a promise says how the file is sent');
    time_is($p->{expires_at}, 'a promise says until when it holds');
    $c = $t->get("/content/$p->{content_id}")->json;
    is_deeply([ @$c{qw(status waiting_for size metadata)} ],
              [ 'processing', 'upload', 0, { a => 1 } ],
              'the content can be read before its file has come');
    error_is($t->get("/content/$p->{content_id}", org => 1), 404, undef,
             'a content can be read by its own organization only');
    error_is($t->post('/evaluations/single', json => {
        judge_id => $judge, content_id => $p->{content_id} }), 409,
        qr/its status is processing$/,
        'a content that waits for its file is not evaluated');
    is($t->get("/evaluations/$p->{job_id}")->json->{status}, 'processing',
       'the evaluation of a promise waits');

    my %essays = $t->essays;
    my $essay  = $essays{'repair-cafe'};
    my $bytes  = $essay;
    utf8::encode($bytes);

    # Said too early it takes nothing away; a second upload passes the reader.
    $r = $t->post("/v1/evaluations/presigned-upload/$p->{content_id}"
                  . '/complete');
    status_is($r, 202, 'that it is complete may be said before it has come');
    put(promise(), 'Another one.');

    $r = put($p, $bytes, chunk => 100, delay => 0.001);
    status_is($r, 200, 'a file that comes in pieces is taken');
    is_deeply([ @{ $r->json }{qw(status size)} ],
              [ 'uploaded', length $bytes ],
              'the answer says that all bytes have come');

    $e = $t->evaluated($p->{job_id});
    is($e->{status}, 'completed', 'the evaluation starts by itself');

    $c = $t->get("/content/$p->{content_id}")->json;
    is_deeply([ @$c{qw(status text_content size metadata)} ],
              [ 'ready', $essay, length $bytes, { a => 1 } ],
              'the content has the text and the size of its file');
    ok(!exists $c->{waiting_for}, 'a content that is ready waits for nothing');

    my $same = $t->evaluated($t->new_evaluation($judge,
                                                $t->new_content($essay)));
    is($e->{overall_score}, $same->{overall_score},
       'an uploaded text is scored as one that was inline');

    status_is($t->put(path_of($p->{upload_url}), key => undef, body => 'x',
                      headers => [ 'Content-Type' => 'text/plain' ]),
              409, 'a second file is refused');
};

subtest 'texts are read, and what is none is an error' => sub {
    for (
        [ 'UTF-16, little end',  "\xff\xfeh\0i\0 \0\xe9\0", "hi \x{e9}" ],
        [ 'UTF-32',              "\xff\xfe\0\0h\0\0\0i\0\0\0", undef,
          qr/^the file is not a text/ ],
        [ 'a text too long',     "\xe9" x 40_000, undef,
          qr/^the text is longer than 65536 bytes$/ ],
        [ 'one as long as can be', 'x' x 65536, 'x' x 65536 ],
    ) {
        my ($name, $file, $text, $why) = @$_;

        $p = promise($why ? (judge_id => $judge) : ());
        status_is(put($p, $file), 200, "$name is taken");
        $c = content_read($p->{content_id});
        is($c->{status}, $why ? 'error' : 'ready',
           "$name makes the content $c->{status}");
        is($c->{text_content}, $text, "$name is read as the text it is");
        next if !$why;

        like($c->{metadata}{error}, $why, "$name is told why");
        $e = $t->ended($p->{job_id});
        is($e->{status}, 'failed', "$name lets its evaluation fail");
        is($e->{error}{code}, 'CONTENT_UNUSABLE', "$name has an error code");
        error_is($t->post('/evaluations/single', json => {
            judge_id => $judge, content_id => $p->{content_id} }), 409,
            qr/its status is error/, "$name can't be evaluated");
    }
};

subtest 'what was not promised is refused' => sub {
    $before = files();

    error_is(put($free[0], 'x', type => 'image/png'), 415,
             qr/^Content-Type: expected text\/plain$/,
             'a file of another type than was promised is refused');
    error_is(put($free[0], 'x', type => undef), 415, undef,
             'a file without a type is refused');
    error_is($t->raw(Judge::HTTP::request_bytes('PUT',
                 path_of($free[0]{upload_url}), headers => [
                     'Content-Type' => 'text/plain',
                     'Transfer-Encoding' => 'chunked' ])
                 . "1\r\nx\r\n0\r\n\r\n"),
             411, qr/^Content-Length: /, 'a file without a length is refused');
    error_is(put($free[0], ''), 400, qr/^body: expected a file/,
             'an empty file is refused');

    my $small = promise(size => 10);
    error_is(put($small, 'x' x 11), 413, qr/larger than 10 bytes$/,
             'a file longer than was said is refused');

    # Of these nothing but the head is sent: nobody has to transfer the rest.
    for ([ $free[0], 'text/plain', 65537, 65536,
           'a text longer than a text may be' ],
         [ promise(file_type => 'video'), 'video/mp4', 3 * 1024 * 1024 + 1,
           3 * 1024 * 1024, 'a file longer than is allowed' ])
    {
        my ($to, $type, $bytes, $most, $name) = @$_;
        is($to->{max_size}, $most,
           "the promise tells the bound before there is $name");
        error_is($t->raw(Judge::HTTP::request_bytes('PUT',
                     path_of($to->{upload_url}), headers => [
                         'Content-Type'   => $type,
                         'Content-Length' => $bytes ])),
                 413, qr/larger than $most bytes$/, "$name is refused");
    }

    for ([ text => 65536, ' of a text' ], [ video => 3 * 1024 * 1024, '' ]) {
        my ($type, $most, $of) = @$_;
        error_is($t->post('/v1/evaluations/presigned-upload', json => {
                     name => 'U', file_type => $type, size => $most + 1 }),
                 413, qr/^size: expected at most $most bytes$of$/,
                 "more than is allowed$of can't be announced");
    }

    my $url = path_of($free[0]{upload_url});
    my ($other) = path_of($free[1]{upload_url}) =~ /(signature=.*)/;

    for ([ 'a later end', $url =~ s/expires=\K\d/9/r ],
         [ 'another signature', $url =~ s/signature=.*/$other/r ],
         [ 'a changed signature', $url =~ s/(.)(.)$/$2$1/r . 'A' ],
         [ 'no signature', $url =~ s/&signature=.*//r ],
         [ 'no query', $url =~ s/\?.*//r ],
         [ 'another object', $url =~ s/cnt_\w+/$free[1]{content_id}/r ],
         [ 'another organization', $url =~ s/org_\w+/$t->org(1)->{id}/er ])
    {
        my ($name, $altered) = @$_;
        error_is($t->put($altered, key => undef, body => 'x',
                         headers => [ 'Content-Type' => 'text/plain' ]),
                 403, qr/^the address /, "an address with $name is refused");
        error_is($t->put($altered, body => 'x',
                         headers => [ 'Content-Type' => 'text/plain' ]),
                 403, undef,
                 "an address with $name is refused, with a key, too");
    }

    error_is($t->get($url, key => undef), 405, undef,
             'GET of an address for an upload is refused');
    is(files(), $before, 'what was refused left no file');
};

subtest 'an upload that breaks off leaves nothing' => sub {
    my $film = promise(file_type => 'video');
    my $url  = path_of($film->{upload_url});

    for my $sent (0, 1, 300_000, 999_999) {
        my $ended  = ends($url =~ s/\?.*//r);
        my $client = $t->connect;
        my $head = Judge::HTTP::request_bytes('PUT', $url, headers => [
            'Content-Type' => 'video/mp4', 'Content-Length' => 1_000_000 ]);
        $client->send($head . 'x' x $sent);
        if ($sent >= 300_000) {
            $t->wait_until(sub { files() > $before },
                           'the file to be under way');
        }
        $client->close;
        $t->wait_until(sub { ends($url =~ s/\?.*//r) > $ended }, 'its end');
        $t->wait_until(sub { files() == $before }, 'the file to go');
        is(files(), $before,
           "an upload that breaks off after $sent bytes leaves no file");
        is($t->sql1("select count(*) from contents where id = "
                    . "'$film->{content_id}'"), 0,
           "an upload that breaks off after $sent bytes makes no content");
    }

    status_is(put($film, "\0\0\0\x18ftypisom, and the rest"), 200,
              'the address is good after uploads that broke off');
    is(content_read($film->{content_id})->{status}, 'ready',
       'the content is ready when a whole file has come');

    # Two at once: one of them, and all of it.

    my @both = map { $t->connect } 1 .. 2;
    my @text = ('a' x 50_000, 'b' x 50_000);
    my $two  = path_of($free[1]{upload_url});

    for my $n (0, 1) {
        $both[$n]->send(Judge::HTTP::request_bytes('PUT', $two, headers => [
            'Content-Type' => 'text/plain', 'Content-Length' => 50_000 ])
            . substr $text[$n], 0, 40_000);
    }
    $both[$_]->send(substr $text[$_], 40_000) for 0, 1;
    my @status = map { $_->response->status } @both;
    is(join(' ', sort @status), '200 409',
       'one of two uploads at once is taken');
    $c = content_read($free[1]{content_id});
    is($c->{text_content}, $text[$status[0] == 200 ? 0 : 1],
       'the content is that of the upload that was taken');
    $t->wait_until(sub { files() == $before + 2 }, 'the other to go');
    is(files(), $before + 2, 'the upload that was refused leaves no file');
};

subtest 'the type of a file is that of its extension' => sub {
    open my $api, '<:encoding(UTF-8)', $t->repo . '/docs/api.md' or die $!;
    my %listed;
    while (<$api>) {
        next if !/^\| (text|document|video|audio|image) \| (`.*) \|$/;
        my ($kind, $items) = ($1, $2);
        $listed{$kind} = [ map { [ /^`(\w+)` (\S+)$/ ] } split /, /, $items ];
    }
    close $api;
    is(scalar(keys %listed), 5, 'the docs list the types of files');

    for my $kind (sort keys %listed) {
        for (@{ $listed{$kind} }) {
            my ($extension, $type) = @$_;
            $r = $t->post('/v1/judges/reference_content',
                          json => { file_extension => $extension });
            is($r->json->{headers}{'Content-Type'}, $type,
               "a reference that ends in $extension is to be sent as $type");
            next if $kind eq 'document';
            is(promise(file_type => $kind, file_extension => uc $extension)
                   ->{headers}{'Content-Type'}, $type,
               "a $kind that ends in $extension is to be sent as $type");
        }
    }

    for ([ text => 'pdf',
           qr/; pdf is a document whose text can't be read here$/ ],
         [ text => 'mp4', qr/; mp4 is one of another type$/ ],
         [ video => 'txt',
           qr/^file_extension: expected one of video files \(m/ ],
         [ image => 'pdf', qr/; pdf is one of another type$/ ],
         [ audio => 'exe', qr/; exe is not known$/ ],
         [ text => 'sh', qr/; sh is not known$/ ])
    {
        my ($kind, $extension, $why) = @$_;
        error_is($t->post('/v1/evaluations/presigned-upload', json => {
                     name => 'U', file_type => $kind,
                     file_extension => $extension }),
                 400, $why, "a $kind does not end in $extension");
    }
    error_is($t->post('/v1/judges/reference_content',
                      json => { file_extension => 'exe' }), 400,
             qr/^file_extension: expected one of files \(txt, .* exe is not k/,
             'a reference is none that is executed');

    for ([ jpg => 'image', 'image/png', 415 ],
         [ jpg => 'image', 'application/octet-stream', 415 ],
         [ md => 'text', 'text/html', 415 ],
         [ wav => 'audio', 'audio/x-wav', 200 ],
         [ txt => 'text', 'text/plain; charset=utf-8', 200 ],
         [ undef, 'video', 'video/webm', 200 ],
         [ undef, 'video', 'text/plain', 415 ])
    {
        my ($extension, $kind, $type, $status) = @$_;
        my $to = promise(file_type => $kind,
                         $extension ? (file_extension => $extension) : ());
        status_is(put($to, 'x', type => $type), $status, "$type for "
                  . ($extension ? "a file that ends in $extension"
                                : "any $kind") . " is answered $status");
    }
};

subtest 'a promise can be given up, and expires' => sub {
    $p = promise();
    status_is($t->delete("/content/$p->{content_id}"), 204,
              'a content can be deleted before its file comes');
    error_is($t->get("/content/$p->{content_id}"), 404, undef,
             'a content that was deleted before its file came is gone');
    error_is(put($p, 'x'), 404, qr/^no file is expected at this address/,
             'the file of a deleted content is not taken');

    $p = promise();
    $r = put($p, 'x', headers => [ 'Content-Type' => 'text/plain',
                                   'Content-Encoding' => 'gzip' ]);
    error_is($r, 415, qr/^Content-Encoding: expected none$/,
             'a compressed file is refused');
    $r = $t->raw(join "\r\n", 'PUT ' . path_of($p->{upload_url}) . '0'
                 . ' HTTP/1.1', 'Host: localhost', 'Content-Type: text/plain',
                 'Content-Length: 50000', 'Expect: 100-continue', '', '');
    error_is($r, 403, qr/altered/,
             'a body that nobody reads is not asked for');
    is($r->header('Connection'), 'close',
       'a client that has not sent its body need not send it');
    is(join(' ', map { $t->delete("/v1/evaluations/presigned-upload/"
                                  . $p->{content_id})->status } 1, 2),
       '204 404', 'a promise is given up once');
    error_is(put($p, 'x'), 404, qr/^no file is expected at this address/,
             'the file of a promise that was given up is not taken');

    $p = promise(judge_id => $judge);
    is($t->alter("update uploads set queue_at = 1 where id = "
                 . "'$p->{content_id}'"), 1, 'a promise is made to expire');
    $e = $t->ended($p->{job_id});
    is($e->{error}{code}, 'UPLOAD_EXPIRED',
       'an evaluation fails when its file never comes');
    is($t->sql1('select count(*) from uploads where id = '
                . "'$p->{content_id}'"), 0,
       'the place of a file that never came is given up');

    my (undef, $out) = $t->run($t->repo . '/build/judge', '--store',
                                 $t->dir . '/brief', '--json', 'org', 'create',
                                 'B');
    my ($key) = $out =~ /"api_key":"([^"]+)"/;

    $p = $t->post('/brief/evaluations/presigned-upload', key => $key, json => {
        name => 'U', file_type => 'text' })->json;
    $t->wait_until(sub {
        $r = put($p, 'x', type => 'image/png');    # never taken
        return $r->status != 415;
    }, 'the address to expire');
    error_is($r, 403, qr/^the address has expired/,
             'an address that has expired is refused');
    error_is(put($p, 'x'), 403, qr/^the address has expired/,
             'an address that has expired stays so');
};

subtest 'a file is downloaded by a signed address only' => sub {
    my $video = "\0\0\0\x18ftypisom"
                . join '', map { chr($_ % 251) } 1 .. 300_000;
    $p = promise(file_type => 'video', file_extension => 'mp4');
    status_is(put($p, $video), 200, 'a video is taken');
    $c = content_read($p->{content_id});
    is($c->{status}, 'ready', 'a video is ready');
    ok(!exists $c->{text_content}, 'a video has no text');

    my $down = path_of($c->{file_url});
    error_is($t->get($down, key => undef, headers => [ 'If-Match' => '"x"' ]),
             412, qr/^If-Match or If-Unmodified-Since: /,
             'a file that is not the one that is meant is not sent');
    $r = $t->get($down, key => undef);
    status_is($r, 200, 'a file is downloaded without a key');
    ok($r->body eq $video, 'a file is downloaded byte by byte');
    is($r->header('Cache-Control'), 'no-store',
       'caches on the way keep no file');
    is($r->header('Accept-Ranges'), 'bytes', 'a file can be had in ranges');

    for ([ 'bytes=0-9', '0-9', 0, 10 ], [ 'bytes=100-', '100-300011', 100 ],
         [ 'bytes=-5', '300007-300011', 300007 ],
         [ 'bytes=1000-1999', '1000-1999', 1000, 1000 ])
    {
        my ($range, $is, $from, $n) = @$_;
        $r = $t->get($down, key => undef, headers => [ Range => $range ]);
        status_is($r, 206, "a range of $range is answered");
        is($r->header('Content-Range'), "bytes $is/300012",
           "the answer to $range says which range it is");
        ok($r->body eq substr($video, $from, $n // length $video),
           "the answer to $range has these bytes");
    }

    error_is($t->get($down, key => undef,
                     headers => [ Range => 'bytes=300012-' ]), 416, undef,
             'a range behind the end is refused');
    $r = $t->head($down, key => undef);
    status_is($r, 200, 'a file can be asked for by HEAD');
    is($r->header('Content-Length'), length $video,
       'HEAD tells the length of a file');

    error_is($t->get($down =~ s/expires=\K\d/9/r, key => undef), 403, undef,
             'an address with a later end gives no file');
    error_is($t->get($down =~ s/cnt_\w+/$free[0]{content_id}/r,
                     key => undef), 403, undef,
             'an address changed to another file gives none');
    error_is($t->get($down =~ s/org_\w+/$t->org(1)->{id}/er,
                     key => undef), 403, undef,
             'an address changed to another organization gives no file');
    error_is($t->get($down =~ s/\?.*//r), 403, undef,
             'a key alone gives no file');
    error_is($t->put($down, key => undef, body => 'x'), 405, undef,
             'a file is not written by the address to download it');
    error_is($t->get("/content/$p->{content_id}", org => 1), 404, undef,
             'another organization does not see the content');

    my ($file) = grep { /\Q$p->{content_id}\E/ } glob "$files/*";
    rename $file, "$file.away" or die "$file: $!";
    symlink $file, $file or die "$file: $!";
    error_is($t->get($down, key => undef), 500, qr/try again later$/,
             'a file that cannot be opened now is not said to be gone');
    rename "$file.away", $file or die "$file: $!";
    status_is($t->get($down, key => undef), 200,
              'a file that can be opened again is sent');

    my $count = files();
    status_is($t->delete("/content/$p->{content_id}"), 204,
              'a content with a file is deleted');
    $t->wait_until(sub { files() == $count - 1 }, 'the file to go');
    is(files(), $count - 1, 'the file of a deleted content is deleted');
    error_is($t->get($down, key => undef), 404, qr/no such file/,
             'the address of a deleted file gives nothing');

    $p = promise(file_type => 'audio');
    put($p, 'This is no audio.');
    $c = content_read($p->{content_id});
    is($c->{status}, 'error',
       'a content that should be audio and is not is an error');
    like($c->{metadata}{error}, qr/like a known audio format/,
         'the content says that it is not audio');
};

subtest 'references of judges are promised, too' => sub {
    permission_is($t, 'references:write',
                  POST => '/v1/judges/reference_content',
                  json => { file_extension => 'txt' });
    error_is($t->post('/v1/judges/reference_content', key => undef,
                      json => { file_extension => 'txt' }), 401, undef,
             'a reference needs a key');

    error_is($t->post('/v1/judges/reference_content',
                      json => { file_extension => '.txt' }), 400,
             qr/^file_extension: /, 'an extension with its dot is refused');

    $r = $t->post('/v1/judges/reference_content', json => {
        file_extension => 'txt' });
    status_is($r, 201, 'a place for a reference is promised');
    my $ref = $r->json;
    like($ref->{reference_content_uri},
         qr{^judge://org_\w+/references/ref_\w{26}\.txt$},
         'a reference has its URI');

    error_is($t->post('/judges', org => 1, json => {
        name => 'J', description => '', content_type => 'text',
        criteria => [{ name => 'Grammar', description => 'a' }],
        reference_content_uri => $ref->{reference_content_uri} }), 400,
        qr/^reference_content_uri\[0\]: /,
            'a reference is not for another organization');
};

subtest 'an upload goes on through a reload' => sub {
    SKIP: {
        skip 'one process only', 2 if $t->single;

        $p = promise(file_type => 'image', file_extension => 'gif');
        my $gif    = 'GIF89a' . 'x' x 2_000_000;
        my $client = $t->connect;
        $client->send(Judge::HTTP::request_bytes('PUT',
            path_of($p->{upload_url}), headers => [
                'Content-Type'   => 'image/gif',
                'Content-Length' => length $gif ])
            . substr $gif, 0, 1_000_000);
        $t->reload;
        $client->send(substr $gif, 1_000_000);
        $r = $client->response;
        is($r && $r->status, 200, 'an upload goes on through a reload');
        is(content_read($p->{content_id})->{size}, length $gif,
           'an upload has all its bytes after a reload');
    }
};

subtest 'a body that nginx put into a file is taken' => sub {
    my $mirrored = Judge::Test->new(
        location => 'mirror /sink; client_body_buffer_size 1k;',
        server   => 'location = /sink { internal; return 204; }');

    my $all = join '', map { chr(65 + $_ % 26) } 1 .. 300_000;
    $r = $mirrored->post('/content', json => {
        name => 'A', file_type => 'text', text_content => $all });
    status_is($r, 201, 'a text that was mirrored is taken');
    ok(($r->json->{text_content} // '') eq $all,
       'a text that was mirrored is taken in full');

    $p = $mirrored->post('/v1/evaluations/presigned-upload', json => {
        name => 'U', file_type => 'text' })->json;
    $r = $mirrored->put(path_of($p->{upload_url}), key => undef, body => $all,
                        headers => [ 'Content-Type' => 'text/plain' ]);
    status_is($r, 200, 'an upload that was mirrored is taken');
    is($r->json->{size}, length $all,
       'an upload that was mirrored is taken in full');
};

done_testing;
