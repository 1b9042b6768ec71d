/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Results that stand together in a row: read as they were, taken out of it
 * one by one, and beside those that have rows of their own. */


#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "feedback.h"
#include "harness.h"
#include "store/packing/packing.h"


#define T_ITEMS  3

static const char  *judge;

typedef struct {
    const char  *id;                   /* of the batch */
    const char  *evaluations[T_ITEMS];
    const char  *contents[T_ITEMS];
    judge_str_t  bodies[T_ITEMS];      /* as they were answered first */
} t_batch_t;


static void
finish(t_api_t *api)
{
    int  i;

    for (i = 0; i < 10; i++) {
        t_tick(api, 50);
        t_run(api);
    }
}


static judge_str_t
answered(t_api_t *api, const char *evaluation)
{
    return t_sendf(api, "GET", NULL, "/evaluations/%s", evaluation)->body;
}


/* Three short texts; `later`: claimed, and no more. */

static t_batch_t
batch(t_api_t *api, bool later)
{
    size_t      i;
    t_call_t   *c;
    t_batch_t   b;

    c = t_send(api, "POST", "/batches/evaluate", t_format(api, "{\"name\":"
               "\"B\",\"judge_ids\":[\"%s\"],\"content_items\":[{\"name\":"
               "\"A\",\"text_content\":\"One text.\"},{\"name\":\"B\","
               "\"text_content\":\"It is another text.\"},{\"name\":\"C\","
               "\"text_content\":\"A third one, which is short.\"}]}", judge));
    t_is_status(c, 201, "a batch is made");
    b.id = t_text(c, "batch_id");
    api->later = later;
    if (later) {
        t_tick(api, 50);
    } else {
        finish(api);
    }

    c = t_sendf(api, "GET", NULL, "/evaluations?batch_id=%s", b.id);
    for (i = 0; i < T_ITEMS; i++) {
        b.evaluations[i] = t_text(c, t_format(api,
                               "evaluations[%zu].evaluation_id", i));
        b.contents[i] = t_text(c, t_format(api,
                            "evaluations[%zu].content_id", i));
        b.bodies[i] = answered(api, b.evaluations[i]);
    }

    return b;
}


static long long
rows(t_api_t *api)
{
    return t_number(api, "SELECT count(*) FROM results_together");
}


/* All results that the store has, as they are in it. */

static judge_str_t
stored(t_api_t *api)
{
    char           path[128];
    size_t         i, n;
    sqlite3       *db;
    judge_buf_t    all;
    judge_str_t    list[JUDGE_PACKED_MOST], s;
    sqlite3_stmt  *st;

    judge_buf_init(&all, api->arena);
    (void) snprintf(path, sizeof(path), "%s/judge.db", api->directory);

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK
        || sqlite3_prepare_v2(db, "SELECT bodies FROM results_together", -1,
                              &st, NULL) != SQLITE_OK)
    {
        t_bail("the store can't be read");
    }

    while (sqlite3_step(st) == SQLITE_ROW) {
        s = judge_str_dup(api->arena, (judge_str_t) {
                              (size_t) sqlite3_column_bytes(st, 0),
                              sqlite3_column_blob(st, 0) });
        n = judge_unpack_together(api->arena, s, list);
        t_ok(n > 0, "a row of results can be read");
        for (i = 0; i < n; i++) {
            judge_buf_append(&all, list[i].data, list[i].len);
        }
    }

    (void) sqlite3_finalize(st);
    (void) sqlite3_close(db);

    return judge_buf_view(&all);
}


/* --- Taken out ----------------------------------------------------------- */

static void
test_deleted(t_api_t *api)
{
    t_batch_t  b;

    b = batch(api, false);
    t_is_int(rows(api), 1, "three results stand in one row");
    t_ok(t_finds(b.bodies[1], "\"completed\"") && t_finds(b.bodies[1],
                                                  b.evaluations[1]),
         "each result is found in the row");

    t_is_status(t_sendf(api, "DELETE", NULL, "/content/%s", b.contents[1]),
                204, "a content of the three is deleted");
    t_ok(!t_finds(stored(api), b.evaluations[1]),
         "the result goes with its content");
    t_is_int(t_number(api, "SELECT kept FROM results_together"), 2,
             "the row keeps the other two results");
    t_is_int(t_number(api, "SELECT count(*) FROM results_gone"), 0,
             "the result is taken out at once");
    t_ok(judge_str_eq(answered(api, b.evaluations[0]), b.bodies[0])
         && judge_str_eq(answered(api, b.evaluations[2]), b.bodies[2]),
         "the other results are as they were, byte for byte");
    t_is_status(t_sendf(api, "GET", NULL, "/evaluations/%s",
                        b.evaluations[1]), 404,
                "the deleted result can't be read");

    t_is_status(t_sendf(api, "DELETE", NULL, "/batches/%s", b.id), 204,
                "the batch is deleted");
    t_is_int(rows(api), 0, "no row is left");
}


