/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Rewrites the tokens of a sentence where several of them say one thing: an
 * example of a form, a prefix with digits, what a list is made of. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


static bool
judge_require_digits(judge_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len && !judge_ascii_digit(s.data[i]); i++) {
        /* void */
    }

    return i < s.len;
}


void
judge_require_words_named(judge_require_reader_t *r)
{
    bool                    placed;
    size_t                  i, k;
    const char             *end;
    judge_require_token_t  *t;

    for (i = 1, placed = false; i < r->n; i++) {
        t = &r->tokens[i];
        placed = placed || strchr("AZ", t[-1].kind);

        if (placed && judge_require_named(t)) {
            for (k = i + 1; k < r->n && strchr("?-aQSUw", r->tokens[k].kind);
                 k++)
            {
                end = r->tokens[k].text.data + r->tokens[k].text.len;
                t->text.len = (size_t) (end - t->text.data);
            }

            judge_require_cut(r, i + 1, k);
        }
    }
}


/* Whether the token before i only describes what the form at i shows. */

static bool
judge_require_described(const judge_require_reader_t *r, size_t i)
{
    const judge_require_token_t  *t = &r->tokens[i - 1];

    return strchr("w-?", t->kind)
           || (t->kind == ',' && i > 1 && strchr("?%", t[-1].kind))
           || (t->kind == '%' && judge_require_form(t->name)
               && strcmp(t->name, "date") != 0);
}


void
judge_require_alike_of(judge_require_reader_t *r)
{
    size_t                  i, k;
    judge_require_token_t  *t;

    for (i = 0; i + 1 < r->n; i++) {
        t = &r->tokens[i];

        if (!(t->kind == 'F' || (t->kind == 'e' && t->name[0])
              || (t->kind == 'R' && judge_require_mark(&t[1], ':'))))
        {
            continue;
        }

        for (k = i + 1; k + 1 < r->n && strchr(",S", r->tokens[k].kind); k++) {
            /* "like this: 14h30" */
        }

        if (r->tokens[k].kind != '='
            || !judge_require_digits(r->tokens[k].text))
        {
            continue;
        }

        r->tokens[k].name = "form";

        while (i > 0 && judge_require_described(r, i)) {
            i--;                       /* "a sum like $9.50" */
            k--;
            judge_require_cut(r, i, i + 1);
        }

        judge_require_cut(r, i, k);

        while (i + 2 < r->n && strchr(",/", t[1].kind) && t[2].kind == '='
               && judge_require_digits(t[2].text))
        {
            judge_require_cut(r, i + 1, i + 3);
        }
    }
}


/* The end of what says that "each" item from token i on begins with a hyphen
 * or an asterisk; i: it does not. */

static size_t
judge_require_marked(const judge_require_reader_t *r, size_t i)
{
    size_t  k;

    for (k = i + 1; k < r->n && k < i + 9
         && (strchr("@#iVAha-&?", r->tokens[k].kind)
             || strcmp(r->tokens[k].name, "them") == 0); k++)
    {
        /* void */
    }

    if (k == r->n || r->tokens[k].kind != '%'
        || !strstr("hyphen asterisk dash", r->tokens[k].name))
    {
        return i;
    }

    for (k++; k < r->n && strchr("&a?-", r->tokens[k].kind); k++) {
        /* void */                     /* "and a space" */
    }

    return k;
}


/* Whether token k only says that the thing i is a sign: "the % sign", "the
 * slash character". */

static bool
judge_require_names_sign(const judge_require_reader_t *r, size_t i, size_t k)
{
    const judge_require_token_t  *t = &r->tokens[k];

    return r->tokens[i].kind == '%'
           && ((t->kind == 'w' && k == i + 1)
               || (t->kind == '@' && t[-1].kind != 'h'
                   && strcmp(t->name, "characters") == 0));
}


/* Whether a thing is made of another anyway. */

static bool
judge_require_consists(const judge_require_token_t *whole,
    const judge_require_token_t *part)
{
    size_t  i;

    static const char *const  made[][2] = {
        { "list", "hyphen" }, { "list", "asterisk" }, { "list", "dash" },
        { "list", "list" }, { "hyphen", "list" }, { "code", "fence" },
        { "paragraphs", "blank" }, { "question", "question_mark" }
    };

    for (i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
        if (strchr("%@", whole->kind) && part->kind == '%'
            && strcmp(whole->name, made[i][0]) == 0
            && strcmp(part->name, made[i][1]) == 0)
        {
            return true;
        }
    }

    return false;
}


