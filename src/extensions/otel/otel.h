/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Results for OpenTelemetry: for each evaluation that has ended, log records
 * that are events "gen_ai.evaluation.result" are written and sent to a
 * collector as OTLP/HTTP in JSON (docs/otel.md).
 */


#ifndef JUDGE_OTEL_H
#define JUDGE_OTEL_H


#include "store/store_export.h"
#include "work/service/extension.h"


#define JUDGE_OTEL_ROUTE  "otel"       /* of calls to the collector */

/* The extension's metrics, in the order of its table. */
enum {
    JUDGE_OTEL_RECORDS,
    JUDGE_OTEL_REQUESTS,
    JUDGE_OTEL_DROPPED,                /* evaluations that waited too long */
    JUDGE_OTEL_METRICS
};

/* The outcomes by which JUDGE_OTEL_RECORDS are counted. */
enum {
    JUDGE_OTEL_ACCEPTED,
    JUDGE_OTEL_REJECTED,
    JUDGE_OTEL_RECORD_OUTCOMES
};

/* The outcomes by which JUDGE_OTEL_REQUESTS are counted. */
enum {
    JUDGE_OTEL_ANSWERED,
    JUDGE_OTEL_RETRIED,
    JUDGE_OTEL_REFUSED,
    JUDGE_OTEL_REQUEST_OUTCOMES
};

extern const judge_extension_t  judge_extension_otel;

/* The body of a request, and the evaluations that it is made from. */
typedef struct {
    judge_str_t          service;      /* in: its name */
    judge_ms_t           now;          /* in */
    judge_export_row_t  *rows;         /* in; out: `repeat` is set in those for
                                          which the body has no room */
    size_t               count;
    size_t               records;      /* out; 0: there is nothing to send */
    judge_str_t          body;         /* out */
} judge_otel_body_t;

/* Writes the body, in any thread.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_otel_write(judge_arena_t *arena, judge_otel_body_t *body);

extern const judge_leased_kind_t  judge_otel_leased;


#endif /* JUDGE_OTEL_H */
