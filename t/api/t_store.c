/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The store by itself: the table of its operations, group commit, snapshots,
 * migrations.
 */


#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "store/ops/store_ops.h"
#include "store/sqlite/migrations.h"


/* Operations that belong to no organization, or that find out which. */
static const char *const  any_org[] = {
    "org_create", "org_list", "key_find", "queue_peek", "queue_release",
    "purge", "probe", "secret", "upload_peek", "feedback_peek",
    "queue_depth", "callback_find", "training_peek", "training_claim",
    "event_requests", "store_version", "file_list", "queue_finish",
    "results_gone", "hours_peek", "hours_write",
    "fleet_lease", "store_pages", "export_peek", "openai_peek", "queue_due",
    "pairs_peek", "suggestion_peek"
};


static sqlite3 *
handle(t_api_t *api)
{
    char      path[128];
    sqlite3  *db;

    (void) snprintf(path, sizeof(path), "%s/judge.db", api->directory);
    db = NULL;
    t_is_int(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL),
             SQLITE_OK, "the database is a file of its own");

    return db;
}


static bool
is_any_org(const char *name)
{
    size_t  i;

    for (i = 0; i < sizeof(any_org) / sizeof(any_org[0]); i++) {
        if (strcmp(any_org[i], name) == 0) {
            return true;
        }
    }

    return false;
}


static const char *
sql_of(const judge_op_spec_t *row, size_t i)
{
    return row->statements[i].sql[JUDGE_DIALECT_SQLITE];
}


/* No statement reads a whole table, so that cost does not grow with the
 * store; but for what tools list, and what is no table. */

static bool
is_scan(const judge_op_spec_t *row, size_t i, const char *detail)
{
    size_t  k;
    static const char *const  no_tables[] = {
        "SCAN CONSTANT ROW", "SCAN (subquery", "SCAN ready", "SCAN asking",
        "SCAN work_requests", "SCAN first",      /* of one operation only */
        "SCAN newest", "SCAN spread",  /* bounded by a LIMIT within */
        "SCAN placed", "SCAN shifted",
        "SCAN taken",                  /* likewise */
        "SCAN sums",                   /* one row */
        "SCAN unfinished",             /* few */
        "SCAN c VIRTUAL TABLE", "SCAN n VIRTUAL TABLE",  /* a batch's list */
        "SCAN opinions",               /* of the newest evaluations */
        "SCAN walk"                    /* as far as a page goes */
    };

    static const char *const  of_tools[] = {
        "org_list", "org_stats", "store_version", "store_pages",
        "store_check", "table_stats"
    };

    for (k = 0; k < sizeof(of_tools) / sizeof(of_tools[0]); k++) {
        if (strcmp(row->name, of_tools[k]) == 0) {
            return false;
        }
    }

    if ((strcmp(row->name, "key_list") == 0 && i == 1)
        || (strcmp(row->name, "hours_write") == 0 && i <= 2) /* once for each
                                                                 engine */
        || strncmp(detail, "SCAN ", 5) != 0)
    {
        return false;
    }

    for (k = 0; k < sizeof(no_tables) / sizeof(no_tables[0]); k++) {
        if (strncmp(detail, no_tables[k], strlen(no_tables[k])) == 0) {
            return false;
        }
    }

    return true;
}


/* Lists begin where the page does: nothing is sorted for them, but for the
 * keys of all organizations, which the tool lists. */

static bool
is_sorted(const judge_op_spec_t *row, size_t i, const char *detail)
{
    return row->page && strstr(detail, "TEMP B-TREE") != NULL
           && !(strcmp(row->name, "key_list") == 0 && i == 1);
}


/* The statements for what is rare find it by the index of that. */

