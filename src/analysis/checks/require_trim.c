/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Drops tokens of a sentence that change nothing of what it asks for: the kind
 * of text that it is for, examples, unknown words of its subject, reasons and
 * remarks; and tells sentences that only explain what a name asks for. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


/* --- Reasons and remarks ------------------------------------------------- */

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
 * target, or, where the subject may be the text, a limit or a condition, or
 * begin with a negation. */

static bool
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
        names = t->kind == '=' && t->name[0];    /* "we asked Anna" */

        if (strchr(kinds, t->kind) && !names) {
            return true;
        }
    }

    return false;
}


/* Whether a reason begins at token i: by a word like "because", or by a
 * subject other than the text ("No links, we print it"). */

static bool
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
    while (begin < s.len && !judge_ascii_letter(s.data[begin])
           && (unsigned char) s.data[begin] < 0x80)
    {
        begin++;
    }

    return t->text.data > s.data + begin && strchr("@%=", t->kind)
           && judge_require_definite(s, t->text.data, r->language);
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

    case 'U':                          /* but "sms gateways" */
        return first && !(next == '?' && t[1].text.data
                                         == t->text.data + t->text.len + 1);

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
        return !repeated && !allowed && (!t->name[0] || m->names)
               && !(m->allows && t->n && i >= m->since);

    default:
        return strchr("AZfG%@i", t->kind) && !repeated && !allowed;
    }
}


/*
 * Whether the tokens from `from` on (a reason, an example, a permission, what
 * "we" say) have no obligation and no target, limit or quality that is new.
 */

static bool
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
                judge_require_in_subject(&r->tokens[i], subject, n), &m))
        {
            return false;
        }
    }

    return true;
}


/* --- What is dropped ----------------------------------------------------- */

static void
judge_require_cut(judge_require_reader_t *r, size_t from, size_t to)
{
    memmove(r->tokens + from, r->tokens + to,
            (r->n - to) * sizeof(judge_require_token_t));
    r->n -= to - from;
}


/* Whether the expression fits what stands before token i. */

static bool
judge_require_before(judge_require_reader_t *r, judge_regex_t *regex,
    judge_str_t s, size_t i)
{
    return judge_require_finds(r, regex, (judge_str_t) {
               (size_t) (r->tokens[i].text.data - s.data), s.data }, 0);
}


static bool
judge_require_speaks(const judge_require_reader_t *r, size_t i, size_t k,
    const char *name)
{
    while (i < k && strcmp(r->tokens[i].name, name) != 0) {
        i++;
    }

    return i < k;
}


/* Whether one of the unknown words from token i to k may change what is asked
 * for ("roughly", "syllables") or asks for judgement. */

static bool
judge_require_matters(judge_require_reader_t *r, size_t i, size_t k)
{
    const judge_require_token_t  *t = r->tokens;

    if (judge_require_speaks(r, i, k, "changes")) {
        return true;
    }

    while (i < k && (t[i].kind != '?'
                     || !judge_require_finds(r, r->judgement, t[i].text, 0)))
    {
        i++;
    }

    return i < k;
}


/* The end of the unknown words and names that begin with token i. */

static size_t
judge_require_run(const judge_require_reader_t *r, size_t i)
{
    size_t  k;

    for (k = i; k < r->n; k++) {
        if (!(strchr("?SU", r->tokens[k].kind)
              || (k > i && r->tokens[k].kind == 'a')
              || (r->tokens[k].kind == '=' && r->tokens[k].name[0])))
        {
            break;
        }
    }

    return k;
}


/* The end of the place or the kind of text that is named from token i on,
 * behind "each" or "one"; i: there is none. */

