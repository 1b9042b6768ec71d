/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The criteria of a judge: as a client sends them, and as the JSON array that
 * is stored and answered. */


#ifndef JUDGE_CRITERIA_H
#define JUDGE_CRITERIA_H


#include "base/core/id.h"
#include "base/json/fields.h"
#include "analysis/checks/check.h"


#define JUDGE_CRITERIA_MAX   64
#define JUDGE_EXAMPLES_MAX   20
#define JUDGE_WEIGHT_MAX     1000000

/* All four are set or none; each is from 0 to 100 and at most the previous. */
typedef struct {
    judge_number_t  excellent;
    judge_number_t  good;
    judge_number_t  fair;
    judge_number_t  poor;
} judge_thresholds_t;

typedef struct {
    judge_str_t         id;            /* absent: not assigned yet */
    judge_str_t         name;
    judge_str_t         description;
    judge_number_t      weight;        /* not set: 1 */
    judge_thresholds_t  thresholds;
    bool                has_thresholds;
    judge_list_t        examples;      /* of judge_str_t */
    judge_list_t        checks;        /* of judge_check_sent_t */
    judge_boolean_t     decided;       /* checks alone give the score */
    judge_str_t         judge_by;      /* a name of engine.h */
    judge_str_t         judged_by;     /* the choice that was made */
    judge_str_t         judged_by_reason;
} judge_criterion_row_t;

/* Who can judge the criteria of a judge. */
typedef struct {
    bool  text;                        /* the judge's content is text */
    bool  named;                       /* the judge or the organization names
                                          a language model for this content */
    bool  configured;                  /* nginx.conf has such a model */
    bool  trained;                     /* what corrections judge stays so */
} judge_criteria_judges_t;

/* The fields of a criterion, for a list of judge_criterion_row_t. */
extern const judge_field_t  judge_criteria_fields[];

/* A row for a body's table of fields; the member must be a judge_list_t. */
#define judge_criteria_field(obj, member, is_required)                        \
    { .name = "criteria", .type = JUDGE_FIELD_LIST, .flags = is_required,     \
      .offset = offsetof(obj, member), .min = 1,                              \
      .max = JUDGE_CRITERIA_MAX, .fields = judge_criteria_fields,             \
      .item_size = sizeof(judge_criterion_row_t) }

/* The checks that the table of fields can't express: names are unique,
 * thresholds fall.  JUDGE_INVALID with *error, a sentence in the arena. */
judge_rc_e judge_criteria_check(judge_arena_t *arena,
    const judge_list_t *criteria, judge_str_t *error);

/*
 * Copies `sent` to `out` and gives every criterion an id.  One with the id, or
 * else the name, of a criterion of `before` keeps its id; any other gets a new
 * one.  If `before` is NULL, all get new ids, whatever they bring.
 * JUDGE_INVALID with *error: an id is not in `before`, or comes twice.
 */
judge_rc_e judge_criteria_identify(judge_arena_t *arena,
    const judge_list_t *sent, const judge_list_t *before, judge_ms_t now,
    judge_list_t *out, judge_str_t *error);

/* Adds the checks that are found in the descriptions to the client's, and
 * chooses who judges each criterion.  JUDGE_OK or JUDGE_NOMEM; JUDGE_INVALID
 * with *error: judge_by names somebody who can't judge this criterion. */
judge_rc_e judge_criteria_describe(judge_arena_t *arena,
    judge_list_t *criteria, const judge_criteria_judges_t *judges,
    judge_str_t *error);

/* Chooses again who judges stored criteria, and changes nothing else; what
 * judge_by names may be unavailable now.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_criteria_choose(judge_arena_t *arena, judge_list_t *criteria,
    const judge_criteria_judges_t *judges);

/* Whether any criterion is judged, also by corrections if the judge is
 * `trained`; true if there are no criteria. */
bool judge_criteria_judged(const judge_list_t *criteria, bool trained);

/* The criterion of the list with the identifier; NULL: there is none. */
const judge_criterion_row_t *judge_criteria_find(const judge_list_t *criteria,
    judge_str_t id);

/* Returns the JSON array; data NULL: out of memory. */
judge_str_t judge_criteria_write(judge_arena_t *arena,
    const judge_list_t *criteria);

/* Reads what _write() wrote; JUDGE_ERROR if it is anything else. */
judge_rc_e judge_criteria_read(judge_arena_t *arena, judge_str_t json,
    judge_list_t *criteria);


/* --- Reports ------------------------------------------------------------- */

#define JUDGE_REPORT_PASS    60.0      /* lowest score that passes, if a
                                          criterion has no thresholds */

/* What reports on a judge need of its criteria. */
typedef struct {
    judge_list_t   rows;               /* of judge_criterion_row_t */
    judge_str_t   *ids;
    double        *weights;
    double        *pass;               /* the lowest scores that pass; the last
                                          one is of the overall score */
} judge_report_criteria_t;

/* JUDGE_OK, JUDGE_NOMEM or JUDGE_ERROR. */
judge_rc_e judge_report_criteria(judge_arena_t *arena, judge_str_t json,
    judge_report_criteria_t *criteria);

/* Writes the member "criteria", an array of objects with identifier and name;
 * put() adds the members of the i-th criterion, and of target `first` + i. */
void judge_report_each(judge_json_writer_t *w, const judge_list_t *criteria,
    size_t first, void (*put)(judge_json_writer_t *w, const void *report,
    size_t target), const void *report);


/* --- Advice -------------------------------------------------------------- */

/* Advice for whoever writes a judge: on criteria that add nothing of their
 * own, and those that nobody can score reliably. */

/* Writes the member "advice", sentences in English, unless there are none.
 * The judges of the criteria must have been chosen. */
void judge_advice_write(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_list_t *criteria);


#endif /* JUDGE_CRITERIA_H */
