/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Cues of weight: "30%", "worth 20 points", "matters most", "twice as
 * important as tone".  Each stands beside the name that it is about.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_CUE_ROUNDS  4            /* cues of one piece of text */

typedef struct {
    const char  *words;                /* phrases, spaces between */
    double       factor;
    bool         most;                 /* nothing counts more */
    bool         predicate;            /* not in "critical thinking" */
} judge_cue_factor_t;

/* A cue that begins at token i: its end, or i. */
typedef size_t (*judge_cue_pt)(judge_parse_ctx_t *p, size_t i,
    judge_parse_span_t span, judge_parse_cue_t *cue);


static const judge_cue_factor_t  judge_cue_factors[] = {
    { "counts_triple count_triple triple_weight counts_threefold", 3,
      false, false },
    { "counts_double count_double counts_twice count_twice double_weight "
      "weighs_double counted_double worth_double worth_twice", 2, false,
      false },
    { "most_important matters_most matter_most mattering_most most_of_all "
      "above_all first_and_foremost top_priority highest_priority "
      "main_priority most_weight mainly primarily most_heavily counts_most "
      "count_most more_than_anything most_importantly number_one_priority "
      "paramount weighs_most highest_weight biggest_factor "
      "matters_the_most matter_the_most most_crucial most_critical", 2, true,
      false },
    { "very_important really_important extremely_important "
      "particularly_important especially_important super_important "
      "high_weight high_priority extra_weight more_weight must-have "
      "very_high_weight highly_important matters_a_lot matter_a_lot "
      "counts_a_lot weighs_heavily weigh_heavily", 1.5, false,
      false },
    { "crucial critical vital essential heavily key especially", 1.5, false,
      true },
    { "important", 1, false, true },
    { "least_important matters_least matter_least lowest_weight "
      "lowest_priority counts_least", 0.4, false, false },
    { "less_important matters_less matter_less less_weight nice_to_have "
      "nice-to-have low_weight low_priority lower_weight lower_priority "
      "not_that_important not_so_important not_very_important "
      "not_as_important less_so to_a_lesser_extent to_a_lesser_degree "
      "counts_half count_half half_weight counts_less count_less "
      "less_critical not_crucial not_critical not_essential secondary_concern "
      "small_bonus bonus_points extra_credit minor_concern minor_importance "
      "secondary_importance minor_role small_part not_required "
      "not_necessary a_plus is_nice is_welcome would_be_nice", 0.5, false,
      false },
    { "secondary minor optional bonus", 0.5, false, true }
};

static const char *const  judge_cue_equal[] = {
    "equally_important", "equally", "equal_weight", "equal_weights",
    "same_weight", "evenly", "equal_importance", "count_the_same",
    "counts_the_same", "weigh_the_same", "same_importance", NULL
};

static const char *const  judge_cue_rank[] = {
    "order_of_importance", "order_of_priority", "most_important_first",
    "from_most_to_least_important", "descending_order", "priority_order",
    "ranked_by_importance", "sorted_by_importance", "by_importance",
    "by_priority", "importance_order", NULL
};

static const char *const  judge_cue_rest[] = {
    "the_rest_is", "the_rest_goes", "the_rest_for", "the_rest_on",
    "the_remainder_is", "the_remainder_goes", "the_remainder_for",
    "the_remaining", "rest_for", NULL
};

static const char *const  judge_cue_units[] = {
    "points", "point", "pts", "pt", "marks", "credits", NULL
};

static const char *const  judge_cue_others[] = {
    "the_rest", "the_others", "others", "other_two", "other_three",
    "anything_else", "everything_else", "all_others", "all_the_others",
    "all_other_criteria", "the_other_criteria", "the_other_two",
    "the_other_three", "the_other", "other_criteria", "any_of_the_others",
    "any_other", NULL
};


bool
judge_parse_others(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    span = judge_parse_trim(p, span);

    return span.from < span.to
           && judge_parse_any(p, span.from, span.to, judge_cue_others)
              == span.to - span.from;
}


/* --- Shares, points and factors ---------------------------------------- */


/* "at least 80% of the sentences" says how many, not how much it counts. */

