/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Connecting to a server, and migrating its schema. */


#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "extensions/postgresql/postgresql_connection.h"
#include "store/sqlite/migrations.h"


/* Debian's file of root certificates is used unless the address names one. */
#define JUDGE_POSTGRESQL_ROOTS  "/etc/ssl/certs/ca-certificates.crt"

/* What every connection sets.  No statement of the store takes as long as
 * statement_timeout; lock_timeout is shorter, so that only the operation that
 * needs the lock fails. */
#define JUDGE_POSTGRESQL_SETUP                                                \
    "SET client_min_messages = notice; SET statement_timeout = '20s';"        \
    "SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout"        \
    " = '60s'; SET standard_conforming_strings = on;"                         \
    "SET default_transaction_read_only = off"

/* SQLSTATEs of errors that may pass: a lock timeout, a standby, an aborted
 * transaction, and missing tables or permissions, as during a restore. */
#define JUDGE_POSTGRESQL_TEMPORARY                                           \
    "55P03 25006 25P02 25P03 42P01 42703 42501 3F000"

/* Three columns: whether there is a schema to make tables in, whether the
 * table of its version is there, and whether any table is. */
#define JUDGE_POSTGRESQL_STATE                                                \
    "SELECT current_schema() IS NOT NULL, to_regclass('judge_schema')"        \
    " IS NOT NULL, EXISTS (SELECT 1 FROM pg_class WHERE relnamespace ="       \
    " (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"        \
    " AND relkind IN ('r', 'p', 'v'))"

#define JUDGE_POSTGRESQL_ANSWER     15000        /* ms for an answer, */
#define JUDGE_POSTGRESQL_MIGRATION  3600000      /* and for a migration */
#define JUDGE_POSTGRESQL_SKEW       5  /* s by which clocks may differ */


static void judge_postgresql_notice(void *data, const PGresult *result);


/* See judge_postgresql_diagnose(); NULL: nothing has failed. */
static _Thread_local const char  *judge_postgresql_why;

/* When timed_out() was last called, in memory that forked processes share. */
static _Atomic int64_t  *judge_postgresql_last_timeout;


void
judge_postgresql_line(char message[JUDGE_POSTGRESQL_MESSAGE], const char *text)
{
    size_t  i;

    for (i = 0; i < JUDGE_POSTGRESQL_MESSAGE - 1 && text[i]; i++) {
        message[i] = text[i] == '\n' || text[i] == '\t' ? ' ' : text[i];
    }

    while (i && message[i - 1] == ' ') {
        i--;
    }

    message[i] = '\0';
}


judge_rc_e
judge_postgresql_class(const char *state)
{
    if (state == NULL || strncmp(state, "08", 2) == 0
        || strncmp(state, "40", 2) == 0 || strncmp(state, "53", 2) == 0
        || strncmp(state, "57", 2) == 0 || strncmp(state, "58", 2) == 0
        || strstr(JUDGE_POSTGRESQL_TEMPORARY, state))
    {
        return JUDGE_BUSY;
    }

    return strncmp(state, "23", 2) == 0 ? JUDGE_CONFLICT : JUDGE_ERROR;
}


/* --- Connecting ---------------------------------------------------------- */

int64_t
judge_postgresql_clock(void)
{
    return judge_time_clock(CLOCK_MONOTONIC) / 1000;
}


int64_t
judge_postgresql_timeout_at(void)
{
    return judge_postgresql_last_timeout
           ? atomic_load(judge_postgresql_last_timeout) : 0;
}


void
judge_postgresql_timed_out(void)
{
    if (judge_postgresql_last_timeout) {
        atomic_store(judge_postgresql_last_timeout, judge_postgresql_clock());
    }
}


