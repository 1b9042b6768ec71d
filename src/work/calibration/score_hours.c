/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "work/calibration/drift_report.h"
#include "work/calibration/score_hours.h"
#include "work/calibration/scores.h"


#define JUDGE_HOURS_EVERY   1000       /* ms */
#define JUDGE_HOURS_ROWS    50         /* of results, read at once */
#define JUDGE_HOURS_EACH    8          /* results in a row, at most */
#define JUDGE_HOURS_STRIDE  64         /* of rows, at most */
#define JUDGE_HOURS_DUE     60000      /* ms */
#define JUDGE_HOURS_KEPT    2880       /* hours */

struct judge_hours {
    judge_service_t  *service;
    judge_ms_t        at;
    unsigned          turn;            /* of the kinds of work below */
    bool              busy;
    bool              stopped;
};

/* In the arena of the operation that it begins with. */
typedef struct {
    judge_hours_read_t   read;
    judge_hours_t       *hours;
    judge_task_t         task;
    judge_hours_write_t  write;
    judge_rc_e           rc;
} judge_hours_slice_t;

typedef struct {
    judge_drift_counts_t  counts;
    judge_hours_t        *hours;
    judge_drift_finish_t  finish;
} judge_hours_look_t;


static void judge_hours_turn(judge_hours_t *hours,
    const judge_hours_peek_t *peek, unsigned turn);
static void judge_hours_slice(judge_hours_t *hours,
    const judge_hours_peek_t *peek, int64_t alone);
static void judge_hours_read(judge_op_t *op);
static void judge_hours_count(judge_task_t *task);
static int judge_hours_order(judge_str_t a, judge_str_t b);
static int judge_hours_compare(const void *one, const void *other);
static void judge_hours_counted(judge_task_t *task);
static void judge_hours_look(judge_hours_t *hours,
    const judge_hours_peek_t *peek);
static void judge_hours_looked(judge_op_t *op);
static void judge_hours_write(judge_hours_t *hours, judge_op_t *op,
    judge_op_kind_e kind, judge_op_t *owner, judge_rc_e rc);
static void judge_hours_written(judge_op_t *op);


bool
judge_hours_create(judge_service_t *service)
{
    service->hours = calloc(1, sizeof(judge_hours_t));
    if (service->hours) {
        service->hours->service = service;
    }

    return service->hours != NULL;
}


void
judge_hours_destroy(judge_service_t *service)
{
    free(service->hours);
    service->hours = NULL;
}


void
judge_hours_stop(judge_service_t *service)
{
    service->hours->stopped = true;
}


bool
judge_hours_busy(judge_service_t *service)
{
    return service->hours->busy;
}


void
judge_hours_tick(judge_service_t *service)
{
    unsigned             i;
    judge_hours_t       *hours = service->hours;
    judge_hours_peek_t   peek = { .op.kind = JUDGE_OP_HOURS_PEEK };

    peek.now = judge_now(service);
    if (hours->busy || hours->stopped
        || peek.now - hours->at < JUDGE_HOURS_EVERY)
    {
        return;
    }

    hours->at = peek.now;
    peek.op.arena = judge_arena_create(1024);

    if (peek.op.arena && judge_service_read(service, &peek.op) == JUDGE_OK) {
        for (i = 0; i < 3 && !hours->busy; i++) {
            judge_hours_turn(hours, &peek, hours->turn++ % 3);
        }
    }

    judge_arena_destroy(peek.op.arena);
}


/* In turn, or one would keep the others waiting for ever. */

static void
judge_hours_turn(judge_hours_t *hours, const judge_hours_peek_t *peek,
    unsigned turn)
{
    if (turn == 2) {
        if (peek->due.data) {
            judge_hours_look(hours, peek);
        }

    } else if (peek->newest[turn] != peek->position[turn]) {
        judge_hours_slice(hours, peek, turn);
    }
}


/* --- Counting ------------------------------------------------------------ */

