/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * PostgreSQL as an engine of the store.  BEGIN and savepoints are deferred and
 * sent with the next statement (pipeline mode of libpq), so a statement costs
 * one round trip, and a transaction one more for its end.  A connection is
 * opened when it is first used, and again after it was lost.
 */


#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "extensions/postgresql/postgresql_connection.h"


#define JUDGE_POSTGRESQL_WAIT   25000  /* ms; longer than statement_timeout */
#define JUDGE_POSTGRESQL_LESS   5000   /* ms, after a timeout of others */

#define JUDGE_POSTGRESQL_LOCKED 5000   /* ms after a lock timeout */
#define JUDGE_POSTGRESQL_ENDING 50     /* queries whether a commit has ended */

static const char  judge_postgresql_savepoint[] = "SAVEPOINT op";
static const char  judge_postgresql_which[] =
    "SELECT pg_current_xact_id()::text, pg_postmaster_start_time()::text";
static const char  judge_postgresql_rollback[] = "ROLLBACK";

/* Time in ms of the last lock timeout of any connection of the process. */
static _Atomic int64_t  judge_postgresql_locked;


static judge_rc_e judge_postgresql_flight(judge_connection_t *c,
    judge_statement_t *st);


/* --- Connections --------------------------------------------------------- */

judge_connection_t *
judge_postgresql_open(judge_arena_t *arena, judge_str_t url, bool writer,
    judge_str_t *error)
{
    judge_connection_t  *c;

    c = calloc(1, sizeof(judge_connection_t));
    if (c) {
        c->writer = writer;
        c->url = strndup(url.data, url.len);
    }

    if (c == NULL || c->url == NULL) {
        free(c);
        if (error) {
            *error = JUDGE_STR("out of memory");
        }
        return NULL;
    }

    return c;
}


/* Numbers are never reused, so that take() can't mistake a result. */

void
judge_postgresql_drop(judge_connection_t *c)
{
    size_t  n;

    for (n = 0; n < c->nahead; n++) {
        PQclear(c->ahead[n]);
        c->ahead[n] = NULL;
    }

    c->first_number += c->nahead + (c->first_number == 0);
    c->nahead = 0;
    c->unsynced = false;
}


void
judge_postgresql_close(judge_connection_t *c)
{
    judge_statement_t  *st;

    while ((st = c->statements)) {
        c->statements = st->next;
        PQclear(st->result);
        free(st);
    }

    judge_postgresql_drop(c);
    PQfinish(c->pg);
    free(c->url);
    free(c);
}


/* --- Transactions -------------------------------------------------------- */

static judge_rc_e
judge_postgresql_defer(judge_connection_t *c, const char *command)
{
    if (c->nqueue == JUDGE_POSTGRESQL_DEFERRED) {
        return judge_postgresql_flight(c, NULL) == JUDGE_OK
               ? judge_postgresql_defer(c, command) : JUDGE_BUSY;
    }

    c->queue[c->nqueue++] = command;

    return JUDGE_OK;
}


/* Shortens the lock timeout if a lock has just timed out: it would probably
 * time out again, and all operations in the queue wait for each attempt. */

static judge_rc_e
judge_postgresql_hasten(judge_connection_t *c)
{
    int64_t  locked = atomic_load(&judge_postgresql_locked);

    if (c->hastened || locked == 0
        || judge_postgresql_clock() - locked > JUDGE_POSTGRESQL_LOCKED)
    {
        return JUDGE_OK;
    }

    c->hastened = true;

    return judge_postgresql_defer(c, "SET LOCAL lock_timeout = '50ms'");
}


static judge_rc_e
judge_postgresql_begin(judge_connection_t *c)
{
    judge_rc_e  rc;

    rc = judge_postgresql_connected(c);
    if (rc != JUDGE_OK) {
        c->nqueue = 0;
        return rc;
    }

    c->transaction = true;
    c->begun = false;
    c->hastened = false;
    c->number[0] = '\0';

    rc = judge_postgresql_defer(c, c->writer
             ? "BEGIN ISOLATION LEVEL READ COMMITTED"
             : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    rc = rc == JUDGE_OK ? judge_postgresql_hasten(c) : rc;

    return rc == JUDGE_OK && c->writer
           ? judge_postgresql_defer(c, judge_postgresql_which) : rc;
}


/* Copies a column of the only row; "" if there is none or it is too long. */

static void
judge_postgresql_copy(char *to, size_t size, const PGresult *result,
    int column)
{
    size_t  len;

    to[0] = '\0';

    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1) {
        len = (size_t) PQgetlength(result, 0, column);
        if (len < size) {
            memcpy(to, PQgetvalue(result, 0, column), len);
            to[len] = '\0';
        }
    }
}


