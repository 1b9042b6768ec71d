/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Migrates a database to this program's schema; its user_version is the
 * version of its schema.  There is one IMMEDIATE transaction, so that if
 * several processes start together, one of them migrates and the others have
 * nothing to do.
 *
 * The directory is locked, too, because the change to WAL mode before the
 * transaction ignores the busy timeout: it fails at once if another process
 * does the same.  The lock ends with its process.
 *
 * A marker file says that there was a database: if that was moved away by
 * mistake, no empty one is created in its place.
 */


#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "store/sqlite/migrations.h"
#include "store/sqlite/sqlite.h"


/* Locks the directory until the returned descriptor is closed; -1: errno. */

static int
judge_migrate_lock(const char *directory)
{
    int  fd, err;

    fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd == -1) {
        return -1;
    }

    while (flock(fd, LOCK_EX) == -1) {
        err = errno;

        if (err != EINTR) {
            (void) close(fd);
            errno = err;
            return -1;
        }
    }

    return fd;
}


static bool
judge_migrate_missing(const char *path, const char *marker)
{
    struct stat  st;

    if (stat(path, &st) == 0 && (st.st_size > 0 || !S_ISREG(st.st_mode))) {
        return false;
    }

    return stat(marker, &st) == 0;
}


static judge_rc_e
judge_migrate_error(judge_arena_t *arena, judge_str_t *error,
    sqlite3 *handle, const char *what)
{
    if (error) {
        *error = judge_str_printf(arena, "%s: %s", what,
                                  sqlite3_errmsg(handle));
    }

    return JUDGE_ERROR;
}


static int
judge_migrate_version(sqlite3 *handle, size_t *version)
{
    int            rc;
    sqlite3_stmt  *st;

    rc = sqlite3_prepare_v2(handle, "PRAGMA user_version", -1, &st, NULL);
    if (rc != SQLITE_OK) {
        return rc;
    }

    rc = sqlite3_step(st);
    if (rc == SQLITE_ROW) {
        *version = (size_t) sqlite3_column_int64(st, 0);
        rc = SQLITE_OK;
    }

    (void) sqlite3_finalize(st);

    return rc;
}


static int
judge_migrate_to(sqlite3 *handle, size_t version)
{
    int    rc;
    char  *pragma;

    rc = sqlite3_exec(handle, judge_migrations[version - 1], NULL, NULL, NULL);
    if (rc != SQLITE_OK) {
        return rc;
    }

    pragma = sqlite3_mprintf("PRAGMA user_version = %d", (int) version);
    if (pragma == NULL) {
        return SQLITE_NOMEM;
    }

    rc = sqlite3_exec(handle, pragma, NULL, NULL, NULL);
    sqlite3_free(pragma);

    return rc;
}


/* Of a text of 2 KB a page of 4 KB holds one, a page of 8 KB three.  A store
 * that exists keeps the size of its pages. */

