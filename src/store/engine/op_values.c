/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Binding parameters and reading columns, for the operations. */


#include <string.h>

#include "base/core/hash.h"
#include "store/engine/runner.h"
#include "store/packing/packing.h"


#define JUDGE_RUNNER_TURNS  64         /* organizations in one list */


/* --- Tables of values ---------------------------------------------------- */

static judge_str_t
judge_bind_bytes(const judge_run_t *run, const judge_value_t *value,
    const void *at)
{
    judge_str_t  s = *(const judge_str_t *) at;

    if (run->op->arena == NULL || value->type == JUDGE_VALUE_BLOB) {
        return s;
    }

    return value->type == JUDGE_VALUE_PACKED
           ? judge_pack(run->op->arena, s)
           : judge_pack_floats(run->op->arena, s);
}


static judge_rc_e
judge_bind_value(judge_run_t *run, int i, const judge_value_t *value,
    const void *at)
{
    bool                   set;
    double                 number;
    int64_t                n;
    judge_statement_t     *st = run->st;
    const judge_driver_t  *driver = run->driver;

    switch (value->type) {
    case JUDGE_VALUE_STR:
        return driver->bind_text(st, i, *(const judge_str_t *) at);

    case JUDGE_VALUE_C:
        return driver->bind_text(st, i, judge_str_c(*(char *const *) at));

    case JUDGE_VALUE_BLOB:
    case JUDGE_VALUE_PACKED:
    case JUDGE_VALUE_FLOATS:
        return driver->bind_blob(st, i, judge_bind_bytes(run, value, at));

    case JUDGE_VALUE_ID:
        return driver->bind_text(st, i, judge_id_str(at));

    case JUDGE_VALUE_DOUBLE:
        number = *(const double *) at;
        return number != 0 || !value->nullable
               ? driver->bind_double(st, i, number)
               : driver->bind_null(st, i);

    case JUDGE_VALUE_NUMBER:
        return ((const judge_number_t *) at)->set
               ? driver->bind_double(st, i,
                                     ((const judge_number_t *) at)->value)
               : driver->bind_null(st, i);

    case JUDGE_VALUE_INTEGER:
        n = ((const judge_integer_t *) at)->value;
        set = ((const judge_integer_t *) at)->set;
        break;

    case JUDGE_VALUE_BOOLEAN:
        n = ((const judge_boolean_t *) at)->value;
        set = ((const judge_boolean_t *) at)->set;
        break;

    case JUDGE_VALUE_BOOL:
        n = *(const bool *) at;
        set = n != 0 || !value->nullable;
        break;

    case JUDGE_VALUE_TURN:
        n = (int64_t) run->turn;
        set = true;
        break;

    default:
        n = *(const int64_t *) at;
        set = n != 0 || !value->nullable;
        break;
    }

    return set ? driver->bind_int(st, i, n) : driver->bind_null(st, i);
}


static const char *
judge_value_at(const judge_run_t *run, const judge_value_t *value,
    const void *row)
{
    const char  *at;

    at = value->of_row ? row : (const char *) run->op;
    at += value->offset;

    if (value->each) {
        at = *(const char *const *) at;
        at += run->turn * value->each;
    }

    return at;
}


/* Bound values live until the statement has run, so they are not copied. */

void
judge_bind_values(judge_run_t *run, const judge_value_t *values)
{
    int          i;
    judge_rc_e   rc;
    const char  *base;

    for (i = 1; values && values->type != JUDGE_VALUE_NONE; i++, values++) {
        base = values->of_row ? run->row : (const char *) run->op;

        rc = values->set && !*(const bool *) (base + values->set)
             ? run->driver->bind_null(run->st, i)
             : judge_bind_value(run, i, values,
                                judge_value_at(run, values, run->row));
        if (rc != JUDGE_OK) {
            run->op->rc = rc;
        }
    }
}


