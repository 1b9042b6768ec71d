/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How well a text does in a trait. */


#include "analysis/builtin/trait.h"


#define JUDGE_GAIN              2.0
#define JUDGE_REFERENCES_COUNT  0.35   /* of a score, where there are some */
#define JUDGE_REFERENCES_MAIN   0.8    /* where it is what is asked for */


const judge_term_t *
judge_trait_terms(const judge_measure_t *m, judge_trait_e trait)
{
    const judge_trait_t  *a;

    a = &judge_traits[trait];

    return m->source != NULL && a->with_source != NULL ? a->with_source
                                                       : a->terms;
}


double
judge_term_value(const judge_measure_t *m, const judge_term_t *term)
{
    double  x;

    x = ((double) m->v[term->feature] - (double) term->middle)
        / (double) term->spread;

    switch (term->shape) {

    case JUDGE_TERM_MORE:
        return judge_squash(x);

    case JUDGE_TERM_LESS:
        return -judge_squash(x);

    default:
        return judge_squash(1 - fabs(x));
    }
}


double
judge_reference_share(const judge_measure_t *m,
    const judge_trait_match_t *match)
{
    size_t  i;
    double  share;

    if (m->nreferences == 0) {
        return 0;
    }

    share = JUDGE_REFERENCES_COUNT;

    for (i = 0; i < match->n && m->source == NULL; i++) {
        if (judge_traits[match->traits[i]].compares) {
            share += match->weights[i]
                     * (JUDGE_REFERENCES_MAIN - JUDGE_REFERENCES_COUNT);
        }
    }

    return share;
}


double
judge_trait_score(const judge_measure_t *m, judge_trait_e trait)
{
    double               sum, weights;
    const judge_term_t  *term;

    sum = 0;
    weights = 0;

    for (term = judge_trait_terms(m, trait); term->shape != JUDGE_TERM_END;
         term++)
    {
        sum += (double) term->weight * judge_term_value(m, term);
        weights += (double) term->weight;
    }

    return 50 + 50 * judge_squash(JUDGE_GAIN * sum / weights);
}
