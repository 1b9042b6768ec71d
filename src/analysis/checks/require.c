/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a rule matches is blanked, so that what is left tells whether the
 * description asks for anything else.
 */


#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/checks/check_facts.h"
#include "analysis/checks/check_type.h"
#include "analysis/checks/require.h"
#include "analysis/checks/require_table.h"
#include "analysis/text/text.h"


#define JUDGE_REQUIRE_CHECKS  10       /* of a description */
#define JUDGE_REQUIRE_BLANK   '\x02'   /* where something was taken away */

typedef struct {
    judge_arena_t              *arena;
    judge_regex_t              *reader;
    const judge_require_set_t  *all;
    judge_check_sent_t         *checks;
    size_t                      n;
    int64_t                     least; /* numbers of the last match */
    int64_t                     most;
} judge_require_t;


static judge_rc_e judge_require_tidy(judge_require_t *q, judge_str_t *s);
static size_t judge_require_sentence(judge_str_t s);
static judge_rc_e judge_require_look(judge_require_t *q, judge_str_t sentence);
static judge_rc_e judge_require_found(judge_require_t *q,
    const judge_require_rule_t *rule, judge_str_t s);
static const char *judge_require_noun(judge_require_t *q,
    const judge_require_rule_t *rule, const judge_require_noun_t *nouns,
    size_t n, judge_regex_t *const *patterns, judge_str_t word);
static judge_rc_e judge_require_numbers(judge_require_t *q,
    const judge_require_rule_t *rule, const char *name);
static judge_str_t judge_require_literal(judge_arena_t *arena,
    judge_str_t string, judge_str_t s);
static int64_t judge_require_number(judge_str_t s);
static judge_json_t *judge_require_value(judge_arena_t *arena, judge_str_t s,
    int64_t n);
static judge_rc_e judge_require_valued(judge_require_t *q, const char *type,
    const char *name, judge_json_t *value);
static judge_rc_e judge_require_add(judge_require_t *q, const char *type,
    const char *name, judge_json_t *value);
static void judge_require_agree(judge_require_t *q);
static judge_rc_e judge_require_rest(judge_arena_t *arena, judge_str_t rest,
    judge_required_t *out);


/* --- Looking ------------------------------------------------------------- */

