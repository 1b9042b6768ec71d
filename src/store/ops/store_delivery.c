/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Deliveries as their organization sees them. */


#include "store/ops/store_event_parts.h"


#define JUDGE_DELIVERY_COLUMNS                                                \
    "d.org, d.id, d.event_id, d.type, d.status, d.created_at, d.queue_at,"    \
    " d.owner IS NOT NULL, d.attempts, d.attempted_at, d.delivered_at,"       \
    " d.last_status, d.last_error, d.url, b.answer"

#define JUDGE_DELIVERY_COLUMN_NEXT  15

#define JUDGE_DELIVERY_JOIN                                                   \
    " FROM deliveries d JOIN delivery_bodies b"                               \
    " ON b.org = d.org AND b.id = d.id"


static void
judge_delivery_row_read(judge_run_t *run, judge_delivery_row_t *row)
{
    row->org = judge_column_str(run, 0);
    row->id = judge_column_str(run, 1);
    row->event_id = judge_column_str(run, 2);
    row->type = judge_column_str(run, 3);
    row->status = judge_column_str(run, 4);
    row->created_at = judge_column_int(run, 5);
    row->queue_at = judge_column_int(run, 6);
    row->under_way = judge_column_int(run, 7) != 0;
    row->attempts = judge_column_int(run, 8);
    row->attempted_at = judge_column_int(run, 9);
    row->delivered_at = judge_column_int(run, 10);
    row->last_status = judge_column_int(run, 11);
    row->last_error = judge_column_str(run, 12);
    row->url = judge_column_str(run, 13);
    row->answer = judge_column_str(run, 14);
}


/* Statement 0 is for the failed ones, which have an index of their own. */

