/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Faults of grammar that neighbouring words give away.  There is no parser:
 * each rule looks at two or three words whose classes leave no doubt, and so
 * finds a part of the faults, but seldom what is none.
 */


#include "analysis/judge_feature.h"


#define JUDGE_RUN_ON  28               /* words without any pause */


typedef struct {
    judge_measure_t     *m;
    const judge_text_t  *text;
    size_t               at;           /* the token looked at */
    uint64_t             two, one;     /* forms of the words before it,
                                          0 behind a mark */
    uint64_t             here;
    uint64_t             next;         /* 0 before a mark */
    uint32_t             counts[JUDGE_FOUND_KINDS];
} judge_grammar_t;


static void judge_grammar_words(judge_grammar_t *g);
static judge_found_e judge_grammar_look(judge_grammar_t *g);
static judge_found_e judge_grammar_verb(judge_grammar_t *g);
static judge_found_e judge_grammar_noun(judge_grammar_t *g);
static bool judge_is_article_wrong(judge_grammar_t *g);
static void judge_grammar_sentences(judge_grammar_t *g);
static bool judge_has_verb(const judge_text_t *t, const judge_sentence_t *s);
static bool judge_is_run_on(const judge_text_t *t, const judge_sentence_t *s);


#define JUDGE_ANY_VERB                                                        \
    (JUDGE_W_VERB | JUDGE_W_VERB_S | JUDGE_W_PAST | JUDGE_W_COMMON_VERB)

/* A base form and nothing else. */
#define judge_is_bare(form)                                                   \
    (((form) & JUDGE_W_VERB)                                                  \
     && !((form) & (JUDGE_W_NOUN | JUDGE_W_PAST | JUDGE_W_PARTICIPLE          \
                    | JUDGE_W_VERB_S | JUDGE_W_ADVERB | JUDGE_W_PREPOSITION   \
                    | JUDGE_W_MODAL | JUDGE_W_BE)))

/* "goes": a verb in the third person, hardly a noun. */
#define judge_is_third(form)                                                  \
    (((form) & JUDGE_W_VERB_S) && !((form) & (JUDGE_W_PLURAL | JUDGE_W_NOUN)))

/* "went": a past that is no participle and no base. */
#define judge_is_past(form)                                                   \
    (((form) & JUDGE_W_PAST)                                                  \
     && !((form) & (JUDGE_W_PARTICIPLE | JUDGE_W_VERB | JUDGE_W_NOUN          \
                    | JUDGE_W_FUNCTION)))


judge_rc_e
judge_measure_grammar(judge_measure_t *m)
{
    double               sentences;
    uint32_t            *n;
    judge_grammar_t      g = { .m = m, .text = m->text };
    const judge_text_t  *t;

    t = m->text;
    n = g.counts;
    sentences = (double) t->nsentences;

    judge_grammar_words(&g);
    judge_grammar_sentences(&g);

    m->v[JUDGE_F_AGREEMENT] = judge_per_100(t, n[JUDGE_FOUND_AGREEMENT]);
    m->v[JUDGE_F_VERB_FORM] = judge_per_100(t, n[JUDGE_FOUND_VERB_FORM]);
    m->v[JUDGE_F_NUMBER] = judge_per_100(t, n[JUDGE_FOUND_NUMBER]);
    m->v[JUDGE_F_ARTICLES] = judge_per_100(t, n[JUDGE_FOUND_ARTICLE]);
    m->v[JUDGE_F_DOUBLED] = judge_per_100(t, n[JUDGE_FOUND_DOUBLED]);
    m->v[JUDGE_F_NO_VERB] =
        (float) judge_share(n[JUDGE_FOUND_NO_VERB], sentences);
    m->v[JUDGE_F_RUN_ON] =
        (float) judge_share(n[JUDGE_FOUND_RUN_ON], sentences);
    m->v[JUDGE_F_GRAMMAR_SLIPS] = judge_per_100(t,
        n[JUDGE_FOUND_AGREEMENT] + n[JUDGE_FOUND_VERB_FORM]
        + n[JUDGE_FOUND_NUMBER] + n[JUDGE_FOUND_ARTICLE]
        + n[JUDGE_FOUND_DOUBLED]);

    return JUDGE_OK;
}


