/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which criteria of the stored judges this program would judge otherwise than
 * the one that made their versions, so that it is seen before an upgrade.
 */


#include <string.h>

#include "base/json/json.h"
#include "api/judges/criteria.h"
#include "tool.h"
#include "store/store_settings.h"


#define JUDGE_METHODS_PAGE  200

typedef struct {
    judge_str_t  org;
    bool         model;                /* the organization names one */
    size_t       judges;
    size_t       criteria;
    size_t       lost;
    size_t       gained;
} judge_methods_t;


static int judge_methods_org(judge_tool_t *t, judge_methods_t *m);
static int judge_methods_judge(judge_tool_t *t, judge_methods_t *m,
    const judge_judge_row_t *judge);
static void judge_methods_found(judge_tool_t *t, const judge_methods_t *m,
    const judge_judge_row_t *judge, const judge_criterion_row_t *now);


int
judge_methods_check(judge_tool_t *t)
{
    int               status;
    size_t            i;
    judge_methods_t   m;
    judge_org_list_t  orgs;

    memset(&m, 0, sizeof(judge_methods_t));
    status = judge_tool_orgs(t, &orgs);

    for (i = 0; status == JUDGE_TOOL_OK && i < orgs.count; i++) {
        m.org = orgs.rows[i].id;
        status = judge_methods_org(t, &m);
    }

    if (status == JUDGE_TOOL_OK && !t->json) {
        judge_buf_printf(&t->out, "criteria of texts: %zu (judges: %zu); with"
                         " this version %zu would lose their method, and %zu"
                         " gain one\n", m.criteria, m.judges, m.lost,
                         m.gained);
    }

    return status;
}


static int
judge_methods_org(judge_tool_t *t, judge_methods_t *m)
{
    int                    status;
    size_t                 i;
    judge_judge_list_t     list;
    judge_settings_find_t  settings;

    memset(&settings, 0, sizeof(judge_settings_find_t));
    settings.op.org = m->org;
    judge_tool_run(t, &settings.op, JUDGE_OP_SETTINGS_FIND);
    if (settings.op.rc != JUDGE_OK) {
        return judge_tool_fail_op(t, &settings.op);
    }

    m->model = settings.llm.default_model.len > 0;
    memset(&list, 0, sizeof(judge_judge_list_t));
    list.content_type = JUDGE_STR("text");
    list.page.limit = JUDGE_METHODS_PAGE;
    status = JUDGE_TOOL_OK;

    do {
        list.op.org = m->org;
        list.rows = NULL;
        list.count = 0;
        judge_tool_run(t, &list.op, JUDGE_OP_JUDGE_LIST);
        if (list.op.rc != JUDGE_OK) {
            return judge_tool_fail_op(t, &list.op);
        }

        for (i = 0; status == JUDGE_TOOL_OK && i < list.count; i++) {
            list.page.before = list.rows[i].id;
            status = judge_methods_judge(t, m, &list.rows[i]);
        }
    } while (status == JUDGE_TOOL_OK && list.page.more);

    return status;
}


static int
judge_methods_judge(judge_tool_t *t, judge_methods_t *m,
    const judge_judge_row_t *judge)
{
    bool                          had, has;
    size_t                        i;
    judge_list_t                  was, is;
    const judge_criterion_row_t  *before, *now;
    judge_criteria_judges_t       judges = {
        .text = true, .named = m->model || judge->model.data != NULL,
        .configured = true, .trained = judge->trained_by.data != NULL
    };

    if (judge_criteria_read(t->arena, judge->criteria, &was) != JUDGE_OK
        || judge_criteria_read(t->arena, judge->criteria, &is) != JUDGE_OK
        || judge_criteria_choose(t->arena, &is, &judges) != JUDGE_OK)
    {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "the criteria of %.*s can't"
                               " be read", (int) judge->id.len,
                               judge->id.data);
    }

    m->judges++;
    m->criteria += was.count;

    for (i = 0; i < was.count; i++) {
        before = &((const judge_criterion_row_t *) was.items)[i];
        now = &((const judge_criterion_row_t *) is.items)[i];

        /* One without a method is of a program that gave a score to all. */
        had = !judge_str_eq_c(before->judged_by, "nothing");
        has = !judge_str_eq_c(now->judged_by, "nothing");

        if (had != has) {
            m->lost += had;
            m->gained += has;
            judge_methods_found(t, m, judge, now);
        }
    }

    return JUDGE_TOOL_OK;
}


static void
judge_methods_found(judge_tool_t *t, const judge_methods_t *m,
    const judge_judge_row_t *judge, const judge_criterion_row_t *now)
{
    bool                 lost;
    judge_json_writer_t  w;

    lost = judge_str_eq_c(now->judged_by, "nothing");

    if (!t->json) {
        judge_buf_printf(&t->out, "%.*s of %.*s, \"%.*s\": \"%.*s\" ",
                         (int) judge->id.len, judge->id.data,
                         (int) m->org.len, m->org.data,
                         (int) judge->name.len, judge->name.data,
                         (int) now->name.len, now->name.data);
        judge_buf_printf(&t->out, "%s: %.*s%s\n", lost ? "is not judged any"
                         " more" : "is judged now",
                         (int) now->judged_by_reason.len,
                         now->judged_by_reason.data,
                         lost && judge->trained_by.data
                         ? " It has learned from people, which may judge it."
                         : "");
        return;
    }

    judge_json_begin(&w, &t->out);
    judge_json_object(&w);
    judge_json_put_str(&w, "organization_id", m->org);
    judge_json_put_str(&w, "judge_id", judge->id);
    judge_json_put_str(&w, "name", judge->name);
    judge_json_put_str(&w, "criterion", now->name);
    judge_json_put_c(&w, "change", lost ? "lost" : "gained");
    judge_json_put_str(&w, "judged_by", now->judged_by);
    judge_json_put_str(&w, "reason", now->judged_by_reason);
    judge_json_put_bool(&w, "trained", judge->trained_by.data != NULL);
    judge_json_object_end(&w);
    t->out.failed |= judge_json_finish(&w) != JUDGE_OK;
    judge_buf_c(&t->out, "\n");
}
