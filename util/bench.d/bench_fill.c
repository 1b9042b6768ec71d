/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Fills a store with evaluations, faster than requests do:
 *
 *   build/bench_fill DIR N
 *
 * The store has one organization with judges, contents, completed, failed and
 * waiting evaluations, feedback, a batch and deliveries, made by the service
 * itself.  What is added are copies of those rows, whatever columns they have,
 * with identifiers, times and organizations of their own.  Nobody else uses
 * the store meanwhile.  Prints the rows, and how many per second.
 */


#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/core/id.h"
#include "base/core/str.h"
#include "base/core/time.h"
#include "store/packing/packing.h"


#define FILL_BATCH      100            /* evaluations of a batch */
#define FILL_LARGE      50             /* the last one: n / 50 */
#define FILL_LARGEST    200000
#define FILL_COMMIT     20000
#define FILL_TOGETHER   8              /* results of a row */
#define FILL_TEMPLATES  256
#define FILL_EVERY      10             /* ms between two evaluations */

enum { FILL_KEY = 1, FILL_ORG, FILL_CONTENT, FILL_EVALUATION, FILL_BATCH_ID,
       FILL_TIME, FILL_RESULT, FILL_OWN, FILL_EVENT, FILL_SEQ, FILL_TOTAL };

/* A table; where its templates come from, with a key; and the columns that
 * are other than theirs, as parameters. */
typedef struct {
    const char    *table;
    const char    *from;
    const char    *changes[9][2];
    sqlite3_stmt  *st;
} fill_table_t;

typedef struct {
    judge_str_t  id;
    judge_str_t  content;
    judge_str_t  body;
    judge_str_t  features;
} fill_template_t;

typedef enum { FILL_COMPLETED, FILL_FAILED, FILL_PROCESSING } fill_status_e;


/* Several of an evaluation differ in their ends. */
#define FILL_OWN_LIKE(column)                                                 \
    "substr(?8, 1, length(?8) - 6) || substr(" column ", -6)"

#define FILL_OF_EVALUATION(table)                                             \
    "SELECT e.id AS k, x.* FROM evaluations e JOIN " table " x"               \
    " ON x.org = e.org AND x.evaluation_id = e.id"

enum { T_ORG, T_JUDGES, T_VERSIONS, T_CONTENTS, T_EVALUATIONS, T_FEEDBACK,
       T_EXAMPLES, T_BATCHES, T_BATCH_TEXTS, T_DELIVERIES,
       T_DELIVERY_BODIES, T_COUNT };

static fill_table_t  fill_tables[T_COUNT] = {
    { "organizations", "SELECT '' AS k, * FROM organizations",
      { { "id", "?2" } }, NULL },
    { "judges", "SELECT '' AS k, * FROM judges", { { "org", "?2" } }, NULL },
    { "judge_versions", "SELECT '' AS k, * FROM judge_versions",
      { { "org", "?2" } }, NULL },
    { "contents", "SELECT DISTINCT id AS k, * FROM contents",
      { { "org", "?2" }, { "id", "?3" }, { "created_at", "?6" } }, NULL },
    { "evaluations", "SELECT id AS k, * FROM evaluations",
      { { "org", "?2" }, { "id", "?4" }, { "content_id", "?3" },
        { "batch_id", "?5" }, { "created_at", "?6" }, { "batch_seq", "?10" },
        { "result", "?7" },
        { "evaluated_at", "CASE status WHEN 'processing' THEN NULL ELSE ?6"
          " END" } }, NULL },
    { "feedback", FILL_OF_EVALUATION("feedback"),
      { { "org", "?2" }, { "id", FILL_OWN_LIKE("id") },
        { "evaluation_id", "?4" }, { "content_id", "?3" },
        { "batch_id", "?5" },
        { "submitted_at", "?6" } }, NULL },
    { "examples", FILL_OF_EVALUATION("examples"),
      { { "org", "?2" }, { "evaluation_id", "?4" },
        { "content_id", "?3" }, { "created_at", "?6" },
        { "feedback_id", FILL_OWN_LIKE("feedback_id") } }, NULL },
    { "batches", "SELECT '' AS k, * FROM batches WHERE status = 'completed'",
      { { "org", "?2" }, { "id", "?5" }, { "created_at", "?6" },
        { "total", "?11" }, { "completed", "?11" }, { "last_seq", "?11" } },
      NULL },
    { "batch_texts", "SELECT '' AS k, t.* FROM batches b JOIN batch_texts t"
      " ON t.org = b.org AND t.batch_id = b.id WHERE b.status = 'completed'",
      { { "org", "?2" }, { "batch_id", "?5" } }, NULL },
    { "deliveries", "SELECT '' AS k, * FROM deliveries ORDER BY id LIMIT 1",
      { { "org", "?2" }, { "id", "?8" }, { "event_id", "?9" },
        { "status", "'delivered'" }, { "queue_at", "NULL" },
        { "owner", "NULL" }, { "created_at", "?6" } }, NULL },
    { "delivery_bodies", "SELECT '' AS k, * FROM delivery_bodies ORDER BY id"
      " LIMIT 1",
      { { "org", "?2" }, { "id", "?8" } }, NULL },
};

