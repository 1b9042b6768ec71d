/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Runs operations on an engine: transactions, group commit, savepoints,
 * snapshots.  A runner has one connection; only one thread at a time may use
 * it, and the caller synchronizes them.  judge_store_open() makes runners. */


#ifndef JUDGE_RUNNER_H
#define JUDGE_RUNNER_H


#include "store/engine/driver.h"
#include "store/engine/op.h"


typedef struct judge_runner  judge_runner_t;

/* `specs` has JUDGE_OP_COUNT operations.  On failure returns NULL, and *error,
 * unless `error` is NULL, is a sentence in `arena`. */
judge_runner_t *judge_runner_open(const judge_driver_t *driver,
    const judge_op_spec_t *specs, judge_arena_t *arena,
    judge_str_t directory, bool writer, judge_str_t *error);
void judge_runner_close(judge_runner_t *r);              /* NULL is allowed */

/* Events without data are rendered by this function from now on; without one,
 * an operation that has any fails.  exports: ended evaluations are noted for
 * export. */
void judge_runner_render(judge_runner_t *r, judge_event_render_pt render,
    bool exports);

/*
 * Runs operations (linked by op->next) and sets op->rc of each; done() is
 * not called.  group() commits all writes together: one that fails does not
 * affect the others, since it has a savepoint or is a single statement.  If
 * the commit fails, or an error aborts the transaction, all operations run so
 * far fail and nothing of them is stored; the rest of the list gets another
 * transaction.  reads() runs all in one snapshot, unless an error ends it;
 * after JUDGE_PAGE_BYTES of results it cuts the list and returns the
 * operations that have not been run.
 */
void judge_runner_group(judge_runner_t *r, judge_op_t *ops);
judge_op_t *judge_runner_reads(judge_runner_t *r, judge_op_t *ops);

/* Orders a list fairly: one operation of each organization, then the second of
 * each.  From the 65th organization on, several count as one. */
judge_op_t *judge_runner_in_turn(judge_op_t *ops);

/* An explicit snapshot: reads between begin() and end() see the same state.
 * If an error of the disk ends it earlier, has_snapshot() is false, and all
 * reads fail with JUDGE_BUSY until the next begin(). */
judge_rc_e judge_runner_begin(judge_runner_t *r);
bool judge_runner_has_snapshot(judge_runner_t *r);
judge_rc_e judge_runner_read(void *runner, judge_op_t *op);
void judge_runner_end(judge_runner_t *r);

/*
 * The log grows with every commit until a checkpoint moves it into the
 * database; group() makes none.  log(): the pages in it after the last commit
 * of this connection.  due(): whether `r`, the connection that makes all
 * checkpoints, should make one now.  checkpoint() waits for the disk, but
 * others may read and commit meanwhile.
 */
int judge_runner_log(const judge_runner_t *r);
bool judge_runner_due(judge_runner_t *r, int log);
void judge_runner_checkpoint(judge_runner_t *r, int log);

/* For the command-line tool; see driver.h. */
judge_rc_e judge_runner_copy(judge_runner_t *r, const char *path);
judge_rc_e judge_runner_vacuum(judge_runner_t *r);

/* judge_store_t.submit() that runs operations at once, for tools and tests. */
void judge_runner_submit(void *runner, judge_op_t *op);

/* See driver.h.  moved() is cheap enough to be called before every group. */
bool judge_runner_moved(judge_runner_t *r);
int64_t judge_runner_size(const judge_runner_t *r);
void judge_runner_shrink(judge_runner_t *r);
judge_rc_e judge_runner_keep(judge_runner_t *r, size_t bytes);
size_t judge_runner_kept(const judge_runner_t *r);

bool judge_runner_version(judge_runner_t *r,
    uint64_t words[JUDGE_DRIVER_VERSION]);

/* The first error message of the engine since the last group or read began;
 * for the log, never for a client. */
const char *judge_runner_message(judge_runner_t *r);

/* The driver's list of what was changed or deleted (driver.h), which the
 * caller empties. */
judge_subjects_t *judge_runner_subjects(judge_runner_t *r);

/* A sentence about the error that clients may see; NULL: there is none. */
const char *judge_runner_error(judge_runner_t *r);


#endif /* JUDGE_RUNNER_H */
