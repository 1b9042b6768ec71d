/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What an organization sets: what is refused, and secrets that follow each
 * other.  How settings are made, and whose they are, is in t/settings.t. */


#include <string.h>

#include "harness.h"
#include "store/store_settings.h"


#define EVENTS                                                                \
    "[\"evaluation.completed\",\"evaluation.failed\",\"batch.started\","      \
    "\"batch.progress\",\"batch.completed\",\"batch.failed\","                \
    "\"content.ready\",\"content.error\",\"feedback.processed\","             \
    "\"training.started\",\"training.progress\",\"training.completed\","      \
    "\"training.failed\",\"training.cancelled\",\"judge.version_created\","   \
    "\"judge.ready\",\"judge.drift\",\"judge.alert\"]"

typedef struct {
    const char  *body;
    const char  *detail;
} refusal_t;


static void
refuse(t_api_t *api, const char *path, const refusal_t *rows, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        t_is_detail(t_send(api, "PUT", path, rows[i].body), 400,
                    rows[i].detail, rows[i].body);
    }
}


static judge_settings_find_t
settings(t_api_t *api)
{
    judge_settings_find_t  find;

    memset(&find, 0, sizeof(find));
    t_is_int(t_op(api, &find.op, JUDGE_OP_SETTINGS_FIND), JUDGE_OK,
             "the settings can be found");

    return find;
}


static void
test_llm_refuse(t_api_t *api)
{
    static judge_llm_t      models[] = { { .name = judge_str("small") },
                                         { .name = judge_str("large") } };
    static const refusal_t  rows[] = {
        { "{\"default_model\":\"gpt\"}",
          "default_model: expected one of builtin, small, large" },
        { "{\"default_model\":\"\"}", "default_model: expected a non-empty"
                                      " string of at most 200 characters" },
        { "{\"max_tokens\":0}",
          "max_tokens: expected an integer from 1 to 1000000" },
        { "{\"max_tokens\":1.5}",
          "max_tokens: expected an integer from 1 to 1000000" },
        { "{\"temperature\":2.1}",
          "temperature: expected a number from 0 to 2" },
        { "{\"rate_limits\":7}", "rate_limits: expected an object" },
        { "{\"rate_limits\":{\"requests_per_minute\":-1}}",
          "rate_limits.requests_per_minute: expected an integer from 0 to"
          " 1000000" },
        { "{\"rate_limits\":{\"tokens_per_minute\":\"9\"}}",
          "rate_limits.tokens_per_minute: expected an integer from 0 to"
          " 1000000000" },
        { "{\"fallback_models\":\"small\"}",
          "fallback_models: expected an array of at most 8 items" },
        { "{\"fallback_models\":[\"small\",\"gpt\"]}",
          "fallback_models[1]: expected one of builtin, small, large" },
        { "{\"fallback_models\":[\"small\",\"large\",\"small\"]}",
          "fallback_models[2]: expected every model at most once" },
        { "[]", "body: expected a JSON object" },
    };

    api->service.settings.models = models;
    api->service.settings.nmodels = 2;

    refuse(api, "/config/llm", rows, sizeof(rows) / sizeof(rows[0]));
    t_is_str(t_get(t_send(api, "GET", "/config/llm", NULL), "config"),
             "{\"default_model\":\"builtin\",\"rate_limits\":{},"
             "\"fallback_models\":[]}",
             "settings that are refused are not stored");

    (void) t_send(api, "PUT", "/config/llm", "{\"max_tokens\":2e1}");
    t_is_str(t_get(t_send(api, "GET", "/config/llm", NULL),
                   "config.max_tokens"), "20",
             "a number without a fraction is an integer, however written");
}


static void
test_webhooks(t_api_t *api)
{
    t_call_t  *c;

    c = t_send(api, "GET", "/config/webhooks", NULL);
    t_is_str(t_get(c, "events"), EVENTS,
             "webhooks are of all events unless some are chosen");

    (void) t_send(api, "PUT", "/config/webhooks",
                  "{\"url\":\"https://Hooks.example.com:443/in?x=1\"}");
    t_is_str(settings(api).webhooks.url, "https://hooks.example.com/in?x=1",
             "what sends finds the address in its normal form");
}


