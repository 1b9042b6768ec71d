/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/fields.h"
#include "base/crypto/signature.h"
#include "job.h"
#include "analysis/llm/rubric.h"


#define JUDGE_MEDIA_JOB_SECONDS  30    /* of a call, but for a claim's wait */


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

/* A member of what is told. */
typedef struct {
    const char  *name;                 /* NULL behind the last */
    int          value;
} judge_media_job_number_t;

#define judge_in(of, member)  offsetof(of, member)
#define judge_media_job_text(of, member, flag)                                \
    { .name = #member, .type = JUDGE_FIELD_STRING, .flags = flag,             \
      .offset = judge_in(of, member) }

static const judge_field_t  judge_media_job_content_fields[] = {
    judge_media_job_text(judge_media_job_content_t, content_id,
                         JUDGE_REQUIRED),
    judge_media_job_text(judge_media_job_content_t, file_type, JUDGE_REQUIRED),
    { .name = "size", .type = JUDGE_FIELD_INTEGER, .flags = JUDGE_NULLABLE,
      .offset = judge_in(judge_media_job_content_t, size) },
    judge_media_job_text(judge_media_job_content_t, download_url,
                         JUDGE_NULLABLE),
    { .name = NULL }
};

static const judge_field_t  judge_media_job_judge_fields[] = {
    judge_media_job_text(judge_media_job_judge_t, name, JUDGE_NULLABLE),
    judge_media_job_text(judge_media_job_judge_t, description, JUDGE_NULLABLE),
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


static judge_rc_e judge_media_job_order(const judge_worker_conf_t *conf,
    judge_buf_t *out);
static judge_desk_e judge_media_job_read(judge_arena_t *arena,
    judge_str_t body,
    judge_media_job_t *errand, judge_desk_answer_t *answer);
static judge_rc_e judge_media_job_take(judge_arena_t *arena,
    const judge_media_job_item_t *item, judge_media_job_t *errand);
static judge_desk_e judge_media_job_post(judge_desk_t *desk,
    const judge_media_job_t *errand, const char *what,
    const judge_media_job_number_t *numbers, judge_desk_answer_t *out);
static judge_desk_e judge_desk_ask(judge_service_client_t *client,
    const judge_llm_call_t *ask, judge_desk_answer_t *out,
                                   judge_answer_t *answer);
static void judge_desk_detail(const judge_answer_t *answer,
    judge_desk_answer_t *out);


bool
judge_desk_init(judge_desk_t *desk, const judge_worker_conf_t *conf,
    judge_tick_pt tick, void *data)
{
    memset(desk, 0, sizeof(judge_desk_t));
    desk->conf = conf;

    if (asprintf(&desk->auth, "X-API-Key: %s", conf->api_key) < 0) {
        desk->auth = NULL;
        return false;
    }

    if (!judge_service_client_init(&desk->client)
        || !judge_service_client_init(&desk->beats))
    {
        return false;
    }

    desk->client.tick = tick;
    desk->client.data = data;

    return true;
}


void
judge_desk_free(judge_desk_t *desk)
{
    judge_service_client_free(&desk->client);
    judge_service_client_free(&desk->beats);
    free(desk->auth);
}


/* --- Claiming ------------------------------------------------------------ */

judge_desk_e
judge_media_job_claim(judge_desk_t *desk, judge_arena_t *arena,
    judge_media_job_t *errand, judge_desk_answer_t *out)
{
    judge_str_t     url;
    judge_buf_t     order;
    judge_desk_e    outcome;
    judge_answer_t  answer;

    judge_buf_init(&order, arena);
    url = judge_str_printf(arena, "%s/v1/work/claim", desk->conf->url);

    if (url.data == NULL
        || judge_media_job_order(desk->conf, &order) != JUDGE_OK)
    {
        return JUDGE_DESK_DOWN;
    }

    const judge_llm_call_t  ask = {
        .method = "POST", .url = url.data, .type = "application/json",
        .body = judge_buf_view(&order), .headers = { desk->auth },
        .seconds = desk->conf->wait + JUDGE_MEDIA_JOB_SECONDS, .file = -1 };

    outcome = judge_desk_ask(&desk->client, &ask, out, &answer);

    if (outcome == JUDGE_DESK_OK) {
        outcome = judge_media_job_read(arena, judge_buf_view(&answer.body),
                                       errand, out);
    }

    judge_answer_free(&answer);

    if (outcome != JUDGE_DESK_OK) {
        return outcome;
    }

    errand->until = judge_time_now() + 1000 * (judge_ms_t) desk->conf->lease;

    return JUDGE_DESK_OK;
}


static judge_rc_e
judge_media_job_order(const judge_worker_conf_t *conf, judge_buf_t *out)
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


static judge_desk_e
judge_media_job_read(judge_arena_t *arena, judge_str_t body,
    judge_media_job_t *errand, judge_desk_answer_t *out)
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
        return JUDGE_DESK_DOWN;
    }

    if (work->count == 0) {
        return JUDGE_DESK_NONE;
    }

    if (judge_fields_bind(arena, judge_media_job_fields, work->first,
                          JUDGE_STR("work[0]"), &item, &error) != JUDGE_OK
        || judge_media_job_take(arena, &item, errand) != JUDGE_OK)
    {
        snprintf(out->why, sizeof(out->why), "the work is not of this"
                 " protocol");
        return JUDGE_DESK_DOWN;
    }

    return JUDGE_DESK_OK;
}


