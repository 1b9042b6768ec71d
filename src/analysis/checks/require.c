/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A sentence becomes checks where each clause has one of few meanings, and the
 * words that nobody listed change nothing of it: a limit, a literal or a thing
 * (link, date) that has to be present or absent, how the text begins or ends,
 * its language.  Sentences are split into clauses at conjunctions.  The order
 * of words in a clause does not matter, so that one grammar serves all
 * languages.
 */


#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/checks/require.h"
#include "analysis/checks/require_table.h"


#define JUDGE_REQUIRE_SCRATCH  (128 * 1024)      /* a usual description */


/* --- Clauses ------------------------------------------------------------- */

static size_t
judge_require_counted(judge_require_t *q, judge_require_clause_t *c, size_t i)
{
    const judge_require_token_t  *t = &q->r.tokens[i];
    judge_require_count_t        *n;

    if (c->ncounts == 2
        || (i > 0 && t[-1].kind == JR_THING           /* "question 3" */
            && t->text.data == t[-1].text.data + t[-1].text.len + 1
            && !judge_require_at(&q->r, i + 1, JR_LIMITS | JR_DASH | JR_ITEM
                                 | JR_THING | JR_TIMES | JR_UNIT))
        || (c->nthings == 1                           /* "a price below 9" */
            && strstr("date number percentage price time", c->things[0])))
    {
        return 0;
    }

    n = &c->counts[c->ncounts++];
    n->n = t->n;
    n->m = 0;
    n->how = c->how;
    c->how = 0;

    if (i + 2 < q->r.n && t[2].kind == JR_NUMBER
        && (t[1].kind == JR_DASH || (t[1].kind == JR_OR && t[2].n == t->n + 1)
            || (t[1].kind == JR_AND && (c->has & JR_RANGE))))
    {
        n->m = t[2].n;
        return n->m > n->n ? 3 : 0;
    }

    return 1;
}


/* A word of a limit belongs to the number before it ("25 words at most"), or
 * else to the next one. */

static void
judge_require_how(judge_require_clause_t *c, const judge_require_token_t *t,
    bool next)
{
    judge_require_count_t  *last = &c->counts[c->ncounts ? c->ncounts - 1 : 0];

    if (c->ncounts && (last->how == 0 || last->how == t->kind)
        && !(next && t[1].kind == JR_NUMBER))
    {
        last->how = t->kind;

    } else {
        c->how = t->kind;
    }
}


/* Whether a clause has no room for another target: it takes further ones only
 * by conjunctions, or where one is the form of another. */

static bool
judge_require_crowded(const judge_require_t *q,
    const judge_require_clause_t *c, size_t i)
{
    const judge_require_token_t  *t = &q->r.tokens[i];
    const char                   *thing = c->nthings ? c->things[0] : "";

    static const char *const  without[] = {
        "without", "ohne", "sin", "sans", "sem", NULL
    };

    switch (t->kind) {

    case JR_ARTICLE:                   /* "more than a greeting" */
        return c->how == JR_MORE && judge_require_at(&q->r, i + 1, JR_THING);

    case JR_LANGUAGE:
        return c->has & JR_LANGUAGE;

    case JR_UNIT:
        return c->nunits == 2;

    case JR_LITERAL:
        return c->nliterals;

    case JR_NOT:                       /* "thanks without flattery" */
        return (judge_str_caseamong(t->text, without)
                && (judge_require_has_target(c)
                    || (i > 0 && ((t[-1].kind & JR_HAS)
                                  || judge_require_mark(t - 1, '(')))))
               || ((c->has & JR_ALLOWED) && t->name[0] == 'l');  /* "omit" */

    case JR_NOUN:                      /* "a greeting with the name" */
        return c->nthings && i > 0
               && ((t[-1].kind & JR_HAS) || (c->has & JR_NOT))
               && !judge_require_at(&q->r, i + 1, JR_LITERAL);

    case JR_THING:
        return c->nthings > 2          /* "'Ann' in the greeting" */
               || (c->nliterals && strstr("greeting sign_off", t->name))
               || (thing[0] && !judge_require_form(t->name)
                   && (!judge_require_form(thing)
                       || strcmp(thing, "date") == 0)
                   && !(c->has & JR_EACH));

    default:
        return false;
    }
}


/* Adds token i to the clause; returns how many were used, 0: no room. */

