/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A server without a network: see the header. */


#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fault.h"
#include "harness.h"
#include "store/store_org.h"
#include "work/render/event_json.h"
#include "work/service/background.h"
#include "work/service/extension.h"
#include "api/http/request.h"


#define T_PIECE        7               /* bytes that arrive at a time */
#define T_LARGE_PIECE  4093            /* of a body that is longer than */
#define T_LARGE        65536
#define T_PROGRESS     16              /* entries */


static void t_api_open(t_api_t *api);
static bool t_api_share(t_api_t *api);
static void t_submit(void *data, judge_op_t *op);
static judge_rc_e t_read(void *data, judge_op_t *op);
static void t_op_done(judge_op_t *op);
static judge_ms_t t_now(void *data);
static void t_warn(void *data, judge_str_t line);
static void t_compute(void *data, judge_task_t *task);
static void t_read_body(judge_req_t *r);
static void t_take_answer(judge_req_t *r);
static void t_check_answer(t_call_t *call);
static void t_hold(judge_req_t *r);
static bool t_release(judge_req_t *r);
static void t_stream(judge_req_t *r);
static void t_pause(judge_req_t *r, judge_ms_t ms);
static void t_resume(judge_req_t *r);
static void t_wake(void *data);
static void t_committed(t_api_t *api);
static bool t_pump(t_api_t *api);
static void t_call_free(t_call_t *call);
static judge_method_e t_method(const char *name);


static const judge_binding_t  t_binding = {
    .read_body = t_read_body,
    .answer = t_take_answer,
    .hold = t_hold,
    .release = t_release,
    .stream = t_stream,
    .write = t_write,
    .pause = t_pause,
    .wake = t_resume,
    .receive = t_receive,
    .send_file = t_send_file
};

static const struct {
    const char      *name;
    judge_method_e   method;
} t_methods[] = {
    { "GET", JUDGE_GET },
    { "POST", JUDGE_POST },
    { "PUT", JUDGE_PUT },
    { "PATCH", JUDGE_PATCH },
    { "DELETE", JUDGE_DELETE },
    { "HEAD", JUDGE_HEAD },
    { "OPTIONS", JUDGE_OPTIONS },
};


void
t_bail(const char *what)
{
    printf("Bail out! %s\n", what);
    exit(1);
}


t_api_t *
t_api_create(void)
{
    t_api_t  *api;

    api = calloc(1, sizeof(t_api_t));
    if (api == NULL) {
        t_bail("no memory");
    }

    api->arena = judge_arena_create(65536);
    api->now = T_START;
    api->service.settings = (judge_settings_t) {
        .name = judge_str("test"),
        .max_body = 1 << 20,
        .max_bodies = 512 << 20,
        .max_batch = 1 << 22,
        .max_items = 50,
        .max_judges = 3,
        .max_text = 1 << 16,
        .max_upload = 1 << 18,
        .upload_valid = 300 * 1000,
        .deadline = 3600 * 1000,
        .callback_deadline = 7200 * 1000,
        .lease = 30 * 1000,
        .aging = 60 * 1000,
        .attempts = 3,
        .model_attempts = 3,
        .keep_deliveries = INT64_C(30) * 24 * 3600 * 1000,
        .keep_logs = INT64_C(30) * 24 * 3600 * 1000,
        .webhook_calls = 32,
        .webhook_timeout = 15 * 1000,
        .max_live = 1 << 20,
        .max_learned = 1 << 24,
        .evaluates = true
    };
    api->service.store = (judge_store_t) { .submit = t_submit, .read = t_read,
                                            .data = api };
    api->service.now = t_now;
    api->service.warn = t_warn;
    api->service.compute = t_compute;
    api->service.data = api;
    api->service.call = t_network;
    api->service.network = api;
    api->service.wake = t_wake;

    t_api_open(api);

    api->service.auth = judge_auth_create(16);
    api->service.usage = calloc(1, sizeof(judge_usage_t));
    api->service.throughput = calloc(1, sizeof(judge_throughput_t));
    api->service.limits = calloc(1, sizeof(judge_rate_limits_t));
    api->service.metrics = calloc(1, sizeof(judge_metrics_t));
    api->service.budget = calloc(1, sizeof(judge_budget_t));
    api->service.progress = calloc(1, judge_progress_size(T_PROGRESS));
    api->service.secret = JUDGE_STR("a secret of the service's own...");
    if (api->service.auth == NULL || api->service.usage == NULL
        || api->service.throughput == NULL || api->service.limits == NULL
        || api->service.metrics == NULL || api->service.budget == NULL
        || api->service.progress == NULL
        || !judge_progress_init(api->service.progress, T_PROGRESS)
        || !t_api_share(api) || !judge_background_create(&api->service))
    {
        t_bail("no memory");
    }

    t_api_organization(api);

    return api;
}


