/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Spans of tokens: the words and phrases of the languages in them, which are
 * found by the hash of their first word; patterns of their classes; and
 * questions about a span.
 */


#include <string.h>

#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_SPAN_SHORT    6         /* words of a line that is an item */
#define JUDGE_SPAN_LABEL    7         /* words before a colon */
#define JUDGE_SPAN_SUBJECT  24        /* tokens before what a pattern seeks */
#define JUDGE_SPAN_KNOWN    3         /* of that many words one must be */


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


/* Tells a token of a phrase that begins there; of those that call a quality,
 * the longest counts. */

static void
judge_span_hit(judge_prose_t *p, judge_term_t *t, judge_hit_t hit)
{
    judge_buf_append(&p->hits, &hit, sizeof(judge_hit_t));
    t->nhits += !p->hits.failed;

    if (hit.n == 1) {
        t->classes[hit.class / 64] |= (uint64_t) 1 << hit.class % 64;
    }

    if ((hit.class == JUDGE_W_NOUN || hit.class == JUDGE_W_OTHER)
        && (t->quality < 0 || hit.n > t->span))
    {
        t->quality = (int16_t) hit.value;
        t->span = hit.n;
        t->noun = hit.class == JUDGE_W_NOUN;
    }
}


/* The phrases of all languages until one is known. */

void
judge_span_mark(judge_prose_t *p, judge_span_t s)
{
    size_t                 i, k, n;
    judge_term_t          *t;
    const judge_phrase_t  *phrase;

    for (i = s.from; i < s.to; i++) {
        t = &p->tokens[i];
        memset(t->classes, 0, sizeof(t->classes));
        t->quality = -1;
        t->span = 1;
        t->nhits = 0;
        t->hits = p->hits.len / sizeof(judge_hit_t);

        if (t->kind == JUDGE_TERM_NUMBER) {
            judge_span_hit(p, t, (judge_hit_t) { JUDGE_W_NUMBER, 1, 0,
                                                 t->number });
        }

        k = (t->kind == JUDGE_TERM_WORD || t->kind == JUDGE_TERM_MARK)
            ? judge_phrase_head(t->low) : 0;

        for ( ; k > 0; k = phrase->next) {
            phrase = &judge_phrases[k];
            n = (p->language == 0 || phrase->language == 0
                 || phrase->language == p->language)
                ? judge_span_phrase(p, i, s.to, phrase->words) : 0;

            if (n > 0) {
                judge_span_hit(p, t, (judge_hit_t) {
                                   phrase->class, (uint8_t) n,
                                   phrase->language, phrase->value });
            }
        }

        if (judge_term_quality(t) >= 0
            && !(judge_qualities[t->quality].flags & JUDGE_Q_VAGUE))
        {
            judge_span_hit(p, t, (judge_hit_t) { JUDGE_W_TOPIC, 1, 0, -1 });
        }
    }
}


static inline const judge_hit_t *
judge_span_hits(const judge_prose_t *p, const judge_term_t *t)
{
    return (const judge_hit_t *) (const void *) p->hits.data + t->hits;
}


/* The one of which most words are known; with few of them it is none. */

void
judge_span_language(judge_prose_t *p)
{
    size_t              i, k, words;
    unsigned            l, best, seen;
    unsigned            score[JUDGE_LANGUAGES] = { 0 };
    const judge_hit_t  *hit;

    for (i = 0, words = 0; i < p->ntokens; i++) {
        words += p->tokens[i].kind == JUDGE_TERM_WORD;

        for (k = 0, seen = 0; k < p->tokens[i].nhits; k++) {
            hit = judge_span_hits(p, &p->tokens[i]) + k;
            seen |= 1u << hit->language;
        }

        for (l = 1; l < JUDGE_LANGUAGES; l++) {
            score[l] += seen >> l & 1;
        }
    }

    for (l = 2, best = 1; l < JUDGE_LANGUAGES; l++) {
        best = (score[l] > score[best]) ? l : best;
    }

    p->foreign = words >= 5 && score[best] * JUDGE_SPAN_KNOWN < words;
    p->language = p->foreign ? 1 : best;
    p->hits.len = 0;

    for (i = 0; i < p->nblocks; i++) {
        judge_span_mark(p, p->blocks[i].span);
    }
}


size_t
judge_span_value(const judge_prose_t *p, size_t i, size_t to, judge_w_e class,
    double *value)
{
    size_t               k, best;
    const judge_term_t  *t;
    const judge_hit_t   *hit;

    t = &p->tokens[i];
    best = 0;

    for (k = 0; i < to && k < t->nhits; k++) {
        hit = judge_span_hits(p, t) + k;

        if (hit->class == class && hit->n > best && i + hit->n <= to) {
            best = hit->n;
            *value = hit->value;
        }
    }

    return best;
}