PGresult *
judge_postgresql_exec(PGconn *pg, const char *sql, int64_t wait)
{
    int            n;
    int64_t        until;
    PGresult      *last, *result;
    struct pollfd  fd;

    until = judge_postgresql_clock() + wait;
    last = NULL;

    if (PQsendQuery(pg, sql) != 1) {
        return NULL;
    }

    for ( ;; ) {
        while (PQisBusy(pg)) {
            fd = (struct pollfd) { .fd = PQsocket(pg), .events = POLLIN };
            n = poll(&fd, 1, 1000);

            if ((n < 0 && errno != EINTR)
                || (n == 0 && judge_postgresql_clock() >= until)
                || (n > 0 && PQconsumeInput(pg) != 1))
            {
                PQclear(last);
                return NULL;
            }
        }

        result = PQgetResult(pg);
        if (result == NULL) {
            return last;
        }

        PQclear(last);
        last = result;
    }
}


static bool
judge_postgresql_run(PGconn *pg, const char *sql, int64_t wait)
{
    PGresult        *result;
    ExecStatusType   status;

    result = judge_postgresql_exec(pg, sql, wait);
    status = PQresultStatus(result);
    PQclear(result);

    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}


static void
judge_postgresql_share_timeouts(void)
{
    void  *shared;

    if (judge_postgresql_last_timeout == NULL) {
        shared = mmap(NULL, sizeof(_Atomic int64_t), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        judge_postgresql_last_timeout = shared == MAP_FAILED ? NULL : shared;
    }
}


/* Does not use the message of libpq, which may contain the password. */

judge_rc_e
judge_postgresql_check(judge_arena_t *arena, judge_str_t url,
    judge_str_t *error)
{
    char              *text;
    judge_str_t        copy;
    PQconninfoOption  *options;

    copy = judge_str_dup(arena, url);
    if (copy.data == NULL) {
        return JUDGE_NOMEM;
    }

    text = NULL;
    options = PQconninfoParse(copy.data, &text);
    PQfreemem(text);

    if (options == NULL) {
        *error = JUDGE_STR("is no address of a database: expected"
                           " postgresql://USER@HOST:PORT/DATABASE, with"
                           " parameters of libpq behind \"?\"");
        return JUDGE_ERROR;
    }

    PQconninfoFree(options);
    judge_postgresql_share_timeouts();

    return JUDGE_OK;
}


static const char *
judge_postgresql_option(const PQconninfoOption *options, const char *name)
{
    for ( /* void */ ; options->keyword; options++) {
        if (strcmp(options->keyword, name) == 0) {
            return options->val ? options->val
                   : options->envvar ? getenv(options->envvar) : NULL;
        }
    }

    return NULL;
}


/* Whether all hosts are this machine, so that TLS is not needed: sockets in
 * the file system (the default too) or loopback addresses.  A service, whose
 * hosts are in a file of libpq, counts as remote. */

static bool
judge_postgresql_is_local(const PQconninfoOption *options)
{
    size_t       len;
    const char  *p;

    if (judge_postgresql_option(options, "service")) {
        return false;
    }

    p = judge_postgresql_option(options, "hostaddr");
    if (p == NULL) {
        p = judge_postgresql_option(options, "host");
    }

    for ( /* void */ ; p && *p; p += len + (p[len] == ',')) {
        len = strcspn(p, ",");

        if (len && *p != '/' && *p != '@'
            && !(len == 9 && strncmp(p, "localhost", 9) == 0)
            && !(len == 3 && strncmp(p, "::1", 3) == 0)
            && !(len > 4 && strncmp(p, "127.", 4) == 0
                 && strspn(p, "0123456789.") == len))
        {
            return false;
        }
    }

    return true;
}


/* libpq uses the last value of a parameter, so the address ("dbname")
 * overrides the parameters before it, but not those after it.  What is not
 * needed gives way to a second "application_name". */

PGconn *
judge_postgresql_connect(const char *url,
    char message[JUDGE_POSTGRESQL_MESSAGE])
{
    bool               local, roots;
    PGconn            *pg;
    PQconninfoOption  *options;

    options = PQconninfoParse(url, NULL);
    local = options && judge_postgresql_is_local(options);
    roots = options && judge_postgresql_option(options, "sslrootcert") == NULL
            && judge_postgresql_option(options, "service") == NULL
            && access(JUDGE_POSTGRESQL_ROOTS, R_OK) == 0;
    PQconninfoFree(options);

    const char *const  names[] = {
        "application_name", "connect_timeout", "keepalives_idle",
        "keepalives_interval", "keepalives_count", "tcp_user_timeout",
        "target_session_attrs", local || !roots ? "application_name"
                                                : "sslrootcert",
        local ? "application_name" : "sslmode", "dbname", "client_encoding",
        NULL
    };
    const char *const  values[] = {
        "judge", "5", "10", "5", "3", "20000", "read-write",
        local || !roots ? "judge" : JUDGE_POSTGRESQL_ROOTS,
        local ? "judge" : "verify-full", url, "UTF8", NULL
    };

    pg = PQconnectdbParams(names, values, 1);
    if (pg && PQstatus(pg) == CONNECTION_OK
        && judge_postgresql_run(pg, JUDGE_POSTGRESQL_SETUP,
                                JUDGE_POSTGRESQL_ANSWER))
    {
        judge_postgresql_why = NULL;
        return pg;
    }

    judge_postgresql_line(message, pg == NULL ? "out of memory"
                                   : PQerrorMessage(pg)[0]
                                   ? PQerrorMessage(pg)
                                   : "the server does not answer");
    judge_postgresql_why = "the database of the store cannot be reached";
    PQfinish(pg);

    return NULL;
}


/* Fails at once if the last attempt failed within this second, because the
 * operations in the queue wait during each attempt. */

judge_rc_e
judge_postgresql_connected(judge_connection_t *c)
{
    judge_statement_t  *st;

    if (c->pg && PQstatus(c->pg) == CONNECTION_OK
        && c->connected_at > judge_postgresql_timeout_at())
    {
        return JUDGE_OK;
    }

    c->lost = true;
    if (c->failed_at == time(NULL)) {
        if (c->message[0] == '\0') {
            judge_postgresql_line(c->message, "the server is not there");
        }
        return JUDGE_BUSY;
    }

    PQfinish(c->pg);
    c->pg = judge_postgresql_connect(c->url, c->message);
    c->failed_at = time(NULL);

    for (st = c->statements; st; st = st->next) {
        st->prepared = false;
    }

    if (c->pg == NULL || PQenterPipelineMode(c->pg) != 1) {
        return JUDGE_BUSY;
    }

    (void) PQsetNoticeReceiver(c->pg, judge_postgresql_notice, c);
    c->failed_at = 0;
    c->pid = PQbackendPID(c->pg);
    c->connected_at = judge_postgresql_clock();
    c->unread_end = false;
    c->lost = false;
    c->message[0] = '\0';

    return JUDGE_OK;
}


/* Reads a notice of the triggers of follow.sql: "judge_subject ORG ID" or
 * "judge_noted TABLE". */

static void
judge_postgresql_notice(void *data, const PGresult *result)
{
    size_t               i;
    const char          *text, *org, *id;
    judge_subject_t     *subject;
    judge_connection_t  *c = data;

    text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

    if (text && strncmp(text, "judge_noted ", 12) == 0) {
        text += 12;
        if (strcmp(text, "work_requests") == 0) {
            c->noted |= JUDGE_NOTED_REQUESTS;
        } else if (strcmp(text, "results_gone") == 0) {
            c->noted |= JUDGE_NOTED_RESULTS;
        } else if (strcmp(text, "evaluations") == 0) {
            c->subjects.more = true;
        }
        return;
    }

    if (text == NULL || strncmp(text, "judge_subject ", 14) != 0) {
        return;
    }

    org = text + 14;
    id = strchr(org, ' ');
    if (id == NULL) {
        return;
    }

    for (i = c->subjects.count; i; i--) {
        if (judge_str_eq_c(judge_id_str(&c->subjects.list[i - 1].id), id + 1))
        {
            return;
        }
    }

    if (c->subjects.count == JUDGE_SUBJECTS) {
        c->subjects.more = true;
        return;
    }

    subject = &c->subjects.list[c->subjects.count++];
    judge_id_set(&subject->org, (judge_str_t) { (size_t) (id - org),
                                                (char *) org });
    judge_id_set(&subject->id, judge_str_c(id + 1));
}


const char *
judge_postgresql_diagnose(judge_arena_t *arena, judge_str_t url,
    judge_str_t *rights)
{
    *rights = JUDGE_STR("");

    return judge_postgresql_why ? judge_postgresql_why
                                : "the store cannot be opened";
}


/* --- The schema ---------------------------------------------------------- */

static judge_rc_e
judge_postgresql_refuse(judge_str_t *error, judge_str_t sentence)
{
    if (error) {
        *error = sentence;
    }

    return JUDGE_ERROR;
}


/* Reads a column of the only row as a number, a boolean as 0 or 1.  -1: it is
 * NULL, there is no such row, or the query failed. */

static int
judge_postgresql_query_int(PGconn *pg, const char *sql, int column)
{
    int          n;
    PGresult    *result;
    const char  *value;

    n = -1;
    result = judge_postgresql_exec(pg, sql, JUDGE_POSTGRESQL_ANSWER);

    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1
        && !PQgetisnull(result, 0, column))
    {
        value = PQgetvalue(result, 0, column);
        n = *value == 't' ? 1 : *value == 'f' ? 0 : atoi(value);
    }

    PQclear(result);

    return n;
}


