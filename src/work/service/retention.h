/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Deleting what is older than it is to be kept, in many small operations: a
 * round goes through all organizations once for each kind.  The caller runs
 * them, one at a time, beside whatever else the store has to do. */


#ifndef JUDGE_RETENTION_H
#define JUDGE_RETENTION_H


#include "store/store_admin.h"


#define JUDGE_RETENTION_ROWS  100      /* looked at in a transaction */

typedef enum {
    JUDGE_RETAIN_CONTENTS,             /* with what hangs on them */
    JUDGE_RETAIN_RESULTS,              /* evaluations, and feedback on them */
    JUDGE_RETAIN_EMPTY,                /* batches and jobs left without any;
                                          as old as results may be */
    JUDGE_RETAIN_FEEDBACK,
    JUDGE_RETAIN_COUNT
} judge_retain_e;

typedef struct {
    judge_ms_t      before[JUDGE_RETAIN_COUNT];  /* 0: nothing of it */
    judge_retain_e  what;              /* of the next operation */
    judge_id_t      from;
    judge_id_t      after;
    bool            skip;
} judge_retention_t;

/* Begins a round: what was made before goes; 0: nothing of it. */
void judge_retention_begin(judge_retention_t *r, judge_ms_t contents,
    judge_ms_t results, judge_ms_t feedback);

/* Prepares a zeroed operation with an arena; false: the round is over. */
bool judge_retention_next(judge_retention_t *r, judge_old_t *op,
    judge_ms_t now);

/* It is done; one that failed ends the round. */
void judge_retention_done(judge_retention_t *r, const judge_old_t *op);


#endif /* JUDGE_RETENTION_H */
