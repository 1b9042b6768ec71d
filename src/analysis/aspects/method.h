/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Who judges a criterion: its checks, a measurement of the text, a language
 * model, what people corrected, or nobody.  It is chosen once, when a version
 * of a judge is made, from the words of the criterion.
 */


#ifndef JUDGE_METHOD_H
#define JUDGE_METHOD_H


#include "analysis/aspects/aspect.h"
#include "analysis/builtin/engine.h"


/*
 * Sets judged_by, aspect and reason of a criterion whose checks were read,
 * from its judge_by, and where that is not auto, decided.  `model`: one is
 * named that can judge.  In `arena` the reason, an English sentence.  JUDGE_OK
 * or JUDGE_NOMEM; JUDGE_INVALID: judge_by asks for what can't be had, and the
 * reason says why.
 */
judge_rc_e judge_method_choose(judge_arena_t *arena,
    judge_criterion_t *criterion, bool model);

/* The same for content that is no text, of which nothing is measured or
 * checked here: a model or an external worker judges it. */
judge_rc_e judge_method_media(judge_criterion_t *criterion, bool model);


/* Chooses for the criteria that nobody has chosen for yet.  JUDGE_OK or
 * JUDGE_NOMEM. */
judge_rc_e judge_method_rubric(judge_arena_t *arena, judge_rubric_t *rubric,
    bool model);

/*
 * What a language model is asked of a rubric whose methods are chosen: the
 * criteria that nothing else judges, or, where `all` is set, all but those
 * that checks decide.  asked->criteria[i] is rubric->criteria[at[i]]; there
 * may be none.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_method_asked(judge_arena_t *arena,
    const judge_rubric_t *rubric, bool all, judge_rubric_t *asked,
    size_t **at);


#endif /* JUDGE_METHOD_H */
