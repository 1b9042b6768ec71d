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

static judge_step_e
judge_callback_find_bind(judge_run_t *run)
{
    judge_callback_find_t  *o = (judge_callback_find_t *) run->op;

    if (run->step > 0 && run->rows == 0) {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    switch (run->step) {

    case 0:
        judge_bind_str(run, 1, o->id);
        return JUDGE_STEP_RUN;

    case 1:
        judge_bind_str(run, 1, o->row.org);
        judge_bind_str(run, 2, o->id);
        return JUDGE_STEP_RUN;

    case 2:
        judge_bind_str(run, 1, o->row.org);
        judge_bind_str(run, 2, o->row.judge_id);
        judge_bind_int(run, 3, o->row.judge_version);
        return JUDGE_STEP_RUN;

    default:
        return JUDGE_STEP_END;
    }
}


static judge_rc_e
judge_callback_find_read(judge_run_t *run)
{
    judge_callback_find_t  *o = (judge_callback_find_t *) run->op;

    switch (run->step) {

    case 0:
        o->row.org = judge_column_str(run, 0);
        o->secret = judge_column_str(run, 1);
        o->previous_secret = judge_column_str(run, 2);
        o->previous_until = judge_column_int(run, 3);
        return JUDGE_OK;

    case 1:
        judge_evaluation_row_read(run, &o->row);
        return JUDGE_OK;

    default:
        o->content_type = judge_column_str(run, 0);
        o->judge_name = judge_column_str(run, 1);
        o->judge_description = judge_column_str(run, 2);
        o->criteria = judge_column_str(run, 3);
        return JUDGE_OK;
    }
}


const judge_op_spec_t  judge_op_callback_find = {
    .name = "callback_find",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT o.id, o.webhook_secret, s.previous_secret,"
             " s.previous_until FROM organizations o"
             " LEFT JOIN org_settings s ON s.org = o.id"
             " WHERE EXISTS (SELECT 1 FROM evaluations e"
             " WHERE e.org = o.id AND e.id = ?1) LIMIT 1",
             "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations"
             " WHERE org = ?1 AND id = ?2",
             "SELECT j.content_type, v.name, v.description, v.criteria"
             " FROM judge_versions v JOIN judges j"
             " ON j.org = v.org AND j.id = v.judge_id"
             " WHERE v.org = ?1 AND v.judge_id = ?2 AND v.version = ?3" },
    .bind = judge_callback_find_bind,
    .read = judge_callback_find_read
};


/* Statement 1 keeps the result, 2 adds it to the counts of its batch. */

static judge_step_e
judge_callback_finish_bind(judge_run_t *run)
{
    judge_callback_finish_t  *o = (judge_callback_finish_t *) run->op;

    if (run->step == 1) {
        if (run->rows == 0) {
            o->op.rc = JUDGE_CONFLICT;
            return JUDGE_STEP_END;
        }
        judge_result_bind(run, o->op.org, &o->result);
        return JUDGE_STEP_RUN;
    }

    if (run->step == 2) {
        return judge_batch_count_bind(run, &o->batches);
    }

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->result.id);
    judge_bind_str(run, 3, o->result.status);
    judge_bind_int(run, 4, o->result.evaluated_at);
    judge_bind_double(run, 5, o->result.overall_score, o->result.scored);
    judge_bind_str(run, 6, o->result.last_error);
    judge_bind_str(run, 7, o->result.error_code);
    judge_bind_int(run, 8, o->attempts);

    return JUDGE_STEP_RUN;
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

    if (judge_event_tell_result(&o->op, o->op.org, &o->result) != JUDGE_OK) {
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
    .sql = { "UPDATE evaluations SET status = ?3, queue_at = NULL,"
             " evaluated_at = ?4, overall_score = ?5, last_error = ?6,"
             " error_code = ?7, attempts = ?8, owner = NULL,"
             " work_until = NULL, work_lease = NULL,"
             " batch_seq = (SELECT b.last_seq + 1 FROM batches b"
             " WHERE b.org = ?1 AND b.id = evaluations.batch_id)"
             " WHERE org = ?1 AND id = ?2 AND status = 'processing'"
             " RETURNING batch_id",
             JUDGE_RESULT_INSERT,
             JUDGE_BATCH_COUNT },
    .bind = judge_callback_finish_bind,
    .read = judge_callback_finish_read
};
