/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The settings of an organization: its language models and its webhooks. */


#include "base/crypto/crypto.h"
#include "base/net/url.h"
#include "store/store_settings.h"
#include "store/store_webhook.h"
#include "work/llm/llm_catalog.h"
#include "work/service/budget.h"
#include "api/http/request.h"


#define JUDGE_SETTINGS_FALLBACKS   8
#define JUDGE_SETTINGS_MODEL_MAX   200 /* characters of a name */
#define JUDGE_SETTINGS_PRICES_MAX  20000       /* bytes of their JSON */
#define JUDGE_SETTINGS_PRICE_MAX   1000000     /* of a million tokens */
#define JUDGE_SETTINGS_GRACE       (24 * 3600 * 1000)    /* of a secret, ms */

typedef struct {
    judge_list_t          fallbacks;   /* of judge_str_t */
    judge_json_t         *prices;
    judge_settings_llm_t  update;
} judge_settings_llm_put_t;

typedef struct {
    judge_list_t               events; /* of judge_str_t */
    judge_settings_webhooks_t  update;
} judge_settings_webhooks_put_t;

/* Whether a member may have that name; false: the request was answered. */
typedef bool judge_settings_may_ft(judge_req_t *r, judge_str_t field,
    judge_str_t name);


static void judge_settings_llm_get(judge_req_t *r, judge_json_writer_t *w);
static bool judge_settings_llm_put(judge_req_t *r);
static judge_settings_may_ft judge_settings_model, judge_settings_event;
static void judge_settings_llm_stored(judge_req_t *r, judge_json_writer_t *w);
static void judge_settings_webhooks_record(judge_req_t *r,
    judge_json_writer_t *w, const void *row);
static bool judge_settings_webhooks_put(judge_req_t *r);
static bool judge_settings_rotate(judge_req_t *r);
static void judge_settings_rotate_write(judge_req_t *r,
    judge_json_writer_t *w);
static void judge_settings_rotated(judge_req_t *r);


/* The events before this one can be subscribed to. */
#define JUDGE_SETTINGS_EVENTS  JUDGE_EVENT_WEBHOOK_TEST


static const judge_field_t  judge_settings_rates_fields[] = {
    judge_field_as("requests_per_minute", judge_settings_llm_put_t,
                   update.llm.requests_per_minute, INTEGER, 0, 0, 1000000),
    judge_field_as("tokens_per_minute", judge_settings_llm_put_t,
                   update.llm.tokens_per_minute, INTEGER, 0, 0, 1000000000),
    { .name = NULL }
};

static const judge_field_t  judge_settings_llm_fields[] = {
    judge_field_as("default_model", judge_settings_llm_put_t,
                   update.llm.default_model, STRING, 0, 1,
                   JUDGE_SETTINGS_MODEL_MAX),
    judge_field_as("max_tokens", judge_settings_llm_put_t,
                   update.llm.max_tokens, INTEGER, 0, 1, 1000000),
    judge_field_as("temperature", judge_settings_llm_put_t,
                   update.llm.temperature, NUMBER, 0, 0, 2),
    { .name = "rate_limits", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_settings_rates_fields },
    judge_field_strings_as("fallback_models", judge_settings_llm_put_t,
                           fallbacks, 0, 0, JUDGE_SETTINGS_FALLBACKS,
                           JUDGE_SETTINGS_MODEL_MAX),
    judge_field(judge_settings_llm_put_t, prices, ANY_OBJECT, 0, 0,
                JUDGE_SETTINGS_PRICES_MAX),
    { .name = NULL }
};

static const judge_field_t  judge_settings_webhooks_fields[] = {
    judge_field_as("url", judge_settings_webhooks_put_t, update.webhooks.url,
                   STRING, 0, 0, JUDGE_URL_MAX),
    judge_field_as("enabled", judge_settings_webhooks_put_t,
                   update.webhooks.enabled, BOOLEAN, 0, 0, 0),
    judge_field_strings(judge_settings_webhooks_put_t, events, 0, 0,
                        JUDGE_SETTINGS_EVENTS, 100),
    { .name = NULL }
};