static void
judge_grammar_words(judge_grammar_t *g)
{
    size_t                i, first;
    judge_found_e         kind;
    const judge_text_t   *t;
    const judge_token_t  *token;

    t = g->text;

    for (i = 0; i < t->ntokens; i++) {
        token = &t->tokens[i];

        if (token->kind != JUDGE_TOKEN_WORD
            || (token->flags & (JUDGE_T_LINE | JUDGE_T_QUOTED)))
        {
            g->two = 0;
            g->one = token->kind == JUDGE_TOKEN_WORD
                     ? judge_token_form(t, i) : 0;
            continue;
        }

        g->at = i;
        g->here = judge_token_form(t, i);
        g->next = i + 1 < t->ntokens && token[1].kind == JUDGE_TOKEN_WORD
                  ? judge_token_form(t, i + 1) : 0;

        kind = judge_grammar_look(g);

        if (kind != JUDGE_FOUND_NONE) {
            first = i - (g->two != 0) - (g->one != 0);
            g->counts[kind]++;
            judge_found(g->m, kind, first, i + 1 + (g->next != 0));
        }

        g->two = g->one;
        g->one = g->here;
    }
}


static judge_found_e
judge_grammar_look(judge_grammar_t *g)
{
    judge_found_e         kind;
    const judge_token_t  *token;

    token = &g->text->tokens[g->at];

    if (g->at == 0 || token[-1].kind != JUDGE_TOKEN_WORD) {
        return JUDGE_FOUND_NONE;
    }

    /* "had had" and "that that" can be right */

    if (token->type == token[-1].type
        && !(g->here & (JUDGE_W_HAVE | JUDGE_W_DEMONSTRATIVE
                        | JUDGE_W_ADVERB))
        && (g->here & JUDGE_W_KNOWN))
    {
        return JUDGE_FOUND_DOUBLED;
    }

    kind = judge_grammar_verb(g);

    return kind != JUDGE_FOUND_NONE ? kind : judge_grammar_noun(g);
}


static bool
judge_is_word(judge_grammar_t *g, size_t i, const char *word)
{
    judge_str_t  s;

    s = judge_token_str(g->text, &g->text->tokens[i]);

    return judge_str_caseeq(s, judge_str_c(word));
}


