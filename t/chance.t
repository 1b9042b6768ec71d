# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Requests made by chance: the examples of docs/openapi.yaml with members that
# are changed, left out or many, and with identifiers of what is there.  Each
# is answered, as it is described and never by 5xx, and no worker ends.
#
# JUDGE_TEST_SEED and JUDGE_TEST_CASES make other runs, and longer ones.

use JSON::PP ();

use Judge::Test;

my $json = JSON::PP->new->utf8->canonical->allow_nonref;

my $n = $ENV{JUDGE_TEST_CASES} // ($ENV{JUDGE_TEST_EVERY} ? 20_000 : 2_500);
srand($ENV{JUDGE_TEST_SEED} // 1);

my $t = Judge::Test->new(
    server => 'location /hook { return 204; }',
    allow  => [qr/no location of this server|no resolver for/]);

my %known;                             # identifiers, by their first letters

my @odd = (undef, \1, \0, 0, -1, 2**31, 9e15, '9' x 30, 1e308, -1e-320, 0.1,
           '', ' ', "\0", "a\0b", "\x{202e}\x{10ffff}", 'x' x 256,
           'x' x 70_000, [], {}, [ [] ], [undef], { '' => '' }, [ (0) x 1001 ],
           [ ('x') x 300 ], '../../etc/passwd', '{{x}}', '(a+)+$', '[', '\\',
           "\n" x 300, '1e999', 'http://[::1', 'http://127.0.0.1:1/');

sub any { $_[int rand @_] }
sub odd { $json->decode($json->encode(any(@odd))) }        # a copy

# Its places: each a reference to a value of an object or of a list.

sub places {
    my ($node) = @_;

    return ref $node eq 'HASH'
             ? map { (\$node->{$_}, places($node->{$_})) } sort keys %$node
         : ref $node eq 'ARRAY' ? map { (\$_, places($_)) } @$node
         : ();
}

sub changed {
    my ($body) = @_;

    for (1 .. any(0, 1, 1, 2, 3)) {
        my @places = places($body);
        my $place  = @places ? any(@places) : last;
        my $chance = rand;

        if (ref $$place eq 'ARRAY' && $chance < .3) {
            push @{$$place}, (@{$$place}) x any(1, 5, 50);
        } elsif (ref $$place eq 'HASH' && $chance < .3) {
            delete $$place->{ any(sort keys %{$$place}) // '' };
        } elsif (ref $$place eq 'HASH' && $chance < .5) {
            $$place->{ any(qw(x name id type criteria)) } = odd();
        } else {
            $$place = odd();
        }
    }

    return $body;
}

sub known {
    my ($kind, $else) = @_;
    my $ids = $known{$kind};
    return $ids && rand() < .95 ? any(@$ids) : $else;
}

sub learn {
    my ($bytes) = @_;

    while ($bytes =~ /"(([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26})"/g) {
        my $ids = $known{$2} //= [];
        push @$ids, $1;
        shift @$ids if @$ids > 40;
    }
}

sub path {
    my ($op) = @_;
    my %in = map { $_->{name} => $_ } @{ $op->{parameters} };

    my $path = $op->{path} =~ s[\{(\w+)\}]{
        my $example = $in{$1}{example} // 'x';
        rand() < .05 ? any(qw(x 0 -1 %ff), 'a' x 300)
                     : $example =~ s/^([a-z]{3})_.*/known($1, $example)/er
    }egr;

    my @query = map { "$_=" . any(0, 1, -1, 'x', 'asc', '2026-01-01', '%ff',
                                  '%00', 'a' x 300, 'completed') }
                grep { $in{$_}{in} eq 'query' && rand() < .2 } sort keys %in;

    return $path . (@query ? '?' . join '&', @query : '');
}

sub request {
    my ($op) = @_;

    my ($type, $media) = %{ $op->{spec}{requestBody}{content} // {} };
    return () if !$type;

    my @examples = map { $_->{value} } values %{ $media->{examples} // {} };
    push @examples, $media->{example} if exists $media->{example};

    my $bytes = $json->encode(any(@examples) // {});
    $bytes =~ s{\b([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}\b}{known($1, $&)}eg;
    my $body = $json->encode(changed($json->decode($bytes)));

    substr $body, int rand length $body, 1, chr int rand 256
        if rand() < .05;
    $body = substr $body, 0, int rand length $body if rand() < .03;

    return (body => $body, headers => [ 'Content-Type' => $type ]);
}

# What deletes comes seldom, so that there is something to ask for; what waits
# for work or goes on until a client leaves, never.
my @all = grep { $_->{id} !~ /^(?:claimWork|stream)/ }
          Judge::OpenAPI->operations;

my (%answers, @failed);

for (1 .. $n) {
    my $op = any(@all);
    next if $op->{method} eq 'DELETE' && rand() < .8;

    my $path = path($op);
    my %with = request($op);
    my $r    = $t->request($op->{method}, $path, %with);

    $answers{ int $r->status / 100 }++;
    learn($r->body) if $r->status;
    push @failed, "$op->{method} $path: " . $r->status
                  . ": $with{body}" if $r->status < 200 || $r->status >= 500;
}

note(join ', ', map { "$answers{$_} of ${_}xx" } sort keys %answers);
is(@failed, 0, 'every request is answered, and none by 5xx')
    or diag(join "\n", map { substr $_, 0, 2000 } @failed);
ok($answers{2} > $n / 20, 'some of the requests are in order');
done_testing;
