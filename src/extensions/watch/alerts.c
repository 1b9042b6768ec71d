/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET and PUT /judges/{judge_id}/alerts: the rules on the scores of a judge,
 * and which of them fire. */


#include "extensions/watch/alert_rule.h"
#include "api/judges/judge_version.h"
#include "extensions/watch/watch.h"


typedef struct {
    judge_list_t        alerts;        /* of judge_alert_rule_t */
    judge_judge_find_t  find;
    judge_alert_set_t   set;
} judge_alerts_t;


static void
judge_alerts_json(judge_json_writer_t *w, judge_str_t judge_id,
    const judge_alert_row_t *rows, size_t n)
{
    size_t  i;

    judge_json_put_str(w, "judge_id", judge_id);
    judge_json_key_array(w, "alerts");

    for (i = 0; i < n; i++) {
        judge_json_object(w);
        judge_alert_json(w, &rows[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_alerts_write(judge_req_t *r, judge_json_writer_t *w)
{
    const judge_alert_list_t  *list = r->ctx;

    judge_alerts_json(w, list->id, list->rows, list->count);
}


/* Checks the i-th rule; false: the request has been answered. */

static bool
judge_alerts_check(judge_req_t *r, const judge_list_t *criteria, size_t i)
{
    size_t                     k;
    const char                *wrong;
    judge_alerts_t            *c = r->ctx;
    const judge_alert_rule_t  *rules = c->alerts.items;

    wrong = judge_alert_wrong(&rules[i]);

    for (k = 0; wrong == NULL && k < i; k++) {
        if (judge_str_eq(rules[k].name, rules[i].name)) {
            wrong = ".name: expected a name of its own; another alert has it";
        }
    }

    if (wrong == NULL && rules[i].criterion_id.data
        && !judge_criteria_find(criteria, rules[i].criterion_id))
    {
        wrong = ".criterion_id: expected a criterion of the judge's active"
                " version";
    }

    return wrong == NULL || judge_fail(r, 400, "alerts[%zu]%s", i, wrong);
}


static void
judge_alerts_kept(judge_req_t *r)
{
    judge_alerts_t  *c = r->ctx;

    judge_alerts_json(judge_reply_begin(r, 200), c->find.id, c->set.kept,
                      c->set.nkept);
    judge_reply_end(r);
}


static void
judge_alerts_found(judge_req_t *r)
{
    size_t                     i;
    judge_rc_e                 rc;
    judge_list_t               criteria;
    judge_alerts_t            *c = r->ctx;
    judge_alert_set_t         *set = &c->set;
    const judge_alert_rule_t  *rules = c->alerts.items;

    rc = judge_criteria_read(r->arena, c->find.row.criteria, &criteria);
    set->rows = judge_array_alloc(r->arena, c->alerts.count + 1,
                                  sizeof(judge_alert_row_t));
    if (!judge_check(r, set->rows ? rc : JUDGE_NOMEM, NULL)) {
        return;
    }

    for (i = 0; i < c->alerts.count; i++) {
        if (!judge_alerts_check(r, &criteria, i)) {
            return;
        }

        set->rows[i].name = rules[i].name;
        set->rows[i].rule = judge_alert_text(r->arena, &rules[i]);
        if (set->rows[i].rule.data == NULL) {
            judge_fail_rc(r, JUDGE_NOMEM);
            return;
        }
    }

    set->op.kind = JUDGE_OP_ALERT_SET;
    set->judge_id = c->find.id;
    set->count = c->alerts.count;
    set->now = judge_now(r->service);
    judge_await_found(r, &set->op, NULL, judge_alerts_kept);
}


static const judge_field_t  judge_alerts_fields[] = {
    { .name = "alerts", .type = JUDGE_FIELD_LIST, .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_alerts_t, alerts), .min = 0,
      .max = JUDGE_ALERTS, .fields = judge_alert_fields,
      .item_size = sizeof(judge_alert_rule_t) },
    { .name = NULL }
};

const judge_route_t  judge_alert_routes[] = {
    { judge_route(GET, "/judges/{judge_id}/alerts", JUDGE_MAY_READ_EVALUATIONS,
                  0, judge_alert_list_t),
      .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_ALERT_LIST, judge_alert_list_t, ),
              .write = judge_alerts_write } },
    { judge_route(PUT, "/judges/{judge_id}/alerts", JUDGE_MAY_WRITE_JUDGES, 0,
                  judge_alerts_t),
      .body = judge_alerts_fields, .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_FIND, judge_alerts_t, find.),
              .next = judge_alerts_found } },
    { .pattern = NULL }
};
