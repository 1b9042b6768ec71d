/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Binding parameters and reading columns, for the operations. */


#include <string.h>

#include "store/engine/op.h"


static void judge_bind_value(judge_run_t *run, int i,
    const judge_value_t *value, const void *at);
static void judge_read_value(judge_run_t *run, int i,
    const judge_value_t *value, void *at);


#define JUDGE_OF  judge_op_by_id_t

const judge_value_t  judge_by_id_in[] = {
    JUDGE_V(op.org), JUDGE_V(id), JUDGE_END
};


const char *
judge_op_sql(const judge_op_statement_t *statement, judge_engine_e engine)
{
    return statement->engines[engine] ? statement->engines[engine]
                                      : statement->sql;
}


judge_step_e
judge_run_next(judge_run_t *run)
{
    char                *op = (char *) run->op, *rows;
    const judge_rows_t  *each;

    if (run->st == NULL) {
        return JUDGE_STEP_END;
    }

    each = &run->statement->each;
    if (each->size == 0) {
        return JUDGE_STEP_RUN;
    }

    if (run->turn == *(size_t *) (op + each->count)) {
        return JUDGE_STEP_SKIP;
    }

    memcpy(&rows, op + each->rows, sizeof(rows));
    run->row = rows + run->turn * each->size;

    return JUDGE_STEP_REPEAT;
}


/* --- Tables of values ---------------------------------------------------- */

void
judge_bind_values(judge_run_t *run, const judge_value_t *values)
{
    int          i;
    const char  *base;

    for (i = 1; values->type != JUDGE_VALUE_NONE; i++, values++) {
        base = values->of_row ? run->row : (const char *) run->op;

        if (values->set && !*(const bool *) (base + values->set)) {
            judge_bind_when(run, i, 0);
        } else {
            judge_bind_value(run, i, values, base + values->offset);
        }
    }
}


static void
judge_bind_value(judge_run_t *run, int i, const judge_value_t *value,
    const void *at)
{
    double                  number;
    int64_t                 n;
    const judge_number_t   *optional;
    const judge_integer_t  *integer;
    const judge_boolean_t  *boolean;

    switch (value->type) {

    case JUDGE_VALUE_STR:
        judge_bind_str(run, i, *(const judge_str_t *) at);
        return;

    case JUDGE_VALUE_BLOB:
        judge_bind_blob(run, i, *(const judge_str_t *) at);
        return;

    case JUDGE_VALUE_ID:
        judge_bind_str(run, i, judge_id_str(at));
        return;

    case JUDGE_VALUE_DOUBLE:
        number = *(const double *) at;
        judge_bind_double(run, i, number, number != 0 || !value->nullable);
        return;

    case JUDGE_VALUE_NUMBER:
        optional = at;
        judge_bind_double(run, i, optional->value, optional->set);
        return;

    case JUDGE_VALUE_INTEGER:
        integer = at;
        judge_bind_integer(run, i, integer->value, integer->set);
        return;

    case JUDGE_VALUE_BOOLEAN:
        boolean = at;
        judge_bind_integer(run, i, boolean->value, boolean->set);
        return;

    case JUDGE_VALUE_BOOL:
        n = *(const bool *) at;
        break;

    case JUDGE_VALUE_TURN:
        n = (int64_t) run->turn;
        break;

    default:
        n = *(const int64_t *) at;
        break;
    }

    judge_bind_integer(run, i, n + value->one_more,
                       n != 0 || !value->nullable);
}


void
judge_read_values(judge_run_t *run, int i, const judge_value_t *values,
    void *row)
{
    char  *base;

    for ( /* void */ ; values->type != JUDGE_VALUE_NONE; i++, values++) {
        base = values->of_row ? row : (char *) run->op;

        if (values->set) {
            *(bool *) (base + values->set) = !judge_column_null(run, i);
        }

        judge_read_value(run, i, values, base + values->offset);
    }
}


static void
judge_read_value(judge_run_t *run, int i, const judge_value_t *value,
    void *at)
{
    bool  set;

    switch (value->type) {

    case JUDGE_VALUE_STR:
        *(judge_str_t *) at = judge_column_str(run, i);
        return;

    case JUDGE_VALUE_INT:
        *(int64_t *) at = judge_column_int(run, i);
        return;

    case JUDGE_VALUE_BOOL:
        *(bool *) at = judge_column_int(run, i) != 0;
        return;

    case JUDGE_VALUE_DOUBLE:
        *(double *) at = judge_column_double(run, i);
        return;

    default:
        break;
    }

    set = !judge_column_null(run, i);

    if (value->type == JUDGE_VALUE_INTEGER) {
        *(judge_integer_t *) at = (judge_integer_t)
                                  { judge_column_int(run, i), set };

    } else if (value->type == JUDGE_VALUE_BOOLEAN) {
        *(judge_boolean_t *) at = (judge_boolean_t)
                                  { judge_column_int(run, i) != 0, set };

    } else if (value->type == JUDGE_VALUE_NUMBER) {
        *(judge_number_t *) at = (judge_number_t)
                                 { judge_column_double(run, i), set };

    } else {
        run->op->rc = JUDGE_ERROR;
    }
}


/* --- One at a time ------------------------------------------------------- */

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
judge_bind_integer(judge_run_t *run, int i, int64_t v, bool set)
{
    judge_bound(run, set ? run->driver->bind_int(run->st, i, v)
                         : run->driver->bind_null(run->st, i));
}


void
judge_bind_when(judge_run_t *run, int i, judge_ms_t t)
{
    judge_bind_integer(run, i, t, t != 0);
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
