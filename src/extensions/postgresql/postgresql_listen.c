/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Notifies other nodes by LISTEN and NOTIFY.  A transaction that notifies
 * locks the whole server while it commits, so those of operations never do.
 * After their commits a separate connection notifies, in transactions that do
 * not wait for the disk (synchronous_commit = off).
 */


#include <stdlib.h>
#include <string.h>

#include "extensions/postgresql/postgresql_connection.h"


#define JUDGE_POSTGRESQL_NOTIFIED  5000  /* ms; a connection that has not
                                          answered by then is lost */

struct judge_listener {
    PGconn   *pg;
    int64_t   connected_at;
    int64_t   notified_at;             /* 0: no answer is due */
    int64_t   clock_skew;              /* ms by which this clock is ahead */
};


judge_listener_t *
judge_postgresql_listen(judge_str_t url)
{
    char               message[JUDGE_POSTGRESQL_MESSAGE], *copy;
    PGresult          *result;
    judge_listener_t  *l;

    l = calloc(1, sizeof(judge_listener_t));
    copy = l ? strndup(url.data, url.len) : NULL;
    if (copy == NULL) {
        free(l);
        return NULL;
    }

    l->pg = judge_postgresql_connect(copy, message);
    free(copy);
    l->connected_at = judge_postgresql_clock();

    result = l->pg ? judge_postgresql_exec(l->pg, "SET synchronous_commit"
                         " = off; LISTEN judge", JUDGE_POSTGRESQL_NOTIFIED)
                   : NULL;

    if (PQresultStatus(result) != PGRES_COMMAND_OK
        || PQsetnonblocking(l->pg, 1) != 0)
    {
        judge_postgresql_unlisten(l);
        l = NULL;
    }

    PQclear(result);

    return l;
}


int
judge_postgresql_socket(const judge_listener_t *l)
{
    return PQsocket(l->pg);
}


/* Skips the notifications of this connection, which the server sends it,
 * too. */

bool
judge_postgresql_receive(judge_listener_t *l,
    void (*received)(void *data, const char *text), void *data,
    int64_t *clock_skew)
{
    bool             lost;
    PGnotify        *note;
    PGresult        *result;

    lost = PQconsumeInput(l->pg) != 1 || PQflush(l->pg) < 0
           || l->connected_at <= judge_postgresql_timeout_at()
           || (l->notified_at && judge_postgresql_clock() - l->notified_at
                                 >= JUDGE_POSTGRESQL_NOTIFIED);

    while (!lost && l->notified_at && !PQisBusy(l->pg)) {
        result = PQgetResult(l->pg);
        l->notified_at = result ? l->notified_at : 0;
        lost = result && PQresultStatus(result) != PGRES_TUPLES_OK;
        if (result && !lost) {
            l->clock_skew = judge_time_now()
                            - atoll(PQgetvalue(result, 0, 1));
        }
        PQclear(result);
    }

    while ((note = PQnotifies(l->pg))) {
        if (note->be_pid != PQbackendPID(l->pg)) {
            received(data, note->extra);
        }
        PQfreemem(note);
    }

    *clock_skew = l->clock_skew;

    return !lost;
}


bool
judge_postgresql_notify(judge_listener_t *l, const char *text)
{
    if (l->notified_at
        || PQsendQueryParams(l->pg, "SELECT pg_notify('judge', $1), (1000 *"
                             " extract(epoch FROM clock_timestamp()))::bigint",
                             1, NULL, &text, NULL, NULL, 0) != 1)
    {
        return false;
    }

    l->notified_at = judge_postgresql_clock();
    (void) PQflush(l->pg);

    return true;
}


void
judge_postgresql_unlisten(judge_listener_t *l)
{
    PQfinish(l->pg);
    free(l);
}