/* Makes a query for the seconds by which this machine's clock is ahead of the
 * server's.  NULL: out of memory. */

static const char *
judge_postgresql_skew_query(judge_arena_t *arena)
{
    return judge_str_printf(arena, "SELECT least(greatest(%lld - extract("
               "epoch FROM clock_timestamp()), -999999999), 999999999)::int",
               (long long) judge_time_now() / 1000).data;
}


/* Checks the server's version, the database's encoding, and that the clocks
 * agree, which leases need. */

static judge_rc_e
judge_postgresql_check_server(PGconn *pg, judge_arena_t *arena,
    judge_str_t *error)
{
    int  skew;

    if (PQserverVersion(pg) < JUDGE_POSTGRESQL_OLDEST) {
        return judge_postgresql_refuse(error, JUDGE_STR("the server is too"
                   " old: PostgreSQL 14 or later is needed"));
    }

    if (judge_postgresql_query_int(pg,
            "SELECT getdatabaseencoding() = 'UTF8'", 0) == 0)
    {
        return judge_postgresql_refuse(error, JUDGE_STR("the database is not"
                   " in UTF8: make it by createdb -E UTF8 -T template0"));
    }

    skew = judge_postgresql_query_int(pg, judge_postgresql_skew_query(arena),
                                      0);

    if (abs(skew) <= JUDGE_POSTGRESQL_SKEW) {
        return JUDGE_OK;
    }

    return judge_postgresql_refuse(error, judge_str_printf(arena, "the clock"
               " of this machine is %d s %s the database's: leases hold by the"
               " clocks, let NTP set both", abs(skew),
               skew > 0 ? "ahead of" : "behind"));
}


