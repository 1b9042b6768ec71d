/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What each worker does beside requests, in small transactions.  At each tick
 * it goes on with what another worker has left unfinished: the slices of large
 * batches that are being made, started or retried, and deletions.  If there
 * are none, it deletes rows that have expired, once a minute and at each tick
 * while there are more, and rows that are older than the settings allow, in a
 * round that begins once an hour.  docs/operations.md lists all that expires.
 */


#ifndef JUDGE_EXPIRY_H
#define JUDGE_EXPIRY_H


#include "work/service/service.h"


#define JUDGE_EXPIRY_ROWS  500          /* of each table in a transaction */

#define JUDGE_EXPIRY_DAY         (INT64_C(24) * 3600 * 1000)
#define JUDGE_KEEP_KEYS         JUDGE_EXPIRY_DAY

bool judge_expiry_create(judge_service_t *service);
void judge_expiry_destroy(judge_service_t *service);

void judge_expiry_tick(judge_service_t *service);

bool judge_expiry_busy(judge_service_t *service);


#endif /* JUDGE_EXPIRY_H */