judge_rc_e
judge_values_types(const judge_value_t *values,
    char types[JUDGE_OP_PARAMETERS + 1])
{
    size_t  n;

    for (n = 0; values && values->type != JUDGE_VALUE_NONE; values++) {
        if (n == JUDGE_OP_PARAMETERS) {
            return JUDGE_ERROR;
        }

        switch (values->type) {
        case JUDGE_VALUE_STR:
        case JUDGE_VALUE_C:
        case JUDGE_VALUE_ID:
            types[n++] = 't';
            break;
        case JUDGE_VALUE_BLOB:
        case JUDGE_VALUE_PACKED:
        case JUDGE_VALUE_FLOATS:
            types[n++] = 'b';
            break;
        case JUDGE_VALUE_DOUBLE:
        case JUDGE_VALUE_NUMBER:
            types[n++] = 'd';
            break;
        default:
            types[n++] = 'i';
            break;
        }
    }

    types[n] = '\0';

    return JUDGE_OK;
}


static bool
judge_values_set(judge_run_t *run, const judge_value_t *values)
{
    bool         set;
    const char  *at;

    for ( /* void */ ; values->type != JUDGE_VALUE_NONE; values++) {
        at = judge_value_at(run, values, run->row);
        set = values->type == JUDGE_VALUE_CHANGED
              ? run->changes > 0 || (run->changes < 0 && !values->nullable)
              : values->type == JUDGE_VALUE_STR
              ? ((const judge_str_t *) at)->data != NULL
              : values->type == JUDGE_VALUE_BOOL ? *(const bool *) at
                                                 : *(const int64_t *) at != 0;
        if (set == values->nullable) {
            return false;
        }
    }

    return true;
}


