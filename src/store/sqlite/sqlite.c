/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Running operations on SQLite: transactions, group commit, statements.
 * What an operation does stands in its row (judge_sqlite_*.c).
 */


#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/sqlite/sqlite.h"
#include "store/ops/store_event_parts.h"


#define JUDGE_SQLITE_BUSY_MS  10000    /* a net only: the module's own lock
                                          decides who writes next */

/* Pages of 4 KB in the log before they go to the database: a page that is
 * changed in many groups is then written there once.  As long as somebody
 * reads, the log grows on; at the second bound readers are waited for. */
#define JUDGE_SQLITE_LOG       2000
#define JUDGE_SQLITE_LOG_MAX   12000
#define JUDGE_SQLITE_LOG_WAIT  200     /* ms */

/* After so many bytes those who have read are answered before others read. */
#define JUDGE_SQLITE_READS  JUDGE_PAGE_BYTES

struct judge_sqlite {
    sqlite3       *handle;
    sqlite3_stmt  *begin;
    sqlite3_stmt  *commit;
    sqlite3_stmt  *rollback;
    sqlite3_stmt  *savepoint;
    sqlite3_stmt  *release;
    sqlite3_stmt  *rollback_to;
    sqlite3_stmt  *idempotency;
    sqlite3_stmt  *ops[JUDGE_OP_COUNT][JUDGE_SQLITE_STATEMENTS];
    int            log;                /* pages, after the last commit */
    int            moved;              /* of them, by the last checkpoint */
    char           message[256];
};


static judge_rc_e judge_sqlite_prepare(judge_sqlite_t *db, const char *sql,
    sqlite3_stmt **st);
static judge_rc_e judge_sqlite_setup(judge_sqlite_t *db, bool writer);
static int judge_sqlite_logged(void *data, sqlite3 *handle, const char *name,
    int pages);
static judge_rc_e judge_sqlite_simple(judge_sqlite_t *db, sqlite3_stmt *st);
static judge_rc_e judge_sqlite_outcome(judge_sqlite_t *db, int rc);
static judge_op_t *judge_sqlite_transaction(judge_sqlite_t *db,
    judge_op_t *first);
static void judge_sqlite_rollback(judge_sqlite_t *db);
static judge_rc_e judge_sqlite_write(judge_sqlite_t *db, judge_op_t *op);
static judge_rc_e judge_sqlite_steps(judge_sqlite_t *db, judge_op_t *op);
static judge_rc_e judge_sqlite_statement(judge_sqlite_t *db,
    const judge_sqlite_op_t *row, judge_run_t *run);
static bool judge_sqlite_full(const judge_sqlite_op_t *row,
    const judge_run_t *run);
static int judge_sqlite_step(judge_sqlite_t *db, sqlite3_stmt *st);
static judge_rc_e judge_sqlite_remember(judge_sqlite_t *db, judge_op_t *op);
static void judge_sqlite_refuse(judge_op_t *first, judge_op_t *end,
    judge_rc_e rc);


static const struct {
    const char  *sql;
    size_t       offset;
} judge_sqlite_own[] = {
    { "ROLLBACK", offsetof(judge_sqlite_t, rollback) },
    { "COMMIT", offsetof(judge_sqlite_t, commit) },
    { "SAVEPOINT op", offsetof(judge_sqlite_t, savepoint) },
    { "RELEASE op", offsetof(judge_sqlite_t, release) },
    { "ROLLBACK TO op", offsetof(judge_sqlite_t, rollback_to) },
};


/* Connections are never shared, and nobody asks how much memory SQLite has:
 * its mutexes can go.  Where it runs already in this process it stays as it
 * is. */

static void
judge_sqlite_configure_now(void)
{
    (void) sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
    (void) sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}


void
judge_sqlite_configure(void)
{
    static pthread_once_t  once = PTHREAD_ONCE_INIT;

    (void) pthread_once(&once, judge_sqlite_configure_now);
}