static void
test_again(t_api_t *api)
{
    t_batch_t  b;

    b = batch(api, false);
    t_execute(api, t_format(api, "UPDATE evaluations SET status = 'failed'"
                            " WHERE id = '%s'", b.evaluations[2]));
    t_is_status(t_sendf(api, "POST", NULL, "/evaluations/%s/retry",
                        b.evaluations[2]), 200,
                "a failed evaluation is tried again");
    finish(api);
    t_is_int(t_number(api, "SELECT sum(kept) FROM results_together"), 3,
             "the row has the new result and not the old one");
    t_ok(t_finds(answered(api, b.evaluations[2]), "\"completed\""),
         "the new result is found");
    t_ok(judge_str_eq(answered(api, b.evaluations[0]), b.bodies[0]),
         "the other results are as they were");

    (void) t_sendf(api, "DELETE", NULL, "/batches/%s", b.id);
}


/* One was taken over while it was evaluated. */

static void
test_lost(t_api_t *api)
{
    t_batch_t  b;

    b = batch(api, true);
    t_execute(api, t_format(api, "UPDATE evaluations SET owner = 'another'"
                            " WHERE id = '%s'", b.evaluations[1]));
    t_run(api);
    api->later = false;

    t_is_int(t_number(api, "SELECT kept FROM results_together"), 2,
             "two of three results are kept");
    t_ok(t_finds(stored(api), b.evaluations[0])
         && !t_finds(stored(api), b.evaluations[1]),
         "the result of an evaluation that was lost is not kept");
    t_ok(t_finds(answered(api, b.evaluations[0]), "\"completed\"")
         && t_finds(answered(api, b.evaluations[1]), "\"processing\""),
         "an evaluation that was lost is still processed elsewhere");

    (void) t_sendf(api, "DELETE", NULL, "/batches/%s", b.id);
    t_is_int(rows(api), 0, "no row is left");
}


/* Not all are read at once. */

static void
test_long(t_api_t *api)
{
    size_t     i, alike;
    t_batch_t  b;

    b = batch(api, false);
    t_execute(api, "UPDATE contents SET text_content ="
                   " replace(hex(zeroblob(400000)), '00',"
                   " 'They are late. ')");
    t_execute(api, t_format(api, "UPDATE evaluations SET status = 'failed'"
                            " WHERE batch_id = '%s';"
                            "UPDATE batches SET completed = 0, failed = 3"
                            " WHERE id = '%s'", b.id, b.id));
    t_is_status(t_sendf(api, "POST", NULL, "/batches/%s/retry", b.id), 200,
                "a batch of long texts is tried again");
    finish(api);

    for (alike = 0, i = 0; i < T_ITEMS; i++) {
        alike += t_finds(answered(api, b.evaluations[i]), "\"completed\"");
    }
    t_is_int((int64_t) alike, T_ITEMS, "all long texts are evaluated");
    t_is_int(rows(api), 2, "two rows hold the results of long texts");

    (void) t_sendf(api, "DELETE", NULL, "/batches/%s", b.id);
    t_is_int(rows(api), 0, "no row is left when the batch is deleted");
}


/* --- Alone --------------------------------------------------------------- */

static void
test_alone(t_api_t *api)
{
    size_t       i;
    t_batch_t    b;
    judge_buf_t  hex;
    judge_str_t  all, packed;

    b = batch(api, false);
    (void) t_sendf(api, "DELETE", NULL, "/content/%s", b.contents[1]);
    (void) t_sendf(api, "DELETE", NULL, "/content/%s", b.contents[2]);

    all = stored(api);
    packed = judge_pack(api->arena, all);
    judge_buf_init(&hex, api->arena);
    for (i = 0; i < packed.len; i++) {
        judge_buf_printf(&hex, "%02x", (unsigned) (uint8_t) packed.data[i]);
    }
    t_execute(api, t_format(api, "INSERT INTO results (org, evaluation_id,"
                  " status, body) SELECT org, id, status, x'%s'"
                  " FROM evaluations WHERE id = '%s';"
                  "UPDATE evaluations SET result = NULL WHERE id = '%s'",
                  hex.data, b.evaluations[0], b.evaluations[0]));

    t_ok(judge_str_eq(answered(api, b.evaluations[0]), b.bodies[0]),
         "a result in a row of its own is read to the byte");

    (void) t_sendf(api, "DELETE", NULL, "/batches/%s", b.id);
    t_is_int(t_number(api, "SELECT count(*) FROM results"), 0,
             "a result in a row of its own goes with its evaluation");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();
    judge = t_judge(api, "text");

    test_deleted(api);
    test_again(api);
    test_lost(api);
    test_long(api);
    test_alone(api);

    t_api_destroy(api);

    return t_done();
}
