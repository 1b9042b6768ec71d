/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Over SQLite's own VFS and allocator: see the header. */


#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "store/sqlite/sqlite.h"


static struct {
    t_fault_kind_e  kind;
    int             rc;
    unsigned        left;              /* calls until it fails; 0: never */
    bool            lasts;
    bool            struck;
} t_fault;

/* SQLite's own methods, of the database and of other files, and ours. */
static struct {
    sqlite3_io_methods         methods;
    const sqlite3_io_methods  *below;
} t_tables[2];

static sqlite3_vfs          t_vfs, *t_vfs_below;
static sqlite3_mem_methods  t_memory_below;


static bool
t_fault_strikes(t_fault_kind_e kind)
{
    if (kind != t_fault.kind || t_fault.left == 0 || --t_fault.left > 0) {
        return false;
    }

    t_fault.left = t_fault.lasts ? 1 : 0;
    t_fault.struck = true;

    return true;
}


static const sqlite3_io_methods *
t_below(sqlite3_file *file)
{
    return file->pMethods == &t_tables[0].methods ? t_tables[0].below
                                                  : t_tables[1].below;
}


static int
t_fault_read(sqlite3_file *file, void *data, int n, sqlite3_int64 offset)
{
    return t_fault_strikes(T_FAULT_READ)
           ? t_fault.rc : t_below(file)->xRead(file, data, n, offset);
}


static int
t_fault_write(sqlite3_file *file, const void *data, int n,
    sqlite3_int64 offset)
{
    return t_fault_strikes(T_FAULT_WRITE)
           ? t_fault.rc : t_below(file)->xWrite(file, data, n, offset);
}


static int
t_fault_sync(sqlite3_file *file, int flags)
{
    return t_fault_strikes(T_FAULT_SYNC)
           ? t_fault.rc : t_below(file)->xSync(file, flags);
}


static void *
t_fault_malloc(int n)
{
    return t_fault_strikes(T_FAULT_MEMORY) ? NULL : t_memory_below.xMalloc(n);
}


static void *
t_fault_realloc(void *p, int n)
{
    return t_fault_strikes(T_FAULT_MEMORY) ? NULL
                                           : t_memory_below.xRealloc(p, n);
}


/* In the file's table of methods ours take the place of some. */

static int
t_fault_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file,
    int flags, int *out)
{
    int                  rc;
    size_t               i;
    sqlite3_io_methods  *methods;

    (void) vfs;
    rc = t_vfs_below->xOpen(t_vfs_below, name, file, flags, out);

    if (rc == SQLITE_OK && file->pMethods) {
        i = flags & SQLITE_OPEN_MAIN_DB ? 0 : 1;
        t_tables[i].below = file->pMethods;

        methods = &t_tables[i].methods;
        *methods = *file->pMethods;
        methods->xRead = t_fault_read;
        methods->xWrite = t_fault_write;
        methods->xSync = t_fault_sync;
        file->pMethods = methods;
    }

    return rc;
}


void
t_fault_install(void)
{
    sqlite3_mem_methods  memory;

    judge_sqlite_configure();

    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &t_memory_below)
        == SQLITE_OK)
    {
        memory = t_memory_below;
        memory.xMalloc = t_fault_malloc;
        memory.xRealloc = t_fault_realloc;

        if (sqlite3_config(SQLITE_CONFIG_MALLOC, &memory) == SQLITE_OK) {
            t_vfs_below = sqlite3_vfs_find(NULL);
        }
    }

    if (t_vfs_below) {
        t_vfs = *t_vfs_below;
        t_vfs.zName = "fault";
        t_vfs.xOpen = t_fault_open;
    }

    if (t_vfs_below == NULL || sqlite3_vfs_register(&t_vfs, 1) != SQLITE_OK) {
        printf("Bail out! no faults\n");
        exit(1);
    }
}


void
t_fault_arm(t_fault_kind_e kind, int rc, unsigned n, bool lasts)
{
    t_fault.kind = kind;
    t_fault.rc = rc;
    t_fault.left = n;
    t_fault.lasts = lasts;
    t_fault.struck = false;
}


bool
t_fault_disarm(void)
{
    t_fault.left = 0;

    return t_fault.struck;
}
