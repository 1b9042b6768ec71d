/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Finds faults of grammar that neighbouring words give away.  There is no
 * parser: each rule looks at two to four words whose classes leave no doubt.
 * So it finds only some of the faults, but what it finds seldom is none.
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"
#include "analysis/text/lexicon.h"


typedef struct {
    const judge_text_t  *text;
    size_t               token;        /* the word that is looked at, */
    uint64_t             here;         /* and its forms */
    uint64_t             one, two, three; /* forms of the words one, two and
                                          three before it; 0: a mark parts
                                          them */
    uint64_t             next;         /* those of the word behind it, or 0 */
} judge_grammar_t;


/* "go": a base form, which may be a noun, too. */
#define judge_is_base(form)                                                   \
    (((form) & JUDGE_W_VERB)                                                  \
     && !((form) & (JUDGE_W_PAST | JUDGE_W_PARTICIPLE | JUDGE_W_VERB_S        \
                    | JUDGE_W_ADJECTIVE | JUDGE_W_FUNCTION)))

/* "know": a base form, and no noun. */
#define judge_is_bare(form)                                                   \
    (judge_is_base(form) && !((form) & JUDGE_W_NOUN))

/* "goes": a verb in the third person, hardly a noun. */
#define judge_is_third(form)                                                  \
    (((form) & JUDGE_W_VERB_S) && !((form) & (JUDGE_W_PLURAL | JUDGE_W_NOUN)))

/* "went": a past that is no participle and no base. */
#define judge_is_past(form)                                                   \
    (((form) & JUDGE_W_PAST)                                                  \
     && !((form) & (JUDGE_W_PARTICIPLE | JUDGE_W_VERB | JUDGE_W_NOUN          \
                    | JUDGE_W_FUNCTION)))


/* The classes of a word before a fault; "then", an adverb, follows others. */
#define JUDGE_GRAMMAR_BEFORE                                                  \
    (JUDGE_W_ARTICLE | JUDGE_W_BE | JUDGE_W_DO | JUDGE_W_HAVE | JUDGE_W_MODAL \
     | JUDGE_W_A | JUDGE_W_AN | JUDGE_W_SINGULAR | JUDGE_W_PLURAL             \
     | JUDGE_W_PLURAL_DET | JUDGE_W_PLURAL_SUBJECT | JUDGE_W_POSSESSIVE       \
     | JUDGE_W_PREPOSITION | JUDGE_W_THIRD | JUDGE_W_TO)


/* Each rule finds what its comment quotes; what follows a "but" is right. */

/* "he go"; but "let him go", "did he go", "the man beside it go", "insist
 * that he go". */

static bool
judge_is_third_wrong(const judge_grammar_t *g)
{
    return (g->one & JUDGE_W_THIRD) && !(g->one & JUDGE_W_OBJECT_PRONOUN)
           && !((g->three & JUDGE_W_MANDATIVE)
                && (g->two & JUDGE_W_DEMONSTRATIVE))
           && !(g->two & (JUDGE_W_DO | JUDGE_W_MODAL | JUDGE_W_VERB
                          | JUDGE_W_VERB_S | JUDGE_W_VERB_ING | JUDGE_W_PAST
                          | JUDGE_W_PARTICIPLE | JUDGE_W_COORDINATOR
                          | JUDGE_W_PREPOSITION))
           && (judge_is_base(g->here) || (g->here & JUDGE_W_PLAIN_AUX));
}


/* "they goes", "we was", "I are". */

static bool
judge_is_plural_wrong(const judge_grammar_t *g)
{
    if (!(g->one & JUDGE_W_PLURAL_SUBJECT)
        || (g->two & JUDGE_W_PREPOSITION))
    {
        return false;
    }

    /* but "he and I are" */

    if ((g->one & JUDGE_W_I) && (g->here & JUDGE_W_BE)
        && (g->here & JUDGE_W_PLAIN_AUX) && !(g->two & JUDGE_W_COORDINATOR))
    {
        return true;
    }

    return judge_is_third(g->here) || (g->here & JUDGE_W_THIRD_AUX)
           || ((g->here & JUDGE_W_WAS) && !(g->one & JUDGE_W_I));
}


/* "the people is"; but "one of the students has". */

static bool
judge_is_noun_wrong(const judge_grammar_t *g)
{
    return (g->one & JUDGE_W_PLURAL)
           && !(g->one & (JUDGE_W_VERB_S | JUDGE_W_VERB))
           && g->two != 0 && !(g->three & JUDGE_W_PREPOSITION)
           && !(g->two & (JUDGE_W_PREPOSITION | JUDGE_W_VERB_ING
                          | JUDGE_W_COORDINATOR | JUDGE_W_PLURAL_DET))
           && (g->here & (JUDGE_W_THIRD_AUX | JUDGE_W_WAS));
}


