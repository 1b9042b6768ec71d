/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The tables that describe an operation; for src/store only.  Its statements
 * are in the .sql files of src/store/ops, written once for all engines; their
 * parameters and columns are members of the operation's struct.
 * util/gen/statements generates the tables from these files.  An operation
 * that makes decisions between its statements has a step function in C.
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
    JUDGE_STEP_REPEAT,                 /* run it, then call step() again */
    JUDGE_STEP_SKIP,                   /* go on to the next */
    JUDGE_STEP_END                     /* end the operation with op->rc */
} judge_step_e;

/* The type of a member of an operation that is a parameter or a column.  NULL
 * is read as absent, 0 or not set; the number 0 is written as NULL if it is
 * declared nullable. */
typedef enum {
    JUDGE_VALUE_NONE = 0,              /* ends a table */
    JUDGE_VALUE_STR,                   /* judge_str_t */
    JUDGE_VALUE_C,                     /* const char *; in only */
    JUDGE_VALUE_BLOB,                  /* judge_str_t; in only */
    JUDGE_VALUE_PACKED,                /* judge_str_t; see packing.h; out: two
                                          columns, the packed value and its
                                          index among several, or NULL */
    JUDGE_VALUE_FLOATS,                /* packed floats; in only */
    JUDGE_VALUE_INT,                   /* int64_t, judge_ms_t, uint64_t */
    JUDGE_VALUE_DOUBLE,
    JUDGE_VALUE_BOOL,
    JUDGE_VALUE_INTEGER,               /* judge_integer_t */
    JUDGE_VALUE_NUMBER,                /* judge_number_t */
    JUDGE_VALUE_BOOLEAN,               /* judge_boolean_t */
    JUDGE_VALUE_ID,                    /* judge_id_t; in only */
    JUDGE_VALUE_TURN,                  /* number of earlier runs of the
                                          statement; in only */
    JUDGE_VALUE_CHANGED                /* whether the last statement changed
                                          any row; of conditions only */
} judge_value_e;

typedef struct {
    judge_value_e  type;
    bool           of_row;             /* a member of the row, not of the
                                          operation */
    bool           nullable;           /* of a parameter: 0 becomes NULL; of a
                                          condition: it is negated */
    uint8_t        each;               /* 0, or the size of an element of the
                                          array that the member points to; the
                                          run's `turn` is the index */
    size_t         offset;
    size_t         set;                /* offset of the bool that says whether
                                          it has a value; 0: it always has */
} judge_value_t;

/* Describes a member of a struct; or, by JUDGE_VALUE_EACH(), the elements of
 * the array that it points to. */
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


/* Rows of an operation: an array, by a pointer to the first one and a size_t;
 * or a linked list. */
typedef struct {
    size_t  rows;                      /* offsets */
    size_t  count;
    size_t  size;                      /* of a row; 0: there are none */
    size_t  next;                      /* offset in a row of the list; 0: they
                                          are an array */
} judge_rows_t;

#define JUDGE_ROWS(type, rows_, count_)                                       \
    { .rows = offsetof(type, rows_), .count = offsetof(type, count_),         \
      .size = sizeof(*((type *) 0)->rows_) }
#define JUDGE_CHAIN(type, first)                                              \
    { .rows = offsetof(type, first), .size = sizeof(*((type *) 0)->first),    \
      .next = offsetof(__typeof__(*((type *) 0)->first), next) }

typedef struct judge_run  judge_run_t;

/*
 * A statement.  Without a step function it is run once, or once for each row
 * (`each`) for which conditions hold.  Its output columns are stored in that
 * row, or in a row inside the operation (`row`), or in a new row of `list`.
 * It is skipped unless all conditions on the operation hold.
 *
 * step() is called before each run.  read() is called for each row that the
 * statement returns after its `out` columns were stored.  If the operation has
 * a page, read() gets only the rows of the page; the statement must select one
 * row more than its limit.
 */
