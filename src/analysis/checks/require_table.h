/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The tables of requirements_table.txt, and the expressions made of them. */


#ifndef JUDGE_REQUIRE_TABLE_H
#define JUDGE_REQUIRE_TABLE_H


#include "base/text/regex.h"


typedef struct {
    const char  *language;
    const char  *name;                 /* the end of a type's name; a code;
                                          what stands for the words */
    const char  *words;                /* an expression */
} judge_require_noun_t;

typedef struct {
    const char  *language;
    const char  *type;
    const char  *value;
    const char  *expression;
} judge_require_rule_t;

extern const judge_require_noun_t  judge_require_units[];
extern const size_t                judge_require_units_n;
extern const judge_require_noun_t  judge_require_things[];
extern const size_t                judge_require_things_n;
extern const judge_require_noun_t  judge_require_tongues[];
extern const size_t                judge_require_tongues_n;
extern const judge_require_noun_t  judge_require_plain[];
extern const size_t                judge_require_plain_n;
extern const judge_require_noun_t  judge_require_parts[];
extern const size_t                judge_require_parts_n;
extern const judge_require_rule_t  judge_require_rules[];
extern const size_t                judge_require_rules_n;
extern const char                  judge_require_doubts[];
extern const char *const           judge_require_filler[];
extern const char *const           judge_require_judgement[];

typedef struct {
    judge_arena_t   *arena;            /* NULL: not compiled yet */
    judge_regex_t  **rules;
    judge_regex_t  **units;
    judge_regex_t  **things;
    judge_regex_t  **tongues;
    judge_regex_t  **plain;
    judge_regex_t   *doubts;
} judge_require_set_t;

/* Once for the process, for all threads.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_require_open(const judge_require_set_t **all);


#endif /* JUDGE_REQUIRE_TABLE_H */
