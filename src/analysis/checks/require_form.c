/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Rewrites the tokens of a sentence where several of them say one thing: an
 * example of a form, a prefix with digits, what a list is made of. */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/checks/require_table.h"


/* Writes a byte of a literal into a regular expression. */

static void
judge_require_plain(judge_buf_t *b, char c)
{
    judge_buf_c(b, strchr("\\^$.[]|()?*+{}-#&~", c) ? "\\" : "");
    judge_buf_append(b, &c, 1);
    judge_buf_c(b, c == ' ' ? "?" : "");
}


/* Counts the groups of three digits that follow position k of s, each after
 * the same mark: 2 of ".234.567,89". */

static size_t
judge_require_thousands(judge_str_t s, size_t k)
{
    char    mark = k < s.len ? s.data[k] : 0;
    size_t  n = 0;

    while ((mark == '.' || mark == ',') && k + 4 <= s.len
           && s.data[k] == mark && judge_ascii_digit(s.data[k + 1])
           && judge_ascii_digit(s.data[k + 2])
           && judge_ascii_digit(s.data[k + 3])
           && !(k + 4 < s.len && judge_ascii_digit(s.data[k + 4])))
    {
        k += 4;
        n++;
    }

    return n;
}


void
judge_require_written(judge_buf_t *b, judge_str_t s, char style)
{
    bool    first, hour = false;
    char    c;
    size_t  k, n, groups;

    for (k = 0, first = true; k < s.len; k += n) {
        for (n = 0; k + n < s.len && judge_ascii_digit(s.data[k + n]); n++) {
            /* void */
        }

        groups = style == 'p' && first && n > 0
                 ? judge_require_thousands(s, k + n) : 0;
        if (groups) {
            judge_buf_printf(b, "\\d{1,3}(?:\\%c\\d{3})*", s.data[k + n]);
            n += 4 * groups;
            first = false;
            continue;
        }

        if (n > 0) {
            judge_buf_printf(b, style == 'p' && first
                             ? "\\d+(?:[.,]\\d{3})*"
                             : n < 3 && first && k + n < s.len
                             && strchr(style == 'd' ? " " : " :h",
                                       s.data[k + n])
                             ? "\\d{1,2}" : "\\d{%d}", (int) n);
            first = false;
            continue;
        }

        while (style == 'd' && k + n < s.len
               && ((unsigned char) s.data[k + n] >= 0x80
                   || judge_ascii_letter(s.data[k + n])))
        {
            n++;
        }

        c = s.data[k];

        if (n > 2) {
            judge_buf_c(b, "\\p{L}+");           /* a month */
            continue;
        }

        n += n == 0;
        judge_buf_c(b, c == ' ' ? "[ \\x{A0}\\x{202F}]"
                       : style == 'c' && judge_ascii_upper(c) ? "[A-Z]"
                       : strchr("$.()[]+*?{}|^\\", c) ? "\\" : "");
        judge_buf_append(b, s.data + k, c == ' '
                         || (style == 'c' && judge_ascii_upper(c)) ? 0 : n);

        if (style == 't' && c == 'h' && k + n < s.len && !hour
            && k > 0 && !judge_ascii_letter(s.data[k - 1]))
        {
            judge_buf_c(b, "(?:");     /* "18 h" beside "9 h 30" */
            hour = true;
        }
    }

    judge_buf_c(b, hour ? ")?" : "");
}


char
judge_require_style(judge_require_t *q, judge_str_t s)
{
    size_t  i;

    for (i = 0; i < judge_require_styles_n; i++) {
        if (judge_require_finds(&q->r, q->styles[i], s, 0)) {
            return judge_require_styles[i].name[0];
        }
    }

    return 'c';
}


