/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The table of operations, which util/gen/statements generates from the .sql
 * files; its step and read functions; and what several of these call. */


#ifndef JUDGE_STORE_OPS_H
#define JUDGE_STORE_OPS_H


#include "store/engine/op.h"
#include "store/ops/op_calls.h"
#include "store/store_admin.h"
#include "store/store_annotation.h"
#include "store/store_audit.h"
#include "store/store_batch.h"
#include "store/store_compare.h"
#include "store/store_external.h"
#include "store/store_feedback.h"
#include "store/store_fleet.h"
#include "store/store_job.h"
#include "store/store_queue.h"
#include "store/store_openai.h"
#include "store/store_org.h"
#include "store/store_people.h"
#include "store/store_settings.h"
#include "store/store_suggest.h"
#include "store/store_training.h"
#include "store/store_upload.h"
#include "store/store_export.h"
#include "store/store_watch.h"
#include "store/store_webhook.h"


#define JUDGE_ORGS_MAX  10000          /* listed by ORG_LIST, at most */

extern const judge_op_spec_t  judge_op_specs[JUDGE_OP_COUNT];


/* --- Counts of batches --------------------------------------------------- */

/* Differences are collected first, one per batch, and then added by a
 * statement that runs once per batch, not once per evaluation. */

struct judge_batch_delta {
    judge_str_t           org;
    judge_str_t           id;
    int64_t               total;
    int64_t               completed;
    int64_t               failed;
    int64_t               escalated;
    int64_t               seq;         /* to be added to last_seq */
    int64_t               score_sum;
    int64_t               score_count;
    int64_t               scores[JUDGE_BATCH_SCORES];
    judge_ms_t            now;         /* completed_at, if this ends it */
    judge_batch_delta_t  *next;
};

/* Finds or adds the difference of a batch.  NULL: the identifier is absent, or
 * memory is out and op->rc is JUDGE_NOMEM. */
judge_batch_delta_t *judge_batch_delta(judge_run_t *run,
    judge_batch_delta_t **deltas, judge_str_t org, judge_str_t id);

/* Adds (sign 1) or removes (-1) an evaluation with that status and score; one
 * that has not ended changes nothing. */
void judge_batch_delta_add(judge_batch_delta_t *delta, int sign,
    judge_str_t status, double score, bool scored);

/* Adds the event of an evaluation that has ended with this result, and the
 * difference of the batch, if it is in one. */
judge_rc_e judge_batch_evaluation_ended(judge_run_t *run,
    judge_batch_delta_t **deltas, judge_str_t org, judge_str_t batch_id,
    const judge_result_t *result);


/* --- Events -------------------------------------------------------------- */

/* Adds an event of the operation's organization; sets and returns op->rc. */
judge_rc_e judge_event_note(judge_op_t *op, judge_event_type_e type,
    judge_str_t subject);


#endif /* JUDGE_STORE_OPS_H */
