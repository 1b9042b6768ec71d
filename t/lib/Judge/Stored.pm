# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

package Judge::Stored;

# What a store holds, as another version of the module left it.

use strict;
use warnings;

use Exporter qw(import);
use JSON::PP ();

use Judge::JSON;

our @EXPORT_OK = qw(alter_criteria);

my $json = Judge::JSON->new->utf8->canonical->allow_nonref;


# Changes the stored criteria of all versions of judges: change() gets each.

sub alter_criteria {
    my ($t, $change) = @_;

    for my $row (@{ $t->sql('select judge_id, version, criteria from'
                            . ' judge_versions') }) {
        my $criteria = $json->decode($row->{criteria});

        $change->($_) for @$criteria;
        my $text = $json->encode($criteria) =~ s/'/''/gr;
        $t->alter("update judge_versions set criteria = '$text' where"
                  . " judge_id = '$row->{judge_id}'"
                  . " and version = $row->{version}");
    }
}

1;