static size_t
judge_require_take(judge_require_t *q, judge_require_clause_t *c, size_t i)
{
    const judge_require_token_t  *t = &q->r.tokens[i];
    judge_require_kind_e          kind = t->kind;

    if (kind == JR_NUMBER) {
        return judge_require_counted(q, c, i);
    }

    if (judge_require_crowded(q, c, i)) {
        return 0;
    }

    if (kind == JR_ARTICLE && c->how && c->ncounts < 2) {
        c->counts[c->ncounts++] = (judge_require_count_t) { c->how, 1, 0 };
        c->how = 0;
    }

    if (kind & JR_LIMITS) {
        judge_require_how(c, t, i + 1 < q->r.n);
        return 1;
    }

    if (kind == JR_ONCE) {
        c->counts[0] = (judge_require_count_t) {
            c->how, t->name[0] == 'o' ? 1 : t->name[1] == 'w' ? 2 : 3, 0 };
        c->how = 0;
        c->ncounts = 1;
    }

    if (kind == JR_UNIT) {
        c->units[c->nunits++] = t->name;
    } else if (kind == JR_THING) {
        c->things[c->nthings++] = t->name;
        c->plural = c->plural || t->text.data[t->text.len - 1] == 's';
    } else if (kind == JR_LITERAL) {
        c->literals[c->nliterals++] = *t;
    } else if (kind == JR_LANGUAGE) {
        c->language = t->name;
    } else if (kind == JR_NOUN) {
        c->noun = t->name;
    } else if (kind == JR_BEGINS) {
        c->begins = t->name;
    } else if (kind == JR_ENDS) {
        c->ends = t->name;
    }

    /* "the word 'now' in the first sentence" */
    if ((kind & JR_EDGES) && c->nliterals && t->name[0]
        && strstr("line sentence", t->name))
    {
        c->has |= JR_HAS;
    }

    c->nedges += (kind & JR_EDGES) != 0;
    c->inverted = c->inverted
               || ((kind & (JR_ALLOWED | JR_HAS | JR_NOT | JR_REQUIRED))
                   && judge_require_has_target(c));
    c->has |= kind;

    return 1;
}


/* Likewise a token that may separate clauses. */

static size_t
judge_require_part(judge_require_t *q, judge_require_clause_t *c, size_t i)
{
    const judge_require_token_t  *t = &q->r.tokens[i];

    if (i > 0 && judge_require_at(&q->r, i + 1, JR_NUMBER)
        && ((t->kind == JR_OR && t[-1].kind == JR_UNIT && !c->ncounts)
            || t[-1].kind == JR_ARTICLE))
    {
        return 0;                      /* "a line or two", "ein, zwei Sätze" */
    }

    /* "has, and names, dates", "no names or prices" */
    if (!judge_require_has_target(c)
        && (((c->has & JR_HAS) && (t->kind & (JR_AND | JR_OR)))
            || ((c->has & JR_NOUN)
                && !(t->kind == JR_MARK && t->text.data[0] != ',')
                && judge_require_at(&q->r, judge_require_skip(&q->r, i + 1,
                       JR_ARTICLE), JR_THING))))
    {
        return 0;
    }

    if (t->kind != JR_DASH && judge_require_has_target(c)) {
        if (!judge_require_close(q) || q->nclauses == JUDGE_REQUIRE_CLAUSES) {
            return 0;
        }
        c = &q->clauses[q->nclauses++];
        memset(c, 0, sizeof(judge_require_clause_t));
    }

    c->has |= t->kind == JR_NOR ? JR_NOR | JR_NOT : t->kind;

    return 1;
}


/* Whether a limit may be about a part of the text only, although no clause
 * says so: "line one: 50 characters", "eight digits". */

static bool
judge_require_partial(const judge_require_t *q)
{
    size_t                        i;
    const judge_require_token_t  *t;

    for (i = 0; i + 1 < q->r.n; i++) {
        t = &q->r.tokens[i];

        if ((t->kind == JR_NUMBER && t[1].kind == JR_THING
             && strcmp(t[1].name, "digit") == 0)
            || (t->kind == JR_UNIT && t[1].kind == JR_NUMBER
                && t[1].text.data == t->text.data + t->text.len + 1
                && strchr("lps", t->name[0])))
        {
            return true;
        }
    }

    return false;
}


/* Makes checks of the clauses. */

static judge_rc_e
judge_require_clauses(judge_require_t *q)
{
    size_t                   i;
    judge_require_clause_t  *c;

    for (i = 0; i < q->nclauses; i++) {
        c = &q->clauses[i];

        if (!(c->has & JR_BEGINS) && !c->nliterals
            && judge_require_of_line(q))
        {
            c->has |= JR_BEGINS;
            c->nedges++;
            c->begins = "line";
        }

        if (!judge_require_clause(q, c) || c->how) {
            return q->failed ? JUDGE_NOMEM : JUDGE_NOT_FOUND;
        }
    }

    return JUDGE_OK;
}


