/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* API keys: who may do what, and the key that must not go. */


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
test_create(t_api_t *api)
{
    t_call_t    *c;
    const char  *key, *id;

    c = t_send(api, "POST", "/api-keys",
               "{\"name\":\"Reader\",\"permissions\":[\"judges:read\","
               "\"content:read\",\"judges:read\"],"
               "\"expires_at\":\"2026-05-28T22:26:41.5+02:00\"}");
    t_is_status(c, 201, "a key can be created");
    key = t_text(c, "api_key");
    id = t_text(c, "api_key_id");
    t_ok(judge_api_key_wellformed(judge_str_c(key)), "a key is well formed");
    t_ok(judge_id_wellformed(judge_str_c(id), "key"),
         "a key has an identifier");
    t_is_str(t_get(c, "name"), "Reader", "a key has its name");
    t_is_str(t_get(c, "status"), "active", "a new key is active");
    t_is_str(t_get(c, "permissions"), "[\"judges:read\",\"content:read\"]",
             "a key has each permission once");
    t_is_str(t_get(c, "expires_at"), "2026-05-28T20:26:41.500Z",
             "a key's expiry is in UTC");
    t_is_str(t_get(c, "usage_stats"), "{\"requests_this_month\":0,"
             "\"evaluations_this_month\":0}", "a new key has no usage");

    t_is_status(as(api, key, "GET", "/judges", NULL), 200,
                "a key may do what it has the permission for");
    t_is_detail(as(api, key, "POST", "/judges", "{}"), 403,
                "the API key lacks the permission judges:write",
                "a key may not do what it lacks the permission for");
    t_is_detail(as(api, key, "GET", "/api-keys", NULL), 403,
                "the API key lacks the permission keys:read",
                "a key without the permission may not read keys");

    api->now += 1500;
    c = as(api, key, "GET", "/judges", NULL);
    t_is_detail(c, 401, "the API key has expired",
                "a key that has expired is refused");
    t_ok(t_answer_header(c, "WWW-Authenticate").data != NULL,
         "the answer to an expired key says how to authenticate");

    c = t_send(api, "GET", "/api-keys?status=expired", NULL);
    t_is_str(t_get(c, "api_keys[0].api_key_id"), id,
             "an expired key is listed as such");
    t_is_str(t_get(c, "api_keys[0].status"), "expired",
             "an expired key has the status of one");
    t_ok(t_get(c, "api_keys[0].api_key").data == NULL,
         "a key is shown only once");
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
        { "{\"name\":\"K\"}",
          "permissions: required, expected an array of 1 to 64 items" },
        { "{\"name\":\"K\",\"permissions\":[]}",
          "permissions: expected an array of 1 to 64 items" },
        { "{\"name\":\"K\",\"permissions\":\"*\"}",
          "permissions: expected an array of 1 to 64 items" },
        { "{\"name\":\"K\",\"permissions\":[\"*\",\"judges:own\"]}",
          "permissions[1]: expected the name of a permission, such as"
          " judges:read or *" },
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


static void
test_update(t_api_t *api)
{
    t_call_t    *c;
    const char  *key, *id;

    c = make(api, "[\"judges:read\"]");
    key = t_text(c, "api_key");
    id = t_text(c, "api_key_id");

    c = t_sendf(api, "PATCH", "{}", "/api-keys/%s", id);
    t_is_status(c, 200, "a change of nothing is taken");
    t_is_str(t_get(c, "name"), "K", "a change of nothing leaves the name");

    c = t_sendf(api, "PATCH", "{\"name\":\"Renamed\",\"expires_at\":"
                "\"2036-01-01T00:00:00Z\"}", "/api-keys/%s", id);
    t_is_str(t_get(c, "name"), "Renamed", "the name of a key can be changed");
    t_is_str(t_get(c, "expires_at"), "2036-01-01T00:00:00.000Z",
             "the expiry of a key can be changed");
    t_is_str(t_get(c, "permissions"), "[\"judges:read\"]",
             "what was not changed of a key stays");

    c = t_sendf(api, "PATCH", "{\"expires_at\":null}", "/api-keys/%s", id);
    t_is_status(c, 200, "the expiry of a key can be taken away");
    t_ok(t_get(c, "expires_at").data == NULL,
         "a key without an expiry shows none");
    t_is_str(t_get(c, "name"), "Renamed",
             "the name stays when the expiry is taken away");

    t_is_status(as(api, key, "GET", "/judges", NULL), 200,
                "a key works before it is suspended");
    c = t_sendf(api, "PATCH", "{\"status\":\"suspended\"}", "/api-keys/%s",
                id);
    t_is_str(t_get(c, "status"), "suspended", "a key can be suspended");
    t_is_detail(as(api, key, "GET", "/judges", NULL), 401,
                "the API key is suspended",
                "a suspended key is refused at once");
    c = t_send(api, "GET", "/api-keys?status=suspended", NULL);
    t_is_str(t_get(c, "api_keys[0].api_key_id"), id,
             "a suspended key is listed as such");
    t_ok(t_get(c, "api_keys[1]").data == NULL,
         "keys that are not suspended are not listed");

    (void) t_sendf(api, "PATCH", "{\"status\":\"active\",\"permissions\":"
                   "[\"content:read\"]}", "/api-keys/%s", id);
    t_is_status(as(api, key, "GET", "/content", NULL), 200,
                "a key that is active again works");
    t_is_status(as(api, key, "GET", "/judges", NULL), 403,
                "a key has its new permissions only");

    t_is_detail(t_sendf(api, "PATCH", "{\"status\":\"expired\"}",
                        "/api-keys/%s", id), 400,
                "status: expected one of active, suspended",
                "a status that can't be set is refused");
    t_is_detail(t_sendf(api, "PATCH", "{\"permissions\":[]}",
                        "/api-keys/%s", id), 400,
                "permissions: expected an array of 1 to 64 items",
                "a key without permissions is refused");
    t_is_detail(t_sendf(api, "PATCH", "{\"permissions\":[\"x\"]}",
                        "/api-keys/%s", id), 400,
                "permissions[0]: expected the name of a permission, such as"
                " judges:read or *",
                "a permission that does not exist is refused");
    t_is_detail(t_sendf(api, "PATCH", "{\"expires_at\":"
                        "\"2020-01-01T00:00:00Z\"}", "/api-keys/%s", id),
                400, "expires_at: expected a time in the future",
                "an expiry in the past is refused");
    t_is_detail(t_send(api, "PATCH", "/api-keys/key_x", "{}"), 404,
                "there is no such API key",
                "a key that does not exist can't be changed");

    t_is_status(t_sendf(api, "DELETE", NULL, "/api-keys/%s", id), 204,
                "a key can be deleted");
    t_is_detail(as(api, key, "GET", "/content", NULL), 401,
                "the API key is not valid", "a deleted key is refused");
    t_is_status(t_sendf(api, "DELETE", NULL, "/api-keys/%s", id), 404,
                "a key can be deleted once");
}


static void
test_grant(t_api_t *api)
{
    t_call_t    *c;
    const char  *key, *strong, *weak;

    key = t_text(make(api, "[\"keys:write\",\"keys:read\",\"judges:read\"]"),
                 "api_key");
    strong = t_text(make(api, "[\"*\"]"), "api_key_id");
    weak = t_text(make(api, "[\"judges:read\"]"), "api_key_id");

    c = as(api, key, "POST", "/api-keys",
           "{\"name\":\"K\",\"permissions\":[\"judges:read\"]}");
    t_is_status(c, 201, "a key can grant what it has");
    t_is_detail(as(api, key, "POST", "/api-keys",
                   "{\"name\":\"K\",\"permissions\":[\"judges:read\","
                   "\"llm:use\"]}"), 403,
                "the API key lacks the permission llm:use and can't grant it",
                "a key can't grant what it lacks");
    t_is_detail(as(api, key, "POST", "/api-keys",
                   "{\"name\":\"K\",\"permissions\":[\"*\"]}"), 403,
                "the API key lacks the permission * and can't grant it",
                "a key without all permissions can't grant all");

    t_header(api, JUDGE_HEADER_X_API_KEY, key);
    t_is_status(t_sendf(api, "PATCH", "{\"permissions\":[\"llm:use\"]}",
                        "/api-keys/%s", weak), 403,
                "a key can't grant what it lacks by a change");
    t_header(api, JUDGE_HEADER_X_API_KEY, key);
    t_is_status(t_sendf(api, "PATCH", "{\"status\":\"active\"}",
                        "/api-keys/%s", strong), 403,
                "a key can't wake up one that has more permissions");
    t_header(api, JUDGE_HEADER_X_API_KEY, key);
    t_is_status(t_sendf(api, "PATCH", "{\"expires_at\":null}",
                        "/api-keys/%s", strong), 403,
                "a key can't prolong one that has more permissions");
    t_header(api, JUDGE_HEADER_X_API_KEY, key);
    t_is_status(t_sendf(api, "PATCH", "{\"name\":\"S\"}", "/api-keys/%s",
                        strong), 200, "a change of the name grants nothing");
    t_is_status(t_sendf(api, "DELETE", NULL, "/api-keys/%s", strong), 204,
                "one of two keys with all permissions may be deleted");
}


static void
test_last(t_api_t *api)
{
    size_t       i;
    const char  *other;
    static const char *const  changes[] = {
        "{\"status\":\"suspended\"}", "{\"permissions\":[\"keys:write\"]}"
    };

    for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        t_is_detail(t_sendf(api, "PATCH", changes[i], "/api-keys/%s",
                            first_id.data), 409,
                    "this is the last active key with the permission *; make"
                    " another one first", changes[i]);
    }

    t_is_status(t_sendf(api, "DELETE", NULL, "/api-keys/%s", first_id.data),
                409, "the last key with all permissions stays");
    t_is_status(t_sendf(api, "PATCH", "{\"name\":\"Admin\"}", "/api-keys/%s",
                        first_id.data), 200,
                "the last key with all permissions can be renamed");

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
test_list(t_api_t *api)
{
    int          i;
    t_call_t    *c;
    const char  *newest;

    t_api_organization(api);
    for (i = 0; i < 27; i++) {
        c = t_send(api, "POST", "/api-keys",
                   "{\"name\":\"K\",\"permissions\":[\"llm:use\"]}");
    }
    newest = t_text(c, "api_key_id");

    c = t_send(api, "GET", "/v1/api-keys", NULL);
    t_is_str(t_get(c, "api_keys[0].api_key_id"), newest,
             "the newest key comes first");
    t_ok(t_get(c, "api_keys[24]").data && !t_get(c, "api_keys[25]").data,
         "a page has 25 keys by default");
    c = t_sendf(api, "GET", NULL, "/api-keys?cursor=%s",
                t_text(c, "next_cursor"));
    t_ok(t_get(c, "api_keys[2]").data && !t_get(c, "api_keys[3]").data,
         "the next page has the other keys");
    t_is_str(t_get(c, "api_keys[2].api_key_id"), api->key_id.data,
             "the oldest key comes last");
    c = t_send(api, "GET", "/api-keys?status=active&limit=200", NULL);
    t_ok(t_get(c, "api_keys[27]").data && !t_get(c, "next_cursor").data,
         "all are active");
    t_is_detail(t_send(api, "GET", "/api-keys?status=x", NULL), 400,
                "status: expected one of active, suspended, expired",
                "a status that does not exist is refused");

    t_is_detail(t_sendf(api, "PATCH", "{\"name\":\"X\"}", "/api-keys/%s",
                        first_id.data), 404, "there is no such API key",
                "another organization's key can't be changed");
    t_is_status(t_sendf(api, "DELETE", NULL, "/api-keys/%s", first_id.data),
                404, "another organization's key can't be deleted");
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


/* The answer that an Idempotency-Key brings back has no key in it. */

static void
test_idempotency(t_api_t *api)
{
    t_call_t                  *c;
    const char                *id;
    judge_idempotency_find_t   find;

    t_header(api, JUDGE_HEADER_IDEMPOTENCY_KEY, "k1");
    c = t_send(api, "POST", "/api-keys",
               "{\"name\":\"K\",\"permissions\":[\"llm:use\"]}");
    t_ok(t_get(c, "api_key").data != NULL, "the first answer has the key");
    id = t_text(c, "api_key_id");

    t_header(api, JUDGE_HEADER_IDEMPOTENCY_KEY, "k1");
    c = t_send(api, "POST", "/api-keys",
               "{\"name\":\"K\",\"permissions\":[\"llm:use\"]}");
    t_is_status(c, 201, "a key can be asked for twice");
    t_is_str(t_get(c, "api_key_id"), id,
             "the second answer is of the same key");
    t_ok(t_get(c, "api_key").data == NULL,
         "the second answer does not show the key");

    memset(&find, 0, sizeof(find));
    find.found.key = JUDGE_STR("k1");
    t_is_int(t_op(api, &find.op, JUDGE_OP_IDEMPOTENCY_FIND), JUDGE_OK,
             "the answer to the first request is stored");
    t_ok(find.found.body.data
         && strstr(find.found.body.data, "jdgk_") == NULL,
         "the stored answer gives no key away");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();
    first = api->key;
    first_id = api->key_id;

    test_create(api);
    test_refuse(api);
    test_credentials(api);
    api->now += SOON;
    test_update(api);
    test_grant(api);
    test_last(api);
    test_list(api);
    test_usage(api);
    test_usage_of_many(api);
    test_idempotency(api);

    t_api_destroy(api);

    return t_done();
}
