/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Training jobs as their organization sees them. */


#include "store/ops/store_training_parts.h"


void
judge_training_row_read(judge_run_t *run, judge_training_row_t *row)
{
    row->org = judge_column_str(run, 0);
    row->id = judge_column_str(run, 1);
    row->judge_id = judge_column_str(run, 2);
    row->type = judge_column_str(run, 3);
    row->status = judge_column_str(run, 4);
    row->priority = judge_column_int(run, 5);
    row->attempts = judge_column_int(run, 6);
    row->seq = judge_column_int(run, 7);
    row->created_at = judge_column_int(run, 8);
    row->created_by = judge_column_str(run, 9);
    row->executed_at = judge_column_int(run, 10);
    row->execution_id = judge_column_str(run, 11);
    row->started_at = judge_column_int(run, 12);
    row->completed_at = judge_column_int(run, 13);
    row->allocation = judge_column_str(run, 14);
    row->max_duration = judge_column_int(run, 15);
    row->until = judge_column_int(run, 16);
    row->base_version = judge_column_int(run, 17);
    row->new_version = judge_column_int(run, 18);
    row->deployed = judge_column_int(run, 19) != 0;
    row->items = judge_column_int(run, 20);
    row->estimate = judge_column_int(run, 21);
    row->phase = judge_column_str(run, 22);
    row->epoch = judge_column_int(run, 23);
    row->epochs = judge_column_int(run, 24);
    row->progress = judge_column_double(run, 25);
    row->config = judge_column_str(run, 26);
    row->options = judge_column_str(run, 27);
    row->summary = judge_column_str(run, 28);
    row->error = judge_column_str(run, 29);
}


/* --- Before a job -------------------------------------------------------- */

/* Statement 0 counts the feedback, 1 says how fast jobs were. */

