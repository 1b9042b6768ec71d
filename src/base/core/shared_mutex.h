/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A mutex in memory that processes share.  It is robust: if its owner dies,
 * the next one gets it. */


#ifndef JUDGE_SHARED_MUTEX_H
#define JUDGE_SHARED_MUTEX_H


#include <pthread.h>
#include <stdbool.h>


bool judge_shared_mutex_init(pthread_mutex_t *mutex);

/* false: it can't be locked.  Sets *died, unless it is NULL, to whether the
 * last owner has died, so that what it was writing may be incomplete. */
bool judge_shared_mutex_lock(pthread_mutex_t *mutex, bool *died);


#endif /* JUDGE_SHARED_MUTEX_H */