/* Asks the server for the outcome of a commit whose answer was lost.  After a
 * restart the id may be another transaction's, so the start time is compared.
 * A commit that the server has not received must not be executed later, so its
 * backend is terminated; not while it waits for a standby: it is durable. */

static judge_rc_e
judge_postgresql_settle(judge_connection_t *c)
{
    int               i;
    char              sql[512], status[16] = "in progress";
    PGconn           *pg;
    PGresult         *result;
    struct timespec   pause = { 0, 100000000 };

    if (c->number[0] == '\0') {
        return JUDGE_BUSY;
    }

    (void) snprintf(sql, sizeof(sql), "SELECT pg_xact_status('%s'), (SELECT"
                    " count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE pid = %d AND backend_xid = '%s'::xid8::xid"
                    " AND wait_event IS DISTINCT FROM 'SyncRep')"
                    " WHERE pg_postmaster_start_time() = '%s'", c->number,
                    c->pid, c->number, c->started);

    pg = judge_postgresql_connect(c->url, c->message);

    for (i = 0; pg && i < JUDGE_POSTGRESQL_ENDING
                && strcmp(status, "in progress") == 0; i++)
    {
        result = judge_postgresql_exec(pg, sql, JUDGE_POSTGRESQL_LESS);
        judge_postgresql_copy(status, sizeof(status), result, 0);
        PQclear(result);
        (void) nanosleep(&pause, NULL);
    }

    PQfinish(pg);

    return strcmp(status, "committed") == 0 ? JUDGE_OK : JUDGE_BUSY;
}


/* Ends a transaction.  A reader does not wait for the result.  A transaction
 * whose BEGIN was not sent yet is dropped without sending anything. */

static judge_rc_e
judge_postgresql_end(judge_connection_t *c, const char *command)
{
    judge_rc_e  rc;

    c->transaction = false;

    if (!c->begun) {
        c->nqueue = c->nqueue && c->queue[0] == judge_postgresql_rollback;
        return JUDGE_OK;
    }

    c->begun = false;
    rc = judge_postgresql_defer(c, command);

    if (rc == JUDGE_OK) {
        c->committing = command != judge_postgresql_rollback && c->writer;
        rc = judge_postgresql_flight(c, NULL);
        if (c->committing && c->lost) {
            rc = judge_postgresql_settle(c);
        }
        c->committing = false;
    }

    return rc;
}


judge_rc_e
judge_postgresql_transact(judge_connection_t *c, judge_transaction_e what)
{
    bool  waits;

    if (what == JUDGE_TRANSACTION_BEGIN) {
        return judge_postgresql_begin(c);
    }

    if (!c->transaction) {
        return JUDGE_BUSY;
    }

    /* The savepoint has not been sent: there was no statement since. */
    waits = c->nqueue && c->queue[c->nqueue - 1] == judge_postgresql_savepoint;

    switch (what) {
    case JUDGE_TRANSACTION_COMMIT:
        return judge_postgresql_end(c, "COMMIT");
    case JUDGE_TRANSACTION_ROLLBACK:
        c->nqueue = c->begun ? 0 : c->nqueue;
        return judge_postgresql_end(c, judge_postgresql_rollback);
    case JUDGE_TRANSACTION_SAVEPOINT:
        return judge_postgresql_defer(c, judge_postgresql_savepoint);
    case JUDGE_TRANSACTION_RELEASE:
        c->nqueue -= waits;
        return !waits && judge_postgresql_defer(c, "RELEASE op")
                         != JUDGE_OK
               ? JUDGE_BUSY : judge_postgresql_hasten(c);
    default:
        return waits ? JUDGE_OK
                     : judge_postgresql_defer(c, "ROLLBACK TO op");
    }
}


bool
judge_postgresql_in_transaction(judge_connection_t *c)
{
    return c->transaction;
}


/* --- The wire ------------------------------------------------------------ */

/* Whether the wait for an answer is so long that the connection must be
 * half-open: the server or the network failed without closing it. */

static bool
judge_postgresql_silent(int64_t asked)
{
    int64_t  waited;

    waited = judge_postgresql_clock() - asked;

    if (waited < JUDGE_POSTGRESQL_LESS
        || (waited < JUDGE_POSTGRESQL_WAIT
            && judge_postgresql_timeout_at() < asked))
    {
        return false;
    }

    judge_postgresql_timed_out();

    return true;
}


