/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Feedback: what it speaks about, storing it, reading it. */


#include "store/ops/store_ops.h"
#include "store/store_feedback.h"


/* --- What it speaks about ------------------------------------------------ */

static judge_step_e
judge_feedback_targets_bind(judge_run_t *run)
{
    judge_feedback_targets_t  *o = (judge_feedback_targets_t *) run->op;

    if (run->st == NULL || run->turn == o->count) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->targets[run->turn].id);
    judge_bind_str(run, 3, o->batch_id);

    return JUDGE_STEP_REPEAT;
}


/* The body is not copied: it is read where the engine has it. */

static judge_rc_e
judge_feedback_targets_read(judge_run_t *run)
{
    judge_str_t                body;
    judge_feedback_target_t   *target;
    judge_feedback_targets_t  *o = (judge_feedback_targets_t *) run->op;

    target = &o->targets[run->turn];
    target->found = true;
    target->status = judge_column_str(run, 0);
    target->judge_id = judge_column_str(run, 1);
    target->judge_version = judge_column_int(run, 2);
    target->evaluated_at = judge_column_int(run, 3);

    if (o->op.rc != JUDGE_OK || judge_column_null(run, 4)) {
        return o->op.rc;
    }

    body = judge_column_view(run, 4);

    return body.len ? o->take(o, target, body) : JUDGE_NOMEM;
}


const judge_op_spec_t  judge_op_feedback_targets = {
    .name = "feedback_targets",
    .place = JUDGE_OP_BULK,
    .sql = { "SELECT e.status, e.judge_id, e.judge_version, e.evaluated_at,"
             " r.body FROM evaluations e LEFT JOIN results r"
             " ON r.org = e.org AND r.evaluation_id = e.id"
             " WHERE e.org = ?1 AND e.id = ?2"
             " AND (?3 IS NULL OR e.batch_id = ?3)" },
    .bind = judge_feedback_targets_bind,
    .read = judge_feedback_targets_read
};


/* --- Storing ------------------------------------------------------------- */

static judge_step_e
judge_feedback_bind_session(judge_run_t *run, judge_feedback_create_t *o)
{
    const judge_feedback_session_t  *session = &o->session;

    if (session->id.data == NULL) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, session->id);
    judge_bind_str(run, 3, session->batch_id);
    judge_bind_str(run, 4, o->submitted_by);
    judge_bind_int(run, 5, o->now);
    judge_bind_int(run, 6, (int64_t) o->count);
    judge_bind_int(run, 7, session->rejected);
    judge_bind_int(run, 8, session->retrain);
    judge_bind_int(run, 9, session->notify_email);
    judge_bind_str(run, 10, session->notify_url);

    return JUDGE_STEP_RUN;
}


static void
judge_feedback_bind_row(judge_run_t *run, judge_feedback_create_t *o,
    const judge_feedback_row_t *row)
{
    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, row->id);
    judge_bind_str(run, 3, row->evaluation_id);
    judge_bind_str(run, 4, o->session.id);
    judge_bind_str(run, 5, row->type);
    judge_bind_int(run, 6, row->criterion_specific);
    judge_bind_str(run, 7, row->severity);
    judge_bind_double(run, 8, row->rating, row->rated);
    judge_bind_double(run, 9, row->approved, row->decided);
    judge_bind_str(run, 10, o->submitted_by);
    judge_bind_int(run, 11, o->now);
    judge_bind_str(run, 12, row->target_criteria);
    judge_bind_str(run, 13, row->given_scores);
    judge_bind_str(run, 14, row->content);
}


