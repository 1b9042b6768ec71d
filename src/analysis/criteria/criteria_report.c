/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria from a description, step by step, and the result: weights, limit,
 * thresholds and descriptions of the criteria, the confidence in them, and
 * suggestions to the author of the description.
 */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/text/math.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_WEIGHTS_ROUNDS  16       /* of comparisons that follow others */
#define JUDGE_REPORT_MANY  12          /* criteria that are too many */


/* Comparisons until nothing changes; what then still does contradicts itself.
 * What matters most gets more than any other. */

static void
judge_weight_factors(judge_prose_t *p)
{
    int                      round;
    bool                     changed = true;
    double                   want, top;
    judge_draft_t           *f;
    const judge_relation_t  *r;

    for (round = 0; changed && round < JUDGE_WEIGHTS_ROUNDS; round++) {
        changed = false;

        for (r = p->relations; r < p->relations + p->nrelations; r++) {
            f = r->a;
            want = r->b->factor * r->value;

            if (f->factor < want - 1e-6
                || (!r->least && f->factor > want + 1e-6))
            {
                f->factor = fmin(want, 1e6);
                changed = true;
            }
        }
    }

    if (changed) {
        p->conflict = true;
        judge_draft_note(p, JUDGE_SAY_CONTRADICT, JUDGE_STR(""), -1);
    }

    for (f = p->found, top = 0; f < p->found + p->nfound; f++) {
        f->factor = changed ? fmin(f->factor, 3) : f->factor;
        top = f->most ? top : fmax(top, f->factor);
    }

    for (f = p->found; f < p->found + p->nfound; f++) {
        f->factor = f->most ? fmax(f->factor, 1.25 * top) : f->factor;
    }
}


/* Shares in percent stand; points and factors divide what these leave over, or
 * a little.  Those without points get as many as the others on average. */

static void
judge_criteria_weights(judge_prose_t *p)
{
    double          with, without, points, shares, parts, rest;
    judge_draft_t  *f;

    judge_weight_factors(p);
    with = without = points = shares = parts = 0;

    for (f = p->found; f < p->found + p->nfound; f++) {
        with += f->points > 0;
        without += f->share == 0;
        points += f->points;
        shares += f->share;
    }

    for (f = p->found; f < p->found + p->nfound; f++) {
        if (f->share + f->points == 0) {
            f->points = f->factor * ((with > 0) ? points / with : 1);

            if (with > 0) {
                judge_draft_note(p, JUDGE_SAY_NO_POINTS, f->name, -1);
            }
        }

        parts += (f->share == 0) ? f->points : 0;
    }

    rest = 100 - shares;

    if (shares > 0 && without > 0 && rest <= 0.5) {
        p->conflict = true;
        judge_draft_note(p, JUDGE_SAY_NOTHING_LEFT, JUDGE_STR(""), without);
        rest = 5 * without;

    } else if (shares > 0 && without == 0 && fabs(rest) > 0.5) {
        p->conflict |= fabs(rest) > 5;
        judge_draft_note(p, JUDGE_SAY_NOT_HUNDRED, JUDGE_STR(""), shares);
    }

    for (f = p->found; f < p->found + p->nfound; f++) {
        f->result = (f->share > 0) ? f->share : rest * f->points / parts;
    }
}


/* What counts least goes first when there are too many. */

static void
judge_outcome_limit(judge_prose_t *p)
{
    size_t          max;
    judge_draft_t  *f, *least;

    max = p->request->max_criteria;
    max = (max == 0 || max > JUDGE_PARSE_CRITERIA) ? JUDGE_PARSE_CRITERIA
                                                   : max;

    while (p->nfound > max) {
        for (f = least = p->found; f < p->found + p->nfound; f++) {
            least = (f->result <= least->result + 1e-9) ? f : least;
        }

        if (p->lost++ < 3) {
            judge_draft_note(p, JUDGE_SAY_LEFT_OUT, least->name, (double) max);
        }

        p->nfound--;
        memmove(least, least + 1, (size_t) (p->found + p->nfound - least)
                                  * sizeof(judge_draft_t));
    }
}


/* The lowest scores of the classes: as given, or the usual ones in order. */

