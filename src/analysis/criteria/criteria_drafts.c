/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * An item becomes a criterion: a head of it is the name, all of it, in the
 * writer's words, the description.  And what a description says about weights:
 * "30%", "(weight 3)", "counts double", "half of the score is for", "10-20
 * points", and what becomes of it.
 */


#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "analysis/text/math.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_DRAFT_NAME         100   /* bytes; then it is cut at a word */
#define JUDGE_DRAFT_DESCRIPTION  5000
#define JUDGE_DRAFT_LABEL        8     /* words before a colon */

static double
judge_weigh_number(judge_str_t s)
{
    size_t  i;
    char    number[16] = "";

    for (i = 0; i < s.len && i < sizeof(number) - 1; i++) {
        number[i] = (s.data[i] == ',') ? '.' : s.data[i];
    }

    return strtod(number, NULL);
}


static bool
judge_weigh_match(judge_prose_t *p, judge_criteria_rule_e rule, judge_str_t s,
    judge_weigh_t *w)
{
    double       value, high;
    judge_str_t  times, g[8];
    unsigned     i;

    s.len = (s.len > JUDGE_CRITERIA_LONG) ? 0 : s.len;
    *w = (judge_weigh_t) { .at = judge_words_match(p, rule, s) };

    if (w->at.data == NULL) {
        return false;
    }

    times = judge_find(p, judge_before(s, w->at), TIMES);

    for (i = 1; i < 8; i++) {
        g[i] = judge_regex_group(p->rules[rule], s, i);
    }

    value = judge_weigh_number(g[1]);
    high = judge_weigh_number(g[2]);
    value = (value > 0 && high > 0) ? (value + high) / 2 : value + high;
    w->rest = g[7].data != NULL && times.data == NULL;

    if (g[7].data != NULL && !w->rest) {   /* "twice as much as the rest" */
        w->at = judge_through(times, s);
        g[5] = times;
    }

    w->first = w->at.data == s.data;

    if (g[5].data != NULL) {
        w->factor = fabs(judge_value(p, g[5], TIMES));

    } else if (g[6].data != NULL) {
        w->share = judge_value(p, g[6], SHARE);

    } else {
        *(g[3].data ? &w->share : &w->points) = value;
    }

    w->split = !judge_has(p, s, EACH) && w->factor == 0;

    /* "The most important thing comes first", "it names the price twice" and
     * "0 %" stay as they are written. */
    if ((w->rest || w->share + w->points + w->factor > 0)
        && !(w->factor > 0 && memchr(w->at.data, ':', w->at.len) == NULL
             && ((w->first && judge_begins(p, s, THE)
                  && !judge_has(p, judge_after(s, g[5]), IS))
                 || (judge_value(p, g[5], TIMES) < 1.1 && w->factor >= 1
                     && !judge_has(p, w->at, COUNTS) && *w->at.data != '('
                     && judge_end(g[5])
                        >= judge_end(judge_words_trim(p, s))))))
    {
        return true;
    }

    *w = (judge_weigh_t) { .share = 0 };

    return false;
}


bool
judge_weigh_read(judge_prose_t *p, judge_str_t s, bool bare, judge_weigh_t *w)
{
    s = judge_words_trim(p, s);

    return judge_weigh_match(p, JUDGE_RULE_WEIGHT, s, w)
           || ((bare || p->total > 0)
               && judge_weigh_match(p, JUDGE_RULE_BARE, s, w));
}


bool
judge_weigh_cell(judge_prose_t *p, judge_str_t s, judge_weigh_t *w)
{
    return judge_weigh_match(p, JUDGE_RULE_CELL, judge_words_trim(p, s), w);
}


/* Where the weights of the others make a whole, what has none and asks for
 * nothing is no criterion: a title, a date, what becomes of late work.  Points
 * make one when they are of three and more, for what is beside these; the sum
 * of them may stand in the title. */

