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

is(found([ thing('there', @it) ], [ @row ]), '',
   'what was acknowledged and is there is right');
is(found([ thing('never') ]), '',
   'what was refused and is not there is right');
is(found([ thing('maybe', sums => [ 'text' ]) ], [ @row ]), '',
   'what had no answer may be there');
is(found([ thing('maybe') ]), '', 'what had no answer need not be there');
is(found([ thing('there', @it), thing('gone') ]), '',
   'what was deleted and is not there is right');
is(found([ thing('there', @it), thing('going') ], [ @row ]), '',
   'what had no answer to its deletion may be there');
is(found([ thing('there', @it), thing('going') ]), '',
   'what had no answer to its deletion need not be there');
is(found([ thing('there', sums => [ 'old', 'text' ]) ], [ @row ]), '',
   'what had no answer to its change may be as it was');

# --- Lies -----------------------------------------------------------------

is(found([ thing('there', @it) ]), 'lost content c',
   'what was acknowledged and is not there is lost');
is(found([ thing('there', @it) ], [ @row ], [ @row ]), 'doubled content c',
   'what is there twice is doubled');
is(found([ thing('maybe') ], [ @row ], [ @row ]), 'doubled content c',
   'what had no answer and is there twice is doubled');
is(found([ thing('never') ], [ @row ]), 'stored content c',
   'what was refused and is there is a fault');
is(found([ thing('there', @it), thing('gone') ], [ @row ]),
   'undone content c', 'what was deleted and is there is a fault');
is(found([ thing('there', id => 'cnt_1', sums => [ 'other' ]) ], [ @row ]),
   'changed content c', 'another text than was sent is a change');
is(found([ thing('there', id => 'cnt_2', sums => [ 'text' ]) ], [ @row ]),
   'changed content c', 'another identifier than was told is a change');
is(found([ thing('maybe', sums => [ 'other' ]) ], [ @row ]),
   'changed content c', 'another text of what had no answer is a change');
is(found([], [ @row ]), 'invented content c',
   'what nobody asked for is invented');

# --- Things that belong together ------------------------------------------

my @of = (kind => 'evaluation', name => 'e', state => 'there',
          of => [ [ content => 'c' ] ]);
my @e  = (evaluation => 'e', 'evl_1');

is(found([ thing('there'), [ @of ] ], [ @row ], [ @e ]), '',
   'two things that belong together are there');
is(found([ thing('there'), [ @of ] ], [ @row ]), 'lost evaluation e',
   'one of two things that belong together is lost');
is(found([ thing('there'), [ @of ], thing('gone') ]), '',
   'what belongs to a thing is deleted with it');
is(found([ thing('there'), [ @of ], thing('gone') ], [ @e ]),
   'undone evaluation e',
   'what outlives the thing that it belongs to is a fault');
is(found([ thing('there'), [ @of ], thing('going') ]), '',
   'both things are gone when a deletion had no answer');
is(found([ thing('there'), [ @of ], thing('going') ], [ @row ]),
   'lost evaluation e', 'what belongs to a thing that stayed is lost');

my @batch = (kind => 'batch', name => 'b');
my @with  = thing('with', with => [ batch => 'b' ], part => 1);
my @b     = (batch => 'b', 'bat_1');

is(found([ [ @batch, state => 'maybe' ], @with ], [ @b ], [ @row ]), '',
   'a batch without an answer may be there as a whole');
is(found([ [ @batch, state => 'maybe' ], @with ]), '',
   'a batch without an answer need not be there');
is(found([ [ @batch, state => 'maybe' ], @with ], [ @b ]),
   'lost content c', 'the contents of a batch that is there are lost');
is(found([ [ @batch, state => 'maybe' ], @with ], [ @row ]),
   'stored content c', 'contents without their batch are a fault');

# --- One quiet point after the other --------------------------------------

# What was unknown is known from then on.

my $model = Judge::Torture::Model->new;
my %there = (content => { c => [ { id => 'cnt_1', sum => 'text' } ] });

$model->note({ @{ thing('maybe', sums => [ 'text', 'other' ]) } });
is(scalar $model->compare(\%there), 0,
   'what had no answer is there at a quiet point');
is_deeply([ $model->compare({}) ], [ [ lost => 'content c: cnt_1' ] ],
          'what was there at a quiet point has to stay');

$model = Judge::Torture::Model->new;
$model->note({ @{ thing('maybe', said => 'no answer') } });
is(scalar $model->compare({}), 0,
   'what had no answer is not there at a quiet point');
is(join(' ', map { $_->[0] } $model->compare(\%there)), 'stored',
   'what was not there at a quiet point must not come');
is_deeply($model->counts, { acknowledged => 0, refused => 0, unknown => 1,
                            found => 0, absent => 1 },
          'the model counts what was known and what was found');

# --- The schedule ---------------------------------------------------------

sub rounds {
    my $plan = Judge::Torture::Plan->new(seed => $_[0]);
    return [ map { $plan->next } 1 .. 40 ];
}

is_deeply(rounds(7), rounds(7), 'a seed makes one schedule');
isnt(join(' ', map { $_->{damage} } @{ rounds(7) }),
     join(' ', map { $_->{damage} } @{ rounds(8) }),
     'another seed makes another schedule');

my @kinds = Judge::Torture::Plan->kinds;
is(join(' ', sort map { $_->{damage} } @{ rounds(7) }[0 .. $#kinds]),
   join(' ', @kinds), 'each kind comes once in a cycle');

# The same on every machine.
my $random = Judge::Torture::Random->new(1);
my @numbers = map { $random->int(1000) } 1 .. 5;
is(join(' ', @numbers), '83 389 277 368 983',
   'a seed makes the same numbers on every machine');

my %seen;
$seen{ $random->weighted({ a => 1, b => 3 }) }++ for 1 .. 4000;
cmp_ok(abs($seen{a} - 1000), '<', 120,
       "a weight of one in four is drawn $seen{a} times in 4000");

done_testing;
