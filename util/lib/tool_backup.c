/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Backups: a directory like the store's own, so that it can be checked, and
 * served, as one.  The database comes first and the files after it: a file
 * without a row is harmless, a row without its file is not.  judge.db gets
 * its name last: a directory without one is no complete backup.
 */


#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/tool.h"


#define JUDGE_BACKUP_PIECE  (256 * 1024)


static const char *
judge_backup_path(judge_tool_t *t, const char *directory, const char *name)
{
    judge_str_t  path;

    path = judge_str_printf(t->arena, "%s/%s", directory, name);

    return path.data ? path.data : "";
}


static int
judge_backup_fail(const char *what, const char *path)
{
    return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot %s \"%s\": %s", what,
                           path, strerror(errno));
}


/* --- Files --------------------------------------------------------------- */

/* Uploads never change once they have their name; one that has gone since the
 * database was copied has gone with its row. */

static int
judge_backup_file(int from_dir, int to_dir, const char *name, char *piece)
{
    int      from, to, status;
    ssize_t  n, done, written;

    from = openat(from_dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (from == -1) {
        return errno == ENOENT ? JUDGE_TOOL_OK
                               : judge_backup_fail("read", name);
    }

    to = openat(to_dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
                              | O_NOFOLLOW, 0600);
    if (to == -1) {
        (void) close(from);
        return judge_backup_fail("write", name);
    }

    status = JUDGE_TOOL_OK;

    while ((n = read(from, piece, JUDGE_BACKUP_PIECE)) > 0) {
        for (done = 0; done < n; done += written) {
            written = write(to, piece + done, (size_t) (n - done));
            if (written < 0) {
                break;
            }
        }
        if (done < n) {
            status = judge_backup_fail("write", name);
            break;
        }
    }

    if (n < 0) {
        status = judge_backup_fail("read", name);
    }
    if (status == JUDGE_TOOL_OK && fsync(to) != 0) {
        status = judge_backup_fail("write", name);
    }

    (void) close(from);
    (void) close(to);

    return status;
}


static int
judge_backup_each(judge_tool_t *t, DIR *from, int to, size_t *count)
{
    int             status;
    char           *piece;
    size_t          len;
    struct dirent  *entry;

    piece = judge_alloc(t->arena, JUDGE_BACKUP_PIECE);
    if (piece == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
    }

    status = JUDGE_TOOL_OK;

    while (status == JUDGE_TOOL_OK && (errno = 0, entry = readdir(from))) {
        len = strlen(entry->d_name);

        if (entry->d_name[0] == '.'
            || (len > 5 && strcmp(entry->d_name + len - 5, ".part") == 0))
        {
            continue;                  /* still on its way */
        }

        status = judge_backup_file(dirfd(from), to, entry->d_name, piece);
        ++*count;
    }

    if (status == JUDGE_TOOL_OK && (errno || fsync(to) != 0)) {
        status = judge_backup_fail("copy", "files");
    }

    return status;
}


static int
judge_backup_files(judge_tool_t *t, const char *from, const char *to,
    size_t *count)
{
    int          fd, status;
    DIR         *dir;
    const char  *source, *target;

    source = judge_backup_path(t, from, "files");
    target = judge_backup_path(t, to, "files");

    dir = opendir(source);
    if (dir == NULL) {
        return errno == ENOENT ? JUDGE_TOOL_OK
                               : judge_backup_fail("read", source);
    }

    fd = -1;
    if (mkdir(target, 0700) == 0 || errno == EEXIST) {
        fd = open(target, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }

    status = fd == -1 ? judge_backup_fail("make", target)
                      : judge_backup_each(t, dir, fd, count);

    (void) closedir(dir);
    if (fd != -1) {
        (void) close(fd);
    }

    return status;
}


/* --- Both ---------------------------------------------------------------- */

/* The last steps: the mark, the name, and the directory on the disk. */

static int
judge_backup_name(judge_tool_t *t, const char *directory)
{
    int          fd, mark;
    bool         done;
    const char  *path;

    fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    path = judge_backup_path(t, directory, "judge.db-made");
    mark = fd == -1 ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    done = mark != -1 && renameat(fd, "judge.db.part", fd, "judge.db") == 0
           && fsync(fd) == 0;

    if (!done) {
        (void) judge_backup_fail("complete", directory);
    }

    if (mark != -1) {
        (void) close(mark);
    }
    if (fd != -1) {
        (void) close(fd);
    }

    return done ? JUDGE_TOOL_OK : JUDGE_TOOL_FAILED;
}


/* The database of t->db and the files beside it to a directory, under a name
 * that is not its own yet. */

static int
judge_backup_copy(judge_tool_t *t, const char *from, const char *to,
    size_t *count)
{
    judge_op_t   op = { .rc = JUDGE_OK };
    const char  *part;

    part = judge_backup_path(t, to, "judge.db.part");

    if (unlink(part) != 0 && errno != ENOENT) {
        return judge_backup_fail("write", part);
    }

    op.rc = judge_runner_copy(t->db, part);
    if (op.rc != JUDGE_OK) {
        return judge_tool_fail_op(t, &op);
    }

    return judge_backup_files(t, from, to, count);
}


/* --- backup -------------------------------------------------------------- */

int
judge_tool_backup(judge_tool_t *t, const char **args, int n)
{
    int          status;
    size_t       files = 0;
    struct stat  st;

    if (stat(t->store, &st) != 0) {
        return judge_backup_fail("open", t->store);
    }

    if (access(args[0], F_OK) == 0) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "\"%s\" is there already:"
                               " expected a directory to be made", args[0]);
    }

    /* By root where the parent is root's, for the store's owner. */
    t->user = NULL;
    status = judge_tool_enter(t, args[0], st.st_uid, st.st_gid);
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_open_found(t, true);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_backup_copy(t, t->store, args[0], &files);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_backup_name(t, args[0]);
    }

    if (status == JUDGE_TOOL_OK) {
        judge_buf_printf(&t->out, "the database and %zu files are in %s\n",
                         files, args[0]);
    }

    return status;
}


