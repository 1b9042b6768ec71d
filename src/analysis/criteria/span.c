/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Spans of tokens: the words and phrases of words.txt in them, which are
 * found by the hash of their first word, and questions about a span.
 */


#include <string.h>

#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_SPAN_SHORT    6         /* words of a line that is an item */
#define JUDGE_SPAN_LABEL    7         /* words before a colon */


/* The chain of phrases that may begin with a word, as util/phrases made it. */

static uint16_t
judge_span_chain(judge_str_t word)
{
    size_t    i;
    uint32_t  hash;

    for (i = 0, hash = 2166136261u; i < word.len; i++) {
        hash = (hash ^ (unsigned char) word.data[i]) * 16777619u;
    }

    return judge_criteria_heads[hash % JUDGE_CRITERIA_HEADS];
}


/* How many of the tokens i .. to - 1 are the phrase; 0: they are not. */

static size_t
judge_span_phrase(const judge_prose_t *p, size_t i, size_t to,
    const char *words)
{
    size_t       n, first;
    judge_str_t  low;

    for (first = i; i < to; i++) {
        n = strcspn(words, "_");
        low = p->tokens[i].low;

        if (low.len != n || memcmp(low.data, words, n) != 0) {
            return 0;
        }

        words += n;

        if (*words++ == '\0') {
            return i + 1 - first;
        }
    }

    return 0;
}


/* 2: made for that kind of content; 1: for any; 0: for another. */

static int
judge_span_fit(const judge_prose_t *p, int quality)
{
    unsigned  media;

    media = judge_qualities[quality].flags & JUDGE_Q_MEDIA;

    return (media == 0) ? 1
           : (media & (unsigned) JUDGE_Q_TEXT << p->request->content_type)
           ? 2 : 0;
}


/* Of two qualities the longer phrase, or the one for the kind of content. */

static void
judge_span_choose(const judge_prose_t *p, judge_term_t *t,
    const judge_phrase_t *phrase, size_t n)
{
    int  quality;

    quality = (int) phrase->value;

    if (t->quality < 0 || n > t->span
        || (n == t->span && judge_span_fit(p, quality)
            + (quality < t->quality)
            > judge_span_fit(p, t->quality)))
    {
        t->quality = (int16_t) quality;
        t->span = (uint8_t) n;
        t->noun = phrase->class == JUDGE_W_NOUN;
    }
}


void
judge_span_mark(judge_prose_t *p, judge_span_t s)
{
    size_t                 i, k, n;
    uint64_t              *set;
    judge_term_t          *t;
    const judge_phrase_t  *phrase;

    for (i = s.from; i < s.to; i++) {
        t = &p->tokens[i];
        t->phrases = (t->low.len > 0) ? judge_span_chain(t->low) : 0;

        for (k = t->phrases; k > 0; k = phrase->next) {
            phrase = &judge_phrases[k];
            n = judge_span_phrase(p, i, s.to, phrase->words);

            if (n == 0) {
                continue;
            }

            set = (n == 1) ? t->classes : t->begins;
            set[phrase->class / 64] |= (uint64_t) 1 << phrase->class % 64;

            if (phrase->class == JUDGE_W_NUMBER) {
                t->number = phrase->value;

            } else if (phrase->class == JUDGE_W_NOUN
                       || phrase->class == JUDGE_W_OTHER)
            {
                judge_span_choose(p, t, phrase, n);
            }
        }
    }
}


size_t
judge_span_value(const judge_prose_t *p, size_t i, size_t to, judge_w_e class,
    double *value)
{
    size_t                 k, n, best;
    const judge_term_t    *t;
    const judge_phrase_t  *phrase;

    t = &p->tokens[i];

    if (i >= to) {
        return 0;
    }

    if (judge_term_is(t, JUDGE_W_NUMBER)
        && (class == JUDGE_W_NUMBER
            || (class == JUDGE_W_FOLD && i + 1 < to
                && judge_term_is(t + 1, JUDGE_W_TIMES))))
    {
        *value = t->number;
        return (class == JUDGE_W_FOLD) ? 2 : 1;
    }

    if (!judge_term_is(t, class)
        && (t->begins[class / 64] >> class % 64 & 1) == 0)
    {
        return 0;
    }

    best = 0;

    for (k = t->phrases; k > 0; k = phrase->next) {
        phrase = &judge_phrases[k];
        n = (phrase->class == class)
            ? judge_span_phrase(p, i, to, phrase->words) : 0;

        if (n > best) {
            best = n;
            *value = phrase->value;
        }
    }

    return best;
}


size_t
judge_span_seek(const judge_prose_t *p, judge_span_t s, judge_w_e class)
{
    while (s.from < s.to && judge_span_match(p, s.from, s.to, class) == 0) {
        s.from++;
    }

    return s.from;
}


bool
judge_span_has(const judge_prose_t *p, judge_span_t s, judge_w_e class)
{
    return judge_span_seek(p, s, class) < s.to;
}


size_t
judge_span_skip(const judge_prose_t *p, judge_span_t s, judge_w_e class)
{
    while (s.from < s.to && judge_term_is(&p->tokens[s.from], class)) {
        s.from++;
    }

    return s.from;
}


