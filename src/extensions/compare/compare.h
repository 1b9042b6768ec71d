/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the endpoints of comparisons share.  A comparison is a batch whose
 * contents are the answers of several systems, item by item. */


#ifndef JUDGE_COMPARE_H
#define JUDGE_COMPARE_H


#include "store/store_compare.h"
#include "work/service/leased.h"
#include "api/batches/batches.h"
#include "extensions/compare/comparison.h"


#define JUDGE_COMPARED_NAME   100      /* characters of a system's name */
#define JUDGE_COMPARED_TEXT   16384    /* texts of the same length are equal if
                                          so many first bytes are */
#define JUDGE_COMPARED_ITEMS  20000    /* of a batch, at most */
#define JUDGE_COMPARED_PAIRS  512      /* answers; more than an item can
                                          have */

/* The batch of a request, its systems, and one of its judges. */
typedef struct {
    judge_comparison_find_t  find;
    judge_str_t              names[JUDGE_COMPARED_MAX];  /* of systems */
    size_t                   n;
    judge_str_t              judge;
    int64_t                  version;
    judge_list_t             criteria; /* of judge_criterion_row_t */
    size_t                   items;
} judge_compared_batch_t;

#define judge_compared_judge_field(type, member)                              \
    judge_field_as("judge_id", type, member.find.judge_id, STRING, 0, 1, 40)

/* Read what COMPARISON_FIND has found: the judge, that the query may name in
 * `field`, with its criteria; or that and the systems.  false: the request has
 * been answered. */
bool judge_compared_judge(judge_req_t *r, judge_compared_batch_t *batch,
    const char *field);
bool judge_compared_found(judge_req_t *r, judge_compared_batch_t *batch);

/* Reads batch->find: the names of the systems, and how many items there are.
 * JUDGE_OK or JUDGE_ERROR. */
judge_rc_e judge_compared_names(judge_arena_t *arena,
    judge_compared_batch_t *batch);

/* The i-th content of the batch: those of the first item, by system, then
 * those of the next one. */
judge_str_t judge_compared_content(const judge_compared_batch_t *batch,
    size_t i);

/* Sets what of `load` says that n items from the first on are read.  false:
 * out of memory. */
bool judge_compared_load(judge_arena_t *arena,
    const judge_compared_batch_t *batch, size_t first, size_t n,
    judge_comparison_load_t *load);

/* Whether it has the item; false: the request has been answered. */
bool judge_compared_has(judge_req_t *r, const judge_compared_batch_t *batch,
    int64_t item);

/* Returns how many preferences the request may read: `most`, or none. */
int64_t judge_compared_shown(const judge_req_t *r, int64_t most);

/* Writes the members of a preference. */
void judge_preference_json(judge_json_writer_t *w,
    const judge_compared_batch_t *batch, const judge_preference_row_t *row);

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

extern const judge_leased_kind_t  judge_pair_runs;
extern const judge_resource_t     judge_comparisons_resource;

extern const judge_route_t  judge_comparison_routes[];
extern const judge_route_t  judge_preference_routes[];
extern const judge_route_t  judge_ranking_routes[];


#endif /* JUDGE_COMPARE_H */
