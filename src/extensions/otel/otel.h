/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Results for OpenTelemetry: log records, events "gen_ai.evaluation.result",
 * are written for each evaluation that has ended, and sent to a collector as
 * OTLP/HTTP in JSON (docs/otel.md).
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

/* Counters of JUDGE_OTEL_RECORDS. */
enum {
    JUDGE_OTEL_ACCEPTED,
    JUDGE_OTEL_REJECTED,
    JUDGE_OTEL_RECORD_ENDS
};

/* Counters of JUDGE_OTEL_REQUESTS. */
enum {
    JUDGE_OTEL_ANSWERED,
    JUDGE_OTEL_RETRIED,
    JUDGE_OTEL_REFUSED,
    JUDGE_OTEL_REQUEST_ENDS
};

extern const judge_extension_t  judge_extension_otel;

/* Makes the body of a request from evaluations. */
typedef struct {
    judge_str_t          service;      /* in: its name */
    judge_ms_t           now;          /* in */
    judge_export_row_t  *rows;         /* in; `again` is set in those that the
                                          body has no room for */
    size_t               count;
    size_t               records;      /* out; 0: there is nothing to send */
    judge_str_t          body;         /* out */
} judge_otel_body_t;

/* Runs in any thread; JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_otel_write(judge_arena_t *arena, judge_otel_body_t *body);

extern const judge_leased_kind_t  judge_otel_leased;


#endif /* JUDGE_OTEL_H */