static size_t
judge_require_kind_of(judge_require_reader_t *r, judge_str_t s, size_t i)
{
    size_t                        k, from;
    const judge_require_token_t  *t = &r->tokens[i];

    from = i + (t->kind == 'P' || (t->kind == '#' && t->n == 1
                                   && t->text.len > 2));

    if (from < r->n && r->tokens[from].kind == 'U' && t->kind != '#') {
        /* but "15 letters" */
        return i > 0 && t[-1].kind == '#' ? i : from + 1;
    }

    k = judge_require_run(r, from);

    return k == from || r->tokens[from].kind == '='
           || (k < r->n && strchr("@%i", r->tokens[k].kind)
               && r->tokens[k].text.data == r->tokens[k - 1].text.data
                  + r->tokens[k - 1].text.len + 1)
           || judge_require_matters(r, from, k)
           /* Spanish "no" is no place */
           || (from == i && i > 0 && t[-1].kind == 'N'
               && t->text.data < t[-1].text.data + t[-1].text.len + 2)
           || !judge_require_before(r, r->place, s, from)
           ? i : k;
}


/* Drops the kind of text that a requirement is for: "in the newsletter", "per
 * post".  Parts of a text are words of the table. */

static void
judge_require_places(judge_require_reader_t *r, judge_str_t s)
{
    size_t  i, k, end;

    for (i = 0; i < r->n; i++) {
        k = judge_require_kind_of(r, s, i);
        if (k == i) {
            continue;
        }

        while (k < r->n && judge_require_before(r, r->of, s, k)
               && (end = judge_require_run(r, k)) > k
               && !judge_require_matters(r, k, end))
        {
            k = end;                   /* "of the town hall" */
        }

        judge_require_cut(r, i, k);
        i--;
    }
}


/* Drops the points of abbreviations and hyphens, and "to" before a verb. */

static void
judge_require_joins(judge_require_reader_t *r)
{
    size_t                        i;
    const judge_require_token_t  *t;

    for (i = 0; i + 1 < r->n; i++) {
        t = &r->tokens[i];

        if (judge_require_mark(t, '.')
            || (t->kind == '-' && judge_ascii_letter(t->text.data[0])
                && (strchr("hlxXLNAZvrcM,", t[1].kind)
                    || (t[1].kind == '#'
                        && (i == 0 || !strchr("#@%=", t[-1].kind))))))
        {
            judge_require_cut(r, i, i + 1);        /* "Tel.", "not to" */

        }
    }
}


/* Drops examples of a thing: "a time like 09:00 or 17:30". */

static void
judge_require_examples(judge_require_reader_t *r)
{
    size_t  i, k;

    for (i = 1; i < r->n; i++) {
        if (r->tokens[i].kind != 'e' || (r->tokens[i - 1].kind != '%'
            && (i < 2 || !strchr(",-h", r->tokens[i - 1].kind)
                || r->tokens[i - 2].kind != '%')))
        {
            continue;
        }

        for (k = i + 1; k < r->n
             && (r->tokens[k].kind == '='
                 || (strchr("/,&", r->tokens[k].kind) && k > i + 1
                     && k + 1 < r->n && r->tokens[k + 1].kind == '=')); k++)
        {
            /* void */
        }

        if (k > i + 1) {
            judge_require_cut(r, i, k);
        }
    }
}


/* Whether the unknown words from token i to k stand before all that is asked
 * for, and don't belong to what is: they are its subject, or a verb. */

static bool
judge_require_leads(judge_require_reader_t *r, judge_str_t s, size_t i,
    size_t k)
{
    bool                          literal;
    const judge_require_token_t  *t = &r->tokens[i], *next = &r->tokens[k];

    if (k == r->n) {
        return false;
    }

    /* a noun before a literal: "the formula 'Yours sincerely'" */
    literal = next->kind == '=' && next->name[0] == '\0' && i + 1 == k
              && next->text.data < t->text.data + t->text.len + 8;

    if (literal || strchr("@%iKGfoQ,:=", next->kind)
        || judge_require_matters(r, i, k)
        || (next->kind == '-' && judge_ascii_letter(next->text.data[0]))
        || (i > 0 && t[-1].kind == 'N' && !strchr("cMrlx", next->kind)))
    {
        return literal;
    }

    return !strchr("#a", next->kind)
           || (i > 0 && strchr("Mr", t[-1].kind))
           || judge_require_finds(r, r->verb, (judge_str_t) {
                  (size_t) (next->text.data - s.data), s.data },
                  (size_t) (next[-1].text.data + next[-1].text.len - s.data));
}


/* Drops unknown words that change nothing of what is asked for, in clauses
 * that are parted by marks and conjunctions. */