static judge_step_e
judge_training_summary_bind(judge_run_t *run)
{
    judge_training_summary_t  *o = (judge_training_summary_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);

    if (run->step == 0) {
        judge_bind_str(run, 2, o->judge_id);
        judge_bind_int(run, 3, o->since);
        judge_bind_when(run, 4, o->until);
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_training_summary_read(judge_run_t *run)
{
    judge_training_summary_t  *o = (judge_training_summary_t *) run->op;

    if (run->step == 0) {
        o->total = judge_column_int(run, 0);
        o->usable = judge_column_int(run, 1);
        o->corrections = judge_column_int(run, 2);
        o->ratings = judge_column_int(run, 3);
        o->earliest = judge_column_int(run, 4);
        o->latest = judge_column_int(run, 5);
        o->pending = judge_column_int(run, 6);
        o->evaluations = judge_column_int(run, 7);

    } else {
        o->spent = judge_column_int(run, 0);
        o->spent_on = judge_column_int(run, 1);
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_summary = {
    .name = "training_summary",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT COUNT(*), COUNT(*) FILTER (WHERE type <> 'comment'),"
             " COUNT(*) FILTER (WHERE type = 'correction'),"
             " COUNT(*) FILTER (WHERE type = 'rating'), MIN(submitted_at),"
             " MAX(submitted_at), COUNT(*) FILTER (WHERE processed = 0),"
             " COUNT(DISTINCT CASE WHEN type <> 'comment' THEN evaluation_id"
             " END) FROM feedback WHERE org = ?1 AND judge_id = ?2"
             " AND submitted_at > ?3 AND (?4 IS NULL OR submitted_at <= ?4)",
             "SELECT SUM(completed_at - started_at), SUM(items) FROM ("
             "SELECT completed_at, started_at, items FROM training_jobs"
             " WHERE org = ?1 AND status = 'completed' AND items > 0"
             " ORDER BY id DESC LIMIT 20) AS ready" },
    .bind = judge_training_summary_bind,
    .read = judge_training_summary_read
};


static judge_step_e
judge_training_create_bind(judge_run_t *run)
{
    judge_training_row_t  *row = &((judge_training_create_t *) run->op)->row;

    if (run->st == NULL) {
        if (run->changes == 0) {
            run->op->rc = row->executed_at ? JUDGE_CONFLICT
                                           : JUDGE_NOT_FOUND;
        }
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_str(run, 3, row->judge_id);
    judge_bind_str(run, 4, row->type);
    judge_bind_str(run, 5, row->status);
    judge_bind_int(run, 6, row->priority);
    judge_bind_when(run, 7, row->executed_at);
    judge_bind_int(run, 8, row->created_at);
    judge_bind_str(run, 9, row->created_by);
    judge_bind_str(run, 10, row->execution_id);
    judge_bind_str(run, 11, row->allocation);
    judge_bind_when(run, 12, row->max_duration);
    judge_bind_int(run, 13, row->estimate);
    judge_bind_int(run, 14, row->epochs);
    judge_bind_str(run, 15, row->config);
    judge_bind_str(run, 16, row->options);
    judge_bind_str(run, 17, row->summary);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_training_create = {
    .name = "training_create",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO training_jobs (org, id, judge_id, type, status,"
             " priority, queue_at, executed_at, executed_by, created_at,"
             " created_by, execution_id, allocation, max_duration, estimate,"
             " epochs, config, options, summary) SELECT ?1, ?2, ?3, ?4, ?5,"
             " ?6, ?7, ?7, CASE WHEN ?7 IS NULL THEN NULL ELSE ?9 END, ?8, ?9,"
             " ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17 FROM judges"
             " WHERE org = ?1 AND id = ?3 AND deleted_at IS NULL"
             " AND (?7 IS NULL OR NOT EXISTS (SELECT 1 FROM training_jobs t"
             " WHERE t.org = ?1 AND t.judge_id = ?3"
             " AND t.status IN ('queued', 'preparing')))" },
    .bind = judge_training_create_bind
};


/* --- Reading ------------------------------------------------------------- */

static judge_step_e
judge_training_find_bind(judge_run_t *run)
{
    judge_training_find_t  *o = (judge_training_find_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_training_find_read(judge_run_t *run)
{
    judge_training_row_t  *row = &((judge_training_find_t *) run->op)->row;

    judge_training_row_read(run, row);
    row->metrics = judge_column_str(run, JUDGE_TRAINING_COLUMN_NEXT);
    row->results = judge_column_str(run, JUDGE_TRAINING_COLUMN_NEXT + 1);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_find = {
    .name = "training_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT " JUDGE_TRAINING_COLUMNS ", metrics, results"
             " FROM training_jobs WHERE org = ?1 AND id = ?2" },
    .bind = judge_training_find_bind,
    .read = judge_training_find_read
};


/* Statement 0 reads the epochs, 1 the logs. */

static judge_step_e
judge_training_course_bind(judge_run_t *run)
{
    judge_training_course_t  *o = (judge_training_course_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if ((run->step == 0 && o->limit == 0)
        || (run->step == 1 && !o->with_logs))
    {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_int(run, 3, run->step == 0 ? o->limit : JUDGE_TRAINING_LOGS);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_training_course_read(judge_run_t *run)
{
    judge_training_log_t     *log;
    judge_training_epoch_t   *epoch;
    judge_training_course_t  *o = (judge_training_course_t *) run->op;

    if (run->step == 0) {
        o->epochs = judge_row_room(run, o->epochs, (size_t) o->limit,
                                   sizeof(judge_training_epoch_t));
        if (o->epochs == NULL) {
            return JUDGE_NOMEM;
        }

        epoch = &o->epochs[o->nepochs++];
        epoch->epoch = judge_column_int(run, 0);
        epoch->training_loss = judge_column_double(run, 1);
        epoch->validation_loss = judge_column_double(run, 2);
        epoch->validated = !judge_column_null(run, 2);
        return JUDGE_OK;
    }

    o->logs = judge_row_room(run, o->logs, JUDGE_TRAINING_LOGS,
                             sizeof(judge_training_log_t));
    if (o->logs == NULL) {
        return JUDGE_NOMEM;
    }

    log = &o->logs[o->nlogs++];
    log->at = judge_column_int(run, 0);
    log->level = judge_column_str(run, 1);
    log->message = judge_column_str(run, 2);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_course = {
    .name = "training_course",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT epoch, training_loss, validation_loss FROM (SELECT *"
             " FROM training_epochs WHERE org = ?1 AND job_id = ?2"
             " ORDER BY epoch DESC LIMIT ?3) AS ready ORDER BY epoch",
             "SELECT at, level, message FROM (SELECT rowid AS n, *"
             " FROM training_logs WHERE org = ?1 AND job_id = ?2"
             " ORDER BY rowid DESC LIMIT ?3) AS ready ORDER BY n" },
    .bind = judge_training_course_bind,
    .read = judge_training_course_read
};


static judge_step_e
judge_training_list_bind(judge_run_t *run)
{
    judge_training_list_t  *o = (judge_training_list_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->page.before);
    judge_bind_str(run, 3, o->judge_id);
    judge_bind_str(run, 4, o->status);
    judge_bind_int(run, 5, o->page.limit + 1);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_training_list_read(judge_run_t *run)
{
    judge_training_list_t  *o = (judge_training_list_t *) run->op;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_training_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    judge_training_row_read(run, &o->rows[o->count++]);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_list = {
    .name = "training_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_training_list_t, page),
    .sql = { "SELECT " JUDGE_TRAINING_COLUMNS " FROM training_jobs"
             " WHERE org = ?1 AND id < coalesce(?2, '~')"
             " AND (?3 IS NULL OR judge_id = ?3)"
             " AND (?4 IS NULL OR status = ?4) ORDER BY id DESC LIMIT ?5" },
    .bind = judge_training_list_bind,
    .read = judge_training_list_read
};


/* --- Changes from outside ------------------------------------------------ */

/* Statement 0 queues it, 1 reads it, 2 looks at who goes first. */

static judge_step_e
judge_training_execute_bind(judge_run_t *run)
{
    judge_training_execute_t  *o = (judge_training_execute_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = o->row.id.data == NULL ? JUDGE_NOT_FOUND
                   : o->changed ? JUDGE_OK : JUDGE_CONFLICT;
        return JUDGE_STEP_END;
    }

    if (run->step == 2) {
        judge_bind_int(run, 1, o->row.priority);
        judge_bind_int(run, 2, o->now);
        return JUDGE_STEP_RUN;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    if (run->step == 1) {
        o->changed = run->changes != 0;
        return JUDGE_STEP_RUN;
    }

    judge_bind_int(run, 3, o->priority);
    judge_bind_str(run, 4, o->allocation);
    judge_bind_when(run, 5, o->max_duration);
    judge_bind_str(run, 6, o->execution_id);
    judge_bind_str(run, 7, o->executed_by);
    judge_bind_int(run, 8, o->now);
    judge_bind_str(run, 9, o->options);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_training_execute_read(judge_run_t *run)
{
    judge_training_execute_t  *o = (judge_training_execute_t *) run->op;

    if (run->step == 2) {
        o->ahead = judge_column_int(run, 0);
        o->ahead_ms = judge_column_int(run, 1);
        return JUDGE_OK;
    }

    judge_training_row_read(run, &o->row);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_execute = {
    .name = "training_execute",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE training_jobs SET status = 'queued', queue_at = ?8,"
             " executed_at = ?8, executed_by = ?7, execution_id = ?6,"
             " seq = seq + 1,"
             " priority = CASE WHEN ?3 < 0 THEN priority ELSE ?3 END,"
             " allocation = COALESCE(?4, allocation),"
             " max_duration = COALESCE(?5, max_duration),"
             " options = COALESCE(?9, options)"
             " WHERE org = ?1 AND id = ?2 AND status = 'created'",
             "SELECT " JUDGE_TRAINING_COLUMNS " FROM training_jobs"
             " WHERE org = ?1 AND id = ?2",
             "SELECT COUNT(org), SUM(estimate) FROM training_jobs"
             " WHERE queue_at IS NOT NULL AND (status <> 'queued'"
             " OR priority < ?1 OR (priority = ?1 AND executed_at < ?2))" },
    .bind = judge_training_execute_bind,
    .read = judge_training_execute_read
};


/* Who runs it notices that it does not hold it any more. */

static judge_step_e
judge_training_cancel_bind(judge_run_t *run)
{
    judge_training_cancel_t  *o = (judge_training_cancel_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = o->row.id.data == NULL ? JUDGE_NOT_FOUND
                   : o->changed ? JUDGE_OK : JUDGE_CONFLICT;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    if (run->step == 1) {
        o->changed = run->changes != 0;
        return JUDGE_STEP_RUN;
    }

    judge_bind_str(run, 3, o->error);
    judge_bind_int(run, 4, o->now);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_training_cancel_read(judge_run_t *run)
{
    judge_training_row_read(run, &((judge_training_cancel_t *) run->op)->row);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_cancel = {
    .name = "training_cancel",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE training_jobs SET status = 'cancelled', queue_at = NULL,"
             " owner = NULL, completed_at = ?4, error = ?3, seq = seq + 1"
             " WHERE org = ?1 AND id = ?2"
             " AND status NOT IN ('completed', 'failed', 'cancelled')",
             "SELECT " JUDGE_TRAINING_COLUMNS " FROM training_jobs"
             " WHERE org = ?1 AND id = ?2" },
    .bind = judge_training_cancel_bind,
    .read = judge_training_cancel_read
};
