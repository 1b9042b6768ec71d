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
 * from its judge_by.  `model`: one is named that can judge.  In `arena` the
 * reason, a sentence that is complete in English.  JUDGE_OK or JUDGE_NOMEM;
 * JUDGE_INVALID: judge_by asks for what can't be had, and the reason says why.
 */
judge_rc_e judge_method_choose(judge_arena_t *arena,
    judge_criterion_t *criterion, bool model);


#endif /* JUDGE_METHOD_H */
