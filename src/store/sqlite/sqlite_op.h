/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the rows of the SQLite engine are made of; for src/store only.
 */


#ifndef JUDGE_SQLITE_OP_H
#define JUDGE_SQLITE_OP_H


#include <sqlite3.h>

#include "store/store.h"


#define JUDGE_SQLITE_STATEMENTS  8


/* Before a statement the binder is asked what is to be done with it. */
typedef enum {
    JUDGE_STEP_RUN,                    /* bound: run it, go on to the next */
    JUDGE_STEP_REPEAT,                 /* bound: run it, then ask again */
    JUDGE_STEP_SKIP,                   /* go on to the next */
    JUDGE_STEP_END                     /* op->rc says how it ended */
} judge_step_e;

typedef struct {
    judge_op_t    *op;
    sqlite3_stmt  *st;
    size_t         step;               /* number of the statement */
    size_t         turn;               /* how often it has been run */
    size_t         rows;               /* that the last statement gave */
    int64_t        changes;            /* rows that the last one changed */
} judge_run_t;

/*
 * bind() is asked once more behind the last statement (st is NULL), so that
 * it can say how the operation ended; op->rc is JUDGE_OK unless it is set.
 * Where the operation has a page, read() gets the rows of it and no more;
 * the statement must find one row more than the limit.
 */
typedef struct {
    const char         *name;
    judge_op_place_e    place;
    size_t              page;          /* offset of the page; 0: it has none */
    const char         *sql[JUDGE_SQLITE_STATEMENTS];
    judge_step_e      (*bind)(judge_run_t *run);
    judge_rc_e        (*read)(judge_run_t *run);
} judge_sqlite_op_t;

/* Before the first connection of the process; more than once is fine. */
void judge_sqlite_configure(void);

/* The row of a kind; every kind has one, each stands with its resource. */
const judge_sqlite_op_t *judge_sqlite_op(judge_op_kind_e kind);

extern const judge_sqlite_op_t  judge_sqlite_org_create;
extern const judge_sqlite_op_t  judge_sqlite_org_list;
extern const judge_sqlite_op_t  judge_sqlite_key_create;
extern const judge_sqlite_op_t  judge_sqlite_key_find;
extern const judge_sqlite_op_t  judge_sqlite_key_list;
extern const judge_sqlite_op_t  judge_sqlite_key_get;
extern const judge_sqlite_op_t  judge_sqlite_key_update;
extern const judge_sqlite_op_t  judge_sqlite_key_delete;
extern const judge_sqlite_op_t  judge_sqlite_key_usage;
extern const judge_sqlite_op_t  judge_sqlite_judge_create;
extern const judge_sqlite_op_t  judge_sqlite_judge_find;
extern const judge_sqlite_op_t  judge_sqlite_judge_list;
extern const judge_sqlite_op_t  judge_sqlite_judge_update;
extern const judge_sqlite_op_t  judge_sqlite_judge_activate;
extern const judge_sqlite_op_t  judge_sqlite_judge_versions;
extern const judge_sqlite_op_t  judge_sqlite_judge_delete;
extern const judge_sqlite_op_t  judge_sqlite_content_create;
extern const judge_sqlite_op_t  judge_sqlite_content_find;
extern const judge_sqlite_op_t  judge_sqlite_content_list;
extern const judge_sqlite_op_t  judge_sqlite_content_delete;
extern const judge_sqlite_op_t  judge_sqlite_pair_find;
extern const judge_sqlite_op_t  judge_sqlite_evaluation_create;
extern const judge_sqlite_op_t  judge_sqlite_evaluation_find;
extern const judge_sqlite_op_t  judge_sqlite_evaluation_list;
extern const judge_sqlite_op_t  judge_sqlite_evaluation_retry;
extern const judge_sqlite_op_t  judge_sqlite_batch_check;
extern const judge_sqlite_op_t  judge_sqlite_batch_create;
extern const judge_sqlite_op_t  judge_sqlite_batch_find;
extern const judge_sqlite_op_t  judge_sqlite_batch_list;
extern const judge_sqlite_op_t  judge_sqlite_batch_start;
extern const judge_sqlite_op_t  judge_sqlite_batch_retry;
extern const judge_sqlite_op_t  judge_sqlite_batch_delete;
extern const judge_sqlite_op_t  judge_sqlite_batch_failures;
extern const judge_sqlite_op_t  judge_sqlite_batch_items;
extern const judge_sqlite_op_t  judge_sqlite_batch_results;
extern const judge_sqlite_op_t  judge_sqlite_batch_criteria;
extern const judge_sqlite_op_t  judge_sqlite_queue_peek;
extern const judge_sqlite_op_t  judge_sqlite_queue_claim;
extern const judge_sqlite_op_t  judge_sqlite_queue_load;
extern const judge_sqlite_op_t  judge_sqlite_queue_finish;
extern const judge_sqlite_op_t  judge_sqlite_queue_release;
extern const judge_sqlite_op_t  judge_sqlite_queue_prolong;
extern const judge_sqlite_op_t  judge_sqlite_answer_find;
extern const judge_sqlite_op_t  judge_sqlite_queue_depth;
extern const judge_sqlite_op_t  judge_sqlite_job_create;
extern const judge_sqlite_op_t  judge_sqlite_job_find;
extern const judge_sqlite_op_t  judge_sqlite_job_results;
extern const judge_sqlite_op_t  judge_sqlite_callback_find;
extern const judge_sqlite_op_t  judge_sqlite_callback_finish;
extern const judge_sqlite_op_t  judge_sqlite_work_peek;
extern const judge_sqlite_op_t  judge_sqlite_work_claim;
extern const judge_sqlite_op_t  judge_sqlite_work_prolong;
extern const judge_sqlite_op_t  judge_sqlite_work_release;
extern const judge_sqlite_op_t  judge_sqlite_frame_put;
extern const judge_sqlite_op_t  judge_sqlite_frame_list;
extern const judge_sqlite_op_t  judge_sqlite_frame_find;
extern const judge_sqlite_op_t  judge_sqlite_idempotency_find;
extern const judge_sqlite_op_t  judge_sqlite_idempotency_purge;
extern const judge_sqlite_op_t  judge_sqlite_probe;
extern const judge_sqlite_op_t  judge_sqlite_secret;
extern const judge_sqlite_op_t  judge_sqlite_upload_create;
extern const judge_sqlite_op_t  judge_sqlite_upload_find;
extern const judge_sqlite_op_t  judge_sqlite_upload_receive;
extern const judge_sqlite_op_t  judge_sqlite_upload_peek;
extern const judge_sqlite_op_t  judge_sqlite_upload_claim;
extern const judge_sqlite_op_t  judge_sqlite_upload_finish;
extern const judge_sqlite_op_t  judge_sqlite_files_known;
extern const judge_sqlite_op_t  judge_sqlite_references_check;
extern const judge_sqlite_op_t  judge_sqlite_feedback_targets;
extern const judge_sqlite_op_t  judge_sqlite_feedback_create;
extern const judge_sqlite_op_t  judge_sqlite_feedback_list;
extern const judge_sqlite_op_t  judge_sqlite_feedback_peek;
extern const judge_sqlite_op_t  judge_sqlite_feedback_claim;
extern const judge_sqlite_op_t  judge_sqlite_feedback_finish;
extern const judge_sqlite_op_t  judge_sqlite_lesson_list;
extern const judge_sqlite_op_t  judge_sqlite_lesson_start;
extern const judge_sqlite_op_t  judge_sqlite_measured_list;
extern const judge_sqlite_op_t  judge_sqlite_reason_list;
extern const judge_sqlite_op_t  judge_sqlite_trained_find;
extern const judge_sqlite_op_t  judge_sqlite_training_summary;
extern const judge_sqlite_op_t  judge_sqlite_training_create;
extern const judge_sqlite_op_t  judge_sqlite_training_find;
extern const judge_sqlite_op_t  judge_sqlite_training_course;
extern const judge_sqlite_op_t  judge_sqlite_training_list;
extern const judge_sqlite_op_t  judge_sqlite_training_execute;
extern const judge_sqlite_op_t  judge_sqlite_training_cancel;
extern const judge_sqlite_op_t  judge_sqlite_training_peek;
extern const judge_sqlite_op_t  judge_sqlite_training_claim;
extern const judge_sqlite_op_t  judge_sqlite_training_checkpoint;
extern const judge_sqlite_op_t  judge_sqlite_training_progress;
extern const judge_sqlite_op_t  judge_sqlite_training_finish;
extern const judge_sqlite_op_t  judge_sqlite_settings_find;
extern const judge_sqlite_op_t  judge_sqlite_settings_llm;
extern const judge_sqlite_op_t  judge_sqlite_settings_webhooks;
extern const judge_sqlite_op_t  judge_sqlite_settings_rotate;
extern const judge_sqlite_op_t  judge_sqlite_event_write;
extern const judge_sqlite_op_t  judge_sqlite_delivery_list;
extern const judge_sqlite_op_t  judge_sqlite_delivery_find;
extern const judge_sqlite_op_t  judge_sqlite_delivery_again;
extern const judge_sqlite_op_t  judge_sqlite_delivery_test;
extern const judge_sqlite_op_t  judge_sqlite_delivery_purge;
extern const judge_sqlite_op_t  judge_sqlite_webhook_peek;
extern const judge_sqlite_op_t  judge_sqlite_webhook_turn;


