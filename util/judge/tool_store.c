/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Commands on the store as a whole: what is in it, and whether it is whole. */


#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/core/version.h"
#include "base/json/json.h"
#include "tool.h"
#include "tool_sums.h"
#include "store/store_admin.h"
#include "store/store_upload.h"
#include "work/service/expiry.h"


#define JUDGE_CHECK_MISSING  20        /* files that are named */

#define JUDGE_RETENTION_PAUSE  20000   /* us, in which others may commit */

static const char *const  judge_ages[] = {
    "contents", "results", "feedback", "deliveries", "logs"
};

#define JUDGE_AGES  (sizeof(judge_ages) / sizeof(judge_ages[0]))


/* --- version ------------------------------------------------------------- */

int
judge_tool_version(judge_tool_t *t, const char **args, int n)
{
    int      status;
    int64_t  version = 0;

    judge_buf_printf(&t->out, "judge %s, schema version %lld\n",
                     JUDGE_VERSION, (long long) judge_store_schema());
    if (t->store == NULL) {
        return JUDGE_TOOL_OK;
    }

    status = judge_tool_open_found(t, true);
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_schema(t, &version);
    }
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    judge_buf_printf(&t->out, "%s, schema version %lld\n",
                     judge_store_remote(judge_str_c(t->store))
                     ? "the database" : t->store, (long long) version);

    return JUDGE_TOOL_OK;
}


/* --- stats --------------------------------------------------------------- */

static judge_str_t
judge_stats_number(judge_tool_t *t, int64_t n)
{
    return judge_str_printf(t->arena, "%" PRId64, n);
}


/* For people, in the unit that leaves it short. */

static judge_str_t
judge_stats_bytes(judge_tool_t *t, int64_t n)
{
    size_t  i;
    double  size;

    static const char *const  units[] = { "B", "KB", "MB", "GB", "TB" };

    size = (double) n;
    for (i = 0; size >= 1024 && i + 1 < sizeof(units) / sizeof(*units); i++) {
        size /= 1024;
    }

    return judge_str_printf(t->arena, "%.*f %s", i ? 1 : 0, size, units[i]);
}


static judge_str_t
judge_stats_time(judge_tool_t *t, judge_ms_t time)
{
    return time ? judge_time_str(t->arena, time) : (judge_str_t) { 0, NULL };
}


static void
judge_stats_table(judge_tool_t *t, judge_table_t *table,
    const judge_table_row_t *row)
{
    judge_json_writer_t  w;

    if (!t->json) {
        judge_table_add(t, table, row->name);
        judge_table_add(t, table, judge_stats_number(t, row->rows));
        judge_table_add(t, table, judge_stats_bytes(t, row->bytes));
        judge_table_add(t, table, judge_stats_time(t, row->oldest));
        judge_table_add(t, table, judge_stats_time(t, row->newest));
        return;
    }

    judge_json_begin(&w, &t->out);
    judge_json_object(&w);
    judge_json_put_str(&w, "table", row->name);
    judge_json_put_int(&w, "rows", row->rows);
    judge_json_put_int(&w, "bytes", row->bytes);
    judge_json_put_time_if(&w, "oldest", row->oldest);
    judge_json_put_time_if(&w, "newest", row->newest);
    judge_json_object_end(&w);
    t->out.failed |= judge_json_finish(&w) != JUDGE_OK;
    judge_buf_c(&t->out, "\n");
}


