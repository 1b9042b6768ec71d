/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Running the statements of an operation, one after another or, where the
 * driver can, those for all rows of an array together. */


#include <string.h>

#include "store/engine/runner_private.h"


void
judge_runner_start(judge_runner_t *r, judge_run_t *run, judge_op_t *op)
{
    op->rc = JUDGE_OK;
    op->bytes = 0;
    memset(run, 0, sizeof(judge_run_t));
    run->op = op;
    run->driver = r->driver;
}


/* Prepares the statement of the step; run->st is NULL after the last one. */

static judge_rc_e
judge_runner_prepare(judge_runner_t *r, const judge_op_spec_t *spec,
    judge_run_t *run)
{
    char                         types[JUDGE_OP_PARAMETERS + 1];
    judge_rc_e                   rc;
    const char                  *sql;
    judge_statement_t          **st;
    const judge_op_statement_t  *statement;

    run->st = NULL;
    run->row = NULL;

    if (run->step == JUDGE_OP_STATEMENTS) {
        return JUDGE_OK;
    }

    statement = &spec->statements[run->step];
    sql = statement->sql[r->driver->engine];
    if (sql == NULL) {
        return JUDGE_OK;
    }
    run->statement = statement;
    if (statement->row) {
        run->row = (char *) run->op + statement->row;
    }

    st = &r->statements[run->op->kind][run->step];

    if (*st == NULL) {
        rc = judge_values_types(statement->in, types);
        rc = rc == JUDGE_OK
             ? r->driver->prepare(r->connection, sql, types, st) : rc;
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    run->st = *st;

    return JUDGE_OK;
}


static judge_step_e
judge_runner_step(judge_run_t *run)
{
    return run->statement->step ? run->statement->step(run)
                                : judge_run_next(run);
}


bool
judge_runner_next(judge_runner_t *r, judge_run_t *run)
{
    judge_rc_e              rc;
    const judge_op_spec_t  *spec;

    spec = &r->specs[run->op->kind];

    for ( ;; ) {
        rc = judge_runner_prepare(r, spec, run);
        if (rc != JUDGE_OK) {
            run->op->rc = rc;
            return false;
        }

        if (run->st == NULL) {
            if (spec->end) {
                spec->end(run);
            }
            return false;
        }

        run->next = run->turn == 0 && !judge_run_wanted(run)
                    ? JUDGE_STEP_SKIP : judge_runner_step(run);

        if (run->next == JUDGE_STEP_END) {
            return false;
        }

        if (run->next != JUDGE_STEP_SKIP) {
            return true;
        }

        run->turn = 0;
        run->step++;
    }
}


/* Runs the statement, unless run->ahead is the number of its result. */

static judge_rc_e
judge_runner_statement(judge_runner_t *r, const judge_op_spec_t *spec,
    judge_run_t *run)
{
    bool                         row;
    judge_rc_e                   rc;
    const judge_op_statement_t  *s = run->statement;

    run->rows = 0;
    if (run->ahead == 0
        || !r->driver->take(r->connection, run->st, run->ahead))
    {
        judge_bind_values(run, s->in);
    }

    run->ahead = 0;
    rc = run->op->rc;

    while (rc == JUDGE_OK) {
        rc = r->driver->step(r->connection, run->st, &row);
        if (rc != JUDGE_OK || !row || judge_page_full(spec, run)) {
            break;
        }

        rc = judge_read_row(spec, run);
        if (rc == JUDGE_OK && s->read) {
            rc = s->read(run);
        }
        if (rc == JUDGE_OK) {
            rc = run->op->rc;
        }

        run->rows++;
    }

    run->changes = r->driver->changes(r->connection);
    r->driver->reset(run->st);

    if (s->changes) {
        *(int64_t *) (void *) ((char *) run->op + s->changes) = run->changes;
    }

    if (rc == JUDGE_OK && s->changed && run->changes) {
        rc = s->read(run);
        rc = rc == JUDGE_OK ? run->op->rc : rc;
    }

    return rc;
}


/* Sends the statement for several rows without waiting, then reads all
 * results.  step() is therefore called before the previous result is known,
 * and perhaps twice for a row.  If nothing can be sent, run->turn stays, and
 * the caller runs the statement.  false: the operation has ended. */

static bool
judge_runner_together(judge_runner_t *r, judge_run_t *run)
{
    void                   *rows[JUDGE_DRIVER_TOGETHER];
    size_t                  i, n, turns[JUDGE_DRIVER_TOGETHER];
    uint64_t                sent[JUDGE_DRIVER_TOGETHER];
    judge_rc_e              rc;
    const judge_op_spec_t  *spec;

    spec = &r->specs[run->op->kind];

    for (n = 0; n < JUDGE_DRIVER_TOGETHER; n++, run->turn++) {
        if (n && judge_runner_step(run) != JUDGE_STEP_REPEAT) {
            break;
        }

        judge_bind_values(run, run->statement->in);
        sent[n] = run->op->rc == JUDGE_OK
                  ? r->driver->ahead(r->connection, run->st) : 0;
        if (sent[n] == 0) {
            break;
        }
        rows[n] = run->row;
        turns[n] = run->turn;
    }

    rc = n ? r->driver->gather(r->connection, run->st) : JUDGE_OK;
    run->op->rc = run->op->rc == JUDGE_OK ? rc : run->op->rc;

    for (i = 0; i < n && run->op->rc == JUDGE_OK; i++) {
        run->turn = turns[i];
        run->row = rows[i];
        run->ahead = sent[i];
        run->op->rc = judge_runner_statement(r, spec, run);
        if (run->op->rc == JUDGE_OK) {
            run->op->rc = judge_run_outcome(run);
        }
    }

    run->turn = n ? turns[n - 1] + 1 : run->turn;

    return run->op->rc == JUDGE_OK;
}


/* False: the operation has ended. */

static bool
judge_runner_run(judge_runner_t *r, judge_run_t *run)
{
    size_t      turn;
    judge_rc_e  rc;

    turn = run->turn;
    if (r->driver->ahead && run->next == JUDGE_STEP_REPEAT
        && (run->statement->together || run->statement->step == NULL))
    {
        if (!judge_runner_together(r, run)) {
            return false;
        }
        if (run->turn > turn) {
            return true;
        }
    }

    rc = judge_runner_statement(r, &r->specs[run->op->kind], run);
    if (rc == JUDGE_OK) {
        rc = judge_run_outcome(run);
    }
    if (rc != JUDGE_OK) {
        run->op->rc = rc;
        return false;
    }

    run->turn = run->next == JUDGE_STEP_REPEAT ? run->turn + 1 : 0;
    run->step += run->next != JUDGE_STEP_REPEAT;

    return true;
}


void
judge_runner_finish(judge_runner_t *r, judge_run_t *run)
{
    do {
        if (!judge_runner_run(r, run)) {
            return;
        }
    } while (judge_runner_next(r, run));
}


judge_rc_e
judge_runner_steps(judge_runner_t *r, judge_op_t *op)
{
    judge_run_t  run;

    judge_runner_start(r, &run, op);

    if (judge_runner_next(r, &run)) {
        judge_runner_finish(r, &run);
    }

    return op->rc;
}