/* --- restore ------------------------------------------------------------- */

/* Whoever has the database open holds a lock on the index of its log. */

static bool
judge_restore_used(judge_tool_t *t, const char *name, pid_t *user)
{
    int           fd;
    bool          used;
    struct flock  lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    fd = open(judge_backup_path(t, t->store, name), O_RDWR | O_CLOEXEC);
    if (fd == -1) {
        return false;
    }

    used = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    *user = lock.l_pid;
    (void) close(fd);

    return used;
}


/* The lock on the directory keeps others from opening it meanwhile; it ends
 * with this process. */

static int
judge_restore_lock(judge_tool_t *t)
{
    int    fd;
    pid_t  user = 0;

    fd = open(t->store, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd == -1) {
        return judge_backup_fail("open", t->store);
    }

    if (judge_restore_used(t, "judge.db-shm", &user)
        || judge_restore_used(t, "judge.db", &user)
        || flock(fd, LOCK_EX | LOCK_NB) != 0)
    {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "the store is in use, by"
                               " process %ld: stop nginx first", (long) user);
    }

    if (!t->force && access(judge_backup_path(t, t->store, "judge.db"), F_OK)
                     == 0)
    {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "\"%s\" has a store"
                               " already; --force replaces it", t->store);
    }

    return JUDGE_TOOL_OK;
}


/* The log of the former database must not be applied to the new one. */

static int
judge_restore_clear(judge_tool_t *t)
{
    size_t       i;
    const char  *path;

    static const char *const  names[] = { "judge.db-wal", "judge.db-shm" };

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        path = judge_backup_path(t, t->store, names[i]);

        if (unlink(path) != 0 && errno != ENOENT) {
            return judge_backup_fail("remove", path);
        }
    }

    return JUDGE_TOOL_OK;
}


int
judge_tool_restore(judge_tool_t *t, const char **args, int n)
{
    int           status;
    size_t        files = 0;
    judge_str_t   error = JUDGE_STR("out of memory");
    struct stat   st;

    if (stat(judge_backup_path(t, args[0], "judge.db"), &st) != 0) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "there is no complete backup"
                               " in \"%s\": %s", args[0], strerror(errno));
    }

    status = judge_tool_enter(t, t->store, st.st_uid, st.st_gid);
    if (status == JUDGE_TOOL_OK) {
        status = judge_restore_lock(t);
    }
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    t->db = judge_store_open(t->arena, judge_str_c(args[0]), false, &error);
    if (t->db == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "%.*s, as user %u",
                               (int) error.len, error.data,
                               (unsigned) geteuid());
    }

    status = judge_backup_copy(t, args[0], t->store, &files);
    if (status == JUDGE_TOOL_OK) {
        status = judge_restore_clear(t);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_backup_name(t, t->store);
    }

    if (status == JUDGE_TOOL_OK) {
        judge_buf_printf(&t->out, "the database and %zu files are in %s\n",
                         files, t->store);
    }

    return status;
}
