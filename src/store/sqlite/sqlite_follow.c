/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Notes what a connection changes (judge_subjects_t).  Its own TEMP triggers
 * call judge_subject().  The update hook can't be used, because SQLite does
 * not call it for WITHOUT ROWID tables, and it gets no keys. */


#include <sqlite3.h>

#include "store/sqlite/sqlite.h"


static judge_str_t
judge_sqlite_value(sqlite3_value *value)
{
    judge_str_t  s;

    s.data = (const char *) sqlite3_value_text(value);
    s.len = s.data ? (size_t) sqlite3_value_bytes(value) : 0;

    return s;
}


static void
judge_sqlite_subject(sqlite3_context *context, int n, sqlite3_value **values)
{
    size_t             i;
    judge_str_t        id;
    judge_subject_t   *subject;
    judge_subjects_t  *subjects = sqlite3_user_data(context);

    id = judge_sqlite_value(values[1]);

    for (i = subjects->count; i; i--) {
        if (judge_str_eq(judge_id_str(&subjects->list[i - 1].id), id)) {
            return;
        }
    }

    if (subjects->count == JUDGE_SUBJECTS) {
        subjects->more = true;
        return;
    }

    subject = &subjects->list[subjects->count++];
    judge_id_set(&subject->org, judge_sqlite_value(values[0]));
    judge_id_set(&subject->id, id);
}


judge_rc_e
judge_sqlite_follow(sqlite3 *handle, judge_subjects_t *subjects)
{
    return sqlite3_create_function_v2(handle, "judge_subject", 2,
                                      SQLITE_UTF8 | SQLITE_INNOCUOUS, subjects,
                                      judge_sqlite_subject, NULL, NULL, NULL)
           == SQLITE_OK
           && sqlite3_exec(handle,
                  "CREATE TEMP TRIGGER batch_on AFTER UPDATE ON main.batches"
                  " BEGIN SELECT judge_subject(new.org, new.id); END;"
                  "CREATE TEMP TRIGGER batch_gone AFTER DELETE ON main.batches"
                  " BEGIN SELECT judge_subject(old.org, old.id); END;"
                  "CREATE TEMP TRIGGER job_on AFTER UPDATE ON"
                  " main.training_jobs"
                  " BEGIN SELECT judge_subject(new.org, new.id); END;"
                  "CREATE TEMP TRIGGER job_gone AFTER DELETE ON"
                  " main.training_jobs"
                  " BEGIN SELECT judge_subject(old.org, old.id); END;"
                  "CREATE TEMP TRIGGER example_made AFTER INSERT ON"
                  " main.examples"
                  " BEGIN SELECT judge_subject(new.org, new.judge_id); END;"
                  "CREATE TEMP TRIGGER example_gone AFTER DELETE ON"
                  " main.examples"
                  " BEGIN SELECT judge_subject(old.org, old.judge_id); END;"
                  "CREATE TEMP TRIGGER evaluation_gone AFTER DELETE ON"
                  " main.evaluations WHEN old.status = 'processing'"
                  " BEGIN SELECT judge_subject(old.org, old.id); END;",
                  NULL, NULL, NULL)
              == SQLITE_OK
           ? JUDGE_OK : JUDGE_ERROR;
}
