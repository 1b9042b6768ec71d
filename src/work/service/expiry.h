/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What each worker does beside requests, in small transactions.  At each tick
 * it goes on with what another worker has left unfinished: the slices of large
 * batches that are being made, started or retried, and deletions.  If there
 * are none, it deletes rows that have expired, once a minute and at each tick
 * while there are more, and rows that are older than the settings allow, in a
 * round that begins once an hour.  docs/operations.md lists all that expires.
 */


#ifndef JUDGE_EXPIRY_H
#define JUDGE_EXPIRY_H


#include "store/store_admin.h"
#include "work/service/service.h"


#define JUDGE_EXPIRY_ROWS  500          /* of each table in a transaction */

#define JUDGE_EXPIRY_DAY         (INT64_C(24) * 3600 * 1000)
#define JUDGE_KEEP_KEYS         JUDGE_EXPIRY_DAY

extern const judge_background_t  judge_expiry_background;


/* --- Retention ----------------------------------------------------------- */

/* Deletes rows that are older than the settings keep them, in many small
 * operations: a round goes through all organizations once for each kind of
 * row.  The caller submits one operation at a time. */

#define JUDGE_RETENTION_ROWS  100      /* rows examined in a transaction */

typedef enum {
    JUDGE_RETAIN_CONTENTS,             /* and their evaluations */
    JUDGE_RETAIN_RESULTS,              /* evaluations, and their feedback */
    JUDGE_RETAIN_EMPTY,                /* batches and jobs without evaluations,
                                          by the age limit of results */
    JUDGE_RETAIN_FEEDBACK,
    JUDGE_RETAIN_COUNT
} judge_retain_e;

typedef struct {
    judge_ms_t      before[JUDGE_RETAIN_COUNT];  /* 0: all are kept */
    judge_retain_e  what;              /* kind of the next operation */
    judge_id_t      org;
    judge_id_t      after;
    bool            skip;
} judge_retention_t;

/* Begins a round: deletes rows created before these times; 0: none. */
void judge_retention_begin(judge_retention_t *r, judge_ms_t contents,
    judge_ms_t results, judge_ms_t feedback);

/* Prepares a zeroed operation with an arena; false: the round is over. */
bool judge_retention_next(judge_retention_t *r, judge_old_t *op,
    judge_ms_t now);

/* To be called when an operation has ended; a failure ends the round. */
void judge_retention_done(judge_retention_t *r, const judge_old_t *op);


#endif /* JUDGE_EXPIRY_H */