static void
judge_require_rest(judge_require_reader_t *r, judge_str_t s)
{
    bool    asked;
    size_t  i, k;

    for (i = 0, asked = false; i < r->n; i++) {
        if (r->tokens[i].kind != '?') {
            asked = !strchr(",:&/b", r->tokens[i].kind)
                    && (asked || strchr("@%=Gi", r->tokens[i].kind));
            continue;
        }

        for (k = i + 1; k < r->n
             && (strchr("?SU", r->tokens[k].kind)
                 || (strchr("-a&", r->tokens[k].kind) && k + 1 < r->n
                     && r->tokens[k + 1].kind == '?')); k++)
        {
            /* void */
        }

        /* "Länger … darf die Ansage nicht sein" */
        if (asked ? r->language == 1 && k < r->n && strchr("MchN",
                        r->tokens[i - 1].kind) && strchr("NhAZ",
                        r->tokens[k].kind) && !judge_require_matters(r, i, k)
            : judge_require_leads(r, s, i, k))
        {
            judge_require_cut(r, i, k);
            i--;
        } else {
            i = k - 1;
        }
    }
}


/* Drops what stands first and only is why: "We print on A6, so …". */

static void
judge_require_cause(judge_require_reader_t *r)
{
    size_t  i, end;

    for (i = 0; i < r->n
         && (strchr("?SUwaMrchvNe", r->tokens[i].kind)
             || (strchr("=-", r->tokens[i].kind)
                 && judge_ascii_letter(r->tokens[i].text.data[0]))); i++)
    {
        /* void */
    }

    end = i;
    if (i + 1 < r->n && strchr(",-", r->tokens[i].kind)) {
        end++;
    }

    if (i > 0 && end + 1 < r->n && r->tokens[end].kind == 'R'
        && strcmp(r->tokens[end].name, "hence") == 0)
    {
        judge_require_cut(r, 0, end + 1);

    }
}


/* Where the reason that begins with token i ends: "…, and no links". */

static size_t
judge_require_resumes(const judge_require_reader_t *r, size_t i)
{
    size_t                        k, from;
    const judge_require_token_t  *t = r->tokens;

    for (k = i + 1; k + 2 < r->n && t[i].kind == 'R'; k++) {
        from = k + (strchr(",&b", t[k].kind) != NULL);
        from += from > k && strchr("&b", t[from].kind);

        if (from + 1 < r->n
            && from > k && strchr("NnXLEAZ", t[from].kind)
            && strchr("#a@%=", t[from + 1].kind))
        {
            return k;
        }
    }

    return r->n;
}


void
judge_require_trim(judge_require_reader_t *r, judge_str_t s, bool aside)
{
    size_t  i, end;

    end = r->n;
    judge_require_places(r, s);
    if (end > 0 && r->n == 0) {
        r->tokens[r->n++].kind = '?';
    }

    judge_require_joins(r);
    judge_require_examples(r);

    for (i = 0; aside && i < r->n; i++) {
        if (judge_require_mark(&r->tokens[i], '(')
            && judge_require_until(r, i + 1, ')', "", false, &end)
            && (!judge_require_requires(r, i + 1, end - 1)
                || judge_require_until(r, i + 1, ')', "pNXxLlEMhr@", false,
                                       &end)))
        {
            judge_require_cut(r, i, end);
        }
    }

    if (judge_require_until(r, 0, ':', "?&vwSUQ#f", true, &end) && end < 8) {
        judge_require_cut(r, 0, end);
    }

    judge_require_cause(r);

    for (i = 0; i < r->n; i++) {
        if (judge_require_reason(r, i)
            || (i > 0 && i + 1 < r->n && strchr(",-", r->tokens[i].kind)
                && !judge_require_mark(&r->tokens[i], '(')
                && !(r->tokens[i].kind == '-'
                     && r->tokens[i + 1].kind == '#')       /* "4 to 6" */
                && judge_require_remark(r, s, i + 1, r->tokens, i)))
        {
            judge_require_cut(r, i, judge_require_resumes(r, i));
        }
    }

    if (!r->strict) {
        judge_require_rest(r, s);
    }
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
               || judge_require_remark(&q->r, s, 0, q->subject,
                                       q->nsubject));
}
