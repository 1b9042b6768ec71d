/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writing events behind an operation, within src/store. */


#ifndef JUDGE_STORE_EVENT_PARTS_H
#define JUDGE_STORE_EVENT_PARTS_H


#include "store/ops/store_ops.h"
#include "store/store_webhook.h"


/* Of a row of org_settings: there is an address, and it is not turned off. */
#define JUDGE_WEBHOOK_IS_ON                                                   \
    "webhook_url IS NOT NULL AND COALESCE(webhook_enabled, 1) <> 0"

/* At (org ?1, url ?2) something is due at ?3. */
#define JUDGE_ENDPOINT_DUE                                                    \
    "INSERT INTO webhook_endpoints (org, url, queue_at) VALUES (?1, ?2, ?3)"  \
    " ON CONFLICT (org, url) DO UPDATE SET queue_at = CASE"                   \
    " WHEN webhook_endpoints.blocked_until > excluded.queue_at"               \
    " THEN webhook_endpoints.blocked_until ELSE excluded.queue_at END"        \
    " WHERE webhook_endpoints.queue_at IS NULL"                               \
    " OR webhook_endpoints.queue_at > excluded.queue_at"

/* The organization ?1 has another address, or wants it tried again: what
 * failed at the one before does not count.  Times are those of ?2. */
#define JUDGE_ENDPOINT_FORGIVEN                                               \
    "UPDATE webhook_endpoints SET failures = 0, blocked_until = 0,"           \
    " queue_at = CASE WHEN queue_at IS NULL THEN NULL ELSE ?2 END"            \
    " WHERE org = ?1 AND url = ''"


/* Whether a JSON array of event names has this one; an absent one has all but
 * those that are to be asked for by name. */
bool judge_event_listed(judge_str_t list, judge_event_type_e type);


#endif /* JUDGE_STORE_EVENT_PARTS_H */