const judge_route_t  judge_settings_routes[] = {
    { judge_route(GET, "/config/llm", JUDGE_MAY_READ_CONFIG, 0,
                  judge_settings_find_t),
      .op = { judge_route_run(JUDGE_OP_SETTINGS_FIND, judge_settings_find_t, ),
              .write = judge_settings_llm_get } },
    { judge_route(PUT, "/config/llm", JUDGE_MAY_WRITE_CONFIG, 0,
                  judge_settings_llm_put_t),
      .body = judge_settings_llm_fields,
      .op = { .kind = JUDGE_OP_SETTINGS_LLM,
              .op = offsetof(judge_settings_llm_put_t, update.op),
              .now = offsetof(judge_settings_llm_put_t, update.llm.updated_at),
              .prepare = judge_settings_llm_put,
              .write = judge_settings_llm_stored } },
    { judge_route(GET, "/config/webhooks", JUDGE_MAY_READ_CONFIG, 0,
                  judge_settings_find_t),
      .op = { judge_route_run(JUDGE_OP_SETTINGS_FIND, judge_settings_find_t, ),
              .record = judge_settings_webhooks_record,
              .row = offsetof(judge_settings_find_t, webhooks) } },
    { judge_route(PUT, "/config/webhooks", JUDGE_MAY_WRITE_CONFIG, 0,
                  judge_settings_webhooks_put_t),
      .body = judge_settings_webhooks_fields,
      .op = { .kind = JUDGE_OP_SETTINGS_WEBHOOKS,
              .op = offsetof(judge_settings_webhooks_put_t, update.op),
              .now = offsetof(judge_settings_webhooks_put_t,
                              update.webhooks.updated_at),
              .prepare = judge_settings_webhooks_put,
              .conflict = "webhooks can't be enabled as long as there is no"
                          " url",
              .record = judge_settings_webhooks_record,
              .row = offsetof(judge_settings_webhooks_put_t,
                              update.webhooks) } },
    { judge_route(POST, "/config/webhooks/rotate-secret",
                  JUDGE_MAY_WRITE_CONFIG,
                  JUDGE_ROUTE_CREATES | JUDGE_ROUTE_OPTIONAL_BODY,
                  judge_settings_rotate_t),
      .op = { .kind = JUDGE_OP_SETTINGS_ROTATE,
              .op = offsetof(judge_settings_rotate_t, op),
              .prepare = judge_settings_rotate,
              .conflict = "eight former secrets are still valid: wait until"
                          " the oldest is not, a day after its replacement",
              .write = judge_settings_rotate_write, .status = 200,
              .next = judge_settings_rotated } },
    { .pattern = NULL }
};


/* A parameter that is not set is left out, so that the model's own default
 * holds. */

static void
judge_settings_llm_write(judge_json_writer_t *w,
    const judge_llm_settings_t *llm)
{
    judge_json_key_object(w, "config");
    judge_json_put_str(w, "default_model",
                       llm->default_model.data ? llm->default_model
                       : JUDGE_STR(JUDGE_ENGINE_NAME));

    if (llm->max_tokens.set) {
        judge_json_put_int(w, "max_tokens", llm->max_tokens.value);
    }
    if (llm->temperature.set) {
        judge_json_put_number(w, "temperature", llm->temperature.value);
    }

    judge_json_key_object(w, "rate_limits");
    if (llm->requests_per_minute.set) {
        judge_json_put_int(w, "requests_per_minute",
                           llm->requests_per_minute.value);
    }
    if (llm->tokens_per_minute.set) {
        judge_json_put_int(w, "tokens_per_minute",
                           llm->tokens_per_minute.value);
    }
    judge_json_object_end(w);

    judge_json_put_raw(w, "fallback_models",
                       llm->fallback_models.data ? llm->fallback_models
                                                 : JUDGE_STR("[]"));
    judge_json_put_raw(w, "prices", llm->prices);
    judge_json_object_end(w);

    judge_json_put_time_if(w, "updated_at", llm->updated_at);
}


