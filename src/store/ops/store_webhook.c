/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Deliveries as a worker sees them: addresses where something is due, and
 * one operation that records what ended and claims what comes next.
 */


#include "store/ops/store_event_parts.h"
#include "store/ops/store_external_parts.h"


#undef JUDGE_OF
#define JUDGE_OF  judge_webhook_peek_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_webhook_end_t

const judge_op_spec_t  judge_op_webhook_peek = {
    .name = "webhook_peek",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT org, url, failures FROM webhook_endpoints"
          " WHERE queue_at IS NOT NULL AND queue_at <= ?1"
          " ORDER BY queue_at LIMIT ?2",
          .in = JUDGE_VALUES(JUDGE_V(now), JUDGE_V(limit)),
          .out = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(url), JUDGE_R(failures)),
          .list = JUDGE_ROWS(judge_webhook_peek_t, ends, count),
          .limit = offsetof(judge_webhook_peek_t, limit) }
    }
};


enum {
    JUDGE_TURN_RESULT,
    JUDGE_TURN_ANSWER,
    JUDGE_TURN_GONE,
    JUDGE_TURN_CLAIM,
    JUDGE_TURN_WORK,
    JUDGE_TURN_TARGET,
    JUDGE_TURN_ENDPOINT,
    JUDGE_TURN_IDLE
};


#undef JUDGE_OF
#define JUDGE_OF   judge_webhook_turn_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_delivery_result_t

static const judge_value_t  judge_webhook_result_in[] = {
    JUDGE_R(org), JUDGE_R(id), JUDGE_V(owner), JUDGE_R(status),
    JUDGE_R_NULL(queue_at), JUDGE_R(attempts), JUDGE_R_NULL(attempted_at),
    JUDGE_R_NULL(delivered_at), JUDGE_R_NULL(last_status), JUDGE_R(last_error),
    JUDGE_END
};

static const judge_value_t  judge_webhook_answer_in[] = {
    JUDGE_R(org), JUDGE_R(id), JUDGE_R(answer), JUDGE_END
};

static const judge_value_t  judge_webhook_gone_in[] = {
    JUDGE_R(org), JUDGE_R(gone), JUDGE_V(now), JUDGE_END
};

#undef JUDGE_ROW
#define JUDGE_ROW  judge_delivery_row_t

static const judge_value_t  judge_webhook_claim_out[] = {
    JUDGE_R(id), JUDGE_R(event_id), JUDGE_R(type), JUDGE_R(created_at),
    JUDGE_R(attempts), JUDGE_R(data), JUDGE_END
};

static const judge_value_t  judge_webhook_work_in[] = {
    JUDGE_R(org), JUDGE_R(data), JUDGE_END
};

#undef JUDGE_ROW
#define JUDGE_ROW  judge_webhook_end_t


/* The next result that the step is about. */

static judge_step_e
judge_webhook_turn_results(judge_run_t *run, judge_webhook_turn_t *o)
{
    judge_delivery_result_t  *result;

    for (o->at = run->turn ? o->at + 1 : 0; o->at < o->nresults; o->at++) {
        result = &o->results[o->at];

        if (run->step == JUDGE_TURN_RESULT
            || (run->step == JUDGE_TURN_ANSWER && result->answer.data)
            || (run->step == JUDGE_TURN_GONE && result->gone.data))
        {
            run->row = result;
            return JUDGE_STEP_REPEAT;
        }
    }

    return JUDGE_STEP_SKIP;
}


/* The next address that the step is about. */

static judge_step_e
judge_webhook_turn_ends(judge_run_t *run, judge_webhook_turn_t *o)
{
    judge_webhook_end_t  *end;

    for (o->at = run->turn ? o->at + 1 : 0; o->at < o->nends; o->at++) {
        end = &o->ends[o->at];

        if ((run->step != JUDGE_TURN_CLAIM || end->take)
            && (run->step != JUDGE_TURN_TARGET || end->count))
        {
            run->row = end;
            return JUDGE_STEP_REPEAT;
        }
    }

    return JUDGE_STEP_SKIP;
}


/* The next claimed one that is about work. */

static judge_step_e
judge_webhook_turn_work(judge_run_t *run, judge_webhook_turn_t *o)
{
    const char            *type;
    judge_delivery_row_t  *row;

    type = judge_event_names[JUDGE_EVENT_EVALUATION_REQUESTED];
    o->row = run->turn ? o->row + 1 : 0;
    o->at = run->turn ? o->at : 0;

    for ( /* void */ ; o->at < o->nends; o->at++, o->row = 0) {
        for ( /* void */ ; o->row < o->ends[o->at].count; o->row++) {
            row = &o->ends[o->at].rows[o->row];

            if (judge_str_eq_c(row->type, type)) {
                run->row = row;
                return JUDGE_STEP_REPEAT;
            }
        }
    }

    return JUDGE_STEP_SKIP;
}


static judge_step_e
judge_webhook_turn_step(judge_run_t *run)
{
    judge_webhook_turn_t  *o = (judge_webhook_turn_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == JUDGE_TURN_WORK) {
        return judge_webhook_turn_work(run, o);
    }

    return run->step < JUDGE_TURN_CLAIM ? judge_webhook_turn_results(run, o)
                                        : judge_webhook_turn_ends(run, o);
}


