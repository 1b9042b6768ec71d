/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Each flag has a function that says where it is found. */


#include <string.h>

#include "analysis/aspects/aspect_list.h"
#include "analysis/aspects/flags.h"
#include "analysis/text/language.h"
#include "analysis/text/lexicon.h"
#include "analysis/text/phrase.h"
#include "analysis/text/say.h"


#define JUDGE_FLAG_CONSONANTS   5      /* in a row: no word has so many */
#define JUDGE_FLAG_LETTERS      4      /* of a word that is looked at */
#define JUDGE_FLAG_GIBBERISH_WORDS  3
#define JUDGE_FLAG_KEYWORD_WORDS    12
#define JUDGE_FLAG_REPEATED_WORDS   30
#define JUDGE_FLAG_COPY_WORDS       6  /* or as many as the request has */
#define JUDGE_FLAG_REFUSAL_START    12 /* words before it, at most */
#define JUDGE_FLAG_IDLE_WORDS       10 /* beside it, that say nothing */
#define JUDGE_FLAG_LANGUAGE_WORDS   8
#define JUDGE_FLAG_INSULT_NEAR      4  /* words from "you" to an insult */
#define JUDGE_FLAG_ORDER_PHRASES    32 /* after the verb of an order: a text
                                          may be full of such verbs */

/* Shares of the words that ... */
#define JUDGE_FLAG_ODD        0.4      /* look like no word */
#define JUDGE_FLAG_UNKNOWN    0.7      /* no language has; or one has */
#define JUDGE_FLAG_GRAMMAR    0.06     /* belong to the grammar */
#define JUDGE_FLAG_DISTINCT   0.4      /* begin three words not seen before */
#define JUDGE_FLAG_COPIED     0.8      /* begin three words of the request */
#define JUDGE_FLAG_INSULTS    0.05     /* insult somebody, */
#define JUDGE_FLAG_INSULTED   0.02     /* or who is addressed */


typedef struct {
    judge_measure_t  *m;
    judge_wording_t   wording;         /* of the text */
    judge_rc_e        rc;              /* JUDGE_NOMEM once memory ran out */
} judge_flag_search_t;

/* Whether a flag is found, and where, unless that is the whole text. */
typedef bool (*judge_flag_pt)(judge_flag_search_t *s, judge_flagged_t *at);


const judge_flag_t  judge_flags[JUDGE_FLAGS] = {
    { "gibberish",
      JUDGE_TRANSLATED("Most of it is no words of any language."), 5 },
    { "keyword_list",
      JUDGE_TRANSLATED("It is a list of words without sentences."), 25 },
    { "repetition",
      JUDGE_TRANSLATED("It says the same again and again."), 25 },
    { "other_language",
      JUDGE_TRANSLATED("It is in another language than the request."), 30 },
    { "copy_of_request", JUDGE_TRANSLATED("It repeats the request."), 15 },
    { "order_to_judge",
      JUDGE_TRANSLATED("It tells the judge how to score it."), 30 },
    { "abuse", JUDGE_TRANSLATED("It insults people."), 15 },
    { "refusal",
      JUDGE_TRANSLATED("It declines to help and says nothing else."), 35 }
};

/* --- Words --------------------------------------------------------------- */

/* Whether a word looks like none: it has no vowel, too many consonants in a
 * row, or a letter four times in a row. */

static bool
judge_flag_odd(judge_str_t word)
{
    char    c;
    bool    vowel;
    size_t  i, consonants, same;

    for (i = 0, vowel = false, consonants = 0, same = 1; i < word.len; i++) {
        c = (char) (word.data[i] | 0x20);
        same = i > 0 && c == (char) (word.data[i - 1] | 0x20) ? same + 1 : 1;

        if (strchr("aeiouy", c) != NULL) {
            vowel = true;
            consonants = 0;
        } else {
            consonants++;
        }

        if (consonants >= JUDGE_FLAG_CONSONANTS || same >= 4) {
            return true;
        }
    }

    return !vowel;
}


static bool
judge_flag_reads(const judge_text_t *t, const judge_token_t *token)
{
    return token->kind == JUDGE_TOKEN_WORD
           && !(token->flags & JUDGE_T_FOREIGN)
           && t->types[token->type].chars >= JUDGE_FLAG_LETTERS;
}


/* Whether most words are unknown in any language, and many of them look like
 * none. */

