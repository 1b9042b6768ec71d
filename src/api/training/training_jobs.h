/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the endpoints of training share. */


#ifndef JUDGE_TRAINING_JOBS_H
#define JUDGE_TRAINING_JOBS_H


#include "api/http/request.h"
#include "store/store_training.h"


/* The identifier of the path; false: it is none, and it has answered. */
bool judge_training_param(judge_req_t *r, judge_str_t *id);
void judge_training_missing(judge_req_t *r);


#endif /* JUDGE_TRAINING_JOBS_H */
