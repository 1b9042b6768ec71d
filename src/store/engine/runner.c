/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Running operations: transactions, group commit, snapshots.  The tables of
 * src/store/ops define what an operation does, the driver runs a statement. */


#include <stdlib.h>
#include <string.h>

#include "store/engine/runner_private.h"
#include "store/store_audit.h"
#include "store/store_queue.h"
#include "store/store_webhook.h"


/* After so many bytes of results, no more reads are run in the same call. */
#define JUDGE_RUNNER_READS  JUDGE_PAGE_BYTES


judge_runner_t *
judge_runner_open(const judge_driver_t *driver,
    const judge_op_spec_t *specs, judge_arena_t *arena,
    judge_str_t directory, bool writer, judge_str_t *error)
{
    judge_runner_t  *r;

    r = calloc(1, sizeof(judge_runner_t));
    if (r == NULL) {
        return NULL;
    }

    r->driver = driver;
    r->specs = specs;
    r->connection = driver->open(arena, directory, writer, error);
    if (r->connection == NULL) {
        free(r);
        return NULL;
    }

    return r;
}


void
judge_runner_render(judge_runner_t *r, judge_event_render_pt render,
    bool exports)
{
    r->render = render;
    r->exports = exports;
}


void
judge_runner_close(judge_runner_t *r)
{
    if (r) {
        r->driver->close(r->connection);
        free(r);
    }
}


bool
judge_runner_moved(judge_runner_t *r)
{
    return r->driver->moved && r->driver->moved(r->connection);
}


void
judge_runner_shrink(judge_runner_t *r)
{
    if (r->driver->shrink) {
        r->driver->shrink(r->connection);
    }
}


judge_rc_e
judge_runner_keep(judge_runner_t *r, size_t bytes)
{
    return r->driver->keep ? r->driver->keep(r->connection, bytes) : JUDGE_OK;
}


size_t
judge_runner_kept(const judge_runner_t *r)
{
    return r->driver->kept ? r->driver->kept(r->connection) : 0;
}


judge_subjects_t *
judge_runner_subjects(judge_runner_t *r)
{
    return r->driver->subjects(r->connection);
}


int64_t
judge_runner_size(const judge_runner_t *r)
{
    return r->driver->size ? r->driver->size(r->connection) : 0;
}


bool
judge_runner_version(judge_runner_t *r, uint64_t words[JUDGE_DRIVER_VERSION])
{
    return r->driver->version && r->driver->version(r->connection, words);
}


const char *
judge_runner_message(judge_runner_t *r)
{
    return r->driver->message(r->connection);
}


const char *
judge_runner_error(judge_runner_t *r)
{
    return r->driver->error(r->connection);
}


int
judge_runner_log(const judge_runner_t *r)
{
    return r->driver->log ? r->driver->log(r->connection) : 0;
}


bool
judge_runner_due(judge_runner_t *r, int log)
{
    return r->driver->checkpoint_due
           && r->driver->checkpoint_due(r->connection, log);
}


void
judge_runner_checkpoint(judge_runner_t *r, int log)
{
    r->driver->checkpoint(r->connection, log);
}


judge_rc_e
judge_runner_copy(judge_runner_t *r, const char *path)
{
    r->driver->forget(r->connection);

    return r->driver->copy(r->connection, path);
}


judge_rc_e
judge_runner_vacuum(judge_runner_t *r)
{
    r->driver->forget(r->connection);

    return r->driver->vacuum(r->connection);
}


/* --- Writes -------------------------------------------------------------- */

static judge_rc_e
judge_runner_transact(judge_runner_t *r, judge_transaction_e what)
{
    return r->driver->transact(r->connection, what);
}


/* Whether at most one statement of the operation will run, and only once.
 * Conditions may depend on what a statement before them reads. */

static bool
judge_runner_single(judge_runner_t *r, judge_op_t *op)
{
    bool                         reads;
    size_t                       n;
    judge_run_t                  run;
    const judge_op_spec_t       *spec;
    const judge_op_statement_t  *s;

    spec = &r->specs[op->kind];
    if (spec->end || op->events || op->idempotency || op->audit) {
        return false;
    }

    memset(&run, 0, sizeof(judge_run_t));
    run.op = op;

    for (n = 0, reads = false; run.step < JUDGE_OP_STATEMENTS; run.step++) {
        run.statement = s = &spec->statements[run.step];

        if (s->sql[r->driver->engine] == NULL) {
            break;
        }

        if (s->each.size || s->step) {
            return false;
        }

        run.row = (char *) op + s->row;

        n += reads || judge_run_wanted(&run);
        reads = reads || s->out;
    }

    return n < 2;
}


/* Stores the answer for the Idempotency-Key, in the operation's savepoint. */

