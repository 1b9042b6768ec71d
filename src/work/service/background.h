/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a worker process does besides answering requests: modules that hang on
 * the service, each with the same five functions. */


#ifndef JUDGE_BACKGROUND_H
#define JUDGE_BACKGROUND_H


#include "work/service/service.h"


#define JUDGE_BACKGROUND_TICK  50      /* ms between two ticks */

/* All modules or none; false: no memory.  The service is complete but for
 * them. */
bool judge_background_create(judge_service_t *service);

/* At rest only, or after create() has failed. */
void judge_background_destroy(judge_service_t *service);

void judge_background_tick(judge_service_t *service);

/* No new claims from now on, while ticks go on until nothing is busy. */
void judge_background_stop(judge_service_t *service);
bool judge_background_busy(judge_service_t *service);


#endif /* JUDGE_BACKGROUND_H */
