/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Rate limits of keys: what is told as the clock goes, what costs a token, the
 * table of buckets.  What keys, workers and reloads do is in t/rates.t. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "store/store_fleet.h"
#include "work/service/fleet.h"


#define LEFT(limit, left, reset)                                              \
    "\"key\";r=" left ";t=" reset ";limit=" limit ";remaining=" left   \
    ";reset=" reset


static void
is_told(t_call_t *c, const char *policy, const char *left,
    const char *remaining, const char *name)
{
    t_is_str(t_answer_header(c, "RateLimit-Policy"), policy,
             "%s: the policy is told", name);
    t_is_str(t_answer_header(c, "RateLimit"), left,
             "%s: what is left is told", name);
    t_is_str(t_answer_header(c, "RateLimit-Remaining"), remaining,
             "%s: the number of requests that remain is told", name);
}


static void
test_off(t_api_t *api)
{
    t_call_t  *c;

    c = t_send(api, "GET", "/judges", NULL);
    t_is_status(c, 200, "a request without a limit is answered");
    is_told(c, NULL, NULL, NULL, "a request without a limit");
}


static void
test_limited(t_api_t *api)
{
    t_call_t  *c;

    api->service.settings.rate = (judge_token_bucket_rate_t) { 60, 3, 60000,
                                                               0 };

    c = t_send(api, "GET", "/judges", NULL);
    t_is_status(c, 200, "the first request is answered");
    is_told(c, "\"key\";q=3;w=3", LEFT("3", "2", "1"), "2",
            "the first request");
    c = t_send(api, "GET", "/judges/x", NULL);
    t_is_status(c, 404, "a request with an error costs a token");
    is_told(c, "\"key\";q=3;w=3", LEFT("3", "1", "2"), "1",
            "a request with an error");
    c = t_send(api, "POST", "/judges", "{");
    t_is_status(c, 400, "the last request is answered");
    is_told(c, "\"key\";q=3;w=3", LEFT("3", "0", "3"), "0",
            "the last request");

    c = t_send(api, "GET", "/judges", NULL);
    t_is_detail(c, 429, "the API key has used up its 60 requests per minute;"
                        " try again later",
                "a request more than the limit is refused");
    is_told(c, "\"key\";q=3;w=3", LEFT("3", "0", "3"), "0",
            "a request too many");
    t_is_str(t_answer_header(c, "Retry-After"), "1",
             "the answer says when to come back");
    t_is_int((long long) judge_metrics_get(api->service.metrics,
                                           JUDGE_METRIC_LIMITED), 1,
             "the refused request is counted");

    api->now += 999;
    t_is_status(t_send(api, "GET", "/judges", NULL), 429,
                "a request before a second has passed is refused");
    api->now += 1;
    t_is_status(t_send(api, "GET", "/judges", NULL), 200,
                "a request after a second is answered");
    api->now += 60000;
    c = t_send(api, "GET", "/judges", NULL);
    is_told(c, "\"key\";q=3;w=3", LEFT("3", "2", "1"), "2",
            "after a long time");
}


/* What a key may not do costs it a token, too. */

static void
test_forbidden(t_api_t *api)
{
    int        i;
    t_call_t  *c;

    api->now += 60000;
    api->service.settings.rate = (judge_token_bucket_rate_t) { 5, 5, 1000, 0 };
    c = t_send(api, "POST", "/api-keys",
               "{\"name\":\"K\",\"permissions\":[\"judges:read\"]}");
    t_api_bear(api, judge_str_c(t_text(c, "api_key")));

    for (i = 0; i < 5; i++) {
        c = t_send(api, "GET", "/content", NULL);
        t_is_status(c, 403,
                    "a request that is not permitted is refused as such");
    }
    is_told(c, "\"key\";q=5;w=1", LEFT("5", "0", "1"), "0",
            "a request that is not permitted");
    t_is_status(t_send(api, "GET", "/judges", NULL), 429,
                "requests that were not permitted have used up the limit");
}


/* More keys than there is room for never get in each other's way. */

