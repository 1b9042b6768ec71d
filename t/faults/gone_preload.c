/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A file that is deleted while a backup is made, by LD_PRELOAD, for
 * t/backup.t: once the file that T_AFTER names is there, the next
 * folder that is opened has lost the file that T_GONE names.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* RTLD_NEXT */
#endif

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>


DIR *
opendir(const char *name)
{
    const char                  *after, *gone;
    static __typeof__(&opendir)  real;

    after = getenv("T_AFTER");
    gone = getenv("T_GONE");

    if (after && gone && access(after, F_OK) == 0) {
        (void) unlink(gone);
    }

    if (real == NULL) {
        *(void **) &real = dlsym(RTLD_NEXT, "opendir");
    }

    return real(name);
}