static void
judge_weigh_whole(judge_prose_t *p)
{
    bool            beside;
    double          shares = 0, points = 0;
    size_t          weighed = 0;
    judge_draft_t  *f, *first = NULL, *last = NULL, *to = p->found;
    judge_draft_t  *end = p->found + p->nfound;

    for (f = p->found; f < end; f++) {
        if (f->weigh.share + f->weigh.points > 0) {
            shares += f->weigh.share;
            points += f->weigh.points;
            first = first ? first : f;
            last = f;
            weighed++;
        }
    }

    for (f = p->found; f < end; f++) {
        beside = (weighed > 2 && (f < first || f > last))
                 || (weighed > 1 && shares > 99.5);

        if ((f->weigh.share + f->weigh.points + f->weigh.factor > 0)
            ? (f == first && weighed > 3 && points > 0
               && f->weigh.points * 2 == points)
            : (beside && !judge_has(p, f->description, MODAL)
               && (!judge_has(p, f->description, NOT)
                   || judge_like(p, f->description, JOTTED))
               && judge_end(f->description)[-1] != '?'))
        {
            judge_criteria_say(p, true, JUDGE_SAY_PASSED_OVER, f->description);
        } else {
            *to++ = *f;
        }
    }

    p->nfound = (size_t) (to - p->found);
}


/* A share in percent stands; points and factors divide what these leave over,
 * or a little.  Those without points get as many as the others on average. */

bool
judge_weigh_all(judge_prose_t *p)
{
    bool            weighed = false;
    double          with = 0, without = 0, points = 0, shares = 0, parts = 0;
    double          rest;
    judge_draft_t  *f, *end;

    judge_weigh_whole(p);
    end = p->found + p->nfound;

    for (f = p->found; f < end; f++) {
        with += f->weigh.points > 0;
        without += f->weigh.share == 0;
        points += f->weigh.points;
        shares += f->weigh.share;
        weighed |= f->weigh.share + f->weigh.points + f->weigh.factor > 0;
    }

    for (f = p->found; f < end; f++) {
        f->result = (f->weigh.points > 0) ? f->weigh.points
                    : (with > 1 || points > 5) ? points / with : 1;
        f->result *= (f->weigh.factor > 0) ? f->weigh.factor : 1;
        parts += (f->weigh.share == 0) ? f->result : 0;
    }

    rest = 100 - shares;

    if (shares > 0 && without > 0 && rest <= 0.5) {
        judge_criteria_say(p, false, JUDGE_SAY_NOTHING_LEFT,
                           judge_str_printf(p->arena, "%g", without));
        rest = 5 * without;

    } else if (shares > 0 && without == 0 && fabs(rest) > 0.5) {
        judge_criteria_say(p, false, JUDGE_SAY_NOT_HUNDRED,
                           judge_str_printf(p->arena, "%g",
                                            round(shares * 10) / 10));
    }

    for (f = p->found; f < end; f++) {
        f->result = (f->weigh.share > 0) ? f->weigh.share
                    : judge_clamp(rest * f->result / parts, 1e-3, 1e6);
    }

    return weighed;
}


/* --- Drafts -------------------------------------------------------------- */

static judge_str_t
judge_draft_cut(judge_prose_t *p, judge_str_t s, size_t max)
{
    size_t  n;

    if (s.len <= max) {
        return s;
    }

    s = judge_utf8_prefix(s, max - sizeof("…") + 1);

    for (n = s.len; n > max / 2 && s.data[n - 1] != ' '; n--) { /* void */ }

    s.len = (n > max / 2) ? n - 1 : s.len;
    s = judge_str_printf(p->arena, "%.*s…", (int) s.len, s.data);
    p->failed |= s.data == NULL;

    return s;
}


/* A name stands once: the same item again changes at most its weight. */

