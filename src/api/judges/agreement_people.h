/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How well people agree among themselves, where several have corrected the
 * same score: no judge can be expected to agree better with them.
 */


#ifndef JUDGE_AGREEMENT_PEOPLE_H
#define JUDGE_AGREEMENT_PEOPLE_H


#include "analysis/learning/agreement.h"
#include "store/store_feedback.h"


/*
 * Fills targets[0] to targets[ncriteria + 1] as judge_agreement() does, the
 * overall score and the mean last: of each score one person against the mean
 * of the others, taken in turn, and alpha of all of them.  pass by target.
 * JUDGE_OK or JUDGE_NOMEM; in any thread.
 */
judge_rc_e judge_agreement_people(judge_arena_t *arena,
    const judge_opinion_list_t *list, const judge_str_t *criteria,
    size_t ncriteria, const double *pass, judge_agreement_t *targets);


#endif /* JUDGE_AGREEMENT_PEOPLE_H */