static bool
judge_cue_counts_things(const judge_parse_ctx_t *p, size_t i, size_t end,
    judge_parse_span_t span)
{
    size_t  k;
    static const char *const  before[] = {
        "least", "most", "than", "under", "over", "above", "below", "about",
        "around", "exceed", NULL
    };
    static const char *const  whole[] = {
        "score", "grade", "weight", "total", "points", "mark", "evaluation",
        "final", "overall", "result", "rating", "marks", "importance",
        "judgment", "judgement", NULL
    };

    if (i > span.from && judge_parse_any(p, i - 1, i, before) > 0) {
        return true;
    }

    if (end + 1 >= span.to || !judge_parse_word(&p->tokens[end], "of")) {
        return false;
    }

    for (k = end + 1; k < span.to && k < end + 5; k++) {
        if (judge_parse_any(p, k, span.to, whole) > 0) {
            return false;
        }
    }

    return true;
}


static size_t
judge_cue_share(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t  k, end;
    double  value;
    static const char *const  percent[] = {
        "percent", "pct", "per_cent", NULL
    };
    static const struct {
        const char  *words;
        double       share;
    } parts[] = {
        { "half_of_the", 50 }, { "one_half_of_the", 50 },
        { "a_third_of_the", 100.0 / 3 }, { "one_third_of_the", 100.0 / 3 },
        { "two_thirds_of_the", 200.0 / 3 }, { "a_quarter_of_the", 25 },
        { "one_quarter_of_the", 25 }, { "three_quarters_of_the", 75 },
        { "a_fifth_of_the", 20 }, { "one_fifth_of_the", 20 },
        { "a_tenth_of_the", 10 }
    };

    for (k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
        end = judge_parse_phrase(p->tokens, i, span.to, parts[k].words);

        if (end > 0
            && !judge_cue_counts_things(p, i, i + end - 2, span))
        {
            cue->share = parts[k].share;
            return i + end;
        }
    }

    if (!judge_parse_number(&p->tokens[i], &value) || i + 1 >= span.to) {
        return i;
    }

    end = i + 1;

    end += judge_parse_mark(&p->tokens[end], '%')
           ? 1 : judge_parse_any(p, end, span.to, percent);

    if (end == i + 1 || value > 100
        || judge_cue_counts_things(p, i, end, span))
    {
        return i;
    }

    cue->share = value;

    return end;
}


/* "20 points", "out of 20", "/20". */

static size_t
judge_cue_points(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t                      n;
    double                      value;
    const judge_parse_token_t  *t;

    t = &p->tokens[i];
    n = judge_parse_phrase(p->tokens, i, span.to, "out_of");

    if (n == 0 && judge_parse_mark(t, '/')
        && (i == span.from || p->tokens[i - 1].kind != JUDGE_P_NUMBER))
    {
        n = 1;
    }

    if (n > 0 && i + n < span.to
        && judge_parse_number(&p->tokens[i + n], &value) && value > 0)
    {
        cue->points = value;
        i += n + 1;

    } else if (judge_parse_number(t, &value) && value > 0
               && i + 1 < span.to
               && judge_parse_any(p, i + 1, span.to, judge_cue_units) > 0
               && !(i > span.from && judge_parse_word(t - 1, "least")))
    {
        cue->points = value;
        return i + 2;

    } else {
        return i;
    }

    return (i < span.to) ? i + judge_parse_any(p, i, span.to, judge_cue_units)
                         : i;
}


/* "3x", "x2". */

static size_t
judge_cue_multiple(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    double                      value;
    const judge_parse_token_t  *t;

    t = &p->tokens[i];

    if (i + 1 >= span.to) {
        return i;
    }

    if ((judge_parse_number(t, &value)
         && (judge_parse_word(t + 1, "x") || judge_parse_mark(t + 1, 'x')))
        || ((judge_parse_word(t, "x") || judge_parse_mark(t, 'x'))
            && judge_parse_number(t + 1, &value)))
    {
        if (value > 0 && value <= 20) {
            cue->factor = value;
            return i + 2;
        }
    }

    return i;
}


/* "weight 3", "weight: 0.3", "weighted at 30%". */

