/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Computes times until a retry.  The functions get the time and random bits as
 * arguments, so that they are deterministic. */


#ifndef JUDGE_RETRY_H
#define JUDGE_RETRY_H


#include "base/core/time.h"


#define JUDGE_DELIVERY_ATTEMPTS  10    /* of a webhook, the first included */
#define JUDGE_RETRY_AFTER_MAX    ((judge_ms_t) 24 * 3600 * 1000)

/* How an attempt failed. */
typedef struct {
    int         status;                /* HTTP status; 0: no answer */
    bool        timed_out;
    bool        has_retry_after;       /* the answer had Retry-After */
    judge_ms_t  retry_after;           /* ms, from the answer */
} judge_attempt_t;

/* The bounds of exponential backoff. */
typedef struct {
    judge_ms_t  initial;               /* > 0 */
    judge_ms_t  cap;                   /* of the wait, without Retry-After */
} judge_retry_t;


/*
 * Returns the wait before the next attempt to deliver a webhook, after
 * `failures` (from 1) attempts: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h,
 * 20 h, 24 h; longer if Retry-After asks, JUDGE_RETRY_AFTER_MAX at most;
 * at least 60 s after 429, 502, 504 and a timeout; all that plus up to a
 * fifth, by `random`, which is any 32 bits.  Negative: no further attempt.
 */
judge_ms_t judge_retry_delivery(unsigned failures,
    const judge_attempt_t *last, uint32_t random);

/*
 * Returns the wait before the next call of a model: each failure doubles the
 * initial wait, up to the cap, and the upper half of the result is random
 * ("equal jitter").  A longer Retry-After is used instead, with up to a tenth
 * more.
 */
judge_ms_t judge_retry_exponential(const judge_retry_t *backoff,
    unsigned failures, const judge_attempt_t *last, uint32_t random);

/* Whether the same request may succeed later: after no answer, a timeout, 408,
 * 409, 425, 429 and statuses from 500 on, except 501 and 505. */
bool judge_attempt_is_transient(const judge_attempt_t *attempt);

/*
 * Parses the value of a Retry-After header: seconds, or an HTTP-date in one of
 * the three forms of RFC 9110, 5.6.7, from which `now` is subtracted.  *wait
 * is 0 to JUDGE_RETRY_AFTER_MAX, and 0 for a past date.  JUDGE_INVALID: the
 * value has another form.
 */
judge_rc_e judge_retry_after_parse(judge_str_t value, judge_ms_t now,
    judge_ms_t *wait);

/* JUDGE_OK or JUDGE_INVALID; `now` determines the century of short years. */
judge_rc_e judge_http_date_parse(judge_str_t value, judge_ms_t now,
    judge_ms_t *t);


#endif /* JUDGE_RETRY_H */
