# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# JSON Schema, as far as docs/openapi.yaml uses it, and strict: a keyword that
# is not known here is an error, and so is a member that no schema knows,
# where members are listed at all.
#
#   my $s = Judge::Schema->new($document);     # where "$ref": "#/…" leads
#   $s->vet($schema, 'where');                 # what is wrong with a schema
#   $s->check($schema, $value, lax => 1);      # what is wrong with a value
#
# Both give a list of sentences, each with a JSON pointer.  A value must come
# right out of a decoder: whether it is a number or a string is asked of it.

package Judge::Schema;

use strict;
use warnings;

use B ();
use JSON::PP ();


my %silent = map { $_ => 1 } qw(description default example examples summary);

# In the order in which they are checked: the first breach is reported.
my @keywords = (
    [ type             => \&check_type ],
    [ const            => \&check_const ],
    [ enum             => \&check_enum ],
    [ minLength        => \&check_length ],
    [ maxLength        => \&check_length ],
    [ pattern          => \&check_pattern ],
    [ format           => \&check_format ],
    [ minimum          => \&check_bounds ],
    [ maximum          => \&check_bounds ],
    [ exclusiveMinimum => \&check_bounds ],
    [ minItems         => \&check_count ],
    [ maxItems         => \&check_count ],
    [ items            => \&check_items ],
    [ required         => \&check_required ],
    [ properties       => \&check_properties ],
    [ additionalProperties => \&check_additional ],
    [ allOf            => \&check_all ],
    [ oneOf            => \&check_one ],
    [ if               => \&check_if ],
    [ then             => sub { () } ],
);

my %known = map { $_->[0] => 1 } @keywords;

my %formats = (
    'date-time' => qr/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?
                      (?:Z|[+-]\d\d:\d\d)\z/ax,
);


sub new {
    my ($class, $doc) = @_;
    return bless { doc => $doc, patterns => {} }, $class;
}


# Where a reference leads; anything else is what it is.

