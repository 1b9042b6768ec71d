/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The list of all tables of routes, of the core and of extensions.  The server
 * passes it to the pipeline, which therefore does not depend on the
 * handlers. */


#include "work/service/extension.h"
#include "api/http/request.h"


static const judge_route_t *const  judge_routes_core[] = {
    judge_evaluation_routes,
    judge_judge_routes,
    judge_judge_update_routes,
    judge_content_routes,
    judge_batch_routes,
    judge_batch_evaluate_routes,
    judge_batch_import_routes,
    judge_batch_events_routes,
    judge_batch_results_routes,
    judge_result_routes,
    judge_feedback_routes,
    judge_feedback_batch_routes,
    judge_feedback_session_routes,
    judge_agreement_routes,
    judge_training_routes,
    judge_training_run_routes,
    judge_training_events_routes,
    judge_settings_routes,
    judge_assist_criteria_routes,
    judge_assist_columns_routes,
    judge_key_routes,
    judge_health_routes,
    judge_metrics_routes,
    judge_openapi_routes,
    judge_upload_routes,
    judge_upload_notice_routes,
    judge_webhook_routes,
    judge_explanation_routes,
};

#define JUDGE_ROUTES_CORE  (sizeof(judge_routes_core)                         \
                            / sizeof(judge_routes_core[0]))


const judge_route_t *
judge_routes(size_t i)
{
    const judge_route_t *const      *table;
    const judge_extension_t *const  *extension;

    if (i < JUDGE_ROUTES_CORE) {
        return judge_routes_core[i];
    }

    i -= JUDGE_ROUTES_CORE;

    for (extension = judge_extensions; *extension; extension++) {
        for (table = (*extension)->routes; table && *table; table++) {
            if (i-- == 0) {
                return *table;
            }
        }
    }

    return NULL;
}
