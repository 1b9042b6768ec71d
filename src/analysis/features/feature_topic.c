/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Keeps pairs and triples of words of a text as hashes, so that another text
 * can be compared with it. */


#include "analysis/features/feature.h"


judge_rc_e
judge_hash_set_create(judge_hash_set_t *set, judge_arena_t *arena, size_t max)
{
    size_t  slots = 16;

    while (slots < max * 2) {
        slots *= 2;
    }

    set->mask = slots - 1;
    set->slots = judge_array_alloc(arena, slots, sizeof(uint64_t));

    return set->slots == NULL ? JUDGE_NOMEM : JUDGE_OK;
}


size_t
judge_hash_set_slot(const judge_hash_set_t *set, uint64_t hash)
{
    size_t  n, i = hash ^ (hash >> 32);

    for (n = 1; n < JUDGE_PROBES && set->slots[i & set->mask] != 0
                && set->slots[i & set->mask] != hash; n++)
    {
        i++;
    }

    return i & set->mask;
}


bool
judge_hash_set_add(judge_hash_set_t *set, uint64_t hash)
{
    uint64_t  *slot = &set->slots[judge_hash_set_slot(set, hash)];

    if (*slot == hash) {
        return false;
    }

    *slot = hash;

    return true;
}


bool
judge_hash_set_has(const judge_hash_set_t *set, uint64_t hash)
{
    return set->slots[judge_hash_set_slot(set, hash)] == hash;
}


uint64_t
judge_pair_at(const judge_text_t *t, size_t i)
{
    uint64_t  hash;

    if (i == 0 || !judge_token_is_word(&t->tokens[i])
        || !judge_token_is_word(&t->tokens[i - 1]))
    {
        return 0;
    }

    hash = judge_hash_join(t->types[t->tokens[i - 1].type].hash,
                           t->types[t->tokens[i].type].hash);

    return hash != 0 ? hash : 1;
}


/* How far the triples of words of a text have been read. */
typedef struct {
    const judge_text_t  *text;
    size_t               i;            /* the token to read next */
    size_t               n;            /* words read */
    uint64_t             before[2];    /* hashes of the last two */
} judge_triples_t;


/* Returns the hash of the next word and the two before it; 0: none is left. */

static uint64_t
judge_triple_next(judge_triples_t *w)
{
    uint64_t             hash, last;
    const judge_token_t *token;

    while (w->i < w->text->ntokens) {
        token = &w->text->tokens[w->i++];
        if (!judge_token_is_word(token)) {
            continue;
        }

        last = w->text->types[token->type].hash;
        hash = (w->before[0] * JUDGE_FNV_PRIME ^ w->before[1])
               * JUDGE_FNV_PRIME;
        hash = (hash ^ last) * JUDGE_FNV_PRIME;
        w->before[0] = w->before[1];
        w->before[1] = last;

        if (++w->n >= 3) {
            return hash | 1;
        }
    }

    return 0;
}


judge_rc_e
judge_triples_share(judge_arena_t *arena, const judge_text_t *t,
    const judge_text_t *source, double *share)
{
    size_t            n, found;
    uint64_t          hash;
    judge_triples_t   own = { .text = t }, others = { .text = source };
    judge_hash_set_t  set;

    if (judge_hash_set_create(&set, arena, source->nwords + 1) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    while ((hash = judge_triple_next(&others)) != 0) {
        (void) judge_hash_set_add(&set, hash);
    }

    for (n = 0, found = 0; (hash = judge_triple_next(&own)) != 0; n++) {
        found += judge_hash_set_has(&set, hash);
    }

    *share = judge_share((double) found, (double) n);

    return JUDGE_OK;
}


/* A text of n words has n - 2 triples.  Most need not be read. */

judge_rc_e
judge_triples_repeat(judge_arena_t *arena, const judge_text_t *t, double share,
    bool *repeats)
{
    double            triples = (double) t->nwords - 2, distinct = 0;
    uint64_t          hash;
    judge_rc_e        rc;
    judge_triples_t   words = { .text = t };
    judge_hash_set_t  set;

    rc = judge_hash_set_create(&set, arena,
                               (size_t) (share * (double) t->nwords) + 1);
    *repeats = rc == JUDGE_OK && triples > 0;

    while (*repeats && (hash = judge_triple_next(&words)) != 0) {
        distinct += judge_hash_set_add(&set, hash);
        *repeats = distinct / triples < share;
    }

    return rc;
}
