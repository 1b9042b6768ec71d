/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What expires is deleted, bit by bit, however much there is, and what has
 * not expired stays; it is counted.
 */


#include <stdio.h>
#include <string.h>
#include <time.h>
#include <utime.h>

#include "feedback.h"


#define DAY    (INT64_C(24) * 3600 * 1000)
#define OLD    1234                    /* rows of each table */
#define YOUNG  10
#define FILES  4200                    /* more than are looked at at once */


/* So many rows of that age in each table that expires. */

static void
fill(t_api_t *api, const char *name, int n, judge_ms_t age)
{
    size_t       i;
    static const char *const  rows[] = {
        "INSERT INTO idempotency SELECT '%s', '%s' || n, x'00', %lld, 201,"
        " '{}' FROM n",
        "INSERT INTO training_logs SELECT '%s', 'trn_%s', %lld, 'info', 'x'"
        " FROM n",
        "INSERT INTO deliveries (org, id, event_id, type, status, created_at,"
        " url) SELECT '%s', '%s' || n, 'evt', 'x', CASE n %% 2 WHEN 0 THEN"
        " 'pending' ELSE 'failed' END, %lld, '' FROM n",
        "INSERT INTO delivery_bodies SELECT '%s', '%s' || n, NULL, %lld"
        " FROM n",
        "INSERT INTO audit (org, id, at, key_id, action, object) SELECT '%s',"
        " '%s' || n, %lld, 'key', 'DELETE /x', 'x' FROM n"
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_execute(api, t_format(api, "WITH RECURSIVE n(n) AS (VALUES(1) UNION"
                                     " ALL SELECT n + 1 FROM n WHERE n < %d)"
                                     " %s", n,
                                t_format(api, rows[i], api->org.data, name,
                                         (long long) (api->now - age))));
    }
}


static void
are(t_api_t *api, long long n, const char *name)
{
    size_t  i;
    static const char *const  tables[] = {
        "idempotency", "training_logs", "deliveries", "delivery_bodies",
        "audit"
    };

    for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        t_is_int(t_number(api, t_format(api, "SELECT count(*) FROM %s",
                                        tables[i])), n,
                 "%s: its rows are as many as they should be, %s", tables[i],
                 name);
    }
}


static void
counted(t_api_t *api, judge_metric_e metric, long long n)
{
    t_is_int((long long) judge_metrics_get(api->service.metrics, metric), n,
             "the deleted rows are counted");
}


static void
test_rows(t_api_t *api)
{
    t_tick(api, 60000);
    fill(api, "aged", YOUNG, 300 * DAY);
    t_execute(api, "DELETE FROM deliveries");
    t_execute(api, "DELETE FROM delivery_bodies");
    t_tick(api, 60000);
    t_is_int(t_number(api, "SELECT count(*) FROM audit"), YOUNG,
             "who changed what is kept unless keep_audit= says how long");
    api->service.settings.keep_audit = 30 * DAY;
    t_tick(api, 60000);
    are(api, 0, "what is so old is gone");

    fill(api, "old", OLD, 31 * DAY);
    fill(api, "young", YOUNG, DAY / 2);
    t_execute(api, "UPDATE deliveries SET owner = 'wrk' WHERE id = 'old2'");

    t_tick(api, 60000);
    are(api, OLD + YOUNG - 500, "old rows go in small transactions");
    t_tick(api, 50);
    t_tick(api, 50);
    t_execute(api, "UPDATE deliveries SET owner = NULL");
    t_is_int(t_number(api, "SELECT count(*) FROM deliveries WHERE id ="
                           " 'old2'"), 1,
             "a delivery that is under way stays");
    t_tick(api, 60000);
    are(api, YOUNG, "the others stay");

    counted(api, JUDGE_METRIC_PURGED + JUDGE_PURGE_KEYS, OLD + YOUNG);
    counted(api, JUDGE_METRIC_PURGED + JUDGE_PURGE_LOGS, OLD + YOUNG);
    counted(api, JUDGE_METRIC_PURGED + JUDGE_PURGE_AUDIT, OLD + YOUNG);
    counted(api, JUDGE_METRIC_PURGED + JUDGE_PURGE_DELIVERIES, OLD);
    counted(api, JUDGE_METRIC_PURGED + JUDGE_PURGE_BODIES, OLD);

    t_tick(api, DAY);
    t_is_int(t_number(api, "SELECT count(*) FROM idempotency"), 0,
             "no key is left after a day");
    t_is_int(t_number(api, "SELECT count(*) FROM training_logs"), YOUNG,
             "logs of training do not expire after a day");
    t_tick(api, 30 * DAY);
    are(api, 0, "nothing is left after a month");
}


