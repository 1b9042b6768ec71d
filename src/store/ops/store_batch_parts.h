/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Keeping the counts of batches, for the operations of src/store that change
 * evaluations: differences are collected first, one for each batch, and then
 * added by one statement that runs once for each.
 */


#ifndef JUDGE_STORE_BATCH_PARTS_H
#define JUDGE_STORE_BATCH_PARTS_H


#include "store/ops/store_ops.h"
#include "store/store_batch.h"


struct judge_batch_delta {
    judge_str_t           org;
    judge_str_t           id;
    int64_t               total;
    int64_t               completed;
    int64_t               failed;
    int64_t               seq;         /* to be added to last_seq */
    int64_t               score_sum;
    int64_t               score_count;
    int64_t               scores[JUDGE_BATCH_SCORES];
    judge_ms_t            now;         /* when it ends, if it ends by this */
    judge_batch_delta_t  *next;
};


/* The difference of a batch, made if need be; NULL: no memory. */
judge_batch_delta_t *judge_batch_delta(judge_arena_t *arena,
    judge_batch_deltas_t *deltas, judge_str_t org, judge_str_t id);

/* An evaluation of that status and score comes (sign 1) or goes (-1); one
 * that is not ended changes nothing here. */
void judge_batch_delta_add(judge_batch_delta_t *delta, int sign,
    judge_str_t status, double score, bool scored);

/* Binds JUDGE_BATCH_COUNT to one difference after another: _REPEAT, or _SKIP
 * behind the last one. */
judge_step_e judge_batch_count_bind(judge_run_t *run,
    judge_batch_deltas_t *deltas);

/* Reads what JUDGE_BATCH_COUNT gives back, and adds an event for a batch that
 * ended or went on by a tenth. */
judge_rc_e judge_batch_count_read(judge_run_t *run,
    const judge_batch_deltas_t *deltas);

#define JUDGE_BATCH_ALL                                                       \
    "completed + ?4 + failed + ?5 >= total + ?3"

#define JUDGE_BATCH_COUNT                                                     \
    "UPDATE batches SET total = total + ?3, completed = completed + ?4,"      \
    " failed = failed + ?5, last_seq = last_seq + ?6,"                        \
    " score_sum = score_sum + ?7, score_count = score_count + ?8,"            \
    " scores_00 = scores_00 + ?9, scores_10 = scores_10 + ?10,"               \
    " scores_20 = scores_20 + ?11, scores_30 = scores_30 + ?12,"              \
    " scores_40 = scores_40 + ?13, scores_50 = scores_50 + ?14,"              \
    " scores_60 = scores_60 + ?15, scores_70 = scores_70 + ?16,"              \
    " scores_80 = scores_80 + ?17, scores_90 = scores_90 + ?18,"              \
    " status = CASE WHEN status = 'created' THEN status"                      \
    " WHEN NOT (" JUDGE_BATCH_ALL ") THEN 'evaluating'"                       \
    " WHEN completed + ?4 = 0 AND failed + ?5 > 0 THEN 'failed'"              \
    " ELSE 'completed' END,"                                                  \
    " completed_at = CASE WHEN status <> 'created' AND " JUDGE_BATCH_ALL      \
    " THEN COALESCE(completed_at, ?19) END"                                   \
    " WHERE org = ?1 AND id = ?2 RETURNING status, completed + failed, total"


#endif /* JUDGE_STORE_BATCH_PARTS_H */
