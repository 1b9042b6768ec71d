/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The parts of an operation; for src/store only.  Its statements are in the
 * .sql files of src/store/ops, written once for all engines, with the members
 * of the operation's struct that are their parameters and columns;
 * util/statements makes the tables below from them.  An operation with
 * decisions between its statements has a step function in C.
 */


#ifndef JUDGE_OP_H
#define JUDGE_OP_H


#include "base/json/fields.h"
#include "store/engine/driver.h"
#include "store/store.h"


#define JUDGE_OP_STATEMENTS  14
#define JUDGE_OP_PARAMETERS  63


/* The step function's decision on a statement. */
typedef enum {
    JUDGE_STEP_RUN,                    /* run it, go on to the next */
    JUDGE_STEP_REPEAT,                 /* run it, then ask again */
    JUDGE_STEP_SKIP,                   /* go on to the next */
    JUDGE_STEP_END                     /* end the operation with op->rc */
} judge_step_e;

/* The type of a member of an operation that is a parameter or a column.  NULL
 * is read as absent, 0 or not set; a number is written as NULL if it is
 * declared so. */
typedef enum {
    JUDGE_VALUE_NONE = 0,              /* ends a table */
    JUDGE_VALUE_STR,                   /* judge_str_t */
    JUDGE_VALUE_C,                     /* const char *; in only */
    JUDGE_VALUE_BLOB,                  /* judge_str_t; in only */
    JUDGE_VALUE_PACKED,                /* judge_str_t; see packing.h; out: of
                                          two columns, what holds it and which
                                          of several it is, or NULL */
    JUDGE_VALUE_FLOATS,                /* the same; in only */
    JUDGE_VALUE_INT,                   /* int64_t, judge_ms_t, uint64_t */
    JUDGE_VALUE_DOUBLE,
    JUDGE_VALUE_BOOL,
    JUDGE_VALUE_INTEGER,               /* judge_integer_t */
    JUDGE_VALUE_NUMBER,                /* judge_number_t */
    JUDGE_VALUE_BOOLEAN,               /* judge_boolean_t */
    JUDGE_VALUE_ID,                    /* judge_id_t; in only */
    JUDGE_VALUE_TURN                   /* number of earlier runs of the
                                          statement; in only */
} judge_value_e;

typedef struct {
    judge_value_e  type;
    bool           of_row;             /* a member of the row, not of the
                                          operation */
    bool           nullable;           /* in: 0 becomes NULL; in a condition:
                                          it is not to be set */
    uint8_t        each;               /* 0, or the member points to an array,
                                          with an element of this size for
                                          each turn */
    size_t         offset;
    size_t         set;                /* of the bool that says whether there
                                          is one; 0: there always is */
} judge_value_t;

/* A member of a struct as a value; or an element of the array that it points
 * to, by the turn. */
#define JUDGE_TYPE(lvalue)                                                    \
    _Generic((lvalue),                                                        \
             judge_str_t: JUDGE_VALUE_STR, const char *: JUDGE_VALUE_C,       \
             int64_t: JUDGE_VALUE_INT, uint64_t: JUDGE_VALUE_INT,             \
             double: JUDGE_VALUE_DOUBLE, bool: JUDGE_VALUE_BOOL,              \
             judge_integer_t: JUDGE_VALUE_INTEGER,                            \
             judge_number_t: JUDGE_VALUE_NUMBER,                              \
             judge_boolean_t: JUDGE_VALUE_BOOLEAN, judge_id_t: JUDGE_VALUE_ID)

#define JUDGE_VALUE(type_, member, ...)                                       \
    { .type = JUDGE_TYPE(((type_ *) 0)->member),                              \
      .offset = offsetof(type_, member), __VA_ARGS__ }

#define JUDGE_VALUE_EACH(type_, member)                                       \
    { .type = JUDGE_TYPE(*((type_ *) 0)->member),                             \
      .each = sizeof(*((type_ *) 0)->member),                                 \
      .offset = offsetof(type_, member) }


/* An array of an operation: a pointer to the first row, and a size_t. */
typedef struct {
    size_t  rows;                      /* offsets */
    size_t  count;
    size_t  size;                      /* of a row; 0: there is no array */
} judge_rows_t;

#define JUDGE_ROWS(type, rows_, count_)                                       \
    { .rows = offsetof(type, rows_), .count = offsetof(type, count_),         \
      .size = sizeof(*((type *) 0)->rows_) }

