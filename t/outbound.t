# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Calls to the outside: where they may go and where not, what peers can do to
# them, certificates, and that nothing is left behind.

use Judge::Test;
use Judge::DNS;
use Judge::Receiver;

my $receiver = Judge::Receiver->start;
my $port     = $receiver->port;

my $dns = Judge::DNS->start(
    'good.test'     => ['127.0.0.1'],
    'turns.test'    => [ ['127.0.0.1'], ['10.0.0.1'] ],
    'private.test'  => ['10.1.2.3'],
    'mixed.test'    => ['127.0.0.1', '10.1.2.3'],
    'six.test'      => ['fd12::1'],
    'both.test'     => ['127.0.0.1', '::ffff:10.1.2.3'],
    'mapped.test'   => ['::ffff:127.0.0.1'],
    'metadata.test' => ['169.254.169.254'],
    'slow.test'     => undef,
    'empty.test'    => [],
);

my $include = Judge::Nginx->repo . '/conf/outbound.conf';

# One service may call this machine, the other one nothing that is special;
# the third one has no name server.

my $t = Judge::Test->new(
    http => <<'CONF',
judge_store @DIR@/strict name=strict;
judge_store @DIR@/deaf name=deaf;

server {
    listen 127.0.0.1:@PORT1@ ssl;
    ssl_certificate good.pem;
    ssl_certificate_key key.pem;
    location / { return 200; }
}

server {
    listen 127.0.0.1:@PORT2@ ssl;
    ssl_certificate self.pem;
    ssl_certificate_key key.pem;
    location / { return 200; }
}

server {
    listen 127.0.0.1:@PORT3@ ssl;
    ssl_certificate other.pem;
    ssl_certificate_key key.pem;
    location / { return 200; }
}
CONF
    judge  => 'default',
    server => <<"CONF",
location /strict/ { judge strict; }
location /deaf/ { judge deaf; }

location /out {
    resolver 127.0.0.1:@{[ $dns->port ]};
    judge_outbound store=default allow=127.0.0.0/8 timeout=3s;
    include \@DIR\@/outbound.conf;
}

location /out-strict {
    resolver 127.0.0.1:@{[ $dns->port ]};
    judge_outbound store=strict timeout=2s;
    include $include;
}

location /out-deaf {
    judge_outbound store=deaf allow=127.0.0.0/8;
    include $include;
}
CONF
    start => 0,
);

certificates();
$t->write('outbound.conf', Judge::Nginx::read_file($include)
          =~ s{/etc/ssl/certs/ca-certificates\.crt}{$t->dir . '/ca.pem'}er);
$t->start;
$t->new_org('Ours');

my %key = map { $_ => other_org($_) } qw(strict deaf);
my ($d, $r);                           # a delivery, and a request of it


# --- Helpers ----------------------------------------------------------------

# A certificate of our own authority for good.test, one for another name, and
# one that nobody has signed.

sub certificates {
    my $dir = $t->dir;

    my $openssl = sub {
        my ($status, $out) = $t->run('openssl', @_);
        die "openssl @_: $out" if $status != 0;
    };

    my @ec = qw(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2);

    $openssl->('req', '-x509', @ec, '-subj', '/CN=Test authority',
               '-keyout', "$dir/ca.key", '-out', "$dir/ca.pem");
    $openssl->('req', '-x509', @ec, '-subj', '/CN=good.test', '-addext',
               'subjectAltName=DNS:good.test', '-keyout', "$dir/key.pem",
               '-out', "$dir/self.pem");

    for (['good', 'good.test'], ['other', 'other.test']) {
        my ($file, $name) = @$_;
        $t->write("$file.ext", "subjectAltName=DNS:$name\n");
        $openssl->('req', '-new', '-key', "$dir/key.pem", '-subj',
                   "/CN=$name", '-out', "$dir/$file.csr");
        $openssl->('x509', '-req', '-in', "$dir/$file.csr", '-CA',
                   "$dir/ca.pem", '-CAkey', "$dir/ca.key", '-CAcreateserial',
                   '-days', 2, '-extfile', "$dir/$file.ext", '-out',
                   "$dir/$file.pem");
    }
}


