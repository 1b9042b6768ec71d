# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Several nodes on one PostgreSQL, of which any may be gone: clients ask one
# of them, by chance.

package Judge::Torture::Fleet;

use strict;
use warnings;

use List::Util qw(shuffle);

use Judge::Postgresql;
use Judge::Torture::Server;


# The server, and so many nodes; %opt is theirs.

sub new {
    my ($class, $n, %opt) = @_;

    my $database = Judge::Postgresql->start;
    my $address  = $database->database;
    my @nodes    = map {
        Judge::Torture::Server->new(%opt, address => $address)
    } 1 .. $n;

    # Uploads are in one folder.
    my ($first, @others) = @nodes;
    for (@others) {
        symlink $first->store_dir, $_->store_dir or die "symlink: $!\n";
    }

    return bless { nodes => \@nodes, database => $database }, $class;
}

sub nodes    { @{ $_[0]{nodes} } }
sub database { $_[0]{database} }

sub start {
    my ($self) = @_;
    my ($first, @others) = $self->nodes;

    $first->start;
    $first->new_org('Torture');
    for (@others) {
        $_->start;
        $_->{orgs} = $first->{orgs};
    }
}


# What clients ask of a server.

sub port  { (shuffle($_[0]->nodes))[0]->port }
sub bytes { my $self = shift; $self->{nodes}[0]->bytes(@_) }


1;