static judge_rc_e
judge_runner_idempotency(judge_runner_t *r, judge_op_t *op)
{
    judge_rc_e                rc;
    judge_idempotency_keep_t  keep = {
        .op = { .kind = JUDGE_OP_IDEMPOTENCY_KEEP, .org = op->org },
        .row = *op->idempotency };

    rc = judge_runner_steps(r, &keep.op);
    op->idempotency->taken = rc == JUDGE_CONFLICT;

    return rc;
}


/* Stores who made the change, in the operation's savepoint. */

static judge_rc_e
judge_runner_audit(judge_runner_t *r, judge_op_t *op)
{
    judge_audit_keep_t  keep = {
        .op = { .kind = JUDGE_OP_AUDIT_KEEP, .org = op->org },
        .row = *op->audit };

    return judge_runner_steps(r, &keep.op);
}


/* Does the work that triggers have noted in rows: adds events of evaluations
 * that wait for external workers, and removes results. */

static judge_rc_e
judge_runner_noted(judge_runner_t *r, judge_op_t *op)
{
    unsigned                noted;
    judge_rc_e              rc;
    judge_results_gone_t    gone = {
        .op = { .kind = JUDGE_OP_RESULTS_GONE, .arena = op->arena } };
    judge_event_requests_t  requests = {
        .op = { .kind = JUDGE_OP_EVENT_REQUESTS, .arena = op->arena,
                .events = op->events } };

    noted = r->driver->noted(r->connection);
    rc = noted & JUDGE_NOTED_RESULTS ? judge_runner_steps(r, &gone.op)
                                     : JUDGE_OK;

    if (rc == JUDGE_OK && noted & JUDGE_NOTED_REQUESTS) {
        rc = judge_runner_steps(r, &requests.op);
        op->events = requests.op.events;
    }

    return rc;
}


/* Runs another operation in the same savepoint, which writes the events. */

static judge_rc_e
judge_runner_events(judge_runner_t *r, judge_op_t *op)
{
    judge_event_write_t  write = {
        .op = { .kind = JUDGE_OP_EVENT_WRITE, .arena = op->arena,
                .events = op->events, .submitted_at = op->submitted_at },
        .render = r->render,
        .exports = r->exports,
        .reads = { .read = judge_runner_read, .data = r } };

    return judge_runner_steps(r, &write.op);
}


/* Undoes an operation if it failed.  If it has no savepoint and its single
 * statement has changed rows before it failed (memory for the output was out),
 * the whole transaction must be rolled back. */

static judge_rc_e
judge_runner_undo(judge_runner_t *r, const judge_op_t *op, bool savepoint,
    int64_t before)
{
    judge_rc_e  rc;

    if (!judge_runner_has_snapshot(r)) {
        return JUDGE_BUSY;
    }

    if (!savepoint) {
        return r->driver->changed(r->connection) == before ? JUDGE_OK
                                                           : op->rc;
    }

    rc = op->rc == JUDGE_OK
         ? JUDGE_OK : judge_runner_transact(r, JUDGE_TRANSACTION_ROLLBACK_TO);

    return rc == JUDGE_OK
           ? judge_runner_transact(r, JUDGE_TRANSACTION_RELEASE) : rc;
}


/* Runs a write.  Unless it ends with JUDGE_OK, it is undone: by a savepoint,
 * or by the engine if it is a single statement.  Returns JUDGE_OK if the
 * transaction can go on, whatever the operation's outcome. */