sub other_org {
    my ($store) = @_;

    my ($status, $out) = $t->run($t->repo . '/build/judge', '--store',
        $t->dir . "/$store", '--json', 'org', 'create', $store);
    die $out if $status != 0;

    return { path => "/$store", key => $out =~ /"api_key":"([^"]+)"/ };
}


# Calls an address and waits for what came of it.

sub call {
    my ($url, %opt) = @_;

    my $who  = $key{ $opt{by} // '' } // { path => '', key => $t->key };
    my %key  = (key => $who->{key});
    my $r    = $t->put("$who->{path}/config/webhooks", %key,
                       json => { url => $url });
    return { last_error => $r->detail, status => $r->status }
        if $r->status != 200;

    my $id = $t->post("$who->{path}/config/webhooks/test", %key)
             ->json->{delivery_id};
    my $delivery;

    $t->wait_until(sub {
        $delivery = $t->get("$who->{path}/webhooks/deliveries/$id", %key)
                    ->json;
        return $delivery->{status} ne 'pending';
    }, "the call of $url");

    return $delivery;
}

sub refused {
    my ($url, $error, $name, %opt) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my $d = call($url, %opt);
    is("$d->{status}: $d->{last_error}", "failed: $error",
       "a call fails by $name");
}


subtest 'calls fail by what comes back' => sub {
    $d = call("http://127.0.0.1:$port/ok");
    is($d->{status}, 'delivered',
       'a call to an address that answers is delivered');
    is($d->{response_status}, 200, 'a delivery has the status of the answer');

    ($r) = $receiver->requests('/ok');
    is($r->{method}, 'POST', 'a call is a POST');
    is($r->{headers}{host}, "127.0.0.1:$port",
       'a call has the Host of its address');
    is($r->{headers}{'content-length'}, length $r->{body},
       'a call has the whole body');
    is($r->{headers}{connection}, undef, 'a call has no Connection');
    is_deeply([ grep { /^x-(?!webhook)|^cookie|^authorization/ }
                keys %{ $r->{headers} } ], [],
              'a call has no header of anybody else');

    for (
        [ '/status/500',  'it answered 500', 'a server that is broken' ],
        [ '/status/404',  'it answered 404',
          'a server that does not know us' ],
        [ '/hang',        'it did not answer in time',
          'a server without an answer' ],
        [ '/drip',        'it did not answer in time',
          'an answer that comes in drops' ],
        [ '/drip-head',   'it did not answer in time',
          'a head that comes in drops' ],
        [ '/cut',         'the answer broke off',
          'an answer that is shorter than it says' ],
        [ '/cut-chunks',  'the answer broke off', 'chunks without an end' ],
        [ '/nothing',     'the answer broke off',
          'a connection that is closed' ],
        [ '/reset',       'the answer broke off',
          'a connection that is reset' ],
        [ '/garbage',     'the answer is not HTTP', 'another protocol' ],
        [ '/large-head',  'the answer broke off', 'a head that has no end' ],
        [ '/binary',      'it answered 500', 'an answer that is no text' ],
        [ '/redirect',    'it answered 302', 'a redirect' ],
    ) {
        my ($path, $error, $name) = @$_;
        refused("http://127.0.0.1:$port$path", $error, $name);
    }

    is(scalar $receiver->requests('/ok'), 1, 'redirects are not followed');

    my $closed = Judge::Nginx::shut_port();
    refused("http://127.0.0.1:$closed/",
            'no connection could be made, or TLS failed', 'a closed port');

    $d = call("http://127.0.0.1:$port/large");
    is($d->{status}, 'delivered',
       'a call is delivered whose answer is longer than is read');
    $d = call("http://127.0.0.1:$port/accel");
    is("$d->{status} $d->{response_status}", 'delivered 200',
       'X-Accel-Redirect of an answer leads nowhere');
    $d = call("http://127.0.0.1:$port/slow/0.3");
    is($d->{status}, 'delivered', 'a slow answer is waited for');
};

subtest 'names are looked up for each call' => sub {
    $d = call("http://good.test:$port/name?a=b");
    is($d->{status}, 'delivered', 'a call to a name is delivered');
    ($r) = $receiver->requests('/name?a=b');
    is($r->{headers}{host}, "good.test:$port",
       'a call to a name has it as its Host');

    $d = call("http://turns.test:$port/turns");
    is($d->{status}, 'delivered',
       'a name that is about to mean something else is called as checked');
    is($dns->asked('turns.test'), 1, 'a name is asked for once in a call');

    # nginx keeps the answer of a name server for the second.

    $t->wait_until(sub { $d = call("http://turns.test:$port/turns");
                         $d->{status} eq 'failed' }, 'the other address');
    is($d->{last_error}, 'an address of the host is not public',
       'a name is checked anew for each call');

    refused("http://nowhere.test:$port/", 'the host has no address',
            'a name that does not exist');
    refused("http://empty.test:$port/", 'the host has no address',
            'a name without an address');
    refused("http://slow.test:$port/", 'it did not answer in time',
            'a name server that does not answer');
    refused("http://good.test:$port/", 'the host has no address',
            'a name without any name server', by => 'deaf');
    log_like($t, qr/no resolver for "good\.test": add a "resolver"/,
         'the log says what to add');
};

subtest 'calls go to no address that is not public' => sub {
    $receiver->clear;

    my @special = qw(127.0.0.1 [::1] [::ffff:127.0.0.1] [::127.0.0.1] 10.1.2.3
                     172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 100.64.0.1
                     224.0.0.1 255.255.255.255 [fe80::1] [fd00::1] [ff02::1]
                     [64:ff9b::7f00:1] [2002:7f00:1::]);
    my @names   = qw(good private mixed six both mapped metadata);

    for my $host (@special) {
        my $d = call("http://$host:$port/", by => 'strict');
        is($d->{status}, 400, "$host is refused when it is set");
        like($d->{last_error}, qr/^url: expected an address of the public/,
             "the error for $host says what is expected");
    }

    for my $name (@names) {
        refused("http://$name.test:$port/",
                'an address of the host is not public',
                "$name.test where no address is allowed", by => 'strict');
    }

    for my $name (qw(private mixed six both metadata)) {
        refused("http://$name.test:$port/",
                'an address of the host is not public',
                "$name.test where loopback is allowed");
    }

    my @wrong = ("http://2130706433:$port/", "http://0x7f000001:$port/",
                 "http://0x7f.1:$port/", "http://127.1:$port/",
                 "http://0177.0.0.1:$port/", "http://user\@127.0.0.1:$port/",
                 "http://good.test:$port\@10.0.0.1/", "file:///etc/passwd",
                 "gopher://127.0.0.1:$port/", "unix:/run/x.sock",
                 "http://127.0.0.1:$port\\\@good.test/",
                 "http://127.0.0.1:$port/a b", "http://127.0.0.1:0/",
                 "http://127.0.0.1:65536/", "http://[fe80::1%25lo]:$port/",
                 "http://127.0.0.1:$port/\r\nX: y");

    for my $url (@wrong) {
        my $d = call($url, by => 'strict');
        is($d->{status}, 400, "'@{[ $url =~ s/\r\n/ CRLF /r ]}' is refused");
    }

    # The addresses that requests bring: of feedback on a batch, and of a
    # training job.  Each gives every address at once, and waits for what came
    # of it.

    my %strict = (key => $key{strict}{key});
    my $judge  = $t->made('/strict/judges', 'judge_id', %strict, json => {
        name => 'J', description => '', content_type => 'text',
        criteria => [ { name => 'Grammar',
                        description => 'Correct grammar.' } ],
    });
    my $batch  = $t->made('/strict/batches/evaluate', 'batch_id', %strict,
        json => { name => 'B', judge_ids => [ $judge ], content_items => [
            { name => 'T', text_content => 'So.' } ] });
    my $evaluation;
    $t->wait_until(sub {
        ($evaluation) = map { $_->{evaluation_id} } grep {
            $_->{status} eq 'completed' }
            @{ $t->get("/strict/evaluations?batch_id=$batch", %strict)
               ->json->{evaluations} };
    }, 'an evaluation');

    my $feedback = sub {
        my ($url) = @_;

        return $t->post("/strict/batches/$batch/feedback", %strict, json => {
            feedback_entries => [ { evaluation_id => $evaluation,
                type => 'comment', content => { comment => 'x' } } ],
            feedback_options => { notification_preferences => {
                webhook_url => $url } } });
    };

    my $training = sub {
        my ($url) = @_;

        my $r = $t->post('/strict/training/jobs', %strict, json => {
            judge_id => $judge, training_type => 'full_retrain',
            training_config => {}, execution_options => {
                webhook_url => $url } });
        return $r if $r->status != 201;

        my $id = $r->json->{job_id};
        return $t->post("/strict/training-jobs/$id/execute", %strict,
                        json => {});
    };

    # Only these addresses are told, not the one of the settings.
    status_is($t->put('/strict/config/webhooks', %strict,
                      json => { enabled => JSON::PP::false }), 200,
              'the address of the settings is off');

    for my $brings ([ feedback => $feedback ], [ training => $training ]) {
        my ($name, $post) = @$brings;

        for my $url (@wrong) {
            my $r = $post->($url);
            is($r->status, 400,
               "$name refuses '@{[ $url =~ s/\r\n/ CRLF /r ]}'");
            like($r->detail, qr/webhook_url: /,
                 "$name says which field is wrong");
        }

        for my $host (@special) {
            error_is($post->("http://$host:$port/"), 400,
                     qr/webhook_url: expected an address of the public inter/,
                     "$name refuses $host");
        }

        my @hosts = map { "$_.test" } @names;
        my @made  = grep { $post->("http://$hosts[$_]:$port/$name/$_")->status
                           =~ /^20[01]$/ } 0 .. $#hosts;
        is(scalar @made, scalar @hosts,
           "$name takes the names of such addresses");

        my @ended;
        $t->wait_until(sub {
            @ended = grep { ($_->{url} // '') =~ m{/$name/}
                            && $_->{last_attempt_at} }
                     @{ $t->get('/strict/webhooks/deliveries?limit=100'
                                . '&status=pending', %strict)
                        ->json->{deliveries} };
            my %path = map { ($_->{url} =~ m{(\d+)$} => 1) } @ended;
            return keys %path == @hosts;
        }, "what came of $name", 60);

        is(join(' ', map { $_->{url} } grep {
               $_->{last_error} ne 'an address of the host is not public' }
               @ended), '', "$name calls none of these names");
    }

    is(scalar $receiver->requests, 0, 'no receiver was called');
    status_is($t->get('/out', key => undef), 404,
              'the location for calls is not for clients');
};

subtest 'certificates are checked' => sub {
    my %tls = (good => 1, self => 2, other => 3);

    $d = call('https://good.test:' . $t->port($tls{good}) . '/');
    is($d->{status}, 'delivered',
       'a certificate of a known authority is trusted');

    for (
        [ 'good.test', 'self', 'a certificate that nobody has signed' ],
        [ 'good.test', 'other', 'a certificate for another name' ],
        [ '127.0.0.1', 'good',
          'a certificate that does not name the address' ],
    ) {
        my ($host, $which, $name) = @$_;
        refused("https://$host:" . $t->port($tls{$which}) . '/',
                'no connection could be made, or TLS failed', $name);
    }

    refused("https://good.test:$port/ok", 'it did not answer in time',
            'a server without TLS');
    is(call('http://good.test:' . $t->port($tls{good}) . '/')
       ->{response_status}, 400,
       'plain HTTP to a server with TLS is answered by 400');
};

# --- Nothing is left --------------------------------------------------------

my ($open) = grep { $_ } map { connections($_) } $t->workers;
is($open, undef, 'no connection to the receiver is open');

sub connections {
    my ($pid) = @_;
    my $hex = sprintf ':%04X', $port;
    return scalar grep { (split)[2] =~ /$hex$/ && (split)[3] eq '01' }
           split /\n/, Judge::Nginx::read_file("/proc/$pid/net/tcp") // '';
}

done_testing;
