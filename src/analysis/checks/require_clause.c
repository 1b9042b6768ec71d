/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Turns the clauses of a requirement into checks. */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/checks/check_type.h"
#include "analysis/checks/require_table.h"


/* --- Checks -------------------------------------------------------------- */

bool
judge_require_add(judge_require_t *q, const char *type, const char *name,
    const char *string, int64_t n)
{
    judge_rc_e           rc;
    judge_json_t        *v;
    judge_regex_t       *regex;
    judge_check_sent_t  *c;

    if (q->n == JUDGE_REQUIRE_CHECKS) {
        return false;
    }

    if (string == NULL && (strstr(type, "regex") || strstr(name, "regex"))) {
        q->failed = true;              /* no memory for the expression */
        return false;
    }

    v = judge_calloc(q->arena, sizeof(judge_json_t));
    c = &q->checks[q->n];
    memset(c, 0, sizeof(judge_check_sent_t));
    c->type = judge_str_printf(q->arena, "%s%s", type, name);
    c->origin = JUDGE_STR(JUDGE_CHECK_DESCRIPTION);

    if (v == NULL || c->type.data == NULL) {
        q->failed = true;
        return false;
    }

    /* A pattern that does not compile, or an unknown type, is no check. */

    rc = judge_check_type(c->type) == NULL ? JUDGE_INVALID
         : !strstr(c->type.data, "regex") ? JUDGE_OK
         : judge_regex_compile(q->r.arena, judge_str_c(string),
                               JUDGE_REGEX_OTHERS, &regex, NULL);

    if (rc != JUDGE_OK) {
        q->failed = q->failed || rc == JUDGE_NOMEM;
        return false;
    }

    v->type = string ? JUDGE_JSON_STRING : JUDGE_JSON_INTEGER;
    v->integer = n;
    v->string = string ? judge_str_c(string) : v->string;
    c->value = string || n ? v : NULL;
    q->n++;

    return true;
}


static const char *
judge_require_literal(judge_require_t *q, const judge_require_token_t *t)
{
    return judge_str_dup(q->arena, judge_str_trim(t->text, ",")).data;
}


/* The lower and the upper bound of a clause; 0: no bound.  False: unclear. */