sub resolve {
    my ($self, $node) = @_;

    my $seen = 0;

    while (ref $node eq 'HASH' && defined $node->{'$ref'}) {
        my $ref = $node->{'$ref'};

        die "$ref: leads in a circle\n" if ++$seen > 10;
        die "$ref: leads elsewhere\n" if $ref !~ m{^\#/};

        $node = $self->{doc};
        for my $part (split m{/}, substr $ref, 2) {
            $part =~ s/~1/\//g;
            $part =~ s/~0/~/g;
            die "$ref: leads nowhere\n"
                if ref $node ne 'HASH' || !exists $node->{$part};
            $node = $node->{$part};
        }
    }

    return $node;
}


# --- Schemas --------------------------------------------------------------

sub vet {
    my ($self, $schema, $at) = @_;

    return "$at: expected a schema" if ref $schema ne 'HASH';

    if (defined $schema->{'$ref'}) {
        return eval { $self->resolve($schema); 1 } ? () : "$at: $@";
    }

    my @wrong;

    for my $key (sort keys %$schema) {
        push @wrong, "$at: the keyword $key is not known"
            if !$known{$key} && !$silent{$key};
    }

    push @wrong, map { $self->vet($schema->{$_}, "$at/$_") }
                 grep { exists $schema->{$_} } qw(items if then);
    push @wrong, $self->vet($schema->{additionalProperties},
                            "$at/additionalProperties")
        if ref $schema->{additionalProperties} eq 'HASH';

    for my $name (sort keys %{ $schema->{properties} // {} }) {
        push @wrong, $self->vet($schema->{properties}{$name},
                                "$at/properties/$name");
    }

    for my $list (qw(allOf oneOf)) {
        my $n = 0;
        push @wrong, map { $self->vet($_, "$at/$list/" . $n++) }
                     @{ $schema->{$list} // [] };
    }

    return @wrong;
}


# --- Values ---------------------------------------------------------------

sub check {
    my ($self, $schema, $value, %opt) = @_;

    local $self->{lax} = $opt{lax};

    return $self->look($schema, $value, '', 0);
}


# `part`: the schema is one of several, none of which knows all members.

sub look {
    my ($self, $schema, $value, $at, $part) = @_;

    $schema = $self->resolve($schema);

    for my $keyword (@keywords) {
        my ($name, $check) = @$keyword;
        next if !exists $schema->{$name};

        my @wrong = $check->($self, $schema->{$name}, $value, $at, $schema,
                             $name);
        return @wrong if @wrong;
    }

    return if $part || $self->{lax} || ref $value ne 'HASH';

    my $members = $self->members($schema) or return;

    return map { wrong("$at/$_", 'no such member is known') }
           grep { !$members->{$_} } sort keys %$value;
}


# The members that a schema knows; undef: any may be there.

sub members {
    my ($self, $schema) = @_;

    $schema = $self->resolve($schema);

    return undef if $schema->{additionalProperties};
    return undef if !$schema->{properties} && !$schema->{allOf};

    my %members = map { $_ => 1 } keys %{ $schema->{properties} // {} };

    for my $part (@{ $schema->{allOf} // [] }) {
        my $more = $self->members($part);
        %members = (%members, %$more) if $more;
    }

    return %members ? \%members : undef;
}


sub wrong {
    my ($at, $sentence) = @_;
    return ($at eq '' ? '/' : $at) . ": $sentence";
}

sub show {
    my ($value) = @_;
    return substr JSON::PP->new->canonical->allow_nonref->encode($value),
                  0, 80;
}


sub kind {
    my ($value) = @_;

    return 'null'    if !defined $value;
    return 'boolean' if JSON::PP::is_bool($value);
    return 'object'  if ref $value eq 'HASH';
    return 'array'   if ref $value eq 'ARRAY';
    return 'other'   if ref $value;

    my $flags = B::svref_2object(\$value)->FLAGS;

    return 'string' if $flags & B::SVp_POK
                       || !($flags & (B::SVp_IOK | B::SVp_NOK));
    return $value == int $value ? 'integer' : 'number';
}

sub is_number { kind($_[0]) =~ /^(?:integer|number)\z/ }


sub check_type {
    my ($self, $types, $value, $at) = @_;

    my $kind = kind($value);

    for my $type (ref $types ? @$types : $types) {
        return if $kind eq $type || ($type eq 'number' && $kind eq 'integer');
    }

    return wrong($at, 'expected ' . join(' or ', ref $types ? @$types : $types)
                      . ', found ' . show($value));
}


sub equal {
    my ($one, $other) = @_;
    return show($one) eq show($other);
}

sub check_const {
    my ($self, $const, $value, $at) = @_;
    return equal($const, $value) ? ()
           : wrong($at, 'expected ' . show($const) . ', found '
                        . show($value));
}

sub check_enum {
    my ($self, $enum, $value, $at) = @_;
    return (grep { equal($_, $value) } @$enum) ? ()
           : wrong($at, 'expected one of ' . join(', ', @$enum) . ', found '
                        . show($value));
}


sub check_length {
    my ($self, $limit, $value, $at, undef, $name) = @_;

    return if kind($value) ne 'string';
    return if $name eq 'minLength' ? length $value >= $limit
                                   : length $value <= $limit;
    return wrong($at, "expected a $name of $limit, found " . show($value));
}

sub check_pattern {
    my ($self, $pattern, $value, $at) = @_;

    return if kind($value) ne 'string';

    my $re = $self->{patterns}{$pattern} //= qr/$pattern/a;

    return $value =~ $re ? ()
           : wrong($at, "expected $pattern, found " . show($value));
}

sub check_format {
    my ($self, $format, $value, $at) = @_;

    return if kind($value) ne 'string';

    my $re = $formats{$format} or return wrong($at, "no format $format");

    # What is sent may leave out the offset, which is UTC then.
    my $whole = $self->{lax} ? $value =~ s/(T[\d:.]+)\z/$1Z/r : $value;

    return $whole =~ $re ? ()
           : wrong($at, "expected a $format, found " . show($value));
}


sub check_bounds {
    my ($self, $limit, $value, $at, undef, $name) = @_;

    return if !is_number($value);
    return if $name eq 'minimum' ? $value >= $limit
            : $name eq 'maximum' ? $value <= $limit
            :                      $value > $limit;
    return wrong($at, "expected a $name of $limit, found " . show($value));
}


sub check_count {
    my ($self, $limit, $value, $at, undef, $name) = @_;

    return if ref $value ne 'ARRAY';
    return if $name eq 'minItems' ? @$value >= $limit : @$value <= $limit;
    return wrong($at, "expected $name of $limit, found " . @$value);
}

sub check_items {
    my ($self, $items, $value, $at) = @_;

    return if ref $value ne 'ARRAY';

    my $n = 0;

    return map { $self->look($items, $_, "$at/" . $n++, 0) } @$value;
}


sub check_required {
    my ($self, $names, $value, $at) = @_;

    return if ref $value ne 'HASH';
    return map { wrong("$at/$_", 'is missing') }
           grep { !exists $value->{$_} } @$names;
}

sub check_properties {
    my ($self, $properties, $value, $at) = @_;

    return if ref $value ne 'HASH';
    return map { $self->look($properties->{$_}, $value->{$_}, "$at/$_", 0) }
           grep { exists $value->{$_} } sort keys %$properties;
}

sub check_additional {
    my ($self, $more, $value, $at, $schema) = @_;

    return if ref $value ne 'HASH' || ref $more ne 'HASH';
    return map { $self->look($more, $value->{$_}, "$at/$_", 0) }
           grep { !$schema->{properties} || !$schema->{properties}{$_} }
           sort keys %$value;
}


sub check_all {
    my ($self, $parts, $value, $at) = @_;
    return map { $self->look($_, $value, $at, 1) } @$parts;
}

sub check_one {
    my ($self, $parts, $value, $at) = @_;

    my @fits = grep { !$self->look($_, $value, $at, 1) } @$parts;

    return @fits == 1 ? ()
           : wrong($at, scalar(@fits) . ' of ' . @$parts . ' schemas of oneOf'
                        . ' fit');
}

sub check_if {
    my ($self, $if, $value, $at, $schema) = @_;

    return if !$schema->{then} || $self->look($if, $value, $at, 1);
    return $self->look($schema->{then}, $value, $at, 1);
}


1;
