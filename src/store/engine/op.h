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


#include "base/json/fields.h"
#include "store/engine/driver.h"
#include "store/store.h"


#define JUDGE_OP_STATEMENTS  8


/* What the step function wants done with a statement. */
typedef enum {
    JUDGE_STEP_RUN,                    /* run it, go on to the next */
    JUDGE_STEP_REPEAT,                 /* run it, then ask again */
    JUDGE_STEP_SKIP,                   /* go on to the next */
    JUDGE_STEP_END                     /* op->rc says how it ended */
} judge_step_e;

/* What a member of an operation is, as a parameter and as a column.  A number
 * is NULL where it says so; NULL is read as absent, as 0 or as not set. */
typedef enum {
    JUDGE_VALUE_NONE = 0,              /* ends a table */
    JUDGE_VALUE_STR,                   /* judge_str_t */
    JUDGE_VALUE_BLOB,                  /* judge_str_t; in only */
    JUDGE_VALUE_INT,                   /* int64_t, judge_ms_t, uint64_t */
    JUDGE_VALUE_DOUBLE,
    JUDGE_VALUE_BOOL,
    JUDGE_VALUE_INTEGER,               /* judge_integer_t */
    JUDGE_VALUE_NUMBER,                /* judge_number_t */
    JUDGE_VALUE_BOOLEAN,               /* judge_boolean_t */
    JUDGE_VALUE_ID,                    /* judge_id_t; in only */
    JUDGE_VALUE_TURN                   /* how often the statement was run;
                                          in only */
} judge_value_e;

typedef struct {
    judge_value_e  type;
    bool           of_row;             /* a member of the row, not of the
                                          operation */
    bool           nullable;           /* in: 0 becomes NULL */
    bool           one_more;           /* in: the limit of a page, and one */
    size_t         offset;
    size_t         set;                /* of the bool that says whether there
                                          is one; 0: there always is */
} judge_value_t;

/*
 * The tables of values: members of the struct that the file calls JUDGE_OF
 * (an operation) or JUDGE_ROW.  The type is that of the member.
 */
#define JUDGE_TYPE(type, member)                                              \
    _Generic(((type *) 0)->member,                                            \
             judge_str_t: JUDGE_VALUE_STR, int64_t: JUDGE_VALUE_INT,          \
             uint64_t: JUDGE_VALUE_INT, double: JUDGE_VALUE_DOUBLE,           \
             bool: JUDGE_VALUE_BOOL, judge_integer_t: JUDGE_VALUE_INTEGER,    \
             judge_number_t: JUDGE_VALUE_NUMBER,                              \
             judge_boolean_t: JUDGE_VALUE_BOOLEAN,                            \
             judge_id_t: JUDGE_VALUE_ID)

#define JUDGE_VALUE(type_, member, ...)                                       \
    { .type = JUDGE_TYPE(type_, member), .offset = offsetof(type_, member),   \
      __VA_ARGS__ }

#define JUDGE_V(member)        JUDGE_VALUE(JUDGE_OF, member, .of_row = false)
#define JUDGE_V_NULL(member)   JUDGE_VALUE(JUDGE_OF, member, .nullable = true)
#define JUDGE_V_MORE(member)   JUDGE_VALUE(JUDGE_OF, member, .one_more = true)
#define JUDGE_V_IF(member, is)                                                \
    JUDGE_VALUE(JUDGE_OF, member, .set = offsetof(JUDGE_OF, is))
#define JUDGE_V_BLOB(member)                                                  \
    { .type = JUDGE_VALUE_BLOB, .offset = offsetof(JUDGE_OF, member) }

#define JUDGE_R(member)        JUDGE_VALUE(JUDGE_ROW, member, .of_row = true)
#define JUDGE_R_NULL(member)                                                  \
    JUDGE_VALUE(JUDGE_ROW, member, .of_row = true, .nullable = true)
#define JUDGE_R_IF(member, is)                                                \
    JUDGE_VALUE(JUDGE_ROW, member, .of_row = true,                            \
                .set = offsetof(JUDGE_ROW, is))
#define JUDGE_R_BLOB(member)                                                  \
    { .type = JUDGE_VALUE_BLOB, .offset = offsetof(JUDGE_ROW, member),        \
      .of_row = true }

/* The row is a string itself; and the number of the turn. */
#define JUDGE_R_STR            { .type = JUDGE_VALUE_STR, .of_row = true }
#define JUDGE_TURN             { .type = JUDGE_VALUE_TURN }

#define JUDGE_END              { .type = JUDGE_VALUE_NONE }

#define JUDGE_VALUES(...)  (const judge_value_t[]) { __VA_ARGS__, JUDGE_END }


/* How the structs begin of operations that are about one identifier; and
 * these two as parameters, of a struct that does begin so. */
typedef struct {
    judge_op_t   op;
    judge_str_t  id;
} judge_op_by_id_t;

extern const judge_value_t  judge_by_id_in[];

#define JUDGE_BY_ID(type)                                                     \
    (judge_by_id_in + sizeof(char[offsetof(type, id)                          \
                                  == offsetof(judge_op_by_id_t, id)           \
                                  ? 1 : -1]) - 1)


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
 * one of the array, or one within the operation, or a new one of a list.
 */
typedef struct {
    const char           *sql;
    const char           *engines[JUDGE_ENGINE_COUNT];   /* in its place, of
                                          one that only one understands */
    const judge_value_t  *in;          /* ?1, ?2, …; NULL: the step binds */
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


/* The statement for an engine; NULL: there is none. */
const char *judge_op_sql(const judge_op_statement_t *statement,
    judge_engine_e engine);

/* What is done without a step function, which may end with it. */
judge_step_e judge_run_next(judge_run_t *run);

/* The parameters from the first one, and the columns from number i on. */
void judge_bind_values(judge_run_t *run, const judge_value_t *values);
void judge_read_values(judge_run_t *run, int i, const judge_value_t *values,
    void *row);

/* Binding; an absent string or a zero "when" becomes NULL. */
void judge_bind_str(judge_run_t *run, int i, judge_str_t s);
void judge_bind_blob(judge_run_t *run, int i, judge_str_t s);
void judge_bind_int(judge_run_t *run, int i, int64_t v);
void judge_bind_integer(judge_run_t *run, int i, int64_t v, bool set);
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