static judge_step_e
judge_delivery_list_bind(judge_run_t *run)
{
    bool                    failed;
    judge_delivery_list_t  *o = (judge_delivery_list_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    failed = judge_str_eq_c(o->status, "failed");
    if (failed != (run->step == 0)) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->page.before);
    judge_bind_str(run, 3, o->type);
    judge_bind_str(run, 4, o->event_id);
    judge_bind_int(run, 5, o->page.limit + 1);
    if (!failed) {
        judge_bind_str(run, 6, o->status);
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_delivery_list_read(judge_run_t *run)
{
    judge_delivery_list_t  *o = (judge_delivery_list_t *) run->op;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_delivery_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    judge_delivery_row_read(run, &o->rows[o->count++]);

    return JUDGE_OK;
}


#define JUDGE_DELIVERY_LIST(condition)                                        \
    "SELECT " JUDGE_DELIVERY_COLUMNS JUDGE_DELIVERY_JOIN                      \
    " WHERE d.org = ?1 AND d.id < coalesce(?2, '~')" condition                \
    " AND (?3 IS NULL OR d.type = ?3)"                                        \
    " AND (?4 IS NULL OR d.event_id = ?4) ORDER BY d.id DESC LIMIT ?5"

const judge_op_spec_t  judge_op_delivery_list = {
    .name = "delivery_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_delivery_list_t, page),
    .sql = { JUDGE_DELIVERY_LIST(" AND d.status = 'failed'"),
             JUDGE_DELIVERY_LIST(" AND (?6 IS NULL OR d.status = ?6)") },
    .bind = judge_delivery_list_bind,
    .read = judge_delivery_list_read
};


static judge_step_e
judge_delivery_find_bind(judge_run_t *run)
{
    judge_delivery_find_t  *o = (judge_delivery_find_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_delivery_find_read(judge_run_t *run)
{
    judge_delivery_find_t  *o = (judge_delivery_find_t *) run->op;

    judge_delivery_row_read(run, &o->row);
    o->row.data = judge_column_str(run, JUDGE_DELIVERY_COLUMN_NEXT);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_delivery_find = {
    .name = "delivery_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT " JUDGE_DELIVERY_COLUMNS ", b.data" JUDGE_DELIVERY_JOIN
             " WHERE d.org = ?1 AND d.id = ?2" },
    .bind = judge_delivery_find_bind,
    .read = judge_delivery_find_read
};


/* One that is under way keeps its owner, by which it is known.  The last
 * statement lets the address be called at once, whatever has failed there. */

enum {
    JUDGE_AGAIN_ROW,
    JUDGE_AGAIN_READ,
    JUDGE_AGAIN_ANSWER,
    JUDGE_AGAIN_ENDPOINT
};


static judge_step_e
judge_delivery_again_bind(judge_run_t *run)
{
    judge_delivery_again_t  *o = (judge_delivery_again_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == JUDGE_AGAIN_ANSWER
        && (run->rows == 0 || o->row.under_way))
    {
        o->op.rc = run->rows ? JUDGE_CONFLICT : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->step == JUDGE_AGAIN_ENDPOINT) {
        judge_bind_str(run, 1, o->op.org);
        judge_bind_str(run, 2, o->row.url);
        judge_bind_int(run, 3, o->now);
        return JUDGE_STEP_RUN;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    if (run->step == JUDGE_AGAIN_ROW) {
        judge_bind_int(run, 3, o->now);
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_delivery_again_read(judge_run_t *run)
{
    judge_delivery_row_read(run, &((judge_delivery_again_t *) run->op)->row);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_delivery_again = {
    .name = "delivery_again",
    .place = JUDGE_OP_WRITE,
    .sql = { [JUDGE_AGAIN_ROW] =
             "UPDATE deliveries SET status = 'pending', queue_at = ?3,"
             " attempts = 0, delivered_at = NULL, last_status = NULL,"
             " last_error = NULL"
             " WHERE org = ?1 AND id = ?2 AND owner IS NULL",
             [JUDGE_AGAIN_ANSWER] =
             "UPDATE delivery_bodies SET answer = NULL"
             " WHERE org = ?1 AND id = ?2 AND answer IS NOT NULL",
             [JUDGE_AGAIN_READ] =
             "SELECT " JUDGE_DELIVERY_COLUMNS JUDGE_DELIVERY_JOIN
             " WHERE d.org = ?1 AND d.id = ?2",
             [JUDGE_AGAIN_ENDPOINT] =
             "INSERT INTO webhook_endpoints (org, url, queue_at)"
             " VALUES (?1, ?2, ?3) ON CONFLICT (org, url) DO UPDATE"
             " SET queue_at = excluded.queue_at, blocked_until = 0,"
             " failures = 0" },
    .bind = judge_delivery_again_bind,
    .read = judge_delivery_again_read
};


static judge_step_e
judge_delivery_test_bind(judge_run_t *run)
{
    if (run->st == NULL) {
        run->op->rc = run->rows ? JUDGE_OK : JUDGE_CONFLICT;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, run->op->org);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_delivery_test = {
    .name = "delivery_test",
    .place = JUDGE_OP_WRITE,
    .sql = { "SELECT 1 FROM org_settings WHERE org = ?1"
             " AND " JUDGE_WEBHOOK_IS_ON },
    .bind = judge_delivery_test_bind
};


/* Both statements find the same ones. */

static judge_step_e
judge_delivery_purge_bind(judge_run_t *run)
{
    judge_delivery_purge_t  *o = (judge_delivery_purge_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_int(run, 1, o->before);
    judge_bind_int(run, 2, o->limit);

    return JUDGE_STEP_RUN;
}


#define JUDGE_DELIVERY_OLD                                                    \
    "(SELECT org, id FROM deliveries WHERE created_at < ?1"                   \
    " AND status <> 'pending' ORDER BY created_at LIMIT ?2)"

const judge_op_spec_t  judge_op_delivery_purge = {
    .name = "delivery_purge",
    .place = JUDGE_OP_WRITE,
    .sql = { "DELETE FROM delivery_bodies WHERE (org, id) IN "
             JUDGE_DELIVERY_OLD,
             "DELETE FROM deliveries WHERE (org, id) IN "
             JUDGE_DELIVERY_OLD },
    .bind = judge_delivery_purge_bind
};
