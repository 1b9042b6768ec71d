/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* judge explain: how the engine scores a text, stage by stage, without a
 * store. */


#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/aspects/method.h"
#include "analysis/checks/checks.h"
#include "analysis/checks/require.h"
#include "tool.h"


static judge_rc_e judge_explain_asked(judge_tool_t *t, const char *arg,
    judge_criterion_t *c);
static void judge_explain_score(judge_tool_t *t, const judge_criterion_t *c,
    const judge_criterion_score_t *s);


int
judge_tool_explain(judge_tool_t *t, const char **args, int n)
{
    int                i;
    size_t             k;
    judge_rc_e         rc;
    judge_item_t       item;
    judge_rubric_t     rubric;
    judge_scorer_t    *scorer;
    judge_verdict_t    verdict;
    judge_criterion_t  criteria[JUDGE_TOOL_ARGS];

    memset(&item, 0, sizeof(item));
    memset(&rubric, 0, sizeof(rubric));
    memset(criteria, 0, sizeof(criteria));
    rubric.criteria = criteria;
    rc = judge_tool_read(t, args[0], &item.text);
    if (rc != JUDGE_OK) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, rc == JUDGE_INVALID
                               ? "%s: expected a text of at most 1 MiB"
                               : "%s: it can't be read", args[0]);
    }

    for (i = 1; i < n && rc == JUDGE_OK; i++) {
        rc = judge_explain_asked(t, args[i], &criteria[rubric.ncriteria++]);
    }

    scorer = rc == JUDGE_OK ? judge_scorer_create(t->arena, &rubric) : NULL;
    if (scorer == NULL
        || judge_score(scorer, &item, t->arena, &verdict) != JUDGE_OK
        || judge_checks_apply(t->arena, &rubric, &item, &verdict, NULL)
           != JUDGE_OK
        || judge_explain(&verdict) != JUDGE_OK)
    {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
    }

    for (k = 0; k < verdict.nflags; k++) {
        judge_buf_printf(&t->out, "%s: %s\n\n", verdict.flags[k].name,
                         verdict.flags[k].reason);
    }

    for (k = 0; k < rubric.ncriteria; k++) {
        judge_explain_score(t, &criteria[k], &verdict.scores[k]);
    }

    return JUDGE_TOOL_OK;
}


/* "NAME: DESCRIPTION", in two lines where the name has a colon; the name alone
 * is both. */

static judge_rc_e
judge_explain_asked(judge_tool_t *t, const char *arg, judge_criterion_t *c)
{
    bool          decided;
    judge_rc_e    rc;
    judge_str_t   why;
    const char   *end, *next;
    judge_list_t  checks = { NULL, 0, false };

    end = strchr(arg, '\n');
    next = end ? end + 1 : arg;

    if (end == NULL && (end = strstr(arg, ": ")) != NULL) {
        next = end + 2;
    }

    c->weight = 1;
    c->name = end ? (judge_str_t) { (size_t) (end - arg), (char *) arg }
                  : judge_str_c(arg);
    c->description = judge_str_c(next);

    rc = judge_require_merge(t->arena, c->name, c->description, &checks,
                             &decided);
    if (rc == JUDGE_OK) {
        rc = judge_checks_read(t->arena, t->arena, &checks, &c->checks,
                               &why);
    }
    if (rc == JUDGE_OK) {
        c->nchecks = checks.count;
        c->decided = decided;
        rc = judge_method_choose(t->arena, c, false);
    }

    return rc;
}


static void
judge_explain_score(judge_tool_t *t, const judge_criterion_t *c,
    const judge_criterion_score_t *s)
{
    size_t                i;
    const judge_stage_t  *stage;

    judge_buf_str(&t->out, c->name);

    if (isnan(s->score)) {
        judge_buf_printf(&t->out, ": not judged\n    %.*s\n",
                         (int) s->reason.len, s->reason.data);
        return;
    }

    judge_buf_printf(&t->out, ": %.2f\n", s->score);

    for (i = 0; i < s->nstages; i++) {
        stage = &s->stages[i];
        judge_buf_printf(&t->out, "    %-9s", judge_stage_names[stage->stage]);
        if (isnan(stage->after)) {
            judge_buf_c(&t->out, "        ");
        } else {
            judge_buf_printf(&t->out, "%6.2f  ", stage->after);
        }
        judge_buf_printf(&t->out, "%.*s\n", (int) stage->reason.len,
                         stage->reason.data);
    }

    judge_buf_printf(&t->out, "    %.*s\n", (int) s->feedback.len,
                     s->feedback.data);
}