judge_sqlite_t *
judge_sqlite_open(judge_arena_t *arena, judge_str_t directory, bool writer,
    judge_str_t *error)
{
    judge_str_t      path;
    judge_sqlite_t  *db;

    judge_sqlite_configure();

    path = judge_str_printf(arena, "%.*s/judge.db", (int) directory.len,
                            directory.data);
    db = path.data ? calloc(1, sizeof(judge_sqlite_t)) : NULL;
    if (db == NULL) {
        return NULL;
    }

    if (sqlite3_open_v2(path.data, &db->handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                        | SQLITE_OPEN_NOMUTEX, NULL)
        != SQLITE_OK
        || judge_sqlite_setup(db, writer) != JUDGE_OK)
    {
        if (error) {
            *error = judge_str_printf(arena, "cannot open \"%s\": %s",
                                      path.data, judge_sqlite_message(db));
        }
        judge_sqlite_close(db);
        return NULL;
    }

    return db;
}


static judge_rc_e
judge_sqlite_setup(judge_sqlite_t *db, bool writer)
{
    size_t         i;
    sqlite3_stmt **slot;

    sqlite3_busy_timeout(db->handle, JUDGE_SQLITE_BUSY_MS);
    sqlite3_extended_result_codes(db->handle, 1);

    if (sqlite3_exec(db->handle,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                     "PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF;"
                     "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192;",
                     NULL, NULL, NULL)
        != SQLITE_OK)
    {
        return JUDGE_ERROR;
    }

    /* In place of the automatic checkpoint, which comes with every commit as
     * long as readers keep the log from being begun anew. */
    (void) sqlite3_wal_hook(db->handle, judge_sqlite_logged, db);

    if (judge_sqlite_prepare(db, writer ? "BEGIN IMMEDIATE" : "BEGIN",
                             &db->begin)
        != JUDGE_OK)
    {
        return JUDGE_ERROR;
    }

    for (i = 0; i < sizeof(judge_sqlite_own) / sizeof(*judge_sqlite_own);
         i++)
    {
        slot = (sqlite3_stmt **) ((char *) db + judge_sqlite_own[i].offset);
        if (judge_sqlite_prepare(db, judge_sqlite_own[i].sql, slot)
            != JUDGE_OK)
        {
            return JUDGE_ERROR;
        }
    }

    return JUDGE_OK;
}


static int
judge_sqlite_logged(void *data, sqlite3 *handle, const char *name, int pages)
{
    judge_sqlite_t  *db = data;

    (void) handle;
    (void) name;
    db->log = pages;

    return SQLITE_OK;
}


int
judge_sqlite_log(const judge_sqlite_t *db)
{
    return db->log;
}


bool
judge_sqlite_due(judge_sqlite_t *db, int log)
{
    if (log < db->moved) {
        db->moved = 0;                 /* it was begun anew */
    }

    return log - db->moved >= JUDGE_SQLITE_LOG;
}


void
judge_sqlite_checkpoint(judge_sqlite_t *db, int log)
{
    int  rc, moved;

    moved = -1;
    sqlite3_busy_timeout(db->handle, 0);
    rc = sqlite3_wal_checkpoint_v2(db->handle, NULL,
                                   SQLITE_CHECKPOINT_PASSIVE, NULL, &moved);

    /* This one keeps writers out; but now there is little left to move. */
    if (rc == SQLITE_OK && log >= JUDGE_SQLITE_LOG_MAX) {
        sqlite3_busy_timeout(db->handle, JUDGE_SQLITE_LOG_WAIT);
        rc = sqlite3_wal_checkpoint_v2(db->handle, NULL,
                                       SQLITE_CHECKPOINT_RESTART, NULL,
                                       &moved);
    }

    sqlite3_busy_timeout(db->handle, JUDGE_SQLITE_BUSY_MS);

    /* Where somebody else is about it, or it fails: not again at once. */
    db->moved = rc == SQLITE_OK && moved >= 0 ? moved : log;
}