/* Where results were deleted the newest may lie behind: nothing is counted
 * then. */

static void
judge_hours_slice(judge_hours_t *hours, const judge_hours_peek_t *peek,
    int64_t alone)
{
    int64_t               i, n, each, from, to, stride;
    judge_hours_slice_t  *s;

    s = judge_service_op(sizeof(judge_hours_slice_t), JUDGE_OP_HOURS_READ,
                         judge_hours_read, NULL);
    if (s == NULL) {
        return;
    }

    from = peek->position[alone];
    to = peek->newest[alone];
    n = to > from ? to - from : 0;
    stride = 1 + (n - (n > 0)) / JUDGE_HOURS_ROWS;
    stride = stride > JUDGE_HOURS_STRIDE ? JUDGE_HOURS_STRIDE : stride;
    n = (n + stride - 1) / stride;
    n = n > JUDGE_HOURS_ROWS ? JUDGE_HOURS_ROWS : n;
    each = alone ? 1 : JUDGE_HOURS_EACH;

    s->read.rows = judge_array_alloc(s->read.op.arena, (size_t) (n * each),
                                     sizeof(judge_hours_result_t));
    if (s->read.rows == NULL) {
        judge_service_op_free(&s->read.op);
        return;
    }

    for (i = 0; i < n * each; i++) {
        s->read.rows[i].position = from + 1 + i / each * stride;
        if (!alone) {
            s->read.rows[i].position = s->read.rows[i].position * 64
                                       + i % each;
        }
    }

    s->hours = hours;
    s->read.op.data = s;
    s->read.alone = s->write.alone = alone;
    s->read.count = (size_t) (n * each);
    s->write.from = from;
    s->write.to = n && from + n * stride < to ? from + n * stride : to;
    hours->busy = true;
    judge_submit(hours->service, &s->read.op);
}


/* What can't be read is not counted: it would be in the way for ever.  What
 * had no room or memory is read again. */

static void
judge_hours_read(judge_op_t *op)
{
    judge_hours_slice_t  *s = op->data;

    s->read.count = op->rc == JUDGE_OK ? s->read.count : 0;
    s->rc = op->rc == JUDGE_BUSY || op->rc == JUDGE_NOMEM ? op->rc : JUDGE_OK;
    judge_service_compute(s->hours->service, &s->task, judge_hours_count,
                          judge_hours_counted, s);
}


/* In a thread. */

static void
judge_hours_count(judge_task_t *task)
{
    size_t                i, k, n;
    judge_buf_t           buf;
    judge_scores_t        scores;
    judge_hours_row_t     row, *rows;
    judge_hours_slice_t  *s = task->data;
    judge_score_t         none = { JUDGE_STR(""), -5 };

    judge_buf_init(&buf, s->read.op.arena);

    for (i = 0; i < s->read.count && s->rc == JUDGE_OK; i++) {
        if (s->read.rows[i].org.data == NULL
            || s->read.rows[i].body.len == 0)
        {
            continue;
        }

        s->rc = judge_scores_read(buf.arena, s->read.rows[i].body, &scores);
        if (scores.failed) {
            scores.scores = &none;
            scores.n = 1;
        }

        row = (judge_hours_row_t) {
            .org = s->read.rows[i].org, .judge_id = scores.judge_id, .n = 1,
            .hour = scores.evaluated_at / JUDGE_HOUR
        };

        for (k = 0; k < scores.n && row.judge_id.data; k++) {
            row.criterion_id = scores.scores[k].criterion_id;
            row.bin = (int64_t) (scores.scores[k].score / 5);
            row.bin -= row.bin == JUDGE_DRIFT_BINS;
            judge_buf_append(&buf, &row, sizeof(row));
        }
    }

    rows = (judge_hours_row_t *) buf.data;
    n = buf.len / sizeof(row);
    if (n) {
        qsort(rows, n, sizeof(row), judge_hours_compare);
    }

    for (i = 0, k = 0; i < n; i++) {
        if (k && judge_hours_compare(&rows[k - 1], &rows[i]) == 0) {
            rows[k - 1].n++;
        } else {
            rows[k++] = rows[i];
        }
    }

    s->rc = buf.failed ? JUDGE_NOMEM : s->rc;
    s->write.rows = rows;
    s->write.count = k;
}