static bool
judge_require_bounds(const judge_require_clause_t *c, int64_t *least,
    int64_t *most)
{
    judge_require_kind_e          how;
    size_t                        i;
    const judge_require_count_t  *n;

    *least = 0;
    *most = 0;

    for (i = 0; i < c->ncounts; i++) {
        n = &c->counts[i];
        how = n->how;

        if (c->has & JR_NOT) {             /* "not more than" */
            if (!(how & (JR_MORE | JR_LESS)) || n->m) {
                return false;
            }
            how = how == JR_MORE ? JR_MOST : JR_LEAST;
        }

        if ((how == 0 || n->m) && (c->ncounts > 1 || (how && n->m))) {
            return false;
        }

        /* "you may use three" */
        if (how == JR_LEAST || how == JR_MORE
            || (how == 0 && (n->m || !(c->has & JR_ALLOWED)
                             || (c->has & (JR_NOT | JR_ONLY | JR_EXACT)))))
        {
            *least = n->n + (how == JR_MORE);
        }
        if (how == JR_MOST || how == JR_LESS || how == 0) {
            *most = n->m ? n->m : n->n - (how == JR_LESS);
        }
    }

    return c->ncounts && *least >= 0 && *most >= 0 && (*least || *most)
           && !(c->ncounts == 2 && (*least == 0 || *most == 0))
           && !(*most && *least > *most)
           && !((c->has & JR_ALLOWED) && !(c->has & JR_NOT)
                && (*most == 0 || c->counts[0].how == JR_LESS));
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


/* The expression that finds a thing; empty: there is none. */

static const char *
judge_require_pattern(judge_require_t *q, const char *name)
{
    size_t                        i;
    judge_require_token_t         sign;
    const judge_require_thing_t  *t = judge_require_find(name);

    for (i = 0; t == NULL && i < judge_check_patterns_n; i++) {
        if (strcmp(judge_check_patterns[i].name, name) == 0) {
            return judge_check_patterns[i].expression;
        }
    }

    if (t == NULL || t->value[0] == '\0'
        || strcmp(t->has, "not_regex") == 0)
    {
        return "";
    }

    sign = (judge_require_token_t) { '=', "", judge_str_c(t->value), 0 };

    return strcmp(t->has, "contains_exact") == 0
           ? judge_require_regex(q, "", &sign, 1, "") : t->value;
}


/* --- What a clause asks for ---------------------------------------------- */

static bool
judge_require_limit(judge_require_t *q, const judge_require_clause_t *c)
{
    bool         each;
    size_t       i;
    int64_t      least, most;
    const char  *unit = c->units[0];

    static const struct {
        const char  *whole;
        const char  *part;
        const char  *type;
        const char  *form;             /* finds more of it than `most` */
    } within[] = {
        { "sentences", "words", "sentence_words", NULL },
        { "lines", "characters", "line_characters", NULL },
        { "paragraphs", "words", NULL,
          "\\S++(?:(?!\\s*\\n\\s*\\n)\\s++\\S++){%d}" },
        { "paragraphs", "sentences", NULL,
          "(?:[^.!?\\n]*+[.!?]++(?:[ \\t]++|\\n(?!\\s*\\n))?){%d}"
          "[^.!?\\n]*+[.!?]" },
        { "lines", "words", NULL, "\\S++(?:[ \\t]++\\S++){%d}" },
        { "words", "letters", NULL, "\\p{L}(?:\\p{L}){%d}" }
    };

    if (!judge_require_bounds(c, &least, &most)
        || (c->has & (JR_ITEM | JR_KEY | JR_ONCE | JR_TIMES)))
    {
        return false;
    }

    for (i = 0; c->nunits == 2 && i < sizeof(within) / sizeof(within[0]);
         i++)
    {
        each = strcmp(c->units[1], within[i].whole) == 0;

        if (strcmp(c->units[each], within[i].whole) != 0
            || strcmp(c->units[!each], within[i].part) != 0)
        {
            continue;                  /* "six words per line" */
        }

        return least == 0 && most < 400
               && ((c->has & (JR_EACH | JR_NOT))   /* "a sentence of 25" */
                   || !(c->ncounts > 1 || (c->has & (JR_ARTICLE | JR_EXACT))))
               && (within[i].type ? judge_require_add(q, "max_",
                                        within[i].type, NULL, most)
                   : judge_require_add(q, "not_", "regex", judge_str_printf(
                         q->arena, within[i].form, (int) most).data, 0));
    }

    return c->nunits == 1 && !(c->has & JR_EACH)
           && strcmp(unit, "letters") != 0 && (least == 0
               || judge_require_add(q, "min_", unit, NULL, least))
           && (most == 0 || judge_require_add(q, "max_", unit, NULL, most));
}


bool
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

    if (c->ncounts && !((c->has & JR_ONLY) && !counted)) {
        if (!judge_require_bounds(c, &least, &most) || c->alternative
            || (c->counts[0].m && strcmp(name, "numbered_list") == 0)
            || least > 50)
        {
            return false;              /* "numbered from 1 to 5", "100 %" */
        }

        if (!counted) {
            return judge_require_matches(q, judge_require_pattern(q, name),
                                         least, most);
        }

        /* "one link" need not be the only one. */
        most = c->counts[0].n == 1 && c->counts[0].how == 0
               && c->counts[0].m == 0
               && !(c->has & (JR_EXACT | JR_NOT | JR_ONLY | JR_ALLOWED))
               ? 0 : most;
        name = t ? t->has + 4 : name;

        return (least == 0 || judge_require_add(q, "has_", name, NULL,
                                                most || least > 1 ? least : 0))
               && (most == 0 || judge_require_add(q, "no_", name, NULL,
                                                  most + 1));
    }

    /* "Gendern mit Doppelpunkt", "the product in the title" */
    if (q->others && t && !(c->has & JR_NOT)
        && (strcmp(t->has, "contains_exact") == 0
            || (strcmp(name, "title") == 0 && !(c->has & JR_HAS))))
    {
        return false;
    }

    type = c->has & JR_NOT ? (t ? t->no : "no_") : t ? t->has : "has_";

    return type[0] != '-' && ((c->has & JR_NOT) || !c->alternative)
           && !((c->has & JR_ONLY) && counted)
           && judge_require_add(q, type, t ? "" : name,
                                strstr(type, "regex") || strstr(type, "exact")
                                ? t->value : NULL, 0);
}


