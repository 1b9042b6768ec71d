/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Batches: read, listed, and what became of their evaluations. */


#include "store/ops/store_batch_parts.h"


#define JUDGE_RESULTS_CSV_COLUMNS                                             \
    "id, status, content_type, priority, created_at, started_at,"             \
    " completed_at, total, completed, failed, last_seq, score_sum,"           \
    " score_count, scores_00, scores_10, scores_20, scores_30, scores_40,"    \
    " scores_50, scores_60, scores_70, scores_80, scores_90, judge_ids,"      \
    " judge_versions, name"

#define JUDGE_BATCH_COLUMN_SCORES     13
#define JUDGE_BATCH_COLUMN_JUDGE_IDS  23
#define JUDGE_BATCH_COLUMN_NEXT       26


static void
judge_batch_row_read(judge_run_t *run, judge_batch_row_t *row)
{
    int  i, at;

    row->id = judge_column_str(run, 0);
    row->status = judge_column_str(run, 1);
    row->content_type = judge_column_str(run, 2);
    row->priority = judge_column_int(run, 3);
    row->created_at = judge_column_int(run, 4);
    row->started_at = judge_column_int(run, 5);
    row->completed_at = judge_column_int(run, 6);
    row->total = judge_column_int(run, 7);
    row->completed = judge_column_int(run, 8);
    row->failed = judge_column_int(run, 9);
    row->last_seq = judge_column_int(run, 10);
    row->score_sum = judge_column_int(run, 11);
    row->score_count = judge_column_int(run, 12);

    for (i = 0; i < JUDGE_BATCH_SCORES; i++) {
        row->scores[i] = judge_column_int(run, JUDGE_BATCH_COLUMN_SCORES + i);
    }

    at = JUDGE_BATCH_COLUMN_JUDGE_IDS;
    row->judge_ids = judge_column_str(run, at);
    row->judge_versions = judge_column_str(run, at + 1);
    row->name = judge_column_str(run, at + 2);
}