judge_draft_t *
judge_draft_put(judge_prose_t *p, judge_str_t name, judge_str_t description,
    const judge_weigh_t *w)
{
    int             n = 2;
    size_t          i;
    judge_str_t     unique;
    judge_draft_t  *f;

    unique = name = judge_draft_cut(p, name, JUDGE_DRAFT_NAME);
    description = judge_draft_cut(p, description, JUDGE_DRAFT_DESCRIPTION);

    if (name.len == 0 || description.len == 0 || p->failed) {
        return NULL;
    }

    for (i = 0; i < p->nfound && !p->failed; i++) {
        f = &p->found[i];

        if (!judge_str_caseeq(f->name, unique)) {
            continue;
        }

        if (judge_str_eq(f->description, description)) {
            f->weigh = (w->share + w->points + w->factor > 0) ? *w : f->weigh;
            return f;
        }

        /* The new name may stand before this one: all are compared again. */
        unique = judge_str_printf(p->arena, "%.*s (%d)", (int) name.len,
                                  name.data, n++);
        p->failed |= unique.data == NULL;
        i = (size_t) -1;
    }

    if (p->nfound == JUDGE_CRITERIA_FOUND) {
        p->lost++;
        judge_criteria_say(p, false, JUDGE_SAY_LEFT_OUT, name);
        return NULL;
    }

    f = &p->found[p->nfound++];
    *f = (judge_draft_t) { .name = unique, .weigh = *w,
        .description = description,
        .strict = judge_has(p, description, STRICT)
                  - judge_has(p, description, LENIENT) };

    return f;
}


static judge_str_t
judge_draft_join(judge_prose_t *p, judge_str_t a, const char *between,
    judge_str_t b)
{
    judge_str_t  s = b;

    if (a.len > 0) {
        s = (judge_end(a) <= b.data && judge_words_trim(p, judge_words_span(
                 judge_end(a), b.data)).len == 0 && *between == ' ')
            ? judge_through(a, b)
            : judge_str_printf(p->arena, "%.*s%s%.*s", (int) a.len, a.data,
                               between, (int) b.len, b.data);
        p->failed |= s.data == NULL;
    }

    return s;
}


judge_draft_t *
judge_draft_add(judge_prose_t *p, judge_str_t before, judge_str_t item,
    const judge_weigh_t *w)
{
    judge_str_t  head, mark, text, name, word;

    item = judge_words_trim(p, item);
    before = judge_words_trim(p, before);
    word = judge_opening(p, item, AND);
    item = word.data ? judge_words_trim(p, judge_after(item, word)) : item;
    head = item;

    if (w->at.data >= item.data && judge_end(w->at) <= judge_end(item)) {
        head = judge_before(item, w->at);

        if (w->first) {
            item = head = judge_words_trim(p, judge_after(item, w->at));

        } else if (judge_words_count(p, judge_after(item, w->at)) == 0) {
            item = head = judge_words_trim(p, head);
        }
    }

    mark = judge_match(p, head, LABEL);
    head = (mark.data > head.data) ? judge_before(head, mark) : head;
    head = judge_words_trim(p, head);
    text = item;
    mark = judge_match(p, item, COLON);

    /* "Tone: calm" is described by "calm", unless the label says no to it. */
    if (before.len == 0 && mark.data > item.data
        && !judge_has(p, judge_before(item, mark), NOT)
        && judge_words_count(p, judge_after(item, mark)) > 0
        && judge_words_count(p, head) <= JUDGE_DRAFT_LABEL)
    {
        text = judge_words_trim(p, judge_after(item, mark));
    }

    while ((word = judge_opening(p, head, BE)).data != NULL
           || ((word = judge_opening(p, head, CLAUSE)).data
               && judge_value(p, word, CLAUSE) != 3))
    {
        word = judge_words_trim(p, judge_after(head, word));

        if (word.len == 0) {
            break;
        }

        head = word;                   /* "be", "whether"; not "what" */
    }

    if (judge_words_count(p, head) == 0) {
        return NULL;
    }

    text = judge_draft_join(p, before, " ", text);
    name = judge_has(p, before, NOT) ? text : head;
    text = judge_draft_join(p, p->group, ": ", text);

    return judge_draft_put(p, judge_has(p, p->group, NOT) ? text : name, text,
                           w);
}
