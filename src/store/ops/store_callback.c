/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Results that somebody else brings. */


#include "store/ops/store_batch_parts.h"
#include "store/ops/store_event_parts.h"
#include "store/store_job.h"


/*
 * Statement 0 asks one organization after another whether the evaluation is
 * theirs; an index over all evaluations would cost more, on every insert.
 */

#undef JUDGE_OF
#define JUDGE_OF  judge_callback_find_t

const judge_op_spec_t  judge_op_callback_find = {
    .name = "callback_find",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT o.id, o.webhook_secret, s.previous_secret,"
          " s.previous_until FROM organizations o"
          " LEFT JOIN org_settings s ON s.org = o.id"
          " WHERE EXISTS (SELECT 1 FROM evaluations e"
          " WHERE e.org = o.id AND e.id = ?1) LIMIT 1",
          .in = JUDGE_VALUES(JUDGE_V(id)),
          .out = JUDGE_VALUES(JUDGE_V(row.org), JUDGE_V(secret),
              JUDGE_V(previous_secret), JUDGE_V(previous_until)),
          .unless_rows = JUDGE_NOT_FOUND },
        { "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_VALUES(JUDGE_V(row.org), JUDGE_V(id)),
          .out = judge_evaluation_row_out,
          .row = offsetof(judge_callback_find_t, row),
          .unless_rows = JUDGE_NOT_FOUND },
        { "SELECT j.content_type, v.name, v.description, v.criteria"
          " FROM judge_versions v JOIN judges j"
          " ON j.org = v.org AND j.id = v.judge_id"
          " WHERE v.org = ?1 AND v.judge_id = ?2 AND v.version = ?3",
          .in = JUDGE_VALUES(JUDGE_V(row.org), JUDGE_V(row.judge_id),
              JUDGE_V(row.judge_version)),
          .out = JUDGE_VALUES(JUDGE_V(content_type), JUDGE_V(judge_name),
              JUDGE_V(judge_description), JUDGE_V(criteria)),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_callback_finish_t

/* Statement 1 keeps the result, 2 adds it to the counts of its batch. */

static judge_step_e
judge_callback_finish_step(judge_run_t *run)
{
    judge_callback_finish_t  *o = (judge_callback_finish_t *) run->op;

    return run->step == 2 ? judge_batch_count_bind(run, &o->batches)
                          : judge_run_next(run);
}


static judge_rc_e
judge_callback_finish_read(judge_run_t *run)
{
    judge_str_t               batch;
    judge_batch_delta_t      *delta;
    judge_callback_finish_t  *o = (judge_callback_finish_t *) run->op;

    if (run->step == 2) {
        return judge_batch_count_read(run, &o->batches);
    }

    if (judge_event_add_result(&o->op, o->op.org, &o->result) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    batch = judge_column_str(run, 0);
    if (batch.data == NULL) {
        return run->op->rc;
    }

    delta = judge_batch_delta(o->op.arena, &o->batches, o->op.org, batch);
    if (delta == NULL) {
        return JUDGE_NOMEM;
    }

    judge_batch_delta_add(delta, 1, o->result.status,
                          o->result.overall_score, o->result.scored);
    delta->seq = 1;
    delta->now = o->result.evaluated_at;

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_callback_finish = {
    .name = "callback_finish",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE evaluations SET status = ?3, queue_at = NULL,"
          " evaluated_at = ?4, overall_score = ?5, last_error = ?6,"
          " error_code = ?7, attempts = ?8, owner = NULL,"
          " work_until = NULL, work_lease = NULL,"
          " batch_seq = (SELECT b.last_seq + 1 FROM batches b"
          " WHERE b.org = ?1 AND b.id = evaluations.batch_id)"
          " WHERE org = ?1 AND id = ?2 AND status = 'processing'"
          " RETURNING batch_id",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(result.id),
              JUDGE_V(result.status), JUDGE_V(result.evaluated_at),
              JUDGE_V_IF(result.overall_score, result.scored),
              JUDGE_V(result.last_error), JUDGE_V(result.error_code),
              JUDGE_V(attempts)),
          .unless_rows = JUDGE_CONFLICT },
        { JUDGE_RESULT_INSERT,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(result.id),
              JUDGE_V(result.status), JUDGE_V_BLOB(result.features),
              JUDGE_V(result.body)) },
        { JUDGE_BATCH_COUNT,
          .in = NULL }
    },
    .step = judge_callback_finish_step,
    .read = judge_callback_finish_read
};
