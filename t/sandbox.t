# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# conf/sandbox.conf as it stands, with our paths and port: production and a
# sandbox share nothing.

use Judge::Test;

my $base = Judge::Nginx->repo;
my $text = Judge::Nginx::read_file("$base/conf/sandbox.conf");

my %change = (
    'load_module [^;]+;'      => 'load_module @MODULE@;',
    'worker_processes auto;'  => 'worker_processes 2;',
    '/var/lib/'               => '@DIR@/',
    'listen 8080'             => 'listen 127.0.0.1:@PORT@',
);

for my $from (sort keys %change) {
    $text =~ s/$from/$change{$from}/g or die "sandbox.conf: no $from";
}

my $temp = join '', map { "${_}_temp_path temp/$_;\n" }
           qw(proxy fastcgi scgi uwsgi);
$text =~ s/^http \{\n/http {\naccess_log off;\n
           client_body_temp_path temp\/body;\n$temp/mx;

my $t = Judge::Test->new(
    orgs => 0,
    conf => "daemon off;\npid nginx.pid;\nerror_log logs/error.log info;\n"
            . ($> == 0 ? "user www-data;\n" : '') . $text);

my %host = (production => 'judge.example.com',
            sandbox    => 'sandbox.judge.example.com');
my %dir  = (production => 'judge', sandbox => 'judge-sandbox');
my %key;

for my $name (sort keys %host) {
    my ($status, $out) = $t->run($t->repo . '/build/judge', '--store',
        $t->dir . "/$dir{$name}", '--json', 'org', 'create', 'Mine');
    is($status, 0, "an organization is made in $name") or diag($out);
    ($key{$name}) = $out =~ /"api_key":"([^"]+)"/;
}

# ask(service => METHOD => path, key => of which service, …)

sub ask {
    my ($service, $method, $path, %opt) = @_;
    my $key = exists $opt{key} ? delete $opt{key} : $service;

    return $t->request($method, $path, %opt,
                       key     => defined $key ? $key{$key} : undef,
                       headers => [ Host => $host{$service},
                                    @{ $opt{headers} // [] } ]);
}

my %judge;

for my $name (sort keys %host) {
    my ($other) = grep { $_ ne $name } keys %host;

    status_is(ask($name, GET => '/readyz', key => undef), 200,
              "$name is ready");
    error_is(ask($name, GET => '/judges', key => $other), 401,
             qr/not valid/, "$name does not know a key of $other");

    my $r = ask($name, POST => '/v1/judges', json => {
        name => "Of $name", description => '', content_type => 'text',
        criteria => [{ name => 'Grammar', description => 'No slips.' }] });
    status_is($r, 201, "a judge is made in $name");
    $judge{$name} = $r->json->{judge_id};
}

error_is(ask(production => GET => "/judges/$judge{sandbox}"), 404, undef,
         'production does not know a judge of the sandbox');
is(join(' ', map { $_->{name} } @{ ask(production => GET => '/judges')
                                   ->json->{judges} }),
   'Of production', 'production has its own judges only in its list');

# The same in both: only one refuses it.

my %is = (production => [ 201, 200, '"key";q=200;w=2' ],
          sandbox    => [ 413, 1, '"key";q=30;w=30' ]);

for my $name (sort keys %host) {
    my ($status, $burst, $policy) = @{ $is{$name} };

    my $r = ask($name, POST => '/v1/evaluations/presigned-upload', json => {
        name => 'U', file_type => 'video', size => 60 * 1024 * 1024 });
    status_is($r, $status, "a video of 60 MB is answered $status in $name");
    is($r->header('RateLimit-Policy'), $policy, "$name has its own rate");

    $r = ask($name, POST => '/v1/judges/reference_content',
             json => { file_extension => 'txt' });
    like($r->json->{upload_url}, qr{^http://\Q$host{$name}\E/uploads/},
         "files are sent to the public address of $name");
}

my $text_of_2_mb = 'x' x (2 * 1024 * 1024);
error_is(ask(sandbox => POST => '/content', json => { name => 'C',
             file_type => 'text', text_content => $text_of_2_mb }), 413,
         qr/larger than 1048576 bytes/,
         'a body of 2 MB is too large for the sandbox');
error_is(ask(production => POST => '/content', json => { name => 'C',
             file_type => 'text', text_content => $text_of_2_mb }), 400,
         qr/^text_content: /,
         'production reads a body of 2 MB and says what is wrong');

# What is used up in one, is there in the other.

my $r;
for (1 .. 400) {                       # on a slow machine more comes back
    $r = ask(sandbox => GET => '/judges');
    last if $r->status == 429;
}
error_is($r, 429, qr/60 requests per minute/,
         'the rate of the sandbox is used up');
status_is(ask(production => GET => '/judges'), 200,
          'the rate of production is not used up by the sandbox');

# Each evaluates its own.

my $c = ask(production => POST => '/content', json => { name => 'C',
    file_type => 'text', text_content => 'The tide comes in twice a day.' });
$r = ask(production => POST => '/evaluations/single', json => {
    judge_id => $judge{production}, content_id => $c->json->{id} },
    headers => [ Prefer => 'wait=30' ]);
is($r->json->{status}, 'completed', 'production evaluates its content');

for my $name (sort keys %host) {
    my $ended = qr/^judge_evaluations_ended_total\{service="$name",
                   status="completed"\}\ ${\ ($name eq 'production'
                                              ? 1 : 0)}$/mx;
    $t->wait_for(60 * $t->slow, sub {
        $r = ask($name, GET => '/metrics', key => undef);
        return $r->body =~ $ended;
    });
    status_is($r, 200, "the metrics of $name are read");
    like($r->body, qr/^judge_requests_total\{service="$name",class="2xx"\}/m,
         "the metrics of $name name their service");
    like($r->body, $ended, "the metrics of $name count what is its own");
}

done_testing;
