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
    const char *kinds, bool these, size_t *end)
{
    size_t                        i;
    const judge_require_token_t  *t;

    for (i = from; i < r->n; i++) {
        t = &r->tokens[i];

        if (mark && judge_require_mark(t, mark)) {
            *end = i + 1;
            return true;
        }
        if ((strchr(kinds, t->kind) != NULL) != these) {
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
    const char                   *kinds;
    const judge_require_token_t  *t;

    for (i = from; i < to && strchr(",&/b-", r->tokens[i].kind); i++) {
        /* void */
    }

    kinds = i < to && r->tokens[i].kind == 'S' ? "MJ@%KG#="
            : "MrcXxLlEJ@%KGPAZp#=";

    if (i < to && strchr("Nhr", r->tokens[i].kind)) {
        return true;
    }

    for (i = from; i < to; i++) {
        t = &r->tokens[i];
        names = judge_require_named(t);           /* "we asked Anna" */

        if (strchr(kinds, t->kind) && !names) {
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

    return (t->kind == 'R'
            && !((i == 0 || strcmp(t->name, "hence") == 0)
                 && judge_require_requires(r, i + 1, r->n)))
           || (t->kind == 'S' && (i == 0 || strchr(",-", t[-1].kind))
               && !judge_require_requires(r, i, r->n));
}


/* Whether the token asks for the same as one of the subject's tokens. */

static bool
judge_require_in_subject(const judge_require_token_t *t,
    const judge_require_token_t *subject, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (t->kind == subject[i].kind
            && (strchr("AZ", t->kind)
                || (t->n == subject[i].n
                    && strcmp(t->name, subject[i].name) == 0
                    && (t->kind != '='
                        || judge_str_caseeq(t->text, subject[i].text)))))
        {
            return true;
        }
    }

    return false;
}


bool
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


/* What the whole of a remark shows, before each of its tokens is decided. */
typedef struct {
    bool  allows;                      /* it is an example or a permission */
    bool  may;                         /* it is a permission */
    bool  negates;
    bool  names;                       /* it says that something is there */
    bool  speaks;                      /* "we …", "otherwise …" */
    size_t  since;                     /* the token that shows that */
} judge_require_manner_t;


static judge_require_manner_t
judge_require_manner(const judge_require_reader_t *r, size_t from)
{
    size_t                        i;
    judge_require_manner_t        m = { .since = r->n };
    const judge_require_token_t  *t;

    for (i = from; i < r->n; i++) {
        t = &r->tokens[i];
        m.may = m.may || t->kind == 'c';
        m.allows = m.allows || t->kind == 'F'
                   || (t->kind == 'e'
                       && (!t->name[0]
                           || (i + 1 < r->n && strchr("=#", t[1].kind))))
                   || (t->kind == 'S' && t->name[0]);
        m.negates = m.negates || strchr("Nn", t->kind);
        m.names = m.names || t->kind == 'h';
        m.speaks = m.speaks || t->kind == 'S'
                   || strcmp(t->name, "world") == 0;
        m.since = m.since == r->n && (m.allows || m.speaks) ? i : m.since;
    }

    m.allows = m.allows || (m.may && !m.negates);

    return m;
}


/* Whether token i asks for what is new; `repeated`: the subject does too. */

static bool
judge_require_adds(const judge_require_reader_t *r, size_t i, bool first,
    bool repeated, const judge_require_manner_t *m)
{
    bool                          allowed;
    const judge_require_token_t  *t = &r->tokens[i];
    char                          next = i + 1 < r->n ? t[1].kind : '.';

    allowed = m->allows && !m->negates && (m->may || i >= m->since);

    switch (t->kind) {

    case 'r': case 'J': case 'P': case 'K': case 'Q':
        return true;

    case 'p':
        return !first;

    case 'U':
        return first;

    case '&':
        return next == 'a';            /* "and a joke" */

    case 'b':
        return m->negates;

    case 'M':                          /* "legal will be reading this" */
        return first || t->text.data[0] != 'w';

    case 'E':
        return !allowed;

    case '#':
        return !repeated && !allowed && strchr("@%iXxLlE", next);

    case '=':
        return !repeated && !allowed
               && (!judge_require_named(t) || m->names);

    default:
        return strchr("AZfG%@i", t->kind) && !repeated && !allowed;
    }
}


bool
judge_require_remark(judge_require_reader_t *r, judge_str_t s, size_t from,
    const judge_require_token_t *subject, size_t n)
{
    size_t                        i, k, begin;
    judge_require_manner_t        m;
    const judge_require_token_t  *t = &r->tokens[from];

    if (from >= r->n || n == 0) {
        return false;
    }

    for (i = from; i < r->n && r->tokens[i].kind != '#'; i++) {
        /* void */
    }

    /* "Bullet points: five." */
    for (k = 0; k < n && subject[k].kind != '#'; k++) {
        /* void */
    }

    if (k == n && i < r->n && (i == from || !strchr("Nn", t->kind))) {
        return false;
    }

    if ((i < r->n && judge_require_until(r, from, '\0', "Nn#,&/b", true, &i))
        || (from == 0
            && judge_require_until(r, 0, '\0', "#,&/MrhwUac", true, &i)))
    {
        return true;                   /* "Not three and not five." */
    }

    begin = from ? (size_t) (t[-1].text.data + t[-1].text.len - s.data) : 0;
    m = judge_require_manner(r, from);

    /* "No digits. Years are fine." */
    for (i = 0; i < n && !(m.may && strchr("Nn", subject[i].kind)); i++) {
        /* void */
    }

    if (i < n) {
        return false;
    }

    if ((!m.allows && t->kind == 'e')
        || judge_require_finds(r, r->judgement, s, begin)
        || judge_require_finds(r, r->asks, s, begin)
        || !(m.allows || m.speaks))
    {
        return false;
    }

    for (i = from; i < r->n && (i == from || r->tokens[i].kind != 'R'); i++) {
        if (judge_require_adds(r, i, i == from,
                judge_require_in_subject(&r->tokens[i], subject, n), &m))
        {
            return false;
        }
    }

    return true;
}


/* Whether the tokens from `from` on are a statement about something else ("…,
 * the screen is narrow"): they begin with an article or a possessive, and have
 * an unknown word and nothing that can be asked for. */

bool
judge_require_states(judge_require_reader_t *r, judge_str_t s, size_t from)
{
    size_t                        i, begin, unknown;
    judge_str_t                   word;
    const judge_require_token_t  *t = &r->tokens[from];

    static const char *const  anything[] = {
        "anything", "everything", "whatever", "nobody", "people", "readers",
        "alles", "niemand", "jeder", "Leute", "todo", "nadie", "tout",
        "personne", "tudo", "ninguém", NULL
    };

    begin = from ? (size_t) (t[-1].text.data + t[-1].text.len - s.data) : 0;

    while (begin < s.len && !judge_ascii_letter(s.data[begin])
           && (unsigned char) s.data[begin] < 0x80)
    {
        begin++;
    }

    for (i = begin; i < s.len && (judge_ascii_letter(s.data[i])
                                  || (unsigned char) s.data[i] >= 0x80); i++)
    {
        /* void */
    }

    word = (judge_str_t) { i - begin, s.data + begin };

    if (!(t->kind == 'S' && t->text.data == word.data)
        && !judge_str_caseamong(word, anything)
        && !judge_require_definite((judge_str_t) { i, s.data },
                                   s.data + i, r->language))
    {
        return false;
    }

    /* ", die den Text …" is a relative clause, ", die Tafel …" may be none */
    if (from && r->language == 1 && t->kind != 'S'
        && !(i + 1 < s.len && (judge_ascii_upper(s.data[i + 1])
                               || (unsigned char) s.data[i + 1] >= 0x80)))
    {
        return false;
    }

    for (i = from, unknown = 0; i < r->n; i++) {
        t = &r->tokens[i];

        if (!strchr("?SUachNnvebRBxlJ,/-&", t->kind)
            && !judge_require_named(t)
            && strcmp(t->name, "them") != 0)
        {
            return false;
        }

        unknown += t->kind == '?' || t->kind == '=';
    }

    return unknown > 0 && !judge_require_finds(r, r->judgement, s, begin)
           && !judge_require_finds(r, r->asks, s, begin);
}


static bool
judge_require_repeats(judge_require_t *q, judge_str_t s)
{
    bool                          same, found, counts;
    size_t                        i;
    const judge_require_token_t  *t;

    for (i = 0, counts = false; i < q->nsubject; i++) {
        counts = counts || q->subject[i].kind == '#';
    }

    for (i = 0, found = false; i < q->r.n; i++) {
        t = &q->r.tokens[i];
        same = judge_require_in_subject(t, q->subject, q->nsubject);

        if ((strchr("AZfP#@%=GE", t->kind) && !same)
            || (strchr("@%=", t->kind) && strcmp(t->name, "title") != 0
                && judge_require_definite(s, t->text.data, q->spoken)))
        {
            return false;
        }

        found = found || (same && strchr(counts ? "#%=G" : "@%=G", t->kind));
    }

    return found;
}


bool
judge_require_restates(judge_require_t *q, judge_str_t s)
{
    q->r.language = q->spoken;

    return q->nsubject > 0
           && !judge_require_finds(&q->r, q->r.judgement, s, 0)
           && !judge_require_finds(&q->r, q->r.asks, s, 0)
           && judge_require_read(&q->r, s) == JUDGE_OK
           && (judge_require_repeats(q, s)
               || judge_require_remark(&q->r, s, 0, q->subject, q->nsubject)
               || judge_require_states(&q->r, s, 0));
}
