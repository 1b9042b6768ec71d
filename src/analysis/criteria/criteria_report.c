/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The result: limit, thresholds and descriptions of the criteria, the
 * confidence in them, and suggestions to the author of the description.
 */


#include <math.h>
#include <string.h>

#include "analysis/criteria/criteria_context.h"


#define JUDGE_REPORT_MANY  12          /* criteria that are too many */

/* Confidence in a criterion by where it was found. */

static const double  judge_report_sure[] = {
    0.95,                              /* labelled */
    0.9,                               /* listed */
    0.82,                              /* enumerated */
    0.78,                              /* required */
    0.78,                              /* weighed */
    0.35                               /* guessed */
};

static const double  judge_report_levels[3][4] = {
    { 90, 75, 60, 40 },
    { 95, 85, 70, 50 },                /* where it "must" be */
    { 85, 70, 50, 30 }                 /* where it would be nice */
};

static const char *const  judge_report_types[] = {
    "text", "video", "recording", "image"
};


/* --- Criteria ---------------------------------------------------------- */


/* What counts least goes first when there are too many. */

static void
judge_report_limit(judge_parse_ctx_t *p)
{
    size_t  i, least, max, dropped;

    max = p->request->max_criteria;
    max = (max == 0 || max > JUDGE_PARSE_CRITERIA) ? JUDGE_PARSE_CRITERIA
                                                   : max;
    dropped = p->lost;

    while (p->nfound > max) {
        least = 0;

        for (i = 1; i < p->nfound; i++) {
            if (p->found[i].result <= p->found[least].result + 1e-9) {
                least = i;
            }
        }

        if (dropped < 3) {
            judge_parse_note(p, "\"%s\" was left out: at most %zu criteria "
                             "are allowed.", p->found[least].name.data, max);
        }

        memmove(&p->found[least], &p->found[least + 1],
                (p->nfound - least - 1) * sizeof(judge_parse_found_t));
        p->nfound--;
        dropped++;
    }

    if (dropped > 3) {
        judge_parse_note(p, "%zu criteria in all were left out.", dropped);
    }

    p->lost = dropped;
    judge_parse_rescale(p);
}


/* What is to be avoided, by how its name begins. */

static judge_str_t
judge_report_without(judge_parse_ctx_t *p, const judge_parse_found_t *f,
    const char *type)
{
    size_t  i, n;
    static const char *const  ways[][2] = {
        { "No ", "is free of" }, { "Not ", "is not" },
        { "Do not ", "does not" }, { "Avoid ", "avoids" }
    };

    for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        n = strlen(ways[i][0]);

        if (f->name.len > n && memcmp(f->name.data, ways[i][0], n) == 0) {
            return judge_str_printf(p->arena, "Whether the %s %s %s.", type,
                                    ways[i][1], f->name.data + n);
        }
    }

    return judge_str_printf(p->arena, "Whether the %s avoids this: %s.",
                            type, f->name.data);
}


static judge_str_t
judge_report_gloss(judge_parse_ctx_t *p, const judge_parse_found_t *f)
{
    size_t                  n;
    const char             *type;
    const judge_quality_t  *q;

    q = judge_quality(f->quality);
    type = judge_report_types[p->request->content_type];

    if (f->negative) {
        return judge_report_without(p, f, type);
    }

    if (q == NULL || f->partial) {
        return judge_str_printf(p->arena, "How well the %s does in this: "
                                "%s.", type, f->name.data);
    }

    n = strcspn(q->gloss, "%");

    return judge_str_printf(p->arena, "%.*s%s%s", (int) n, q->gloss, type,
                            q->gloss + n + 2);
}


/* A missing class lies between those that there are. */

static double
judge_report_between(const double *level, int i, double usual)
{
    int     k;
    double  above;

    above = (i > 0) ? level[i - 1] : 100;

    for (k = i + 1; k < 4; k++) {
        if (level[k] >= 0 && usual <= level[k]) {
            return (above + level[k]) / 2;
        }
    }

    return (i > 0 && usual >= above) ? above * 0.8 : usual;
}


