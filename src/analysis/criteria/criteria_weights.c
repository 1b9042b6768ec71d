/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a description says about weights: "30%", "(weight 3)", "counts double",
 * "half of the score is for", "10-20 points"; and what becomes of it.
 */


#include <string.h>

#include "base/text/number.h"
#include "analysis/text/math.h"
#include "analysis/criteria/criteria_parts.h"


/* "of the grade is for", and marks; "10", "10-20"; with a unit, or in words;
 * either, or a number alone. */
#define GLUE      "(?>[\\h:=,~–—-]*+(?:@G|@C|@E|@T|@S))*+[\\h:=]*+"
#define NUMBER    "(\\d+(?:[.,]\\d+)?)"
#define TO        "\\h?%?\\h?(?:[–-]|@L|to|bis|a|à|até)\\h?"
#define RANGE     NUMBER "(?:" TO NUMBER ")?"
#define WORDED    "|(@X)|(@H)|(@R))"
#define VALUE     "(?:" RANGE "(?:\\h?(?:(%|@%)|(@P|[x×]\\b)))" WORDED
#define NUMBERED  "(?:" RANGE "(?:\\h?(?:(%|@%)|(@P|[x×]\\b)))?+" WORDED

/* A number after "at least" is no weight.  Weights stand in brackets, after
 * "counts", before what they are for, after a colon, or at the end. */
static const char  judge_weigh_text[] =
    "(?i)@L\\h+\\d[\\d.,]*(?:\\h?%)?(*SKIP)(*F)|(?|"
    "\\h*\\(" GLUE "(?:@A\\h+)*" NUMBERED "(?:(?<=\\d)|(?<!\\d)[^()]*)\\)"
    "|(?:\\h+(?:@M|@I))?[\\h,:=|–-]*@C" GLUE "(?:@A\\h+)*" NUMBERED GLUE
    "|^[\\h*]*" GLUE "(?:@A\\h+)*" VALUE GLUE "(?=[\\h–-]*[^\\s,.])"
    "|(?:\\h*[:=]|\\h[–—-])\\h*" NUMBERED "\\h*$"
    "|(?>\\h+(?:@I|@G|@E|@M))*+\\h+(?:@A\\h+)*" VALUE GLUE "[\\h.]*$"
    "|\\h+@I\\h+(?:@A\\h+)*(?=@X)" VALUE ")";


static double
judge_weigh_number(judge_str_t s)
{
    double  value = 0;
    char   *comma, text[16];

    if (s.data != NULL && s.len < sizeof(text)) {
        memcpy(text, s.data, s.len);
        comma = memchr(text, ',', s.len);

        if (comma != NULL) {
            *comma = '.';
        }

        (void) judge_number_parse((judge_str_t) { s.len, text }, &value);
    }

    return value;
}


static bool
judge_weigh_match(judge_prose_t *p, judge_criteria_rule_e rule,
    const char *text, judge_str_t s, judge_weigh_t *w)
{
    double       value, high;
    judge_str_t  g[8];
    unsigned     i;

    *w = (judge_weigh_t) { .at = judge_words_match(p, rule, text, s) };

    if (w->at.data == NULL) {
        return false;
    }

    for (i = 1; i < 8; i++) {
        g[i] = judge_regex_group(p->rules[rule], s, i);
    }

    value = judge_weigh_number(g[1]);
    high = judge_weigh_number(g[2]);
    value = (value > 0 && high > 0) ? (value + high) / 2 : value + high;
    w->rest = g[7].data != NULL;
    w->first = w->at.data == s.data;

    if (g[5].data != NULL) {
        w->factor = judge_words_value(p, JUDGE_CLASS_TIMES, g[5]);

    } else if (g[6].data != NULL) {
        w->share = judge_words_value(p, JUDGE_CLASS_SHARE, g[6]);

    } else {
        *(g[3].data ? &w->share : &w->points) = value;
    }

    w->split = !judge_has(p, s, EACH) && w->factor == 0;

    if (w->rest || w->share + w->points + w->factor > 0) {
        return true;
    }

    *w = (judge_weigh_t) { .share = 0 };   /* "0 %" stays as it is written */

    return false;
}


bool
judge_weigh_read(judge_prose_t *p, judge_str_t s, bool bare, judge_weigh_t *w)
{
    s = judge_words_trim(p, s);

    return judge_weigh_match(p, JUDGE_RULE_WEIGHT, judge_weigh_text, s, w)
           || (bare && judge_weigh_match(p, JUDGE_RULE_BARE, "(?i)@L\\h+\\d"
                           "(*SKIP)(*F)|(?<=\\p{L})\\h+" NUMBER "$", s, w));
}


bool
judge_weigh_cell(judge_prose_t *p, judge_str_t s, judge_weigh_t *w)
{
    static const char  text[] = "(?i)^(?:@C\\h*)?" NUMBERED
                                "(?:\\h*\\([^()]*\\))?$";

    return judge_weigh_match(p, JUDGE_RULE_CELL, text, judge_words_trim(p, s),
                             w);
}


/* A share in percent stands; points and factors divide what these leave over,
 * or a little.  Those without points get as many as the others on average. */

bool
judge_weigh_all(judge_prose_t *p)
{
    bool            weighed = false;
    double          with = 0, without = 0, points = 0, shares = 0, parts = 0;
    double          rest;
    judge_draft_t  *f, *end = p->found + p->nfound;

    for (f = p->found; f < end; f++) {
        with += f->weigh.points > 0;
        without += f->weigh.share == 0;
        points += f->weigh.points;
        shares += f->weigh.share;
        weighed |= f->weigh.share + f->weigh.points + f->weigh.factor > 0;
    }

    for (f = p->found; f < end; f++) {
        f->result = (f->weigh.points > 0) ? f->weigh.points
                    : (with > 0) ? points / with : 1;
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
