/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Hashes and pseudorandom numbers, neither of them for secrets.
 *
 * FNV-1a with 64 bits (Fowler, Noll & Vo).  Collisions are easy to make, so a
 * table whose keys an attacker can choose must bound its probes. */


#ifndef JUDGE_HASH_H
#define JUDGE_HASH_H


#include <stddef.h>
#include <stdint.h>


#define JUDGE_FNV_START  UINT64_C(0xcbf29ce484222325)
#define JUDGE_FNV_PRIME  UINT64_C(0x100000001b3)


static inline uint64_t
judge_fnv_byte(uint64_t hash, unsigned char c)
{
    return (hash ^ c) * JUDGE_FNV_PRIME;
}


static inline uint64_t
judge_fnv(uint64_t hash, const void *data, size_t len)
{
    size_t          i;
    const uint8_t  *bytes = data;

    for (i = 0; i < len; i++) {
        hash = judge_fnv_byte(hash, bytes[i]);
    }

    return hash;
}


/* splitmix64 (Steele, Lea & Flood 2014): first its mixing function, then the
 * generator itself. */

static inline uint64_t
judge_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);

    return z ^ z >> 31;
}


static inline uint64_t
judge_mix_next(uint64_t *state)
{
    return judge_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}


#endif /* JUDGE_HASH_H */