static void
judge_stats_org(judge_tool_t *t, judge_table_t *table,
    const judge_org_stats_row_t *row)
{
    size_t               i;
    judge_json_writer_t  w;

    const struct {
        const char  *name;
        int64_t      n;
    } counts[] = {
        { "judges", row->judges }, { "contents", row->contents },
        { "content_bytes", row->bytes }, { "evaluations", row->evaluations },
        { "waiting", row->waiting }, { "feedback", row->feedback },
        { "deliveries", row->deliveries }
    };

    if (t->json) {
        judge_json_begin(&w, &t->out);
        judge_json_object(&w);
        judge_json_put_str(&w, "organization_id", row->id);
        judge_json_put_str(&w, "name", row->name);
    } else {
        judge_table_add(t, table, row->id);
    }

    for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        if (t->json) {
            judge_json_put_int(&w, counts[i].name, counts[i].n);
        } else {
            judge_table_add(t, table, i == 2
                                      ? judge_stats_bytes(t, counts[i].n)
                                      : judge_stats_number(t, counts[i].n));
        }
    }

    if (t->json) {
        judge_json_put_time_if(&w, "oldest_content", row->oldest);
        judge_json_object_end(&w);
        t->out.failed |= judge_json_finish(&w) != JUDGE_OK;
        judge_buf_c(&t->out, "\n");
    } else {
        judge_table_add(t, table, judge_stats_time(t, row->oldest));
        judge_table_add(t, table, row->name);
    }
}


int
judge_tool_stats(judge_tool_t *t, const char **args, int n)
{
    int                  status;
    size_t               i;
    judge_org_stats_t    orgs;
    judge_table_stats_t  tables;

    static const char *const  table_heads[] = {
        "TABLE", "ROWS", "SIZE", "OLDEST", "NEWEST"
    };
    static const char *const  org_heads[] = {
        "ORGANIZATION", "JUDGES", "CONTENTS", "SIZE", "EVALUATIONS",
        "WAITING", "FEEDBACK", "DELIVERIES", "OLDEST CONTENT", "NAME"
    };
    judge_table_t  by_table = { .heads = table_heads, .columns = 5 };
    judge_table_t  by_org = { .heads = org_heads, .columns = 10 };

    status = judge_tool_open_found(t, false);
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    memset(&tables, 0, sizeof(judge_table_stats_t));
    memset(&orgs, 0, sizeof(judge_org_stats_t));
    judge_tool_run(t, &tables.op, JUDGE_OP_TABLE_STATS);
    if (tables.op.rc == JUDGE_OK) {
        judge_tool_run(t, &orgs.op, JUDGE_OP_ORG_STATS);
    }
    if (tables.op.rc != JUDGE_OK || orgs.op.rc != JUDGE_OK) {
        return judge_tool_fail_op(t, tables.op.rc ? &tables.op : &orgs.op);
    }

    for (i = 0; i < tables.count; i++) {
        judge_stats_table(t, &by_table, &tables.rows[i]);
    }
    for (i = 0; i < orgs.count; i++) {
        judge_stats_org(t, &by_org, &orgs.rows[i]);
    }

    if (!t->json) {
        judge_table_print(t, &by_table);
        judge_buf_c(&t->out, "\n");
        judge_table_print(t, &by_org);
    }

    return JUDGE_TOOL_OK;
}


/* --- check --------------------------------------------------------------- */

void
judge_check_found(judge_tool_t *t, judge_str_t text)
{
    judge_json_writer_t  w;

    if (!t->json) {
        judge_buf_str(&t->out, text);
        judge_buf_c(&t->out, "\n");
        return;
    }

    judge_json_begin(&w, &t->out);
    judge_json_object(&w);
    judge_json_put_str(&w, "problem", text);
    judge_json_object_end(&w);
    t->out.failed |= judge_json_finish(&w) != JUDGE_OK;
    judge_buf_c(&t->out, "\n");
}


/* Its row may have been deleted meanwhile, and the file after it. */

