/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Repetition: runs of words, sentences and single words that come again.
 */


#include <string.h>

#include "analysis/features/feature.h"


#define JUDGE_REPEAT_OFTEN  4          /* a word is there so many times */

static void judge_repeat_runs(judge_measure_t *m, judge_pairs_t *seen);
static void judge_repeat_sentences(judge_measure_t *m, judge_pairs_t *seen);
static void judge_repeat_words(judge_measure_t *m);


judge_rc_e
judge_measure_repeat(judge_measure_t *m)
{
    judge_pairs_t  runs, sentences;

    if (judge_pairs_create(&runs, m->arena, m->text->nwords * 2) != JUDGE_OK
        || judge_pairs_create(&sentences, m->arena, m->text->nsentences)
           != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    judge_repeat_runs(m, &runs);
    judge_repeat_sentences(m, &sentences);
    judge_repeat_words(m);

    return JUDGE_OK;
}


static bool
judge_seen_before(judge_pairs_t *seen, uint64_t hash)
{
    return !judge_pairs_add(seen, hash != 0 ? hash : 1);
}


/* A run of five is a repetition when its three runs of three are. */

static void
judge_repeat_runs(judge_measure_t *m, judge_pairs_t *seen)
{
    size_t               i;
    uint64_t             one, two, hash;
    uint32_t             run, known, n[3], again[3];
    const judge_text_t  *t;

    t = m->text;
    memset(n, 0, sizeof(n));
    memset(again, 0, sizeof(again));
    run = 0;
    known = 0;
    one = 0;
    two = 0;

    for (i = 0; i < t->ntokens; i++) {
        if (!judge_token_is_word(&t->tokens[i])) {
            run = t->tokens[i].kind == JUDGE_TOKEN_MARK ? 0 : run;
            continue;
        }

        hash = t->types[t->tokens[i].type].hash;
        run++;

        if (run >= 3 && judge_seen_before(seen, judge_hash_join(two, hash))) {
            again[1]++;
            known++;

        } else {
            known = 0;
        }

        if (run >= 5 && known >= 3) {
            again[2]++;
            judge_found(m, JUDGE_FOUND_REPEATED, i - 4, i + 1);
        }

        two = judge_hash_join(one, hash);
        one = hash;

        again[0] += run >= 2 && judge_seen_before(seen, two);
        n[0] += run >= 2;
        n[1] += run >= 3;
        n[2] += run >= 5;
    }

    m->v[JUDGE_F_REPEATED_PAIRS] = (float) judge_share(again[0], n[0]);
    m->v[JUDGE_F_REPEATED_TRIPLES] = (float) judge_share(again[1], n[1]);
    m->v[JUDGE_F_REPEATED_FIVES] = (float) judge_share(again[2], n[2]);
}


static void
judge_repeat_sentences(judge_measure_t *m, judge_pairs_t *seen)
{
    size_t                   i, k;
    uint32_t                 again, n;
    uint64_t                 hash;
    const judge_text_t      *t;
    const judge_sentence_t  *s;

    t = m->text;
    again = 0;
    n = 0;

    for (i = 0; i < t->nsentences; i++) {
        s = &t->sentences[i];

        if (s->words < 4) {
            continue;
        }

        hash = JUDGE_FNV_START;

        for (k = s->first; k < s->end; k++) {
            if (t->tokens[k].type != JUDGE_NO_TYPE) {
                hash = judge_hash_join(hash,
                                       t->types[t->tokens[k].type].hash);
            }
        }

        n++;
        again += judge_seen_before(seen, hash);
    }

    m->v[JUDGE_F_REPEATED_SENTENCES] = (float) judge_share(again, n);
}


static void
judge_repeat_words(judge_measure_t *m)
{
    size_t    i;
    uint32_t  n, top, first;

    n = 0;
    top = 0;
    first = 0;

    for (i = 0; i < m->text->ntypes; i++) {
        if (m->text->types[i].content) {
            n += m->text->types[i].count;

            if (m->text->types[i].count > top) {
                top = m->text->types[i].count;
                first = m->text->types[i].first;
            }
        }
    }

    m->v[JUDGE_F_TOP_WORD] = (float) judge_share(top, n);

    if (top >= JUDGE_REPEAT_OFTEN) {
        judge_found(m, JUDGE_FOUND_TOP_WORD, first, first + 1);
    }
}