/* Binding; an absent string or a zero "when" becomes NULL. */
void judge_bind_str(judge_run_t *run, int i, judge_str_t s);
void judge_bind_blob(judge_run_t *run, int i, judge_str_t s);
void judge_bind_int(judge_run_t *run, int i, int64_t v);
void judge_bind_when(judge_run_t *run, int i, judge_ms_t t);
void judge_bind_double(judge_run_t *run, int i, double v, bool set);

/* Columns; a string is copied into the operation's arena. */
judge_str_t judge_column_str(judge_run_t *run, int i);   /* NULL: absent */
int64_t judge_column_int(judge_run_t *run, int i);

double judge_column_double(judge_run_t *run, int i);
bool judge_column_null(judge_run_t *run, int i);

/* Room for one more row of a list of at most n rows; NULL: no memory. */
void *judge_row_room(judge_run_t *run, void *rows, size_t n, size_t size);


/* An evaluation as its organization sees it: the columns, and the reader of
 * them where they stand first. */
#define JUDGE_EVALUATION_COLUMNS                                              \
    "org, id, status, queue_at, priority, owner, attempts, content_id,"       \
    " judge_id, judge_version, batch_id, created_at, deadline, evaluated_at," \
    " last_error, (SELECT body FROM results r WHERE r.org = evaluations.org"  \
    " AND r.evaluation_id = evaluations.id), work_progress"

#define JUDGE_EVALUATION_COLUMN_NEXT  17

void judge_evaluation_row_read(judge_run_t *run,
    judge_evaluation_row_t *row);

/* What an evaluation ended with. */
#define JUDGE_RESULT_INSERT                                                   \
    "INSERT INTO results (org, evaluation_id, status, features, body)"        \
    " VALUES (?1, ?2, ?3, ?4, ?5)"

void judge_result_bind(judge_run_t *run, judge_str_t org,
    const judge_result_t *result);


#endif /* JUDGE_SQLITE_OP_H */
