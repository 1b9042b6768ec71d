/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Sends several statements before it reads the result of the first (pipeline
 * mode of libpq). */


#include "extensions/postgresql/postgresql_connection.h"


/* Sends only statements that were prepared before, so that each has one
 * result.  One sync for all is enough, because an error ends their
 * transaction, or undoes it up to their savepoint, in any case.  The first
 * statement of a writer's transaction is not sent ahead, because
 * judge_postgresql_send() can repeat it over a new connection. */

uint64_t
judge_postgresql_ahead(judge_connection_t *c, judge_statement_t *st)
{
    size_t  deferred;

    if (!c->unsynced) {
        judge_postgresql_drop(c);
    }

    deferred = c->ndeferred;

    if (!st->prepared || !c->transaction || (c->writer && !c->begun)
        || c->nahead == JUDGE_DRIVER_TOGETHER
        || judge_postgresql_put(c, st) != JUDGE_OK)
    {
        return 0;
    }

    if (!c->unsynced) {
        c->ahead_commands = deferred;
        c->unsynced = true;
    }

    return c->first_number + c->nahead++;
}


/* Notes the error that is the result of statement *n.  One that
 * judge_postgresql_ignored() accepts is kept as a result: no row was changed;
 * then *result is NULL. */

static judge_rc_e
judge_postgresql_error(judge_connection_t *c, judge_statement_t *st,
    PGresult **result, size_t *n)
{
    bool        no_message;
    judge_rc_e  rc;

    no_message = c->message[0] == '\0';
    rc = judge_postgresql_failed(c, *result);

    if (st && c->ahead_commands == 0 && *n < c->nahead
        && judge_postgresql_ignored(st, rc))
    {
        if (no_message) {
            c->message[0] = '\0';
        }
        c->ahead[(*n)++] = *result;
        *result = NULL;
        return JUDGE_OK;
    }

    return rc;
}


/* Reads the results of all statements; after an error, drops them all. */

judge_rc_e
judge_postgresql_gather(judge_connection_t *c, judge_statement_t *st)
{
    bool             succeeded;
    size_t           n;
    PGresult        *result;
    judge_rc_e       rc, error;
    ExecStatusType   status;

    rc = c->lost ? JUDGE_BUSY : JUDGE_OK;

    if (c->unsynced && PQpipelineSync(c->pg) != 1) {
        rc = judge_postgresql_lost(c, PQerrorMessage(c->pg));
    }

    for (n = 0; c->unsynced; PQclear(result)) {
        result = judge_postgresql_next(c);
        if (result == NULL) {
            return JUDGE_BUSY;
        }

        status = PQresultStatus(result);
        succeeded = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;

        if (status == PGRES_PIPELINE_SYNC) {
            c->unsynced = false;

        } else if (status == PGRES_FATAL_ERROR) {
            error = judge_postgresql_error(c, st, &result, &n);
            rc = rc == JUDGE_OK ? error : rc;

        } else if (succeeded && c->ahead_commands) {
            c->ahead_commands--;

        } else if (succeeded && n < c->nahead) {
            c->ahead[n++] = result;
            result = NULL;
        }
    }

    if (rc != JUDGE_OK) {
        judge_postgresql_drop(c);
    }

    return rc;
}


bool
judge_postgresql_take(judge_connection_t *c, judge_statement_t *st,
    uint64_t number)
{
    size_t  n;

    n = number - c->first_number;
    if (number < c->first_number || n >= c->nahead || c->ahead[n] == NULL) {
        return false;
    }

    PQclear(st->result);
    st->result = c->ahead[n];
    st->row = 0;
    c->ahead[n] = NULL;
    judge_postgresql_count(c, st->result);

    return true;
}