static judge_found_e
judge_grammar_verb(judge_grammar_t *g)
{
    uint64_t  here, one;

    here = g->here;
    one = g->one;

    /* "he go", but not "let him go", "did he go", "that he go" */

    if ((one & JUDGE_W_THIRD) && !(one & JUDGE_W_OBJECT_PRONOUN)
        && !(g->two & (JUDGE_W_DO | JUDGE_W_MODAL | JUDGE_W_VERB
                       | JUDGE_W_COORDINATOR | JUDGE_W_PREPOSITION))
        && (judge_is_bare(here) || judge_is_word(g, g->at, "have")
            || judge_is_word(g, g->at, "do")
            || judge_is_word(g, g->at, "don't")
            || judge_is_word(g, g->at, "are")
            || judge_is_word(g, g->at, "were")))
    {
        /* "if she were", "as it were" */
        return judge_is_word(g, g->at, "were")
               ? JUDGE_FOUND_NONE : JUDGE_FOUND_AGREEMENT;
    }

    if ((one & JUDGE_W_PLURAL_SUBJECT) && !(g->two & JUDGE_W_PREPOSITION)) {
        if (judge_is_third(here) || judge_is_word(g, g->at, "is")
            || judge_is_word(g, g->at, "has")
            || judge_is_word(g, g->at, "does")
            || judge_is_word(g, g->at, "doesn't")
            || (judge_is_word(g, g->at, "was")
                && !judge_is_word(g, g->at - 1, "i")))
        {
            return (here & JUDGE_W_KNOWN) ? JUDGE_FOUND_AGREEMENT
                                          : JUDGE_FOUND_NONE;
        }
    }

    /* "people is", "students has" */

    if ((one & JUDGE_W_PLURAL) && !(one & (JUDGE_W_VERB_S | JUDGE_W_VERB))
        && !(g->two & (JUDGE_W_PREPOSITION | JUDGE_W_VERB_ING
                       | JUDGE_W_COORDINATOR))
        && g->two != 0
        && (judge_is_word(g, g->at, "is") || judge_is_word(g, g->at, "has")
            || judge_is_word(g, g->at, "was")))
    {
        return JUDGE_FOUND_AGREEMENT;
    }

    /* "can goes", "will went", "didn't went" */

    if ((one & (JUDGE_W_MODAL | JUDGE_W_DO))
        && !(one & (JUDGE_W_BE | JUDGE_W_HAVE | JUDGE_W_NOUN))
        && (judge_is_third(here) || judge_is_past(here)
            || judge_is_word(g, g->at, "has")
            || judge_is_word(g, g->at, "is")))
    {
        return JUDGE_FOUND_VERB_FORM;
    }

    /* "to went", "to goes" */

    if (judge_is_word(g, g->at - 1, "to")
        && (judge_is_past(here)
            || (judge_is_third(here) && (here & JUDGE_W_KNOWN))))
    {
        return JUDGE_FOUND_VERB_FORM;
    }

    /* "is go", "have went" */

    if ((one & JUDGE_W_BE) && !(one & JUDGE_W_PRONOUN)
        && judge_is_bare(here) && !(here & JUDGE_W_KNOWN
                                    & ~(uint64_t) JUDGE_W_KNOWN))
    {
        return judge_is_word(g, g->at - 1, "be")
               || judge_is_word(g, g->at - 1, "am")
               || judge_is_word(g, g->at - 1, "are")
               ? JUDGE_FOUND_VERB_FORM : JUDGE_FOUND_NONE;
    }

    if ((one & JUDGE_W_HAVE) && judge_is_past(here)) {
        return JUDGE_FOUND_VERB_FORM;
    }

    return JUDGE_FOUND_NONE;
}


static judge_found_e
judge_grammar_noun(judge_grammar_t *g)
{
    uint64_t  here, one;

    here = g->here;
    one = g->one;

    /* "many thing", "these book" */

    if ((one & JUDGE_W_PLURAL_DET) && (here & JUDGE_W_NOUN)
        && !(here & (JUDGE_W_PLURAL | JUDGE_W_ADVERB | JUDGE_W_VERB
                     | JUDGE_W_FUNCTION | JUDGE_W_PARTICIPLE))
        && !(g->next & (JUDGE_W_NOUN | JUDGE_W_PLURAL)))
    {
        return JUDGE_FOUND_NUMBER;
    }

    /* "a books", "every students" */

    if ((one & JUDGE_W_SINGULAR) && (here & JUDGE_W_PLURAL)
        && !(here & (JUDGE_W_NOUN | JUDGE_W_VERB_S | JUDGE_W_VERB
                     | JUDGE_W_FUNCTION))
        && !(g->next & (JUDGE_W_NOUN | JUDGE_W_PLURAL)))
    {
        return JUDGE_FOUND_NUMBER;
    }

    if ((one & JUDGE_W_ARTICLE) && (here & JUDGE_W_UNCOUNTABLE)
        && !(g->next & (JUDGE_W_NOUN | JUDGE_W_PLURAL))
        && (judge_is_word(g, g->at - 1, "a")
            || judge_is_word(g, g->at - 1, "an")))
    {
        return JUDGE_FOUND_NUMBER;
    }

    return judge_is_article_wrong(g) ? JUDGE_FOUND_ARTICLE
                                     : JUDGE_FOUND_NONE;
}


