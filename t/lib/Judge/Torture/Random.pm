# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Numbers that depend on nothing but a seed: the same on every machine, and
# not disturbed by what else calls rand().

package Judge::Torture::Random;

use strict;
use warnings;


sub new {
    my ($class, $seed) = @_;

    my $self = bless \(my $state = $seed & 0x7fffffff), $class;
    $self->real for 1 .. 10;

    return $self;
}


# At least 0, less than 1: by the upper bits of a linear congruence.

sub real {
    my ($self) = @_;

    $$self = ($$self * 1103515245 + 12345) & 0x7fffffff;

    return ($$self >> 7) / (1 << 24);
}


sub int    { int($_[0]->real * $_[1]) }              # 0 to n - 1
sub chance { $_[0]->real < $_[1] }
sub pick   { my $self = shift; $_[$self->int(scalar @_)] }

sub between {
    my ($self, $low, $high) = @_;
    return $low + $self->real * ($high - $low);
}

sub shuffle {
    my ($self, @list) = @_;

    for my $n (reverse 1 .. $#list) {
        my $other = $self->int($n + 1);
        @list[$n, $other] = @list[$other, $n];
    }

    return @list;
}


# One of the names of { name => weight, … }.

sub weighted {
    my ($self, $weights) = @_;

    my $sum = 0;
    $sum += $_ for values %$weights;
    my $left = $self->real * $sum;

    for my $name (sort keys %$weights) {
        $left -= $weights->{$name};
        return $name if $left < 0;
    }

    return (sort keys %$weights)[-1];
}


1;
