/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A process that gives away what it may do, before it touches a file of a
 * stranger: no files but those that are open, no network, no other programs,
 * no signals to others; bounded memory and time.
 */


#ifndef JUDGE_SANDBOX_H
#define JUDGE_SANDBOX_H


#include <stdbool.h>


/*
 * For good, for this process and its threads.  Keeps open the standard error
 * and the two descriptors.  `seconds` of processor time, `memory` in MB of
 * address space (0: unbounded).  false: the system refuses, and the process
 * must end.
 */
bool judge_sandbox_enter(int keep, int keep_too, int seconds, int memory);


#endif /* JUDGE_SANDBOX_H */
