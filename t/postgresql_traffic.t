# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A database that hangs does not hold what is guarded longer than timeout=.

use IO::Socket::INET;

use Judge::Test;
use Judge::Proxy;
use Judge::Traffic;

my $upstream = upstream();
my $to       = "proxy_pass http://127.0.0.1:$upstream/;";
my $server   = Judge::Postgresql->start;
my ($name)   = $server->database =~ m{/(\w+)\?};
my $proxy    = Judge::Proxy->start($server->socket_path);
my $silent   = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1')
    or die "listen: $!";
my $guard    = ($JUDGED =~ s/timeout=1m/timeout=500ms/r) . ' min=50';

my $t = Judge::Test->new(
    described => 0,
    prefix    => '/api/',
    address   => "postgresql://judge\@127.0.0.1:" . $proxy->port . "/$name",
    server    => <<"CONF",
location /guard/ { $to judge_traffic $guard mode=guard on_error=pass; }
location /block/ { $to judge_traffic $guard mode=guard on_error=block; }
location /asked/ { $to judge_request $guard on_error=block; }
location /plain/ { $to }
location /after/ { $to judge_request $guard on_error=block;
                   post_action /late; }
location = /late { proxy_pass http://127.0.0.1:@{[ $silent->sockport ]}; }
CONF
);

my $judge = $t->new_judge(criteria => [
    { name => 'Plan', description => 'There is a plan.', checks => [
        { type => 'contains', value => 'plan' } ] } ]);
asks($t, judge => $judge, text => 'A plan.');

$t->comes_true(sub { ask(GET => '/block/text')->status == 200 },
               'an answer is judged');
$proxy->hang;
is(ask(GET => '/guard/text')->body, "A plan.\n",
   'an answer passes while the database hangs, with on_error=pass');
for my $way ('block/text', 'asked/echo') {
    my $r = ask(POST => "/$way", body => 'A plan.',
                headers => [ 'Content-Type' => 'text/plain' ]);
    is($r->status, 422,
       "$way is blocked while the database hangs, with on_error=block");
    like($r->detail, qr/could not be judged: dropped$/,
         "$way says that there was no verdict in time");
}

# A post_action takes the place of a request whose client leaves.
my $client = $t->connect;
$client->send(sends(POST => '/after/echo', body => 'A plan.',
                    headers => [ 'Content-Type' => 'text/plain' ]));
ask(GET => '/plain/text');
$client->close;
my $late = $silent->accept;
ok($late, 'what is to be done afterwards is begun');
ask(GET => '/guard/text');             # takes as long
unlike($t->log_text, qr{"/late" is blocked},
       'nothing is said of a verdict that is late for a client that has left');
$late->close;

$proxy->reset;
$proxy->pass;
$t->wait_until(sub { ask(GET => '/block/text')->status == 200 },
               'the database to be back');

for (
    [ 'timeout=1ms', qr/timeout=1ms: expected a time such as 500ms/ ],
    [ 'timeout=soon', qr/timeout=soon: expected a time such as 500ms/ ],
) {
    my ($args, $sentence) = @$_;
    my (undef, $out) = Judge::Nginx->check_conf(server => 'location /x {'
        . " judge_request judge=jdg_x organization=org_y min=5 $args; }");
    like($out, $sentence, "$args is refused");
}

done_testing;
