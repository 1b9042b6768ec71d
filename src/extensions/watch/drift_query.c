/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET /judges/{judge_id}/drift: whether the distribution of a judge's scores
 * has changed. */


#include "extensions/watch/drift.h"
#include "api/judges/judge_version.h"
#include "extensions/watch/watch.h"


typedef struct {
    judge_str_t           window;      /* such as "24h" or "7d" */
    judge_str_t           reference;
    judge_str_t           route;
    judge_judge_find_t    find;
    judge_drift_counts_t  counts;
} judge_drift_query_t;


static bool
judge_drift_period(judge_req_t *r, const char *name, judge_str_t s,
    int64_t *hours)
{
    if (s.data == NULL) {
        return true;
    }

    *hours = judge_drift_hours(s);

    if (*hours == 0) {
        judge_fail(r, 400, "%s: expected hours or days, such as 24h or 7d, 60"
                   " days at most", name);
    }

    return *hours > 0;
}


static bool
judge_drift_asked(judge_req_t *r)
{
    int64_t               window, reference;
    judge_drift_query_t  *c = r->ctx;

    window = JUDGE_DRIFT_WINDOW;
    reference = JUDGE_DRIFT_REFERENCE;

    if (!judge_drift_period(r, "window", c->window, &window)
        || !judge_drift_period(r, "reference", c->reference, &reference))
    {
        return false;
    }

    judge_drift_span(&c->counts, judge_now(r->service), window, reference);

    return true;
}


static void
judge_drift_counted(judge_req_t *r)
{
    judge_drift_query_t  *c = r->ctx;

    if (judge_check(r, judge_drift_json(judge_reply_begin(r, 200), r->arena,
                                        &c->counts, c->find.row.criteria),
                    NULL))
    {
        judge_reply_end(r);
    }
}


static void
judge_drift_found(judge_req_t *r)
{
    judge_drift_query_t  *c = r->ctx;

    c->counts.op.kind = JUDGE_OP_DRIFT_COUNTS;
    c->counts.judge_id = c->find.id;
    c->counts.route = c->route;
    judge_await_found(r, &c->counts.op, NULL, judge_drift_counted);
}


static const judge_field_t  judge_drift_fields[] = {
    judge_field(judge_drift_query_t, window, STRING, 0, 1, 5),
    judge_field(judge_drift_query_t, reference, STRING, 0, 1, 5),
    judge_field(judge_drift_query_t, route, STRING, 0, 1, 63),
    { .name = NULL }
};

const judge_route_t  judge_drift_routes[] = {
    { judge_route(GET, "/judges/{judge_id}/drift", JUDGE_MAY_READ_EVALUATIONS,
                  0, judge_drift_query_t),
      .query = judge_drift_fields,
      .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_FIND, judge_drift_query_t, find.),
              .prepare = judge_drift_asked, .next = judge_drift_found } },
    { .pattern = NULL }
};
