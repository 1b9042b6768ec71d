/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The table of operations, which util/statements makes of the .sql files; the
 * step and read functions that it names; and what several of them share. */


#ifndef JUDGE_STORE_OPS_H
#define JUDGE_STORE_OPS_H


#include "store/engine/op.h"
#include "store/store_admin.h"
#include "store/store_batch.h"
#include "store/store_external.h"
#include "store/store_feedback.h"
#include "store/store_fleet.h"
#include "store/store_job.h"
#include "store/store_llm.h"
#include "store/store_queue.h"
#include "store/store_result.h"
#include "store/store_settings.h"
#include "store/store_training.h"
#include "store/store_upload.h"
#include "store/store_watch.h"
#include "store/store_webhook.h"


#define JUDGE_ORGS_MAX  10000          /* that are listed */

extern const judge_op_spec_t  judge_op_specs[JUDGE_OP_COUNT];


/* --- Steps --------------------------------------------------------------- */

judge_step_e judge_batch_create_step(judge_run_t *run);
judge_step_e judge_batch_slice_step(judge_run_t *run);
judge_step_e judge_callback_finish_step(judge_run_t *run);
judge_step_e judge_drift_finish_step(judge_run_t *run);
judge_step_e judge_content_delete_step(judge_run_t *run);
judge_step_e judge_content_list_step(judge_run_t *run);
judge_step_e judge_delivery_list_step(judge_run_t *run);
judge_step_e judge_evaluation_list_step(judge_run_t *run);
judge_step_e judge_evaluation_retry_step(judge_run_t *run);
judge_step_e judge_event_write_step(judge_run_t *run);
judge_step_e judge_feedback_finish_step(judge_run_t *run);
judge_step_e judge_job_create_step(judge_run_t *run);
judge_step_e judge_judge_create_step(judge_run_t *run);
judge_step_e judge_old_step(judge_run_t *run);
judge_step_e judge_purge_step(judge_run_t *run);
judge_step_e judge_queue_claim_step(judge_run_t *run);
judge_step_e judge_queue_finish_step(judge_run_t *run);
judge_step_e judge_queue_load_step(judge_run_t *run);
judge_step_e judge_queue_prolong_step(judge_run_t *run);
judge_step_e judge_references_check_step(judge_run_t *run);
judge_step_e judge_results_gone_step(judge_run_t *run);
judge_step_e judge_settings_webhooks_step(judge_run_t *run);
judge_step_e judge_training_cancel_step(judge_run_t *run);
judge_step_e judge_training_finish_step(judge_run_t *run);
judge_step_e judge_upload_finish_step(judge_run_t *run);
judge_step_e judge_webhook_turn_step(judge_run_t *run);

judge_rc_e judge_batch_results_read(judge_run_t *run);
judge_rc_e judge_batch_slice_read(judge_run_t *run);
judge_rc_e judge_batch_start_read(judge_run_t *run);
judge_rc_e judge_callback_finish_read(judge_run_t *run);
judge_rc_e judge_content_delete_read(judge_run_t *run);
judge_rc_e judge_old_read(judge_run_t *run);
judge_rc_e judge_evaluation_retry_read(judge_run_t *run);
judge_rc_e judge_event_requests_read(judge_run_t *run);
judge_rc_e judge_example_list_read(judge_run_t *run);
judge_rc_e judge_feedback_finish_read(judge_run_t *run);
judge_rc_e judge_feedback_targets_read(judge_run_t *run);
judge_rc_e judge_queue_claim_read(judge_run_t *run);
judge_rc_e judge_queue_finish_read(judge_run_t *run);
judge_rc_e judge_queue_load_read(judge_run_t *run);
judge_rc_e judge_references_check_read(judge_run_t *run);
judge_rc_e judge_results_gone_read(judge_run_t *run);
judge_rc_e judge_upload_finish_read(judge_run_t *run);
judge_rc_e judge_webhook_turn_read(judge_run_t *run);


/* --- Counts of batches --------------------------------------------------- */

/* Differences are collected first, one for each batch, and then added by one
 * statement that runs once for each. */

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
    judge_ms_t            now;         /* when it ends, if it ends by this */
    judge_batch_delta_t  *next;
};

/* The difference of a batch, made if need be.  NULL: the identifier is absent,
 * or op->rc says why. */
judge_batch_delta_t *judge_batch_delta(judge_run_t *run,
    judge_batch_deltas_t *deltas, judge_str_t org, judge_str_t id);

/* An evaluation of that status and score comes (sign 1) or goes (-1); one
 * that is not ended changes nothing here. */
void judge_batch_delta_add(judge_batch_delta_t *delta, int sign,
    judge_str_t status, double score, bool scored);

/* An evaluation has ended so, whose batch is in column 0: its event, and the
 * difference. */
judge_rc_e judge_batch_delta_ended(judge_run_t *run,
    judge_batch_deltas_t *deltas, judge_str_t org,
    const judge_result_t *result);

/* The step of $batch_count: one difference after another. */
judge_step_e judge_batch_count_step(judge_run_t *run,
    judge_batch_deltas_t *deltas);

/* Reads what $batch_count gives back, and adds an event for a batch that
 * ended or went on by a tenth. */
judge_rc_e judge_batch_count_read(judge_run_t *run);


/* --- Events -------------------------------------------------------------- */

/* Adds one of the operation's organization; op->rc, and returned. */
judge_rc_e judge_event_note(judge_op_t *op, judge_event_type_e type,
    judge_str_t subject);


#endif /* JUDGE_STORE_OPS_H */
