/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Binding parameters and reading columns, for the operations. */


#include "store/engine/op.h"


/* What is bound lives until the statement has run, so nothing is copied. */

static void
judge_bound(judge_run_t *run, judge_rc_e rc)
{
    if (rc != JUDGE_OK) {
        run->op->rc = rc;
    }
}


void
judge_bind_str(judge_run_t *run, int i, judge_str_t s)
{
    judge_bound(run, run->driver->bind_text(run->st, i, s));
}


void
judge_bind_blob(judge_run_t *run, int i, judge_str_t s)
{
    judge_bound(run, run->driver->bind_blob(run->st, i, s));
}


void
judge_bind_int(judge_run_t *run, int i, int64_t v)
{
    judge_bound(run, run->driver->bind_int(run->st, i, v));
}


void
judge_bind_when(judge_run_t *run, int i, judge_ms_t t)
{
    judge_bound(run, t ? run->driver->bind_int(run->st, i, t)
                       : run->driver->bind_null(run->st, i));
}


void
judge_bind_double(judge_run_t *run, int i, double v, bool set)
{
    judge_bound(run, set ? run->driver->bind_double(run->st, i, v)
                         : run->driver->bind_null(run->st, i));
}


judge_str_t
judge_column_view(judge_run_t *run, int i)
{
    return run->driver->column_str(run->st, i);
}


judge_str_t
judge_column_str(judge_run_t *run, int i)
{
    judge_str_t  s;

    s = judge_column_view(run, i);
    if (s.data == NULL) {
        return s;
    }

    s = judge_str_dup(run->op->arena, s);
    if (s.data == NULL) {
        run->op->rc = JUDGE_NOMEM;
    }

    run->op->bytes += s.len;

    return s;
}


int64_t
judge_column_int(judge_run_t *run, int i)
{
    return run->driver->column_int(run->st, i);
}


double
judge_column_double(judge_run_t *run, int i)
{
    return run->driver->column_double(run->st, i);
}


bool
judge_column_null(judge_run_t *run, int i)
{
    return run->driver->column_null(run->st, i);
}


void *
judge_row_room(judge_run_t *run, void *rows, size_t n, size_t size)
{
    if (rows == NULL) {
        rows = judge_array_alloc(run->op->arena, n, size);
        if (rows == NULL) {
            run->op->rc = JUDGE_NOMEM;
        }
    }

    return rows;
}