static bool
judge_flag_gibberish(judge_flag_search_t *s, judge_flagged_t *at)
{
    size_t               i, n, odd, unknown;
    const judge_text_t  *t = s->m->text;
    const judge_type_t  *type;

    for (i = 0, n = 0, unknown = 0; i < t->ntypes; i++) {
        type = &t->types[i];

        if (judge_flag_reads(t, &t->tokens[type->first])) {
            n += type->count;
            unknown += type->form == 0 && type->sense == 0 ? type->count : 0;
        }
    }

    if (n < JUDGE_FLAG_GIBBERISH_WORDS
        || (double) unknown < JUDGE_FLAG_UNKNOWN * (double) n)
    {
        return false;
    }

    for (i = 0, odd = 0; i < t->ntokens; i++) {
        odd += judge_flag_reads(t, &t->tokens[i])
               && t->types[t->tokens[i].type].form == 0
               && judge_flag_odd(judge_token_str(t, &t->tokens[i]));
    }

    return (double) odd >= JUDGE_FLAG_ODD * (double) n;
}


/* Whether the text has hardly any words of grammar, as a list of keywords has.
 * Only of some languages are these words known; where the language is unknown,
 * the list may have been too short to tell it. */

static bool
judge_flag_keywords(judge_flag_search_t *s, judge_flagged_t *at)
{
    size_t               i, n, grammar, known;
    const judge_text_t  *t = s->m->text;
    const judge_type_t  *type;

    if (t->language != JUDGE_LANGUAGE_ENGLISH
        && t->language != JUDGE_LANGUAGE_UNKNOWN
        && judge_lexicon(t->language) == NULL)
    {
        return false;
    }

    for (i = 0, n = 0, grammar = 0, known = 0; i < t->ntypes; i++) {
        type = &t->types[i];

        if (type->kind == JUDGE_TOKEN_WORD) {
            n += type->count;
            known += type->form != 0 ? type->count : 0;
            grammar += type->form & JUDGE_W_FUNCTION ? type->count : 0;
        }
    }

    return n >= JUDGE_FLAG_KEYWORD_WORDS
           && (double) known >= JUDGE_FLAG_UNKNOWN * (double) n
           && (double) grammar <= JUDGE_FLAG_GRAMMAR * (double) n;
}


/* Returns the first word of from .. to - 1 that begins a phrase of a class, or
 * "to" if none does; sets *end to the word after the phrase. */

static size_t
judge_flag_find(const judge_wording_t *w, size_t from, size_t to,
    uint8_t class, size_t *end)
{
    const uint8_t  *classes;

    for ( /* void */ ; from < to; from++) {
        classes = judge_pattern_at(&judge_mark_patterns, w, from, end);
        if (classes && classes[0] == class) {
            break;
        }
    }

    return from;
}


static bool
judge_flag_translates(judge_flag_search_t *s, const judge_text_t *asked)
{
    size_t           end;
    judge_wording_t  w;

    if (judge_wording_create(&w, s->m->arena, asked) != JUDGE_OK) {
        s->rc = JUDGE_NOMEM;
        return true;
    }

    return judge_flag_find(&w, 0, w.n, JUDGE_TERM_TRANSLATION, &end) < w.n;
}


/* Whether the languages of the request and of the text differ, where both are
 * long enough to tell, and no translation is asked for. */

static bool
judge_flag_language(judge_flag_search_t *s, judge_flagged_t *at)
{
    const judge_text_t  *text = s->m->text;
    const judge_text_t  *asked = s->m->dialogue ? s->m->dialogue
                                                : s->m->question;

    return asked != NULL
           && asked->nwords >= JUDGE_FLAG_LANGUAGE_WORDS
           && text->nwords >= JUDGE_FLAG_LANGUAGE_WORDS
           && asked->language != JUDGE_LANGUAGE_UNKNOWN
           && text->language != JUDGE_LANGUAGE_UNKNOWN
           && asked->language != text->language
           && !judge_flag_translates(s, asked);
}


static bool
judge_flag_repetition(judge_flag_search_t *s, judge_flagged_t *at)
{
    bool  repeats = false;

    if (s->m->text->nwords >= JUDGE_FLAG_REPEATED_WORDS
        && judge_triples_repeat(s->m->arena, s->m->text, JUDGE_FLAG_DISTINCT,
                                &repeats) != JUDGE_OK)
    {
        s->rc = JUDGE_NOMEM;
    }

    return repeats;
}


static bool
judge_flag_copy(judge_flag_search_t *s, judge_flagged_t *at)
{
    double               share = 0;
    const judge_text_t  *text = s->m->text, *question = s->m->question;

    if (question
        && (text->nwords >= JUDGE_FLAG_COPY_WORDS
            || (text->nwords > 2 && text->nwords >= question->nwords))
        && judge_triples_share(s->m->arena, text, question, &share)
           != JUDGE_OK)
    {
        s->rc = JUDGE_NOMEM;
    }

    return share >= JUDGE_FLAG_COPIED;
}


