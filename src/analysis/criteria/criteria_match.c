/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Tokens by the words and phrases of criteria_words.c, which an index finds
 * by their first word.
 */


#include <string.h>

#include "analysis/criteria/criteria_context.h"


#define JUDGE_WORDS_HEADS    1024      /* of chains; a power of two */
#define JUDGE_WORDS_NOUN     JUDGE_W_CLASSES        /* forms of qualities */
#define JUDGE_WORDS_OTHER    (JUDGE_W_CLASSES + 1)

/* --- The index --------------------------------------------------------- */


static size_t
judge_words_hash(const char *word, size_t len)
{
    size_t    i;
    uint32_t  hash;

    for (i = 0, hash = 2166136261u; i < len; i++) {
        hash = (hash ^ (unsigned char) word[i]) * 16777619u;
    }

    return hash & (JUDGE_WORDS_HEADS - 1);
}


/* How many phrases there are; those of the list go into the index, if any. */

static size_t
judge_words_list(judge_parse_ctx_t *p, size_t n, const char *words,
    unsigned class, float value)
{
    size_t                 hash;
    judge_parse_phrase_t  *phrase;

    for ( ; *words != '\0'; n++) {
        if (p->phrases != NULL) {
            hash = judge_words_hash(words, strcspn(words, "_ "));
            phrase = &p->phrases[n];
            *phrase = (judge_parse_phrase_t) {
                .words = words, .next = p->heads[hash],
                .class = (uint8_t) class, .value = value };
            p->heads[hash] = (uint16_t) n;
        }

        words += strcspn(words, " ");
        words += (*words == ' ');
    }

    return n;
}


static size_t
judge_words_all(judge_parse_ctx_t *p)
{
    size_t                    i, n;
    const judge_quality_t    *q;
    const judge_words_row_t  *row;

    n = 1;                             /* 0 ends a chain */

    for (i = 0; (row = judge_words_row(i)) != NULL; i++) {
        n = judge_words_list(p, n, row->words, row->class, row->value);
    }

    for (i = 0; (q = judge_quality((int) i)) != NULL; i++) {
        n = judge_words_list(p, n, q->nouns, JUDGE_WORDS_NOUN, (float) i);
        n = judge_words_list(p, n, q->others, JUDGE_WORDS_OTHER, (float) i);
    }

    return n;
}


judge_rc_e
judge_parse_words_index(judge_parse_ctx_t *p)
{
    judge_parse_phrase_t  *phrases;

    p->heads = judge_array_alloc(p->arena, JUDGE_WORDS_HEADS,
                                 sizeof(uint16_t));
    phrases = judge_array_alloc(p->arena, judge_words_all(p),
                                sizeof(judge_parse_phrase_t));
    if (p->heads == NULL || phrases == NULL) {
        return JUDGE_NOMEM;
    }

    p->phrases = phrases;
    (void) judge_words_all(p);

    return JUDGE_OK;
}


/* How many of the tokens i .. to - 1 are the phrase; 0: they are not. */

static size_t
judge_words_phrase(const judge_parse_ctx_t *p, size_t i, size_t to,
    const char *words)
{
    size_t                      n, first;
    const judge_parse_token_t  *t;

    for (first = i; i < to; i++) {
        t = &p->tokens[i];
        n = strcspn(words, "_ ");

        if (t->kind != JUDGE_P_WORD || t->low.len != n
            || memcmp(t->low.data, words, n) != 0)
        {
            return 0;
        }

        words += n;

        if (*words != '_') {
            return i + 1 - first;
        }

        words++;
    }

    return 0;
}


/* 2: made for that kind of content; 1: for any; 0: for another. */

static int
judge_words_fit(const judge_parse_ctx_t *p, int q)
{
    unsigned  flags;

    flags = judge_quality(q)->flags & JUDGE_Q_MEDIA;

    return (flags == 0) ? 1
           : (flags & judge_quality_media(p->request->content_type)) ? 2 : 0;
}


static void
judge_words_token(judge_parse_ctx_t *p, size_t i, size_t to)
{
    int                          q;
    size_t                       k, n;
    judge_parse_token_t         *t;
    const judge_parse_phrase_t  *phrase;

    t = &p->tokens[i];
    t->phrases = p->heads[judge_words_hash(t->low.data, t->low.len)];

    for (k = t->phrases; k > 0; k = phrase->next) {
        phrase = &p->phrases[k];
        n = judge_words_phrase(p, i, to, phrase->words);

        if (n == 0) {
            continue;
        }

        if (phrase->class < JUDGE_W_CLASSES) {
            t->classes |= (n == 1) ? (uint64_t) 1 << phrase->class : 0;

            if (phrase->class == JUDGE_W_NUMBER) {
                t->numeric = true;
                t->number = phrase->value;
            }

            continue;
        }

        /* of two meanings the longer, or the one for that kind of content */

        q = (int) phrase->value;

        if (t->quality < 0 || n > t->span
            || (n == t->span && judge_words_fit(p, q)
                                + (q < t->quality)
                                > judge_words_fit(p, t->quality)))
        {
            t->quality = (int16_t) q;
            t->span = (uint8_t) n;
            t->noun = phrase->class == JUDGE_WORDS_NOUN;
        }
    }
}


