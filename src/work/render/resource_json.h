/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How the interface shows judges, contents, feedback, batches, training jobs
 * and work for external workers: in answers and in events. */


#ifndef JUDGE_RESOURCE_JSON_H
#define JUDGE_RESOURCE_JSON_H


#include "base/json/fields.h"
#include "base/json/json.h"
#include "store/store_batch.h"
#include "store/store_external.h"
#include "store/store_feedback.h"
#include "store/store_training.h"
#include "work/service/service.h"


/* All write the members of the record into an open object. */

void judge_judge_json(judge_json_writer_t *w, const judge_judge_row_t *row);

/* The criteria with the choice who judges each.  shown: a judge_judged_by_e
 * for each, which a training has shown: corrections; nothing, not even these;
 * or auto, nothing new.  It may be NULL.  data NULL: out of memory. */
judge_str_t judge_judge_json_chosen(judge_arena_t *arena,
    const judge_judge_row_t *row, const uint8_t *shown);

/* A row of the fields judge_judge_texts(), and its text. */
extern const judge_field_t  judge_judge_text_fields[];

#define judge_judge_text(row, field)                                          \
    ((judge_str_t *) (void *) ((char *) (row) + (field)->offset))

/* Writes only the judge's model and its parameters. */
void judge_judge_model_choice_json(judge_json_writer_t *w,
    const judge_judge_row_t *row);

/* file_url: the file's download address; absent: none. */
void judge_content_json(judge_json_writer_t *w, const judge_content_row_t *row,
    judge_str_t file_url);

void judge_feedback_json(judge_json_writer_t *w,
    const judge_feedback_row_t *row);

/* Writes content_ids if the row has them, failure_summary if there are
 * failures, and estimated_completion_time unless `estimate` is 0. */
void judge_batch_json(judge_json_writer_t *w, const judge_batch_row_t *row,
    const judge_batch_failure_t *failures, size_t nfailures,
    judge_ms_t estimate);

/* The member `error` of a batch or job without evaluations, if it failed since
 * they were all deleted. */
void judge_job_empty_json(judge_json_writer_t *w, judge_str_t status);

/* Writes total, completed, failed and progress_percentage, and the member
 * results_summary on request. */
void judge_batch_progress(judge_json_writer_t *w,
    const judge_batch_row_t *row, bool with_results);

/* Whether the batch is final unless a client changes it. */
bool judge_batch_ended(judge_str_t status);

extern const char *const  judge_priorities[];     /* by JUDGE_PRIORITY_…;
                                                     NULL ends it */

/* The fields of a work item, except those of a lease.  base: the beginning of
 * addresses; a file's address is valid until file_until. */
void judge_external_json(judge_json_writer_t *w,
    const judge_service_t *service,
    judge_str_t base, judge_str_t org, const judge_work_item_t *item,
    judge_ms_t file_until);

/* now: 0 omits the estimate of the remaining time.  The metrics' losses and
 * the logs come from courses; NULL omits them.  service NULL omits notices. */
void judge_training_json(judge_json_writer_t *w,
    const judge_training_row_t *row,
    const judge_training_course_t *course,
    const judge_training_course_t *logs, judge_ms_t now,
    const judge_service_t *service);

/* {total_feedback_count, …}; data NULL: out of memory. */
judge_str_t judge_training_summary(judge_arena_t *arena,
    const judge_training_summary_t *summary);

bool judge_training_ended(judge_str_t status);

/* Writes the e-mail address that is notified of a job, or that it is not,
 * because judge_mail is not configured. */
void judge_training_json_notices(judge_json_writer_t *w, judge_str_t options,
    const judge_service_t *service);
void judge_notices_json(judge_json_writer_t *w);

/* Whole minutes, at least one. */
int64_t judge_training_minutes(judge_ms_t ms);


/* --- References ---------------------------------------------------------- */

/* References of judges: files that show what good content looks like. */

judge_str_t judge_reference_uri(judge_arena_t *arena, judge_str_t org,
    const judge_reference_row_t *row);

/* The type of content (text, …) that an extension stands for. */
const char *judge_reference_kind(judge_str_t extension);

/* Writes the member reference_errors if a judge of that type can't use some of
 * the references.  `unseen`: a language model judges, which is shown texts of
 * references only, and never their files. */
void judge_reference_errors_json(judge_json_writer_t *w, judge_str_t org,
    const judge_reference_row_t *rows, size_t n, judge_str_t content_type,
    bool unseen);

/* Writes the member `references` for a worker from the judge's URIs (JSON):
 * those of the type that it judges. */
void judge_references_json(judge_json_writer_t *w,
    const judge_service_t *service, judge_str_t base, judge_str_t org,
    judge_str_t uris, judge_str_t file_type, judge_ms_t until);

/* The download address of a content's or reference's file, valid so long. */
judge_str_t judge_file_url(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t base, judge_str_t org,
    judge_str_t id, judge_str_t file_path, judge_ms_t until);


#endif /* JUDGE_RESOURCE_JSON_H */
