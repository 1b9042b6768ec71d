/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The table of operations, and the engine that they are run on. */


#include "store/ops/store_ops.h"
#include "store/sqlite/sqlite.h"
#include "store/store_open.h"


static const judge_driver_t *const  judge_store_driver = &judge_sqlite_driver;


static const judge_op_spec_t *const  judge_op_specs[JUDGE_OP_COUNT] = {
    [JUDGE_OP_ORG_CREATE] = &judge_op_org_create,
    [JUDGE_OP_ORG_LIST] = &judge_op_org_list,
    [JUDGE_OP_KEY_CREATE] = &judge_op_key_create,
    [JUDGE_OP_KEY_FIND] = &judge_op_key_find,
    [JUDGE_OP_KEY_LIST] = &judge_op_key_list,
    [JUDGE_OP_KEY_GET] = &judge_op_key_get,
    [JUDGE_OP_KEY_UPDATE] = &judge_op_key_update,
    [JUDGE_OP_KEY_DELETE] = &judge_op_key_delete,
    [JUDGE_OP_KEY_USAGE] = &judge_op_key_usage,
    [JUDGE_OP_JUDGE_CREATE] = &judge_op_judge_create,
    [JUDGE_OP_JUDGE_FIND] = &judge_op_judge_find,
    [JUDGE_OP_JUDGE_LIST] = &judge_op_judge_list,
    [JUDGE_OP_JUDGE_UPDATE] = &judge_op_judge_update,
    [JUDGE_OP_JUDGE_ACTIVATE] = &judge_op_judge_activate,
    [JUDGE_OP_JUDGE_VERSIONS] = &judge_op_judge_versions,
    [JUDGE_OP_JUDGE_DELETE] = &judge_op_judge_delete,
    [JUDGE_OP_CONTENT_CREATE] = &judge_op_content_create,
    [JUDGE_OP_CONTENT_FIND] = &judge_op_content_find,
    [JUDGE_OP_CONTENT_LIST] = &judge_op_content_list,
    [JUDGE_OP_CONTENT_DELETE] = &judge_op_content_delete,
    [JUDGE_OP_PAIR_FIND] = &judge_op_pair_find,
    [JUDGE_OP_EVALUATION_CREATE] = &judge_op_evaluation_create,
    [JUDGE_OP_EVALUATION_FIND] = &judge_op_evaluation_find,
    [JUDGE_OP_EVALUATION_LIST] = &judge_op_evaluation_list,
    [JUDGE_OP_EVALUATION_RETRY] = &judge_op_evaluation_retry,
    [JUDGE_OP_BATCH_CHECK] = &judge_op_batch_check,
    [JUDGE_OP_BATCH_CREATE] = &judge_op_batch_create,
    [JUDGE_OP_BATCH_FIND] = &judge_op_batch_find,
    [JUDGE_OP_BATCH_LIST] = &judge_op_batch_list,
    [JUDGE_OP_BATCH_START] = &judge_op_batch_start,
    [JUDGE_OP_BATCH_RETRY] = &judge_op_batch_retry,
    [JUDGE_OP_BATCH_DELETE] = &judge_op_batch_delete,
    [JUDGE_OP_BATCH_FAILURES] = &judge_op_batch_failures,
    [JUDGE_OP_BATCH_ITEMS] = &judge_op_batch_items,
    [JUDGE_OP_BATCH_RESULTS] = &judge_op_batch_results,
    [JUDGE_OP_BATCH_CRITERIA] = &judge_op_batch_criteria,
    [JUDGE_OP_QUEUE_PEEK] = &judge_op_queue_peek,
    [JUDGE_OP_QUEUE_CLAIM] = &judge_op_queue_claim,
    [JUDGE_OP_QUEUE_LOAD] = &judge_op_queue_load,
    [JUDGE_OP_QUEUE_FINISH] = &judge_op_queue_finish,
    [JUDGE_OP_QUEUE_RELEASE] = &judge_op_queue_release,
    [JUDGE_OP_QUEUE_PROLONG] = &judge_op_queue_prolong,
    [JUDGE_OP_ANSWER_FIND] = &judge_op_answer_find,
    [JUDGE_OP_QUEUE_DEPTH] = &judge_op_queue_depth,
    [JUDGE_OP_JOB_CREATE] = &judge_op_job_create,
    [JUDGE_OP_JOB_FIND] = &judge_op_job_find,
    [JUDGE_OP_JOB_RESULTS] = &judge_op_job_results,
    [JUDGE_OP_CALLBACK_FIND] = &judge_op_callback_find,
    [JUDGE_OP_CALLBACK_FINISH] = &judge_op_callback_finish,
    [JUDGE_OP_WORK_PEEK] = &judge_op_work_peek,
    [JUDGE_OP_WORK_CLAIM] = &judge_op_work_claim,
    [JUDGE_OP_WORK_PROLONG] = &judge_op_work_prolong,
    [JUDGE_OP_WORK_RELEASE] = &judge_op_work_release,
    [JUDGE_OP_FRAME_PUT] = &judge_op_frame_put,
    [JUDGE_OP_FRAME_LIST] = &judge_op_frame_list,
    [JUDGE_OP_FRAME_FIND] = &judge_op_frame_find,
    [JUDGE_OP_IDEMPOTENCY_FIND] = &judge_op_idempotency_find,
    [JUDGE_OP_IDEMPOTENCY_PURGE] = &judge_op_idempotency_purge,
    [JUDGE_OP_PROBE] = &judge_op_probe,
    [JUDGE_OP_SECRET] = &judge_op_secret,
    [JUDGE_OP_UPLOAD_CREATE] = &judge_op_upload_create,
    [JUDGE_OP_UPLOAD_FIND] = &judge_op_upload_find,
    [JUDGE_OP_UPLOAD_RECEIVE] = &judge_op_upload_receive,
    [JUDGE_OP_UPLOAD_PEEK] = &judge_op_upload_peek,
    [JUDGE_OP_UPLOAD_CLAIM] = &judge_op_upload_claim,
    [JUDGE_OP_UPLOAD_FINISH] = &judge_op_upload_finish,
    [JUDGE_OP_FILES_KNOWN] = &judge_op_files_known,
    [JUDGE_OP_REFERENCES_CHECK] = &judge_op_references_check,
    [JUDGE_OP_FEEDBACK_TARGETS] = &judge_op_feedback_targets,
    [JUDGE_OP_FEEDBACK_CREATE] = &judge_op_feedback_create,
    [JUDGE_OP_FEEDBACK_LIST] = &judge_op_feedback_list,
    [JUDGE_OP_FEEDBACK_PEEK] = &judge_op_feedback_peek,
    [JUDGE_OP_FEEDBACK_CLAIM] = &judge_op_feedback_claim,
    [JUDGE_OP_FEEDBACK_FINISH] = &judge_op_feedback_finish,
    [JUDGE_OP_EXAMPLE_LIST] = &judge_op_example_list,
    [JUDGE_OP_EXAMPLE_START] = &judge_op_example_start,
    [JUDGE_OP_MEASURED_LIST] = &judge_op_measured_list,
    [JUDGE_OP_REASON_LIST] = &judge_op_reason_list,
    [JUDGE_OP_CALIBRATOR_FIND] = &judge_op_calibrator_find,
    [JUDGE_OP_TRAINING_SUMMARY] = &judge_op_training_summary,
    [JUDGE_OP_TRAINING_CREATE] = &judge_op_training_create,
    [JUDGE_OP_TRAINING_FIND] = &judge_op_training_find,
    [JUDGE_OP_TRAINING_COURSE] = &judge_op_training_course,
    [JUDGE_OP_TRAINING_LIST] = &judge_op_training_list,
    [JUDGE_OP_TRAINING_EXECUTE] = &judge_op_training_execute,
    [JUDGE_OP_TRAINING_CANCEL] = &judge_op_training_cancel,
    [JUDGE_OP_TRAINING_PEEK] = &judge_op_training_peek,
    [JUDGE_OP_TRAINING_CLAIM] = &judge_op_training_claim,
    [JUDGE_OP_TRAINING_CHECKPOINT] = &judge_op_training_checkpoint,
    [JUDGE_OP_TRAINING_PROGRESS] = &judge_op_training_progress,
    [JUDGE_OP_TRAINING_FINISH] = &judge_op_training_finish,
    [JUDGE_OP_SETTINGS_FIND] = &judge_op_settings_find,
    [JUDGE_OP_SETTINGS_LLM] = &judge_op_settings_llm,
    [JUDGE_OP_SETTINGS_WEBHOOKS] = &judge_op_settings_webhooks,
    [JUDGE_OP_SETTINGS_ROTATE] = &judge_op_settings_rotate,
    [JUDGE_OP_EVENT_REQUESTS] = &judge_op_event_requests,
    [JUDGE_OP_EVENT_WRITE] = &judge_op_event_write,
    [JUDGE_OP_DELIVERY_LIST] = &judge_op_delivery_list,
    [JUDGE_OP_DELIVERY_FIND] = &judge_op_delivery_find,
    [JUDGE_OP_DELIVERY_AGAIN] = &judge_op_delivery_again,
    [JUDGE_OP_DELIVERY_TEST] = &judge_op_delivery_test,
    [JUDGE_OP_DELIVERY_PURGE] = &judge_op_delivery_purge,
    [JUDGE_OP_WEBHOOK_PEEK] = &judge_op_webhook_peek,
    [JUDGE_OP_WEBHOOK_TURN] = &judge_op_webhook_turn,
};


judge_rc_e
judge_store_migrate(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *error)
{
    return judge_store_driver->migrate(arena, directory, error);
}


judge_runner_t *
judge_store_open(judge_arena_t *arena, judge_str_t directory, bool writer,
    judge_str_t *error)
{
    return judge_runner_open(judge_store_driver, judge_op_specs, arena,
                             directory, writer, error);
}


const judge_op_spec_t *
judge_op_spec(judge_op_kind_e kind)
{
    return judge_op_specs[kind];
}


judge_op_place_e
judge_op_place(judge_op_kind_e kind)
{
    return judge_op_specs[kind]->place;
}


const char *
judge_op_name(judge_op_kind_e kind)
{
    return judge_op_specs[kind]->name;
}
