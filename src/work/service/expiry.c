/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>

#include "work/service/metrics.h"
#include "work/service/expiry.h"


#define JUDGE_EXPIRY_EVERY  60000

struct judge_expiry {
    judge_service_t  *service;
    judge_ms_t        at;              /* of the last one; 0: there is more */
    bool              busy;
    bool              stopped;
};


static void judge_expiry_done(judge_op_t *op);


bool
judge_expiry_create(judge_service_t *service)
{
    service->expiry = calloc(1, sizeof(judge_expiry_t));
    if (service->expiry) {
        service->expiry->service = service;
    }

    return service->expiry != NULL;
}


void
judge_expiry_destroy(judge_service_t *service)
{
    free(service->expiry);
    service->expiry = NULL;
}


void
judge_expiry_tick(judge_service_t *service)
{
    judge_ms_t       now;
    judge_purge_t   *op;
    judge_expiry_t  *expiry = service->expiry;

    now = judge_now(service);

    if (expiry->busy || expiry->stopped
        || now - expiry->at < JUDGE_EXPIRY_EVERY)
    {
        return;
    }

    op = judge_service_op(sizeof(judge_purge_t), JUDGE_OP_PURGE,
                          judge_expiry_done, expiry);
    if (op == NULL) {
        return;
    }

    op->keys_before = now - JUDGE_KEEP_KEYS;
    op->logs_before = now - JUDGE_KEEP_LOGS;
    op->deliveries_before = now - JUDGE_KEEP_DELIVERIES;
    op->limit = JUDGE_EXPIRY_ROWS;

    expiry->at = now;
    expiry->busy = true;
    judge_submit(service, &op->op);
}


static void
judge_expiry_done(judge_op_t *op)
{
    size_t            i;
    judge_purge_t    *done = (judge_purge_t *) op;
    judge_expiry_t   *expiry = op->data;
    judge_metrics_t  *metrics = expiry->service->metrics;

    expiry->busy = false;

    for (i = 0; op->rc == JUDGE_OK && i < JUDGE_PURGE_COUNT; i++) {
        judge_metrics_add(metrics, JUDGE_METRIC_PURGED + (judge_metric_e) i,
                          (uint64_t) done->gone[i]);
        if (done->gone[i] >= JUDGE_EXPIRY_ROWS) {
            expiry->at = 0;
        }
    }

    judge_service_op_free(op);
}


void
judge_expiry_stop(judge_service_t *service)
{
    service->expiry->stopped = true;
}


bool
judge_expiry_busy(judge_service_t *service)
{
    return service->expiry->busy;
}
