# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Uploaded files in a bucket: clients bring and take them by addresses that
# the object store checks, and what comes is noticed, read, judged, deleted;
# in parts, too; events of the object store; and one that is down, slow, broken
# or elsewhere, and does not believe the service.

use Judge::Test;
use Digest::MD5 qw(md5_hex);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use IPC::Open2 qw(open2);
use MIME::Base64 qw(encode_base64);

use Judge::OpenAI;

my $repo    = Judge::Test->repo;
my $modules = "$repo/build/npm/node_modules";

plan(skip_all => 'node is not installed')
    if system('node --version >/dev/null 2>&1') != 0;
plan(skip_all => 'the package s3rver is not there: run util/dev/deps test')
    if !-d "$modules/\@20minutes/s3rver";

my $dir = tempdir(CLEANUP => 1);
mkdir "$dir/s3";

# Its tokens of long lists are encrypted as OpenSSL does not like it any more.
open2(my $said, my $input, qw(node --openssl-legacy-provider),
      "$repo/t/lib/s3_server.mjs", $modules, "$dir/s3");
chomp(my $port = <$said> // die 'no object store');

my $keys = "$dir/credentials";
credentials(qw(S3RVER S3RVER));

my $secret = 'the secret of events';
open my $events, '>', "$dir/events" or die "$dir/events: $!";
print {$events} "$secret\n";
close $events;

# The worker processes belong to another user.
chmod 0755, $dir;

sub credentials {
    my ($id, $secret) = @_;
    open my $file, '>', "$keys.new" or die "$keys: $!";
    print {$file} "[default]\naws_access_key_id = $id\n"
                  . "aws_secret_access_key = $secret\n";
    close $file;
    chmod 0644, "$keys.new";
    rename "$keys.new", $keys or die "$keys: $!";
}

# curl(url, file): status and body; without a file it is a GET.

sub curl {
    my ($url, $body, @args) = @_;

    if (defined $body) {
        open my $file, '>:raw', "$dir/body" or die "body: $!";
        print {$file} $body;
        close $file;
        unshift @args, '-T', "$dir/body";
    }

    my (undef, $out) = Judge::Test->run('curl', '-s', '-w', "\n%{http_code}",
                                        '--max-time', 120, @args, $url);
    $out =~ s/\n(\d+)$//;
    return ($1, $out);
}

sub mode { curl("http://127.0.0.1:$port/-/$_[0]", undef, @_[1 .. $#_]) }

# conf/s3.conf as it stands, but for names and places.

my $conf = Judge::Nginx::read_file("$repo/conf/s3.conf");
for (
    [ 's3://example-judge'                       => 's3://judge/some/prefix' ],
    [ 'https://s3.eu-central-1.amazonaws.com'    => "http://127.0.0.1:$port" ],
    [ '/etc/nginx/judge/s3.credentials'          => "$keys timeout=2s" ],
    [ '# events=/etc/nginx/judge/s3.events'      => "events=$dir/events" ],
    [ 'include /etc/nginx/judge/outbound.conf;'  =>
          "include $repo/conf/outbound.conf;" ],
) {
    my ($from, $to) = @$_;
    $conf =~ s/\Q$from\E/$to/ or die "conf/s3.conf: no $from";
}

my $looks = Judge::OpenAI->start;
my $t = Judge::Test->new(
    store  => 'max_upload=200m max_text=64k',
    server => $conf . $looks->location('looks', 'images=on'));
my $r;

sub promised {
    my (%fields) = @_;
    return $t->post('/v1/evaluations/presigned-upload',
                    json => { name => 'U', file_type => 'text', %fields });
}

# As soon as the bucket has been found to be in order.

sub promise {
    my (@fields) = @_;
    $t->wait_until(sub { ($r = promised(@fields))->status == 201 },
                   'a promise');
    return $r->json;
}

sub put {
    my ($p, $body, $type) = @_;
    $type //= $p->{headers}{'Content-Type'};
    my ($status) = curl($p->{upload_url}, $body, '-H', "Content-Type: $type");
    return $status;
}

sub content_read {
    my ($id) = @_;
    my $c;

    $t->wait_until(sub {
        $c = $t->get("/content/$id")->json;
        return ($c->{status} // '') =~ /^(?:ready|error)$/;
    }, "content $id");

    return $c;
}

sub objects {
    my @found = split /\n/, (`find $dir/s3/judge -name '*_object'`);
    return scalar @found;
}

# --- A text ----------------------------------------------------------------

my $judge = $t->new_judge;
my $p     = promise(judge_id => $judge, metadata => { a => 1 });
my $id    = $p->{content_id};

like($p->{upload_url}, qr{^http://127\.0\.0\.1:$port/judge/some/prefix/
                          [0-9a-f]{16}/org_\w+/\Q$id\E\.txt\?X-Amz-}x,
     'a file is sent to an address in the bucket');
is($p->{method}, 'PUT', 'a file is sent by PUT');
is($t->get("/content/$id")->json->{waiting_for}, 'upload',
   'the content waits for its file');

is(put({ %$p, upload_url => $p->{upload_url} =~ s/Signature=\K./x/r }, 'x'),
   403, 'an address that was altered is refused');
is(put($p, 'The bicycle has two wheels and a bell.'), 200,
   'the bucket takes the file');

my $e = $t->evaluated($p->{job_id});
is($e->{status}, 'completed', 'a file is noticed, read and judged by itself');

my $c = $t->get("/content/$id")->json;
is_deeply([ @$c{qw(status text_content size metadata)} ],
          [ 'ready', 'The bicycle has two wheels and a bell.', 38,
            { a => 1 } ],
          'the content has the text, size and metadata of its file');
like($c->{file_path}, qr{^s3://judge/some/prefix/\w+/org_\w+/\Q$id\E\.txt$},
     'the content says where in the bucket its file is');

my ($status, $body) = curl($c->{file_url}, undef, '-i');
is($status, 200, 'the file is read by the address of the content');
like($body, qr/^content-disposition: attachment\r$/mi,
     'a file is read as an attachment');
like($body, qr{^content-type: application/octet-stream\r$}mi,
     'a file is read as a type that no browser runs');
is((curl($c->{file_url}, undef, '-r', '4-10'))[1], 'bicycle',
   'a part of a file can be read');

is(objects(), 1, 'the bucket holds one object for the content');
status_is($t->delete("/content/$id"), 204, 'the content is deleted');
$t->wait_until(sub { objects() == 0 }, 'its object to be deleted');

# --- What is refused --------------------------------------------------------

for (
    [ 'too large', { file_extension => 'txt', size => 10 }, 'x' x 11,
      'text/plain', qr/^the file is larger than 10 bytes$/ ],
    [ 'too long', {}, 'x' x 65537, 'text/plain',
      qr/^the file is larger than 65536 bytes$/ ],
    [ 'much too long', {}, 'x' x 200000, 'text/plain',
      qr/^the file is larger than 65536 bytes$/ ],
    [ 'of another type', {}, 'x', 'image/png',
      qr{^Content-Type:\ expected\ text/plain,\ found\ image/png$}x ],
    [ "empty", {}, "", "text/plain", qr/^the file has no bytes$/ ],
    [ 'no text', {}, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 'text/plain',
      qr/^the file is not a text/ ],
    [ 'no image', { file_type => 'image', file_extension => 'png' },
      'It is a text, of more than so many bytes as are looked at, all in all.',
      'image/png', qr/^the file does not begin like a known image/ ],
) {
    my ($name, $fields, $file, $type, $why) = @$_;

    $p = promise(%$fields);
    is(put($p, $file, $type), 200, "the bucket takes a file that is $name");
    $c = content_read($p->{content_id});
    is($c->{status}, 'error',
       "a file that is $name makes the content an error");
    like($c->{metadata}{error}, $why,
         "the content says why a file that is $name is refused");
}

# --- What is as long as can be, and an image -------------------------------

$p = promise();
put($p, "\xff\xfe" . "x\0" x 32767);
$c = content_read($p->{content_id});
is($c->{status}, 'ready', 'the longest text is read, in UTF-16');
is(length $c->{text_content}, 32767, 'the longest text is read to its end');

$p = promise(file_type => 'image', file_extension => 'png');
put($p, "\x89PNG\r\n\x1a\n" . 'x' x 100000);
$c = content_read($p->{content_id});
is($c->{status}, 'ready', 'an image is ready');
is($c->{size}, 100008, 'an image has its size');

my $png = "\x89PNG\r\n\x1a\n" . 'x' x 1000;
$p = promise(file_type => 'image', file_extension => 'png', model => 'looks',
             judge_id => $t->new_judge(content_type => 'image'));
put($p, $png);
is($t->evaluated($p->{job_id})->{status}, 'completed',
   'an image in the bucket is judged by a model');
like(($looks->requests)[0]{body}, qr/\Q@{[ encode_base64($png, '') ]}\E/,
     'the model is sent the bytes of the image');

# --- An external worker ----------------------------------------------------

$p = promise(file_type => 'video', file_extension => 'mp4',
             judge_id => $t->new_judge(content_type => 'video'));
put($p, "\0\0\0\x18ftypmp42" . 'x' x 1000);
content_read($p->{content_id});
my ($item) = @{ $t->post('/v1/work/claim', json => { kinds => ['video'] })
                  ->json->{work} };
is($item->{content}{size}, 1012,
   'a worker is told the size of a file in the bucket');
is(length((curl($item->{content}{download_url}))[1]), 1012,
   'a worker reads the file from the bucket');

# --- Keys of the environment, another name for clients, another store ------

{
    local @ENV{qw(AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY)}
        = qw(S3RVER S3RVER);
    my $other = Judge::Test->new(server => $conf
        =~ s{credentials=\S+}{public=http://localhost:$port}r);

    $other->wait_until(sub {
        ($r = $other->post('/v1/judges/reference_content', json => {
            file_extension => 'txt' }))->status == 201;
    }, 'a promise of a reference');
    like($r->json->{upload_url}, qr{^http://localhost:$port/judge/some/},
         'addresses have the name of the bucket that clients use');
    is(put($r->json, 'A reference of quality.'), 200,
       'the bucket takes a reference');
    $other->wait_until(sub {
        ($other->sql1('select status from reference_texts') // '') eq 'ready';
    }, 'the text of the reference');
    like($other->sql1('select file_path from reference_texts'),
         qr{/ref_\w+\.txt$}, 'a reference is kept under its own name');
    $other->stop;
}

# Through nginx, where that is asked for.

{
    my $through = Judge::Test->new(server => <<"END" . $conf
        location /judge/ {
            proxy_pass http://127.0.0.1:$port;
            proxy_set_header Host \$http_host;
            proxy_request_buffering off;
        }
END
        =~ s{(credentials=/)}{public=http://127.0.0.1:\@PORT\@ $1}r);

    my $p;
    $through->wait_until(sub {
        ($p = $through->post('/v1/evaluations/presigned-upload', json => {
            name => 'U', file_type => 'text' }))->status == 201;
    }, 'a promise');
    $p = $p->json;
    like($p->{upload_url}, qr{^http://127\.0\.0\.1:@{[ $through->port ]}/},
         'files are sent to nginx where it passes them on');
    is(put($p, 'by way of nginx'), 200,
       'a file goes through nginx to the bucket');
    $through->wait_until(sub {
        $through->get("/content/$p->{content_id}")->status == 200;
    }, 'its content');
    $through->stop;
}

# --- Told that it has come --------------------------------------------------

# The next look would be in an hour.

sub far {
    my ($id) = @_;
    $t->alter('UPDATE uploads SET queue_at = queue_at + 3600000'
              . " WHERE id = '$id'");
}

sub soon { $t->alter('UPDATE uploads SET queue_at = 0') }

sub told {
    my ($key, %opt) = @_;
    return $t->post('/v1/uploads/events', key => undef, json => {
        Records => [ { s3 => { bucket => { name => $opt{bucket} // 'judge' },
                               object => { key => $key } } } ] },
        headers => [ Authorization => $opt{as} // "Bearer $secret" ]);
}

$p = promise();
far($p->{content_id});
put($p, 'the client says so');
$r = $t->post("/v1/evaluations/presigned-upload/$p->{content_id}/complete");
status_is($r, 202, 'a client may say that its file is there');
is(content_read($p->{content_id})->{status}, 'ready',
   'a file is read as soon as its client says that it is there');
status_is($t->post("/v1/evaluations/presigned-upload/$p->{content_id}"
                   . '/complete'), 202,
          'a client may say again that its file is there');
error_is($t->post('/v1/evaluations/presigned-upload/'
                  . 'cnt_00000000000000000000000000/complete'), 404,
         qr/no such upload/, 'an upload that nobody promised is not there');

# By s3rver itself, in the form of S3.

mode('events', '-H', 'X-Url: ' . $t->url . '/v1/uploads/events',
     '-H', "Authorization: Bearer $secret");
$p = promise();
far($p->{content_id});
put($p, 'the bucket says so');
is(content_read($p->{content_id})->{status}, 'ready',
   'a file is read as soon as the bucket says that it is there');
mode('events', '-H', 'X-Url: http://127.0.0.1:1/');

my ($known_key) = $p->{upload_url} =~ m{/judge/([^?]+)};
for (
    [ 'that comes again', $known_key, {}, 1 ],
    [ 'with the slashes encoded', $known_key =~ s{/}{%2F}gr, {}, 1 ],
    [ 'with the secret as a password', $known_key,
      { as => 'Basic ' . encode_base64("judge:$secret", '') }, 1 ],
    [ 'of another bucket', $known_key, { bucket => 'other' }, 0,
      qr/it is of another bucket/ ],
    [ 'of another file', 'a/b.txt', {}, 0, qr/it is no file of this service/ ],
    [ 'of a key that ends oddly', "$known_key%00%zz%2", {}, 1 ],
    [ 'of a file nobody waits for', $known_key =~ s{cnt_\K\w+}{'0' x 26}er, {},
      0, qr/it belongs to no upload/ ],
) {
    my ($name, $key, $opt, $noticed, $why) = @$_;

    $r = told($key, %$opt);
    status_is($r, 200, "an event $name is answered");
    is($r->json->{noticed}, $noticed,
       "an event $name is noticed where it is of use");
    like($r->json->{ignored}[0]{reason}, $why,
         "the answer says why an event $name is ignored")
        if $why;
}

error_is($t->post('/v1/uploads/events', key => undef, json => {}, headers => [
             Authorization => "Bearer $secret" ]), 400,
         qr/^Records: expected an array/, 'a body without records is refused');
error_is(told($known_key, as => $_), 401, qr/expected the secret/,
         "an event with '$_' for a secret is refused")
    for "Bearer ${secret}x", 'Basic eDp5', 'Basic !', 'Bearer ', 'x';
error_is($t->post('/v1/uploads/events', key => undef, body => '',
                  headers => [ 'Content-Type' => 'application/json' ]), 401,
         qr/expected the secret/, 'an event without a secret is refused');

# --- In parts --------------------------------------------------------------

my $large = 100_000_001;

sub parts_left { scalar glob("$dir/s3/judge/._S3rver_uploads/*") ? 1 : 0 }

sub part {
    my ($part, $first) = @_;
    open my $file, '>:raw', "$dir/part" or die "part: $!";
    print {$file} $first;
    truncate $file, $part->{size};
    close $file;
    return (curl($part->{upload_url}, undef, '-T', "$dir/part"))[0];
}

# A store may show a file while it puts the parts together.

sub shown {
    my ($url, $bytes) = @_;
    my ($key) = $url =~ m{/(judge/[^?]+)};
    my %files = (object => $bytes, 'object.md5' => md5_hex($bytes),
                 'metadata.json' => '{"content-type":"video/mp4"}');

    make_path(dirname("$dir/s3/$key"));
    for (sort keys %files) {
        open my $file, '>:raw', "$dir/s3/$key._S3rver_$_" or die "$key: $!";
        print {$file} $files{$_};
        close $file;
    }
}

my @film = (file_type => 'video', file_extension => 'mp4', size => $large);

ok(!promise(@film, size => 100_000_000)->{multipart},
   'a file of 100 MB is sent as one');
$p = promise(@film, judge_id => $t->new_judge(content_type => 'video'));
my @parts = @{ $p->{multipart}{parts} };
is($p->{multipart}{part_size}, 64 << 20, 'a larger file is sent in parts');
is_deeply([ map { $_->{size} } @parts ], [ 64 << 20, $large - (64 << 20) ],
          'the last part has what is left of the file');
far($p->{content_id});
is(part($parts[1], ''), 200, 'the bucket takes the last part first');
shown($parts[0]{upload_url}, 'what is put together so far');
$t->post("/v1/evaluations/presigned-upload/$p->{content_id}/complete");
$t->wait_until(sub {
    $t->sql1("select attempts from uploads where id = '$p->{content_id}'");
}, 'a look for the file');
is($t->get("/content/$p->{content_id}")->json->{waiting_for}, 'upload',
   'the content waits as long as a part is missing, whatever is shown of it');
is(part($parts[0], "\0\0\0\x18ftypmp42"), 200,
   'the bucket takes the first part');
soon();
$c = content_read($p->{content_id});
is($c->{status}, 'ready', 'the parts are put together when all are there');
is($c->{size}, $large, 'what is put together has the size of the file');
is(parts_left(), 0, 'no part is left in the bucket');
status_is($t->delete("/content/$p->{content_id}"), 204,
          'a content that came in parts is deleted');

# Given up by the client, and by nobody.

$p = promise(@film, judge_id => $t->new_judge(content_type => 'video'));
is(part($p->{multipart}{parts}[1], ''), 200,
   'the bucket takes a part of a file');
is(parts_left(), 1, 'the part is in the bucket');
status_is($t->delete("/v1/evaluations/presigned-upload/$p->{content_id}"),
          204, 'a client may give up its upload');
like($t->ended($p->{job_id})->{error}{message},
     qr/^the upload was given up$/,
     'the evaluation of an upload that was given up fails');
$t->wait_until(sub { !parts_left() }, 'its parts to be removed');
error_is($t->delete("/v1/evaluations/presigned-upload/$p->{content_id}"), 404,
         qr/no such upload/, 'an upload is given up only once');

$p = promise(@film);
part($p->{multipart}{parts}[1], '');
$t->alter('UPDATE uploads SET queue_at = 0, expires_at = 1000'
          . " WHERE id = '$p->{content_id}'");
$t->wait_until(sub { !parts_left() },
               'the parts of an upload that expired to be removed');

# --- Files that can't be read -----------------------------------------------

# Lists work: tried again, but not for ever.

for my $mode (qw(unread cut)) {
    $p = promise();
    mode($mode);
    put($p, "while it is $mode");
    $t->wait_until(sub {               # an attempt counts before it reads
        $mode eq 'unread' ? $t->log_text =~ /GET: it answered 500/
            : $t->sql1("select attempts from uploads"
                       . " where status = 'received'");
    }, "a look at the file that is $mode");
    mode('ok');
    soon();
    $c = content_read($p->{content_id});
    is($c->{text_content}, "while it is $mode",
       "a file is read later though it was $mode at first");
}
log_like($t, qr/bucket judge .*: GET: it answered 500, InternalError/,
     'the log says why a file could not be read');

$p = promise();
mode('unread');
put($p, 'never');
$t->wait_until(sub {
    $t->sql1("select attempts from uploads where status = 'received'");
}, 'a look at the file');
$t->alter('UPDATE uploads SET queue_at = 0, attempts = 20');
like(content_read($p->{content_id})->{metadata}{error},
     qr/^the file could not be read, try after try$/,
     "a file that can't be read fails after many attempts");
mode('ok');

# --- Keys that change ------------------------------------------------------

mode('rotate');
credentials(qw(NEW NEWSECRET));

# Each worker reads the file for itself.
$t->wait_until(sub {
    ($p = promise())->{upload_url} =~ /Credential=NEW%2F/
}, 'the new key');
is(put($p, 'signed anew'), 200,
   'the bucket takes a file that was signed with the new key');
is(content_read($p->{content_id})->{status}, 'ready',
   'a file that was signed with the new key is read');

# --- What goes wrong -------------------------------------------------------

for (
    [ 'down', qr/files in bucket judge of 127\.0\.0\.1:\d+:/ ],
    [ 'slow', qr/files in bucket judge of 127\.0\.0\.1:\d+: .*time/ ],
    [ 'skew', qr/bucket judge .*: it answered 403, RequestTimeTooSkewed/ ],
    [ 'moved', qr/bucket judge .*: it answered 301, PermanentRedirect$/m ],
    [ 'region', qr/: it answered 400, AuthorizationHeaderMalformed$/m ],
    [ 'failed', qr/bucket judge .*: it answered 500(?!,)/ ],
) {
    my ($name, $log) = @$_;

    $p = promise();
    is(put($p, "before it is $name"), 200,
       "the bucket takes a file before it is $name");
    mode($name);
    soon();
    $t->wait_until(sub { ($r = promised())->status == 503 },
                   "a refusal while the bucket is $name");
    error_is($r, 503, qr/the object store of uploaded files can't be used/,
             "nothing is promised while the bucket is $name");
    is($r->header('Retry-After'), 5,
       "Retry-After is 5 while the bucket is $name");
    $t->wait_until(sub { $t->log_text =~ $log },
                   "the log to say that the bucket is $name");
    mode('ok');
    isnt(promise(), undef,
         "promises are made again after the bucket was $name");
    soon();
    is(content_read($p->{content_id})->{status}, 'ready',
       "a file that came before the bucket was $name is read");
}

# What answers is no object store at all.

mode('html');
error_is(promised(@film), 503, qr/^the object store of uploaded files can't/,
         "nothing in parts is promised where they can't begin");
$t->stop;
$t->start;
$t->wait_until(sub {
    $t->log_text =~ /what it answered is not the list of a bucket/;
}, 'pages in place of lists');
$t->wait_until(sub { promised()->status == 503 }, 'no promise by these');
mode('ok');
promise();

unlike($t->log_text, qr/NEWSECRET|X-Amz|\Q$secret\E|forged/,
       'no secret stands in the log');

# --- What belongs to nothing ------------------------------------------------

my ($store)  = promise()->{upload_url} =~ m{/some/prefix/(\w+)/};
my ($known)  = glob "$dir/s3/judge/some/prefix/$store/org_*/cnt_*_object";
my ($folder) = $known =~ m{^(.*)/};
my $lost     = $known =~ s{/cnt_\w+}{/cnt_00000000000000000000000000}r;
my $before   = objects();

for my $suffix (qw(object metadata.json object.md5)) {
    my ($from, $to) = map { s/_object$/_$suffix/r } $known, $lost;
    next if !-e $from;
    $t->run('cp', $from, $to);
}
$t->run('touch', '-d', '2 hours ago', glob "$folder/*");
is(objects(), $before + 1, 'an object is there that belongs to nothing');
$t->stop;
$t->start;
$t->wait_until(sub { objects() <= $before }, 'it to be removed');
ok(!-e $lost, 'the object that is removed is the one that belongs to nothing');

done_testing;
