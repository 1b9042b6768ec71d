/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The criteria of a judge: as a client sends them, and as they are stored
 * and answered (a JSON array, the same for both).
 */


#ifndef JUDGE_CRITERIA_H
#define JUDGE_CRITERIA_H


#include "base/core/id.h"
#include "base/json/fields.h"
#include "analysis/checks/check.h"


#define JUDGE_CRITERIA_MAX   64
#define JUDGE_EXAMPLES_MAX   20
#define JUDGE_WEIGHT_MAX     1000000

/* All four are there or none; each from 0 to 100, falling. */
typedef struct {
    judge_number_t  excellent;
    judge_number_t  good;
    judge_number_t  fair;
    judge_number_t  poor;
} judge_thresholds_t;

typedef struct {
    judge_str_t         id;            /* absent: not known yet */
    judge_str_t         name;
    judge_str_t         description;
    judge_number_t      weight;        /* not set: 1 */
    judge_thresholds_t  thresholds;
    bool                has_thresholds;
    judge_list_t        examples;      /* of judge_str_t */
    judge_list_t        checks;        /* of judge_check_sent_t */
    judge_boolean_t     decided;       /* by them alone */
    judge_str_t         judge_by;      /* a name of judged_by.h */
    judge_str_t         judged_by;     /* as it was chosen */
    judge_str_t         judged_by_reason;
} judge_criterion_row_t;

/* Who can judge the criteria of a judge. */
typedef struct {
    bool  text;                        /* its content is text */
    bool  named;                       /* the judge or the organization names
                                          a language model that takes it */
    bool  configured;                  /* there is one that takes it */
} judge_criteria_judges_t;

/* Of one criterion, for a list of judge_criterion_row_t. */
extern const judge_field_t  judge_criteria_fields[];

/* A row of a body's table: the member is a judge_list_t. */
#define judge_criteria_field(of, member, is_required)                         \
    { .name = "criteria", .type = JUDGE_FIELD_LIST, .flags = is_required,     \
      .offset = offsetof(of, member), .min = 1,                               \
      .max = JUDGE_CRITERIA_MAX, .fields = judge_criteria_fields,             \
      .item_size = sizeof(judge_criterion_row_t) }

/*
 * What no table can say: names are unique, thresholds fall.  JUDGE_INVALID
 * with *error, the sentence for the client, in the arena.
 */
judge_rc_e judge_criteria_check(judge_arena_t *arena,
    const judge_list_t *criteria, judge_str_t *error);

/*
 * Copies `sent` to `out` with an id for every criterion.  One that names a
 * criterion of `before`, by its id or else by its name, is that criterion;
 * any other is new.  Without `before` (NULL) all are new, whatever ids they
 * bring.  JUDGE_INVALID, with *error: an id that `before` does not have, or
 * has and that comes twice.
 */
judge_rc_e judge_criteria_identify(judge_arena_t *arena,
    const judge_list_t *sent, const judge_list_t *before, judge_ms_t now,
    judge_list_t *out, judge_str_t *error);

/*
 * Adds the checks that the descriptions tell to those of the client, and
 * chooses who judges each criterion.  JUDGE_OK or JUDGE_NOMEM; JUDGE_INVALID,
 * with *error: judge_by asks for what can't be had.
 */
judge_rc_e judge_criteria_describe(judge_arena_t *arena,
    judge_list_t *criteria, const judge_criteria_judges_t *judges,
    judge_str_t *error);

/* Chooses anew for stored criteria, which stay what they are; what judge_by
 * asks for may not be had any more.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_criteria_choose(judge_arena_t *arena, judge_list_t *criteria,
    const judge_criteria_judges_t *judges);

/* Whether one at least is judged; by corrections where the judge is
 * `trained`. */
bool judge_criteria_judged(const judge_list_t *criteria, bool trained);

/* Whether one of judge_criterion_row_t has the identifier. */
bool judge_criteria_has(const judge_list_t *criteria, judge_str_t id);

/* Data NULL: memory is exhausted. */
judge_str_t judge_criteria_write(judge_arena_t *arena,
    const judge_list_t *criteria);

/* Reads what _write() wrote; JUDGE_ERROR when it is anything else. */
judge_rc_e judge_criteria_read(judge_arena_t *arena, judge_str_t json,
    judge_list_t *criteria);


#endif /* JUDGE_CRITERIA_H */
