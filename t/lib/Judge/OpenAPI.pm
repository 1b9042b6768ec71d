# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# docs/openapi.yaml, and what it describes of requests and their answers.
#
#   Judge::OpenAPI->document                   as JSON has it
#   Judge::OpenAPI->operations                 all of them, see add()
#   Judge::OpenAPI->operation('GET', '/path?query')
#   Judge::OpenAPI->breaches('GET', '/path', $response, $request_body)
#
# breaches() lists what of an answer is not as it is described: its status,
# type, headers, body; and, where the service took a request, what of that is
# not as it has to be.  Paths that are not described have no breaches.

package Judge::OpenAPI;

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use JSON::PP ();

use Judge::JSON;
use Storable ();
use YAML::XS ();

use Judge::Schema;


my $REPO   = abs_path(dirname(__FILE__) . '/../../..');
my $FILE   = "$REPO/docs/openapi.yaml";
my $READ   = "$REPO/build/openapi.stored";     # what a test before has read
my $LARGE  = 500_000;                  # bytes; more would take too long

# What nginx itself may answer to any request: `default` stands for these.
my %anywhere = map { $_ => 1 } qw(400 405 408 411 413 414 415 421 431 494
                                  500 501 502 503 504 505 507);

my $json = Judge::JSON->new->utf8->canonical->allow_nonref;

my ($document, $schemas, @operations);


sub document {
    if (!$document) {
        my $version = join ' ', (stat $FILE)[1, 7, 9, 10];
        my $stored  = eval { Storable::retrieve($READ) };

        $document = $stored && $stored->{version} eq $version
                  ? $stored->{document} : keep($version, read_document());
        $schemas  = Judge::Schema->new($document);
    }

    return $document;
}

sub read_document {
    local $YAML::XS::Boolean = 'JSON::PP';

    # Through JSON, so that numbers are numbers and no node is shared.
    return $json->decode($json->encode(YAML::XS::LoadFile($FILE)));
}

# For the tests that follow, as reading it takes a third of a second.

sub keep {
    my ($version, $read) = @_;

    eval {
        Storable::store({ version => $version, document => $read },
                         "$READ.$$");
        rename "$READ.$$", $READ;
    };

    return $read;
}

sub schemas { document(); return $schemas }
sub resolve { return schemas()->resolve($_[1]) }


sub operations {
    my $paths = document()->{paths};

    if (!@operations) {
        for my $path (sort keys %$paths) {
            add($path, $paths->{$path}, $_)
                for grep { $paths->{$path}{$_} } qw(get post put patch delete);
        }

        # Names stand before places.
        @operations = sort { $a->{places} <=> $b->{places}
                             || $a->{name} cmp $b->{name} } @operations;
    }

    return @operations;
}


