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
        " FROM n"
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
        "idempotency", "training_logs", "deliveries", "delivery_bodies"
    };

    for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        t_is_int(t_number(api, t_format(api, "SELECT count(*) FROM %s",
                                        tables[i])), n,
                 "%s: %s", tables[i], name);
    }
}


static void
counted(t_api_t *api, judge_metric_e metric, long long n)
{
    t_is_int((long long) judge_metrics_get(api->service.metrics, metric), n,
             "they are counted");
}


static void
test_rows(t_api_t *api)
{
    fill(api, "old", OLD, 31 * DAY);
    fill(api, "young", YOUNG, DAY / 2);
    t_execute(api, "UPDATE deliveries SET owner = 'wrk' WHERE id = 'old2'");

    t_tick(api, 60000);
    are(api, OLD + YOUNG - 500, "in small transactions");
    t_tick(api, 50);
    t_tick(api, 50);
    t_execute(api, "UPDATE deliveries SET owner = NULL");
    t_is_int(t_number(api, "SELECT count(*) FROM deliveries WHERE id ="
                           " 'old2'"), 1, "what is under way stays");
    t_tick(api, 60000);
    are(api, YOUNG, "the others stay");

    counted(api, JUDGE_METRIC_PURGED + JUDGE_PURGE_KEYS, OLD);
    counted(api, JUDGE_METRIC_PURGED + JUDGE_PURGE_LOGS, OLD);
    counted(api, JUDGE_METRIC_PURGED + JUDGE_PURGE_DELIVERIES, OLD);
    counted(api, JUDGE_METRIC_PURGED + JUDGE_PURGE_BODIES, OLD);

    t_tick(api, DAY);
    t_is_int(t_number(api, "SELECT count(*) FROM idempotency"), 0,
             "keys after a day");
    t_is_int(t_number(api, "SELECT count(*) FROM training_logs"), YOUNG,
             "logs not yet");
    t_tick(api, 30 * DAY);
    are(api, 0, "after a month");
}


static void
test_uploads(t_api_t *api)
{
    int  i;

    for (i = 0; i < 3; i++) {
        t_is_status(t_send(api, "POST", "/evaluations/presigned-upload",
                           "{\"name\":\"U\",\"file_type\":\"text\"}"), 201,
                    "an address");
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


int
main(void)
{
    t_api_t  *api;

    api = t_api_create();

    test_rows(api);
    test_uploads(api);
    test_files(api);

    t_api_destroy(api);

    return t_done();
}
