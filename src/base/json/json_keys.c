/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Keys of an object: a list first, from some size on a table with open
 * addressing, hashed by SipHash-1-3 (Aumasson & Bernstein
 * 2012) with a random key, so that nobody can make keys collide.
 */


#include <string.h>

#include "base/crypto/crypto.h"
#include "base/json/json_keys.h"


#define JUDGE_KEYS_LINEAR  24
#define JUDGE_KEYS_FIRST   128


typedef struct {
    uint64_t  v[4];
} judge_sip_t;


static uint64_t
judge_sip_rotate(uint64_t x, int n)
{
    return (x << n) | (x >> (64 - n));
}


static void
judge_sip_round(judge_sip_t *s)
{
    uint64_t  *v;

    v = s->v;

    v[0] += v[1];
    v[2] += v[3];
    v[1] = judge_sip_rotate(v[1], 13) ^ v[0];
    v[3] = judge_sip_rotate(v[3], 16) ^ v[2];
    v[0] = judge_sip_rotate(v[0], 32);

    v[2] += v[1];
    v[0] += v[3];
    v[1] = judge_sip_rotate(v[1], 17) ^ v[2];
    v[3] = judge_sip_rotate(v[3], 21) ^ v[0];
    v[2] = judge_sip_rotate(v[2], 32);
}


static void
judge_sip_word(judge_sip_t *s, uint64_t word)
{
    s->v[3] ^= word;
    judge_sip_round(s);
    s->v[0] ^= word;
}


static uint64_t
judge_sip_hash(const judge_json_secret_t *secret, judge_str_t key)
{
    int           i;
    size_t        len;
    uint64_t      word;
    const char   *p;
    judge_sip_t   s;

    s.v[0] = secret->k0 ^ 0x736f6d6570736575ull;
    s.v[1] = secret->k1 ^ 0x646f72616e646f6dull;
    s.v[2] = secret->k0 ^ 0x6c7967656e657261ull;
    s.v[3] = secret->k1 ^ 0x7465646279746573ull;

    p = key.data;

    for (len = key.len; len >= 8; len -= 8) {
        memcpy(&word, p, 8);
        judge_sip_word(&s, word);
        p += 8;
    }

    word = 0;
    memcpy(&word, p, len);
    judge_sip_word(&s, word | ((uint64_t) key.len << 56));

    s.v[2] ^= 0xff;

    for (i = 0; i < 3; i++) {
        judge_sip_round(&s);
    }

    return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}


/* The slot of that key, or the empty one where it belongs. */

static const judge_json_t **
judge_json_keys_slot(const judge_json_keys_t *keys,
    const judge_json_secret_t *secret, judge_str_t key)
{
    size_t  i;

    i = (size_t) judge_sip_hash(secret, key);

    for ( ;; ) {
        i &= keys->size - 1;

        if (keys->slots[i] == NULL || judge_str_eq(keys->slots[i]->key, key)) {
            return &keys->slots[i];
        }

        i++;
    }
}


static judge_rc_e
judge_json_keys_grow(judge_json_keys_t *keys, judge_arena_t *arena,
    judge_json_secret_t *secret, const judge_json_t *object)
{
    judge_rc_e           rc;
    const judge_json_t  *m;

    if (!secret->set) {
        rc = judge_random(secret, offsetof(judge_json_secret_t, set));
        if (rc != JUDGE_OK) {
            return rc;
        }

        secret->set = true;
    }

    keys->size = keys->size ? keys->size * 2 : JUDGE_KEYS_FIRST;

    keys->slots = judge_array_alloc(arena, keys->size,
                                    sizeof(judge_json_t *));
    if (keys->slots == NULL) {
        return JUDGE_NOMEM;
    }

    for (m = object->first; m != NULL; m = m->next) {
        *judge_json_keys_slot(keys, secret, m->key) = m;
    }

    return JUDGE_OK;
}


judge_rc_e
judge_json_keys_add(judge_json_keys_t *keys, judge_arena_t *arena,
    judge_json_secret_t *secret, const judge_json_t *object,
    const judge_json_t *member)
{
    judge_rc_e            rc;
    const judge_json_t   *m, **slot;

    if (object->count < JUDGE_KEYS_LINEAR) {

        for (m = object->first; m != NULL; m = m->next) {
            if (judge_str_eq(m->key, member->key)) {
                return JUDGE_CONFLICT;
            }
        }

        return JUDGE_OK;
    }

    /* at most half full */

    if (object->count >= keys->size / 2) {
        rc = judge_json_keys_grow(keys, arena, secret, object);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    slot = judge_json_keys_slot(keys, secret, member->key);

    if (*slot != NULL) {
        return JUDGE_CONFLICT;
    }

    *slot = member;

    return JUDGE_OK;
}
