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
    my $error   = eval { $r->json->{error} } // {};
    my $message = $error->{message} // '';

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    is_deeply([ $r->status, $error->{param}, sort keys %$error ],
              [ $status, $param, qw(code message param type) ], $name)
        or diag($r->body);
    like($message, $like, "the message says why: $name");
    return $error;
}

1;
