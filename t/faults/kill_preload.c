/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A text that kills the process that looks for a pattern in it, by LD_PRELOAD,
 * for t/faults/killer.t.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* RTLD_NEXT, memmem() */
#endif

#define PCRE2_CODE_UNIT_WIDTH  8

#include <dlfcn.h>
#include <pcre2.h>
#include <signal.h>
#include <string.h>


#define KILLER  "this one kills"


int
pcre2_match_8(const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE len,
    PCRE2_SIZE from, uint32_t options, pcre2_match_data *data,
    pcre2_match_context *context)
{
    static __typeof__(&pcre2_match_8)  real;

    if (memmem(text, len, KILLER, strlen(KILLER))) {
        (void) raise(SIGKILL);
    }

    if (real == NULL) {
        *(void **) &real = dlsym(RTLD_NEXT, "pcre2_match_8");
    }

    return real(code, text, len, from, options, data, context);
}
