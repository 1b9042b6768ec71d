# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# OpenAI's Evals and files, below a location with judge_openai: each endpoint,
# bad inputs, two organizations, several workers.

use Judge::Test;

my $t = Judge::Test->new(orgs => 2, described => 0,
                         location => 'judge_openai on;',
                         server => 'location /off/ { judge on; }');

my $json = JSON::PP->new->utf8->canonical;

sub call {
    my ($method, $path, $body, %opt) = @_;
    return $t->request($method, "/openai/v1$path", bearer => 1,
                       defined $body ? (json => $body) : (), %opt);
}

# The call is answered with an error of OpenAI's form.

sub refused {
    my ($r, $status, $param, $like, $name) = @_;
    my $error = eval { $r->json->{error} } // {};

    is_deeply([ $r->status, $error->{param} ], [ $status, $param ], $name)
        or diag($r->body);
    like($error->{message} // '', $like, "$name, and why");
    is_deeply([ sort keys %$error ], [ qw(code message param type) ],
              "$name, in OpenAI's form");
    return $error;
}

my %schema = (type => 'object', required => [ 'question' ], properties => {
    question => { type => 'string' }, answer => { type => 'string' } });
my %config = (type => 'custom', item_schema => \%schema);
my @check = { type => 'string_check', name => 'same', operation => 'eq',
              input => '{{item.question}}', reference => '{{item.answer}}' };


# --- The directive ----------------------------------------------------------

for (['judge_openai on;', qr/judge_openai: there is no service.*"judge on"/s],
     ['judge on; judge_openai on; judge_openai on;', qr/duplicate/])
{
    my ($fine, $said) = $t->check_conf(server => "location /l { $_->[0] }");
    ok(!$fine, "$_->[0] is refused");
    like($said, $_->[1], 'and why');
}

status_is($t->get('/off/openai/v1/evals', bearer => 1), 404, 'off by default');
is(refused(call(GET => '/evals', undef, key => undef), 401, undef, qr/API key/,
           'no key')->{code}, 'invalid_api_key', 'and its code');
refused(call(GET => '/eval'), 404, undef, qr{/openai/v1/evals}, 'no path');
refused(call(PUT => '/evals'), 405, undef, qr/GET, HEAD, POST/, 'no method');


# --- Evals ------------------------------------------------------------------

my $r = call(POST => '/evals', { name => 'Sums', metadata => { a => 'b' },
    data_source_config => \%config, testing_criteria => \@check });
status_is($r, 201, 'an eval is made');
my $eval = $r->json;
like($eval->{id}, qr/^eval_\w{26}\z/, 'with an id of its kind');
is($eval->{object}, 'eval', 'and says what it is');
cmp_ok(abs($eval->{created_at} - time), '<', 60, 'in seconds since 1970');
is_deeply($eval->{data_source_config}, { type => 'custom', schema => {
    type => 'object', properties => { item => \%schema },
    required => [ 'item' ] } }, 'with the schema of its items');
is_deeply($eval->{testing_criteria}, \@check, 'and its graders');
is_deeply($eval->{metadata}, { a => 'b' }, 'and what the client notes');
is_deeply(call(GET => "/evals/$eval->{id}")->json, $eval, 'it is read again');

$r = call(POST => '/evals', { data_source_config => { %config,
    include_sample_schema => JSON::PP::true }, testing_criteria => \@check });
my $second = $r->json;
is_deeply($second->{data_source_config}{schema}{required},
          [ qw(item sample) ], 'one whose items have samples');
is_deeply($second->{metadata}, {}, 'without metadata');

for ([ {}, 'data_source_config', qr/required|expected/ ],
     [ { data_source_config => { type => 'logs' } }, 'data_source_config.type',
       qr/no completions are stored/ ],
     [ { data_source_config => { type => 'stored_completions' } },
       'data_source_config.type', qr/no completions are stored/ ],
     [ { data_source_config => { type => 'x' } }, 'data_source_config.type',
       qr/custom/ ],
     [ { data_source_config => { type => 'custom' } },
       'data_source_config.item_schema', qr/JSON Schema/ ],
     [ { data_source_config => { type => 'custom',
         item_schema => { dependentRequired => {} } } },
       'data_source_config.item_schema', qr/value/ ],
     [ { data_source_config => \%config, testing_criteria => [] },
       'testing_criteria', qr/1 to 32/ ],
     [ { data_source_config => \%config, metadata => { a => 1 } }, 'metadata',
       qr/strings/ ],
     [ { data_source_config => \%config, name => 7 }, 'name', qr/string/ ])
{
    my ($body, $param, $like) = @$_;
    refused(call(POST => '/evals', { testing_criteria => \@check, %$body }),
            400, $param, $like, "$param is refused");
}

my $page = call(GET => '/evals?limit=1')->json;
is_deeply([ @$page{qw(object first_id last_id has_more)} ],
          [ 'list', $eval->{id}, $eval->{id}, JSON::PP::true ], 'a page');
is_deeply($page->{data}, [ $eval ], 'has what a get has');
$page = call(GET => "/evals?limit=1&after=$eval->{id}")->json;
is($page->{data}[0]{id}, $second->{id}, 'the next page');
ok(!$page->{has_more}, 'is the last');
is(call(GET => '/evals?order=desc')->json->{data}[0]{id}, $second->{id},
   'the newest first');
refused(call(GET => '/evals?order=up'), 400, 'order', qr/asc/, 'no order');
refused(call(GET => '/evals?limit=101'), 400, 'limit', qr/100/, 'a limit');

select undef, undef, undef, 0.01;
$r = call(POST => "/evals/$eval->{id}", { name => 'More sums',
                                          metadata => { c => 'd' } });
is($r->json->{name}, 'More sums', 'an eval is renamed');
is_deeply(call(GET => "/evals/$eval->{id}")->json->{metadata}, { c => 'd' },
          'and annotated');
is(call(GET => '/evals?order_by=updated_at&order=desc')->json->{data}[0]{id},
   $eval->{id}, 'it was changed last');
is_deeply([ map { $_->{id} } @{ call(GET => '/evals?order_by=updated_at&after='
            . $second->{id})->json->{data} } ], [ $eval->{id} ],
          'pages by the time of the last change');

for (qw(eval_none %ff)) {
    refused(call(GET => "/evals/$_"), 404, undef, qr/no such eval/, "no $_");
    refused(call(POST => "/evals/$_", {}), 404, undef, qr/no such eval/,
            "$_ is not changed");
    refused(call(DELETE => "/evals/$_"), 404, undef, qr/no such eval/,
            "$_ is not deleted");
}

my @other = (key => $t->key(1));
refused(call(GET => "/evals/$eval->{id}", undef, @other), 404, undef,
        qr/no such/, 'another organization does not see it');
refused(call(DELETE => "/evals/$eval->{id}", undef, @other), 404, undef,
        qr/no such/, 'nor deletes it');
is_deeply(call(GET => '/evals', undef, @other)->json->{data}, [],
          'nor lists it');

$r = call(DELETE => "/evals/$second->{id}");
is_deeply($r->json, { object => 'eval.deleted', deleted => JSON::PP::true,
                      eval_id => $second->{id} }, 'an eval is deleted');
refused(call(GET => "/evals/$second->{id}"), 404, undef, qr/no such/,
        'and gone');

done_testing;