static judge_rc_e
judge_webhook_turn_claimed(judge_run_t *run, judge_webhook_end_t *end)
{
    judge_delivery_row_t  *row;

    if (end->count == (size_t) end->take) {
        return JUDGE_ERROR;
    }

    row = &end->rows[end->count++];
    row->org = end->org;
    row->url = end->url;
    row->work = NULL;
    judge_read_values(run, 0, judge_webhook_claim_out, row);

    return row->data.data ? JUDGE_OK : JUDGE_ERROR;
}


static judge_rc_e
judge_webhook_turn_item(judge_run_t *run, judge_delivery_row_t *row)
{
    row->work = judge_calloc(run->op->arena, sizeof(judge_work_item_t));
    if (row->work == NULL) {
        return JUDGE_NOMEM;
    }

    judge_read_values(run, 0, judge_work_item_out, row->work);
    row->work->content.id = row->work->content_id;
    row->base_url = judge_column_str(run, JUDGE_WORK_COLUMN_NEXT);

    return JUDGE_OK;
}


static judge_rc_e
judge_webhook_turn_read(judge_run_t *run)
{
    judge_webhook_end_t   *end;
    judge_webhook_turn_t  *o = (judge_webhook_turn_t *) run->op;

    end = &o->ends[o->at];

    if (run->step == JUDGE_TURN_CLAIM) {
        return judge_webhook_turn_claimed(run, end);
    }

    if (run->step == JUDGE_TURN_WORK) {
        return judge_webhook_turn_item(run, &end->rows[o->row]);
    }

    end->secrets[0] = judge_column_str(run, 0);
    end->secrets[1] = judge_column_str(run, 1);
    end->nsecrets = end->secrets[1].data ? 2 : 1;
    end->target = end->url.len ? end->url : judge_column_str(run, 2);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_webhook_turn = {
    .name = "webhook_turn",
    .place = JUDGE_OP_WRITE,
    .statements = {
        [JUDGE_TURN_RESULT] =
        { "UPDATE deliveries SET status = ?4, queue_at = ?5, owner = NULL,"
          " attempts = ?6, attempted_at = COALESCE(?7, attempted_at),"
          " delivered_at = ?8,"
          " last_status = CASE WHEN ?7 IS NULL THEN last_status ELSE ?9"
          " END, last_error = CASE WHEN ?7 IS NULL THEN last_error"
          " ELSE ?10 END"
          " WHERE org = ?1 AND id = ?2 AND owner = ?3",
          .in = judge_webhook_result_in },
        [JUDGE_TURN_ANSWER] =
        { "UPDATE delivery_bodies SET answer = ?3"
          " WHERE org = ?1 AND id = ?2",
          .in = judge_webhook_answer_in },
        [JUDGE_TURN_GONE] =
        { "UPDATE org_settings SET webhook_enabled = 0,"
          " webhooks_updated_at = ?3 WHERE org = ?1 AND webhook_url = ?2",
          .in = judge_webhook_gone_in },
        [JUDGE_TURN_CLAIM] =
        { "UPDATE deliveries SET queue_at = ?5, owner = ?6,"
          " attempts = attempts + 1 WHERE org = ?1 AND id IN"
          " (SELECT id FROM deliveries WHERE org = ?1 AND url = ?2"
          " AND queue_at IS NOT NULL AND queue_at <= ?3"
          " ORDER BY queue_at LIMIT ?4)"
          " RETURNING id, event_id, type, created_at, attempts,"
          " (SELECT b.data FROM delivery_bodies b"
          " WHERE b.org = deliveries.org AND b.id = deliveries.id)",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(url), JUDGE_V(now),
              JUDGE_R(take), JUDGE_V(lease_until), JUDGE_V(owner)) },
        [JUDGE_TURN_WORK] =
        { .engines[JUDGE_ENGINE_SQLITE] =
          "SELECT " JUDGE_WORK_COLUMNS ", s.base_url FROM evaluations e"
          " JOIN contents c ON c.org = e.org AND c.id = e.content_id"
          " JOIN judge_versions v ON v.org = e.org"
          " AND v.judge_id = e.judge_id AND v.version = e.judge_version"
          " LEFT JOIN org_settings s ON s.org = e.org WHERE e.org = ?1"
          " AND e.id = json_extract(?2, '$.evaluation_id')"
          " AND e.status = 'processing'",
          .in = judge_webhook_work_in },
        [JUDGE_TURN_TARGET] =
        { "SELECT o.webhook_secret, CASE WHEN s.previous_until > ?2"
          " THEN s.previous_secret END, CASE WHEN " JUDGE_WEBHOOK_IS_ON
          " THEN s.webhook_url END FROM organizations o"
          " LEFT JOIN org_settings s ON s.org = o.id WHERE o.id = ?1",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_V(now)) },
        [JUDGE_TURN_ENDPOINT] =
        { "UPDATE webhook_endpoints SET failures = ?3, blocked_until = ?4,"
          " queue_at = (SELECT CASE WHEN d.queue_at < ?4 THEN ?4"
          " ELSE d.queue_at END FROM deliveries d WHERE d.org = ?1"
          " AND d.url = ?2 AND d.queue_at IS NOT NULL"
          " ORDER BY d.queue_at LIMIT 1) WHERE org = ?1 AND url = ?2",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(url), JUDGE_R(failures),
              JUDGE_R(blocked_until)) },
        [JUDGE_TURN_IDLE] =
        { "DELETE FROM webhook_endpoints WHERE org = ?1 AND url = ?2"
          " AND queue_at IS NULL AND (url <> '' OR failures = 0)",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(url)) }
    },
    .step = judge_webhook_turn_step,
    .read = judge_webhook_turn_read
};
