# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What an organization sets, over real sockets: kept, and its own.

use Judge::Test;

my $t = Judge::Test->new(orgs => 2);
my $r;

# --- Language models ------------------------------------------------------

$r = $t->get('/config/llm');
status_is($r, 200, 'the settings of language models can be read');
is_deeply($r->json, { config => { default_model => 'builtin',
                                  rate_limits => {}, fallback_models => [] },
                      models => ['builtin'] },
          'an organization that set nothing has the built-in engine');

$r = $t->put('/v1/config/llm', json => {
    default_model => 'builtin', max_tokens => 900, temperature => 0.5,
    rate_limits => { requests_per_minute => 30 },
    fallback_models => [ 'builtin' ],
});
status_is($r, 200, 'settings of language models are taken');
ok($r->json->{success}, 'the answer says that the settings are taken');
time_is($r->json->{updated_at}, 'the answer says when the settings changed');

$r = $t->put('/config/llm', json => {
    rate_limits => { tokens_per_minute => 4000 } });
is_deeply($r->json->{config}, {
    default_model => 'builtin', max_tokens => 900, temperature => 0.5,
    rate_limits => { requests_per_minute => 30, tokens_per_minute => 4000 },
    fallback_models => [ 'builtin' ],
}, 'a setting that is not given stays as it was');
error_is($t->put('/config/llm', json => { default_model => 'none' }), 400,
         'default_model: expected one of builtin',
         'an unknown model is refused');

# --- Webhooks -------------------------------------------------------------

error_is($t->put('/config/webhooks', json => { enabled => JSON::PP::true }),
         409, "webhooks can't be enabled as long as there is no url",
         "webhooks without a url can't be enabled");
$r = $t->put('/config/webhooks', json => {
    url => 'https://hooks.example.com/in', events => [ 'batch.completed' ] });
status_is($r, 200, 'settings of webhooks are taken');
is_deeply([ @{ $r->json }{qw(url events)} ],
          [ 'https://hooks.example.com/in', [ 'batch.completed' ] ],
          'the answer has the url and the events that were set');
ok($r->json->{enabled}, 'webhooks are enabled by their url');
error_is($t->put('/config/webhooks', json => { url => 'http://127.0.0.1/' }),
         400, qr/^url: expected an address of the public internet/,
         "an address that can't be delivered to is refused when it is set");

for my $enabled (JSON::PP::false, JSON::PP::true) {
    $r = $t->put('/config/webhooks', json => { enabled => $enabled });
    is_deeply([ @{ $r->json }{qw(enabled url events)} ],
              [ $enabled, 'https://hooks.example.com/in',
                [ 'batch.completed' ] ],
              'webhooks are turned off and on, and the rest stays');
}

$r = $t->put('/config/webhooks', json => { events => [] });
is_deeply($r->json->{events}, [], 'an empty list of events is kept as it is');
is_deeply($t->put('/config/webhooks', json => { enabled => undef,
                                                url => undef })->json,
          { %{ $r->json }, updated_at =>
            $t->get('/config/webhooks')->json->{updated_at} },
          'null leaves the rest as it is');
$r = $t->put('/config/webhooks', json => { events => undef });
is(scalar(grep { $_ eq 'evaluation.completed' } @{ $r->json->{events} }), 1,
   'null brings the default set of events back');
ok(!grep({ $_ eq 'evaluation.requested' } @{ $r->json->{events} }),
   'the default events lack those that are to be asked for by name');
is_deeply($t->get('/config/webhooks')->json->{events}, $r->json->{events},
          'the default events are kept');
$t->put('/config/webhooks', json => { events => [ 'batch.completed' ] });

my %kept = %{ $t->get('/config/webhooks')->json };

error_is($t->put('/config/webhooks', json => { url => '', enabled => \1 }),
         409, "webhooks can't be enabled as long as there is no url",
         'a url is not taken away from webhooks that are to be enabled');
$r = $t->put('/config/webhooks', json => { url => '', enabled => undef });
status_is($r, 200, 'an empty url takes the address away');
ok(!exists $r->json->{url}, 'the answer shows no url any more');
ok(!$r->json->{enabled}, 'webhooks without an address are off');
is_deeply($t->get('/config/webhooks')->json, $r->json,
          'the address stays away, and the events stay as they are');
$r = $t->put('/config/webhooks', json => { url => $kept{url} });
ok($r->json->{enabled}, 'another url turns webhooks on again');
is_deeply({ %{ $r->json }, updated_at => '' }, { %kept, updated_at => '' },
          'the settings are as they were');
is($t->put('/config/webhooks', org => 1, json => { url => '' })->status, 200,
   'an address can be taken away where there is none');

my $former = $t->org->{secret};
$r = $t->post('/config/webhooks/rotate-secret');
status_is($r, 200, 'the secret of webhooks can be rotated');
like($r->json->{secret}, qr{^whsec_[A-Za-z0-9+/]{43}=$},
     'a secret is 32 random bytes in base64');
isnt($r->json->{secret}, $former, 'the new secret is not the former one');
time_is($r->json->{previous_valid_until},
        'the answer says how long the former secret is valid');
is($t->sql1('select secret from former_secrets'), $former,
   'the former secret is kept as long as it is valid');
unlike($t->get('/config/webhooks')->body, qr/whsec_/,
       'a secret is never shown again');

# --- Kept, and its own ----------------------------------------------------

$t->crash;
$t->start;
is($t->get('/config/llm')->json->{config}{max_tokens}, 900,
   'settings of language models are there after a crash');
is($t->get('/config/webhooks')->json->{url}, 'https://hooks.example.com/in',
   'settings of webhooks are there after a crash');
is_deeply($t->get('/config/llm', org => 1)->json->{config},
          { default_model => 'builtin', rate_limits => {},
            fallback_models => [] },
          'another organization has its own settings of language models');
ok(!exists $t->get('/config/webhooks', org => 1)->json->{url},
   'another organization has its own settings of webhooks');

permission_is($t, 'config:read', GET => '/config/llm');
permission_is($t, 'config:read', GET => '/config/webhooks');
permission_is($t, 'config:write', PUT => '/config/llm', json => {});
permission_is($t, 'config:write', PUT => '/config/webhooks', json => {});
permission_is($t, 'config:write', POST => '/config/webhooks/rotate-secret');

$r = $t->request(DELETE => '/config/llm');
status_is($r, 405, 'DELETE of settings is refused');
is($r->header('Allow'), 'GET, HEAD, PUT, OPTIONS',
   'Allow names the methods of settings');

done_testing;
