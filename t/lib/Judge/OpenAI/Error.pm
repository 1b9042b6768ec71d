# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Below judge_openai an error has OpenAI's form:
#
#   refused($response, 400, 'name of the field' or undef, qr/…/, 'name');

package Judge::OpenAI::Error;

use strict;
use warnings;

use Test::More;

use parent 'Exporter';

our @EXPORT = qw(refused);


sub refused {
    my ($r, $status, $param, $like, $name) = @_;
    my $error = eval { $r->json->{error} } // {};

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    is_deeply([ $r->status, $error->{param} ], [ $status, $param ], $name)
        or diag($r->body);
    like($error->{message} // '', $like, "the message says why: $name");
    is_deeply([ sort keys %$error ], [ qw(code message param type) ],
              "the error has the form of OpenAI's: $name");
    return $error;
}

1;
