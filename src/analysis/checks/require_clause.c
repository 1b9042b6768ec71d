/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Turns a clause of a requirement into checks. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


static bool
judge_require_limit(judge_require_t *q, const judge_require_clause_t *c)
{
    int64_t      least, most;
    const char  *unit = c->units[0];

    if (!judge_require_bounds(c, &least, &most) || c->has['P'] > 1
        || c->has['o'] || c->has['t'] || c->has['i'] || c->has['K'])
    {
        return false;
    }

    if (c->has['@'] == 2) {            /* "no sentence over 20 words" */
        unit = strcmp(c->units[0], "sentences") == 0
               && strcmp(c->units[1], "words") == 0 ? "sentence_words"
               : strcmp(c->units[0], "lines") == 0
               && strcmp(c->units[1], "characters") == 0 ? "line_characters"
               : "";

        return unit[0] && least == 0
               && judge_require_add(q, "max_", unit, NULL, most);
    }

    return c->has['P'] == 0 && (least == 0
               || judge_require_add(q, "min_", unit, NULL, least))
           && (most == 0 || judge_require_add(q, "max_", unit, NULL, most));
}


/* That an expression matches so often; 0: no bound. */

static bool
judge_require_matches(judge_require_t *q, const char *pattern, int64_t least,
    int64_t most)
{
    static const char  form[] = "(?is)(?:(?:%s).*?){%d}";

    return pattern[0] && least <= 20 && most <= 20
           && (least == 0 || judge_require_add(q, "regex", "",
                   judge_str_printf(q->arena, form, pattern, (int) least).data,
                   0))
           && (most == 0 || judge_require_add(q, "not_regex", "",
                   judge_str_printf(q->arena, form, pattern,
                                    (int) most + 1).data, 0));
}


static bool
judge_require_thing(judge_require_t *q, const judge_require_clause_t *c,
    const char *name)
{
    bool                          counted;
    int64_t                       least, most;
    const char                   *type;
    const judge_require_thing_t  *t = judge_require_find(name);

    counted = t == NULL || strncmp(t->has, "has_", 4) == 0;

    if (c->ncounts && !(c->has['J'] && !counted)) {
        if (!judge_require_bounds(c, &least, &most) || c->or
            || (c->counts[0].m && strcmp(name, "numbered_list") == 0))
        {
            return false;              /* "numbered from 1 to 5" */
        }

        if (!counted) {
            return judge_require_matches(q, judge_require_pattern(q, name),
                                         least, most);
        }

        /* "one link" need not be the only one. */
        most = c->counts[0].n == 1 && c->counts[0].how == 0
               && !c->has['J'] && !c->has['E'] && !c->has['N']
               && !c->has['c'] ? 0 : most;
        name = t ? t->has + 4 : name;

        return (least == 0 || judge_require_add(q, "has_", name, NULL,
                                                most || least > 1 ? least : 0))
               && (most == 0 || judge_require_add(q, "no_", name, NULL,
                                                  most + 1));
    }

    type = c->has['N'] ? (t ? t->no : "no_") : t ? t->has : "has_";

    return type[0] != '-' && (c->has['N'] || !c->or)
           && !(c->has['J'] && counted)
           && judge_require_add(q, type, t ? "" : name,
                                strstr(type, "regex") || strstr(type, "exact")
                                ? t->value : NULL, 0);
}


/* How often a literal occurs, or that it occurs in the first lines. */

static bool
judge_require_often(judge_require_t *q, const judge_require_clause_t *c)
{
    int64_t      least, most;
    const char  *once = judge_require_regex(q, JUDGE_REQUIRE_LEFT,
                            c->literals, 1, JUDGE_REQUIRE_RIGHT);

    if (c->has['='] != 1 || c->has['%'] || c->has['K']
        || !judge_require_bounds(c, &least, &most))
    {
        return false;
    }

    if (c->has['f']) {                 /* "the first three lines" */
        return !c->has['N'] && c->has['@'] == 1 && most > 0
               && strcmp(c->units[0], "lines") == 0
               && judge_require_add(q, "regex", "", judge_str_printf(q->arena,
                      "^\\s*(?:.*\\n+){0,%d}.*%s", (int) most - 1, once).data,
                      0);
    }

    return judge_require_matches(q, once, least, most);
}


