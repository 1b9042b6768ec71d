/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a version of a judge has learned of another engine's scores can't be
 * applied: a job fits it again from the stored feedback, one for each engine,
 * and evaluations by this version wait for it. */


#ifndef JUDGE_REFIT_H
#define JUDGE_REFIT_H


#include "work/service/service.h"


typedef struct {
    judge_ms_t  until;                 /* evaluations wait; 0: for nothing */
    int64_t     version;               /* that judges them instead; 0: none */
} judge_refit_t;

typedef void (*judge_refit_done_pt)(void *data, const judge_refit_t *refit);

/* Looks how far the job is, and makes it where the version is the active one
 * and there never was one for this engine.  refit is NULL where that can't be
 * known. */
void judge_refit(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, int64_t version, judge_refit_done_pt done,
    void *data);


#endif /* JUDGE_REFIT_H */
