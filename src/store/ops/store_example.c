/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Turning feedback into examples, and what these say together. */


#include "store/ops/store_event_parts.h"
#include "store/store_feedback.h"


/* --- Processing ---------------------------------------------------------- */

#undef JUDGE_OF
#define JUDGE_OF  judge_feedback_peek_t

const judge_op_spec_t  judge_op_feedback_peek = {
    .name = "feedback_peek",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT EXISTS (SELECT 1 FROM feedback WHERE queue_at <= ?1)",
          .in = JUDGE_VALUES(JUDGE_V(now)),
          .out = JUDGE_VALUES(JUDGE_V(pending)) }
    }
};


/* Statement 0 claims, 1 looks at the judge of each. */

#undef JUDGE_OF
#define JUDGE_OF  judge_feedback_claim_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_feedback_job_t

const judge_op_spec_t  judge_op_feedback_claim = {
    .name = "feedback_claim",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE feedback SET queue_at = ?2, attempts = attempts + 1"
          " WHERE (org, id) IN (SELECT org, id FROM feedback"
          " WHERE queue_at <= ?1 ORDER BY queue_at LIMIT ?3)"
          " RETURNING org, id, evaluation_id, judge_id, judge_version,"
          " type, criterion_specific, severity, submitted_by,"
          " submitted_at, attempts, target_criteria, given_scores,"
          " content",
          .in = JUDGE_VALUES(JUDGE_V(now), JUDGE_V(lease_until),
              JUDGE_V(limit)),
          .out = JUDGE_VALUES(JUDGE_R(row.org), JUDGE_R(row.id),
              JUDGE_R(row.evaluation_id), JUDGE_R(row.judge_id),
              JUDGE_R(row.judge_version), JUDGE_R(row.type),
              JUDGE_R(row.criterion_specific), JUDGE_R(row.severity),
              JUDGE_R(row.submitted_by), JUDGE_R(row.submitted_at),
              JUDGE_R(attempts), JUDGE_R(row.target_criteria),
              JUDGE_R(row.given_scores), JUDGE_R(row.content)),
          .list = JUDGE_ROWS(judge_feedback_claim_t, jobs, count),
          .limit = offsetof(judge_feedback_claim_t, limit) },
        { "SELECT 1 FROM judges"
          " WHERE org = ?1 AND id = ?2 AND deleted_at IS NOT NULL",
          .in = JUDGE_VALUES(JUDGE_R(row.org), JUDGE_R(row.judge_id)),
          .out = JUDGE_VALUES(JUDGE_R(judge_deleted)),
          .each = JUDGE_ROWS(judge_feedback_claim_t, jobs, count) }
    }
};


/* Statement 0 ends the entries, 1 counts them for their sessions, 2 stores
 * the examples of those that were ended. */

static judge_step_e
judge_feedback_finish_end(judge_run_t *run, judge_feedback_finish_t *o)
{
    judge_feedback_job_t  *job;

    if (run->turn && run->changes == 0) {
        o->jobs[o->at - 1].nexamples = 0;
    }

    while (o->at < o->count && o->jobs[o->at].notes.data == NULL) {
        o->jobs[o->at++].nexamples = 0;
    }

    if (o->at == o->count) {
        o->at = 0;
        return JUDGE_STEP_SKIP;
    }

    job = &o->jobs[o->at++];
    judge_bind_str(run, 1, job->row.org);
    judge_bind_str(run, 2, job->row.id);
    judge_bind_str(run, 3, job->notes);

    return JUDGE_STEP_REPEAT;
}


static judge_step_e
judge_feedback_finish_count(judge_run_t *run, judge_feedback_finish_t *o)
{
    o->session = run->turn ? o->session->next : o->sessions;
    if (o->session == NULL) {
        return JUDGE_STEP_SKIP;
    }

    judge_bind_str(run, 1, o->session->org);
    judge_bind_str(run, 2, o->session->id);
    judge_bind_int(run, 3, o->session->ended);

    return JUDGE_STEP_REPEAT;
}


