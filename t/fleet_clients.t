# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What clients see of two nodes on one store: streams, keys, judges and work
# are the same at both.

use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();

use Judge::Test;
use Time::HiRes qw(time);

my ($one, $two) = Judge::Test->fleet(2, workers => 2,
    events => 'multi_accept off;', store => 'fleet=on lease=2s');

my $json  = JSON::PP->new->utf8;
my $judge = $one->new_judge;


# --- Events of a batch ------------------------------------------------------

# Read at one node until there are so many items, then at the other, from the
# last one on; each node evaluates meanwhile.

my $batch = $one->new_batch($judge,
    [ map { "Text $_ is about a bridge." } 1 .. 80 ],
    auto_start => JSON::PP::false());
my $path = "/batches/$batch/events";

# The items of a text: [ id, data ].

sub items {
    my @items;
    for (grep { /^event: item$/m } split /\n\n/, $_[0]) {
        my ($id)   = /^id: (\d+)$/m;
        my ($data) = /^data: (.*)$/m;
        push @items, [ $id, $json->decode($data) ];
    }
    return @items;
}

my (@items, $client);
my $last = '';

sub follow {
    my ($node, $until) = @_;

    $client->close if $client;
    $client = $node->connect;
    $client->send($node->bytes(GET => $path, headers => [ $last eq '' ? ()
                               : ('Last-Event-ID' => $last) ]));
    my $text = '';
    while ((my @now = items($text)) < $until) {
        my $more = $client->read_until(qr/^event: .*\n(?:.+\n)+\n/m)
            // return fail('a stream goes on');
        $text .= $more;
        last if $more =~ /^event: done/m;
    }
    push @items, my @new = items($text);
    $last = $new[-1][0] if @new;
    return $text;
}

follow($two, 0);
$client->read_until(qr/^event: progress\n/m);
status_is($two->post("/batches/$batch/start"), 200, 'a batch is started');
follow($_->[0], $_->[1]) for [ $two, 10 ], [ $one, 5 ], [ $two, 20 ];
like(follow($one, 1000), qr/^event: done/m,
     'the last one of four streams tells the end');

is(scalar @items, 80, 'all items were read, at two nodes by turns');
my %seen = map { $_->[1]{evaluation_id} => 1 } @items;
is(scalar keys %seen, 80, 'each item is read once, at two nodes by turns');
is(join(' ', map { $_->[0] } @items),
   join(' ', sort { $a <=> $b } map { $_->[0] } @items),
   'items of two nodes come in order');

# The other node does it: who follows at this one hears of it.

my $front = Judge::Test->new(orgs => 0, start => 0, store => 'fleet=on'
    . ' evaluate=off', $one->sqlite ? () : (address => $one->store));
symlink $one->store_dir, $front->store_dir or die "symlink: $!";
$front->{orgs} = $one->{orgs};
$front->start;

# That it is slow proves nothing; once before it would have looked, that it
# was told.

