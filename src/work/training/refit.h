/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A refit: if a version of a judge has learned from another engine's scores,
 * this can't be applied.  A job, one per engine, learns again from the stored
 * feedback, and evaluations by this version wait for it. */


#ifndef JUDGE_REFIT_H
#define JUDGE_REFIT_H


#include "work/service/service.h"


typedef struct {
    judge_ms_t  until;                 /* evaluations wait so long; 0: not */
    int64_t     version;               /* judges in its place; 0: none */
} judge_refit_t;

typedef void (*judge_refit_done_pt)(void *data, const judge_refit_t *refit);

/* Reads the state of the job, and creates it if the version is active and no
 * job ever existed for this engine.  Calls back with refit NULL if that
 * fails. */
void judge_refit(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, int64_t version, judge_refit_done_pt done,
    void *data);


#endif /* JUDGE_REFIT_H */