void
judge_sqlite_close(judge_sqlite_t *db)
{
    sqlite3_stmt  *st;

    if (db == NULL) {
        return;
    }

    while (db->handle && (st = sqlite3_next_stmt(db->handle, NULL))) {
        (void) sqlite3_finalize(st);
    }

    (void) sqlite3_close(db->handle);
    free(db);
}


const char *
judge_sqlite_message(judge_sqlite_t *db)
{
    return db->message[0] ? db->message : sqlite3_errmsg(db->handle);
}


static judge_rc_e
judge_sqlite_prepare(judge_sqlite_t *db, const char *sql, sqlite3_stmt **st)
{
    int  rc;

    rc = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
                            st, NULL);
    if (rc == SQLITE_OK) {
        return JUDGE_OK;
    }

    (void) snprintf(db->message, sizeof(db->message), "%s in: %.120s",
                    sqlite3_errmsg(db->handle), sql);

    return judge_sqlite_outcome(db, rc);
}


static judge_rc_e
judge_sqlite_simple(judge_sqlite_t *db, sqlite3_stmt *st)
{
    int         rc;
    judge_rc_e  outcome;

    rc = sqlite3_step(st);
    outcome = rc == SQLITE_DONE ? JUDGE_OK : judge_sqlite_outcome(db, rc);
    (void) sqlite3_reset(st);

    return outcome;
}


/*
 * A full disk and a lock that does not come are the storage's trouble and
 * pass; the first message is kept, because what fails in its wake (a commit,
 * a rollback) would hide the cause.
 */

static judge_rc_e
judge_sqlite_outcome(judge_sqlite_t *db, int rc)
{
    if (db->message[0] == '\0') {
        (void) snprintf(db->message, sizeof(db->message), "%s (%d)",
                        sqlite3_errmsg(db->handle), rc);
    }

    switch (rc & 0xff) {
    case SQLITE_ABORT:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        return JUDGE_BUSY;
    case SQLITE_NOMEM:
        return JUDGE_NOMEM;
    case SQLITE_CONSTRAINT:
        return JUDGE_CONFLICT;
    default:
        return JUDGE_ERROR;
    }
}


void
judge_sqlite_group(judge_sqlite_t *db, judge_op_t *ops)
{
    db->message[0] = '\0';

    while (ops) {
        ops = judge_sqlite_transaction(db, ops);
    }
}


/*
 * Some errors (of the disk, no memory) end the whole transaction, and some
 * leave it in an unknown state: then everything that was done in it is
 * refused, what succeeded as well as what did not.  The operations behind it
 * were not begun and are returned, for a transaction of their own.
 */

static judge_op_t *
judge_sqlite_transaction(judge_sqlite_t *db, judge_op_t *first)
{
    judge_rc_e   rc;
    judge_op_t  *op, *rest;

    rest = NULL;
    rc = judge_sqlite_simple(db, db->begin);

    for (op = first; op && rc == JUDGE_OK; op = op->next) {
        rc = judge_sqlite_write(db, op);
        rest = op->next;
    }

    if (rc == JUDGE_OK) {
        rc = judge_sqlite_simple(db, db->commit);
    }

    if (rc != JUDGE_OK) {
        judge_sqlite_rollback(db);
        judge_sqlite_refuse(first, rest, rc);
    }

    return rest;
}


/* Afterwards there is no transaction, whatever failed before. */

static void
judge_sqlite_rollback(judge_sqlite_t *db)
{
    if (!sqlite3_get_autocommit(db->handle)) {
        (void) judge_sqlite_simple(db, db->rollback);
    }
}


static void
judge_sqlite_refuse(judge_op_t *first, judge_op_t *end, judge_rc_e rc)
{
    judge_op_t  *op;

    for (op = first; op != end; op = op->next) {
        op->rc = rc;

        if (op->idempotency) {
            op->idempotency->taken = false;
        }
    }
}


