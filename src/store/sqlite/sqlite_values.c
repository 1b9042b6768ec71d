/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Binding parameters and reading columns, for the rows of the engine. */


#include "store/sqlite/sqlite_op.h"


/*
 * What is bound lives until the statement has run, so nothing is copied.
 * A bind fails only for want of memory or a statement that does not fit.
 */

static void
judge_bound(judge_run_t *run, int rc)
{
    if (rc != SQLITE_OK) {
        run->op->rc = rc == SQLITE_NOMEM ? JUDGE_NOMEM : JUDGE_ERROR;
    }
}


void
judge_bind_str(judge_run_t *run, int i, judge_str_t s)
{
    judge_bound(run, sqlite3_bind_text64(run->st, i, s.data, s.len,
                                         SQLITE_STATIC, SQLITE_UTF8));
}


void
judge_bind_blob(judge_run_t *run, int i, judge_str_t s)
{
    judge_bound(run, sqlite3_bind_blob64(run->st, i, s.data, s.len,
                                         SQLITE_STATIC));
}


void
judge_bind_int(judge_run_t *run, int i, int64_t v)
{
    judge_bound(run, sqlite3_bind_int64(run->st, i, v));
}


void
judge_bind_when(judge_run_t *run, int i, judge_ms_t t)
{
    judge_bound(run, t ? sqlite3_bind_int64(run->st, i, t)
                       : sqlite3_bind_null(run->st, i));
}


void
judge_bind_double(judge_run_t *run, int i, double v, bool set)
{
    judge_bound(run, set ? sqlite3_bind_double(run->st, i, v)
                         : sqlite3_bind_null(run->st, i));
}


judge_str_t
judge_column_str(judge_run_t *run, int i)
{
    judge_str_t  s;

    s = (judge_str_t) { 0, NULL };

    if (sqlite3_column_type(run->st, i) == SQLITE_NULL) {
        return s;
    }

    /* A blob of no bytes has no address: it is empty, not absent. */
    s.data = sqlite3_column_blob(run->st, i);
    s.len = (size_t) sqlite3_column_bytes(run->st, i);
    if (s.data == NULL) {
        s = JUDGE_STR("");
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
    return sqlite3_column_int64(run->st, i);
}


double
judge_column_double(judge_run_t *run, int i)
{
    return sqlite3_column_double(run->st, i);
}


bool
judge_column_null(judge_run_t *run, int i)
{
    return sqlite3_column_type(run->st, i) == SQLITE_NULL;
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
