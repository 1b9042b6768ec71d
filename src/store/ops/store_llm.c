/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What evaluations by language models need besides the queue. */


#include "store/ops/store_ops.h"
#include "store/store_llm.h"


static judge_step_e
judge_queue_prolong_bind(judge_run_t *run)
{
    judge_lease_t          *lease;
    judge_queue_prolong_t  *o = (judge_queue_prolong_t *) run->op;

    if (run->st == NULL || run->turn == o->count) {
        return JUDGE_STEP_END;
    }

    lease = &o->leases[run->turn];
    lease->held = false;
    judge_bind_str(run, 1, lease->org);
    judge_bind_str(run, 2, lease->id);
    judge_bind_str(run, 3, o->owner);
    judge_bind_int(run, 4, o->until);

    return JUDGE_STEP_REPEAT;
}


static judge_rc_e
judge_queue_prolong_read(judge_run_t *run)
{
    judge_queue_prolong_t  *o = (judge_queue_prolong_t *) run->op;

    o->leases[run->turn].held = true;

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_queue_prolong = {
    .name = "queue_prolong",
    .place = JUDGE_OP_WRITE,
    .sql = { "UPDATE evaluations SET queue_at = ?4 WHERE org = ?1"
             " AND id = ?2 AND owner = ?3 AND status = 'processing'"
             " RETURNING 1" },
    .bind = judge_queue_prolong_bind,
    .read = judge_queue_prolong_read
};


static judge_step_e
judge_answer_find_bind(judge_run_t *run)
{
    judge_answer_find_t  *o = (judge_answer_find_t *) run->op;

    if (run->st == NULL) {
        o->op.rc = o->body.data ? JUDGE_OK : JUDGE_NOT_FOUND;
        return JUDGE_STEP_END;
    }

    judge_bind_str(run, 1, o->op.org);
    judge_bind_str(run, 2, o->key);

    return JUDGE_STEP_RUN;
}


static judge_rc_e
judge_answer_find_read(judge_run_t *run)
{
    ((judge_answer_find_t *) run->op)->body = judge_column_str(run, 0);

    return JUDGE_OK;
}


const judge_op_spec_t  judge_op_answer_find = {
    .name = "answer_find",
    .place = JUDGE_OP_INLINE,
    .sql = { "SELECT r.body FROM evaluations e JOIN results r"
             " ON r.org = e.org AND r.evaluation_id = e.id"
             " WHERE e.answer_key = ?2 AND e.org = ?1 LIMIT 1" },
    .bind = judge_answer_find_bind,
    .read = judge_answer_find_read
};
