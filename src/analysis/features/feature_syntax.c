/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How sentences are built: clauses, what opens them, and punctuation.
 */


#include "analysis/features/feature.h"


#define JUDGE_OPENINGS  512            /* sentences looked at */


static void judge_syntax_words(judge_measure_t *m);
static bool judge_syntax_supposes(const judge_text_t *t, size_t i);
static void judge_syntax_marks(judge_measure_t *m);
static void judge_syntax_openings(judge_measure_t *m);
static void judge_syntax_end(judge_measure_t *m);


judge_rc_e
judge_measure_syntax(judge_measure_t *m)
{
    judge_syntax_words(m);
    judge_syntax_marks(m);
    judge_syntax_openings(m);
    judge_syntax_end(m);

    return JUDGE_OK;
}


static void
judge_syntax_words(judge_measure_t *m)
{
    size_t               i;
    uint32_t            *n, verbs;
    uint64_t             form, before, two;
    const judge_text_t  *t;

    t = m->text;
    n = m->n;
    verbs = 0;
    two = 0;
    before = 0;

    for (i = 0; i < t->ntokens; i++) {
        form = m->forms[i];

        if (t->tokens[i].flags & JUDGE_T_START) {
            before = 0;
        }

        n[JUDGE_F_SUBORDINATION] += (form & JUDGE_W_SUBORDINATOR) != 0;
        n[JUDGE_F_PREPOSITIONS] += (form & JUDGE_W_PREPOSITION) != 0;
        n[JUDGE_F_COORDINATION] += (form & JUDGE_W_COORDINATOR) != 0;
        n[JUDGE_F_PRONOUNS] += (form & JUDGE_W_PRONOUN) != 0;
        n[JUDGE_F_ARTICLE_SHARE] += (form & JUDGE_W_ARTICLE) != 0;
        n[JUDGE_F_MODALS] += (form & JUDGE_W_MODAL) != 0;

        /* a finite verb: a past, a third person, a base behind its subject */

        verbs += (form & JUDGE_W_COMMON_VERB) != 0
                 || (form & (JUDGE_W_PAST | JUDGE_W_PARTICIPLE
                             | JUDGE_W_FUNCTION)) == JUDGE_W_PAST
                 || ((form & JUDGE_W_VERB)
                     && (before & JUDGE_W_PLURAL_SUBJECT));

        /* "the man who", not "who are you" */

        n[JUDGE_F_RELATIVES] += (form & JUDGE_W_RELATIVE)
                                && (before & (JUDGE_W_NOUN
                                              | JUDGE_W_PLURAL));

        n[JUDGE_F_PASSIVE] += (form & JUDGE_W_PARTICIPLE)
                              && ((before & JUDGE_W_BE)
                                  || ((before & JUDGE_W_ADVERB)
                                      && (two & JUDGE_W_BE)));

        /* "had seen", "had never seen", "would see" */

        n[JUDGE_F_VERB_GROUPS] += ((form & JUDGE_W_PARTICIPLE)
                                   && ((before & JUDGE_W_HAVE)
                                       || ((before & (JUDGE_W_ADVERB
                                                      | JUDGE_W_NEGATION))
                                           && (two & JUDGE_W_HAVE))))
                                  || ((form & JUDGE_W_MODAL)
                                      && judge_syntax_supposes(t, i));
        two = before;
        before = form;
    }

    m->v[JUDGE_F_CLAUSE_WORDS] = (float) judge_clamp(
        judge_share((double) t->nwords, verbs), 0, 40);
}


/* "would", "couldn't", "might"; not "can", "will". */

static bool
judge_syntax_supposes(const judge_text_t *t, size_t i)
{
    judge_str_t  word;

    word = judge_token_str(t, &t->tokens[i]);

    return (word.data[0] | 0x20) == 'm'
           || (word.data[word.len - 1] | 0x20) == 'd'
           || (word.len > sizeof("cannot") - 1
               && (word.data[word.len - 1] | 0x20) == 't');
}


static void
judge_syntax_marks(judge_measure_t *m)
{
    size_t               i, k;
    uint32_t             kinds;
    const judge_text_t  *t;
    static const uint8_t marks[] = {
        ',', ';', ':', '?', '!', '(', JUDGE_MARK_DASH, '"'
    };

    t = m->text;
    kinds = 0;

    for (i = 0; i < t->ntokens; i++) {
        if (t->tokens[i].kind != JUDGE_TOKEN_MARK) {
            continue;
        }

        m->n[JUDGE_F_COMMAS] += t->tokens[i].mark == ',';

        for (k = 0; k < sizeof(marks); k++) {
            if (t->tokens[i].mark == marks[k]
                || (marks[k] == '"' && t->tokens[i].mark == JUDGE_MARK_OPEN))
            {
                kinds |= 1u << k;
            }
        }
    }

    m->n[JUDGE_F_MARK_KINDS] = (uint32_t) __builtin_popcount(kinds);
}


static void
judge_syntax_openings(judge_measure_t *m)
{
    size_t               i, k, n;
    uint32_t             seen[JUDGE_OPENINGS], fresh, ands;
    const judge_text_t  *t;

    t = m->text;
    n = 0;
    fresh = 0;
    ands = 0;

    for (i = 0; i < t->ntokens && n < JUDGE_OPENINGS; i++) {
        if (!(t->tokens[i].flags & JUDGE_T_START)) {
            continue;
        }

        ands += (m->forms[i] & JUDGE_W_COORDINATOR) != 0;
        seen[n] = t->tokens[i].type;

        /* the same word may come again after five sentences */

        for (k = n; k > 0 && n - k < 5 && seen[k - 1] != seen[n]; k--) {
            /* void */
        }

        fresh += k == 0 || n - k == 5;
        n++;
    }

    m->v[JUDGE_F_OPENINGS] = (float) judge_share(fresh, (double) n);
    m->v[JUDGE_F_ANDS_FIRST] = (float) judge_share(ands, (double) n);
}


/* No sentence ends with an article or with "and"; without a mark behind it,
 * none with a preposition or the like either. */

static void
judge_syntax_end(judge_measure_t *m)
{
    size_t               i;
    uint64_t             ends;
    const judge_text_t  *t;

    t = m->text;
    ends = JUDGE_W_ARTICLE | JUDGE_W_COORDINATOR;

    for (i = t->ntokens; i > 0 && t->tokens[i - 1].kind == JUDGE_TOKEN_MARK;
         i--)
    {
        /* void */
    }

    if (i == t->ntokens) {
        ends |= JUDGE_W_PREPOSITION | JUDGE_W_WH | JUDGE_W_SUBORDINATOR
                | JUDGE_W_MODAL;
    }

    m->n[JUDGE_F_BROKEN] = i > 0 && (m->forms[i - 1] & ends) != 0;
}
