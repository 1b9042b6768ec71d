# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What util/dev/torture compares: its model finds each kind of lie, and nothing
# where there is none.  Its schedule is a function of its seed.

use strict;
use warnings;

use Test::More;

use Judge::Torture::Model;
use Judge::Torture::Plan;
use Judge::Torture::Random;


# The faults that are found: what clients noted, what stands in the store.

sub found {
    my ($notes, @rows) = @_;

    my $model = Judge::Torture::Model->new;
    my %view;

    $model->note({ @$_ }) for @$notes;

    for (@rows) {
        my ($kind, $name, $id, $sum) = @$_;
        push @{ $view{$kind}{$name} }, { id => $id, sum => $sum };
    }

    return join ', ', map { "$_->[0] " . ($_->[1] =~ s/:.*//r) }
                      $model->compare(\%view);
}

sub thing {
    my ($state, %more) = @_;
    return [ kind => 'content', name => 'c', state => $state, %more ];
}

my @row = (content => 'c', 'cnt_1', 'text');
my @it  = (id => 'cnt_1', sums => [ 'text' ]);

# --- Nothing is wrong -----------------------------------------------------

is(found([ thing('there', @it) ], [ @row ]), '', 'acknowledged and there');
is(found([ thing('never') ]), '', 'refused and not there');
is(found([ thing('maybe', sums => [ 'text' ]) ], [ @row ]), '',
   'no answer, and there');
is(found([ thing('maybe') ]), '', 'no answer, and not there');
is(found([ thing('there', @it), thing('gone') ]), '', 'deleted');
is(found([ thing('there', @it), thing('going') ], [ @row ]), '',
   'no answer to its deletion, and there');
is(found([ thing('there', @it), thing('going') ]), '',
   'no answer to its deletion, and not there');
is(found([ thing('there', sums => [ 'old', 'text' ]) ], [ @row ]), '',
   'no answer to its change');

# --- Lies -----------------------------------------------------------------

is(found([ thing('there', @it) ]), 'lost content c', 'lost');
is(found([ thing('there', @it) ], [ @row ], [ @row ]), 'doubled content c',
   'doubled');
is(found([ thing('maybe') ], [ @row ], [ @row ]), 'doubled content c',
   'no answer, and twice there');
is(found([ thing('never') ], [ @row ]), 'stored content c',
   'refused and stored');
is(found([ thing('there', @it), thing('gone') ], [ @row ]),
   'undone content c', 'deleted and there');
is(found([ thing('there', id => 'cnt_1', sums => [ 'other' ]) ], [ @row ]),
   'changed content c', 'another text');
is(found([ thing('there', id => 'cnt_2', sums => [ 'text' ]) ], [ @row ]),
   'changed content c', 'another identifier');
is(found([ thing('maybe', sums => [ 'other' ]) ], [ @row ]),
   'changed content c', 'no answer, and another text');
is(found([], [ @row ]), 'invented content c', 'nobody asked for it');

# --- Things that belong together ------------------------------------------

my @of = (kind => 'evaluation', name => 'e', state => 'there',
          of => [ [ content => 'c' ] ]);
my @e  = (evaluation => 'e', 'evl_1');

is(found([ thing('there'), [ @of ] ], [ @row ], [ @e ]), '', 'both there');
is(found([ thing('there'), [ @of ] ], [ @row ]), 'lost evaluation e',
   'one of them lost');
is(found([ thing('there'), [ @of ], thing('gone') ]), '', 'both deleted');
is(found([ thing('there'), [ @of ], thing('gone') ], [ @e ]),
   'undone evaluation e', 'it outlives what it belongs to');
is(found([ thing('there'), [ @of ], thing('going') ]), '',
   'both are gone, without an answer');
is(found([ thing('there'), [ @of ], thing('going') ], [ @row ]),
   'lost evaluation e', 'only the other one should have gone');

my @batch = (kind => 'batch', name => 'b');
my @with  = thing('with', with => [ batch => 'b' ], part => 1);
my @b     = (batch => 'b', 'bat_1');

is(found([ [ @batch, state => 'maybe' ], @with ], [ @b ], [ @row ]), '',
   'no answer to a batch, and all is there');
is(found([ [ @batch, state => 'maybe' ], @with ]), '',
   'no answer to a batch, and nothing is there');
is(found([ [ @batch, state => 'maybe' ], @with ], [ @b ]),
   'lost content c', 'a batch without its contents');
is(found([ [ @batch, state => 'maybe' ], @with ], [ @row ]),
   'stored content c', 'contents without their batch');

# --- One quiet point after the other --------------------------------------

# What was unknown is known from then on.

my $model = Judge::Torture::Model->new;
my %there = (content => { c => [ { id => 'cnt_1', sum => 'text' } ] });

$model->note({ @{ thing('maybe', sums => [ 'text', 'other' ]) } });
is(scalar $model->compare(\%there), 0, 'it is there');
is_deeply([ $model->compare({}) ], [ [ lost => 'content c: cnt_1' ] ],
          'from then on it has to be');

$model = Judge::Torture::Model->new;
$model->note({ @{ thing('maybe', said => 'no answer') } });
is(scalar $model->compare({}), 0, 'it is not there');
is(join(' ', map { $_->[0] } $model->compare(\%there)), 'stored',
   'from then on it must not come');
is_deeply($model->counts, { acknowledged => 0, refused => 0, unknown => 1,
                            found => 0, absent => 1 }, 'the counts');

# --- The schedule ---------------------------------------------------------

sub rounds {
    my $plan = Judge::Torture::Plan->new(seed => $_[0]);
    return [ map { $plan->next } 1 .. 40 ];
}

is_deeply(rounds(7), rounds(7), 'a seed makes one schedule');
isnt(join(' ', map { $_->{damage} } @{ rounds(7) }),
     join(' ', map { $_->{damage} } @{ rounds(8) }), 'another one another');

my @kinds = Judge::Torture::Plan->kinds;
is(join(' ', sort map { $_->{damage} } @{ rounds(7) }[0 .. $#kinds]),
   join(' ', @kinds), 'each kind comes once in a cycle');

# The same on every machine.
my $random = Judge::Torture::Random->new(1);
my @numbers = map { $random->int(1000) } 1 .. 5;
is(join(' ', @numbers), '83 389 277 368 983', 'numbers of a seed');

my %seen;
$seen{ $random->weighted({ a => 1, b => 3 }) }++ for 1 .. 4000;
cmp_ok(abs($seen{a} - 1000), '<', 120, "a quarter: $seen{a} of 4000");

done_testing;