static void
test_webhooks_refuse(t_api_t *api)
{
    static const refusal_t  rows[] = {
        { "{\"url\":\"ftp://example.com/\"}", "url: expected an address that"
                                    " begins with http:// or https://" },
        { "{\"url\":\"https://user:pw@example.com/\"}",
          "url: expected no user name before the host" },
        { "{\"url\":\"https://example.com/#x\"}",
          "url: expected no fragment" },
        { "{\"url\":\"http://169.254.169.254/\"}",
          "url: expected an address of the public internet, as nothing can be"
          " delivered to this one" },
        { "{\"url\":\"http://[::ffff:127.0.0.1]/\"}",
          "url: expected an address of the public internet, as nothing can be"
          " delivered to this one" },
        { "{\"url\":8}",
          "url: expected a string of at most 2048 characters" },
        { "{\"enabled\":\"true\"}", "enabled: expected true or false" },
        { "{\"events\":[\"batch.failed\",\"batch.done\"]}",
          "events[1]: expected the name of an event, such as"
          " evaluation.completed" },
        { "{\"events\":[\"batch.failed\",\"batch.failed\"]}",
          "events[1]: expected every event at most once" },
        { "{\"events\":\"batch.failed\"}",
          "events: expected an array of at most 19 items" },
    };

    refuse(api, "/config/webhooks", rows, sizeof(rows) / sizeof(rows[0]));
}


static void
test_rotate(t_api_t *api)
{
    int          i;
    t_call_t    *c;
    const char  *first, *second, *last;

    t_is_str(settings(api).webhooks.secret, "whsec_x",
             "an organization begins with its first secret");

    c = t_send(api, "POST", "/config/webhooks/rotate-secret", NULL);
    t_is_status(c, 200, "a secret can be replaced");
    first = t_text(c, "secret");
    t_ok(strncmp(first, "whsec_", 6) == 0 && strlen(first) == 6 + 44,
         "a secret has 32 random bytes: %s", first);
    t_is_str(t_get(c, "rotated_at"), "2026-05-28T20:26:40.000Z",
             "the answer has the time of the replacement");
    t_is_str(t_get(c, "previous_valid_until"), "2026-05-29T20:26:40.000Z",
             "the former secret is good for a day");

    t_is_str(settings(api).webhooks.secret, first, "the new secret is in use");

    t_header(api, JUDGE_HEADER_IDEMPOTENCY_KEY, "rotate");
    c = t_send(api, "POST", "/config/webhooks/rotate-secret", "{}");
    second = t_text(c, "secret");
    t_ok(strcmp(first, second) != 0, "each replacement makes another secret");

    t_header(api, JUDGE_HEADER_IDEMPOTENCY_KEY, "rotate");
    c = t_send(api, "POST", "/config/webhooks/rotate-secret", "{}");
    t_is_status(c, 200, "a replacement can be asked for twice");
    t_is_str(t_answer_header(c, "Idempotency-Replayed"), "true",
             "the second answer is a replay");
    t_ok(!t_get(c, "secret").data,
         "the second answer does not show the secret");
    t_is_str(settings(api).webhooks.secret, second,
             "the second request does not change the secret");

    for (i = 2; i < JUDGE_FORMER_SECRETS; i++) {
        api->now += 1000;
        t_is_status(t_send(api, "POST", "/config/webhooks/rotate-secret",
                           NULL), 200,
                    "a secret can be replaced again and again");
    }

    last = judge_str_dup(api->arena, settings(api).webhooks.secret).data;
    t_is_status(t_send(api, "POST", "/config/webhooks/rotate-secret", NULL),
                409, "no former secret is dropped before its time");
    t_is_str(settings(api).webhooks.secret, last,
             "a refused replacement does not change the secret");
    api->now += 24 * 3600000;
    t_is_status(t_send(api, "POST", "/config/webhooks/rotate-secret", NULL),
                200, "a secret can be replaced when former ones have ended");

    t_api_organization(api);
    t_is_str(settings(api).webhooks.secret, "whsec_x",
             "another organization's secret stays");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_llm_refuse(api);
    test_webhooks(api);
    test_webhooks_refuse(api);
    test_rotate(api);

    t_api_destroy(api);

    return t_done();
}
