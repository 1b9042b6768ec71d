/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Files with what is expected of them beside: NAME.EXT and NAME.expect.  A
 * test turns what it got into facts, "key" and "value", in which a key may
 * come often; an expectation is a line
 *
 *     key = value       one fact of the key is exactly this
 *     key ~ part        one fact of the key has this part, in any case
 *     key !~ part       no fact of the key has it
 *     key >= number     every fact of the key is at least this
 *     key <= number
 *     key none          there is no fact of the key
 *
 * Empty lines and those that begin with "#" say why.
 */


#ifndef JUDGE_GOLDEN_H
#define JUDGE_GOLDEN_H


#include "base/core/str.h"


typedef struct golden  golden_t;

/* Makes facts of the content of NAME.EXT. */
typedef void (*golden_pt)(golden_t *g, judge_arena_t *arena, judge_str_t text);

/* Every file of the folder with that ending, in the order of their names;
 * their number.  A folder that is not there is a failed test. */
size_t golden_run(const char *folder, const char *ext, golden_pt handler);

/* The bytes of a file, a zero byte behind them; absent where there is none. */
judge_str_t golden_read(judge_arena_t *arena, const char *folder,
    const char *name);

void golden_fact(golden_t *g, judge_str_t value, const char *key, ...)
    __attribute__((format(printf, 3, 4)));
void golden_number(golden_t *g, double value, const char *key, ...)
    __attribute__((format(printf, 3, 4)));


#endif /* JUDGE_GOLDEN_H */
