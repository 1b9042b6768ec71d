/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The header "traceparent" of W3C's Trace Context, which names the span that a
 * request belongs to: 00-<32 hex>-<16 hex>-<2 hex>. */


#ifndef JUDGE_TRACEPARENT_H
#define JUDGE_TRACEPARENT_H


#include "base/core/str.h"


#define JUDGE_TRACEPARENT  55          /* bytes of version 00 */

typedef struct {
    judge_str_t  trace_id;             /* hex */
    judge_str_t  span_id;              /* likewise */
    unsigned     flags;
} judge_traceparent_t;

/* The members point into `value`.  JUDGE_INVALID: it has another form and must
 * be ignored.  Of a later version only the known part is read. */
judge_rc_e judge_traceparent_read(judge_str_t value, judge_traceparent_t *out);

/* Returns the known part of a valid value; absent: it is not valid. */
judge_str_t judge_traceparent_part(judge_str_t value);


#endif /* JUDGE_TRACEPARENT_H */
