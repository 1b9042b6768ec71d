/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Claims one file at a time in the store, reads it in a thread, and writes the
 * outcome.  If the process dies, the claim runs out. */


#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/crypto/crypto.h"
#include "store/store_upload.h"
#include "work/evaluation/claimed_evaluation.h"
#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"
#include "work/uploads/object_store.h"
#include "work/uploads/upload_file.h"
#include "work/uploads/upload_reader.h"


#define JUDGE_UPLOAD_READER_EVERY  250         /* ms between two peeks */
#define JUDGE_UPLOAD_READER_LEASE  300000      /* ms to read a file */
#define JUDGE_UPLOAD_READER_ATTEMPTS  5
#define JUDGE_UPLOAD_READER_ASKS   20          /* failed calls, if the object
                                                  store is ready */
#define JUDGE_SWEEP_EVERY      3600000
#define JUDGE_SWEEP_NEXT       1000            /* ms; there are more files */
#define JUDGE_SWEEP_AGE        3600            /* s; spares younger files */
#define JUDGE_SWEEP_FILES      4096            /* files examined at once */

struct judge_upload_reader {
    judge_service_t        *service;
    judge_arena_t          *arena;             /* for the current file */
    judge_upload_claim_t    claim;
    judge_upload_finish_t   finish;
    judge_task_t            task;
    judge_rc_e              read;
    judge_object_look_t     look;              /* for a file in an object
                                                  store */
    judge_upload_receive_t  receive;           /* likewise */
    judge_ms_t              peeked_at;
    bool                    busy;
    bool                    stopped;

    judge_arena_t          *sweep_arena;
    judge_files_known_t     known;
    judge_task_t            sweep;
    judge_ms_t              swept_at;
    size_t                  examined;          /* entries that earlier sweeps
                                                  of this round examined */
    bool                    sweeping;
};


static void judge_upload_reader_looked(judge_op_t *op);
static void judge_upload_reader_claimed(judge_op_t *op);
static void judge_upload_reader_located(judge_object_look_t *look);
static void judge_upload_reader_received(judge_op_t *op);
static void judge_upload_reader_run(judge_task_t *task);
static void judge_upload_reader_ran(judge_task_t *task);
static void judge_upload_reader_finished(judge_op_t *op);
static void judge_upload_reader_end(judge_upload_reader_t *reader,
    bool claim_next);
static void judge_upload_reader_sweep(judge_upload_reader_t *reader);
static void judge_upload_reader_sweep_list(judge_task_t *task);
static void judge_upload_reader_sweep_listed(judge_task_t *task);
static void judge_upload_reader_sweep_known(judge_op_t *op);
static void judge_upload_reader_sweep_unlink(judge_task_t *task);


bool
judge_upload_reader_create(judge_service_t *service)
{
    service->uploads = calloc(1, sizeof(judge_upload_reader_t));
    if (service->uploads) {
        service->uploads->service = service;
    }

    return service->uploads != NULL;
}


void
judge_upload_reader_destroy(judge_service_t *service)
{
    judge_upload_reader_t  *reader = service->uploads;

    if (reader) {
        judge_arena_destroy(reader->arena);
        judge_arena_destroy(reader->sweep_arena);
        free(reader);
        service->uploads = NULL;
    }
}


void
judge_upload_reader_stop(judge_service_t *service)
{
    service->uploads->stopped = true;
}


bool
judge_upload_reader_busy(judge_service_t *service)
{
    return service->uploads->busy || service->uploads->sweeping;
}


