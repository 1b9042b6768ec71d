/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* An entry of feedback: its fields, its checks, its row, and the statistics
 * over entries. */


#ifndef JUDGE_FEEDBACK_ENTRY_H
#define JUDGE_FEEDBACK_ENTRY_H


#include "base/json/fields.h"
#include "store/store_feedback.h"
#include "work/calibration/scores.h"
#include "api/judges/criteria.h"


/* The scores of an evaluation, read from its stored record; a failed one has
 * none. */
typedef struct {
    judge_score_t  *scores;            /* [0]: the overall score */
    size_t          n;                 /* 0: there are none */
    uint64_t        taught;            /* bit set: criteria with a score to
                                          learn from in the entries */
} judge_stored_scores_t;

/* Statistics of the feedback on a judge; docs/training.md explains them. */

/* A correction that moves a score by so many points is significant, as is one
 * of a criterion that had no score. */
#define JUDGE_STATS_MOVE  10

/* The share of a kind of entry counts if there are so many of that kind. */
#define JUDGE_STATS_OF_KIND  5

typedef struct {
    int64_t  corrections;
    int64_t  significant;              /* corrections */
    int64_t  approvals;
    int64_t  rejections;
    int64_t  ratings;
    double   rating_sum;               /* each is 1 to 5 */
    int64_t  evaluations;              /* with a score to learn from */
    int64_t  taught[JUDGE_CRITERIA_MAX];     /* the same by criterion */
} judge_feedback_stats_t;

#define JUDGE_COMMENT_MAX  5000        /* characters */

typedef enum {                         /* as in judge_feedback_types */
    JUDGE_FEEDBACK_CORRECTION,
    JUDGE_FEEDBACK_RATING,
    JUDGE_FEEDBACK_APPROVAL,
    JUDGE_FEEDBACK_COMMENT
} judge_feedback_type_e;

extern const char *const  judge_feedback_types[];

typedef struct {
    judge_json_t    *corrected_scores; /* NULL: none */
    judge_number_t   corrected_overall_score;
    judge_str_t      explanation;
    judge_number_t   rating;
    judge_boolean_t  approved;
    judge_str_t      comment;
} judge_feedback_content_t;

typedef struct {
    judge_str_t               evaluation_id;
    judge_choice_t            type;
    judge_feedback_content_t  content;
    judge_boolean_t           criterion_specific;
    judge_list_t              target_criteria; /* of judge_str_t */
    judge_str_t               severity;
    judge_str_t               submitted_by_person;
    judge_str_t               updated_by_person;   /* of a change */
} judge_feedback_entry_t;

/* The fields of a new entry, and of a change, which keeps absent ones. */
extern const judge_field_t  judge_feedback_entry_fields[];
extern const judge_field_t  judge_feedback_change_fields[];


/*
 * The checks that the table of fields can't express: _check() checks what each
 * type requires, _fits() that the criteria which the entry names are those of
 * the evaluation's judge (a list of judge_criterion_row_t).  JUDGE_INVALID
 * with *error, the sentence for the client; JUDGE_NOMEM.
 */
judge_rc_e judge_feedback_entry_check(judge_arena_t *arena,
    const judge_feedback_entry_t *entry, judge_str_t *error);
judge_rc_e judge_feedback_entry_fits(judge_arena_t *arena,
    const judge_feedback_entry_t *entry, const judge_list_t *criteria,
    judge_str_t *error);

/* Fills in the row from the entry and its evaluation's scores; JUDGE_OK or
 * JUDGE_NOMEM. */
judge_rc_e judge_feedback_entry_row(judge_arena_t *arena,
    const judge_feedback_entry_t *entry, const judge_stored_scores_t *scores,
    judge_feedback_row_t *row);

/* Sets target->scores to a judge_stored_scores_t read from the stored record,
 * in the arena of `o`; with JUDGE_NOMEM or the error of judge_scores_read() it
 * has fewer scores. */
judge_rc_e judge_feedback_entry_take(judge_feedback_targets_t *o,
    judge_feedback_target_t *target, judge_str_t body);

/* Adds an entry to the statistics of its judge, and notes in scores->taught
 * which criteria it teaches, so that an evaluation counts once.  Must be
 * called once for each entry. */
void judge_feedback_entry_count(const judge_feedback_entry_t *entry,
    const judge_list_t *criteria, judge_stored_scores_t *scores,
    judge_feedback_stats_t *impact);

/* Adds counts and ratings, for an answer: not `evaluations` and `taught`. */
void judge_feedback_stats_add(judge_feedback_stats_t *to,
    const judge_feedback_stats_t *more);

/*
 * Training is recommended if the entries on one judge are as many as a job
 * needs, a job would have enough to learn from, and one of these holds:
 * a fifth of them are significant corrections; or of at least
 * JUDGE_STATS_OF_KIND approvals and rejections most are rejections; or of at
 * least so many ratings the average is below 3.
 */
bool judge_feedback_stats_retrain(const judge_feedback_stats_t *stats);


#endif /* JUDGE_FEEDBACK_ENTRY_H */