static void
judge_outcome_levels(const judge_prose_t *p, judge_draft_t *f)
{
    int                  i;
    double               bound, *level;
    const double        *usual;
    static const double  levels[3][4] = {
        { 90, 75, 60, 40 },
        { 95, 85, 70, 50 },            /* where it "must" be */
        { 85, 70, 50, 30 }             /* where it would be nice */
    };

    usual = levels[(f->mood & JUDGE_MOOD_LENIENT) ? 2
                   : (f->mood & judge_mood(STRICT)) != 0];
    level = f->levels;

    for (i = 3, bound = 0; i >= 0; bound = level[i--]) {
        level[i] = (level[i] >= 0) ? level[i] : p->levels[i];
        level[i] = (level[i] >= 0) ? level[i] : fmax(usual[i], bound);
    }

    for (i = 0, bound = 100; i < 4; bound = level[i++]) {
        level[i] = round(fmin(level[i], bound) * 10) / 10;
    }
}


/* Up to four words that leave open how much or what; not "a good essay". */

static void
judge_outcome_words(judge_prose_t *p)
{
    bool                 open;
    size_t               words, before;
    const judge_term_t  *t;

    for (t = p->tokens.from + 1, words = 0; p->nfound > 0
         && t < p->tokens.to && words < 4; t++)
    {
        open = judge_term_is(t, OPEN);

        if ((!open && (fmax(p->levels[0], p->levels[1]) >= 0
                       || !judge_term_is(t, VAGUE)))
            || t[-1].span > 1 || judge_term_is(t - 1, HOW)
            || judge_term_is(t + 1, GENERIC) || judge_term_is(t + 1, TO))
        {
            continue;
        }

        before = p->nnotes;
        judge_draft_note(p, open ? JUDGE_SAY_LEAVES_OPEN
                                 : JUDGE_SAY_SAYS_LITTLE, t->low, -1);
        words += p->nnotes - before;
    }
}


static void
judge_outcome_suggest(judge_prose_t *p)
{
    bool                  bare;
    unsigned              flags;
    judge_str_t           none = JUDGE_STR("");
    const judge_draft_t  *f;

    if (p->nfound <= 1) {
        judge_draft_note(p, p->nfound ? JUDGE_SAY_ONLY_ONE : JUDGE_SAY_NOTHING,
                         none, -1);
    }

    for (f = p->found; f < p->found + p->nfound; f++) {
        bare = f->description.len == 0 && !(f->mood & JUDGE_MOOD_NEGATIVE);
        flags = (f->quality < 0) ? 0 : judge_qualities[f->quality].flags;

        if (bare && (f->quality < 0 || (flags & JUDGE_Q_DETAIL) != 0)) {
            judge_draft_note(p, (f->quality < 0) ? JUDGE_SAY_DESCRIBE
                                                 : JUDGE_SAY_WHICH,
                             f->name, -1);
        }

        if ((flags & JUDGE_Q_MEDIA) != 0
            && !f->partial && !(f->mood & JUDGE_MOOD_NEGATIVE)
            && (flags & JUDGE_Q_TEXT << p->request->content_type) == 0)
        {
            judge_draft_note(p, JUDGE_SAY_HARDLY, f->name, -1);
        }
    }

    if (p->request->weights && p->nfound > 1 && !p->weighed) {
        judge_draft_note(p, JUDGE_SAY_NO_WEIGHTS, none, -1);
    }

    if (p->nfound > JUDGE_REPORT_MANY) {
        judge_draft_note(p, JUDGE_SAY_MANY, none, (double) p->nfound);
    }

    judge_outcome_words(p);

    if (p->nfound > 0 && p->unused * 3 > p->sentences) {
        none = judge_str_printf(p->arena, "%zu", p->unused);
        judge_draft_note(p, JUDGE_SAY_NOT_READ, none, (double) p->sentences);
    }
}


/* How surely the criteria are meant, by where they were found and by names. */

static double
judge_outcome_confidence(judge_prose_t *p)
{
    double                sum;
    const judge_draft_t  *f;

    /* labelled, listed, enumerated, required, weighed, guessed */
    static const double  sure[] = { 0.95, 0.9, 0.82, 0.78, 0.78, 0.35 };

    for (f = p->found, sum = 0; f < p->found + p->nfound; f++) {
        sum += (f->quality >= 0)
               ? ((judge_qualities[f->quality].flags & JUDGE_Q_VAGUE)
                  ? 0.15 : sure[f->form])
               : sure[f->form]
                 - ((f->form > JUDGE_FORM_LISTED && !f->counted) ? 0.2
                    : (f->description.len == 0) ? 0.15 : 0);
    }

    if (p->foreign) {
        judge_draft_note(p, JUDGE_SAY_FOREIGN, JUDGE_STR(""), -1);
        sum *= 0.4;
    }

    sum *= 1 - 0.35 * fmin((double) p->unused
                           / fmax((double) p->sentences, 1), 1);
    sum *= (p->nfound == 1) ? 0.85 : 1;
    sum *= (p->conflict ? 0.8 : 1) * (p->lost > 0 ? 0.9 : 1);

    return round(sum / fmax((double) p->nfound, 1) * 100) / 100;
}


