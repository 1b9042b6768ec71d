/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The engine's table: a row for every kind of operation. */


#include "store/sqlite/sqlite_op.h"


static const judge_sqlite_op_t *const  judge_sqlite_ops[JUDGE_OP_COUNT] = {
    [JUDGE_OP_ORG_CREATE] = &judge_sqlite_org_create,
    [JUDGE_OP_ORG_LIST] = &judge_sqlite_org_list,
    [JUDGE_OP_KEY_CREATE] = &judge_sqlite_key_create,
    [JUDGE_OP_KEY_FIND] = &judge_sqlite_key_find,
    [JUDGE_OP_KEY_LIST] = &judge_sqlite_key_list,
    [JUDGE_OP_KEY_GET] = &judge_sqlite_key_get,
    [JUDGE_OP_KEY_UPDATE] = &judge_sqlite_key_update,
    [JUDGE_OP_KEY_DELETE] = &judge_sqlite_key_delete,
    [JUDGE_OP_KEY_USAGE] = &judge_sqlite_key_usage,
    [JUDGE_OP_JUDGE_CREATE] = &judge_sqlite_judge_create,
    [JUDGE_OP_JUDGE_FIND] = &judge_sqlite_judge_find,
    [JUDGE_OP_JUDGE_LIST] = &judge_sqlite_judge_list,
    [JUDGE_OP_JUDGE_UPDATE] = &judge_sqlite_judge_update,
    [JUDGE_OP_JUDGE_ACTIVATE] = &judge_sqlite_judge_activate,
    [JUDGE_OP_JUDGE_VERSIONS] = &judge_sqlite_judge_versions,
    [JUDGE_OP_JUDGE_DELETE] = &judge_sqlite_judge_delete,
    [JUDGE_OP_CONTENT_CREATE] = &judge_sqlite_content_create,
    [JUDGE_OP_CONTENT_FIND] = &judge_sqlite_content_find,
    [JUDGE_OP_CONTENT_LIST] = &judge_sqlite_content_list,
    [JUDGE_OP_CONTENT_DELETE] = &judge_sqlite_content_delete,
    [JUDGE_OP_PAIR_FIND] = &judge_sqlite_pair_find,
    [JUDGE_OP_EVALUATION_CREATE] = &judge_sqlite_evaluation_create,
    [JUDGE_OP_EVALUATION_FIND] = &judge_sqlite_evaluation_find,
    [JUDGE_OP_EVALUATION_LIST] = &judge_sqlite_evaluation_list,
    [JUDGE_OP_EVALUATION_RETRY] = &judge_sqlite_evaluation_retry,
    [JUDGE_OP_BATCH_CHECK] = &judge_sqlite_batch_check,
    [JUDGE_OP_BATCH_CREATE] = &judge_sqlite_batch_create,
    [JUDGE_OP_BATCH_FIND] = &judge_sqlite_batch_find,
    [JUDGE_OP_BATCH_LIST] = &judge_sqlite_batch_list,
    [JUDGE_OP_BATCH_START] = &judge_sqlite_batch_start,
    [JUDGE_OP_BATCH_RETRY] = &judge_sqlite_batch_retry,
    [JUDGE_OP_BATCH_DELETE] = &judge_sqlite_batch_delete,
    [JUDGE_OP_BATCH_FAILURES] = &judge_sqlite_batch_failures,
    [JUDGE_OP_BATCH_ITEMS] = &judge_sqlite_batch_items,
    [JUDGE_OP_BATCH_RESULTS] = &judge_sqlite_batch_results,
    [JUDGE_OP_BATCH_CRITERIA] = &judge_sqlite_batch_criteria,
    [JUDGE_OP_QUEUE_PEEK] = &judge_sqlite_queue_peek,
    [JUDGE_OP_QUEUE_CLAIM] = &judge_sqlite_queue_claim,
    [JUDGE_OP_QUEUE_LOAD] = &judge_sqlite_queue_load,
    [JUDGE_OP_QUEUE_FINISH] = &judge_sqlite_queue_finish,
    [JUDGE_OP_QUEUE_RELEASE] = &judge_sqlite_queue_release,
    [JUDGE_OP_QUEUE_PROLONG] = &judge_sqlite_queue_prolong,
    [JUDGE_OP_ANSWER_FIND] = &judge_sqlite_answer_find,
    [JUDGE_OP_QUEUE_DEPTH] = &judge_sqlite_queue_depth,
    [JUDGE_OP_JOB_CREATE] = &judge_sqlite_job_create,
    [JUDGE_OP_JOB_FIND] = &judge_sqlite_job_find,
    [JUDGE_OP_JOB_RESULTS] = &judge_sqlite_job_results,
    [JUDGE_OP_CALLBACK_FIND] = &judge_sqlite_callback_find,
    [JUDGE_OP_CALLBACK_FINISH] = &judge_sqlite_callback_finish,
    [JUDGE_OP_WORK_PEEK] = &judge_sqlite_work_peek,
    [JUDGE_OP_WORK_CLAIM] = &judge_sqlite_work_claim,
    [JUDGE_OP_WORK_PROLONG] = &judge_sqlite_work_prolong,
    [JUDGE_OP_WORK_RELEASE] = &judge_sqlite_work_release,
    [JUDGE_OP_FRAME_PUT] = &judge_sqlite_frame_put,
    [JUDGE_OP_FRAME_LIST] = &judge_sqlite_frame_list,
    [JUDGE_OP_FRAME_FIND] = &judge_sqlite_frame_find,
    [JUDGE_OP_IDEMPOTENCY_FIND] = &judge_sqlite_idempotency_find,
    [JUDGE_OP_IDEMPOTENCY_PURGE] = &judge_sqlite_idempotency_purge,
    [JUDGE_OP_PROBE] = &judge_sqlite_probe,
    [JUDGE_OP_SECRET] = &judge_sqlite_secret,
    [JUDGE_OP_UPLOAD_CREATE] = &judge_sqlite_upload_create,
    [JUDGE_OP_UPLOAD_FIND] = &judge_sqlite_upload_find,
    [JUDGE_OP_UPLOAD_RECEIVE] = &judge_sqlite_upload_receive,
    [JUDGE_OP_UPLOAD_PEEK] = &judge_sqlite_upload_peek,
    [JUDGE_OP_UPLOAD_CLAIM] = &judge_sqlite_upload_claim,
    [JUDGE_OP_UPLOAD_FINISH] = &judge_sqlite_upload_finish,
    [JUDGE_OP_FILES_KNOWN] = &judge_sqlite_files_known,
    [JUDGE_OP_REFERENCES_CHECK] = &judge_sqlite_references_check,
    [JUDGE_OP_FEEDBACK_TARGETS] = &judge_sqlite_feedback_targets,
    [JUDGE_OP_FEEDBACK_CREATE] = &judge_sqlite_feedback_create,
    [JUDGE_OP_FEEDBACK_LIST] = &judge_sqlite_feedback_list,
    [JUDGE_OP_FEEDBACK_PEEK] = &judge_sqlite_feedback_peek,
    [JUDGE_OP_FEEDBACK_CLAIM] = &judge_sqlite_feedback_claim,
    [JUDGE_OP_FEEDBACK_FINISH] = &judge_sqlite_feedback_finish,
    [JUDGE_OP_LESSON_LIST] = &judge_sqlite_lesson_list,
    [JUDGE_OP_LESSON_START] = &judge_sqlite_lesson_start,
    [JUDGE_OP_MEASURED_LIST] = &judge_sqlite_measured_list,
    [JUDGE_OP_REASON_LIST] = &judge_sqlite_reason_list,
    [JUDGE_OP_TRAINED_FIND] = &judge_sqlite_trained_find,
    [JUDGE_OP_TRAINING_SUMMARY] = &judge_sqlite_training_summary,
    [JUDGE_OP_TRAINING_CREATE] = &judge_sqlite_training_create,
    [JUDGE_OP_TRAINING_FIND] = &judge_sqlite_training_find,
    [JUDGE_OP_TRAINING_COURSE] = &judge_sqlite_training_course,
    [JUDGE_OP_TRAINING_LIST] = &judge_sqlite_training_list,
    [JUDGE_OP_TRAINING_EXECUTE] = &judge_sqlite_training_execute,
    [JUDGE_OP_TRAINING_CANCEL] = &judge_sqlite_training_cancel,
    [JUDGE_OP_TRAINING_PEEK] = &judge_sqlite_training_peek,
    [JUDGE_OP_TRAINING_CLAIM] = &judge_sqlite_training_claim,
    [JUDGE_OP_TRAINING_CHECKPOINT] = &judge_sqlite_training_checkpoint,
    [JUDGE_OP_TRAINING_PROGRESS] = &judge_sqlite_training_progress,
    [JUDGE_OP_TRAINING_FINISH] = &judge_sqlite_training_finish,
    [JUDGE_OP_SETTINGS_FIND] = &judge_sqlite_settings_find,
    [JUDGE_OP_SETTINGS_LLM] = &judge_sqlite_settings_llm,
    [JUDGE_OP_SETTINGS_WEBHOOKS] = &judge_sqlite_settings_webhooks,
    [JUDGE_OP_SETTINGS_ROTATE] = &judge_sqlite_settings_rotate,
    [JUDGE_OP_EVENT_WRITE] = &judge_sqlite_event_write,
    [JUDGE_OP_DELIVERY_LIST] = &judge_sqlite_delivery_list,
    [JUDGE_OP_DELIVERY_FIND] = &judge_sqlite_delivery_find,
    [JUDGE_OP_DELIVERY_AGAIN] = &judge_sqlite_delivery_again,
    [JUDGE_OP_DELIVERY_TEST] = &judge_sqlite_delivery_test,
    [JUDGE_OP_DELIVERY_PURGE] = &judge_sqlite_delivery_purge,
    [JUDGE_OP_WEBHOOK_PEEK] = &judge_sqlite_webhook_peek,
    [JUDGE_OP_WEBHOOK_TURN] = &judge_sqlite_webhook_turn,
};


const judge_sqlite_op_t *
judge_sqlite_op(judge_op_kind_e kind)
{
    return judge_sqlite_ops[kind];
}


judge_op_place_e
judge_op_place(judge_op_kind_e kind)
{
    return judge_sqlite_ops[kind]->place;
}


const char *
judge_op_name(judge_op_kind_e kind)
{
    return judge_sqlite_ops[kind]->name;
}
