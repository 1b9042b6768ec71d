/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Turns a clause of a requirement into checks. */


#include <string.h>

#include "base/text/ascii.h"
#include "analysis/checks/require_table.h"


/* --- Checks -------------------------------------------------------------- */

static bool
judge_require_add(judge_require_t *q, const char *type, const char *name,
    const char *string, int64_t n)
{
    judge_json_t        *v;
    judge_check_sent_t  *c;

    if (q->n == JUDGE_REQUIRE_CHECKS) {
        return false;
    }

    if (string == NULL && (strstr(type, "regex") || strstr(name, "regex"))) {
        q->failed = true;              /* no memory for the expression */
        return false;
    }

    v = judge_calloc(q->arena, sizeof(judge_json_t));
    c = &q->checks[q->n++];
    memset(c, 0, sizeof(judge_check_sent_t));
    c->type = judge_str_printf(q->arena, "%s%s", type, name);
    c->origin = JUDGE_STR(JUDGE_CHECK_DESCRIPTION);

    if (v == NULL || c->type.data == NULL) {
        q->failed = true;
        return false;
    }

    v->type = string ? JUDGE_JSON_STRING : JUDGE_JSON_INTEGER;
    v->integer = n;
    v->string = string ? judge_str_c(string) : v->string;
    c->value = string || n ? v : NULL;

    return true;
}


/* A regular expression that matches any of the literals, between `before` and
 * `after`. */

static const char *
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

        for (k = 0; k < s.len; k++) {
            judge_buf_c(&b, strchr("\\^$.[]|()?*+{}-#&~", s.data[k])
                            ? "\\" : "");
            judge_buf_append(&b, s.data + k, 1);
            judge_buf_c(&b, s.data[k] == ' ' ? "?" : "");
        }
    }

    judge_buf_printf(&b, ")%s", after);
    judge_buf_append(&b, "", 1);
    q->failed = q->failed || b.failed;

    return b.failed ? "" : b.data;
}


static const char *
judge_require_literal(judge_require_t *q, const judge_require_token_t *t)
{
    return judge_str_dup(q->arena, judge_str_trim(t->text, ",")).data;
}


/* --- What a clause asks for ---------------------------------------------- */

/* The lower and the upper bound of a clause; 0: no bound.  False: unclear. */

static bool
judge_require_bounds(const judge_require_clause_t *c, int64_t *least,
    int64_t *most)
{
    char                          how;
    size_t                        i;
    const judge_require_count_t  *n;

    *least = 0;
    *most = 0;

    for (i = 0; i < c->ncounts; i++) {
        n = &c->counts[i];
        how = n->how;

        if (c->has['N']) {             /* "not more than" */
            how = how == 'l' ? 'X' : how == 'x' ? 'L' : '?';
            if (how == '?' || n->m) {
                return false;
            }
        }

        if ((how == 0 || n->m) && (c->ncounts > 1 || (how && n->m))) {
            return false;
        }

        if (how == 'L' || how == 'l' || how == 0) {
            *least = n->n + (how == 'l');
        }
        if (how == 'X' || how == 'x' || how == 0) {
            *most = n->m ? n->m : n->n - (how == 'x');
        }
    }

    return c->ncounts && *least >= 0 && *most >= 0 && (*least || *most)
           && !(c->ncounts == 2 && (*least == 0 || *most == 0))
           && !(*most && *least > *most)
           && !(c->has['c'] && !c->has['N']
                && (*most == 0 || c->counts[0].how == 'x'));
}


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


static const judge_require_thing_t *
judge_require_find(const char *name)
{
    size_t  i;

    for (i = 0; i < judge_require_things_n; i++) {
        if (strcmp(judge_require_things[i].name, name) == 0) {
            return &judge_require_things[i];
        }
    }

    return NULL;
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
            return least == 1 && most == 0
                   && judge_require_add(q, t->has, "", t->value, 0);
        }

        /* "one link" need not be the only one. */
        most = c->counts[0].n == 1 && c->counts[0].how == 0
               && !c->has['J'] && !c->has['E'] && !c->has['N'] ? 0 : most;
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