size_t
judge_span_pattern(const judge_prose_t *p, size_t i, size_t to,
    const uint8_t pattern[JUDGE_PATTERN], double number[2])
{
    bool    any;
    size_t  n, k, e, first;
    double  value;

    first = i;
    k = 0;

    for (e = 0; e < JUDGE_PATTERN && pattern[e] != 0; e++) {
        any = (pattern[e] & JUDGE_ANY) != 0;

        do {
            value = -1;
            n = judge_span_value(p, i, to, pattern[e] & ~JUDGE_ANY, &value);
            i += n;

            if (n > 0 && value >= 0 && k < 2) {
                number[k++] = value;
            }
        } while (n > 0 && any);

        if (n == 0 && !any) {
            return 0;
        }
    }

    return (i > first) ? i : 0;
}


judge_span_t
judge_span_trim(const judge_prose_t *p, judge_span_t s)
{
    while (s.from < s.to && p->tokens[s.from].kind == JUDGE_TERM_MARK
           && !judge_span_is(p, s.from, JUDGE_W_OPENED))
    {
        s.from++;
    }

    while (s.to > s.from && p->tokens[s.to - 1].kind == JUDGE_TERM_MARK
           && !judge_span_is(p, s.to - 1, JUDGE_W_TAIL))
    {
        s.to--;
    }

    return s;
}


/* Quotation marks around the ends belong to the text. */

judge_str_t
judge_span_text(const judge_prose_t *p, judge_span_t s)
{
    size_t               begin, end;
    const judge_term_t  *first, *last;

    s = judge_span_trim(p, s);

    if (s.from >= s.to) {
        return JUDGE_STR("");
    }

    first = &p->tokens[s.from];
    last = &p->tokens[s.to - 1];
    begin = p->origin[first->begin - (first->kind == JUDGE_TERM_QUOTE)];
    end = p->origin[last->end + (last->kind == JUDGE_TERM_QUOTE)];

    return (judge_str_t) { end - begin, p->text.data + begin };
}


size_t
judge_span_words(const judge_prose_t *p, judge_span_t s)
{
    size_t  n;

    for (n = 0; s.from < s.to; s.from++) {
        n += (p->tokens[s.from].kind == JUDGE_TERM_WORD);
    }

    return n;
}


size_t
judge_span_short(const judge_prose_t *p, judge_span_t s, judge_w_e marks)
{
    size_t  words;

    words = judge_span_words(p, s);

    return (words <= JUDGE_SPAN_SHORT
            && judge_span_seek(p, s, marks) == s.to) ? words : 0;
}


size_t
judge_span_sentence(const judge_prose_t *p, judge_span_t s)
{
    size_t               i, depth;
    const judge_term_t  *t;

    for (i = s.from, depth = 0; i < s.to; i++) {
        t = &p->tokens[i];
        depth += judge_term_is(t, JUDGE_W_OPENED);
        depth -= depth > 0 && judge_term_is(t, JUDGE_W_CLOSED);

        if (depth > 0 || !judge_term_is(t, JUDGE_W_STOP)
            || (i + 1 < s.to
                && ((!t[1].space && t[1].kind != JUDGE_TERM_MARK)
                    || judge_term_is(t - 1, JUDGE_W_ABBREVIATION))))
        {
            continue;
        }

        while (++i < s.to && (judge_span_is(p, i, JUDGE_W_STOP)
                              || judge_span_is(p, i, JUDGE_W_CLOSED)))
        {
            /* void */
        }

        return i;
    }

    return s.to;
}


size_t
judge_span_label(const judge_prose_t *p, judge_span_t s)
{
    size_t               i, words, depth;
    const judge_term_t  *t;

    for (i = s.from, words = 0, depth = 0; i < s.to; i++) {
        t = &p->tokens[i];
        words += (t->kind == JUDGE_TERM_WORD);
        depth += judge_term_is(t, JUDGE_W_OPENED);

        if (depth > 0) {
            depth -= judge_term_is(t, JUDGE_W_CLOSED);
            continue;
        }

        if (judge_term_is(t, JUDGE_W_DASH)
            || (judge_term_is(t, JUDGE_W_COLON)
                && (i + 1 == s.to || t[1].space || t->begin == t->end)))
        {
            return i;
        }

        if (words > JUDGE_SPAN_LABEL || judge_term_is(t, JUDGE_W_END)) {
            break;
        }
    }

    return s.to;
}


bool
judge_span_quality(const judge_prose_t *p, judge_span_t s)
{
    int                  quality;
    const judge_term_t  *t;

    for ( ; s.from < s.to; s.from++) {
        t = &p->tokens[s.from];
        quality = (t->span > 1 || !judge_term_is(t, JUDGE_W_GENERIC))
                  ? t->quality : -1;

        if (quality >= 0
            && !(judge_qualities[quality].flags & JUDGE_Q_VAGUE))
        {
            return true;
        }
    }

    return false;
}


size_t
judge_span_head(const judge_prose_t *p, judge_span_t s)
{
    size_t  i, head;

    head = s.to;

    for (i = s.from; i < s.to; i++) {
        if (head < s.to && judge_span_is(p, i, JUDGE_W_PREPOSITION)) {
            break;
        }

        head = (p->tokens[i].kind == JUDGE_TERM_WORD) ? i : head;
    }

    return head;
}


bool
judge_span_generic(const judge_prose_t *p, judge_span_t s)
{
    size_t  head;

    head = judge_span_head(p, s);

    return head == s.to || judge_span_is(p, head, JUDGE_W_GENERIC);
}
