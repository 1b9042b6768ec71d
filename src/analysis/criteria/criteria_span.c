/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Spans of tokens: the words and phrases of the languages in them; patterns of
 * their classes; examples, numbers of things, classes of scores.
 */


#include <math.h>
#include <string.h>

#include "base/core/hash.h"
#include "base/text/utf8.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_SPAN_SHORT    6         /* words of a line that is an item */
#define JUDGE_SPAN_LABEL    7         /* words before a colon */
#define JUDGE_SPAN_SUBJECT  24        /* tokens before what a pattern seeks */
#define JUDGE_SPAN_KNOWN    3         /* of that many words one must be */
#define JUDGE_SPAN_EXAMPLE  300       /* bytes of one */
#define JUDGE_SPAN_DIVIDED  24        /* tokens of several */
#define JUDGE_SPAN_LEVEL    12        /* tokens of "90-100: excellent" */


/* How many of the tokens t .. to - 1 are the phrase; 0: they are not. */

static uint8_t
judge_term_spells(const judge_term_t *t, const judge_term_t *to,
    const char *words)
{
    size_t   n;
    uint8_t  count;

    for (count = 1; t < to; count++, t++, words += n + 1) {
        n = strcspn(words, "_");

        if (t->low.len != n || memcmp(t->low.data, words, n) != 0) {
            return 0;
        }

        if (words[n] == '\0') {
            return count;
        }
    }

    return 0;
}


#define judge_term_bit(t, class, is)                                         \
    ((t)->classes[(class) / 64] |= (uint64_t) (is) << (class) % 64)
