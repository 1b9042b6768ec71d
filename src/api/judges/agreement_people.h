/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How well people agree among themselves, from scores that several of them
 * have corrected: no judge can be expected to agree better with them. */


#ifndef JUDGE_AGREEMENT_PEOPLE_H
#define JUDGE_AGREEMENT_PEOPLE_H


#include "analysis/learning/agreement.h"
#include "store/store_feedback.h"


/*
 * Fills targets[0] to targets[ncriteria + 1] as judge_agreement() does, the
 * overall score and the mean last.  For each score one person, another one for
 * each item, is compared with the mean of the others; alpha is over all.
 * pass[] has a threshold for each target.  Runs in any thread; JUDGE_OK or
 * JUDGE_NOMEM.
 */
judge_rc_e judge_agreement_people(judge_arena_t *arena,
    const judge_opinion_list_t *list, const judge_str_t *criteria,
    size_t ncriteria, const double *pass, judge_agreement_t *targets);


#endif /* JUDGE_AGREEMENT_PEOPLE_H */
