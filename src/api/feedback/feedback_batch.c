/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Feedback on the evaluations of a batch, many entries at once.  A wrong entry
 * is reported and the others are stored; checks and rendering run in a thread,
 * and each kind of row is read from the store once for all entries. */


#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/net/url.h"
#include "store/store_batch.h"
#include "work/feedback/feedback_queue.h"
#include "work/training/training.h"
#include "work/training/training_config.h"
#include "api/feedback/feedback_entry.h"
#include "api/http/request.h"
#include "api/judges/criteria.h"


#define JUDGE_FEEDBACK_ENTRIES   10000

/* An entry of the body, which becomes a row. */
typedef struct {
    judge_feedback_entry_t    entry;
    judge_str_t               error;   /* absent: valid so far */
    judge_feedback_target_t  *target;
    judge_id_t                id;
} judge_feedback_item_t;

/* A version of a judge that evaluations of the batch were scored by. */
typedef struct {
    judge_list_t            criteria;  /* of judge_criterion_row_t */
    judge_feedback_stats_t  impact;
    judge_str_t             job;       /* id of the training job; or absent */
    bool                    creates_job; /* the job has to be created */
} judge_feedback_judge_t;

typedef struct {
    judge_json_t                 *entries;
    judge_boolean_t               retrain;
    judge_boolean_t               email;
    judge_str_t                   webhook_url;

    judge_batch_find_t            batch;
    judge_id_t                    session;
    judge_feedback_item_t        *items;
    size_t                        nitems;
    judge_feedback_targets_t      find;
    judge_batch_criteria_t        versions;
    judge_feedback_judge_t       *judges;        /* one for each version */
    size_t                        next;          /* index in judges */
    judge_training_summary_t      waiting;
    judge_feedback_create_t       create;
    judge_rc_e                    rc;            /* outcome of the thread */
} judge_feedback_batch_t;


static void judge_feedback_batch(judge_req_t *r);
static void judge_feedback_batch_found(judge_req_t *r);
static void judge_feedback_batch_bind(judge_req_t *r);
static int judge_feedback_batch_order(const void *a, const void *b);
static void judge_feedback_batch_bound(judge_req_t *r);
static void judge_feedback_batch_versions(judge_req_t *r);
static void judge_feedback_batch_check_all(judge_req_t *r);
static void judge_feedback_batch_jobs(judge_req_t *r);
static void judge_feedback_batch_job(judge_req_t *r);
static void judge_feedback_batch_render(judge_req_t *r);
static void judge_feedback_batch_insert(judge_req_t *r);
static void judge_feedback_batch_committed(judge_req_t *r, judge_op_t *op);
static void judge_feedback_batch_inserted(judge_req_t *r);

static const judge_field_t  judge_feedback_notify_fields[] = {
    judge_field(judge_feedback_batch_t, email, BOOLEAN, 0, 0, 0),
    judge_field(judge_feedback_batch_t, webhook_url, STRING, 0, 1,
                JUDGE_URL_MAX),
    { .name = NULL }
};

static const judge_field_t  judge_feedback_options_fields[] = {
    judge_field_as("auto_trigger_retraining", judge_feedback_batch_t, retrain,
                   BOOLEAN, 0, 0, 0),
    { .name = "notification_preferences", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_feedback_notify_fields },
    { .name = NULL }
};

static const judge_field_t  judge_feedback_batch_fields[] = {
    judge_field_as("feedback_entries", judge_feedback_batch_t, entries, ANY, 0,
                   0, 0),
    { .name = "feedback_options", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_feedback_options_fields },
    { .name = NULL }
};


const judge_route_t  judge_feedback_batch_routes[] = {
    { judge_route(POST, "/batches/{batch_id}/feedback",
                  JUDGE_MAY_WRITE_FEEDBACK,
                  JUDGE_ROUTE_CREATES | JUDGE_ROUTE_LARGE_BODY,
                  judge_feedback_batch_t),
      .body = judge_feedback_batch_fields, .handler = judge_feedback_batch,
      .location = "/feedback/sessions/{id}" },
    { .pattern = NULL }
};


/* The entries are bound later, one by one, because a wrong one must not make
 * the request fail. */