static sqlite3          *fill_db;
static judge_arena_t    *fill_arena, *fill_own;
static fill_template_t   fill_templates[3][FILL_TEMPLATES];
static sqlite3_stmt     *fill_together;
static int64_t           fill_number;            /* of the row at hand */
static judge_str_t       fill_bodies[FILL_TOGETHER];
static judge_str_t       fill_features[FILL_TOGETHER];
static size_t            fill_held;
static size_t            fill_counts[3];
static long              fill_rows;


static void
fill_die(const char *what)
{
    (void) fprintf(stderr, "bench_fill: %s: %s\n", what,
                   fill_db ? sqlite3_errmsg(fill_db) : "");
    exit(1);
}


static void
fill_run(const char *sql)
{
    if (sqlite3_exec(fill_db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fill_die(sql);
    }
}


/* --- Templates ----------------------------------------------------------- */

/* The expression of a column: its own value unless it is changed. */

static const char *
fill_column(const fill_table_t *t, const char *name)
{
    size_t  i;

    for (i = 0; i < 9 && t->changes[i][0]; i++) {
        if (strcmp(t->changes[i][0], name) == 0) {
            return t->changes[i][1];
        }
    }

    return name;
}


static void
fill_prepare(fill_table_t *t)
{
    judge_str_t    sql, columns, values;
    const char    *name;
    sqlite3_stmt  *st;

    sql = judge_str_printf(fill_arena, "CREATE TEMP TABLE t_%s AS %s; CREATE"
                           " INDEX temp.i_%s ON t_%s (k)", t->table, t->from,
                           t->table, t->table);
    fill_run(sql.data);

    sql = judge_str_printf(fill_arena, "SELECT name FROM"
                           " pragma_table_info('%s')", t->table);
    if (sqlite3_prepare_v2(fill_db, sql.data, -1, &st, NULL) != SQLITE_OK) {
        fill_die(t->table);
    }

    columns = values = JUDGE_STR("");
    while (sqlite3_step(st) == SQLITE_ROW) {
        name = (const char *) sqlite3_column_text(st, 0);
        columns = judge_str_printf(fill_arena, "%s%s%s", columns.data,
                                   columns.len ? ", " : "", name);
        values = judge_str_printf(fill_arena, "%s%s%s", values.data,
                                  values.len ? ", " : "",
                                  fill_column(t, name));
    }
    sqlite3_finalize(st);

    sql = judge_str_printf(fill_arena, "INSERT INTO main.%s (%s) SELECT %s"
                           " FROM temp.t_%s WHERE k = ?1", t->table,
                           columns.data, values.data, t->table);
    if (sqlite3_prepare_v2(fill_db, sql.data, -1, &t->st, NULL)
        != SQLITE_OK)
    {
        fill_die(sql.data);
    }
}


static judge_str_t
fill_copy(sqlite3_stmt *st, int i)
{
    size_t       n;
    const char  *data;
    judge_str_t  s;

    data = sqlite3_column_blob(st, i);
    n = (size_t) sqlite3_column_bytes(st, i);
    s = judge_str_printf(fill_arena, "%*s", (int) n + 1, "");
    if (s.data == NULL) {
        fill_die("out of memory");
    }
    if (n) {
        memcpy((char *) s.data, data, n);
    }

    return (judge_str_t) { n, s.data };
}


static void
fill_templates_read(void)
{
    size_t            kind, slot;
    sqlite3_stmt     *st;
    fill_template_t  *t;

    if (sqlite3_prepare_v2(fill_db, "SELECT e.status = 'failed',"
        " e.status = 'processing', e.id, e.content_id,"
        " coalesce(t.bodies, r.body, ''), t.features, e.result % 64"
        " FROM evaluations e LEFT JOIN results_together t ON"
        " t.org = e.org AND t.number = e.result / 64"
        " LEFT JOIN results r ON r.org = e.org AND"
        " r.evaluation_id = e.id ORDER BY e.content_id, e.id", -1, &st, NULL)
        != SQLITE_OK
        || sqlite3_prepare_v2(fill_db, "INSERT INTO results_together (number,"
            " kept, features, bodies, org) VALUES (?1, ?2, ?3, ?4, ?5)", -1,
            &fill_together, NULL) != SQLITE_OK)
    {
        fill_die("templates");
    }

    while (sqlite3_step(st) == SQLITE_ROW) {
        kind = sqlite3_column_int(st, 1) ? FILL_PROCESSING
               : sqlite3_column_int(st, 0) ? FILL_FAILED : FILL_COMPLETED;
        if (fill_counts[kind] == FILL_TEMPLATES) {
            continue;
        }
        t = &fill_templates[kind][fill_counts[kind]++];
        t->id = fill_copy(st, 2);
        t->content = fill_copy(st, 3);
        slot = (size_t) sqlite3_column_int(st, 6);
        t->body = judge_unpack(fill_arena, fill_copy(st, 4));
        if (sqlite3_column_type(st, 6) != SQLITE_NULL) {
            t->body = judge_unpack_one(fill_arena, t->body, slot);
            t->features = judge_unpack_one(fill_arena, fill_copy(st, 5), slot);
        }
    }

    sqlite3_finalize(st);

    if (fill_counts[FILL_COMPLETED] == 0) {
        fill_die("the store has no completed evaluation");
    }
}


/* --- Rows ---------------------------------------------------------------- */

static void
fill_bind(int i, judge_str_t s, int first, int last)
{
    int  k;

    for (k = first; k <= last; k++) {
        if (i <= sqlite3_bind_parameter_count(fill_tables[k].st)) {
            (void) sqlite3_bind_text(fill_tables[k].st, i, s.data,
                                     (int) s.len, SQLITE_STATIC);
        }
    }
}


static void
fill_bind_int(int i, int64_t n, int first, int last)
{
    int  k;

    for (k = first; k <= last; k++) {
        if (i <= sqlite3_bind_parameter_count(fill_tables[k].st)) {
            (void) sqlite3_bind_int64(fill_tables[k].st, i, n);
        }
    }
}


static void
fill_insert(int table)
{
    sqlite3_stmt  *st = fill_tables[table].st;

    if (sqlite3_step(st) != SQLITE_DONE) {
        fill_die(fill_tables[table].table);
    }

    fill_rows += sqlite3_changes(fill_db);
    (void) sqlite3_reset(st);
}


static judge_str_t
fill_id(judge_id_t *id, const char *prefix, judge_ms_t at)
{
    if (judge_id_make(id, prefix, at) != JUDGE_OK) {
        fill_die("no random numbers");
    }

    return judge_id_str(id);
}


/* The identifiers in it are as long as before. */

static judge_str_t
fill_body(const fill_template_t *t, judge_str_t id, judge_str_t content)
{
    char   *body, *at;

    body = (char *) judge_str_printf(fill_own, "%.*s", (int) t->body.len,
                                     t->body.data).data;
    if (body == NULL) {
        fill_die("out of memory");
    }

    while ((at = strstr(body, t->id.data)) != NULL) {
        memcpy(at, id.data, id.len);
    }
    while ((at = strstr(body, t->content.data)) != NULL) {
        memcpy(at, content.data, content.len);
    }

    return (judge_str_t) { t->body.len, body };
}


/* Writes what is held as a row. */

static void
fill_flush(void)
{
    judge_str_t  bodies, features;

    if (fill_held == 0) {
        return;
    }

    bodies = judge_pack(fill_own, judge_pack_together(fill_own, fill_bodies,
                                                      fill_held));
    features = judge_pack_together(fill_own, fill_features, fill_held);

    (void) sqlite3_bind_int64(fill_together, 1, fill_number);
    (void) sqlite3_bind_int64(fill_together, 2, (int64_t) fill_held);
    (void) sqlite3_bind_blob(fill_together, 3, features.data,
                             (int) features.len, SQLITE_STATIC);
    (void) sqlite3_bind_blob(fill_together, 4, bodies.data, (int) bodies.len,
                             SQLITE_STATIC);
    if (features.data == NULL || bodies.data == NULL
        || sqlite3_step(fill_together) != SQLITE_DONE)
    {
        fill_die("results_together");
    }

    (void) sqlite3_reset(fill_together);
    judge_arena_reset(fill_own);
    fill_rows++;
    fill_number++;
    fill_held = 0;
}


static void
fill_org(judge_id_t *org, judge_ms_t at)
{
    fill_bind(FILL_ORG, fill_id(org, "org", at), 0, T_COUNT - 1);
    fill_bind(FILL_KEY, JUDGE_STR(""), T_ORG, T_VERSIONS);
    fill_insert(T_ORG);
    fill_insert(T_JUDGES);
    fill_insert(T_VERSIONS);
}


/* One evaluation of a batch, or of none; some with feedback and deliveries. */

static void
fill_evaluation(long i, fill_status_e kind, judge_ms_t at)
{
    const fill_template_t  *t;
    static judge_id_t       id, content, own, event;
    static judge_str_t      content_of;

    t = &fill_templates[kind][(size_t) i % fill_counts[kind]];
    fill_bind(FILL_KEY, t->content, T_CONTENTS, T_CONTENTS);
    fill_bind(FILL_KEY, t->id, T_EVALUATIONS, T_EXAMPLES);
    fill_bind(FILL_EVALUATION, fill_id(&id, "evl", at), 0, T_COUNT - 1);
    fill_bind_int(FILL_TIME, at, 0, T_COUNT - 1);

    /* Judges look at the same content one after another. */
    if (content_of.data == NULL || !judge_str_eq(content_of, t->content)) {
        content_of = t->content;
        fill_bind(FILL_CONTENT, fill_id(&content, "cnt", at), 0, T_COUNT - 1);
        fill_insert(T_CONTENTS);
    }

    (void) sqlite3_bind_null(fill_tables[T_EVALUATIONS].st, FILL_RESULT);
    if (t->body.len) {
        fill_bind_int(FILL_RESULT, fill_number * 64 + (int64_t) fill_held,
                      T_EVALUATIONS, T_EVALUATIONS);
        fill_bodies[fill_held] = fill_body(t, judge_id_str(&id),
                                           judge_id_str(&content));
        fill_features[fill_held++] = t->features;
    }
    fill_insert(T_EVALUATIONS);
    if (fill_held == FILL_TOGETHER) {
        fill_flush();
    }

    if (kind == FILL_COMPLETED && i % 40 == 0) {
        fill_bind(FILL_OWN, fill_id(&own, "fbk", at), T_FEEDBACK, T_EXAMPLES);
        fill_insert(T_FEEDBACK);
        fill_insert(T_EXAMPLES);
    }

    if (i % 20 == 0) {
        fill_bind(FILL_KEY, JUDGE_STR(""), T_DELIVERIES, T_DELIVERY_BODIES);
        fill_bind(FILL_OWN, fill_id(&own, "whd", at), T_DELIVERIES,
                  T_DELIVERY_BODIES);
        fill_bind(FILL_EVENT, fill_id(&event, "evt", at), T_DELIVERIES,
                  T_DELIVERIES);
        fill_insert(T_DELIVERIES);
        fill_insert(T_DELIVERY_BODIES);
    }
}


/* Of a hundred evaluations one waits for a worker and one has failed, and
 * neither is in a batch.  Of a large batch the older half has ended and of the
 * others half wait. */

static fill_status_e
fill_kind(long i, long n, bool large)
{
    fill_status_e  kind;

    if (large) {
        kind = i < n / 2 ? FILL_COMPLETED
               : i % 2 ? FILL_FAILED : FILL_PROCESSING;
    } else {
        kind = i % 100 == 99 ? FILL_FAILED
               : i % 100 == 49 ? FILL_PROCESSING : FILL_COMPLETED;
    }

    return fill_counts[kind] ? kind : FILL_COMPLETED;
}


static void
fill_batch(long from, long n, const judge_id_t *org, judge_ms_t at, bool large)
{
    long           i, seq;
    judge_id_t     batch;
    fill_status_e  kind;

    fill_bind(FILL_ORG, judge_id_str(org), 0, T_COUNT - 1);
    (void) sqlite3_bind_text(fill_together, 5, judge_id_str(org).data,
                             (int) judge_id_str(org).len, SQLITE_TRANSIENT);
    fill_bind(FILL_KEY, JUDGE_STR(""), T_BATCHES, T_BATCH_TEXTS);
    (void) fill_id(&batch, "bat", at);

    for (seq = 0, i = 0; i < n; i++) {
        kind = fill_kind(large ? i : from + i, n, large);
        if (large || kind == FILL_COMPLETED) {
            fill_bind(FILL_BATCH_ID, judge_id_str(&batch), 0, T_COUNT - 1);
        } else {
            (void) sqlite3_bind_null(fill_tables[T_EVALUATIONS].st,
                                     FILL_BATCH_ID);
        }
        if (kind == FILL_COMPLETED) {
            fill_bind_int(FILL_SEQ, ++seq, T_EVALUATIONS, T_EVALUATIONS);
        } else {
            (void) sqlite3_bind_null(fill_tables[T_EVALUATIONS].st, FILL_SEQ);
        }
        fill_evaluation(from + i, kind, at + i * FILL_EVERY);
    }

    fill_flush();
    fill_bind(FILL_BATCH_ID, judge_id_str(&batch), T_BATCHES, T_BATCH_TEXTS);
    fill_bind_int(FILL_TIME, at, T_BATCHES, T_BATCHES);
    fill_bind_int(FILL_TOTAL, seq, T_BATCHES, T_BATCHES);
    fill_insert(T_BATCHES);
    fill_insert(T_BATCH_TEXTS);
}


/* --- All ----------------------------------------------------------------- */

static double
fill_seconds(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_MONOTONIC, &ts);

    return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}


