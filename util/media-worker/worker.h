/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The worker as a client of the service: one process that holds several
 * others, its slots, each of which claims one evaluation after the other and
 * works on it (worker_loop.c).
 */


#ifndef JUDGE_WORKER_H
#define JUDGE_WORKER_H


#include "worker_conf.h"


/* Until SIGTERM or SIGINT; the status of the process. */
int judge_worker_run(const judge_worker_conf_t *conf);

/* One slot, in a process of its own, until the flag is set. */
int judge_worker_loop_run(const judge_worker_conf_t *conf, int number,
    volatile const int *stop);

/* One line to the standard error, with the time and the slot; 0: of the
 * worker itself. */
void judge_worker_log(int slot, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));


#endif /* JUDGE_WORKER_H */