static size_t
judge_cue_weight(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t                      k;
    double                      value;
    const judge_parse_token_t  *t;
    static const char *const  words[] = {
        "weight", "weighting", "weighted", "weigh", "weighs", "priority",
        "importance", NULL
    };

    t = p->tokens;
    value = 0;

    if (judge_parse_any(p, i, span.to, words) == 0) {
        return i;
    }

    for (k = i + 1; k < span.to && k < i + 4; k++) {
        if (judge_parse_number(&t[k], &value)) {
            break;
        }

        if (!judge_parse_word(&t[k], "of") && !judge_parse_word(&t[k], "at")
            && !judge_parse_word(&t[k], "is")
            && !judge_parse_mark(&t[k], ':')
            && !judge_parse_mark(&t[k], '='))
        {
            return i;
        }
    }

    if (k == span.to || k == i + 4 || value <= 0) {
        return i;
    }

    if (k + 1 < span.to && judge_parse_mark(&t[k + 1], '%')) {
        cue->share = (value <= 100) ? value : 100;
        return k + 2;
    }

    if (k + 2 < span.to && judge_parse_mark(&t[k + 1], ':')
        && t[k + 2].kind == JUDGE_P_NUMBER)
    {
        return i;                      /* "weighted 2:1:1" */
    }

    /* 0.3 is a share, 3 is so many parts */

    if (value < 1) {
        cue->share = value * 100;

    } else {
        cue->points = value;
    }

    return k + 1;
}


static size_t
judge_cue_factor(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t                      k, n;
    const char                 *words;
    const judge_parse_token_t  *before;

    for (k = 0; k < sizeof(judge_cue_factors) / sizeof(judge_cue_factor_t);
         k++)
    {
        for (words = judge_cue_factors[k].words; *words != '\0'; /* void */) {
            n = judge_parse_phrase(p->tokens, i, span.to, words);
            words += strcspn(words, " ");
            words += (*words == ' ');

            if (n == 0) {
                continue;
            }

            before = (i > span.from) ? &p->tokens[i - 1] : NULL;

            if (judge_cue_factors[k].predicate
                && ((i + n < span.to
                     && p->tokens[i + n].kind == JUDGE_P_WORD)
                    || (before != NULL && before->kind == JUDGE_P_WORD
                        && !judge_parse_is(before, JUDGE_PW_GLUE)
                        && !judge_parse_word(before, "very")
                        && !judge_parse_word(before, "also"))))
            {
                continue;
            }

            cue->factor = judge_cue_factors[k].factor;
            cue->most = judge_cue_factors[k].most;
            return i + n;
        }
    }

    return i;
}


/* --- Comparisons ------------------------------------------------------- */


/* What the comparison is with; "the rest" is no name. */

static void
judge_cue_with(judge_parse_ctx_t *p, size_t at, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    cue->other = judge_parse_trim(p, (judge_parse_span_t) { at, span.to });

    if (judge_parse_any(p, cue->other.from, cue->other.to, judge_cue_others)
        > 0)
    {
        cue->other.to = cue->other.from;
    }
}


/* "twice", "three times": how many tokens, and how much. */

static size_t
judge_cue_fold(const judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    double *value)
{
    const judge_parse_token_t  *t;

    t = &p->tokens[i];

    if (judge_parse_word(t, "twice") || judge_parse_word(t, "double")) {
        *value = 2;
        return 1;
    }

    if (judge_parse_word(t, "half")) {
        *value = 0.5;
        return 1;
    }

    if (judge_parse_word(t, "triple")) {
        *value = 3;
        return 1;
    }

    return (judge_parse_number(t, value) && i + 1 < span.to
            && judge_parse_word(t + 1, "times") && *value > 0
            && *value <= 20) ? 2 : 0;
}


/* The end of "as important as", "the weight of", "as much"; 0: none begins
 * here. */

static size_t
judge_cue_measure(const judge_parse_ctx_t *p, size_t k, size_t to)
{
    size_t  n;
    static const char *const  much[] = {
        "important", "much", "heavily", "heavy", "weight", "many", "points",
        "valuable", "relevant", NULL
    };
    static const char *const  weight[] = {
        "the_weight", "the_importance", "the_points", NULL
    };

    n = judge_parse_any(p, k, to, weight);

    if (n > 0) {
        return k + n + (k + n < to && judge_parse_word(&p->tokens[k + n],
                                                       "of"));
    }

    if (!judge_parse_word(&p->tokens[k], "as")
        && !judge_parse_word(&p->tokens[k], "more"))
    {
        return 0;
    }

    for (k++; k < to && judge_parse_any(p, k, to, much) > 0; k++) {
        /* void */
    }

    return (k == to) ? k
           : (judge_parse_word(&p->tokens[k], "as")
              || judge_parse_word(&p->tokens[k], "than")) ? k + 1 : 0;
}


