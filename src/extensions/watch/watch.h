/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The extension that watches judges: drift of scores, estimates of the scores
 * that people would give, canaries, and the review queue of what to correct
 * next. */


#ifndef JUDGE_WATCH_H
#define JUDGE_WATCH_H


#include "api/http/request.h"
#include "work/service/extension.h"


extern const judge_extension_t  judge_extension_watch;

extern const judge_route_t  judge_review_routes[];
extern const judge_route_t  judge_estimate_routes[];
extern const judge_route_t  judge_drift_routes[];
extern const judge_route_t  judge_alert_routes[];
extern const judge_route_t  judge_canary_routes[];
extern const judge_route_t  judge_canary_report_routes[];


#endif /* JUDGE_WATCH_H */
