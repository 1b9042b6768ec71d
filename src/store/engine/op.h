/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What an operation is made of; for src/store only.  It is written once, for
 * every engine: its statements, what each takes and gives (typed members of
 * the operation's struct), and a step function where there is something to
 * decide between them.
 */


#ifndef JUDGE_OP_H
#define JUDGE_OP_H


#include "store/engine/driver.h"
#include "store/store.h"


#define JUDGE_OP_STATEMENTS  8


/* What the step function wants done with a statement. */
typedef enum {
    JUDGE_STEP_RUN,                    /* bound: run it, go on to the next */
    JUDGE_STEP_REPEAT,                 /* bound: run it, then ask again */
    JUDGE_STEP_SKIP,                   /* go on to the next */
    JUDGE_STEP_END                     /* op->rc says how it ended */
} judge_step_e;

typedef struct {
    judge_op_t            *op;
    const judge_driver_t  *driver;
    judge_statement_t     *st;         /* NULL: behind the last one */
    size_t                 step;       /* number of the statement */
    size_t                 turn;       /* how often it has been run */
    size_t                 rows;       /* that the last statement gave */
    int64_t                changes;    /* rows that the last one changed */
} judge_run_t;

/*
 * bind() is asked once more behind the last statement (st is NULL), so that
 * it can say how the operation ended; op->rc is JUDGE_OK unless it is set.
 * Where the operation has a page, read() gets the rows of it and no more;
 * the statement must find one row more than the limit.
 */
typedef struct {
    const char         *name;
    judge_op_place_e    place;
    size_t              page;          /* offset of the page; 0: it has none */
    const char         *sql[JUDGE_OP_STATEMENTS];
    judge_step_e      (*bind)(judge_run_t *run);
    judge_rc_e        (*read)(judge_run_t *run);
} judge_op_spec_t;


/* Binding; an absent string or a zero "when" becomes NULL. */
void judge_bind_str(judge_run_t *run, int i, judge_str_t s);
void judge_bind_blob(judge_run_t *run, int i, judge_str_t s);
void judge_bind_int(judge_run_t *run, int i, int64_t v);
void judge_bind_when(judge_run_t *run, int i, judge_ms_t t);
void judge_bind_double(judge_run_t *run, int i, double v, bool set);

/* Columns; a string is copied into the operation's arena, a view is the
 * engine's until read() returns. */
judge_str_t judge_column_str(judge_run_t *run, int i);   /* NULL: absent */
judge_str_t judge_column_view(judge_run_t *run, int i);
int64_t judge_column_int(judge_run_t *run, int i);

double judge_column_double(judge_run_t *run, int i);
bool judge_column_null(judge_run_t *run, int i);

/* Room for one more row of a list of at most n rows; NULL: no memory. */
void *judge_row_room(judge_run_t *run, void *rows, size_t n, size_t size);


#endif /* JUDGE_OP_H */