/* "twice as important as", "three times the weight of". */

static size_t
judge_cue_times(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t  k, n;
    double  value;

    n = judge_cue_fold(p, i, span, &value);
    k = i + n;

    if (n == 0 || k + 1 >= span.to) {
        return i;
    }

    k = judge_cue_measure(p, k, span.to);

    if (k == 0) {
        return i;
    }

    /* "gets twice the weight" names no other */

    if (judge_parse_is(&p->tokens[k - 1], JUDGE_PW_PREPOSITION)
        || judge_parse_word(&p->tokens[k - 1], "as"))
    {
        judge_cue_with(p, k, span, cue);
    }

    if (cue->other.from < cue->other.to) {
        cue->times = value;
        return span.to;
    }

    cue->factor = value;
    return (k < span.to && cue->other.to > 0) ? span.to : k;
}


/* "more important than", "less weight than", "over" behind "prioritize". */

static size_t
judge_cue_compare(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t  k, n;
    bool    less;
    static const char *const  more_than[] = {
        "more_important_than", "matters_more_than", "matter_more_than",
        "more_weight_than", "counts_more_than", "count_more_than",
        "weighs_more_than", "outweighs", "outweigh", "higher_than",
        "more_than", "takes_precedence_over", "beats", "comes_before", NULL
    };
    static const char *const  prefer[] = {
        "prioritize", "prioritise", "favor", "favour", NULL
    };
    static const char *const  less_than[] = {
        "less_important_than", "matters_less_than", "matter_less_than",
        "less_weight_than", "counts_less_than", "count_less_than",
        "weighs_less_than", "not_as_important_as", "less_than", NULL
    };

    n = judge_parse_any(p, i, span.to, less_than);
    less = (n > 0);

    if (n == 0) {
        n = judge_parse_any(p, i, span.to, more_than);
    }

    if (n == 0 && judge_parse_word(&p->tokens[i], "over")) {
        for (k = (i > 12) ? i - 12 : 0; k < i; k++) {
            n |= judge_parse_any(p, k, span.to, prefer);
        }
    }

    /* "more than 500 words" is no comparison of criteria */

    if (n == 0 || i + n >= span.to
        || p->tokens[i + n].kind == JUDGE_P_NUMBER)
    {
        return i;
    }

    judge_cue_with(p, i + n, span, cue);

    if (cue->other.from == cue->other.to) {
        cue->factor = less ? 0.5 : 2;

    } else if (less) {
        cue->less = true;

    } else {
        cue->more = true;
    }

    return span.to;
}


/* "2:1:1", "60/40". */

static size_t
judge_cue_ratio(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    char    mark;
    size_t  n, start;
    double  value, sum;

    start = i;
    mark = (i + 1 < span.to) ? p->tokens[i + 1].mark : 0;

    if (mark != ':' && mark != '/' && mark != '-') {
        return i;
    }

    sum = 0;

    for (n = 0; n < 8 && i < span.to
                && judge_parse_number(&p->tokens[i], &value); n++)
    {
        cue->ratio[n] = value;
        sum += value;
        i++;

        if (i + 1 >= span.to || !judge_parse_mark(&p->tokens[i], mark)
            || p->tokens[i + 1].kind != JUDGE_P_NUMBER)
        {
            n++;
            break;
        }

        i++;
    }

    if (n < 2 || (mark != ':' && sum != 100)) {
        return start;
    }

    cue->nratio = n;

    return i;
}


static size_t
judge_cue_words(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t  n;

    n = judge_parse_any(p, i, span.to, judge_cue_equal);

    if (n > 0) {
        cue->equal = true;
        return i + n;
    }

    n = judge_parse_any(p, i, span.to, judge_cue_rank);

    if (n > 0) {
        cue->ranked = true;
        return i + n;
    }

    /* what shares leave over needs no number */

    n = judge_parse_any(p, i, span.to, judge_cue_rest);

    if (n > 0) {
        return i + n;
    }

    return i;
}