static void
t_rare(const judge_op_spec_t *row, size_t i, const char *detail)
{
    size_t  k;

    static const struct {
        const char  *name;
        size_t       statement;
        const char  *by;
    } rare[] = {
#define by_index(name)  "INDEX evaluations_" name " (org=? AND "
        { "evaluation_list", 1, by_index("batch") "batch_id=? AND id<?)" },
        { "evaluation_list", 2, by_index("content") "content_id=? AND id<?)" },
        { "batch_results", 0, by_index("batch") "batch_id=? AND id>?)" },
        { "review_list", 0, "INDEX evaluations_judge_" },
        { "score_count", 0, "COVERING " by_index("judge_done")
          "judge_id=? AND id>?" },
        { "score_count", 1, by_index("batch") "batch_id=? AND id>?" },
        { "queue_depth", 0, "COVERING INDEX evaluations_queue (" },
        { "queue_depth", 1, "COVERING INDEX evaluations_queue_model (" },
        { "score_list", 0, "COVERING " by_index("judge_done")
          "judge_id=? AND id>?" },
        { "score_list", 1, by_index("batch") "batch_id=? AND id>?" },
        { "judge_delete", 1, by_index("judge_open") "judge_id=?)" },
        { "work_peek", 0, "INDEX evaluations_" },
        { "work_claim", 1, by_index("work") "work_kind=? AND priority=?)" },
        { "callback_find", 0, "INDEX evaluations_called (id=?)" },
        { "content_list", 0, "contents_rare (org=? AND status=? AND id<?)" },
        { "content_list", 1, "(org=? AND file_type=? AND id<?)" },
        { "delivery_list", 0, "PRIMARY KEY (org=? AND id>? AND id<?)" },
        { "delivery_list", 1, "_open (org=? AND status=? AND id<?)" },
        { "delivery_list", 2, "_type (org=? AND type=? AND id<?)" },
        { "batch_list", 0, "batches_status (org=? AND status=? AND id<?)" },
        { "training_list", 0, "_judge_status (org=? AND judge_id=? AND " },
        { "training_list", 1, "jobs_judge (org=? AND judge_id=? AND id<?)" },
        { "training_list", 2, "_status (org=? AND status=? AND id<?)" },
        { "batch_slice", 7, by_index("batch_failed") "batch_id=?)" },
        { "old_empty", 1, "batches_empty (org=?)" },
        { "old_results", 2, "PRIMARY KEY (org=? AND id" }
    };

    for (k = 0; k < sizeof(rare) / sizeof(rare[0]); k++) {
        if (strcmp(row->name, rare[k].name) == 0 && i == rare[k].statement) {
            t_ok(strstr(detail, rare[k].by) != NULL,
                 "%s is found by %s: %s", row->name, rare[k].by, detail);
        }
    }
}


static void
t_plan(sqlite3 *db, const judge_op_spec_t *row, size_t i)
{
    bool           ok;
    char           sql[4096];
    const char    *detail;
    sqlite3_stmt  *st;

    ok = true;
    st = NULL;
    (void) snprintf(sql, sizeof(sql), "EXPLAIN QUERY PLAN %s",
                    sql_of(row, i));

    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK) {
        while (sqlite3_step(st) == SQLITE_ROW) {
            detail = (const char *) sqlite3_column_text(st, 3);
            if (strncmp(detail, "SEARCH evaluations ", 19) == 0
                || strncmp(detail, "SEARCH batches ", 15) == 0
                || strncmp(detail, "SEARCH contents ", 16) == 0
                || strncmp(detail, "SEARCH training_jobs ", 21) == 0
                || strncmp(detail, "SEARCH d ", 9) == 0)
            {
                t_rare(row, i, detail);
            }
            if (is_scan(row, i, detail) || is_sorted(row, i, detail)) {
                printf("# %s: %s\n", row->name, detail);
                ok = false;
            }
        }
    }

    (void) sqlite3_finalize(st);
    t_ok(ok, "%s, statement %zu scans no table, sorts no list", row->name,
         i);
}


/* What runs for each evaluation of a batch fires no trigger and makes no
 * temporary table, each of which costs as much as several indexes. */

static void
t_lean(sqlite3 *db, const judge_op_spec_t *row, size_t i)
{
    char           sql[4096];
    size_t         n;
    const char    *code;
    sqlite3_stmt  *st;

    st = NULL;
    n = 0;
    (void) snprintf(sql, sizeof(sql), "EXPLAIN %s", sql_of(row, i));

    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK) {
        while (sqlite3_step(st) == SQLITE_ROW) {
            code = (const char *) sqlite3_column_text(st, 1);
            n += strcmp(code, "Program") == 0
                 || strcmp(code, "OpenEphemeral") == 0;
        }
    }

    (void) sqlite3_finalize(st);
    t_is_int((int64_t) n, 0, "%s, statement %zu is lean", row->name, i);
}