const char *
judge_require_regex(judge_require_t *q, const char *before,
    const judge_require_token_t *literals, size_t n, const char *after)
{
    size_t       i, k;
    judge_buf_t  b;
    judge_str_t  s;

    judge_buf_init(&b, q->arena);
    judge_buf_printf(&b, "%s(?:", before);

    for (i = 0; i < n; i++) {
        s = literals[i].text;
        judge_buf_c(&b, i ? "|" : "");

        if (strcmp(literals[i].name, "form") == 0) {
            judge_require_written(&b, s, judge_require_style(q, s));
            continue;
        }

        if (strcmp(literals[i].name, "http") == 0) {
            judge_buf_c(&b, "http://");
            continue;
        }

        for (k = 0; k < s.len; k++) {
            judge_require_plain(&b, s.data[k]);
        }

        if (strncmp(literals[i].name, "prefix", 6) == 0) {
            judge_buf_printf(&b, "%s\\d{%d}", literals[i].name + 6,
                             (int) literals[i].n);
        }
    }

    judge_buf_printf(&b, ")%s", after);
    judge_buf_append(&b, "", 1);
    q->failed = q->failed || b.failed;

    return b.failed ? "" : b.data;
}


const char *
judge_require_alone(judge_require_t *q, const judge_require_token_t *t)
{
    char  first = t->text.data[0], last = t->text.data[t->text.len - 1];

    /* A short word may begin a sentence; but "US", and German "Sie". */
    if (judge_utf8_length(t->text) < 4 && t->n == 0
        && !judge_require_sign(first) && !judge_require_sign(last)
        && !judge_ascii_upper(last) && !judge_require_named(t)
        && !(q->r.language == 1 && judge_ascii_upper(first)))
    {
        return judge_require_regex(q, JUDGE_REQUIRE_LEFT "(?i:", t, 1,
                                   ")" JUDGE_REQUIRE_RIGHT);
    }

    return judge_require_regex(q, judge_require_sign(first)
                               ? "" : JUDGE_REQUIRE_LEFT, t, 1,
                               judge_require_sign(last)
                               || strcmp(t->name, "http") == 0
                               ? "" : JUDGE_REQUIRE_RIGHT);
}


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
judge_require_labels(judge_require_reader_t *r)
{
    size_t                        i, k;
    const judge_require_token_t  *t;

    for (i = 0; i < r->n; i++) {
        t = &r->tokens[i];
        k = i + 1 + (i + 1 < r->n && t[1].text.data[0] == '=');

        if (strcmp(t->name, "line") == 0
            && judge_require_at(r, k, JR_NOUN | JR_PART | JR_THING)
            && (r->tokens[k].kind == JR_PART
                || strcmp(r->tokens[k].name, "title") == 0
                || (k + 1 < r->n && judge_require_mark(&r->tokens[k + 1],
                                                       ':'))))
        {
            judge_require_cut(r, i + 1, k + 1);
        }
    }
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
        placed = placed || (t[-1].kind & JR_EDGES);

        if (placed && judge_require_named(t)) {
            k = judge_require_skip(r, i + 1, JR_IDLES | JR_ARTICLE | JR_DASH
                                   | JR_NOUN | JR_PART);
            end = r->tokens[k - 1].text.data + r->tokens[k - 1].text.len;
            t->text.len = (size_t) (end - t->text.data);
            judge_require_cut(r, i + 1, k);
        }
    }
}


/* Whether the token before i only describes what the form at i shows. */

static bool
judge_require_described(const judge_require_reader_t *r, size_t i)
{
    const judge_require_token_t  *t = &r->tokens[i - 1];

    return (t->kind & (JR_DASH | JR_NOUN | JR_UNKNOWN))
           || (t->kind == JR_MARK && i > 1
               && (t[-1].kind & (JR_THING | JR_UNKNOWN)))
           || (t->kind == JR_THING && judge_require_form(t->name)
               && strcmp(t->name, "date") != 0);
}


/* Drops a quoted example of what has been asked for before it: "the word
 * 'refund' (for example 'We refund you')". */

static void
judge_require_illustrates(judge_require_reader_t *r)
{
    bool    asked = false;
    size_t  i, k, end;

    for (i = 0; i < r->n; i++) {
        asked = asked || (r->tokens[i].kind & (JR_LITERAL | JR_THING));

        if (!asked || r->tokens[i].kind != JR_EXAMPLE
            || r->tokens[i].name[0] != '\0')
        {
            continue;
        }

        k = judge_require_skip(r, i + 1, JR_ARTICLE | JR_MARK);

        for (end = i; judge_require_at(r, k, JR_LITERAL); /* void */) {
            end = k + 1;
            k = judge_require_skip(r, end, JR_AND | JR_MARK | JR_OR);
        }

        if (end > i) {
            k = judge_require_mark(&r->tokens[i - 1], '(') ? i - 1 : i;
            end += k < i && judge_require_at(r, end, JR_MARK);
            judge_require_cut(r, k, end);
            i = k - 1;
        }
    }
}