size_t
judge_span_match(const judge_prose_t *p, size_t i, size_t to,
    judge_w_e class)
{
    double  value;

    return judge_span_value(p, i, to, class, &value);
}


size_t
judge_span_seek(const judge_prose_t *p, judge_span_t s, judge_w_e class)
{
    while (s.from < s.to && judge_span_match(p, s.from, s.to, class) == 0) {
        s.from++;
    }

    return s.from;
}


size_t
judge_span_skip(const judge_prose_t *p, judge_span_t s, judge_w_e class)
{
    while (s.from < s.to && judge_span_is(p, s.from, class)) {
        s.from++;
    }

    return s.from;
}


judge_span_t
judge_span_strip(const judge_prose_t *p, judge_span_t s, judge_w_e before,
    judge_w_e behind)
{
    s.from = judge_span_skip(p, s, before);

    while (s.to > s.from && judge_span_is(p, s.to - 1, behind)) {
        s.to--;
    }

    return s;
}


judge_span_t
judge_span_trim(const judge_prose_t *p, judge_span_t s)
{
    const judge_term_t  *t = p->tokens;

    while (s.from < s.to && t[s.from].kind == JUDGE_TERM_MARK
           && !judge_span_is(p, s.from, JUDGE_W_OPENED))
    {
        s.from++;
    }

    while (s.to > s.from && t[s.to - 1].kind == JUDGE_TERM_MARK
           && !judge_span_is(p, s.to - 1, JUDGE_W_TAIL))
    {
        s.to--;
    }

    return s;
}


/* --- Patterns ---------------------------------------------------------- */


/* The end of what the pattern matches; 0: it does not.  What may come again
 * takes as little as it can, at the end as much; a subject likewise, which
 * ends at `least` or behind it. */

static size_t
judge_span_run(const judge_prose_t *p, size_t i, size_t to,
    const uint16_t *e, size_t least, judge_match_t *m)
{
    size_t     n, last;
    double     value = -1;
    judge_w_e  class, next;

    for ( ; *e != 0; e++) {
        class = (judge_w_e) (*e & ~JUDGE_ANY);
        next = (judge_w_e) (e[1] & ~JUDGE_ANY);

        if (class == JUDGE_W_SUBJECT) {
            last = (to - i > JUDGE_SPAN_SUBJECT) ? i + JUDGE_SPAN_SUBJECT : to;
            m->subject.from = i;

            for (i = (least > i) ? least : i, n = 0; i < last && n == 0; i++) {
                m->subject.to = i;
                m->numbers = 0;
                n = judge_span_run(p, i, to, e + 1, 0, m);
            }

            return n;
        }

        if (class == JUDGE_W_OBJECT) {
            i = (m->object.from > 0) ? m->object.from : i;
            m->object = judge_span_trim(p, judge_span(i, to));
            return (m->object.from < m->object.to) ? to : 0;
        }

        if (class == JUDGE_W_WHO || class == JUDGE_W_WHAT) {
            *((class == JUDGE_W_WHO) ? &m->subject.from : &m->object.from) = i;
            continue;
        }

        if (class == JUDGE_W_EDGE) {
            return (i == to) ? i : 0;
        }

        if ((*e & JUDGE_ANY) != 0) {
            while (i < to && judge_span_is(p, i, class)
                   && judge_span_match(p, i, to, next) == 0)
            {
                i++;
            }

            continue;
        }

        n = judge_span_value(p, i, to, class, &value);

        if (n == 0) {
            return 0;
        }

        if (value >= 0 && m->numbers < 2) {
            m->number[m->numbers++] = value;
        }

        i += n;
    }

    return i;
}


bool
judge_span_pattern(const judge_prose_t *p, judge_span_t s,
    const judge_rule_t *rule, size_t least, judge_match_t *m)
{
    *m = (judge_match_t) { .number = { -1, -1 }, .span = s,
                           .action = rule->action, .mood = rule->mood };
    m->end = judge_span_run(p, s.from, s.to, rule->pattern, least, m);
    m->object = (m->object.to > 0) ? m->object : m->subject;

    return m->end > 0;
}


const judge_rule_t *
judge_span_rule(const judge_prose_t *p, judge_span_t s,
    const judge_rule_t *rule, judge_match_t *m)
{
    while (rule->pattern[0] != 0 && !judge_span_pattern(p, s, rule, 0, m)) {
        rule++;
    }

    return (rule->pattern[0] != 0) ? rule : NULL;
}


