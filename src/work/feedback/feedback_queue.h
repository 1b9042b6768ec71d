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


judge_feedback_t *judge_feedback_create(judge_service_t *service);
void judge_feedback_destroy(judge_feedback_t *feedback); /* at rest only */

void judge_feedback_tick(judge_feedback_t *feedback);    /* as the work's */
void judge_feedback_poke(judge_feedback_t *feedback);    /* some has come */
void judge_feedback_stop(judge_feedback_t *feedback);
bool judge_feedback_busy(judge_feedback_t *feedback);


#endif /* JUDGE_FEEDBACK_QUEUE_H */
