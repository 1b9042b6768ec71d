/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What an organization sets: its language models and its webhooks. */


#include "base/crypto/crypto.h"
#include "base/net/url.h"
#include "store/store_settings.h"
#include "store/store_webhook.h"
#include "work/llm/llm_catalog.h"
#include "api/http/request.h"


#define JUDGE_SETTINGS_FALLBACKS   8
#define JUDGE_SETTINGS_MODEL_MAX   200 /* characters of a name */
#define JUDGE_SETTINGS_GRACE       (24 * 3600 * 1000)    /* of a secret, ms */

typedef struct {
    judge_llm_settings_t  sent;        /* as bound, without the lists */
    judge_list_t          fallbacks;   /* of judge_str_t */
    judge_settings_llm_t  update;
} judge_settings_llm_put_t;

typedef struct {
    judge_str_t                url;
    judge_boolean_t            enabled;
    judge_list_t               events; /* of judge_str_t */
    judge_settings_webhooks_t  update;
} judge_settings_webhooks_put_t;


static void judge_settings_llm_get(judge_req_t *r, judge_json_writer_t *w);
static void judge_settings_llm_put(judge_req_t *r);
static bool judge_settings_models(judge_req_t *r, judge_str_t model,
    const judge_list_t *fallbacks);
static void judge_settings_no_model(judge_req_t *r, judge_str_t field);
static void judge_settings_llm_stored(judge_req_t *r);
static void judge_settings_llm_write(judge_json_writer_t *w,
    const judge_llm_settings_t *llm);
static void judge_settings_webhooks_get(judge_req_t *r,
    judge_json_writer_t *w);
static void judge_settings_webhooks_put(judge_req_t *r);
static bool judge_settings_url(judge_req_t *r, judge_str_t *url);
static bool judge_settings_events(judge_req_t *r,
    const judge_list_t *events);
static void judge_settings_webhooks_stored(judge_req_t *r);
static void judge_settings_webhooks_write(judge_json_writer_t *w,
    const judge_webhook_settings_t *webhooks);
static void judge_settings_rotate(judge_req_t *r);
static void judge_settings_rotated(judge_req_t *r);
static void judge_settings_rotate_fields(judge_req_t *r,
    judge_json_writer_t *w);
static bool judge_settings_strings(judge_req_t *r, const judge_list_t *list,
    judge_str_t *json);
static bool judge_settings_repeats(const judge_list_t *list, size_t i);


/* Those that a client can subscribe to stand first. */
#define JUDGE_SETTINGS_EVENTS  JUDGE_EVENT_WEBHOOK_TEST


#define judge_settings_llm_at(member)                                         \
    offsetof(judge_settings_llm_put_t, member)

static const judge_field_t  judge_settings_rates_fields[] = {
    judge_field_as("requests_per_minute", judge_settings_llm_put_t,
                   sent.requests_per_minute, INTEGER, 0, 0, 1000000),
    judge_field_as("tokens_per_minute", judge_settings_llm_put_t,
                   sent.tokens_per_minute, INTEGER, 0, 0, 1000000000),
    { .name = NULL }
};

static const judge_field_t  judge_settings_llm_fields[] = {
    judge_field_as("default_model", judge_settings_llm_put_t,
                   sent.default_model, STRING, 0, 1, JUDGE_SETTINGS_MODEL_MAX),
    judge_field_as("max_tokens", judge_settings_llm_put_t, sent.max_tokens,
                   INTEGER, 0, 1, 1000000),
    judge_field_as("temperature", judge_settings_llm_put_t, sent.temperature,
                   NUMBER, 0, 0, 2),
    { .name = "rate_limits", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_settings_rates_fields },
    judge_field_strings_as("fallback_models", judge_settings_llm_put_t,
                           fallbacks, 0, 0, JUDGE_SETTINGS_FALLBACKS,
                           JUDGE_SETTINGS_MODEL_MAX),
    { .name = NULL }
};

