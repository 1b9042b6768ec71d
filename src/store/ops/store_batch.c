/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Batches: made, started, tried again, deleted. */


#include "store/ops/store_batch_parts.h"
#include "store/ops/store_event_parts.h"


/* Statement 0 looks for one judge after another, 1 for the contents. */

static judge_step_e
judge_batch_check_bind(judge_run_t *run)
{
    judge_batch_check_t  *o = (judge_batch_check_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->turn == (run->step == 0 ? o->njudges : o->ncontents)) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, run->step == 0 ? o->judges[run->turn].id
                                          : o->contents[run->turn].id);
    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_batch_check_read(judge_run_t *run)
{
    judge_batch_check_t    *o = (judge_batch_check_t *) run->op;
    judge_batch_judge_t    *judge;
    judge_batch_content_t  *content;

    if (run->step == 0) {
        judge = &o->judges[run->turn];
        judge->found = true;
        judge->version = judge_column_int(run, 0);
        judge->content_type = judge_column_str(run, 1);

    } else {
        content = &o->contents[run->turn];
        content->found = true;
        content->file_type = judge_column_str(run, 0);
        content->status = judge_column_str(run, 1);
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_check = {
    .name = "batch_check",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT version, content_type FROM judges"
             " WHERE org = ?1 AND id = ?2 AND deleted_at IS NULL",
             "SELECT file_type, status FROM contents"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_batch_check_bind,
    .read = judge_batch_check_read
};


/* Making one: its row, its long texts, its contents, its evaluations. */

static judge_step_e
judge_batch_create_row(judge_run_t *run)
{
    judge_batch_row_t  *row = &((judge_batch_create_t *) run->op)->row;

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_str(run, 3, row->status);
    judge_bind_str(run, 4, row->content_type);
    judge_bind_int(run, 5, row->priority);
    judge_bind_int(run, 6, row->created_at);
    judge_bind_when(run, 7, row->started_at);
    judge_bind_int(run, 8, row->total);
    judge_bind_str(run, 9, row->judge_ids);
    judge_bind_str(run, 10, row->judge_versions);
    judge_bind_str(run, 11, row->name);

    return JUDGE_STEP_RUN;
}


static judge_step_e
judge_batch_create_texts(judge_run_t *run)
{
    judge_batch_row_t  *row = &((judge_batch_create_t *) run->op)->row;

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_str(run, 3, row->description);
    judge_bind_str(run, 4, row->content_ids);

    return JUDGE_STEP_RUN;
}


static judge_step_e
judge_batch_create_content(judge_run_t *run)
{
    judge_content_row_t   *row;
    judge_batch_create_t  *o = (judge_batch_create_t *) run->op;

    if (run->turn == o->ninlined) {
        return JUDGE_STEP_SKIP;
    }

    row = &o->inlined[run->turn];
    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, row->id);
    judge_bind_str(run, 3, row->file_type);
    judge_bind_str(run, 4, row->status);
    judge_bind_int(run, 5, row->size);
    judge_bind_int(run, 6, row->created_at);
    judge_bind_str(run, 7, row->name);
    judge_bind_str(run, 8, row->description);
    judge_bind_str(run, 9, row->metadata);
    judge_bind_str(run, 10, row->text_content);

    return JUDGE_STEP_REPEAT;
}


/* A row that was not inserted has no judge or no content any more. */

static judge_step_e
judge_batch_create_evaluation(judge_run_t *run)
{
    judge_batch_judge_t   *judge;
    judge_batch_create_t  *o = (judge_batch_create_t *) run->op;

    if (run->turn && run->changes == 0) {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->turn == o->njudges * o->ncontents) {
        return JUDGE_STEP_SKIP;
    }

    judge = &o->judges[run->turn % o->njudges];
    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, judge_id_str(&o->ids[run->turn]));
    judge_bind_when(run, 3, judge->wanted.queue_at);
    judge_bind_int(run, 4, o->row.priority);
    judge_bind_str(run, 5, o->content_ids[run->turn / o->njudges]);
    judge_bind_str(run, 6, judge->id);
    judge_bind_int(run, 7, judge->version);
    judge_bind_str(run, 8, o->row.id);
    judge_bind_int(run, 9, o->row.created_at);
    judge_bind_int(run, 10, judge->wanted.deadline);
    judge_bind_str(run, 11, judge->wanted.model);
    judge_bind_when(run, 12, judge->wanted.samples);
    judge_bind_when(run, 13, judge->wanted.fresh);

    return JUDGE_STEP_REPEAT;
}


