/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* References of judges: files that show what good content looks like. */


#ifndef JUDGE_REFERENCE_JSON_H
#define JUDGE_REFERENCE_JSON_H


#include "base/json/json.h"
#include "work/service/service.h"


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


#endif /* JUDGE_REFERENCE_JSON_H */