static judge_rc_e
judge_media_job_take(judge_arena_t *arena, const judge_media_job_item_t *item,
    judge_media_job_t *errand)
{
    judge_buf_t          criteria;
    judge_json_writer_t  w;

    memset(errand, 0, sizeof(judge_media_job_t));
    errand->id = item->evaluation_id;
    errand->lease = item->lease_id;
    errand->attempt = item->attempt.value;
    errand->content = item->content.content_id;
    errand->type = item->content.file_type;
    errand->kind = judge_media_kind_find(item->content.file_type);
    errand->size = item->content.size.set ? item->content.size.value : -1;
    errand->download = judge_str_dup(arena, item->content.download_url).data;
    errand->callback = judge_str_dup(arena, item->callback_url).data;

    judge_buf_init(&criteria, arena);
    judge_json_begin(&w, &criteria);
    judge_json_value(&w, item->judge.criteria);

    if (errand->callback == NULL || judge_json_finish(&w) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    return judge_rubric_read(arena, item->judge.name,
                             item->judge.description,
                             judge_buf_view(&criteria), &errand->rubric);
}


/* --- The lease ----------------------------------------------------------- */

judge_desk_e
judge_media_job_prolong(judge_desk_t *desk, judge_media_job_t *errand,
    int percent,
    judge_desk_answer_t *out)
{
    judge_ms_t                      now;
    judge_desk_e                    outcome;
    const judge_media_job_number_t  numbers[] = {
        { "lease", desk->conf->lease },
        { "progress_percentage", percent },
        { NULL, 0 }
    };

    now = judge_time_now();
    outcome = judge_media_job_post(desk, errand, "heartbeat", numbers, out);

    if (outcome == JUDGE_DESK_OK) {
        errand->until = now + 1000 * (judge_ms_t) desk->conf->lease;
    }

    return outcome;
}


judge_desk_e
judge_media_job_release(judge_desk_t *desk, const judge_media_job_t *errand,
    int delay, judge_desk_answer_t *out)
{
    const judge_media_job_number_t  numbers[] = {
        { "delay", delay }, { NULL, 0 }
    };

    return judge_media_job_post(desk, errand, "release", numbers, out);
}


/* Identifiers are letters, digits and "_", but they came from outside. */

static judge_desk_e
judge_media_job_post(judge_desk_t *desk, const judge_media_job_t *errand,
    const char *what, const judge_media_job_number_t *numbers,
    judge_desk_answer_t *out)
{
    size_t               i;
    judge_str_t          url;
    judge_buf_t          body;
    judge_arena_t       *arena;
    judge_desk_e         outcome;
    judge_answer_t       answer;
    judge_json_writer_t  w;

    outcome = JUDGE_DESK_DOWN;
    arena = judge_arena_create(2048);
    if (arena == NULL) {
        return outcome;
    }

    judge_buf_init(&body, arena);
    judge_json_begin(&w, &body);
    judge_json_object(&w);
    judge_json_put_str(&w, "lease_id", errand->lease);
    for (i = 0; numbers[i].name; i++) {
        judge_json_put_int(&w, numbers[i].name, numbers[i].value);
    }
    judge_json_object_end(&w);

    url = judge_str_printf(arena, "%s/v1/work/%.*s/%s", desk->conf->url,
                           (int) errand->id.len, errand->id.data, what);

    if (judge_json_finish(&w) == JUDGE_OK && url.data) {
        const judge_llm_call_t  ask = {
            .method = "POST", .url = url.data, .type = "application/json",
            .body = judge_buf_view(&body), .headers = { desk->auth },
            .seconds = JUDGE_MEDIA_JOB_SECONDS / 3, .file = -1 };

        outcome = judge_desk_ask(&desk->beats, &ask, out, &answer);
        judge_answer_free(&answer);
    }

    judge_arena_destroy(arena);

    return outcome;
}


/* --- What comes of it ---------------------------------------------------- */

judge_desk_e
judge_media_job_frame(judge_desk_t *desk, const judge_media_job_t *errand,
    unsigned position, double at, judge_str_t jpeg, judge_desk_answer_t *out)
{
    judge_str_t      url;
    judge_desk_e     outcome;
    judge_arena_t   *arena;
    judge_answer_t   answer;

    outcome = JUDGE_DESK_DOWN;
    arena = judge_arena_create(2048);
    if (arena == NULL) {
        return outcome;
    }

    url = judge_str_printf(arena, "%s/v1/work/%.*s/frames/%u?lease_id=%.*s"
                           "&at=%.3f", desk->conf->url,
                           (int) errand->id.len, errand->id.data, position,
                           (int) errand->lease.len, errand->lease.data, at);

    if (url.data) {
        const judge_llm_call_t  ask = {
            .method = "PUT", .url = url.data, .type = "image/jpeg",
            .body = jpeg, .headers = { desk->auth },
            .seconds = JUDGE_MEDIA_JOB_SECONDS, .file = -1 };

        outcome = judge_desk_ask(&desk->client, &ask, out, &answer);
        judge_answer_free(&answer);
    }

    judge_arena_destroy(arena);

    return outcome;
}


judge_desk_e
judge_media_job_report(judge_desk_t *desk, const judge_media_job_t *errand,
    judge_str_t report, judge_desk_answer_t *out)
{
    judge_str_t      signature, line;
    judge_desk_e     outcome;
    judge_arena_t   *arena;
    judge_answer_t   answer;

    outcome = JUDGE_DESK_DOWN;
    arena = judge_arena_create(2048);
    if (arena == NULL) {
        return outcome;
    }

    signature = judge_signature_hex(arena, judge_str_c(desk->conf->secret),
                                    report);
    line = judge_str_printf(arena, "X-Webhook-Signature: %.*s",
                            (int) signature.len, signature.data);

    if (signature.data && line.data) {
        const judge_llm_call_t  ask = {
            .method = "POST", .url = errand->callback,
            .type = "application/json", .body = report,
            .headers = { line.data }, .seconds = JUDGE_MEDIA_JOB_SECONDS,
            .file = -1 };

        outcome = judge_desk_ask(&desk->beats, &ask, out, &answer);
        judge_answer_free(&answer);
    }

    judge_arena_destroy(arena);

    return outcome;
}


/* --- Answers ------------------------------------------------------------- */

static judge_desk_e
judge_desk_ask(judge_service_client_t *client, const judge_llm_call_t *ask,
    judge_desk_answer_t *out, judge_answer_t *answer)
{
    int  status;

    memset(out, 0, sizeof(judge_desk_answer_t));

    if (judge_service_client_ask(client, ask, answer) != JUDGE_OK) {
        snprintf(out->why, sizeof(out->why), "%s",
                 answer->why ? answer->why : "");
        return answer->stopped ? JUDGE_DESK_STOPPED : JUDGE_DESK_DOWN;
    }

    out->attempt = answer->attempt;
    status = answer->attempt.status;

    if (status >= 200 && status < 300) {
        return JUDGE_DESK_OK;
    }

    judge_desk_detail(answer, out);

    switch (status) {

    case 400:
    case 413:
    case 415:
        return JUDGE_DESK_REFUSED;

    case 404:
    case 409:
        return JUDGE_DESK_GONE;

    default:
        return status >= 300 && status < 500
               && !judge_attempt_is_transient(&answer->attempt)
               ? JUDGE_DESK_DENIED : JUDGE_DESK_DOWN;
    }
}


/* {"detail": "..."}, the begin of it. */

static void
judge_desk_detail(const judge_answer_t *answer, judge_desk_answer_t *out)
{
    size_t          len;
    judge_str_t     said;
    judge_json_t   *root, *detail;
    judge_arena_t  *arena;

    said = JUDGE_STR("");
    arena = judge_arena_create(4096);

    if (arena && judge_json_parse(arena, judge_buf_view(&answer->body), &root,
                                  NULL) == JUDGE_OK
        && root->type == JUDGE_JSON_OBJECT
        && (detail = judge_json_get(root, "detail")) != NULL
        && detail->type == JUDGE_JSON_STRING)
    {
        said = detail->string;
    }

    len = said.len < 200 ? said.len : 200;
    snprintf(out->why, sizeof(out->why), "%d%s%.*s", answer->attempt.status,
             len ? " " : "", (int) len, said.data);

    judge_arena_destroy(arena);
}