/* "from 1 to 10", "on a scale of 1-5", "a score out of 100": how the judge
 * is to answer, which is not asked here. */

static size_t
judge_cue_scale(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t  k, n;

    n = judge_parse_phrase(p->tokens, i, span.to, "on_a_scale");
    n += (n == 0) ? judge_parse_phrase(p->tokens, i, span.to, "scale_of") : 0;
    n += (n == 0) ? judge_parse_phrase(p->tokens, i, span.to, "scale_from")
                  : 0;

    if (n == 0
        && !(judge_parse_word(&p->tokens[i], "from") && i + 3 < span.to
             && p->tokens[i + 1].kind == JUDGE_P_NUMBER
             && judge_parse_word(&p->tokens[i + 2], "to")
             && p->tokens[i + 3].kind == JUDGE_P_NUMBER))
    {
        return i;
    }

    for (k = i + n; k < span.to && k < i + n + 6; k++) {
        if (p->tokens[k].kind != JUDGE_P_NUMBER
            && !judge_parse_word(&p->tokens[k], "from")
            && !judge_parse_word(&p->tokens[k], "of")
            && !judge_parse_word(&p->tokens[k], "to")
            && !judge_parse_mark(&p->tokens[k], '-'))
        {
            break;
        }
    }

    cue->scale = true;

    return k;
}


/* --- All of them ------------------------------------------------------- */


static void
judge_cue_clear(judge_parse_cue_t *cue)
{
    memset(cue, 0, sizeof(judge_parse_cue_t));
    cue->share = -1;
    cue->points = -1;
    cue->factor = -1;
    cue->times = -1;
}


static bool
judge_cue_next(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue, judge_parse_span_t *at)
{
    size_t  i, k, end;
    static const judge_cue_pt  cues[] = {
        judge_cue_times, judge_cue_compare, judge_cue_scale, judge_cue_share,
        judge_cue_points, judge_cue_weight, judge_cue_multiple,
        judge_cue_words, judge_cue_factor, judge_cue_ratio
    };

    for (i = span.from; i < span.to; i++) {
        for (k = 0; k < sizeof(cues) / sizeof(cues[0]); k++) {
            end = cues[k](p, i, span, cue);

            if (end > i) {
                *at = (judge_parse_span_t) { i, end };
                return true;
            }
        }
    }

    return false;
}


bool
judge_parse_cues(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    judge_cue_clear(cue);
    cue->any = judge_cue_next(p, span, cue, &cue->at);

    return cue->any;
}


/* Without what ties a name to its weight: "is", "counts for", "goes to". */

static judge_parse_span_t
judge_cue_unglue(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    while (span.from < span.to
           && (p->tokens[span.from].kind == JUDGE_P_MARK
               || (judge_parse_is(&p->tokens[span.from], JUDGE_PW_GLUE)
                   && p->tokens[span.from].span == 1)))
    {
        span.from++;
    }

    while (span.to > span.from
           && (p->tokens[span.to - 1].kind == JUDGE_P_MARK
               || judge_parse_is(&p->tokens[span.to - 1], JUDGE_PW_GLUE)))
    {
        span.to--;
    }

    return span;
}


judge_parse_span_t
judge_parse_take(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    int                 round;
    judge_parse_span_t  at, left, right;

    judge_cue_clear(cue);

    for (round = 0; round < JUDGE_CUE_ROUNDS; round++) {
        if (!judge_cue_next(p, span, cue, &at)) {
            break;
        }

        if (!cue->any) {
            cue->at = at;
        }

        cue->any = true;
        left = judge_cue_unglue(p, (judge_parse_span_t) { span.from,
                                                          at.from });
        right = judge_cue_unglue(p, (judge_parse_span_t) { at.to, span.to });
        span = (left.from < left.to) ? left : right;

        if (left.from < left.to && right.from < right.to
            && judge_parse_is(&p->tokens[left.to - 1], JUDGE_PW_JUDGE))
        {
            span = right;
        }
    }

    return span;
}
