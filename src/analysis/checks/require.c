/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A sentence becomes checks where all its words are known and each clause has
 * one of few meanings: a limit, a literal or a thing (link, date) that has to
 * be present or absent, how the text begins or ends, its language.  Sentences
 * are split into clauses at conjunctions.  The order of words in a clause does
 * not matter, so that one grammar serves all languages.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/checks/require.h"
#include "analysis/checks/require_table.h"


/* --- Clauses ------------------------------------------------------------- */

/* Merges clause d into clause c. */

static bool
judge_require_join(judge_require_clause_t *c, const judge_require_clause_t *d)
{
    bool    again;
    size_t  i;

    if (c->has['@'] + d->has['@'] > 2 || c->ncounts + d->ncounts > 2
        || c->has['%'] + d->has['%'] > JUDGE_REQUIRE_LIST
        || c->has['='] + d->has['='] > JUDGE_REQUIRE_LIST)
    {
        return false;
    }

    memcpy(c->things + c->has['%'], d->things,
           d->has['%'] * sizeof(c->things[0]));
    memcpy(c->literals + c->has['='], d->literals,
           d->has['='] * sizeof(c->literals[0]));
    memcpy(c->units + c->has['@'], d->units,
           d->has['@'] * sizeof(c->units[0]));
    memcpy(c->counts + c->ncounts, d->counts,
           d->ncounts * sizeof(c->counts[0]));
    c->ncounts += d->ncounts;
    c->or = c->or || d->or || d->has['/'];
    c->shape = d->shape.len ? d->shape : c->shape;
    again = c->has['%'] && d->has['%'] == 1
            && strcmp(c->things[0], d->things[0]) == 0;

    for (i = 0; i < 128; i++) {
        c->has[i] += d->has[i];
        c->names[i] = c->names[i] || i == 'X' ? c->names[i] : d->names[i];
    }

    c->has['%'] -= again;              /* "the sections … as headings" */

    return true;
}


/* Ends the last clause.  A bare enumeration is merged into the clause before,
 * one without a verb into the clause after ("a link and a date are given"). */

static bool
judge_require_close(judge_require_t *q)
{
    judge_require_clause_t  *c, *before;

    c = &q->clauses[q->nclauses - 1];
    before = q->nclauses > 1 ? c - 1 : NULL;

    if (before == NULL) {
        return true;
    }

    if (!judge_require_has_target(c)
        || !(c->has['h'] || c->has['N'] || c->has['A'] || c->has['Z']
             || c->has['r'] || c->has['c'] || c->ncounts || c->has['v']
             || c->has['J']))
    {
        /* "no link and a date", "no link but dates", "dates and names are" */
        if (c->has['b'] || (!judge_require_has_target(c)
                            && (c->has['&'] || c->has['/'])
                            && !c->has['E'] && !c->has['J'])
            || (before->has['N'] && c->has['&'] && c->has['a']
                            && !before->has['a'])
            || (before->ncounts && judge_require_has_target(c)
                && !before->has['t'] && !before->has['o']
                && !before->has['K']))
        {
            return false;
        }
        q->nclauses--;
        return judge_require_join(before, c);
    }

    /* "starts with neither A nor B" */
    if (c->has['n'] && (before->has['A'] || before->has['Z']
                        || before->ncounts))
    {
        return false;
    }

    if (c->after && q->nclauses == 2 && !before->ncounts
        && !(before->has['h'] || before->has['N'] || before->has['r']
             || before->has['A'] || before->has['Z'] || before->has['c']))
    {
        q->nclauses--;
        return judge_require_join(before, c);
    }

    return true;
}


static size_t
judge_require_counted(judge_require_t *q, judge_require_clause_t *c, size_t i)
{
    const judge_require_token_t  *t = &q->r.tokens[i];
    judge_require_count_t        *n;

    if (c->ncounts == 2) {
        return 0;
    }

    n = &c->counts[c->ncounts++];
    n->n = t->n;
    n->m = 0;
    n->how = c->names['X'] ? c->names['X'][0] : 0;
    c->names['X'] = NULL;

    if (i + 2 < q->r.n && t[2].kind == '#'
        && (t[1].kind == '-' || (t[1].kind == '&' && c->has['T'])
            || (t[1].kind == '/' && t[2].n == t->n + 1)))
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
        && !(next && t[1].kind == '#'))
    {
        last->how = t->kind;

    } else {
        c->names['X'] = t->kind == 'X' ? "X" : t->kind == 'x' ? "x"
                        : t->kind == 'L' ? "L" : "l";
    }
}


