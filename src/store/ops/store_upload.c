/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Uploads: a place promised, a file come, a file read; and references. */


#include "store/ops/store_event_parts.h"
#include "store/store_upload.h"


/* --- The service's secrets ----------------------------------------------- */

static judge_step_e
judge_secret_bind(judge_run_t *run)
{
    judge_secret_t  *o = (judge_secret_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->name);
    if (run->step == 0) {
        judge_bind_blob(run, 2, o->value);
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_secret_read(judge_run_t *run)
{
    ((judge_secret_t *) run->op)->value = judge_column_str(run, 0);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_secret = {
    .name = "secret",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO service_secrets (name, value) VALUES (?1, ?2)"
             " ON CONFLICT DO NOTHING",
             "SELECT value FROM service_secrets WHERE name = ?1" },
    .bind = judge_secret_bind,
    .read = judge_secret_read
};


/* --- A place promised ---------------------------------------------------- */

static void
judge_upload_bind_evaluation(judge_run_t *run,
    const judge_evaluation_row_t *row)
{
    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_int(run, 3, row->priority);
    judge_bind_str(run, 4, row->content_id);
    judge_bind_str(run, 5, row->judge_id);
    judge_bind_int(run, 6, row->judge_version);
    judge_bind_int(run, 7, row->created_at);
    judge_bind_int(run, 8, row->deadline);
    judge_bind_str(run, 9, row->model);
    judge_bind_when(run, 10, row->samples);
    judge_bind_when(run, 11, row->fresh);
}


static void
judge_upload_bind_row(judge_run_t *run, const judge_upload_row_t *row)
{
    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_str(run, 3, row->kind);
    judge_bind_int(run, 4, row->queue_at);
    judge_bind_int(run, 5, row->created_at);
    judge_bind_int(run, 6, row->expires_at);
    judge_bind_int(run, 7, row->max_size);
    judge_bind_str(run, 8, row->file_type);
    judge_bind_str(run, 9, row->extension);
    judge_bind_str(run, 10, row->name);
    judge_bind_str(run, 11, row->evaluation_id);
    judge_bind_str(run, 12, row->metadata);
}


static judge_step_e
judge_upload_create_bind(judge_run_t *run)
{
    judge_upload_create_t  *o = (judge_upload_create_t *) run->op;

    switch (run->step) {

    case 0:
        judge_upload_bind_row(run, &o->row);
        return JUDGE_STEP_RUN;

    case 1:
        if (!judge_str_eq_c(o->row.kind, "reference")) {
            return JUDGE_STEP_SKIP;
        }
        judge_bind_str(run, 1, o->op.org);
        judge_bind_str(run, 2, o->row.id);
        judge_bind_int(run, 3, o->row.created_at);
        judge_bind_str(run, 4, o->row.extension);
        return JUDGE_STEP_RUN;

    case 2:
        if (!o->evaluates) {
            return JUDGE_STEP_SKIP;
        }
        judge_upload_bind_evaluation(run, &o->evaluation);
        return JUDGE_STEP_RUN;

    default:
        return JUDGE_STEP_END;
    }
}


const judge_op_spec_t  judge_op_upload_create = {
    .name = "upload_create",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO uploads (org, id, kind, status, queue_at,"
             " created_at, expires_at, max_size, file_type, extension, name,"
             " evaluation_id, metadata) VALUES (?1, ?2, ?3, 'waiting', ?4,"
             " ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
             "INSERT INTO reference_texts (org, id, status, created_at,"
             " extension) VALUES (?1, ?2, 'waiting', ?3, ?4)",
             "INSERT INTO evaluations (org, id, status, priority,"
             " content_id, judge_id, judge_version, created_at, deadline,"
             " model, samples, fresh)"
             " VALUES (?1, ?2, 'processing', ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
             " ?10, ?11)" },
    .bind = judge_upload_create_bind
};


/* --- Rows ---------------------------------------------------------------- */

#define JUDGE_UPLOAD_COLUMNS                                                  \
    "org, id, kind, status, queue_at, attempts, created_at, expires_at,"      \
    " max_size, size, file_type, extension, name, evaluation_id, file_path,"  \
    " metadata"

static void
judge_upload_row_read(judge_run_t *run, judge_upload_row_t *row)
{
    row->org = judge_column_str(run, 0);
    row->id = judge_column_str(run, 1);
    row->kind = judge_column_str(run, 2);
    row->status = judge_column_str(run, 3);
    row->queue_at = judge_column_int(run, 4);
    row->attempts = judge_column_int(run, 5);
    row->created_at = judge_column_int(run, 6);
    row->expires_at = judge_column_int(run, 7);
    row->max_size = judge_column_int(run, 8);
    row->size = judge_column_int(run, 9);
    row->file_type = judge_column_str(run, 10);
    row->extension = judge_column_str(run, 11);
    row->name = judge_column_str(run, 12);
    row->evaluation_id = judge_column_str(run, 13);
    row->file_path = judge_column_str(run, 14);
    row->metadata = judge_column_str(run, 15);
}


static judge_step_e
judge_upload_find_bind(judge_run_t *run)
{
    judge_upload_find_t  *o = (judge_upload_find_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_upload_find_read(judge_run_t *run)
{
    judge_upload_row_read(run, &((judge_upload_find_t *) run->op)->row);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_upload_find = {
    .name = "upload_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT " JUDGE_UPLOAD_COLUMNS " FROM uploads"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_upload_find_bind,
    .read = judge_upload_find_read
};


/* --- A file come --------------------------------------------------------- */

static judge_step_e
judge_upload_receive_bind(judge_run_t *run)
{
    judge_upload_receive_t  *o = (judge_upload_receive_t *) run->op;

    if (run->step == 1 && run->changes == 0) {
        o->op.rc = JUDGE_CONFLICT;
        return JUDGE_STEP_END;
    }

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_str(run, 3, o->file_path);

    if (run->step < 2) {
        judge_bind_int(run, 4, o->size);
        judge_bind_int(run, 5, o->now);
    }

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_upload_receive = {
    .name = "upload_receive",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE uploads SET status = 'received', file_path = ?3,"
             " size = ?4, queue_at = ?5"
             " WHERE org = ?1 AND id = ?2 AND status = 'waiting'",
             "INSERT INTO contents (org, id, file_type, status, size,"
             " created_at, name, file_path, metadata)"
             " SELECT org, id, file_type, 'uploaded', ?4, ?5, name, ?3,"
             " metadata FROM uploads"
             " WHERE org = ?1 AND id = ?2 AND kind = 'content'",
             "UPDATE reference_texts SET file_path = ?3"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_upload_receive_bind
};


/* --- A file read --------------------------------------------------------- */

static judge_step_e
judge_upload_peek_bind(judge_run_t *run)
{
    judge_upload_peek_t  *o = (judge_upload_peek_t *) run->op;

    if (run->st == NULL) {
        o->pending = run->rows != 0;
        return JUDGE_STEP_END;
    }

    judge_bind_int(run, 1, o->now);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_upload_peek = {
    .name = "upload_peek",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT 1 FROM uploads WHERE queue_at <= ?1 LIMIT 1" },
    .bind = judge_upload_peek_bind
};


static judge_step_e
judge_upload_claim_bind(judge_run_t *run)
{
    judge_upload_claim_t  *o = (judge_upload_claim_t *) run->op;

    if (run->step == 1 && run->rows == 0) {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    switch (run->step) {

    case 0:
        judge_bind_int(run, 1, o->now);
        judge_bind_int(run, 2, o->lease_until);
        return JUDGE_STEP_RUN;

    case 1:
        judge_bind_str(run, 1, o->row.org);
        judge_bind_str(run, 2, o->row.id);
        return JUDGE_STEP_RUN;

    case 2:
        if (o->row.evaluation_id.data == NULL) {
            return JUDGE_STEP_SKIP;
        }
        judge_bind_str(run, 1, o->row.org);
        judge_bind_str(run, 2, o->row.evaluation_id);
        return JUDGE_STEP_RUN;

    default:
        return JUDGE_STEP_END;
    }
}


static judge_rc_e
judge_upload_claim_read(judge_run_t *run)
{
    judge_upload_claim_t  *o = (judge_upload_claim_t *) run->op;

    if (run->step == 0) {
        judge_upload_row_read(run, &o->row);
        return JUDGE_OK;
    }

    o->job.org = o->row.org;
    o->job.id = o->row.evaluation_id;
    o->job.attempts = judge_column_int(run, 0);
    o->job.created_at = judge_column_int(run, 1);
    o->job.deadline = judge_column_int(run, 2);
    o->job.content_id = judge_column_str(run, 3);
    o->job.judge_id = judge_column_str(run, 4);
    o->job.judge_version = judge_column_int(run, 5);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_upload_claim = {
    .name = "upload_claim",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE uploads SET queue_at = ?2, attempts = attempts + 1"
             " WHERE (org, id) = (SELECT org, id FROM uploads"
             " WHERE queue_at <= ?1 ORDER BY queue_at LIMIT 1)"
             " RETURNING " JUDGE_UPLOAD_COLUMNS,
             "UPDATE contents SET status = 'processing'"
             " WHERE org = ?1 AND id = ?2 AND status = 'uploaded'",
             "SELECT attempts, created_at, deadline, content_id, judge_id,"
             " judge_version FROM evaluations WHERE org = ?1 AND id = ?2" },
    .bind = judge_upload_claim_bind,
    .read = judge_upload_claim_read
};


/* The steps of an end; those that do not apply are skipped. */

enum {
    JUDGE_FINISH_UPLOAD,
    JUDGE_FINISH_CONTENT,
    JUDGE_FINISH_QUEUE,
    JUDGE_FINISH_FAIL,
    JUDGE_FINISH_RESULT,
    JUDGE_FINISH_REFERENCE
};


static void
judge_upload_bind_outcome(judge_run_t *run, judge_upload_finish_t *o)
{
    judge_bind_str(run, 3, o->reason.data ? JUDGE_STR("error")
                                          : JUDGE_STR("ready"));
    judge_bind_str(run, 4, o->text_content);

    if (run->step == JUDGE_FINISH_CONTENT) {
        judge_bind_str(run, 5, o->metadata);
    } else {
        judge_bind_str(run, 5, o->reason);
    }
}


static judge_step_e
judge_upload_finish_evaluation(judge_run_t *run, judge_upload_finish_t *o)
{
    judge_bind_str(run, 2, o->evaluation_id);

    if (run->step == JUDGE_FINISH_QUEUE) {
        judge_bind_int(run, 3, o->queue_at);
        judge_bind_int(run, 4, o->deadline);
        judge_bind_int(run, 5, o->now);
    } else {
        judge_bind_int(run, 3, o->failed.evaluated_at);
        judge_bind_str(run, 4, o->failed.last_error);
    }

    return JUDGE_STEP_RUN;
}


static judge_step_e
judge_upload_finish_tell(judge_upload_finish_t *o)
{
    if (!o->reference && o->received
        && judge_event_tell(&o->op, o->reason.data ? JUDGE_EVENT_CONTENT_ERROR
                                                   : JUDGE_EVENT_CONTENT_READY,
                            o->op.org, o->id)
           == NULL)
    {
        o->op.rc = JUDGE_NOMEM;
    }

    return JUDGE_STEP_END;
}


/* The evaluation that waited has ended. */

static judge_rc_e
judge_upload_finish_read(judge_run_t *run)
{
    judge_upload_finish_t  *o = (judge_upload_finish_t *) run->op;

    return judge_event_tell_result(&o->op, o->op.org, &o->failed);
}


static judge_step_e
judge_upload_finish_bind(judge_run_t *run)
{
    bool                    fine;
    judge_upload_finish_t  *o = (judge_upload_finish_t *) run->op;

    fine = o->reason.data == NULL;

    /* Somebody else has ended it, or the content was deleted meanwhile. */
    if (run->step == JUDGE_FINISH_CONTENT && run->changes == 0) {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->st == NULL) {
        return judge_upload_finish_tell(o);
    }

    if ((run->step == JUDGE_FINISH_CONTENT && (o->reference || !o->received))
        || (run->step == JUDGE_FINISH_QUEUE
            && (o->evaluation_id.data == NULL || !fine))
        || (run->step == JUDGE_FINISH_FAIL
            && (o->evaluation_id.data == NULL || fine))
        || (run->step == JUDGE_FINISH_RESULT
            && (o->evaluation_id.data == NULL || fine || run->rows == 0))
        || (run->step == JUDGE_FINISH_REFERENCE && !o->reference))
    {
        return JUDGE_STEP_SKIP;
    }

    if (run->step == JUDGE_FINISH_RESULT) {
        judge_result_bind(run, o->op.org, &o->failed);
        return JUDGE_STEP_RUN;
    }

    judge_bind_str(run, 1, o->op.org);

    if (run->step == JUDGE_FINISH_QUEUE || run->step == JUDGE_FINISH_FAIL) {
        return judge_upload_finish_evaluation(run, o);
    }

    judge_bind_str(run, 2, o->id);
    if (run->step != JUDGE_FINISH_UPLOAD) {
        judge_upload_bind_outcome(run, o);
    }

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_upload_finish = {
    .name = "upload_finish",
    .place = JUDGE_OP_WRITE,
    .sql = { [JUDGE_FINISH_UPLOAD] =
             "DELETE FROM uploads WHERE org = ?1 AND id = ?2",
             [JUDGE_FINISH_CONTENT] =
             "UPDATE contents SET status = ?3, text_content = ?4,"
             " metadata = ?5 WHERE org = ?1 AND id = ?2",
             [JUDGE_FINISH_QUEUE] =
             "UPDATE evaluations SET deadline = ?4, queue_at ="
             " CASE WHEN model IS NULL THEN ?3 ELSE ?5 END"
             " WHERE org = ?1 AND id = ?2 AND status = 'processing'",
             [JUDGE_FINISH_FAIL] =
             "UPDATE evaluations SET status = 'failed', evaluated_at = ?3,"
             " last_error = ?4"
             " WHERE org = ?1 AND id = ?2 AND status = 'processing'"
             " RETURNING id",
             [JUDGE_FINISH_RESULT] = JUDGE_RESULT_INSERT,
             [JUDGE_FINISH_REFERENCE] =
             "UPDATE reference_texts SET status = ?3, text_content = ?4,"
             " reason = ?5 WHERE org = ?1 AND id = ?2" },
    .bind = judge_upload_finish_bind,
    .read = judge_upload_finish_read
};


/* --- Files and references ------------------------------------------------ */

static judge_step_e
judge_files_known_bind(judge_run_t *run)
{
    judge_files_known_t  *o = (judge_files_known_t *) run->op;

    if (run->st == NULL || run->turn == o->count) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->orgs[run->turn]);
    judge_bind_str(run, 2, o->ids[run->turn]);
    judge_bind_str(run, 3, o->names[run->turn]);

    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_files_known_read(judge_run_t *run)
{
    ((judge_files_known_t *) run->op)->known[run->turn] = true;

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_files_known = {
    .name = "files_known",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT file_path FROM uploads"
             " WHERE org = ?1 AND id = ?2 AND file_path = ?3"
             " UNION ALL SELECT file_path FROM contents"
             " WHERE org = ?1 AND id = ?2 AND file_path = ?3"
             " UNION ALL SELECT file_path FROM reference_texts"
             " WHERE org = ?1 AND id = ?2 AND file_path = ?3" },
    .bind = judge_files_known_bind,
    .read = judge_files_known_read
};


static judge_step_e
judge_references_check_bind(judge_run_t *run)
{
    judge_references_check_t  *o = (judge_references_check_t *) run->op;

    if (run->turn && run->rows == 0) {
        o->missing = run->turn - 1;
        return JUDGE_STEP_END;
    }

    if (run->st == NULL || run->turn == o->count) {
        o->missing = o->count;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->ids[run->turn]);

    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_references_check_read(judge_run_t *run)
{
    judge_references_check_t  *o = (judge_references_check_t *) run->op;

    o->pending = o->pending || judge_column_int(run, 0);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_references_check = {
    .name = "references_check",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT status = 'waiting' FROM reference_texts"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_references_check_bind,
    .read = judge_references_check_read
};