static bool
judge_flag_addressed(const judge_text_t *t, size_t insult)
{
    size_t                i, n;
    const judge_token_t  *token;

    for (i = insult, n = 0; i > 0 && n < JUDGE_FLAG_INSULT_NEAR; i--) {
        token = &t->tokens[i - 1];

        if (token->kind == JUDGE_TOKEN_MARK && strchr(".!?;", token->mark)) {
            break;
        }

        if (token->kind != JUDGE_TOKEN_WORD) {
            continue;
        }

        if (t->types[token->type].form & JUDGE_W_SECOND_PERSON) {
            return true;
        }

        n++;
    }

    return false;
}


/* Whether the text insults a person whom it addresses, or insults often. */

static bool
judge_flag_abuse(judge_flag_search_t *s, judge_flagged_t *at)
{
    bool                    addressed;
    size_t                  i, n;
    double                  share;
    const judge_spot_t     *spot;
    const judge_measure_t  *m = s->m;

    for (i = 0, n = 0, addressed = false; i < m->nspots; i++) {
        spot = &m->spots[i];

        if (spot->kind != JUDGE_FOUND_INSULT) {
            continue;
        }

        if (n++ == 0 || (!addressed
                         && judge_flag_addressed(m->text, spot->first)))
        {
            at->first = spot->first;
            at->end = spot->end;
        }

        addressed = addressed || judge_flag_addressed(m->text, spot->first);
    }

    share = (double) n / (double) m->text->nwords;

    return (addressed && share >= JUDGE_FLAG_INSULTED)
           || (n >= 2 && share >= JUDGE_FLAG_INSULTS);
}


/* --- Phrases ------------------------------------------------------------- */

/* Whether nothing else is said before the next punctuation mark. */

static bool
judge_flag_ends(const judge_wording_t *w, size_t k)
{
    return k == w->n || w->sentences[k] != w->sentences[k - 1]
           || w->tokens[k] > w->tokens[k - 1] + 1;
}


/* Whether the words from k on say who gave the instructions before them. */

static bool
judge_flag_source(const judge_wording_t *w, size_t k)
{
    size_t  end;

    return !judge_flag_ends(w, k)
           && judge_flag_find(w, k, k + 1, JUDGE_TERM_SOURCE, &end) == k;
}


/*
 * Whether the words from k on, which follow a verb such as "give", ask for
 * marks.  They do where nothing else is said before the next punctuation
 * mark, or where they name what is to be marked.  A number of points alone
 * may belong to a rule for marking others, unless it follows another order.
 */

static bool
judge_flag_asks(const judge_wording_t *w, size_t k, bool commanded)
{
    bool            marks = false, points = false, self = false, ends;
    size_t          n, next;
    const uint8_t  *classes;

    for (n = 0; n < JUDGE_FLAG_ORDER_PHRASES; n++, k = next) {
        ends = judge_flag_ends(w, k);
        classes = ends ? NULL : judge_pattern_at(&judge_mark_patterns, w, k,
                                                 &next);

        if (classes && classes[0] == JUDGE_TERM_MARKS) {
            marks = true;

        } else if (classes && classes[0] == JUDGE_TERM_POINTS) {
            points = true;             /* a hundred are all of them */
            marks = marks || judge_str_eq_c(w->lower[w->text->tokens[
                                                w->tokens[k]].type], "100");

        } else if (classes && classes[0] == JUDGE_TERM_SELF) {
            self = self                /* a shop says "give us 10 points" */
                   || !judge_str_eq_c(w->lower[w->text->tokens[
                                          w->tokens[next - 1]].type], "us");

        } else {
            return self ? marks || points
                        : ends && (marks || (points && commanded));
        }
    }

    return false;
}


/*
 * Whether an order begins at word i.  A single verb is one at the beginning of
 * a sentence, after a punctuation mark other than a comma, and after another
 * order; a phrase of several words is one anywhere.  "I rate this" is none.
 */

static bool
judge_flag_orders(const judge_wording_t *w, size_t i, uint8_t class,
    size_t end, bool *commanded)
{
    bool                  begins;
    const judge_token_t  *token = &w->text->tokens[w->tokens[i]];

    if (class == JUDGE_TERM_ORDER && judge_flag_source(w, end)) {
        *commanded = true;
        return false;
    }

    if (class == JUDGE_TERM_ORDER) {
        return i == 0 || !(w->text->types[w->text->tokens[w->tokens[i - 1]]
                                          .type].form & JUDGE_W_FIRST_PERSON);
    }

    begins = *commanded || (token->flags & (JUDGE_T_LINE | JUDGE_T_START))
             || w->tokens[i] == 0
             || (token[-1].kind == JUDGE_TOKEN_MARK && token[-1].mark != ',');
    *commanded = *commanded || (begins && class == JUDGE_TERM_VOID);

    if (class == JUDGE_TERM_VERDICT && begins && judge_flag_ends(w, end)) {
        return w->text->tokens[w->tokens[end - 1]].kind == JUDGE_TOKEN_NUMBER;
    }

    return (begins || (class == JUDGE_TERM_GRADE && end > i + 1))
           && (class == JUDGE_TERM_GRADE || class == JUDGE_TERM_VERDICT)
           && judge_flag_asks(w, end, *commanded);
}


