/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The identity of a list of measurements is a hash of their names and of the
 * versions of their definitions, in order.  Two arrays of measured numbers
 * mean the same only where their identities are the same.
 */


#ifndef JUDGE_IDENTITY_H
#define JUDGE_IDENTITY_H


#include <string.h>

#include "base/core/hash.h"


/* The empty list has JUDGE_FNV_START.  Any byte order gives the same. */

static inline uint64_t
judge_identity_add(uint64_t identity, const char *name, uint32_t version)
{
    uint8_t  bytes[] = { (uint8_t) version, (uint8_t) (version >> 8),
                         (uint8_t) (version >> 16),
                         (uint8_t) (version >> 24) };

    identity = judge_fnv(identity, name, strlen(name) + 1);

    return judge_fnv(identity, bytes, sizeof(bytes));
}


#endif /* JUDGE_IDENTITY_H */