static void
test_uploads(t_api_t *api)
{
    int  i;

    for (i = 0; i < 3; i++) {
        t_is_status(t_send(api, "POST", "/evaluations/presigned-upload",
                           "{\"name\":\"U\",\"file_type\":\"text\"}"), 201,
                    "a place for a file is promised");
    }

    t_tick(api, api->service.settings.upload_valid + 61000);
    t_is_int(t_number(api, "SELECT count(*) FROM uploads"), 0,
             "nothing is left of what nobody used");
    counted(api, JUDGE_METRIC_PURGED_UPLOADS, 3);
}


/* In a folder of many files that belong to contents, too. */

static void
test_files(t_api_t *api)
{
    int              i, left;
    FILE            *file;
    judge_str_t      path;
    const char      *name;
    struct utimbuf   old;

    old.actime = old.modtime = time(NULL) - 7200;
    t_execute(api, t_format(api, "WITH RECURSIVE n(n) AS (VALUES(100) UNION"
        " ALL SELECT n + 1 FROM n WHERE n < %d) INSERT INTO contents (org, id,"
        " file_type, status, size, created_at, name, file_path) SELECT '%s',"
        " printf('cnt_%%026d', n), 'text', 'ready', 0, 0, 'x', printf('%s.cnt_"
        "%%026d.0123456789abcdef', n) FROM n", FILES, api->org.data,
        api->org.data));

    for (i = 0; i < FILES; i++) {
        name = t_format(api, "%s.cnt_%026d.0123456789abcdef%s", api->org.data,
                        i, i < 100 ? ".part" : "");
        path = judge_upload_reader_path(api->arena, &api->service,
                                        judge_str_c(name));
        file = fopen(path.data, "w");
        if (file == NULL || fclose(file) != 0 || utime(path.data, &old) != 0) {
            t_ok(false, "%s is made", path.data);
        }
    }

    t_tick(api, 3600 * 1000);
    t_tick(api, 1000);

    for (i = 0, left = 0; i < FILES; i++) {
        name = t_format(api, "%s.cnt_%026d.0123456789abcdef%s", api->org.data,
                        i, i < 100 ? ".part" : "");
        path = judge_upload_reader_path(api->arena, &api->service,
                                        judge_str_c(name));
        left += remove(path.data) == 0;
    }

    t_is_int(left, FILES - 100, "only what belongs to nothing is swept up");
    counted(api, JUDGE_METRIC_PURGED_FILES, 100);
}


/* A round of deleting for age, from its begin to its end. */

static void
later(t_api_t *api, judge_ms_t ms)
{
    int  i;

    t_tick(api, ms);
    for (i = 0; i < 60; i++) {
        t_tick(api, 50);
    }
}


static void
left(t_api_t *api, const char *table, long long n)
{
    t_is_int(t_number(api, t_format(api, "SELECT count(*) FROM %s", table)),
             n, "%lld rows are left of %s", n, table);
}


/* Feedback after ten days, results after twenty, contents after thirty; but
 * not what is waited for, nor an organization's that has none. */

static void
test_retention(t_api_t *api)
{
    int               i;
    t_eval_t          e[3];
    judge_settings_t  *keep = &api->service.settings;

    t_execute(api, "DELETE FROM contents; INSERT INTO organizations VALUES"
                   " ('org_0', 'x', 'x', 0), ('org_z', 'x', 'x', 0)");

    for (i = 0; i < 3; i++) {
        e[i] = t_feedback_on(api);
        t_is_status(t_say(api, e[i].id, RATING(4)), 201, "feedback is taken");
    }

    (void) t_batch(api, &e[0].id, 1);
    t_execute(api, "UPDATE batches SET completed = 1, completed_at = 1");
    t_execute(api, "UPDATE evaluations SET evaluated_at = created_at");
    t_execute(api, "INSERT INTO jobs SELECT org, 'job_0', 'x', created_at,"
                   " 'j', 1 FROM contents LIMIT 1; INSERT INTO job_evaluations"
                   " SELECT org, 'job_0', id FROM evaluations");
    t_execute(api, t_format(api, "UPDATE evaluations SET status ="
                                 " 'processing' WHERE id = '%s'", e[2].id));
    later(api, DAY);
    keep->keep_feedback = 10 * DAY;
    keep->keep_results = 20 * DAY;
    keep->keep_contents = 30 * DAY;

    later(api, 8 * DAY);
    left(api, "feedback", 3);
    left(api, "batches WHERE total = 1", 1);
    later(api, DAY + 60000);
    left(api, "feedback", 0);
    left(api, "evaluations", 3);
    later(api, 10 * DAY);
    left(api, "evaluations", 1);
    left(api, "results", 0);
    left(api, "batches", 0);
    left(api, "batch_texts", 0);
    left(api, "jobs", 1);              /* has the one that is waited for */
    left(api, "contents", 3);
    later(api, 10 * DAY);
    left(api, "contents", 1);
    left(api, "evaluations", 1);
    t_execute(api, "UPDATE evaluations SET status = 'failed'");
    later(api, 3600000);
    left(api, "contents", 0);
    left(api, "evaluations", 0);
    left(api, "jobs", 0);
    left(api, "job_evaluations", 0);

    counted(api, JUDGE_METRIC_PURGED_FEEDBACK, 3);
    counted(api, JUDGE_METRIC_PURGED_RESULTS, 2);
    counted(api, JUDGE_METRIC_PURGED_CONTENTS, 3);
}


