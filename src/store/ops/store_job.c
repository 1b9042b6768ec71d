/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Jobs of several evaluations. */


#include "store/ops/store_ops.h"
#include "store/store_job.h"


enum {
    JUDGE_JOB_ROW,
    JUDGE_JOB_CONTENTS,
    JUDGE_JOB_EVALUATIONS,
    JUDGE_JOB_MEMBERS
};


static void
judge_job_bind_row(judge_run_t *run, judge_job_create_t *o)
{
    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_str(run, 3, o->kind);
    judge_bind_int(run, 4, o->created_at);
    judge_bind_str(run, 5, o->evaluations[0].judge_id);
    judge_bind_int(run, 6, o->evaluations[0].judge_version);
}


static void
judge_job_bind_content(judge_run_t *run, const judge_content_row_t *row)
{
    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_str(run, 3, row->file_type);
    judge_bind_str(run, 4, row->status);
    judge_bind_int(run, 5, row->size);
    judge_bind_int(run, 6, row->created_at);
    judge_bind_str(run, 7, row->name);
    judge_bind_str(run, 8, row->file_url);
    judge_bind_str(run, 9, row->metadata);
}


static void
judge_job_bind_evaluation(judge_run_t *run, const judge_evaluation_row_t *row)
{
    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, row->id);
    judge_bind_when(run, 3, row->queue_at);
    judge_bind_int(run, 4, row->priority);
    judge_bind_str(run, 5, row->content_id);
    judge_bind_str(run, 6, row->judge_id);
    judge_bind_int(run, 7, row->judge_version);
    judge_bind_int(run, 8, row->created_at);
    judge_bind_int(run, 9, row->deadline);
}


static judge_step_e
judge_job_create_bind(judge_run_t *run)
{
    judge_job_create_t  *o = (judge_job_create_t *) run->op;

    if (run->step == JUDGE_JOB_CONTENTS && run->turn == 0
        && run->changes == 0)
    {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == JUDGE_JOB_ROW) {
        judge_job_bind_row(run, o);
        return JUDGE_STEP_RUN;
    }

    if (run->turn == o->count) {
        return JUDGE_STEP_SKIP;
    }

    switch (run->step) {

    case JUDGE_JOB_CONTENTS:
        judge_job_bind_content(run, &o->contents[run->turn]);
        break;

    case JUDGE_JOB_EVALUATIONS:
        judge_job_bind_evaluation(run, &o->evaluations[run->turn]);
        break;

    default:
        judge_bind_str(run, 1, o->op.org);
        judge_bind_str(run, 2, o->id);
        judge_bind_str(run, 3, o->evaluations[run->turn].id);
        break;
    }

    return JUDGE_STEP_REPEAT;
}


const judge_op_spec_t  judge_op_job_create = {
    .name = "job_create",
    .place = JUDGE_OP_WRITE,
    .sql = { [JUDGE_JOB_ROW] =
             "INSERT INTO jobs (org, id, kind, created_at, judge_id,"
             " judge_version) SELECT ?1, ?2, ?3, ?4, ?5, ?6"
             " WHERE EXISTS (SELECT 1 FROM judges"
             " WHERE org = ?1 AND id = ?5 AND deleted_at IS NULL)",
             [JUDGE_JOB_CONTENTS] =
             "INSERT INTO contents (org, id, file_type, status, size,"
             " created_at, name, file_url, metadata)"
             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
             [JUDGE_JOB_EVALUATIONS] =
             "INSERT INTO evaluations (org, id, status, queue_at, priority,"
             " content_id, judge_id, judge_version, created_at, deadline)"
             " VALUES (?1, ?2, 'processing', ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
             [JUDGE_JOB_MEMBERS] =
             "INSERT INTO job_evaluations (org, job_id, evaluation_id)"
             " VALUES (?1, ?2, ?3)" },
    .bind = judge_job_create_bind
};


static judge_step_e
judge_job_find_bind(judge_run_t *run)
{
    judge_job_find_t  *o = (judge_job_find_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_job_find_read(judge_run_t *run)
{
    judge_job_find_t  *o = (judge_job_find_t *) run->op;

    o->total = judge_column_int(run, 0);
    o->completed = judge_column_int(run, 1);
    o->failed = judge_column_int(run, 2);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_job_find = {
    .name = "job_find",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT COUNT(e.id), COALESCE(SUM(e.status = 'completed'), 0),"
             " COALESCE(SUM(e.status = 'failed'), 0) FROM jobs j"
             " LEFT JOIN job_evaluations m"
             " ON m.org = j.org AND m.job_id = j.id"
             " LEFT JOIN evaluations e"
             " ON e.org = m.org AND e.id = m.evaluation_id"
             " WHERE j.org = ?1 AND j.id = ?2 GROUP BY j.id" },
    .bind = judge_job_find_bind,
    .read = judge_job_find_read
};


static judge_step_e
judge_job_results_bind(judge_run_t *run)
{
    judge_job_results_t  *o = (judge_job_results_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_str(run, 3, o->page.before);
    judge_bind_int(run, 4, o->page.limit + 1);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_job_results_read(judge_run_t *run)
{
    judge_job_results_t  *o = (judge_job_results_t *) run->op;

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_evaluation_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    judge_evaluation_row_read(run, &o->rows[o->count++]);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_job_results = {
    .name = "job_results",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_job_results_t, page),
    .sql = { "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations"
             " WHERE org = ?1 AND id IN (SELECT evaluation_id"
             " FROM job_evaluations WHERE org = ?1 AND job_id = ?2"
             " AND (?3 IS NULL OR evaluation_id < ?3)"
             " ORDER BY evaluation_id DESC LIMIT ?4) ORDER BY id DESC" },
    .bind = judge_job_results_bind,
    .read = judge_job_results_read
};
