# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# conf/balancer.conf before two nodes on one store, of which one is gone, or
# has lost its store.

use Judge::Test;

plan skip_all => 'one process only' if Judge::Nginx->single;

my %opt   = (prefix => '/judging/', store => 'fleet=on lease=2s');
my $first = Judge::Test->new(%opt);
my $next  = Judge::Test->new(%opt, start => 0, $first->sqlite
                             ? () : (address => $first->store));
symlink $first->store_dir, $next->store_dir or die "symlink: $!";
$next->start;

# One without its store: nothing but /healthz is well there.

my $lost = Judge::Test->new(%opt, orgs => 0,
                            allow => [ qr/cannot connect to the database/ ],
                            address =>
                            'postgresql://judge@/none?host=/nowhere');

sub front {
    my @nodes = @_;
    my $conf  = Judge::Nginx::read_file(Judge::Nginx->repo
                                        . '/conf/balancer.conf');
    my %change = ('/run/nginx.pid'     => 'nginx.pid',
        '/var/log/nginx/'              => 'logs/',
        'user             www-data;'   => $> == 0 ? 'user www-data;' : '',
        'listen 443 ssl http2'         => 'listen 127.0.0.1:@PORT@',
        'ssl_certificate      /etc/ssl/judge.example.com.pem;' => '',
        'ssl_certificate_key  /etc/ssl/judge.example.com.key;' => '',
        map { ("node$_.example.com:8080" => '127.0.0.1:'
               . $nodes[$_ - 1]->port) } 1, 2);

    for my $from (sort keys %change) {
        $conf =~ s/\Q$from\E/$change{$from}/g or die "no $from";
    }

    return "daemon off;\n" . $conf =~ s/^http \{\n/http {
client_body_temp_path temp\/body; proxy_temp_path temp\/proxy;
fastcgi_temp_path temp\/fastcgi; scgi_temp_path temp\/scgi;
uwsgi_temp_path temp\/uwsgi;\n/mr;
}

my $t = Judge::Test->new(conf => front($first, $next), orgs => 0,
                         prefix => '/judging/');
$t->{orgs} = $first->{orgs};

my $judge = $t->new_judge;
my $e = $t->evaluated($t->new_evaluation($judge, $t->new_content('Short.')));
is($e->{status}, 'completed', 'an evaluation goes through the balancer');

# --- Events ----------------------------------------------------------------

my $batch = $t->new_batch($judge, [ map { "Text $_." } 1 .. 5 ],
                          auto_start => JSON::PP::false);
my $events = $t->connect;
$events->send($t->bytes(GET => "/batches/$batch/events"));
like($events->read_until(qr/^event: progress$/m), qr/^event: progress$/m,
     'an event comes before the batch begins');
status_is($t->post("/batches/$batch/start"), 200,
          'a batch is started through the balancer');
like($events->read_until(qr/^event: done$/m), qr/^event: done$/m,
     'a batch ends behind the balancer, by whichever node');

# --- A node that is gone ---------------------------------------------------

sub all {
    my ($status, @what) = @_;
    return is(join(' ', map { $t->request(@what)->status } 1 .. 20),
              join(' ', ($status) x 20),
     "$what[0] is answered by the node that is left");
}

$next->quit;
all(200, GET => "/judges/$judge");
all(201, POST => '/content', json => {
    file_type => 'text', name => 'T', text_content => 'A short text.' });
$next->start;

# --- One without its store --------------------------------------------------

status_is($lost->get('/readyz', key => undef), 503,
          'a node without its store is not ready');
$t->conf(conf => front($lost, $next));
$t->reload(gone => 1);
all(200, GET => "/judges/$judge");

# --- None -------------------------------------------------------------------

$_->quit for $lost, $next;
my $r = $t->get("/judges/$judge");
error_is($r, 503, qr/^no node answers/,
         'the balancer answers when no node is left');
ok($r->header('Retry-After'), 'the balancer says when to try again');

done_testing;
