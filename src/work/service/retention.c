/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "work/service/expiry.h"


static const struct {
    judge_op_kind_e   kind;
    const char       *prefix;
} judge_retentions[JUDGE_RETAIN_COUNT] = {
    [JUDGE_RETAIN_CONTENTS] = { JUDGE_OP_OLD_CONTENTS, "cnt" },
    [JUDGE_RETAIN_RESULTS] = { JUDGE_OP_OLD_RESULTS, "evl" },
    [JUDGE_RETAIN_EMPTY] = { JUDGE_OP_OLD_EMPTY, "bat" },
    [JUDGE_RETAIN_FEEDBACK] = { JUDGE_OP_OLD_FEEDBACK, "fbk" },
};


void
judge_retention_begin(judge_retention_t *r, judge_ms_t contents,
    judge_ms_t results, judge_ms_t feedback)
{
    memset(r, 0, sizeof(judge_retention_t));
    r->before[JUDGE_RETAIN_CONTENTS] = contents;
    r->before[JUDGE_RETAIN_RESULTS] = results;
    r->before[JUDGE_RETAIN_EMPTY] = results;
    r->before[JUDGE_RETAIN_FEEDBACK] = feedback;
}


bool
judge_retention_next(judge_retention_t *r, judge_old_t *op, judge_ms_t now)
{
    while (r->what < JUDGE_RETAIN_COUNT && r->before[r->what] <= 0) {
        r->what++;
    }

    if (r->what == JUDGE_RETAIN_COUNT) {
        return false;
    }

    op->op.kind = judge_retentions[r->what].kind;
    op->from = r->org;
    op->after = r->after;
    op->skip = r->skip;
    op->before = r->before[r->what];
    op->now = now;
    op->limit = JUDGE_RETENTION_ROWS;
    judge_id_bound(&op->until, judge_retentions[r->what].prefix, op->before);

    return true;
}


void
judge_retention_done(judge_retention_t *r, const judge_old_t *op)
{
    if (op->op.rc != JUDGE_OK) {
        r->what = JUDGE_RETAIN_COUNT;
        return;
    }

    judge_id_set(&r->org, op->org_id);
    judge_id_set(&r->after, op->last);
    r->skip = op->looked < op->limit;

    if (r->skip) {
        judge_id_set(&r->after, JUDGE_STR(""));
    }

    if (op->org_id.data == NULL) {
        r->what++;
        r->skip = false;
    }
}
