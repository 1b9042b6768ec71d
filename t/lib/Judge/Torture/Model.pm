# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What the store has to hold, by the answers that clients got.  Each thing has
# a kind and a name of its own; for each the model knows
#
#   there    the client was told that it is stored
#   never    the client was told that it is not, or it was not sent whole
#   maybe    there was no answer: it is stored once, or not at all
#   gone     the client was told that it is deleted
#   going    there was no answer to its deletion
#   with     it is stored if the thing that it was made `with` is
#
# and `sums`: its content in the store is one of them (none: it is not looked
# at).  It is deleted with those named in `of`.

package Judge::Torture::Model;

use strict;
use warnings;


# In the order in which they depend on each other.
my @kinds = qw(judge version batch content evaluation feedback key job);

my %counted = (there => 'acknowledged', gone => 'acknowledged',
               never => 'refused', maybe => 'unknown', going => 'unknown');


sub new {
    my ($class) = @_;

    return bless {
        (map { $_ => {} } @kinds),
        counts => { map { $_ => 0 } qw(acknowledged refused unknown
                                       found absent) },
    }, $class;
}

sub counts { $_[0]{counts} }


# What a client has learned: { kind, name, state, id, sums, of, with, said }.
# What a later entry says of the same name replaces what an earlier one said.
# A part of something larger is not counted; a change that was refused or has
# no answer is, as `counts`.

sub note {
    my ($self, $entry) = @_;

    my $counts = delete $entry->{counts} // $counted{ $entry->{state} // '' };

    $self->{counts}{$counts}++ if $counts && !$entry->{part};

    return if !$entry->{kind};

    my $known = $self->{ $entry->{kind} }{ $entry->{name} } //= {};
    %$known = (%$known, %$entry);
}


# Compares it with the rows of the store, { kind => { name => [ { id, sum } ]
# } }: faults as [ class, text ].  Nothing may be under way: what was not
# known is, from then on.

sub compare {
    my ($self, $view) = @_;

    my @faults;

    for my $kind (@kinds) {
        my $known = $self->{$kind};
        my $rows  = $view->{$kind} // {};

        push @faults, map { [ invented => "$kind $_" ] }
                      grep { !$known->{$_} } sort keys %$rows;

        for my $name (sort keys %$known) {
            push @faults, map { [ $_->[0], "$kind $name: $_->[1]" ] }
                $self->settle($known->{$name}, $rows->{$name} // []);
        }
    }

    return @faults;
}


# One thing and its rows; the state becomes there, never or gone.

sub settle {
    my ($self, $known, $rows) = @_;

    my $state = $self->expected($known);
    my $n     = @$rows;

    $self->{counts}{ $n ? 'found' : 'absent' }++
        if $known->{state} =~ /^(?:maybe|going)$/ && !$known->{part};

    $known->{state} = $n ? 'there' : $state =~ /^g/ ? 'gone' : 'never';

    if ($n != 1) {
        return $n                ? [ doubled => "$n rows" ]
             : $state eq 'there' ? [ lost => $known->{id} // 'without id' ]
             :                     ();
    }

    return [ stored => $known->{said} // '' ] if $state eq 'never';
    return [ undone => 'its deletion' ] if $state eq 'gone';

    my ($id, $sum) = @{ $rows->[0] }{qw(id sum)};
    my @sums       = @{ $known->{sums} // [] };

    return [ changed => "it is $id, not $known->{id}" ]
        if defined $known->{id} && $known->{id} ne $id;
    return [ changed => "it is '$sum', not '" . join("' or '", @sums) . "'" ]
        if @sums && !grep { $_ eq $sum } @sums;

    $known->{sums} = [ $sum ] if @sums;
    $known->{id}   = $id;

    return;
}


# Its state in the light of those that it belongs to, which are settled.

sub expected {
    my ($self, $known) = @_;

    my $state = $known->{state};

    if ($state eq 'with') {
        my ($kind, $name) = @{ $known->{with} };
        $state = $self->{$kind}{$name}{state} eq 'there' ? 'there' : 'never';
    }

    return $state if $state !~ /^(?:there|maybe)$/;

    for (@{ $known->{of} // [] }) {
        my ($kind, $name) = @$_;
        return 'gone' if ($self->{$kind}{$name}{state} // '') eq 'gone';
    }

    return $state;
}


# What was deleted or refused need not be looked for forever.

sub forget {
    my ($self) = @_;

    for my $kind (@kinds) {
        my $known = $self->{$kind};
        delete @$known{ grep { $known->{$_}{state} ne 'there'
                               && $known->{$_}{old}++ > 20 } keys %$known };
    }
}


1;
