/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The keys of one object, to find a second of the same name; internal to the
 * parser.  Few are compared one by one; many are hashed with a secret, so
 * that nobody can choose keys that collide.
 */


#ifndef JUDGE_JSON_KEYS_H
#define JUDGE_JSON_KEYS_H


#include "base/json/json.h"


typedef struct {
    uint64_t  k0;
    uint64_t  k1;
    bool      set;
} judge_json_secret_t;

typedef struct {
    const judge_json_t  **slots;       /* NULL: not hashed yet */
    size_t                size;        /* a power of two */
} judge_json_keys_t;

/*
 * To be called before `member` is linked into `object`.  JUDGE_CONFLICT when
 * the object has a member of that name.  The secret is made when first used.
 */
judge_rc_e judge_json_keys_add(judge_json_keys_t *keys, judge_arena_t *arena,
    judge_json_secret_t *secret, const judge_json_t *object,
    const judge_json_t *member);


#endif /* JUDGE_JSON_KEYS_H */
