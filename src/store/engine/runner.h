/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Runs operations on an engine: transactions, group commit, savepoints,
 * snapshots.  One connection per thread at a time; whoever uses one from
 * several threads hands it over in order.  judge_store_open() makes them. */


#ifndef JUDGE_RUNNER_H
#define JUDGE_RUNNER_H


#include "store/engine/driver.h"
#include "store/engine/op.h"


typedef struct judge_runner  judge_runner_t;

/* `specs` has JUDGE_OP_COUNT operations; on failure *error, if wanted, is a
 * sentence in `arena`. */
judge_runner_t *judge_runner_open(const judge_driver_t *driver,
    const judge_op_spec_t *specs, judge_arena_t *arena,
    judge_str_t directory, bool writer, judge_str_t *error);
void judge_runner_close(judge_runner_t *r);              /* NULL is allowed */

/*
 * Runs operations (linked by op->next) and sets op->rc of each; done() is
 * not called.  group() commits all writes together: one that fails harms no
 * other, by a savepoint or because it is a single statement.  When the commit
 * fails, or an error ends the transaction before it, all that were done by
 * then are refused, and nothing of them is stored; those behind get a
 * transaction of their own.  reads() gives all of them one snapshot, unless
 * an error ends that, too; when they have read much it cuts the list and
 * returns those yet to be run.
 */
void judge_runner_group(judge_runner_t *r, judge_op_t *ops);
judge_op_t *judge_runner_reads(judge_runner_t *r, judge_op_t *ops);

/* Orders a list: one operation of each organization, then the next of each.
 * Those whose identifiers hash alike share a turn. */
judge_op_t *judge_runner_in_turn(judge_op_t *ops);

/* The snapshot by hand: reads between begin and end see the same state.  An
 * error of the disk may end it before, which has_snapshot() shows: then all
 * that follows is JUDGE_BUSY until the next begin. */
judge_rc_e judge_runner_begin(judge_runner_t *r);
bool judge_runner_has_snapshot(judge_runner_t *r);
judge_rc_e judge_runner_read(void *runner, judge_op_t *op);
void judge_runner_end(judge_runner_t *r);

/*
 * The log grows with every commit until a checkpoint moves it into the
 * database; group() makes none.  log() is how many pages stood in it after
 * the last commit of this connection; due() is true where another one, `r`,
 * which makes the checkpoints, should make one now.  It waits for the disk,
 * but needs no lock of the caller's: others may read and commit meanwhile.
 */
int judge_runner_log(const judge_runner_t *r);
bool judge_runner_due(judge_runner_t *r, int log);
void judge_runner_checkpoint(judge_runner_t *r, int log);

/* For the tool; see driver.h.  The path ends with a zero. */
judge_rc_e judge_runner_copy(judge_runner_t *r, const char *path);
judge_rc_e judge_runner_vacuum(judge_runner_t *r);

/* judge_store_t.submit() that runs operations at once, for tools and tests. */
void judge_runner_submit(void *runner, judge_op_t *op);

/* Whether the database is no longer in its place; cheap enough for a group. */
bool judge_runner_moved(judge_runner_t *r);
int64_t judge_runner_size(const judge_runner_t *r);

/* Gives back what the connection keeps in memory; between transactions.  How
 * much that may be, and was when it was looked whether it has moved. */
void judge_runner_shrink(judge_runner_t *r);
judge_rc_e judge_runner_keep(judge_runner_t *r, size_t bytes);
size_t judge_runner_kept(const judge_runner_t *r);

/* See driver.h. */
bool judge_runner_version(judge_runner_t *r,
    uint64_t words[JUDGE_DRIVER_VERSION]);

/* The last message of the engine, for the log: never for a client. */
const char *judge_runner_message(judge_runner_t *r);

/* The batches and training jobs that were changed or deleted: the driver's,
 * for the caller to empty. */
judge_subjects_t *judge_runner_subjects(judge_runner_t *r);

/* The part of the error that clients may know; NULL: nothing. */
const char *judge_runner_trouble(judge_runner_t *r);


#endif /* JUDGE_RUNNER_H */
