/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Collecting stretches of time, as the samples come in order. */


#ifndef JUDGE_SPAN_H
#define JUDGE_SPAN_H


#include "extensions/media/media.h"


typedef struct {
    judge_spans_t  *spans;
    double          shortest;          /* s; a shorter one is none */
    double          gap;               /* s without a sample that do not end
                                          one */
    bool            open;
    double          from;
    double          to;                /* of what was on last */
} judge_span_t;

/* From `from` to `to` it was on, or off. */
void judge_span_add(judge_span_t *span, bool on, double from, double to);
void judge_span_end(judge_span_t *span);

/* Something that has no length. */
void judge_span_point(judge_spans_t *spans, double at);


#endif /* JUDGE_SPAN_H */
