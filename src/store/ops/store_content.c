/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Contents. */


#include "store/ops/store_batch_parts.h"


#define JUDGE_CONTENT_COLUMNS                                                 \
    "id, file_type, status, size, created_at, name, description, file_path,"  \
    " file_url, metadata"


static judge_step_e
judge_content_create_bind(judge_run_t *run)
{
    judge_content_row_t  *row = &((judge_content_create_t *) run->op)->row;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_str(run, 3, row->file_type);
    judge_bind_str(run, 4, row->status);
    judge_bind_int(run, 5, row->size);
    judge_bind_int(run, 6, row->created_at);
    judge_bind_str(run, 7, row->name);
    judge_bind_str(run, 8, row->description);
    judge_bind_str(run, 9, row->file_path);
    judge_bind_str(run, 10, row->file_url);
    judge_bind_str(run, 11, row->metadata);
    judge_bind_str(run, 12, row->text_content);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_content_create = {
    .name = "content_create",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO contents (org, id, file_type, status, size,"
             " created_at, name, description, file_path, file_url, metadata,"
             " text_content) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
             " ?11, ?12)" },
    .bind = judge_content_create_bind
};


static void
judge_content_row_read(judge_run_t *run, judge_content_row_t *row)
{
    row->id = judge_column_str(run, 0);
    row->file_type = judge_column_str(run, 1);
    row->status = judge_column_str(run, 2);
    row->size = judge_column_int(run, 3);
    row->created_at = judge_column_int(run, 4);
    row->name = judge_column_str(run, 5);
    row->description = judge_column_str(run, 6);
    row->file_path = judge_column_str(run, 7);
    row->file_url = judge_column_str(run, 8);
    row->metadata = judge_column_str(run, 9);
}


static judge_step_e
judge_content_find_bind(judge_run_t *run)
{
    judge_content_find_t  *o = (judge_content_find_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_content_find_read(judge_run_t *run)
{
    judge_content_row_t  *row = &((judge_content_find_t *) run->op)->row;

    judge_content_row_read(run, row);
    row->text_content = judge_column_str(run, 10);

    return JUDGE_OK;
}


/* In a thread: a text may be long. */

const judge_op_spec_t  judge_op_content_find = {
    .name = "content_find",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT " JUDGE_CONTENT_COLUMNS ", text_content FROM contents"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_content_find_bind,
    .read = judge_content_find_read
};


static judge_step_e
judge_content_list_bind(judge_run_t *run)
{
    judge_content_list_t  *o = (judge_content_list_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->page.before);
    judge_bind_str(run, 3, o->file_type);
    judge_bind_str(run, 4, o->status);
    judge_bind_int(run, 5, o->page.limit + 1);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_content_list_read(judge_run_t *run)
{
    judge_content_list_t  *o = (judge_content_list_t *) run->op;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_content_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    judge_content_row_read(run, &o->rows[o->count++]);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_content_list = {
    .name = "content_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_content_list_t, page),
    .sql = { "SELECT " JUDGE_CONTENT_COLUMNS " FROM contents"
             " WHERE org = ?1 AND id < coalesce(?2, '~')"
             " AND (?3 IS NULL OR file_type = ?3)"
             " AND (?4 IS NULL OR status = ?4)"
             " ORDER BY id DESC LIMIT ?5" },
    .bind = judge_content_list_bind,
    .read = judge_content_list_read
};


/*
 * The evaluations go with the content, the pending ones too: whoever works
 * on one finds on finishing that it is not there any more.  Their batches
 * (statements 1 and 2) have so many fewer.  Feedback goes with them.
 */

static judge_step_e
judge_content_delete_bind(judge_run_t *run)
{
    judge_content_delete_t  *o = (judge_content_delete_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && run->rows == 0) {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->step == 2) {
        return judge_batch_count_bind(run, &o->batches);
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


/* The rows of a batch come together, so that its difference is found first. */

static judge_rc_e
judge_content_delete_read(judge_run_t *run)
{
    judge_batch_delta_t     *delta;
    judge_content_delete_t  *o = (judge_content_delete_t *) run->op;

    if (run->step == 0) {
        o->file_path = judge_column_str(run, 0);
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
    .sql = { "SELECT file_path FROM contents WHERE org = ?1 AND id = ?2",
             "SELECT batch_id, status, overall_score FROM evaluations"
             " WHERE org = ?1 AND content_id = ?2 AND batch_id IS NOT NULL"
             " ORDER BY batch_id",
             JUDGE_BATCH_COUNT,
             "DELETE FROM feedback WHERE org = ?1 AND evaluation_id IN (SELECT"
             " id FROM evaluations WHERE org = ?1 AND content_id = ?2)",
             "DELETE FROM examples WHERE org = ?1 AND evaluation_id IN (SELECT"
             " id FROM evaluations WHERE org = ?1 AND content_id = ?2)",
             "DELETE FROM evaluations WHERE org = ?1 AND content_id = ?2",
             "DELETE FROM contents WHERE org = ?1 AND id = ?2" },
    .bind = judge_content_delete_bind,
    .read = judge_content_delete_read
};