/* "a apple", "an book", "a the", "the my", "to home". */

static bool
judge_is_article_wrong(judge_grammar_t *g)
{
    char                  c;
    const judge_text_t   *t;
    const judge_token_t  *token;

    t = g->text;
    token = &t->tokens[g->at];
    c = t->str.data[token->begin] | 0x20;

    if ((g->one & JUDGE_W_PREPOSITION) && (g->here & JUDGE_W_PLACE_NOUN)) {
        return judge_is_word(g, g->at - 1, "to")
               && (g->two & (JUDGE_W_VERB | JUDGE_W_PAST))
               && !(g->next & (JUDGE_W_NOUN | JUDGE_W_PLURAL));
    }

    if (!(g->one & JUDGE_W_ARTICLE)) {
        return false;
    }

    if (g->here & (JUDGE_W_ARTICLE | JUDGE_W_POSSESSIVE)) {
        return !judge_is_word(g, g->at, "her") || g->next != 0;
    }

    if (judge_is_word(g, g->at - 1, "an")) {

        /* "an hour", "an X-ray", "an MP" */

        return c >= 'a' && c <= 'z' && c != 'a' && c != 'e' && c != 'i'
               && c != 'o' && c != 'u' && c != 'h'
               && !(token->flags & JUDGE_T_CAPITALS)
               && token->end - token->begin > 1;
    }

    if (judge_is_word(g, g->at - 1, "a")) {

        /* "a one", "a European", "a unit" */

        return (c == 'a' || c == 'i'
                || (c == 'e' && !judge_str_starts(judge_token_str(t, token),
                                                  JUDGE_STR("eu")))
                || (c == 'o' && !judge_str_starts(judge_token_str(t, token),
                                                  JUDGE_STR("on"))))
               && !(token->flags & (JUDGE_T_CAPITAL | JUDGE_T_CAPITALS))
               && token->end - token->begin > 2;
    }

    return false;
}


static void
judge_grammar_sentences(judge_grammar_t *g)
{
    size_t                   i;
    const judge_text_t      *t;
    const judge_sentence_t  *s;

    t = g->text;

    for (i = 0; i < t->nsentences; i++) {
        s = &t->sentences[i];

        if (s->words >= 4 && s->stop != 0 && !judge_has_verb(t, s)) {
            g->counts[JUDGE_FOUND_NO_VERB]++;
            judge_found(g->m, JUDGE_FOUND_NO_VERB, s->first, s->end);
        }

        if (judge_is_run_on(t, s)) {
            g->counts[JUDGE_FOUND_RUN_ON]++;
            judge_found(g->m, JUDGE_FOUND_RUN_ON, s->first, s->end);
        }
    }
}


static bool
judge_has_verb(const judge_text_t *t, const judge_sentence_t *s)
{
    size_t                i;
    const judge_token_t  *token;

    for (i = s->first; i < s->end; i++) {
        token = &t->tokens[i];

        /* a word that is not known may be one */

        if (token->kind != JUDGE_TOKEN_MARK
            && (token->kind != JUDGE_TOKEN_WORD
                || (judge_token_form(t, i) & JUDGE_ANY_VERB)
                || !(judge_token_form(t, i) & JUDGE_W_KNOWN)))
        {
            return true;
        }
    }

    return false;
}


/* Several finite verbs, and no pause for long. */

static bool
judge_is_run_on(const judge_text_t *t, const judge_sentence_t *s)
{
    size_t    i;
    uint32_t  words, verbs;

    words = 0;
    verbs = 0;

    for (i = s->first; i < s->end; i++) {
        if (t->tokens[i].kind == JUDGE_TOKEN_MARK) {
            words = 0;
            verbs = 0;
            continue;
        }

        words++;
        verbs += (judge_token_form(t, i) & JUDGE_W_COMMON_VERB) != 0;

        if (words > JUDGE_RUN_ON && verbs >= 3) {
            return true;
        }
    }

    return false;
}