static judge_step_e
judge_batch_create_bind(judge_run_t *run)
{
    static judge_step_e (*const  binds[])(judge_run_t *run) = {
        judge_batch_create_row,
        judge_batch_create_texts,
        judge_batch_create_content,
        judge_batch_create_evaluation
    };

    judge_batch_create_t  *o = (judge_batch_create_t *) run->op;

    if (run->st) {
        return binds[run->step](run);
    }

    if (o->row.started_at
        && judge_event_tell(&o->op, JUDGE_EVENT_BATCH_STARTED, o->op.org,
                            o->row.id)
           == NULL)
    {
        o->op.rc = JUDGE_NOMEM;
    }

    return JUDGE_STEP_END;
}


const judge_op_spec_t  judge_op_batch_create = {
    .name = "batch_create",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO batches (org, id, status, content_type, priority,"
             " created_at, started_at, total, judge_ids, judge_versions,"
             " name) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
             "INSERT INTO batch_texts (org, batch_id, description,"
             " content_ids) VALUES (?1, ?2, ?3, ?4)",
             "INSERT INTO contents (org, id, file_type, status, size,"
             " created_at, name, description, metadata, text_content)"
             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
             "INSERT INTO evaluations (org, id, status, queue_at, priority,"
             " content_id, judge_id, judge_version, batch_id, created_at,"
             " deadline, model, samples, fresh)"
             " SELECT ?1, ?2, 'processing', ?3, ?4, ?5, ?6, ?7,"
             " ?8, ?9, ?10, ?11, ?12, ?13 WHERE EXISTS (SELECT 1 FROM contents"
             " WHERE org = ?1 AND id = ?5) AND EXISTS (SELECT 1 FROM judges"
             " WHERE org = ?1 AND id = ?6 AND deleted_at IS NULL)" },
    .bind = judge_batch_create_bind
};


/*
 * What is not text, nor for a language model, waits for a worker: its turn in
 * the queue comes with its deadline only, which ends it.
 */

#define JUDGE_BATCH_EITHER(inside, outside)                                   \
    "(SELECT CASE WHEN content_type = 'text' OR model IS NOT NULL"            \
    " THEN " inside " ELSE " outside " END"                                   \
    " FROM batches WHERE org = ?1 AND id = ?2)"

#define JUDGE_BATCH_QUEUE_AT  JUDGE_BATCH_EITHER("?3", "?5")
#define JUDGE_BATCH_DEADLINE  JUDGE_BATCH_EITHER("?4", "?5")


/* Statement 1 tells one that is not there from one that was started. */