/* Literals that are names of keys or columns, or that just occur. */

static bool
judge_require_literals(judge_require_t *q, const judge_require_clause_t *c)
{
    bool         json = c->has['%'] && c->things[0][0] == 'j';
    size_t       i;
    const char  *no = c->has['N'] ? "not_" : "", *before, *after;

    before = !c->has['K'] ? JUDGE_REQUIRE_LEFT : json ? "\""
             : "(?m)(?:^|\\|)[ \\t*]*";
    after = !c->has['K'] ? JUDGE_REQUIRE_RIGHT : json ? "\"\\s*:"
             : "[ \\t*]*(?:\\||$)";

    if (c->has['o'] || c->has['t'] || c->has['f'] || c->ncounts) {
        return (c->has['o'] || c->has['t'] || c->has['f'])
               && judge_require_often(q, c);
    }

    if (c->has['J'] && !c->has['K']) { /* "only with yes or no" */
        return !c->has['K'] && !c->has['%']
               && judge_require_add(q, "", "regex", judge_require_regex(q,
                      "(?i)^\\W*(?:", c->literals, c->has['='], ")\\W*$"), 0);
    }

    if (c->has['V'] || (c->or && !c->has['N'])) {
        return !c->has['K'] && !c->has['%']
               && judge_require_add(q, no, "regex", judge_require_regex(q,
                      "(?i)(?<![\\p{L}\\p{N}])", c->literals, c->has['='],
                      ""), 0);
    }

    /* "ß", "%" are no words. */
    if (c->has['='] == 1 && !c->has['K']
        && ((c->literals[0].text.len < 5
             && (unsigned char) c->literals[0].text.data[0] >= 0x80)
            || (c->literals[0].text.len == 1
                && !judge_ascii_letter(c->literals[0].text.data[0]))))
    {
        return judge_require_add(q, no, "contains_exact",
                                 judge_require_literal(q, &c->literals[0]), 0);
    }

    for (i = 0; i < c->has['=']; i++) {
        if (!(c->has['K'] || c->has['W'] || c->literals[i].text.len < 4
              || (c->literals[i].n && !c->has['N'])
              ? judge_require_add(q, no, "regex", judge_require_regex(q,
                    before, &c->literals[i], 1, after), 0)
              : judge_require_add(q, no, "contains",
                    judge_require_literal(q, &c->literals[i]), 0)))
        {
            return false;
        }
    }

    return true;
}


/* Literals in their order: "A before B", "the headings A, B, C in this order".
 * The first of them may not be behind the second.  `before` and `after` them;
 * NULL: each is a word. */

static bool
judge_require_order(judge_require_t *q, judge_require_clause_t *c,
    const char *before, const char *after)
{
    size_t                  i;
    judge_buf_t             b;
    judge_require_token_t   last;

    before = before ? before : JUDGE_REQUIRE_LEFT;
    after = after ? after : JUDGE_REQUIRE_RIGHT;

    if (c->names['B'] && c->names['B'][0]) {
        last = c->literals[0];
        c->literals[0] = c->literals[1];
        c->literals[1] = last;
    }

    judge_buf_init(&b, q->arena);
    judge_buf_printf(&b, "(?ims)\\A(?>(?:(?!%s).)*?",
                     judge_require_regex(q, before, &c->literals[1], 1,
                                         after));

    for (i = 0; i < c->has['=']; i++) {
        judge_buf_printf(&b, "%s%s%s", i ? ".*?" : "",
                         judge_require_regex(q, before, &c->literals[i], 1,
                                             after), i ? "" : ")");
    }

    judge_buf_append(&b, "", 1);
    q->failed = q->failed || b.failed;

    return !b.failed && c->has['='] > 1 && !c->has['N'] && !c->or
           && judge_require_add(q, "", "regex", b.data, 0);
}


/* "In the form AB-1234": digits and letters stand for any. */