judge_str_t
judge_upload_reader_name(judge_arena_t *arena, judge_str_t org, judge_str_t id)
{
    uint8_t      random[8];
    judge_str_t  hex;

    if (judge_random(random, sizeof(random)) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    hex = judge_hex(arena, random, sizeof(random));
    if (hex.data == NULL) {
        return hex;
    }

    return judge_str_printf(arena, "%.*s.%.*s.%.*s", (int) org.len, org.data,
                            (int) id.len, id.data, (int) hex.len, hex.data);
}


judge_str_t
judge_upload_reader_path(judge_arena_t *arena, const judge_service_t *service,
    judge_str_t name)
{
    if (name.data == NULL) {
        return name;
    }

    return judge_str_printf(arena, "%.*s/%.*s",
                            (int) service->settings.files.len,
                            service->settings.files.data, (int) name.len,
                            name.data);
}


bool
judge_upload_reader_names(judge_arena_t *arena, judge_files_known_t *known,
    size_t most)
{
    memset(known, 0, sizeof(judge_files_known_t));
    known->names = judge_array_alloc(arena, most, sizeof(judge_str_t));
    known->orgs = judge_array_alloc(arena, most, sizeof(judge_str_t));
    known->ids = judge_array_alloc(arena, most, sizeof(judge_str_t));
    known->known = judge_array_alloc(arena, most, sizeof(bool));

    return known->names && known->orgs && known->ids && known->known;
}


void
judge_upload_reader_tick(judge_service_t *service)
{
    judge_ms_t              now;
    judge_upload_reader_t  *reader = service->uploads;

    now = judge_now(service);

    if (now - reader->peeked_at >= JUDGE_UPLOAD_READER_EVERY) {
        judge_upload_reader_wake(service);
    }

    if (!reader->sweeping && !reader->stopped
        && now - reader->swept_at >= (reader->examined ? JUDGE_SWEEP_NEXT
                                                   : JUDGE_SWEEP_EVERY))
    {
        judge_upload_reader_sweep(reader);
    }
}


/* Peeks before claiming: a peek reads a row, a claim takes the write lock. */

void
judge_upload_reader_wake(judge_service_t *service)
{
    judge_upload_peek_t    *peek;
    judge_upload_reader_t  *reader = service->uploads;

    if (reader->busy || reader->stopped) {
        return;
    }

    peek = judge_service_op(sizeof(judge_upload_peek_t), JUDGE_OP_UPLOAD_PEEK,
                            judge_upload_reader_looked, reader);
    if (peek) {
        peek->now = judge_now(service);
        reader->peeked_at = peek->now;
        reader->busy = true;
        judge_submit(service, &peek->op);
    }
}


static void
judge_upload_reader_looked(judge_op_t *op)
{
    bool                    pending;
    judge_ms_t              now;
    judge_upload_reader_t  *reader = op->data;
    judge_service_t        *service = reader->service;

    pending = op->rc == JUDGE_OK && ((judge_upload_peek_t *) op)->pending;
    now = ((judge_upload_peek_t *) op)->now;
    judge_service_op_free(op);
    reader->busy = false;

    if (!pending || reader->stopped) {
        return;
    }

    reader->arena = judge_arena_create(64 * 1024);
    if (reader->arena == NULL) {
        return;
    }

    reader->busy = true;
    reader->claim = (judge_upload_claim_t) {
        .op = { .kind = JUDGE_OP_UPLOAD_CLAIM, .arena = reader->arena,
                .done = judge_upload_reader_claimed, .data = reader },
        .now = now,
        .lease = { .owner = judge_service_owner(service),
                   .until = now + JUDGE_UPLOAD_READER_LEASE }
    };

    judge_submit(service, &reader->claim.op);
}


static void
judge_upload_reader_read_on(judge_upload_reader_t *reader)
{
    judge_service_compute(reader->service, &reader->task,
                          judge_upload_reader_run, judge_upload_reader_ran,
                          reader);
}


static void
judge_upload_reader_claimed(judge_op_t *op)
{
    judge_upload_reader_t  *reader = op->data;
    judge_upload_row_t     *row = &reader->claim.row;

    if (op->rc != JUDGE_OK) {
        judge_upload_reader_end(reader, false);
        return;
    }

    memset(&reader->finish, 0, sizeof(judge_upload_finish_t));

    reader->look = (judge_object_look_t) {
        .service = reader->service, .arena = reader->arena, .row = row,
        .done = judge_upload_reader_located, .data = reader
    };

    if (judge_object_has(row->file_path) && row->expires_at
        && (row->size || !judge_str_eq_c(row->status, "received")))
    {
        judge_object_look(&reader->look);
    } else {
        judge_upload_reader_read_on(reader);
    }
}


/* --- Files in an object store -------------------------------------------- */

static void
judge_upload_reader_receive(judge_upload_reader_t *reader)
{
    judge_upload_row_t  *row = &reader->claim.row;

    reader->receive = (judge_upload_receive_t) {
        .op = { .kind = JUDGE_OP_UPLOAD_RECEIVE, .org = row->org,
                .arena = reader->arena, .data = reader,
                .done = judge_upload_reader_received },
        .id = row->id,
        .file_path = row->file_path,
        .size = reader->look.call.length,
        .now = judge_now(reader->service)
    };

    judge_submit(reader->service, &reader->receive.op);
}


/* Later claims ask for a missing file again until the upload expires.  If
 * calls fail, the file is given up only after too many of them, and not before
 * the upload expires; calls before the object store is ready don't count. */

static void
judge_upload_reader_absent(judge_upload_reader_t *reader, bool missing)
{
    judge_ms_t                   late;
    judge_service_t             *service = reader->service;
    judge_upload_row_t          *row = &reader->claim.row;
    const judge_object_store_t  *objects = service->settings.objects;

    late = judge_now(service) - row->expires_at - JUDGE_UPLOAD_GRACE;

    if (!missing && (objects == NULL || objects->ready(service))
        && row->attempts > JUDGE_UPLOAD_READER_ASKS
        && (late >= JUDGE_UPLOAD_GRACE
            || judge_str_eq_c(row->status, "received")))
    {
        reader->finish.reason = JUDGE_STR("the file could not be read, try"
                                          " after try");
    }

    if (reader->finish.reason.data || (missing && late >= 0)) {
        judge_upload_reader_read_on(reader);
    } else {
        judge_upload_reader_end(reader, false);
    }
}


static void
judge_upload_reader_located(judge_object_look_t *look)
{
    bool                    received;
    judge_upload_reader_t  *reader = look->data;

    received = judge_str_eq_c(look->row->status, "received");

    if (look->outcome == JUDGE_OBJECT_PRESENT && !received) {
        judge_upload_reader_receive(reader);

    } else if (look->outcome != JUDGE_OBJECT_UNKNOWN && received) {
        judge_upload_reader_read_on(reader);

    } else {
        judge_upload_reader_absent(reader, look->outcome
                                           == JUDGE_OBJECT_MISSING);
    }
}


static void
judge_upload_reader_received(judge_op_t *op)
{
    judge_upload_reader_t  *reader = op->data;

    if (op->rc == JUDGE_OK) {
        judge_metrics_add(reader->service->metrics, JUDGE_METRIC_UPLOADS, 1);
        judge_metrics_add(reader->service->metrics, JUDGE_METRIC_UPLOADED,
                          (uint64_t) reader->receive.size);
    }

    judge_upload_reader_end(reader, op->rc == JUDGE_OK);
}


/* --- Reading ------------------------------------------------------------- */

/* Whether the file is a document whose text can't be extracted.  Only
 * references may be such files. */

static bool
judge_upload_reader_closed(judge_upload_reader_t *reader)
{
    const judge_upload_row_t   *row = &reader->claim.row;
    const judge_upload_type_t  *type;

    type = judge_upload_type(row->file_type, row->extension);
    if (type == NULL || !type->closed) {
        return false;
    }

    reader->finish.reason = judge_str_printf(reader->arena, "the text of a %s"
                                " file can't be read here; upload it as txt,"
                                " md or html", type->extension);

    return reader->finish.reason.data != NULL;
}


static judge_rc_e
judge_upload_reader_read(judge_upload_reader_t *reader)
{
    judge_rc_e              rc;
    judge_str_t             path;
    judge_upload_row_t     *row = &reader->claim.row;
    judge_upload_finish_t  *finish = &reader->finish;

    path = judge_upload_reader_path(reader->arena, reader->service,
                                    row->file_path);
    if (path.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (finish->reason.data) {
        rc = JUDGE_OK;
    } else if (row->size == 0) {
        finish->reason = JUDGE_STR("the file has no bytes");
        rc = JUDGE_OK;
    } else if (judge_object_has(row->file_path)) {
        rc = reader->service->settings.objects->read(&reader->look, finish);
    } else if (row->attempts > JUDGE_UPLOAD_READER_ATTEMPTS) {
        finish->reason = JUDGE_STR("the file could not be read, try after"
                                   " try");
        rc = JUDGE_OK;
    } else if (judge_str_eq_c(row->file_type, "text")) {
        rc = judge_upload_reader_text(reader->arena, path.data,
                                      reader->service->settings.max_text,
                                      &finish->text_content, &finish->reason);
    } else {
        rc = judge_upload_reader_media(reader->arena, path.data,
                                       row->file_type, &finish->reason);
    }

    return rc == JUDGE_OK
           ? judge_upload_metadata(reader->arena, row->metadata,
                                   finish->reason, &finish->metadata) : rc;
}


/* In a thread: fills in the operation that finishes the upload.  Evaluations
 * that wait for a file which can't be used fail with its reason. */

static void
judge_upload_reader_run(judge_task_t *task)
{
    judge_rc_e              rc;
    judge_failure_t         failure;
    judge_origin_t          origin = { .engine = JUDGE_ENGINE_WORKER,
                                       .version = "1" };
    judge_upload_reader_t  *reader = task->data;
    judge_upload_row_t     *row = &reader->claim.row;
    judge_upload_finish_t  *finish = &reader->finish;

    finish->op.org = row->org;
    finish->id = row->id;
    finish->reference = judge_str_eq_c(row->kind, "reference");
    finish->received = judge_str_eq_c(row->status, "received");
    finish->evaluation_id = row->evaluation_id;

    if (finish->received && judge_upload_reader_closed(reader)) {
        rc = JUDGE_OK;
    } else if (finish->received) {
        rc = judge_upload_reader_read(reader);
    } else {
        if (finish->reason.data == NULL) {
            finish->reason = row->expires_at
                ? JUDGE_STR("the file was not uploaded before its address"
                            " expired")
                : JUDGE_STR("the upload was given up");
        }
        rc = JUDGE_OK;
    }

    if (rc == JUDGE_OK && finish->reason.data && finish->evaluation_id.data) {
        failure = (judge_failure_t) {
            .code = finish->received ? "CONTENT_UNUSABLE" : "UPLOAD_EXPIRED",
            .message = finish->reason
        };
        finish->failed.id = finish->evaluation_id;
        rc = judge_claimed_fail(reader->arena, &reader->claim.job, &failure,
                                judge_str_eq_c(row->file_type, "text") ? NULL
                                                                 : &origin,
                                judge_time_now(), &finish->failed);
    }

    reader->read = rc;
}


static void
judge_upload_reader_end(judge_upload_reader_t *reader, bool claim_next)
{
    judge_arena_destroy(reader->arena);
    reader->arena = NULL;
    reader->busy = false;

    if (claim_next) {
        judge_upload_reader_wake(reader->service);
    }
}


static void
judge_upload_reader_ran(judge_task_t *task)
{
    judge_ms_t               now;
    judge_upload_reader_t   *reader = task->data;
    judge_upload_finish_t   *finish = &reader->finish;
    const judge_settings_t  *settings = &reader->service->settings;

    if (reader->read != JUDGE_OK) {
        judge_upload_reader_end(reader, false);  /* claimed again later */
        return;
    }

    now = judge_now(reader->service);
    finish->op.kind = JUDGE_OP_UPLOAD_FINISH;
    finish->op.arena = reader->arena;
    finish->op.done = judge_upload_reader_finished;
    finish->op.data = reader;
    finish->now = now;

    if (judge_str_eq_c(reader->claim.row.file_type, "text")) {
        finish->deadline = now + settings->deadline;
        finish->queue_at = now;
    } else {
        finish->deadline = now + settings->callback_deadline;
        finish->queue_at = finish->deadline;
    }

    judge_submit(reader->service, &finish->op);
}


static void
judge_upload_reader_finished(judge_op_t *op)
{
    judge_str_t             none = { 0, NULL };
    judge_upload_reader_t  *reader = op->data;
    judge_upload_row_t     *row = &reader->claim.row;

    if (op->rc == JUDGE_OK && !reader->finish.received) {
        judge_metrics_add(reader->service->metrics,
                          JUDGE_METRIC_PURGED_UPLOADS, 1);
    }

    if (op->rc == JUDGE_OK && judge_object_has(row->file_path)) {
        if (row->size > row->max_size || row->expires_at == 0) {
            judge_object_remove(reader->service, row->file_path, none);
        }
        if (row->multipart.data) {
            judge_object_remove(reader->service, row->file_path,
                                row->multipart);
        }
    }

    if (op->rc == JUDGE_OK && reader->finish.failed.body.data) {
        judge_waiters_ended(reader->service, &reader->finish.failed);
    }

    judge_upload_reader_end(reader, op->rc == JUDGE_OK);
}


/* --- Sweeping ------------------------------------------------------------ */

/* Deletes files without a row: a process may have died between writing a file
 * and its row, or between deleting a row and its file. */

static void
judge_upload_reader_sweep(judge_upload_reader_t *reader)
{
    reader->swept_at = judge_now(reader->service);
    reader->sweep_arena = judge_arena_create(64 * 1024);
    if (reader->sweep_arena == NULL) {
        return;
    }

    reader->sweeping = true;
    reader->known.count = 0;
    judge_service_compute(reader->service, &reader->sweep,
                          judge_upload_reader_sweep_list,
                          judge_upload_reader_sweep_listed, reader);
}


/* Notes a file, unless it is too young or its name is not an upload's. */

static void
judge_upload_reader_sweep_add(judge_upload_reader_t *reader, const char *file)
{
    struct stat           st;
    judge_str_t           name, path;
    judge_files_known_t  *known = &reader->known;

    name = judge_str_dup(reader->sweep_arena, judge_str_c(file));
    path = judge_upload_reader_path(reader->sweep_arena, reader->service,
                                    name);

    if (name.data == NULL || path.data == NULL
        || name.len < 2 * JUDGE_ID_LEN + 2
        || stat(path.data, &st) != 0 || !S_ISREG(st.st_mode)
        || st.st_mtime >= time(NULL) - JUDGE_SWEEP_AGE)
    {
        return;
    }

    known->orgs[known->count] = (judge_str_t) { JUDGE_ID_LEN, name.data };
    known->ids[known->count] = (judge_str_t) { JUDGE_ID_LEN,
                                            name.data + JUDGE_ID_LEN + 1 };
    known->names[known->count++] = name;
}


static void
judge_upload_reader_sweep_list(judge_task_t *task)
{
    DIR                    *dir;
    size_t                  n;
    judge_str_t             path;
    judge_arena_t          *arena;
    struct dirent          *entry;
    judge_upload_reader_t  *reader = task->data;
    judge_files_known_t    *known = &reader->known;

    arena = reader->sweep_arena;
    path = judge_upload_reader_path(arena, reader->service, JUDGE_STR(""));
    if (!path.data
        || !judge_upload_reader_names(arena, known, JUDGE_SWEEP_FILES))
    {
        return;
    }

    dir = opendir(path.data);

    entry = NULL;
    for (n = 0; dir && n < reader->examined + JUDGE_SWEEP_FILES; n++) {
        entry = readdir(dir);
        if (entry == NULL) {
            break;
        }

        if (n >= reader->examined) {
            judge_upload_reader_sweep_add(reader, entry->d_name);
        }
    }

    reader->examined = entry ? n : 0;

    if (dir) {
        (void) closedir(dir);
    }
}


static void
judge_upload_reader_sweep_done(judge_task_t *task)
{
    judge_upload_reader_t  *reader = task->data;

    judge_arena_destroy(reader->sweep_arena);
    reader->sweep_arena = NULL;
    reader->sweeping = false;
}


static void
judge_upload_reader_sweep_listed(judge_task_t *task)
{
    judge_upload_reader_t  *reader = task->data;

    if (reader->known.count == 0) {
        judge_upload_reader_sweep_done(task);
        return;
    }

    reader->known.op.kind = JUDGE_OP_FILES_KNOWN;
    reader->known.op.arena = reader->sweep_arena;
    reader->known.op.done = judge_upload_reader_sweep_known;
    reader->known.op.data = reader;
    judge_submit(reader->service, &reader->known.op);
}


static void
judge_upload_reader_sweep_known(judge_op_t *op)
{
    judge_upload_reader_t  *reader = op->data;

    if (op->rc != JUDGE_OK) {
        judge_upload_reader_sweep_done(&reader->sweep);
        return;
    }

    judge_service_compute(reader->service, &reader->sweep,
                          judge_upload_reader_sweep_unlink,
                          judge_upload_reader_sweep_done, reader);
}


static void
judge_upload_reader_sweep_unlink(judge_task_t *task)
{
    size_t                  i, removed;
    judge_str_t             path;
    judge_upload_reader_t  *reader = task->data;

    for (i = 0, removed = 0; i < reader->known.count; i++) {
        if (reader->known.known[i]) {
            continue;
        }

        path = judge_upload_reader_path(reader->sweep_arena, reader->service,
                                        reader->known.names[i]);
        if (path.data && unlink(path.data) == 0) {
            removed++;
        }
    }

    reader->examined -= reader->examined > removed ? removed
                                                    : reader->examined;
    judge_metrics_add(reader->service->metrics, JUDGE_METRIC_PURGED_FILES,
                      removed);
}