static void
judge_report_thresholds(const judge_parse_ctx_t *p,
    const judge_parse_found_t *f, judge_parsed_criterion_t *out)
{
    int            i;
    double         level[4];
    const double  *usual;

    usual = judge_report_levels[f->lenient ? 2 : f->strict ? 1 : 0];

    for (i = 0; i < 4; i++) {
        level[i] = (f->levels[i] >= 0) ? f->levels[i] : p->levels[i];
    }

    for (i = 0; i < 4; i++) {
        if (level[i] < 0) {
            level[i] = judge_report_between(level, i, usual[i]);
        }

        level[i] = round(fmin(fmax(level[i], 0), 100) * 10) / 10;
        level[i] = (i > 0) ? fmin(level[i], level[i - 1]) : level[i];
    }

    out->excellent = level[0];
    out->good = level[1];
    out->fair = level[2];
    out->poor = level[3];
}


static void
judge_report_criterion(judge_parse_ctx_t *p, judge_parse_found_t *f,
    judge_parsed_criterion_t *out)
{
    judge_str_t  gloss;

    out->name = f->name;
    out->description = judge_buf_view(&f->description);
    out->weight = f->result;

    if (!f->described) {
        gloss = judge_report_gloss(p, f);
        out->description = judge_str_printf(p->arena, "%.*s%s%.*s",
                                            (int) gloss.len, gloss.data,
                                            (f->description.len == 0) ? ""
                                            : " ",
                                            (int) out->description.len,
                                            out->description.data);
        p->failed |= gloss.data == NULL || out->description.data == NULL;
    }

    judge_report_thresholds(p, f, out);

    out->examples = f->examples;
    out->nexamples = f->nexamples;
}


/* --- Suggestions ------------------------------------------------------- */


/* "sound quality", "a good essay", "nice to have", "80 is good". */

static bool
judge_report_harmless(const judge_parse_ctx_t *p, size_t i)
{
    const judge_parse_token_t  *t;

    t = &p->tokens[i];

    return t[-1].span > 1 || judge_parse_word(t - 1, "how")
           || (i + 1 < p->ntokens
               && (judge_parse_is(t + 1, JUDGE_W_GENERIC)
                   || judge_parse_word(t + 1, "to")))
           || (judge_parse_is(t, JUDGE_W_VAGUE)
               && (p->levels[0] >= 0 || p->levels[1] >= 0
                   || p->levels[2] >= 0 || p->levels[3] >= 0));
}


/* Words that leave open how much or what, up to four of them. */

static void
judge_report_words(judge_parse_ctx_t *p)
{
    size_t                      i, words, before;
    const judge_parse_token_t  *t;

    for (i = 1, words = 0; i < p->ntokens && words < 4; i++) {
        t = &p->tokens[i];

        if ((!judge_parse_is(t, JUDGE_W_VAGUE)
             && !judge_parse_is(t, JUDGE_W_OPEN))
            || judge_report_harmless(p, i))
        {
            continue;
        }

        before = p->nnotes;
        judge_parse_note(p, judge_parse_is(t, JUDGE_W_OPEN)
                         ? "\"%.*s\" leaves open how much; give a number."
                         : "\"%.*s\" says little; say by what one would see "
                           "it.", (int) t->low.len, t->low.data);
        words += p->nnotes - before;
    }
}


static void
judge_report_each(judge_parse_ctx_t *p)
{
    size_t                      i;
    const judge_quality_t      *q;
    const judge_parse_found_t  *f;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        q = judge_quality(f->quality);

        if (q == NULL) {
            if (!f->described && !f->negative) {
                judge_parse_note(p, "Describe \"%s\": what makes it good, "
                                 "what makes it bad?", f->name.data);
            }

            continue;
        }

        if ((q->flags & JUDGE_Q_DETAIL) != 0 && !f->described
            && !f->negative)
        {
            judge_parse_note(p, "Say which \"%s\" is wanted.", f->name.data);
        }

        if ((q->flags & 0xf0) != 0
            && (q->flags & judge_quality_media(p->request->content_type))
               == 0)
        {
            judge_parse_note(p, "\"%s\" can hardly be judged in content of "
                             "the type %s.", f->name.data,
                             (p->request->content_type == JUDGE_PARSE_AUDIO)
                             ? "audio"
                             : judge_report_types[p->request->content_type]);
        }
    }
}


