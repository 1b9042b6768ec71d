# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What a strict collector does with the body of POST /v1/logs: it reads it by
# the messages of OTLP (opentelemetry/proto, logs/v1 and common/v1) in their
# JSON form: names in lowerCamelCase, 64-bit integers as strings, enumerations
# as numbers, traceId and spanId in hex, nothing that no message has.
#
#     my ($errors, @records) = Judge::OTLP::logs($body);
#
# A record has its attributes as a hash, by their keys.  No collector that
# takes logs by OTLP/HTTP was found in Debian 12 or among npm's packages.

package Judge::OTLP;

use strict;
use warnings;

use JSON::PP ();

use Judge::JSON;

my $json = Judge::JSON->new->utf8->allow_nonref;

my %messages = (
    ExportLogsServiceRequest => { resourceLogs => ['ResourceLogs'] },
    ResourceLogs => { resource => 'Resource', scopeLogs => ['ScopeLogs'],
                      schemaUrl => 'string' },
    Resource     => { attributes => ['KeyValue'],
                      droppedAttributesCount => 'uint32' },
    ScopeLogs    => { scope => 'Scope', logRecords => ['LogRecord'],
                      schemaUrl => 'string' },
    Scope        => { name => 'string', version => 'string',
                      attributes => ['KeyValue'],
                      droppedAttributesCount => 'uint32' },
    LogRecord    => { timeUnixNano => 'uint64',
                      observedTimeUnixNano => 'uint64',
                      severityNumber => 'severity', severityText => 'string',
                      body => 'AnyValue', attributes => ['KeyValue'],
                      droppedAttributesCount => 'uint32', flags => 'uint32',
                      traceId => 'trace', spanId => 'span',
                      eventName => 'string' },
    KeyValue     => { key => 'string', value => 'AnyValue' },
    AnyValue     => { stringValue => 'string', boolValue => 'bool',
                      intValue => 'int64', doubleValue => 'double' },
);

# What a value is in JSON, of each type.
my %scalars = (
    string   => qr/^"/,
    bool     => qr/^(?:true|false)$/,
    uint32   => qr/^\d{1,10}$/,
    severity => qr/^(?:[1-9]|1\d|2[0-4])$/,
    int64    => qr/^"-?\d{1,19}"$/,
    uint64   => qr/^"\d{1,20}"$/,
    double   => qr/^-?\d/,
    trace    => qr/^"(?!0{32})[0-9a-f]{32}"$/,
    span     => qr/^"(?!0{16})[0-9a-f]{16}"$/,
);


sub look {
    my ($type, $v, $at, $errors) = @_;

    if (ref $type) {
        return push @$errors, "$at: no array" if ref $v ne 'ARRAY';
        look($type->[0], $v->[$_], "$at\[$_]", $errors) for 0 .. $#$v;
        my %keys;
        push @$errors, map { "$at: $_ comes twice" }
             grep { $keys{$_}++ } map { $_->{key} // '' } @$v
            if $type->[0] eq 'KeyValue';
        return;
    }

    if (my $like = $scalars{$type}) {
        my $text = $json->encode($v);
        push @$errors, "$at: $text is no $type" if $text !~ $like;
        return;
    }

    return push @$errors, "$at: no object" if ref $v ne 'HASH';
    push @$errors, "$at: a value has one member"
        if $type eq 'AnyValue' && keys %$v != 1;

    for my $name (sort keys %$v) {
        my $field = $messages{$type}{$name};
        push @$errors, "$at.$name: $type has no such field" if !$field;
        look($field, $v->{$name}, "$at.$name", $errors) if $field;
    }
}


sub attributes {
    my ($list) = @_;
    return { map { $_->{key} => (values %{ $_->{value} })[0] } @$list };
}


sub logs {
    my ($body) = @_;

    my @errors;
    my $root = eval { $json->decode($body) };
    return [ "no JSON: $@" ] if !defined $root;

    look('ExportLogsServiceRequest', $root, 'body', \@errors);
    return \@errors if @errors;

    my @records;
    for my $resource (@{ $root->{resourceLogs} }) {
        for my $scope (@{ $resource->{scopeLogs} }) {
            for my $record (@{ $scope->{logRecords} }) {
                push @errors, 'a record without a time'
                    if !$record->{timeUnixNano};
                push @records, { %$record,
                    attributes => attributes($record->{attributes}),
                    resource => attributes($resource->{resource}{attributes}),
                    scope => $scope->{scope} };
            }
        }
    }

    return (\@errors, @records);
}


1;
