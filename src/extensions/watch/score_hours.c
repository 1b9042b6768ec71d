/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "analysis/builtin/engine_version.h"
#include "extensions/watch/alert_rule.h"
#include "extensions/watch/score_counts.h"
#include "extensions/watch/watch.h"


#define JUDGE_HOURS_EVERY   1000       /* ms between two writes of counts */
#define JUDGE_HOURS_DUE     60000      /* ms until scores are compared */
#define JUDGE_HOURS_KEPT    2880       /* hours; older counts are deleted */

typedef struct {
    judge_drift_counts_t  counts;
    judge_hours_t        *hours;
    judge_drift_finish_t  finish;
    judge_alert_list_t    alerts;
    size_t                alert;       /* index of the current alert */
    judge_alert_rule_t    rule;        /* of the current alert */
    judge_drift_counts_t  window;      /* likewise: counts of its window */
} judge_hours_compare_t;


static void judge_hours_flush(judge_hours_t *hours);
static void judge_hours_flushed(judge_op_t *op);
static void judge_hours_peeked(judge_op_t *op);
static void judge_hours_compare(judge_hours_t *hours,
    const judge_hours_peek_t *peek);
static void judge_hours_compared(judge_op_t *op);
static void judge_hours_listed(judge_op_t *op);
static void judge_hours_alert_counted(judge_op_t *op);


static judge_hours_t *
judge_hours(const judge_service_t *service)
{
    return judge_extensions_data(service, &judge_extension_watch);
}


bool
judge_hours_create(judge_service_t *service)
{
    judge_hours_t  *hours = judge_hours(service);

    hours->service = service;
    hours->counts = judge_extensions_shared(service, &judge_extension_watch);

    return true;
}


bool
judge_hours_busy(judge_service_t *service)
{
    const judge_hours_t  *hours;

    hours = judge_hours(service);

    return hours->busy || hours->flushing;
}


void
judge_hours_tick(judge_service_t *service)
{
    judge_ms_t           now;
    judge_hours_t       *hours = judge_hours(service);
    judge_hours_peek_t  *peek;

    now = judge_now(service);
    if (hours->busy || service->stopped
        || now - hours->written < JUDGE_HOURS_EVERY)
    {
        return;
    }

    hours->written = now;
    judge_hours_flush(hours);
    peek = judge_service_op(sizeof(judge_hours_peek_t), JUDGE_OP_HOURS_PEEK,
                            judge_hours_peeked, hours);
    if (peek) {
        peek->now = now;
        hours->busy = true;
        judge_submit(service, &peek->op);
    }
}


static void
judge_hours_peeked(judge_op_t *op)
{
    judge_hours_t       *hours = op->data;
    judge_hours_peek_t  *peek = (judge_hours_peek_t *) op;

    hours->busy = false;

    if (op->rc == JUDGE_OK && !hours->service->stopped && peek->due.data) {
        judge_hours_compare(hours, peek);
    }

    judge_service_op_free(op);
}


/* --- Counting ------------------------------------------------------------ */

/* Moves all counts to `write`, in its arena; false: there are none. */

static bool
judge_hours_take(judge_hours_t *hours, judge_hours_write_t *write)
{
    write->op.kind = JUDGE_OP_HOURS_WRITE;
    write->now = judge_now(hours->service);
    write->due_at = write->now + JUDGE_HOURS_DUE;
    write->engine = JUDGE_STR(JUDGE_ENGINE_VERSION);

    return judge_score_counts_take(hours->counts, write->op.arena,
                                   &write->rows, &write->count)
           == JUDGE_OK && write->count;
}


static void
judge_hours_flush(judge_hours_t *hours)
{
    judge_hours_write_t  *write;

    write = judge_service_op(sizeof(judge_hours_write_t), JUDGE_OP_HOURS_WRITE,
                             judge_hours_flushed, hours);
    if (write == NULL) {
        return;
    }

    if (judge_hours_take(hours, write)) {
        hours->flushing++;
        judge_submit(hours->service, &write->op);
    } else {
        judge_service_op_free(&write->op);
    }
}


void
judge_hours_stored(judge_service_t *service, const judge_result_t *result)
{
    size_t          n;
    judge_hours_t  *hours = judge_hours(service);

    n = judge_score_counts_add(hours->counts, result->counts, result->ncounts);
    if (n < result->ncounts) {
        judge_hours_flush(hours);
        (void) judge_score_counts_add(hours->counts, result->counts + n,
                                      result->ncounts - n);
    }
}


void
judge_hours_left(judge_service_t *service,
    void (*run)(void *data, judge_op_t *op), void *data)
{
    judge_hours_t        *hours = judge_hours(service);
    judge_hours_write_t   write = { .now = 0 };

    write.op.arena = judge_arena_create(4096);
    if (write.op.arena && judge_hours_take(hours, &write)) {
        run(data, &write.op);

        if (write.op.rc != JUDGE_OK) {
            (void) judge_score_counts_add(hours->counts, write.rows,
                                          write.count);
        }
    }

    judge_arena_destroy(write.op.arena);
}


/* Counts that could not be stored are added again, for the next write. */

static void
judge_hours_flushed(judge_op_t *op)
{
    judge_hours_t        *hours = op->data;
    judge_hours_write_t  *write = (judge_hours_write_t *) op;

    hours->flushing--;
    if (op->rc != JUDGE_OK) {
        (void) judge_score_counts_add(hours->counts, write->rows,
                                      write->count);
    }

    judge_service_op_free(op);
}