static void
judge_feedback_batch(judge_req_t *r)
{
    judge_feedback_batch_t  *c = r->ctx;

    if (c->entries == NULL || c->entries->type != JUDGE_JSON_ARRAY
        || c->entries->count == 0
        || c->entries->count > JUDGE_FEEDBACK_ENTRIES)
    {
        judge_fail(r, 400, "feedback_entries: %sexpected an array of 1 to %d"
                           " items", c->entries ? "" : "required, ",
                   JUDGE_FEEDBACK_ENTRIES);
        return;
    }

    if (!judge_check_url(r, "feedback_options.notification_preferences"
                            ".webhook_url", &c->webhook_url))
    {
        return;
    }

    c->batch.op.kind = JUDGE_OP_BATCH_FIND;
    c->batch.id = r->params[0];
    c->batch.brief = true;
    judge_await_found(r, &c->batch.op, "there is no such batch",
                      judge_feedback_batch_found);
}


static void
judge_feedback_batch_found(judge_req_t *r)
{
    size_t                   i;
    judge_rc_e               rc;
    judge_feedback_batch_t  *c = r->ctx;

    c->create.now = judge_now(r->service);
    c->nitems = c->entries->count;
    c->items = judge_array_alloc(r->arena, c->nitems,
                                 sizeof(judge_feedback_item_t));

    /* Identifiers that one thread makes sort in the order of the calls. */
    rc = c->items ? judge_id_make(&c->session, "fbs", c->create.now)
                  : JUDGE_NOMEM;

    for (i = 0; rc == JUDGE_OK && i < c->nitems; i++) {
        rc = judge_id_make(&c->items[i].id, "fbk", c->create.now);
    }

    if (judge_check(r, rc, NULL)) {
        judge_compute(r, judge_feedback_batch_bind,
                      judge_feedback_batch_bound);
    }
}


/* --- In a thread: what needs no store ------------------------------------ */

static judge_rc_e
judge_feedback_batch_bind_one(judge_req_t *r, const judge_json_t *json,
    judge_feedback_item_t *item)
{
    judge_rc_e     rc;
    judge_json_t  *id;

    if (json->type != JUDGE_JSON_OBJECT) {
        item->error = JUDGE_STR("expected an object");
        return JUDGE_OK;
    }

    rc = judge_fields_bind_known(r->arena, judge_feedback_entry_fields, json,
                                 JUDGE_STR(""), &item->entry, &item->error,
                                 &r->unknown);
    if (rc == JUDGE_OK) {
        rc = judge_auth_person(r, "submitted_by_person",
                               &item->entry.submitted_by_person, &item->error);
    }
    if (rc == JUDGE_OK) {
        rc = judge_feedback_entry_check(r->arena, &item->entry, &item->error);
    }

    id = judge_json_get(json, "evaluation_id");
    if (rc == JUDGE_OK && item->entry.evaluation_id.data == NULL) {
        item->error = JUDGE_STR("evaluation_id: required, expected a"
                                " non-empty string of at most 200"
                                " characters");
    }

    /* The result of a wrong entry names its evaluation, too. */
    if (id && id->type == JUDGE_JSON_STRING && id->string.len <= 200) {
        item->entry.evaluation_id = id->string;
    }

    return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
}


/* Reads each evaluation once: entries on the same one share a target. */

static judge_rc_e
judge_feedback_batch_targets(judge_req_t *r)
{
    size_t                    i, n;
    judge_feedback_item_t   **order, *item;
    judge_feedback_batch_t   *c = r->ctx;

    order = judge_array_alloc(r->arena, c->nitems,
                              sizeof(judge_feedback_item_t *));
    c->find.targets = judge_array_alloc(r->arena, c->nitems,
                                        sizeof(judge_feedback_target_t));
    if (order == NULL || c->find.targets == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, n = 0; i < c->nitems; i++) {
        if (c->items[i].error.data == NULL) {
            order[n++] = &c->items[i];
        }
    }

    qsort(order, n, sizeof(judge_feedback_item_t *),
          judge_feedback_batch_order);

    for (i = 0; i < n; i++) {
        item = order[i];

        if (i == 0 || !judge_str_eq(order[i - 1]->entry.evaluation_id,
                                    item->entry.evaluation_id))
        {
            c->find.targets[c->find.count++].id = item->entry.evaluation_id;
        }

        item->target = &c->find.targets[c->find.count - 1];
    }

    return JUDGE_OK;
}


