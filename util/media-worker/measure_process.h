/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A process that measures files one after the other, each in a child of its
 * own.  It stands between those that talk to the service and those that read
 * the files: it was started anew, with an empty environment, so that nothing
 * of a key or a secret is in the memory that a decoder could get at; and it
 * is small, so that its children are made quickly.
 */


#ifndef JUDGE_MEASURE_PROCESS_H
#define JUDGE_MEASURE_PROCESS_H


#include <sys/types.h>

#include "measure.h"


#define JUDGE_MEASURE_PROCESS_NAME  "measurer"   /* the command, inside */

typedef struct {
    pid_t  pid;                        /* 0: it does not run */
    int    socket;
} judge_measure_process_t;

/*
 * Has the descriptor's file measured; starts the process where it does not
 * run, and ends it, with its child, when `tick` returns false.  The outcome is
 * in out->report.code: JUDGE_MEASURE_INTERNAL also where the tick did.
 * judge_measured_free() afterwards.
 */
void judge_measure_process_measure(judge_measure_process_t *measurer, int fd,
    judge_media_kind_e kind, const judge_measure_limits_t *limits,
    judge_measure_tick_pt tick, void *data, judge_measured_t *out);
void judge_measure_process_stop(judge_measure_process_t *measurer);

/* What this process does; its status. */
int judge_measure_process_serve(void);


#endif /* JUDGE_MEASURE_PROCESS_H */