static bool
judge_require_shape(judge_require_t *q, const judge_require_clause_t *c)
{
    bool         mixed, letter, price;
    size_t       i;
    judge_buf_t  b;
    const char  *p;

    if (c->has['A'] || c->has['Z'] || c->has['@'] || c->has['=']
        || c->shape.len < 3)
    {
        return false;
    }

    for (i = 0, mixed = false, price = false; i < c->shape.len; i++) {
        p = c->shape.data + i;
        price = price || strchr("$\xe2\xc2", *p);     /* "12,90 €" */
        /* "XK4T9": there may be digits and letters in any place */
        mixed = mixed || (i > 0 && judge_ascii_digit(p[-1])
                          && judge_ascii_letter(*p));
    }

    judge_buf_init(&b, q->arena);
    judge_buf_printf(&b, "(?<![\\p{L}\\d])%s", mixed ? "(?=\\S*\\d)" : "");

    for (i = 0; i < c->shape.len; i++) {
        p = c->shape.data + i;
        letter = judge_ascii_letter(*p);
        if (price && judge_ascii_digit(*p)) {
            judge_buf_c(&b, i && judge_ascii_digit(p[-1]) ? "" : "\\d+");
            continue;
        }
        judge_buf_c(&b, mixed && (letter || judge_ascii_digit(*p))
                        ? "[\\p{L}\\d]"
                        : judge_ascii_digit(*p) ? "\\d"
                        : judge_ascii_upper(*p) ? "\\p{Lu}"
                        : letter ? "\\p{Ll}"
                        : (unsigned char) *p < 0x80 ? "\\" : "");
        judge_buf_append(&b, p, letter || judge_ascii_digit(*p) ? 0 : 1);
    }

    judge_buf_c(&b, "(?![\\p{L}\\d])");
    judge_buf_append(&b, "", 1);
    q->failed = q->failed || b.failed;

    return !b.failed
           && judge_require_add(q, c->has['N'] ? "not_" : "", "regex", b.data,
                                0);
}


/* "A table with three columns": its line of dashes has as many. */

static bool
judge_require_columns(judge_require_t *q, const judge_require_clause_t *c)
{
    int64_t  least, most;

    return c->has['%'] == 1 && strcmp(c->things[0], "table") == 0
           && judge_require_bounds(c, &least, &most) && least <= 100
           && most <= 100
           && judge_require_add(q, "", "regex", judge_str_printf(q->arena,
                  "(?m)^[ \\t]*\\|?(?:[ \\t]*:?-+:?[ \\t]*(?:\\||$)){%d,%d}"
                  "[ \\t]*$", (int) (least ? least : 1),
                  (int) (most ? most : 100)).data, 0);
}


/* A number of so many digits. */

static bool
judge_require_digits(judge_require_t *q, const judge_require_clause_t *c)
{
    int64_t  most = c->counts[0].m ? c->counts[0].m : c->counts[0].n;

    return most <= 40
           && judge_require_add(q, c->has['N'] ? "not_" : "", "regex",
                  judge_str_printf(q->arena,
                      "(?<!\\d)(?:\\d[ ./-]?){%d,%d}(?<=\\d)(?!\\d)",
                      (int) c->counts[0].n, (int) most).data, 0);
}


/* "With the headings A, B and C": each in a line of its own. */

static bool
judge_require_headings(judge_require_t *q, judge_require_clause_t *c)
{
    size_t  i;

    static const char  before[] = "(?im)^[ \\t]*(?:#{1,6}[ \\t]+|\\*\\*)?";
    static const char  after[] = "[ \\t*:]*$";

    if (c->ncounts && (c->ncounts > 1 || c->counts[0].how
                       || c->counts[0].n != c->has['=']))
    {
        return false;
    }

    if (c->has['O']) {
        return judge_require_order(q, c, before, after);
    }

    for (i = 0; i < c->has['=']; i++) {
        if (!judge_require_add(q, "", "regex",
                 judge_require_regex(q, before, &c->literals[i], 1, after),
                 0))
        {
            return false;
        }
    }

    return !c->or;
}


/* Its things, of which one may be the form of another: "a date in ISO". */

