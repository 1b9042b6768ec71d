/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Delivers webhooks in one worker process: at least once, without a guaranteed
 * order, and with the same webhook-id in each attempt.
 *
 * A turn is one operation of the store that records deliveries that have ended
 * and claims those that are due.  Calls that end during its commit are
 * recorded by the next turn.  Each address has a window of its own, so that
 * slow and dead addresses never delay the others.
 */


#ifndef JUDGE_WEBHOOK_H
#define JUDGE_WEBHOOK_H


#include "base/core/str.h"
#include "base/core/time.h"
#include "store/store_webhook.h"
#include "work/service/service.h"


extern const judge_background_t  judge_webhook_background;

/* If the process leaves, deliveries under way end, or are put back. */
bool judge_webhook_busy(judge_service_t *service);


/* --- Endpoints ----------------------------------------------------------- */

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


/* --- Deliveries ---------------------------------------------------------- */

/* One attempt at a delivery: the signed call, and the result to record. */

#define JUDGE_DELIVERY_HEADERS  6
#define JUDGE_DELIVERY_ANSWER   4096   /* bytes of an answer that are stored */

/* The prefix of the addresses of events that go to judge_mail. */
#define JUDGE_DELIVERY_MAILTO   "mailto:"

typedef struct judge_delivery  judge_delivery_t;

struct judge_delivery {
    judge_service_t          *service;
    judge_arena_t            *arena;
    judge_endpoint_t         *end;
    bool                      probe;   /* see judge_endpoint_take() */
    judge_delivery_row_t      row;
    judge_str_t               target;
    judge_call_t              call;
    judge_call_header_t       headers[JUDGE_DELIVERY_HEADERS];
    judge_delivery_result_t   result;
    judge_answered_e          answered;
    bool                      tried;   /* the address has been called */
    judge_ms_t                leave_until;   /* by Retry-After; 0: none */
    void                    (*done)(judge_delivery_t *delivery);
    void                     *data;
    judge_delivery_t         *next;
};

/* Makes a delivery from a claimed row, which it copies; NULL: out of memory.
 * To be freed with its arena. */
judge_delivery_t *judge_delivery_create(judge_service_t *service,
    const judge_delivery_row_t *row, const judge_webhook_end_t *from);

/* Makes the call; done() is called once, maybe before this returns. */
void judge_delivery_start(judge_delivery_t *delivery,
    const judge_webhook_end_t *from);


#endif /* JUDGE_WEBHOOK_H */
