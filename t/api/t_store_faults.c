/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Groups of operations whose reads, writes, syncs and allocations fail, one
 * after another, until none is left that could: what was answered with
 * success is stored, whole, and nothing else is.
 */


#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "harness.h"
#include "store/ops/store_ops.h"
#include "store/store_feedback.h"
#include "store/store_settings.h"
#include "store/store_queue.h"
#include "store/store_webhook.h"
#include "work/render/event_json.h"


#define T_OPS         11
#define T_LARGE       (4 << 20)        /* three of them fill the page cache */
#define T_MARK        INT64_C(1234567)


/* An operation, and how its rows are counted: `whole` of them, or none. */
typedef struct {
    judge_op_t   *op;
    const char   *sql;                 /* ?1 is the id */
    judge_str_t   id;
    int64_t       whole;
} t_effect_t;

typedef struct {
    t_api_t              *api;
    judge_str_t           judge;
    judge_str_t           content;
    judge_str_t           done;        /* a completed evaluation */
    char                 *text;        /* large */
    unsigned              number;      /* of the group */
    t_effect_t            effects[T_OPS];
    size_t                count;
    size_t                stored;      /* operations, in all groups */
    size_t                refused;
} t_group_t;

static const struct {
    const char      *name;
    t_fault_kind_e   kind;
    int              rc;
    bool             lasts;
    bool             large;
    unsigned         step;
} modes[] = {
    { "a read fails", T_FAULT_READ, SQLITE_IOERR_READ, false, false, 1 },
    { "reads fail", T_FAULT_READ, SQLITE_IOERR_READ, true, false, 1 },
    { "a write fails", T_FAULT_WRITE, SQLITE_IOERR_WRITE, false, false, 1 },
    { "the disk is full", T_FAULT_WRITE, SQLITE_FULL, true, false, 1 },
    { "a sync fails", T_FAULT_SYNC, SQLITE_IOERR_FSYNC, false, false, 1 },
    { "syncs fail", T_FAULT_SYNC, SQLITE_IOERR_FSYNC, true, false, 1 },
    { "the disk is full before the commit", T_FAULT_WRITE, SQLITE_FULL, true,
      true, 997 },
    { "a write before the commit fails", T_FAULT_WRITE, SQLITE_IOERR_WRITE,
      false, true, 997 },
    { "an allocation fails", T_FAULT_MEMORY, SQLITE_NOMEM, false, false, 7 },
    { "allocations fail", T_FAULT_MEMORY, SQLITE_NOMEM, true, false, 29 }
};


/* --- What a group consists of -------------------------------------------- */


static judge_str_t
new_id(t_group_t *g, const char *prefix)
{
    judge_id_t  id;

    if (judge_id_make(&id, prefix, g->api->now) != JUDGE_OK) {
        exit(1);
    }

    return judge_str_dup(g->api->arena, judge_id_str(&id));
}


static void *
new_op(t_group_t *g, size_t size, judge_op_kind_e kind)
{
    judge_op_t  *op;

    op = judge_calloc(g->api->arena, size);
    op->kind = kind;
    op->org = g->api->org;
    op->arena = g->api->arena;
    op->submitted_at = g->api->now;

    return op;
}


static void
add(t_group_t *g, judge_op_t *op, judge_str_t id, int64_t whole,
    const char *sql)
{
    if (g->count) {
        g->effects[g->count - 1].op->next = op;
    }

    g->effects[g->count++] = (t_effect_t) { op, sql, id, whole };
}


/* The key is the identifier. */

static void
add_key(t_group_t *g, judge_op_t *op, judge_str_t id)
{
    op->idempotency = judge_calloc(g->api->arena,
                                   sizeof(judge_idempotency_t));
    *op->idempotency = (judge_idempotency_t) {
        .key = id, .fingerprint = JUDGE_STR("f"), .status = 201,
        .body = JUDGE_STR("{}"), .now = g->api->now
    };
}


static judge_content_create_t *
content_op(t_group_t *g, judge_str_t text)
{
    judge_content_create_t  *o;

    o = new_op(g, sizeof(*o), JUDGE_OP_CONTENT_CREATE);
    o->row = (judge_content_row_t) {
        .id = new_id(g, "cnt"), .file_type = JUDGE_STR("text"),
        .status = JUDGE_STR("ready"), .name = JUDGE_STR("N"),
        .text_content = text
    };

    return o;
}


