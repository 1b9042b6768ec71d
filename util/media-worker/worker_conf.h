/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The configuration of the worker: its environment, or a file of lines
 * NAME=value with the same names (docs/media.md).
 */


#ifndef JUDGE_WORKER_CONF_H
#define JUDGE_WORKER_CONF_H


#include "measure.h"


#define JUDGE_WORKER_PROCESSES_MAX  64

/* All text ends with a zero byte and is never freed; "" where it is not
 * set. */
typedef struct {
    const char              *url;      /* of the service, without a slash at
                                          its end */
    const char              *origins;  /* others that addresses may be of, by
                                          commas */
    const char              *api_key;
    const char              *secret;   /* that callbacks are signed with */
    const char              *kinds;    /* by commas */
    const char              *temp;     /* folder */
    int                      processes;        /* evaluations at a time */
    int                      lease;    /* s */
    int                      wait;     /* s, of a claim */
    int                      tries;    /* of a callback */
    int64_t                  bytes;    /* of a file */
    judge_measure_limits_t   limits;

    const char              *model_url;        /* "": without a model */
    const char              *model;
    const char              *model_key;
    int                      model_seconds;    /* of a call */
    int                      model_share;      /* %, of a score that is
                                                  measured, too */
} judge_worker_conf_t;

/*
 * Reads the environment, and the file (NULL: none) for what is not in it;
 * secrets are taken out of the environment.  false: *error is
 * what is wrong, without the value.
 */
bool judge_worker_conf_read(judge_worker_conf_t *conf, const char *path,
    const char **error);

/* Whether an address is of the service, or of one of the other origins. */
bool judge_worker_conf_allows(const judge_worker_conf_t *conf,
    const char *url);


#endif /* JUDGE_WORKER_CONF_H */