/* Writes what is left of the organization's limits, if it has any. */

static void
judge_settings_budget(judge_req_t *r, judge_json_writer_t *w,
    const judge_llm_settings_t *llm)
{
    judge_budget_limits_t  limits, left;

    limits = (judge_budget_limits_t) { llm->requests_per_minute.value,
                                       llm->tokens_per_minute.value };
    if (limits.requests == 0 && limits.tokens == 0) {
        return;
    }

    left = judge_budget_left(r->service->budget, r->org, &limits,
                             judge_now(r->service));
    judge_json_key_object(w, "budget");
    if (limits.requests) {
        judge_json_put_int(w, "requests_left", left.requests);
    }
    if (limits.tokens) {
        judge_json_put_int(w, "tokens_left", left.tokens);
    }
    judge_json_object_end(w);
}


static void
judge_settings_llm_get(judge_req_t *r, judge_json_writer_t *w)
{
    size_t                   i;
    judge_settings_find_t   *c = r->ctx;
    const judge_settings_t  *settings = &r->service->settings;

    judge_settings_llm_write(w, &c->llm);

    judge_json_key_array(w, "models");
    judge_json_str(w, JUDGE_STR(JUDGE_ENGINE_NAME));
    for (i = 0; i < settings->nmodels; i++) {
        judge_json_str(w, settings->models[i].name);
    }
    judge_json_array_end(w);
    judge_settings_budget(r, w, &c->llm);
}


/* Only models that nginx.conf configures can be chosen. */

static bool
judge_settings_model(judge_req_t *r, judge_str_t field, judge_str_t name)
{
    judge_str_t  names;

    if (judge_llm_catalog_has(&r->service->settings, name)) {
        return true;
    }

    names = judge_llm_catalog_names(r->arena, &r->service->settings);
    if (names.len == 0) {
        return judge_fail_rc(r, JUDGE_NOMEM);
    }

    return judge_fail(r, 400, "%.*s: expected one of %.*s",
                      judge_str_args(field), judge_str_args(names));
}


/* Writes each name once into a JSON array, which is absent if the list was
 * not sent; false: the request has been answered. */

static bool
judge_settings_names(judge_req_t *r, const judge_list_t *list,
    const char *field, const char *what, judge_settings_may_ft *may,
    judge_str_t *json)
{
    size_t              i, k;
    judge_str_t         path;
    const judge_str_t  *names = list->items;

    for (i = 0; i < list->count; i++) {
        path = judge_str_printf(r->arena, "%s[%zu]", field, i);
        if (!judge_check(r, path.data ? JUDGE_OK : JUDGE_NOMEM, NULL)
            || !may(r, path, names[i]))
        {
            return false;
        }

        for (k = 0; k < i; k++) {
            if (judge_str_eq(names[k], names[i])) {
                return judge_fail(r, 400, "%s[%zu]: expected every %s at most"
                                  " once", field, i, what);
            }
        }
    }

    if (list->set) {
        *json = judge_json_strings_text(r->arena, names, list->count);
        return judge_check(r, json->data ? JUDGE_OK : JUDGE_NOMEM, NULL);
    }

    return true;
}


/* A model that nginx.conf no longer routes may keep its price, because there
 * are results of it.  false: the request has been answered. */

static bool
judge_settings_prices(judge_req_t *r, const judge_json_t *prices,
    judge_str_t *json)
{
    double               price;
    const judge_json_t  *v;

    for (v = prices ? prices->first : NULL; v; v = v->next) {
        price = judge_json_is_number(v) ? judge_json_double(v) : -1;
        if (!(price >= 0 && price <= JUDGE_SETTINGS_PRICE_MAX)) {
            return judge_fail(r, 400, "prices.%.*s: expected a number from 0"
                              " to %d", judge_str_args(v->key),
                              JUDGE_SETTINGS_PRICE_MAX);
        }
    }

    if (prices) {
        *json = judge_json_value_text(r->arena, prices);
    }

    return judge_check(r, prices && json->data == NULL ? JUDGE_NOMEM
                                                       : JUDGE_OK, NULL);
}


