/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The addresses that a worker delivers to, and the number of deliveries that
 * each may have under way, its window.
 *
 * A window is small at first; each quick success doubles it, each slow one
 * halves it, and a failure reduces it to one.  An address is proven if its
 * last success was not slow, until a call fails.  All addresses that are not
 * proven share half of the worker's places, and those of one organization an
 * eighth, so that there is always room for proven ones.  An address that only
 * failed in JUDGE_ENDPOINT_FAILURES turns in a row is blocked, for longer each
 * time, and then tried with one delivery.
 */


#ifndef JUDGE_ENDPOINT_H
#define JUDGE_ENDPOINT_H


#include "base/core/str.h"
#include "base/core/time.h"
#include "store/store_webhook.h"


#define JUDGE_ENDPOINT_FAILURES  5
#define JUDGE_ENDPOINT_REST      10000               /* ms, doubled up to */
#define JUDGE_ENDPOINT_REST_MAX  300000
#define JUDGE_ENDPOINT_SOON      1000                /* ms */
#define JUDGE_ENDPOINT_LATE      2000

typedef enum {
    JUDGE_ANSWERED_WELL,
    JUDGE_ANSWERED,                    /* with any other status */
    JUDGE_ANSWERED_BADLY               /* no answer, or 5xx, 408 or 429 */
} judge_answered_e;

typedef struct judge_endpoint   judge_endpoint_t;
typedef struct judge_endpoints  judge_endpoints_t;

struct judge_endpoint {
    judge_str_t         org;
    judge_str_t         url;           /* empty: the organization's */
    size_t              under_way;     /* claimed, and not recorded yet */
    size_t              probing;       /* begun before it was proven */
    size_t              window;
    int64_t             failures;      /* turns in a row with failures only */
    judge_ms_t          blocked_until;
    judge_ms_t          used_at;
    judge_ms_t          changed_at;    /* last change of its settings */
    bool                proven;
    bool                more;          /* more deliveries are due */
    bool                succeeded;       /* success since the last turn */
    bool                failed;        /* failure since the last turn */
    bool                in_turn;
    judge_endpoint_t   *next;          /* in ends->first, unordered */
    judge_endpoint_t  **prev;
    judge_endpoint_t   *chain;         /* in ends->table */
    uint32_t            hash;
};

struct judge_endpoints {
    judge_endpoint_t   *first;
    judge_endpoint_t   *table[256];
    size_t              count;
    size_t              room;          /* deliveries under way, at most */
    size_t              under_way;
    size_t              probing;
};


void judge_endpoints_init(judge_endpoints_t *ends, size_t room);
void judge_endpoints_free(judge_endpoints_t *ends);

/* Finds an endpoint, or makes one with the stored number of failures.  If its
 * settings have changed, its window starts anew, because it may be another
 * server.  NULL: there are too many endpoints, or memory is out. */
judge_endpoint_t *judge_endpoint_get(judge_endpoints_t *ends,
    const judge_webhook_end_t *due, judge_ms_t now);

/* The number of deliveries to the endpoint that may begin now. */
size_t judge_endpoint_room(const judge_endpoints_t *ends,
    const judge_endpoint_t *end, judge_ms_t now);

/* _take() takes a place.  It returns whether the delivery is a probe, to an
 * endpoint that is not proven; this must be passed to _give(). */
bool judge_endpoint_take(judge_endpoints_t *ends, judge_endpoint_t *end);
void judge_endpoint_give(judge_endpoints_t *ends, judge_endpoint_t *end,
    bool probe);

/* To be called when a call has ended, after `took` ms; until: the time that
 * its Retry-After sets, or 0. */
void judge_endpoint_answered(judge_endpoint_t *end, judge_answered_e how,
    judge_ms_t took, judge_ms_t until);

/* To be called at the beginning of a turn: counts the failed turns in a
 * row. */
void judge_endpoint_settle(judge_endpoint_t *end, judge_ms_t now);

/* Frees idle endpoints that have no state worth keeping. */
void judge_endpoints_sweep(judge_endpoints_t *ends, judge_ms_t now);


#endif /* JUDGE_ENDPOINT_H */