#define judge_term_tell(p, t, of, v)                                         \
    judge_term_add(p, t, (judge_hit_t) {                                     \
        .class = JUDGE_CLASS_##of, .n = 1, .value = v })

/* Tells a token of a phrase; of those that call a quality, the longest. */

static void
judge_term_add(judge_prose_t *p, judge_term_t *t, judge_hit_t found)
{
    judge_hit_t  *hit;

    hit = judge_alloc(p->arena, sizeof(judge_hit_t));
    p->failed |= hit == NULL;
    if (hit == NULL) {
        return;
    }

    *hit = found;
    hit->next = t->hits;
    t->hits = hit;

    judge_term_bit(t, hit->class, hit->n == 1);

    if ((hit->class == JUDGE_CLASS_NOUN || hit->class == JUDGE_CLASS_OTHER
         || hit->class == JUDGE_CLASS_THING)
        && (hit->n > t->span || (t->quality < 0 && t->span == 1)))
    {
        t->quality = (int16_t) hit->value;
        t->span = hit->n;
        t->noun = hit->class == JUDGE_CLASS_NOUN;
    }
}


/* The phrases of all languages until one is known; no quality before free. */

static void
judge_term_look(judge_prose_t *p, judge_term_t *t, const judge_term_t *to,
    const judge_term_t *free)
{
    size_t                 k;
    uint8_t                n;
    const judge_phrase_t  *phrase;

    k = judge_criteria_heads[judge_fnv(JUDGE_FNV_START, t->low.data,
                                       t->low.len) % JUDGE_CRITERIA_HEADS];

    for ( ; k > 0; k = phrase->next) {
        phrase = &judge_phrases[k];
        n = (p->language == 0 || phrase->language == 0
             || phrase->language == p->language)
            ? judge_term_spells(t, to, phrase->words) : 0;

        if (n > 0 && (t >= free || (phrase->class != JUDGE_CLASS_NOUN
                                    && phrase->class != JUDGE_CLASS_OTHER)))
        {
            judge_term_add(p, t, (judge_hit_t) {
                .class = phrase->class, .n = n, .value = phrase->value,
                .language = phrase->language });
        }
    }
}


void
judge_span_mark(judge_prose_t *p, judge_span_t s)
{
    size_t         k;
    judge_term_t  *t, *free, tail;

    for (t = free = s.from; t < s.to; t++) {
        memset(t->classes, 0, sizeof(t->classes));
        t->quality = -1;
        t->span = 1;
        t->hits = NULL;

        if (t->kind == JUDGE_TERM_NUMBER) {
            judge_term_tell(p, t, NUMBER, t->number);

        } else if (t->kind != JUDGE_TERM_QUOTE) {
            judge_term_look(p, t, s.to, free);
        }

        if (t->kind == JUDGE_TERM_MARK) {
            judge_term_bit(t, JUDGE_CLASS_AHEAD, !judge_term_is(t, OPENED));
            judge_term_bit(t, JUDGE_CLASS_BEHIND, !judge_term_is(t, TAIL));
        }

        /* "Produkttexte" end with what is judged */
        for (k = (t->low.len > 16) ? t->low.len - 16 : 1; t->hits == NULL
             && k + 5 <= t->low.len && t->kind == JUDGE_TERM_WORD
             && p->language > 0
             && judge_draft_saying(p, JUDGE_SAY_CAPITALS) != NULL; k++)
        {
            tail = (judge_term_t) { .low = judge_str_from(t->low, k) };
            judge_term_look(p, &tail, &tail + 1, &tail);
            if (judge_term_is(&tail, GENERIC)) {
                judge_term_tell(p, t, GENERIC, -1);
            }
        }

        /* "job title" is not about a title */
        free = (t->quality < 0 && t->span > 1) ? t + t->span : free;

        if (judge_term_quality(t) >= 0
            && !(judge_qualities[t->quality].flags & JUDGE_Q_VAGUE))
        {
            judge_term_tell(p, t, TOPIC, -1);
        }
    }
}


/* The one of which most words are known; with few of them it is none. */

void
judge_span_language(judge_prose_t *p)
{
    size_t              i, words;
    unsigned            l, best, seen;
    unsigned            score[JUDGE_LANGUAGES] = { 0 };
    judge_term_t       *t;
    const judge_hit_t  *hit;

    for (t = p->tokens.from, words = 0; t < p->tokens.to; t++) {
        words += t->kind == JUDGE_TERM_WORD;

        for (hit = t->hits, seen = 0; hit != NULL; hit = hit->next) {
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

    for (i = 0; i < p->nblocks; i++) {
        judge_span_mark(p, p->blocks[i].span);
    }
}


size_t
judge_term_phrase(const judge_term_t *t, const judge_term_t *to,
    judge_class_e class, double *value)
{
    size_t              best = 0;
    const judge_hit_t  *hit;

    for (hit = (t < to) ? t->hits : NULL; hit != NULL; hit = hit->next) {
        if (hit->class == class && hit->n >= best && hit->n <= to - t) {
            best = hit->n;

            if (value != NULL) {
                *value = hit->value;
            }
        }
    }

    return best;
}


judge_term_t *
judge_span_find(judge_span_t s, judge_class_e class)
{
    while (s.from < s.to && judge_term_phrase(s.from, s.to, class, NULL) == 0)
    {
        s.from++;
    }

    return s.from;
}


judge_span_t
judge_span_without(judge_span_t s, judge_class_e before, judge_class_e behind)
{
    while (s.from < s.to && judge_term_in(s.from, before)) {
        s.from++;
    }

    while (s.to > s.from && judge_term_in(s.to - 1, behind)) {
        s.to--;
    }

    return s;
}


/* The end of what the pattern matches, or NULL; that of the subject, at least
 * `least`, is the first that does. */

static judge_term_t *
judge_span_run(judge_span_t s, const uint16_t *e, judge_term_t *least,
    judge_match_t *m)
{
    size_t         n;
    double         value = -1;
    judge_term_t  *end;
    judge_class_e  class, next;

    for ( ; *e != 0; e++) {
        class = (judge_class_e) (*e & ~JUDGE_ANY);
        next = (judge_class_e) (e[1] & ~JUDGE_ANY);

        if (class == JUDGE_CLASS_SUBJECT) {
            m->subject.from = s.from;
            s.from = (least > s.from) ? least : s.from;

            for (end = NULL; end == NULL && s.from < s.to
                 && s.from - m->subject.from < JUDGE_SPAN_SUBJECT; s.from++)
            {
                m->subject.to = s.from;
                m->value = -1;
                end = judge_span_run(s, e + 1, NULL, m);
            }

            return end;
        }

        if (class == JUDGE_CLASS_OBJECT) {
            s.from = (m->object.from != NULL) ? m->object.from : s.from;
            m->object = judge_span_trim(s);
            return (m->object.from < m->object.to) ? s.to : NULL;
        }

        if (class == JUDGE_CLASS_EDGE) {
            return (s.from == s.to) ? s.to : NULL;
        }

        if (class == JUDGE_CLASS_WHO || class == JUDGE_CLASS_WHAT) {
            *((class == JUDGE_CLASS_WHO) ? &m->subject.from
                                         : &m->object.from) = s.from;
            continue;
        }

        if ((*e & JUDGE_ANY) != 0) {
            while (s.from < s.to && judge_term_in(s.from, class)
                   && judge_term_phrase(s.from, s.to, next, NULL) == 0)
            {
                s.from++;
            }

            continue;
        }

        n = judge_term_phrase(s.from, s.to, class, &value);
        if (n == 0) {
            return NULL;
        }

        m->value = (m->value < 0) ? value : m->value;
        s.from += n;
    }

    return s.from;
}


bool
judge_span_pattern(judge_span_t s, const judge_rule_t *rule,
    judge_term_t *least, judge_match_t *m)
{
    *m = (judge_match_t) { .value = -1, .span = s, .mood = rule->mood,
                           .action = rule->action };
    m->end = judge_span_run(s, rule->pattern, least, m);
    m->object = (m->object.to != NULL) ? m->object : m->subject;

    return m->end != NULL;
}


const judge_rule_t *
judge_span_rule(judge_span_t s, const judge_rule_t *rule, judge_match_t *m)
{
    while (rule->pattern[0] != 0 && !judge_span_pattern(s, rule, NULL, m)) {
        rule++;
    }

    return (rule->pattern[0] != 0) ? rule : NULL;
}


judge_str_t
judge_span_text(judge_span_t s)
{
    s = judge_span_trim(s);

    return (s.from >= s.to) ? JUDGE_STR("")
           : (judge_str_t) { (size_t) (s.to[-1].text.data
                                       - s.from->text.data)
                             + s.to[-1].text.len, s.from->text.data };
}


size_t
judge_span_words(judge_span_t s)
{
    size_t  n = 0;

    for ( ; s.from < s.to; s.from++) {
        n += s.from->kind == JUDGE_TERM_WORD;
    }

    return n;
}


size_t
judge_span_few(judge_span_t s, judge_class_e marks)
{
    size_t  n = judge_span_words(s);

    return (n > JUDGE_SPAN_SHORT || judge_span_find(s, marks) < s.to) ? 0 : n;
}


/* A cell of a table is a sentence, too; "humor; it should be short" and "tone:
 * warm; length: short" are two. */

judge_term_t *
judge_span_sentence(judge_span_t s)
{
    judge_span_t   near;
    judge_term_t  *t;

    for (t = s.from; t < s.to; t = judge_term_after(t)) {
        near = judge_span_near(judge_span(t + 1, s.to), 4);

        if (judge_term_is(t, BAR)
            || (*t->text.data == ';'
                && (judge_span_has(near, MODAL)
                    || (judge_term_is(s.from - 1, COLON)
                        && judge_span_has(near, COLON)))))
        {
            return t + 1;
        }

        if (judge_term_is(t, STOP) && !judge_term_is(t - 1, ABBREVIATION)
            && (t + 1 >= s.to || t[1].space || t[1].kind == JUDGE_TERM_MARK))
        {
            return judge_span_skip(judge_span(t + 1, s.to), STOPPED);
        }
    }

    return s.to;
}


judge_term_t *
judge_span_label(judge_span_t s)
{
    judge_term_t  *t;

    for (t = s.from; t < s.to; t = judge_term_after(t)) {
        if (judge_term_is(t, DASH) || judge_term_is(t, BAR)
            || (judge_term_is(t, COLON) && (t + 1 == s.to || t[1].space)))
        {
            return (judge_span_words(judge_span(s.from, t))
                    <= JUDGE_SPAN_LABEL) ? t : s.to;
        }

        if (judge_term_is(t, END)) {
            break;
        }
    }

    return s.to;
}


/* "The tone of the text" is about tone: the last word before a preposition. */

bool
judge_span_generic(judge_span_t s)
{
    judge_term_t  *t, *head;

    for (t = s.from, head = NULL; t < s.to
         && (head == NULL || !judge_term_is(t, PREPOSITION)); t++)
    {
        head = (t->kind == JUDGE_TERM_WORD) ? t : head;
    }

    return head == NULL || judge_term_is(head, GENERIC);
}


/* "a, b or c" are three; but "between 300 and 500 words", "2+ sources" and
 * "grammar and spelling errors" to be avoided are one. */

judge_term_t *
judge_span_member(const judge_prose_t *p, judge_span_t s, judge_term_t **next)
{
    size_t         n;
    bool           comma;
    judge_span_t   near;
    judge_term_t  *t;

    comma = judge_term_is(s.from - 1, COMMA);

    for (t = s.from; t < s.to; t = judge_term_after(t)) {
        n = (comma && judge_term_is(t, OR)) ? 1
            : judge_span_match(t, s.to, DIVIDER);
        near = judge_span_near(judge_span(t + 1, s.to), 3);

        if (n == 0
            || (judge_term_is(t - 1, NUMBER)
                && (judge_term_is(t - 2, BETWEEN) || judge_term_is(t, PLUS)
                    || judge_term_is(t, DASH)))
            || ((p->mood & JUDGE_MOOD_NEGATIVE) != 0
                && judge_span_seek(near, FAULT) < judge_span_seek(near, CUT)))
        {
            continue;
        }

        for (*next = t; n > 0; *next += n) {
            n = judge_span_match(*next, s.to, DIVIDER);
            n = (n > 0) ? n : judge_span_match(*next, s.to, CONNECTOR);
        }

        return t;
    }

    *next = s.to;

    return s.to;
}


/* What commas and "or" divide is an example each; of quotations only they. */

judge_span_t
judge_span_examples(judge_draft_t *f, judge_span_t s)
{
    bool           quotes;
    size_t         n;
    judge_str_t    text;
    judge_span_t   left, piece;
    judge_term_t  *t, *end;

    for (t = s.from, n = 0; t < s.to && n == 0; t += n == 0) {
        n = judge_span_match(t, s.to, EXAMPLE);
        n += n == 0 && t + 1 < s.to && judge_term_is(t, LIKE)
             && t[1].kind == JUDGE_TERM_QUOTE;
    }

    left = judge_span(t + n, s.to);
    left.to = judge_span_seek(left, CLOSED);
    s.to = t - (t > s.from && n > 0 && judge_term_is(t - 1, OPENED));

    for (quotes = false, t = left.from; t < left.to; t++) {
        quotes |= t->kind == JUDGE_TERM_QUOTE;
    }

    for ( ; f != NULL && left.from < left.to; left.from = end + 1) {
        end = (quotes || left.to - left.from <= JUDGE_SPAN_DIVIDED)
              ? judge_span_seek(left, SERIES) : left.to;
        piece = judge_span_trim(judge_span(left.from, end));
        text = (piece.from->kind == JUDGE_TERM_QUOTE) ? piece.from->low
               : quotes ? JUDGE_STR("") : judge_span_text(piece);

        if (text.len > 0 && f->nexamples < JUDGE_CRITERIA_EXAMPLES) {
            f->examples[f->nexamples++]
                = judge_utf8_prefix(text, JUDGE_SPAN_EXAMPLE);
        }
    }

    return s;
}


/* "Below 50 is poor": fair begins at 50. */

bool
judge_span_level(judge_span_t s, double levels[4])
{
    bool           below;
    size_t         level;
    double         class, value;
    judge_term_t  *t;

    class = value = -1;
    s = judge_span_near(s, JUDGE_SPAN_LEVEL);

    for (t = s.from, below = false; t < s.to; t++) {
        below |= judge_term_is(t, BELOW);

        if (t->kind == JUDGE_TERM_NUMBER && t->number <= 100) {
            value = (value >= 0) ? fmin(value, t->number) : t->number;

        } else if (class < 0) {
            (void) judge_term_phrase(t, s.to, JUDGE_CLASS_LEVEL, &class);
        }
    }

    if (class < 0 || value < 0) {
        return false;
    }

    level = (size_t) class - (below && class > 0);
    levels[level] = (levels[level] < 0) ? value : levels[level];

    return true;
}


/* Grades of five or ten become hundredths. */

bool
judge_span_scale(const double got[4], double levels[4])
{
    size_t  i;
    double  top;

    top = fmax(fmax(fmax(got[0], got[1]), fmax(got[2], got[3])), 1);

    for (i = 0; i < 4; i++) {
        levels[i] = (got[i] < 0) ? levels[i]
                    : (top > 10) ? got[i] : (got[i] - 0.5) / top * 100;
    }

    return true;
}


bool
judge_span_levels(judge_span_t s, double levels[4])
{
    size_t         n;
    double         got[4] = { -1, -1, -1, -1 };
    judge_span_t   left;
    judge_term_t  *end;

    for (left = s, n = 0; left.from < s.to; left.from = end + 1) {
        end = judge_span_seek(left, ANDS);
        n += judge_span_level(judge_span(left.from, end), got);
    }

    return n > 0 && (n > 1 || judge_span_has(s, SCORED))
           && judge_span_scale(got, levels);
}


judge_term_t *
judge_span_quantity(judge_span_t s, judge_term_t **at)
{
    judge_match_t  m;

    for ( ; s.from < s.to; s.from++) {
        /* "in the first 5 seconds" is not a length */
        if (judge_span_rule(s, judge_criteria_bounds, &m) != NULL
            && (m.action != JUDGE_BOUND_COUNT || m.value >= 2)
            && !judge_term_is(s.from - 1, ORDINAL))
        {
            *at = s.from;
            return (m.action == JUDGE_BOUND_COUNT) ? s.from + 1 : m.end;
        }
    }

    return NULL;
}
