/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Training jobs, seen by who works on them. */


#include "store/ops/store_training_parts.h"
#include "store/store_webhook.h"


/* A judge learns one thing after the other: a job waits for another one of
 * the same judge, unless whoever had that has died. */
#define JUDGE_TRAINING_READY                                                  \
    " FROM training_jobs t WHERE t.queue_at <= ?1 AND NOT EXISTS (SELECT 1"   \
    " FROM training_jobs a WHERE a.org = t.org AND a.judge_id = t.judge_id"   \
    " AND a.id <> t.id AND a.status IN ('preparing', 'training',"             \
    " 'validating') AND a.queue_at > ?1)"


#undef JUDGE_OF
#define JUDGE_OF  judge_training_peek_t

const judge_op_spec_t  judge_op_training_peek = {
    .name = "training_peek",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT EXISTS (SELECT 1" JUDGE_TRAINING_READY ")",
          .in = JUDGE_VALUES(JUDGE_V(now)),
          .out = JUDGE_VALUES(JUDGE_V(pending)) }
    }
};


/* Statement 0 claims, 1 deletes old logs. */

#undef JUDGE_OF
#define JUDGE_OF  judge_training_claim_t

static judge_rc_e
judge_training_claim_read(judge_run_t *run)
{
    ((judge_training_claim_t *) run->op)->claimed = true;

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_claim = {
    .name = "training_claim",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE training_jobs SET queue_at = ?2, owner = ?3,"
          " attempts = attempts + 1, seq = seq + 1,"
          " status = CASE WHEN status = 'queued' THEN 'preparing'"
          " ELSE status END, started_at = COALESCE(started_at, ?1)"
          " WHERE (org, id) IN (SELECT t.org, t.id" JUDGE_TRAINING_READY
          " ORDER BY t.priority, t.executed_at LIMIT 1)"
          " RETURNING " JUDGE_TRAINING_COLUMNS,
          .in = JUDGE_VALUES(JUDGE_V(now), JUDGE_V(lease_until),
              JUDGE_V(owner)),
          .out = judge_training_row_out,
          .row = offsetof(judge_training_claim_t, row) },
        { "DELETE FROM training_logs WHERE at < ?1",
          .in = JUDGE_VALUES(JUDGE_V(logs_before)) }
    },
    .read = judge_training_claim_read
};


#undef JUDGE_OF
#define JUDGE_OF  judge_training_checkpoint_t

const judge_op_spec_t  judge_op_training_checkpoint = {
    .name = "training_checkpoint",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT state FROM training_checkpoints"
          " WHERE org = ?1 AND job_id = ?2",
          .in = JUDGE_BY_ID(judge_training_checkpoint_t),
          .out = JUDGE_VALUES(JUDGE_V(state)) }
    }
};


/* --- On the way ---------------------------------------------------------- */

#define JUDGE_TRAINING_HELD                                                   \
    " WHERE org = ?1 AND id = ?2 AND owner = ?3"                              \
    " AND status IN ('preparing', 'training', 'validating')"

#define JUDGE_TRAINING_LOG                                                    \
    "INSERT INTO training_logs (org, job_id, at, level, message)"             \
    " VALUES (?1, ?2, ?3, ?4, ?5)"


#undef JUDGE_OF
#define JUDGE_OF  judge_training_progress_t

#undef JUDGE_ROW
#define JUDGE_ROW  judge_training_epoch_t

static const judge_value_t  judge_training_progress_in1[] = {
    JUDGE_V(op.org), JUDGE_V(id), JUDGE_R(epoch), JUDGE_R(training_loss),
    JUDGE_R_IF(validation_loss, validated), JUDGE_END
};

#undef JUDGE_ROW
#define JUDGE_ROW  judge_training_log_t

static const judge_value_t  judge_training_progress_in2[] = {
    JUDGE_V(op.org), JUDGE_V(id), JUDGE_R(at), JUDGE_R(level),
    JUDGE_R(message), JUDGE_END
};


/* Statement 0 holds on to it, 1 adds losses, 2 logs, 3 the checkpoint. */

static judge_step_e
judge_training_progress_step(judge_run_t *run)
{
    judge_training_progress_t  *o = (judge_training_progress_t *) run->op;

    return run->step == 3 && o->state.data == NULL ? JUDGE_STEP_SKIP
                                                   : judge_run_next(run);
}


