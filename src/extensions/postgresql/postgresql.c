/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Transactions and statements.  BEGIN and savepoints are deferred and sent
 * with the next statement (pipeline mode of libpq), so a statement costs one
 * round trip, and a transaction one more for its end.  A connection is opened
 * when it is first used, and again after it was lost.
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


/* A connection without an answer for so long counts as lost: longer than
 * statement_timeout, and shorter if others have just waited in vain; in ms. */
#define JUDGE_POSTGRESQL_WAIT        25000
#define JUDGE_POSTGRESQL_WAIT_SHORT  5000

#define JUDGE_POSTGRESQL_LOCK_SHORT  5000        /* ms after a lock timeout in
                                          which others are shorter */
#define JUDGE_POSTGRESQL_COMMIT_QUERIES  50      /* whether one has ended */

static const char  judge_postgresql_savepoint[] = "SAVEPOINT op";
static const char  judge_postgresql_identify[] =
    "SELECT pg_current_xact_id()::text, pg_postmaster_start_time()::text";
static const char  judge_postgresql_rollback[] = "ROLLBACK";

/* When a lock last timed out on any connection of the process; 0: never. */
static _Atomic int64_t  judge_postgresql_lock_timeout_at;


static judge_rc_e judge_postgresql_send(judge_connection_t *c,
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


/* Never uses a number twice, so that take() can't return a later statement's
 * result for a number of before; nor 0, which means that nothing was sent. */

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
    if (c->ndeferred == JUDGE_POSTGRESQL_DEFERRED) {
        return judge_postgresql_send(c, NULL) == JUDGE_OK
               ? judge_postgresql_defer(c, command) : JUDGE_BUSY;
    }

    c->deferred[c->ndeferred++] = command;

    return JUDGE_OK;
}


/* Shortens the lock timeout if a lock has just timed out: it would probably
 * time out again, and all operations in the queue wait for each attempt. */

static judge_rc_e
judge_postgresql_shorten_lock(judge_connection_t *c)
{
    int64_t  timeout_at = atomic_load(&judge_postgresql_lock_timeout_at);

    if (c->lock_shortened || timeout_at == 0
        || judge_postgresql_clock() - timeout_at > JUDGE_POSTGRESQL_LOCK_SHORT)
    {
        return JUDGE_OK;
    }

    c->lock_shortened = true;

    return judge_postgresql_defer(c, "SET LOCAL lock_timeout = '50ms'");
}


