# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What a request to /v1/chat/completions must be like, as OpenAI documents it.

package Judge::OpenAI::Request;

use strict;
use warnings;

use B ();
use JSON::PP ();

use Judge::JSON;


my $json = Judge::JSON->new->utf8->canonical;

# What may stand in a request, and what is checked about it.
my %params = (
    model                 => \&check_string,
    messages              => \&check_messages,
    temperature           => sub { check_number(@_, 0, 2) },
    top_p                 => sub { check_number(@_, 0, 1) },
    presence_penalty      => sub { check_number(@_, -2, 2) },
    frequency_penalty     => sub { check_number(@_, -2, 2) },
    max_tokens            => sub { check_integer(@_, 1) },
    max_completion_tokens => sub { check_integer(@_, 1) },
    n                     => sub { check_integer(@_, 1) },
    seed                  => \&check_integer,
    stream                => \&check_boolean,
    stop                  => sub { },
    user                  => \&check_string,
    response_format       => \&check_format,
);


# What is wrong with the request $q: a hash of status, message, type, code and
# param; nothing: it is right.  $limits: models, lacks and context, as start()
# of Judge::OpenAI has them.

sub check {
    my ($q, $limits) = @_;

    my $fault = eval {
        for my $name (sort keys %$q) {
            die { message => "Unrecognized request argument supplied: $name" }
                if !$params{$name};
        }
        for my $name (qw(model messages)) {
            die { message => "you must provide a $name parameter",
                  param => $name } if !exists $q->{$name};
        }
        for my $name (sort keys %$q) {
            $params{$name}->($q->{$name}, $name, $q);
        }
        check_model($q, $limits);
        check_lacks($q, $limits);
        undef;
    };

    $fault = $@ if $@;

    return if !$fault;

    die $fault if !ref $fault;

    return { status => 400, %$fault };
}


sub complain {
    my ($param, $message, %more) = @_;
    die { message => "Invalid '$param': $message", param => $param, %more };
}


# Whether a scalar was a number, or a string, in JSON.

sub is_number {
    my ($v) = @_;

    return 0 if !defined $v || ref $v;

    my $flags = B::svref_2object(\$v)->FLAGS;

    return $flags & (B::SVp_IOK | B::SVp_NOK) && !($flags & B::SVp_POK);
}


sub check_string {
    my ($v, $name) = @_;
    complain($name, 'expected a string')
        if !defined $v || ref $v || is_number($v) || $v eq '';
}


sub check_number {
    my ($v, $name, undef, $min, $max) = @_;
    complain($name, "expected a number from $min to $max")
        if !is_number($v) || $v < $min || $v > $max;
}


sub check_integer {
    my ($v, $name, undef, $min) = @_;
    complain($name, 'expected an integer')
        if !is_number($v) || $v != int $v || (defined $min && $v < $min);
}


sub check_boolean {
    my ($v, $name) = @_;
    complain($name, 'expected a boolean') if !JSON::PP::is_bool($v);
    complain($name, 'streaming is not served here') if $v;
}


sub only {
    my ($v, $name, @keys) = @_;
    my %known = map { $_ => 1 } @keys;

    complain($name, 'expected an object') if ref $v ne 'HASH';

    for my $key (sort keys %$v) {
        complain("$name.$key", 'unknown parameter') if !$known{$key};
    }
}


