/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The SQLite engine.  One connection per thread at a time (SQLite is opened
 * without its own mutexes); whoever uses a connection from several threads
 * hands it over in order.
 *
 * An operation is one row of a table: its statements, a binder that is asked
 * before each of them, and a reader that is called for each row they give.
 */


#ifndef JUDGE_SQLITE_H
#define JUDGE_SQLITE_H


#include "store/store.h"


typedef struct judge_sqlite  judge_sqlite_t;

/*
 * Opens DIRECTORY/judge.db.  migrate() makes the file if need be and brings
 * the schema up to date in one IMMEDIATE transaction; a schema newer than
 * this program is refused.  On failure *error, if wanted, is a sentence in
 * `arena`.
 */
judge_rc_e judge_sqlite_migrate(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *error);
judge_sqlite_t *judge_sqlite_open(judge_arena_t *arena,
    judge_str_t directory, bool writer, judge_str_t *error);
void judge_sqlite_close(judge_sqlite_t *db);             /* NULL is allowed */

/*
 * Runs operations (linked by op->next) and sets op->rc of each; done() is
 * not called.  group() commits all writes together: each in a savepoint, so
 * that one that fails harms no other.  When the commit fails, or an error
 * ends the transaction before it, all that were done by then are refused, and
 * nothing of them is stored; those behind get a transaction of their own.
 * reads() gives all of them one snapshot, unless an error ends that, too; when
 * they have read much it cuts the list and returns those yet to be run.
 */
void judge_sqlite_group(judge_sqlite_t *db, judge_op_t *ops);
judge_op_t *judge_sqlite_reads(judge_sqlite_t *db, judge_op_t *ops);

/* The snapshot by hand: reads between begin and end see the same state.  An
 * error of the disk may end it before, which has_snapshot() shows: then all
 * that follows is JUDGE_BUSY until the next begin. */
judge_rc_e judge_sqlite_begin(judge_sqlite_t *db);
bool judge_sqlite_has_snapshot(judge_sqlite_t *db);
void judge_sqlite_run(judge_sqlite_t *db, judge_op_t *op);
void judge_sqlite_end(judge_sqlite_t *db);

/*
 * The log grows with every commit until a checkpoint moves it into the
 * database; group() makes none.  log() is how many pages stood in it after
 * the last commit of this connection; due() is true where another one, `db`,
 * which makes the checkpoints, should make one now.  It waits for the disk,
 * but needs no lock of the caller's: others may read and commit meanwhile.
 */
int judge_sqlite_log(const judge_sqlite_t *db);
bool judge_sqlite_due(judge_sqlite_t *db, int log);
void judge_sqlite_checkpoint(judge_sqlite_t *db, int log);

/* A store that runs every operation at once, for tools and tests. */
void judge_sqlite_submit(void *sqlite, judge_op_t *op);

/* The last message of the engine, for the log: never for a client. */
const char *judge_sqlite_message(judge_sqlite_t *db);


#endif /* JUDGE_SQLITE_H */
