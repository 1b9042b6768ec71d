/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/otel/otel.h"


static const char *
judge_otel_record_outcome(size_t i)
{
    return i == JUDGE_OTEL_ACCEPTED ? "accepted" : "rejected";
}


static const char *
judge_otel_request_outcome(size_t i)
{
    return i == JUDGE_OTEL_ANSWERED ? "answered"
           : i == JUDGE_OTEL_RETRIED ? "retried" : "refused";
}


static const judge_extension_metric_t
judge_otel_metrics[JUDGE_OTEL_METRICS] = {
    [JUDGE_OTEL_RECORDS] =
    { "judge_otel_records_total", "Log records sent to the collector.",
      "outcome", JUDGE_OTEL_RECORD_OUTCOMES, judge_otel_record_outcome, NULL },
    [JUDGE_OTEL_REQUESTS] =
    { "judge_otel_requests_total", "Requests to the collector.",
      "outcome", JUDGE_OTEL_REQUEST_OUTCOMES, judge_otel_request_outcome,
      NULL },
    [JUDGE_OTEL_DROPPED] =
    { "judge_otel_dropped_total",
      "Evaluations that the collector had not taken after a day.", NULL, 1,
      NULL, NULL },
};

const judge_extension_t  judge_extension_otel = {
    .name = "otel",
    .leased = &judge_otel_leased,
    .metrics = judge_otel_metrics,
    .nmetrics = JUDGE_OTEL_METRICS
};
