/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/service/extension.h"
#include "work/service/metrics.h"


void **
judge_extensions_data(const judge_service_t *service,
    const judge_extension_t *extension)
{
    size_t  i;

    for (i = 0; judge_extensions[i] != extension; i++) {
        /* It was built in, or nobody could name it. */
    }

    return (void **) &service->extensions[i];
}


const judge_measurements_t *
judge_extensions_measurements(void)
{
    size_t  i;

    for (i = 0; judge_extensions[i]; i++) {
        if (judge_extensions[i]->measurements) {
            return judge_extensions[i]->measurements;
        }
    }

    return NULL;
}


/* Counters lie in shared memory in the order of the list. */

static uint64_t *
judge_extension_counter(const judge_service_t *service,
    const judge_extension_t *extension, size_t metric, size_t i)
{
    size_t                    k, m;
    const judge_extension_t  *before;

    for (k = 0; judge_extensions[k] != extension; k++) {
        before = judge_extensions[k];
        for (m = 0; m < before->nmetrics; m++) {
            i += before->metrics[m].n;
        }
    }

    for (m = 0; m < metric; m++) {
        i += extension->metrics[m].n;
    }

    return i < JUDGE_EXTENSION_COUNTERS ? &service->metrics->extensions[i]
                                        : NULL;
}


void
judge_extensions_add(judge_service_t *service,
    const judge_extension_t *extension, size_t metric, size_t i, uint64_t n)
{
    uint64_t  *counter;

    counter = judge_extension_counter(service, extension, metric, i);
    if (counter) {
        __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
    }
}


uint64_t
judge_extensions_get(const judge_service_t *service,
    const judge_extension_t *extension, size_t metric, size_t i)
{
    uint64_t  *counter;

    counter = judge_extension_counter(service, extension, metric, i);

    return counter ? __atomic_load_n(counter, __ATOMIC_RELAXED) : 0;
}