/*
 * A savepoint around each: whatever is not JUDGE_OK leaves no trace.  Returns
 * JUDGE_OK if the transaction may go on, however the operation ended.
 */

static judge_rc_e
judge_sqlite_write(judge_sqlite_t *db, judge_op_t *op)
{
    judge_rc_e      rc;
    judge_event_t  *given;

    given = op->events ? op->events->last : NULL;
    rc = judge_sqlite_simple(db, db->savepoint);
    if (rc != JUDGE_OK) {
        return rc;
    }

    op->rc = judge_sqlite_steps(db, op);
    if (op->rc == JUDGE_OK && op->idempotency) {
        op->rc = judge_sqlite_remember(db, op);
    }

    if (op->rc == JUDGE_OK && op->events) {
        op->rc = judge_sqlite_tell(db, op);
    }

    /* Whoever tries it again begins with what was given. */
    if (given) {
        op->events->last = given;
        given->next = NULL;
    } else {
        op->events = NULL;
    }

    if (sqlite3_get_autocommit(db->handle)) {
        return JUDGE_BUSY;
    }

    if (op->rc != JUDGE_OK) {
        rc = judge_sqlite_simple(db, db->rollback_to);
    }

    return rc == JUDGE_OK ? judge_sqlite_simple(db, db->release) : rc;
}


judge_op_t *
judge_sqlite_reads(judge_sqlite_t *db, judge_op_t *ops)
{
    size_t       bytes;
    judge_op_t  *op, *rest;

    rest = NULL;

    for (op = ops, bytes = 0; op; op = op->next) {
        op->rc = judge_sqlite_has_snapshot(db) ? JUDGE_OK
                                               : judge_sqlite_begin(db);
        if (op->rc == JUDGE_OK) {
            judge_sqlite_run(db, op);
        }

        bytes += op->bytes;
        if (bytes >= JUDGE_SQLITE_READS) {
            rest = op->next;
            op->next = NULL;
        }
    }

    judge_sqlite_end(db);

    return rest;
}


judge_rc_e
judge_sqlite_begin(judge_sqlite_t *db)
{
    db->message[0] = '\0';

    return judge_sqlite_simple(db, db->begin);
}


bool
judge_sqlite_has_snapshot(judge_sqlite_t *db)
{
    return !sqlite3_get_autocommit(db->handle);
}


void
judge_sqlite_run(judge_sqlite_t *db, judge_op_t *op)
{
    op->rc = judge_sqlite_steps(db, op);
}


void
judge_sqlite_end(judge_sqlite_t *db)
{
    if (judge_sqlite_has_snapshot(db)
        && judge_sqlite_simple(db, db->commit) != JUDGE_OK)
    {
        judge_sqlite_rollback(db);
    }
}


void
judge_sqlite_read_within(void *sqlite, judge_op_t *op)
{
    judge_sqlite_run(sqlite, op);
    op->done(op);
}


void
judge_sqlite_submit(void *sqlite, judge_op_t *op)
{
    op->next = NULL;

    if (judge_op_place(op->kind) == JUDGE_OP_WRITE) {
        judge_sqlite_group(sqlite, op);
        if (judge_sqlite_due(sqlite, judge_sqlite_log(sqlite))) {
            judge_sqlite_checkpoint(sqlite, judge_sqlite_log(sqlite));
        }
    } else {
        (void) judge_sqlite_reads(sqlite, op);
    }

    op->done(op);
}


