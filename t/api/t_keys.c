/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* API keys: what is refused, which key must not go, and what the clock does to
 * their use.  What they permit, and how they are made and changed, is in
 * t/keys.t. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "store/store_org.h"


/* Past the time for which a found key is remembered. */
#define SOON  (JUDGE_AUTH_TTL + 1)


static judge_str_t  first;             /* the key with every permission */
static judge_str_t  first_id;


/* As another key, once. */

static t_call_t *
as(t_api_t *api, const char *key, const char *method, const char *path,
    const char *body)
{
    t_header(api, JUDGE_HEADER_X_API_KEY, key);

    return t_send(api, method, path, body);
}


static t_call_t *
make(t_api_t *api, const char *permissions)
{
    t_call_t    *c;
    const char  *body;

    body = judge_str_printf(api->arena, "{\"name\":\"K\","
                            "\"permissions\":%s}", permissions)
           .data;
    c = t_send(api, "POST", "/api-keys", body);
    t_is_int(c->status, 201, "a key can be made with %s", permissions);

    return c;
}


static void
test_refuse(t_api_t *api)
{
    size_t  i;
    static const struct {
        const char  *body;
        const char  *detail;
    } rows[] = {
        { "{}", "name: required, expected a non-empty string of at most 200"
                " characters" },
        { "{\"name\":\"\"}",
          "name: expected a non-empty string of at most 200 characters" },
        { "{\"name\":\"K\"}",
          "permissions: required, expected an array of 1 to 64 items" },
        { "{\"name\":\"K\",\"permissions\":[]}",
          "permissions: expected an array of 1 to 64 items" },
        { "{\"name\":\"K\",\"permissions\":\"*\"}",
          "permissions: expected an array of 1 to 64 items" },
        { "{\"name\":\"K\",\"permissions\":[\"*\",\"judges:own\"]}",
          "permissions[1]: expected the name of a permission, such as"
          " judges:read or *" },
        { "{\"name\":\"K\",\"permissions\":[1]}",
          "permissions[0]: expected a non-empty string of at most 64"
          " characters" },
        { "{\"name\":\"K\",\"permissions\":[\"*\"],\"expires_at\":\"soon\"}",
          "expires_at: expected an RFC 3339 date-time such as"
          " 2026-01-31T09:30:00Z" },
        { "{\"name\":\"K\",\"permissions\":[\"*\"],\"expires_at\":1}",
          "expires_at: expected an RFC 3339 date-time such as"
          " 2026-01-31T09:30:00Z" },
        { "{\"name\":\"K\",\"permissions\":[\"*\"],\"expires_at\":"
          "\"2026-02-30T00:00:00Z\"}",
          "expires_at: expected an RFC 3339 date-time such as"
          " 2026-01-31T09:30:00Z" },
        { "{\"name\":\"K\",\"permissions\":[\"*\"],\"expires_at\":"
          "\"2020-01-01T00:00:00Z\"}",
          "expires_at: expected a time in the future" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_detail(t_send(api, "POST", "/api-keys", rows[i].body), 400,
                    rows[i].detail, rows[i].body);
    }
}


static void
test_credentials(t_api_t *api)
{
    char         bearer[128];
    size_t       i;
    t_call_t    *c;
    char         typo[64];
    static const char *const  wrong[] = {
        "Basic abc", "Bearer", "Bearer ", "bearer x", "jdgk_x"
    };

    (void) snprintf(bearer, sizeof(bearer), "bEARER  %s", first.data);
    t_header(api, JUDGE_HEADER_AUTHORIZATION, bearer);
    t_is_status(t_send(api, "GET", "/judges", NULL), 200,
                "a key can come as Bearer, in any case of letters");

    api->no_key = true;
    c = t_send(api, "GET", "/judges", NULL);
    t_is_detail(c, 401, "an API key is required in X-API-Key or as"
                        " Authorization: Bearer",
                "a request without a key is refused");
    t_is_str(t_answer_header(c, "WWW-Authenticate"),
             "Bearer realm=\"judge\"",
             "the answer without a key says how to authenticate");

    for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        t_header(api, JUDGE_HEADER_AUTHORIZATION, wrong[i]);
        t_is_status(t_send(api, "GET", "/judges", NULL), 401, wrong[i]);
    }

    (void) snprintf(typo, sizeof(typo), "%s", first.data);
    typo[10] = typo[10] == 'x' ? 'y' : 'x';
    i = api->ops;
    t_is_detail(as(api, typo, "GET", "/judges", NULL), 401,
                "the API key is not valid", "a key with a typo is refused");
    t_is_int((int64_t) (api->ops - i), 0,
             "a key with a typo is refused without the store");
    t_is_detail(as(api, judge_api_key_make(api->arena).data, "GET",
                   "/judges", NULL), 401, "the API key is not valid",
                "a key that nobody has is refused");
}


/* What a change may not say, and what only a change may. */

