/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Steps of operations on feedback. */


#include "store/ops/store_ops.h"


/* Only the scores of the body are needed later, and are read here. */

judge_rc_e
judge_feedback_targets_read(judge_run_t *run)
{
    judge_str_t                body;
    judge_feedback_targets_t  *o = (judge_feedback_targets_t *) run->op;

    if (o->op.rc != JUDGE_OK || judge_column_null(run, 5)) {
        return o->op.rc;
    }

    body = judge_column_packed(run, 5);

    return body.len ? o->take(o, run->row, body) : JUDGE_ERROR;
}


/* --- Processing ---------------------------------------------------------- */

/* Statement 0 ends the entries, 1 counts them for their sessions, 2 stores
 * the examples of entries that statement 0 has ended. */

static judge_step_e
judge_feedback_finish_end(judge_run_t *run, judge_feedback_finish_t *o)
{
    if (run->turn && run->changes == 0) {
        o->jobs[o->job - 1].nexamples = 0;
    }

    while (o->job < o->count && o->jobs[o->job].notes.data == NULL) {
        o->jobs[o->job++].nexamples = 0;
    }

    if (o->job == o->count) {
        o->job = 0;
        return JUDGE_STEP_SKIP;
    }

    run->row = &o->jobs[o->job++];

    return JUDGE_STEP_REPEAT;
}


static judge_step_e
judge_feedback_finish_count(judge_run_t *run, judge_feedback_finish_t *o)
{
    o->session = run->turn ? o->session->next : o->sessions;
    run->row = o->session;

    return o->session ? JUDGE_STEP_REPEAT : JUDGE_STEP_SKIP;
}


/* A session has one event, when all of its entries have been processed. */

static judge_rc_e
judge_feedback_finish_ended(judge_run_t *run, judge_feedback_finish_t *o)
{
    judge_str_t             session;
    judge_event_t          *event;
    judge_feedback_row_t   *row;
    judge_feedback_done_t  *done;

    row = &o->jobs[o->job - 1].row;
    session = judge_column_str(run, 0);

    if (session.data == NULL) {
        row->processed = true;
        row->processing_notes = o->jobs[o->job - 1].notes;
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


/* Adds an event for the organization, and one for the session's own URL. */

static judge_rc_e
judge_feedback_session_counted(judge_run_t *run, judge_feedback_done_t *done)
{
    judge_str_t     url;
    judge_event_t  *event;

    done->accepted = judge_column_int(run, 1);
    if (judge_column_int(run, 0) != done->accepted) {
        return JUDGE_OK;
    }

    done->rejected = judge_column_int(run, 2);
    done->batch_id = judge_column_str(run, 3);
    done->submitted_at = judge_column_int(run, 4);
    url = judge_column_str(run, 5);
    done->notify_email = judge_column_int(run, 6) != 0;

    event = judge_event_add(run->op, JUDGE_EVENT_FEEDBACK_PROCESSED,
                            done->org, (judge_str_t) { 0, NULL });
    if (event == NULL
        || judge_id_make(&event->id, "evt", run->op->submitted_at) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }
    event->row = done;

    return url.data == NULL || judge_event_add_at(run->op, event, url)
           ? run->op->rc : JUDGE_NOMEM;
}


judge_rc_e
judge_feedback_finish_read(judge_run_t *run)
{
    judge_feedback_finish_t  *o = (judge_feedback_finish_t *) run->op;

    return run->step == 0 ? judge_feedback_finish_ended(run, o)
                          : judge_feedback_session_counted(run, o->session);
}


judge_rc_e
judge_feedback_delete_read(judge_run_t *run)
{
    judge_feedback_one_t  *o = (judge_feedback_one_t *) run->op;

    o->session.org = o->op.org;

    return run->step == 0 ? JUDGE_OK
                          : judge_feedback_session_counted(run, &o->session);
}


judge_step_e
judge_feedback_finish_step(judge_run_t *run)
{
    judge_feedback_job_t     *job;
    judge_feedback_finish_t  *o = (judge_feedback_finish_t *) run->op;

    if (run->step == 0) {
        return judge_feedback_finish_end(run, o);
    }

    if (run->step == 1) {
        return judge_feedback_finish_count(run, o);
    }

    while (o->job < o->count && o->next == o->jobs[o->job].nexamples) {
        o->job++;
        o->next = 0;
    }

    if (o->job == o->count) {
        return JUDGE_STEP_END;
    }

    job = &o->jobs[o->job];
    o->entry_org = job->row.org;
    o->entry_id = job->row.id;
    run->row = &job->examples[o->next++];

    return JUDGE_STEP_REPEAT;
}