static bool
judge_settings_llm_put(judge_req_t *r)
{
    judge_settings_llm_put_t  *c = r->ctx;
    judge_llm_settings_t      *llm = &c->update.llm;

    return (llm->default_model.data == NULL
            || judge_settings_model(r, JUDGE_STR("default_model"),
                                    llm->default_model))
           && judge_settings_names(r, &c->fallbacks, "fallback_models",
                                   "model", judge_settings_model,
                                   &llm->fallback_models)
           && judge_settings_prices(r, c->prices, &llm->prices);
}


static void
judge_settings_llm_stored(judge_req_t *r, judge_json_writer_t *w)
{
    judge_settings_llm_put_t  *c = r->ctx;

    judge_json_put_bool(w, "success", true);
    judge_settings_llm_write(w, &c->update.llm);
}


/* Without a list of events all are sent to the URL, except those that
 * announce work, which must be subscribed to. */

static void
judge_settings_webhooks_record(judge_req_t *r, judge_json_writer_t *w,
    const void *row)
{
    size_t                           i;
    const judge_webhook_settings_t  *webhooks = row;

    judge_json_put_str(w, "url", webhooks->url);

    if (webhooks->events.data) {
        judge_json_put_raw(w, "events", webhooks->events);

    } else {
        judge_json_key_array(w, "events");
        for (i = 0; i < JUDGE_SETTINGS_EVENTS; i++) {
            if (i != JUDGE_EVENT_EVALUATION_REQUESTED) {
                judge_json_str(w, judge_str_c(judge_event_names[i]));
            }
        }
        judge_json_array_end(w);
    }

    judge_json_put_bool(w, "enabled",
                        webhooks->enabled.set ? webhooks->enabled.value
                                              : webhooks->url.data != NULL);

    judge_json_put_time_if(w, "updated_at", webhooks->updated_at);
}


static bool
judge_settings_event(judge_req_t *r, judge_str_t field, judge_str_t name)
{
    return judge_str_index_c(judge_event_names, name) < JUDGE_SETTINGS_EVENTS
           || judge_fail(r, 400, "%.*s: expected the name of an event, such as"
                         " evaluation.completed", judge_str_args(field));
}


/* Checks only the URL's form: its host is resolved, and the address checked,
 * before each call. */

static bool
judge_settings_webhooks_put(judge_req_t *r)
{
    judge_settings_webhooks_put_t  *c = r->ctx;
    judge_webhook_settings_t       *webhooks = &c->update.webhooks;

    webhooks->base_url = r->base_url;

    if (!c->events.set && judge_json_get(r->body, "events")) {
        webhooks->events = JUDGE_STR("null");
    }

    return (webhooks->url.len == 0
            || judge_check_url(r, "url", &webhooks->url))
           && judge_settings_names(r, &c->events, "events", "event",
                                   judge_settings_event, &webhooks->events);
}


/* The answer that is stored for an Idempotency-Key leaves out the secret,
 * which is sent only once. */

static bool
judge_settings_rotate(judge_req_t *r)
{
    judge_settings_rotate_t  *c = r->ctx;

    c->now = judge_now(r->service);
    c->previous_until = c->now + JUDGE_SETTINGS_GRACE;
    c->secret = judge_webhook_secret_make(r->arena);

    return judge_check(r, c->secret.data ? JUDGE_OK : JUDGE_ERROR, NULL);
}


static void
judge_settings_rotate_write(judge_req_t *r, judge_json_writer_t *w)
{
    judge_settings_rotate_t  *c = r->ctx;

    judge_json_put_time(w, "rotated_at", c->now);
    judge_json_put_time(w, "previous_valid_until", c->previous_until);
}


static void
judge_settings_rotated(judge_req_t *r)
{
    judge_json_writer_t      *w;
    judge_settings_rotate_t  *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "secret", c->secret);
    judge_settings_rotate_write(r, w);
    judge_reply_end(r);
}
