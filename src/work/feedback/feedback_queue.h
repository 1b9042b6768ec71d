/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Turns stored entries of feedback into the examples that training learns
 * from, in the background of whichever worker claims them first. */


#ifndef JUDGE_FEEDBACK_QUEUE_H
#define JUDGE_FEEDBACK_QUEUE_H


#include "work/service/service.h"


bool judge_feedback_create(judge_service_t *service);
void judge_feedback_destroy(judge_service_t *service);   /* at rest only */

void judge_feedback_tick(judge_service_t *service);
void judge_feedback_wake(judge_service_t *service);      /* claims at once */
void judge_feedback_stop(judge_service_t *service);
bool judge_feedback_busy(judge_service_t *service);


#endif /* JUDGE_FEEDBACK_QUEUE_H */
