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
    bool  again;

    if ((c->has & d->has & JR_LANGUAGE) || c->nunits + d->nunits > 2
        || c->ncounts + d->ncounts > 2
        || c->nthings + d->nthings > JUDGE_REQUIRE_LIST
        || c->nliterals + d->nliterals > JUDGE_REQUIRE_LIST)
    {
        return false;
    }

    memcpy(c->things + c->nthings, d->things,
           d->nthings * sizeof(c->things[0]));
    memcpy(c->literals + c->nliterals, d->literals,
           d->nliterals * sizeof(c->literals[0]));
    memcpy(c->units + c->nunits, d->units, d->nunits * sizeof(c->units[0]));
    memcpy(c->counts + c->ncounts, d->counts,
           d->ncounts * sizeof(c->counts[0]));
    c->ncounts += d->ncounts;
    c->alternative = c->alternative || d->alternative || (d->has & JR_OR);
    again = c->nthings && d->nthings == 1
            && strcmp(c->things[0], d->things[0]) == 0;

    c->has |= d->has;
    c->begins = c->begins ? c->begins : d->begins;
    c->ends = c->ends ? c->ends : d->ends;
    c->noun = c->noun ? c->noun : d->noun;
    c->language = c->language ? c->language : d->language;
    c->nedges += d->nedges;
    c->nunits += d->nunits;
    c->nliterals += d->nliterals;
    c->nthings += d->nthings - again;  /* "the sections … as headings" */

    return true;
}


/* Whether clause c only says more of what clause `before` names: "Hashtags are
 * fine, but no more than three", "one link, no more". */

static bool
judge_require_borrows(judge_require_clause_t *c,
    judge_require_clause_t *before)
{
    if (judge_require_has_target(c) || !judge_require_has_target(before)
        || (c->has & (JR_EACH | JR_EDGES | JR_KEY))
        || !(c->ncounts || c->how || (c->has & JR_EXACT)
             || ((c->has & JR_ONLY) && (c->has & JR_ARTICLE))))
    {
        return false;
    }

    if (!c->ncounts && before->ncounts && before->counts[0].how == 0
        && !(c->how && before->counts[0].m))
    {
        before->counts[0].how = c->how;
        c->has |= c->how ? 0 : JR_EXACT;
    }

    c->how = 0;
    before->has &= ~(uint64_t) JR_ALLOWED;

    return true;
}


/* Whether clause c only lists more of what clause `before` asks for; not in
 * "no link and a date", "no link but dates", "dates and names are", "no links,
 * names". */

static bool
judge_require_lists(const judge_require_clause_t *before,
    const judge_require_clause_t *c)
{
    bool  target = judge_require_has_target(c);

    return !((c->has & JR_BUT)
             || ((c->has & JR_NOT) && !target && !(before->has & JR_NOT)
                 && !c->inverted && (c->has & JR_MARK))
             || (!target && (c->has & (JR_AND | JR_OR))
                 && !(c->has & (JR_EXACT | JR_ONLY)))
             || (!target && (before->has & c->has & JR_NOT)
                 && (c->has & JR_HAS) && (c->has & JR_MARK))
             || (!target && c->noun && c->noun[0] && (before->has & JR_NOT))
             || ((before->has & JR_NOT) && (c->has & JR_AND)
                 && (c->has & JR_ARTICLE) && !(before->has & JR_ARTICLE))
             || (before->ncounts && target
                 && !(c->nliterals && before->counts[0].how == 0
                      && before->counts[0].n > (int64_t) before->nliterals)
                 && !(before->has & (JR_ONCE | JR_TIMES))
                 && !((before->has | c->has) & JR_KEY)));
}


bool
judge_require_of_line(const judge_require_t *q)
{
    const char  *name = q->r.tokens[0].name;

    return (strcmp(name, "line") == 0 || strcmp(name, "title") == 0)
           && q->r.tokens[0].kind != JR_ENDS
           && judge_require_skip(&q->r, 0, ~(uint64_t) (JR_TEXT | JR_SPEAKER))
              == q->r.n;
}


/* "The first line … and no digits": in the line or in the text?  "Never
 * 'cheap', nor in capitals": the word or the text? */

static bool
judge_require_ambiguous(const judge_require_clause_t *before,
    const judge_require_clause_t *c)
{
    return ((before->has & JR_BEGINS) && before->begins[0]
            && !(c->has & JR_BEGINS) && !(c->nunits && c->ncounts)
            && !((c->has & JR_ENDS) && c->nliterals)
            && judge_require_has_target(c))
           /* "six bullets, and none ends in a stop" */
           || (before->nthings && strstr(before->things[0], "list")
               && (c->has & JR_EDGES))
           || (before->nliterals && c->nthings
               && strstr("caps capitals lower", c->things[0]));
}


