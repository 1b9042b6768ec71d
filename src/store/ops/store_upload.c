/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Uploads: a place promised, a file come, a file read; and references. */


#include "store/ops/store_event_parts.h"
#include "store/store_upload.h"


/* --- The service's secrets ----------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_secret_t

const judge_op_spec_t  judge_op_secret = {
    .name = "secret",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO service_secrets (name, value) VALUES (?1, ?2)"
          " ON CONFLICT DO NOTHING",
          .in = JUDGE_VALUES(JUDGE_V(name), JUDGE_V_BLOB(value)) },
        { "SELECT value FROM service_secrets WHERE name = ?1",
          .in = JUDGE_VALUES(JUDGE_V(name)),
          .out = JUDGE_VALUES(JUDGE_V(value)) }
    }
};


/* --- A place promised ---------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_upload_create_t

static judge_step_e
judge_upload_create_step(judge_run_t *run)
{
    judge_upload_create_t  *o = (judge_upload_create_t *) run->op;

    if ((run->step == 1 && !judge_str_eq_c(o->row.kind, "reference"))
        || (run->step == 2 && !o->evaluates))
    {
        return JUDGE_STEP_SKIP;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_upload_create = {
    .name = "upload_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO uploads (org, id, kind, status, queue_at,"
          " created_at, expires_at, max_size, file_type, extension, name,"
          " evaluation_id, metadata) VALUES (?1, ?2, ?3, 'waiting', ?4,"
          " ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V(row.kind), JUDGE_V(row.queue_at),
              JUDGE_V(row.created_at), JUDGE_V(row.expires_at),
              JUDGE_V(row.max_size), JUDGE_V(row.file_type),
              JUDGE_V(row.extension), JUDGE_V(row.name),
              JUDGE_V(row.evaluation_id), JUDGE_V(row.metadata)) },
        { "INSERT INTO reference_texts (org, id, status, created_at,"
          " extension) VALUES (?1, ?2, 'waiting', ?3, ?4)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V(row.created_at), JUDGE_V(row.extension)) },
        { "INSERT INTO evaluations (org, id, status, priority,"
          " content_id, judge_id, judge_version, created_at, deadline,"
          " model, samples, fresh)"
          " VALUES (?1, ?2, 'processing', ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
          " ?10, ?11)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(evaluation.id),
              JUDGE_V(evaluation.priority), JUDGE_V(evaluation.content_id),
              JUDGE_V(evaluation.judge_id),
              JUDGE_V(evaluation.judge_version),
              JUDGE_V(evaluation.created_at), JUDGE_V(evaluation.deadline),
              JUDGE_V(evaluation.model), JUDGE_V_NULL(evaluation.samples),
              JUDGE_V_NULL(evaluation.fresh)) }
    },
    .step = judge_upload_create_step
};


/* --- Rows ---------------------------------------------------------------- */

#define JUDGE_UPLOAD_COLUMNS                                                  \
    "org, id, kind, status, queue_at, attempts, created_at, expires_at,"      \
    " max_size, size, file_type, extension, name, evaluation_id, file_path,"  \
    " metadata"

#undef JUDGE_ROW
#define JUDGE_ROW  judge_upload_row_t

static const judge_value_t  judge_upload_row_out[] = {
    JUDGE_R(org), JUDGE_R(id), JUDGE_R(kind), JUDGE_R(status),
    JUDGE_R(queue_at), JUDGE_R(attempts), JUDGE_R(created_at),
    JUDGE_R(expires_at), JUDGE_R(max_size), JUDGE_R(size), JUDGE_R(file_type),
    JUDGE_R(extension), JUDGE_R(name), JUDGE_R(evaluation_id),
    JUDGE_R(file_path), JUDGE_R(metadata), JUDGE_END
};


