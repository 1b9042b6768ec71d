/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Tokens of a sentence that ask for nothing: reasons, remarks, examples, the
 * kind of text it is for; and sentences that explain what a name asks for. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"
#include "analysis/text/char.h"
#include "analysis/text/words.h"


static bool
judge_require_mark(const judge_require_token_t *t, char mark)
{
    return t->kind == ',' && t->text.data[0] == mark;
}


static void
judge_require_cut(judge_require_reader_t *r, size_t from, size_t to)
{
    memmove(r->tokens + from, r->tokens + to,
            (r->n - to) * sizeof(judge_require_token_t));
    r->n -= to - from;
}


/* Whether all tokens up to the mark (0: all to the last) are of the kinds, or,
 * with `these` false, none of them is; *end: the token after the mark. */

static bool
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


/* Whether the tokens from `from` to `to` may require something: they have a
 * target, judge, or, where the subject may be the text, have a limit or a
 * condition, or begin with a negation. */

static bool
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

static bool
judge_require_reason(judge_require_reader_t *r, judge_str_t s, size_t i)
{
    size_t                        end;
    const judge_require_token_t  *t = &r->tokens[i];

    return t->kind == 'R'
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
} judge_require_manner_t;


static judge_require_manner_t
judge_require_manner(const judge_require_reader_t *r, size_t from)
{
    size_t                        i;
    judge_require_manner_t        m = { false, false, false, false, false };
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
        m.speaks = m.speaks
                   || (i == from && (t->kind == 'S'
                                     || (t->kind == 'R' && t->name[0])));
    }

    m.allows = m.allows || (m.may && !m.negates);

    return m;
}


/* Whether token i of a remark asks for something that was not said. */

static bool
judge_require_adds(const judge_require_reader_t *r, size_t i, bool first,
    bool said, const judge_require_manner_t *m)
{
    bool                          allowed = m->allows && !m->negates;
    const judge_require_token_t  *t = &r->tokens[i];
    char                          next = i + 1 < r->n ? t[1].kind : '.';

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
        return !m->speaks && next == '?' && (first || t[-1].kind != 'S');

    case 'E':
        return !allowed;

    case '#':
        return !said && !allowed
               && (strchr("@%i", next)
                   || (!first && strchr("XxLl", t[-1].kind)));

    case '=':
        return !said && !allowed && (!t->name[0] || m->names)
               && !(m->allows && t->n);

    default:
        return strchr("AZfG%@i", t->kind) && !said && !allowed;
    }
}


/*
 * Whether the tokens from `from` on ask for nothing that `said` does not ask
 * for: they are a reason, an example, a permission or what "we" say, and have
 * neither an obligation nor a new target, limit or quality.
 */