/* Whether a clause takes back its own no: "not without a price", "not only".
 * "No" and "never" may agree with another "no": "no se menciona ningún
 * precio". */

static bool
judge_require_negated_twice(const judge_require_reader_t *r)
{
    bool                          no, agrees;
    size_t                        i, count;
    const judge_require_token_t  *t;

    for (i = 0, count = 0, no = false; i < r->n && count < 2; i++) {
        t = &r->tokens[i];

        if (t->kind & (JR_JOINTS | JR_NOR)) {
            count = no = false;
        }

        if (t->kind == JR_NOT && judge_require_at(r, i + 1, JR_ONLY)) {
            return true;               /* "not only German" */
        }

        if (t->kind & JR_NEGATIONS) {
            agrees = strchr("NnJj", t->text.data[0])
                     || t->text.data[t->text.len - 1] == 'm';  /* "nenhum" */
            count += !(agrees && no);
            no = no || agrees;
        }
    }

    return count == 2;
}


/* Makes checks of a sentence, read in the language q->r.language. */

static judge_rc_e
judge_require_sentence(judge_require_t *q, judge_str_t s, bool aside)
{
    size_t                        i, used;
    judge_rc_e                    rc = judge_require_read(&q->r, s);
    judge_require_clause_t       *c;
    const judge_require_token_t  *t;

    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = judge_require_styled(q, s);
    rc = rc == JUDGE_NOT_FOUND ? judge_require_shouts(q) : rc;
    if (rc != JUDGE_NOT_FOUND) {
        return rc;
    }

    i = judge_require_skip(&q->r, 0, ~(uint64_t) (JR_NOUN | JR_UNKNOWN));
    q->others = i < q->r.n;
    judge_require_trim(&q->r, s, aside);
    rc = judge_require_negated_twice(&q->r)
         || judge_require_restricted(&q->r, s) ? JUDGE_INVALID
                                               : judge_require_whole(q);
    if (rc != JUDGE_NOT_FOUND) {
        return rc == JUDGE_INVALID ? JUDGE_NOT_FOUND : rc;
    }

    memset(q->clauses, 0, sizeof(q->clauses));
    q->nclauses = 1;

    for (i = 0; i < q->r.n; i += used) {
        t = &q->r.tokens[i];
        c = &q->clauses[q->nclauses - 1];

        if (t->kind & (JR_JOINTS | JR_DASH | JR_NOR)) {
            used = judge_require_part(q, c, i);
        } else {
            used = t->kind & (JR_FORM | JR_MUST | JR_SPEAKER | JR_TEXT)
                   ? 1 : judge_require_take(q, c, i);
        }

        /* "15 letters" are no limit of the text; "in the form AB-12". */
        if (used == 0 || (t->kind & JR_OPEN)
            || strcmp(t->name, "them") == 0
            || (t->kind == JR_TEXT && i > 0 && t[-1].kind == JR_NUMBER
                && t->text.data == t[-1].text.data + t[-1].text.len + 1)
            || (t->kind == JR_FORM
                && judge_require_at(&q->r, i + 1, JR_DASH | JR_LITERAL
                                    | JR_NUMBER | JR_UNKNOWN)))
        {
            return JUDGE_NOT_FOUND;
        }
    }

    if (q->r.n > 0 && (!judge_require_close(q) || judge_require_partial(q))) {
        return JUDGE_NOT_FOUND;
    }

    return q->r.n > 0 ? judge_require_clauses(q) : JUDGE_OK;
}


/* --- A description ------------------------------------------------------- */

static bool
judge_require_same(judge_arena_t *arena, const judge_check_sent_t *a,
    const judge_check_sent_t *b)
{
    judge_str_t  x, y;

    x = a->value ? judge_json_value_text(arena, a->value) : a->type;
    y = b->value ? judge_json_value_text(arena, b->value) : b->type;

    return judge_str_eq(a->type, b->type) && !a->value == !b->value
           && x.data && y.data && judge_str_eq(x, y);
}


/* Only the checks are in `arena`; all else is in `scratch`. */

