/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>

#include "work/calibration/calibrator_cache.h"
#include "work/evaluation/batch_pages.h"
#include "work/evaluation/queue.h"
#include "work/evaluation/waiters.h"
#include "work/feedback/feedback_queue.h"
#include "work/service/background.h"
#include "work/service/expiry.h"
#include "work/service/extension.h"
#include "work/service/fleet.h"
#include "work/service/metrics.h"
#include "work/service/leased.h"
#include "work/training/training.h"
#include "work/uploads/upload_reader.h"
#include "work/webhooks/webhook.h"


static const judge_leased_kind_t *const  judge_background_leased[] = {
    &judge_upload_reads, &judge_feedback_turns, &judge_training_runs
};

#define JUDGE_BACKGROUND_LEASED  (sizeof(judge_background_leased)             \
                                  / sizeof(judge_background_leased[0]))


static bool
judge_background_lease(judge_service_t *service)
{
    size_t  i;

    for (i = 0; i < JUDGE_BACKGROUND_LEASED; i++) {
        if (!judge_leases_add(service, judge_background_leased[i])) {
            return false;
        }
    }

    for (i = 0; judge_extensions[i]; i++) {
        if (judge_extensions[i]->leased
            && !judge_leases_add(service, judge_extensions[i]->leased))
        {
            return false;
        }
    }

    return true;
}


static const judge_background_t  judge_background_leases = {
    .create = judge_background_lease,
    .destroy = judge_leases_destroy,
    .tick = judge_leases_tick,
    .busy = judge_leases_busy
};

static const judge_background_t  judge_background_fleet = {
    .tick = judge_fleet_tick
};

/* Modules are destroyed in reverse order, because a module may use those
 * before it, and an extension all of the core. */
static const judge_background_t *const  judge_background[] = {
    &judge_calibrator_cache_background, &judge_batch_pages_background,
    &judge_waiters_background, &judge_queue_background,
    &judge_upload_sweep_background, &judge_webhook_background,
    &judge_expiry_background, &judge_background_fleet,
    &judge_background_leases
};

#define JUDGE_BACKGROUND_COUNT  (sizeof(judge_background)                     \
                                 / sizeof(judge_background[0]))


/* Counts the modules of the core, then the extensions; NULL after the last. */

static const judge_background_t *
judge_background_at(size_t i)
{
    const judge_extension_t  *extension;

    if (i < JUDGE_BACKGROUND_COUNT) {
        return judge_background[i];
    }

    extension = judge_extensions[i - JUDGE_BACKGROUND_COUNT];

    return extension ? &extension->background : NULL;
}


/* The pointer to the data of a module. */

static void **
judge_background_data(judge_service_t *service, size_t i)
{
    return i < JUDGE_BACKGROUND_COUNT
           ? (void **) (void *) ((char *) service + judge_background[i]->at)
           : &service->extensions[i - JUDGE_BACKGROUND_COUNT];
}


bool
judge_background_create(judge_service_t *service)
{
    void                     **data;
    size_t                     i;
    const judge_background_t  *part;

    service->stopped = false;
    if (judge_id_make(&service->owner, "wrk", judge_now(service)) != JUDGE_OK)
    {
        return false;
    }

    for (i = 0; (part = judge_background_at(i)); i++) {
        if (part->size) {
            data = judge_background_data(service, i);
            *data = calloc(1, part->size);
            if (*data == NULL) {
                return false;
            }
        }

        if (part->create && !part->create(service)) {
            return false;
        }
    }

    return true;
}


void
judge_background_destroy(judge_service_t *service)
{
    void                     **data;
    size_t                     i;
    const judge_background_t  *part;

    for (i = 0; judge_background_at(i); i++) { /* void */ }

    while (i > 0) {
        part = judge_background_at(--i);
        data = part->size ? judge_background_data(service, i) : NULL;

        if (part->destroy && (data == NULL || *data)) {
            part->destroy(service);
        }

        if (data) {
            free(*data);
            *data = NULL;
        }
    }
}


static void
judge_background_caches(judge_service_t *service)
{
    size_t  entries, bytes;

    entries = judge_batch_pages_count(service, &bytes);
    judge_metrics_set_cache(service, JUDGE_CACHE_LIVE, entries, bytes);
    entries = judge_calibrator_cached(service, &bytes);
    judge_metrics_set_cache(service, JUDGE_CACHE_LEARNED, entries, bytes);
}


void
judge_background_tick(judge_service_t *service)
{
    size_t                     i;
    const judge_background_t  *part;

    judge_background_caches(service);

    for (i = 0; (part = judge_background_at(i)); i++) {
        if (part->tick) {
            part->tick(service);
        }
    }
}


void
judge_background_stop(judge_service_t *service)
{
    service->stopped = true;
    judge_leases_stop(service);
}


bool
judge_background_busy(judge_service_t *service)
{
    size_t                     i;
    const judge_background_t  *part;

    for (i = 0; (part = judge_background_at(i)); i++) {
        if (part->busy && part->busy(service)) {
            return true;
        }
    }

    return false;
}