/* "The first line has at most eight words." */

static bool
judge_require_line(judge_require_t *q, const judge_require_clause_t *c)
{
    int64_t      least, most;
    const char  *unit = c->units[0];

    unit = strcmp(unit, "words") == 0 ? "(?:\\S++[ \\t]*+)"
           : strcmp(unit, "characters") == 0 ? "[^\\n]" : NULL;

    return unit && judge_require_bounds(c, &least, &most) && most > 0
           && most <= 1000
           && judge_require_add(q, "regex", "", judge_str_printf(q->arena,
                  "^\\s*%s{%d,%d}(?:\\n|$)", unit, (int) least,
                  (int) most).data, 0);
}


/* The expression that finds a thing; empty: there is none. */

static const char *
judge_require_pattern(judge_require_t *q, const char *name)
{
    judge_require_token_t         sign;
    const judge_require_thing_t  *t = judge_require_find(name);

    if (t == NULL || t->value[0] == '\0'
        || strcmp(t->has, "not_regex") == 0)
    {
        return "";
    }

    sign = (judge_require_token_t) { '=', "", judge_str_c(t->value), 0 };

    return strcmp(t->has, "contains_exact") == 0
           ? judge_require_regex(q, "", &sign, 1, "") : t->value;
}


/* What a clause names: literals, or one thing; empty: neither or both. */

static const char *
judge_require_named(judge_require_t *q, const judge_require_clause_t *c)
{
    return c->has['='] && !c->has['%']
           ? judge_require_regex(q, "", c->literals, c->has['='], "")
           : c->has['%'] == 1 && !c->has['=']
           ? judge_require_pattern(q, c->things[0]) : "";
}


/* "The headline has no question mark", "The title mentions Rome." */

static bool
judge_require_title(judge_require_t *q, const judge_require_clause_t *c)
{
    const char  *pattern = judge_require_named(q, c);

    return pattern[0] && !c->ncounts && !c->has['@'] && c->has['='] < 2
           && (c->has['N'] || strcmp(pattern, "\\p{Lu}") != 0)
           && judge_require_add(q, c->has['N'] ? "not_" : "", "regex",
                  judge_str_printf(q->arena, "^\\s*[^\\n]*?(?:%s)",
                                   pattern).data, 0);
}


/* The unit that "each" goes with: "lines", "list"; NULL: another one. */

static const char *
judge_require_whole(const judge_require_clause_t *c)
{
    size_t  i;

    for (i = 0; i < c->has['@']; i++) {
        if (strstr("paragraphs lines", c->units[i])) {
            return c->units[i];
        }
    }

    return c->has['i'] || (c->has['%'] && strstr(c->things[0], "list"))
           ? "list" : NULL;
}


/* "Each bullet point has at most eight words." */

static bool
judge_require_each_limit(judge_require_t *q, const judge_require_clause_t *c,
    const char *whole)
{
    size_t       i;
    int64_t      least, most;
    const char  *unit = c->units[0] == whole ? c->units[1] : c->units[0];

    static const struct {
        const char  *whole;
        const char  *unit;
        const char  *before;
        const char  *part;             /* a unit that another one follows */
    } all[] = {
        { "paragraphs", "words", "",
          "\\S++(?:[ \\t]*\\n(?!\\s*\\n)|[ \\t])[ \\t]*" },
        { "paragraphs", "sentences", "",
          "[^.!?…\\n]++(?:\\n(?!\\s*\\n)[^.!?…\\n]*+)*+[.!?…]+"
          "[\"'”»)]*(?:[ \\t]*\\n(?!\\s*\\n)|[ \\t])[ \\t]*" },
        { "lines", "words", "", "\\S++[ \\t]+" },
        { "list", "words", "(?m)^[ \\t]*(?:[-*+•–]|\\d+[.)])[ \\t]+",
          "\\S++[ \\t]+" }
    };

    if (!judge_require_bounds(c, &least, &most) || least || most == 0
        || c->has['@'] != (whole[1] == 'i' && whole[2] == 's' ? 1 : 2))
    {
        return false;
    }

    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (strcmp(all[i].whole, whole) == 0
            && strcmp(all[i].unit, unit) == 0)
        {
            return judge_require_add(q, "not_", "regex", judge_str_printf(
                       q->arena, "%s(?:%s){%d}\\S", all[i].before,
                       all[i].part, (int) most).data, 0);
        }
    }

    return false;
}