const judge_op_spec_t  judge_op_upload_find = {
    .name = "upload_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT " JUDGE_UPLOAD_COLUMNS " FROM uploads"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_upload_find_t), .out = judge_upload_row_out,
          .row = offsetof(judge_upload_find_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


/* --- A file come --------------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_upload_receive_t

static const judge_value_t  judge_upload_receive_in[] = {
    JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(file_path), JUDGE_V(size),
    JUDGE_V(now), JUDGE_END
};


const judge_op_spec_t  judge_op_upload_receive = {
    .name = "upload_receive",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE uploads SET status = 'received', file_path = ?3,"
          " size = ?4, queue_at = ?5"
          " WHERE org = ?1 AND id = ?2 AND status = 'waiting'",
          .in = judge_upload_receive_in, .unless_changed = JUDGE_CONFLICT },
        { "INSERT INTO contents (org, id, file_type, status, size,"
          " created_at, name, file_path, metadata)"
          " SELECT org, id, file_type, 'uploaded', ?4, ?5, name, ?3,"
          " metadata FROM uploads"
          " WHERE org = ?1 AND id = ?2 AND kind = 'content'",
          .in = judge_upload_receive_in },
        { "UPDATE reference_texts SET file_path = ?3"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id),
              JUDGE_V(file_path)) }
    }
};


/* --- A file read --------------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_upload_peek_t

const judge_op_spec_t  judge_op_upload_peek = {
    .name = "upload_peek",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT EXISTS (SELECT 1 FROM uploads WHERE queue_at <= ?1)",
          .in = JUDGE_VALUES(JUDGE_V(now)),
          .out = JUDGE_VALUES(JUDGE_V(pending)) }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_upload_claim_t

static judge_step_e
judge_upload_claim_step(judge_run_t *run)
{
    judge_upload_claim_t  *o = (judge_upload_claim_t *) run->op;

    return run->step == 2 && o->row.evaluation_id.data == NULL
           ? JUDGE_STEP_SKIP : judge_run_next(run);
}


static judge_rc_e
judge_upload_claim_read(judge_run_t *run)
{
    judge_upload_claim_t  *o = (judge_upload_claim_t *) run->op;

    if (run->step == 2) {
        o->job.org = o->row.org;
        o->job.id = o->row.evaluation_id;
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_upload_claim = {
    .name = "upload_claim",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE uploads SET queue_at = ?2, attempts = attempts + 1"
          " WHERE (org, id) = (SELECT org, id FROM uploads"
          " WHERE queue_at <= ?1 ORDER BY queue_at LIMIT 1)"
          " RETURNING " JUDGE_UPLOAD_COLUMNS,
          .in = JUDGE_VALUES(JUDGE_V(now), JUDGE_V(lease_until)),
          .out = judge_upload_row_out,
          .row = offsetof(judge_upload_claim_t, row),
          .unless_rows = JUDGE_NOT_FOUND },
        { "UPDATE contents SET status = 'processing'"
          " WHERE org = ?1 AND id = ?2 AND status = 'uploaded'",
          .in = JUDGE_VALUES(JUDGE_V(row.org), JUDGE_V(row.id)) },
        { "SELECT attempts, created_at, deadline, content_id, judge_id,"
          " judge_version FROM evaluations WHERE org = ?1 AND id = ?2",
          .in = JUDGE_VALUES(JUDGE_V(row.org), JUDGE_V(row.evaluation_id)),
          .out = JUDGE_VALUES(JUDGE_V(job.attempts),
              JUDGE_V(job.created_at), JUDGE_V(job.deadline),
              JUDGE_V(job.content_id), JUDGE_V(job.judge_id),
              JUDGE_V(job.judge_version)) }
    },
    .step = judge_upload_claim_step,
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


static judge_step_e
judge_upload_finish_event(judge_upload_finish_t *o)
{
    if (!o->reference && o->received
        && judge_event_add(&o->op, o->reason.data ? JUDGE_EVENT_CONTENT_ERROR
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

    return judge_event_add_result(&o->op, o->op.org, &o->failed);
}


#undef JUDGE_OF
#define JUDGE_OF  judge_upload_finish_t

static judge_step_e
judge_upload_finish_step(judge_run_t *run)
{
    bool                    fine;
    judge_upload_finish_t  *o = (judge_upload_finish_t *) run->op;

    fine = o->reason.data == NULL;

    if (run->st == NULL) {
        return judge_upload_finish_event(o);
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

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_upload_finish = {
    .name = "upload_finish",
    .place = JUDGE_OP_WRITE,
    .statements = {
        [JUDGE_FINISH_UPLOAD] =
        { "DELETE FROM uploads WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_upload_finish_t),
          .unless_changed = JUDGE_NOT_FOUND },
        [JUDGE_FINISH_CONTENT] =
        { "UPDATE contents SET status ="
          " CASE WHEN ?3 IS NULL THEN 'ready' ELSE 'error' END,"
          " text_content = ?4, metadata = ?5 WHERE org = ?1 AND id = ?2",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(reason),
              JUDGE_V(text_content), JUDGE_V(metadata)) },
        [JUDGE_FINISH_QUEUE] =
        { "UPDATE evaluations SET deadline = ?4, queue_at ="
          " CASE WHEN model IS NULL THEN ?3 ELSE ?5 END"
          " WHERE org = ?1 AND id = ?2 AND status = 'processing'",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(evaluation_id),
              JUDGE_V(queue_at), JUDGE_V(deadline), JUDGE_V(now)) },
        [JUDGE_FINISH_FAIL] =
        { "UPDATE evaluations SET status = 'failed', evaluated_at = ?3,"
          " last_error = ?4"
          " WHERE org = ?1 AND id = ?2 AND status = 'processing'"
          " RETURNING id",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(evaluation_id),
              JUDGE_V(failed.evaluated_at), JUDGE_V(failed.last_error)) },
        [JUDGE_FINISH_RESULT] =
        { JUDGE_RESULT_INSERT,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(failed.id),
              JUDGE_V(failed.status), JUDGE_V_BLOB(failed.features),
              JUDGE_V(failed.body)) },
        [JUDGE_FINISH_REFERENCE] =
        { "UPDATE reference_texts SET status ="
          " CASE WHEN ?3 IS NULL THEN 'ready' ELSE 'error' END,"
          " text_content = ?4, reason = ?3 WHERE org = ?1 AND id = ?2",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(reason),
              JUDGE_V(text_content)) }
    },
    .step = judge_upload_finish_step,
    .read = judge_upload_finish_read
};


/* --- Files and references ------------------------------------------------ */

static judge_step_e
judge_files_known_step(judge_run_t *run)
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
    .statements = {
        { "SELECT file_path FROM uploads"
          " WHERE org = ?1 AND id = ?2 AND file_path = ?3"
          " UNION ALL SELECT file_path FROM contents"
          " WHERE org = ?1 AND id = ?2 AND file_path = ?3"
          " UNION ALL SELECT file_path FROM reference_texts"
          " WHERE org = ?1 AND id = ?2 AND file_path = ?3",
          .in = NULL }
    },
    .step = judge_files_known_step,
    .read = judge_files_known_read
};


static judge_step_e
judge_references_check_step(judge_run_t *run)
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
    .statements = {
        { "SELECT status = 'waiting' FROM reference_texts"
          " WHERE org = ?1 AND id = ?2",
          .in = NULL }
    },
    .step = judge_references_check_step,
    .read = judge_references_check_read
};
