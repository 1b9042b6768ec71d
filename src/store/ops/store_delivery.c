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

#define JUDGE_DELIVERY_JOIN                                                   \
    " FROM deliveries d JOIN delivery_bodies b"                               \
    " ON b.org = d.org AND b.id = d.id"


#undef JUDGE_ROW
#define JUDGE_ROW  judge_delivery_row_t

static const judge_value_t  judge_delivery_row_out[] = {
    JUDGE_R(org), JUDGE_R(id), JUDGE_R(event_id), JUDGE_R(type),
    JUDGE_R(status), JUDGE_R(created_at), JUDGE_R(queue_at),
    JUDGE_R(under_way), JUDGE_R(attempts), JUDGE_R(attempted_at),
    JUDGE_R(delivered_at), JUDGE_R(last_status), JUDGE_R(last_error),
    JUDGE_R(url), JUDGE_R(answer), JUDGE_END
};


#undef JUDGE_OF
#define JUDGE_OF  judge_delivery_list_t

/* Statement 0 is for the failed ones, which have an index of their own. */

static judge_step_e
judge_delivery_list_step(judge_run_t *run)
{
    judge_delivery_list_t  *o = (judge_delivery_list_t *) run->op;

    return run->st
           && judge_str_eq_c(o->status, "failed") != (run->step == 0)
           ? JUDGE_STEP_SKIP : judge_run_next(run);
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
    .statements = {
        { JUDGE_DELIVERY_LIST(" AND d.status = 'failed'"),
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(page.before),
              JUDGE_V(type), JUDGE_V(event_id), JUDGE_V_MORE(page.limit)),
          .out = judge_delivery_row_out,
          .list = JUDGE_ROWS(judge_delivery_list_t, rows, count) },
        { JUDGE_DELIVERY_LIST(" AND (?6 IS NULL OR d.status = ?6)"),
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(page.before),
              JUDGE_V(type), JUDGE_V(event_id), JUDGE_V_MORE(page.limit),
              JUDGE_V(status)),
          .out = judge_delivery_row_out,
          .list = JUDGE_ROWS(judge_delivery_list_t, rows, count) }
    },
    .step = judge_delivery_list_step
};


#undef JUDGE_ROW
#define JUDGE_ROW  judge_delivery_row_t

const judge_op_spec_t  judge_op_delivery_find = {
    .name = "delivery_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT " JUDGE_DELIVERY_COLUMNS ", b.data" JUDGE_DELIVERY_JOIN
          " WHERE d.org = ?1 AND d.id = ?2",
          .in = JUDGE_BY_ID(judge_delivery_find_t),
          .out = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(id), JUDGE_R(event_id),
              JUDGE_R(type), JUDGE_R(status), JUDGE_R(created_at),
              JUDGE_R(queue_at), JUDGE_R(under_way), JUDGE_R(attempts),
              JUDGE_R(attempted_at), JUDGE_R(delivered_at),
              JUDGE_R(last_status), JUDGE_R(last_error), JUDGE_R(url),
              JUDGE_R(answer), JUDGE_R(data)),
          .row = offsetof(judge_delivery_find_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


/* One that is under way keeps its owner, by which it is known.  The last
 * statement lets the address be called at once, whatever has failed there. */

enum {
    JUDGE_AGAIN_ROW,
    JUDGE_AGAIN_READ,
    JUDGE_AGAIN_ANSWER,
    JUDGE_AGAIN_ENDPOINT
};


#undef JUDGE_OF
#define JUDGE_OF  judge_delivery_again_t

static judge_step_e
judge_delivery_again_step(judge_run_t *run)
{
    judge_delivery_again_t  *o = (judge_delivery_again_t *) run->op;

    if (run->step == JUDGE_AGAIN_ANSWER && o->row.under_way) {
        o->op.rc = JUDGE_CONFLICT;
        return JUDGE_STEP_END;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_delivery_again = {
    .name = "delivery_again",
    .place = JUDGE_OP_WRITE,
    .statements = {
        [JUDGE_AGAIN_ROW] =
        { "UPDATE deliveries SET status = 'pending', queue_at = ?3,"
          " attempts = 0, delivered_at = NULL, last_status = NULL,"
          " last_error = NULL"
          " WHERE org = ?1 AND id = ?2 AND owner IS NULL",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(now)) },
        [JUDGE_AGAIN_ANSWER] =
        { "UPDATE delivery_bodies SET answer = NULL"
          " WHERE org = ?1 AND id = ?2 AND answer IS NOT NULL",
          .in = JUDGE_BY_ID(judge_delivery_again_t) },
        [JUDGE_AGAIN_READ] =
        { "SELECT " JUDGE_DELIVERY_COLUMNS JUDGE_DELIVERY_JOIN
          " WHERE d.org = ?1 AND d.id = ?2",
          .in = JUDGE_BY_ID(judge_delivery_again_t),
          .out = judge_delivery_row_out,
          .row = offsetof(judge_delivery_again_t, row),
          .unless_rows = JUDGE_NOT_FOUND },
        [JUDGE_AGAIN_ENDPOINT] =
        { "INSERT INTO webhook_endpoints (org, url, queue_at)"
          " VALUES (?1, ?2, ?3) ON CONFLICT (org, url) DO UPDATE"
          " SET queue_at = excluded.queue_at, blocked_until = 0,"
          " failures = 0",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.url),
              JUDGE_V(now)) }
    },
    .step = judge_delivery_again_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_delivery_test_t

const judge_op_spec_t  judge_op_delivery_test = {
    .name = "delivery_test",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "SELECT 1 FROM org_settings WHERE org = ?1"
          " AND " JUDGE_WEBHOOK_IS_ON,
          .in = JUDGE_VALUES(JUDGE_V(op.org)), .unless_rows = JUDGE_CONFLICT }
    }
};


/* Both statements find the same ones. */

#undef JUDGE_OF
#define JUDGE_OF  judge_delivery_purge_t

static const judge_value_t  judge_delivery_purge_in[] = {
    JUDGE_V(before), JUDGE_V(limit), JUDGE_END
};


#define JUDGE_DELIVERY_OLD                                                    \
    "(SELECT org, id FROM deliveries WHERE created_at < ?1"                   \
    " AND status <> 'pending' ORDER BY created_at LIMIT ?2)"

const judge_op_spec_t  judge_op_delivery_purge = {
    .name = "delivery_purge",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "DELETE FROM delivery_bodies WHERE (org, id) IN "
          JUDGE_DELIVERY_OLD,
          .in = judge_delivery_purge_in },
        { "DELETE FROM deliveries WHERE (org, id) IN "
          JUDGE_DELIVERY_OLD,
          .in = judge_delivery_purge_in }
    }
};
