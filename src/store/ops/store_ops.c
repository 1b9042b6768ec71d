/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Chooses the engine of a store; and step functions of operations that have no
 * file of their own. */


#include <string.h>

#include "store/ops/store_ops.h"
#include "store/sqlite/migrations.h"
#include "store/sqlite/sqlite.h"
#include "store/store_open.h"


/* The length of the scheme before "://"; 0: the name is no address. */

static size_t
judge_store_scheme(judge_str_t name)
{
    size_t  n;

    for (n = 0; n < name.len && name.data[n] >= 'a' && name.data[n] <= 'z';
         n++)
    {
        /* void */
    }

    return name.len - n >= 3 && memcmp(name.data + n, "://", 3) == 0 ? n : 0;
}


bool
judge_store_remote(judge_str_t name)
{
    return judge_store_scheme(name) > 0;
}


/* The extension's database for an address, or NULL. */

static const judge_database_t *
judge_store_database(judge_str_t name)
{
    size_t              i;
    const char *const  *scheme;

    for (i = 0; judge_databases[i]; i++) {
        for (scheme = judge_databases[i]->schemes; *scheme; scheme++) {
            if (judge_str_starts(name, judge_str_c(*scheme))) {
                return judge_databases[i];
            }
        }
    }

    return NULL;
}


const judge_driver_t *
judge_store_driver(judge_str_t name)
{
    const judge_database_t  *database;

    if (!judge_store_remote(name)) {
        return &judge_sqlite_driver;
    }

    database = judge_store_database(name);

    return database ? database->driver : NULL;
}


judge_rc_e
judge_store_check(judge_arena_t *arena, judge_str_t name, judge_str_t *error)
{
    const judge_database_t  *database;

    if (!judge_store_remote(name)) {
        return JUDGE_OK;
    }

    database = judge_store_database(name);
    if (database == NULL) {
        *error = judge_str_printf(arena, "needs the extension for %.*s://"
                                  " addresses, which this build does not have"
                                  " (JUDGE_EXTENSIONS)",
                                  (int) judge_store_scheme(name), name.data);
        return JUDGE_ERROR;
    }

    return database->check(arena, name, error);
}


/* Sets the sentence for an address that no extension supports. */

static judge_rc_e
judge_store_unknown(judge_arena_t *arena, judge_str_t name, judge_str_t *error)
{
    judge_str_t  why = { 0, NULL };

    (void) judge_store_check(arena, name, &why);

    if (error) {
        *error = judge_str_printf(arena, "the store %.*s",
                                  judge_str_args(why));
    }

    return JUDGE_ERROR;
}


static judge_rc_e
judge_store_prepare(judge_arena_t *arena, judge_str_t directory, bool upgrade,
    judge_str_t *error)
{
    const judge_driver_t  *driver;

    driver = judge_store_driver(directory);

    return driver ? driver->migrate(arena, directory, upgrade, error)
                  : judge_store_unknown(arena, directory, error);
}


judge_rc_e
judge_store_migrate(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *error)
{
    return judge_store_prepare(arena, directory, true, error);
}


judge_rc_e
judge_store_make(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *error)
{
    return judge_store_prepare(arena, directory, false, error);
}


const char *
judge_store_diagnose(judge_arena_t *arena, judge_str_t directory,
    judge_str_t *rights)
{
    const judge_driver_t  *driver;

    driver = judge_store_driver(directory);

    return driver ? driver->diagnose(arena, directory, rights)
                  : "the address is of a database that is not supported";
}


int64_t
judge_store_schema(void)
{
    return (int64_t) judge_migrations_count;
}


judge_runner_t *
judge_store_open(judge_arena_t *arena, judge_str_t directory, bool writer,
    judge_str_t *error)
{
    const judge_driver_t  *driver;

    driver = judge_store_driver(directory);
    if (driver == NULL) {
        (void) judge_store_unknown(arena, directory, error);
        return NULL;
    }

    return judge_runner_open(driver, judge_op_specs, arena, directory, writer,
                             error);
}


judge_op_place_e
judge_op_place(judge_op_kind_e kind)
{
    return judge_op_specs[kind].place;
}


const char *
judge_op_name(judge_op_kind_e kind)
{
    return judge_op_specs[kind].name;
}


