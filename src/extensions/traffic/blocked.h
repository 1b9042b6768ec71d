/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What guards blocked, masked or tagged: counts by rule, location and reason,
 * and a sample, in memory that all workers share.  Both are bounded, and are
 * lost when nginx ends. */


#ifndef JUDGE_BLOCKED_H
#define JUDGE_BLOCKED_H


#include <pthread.h>

#include "base/core/id.h"
#include "base/core/time.h"
#include "extensions/traffic/detect.h"
#include "work/service/extension.h"


/* The extension's metrics, in the order of its table. */
enum {
    JUDGE_TRAFFIC_JUDGED,
    JUDGE_TRAFFIC_SKIPPED,             /* a counter for each judge_skip_e */
    JUDGE_TRAFFIC_DETECTED,            /* one for each detector and
                                          judge_detect_action_e */
    JUDGE_TRAFFIC_REFUSED,             /* one for each judge_skip_e (NONE:
                                          below the minimum) of answers, then
                                          of requests */
    JUDGE_TRAFFIC_GUARDED,             /* judge_blocked_counted() */
    JUDGE_TRAFFIC_METRICS
};

extern const judge_extension_t  judge_extension_traffic;
extern const judge_route_t      judge_blocked_routes[];


#define JUDGE_BLOCKED_COUNTS  512      /* further ones count as "other" */
#define JUDGE_BLOCKED_MAX     64       /* kept: the last ones blocked */
#define JUDGE_PASSED_MAX      32       /* kept: the last ones let pass */

/* Bytes of the strings, at most. */
#define JUDGE_BLOCKED_ID      40       /* org, evaluation_id */
#define JUDGE_BLOCKED_RULE    40
#define JUDGE_BLOCKED_LABEL   64       /* location, reason, request_id */
#define JUDGE_BLOCKED_METHOD  16
#define JUDGE_BLOCKED_PATH    256
#define JUDGE_BLOCKED_TYPE    128
#define JUDGE_BLOCKED_TEXT    4096

/* A request or an answer.  Strings may be cut; absent ones are not shown. */
typedef struct {
    judge_id_t             id;
    judge_ms_t             noted_at;
    bool                   asks;       /* it is a request */
    judge_detect_action_e  action;
    bool                   scored;     /* it has a score, */
    double                 score;
    double                 min;        /* which is below this */
    judge_str_t            org;        /* who may see it; absent: nobody */
    judge_str_t            rule;       /* a detector, or "judge_request" */
    judge_str_t            location;
    judge_str_t            reason;
    judge_str_t            method;
    judge_str_t            path;
    judge_str_t            request_id;
    judge_str_t            type;       /* Content-Type */
    judge_str_t            evaluation_id;
    judge_str_t            text;
    bool                   cut;        /* the text had more */
} judge_blocked_t;

#define JUDGE_BLOCKED_ROOM                                                    \
    (2 * JUDGE_BLOCKED_ID + JUDGE_BLOCKED_RULE + 3 * JUDGE_BLOCKED_LABEL      \
     + JUDGE_BLOCKED_METHOD + JUDGE_BLOCKED_PATH + JUDGE_BLOCKED_TYPE         \
     + JUDGE_BLOCKED_TEXT)

typedef struct {
    uint64_t         number;           /* of all that were kept; 0: free */
    judge_blocked_t  b;                /* its strings are in bytes */
    char             bytes[JUDGE_BLOCKED_ROOM];
} judge_blocked_slot_t;

typedef struct {
    uint64_t               n;
    bool                   asks;
    judge_detect_action_e  action;
    char                   rule[JUDGE_BLOCKED_RULE + 1];
    char                   location[JUDGE_BLOCKED_LABEL + 1];
    char                   reason[JUDGE_BLOCKED_LABEL + 1];
} judge_blocked_count_t;

/* Lies in shared memory, which all workers map at the same address, and which
 * must be zeroed before init(). */
typedef struct {
    pthread_mutex_t        mutex;
    size_t                 ncounts;
    judge_blocked_count_t  counts[JUDGE_BLOCKED_COUNTS];
    uint64_t               uncounted;  /* those without a slot in counts */
    uint64_t               nblocked;   /* in all; the oldest are lost */
    uint64_t               npassed;    /* masked or tagged */
    judge_blocked_slot_t   slots[JUDGE_BLOCKED_MAX + JUDGE_PASSED_MAX];
} judge_blocked_memory_t;

bool judge_blocked_init(void *memory);

void judge_blocked_count(judge_blocked_memory_t *m, const judge_blocked_t *b);
void judge_blocked_keep(judge_blocked_memory_t *m, const judge_blocked_t *b);

/* Reads the i-th count and its labels, as name="value",…; false: no such
 * one. */
bool judge_blocked_counted(const judge_service_t *service, size_t i,
    judge_buf_t *labels, uint64_t *n);


#endif /* JUDGE_BLOCKED_H */