static judge_judge_create_t *
judge_create_op(t_group_t *g)
{
    judge_judge_create_t  *o;

    o = new_op(g, sizeof(*o), JUDGE_OP_JUDGE_CREATE);
    o->row = (judge_judge_row_t) {
        .id = new_id(g, "jdg"), .content_type = JUDGE_STR("text"),
        .status = JUDGE_STR("ready"), .version = 1, .criteria_count = 1,
        .name = JUDGE_STR("N"), .changes_summary = JUDGE_STR(""),
        .description = JUDGE_STR(""), .criteria = JUDGE_STR("[]")
    };

    return o;
}


static judge_evaluation_create_t *
evaluation_op(t_group_t *g)
{
    judge_evaluation_create_t  *o;

    o = new_op(g, sizeof(*o), JUDGE_OP_EVALUATION_CREATE);
    o->row = (judge_evaluation_row_t) {
        .id = new_id(g, "evl"), .queue_at = g->api->now,
        .priority = JUDGE_PRIORITY_NORMAL, .content_id = g->content,
        .judge_id = g->judge, .judge_version = 1,
        .created_at = g->api->now, .deadline = g->api->now + 3600000
    };

    return o;
}


static judge_queue_claim_t *
claim_op(t_group_t *g, judge_str_t owner)
{
    judge_queue_claim_t  *o;

    o = new_op(g, sizeof(*o), JUDGE_OP_QUEUE_CLAIM);
    o->lease.owner = owner;
    o->now = g->api->now;
    o->lease.until = g->api->now + 30000;
    o->aging = 60000;
    o->limit = 1;
    o->jobs = judge_calloc(g->api->arena, sizeof(judge_job_t *));

    return o;
}


static judge_queue_finish_t *
finish_op(t_group_t *g, judge_str_t owner, judge_str_t id)
{
    judge_queue_finish_t  *o;

    o = new_op(g, sizeof(*o), JUDGE_OP_QUEUE_FINISH);
    o->owner = owner;
    o->count = 1;
    o->results = judge_calloc(g->api->arena, sizeof(judge_result_t));
    *o->results = (judge_result_t) {
        .org = g->api->org, .id = id, .status = JUDGE_STR("completed"),
        .evaluated_at = g->api->now, .overall_score = 50, .scored = true,
        .body = judge_str_printf(g->api->arena, "{\"id\":\"%s\"}", id.data)
    };

    return o;
}


static judge_feedback_create_t *
feedback_op(t_group_t *g)
{
    judge_feedback_create_t  *o;

    o = new_op(g, sizeof(*o), JUDGE_OP_FEEDBACK_CREATE);
    o->submitted_by = JUDGE_STR("key");
    o->now = g->api->now;
    o->count = 1;
    o->rows = judge_calloc(g->api->arena, sizeof(judge_feedback_row_t));
    *o->rows = (judge_feedback_row_t) {
        .id = new_id(g, "fbk"), .evaluation_id = g->done,
        .type = JUDGE_STR("comment"), .target_criteria = JUDGE_STR("[]"),
        .given_scores = JUDGE_STR("{}"), .content = JUDGE_STR("{}")
    };

    return o;
}


static void
run(t_group_t *g, judge_op_t *op, const char *name)
{
    judge_runner_group(g->api->db, op);
    if (op->rc != JUDGE_OK) {
        t_is_int(op->rc, JUDGE_OK,
                 "%s: the group is done: %s", name,
                 judge_runner_message(g->api->db));
    }
}


static judge_str_t
claimed(t_group_t *g, judge_str_t owner)
{
    judge_queue_claim_t  *o;

    run(g, &evaluation_op(g)->op, "an evaluation");
    o = claim_op(g, owner);
    run(g, &o->op, "claimed");

    return o->count ? o->jobs[0]->id : JUDGE_STR("");
}


/* --- A group ------------------------------------------------------------- */


