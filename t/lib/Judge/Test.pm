# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A private nginx with the module in it, for one test:
#
#   use Judge::Test;                   # strict, warnings, Test::More
#
#   my $t = Judge::Test->new;          # running, with an organization and key
#   my $r = $t->post('/api-key/judges', json => { … });
#   status_is($r, 201, 'a judge is made');
#   error_is($t->get('/v1/judges/jdg_x'), 404, qr/judge/, 'an unknown one');
#   done_testing;                      # also looks into the error log
#
# new() takes:
#
#   http, server, location, main, events    text for these parts of nginx.conf
#   judge     the argument of `judge` (on)
#   store     more arguments of `judge_store`
#   prefix    the location that the service is mounted on (/)
#   conf      the whole nginx.conf, where the template does not do
#   workers   how many (2)
#   connections  of each, at most (512)
#   orgs      how many organizations, each with a key of all permissions (1)
#   allow     patterns of [crit] and [alert] lines that are expected
#   start     0: only make the folder and the configuration
#   nginx, module   another program than Debian's, and the module for it;
#                   undef where it is in the program
#   described 0: answers are not held against docs/openapi.yaml
#
# Judges, contents, evaluations and batches: Judge/Made.pm.
#
# In these texts @DIR@ is the instance's folder, @PORT@ its port, and @PORT1@
# to @PORT9@ more free ports (as $t->port(1)).
#
# Environment: JUDGE_TEST_ASAN=1 loads the module built by `util/build --asan`
# into the stock nginx; =static runs `util/build --static --asan`'s nginx.
# JUDGE_TEST_VALGRIND=1 runs a single process under valgrind.
# JUDGE_TEST_KEEP=1 keeps the folder.

package Judge::Test;

use strict;
use warnings;

use JSON::PP ();

use Judge::JSON;
use Test::More ();
use Time::HiRes qw(time);

use Judge::HTTP;
use Judge::OpenAPI;
use parent qw(Judge::Nginx Judge::Made);


my $json = Judge::JSON->new->utf8->canonical->allow_nonref;

my $owner = $$;
my @instances;


sub import {
    my $caller = caller;

    strict->import;
    warnings->import;

    no strict 'refs';

    for my $name (@Test::More::EXPORT) {
        next if $name !~ /^\w+$/ || $name eq 'done_testing';
        *{"${caller}::$name"} = \&{"Test::More::$name"};
    }

    *{"${caller}::TODO"} = \${"${caller}::TODO"};
    *{"${caller}::$_"} = \&$_ for qw(
        done_testing status_is error_is time_is permission_is lists_like
        near_is log_like metrics_like);
}


sub new {
    my ($class, %opt) = @_;

    my $self = $class->prepare(%opt);

    push @instances, $self;

    $SIG{$_} //= sub { exit 1 } for qw(INT TERM HUP);

    if ($opt{start} // 1) {
        $self->start;
        $self->new_org("Organization $_") for 1 .. $self->{opt}{orgs};
    }

    return $self;
}


# So many nodes on one store, of which the first has made the organizations.

sub fleet {
    my ($class, $n, %opt) = @_;

    my $first = $class->new(%opt);

    return ($first, map {
        my $node = $class->new(%opt, start => 0, $first->sqlite
                               ? () : (address => $first->store));
        symlink $first->store_dir, $node->store_dir or die "symlink: $!";
        $node->start;
        $node->{orgs} = $first->{orgs};
        $node
    } 2 .. $n);
}


# --- Organizations, keys, the store ---------------------------------------

# The command-line tool on this store; the objects that it prints.

sub tool {
    my ($self, @args) = @_;

    my ($status, $out) = $self->run($self->repo . '/build/judge', '--store',
                                    $self->store, '--json', @args);

    die "judge @args: $out" if $status != 0;

    return map { $json->decode($_) } split /\n/, $out;
}


sub new_org {
    my ($self, $name) = @_;

    my ($org) = $self->tool(qw(org create), $name);

    push @{ $self->{orgs} }, {
        id     => $org->{organization_id},
        name   => $name,
        secret => $org->{webhook_secret},
        key    => $org->{api_key},
        key_id => $org->{api_key_id},
    };

    return $self->{orgs}[-1];
}