void
judge_require_alike_of(judge_require_reader_t *r)
{
    size_t                  i, k;
    judge_require_token_t  *t;

    judge_require_illustrates(r);

    for (i = 0; i + 1 < r->n; i++) {
        t = &r->tokens[i];

        if (!(t->kind == JR_FORM || (t->kind == JR_EXAMPLE && t->name[0])
              || (t->kind == JR_REASON && judge_require_mark(&t[1], ':'))))
        {
            continue;
        }

        /* "like this: 14h30" */
        k = judge_require_skip(r, i + 1, JR_MARK | JR_SPEAKER);

        if (!judge_require_at(r, k, JR_LITERAL)
            || !judge_require_digits(r->tokens[k].text))
        {
            if (i > 0 && (t[-1].kind & JR_NEGATIONS)) {
                t->kind = JR_ANY;      /* "nothing like 'Sure!'" */
            }
            continue;
        }

        r->tokens[k].name = "form";

        while (i > 0 && judge_require_described(r, i)) {
            i--;                       /* "a sum like $9.50" */
            k--;
            judge_require_cut(r, i, i + 1);
        }

        judge_require_cut(r, i, k);

        while (i + 2 < r->n && (t[1].kind & (JR_MARK | JR_OR))
               && t[2].kind == JR_LITERAL
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
         && ((r->tokens[k].kind & (JR_AND | JR_ANY | JR_ARTICLE | JR_BEGINS
                                   | JR_DASH | JR_HAS | JR_ITEM | JR_NUMBER
                                   | JR_UNIT | JR_UNKNOWN))
             || strcmp(r->tokens[k].name, "them") == 0); k++)
    {
        /* void */
    }

    if (k == r->n || r->tokens[k].kind != JR_THING
        || !strstr("hyphen asterisk dash", r->tokens[k].name))
    {
        return i;
    }

    /* "and a space" */
    return judge_require_skip(r, k + 1, JR_AND | JR_ARTICLE | JR_DASH
                              | JR_UNKNOWN);
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
        { "paragraphs", "blank" }, { "question", "question_mark" },
        { "bold", "asterisk" }
    };

    for (i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
        if ((whole->kind & (JR_THING | JR_UNIT)) && part->kind == JR_THING
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

        k = judge_require_skip(r, i + 1, JR_ARTICLE | JR_BEGINS | JR_DASH
                               | JR_EACH | JR_HAS | JR_RANGE);
        k -= k == r->n;
        k += judge_require_at(r, k, JR_UNKNOWN)
             && judge_require_at(r, k + 1, JR_THING | JR_HAS)
             && (!r->tokens[k].name[0] || r->tokens[k + 1].kind == JR_HAS);
        t = &r->tokens[k];
        part = t->name;

        listed = listed || (r->tokens[i].kind & (JR_ITEM | JR_THING));

        if (listed && t->kind == JR_UNIT && strcmp(part, "them") == 0) {
            judge_require_cut(r, k, k + 1);
            continue;                  /* "at most six of them" */
        }

        if (listed && r->tokens[i].kind == JR_EACH
            && (n = judge_require_marked(r, i)) > i)
        {
            i -= (r->tokens[i - 1].kind & (JR_AND | JR_DASH | JR_MARK)) != 0;
            judge_require_cut(r, i, n);
            i--;                       /* "each of them with a hyphen" */
            continue;
        }

        if (judge_require_consists(&r->tokens[i], t)) {
            r->tokens[i].name = strcmp(whole, "hyphen") == 0 ? "list" : whole;
            judge_require_cut(r, i + 1, k + 1
                              + judge_require_at(r, k + 1, JR_RANGE));
        }
    }
}


void
judge_require_single(judge_require_reader_t *r)
{
    size_t                  i, k;
    judge_require_token_t  *t;

    i = judge_require_skip(r, 0, ~(uint64_t) (JR_EACH | JR_HAS | JR_NEGATIONS
                                              | JR_UNIT));
    k = judge_require_skip(r, i + 1, JR_ARTICLE | JR_HAS | JR_LIMITS);
    t = &r->tokens[i];

    if (i > 1 && judge_require_at(r, i, JR_UNIT)
        && strstr("sentences paragraphs", t->name)
        && ((t[-1].kind & (JR_EXACT | JR_ONLY))
            || (t[-1].kind == JR_NUMBER && t[-1].n == 1
                && (t[-2].kind & (JR_EXACT | JR_ONLY))))
        && judge_require_at(r, k, JR_NUMBER)
        && judge_require_at(r, k + 1, JR_UNIT)
        && strstr("words characters", r->tokens[k + 1].name))
    {
        t[-2] = t[-1];
        t[-2].kind = JR_NUMBER;
        t[-2].n = 1;
        t[-1] = t[0];
        t[0].kind = JR_MARK;
        t[0].name = "";
    }
}


/* The token before i that says "every" of what i is about; i: none does. */

static size_t
judge_require_each(const judge_require_reader_t *r, size_t i)
{
    size_t  k;

    for (k = i; k > 0 && judge_require_at(r, k - 1, JR_ANY | JR_HAS | JR_NUMBER
                                          | JR_THING | JR_UNKNOWN); k--)
    {
        /* void */
    }

    return k > 0 && r->tokens[k - 1].kind == JR_EACH ? k - 1 : i;
}


void
judge_require_begun(judge_require_reader_t *r, judge_str_t s)
{
    bool                    placed;
    size_t                  i, k;
    judge_require_token_t  *t;

    for (i = 0, placed = false; i + 1 < r->n; i++) {
        t = &r->tokens[i];
        placed = !(t->kind & JR_JOINTS) && (placed || (t->kind & JR_EDGES));

        /* "every link begins with https": none begins with http */
        if (t->kind == JR_BEGINS && t[1].text.len >= 5
            && memcmp(t[1].text.data, "https", 5) == 0
            && (k = judge_require_each(r, i)) < i)
        {
            t[1].kind = JR_LITERAL;
            t[1].name = "http";
            r->tokens[k].kind = JR_NOT;
            judge_require_cut(r, k + 1, i + 1);
            continue;
        }

        if (!placed && i + 2 < r->n && t->kind == JR_THING
            && (t[1].kind & JR_EDGES) && t[2].kind == JR_LITERAL
            && strstr("link email phone hashtag number postcode iban price"
                      " reference", t->name))
        {
            t[2].name = "part";
            judge_require_cut(r, i, i + 2);

        } else if ((t->kind & JR_EDGES)
                   && judge_require_before(r, r->relative, s, i))
        {
            t->kind = JR_UNKNOWN;
            t->name = "changes";
        }
    }
}


void
judge_require_prefixes(judge_require_reader_t *r)
{
    size_t                  i, k;
    const char             *name;
    judge_require_token_t  *t;

    for (i = 0; i + 2 < r->n; i++) {
        t = &r->tokens[i];

        if (t->kind != JR_LITERAL) {
            continue;
        }

        name = "prefix";

        for (k = i + 1; k < r->n && k < i + 8
             && ((r->tokens[k].kind & (JR_AND | JR_ARTICLE | JR_DASH | JR_EXACT
                                       | JR_HAS | JR_MARK | JR_NOUN))
                 || (r->tokens[k].kind == JR_THING
                     && strcmp(r->tokens[k].name, "hyphen") == 0)
                 || (r->tokens[k].kind == JR_UNKNOWN
                     && !r->tokens[k].name[0])); k++)
        {
            name = strcmp(r->tokens[k].name, "hyphen") == 0
                   || r->tokens[k].kind == JR_DASH ? "prefix-"
                   : r->tokens[k].kind == JR_NOUN ? "prefix[ :]{0,2}" : name;
        }

        if (k == i + 1 || k + 1 >= r->n || r->tokens[k].kind != JR_NUMBER
            || r->tokens[k + 1].kind != JR_THING
            || strcmp(r->tokens[k + 1].name, "digit") != 0
            || r->tokens[k].n < 1 || r->tokens[k].n > 12)
        {
            continue;
        }

        if (!judge_require_digits(t->text)) {      /* but "A-12, two digits" */
            t->n = r->tokens[k].n;
            t->name = name;
        }

        judge_require_cut(r, i + 1, k + 2);
    }
}
