/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Claims one file at a time in the store, reads it in a thread, and writes the
 * outcome.  If the process dies, the claim runs out. */


#include <stdio.h>
#include <string.h>

#include "base/crypto/crypto.h"
#include "store/store_upload.h"
#include "work/evaluation/claimed_evaluation.h"
#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"
#include "work/uploads/object_store.h"
#include "work/uploads/upload_file.h"
#include "work/uploads/upload_reader.h"


#define JUDGE_UPLOAD_READER_LEASE  300000      /* ms to read a file */
#define JUDGE_UPLOAD_READER_ATTEMPTS  5
#define JUDGE_UPLOAD_READER_ASKS   20          /* failed calls, if the object
                                                  store is ready */

typedef struct {
    judge_leased_t          work;              /* first: see leased.h */
    judge_upload_claim_t    claim;
    judge_upload_finish_t   finish;
    judge_object_lookup_t   lookup;            /* for a file in an object
                                                  store */
    judge_upload_receive_t  receive;           /* likewise */
} judge_upload_reader_t;


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

    return judge_str_printf(arena, "%.*s.%.*s.%.*s", judge_str_args(org),
                            judge_str_args(id), judge_str_args(hex));
}


judge_str_t
judge_upload_reader_path(judge_arena_t *arena, const judge_service_t *service,
    judge_str_t name)
{
    if (name.data == NULL) {
        return name;
    }

    return judge_str_printf(arena, "%.*s/%.*s",
                            judge_str_args(service->settings.files),
                            judge_str_args(name));
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

    reader->finish.reason = judge_str_printf(reader->work.arena, "the text of"
                                " a %s file can't be read here; upload it as"
                                " txt, md or html", type->extension);

    return reader->finish.reason.data != NULL;
}


static judge_rc_e
judge_upload_reader_read(judge_upload_reader_t *reader)
{
    judge_rc_e              rc;
    judge_str_t             path;
    judge_upload_row_t     *row = &reader->claim.row;
    judge_arena_t          *arena = reader->work.arena;
    judge_service_t        *service = reader->work.service;
    judge_upload_finish_t  *finish = &reader->finish;

    path = judge_upload_reader_path(arena, service, row->file_path);
    if (path.data == NULL) {
        return JUDGE_NOMEM;
    }

    rc = JUDGE_OK;

    if (finish->reason.data) {
        /* it can't be used */
    } else if (row->size == 0) {
        finish->reason = JUDGE_STR("the file has no bytes");
    } else if (judge_object_is_path(row->file_path)) {
        rc = service->settings.objects->read(&reader->lookup, finish);
    } else if (row->attempts > JUDGE_UPLOAD_READER_ATTEMPTS) {
        finish->reason = JUDGE_STR("the file could not be read, try after"
                                   " try");
    } else if (judge_str_eq_c(row->file_type, "text")) {
        rc = judge_upload_file_text(arena, path.data,
                                    service->settings.max_text,
                                    &finish->text_content, &finish->reason);
    } else {
        rc = judge_upload_file_media(arena, path.data, row->file_type,
                                     &finish->reason);
    }

    return rc == JUDGE_OK
           ? judge_upload_metadata(arena, row->metadata, finish->reason,
                                   &finish->metadata) : rc;
}


/* In a thread: fills in the operation that finishes the upload.  Evaluations
 * that wait for a file which can't be used fail with its reason. */

static judge_rc_e
judge_upload_reader_run(judge_leased_t *work)
{
    judge_rc_e              rc;
    judge_failure_t         failure;
    judge_origin_t          origin = { .engine = JUDGE_ENGINE_WORKER,
                                       .version = "1" };
    judge_upload_reader_t  *reader = (judge_upload_reader_t *) work;
    judge_upload_row_t     *row = &reader->claim.row;
    judge_upload_finish_t  *finish = &reader->finish;

    finish->id = row->id;
    finish->reference = judge_str_eq_c(row->kind, "reference");
    finish->received = judge_str_eq_c(row->status, "received");
    finish->evaluation_id = row->evaluation_id;

    rc = JUDGE_OK;

    if (finish->received) {
        if (!judge_upload_reader_closed(reader)) {
            rc = judge_upload_reader_read(reader);
        }
    } else if (finish->reason.data == NULL) {
        finish->reason = row->expires_at
            ? JUDGE_STR("the file was not uploaded before its address expired")
            : JUDGE_STR("the upload was given up");
    }

    if (rc == JUDGE_OK && finish->reason.data && finish->evaluation_id.data) {
        failure = (judge_failure_t) {
            .code = finish->received ? "CONTENT_UNUSABLE" : "UPLOAD_EXPIRED",
            .message = finish->reason
        };
        finish->failed.id = finish->evaluation_id;
        rc = judge_claimed_fail(work->arena, &reader->claim.job, &failure,
                                judge_str_eq_c(row->file_type, "text") ? NULL
                                                                 : &origin,
                                judge_time_now(), &finish->failed);
    }

    return rc;
}