/* Returns the version of the schema; 0: there are no tables; -1: there are
 * some of another program. */

static int
judge_postgresql_schema_version(PGconn *pg)
{
    if (judge_postgresql_query_int(pg, JUDGE_POSTGRESQL_STATE, 1) == 1) {
        return judge_postgresql_query_int(pg, "SELECT max(version) FROM"
                   " judge_schema WHERE product = 'judge'", 0);
    }

    return judge_postgresql_query_int(pg, JUDGE_POSTGRESQL_STATE, 2) ? -1 : 0;
}


static bool
judge_postgresql_run_migrations(PGconn *pg, judge_arena_t *arena, int version,
    int last)
{
    int          v;
    judge_str_t  note;

    for (v = version; v < last; v++) {
        if (!judge_postgresql_run(pg, judge_postgresql_migrations[v],
                                  JUDGE_POSTGRESQL_MIGRATION))
        {
            return false;
        }
    }

    note = judge_str_printf(arena, "CREATE TABLE IF NOT EXISTS judge_schema"
               " (product TEXT PRIMARY KEY, version BIGINT NOT NULL);"
               "INSERT INTO judge_schema VALUES ('judge', %d) ON CONFLICT"
               " (product) DO UPDATE SET version = excluded.version; COMMIT",
               last);

    return note.data
           && judge_postgresql_run(pg, judge_postgresql_follow,
                                   JUDGE_POSTGRESQL_MIGRATION)
           && judge_postgresql_run(pg, note.data, JUDGE_POSTGRESQL_MIGRATION);
}