/* What each line or list item, or each paragraph, has to be like. */

static bool
judge_require_each(judge_require_t *q, const judge_require_clause_t *c)
{
    bool                     list;
    const char              *pattern, *whole = judge_require_whole(c);
    judge_require_clause_t   named = *c;

    if (whole == NULL || c->has['N']) {
        return false;
    }

    if (c->ncounts) {
        return !c->has['A'] && !c->has['Z'] && !c->has['=']
               && judge_require_each_limit(q, c, whole);
    }

    list = strcmp(whole, "list") == 0;
    if (c->has['%'] && strstr(c->things[0], "list")) {
        named.has['%']--;
        named.things[0] = c->things[1];
    }

    pattern = judge_require_named(q, &named);
    if (named.has['%'] == 1) {
        pattern = strcmp(named.things[0], "capital") == 0
                  ? "[^\\p{L}\\n]*\\p{Lu}"
                  : strcmp(named.things[0], "dash") == 0 ? "[-–—]" : pattern;
    }

    return pattern[0] && c->has['A'] + c->has['Z'] == 1 && !c->or
           && c->has['@'] == !list && whole[0] == 'l'
           && !(c->has['Z'] && named.has['%'])
           && judge_require_add(q, "not_", "regex", judge_str_printf(q->arena,
                  c->has['Z'] ? "(?m)%s[^ \\t\\n](?<!%s)[ \\t]*$"
                  : "(?m)^%s(?!%s)[^\\s]",
                  list ? "[ \\t]*(?:[-*+•–]|\\d+[.)])[ \\t]+" : "[ \\t]*",
                  pattern).data, 0);
}


/* "It begins with …", "It ends with …": a literal, a thing or a line. */

static bool
judge_require_place(judge_require_t *q, const judge_require_clause_t *c)
{
    bool                          begins = c->has['A'];
    const char                   *no = c->has['N'] ? "not_" : "";
    const char                   *thing = c->has['%'] ? c->things[0] : "";
    const judge_require_thing_t  *t = judge_require_find(thing);

    if (begins && c->has['@'] == 1 && !c->has['Z'] && !c->has['='] && !c->or
        && !c->has['%'] && strstr("line title", c->names['A'])
        && c->names['A'][0])
    {
        return judge_require_line(q, c);
    }

    if (begins && strcmp(c->names['A'], "title") == 0
        && strcmp(thing, "caps") != 0)
    {
        return judge_require_title(q, c);
    }

    if ((begins && c->has['Z']) || c->ncounts || c->has['%'] > 1
        || (c->has['P'] && (c->has['i'] || c->has['@']))
        || (c->has['@'] && !c->has['=']) || !c->has['='] == !c->has['%']
        || (c->has['='] > 1 && !c->or))
    {
        return false;
    }

    if (begins && strcmp(thing, "capital") == 0 && !c->has['N']) {
        return judge_require_add(q, "", "regex", "^\\P{L}*\\p{Lu}", 0);
    }

    if (!begins && (strncmp(thing, "question", 8) == 0
                    || (t && strcmp(t->has, "contains_exact") == 0)))
    {
        return judge_require_add(q, no, "ends_with",
                                 thing[0] == 'q' ? "?" : t->value, 0);
    }

    if (strcmp(thing, "question") == 0) {
        return judge_require_add(q, no, "regex", "^[^.!?…\\n]*\\?", 0);
    }

    if (strcmp(thing, "caps") == 0 && begins && !c->has['N']) {
        return judge_require_add(q, "", "regex", "^(?=[^\\n]*\\p{Lu})"
                                 "[^\\p{Ll}\\n]*(\\n|$)", 0);
    }

    if (thing[0]) {
        return strcmp(thing, begins ? "greeting" : "sign_off") == 0
               && judge_require_add(q, c->has['N'] ? "no_" : "has_", thing,
                                    NULL, 0);
    }

    return c->has['='] == 1
           ? judge_require_add(q, no, begins ? "starts_with" : "ends_with",
                               judge_require_literal(q, &c->literals[0]), 0)
           : judge_require_add(q, no, "regex", judge_require_regex(q,
                               begins ? "^\\s*" : "", c->literals,
                               c->has['='], begins ? "" : "[.!]?\\s*$"), 0);
}


