/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/calibration/calibrator_cache.h"
#include "work/calibration/score_hours.h"
#include "work/evaluation/batch_pages.h"
#include "work/evaluation/queue.h"
#include "work/evaluation/waiters.h"
#include "work/feedback/feedback_queue.h"
#include "work/service/background.h"
#include "work/service/expiry.h"
#include "work/service/fleet.h"
#include "work/service/live.h"
#include "work/service/metrics.h"
#include "work/traffic/exchange.h"
#include "work/training/training.h"
#include "work/uploads/bucket.h"
#include "work/uploads/upload_reader.h"
#include "work/webhooks/webhook.h"


/* create() sets the module's pointer in the service.  tick, stop and busy may
 * be NULL. */
typedef struct {
    bool  (*create)(judge_service_t *service);
    void  (*destroy)(judge_service_t *service);
    void  (*tick)(judge_service_t *service);
    void  (*stop)(judge_service_t *service);
    bool  (*busy)(judge_service_t *service);
} judge_background_t;

/* Destroyed from the last to the first, so that each may use those before. */
static const judge_background_t  judge_background[] = {

    { judge_calibrator_cache_create, judge_calibrator_cache_destroy,
      NULL, NULL, NULL },

    { judge_live_create, judge_live_destroy, NULL, NULL, NULL },

    { judge_batch_pages_create, judge_batch_pages_destroy, NULL, NULL, NULL },

    { judge_waiters_create, judge_waiters_destroy, judge_waiters_tick,
      judge_waiters_stop, judge_waiters_busy },

    { judge_queue_create, judge_queue_destroy, judge_queue_tick,
      judge_queue_stop, judge_queue_busy },

    { judge_exchanges_create, judge_exchanges_destroy, NULL, NULL,
      judge_exchanges_busy },

    { judge_bucket_create, judge_bucket_destroy, judge_bucket_tick,
      judge_bucket_stop, judge_bucket_busy },

    { judge_upload_reader_create, judge_upload_reader_destroy,
      judge_upload_reader_tick, judge_upload_reader_stop,
      judge_upload_reader_busy },

    { judge_feedback_create, judge_feedback_destroy, judge_feedback_tick,
      judge_feedback_stop, judge_feedback_busy },

    { judge_training_create, judge_training_destroy, judge_training_tick,
      judge_training_stop, judge_training_busy },

    { judge_webhook_create, judge_webhook_destroy, judge_webhook_tick,
      judge_webhook_stop, judge_webhook_busy },

    { judge_expiry_create, judge_expiry_destroy, judge_expiry_tick,
      judge_expiry_stop, judge_expiry_busy },

    { judge_hours_create, judge_hours_destroy, judge_hours_tick,
      judge_hours_stop, judge_hours_busy },

    { NULL, NULL, judge_fleet_tick, NULL, NULL },
};

#define JUDGE_BACKGROUND_COUNT  (sizeof(judge_background)                     \
                                 / sizeof(judge_background[0]))


bool
judge_background_create(judge_service_t *service)
{
    size_t  i;

    if (judge_id_make(&service->owner, "wrk", judge_now(service)) != JUDGE_OK)
    {
        return false;
    }

    for (i = 0; i < JUDGE_BACKGROUND_COUNT; i++) {
        if (judge_background[i].create
            && !judge_background[i].create(service))
        {
            return false;
        }
    }

    return true;
}


void
judge_background_destroy(judge_service_t *service)
{
    size_t  i;

    for (i = JUDGE_BACKGROUND_COUNT; i > 0; i--) {
        if (judge_background[i - 1].destroy) {
            judge_background[i - 1].destroy(service);
        }
    }
}


static void
judge_background_caches(judge_service_t *service)
{
    size_t  entries, bytes, pages, more;

    entries = judge_live_count(service, &bytes);
    pages = judge_batch_pages_count(service, &more);
    judge_metrics_cache(service, JUDGE_CACHE_LIVE, entries + pages,
                        bytes + more);
    entries = judge_calibrator_cached(service, &bytes);
    judge_metrics_cache(service, JUDGE_CACHE_LEARNED, entries, bytes);
}


void
judge_background_tick(judge_service_t *service)
{
    size_t  i;

    judge_background_caches(service);

    for (i = 0; i < JUDGE_BACKGROUND_COUNT; i++) {
        if (judge_background[i].tick) {
            judge_background[i].tick(service);
        }
    }
}


void
judge_background_stop(judge_service_t *service)
{
    size_t  i;

    for (i = 0; i < JUDGE_BACKGROUND_COUNT; i++) {
        if (judge_background[i].stop) {
            judge_background[i].stop(service);
        }
    }
}


bool
judge_background_busy(judge_service_t *service)
{
    size_t  i;

    for (i = 0; i < JUDGE_BACKGROUND_COUNT; i++) {
        if (judge_background[i].busy && judge_background[i].busy(service)) {
            return true;
        }
    }

    return false;
}
