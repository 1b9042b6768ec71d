/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Traffic: requests and answers that pass through other locations of nginx are
 * judged, and may be blocked (docs/traffic.md).
 */


#ifndef JUDGE_EXTENSION_TRAFFIC_H
#define JUDGE_EXTENSION_TRAFFIC_H


#include "api/http/request.h"
#include "work/service/extension.h"


/* The extension's metrics, in the order of its table. */
enum {
    JUDGE_TRAFFIC_JUDGED,
    JUDGE_TRAFFIC_SKIPPED,             /* a counter for each judge_skip_e */
    JUDGE_TRAFFIC_DETECTED,            /* one for each detector and
                                          judge_detect_action_e */
    JUDGE_TRAFFIC_REFUSED,             /* one for each judge_skip_e (NONE:
                                          below the minimum) of answers, then
                                          of requests */
    JUDGE_TRAFFIC_GUARDED,             /* judge_blocked_counted() */
    JUDGE_TRAFFIC_METRICS
};

extern const judge_extension_t  judge_extension_traffic;
extern const judge_route_t      judge_blocked_routes[];


#endif /* JUDGE_EXTENSION_TRAFFIC_H */