/* Adds token i to the clause; returns how many were used, 0: no room. */

static size_t
judge_require_take(judge_require_t *q, judge_require_clause_t *c, size_t i)
{
    const judge_require_token_t  *t = &q->r.tokens[i];
    char                          kind = t->kind;

    if (kind == '#') {
        return judge_require_counted(q, c, i);
    }

    if (strchr("XxLl", kind)) {
        judge_require_how(c, t, i + 1 < q->r.n);
        return 1;
    }

    if (kind == 'o') {                 /* "once" */
        c->counts[0] = (judge_require_count_t) {
            c->names['X'] ? c->names['X'][0] : 0,
            t->name[0] == 'o' ? 1 : t->name[1] == 'w' ? 2 : 3, 0 };
        c->names['X'] = NULL;
        c->ncounts = 1;
    }

    /* "Word count: 20 words", "as a list with bullet points" */
    if ((kind == '@' && c->has['@'] && strcmp(t->name, c->units[0]) == 0)
        || (kind == '%' && c->has['%']
            && strcmp(t->name, c->things[0]) == 0))
    {
        return 1;
    }

    if (kind == '~') {
        c->shape = t->text;
        return 1;
    }

    /* A clause takes further things or literals only by conjunctions. */
    if ((kind == '@' && c->has['@'] == 2)
        || (kind == '=' && c->has['='] && !c->has['B'])
        || (kind == '%' && (c->has['%'] > 2
            || (c->has['%'] && !judge_require_form(t->name)
                && strcmp(c->things[0], "title") != 0 && !c->has['P']))))
    {
        return 0;
    }

    if (kind == '@') {
        c->units[c->has['@']] = t->name;
    } else if (kind == '%') {
        c->things[c->has['%']] = t->name;
        c->plural = c->plural || t->text.data[t->text.len - 1] == 's';
    } else if (kind == '=') {
        c->literals[c->has['=']] = *t;
    }

    c->after = c->after || (strchr("hNrc", kind)
                              && judge_require_has_target(c));
    c->has[(size_t) kind]++;
    c->names[(size_t) kind] = t->name;

    return 1;
}


/* Likewise a token that may separate clauses. */

static size_t
judge_require_part(judge_require_t *q, judge_require_clause_t *c, size_t i)
{
    const judge_require_token_t  *t = &q->r.tokens[i];

    /* "bis 20", "names and dates" */
    if ((t->kind == '-' && q->r.language == 1 && i + 1 < q->r.n
         && t[1].kind == '#')
        || (c->has['h'] && strchr("&/", t->kind)
            && !judge_require_has_target(c)))
    {
        return 0;
    }

    if (t->kind != '-' && judge_require_has_target(c)) {
        if (!judge_require_close(q) || q->nclauses == JUDGE_REQUIRE_CLAUSES) {
            return 0;
        }
        c = &q->clauses[q->nclauses++];
        memset(c, 0, sizeof(judge_require_clause_t));
    }

    c->has[(size_t) t->kind]++;
    c->has['N'] += t->kind == 'n';

    return 1;
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

    judge_require_trim(&q->r, s, aside);

    memset(q->clauses, 0, sizeof(q->clauses));
    q->nclauses = 1;

    for (i = 0; i < q->r.n; i += used) {
        t = &q->r.tokens[i];
        c = &q->clauses[q->nclauses - 1];

        c->has['M'] += t->kind == 'M';

        if (strchr(",&/nb-", t->kind)) {
            used = judge_require_part(q, c, i);
        } else {
            used = strchr("MSU", t->kind) ? 1 : judge_require_take(q, c, i);
        }

        if (used == 0 || strchr("?pFQ", t->kind)) {
            return JUDGE_NOT_FOUND;
        }
    }

    if (q->r.n == 0) {
        return JUDGE_OK;
    }

    if (!judge_require_close(q)) {
        return JUDGE_NOT_FOUND;
    }

    for (i = 0; i < q->nclauses; i++) {
        if (!judge_require_clause(q, &q->clauses[i])
            || q->clauses[i].names['X'])
        {
            return q->failed ? JUDGE_NOMEM : JUDGE_NOT_FOUND;
        }
    }

    return JUDGE_OK;
}