static void
judge_feedback_batch_bind(judge_req_t *r)
{
    char                     path[64];
    size_t                   i;
    judge_json_t            *json;
    judge_feedback_batch_t  *c = r->ctx;

    json = c->entries->first;
    c->rc = JUDGE_OK;

    for (i = 0; c->rc == JUDGE_OK && i < c->nitems; i++) {
        (void) snprintf(path, sizeof(path), "feedback_entries[%zu].", i);
        r->unknown.prefix = judge_str_c(path);
        c->rc = judge_feedback_batch_bind_one(r, json, &c->items[i]);
        json = json->next;
    }

    r->unknown.prefix = (judge_str_t) { 0, NULL };

    c->rc = c->rc ? c->rc : judge_feedback_batch_targets(r);
}


static int
judge_feedback_batch_order(const void *a, const void *b)
{
    int          diff;
    judge_str_t  x, y;

    x = (*(judge_feedback_item_t *const *) a)->entry.evaluation_id;
    y = (*(judge_feedback_item_t *const *) b)->entry.evaluation_id;

    diff = memcmp(x.data, y.data, x.len < y.len ? x.len : y.len);

    return diff ? diff : (x.len > y.len) - (x.len < y.len);
}


/* --- The evaluations and judges of the entries --------------------------- */

static void
judge_feedback_batch_bound(judge_req_t *r)
{
    judge_feedback_batch_t  *c = r->ctx;

    if (!judge_req_known(r) || !judge_check(r, c->rc, NULL)) {
        return;
    }

    c->find.op.kind = JUDGE_OP_FEEDBACK_TARGETS;
    c->find.batch_id = r->params[0];
    c->find.take = judge_feedback_entry_take;
    judge_await(r, &c->find.op, judge_feedback_batch_versions);
}


static size_t
judge_feedback_batch_version(judge_feedback_batch_t *c,
    const judge_feedback_target_t *target)
{
    size_t  i;

    for (i = 0; i < c->versions.count; i++) {
        if (c->versions.versions[i] == target->judge_version
            && judge_str_eq(c->versions.judge_ids[i], target->judge_id))
        {
            break;
        }
    }

    return i;
}


/* Reads the criteria of the judges' versions, which are few: a batch has one
 * version of each of its judges. */

