/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The bodies of callbacks. */


#ifndef JUDGE_REPORT_H
#define JUDGE_REPORT_H


#include "client.h"


/* What was found out, beside the scores. */
typedef struct {
    const judge_media_t  *media;
    double                seconds;     /* that it took */
    judge_str_t           source;      /* who judged; absent: the
                                          measurements alone */
} judge_report_t;

/*
 * A completed evaluation; a score that is NAN is reported as not measurable.
 * Lines that are longer than the service takes are cut.  data NULL: memory
 * is exhausted.
 */
judge_str_t judge_report_completed(judge_arena_t *arena,
    const judge_media_job_t *job, const judge_verdict_t *verdict,
    const judge_report_t    *report);

judge_str_t judge_report_failed(judge_arena_t *arena,
    const judge_media_job_t *job, const char *code, const char *message);


#endif /* JUDGE_REPORT_H */
