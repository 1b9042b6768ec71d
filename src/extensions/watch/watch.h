/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Watching judges: how their scores change, what people would give where they
 * have not looked, a new version beside the active one, and what to correct
 * next. */


#ifndef JUDGE_WATCH_H
#define JUDGE_WATCH_H


#include "api/http/request.h"
#include "work/service/extension.h"


extern const judge_extension_t  judge_extension_watch;

extern const judge_route_t  judge_review_routes[];
extern const judge_route_t  judge_estimate_routes[];
extern const judge_route_t  judge_drift_routes[];
extern const judge_route_t  judge_canary_routes[];
extern const judge_route_t  judge_canary_report_routes[];


#endif /* JUDGE_WATCH_H */