const judge_op_spec_t  judge_op_training_progress = {
    .name = "training_progress",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE training_jobs SET queue_at = ?4,"
          " owner = CASE WHEN ?13 = 1 THEN NULL ELSE owner END,"
          " attempts = attempts - ?13,"
          " seq = seq + 1, status = COALESCE(?5, status),"
          " phase = COALESCE(?6, phase),"
          " base_version = COALESCE(?7, base_version),"
          " until = COALESCE(?8, until), items = COALESCE(?9, items),"
          " epoch = CASE WHEN ?10 < 0 THEN epoch ELSE ?10 END,"
          " epochs = COALESCE(?11, epochs),"
          " progress = CASE WHEN ?12 < 0 THEN progress ELSE ?12 END"
          JUDGE_TRAINING_HELD,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(owner),
              JUDGE_V(lease_until), JUDGE_V(status), JUDGE_V(phase),
              JUDGE_V_NULL(base_version), JUDGE_V_NULL(until),
              JUDGE_V_NULL(items), JUDGE_V(epoch), JUDGE_V_NULL(epochs),
              JUDGE_V(progress), JUDGE_V(release)),
          .unless_changed = JUDGE_CONFLICT },
        { "INSERT INTO training_epochs (org, job_id, epoch, training_loss,"
          " validation_loss) VALUES (?1, ?2, ?3, ?4, ?5)"
          " ON CONFLICT (org, job_id, epoch) DO UPDATE SET"
          " training_loss = excluded.training_loss,"
          " validation_loss = excluded.validation_loss",
          .in = judge_training_progress_in1,
          .each = JUDGE_ROWS(judge_training_progress_t, losses, nlosses) },
        { JUDGE_TRAINING_LOG,
          .in = judge_training_progress_in2,
          .each = JUDGE_ROWS(judge_training_progress_t, logs, nlogs) },
        { "INSERT INTO training_checkpoints (org, job_id, state)"
          " VALUES (?1, ?2, ?3) ON CONFLICT (org, job_id)"
          " DO UPDATE SET state = excluded.state",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id),
              JUDGE_V_BLOB(state)) }
    },
    .step = judge_training_progress_step
};


/* --- The end ------------------------------------------------------------- */


#undef JUDGE_OF
#define JUDGE_OF  judge_training_finish_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_training_log_t

static judge_step_e
judge_training_finish_step(judge_run_t *run)
{
    judge_training_finish_t  *o = (judge_training_finish_t *) run->op;

    if (run->st && run->step < 4 && o->model.data == NULL) {
        return JUDGE_STEP_SKIP;
    }

    if (run->st == NULL && o->version
        && judge_event_add(run->op, JUDGE_EVENT_JUDGE_VERSION_CREATED,
                           o->op.org, o->judge_id)
           == NULL)
    {
        o->op.rc = JUDGE_NOMEM;
    }

    return judge_run_next(run);
}


const judge_op_spec_t  judge_op_training_finish = {
    .name = "training_finish",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE judges SET latest = latest + 1, updated_at = ?5,"
          " version = CASE WHEN ?4 = 1 THEN latest + 1 ELSE version END"
          " WHERE org = ?1 AND id = ?2 AND version = ?3"
          " AND deleted_at IS NULL RETURNING latest",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(judge_id),
              JUDGE_V(base_version), JUDGE_V(deploy), JUDGE_V(now)),
          .out = JUDGE_VALUES(JUDGE_V(version)), .unless_rows = JUDGE_STALE },
        { "INSERT INTO judge_versions (org, judge_id, version, created_at,"
          " criteria_count, name, changes_summary, description, criteria,"
          " reference_uris, model, samples) SELECT org, judge_id, ?4, ?5,"
          " criteria_count, name, ?6, description, criteria,"
          " reference_uris, model, samples"
          " FROM judge_versions"
          " WHERE org = ?1 AND judge_id = ?2 AND version = ?3",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(judge_id),
              JUDGE_V(base_version), JUDGE_V(version), JUDGE_V(now),
              JUDGE_V(changes_summary)) },
        { "INSERT INTO judge_references (org, judge_id, version, position,"
          " reference_id) SELECT org, judge_id, ?4, position, reference_id"
          " FROM judge_references"
          " WHERE org = ?1 AND judge_id = ?2 AND version = ?3",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(judge_id),
              JUDGE_V(base_version), JUDGE_V(version)) },
        { "INSERT INTO judge_calibrators (org, judge_id, version, job_id,"
          " created_at, trained_until, items, inputs, model)"
          " SELECT ?1, ?2, ?4, ?6, ?5, ?7, ?8, ?10, ?9 WHERE ?3 > 0",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(judge_id),
              JUDGE_V(base_version), JUDGE_V(version), JUDGE_V(now),
              JUDGE_V(id), JUDGE_V(trained_until), JUDGE_V(items),
              JUDGE_V_BLOB(model), JUDGE_V(inputs)) },
        { "UPDATE training_jobs SET status = ?4, completed_at = ?5,"
          " queue_at = NULL, owner = NULL, seq = seq + 1, metrics = ?6,"
          " results = ?7, error = ?8, new_version = ?9,"
          " deployed = CASE WHEN ?9 IS NULL THEN 0 ELSE ?10 END,"
          " items = COALESCE(?11, items),"
          " phase = CASE WHEN ?4 = 'completed' THEN ?4 ELSE phase END,"
          " progress = CASE WHEN ?4 = 'completed' THEN 1 ELSE progress END"
          JUDGE_TRAINING_HELD,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_V(owner),
              JUDGE_V(status), JUDGE_V(now), JUDGE_V(metrics),
              JUDGE_V(results), JUDGE_V(error), JUDGE_V_NULL(version),
              JUDGE_V(deploy), JUDGE_V_NULL(items)),
          .unless_changed = JUDGE_CONFLICT },
        { JUDGE_TRAINING_LOG,
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(id), JUDGE_R(at),
              JUDGE_R(level), JUDGE_R(message)),
          .each = JUDGE_ROWS(judge_training_finish_t, logs, nlogs) },
        { "DELETE FROM training_checkpoints"
          " WHERE org = ?1 AND job_id = ?2",
          .in = JUDGE_BY_ID(judge_training_finish_t) }
    },
    .step = judge_training_finish_step
};


