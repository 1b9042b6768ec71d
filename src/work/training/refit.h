/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A refit: what a version of a judge has learned from the scores of another
 * engine, or of another version of it, can't be applied.  One job per engine
 * learns again from the stored feedback; the version's evaluations wait. */


#ifndef JUDGE_REFIT_H
#define JUDGE_REFIT_H


#include "work/service/service.h"


typedef struct {
    judge_ms_t  until;                 /* evaluations wait so long; 0: they
                                          don't wait */
    int64_t     version;               /* that judges instead; 0: none */
} judge_refit_t;

typedef void (*judge_refit_done_pt)(void *data, const judge_refit_t *refit);

/* Reads the state of the job, and creates the job if the version is active and
 * none was ever created for this engine.  Calls done(), with refit NULL if
 * that fails. */
void judge_refit(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, int64_t version, judge_refit_done_pt done,
    void *data);


#endif /* JUDGE_REFIT_H */