/*
 * A statement.  Where it has no step function it is run once, or once for
 * each row of an array.  What it gives goes to the row that it is about: the
 * one of the array, or one within the operation, or a new one of a list.  It
 * is skipped unless all the conditions hold.
 */
typedef struct {
    const char           *sql;
    const char           *engines[JUDGE_ENGINE_COUNT];   /* in its place, of
                                          one that only one understands */
    const judge_value_t  *when;        /* conditions; NULL: none */
    bool                  when_changed;          /* also: the one before has */
    bool                  when_unchanged;        /* changed rows, or none */
    const judge_value_t  *in;          /* ?1, ?2, … */
    const judge_value_t  *out;         /* the columns from the first one */
    size_t                row;         /* offset of a row; 0: none */
    judge_rows_t          each;
    judge_rows_t          list;        /* room is made for it: a page, or */
    size_t                most;        /* so many rows, or as many as the */
    size_t                limit;       /* int64_t at this offset says */
    judge_rc_e            unless_rows; /* ends the operation where it gave */
    judge_rc_e            if_rows;     /* none, or any, */
    judge_rc_e            unless_changed;        /* or changed none */
} judge_op_statement_t;

#define JUDGE_SQL_NUMBER_(n)  #n
#define JUDGE_SQL_NUMBER(n)   JUDGE_SQL_NUMBER_(n)

typedef struct {
    judge_op_t                  *op;
    const judge_driver_t        *driver;
    const judge_op_statement_t  *statement;
    judge_statement_t           *st;   /* NULL: behind the last one */
    void                        *row;  /* that it is about, or NULL */
    size_t                       step; /* number of the statement */
    size_t                       turn; /* how often it has been run */
    size_t                       rows; /* that the last statement gave */
    int64_t                      changes;        /* rows that it changed */
    judge_step_e                 next; /* what is done with the statement */
    uint64_t                     ahead;          /* its number, if the driver
                                          was asked for it ahead */
} judge_run_t;

/*
 * step() is asked before each statement, and once more behind the last one
 * (st is NULL), so that it can say how the operation ended; op->rc is
 * JUDGE_OK unless it is set.  Where the operation has a page, read() gets the
 * rows of it and no more, behind `out`; the statement must find one row more
 * than the limit.
 */
typedef struct {
    const char            *name;
    judge_op_place_e       place;
    size_t                 page;       /* offset of the page; 0: it has none */
    judge_op_statement_t   statements[JUDGE_OP_STATEMENTS];
    judge_step_e         (*step)(judge_run_t *run);      /* may be NULL */
    judge_rc_e           (*read)(judge_run_t *run);      /* may be NULL */
} judge_op_spec_t;


/* The SQL of a statement for an engine; NULL: it has none. */
const char *judge_op_sql(const judge_op_statement_t *statement,
    judge_engine_e engine);

/* The default step function, which other ones may call. */
judge_step_e judge_run_next(judge_run_t *run);

/* Whether the conditions of its statement hold; and how that has ended, if it
 * decides about the operation. */
bool judge_run_wanted(judge_run_t *run);
judge_rc_e judge_run_outcome(const judge_run_t *run);

/* The parameters from the first one, and the columns from number i on; and
 * whether conditions hold. */
void judge_bind_values(judge_run_t *run, const judge_value_t *values);
/* Their letters; see driver.h.  JUDGE_ERROR: there are too many. */
judge_rc_e judge_values_types(const judge_value_t *values,
    char types[JUDGE_OP_PARAMETERS + 1]);
void judge_read_values(judge_run_t *run, int i, const judge_value_t *values,
    void *row);
bool judge_values_set(judge_run_t *run, const judge_value_t *values);

/* Columns; a string is copied into the operation's arena, a view is the
 * engine's until read() returns; what was packed is made what it was. */
judge_str_t judge_column_str(judge_run_t *run, int i);   /* NULL: absent */
judge_str_t judge_column_view(judge_run_t *run, int i);
judge_str_t judge_column_packed(judge_run_t *run, int i);
int64_t judge_column_int(judge_run_t *run, int i);
double judge_column_double(judge_run_t *run, int i);
bool judge_column_null(judge_run_t *run, int i);

/* A row of a statement, into the operation; and whether the page has all that
 * it may hold: then there is more. */
judge_rc_e judge_read_row(const judge_op_spec_t *spec, judge_run_t *run);
bool judge_page_full(const judge_op_spec_t *spec, const judge_run_t *run);

/* Makes room for a row in a list of at most n rows; NULL: out of memory. */
void *judge_row_room(judge_run_t *run, void *rows, size_t n, size_t size);


#endif /* JUDGE_OP_H */
