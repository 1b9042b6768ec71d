/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reasons and remarks in a sentence, which ask for nothing, and sentences that
 * explain what a name asks for. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"
#include "analysis/text/char.h"
#include "analysis/text/words.h"


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
judge_require_requires(judge_require_reader_t *r, judge_str_t s, size_t from,
    size_t to)
{
    const char                   *kinds;
    bool                          names;
    size_t                        i, end;
    const judge_require_token_t  *t;

    for (i = from; i < to && strchr(",&/b-", r->tokens[i].kind); i++) {
        /* void */
    }

    kinds = i < to && r->tokens[i].kind == 'S' ? "MJ@%KG#=~"
            : "MrcXxLlEJ@%KGPAZp#=~";

    if (i < to && strchr("Nhr", r->tokens[i].kind)) {
        return true;
    }

    for (i = from; i < to; i++) {
        t = &r->tokens[i];
        names = t->kind == '=' && t->name[0];    /* "we asked Anna" */

        if (strchr(kinds, t->kind) && !names) {
            return true;
        }
    }

    end = to < r->n ? (size_t) (r->tokens[to].text.data - s.data) : s.len;

    return from < to
           && judge_require_finds(r, r->judgement,
                  (judge_str_t) { end, s.data },
                  (size_t) (r->tokens[from].text.data - s.data));
}


/* Whether a reason begins at token i: by a word like "because", or by a
 * subject other than the text ("No links, we print it"). */

bool
judge_require_reason(judge_require_reader_t *r, judge_str_t s, size_t i)
{
    size_t                        end;
    const judge_require_token_t  *t = &r->tokens[i];

    return (t->kind == 'R'
            && !((i == 0 || strcmp(t->name, "hence") == 0)
                 && judge_require_requires(r, s, i + 1, r->n)))
           || (t->kind == 'e' && t->name[0] == '\0'
               && judge_require_until(r, i + 1, '\0', "=,&/#", true, &end))
           || (t->kind == 'S' && (i == 0 || strchr(",-", t[-1].kind))
               && !judge_require_requires(r, s, i, r->n));
}


/* Whether one of the tokens `said` asks for the same as t. */

static bool
judge_require_said_by(const judge_require_token_t *t,
    const judge_require_token_t *said, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        if (t->kind == said[i].kind
            && (strchr("AZ", t->kind)
                || (t->n == said[i].n && strcmp(t->name, said[i].name) == 0
                    && (t->kind != '='
                        || judge_str_caseeq(t->text, said[i].text)))))
        {
            return true;
        }
    }

    return false;
}


/* "The link": a definite article marks a statement about what is required. */

static bool
judge_require_definite(judge_str_t s, const char *at, size_t language)
{
    const char   *p;
    judge_str_t   word;

    static const char *const  articles[][8] = {
        { "the", "this", "that", "these", "its", "their", "our", NULL },
        { "der", "die", "das", "den", "dem", "des", NULL },
        { "el", "la", "los", "las", "su", NULL },
        { "le", "la", "les", "sa", "son", NULL },
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


/* Whether the words at `begin` are no subject: a verb that has none, or the
 * thing that was asked for; `t` is the first of them that is a token. */

static bool
judge_require_orders(const judge_require_reader_t *r, judge_str_t s,
    size_t begin, const judge_require_token_t *t)
{
    judge_str_t   small;
    judge_word_t  word;

    while (begin < s.len && !judge_ascii_letter(s.data[begin])
           && (unsigned char) s.data[begin] < 0x80)
    {
        begin++;
    }

    if (t->text.data > s.data + begin) {
        return strchr("@%=", t->kind)
               && judge_require_definite(s, t->text.data, r->language);
    }

    if (t->kind != '?' || r->language > 0) {
        return strchr("hv", t->kind) != NULL;
    }

    small = judge_char_small(r->arena, t->text);
    if (small.data == NULL) {
        return true;
    }

    judge_word_know(small, judge_word_hash(small), &word);

    return (word.form & (JUDGE_W_VERB | JUDGE_W_VERB_S)) != 0;
}


/* What is said of a remark before its tokens are looked at one by one. */
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
                   || strcmp(t->name, "world") == 0
                   || (i == from && t->kind == 'R' && t->name[0]);
        m.since = m.since == r->n && (m.allows || m.speaks) ? i : m.since;
    }

    m.allows = m.allows || (m.may && !m.negates);

    return m;
}


/* Whether token i of a remark asks for something that was not said. */

static bool
judge_require_adds(const judge_require_reader_t *r, size_t i, bool first,
    bool said, const judge_require_manner_t *m)
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

    case 'U':                          /* but "sms gateways" */
        return first && !(next == '?' && t[1].text.data
                                         == t->text.data + t->text.len + 1);

    case '&':
        return next == 'a';            /* "and a joke" */

    case 'b':
        return m->negates;

    case ',':
        return judge_require_mark(t, '?');

    case 'M':                          /* "legal will be reading this" */
        return first || t->text.data[0] != 'w';

    case 'N': case 'n':
        return i < m->since;

    case 'E':
        return !allowed;

    case '#':
        return !said && !allowed
               && (strchr("@%iXxLlE", next)
                   || (!first && strchr("XxLl", t[-1].kind)));

    case '=':
        return !said && !allowed && (!t->name[0] || m->names)
               && !(m->allows && t->n && i >= m->since);

    default:
        return strchr("AZfG%@i", t->kind) && !said && !allowed;
    }
}


/*
 * Whether the tokens from `from` on ask for nothing that `said` does not ask
 * for: they are a reason, an example, a permission or what "we" say, and have
 * neither an obligation nor a new target, limit or quality.
 */

bool
judge_require_remark(judge_require_reader_t *r, judge_str_t s, size_t from,
    const judge_require_token_t *said, size_t n)
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
    for (k = 0; k < n && said[k].kind != '#'; k++) {
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
    for (i = 0; i < n && !(m.may && strchr("Nn", said[i].kind)); i++) {
        /* void */
    }

    if (i < n) {
        return false;
    }

    if ((!m.allows && (t->kind == 'e'
                       || judge_require_orders(r, s, begin, t)))
        || judge_require_finds(r, r->judgement, s, begin)
        || judge_require_finds(r, r->asks, s, begin)
        || !(m.allows || m.speaks))
    {
        return false;
    }

    for (i = from; i < r->n && (i == from || r->tokens[i].kind != 'R'); i++) {
        if (judge_require_adds(r, i, i == from,
                judge_require_said_by(&r->tokens[i], said, n), &m))
        {
            return false;
        }
    }

    return true;
}


/* --- A name and its description ------------------------------------------ */

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
        same = judge_require_said_by(t, q->subject, q->nsubject);

        if (strchr("KJpcQVB", t->kind) || (q->bare && strchr("N?", t->kind))
            || strcmp(t->name, "changes") == 0
            || (strchr("AZfP#@%=GE", t->kind) && !same)
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
    if (q->nsaid) {
        q->r.language = q->said_in;
        if (judge_require_read(&q->r, s) == JUDGE_OK
            && judge_require_remark(&q->r, s, 0, q->said, q->nsaid))
        {
            return true;
        }
    }

    q->r.language = q->spoken;

    return q->nsubject > 0
           && !judge_require_finds(&q->r, q->r.judgement, s, 0)
           && !judge_require_finds(&q->r, q->r.asks, s, 0)
           && judge_require_read(&q->r, s) == JUDGE_OK
           && (judge_require_repeats(q, s)
               || (!q->bare
                   && judge_require_remark(&q->r, s, 0, q->subject,
                                           q->nsubject)));
}