static judge_step_e
judge_batch_find_bind(judge_run_t *run)
{
    judge_batch_find_t  *o = (judge_batch_find_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && (run->rows == 0 || o->brief)) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_batch_find_read(judge_run_t *run)
{
    judge_batch_find_t  *o = (judge_batch_find_t *) run->op;

    if (run->step == 0) {
        judge_batch_row_read(run, &o->row);
    } else {
        o->row.description = judge_column_str(run, 0);
        o->row.content_ids = judge_column_str(run, 1);
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_find = {
    .name = "batch_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT " JUDGE_RESULTS_CSV_COLUMNS " FROM batches"
             " WHERE org = ?1 AND id = ?2",
             "SELECT description, content_ids FROM batch_texts"
             " WHERE org = ?1 AND batch_id = ?2" },
    .bind = judge_batch_find_bind,
    .read = judge_batch_find_read
};


static judge_step_e
judge_batch_list_bind(judge_run_t *run)
{
    judge_batch_list_t  *o = (judge_batch_list_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->page.before);
    judge_bind_str(run, 3, o->status);
    judge_bind_int(run, 4, o->page.limit + 1);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_batch_list_read(judge_run_t *run)
{
    judge_batch_row_t   *row;
    judge_batch_list_t  *o = (judge_batch_list_t *) run->op;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_batch_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    row = &o->rows[o->count++];
    judge_batch_row_read(run, row);
    row->description = judge_column_str(run, JUDGE_BATCH_COLUMN_NEXT);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_list = {
    .name = "batch_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_batch_list_t, page),
    .sql = { "SELECT " JUDGE_RESULTS_CSV_COLUMNS ", (SELECT description"
             " FROM batch_texts t WHERE t.org = batches.org"
             " AND t.batch_id = batches.id) FROM batches"
             " WHERE org = ?1 AND id < coalesce(?2, '~')"
             " AND (?3 IS NULL OR status = ?3)"
             " ORDER BY id DESC LIMIT ?4" },
    .bind = judge_batch_list_bind,
    .read = judge_batch_list_read
};


static judge_step_e
judge_batch_failures_bind(judge_run_t *run)
{
    judge_batch_failures_t  *o = (judge_batch_failures_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_int(run, 3, JUDGE_BATCH_FAILURES);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_batch_failures_read(judge_run_t *run)
{
    judge_batch_failure_t   *row;
    judge_batch_failures_t  *o = (judge_batch_failures_t *) run->op;

    o->rows = judge_row_room(run, o->rows, JUDGE_BATCH_FAILURES,
                             sizeof(judge_batch_failure_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    row = &o->rows[o->count++];
    row->code = judge_column_str(run, 0);
    row->count = judge_column_int(run, 1);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_failures = {
    .name = "batch_failures",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT COALESCE(error_code, 'UNKNOWN'), COUNT(*)"
             " FROM evaluations WHERE org = ?1 AND batch_id = ?2"
             " AND status = 'failed' GROUP BY error_code"
             " ORDER BY COUNT(*) DESC, error_code LIMIT ?3" },
    .bind = judge_batch_failures_bind,
    .read = judge_batch_failures_read
};


static judge_step_e
judge_batch_items_bind(judge_run_t *run)
{
    judge_batch_items_t  *o = (judge_batch_items_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_int(run, 3, o->after);
    judge_bind_int(run, 4, o->page.limit + 1);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_batch_items_read(judge_run_t *run)
{
    judge_batch_items_t     *o = (judge_batch_items_t *) run->op;
    judge_batch_item_row_t  *row;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_batch_item_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    row = &o->rows[o->count++];
    row->seq = judge_column_int(run, 0);
    row->id = judge_column_str(run, 1);
    row->content_id = judge_column_str(run, 2);
    row->judge_id = judge_column_str(run, 3);
    row->status = judge_column_str(run, 4);
    row->overall_score = judge_column_double(run, 5);
    row->scored = !judge_column_null(run, 5);
    row->error_code = judge_column_str(run, 6);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_items = {
    .name = "batch_items",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_batch_items_t, page),
    .sql = { "SELECT batch_seq, id, content_id, judge_id, status,"
             " overall_score, error_code FROM evaluations"
             " WHERE org = ?1 AND batch_id = ?2 AND batch_seq > ?3"
             " ORDER BY batch_seq LIMIT ?4" },
    .bind = judge_batch_items_bind,
    .read = judge_batch_items_read
};


static judge_step_e
judge_batch_results_bind(judge_run_t *run)
{
    judge_batch_results_t  *o = (judge_batch_results_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_str(run, 3, o->after.data ? o->after : JUDGE_STR(""));
    judge_bind_int(run, 4, o->page.limit + 1);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_batch_results_read(judge_run_t *run)
{
    judge_batch_results_t     *o = (judge_batch_results_t *) run->op;
    judge_batch_result_row_t  *row;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_batch_result_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    row = &o->rows[o->count++];
    judge_evaluation_row_read(run, &row->evaluation);
    row->content_name = judge_column_str(run, JUDGE_EVALUATION_COLUMN_NEXT);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_results = {
    .name = "batch_results",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_batch_results_t, page),
    .sql = { "SELECT " JUDGE_EVALUATION_COLUMNS ", (SELECT name"
             " FROM contents c WHERE c.org = evaluations.org"
             " AND c.id = evaluations.content_id) FROM evaluations"
             " WHERE org = ?1 AND batch_id = ?2 AND id > ?3"
             " ORDER BY id LIMIT ?4" },
    .bind = judge_batch_results_bind,
    .read = judge_batch_results_read
};


static judge_step_e
judge_batch_criteria_bind(judge_run_t *run)
{
    judge_batch_criteria_t  *o = (judge_batch_criteria_t *) run->op;

    if (run->st == NULL || run->turn == o->count) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->judge_ids[run->turn]);
    judge_bind_int(run, 3, o->versions[run->turn]);

    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_batch_criteria_read(judge_run_t *run)
{
    judge_batch_criteria_t  *o = (judge_batch_criteria_t *) run->op;

    o->criteria[run->turn] = judge_column_str(run, 0);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_criteria = {
    .name = "batch_criteria",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT criteria FROM judge_versions"
             " WHERE org = ?1 AND judge_id = ?2 AND version = ?3" },
    .bind = judge_batch_criteria_bind,
    .read = judge_batch_criteria_read
};