/* Whether words beside a refusal, if there are more than one, say nothing. */

static bool
judge_flag_idle(const judge_wording_t *w, size_t from, size_t to)
{
    size_t  end;

    return to <= from + 1
           || (to <= from + JUDGE_FLAG_IDLE_WORDS
               && judge_flag_find(w, from, to, JUDGE_TERM_NOTHING, &end)
                  < to);
}


/* Whether a refusal is among the first words, and nothing else is said. */

static bool
judge_flag_refuses(judge_flag_search_t *s, judge_flagged_t *at)
{
    size_t                  i, k, end, last = JUDGE_FLAG_REFUSAL_START + 1;
    const judge_wording_t  *w = &s->wording;

    last = w->n < last ? w->n : last;

    for (i = 0; ; i++) {
        i = judge_flag_find(w, i, last, JUDGE_TERM_REFUSAL, &end);
        if (i == last) {
            return false;
        }

        for (k = i; k > 0 && w->sentences[k - 1] == w->sentences[i]; k--) {
            /* void */
        }

        if (!(w->text->tokens[w->tokens[i]].flags & JUDGE_T_QUOTED)
            && judge_flag_idle(w, 0, k) && judge_flag_idle(w, end, w->n))
        {
            at->first = w->tokens[i];
            at->end = w->tokens[end - 1] + 1;
            return true;
        }
    }
}


/* Whether the text has an order that is neither quoted nor reported. */

static bool
judge_flag_commands(judge_flag_search_t *s, judge_flagged_t *at)
{
    bool                    reported = false, commanded = false, *begins;
    size_t                  i, end;
    const uint8_t          *classes;
    const judge_token_t    *token;
    const judge_wording_t  *w = &s->wording;

    begins = judge_alloc(s->m->arena, w->text->ntypes + 1);
    if (begins == NULL) {
        s->rc = JUDGE_NOMEM;
        return false;
    }

    for (i = 0; i < w->text->ntypes; i++) {
        begins[i] = judge_pattern_begins(&judge_flag_patterns, w,
                                         (uint32_t) i);
    }

    for (i = 0; i < w->n; i++) {
        token = &w->text->tokens[w->tokens[i]];

        if (i > 0 && w->sentences[i] != w->sentences[i - 1]) {
            reported = commanded = false;
        }

        if (!begins[token->type] || (token->flags & JUDGE_T_QUOTED)) {
            continue;
        }

        classes = judge_pattern_at(&judge_flag_patterns, w, i, &end);
        reported |= classes && classes[0] == JUDGE_TERM_REPORTED;

        if (classes && !reported
            && judge_flag_orders(w, i, classes[0], end, &commanded))
        {
            at->first = w->tokens[i];
            at->end = w->tokens[end - 1] + 1;
            return true;
        }
    }

    return false;
}


/* --- All of them --------------------------------------------------------- */

/* The order is that in which they are named in an answer. */
static const struct {
    judge_flag_e   flag;
    judge_flag_pt  test;
} judge_flag_tests[] = {
    { JUDGE_FLAG_GIBBERISH, judge_flag_gibberish },
    { JUDGE_FLAG_KEYWORDS, judge_flag_keywords },
    { JUDGE_FLAG_LANGUAGE, judge_flag_language },
    { JUDGE_FLAG_ABUSE, judge_flag_abuse },
    { JUDGE_FLAG_REPETITION, judge_flag_repetition },
    { JUDGE_FLAG_COPY, judge_flag_copy },
    { JUDGE_FLAG_ORDER, judge_flag_commands },
    { JUDGE_FLAG_REFUSAL, judge_flag_refuses }
};


judge_rc_e
judge_flags_find(judge_measure_t *m, judge_flagged_t *found, size_t *n)
{
    size_t               i;
    judge_flag_search_t  s = { .m = m };

    s.rc = judge_wording_create(&s.wording, m->arena, m->text);

    for (i = 0, *n = 0; i < JUDGE_FLAGS && s.rc == JUDGE_OK; i++) {
        found[*n] = (judge_flagged_t) { judge_flag_tests[i].flag, 0,
                                        m->text->ntokens };
        *n += judge_flag_tests[i].test(&s, &found[*n]);
    }

    return s.rc;
}
