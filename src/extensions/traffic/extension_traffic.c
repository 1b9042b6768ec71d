/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdio.h>

#include "api/http/request.h"
#include "extensions/traffic/blocked.h"
#include "extensions/traffic/exchange.h"


static const char *
judge_traffic_reason(size_t i)
{
    return i == JUDGE_SKIP_NONE ? NULL : judge_skip_name(i);
}


/* Two label values, with the name of the second label between them; valid
 * until the next call, on the event loop only. */

static const char *
judge_traffic_detected(size_t i)
{
    static char  labels[80];

    (void) snprintf(labels, sizeof(labels), "%s\",action=\"%s",
                    judge_detectors[i / JUDGE_DETECT_ACTIONS].name,
                    judge_detect_actions[i % JUDGE_DETECT_ACTIONS]);

    return labels;
}


/* Likewise. */

static const char *
judge_traffic_refused(size_t i)
{
    static char  labels[80];
    const char  *reason = judge_skip_name(i % JUDGE_SKIP_COUNT);

    (void) snprintf(labels, sizeof(labels), "%s\",reason=\"%s",
                    i < JUDGE_SKIP_COUNT ? "answer" : "request",
                    *reason ? reason : "below_minimum");

    return labels;
}


static const judge_extension_metric_t
judge_traffic_metrics[JUDGE_TRAFFIC_METRICS] = {
    [JUDGE_TRAFFIC_JUDGED] =
    { "judge_traffic_judged_total",
      "What was judged as it passed (judge_traffic).", NULL, 1, NULL, NULL },
    [JUDGE_TRAFFIC_SKIPPED] =
    { "judge_traffic_skipped_total", "What passed and was not judged.",
      "reason", JUDGE_SKIP_COUNT, judge_traffic_reason, NULL },
    [JUDGE_TRAFFIC_DETECTED] =
    { "judge_detected_total",
      "What was found as it passed (judge_detect).", "detector",
      JUDGE_DETECTORS * JUDGE_DETECT_ACTIONS, judge_traffic_detected, NULL },
    [JUDGE_TRAFFIC_REFUSED] =
    { "judge_traffic_refused_total", "What guards did not let pass.", "of",
      2 * JUDGE_SKIP_COUNT, judge_traffic_refused, NULL },
    [JUDGE_TRAFFIC_GUARDED] =
    { .name = "judge_guarded_total",
      .help = "What guards blocked, masked or tagged, by rule and location.",
      .counted = judge_blocked_counted },
};

static const judge_route_t *const  judge_traffic_routes[] = {
    judge_blocked_routes,
    NULL
};

const judge_extension_t  judge_extension_traffic = {
    .name = "traffic",
    .background = {
        .size = sizeof(judge_exchanges_t),
        .destroy = judge_exchanges_destroy,
        .tick = judge_exchanges_tick,
        .busy = judge_exchanges_busy
    },
    .routes = judge_traffic_routes,
    .shared = {
        .size = sizeof(judge_blocked_memory_t),
        .init = judge_blocked_init
    },
    .metrics = judge_traffic_metrics,
    .nmetrics = JUDGE_TRAFFIC_METRICS
};