static void
test_change(t_api_t *api)
{
    size_t       i;
    const char  *id;
    static const struct {
        const char  *body, *detail;
    } rows[] = {
        { "{\"name\":\"\"}",
          "name: expected a non-empty string of at most 200 characters" },
        { "{\"status\":\"expired\"}",
          "status: expected one of active, suspended" },
        { "{\"permissions\":[]}",
          "permissions: expected an array of 1 to 64 items" },
        { "{\"permissions\":[\"x\"]}",
          "permissions[0]: expected the name of a permission, such as"
          " judges:read or *" },
        { "{\"expires_at\":\"2020-01-01T00:00:00Z\"}",
          "expires_at: expected a time in the future" },
    };

    id = t_text(make(api, "[\"judges:read\"]"), "api_key_id");

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_detail(t_sendf(api, "PATCH", rows[i].body, "/api-keys/%s", id),
                    400, rows[i].detail, rows[i].body);
    }
}


static void
test_last(t_api_t *api)
{
    const char  *other;

    t_is_status(t_sendf(api, "DELETE", NULL, "/api-keys/%s", first_id.data),
                409, "the last key with all permissions stays");

    /* An expired or suspended one does not count. */
    other = t_text(make(api, "[\"*\"]"), "api_key_id");
    (void) t_sendf(api, "PATCH", "{\"status\":\"suspended\"}",
                   "/api-keys/%s", other);
    t_is_status(t_sendf(api, "DELETE", NULL, "/api-keys/%s", first_id.data),
                409, "a suspended key does not count as the last one");
    (void) t_sendf(api, "PATCH", "{\"status\":\"active\",\"expires_at\":"
                   "\"2026-05-28T21:00:00Z\"}", "/api-keys/%s", other);
    api->now += 3600 * 1000;
    t_is_status(t_sendf(api, "DELETE", NULL, "/api-keys/%s", first_id.data),
                409, "an expired key does not count as the last one");

    t_is_status(t_sendf(api, "PATCH", "{\"expires_at\":null}",
                        "/api-keys/%s", other), 200,
                "the expiry of a key can be taken away");
    t_is_status(t_sendf(api, "DELETE", NULL, "/api-keys/%s", other), 204,
                "a key with all permissions may delete itself beside another");
}


static void
test_page(t_api_t *api)
{
    int        i;
    t_call_t  *c;

    t_api_organization(api);
    for (i = 0; i < 25; i++) {
        (void) make(api, "[\"llm:use\"]");
    }

    c = t_send(api, "GET", "/api-keys", NULL);
    t_ok(t_get(c, "api_keys[24]").data && !t_get(c, "api_keys[25]").data,
         "a page has 25 keys by default");
    t_ok(t_get(c, "next_cursor").data, "the next page has the last one");
}


/* However many are counted all the time, each comes to the store. */

static void
test_usage_of_many(t_api_t *api)
{
    int                   i, round;
    bool                  seen[600] = { false };
    size_t                n, taken, count;
    judge_usage_row_t     rows[256];
    judge_usage_t        *usage;

    usage = calloc(1, sizeof(judge_usage_t));
    if (usage == NULL) {
        t_bail("no memory");
    }

    for (round = 0, count = 0; round < 3; round++) {
        for (i = 0; i < 600; i++) {
            judge_usage_add(usage, api->org,
                            judge_str_printf(api->arena, "key_%d", i), 1, 0,
                            api->now);
        }

        taken = judge_usage_take(usage, rows, 256);
        for (n = 0; n < taken; n++) {
            i = atoi(rows[n].id.data + 4);
            count += !seen[i];
            seen[i] = true;
        }
    }

    t_is_int((int64_t) count, 600, "the turn comes to every key");
    free(usage);
}


static void
test_usage(t_api_t *api)
{
    t_call_t  *c;

    t_api_organization(api);
    (void) t_evaluation(api, t_judge(api, "text"), t_content(api, "x"));
    t_tick(api, 10000);

    c = t_send(api, "GET", "/api-keys", NULL);
    t_is_str(t_get(c, "api_keys[0].usage_stats.requests_this_month"), "3",
             "the requests of a key are counted");
    t_is_str(t_get(c, "api_keys[0].usage_stats.evaluations_this_month"), "1",
             "the evaluations of a key are counted");
    t_ok(t_get(c, "api_keys[0].usage_stats.last_used").data != NULL,
         "the last use of a key is known");

    api->now += INT64_C(40) * 86400 * 1000;
    c = t_send(api, "GET", "/api-keys", NULL);
    t_is_str(t_get(c, "api_keys[0].usage_stats.requests_this_month"), "0",
             "a new month begins with nothing");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();
    first = api->key;
    first_id = api->key_id;

    test_refuse(api);
    test_credentials(api);
    api->now += SOON;
    test_change(api);
    test_last(api);
    test_page(api);
    test_usage(api);
    test_usage_of_many(api);

    t_api_destroy(api);

    return t_done();
}