/* --- A description ------------------------------------------------------- */

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


static judge_rc_e
judge_require_open(judge_arena_t *arena, judge_require_t **out)
{
    size_t            i;
    judge_rc_e        rc;
    judge_require_t  *q = judge_calloc(arena, sizeof(judge_require_t));

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
        { judge_require_where, &q->r.place },
        { judge_require_owner, &q->r.of },
        { judge_require_asking, &q->r.asks }
    };

    *out = q;
    q->arena = arena;
    q->r.arena = arena;
    q->r.reader = judge_regex_reader(arena);
    rc = q->r.reader ? JUDGE_OK : JUDGE_NOMEM;

    for (i = 0; i < sizeof(all) / sizeof(all[0]) && rc == JUDGE_OK; i++) {
        rc = judge_regex_compile(arena, judge_str_c(all[i].expression),
                                 JUDGE_REGEX_OWN, all[i].regex, NULL);
    }

    return rc;
}


/* Tries a sentence in the languages that know most of its words, then without
 * what stands in parentheses. */

static judge_rc_e
judge_require_any(judge_require_t *q, judge_str_t s)
{
    size_t      i, k, n = q->n, unknown[JUDGE_REQUIRE_LANGUAGES];
    size_t      best = 0;
    judge_rc_e  rc = JUDGE_NOT_FOUND;

    for (i = 0; i < JUDGE_REQUIRE_LANGUAGES; i++) {
        q->r.language = i;
        if (judge_require_read(&q->r, s) == JUDGE_NOMEM) {
            return JUDGE_NOMEM;
        }

        for (k = 0, unknown[i] = 0; k < q->r.n; k++) {
            unknown[i] += q->r.tokens[k].kind == '?';
        }
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

    } else if (q->name) {
        q->spoken = q->r.language;
        q->nsubject = q->r.n;
        memcpy(q->subject, q->r.tokens,
               q->r.n * sizeof(judge_require_token_t));
    }

    return rc;
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
    judge_require_t  *q;

    rc = judge_require_open(arena, &q);

    return rc == JUDGE_OK ? judge_require_text(q, description, out) : rc;
}


/* --- Merging with checks of the client ----------------------------------- */

/* Removes the prefix: "max_words" becomes "words". */

static void
judge_require_kind(judge_str_t *type)
{
    const char  *p = memchr(type->data, '_', type->len);

    if (p) {
        type->len -= (size_t) (p + 1 - type->data);
        type->data = p + 1;
    }
}


/* Adds a check of the name, unless the description has one of the same kind
 * ("At most 60 words": "between 40 and 60 words"). */

static void
judge_require_also(judge_require_t *q, const judge_check_sent_t *c)
{
    size_t       i;
    judge_str_t  kinds[2];

    for (i = 0; i < q->n; i++) {
        kinds[0] = q->checks[i].type;
        kinds[1] = c->type;
        judge_require_kind(&kinds[0]);
        judge_require_kind(&kinds[1]);

        if (judge_str_eq(kinds[0], kinds[1])
            && !judge_str_eq_c(kinds[0], "regex"))
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
judge_require_said(judge_arena_t *arena, judge_str_t name,
    judge_str_t description, judge_required_t *out)
{
    size_t             i;
    judge_rc_e         rc;
    judge_require_t   *q;
    judge_required_t   named;

    rc = judge_require_open(arena, &q);
    if (rc != JUDGE_OK) {
        return rc;
    }

    q->name = true;
    rc = judge_require_text(q, name, &named);
    if (rc != JUDGE_OK) {
        return rc;
    }

    for (i = 0; i < q->r.n; i++) {
        q->r.reference = q->r.reference
                         || strcmp(q->r.tokens[i].name, "reference") == 0;
    }

    q->name = false;
    q->nsubject = named.whole && named.checks.count > 0 ? q->nsubject : 0;
    rc = judge_require_text(q, description, out);

    if (rc != JUDGE_OK || named.checks.count == 0) {
        return rc;
    }

    if (out->checks.count == 0) {
        named.whole = named.whole && out->whole;
        named.judgement = named.judgement || out->judgement;
        *out = named;
        return JUDGE_OK;
    }

    for (i = 0; i < named.checks.count && q->nsubject && !q->bare; i++) {
        judge_require_also(q, (judge_check_sent_t *) named.checks.items + i);
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
