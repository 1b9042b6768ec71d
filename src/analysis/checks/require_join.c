/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How the clauses of a requirement hang together. */


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


/* Whether clause c says more of what clause `before` names; *joins: it becomes
 * a part of that one. */

static bool
judge_require_borrows(judge_require_clause_t *c,
    judge_require_clause_t *before, bool *joins)
{
    *joins = false;

    /* "three lines, each with at most 50 characters" */
    if (c->has['P'] == 1 && c->has['@'] == 1 && c->ncounts && !c->has['%']
        && !c->has['='] && !c->has['i'] && before->has['@'] == 1)
    {
        c->units[c->has['@']++] = c->units[0];
        c->units[0] = before->units[0];
        return true;
    }

    if (judge_require_has_target(c) || !judge_require_has_target(before)
        || (c->has['N'] && (before->has['N'] || c->ncounts != 1
                            || c->counts[0].how != 'l'))
        || c->has['K'] || c->has['P']
        || (c->has['i'] && !(before->has['%']
                             && strstr(before->things[0], "list"))))
    {
        return false;
    }

    /* "Hashtags are fine, but no more than three", "one link, no more" */
    if ((c->ncounts || c->names['X'] || c->has['E']
         || (c->has['J'] && c->has['a']))
        && !c->has['A'] && !c->has['Z']
        && (before->ncounts == 0 || !c->ncounts || before->ncounts == 1))
    {
        if (before->ncounts == 0 && c->ncounts == 0) {
            before->names['X'] = c->names['X'];
        }
        c->has['E'] += !c->ncounts && before->ncounts
                       && before->counts[0].how == 0;
        c->names['X'] = NULL;
        before->has['c'] = 0;
        *joins = true;
        return true;
    }

    /* "one question mark, and it has to be the last character" */
    if ((c->has['A'] || c->has['Z']) && !c->ncounts && !c->has['V']
        && before->has['%'] + before->has['='] == 1 && !before->has['@']
        && !before->has['A'] && !before->has['Z'] && !before->has['N'])
    {
        c->things[0] = before->things[0];
        c->literals[0] = before->literals[0];
        c->has['%'] = before->has['%'];
        c->has['='] = before->has['='];
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
             || (!target && (c->has['&'] || c->has['/']) && !c->has['E']
                 && !c->has['J'])
             || (before->has['N'] && c->has['&'] && c->has['a']
                 && !before->has['a'])
             || (before->ncounts && target && !before->has['t']
                 && !before->has['o'] && !before->has['K']));
}


/* "The first line … and no digits": in the line or in the text?  "Never
 * 'cheap', nor in capitals": the word or the text? */

static bool
judge_require_ambiguous(const judge_require_clause_t *before,
    const judge_require_clause_t *c)
{
    return (before->has['A'] && before->names['A'][0] && !c->has['A']
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

    if (judge_require_ambiguous(before, c)) {
        return false;
    }

    if (!judge_require_has_target(c)
        || !(c->has['h'] || c->has['N'] || c->has['A'] || c->has['Z']
             || c->has['r'] || c->has['c'] || c->ncounts || c->has['v']
             || c->has['J'] || c->has['K']
             || (c->names['X'] && c->has['a'])))
    {
        if (before->shape.len && judge_require_has_target(c)) {
            c->has['h']++;             /* "… in the form X, and a link" */
            return !before->has['N'];
        }

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