bool
judge_require_close(judge_require_t *q)
{
    judge_require_clause_t  *c = &q->clauses[q->nclauses - 1], *before = c - 1;

    if (q->nclauses == 1) {
        return true;
    }

    /* "Three paragraphs, none of more than 40 words" */
    if ((c->has & JR_NOT) && c->ncounts == 1 && c->nunits == 1
        && c->counts[0].how == JR_MORE && before->nunits == 1)
    {
        c->units[c->nunits++] = before->units[0];
    }

    if (judge_require_borrows(c, before)) {
        q->nclauses--;
        return judge_require_join(before, c);
    }

    if (judge_require_ambiguous(before, c) && !judge_require_of_line(q)) {
        return false;
    }

    /* "Reject when 'a' or 'b' shows up" */
    if (!judge_require_has_target(c)
        || ((c->has & JR_OR) && c->inverted && !before->inverted
            && !before->listed && ((before->has | c->has) & JR_NOT))
        || ((c->has & JR_KEY) && !c->nthings && !(c->has & JR_NOT)
            && before->nthings == 1 && strcmp(before->things[0], "json") == 0)
        || !(c->ncounts
             || (c->has & (JR_EDGES | JR_HAS | JR_NOT | JR_REQUIRED | JR_KEY
                           | JR_ALLOWED | JR_ONLY | JR_VERB))))
    {
        q->nclauses--;
        before->listed = true;
        return judge_require_lists(before, c)
               && judge_require_join(before, c);
    }

    /* "a date, and A or B are not there" */
    if (before->listed && (before->has & JR_HAS) && !(before->has & JR_NOT)
        && c->inverted && (c->has & JR_NOT) && (c->has & (JR_AND | JR_OR)))
    {
        return false;
    }

    if (c->inverted && q->nclauses == 2 && !before->ncounts
        && !(before->has & (JR_EDGES | JR_HAS | JR_NOT | JR_REQUIRED
                            | JR_ALLOWED)))
    {
        q->nclauses--;
        return judge_require_join(before, c);
    }

    return true;
}


bool
judge_require_format(const judge_require_clause_t *c)
{
    size_t  i;

    for (i = 0; i < c->nthings; i++) {
        if ((strstr("json xml yaml csv lower caps iso table plain h24"
                    " numbered_list dmy cents eur gbp usd brl first_person"
                    " second_person passive active thanks apology informal"
                    " quoted", c->things[i])
             && strcmp(c->things[i], "number") != 0
             /* "written in the passive", but not "passive voice" alone */
             && (strcmp(c->things[i], "passive") != 0
                 || (c->has & JR_VERB)))
            || (c->nthings > 1 && strstr("greeting sign_off", c->things[i])))
        {
            return true;
        }
    }

    return false;
}


void
judge_require_complete(judge_require_clause_t *c)
{
    size_t  i;

    if ((c->has & (JR_EXACT | JR_ONLY)) && (c->has & JR_ARTICLE)
        && c->ncounts == 0)
    {
        c->counts[c->ncounts++] = (judge_require_count_t) { c->how, 1, 0 };
        c->how = 0;
    }

    if (c->nliterals == 1 && judge_require_formed(&c->literals[0])) {
        c->nthings = 0;                /* "a dollar price like $9.50" */
    }

    if (c->nthings == 1 && c->ncounts && strcmp(c->things[0], "fence") == 0) {
        c->things[0] = "code";         /* two fences are one block */
    }

    if (c->nliterals && c->nthings == 1 && !(c->has & (JR_KEY | JR_NOT))
        && !(c->listed && (c->has & JR_AND)        /* "'Ann' and a date" */
             && !(c->plural && c->nliterals > 1))
        && strstr("phone price date time number percentage email iso hashtag"
                  " reference link greeting sign_off postcode placeholder",
                  c->things[0]))
    {
        c->nthings = 0;                /* "the price of $49" */
    }

    for (i = 0; i < c->nthings; i++) {
        if (strcmp(c->things[i], "title") == 0
            && !(c->has & (JR_ENDS | JR_HAS))
            && c->nthings + c->nunits + c->nliterals > 1)
        {
            c->things[i] = c->things[--c->nthings];
            c->begins = c->nliterals ? "title" : "line";
            c->has |= JR_BEGINS;
            c->nedges++;
            break;
        }
    }
}
