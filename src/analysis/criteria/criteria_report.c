/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria from a description, step by step, and the result: weights, limit,
 * thresholds, the confidence in them, and what to say to the writer.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/text/math.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_REPORT_MANY  12          /* criteria that are too many */


const judge_str_t  judge_parse_types[JUDGE_PARSE_IMAGE + 1] = {
    judge_str("text"), judge_str("video"), judge_str("audio"),
    judge_str("image")
};


/* What counts least goes first when there are too many. */

static void
judge_criteria_limit(judge_prose_t *p)
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
            judge_criteria_say(p, false, JUDGE_SAY_LEFT_OUT, least->name);
        }

        p->nfound--;
        memmove(least, least + 1, (size_t) (p->found + p->nfound - least)
                                  * sizeof(judge_draft_t));
    }
}


static void
judge_criteria_suggest(judge_prose_t *p)
{
    judge_str_t  none = JUDGE_STR("");

    if (p->nfound <= 1) {
        judge_criteria_say(p, false, p->nfound ? JUDGE_SAY_ONLY_ONE
                                         : JUDGE_SAY_NOTHING, none);
    }

    if (p->request->weights && p->nfound > 1 && !p->weighed) {
        judge_criteria_say(p, false, JUDGE_SAY_NO_WEIGHTS, none);
    }

    if (p->nfound > JUDGE_REPORT_MANY) {
        judge_criteria_say(p, false, JUDGE_SAY_MANY,
                            judge_str_printf(p->arena, "%zu", p->nfound));
    }

    if (p->foreign) {
        judge_criteria_say(p, false, JUDGE_SAY_FOREIGN, none);
    }
}


/* How surely the criteria are those that are meant. */

static double
judge_criteria_confidence(const judge_prose_t *p)
{
    double  sure;

    if (p->nfound == 0) {
        return 0;
    }

    sure = 0.9 - 0.5 * judge_share((double) p->nquestions,
                                   (double) p->nfound);
    sure *= (p->nfound == 1) ? 0.8 : 1;
    sure *= p->foreign ? 0.5 : 1;
    sure *= (p->lost > 0) ? 0.8 : 1;

    return judge_round2(judge_clamp(sure, 0.05, 1));
}


static void
judge_criteria_report(judge_prose_t *p, judge_parsed_criteria_t *out)
{
    size_t          i;
    double          weights[JUDGE_CRITERIA_FOUND];
    judge_draft_t  *f;

    judge_weigh_all(p);
    judge_criteria_limit(p);

    for (i = 0; i < p->nfound; i++) {
        weights[i] = p->found[i].result;
    }

    judge_weights_round(weights, p->nfound);
    out->criteria = judge_array_alloc(p->arena, p->nfound + 1,
                                      sizeof(judge_parsed_criterion_t));
    p->failed |= out->criteria == NULL;

    for (i = 0; i < p->nfound && !p->failed; i++) {
        f = &p->found[i];
        out->criteria[i] = (judge_parsed_criterion_t) {
            .name = f->name, .description = f->description,
            .weight = weights[i],
            .excellent = f->strict ? 95 : f->lenient ? 85 : 90,
            .good = f->strict ? 85 : f->lenient ? 70 : 75,
            .fair = f->strict ? 70 : f->lenient ? 50 : 60,
            .poor = f->strict ? 50 : f->lenient ? 30 : 40 };
    }

    out->ncriteria = p->nfound;
    out->weights = p->request->weights;
    out->thresholds = p->request->thresholds;
    judge_criteria_suggest(p);
    out->confidence = judge_criteria_confidence(p);
    out->suggestions = p->notes;
    out->nsuggestions = p->nnotes;
    out->questions = p->questions;
    out->nquestions = p->nquestions;
    out->language = p->language;
}


judge_rc_e
judge_criteria_parse(judge_arena_t *arena,
    const judge_parse_request_t *request, judge_parsed_criteria_t *out,
    judge_str_t *error)
{
    const char     *why;
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

    if (judge_criteria_tokens(p, request->description) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    judge_criteria_lines(p);
    judge_criteria_report(p, out);

    return p->failed ? JUDGE_NOMEM : JUDGE_OK;
}
