/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Whether the files that a connection has opened are still in their place. */


#ifndef JUDGE_SQLITE_FILES_H
#define JUDGE_SQLITE_FILES_H


#include <sys/types.h>

#include "base/core/str.h"


/* The database, its log, and the index of the log. */
#define JUDGE_SQLITE_FILES  3

typedef struct {
    char   *path;
    dev_t   dev;                       /* of the file that was opened */
    ino_t   ino;                       /* 0: it did not exist so far */
} judge_sqlite_file_t;

typedef struct {
    judge_sqlite_file_t  file[JUDGE_SQLITE_FILES];
    int64_t              size;         /* last known bytes of the database */
    bool                 cut;          /* the database was truncated */
} judge_sqlite_files_t;

/* Remembers the files of the database that has been opened at `path`.  free()
 * must be called even after a failure; a zeroed struct is allowed. */
judge_rc_e judge_sqlite_files_find(judge_sqlite_files_t *files,
    judge_arena_t *arena, judge_str_t path);
void judge_sqlite_files_free(judge_sqlite_files_t *files);

/* Whether a file was moved, replaced or removed, or the database truncated. */
bool judge_sqlite_files_moved(judge_sqlite_files_t *files);


#endif /* JUDGE_SQLITE_FILES_H */
