/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crypto/signature.h"
#include "base/json/fields.h"
#include "client.h"
#include "analysis/builtin/engine.h"


#define JUDGE_CLIENT_SECONDS  30    /* of a call, but for a claim's wait */


/* An item of the answer to a claim. */
typedef struct {
    judge_str_t      content_id;
    judge_str_t      file_type;
    judge_integer_t  size;
    judge_str_t      download_url;
} judge_media_job_content_t;

typedef struct {
    judge_str_t    name;
    judge_str_t    description;
    judge_json_t  *criteria;
} judge_media_job_judge_t;

typedef struct {
    judge_str_t                evaluation_id;
    judge_str_t                lease_id;
    judge_integer_t            attempt;
    judge_str_t                callback_url;
    judge_media_job_content_t  content;
    judge_media_job_judge_t    judge;
} judge_media_job_item_t;

/* A member of a request body. */
typedef struct {
    const char  *name;                 /* NULL behind the last */
    int          value;
} judge_client_number_t;

#define judge_in(of, member)  offsetof(of, member)
#define judge_media_job_text(of, member, flag)                                \
    { .name = #member, .type = JUDGE_FIELD_STRING, .flags = flag,             \
      .offset = judge_in(of, member) }

static const judge_field_t  judge_media_job_content_fields[] = {
    judge_media_job_text(judge_media_job_content_t, content_id,
                         JUDGE_REQUIRED),
    judge_media_job_text(judge_media_job_content_t, file_type, JUDGE_REQUIRED),
    { .name = "size", .type = JUDGE_FIELD_INTEGER,
      .offset = judge_in(judge_media_job_content_t, size) },
    judge_media_job_text(judge_media_job_content_t, download_url, 0),
    { .name = NULL }
};

static const judge_field_t  judge_media_job_judge_fields[] = {
    judge_media_job_text(judge_media_job_judge_t, name, 0),
    judge_media_job_text(judge_media_job_judge_t, description, 0),
    { .name = "criteria", .type = JUDGE_FIELD_ANY, .flags = JUDGE_REQUIRED,
      .offset = judge_in(judge_media_job_judge_t, criteria) },
    { .name = NULL }
};

static const judge_field_t  judge_media_job_fields[] = {
    judge_media_job_text(judge_media_job_item_t, evaluation_id,
                         JUDGE_REQUIRED),
    judge_media_job_text(judge_media_job_item_t, lease_id, JUDGE_REQUIRED),
    { .name = "attempt", .type = JUDGE_FIELD_INTEGER,
      .offset = judge_in(judge_media_job_item_t, attempt) },
    judge_media_job_text(judge_media_job_item_t, callback_url, JUDGE_REQUIRED),
    { .name = "content", .type = JUDGE_FIELD_OBJECT, .flags = JUDGE_REQUIRED,
      .offset = judge_in(judge_media_job_item_t, content),
      .fields = judge_media_job_content_fields },
    { .name = "judge", .type = JUDGE_FIELD_OBJECT, .flags = JUDGE_REQUIRED,
      .offset = judge_in(judge_media_job_item_t, judge),
      .fields = judge_media_job_judge_fields },
    { .name = NULL }
};


static judge_rc_e judge_client_claim_body(const judge_worker_conf_t *conf,
    judge_buf_t *out);
static judge_client_e judge_client_read(judge_arena_t *arena,
    judge_str_t body,
    judge_media_job_t *job, judge_client_answer_t *answer);
static judge_rc_e judge_client_take(judge_arena_t *arena,
    const judge_media_job_item_t *item, judge_media_job_t *job);
static judge_client_e judge_client_post(judge_client_t *client,
    const judge_media_job_t *job, const char *what,
    const judge_client_number_t *numbers, const char *reason,
    judge_client_answer_t *out);
static judge_client_e judge_client_send(judge_http_t *http,
    const judge_http_request_t *request, judge_client_answer_t *out,
                                   judge_http_answer_t *answer);
static void judge_client_detail(const judge_http_answer_t *answer,
    judge_client_answer_t *out);