static void
judge_upload_reader_finished(judge_leased_t *work)
{
    judge_str_t             none = { 0, NULL };
    judge_upload_reader_t  *reader = (judge_upload_reader_t *) work;
    judge_upload_row_t     *row = &reader->claim.row;

    if (!reader->finish.received) {
        judge_metrics_add(work->service->metrics, JUDGE_METRIC_PURGED_UPLOADS,
                          1);
    }

    if (judge_object_is_path(row->file_path)) {
        if (row->size > row->max_size || row->expires_at == 0) {
            judge_object_remove(work->service, row->file_path, none);
        }
        if (row->multipart.data) {
            judge_object_remove(work->service, row->file_path, row->multipart);
        }
    }

    if (reader->finish.failed.body.data) {
        judge_waiters_ended(work->service, &reader->finish.failed);
    }

    judge_leased_end(work);
}


static void
judge_upload_reader_ran(judge_leased_t *work)
{
    judge_upload_reader_t   *reader = (judge_upload_reader_t *) work;
    judge_upload_finish_t   *finish = &reader->finish;
    const judge_settings_t  *settings = &work->service->settings;

    finish->now = judge_now(work->service);

    if (judge_str_eq_c(reader->claim.row.file_type, "text")) {
        finish->deadline = finish->now + settings->deadline;
        finish->queue_at = finish->now;
    } else {
        finish->deadline = finish->now + settings->callback_deadline;
        finish->queue_at = finish->deadline;
    }

    judge_leased_op(work, &finish->op, JUDGE_OP_UPLOAD_FINISH,
                    judge_upload_reader_finished);
}


static void
judge_upload_reader_read_on(judge_upload_reader_t *reader)
{
    judge_leased_compute(&reader->work, judge_upload_reader_run,
                         judge_upload_reader_ran);
}


/* --- Files in an object store -------------------------------------------- */

static void
judge_upload_reader_received(judge_leased_t *work)
{
    judge_upload_reader_t  *reader = (judge_upload_reader_t *) work;

    judge_metrics_add(work->service->metrics, JUDGE_METRIC_UPLOADS, 1);
    judge_metrics_add(work->service->metrics, JUDGE_METRIC_UPLOADED,
                      (uint64_t) reader->receive.size);
    judge_leased_end(work);
}


static void
judge_upload_reader_receive(judge_upload_reader_t *reader)
{
    judge_upload_row_t  *row = &reader->claim.row;

    reader->receive = (judge_upload_receive_t) {
        .id = row->id,
        .file_path = row->file_path,
        .size = reader->lookup.call.length,
        .now = judge_now(reader->work.service)
    };

    judge_leased_op(&reader->work, &reader->receive.op,
                    JUDGE_OP_UPLOAD_RECEIVE, judge_upload_reader_received);
}


/* Later claims ask for a missing file again until the upload expires.  If
 * calls fail, the file is given up only after too many of them, and not before
 * the upload expires; calls before the object store is ready don't count. */

static void
judge_upload_reader_absent(judge_upload_reader_t *reader, bool missing)
{
    judge_ms_t                   late;
    judge_service_t             *service = reader->work.service;
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
        judge_leased_end(&reader->work);
    }
}


static void
judge_upload_reader_located(judge_object_lookup_t *lookup)
{
    bool                    received;
    judge_upload_reader_t  *reader = lookup->data;

    received = judge_str_eq_c(lookup->row->status, "received");

    if (lookup->outcome == JUDGE_OBJECT_PRESENT && !received) {
        judge_upload_reader_receive(reader);

    } else if (lookup->outcome != JUDGE_OBJECT_UNKNOWN && received) {
        judge_upload_reader_read_on(reader);

    } else {
        judge_upload_reader_absent(reader, lookup->outcome
                                           == JUDGE_OBJECT_MISSING);
    }
}


/* --- Claims -------------------------------------------------------------- */

static void
judge_upload_reader_begin(judge_leased_t *work)
{
    judge_upload_reader_t  *reader = (judge_upload_reader_t *) work;
    judge_upload_row_t     *row = &reader->claim.row;

    work->org = row->org;
    reader->lookup = (judge_object_lookup_t) {
        .service = work->service, .arena = work->arena, .row = row,
        .done = judge_upload_reader_located, .data = reader
    };

    if (judge_object_is_path(row->file_path) && row->expires_at
        && (row->size || !judge_str_eq_c(row->status, "received")))
    {
        judge_object_lookup(&reader->lookup);
    } else {
        judge_upload_reader_read_on(reader);
    }
}


const judge_leased_kind_t  judge_upload_reads = {
    .size = sizeof(judge_upload_reader_t),
    .most = 1,
    .peek = JUDGE_OP_UPLOAD_PEEK,
    .claim = JUDGE_OP_UPLOAD_CLAIM,
    .claim_at = offsetof(judge_upload_reader_t, claim),
    .lease = JUDGE_UPLOAD_READER_LEASE,
    .begin = judge_upload_reader_begin,
    .failed = judge_leased_end         /* claimed again after the lease */
};
