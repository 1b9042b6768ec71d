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


#undef JUDGE_OF
#define JUDGE_OF  judge_job_create_t

#undef JUDGE_ROW
#define JUDGE_ROW  judge_evaluation_row_t

static const judge_value_t  judge_job_create_in0[] = {
    JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(kind), JUDGE_V(created_at),
    JUDGE_R(judge_id), JUDGE_R(judge_version), JUDGE_END
};

#undef JUDGE_ROW
#define JUDGE_ROW  judge_content_row_t

static const judge_value_t  judge_job_create_in1[] = {
    JUDGE_V(op.org), JUDGE_R(id), JUDGE_R(file_type), JUDGE_R(status),
    JUDGE_R(size), JUDGE_R(created_at), JUDGE_R(name), JUDGE_R(file_url),
    JUDGE_R(metadata), JUDGE_END
};

#undef JUDGE_ROW
#define JUDGE_ROW  judge_evaluation_row_t

static const judge_value_t  judge_job_create_in2[] = {
    JUDGE_V(op.org), JUDGE_R(id), JUDGE_R_NULL(queue_at), JUDGE_R(priority),
    JUDGE_R(content_id), JUDGE_R(judge_id), JUDGE_R(judge_version),
    JUDGE_R(created_at), JUDGE_R(deadline), JUDGE_END
};

static const judge_value_t  judge_job_create_in3[] = {
    JUDGE_V(op.org), JUDGE_V(id), JUDGE_R(id), JUDGE_END
};


static judge_step_e
judge_job_create_step(judge_run_t *run)
{
    if (run->step == JUDGE_JOB_ROW) {
        run->row = ((judge_job_create_t *) run->op)->evaluations;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_job_create = {
    .name = "job_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        [JUDGE_JOB_ROW] =
        { "INSERT INTO jobs (org, id, kind, created_at, judge_id,"
          " judge_version) SELECT ?1, ?2, ?3, ?4, ?5, ?6"
          " WHERE EXISTS (SELECT 1 FROM judges"
          " WHERE org = ?1 AND id = ?5 AND deleted_at IS NULL)",
          .in = judge_job_create_in0, .unless_changed = JUDGE_NOT_FOUND },
        [JUDGE_JOB_CONTENTS] =
        { "INSERT INTO contents (org, id, file_type, status, size,"
          " created_at, name, file_url, metadata)"
          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
          .in = judge_job_create_in1,
          .each = JUDGE_ROWS(judge_job_create_t, contents, count) },
        [JUDGE_JOB_EVALUATIONS] =
        { "INSERT INTO evaluations (org, id, status, queue_at, priority,"
          " content_id, judge_id, judge_version, created_at, deadline)"
          " VALUES (?1, ?2, 'processing', ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
          .in = judge_job_create_in2,
          .each = JUDGE_ROWS(judge_job_create_t, evaluations, count) },
        [JUDGE_JOB_MEMBERS] =
        { "INSERT INTO job_evaluations (org, job_id, evaluation_id)"
          " VALUES (?1, ?2, ?3)",
          .in = judge_job_create_in3,
          .each = JUDGE_ROWS(judge_job_create_t, evaluations, count) }
    },
    .step = judge_job_create_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_job_find_t

const judge_op_spec_t  judge_op_job_find = {
    .name = "job_find",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT COUNT(e.id),"
          " COUNT(*) FILTER (WHERE e.status = 'completed'),"
          " COUNT(*) FILTER (WHERE e.status = 'failed') FROM jobs j"
          " LEFT JOIN job_evaluations m"
          " ON m.org = j.org AND m.job_id = j.id"
          " LEFT JOIN evaluations e"
          " ON e.org = m.org AND e.id = m.evaluation_id"
          " WHERE j.org = ?1 AND j.id = ?2 GROUP BY j.id",
          .in = JUDGE_BY_ID(judge_job_find_t),
          .out = JUDGE_VALUES(JUDGE_V(total), JUDGE_V(completed),
              JUDGE_V(failed)),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_job_results_t

const judge_op_spec_t  judge_op_job_results = {
    .name = "job_results",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_job_results_t, page),
    .statements = {
        { "SELECT " JUDGE_EVALUATION_COLUMNS " FROM evaluations"
          " WHERE org = ?1 AND id IN (SELECT evaluation_id"
          " FROM job_evaluations WHERE org = ?1 AND job_id = ?2"
          " AND (?3 IS NULL OR evaluation_id < ?3)"
          " ORDER BY evaluation_id DESC LIMIT ?4) ORDER BY id DESC",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id),
              JUDGE_V(page.before), JUDGE_V_MORE(page.limit)),
          .out = judge_evaluation_row_out,
          .list = JUDGE_ROWS(judge_job_results_t, rows, count) }
    }
};