static const judge_field_t  judge_settings_webhooks_fields[] = {
    judge_field(judge_settings_webhooks_put_t, url, STRING, 0, 1,
                JUDGE_URL_MAX),
    judge_field(judge_settings_webhooks_put_t, enabled, BOOLEAN, 0, 0, 0),
    judge_field_strings(judge_settings_webhooks_put_t, events, 0, 0,
                        JUDGE_SETTINGS_EVENTS, 100),
    { .name = NULL }
};

static const judge_field_t  judge_settings_no_fields[] = {
    { .name = NULL }
};


const judge_route_t  judge_settings_routes[] = {
    { .method = JUDGE_GET, .pattern = "/config/llm",
      .permission = JUDGE_MAY_READ_CONFIG,
      .ctx_size = sizeof(judge_settings_find_t),
      .op = { .kind = JUDGE_OP_SETTINGS_FIND,
              .op = offsetof(judge_settings_find_t, op),
              .write = judge_settings_llm_get } },
    { .method = JUDGE_PUT, .pattern = "/config/llm",
      .permission = JUDGE_MAY_WRITE_CONFIG,
      .ctx_size = sizeof(judge_settings_llm_put_t),
      .body = judge_settings_llm_fields, .handler = judge_settings_llm_put },
    { .method = JUDGE_GET, .pattern = "/config/webhooks",
      .permission = JUDGE_MAY_READ_CONFIG,
      .ctx_size = sizeof(judge_settings_find_t),
      .op = { .kind = JUDGE_OP_SETTINGS_FIND,
              .op = offsetof(judge_settings_find_t, op),
              .write = judge_settings_webhooks_get } },
    { .method = JUDGE_PUT, .pattern = "/config/webhooks",
      .permission = JUDGE_MAY_WRITE_CONFIG,
      .ctx_size = sizeof(judge_settings_webhooks_put_t),
      .body = judge_settings_webhooks_fields,
      .handler = judge_settings_webhooks_put },
    { .method = JUDGE_POST, .pattern = "/config/webhooks/rotate-secret",
      .permission = JUDGE_MAY_WRITE_CONFIG,
      .flags = JUDGE_ROUTE_CREATES | JUDGE_ROUTE_OPTIONAL_BODY,
      .ctx_size = sizeof(judge_settings_rotate_t),
      .body = judge_settings_no_fields, .handler = judge_settings_rotate },
    { .pattern = NULL }
};


static void
judge_settings_llm_get(judge_req_t *r, judge_json_writer_t *w)
{
    judge_settings_find_t  *c = r->ctx;

    judge_settings_llm_write(w, &c->llm);
}


static void
judge_settings_llm_put(judge_req_t *r)
{
    judge_llm_settings_t      *llm;
    judge_settings_llm_put_t  *c = r->ctx;

    llm = &c->update.llm;
    *llm = c->sent;
    llm->updated_at = judge_now(r->service);

    if (!judge_settings_models(r, llm->default_model, &c->fallbacks)
        || !judge_settings_strings(r, &c->fallbacks, &llm->fallback_models))
    {
        return;
    }

    c->update.op.kind = JUDGE_OP_SETTINGS_LLM;
    judge_await(r, &c->update.op, judge_settings_llm_stored);
}


/* Only what nginx.conf routes can be used; false: it has answered. */

static bool
judge_settings_models(judge_req_t *r, judge_str_t model,
    const judge_list_t *fallbacks)
{
    size_t                   i;
    const judge_str_t       *names;
    const judge_settings_t  *settings = &r->service->settings;

    if (model.data && !judge_llm_catalog_has(settings, model)) {
        judge_settings_no_model(r, JUDGE_STR("default_model"));
        return false;
    }

    names = fallbacks->items;

    for (i = 0; i < fallbacks->count; i++) {
        if (!judge_llm_catalog_has(settings, names[i])) {
            judge_settings_no_model(r, judge_str_printf(r->arena,
                                           "fallback_models[%zu]", i));
            return false;
        }

        if (judge_settings_repeats(fallbacks, i)) {
            judge_fail(r, 400, "fallback_models[%zu]: expected every model at"
                               " most once", i);
            return false;
        }
    }

    return true;
}