sub check_messages {
    my ($v, $name) = @_;

    complain($name, 'expected an array') if ref $v ne 'ARRAY';
    complain($name, 'empty array') if !@$v;

    for my $i (0 .. $#$v) {
        my ($m, $at) = ($v->[$i], "messages[$i]");

        only($m, $at, qw(role content name));
        complain("$at.role", 'unknown role')
            if ($m->{role} // '') !~ /^(system|developer|user|assistant)$/;
        complain("$at.content", 'is missing') if !defined $m->{content};

        if (ref $m->{content} eq 'ARRAY') {
            check_part($m->{content}[$_], "$at.content[$_]", $m->{role})
                for 0 .. $#{ $m->{content} };
        } else {
            check_string($m->{content}, "$at.content");
        }
    }
}


sub check_part {
    my ($part, $at, $role) = @_;

    my $type = ref $part eq 'HASH' ? $part->{type} // '' : '';

    if ($type eq 'text') {
        only($part, $at, qw(type text));
        check_string($part->{text}, "$at.text");

    } elsif ($type eq 'image_url' && $role eq 'user') {
        only($part, $at, qw(type image_url));
        only($part->{image_url}, "$at.image_url", qw(url detail));

        my ($data) = ($part->{image_url}{url} // '')
            =~ m{^data:image/(?:png|jpeg|webp|gif);base64,([A-Za-z0-9+/]+=*)$};

        complain("$at.image_url.url", 'expected an image as base64',
                 code => 'invalid_base64')
            if !defined $data || length($data) % 4;

    } else {
        complain("$at.type", 'unknown part');
    }
}


sub check_format {
    my ($v, $name, $q) = @_;

    my $type = ref $v eq 'HASH' ? $v->{type} // '' : '';

    if ($type eq 'json_schema') {
        only($v, $name, qw(type json_schema));
        my $s = $v->{json_schema};
        only($s, "$name.json_schema", qw(name description strict schema));
        complain("$name.json_schema.name", 'expected 1 to 64 of a-zA-Z0-9_-')
            if ($s->{name} // '') !~ /^[a-zA-Z0-9_-]{1,64}\z/;
        complain("$name.json_schema.schema", 'expected an object')
            if ref $s->{schema} ne 'HASH';
        complain("$name.json_schema.schema", "expected type 'object'")
            if ($s->{schema}{type} // '') ne 'object';
        check_schema($s->{schema}, "$name.json_schema.schema", 1)
            if $s->{strict};

    } elsif ($type eq 'json_object') {
        only($v, $name, qw(type));
        complain('messages', "must contain the word 'json' in some form, to"
                 . " use 'response_format' of type 'json_object'.")
            if $json->encode($q->{messages} // []) !~ /json/i;

    } elsif ($type eq 'text') {
        only($v, $name, qw(type));

    } else {
        complain("$name.type", "expected 'text', 'json_object' or"
                 . " 'json_schema'");
    }
}


# The subset of JSON Schema that strict mode knows.

sub check_schema {
    my ($s, $at, $depth) = @_;

    complain($at, 'nested too deeply') if $depth > 10;
    complain($at, 'expected an object') if ref $s ne 'HASH';

    my $type = $s->{type} // '';

    if ($type eq 'object') {
        only($s, $at, qw(type properties required additionalProperties
                         description));

        my $p = $s->{properties};
        complain($at, "'properties' is required") if ref $p ne 'HASH';
        complain($at, "'additionalProperties' is required to be supplied and"
                 . " to be false")
            if !JSON::PP::is_bool($s->{additionalProperties})
               || $s->{additionalProperties};
        complain($at, "'required' is required to be supplied and to be an"
                 . " array including every key in properties")
            if ref $s->{required} ne 'ARRAY'
               || join("\0", sort @{ $s->{required} })
                  ne join("\0", sort keys %$p);

        check_schema($p->{$_}, "$at.$_", $depth + 1) for sort keys %$p;

    } elsif ($type eq 'array') {
        only($s, $at, qw(type items description));
        check_schema($s->{items}, "$at.items", $depth + 1);

    } elsif ($type =~ /^(string|number|integer|boolean)$/) {
        only($s, $at, qw(type description enum));

    } else {
        complain($at, 'unknown type');
    }
}


sub check_model {
    my ($q, $limits) = @_;

    die { status => 404, code => 'model_not_found', param => 'model',
          message => "The model '$q->{model}' does not exist" }
        if $limits->{models}
           && !grep { $_ eq $q->{model} } @{ $limits->{models} };

    my $tokens = int(length($json->encode($q->{messages})) / 4);

    die { code => 'context_length_exceeded', param => 'messages',
          message => "This model's maximum context length is"
                     . " $limits->{context} tokens. However, your messages"
                     . " resulted in $tokens tokens." }
        if $limits->{context} && $tokens > $limits->{context};
}


sub check_lacks {
    my ($q, $limits) = @_;

    my %lacks = map { $_ => 1 } @{ $limits->{lacks} // [] };
    my $type  = ref $q->{response_format} ? $q->{response_format}{type} : '';

    die { message => "Invalid parameter: 'response_format' of type '$type'"
                     . " is not supported with this model." }
        if ($lacks{schema} && $type eq 'json_schema')
           || ($lacks{object} && $type eq 'json_object');

    die { message => "Unsupported parameter: 'max_tokens' is not supported"
                     . " with this model. Use 'max_completion_tokens'"
                     . " instead.", param => 'max_tokens',
          code => 'unsupported_parameter' }
        if $lacks{max_tokens} && exists $q->{max_tokens};

    for my $name (qw(temperature seed)) {
        die { message => "Unsupported parameter: '$name' is not supported"
                         . " with this model.", param => $name,
              code => 'unsupported_parameter' }
            if $lacks{$name} && exists $q->{$name};
    }

    die { message => 'System role not supported' }
        if $lacks{system} && grep { $_->{role} eq 'system' }
                             @{ $q->{messages} };

    die { message => 'This model does not take images' }
        if $lacks{images} && grep { ref $_->{content} } @{ $q->{messages} };
}


1;
