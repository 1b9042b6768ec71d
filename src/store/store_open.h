/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Opens the store in a directory with SQLite, or at an address
 * (postgresql://…) with the engine that an extension has for it.  No layer
 * above depends on which engine it is. */


#ifndef JUDGE_STORE_OPEN_H
#define JUDGE_STORE_OPEN_H


#include "store/engine/runner.h"


/* An extension's engine, for addresses with one of its schemes. */
typedef struct {
    const char            *schemes[4]; /* "postgresql://", …; ended by NULL */
    const judge_driver_t  *driver;
    judge_rc_e           (*check)(judge_arena_t *arena, judge_str_t address,
                                  judge_str_t *error);
} judge_database_t;

/* The engines of the extensions in this build, generated; ended by NULL. */
extern const judge_database_t *const  judge_databases[];


/* _remote(): whether a name is an address, so that reads wait for a server.
 * _check(): whether this program has an engine for the name and, if it is an
 * address, can parse it; *error continues a sentence that begins with the name
 * but does not quote it, because it may contain a password. */
bool judge_store_remote(judge_str_t name);
judge_rc_e judge_store_check(judge_arena_t *arena, judge_str_t name,
    judge_str_t *error);

/* The engine for a store; NULL: no extension has one for its address. */
const judge_driver_t *judge_store_driver(judge_str_t name);

/* _migrate() creates the database if it does not exist, and updates its schema
 * in one transaction; a schema that is newer than this program is refused.  On
 * failure *error, unless `error` is NULL, is a sentence in `arena`. */
judge_rc_e judge_store_migrate(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *error);

/* The same, but an older schema is refused as well: an upgrade would lock the
 * workers of an older module, which may be running, out of their store. */
judge_rc_e judge_store_make(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *error);

/* Why _migrate() failed; see driver.h. */
const char *judge_store_diagnose(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *rights);

/* The version of the schema to which _migrate() updates a store. */
int64_t judge_store_schema(void);

/* Opens a store, for writes, too, if `writer`; judge_runner_close() frees it.
 * On failure NULL, and *error as above. */
judge_runner_t *judge_store_open(judge_arena_t *arena, judge_str_t directory,
    bool writer, judge_str_t *error);


#endif /* JUDGE_STORE_OPEN_H */