static void
judge_report_suggest(judge_parse_ctx_t *p)
{
    if (p->nfound == 0) {
        judge_parse_note(p, "No criteria were found. List what is to be "
                         "judged, one criterion a line, as \"Clarity: easy "
                         "to understand for beginners\".");
        return;
    }

    if (p->nfound == 1) {
        judge_parse_note(p, "There is only one criterion; name what else "
                         "matters, or divide it.");
    }

    judge_report_each(p);

    if (p->request->weights && p->nfound > 1 && !p->weighed) {
        judge_parse_note(p, "No weights are given, so all criteria count the "
                         "same; say what matters most, or give "
                         "percentages.");
    }

    if (p->nfound > JUDGE_REPORT_MANY) {
        judge_parse_note(p, "%zu criteria are many; scores say more with "
                         "three to seven.", p->nfound);
    }

    judge_report_words(p);

    if (p->unused > 0 && p->unused * 3 > p->sentences) {
        judge_parse_note(p, "%zu of %zu sentences were not understood as "
                         "criteria.", p->unused, p->sentences);
    }
}


/* --- Confidence -------------------------------------------------------- */


/* Whether this is English, by the words that every English text has and
 * those that are known here. */

static bool
judge_report_english(const judge_parse_ctx_t *p)
{
    size_t  i, words, known;

    words = 0;
    known = 0;

    for (i = 0; i < p->ntokens; i++) {
        if (p->tokens[i].kind == JUDGE_P_WORD) {
            words++;
            known += p->tokens[i].quality >= 0
                     || judge_parse_is(&p->tokens[i], JUDGE_W_COMMON);
        }
    }

    return words < 5 || known * 7 >= words;
}


static double
judge_report_confidence(judge_parse_ctx_t *p)
{
    bool                        english;
    size_t                      i;
    double                      sum, one;
    const judge_quality_t      *q;
    const judge_parse_found_t  *f;

    english = judge_report_english(p);

    if (!english) {
        judge_parse_note(p, "The description does not seem to be English, "
                         "which is all that can be read without a model.");
    }

    if (p->nfound == 0) {
        return 0;
    }

    sum = 0;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        one = judge_report_sure[f->form];

        q = judge_quality(f->quality);

        if (q != NULL && (q->flags & JUDGE_Q_VAGUE) != 0) {
            one = 0.15;

        } else if (f->quality < 0 && f->form > JUDGE_P_LISTED && !f->counted) {
            one -= 0.2;

        } else if (f->quality < 0 && !f->described) {
            one -= 0.15;
        }

        sum += one;
    }

    sum /= (double) p->nfound;

    if (p->sentences > 0) {
        sum *= 1 - 0.35 * (double) p->unused / (double) p->sentences;
    }

    sum *= (p->nfound == 1) ? 0.85 : 1;
    sum *= p->conflict ? 0.8 : 1;
    sum *= (p->lost > 0) ? 0.9 : 1;

    sum *= english ? 1 : 0.4;

    return round(sum * 100) / 100;
}


void
judge_parse_report(judge_parse_ctx_t *p, judge_parsed_criteria_t *out)
{
    size_t  i;

    judge_parse_resolve(p);
    judge_report_limit(p);

    out->criteria = judge_array_alloc(p->arena, p->nfound + 1,
                                      sizeof(judge_parsed_criterion_t));
    if (out->criteria == NULL) {
        p->failed = true;
        return;
    }

    for (i = 0; i < p->nfound; i++) {
        judge_report_criterion(p, &p->found[i], &out->criteria[i]);
    }

    out->ncriteria = p->nfound;
    out->weights = p->request->weights;
    out->thresholds = p->request->thresholds;

    judge_report_suggest(p);
    out->confidence = judge_report_confidence(p);
    out->suggestions = p->notes;
    out->nsuggestions = p->nnotes;
}