static judge_rc_e
judge_postgresql_begin(judge_connection_t *c)
{
    judge_rc_e  rc;

    rc = judge_postgresql_connected(c);
    if (rc != JUDGE_OK) {
        c->ndeferred = 0;
        return rc;
    }

    c->transaction = true;
    c->begun = false;
    c->lock_shortened = false;
    c->transaction_id[0] = '\0';

    rc = judge_postgresql_defer(c, c->writer
             ? "BEGIN ISOLATION LEVEL READ COMMITTED"
             : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    rc = rc == JUDGE_OK ? judge_postgresql_shorten_lock(c) : rc;

    return rc == JUDGE_OK && c->writer
           ? judge_postgresql_defer(c, judge_postgresql_identify) : rc;
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


/* Asks the server, over a connection of its own, whether a commit whose answer
 * was lost has succeeded.  After a restart the id may be another
 * transaction's, so the server's start time is compared.  What is still
 * running would execute a COMMIT that arrives late, so its backend is
 * terminated; but not one that waits for a standby, because its commit is
 * already on the disk. */

static judge_rc_e
judge_postgresql_committed(judge_connection_t *c)
{
    int               i;
    char              sql[512], status[16] = "in progress";
    PGconn           *pg;
    PGresult         *result;
    struct timespec   pause = { 0, 100000000 };

    if (c->transaction_id[0] == '\0') {
        return JUDGE_BUSY;
    }

    (void) snprintf(sql, sizeof(sql), "SELECT pg_xact_status('%s'), (SELECT"
                    " count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE pid = %d AND backend_xid = '%s'::xid8::xid"
                    " AND wait_event IS DISTINCT FROM 'SyncRep')"
                    " WHERE pg_postmaster_start_time() = '%s'",
                    c->transaction_id, c->pid, c->transaction_id,
                    c->server_started);

    pg = judge_postgresql_connect(c->url, c->message);

    for (i = 0; pg && i < JUDGE_POSTGRESQL_COMMIT_QUERIES
                && strcmp(status, "in progress") == 0; i++)
    {
        result = judge_postgresql_exec(pg, sql, JUDGE_POSTGRESQL_WAIT_SHORT);
        judge_postgresql_copy(status, sizeof(status), result, 0);
        PQclear(result);
        (void) nanosleep(&pause, NULL);
    }

    PQfinish(pg);

    return strcmp(status, "committed") == 0 ? JUDGE_OK : JUDGE_BUSY;
}


/* Ends a transaction.  A reader does not wait for the result.  If BEGIN was
 * not sent yet, nothing is sent; what stays deferred is the ROLLBACK of a
 * transaction before this one, which an error had ended. */

static judge_rc_e
judge_postgresql_end(judge_connection_t *c, const char *command)
{
    judge_rc_e  rc;

    c->transaction = false;

    if (!c->begun) {
        c->ndeferred = c->ndeferred
                       && c->deferred[0] == judge_postgresql_rollback;
        return JUDGE_OK;
    }

    c->begun = false;
    rc = judge_postgresql_defer(c, command);

    if (rc == JUDGE_OK) {
        c->committing = command != judge_postgresql_rollback && c->writer;
        rc = judge_postgresql_send(c, NULL);
        if (c->committing && c->lost) {
            rc = judge_postgresql_committed(c);
        }
        c->committing = false;
    }

    return rc;
}


judge_rc_e
judge_postgresql_transact(judge_connection_t *c, judge_transaction_e what)
{
    bool  unsent;

    if (what == JUDGE_TRANSACTION_BEGIN) {
        return judge_postgresql_begin(c);
    }

    if (!c->transaction) {
        return JUDGE_BUSY;
    }

    /* The savepoint was not sent yet, because no statement followed it: then
     * releasing it or rolling back to it needs no command. */
    unsent = c->ndeferred && c->deferred[c->ndeferred - 1]
                             == judge_postgresql_savepoint;

    switch (what) {
    case JUDGE_TRANSACTION_COMMIT:
        return judge_postgresql_end(c, "COMMIT");
    case JUDGE_TRANSACTION_ROLLBACK:
        c->ndeferred = c->begun ? 0 : c->ndeferred;
        return judge_postgresql_end(c, judge_postgresql_rollback);
    case JUDGE_TRANSACTION_SAVEPOINT:
        return judge_postgresql_defer(c, judge_postgresql_savepoint);
    case JUDGE_TRANSACTION_RELEASE:
        c->ndeferred -= unsent;
        return !unsent && judge_postgresql_defer(c, "RELEASE op")
                          != JUDGE_OK
               ? JUDGE_BUSY : judge_postgresql_shorten_lock(c);
    default:
        return unsent ? JUDGE_OK
                      : judge_postgresql_defer(c, "ROLLBACK TO op");
    }
}


bool
judge_postgresql_in_transaction(judge_connection_t *c)
{
    return c->transaction;
}


/* --- Sending and receiving ----------------------------------------------- */

/* Whether the wait for an answer is so long that the connection must be
 * half-open: the server or the network failed without closing it. */

static bool
judge_postgresql_silent(int64_t asked)
{
    int64_t  waited;

    waited = judge_postgresql_clock() - asked;

    if (waited < JUDGE_POSTGRESQL_WAIT_SHORT
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
    c->unread_end = false;
    c->transaction_id_due = false;
    c->ndeferred = 0;

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

    /* One NULL follows each statement; more than a few mean that nothing is
     * under way any more. */
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


/* An error ends the transaction of a reader, whose ROLLBACK is sent before the
 * next one.  A writer's goes on: its runner rolls back to a savepoint. */

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
        atomic_store(&judge_postgresql_lock_timeout_at,
                     judge_postgresql_clock());
    }

    if (!c->writer && c->transaction) {
        c->transaction = false;
        c->begun = false;
        c->deferred[0] = judge_postgresql_rollback;
        c->ndeferred = 1;
    }

    return judge_postgresql_class(state);
}


/* Reads all results up to the next sync, and returns the first error.  The
 * last one before the sync is that of the statement. */

static judge_rc_e
judge_postgresql_collect(judge_connection_t *c, judge_statement_t *st)
{
    bool             rolled_back = false;
    judge_rc_e       rc = JUDGE_OK, error;
    PGresult        *result;
    ExecStatusType   status;

    for ( ;; ) {
        result = judge_postgresql_next(c);
        if (result == NULL) {
            return JUDGE_BUSY;
        }

        status = PQresultStatus(result);

        if (status == PGRES_PIPELINE_SYNC) {
            PQclear(result);
            c->transaction_id_due = false;
            break;
        }

        if (status == PGRES_FATAL_ERROR) {
            error = judge_postgresql_failed(c, result);
            rc = rc == JUDGE_OK ? error : rc;

        } else if (status == PGRES_PIPELINE_ABORTED) {
            rc = rc == JUDGE_OK ? JUDGE_BUSY : rc;
        }

        if (c->transaction_id_due && status == PGRES_TUPLES_OK) {
            judge_postgresql_copy(c->transaction_id,
                                  sizeof(c->transaction_id), result, 0);
            judge_postgresql_copy(c->server_started,
                                  sizeof(c->server_started), result, 1);
            c->transaction_id_due = false;
            PQclear(result);
            continue;
        }

        rolled_back = strcmp(PQcmdStatus(result), "ROLLBACK") == 0;

        if (st && rc == JUDGE_OK) {
            /* Only the result of PQsendPrepare() has no command tag. */
            st->prepared |= PQcmdStatus(result)[0] == '\0';
            PQclear(st->result);
            st->result = result;
        } else {
            PQclear(result);
        }
    }

    /* To the COMMIT of a failed transaction the server answers "ROLLBACK". */
    return rc == JUDGE_OK && c->committing && rolled_back ? JUDGE_BUSY : rc;
}


judge_rc_e
judge_postgresql_put(judge_connection_t *c, judge_statement_t *st)
{
    int               ok;
    size_t            i;
    static const int  binary[JUDGE_OP_PARAMETERS] = {
        [0 ... JUDGE_OP_PARAMETERS - 1] = 1
    };

    if (c->unread_end) {
        c->unread_end = false;
        if (judge_postgresql_collect(c, NULL) == JUDGE_BUSY && c->lost) {
            return JUDGE_BUSY;
        }
    }

    for (ok = 1, i = 0; ok && i < c->ndeferred; i++) {
        c->transaction_id_due |= c->deferred[i] == judge_postgresql_identify;
        ok = PQsendQueryParams(c->pg, c->deferred[i], 0, NULL, NULL, NULL,
                               NULL, 1);
    }

    c->ndeferred = 0;
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


/* Sends the deferred commands and the statement, which may be NULL, with a
 * sync.  Reads the results, except at the end of a reader's transaction: they
 * are read before the next statement is sent. */

static judge_rc_e
judge_postgresql_send_once(judge_connection_t *c, judge_statement_t *st)
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
        c->unread_end = true;
        return JUDGE_OK;
    }

    return judge_postgresql_collect(c, st);
}


/* Sends a statement.  If it is the first of its transaction and the connection
 * turns out to be closed, as after a restart of the server, begins the
 * transaction once more over a new one; not after a timeout, since a second
 * one would double the wait.  The error may have changed what is deferred. */

static judge_rc_e
judge_postgresql_send(judge_connection_t *c, judge_statement_t *st)
{
    bool         first;
    size_t       n;
    int64_t      timeout_at;
    judge_rc_e   rc;
    const char  *deferred[JUDGE_POSTGRESQL_DEFERRED];

    first = c->transaction && !c->begun;
    n = c->ndeferred;
    memcpy(deferred, c->deferred, sizeof(deferred));
    timeout_at = judge_postgresql_timeout_at();
    rc = judge_postgresql_send_once(c, st);

    if (!first || c->pg || timeout_at != judge_postgresql_timeout_at()
        || judge_postgresql_connected(c) != JUDGE_OK)
    {
        return rc;
    }

    c->transaction = true;
    c->ndeferred = n;
    memcpy(c->deferred, deferred, sizeof(deferred));

    return judge_postgresql_send_once(c, st);
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


/* An error that does not count as one leaves no message, but does not erase
 * that of an earlier one. */

static judge_rc_e
judge_postgresql_run_statement(judge_connection_t *c, judge_statement_t *st)
{
    bool        no_message;
    judge_rc_e  rc;

    no_message = c->message[0] == '\0';
    rc = judge_postgresql_send(c, st);

    if (judge_postgresql_ignored(st, rc)) {
        if (no_message) {
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
        rc = judge_postgresql_run_statement(c, st);
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
