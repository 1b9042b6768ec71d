/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/sqlite/sqlite_files.h"


judge_rc_e
judge_sqlite_files_find(judge_sqlite_files_t *files, judge_arena_t *arena,
    judge_str_t path)
{
    size_t       i;
    judge_str_t  name;

    static const char *const  suffix[JUDGE_SQLITE_FILES] = { "", "-wal",
                                                             "-shm" };

    for (i = 0; i < JUDGE_SQLITE_FILES; i++) {
        name = judge_str_printf(arena, "%s%s", path.data, suffix[i]);
        files->file[i].path = name.data ? strdup(name.data) : NULL;
        if (files->file[i].path == NULL) {
            return JUDGE_ERROR;
        }
    }

    return judge_sqlite_files_moved(files) || files->file[0].ino == 0
           ? JUDGE_ERROR : JUDGE_OK;
}


/* Whether a database that became shorter was truncated: after a VACUUM it has
 * all pages that its header counts (www.sqlite.org/fileformat.html, 1.3). */

static bool
judge_sqlite_files_cut(const char *path)
{
    int          fd;
    bool         cut;
    uint8_t      h[32];
    int64_t      page, pages;
    struct stat  st;

    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1) {
        return true;
    }

    cut = fstat(fd, &st) == -1 || pread(fd, h, sizeof(h), 0) != sizeof(h);

    if (!cut) {
        page = h[16] << 8 | h[17];
        page = page == 1 ? 65536 : page;
        pages = (int64_t) h[28] << 24 | h[29] << 16 | h[30] << 8 | h[31];
        cut = st.st_size < page * pages;
    }

    (void) close(fd);

    return cut;
}


bool
judge_sqlite_files_moved(judge_sqlite_files_t *files)
{
    size_t                i;
    struct stat           st;
    judge_sqlite_file_t  *file;

    for (i = 0; i < JUDGE_SQLITE_FILES; i++) {
        file = &files->file[i];

        if (stat(file->path, &st) == -1) {
            if (file->ino) {
                return true;
            }
            continue;
        }

        if (file->ino == 0) {
            file->dev = st.st_dev;
            file->ino = st.st_ino;
        }

        if (st.st_dev != file->dev || st.st_ino != file->ino) {
            return true;
        }

        if (i == 0) {
            files->cut = st.st_size == 0
                         || (st.st_size < files->size
                             && judge_sqlite_files_cut(file->path));
            if (files->cut) {
                return true;
            }
            files->size = st.st_size;
        }
    }

    return false;
}


void
judge_sqlite_files_free(judge_sqlite_files_t *files)
{
    size_t  i;

    for (i = 0; i < JUDGE_SQLITE_FILES; i++) {
        free(files->file[i].path);
    }
}