/* --- Questions about a span -------------------------------------------- */


judge_str_t
judge_span_text(const judge_prose_t *p, judge_span_t s)
{
    judge_str_t  first, last;

    s = judge_span_trim(p, s);
    first = p->tokens[s.from].text;
    last = p->tokens[s.to - 1].text;

    return (s.from >= s.to) ? JUDGE_STR("")
           : (judge_str_t) { (size_t) (last.data + last.len - first.data),
                             first.data };
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

    return (words <= JUDGE_SPAN_SHORT && !judge_span_has(p, s, marks)) ? words
                                                                       : 0;
}


/* A cell of a table is a sentence, too. */

size_t
judge_span_sentence(const judge_prose_t *p, judge_span_t s)
{
    size_t               i;
    const judge_term_t  *t;

    for (i = s.from; i < s.to; i = judge_span_after(p, i)) {
        t = &p->tokens[i];

        if (judge_term_is(t, JUDGE_W_BAR)) {
            return i + 1;
        }

        if (judge_term_is(t, JUDGE_W_STOP)
            && !judge_term_is(t - 1, JUDGE_W_ABBREVIATION)
            && (i + 1 >= s.to || t[1].space || t[1].kind == JUDGE_TERM_MARK))
        {
            return judge_span_skip(p, judge_span(i + 1, s.to),
                                   JUDGE_W_STOPPED);
        }
    }

    return s.to;
}


size_t
judge_span_label(const judge_prose_t *p, judge_span_t s)
{
    size_t               i;
    const judge_term_t  *t;

    for (i = s.from; i < s.to; i = judge_span_after(p, i)) {
        t = &p->tokens[i];

        if (judge_term_is(t, JUDGE_W_DASH) || judge_term_is(t, JUDGE_W_BAR)
            || (judge_term_is(t, JUDGE_W_COLON)
                && (i + 1 == s.to || t[1].space)))
        {
            return (judge_span_words(p, judge_span(s.from, i))
                    <= JUDGE_SPAN_LABEL) ? i : s.to;
        }

        if (judge_term_is(t, JUDGE_W_END)) {
            break;
        }
    }

    return s.to;
}


/* "The tone of the text" is about tone: the last word before a preposition. */

bool
judge_span_generic(const judge_prose_t *p, judge_span_t s)
{
    size_t  i, head;

    for (i = s.from, head = s.to; i < s.to; i++) {
        if (head < s.to && judge_span_is(p, i, JUDGE_W_PREPOSITION)) {
            break;
        }

        head = (p->tokens[i].kind == JUDGE_TERM_WORD) ? i : head;
    }

    return head == s.to || judge_span_is(p, head, JUDGE_W_GENERIC);
}


/* Whether what divides two pieces belongs to one here: "between 300 and 500
 * words", "2+ sources", "grammar and spelling errors" to be avoided. */

static bool
judge_span_holds(const judge_prose_t *p, size_t i, size_t to)
{
    judge_span_t         near;
    const judge_term_t  *t;

    t = &p->tokens[i];
    near = judge_span_near(judge_span(i + 1, to), 3);
    near.to = judge_span_seek(p, near, JUDGE_W_CUT);

    return (judge_term_is(t - 1, JUDGE_W_NUMBER)
            && (judge_term_is(t - 2, JUDGE_W_BETWEEN)
                || judge_term_is(t, JUDGE_W_PLUS)
                || judge_term_is(t, JUDGE_W_DASH)))
           || ((p->mood & JUDGE_MOOD_NEGATIVE) != 0
               && judge_span_has(p, near, JUDGE_W_FAULT));
}


/* "a, b or c" are three, "spelling or grammar mistakes" one. */

size_t
judge_span_member(const judge_prose_t *p, judge_span_t s, size_t *next)
{
    size_t  i, n;
    bool    comma;

    comma = judge_span_is(p, s.from - 1, JUDGE_W_COMMA);

    for (i = s.from; i < s.to; i = judge_span_after(p, i)) {
        n = (comma && judge_span_is(p, i, JUDGE_W_OR))
            ? 1 : judge_span_match(p, i, s.to, JUDGE_W_DIVIDER);

        if (n == 0 || judge_span_holds(p, i, s.to)) {
            continue;
        }

        for (*next = i; n > 0; *next += n) {
            n = judge_span_match(p, *next, s.to, JUDGE_W_DIVIDER);
            n = (n > 0) ? n
                : judge_span_match(p, *next, s.to, JUDGE_W_CONNECTOR);
        }

        return i;
    }

    *next = s.to;

    return s.to;
}