static bool
judge_require_things_of(judge_require_t *q, const judge_require_clause_t *c)
{
    bool    form;
    size_t  i;

    for (i = 0, form = false; i < c->has['%']; i++) {
        form = form || (judge_require_form(c->things[i])
                        && strcmp(c->things[i], "date") != 0);
    }

    /* "Dates in ISO format": no date is written otherwise. */
    if (form && c->plural && c->has['%'] == 2 && !c->has['N']
        && (strcmp(c->things[0], "date") == 0
            || strcmp(c->things[1], "date") == 0)
        && !judge_require_add(q, "not_", "regex",
                strstr("iso", c->things[strcmp(c->things[0], "date") == 0])
                ? "(?<!\\d)\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}(?!\\d)"
                : "(?<!\\d)\\d{4}-\\d\\d?-\\d\\d?(?!\\d)", 0))
    {
        return false;
    }

    for (i = 0; i < c->has['%']; i++) {
        if (!(form && strstr("date time price number phone", c->things[i]))
            && !judge_require_thing(q, c, c->things[i]))
        {
            return false;
        }
    }

    return true;
}


/* Things and literals that have to be present, or absent. */

static bool
judge_require_content(judge_require_t *q, judge_require_clause_t *c)
{
    if (c->has['K'] || c->has['i']) {  /* a list of five points */
        c->ncounts = c->has['K'] && c->ncounts == 1
                     && c->counts[0].n == c->has['='] ? 0 : c->ncounts;
        if (c->has['K'] && c->ncounts && !c->has['=']) {
            return judge_require_columns(q, c);
        }
        if (c->has['%'] != 1 || (c->has['K'] && c->has['='] == 0)
            || (c->has['i'] && strstr(c->things[0], "list") == NULL))
        {
            return false;
        }

    } else if (c->has['='] && c->has['%'] == 1 && !c->has['N']) {
        if (strcmp(c->things[0], "heading") == 0) {
            return judge_require_headings(q, c);
        }
        if (strcmp(c->things[0], "title") == 0) {
            return false;
        }
    }

    /* "a phone number of ten digits" */
    if (c->has['%'] == 2 && c->ncounts == 1 && !c->counts[0].how
        && strcmp(c->things[1], "digit") == 0 && !c->has['=']
        && strstr("phone reference number", c->things[0]))
    {
        return judge_require_digits(q, c);
    }

    /* "the text 'Keep cold' in capitals": not all of it is. */
    if (c->has['='] && c->has['%']
        && strstr("caps lower bold", c->things[0]))
    {
        return false;
    }

    return (c->has['%'] || c->has['=']) && judge_require_things_of(q, c)
           && (c->has['='] == 0 || judge_require_literals(q, c));
}


/* Whether it names a format, which needs no verb: "JSON", "dates in ISO". */

static bool
judge_require_format(const judge_require_clause_t *c)
{
    size_t  i;

    for (i = 0; i < c->has['%']; i++) {
        if (strstr("json xml yaml csv lower caps iso table plain h24"
                   " numbered_list dmy cents eur gbp usd brl first_person"
                   " second_person passive",
                   c->things[i]))
        {
            return true;
        }
    }

    return false;
}


/* "Only a link": an article may count; the title is the first line. */

static void
judge_require_complete(judge_require_clause_t *c)
{
    size_t  i;

    if ((c->has['J'] || c->has['E'] || c->names['X']) && c->has['a']
        && c->ncounts == 0)
    {
        c->counts[c->ncounts++] = (judge_require_count_t) {
            c->names['X'] ? c->names['X'][0] : 0, 1, 0 };
        c->names['X'] = NULL;
    }

    /* "No words in all caps" */
    if (c->has['@'] == 1 && c->ncounts == 0 && c->has['%'] == 1
        && strcmp(c->units[0], "words") == 0
        && strcmp(c->things[0], "caps") == 0)
    {
        c->has['@'] = 0;
    }

    c->has['v'] = judge_require_format(c) ? 0 : c->has['v'];

    if (c->has['v'] && c->has['='] && c->has['c'] && !c->has['%']) {
        c->has['v'] = 0;               /* "you may write 'thanks'" */
        c->has['h']++;
    }

    if (c->has['='] && c->has['%'] == 1 && !c->has['N'] && !c->has['K']
        && strstr("phone price date number percentage email iso hashtag"
                  " reference link greeting sign_off", c->things[0]))
    {
        c->has['%'] = 0;               /* "the price of $49" */
    }

    for (i = 0; i < c->has['%']; i++) {
        if (strcmp(c->things[i], "title") == 0 && !c->has['Z']
            && c->has['%'] + c->has['@'] + c->has['='] > 1)
        {
            c->things[i] = c->things[--c->has['%']];
            c->names['A'] = "title";
            c->has['A']++;
            break;
        }
    }
}


