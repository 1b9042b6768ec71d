/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What one entry of feedback teaches: training examples, each a score that a
 * criterion (or the overall score) of the evaluation should have, with a
 * weight.  v is 0.5, 1 or 2 for the severity low, medium (or none) and high:
 *
 *   correction   the corrected score        v
 *   approval     the given score            v / 2
 *   rejection    the given score           -v / 2
 *   rating r     the given score            v / 2 * (r - 3) / 2
 *
 * A correction teaches the scores that it corrects; the others all criteria,
 * or the target criteria where there are any, and the overall score unless
 * they are about criteria.  judge_example_row_t says what many examples of the
 * same score say together; a weight below zero never teaches by itself.
 */


#ifndef JUDGE_FEEDBACK_EXAMPLES_H
#define JUDGE_FEEDBACK_EXAMPLES_H


#include "store/store_feedback.h"


/*
 * Fills in notes and examples of the job, in the arena.  An entry that can't
 * be read teaches nothing, and its notes say so.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_feedback_examples(judge_arena_t *arena,
    judge_feedback_job_t *job);


#endif /* JUDGE_FEEDBACK_EXAMPLES_H */
