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
 *   approval     the stored score           v / 2
 *   rejection    the stored score          -v / 2
 *   rating r     the stored score           v / 2 * (r - 3) / 2
 *
 * A correction teaches the scores that it corrects; the others all criteria,
 * or the target criteria where there are any, and the overall score unless
 * they are about criteria.  judge_example_row_t combines many examples of the
 * same score; a negative weight alone is never learned from.
 */


#ifndef JUDGE_FEEDBACK_EXAMPLES_H
#define JUDGE_FEEDBACK_EXAMPLES_H


#include "store/store_feedback.h"


/*
 * Fills in notes and examples of the job, in the arena.  An entry that can't
 * be read makes no example, and its notes explain why.  JUDGE_OK or
 * JUDGE_NOMEM.
 */
judge_rc_e judge_feedback_examples(judge_arena_t *arena,
    judge_feedback_job_t *job);


#endif /* JUDGE_FEEDBACK_EXAMPLES_H */