/* --- Judges and settings ------------------------------------------------- */

/* Two operations that create a version share this function. */

_Static_assert(offsetof(judge_judge_create_t, row)
               == offsetof(judge_judge_update_t, row), "one place");

void
judge_judge_create_end(judge_run_t *run)
{
    (void) judge_event_note(run->op, JUDGE_EVENT_JUDGE_VERSION_CREATED,
                            ((judge_judge_create_t *) run->op)->row.id);
}


/* Refuses to enable webhooks without an address; the runner undoes this. */

void
judge_settings_webhooks_end(judge_run_t *run)
{
    judge_webhook_settings_t  *w;

    w = &((judge_settings_webhooks_t *) run->op)->webhooks;
    if (w->url.data == NULL && w->enabled.set && w->enabled.value) {
        run->op->rc = JUDGE_CONFLICT;
    }
}


/* Only one worker comes to the end.  `drifted` is set if `strong` differs from
 * the value that was stored. */

void
judge_drift_finish_end(judge_run_t *run)
{
    size_t                 i;
    judge_drift_finish_t  *o = (judge_drift_finish_t *) run->op;

    if (o->drifted && o->strong
        && judge_event_note(&o->op, JUDGE_EVENT_JUDGE_DRIFT, o->judge_id)
           == JUDGE_OK)
    {
        o->op.events->last->row = o;
    }

    for (i = 0; i < o->nalerts && o->op.rc == JUDGE_OK; i++) {
        if (o->alerts[i].event.data
            && judge_event_note(&o->op, JUDGE_EVENT_JUDGE_ALERT, o->judge_id)
               == JUDGE_OK)
        {
            o->op.events->last->data = o->alerts[i].event;
        }
    }
}


/* --- Uploads and references ---------------------------------------------- */

void
judge_upload_finish_end(judge_run_t *run)
{
    judge_upload_finish_t  *o = (judge_upload_finish_t *) run->op;

    if (!o->reference && o->received) {
        (void) judge_event_note(run->op, o->reason.data
                                         ? JUDGE_EVENT_CONTENT_ERROR
                                         : JUDGE_EVENT_CONTENT_READY, o->id);
    }
}


judge_rc_e
judge_upload_finish_failed(judge_run_t *run)
{
    judge_upload_finish_t  *o = (judge_upload_finish_t *) run->op;

    return judge_event_add_result(&o->op, o->op.org, &o->failed);
}


/* A judge that may be ready now. */

judge_rc_e
judge_upload_finish_judge(judge_run_t *run)
{
    return judge_event_note(run->op, JUDGE_EVENT_JUDGE_READY,
                            judge_column_str(run, 0));
}


judge_step_e
judge_references_check_step(judge_run_t *run)
{
    judge_references_check_t  *o = (judge_references_check_t *) run->op;

    if (run->turn && run->rows == 0) {
        o->missing = run->turn - 1;
        return JUDGE_STEP_END;
    }

    o->missing = o->count;

    return judge_run_next(run);
}


judge_rc_e
judge_references_check_read(judge_run_t *run)
{
    judge_references_check_t  *o = (judge_references_check_t *) run->op;

    o->pending = o->pending || judge_column_int(run, 0);

    return JUDGE_OK;
}


/* --- Training ------------------------------------------------------------ */

/* The worker that runs the job notices that its lease is lost. */

void
judge_training_cancel_end(judge_run_t *run)
{
    judge_training_cancel_t  *o = (judge_training_cancel_t *) run->op;

    if (!o->changed) {
        run->op->rc = JUDGE_CONFLICT;
    } else if (o->row.started_at) {
        (void) judge_event_note(run->op, JUDGE_EVENT_JUDGE_READY,
                                o->row.judge_id);
    }
}


void
judge_training_finish_end(judge_run_t *run)
{
    judge_training_finish_t  *o = (judge_training_finish_t *) run->op;

    if (o->version) {
        (void) judge_event_note(run->op, JUDGE_EVENT_JUDGE_VERSION_CREATED,
                                o->judge_id);
    }

    (void) judge_event_note(run->op, JUDGE_EVENT_JUDGE_READY, o->judge_id);
}