bool
judge_client_init(judge_client_t *client, const judge_worker_conf_t *conf,
    judge_tick_pt tick, void *data)
{
    memset(client, 0, sizeof(judge_client_t));
    client->conf = conf;

    if (asprintf(&client->auth, "X-API-Key: %s", conf->api_key) < 0) {
        client->auth = NULL;
        return false;
    }

    if (!judge_http_init(&client->http)
        || !judge_http_init(&client->heartbeats))
    {
        return false;
    }

    client->http.tick = tick;
    client->http.data = data;

    return true;
}


void
judge_client_free(judge_client_t *client)
{
    judge_http_free(&client->http);
    judge_http_free(&client->heartbeats);
    free(client->auth);
}


/* --- Claiming ------------------------------------------------------------ */

judge_client_e
judge_client_claim(judge_client_t *client, judge_arena_t *arena,
    judge_media_job_t *job, judge_client_answer_t *out)
{
    judge_str_t     url;
    judge_buf_t     order;
    judge_client_e    outcome;
    judge_http_answer_t  answer;

    judge_buf_init(&order, arena);
    url = judge_str_printf(arena, "%s/v1/work/claim", client->conf->url);

    if (url.data == NULL
        || judge_client_claim_body(client->conf, &order) != JUDGE_OK)
    {
        return JUDGE_CLIENT_DOWN;
    }

    const judge_http_request_t  request = {
        .method = "POST", .url = url.data, .type = "application/json",
        .body = judge_buf_view(&order), .headers = { client->auth },
        .seconds = client->conf->wait + JUDGE_CLIENT_SECONDS, .file = -1 };

    outcome = judge_client_send(&client->http, &request, out, &answer);

    if (outcome == JUDGE_CLIENT_OK) {
        outcome = judge_client_read(arena, judge_buf_view(&answer.body),
                                    job, out);
    }

    judge_http_answer_free(&answer);

    if (outcome != JUDGE_CLIENT_OK) {
        return outcome;
    }

    job->until = judge_time_now() + 1000 * (judge_ms_t) client->conf->lease;

    return JUDGE_CLIENT_OK;
}


static judge_rc_e
judge_client_claim_body(const judge_worker_conf_t *conf, judge_buf_t *out)
{
    size_t               len;
    const char          *kind;
    judge_json_writer_t  w;

    judge_json_begin(&w, out);
    judge_json_object(&w);
    judge_json_key(&w, "kinds");
    judge_json_array(&w);

    for (kind = conf->kinds; *kind; kind += len + (kind[len] == ',')) {
        len = strcspn(kind, ",");
        if (len) {
            judge_json_str(&w, (judge_str_t) { len, kind });
        }
    }

    judge_json_array_end(&w);
    judge_json_key(&w, "sources");
    judge_json_array(&w);
    judge_json_str(&w, JUDGE_STR("file"));
    judge_json_array_end(&w);
    judge_json_put_int(&w, "max", 1);
    judge_json_put_int(&w, "wait", conf->wait);
    judge_json_put_int(&w, "lease", conf->lease);
    judge_json_object_end(&w);

    return judge_json_finish(&w);
}


static judge_client_e
judge_client_read(judge_arena_t *arena, judge_str_t body,
    judge_media_job_t *job, judge_client_answer_t *out)
{
    judge_str_t              error;
    judge_json_t            *root, *work;
    judge_media_job_item_t   item;

    memset(&item, 0, sizeof(judge_media_job_item_t));

    if (judge_json_parse(arena, body, &root, NULL) != JUDGE_OK
        || root->type != JUDGE_JSON_OBJECT
        || (work = judge_json_get(root, "work")) == NULL
        || work->type != JUDGE_JSON_ARRAY)
    {
        snprintf(out->why, sizeof(out->why), "the answer is not of this"
                 " protocol");
        return JUDGE_CLIENT_DOWN;
    }

    if (work->count == 0) {
        return JUDGE_CLIENT_NONE;
    }

    if (judge_fields_bind(arena, judge_media_job_fields, work->first,
                          JUDGE_STR("work[0]"), &item, &error) != JUDGE_OK
        || judge_client_take(arena, &item, job) != JUDGE_OK)
    {
        snprintf(out->why, sizeof(out->why), "the work is not of this"
                 " protocol");
        return JUDGE_CLIENT_DOWN;
    }

    return JUDGE_CLIENT_OK;
}