# new_key(org => 0, permissions => 'judges:read', expires => …): the key.

sub new_key {
    my ($self, %opt) = @_;

    my ($key) = $self->tool(
        qw(key create), $self->org($opt{org})->{id}, $opt{name} // 'another',
        map { defined $opt{$_} ? "--$_=$opt{$_}" : () }
            qw(permissions expires));

    return wantarray ? @$key{qw(api_key api_key_id)} : $key->{api_key};
}


sub org { $_[0]{orgs}[$_[1] // 0] // die "there is no such organization" }
sub key { $_[0]->org($_[1])->{key} }


# Rows of the store as hashes; sql1: the first value of the first row.

sub sql {
    my ($self, $sql) = @_;

    return $json->decode(Judge::Postgresql->psql($self->store,
               "select coalesce(json_agg(r), '[]') from ($sql) r"))
        if !$self->sqlite;

    my ($status, $out) = $self->run('sqlite3', '-readonly', '-json',
                                    '-cmd', '.timeout 60000',
                                    $self->store_dir . '/judge.db', $sql);

    die "sqlite3: $out" if $status != 0;

    return $out =~ /\S/ ? $json->decode($out) : [];
}

sub sql1 {
    my ($self, $sql) = @_;
    my $row = $self->sql("select ($sql) as v")->[0];
    return $row->{v};
}


# The values of a column, which the statement calls v.

sub column {
    my ($self, $sql) = @_;
    return map { $_->{v} } @{ $self->sql($sql) };
}


# Changes the store behind the service's back, for what no request can bring
# about; the number of rows.

sub alter {
    my ($self, $sql) = @_;

    return Judge::Postgresql->change($self->store, $sql) if !$self->sqlite;

    my ($status, $out) = $self->run('sqlite3', '-cmd', '.timeout 60000',
                                    $self->store_dir . '/judge.db',
                                    "$sql; select changes()");

    die "sqlite3: $out" if $status != 0 || $out !~ /^(\d+)$/m;

    return $1;
}

# What both engines say, each in its words: the names of a table's columns;
# statements for each updated row for which `when` holds (in terms of NEW and
# OLD), or a failure, until the trigger of this name is dropped.

sub columns {
    my ($self, $table) = @_;

    return $self->column($self->sqlite
        ? "select name as v from pragma_table_info('$table')"
        : 'select column_name as v from information_schema.columns'
          . " where table_name = '$table' and is_identity = 'NO'");
}

sub on_update {
    my ($self, $name, $table, $when, $sql) = @_;

    return $self->alter("create trigger $name before update on $table"
                        . " when $when begin $sql; end") if $self->sqlite;

    return $self->alter("create function $name() returns trigger"
        . " language plpgsql as \$\$ begin if $when then $sql; end if;"
        . " return new; end \$\$; create trigger $name before update on $table"
        . " for each row execute function $name()");
}

sub fail_updates {
    my ($self, $name, $table, $when) = @_;

    $self->on_update($name, $table, $when,
                     $self->sqlite ? "select raise(abort, '$name')"
                                   : "raise exception '$name'");
}

sub drop_trigger {
    my ($self, $name) = @_;
    $self->alter($self->sqlite ? "drop trigger $name"
                               : "drop function $name cascade");
}


# --- Requests -------------------------------------------------------------

# request(METHOD => '/path', …): a Judge::HTTP::Response, with status 0 when
# there was no answer.  Options:
#
#   key      the API key (the first organization's; undef: none)
#   org      use the key of this organization (by number)
#   bearer   send the key as Authorization: Bearer
#   json     the body as a structure      body   the body as bytes
#   headers  [ name => value, … ]; a value undef suppresses the header
#   timeout  seconds for all of it
#   chunk, delay    sends the request in pieces, with a pause between them

sub request {
    my ($self, $method, $path, %opt) = @_;

    my $began   = time();
    my $timeout = $opt{timeout} // 60 * $self->slow;
    my $client  = eval { $self->connect(timeout => $timeout) }
        or return no_answer($@);

    $client->send($self->bytes($method, $path, %opt), apart => $self->asan,
                  map { $_ => $opt{$_} } grep { $opt{$_} } qw(chunk delay));

    my $response = $client->response(method => $method)
        // no_answer($client->{eof} ? 'closed' : 'no answer in time');

    $response->{seconds} = time() - $began;
    $client->close;

    described($method, $path, \%opt, $response)
        if $self->{opt}{described} // 1;

    return $response;
}


# Every answer that a test gets is compared with docs/openapi.yaml; only
# breaches are reported.

sub described {
    my ($method, $path, $opt, $response) = @_;

    # In chunks or compressed, the bytes sent are not the body itself.
    my %headers = map { lc($_ // '') => 1 } @{ $opt->{headers} // [] };
    my $body    = exists $opt->{json} ? $json->encode($opt->{json})
                : $headers{'transfer-encoding'}
                  || $headers{'content-encoding'} ? undef
                : $opt->{body};
    my @wrong   = Judge::OpenAPI->breaches($method, $path, $response, $body);

    return if !@wrong;

    # It failed where the test asked.
    my $level = 0;
    $level++ while (caller $level)[0] eq __PACKAGE__;
    local $Test::Builder::Level = $Test::Builder::Level + $level;

    Test::More::ok(0, "$method $path is answered as it is described");
    Test::More::diag(join "\n", @wrong > 10 ? (@wrong[0 .. 9], '…') : @wrong);
}

sub get    { my $self = shift; $self->request(GET => @_) }
sub head   { my $self = shift; $self->request(HEAD => @_) }
sub post   { my $self = shift; $self->request(POST => @_) }
sub put    { my $self = shift; $self->request(PUT => @_) }
sub patch  { my $self = shift; $self->request(PATCH => @_) }
sub delete { my $self = shift; $self->request(DELETE => @_) }


# The bytes of such a request.

sub bytes {
    my ($self, $method, $path, %opt) = @_;

    my @headers = @{ $opt{headers} // [] };
    my $body    = $opt{body};
    my $key     = exists $opt{key}          ? $opt{key}
                : @{ $self->{orgs} }        ? $self->key($opt{org})
                :                             undef;

    if (exists $opt{json}) {
        $body = $json->encode($opt{json});
        unshift @headers, 'Content-Type' => 'application/json'
            if !grep { lc eq 'content-type' } map { $_ // '' } @headers;
    }

    if (defined $key) {
        push @headers, $opt{bearer} ? (Authorization => "Bearer $key")
                                    : ('X-API-Key' => $key);
    }

    return Judge::HTTP::request_bytes(
        $method, $self->{prefix_path} . $path, body => $body,
        headers => \@headers, keepalive => $opt{keepalive});
}


# A connection of your own: send, response, read_until, closed, reset, …

sub connect {
    my ($self, %opt) = @_;
    return Judge::HTTP->connect(port => $self->port,
                                timeout => 60 * $self->slow, %opt);
}


# Sends any bytes; the first response to them (status 0: none, and reason
# is whether the connection was closed).  end => 1 closes the sending half
# behind them; chunk and delay send them slowly.

sub raw {
    my ($self, $bytes, %opt) = @_;

    my $client = $self->connect(timeout => $opt{timeout} // 10 * $self->slow);

    $client->send($bytes, map { $_ => $opt{$_} } grep { $opt{$_} }
                          qw(chunk delay));
    $client->half_close if $opt{end};

    my $response = $client->response(method => $opt{method})
        // no_answer($client->{eof} ? 'closed' : 'no answer in time');

    $client->close;

    return $response;
}


# Several requests at once on one connection: their responses, in order.

sub pipeline {
    my ($self, @requests) = @_;

    my $client = $self->connect;

    $client->send(join '', map {
        my ($method, $path, %opt) = @$_;
        $self->bytes($method, $path, keepalive => 1, %opt)
    } @requests);

    my @responses = map {
        $client->response(method => $_->[0]) // no_answer('closed')
    } @requests;

    $client->close;

    described(@$_) for exchanges(\@requests, \@responses);

    return @responses;
}


# Several requests at once, each on a connection of its own.

sub at_once {
    my ($self, @requests) = @_;

    my @clients = map {
        my ($method, $path, %opt) = @$_;
        my $client = $self->connect;
        $client->send($self->bytes($method, $path, %opt));
        $client
    } @requests;

    my @responses = map {
        $clients[$_]->response(method => $requests[$_][0])
            // no_answer('closed')
    } 0 .. $#clients;

    $_->close for @clients;

    described(@$_) for exchanges(\@requests, \@responses);

    return @responses;
}

sub exchanges {
    my ($requests, $responses) = @_;

    return map {
        my ($method, $path, %opt) = @{ $requests->[$_] };
        [ $method, $path, \%opt, $responses->[$_] ]
    } 0 .. $#$responses;
}


sub no_answer {
    my ($why) = @_;
    chomp $why;

    return bless { status => 0, reason => $why, headers => {}, head => '',
                   body => '' }, 'Judge::HTTP::Response';
}


# --- Records and lists -----------------------------------------------------

sub made {
    my ($self, $path, $field, %opt) = @_;

    my $r  = $self->post($path, %opt);
    my $id = ref $r->json eq 'HASH' ? $r->json->{$field} : undef;

    die "POST $path: " . about($r) . "\n" if !defined $id;

    return $id;
}


# A list from its first page to its last: references to the records of each
# page.  each => sub { … } is called between the pages.

sub pages {
    my ($self, $path, $plural, %opt) = @_;

    my $each = delete $opt{each};
    my ($cursor, @pages);

    do {
        my $r = $self->get($path . (defined $cursor
                    ? ($path =~ /\?/ ? '&' : '?') . "cursor=$cursor" : ''),
                    %opt);

        die "GET $path: " . about($r) . "\n"
            if $r->status != 200 || ref $r->json->{$plural} ne 'ARRAY';

        push @pages, $r->json->{$plural};
        $cursor = $r->json->{next_cursor};
        $each->() if $each;
        die "GET $path: no end\n" if @pages > 1000;
    } while (defined $cursor);

    return @pages;
}


# --- Assertions -----------------------------------------------------------

# status_is($response, 200, 'name'): true when it is; else shows the body.

sub status_is {
    my ($r, $status, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    return Test::More::ok(1, $name) if $r->status == $status;

    Test::More::ok(0, $name);
    Test::More::diag("expected $status, got " . about($r));
    return 0;
}


# error_is($response, 400, 'sentence' or qr/…/, 'name'): an error as it has
# to be: {"detail": "…"} in JSON and nothing of the inner life in it.

sub error_is {
    my ($r, $status, $detail, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my @wrong;
    my $got = $r->detail;

    push @wrong, "expected $status" if $r->status != $status;
    push @wrong, 'expected Content-Type: application/json'
        if ($r->header('Content-Type') // '') !~ m{^application/json\b};
    push @wrong, 'expected {"detail": "…"} and no other field'
        if !defined $got || ref $got || keys %{ $r->json } != 1;

    if (defined $got) {
        push @wrong, "expected the detail " . $detail
            if ref $detail ? $got !~ $detail
                           : defined $detail && $got ne $detail;
        push @wrong, 'the detail names internals'
            if $got =~ m{/(?:tmp|usr|var|etc)/|\bSELECT\b|\bSQLITE|\.c:\d}i;
    }

    return Test::More::ok(1, $name) if !@wrong;

    Test::More::ok(0, $name);
    Test::More::diag(join "\n", @wrong, 'got ' . about($r));
    return 0;
}


# time_is($value, 'name'): a time as the service writes them.

sub time_is {
    my ($value, $name) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    return Test::More::like($value,
        qr/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z$/, $name);
}


# near_is($got, $want, 'name', $within): a figure, but for its rounding to two
# decimals or for what may be between.

sub near_is {
    my ($got, $want, $name, $within) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    return Test::More::ok(
        defined $got && abs($got - $want) <= ($within // 0.006), $name)
        || (Test::More::diag('got ' . ($got // 'nothing')
                             . ", expected $want"), 0)[1];
}


# permission_is($t, 'judges:read', GET => '/judges', …): the request needs
# this permission and no other.

my @permissions = qw(
    judges:read judges:write content:read content:write evaluations:read
    evaluations:write feedback:read feedback:write training:read
    training:write llm:use config:read config:write keys:read keys:write
    references:write work:claim);

sub permission_is {
    my ($t, $permission, $method, $path, %opt) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my $keys = $t->{limited} //= {};

    for my $p ($permission) {
        $keys->{$p}  //= $t->new_key(permissions => $p);
        $keys->{"!$p"} //= $t->new_key(permissions =>
            join ',', grep { $_ ne $p } @permissions);
    }

    error_is($t->request($method, $path, %opt, key => $keys->{"!$permission"}),
             403, qr/permission \Q$permission\E$/,
             "$method $path needs $permission");

    my $r = $t->request($method, $path, %opt, key => $keys->{$permission});

    return Test::More::ok($r->status && $r->status !~ /^(?:401|403|5..)$/,
                          "$method $path needs nothing else")
        || (Test::More::diag('got ' . about($r)), 0)[1];
}


# lists_like($t, '/judges', 'judges', [ ids, the newest first ], 'name'): the
# list has these, on one page or on many.

sub lists_like {
    my ($t, $path, $plural, $ids, $name, %opt) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 1;

    my @pages = $t->pages($path, $plural, %opt);
    my @got   = map { $_->{evaluation_id} // $_->{judge_id}
                      // $_->{api_key_id} // $_->{id} }
                map { @$_ } @pages;

    return Test::More::is("@got", "@$ids", $name);
}


# $t->metric('judge_model_calls', state => 'active'): the value of the metric
# with these labels, and of several the sum; undef where there is none.

sub metric {
    my ($self, $name, %labels) = @_;
    my $sum;

    for (split /\n/, $self->get('/metrics', key => undef)->body) {
        my ($has, $value) = /^\Q$name\E(?:\{(.*)\})? (\S+)$/ or next;
        next if grep { ",$has," !~ /,\Q$_\E="\Q$labels{$_}\E",/ }
                sort keys %labels;
        $sum += $value;
    }

    return $sum;
}


# log_like($t, qr/…/, 'name'), metrics_like(…): the error log or the metrics
# come to match it.  What is logged or counted behind an answer, or by another
# worker, may not be there yet when the answer is.

sub log_like     { comes_like(@_, sub { $_[0]->log_text }) }
sub metrics_like {
    comes_like(@_, sub { $_[0]->get('/metrics', key => undef)->body });
}

sub comes_like {
    my ($t, $re, $name, $what) = @_;

    local $Test::Builder::Level = $Test::Builder::Level + 2;

    $t->wait_for(120 * $t->slow, sub { $what->($t) =~ $re });
    return Test::More::like($what->($t), $re, $name);
}


sub about {
    my ($r) = @_;

    my $body = substr $r->body, 0, 600;
    return join ' ', $r->status || '(no answer)', $r->reason, $body;
}


# --- The end --------------------------------------------------------------

# Lines of the logs with a key, a webhook secret, what a provider or a client
# authenticates with, or the signature of an address.

sub leaks {
    my ($self) = @_;

    my $known = join '|', map { quotemeta } grep { defined }
                map { @$_{qw(key secret)} } @{ $self->{orgs} };

    return grep { /\b(?:jdgk|whsec)_[0-9A-Za-z]{20}|Bearer[ ]+[\w-]{8}
                  |[?&]signature=[^*&\s"]/x
                  || (length $known && /$known/) }
           split /\n/, join '', $self->log_text, $self->access_text;
}


# Ends every instance and reports its faults, as three more tests.

sub done_testing {
    for my $self (grep { $_->{started} } @instances) {
        $self->quit if $self->{group};

        my @left  = @{ $self->{faults} };
        my @lines = $self->log_faults;

        Test::More::ok(!@left, 'every process of nginx has left')
            or Test::More::diag(join "\n", @left);
        Test::More::ok(!@lines, 'the error log is clean')
            or Test::More::diag(join "\n",
                   @lines > 30 ? (@lines[0 .. 29], '…') : @lines);

        my @leaks = $self->leaks;
        Test::More::ok(!@leaks, 'no secret is in the logs')
            or Test::More::diag(join "\n", grep { defined } @leaks[0 .. 9]);

        $self->{checked} = 1;
    }

    Test::More::done_testing(@_);
}


END {
    my $status = $?;

    for my $self (@instances) {
        next if $$ != $owner;

        $self->crash if $self->{group};

        Test::More::diag("kept: $self->{dir}") if $ENV{JUDGE_TEST_KEEP};
        Test::More::diag("the end of the error log:\n", $self->log_tail(15))
            if $status && !$self->{checked};
    }

    $? = $status;
}


1;