static judge_rc_e
judge_require_open(judge_arena_t *arena, judge_arena_t *scratch,
    judge_require_t **out)
{
    size_t            i;
    judge_rc_e        rc;
    judge_require_t  *q;

    q = scratch ? judge_calloc(scratch, sizeof(judge_require_t)) : NULL;
    if (q == NULL) {
        return JUDGE_NOMEM;
    }

    const struct {
        const char      *expression;
        judge_regex_t  **regex;
    } all[] = {
        { judge_require_sentences, &q->sentences },
        { judge_require_parts, &q->r.parts },
        { judge_require_judgement, &q->r.judgement },
        { judge_require_ends_of_scale, &q->r.scale },
        { judge_require_where, &q->r.place },
        { judge_require_purposes, &q->r.purpose },
        { judge_require_asking, &q->r.asks },
        { judge_require_which, &q->r.which },
        { judge_require_relative, &q->r.relative },
        { judge_require_restricting, &q->r.restricting },
        { judge_require_verbs, &q->r.verb }
    };

    *out = q;
    q->arena = arena;
    q->r.arena = scratch;
    q->r.reader = judge_regex_reader(scratch);
    rc = q->r.reader ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < sizeof(all) / sizeof(all[0]) && rc == JUDGE_OK; i++) {
        rc = judge_regex_compile(scratch, judge_str_c(all[i].expression),
                                 JUDGE_REGEX_OWN, all[i].regex, NULL);
    }

    for (i = 0; i < JUDGE_REQUIRE_STYLES && rc == JUDGE_OK; i++) {
        rc = judge_regex_compile(scratch,
                 judge_str_c(judge_require_styles[i].expression),
                 JUDGE_REGEX_OWN, &q->styles[i], NULL);
    }

    return rc;
}


/* Counts the words of a text that each language does not know. */

static judge_rc_e
judge_require_unknown(judge_require_t *q, judge_str_t s, size_t *unknown)
{
    size_t                        i, k;
    const judge_require_token_t  *t;

    for (i = 0; i < JUDGE_REQUIRE_LANGUAGES; i++) {
        q->r.language = i;
        if (judge_require_read(&q->r, s) == JUDGE_NOMEM) {
            return JUDGE_NOMEM;
        }

        for (k = 0, unknown[i] = 0; k < q->r.n; k++) {
            t = &q->r.tokens[k];
            unknown[i] += t->kind == JR_UNKNOWN && t->name[0] == '\0';
        }
    }

    return JUDGE_OK;
}


/* Tries a sentence in the languages that know most of its words, then without
 * what stands in parentheses. */

static judge_rc_e
judge_require_any(judge_require_t *q, judge_str_t s)
{
    size_t      i, n = q->n, unknown[JUDGE_REQUIRE_LANGUAGES];
    size_t      best = 0;
    judge_rc_e  rc = JUDGE_NOT_FOUND;

    if (judge_require_unknown(q, s, unknown) == JUDGE_NOMEM) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < JUDGE_REQUIRE_LANGUAGES; i++) {
        unknown[i] += q->name ? q->unknown[i] : 0;
        best = unknown[i] < unknown[best] ? i : best;
    }

    for (i = 0; i < JUDGE_REQUIRE_LANGUAGES && rc == JUDGE_NOT_FOUND; i++) {
        if (unknown[i] == unknown[best]) {
            q->n = n;
            q->r.language = i;
            rc = judge_require_sentence(q, s, false);
        }
    }

    if (rc == JUDGE_NOT_FOUND) {
        q->n = n;
        q->r.language = best;
        rc = judge_require_sentence(q, s, true);
    }

    if (rc != JUDGE_OK) {
        q->n = n;

    } else if (q->name || (q->nsubject == 0 && q->n > n)) {
        q->spoken = q->r.language;
        q->nsubject = q->r.n;
        memcpy(q->subject, q->r.tokens,
               q->r.n * sizeof(judge_require_token_t));
    }

    return rc;
}


/* Whether a sentence is another way to meet those before it. */

static bool
judge_require_alternative(judge_require_t *q, judge_str_t s)
{
    q->r.language = q->spoken;

    return judge_require_read(&q->r, s) == JUDGE_OK
           && judge_require_at(&q->r, 0, JR_OR);
}


static judge_rc_e
judge_require_text(judge_require_t *q, judge_str_t text, judge_required_t *out)
{
    size_t       from, begin, end;
    judge_rc_e   rc;
    judge_str_t  s;

    memset(out, 0, sizeof(judge_required_t));

    if (text.len > JUDGE_REQUIRE_MAX || judge_utf8_check(text) != text.len) {
        return JUDGE_OK;
    }

    q->n = 0;
    q->checks = judge_array_alloc(q->arena, JUDGE_REQUIRE_CHECKS,
                                  sizeof(judge_check_sent_t));
    if (q->checks == NULL) {
        return JUDGE_NOMEM;
    }

    out->judgement = judge_require_finds(&q->r, q->r.judgement, text, 0);
    out->whole = true;

    for (from = 0; from < text.len; from = end) {
        judge_regex_take(q->r.reader, q->sentences);

        if (judge_regex_find(q->r.reader, text, from, &begin, &end)
            != JUDGE_OK)
        {
            end = from + 1;            /* a line feed */
            continue;
        }

        s = (judge_str_t) { end - begin, text.data + begin };
        rc = judge_require_any(q, s);
        if (rc == JUDGE_NOMEM) {
            return rc;
        }

        /* "In German. Or in English." */
        if (q->n && judge_require_alternative(q, s)) {
            q->n = 0;
            out->whole = false;
            break;
        }

        out->whole = out->whole
                     && (rc == JUDGE_OK || judge_require_restates(q, s));
    }

    out->checks = (judge_list_t) { q->checks, q->n, true };

    return JUDGE_OK;
}