static judge_rc_e
judge_runner_write(judge_runner_t *r, judge_op_t *op)
{
    bool            savepoint;
    int64_t         before;
    judge_rc_e      rc;
    judge_event_t  *last;

    last = op->events ? op->events->last : NULL;
    before = r->driver->changed(r->connection);
    savepoint = r->driver->fragile || !judge_runner_single(r, op);

    if (savepoint) {
        rc = judge_runner_transact(r, JUDGE_TRANSACTION_SAVEPOINT);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    op->rc = judge_runner_steps(r, op);
    if (op->rc == JUDGE_OK && op->idempotency) {
        op->rc = judge_runner_idempotency(r, op);
    }

    if (op->rc == JUDGE_OK && op->audit) {
        op->rc = judge_runner_audit(r, op);
    }

    if (op->rc == JUDGE_OK && op->arena) {
        op->rc = judge_runner_noted(r, op);
    }

    if (op->rc == JUDGE_OK && op->events) {
        op->rc = judge_runner_events(r, op);
    }

    /* Removes the events that were added here: a retry adds them again. */
    if (last) {
        op->events->last = last;
        last->next = NULL;
    } else {
        op->events = NULL;
    }

    return judge_runner_undo(r, op, savepoint, before);
}


/* Rolls back, if the error has not ended the transaction already. */

static void
judge_runner_rollback(judge_runner_t *r)
{
    if (judge_runner_has_snapshot(r)) {
        (void) judge_runner_transact(r, JUDGE_TRANSACTION_ROLLBACK);
    }
}


static void
judge_runner_refuse(judge_op_t *first, judge_op_t *end, judge_rc_e rc)
{
    judge_op_t  *op;

    for (op = first; op != end; op = op->next) {
        op->rc = rc;

        if (op->idempotency) {
            op->idempotency->taken = false;
        }
    }
}


/*
 * Runs a group of operations in one transaction.  Some errors (of the disk,
 * out of memory) end the transaction or leave it in an unknown state: then all
 * of its operations fail, even those that had succeeded.  Returns the rest of
 * the list, which must be run in another transaction.
 */

static judge_op_t *
judge_runner_transaction(judge_runner_t *r, judge_op_t *first)
{
    judge_rc_e   rc;
    judge_op_t  *op, *rest;

    rest = NULL;
    rc = judge_runner_transact(r, JUDGE_TRANSACTION_BEGIN);

    for (op = first; op && rc == JUDGE_OK; op = op->next) {
        rc = judge_runner_write(r, op);
        rest = op->next;
    }

    if (rc == JUDGE_OK) {
        rc = judge_runner_transact(r, JUDGE_TRANSACTION_COMMIT);
    }

    if (rc != JUDGE_OK) {
        judge_runner_rollback(r);
        judge_runner_refuse(first, rest, rc);
    }

    return rest;
}


void
judge_runner_group(judge_runner_t *r, judge_op_t *ops)
{
    r->driver->forget(r->connection);

    while (ops) {
        ops = judge_runner_transaction(r, ops);
    }
}


/* --- Reads --------------------------------------------------------------- */

static bool
judge_runner_ready(judge_runner_t *r, judge_run_t *run)
{
    if (!judge_runner_has_snapshot(r)) {
        run->op->rc = judge_runner_begin(r);
    }

    return judge_runner_has_snapshot(r);
}


/* Advances each run to its first statement.  Short reads are sent together, so
 * that all of them wait for one round trip. */

static void
judge_runner_ahead(judge_runner_t *r, judge_run_t *runs, size_t n)
{
    bool         any;
    size_t       i;
    judge_run_t  *run;

    for (any = false, i = 0; i < n; i++) {
        run = &runs[i];
        if (!judge_runner_ready(r, run) || !judge_runner_next(r, run)) {
            run->next = JUDGE_STEP_END;

        } else if (n > 1 && r->specs[run->op->kind].place == JUDGE_OP_INLINE) {
            judge_bind_values(run, run->statement->in);
            run->ahead = run->op->rc == JUDGE_OK
                         ? r->driver->ahead(r->connection, run->st) : 0;
            any = any || run->ahead;
        }
    }

    if (any) {
        (void) r->driver->gather(r->connection, NULL);
    }
}


judge_op_t *
judge_runner_reads(judge_runner_t *r, judge_op_t *ops)
{
    size_t       i, n, bytes;
    judge_op_t  *last, *rest;
    judge_run_t  runs[JUDGE_DRIVER_AHEAD];

    last = NULL;
    bytes = 0;

    for (rest = ops; rest && bytes < JUDGE_RUNNER_READS; /* void */ ) {
        for (n = 0; rest && n < JUDGE_DRIVER_AHEAD
                    && (n == 0 || r->driver->ahead); n++)
        {
            last = rest;
            rest = last->next;
            judge_runner_start(r, &runs[n], last);
        }

        judge_runner_ahead(r, runs, n);

        for (i = 0; i < n; i++) {
            if (runs[i].next != JUDGE_STEP_END
                && judge_runner_ready(r, &runs[i]))
            {
                judge_runner_finish(r, &runs[i]);
            }
            bytes += runs[i].op->bytes;
        }
    }

    if (last) {
        last->next = NULL;
    }

    judge_runner_end(r);

    return rest;
}


judge_rc_e
judge_runner_begin(judge_runner_t *r)
{
    r->driver->forget(r->connection);

    return judge_runner_transact(r, JUDGE_TRANSACTION_BEGIN);
}


bool
judge_runner_has_snapshot(judge_runner_t *r)
{
    return r->driver->in_transaction(r->connection);
}


judge_rc_e
judge_runner_read(void *runner, judge_op_t *op)
{
    op->rc = judge_runner_steps(runner, op);

    return op->rc;
}


void
judge_runner_end(judge_runner_t *r)
{
    if (judge_runner_has_snapshot(r)
        && judge_runner_transact(r, JUDGE_TRANSACTION_COMMIT) != JUDGE_OK)
    {
        judge_runner_rollback(r);
    }
}


void
judge_runner_submit(void *runner, judge_op_t *op)
{
    judge_runner_t  *r = runner;

    op->next = NULL;

    if (r->specs[op->kind].place == JUDGE_OP_WRITE) {
        judge_runner_group(r, op);
        if (judge_runner_due(r, judge_runner_log(r))) {
            judge_runner_checkpoint(r, judge_runner_log(r));
        }
    } else {
        (void) judge_runner_reads(r, op);
    }

    op->done(op);
}