static void
t_api_open(t_api_t *api)
{
    judge_str_t  directory, error;

    (void) snprintf(api->directory, sizeof(api->directory),
                    "/tmp/judge-t-XXXXXX");
    if (mkdtemp(api->directory) == NULL) {
        t_bail("no folder");
    }

    api->service.settings.files = judge_str_printf(api->arena, "%s/files",
                                                   api->directory);
    if (mkdir(api->service.settings.files.data, 0700) != 0) {
        t_bail("no folder for files");
    }

    directory = judge_str_c(api->directory);
    if (judge_store_migrate(api->arena, directory, &error) != JUDGE_OK) {
        t_bail(error.data);
    }

    api->db = judge_store_open(api->arena, directory, true, &error);
    if (api->db == NULL) {
        t_bail(error.data);
    }

    judge_runner_render(api->db, judge_event_render, false);
}


static bool
t_api_share(t_api_t *api)
{
    size_t                        i;
    const judge_shared_memory_t  *memory;

    for (i = 0; judge_extensions[i]; i++) {
        memory = &judge_extensions[i]->shared;
        if (memory->size) {
            api->service.shared[i] = calloc(1, memory->size);
            if (api->service.shared[i] == NULL
                || !memory->init(api->service.shared[i]))
            {
                return false;
            }
        }
    }

    return true;
}


void
t_api_destroy(t_api_t *api)
{
    size_t     i;
    t_call_t  *call;

    t_run(api);

    while ((call = api->calls)) {
        t_call_free(call);
    }

    judge_background_destroy(&api->service);
    judge_auth_destroy(api->service.auth);
    free(api->service.usage);
    for (i = 0; judge_extensions[i]; i++) {
        free(api->service.shared[i]);
    }
    free(api->service.throughput);
    free(api->service.limits);
    free(api->service.metrics);
    free(api->service.budget);
    free(api->service.progress);
    judge_runner_close(api->db);

    t_empty(api->service.settings.files.data);
    t_empty(api->directory);
    judge_arena_destroy(api->arena);
    free(api);
}


void
t_api_organization(t_api_t *api)
{
    uint8_t              hash[JUDGE_SHA256_LEN];
    judge_id_t           org, key;
    judge_key_create_t   create;
    judge_org_create_t   make;

    if (judge_id_make(&org, "org", api->now) != JUDGE_OK
        || judge_id_make(&key, "key", api->now) != JUDGE_OK)
    {
        t_bail("no identifiers");
    }

    api->org = judge_str_dup(api->arena, judge_id_str(&org));
    api->key_id = judge_str_dup(api->arena, judge_id_str(&key));
    api->key = judge_api_key_make(api->arena);
    if (api->key.data == NULL || judge_sha256(api->key, hash) != JUDGE_OK) {
        t_bail("no key");
    }

    memset(&make, 0, sizeof(make));
    make.row = (judge_org_row_t) { api->org, JUDGE_STR("An organization"),
                                   JUDGE_STR("whsec_x"), api->now };

    memset(&create, 0, sizeof(create));
    create.row.id = api->key_id;
    create.row.hash = (judge_str_t) { sizeof(hash), (char *) hash };
    create.row.name = JUDGE_STR("the first");
    create.row.status = JUDGE_STR("active");
    create.row.permissions = JUDGE_MAY_ALL;
    create.row.created_at = api->now;

    if (t_op(api, &make.op, JUDGE_OP_ORG_CREATE) != JUDGE_OK
        || t_op(api, &create.op, JUDGE_OP_KEY_CREATE) != JUDGE_OK)
    {
        t_bail(judge_runner_message(api->db));
    }
}


void
t_api_bear(t_api_t *api, judge_str_t key)
{
    api->key = judge_str_dup(api->arena, key);
}


/* --- What is injected ---------------------------------------------------- */


static void
t_committed(t_api_t *api)
{
    judge_metrics_add(api->service.metrics, JUDGE_METRIC_COMMITS, 1);
    if (judge_progress_committed(&api->service, api->db)) {
        judge_waiters_tick(&api->service);
    }
}


static void
t_submit(void *data, judge_op_t *op)
{
    t_api_t      *api = data;
    judge_op_t  **last;

    api->ops++;

    if (api->before) {
        api->before(api, op);
    }

    if (api->fails && op->kind == api->fail_kind) {
        op->rc = api->fail_rc;
        op->done(op);
        return;
    }

    if (api->slow && judge_op_place(op->kind) != JUDGE_OP_INLINE) {
        for (last = &api->waiting; *last; last = &(*last)->next) {
            /* void */
        }
        op->next = NULL;
        *last = op;
        return;
    }

    if (judge_op_place(op->kind) != JUDGE_OP_WRITE) {
        judge_runner_submit(api->db, op);
        return;
    }

    op->next = NULL;
    judge_runner_group(api->db, op);
    t_committed(api);
    op->done(op);
}