static bool
judge_check_needed(judge_tool_t *t, judge_str_t name)
{
    bool                 known;
    size_t               org;
    judge_str_t          rest, id;
    const char          *dot;
    judge_files_known_t  op;

    dot = memchr(name.data, '.', name.len);
    org = dot ? (size_t) (dot - name.data) : name.len;
    rest = dot ? (judge_str_t) { name.len - org - 1, dot + 1 }
               : (judge_str_t) { 0, dot };
    dot = rest.data ? memchr(rest.data, '.', rest.len) : NULL;
    if (dot == NULL) {
        return true;
    }

    known = false;
    name.data = judge_str_dup(t->arena, name).data;
    id = (judge_str_t) { (size_t) (dot - rest.data), rest.data };
    rest = (judge_str_t) { org, name.data };

    memset(&op, 0, sizeof(judge_files_known_t));
    op.orgs = &rest;
    op.ids = &id;
    op.names = &name;
    op.known = &known;
    op.count = 1;
    judge_tool_run(t, &op.op, JUDGE_OP_FILES_KNOWN);

    return op.op.rc != JUDGE_OK || known;
}


/* Counts the files of contents, or of references, and adds to *missing.  Those
 * of a remote store are not looked for, as its address names no folder. */

static int
judge_check_files(judge_tool_t *t, bool references, size_t *files,
    size_t *missing)
{
    bool               remote = judge_store_remote(judge_str_c(t->store));
    size_t             i;
    judge_str_t        path;
    judge_file_list_t  list;

    memset(&list, 0, sizeof(judge_file_list_t));
    list.references = references;

    do {
        list.rows = NULL;
        list.count = 0;
        judge_tool_run(t, &list.op, JUDGE_OP_FILE_LIST);
        if (list.op.rc != JUDGE_OK) {
            return judge_tool_fail_op(t, &list.op);
        }

        for (i = 0; i < list.count; i++) {
            path = judge_str_printf(t->arena, "%s/files/%.*s", t->store,
                                    (int) list.rows[i].path.len,
                                    list.rows[i].path.data);
            list.after = list.rows[i].rowid;
            if (judge_str_starts(list.rows[i].path, JUDGE_STR("s3://"))) {
                continue;              /* not ours to look at */
            }
            ++*files;

            if (!remote && path.data && access(path.data, R_OK) != 0
                && judge_check_needed(t, list.rows[i].path)
                && ++*missing <= JUDGE_CHECK_MISSING)
            {
                judge_check_found(t, judge_str_printf(t->arena,
                                  "an uploaded file is missing: %s",
                                  path.data));
            }
        }
    } while (list.count == JUDGE_FILE_ROWS);

    return JUDGE_TOOL_OK;
}


int
judge_check_whole(judge_tool_t *t, bool older, size_t *files)
{
    int                  status;
    size_t               i, missing = 0;
    judge_store_check_t  check;

    memset(&check, 0, sizeof(judge_store_check_t));
    judge_tool_run(t, &check.op, JUDGE_OP_STORE_PAGES);
    if (check.op.rc == JUDGE_OK && !older) {
        judge_tool_run(t, &check.op, JUDGE_OP_STORE_CHECK);
    }
    if (check.op.rc != JUDGE_OK) {
        return judge_tool_fail_op(t, &check.op);
    }

    for (i = 0; i < check.count; i++) {
        judge_check_found(t, check.rows[i].text);
    }

    status = judge_check_files(t, false, files, &missing);
    if (status == JUDGE_TOOL_OK) {
        status = judge_check_files(t, true, files, &missing);
    }
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    if (check.count || missing) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "the store is damaged: %zu"
                               " problem%s in the database, %zu of %zu files"
                               " missing", check.count,
                               check.count == 1 ? "" : "s", missing, *files);
    }

    return JUDGE_TOOL_OK;
}


/* Says which criteria this version judges otherwise.  A store with an older
 * schema is copied, and only the copy upgraded, because an older module may be
 * using the store. */