void
judge_parse_words_mark(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  i;

    for (i = span.from; i < span.to; i++) {
        if (p->tokens[i].kind == JUDGE_P_WORD) {
            judge_words_token(p, i, span.to);
        }
    }
}


/* --- Questions --------------------------------------------------------- */


bool
judge_parse_is(const judge_parse_token_t *t, judge_parse_class_e class)
{
    return (t->classes >> class & 1) != 0;
}


bool
judge_parse_word(const judge_parse_token_t *t, const char *word)
{
    return t->kind == JUDGE_P_WORD && judge_str_eq_c(t->low, word);
}


bool
judge_parse_mark(const judge_parse_token_t *t, char mark)
{
    return t->kind == JUDGE_P_MARK && t->mark == mark;
}


bool
judge_parse_marks(const judge_parse_token_t *t, const char *marks)
{
    return t->kind == JUDGE_P_MARK && t->mark != '\0'
           && strchr(marks, t->mark) != NULL;
}


size_t
judge_parse_value(const judge_parse_ctx_t *p, size_t i, size_t to,
    judge_parse_class_e class, double *value)
{
    size_t                       k, n, best;
    const judge_parse_phrase_t  *phrase;

    best = 0;

    for (k = (i < to) ? p->tokens[i].phrases : 0; k > 0; k = phrase->next) {
        phrase = &p->phrases[k];

        if (phrase->class != class) {
            continue;
        }

        n = judge_words_phrase(p, i, to, phrase->words);

        if (n > best) {
            best = n;
            *value = phrase->value;
        }
    }

    return best;
}


size_t
judge_parse_match(const judge_parse_ctx_t *p, size_t i, size_t to,
    judge_parse_class_e class)
{
    double  value;

    return judge_parse_value(p, i, to, class, &value);
}


/* --- Patterns ---------------------------------------------------------- */


/* The letters of patterns: classes, and words that are in none. */

static const struct {
    char                 letter;
    judge_parse_class_e  class;
    const char          *word;         /* instead of a class */
} judge_words_letters[] = {
    { 'A', JUDGE_W_PART, NULL }, { 'B', JUDGE_W_BOUND, NULL },
    { 'F', JUDGE_W_FOLD, NULL }, { 'L', JUDGE_W_LINK, NULL },
    { 'M', JUDGE_W_MUCH, NULL }, { 'P', JUDGE_W_PERCENT, NULL },
    { 'S', JUDGE_W_SCALE, NULL }, { 'U', JUDGE_W_UNIT, NULL },
    { 'W', JUDGE_W_WEIGHT, NULL }, { 'Z', JUDGE_W_LENGTH, NULL },
    { 'a', 0, "as" }, { 'b', 0, "between" }, { 'f', 0, "from" },
    { 'm', 0, "more" }, { 'n', 0, "and" }, { 'o', 0, "of" },
    { 'r', 0, "or" }, { 's', 0, "less" }, { 'u', 0, "out" },
    { 'v', 0, "fewer" }, { 'w', 0, "to" }, { 'x', 0, "x" },
    { 'y', 0, "than" }
};


/* The tokens of one element of a pattern; 0: it is not there. */

static size_t
judge_words_element(const judge_parse_ctx_t *p, size_t i, size_t to,
    char element, double *value)
{
    size_t                      k;
    const char                 *word;
    const judge_parse_token_t  *t;

    t = &p->tokens[i];

    if (i >= to) {
        return 0;
    }

    if (element == '#') {
        *value = t->numeric ? t->number : *value;
        return t->numeric;
    }

    if (element == 'F' && t->numeric && i + 1 < to
        && judge_parse_word(t + 1, "times"))
    {
        *value = t->number;
        return 2;
    }

    if (element == '~') {
        return judge_parse_marks(t, "-D") || judge_parse_word(t, "to");
    }

    for (k = 0; k < sizeof(judge_words_letters)
                    / sizeof(judge_words_letters[0]); k++)
    {
        if (element == judge_words_letters[k].letter) {
            word = judge_words_letters[k].word;
            return (word != NULL)
                   ? judge_parse_word(t, word) || judge_parse_mark(t, element)
                   : judge_parse_value(p, i, to, judge_words_letters[k].class,
                                       value);
        }
    }

    return judge_parse_mark(t, element);
}


size_t
judge_parse_pattern(const judge_parse_ctx_t *p, size_t i, size_t to,
    const char *pattern, double number[2])
{
    char    repeat;
    size_t  n, k, first;
    double  value;

    for (first = i, k = 0; *pattern != '\0'; pattern++) {
        repeat = (pattern[1] == '?' || pattern[1] == '*') ? pattern[1] : 0;

        do {
            value = -1;
            n = judge_words_element(p, i, to, *pattern, &value);
            i += n;

            if (n > 0 && value >= 0 && k < 2 && strchr("#ABF", *pattern)) {
                number[k++] = value;
            }
        } while (n > 0 && repeat == '*');

        if (n == 0 && repeat == 0) {
            return 0;
        }

        pattern += (repeat != 0);
    }

    return (i > first) ? i : 0;
}
