# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judge_request: the body of a request is judged before the upstream sees it.

use Judge::Test;
use Judge::Docs;
use Judge::Traffic;
use Compress::Zlib ();

my $upstream  = upstream();
my $wanted    = "judge_request $JUDGED min=50 on_error=pass rewrite=off";
my $strict    = $wanted =~ s/=pass/=block/r;
my $rewriting = $wanted =~ s/=off/=on/r;
my $to        = "proxy_pass http://127.0.0.1:$upstream/;"
              . ' proxy_set_header X-Score $judge_request_score;';

my $t = Judge::Test->new(
    described => 0,
    prefix    => '/api/',
    http      => <<'CONF',
log_format asked '$uri $status $judge_request_score $judge_request_passed'
    ' $judge_request_evaluation_id $judge_request_time'
    ' $judge_request_skipped';
access_log logs/asked.log asked;
CONF
    server => <<"CONF",
client_body_buffer_size 4k;
location /all/      { $to $wanted pass_types=image/*; }
location /fields/   { $to $wanted field=subject field=message; }
location /strict/   { $to $strict field=text; }
location /path/     { $to $wanted format=\$.form.message; }
location /small/    { $to $wanted max=8k; }
location /block/    { $to $strict max=8k; }
location /direct/   { $to $wanted; proxy_request_buffering off;
                      proxy_http_version 1.1; }
location /both/     { $to $wanted; judge_traffic $JUDGED mode=guard min=50; }
location /fallback/ { $to $wanted; error_page 422 = \@other; }
location /page/     { $to $wanted; error_page 422 /refused.txt; }
location = /refused.txt { return 200 "Not like this."; }
location \@other     { rewrite ^.*\$ /echo break; $wanted;
                      proxy_pass http://127.0.0.1:$upstream; }
location /limited/  { $to $wanted; client_max_body_size 1k;
                      error_page 400 413 /gif; }
location /after/    { $to $wanted; post_action /gif; }
location = /gif     { empty_gif; $strict; }
location /anew/     { $to $rewriting pass_types=image/*; }
location /secret/   { deny all; $to $wanted; }
CONF
);

my $judge = $t->new_judge(criteria => [
    { name => 'No offers', description => 'Nothing is sold.', checks => [
        { type => 'not_contains', value => 'casino' } ] } ]);
asks($t, judge => $judge);

sub form { headers => [ 'Content-Type' =>
                        'application/x-www-form-urlencoded' ], body => $_[0] }

sub multipart {
    my $body = join '', map {
        my ($more, $value) = @$_;
        "--xyz\r\nContent-Disposition: form-data; $more\r\n\r\n$value\r\n"
    } @_;
    return headers => [ 'Content-Type' =>
                        'multipart/form-data; boundary=xyz' ],
           body => "$body--xyz--\r\n";
}

sub typed { headers => [ 'Content-Type' => $_[0] ], body => $_[1] }

# --- What is judged: [ name, location, text, request ] -----------------------

my @fine = (
    [ 'a form', 'all', "Ann\nI like it & stay.",
      form('name=Ann&text=I+like%20it+%26+stay.') ],
    [ 'fields', 'fields', "Hello\nI like it.",
      form('subject=Hello&homepage=casino.example&message=I+like+it.') ],
    [ 'parts', 'all', "Ann\nI like\r\nit.", multipart(
        [ 'name="name"', 'Ann' ], [ 'name="text"', "I like\r\nit." ],
        [ qq{name="file"; filename="a;b"\r\nContent-Type: image/png},
          'casino' ]) ],
    [ 'parts by name', 'fields', 'I like it.', multipart(
        [ 'name="name"', 'casino' ], [ 'name="message"', 'I like it.' ]) ],
    [ 'a prompt', 'all', 'How are you?', json => { messages => [
        { role => 'user', content => 'casino' },
        { role => 'assistant', content => 'Yes?' },
        { role => 'user', content => 'How are you?' } ] } ],
    [ 'JSON', 'path', 'I like it.', json => {
        name => 'casino', form => { message => 'I like it.' } } ],
    [ 'text', 'all', 'I like it.', typed('text/plain', 'I like it.') ],
    [ 'Latin 1', 'all', "Sch\xF6n.",
      typed('text/plain; charset=iso-8859-1', "Sch\xF6n.") ],
    [ 'what nginx put into a file', 'all', 'I like it. ' x 1000,
      typed('text/plain', 'I like it. ' x 1000) ],
    [ 'gzip', 'all', 'I like it.', headers => [
        'Content-Type' => 'text/plain', 'Content-Encoding' => 'gzip' ],
      body => Compress::Zlib::memGzip('I like it.') ],
);

my %seen;
subtest 'a request that is fine passes as it is' => sub {
    for (@fine) {
        my ($name, $where, $text, @ask) = @$_;
        my $r = ask(POST => "/$where/echo", @ask);
        my %ask = @ask;

        is($r->status, 200, "a request with $name passes");
        my ($score, $body) = $r->body =~ /^([\d.]+)\|(.*)$/s;
        is($body, $ask{body}, "$name passes as it is")  # Node.js shows others
            if $ask{body} && $name !~ /^(?:gzip|Latin 1)\z/;
        ok($score >= 50, "$name passes with its score");

        my $c;
        $t->wait_until(sub {
            my $e = $t->get('/evaluations?limit=1')->json->{evaluations}[0];
            $c = $t->get("/content/$e->{content_id}")->json if $e;
            return $c && !$seen{$c->{id}} && $c->{text_content} eq $text;
        }, "the text of $name");
        $seen{$c->{id}} = 1;
        is($c->{metadata}{traffic}{path}, "/$where/echo",
           "the text of $name is stored with its path");
    }
};

# --- What passes is written anew ---------------------------------------------

sub heads { ask(POST => '/anew/heads', @_)->json }

my %form   = form('text=%48ello');
my %packed = typed('Text/Plain; x="y z"; CHARSET=latin1',
                   Compress::Zlib::memGzip("Sch\xF6n."));
push @{ $packed{headers} }, 'Content-Encoding' => 'gzip';

is_deeply(heads(%packed),
          { 'content-type' => 'text/plain; x="y z"; charset=utf-8',
            'content-encoding' => undef, 'content-length' => 7,
            'transfer-encoding' => undef },
          'a text that is written anew has the headers of UTF-8');
like(ask(POST => '/anew/echo', %packed)->body, qr/\|Sch\xC3\xB6n\.\z/,
     'a text that is written anew is UTF-8');
is_deeply(heads(headers => [ @{ $form{headers} },
                             'Transfer-Encoding' => 'chunked' ],
                body => "c\r\n$form{body}\r\n0\r\n\r\n"),
          { 'content-type' => 'application/x-www-form-urlencoded',
            'content-encoding' => undef, 'content-length' => 10,
            'transfer-encoding' => undef },
          'a form in chunks is written anew with its length');
like(ask(POST => '/anew/echo', typed('application/json', '{ "messages" : [ {'
         . '"role": "user", "content": "\u0048i" } ], "n": 1.0 }'))->body,
     qr/\|\Q{"messages":[{"role":"user","content":"Hi"}],"n":1.0}\E\z/,
     'JSON is written anew in one way of escaping');
like(ask(POST => '/anew/echo', typed('text/plain', 'Long. ' x 1000))->body,
     qr/\|(?:Long\. ){1000}\z/, 'what nginx put into a file is written anew');

like(ask(POST => '/anew/echo',
         typed('application/x-www-form-urlencoded', '=Ann'))->body, qr/\|\z/,
     'a form of which nothing is left passes as an empty one');

my $anew = ask(POST => '/anew/echo', multipart([ 'name="a"', 'Ann' ],
    [ qq{name="f"; filename="a;b"\r\nX: y\r\nContent-Type: Image/PNG},
      'casino' ]))->body;
like($anew, qr/\|--([0-9a-f]{32})\r\n
               Content-Disposition:\ form-data;\ name="a"\r\n\r\nAnn\r\n
               --\1\r\nContent-Disposition:\ form-data;\ name="f";
               \ filename="a;b"\r\nContent-Type:\ image\/png\r\n\r\n
               casino\r\n--\1--\r\n\z/x,
     'parts are written anew with the heads that readers need');
unlike(ask(POST => '/anew/echo', multipart([ 'name="a"', 'Ann' ]))->body,
       qr/\|--\Q@{ [ $anew =~ m{--([0-9a-f]+)} ] }\E\r/,
       'each request has another boundary when it is written anew');

# --- What is refused ---------------------------------------------------------

for (
    [ 'a form', 'all', form('name=Ann&text=Try+our+c%61sino') ],
    [ 'a part', 'fields', multipart([ 'name="message"', 'Our casino' ]) ],
    [ 'a part that is no file', 'all', multipart(
        [ qq{name="image"\r\nContent-Type: image/png}, 'casino' ]) ],
    [ 'a prompt', 'all', json => { messages => [
        { role => 'user', content => 'Which casino?' } ] } ],
    [ 'a file', 'all', typed('text/plain', 'Our casino. ' x 1000) ],
) {
    my ($name, $where, @ask) = @$_;
    my $r = ask(POST => "/$where/echo", @ask);

    is($r->status, 422, "$name is refused");
    is($r->detail, 'the request was judged to be below what is wanted here',
       "the refusal of $name says why");
    is($r->json->{criteria_scores}[0]{name}, 'No offers',
       "the refusal of $name has the score of each criterion");
    is($r->header('Judge-Score'), $r->json->{overall_score},
       "Judge-Score of $name is the score of the answer");
    is($t->evaluated($r->header('Judge-Evaluation'))->{overall_score},
       $r->json->{overall_score},
       "the refusal of $name has the score of its evaluation");
}

my @bad = form('text=Our+casino');
like(ask(POST => '/fallback/echo', @bad)->body, qr/\|text=Our\+casino$/,
     'another location gets it whole, and is not asked again');
my $page = ask(POST => '/page/echo', @bad);
is($page->body, 'Not like this.', 'error_page answers a refusal with a page');
like(join(' ', map { $page->header("Judge-$_") // '' }
                   qw(Score Evaluation Blocked)),
     qr/^[\d.]+ evl_\w+ blk_\w+$/, 'the page has the headers of a refusal');
is(ask(POST => '/secret/echo', @bad)->status, 403,
   'nginx denies access before a request is judged');
is(ask(POST => '/both/text', @bad)->detail,
   'the request was judged to be below what is wanted here',
   'a request is refused where both directions are guarded');
my $both = ask(POST => '/both/text', form('text=Hello'), text => 'A casino.');
is($both->detail, 'the answer was judged to be below what is wanted here',
   'an answer is refused where both directions are guarded');

# --- What is not judged ------------------------------------------------------

for (
    [ GET => 'no_body' ], [ POST => 'no_body', body => '' ],
) {
    my ($method, $reason, @ask) = @$_;
    is(ask($method => '/block/echo', @ask)->status, 200,
       "a request for $reason passes");
}

for (
    [ 'too_large', typed('text/plain', 'casino ' x 2000) ],
    [ 'too_large', headers => [ 'Content-Type' => 'text/plain',
                                'Transfer-Encoding' => 'chunked' ],
      body => sprintf("%x\r\n%s\r\n0\r\n\r\n", 14000, 'casino ' x 2000) ],
    [ 'type', typed('image/png', 'casino') ],
    [ 'type', body => 'text=casino' ],
    [ 'binary', typed('text/plain', "\x7fELF\0\x01\x02\0\0\0") ],
    [ 'malformed', typed('application/json', '{"messages":[') ],
    [ 'malformed', typed('multipart/form-data', 'nothing') ],
    [ 'no_text', form('a=&b=') ],
    [ 'unsupported_encoding', headers => [
        'Content-Type' => 'text/plain', 'Content-Encoding' => 'zstd' ],
      body => 'casino' ],
) {
    my ($reason, @ask) = @$_;
    is(ask(POST => '/small/echo', @ask)->status, 200,
       "$reason passes with on_error=pass");
    my $r = ask(POST => '/block/echo', @ask);
    is($r->status, 422, "$reason is refused with on_error=block");
    is($r->detail, "the request could not be judged: $reason",
       "the refusal says that it is for $reason");
}

# --- What servers read differently is refused, with a harmless field beside --

sub part {
    my ($head, $value) = @_;
    my $field = qq{Content-Disposition: form-data; name="text"};
    return typed('multipart/form-data; boundary=xyz', join "\r\n", '--xyz',
                 $field, '', 'Hello', '--xyz', $head, '', $value,
                 "--xyz--\r\n");
}

subtest 'what servers read differently is refused' => sub {
    my $own = 'Content-Disposition: form-data; ';
    for (
        [ 'a harmless part', 200, part("${own}name=other", 'Hello') ],
        [ 'a file without anything', 200,
          part(qq{${own}name=a; filename=""}, '') ],
        [ 'a file', 'type',
          part(qq{${own}name=a; filename="text"}, 'casino') ],
        [ 'a parameter that looks like a file', 'malformed',
          part(qq{${own}name="text"; x="; filename=y"}, 'casino') ],
        [ 'an encoded filename', 'malformed',
          part(qq{${own}name="text"; filename*=utf-8''a}, 'casino') ],
        [ 'single quotes', 'malformed', part("${own}name='text'", 'casino') ],
        [ 'two names', 'malformed',
          part("${own}name=a; name=text", 'casino') ],
        [ 'CR alone in a head', 'malformed',
          part("${own}name=a\rContent-Type: text/plain", 'casino') ],
        [ 'NUL in a head', 'malformed',
          part(qq{${own}name="a\0text"}, 'casino') ],
        [ 'CR alone before a boundary', 'malformed', part("${own}name=a",
          qq{x\r--xyz\r\n${own}name="text"\r\n\r\ncasino}) ],
        [ 'no disposition', 'malformed',
          part('Content-Type: text/plain', 'a') ],
        [ 'brackets in a name', 'malformed',
          part("${own}name=\"text[]\"", 'a') ],
        [ 'a preamble', 'malformed', typed('multipart/form-data; boundary=abc',
          join "\r\n", map { ("--$_->[0]", "${own}name=\"text\"", '', $_->[1],
              "--$_->[0]--") } [ 'xyz', 'casino' ], [ 'abc', 'Hello' ]) ],
        [ 'utf-16 that may be ASCII', 'unsupported_charset',
          typed('text/plain; charset=utf-16', 'casino') ],
        [ 'a harmless form', 200, form('text=Hello&other=a+b') ],
        [ 'a name with a space', 'malformed',
          form('text=Hello&+text=casino') ],
        [ 'a name with NUL', 'malformed', form('text=Hello&text%00=casino') ],
        [ 'a list', 'malformed', form('text=Hello&text[]=casino') ],
        [ 'a semicolon', 'malformed', form('text=Hello;text=casino') ],
        [ 'half an escape', 'malformed', form('text=Hello&t%65xt%=casino') ],
        [ 'input beside messages', 'malformed', json => { input => 'casino',
            messages => [ { role => 'user', content => 'Hello' } ] } ],
        [ 'a role of one\'s own', 'malformed', json => { messages => [
            { role => 'user', content => 'Hello' },
            { role => 'User', content => 'casino' } ] } ],
    ) {
        my ($name, $reason, @ask) = @$_;
        my $r = ask(POST => '/strict/echo', @ask);
        if ($reason eq '200') {
            is($r->status, 200, "a request with $name passes");
            next;
        }
        is($r->status, 422, "$name is refused");
        is($r->detail, "the request could not be judged: $reason",
           "the refusal of $name says why");
    }
};

# --- Chunks: nginx ends them with a buffer that holds nothing ----------------

sub chunked {
    my ($text, $of, $head, $tail) = @_;
    return join('', map { sprintf "%x%s\r\n%s\r\n", length, $head, $_ }
                    $text =~ /(.{1,$of})/gs) . "0$head\r\n$tail\r\n";
}

subtest 'chunks are judged however they come' => sub {
    for my $where (qw(all direct)) {
        for my $size (0, 2, 4095, 4096, 4097, 20000) {
            for ([ 1, '', '' ], [ 4096, ';a=b;c', '' ],
                 [ 700, '', "X-Score: none\r\nEtag: c\r\n" ],
                 [ 60000, '', '' ])
            {
                my ($of, $extension, $trailers) = @$_;
                next if $of == 1 && $size > 4097;

                my $text  = substr 'I like it. ' x 2000, 0, $size;
                my $bytes = chunked($text, $of, $extension, $trailers);
                my $head  = sends(POST => "/$where/echo", headers => [
                    'Content-Type' => 'text/plain', 'Transfer-Encoding' =>
                    'chunked' ]);

                for my $first (0, int(length($bytes) / 2), length $bytes) {
                    my $client = $t->connect;
                    $client->send($head . substr $bytes, 0, $first);
                    if ($first < length $bytes) {
                        ask(GET => '/all/echo');
                        $client->send(substr $bytes, $first);
                    }
                    my $r = $client->response(method => 'POST');
                    $client->close;
                    my $what = $size ? qr/[\d.]+/ : qr//;
                    like($r && $r->body, qr/^$what\|\Q$text\E\z/,
                         "$where: $size bytes in chunks of $of$extension,"
                         . " $first at first, are judged and pass");
                }
            }
        }

        is(ask(POST => "/$where/echo",
               headers => [ 'Content-Type' => 'text/plain',
               'Transfer-Encoding' => 'chunked' ],
               body => chunked('Our casino', 3, '', ''))->status, 422,
           "$where: chunks that are judged to be below are refused");
    }
};

# --- What nginx itself refuses: the page of it is not judged -----------------

for (
    [ 413, 'Content-Length' => 5000 ],
    [ 413, 'Transfer-Encoding' => 'chunked',
      sprintf("%x\r\n%s\r\n", 2100, 'casino ' x 300) ],
    [ 400, 'Transfer-Encoding' => 'chunked', "5\r\nHello\r\nno size" ],
) {
    my ($status, $header, $value, $body) = @$_;
    for my $apart (0, 1) {
        my $client = $t->connect;
        my $head = sends(POST => '/limited/echo', headers => [
            'Content-Type' => 'text/plain', $header => $value ]);
        $client->send($head . ($apart ? '' : $body // ''));
        ask(GET => '/all/echo') if $apart;
        $client->send($body) if $apart && $body;
        my $r = $client->response(method => 'POST');
        is($r && $r->status, $status,
           "nginx answers $status, $header, $apart");
        like($r && $r->body, qr/^GIF/,
             "nginx answers $status, $header, $apart with its page");
    }
}

# --- Clients -----------------------------------------------------------------

my $client = $t->connect;
for (1 .. 3) {
    $client->send(sends(POST => '/all/echo', form('text=Hello'),
                        keepalive => 1));
    is($client->response(method => 'POST')->status, 200,
       'a request passes again on one connection');
    $client->send(sends(POST => '/all/echo', @bad, keepalive => 1));
    is($client->response(method => 'POST')->status, 422,
       'a request is refused again on one connection');
}

for (1 .. 40) {
    my $way = $_ > 20 ? 'after' : 'all';
    $client = $t->connect;
    $client->send(sends(POST => "/$way/echo", typed('text/plain',
                  'I like it. ' x ($_ % 3 ? 1000 : 1))));
    $_ % 2 ? $client->reset : $client->close;
}
is(ask(POST => "/$_/echo", form('text=Hello'))->status, 200,
   "a request to $_ passes when other clients have left") for qw(all after);

$t->wait_until(sub {
    my $log = Judge::Nginx::read_file($t->dir . '/logs/asked.log') // '';
    $log =~ m{^/all/echo 422 [\d.]+ 0 evl_\w+ \d\.\d{3} -$}m
        && $log =~ m{^/small/echo 200 - - - - too_large$}m
}, 'the variables in the log');

for (
    [ 'judge=jdg_x organization=org_y',
      qr/judge_request: expected min=, the score/ ],
    [ 'judge=jdg_x organization=org_y min=5 mode=guard',
      qr/judge_request: there is no parameter "mode"; there are judge=, / ],
    [ 'judge=jdg_x organization=org_y min=5 field=',
      qr/the name of a form's field/ ],
    [ 'min=5', qr/judge_request: expected judge=, the identifier/ ],
) {
    my ($args, $sentence) = @$_;
    my (undef, $out) = Judge::Nginx->check_conf(
        server => "location /x { judge_request $args; }");
    like($out, $sentence, "a sentence says what is wrong with $args");
}
my ($block) = Judge::Docs->blocks('docs/guard.md', 'Requests', 'nginx', 1);
my ($good, $said) = Judge::Nginx->check_conf(server => $block);
ok($good, 'the lines of docs/guard.md are valid') or diag($said);

my (undef, $out) = Judge::Nginx->check_conf(
    location => 'judge_request judge=jdg_x organization=org_y min=5;');
like($out, qr/judge_request: this location is the service's own/,
     'judge_request is refused in the location of the service');

done_testing;
