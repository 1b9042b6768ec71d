/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Lists of evaluations: each combination of their filters gives what is asked
 * for, page after page, and takes as many steps of SQLite's machine for a page
 * whatever lies between.  And what is done for some leaves many others alone.
 */


#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_queue.h"
#include "feedback.h"


#define SINGLE  400                    /* of all states */
#define LARGE   10000                  /* a batch: completed; failed and */
#define WAIT    5000                   /* processing; and no batch */
#define PAGE    40
#define EVERY   100                    /* steps */
#define STEPS   15000                  /* for a page of PAGE */


static long  steps;


static int
progress(void *data)
{
    (void) data;
    steps += EVERY;

    return 0;
}


/* Of each connection that is opened from now on. */

static int
opened(sqlite3 *db, const char **error, const void *api)
{
    (void) error;
    (void) api;
    sqlite3_progress_handler(db, EVERY, progress, NULL);

    return SQLITE_OK;
}


/* Evaluations with numbers in their identifiers, from that one on. */

static void
fill(t_api_t *api, int from, int n, const char *batch, const char *status)
{
    t_execute(api, t_format(api, "WITH RECURSIVE n(n) AS (VALUES(%d) UNION"
        " ALL SELECT n + 1 FROM n WHERE n < %d), e AS (SELECT n, %s AS status"
        " FROM n) INSERT INTO evaluations (org, id, status, priority,"
        " content_id, judge_id, judge_version, batch_id, created_at, deadline,"
        " review) SELECT '%s', printf('evl_%%026d', n), status, 0, 'cnt_' ||"
        " (n / 7), 'jdg_' || (n %% 2), 1, %s, n, n, CASE status WHEN"
        " 'completed' THEN n %% 5 = 0 END FROM e", from, from + n - 1, status,
        api->org.data, batch));
}


static void
fill_all(t_api_t *api)
{
    int          n;
    const char  *mixed;

    mixed = "CASE n % 10 WHEN 1 THEN 'failed' WHEN 2 THEN 'processing'"
            " ELSE 'completed' END";

    n = 1;
    fill(api, n, SINGLE, "NULL", mixed);
    fill(api, n += SINGLE, SINGLE, "'bat_small'", mixed);
    fill(api, n += SINGLE, LARGE, "'bat_large'", "'completed'");
    fill(api, n += LARGE, LARGE, "'bat_large'", "CASE n / 2 % 2 WHEN 1 THEN"
         " 'failed' ELSE 'processing' END");
    fill(api, n += LARGE, SINGLE, "NULL", mixed);
    fill(api, n + SINGLE, WAIT, "NULL", "'processing'");

    t_execute(api, t_format(api, "INSERT INTO judges (org, id, content_type,"
        " status, version, latest, created_at, updated_at) SELECT '%s', id,"
        " 'text', 'ready', 1, 1, 0, 0 FROM (SELECT 'jdg_0' AS id UNION ALL"
        " SELECT 'jdg_1' UNION ALL SELECT 'jdg_2')", api->org.data));
    t_execute(api, t_format(api, "INSERT INTO batches (org, id, status,"
        " content_type, priority, created_at, total, judge_ids,"
        " judge_versions, name) SELECT '%s', id, 'evaluating', 'text', 0, 0,"
        " 1, '[]', '[]', 'N' FROM (SELECT 'bat_small' AS id UNION ALL SELECT"
        " 'bat_large')", api->org.data));
}


static const char *
condition(t_api_t *api, const char *column, judge_str_t value)
{
    return value.data ? t_format(api, " AND %s = '%s'", column, value.data)
                      : "";
}


/* All its pages, of which none takes too many steps. */