/* How often a literal occurs. */

static bool
judge_require_often(judge_require_t *q, const judge_require_clause_t *c)
{
    int64_t      least, most;
    const char  *once = judge_require_alone(q, &c->literals[0]);

    if (c->nliterals != 1 || c->nthings || (c->has & JR_KEY)
        || !judge_require_bounds(c, &least, &most))
    {
        return false;
    }

    return judge_require_matches(q, once, least, most);
}


/* Literals that are names of keys or columns, or that just occur. */

static bool
judge_require_literals(judge_require_t *q, judge_require_clause_t *c)
{
    bool         json = c->nthings && c->things[0][0] == 'j';
    size_t       i;
    const char  *no = c->has & JR_NOT ? "not_" : "", *before, *after;

    const judge_require_token_t  *t;

    /* "the two words 'a' and 'b'" */
    if (c->ncounts == 1 && c->counts[0].how == 0 && c->nliterals > 1
        && c->counts[0].n == (int64_t) c->nliterals && !c->counts[0].m)
    {
        c->ncounts = 0;
    }

    before = json ? "\"" : "(?m)(?:^|\\|)[ \\t*]*";
    after = json ? "\"\\s*:" : "[ \\t*]*(?:\\||$)";

    if ((c->has & (JR_ONCE | JR_TIMES)) || c->ncounts) {
        return ((c->has & (JR_ONCE | JR_TIMES))
                || judge_require_formed(&c->literals[0])
                || judge_require_sign(c->literals[0].text.data[0]))
               && judge_require_often(q, c);
    }

    if ((c->alternative && !(c->has & JR_NOT))
        || ((c->has & JR_ONLY) && !(c->has & JR_KEY)))
    {
        return false;
    }

    /* "ß" is no word. */
    if (c->nliterals == 1 && !(c->has & JR_KEY)
        && (unsigned char) c->literals[0].text.data[0] >= 0x80
        && judge_utf8_length(c->literals[0].text) == 1)
    {
        return judge_require_add(q, no, "contains_exact",
                                 judge_require_literal(q, &c->literals[0]), 0);
    }

    for (i = 0; i < c->nliterals; i++) {
        t = &c->literals[i];

        if (!((c->has & (JR_ALONE | JR_KEY))
              || judge_utf8_length(t->text) < 4
              || (t->n && !(c->has & JR_NOT)
                  && strcmp(t->name, "part") != 0)
              || judge_require_formed(t)
              ? judge_require_add(q, no, "regex", (c->has & JR_KEY)
                    ? judge_require_regex(q, before, t, 1, after)
                    : judge_require_alone(q, t), 0)
              : judge_require_add(q, no, "contains",
                    judge_require_literal(q, t), 0)))
        {
            return false;
        }
    }

    return true;
}


/* "A table with three columns": its line of dashes has as many. */

static bool
judge_require_columns(judge_require_t *q, const judge_require_clause_t *c)
{
    int64_t  least, most;

    return c->nthings == 1 && strcmp(c->things[0], "table") == 0
           && judge_require_bounds(c, &least, &most) && least <= 100
           && most <= 100
           && judge_require_add(q, "", "regex", judge_str_printf(q->arena,
                  "(?m)^[ \\t]*\\|?(?:[ \\t]*:?-+:?[ \\t]*(?:\\||$)){%d,%d}"
                  "[ \\t]*$", (int) (least ? least : 1),
                  (int) (most ? most : 100)).data, 0);
}


/* Its things, of which one may be the form of another: "a date in ISO". */

