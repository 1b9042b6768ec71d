/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Backups: a directory like the store's own, so that it can be checked, and
 * served, as one.  A file without a row is harmless, a row without its file
 * is not: the files are copied before the database, because one of them may
 * be deleted with its row while that is copied, and new ones after it.
 * judge.db gets its name last: a directory without one is no complete backup.
 * A backup is looked through before anything of the store that it replaces is
 * touched.
 */


#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"
#include "tool_sums.h"


#define JUDGE_BACKUP_PIECE  (256 * 1024)

/* Of https://www.sqlite.org/fileformat2.html, 1.3: the format that a log
 * needs, and where a schema's version stands. */
#define JUDGE_BACKUP_HEADER   100
#define JUDGE_BACKUP_FORMAT   18
#define JUDGE_BACKUP_LOGGED   2
#define JUDGE_BACKUP_VERSION  60

typedef struct {
    judge_tool_t  *t;
    const char    *from;
    const char    *to;
    char          *piece;
    FILE          *sums;               /* of a backup; NULL: of a restore */
    size_t         files;
} judge_backup_t;


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


static int
judge_backup_remote(void)
{
    return judge_tool_fail(JUDGE_TOOL_FAILED, "backup and restore are for a"
                           " store in a directory: expected pg_dump and"
                           " pg_restore for one in PostgreSQL");
}


/* --- Files --------------------------------------------------------------- */

/* Uploads never change once they have their name; one that goes before it is
 * copied is not named by a database that is copied later. */

static int
judge_backup_pieces(judge_backup_t *b, const char *name, int from, int to)
{
    int              status = JUDGE_TOOL_OK;
    ssize_t          n, done, written;
    judge_digest_t  *digest;

    digest = judge_digest_sha256();
    if (digest == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
    }

    while ((n = read(from, b->piece, JUDGE_BACKUP_PIECE)) > 0) {
        for (done = 0; done < n; done += written) {
            written = write(to, b->piece + done, (size_t) (n - done));
            if (written < 0) {
                break;
            }
        }
        if (done < n
            || judge_digest_update(digest, (judge_str_t) { (size_t) n,
                                                           b->piece })
               != JUDGE_OK)
        {
            status = judge_backup_fail("write", name);
            break;
        }
    }

    if (n < 0) {
        status = judge_backup_fail("read", name);
    }
    if (status == JUDGE_TOOL_OK
        && (fsync(to) != 0
            || (b->sums && !judge_sums_add(b->sums, "files/", name, digest))))
    {
        status = judge_backup_fail("write", name);
    }

    judge_digest_free(digest);

    return status;
}


/* The store that a backup replaces has some of its files: each is replaced as
 * a whole, so that a restore that breaks off takes nothing from it. */

static int
judge_backup_file(judge_backup_t *b, int from_dir, int to_dir,
    const char *name)
{
    int          from, to, status;
    char         part[NAME_MAX + sizeof(".part")];
    const char  *made = b->sums ? name : part;

    (void) snprintf(part, sizeof(part), "%s.part", name);

    from = judge_sums_open(from_dir, name);
    if (from == -1) {
        return errno == ENOENT ? JUDGE_TOOL_OK
               : judge_tool_fail(JUDGE_TOOL_FAILED, "cannot read \"%s\" of"
                                 " the folder \"files\": %s", name,
                                 judge_sums_error());
    }

    to = openat(to_dir, made, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW
                              | (b->sums ? O_EXCL : O_TRUNC), 0600);
    if (to == -1) {
        status = b->sums && errno == EEXIST ? JUDGE_TOOL_OK    /* it is done */
                 : judge_backup_fail("write", name);
        (void) close(from);
        return status;
    }

    status = judge_backup_pieces(b, name, from, to);
    b->files++;

    (void) close(from);
    (void) close(to);

    if (status == JUDGE_TOOL_OK && made == part
        && renameat(to_dir, part, to_dir, name) != 0)
    {
        status = judge_backup_fail("write", name);
    }

    return status;
}


