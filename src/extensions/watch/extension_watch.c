/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/watch/drift.h"
#include "extensions/watch/score_counts.h"
#include "extensions/watch/watch.h"
#include "work/render/event_json.h"


/* The event of a strong drift has the same members as GET .../drift. */

static judge_rc_e
judge_watch_event(judge_json_writer_t *w, const judge_store_t *reads,
    judge_event_t *event)
{
    judge_rc_e                   rc;
    judge_judge_find_t           judge = { .id = event->subject };
    judge_drift_counts_t         counts = { .judge_id = event->subject };
    const judge_drift_finish_t  *finish = event->row;

    if (event->type != JUDGE_EVENT_JUDGE_DRIFT) {
        return JUDGE_ERROR;
    }

    if (finish->route.len) {
        counts.route = finish->route;
    }

    judge_drift_span(&counts, finish->now, JUDGE_DRIFT_WINDOW,
                     JUDGE_DRIFT_REFERENCE);
    rc = judge_event_read(w, reads, event, &judge.op, JUDGE_OP_JUDGE_FIND);
    rc = rc ? rc : judge_event_read(w, reads, event, &counts.op,
                                    JUDGE_OP_DRIFT_COUNTS);

    return rc == JUDGE_OK ? judge_drift_json(w, w->buf->arena, &counts,
                                             judge.row.criteria) : rc;
}


static const judge_route_t *const  judge_watch_routes[] = {
    judge_review_routes,
    judge_estimate_routes,
    judge_drift_routes,
    judge_alert_routes,
    judge_canary_routes,
    judge_canary_report_routes,
    NULL
};

const judge_extension_t  judge_extension_watch = {
    .name = "watch",
    .routes = judge_watch_routes,
    .background = {
        .size = sizeof(judge_hours_t),
        .create = judge_hours_create,
        .tick = judge_hours_tick,
        .busy = judge_hours_busy
    },
    .results = {
        .made = judge_score_counts_of,
        .stored = judge_hours_stored,
        .event = judge_watch_event
    },
    .shared = {
        .size = sizeof(judge_score_counts_t),
        .init = judge_score_counts_init,
        .left = judge_hours_left
    }
};