static void
test_table(void)
{
    size_t                       i, refused, empty;
    char                         key[32];
    judge_rate_limits_t         *limits;
    judge_token_bucket_rate_t    rate = { 1, 1, 1000, 0 };
    judge_token_bucket_answer_t  answer;

    limits = calloc(1, sizeof(judge_rate_limits_t));
    refused = empty = 0;

    for (i = 0; i < JUDGE_RATE_LIMITS_SLOTS * 2; i++) {
        (void) snprintf(key, sizeof(key), "key_%zu", i);
        answer = judge_rate_limits_take(limits, &rate, JUDGE_STR(""),
                                        judge_str_c(key), 1000);
        refused += !answer.allowed;
    }
    t_is_int((long long) refused, 0, "no key pays for another");

    for (i = 0; i < 1000; i++) {
        (void) snprintf(key, sizeof(key), "key_%zu", i);
        answer = judge_rate_limits_take(limits, &rate, JUDGE_STR(""),
                                        judge_str_c(key), 1000);
        empty += !answer.allowed;
    }
    t_is_int((long long) empty, 1000, "the first ones are remembered");

    for (i = 0; i < JUDGE_RATE_LIMITS_SLOTS / 2; i++) {
        (void) snprintf(key, sizeof(key), "new_%zu", i);
        (void) judge_rate_limits_take(limits, &rate, JUDGE_STR(""),
                                        judge_str_c(key), 3000);
        answer = judge_rate_limits_take(limits, &rate, JUDGE_STR(""),
                                        judge_str_c(key), 3000);
        empty += !answer.allowed;
    }
    t_is_int((long long) empty, 1000 + JUDGE_RATE_LIMITS_SLOTS / 2,
             "what is full again makes room");

    free(limits);
}


/* As many rates as come leave room for models. */

static void
test_models(t_api_t *api)
{
    int             i;
    char            key[16];
    uint32_t        deaths;
    judge_llm_t     model = { .name = JUDGE_STR("m"), .in_all = 1 };
    judge_fleet_t  *fleet, *was;

    was = api->service.fleet;
    fleet = calloc(1, sizeof(judge_fleet_t));
    if (fleet == NULL) {
        abort();
    }

    api->service.fleet = fleet;
    for (i = 0; i < 4 * JUDGE_FLEET_SLOTS; i++) {
        (void) snprintf(key, sizeof(key), "key_%d", i);
        (void) judge_fleet_share(fleet, JUDGE_FLEET_RATE, JUDGE_STR("org"),
                                 judge_str_c(key), 1000, 1000, 1);
    }

    t_ok(judge_fleet_enter(&api->service, &model, &deaths),
         "a model is called though the table of rates is full");
    t_ok(!judge_fleet_enter(&api->service, &model, &deaths),
         "a model is not called beyond its bound");
    judge_fleet_leave(&api->service, &model, deaths);
    t_ok(judge_fleet_enter(&api->service, &model, &deaths),
         "a model is called again when a call has ended");

    api->service.fleet = was;
    free(fleet);
}


/* Three nodes lease by turns: what each has of a limit in the end. */

static void
test_lease(t_api_t *api, const char *name, int64_t units, const int64_t used[],
    int64_t shares[])
{
    int                  i, sum;
    char                 node[8];
    judge_fleet_row_t    row;
    judge_fleet_lease_t  lease;

    for (i = 0; i < 12; i++) {
        (void) snprintf(node, sizeof(node), "node%d", i % 3);
        memset(&row, 0, sizeof(row));
        memset(&lease, 0, sizeof(lease));
        row.org = JUDGE_STR("");
        row.name = judge_str_c(name);
        row.units = units;
        row.used = used[i % 3];
        row.window = 1000;
        lease.node = judge_str_c(node);
        lease.now = api->now + i * 300;
        lease.rows = &row;
        lease.count = 1;
        t_is_int(t_op(api, &lease.op, JUDGE_OP_FLEET_LEASE), JUDGE_OK,
                 "each node can lease its share");
        shares[i % 3] = row.share;
        sum = (int) (shares[0] + shares[1] + shares[2]);
        t_ok(i < 3 || sum <= units,
             "the nodes together have no more than there is");
    }
}


/* A node that asks little has something beside one that asks for all. */

static void
test_small(t_api_t *api)
{
    int64_t  shares[3];
    int64_t  small[] = { 1000000, 64, 64 }, equal[] = { 64, 64, 64 };

    test_lease(api, "calls", 4, small, shares);
    t_is_int(shares[0], 2, "of four calls the busy node has two");
    t_is_int(shares[1], 1, "of four calls each of the other nodes has one");
    t_is_int(shares[2], 1, "the last node to come has one of four calls, too");

    test_lease(api, "scarce", 2, small, shares);
    t_is_int(shares[0] + shares[1] + shares[2], 2,
             "fewer calls than nodes are shared out, too");

    test_lease(api, "rate", JUDGE_TOKEN_BUCKET_WHOLE, small, shares);
    t_is_int(shares[1], JUDGE_TOKEN_BUCKET_WHOLE / 18,
             "a node that asks little has a part of a rate");
    t_is_int(shares[2], shares[1],
             "two nodes that ask alike have the same part");

    test_lease(api, "even", JUDGE_TOKEN_BUCKET_WHOLE, equal, shares);
    t_is_int(shares[0], JUDGE_TOKEN_BUCKET_WHOLE / 3,
             "three nodes that ask alike have a third each");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_off(api);
    test_limited(api);
    test_forbidden(api);
    test_table();
    test_models(api);
    test_small(api);

    t_api_destroy(api);

    return t_done();
}