static void
judge_read_value(judge_run_t *run, int i, const judge_value_t *value, void *at)
{
    bool  set;

    switch (value->type) {

    case JUDGE_VALUE_STR:
        *(judge_str_t *) at = judge_column_str(run, i);
        return;

    case JUDGE_VALUE_PACKED:
        *(judge_str_t *) at = judge_column_packed(run, i);
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


static void
judge_read_values(judge_run_t *run, const judge_value_t *values, void *row)
{
    int                   i;
    char                 *base;
    const judge_value_t  *first = values;

    for (i = 0; values->type != JUDGE_VALUE_NONE; i++, values++) {
        base = values->of_row ? row : (char *) run->op;
        i += values > first && values[-1].type == JUDGE_VALUE_PACKED;

        if (values->set) {
            *(bool *) (base + values->set) = !judge_column_null(run, i);
        }

        judge_read_value(run, i, values,
                         (char *) judge_value_at(run, values, row));
    }
}


/* --- Turns --------------------------------------------------------------- */

/* The row of the present turn; NULL: there are no more. */

static void *
judge_run_row(const judge_run_t *run)
{
    char                *op = (char *) run->op, *row;
    size_t               i;
    const judge_rows_t  *each = &run->statement->each;

    if (each->next == 0 && run->turn >= *(size_t *) (op + each->count)) {
        return NULL;
    }

    memcpy(&row, op + each->rows, sizeof(row));
    if (each->next == 0) {
        return row + run->turn * each->size;
    }

    for (i = 0; row && i < run->turn; i++) {
        memcpy(&row, row + each->next, sizeof(row));
    }

    return row;
}


judge_step_e
judge_run_next(judge_run_t *run)
{
    const judge_op_statement_t  *s = run->statement;

    if (s->each.size == 0) {
        return JUDGE_STEP_RUN;
    }

    while ((run->row = judge_run_row(run)) && s->each_when
           && !judge_values_set(run, s->each_when))
    {
        run->turn++;
    }

    return run->row ? JUDGE_STEP_REPEAT : JUDGE_STEP_SKIP;
}


bool
judge_run_wanted(judge_run_t *run)
{
    return run->statement->when == NULL
           || judge_values_set(run, run->statement->when);
}


judge_rc_e
judge_run_outcome(const judge_run_t *run)
{
    const judge_op_statement_t  *s = run->statement;

    if (run->rows ? s->if_rows : s->unless_rows) {
        return run->rows ? s->if_rows : s->unless_rows;
    }

    return run->changes ? JUDGE_OK : s->unless_changed;
}


/* --- Single columns ------------------------------------------------------ */

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


judge_str_t
judge_column_packed(judge_run_t *run, int i)
{
    judge_str_t  s, view;

    view = judge_column_view(run, i);
    if (view.data == NULL) {
        return view;
    }

    if (!judge_column_null(run, i + 1)) {
        s = judge_unpack_one(run->op->arena, view,
                             (size_t) judge_column_int(run, i + 1));

    } else {
        s = judge_unpack(run->op->arena, view);
        if (s.data == view.data) {
            return judge_column_str(run, i);
        }
    }

    if (s.data == NULL) {
        run->op->rc = JUDGE_ERROR;
    }

    run->op->bytes += s.len;

    return s.len ? s : (judge_str_t) { 0, NULL };
}


judge_rc_e
judge_read_row(const judge_op_spec_t *spec, judge_run_t *run)
{
    char                *op = (char *) run->op, *rows;
    size_t              *count, most, limit;
    const judge_rows_t  *list;

    list = &run->statement->list;

    if (list->size) {
        count = (size_t *) (op + list->count);
        limit = spec->page ? spec->page + offsetof(judge_page_t, limit)
                           : run->statement->limit;
        most = limit ? (size_t) *(int64_t *) (op + limit)
                     : run->statement->most;

        memcpy(&rows, op + list->rows, sizeof(rows));
        rows = judge_row_room(run, rows, most, list->size);
        if (rows == NULL || *count == most) {
            return rows ? JUDGE_ERROR : JUDGE_NOMEM;
        }

        memcpy(op + list->rows, &rows, sizeof(rows));
        run->row = rows + (*count)++ * list->size;
    }

    if (run->statement->out) {
        judge_read_values(run, run->statement->out, run->row);
    }

    return JUDGE_OK;
}


bool
judge_page_full(const judge_op_spec_t *spec, const judge_run_t *run)
{
    judge_page_t  *page;

    if (spec->page == 0) {
        return false;
    }

    page = (judge_page_t *) ((char *) run->op + spec->page);
    page->more = run->rows == (size_t) page->limit
                 || (run->rows && run->op->bytes >= JUDGE_PAGE_BYTES);

    return page->more;
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


/* --- Lists of operations ------------------------------------------------- */

/* The slot of an organization, or a free one.  If all slots belong to other
 * organizations, it shares one of them. */

static size_t
judge_runner_slot(judge_str_t org, judge_op_t *const *heads,
    const uint8_t *turns)
{
    size_t  i, probes, slot;

    slot = judge_fnv(JUDGE_FNV_START, org.data, org.len) % JUDGE_RUNNER_TURNS;

    for (i = slot, probes = 0; probes < JUDGE_RUNNER_TURNS; probes++) {
        if (turns[i] == 0 || judge_str_eq(heads[turns[i] - 1U]->org, org)) {
            return i;
        }
        i = (i + 1) % JUDGE_RUNNER_TURNS;
    }

    return slot;
}


judge_op_t *
judge_runner_in_turn(judge_op_t *ops)
{
    size_t        i, n, left;
    judge_op_t   *op, *first, **end;
    judge_op_t   *heads[JUDGE_RUNNER_TURNS], **tails[JUDGE_RUNNER_TURNS];
    uint8_t       turns[JUDGE_RUNNER_TURNS] = { 0 };

    /* The first organization stays first: the list may be the rest of a list
     * that was ordered, and then that organization is next. */
    for (n = 0, op = ops; op; op = op->next) {
        i = judge_runner_slot(op->org, heads, turns);
        if (turns[i] == 0) {
            tails[n] = &heads[n];
            turns[i] = (uint8_t) ++n;
        }
        i = turns[i] - 1U;
        *tails[i] = op;
        tails[i] = &op->next;
    }

    for (i = 0; i < n; i++) {
        *tails[i] = NULL;
    }

    for (end = &first; n; n = left) {
        for (left = 0, i = 0; i < n; i++) {
            *end = heads[i];
            end = &heads[i]->next;
            if (heads[i]->next) {
                heads[left++] = heads[i]->next;
            }
        }
    }

    *end = NULL;

    return first;
}
