/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The table of operations; and the parts of one that several files have. */


#ifndef JUDGE_STORE_OPS_H
#define JUDGE_STORE_OPS_H


#include "store/engine/op.h"


/* Every kind has one, each stands with its resource. */
const judge_op_spec_t *judge_op_spec(judge_op_kind_e kind);

extern const judge_op_spec_t  judge_op_org_create;
extern const judge_op_spec_t  judge_op_org_list;
extern const judge_op_spec_t  judge_op_key_create;
extern const judge_op_spec_t  judge_op_key_find;
extern const judge_op_spec_t  judge_op_key_list;
extern const judge_op_spec_t  judge_op_key_get;
extern const judge_op_spec_t  judge_op_key_update;
extern const judge_op_spec_t  judge_op_key_delete;
extern const judge_op_spec_t  judge_op_key_usage;
extern const judge_op_spec_t  judge_op_judge_create;
extern const judge_op_spec_t  judge_op_judge_find;
extern const judge_op_spec_t  judge_op_judge_list;
extern const judge_op_spec_t  judge_op_judge_update;
extern const judge_op_spec_t  judge_op_judge_activate;
extern const judge_op_spec_t  judge_op_judge_versions;
extern const judge_op_spec_t  judge_op_judge_delete;
extern const judge_op_spec_t  judge_op_content_create;
extern const judge_op_spec_t  judge_op_content_find;
extern const judge_op_spec_t  judge_op_content_list;
extern const judge_op_spec_t  judge_op_content_delete;
extern const judge_op_spec_t  judge_op_pair_find;
extern const judge_op_spec_t  judge_op_evaluation_create;
extern const judge_op_spec_t  judge_op_evaluation_find;
extern const judge_op_spec_t  judge_op_evaluation_list;
extern const judge_op_spec_t  judge_op_evaluation_retry;
extern const judge_op_spec_t  judge_op_batch_check;
extern const judge_op_spec_t  judge_op_batch_create;
extern const judge_op_spec_t  judge_op_batch_find;
extern const judge_op_spec_t  judge_op_batch_list;
extern const judge_op_spec_t  judge_op_batch_start;
extern const judge_op_spec_t  judge_op_batch_retry;
extern const judge_op_spec_t  judge_op_batch_delete;
extern const judge_op_spec_t  judge_op_batch_failures;
extern const judge_op_spec_t  judge_op_batch_items;
extern const judge_op_spec_t  judge_op_batch_results;
extern const judge_op_spec_t  judge_op_batch_criteria;
extern const judge_op_spec_t  judge_op_queue_peek;
extern const judge_op_spec_t  judge_op_queue_claim;
extern const judge_op_spec_t  judge_op_queue_load;
extern const judge_op_spec_t  judge_op_queue_finish;
extern const judge_op_spec_t  judge_op_queue_release;
extern const judge_op_spec_t  judge_op_queue_prolong;
extern const judge_op_spec_t  judge_op_answer_find;
extern const judge_op_spec_t  judge_op_queue_depth;
extern const judge_op_spec_t  judge_op_job_create;
extern const judge_op_spec_t  judge_op_job_find;
extern const judge_op_spec_t  judge_op_job_results;
extern const judge_op_spec_t  judge_op_callback_find;
extern const judge_op_spec_t  judge_op_callback_finish;
extern const judge_op_spec_t  judge_op_work_peek;
extern const judge_op_spec_t  judge_op_work_claim;
extern const judge_op_spec_t  judge_op_work_prolong;
extern const judge_op_spec_t  judge_op_work_release;
extern const judge_op_spec_t  judge_op_frame_put;
extern const judge_op_spec_t  judge_op_frame_list;
extern const judge_op_spec_t  judge_op_frame_find;
extern const judge_op_spec_t  judge_op_idempotency_find;
extern const judge_op_spec_t  judge_op_idempotency_purge;
extern const judge_op_spec_t  judge_op_probe;
extern const judge_op_spec_t  judge_op_secret;
extern const judge_op_spec_t  judge_op_upload_create;
extern const judge_op_spec_t  judge_op_upload_find;
extern const judge_op_spec_t  judge_op_upload_receive;
extern const judge_op_spec_t  judge_op_upload_peek;
extern const judge_op_spec_t  judge_op_upload_claim;
extern const judge_op_spec_t  judge_op_upload_finish;
extern const judge_op_spec_t  judge_op_files_known;
extern const judge_op_spec_t  judge_op_references_check;
extern const judge_op_spec_t  judge_op_feedback_targets;
extern const judge_op_spec_t  judge_op_feedback_create;
extern const judge_op_spec_t  judge_op_feedback_list;
extern const judge_op_spec_t  judge_op_feedback_peek;
extern const judge_op_spec_t  judge_op_feedback_claim;
extern const judge_op_spec_t  judge_op_feedback_finish;
extern const judge_op_spec_t  judge_op_example_list;
extern const judge_op_spec_t  judge_op_example_start;
extern const judge_op_spec_t  judge_op_measured_list;
extern const judge_op_spec_t  judge_op_reason_list;
extern const judge_op_spec_t  judge_op_calibrator_find;
extern const judge_op_spec_t  judge_op_training_summary;
extern const judge_op_spec_t  judge_op_training_create;
extern const judge_op_spec_t  judge_op_training_find;
extern const judge_op_spec_t  judge_op_training_course;
extern const judge_op_spec_t  judge_op_training_list;
extern const judge_op_spec_t  judge_op_training_execute;
extern const judge_op_spec_t  judge_op_training_cancel;
extern const judge_op_spec_t  judge_op_training_peek;
extern const judge_op_spec_t  judge_op_training_claim;
extern const judge_op_spec_t  judge_op_training_checkpoint;
extern const judge_op_spec_t  judge_op_training_progress;
extern const judge_op_spec_t  judge_op_training_finish;
extern const judge_op_spec_t  judge_op_settings_find;
extern const judge_op_spec_t  judge_op_settings_llm;
extern const judge_op_spec_t  judge_op_settings_webhooks;
extern const judge_op_spec_t  judge_op_settings_rotate;
extern const judge_op_spec_t  judge_op_event_requests;
extern const judge_op_spec_t  judge_op_event_write;
extern const judge_op_spec_t  judge_op_delivery_list;
extern const judge_op_spec_t  judge_op_delivery_find;
extern const judge_op_spec_t  judge_op_delivery_again;
extern const judge_op_spec_t  judge_op_delivery_test;
extern const judge_op_spec_t  judge_op_delivery_purge;
extern const judge_op_spec_t  judge_op_webhook_peek;
extern const judge_op_spec_t  judge_op_webhook_turn;


/* An evaluation as its organization sees it: the columns, and the members
 * that they go to. */
#define JUDGE_EVALUATION_COLUMNS                                              \
    "org, id, status, queue_at, priority, owner, attempts, content_id,"       \
    " judge_id, judge_version, batch_id, created_at, deadline, evaluated_at," \
    " last_error, (SELECT body FROM results r WHERE r.org = evaluations.org"  \
    " AND r.evaluation_id = evaluations.id), work_progress"

#define JUDGE_EVALUATION_COLUMN_NEXT  17

extern const judge_value_t  judge_evaluation_row_out[];

/* What an evaluation ended with. */
#define JUDGE_RESULT_INSERT                                                   \
    "INSERT INTO results (org, evaluation_id, status, features, body)"        \
    " VALUES (?1, ?2, ?3, ?4, ?5)"


#endif /* JUDGE_STORE_OPS_H */
