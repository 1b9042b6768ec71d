/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Clauses on a place in the text: its beginning, its end, its title, or each
 * line, item or paragraph. */


#include <string.h>

#include "analysis/checks/require_table.h"


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

    if (c->has['@'] != (whole[1] == 'i' && whole[2] == 's' ? 1 : 2)
        || !judge_require_bounds(c, &least, &most) || least || most == 0
        || most > (unit[0] == 's' ? 40 : 300))
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


bool
judge_require_each(judge_require_t *q, const judge_require_clause_t *c)
{
    bool                     list;
    const char              *pattern, *whole = judge_require_whole(c);
    judge_require_clause_t   named = *c;

    if (whole == NULL || (c->has['N'] && !c->ncounts)) {
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

    if (list && named.has['%'] && strstr("hyphen dash asterisk",
                                         named.things[0]))
    {
        return false;                  /* the mark of the item itself */
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


/* What may stand at the beginning or the end. */

typedef struct {
    const char  *thing;
    bool         begins;
    bool         always;               /* it is not forbidden */
    const char  *expression;
} judge_require_at_t;

static const judge_require_at_t  judge_require_at[] = {
    { "heading", true, false, "^\\s*#{1,6}[ \\t]" },
    { "capital", true, true, "^\\P{L}*\\p{Lu}" },
    { "question", true, false, "^[^.!?…\\n]*\\?" },
    { "caps", true, true, "^(?=[^\\n]*\\p{Lu})[^\\p{Ll}\\n]*(\\n|$)" },
    { "ps", false, false, "(?im)^\\W{0,3}P\\. ?S\\." },
    { "hashtag", false, false, "#[\\p{L}\\p{N}_]+\\s*$" },
    { "hashtag", true, false, "^\\s*#[\\p{L}\\p{N}_]" },
    { "emoji", false, false,
      "[\\x{2600}-\\x{27BF}\\x{1F300}-\\x{1FAFF}]\\x{FE0F}?\\s*$" },
    { "emoji", true, false,
      "^\\s*[\\x{2600}-\\x{27BF}\\x{1F300}-\\x{1FAFF}]" },
    { "link", false, false, "(?:https?://|www\\.)[^\\s]+\\s*$" },
    { "email", false, false, "[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+[.!]?\\s*$" },
    { NULL, false, false, NULL }
};


/* "The first line contains …", "The last line mentions …" */

static bool
judge_require_within(judge_require_t *q, const judge_require_clause_t *c)
{
    const char  *form = !c->has['A'] ? "%s[^\\n]*\\s*$"
                        : c->names['A'][0] == 'l' ? "^\\s*[^\\n]*%s"
                        : "^\\s*[^.!?\\n]*%s";

    return judge_require_add(q, c->has['N'] ? "not_" : "", "regex",
               judge_str_printf(q->arena, form,
                   judge_require_regex(q, "", c->literals, 1, "")).data, 0);
}


/* A thing at the beginning or the end that no row above tells. */

static bool
judge_require_edge(judge_require_t *q, const judge_require_clause_t *c,
    const char *thing)
{
    bool                          begins = c->has['A'];
    const char                   *no = c->has['N'] ? "not_" : "";
    const char                   *pattern = judge_require_pattern(q, thing);
    const judge_require_thing_t  *t = judge_require_find(thing);

    if (!begins && (strncmp(thing, "question", 8) == 0
                    || (t && strcmp(t->has, "contains_exact") == 0)))
    {
        return judge_require_add(q, no, "ends_with",
                                 thing[0] == 'q' ? "?" : t->value, 0);
    }

    if (pattern[0] && strcmp(thing, "capital") != 0 && !strchr(pattern, '^')) {
        return judge_require_add(q, no, "regex", judge_str_printf(q->arena,
                   begins ? "^\\W{0,2}(?:%s)" : "(?:%s)\\s*$",
                   pattern).data, 0);
    }

    return strcmp(thing, begins ? "greeting" : "sign_off") == 0
           && judge_require_add(q, c->has['N'] ? "no_" : "has_", thing, NULL,
                                0);
}


bool
judge_require_place(judge_require_t *q, const judge_require_clause_t *c)
{
    bool                       begins = c->has['A'];
    const char                *no = c->has['N'] ? "not_" : "";
    const char                *thing = c->has['%'] ? c->things[0] : "";
    const judge_require_at_t  *at;

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

    /* "The first sentence ends with a question mark." */
    if (begins && c->has['Z'] && c->names['A'][0] == 's'
        && strncmp(thing, "question", 8) == 0)
    {
        return judge_require_add(q, no, "regex", "^[^.!?…\\n]*\\?", 0);
    }

    if (c->has['='] == 1 && !c->has['%'] && c->has['h'] && !c->has['J']
        && c->has['A'] + c->has['Z'] == 1 && !c->ncounts
        && (begins ? c->names['A'][0] == 'l' || c->names['A'][0] == 's'
                   : c->names['Z'][0] == 'l'))
    {
        return judge_require_within(q, c);
    }

    if ((begins && c->has['Z']) || c->ncounts || c->has['%'] > 1
        || (c->has['P'] && (c->has['i'] || c->has['@']))
        || (c->has['@'] && !c->has['=']) || !c->has['='] == !c->has['%']
        || (c->has['='] > 1 && !c->or))
    {
        return false;
    }

    for (at = judge_require_at; at->thing; at++) {
        if (at->begins == begins && strcmp(thing, at->thing) == 0
            && !(at->always && c->has['N']))
        {
            return judge_require_add(q, no, "regex", at->expression, 0);
        }
    }

    if (thing[0]) {
        return judge_require_edge(q, c, thing);
    }

    return c->has['='] == 1
           ? judge_require_add(q, no, begins ? "starts_with" : "ends_with",
                               judge_require_literal(q, &c->literals[0]), 0)
           : judge_require_add(q, no, "regex", judge_require_regex(q,
                               begins ? "^\\s*" : "", c->literals,
                               c->has['='], begins ? "" : "[.!]?\\s*$"), 0);
}
