/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evaluations as their organization sees them. */


#include "store/ops/store_batch_parts.h"


/* Statement 0 looks for the judge, 1 for the content. */

static judge_step_e
judge_pair_find_bind(judge_run_t *run)
{
    judge_pair_find_t  *o = (judge_pair_find_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, run->step == 0 ? o->judge_id : o->content_id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_pair_find_read(judge_run_t *run)
{
    judge_pair_find_t  *o = (judge_pair_find_t *) run->op;

    if (run->step == 0) {
        o->judge_found = true;
        o->judge_version = judge_column_int(run, 0);
        o->content_type = judge_column_str(run, 1);

    } else {
        o->content_found = true;
        o->file_type = judge_column_str(run, 0);
        o->content_status = judge_column_str(run, 1);
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_pair_find = {
    .name = "pair_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT version, content_type FROM judges"
             " WHERE org = ?1 AND id = ?2 AND deleted_at IS NULL",
             "SELECT file_type, status FROM contents"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_pair_find_bind,
    .read = judge_pair_find_read
};


static judge_step_e
judge_evaluation_create_bind(judge_run_t *run)
{
    judge_evaluation_row_t  *row;

    row = &((judge_evaluation_create_t *) run->op)->row;

    if (run->st == NULL) {
        run->op->rc = run->changes ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_when(run, 3, row->queue_at);
    judge_bind_int(run, 4, row->priority);
    judge_bind_str(run, 5, row->owner);
    judge_bind_int(run, 6, row->attempts);
    judge_bind_str(run, 7, row->content_id);
    judge_bind_str(run, 8, row->judge_id);
    judge_bind_int(run, 9, row->judge_version);
    judge_bind_str(run, 10, row->batch_id);
    judge_bind_int(run, 11, row->created_at);
    judge_bind_int(run, 12, row->deadline);
    judge_bind_str(run, 13, row->model);
    judge_bind_when(run, 14, row->samples);
    judge_bind_when(run, 15, row->fresh);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_evaluation_create = {
    .name = "evaluation_create",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO evaluations (org, id, status, queue_at, priority,"
             " owner, attempts, content_id, judge_id, judge_version,"
             " batch_id, created_at, deadline, model, samples, fresh)"
             " SELECT ?1, ?2, 'processing', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
             " ?11, ?12, ?13, ?14, ?15 WHERE EXISTS (SELECT 1 FROM contents"
             " WHERE org = ?1 AND id = ?7) AND EXISTS (SELECT 1 FROM judges"
             " WHERE org = ?1 AND id = ?8 AND deleted_at IS NULL)" },
    .bind = judge_evaluation_create_bind
};


void
judge_evaluation_row_read(judge_run_t *run, judge_evaluation_row_t *row)
{
    row->org = judge_column_str(run, 0);
    row->id = judge_column_str(run, 1);
    row->status = judge_column_str(run, 2);
    row->queue_at = judge_column_int(run, 3);
    row->priority = judge_column_int(run, 4);
    row->owner = judge_column_str(run, 5);
    row->attempts = judge_column_int(run, 6);
    row->content_id = judge_column_str(run, 7);
    row->judge_id = judge_column_str(run, 8);
    row->judge_version = judge_column_int(run, 9);
    row->batch_id = judge_column_str(run, 10);
    row->created_at = judge_column_int(run, 11);
    row->deadline = judge_column_int(run, 12);
    row->evaluated_at = judge_column_int(run, 13);
    row->last_error = judge_column_str(run, 14);
    row->body = judge_column_str(run, 15);
    row->progress = judge_column_double(run, 16);
}


void
judge_result_bind(judge_run_t *run, judge_str_t org,
    const judge_result_t *result)
{
    judge_bind_str(run, 1, org);
    judge_bind_str(run, 2, result->id);
    judge_bind_str(run, 3, result->status);
    judge_bind_blob(run, 4, result->features);
    judge_bind_str(run, 5, result->body);
}


/*
 * The one that is asked for most.  An ended evaluation is its result,
 * so statement 0 fetches nothing else; 1 is for one that has none yet.
 */

static judge_step_e
judge_evaluation_find_bind(judge_run_t *run)
{
    judge_evaluation_find_t  *o = (judge_evaluation_find_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && o->row.body.data) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_evaluation_find_read(judge_run_t *run)
{
    judge_evaluation_find_t  *o = (judge_evaluation_find_t *) run->op;

    if (run->step == 0) {
        o->row.body = judge_column_str(run, 0);
        o->row.status = judge_column_str(run, 1);
    } else {
        judge_evaluation_row_read(run, &o->row);
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_evaluation_find = {
    .name = "evaluation_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT body, status FROM results"
             " WHERE org = ?1 AND evaluation_id = ?2",
             "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_evaluation_find_bind,
    .read = judge_evaluation_find_read
};


/* One statement for each index: by batch, content, judge, or all. */

static size_t
judge_evaluation_list_statement(judge_evaluation_list_t *o)
{
    return o->batch_id.data ? 0 : o->content_id.data ? 1
           : o->judge_id.data ? 2 : 3;
}


static judge_step_e
judge_evaluation_list_bind(judge_run_t *run)
{
    judge_evaluation_list_t  *o = (judge_evaluation_list_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step != judge_evaluation_list_statement(o)) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->page.before);
    judge_bind_str(run, 3, o->batch_id);
    judge_bind_str(run, 4, o->content_id);
    judge_bind_str(run, 5, o->judge_id);
    judge_bind_str(run, 6, o->status);
    judge_bind_int(run, 7, o->page.limit + 1);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_evaluation_list_read(judge_run_t *run)
{
    judge_evaluation_list_t  *o = (judge_evaluation_list_t *) run->op;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_evaluation_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    judge_evaluation_row_read(run, &o->rows[o->count++]);

    return JUDGE_OK;
}


#define JUDGE_EVALUATION_LIST(condition)                                      \
    "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations WHERE org = ?1"     \
    " AND id < coalesce(?2, '~')" condition                                   \
    " AND (?6 IS NULL OR status = ?6) ORDER BY id DESC LIMIT ?7"

const judge_op_spec_t  judge_op_evaluation_list = {
    .name = "evaluation_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_evaluation_list_t, page),
    .sql = { JUDGE_EVALUATION_LIST(" AND batch_id = ?3"
                 " AND (?4 IS NULL OR content_id = ?4)"
                 " AND (?5 IS NULL OR judge_id = ?5)"),
             JUDGE_EVALUATION_LIST(" AND content_id = ?4"
                 " AND (?5 IS NULL OR judge_id = ?5)"),
             JUDGE_EVALUATION_LIST(" AND judge_id = ?5"),
             JUDGE_EVALUATION_LIST("") },
    .bind = judge_evaluation_list_bind,
    .read = judge_evaluation_list_read
};


/*
 * Statement 0 puts a failed one back, 1 takes it off the counts of its batch,
 * 2 reads what stands there then.
 */

static judge_step_e
judge_evaluation_retry_bind(judge_run_t *run)
{
    judge_evaluation_retry_t  *o = (judge_evaluation_retry_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows == 0 ? JUDGE_NOT_FOUND
                   : o->requeued ? JUDGE_OK : JUDGE_CONFLICT;
        return JUDGE_STEP_END;
    }

    if (run->step == 1) {
        return judge_batch_count_bind(run, &o->batches);
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    if (run->step == 0) {
        judge_bind_int(run, 3, o->now);
        judge_bind_int(run, 4, o->deadline);
        judge_bind_int(run, 5, o->callback_deadline);
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_evaluation_retry_read(judge_run_t *run)
{
    judge_str_t                batch;
    judge_batch_delta_t       *delta;
    judge_evaluation_retry_t  *o = (judge_evaluation_retry_t *) run->op;

    if (run->step == 2) {
        judge_evaluation_row_read(run, &o->row);
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
    .sql = { "UPDATE evaluations SET status = 'processing',"
             " queue_at = CASE WHEN " JUDGE_EVALUATION_INSIDE
             " THEN ?3 ELSE ?5 END,"
             " deadline = CASE WHEN " JUDGE_EVALUATION_INSIDE
             " THEN ?4 ELSE ?5 END,"
             " attempts = 0, owner = NULL, last_error = NULL,"
             " evaluated_at = NULL, overall_score = NULL,"
             " error_code = NULL, batch_seq = NULL"
             " WHERE org = ?1 AND id = ?2 AND status = 'failed'"
             " RETURNING batch_id",
             JUDGE_BATCH_COUNT,
             "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_evaluation_retry_bind,
    .read = judge_evaluation_retry_read
};
