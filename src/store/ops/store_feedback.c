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

/* A session has one event, when all of its entries have been processed. */

judge_rc_e
judge_feedback_finish_ended(judge_run_t *run)
{
    judge_str_t               session;
    judge_event_t            *event;
    judge_feedback_job_t     *job = run->row;
    judge_feedback_row_t     *row = &job->row;
    judge_feedback_done_t    *done;
    judge_feedback_finish_t  *o = (judge_feedback_finish_t *) run->op;

    job->ended = true;
    session = judge_column_str(run, 0);

    if (session.data == NULL) {
        row->processed = true;
        row->processing_notes = job->notes;
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
judge_feedback_finish_counted(judge_run_t *run)
{
    return judge_feedback_session_counted(run, run->row);
}


judge_rc_e
judge_feedback_delete_read(judge_run_t *run)
{
    judge_feedback_one_t  *o = (judge_feedback_one_t *) run->op;

    o->session.org = o->op.org;

    return judge_feedback_session_counted(run, &o->session);
}


/* The examples of the entries that this operation has ended. */

judge_step_e
judge_feedback_finish_example(judge_run_t *run)
{
    judge_feedback_job_t     *job;
    judge_feedback_finish_t  *o = (judge_feedback_finish_t *) run->op;

    while (o->job < o->count && (!o->jobs[o->job].ended
                                 || o->next == o->jobs[o->job].nexamples))
    {
        o->job++;
        o->next = 0;
    }

    if (o->job == o->count) {
        return JUDGE_STEP_SKIP;
    }

    job = &o->jobs[o->job];
    o->entry_org = job->row.org;
    o->entry_id = job->row.id;
    run->row = &job->examples[o->next++];

    return JUDGE_STEP_REPEAT;
}
