/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writes events as deliveries for those organizations that subscribed. */


#include <string.h>

#include "store/ops/store_ops.h"
#include "store/packing/packing.h"


const char *const  judge_event_names[JUDGE_EVENT_COUNT + 1] = {
    [JUDGE_EVENT_EVALUATION_COMPLETED] = "evaluation.completed",
    [JUDGE_EVENT_EVALUATION_FAILED] = "evaluation.failed",
    [JUDGE_EVENT_EVALUATION_REQUESTED] = "evaluation.requested",
    [JUDGE_EVENT_BATCH_STARTED] = "batch.started",
    [JUDGE_EVENT_BATCH_PROGRESS] = "batch.progress",
    [JUDGE_EVENT_BATCH_COMPLETED] = "batch.completed",
    [JUDGE_EVENT_BATCH_FAILED] = "batch.failed",
    [JUDGE_EVENT_CONTENT_READY] = "content.ready",
    [JUDGE_EVENT_CONTENT_ERROR] = "content.error",
    [JUDGE_EVENT_FEEDBACK_PROCESSED] = "feedback.processed",
    [JUDGE_EVENT_TRAINING_STARTED] = "training.started",
    [JUDGE_EVENT_TRAINING_PROGRESS] = "training.progress",
    [JUDGE_EVENT_TRAINING_COMPLETED] = "training.completed",
    [JUDGE_EVENT_TRAINING_FAILED] = "training.failed",
    [JUDGE_EVENT_TRAINING_CANCELLED] = "training.cancelled",
    [JUDGE_EVENT_JUDGE_VERSION_CREATED] = "judge.version_created",
    [JUDGE_EVENT_JUDGE_READY] = "judge.ready",
    [JUDGE_EVENT_JUDGE_DRIFT] = "judge.drift",
    [JUDGE_EVENT_JUDGE_ALERT] = "judge.alert",
    [JUDGE_EVENT_WEBHOOK_TEST] = "webhook.test",
    NULL
};


judge_event_t *
judge_event_add(judge_op_t *op, judge_event_type_e type, judge_str_t org,
    judge_str_t subject)
{
    judge_event_t  *event;

    event = op->arena ? judge_calloc(op->arena, sizeof(judge_event_t)) : NULL;
    if (event == NULL) {
        return NULL;
    }

    event->type = type;
    event->org = org;
    event->subject = subject;

    if (op->events) {
        op->events->last->next = event;
    } else {
        op->events = event;
    }
    op->events->last = event;

    return event;
}


judge_event_t *
judge_event_add_at(judge_op_t *op, const judge_event_t *first, judge_str_t url)
{
    judge_event_t  *event;

    event = url.data ? judge_event_add(op, first->type, first->org,
                                       first->subject) : NULL;
    if (event) {
        event->row = first->row;
        event->id = first->id;
        event->url = url;
    }

    return event;
}


judge_rc_e
judge_event_note(judge_op_t *op, judge_event_type_e type, judge_str_t subject)
{
    if (judge_event_add(op, type, op->org, subject) == NULL) {
        op->rc = JUDGE_NOMEM;
    }

    return op->rc;
}


judge_rc_e
judge_event_add_result(judge_op_t *op, judge_str_t org,
    const judge_result_t *result)
{
    judge_event_t  *event;

    event = judge_event_add(op, judge_str_eq_c(result->status, "completed")
                                ? JUDGE_EVENT_EVALUATION_COMPLETED
                                : JUDGE_EVENT_EVALUATION_FAILED,
                            org, result->id);
    if (event == NULL) {
        return JUDGE_NOMEM;
    }

    event->data = result->body;

    return JUDGE_OK;
}


/* Whether a JSON array of event names has this one.  The default, an absent
 * one, has all but EVALUATION_REQUESTED, which must be named. */

static bool
judge_event_listed(judge_str_t list, judge_event_type_e type)
{
    size_t       len, i;
    const char  *name;

    if (list.data == NULL) {
        return type != JUDGE_EVENT_EVALUATION_REQUESTED;
    }

    name = judge_event_names[type];
    len = strlen(name);

    for (i = 0; i + len + 2 <= list.len; i++) {
        if (list.data[i] == '"' && list.data[i + len + 1] == '"'
            && memcmp(list.data + i + 1, name, len) == 0)
        {
            return true;
        }
    }

    return false;
}


/* The settings are read once for consecutive events of the same
 * organization.  An event with its own address needs no settings. */