static void
add_creates(t_group_t *g)
{
    judge_event_t              *event;
    judge_judge_create_t       *judge;
    judge_content_create_t     *content;
    judge_evaluation_create_t  *evaluation;

    content = content_op(g, JUDGE_STR("T"));
    add(g, &content->op, content->row.id, 1,
        "SELECT count(*) FROM contents WHERE id = ?1");

    judge = judge_create_op(g);
    add_key(g, &judge->op, judge->row.id);
    add(g, &judge->op, judge->row.id, 4,
        "SELECT (SELECT count(*) FROM judges WHERE id = ?1)"
        " + (SELECT count(*) FROM judge_versions WHERE judge_id = ?1)"
        " + (SELECT count(*) FROM idempotency WHERE key = ?1)"
        " + (SELECT count(*) FROM delivery_bodies WHERE instr(data, ?1))");

    /* A single statement, which needs no savepoint. */
    evaluation = evaluation_op(g);
    add(g, &evaluation->op, evaluation->row.id, 1,
        "SELECT count(*) FROM evaluations WHERE id = ?1");

    evaluation = evaluation_op(g);
    add_key(g, &evaluation->op, evaluation->row.id);
    event = judge_event_add(&evaluation->op,
                            JUDGE_EVENT_EVALUATION_REQUESTED, g->api->org,
                            evaluation->row.id);
    event->url = evaluation->row.id;
    event->data = JUDGE_STR("{}");
    add(g, &evaluation->op, evaluation->row.id, 4,
        "SELECT (SELECT count(*) FROM evaluations WHERE id = ?1)"
        " + (SELECT count(*) FROM idempotency WHERE key = ?1)"
        " + (SELECT count(*) FROM deliveries JOIN delivery_bodies"
        " USING (org, id) WHERE url = ?1)"
        " + (SELECT count(*) FROM webhook_endpoints WHERE url = ?1)");
}


/* Its first statement succeeds, its second one must undo it. */

static void
add_stale(t_group_t *g)
{
    judge_judge_update_t  *o;

    o = new_op(g, sizeof(*o), JUDGE_OP_JUDGE_UPDATE);
    o->row = judge_create_op(g)->row;
    o->row.id = g->judge;
    o->row.active = 1;
    o->row.latest = 1;
    o->row.version_created_at = T_MARK;
    add(g, &o->op, g->judge, 1,
        "SELECT count(*) FROM judges WHERE id = ?1 AND updated_at = 1234567");
}


static void
prepare(t_group_t *g, bool large)
{
    size_t                    i;
    judge_str_t               owner, other, id;
    judge_queue_claim_t      *claim;
    judge_queue_finish_t     *finish;
    judge_feedback_create_t  *feedback;
    judge_content_create_t   *content;

    g->count = 0;
    g->number++;
    owner = judge_str_printf(g->api->arena, "one-%u", g->number);
    other = judge_str_printf(g->api->arena, "two-%u", g->number);
    id = claimed(g, owner);
    run(g, &evaluation_op(g)->op, "an evaluation");

    for (i = 0; large && i < 3; i++) {
        content = content_op(g, (judge_str_t) { T_LARGE, g->text });
        add(g, &content->op, content->row.id, 1,
            "SELECT count(*) FROM contents WHERE id = ?1");
    }

    finish = finish_op(g, owner, id);
    add(g, &finish->op, id, 3,
        "SELECT (SELECT count(*) FROM evaluations WHERE id = ?1"
        " AND status = 'completed')"
        " + (SELECT count(*) FROM evaluations JOIN results_together"
        " ON number = result / 64 WHERE id = ?1)"
        " + (SELECT count(*) FROM delivery_bodies"
        " WHERE data = '{\"id\":\"' || ?1 || '\"}')");

    add_stale(g);
    add_creates(g);

    claim = claim_op(g, other);
    add(g, &claim->op, other, 1,
        "SELECT count(*) FROM evaluations WHERE owner = ?1");

    feedback = feedback_op(g);
    add(g, &feedback->op, feedback->rows->id, 1,
        "SELECT count(*) FROM feedback WHERE id = ?1");
}


/* Anew, so that no page is in memory and everything is read. */

