/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The checksums of a backup, DIRECTORY/judge.sums, in the form of sha256sum.
 * judge.db is its last line, so that a list which was cut is noticed.
 */


#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"
#include "tool_sums.h"


#define JUDGE_SUMS_HEX    (2 * JUDGE_SHA256_LEN)
#define JUDGE_SUMS_SHOWN  20           /* problems */

typedef struct {
    judge_tool_t  *t;
    int            fd;                 /* the directory */
    size_t         line;
    size_t         files;              /* that are listed */
    size_t         problems;
    bool           ended;              /* by judge.db */
} judge_sums_t;

static void judge_sums_found(judge_sums_t *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));


int
judge_sums_open(int directory, const char *name)
{
    int          fd;
    struct stat  st;

    fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW
                                 | O_NONBLOCK);

    if (fd != -1 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        (void) close(fd);
        errno = EINVAL;
        return -1;
    }

    return fd;
}


const char *
judge_sums_error(void)
{
    return errno == EINVAL || errno == ELOOP ? "it is not a regular file"
                                             : strerror(errno);
}


bool
judge_sums_files_entry(const char *name)
{
    size_t  len = strlen(name);

    return name[0] != '.'
           && (len <= 5 || strcmp(name + len - 5, ".part") != 0);
}


/* --- Writing ------------------------------------------------------------- */

bool
judge_sums_add(FILE *sums, const char *folder, const char *name,
    judge_digest_t *digest)
{
    char     hex[JUDGE_SUMS_HEX];
    uint8_t  hash[JUDGE_SHA256_LEN];

    if (strchr(name, '\n') != NULL
        || judge_digest_final(digest, hash) != JUDGE_OK)
    {
        errno = EINVAL;
        return false;
    }

    judge_hex_put(hex, hash, sizeof(hash));

    return fprintf(sums, "%.*s  %s%s\n", JUDGE_SUMS_HEX, hex, folder, name)
           > 0;
}


judge_digest_t *
judge_sums_digest(int directory, const char *name)
{
    int              fd;
    char             piece[16384];
    ssize_t          n;
    judge_digest_t  *digest;

    fd = judge_sums_open(directory, name);
    if (fd == -1) {
        return NULL;
    }

    digest = judge_digest_sha256();
    errno = digest ? 0 : ENOMEM;

    while (digest && (n = read(fd, piece, sizeof(piece))) != 0) {
        if (n < 0 || judge_digest_update(digest, (judge_str_t) { (size_t) n,
                                                                 piece })
                     != JUDGE_OK)
        {
            judge_digest_free(digest);
            digest = NULL;
        }
    }

    (void) close(fd);

    return digest;
}


/* --- Reading ------------------------------------------------------------- */

static void
judge_sums_found(judge_sums_t *s, const char *fmt, ...)
{
    va_list      args;
    judge_buf_t  text;

    if (++s->problems > JUDGE_SUMS_SHOWN) {
        return;
    }

    judge_buf_init(&text, s->t->arena);
    va_start(args, fmt);
    judge_buf_vprintf(&text, fmt, args);
    va_end(args);

    judge_check_found(s->t, judge_buf_view(&text));
}


static void
judge_sums_line(judge_sums_t *s, char *line)
{
    bool             database;
    uint8_t          expected[JUDGE_SHA256_LEN], found[JUDGE_SHA256_LEN];
    const char      *name;
    judge_digest_t  *digest;

    s->line++;
    line[strcspn(line, "\n")] = '\0';
    name = strlen(line) > JUDGE_SUMS_HEX + 2 ? line + JUDGE_SUMS_HEX + 2
                                             : NULL;
    database = name && strcmp(name, "judge.db") == 0;

    if (name == NULL || s->ended || memcmp(name - 2, "  ", 2) != 0
        || judge_unhex((judge_str_t) { JUDGE_SUMS_HEX, line }, expected,
                       sizeof(expected)) != JUDGE_OK
        || (!database && (strncmp(name, "files/", 6) != 0
                          || !judge_sums_files_entry(name + 6)
                          || strchr(name + 6, '/') != NULL)))
    {
        judge_sums_found(s, "judge.sums: line %zu is not the checksum of a"
                         " file of a backup", s->line);
        return;
    }

    s->ended = database;
    s->files += !database;
    digest = judge_sums_digest(s->fd, name);

    if (digest == NULL) {
        judge_sums_found(s, "%s cannot be read: %s", name,
                         judge_sums_error());
        return;
    }

    if (judge_digest_final(digest, found) != JUDGE_OK
        || memcmp(found, expected, sizeof(found)) != 0)
    {
        judge_sums_found(s, "%s differs from its checksum in judge.sums",
                         name);
    }

    judge_digest_free(digest);
}


/* Files that are there and not listed are no part of the backup. */

static void
judge_sums_others(judge_sums_t *s)
{
    int             fd;
    DIR            *dir;
    size_t          files = 0;
    struct dirent  *entry;

    fd = openat(s->fd, "files", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dir = fd == -1 ? NULL : fdopendir(fd);

    while (dir && (entry = readdir(dir)) != NULL) {
        files += judge_sums_files_entry(entry->d_name);
    }

    if (dir) {
        (void) closedir(dir);
    } else if (fd != -1) {
        (void) close(fd);
    }

    if (files != s->files) {
        judge_sums_found(s, "there are %zu files, of which judge.sums has"
                         " %zu", files, s->files);
    }
}


static int
judge_sums_read(judge_sums_t *s, FILE *file)
{
    char    *line = NULL;
    size_t   size = 0;

    while (getline(&line, &size, file) != -1) {
        judge_sums_line(s, line);
    }

    free(line);

    if (ferror(file)) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot read judge.sums:"
                               " %s", strerror(errno));
    }

    if (!s->ended) {
        judge_sums_found(s, "judge.sums ends before judge.db: it was cut");
    }

    judge_sums_others(s);

    return JUDGE_TOOL_OK;
}


int
judge_sums_check(judge_tool_t *t, const char *directory, bool needed)
{
    int           fd, status;
    FILE         *file;
    judge_sums_t  s = { .t = t };

    s.fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    fd = s.fd == -1 ? -1 : judge_sums_open(s.fd, "judge.sums");
    file = fd == -1 ? NULL : fdopen(fd, "r");

    if (file) {
        status = judge_sums_read(&s, file);
        (void) fclose(file);
    } else {
        status = errno == ENOENT && !needed ? JUDGE_TOOL_OK
                 : judge_tool_fail(JUDGE_TOOL_FAILED, "there is no complete"
                                   " backup in \"%s\": judge.sums: %s",
                                   directory, judge_sums_error());
    }

    if (s.fd != -1) {
        (void) close(s.fd);
    }

    return s.problems == 0 ? status
           : judge_tool_fail(JUDGE_TOOL_FAILED, "the backup in \"%s\" is"
                             " damaged, or was written to; what its"
                             " checksums find wrong: %zu", directory,
                             s.problems);
}
