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
#include "api/http/request.h"
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

/* Whether all is judged; false: the request has been answered. */
bool judge_compared_ended(judge_req_t *r, const judge_compared_batch_t *batch);

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

/* Writes the members overall and criteria; put() writes the members of one of
 * these, by target. */
void judge_compared_targets(judge_json_writer_t *w,
    const judge_list_t *criteria, void (*put)(judge_json_writer_t *w,
    const void *report, size_t target), const void *report);

/* Begins the object `pairs`, the comparisons by a language model. */
void judge_compared_pairs(judge_json_writer_t *w,
    const judge_compared_batch_t *batch, int64_t calls, int64_t tokens);

extern const judge_leased_kind_t  judge_pair_runs;
extern const judge_resource_t     judge_comparisons_resource;

extern const judge_route_t  judge_comparison_routes[];
extern const judge_route_t  judge_ranking_routes[];


/* --- Scores of a batch --------------------------------------------------- */

/*
 * The scores that a judge gave to texts of a batch, and the hashes by which
 * equal ones are found: of those that are loaded for some items, or of all,
 * which are read page by page, each page in a thread.
 */

#define JUDGE_SCORED_NOBODY  -2        /* nobody is preferred; -1: a tie */

/* What items of two batches are matched by. */
typedef enum {
    JUDGE_SAME_CONTENT,
    JUDGE_SAME_ID_AND_SYSTEM,          /* of metadata, where they are unique */
    JUDGE_SAME_ID,
    JUDGE_SAME_TEXT,                   /* and name */
    JUDGE_SAME_COUNT
} judge_same_e;

typedef struct {
    judge_id_t  evaluation;
    judge_id_t  content;
    uint64_t    keys[JUDGE_SAME_COUNT];          /* hashes; 0: there is none */
    uint64_t    source;                /* likewise: of metadata.source, */
    uint64_t    text;                  /* the text, or else the content, */
    uint64_t    engine;
    const char *status;                /* completed, failed, processing, or
                                          deleted */
    uint32_t    size;                  /* of the text */
    int8_t      preferred;             /* a system, or as above */
} judge_scored_row_t;

typedef struct {
    const judge_compared_batch_t  *batch;        /* in, as all up to most */
    judge_list_t         criteria;     /* of judge_criterion_row_t */
    size_t               most;         /* rows */
    judge_scored_row_t  *rows;         /* out, as all up to cut, in the order
                                          of the contents; one for each if they
                                          are those of systems */
    float               *scores;       /* by row and target, the first of which
                                          is the overall score; NaN: none */
    float               *deviations;   /* likewise: spread of a candidate */
    bool                *by_model;     /* by target: a language model gave a
                                          score */
    size_t               n;
    bool                 cut;          /* the batch has more than `most` */
    judge_batch_scores_t page;
    judge_id_t           last;         /* of the page before */
    judge_step_pt        next;
} judge_scored_t;

/* Reads all pages; `next` is the step that follows.  The first member of the
 * request's context has to be a pointer, which is set to `scored`. */
void judge_scored_read(judge_req_t *r, judge_scored_t *scored,
    judge_step_pt next);

/* Reads what was loaded.  JUDGE_OK or JUDGE_NOMEM; any thread. */
judge_rc_e judge_scored_load(judge_arena_t *arena,
    const judge_compared_batch_t *batch, const judge_comparison_load_t *load,
    judge_scored_t *scored);

/* Sets the candidates of an item, by target and system.  An overall score is a
 * mean of what was judged, and says nothing beside one of other criteria:
 * those that lack a criterion which another one has get none. */
void judge_scored_item(const judge_scored_t *scored, size_t item,
    judge_candidate_t *out);

/* 0: the string is empty. */
uint64_t judge_scored_hash(uint64_t start, judge_str_t s);


#endif /* JUDGE_COMPARE_H */