/* Whether parts of a clause contradict each other, or lack what they need. */

static bool
judge_require_unclear(const judge_require_t *q,
    const judge_require_clause_t *c)
{
    /* Spanish negates twice ("no … ningún"), as do French, Portuguese. */
    return (c->has['N'] > 1 && q->r.language < 2)
           || (c->has['r'] && c->has['N'])
           || (c->has['c'] && !c->has['N'] && !c->ncounts)
           || (c->has['J'] && (c->has['N']
                               || (c->has['='] && !c->has['Z'] && !c->has['K']
                                   && !(c->or || c->has['V']))))
           || (c->has['E'] && !c->ncounts && !c->has['a'] && !c->has['='])
           || (c->has['T'] && !(c->ncounts && c->counts[0].m))
           || ((c->has['f'] || c->has['W'] || c->has['V']) && !c->has['='])
           || (c->has['O'] && !(c->has['%'] && c->has['='] > 1))
           || (c->has['f'] && !c->has['@']);
}


/* Whether it is about each line, item or paragraph: "no paragraph of more than
 * 30 words", "paragraphs have at most three sentences". */

static bool
judge_require_parts_of(const judge_require_clause_t *c)
{
    return c->has['P'] == 1
           || (c->has['P'] == 0
               && ((c->has['N'] == 1 && c->has['i'])
                   || (c->has['@'] == 2 && c->ncounts == 1)));
}


/* "Phone number" as a name; "Price" is ambiguous. */

static bool
judge_require_bare(judge_require_t *q, const judge_require_clause_t *c)
{
    if (!q->name || q->nclauses > 1 || c->has['%'] != 1) {
        return false;
    }

    q->bare = strstr("link email phone emoji hashtag list code",
                     c->things[0]) != NULL;

    return q->bare;
}


bool
judge_require_clause(judge_require_t *q, judge_require_clause_t *c)
{
    if (c->shape.len) {
        return judge_require_shape(q, c);
    }

    judge_require_complete(c);

    if (c->has['B']) {
        return !c->has['%'] && !c->ncounts
               && (c->has['h'] || c->has['M']) && c->has['='] == 2
               && judge_require_order(q, c, NULL, NULL);
    }

    if (judge_require_parts_of(c) && judge_require_each(q, c)) {
        return true;
    }

    if (judge_require_unclear(q, c)) {
        return false;
    }

    if (c->has['G']) {
        return c->has['G'] == 1 && !c->has['%'] && !c->has['@']
               && !c->has['='] && !c->ncounts && !c->has['A'] && !c->has['Z']
               && judge_require_add(q, c->has['N'] ? "not_" : "", "language",
                                    c->names['G'], 0);
    }

    if (c->has['@'] && c->has['='] == 0 && !c->has['A']) {
        return !c->has['%'] && !c->has['Z'] && !c->has['f'] && !c->has['w']
               && judge_require_limit(q, c);
    }

    if (c->has['A'] || c->has['Z']) {
        return judge_require_place(q, c);
    }

    if (c->has['P']
        || (c->has['v'] && !c->has['J'] && (c->has['%'] || !c->has['N']))
        || (c->has['f'] == 0 && c->has['@'] > 1)
        || (c->has['w'] && c->has['='] == 0
            && !(c->names['w'][0] && c->has['%'])))
    {
        return false;
    }

    if (!c->has['h'] && !c->has['N'] && !c->ncounts && !c->has['r']
        && !(c->has['J'] && c->has['='])
        && !(c->names['w'] && c->names['w'][0])
        && !judge_require_format(c))
    {
        return judge_require_bare(q, c) && judge_require_content(q, c);
    }

    return judge_require_content(q, c);
}