static int
judge_backup_each(judge_backup_t *b, DIR *from, int to)
{
    int             status;
    struct dirent  *entry;

    b->piece = judge_alloc(b->t->arena, JUDGE_BACKUP_PIECE);
    if (b->piece == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "out of memory");
    }

    status = JUDGE_TOOL_OK;

    while (status == JUDGE_TOOL_OK && (errno = 0, entry = readdir(from))) {
        if (judge_sums_files_entry(entry->d_name)) {
            status = judge_backup_file(b, dirfd(from), to, entry->d_name);
        }
    }

    if (status == JUDGE_TOOL_OK && (errno || fsync(to) != 0)) {
        status = judge_backup_fail("copy", "files");
    }

    return status;
}


static int
judge_backup_files(judge_backup_t *b)
{
    int          fd, status;
    DIR         *dir;
    const char  *source, *target;

    source = judge_backup_path(b->t, b->from, "files");
    target = judge_backup_path(b->t, b->to, "files");

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
                      : judge_backup_each(b, dir, fd);

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
judge_backup_copy(judge_backup_t *b)
{
    int          status;
    judge_op_t   op = { .rc = JUDGE_OK };
    const char  *part;

    part = judge_backup_path(b->t, b->to, "judge.db.part");

    if (unlink(part) != 0 && errno != ENOENT) {
        return judge_backup_fail("write", part);
    }

    status = b->sums ? judge_backup_files(b) : JUDGE_TOOL_OK;
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    op.rc = judge_runner_copy(b->t->db, part);
    if (op.rc == JUDGE_BUSY && judge_runner_error(b->t->db)) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot write \"%s\": %s",
                               part, judge_runner_error(b->t->db));
    }
    if (op.rc != JUDGE_OK) {
        return judge_tool_fail_op(b->t, &op);
    }

    return judge_backup_files(b);
}


/* --- backup -------------------------------------------------------------- */

/* The last line of the checksums is the database's. */

static int
judge_backup_sums(judge_backup_t *b)
{
    int              fd;
    bool             done = false;
    judge_digest_t  *digest = NULL;

    fd = open(b->to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd != -1) {
        digest = judge_sums_digest(fd, "judge.db.part");
        (void) close(fd);
    }

    if (digest) {
        done = judge_sums_add(b->sums, "", "judge.db", digest)
               && fflush(b->sums) == 0 && !ferror(b->sums)
               && fsync(fileno(b->sums)) == 0;
        judge_digest_free(digest);
    }

    return done ? JUDGE_TOOL_OK : judge_backup_fail("write", "judge.sums");
}


static int
judge_backup_all(judge_backup_t *b)
{
    int          status;
    const char  *path;

    path = judge_backup_path(b->t, b->to, "judge.sums");
    b->sums = fopen(path, "wxe");
    if (b->sums == NULL) {
        return judge_backup_fail("write", path);
    }

    status = judge_backup_copy(b);
    if (status == JUDGE_TOOL_OK) {
        status = judge_backup_sums(b);
    }

    if (fclose(b->sums) != 0 && status == JUDGE_TOOL_OK) {
        status = judge_backup_fail("write", path);
    }

    return status == JUDGE_TOOL_OK ? judge_backup_name(b->t, b->to) : status;
}