static judge_step_e
judge_feedback_create_bind(judge_run_t *run)
{
    judge_feedback_create_t  *o = (judge_feedback_create_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    if (run->step == 0) {
        return judge_feedback_bind_session(run, o);
    }

    if (run->turn && run->changes == 0) {
        o->op.rc = JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    if (run->turn == o->count) {
        return JUDGE_STEP_END;
    }

    judge_feedback_bind_row(run, o, &o->rows[run->turn]);

    return JUDGE_STEP_REPEAT;
}


const judge_op_spec_t  judge_op_feedback_create = {
    .name = "feedback_create",
    .place = JUDGE_OP_WRITE,
    .sql = { "INSERT INTO feedback_sessions (org, id, batch_id, submitted_by,"
             " submitted_at, accepted, rejected, retrain, notify_email,"
             " notify_url) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
             "INSERT INTO feedback (org, id, evaluation_id, judge_id,"
             " judge_version, content_id, batch_id, session_id, type,"
             " criterion_specific, severity, rating, approved, submitted_by,"
             " submitted_at, queue_at, target_criteria, given_scores,"
             " content) SELECT org, ?2, id, judge_id, judge_version,"
             " content_id, batch_id, ?4, ?5, ?6, ?7, ?8, CAST(?9 AS BIGINT),"
             " ?10, ?11, ?11, ?12, ?13, ?14 FROM evaluations"
             " WHERE org = ?1 AND id = ?3 AND status = 'completed'" },
    .bind = judge_feedback_create_bind
};


/* --- Reading ------------------------------------------------------------- */

static judge_step_e
judge_feedback_list_bind(judge_run_t *run)
{
    judge_feedback_list_t  *o = (judge_feedback_list_t *) run->op;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->evaluation_id);

    if (run->step == 1) {
        judge_bind_str(run, 3, o->page.before);
        judge_bind_str(run, 4, o->type);
        judge_bind_int(run, 5, o->page.limit + 1);
    }

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_feedback_list_read_summary(judge_run_t *run, judge_feedback_list_t *o)
{
    o->total = judge_column_int(run, 0);
    o->corrections = judge_column_int(run, 1);
    o->approvals = judge_column_int(run, 2);
    o->rejections = judge_column_int(run, 3);
    o->comments = judge_column_int(run, 4);
    o->ratings = judge_column_int(run, 5);
    o->rating_sum = judge_column_double(run, 6);

    return JUDGE_OK;
}


static judge_rc_e
judge_feedback_list_read(judge_run_t *run)
{
    judge_feedback_row_t   *row;
    judge_feedback_list_t  *o = (judge_feedback_list_t *) run->op;

    if (run->step == 0) {
        return judge_feedback_list_read_summary(run, o);
    }

    o->rows = judge_row_room(run, o->rows, (size_t) o->page.limit,
                             sizeof(judge_feedback_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    row = &o->rows[o->count++];
    row->id = judge_column_str(run, 0);
    row->type = judge_column_str(run, 1);
    row->criterion_specific = judge_column_int(run, 2);
    row->severity = judge_column_str(run, 3);
    row->submitted_by = judge_column_str(run, 4);
    row->submitted_at = judge_column_int(run, 5);
    row->processed = judge_column_int(run, 6);
    row->processing_notes = judge_column_str(run, 7);
    row->target_criteria = judge_column_str(run, 8);
    row->content = judge_column_str(run, 9);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_feedback_list = {
    .name = "feedback_list",
    .place = JUDGE_OP_BULK,
    .page = offsetof(judge_feedback_list_t, page),
    .sql = { "SELECT COUNT(*), COUNT(*) FILTER (WHERE type = 'correction'),"
             " COUNT(*) FILTER (WHERE approved = 1),"
             " COUNT(*) FILTER (WHERE approved = 0),"
             " COUNT(*) FILTER (WHERE type = 'comment'), COUNT(rating),"
             " SUM(rating) FROM feedback"
             " WHERE org = ?1 AND evaluation_id = ?2",
             "SELECT id, type, criterion_specific, severity, submitted_by,"
             " submitted_at, processed, processing_notes, target_criteria,"
             " content FROM feedback WHERE org = ?1 AND evaluation_id = ?2"
             " AND id < coalesce(?3, '~') AND (?4 IS NULL OR type = ?4)"
             " ORDER BY id DESC LIMIT ?5" },
    .bind = judge_feedback_list_bind,
    .read = judge_feedback_list_read
};
