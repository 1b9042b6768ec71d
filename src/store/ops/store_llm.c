/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What evaluations by language models need besides the queue. */


#include "store/ops/store_ops.h"
#include "store/store_llm.h"


#undef JUDGE_OF
#define JUDGE_OF  judge_queue_prolong_t
#undef JUDGE_ROW
#define JUDGE_ROW  judge_lease_t

static judge_step_e
judge_queue_prolong_step(judge_run_t *run)
{
    judge_step_e  next;

    next = judge_run_next(run);
    if (next == JUDGE_STEP_REPEAT) {
        ((judge_lease_t *) run->row)->held = false;
    }

    return next;
}


const judge_op_spec_t  judge_op_queue_prolong = {
    .name = "queue_prolong",
    .place = JUDGE_OP_WRITE,
    .statements = {
        { "UPDATE evaluations SET queue_at = ?4 WHERE org = ?1"
          " AND id = ?2 AND owner = ?3 AND status = 'processing'"
          " RETURNING 1",
          .in = JUDGE_VALUES(JUDGE_R(org), JUDGE_R(id), JUDGE_V(owner),
              JUDGE_V(until)),
          .out = JUDGE_VALUES(JUDGE_R(held)),
          .each = JUDGE_ROWS(judge_queue_prolong_t, leases, count) }
    },
    .step = judge_queue_prolong_step
};


#undef JUDGE_OF
#define JUDGE_OF  judge_answer_find_t

const judge_op_spec_t  judge_op_answer_find = {
    .name = "answer_find",
    .place = JUDGE_OP_INLINE,
    .statements = {
        { "SELECT r.body FROM evaluations e JOIN results r"
          " ON r.org = e.org AND r.evaluation_id = e.id"
          " WHERE e.answer_key = ?2 AND e.org = ?1 LIMIT 1",
          .in = JUDGE_VALUES(JUDGE_V(op.org), JUDGE_V(key)),
          .out = JUDGE_VALUES(JUDGE_V(body)), .unless_rows = JUDGE_NOT_FOUND }
    }
};
