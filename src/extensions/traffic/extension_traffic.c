/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/traffic/exchange.h"
#include "extensions/traffic/extension_traffic.h"


static const char *
judge_traffic_reason(size_t i)
{
    return i == JUDGE_SKIP_NONE ? NULL : judge_skip_name(i);
}


static const judge_extension_metric_t
judge_traffic_metrics[JUDGE_TRAFFIC_METRICS] = {
    [JUDGE_TRAFFIC_JUDGED] =
    { "judge_traffic_judged_total",
      "What was judged as it passed (judge_traffic).", NULL, 1, NULL },
    [JUDGE_TRAFFIC_SKIPPED] =
    { "judge_traffic_skipped_total", "What passed and was not judged.",
      "reason", JUDGE_SKIP_COUNT, judge_traffic_reason },
};

const judge_extension_t  judge_extension_traffic = {
    .name = "traffic",
    .background = {
        .create = judge_exchanges_create,
        .destroy = judge_exchanges_destroy,
        .busy = judge_exchanges_busy
    },
    .metrics = judge_traffic_metrics,
    .nmetrics = JUDGE_TRAFFIC_METRICS
};
