/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "store/store_admin.h"
#include "store/store_batch.h"
#include "work/service/metrics.h"
#include "work/service/expiry.h"


#define JUDGE_EXPIRY_EVERY  60000
#define JUDGE_EXPIRY_ROUND  3600000

struct judge_expiry {
    judge_ms_t          purged_at;     /* last purge; 0: there is more to do */
    judge_ms_t          round_at;      /* start of the last round */
    judge_retention_t   round;
    bool                busy;
    bool                failed;        /* the last slice */
};


static void judge_expiry_slice_done(judge_op_t *op);


/* --- Unfinished deletions and batches ------------------------------------ */

/* Finds the next slice, if there is one.  Several workers may do so at a time,
 * because a slice takes the rows that exist when it is written. */

static void
judge_expiry_find_slice(judge_service_t *service, void (*done)(judge_op_t *op))
{
    judge_slice_next_t  *next;

    next = judge_service_op(sizeof(judge_slice_next_t), JUDGE_OP_SLICE_NEXT,
                            done, service);
    if (next) {
        next->now = judge_now(service);
        service->expiry->busy = true;
        judge_submit(service, &next->op);
    }
}


static judge_op_t *
judge_expiry_slice(judge_service_t *service, const judge_slice_next_t *next)
{
    judge_str_t  id;

    union {
        judge_op_t              op;
        judge_batch_delete_t    batch;
        judge_content_delete_t  content;
        judge_judge_delete_t    judge;
        judge_batch_slice_t     rest;
        judge_batch_texts_drop_t  texts;
    }  *slice;

    slice = judge_service_op(sizeof(*slice), JUDGE_OP_BATCH_DELETE,
                             judge_expiry_slice_done, service);
    if (slice == NULL) {
        return NULL;
    }

    id = judge_str_dup(slice->op.arena, next->id);
    slice->op.org = judge_str_dup(slice->op.arena, next->org_id);

    if (judge_str_eq_c(next->kind, "batch")) {
        slice->batch.id = id;
        slice->batch.continued = true;

    } else if (judge_str_eq_c(next->kind, "content")) {
        slice->op.kind = JUDGE_OP_CONTENT_DELETE;
        slice->content.id = id;
        slice->content.now = judge_now(service);
        slice->content.continued = true;

    } else if (judge_str_eq_c(next->kind, "judge")) {
        slice->op.kind = JUDGE_OP_JUDGE_DELETE;
        slice->judge.id = id;
        slice->judge.continued = true;

    } else if (judge_str_eq_c(next->kind, "texts")) {
        slice->op.kind = JUDGE_OP_BATCH_TEXTS_DROP;
        slice->texts.id = id;
        slice->texts.now = next->now;

    } else {
        slice->op.kind = JUDGE_OP_BATCH_SLICE;
        slice->rest.id = id;
        slice->rest.now = next->now;
    }

    if (id.data == NULL || slice->op.org.data == NULL) {
        judge_service_op_free(&slice->op);
        return NULL;
    }

    return &slice->op;
}


static bool
judge_expiry_run_slice(judge_op_t *op)
{
    judge_op_t      *slice;
    judge_service_t  *service = op->data;
    judge_expiry_t   *expiry = service->expiry;

    expiry->busy = false;
    slice = op->rc == JUDGE_OK && !service->stopped
            ? judge_expiry_slice(service, (judge_slice_next_t *) op)
            : NULL;
    judge_service_op_free(op);

    if (slice == NULL) {
        return false;
    }

    expiry->busy = true;
    judge_submit(service, slice);

    return true;
}


static void
judge_expiry_more(judge_op_t *op)
{
    (void) judge_expiry_run_slice(op);
}


/* Goes on with the same batch, whose lease this worker has. */

static void
judge_expiry_repeat(judge_batch_slice_t *slice)
{
    judge_service_t  *service = slice->op.data;

    slice->now = judge_now(service);
    slice->upto = (judge_str_t) { 0, NULL };
    slice->batches = NULL;
    judge_submit(service, &slice->op);
}


/* The next slice follows at once, unless this one failed.  JUDGE_NOT_FOUND is
 * no failure: another worker has finished it. */

static void
judge_expiry_slice_done(judge_op_t *op)
{
    bool             more;
    judge_service_t  *service = op->data;
    judge_expiry_t   *expiry = service->expiry;

    more = (op->rc == JUDGE_OK || op->rc == JUDGE_NOT_FOUND)
           && !service->stopped;

    if (more && op->rc == JUDGE_OK && op->kind == JUDGE_OP_BATCH_SLICE) {
        judge_expiry_repeat((judge_batch_slice_t *) op);
        return;
    }

    expiry->busy = false;
    expiry->failed = !more;
    judge_service_op_free(op);

    if (more) {
        judge_expiry_find_slice(service, judge_expiry_more);
    }
}


/* --- Expired rows, and rows past their retention ------------------------- */

