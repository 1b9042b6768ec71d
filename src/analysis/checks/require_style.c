/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Sentences that show how prices, times, dates and the like are written: what
 * they show is found in the text, and nothing that is written otherwise. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


/* What asks for nothing else than how something is written. */
#define JR_OF_STYLE  ((JR_PLAIN & ~(uint64_t) (JR_UNKNOWN | JR_ALLOWED        \
                                               | JR_LESS | JR_MORE))          \
                      | JR_BUT | JR_EACH | JR_EXACT | JR_FORM | JR_ITEM       \
                      | JR_MARK | JR_MUST | JR_NOR | JR_NOUN | JR_OR          \
                      | JR_REASON | JR_REQUIRED | JR_TIMES)

/* What a sentence says of its examples. */
typedef struct {
    bool         shows;                /* how something is written */
    bool         one;                  /* one has to be there */
    bool         all;                  /* all are written so */
    const char  *not;                  /* the first negation */
} judge_require_shown_t;


/* The first example of a style at or after `from`; false: there is none. */

static bool
judge_require_example(judge_require_t *q, judge_str_t s, size_t from,
    judge_str_t *example)
{
    size_t  begin, end;

    judge_regex_take(q->r.reader, q->styles[q->style]);

    if (judge_regex_find(q->r.reader, s, from, &begin, &end) != JUDGE_OK) {
        return false;
    }

    *example = (judge_str_t) { end - begin, s.data + begin };

    return true;
}


/* Whether token i only tells of how something is written. */

static bool
judge_require_shows(judge_require_t *q, size_t i, judge_require_shown_t *m)
{
    bool                          thing, again;
    const judge_require_token_t  *t = &q->r.tokens[i];

    static const char  written[] = "comma cents eur usd gbp brl slash hyphen"
                                   " h24 dmy iso colon";

    thing = t->kind == JR_THING
            && strstr("date time price percentage phone", t->name);
    again = t->kind == JR_FORM && m->shows && m->not == NULL;
    m->one = m->one || (t->kind & (JR_LEAST | JR_REQUIRED))
             || (t->kind == JR_ARTICLE && !m->shows);
    m->all = m->all || t->kind == JR_EACH
             || (thing && t->text.data[t->text.len - 1] == 's');
    m->shows = m->shows || (t->kind & (JR_EXAMPLE | JR_FORM))
               || (t->kind == JR_THING && strstr(written, t->name));

    return ((t->kind & JR_OF_STYLE) && !again) || thing
           || (t->kind == JR_THING
               && (strstr(written, t->name)
                   || strstr("digit number stop percent", t->name)))
           || (t->kind == JR_LEAST
               && judge_require_at(&q->r, i + 1, JR_ARTICLE))
           || (t->kind == JR_UNIT && strstr("words letters", t->name))
           || (t->kind == JR_NUMBER && (t->n < 5 || t->n == 24))
           /* "14:30 with 'h'", "American" */
           || (t->kind == JR_LITERAL
               && (judge_require_named(t) || t->text.len < 5))
           || (t->kind == JR_UNKNOWN
               && !judge_require_finds(&q->r, q->r.judgement, t->text, 0));
}


/* Whether all of a sentence tells of how something is written, beside its
 * examples. */

static bool
judge_require_of_style(judge_require_t *q, judge_str_t s,
    judge_require_shown_t *m)
{
    size_t                        i, at;
    judge_str_t                   example = { 0, s.data };
    const judge_require_token_t  *t;

    for (i = 0; i < q->r.n; i++) {
        t = &q->r.tokens[i];

        while (example.data + example.len <= t->text.data) {
            at = (size_t) (example.data + example.len - s.data);
            if (!judge_require_example(q, s, at, &example)) {
                example = (judge_str_t) { 0, s.data + s.len + 1 };
            }
        }

        if (t->text.data < example.data && !judge_require_shows(q, i, m)) {
            return false;
        }

        m->not = m->not == NULL && (t->kind & JR_NEGATIONS) ? t->text.data
                 : m->not;
    }

    return true;
}


/* Adds checks that what is of the style is written like the examples before
 * the first negation, between which is "or". */

static bool
judge_require_style_of(judge_require_t *q, judge_str_t s,
    const judge_require_shown_t *m)
{
    size_t       at = 0;
    const char  *other = judge_require_styles[q->style].expression;
    judge_buf_t  b;
    judge_str_t  example, last = { 0, NULL };

    judge_buf_init(&b, q->arena);
    judge_buf_c(&b, "(?<![\\p{L}\\d.,])(?:");

    while (judge_require_example(q, s, at, &example)
           && (m->not == NULL || example.data < m->not)
           && (last.len == 0 || example.data < last.data + last.len + 5))
    {
        judge_buf_c(&b, last.len ? "|" : "");
        judge_require_written(&b, example,
                              judge_require_styles[q->style].name[0]);
        last = example;
        at = (size_t) (example.data + example.len - s.data);
    }

    /* "17:30", not "5:30 p. m."; "am" may be a word after it */
    judge_buf_c(&b, ")(?![\\p{L}\\d]|[.,]\\d"
                    "| ?(?i:[ap]\\. ?m|pm)\\b)");
    judge_buf_append(&b, "", 1);
    q->failed = q->failed || b.failed;

    return !b.failed && last.len
           && (!m->one || judge_require_add(q, "", "regex", b.data, 0))
           && ((m->one && !m->all && !m->not)
               || judge_require_add(q, "not_", "regex", judge_str_printf(
                      q->arena, "%s(*SKIP)(*F)|%s", b.data, other).data, 0));
}


/* Whether two examples are written alike: "10 %, not 21 %" tells of values. */

static bool
judge_require_written_alike(judge_str_t a, judge_str_t b)
{
    size_t  i;

    for (i = 0; i < a.len && i < b.len
         && (a.data[i] == b.data[i] || (judge_ascii_digit(a.data[i])
                                        && judge_ascii_digit(b.data[i]))); i++)
    {
        /* void */
    }

    return i == a.len && i == b.len;
}


judge_rc_e
judge_require_styled(judge_require_t *q, judge_str_t s)
{
    judge_str_t            example, other;
    judge_require_shown_t  m;

    for (q->style = 0; q->style < judge_require_styles_n; q->style++) {
        memset(&m, 0, sizeof(m));

        if (judge_require_example(q, s, 0, &example)
            && judge_require_of_style(q, s, &m)
            && !(m.not && m.not < example.data)
            && (m.shows || (m.not && judge_require_example(q, s,
                                (size_t) (m.not - s.data), &other)
                            && !judge_require_written_alike(example, other))))
        {
            return judge_require_style_of(q, s, &m) ? JUDGE_OK
                   : q->failed ? JUDGE_NOMEM : JUDGE_NOT_FOUND;
        }
    }

    return JUDGE_NOT_FOUND;
}
