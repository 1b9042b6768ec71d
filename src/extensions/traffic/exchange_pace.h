/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Decides when exchanges are judged.  Those that clients wait for begin at
 * once, up to a limit.  Of the others two at a time are judged, and only while
 * processors are idle: traffic has priority.
 */


#ifndef JUDGE_EXCHANGE_PACE_H
#define JUDGE_EXCHANGE_PACE_H


#include "extensions/traffic/exchange.h"


/* The exchanges of a service in this process. */
typedef struct {
    judge_exchange_t        *first;        /* list of waiting ones */
    judge_exchange_t        *last;         /* if there is a first */
    size_t                   waiting;      /* their number */
    size_t                   nbackground;  /* being judged, not urgent */
    size_t                   nurgent;      /* being judged, urgent */
    size_t                   nstoring;
    judge_ms_t               resumes;      /* only urgent ones begin earlier */
} judge_exchanges_t;

#define JUDGE_EXCHANGE_PAUSE  500          /* ms, at most */

judge_exchanges_t *judge_exchanges(judge_service_t *service);

/* Called in the thread that judges, before and after. */
void judge_exchange_computes(judge_exchange_t *x);
void judge_exchange_computed(judge_exchange_t *x);

/* Called on the event loop afterwards: measures how long the exchange has
 * waited for a processor, and sets the pause. */
void judge_exchange_returned(judge_exchange_t *x);

/* Called when judging has ended. */
void judge_exchange_leave(judge_exchange_t *x);


#endif /* JUDGE_EXCHANGE_PACE_H */