/* Without a description a criterion has that of its quality, or its name. */

static void
judge_criteria_report(judge_prose_t *p, judge_parsed_criteria_t *out)
{
    size_t          i;
    double          weights[JUDGE_CRITERIA_FOUND];
    const char     *how;
    judge_str_t     type;
    judge_draft_t  *f;

    judge_criteria_weights(p);
    judge_outcome_limit(p);

    for (i = 0; i < p->nfound; i++) {
        weights[i] = p->found[i].result;
    }

    judge_weights_round(weights, p->nfound);
    out->criteria = judge_array_alloc(p->arena, p->nfound + 1,
                                      sizeof(judge_parsed_criterion_t));
    p->failed |= out->criteria == NULL;
    type = judge_str_c(judge_draft_saying(p,
               (judge_say_e) (JUDGE_SAY_TEXT + p->request->content_type)));

    for (i = 0; i < p->nfound && !p->failed; i++) {
        f = &p->found[i];
        judge_outcome_levels(p, f);
        how = (!(f->mood & JUDGE_MOOD_NEGATIVE) && f->quality >= 0
               && !f->partial)
              ? judge_qualities[f->quality].in[p->language].gloss
              : judge_draft_saying(p,
                  !(f->mood & JUDGE_MOOD_NEGATIVE) ? JUDGE_SAY_DOES_WELL
                  : (f->negation == JUDGE_SAY_NONE) ? JUDGE_SAY_AVOIDS_THIS
                  : (judge_say_e) (f->negation - JUDGE_SAY_NO
                                   + JUDGE_SAY_IS_FREE));
        out->criteria[i] = (judge_parsed_criterion_t) {
            f->name, (f->description.len > 0)
                     ? judge_buf_view(&f->description)
                     : judge_draft_say(p, how, f->bare, type),
            weights[i], f->levels[0], f->levels[1], f->levels[2],
            f->levels[3], f->examples, f->nexamples };
    }

    out->ncriteria = p->nfound;
    out->weights = p->request->weights;
    out->thresholds = p->request->thresholds;
    judge_outcome_suggest(p);
    out->confidence = judge_outcome_confidence(p);
    out->suggestions = p->notes;
    out->nsuggestions = p->nnotes;
}


judge_rc_e
judge_criteria_parse(judge_arena_t *arena,
    const judge_parse_request_t *request, judge_parsed_criteria_t *out,
    judge_str_t *error)
{
    size_t          max;
    const char     *why;
    judge_buf_t     text;
    judge_prose_t  *p;

    memset(out, 0, sizeof(judge_parsed_criteria_t));
    why = (request->description.len > JUDGE_PARSE_MAX)
          ? "expected at most 65536 bytes"
          : (judge_utf8_check(request->description)
             < request->description.len) ? "expected UTF-8" : NULL;

    if (why != NULL) {
        *error = judge_str_printf(arena, "description: %s", why);
        return (error->data == NULL) ? JUDGE_NOMEM : JUDGE_INVALID;
    }

    p = judge_calloc(arena, sizeof(judge_prose_t));
    if (p == NULL) {
        return JUDGE_NOMEM;
    }

    p->arena = arena;
    p->request = request;
    p->levels[0] = p->levels[1] = p->levels[2] = p->levels[3] = -1;
    judge_buf_init(&text, arena);
    judge_buf_c(&text, "\n");
    judge_buf_str(&text, request->description);
    judge_buf_c(&text, "\n");

    /* a token has a byte at least; before the first there is an empty one */
    max = request->description.len + 4;
    p->tokens.from = judge_array_alloc(arena, max, sizeof(judge_term_t));
    p->blocks = judge_array_alloc(arena, max, sizeof(judge_block_t));

    if (text.failed || p->tokens.from == NULL || p->blocks == NULL) {
        return JUDGE_NOMEM;
    }

    *p->tokens.from = (judge_term_t) { .kind = JUDGE_TERM_MARK, .span = 1,
                                       .quality = -1 };
    p->tokens.to = p->tokens.from + 1;
    *p->blocks++ = (judge_block_t) { .kind = JUDGE_BLOCK_HEADING,
                                     .end = p->tokens.to };

    judge_block_divide(text.data, text.len);

    if (judge_block_read(p, judge_buf_view(&text)) == JUDGE_OK) {
        judge_criteria_blocks(p);
        judge_criteria_report(p, out);
        return p->failed ? JUDGE_NOMEM : JUDGE_OK;
    }

    return JUDGE_NOMEM;
}