/* --- What is learned from ------------------------------------------------ */

#undef JUDGE_OF
#define JUDGE_OF  judge_measured_list_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_measured_t

const judge_op_spec_t  judge_op_measured_list = {
    .name = "measured_list",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT r.body, r.features, c.name, c.metadata,"
          " CASE WHEN ?3 > 0 THEN substr(CAST(c.text_content AS BLOB), 1,"
          " ?3) END"
          " FROM evaluations e JOIN results r ON r.org = e.org"
          " AND r.evaluation_id = e.id"
          " LEFT JOIN contents c ON c.org = e.org"
          " AND c.id = e.content_id WHERE e.org = ?1 AND e.id = ?2"
          " AND e.status = 'completed'",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_R(id),
              JUDGE_V(max_text)),
          .out = JUDGE_VALUES(JUDGE_R(body), JUDGE_R(features),
              JUDGE_R(name), JUDGE_R(metadata), JUDGE_R(text)),
          .each = JUDGE_ROWS(judge_measured_list_t, rows, count) }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_reason_list_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_reason_t

const judge_op_spec_t  judge_op_reason_list = {
    .name = "reason_list",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT e.content_id, (SELECT f.content FROM feedback f"
          " WHERE f.org = ?1 AND f.evaluation_id = ?2"
          " AND f.type IN ('correction', 'rating', 'approval')"
          " AND (f.content LIKE '%\"explanation\"%'"
          " OR f.content LIKE '%\"comment\"%')"
          " ORDER BY f.submitted_at DESC, f.id DESC LIMIT 1)"
          " FROM evaluations e WHERE e.org = ?1 AND e.id = ?2",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_R(id)),
          .out = JUDGE_VALUES(JUDGE_R(content_id), JUDGE_R(said)),
          .each = JUDGE_ROWS(judge_reason_list_t, rows, count) }
    }
};


#undef JUDGE_OF
#define JUDGE_OF  judge_example_start_t

const judge_op_spec_t  judge_op_example_start = {
    .name = "example_start",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT DISTINCT evaluation_id FROM examples"
          " WHERE org = ?1 AND judge_id = ?2"
          " ORDER BY evaluation_id DESC LIMIT 1 OFFSET ?3",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(judge_id),
              JUDGE_V(newest)),
          .out = JUDGE_VALUES(JUDGE_V(id)) }
    }
};


/* --- Models -------------------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_calibrator_find_t

const judge_op_spec_t  judge_op_calibrator_find = {
    .name = "calibrator_find",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT job_id, created_at, trained_until, items, inputs, model"
          " FROM judge_calibrators"
          " WHERE org = ?1 AND judge_id = ?2 AND version = ?3",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(judge_id),
              JUDGE_V(version)),
          .out = JUDGE_VALUES(JUDGE_V(job_id), JUDGE_V(created_at),
              JUDGE_V(trained_until), JUDGE_V(items), JUDGE_V(inputs),
              JUDGE_V(model)),
          .unless_rows = JUDGE_NOT_FOUND }
    }
};