judge_rc_e
judge_require(judge_arena_t *arena, judge_str_t description,
    judge_required_t *out)
{
    size_t            len;
    judge_rc_e        rc;
    judge_str_t       rest;
    judge_require_t   q = { .arena = arena };

    memset(out, 0, sizeof(judge_required_t));

    if (description.len > JUDGE_REQUIRE_MAX
        || judge_utf8_check(description) != description.len)
    {
        return JUDGE_OK;
    }

    q.checks = judge_array_alloc(arena, JUDGE_REQUIRE_CHECKS,
                                 sizeof(judge_check_sent_t));
    q.reader = judge_regex_reader(arena);
    rc = q.checks && q.reader ? judge_require_open(&q.all) : JUDGE_NOMEM;
    if (rc == JUDGE_OK) {
        rc = judge_require_tidy(&q, &description);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    rest = description;

    while (rest.len && rc == JUDGE_OK) {
        len = judge_require_sentence(rest);
        rc = judge_require_look(&q, (judge_str_t) { len, rest.data });
        rest = judge_str_from(rest, len);
    }

    judge_require_agree(&q);
    out->checks = (judge_list_t) { q.checks, q.n, true };

    return rc == JUDGE_OK ? judge_require_rest(arena, description, out) : rc;
}


/* Copies the description, with its variants of wording normalized. */

static judge_rc_e
judge_require_tidy(judge_require_t *q, judge_str_t *s)
{
    size_t       i, from, begin, end;
    judge_buf_t  b;

    for (i = 0; i < judge_require_plain_n; i++) {
        judge_buf_init(&b, q->arena);
        judge_regex_take(q->reader, q->all->plain[i]);

        for (from = 0; judge_regex_find(q->reader, *s, from, &begin, &end)
                       == JUDGE_OK && end > begin; from = end)
        {
            judge_buf_append(&b, s->data + from, begin - from);
            judge_buf_c(&b, judge_require_plain[i].name);
        }

        if (from > 0 || i == 0) {
            judge_buf_str(&b, judge_str_from(*s, from));
            *s = judge_buf_view(&b);
        }

        if (b.failed) {
            return JUDGE_NOMEM;
        }
    }

    return JUDGE_OK;
}


/* Length of the first sentence: "max. 80" and "e.g. a" do not end one. */

static size_t
judge_require_sentence(judge_str_t s)
{
    char    next;
    size_t  i;

    for (i = 0; i < s.len; i++) {
        if (s.data[i] == '\n' || s.data[i] == ';') {
            return i + 1;
        }

        if (strchr(".!?", s.data[i]) && s.data[i] && i + 2 < s.len
            && s.data[i + 1] == ' ')
        {
            next = s.data[i + 2];

            if (!judge_ascii_digit(next) && judge_ascii_lower(next) == next
                && judge_ascii_letter(next))
            {
                continue;
            }

            if (!judge_ascii_digit(next)) {
                return i + 2;
            }
        }
    }

    return s.len;
}


static judge_rc_e
judge_require_look(judge_require_t *q, judge_str_t s)
{
    size_t          i, from, begin, end;
    judge_rc_e      rc;
    judge_regex_t  *p = q->reader;

    judge_regex_take(p, q->all->doubts);
    rc = judge_regex_find(p, s, 0, &begin, &end);

    if (rc != JUDGE_NOT_FOUND) {
        return rc;
    }

    for (i = 0; i < judge_require_rules_n; i++) {
        for (from = 0, rc = JUDGE_OK; rc == JUDGE_OK; from = end) {
            judge_regex_take(p, q->all->rules[i]);
            rc = judge_regex_find(p, s, from, &begin, &end);
            rc = rc == JUDGE_OK && end == begin ? JUDGE_NOT_FOUND : rc;

            if (rc == JUDGE_OK) {
                rc = judge_require_found(q, &judge_require_rules[i], s);
                memset((char *) s.data + begin, JUDGE_REQUIRE_BLANK,
                       end - begin);
            }
        }

        if (rc != JUDGE_NOT_FOUND && rc != JUDGE_BUSY) {
            return rc;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_require_found(judge_require_t *q, const judge_require_rule_t *rule,
    judge_str_t s)
{
    judge_rc_e    rc;
    judge_str_t   string, unit, thing, second, tongue;
    const char   *name;

    /* The reader is needed for the names of what it found. */
    string = judge_regex_named(q->reader, s, "s");
    unit = judge_regex_named(q->reader, s, "u");
    thing = judge_regex_named(q->reader, s, "o");
    second = judge_regex_named(q->reader, s, "o2");
    tongue = judge_regex_named(q->reader, s, "l");
    q->least = judge_require_number(judge_regex_named(q->reader, s, "n"));
    q->most = judge_require_number(judge_regex_named(q->reader, s, "m"));

    name = judge_require_noun(q, rule, judge_require_units,
                              judge_require_units_n, q->all->units, unit);
    name = name[0] ? name
           : judge_require_noun(q, rule, judge_require_things,
                                judge_require_things_n, q->all->things,
                                thing);

    if (second.data) {
        rc = judge_require_add(q, rule->type,
                 judge_require_noun(q, rule, judge_require_things,
                                    judge_require_things_n, q->all->things,
                                    second), NULL);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    switch (rule->value[0]) {
    case '\0':
        return judge_require_add(q, rule->type, name, NULL);

    case 's':
        break;

    case 'l':
        string = judge_str_c(judge_require_noun(q, rule,
                     judge_require_tongues, judge_require_tongues_n,
                     q->all->tongues, tongue));
        break;

    case '"':
        string = judge_require_literal(q->arena, string,
                     judge_str_trim(judge_str_c(rule->value), "\""));
        break;

    default:
        return judge_require_numbers(q, rule, name);
    }

    string = judge_str_dup(q->arena, judge_str_trim(string, " "));

    return string.data ? judge_require_valued(q, rule->type, "",
                             judge_require_value(q->arena, string, 0))
                       : JUDGE_NOMEM;
}


/* The name of the noun that the word is; "": none. */

static const char *
judge_require_noun(judge_require_t *q, const judge_require_rule_t *rule,
    const judge_require_noun_t *nouns, size_t n,
    judge_regex_t *const *patterns, judge_str_t word)
{
    size_t  i, begin, end;

    for (i = 0; i < n && word.data; i++) {
        judge_regex_take(q->reader, patterns[i]);

        if (strcmp(nouns[i].language, rule->language) == 0
            && judge_regex_find(q->reader, word, 0, &begin, &end)
               == JUDGE_OK)
        {
            return nouns[i].name;
        }
    }

    return "";
}


/* A string, or where it is absent the number; NULL: no memory. */

static judge_json_t *
judge_require_value(judge_arena_t *arena, judge_str_t s, int64_t n)
{
    judge_json_t  *v;

    v = judge_calloc(arena, sizeof(judge_json_t));
    if (v == NULL) {
        return NULL;
    }

    v->type = s.data ? JUDGE_JSON_STRING : JUDGE_JSON_INTEGER;

    if (s.data) {
        v->string = s;
    } else {
        v->integer = n;
    }

    return v;
}


static judge_rc_e
judge_require_numbers(judge_require_t *q, const judge_require_rule_t *rule,
    const char *name)
{
    bool         counted;
    int64_t      n, m;
    judge_rc_e   rc;
    judge_str_t  none = { 0, NULL };

    n = rule->value[0] == '1' ? 1 : q->least;

    if (strchr(rule->value, ',') == NULL) {
        n += strcmp(rule->value, "n+1") == 0 ? 1
             : strcmp(rule->value, "n-1") == 0 ? -1 : 0;

        return n < 1 ? JUDGE_OK
               : judge_require_valued(q, rule->type, name,
                                      judge_require_value(q->arena, none, n));
    }

    m = strcmp(rule->value, "n,m") == 0 ? q->most : n;
    counted = rule->type[0] == '@';

    if (n < 1 || m < n) {
        return JUDGE_OK;
    }

    rc = judge_require_valued(q, counted ? "min_@" : rule->type, name,
                              judge_require_value(q->arena, none, n));

    return rc == JUDGE_OK
           ? judge_require_valued(q, counted ? "max_@" : "no_@",
                                  counted || name[0] ? name : rule->type + 4,
                                  judge_require_value(q->arena, none,
                                                      m + !counted))
           : rc;
}


/* Tables have "¦" where the value of a check has "|", and "§" for what was
 * matched between quotation marks. */

static judge_str_t
judge_require_literal(judge_arena_t *arena, judge_str_t string, judge_str_t s)
{
    size_t       i;
    judge_buf_t  b;

    judge_buf_init(&b, arena);

    for (i = 0; i < s.len; i++) {
        if (judge_str_starts(judge_str_from(s, i), JUDGE_STR("¦"))) {
            judge_buf_c(&b, "|");
            i++;

        } else if (judge_str_starts(judge_str_from(s, i), JUDGE_STR("§"))) {
            judge_buf_str(&b, string);
            i++;

        } else {
            judge_buf_append(&b, s.data + i, 1);
        }
    }

    return judge_buf_view(&b);
}


/* "80", "1,000", "three"; 0: none. */

static int64_t
judge_require_number(judge_str_t s)
{
    size_t       i, len;
    int64_t      n;
    judge_str_t  word;
    const char  *p;

    for (i = 0, n = 0; i < s.len && n < 1000000; i++) {
        if (judge_ascii_digit(s.data[i])) {
            n = n * 10 + (s.data[i] - '0');
        }
    }

    for (i = 0; n == 0 && i < judge_check_digits_n; i++) {
        for (p = judge_check_digits[i].words; *p; p += len + (p[len] == ' ')) {
            len = strcspn(p, " ");
            word = (judge_str_t) { len, p };

            if (judge_str_caseeq(word, s)) {
                return strtoll(judge_check_digits[i].digits, NULL, 10);
            }
        }
    }

    return n;
}


static judge_rc_e
judge_require_valued(judge_require_t *q, const char *type, const char *name,
    judge_json_t *value)
{
    return value ? judge_require_add(q, type, name, value) : JUDGE_NOMEM;
}


/* "no_link" and "has_link": what is found first counts. */

static bool
judge_require_contrary(judge_str_t a, judge_str_t b)
{
    return judge_str_starts(a, JUDGE_STR("no_"))
           && judge_str_starts(b, JUDGE_STR("has_"))
           && judge_str_eq(judge_str_from(a, 3), judge_str_from(b, 4));
}


/* A type "max_@" gets the name in place of its mark. */

static judge_rc_e
judge_require_add(judge_require_t *q, const char *type, const char *name,
    judge_json_t *value)
{
    size_t               i, len;
    judge_str_t          whole;
    judge_check_sent_t  *c;

    len = strcspn(type, "@%");
    whole = judge_str_printf(q->arena, "%.*s%s", (int) len, type,
                             type[len] ? name : "");
    if (whole.data == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < q->n; i++) {
        if ((judge_str_eq(q->checks[i].type, whole)
             && (value == NULL || value->type != JUDGE_JSON_STRING
                 || judge_str_eq_c(whole, "language")))
            || (value == NULL && q->checks[i].value == NULL
                && judge_require_contrary(q->checks[i].type, whole)))
        {
            return JUDGE_OK;
        }
    }

    if (q->n == JUDGE_REQUIRE_CHECKS || (type[len] && name[0] == '\0')) {
        return JUDGE_OK;
    }

    c = &q->checks[q->n++];
    c->type = whole;
    c->value = value;
    c->origin = JUDGE_STR(JUDGE_CHECK_DESCRIPTION);

    return JUDGE_OK;
}


/* What contradicts itself was misunderstood: then nothing is checked. */

static void
judge_require_agree(judge_require_t *q)
{
    size_t                     i, k;
    const judge_check_sent_t  *a, *b;

    for (i = 0; i < q->n; i++) {
        for (k = 0; k < q->n; k++) {
            a = &q->checks[i];
            b = &q->checks[k];

            if (judge_str_starts(a->type, JUDGE_STR("min_"))
                && judge_str_starts(b->type, JUDGE_STR("max_"))
                && judge_str_eq(judge_str_from(a->type, 4),
                                judge_str_from(b->type, 4))
                && a->value->integer > b->value->integer)
            {
                q->n = 0;
                return;
            }
        }
    }
}


/* --- What is left -------------------------------------------------------- */

static bool
judge_require_any(const char *const *words, judge_str_t word, bool begins)
{
    for (; *words; words++) {
        if (begins ? judge_str_casestarts(word, judge_str_c(*words))
                   : judge_str_caseeq(word, judge_str_c(*words)))
        {
            return true;
        }
    }

    return false;
}


static judge_rc_e
judge_require_rest(judge_arena_t *arena, judge_str_t rest,
    judge_required_t *out)
{
    size_t        i;
    judge_str_t   word;
    judge_text_t  t;

    if (judge_text_parse(&t, arena, rest) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    out->whole = true;

    for (i = 0; i < t.ntokens; i++) {
        if (t.tokens[i].type == JUDGE_NO_TYPE) {
            continue;
        }

        word = judge_token_str(&t, &t.tokens[i]);
        out->whole = out->whole
                     && judge_require_any(judge_require_filler, word, false);
        out->judgement = out->judgement
                         || judge_require_any(judge_require_judgement, word,
                                              true);
    }

    return JUDGE_OK;
}


/* --- Together with what was given ---------------------------------------- */

static bool
judge_require_same(judge_arena_t *arena, const judge_check_sent_t *a,
    const judge_check_sent_t *b)
{
    judge_str_t  x, y;

    if (!judge_str_eq(a->type, b->type)
        || (a->value == NULL) != (b->value == NULL))
    {
        return false;
    }

    if (a->value == NULL) {
        return true;
    }

    x = judge_json_value_text(arena, a->value);
    y = judge_json_value_text(arena, b->value);

    return x.data && y.data && judge_str_eq(x, y);
}


/* Many put it into the name ("No exclamation marks"). */

static judge_rc_e
judge_require_said(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_required_t *out)
{
    judge_rc_e        rc;
    judge_required_t  named;

    rc = judge_require(arena, description, out);
    if (rc != JUDGE_OK || out->checks.count > 0) {
        return rc;
    }

    rc = judge_require(arena, name, &named);
    if (rc == JUDGE_OK && named.checks.count > 0) {
        named.whole = named.whole && out->whole;
        named.judgement = named.judgement || out->judgement;
        *out = named;
    }

    return rc;
}


judge_rc_e
judge_require_merge(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_list_t *checks, bool *decided)
{
    bool                 on, given;
    size_t               i, k, n;
    judge_rc_e           rc;
    judge_required_t     found;
    judge_check_sent_t  *sent, *all, *required;

    rc = judge_require_said(arena, name, description, &found);
    if (rc != JUDGE_OK) {
        return rc;
    }

    sent = checks->items;
    required = found.checks.items;
    all = judge_array_alloc(arena, checks->count + found.checks.count,
                            sizeof(judge_check_sent_t));
    if (all == NULL && checks->count + found.checks.count) {
        return JUDGE_NOMEM;
    }

    for (i = 0, n = 0, given = false, on = false; i < checks->count; i++) {
        for (k = 0; k < found.checks.count; k++) {
            if (required[k].type.data
                && judge_require_same(arena, &sent[i], &required[k]))
            {
                required[k].type = (judge_str_t) { 0, NULL };
                break;
            }
        }

        if (k < found.checks.count
            || !judge_str_eq_c(sent[i].origin, JUDGE_CHECK_DESCRIPTION))
        {
            given = given || !judge_str_eq_c(sent[i].origin,
                                             JUDGE_CHECK_DESCRIPTION);
            on = on || !sent[i].on.set || sent[i].on.value;
            all[n++] = sent[i];
        }
    }

    for (k = 0; k < found.checks.count && n < JUDGE_CHECKS_MAX; k++) {
        if (required[k].type.data) {
            all[n++] = required[k];
            on = true;
        }
    }

    *checks = (judge_list_t) { all, n, true };
    *decided = on && (found.whole || (given && !found.judgement));

    return JUDGE_OK;
}
