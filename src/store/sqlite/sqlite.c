/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* SQLite as an engine of the store. */


#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/sqlite/sqlite.h"
#include "store/sqlite/sqlite_files.h"


#define JUDGE_SQLITE_BUSY_MS  10000    /* rarely needed: the module's own lock
                                          decides which process writes next */

/* Pages of 8 KB in the log before a checkpoint, so that a page that many
 * commits change is written to the database once.  While there are readers the
 * log is not restarted: from LOG_MAX pages on a checkpoint waits for them. */
#define JUDGE_SQLITE_LOG       1000
#define JUDGE_SQLITE_LOG_MAX   6000
#define JUDGE_SQLITE_LOG_WAIT  200     /* ms */

#define JUDGE_SQLITE_INDEX     32768   /* bytes of a mapping of -shm */


struct judge_connection {
    sqlite3            *handle;
    judge_sqlite_files_t files;
    atomic_size_t       kept;          /* bytes of cached pages */
    unsigned            noted;         /* JUDGE_NOTED_... */
    judge_subjects_t    subjects;
    const volatile uint64_t *index;    /* of the log, in shared memory */
    judge_statement_t  *transactions[JUDGE_TRANSACTION_COUNT];
    int                 log;           /* its pages after the last commit, */
    int                 moved;         /* those that a checkpoint copied */
    int                 failed;        /* SQLite's code for the message */
    char                message[256];
};


/* Switches mutexes off, because threads never share a connection at the same
 * time, and statistics of memory, which are not used.  If this process has
 * initialized SQLite already, these calls fail, which does no harm. */

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


static judge_rc_e
judge_sqlite_upgrade(judge_arena_t *arena, judge_str_t directory,
    bool upgrade, judge_str_t *error)
{
    judge_sqlite_configure();

    return judge_sqlite_migrate(arena, directory, upgrade, error);
}


static judge_rc_e
judge_sqlite_keep(judge_connection_t *c, size_t bytes)
{
    char  sql[64];

    (void) snprintf(sql, sizeof(sql), "PRAGMA cache_size = -%zu",
                    bytes / 1024);

    return sqlite3_exec(c->handle, sql, NULL, NULL, NULL) == SQLITE_OK
           ? JUDGE_OK : JUDGE_ERROR;
}


/* The update hook of SQLite, which is also called for changes by triggers. */

static void
judge_sqlite_changed(void *data, int change, const char *name,
    const char *table, sqlite3_int64 row)
{
    judge_connection_t  *c = data;

    if (change != SQLITE_INSERT) {
        return;
    }

    if (strcmp(table, "work_requests") == 0) {
        c->noted |= JUDGE_NOTED_REQUESTS;
    } else if (strcmp(table, "results_gone") == 0) {
        c->noted |= JUDGE_NOTED_RESULTS;
    }
}


static int
judge_sqlite_logged(void *data, sqlite3 *handle, const char *name, int pages)
{
    judge_connection_t  *c = data;

    c->log = pages;

    return SQLITE_OK;
}


/* Maps errors of SQLite: a full disk or a lock timeout may pass.  Only the
 * first message is stored, because errors that follow from it (of a commit, a
 * rollback) would hide the cause. */

