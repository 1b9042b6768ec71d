/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Delivers webhooks in one worker process: at least once, without a guaranteed
 * order, and with the same webhook-id in each attempt.
 *
 * A turn is one operation of the store that records what has ended and claims
 * what is due; while it is being committed the calls that end meanwhile are
 * gathered for the next one.  Each address has a window of its own, which
 * grows while it answers well and soon, so that those that are slow or do not
 * answer at all never hold up the others: see endpoint.h.
 */


#ifndef JUDGE_WEBHOOK_H
#define JUDGE_WEBHOOK_H


#include "work/service/service.h"


bool judge_webhook_create(judge_service_t *service);
void judge_webhook_destroy(judge_service_t *service);    /* at rest only */

void judge_webhook_tick(judge_service_t *service);

/* No new claims; what is under way ends, or is handed back. */
void judge_webhook_stop(judge_service_t *service);
bool judge_webhook_busy(judge_service_t *service);


#endif /* JUDGE_WEBHOOK_H */
