/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the endpoints of training share. */


#ifndef JUDGE_TRAINING_JOBS_H
#define JUDGE_TRAINING_JOBS_H


#include "store/store_training.h"
#include "api/http/request.h"


extern const judge_resource_t  judge_training_jobs_resource;


#endif /* JUDGE_TRAINING_JOBS_H */