static judge_rc_e
judge_migrate_all(sqlite3 *handle, judge_arena_t *arena, bool upgrade,
    judge_str_t *error)
{
    size_t  version = 0, v;

    sqlite3_busy_timeout(handle, 30000);

    if (sqlite3_exec(handle, "PRAGMA page_size = 8192;"
                     "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE",
                     NULL, NULL, NULL)
        != SQLITE_OK
        || judge_migrate_version(handle, &version) != SQLITE_OK)
    {
        return judge_migrate_error(arena, error, handle, "cannot begin");
    }

    if (version > judge_migrations_count) {
        if (error) {
            *error = judge_str_printf(arena, "the database has schema version"
                         " %zu, newer than this program's %zu: use the newer"
                         " program", version, judge_migrations_count);
        }
        return JUDGE_STALE;
    }

    if (!upgrade && version > 0 && version < judge_migrations_count) {
        if (error) {
            *error = judge_str_printf(arena, "the database has schema version"
                         " %zu, older than this program's %zu: use the program"
                         " that came with the module; \"judge check\" says"
                         " what an upgrade changes", version,
                         judge_migrations_count);
        }
        return JUDGE_DENIED;
    }

    for (v = version + 1; v <= judge_migrations_count; v++) {
        if (judge_migrate_to(handle, v) != SQLITE_OK) {
            return judge_migrate_error(arena, error, handle, "cannot migrate");
        }
    }

    if (sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
        return judge_migrate_error(arena, error, handle, "cannot commit");
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_migrate_mark(judge_arena_t *arena, const char *marker,
    judge_str_t *error)
{
    int          fd;
    struct stat  st;

    if (stat(marker, &st) == 0) {
        return JUDGE_OK;               /* the file may be another user's */
    }

    fd = open(marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd == -1) {
        if (error) {
            *error = judge_str_printf(arena, "cannot make \"%s\": %s",
                                      marker, strerror(errno));
        }
        return JUDGE_ERROR;
    }

    (void) close(fd);

    return JUDGE_OK;
}


static judge_rc_e
judge_migrate_file(judge_arena_t *arena, judge_str_t directory,
    bool upgrade, judge_str_t *error)
{
    sqlite3      *handle;
    judge_rc_e    rc;
    judge_str_t   path, marker;

    path = judge_str_printf(arena, "%.*s/judge.db", judge_str_args(directory));
    marker = judge_str_printf(arena, "%.*s/judge.db-made",
                              judge_str_args(directory));
    if (path.data == NULL || marker.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (judge_migrate_missing(path.data, marker.data)) {
        if (error) {
            *error = judge_str_printf(arena, "\"%s\" is missing or empty: put"
                         " it back or restore a backup; for a new store"
                         " remove \"%s\"", path.data, marker.data);
        }
        return JUDGE_ERROR;
    }

    if (sqlite3_open_v2(path.data, &handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                        | SQLITE_OPEN_NOMUTEX, NULL)
        != SQLITE_OK)
    {
        rc = judge_migrate_error(arena, error, handle, path.data);
        (void) sqlite3_close(handle);
        return rc;
    }

    rc = judge_migrate_all(handle, arena, upgrade, error);
    (void) sqlite3_close(handle);

    return rc == JUDGE_OK ? judge_migrate_mark(arena, marker.data, error)
                          : rc;
}


judge_rc_e
judge_sqlite_migrate(judge_arena_t *arena, judge_str_t directory,
    bool upgrade, judge_str_t *error)
{
    int          fd;
    judge_rc_e   rc;
    judge_str_t  path;

    path = judge_str_dup(arena, directory);
    if (path.data == NULL) {
        return JUDGE_NOMEM;
    }

    fd = judge_migrate_lock(path.data);

    if (fd == -1) {
        if (error) {
            *error = judge_str_printf(arena, "cannot lock \"%s\": %s",
                                      path.data, strerror(errno));
        }
        rc = JUDGE_ERROR;

    } else {
        rc = judge_migrate_file(arena, directory, upgrade, error);
        (void) close(fd);
    }

    return rc;
}


/* Checks the permissions of the directory and its files: those of a restored
 * copy often belong to another user than this process does. */

const char *
judge_sqlite_diagnose(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *rights)
{
    int             err;
    size_t          i;
    judge_str_t     path;
    struct stat     st;
    struct statvfs  fs;

    static const char *const  names[] = { "", "/judge.db", "/judge.db-wal",
                                          "/judge.db-shm" };

    *rights = JUDGE_STR("");

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        path = judge_str_printf(arena, "%.*s%s", judge_str_args(directory),
                                names[i]);
        if (path.data == NULL) {
            break;
        }

        if (stat(path.data, &st) == -1) {
            if (errno == ENOENT && i < 2) {
                return "the store is not in its place";
            }
            continue;
        }

        if (access(path.data, i ? R_OK | W_OK : R_OK | W_OK | X_OK) == 0) {
            continue;
        }

        err = errno;
        *rights = judge_str_printf(arena, "\"%s\" is not readable and writable"
                      " for user %u, group %u: %s; it is of user %u, group %u,"
                      " mode %04o", path.data, (unsigned) geteuid(),
                      (unsigned) getegid(), strerror(err),
                      (unsigned) st.st_uid, (unsigned) st.st_gid,
                      (unsigned) st.st_mode & 07777);

        return err == EROFS
               ? "the store cannot be opened: its file system is read-only"
               : i ? "the store cannot be opened: its file is not readable and"
                     " writable"
                   : "the store cannot be opened: its directory is not"
                     " readable and writable";
    }

    path = judge_str_dup(arena, directory);
    if (path.data && statvfs(path.data, &fs) == 0 && fs.f_bavail == 0) {
        return "the disk is full";
    }

    return "the store cannot be opened";
}
