/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The requests for one comparison: comparison_create.c makes it,
 * comparison_read.c reads it, comparison_routes.c has the routes. */


#ifndef JUDGE_COMPARISON_REQUEST_H
#define JUDGE_COMPARISON_REQUEST_H


#include "api/http/await_end.h"
#include "extensions/compare/paired.h"
#include "extensions/compare/scored.h"


/* A candidate as its client sends it. */
typedef struct {
    judge_str_t    id;
    judge_str_t    content_id;
    judge_str_t    text_content;
    judge_json_t  *messages;           /* in place of the text */
    judge_json_t  *metadata;
} judge_compared_sent_t;

typedef struct {
    judge_batch_creation_t     make;   /* first: see judge_batch_create() */
    judge_str_t                judge_id;
    judge_str_t                source;
    judge_list_t               candidates;       /* of
                                          judge_compared_sent_t */
    judge_await_end_t          waiting;

    judge_integer_t            item;
    judge_number_t             level;
    judge_compared_batch_t     batch;
    judge_comparison_load_t    load;   /* of the item */
    judge_scored_t             scored;
    judge_candidate_t         *compared;         /* by target and candidate */
    judge_paired_t             pairs;
    judge_comparison_t        *figures;          /* by target */

    judge_preference_create_t  preference;
    judge_str_t                winner; /* absent: a tie */
    judge_str_t                type;   /* of the feedback */
} judge_comparing_t;

void judge_comparison_create(judge_req_t *r);
void judge_comparison_created(judge_req_t *r, judge_json_writer_t *w);
void judge_comparison_stored(judge_req_t *r);
void judge_comparison_waited(judge_req_t *r);

/* Reads the scores of the batch that was found, and answers. */
void judge_comparison_read(judge_req_t *r);

/* Whether the batch has the item; false: the request has been answered. */
bool judge_comparison_has(judge_req_t *r);

void judge_comparison_candidates(judge_json_writer_t *w,
    const judge_comparing_t *c);
void judge_comparison_preference(judge_json_writer_t *w,
    const judge_comparing_t *c, const judge_preference_row_t *row);
const char *judge_comparison_status(judge_str_t status); /* of a batch */


#endif /* JUDGE_COMPARISON_REQUEST_H */