static void
judge_expiry_purged(judge_op_t *op)
{
    size_t            i;
    judge_purge_t    *done = (judge_purge_t *) op;
    judge_service_t  *service = op->data;
    judge_expiry_t   *expiry = service->expiry;
    judge_metrics_t  *metrics = service->metrics;

    expiry->busy = false;

    for (i = 0; op->rc == JUDGE_OK && i < JUDGE_PURGE_COUNT; i++) {
        judge_metrics_add(metrics, JUDGE_METRIC_PURGED + (judge_metric_e) i,
                          (uint64_t) done->gone[i]);
        if (done->gone[i] >= JUDGE_EXPIRY_ROWS) {
            expiry->purged_at = 0;
        }
    }

    judge_service_op_free(op);
}


static void
judge_expiry_purge(judge_service_t *service)
{
    judge_ms_t       now;
    judge_purge_t   *op;
    judge_expiry_t  *expiry = service->expiry;

    op = judge_service_op(sizeof(judge_purge_t), JUDGE_OP_PURGE,
                          judge_expiry_purged, service);
    if (op == NULL) {
        return;
    }

    now = judge_now(service);
    op->keys_before = now - JUDGE_KEEP_KEYS;
    op->logs_before = now - service->settings.keep_logs;
    op->deliveries_before = now - service->settings.keep_deliveries;
    op->audit_before = service->settings.keep_audit
                       ? now - service->settings.keep_audit : 0;
    op->limit = JUDGE_EXPIRY_ROWS;

    expiry->purged_at = now;
    expiry->busy = true;
    judge_submit(service, &op->op);
}


static void
judge_expiry_retained(judge_op_t *op)
{
    judge_service_t  *service = op->data;
    judge_expiry_t   *expiry = service->expiry;
    judge_old_t  *done = (judge_old_t *) op;

    static const judge_metric_e  counters[JUDGE_RETAIN_COUNT] = {
        [JUDGE_RETAIN_CONTENTS] = JUDGE_METRIC_PURGED_CONTENTS,
        [JUDGE_RETAIN_RESULTS] = JUDGE_METRIC_PURGED_RESULTS,
        [JUDGE_RETAIN_FEEDBACK] = JUDGE_METRIC_PURGED_FEEDBACK,
    };

    if (op->rc == JUDGE_OK && done->gone) {
        judge_metrics_add(service->metrics,
                          counters[expiry->round.what],
                          (uint64_t) done->gone);
    }

    expiry->busy = false;
    judge_retention_done(&expiry->round, done);
    judge_service_op_free(op);
}


/* Submits the next operation of the round, or begins a new round. */

static void
judge_expiry_retain(judge_service_t *service)
{
    judge_ms_t         now;
    judge_old_t    *op;
    judge_expiry_t    *expiry = service->expiry;
    judge_settings_t  *keep = &service->settings;

    now = judge_now(service);

    if (now - expiry->round_at >= JUDGE_EXPIRY_ROUND) {
        expiry->round_at = now;
        judge_retention_begin(&expiry->round,
            keep->keep_contents ? now - keep->keep_contents : 0,
            keep->keep_results ? now - keep->keep_results : 0,
            keep->keep_feedback ? now - keep->keep_feedback : 0);
    }

    if (expiry->round.what == JUDGE_RETAIN_COUNT) {
        return;
    }

    op = judge_service_op(sizeof(judge_old_t), 0, judge_expiry_retained,
                          service);
    if (op == NULL) {
        return;
    }

    if (!judge_retention_next(&expiry->round, op, now)) {
        judge_service_op_free(&op->op);
        return;
    }

    expiry->busy = true;
    judge_submit(service, &op->op);
}


/* --- What is due --------------------------------------------------------- */

static void
judge_expiry_due(judge_service_t *service)
{
    judge_expiry_t  *expiry = service->expiry;

    if (judge_now(service) - expiry->purged_at >= JUDGE_EXPIRY_EVERY) {
        judge_expiry_purge(service);
    } else {
        judge_expiry_retain(service);
    }
}


static void
judge_expiry_peeked(judge_op_t *op)
{
    judge_service_t  *service = op->data;

    if (!judge_expiry_run_slice(op) && !service->stopped) {
        judge_expiry_due(service);
    }
}


/* Slices go first, but one that fails each time holds up nothing else. */

static void
judge_expiry_tick(judge_service_t *service)
{
    judge_expiry_t  *expiry = service->expiry;

    if (expiry->busy || service->stopped) {
        return;
    }

    if (expiry->failed) {
        expiry->failed = false;
        judge_expiry_due(service);
    } else {
        judge_expiry_find_slice(service, judge_expiry_peeked);
    }
}


static bool
judge_expiry_busy(judge_service_t *service)
{
    return service->expiry->busy;
}


const judge_background_t  judge_expiry_background = {
    .size = sizeof(judge_expiry_t),
    .at = offsetof(judge_service_t, expiry),
    .tick = judge_expiry_tick,
    .busy = judge_expiry_busy
};