static void
judge_settings_no_model(judge_req_t *r, judge_str_t field)
{
    judge_str_t  names;

    names = judge_llm_catalog_names(r->arena, &r->service->settings);
    if (names.len == 0 || field.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_fail(r, 400, "%.*s: expected one of %.*s", (int) field.len,
               field.data, (int) names.len, names.data);
}


static void
judge_settings_llm_stored(judge_req_t *r)
{
    judge_json_writer_t       *w;
    judge_settings_llm_put_t  *c = r->ctx;

    if (c->update.op.rc != JUDGE_OK) {
        judge_fail_rc(r, c->update.op.rc);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_bool(w, "success", true);
    judge_settings_llm_write(w, &c->update.llm);
    judge_reply_end(r);
}


/* A parameter that is not set is left out: the model has its own default. */

static void
judge_settings_llm_write(judge_json_writer_t *w,
    const judge_llm_settings_t *llm)
{
    judge_json_key(w, "config");
    judge_json_object(w);
    judge_json_put_str(w, "default_model",
                       llm->default_model.data ? llm->default_model
                       : JUDGE_STR(JUDGE_ENGINE_NAME));

    if (llm->max_tokens.set) {
        judge_json_put_int(w, "max_tokens", llm->max_tokens.value);
    }
    if (llm->temperature.set) {
        judge_json_put_number(w, "temperature", llm->temperature.value);
    }

    judge_json_key(w, "rate_limits");
    judge_json_object(w);
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
    judge_json_object_end(w);

    if (llm->updated_at) {
        judge_json_put_time(w, "updated_at", llm->updated_at);
    }
}


static void
judge_settings_webhooks_get(judge_req_t *r, judge_json_writer_t *w)
{
    judge_settings_find_t  *c = r->ctx;

    judge_settings_webhooks_write(w, &c->webhooks);
}


static void
judge_settings_webhooks_put(judge_req_t *r)
{
    judge_webhook_settings_t       *webhooks;
    judge_settings_webhooks_put_t  *c = r->ctx;

    webhooks = &c->update.webhooks;
    webhooks->url = c->url;
    webhooks->base_url = r->base_url;
    webhooks->enabled = c->enabled;
    webhooks->updated_at = judge_now(r->service);

    if (!judge_settings_url(r, &webhooks->url)
        || !judge_settings_events(r, &c->events)
        || !judge_settings_strings(r, &c->events, &webhooks->events))
    {
        return;
    }

    c->update.op.kind = JUDGE_OP_SETTINGS_WEBHOOKS;
    judge_await(r, &c->update.op, judge_settings_webhooks_stored);
}


/* Its host is resolved, and the address checked, when it is called. */

static bool
judge_settings_url(judge_req_t *r, judge_str_t *url)
{
    judge_rc_e   rc;
    judge_url_t  parsed;
    judge_str_t  error;

    if (url->data == NULL) {
        return true;
    }

    rc = judge_url_parse(r->arena, *url, &parsed, &error);
    if (rc == JUDGE_OK) {
        *url = parsed.text;
        return true;
    }

    if (rc == JUDGE_INVALID) {
        judge_fail(r, 400, "url: %.*s", (int) error.len, error.data);
    } else {
        judge_fail_rc(r, rc);
    }

    return false;
}


static bool
judge_settings_events(judge_req_t *r, const judge_list_t *events)
{
    size_t              i, k;
    const judge_str_t  *names;

    names = events->items;

    for (i = 0; i < events->count; i++) {
        for (k = 0; k < JUDGE_SETTINGS_EVENTS; k++) {
            if (judge_str_eq_c(names[i], judge_event_names[k])) {
                break;
            }
        }

        if (k == JUDGE_SETTINGS_EVENTS) {
            judge_fail(r, 400, "events[%zu]: expected the name of an event,"
                               " such as evaluation.completed", i);
            return false;
        }

        if (judge_settings_repeats(events, i)) {
            judge_fail(r, 400, "events[%zu]: expected every event at most"
                               " once", i);
            return false;
        }
    }

    return true;
}


static void
judge_settings_webhooks_stored(judge_req_t *r)
{
    judge_settings_webhooks_put_t  *c = r->ctx;

    switch (c->update.op.rc) {
    case JUDGE_OK:
        judge_settings_webhooks_write(judge_reply_begin(r, 200),
                                      &c->update.webhooks);
        judge_reply_end(r);
        return;

    case JUDGE_CONFLICT:
        judge_fail(r, 409, "webhooks can't be enabled as long as there is no"
                           " url");
        return;

    default:
        judge_fail_rc(r, c->update.op.rc);
        return;
    }
}


/* With a URL all events are sent, unless the settings say otherwise; those
 * that announce work only where they are subscribed to. */

static void
judge_settings_webhooks_write(judge_json_writer_t *w,
    const judge_webhook_settings_t *webhooks)
{
    size_t  i;

    judge_json_put_str(w, "url", webhooks->url);

    if (webhooks->events.data) {
        judge_json_put_raw(w, "events", webhooks->events);

    } else {
        judge_json_key(w, "events");
        judge_json_array(w);
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

    if (webhooks->updated_at) {
        judge_json_put_time(w, "updated_at", webhooks->updated_at);
    }
}


/*
 * The answer that is stored for an Idempotency-Key is without the secret,
 * which is sent only once.
 */

static void
judge_settings_rotate(judge_req_t *r)
{
    judge_settings_rotate_t  *c = r->ctx;

    c->secret = judge_webhook_secret_make(r->arena);
    if (c->secret.data == NULL) {
        judge_fail_rc(r, JUDGE_ERROR);
        return;
    }

    c->previous_until = judge_now(r->service) + JUDGE_SETTINGS_GRACE;

    judge_settings_rotate_fields(r, judge_reply_begin(r, 200));
    if (!judge_reply_ready(r)) {
        return;
    }

    c->op.kind = JUDGE_OP_SETTINGS_ROTATE;
    judge_await_create(r, &c->op, NULL, judge_settings_rotated);
}


static void
judge_settings_rotated(judge_req_t *r)
{
    judge_json_writer_t      *w;
    judge_settings_rotate_t  *c = r->ctx;

    if (c->op.rc != JUDGE_OK) {
        judge_fail_rc(r, c->op.rc);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "secret", c->secret);
    judge_settings_rotate_fields(r, w);
    judge_reply_end(r);
}


static void
judge_settings_rotate_fields(judge_req_t *r, judge_json_writer_t *w)
{
    judge_settings_rotate_t  *c = r->ctx;

    judge_json_put_time(w, "rotated_at",
                        c->previous_until - JUDGE_SETTINGS_GRACE);
    judge_json_put_time(w, "previous_valid_until", c->previous_until);
}


/* --- Lists of words ------------------------------------------------------ */

/* As JSON; absent where the list was not sent.  false: it has answered. */

static bool
judge_settings_strings(judge_req_t *r, const judge_list_t *list,
    judge_str_t *json)
{
    size_t                i;
    judge_buf_t           buf;
    judge_json_writer_t   w;
    const judge_str_t    *items;

    if (!list->set) {
        return true;
    }

    items = list->items;
    judge_buf_init(&buf, r->arena);
    judge_json_begin(&w, &buf);
    judge_json_array(&w);

    for (i = 0; i < list->count; i++) {
        judge_json_str(&w, items[i]);
    }

    judge_json_array_end(&w);

    if (judge_json_finish(&w) != JUDGE_OK) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return false;
    }

    *json = judge_buf_view(&buf);

    return true;
}


static bool
judge_settings_repeats(const judge_list_t *list, size_t i)
{
    size_t              k;
    const judge_str_t  *items = list->items;

    for (k = 0; k < i; k++) {
        if (judge_str_eq(items[k], items[i])) {
            return true;
        }
    }

    return false;
}
