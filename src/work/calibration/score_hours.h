/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Counts the scores of each judge by the hour, in the background: once a
 * second the results that have come since, by whichever worker is first.  Of
 * more than 50 rows of results in a second, of one to eight each, as many that
 * lie evenly between them are counted.
 * A minute later the judges that they are of are looked at, whether their
 * scores lie otherwise than they did; what has become strong is an event.
 */


#ifndef JUDGE_SCORE_HOURS_H
#define JUDGE_SCORE_HOURS_H


#include "work/service/service.h"


bool judge_hours_create(judge_service_t *service);
void judge_hours_destroy(judge_service_t *service);      /* at rest only */

void judge_hours_tick(judge_service_t *service);

void judge_hours_stop(judge_service_t *service);
bool judge_hours_busy(judge_service_t *service);


#endif /* JUDGE_SCORE_HOURS_H */