static void
fill_open(const char *directory)
{
    int            i;
    judge_str_t    path;
    sqlite3_stmt  *st;

    fill_arena = judge_arena_create(1 << 20);
    fill_own = judge_arena_create(1 << 16);
    if (fill_arena == NULL || fill_own == NULL) {
        fill_die("out of memory");
    }

    path = judge_str_printf(fill_arena, "%s/judge.db", directory);
    if (sqlite3_open_v2(path.data, &fill_db, SQLITE_OPEN_READWRITE, NULL)
        != SQLITE_OK)
    {
        fill_die(path.data);
    }

    fill_run("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;"
             " PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF");
    fill_templates_read();
    if (sqlite3_prepare_v2(fill_db, "SELECT max(number) + 1"
                           " FROM results_together", -1, &st, NULL)
        != SQLITE_OK || sqlite3_step(st) != SQLITE_ROW)
    {
        fill_die("results_together");
    }
    fill_number = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    for (i = 0; i < T_COUNT; i++) {
        fill_prepare(&fill_tables[i]);
    }
}


int
main(int argc, char **argv)
{
    long           i, n, k, large, norgs;
    double         began, took;
    judge_id_t    *orgs;
    judge_ms_t     at;
    sqlite3_stmt  *st = NULL;

    n = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    if (n <= 0 || n > 100000000) {
        (void) fprintf(stderr, "usage: bench_fill DIR N\n");
        return 2;
    }

    fill_open(argv[1]);
    norgs = 1 + n / 10000;
    orgs = calloc((size_t) norgs, sizeof(judge_id_t));
    if (orgs == NULL
        || sqlite3_prepare_v2(fill_db, "SELECT org FROM evaluations LIMIT 1",
                              -1, &st, NULL) != SQLITE_OK
        || sqlite3_step(st) != SQLITE_ROW)
    {
        fill_die("no organization");
    }
    judge_id_set(&orgs[0], judge_str_c((const char *)
                                       sqlite3_column_text(st, 0)));
    sqlite3_finalize(st);

    began = fill_seconds();
    at = judge_time_now() - n * FILL_EVERY;
    fill_run("BEGIN");
    for (i = 1; i < norgs; i++) {
        fill_org(&orgs[i], at);
    }
    large = n / FILL_LARGE < FILL_LARGEST ? n / FILL_LARGE : FILL_LARGEST;
    for (i = 0; i < n; i += k) {
        k = i >= n - large ? n - i
            : n - large - i < FILL_BATCH ? n - large - i : FILL_BATCH;
        /* Half of the batches are the first organization's. */
        fill_batch(i, k, &orgs[i < n - large && i / FILL_BATCH % 2
                               ? i / FILL_BATCH / 2 % norgs : 0],
                   at + i * FILL_EVERY, i >= n - large);
        if (i % FILL_COMMIT == 0) {
            fill_run("COMMIT; BEGIN");
        }
    }
    fill_run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");

    took = fill_seconds() - began;
    (void) printf("%ld %.0f\n", fill_rows, (double) fill_rows / took);
    (void) sqlite3_close(fill_db);
    free(orgs);

    return 0;
}