/* "can goes", "didn't went", "to went", "have went", "are go". */

static bool
judge_is_form_wrong(const judge_grammar_t *g)
{
    /* but "the will has", "a can is" */

    if ((g->one & (JUDGE_W_MODAL | JUDGE_W_DO))
        && !(g->one & (JUDGE_W_BE | JUDGE_W_HAVE))
        && (!(g->one & JUDGE_W_NOUN) || (g->two & JUDGE_W_THIRD)))
    {
        return judge_is_third(g->here) || judge_is_past(g->here)
               || (g->here & JUDGE_W_THIRD_AUX);
    }

    if (g->one & JUDGE_W_TO) {
        return judge_is_past(g->here) || judge_is_third(g->here);
    }

    if (g->one & JUDGE_W_HAVE) {
        return judge_is_past(g->here);
    }

    /* but "all that he can do is go" */

    return (g->one & JUDGE_W_BE)
           && !(g->one & (JUDGE_W_THIRD_AUX | JUDGE_W_WAS))
           && judge_is_bare(g->here);
}


/* "a apple", "an book".  Letters are taken for sounds, unless they often are
 * others: "an hour", "a European", "a one", "a unit", "an MP". */

static bool
judge_is_sound_wrong(const judge_grammar_t *g)
{
    char                  c;
    judge_str_t           word;
    const judge_token_t  *token = &g->text->tokens[g->token];

    word = judge_token_str(g->text, token);
    c = word.data[0] | 0x20;

    if (word.len < 3 || c < 'a' || c > 'z'
        || ((token->flags & JUDGE_T_CAPITALS)
            && (token->flags & JUDGE_T_CAPITAL)))
    {
        return false;
    }

    if (g->one & JUDGE_W_AN) {
        return strchr("aeiouh", c) == NULL;
    }

    return (c == 'a' || c == 'i' || (c == 'e' && word.data[1] != 'u')
            || (c == 'o' && word.data[1] != 'n'))
           && !(token->flags & JUDGE_T_CAPITAL);
}


/* "a apple", "a the", "the my", "went to home". */

static bool
judge_is_article_wrong(const judge_grammar_t *g)
{
    if (g->one & JUDGE_W_TO) {
        return (g->here & JUDGE_W_PLACE_NOUN)
               && (g->two & (JUDGE_W_VERB | JUDGE_W_PAST))
               && !(g->next & (JUDGE_W_NOUN | JUDGE_W_PLURAL));
    }

    if (!(g->one & JUDGE_W_ARTICLE)) {
        return false;
    }

    if (g->here & (JUDGE_W_ARTICLE | JUDGE_W_POSSESSIVE)) {

        /* "an A" */
        return !(g->text->tokens[g->token].flags & JUDGE_T_CAPITAL);
    }

    return (g->one & (JUDGE_W_A | JUDGE_W_AN)) && judge_is_sound_wrong(g);
}


/* "their is", "your the best", "its not a"; but "our IT", "my not having". */

static bool
judge_is_owner_wrong(const judge_grammar_t *g)
{
    return !(g->one & JUDGE_W_OBJECT_PRONOUN)
           && !(g->text->tokens[g->token].flags & JUDGE_T_CAPITAL)
           && ((g->here & (JUDGE_W_ARTICLE | JUDGE_W_DEMONSTRATIVE
                           | JUDGE_W_THIRD | JUDGE_W_PLURAL_SUBJECT
                           | JUDGE_W_OBJECT_PRONOUN))
               || ((g->here & (JUDGE_W_BE | JUDGE_W_HAVE))
                   && (g->here & JUDGE_W_COMMON_VERB))
               || ((g->here & JUDGE_W_MODAL) && !(g->here & JUDGE_W_NOUN))
               || ((g->here & JUDGE_W_NEGATION) && g->next != 0
                   && !(g->next & JUDGE_W_VERB_ING)));
}


/* A word that sounds like the one that is meant: "could of been", "to much
 * time", "more then that", "for you're help"; but "could of course", "led to
 * much more", "a wish of his was", "before they're here". */

static bool
judge_is_confused(const judge_grammar_t *g)
{
    const judge_token_t  *token = &g->text->tokens[g->token];
    judge_str_t           word = judge_token_str(g->text, token);
    judge_str_t           before = judge_token_str(g->text, token - 1);

    static const char *const  more[] = { "more", "less", "better", "worse",
                                         "rather", "other", NULL };

    if (g->one & JUDGE_W_MODAL) {
        return judge_str_eq_c(word, "of")
               && !((g->one | g->next) & JUDGE_W_NOUN);
    }

    if (g->one & JUDGE_W_TO) {
        return judge_str_eq_c(word, "much")
               && !(g->next & (JUDGE_W_ADJECTIVE | JUDGE_W_DETERMINER));
    }

    if (g->one & JUDGE_W_POSSESSIVE) {
        return judge_is_owner_wrong(g) && !judge_str_eq_c(before, "his");
    }

    if (g->here & JUDGE_W_BE) {
        return (g->one & JUDGE_W_PREPOSITION)
               && !(g->one & (JUDGE_W_SUBORDINATOR | JUDGE_W_ADVERB))
               && word.len > 4
               && memcmp(word.data + word.len - 2, "re", 2) == 0;
    }

    return (g->here & JUDGE_W_ADVERB) && g->next != 0
           && judge_str_eq_c(word, "then")
           && judge_str_caseamong(before, more);
}


