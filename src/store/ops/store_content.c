/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Contents. */


#include "store/ops/store_batch_parts.h"


#define JUDGE_CONTENT_COLUMNS                                                 \
    "id, file_type, status, size, created_at, name, description, file_path,"  \
    " file_url, metadata"


#undef JUDGE_OF
#define JUDGE_OF  judge_content_create_t

const judge_op_spec_t  judge_op_content_create = {
    .name = "content_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO contents (org, id, file_type, status, size,"
          " created_at, name, description, file_path, file_url, metadata,"
          " text_content) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
          " ?11, ?12)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V(row.file_type), JUDGE_V(row.status),
              JUDGE_V(row.size), JUDGE_V(row.created_at), JUDGE_V(row.name),
              JUDGE_V(row.description), JUDGE_V(row.file_path),
              JUDGE_V(row.file_url), JUDGE_V(row.metadata),
              JUDGE_V(row.text_content)) }
    }
};


#undef JUDGE_ROW
#define JUDGE_ROW  judge_content_row_t

/* In a thread: a text may be long. */

const judge_op_spec_t  judge_op_content_find = {
    .name = "content_find",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT " JUDGE_CONTENT_COLUMNS ", text_content FROM contents"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_content_find_t),
          .out = JUDGE_VALUES(JUDGE_R(id), JUDGE_R(file_type),
              JUDGE_R(status), JUDGE_R(size), JUDGE_R(created_at),
              JUDGE_R(name), JUDGE_R(description), JUDGE_R(file_path),
              JUDGE_R(file_url), JUDGE_R(metadata), JUDGE_R(text_content)),
          .row = offsetof(judge_content_find_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_content_list_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_content_row_t

const judge_op_spec_t  judge_op_content_list = {
    .name = "content_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_content_list_t, page),
    .statements = {
        { "SELECT " JUDGE_CONTENT_COLUMNS " FROM contents"
          " WHERE org = ?1 AND id < coalesce(?2, '~')"
          " AND (?3 IS NULL OR file_type = ?3)"
          " AND (?4 IS NULL OR status = ?4)"
          " ORDER BY id DESC LIMIT ?5",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(page.before),
              JUDGE_V(file_type), JUDGE_V(status), JUDGE_V_MORE(page.limit)),
          .out = JUDGE_VALUES(JUDGE_R(id), JUDGE_R(file_type),
              JUDGE_R(status), JUDGE_R(size), JUDGE_R(created_at),
              JUDGE_R(name), JUDGE_R(description), JUDGE_R(file_path),
              JUDGE_R(file_url), JUDGE_R(metadata)),
          .list = JUDGE_ROWS(judge_content_list_t, rows, count) }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_content_delete_t

/*
 * The evaluations go with the content, the pending ones too: whoever works
 * on one finds on finishing that it is not there any more.  Their batches
 * (statements 1 and 2) have so many fewer.  Feedback goes with them.
 */

static judge_step_e
judge_content_delete_step(judge_run_t *run)
{
    judge_content_delete_t  *o = (judge_content_delete_t *) run->op;

    return run->step == 2 ? judge_batch_count_bind(run, &o->batches)
                          : judge_run_next(run);
}


/* The rows of a batch come together, so that its difference is found first. */

static judge_rc_e
judge_content_delete_read(judge_run_t *run)
{
    judge_batch_delta_t     *delta;
    judge_content_delete_t  *o = (judge_content_delete_t *) run->op;

    if (run->step == 0) {
        return JUDGE_OK;
    }

    if (run->step == 2) {
        return judge_batch_count_read(run, &o->batches);
    }

    delta = judge_batch_delta(o->op.arena, &o->batches, o->op.org,
                              judge_column_str(run, 0));
    if (delta == NULL || run->op->rc != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    delta->now = o->now;
    delta->total--;
    judge_batch_delta_add(delta, -1, judge_column_str(run, 1),
                          judge_column_double(run, 2),
                          !judge_column_null(run, 2));

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_content_delete = {
    .name = "content_delete",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "SELECT file_path FROM contents WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_content_delete_t),
          .out = JUDGE_VALUES(JUDGE_V(file_path)),
          .unless_rows = JUDGE_NOT_FOUND },
        { "SELECT batch_id, status, overall_score FROM evaluations"
          " WHERE org = ?1 AND content_id = ?2 AND batch_id IS NOT NULL"
          " ORDER BY batch_id",
          .in = JUDGE_BY_ID(judge_content_delete_t) },
        { JUDGE_BATCH_COUNT,
          .in = NULL },
        { "DELETE FROM feedback WHERE org = ?1 AND evaluation_id IN (SELECT"
          " id FROM evaluations WHERE org = ?1 AND content_id = ?2)",
          .in = JUDGE_BY_ID(judge_content_delete_t) },
        { "DELETE FROM examples WHERE org = ?1 AND evaluation_id IN (SELECT"
          " id FROM evaluations WHERE org = ?1 AND content_id = ?2)",
          .in = JUDGE_BY_ID(judge_content_delete_t) },
        { "DELETE FROM evaluations WHERE org = ?1 AND content_id = ?2",
          .in = JUDGE_BY_ID(judge_content_delete_t) },
        { "DELETE FROM contents WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_content_delete_t) }
    },
    .step = judge_content_delete_step,
    .read = judge_content_delete_read
};
