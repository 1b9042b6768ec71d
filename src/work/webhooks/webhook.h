/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Delivers webhooks in one worker process: at least once, without a guaranteed
 * order, and with the same webhook-id in each attempt.
 *
 * A turn is one operation of the store that records deliveries that have ended
 * and claims those that are due.  Calls that end during its commit are
 * recorded by the next turn.  Each address has a window of its own, so that
 * slow and dead addresses never delay the others: see endpoint.h.
 */


#ifndef JUDGE_WEBHOOK_H
#define JUDGE_WEBHOOK_H


#include "work/service/service.h"


bool judge_webhook_create(judge_service_t *service);
void judge_webhook_destroy(judge_service_t *service);    /* at rest only */

void judge_webhook_tick(judge_service_t *service);

/* If the process leaves, deliveries under way end, or are put back. */
bool judge_webhook_busy(judge_service_t *service);


#endif /* JUDGE_WEBHOOK_H */
