# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The clock of the machine is set while the service runs, an hour on and an
# hour back: who waits does not wait for it, nobody is shut out, leases end at
# most so much earlier, and nothing is done twice.

use Judge::Test;
use Judge::Torture::Faults;

plan skip_all => 'a library of faults does not go with a sanitizer'
    if { Judge::Nginx::environment() }->{LD_PRELOAD} || Judge::Nginx->single;

use constant HOUR => 3600;

my $t = Judge::Test->new(
    start  => 0,
    http   => 'judge_store @DIR@/limited name=limited rate=1/m burst=5;'
            . ' judge_store @DIR@/idle name=idle evaluate=off;',
    judge  => 'default',
    server => 'location /limited/ { judge limited; }'
            . ' location /idle/ { judge idle; }');
my $faults = Judge::Torture::Faults->new(
    dir => $t->dir, seed => 1, repo => $t->repo, folder => $t->dir);

$faults->into($t);
$t->start;
$t->new_org('Clock');

sub set { $faults->set(clock => 1000 * $_[0]) }

sub key_of {
    my ($name) = @_;
    my ($status, $out) = $t->run($t->repo . '/build/judge', '--store',
        $t->dir . "/$name", '--json', 'org', 'create', 'Clock');
    die $out if $status != 0;
    return $out =~ /"api_key":"([^"]+)"/;
}

sub limited { $t->get('/limited/judges', key => $_[0])->status }

# --- Limits -----------------------------------------------------------------

my ($key) = key_of('limited');
is(join(' ', map { limited($key) } 1 .. 6), '200 200 200 200 200 429',
   'a key has its burst and no more');
set(-HOUR);
my $r = $t->get('/limited/judges', key => $key);
error_is($r, 429, undef,
         'the limit does not fill again when the clock goes back');
cmp_ok($r->header('Retry-After'), '<=', 600,
       'a key is not shut out for an hour when the clock goes back');
set(HOUR);
is(join(' ', map { limited($key) } 1 .. 6), '200 200 200 200 200 429',
   'a key has its burst once when the clock goes on');
set(0);
$r = $t->get('/limited/judges', key => $key);
cmp_ok($r->header('Retry-After'), '<=', 600,
       'a key is not shut out when the clock goes back again');

# --- Evaluations ------------------------------------------------------------

my $judge   = $t->new_judge;
my $content = $t->new_content('A text of a few words.');
my @ids;
for my $by (0, HOUR, -HOUR, 0) {
    set($by);
    push @ids, $t->new_evaluation($judge, $content);
    $t->evaluated($ids[-1]);
    is($t->get("/evaluations/$ids[-1]")->json->{status}, 'completed',
       "an evaluation is completed with a clock that is off by $by s");
}
is(scalar keys %{ { map { $_ => 1 } @ids } }, 4,
   'each evaluation has its own identifier');
is($t->sql1('SELECT COUNT(*) FROM evaluations'), 4,
   'no evaluation is stored twice');

# --- Waiting ----------------------------------------------------------------

my ($idle) = key_of('idle');
my %as     = (key => $idle);
my $slow   = $t->post('/idle/evaluations/single', %as, json => {
    judge_id => $t->post('/idle/judges', %as, json => {
        name => 'J', description => '', content_type => 'text',
        criteria => [ { name => 'Grammar', description => 'Correct.' } ],
    })->json->{judge_id},
    content_id => $t->post('/idle/content', %as, json => {
        name => 'T', file_type => 'text', text_content => 'A text.',
    })->json->{id} })->json;

# A second is enough for it to wait, and any time does for the test.

sub waiting {
    my ($path, %request) = @_;
    my $client = $t->connect;
    $client->send($t->bytes(POST => $path, %request));
    sleep 1;
    return $client;
}

for my $by (-HOUR, HOUR) {
    set(0);
    my $post = waiting('/idle/evaluations/single', %as,
        json => { map { $_ => $slow->{$_} } qw(judge_id content_id) },
        headers => [ Prefer => 'wait=5' ]);
    my $claim = waiting('/v1/work/claim', json => { kinds => ['video'],
                                                    wait => 5 });
    set($by);
    my @answers = map { $_->response } $post, $claim;
    is($answers[0] && $answers[0]->json->{status}, 'processing',
       "a client that waits for an evaluation is answered at $by s");
    is_deeply($answers[1] && $answers[1]->json, { work => [] },
              "a client that waits for work is answered at $by s");
}

# --- Leases -----------------------------------------------------------------

set(0);
my $film  = $t->new_judge(content_type => 'video');
my $items = $t->post('/v1/evaluations/social-media', json => {
    judge_id => $film, urls => [ 'https://vimeo.com/76979871' ] })
    ->json->{items};
my $claim = sub {
    return $t->post('/v1/work/claim', json => { kinds => ['video'],
        sources => ['social_media'] })->json->{work}[0];
};
my $beat = sub {
    return $t->post("/v1/work/$_[0]{evaluation_id}/heartbeat",
                    json => { lease_id => $_[0]{lease_id} });
};

my $first = $claim->();
is($first->{evaluation_id}, $items->[0]{evaluation_id}, 'a worker takes work');
set(-HOUR);
is($claim->(), undef,
   'work is not given to another worker when the clock goes back');
status_is($beat->($first), 200,
          'a worker keeps its work when the clock goes back');
set(0);
my $second = $claim->();
is($second->{evaluation_id}, $first->{evaluation_id},
   'another worker gets the work when the clock goes on');
isnt($second->{lease_id}, $first->{lease_id},
     'another worker gets a lease of its own');
is($beat->($first)->status, 409, 'the first worker has lost its work');
status_is($beat->($second), 200, 'the second worker has the work');

set(0);
done_testing;