/* --- Comparing ----------------------------------------------------------- */

static void
judge_hours_compare(judge_hours_t *hours, const judge_hours_peek_t *peek)
{
    judge_hours_compare_t  *l;

    l = judge_service_op(sizeof(judge_hours_compare_t), JUDGE_OP_DRIFT_COUNTS,
                         judge_hours_compared, NULL);
    if (l == NULL) {
        return;
    }

    l->hours = hours;
    l->counts.op.data = l;
    l->counts.op.org = judge_str_dup(l->counts.op.arena, peek->due_org);
    l->counts.judge_id = judge_str_dup(l->counts.op.arena, peek->due);
    l->finish.route = judge_str_dup(l->counts.op.arena, peek->due_route);
    if (l->counts.op.org.data == NULL || l->counts.judge_id.data == NULL
        || l->finish.route.data == NULL)
    {
        judge_service_op_free(&l->counts.op);
        return;
    }

    if (l->finish.route.len) {
        l->counts.route = l->finish.route;
    }

    l->finish.now = peek->now;
    l->finish.due_at = peek->due_at;
    judge_drift_span(&l->counts, peek->now, JUDGE_DRIFT_WINDOW,
                     JUDGE_DRIFT_REFERENCE);
    hours->busy = true;
    judge_submit(hours->service, &l->counts.op);
}


static void
judge_hours_next(judge_hours_compare_t *l, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op), void *data)
{
    op->org = l->counts.op.org;
    op->arena = l->counts.op.arena;
    op->kind = kind;
    op->done = done;
    op->data = data;
    judge_submit(l->hours->service, op);
}


/* Ends a comparison, whether it was written or given up. */

static void
judge_hours_over(judge_op_t *op)
{
    judge_hours_compare_t  *l = op->data;

    l->hours->busy = false;
    judge_service_op_free(&l->counts.op);
}


/* The first of two workers that compared the same judge stores the outcome. */

static void
judge_hours_finish(judge_hours_compare_t *l)
{
    l->finish.judge_id = l->alerts.id;
    l->finish.alerts = l->alerts.rows;
    l->finish.nalerts = l->alerts.count;
    judge_hours_next(l, &l->finish.op, JUDGE_OP_DRIFT_FINISH,
                     judge_hours_over, l);
}


static void
judge_hours_compared(judge_op_t *op)
{
    judge_rc_e              rc;
    judge_drift_report_t    report;
    judge_hours_compare_t  *l = op->data;

    rc = op->rc == JUDGE_OK ? judge_drift_report(op->arena, &l->counts,
                                                 &report) : op->rc;
    if (rc != JUDGE_OK) {
        judge_hours_over(&l->counts.op);
        return;
    }

    l->finish.strong = report.verdict == JUDGE_DRIFT_STRONG;
    l->finish.oldest = l->counts.until - JUDGE_HOURS_KEPT;
    l->alerts.id = l->counts.judge_id;

    if (l->finish.route.len) {
        judge_hours_finish(l);         /* alerts cover all routes together */
    } else {
        judge_hours_next(l, &l->alerts.op, JUDGE_OP_ALERT_LIST,
                         judge_hours_listed, l);
    }
}


/* Counts the scores in the window of the next alert.  Alerts whose rule can't
 * be read keep their state. */

static void
judge_hours_alert(judge_hours_compare_t *l)
{
    int64_t     hours;
    judge_rc_e  rc;

    for ( /* void */ ; l->alert < l->alerts.count; l->alert++) {
        rc = judge_alert_read(l->counts.op.arena,
                              l->alerts.rows[l->alert].rule, &l->rule);
        if (rc == JUDGE_NOMEM) {
            judge_hours_over(&l->counts.op);
            return;
        }

        hours = rc == JUDGE_OK ? judge_drift_hours(l->rule.window) : 0;

        if (hours) {
            l->window = (judge_drift_counts_t) { .judge_id = l->alerts.id };
            judge_drift_span(&l->window, l->finish.now, hours,
                             l->rule.metric.value == JUDGE_ALERT_DRIFT
                             ? JUDGE_DRIFT_REFERENCE : 0);
            judge_hours_next(l, &l->window.op, JUDGE_OP_DRIFT_COUNTS,
                             judge_hours_alert_counted, l);
            return;
        }
    }

    judge_hours_finish(l);
}


/* A judge that has been deleted has no alerts. */

static void
judge_hours_listed(judge_op_t *op)
{
    judge_hours_compare_t  *l = op->data;

    if (op->rc == JUDGE_OK || op->rc == JUDGE_NOT_FOUND) {
        judge_hours_alert(l);
    } else {
        judge_hours_over(&l->counts.op);
    }
}


static void
judge_hours_alert_counted(judge_op_t *op)
{
    judge_hours_compare_t  *l = op->data;

    if (op->rc == JUDGE_OK
        && judge_alert_look(op->arena, &l->window, &l->rule,
                            &l->alerts.rows[l->alert], l->finish.now)
           == JUDGE_OK)
    {
        l->alert++;
        judge_hours_alert(l);
    } else {
        judge_hours_over(&l->counts.op);
    }
}