static judge_rc_e
judge_sqlite_steps(judge_sqlite_t *db, judge_op_t *op)
{
    judge_rc_e                rc;
    judge_run_t               run;
    judge_step_e              next;
    const judge_sqlite_op_t  *row;

    row = judge_sqlite_op(op->kind);
    op->rc = JUDGE_OK;
    op->bytes = 0;
    memset(&run, 0, sizeof(judge_run_t));
    run.op = op;

    for ( ;; ) {
        run.st = NULL;

        if (run.step < JUDGE_SQLITE_STATEMENTS && row->sql[run.step]) {
            run.st = db->ops[op->kind][run.step];
            if (run.st == NULL) {
                rc = judge_sqlite_prepare(db, row->sql[run.step],
                                          &db->ops[op->kind][run.step]);
                if (rc != JUDGE_OK) {
                    return rc;
                }
                run.st = db->ops[op->kind][run.step];
            }
        }

        next = row->bind(&run);

        if (run.st == NULL || next == JUDGE_STEP_END) {
            return op->rc;
        }

        if (next != JUDGE_STEP_SKIP) {
            rc = judge_sqlite_statement(db, row, &run);
            if (rc != JUDGE_OK) {
                return rc;
            }
        }

        if (next == JUDGE_STEP_REPEAT) {
            run.turn++;
        } else {
            run.turn = 0;
            run.step++;
        }
    }
}


static judge_rc_e
judge_sqlite_statement(judge_sqlite_t *db, const judge_sqlite_op_t *row,
    judge_run_t *run)
{
    int         rc;
    judge_rc_e  outcome;

    run->rows = 0;
    outcome = run->op->rc;

    while (outcome == JUDGE_OK) {
        rc = judge_sqlite_step(db, run->st);

        if (rc == SQLITE_ROW && judge_sqlite_full(row, run)) {
            break;
        }

        if (rc == SQLITE_ROW) {
            outcome = row->read ? row->read(run) : JUDGE_OK;
            if (outcome == JUDGE_OK) {
                outcome = run->op->rc;
            }
            run->rows++;
            continue;
        }

        if (rc != SQLITE_DONE) {
            outcome = judge_sqlite_outcome(db, rc);
        }
        break;
    }

    run->changes = sqlite3_changes(db->handle);
    (void) sqlite3_reset(run->st);

    return outcome;
}


/* Whether the page has all that it may hold: then there is more. */

static bool
judge_sqlite_full(const judge_sqlite_op_t *row, const judge_run_t *run)
{
    judge_page_t  *page;

    if (row->page == 0) {
        return false;
    }

    page = (judge_page_t *) ((char *) run->op + row->page);
    page->more = run->rows == (size_t) page->limit
                 || (run->rows && run->op->bytes >= JUDGE_PAGE_BYTES);

    return page->more;
}


/* Nothing is run outside of a transaction: there it would commit by itself. */

static int
judge_sqlite_step(judge_sqlite_t *db, sqlite3_stmt *st)
{
    return sqlite3_get_autocommit(db->handle) ? SQLITE_ABORT_ROLLBACK
                                              : sqlite3_step(st);
}


static judge_rc_e
judge_sqlite_remember(judge_sqlite_t *db, judge_op_t *op)
{
    int                   rc;
    judge_rc_e            outcome;
    judge_run_t           run;
    judge_idempotency_t  *i;

    if (db->idempotency == NULL) {
        outcome = judge_sqlite_prepare(db, "INSERT INTO idempotency (org,"
                      " key, fingerprint, created_at, status, body)"
                      " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
                      " ON CONFLICT DO NOTHING", &db->idempotency);
        if (outcome != JUDGE_OK) {
            return outcome;
        }
    }

    i = op->idempotency;
    run = (judge_run_t) { .op = op, .st = db->idempotency };

    judge_bind_str(&run, 1, op->org);
    judge_bind_str(&run, 2, i->key);
    judge_bind_blob(&run, 3, i->fingerprint);
    judge_bind_int(&run, 4, i->now);
    judge_bind_int(&run, 5, i->status);
    judge_bind_str(&run, 6, i->body);

    if (op->rc != JUDGE_OK) {
        return op->rc;
    }

    rc = judge_sqlite_step(db, run.st);
    i->taken = rc == SQLITE_DONE && sqlite3_changes(db->handle) == 0;
    (void) sqlite3_reset(run.st);

    if (rc != SQLITE_DONE) {
        return judge_sqlite_outcome(db, rc);
    }

    return i->taken ? JUDGE_CONFLICT : JUDGE_OK;
}
