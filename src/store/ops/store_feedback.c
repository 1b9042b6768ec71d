/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Feedback: what it speaks about, storing it, reading it. */


#include "store/ops/store_ops.h"
#include "store/store_feedback.h"


/* --- What it speaks about ------------------------------------------------ */

#undef JUDGE_OF
#define JUDGE_OF  judge_feedback_targets_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_feedback_target_t

/* The body is not copied: it is read where the engine has it. */

static judge_rc_e
judge_feedback_targets_read(judge_run_t *run)
{
    judge_str_t                body;
    judge_feedback_target_t   *target = run->row;
    judge_feedback_targets_t  *o = (judge_feedback_targets_t *) run->op;

    target->found = true;

    if (o->op.rc != JUDGE_OK || judge_column_null(run, 4)) {
        return o->op.rc;
    }

    body = judge_column_view(run, 4);

    return body.len ? o->take(o, target, body) : JUDGE_NOMEM;
}


const judge_op_spec_t  judge_op_feedback_targets = {
    .name = "feedback_targets",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT e.status, e.judge_id, e.judge_version, e.evaluated_at,"
          " r.body FROM evaluations e LEFT JOIN results r"
          " ON r.org = e.org AND r.evaluation_id = e.id"
          " WHERE e.org = ?1 AND e.id = ?2"
          " AND (?3 IS NULL OR e.batch_id = ?3)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_R(id),
              JUDGE_V(batch_id)),
          .out = JUDGE_VALUES(JUDGE_R(status), JUDGE_R(judge_id),
              JUDGE_R(judge_version), JUDGE_R(evaluated_at)),
          .each = JUDGE_ROWS(judge_feedback_targets_t, targets, count) }
    },
    .read = judge_feedback_targets_read
};


/* --- Storing ------------------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_feedback_create_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_feedback_row_t

static judge_step_e
judge_feedback_create_step(judge_run_t *run)
{
    judge_feedback_create_t  *o = (judge_feedback_create_t *) run->op;

    return run->step == 0 && o->session.id.data == NULL
           ? JUDGE_STEP_SKIP : judge_run_next(run);
}


const judge_op_spec_t  judge_op_feedback_create = {
    .name = "feedback_create",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "INSERT INTO feedback_sessions (org, id, batch_id, submitted_by,"
          " submitted_at, accepted, rejected, retrain, notify_email,"
          " notify_url) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(session.id),
              JUDGE_V(session.batch_id), JUDGE_V(submitted_by),
              JUDGE_V(now), JUDGE_V(count), JUDGE_V(session.rejected),
              JUDGE_V(session.retrain), JUDGE_V(session.notify_email),
              JUDGE_V(session.notify_url)) },
        { "INSERT INTO feedback (org, id, evaluation_id, judge_id,"
          " judge_version, content_id, batch_id, session_id, type,"
          " criterion_specific, severity, rating, approved, submitted_by,"
          " submitted_at, queue_at, target_criteria, given_scores,"
          " content) SELECT org, ?2, id, judge_id, judge_version,"
          " content_id, batch_id, ?4, ?5, ?6, ?7, ?8, CAST(?9 AS BIGINT),"
          " ?10, ?11, ?11, ?12, ?13, ?14 FROM evaluations"
          " WHERE org = ?1 AND id = ?3 AND status = 'completed'",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_R(id),
              JUDGE_R(evaluation_id), JUDGE_V(session.id), JUDGE_R(type),
              JUDGE_R(criterion_specific), JUDGE_R(severity),
              JUDGE_R_IF(rating, rated), JUDGE_R_IF(approved, decided),
              JUDGE_V(submitted_by), JUDGE_V(now), JUDGE_R(target_criteria),
              JUDGE_R(given_scores), JUDGE_R(content)),
          .each = JUDGE_ROWS(judge_feedback_create_t, rows, count),
          .unless_changed = JUDGE_NOT_FOUND }
    },
    .step = judge_feedback_create_step
};


/* --- Reading ------------------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_feedback_list_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_feedback_row_t

const judge_op_spec_t  judge_op_feedback_list = {
    .name = "feedback_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_feedback_list_t, page),
    .statements = {
        { "SELECT COUNT(*), COUNT(*) FILTER (WHERE type = 'correction'),"
          " COUNT(*) FILTER (WHERE approved = 1),"
          " COUNT(*) FILTER (WHERE approved = 0),"
          " COUNT(*) FILTER (WHERE type = 'comment'), COUNT(rating),"
          " SUM(rating) FROM feedback"
          " WHERE org = ?1 AND evaluation_id = ?2",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(evaluation_id)),
          .out = JUDGE_VALUES(JUDGE_V(total), JUDGE_V(corrections),
              JUDGE_V(approvals), JUDGE_V(rejections), JUDGE_V(comments),
              JUDGE_V(ratings), JUDGE_V(rating_sum)) },
        { "SELECT id, type, criterion_specific, severity, submitted_by,"
          " submitted_at, processed, processing_notes, target_criteria,"
          " content FROM feedback WHERE org = ?1 AND evaluation_id = ?2"
          " AND id < coalesce(?3, '~') AND (?4 IS NULL OR type = ?4)"
          " ORDER BY id DESC LIMIT ?5",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(evaluation_id),
              JUDGE_V(page.before), JUDGE_V(type), JUDGE_V_MORE(page.limit)),
          .out = JUDGE_VALUES(JUDGE_R(id), JUDGE_R(type),
              JUDGE_R(criterion_specific), JUDGE_R(severity),
              JUDGE_R(submitted_by), JUDGE_R(submitted_at),
              JUDGE_R(processed), JUDGE_R(processing_notes),
              JUDGE_R(target_criteria), JUDGE_R(content)),
          .list = JUDGE_ROWS(judge_feedback_list_t, rows, count) }
    }
};