sub add {
    my ($path, $item, $method) = @_;

    my $op     = $item->{$method};
    my $bare   = $path =~ s{^/v1(?=/)}{}r;
    my $places = () = $bare =~ /\{/g;
    my $re     = join '[^/]+', map { quotemeta } split /\{\w+\}/, $bare, -1;

    push @operations, {
        path       => $path,
        method     => uc $method,
        name       => uc($method) . " $path",
        id         => $op->{operationId},
        places     => $places,
        re         => qr{^(?:/v1)?$re\z},
        spec       => $op,
        parameters => [ map { $schemas->resolve($_) }
                        @{ $item->{parameters} // [] },
                        @{ $op->{parameters} // [] } ],
    };
}


sub operation {
    my ($class, $method, $path) = @_;

    $path   =~ s/\?.*//s;
    $method = 'GET' if $method eq 'HEAD';

    my ($op) = grep { $_->{method} eq $method && $path =~ $_->{re} }
               operations();

    return $op;
}


# --- An exchange ----------------------------------------------------------

sub breaches {
    my ($class, $method, $path, $r, $body) = @_;

    my $op = $class->operation($method, $path);

    return if !$op || !$r->status;

    my $answer = answer($op, $r->status)
        or return "$op->{name}: the status " . $r->status
                  . ' is not described';

    my @wrong = (headers($answer, $r), content($answer, $r, $method));

    push @wrong, taken($op, $body) if $r->status < 300 && defined $body;

    return map { "$op->{name}: " . $r->status . ": $_" } @wrong;
}


sub answer {
    my ($op, $status) = @_;

    my $responses = $op->{spec}{responses};
    my $answer    = $responses->{$status};

    $answer //= $responses->{default} if $anywhere{$status};

    return $answer && schemas()->resolve($answer);
}


sub headers {
    my ($answer, $r) = @_;

    my @wrong;

    for my $name (sort keys %{ $answer->{headers} // {} }) {
        my $header = $schemas->resolve($answer->{headers}{$name});
        my $value  = $r->header($name);

        if (!defined $value) {
            push @wrong, "the header $name is missing" if $header->{required};
            next;
        }

        push @wrong, map { "the header $name: $_" }
                     $schemas->check($header->{schema}, $value);
    }

    return @wrong;
}


sub content {
    my ($answer, $r, $method) = @_;

    my $length = length $r->body;

    if ($method eq 'HEAD' || !$answer->{content}) {
        return $length ? 'there is a body' : ();
    }

    my $type = $r->header('Content-Type') // '';
    my $main = lc $type =~ s/\s*;.*//sr;
    my $as   = $answer->{content}{$main}
        or return "the type \"$type\" is not described";

    return if $length > $LARGE;

    if ($main eq 'application/json') {
        return 'the body is no JSON' if !defined $r->json;
        return $schemas->check($as->{schema}, $r->json),
               map { "id $_ has no other name" } nameless($r->json);
    }

    return lines($as->{'x-line-schema'}, $r->body) if $as->{'x-line-schema'};
    return events($as->{'x-events'}, $r->body)     if $as->{'x-events'};
    return;
}


# The identifier of a record has a name of its own beside "id".

sub nameless {
    my ($value) = @_;

    return map { nameless($_) } @$value if ref $value eq 'ARRAY';
    return if ref $value ne 'HASH';

    my $id = $value->{id};
    my @own = defined $id && $id =~ /^[a-z]{3}_[0-9A-Z]{26}$/
              && !grep({ /_id$/ && $value->{$_} eq $id } keys %$value)
            ? $id : ();

    return @own, map { nameless($_) } values %$value;
}


sub lines {
    my ($schema, $body) = @_;

    my $n = 0;

    return map {
        my $value = eval { $json->decode($_) };
        $n++;
        defined $value
            ? map { "line $n: $_" } $schemas->check($schema, $value)
            : "line $n is no JSON";
    } split /\n/, $body;
}


sub events {
    my ($known, $body) = @_;

    my @wrong;

    for my $event (split /\n\n/, $body) {
        my ($name) = $event =~ /^event: (.*)$/m or next;
        my ($data) = $event =~ /^data: (.*)$/m;

        if (!$known->{$name}) {
            push @wrong, "the event $name is not described";
            next;
        }

        my $value = eval { $json->decode($data) };
        push @wrong, defined $value
            ? map { "the event $name: $_" }
              $schemas->check($known->{$name}, $value)
            : "the data of the event $name is no JSON";
    }

    return @wrong;
}


# What was taken must have been right: unknown members are let through.

sub taken {
    my ($op, $body) = @_;

    my $content = ($op->{spec}{requestBody} // {})->{content} // {};
    my $as      = $content->{'application/json'} or return;

    return if $body eq '' || length $body > $LARGE;

    my $value = eval { $json->decode($body) };

    return 'a body that is no JSON was taken' if !defined $value;
    return map { "the body that was taken: $_" }
           $schemas->check($as->{schema}, given($value), lax => 1);
}

# Without the fields that are null, which counts as left out.

sub given {
    my ($v) = @_;

    return [ map { given($_) } @$v ] if ref $v eq 'ARRAY';
    return $v if ref $v ne 'HASH';
    return { map { $_ => given($v->{$_}) } grep { defined $v->{$_} }
                                                keys %$v };
}


1;
