/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Every statement is one that PostgreSQL understands: in the empty database at
 * the address JUDGE_POSTGRESQL, which util/test sets. */


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

    sql = judge_op_sql(&op->statements[i], JUDGE_DIALECT_POSTGRESQL);
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
    t_ok(judge_postgresql_migrate(arena, judge_str_c(url), &error) == JUDGE_OK,
         "the schema is made or told as wrong: %s",
         error.data ? error.data : "made");

    pg = judge_postgresql_connect(url, message);
    t_ok(pg != NULL, "the database can be connected to");

    for (kind = 0; pg && kind < JUDGE_OP_COUNT; kind++) {
        for (i = 0; i < JUDGE_OP_STATEMENTS; i++) {
            t_prepare(pg, &judge_op_specs[kind], i);
        }
    }

    PQfinish(pg);
    judge_arena_destroy(arena);

    return t_done();
}
