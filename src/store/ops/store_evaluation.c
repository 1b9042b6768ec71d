/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evaluations as their organization sees them. */


#include "store/ops/store_batch_parts.h"


/* Statement 0 looks for the judge, 1 for the content. */

#undef JUDGE_OF
#define JUDGE_OF  judge_pair_find_t

static judge_rc_e
judge_pair_find_read(judge_run_t *run)
{
    judge_pair_find_t  *o = (judge_pair_find_t *) run->op;

    *(run->step == 0 ? &o->judge_found : &o->content_found) = true;

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_pair_find = {
    .name = "pair_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT version, content_type FROM judges"
          " WHERE org = ?1 AND id = ?2 AND deleted_at IS NULL",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(judge_id)),
          .out = JUDGE_VALUES(JUDGE_V(judge_version), JUDGE_V(content_type)) },
        { "SELECT file_type, status FROM contents"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(content_id)),
          .out = JUDGE_VALUES(JUDGE_V(file_type), JUDGE_V(content_status)) }
    },
    .read = judge_pair_find_read
};


#undef JUDGE_OF
#define JUDGE_OF  judge_evaluation_create_t

const judge_op_spec_t  judge_op_evaluation_create = {
    .name = "evaluation_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO evaluations (org, id, status, queue_at, priority,"
          " owner, attempts, content_id, judge_id, judge_version,"
          " batch_id, created_at, deadline, model, samples, fresh)"
          " SELECT ?1, ?2, 'processing', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
          " ?11, ?12, ?13, ?14, ?15 WHERE EXISTS (SELECT 1 FROM contents"
          " WHERE org = ?1 AND id = ?7) AND EXISTS (SELECT 1 FROM judges"
          " WHERE org = ?1 AND id = ?8 AND deleted_at IS NULL)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V_NULL(row.queue_at), JUDGE_V(row.priority),
              JUDGE_V(row.owner), JUDGE_V(row.attempts),
              JUDGE_V(row.content_id), JUDGE_V(row.judge_id),
              JUDGE_V(row.judge_version), JUDGE_V(row.batch_id),
              JUDGE_V(row.created_at), JUDGE_V(row.deadline),
              JUDGE_V(row.model), JUDGE_V_NULL(row.samples),
              JUDGE_V_NULL(row.fresh)),
          .unless_changed = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_ROW
#define JUDGE_ROW  judge_evaluation_row_t

const judge_value_t  judge_evaluation_row_out[] = {
    JUDGE_R(org), JUDGE_R(id), JUDGE_R(status), JUDGE_R(queue_at),
    JUDGE_R(priority), JUDGE_R(owner), JUDGE_R(attempts), JUDGE_R(content_id),
    JUDGE_R(judge_id), JUDGE_R(judge_version), JUDGE_R(batch_id),
    JUDGE_R(created_at), JUDGE_R(deadline), JUDGE_R(evaluated_at),
    JUDGE_R(last_error), JUDGE_R(body), JUDGE_R(progress), JUDGE_END
};


#undef JUDGE_OF
#define JUDGE_OF  judge_evaluation_find_t

/*
 * The one that is asked for most.  An ended evaluation is its result,
 * so statement 0 fetches nothing else; 1 is for one that has none yet.
 */

static judge_step_e
judge_evaluation_find_step(judge_run_t *run)
{
    judge_evaluation_find_t  *o = (judge_evaluation_find_t *) run->op;

    return run->step == 1 && o->row.body.data ? JUDGE_STEP_END
                                              : judge_run_next(run);
}


const judge_op_spec_t  judge_op_evaluation_find = {
    .name = "evaluation_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT body, status FROM results"
          " WHERE org = ?1 AND evaluation_id = ?2",
          .in = JUDGE_BY_ID(judge_evaluation_find_t),
          .out = JUDGE_VALUES(JUDGE_V(row.body), JUDGE_V(row.status)) },
        { "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_evaluation_find_t),
          .out = judge_evaluation_row_out,
          .row = offsetof(judge_evaluation_find_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    },
    .step = judge_evaluation_find_step
};


/* One statement for each index: by batch, content, judge, or all. */

static size_t
judge_evaluation_list_statement(judge_evaluation_list_t *o)
{
    return o->batch_id.data ? 0 : o->content_id.data ? 1
           : o->judge_id.data ? 2 : 3;
}


#undef JUDGE_OF
#define JUDGE_OF  judge_evaluation_list_t

static const judge_value_t  judge_evaluation_list_in[] = {
    JUDGE_V(op.org), JUDGE_V(page.before), JUDGE_V(batch_id),
    JUDGE_V(content_id), JUDGE_V(judge_id), JUDGE_V(status),
    JUDGE_V_MORE(page.limit), JUDGE_END
};