typedef struct {
    const char           *sql[JUDGE_DIALECT_COUNT];      /* NULL: the end of
                                          the statements */
    const judge_value_t  *when;        /* conditions; NULL: none */
    const judge_value_t  *in;          /* ?1, ?2, … */
    const judge_value_t  *out;         /* columns, from the first one on */
    size_t                row;         /* offset of a row; 0: none */
    judge_rows_t          each;
    const judge_value_t  *each_when;   /* conditions on a row; NULL: none */
    judge_rows_t          list;        /* allocated for a page, */
    size_t                most;        /* or this number of rows, or that */
    size_t                limit;       /* in the int64_t at this offset */
    judge_rc_e            unless_rows; /* ends the operation if no row, */
    judge_rc_e            if_rows;     /* or any row was returned, */
    judge_rc_e            unless_changed;        /* or none was changed */
    size_t                changes;     /* offset of the int64_t that gets the
                                          number of changed rows; 0: none */
    judge_step_e        (*step)(judge_run_t *run);       /* may be NULL */
    judge_rc_e          (*read)(judge_run_t *run);       /* may be NULL */
    bool                  together;    /* step() depends on the turn only, so
                                          that several runs can be sent before
                                          a result is read, as they are without
                                          a step() */
    bool                  changed;     /* read() is called if rows were
                                          changed, without RETURNING, which
                                          costs a temporary table in SQLite */
} judge_op_statement_t;

#define JUDGE_SQL_NUMBER_(n)  #n
#define JUDGE_SQL_NUMBER(n)   JUDGE_SQL_NUMBER_(n)

struct judge_run {
    judge_op_t                  *op;
    const judge_driver_t        *driver;
    const judge_op_statement_t  *statement;
    judge_statement_t           *st;   /* NULL: after the last statement */
    void                        *row;  /* row of its members, or NULL */
    size_t                       step; /* number of the statement */
    size_t                       turn; /* how often it has been run; the
                                          number of the row of `each` */
    size_t                       rows; /* returned by the last statement */
    int64_t                      changes;        /* rows that it changed; -1:
                                          not known, so that all conditions on
                                          it hold */
    judge_step_e                 next; /* decision on the statement */
    uint64_t                     ahead;          /* number from the driver's
                                          ahead(), or 0 */
};

/* end() is called after the last statement, unless the operation ended before
 * it; it may set op->rc. */
typedef struct {
    const char            *name;
    judge_op_place_e       place;
    size_t                 page;       /* offset of the page; 0: it has none */
    judge_op_statement_t   statements[JUDGE_OP_STATEMENTS];
    void                 (*end)(judge_run_t *run);       /* may be NULL */
} judge_op_spec_t;


/* The default step function, which others may call. */
judge_step_e judge_run_next(judge_run_t *run);

/* wanted(): whether the conditions of the statement hold.  outcome(): the code
 * with which the statement, after its run, ends the operation, or JUDGE_OK. */
bool judge_run_wanted(judge_run_t *run);
judge_rc_e judge_run_outcome(const judge_run_t *run);

/* Binds all parameters. */
void judge_bind_values(judge_run_t *run, const judge_value_t *values);
/* Types as in prepare() in driver.h.  JUDGE_ERROR: there are too many. */
judge_rc_e judge_values_types(const judge_value_t *values,
    char types[JUDGE_OP_PARAMETERS + 1]);

/* Columns.  _str() copies into the operation's arena, _packed() unpacks into
 * it; the memory of a _view() belongs to the engine until read() returns. */
judge_str_t judge_column_str(judge_run_t *run, int i);   /* NULL: absent */
judge_str_t judge_column_packed(judge_run_t *run, int i);
#define judge_column_view(run, i)    (run)->driver->column_str((run)->st, i)
#define judge_column_int(run, i)     (run)->driver->column_int((run)->st, i)
#define judge_column_double(run, i)  (run)->driver->column_double((run)->st, i)
#define judge_column_null(run, i)    (run)->driver->column_null((run)->st, i)

/* _read_row() stores a row of a statement in the operation.  _page_full() says
 * whether the page is full, so that this row does not belong to it. */
judge_rc_e judge_read_row(const judge_op_spec_t *spec, judge_run_t *run);
bool judge_page_full(const judge_op_spec_t *spec, const judge_run_t *run);

/* Allocates n rows if `rows` is NULL; NULL: out of memory. */
void *judge_row_room(judge_run_t *run, void *rows, size_t n, size_t size);


#endif /* JUDGE_OP_H */
