/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the tests of feedback share. */


#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "feedback.h"


t_eval_t
t_feedback_on(t_api_t *api)
{
    t_eval_t     e;
    t_call_t  *c;

    e.judge = t_judge(api, "text");
    e.content = t_content(api, "Buses run at night. They are late.");
    e.id = t_evaluation(api, e.judge, e.content);
    c = t_sendf(api, "GET", NULL, "/judges/%s", e.judge);
    e.grammar = t_text(c, "criteria[0].criterion_id");
    e.spelling = t_text(c, "criteria[1].criterion_id");

    return e;
}


const char *
t_format(t_api_t *api, const char *fmt, ...)
{
    char     text[4096];
    va_list  args;

    va_start(args, fmt);
    (void) vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);

    return judge_str_dup(api->arena, judge_str_c(text)).data;
}


t_call_t *
t_say(t_api_t *api, const char *id, const char *body)
{
    return t_sendf(api, "POST", body, "/feedback/evaluation/%s", id);
}


void
t_execute(t_api_t *api, const char *sql)
{
    char      path[128], *error;
    sqlite3  *db;

    (void) snprintf(path, sizeof(path), "%s/judge.db", api->directory);
    db = NULL;
    error = NULL;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK
        || sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
    {
        t_ok(false, "SQL can be executed: %s: %s", sql, error);
    }

    sqlite3_free(error);
    (void) sqlite3_close(db);
}


long long
t_number(t_api_t *api, const char *sql)
{
    char           path[128];
    sqlite3       *db;
    long long      n;
    sqlite3_stmt  *st;

    (void) snprintf(path, sizeof(path), "%s/judge.db", api->directory);
    db = NULL;
    st = NULL;
    n = -1;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK
        && sqlite3_step(st) == SQLITE_ROW)
    {
        n = sqlite3_column_int64(st, 0);
    }

    (void) sqlite3_finalize(st);
    (void) sqlite3_close(db);

    return n;
}


const char *
t_batch(t_api_t *api, const char *const *evaluations, size_t n)
{
    size_t       i;
    judge_id_t   id;

    t_is_int(judge_id_make(&id, "bat", api->now), JUDGE_OK,
             "a batch has an identifier");
    t_execute(api, t_format(api, "INSERT INTO batches (org, id, status,"
            " content_type, priority, created_at, total, judge_ids,"
            " judge_versions, name) VALUES ('%.*s', '%s', 'completed', 'text',"
            " 1, 1, %zu, '[]', '[]', 'B')", (int) api->org.len,
            api->org.data, id.text, n));

    for (i = 0; i < n; i++) {
        t_execute(api, t_format(api, "UPDATE evaluations SET batch_id = '%s'"
                            " WHERE id = '%s'", id.text, evaluations[i]));
    }

    return t_format(api, "%s", id.text);
}
