/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Connections and statements, for the files of the PostgreSQL driver. */


#ifndef JUDGE_POSTGRESQL_CONNECTION_H
#define JUDGE_POSTGRESQL_CONNECTION_H


#include <time.h>

#include "store/engine/op.h"
#include "extensions/postgresql/postgresql.h"


#define JUDGE_POSTGRESQL_DEFERRED  8   /* deferred commands, at most */

/* The oids of types in pg_type. */
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
    int                  n;            /* number of parameters */
    Oid                  types[JUDGE_OP_PARAMETERS];
    const char          *values[JUDGE_OP_PARAMETERS];
    int                  lengths[JUDGE_OP_PARAMETERS];
    uint64_t             numbers[JUDGE_OP_PARAMETERS];   /* what `values` of
                                          numbers point to: big-endian */
    PGresult            *result;
    int                  row;          /* rows that were stepped to; -1: it was
                                          not sent yet */
};

struct judge_connection {
    char                *url;
    PGconn              *pg;
    bool                 writer;
    bool                 transaction;
    bool                 begun;        /* its BEGIN has been sent */
    bool                 committing;   /* a writer's COMMIT is being sent */
    bool                 lock_shortened; /* its lock timeout is short */
    bool                 transaction_id_due;     /* the next two were asked
                                          for and not read yet */
    char                 transaction_id[24];     /* "": unknown */
    char                 server_started[48];     /* time of its start */
    int                  pid;          /* of the server's process */
    const char          *deferred[JUDGE_POSTGRESQL_DEFERRED];
    size_t               ndeferred;
    bool                 unread_end;   /* result of a reader's COMMIT is due */
    bool                 unsynced;     /* ahead() has sent, but no sync */
    PGresult            *ahead[JUDGE_DRIVER_TOGETHER];   /* for take() */
    size_t               nahead;
    size_t               ahead_commands;         /* deferred ones that were
                                          sent before ahead[0] */
    uint64_t             first_number; /* the number of ahead[0] */
    time_t               failed_at;    /* last failure to connect */
    int64_t              connected_at; /* in ms */
    judge_statement_t   *statements;
    unsigned             count;        /* of statements; names the next one */
    int64_t              changes;      /* rows that the last statement and */
    int64_t              changed;      /* that all have changed */
    unsigned             noted;        /* JUDGE_NOTED_... */
    judge_subjects_t     subjects;
    bool                 lost;         /* there is no connection */
    bool                 full;         /* the disk of the server is full */
    char                 message[JUDGE_POSTGRESQL_MESSAGE];
};


/* Milliseconds of the monotonic clock. */
int64_t judge_postgresql_clock(void);

/* timed_out() notes that the server did not answer, and timeout_at() returns
 * when a process of this nginx last noted that; 0: never.  Connections that
 * were opened before that may be half-open, and are not used again. */
int64_t judge_postgresql_timeout_at(void);
void judge_postgresql_timed_out(void);

/* Connects unless there is a connection. */
judge_rc_e judge_postgresql_connected(judge_connection_t *c);

/* Like PQexec(), but waits `wait` ms at most and returns NULL then: PQexec()
 * would wait for ever for a server that is no longer reachable. */
PGresult *judge_postgresql_exec(PGconn *pg, const char *sql, int64_t wait);

/* Sends the deferred commands and the statement, without a sync. */
judge_rc_e judge_postgresql_put(judge_connection_t *c, judge_statement_t *st);

/* Returns the next result, past the NULLs by which libpq separates those of
 * two statements.  NULL: the connection is lost. */
PGresult *judge_postgresql_next(judge_connection_t *c);

/* lost() closes a connection that was lost, failed() notes the error that is
 * the result of a statement; both return the class of the error. */
judge_rc_e judge_postgresql_lost(judge_connection_t *c, const char *text);
judge_rc_e judge_postgresql_failed(judge_connection_t *c,
    const PGresult *result);

/* Whether an error counts as "no row was changed": ON CONFLICT DO NOTHING does
 * not cover a violated NOT NULL, which SQLite's INSERT OR IGNORE does.  The
 * caller has to roll back to its savepoint. */
bool judge_postgresql_ignored(const judge_statement_t *st, judge_rc_e rc);

/* Adds the rows that a statement has changed to the connection's counts. */
void judge_postgresql_count(judge_connection_t *c, PGresult *result);

/* Forgets the results of statements that were sent ahead. */
void judge_postgresql_drop(judge_connection_t *c);

/* See driver.h. */

judge_listener_t *judge_postgresql_listen(judge_str_t url);
int judge_postgresql_socket(const judge_listener_t *l);
bool judge_postgresql_receive(judge_listener_t *l,
    void (*received)(void *data, const char *text), void *data,
    int64_t *clock_skew);
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
judge_rc_e judge_postgresql_gather(judge_connection_t *c,
    judge_statement_t *st);
bool judge_postgresql_take(judge_connection_t *c, judge_statement_t *st,
    uint64_t number);
int64_t judge_postgresql_changes(judge_connection_t *c);
int64_t judge_postgresql_changed(judge_connection_t *c);


#endif /* JUDGE_POSTGRESQL_CONNECTION_H */
