# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judge_traffic and judge_request for clients of HTTP/2: several
# requests at once on one connection.

use IPC::Open2;

use Judge::Test;
use Judge::Traffic;

plan(skip_all => 'this nginx has no HTTP/2')
    if `nginx -V 2>&1` !~ /http_v2_module/;

my $upstream = upstream();
my $to       = "proxy_pass http://127.0.0.1:$upstream/; proxy_buffering off;";
my $guard    = "judge_traffic $JUDGED mode=guard min=50";

my $t = Judge::Test->new(
    described => 0,
    prefix    => '/api/',
    http      => <<"CONF",
server {
    listen 127.0.0.1:\@PORT1\@ http2;
    location /plain/   { $to }
    location /judged/  { $to judge_traffic $JUDGED; }
    location /guard/   { $to $guard; }
    location /window/  { $to $guard stream=window window=64 delay=10s; }
    location /end/     { $to $guard stream=end window=64 delay=10s; }
    location /request/ { $to judge_request $JUDGED min=50; }
    location /detect/  { $to client_max_body_size 4m;
                         client_body_buffer_size 1m;
                         judge_detect pii action=mask; }
    location /direct/  { $to proxy_request_buffering off;
                         judge_request $JUDGED min=50; }
}
CONF
);

my $judge = $t->new_judge(criteria => [
    { name => 'Secret', description => 'It is kept.', checks => [
        { type => 'not_contains', value => 'xylophone' } ] } ]);

my $json = JSON::PP->new->canonical;
my $node = open2(my $answers, my $asks, 'node',
                 $t->repo . '/t/data/http2.mjs', $t->port(1));
$asks->autoflush;

# The answers to three requests of this path.

sub three {
    my ($path, %opt) = @_;
    my %headers = (':path' => "/$path", ':method' => $opt{method} // 'GET',
                   'x-judge' => $judge, 'x-org' => $t->org->{id},
                   'x-text' => $opt{text} // '', %{ $opt{headers} // {} });

    print $asks $json->encode({
        requests => [ (\%headers) x 3 ],
        $opt{body}  ? (body => $opt{body}) : (),
        $opt{apart} ? (apart => JSON::PP::true) : () }), "\n";

    my $got = $json->decode(scalar(<$answers>) //
                            "three requests of $path are answered");
    is(@$got, 3, "$path: three answers");
    return $got;
}

my $fine = join ' ', ('The committee met and agreed.') x 12;
my $late = "$fine The xylophone is the word. $fine";

for my $path (qw(chat chat/stream text?n=500 gzip empty none status/404)) {
    for my $method (qw(GET HEAD)) {
        my @ask = (text => $fine, method => $method);
        is_deeply(three("judged/$path", @ask), three("plain/$path", @ask),
                  "$method passes as it is where it is judged");
    }
}

my $long = "$fine " x 500;
is($_->{body}, "|$long\[EMAIL_1]", 'a large body is masked')
    for @{ three('detect/echo', method => 'POST',
                 body => "${long}jo\@mail.example.org",
                 headers => { 'content-type' => 'text/plain' }) };

my $good = three('plain/chat/stream', text => $fine)->[0]{body};
for my $way (qw(guard window end)) {
    for my $r (@{ three("$way/chat/stream", text => $fine) }) {
        is($r->{status}, 200, "$way passes what is well");
        is($r->{body}, $good, "$way passes what is well byte by byte");
    }
    for my $r (@{ three("$way/chat/stream", text => $late) }) {
        is($r->{status}, $way eq 'guard' ? 422 : 200,
           "$way answers what is below the minimum with its status");
        like($r->{body}, $way eq 'guard' ? qr/^\{"detail"/
                                         : qr/judged_below_minimum/,
             "$way ends what is below the minimum with an error");
        unlike($r->{body}, qr/DONE/, "$way does not end as if all were well");
    }
}

my @form = (method => 'POST', headers => { 'content-type' =>
            'application/x-www-form-urlencoded' });
for my $apart (0, 1) {
    for my $way (qw(request direct)) {
        for my $text ('text=hello', 'text=' . 'hello+' x 9000) {
            is($_->{body}, "|$text", "$way, apart $apart, a request passes")
                for @{ three("$way/echo", @form, body => $text,
                             apart => $apart) };
        }
        is($_->{status}, 422,
           "$way, apart $apart, a request below the minimum is refused")
            for @{ three("$way/echo", @form, body => 'text=xylophone',
                         apart => $apart) };
    }
}

close $asks;
waitpid $node, 0;
done_testing;
