/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Joins the clauses of a sentence that hang together. */


#include <string.h>

#include "analysis/checks/require_table.h"


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
    again = c->has['%'] && d->has['%'] == 1
            && strcmp(c->things[0], d->things[0]) == 0;

    for (i = 0; i < 128; i++) {
        c->has[i] += d->has[i];
        c->names[i] = c->names[i] || i == 'X' ? c->names[i] : d->names[i];
    }

    c->has['%'] -= again;              /* "the sections … as headings" */

    return true;
}


/* Whether clause c says more of what clause `before` names; *joins: it becomes
 * a part of that one. */

static bool
judge_require_borrows(judge_require_clause_t *c,
    judge_require_clause_t *before, bool *joins)
{
    *joins = false;

    if (judge_require_has_target(c) || !judge_require_has_target(before)
        || c->has['K'] || c->has['P'])
    {
        return false;
    }

    /* "Hashtags are fine, but no more than three", "one link, no more" */
    if ((c->ncounts || c->names['X'] || c->has['E']
         || (c->has['J'] && c->has['a']))
        && !c->has['A'] && !c->has['Z'])
    {
        if (!c->ncounts && before->ncounts && before->counts[0].how == 0
            && !(c->names['X'] && before->counts[0].m))
        {
            before->counts[0].how = c->names['X'] ? c->names['X'][0] : 0;
            c->has['E'] += !c->names['X'];
        }

        c->names['X'] = NULL;
        before->has['c'] = 0;
        *joins = true;
        return true;
    }

    return false;
}


/* Whether clause c only lists more of what clause `before` asks for; not in
 * "no link and a date", "no link but dates", "dates and names are". */

static bool
judge_require_lists(const judge_require_clause_t *before,
    const judge_require_clause_t *c)
{
    bool  target = judge_require_has_target(c);

    return !(c->has['b']
             || (c->has['N'] && !target && !before->has['N'] && !c->after
                 && c->has[','])
             || (!target && (c->has['&'] || c->has['/']) && !c->has['E']
                 && !c->has['J'])
             || (before->has['N'] && c->has['&'] && c->has['a']
                 && !before->has['a'])
             || (before->ncounts && target && !before->has['t']
                 && !before->has['o'] && !before->has['K']
                 && !c->has['K']));
}


bool
judge_require_of_line(const judge_require_t *q)
{
    size_t  i;

    for (i = 0; i < q->r.n && !strchr("US", q->r.tokens[i].kind); i++) {
        /* void */
    }

    return i == q->r.n && q->r.n > 0 && q->r.tokens[0].kind == 'A'
           && q->r.tokens[0].name[0] == 'l';
}


/* "The first line … and no digits": in the line or in the text?  "Never
 * 'cheap', nor in capitals": the word or the text? */

static bool
judge_require_ambiguous(const judge_require_clause_t *before,
    const judge_require_clause_t *c)
{
    return (before->has['A'] && before->names['A'][0] && !c->has['A']
            && !(c->has['@'] && c->ncounts)
            && !(c->has['Z'] && c->has['=']) && judge_require_has_target(c))
           || (before->has['='] && c->has['%']
               && strstr("caps lower capital", c->things[0]));
}


bool
judge_require_close(judge_require_t *q)
{
    bool                     joins;
    judge_require_clause_t  *c = &q->clauses[q->nclauses - 1], *before = c - 1;

    if (q->nclauses == 1) {
        return true;
    }

    if (judge_require_borrows(c, before, &joins)) {
        q->nclauses -= joins;
        return !joins || judge_require_join(before, c);
    }

    if (judge_require_ambiguous(before, c) && !judge_require_of_line(q)) {
        return false;
    }

    /* "Reject when 'a' or 'b' shows up" */
    if (!judge_require_has_target(c)
        || (c->has['/'] && c->after && !before->after && !before->listed
            && (before->has['N'] || c->has['N']))
        || (c->has['K'] && !c->has['%'] && !c->has['N']
            && before->has['%'] == 1 && strcmp(before->things[0], "json") == 0)
        || !(c->has['h'] || c->has['N'] || c->has['A'] || c->has['Z']
             || c->has['r'] || c->has['c'] || c->ncounts || c->has['v']
             || c->has['J'] || c->has['K']))
    {
        q->nclauses--;
        before->listed = true;
        return judge_require_lists(before, c)
               && judge_require_join(before, c);
    }

    /* "a date, and A or B are not there" */
    if (before->listed && before->has['h'] && !before->has['N'] && c->after
        && c->has['N'] && (c->has['&'] || c->has['/']))
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
