/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Tells what of a description asks for nothing: reasons, permissions, remarks
 * about something else, and sentences that only explain a name. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


bool
judge_require_until(const judge_require_reader_t *r, size_t from, char mark,
    uint64_t kinds, bool these, size_t *end)
{
    size_t                        i;
    const judge_require_token_t  *t;

    for (i = from; i < r->n; i++) {
        t = &r->tokens[i];

        if (mark && judge_require_mark(t, mark)) {
            *end = i + 1;
            return true;
        }
        if (((t->kind & kinds) != 0) != these) {
            return false;
        }
    }

    *end = i;

    return mark == '\0';
}


bool
judge_require_requires(const judge_require_reader_t *r, size_t from, size_t to)
{
    bool                          names;
    size_t                        i;
    uint64_t                      kinds;
    const judge_require_token_t  *t;

    i = judge_require_skip(r, from, JR_JOINTS | JR_DASH);

    kinds = JR_TARGETS | JR_NUMBER | JR_LANGUAGE | JR_KEY | JR_ONLY | JR_MUST;
    if (!(i < to && r->tokens[i].kind == JR_SPEAKER)) {
        kinds |= JR_LIMITS | JR_EDGES | JR_REQUIRED | JR_ALLOWED | JR_EXACT
                 | JR_EACH | JR_EXCEPT;
    }

    if (i < to && (r->tokens[i].kind & (JR_HAS | JR_NOT | JR_REQUIRED))) {
        return true;
    }

    for (i = from; i < to; i++) {
        t = &r->tokens[i];
        names = judge_require_named(t);           /* "we asked Anna" */

        if ((t->kind & kinds) && !names) {
            return true;
        }
    }

    return false;
}


/* Whether a reason begins at token i: by a word like "because", or by a
 * subject other than the text ("No links, we print it"). */

bool
judge_require_reason(const judge_require_reader_t *r, size_t i)
{
    const judge_require_token_t  *t = &r->tokens[i];

    return (t->kind == JR_REASON
            && !((i == 0 || strcmp(t->name, "hence") == 0)
                 && judge_require_requires(r, i + 1, r->n)))
           || (t->kind == JR_SPEAKER
               && (i == 0 || (t[-1].kind & (JR_DASH | JR_MARK)))
               && !judge_require_requires(r, i, r->n));
}


/* "The link": a definite article stands before `at`. */

static bool
judge_require_definite(judge_str_t s, const char *at, size_t language)
{
    const char   *p;
    judge_str_t   word;

    static const char *const  articles[][8] = {
        { "the", "this", "that", "these", "its", "their", "our", NULL },
        { "der", "die", "das", "den", "dem", "des", NULL },
        { "el", "la", "los", "las", "su", NULL },
        { "le", "la", "les", "l", "sa", "son", NULL },
        { "o", "a", "os", "as", "ao", "à", NULL }
    };

    while (at > s.data && (at[-1] == ' ' || at[-1] == '*')) {
        at--;
    }

    for (p = at; p > s.data && judge_ascii_letter(p[-1]); p--) {
        /* void */
    }

    word = (judge_str_t) { (size_t) (at - p), p };

    return judge_str_caseamong(word, articles[language]);
}


/* Whether token i asks for the same as one of the subject's tokens; not so in
 * another sentence "the link", of which something else is said. */

static bool
judge_require_repeats(const judge_require_reader_t *r, judge_str_t s, size_t i,
    size_t from, const judge_require_token_t *subject, size_t n)
{
    size_t                        k;
    const judge_require_token_t  *t = &r->tokens[i];

    if (from == 0 && (t->kind & JR_TARGETS) && strcmp(t->name, "title") != 0
        && judge_require_definite(s, t->text.data, r->language))
    {
        return false;
    }

    for (k = 0; k < n; k++) {
        if (t->kind == subject[k].kind
            && ((t->kind & JR_EDGES)
                || (t->n == subject[k].n
                    && strcmp(t->name, subject[k].name) == 0
                    && (t->kind != JR_LITERAL
                        || judge_str_caseeq(t->text, subject[k].text)))))
        {
            return true;
        }
    }

    return false;
}


/* Where the text of the tokens from `from` on begins. */

static size_t
judge_require_from(const judge_require_reader_t *r, judge_str_t s, size_t from)
{
    const judge_require_token_t  *t = &r->tokens[from];

    return from ? (size_t) (t[-1].text.data + t[-1].text.len - s.data) : 0;
}


static bool
judge_require_letter(char c)
{
    return judge_ascii_letter(c) || (unsigned char) c >= 0x80;
}


/* Whether the tokens from `from` on begin as a statement about something else
 * ("…, the screen is narrow"): with an article, a possessive or "anything". */