/* An entry of a session has no event of its own. */

static judge_rc_e
judge_feedback_finish_ended(judge_run_t *run, judge_feedback_finish_t *o)
{
    judge_str_t             session;
    judge_event_t          *event;
    judge_feedback_row_t   *row;
    judge_feedback_done_t  *done;

    row = &o->jobs[o->at - 1].row;
    session = judge_column_str(run, 0);

    if (session.data == NULL) {
        row->processed = true;
        row->processing_notes = o->jobs[o->at - 1].notes;
        event = judge_event_add(&o->op, JUDGE_EVENT_FEEDBACK_PROCESSED,
                                row->org, row->id);
        if (event == NULL) {
            return JUDGE_NOMEM;
        }
        event->row = row;
        return run->op->rc;
    }

    for (done = o->sessions; done; done = done->next) {
        if (judge_str_eq(done->id, session)) {
            done->ended++;
            return JUDGE_OK;
        }
    }

    done = judge_calloc(o->op.arena, sizeof(judge_feedback_done_t));
    if (done == NULL) {
        return JUDGE_NOMEM;
    }

    done->org = row->org;
    done->id = session;
    done->ended = 1;
    done->next = o->sessions;
    o->sessions = done;

    return JUDGE_OK;
}


/* Tells the organization, and the address that was given with the session. */

static judge_rc_e
judge_feedback_finish_session(judge_run_t *run, judge_feedback_finish_t *o)
{
    judge_str_t             url;
    judge_event_t          *event, *also;
    judge_feedback_done_t  *done;

    done = o->session;
    done->accepted = judge_column_int(run, 1);
    if (judge_column_int(run, 0) != done->accepted) {
        return JUDGE_OK;
    }

    done->rejected = judge_column_int(run, 2);
    done->batch_id = judge_column_str(run, 3);
    done->submitted_at = judge_column_int(run, 4);
    url = judge_column_str(run, 5);

    event = judge_event_add(&o->op, JUDGE_EVENT_FEEDBACK_PROCESSED,
                            done->org, (judge_str_t) { 0, NULL });
    if (event == NULL
        || judge_id_make(&event->id, "evt", o->op.submitted_at) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }
    event->row = done;

    if (url.data) {
        also = judge_event_add(&o->op, JUDGE_EVENT_FEEDBACK_PROCESSED,
                               done->org, (judge_str_t) { 0, NULL });
        if (also == NULL) {
            return JUDGE_NOMEM;
        }
        also->row = done;
        also->url = url;
        also->id = event->id;
    }

    return run->op->rc;
}


static judge_rc_e
judge_feedback_finish_read(judge_run_t *run)
{
    judge_feedback_finish_t  *o = (judge_feedback_finish_t *) run->op;

    return run->step == 0 ? judge_feedback_finish_ended(run, o)
                          : judge_feedback_finish_session(run, o);
}


static judge_step_e
judge_feedback_finish_step(judge_run_t *run)
{
    judge_example_t          *example;
    judge_feedback_job_t     *job;
    judge_feedback_finish_t  *o = (judge_feedback_finish_t *) run->op;

    if (run->step == 0) {
        return judge_feedback_finish_end(run, o);
    }

    if (run->step == 1) {
        return judge_feedback_finish_count(run, o);
    }

    while (o->at < o->count && o->next == o->jobs[o->at].nexamples) {
        o->at++;
        o->next = 0;
    }

    if (o->at == o->count) {
        return JUDGE_STEP_END;
    }

    job = &o->jobs[o->at];
    example = &job->examples[o->next++];
    judge_bind_str(run, 1, job->row.org);
    judge_bind_str(run, 2, job->row.id);
    judge_bind_str(run, 3, example->criterion_id);
    judge_bind_str(run, 4, judge_str_c(example->kind));
    judge_bind_double(run, 5, example->target, true);
    judge_bind_double(run, 6, example->weight, true);

    return JUDGE_STEP_REPEAT;
}