int
judge_tool_backup(judge_tool_t *t, const char **args, int n)
{
    int             status;
    struct stat     st;
    judge_backup_t  b = { .t = t, .from = t->store, .to = args[0] };

    if (judge_store_remote(judge_str_c(t->store))) {
        return judge_backup_remote();
    }

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
        status = judge_backup_all(&b);
    }

    if (status == JUDGE_TOOL_OK) {
        judge_buf_printf(&t->out, "the database and %zu files are in %s\n",
                         b.files, args[0]);
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


/* Whether it is a database of this program's, and of which schema, before
 * SQLite opens it: that changes one that has no log. */

static int
judge_restore_header(judge_tool_t *t, const char *backup, int64_t *version)
{
    int            i, dir, fd;
    ssize_t        n;
    const char    *path;
    unsigned char  header[JUDGE_BACKUP_HEADER];

    static const char  magic[] = "SQLite format 3";

    path = judge_backup_path(t, backup, "judge.db");
    dir = open(backup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    fd = dir == -1 ? -1 : judge_sums_open(dir, "judge.db");
    n = fd == -1 ? -1 : read(fd, header, sizeof(header));

    if (n < 0) {
        (void) judge_tool_fail(JUDGE_TOOL_FAILED, "there is no complete backup"
                               " in \"%s\": judge.db: %s", backup,
                               judge_sums_error());
    }
    if (fd != -1) {
        (void) close(fd);
    }
    if (dir != -1) {
        (void) close(dir);
    }
    if (n < 0) {
        return JUDGE_TOOL_FAILED;
    }

    if (n < (ssize_t) sizeof(header)
        || memcmp(header, magic, sizeof(magic)) != 0
        || header[JUDGE_BACKUP_FORMAT] != JUDGE_BACKUP_LOGGED)
    {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "\"%s\" is %s: nothing was"
                               " restored", path, n == 0 ? "empty"
                               : "no database of this program");
    }

    *version = 0;
    for (i = 0; i < 4; i++) {
        *version = *version << 8 | header[JUDGE_BACKUP_VERSION + i];
    }

    if (*version < 1 || *version > judge_store_schema()) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "\"%s\" has schema version"
                               " %lld, expected 1 to this program's %lld:"
                               " nothing was restored", path,
                               (long long) *version,
                               (long long) judge_store_schema());
    }

    return JUDGE_TOOL_OK;
}


/* What is in it, by the database itself. */

static int
judge_restore_check(judge_tool_t *t, const char *backup, int64_t version,
    size_t *orgs)
{
    int               status;
    size_t            files = 0;
    const char       *store = t->store;
    judge_str_t       error = JUDGE_STR("out of memory");
    judge_org_list_t  list;

    t->db = judge_store_open(t->arena, judge_str_c(backup), false, &error);
    if (t->db == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "%.*s, as user %u",
                               (int) error.len, error.data,
                               (unsigned) geteuid());
    }

    t->store = backup;
    status = judge_check_whole(t, version != judge_store_schema(), &files);
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_orgs(t, &list);
    }
    t->store = store;

    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    *orgs = list.count;
    if (list.count == 0) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "the backup in \"%s\" has no"
                               " organization: nothing was restored", backup);
    }

    return JUDGE_TOOL_OK;
}


int
judge_tool_restore(judge_tool_t *t, const char **args, int n)
{
    int             status;
    size_t          orgs = 0;
    int64_t         version = 0;
    struct stat     st;
    judge_backup_t  b = { .t = t, .from = args[0], .to = t->store };

    if (judge_store_remote(judge_str_c(t->store))) {
        return judge_backup_remote();
    }

    status = judge_restore_header(t, args[0], &version);
    if (status == JUDGE_TOOL_OK) {
        status = judge_sums_check(t, args[0], true);
    }
    if (status == JUDGE_TOOL_OK && stat(args[0], &st) != 0) {
        status = judge_backup_fail("open", args[0]);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_enter(t, t->store, st.st_uid, st.st_gid);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_restore_lock(t);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_restore_check(t, args[0], version, &orgs);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_backup_copy(&b);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_restore_clear(t);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_backup_name(t, t->store);
    }

    if (status == JUDGE_TOOL_OK) {
        judge_buf_printf(&t->out, "the backup is restored in %s;"
                         " organizations: %zu, files: %zu\n", t->store, orgs,
                         b.files);
    }

    return status;
}