static void
test_table(t_api_t *api)
{
    int                       kind, other;
    size_t                    i;
    sqlite3                  *db;
    sqlite3_stmt             *st;
    const judge_op_spec_t  *row;

    db = handle(api);

    for (kind = 0; kind < JUDGE_OP_COUNT; kind++) {
        row = &judge_op_specs[kind];
        t_ok(row && row->name && sql_of(row, 0),
             "operation %d has a row", kind);
        if (row == NULL || row->name == NULL) {
            continue;
        }

        for (other = 0; other < kind; other++) {
            if (strcmp(row->name, judge_op_specs[other].name) == 0) {
                t_ok(false, "%s is the name of one operation", row->name);
            }
        }

        for (i = 0; i < JUDGE_OP_STATEMENTS && sql_of(row, i); i++) {
            st = NULL;
            t_ok(sqlite3_prepare_v2(db, sql_of(row, i), -1, &st, NULL)
                 == SQLITE_OK, "%s, statement %zu fits the schema: %s",
                 row->name, i, sqlite3_errmsg(db));
            t_ok(is_any_org(row->name)
                 || strstr(sql_of(row, i), "org") != NULL
                 || strstr(sql_of(row, i), "FROM engines") != NULL,
                 "%s, statement %zu names its organization", row->name, i);
            t_ok(row->place == JUDGE_OP_WRITE || sqlite3_stmt_readonly(st),
                 "%s, statement %zu writes only if it may", row->name, i);
            t_plan(db, row, i);
            if ((kind == JUDGE_OP_QUEUE_FINISH && i == 2)
                || (kind == JUDGE_OP_QUEUE_CLAIM && i == 3)
                || (kind == JUDGE_OP_BATCH_TEXTS && i == 2))
            {
                t_lean(db, row, i);
            }
            (void) sqlite3_finalize(st);
        }
    }

    (void) sqlite3_close(db);
}


/* --- Group commit -------------------------------------------------------- */


static judge_judge_row_t
find_judge(t_api_t *api, judge_str_t id, judge_rc_e want, const char *name)
{
    judge_judge_find_t  o;

    memset(&o, 0, sizeof(o));
    o.id = id;
    t_is_int(t_op(api, &o.op, JUDGE_OP_JUDGE_FIND), want, "%s", name);

    return o.row;
}


static void
test_group(t_api_t *api)
{
    judge_judge_row_t       row;
    judge_judge_create_t   *a, *twin, *b;
    judge_judge_update_t    update;

    a = t_judge_row(api);
    b = t_judge_row(api);
    twin = t_judge_row(api);
    twin->row.id = a->row.id;

    /* Its first statement succeeds, its second one must undo it. */
    memset(&update, 0, sizeof(update));
    update.op = a->op;
    update.op.kind = JUDGE_OP_JUDGE_UPDATE;
    update.row = a->row;
    update.row.active = 1;
    update.row.latest = 1;
    update.row.version_created_at = api->now + 5;

    a->op.next = &twin->op;
    twin->op.next = &update.op;
    update.op.next = &b->op;
    judge_runner_group(api->db, &a->op);

    t_is_int(a->op.rc, JUDGE_OK, "the first of a group is done");
    t_is_int(twin->op.rc, JUDGE_CONFLICT,
             "an operation that has no right to be is refused");
    t_is_int(update.op.rc, JUDGE_CONFLICT,
             "an operation that fails half-way is refused");
    t_is_int(b->op.rc, JUDGE_OK, "the last of a group is done");

    row = find_judge(api, a->row.id, JUDGE_OK, "the first is there");
    t_is_int(row.updated_at, api->now,
             "the first of a group is as it was before the others failed");
    (void) find_judge(api, b->row.id, JUDGE_OK, "the last is there, too");
}


