/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a worker process does besides answering requests: modules of the
 * service, each with the same four functions. */


#ifndef JUDGE_BACKGROUND_H
#define JUDGE_BACKGROUND_H


#include "work/service/service.h"


#define JUDGE_BACKGROUND_TICK  50      /* ms between two ticks */

/* Creates all modules or none; false: out of memory.  The rest of the service
 * must be complete. */
bool judge_background_create(judge_service_t *service);

/* To be called when nothing is busy, or after create() has failed. */
void judge_background_destroy(judge_service_t *service);

void judge_background_tick(judge_service_t *service);

/* Makes no more claims; ticks must go on until nothing is busy. */
void judge_background_stop(judge_service_t *service);
bool judge_background_busy(judge_service_t *service);


#endif /* JUDGE_BACKGROUND_H */
