# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What an organization sets, over real sockets: kept, and its own.

use Judge::Test;

my $t = Judge::Test->new(orgs => 2);
my $r;

# --- Language models ------------------------------------------------------

$r = $t->get('/config/llm');
status_is($r, 200, 'GET /config/llm');
is_deeply($r->json, { config => { default_model => 'builtin',
                                  rate_limits => {}, fallback_models => [] },
                      models => ['builtin'] },
          'nothing set yet, and nothing else to choose');

$r = $t->put('/v1/config/llm', json => {
    default_model => 'builtin', max_tokens => 900, temperature => 0.5,
    rate_limits => { requests_per_minute => 30 },
    fallback_models => [ 'builtin' ],
});
status_is($r, 200, 'PUT /v1/config/llm');
ok($r->json->{success}, 'success');
time_is($r->json->{updated_at}, 'updated_at');

$r = $t->put('/config/llm', json => {
    rate_limits => { tokens_per_minute => 4000 } });
is_deeply($r->json->{config}, {
    default_model => 'builtin', max_tokens => 900, temperature => 0.5,
    rate_limits => { requests_per_minute => 30, tokens_per_minute => 4000 },
    fallback_models => [ 'builtin' ],
}, 'what is not given stays');
error_is($t->put('/config/llm', json => { default_model => 'none' }), 400,
         'default_model: expected one of builtin', 'an unknown model');

# --- Webhooks -------------------------------------------------------------

error_is($t->put('/config/webhooks', json => { enabled => JSON::PP::true }),
         409, "webhooks can't be enabled as long as there is no url",
         'enabled without a url');
$r = $t->put('/config/webhooks', json => {
    url => 'https://hooks.example.com/in', events => [ 'batch.completed' ] });
status_is($r, 200, 'PUT /config/webhooks');
is($r->json->{url}, 'https://hooks.example.com/in', 'url');
is_deeply($r->json->{events}, [ 'batch.completed' ], 'events');
ok($r->json->{enabled}, 'enabled');
error_is($t->put('/config/webhooks', json => { url => 'http://127.1/' }),
         400, qr/^url: /, 'an address in disguise');

for my $host (qw(169.254.169.254 127.0.0.1 10.0.0.1 [fe80::1] [::1]
                 [::ffff:127.0.0.1]))
{
    error_is($t->put('/config/webhooks', json => { url => "http://$host/" }),
             400, qr/^url: expected an address of the public internet/,
             "$host can't be delivered to, and is refused when it is set");
}

$r = $t->put('/config/webhooks', json => { events => [] });
is_deeply($r->json->{events}, [], 'no events are none');
is_deeply($t->put('/config/webhooks', json => { enabled => undef,
                                                url => undef })->json,
          { %{ $r->json }, updated_at =>
            $t->get('/config/webhooks')->json->{updated_at} },
          'null leaves the rest as it is');
$r = $t->put('/config/webhooks', json => { events => undef });
is(scalar(grep { $_ eq 'evaluation.completed' } @{ $r->json->{events} }), 1,
   'null brings the default set of events back');
ok(!grep({ $_ eq 'evaluation.requested' } @{ $r->json->{events} }),
   'without those that are to be named');
is_deeply($t->get('/config/webhooks')->json->{events}, $r->json->{events},
          'and it is kept');
$t->put('/config/webhooks', json => { events => [ 'batch.completed' ] });

my $former = $t->org->{secret};
$r = $t->post('/config/webhooks/rotate-secret');
status_is($r, 200, 'another secret');
like($r->json->{secret}, qr{^whsec_[A-Za-z0-9+/]{43}=$}, 'its form');
isnt($r->json->{secret}, $former, 'not the former one');
time_is($r->json->{previous_valid_until}, 'the former one stays valid');
is($t->sql1('select secret from former_secrets'), $former,
   'and is kept for that');
unlike($t->get('/config/webhooks')->body, qr/whsec_/, 'never shown again');

# --- Kept, and its own ----------------------------------------------------

$t->crash;
$t->start;
is($t->get('/config/llm')->json->{config}{max_tokens}, 900,
   'settings survive a crash');
is($t->get('/config/webhooks')->json->{url}, 'https://hooks.example.com/in',
   'these, too');
is_deeply($t->get('/config/llm', org => 1)->json->{config},
          { default_model => 'builtin', rate_limits => {},
            fallback_models => [] }, 'another organization has its own');
ok(!exists $t->get('/config/webhooks', org => 1)->json->{url},
   'of both kinds');

permission_is($t, 'config:read', GET => '/config/llm');
permission_is($t, 'config:read', GET => '/config/webhooks');
permission_is($t, 'config:write', PUT => '/config/llm', json => {});
permission_is($t, 'config:write', PUT => '/config/webhooks', json => {});
permission_is($t, 'config:write', POST => '/config/webhooks/rotate-secret');

$r = $t->request(DELETE => '/config/llm');
status_is($r, 405, 'another method');
is($r->header('Allow'), 'GET, HEAD, PUT, OPTIONS', 'Allow');

done_testing;