static bool
judge_require_remark(judge_require_reader_t *r, judge_str_t s, size_t from,
    const judge_require_token_t *said, size_t n)
{
    size_t                        i, begin;
    judge_require_manner_t        m;
    const judge_require_token_t  *t = &r->tokens[from];

    if (from >= r->n || n == 0) {
        return false;
    }

    if (judge_require_until(r, from, '\0', "Nn#,&/b", true, &i)
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


/* Whether the expression fits what stands before token i. */

static bool
judge_require_before(judge_require_reader_t *r, judge_regex_t *regex,
    judge_str_t s, size_t i)
{
    return judge_require_finds(r, regex, (judge_str_t) {
               (size_t) (r->tokens[i].text.data - s.data), s.data }, 0);
}


/* "It has an email": an address, not the kind of text. */

static bool
judge_require_address(judge_require_reader_t *r, judge_str_t s, size_t i)
{
    const judge_require_token_t  *t = &r->tokens[i];

    return t->kind == 'U' && t->name[0] && i > 0
           && !judge_require_before(r, r->place, s, i)
           && (strchr("hr", t[-1].kind)
               || (i > 1 && t[-1].kind == 'a' && strchr("hr", t[-2].kind)));
}


/* The end of the kind of text that is named from token i on, behind "each"; i:
 * there is none. */

static size_t
judge_require_kind_of(judge_require_reader_t *r, judge_str_t s, size_t i)
{
    size_t                        k, from = i + (r->tokens[i].kind == 'P');
    judge_str_t                   to;
    const judge_require_token_t  *t = &r->tokens[from], *last;

    if (from < r->n && t->kind == 'U'
        && (from == i || judge_require_before(r, r->place, s, from)))
    {
        return from + 1;
    }

    for (k = from; k < r->n && r->tokens[k].kind == '?'; k++) {
        /* void */
    }

    last = &r->tokens[k > from ? k - 1 : i];
    to = (judge_str_t) { (size_t) (last->text.data + last->text.len - s.data),
                         s.data };

    if (k == from || k > from + 2            /* Spanish "no" is no place */
        || (from == i && i > 0 && t[-1].kind == 'N'
            && t->text.data < t[-1].text.data + t[-1].text.len + 2)
        || judge_require_finds(r, r->judgement, to,
                               (size_t) (t->text.data - s.data))
        || !judge_require_before(r, r->place, s, from))
    {
        return i;
    }

    return k;
}


/* Drops the kind of text that a requirement is for: "in the newsletter", "per
 * post".  Parts of a text are words of the table. */

static void
judge_require_places(judge_require_reader_t *r, judge_str_t s)
{
    size_t                  i, k;
    judge_require_token_t  *t;

    for (i = 0; i < r->n; i++) {
        t = &r->tokens[i];
        t->kind = judge_require_address(r, s, i) ? '%' : t->kind;

        if (i > 1 && i + 1 == r->n && t->kind == 'U' && t[-1].kind == 'N') {
            t->kind = '?';             /* "no question without an answer" */
            return;
        }

        k = judge_require_kind_of(r, s, i);
        if (k == i) {
            continue;
        }

        while (k < r->n && (r->tokens[k].kind == '?'
                            || (r->tokens[k].kind == '='
                                && r->tokens[k].name[0]))
               && judge_require_before(r, r->of, s, k))
        {
            k++;                       /* "of the town hall" */
        }

        /* "under each post" */
        i -= k > i && i > 0 && r->tokens[i - 1].kind == 'x';
        judge_require_cut(r, i, k);
        i--;
    }
}


/* Drops "customer's" in "the customer's name", and the brackets of "(8
 * digits)". */

static void
judge_require_joins(judge_require_reader_t *r)
{
    size_t                        i;
    const judge_require_token_t  *t;

    for (i = 0; i + 1 < r->n; i++) {
        t = &r->tokens[i];

        if (judge_require_mark(t, '.')) {
            judge_require_cut(r, i, i + 1);        /* "Tel." */

        } else if (t->kind == '?' && strchr("wf", t[1].kind) && t->text.len > 2
            && t->text.data[t->text.len - 1] == 's'
            && !judge_ascii_letter(t->text.data[t->text.len - 2]))
        {
            judge_require_cut(r, i, i + 1);

        } else if (i + 3 < r->n && judge_require_mark(t, '(')
                   && t[1].kind == '#' && strcmp(t[2].name, "digit") == 0
                   && judge_require_mark(&t[3], ')'))
        {
            judge_require_cut(r, i + 3, i + 4);
            judge_require_cut(r, i, i + 1);
        }
    }
}


static bool
judge_require_digit(judge_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len && !judge_ascii_digit(s.data[i]); i++) {
        /* void */
    }

    return i < s.len;
}


/* Joins an example of a form to one token: "in the form AB-1234", of reference
 * numbers "e.g. AB 12/34" as well; what follows it only explains it. */

static bool
judge_require_shaped(judge_require_reader_t *r)
{
    bool                    reference;
    size_t                  i, k, digits;
    judge_require_token_t  *t;

    for (i = 0, reference = r->reference; i < r->n; i++) {
        reference = reference || strcmp(r->tokens[i].name, "reference") == 0;
    }

    for (i = 0; i < r->n; i++) {
        if (r->tokens[i].kind != 'F'
            && !(reference && r->tokens[i].kind == 'e'))
        {
            continue;
        }

        if (i + 1 < r->n && judge_require_mark(&r->tokens[i + 1], ':')) {
            judge_require_cut(r, i + 1, i + 2);
        }

        for (k = i + 1, digits = 0; k < r->n
             && strchr("=#?-", r->tokens[k].kind); k++)
        {
            digits += judge_require_digit(r->tokens[k].text);
        }

        t = &r->tokens[i + 1];
        if (digits == 0 || t->kind == '?') {
            if (r->tokens[i].kind == 'F') {
                judge_require_cut(r, i, i + 1);
            }
            continue;
        }

        t->text.len = (size_t) (r->tokens[k - 1].text.data
                                + r->tokens[k - 1].text.len - t->text.data);
        t->kind = '~';
        r->n = i + 2;
        judge_require_cut(r, i, i + 1);

        return true;
    }

    return false;
}


void
judge_require_trim(judge_require_reader_t *r, judge_str_t s, bool aside)
{
    bool    shaped;
    size_t  i, end;

    end = r->n;
    judge_require_places(r, s);
    if (end > 0 && r->n == 0) {
        r->tokens[r->n++].kind = '?';
    }

    judge_require_joins(r);
    shaped = judge_require_shaped(r);

    for (i = 0; (aside || shaped) && i < r->n; i++) {
        if (judge_require_mark(&r->tokens[i], '(')
            && judge_require_until(r, i + 1, ')', "", false, &end)
            && (shaped || !judge_require_requires(r, s, i + 1, end - 1)
                || judge_require_until(r, i + 1, ')', "?pNXxLl", false, &end)))
        {
            judge_require_cut(r, i, end);
        }
    }

    if (judge_require_until(r, 0, ':', "?&vwSU", true, &end) && end < 8) {
        judge_require_cut(r, 0, end);
    }

    if (r->n && r->tokens[0].kind == 'R'
        && judge_require_until(r, 0, ',', "", false, &end))
    {
        judge_require_cut(r, 0, end);
    }

    for (i = 0; i < r->n; i++) {
        if (judge_require_reason(r, s, i)
            || (i > 0 && strchr(",-", r->tokens[i].kind)
                && judge_require_remark(r, s, i + 1, r->tokens, i)))
        {
            r->n = i;                  /* a reason requires nothing */
        }
    }
}


/* --- A name and its description ------------------------------------------ */

static bool
judge_require_repeats(judge_require_t *q, judge_str_t s)
{
    bool                          same, found, title, counts;
    size_t                        i;
    const judge_require_token_t  *t;

    for (i = 0, title = false, counts = false; i < q->nsubject; i++) {
        title = title || strcmp(q->subject[i].name, "title") == 0;
        counts = counts || q->subject[i].kind == '#';
    }

    for (i = 0, found = false; i < q->r.n; i++) {
        t = &q->r.tokens[i];
        same = judge_require_said_by(t, q->subject, q->nsubject);

        /* "The title is the first line." */
        same = same || (title && t->kind == 'A'
                        && strcmp(t->name, "line") == 0);

        if (t->kind == 'K' || (q->bare && t->kind == 'N')
            || (strchr("AZfP#@%=G", t->kind) && !same)
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
               || (!q->bare
                   && judge_require_remark(&q->r, s, 0, q->subject,
                                           q->nsubject)));
}