static judge_step_e
judge_evaluation_list_step(judge_run_t *run)
{
    judge_evaluation_list_t  *o = (judge_evaluation_list_t *) run->op;

    return run->st && run->step != judge_evaluation_list_statement(o)
           ? JUDGE_STEP_SKIP : judge_run_next(run);
}


#define JUDGE_EVALUATION_LIST(condition)                                      \
    "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations WHERE org = ?1"     \
    " AND id < coalesce(?2, '~')" condition                                   \
    " AND (?6 IS NULL OR status = ?6) ORDER BY id DESC LIMIT ?7"

const judge_op_spec_t  judge_op_evaluation_list = {
    .name = "evaluation_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_evaluation_list_t, page),
    .statements = {
        { JUDGE_EVALUATION_LIST(" AND batch_id = ?3"
          " AND (?4 IS NULL OR content_id = ?4)"
          " AND (?5 IS NULL OR judge_id = ?5)"),
          .in = judge_evaluation_list_in, .out = judge_evaluation_row_out,
          .list = JUDGE_ROWS(judge_evaluation_list_t, rows, count) },
        { JUDGE_EVALUATION_LIST(" AND content_id = ?4"
          " AND (?5 IS NULL OR judge_id = ?5)"),
          .in = judge_evaluation_list_in, .out = judge_evaluation_row_out,
          .list = JUDGE_ROWS(judge_evaluation_list_t, rows, count) },
        { JUDGE_EVALUATION_LIST(" AND judge_id = ?5"),
          .in = judge_evaluation_list_in, .out = judge_evaluation_row_out,
          .list = JUDGE_ROWS(judge_evaluation_list_t, rows, count) },
        { JUDGE_EVALUATION_LIST(""),
          .in = judge_evaluation_list_in, .out = judge_evaluation_row_out,
          .list = JUDGE_ROWS(judge_evaluation_list_t, rows, count) }
    },
    .step = judge_evaluation_list_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_evaluation_retry_t

/*
 * Statement 0 puts a failed one back, 1 takes it off the counts of its batch,
 * 2 reads what stands there then.
 */

static judge_step_e
judge_evaluation_retry_step(judge_run_t *run)
{
    judge_evaluation_retry_t  *o = (judge_evaluation_retry_t *) run->op;

    if (run->step == 1) {
        return judge_batch_count_bind(run, &o->batches);
    }

    if (run->st == NULL && !o->requeued) {
        o->op.rc = JUDGE_CONFLICT;
    }

    return judge_run_next(run);
}


static judge_rc_e
judge_evaluation_retry_read(judge_run_t *run)
{
    judge_str_t                batch;
    judge_batch_delta_t       *delta;
    judge_evaluation_retry_t  *o = (judge_evaluation_retry_t *) run->op;

    if (run->step == 2) {
        return JUDGE_OK;
    }

    if (run->step == 1) {
        return judge_batch_count_read(run, &o->batches);
    }

    o->requeued = true;

    batch = judge_column_str(run, 0);
    if (batch.data == NULL) {
        return run->op->rc;
    }

    delta = judge_batch_delta(o->op.arena, &o->batches, o->op.org, batch);
    if (delta == NULL) {
        return JUDGE_NOMEM;
    }

    judge_batch_delta_add(delta, -1, JUDGE_STR("failed"), 0, false);

    return JUDGE_OK;
}


/* Whether the service itself can judge it. */
#define JUDGE_EVALUATION_INSIDE                                               \
    "(model IS NOT NULL OR (SELECT content_type FROM judges"                  \
    " WHERE org = ?1 AND id = evaluations.judge_id) = 'text')"

const judge_op_spec_t  judge_op_evaluation_retry = {
    .name = "evaluation_retry",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE evaluations SET status = 'processing',"
          " queue_at = CASE WHEN " JUDGE_EVALUATION_INSIDE
          " THEN ?3 ELSE ?5 END,"
          " deadline = CASE WHEN " JUDGE_EVALUATION_INSIDE
          " THEN ?4 ELSE ?5 END,"
          " attempts = 0, owner = NULL, last_error = NULL,"
          " evaluated_at = NULL, overall_score = NULL,"
          " error_code = NULL, batch_seq = NULL"
          " WHERE org = ?1 AND id = ?2 AND status = 'failed'"
          " RETURNING batch_id",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(now),
              JUDGE_V(deadline), JUDGE_V(callback_deadline)) },
        { JUDGE_BATCH_COUNT,
          .in = NULL },
        { "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_evaluation_retry_t),
          .out = judge_evaluation_row_out,
          .row = offsetof(judge_evaluation_retry_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    },
    .step = judge_evaluation_retry_step,
    .read = judge_evaluation_retry_read
};