my $told;
for (1 .. 5) {
    $batch = $front->new_batch($judge,
        [ map { "Text $_ is about a bridge." } 1 .. 40 ],
        auto_start => JSON::PP::false());
    my $stream = $front->connect;
    $stream->send($front->bytes(GET => "/batches/$batch/events"));
    $stream->read_until(qr/^event: progress\n/m);
    status_is($front->post("/batches/$batch/start"), 200,
              'a batch is started at a node that does not evaluate');
    my $began = time;
    my $text  = $stream->read_until(qr/^event: done\n(?:.+\n)+\n/m);
    $told  = time - $began < 14;
    @items = items($text // '');
    is(scalar @items, 40,
       'a stream has all events of what another node evaluates');
    %seen = map { $_->[1]{evaluation_id} => 1 } @items;
    is(scalar keys %seen, 40, 'a stream has each event of another node once');
    last if $told;
}
ok($told, 'a stream of another node ends before it looks by itself');
$front->quit;


# --- Keys -------------------------------------------------------------------

# What a node remembers of a key it forgets soon.

sub becomes {
    my ($status, $name, %opt) = @_;

    for my $node ($one, $two) {
        $node->wait_until(sub { $node->get('/judges', %opt)->status == $status
                                }, "$name: $status");
    }
    pass("$name: $status at both nodes");
}

my $made = $one->post('/api-keys', json => { name => 'Reader',
                          permissions => ['judges:read'] })->json;
my @key  = (key => $made->{api_key});
is($two->get('/judges', @key)->status, 200,
   'a key made at one node works at the other at once');
is($one->get('/judges', @key)->status, 200,
   'a key works at the node that made it');

status_is($one->patch("/api-keys/$made->{api_key_id}", json => {
    permissions => ['content:read'] }), 200,
          'the permissions of a key are changed at one node');
becomes(403, 'a key that may do something else', @key);
status_is($two->patch("/api-keys/$made->{api_key_id}", json => {
    permissions => ['judges:read'] }), 200,
          'the permissions of a key are changed back at the other node');
becomes(200, 'a key that may again', @key);
status_is($two->delete("/api-keys/$made->{api_key_id}"), 204,
          'a key is deleted at the other node');
becomes(401, 'a key that is no more', @key);


# --- A judge ----------------------------------------------------------------

my $content = $two->new_content('The bridge was opened in 1932.');

my $record = $two->evaluated($two->new_evaluation($judge, $content));
is($record->{provenance}{judge_version}, 1, 'a judge is used at one node');
status_is($one->put("/judges/$judge", json => { criteria => [ {
    name => 'Brevity', description => 'Plain words, and few.' } ] }), 200,
    'a judge is changed at the other node');
is($two->get("/judges/$judge")->json->{criteria}[0]{name}, 'Brevity',
   'a judge that was changed elsewhere is read as it is now');

$two->wait_until(sub {
    $record = $two->evaluated($two->new_evaluation($judge, $content));
    $record->{provenance}{judge_version} == 2;
}, 'the other version to judge');
is(join(' ', map { $_->{name} } @{ $record->{criteria_scores} }), 'Brevity',
   'a changed judge has its new criteria at the other node');


# --- External workers -------------------------------------------------------

my $film  = $one->new_judge(content_type => 'video');
my $clips = 76979870;

sub clips {
    my ($n) = @_;
    my $r = $one->post('/v1/evaluations/social-media', json => {
        judge_id => $film,
        urls => [ map { 'https://vimeo.com/' . ++$clips } 1 .. $n ] });
    return map { $_->{evaluation_id} } @{ $r->json->{items} };
}

# What has failed is tried again at one node and fails otherwise; who has seen
# it at the other, by whichever process, is told of the last failure.

sub fails {
    my ($code) = @_;

    my $work = $one->post('/v1/work/claim', json => {})->json->{work}[0];
    my $body = $json->encode({ status => 'failed',
        evaluation_id => $work->{evaluation_id},
        content_id => $work->{content}{content_id},
        error => { code => $code, message => 'It is broken.' } });
    $one->post('/api/video-evaluations/callback', key => undef, body => $body,
        headers => [ 'Content-Type' => 'application/json',
                     'X-Webhook-Signature' => 'sha256='
                     . hmac_sha256_hex($body, $one->org->{secret}) ]);
    return $work->{content}{content_id};
}

clips(1);
my $broken = $one->new_batch($film, [ { content_id => fails('OLD') } ]);
my $ended = '';

for my $code (qw(OLD NEW)) {
    fails($code);
    $two->wait_until(sub {
        ($two->get("/batches/$broken")->json->{completed_at} // $ended)
            ne $ended;
    }, 'the end of a batch');
    # One may remember for a second how it was before.
    my @told;
    $two->comes_true(sub {
        @told = map { $_->json } $two->at_once(
                    map { [ GET => "/batches/$broken" ] } 1 .. 16);
        return 16 == grep { join(' ', keys %{ $_->{failure_summary} // {} })
                            eq $code } @told;
    }, "every process tells the last failure: $code");

    $ended = $told[0]{completed_at};
    next if $code eq 'NEW';
    my ($failed) = @{ $one->get("/evaluations?batch_id=$broken")
                      ->json->{evaluations} };
    status_is($one->post("/evaluations/$failed->{evaluation_id}/retry"), 200,
              'a failed evaluation is tried again at one node');
}

# Claims at the nodes at once, as they come: what each brings.

sub claims {
    my ($n, $body) = @_;
    my @clients = map {
        my $node = ($one, $two)[ $_ % 2 ];
        my $c = $node->connect;
        $c->send($node->bytes(POST => '/v1/work/claim', json => $body));
        $c
    } 1 .. $n;
    return @clients;
}

sub given { map { @{ ($_->response // return ())->json->{work} } } @_ }

my @wanted = clips(30);
my @work   = given(claims(24, { max => 2 }));
push @work, given(claims(2, { max => 16 })) if @work < 30;
is(join(' ', sort map { $_->{evaluation_id} } @work),
   join(' ', sort @wanted), 'all work is given, by two nodes, once');

# A node is killed amid claims: what nobody has heard of is given again, when
# its lease has run out.

@wanted = clips(20);
my @clients = claims(10, { max => 3, lease => 1 });
$two->crash;
my %given;
$given{ $_->{evaluation_id} } = $_ for given(@clients);
$one->wait_until(sub {
    my $r = $one->post('/v1/work/claim', json => { max => 16, lease => 60,
                                                   wait => 2 });
    $given{ $_->{evaluation_id} } = $_ for @{ $r->json->{work} };
    return keys %given == 20;
}, 'all of it to be given by the node that is left');
is(join(' ', sort keys %given), join(' ', sort @wanted),
   'work is given again that a killed node had given');

$two->start;
$_->stop for $one, $two;
done_testing;