static judge_rc_e
judge_postgresql_upgrade(PGconn *pg, judge_arena_t *arena, bool upgrade,
    judge_str_t *error)
{
    int         version, last = (int) judge_migrations_count;
    char        message[JUDGE_POSTGRESQL_MESSAGE];
    judge_rc_e  rc;

    rc = judge_postgresql_check_server(pg, arena, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (!judge_postgresql_run(pg, "SET statement_timeout = 0;"
                              "SET lock_timeout = 0;"
                              "SET client_min_messages = warning; BEGIN;"
                              "SELECT pg_advisory_xact_lock(1785033830, 0)",
                              JUDGE_POSTGRESQL_MIGRATION))
    {
        goto failed;
    }

    if (judge_postgresql_query_int(pg, JUDGE_POSTGRESQL_STATE, 0) != 1) {
        return judge_postgresql_refuse(error, JUDGE_STR("there is no schema of"
                   " the search_path: create one, or name another in the"
                   " address by options=-csearch_path%3DNAME"));
    }

    version = judge_postgresql_schema_version(pg);

    if (version < 0) {
        return judge_postgresql_refuse(error, JUDGE_STR("the database holds"
                   " tables of another program: name an empty one, or an"
                   " empty schema by options=-csearch_path%3DNAME"));
    }

    if (version > last) {
        (void) judge_postgresql_refuse(error, JUDGE_STR("the database has a"
                   " newer schema than this program: use the newer program"));
        return JUDGE_STALE;
    }

    if (!upgrade && version > 0 && version < last) {
        (void) judge_postgresql_refuse(error, JUDGE_STR("the database has an"
                   " older schema than this program: use the program that came"
                   " with the module"));
        return JUDGE_DENIED;
    }

    if (version == last               /* then there is nothing to commit */
        || judge_postgresql_run_migrations(pg, arena, version, last))
    {
        return JUDGE_OK;
    }

failed:

    judge_postgresql_line(message, PQerrorMessage(pg));

    return judge_postgresql_refuse(error, judge_str_printf(arena, "cannot"
                                   " migrate: %s", message));
}


judge_rc_e
judge_postgresql_migrate(judge_arena_t *arena, judge_str_t url,
    bool upgrade, judge_str_t *error)
{
    char         message[JUDGE_POSTGRESQL_MESSAGE];
    PGconn      *pg;
    judge_rc_e   rc;
    judge_str_t  copy;

    copy = judge_str_dup(arena, url);
    if (copy.data == NULL) {
        return JUDGE_NOMEM;
    }

    pg = judge_postgresql_connect(copy.data, message);
    if (pg == NULL) {
        (void) judge_postgresql_refuse(error, judge_str_printf(arena, "cannot"
                   " connect to the database: %s", message));
        return JUDGE_BUSY;
    }

    rc = judge_postgresql_upgrade(pg, arena, upgrade, error);
    PQfinish(pg);

    if (rc != JUDGE_OK) {
        judge_postgresql_why = rc == JUDGE_STALE
            ? "the store has been made by a newer program"
            : "the database of the store cannot be used";
    }

    return rc;
}