static int
judge_check_methods(judge_tool_t *t, bool older)
{
    int             status;
    size_t          i;
    judge_op_t      op = { .rc = JUDGE_OK };
    judge_str_t     copy, path, error = JUDGE_STR("out of memory");
    judge_runner_t *db = t->db;

    static const char *const  names[] = {
        "/judge.db", "/judge.db-wal", "/judge.db-shm", "/judge.db-made", ""
    };

    if (!older) {
        return judge_methods_check(t);
    }

    copy = judge_str_printf(t->arena, "%s/check-XXXXXX", t->store);
    if (copy.data == NULL || mkdtemp((char *) copy.data) == NULL) {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "cannot make a copy in"
                               " \"%s\": %s", t->store, strerror(errno));
    }

    path = judge_str_printf(t->arena, "%s/judge.db", copy.data);
    op.rc = path.data ? judge_runner_copy(db, path.data) : JUDGE_NOMEM;
    status = op.rc == JUDGE_OK ? JUDGE_TOOL_OK : judge_tool_fail_op(t, &op);

    if (status == JUDGE_TOOL_OK) {
        t->db = NULL;
        if (judge_store_migrate(t->arena, copy, &error) == JUDGE_OK) {
            t->db = judge_store_open(t->arena, copy, false, &error);
        }
        status = t->db ? judge_methods_check(t)
                       : judge_tool_fail(JUDGE_TOOL_FAILED, "%.*s",
                                         judge_str_args(error));
        judge_runner_close(t->db);
        t->db = db;
    }

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        path = judge_str_printf(t->arena, "%s%s", copy.data, names[i]);
        if (path.data) {
            (void) remove(path.data);
        }
    }

    return status;
}


/* Of a backup the checksums come first: what does not agree with them need
 * not be opened. */

int
judge_tool_check(judge_tool_t *t, const char **args, int n)
{
    int      status;
    bool     remote = judge_store_remote(judge_str_c(t->store));
    size_t   files = 0;
    int64_t  version = judge_store_schema();

    status = judge_tool_found(t);
    if (status == JUDGE_TOOL_OK && !remote) {
        status = judge_sums_check(t, t->store, false);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_open_found(t, !remote);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_schema(t, &version);
    }
    if (status == JUDGE_TOOL_OK && version > judge_store_schema()) {
        status = judge_tool_fail_schema(version);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_check_whole(t, version < judge_store_schema(), &files);
    }

    if (status == JUDGE_TOOL_OK && !t->json) {
        judge_buf_printf(&t->out, remote
                         ? "the database is whole; its %zu files, which files="
                           " of nginx.conf has, were not looked at\n"
                         : "the database is whole, and so are its %zu"
                           " files\n", files);
    }

    return status == JUDGE_TOOL_OK
           ? judge_check_methods(t, version < judge_store_schema()) : status;
}


/* --- retention ----------------------------------------------------------- */

/* NAME=AGE, such as contents=90d, into the table of ages; the unit is h, d or
 * w. */

static int
judge_retention_age(const char *arg, judge_ms_t now, judge_ms_t *before)
{
    size_t              i;
    char               *end;
    const char         *unit;
    unsigned long long  n;

    static const char        units[] = "hdw";
    static const judge_ms_t  hours[] = { 1, 24, 7 * 24 };

    for (i = 0; i < JUDGE_AGES; i++) {
        n = strlen(judge_ages[i]);
        if (strncmp(judge_ages[i], arg, n) != 0 || arg[n] != '=') {
            continue;
        }

        arg += n + 1;
        n = strtoull(arg, &end, 10);
        unit = *end ? strchr(units, *end) : NULL;

        if (*arg < '0' || *arg > '9' || unit == NULL || end[1] || n == 0
            || n > 100000)
        {
            break;
        }

        before[i] = now - (judge_ms_t) n * hours[unit - units] * 3600 * 1000;
        before[i] = before[i] > 0 ? before[i] : 1;
        return JUDGE_TOOL_OK;
    }

    return judge_tool_fail(JUDGE_TOOL_USAGE, "expected an age of contents,"
                           " results, feedback, deliveries or logs such as"
                           " contents=90d, with h, d or w");
}