judge_rc_e
judge_require(judge_arena_t *arena, judge_str_t description,
    judge_required_t *out)
{
    judge_rc_e        rc;
    judge_arena_t    *scratch = judge_arena_create(JUDGE_REQUIRE_SCRATCH);
    judge_require_t  *q;

    rc = judge_require_open(arena, scratch, &q);
    rc = rc ? rc : judge_require_text(q, description, out);
    judge_arena_destroy(scratch);

    return rc;
}


/* --- Merging with checks of the client ----------------------------------- */

/* The type without its prefix: "words" of "max_words". */

static judge_str_t
judge_require_kind(judge_str_t type)
{
    const char  *p = memchr(type.data, '_', type.len);

    return p ? judge_str_from(type, (size_t) (p + 1 - type.data)) : type;
}


/* Adds a check of the name, unless the description has one of the same kind
 * ("At most 60 words": "between 40 and 60 words"). */

static void
judge_require_also(judge_require_t *q, const judge_check_sent_t *c)
{
    size_t       i;
    judge_str_t  kind = judge_require_kind(c->type);

    for (i = 0; i < q->n; i++) {
        if (judge_require_same(q->arena, &q->checks[i], c)
            || (judge_str_eq(judge_require_kind(q->checks[i].type), kind)
                && !judge_str_eq_c(kind, "regex")))
        {
            return;
        }
    }

    if (q->n < JUDGE_REQUIRE_CHECKS) {
        q->checks[q->n++] = *c;
    }
}


/* The checks of a description, or those of the name ("No exclamation marks")
 * where the description gives none. */

static judge_rc_e
judge_require_said(judge_require_t *q, judge_str_t name,
    judge_str_t description, judge_required_t *out)
{
    bool                 whole;
    size_t               i;
    judge_rc_e           rc;
    judge_required_t     named;
    judge_check_sent_t  *also;

    /* A name is in the language of its description. */
    if (description.len <= JUDGE_REQUIRE_MAX
        && judge_utf8_check(description) == description.len
        && judge_require_unknown(q, description, q->unknown) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    q->name = true;
    q->r.strict = true;
    rc = judge_require_text(q, name, &named);
    if (rc != JUDGE_OK) {
        return rc;
    }

    q->name = false;
    q->r.strict = false;
    whole = named.whole && named.checks.count > 0;
    q->nsubject = whole ? q->nsubject : 0;
    rc = judge_require_text(q, description, out);

    rc = rc ? rc : judge_require_about(q, name, description);

    if (rc == JUDGE_NOT_FOUND) {
        out->checks.count = 0;
        out->whole = false;
        return JUDGE_OK;
    }

    if (rc != JUDGE_OK || named.checks.count == 0) {
        return rc;
    }

    if (out->checks.count == 0) {
        named.whole = named.whole && out->whole;
        named.judgement = named.judgement || out->judgement;
        *out = named;
        return JUDGE_OK;
    }

    for (i = 0; i < named.checks.count && whole; i++) {
        also = (judge_check_sent_t *) named.checks.items + i;

        /* "Sign-off" is a label where the description has the words of it */
        if (!(out->whole && (judge_str_eq_c(also->type, "has_greeting")
                             || judge_str_eq_c(also->type, "has_sign_off"))))
        {
            judge_require_also(q, also);
        }
    }

    out->checks.count = q->n;

    return rc;
}


judge_rc_e
judge_require_merge(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_list_t *checks, bool *decided)
{
    bool                 on, given;
    size_t               i, k, n;
    judge_rc_e           rc;
    judge_arena_t       *scratch = judge_arena_create(JUDGE_REQUIRE_SCRATCH);
    judge_require_t     *q;
    judge_required_t     found;
    judge_check_sent_t  *sent, *all, *required;

    rc = judge_require_open(arena, scratch, &q);
    rc = rc ? rc : judge_require_said(q, name, description, &found);
    judge_arena_destroy(scratch);
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