static judge_rc_e
judge_sqlite_outcome(judge_connection_t *c, int rc)
{
    if (c->message[0] == '\0') {
        c->failed = rc;
        (void) snprintf(c->message, sizeof(c->message), "%s (%d)",
                        sqlite3_errmsg(c->handle), rc);
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


static judge_rc_e
judge_sqlite_prepare(judge_connection_t *c, const char *sql,
    const char *types, judge_statement_t **st)
{
    int            rc;
    sqlite3_stmt  *made;

    rc = sqlite3_prepare_v3(c->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
                            &made, NULL);
    *st = (judge_statement_t *) made;
    if (rc == SQLITE_OK) {
        return JUDGE_OK;
    }

    (void) snprintf(c->message, sizeof(c->message), "%s in: %.120s",
                    sqlite3_errmsg(c->handle), sql);

    return judge_sqlite_outcome(c, rc);
}


static judge_rc_e
judge_sqlite_setup(judge_connection_t *c, bool writer)
{
    size_t       i;
    const char  *sql[JUDGE_TRANSACTION_COUNT] = {
        [JUDGE_TRANSACTION_BEGIN] = writer ? "BEGIN IMMEDIATE" : "BEGIN",
        [JUDGE_TRANSACTION_COMMIT] = "COMMIT",
        [JUDGE_TRANSACTION_ROLLBACK] = "ROLLBACK",
        [JUDGE_TRANSACTION_SAVEPOINT] = "SAVEPOINT op",
        [JUDGE_TRANSACTION_RELEASE] = "RELEASE op",
        [JUDGE_TRANSACTION_ROLLBACK_TO] = "ROLLBACK TO op"
    };

    sqlite3_busy_timeout(c->handle, JUDGE_SQLITE_BUSY_MS);
    sqlite3_extended_result_codes(c->handle, 1);

    if (sqlite3_exec(c->handle,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                     "PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF;"
                     "PRAGMA temp_store = MEMORY;", NULL, NULL, NULL)
        != SQLITE_OK
        || judge_sqlite_keep(c, JUDGE_DRIVER_KEEP) != JUDGE_OK)
    {
        return JUDGE_ERROR;
    }

    /* Replaces the automatic checkpoint, which would run after every commit
     * while readers prevent a restart of the log. */
    (void) sqlite3_wal_hook(c->handle, judge_sqlite_logged, c);
    (void) sqlite3_update_hook(c->handle, judge_sqlite_changed, c);

    if (writer && judge_sqlite_follow(c->handle, &c->subjects) != JUDGE_OK) {
        return JUDGE_ERROR;
    }

    for (i = 0; i < JUDGE_TRANSACTION_COUNT; i++) {
        if (judge_sqlite_prepare(c, sql[i], "", &c->transactions[i])
            != JUDGE_OK)
        {
            return JUDGE_ERROR;
        }
    }

    return JUDGE_OK;
}


static const char *
judge_sqlite_message(judge_connection_t *c)
{
    return c->message[0] ? c->message : sqlite3_errmsg(c->handle);
}


static void
judge_sqlite_close(judge_connection_t *c)
{
    sqlite3_stmt  *st;

    if (c == NULL) {
        return;
    }

    /* When the last connection is closed, SQLite makes a checkpoint (even of a
     * removed log), which must not write to a truncated database. */
    if (c->files.file[0].ino && judge_sqlite_files_moved(&c->files)
        && c->files.cut)
    {
        (void) sqlite3_db_config(c->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE,
                                 1, NULL);
    }

    while (c->handle && (st = sqlite3_next_stmt(c->handle, NULL))) {
        (void) sqlite3_finalize(st);
    }

    (void) sqlite3_close(c->handle);
    judge_sqlite_files_free(&c->files);
    free(c);
}


static judge_connection_t *
judge_sqlite_open(judge_arena_t *arena, judge_str_t directory, bool writer,
    judge_str_t *error)
{
    judge_str_t          path;
    judge_connection_t  *c;

    judge_sqlite_configure();

    path = judge_str_printf(arena, "%.*s/judge.db", judge_str_args(directory));
    c = path.data ? calloc(1, sizeof(judge_connection_t)) : NULL;
    if (c == NULL) {
        return NULL;
    }

    if (sqlite3_open_v2(path.data, &c->handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)
        != SQLITE_OK
        || judge_sqlite_setup(c, writer) != JUDGE_OK
        || judge_sqlite_files_find(&c->files, arena, path) != JUDGE_OK)
    {
        if (error) {
            *error = judge_str_printf(arena, "cannot open \"%s\": %s",
                                      path.data, judge_sqlite_message(c));
        }
        judge_sqlite_close(c);
        return NULL;
    }

    return c;
}


/* Also notes the bytes of cached pages for other threads: only the thread that
 * uses the connection may ask SQLite for them. */

static bool
judge_sqlite_moved(judge_connection_t *c)
{
    int  kept, most;

    if (sqlite3_db_status(c->handle, SQLITE_DBSTATUS_CACHE_USED, &kept, &most,
                          0) == SQLITE_OK)
    {
        atomic_store_explicit(&c->kept, (size_t) kept, memory_order_relaxed);
    }

    return judge_sqlite_files_moved(&c->files);
}


static size_t
judge_sqlite_kept(const judge_connection_t *c)
{
    return atomic_load_explicit(&c->kept, memory_order_relaxed);
}


static int64_t
judge_sqlite_size(const judge_connection_t *c)
{
    return c->files.size;
}


static unsigned
judge_sqlite_noted(judge_connection_t *c)
{
    unsigned  noted;

    noted = c->noted;
    c->noted = 0;

    return noted;
}


static judge_subjects_t *
judge_sqlite_subjects(judge_connection_t *c)
{
    return &c->subjects;
}


/*
 * The version is the header of the WAL index, which every commit writes last:
 * it has a counter of commits and the checksum of the last frame
 * (https://www.sqlite.org/walformat.html, 2.1.1).  The mapping is valid until
 * the connection is closed.
 */

static bool
judge_sqlite_version(judge_connection_t *c,
    uint64_t words[JUDGE_DRIVER_VERSION])
{
    size_t          i;
    sqlite3_file   *file;
    volatile void  *index;

    if (c->index == NULL) {
        file = NULL;
        index = NULL;

        if (sqlite3_file_control(c->handle, "main", SQLITE_FCNTL_FILE_POINTER,
                                 &file)
            != SQLITE_OK
            || file == NULL || file->pMethods == NULL
            || file->pMethods->iVersion < 2
            || file->pMethods->xShmMap(file, 0, JUDGE_SQLITE_INDEX, 0, &index)
               != SQLITE_OK
            || index == NULL)
        {
            return false;
        }

        c->index = index;
    }

    for (i = 0; i < JUDGE_DRIVER_VERSION; i++) {
        words[i] = c->index[i];
    }

    return true;
}


static const char *
judge_sqlite_error(judge_connection_t *c)
{
    switch (c->failed & 0xff) {
    case SQLITE_FULL:
        return "the disk is full";
    case SQLITE_READONLY:
        return "the store cannot be written";
    case SQLITE_IOERR:
        return "the disk of the store fails";
    default:
        return NULL;
    }
}


static void
judge_sqlite_forget(judge_connection_t *c)
{
    c->failed = SQLITE_OK;
    c->message[0] = '\0';
}


static int
judge_sqlite_log(const judge_connection_t *c)
{
    return c->log;
}


static bool
judge_sqlite_due(judge_connection_t *c, int log)
{
    if (log < c->moved) {
        c->moved = 0;                 /* the log was restarted */
    }

    return log - c->moved >= JUDGE_SQLITE_LOG;
}


static void
judge_sqlite_checkpoint(judge_connection_t *c, int log)
{
    int  rc, moved;

    moved = -1;
    sqlite3_busy_timeout(c->handle, 0);
    rc = sqlite3_wal_checkpoint_v2(c->handle, NULL,
                                   SQLITE_CHECKPOINT_PASSIVE, NULL, &moved);

    /* RESTART blocks writers, but the PASSIVE checkpoint left little to do. */
    if (rc == SQLITE_OK && log >= JUDGE_SQLITE_LOG_MAX) {
        sqlite3_busy_timeout(c->handle, JUDGE_SQLITE_LOG_WAIT);
        rc = sqlite3_wal_checkpoint_v2(c->handle, NULL,
                                       SQLITE_CHECKPOINT_RESTART, NULL,
                                       &moved);
    }

    sqlite3_busy_timeout(c->handle, JUDGE_SQLITE_BUSY_MS);

    /* After a failure, or a checkpoint by another process, the next one waits
     * until the log has grown. */
    c->moved = rc == SQLITE_OK && moved >= 0 ? moved : log;
}


/* Copies all pages in one step, from one snapshot: with several steps, commits
 * of other processes would restart the backup. */

static judge_rc_e
judge_sqlite_copy(judge_connection_t *c, const char *path)
{
    int              rc;
    sqlite3         *target;
    judge_rc_e       outcome;
    sqlite3_backup  *backup;

    rc = sqlite3_open_v2(path, &target, SQLITE_OPEN_READWRITE
                         | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    backup = rc == SQLITE_OK
             ? sqlite3_backup_init(target, "main", c->handle, "main") : NULL;

    if (backup) {
        (void) sqlite3_backup_step(backup, -1);
        rc = sqlite3_backup_finish(backup);
    } else if (rc == SQLITE_OK) {
        rc = sqlite3_errcode(target);
    }

    outcome = JUDGE_OK;
    if (rc != SQLITE_OK) {
        c->failed = rc;
        (void) snprintf(c->message, sizeof(c->message), "%s (%d)",
                        sqlite3_errmsg(target), rc);
        outcome = judge_sqlite_outcome(c, rc);
    }

    (void) sqlite3_close(target);

    return outcome;
}


/* VACUUM copies into a temporary file, because memory may not suffice.  The
 * checkpoint truncates the database, unless there are always readers. */

static judge_rc_e
judge_sqlite_vacuum(judge_connection_t *c)
{
    int  rc;

    rc = sqlite3_exec(c->handle, "PRAGMA temp_store = FILE; VACUUM", NULL,
                      NULL, NULL);
    if (rc != SQLITE_OK) {
        return judge_sqlite_outcome(c, rc);
    }

    (void) sqlite3_wal_checkpoint_v2(c->handle, NULL,
                                     SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);

    return JUDGE_OK;
}


/* --- Statements ---------------------------------------------------------- */


/*
 * A commit whose sync failed leaves its pages in the log, marked as committed.
 * This process ignores them, but a recovery of the log (by the first process
 * that opens the store later) would read them.  So a commit that changes
 * nothing overwrites them, even if it can't be synced either.
 */

static void
judge_sqlite_overwrite(judge_connection_t *c)
{
    if (!sqlite3_get_autocommit(c->handle)) {
        (void) sqlite3_exec(c->handle, "ROLLBACK", NULL, NULL, NULL);
    }

    (void) sqlite3_exec(c->handle, "PRAGMA application_id = 0", NULL, NULL,
                        NULL);
}


static judge_rc_e
judge_sqlite_transact(judge_connection_t *c, judge_transaction_e what)
{
    int            rc;
    bool           wrote;
    judge_rc_e     outcome;
    sqlite3_stmt  *st;

    st = (sqlite3_stmt *) c->transactions[what];
    wrote = sqlite3_txn_state(c->handle, "main") == SQLITE_TXN_WRITE;
    rc = sqlite3_step(st);
    outcome = rc == SQLITE_DONE ? JUDGE_OK : judge_sqlite_outcome(c, rc);
    (void) sqlite3_reset(st);

    if (outcome != JUDGE_OK && wrote && what == JUDGE_TRANSACTION_COMMIT) {
        judge_sqlite_overwrite(c);
    }

    return outcome;
}


static bool
judge_sqlite_in_transaction(judge_connection_t *c)
{
    return !sqlite3_get_autocommit(c->handle);
}


static judge_rc_e
judge_sqlite_step(judge_connection_t *c, judge_statement_t *st, bool *row)
{
    int  rc;

    rc = judge_sqlite_in_transaction(c) ? sqlite3_step((sqlite3_stmt *) st)
                                        : SQLITE_ABORT_ROLLBACK;
    *row = rc == SQLITE_ROW;

    return rc == SQLITE_ROW || rc == SQLITE_DONE
           ? JUDGE_OK : judge_sqlite_outcome(c, rc);
}


static void
judge_sqlite_reset(judge_statement_t *st)
{
    (void) sqlite3_reset((sqlite3_stmt *) st);
}


static int64_t
judge_sqlite_changes(judge_connection_t *c)
{
    return sqlite3_changes(c->handle);
}


static int64_t
judge_sqlite_changed_all(judge_connection_t *c)
{
    return sqlite3_total_changes(c->handle);
}


/* --- Values -------------------------------------------------------------- */

static judge_rc_e
judge_sqlite_bound(int rc)
{
    return rc == SQLITE_OK ? JUDGE_OK
           : rc == SQLITE_NOMEM ? JUDGE_NOMEM : JUDGE_ERROR;
}


static judge_rc_e
judge_sqlite_bind_null(judge_statement_t *st, int i)
{
    return judge_sqlite_bound(sqlite3_bind_null((sqlite3_stmt *) st, i));
}


static judge_rc_e
judge_sqlite_bind_int(judge_statement_t *st, int i, int64_t v)
{
    return judge_sqlite_bound(sqlite3_bind_int64((sqlite3_stmt *) st, i, v));
}


static judge_rc_e
judge_sqlite_bind_double(judge_statement_t *st, int i, double v)
{
    return judge_sqlite_bound(sqlite3_bind_double((sqlite3_stmt *) st, i, v));
}


static judge_rc_e
judge_sqlite_bind_text(judge_statement_t *st, int i, judge_str_t s)
{
    return judge_sqlite_bound(sqlite3_bind_text64((sqlite3_stmt *) st, i,
                                                  s.data, s.len,
                                                  SQLITE_STATIC,
                                                  SQLITE_UTF8));
}


static judge_rc_e
judge_sqlite_bind_blob(judge_statement_t *st, int i, judge_str_t s)
{
    return judge_sqlite_bound(sqlite3_bind_blob64((sqlite3_stmt *) st, i,
                                                  s.data, s.len,
                                                  SQLITE_STATIC));
}


static bool
judge_sqlite_column_null(judge_statement_t *st, int i)
{
    return sqlite3_column_type((sqlite3_stmt *) st, i) == SQLITE_NULL;
}


static int64_t
judge_sqlite_column_int(judge_statement_t *st, int i)
{
    return sqlite3_column_int64((sqlite3_stmt *) st, i);
}


static double
judge_sqlite_column_double(judge_statement_t *st, int i)
{
    return sqlite3_column_double((sqlite3_stmt *) st, i);
}


static judge_str_t
judge_sqlite_column_str(judge_statement_t *st, int i)
{
    judge_str_t  s;

    s.data = sqlite3_column_blob((sqlite3_stmt *) st, i);

    /* SQLite returns NULL for an empty blob, which is not an absent value. */
    if (s.data == NULL) {
        return judge_sqlite_column_null(st, i) ? (judge_str_t) { 0, NULL }
                                               : JUDGE_STR("");
    }

    s.len = (size_t) sqlite3_column_bytes((sqlite3_stmt *) st, i);

    return s;
}


static void
judge_sqlite_shrink(judge_connection_t *c)
{
    (void) sqlite3_db_release_memory(c->handle);
}


const judge_driver_t  judge_sqlite_driver = {
    .log_file = "judge.db-wal",
    .engine = JUDGE_DIALECT_SQLITE,
    .migrate = judge_sqlite_upgrade,
    .diagnose = judge_sqlite_diagnose,
    .open = judge_sqlite_open,
    .close = judge_sqlite_close,
    .moved = judge_sqlite_moved,
    .size = judge_sqlite_size,
    .keep = judge_sqlite_keep,
    .kept = judge_sqlite_kept,
    .noted = judge_sqlite_noted,
    .subjects = judge_sqlite_subjects,
    .version = judge_sqlite_version,
    .message = judge_sqlite_message,
    .error = judge_sqlite_error,
    .forget = judge_sqlite_forget,
    .transact = judge_sqlite_transact,
    .in_transaction = judge_sqlite_in_transaction,
    .prepare = judge_sqlite_prepare,
    .step = judge_sqlite_step,
    .reset = judge_sqlite_reset,
    .changes = judge_sqlite_changes,
    .changed = judge_sqlite_changed_all,
    .bind_null = judge_sqlite_bind_null,
    .bind_int = judge_sqlite_bind_int,
    .bind_double = judge_sqlite_bind_double,
    .bind_text = judge_sqlite_bind_text,
    .bind_blob = judge_sqlite_bind_blob,
    .column_null = judge_sqlite_column_null,
    .column_int = judge_sqlite_column_int,
    .column_double = judge_sqlite_column_double,
    .column_str = judge_sqlite_column_str,
    .shrink = judge_sqlite_shrink,
    .log = judge_sqlite_log,
    .checkpoint_due = judge_sqlite_due,
    .checkpoint = judge_sqlite_checkpoint,
    .copy = judge_sqlite_copy,
    .vacuum = judge_sqlite_vacuum
};