static int
judge_retention_rows(judge_tool_t *t, const judge_ms_t *before, int64_t *gone)
{
    judge_old_t      op;
    judge_arena_t      *arena = t->arena;
    judge_retention_t   round;

    static const int  ages[JUDGE_RETAIN_COUNT] = {
        [JUDGE_RETAIN_CONTENTS] = 0, [JUDGE_RETAIN_RESULTS] = 1,
        [JUDGE_RETAIN_EMPTY] = 1, [JUDGE_RETAIN_FEEDBACK] = 2
    };

    judge_retention_begin(&round, before[0], before[1], before[2]);

    do {
        memset(&op, 0, sizeof(judge_old_t));
        if (!judge_retention_next(&round, &op, t->now)) {
            return JUDGE_TOOL_OK;
        }

        t->arena = judge_arena_create(4096);
        if (t->arena) {
            judge_tool_run(t, &op.op, op.op.kind);
        } else {
            op.op.rc = JUDGE_NOMEM;
        }

        gone[ages[round.what]] += op.gone;
        judge_retention_done(&round, &op);
        judge_arena_destroy(t->arena);
        t->arena = arena;

        if (op.gone) {
            (void) usleep(JUDGE_RETENTION_PAUSE);
        }
    } while (op.op.rc == JUDGE_OK);

    return judge_tool_fail_op(t, &op.op);
}


static int
judge_retention_purge(judge_tool_t *t, const judge_ms_t *before,
    int64_t *gone)
{
    judge_purge_t  op;

    do {
        memset(&op, 0, sizeof(judge_purge_t));
        op.deliveries_before = before[3];
        op.logs_before = before[4];
        op.limit = JUDGE_EXPIRY_ROWS;
        judge_tool_run(t, &op.op, JUDGE_OP_PURGE);
        if (op.op.rc != JUDGE_OK) {
            return judge_tool_fail_op(t, &op.op);
        }

        gone[3] += op.gone[JUDGE_PURGE_DELIVERIES];
        gone[4] += op.gone[JUDGE_PURGE_LOGS];
        (void) usleep(JUDGE_RETENTION_PAUSE);
    } while (op.gone[JUDGE_PURGE_DELIVERIES] == op.limit
             || op.gone[JUDGE_PURGE_LOGS] == op.limit);

    return JUDGE_TOOL_OK;
}


int
judge_tool_retention(judge_tool_t *t, const char **args, int n)
{
    int         status;
    size_t      i, count = (size_t) n;
    int64_t     gone[JUDGE_AGES] = { 0 };
    judge_ms_t  before[JUDGE_AGES] = { 0 };

    status = JUDGE_TOOL_OK;

    for (i = 0; i < count && status == JUDGE_TOOL_OK; i++) {
        status = judge_retention_age(args[i], t->now, before);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_tool_open_found(t, false);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_retention_rows(t, before, gone);
    }
    if (status == JUDGE_TOOL_OK) {
        status = judge_retention_purge(t, before, gone);
    }

    for (i = 0; i < JUDGE_AGES; i++) {
        if (before[i]) {
            judge_buf_printf(&t->out, "%s: %" PRId64 " deleted\n",
                             judge_ages[i], gone[i]);
        }
    }

    return status;
}


/* --- vacuum -------------------------------------------------------------- */

int
judge_tool_vacuum(judge_tool_t *t, const char **args, int n)
{
    int         status;
    int64_t     before;
    judge_op_t  op = { .rc = JUDGE_OK };

    status = judge_tool_open_found(t, true);
    if (status != JUDGE_TOOL_OK) {
        return status;
    }

    before = judge_runner_size(t->db);
    op.rc = judge_runner_vacuum(t->db);
    if (op.rc != JUDGE_OK) {
        return judge_tool_fail_op(t, &op);
    }

    (void) judge_runner_moved(t->db);  /* looks at the size */
    judge_buf_printf(&t->out, "the database had %" PRId64 " bytes and has %"
                     PRId64 "\n", before, judge_runner_size(t->db));

    return JUDGE_TOOL_OK;
}
