/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The scores that a judge gave to texts of a batch, and the hashes by which
 * equal ones are found: of those that are loaded for some items, or of all,
 * which are read page by page, each page in a thread.
 */


#ifndef JUDGE_SCORED_H
#define JUDGE_SCORED_H


#include "api/http/request.h"
#include "extensions/compare/compare.h"


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
                                          of the contents */
    float               *scores;       /* by row and target, the first of which
                                          is the overall score; NaN: none */
    float               *deviations;   /* likewise: spread of a candidate */
    bool                *by_model;     /* by target: a language model gave a
                                          score */
    size_t               n;
    bool                 cut;          /* the batch has more than `most` */
    judge_scored_row_t **cells;        /* the rows by item and system; NULL: it
                                          was deleted */
    judge_buf_t          row_bytes;
    judge_buf_t          score_bytes;
    judge_buf_t          deviation_bytes;
    judge_batch_scores_t page;
    judge_id_t           last;         /* of the page before */
    judge_step_pt        next;
} judge_scored_t;

/* Reads all pages; `next` is the step that follows.  The first member of the
 * request's context has to be a pointer, which is set to `scored`. */
void judge_scored_read(judge_req_t *r, judge_scored_t *scored,
    judge_step_pt next);

/* Reads what was loaded, with the cells.  JUDGE_OK or JUDGE_NOMEM; any
 * thread. */
judge_rc_e judge_scored_load(judge_arena_t *arena,
    const judge_compared_batch_t *batch, const judge_comparison_load_t *load,
    judge_scored_t *scored);

/* Sets the candidates of an item out of its cells, by target and system.  An
 * overall score is a mean of what was judged, and says nothing beside one of
 * other criteria: those that lack a criterion which another one has get
 * none. */
void judge_scored_item(const judge_scored_t *scored, size_t item, size_t n,
    judge_candidate_t *out);

/* 0: the string is empty. */
uint64_t judge_scored_hash(uint64_t start, judge_str_t s);


#endif /* JUDGE_SCORED_H */
