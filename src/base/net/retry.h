/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Waits before a retry.  The time and random bits are passed in, so that the
 * functions are deterministic. */


#ifndef JUDGE_RETRY_H
#define JUDGE_RETRY_H


#include "base/core/time.h"


#define JUDGE_DELIVERY_ATTEMPTS  10    /* of a webhook, the first included */
#define JUDGE_RETRY_AFTER_MAX    ((judge_ms_t) 24 * 3600 * 1000)

/* How an attempt failed. */
typedef struct {
    int         status;                /* HTTP status; 0: no answer */
    bool        timed_out;
    bool        asked;                 /* it had a Retry-After, */
    judge_ms_t  retry_after;           /* in ms after the answer */
} judge_attempt_t;

/* An exponential schedule. */
typedef struct {
    judge_ms_t  initial;               /* > 0 */
    judge_ms_t  cap;                   /* of the exponential wait */
} judge_retry_t;


/*
 * The wait before the next attempt at a webhook after `failures` (from 1)
 * attempts: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h; or longer,
 * when Retry-After asks for it (at most JUDGE_RETRY_AFTER_MAX); at least 60 s
 * after 429, 502, 504 and a timeout; and up to a fifth of it more, by
 * `random`, any 32 bits.  Negative: there is no further attempt.
 */
judge_ms_t judge_retry_delivery(unsigned failures,
    const judge_attempt_t *last, uint32_t random);

/*
 * The wait before the next attempt at a call of a model: initial doubled
 * with each failure up to the cap, of which the upper half is random ("equal
 * jitter"); not less than Retry-After asks for, and then up to a tenth
 * more.
 */
judge_ms_t judge_retry_exponential(const judge_retry_t *backoff,
    unsigned failures, const judge_attempt_t *last, uint32_t random);

/* Whether the same request may well succeed later: no answer, 408, 409, 425,
 * 429 and all of 500 but 501 and 505. */
bool judge_attempt_is_transient(const judge_attempt_t *attempt);

/*
 * The value of a Retry-After header: seconds, or an HTTP-date in one of the
 * three forms of RFC 9110, 5.6.7, which is held against `now`.  *wait is 0
 * to JUDGE_RETRY_AFTER_MAX; a moment that has passed is 0.  JUDGE_INVALID
 * for anything else.
 */
judge_rc_e judge_retry_after_parse(judge_str_t value, judge_ms_t now,
    judge_ms_t *wait);

/* JUDGE_OK or JUDGE_INVALID; `now` gives two-digit years their century. */
judge_rc_e judge_http_date_parse(judge_str_t value, judge_ms_t now,
    judge_ms_t *t);


#endif /* JUDGE_RETRY_H */