/* Many contents of a batch go in small transactions, and their batch counts
 * what is left; nothing else keeps a large store busy. */

static void
test_windows(t_api_t *api)
{
    judge_settings_t  *keep = &api->service.settings;

    keep->keep_feedback = keep->keep_results = 0;
    t_execute(api, t_format(api, "WITH RECURSIVE n(n) AS (VALUES(1) UNION ALL"
        " SELECT n + 1 FROM n WHERE n < 250) INSERT INTO contents (org, id,"
        " file_type, status, size, created_at, name) SELECT '%s', printf("
        "'cnt_%%026d', n), 'text', 'ready', 0, 0, 'x' FROM n",
        api->org.data));
    t_execute(api, t_format(api, "INSERT INTO batches (org, id, status,"
        " content_type, priority, created_at, started_at, completed_at, total,"
        " completed, judge_ids, judge_versions, name) VALUES ('%s', 'bat_1',"
        " 'completed', 'text', 1, 0, 0, 0, 251, 251, '', '', 'x')",
        api->org.data));
    t_execute(api, "INSERT INTO evaluations (org, id, status, priority,"
        " content_id, judge_id, judge_version, batch_id, created_at, deadline)"
        " SELECT org, 'evl_' || id, 'completed', 1, id, 'j', 1, 'bat_1', 0, 0"
        " FROM contents");

    t_tick(api, 3600000);
    t_tick(api, 50);
    t_tick(api, 50);
    left(api, "contents", 150);
    left(api, "evaluations", 150);
    t_is_int(t_number(api, "SELECT total FROM batches"), 151,
             "the batch counts what is left of its evaluations");
    later(api, 50);
    left(api, "contents", 0);
    t_is_int(t_number(api, "SELECT completed FROM batches"), 1,
             "the batch counts nothing of them in the end");
}


/* What has been begun: notes of batches that have nothing to be done. */

static void
note(t_api_t *api, const char *id, const char *kind, judge_ms_t until)
{
    t_execute(api, t_format(api, "INSERT INTO unfinished (org, kind, id,"
                            " until, total) VALUES ('%s', '%s', '%s', %lld,"
                            " 0)", api->org.data, kind, id,
                            (long long) until));
}


static void
test_unfinished(t_api_t *api)
{
    int  i;

    note(api, "one", "making", api->now + 5000);
    note(api, "one", "starting", api->now);
    t_tick(api, 1000);
    t_is_int(t_number(api, "SELECT count(*) FROM unfinished"), 2,
             "a batch that somebody goes on with is left to them");
    t_tick(api, 5000);
    t_is_int(t_number(api, "SELECT count(*) FROM unfinished"), 0,
             "a note stays until its batch has nothing to be done");

    t_execute(api, "CREATE TRIGGER fails BEFORE UPDATE ON unfinished WHEN"
                   " NEW.id = 'bad' BEGIN SELECT RAISE(ABORT, 'bad'); END");
    note(api, "bad", "making", 0);
    note(api, "good", "starting", 0);
    for (i = 0; i < 100; i++) {
        t_tick(api, 1);
    }
    t_is_int(t_number(api, "SELECT count(*) FROM unfinished WHERE id ="
                           " 'good'"), 0,
             "a note that fails holds up no other");

    t_execute(api, t_format(api, "INSERT INTO idempotency VALUES ('%s', 'x',"
                                 " x'00', %lld, 201, '{}')", api->org.data,
                            (long long) (api->now - 9 * DAY)));
    for (i = 0; i < 4; i++) {
        t_tick(api, 60000);
    }
    t_is_int(t_number(api, "SELECT count(*) FROM idempotency WHERE key = 'x'"),
             0, "a note that fails does not keep what has expired");
    t_execute(api, "DROP TRIGGER fails");
    t_tick(api, 1);
    t_is_int(t_number(api, "SELECT count(*) FROM unfinished"), 0,
             "a note that failed is tried again");
}


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_rows(api);
    test_uploads(api);
    test_files(api);
    test_retention(api);
    test_windows(api);
    test_unfinished(api);

    t_api_destroy(api);

    return t_done();
}
