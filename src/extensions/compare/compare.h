/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the endpoints of comparisons share.  A comparison is a batch whose
 * contents are the answers of several systems, item by item. */


#ifndef JUDGE_COMPARE_H
#define JUDGE_COMPARE_H


#include "store/store_compare.h"
#include "api/batches/batches.h"
#include "extensions/compare/comparison.h"


#define JUDGE_COMPARED_NAME   100      /* characters of a system's name */
#define JUDGE_COMPARED_TEXT   16384    /* texts of the same length are equal if
                                          so many first bytes are */
#define JUDGE_COMPARED_ITEMS  20000    /* of a batch, at most */

/* The batch of a request, its systems, and one of its judges. */
typedef struct {
    judge_comparison_find_t  find;
    judge_str_t              named;    /* query parameter: the judge */
    judge_str_t              names[JUDGE_COMPARED_MAX];  /* of systems */
    size_t                   n;
    judge_str_t              judge;
    int64_t                  version;
    judge_batch_criteria_t   criteria_op;
    judge_str_t              criteria_text;
    judge_list_t             criteria; /* of judge_criterion_row_t */
    judge_json_t            *contents; /* after judge_compared_contents() */
    size_t                   items;
} judge_compared_batch_t;

#define judge_compared_judge_field(type, member)                              \
    judge_field_as("judge_id", type, member.named, STRING, 0, 1, 40)

/* The steps that read a batch: _found() after COMPARISON_FIND has succeeded,
 * then _criteria() in the step `next`.  false: the request has been
 * answered. */
bool judge_compared_found(judge_req_t *r, judge_compared_batch_t *batch,
    judge_step_pt next);
bool judge_compared_criteria(judge_req_t *r, judge_compared_batch_t *batch);

/* The names of the systems, out of batch->find.  JUDGE_OK or JUDGE_ERROR. */
judge_rc_e judge_compared_names(judge_arena_t *arena,
    judge_compared_batch_t *batch);

/* Parses the identifiers of contents, in any thread. */
judge_rc_e judge_compared_contents(judge_arena_t *arena,
    judge_compared_batch_t *batch);

/* The texts of one item, by system. */
typedef struct {
    judge_batch_scores_row_t  rows[JUDGE_COMPARED_MAX];
    const char               *states[JUDGE_COMPARED_MAX];
    judge_candidate_t        *compared;          /* by target and candidate */
    bool                     *by_model;          /* by target: a language model
                                          gave scores */
} judge_compared_item_t;

/* Sets the content_id of the rows of the item; JUDGE_NOT_FOUND: there is no
 * such item.  Runs in any thread, because a batch may have many items. */
judge_rc_e judge_compared_choose(const judge_compared_batch_t *batch,
    int64_t item, judge_compared_item_t *out);

/* Sets the other members from item->rows.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_compared_item(judge_arena_t *arena,
    const judge_compared_batch_t *batch, judge_compared_item_t *item);

/* Returns how many preferences the request may read: `most`, or none. */
int64_t judge_compared_shown(const judge_req_t *r, int64_t most);

/* Writes a number of four decimals, unless it is NaN. */
void judge_compared_number(judge_json_writer_t *w, const char *key, double v);

/* Writes the members overall and criteria; put() writes the members of one of
 * these, by target. */
void judge_compared_targets(judge_json_writer_t *w,
    const judge_list_t *criteria, void (*put)(judge_json_writer_t *w,
    const void *report, size_t target), const void *report);

/* Begins the object `pairs`, the comparisons by a language model. */
void judge_compared_pairs(judge_json_writer_t *w,
    const judge_compared_batch_t *batch, int64_t calls, int64_t tokens);

/* Writes the quotient of a part and the whole, unless the whole is 0. */
void judge_compared_share(judge_json_writer_t *w, const char *key, size_t part,
    size_t whole);

extern const judge_route_t  judge_comparison_routes[];
extern const judge_route_t  judge_ranking_routes[];


#endif /* JUDGE_COMPARE_H */
