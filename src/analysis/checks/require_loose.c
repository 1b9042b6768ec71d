/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Drops tokens of a sentence that change nothing of what it asks for: the kind
 * of text that it is for, examples, unknown words of its subject, reasons. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


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
    size_t                  i, k, end;
    judge_require_token_t  *t;

    for (i = 0; i < r->n; i++) {
        t = &r->tokens[i];
        t->kind = judge_require_address(r, s, i) ? '%' : t->kind;

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

        if (judge_require_speaks(r, i, k, "world")) {
            r->tokens[i++].kind = 'S';             /* "by the system" */
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

        } else if (t->kind == '-' && t[1].kind == '?' && i > 0
                   && t->text.data[0] == '-'
                   && t[1].text.data == t->text.data + 1)
        {
            r->tokens[i + 1].kind = judge_str_eq_c(t[1].text, "free") ? 'N'
                                    : '?';
            judge_require_cut(r, i, i + 1);        /* "emoji-free" */

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


/* Drops examples of a thing: "a time like 09:00 or 17:30". */

static void
judge_require_examples(judge_require_reader_t *r)
{
    size_t  i, k;

    for (i = 1; i < r->n; i++) {
        if (judge_require_mark(&r->tokens[i - 1], '(')
            && judge_require_until(r, i, ')', "NXxLlM", false, &k)
            && (r->tokens[i].kind == 'e'
                || (r->tokens[i].kind == '?' && r->tokens[i + 1].kind == 'e')))
        {
            judge_require_cut(r, i - 1, k);
            i--;
            continue;
        }

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
             && strchr("=#?-", r->tokens[k].kind)
             && (k == i + 1 || r->tokens[k].text.data
                 < r->tokens[k - 1].text.data + r->tokens[k - 1].text.len + 2);
             k++)
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
        judge_require_cut(r, i, i + 1);

        for (t = r->tokens + i; t > r->tokens; t--) {
            t[-1].kind = t[-1].kind == '?' ? 'S' : t[-1].kind;
        }

        while (k < r->n && !strchr("@%=#GN", r->tokens[k].kind)) {
            k++;                       /* what follows explains it */
        }
        r->n = k < r->n ? r->n : i + 1;

        return true;
    }

    return false;
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
                    && (asked || strchr("@%=G~i", r->tokens[i].kind));
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
judge_require_cause(judge_require_reader_t *r, judge_str_t s)
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

    } else if (end > i && r->tokens[0].kind == 'S'
               && !judge_require_finds(r, r->asks, (judge_str_t) {
                      (size_t) (r->tokens[i].text.data - s.data), s.data },
                      0))
    {
        judge_require_cut(r, 0, end);
    }
}


/* Whether the tokens from i to k have a quantity or a quotation, which may be
 * asked for. */

static bool
judge_require_counts(const judge_require_reader_t *r, size_t i, size_t k)
{
    const judge_require_token_t  *t = r->tokens;

    while (i < k && !(t[i].kind == '=' && t[i].name[0] == '\0')
           && !(t[i].kind == '#' && i + 1 < k && strchr("@%i", t[i + 1].kind)))
    {
        i++;
    }

    return i < k;
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
            && (from > k || t[k].kind == 'n'
                || judge_str_casestarts(t[k].text, JUDGE_STR("and ")))
            && strchr("NnXLEAZ", t[from].kind)
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
    bool    shaped;
    size_t  i, end;

    end = r->n;
    judge_require_places(r, s);
    if (end > 0 && r->n == 0) {
        r->tokens[r->n++].kind = '?';
    }

    judge_require_joins(r);
    shaped = judge_require_shaped(r);
    judge_require_examples(r);

    for (i = 0; (aside || shaped) && i < r->n; i++) {
        if (judge_require_mark(&r->tokens[i], '(')
            && judge_require_until(r, i + 1, ')', "", false, &end)
            && (shaped || !judge_require_requires(r, s, i + 1, end - 1)
                || judge_require_until(r, i + 1, ')', "pNXxLlEMhr@", false,
                                       &end)))
        {
            judge_require_cut(r, i, end);
        }
    }

    if (judge_require_until(r, 0, ':', "?&vwSUQ#f", true, &end) && end < 8) {
        judge_require_cut(r, 0, end);
    }

    if (r->n && r->tokens[0].kind == 'R'
        && judge_require_until(r, 0, ',', "", false, &end))
    {
        judge_require_cut(r, 0, end);
    }

    judge_require_cause(r, s);

    for (i = 0; i < r->n; i++) {
        if (judge_require_reason(r, s, i)
            || (i > 0 && i + 1 < r->n && strchr(",-", r->tokens[i].kind)
                && !judge_require_mark(&r->tokens[i], '(')
                && !(r->tokens[i].kind == '-'
                     && r->tokens[i + 1].kind == '#')       /* "4 to 6" */
                && judge_require_remark(r, s, i + 1, r->tokens, i)))
        {
            end = judge_require_resumes(r, i);

            if (r->tokens[i].kind != 'R'
                || !judge_require_counts(r, i + 1, end))
            {
                judge_require_cut(r, i, end);
            }
        }
    }

    if (!r->strict) {
        judge_require_rest(r, s);
    }
}
