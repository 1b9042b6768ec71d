# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Connections to models that are kept open, by nginx's upstream{}: that they
# are, and that nothing is lost when the other side closes them.

use Judge::Test;
use Judge::OpenAI;

my $LONG = 300_000;                        # bytes of an answer, about

sub server {
    my ($answer, %opt) = @_;
    my $action = { action => 'ok', long => $LONG, %$answer };
    return Judge::OpenAI->start(%opt, script => [ ($action) x 100 ]);
}

my %server = (
    length  => server({}),
    chunked => server({ chunked => 1000 }),
    one     => server({ chunked => 1_000_000 }),
    last    => server({ close => 1 }),
    idle    => server({}, idle => 0.2),
    drops   => server({}, drops => 1),
    late    => server({}, drops => 1),
    several => server({ delay => 0.1 }),
    alone   => server({}),
);
my %at_once = (several => 4);
my %next    = (late => 'off');

# As conf/llm.conf has it, but for what a test is about.

sub location {
    my ($name) = @_;
    return $server{$name}->location($name, 'at_once=' . ($at_once{$name} // 1),
        next => $next{$name} // 'error non_idempotent',
        $name eq 'alone' ? () : (peer => $name));
}

my $t = Judge::Test->new(
    workers => 1,
    http    => join('', map { $server{$_}->upstream($_) }
                        grep { $_ ne 'alone' } sort keys %server),
    server  => join('', map { location($_) } sort keys %server),
);
my $judge   = $t->new_model_judge;
my $content = $t->new_content('A text about whales, and why they sing.');

# So many evaluations, and whether each was answered by its first call.

sub ask {
    my ($name, $n) = @_;

    my @e = map { $t->evaluated($t->post('/evaluations/single', json => {
        judge_id => $judge, content_id => $content, model => $name,
        cache => JSON::PP::false })->json->{evaluation_id}) } 1 .. $n;
    my %how;
    $how{ join ' ', $_->{status}, $_->{provenance}{attempts} // 1 }++ for @e;
    return join ', ', map { "$how{$_} x $_" } sort keys %how;
}

sub connections {
    my ($name) = @_;
    my %seen = map { $_->{connection} => 1 } $server{$name}->requests;
    return scalar keys %seen;
}

sub calls { scalar $server{ $_[0] }->requests }

# --- Kept -------------------------------------------------------------------

for ([ length  => 'with a Content-Length' ],
     [ chunked => 'in many chunks' ],
     [ one     => 'in a single chunk' ])
{
    my ($name, $how) = @$_;
    is(ask($name, 12), '12 x completed 1',
       "12 answers $how are read at the first attempt");
    is(connections($name), 1, "12 answers $how come by one connection");
    is(calls($name), 12, "each of 12 answers $how is asked for once");
}

is(ask(alone => 3), '3 x completed 1',
   'a location without upstream{} is called, too');
is(connections('alone'), 3,
   'each call without upstream{} has a connection of its own');

# --- At once ----------------------------------------------------------------

my @id = map { $t->post('/evaluations/single', json => {
    judge_id => $judge, content_id => $content, model => 'several',
    cache => JSON::PP::false })->json->{evaluation_id} } 1 .. 12;
is(scalar(grep { $t->evaluated($_)->{status} eq 'completed' } @id), 12,
   '12 evaluations are judged with four calls at once');
cmp_ok(connections('several'), '<=', 4,
       'four calls at once use four connections at most');

# --- Closed -----------------------------------------------------------------

is(ask(last => 6), '6 x completed 1',
   'a server that closes each connection answers each first attempt');
is(connections('last'), 6,
   'a server that closes each connection gets a new one for each call');
is(calls('last'), 6,
   'a server that closes each connection gets each call once');

for (1 .. 3) {
    is(ask(idle => 2), '2 x completed 1',
       'a server that closes idle connections answers after a pause');
    $t->wait_until(sub { open_to('idle') == 0 }, 'the connection closed');
}
cmp_ok(connections('idle'), '>=', 3,
       'there is a new connection after each pause');
is(calls('idle'), 6,
   'a server that closes idle connections gets each call once');

# The server goes in the same moment in which the next call comes.

is(ask(drops => 6), '6 x completed 1',
   'a connection that closes upon a call costs no attempt');
is(connections('drops'), 6,
   'a connection that closes upon a call is replaced');
is(calls('drops'), 11,
   'nginx makes each call again whose connection has closed');

is(ask(late => 1), '1 x completed 1',
   'the first call needs one attempt without proxy_next_upstream');
is(ask(late => 1), '1 x completed 2',
   'the service itself asks again without proxy_next_upstream');

sub open_to {
    my ($name) = @_;
    my $hex = sprintf ':%04X', $server{$name}->port;
    my $tcp = Judge::Nginx::read_file("/proc/@{[ $t->pid ]}/net/tcp") // '';
    return scalar grep { my @f = split; $f[2] =~ /$hex$/ && $f[3] eq '01' }
           grep { length } split /\n/, $tcp;
}

done_testing;
