/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The addresses that a worker delivers to, and how many deliveries each may
 * have under way.
 *
 * An address begins with a small window, which doubles with each success that
 * came soon and is halved by one that came late; a failure leaves one place.
 * One whose last answer was a success that came soon is proven.  All that are
 * not proven share half of the worker's places, and those of one organization
 * an eighth: the rest is always there for addresses that work.  After
 * JUDGE_ENDPOINT_FAILURES turns in a row with nothing but failures an address
 * rests, for longer each time, and is then tried with one delivery.
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
    JUDGE_ANSWERED,                    /* it responds with an error */
    JUDGE_ANSWERED_BADLY               /* or not at all */
} judge_answered_e;

typedef struct judge_endpoint   judge_endpoint_t;
typedef struct judge_endpoints  judge_endpoints_t;

struct judge_endpoint {
    judge_str_t         org;
    judge_str_t         url;           /* empty: the organization's */
    size_t              under_way;     /* claimed and not recorded */
    size_t              probing;       /* of them, from before it was proven */
    size_t              window;
    int64_t             failures;      /* turns in a row */
    judge_ms_t          blocked_until;
    judge_ms_t          used_at;
    judge_ms_t          changed_at;    /* the settings of the address */
    bool                proven;
    bool                more;          /* is due there than was taken */
    bool                well;          /* since the last turn, both */
    bool                badly;
    bool                in_turn;
    judge_endpoint_t   *next;          /* all, in no order */
    judge_endpoint_t  **prev;
    judge_endpoint_t   *chain;         /* of the table */
    uint32_t            hash;
};

struct judge_endpoints {
    judge_endpoint_t   *first;
    judge_endpoint_t   *table[256];
    size_t              count;
    size_t              room;          /* deliveries under way at most */
    size_t              under_way;
    size_t              probing;
};


void judge_endpoints_init(judge_endpoints_t *ends, size_t room);
void judge_endpoints_free(judge_endpoints_t *ends);

/* Found or made, with the failures that the store knows of; when the settings
 * were changed since, another server may be behind it, which begins anew.
 * NULL: there is no room or no memory. */
judge_endpoint_t *judge_endpoint_get(judge_endpoints_t *ends,
    const judge_webhook_end_t *due, judge_ms_t now);

/* How many more deliveries it may have under way now. */
size_t judge_endpoint_free(const judge_endpoints_t *ends,
    const judge_endpoint_t *end, judge_ms_t now);

/* Takes a place; true: as a probe, which is passed when it is released. */
bool judge_endpoint_take(judge_endpoints_t *ends, judge_endpoint_t *end);
void judge_endpoint_give(judge_endpoints_t *ends, judge_endpoint_t *end,
    bool probe);

/* A call has ended after `took`; it asks to be left alone until then (0: it
 * does not). */
void judge_endpoint_answered(judge_endpoint_t *end, judge_answered_e how,
    judge_ms_t took, judge_ms_t until);

/* At the beginning of a turn: counts the failures of the one before. */
void judge_endpoint_settle(judge_endpoint_t *end, judge_ms_t now);

/* Forgets those that nothing is known or expected of. */
void judge_endpoints_sweep(judge_endpoints_t *ends, judge_ms_t now);


#endif /* JUDGE_ENDPOINT_H */