static judge_step_e
judge_batch_start_bind(judge_run_t *run)
{
    judge_batch_start_t  *o = (judge_batch_start_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && run->changes) {
        return JUDGE_STEP_SKIP;
    }

    if (run->step == 2 && run->changes == 0) {
        o->op.rc = run->rows ? JUDGE_CONFLICT : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    if (run->step != 1) {
        judge_bind_int(run, 3, o->now);
    }

    if (run->step == 2) {
        judge_bind_int(run, 4, o->deadline);
        judge_bind_int(run, 5, o->callback_deadline);
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_batch_start_read(judge_run_t *run)
{
    judge_batch_start_t  *o = (judge_batch_start_t *) run->op;

    if (run->step != 0) {
        return JUDGE_OK;
    }

    if (judge_event_tell(&o->op, JUDGE_EVENT_BATCH_STARTED, o->op.org, o->id)
        == NULL
        || (judge_str_eq_c(judge_column_str(run, 0), "completed")
            && judge_event_tell(&o->op, JUDGE_EVENT_BATCH_COMPLETED,
                                o->op.org, o->id)
               == NULL))
    {
        return JUDGE_NOMEM;
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_batch_start = {
    .name = "batch_start",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE batches SET started_at = ?3, status ="
             " CASE WHEN total = 0 THEN 'completed' ELSE 'evaluating' END,"
             " completed_at = CASE WHEN total = 0 THEN ?3 END"
             " WHERE org = ?1 AND id = ?2 AND status = 'created'"
             " RETURNING status",
             "SELECT 1 FROM batches WHERE org = ?1 AND id = ?2",
             "UPDATE evaluations SET created_at = ?3,"
             " deadline = " JUDGE_BATCH_DEADLINE ","
             " queue_at = " JUDGE_BATCH_QUEUE_AT
             " WHERE org = ?1 AND batch_id = ?2" },
    .bind = judge_batch_start_bind,
    .read = judge_batch_start_read
};


/* Statement 1 takes those that statement 0 put back off the counts. */

static judge_step_e
judge_batch_retry_bind(judge_run_t *run)
{
    judge_batch_delta_t   delta;
    judge_batch_deltas_t  deltas;
    judge_batch_retry_t  *o = (judge_batch_retry_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = o->requeued ? JUDGE_OK
                   : run->rows ? JUDGE_CONFLICT : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->step == 1) {
        o->requeued = run->changes;
        if (o->requeued == 0) {
            return JUDGE_STEP_SKIP;
        }

        delta = (judge_batch_delta_t) { .org = o->op.org, .id = o->id,
                                        .failed = -o->requeued };
        deltas = (judge_batch_deltas_t) { .first = &delta };
        (void) judge_batch_count_bind(run, &deltas);
        return JUDGE_STEP_RUN;
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


const judge_op_spec_t  judge_op_batch_retry = {
    .name = "batch_retry",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE evaluations SET status = 'processing',"
             " deadline = " JUDGE_BATCH_DEADLINE ","
             " attempts = 0, owner = NULL, last_error = NULL,"
             " evaluated_at = NULL, overall_score = NULL,"
             " error_code = NULL, batch_seq = NULL,"
             " queue_at = " JUDGE_BATCH_QUEUE_AT
             " WHERE org = ?1 AND batch_id = ?2 AND status = 'failed'",
             JUDGE_BATCH_COUNT,
             "SELECT 1 FROM batches WHERE org = ?1 AND id = ?2" },
    .bind = judge_batch_retry_bind
};


/* Whoever works on one of its evaluations finds it gone on finishing; what
 * was said about them goes, too. */

static judge_step_e
judge_batch_delete_bind(judge_run_t *run)
{
    judge_batch_delete_t  *o = (judge_batch_delete_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 1 && run->changes == 0) {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_batch_delete = {
    .name = "batch_delete",
    .place = JUDGE_OP_WRITE,
    .sql = { "DELETE FROM batches WHERE org = ?1 AND id = ?2",
             "DELETE FROM batch_texts WHERE org = ?1 AND batch_id = ?2",
             "DELETE FROM feedback_sessions"
             " WHERE org = ?1 AND batch_id = ?2",
             "DELETE FROM feedback WHERE org = ?1 AND evaluation_id IN"
             " (SELECT id FROM evaluations WHERE org = ?1 AND batch_id = ?2)",
             "DELETE FROM examples WHERE org = ?1 AND evaluation_id IN"
             " (SELECT id FROM evaluations WHERE org = ?1 AND batch_id = ?2)",
             "DELETE FROM evaluations WHERE org = ?1 AND batch_id = ?2" },
    .bind = judge_batch_delete_bind
};