static judge_found_e
judge_grammar_noun(judge_grammar_t *g)
{
    bool      alone, wrong;
    uint64_t  here = g->here, one = g->one;

    /* "book" is not alone in "many book shops", which is right */
    alone = !(g->next & (JUDGE_W_NOUN | JUDGE_W_PLURAL));

    /* "many thing", "these book" */

    wrong = (one & JUDGE_W_PLURAL_DET) && (here & JUDGE_W_NOUN)
            && !(here & (JUDGE_W_PLURAL | JUDGE_W_VERB | JUDGE_W_FUNCTION
                         | JUDGE_W_PARTICIPLE | JUDGE_W_ADJECTIVE));

    /* "a books", "every students" */

    wrong |= (one & JUDGE_W_SINGULAR) && (here & JUDGE_W_PLURAL)
             && !(here & (JUDGE_W_NOUN | JUDGE_W_VERB_S | JUDGE_W_VERB
                          | JUDGE_W_FUNCTION));

    /* "an information" */

    wrong |= (one & (JUDGE_W_A | JUDGE_W_AN)) && (here & JUDGE_W_UNCOUNTABLE);

    return wrong && alone ? JUDGE_FOUND_NUMBER
           : judge_is_article_wrong(g) ? JUDGE_FOUND_ARTICLE
           : JUDGE_FOUND_NONE;
}


static judge_found_e
judge_grammar_look(judge_grammar_t *g)
{
    const judge_token_t  *token = &g->text->tokens[g->token];

    if (g->token == 0 || token[-1].kind != JUDGE_TOKEN_WORD) {
        return JUDGE_FOUND_NONE;
    }

    /* but "had had" and "that that", and in other languages "nous nous" and
     * "die die", can be right */

    if (token->type == token[-1].type
        && !(g->here & (JUDGE_W_HAVE | JUDGE_W_DEMONSTRATIVE
                        | JUDGE_W_ADVERB))
        && !(judge_lexicon(g->text->language) != NULL
             && (g->here & (JUDGE_W_PRONOUN | JUDGE_W_RELATIVE)))
        && (g->here & JUDGE_W_KNOWN))
    {
        return JUDGE_FOUND_DOUBLED;
    }

    if (!(g->one & JUDGE_GRAMMAR_BEFORE) && !(g->here & JUDGE_W_ADVERB)) {
        return JUDGE_FOUND_NONE;
    }

    if (judge_is_confused(g) && judge_lexicon(g->text->language) == NULL) {
        return JUDGE_FOUND_MISSPELLED;
    }

    if (judge_is_third_wrong(g) || judge_is_plural_wrong(g)
        || judge_is_noun_wrong(g))
    {
        return JUDGE_FOUND_AGREEMENT;
    }

    return judge_is_form_wrong(g) ? JUDGE_FOUND_VERB_FORM
                                  : judge_grammar_noun(g);
}


void
judge_measure_grammar(judge_measure_t *m)
{
    size_t                i, first;
    judge_found_e         kind;
    judge_grammar_t       g = { .text = m->text };
    const judge_text_t   *t = m->text;
    const judge_token_t  *token;

    for (i = 0; i < t->ntokens; i++) {
        token = &t->tokens[i];

        if (token->kind != JUDGE_TOKEN_WORD
            || (token->flags & (JUDGE_T_LINE | JUDGE_T_QUOTED)))
        {
            g.three = 0;
            g.two = 0;
            g.one = token->kind == JUDGE_TOKEN_WORD ? m->forms[i] : 0;
            continue;
        }

        g.token = i;
        g.here = m->forms[i];
        g.next = i + 1 < t->ntokens && token[1].kind == JUDGE_TOKEN_WORD
                 ? m->forms[i + 1] : 0;

        kind = judge_grammar_look(&g);

        if (kind == JUDGE_FOUND_MISSPELLED) {
            judge_found(m, kind, i - 1, i + 1);
        } else if (kind != JUDGE_FOUND_NONE) {
            first = i - (g.two != 0) - (g.one != 0);
            judge_found(m, kind, first, i + 1 + (g.next != 0));
        }

        g.three = g.two;
        g.two = g.one;
        g.one = g.here;
    }
}