static void
listed(t_api_t *api, const judge_evaluation_list_t *filters)
{
    long                     most;
    size_t                   i;
    long long                n, sum;
    const char              *where;
    judge_str_t              last;
    judge_evaluation_list_t  o;

    where = t_format(api, "%s%s%s%s%s",
        condition(api, "judge_id", filters->judge_id),
        condition(api, "batch_id", filters->batch_id),
        condition(api, "content_id", filters->content_id),
        condition(api, "status", filters->status),
        !filters->needs_review.set ? ""
        : filters->needs_review.value ? " AND review > 0"
        : " AND review = 0");

    n = sum = most = 0;
    last = JUDGE_STR("");
    do {
        o = *filters;
        o.page.limit = PAGE;
        o.page.before = last.len ? last : (judge_str_t) { 0, NULL };
        steps = 0;
        if (t_op(api, &o.op, JUDGE_OP_EVALUATION_LIST) != JUDGE_OK) {
            n = -1;
            break;
        }
        most = steps > most ? steps : most;
        for (i = 0; i < o.count; i++) {
            n++;
            sum += strtoll(o.rows[i].id.data + 4, NULL, 10) * (n % 97);
            last = o.rows[i].id;
        }
    } while (o.page.more && o.count);

    t_is_int(n, t_number(api, t_format(api, "SELECT count(*) FROM evaluations"
             " WHERE true%s", where)),
             "as many are listed as there are:%s", where);
    t_is_int(sum, t_number(api, t_format(api, "SELECT coalesce(sum(n * (k %%"
             " 97)), 0) FROM (SELECT CAST(substr(id, 5) AS INT) AS n,"
             " row_number() OVER (ORDER BY id DESC) AS k FROM evaluations"
             " WHERE true%s)", where)),
             "each is listed once, the newest first:%s", where);
    t_ok(most < STEPS, "a page of them takes %ld steps:%s", most,
         where);
}


/* Who starts, ends or has died leaves what waits for external workers in
 * peace: it has no lease. */

static void
released(t_api_t *api)
{
    judge_queue_release_t  o;

    t_execute(api, "UPDATE evaluations SET queue_at = 1000000000 + n,"
              " owner = CASE n WHEN 7 THEN 'one' END FROM (SELECT id AS of,"
              " row_number() OVER (ORDER BY id) AS n FROM evaluations WHERE"
              " status = 'processing') AS each WHERE id = of");
    memset(&o, 0, sizeof(o));
    o.now = 1000000000;
    o.until = o.now + 60;
    steps = 0;
    t_is_int(t_op(api, &o.op, JUDGE_OP_QUEUE_RELEASE), JUDGE_OK,
             "leases can be given back");
    t_ok(steps < STEPS, "leases are given back in %ld steps", steps);
    t_is_int(t_number(api, "SELECT count(*) FROM evaluations WHERE owner = ''"
                      " OR queue_at = 1000000000"), 1,
             "the lease of a dead worker is given back, and no other");
}


int
main(void)
{
    size_t                    i;
    t_api_t                  *api;
    judge_evaluation_list_t   o;

    static const judge_str_t  judges[] = { { 0, NULL },
                                           judge_str("jdg_1"),
                                           judge_str("jdg_2") },
        batches[] = { { 0, NULL }, judge_str("bat_small"),
                      judge_str("bat_large"), judge_str("bat_x") },
        contents[] = { { 0, NULL }, judge_str("cnt_100") },
        states[] = { { 0, NULL }, judge_str("completed"),
                     judge_str("failed"), judge_str("processing") };
    static const judge_boolean_t  reviews[] = { { false, false },
                                                { true, true },
                                                { false, true } };

    (void) sqlite3_auto_extension((void (*)(void)) opened);
    api = t_api_create();
    fill_all(api);

    for (i = 0; i < 3 * 4 * 2 * 4 * 3; i++) {
        memset(&o, 0, sizeof(o));
        o.judge_id = judges[i % 3];
        o.batch_id = batches[i / 3 % 4];
        o.content_id = contents[i / 12 % 2];
        o.status = states[i / 24 % 4];
        o.needs_review = reviews[i / 96];
        listed(api, &o);
    }

    released(api);

    t_api_destroy(api);

    return t_done();
}
