/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Whether a person should look at a result, and why.
 */


#ifndef JUDGE_REVIEW_REASONS_H
#define JUDGE_REVIEW_REASONS_H


#include "work/render/evaluation_json.h"


/* What the judge says of it, out of its JSON, into the rubric; absent:
 * nothing. */
void judge_review_settings(judge_arena_t *arena, judge_str_t review,
    judge_rubric_t *rubric);

/*
 * Adds the reasons that the verdict itself gives to those that the origin has
 * already:
 *
 * - the interval around a score holds a threshold that matters: around the
 *   overall one that of the judge, around a criterion's its "fair", from where
 *   on it passes, once corrections have made the interval;
 * - the interval around the overall score is wider than the judge wants;
 * - the text is unlike those that general quality was set by, where the judge
 *   has not learned what it is used to;
 * - checks say the opposite of what was judged: nothing is met of what
 *   passed, or all of what got less than "poor";
 * - the built-in engine has next to nothing for the language;
 * - a score could not be measured.
 *
 * Any thread; no memory is needed.
 */
void judge_review_decide(const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, judge_origin_t *origin);


#endif /* JUDGE_REVIEW_REASONS_H */
