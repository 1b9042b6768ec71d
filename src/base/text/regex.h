/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Regular expressions by PCRE2.  Because it backtracks, its steps are counted
 * if there is an allowance (base/core/allowance.h), and a search that would
 * take too long is ended, always at the same place. */


#ifndef JUDGE_REGEX_H
#define JUDGE_REGEX_H


#include "base/core/str.h"


#define JUDGE_REGEX_MAX     1000     /* bytes of a user's expression */
#define JUDGE_REGEX_REPEAT  1000     /* the largest number in its {n,m} */

#define JUDGE_REGEX_GROUPS  40

typedef struct judge_regex  judge_regex_t;

typedef enum {
    JUDGE_REGEX_OWN,                 /* the service's: takes linear time */
    JUDGE_REGEX_TABLE,               /* likewise, from patterns_table.txt */
    JUDGE_REGEX_BYTES,               /* likewise, of text in any encoding */
    JUDGE_REGEX_MARKED,              /* the service's, whose cost is counted
                                        where it has "(?C)" */
    JUDGE_REGEX_OTHERS               /* a user's, with the bounds above; its
                                        reader must have an allowance */
} judge_regex_origin_e;

/* Allocates everything in `arena`.  JUDGE_INVALID: *error says what is wrong
 * with the expression, without a full stop; error may be NULL. */
judge_rc_e judge_regex_compile(judge_arena_t *arena, judge_str_t expression,
    judge_regex_origin_e origin, judge_regex_t **pattern,
    judge_str_t *error);

/* Finds the first match at or after `from`, which must be between characters
 * of well-formed UTF-8.  JUDGE_OK with [*begin, *end), JUDGE_NOT_FOUND,
 * JUDGE_BUSY if the search would take too long, or JUDGE_NOMEM. */
judge_rc_e judge_regex_find(judge_regex_t *p, judge_str_t text,
    size_t from, size_t *begin, size_t *end);

/* A group of the last match; absent: it did not match. */
judge_str_t judge_regex_group(const judge_regex_t *p, judge_str_t text,
    unsigned group);

/* Threads share compiled expressions, but each searches with a reader of its
 * own, to which take() assigns one expression after the other.  A reader finds
 * at most JUDGE_REGEX_GROUPS groups.  NULL: memory is exhausted. */
judge_regex_t *judge_regex_reader(judge_arena_t *arena);
void judge_regex_take(judge_regex_t *reader, const judge_regex_t *p);

/* The reader's later steps are subtracted from the allowance. */
void judge_regex_charge(judge_regex_t *reader, judge_allowance_t *allowance);

/* Returns where to search on after a match, which may be empty. */
size_t judge_regex_after(judge_str_t text, size_t begin, size_t end);


#endif /* JUDGE_REGEX_H */