static void
reopen(t_group_t *g)
{
    judge_runner_close(g->api->db);
    g->api->db = judge_store_open(g->api->arena,
                                   judge_str_c(g->api->directory), true,
                                   NULL);
    if (g->api->db == NULL) {
        printf("Bail out! cannot open the store\n");
        exit(1);
    }

    judge_runner_render(g->api->db, judge_event_render, false);
}


static int64_t
count(sqlite3 *db, const char *sql, judge_str_t id)
{
    int64_t        n;
    sqlite3_stmt  *st;

    n = -1;
    st = NULL;

    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK
        && sqlite3_bind_text64(st, 1, id.data, id.len, SQLITE_STATIC,
                               SQLITE_UTF8)
           == SQLITE_OK
        && sqlite3_step(st) == SQLITE_ROW)
    {
        n = sqlite3_column_int64(st, 0);
    }

    (void) sqlite3_finalize(st);

    return n;
}


static bool
is_stored(t_group_t *g, const char *directory)
{
    bool               ok;
    char               path[128];
    size_t             i;
    int64_t            n, want;
    sqlite3           *db;
    const t_effect_t  *effect;

    (void) snprintf(path, sizeof(path), "%s/judge.db", directory);
    if (sqlite3_open(path, &db) != SQLITE_OK) {
        return false;
    }

    ok = true;

    for (i = 0; i < g->count; i++) {
        effect = &g->effects[i];
        n = count(db, effect->sql, effect->id);
        want = effect->op->rc == JUDGE_OK ? effect->whole : 0;

        if (n != want) {
            printf("# %s ended with %d: %d rows, not %d\n",
                   judge_op_name(effect->op->kind), effect->op->rc, (int) n,
                   (int) want);
            ok = false;
        }

        g->stored += effect->op->rc == JUDGE_OK;
        g->refused += effect->op->rc == JUDGE_BUSY;
    }

    (void) sqlite3_close(db);

    return ok;
}


static bool
is_whole(const char *directory)
{
    char     path[128];
    int64_t  n;
    sqlite3  *db;

    (void) snprintf(path, sizeof(path), "%s/judge.db", directory);
    if (sqlite3_open(path, &db) != SQLITE_OK) {
        return false;
    }

    n = count(db, "SELECT count(*) FROM pragma_integrity_check"
              " WHERE integrity_check = ?1", JUDGE_STR("ok"));
    (void) sqlite3_close(db);

    return n == 1;
}


static void
test_groups(t_group_t *g, size_t mode)
{
    bool         ok, works, struck;
    unsigned     n;
    judge_op_t  *after;

    ok = true;
    works = true;
    g->stored = 0;
    g->refused = 0;

    for (n = 1, struck = true; struck && ok; n += modes[mode].step) {
        prepare(g, modes[mode].large);
        reopen(g);

        t_fault_arm(modes[mode].kind, modes[mode].rc, n, modes[mode].lasts);
        judge_runner_group(g->api->db, g->effects[0].op);
        struck = t_fault_disarm();

        after = &content_op(g, JUDGE_STR("after"))->op;
        judge_runner_group(g->api->db, after);
        works = works && after->rc == JUDGE_OK;

        reopen(g);
        ok = is_stored(g, g->api->directory);
    }

    t_ok(ok, "%s: what was answered is what is stored, %u groups",
         modes[mode].name, n / modes[mode].step);
    t_ok(works, "%s: afterwards the connection works", modes[mode].name);
    t_ok(g->refused > 0 && g->stored >= g->count - 1,
         "%s: %zu were refused, %zu stored", modes[mode].name, g->refused,
         g->stored);
    t_ok(is_whole(g->api->directory), "%s: the database is whole",
         modes[mode].name);
}


/*
 * All processes die while the disk fails: the next start reads the log as it
 * was left.
 */

static bool
copy_file(const char *from, const char *to, const char *name)
{
    char  command[400];

    (void) snprintf(command, sizeof(command), "mkdir -p '%s' && cp '%s/%s'"
                    " '%s'", to, from, name, to);

    return system(command) == 0;
}