static bool
judge_require_things_of(judge_require_t *q, const judge_require_clause_t *c)
{
    bool    form;
    size_t  i;

    for (i = 0, form = false; i < c->nthings; i++) {
        form = form || (judge_require_form(c->things[i])
                        && strcmp(c->things[i], "date") != 0);
    }

    /* "Dates in ISO format": no date is written otherwise. */
    if (form && c->plural && c->nthings == 2 && !(c->has & JR_NOT)
        && (strcmp(c->things[0], "date") == 0
            || strcmp(c->things[1], "date") == 0)
        && !judge_require_add(q, "not_", "regex",
                strstr("iso", c->things[strcmp(c->things[0], "date") == 0])
                ? "(?<!\\d)\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}(?!\\d)"
                : "(?<!\\d)\\d{4}-\\d\\d?-\\d\\d?(?!\\d)", 0))
    {
        return false;
    }

    for (i = 0; i < c->nthings; i++) {
        if (!(form && (strstr("date time number phone", c->things[i])
                       || ((c->has & JR_NOT)
                           && strcmp(c->things[i], "price") == 0)))
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
    if (c->has & (JR_ITEM | JR_KEY)) { /* a list of five points */
        if ((c->has & JR_KEY) && c->ncounts == 1
            && (size_t) c->counts[0].n == c->nliterals)
        {
            /* "three columns: A, B and C" */
            if (c->nthings == 1 && strcmp(c->things[0], "table") == 0
                && !judge_require_columns(q, c))
            {
                return false;
            }
            c->ncounts = 0;
        }
        if ((c->has & JR_KEY) && c->ncounts && !c->nliterals) {
            return judge_require_columns(q, c);
        }
        if (c->nthings != 1) {
            return false;
        }
    }

    /* "the text 'Keep cold' in capitals": not all of it is. */
    if (c->nliterals && c->nthings
        && strstr("caps capitals lower bold quotes", c->things[0]))
    {
        return false;
    }

    return (c->nthings || c->nliterals) && judge_require_things_of(q, c)
           && (c->nliterals == 0 || judge_require_literals(q, c));
}


/* "The first line has at most 60 characters". */

static bool
judge_require_line(judge_require_t *q, judge_require_clause_t *c)
{
    int64_t      least, most;
    const char  *form, *pattern;

    if (c->nthings == 1) {
        pattern = strcmp(c->things[0], "title") == 0
                  ? "" : judge_require_pattern(q, c->things[0]);

        if (strcmp(c->things[0], "endstop") == 0) {
            pattern = "[.]";
            c->has |= JR_ENDS;
        }

        if (!(strcmp(c->things[0], "caps") == 0 && !(c->has & JR_NOT)
              ? judge_require_add(q, "", "regex",
                                  "\\A\\s*+[^\\p{Ll}\\n]++(?:\\n|\\z)", 0)
              : pattern[0] && (c->has & JR_NOT) && !c->nunits
              && judge_require_add(q, "not_", "regex",
                     judge_str_printf(q->arena, (c->has & JR_ENDS)
                         ? "\\A\\s*+[^\\n]*?%s[ \\t]*(?:\\n|\\z)"
                         : "\\A\\s*+[^\\n]*?%s", pattern).data, 0)))
        {
            return false;
        }

        if (!c->nunits && !c->ncounts) {
            return true;
        }
    }

    if (c->nunits != 1 || (c->has & (JR_EACH | JR_ITEM))
        || !judge_require_bounds(c, &least, &most) || least > 900
        || most > 900)
    {
        return false;
    }

    form = strcmp(c->units[0], "characters") == 0
           ? "\\A\\s*+[^\\n]{%d,%d}(?:\\n|\\z)"
           : strcmp(c->units[0], "words") == 0
           ? "\\A\\s*+(?:[^\\s]++[ \\t]*+){%d,%d}(?:\\n|\\z)" : "";

    return form[0]
           && judge_require_add(q, "", "regex", judge_str_printf(q->arena,
                  form, (int) least, most ? (int) most : 900).data, 0);
}


/* "The first line contains …", "The last line mentions …" */

static bool
judge_require_within(judge_require_t *q, const judge_require_clause_t *c)
{
    const char  *form = !(c->has & JR_BEGINS) ? "(?i)%s[^\\n]*\\s*$"
                        : c->begins[0] == 'l' ? "(?i)^\\s*[^\\n]*%s"
                        : "(?i)^\\s*[^.!?\\n]*%s";

    form += judge_require_formed(c->literals) ? strlen("(?i)") : 0;

    return judge_require_add(q, c->has & JR_NOT ? "not_" : "", "regex",
               judge_str_printf(q->arena, form,
                   judge_require_alone(q, c->literals)).data, 0);
}


/* Whether a clause is about "no paragraph", "each line", "every item", or what
 * is not "at the start of a sentence"; "not with the word 'Dear'" is not. */

static bool
judge_require_of_each(const judge_require_t *q,
    const judge_require_clause_t *c)
{
    size_t  i = judge_require_skip(&q->r, 1, ~(uint64_t) (JR_ITEM | JR_UNIT));

    if ((c->has & JR_NOT) && (c->has & JR_BEGINS) && c->nunits
        && c->nliterals && strcmp(c->units[0], "words") != 0)
    {
        return true;
    }

    return i < q->r.n && (q->r.tokens[i - 1].kind & (JR_EACH | JR_NOT));
}


/* Adds a check of what each of these parts, or none, begins or ends with. */

static bool
judge_require_each_edge(judge_require_t *q, const judge_require_clause_t *c)
{
    bool         none = c->has & JR_NOT, begins = c->has & JR_BEGINS;
    size_t       i;
    judge_str_t  last;
    const char  *after, *before;

    static const struct {
        const char  *unit;
        const char  *begin;
        const char  *end;              /* NULL: nobody knows where it ends */
    } parts[] = {
        { "lines", "(?m)^[ \\t]*+", "[ \\t]*$" },
        { "paragraphs", "(?:\\A|\\n[ \\t]*\\n)\\s*+",
          "\\s*(?:\\n[ \\t]*\\n|\\z)" },
        { "sentences", "(?i)(?:\\A|\\n|[.!?…][\"'”»)]*\\s)\\s*+", NULL }
    };

    for (i = 0; i < 3 && strcmp(parts[i].unit, c->units[0]) != 0; ) {
        i++;
    }

    if (i == 3 || c->nliterals == 0 || (c->nliterals > 1 && !c->alternative)
        || c->nedges > 1 || c->ncounts || c->nthings
        || (parts[i].end == NULL && !(begins && none)))
    {
        return false;
    }

    last = c->literals[c->nliterals - 1].text;
    after = judge_require_sign(last.data[last.len - 1])
            ? "" : JUDGE_REQUIRE_RIGHT;
    before = begins ? judge_str_printf(q->arena, none ? "%s" : "%s(?!",
                                       parts[i].begin).data
             : none ? "(?m)" : i == 0 ? "(?m)^(?=.*\\S)(?!.*"
             : "(?m)\\S(?<!";
    after = begins ? (none ? after : ")\\S")
            : judge_str_printf(q->arena, none ? "%s" : i == 0 ? "%s)" : ")%s",
                               parts[i].end).data;

    if (before == NULL || after == NULL) {
        q->failed = true;
        return false;
    }

    return judge_require_add(q, "not_", "regex",
               judge_require_regex(q, before, c->literals, c->nliterals,
                                   after), 0);
}


/* Whether a clause only says that a text begins with a greeting or ends with a
 * closing formula, which the checks of these look for there anyway. */

static bool
judge_require_usual(const judge_require_clause_t *c)
{
    size_t  i;

    for (i = 0; i < c->nthings && strstr("greeting sign_off", c->things[i]);
         i++)
    {
        /* void */
    }

    return i > 0 && i == c->nthings && !c->nliterals && !c->ncounts
           && !c->nunits
           && (c->has & (c->things[0][0] == 'g' ? JR_BEGINS : JR_ENDS));
}


/* Adds a check that the sentence after a salutation has the thing: "begins
 * with thanks". */

static bool
judge_require_opening(judge_require_t *q, const char *thing)
{
    return judge_require_add(q, "", "regex", judge_str_printf(q->arena,
               "\\A\\s*+(?:[^\\n]{1,60}[,!:]\\s++)?[^\\n.!?]{0,120}?(?:%s)",
               judge_require_pattern(q, thing)).data, 0);
}


/* "It begins with …", "It ends with …": a literal, a question or a mark. */

static bool
judge_require_place(judge_require_t *q, const judge_require_clause_t *c)
{
    bool                          begins = c->has & JR_BEGINS;
    const char                   *pattern;
    const char                   *no = c->has & JR_NOT ? "not_" : "";
    const char                   *thing = c->nthings ? c->things[0] : "";
    const judge_require_thing_t  *t = judge_require_find(thing);

    if (c->nliterals == 1 && !c->nthings && (c->has & (JR_HAS | JR_NOT))
        && !(c->has & JR_ONLY) && c->nedges == 1 && !c->ncounts
        && (begins ? c->begins[0] == 'l' || c->begins[0] == 's'
                   : c->ends[0] == 'l'))
    {
        return judge_require_within(q, c);
    }

    if ((c->nunits || (c->has & JR_ITEM)) && judge_require_of_each(q, c)) {
        return c->nunits == 1 && judge_require_each_edge(q, c);
    }

    if ((c->has & JR_ONLY) && thing[0]) {
        return false;                  /* "emojis only at the end" */
    }

    if ((begins && ((c->has & JR_ENDS) || strcmp(c->begins, "title") == 0))
        || c->ncounts || c->nthings > 1
        || (c->nunits && (!c->nliterals || (c->has & JR_EACH)))
        || !c->nliterals == !c->nthings
        || (c->nliterals > 1 && !c->alternative))
    {
        return false;
    }

    if (thing[0] && !begins
        && (strncmp(thing, "question", 8) == 0
            || (t && t->value[0] && t->value[1] == '\0')))
    {
        return judge_require_add(q, no, "ends_with",
                                 thing[0] == 'q' ? "?" : t->value, 0);
    }

    if (begins && thing[0] && strstr("thanks apology", thing)) {
        return !no[0] && judge_require_opening(q, thing);
    }

    if (thing[0]) {                    /* "ends with a link" */
        pattern = strcmp(thing, "emoji") == 0 ? "[🇦-🇿🌀-🫿☀-➿]"
                  : judge_require_pattern(q, thing);

        return pattern[0] && strstr("emoji hashtag mention link email number"
                                    " digit quotes hyphen", thing)
               && judge_require_add(q, no, "regex", judge_str_printf(q->arena,
                      begins ? "\\A\\s*+(?:%s)" : "(?:%s)[.!]?\\s*\\z",
                      pattern).data, 0);
    }

    return c->nliterals == 1 && !judge_require_formed(&c->literals[0])
           ? judge_require_add(q, no, begins ? "starts_with" : "ends_with",
                               judge_require_literal(q, &c->literals[0]), 0)
           : judge_require_add(q, no, "regex", judge_require_regex(q,
                               begins ? "^\\s*" : "", c->literals,
                               c->nliterals, begins ? "" : "[.!]?\\s*$"), 0);
}


/* Whether a clause contradicts itself, lacks what it needs or just permits. */

static bool
judge_require_unclear(const judge_require_clause_t *c)
{
    return (c->has & JR_NOT ? (c->has & JR_REQUIRED) != 0
            : (c->has & JR_ALLOWED) && !(c->has & JR_ONLY) && !c->ncounts)
           || ((c->has & JR_ONLY) && c->nliterals
               && !(c->has & (JR_ENDS | JR_KEY | JR_ONCE | JR_TIMES))
               && !((c->has & JR_BEGINS) && !c->begins[0]))
           || ((c->has & JR_ALONE) && !c->nliterals);
}


bool
judge_require_clause(judge_require_t *q, judge_require_clause_t *c)
{
    judge_require_complete(c);

    if (judge_require_unclear(c)) {
        return false;
    }

    if (c->has & JR_LANGUAGE) {
        return !c->nthings && !c->nunits && !c->nliterals && !c->ncounts
               && !(c->has & JR_EDGES)
               && judge_require_add(q, c->has & JR_NOT ? "not_" : "",
                                    "language", c->language, 0);
    }

    if (c->nunits && c->nliterals == 0 && !(c->has & JR_BEGINS)) {
        return !c->nthings && !(c->has & (JR_ENDS | JR_NOUN))
               && judge_require_limit(q, c);
    }

    if (c->nliterals == 0 && (c->has & JR_BEGINS) && c->begins[0] == 'l'
        && ((c->nunits && !(c->has & JR_ENDS))
            || (c->nthings == 1
                && ((c->has & JR_NOT)
                    || strcmp(c->things[0], "caps") == 0))))
    {
        return judge_require_line(q, c);
    }

    if (c->has & JR_EDGES) {
        return judge_require_usual(c) ? judge_require_things_of(q, c)
                                      : judge_require_place(q, c);
    }

    if ((c->has & JR_EACH) || c->nunits > 1
        || ((c->has & JR_VERB) && c->nthings && (c->has & JR_NOT)))
    {
        return false;
    }

    if (!(c->has & (JR_HAS | JR_NOT | JR_REQUIRED)) && !c->ncounts
        && !((c->has & JR_ONLY) && c->nliterals) && !(c->noun && c->noun[0])
        && !judge_require_format(c))
    {
        return false;
    }

    return judge_require_content(q, c);
}