static judge_rc_e
judge_client_take(judge_arena_t *arena, const judge_media_job_item_t *item,
    judge_media_job_t *job)
{
    judge_buf_t          criteria;
    judge_json_writer_t  w;

    memset(job, 0, sizeof(judge_media_job_t));
    job->id = item->evaluation_id;
    job->lease = item->lease_id;
    job->attempt = item->attempt.value;
    job->content = item->content.content_id;
    job->type = item->content.file_type;
    job->kind = judge_media_kind_find(item->content.file_type);
    job->size = item->content.size.set ? item->content.size.value : -1;
    job->download = judge_str_dup(arena, item->content.download_url).data;
    job->callback = judge_str_dup(arena, item->callback_url).data;

    judge_buf_init(&criteria, arena);
    judge_json_begin(&w, &criteria);
    judge_json_value(&w, item->judge.criteria);

    if (job->callback == NULL || judge_json_finish(&w) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    return judge_rubric_read(arena, item->judge.name,
                             item->judge.description,
                             judge_buf_view(&criteria), &job->rubric);
}


/* --- The lease ----------------------------------------------------------- */

judge_client_e
judge_client_prolong(judge_client_t *client, judge_media_job_t *job,
    int percent,
    judge_client_answer_t *out)
{
    judge_ms_t                      now;
    judge_client_e                    outcome;
    const judge_client_number_t  numbers[] = {
        { "lease", client->conf->lease },
        { "progress_percentage", percent },
        { NULL, 0 }
    };

    now = judge_time_now();
    outcome = judge_client_post(client, job, "heartbeat", numbers, NULL, out);

    if (outcome == JUDGE_CLIENT_OK) {
        job->until = now + 1000 * (judge_ms_t) client->conf->lease;
    }

    return outcome;
}


judge_client_e
judge_client_release(judge_client_t *client, const judge_media_job_t *job,
    int delay, const char *why, judge_client_answer_t *out)
{
    const judge_client_number_t  numbers[] = {
        { "delay", delay }, { NULL, 0 }
    };

    return judge_client_post(client, job, "release", numbers, why, out);
}


static judge_client_e
judge_client_post(judge_client_t *client, const judge_media_job_t *job,
    const char *what, const judge_client_number_t *numbers, const char *reason,
    judge_client_answer_t *out)
{
    size_t               i;
    judge_str_t          url;
    judge_buf_t          body;
    judge_arena_t       *arena;
    judge_client_e         outcome;
    judge_http_answer_t       answer;
    judge_json_writer_t  w;

    outcome = JUDGE_CLIENT_DOWN;
    arena = judge_arena_create(2048);
    if (arena == NULL) {
        return outcome;
    }

    judge_buf_init(&body, arena);
    judge_json_begin(&w, &body);
    judge_json_object(&w);
    judge_json_put_str(&w, "lease_id", job->lease);
    for (i = 0; numbers[i].name; i++) {
        judge_json_put_int(&w, numbers[i].name, numbers[i].value);
    }
    if (reason && *reason) {
        judge_json_put_c(&w, "reason", reason);
    }
    judge_json_object_end(&w);

    url = judge_str_printf(arena, "%s/v1/work/%.*s/%s", client->conf->url,
                           (int) job->id.len, job->id.data, what);

    if (judge_json_finish(&w) == JUDGE_OK && url.data) {
        const judge_http_request_t  request = {
            .method = "POST", .url = url.data, .type = "application/json",
            .body = judge_buf_view(&body), .headers = { client->auth },
            .seconds = JUDGE_CLIENT_SECONDS / 3, .file = -1 };

        outcome = judge_client_send(&client->heartbeats, &request, out,
                                    &answer);
        judge_http_answer_free(&answer);
    }

    judge_arena_destroy(arena);

    return outcome;
}


/* --- Results ------------------------------------------------------------- */

judge_client_e
judge_client_keyframe(judge_client_t *client, const judge_media_job_t *job,
    unsigned position, double at, judge_str_t jpeg, judge_client_answer_t *out)
{
    judge_str_t      url;
    judge_client_e     outcome;
    judge_arena_t   *arena;
    judge_http_answer_t   answer;

    outcome = JUDGE_CLIENT_DOWN;
    arena = judge_arena_create(2048);
    if (arena == NULL) {
        return outcome;
    }

    url = judge_str_printf(arena, "%s/v1/work/%.*s/frames/%u?lease_id=%.*s"
                           "&at=%.3f", client->conf->url,
                           (int) job->id.len, job->id.data, position,
                           (int) job->lease.len, job->lease.data, at);

    if (url.data) {
        const judge_http_request_t  request = {
            .method = "PUT", .url = url.data, .type = "image/jpeg",
            .body = jpeg, .headers = { client->auth },
            .seconds = JUDGE_CLIENT_SECONDS, .file = -1 };

        outcome = judge_client_send(&client->http, &request, out, &answer);
        judge_http_answer_free(&answer);
    }

    judge_arena_destroy(arena);

    return outcome;
}


judge_client_e
judge_client_report(judge_client_t *client, const judge_media_job_t *job,
    judge_str_t report, judge_client_answer_t *out)
{
    judge_str_t      signature, line;
    judge_client_e     outcome;
    judge_arena_t   *arena;
    judge_http_answer_t   answer;

    outcome = JUDGE_CLIENT_DOWN;
    arena = judge_arena_create(2048);
    if (arena == NULL) {
        return outcome;
    }

    signature = judge_signature_hex(arena, judge_str_c(client->conf->secret),
                                    report);
    line = judge_str_printf(arena, "X-Webhook-Signature: %.*s",
                            (int) signature.len, signature.data);

    if (signature.data && line.data) {
        const judge_http_request_t  request = {
            .method = "POST", .url = job->callback,
            .type = "application/json", .body = report,
            .headers = { line.data }, .seconds = JUDGE_CLIENT_SECONDS,
            .file = -1 };

        outcome = judge_client_send(&client->heartbeats, &request, out,
                                    &answer);
        judge_http_answer_free(&answer);
    }

    judge_arena_destroy(arena);

    return outcome;
}


/* --- Answers ------------------------------------------------------------- */

static judge_client_e
judge_client_send(judge_http_t *http, const judge_http_request_t *request,
    judge_client_answer_t *out, judge_http_answer_t *answer)
{
    int  status;

    memset(out, 0, sizeof(judge_client_answer_t));

    if (judge_http_send(http, request, answer) != JUDGE_OK) {
        snprintf(out->why, sizeof(out->why), "%s",
                 answer->why ? answer->why : "");
        return answer->stopped ? JUDGE_CLIENT_STOPPED : JUDGE_CLIENT_DOWN;
    }

    out->attempt = answer->attempt;
    status = answer->attempt.status;

    if (status >= 200 && status < 300) {
        return JUDGE_CLIENT_OK;
    }

    judge_client_detail(answer, out);

    switch (status) {

    case 400:
    case 413:
    case 415:
        return JUDGE_CLIENT_REFUSED;

    case 404:
    case 409:
        return JUDGE_CLIENT_GONE;

    default:
        return status >= 300 && status < 500
               && !judge_attempt_is_transient(&answer->attempt)
               ? JUDGE_CLIENT_DENIED : JUDGE_CLIENT_DOWN;
    }
}


/* The beginning of {"detail": "..."}. */

static void
judge_client_detail(const judge_http_answer_t *answer,
    judge_client_answer_t *out)
{
    size_t          len;
    judge_str_t     text;
    judge_json_t   *root, *detail;
    judge_arena_t  *arena;

    text = JUDGE_STR("");
    arena = judge_arena_create(4096);

    if (arena && judge_json_parse(arena, judge_buf_view(&answer->body), &root,
                                  NULL) == JUDGE_OK
        && root->type == JUDGE_JSON_OBJECT
        && (detail = judge_json_get(root, "detail")) != NULL
        && detail->type == JUDGE_JSON_STRING)
    {
        text = detail->string;
    }

    len = text.len < 200 ? text.len : 200;
    snprintf(out->why, sizeof(out->why), "%d%s%.*s", answer->attempt.status,
             len ? " " : "", (int) len, text.data);

    judge_arena_destroy(arena);
}