static void
test_log(t_group_t *g)
{
    bool  copied;
    char  left[80];

    (void) snprintf(left, sizeof(left), "%s/left", g->api->directory);

    prepare(g, false);
    reopen(g);
    g->stored = 0;
    g->refused = 0;

    /* So that the next sync is that of a commit, not of a new log. */
    run(g, &content_op(g, JUDGE_STR("before"))->op, "a commit before");

    t_fault_arm(T_FAULT_SYNC, SQLITE_IOERR_FSYNC, 1, true);
    judge_runner_group(g->api->db, g->effects[0].op);
    copied = copy_file(g->api->directory, left, "judge.db")
             && copy_file(g->api->directory, left, "judge.db-wal");
    t_ok(t_fault_disarm() && copied, "the log is left after a failed sync");

    t_ok(is_stored(g, left) && g->refused > 0,
         "nothing of what was refused is in it");
    t_ok(is_whole(left), "the database that it makes is whole");
}


/* --- Reads --------------------------------------------------------------- */


static void
test_reads(t_group_t *g)
{
    judge_runner_t      *reader;
    judge_judge_find_t  *a, *b;

    reader = judge_store_open(g->api->arena,
                               judge_str_c(g->api->directory), false, NULL);
    a = new_op(g, sizeof(*a), JUDGE_OP_JUDGE_FIND);
    b = new_op(g, sizeof(*b), JUDGE_OP_JUDGE_FIND);
    a->id = g->judge;
    b->id = g->judge;

    t_is_int(judge_runner_begin(reader), JUDGE_OK,
             "a snapshot can be taken before a page fails");
    t_fault_arm(T_FAULT_READ, SQLITE_IOERR_READ, 4, false);
    (void) judge_runner_read(reader, &a->op);
    t_ok(t_fault_disarm(), "a page cannot be read");
    t_is_int(a->op.rc, JUDGE_BUSY, "a read whose page fails is refused");
    t_ok(!judge_runner_has_snapshot(reader),
         "a failed read gives its snapshot up");
    (void) judge_runner_read(reader, &b->op);
    t_is_int(b->op.rc, JUDGE_BUSY, "nothing is read without a snapshot");
    judge_runner_end(reader);
    t_is_int(judge_runner_begin(reader), JUDGE_OK,
             "another snapshot can be taken");
    (void) judge_runner_read(reader, &b->op);
    t_is_int(b->op.rc, JUDGE_OK, "another snapshot has what was asked for");
    judge_runner_end(reader);
    judge_runner_close(reader);

    reader = judge_store_open(g->api->arena,
                               judge_str_c(g->api->directory), false, NULL);
    a->op.next = &b->op;
    t_fault_arm(T_FAULT_READ, SQLITE_IOERR_READ, 4, false);
    judge_runner_reads(reader, &a->op);
    t_ok(t_fault_disarm(), "a page cannot be read");
    t_is_int(a->op.rc, JUDGE_BUSY, "the first of several reads is refused");
    t_is_int(b->op.rc, JUDGE_OK, "the next of several reads is done");
    t_ok(!judge_runner_has_snapshot(reader),
         "nothing is held after reads that failed");
    judge_runner_close(reader);
}


static void
begin(t_group_t *g)
{
    judge_str_t                 owner;
    judge_judge_create_t       *judge;
    judge_content_create_t     *content;
    judge_settings_webhooks_t  *settings;

    judge = judge_create_op(g);
    run(g, &judge->op, "a judge");
    g->judge = judge->row.id;

    content = content_op(g, JUDGE_STR("T"));
    run(g, &content->op, "a content");
    g->content = content->row.id;

    owner = JUDGE_STR("begin");
    g->done = claimed(g, owner);
    run(g, &finish_op(g, owner, g->done)->op, "a completed evaluation");

    settings = new_op(g, sizeof(*settings), JUDGE_OP_SETTINGS_WEBHOOKS);
    settings->webhooks.url = JUDGE_STR("https://example.com/");
    settings->webhooks.updated_at = g->api->now;
    run(g, &settings->op, "an address for events");
}


int
main(void)
{
    size_t     i;
    t_group_t  g;

    t_fault_install();

    memset(&g, 0, sizeof(g));
    g.api = t_api_create();
    g.text = judge_alloc(g.api->arena, T_LARGE);
    memset(g.text, 'x', T_LARGE);
    begin(&g);

    for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        test_groups(&g, i);
    }

    test_log(&g);
    test_reads(&g);
    t_api_destroy(g.api);

    return t_done();
}