static void
test_idempotency(t_api_t *api)
{
    judge_str_t                known;
    judge_idempotency_t        key, again;
    judge_judge_create_t      *a, *b;
    judge_idempotency_find_t   find;

    a = t_judge_row(api);
    b = t_judge_row(api);
    known = a->row.id;
    key = (judge_idempotency_t) { .key = JUDGE_STR("k"),
                                  .fingerprint = JUDGE_STR("f"),
                                  .status = 201, .body = JUDGE_STR("{}"),
                                  .now = api->now };
    again = key;
    a->op.idempotency = &key;
    b->op.idempotency = &again;
    a->op.next = &b->op;
    judge_runner_group(api->db, &a->op);

    t_is_int(a->op.rc, JUDGE_OK, "the first operation with a key is done");
    t_ok(!key.taken, "the first operation has its key");
    t_is_int(b->op.rc, JUDGE_CONFLICT,
             "the second operation with the key is refused");
    t_ok(again.taken, "the second operation does not get the key");
    (void) find_judge(api, known, JUDGE_OK, "the first wrote");
    (void) find_judge(api, b->row.id, JUDGE_NOT_FOUND,
                      "the second left no trace");

    memset(&find, 0, sizeof(find));
    find.found.key = JUDGE_STR("k");
    t_is_int(t_op(api, &find.op, JUDGE_OP_IDEMPOTENCY_FIND), JUDGE_OK,
             "the key is found");
    t_is_int(find.found.status, 201,
             "the key is found with the status of its answer");
    t_is_str(find.found.body, "{}",
             "the key is found with the body of its answer");

    /* A write that fails does not use up its key. */
    a = t_judge_row(api);
    a->row.id = known;
    again.key = JUDGE_STR("k2");
    again.taken = false;
    a->op.idempotency = &again;
    judge_runner_group(api->db, &a->op);
    t_is_int(a->op.rc, JUDGE_CONFLICT, "a write with a key can fail");
    find.found.key = again.key;
    t_is_int(t_op(api, &find.op, JUDGE_OP_IDEMPOTENCY_FIND), JUDGE_NOT_FOUND,
             "a write that fails does not use up its key");
}


static void
test_snapshot(t_api_t *api)
{
    judge_str_t         first, second;
    judge_runner_t     *reader;
    judge_judge_list_t  list;

    reader = judge_store_open(api->arena, judge_str_c(api->directory),
                               false, NULL);
    t_ok(reader != NULL, "a connection for reads can be opened");

    t_api_organization(api);
    first = t_make_judge(api);

    memset(&list, 0, sizeof(list));
    list.op.kind = JUDGE_OP_JUDGE_LIST;
    list.op.org = api->org;
    list.op.arena = api->arena;
    list.page.limit = 10;

    t_is_int(judge_runner_begin(reader), JUDGE_OK, "a snapshot can be taken");
    (void) judge_runner_read(reader, &list.op);
    t_is_int((int64_t) list.count, 1,
             "a snapshot has the judge that was there");
    second = t_make_judge(api);
    list.count = 0;
    (void) judge_runner_read(reader, &list.op);
    t_is_int((int64_t) list.count, 1, "a snapshot does not see a later judge");
    judge_runner_end(reader);

    list.count = 0;
    (void) judge_runner_reads(reader, &list.op);
    t_is_int((int64_t) list.count, 2,
             "the later judge is seen without a snapshot");
    t_is_str(list.rows[0].id, second.data, "the newest judge comes first");
    t_is_str(list.rows[1].id, first.data, "the oldest judge comes last");
    judge_runner_close(reader);
}


/* Pages of large rows, and reads that leave others for later. */

static void
test_page(t_api_t *api)
{
    size_t                 i;
    judge_buf_t            text;
    judge_judge_list_t     list[2];
    judge_judge_create_t  *o;

    judge_buf_init(&text, api->arena);
    for (i = 0; i < JUDGE_PAGE_BYTES - 1000; i++) {
        judge_buf_append(&text, "x", 1);
    }

    t_api_organization(api);
    for (i = 0; i < 3; i++) {
        o = t_judge_row(api);
        o->row.description = judge_buf_view(&text);
        t_is_int(t_op(api, &o->op, JUDGE_OP_JUDGE_CREATE), JUDGE_OK,
                 "a large judge can be stored");
    }

    memset(list, 0, sizeof(list));
    for (i = 0; i < 2; i++) {
        list[i].op.kind = JUDGE_OP_JUDGE_LIST;
        list[i].op.org = api->org;
        list[i].op.arena = api->arena;
        list[i].page.limit = 200;
    }
    list[0].op.next = &list[1].op;

    t_ok(judge_runner_reads(api->db, &list[0].op) == &list[1].op,
         "what is read next is left when much has been read");
    t_is_int((int64_t) list[0].count, 2, "a page ends at so many bytes");
    t_ok(list[0].page.more, "a page that ended early says that there is more");
    t_is_int((int64_t) list[1].count, 0, "a read that was left has not begun");

    list[1].page.before = list[0].rows[1].id;
    t_ok(judge_runner_reads(api->db, &list[1].op) == NULL,
         "nothing is left of the second read");
    t_is_int((int64_t) list[1].count, 1, "the second page has the rest");
    t_ok(!list[1].page.more, "the second page says that there is no more");
}


