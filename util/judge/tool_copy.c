/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A store into another one, which may be of another engine. */


#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"
#include "tool_sums.h"
#include "extensions/copy/copy.h"


/* The source has to have this program's schema; it is not brought there.  And
 * it has the organization. */

static int
judge_copy_source(judge_tool_t *t, judge_str_t *org)
{
    int  status;

    t->store = t->from;
    status = judge_tool_open_found(t, false);
    if (status == JUDGE_TOOL_OK && t->org) {
        status = judge_tool_org(t, t->org, org);
    }

    if (t->db) {
        judge_runner_close(t->db);
        t->db = NULL;
    }

    return status;
}


static void
judge_copy_print(judge_tool_t *t, const judge_copy_t *copy)
{
    size_t                     i, k;
    judge_table_t              table;
    const judge_copy_table_t  *row;

    static const char *const  heads[] = { "TABLE", "SOURCE", "TARGET", "" };

    memset(&table, 0, sizeof(judge_table_t));
    table.heads = heads;
    table.columns = 4;

    for (i = 0; i < copy->ntables; i++) {
        row = &copy->tables[i];
        judge_table_add(t, &table, row->name);

        for (k = 0; k < 2; k++) {
            judge_table_add(t, &table, judge_str_printf(t->arena, "%" PRId64,
                                                        row->rows[k]));
        }

        judge_table_add(t, &table, (row->rows[0] == row->rows[1]
                                    && row->digests[0] == row->digests[1])
                                   ? JUDGE_STR("same")
                                   : JUDGE_STR("differs"));
    }

    judge_table_print(t, &table);
}


/* Says where the uploaded files of the source are, since only rows are
 * copied. */

static void
judge_copy_files(judge_tool_t *t)
{
    DIR            *dir;
    size_t          n = 0;
    judge_str_t     path = judge_str_printf(t->arena, "%s/files", t->from);
    struct dirent  *entry;

    dir = path.data ? opendir(path.data) : NULL;
    if (dir == NULL) {
        return;
    }

    while ((entry = readdir(dir))) {
        n += judge_sums_files_entry(entry->d_name);
    }

    (void) closedir(dir);

    if (n > 0) {
        judge_buf_printf(&t->out, "Not copied: uploaded files (%zu) in %s."
                         "  Copy this folder to \"files=\" of the target.\n",
                         n, path.data);
    }
}


int
judge_tool_copy(judge_tool_t *t, const char **args, int n)
{
    int           status;
    judge_rc_e    rc;
    judge_copy_t  copy;

    if (t->from == NULL || t->to == NULL || strcmp(t->from, t->to) == 0) {
        return judge_tool_fail(JUDGE_TOOL_USAGE, "copy needs --from and --to,"
                               " which name two stores");
    }

    memset(&copy, 0, sizeof(judge_copy_t));
    copy.org = JUDGE_STR("");

    status = judge_copy_source(t, &copy.org);
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_enter(t, t->to, geteuid(), getegid());
    }
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    copy.source = judge_str_c(t->from);
    copy.target = judge_str_c(t->to);

    rc = judge_store_copy(t->arena, &copy);

    if (rc == JUDGE_OK || rc == JUDGE_CONFLICT) {
        judge_copy_print(t, &copy);
        judge_copy_files(t);
    }

    if (rc == JUDGE_CONFLICT) {
        (void) fwrite(t->out.data, t->out.len, 1, stdout);
        t->out.len = 0;
        return judge_tool_fail(JUDGE_TOOL_FAILED, "a table differs from its"
                               " source: were rows written in the target, or"
                               " does a table hold what another store left?");
    }

    if (rc != JUDGE_OK) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "%.*s",
                               (int) copy.error.len, copy.error.data
                               ? copy.error.data : "out of memory");
    }

    return JUDGE_TOOL_OK;
}