void
judge_require_made_of(judge_require_reader_t *r)
{
    bool                          listed = false;
    size_t                        i, k, n;
    const char                   *whole, *part;
    const judge_require_token_t  *t;

    for (i = 0; i + 1 < r->n; i++) {
        whole = r->tokens[i].name;

        for (k = i + 1; k + 1 < r->n && strchr("haAPT-", r->tokens[k].kind);
             k++)
        {
            /* void */
        }

        k += k + 1 < r->n && r->tokens[k].kind == '?'
             && !r->tokens[k].name[0] && r->tokens[k + 1].kind == '%';
        k += k + 1 < r->n && r->tokens[k].kind == '?'
             && r->tokens[k + 1].kind == 'h';
        t = &r->tokens[k];
        part = t->name;

        if (judge_require_names_sign(r, i, k)) {
            judge_require_cut(r, i + 1, k + 1);
            continue;
        }

        listed = listed || strchr("%i", r->tokens[i].kind);

        if (listed && t->kind == '@' && strcmp(part, "them") == 0) {
            judge_require_cut(r, k, k + 1);
            continue;                  /* "at most six of them" */
        }

        if (listed && r->tokens[i].kind == 'P'
            && (n = judge_require_marked(r, i)) > i)
        {
            i -= strchr(",&-", r->tokens[i - 1].kind) != NULL;
            judge_require_cut(r, i, n);
            i--;                       /* "each of them with a hyphen" */
            continue;
        }

        if (judge_require_consists(&r->tokens[i], t)) {
            r->tokens[i].name = strcmp(whole, "hyphen") == 0 ? "list" : whole;
            judge_require_cut(r, i + 1, k + 1
                              + (k + 1 < r->n && t[1].kind == 'T'));
        }
    }
}


/* The token before i that says "every" of what i is about; i: none does. */

static size_t
judge_require_each(const judge_require_reader_t *r, size_t i)
{
    size_t  k;

    for (k = i; k > 0 && strchr("?%#hV", r->tokens[k - 1].kind); k--) {
        /* void */
    }

    return k > 0 && r->tokens[k - 1].kind == 'P' ? k - 1 : i;
}


void
judge_require_begun(judge_require_reader_t *r, judge_str_t s)
{
    bool                    placed;
    size_t                  i, k;
    judge_require_token_t  *t;

    for (i = 0, placed = false; i + 1 < r->n; i++) {
        t = &r->tokens[i];
        placed = !strchr(",&/b", t->kind) && (placed || strchr("AZ", t->kind));

        /* "every link begins with https": none begins with http */
        if (t->kind == 'A' && t[1].text.len >= 5
            && memcmp(t[1].text.data, "https", 5) == 0
            && (k = judge_require_each(r, i)) < i)
        {
            t[1].kind = '=';
            t[1].name = "http";
            r->tokens[k].kind = 'N';
            judge_require_cut(r, k + 1, i + 1);
            continue;
        }

        if (!placed && i + 2 < r->n && t->kind == '%'
            && strchr("AZ", t[1].kind) && t[2].kind == '='
            && strstr("link email phone hashtag number postcode iban price"
                      " reference", t->name))
        {
            t[2].name = "part";
            judge_require_cut(r, i, i + 2);

        } else if (strchr("AZ", t->kind)
                   && judge_require_before(r, r->relative, s, i))
        {
            t->kind = '?';
            t->name = "changes";
        }
    }
}


void
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

        for (k = i + 1; k < r->n && r->tokens[k].kind == '='; k++) {
            /* void */
        }

        if (k > i + 1) {
            judge_require_cut(r, i, k);
        }
    }
}


void
judge_require_prefixes(judge_require_reader_t *r)
{
    bool                    hyphen;
    size_t                  i, k;
    judge_require_token_t  *t;

    for (i = 0; i + 2 < r->n; i++) {
        t = &r->tokens[i];

        if (t->kind != '=') {
            continue;
        }

        hyphen = false;

        for (k = i + 1; k < r->n && k < i + 8
             && (strchr("-,&Eah", r->tokens[k].kind)
                 || (r->tokens[k].kind == '%'
                     && strcmp(r->tokens[k].name, "hyphen") == 0)
                 || (r->tokens[k].kind == '?'
                     && !r->tokens[k].name[0])); k++)
        {
            hyphen = hyphen || strcmp(r->tokens[k].name, "hyphen") == 0
                     || r->tokens[k].kind == '-';
        }

        if (k == i + 1 || k + 1 >= r->n || r->tokens[k].kind != '#'
            || r->tokens[k + 1].kind != '%'
            || strcmp(r->tokens[k + 1].name, "digit") != 0
            || r->tokens[k].n < 1 || r->tokens[k].n > 12)
        {
            continue;
        }

        if (!judge_require_digits(t->text)) {      /* but "A-12, two digits" */
            t->n = r->tokens[k].n;
            t->name = hyphen ? "prefix-" : "prefix";
        }

        judge_require_cut(r, i + 1, k + 2);
    }
}
