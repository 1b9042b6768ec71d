/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How the interface shows judges, contents and feedback: in answers and in
 * events. */


#ifndef JUDGE_RESOURCE_JSON_H
#define JUDGE_RESOURCE_JSON_H


#include "base/json/json.h"
#include "store/store_feedback.h"


/* All write the members of the record into an open object. */

void judge_judge_json(judge_json_writer_t *w, const judge_judge_row_t *row);

/* Of that, what the judge wants to be judged by. */
void judge_judge_model_choice_json(judge_json_writer_t *w,
    const judge_judge_row_t *row);

/* file_url is where the file can be had; absent: nowhere. */
void judge_content_json(judge_json_writer_t *w, const judge_content_row_t *row,
    judge_str_t file_url);

void judge_feedback_json(judge_json_writer_t *w,
    const judge_feedback_row_t *row);


#endif /* JUDGE_RESOURCE_JSON_H */
