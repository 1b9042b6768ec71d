/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */



/* Connections and statements of PostgreSQL, for the files of its driver. */


#ifndef JUDGE_POSTGRESQL_CONNECTION_H
#define JUDGE_POSTGRESQL_CONNECTION_H


#include <time.h>

#include "store/engine/op.h"
#include "extensions/postgresql/postgresql.h"


#define JUDGE_POSTGRESQL_KEPT    8     /* commands kept back */

/* Identifiers of types, as they stand in pg_type. */
#define JUDGE_POSTGRESQL_INT8    20
#define JUDGE_POSTGRESQL_INT2    21
#define JUDGE_POSTGRESQL_INT4    23
#define JUDGE_POSTGRESQL_TEXT    25
#define JUDGE_POSTGRESQL_BOOL    16
#define JUDGE_POSTGRESQL_BYTEA   17
#define JUDGE_POSTGRESQL_DOUBLE  701
#define JUDGE_POSTGRESQL_NUMERIC 1700


struct judge_statement {
    judge_connection_t  *connection;
    judge_statement_t   *next;
    const char          *sql;
    char                 name[16];
    bool                 prepared;
    int                  n;            /* parameters */
    Oid                  types[JUDGE_OP_PARAMETERS];
    const char          *values[JUDGE_OP_PARAMETERS];
    int                  lengths[JUDGE_OP_PARAMETERS];
    uint64_t             numbers[JUDGE_OP_PARAMETERS];
    PGresult            *result;
    int                  row;          /* the next one */
};

struct judge_connection {
    char                *url;
    PGconn              *pg;
    bool                 writer;
    bool                 transaction;
    bool                 begun;        /* the server knows of it */
    bool                 committing;   /* not what has failed before */
    bool                 brief;        /* it waits for locks but briefly */
    bool                 asked;        /* which transaction this is */
    char                 number[24];   /* its, "": not known */
    char                 started[48];  /* when the server was */
    int                  pid;          /* of its process */
    const char          *kept[JUDGE_POSTGRESQL_KEPT];
    size_t               nkept;
    bool                 unread;       /* the end of the one before */
    bool                 sent;         /* without an end: what is ahead */
    PGresult            *ahead[JUDGE_DRIVER_AHEAD];
    size_t               nahead;
    uint64_t             first;        /* the number of the first of these */
    time_t               tried;
    int64_t              made;         /* ms, see judge_postgresql_clock() */
    judge_statement_t   *statements;
    unsigned             count;
    int64_t              changes;
    int64_t              changed;
    unsigned             noted;        /* JUDGE_NOTED_... */
    judge_subjects_t     subjects;
    bool                 lost;         /* the server, for trouble() */
    bool                 full;
    char                 message[JUDGE_POSTGRESQL_MESSAGE];
};


/* Milliseconds of a clock that is not set. */
int64_t judge_postgresql_clock(void);

/* When a server did not answer anybody on this machine; 0: never.  Whatever
 * connections were there then may be half-open, too. */
int64_t judge_postgresql_doubted(void);
void judge_postgresql_doubt(void);

/* Connects if need be. */
judge_rc_e judge_postgresql_connected(judge_connection_t *c);

/* PQexec(), which would wait for ever for a server that is gone without a
 * word, for so many ms at most; NULL then. */
PGresult *judge_postgresql_exec(PGconn *pg, const char *sql, int64_t wait);

/* See driver.h. */

judge_listener_t *judge_postgresql_listen(judge_str_t url);
int judge_postgresql_socket(const judge_listener_t *l);
bool judge_postgresql_receive(judge_listener_t *l,
    void (*received)(void *data, const char *text), void *data,
    int64_t *apart);
bool judge_postgresql_notify(judge_listener_t *l, const char *text);
void judge_postgresql_unlisten(judge_listener_t *l);

judge_connection_t *judge_postgresql_open(judge_arena_t *arena,
    judge_str_t url, bool writer, judge_str_t *error);
void judge_postgresql_close(judge_connection_t *c);
judge_rc_e judge_postgresql_transact(judge_connection_t *c,
    judge_transaction_e what);
bool judge_postgresql_in_transaction(judge_connection_t *c);
judge_rc_e judge_postgresql_step(judge_connection_t *c, judge_statement_t *st,
    bool *row);
void judge_postgresql_reset(judge_statement_t *st);
uint64_t judge_postgresql_ahead(judge_connection_t *c, judge_statement_t *st);
bool judge_postgresql_take(judge_connection_t *c, judge_statement_t *st,
    uint64_t number);
int64_t judge_postgresql_changes(judge_connection_t *c);
int64_t judge_postgresql_changed(judge_connection_t *c);


#endif /* JUDGE_POSTGRESQL_CONNECTION_H */
