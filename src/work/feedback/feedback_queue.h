/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Processing feedback in the background: stored entries are turned into the
 * examples that training learns from, by whichever worker comes first.
 */


#ifndef JUDGE_FEEDBACK_QUEUE_H
#define JUDGE_FEEDBACK_QUEUE_H


#include "work/service/service.h"


bool judge_feedback_create(judge_service_t *service);
void judge_feedback_destroy(judge_service_t *service);   /* at rest only */

void judge_feedback_tick(judge_service_t *service);
void judge_feedback_poke(judge_service_t *service);      /* some has come */
void judge_feedback_stop(judge_service_t *service);
bool judge_feedback_busy(judge_service_t *service);


#endif /* JUDGE_FEEDBACK_QUEUE_H */
