/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Training jobs as their organization sees them. */


#include "store/ops/store_training_parts.h"


#undef JUDGE_ROW
#define JUDGE_ROW  judge_training_row_t

const judge_value_t  judge_training_row_out[] = {
    JUDGE_TRAINING_VALUES, JUDGE_END
};


/* --- Before a job -------------------------------------------------------- */

/* Statement 0 counts the feedback, 1 says how fast jobs were. */

#undef JUDGE_OF
#define JUDGE_OF  judge_training_summary_t

const judge_op_spec_t  judge_op_training_summary = {
    .name = "training_summary",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT COUNT(*), COUNT(*) FILTER (WHERE type <> 'comment'),"
          " COUNT(*) FILTER (WHERE type = 'correction'),"
          " COUNT(*) FILTER (WHERE type = 'rating'), MIN(submitted_at),"
          " MAX(submitted_at), COUNT(*) FILTER (WHERE processed = 0),"
          " COUNT(DISTINCT CASE WHEN type <> 'comment' THEN evaluation_id"
          " END) FROM feedback WHERE org = ?1 AND judge_id = ?2"
          " AND submitted_at > ?3 AND (?4 IS NULL OR submitted_at <= ?4)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(judge_id),
              JUDGE_V(since), JUDGE_V_NULL(until)),
          .out = JUDGE_VALUES(JUDGE_V(total), JUDGE_V(usable),
              JUDGE_V(corrections), JUDGE_V(ratings), JUDGE_V(earliest),
              JUDGE_V(latest), JUDGE_V(pending), JUDGE_V(evaluations)) },
        { "SELECT SUM(completed_at - started_at), SUM(items) FROM ("
          "SELECT completed_at, started_at, items FROM training_jobs"
          " WHERE org = ?1 AND status = 'completed' AND items > 0"
          " ORDER BY id DESC LIMIT 20) AS ready",
          .in = JUDGE_VALUES(JUDGE_V(op.org)),
          .out = JUDGE_VALUES(JUDGE_V(spent), JUDGE_V(spent_on)) }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_training_create_t

static judge_step_e
judge_training_create_step(judge_run_t *run)
{
    judge_training_row_t  *row = &((judge_training_create_t *) run->op)->row;

    if (run->st == NULL && run->changes == 0) {
        run->op->rc = row->executed_at ? JUDGE_CONFLICT : JUDGE_NOT_FOUND;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_training_create = {
    .name = "training_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO training_jobs (org, id, judge_id, type, status,"
          " priority, queue_at, executed_at, executed_by, created_at,"
          " created_by, execution_id, allocation, max_duration, estimate,"
          " epochs, config, options, summary) SELECT ?1, ?2, ?3, ?4, ?5,"
          " ?6, ?7, ?7, CASE WHEN ?7 IS NULL THEN NULL ELSE ?9 END, ?8, ?9,"
          " ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17 FROM judges"
          " WHERE org = ?1 AND id = ?3 AND deleted_at IS NULL"
          " AND (?7 IS NULL OR NOT EXISTS (SELECT 1 FROM training_jobs t"
          " WHERE t.org = ?1 AND t.judge_id = ?3"
          " AND t.status IN ('queued', 'preparing')))",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(row.id),
              JUDGE_V(row.judge_id), JUDGE_V(row.type), JUDGE_V(row.status),
              JUDGE_V(row.priority), JUDGE_V_NULL(row.executed_at),
              JUDGE_V(row.created_at), JUDGE_V(row.created_by),
              JUDGE_V(row.execution_id), JUDGE_V(row.allocation),
              JUDGE_V_NULL(row.max_duration), JUDGE_V(row.estimate),
              JUDGE_V(row.epochs), JUDGE_V(row.config),
              JUDGE_V(row.options), JUDGE_V(row.summary)) }
    },
    .step = judge_training_create_step
};


/* --- Reading ------------------------------------------------------------- */

#undef JUDGE_ROW
#define JUDGE_ROW  judge_training_row_t