/* How often a literal occurs, or that it occurs in the first lines. */

static bool
judge_require_often(judge_require_t *q, const judge_require_clause_t *c)
{
    int64_t      least, most;
    const char  *once = judge_require_regex(q, "(?<![\\p{L}\\p{N}])",
                            c->literals, 1, "(?![\\p{L}\\p{N}])");

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

    return (least == 0 || judge_require_add(q, "regex", "",
                              judge_str_printf(q->arena, "(?is)(?:%s.*?){%d}",
                                               once, (int) least).data, 0))
           && (most == 0 || judge_require_add(q, "not_regex", "",
                                judge_str_printf(q->arena,
                                    "(?is)(?:%s.*?){%d}", once,
                                    (int) most + 1).data, 0));
}


/* Literals that are names of keys or columns, or that just occur. */

static bool
judge_require_literals(judge_require_t *q, const judge_require_clause_t *c)
{
    bool         json = c->has['%'] && c->things[0][0] == 'j';
    size_t       i;
    const char  *no = c->has['N'] ? "not_" : "", *before, *after;

    before = !c->has['K'] ? "(?<![\\p{L}\\p{N}])" : json ? "\""
             : "(?m)(?:^|\\|)[ \\t*]*";
    after = !c->has['K'] ? "(?![\\p{L}\\p{N}])" : json ? "\"\\s*:"
             : "[ \\t*]*(?:\\||$)";

    if (c->has['o'] || c->has['t'] || c->has['f'] || c->ncounts) {
        return (c->has['o'] || c->has['t'] || c->has['f'])
               && judge_require_often(q, c);
    }

    if (c->has['J']) {                 /* "only with yes or no" */
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

    /* "ß" is no word. */
    if (c->has['='] == 1 && !c->has['K'] && c->literals[0].text.len < 5
        && (unsigned char) c->literals[0].text.data[0] >= 0x80)
    {
        return judge_require_add(q, no, "contains_exact",
                                 judge_require_literal(q, &c->literals[0]), 0);
    }

    for (i = 0; i < c->has['=']; i++) {
        if (!(c->has['K'] || c->has['W'] || (c->literals[i].n && !c->has['N'])
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


/* "In the form AB-1234": digits and letters stand for any. */

static bool
judge_require_shape(judge_require_t *q, const judge_require_clause_t *c)
{
    size_t       i;
    judge_buf_t  b;
    const char  *p;

    if (c->has['A'] || c->has['Z'] || c->has['@'] || c->has['=']) {
        return false;
    }

    judge_buf_init(&b, q->arena);
    judge_buf_c(&b, "(?<![\\p{L}\\d])");

    for (i = 0; i < c->shape.len; i++) {
        p = c->shape.data + i;
        judge_buf_c(&b, judge_ascii_digit(*p) ? "\\d"
                        : judge_ascii_upper(*p) ? "\\p{Lu}"
                        : judge_ascii_letter(*p) ? "\\p{Ll}"
                        : strchr("./-:() ", *p) ? "\\" : "");
        judge_buf_append(&b, p, judge_ascii_digit(*p) || judge_ascii_letter(*p)
                                ? 0 : 1);
    }

    judge_buf_c(&b, "(?![\\p{L}\\d])");
    judge_buf_append(&b, "", 1);
    q->failed = q->failed || b.failed;

    return !b.failed
           && judge_require_add(q, c->has['N'] ? "not_" : "", "regex", b.data,
                                0);
}


/* Things and literals that have to be present, or absent. */

static bool
judge_require_content(judge_require_t *q, judge_require_clause_t *c)
{
    bool    form;
    size_t  i;

    if (c->has['K'] || c->has['i']) {  /* a list of five points */
        c->ncounts = c->has['K'] && c->ncounts == 1
                     && c->counts[0].n == c->has['='] ? 0 : c->ncounts;
        if (c->has['%'] != 1 || (c->has['K'] && c->has['='] == 0)
            || (c->has['i'] && strstr(c->things[0], "list") == NULL))
        {
            return false;
        }

    } else if (c->has['='] && c->has['%'] == 1 && !c->has['N']) {
        if (strstr("heading title", c->things[0])) {
            return false;
        }
        if (strstr("phone price date number percentage email iso hashtag",
                   c->things[0]))
        {
            c->has['%'] = 0;           /* "the price of $49" */
        }
    }

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
        /* "a date in ISO format" */
        if (!(form && strstr("date time price number phone",
                             c->things[i]))
            && !judge_require_thing(q, c, c->things[i]))
        {
            return false;
        }
    }

    return (c->has['%'] || c->has['='])
           && (c->has['='] == 0 || judge_require_literals(q, c));
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
           || (c->has['J'] && (c->has['N'] || (c->has['=']
                                               && !(c->or || c->has['V']))))
           || (c->has['E'] && !c->ncounts && !c->has['a'] && !c->has['='])
           || (c->has['T'] && !(c->ncounts && c->counts[0].m))
           || ((c->has['f'] || c->has['W'] || c->has['V']) && !c->has['='])
           || (c->has['f'] && !c->has['@']);
}


bool
judge_require_clause(judge_require_t *q, judge_require_clause_t *c)
{
    judge_require_complete(c);

    if (c->shape.len) {
        return judge_require_shape(q, c);
    }

    if (c->has['P'] == 1 && judge_require_each(q, c)) {
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
        return !c->has['%'] && !c->has['A'] && !c->has['Z'] && !c->has['f']
               && !c->has['w'] && judge_require_limit(q, c);
    }

    if (c->has['A'] || c->has['Z']) {
        return judge_require_place(q, c);
    }

    if (c->has['P']
        || (c->has['v'] && !c->has['J'] && (c->has['%'] || !c->has['N']))
        || (c->has['f'] == 0 && c->has['@'] > 1)
        || (c->has['w'] && c->has['='] == 0))
    {
        return false;
    }

    if (!c->has['h'] && !c->has['N'] && !c->ncounts && !c->has['r']
        && !(c->has['J'] && c->has['='])
        && !(c->names['w'] && c->names['w'][0])
        && !(c->has['%'] && strstr("json xml yaml csv lower caps iso table"
                                   " plain h24 numbered_list dmy",
                                   c->things[0])))
    {
        /* As a name "Phone number" requires one; "Price" is ambiguous. */
        q->bare = q->name && q->nclauses == 1 && c->has['%'] == 1
                  && strstr("link email phone emoji hashtag list code",
                            c->things[0]);
        if (!q->bare) {
            return false;
        }
    }

    return judge_require_content(q, c);
}
