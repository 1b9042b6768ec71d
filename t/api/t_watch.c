/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Judges that are looked at for drift and alerts: what has changed while one
 * was looked at is looked at, too. */


#include "harness.h"
#include "store/store_watch.h"


static bool
due(t_api_t *api)
{
    judge_hours_peek_t  peek = { .now = api->now };

    t_is_int(t_op(api, &peek.op, JUDGE_OP_HOURS_PEEK), JUDGE_OK,
             "the store says who is due");

    return peek.due.data != NULL;
}


/* Others set the alerts, in the same millisecond, before the outcome is
 * stored. */

static void
before(t_api_t *api, judge_op_t *op)
{
    judge_alert_set_t  set = { .now = api->now };

    if (op->kind == JUDGE_OP_DRIFT_FINISH) {
        api->before = NULL;
        set.judge_id = ((judge_drift_finish_t *) op)->judge_id;
        t_is_int(t_op(api, &set.op, JUDGE_OP_ALERT_SET), JUDGE_OK,
                 "alerts are set while the judge is looked at");
    }
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    t_is_status(t_sendf(api, "PUT", "{\"alerts\":[{\"name\":\"Low\","
                        "\"metric\":\"mean\",\"threshold\":50}]}",
                        "/judges/%s/alerts", t_judge(api, "text")), 200,
                "an alert is set");
    t_ok(due(api), "a judge is due when its alerts are set");

    api->before = before;
    t_tick(api, 2000);
    t_run(api);
    t_ok(api->before == NULL, "the judge is looked at");
    t_ok(due(api), "a judge whose alerts were set meanwhile is still due");

    t_tick(api, 2000);
    t_run(api);
    t_ok(!due(api), "a judge that was looked at again is not due");

    t_api_destroy(api);

    return t_done();
}
