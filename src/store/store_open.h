/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The store in a directory, or at an address postgresql://…: which engine
 * runs is decided here, and known to nobody above.
 */


#ifndef JUDGE_STORE_OPEN_H
#define JUDGE_STORE_OPEN_H


#include "store/engine/runner.h"


/* Whether it is an address: then reads wait for a server, too.  check(): this
 * program can use such ones, and it is one; *error is a sentence that goes on
 * behind it and repeats nothing of it. */
bool judge_store_remote(judge_str_t name);
judge_rc_e judge_store_check(judge_arena_t *arena, judge_str_t name,
    judge_str_t *error);

/* The engine of the store of that name, for who listens to other nodes. */
const judge_driver_t *judge_store_driver(judge_str_t name);

/*
 * migrate() makes the database if need be and brings its schema up to date in
 * one transaction; a schema newer than this program is refused.  On failure
 * *error, if wanted, is a sentence in `arena`.
 */
judge_rc_e judge_store_migrate(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *error);

/* Why it failed; see driver.h. */
const char *judge_store_diagnose(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *rights);

/* The version of the schema that migrate() makes. */
int64_t judge_store_schema(void);

judge_runner_t *judge_store_open(judge_arena_t *arena, judge_str_t directory,
    bool writer, judge_str_t *error);


#endif /* JUDGE_STORE_OPEN_H */
