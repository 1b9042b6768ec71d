/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * All routes: one table per resource, each on top of its file.
 */


#ifndef JUDGE_ROUTES_H
#define JUDGE_ROUTES_H


#include "api/http/request.h"


extern const judge_route_t  judge_judge_routes[];
extern const judge_route_t  judge_judge_update_routes[];
extern const judge_route_t  judge_content_routes[];
extern const judge_route_t  judge_evaluation_routes[];
extern const judge_route_t  judge_batch_routes[];
extern const judge_route_t  judge_batch_evaluate_routes[];
extern const judge_route_t  judge_batch_import_routes[];
extern const judge_route_t  judge_batch_events_routes[];
extern const judge_route_t  judge_batch_results_routes[];
extern const judge_route_t  judge_result_routes[];
extern const judge_route_t  judge_key_routes[];
extern const judge_route_t  judge_feedback_routes[];
extern const judge_route_t  judge_feedback_batch_routes[];
extern const judge_route_t  judge_agreement_routes[];
extern const judge_route_t  judge_training_routes[];
extern const judge_route_t  judge_training_run_routes[];
extern const judge_route_t  judge_training_events_routes[];
extern const judge_route_t  judge_settings_routes[];
extern const judge_route_t  judge_health_routes[];
extern const judge_route_t  judge_metrics_routes[];
extern const judge_route_t  judge_assist_criteria_routes[];
extern const judge_route_t  judge_assist_columns_routes[];
extern const judge_route_t  judge_openapi_routes[];
extern const judge_route_t  judge_social_routes[];
extern const judge_route_t  judge_callback_routes[];
extern const judge_route_t  judge_upload_routes[];
extern const judge_route_t  judge_webhook_routes[];
extern const judge_route_t  judge_work_routes[];
extern const judge_route_t  judge_keyframe_routes[];

extern const judge_route_t *const  judge_routes[];       /* NULL ends it */


#endif /* JUDGE_ROUTES_H */