judge_step_e
judge_event_write_wanted(judge_run_t *run)
{
    judge_event_t        *event, *before;
    judge_event_write_t  *o = (judge_event_write_t *) run->op;

    before = run->turn ? o->event : NULL;

    for (event = before ? before : o->op.events; event; event = event->next) {
        if (event->always || event->url.data) {
            event->wanted = true;
            continue;
        }

        if (before == NULL || !judge_str_eq(event->org, before->org)) {
            o->event = event;
            o->wants = false;
            o->wanted = (judge_str_t) { 0, NULL };
            run->row = event;
            return JUDGE_STEP_REPEAT;
        }

        event->wanted = o->wants
                        && judge_event_listed(o->wanted, event->type);
    }

    return JUDGE_STEP_SKIP;
}


static judge_rc_e
judge_event_prepare(judge_event_write_t *o, judge_event_t *event)
{
    judge_rc_e  rc;

    if (event->data.data == NULL) {
        rc = o->render ? o->render(o->op.arena, &o->reads, event)
                       : JUDGE_ERROR;
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    /* The body of a result may be packed for the store. */
    event->data = judge_unpack(o->op.arena, event->data);
    if (event->data.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (event->id.text[0] == '\0') {
        rc = judge_id_make(&event->id, "evt", o->op.submitted_at);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    if (event->delivery.text[0] == '\0') {
        rc = judge_id_make(&event->delivery, "whd", o->op.submitted_at);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    event->name = judge_event_names[event->type];

    return JUDGE_OK;
}


/* Finds the next event to write and prepares it; an event whose subject was
 * deleted is dropped. */

static judge_event_t *
judge_event_next(judge_run_t *run, judge_event_write_t *o)
{
    judge_event_t  *event;

    event = run->turn ? o->event->next : o->op.events;

    for ( /* void */ ; event; event = event->next) {
        if (event->wanted && event->name == NULL) {
            o->op.rc = judge_event_prepare(o, event);
            if (o->op.rc == JUDGE_NOT_FOUND) {
                o->op.rc = JUDGE_OK;
                event->wanted = false;
            }
        }

        if (event->wanted) {
            break;
        }
    }

    o->event = event;

    return event;
}


/* The endpoint is written once for consecutive events for one address; an
 * absent URL is the organization's. */

judge_step_e
judge_event_write_endpoint(judge_run_t *run)
{
    judge_event_t        *event, *before;
    judge_event_write_t  *o = (judge_event_write_t *) run->op;

    before = run->turn ? o->event : NULL;
    event = judge_event_next(run, o);

    while (event && before && judge_str_eq(event->org, before->org)
           && judge_str_eq(event->url, before->url))
    {
        event = judge_event_next(run, o);
    }

    run->row = event;

    return event ? JUDGE_STEP_REPEAT : JUDGE_STEP_SKIP;
}


/* Ended evaluations are noted for export even if nobody gets their events. */

judge_step_e
judge_event_write_export(judge_run_t *run)
{
    judge_event_t        *event;
    judge_event_write_t  *o = (judge_event_write_t *) run->op;

    event = !o->exports ? NULL : run->turn ? o->event->next : o->op.events;

    while (event && event->type != JUDGE_EVENT_EVALUATION_COMPLETED
           && event->type != JUDGE_EVENT_EVALUATION_FAILED)
    {
        event = event->next;
    }

    o->event = event;
    run->row = event;

    return event ? JUDGE_STEP_REPEAT : JUDGE_STEP_SKIP;
}


judge_step_e
judge_event_write_row(judge_run_t *run)
{
    judge_event_write_t  *o = (judge_event_write_t *) run->op;

    run->row = judge_event_next(run, o);

    return o->op.rc != JUDGE_OK ? JUDGE_STEP_END
           : run->row ? JUDGE_STEP_REPEAT : JUDGE_STEP_SKIP;
}


/* --- Requests to external workers ---------------------------------------- */

judge_rc_e
judge_event_requests_read(judge_run_t *run)
{
    judge_event_t  *event;

    event = judge_event_add(run->op, JUDGE_EVENT_EVALUATION_REQUESTED,
                            judge_column_str(run, 0), JUDGE_STR(""));
    if (event == NULL) {
        return JUDGE_NOMEM;
    }

    event->data = judge_column_str(run, 1);
    event->always = true;              /* the trigger read the settings */

    return JUDGE_OK;
}
