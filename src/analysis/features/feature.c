/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "analysis/builtin/engine.h"
#include "analysis/features/feature.h"
#include "analysis/features/identity.h"
#include "analysis/text/language.h"
#include "analysis/text/lexicon.h"


static void (*const  judge_families[])(judge_measure_t *m) = {
    judge_measure_length,
    judge_measure_vocabulary,
    judge_measure_spelling,
    judge_measure_grammar,
    judge_measure_cohesion,
    judge_measure_model,
    judge_measure_tone,
    judge_measure_source,
    judge_measure_meaning
};


/* Sets *sense to that of the longest phrase at token i, or of the word alone;
 * returns how many tokens that has. */

static size_t
judge_sense_at(const judge_text_t *t, size_t i, uint64_t *sense)
{
    size_t               k, n = 1;
    uint64_t             hash, found;
    const judge_type_t   *type = &t->types[t->tokens[i].type];

    *sense = type->sense;

    if (!(type->form & JUDGE_W_PHRASE)) {
        return n;
    }

    hash = type->hash;

    for (k = 1; k < JUDGE_PHRASE_WORDS && i + k < t->ntokens; k++) {
        if (t->tokens[i + k].kind != JUDGE_TOKEN_WORD) {
            break;
        }

        hash = judge_hash_join(hash, t->types[t->tokens[i + k].type].hash);
        found = judge_phrase_find(hash);

        if (found != 0) {
            *sense = found;
            n = k + 1;
        }
    }

    return n;
}


/* Sets forms and senses of the tokens; those inside a phrase have no sense. */

static judge_rc_e
judge_measure_senses(judge_measure_t *m)
{
    size_t               i, n, end;
    const judge_text_t  *t = m->text;

    m->forms = judge_alloc(m->arena, t->ntokens * sizeof(uint64_t));
    m->senses = judge_alloc(m->arena, t->ntokens * sizeof(uint64_t));

    if (m->forms == NULL || m->senses == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, end = 0; i < t->ntokens; i++) {
        m->senses[i] = 0;

        if (t->tokens[i].type == JUDGE_NO_TYPE) {
            m->forms[i] = 0;
            continue;
        }

        m->forms[i] = t->types[t->tokens[i].type].form;

        if (i >= end) {
            n = judge_sense_at(t, i, &m->senses[i]);
            end = n > 1 ? i + n : end;
        }
    }

    return JUDGE_OK;
}


/* Makes a feature of its count. */

static void
judge_measure_count(judge_measure_t *m, size_t feature)
{
    size_t                  k;
    double                  n = m->n[feature];
    const judge_feature_t  *row = &judge_features[feature];

    if (row->unit == JUDGE_UNIT_NONE) {
        return;
    }

    for (k = row->counted; k != 0 && k <= row->counted_last; k++) {
        n += m->found[k];
    }

    if (row->unit != JUDGE_UNIT_COUNT) {
        n = judge_share(row->unit == JUDGE_UNIT_100_WORDS ? 100 * n : n,
                        (double) (row->unit == JUDGE_UNIT_SENTENCE
                                  ? m->text->nsentences : m->text->nwords));
    }

    m->v[feature] = (float) (row->logarithm ? judge_ln(1 + n) : n);
}


judge_rc_e
judge_measure_text(judge_measure_t *m)
{
    size_t  i;

    m->v = judge_array_alloc(m->arena, JUDGE_FEATURES, sizeof(float));
    m->spots = judge_alloc(m->arena, JUDGE_SPOTS * sizeof(judge_spot_t));

    if (m->v == NULL || m->spots == NULL) {
        return JUDGE_NOMEM;
    }

    if (m->text->nwords == 0) {
        return JUDGE_OK;
    }

    m->vectors = judge_meaning_vectors(m->arena, m->text);
    m->rc = m->vectors != NULL ? judge_measure_senses(m) : JUDGE_NOMEM;

    for (i = 0; m->rc == JUDGE_OK
                && i < sizeof(judge_families) / sizeof(judge_families[0]); i++)
    {
        judge_families[i](m);
    }

    for (i = 0; i < JUDGE_FEATURES; i++) {
        judge_measure_count(m, i);
    }

    return m->rc;
}


bool
judge_measured(const judge_measure_t *m, size_t feature)
{
    const judge_feature_t  *row = &judge_features[feature];

    return row->any_language || m->text->language == JUDGE_LANGUAGE_UNKNOWN
           || m->text->language == JUDGE_LANGUAGE_ENGLISH
           || (row->tables && judge_lexicon(m->text->language) != NULL);
}


uint64_t
judge_feature_identity(void)
{
    size_t    i;
    uint64_t  identity = JUDGE_FNV_START;

    for (i = 0; i < JUDGE_FEATURES; i++) {
        identity = judge_identity_add(identity, judge_features[i].name,
                                      judge_features[i].version);
    }

    return identity;
}