const judge_op_spec_t  judge_op_training_find = {
    .name = "training_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT " JUDGE_TRAINING_COLUMNS ", metrics, results"
          " FROM training_jobs WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_training_find_t),
          .out = JUDGE_VALUES(JUDGE_TRAINING_VALUES, JUDGE_R(metrics),
              JUDGE_R(results)),
          .row = offsetof(judge_training_find_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_training_course_t

#undef JUDGE_ROW
#define JUDGE_ROW  judge_training_epoch_t

static const judge_value_t  judge_training_course_out0[] = {
    JUDGE_R(epoch), JUDGE_R(training_loss),
    JUDGE_R_IF(validation_loss, validated), JUDGE_END
};

#undef JUDGE_ROW
#define JUDGE_ROW  judge_training_log_t

static const judge_value_t  judge_training_course_out1[] = {
    JUDGE_R(at), JUDGE_R(level), JUDGE_R(message), JUDGE_END
};


/* Statement 0 reads the epochs, 1 the logs. */

static judge_step_e
judge_training_course_step(judge_run_t *run)
{
    judge_training_course_t  *o = (judge_training_course_t *) run->op;

    if (run->st && !(run->step == 0 ? o->limit != 0 : o->with_logs)) {
        return JUDGE_STEP_SKIP;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_training_course = {
    .name = "training_course",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT epoch, training_loss, validation_loss FROM (SELECT *"
          " FROM training_epochs WHERE org = ?1 AND job_id = ?2"
          " ORDER BY epoch DESC LIMIT ?3) AS ready ORDER BY epoch",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(limit)),
          .out = judge_training_course_out0,
          .list = JUDGE_ROWS(judge_training_course_t, epochs, nepochs),
          .limit = offsetof(judge_training_course_t, limit) },
        { .engines[JUDGE_ENGINE_SQLITE] =
          "SELECT at, level, message FROM (SELECT rowid AS n, *"
          " FROM training_logs WHERE org = ?1 AND job_id = ?2"
          " ORDER BY rowid DESC LIMIT "
          JUDGE_SQL_NUMBER(JUDGE_TRAINING_LOGS) ") AS ready ORDER BY n",
          .in = JUDGE_BY_ID(judge_training_course_t),
          .out = judge_training_course_out1,
          .list = JUDGE_ROWS(judge_training_course_t, logs, nlogs),
          .most = JUDGE_TRAINING_LOGS }
    },
    .step = judge_training_course_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_training_list_t

const judge_op_spec_t  judge_op_training_list = {
    .name = "training_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_training_list_t, page),
    .statements = {
        { "SELECT " JUDGE_TRAINING_COLUMNS " FROM training_jobs"
          " WHERE org = ?1 AND id < coalesce(?2, '~')"
          " AND (?3 IS NULL OR judge_id = ?3)"
          " AND (?4 IS NULL OR status = ?4) ORDER BY id DESC LIMIT ?5",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(page.before),
              JUDGE_V(judge_id), JUDGE_V(status), JUDGE_V_MORE(page.limit)),
          .out = judge_training_row_out,
          .list = JUDGE_ROWS(judge_training_list_t, rows, count) }
    }
};


/* --- Changes from outside ------------------------------------------------ */

#undef JUDGE_OF
#define JUDGE_OF  judge_training_execute_t

/* Statement 0 queues it, 1 reads it, 2 looks at who goes first. */

static judge_step_e
judge_training_execute_step(judge_run_t *run)
{
    judge_training_execute_t  *o = (judge_training_execute_t *) run->op;

    if (run->step == 1) {
        o->changed = run->changes != 0;
    }

    if (run->st == NULL && !o->changed) {
        o->op.rc = JUDGE_CONFLICT;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_training_execute = {
    .name = "training_execute",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE training_jobs SET status = 'queued', queue_at = ?8,"
          " executed_at = ?8, executed_by = ?7, execution_id = ?6,"
          " seq = seq + 1,"
          " priority = CASE WHEN ?3 < 0 THEN priority ELSE ?3 END,"
          " allocation = COALESCE(?4, allocation),"
          " max_duration = COALESCE(?5, max_duration),"
          " options = COALESCE(?9, options)"
          " WHERE org = ?1 AND id = ?2 AND status = 'created'",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id),
              JUDGE_V(priority), JUDGE_V(allocation),
              JUDGE_V_NULL(max_duration), JUDGE_V(execution_id),
              JUDGE_V(executed_by), JUDGE_V(now), JUDGE_V(options)) },
        { "SELECT " JUDGE_TRAINING_COLUMNS " FROM training_jobs"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_training_execute_t),
          .out = judge_training_row_out,
          .row = offsetof(judge_training_execute_t, row),
          .unless_rows = JUDGE_NOT_FOUND },
        { "SELECT COUNT(org), SUM(estimate) FROM training_jobs"
          " WHERE queue_at IS NOT NULL AND (status <> 'queued'"
          " OR priority < ?1 OR (priority = ?1 AND executed_at < ?2))",
          .in = JUDGE_VALUES(JUDGE_V(row.priority), JUDGE_V(now)),
          .out = JUDGE_VALUES(JUDGE_V(ahead), JUDGE_V(ahead_ms)) }
    },
    .step = judge_training_execute_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_training_cancel_t

/* Who runs it notices that it does not hold it any more. */

static judge_step_e
judge_training_cancel_step(judge_run_t *run)
{
    judge_training_cancel_t  *o = (judge_training_cancel_t *) run->op;

    if (run->step == 1) {
        o->changed = run->changes != 0;
    }

    if (run->st == NULL && !o->changed) {
        o->op.rc = JUDGE_CONFLICT;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_training_cancel = {
    .name = "training_cancel",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE training_jobs SET status = 'cancelled', queue_at = NULL,"
          " owner = NULL, completed_at = ?4, error = ?3, seq = seq + 1"
          " WHERE org = ?1 AND id = ?2"
          " AND status NOT IN ('completed', 'failed', 'cancelled')",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(error),
              JUDGE_V(now)) },
        { "SELECT " JUDGE_TRAINING_COLUMNS " FROM training_jobs"
          " WHERE org = ?1 AND id = ?2",
          .in = JUDGE_BY_ID(judge_training_cancel_t),
          .out = judge_training_row_out,
          .row = offsetof(judge_training_cancel_t, row),
          .unless_rows = JUDGE_NOT_FOUND }
    },
    .step = judge_training_cancel_step
};
