/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "span.h"


static void judge_span_keep(judge_spans_t *spans, double from, double to);


void
judge_span_add(judge_span_t *span, bool on, double from, double to)
{
    if (span->open && from - span->to > span->gap) {
        judge_span_end(span);
    }

    if (!on) {
        judge_span_end(span);
        return;
    }

    if (!span->open) {
        span->open = true;
        span->from = from;
        span->to = from;
    }

    span->to = to > span->to ? to : span->to;
}


void
judge_span_end(judge_span_t *span)
{
    /* A sum of frame durations may lie a rounding below. */
    if (span->open && span->to - span->from >= span->shortest - 1e-6) {
        span->spans->total += span->to - span->from;
        judge_span_keep(span->spans, span->from, span->to);
    }

    span->open = false;
}


void
judge_span_point(judge_spans_t *spans, double at)
{
    judge_span_keep(spans, at, at);
}


static void
judge_span_keep(judge_spans_t *spans, double from, double to)
{
    if (spans->kept < JUDGE_SPANS_KEPT) {
        spans->from[spans->kept] = from;
        spans->to[spans->kept] = to;
        spans->kept++;
    }

    spans->count++;
}
