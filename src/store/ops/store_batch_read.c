/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Batches: read, listed, and what became of their evaluations. */


#include "store/ops/store_batch_parts.h"


#define JUDGE_BATCH_COLUMNS                                             \
    "id, status, content_type, priority, created_at, started_at,"             \
    " completed_at, total, completed, failed, last_seq, score_sum,"           \
    " score_count, scores_00, scores_10, scores_20, scores_30, scores_40,"    \
    " scores_50, scores_60, scores_70, scores_80, scores_90, judge_ids,"      \
    " judge_versions, name"

#define JUDGE_BATCH_VALUES                                                    \
    JUDGE_R(id), JUDGE_R(status), JUDGE_R(content_type), JUDGE_R(priority),   \
    JUDGE_R(created_at), JUDGE_R(started_at), JUDGE_R(completed_at),          \
    JUDGE_R(total), JUDGE_R(completed), JUDGE_R(failed), JUDGE_R(last_seq),   \
    JUDGE_R(score_sum), JUDGE_R(score_count), JUDGE_R(scores[0]),             \
    JUDGE_R(scores[1]), JUDGE_R(scores[2]), JUDGE_R(scores[3]),               \
    JUDGE_R(scores[4]), JUDGE_R(scores[5]), JUDGE_R(scores[6]),               \
    JUDGE_R(scores[7]), JUDGE_R(scores[8]), JUDGE_R(scores[9]),               \
    JUDGE_R(judge_ids), JUDGE_R(judge_versions), JUDGE_R(name)

#undef JUDGE_OF
#define JUDGE_OF  judge_batch_find_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_batch_row_t

static judge_step_e
judge_batch_find_step(judge_run_t *run)
{
    judge_batch_find_t  *o = (judge_batch_find_t *) run->op;

    return run->step == 1 && o->brief ? JUDGE_STEP_END : judge_run_next(run);
}


const judge_op_spec_t  judge_op_batch_find = {
    .name = "batch_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT " JUDGE_BATCH_COLUMNS " FROM batches"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_batch_find_t),
          .out = JUDGE_VALUES(JUDGE_BATCH_VALUES),
          .row = offsetof(judge_batch_find_t, row),
          .unless_rows = JUDGE_NOT_FOUND },
        { "SELECT description, content_ids FROM batch_texts"
          " WHERE org = ?1 AND batch_id = ?2",
          .in = JUDGE_BY_ID(judge_batch_find_t),
          .out = JUDGE_VALUES(JUDGE_V(row.description),
              JUDGE_V(row.content_ids)) }
    },
    .step = judge_batch_find_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_batch_list_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_batch_row_t

const judge_op_spec_t  judge_op_batch_list = {
    .name = "batch_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_batch_list_t, page),
    .statements = {
        { "SELECT " JUDGE_BATCH_COLUMNS ", (SELECT description"
          " FROM batch_texts t WHERE t.org = batches.org"
          " AND t.batch_id = batches.id) FROM batches"
          " WHERE org = ?1 AND id < coalesce(?2, '~')"
          " AND (?3 IS NULL OR status = ?3)"
          " ORDER BY id DESC LIMIT ?4",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(page.before),
              JUDGE_V(status), JUDGE_V_MORE(page.limit)),
          .out = JUDGE_VALUES(JUDGE_BATCH_VALUES, JUDGE_R(description)),
          .list = JUDGE_ROWS(judge_batch_list_t, rows, count) }
    }
};


#undef JUDGE_ROW
#define JUDGE_ROW  judge_batch_failure_t

const judge_op_spec_t  judge_op_batch_failures = {
    .name = "batch_failures",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT COALESCE(error_code, 'UNKNOWN'), COUNT(*)"
          " FROM evaluations WHERE org = ?1 AND batch_id = ?2"
          " AND status = 'failed' GROUP BY error_code"
          " ORDER BY COUNT(*) DESC, error_code LIMIT "
          JUDGE_SQL_NUMBER(JUDGE_BATCH_FAILURES),
          .in = JUDGE_BY_ID(judge_batch_failures_t),
          .out = JUDGE_VALUES(JUDGE_R(code), JUDGE_R(count)),
          .list = JUDGE_ROWS(judge_batch_failures_t, rows, count),
          .most = JUDGE_BATCH_FAILURES }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_batch_items_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_batch_item_row_t

const judge_op_spec_t  judge_op_batch_items = {
    .name = "batch_items",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_batch_items_t, page),
    .statements = {
        { "SELECT batch_seq, id, content_id, judge_id, status,"
          " overall_score, error_code FROM evaluations"
          " WHERE org = ?1 AND batch_id = ?2 AND batch_seq > ?3"
          " ORDER BY batch_seq LIMIT ?4",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(after),
              JUDGE_V_MORE(page.limit)),
          .out = JUDGE_VALUES(JUDGE_R(seq), JUDGE_R(id),
              JUDGE_R(content_id), JUDGE_R(judge_id), JUDGE_R(status),
              JUDGE_R_IF(overall_score, scored), JUDGE_R(error_code)),
          .list = JUDGE_ROWS(judge_batch_items_t, rows, count) }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_batch_results_t

static judge_rc_e
judge_batch_results_read(judge_run_t *run)
{
    judge_batch_result_row_t  *row = run->row;

    row->content_name = judge_column_str(run, JUDGE_EVALUATION_COLUMN_NEXT);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_results = {
    .name = "batch_results",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_batch_results_t, page),
    .statements = {
        { "SELECT " JUDGE_EVALUATION_COLUMNS ", (SELECT name"
          " FROM contents c WHERE c.org = evaluations.org"
          " AND c.id = evaluations.content_id) FROM evaluations"
          " WHERE org = ?1 AND batch_id = ?2 AND id > coalesce(?3, '')"
          " ORDER BY id LIMIT ?4",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(after),
              JUDGE_V_MORE(page.limit)),
          .out = judge_evaluation_row_out,
          .list = JUDGE_ROWS(judge_batch_results_t, rows, count) }
    },
    .read = judge_batch_results_read
};


static judge_step_e
judge_batch_criteria_step(judge_run_t *run)
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
    .statements = {
        { "SELECT criteria FROM judge_versions"
          " WHERE org = ?1 AND judge_id = ?2 AND version = ?3",
          .in = NULL }
    },
    .step = judge_batch_criteria_step,
    .read = judge_batch_criteria_read
};
