/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Turns stored entries of feedback into the examples that training learns
 * from, in the background of whichever worker claims them first. */


#ifndef JUDGE_FEEDBACK_QUEUE_H
#define JUDGE_FEEDBACK_QUEUE_H


#include "store/store_feedback.h"
#include "work/service/leased.h"


extern const judge_leased_kind_t  judge_feedback_turns;


/* --- Examples of an entry ------------------------------------------------ */

/*
 * Training examples from an entry of feedback.  An example is the score that a
 * criterion (or the overall score) of the evaluation should have, and its
 * weight.  v is 0.5, 1 or 2 for the severity low, medium (or none) and high:
 *
 *   correction   the corrected score        v
 *   approval     the stored score           v / 2
 *   rejection    the stored score          -v / 2
 *   rating r     the stored score           v / 2 * (r - 3) / 2
 *
 * A correction gives examples of the scores that it corrects; the others give
 * examples of the target criteria, or else of all criteria and the overall
 * score.  judge_example_row_t is the sum of a score's examples; if their
 * weights are negative only, nothing is learned from them.
 */

/*
 * Fills in the job's notes and examples, in the arena.  An entry that can't be
 * read gives no example, and its notes explain why.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_feedback_examples(judge_arena_t *arena,
    judge_feedback_job_t *job);


#endif /* JUDGE_FEEDBACK_QUEUE_H */