static void
judge_feedback_batch_versions(judge_req_t *r)
{
    size_t                   i;
    judge_batch_criteria_t  *v;
    judge_feedback_batch_t  *c = r->ctx;

    v = &c->versions;
    v->judge_ids = judge_array_alloc(r->arena, c->nitems, sizeof(judge_str_t));
    v->versions = judge_array_alloc(r->arena, c->nitems, sizeof(int64_t));

    if (v->judge_ids == NULL || v->versions == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    for (i = 0; i < c->find.count; i++) {
        if (c->find.targets[i].found
            && judge_feedback_batch_version(c, &c->find.targets[i])
               == v->count)
        {
            v->judge_ids[v->count] = c->find.targets[i].judge_id;
            v->versions[v->count++] = c->find.targets[i].judge_version;
        }
    }

    v->criteria = judge_array_alloc(r->arena, v->count, sizeof(judge_str_t));
    if (v->criteria == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    v->op.kind = JUDGE_OP_BATCH_CRITERIA;
    judge_await_compute(r, &v->op, judge_feedback_batch_check_all,
                        judge_feedback_batch_jobs);
}


/* --- In a thread: the rest of the checks, and the rows ------------------- */

static judge_rc_e
judge_feedback_batch_check_one(judge_req_t *r, judge_feedback_item_t *item,
    judge_feedback_judge_t *judge)
{
    judge_rc_e                      rc;
    judge_feedback_row_t           *row;
    judge_feedback_batch_t         *c = r->ctx;
    const judge_feedback_target_t  *target = item->target;

    if (!judge_str_eq_c(target->status, "completed")) {
        item->error = judge_str_printf(r->arena, "only a completed evaluation"
                          " takes feedback; this one is %.*s",
                          judge_str_args(target->status));
        return item->error.data ? JUDGE_OK : JUDGE_NOMEM;
    }

    if (target->scores == NULL) {
        return JUDGE_ERROR;
    }

    rc = judge_feedback_entry_fits(r->arena, &item->entry, &judge->criteria,
                                   &item->error);
    if (rc == JUDGE_INVALID) {
        return JUDGE_OK;
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_feedback_entry_count(&item->entry, &judge->criteria, target->scores,
                               &judge->impact);

    row = &c->create.rows[c->create.count++];
    row->id = judge_id_str(&item->id);
    row->evaluation_id = target->id;

    return judge_feedback_entry_row(r->arena, &item->entry, target->scores,
                                    row);
}


static void
judge_feedback_batch_check_all(judge_req_t *r)
{
    size_t                    i, n;
    judge_feedback_item_t    *item;
    judge_feedback_batch_t   *c = r->ctx;

    n = c->versions.count;
    c->judges = judge_array_alloc(r->arena, n, sizeof(judge_feedback_judge_t));
    c->create.rows = judge_array_alloc(r->arena, c->nitems,
                                       sizeof(judge_feedback_row_t));
    c->rc = c->judges && c->create.rows ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; c->rc == JUDGE_OK && i < n; i++) {
        c->rc = c->versions.criteria[i].data == NULL ? JUDGE_ERROR
                : judge_criteria_read(r->arena, c->versions.criteria[i],
                                      &c->judges[i].criteria);
    }

    for (i = 0; c->rc == JUDGE_OK && i < c->nitems; i++) {
        item = &c->items[i];

        if (item->error.data) {
            continue;
        }

        if (!item->target->found) {
            item->error = JUDGE_STR("evaluation_id: expected an evaluation of"
                                    " this batch");
            continue;
        }

        n = judge_feedback_batch_version(c, item->target);
        c->rc = judge_feedback_batch_check_one(r, item, &c->judges[n]);
    }
}


/* --- Training jobs ------------------------------------------------------- */

/* A judge gets one job, even if several of its versions recommend training. */

static void
judge_feedback_batch_jobs(judge_req_t *r)
{
    size_t                   i, k;
    judge_feedback_batch_t  *c = r->ctx;

    if (!judge_check(r, c->rc, NULL)) {
        return;
    }

    while (c->retrain.value && c->next < c->versions.count) {
        i = c->next++;

        k = judge_str_index(c->versions.judge_ids, i,
                            c->versions.judge_ids[i]);

        if ((k == i || c->judges[k].job.data == NULL)
            && judge_feedback_stats_retrain(&c->judges[i].impact))
        {
            c->waiting = (judge_training_summary_t) {
                .op = { .kind = JUDGE_OP_TRAINING_SUMMARY },
                .judge_id = c->versions.judge_ids[i]
            };
            judge_await(r, &c->waiting.op, judge_feedback_batch_job);
            return;
        }
    }

    judge_compute(r, judge_feedback_batch_render, judge_feedback_batch_insert);
}


/* A job that is queued already will use this feedback, too; a judge that has
 * been deleted gets none. */

static void
judge_feedback_batch_job(judge_req_t *r)
{
    judge_feedback_batch_t  *c = r->ctx;
    judge_feedback_judge_t  *judge = &c->judges[c->next - 1];

    c->rc = c->waiting.op.rc;
    judge->job = c->waiting.waiting;
    judge->creates_job = c->waiting.found && judge->job.data == NULL;

    if (c->rc == JUDGE_OK && judge->creates_job) {
        c->rc = judge_training_id(r->arena, "trj", c->create.now, &judge->job);
    }

    judge_feedback_batch_jobs(r);
}


/* --- In a thread: the answer --------------------------------------------- */

/* Rates are over all entries; whether training is recommended is decided for
 * each judge. */

static void
judge_feedback_batch_impact(judge_json_writer_t *w,
    const judge_feedback_batch_t *c)
{
    bool                    retrain;
    size_t                  i;
    int64_t                 decided;
    judge_feedback_stats_t  all;

    retrain = false;
    memset(&all, 0, sizeof(judge_feedback_stats_t));

    for (i = 0; i < c->versions.count; i++) {
        judge_feedback_stats_add(&all, &c->judges[i].impact);
        retrain = retrain
                  || judge_feedback_stats_retrain(&c->judges[i].impact);
    }

    decided = all.approvals + all.rejections;

    judge_json_key_object(w, "impact_analysis");
    judge_json_put_int(w, "significant_corrections", all.significant);

    if (decided) {
        judge_json_put_number2(w, "approval_rate",
                               (double) all.approvals / (double) decided);
    }

    if (all.ratings) {
        judge_json_put_number2(w, "average_rating",
                               all.rating_sum / (double) all.ratings);
    }

    judge_json_put_bool(w, "retraining_recommended", retrain);
    judge_json_object_end(w);
}


static void
judge_feedback_batch_render(judge_req_t *r)
{
    size_t                         i;
    judge_json_writer_t           *w;
    judge_feedback_batch_t        *c = r->ctx;
    const judge_feedback_item_t   *item;

    w = judge_reply_begin(r, 201);
    judge_json_put_str(w, "feedback_session_id", judge_id_str(&c->session));
    judge_json_put_str(w, "batch_id", r->params[0]);
    judge_json_put_int(w, "submitted_count", (int64_t) c->create.count);
    judge_json_put_int(w, "failed_count",
                       (int64_t) (c->nitems - c->create.count));
    judge_json_put_c(w, "processing_status",
                     c->create.count ? "submitted" : "failed");
    judge_json_key_array(w, "validation_results");

    for (i = 0; i < c->nitems; i++) {
        item = &c->items[i];

        judge_json_object(w);
        judge_json_put_str(w, "evaluation_id", item->entry.evaluation_id);

        if (item->error.data) {
            judge_json_put_c(w, "status", "rejected");
            judge_json_put_str(w, "message", item->error);

        } else {
            judge_json_put_c(w, "status", "accepted");
            judge_json_put_c(w, "message", "stored, to be processed");
            judge_json_put_id(w, "feedback_id", judge_id_str(&item->id));
        }

        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_feedback_batch_impact(w, c);

    if (c->retrain.value) {
        judge_json_key_array(w, "training_jobs");
        for (i = 0; i < c->versions.count; i++) {
            if (c->judges[i].job.data) {
                judge_json_object(w);
                judge_json_put_str(w, "judge_id", c->versions.judge_ids[i]);
                judge_json_put_str(w, "job_id", c->judges[i].job);
                judge_json_object_end(w);
            }
        }
        judge_json_array_end(w);
    }

    judge_json_put_time(w, "submitted_at", c->create.now);

    if (c->email.value) {
        judge_notices_json(w);
    }
}


/* --- Storing ------------------------------------------------------------- */

static void
judge_feedback_batch_insert(judge_req_t *r)
{
    judge_feedback_batch_t  *c = r->ctx;

    if (!judge_check(r, c->rc, NULL) || !judge_reply_ready(r)) {
        return;
    }

    c->create.op.kind = JUDGE_OP_FEEDBACK_CREATE;
    c->create.submitted_by = r->key_id;

    c->create.session = (judge_feedback_session_t) {
        .id = judge_id_str(&c->session),
        .batch_id = r->params[0],
        .rejected = (int64_t) (c->nitems - c->create.count),
        .retrain = c->retrain.value,
        .notify_email = c->email.value,
        .notify_url = c->webhook_url
    };

    judge_await_create(r, &c->create.op, judge_feedback_batch_committed,
                       judge_feedback_batch_inserted);
}


static void
judge_feedback_batch_committed(judge_req_t *r, judge_op_t *op)
{
    size_t                   i;
    judge_feedback_batch_t  *c = r->ctx;

    judge_leases_wake(r->service, &judge_feedback_turns);

    for (i = 0; i < c->versions.count; i++) {
        if (c->judges[i].creates_job) {
            judge_retrain(r->service, &judge_training_runs, r->org,
                          c->versions.judge_ids[i], r->key_id,
                          c->judges[i].job);
        }
    }
}


static void
judge_feedback_batch_inserted(judge_req_t *r)
{
    judge_feedback_batch_t  *c = r->ctx;

    judge_reply_created(r, &c->create.op, 409,
                        "an evaluation of the batch has just been deleted;"
                        " submit the feedback again");
}
