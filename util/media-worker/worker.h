/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The worker as a client of the service: one process that starts several
 * others, each of which claims and works on one evaluation after the other
 * (worker_loop.c).
 */


#ifndef JUDGE_WORKER_H
#define JUDGE_WORKER_H


#include "worker_conf.h"


/* Until SIGTERM or SIGINT; the status of the process. */
int judge_worker_run(const judge_worker_conf_t *conf);

/* What one of these processes does, until the flag is set. */
int judge_worker_loop_run(const judge_worker_conf_t *conf, int number,
    volatile const int *stop);

/* One line to the standard error, with the time and the number of the process;
 * 0: of the one that starts the others. */
void judge_worker_log(int number, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));


#endif /* JUDGE_WORKER_H */