static void
t_op_done(judge_op_t *op)
{
    (void) op;
}


static judge_rc_e
t_read(void *data, judge_op_t *op)
{
    op->done = t_op_done;
    t_submit(data, op);

    return op->rc;
}


judge_rc_e
t_op(t_api_t *api, judge_op_t *op, judge_op_kind_e kind)
{
    op->kind = kind;
    op->org = op->org.data ? op->org : api->org;
    op->arena = api->arena;
    op->done = t_op_done;
    judge_runner_submit(api->db, op);

    return op->rc;
}


static judge_ms_t
t_now(void *data)
{
    return ((t_api_t *) data)->now;
}


static void
t_warn(void *data, judge_str_t line)
{
    ((t_api_t *) data)->warnings++;
}


static void
t_compute(void *data, judge_task_t *task)
{
    t_api_t        *api = data;
    judge_task_t  **last;

    api->computed++;

    if (api->later) {
        for (last = &api->tasks; *last; last = &(*last)->next) {
            /* void */
        }
        task->next = NULL;
        *last = task;
        return;
    }

    task->run(task);
    task->done(task);
}


void
t_run(t_api_t *api)
{
    judge_op_t    *op, *next;
    judge_task_t  *task;

    while (api->tasks || api->waiting || t_pump(api)) {
        next = api->waiting;
        api->waiting = NULL;

        if (next) {
            judge_runner_group(api->db, next);
            t_committed(api);
        }

        while ((op = next)) {
            next = op->next;
            op->done(op);
        }

        while ((task = api->tasks)) {
            api->tasks = task->next;
            task->run(task);
            task->done(task);
        }
    }
}


void
t_other_worker(t_api_t *api)
{
    judge_background_destroy(&api->service);
    if (!judge_background_create(&api->service)) {
        t_bail("no memory");
    }
}


void
t_tick(t_api_t *api, judge_ms_t later)
{
    bool       counts;
    t_call_t  *call;

    counts = t_memory_count(true);
    api->now += later;
    judge_background_tick(&api->service);

    for (call = api->calls; call; call = call->next) {
        if (call->resume_at && call->resume_at <= api->now) {
            call->resume_at = 0;
            call->ready = true;
        }
    }

    while (t_pump(api)) {
        /* void */
    }

    (void) t_memory_count(counts);
}


t_call_t *
t_evaluated(t_api_t *api, const char *judge, const char *content)
{
    int          n;
    t_call_t    *c;
    const char  *id;

    id = t_evaluation(api, judge, content);

    for (n = 0, c = NULL; n < 20; n++) {
        c = t_sendf(api, "GET", NULL, "/evaluations/%s", id);
        if (strcmp(t_text(c, "status"), "processing") != 0) {
            break;
        }
        t_tick(api, 1000);
    }

    return c;
}


/* Goes on with one of the calls that are ready. */

static bool
t_pump(t_api_t *api)
{
    t_call_t  *call;

    for (call = api->calls; call; call = call->next) {
        if (call->ready) {
            call->ready = false;
            judge_req_ready(&call->req);
            return true;
        }
    }

    return false;
}


/* --- A request ----------------------------------------------------------- */


void
t_header(t_api_t *api, judge_header_e header, const char *value)
{
    api->headers[header] = value;
}


static judge_method_e
t_method(const char *name)
{
    size_t  i;

    for (i = 0; i < sizeof(t_methods) / sizeof(t_methods[0]); i++) {
        if (strcmp(t_methods[i].name, name) == 0) {
            return t_methods[i].method;
        }
    }

    return JUDGE_OTHER;
}


t_call_t *
t_send(t_api_t *api, const char *method, const char *path, const char *body)
{
    bool         counts;
    size_t       i;
    t_call_t    *call;
    const char  *query;

    call = calloc(1, sizeof(t_call_t));
    if (call == NULL) {
        t_bail("no memory");
    }

    call->api = api;
    call->method = method;
    call->sends = body;
    call->next = api->calls;
    api->calls = call;

    call->req.arena = judge_arena_create(4096);
    call->req.service = &api->service;
    call->req.binding = &t_binding;
    call->req.server = call;
    call->req.method = t_method(method);
    call->req.base_url = JUDGE_STR("http://127.0.0.1");
    call->req.content_length = body ? (int64_t) strlen(body) : -1;
    if (api->no_length) {
        call->req.content_length = -1;
    }

    query = strchr(path, '?');
    call->req.path = judge_str_c(path);
    if (query) {
        call->req.path.len = (size_t) (query - path);
        call->req.query = judge_str_c(query + 1);
    }
    call->req.path = judge_str_dup(call->req.arena, call->req.path);
    call->req.query = judge_str_dup(call->req.arena, call->req.query);

    for (i = 0; i < JUDGE_HEADER_COUNT; i++) {
        call->req.headers[i] = judge_str_c(api->headers[i]);
        call->req.repeated[i] = api->repeated[i];
        api->headers[i] = NULL;
        api->repeated[i] = false;
    }

    if (!api->no_key && !call->req.headers[JUDGE_HEADER_X_API_KEY].data
        && !call->req.headers[JUDGE_HEADER_AUTHORIZATION].data)
    {
        call->req.headers[JUDGE_HEADER_X_API_KEY] = api->key;
    }

    if (body && !call->req.headers[JUDGE_HEADER_CONTENT_TYPE].data) {
        call->req.headers[JUDGE_HEADER_CONTENT_TYPE] =
            JUDGE_STR("application/json; charset=utf-8");
    }

    api->no_key = false;
    api->no_length = false;
    counts = t_memory_count(true);
    judge_req_start(&call->req, judge_routes);

    while (!api->later && !api->slow && t_pump(api)) {
        /* void */
    }

    (void) t_memory_count(counts);

    return call;
}


