/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Checks: requirements of a criterion that a program can decide, such as "at
 * most 80 words": their JSON, their parsed form and their results.
 */


#ifndef JUDGE_CHECK_H
#define JUDGE_CHECK_H


#include "base/json/fields.h"
#include "base/text/regex.h"


#define JUDGE_CHECKS_MAX      20       /* of a criterion */
#define JUDGE_CHECK_TEXTS     50       /* strings in a value */
#define JUDGE_CHECK_TEXT      1000     /* characters of a string */
#define JUDGE_CHECK_PASSAGES  5        /* shown in a result */
#define JUDGE_CHECK_QUOTE     120      /* bytes of a passage */

#define JUDGE_CHECK_GIVEN        "given"
#define JUDGE_CHECK_DESCRIPTION  "description"

/* A check as clients send it and as it is stored. */
typedef struct {
    judge_str_t      type;
    judge_json_t    *value;            /* NULL: none */
    judge_number_t   weight;           /* > 0; not set: 1 */
    judge_boolean_t  caps;             /* not set: no */
    judge_boolean_t  on;               /* not set: yes */
    judge_str_t      origin;           /* absent: given */
} judge_check_sent_t;

extern const judge_field_t  judge_check_fields[];

/* The field "checks" of a criterion; the member is a judge_list_t. */
#define judge_checks_field(of, member)                                        \
    { .name = "checks", .type = JUDGE_FIELD_LIST,                             \
      .offset = offsetof(of, member), .min = 0, .max = JUDGE_CHECKS_MAX,      \
      .fields = judge_check_fields, .item_size = sizeof(judge_check_sent_t) }

typedef struct judge_check_type  judge_check_type_t;
typedef struct judge_schema  judge_schema_t;

/* A check that was parsed and validated. */
typedef struct {
    const judge_check_type_t  *type;
    judge_str_t                name;   /* the type's, or its negation's */
    const judge_json_t        *value;
    bool                       negated;
    double                     weight;
    bool                       caps;
    bool                       on;
    bool                       described;    /* origin: description */
    double                     number; /* a limit: count, grade or share */
    size_t                     words;  /* the n of n-grams */
    judge_str_t               *texts;  /* strings to search for */
    size_t                     ntexts;
    judge_regex_t             *pattern;
    judge_schema_t            *schema;
} judge_check_t;

/* [start, end) in code points of the text as stored. */
typedef struct {
    size_t       start;
    size_t       end;
    judge_str_t  quote;                /* cut where it is long */
} judge_check_passage_t;

typedef struct {
    const judge_check_t   *check;
    double                 share;      /* 1: met; 0: not met; between: partly;
                                          NAN: undecided */
    bool                   budget;     /* undecided: the allowance ran out */
    judge_str_t            sentence;   /* a sentence on what was found */
    judge_check_passage_t  passages[JUDGE_CHECK_PASSAGES];
    size_t                 npassages;
} judge_check_result_t;


/*
 * Reads the rows of one criterion into `checks`, as many as there are rows.
 * What is compiled of their values lies in the arena `values`, and checks can
 * be decided as long as that is there.
 * JUDGE_INVALID: with *error, a sentence that begins "checks[2].value: ".
 */
judge_rc_e judge_checks_read(judge_arena_t *arena, judge_arena_t *values,
    const judge_list_t *rows, judge_check_t **checks, judge_str_t *error);

/* Writes the member "checks", unless the list is empty. */
void judge_checks_write(judge_json_writer_t *w, const judge_list_t *rows);

/* Whether the lists are equal; a field left out equals its default. */
bool judge_checks_same(judge_arena_t *arena, const judge_list_t *a,
    const judge_list_t *b);

/* "met", "not_met", "partly" or "budget"; NULL: undecided otherwise. */
const char *judge_check_result(const judge_check_result_t *result);


#endif /* JUDGE_CHECK_H */