const judge_op_spec_t  judge_op_feedback_finish = {
    .name = "feedback_finish",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE feedback SET processed = 1, queue_at = NULL,"
          " processing_notes = ?3"
          " WHERE org = ?1 AND id = ?2 AND processed = 0"
          " RETURNING session_id",
          .in = NULL },
        { "UPDATE feedback_sessions SET processed = processed + ?3"
          " WHERE org = ?1 AND id = ?2 RETURNING processed, accepted,"
          " rejected, batch_id, submitted_at, notify_url",
          .in = NULL },
        { "INSERT INTO examples (org, judge_id, evaluation_id,"
          " criterion_id, feedback_id, content_id, judge_version, kind,"
          " target, weight, created_at) SELECT f.org, f.judge_id,"
          " f.evaluation_id, ?3, f.id, f.content_id, f.judge_version, ?4,"
          " ?5, ?6, f.submitted_at FROM feedback f JOIN judges j"
          " ON j.org = f.org AND j.id = f.judge_id"
          " WHERE f.org = ?1 AND f.id = ?2 AND j.deleted_at IS NULL",
          .in = NULL }
    },
    .step = judge_feedback_finish_step,
    .read = judge_feedback_finish_read
};


/* --- Learning ------------------------------------------------------------ */

#undef JUDGE_OF
#define JUDGE_OF  judge_example_list_t

/* Columns 5 to 8: sum(c), sum(c * t), e and s of the formula in the header. */

static judge_rc_e
judge_example_list_read(judge_run_t *run)
{
    double                 endorsed;
    judge_example_row_t   *row;
    judge_example_list_t  *o = (judge_example_list_t *) run->op;

    if (o->count == (size_t) o->limit) {
        o->more = true;
        return JUDGE_OK;
    }

    o->rows = judge_row_room(run, o->rows, (size_t) o->limit,
                             sizeof(judge_example_row_t));
    if (o->rows == NULL) {
        return JUDGE_NOMEM;
    }

    endorsed = judge_column_double(run, 7);
    endorsed = endorsed > 0 ? endorsed : 0;

    row = &o->rows[o->count++];
    row->evaluation_id = judge_column_str(run, 0);
    row->criterion_id = judge_column_str(run, 1);
    row->content_id = judge_column_str(run, 2);
    row->judge_version = judge_column_int(run, 3);
    row->entries = judge_column_int(run, 4);
    row->weight = judge_column_double(run, 5) + endorsed;
    row->first_at = judge_column_int(run, 9);
    row->last_at = judge_column_int(run, 10);

    if (row->weight > 0) {
        row->target = (judge_column_double(run, 6)
                       + endorsed * judge_column_double(run, 8))
                      / row->weight;
    }

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_example_list = {
    .name = "example_list",
    .place = JUDGE_OP_BULK,
    .statements = {
        { "SELECT evaluation_id, criterion_id, MAX(content_id),"
          " MAX(judge_version), COUNT(*),"
          " SUM(CASE WHEN kind = 'correction' THEN weight ELSE 0.0 END),"
          " SUM(CASE WHEN kind = 'correction' THEN weight * target"
          " ELSE 0.0 END),"
          " SUM(CASE WHEN kind = 'correction' THEN 0.0 ELSE weight END),"
          " MAX(CASE WHEN kind <> 'correction' THEN target END),"
          " MIN(created_at), MAX(created_at)"
          " FROM examples WHERE org = ?1 AND judge_id = ?2"
          " AND (evaluation_id, criterion_id)"
          " > (coalesce(?3, ''), coalesce(?4, ''))"
          " AND (?5 IS NULL OR created_at <= ?5) AND created_at > ?7"
          " GROUP BY evaluation_id, criterion_id"
          " ORDER BY evaluation_id, criterion_id LIMIT ?6",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(judge_id),
              JUDGE_V(after_evaluation), JUDGE_V(after_criterion),
              JUDGE_V_NULL(until), JUDGE_V_MORE(limit), JUDGE_V(since)) }
    },
    .read = judge_example_list_read
};