t_call_t *
t_sendf(t_api_t *api, const char *method, const char *body, const char *path,
    ...)
{
    char     text[1024];
    va_list  args;

    va_start(args, path);
    (void) vsnprintf(text, sizeof(text), path, args);
    va_end(args);

    return t_send(api, method, text, body);
}


static void
t_read_body(judge_req_t *r)
{
    size_t     i, n, len;
    t_call_t  *call = r->server;

    len = call->sends ? strlen(call->sends) : 0;

    for (i = 0; i < len; i += n) {
        n = len > T_LARGE ? T_LARGE_PIECE : T_PIECE;
        n = len - i < n ? len - i : n;
        judge_req_body(r, call->sends + i, n);
    }

    judge_req_body_end(r);
}


static void
t_take_answer(judge_req_t *r)
{
    bool       counts;
    t_call_t  *call = r->server;

    if (call->pieces.arena && !call->ended) {
        call->ended = call->cut = true;
        return;
    }

    if (call->status || call->left) {
        t_ok(false, "a request is answered once, and to somebody");
        return;
    }

    call->status = r->answer.status;
    call->body = r->answer.body;
    counts = t_memory_count(false);
    t_check_answer(call);
    t_record(call);
    (void) t_memory_count(counts);
}


static void
t_stream(judge_req_t *r)
{
    t_call_t  *call = r->server;

    call->status = r->answer.status;
    call->ready = true;
    judge_buf_init(&call->pieces, r->arena);
}


static void
t_pause(judge_req_t *r, judge_ms_t ms)
{
    t_call_t  *call = r->server;

    call->resume_at = call->api->now + ms;
}


static void
t_resume(judge_req_t *r)
{
    t_call_t  *call = r->server;

    call->ready = call->resume_at != 0;
    call->resume_at = 0;
}


static void
t_wake(void *data)
{
    (void) data;
}


static void
t_check_answer(t_call_t *call)
{
    judge_str_t  error;

    if (call->status == 204 || call->status == 304) {
        if (call->body.len) {
            t_ok(false, "an answer of %d has no body", call->status);
        }
        return;
    }

    if (call->status == 200 && call->req.answer.content_type
        && (strncmp(call->req.answer.content_type, "text/plain", 10) == 0
            || strncmp(call->req.answer.content_type, "image/", 6) == 0))
    {
        return;
    }

    if (call->req.answer.content_type == NULL
        || strcmp(call->req.answer.content_type, "application/json") != 0
        || judge_json_parse(call->req.arena, call->body, &call->json, &error)
           != JUDGE_OK
        || call->json->type != JUDGE_JSON_OBJECT)
    {
        t_ok(false, "an answer is a JSON object: %.*s", (int) call->body.len,
             call->body.data);
        call->json = NULL;
        return;
    }

    if (call->status >= 400
        && (call->json->count != 1 || t_get(call, "detail").len == 0))
    {
        t_ok(false, "an error is {\"detail\": …}: %.*s",
             (int) call->body.len, call->body.data);
    }
}


static void
t_hold(judge_req_t *r)
{
    ((t_call_t *) r->server)->held++;
}


static bool
t_release(judge_req_t *r)
{
    t_call_t  *call = r->server;

    call->held--;

    if (call->left && call->held == 0) {
        t_call_free(call);
        return false;
    }

    return !call->left;
}


void
t_leave(t_call_t *call)
{
    call->left = true;

    if (call->held == 0) {
        t_call_free(call);
    }
}


static void
t_call_free(t_call_t *call)
{
    t_call_t  **at;

    for (at = &call->api->calls; *at != call; at = &(*at)->next) {
        /* void */
    }

    *at = call->next;
    judge_req_cleanup(&call->req);
    judge_arena_destroy(call->req.arena);
    free(call);
}
