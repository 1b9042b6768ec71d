/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Every statement is one that PostgreSQL understands: in the empty database at
 * the address JUDGE_POSTGRESQL, which util/test sets; and a reader whose
 * connection was ended begins its transaction once more. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extensions/postgresql/postgresql.h"
#include "store/ops/store_ops.h"
#include "../unit/tap.h"


static void
t_prepare(PGconn *pg, const judge_op_spec_t *op, size_t i)
{
    int          n;
    bool         ok;
    Oid          oids[JUDGE_OP_PARAMETERS];
    char         types[JUDGE_OP_PARAMETERS + 1];
    const char  *sql;
    PGresult    *result;

    sql = op->statements[i].sql[JUDGE_DIALECT_POSTGRESQL];
    if (sql == NULL
        || judge_values_types(op->statements[i].in, types) != JUDGE_OK)
    {
        if (sql) {
            t_ok(false, "%s: statement %zu: its parameters", op->name, i);
        }
        return;
    }

    for (n = 0; types[n]; n++) {
        oids[n] = types[n] == 'i' ? 20 : types[n] == 'd' ? 701
                  : types[n] == 'b' ? 17 : 25;
    }

    result = PQprepare(pg, "", sql, n, oids);
    ok = PQresultStatus(result) == PGRES_COMMAND_OK;
    t_ok(ok,
         "%s: statement %zu can be prepared%s%s", op->name, i, ok ? "" : ": ",
         PQresultErrorMessage(result));
    PQclear(result);
}


/* Reads in a transaction of its own; the id of the server's process, 0: it
 * failed. */

static int64_t
t_read(judge_connection_t *c, judge_statement_t *st, bool *read_only)
{
    bool                   row = false;
    int64_t                pid = 0;
    const judge_driver_t  *d = &judge_postgresql_driver;

    *read_only = false;
    d->reset(st);

    if (d->transact(c, JUDGE_TRANSACTION_BEGIN) == JUDGE_OK
        && d->step(c, st, &row) == JUDGE_OK && row)
    {
        pid = d->column_int(st, 0);
        *read_only = judge_str_eq_c(d->column_str(st, 1), "on");
    }

    (void) d->transact(c, JUDGE_TRANSACTION_COMMIT);

    return pid;
}


static void
t_terminate(PGconn *pg, int64_t pid)
{
    char       sql[128];
    PGresult  *result;

    (void) snprintf(sql, sizeof(sql), "SELECT pg_terminate_backend(%lld,"
                    " 5000)", (long long) pid);
    result = PQexec(pg, sql);
    t_ok(PQresultStatus(result) == PGRES_TUPLES_OK,
         "the connection is ended");
    PQclear(result);
}


/* The server ends an idle connection, as when it is restarted. */

static void
t_reconnect(judge_arena_t *arena, judge_str_t url, PGconn *pg)
{
    bool                   read_only, row;
    int64_t                pid, next;
    judge_statement_t     *st, *bad;
    judge_connection_t    *c;
    const judge_driver_t  *d = &judge_postgresql_driver;

    c = d->open(arena, url, false, NULL);
    if (c == NULL
        || d->prepare(c, "SELECT pg_backend_pid(),"
                      " current_setting('transaction_read_only')", "", &st)
           != JUDGE_OK)
    {
        t_ok(false, "a connection for reading is opened");
        return;
    }

    pid = t_read(c, st, &read_only);
    t_ok(pid && read_only, "it reads in a transaction that may only read");
    t_terminate(pg, pid);

    next = t_read(c, st, &read_only);
    t_ok(next && next != pid, "the read is repeated over a new connection");
    t_ok(read_only, "it again reads in a transaction that may only read");

    t_ok(d->prepare(c, "SELECT 1 / 0", "", &bad) == JUDGE_OK
         && d->transact(c, JUDGE_TRANSACTION_BEGIN) == JUDGE_OK
         && d->step(c, bad, &row) == JUDGE_ERROR,
         "a statement that fails ends the transaction");
    t_ok(d->transact(c, JUDGE_TRANSACTION_BEGIN) == JUDGE_OK
         && d->transact(c, JUDGE_TRANSACTION_ROLLBACK) == JUDGE_OK,
         "the next one is rolled back before its first statement");
    t_ok(t_read(c, st, &read_only) == next && read_only,
         "the one after that reads");

    d->close(c);
}


int
main(void)
{
    char            message[JUDGE_POSTGRESQL_MESSAGE];
    size_t          kind, i;
    PGconn         *pg;
    const char     *url = getenv("JUDGE_POSTGRESQL");
    judge_str_t     error = { 0, NULL };
    judge_arena_t  *arena;

    if (url == NULL) {
        return t_skip_all("JUDGE_POSTGRESQL names no database");
    }

    arena = judge_arena_create(4096);
    t_ok(judge_postgresql_migrate(arena, judge_str_c(url), true, &error)
         == JUDGE_OK, "the schema is made or told as wrong: %s",
         error.data ? error.data : "made");

    pg = judge_postgresql_connect(url, message);
    t_ok(pg != NULL, "the database can be connected to");

    for (kind = 0; pg && kind < JUDGE_OP_COUNT; kind++) {
        for (i = 0; i < JUDGE_OP_STATEMENTS; i++) {
            t_prepare(pg, &judge_op_specs[kind], i);
        }
    }

    if (pg) {
        t_reconnect(arena, judge_str_c(url), pg);
    }

    PQfinish(pg);
    judge_arena_destroy(arena);

    return t_done();
}