judge_rc_e
judge_postgresql_lost(judge_connection_t *c, const char *text)
{
    if (c->message[0] == '\0') {
        judge_postgresql_line(c->message, text);
    }

    judge_postgresql_drop(c);
    PQfinish(c->pg);
    c->pg = NULL;
    c->lost = true;
    c->transaction = false;
    c->begun = false;
    c->unread = false;
    c->number_due = false;
    c->nqueue = 0;

    return JUDGE_BUSY;
}


PGresult *
judge_postgresql_next(judge_connection_t *c)
{
    int            n, none;
    int64_t        asked;
    PGresult      *result;
    struct pollfd  fd;

    asked = judge_postgresql_clock();

    for (none = 0; none < 4; none++) {
        while (PQisBusy(c->pg)) {
            fd = (struct pollfd) { .fd = PQsocket(c->pg), .events = POLLIN };
            n = poll(&fd, 1, 1000);

            if (n == 0 && judge_postgresql_silent(asked)) {
                (void) judge_postgresql_lost(c, "the server does not answer");
                return NULL;
            }

            if (n == 0) {
                continue;
            }

            if ((n < 0 && errno != EINTR) || PQconsumeInput(c->pg) != 1) {
                (void) judge_postgresql_lost(c, PQerrorMessage(c->pg));
                return NULL;
            }
        }

        result = PQgetResult(c->pg);

        if (PQstatus(c->pg) != CONNECTION_OK) {
            PQclear(result);
            (void) judge_postgresql_lost(c, PQerrorMessage(c->pg));
            return NULL;
        }

        if (result) {
            return result;
        }
    }

    (void) judge_postgresql_lost(c, "an answer that was not expected");

    return NULL;
}


/* An error ends the transaction of a reader; its ROLLBACK is deferred. */

judge_rc_e
judge_postgresql_failed(judge_connection_t *c, const PGresult *result)
{
    const char  *state;

    state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    if (c->message[0] == '\0') {
        judge_postgresql_line(c->message, PQresultErrorMessage(result));
    }

    if (state && strcmp(state, "53100") == 0) {
        c->full = true;
    }

    if (state && strcmp(state, "55P03") == 0) {
        atomic_store(&judge_postgresql_locked, judge_postgresql_clock());
    }

    if (!c->writer && c->transaction) {
        c->transaction = false;
        c->begun = false;
        c->queue[0] = judge_postgresql_rollback;
        c->nqueue = 1;
    }

    return judge_postgresql_class(state);
}


/* Reads all results up to the next sync, and returns the first error. */

static judge_rc_e
judge_postgresql_collect(judge_connection_t *c, judge_statement_t *st)
{
    bool             prepared, undone;
    judge_rc_e       rc, failed;
    PGresult        *result;
    ExecStatusType   status;

    rc = JUDGE_OK;
    prepared = false;
    undone = false;

    for ( ;; ) {
        result = judge_postgresql_next(c);
        if (result == NULL) {
            return JUDGE_BUSY;
        }

        status = PQresultStatus(result);

        if (status == PGRES_PIPELINE_SYNC) {
            PQclear(result);
            c->number_due = false;
            break;
        }

        if (status == PGRES_FATAL_ERROR) {
            failed = judge_postgresql_failed(c, result);
            rc = rc == JUDGE_OK ? failed : rc;

        } else if (status == PGRES_PIPELINE_ABORTED) {
            rc = rc == JUDGE_OK ? JUDGE_BUSY : rc;

        }

        if (c->number_due && status == PGRES_TUPLES_OK) {
            judge_postgresql_copy(c->number, sizeof(c->number), result, 0);
            judge_postgresql_copy(c->started, sizeof(c->started), result, 1);
            c->number_due = false;
            PQclear(result);
            continue;
        }

        undone = strcmp(PQcmdStatus(result), "ROLLBACK") == 0;

        if (st && rc == JUDGE_OK && PQcmdStatus(result)[0] == '\0') {
            prepared = true;
        }

        if (st && rc == JUDGE_OK) {
            PQclear(st->result);
            st->result = result;
        } else {
            PQclear(result);
        }
    }

    if (st && (prepared || rc == JUDGE_OK)) {
        st->prepared = true;
    }

    return rc == JUDGE_OK && c->committing && undone ? JUDGE_BUSY : rc;
}