/* Each organization in its turn, also where what is left of one group of
 * reads comes before the next. */

static void
test_turns(void)
{
    size_t        i, once = 0;
    char          read[10], names[128][16];
    judge_op_t   *op, ops[9], many[128];
    const char   *orgs[] = { "a", "b", "c" };

    memset(ops, 0, sizeof(ops));
    memset(many, 0, sizeof(many));
    for (i = 0; i < 9; i++) {
        ops[i].org = (judge_str_t) { 1, orgs[i / 3] };
        ops[i].next = i < 8 ? &ops[i + 1] : NULL;
    }

    for (i = 0, op = ops; i < 9 && op; i++, op = op->next) {
        op = judge_runner_in_turn(op);
        read[i] = op->org.data[0];
    }

    read[i] = '\0';
    t_ok(strcmp(read, "abcabcabc") == 0,
         "one read of each organization comes by turns: %s", read);

    /* So many that some have the same hash. */
    for (i = 0; i < 128; i++) {
        (void) snprintf(names[i], sizeof(names[i]), "org_%zu", i / 2);
        many[i].org = judge_str_c(names[i]);
        many[i].next = i < 127 ? &many[i + 1] : NULL;
    }

    for (i = 0, op = judge_runner_in_turn(many); i < 64; i++, op = op->next) {
        once += op == &many[2 * i];
    }

    t_is_int((int64_t) once, 64, "each of 64 before one has its second turn");

    for (i = 0; i < 128; i++) {
        (void) snprintf(names[i], sizeof(names[i]), "org_%zu", i);
        many[i].org = judge_str_c(names[i]);
        many[i].next = i < 127 ? &many[i + 1] : NULL;
    }

    for (i = 0, op = judge_runner_in_turn(many); op; i++, op = op->next) {
        /* void */
    }

    t_is_int((int64_t) i, 128, "none is lost where there are more");
}


/* --- Migrations ---------------------------------------------------------- */


static void
test_migrate(t_api_t *api)
{
    char         sql[64];
    sqlite3     *db;
    judge_str_t  directory, error;

    directory = judge_str_c(api->directory);
    t_ok(judge_migrations_count > 0
         && judge_migrations[judge_migrations_count] == NULL,
         "there are migrations");
    t_is_int(judge_store_migrate(api->arena, directory, &error), JUDGE_OK,
             "a schema that is up to date stays as it is");

    db = handle(api);
    (void) snprintf(sql, sizeof(sql), "PRAGMA user_version = %zu",
                    judge_migrations_count + 1);
    t_is_int(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK,
             "the schema can be marked as a newer one");
    t_is_int(judge_store_migrate(api->arena, directory, &error),
             JUDGE_STALE, "a newer schema is refused");
    t_ok(strstr(error.data, "newer than this program's") != NULL,
         "the error says that the schema is newer: %s", error.data);
    (void) snprintf(sql, sizeof(sql), "PRAGMA user_version = %zu",
                    judge_migrations_count);
    t_is_int(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK,
             "the schema can be marked as before");
    (void) sqlite3_close(db);

    t_ok(judge_store_migrate(api->arena, JUDGE_STR("/nowhere/at/all"),
                              &error) != JUDGE_OK && error.len > 0,
         "a folder that is not there is refused: %s", error.data);
}


static void
test_reopened(t_api_t *api)
{
    judge_str_t  id;

    id = t_make_judge(api);
    judge_runner_close(api->db);
    api->db = judge_store_open(api->arena, judge_str_c(api->directory),
                                true, NULL);
    t_ok(api->db != NULL, "the store can be opened again");
    (void) find_judge(api, id, JUDGE_OK, "what was committed is there");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_table(api);
    test_group(api);
    test_idempotency(api);
    test_snapshot(api);
    test_page(api);
    test_turns();
    test_migrate(api);
    test_reopened(api);

    t_api_destroy(api);

    return t_done();
}