static bool
judge_require_states(const judge_require_reader_t *r, judge_str_t s,
    size_t from)
{
    size_t                        i, begin = judge_require_from(r, s, from);
    judge_str_t                   word;
    const judge_require_token_t  *t = &r->tokens[from];

    static const char *const  anything[] = {
        "anything", "everything", "whatever", "nobody", "people", "readers",
        "alles", "niemand", "jeder", "Leute", "todo", "nadie", "tout",
        "personne", "tudo", "ninguém", NULL
    };

    while (begin < s.len && !judge_require_letter(s.data[begin])) {
        begin++;
    }

    for (i = begin; i < s.len && judge_require_letter(s.data[i]); i++) {
        /* void */
    }

    word = (judge_str_t) { i - begin, s.data + begin };

    if (t->kind == JR_SPEAKER && t->text.data == word.data) {
        return true;
    }

    if (from && judge_ascii_letter(t[-1].text.data[0])) {
        return false;                  /* "it leads to the shop" */
    }

    /* ", die den Text …" is a relative clause, ", die Tafel …" may be none */
    return (judge_str_caseamong(word, anything)
            || judge_require_definite((judge_str_t) { i, s.data },
                                      s.data + i, r->language))
           && (from == 0 || r->language != 1
               || (i + 1 < s.len && !judge_ascii_lower(s.data[i + 1])));
}


/* Whether token i may ask for something that no other sentence does, even
 * where what is around it is a permission or an example. */

static bool
judge_require_bars(const judge_require_reader_t *r, size_t i, bool first,
    bool negates)
{
    const judge_require_token_t  *t = &r->tokens[i];

    switch (t->kind) {

    case JR_REQUIRED:
    case JR_EACH:
    case JR_KEY:
    case JR_PART:
        return true;

    case JR_EXCEPT:
        return !first;

    case JR_TEXT:
        return first;

    case JR_AND:
        return judge_require_at(r, i + 1, JR_ARTICLE);     /* "and a joke" */

    case JR_BUT:
        return negates;

    case JR_MUST:                      /* "legal will be reading this" */
        return first || t->text.data[0] != 'w';

    default:
        return false;
    }
}


/* Whether a permission or examples begin with token i. */

static bool
judge_require_allows(const judge_require_reader_t *r, size_t i)
{
    const judge_require_token_t  *t = &r->tokens[i];

    return t->kind == JR_FORM || (t->kind == JR_SPEAKER && t->name[0])
           || (t->kind == JR_EXAMPLE
               && (!t->name[0]
                   || judge_require_at(r, i + 1, JR_LITERAL | JR_NUMBER)));
}


/* The kinds of n tokens. */

static uint64_t
judge_require_kinds(const judge_require_token_t *tokens, size_t n)
{
    uint64_t  kinds = 0;

    while (n) {
        kinds |= tokens[--n].kind;
    }

    return kinds;
}


bool
judge_require_remark(judge_require_reader_t *r, judge_str_t s, size_t from,
    const judge_require_token_t *subject, size_t n)
{
    bool                          negates, open, idle, bars, same, found;
    size_t                        i, begin = judge_require_from(r, s, from);
    uint64_t                      told;
    const judge_require_token_t  *t = &r->tokens[from];

    if (from >= r->n || judge_require_finds(r, r->judgement, s, begin)
        || judge_require_finds(r, r->asks, s, begin))
    {
        return false;
    }

    negates = judge_require_kinds(t, r->n - from) & JR_NEGATIONS;
    open = judge_require_kinds(t, r->n - from) & JR_ALLOWED;
    told = JR_THING | JR_LITERAL | JR_LANGUAGE
           | (judge_require_kinds(subject, n) & JR_NUMBER ? JR_NUMBER
              : JR_UNIT);

    if (open && (judge_require_kinds(subject, n) & JR_NEGATIONS)) {
        return false;                  /* "No digits. Years are fine." */
    }

    if ((told & JR_NUMBER)
        && judge_require_skip(r, from, JR_JOINTS | JR_NEGATIONS | JR_NUMBER)
           == r->n)
    {
        return true;                   /* "Not three and not five." */
    }

    open = open && !negates;
    idle = open || judge_require_states(r, s, from);

    for (i = from, bars = found = false; i < r->n; i++, t++) {
        if (i > from && t->kind == JR_REASON) {
            break;
        }

        same = judge_require_repeats(r, s, i, from, subject, n);
        open = open || (judge_require_allows(r, i) && !negates);
        idle = idle || judge_require_allows(r, i) || t->kind == JR_SPEAKER
               || strcmp(t->name, "world") == 0;
        bars = bars || judge_require_bars(r, i, i == from, negates);

        if ((t->kind & (JR_ASKED | JR_NUMBER | JR_EDGES | JR_FIRST | JR_EXACT))
            && !same && !open && !judge_require_named(t)
            && strcmp(t->name, "them") != 0)
        {
            return false;
        }

        found = found || (from == 0 && same && (t->kind & told));
    }

    return found || (idle && !bars);
}


bool
judge_require_restates(judge_require_t *q, judge_str_t s)
{
    q->r.language = q->spoken;

    return q->nsubject > 0 && judge_require_read(&q->r, s) == JUDGE_OK
           && judge_require_remark(&q->r, s, 0, q->subject, q->nsubject);
}
