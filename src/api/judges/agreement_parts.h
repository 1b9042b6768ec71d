/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Agreement on parts of the scores that people gave, for the report.  Most
 * functions take the set of all scores, with its thresholds and groups, and
 * replace what differs.  They run in any thread; JUDGE_OK or JUDGE_NOMEM. */


#ifndef JUDGE_AGREEMENT_PARTS_H
#define JUDGE_AGREEMENT_PARTS_H


#include "analysis/learning/agreement.h"
#include "store/store_feedback.h"
#include "work/training/training_data.h"


/*
 * How well people agree among themselves, from scores that several of them
 * have corrected: no judge can be expected to agree better with them.  Fills
 * targets[0] to targets[ncriteria + 1] as judge_agreement() does, the overall
 * score and the mean last.  For each score one person, chosen in turn by the
 * item, is compared with the mean of the others; alpha is over all people.
 * pass[] has a threshold for each target.
 */
judge_rc_e judge_agreement_people(judge_arena_t *arena,
    const judge_opinion_list_t *list, const judge_str_t *criteria,
    size_t ncriteria, const double *pass, judge_agreement_t *targets);

/* For a judge that escalates unsure scores to a language model, four sets: all
 * overall scores as they were decided, all as the built-in engine alone would
 * have decided, only those that the model decided, and the engine's scores of
 * the latter. */
typedef enum {
    JUDGE_CASCADE_DECIDED,
    JUDGE_CASCADE_BUILTIN,
    JUDGE_CASCADE_MODEL,
    JUDGE_CASCADE_BUILTIN_THERE,
    JUDGE_CASCADE_COUNT
} judge_cascade_e;

/* The names of the sets in answers. */
extern const char *const  judge_cascade_names[JUDGE_CASCADE_COUNT];

/* Fills agree[]; n is 0 in all if no item was decided by escalation.  People's
 * overall score is the one they gave, or else the given one plus the weighted
 * corrections of criteria. */
judge_rc_e judge_agreement_cascade(judge_arena_t *arena,
    const judge_agreement_set_t *all, const judge_training_data_t *l,
    const double *weights, judge_agreement_t agree[JUDGE_CASCADE_COUNT]);

/* Fills ntargets + 1 results for each member of a panel, the mean over the
 * criteria last, and as many for the panel. */
judge_rc_e judge_agreement_panel(judge_arena_t *arena,
    const judge_agreement_set_t *all, const judge_training_data_t *data,
    judge_agreement_t *agree);

/* Agreement by the values of a metadata member, such as language. */
#define JUDGE_AGREEMENT_SLICES  20     /* the ones with most items */

typedef struct {
    judge_str_t        value;
    size_t             nitems;
    size_t             first;          /* index of the first item with it */
    judge_agreement_t *agree;          /* as judge_agreement() fills it */
} judge_agreement_slice_t;

/* Fills slices, the largest first, and how many values there are.  Results are
 * allocated in `arena`. */
judge_rc_e judge_agreement_slices(judge_arena_t *arena,
    const judge_agreement_set_t *all, const judge_training_data_t *data,
    judge_agreement_slice_t slices[JUDGE_AGREEMENT_SLICES], size_t *n,
    size_t *values);


#endif /* JUDGE_AGREEMENT_PARTS_H */