judge_rc_e
judge_postgresql_put(judge_connection_t *c, judge_statement_t *st)
{
    int         ok;
    size_t      i;
    static const int  binary[JUDGE_OP_PARAMETERS] = {
        [0 ... JUDGE_OP_PARAMETERS - 1] = 1
    };

    if (c->unread) {
        c->unread = false;
        if (judge_postgresql_collect(c, NULL) == JUDGE_BUSY && c->lost) {
            return JUDGE_BUSY;
        }
    }

    for (ok = 1, i = 0; ok && i < c->nqueue; i++) {
        c->number_due |= c->queue[i] == judge_postgresql_which;
        ok = PQsendQueryParams(c->pg, c->queue[i], 0, NULL, NULL, NULL, NULL,
                               1);
    }

    c->nqueue = 0;
    c->begun = c->begun || c->transaction;

    if (ok && st && !st->prepared) {
        ok = PQsendPrepare(c->pg, st->name, st->sql, st->n, st->types);
    }
    if (ok && st) {
        ok = PQsendQueryPrepared(c->pg, st->name, st->n, st->values,
                                 st->lengths, binary, 1);
    }

    return ok ? JUDGE_OK : judge_postgresql_lost(c, PQerrorMessage(c->pg));
}


/* Sends deferred commands and the statement with a sync, and reads the
 * results, except at the end of a reader's transaction. */

static judge_rc_e
judge_postgresql_send(judge_connection_t *c, judge_statement_t *st)
{
    judge_rc_e  rc;

    rc = judge_postgresql_put(c, st);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (PQpipelineSync(c->pg) != 1) {
        return judge_postgresql_lost(c, PQerrorMessage(c->pg));
    }

    if (!c->transaction && !c->writer) {
        c->unread = true;
        return JUDGE_OK;
    }

    return judge_postgresql_collect(c, st);
}


/* If the connection turns out to be closed when the first statement is sent,
 * as after a restart of the server, begins the transaction once more; not
 * after a timeout, since a second one would double the wait. */

static judge_rc_e
judge_postgresql_flight(judge_connection_t *c, judge_statement_t *st)
{
    bool         first;
    size_t       n;
    int64_t      timeout_at;
    judge_rc_e   rc;
    const char  *queue[JUDGE_POSTGRESQL_DEFERRED];

    first = c->transaction && !c->begun;
    n = c->nqueue;
    memcpy(queue, c->queue, sizeof(queue));
    timeout_at = judge_postgresql_timeout_at();
    rc = judge_postgresql_send(c, st);

    if (!first || c->pg || timeout_at != judge_postgresql_timeout_at()
        || judge_postgresql_connected(c) != JUDGE_OK)
    {
        return rc;
    }

    c->transaction = true;
    c->nqueue = n;
    memcpy(c->queue, queue, sizeof(queue));

    return judge_postgresql_send(c, st);
}


/* --- Statements ---------------------------------------------------------- */

bool
judge_postgresql_ignored(const judge_statement_t *st, judge_rc_e rc)
{
    return rc == JUDGE_CONFLICT && strstr(st->sql, "ON CONFLICT DO NOTHING");
}


void
judge_postgresql_count(judge_connection_t *c, PGresult *result)
{
    if (strncmp(PQcmdStatus(result), "SELECT", 6) != 0) {
        c->changes = atoll(PQcmdTuples(result));
        c->changed += c->changes;
    }
}


static judge_rc_e
judge_postgresql_run_now(judge_connection_t *c, judge_statement_t *st)
{
    bool        silent;
    judge_rc_e  rc;

    silent = c->message[0] == '\0';
    rc = judge_postgresql_flight(c, st);

    if (judge_postgresql_ignored(st, rc)) {
        if (silent) {
            c->message[0] = '\0';
        }
        c->changes = 0;
        return JUDGE_OK;
    }

    if (rc == JUDGE_OK) {
        judge_postgresql_count(c, st->result);
    }

    return rc;
}


judge_rc_e
judge_postgresql_step(judge_connection_t *c, judge_statement_t *st, bool *row)
{
    judge_rc_e  rc;

    *row = false;

    if (!c->transaction) {
        return JUDGE_BUSY;
    }

    if (st->row < 0) {
        st->row = 0;
        rc = judge_postgresql_run_now(c, st);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    if (st->result && st->row < PQntuples(st->result)) {
        st->row++;
        *row = true;
    }

    return JUDGE_OK;
}


void
judge_postgresql_reset(judge_statement_t *st)
{
    PQclear(st->result);
    st->result = NULL;
    st->row = -1;
}


int64_t
judge_postgresql_changes(judge_connection_t *c)
{
    return c->changes;
}


int64_t
judge_postgresql_changed(judge_connection_t *c)
{
    return c->changed;
}
