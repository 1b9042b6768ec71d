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


static judge_step_e
judge_training_peek_bind(judge_run_t *run)
{
    judge_training_peek_t  *o = (judge_training_peek_t *) run->op;

    if (run->st == NULL) {
        o->pending = run->rows != 0;
        return JUDGE_STEP_END;
    }

    judge_bind_int(run, 1, o->now);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_training_peek = {
    .name = "training_peek",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT 1" JUDGE_TRAINING_READY " LIMIT 1" },
    .bind = judge_training_peek_bind
};


/* Statement 0 claims, 1 lets go of what is told no more. */

static judge_step_e
judge_training_claim_bind(judge_run_t *run)
{
    judge_training_claim_t  *o = (judge_training_claim_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 1) {
        judge_bind_int(run, 1, o->logs_before);
        return JUDGE_STEP_RUN;
    }

    judge_bind_int(run, 1, o->now);
    judge_bind_int(run, 2, o->lease_until);
    judge_bind_str(run, 3, o->owner);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_training_claim_read(judge_run_t *run)
{
    judge_training_claim_t  *o = (judge_training_claim_t *) run->op;

    judge_training_row_read(run, &o->row);
    o->claimed = true;

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_claim = {
    .name = "training_claim",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE training_jobs SET queue_at = ?2, owner = ?3,"
             " attempts = attempts + 1, seq = seq + 1,"
             " status = CASE WHEN status = 'queued' THEN 'preparing'"
             " ELSE status END, started_at = COALESCE(started_at, ?1)"
             " WHERE (org, id) IN (SELECT t.org, t.id" JUDGE_TRAINING_READY
             " ORDER BY t.priority, t.executed_at LIMIT 1)"
             " RETURNING " JUDGE_TRAINING_COLUMNS,
             "DELETE FROM training_logs WHERE at < ?1" },
    .bind = judge_training_claim_bind,
    .read = judge_training_claim_read
};


static judge_step_e
judge_training_checkpoint_bind(judge_run_t *run)
{
    judge_training_checkpoint_t  *o;

    o = (judge_training_checkpoint_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_training_checkpoint_read(judge_run_t *run)
{
    ((judge_training_checkpoint_t *) run->op)->state = judge_column_str(run,
                                                                        0);
    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_checkpoint = {
    .name = "training_checkpoint",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT state FROM training_checkpoints"
             " WHERE org = ?1 AND job_id = ?2" },
    .bind = judge_training_checkpoint_bind,
    .read = judge_training_checkpoint_read
};


/* --- On the way ---------------------------------------------------------- */

#define JUDGE_TRAINING_HELD                                                   \
    " WHERE org = ?1 AND id = ?2 AND owner = ?3"                              \
    " AND status IN ('preparing', 'training', 'validating')"

#define JUDGE_TRAINING_LOG                                                    \
    "INSERT INTO training_logs (org, job_id, at, level, message)"             \
    " VALUES (?1, ?2, ?3, ?4, ?5)"


static judge_step_e
judge_training_bind_log(judge_run_t *run, judge_str_t id,
    const judge_training_log_t *logs, size_t n)
{
    if (run->turn == n) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, run->op->org);
    judge_bind_str(run, 2, id);
    judge_bind_int(run, 3, logs[run->turn].at);
    judge_bind_str(run, 4, logs[run->turn].level);
    judge_bind_str(run, 5, logs[run->turn].message);

    return JUDGE_STEP_REPEAT;
}


static judge_step_e
judge_training_bind_progress(judge_run_t *run, judge_training_progress_t *o)
{
    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_str(run, 3, o->owner);
    judge_bind_int(run, 4, o->lease_until);
    judge_bind_str(run, 5, o->status);
    judge_bind_str(run, 6, o->phase);
    judge_bind_when(run, 7, o->base_version);
    judge_bind_when(run, 8, o->until);
    judge_bind_when(run, 9, o->items);
    judge_bind_int(run, 10, o->epoch);
    judge_bind_when(run, 11, o->epochs);
    judge_bind_double(run, 12, o->progress, true);
    judge_bind_int(run, 13, o->release);

    return JUDGE_STEP_RUN;
}


static judge_step_e
judge_training_bind_loss(judge_run_t *run, judge_training_progress_t *o)
{
    const judge_training_epoch_t  *loss;

    if (run->turn == o->nlosses) {
        return JUDGE_STEP_SKIP;
    }

    loss = &o->losses[run->turn];
    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_int(run, 3, loss->epoch);
    judge_bind_double(run, 4, loss->training_loss, true);
    judge_bind_double(run, 5, loss->validation_loss, loss->validated);

    return JUDGE_STEP_REPEAT;
}


/* Statement 0 holds on to it, 1 adds losses, 2 logs, 3 the checkpoint. */

static judge_step_e
judge_training_progress_bind(judge_run_t *run)
{
    judge_training_progress_t  *o = (judge_training_progress_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 0) {
        return judge_training_bind_progress(run, o);
    }

    if (run->step == 1) {
        if (run->turn == 0 && run->changes == 0) {
            o->op.rc = JUDGE_CONFLICT;
            return JUDGE_STEP_END;
        }
        return judge_training_bind_loss(run, o);
    }

    if (run->step == 2) {
        return judge_training_bind_log(run, o->id, o->logs, o->nlogs);
    }

    if (o->state.data == NULL) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);
    judge_bind_blob(run, 3, o->state);

    return JUDGE_STEP_RUN;
}


const judge_op_spec_t  judge_op_training_progress = {
    .name = "training_progress",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE training_jobs SET queue_at = ?4,"
             " owner = CASE WHEN ?13 THEN NULL ELSE owner END,"
             " attempts = attempts - ?13,"
             " seq = seq + 1, status = COALESCE(?5, status),"
             " phase = COALESCE(?6, phase),"
             " base_version = COALESCE(?7, base_version),"
             " until = COALESCE(?8, until), items = COALESCE(?9, items),"
             " epoch = CASE WHEN ?10 < 0 THEN epoch ELSE ?10 END,"
             " epochs = COALESCE(?11, epochs),"
             " progress = CASE WHEN ?12 < 0 THEN progress ELSE ?12 END"
             JUDGE_TRAINING_HELD,
             "INSERT INTO training_epochs (org, job_id, epoch, training_loss,"
             " validation_loss) VALUES (?1, ?2, ?3, ?4, ?5)"
             " ON CONFLICT (org, job_id, epoch) DO UPDATE SET"
             " training_loss = excluded.training_loss,"
             " validation_loss = excluded.validation_loss",
             JUDGE_TRAINING_LOG,
             "INSERT INTO training_checkpoints (org, job_id, state)"
             " VALUES (?1, ?2, ?3) ON CONFLICT (org, job_id)"
             " DO UPDATE SET state = excluded.state" },
    .bind = judge_training_progress_bind
};


/* --- The end ------------------------------------------------------------- */

/* Statement 0 takes the judge's next number, 1 to 3 make the version, 4 ends
 * the job, 5 logs, 6 removes the checkpoint. */

static judge_step_e
judge_training_finish_bind_version(judge_run_t *run,
    judge_training_finish_t *o)
{
    if (o->model.data == NULL) {
        return JUDGE_STEP_SKIP;
    }

    if (run->step == 1 && o->version == 0) {
        o->op.rc = JUDGE_STALE;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->judge_id);
    judge_bind_int(run, 3, o->base_version);
    judge_bind_int(run, 4, run->step == 0 ? o->deploy : o->version);

    switch (run->step) {
    case 0:
        judge_bind_int(run, 5, o->now);
        break;

    case 1:
        judge_bind_int(run, 5, o->now);
        judge_bind_str(run, 6, o->changes_summary);
        break;

    case 3:
        judge_bind_int(run, 5, o->now);
        judge_bind_str(run, 6, o->id);
        judge_bind_int(run, 7, o->trained_until);
        judge_bind_int(run, 8, o->items);
        judge_bind_blob(run, 9, o->model);
        judge_bind_int(run, 10, (int64_t) o->inputs);
        break;
    }

    return JUDGE_STEP_RUN;
}


static judge_step_e
judge_training_finish_bind(judge_run_t *run)
{
    judge_training_finish_t  *o = (judge_training_finish_t *) run->op;

    if (run->st == NULL) {
        if (o->version
            && judge_event_tell(run->op, JUDGE_EVENT_JUDGE_VERSION_CREATED,
                                o->op.org, o->judge_id)
               == NULL)
        {
            o->op.rc = JUDGE_NOMEM;
        }
        return JUDGE_STEP_END;
    }

    if (run->step < 4) {
        return judge_training_finish_bind_version(run, o);
    }

    if (run->step == 5) {
        if (run->turn == 0 && run->changes == 0) {
            o->op.rc = JUDGE_CONFLICT;
            return JUDGE_STEP_END;
        }
        return judge_training_bind_log(run, o->id, o->logs, o->nlogs);
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->id);

    if (run->step == 4) {
        judge_bind_str(run, 3, o->owner);
        judge_bind_str(run, 4, o->status);
        judge_bind_int(run, 5, o->now);
        judge_bind_str(run, 6, o->metrics);
        judge_bind_str(run, 7, o->results);
        judge_bind_str(run, 8, o->error);
        judge_bind_when(run, 9, o->version);
        judge_bind_int(run, 10, o->version && o->deploy);
        judge_bind_when(run, 11, o->items);
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_training_finish_read(judge_run_t *run)
{
    ((judge_training_finish_t *) run->op)->version = judge_column_int(run, 0);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_training_finish = {
    .name = "training_finish",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE judges SET latest = latest + 1, updated_at = ?5,"
             " version = CASE WHEN ?4 THEN latest + 1 ELSE version END"
             " WHERE org = ?1 AND id = ?2 AND version = ?3"
             " AND deleted_at IS NULL RETURNING latest",
             "INSERT INTO judge_versions (org, judge_id, version, created_at,"
             " criteria_count, name, changes_summary, description, criteria,"
             " reference_uris, model, samples) SELECT org, judge_id, ?4, ?5,"
             " criteria_count, name, ?6, description, criteria,"
             " reference_uris, model, samples"
             " FROM judge_versions"
             " WHERE org = ?1 AND judge_id = ?2 AND version = ?3",
             "INSERT INTO judge_references (org, judge_id, version, position,"
             " reference_id) SELECT org, judge_id, ?4, position, reference_id"
             " FROM judge_references"
             " WHERE org = ?1 AND judge_id = ?2 AND version = ?3",
             "INSERT INTO judge_calibrators (org, judge_id, version, job_id,"
             " created_at, trained_until, items, inputs, model)"
             " SELECT ?1, ?2, ?4, ?6, ?5, ?7, ?8, ?10, ?9 WHERE ?3 > 0",
             "UPDATE training_jobs SET status = ?4, completed_at = ?5,"
             " queue_at = NULL, owner = NULL, seq = seq + 1, metrics = ?6,"
             " results = ?7, error = ?8, new_version = ?9, deployed = ?10,"
             " items = COALESCE(?11, items),"
             " phase = CASE WHEN ?4 = 'completed' THEN ?4 ELSE phase END,"
             " progress = CASE WHEN ?4 = 'completed' THEN 1 ELSE progress END"
             JUDGE_TRAINING_HELD,
             JUDGE_TRAINING_LOG,
             "DELETE FROM training_checkpoints"
             " WHERE org = ?1 AND job_id = ?2" },
    .bind = judge_training_finish_bind,
    .read = judge_training_finish_read
};


/* --- What is learned from ------------------------------------------------ */

static judge_step_e
judge_measured_list_bind(judge_run_t *run)
{
    judge_measured_list_t  *o = (judge_measured_list_t *) run->op;

    if (run->st == NULL || run->turn == o->count) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->rows[run->turn].id);
    judge_bind_int(run, 3, o->max_text);

    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_measured_list_read(judge_run_t *run)
{
    judge_measured_t       *row;
    judge_measured_list_t  *o = (judge_measured_list_t *) run->op;

    row = &o->rows[run->turn];
    row->body = judge_column_str(run, 0);
    row->features = judge_column_str(run, 1);
    row->name = judge_column_str(run, 2);
    row->metadata = judge_column_str(run, 3);
    row->text = judge_column_str(run, 4);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_measured_list = {
    .name = "measured_list",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT r.body, r.features, c.name, c.metadata,"
             " CASE WHEN ?3 > 0 THEN substr(CAST(c.text_content AS BLOB), 1,"
             " ?3) END"
             " FROM evaluations e JOIN results r ON r.org = e.org"
             " AND r.evaluation_id = e.id"
             " LEFT JOIN contents c ON c.org = e.org"
             " AND c.id = e.content_id WHERE e.org = ?1 AND e.id = ?2"
             " AND e.status = 'completed'" },
    .bind = judge_measured_list_bind,
    .read = judge_measured_list_read
};


static judge_step_e
judge_reason_list_bind(judge_run_t *run)
{
    judge_reason_list_t  *o = (judge_reason_list_t *) run->op;

    if (run->st == NULL || run->turn == o->count) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->rows[run->turn].id);

    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_reason_list_read(judge_run_t *run)
{
    judge_reason_t       *row;
    judge_reason_list_t  *o = (judge_reason_list_t *) run->op;

    row = &o->rows[run->turn];
    row->content_id = judge_column_str(run, 0);
    row->said = judge_column_str(run, 1);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_reason_list = {
    .name = "reason_list",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT e.content_id, (SELECT f.content FROM feedback f"
             " WHERE f.org = ?1 AND f.evaluation_id = ?2"
             " AND f.type IN ('correction', 'rating', 'approval')"
             " AND (f.content LIKE '%\"explanation\"%'"
             " OR f.content LIKE '%\"comment\"%')"
             " ORDER BY f.submitted_at DESC, f.id DESC LIMIT 1)"
             " FROM evaluations e WHERE e.org = ?1 AND e.id = ?2" },
    .bind = judge_reason_list_bind,
    .read = judge_reason_list_read
};


static judge_step_e
judge_example_start_bind(judge_run_t *run)
{
    judge_example_start_t  *o = (judge_example_start_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->judge_id);
    judge_bind_int(run, 3, o->newest);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_example_start_read(judge_run_t *run)
{
    ((judge_example_start_t *) run->op)->id = judge_column_str(run, 0);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_lesson_start = {
    .name = "lesson_start",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT DISTINCT evaluation_id FROM examples"
             " WHERE org = ?1 AND judge_id = ?2"
             " ORDER BY evaluation_id DESC LIMIT 1 OFFSET ?3" },
    .bind = judge_example_start_bind,
    .read = judge_example_start_read
};


/* --- Models -------------------------------------------------------------- */

static judge_step_e
judge_calibrator_find_bind(judge_run_t *run)
{
    judge_calibrator_find_t  *o = (judge_calibrator_find_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = run->rows ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->judge_id);
    judge_bind_int(run, 3, o->version);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_calibrator_find_read(judge_run_t *run)
{
    judge_calibrator_find_t  *o = (judge_calibrator_find_t *) run->op;

    o->job_id = judge_column_str(run, 0);
    o->created_at = judge_column_int(run, 1);
    o->trained_until = judge_column_int(run, 2);
    o->items = judge_column_int(run, 3);
    o->inputs = (uint64_t) judge_column_int(run, 4);
    o->model = judge_column_str(run, 5);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_trained_find = {
    .name = "trained_find",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT job_id, created_at, trained_until, items, inputs, model"
             " FROM judge_calibrators"
             " WHERE org = ?1 AND judge_id = ?2 AND version = ?3" },
    .bind = judge_calibrator_find_bind,
    .read = judge_calibrator_find_read
};
