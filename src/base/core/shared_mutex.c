/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <errno.h>

#include "base/core/shared_mutex.h"


bool
judge_shared_mutex_init(pthread_mutex_t *mutex)
{
    bool                 made;
    pthread_mutexattr_t  attr;

    if (pthread_mutexattr_init(&attr) != 0) {
        return false;
    }

    made = pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0
           && pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0
           && pthread_mutex_init(mutex, &attr) == 0;

    (void) pthread_mutexattr_destroy(&attr);

    return made;
}


bool
judge_shared_mutex_lock(pthread_mutex_t *mutex, bool *died)
{
    int  err;

    err = pthread_mutex_lock(mutex);
    if (died) {
        *died = err == EOWNERDEAD;
    }

    return err == 0
           || (err == EOWNERDEAD && pthread_mutex_consistent(mutex) == 0);
}
