/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Deletes files without a row, now and then: a process may have died between
 * writing a file and its row, or between deleting a row and its file. */


#ifndef JUDGE_UPLOAD_SWEEP_H
#define JUDGE_UPLOAD_SWEEP_H


#include "work/service/service.h"


bool judge_upload_sweep_create(judge_service_t *service);
void judge_upload_sweep_destroy(judge_service_t *service);       /* at rest */

void judge_upload_sweep_tick(judge_service_t *service);
bool judge_upload_sweep_busy(judge_service_t *service);


#endif /* JUDGE_UPLOAD_SWEEP_H */