static int
judge_hours_order(judge_str_t a, judge_str_t b)
{
    int  c;

    c = memcmp(a.data, b.data, a.len < b.len ? a.len : b.len);

    return c ? c : (a.len > b.len) - (a.len < b.len);
}


static int
judge_hours_compare(const void *one, const void *other)
{
    int                       c;
    const judge_hours_row_t  *a = one, *b = other;

    c = judge_hours_order(a->org, b->org);
    c = c ? c : judge_hours_order(a->judge_id, b->judge_id);
    c = c ? c : judge_hours_order(a->criterion_id, b->criterion_id);
    c = c ? c : (a->hour > b->hour) - (a->hour < b->hour);

    return c ? c : (a->bin > b->bin) - (a->bin < b->bin);
}


static void
judge_hours_counted(judge_task_t *task)
{
    judge_hours_slice_t  *s = task->data;

    s->write.due_at = judge_now(s->hours->service) + JUDGE_HOURS_DUE;
    judge_hours_write(s->hours, &s->write.op, JUDGE_OP_HOURS_WRITE,
                      &s->read.op, s->rc);
}


/* --- Comparing ----------------------------------------------------------- */

static void
judge_hours_look(judge_hours_t *hours, const judge_hours_peek_t *peek)
{
    judge_hours_look_t  *l;

    l = judge_service_op(sizeof(judge_hours_look_t), JUDGE_OP_DRIFT_COUNTS,
                         judge_hours_looked, NULL);
    if (l == NULL) {
        return;
    }

    l->hours = hours;
    l->counts.op.data = l;
    l->counts.op.org = judge_str_dup(l->counts.op.arena, peek->due_org);
    l->counts.judge_id = judge_str_dup(l->counts.op.arena, peek->due);
    if (l->counts.op.org.data == NULL || l->counts.judge_id.data == NULL) {
        judge_service_op_free(&l->counts.op);
        return;
    }

    l->finish.now = peek->now;
    judge_drift_span(&l->counts, peek->now, JUDGE_DRIFT_WINDOW,
                     JUDGE_DRIFT_REFERENCE);
    hours->busy = true;
    judge_submit(hours->service, &l->counts.op);
}


static void
judge_hours_looked(judge_op_t *op)
{
    judge_rc_e             rc;
    judge_hours_look_t    *l = op->data;
    judge_drift_report_t   report;

    rc = op->rc == JUDGE_OK ? judge_drift_report(op->arena, &l->counts,
                                                 &report) : op->rc;
    if (rc == JUDGE_OK) {
        l->finish.op.org = op->org;
        l->finish.judge_id = l->counts.judge_id;
        l->finish.strong = report.verdict == JUDGE_DRIFT_STRONG;
        l->finish.oldest = l->counts.until - JUDGE_HOURS_KEPT;
    }

    judge_hours_write(l->hours, &l->finish.op, JUDGE_OP_DRIFT_FINISH, op, rc);
}


/* --- Of both ------------------------------------------------------------- */

/* Submits the write in the memory of its owner, unless that has failed. */

static void
judge_hours_write(judge_hours_t *hours, judge_op_t *op, judge_op_kind_e kind,
    judge_op_t *owner, judge_rc_e rc)
{
    if (rc != JUDGE_OK) {
        hours->busy = false;
        judge_service_op_free(owner);
        return;
    }

    op->kind = kind;
    op->arena = owner->arena;
    op->done = judge_hours_written;
    op->data = hours;
    judge_submit(hours->service, op);
}


static void
judge_hours_written(judge_op_t *op)
{
    judge_hours_t  *hours = op->data;

    hours->busy = false;
    judge_service_op_free(op);
}
