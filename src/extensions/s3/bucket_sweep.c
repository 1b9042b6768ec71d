/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/s3/bucket.h"
#include "work/service/metrics.h"
#include "work/uploads/upload_reader.h"


#define JUDGE_BUCKET_SWEEP_EVERY  (6 * 3600 * 1000)
#define JUDGE_BUCKET_SWEEP_AGAIN  60000        /* ms until a retry */
#define JUDGE_BUCKET_SWEEP_NEXT   1000         /* ms between two pages */
#define JUDGE_BUCKET_SWEEP_AGE    (3600 * 1000)  /* ms; spares younger files */
#define JUDGE_BUCKET_SWEEP_FILES  1000         /* files of a page */
#define JUDGE_BUCKET_SWEEP_PAGE   (2 << 20)    /* bytes of a page */

static void judge_bucket_sweep_deleted(judge_call_t *call);


/* Ends a page and schedules the next one, after a failure the first page. */

static void
judge_bucket_sweep_end(judge_bucket_sweep_t *sweep, bool well)
{
    sweep->next_at = judge_now(sweep->service)
                + (!well ? JUDGE_BUCKET_SWEEP_AGAIN
                   : sweep->token.len ? JUDGE_BUCKET_SWEEP_NEXT
                   : JUDGE_BUCKET_SWEEP_EVERY);

    if (!well) {
        judge_buf_free(&sweep->token);
        judge_buf_init(&sweep->token, NULL);
    }

    judge_arena_destroy(sweep->arena);
    sweep->arena = NULL;
}


static void
judge_bucket_sweep_delete(judge_bucket_sweep_t *sweep)
{
    judge_s3_request_t  request = { .method = "DELETE" };

    while (sweep->turn < sweep->known.count
           && sweep->known.known[sweep->turn])
    {
        sweep->turn++;
    }

    if (sweep->turn == sweep->known.count || sweep->service->stopped) {
        judge_bucket_sweep_end(sweep, true);
        return;
    }

    request.key = judge_s3_uri_key(sweep->known.names[sweep->turn++]);
    sweep->call = (judge_call_t) {
        .max_answer = 8 * 1024, .arena = sweep->arena,
        .done = judge_bucket_sweep_deleted, .data = sweep
    };
    judge_bucket_call(sweep->service, &sweep->call, &request);
}


static void
judge_bucket_sweep_deleted(judge_call_t *call)
{
    judge_bucket_sweep_t  *sweep = call->data;

    if (call->outcome != JUDGE_CALL_OK || call->status >= 300) {
        judge_bucket_failed(sweep->service, call);
        judge_bucket_sweep_end(sweep, false);
        return;
    }

    judge_metrics_add(sweep->service->metrics, JUDGE_METRIC_PURGED_FILES, 1);
    judge_bucket_sweep_delete(sweep);
}


static void
judge_bucket_sweep_known(judge_op_t *op)
{
    judge_bucket_sweep_t  *sweep = op->data;

    if (op->rc != JUDGE_OK) {
        judge_bucket_sweep_end(sweep, false);
        return;
    }

    sweep->turn = 0;
    judge_bucket_sweep_delete(sweep);
}


/* Adds a key that ends with /<org>/<id>.<ext>, unless its file is too new. */

static bool
judge_bucket_sweep_add(judge_bucket_sweep_t *sweep, judge_str_t key,
    judge_str_t modified)
{
    judge_ms_t            at;
    judge_str_t           bucket, org, id;
    judge_files_known_t  *known = &sweep->known;

    bucket = judge_bucket_conf(sweep->service)->place.bucket;

    if (known->count == JUDGE_BUCKET_SWEEP_FILES
        || judge_bucket_owner(sweep->service, sweep->folder, bucket, key, &org,
                              &id)
        || judge_time_parse(modified, &at) != JUDGE_OK
        || judge_now(sweep->service) - at < JUDGE_BUCKET_SWEEP_AGE)
    {
        return true;
    }

    key = judge_str_printf(sweep->arena, "s3://%.*s/%.*s",
                           judge_str_args(bucket), judge_str_args(key));
    if (key.data == NULL) {
        return false;
    }

    known->orgs[known->count] = org;
    known->ids[known->count] = id;
    known->names[known->count++] = key;

    return true;
}


static bool
judge_bucket_sweep_read(judge_bucket_sweep_t *sweep)
{
    judge_str_t           rest, key, modified;
    judge_files_known_t  *known = &sweep->known;

    if (!judge_upload_reader_names(sweep->arena, known,
                                   JUDGE_BUCKET_SWEEP_FILES))
    {
        return false;
    }

    for (rest = sweep->call.answer;
         (key = judge_s3_element(&rest, "Key")).data
         && (modified = judge_s3_element(&rest, "LastModified")).data; )
    {
        if (!judge_bucket_sweep_add(sweep, key, modified)) {
            return false;
        }
    }

    rest = sweep->call.answer;
    judge_buf_free(&sweep->token);
    judge_buf_init(&sweep->token, NULL);
    judge_buf_str(&sweep->token, judge_s3_element(&rest,
                                                  "NextContinuationToken"));

    return !sweep->token.failed;
}


static void
judge_bucket_sweep_listed(judge_call_t *call)
{
    judge_bucket_sweep_t  *sweep = call->data;

    if (sweep->service->stopped || call->outcome != JUDGE_CALL_OK
        || call->status != 200 || !judge_bucket_sweep_read(sweep))
    {
        judge_bucket_sweep_end(sweep, false);
        return;
    }

    if (sweep->known.count == 0) {
        judge_bucket_sweep_end(sweep, true);
        return;
    }

    sweep->known.op = (judge_op_t) {
        .kind = JUDGE_OP_FILES_KNOWN, .arena = sweep->arena,
        .done = judge_bucket_sweep_known, .data = sweep
    };
    judge_submit(sweep->service, &sweep->known.op);
}


void
judge_bucket_sweep_tick(judge_service_t *service)
{
    judge_bucket_sweep_t  *sweep = judge_bucket_sweep(service);
    judge_s3_request_t     request = { .method = "GET", .nparams = 2,
        .params = { { "list-type", JUDGE_STR("2") } } };

    if (sweep == NULL || sweep->arena || service->stopped
        || judge_now(service) < sweep->next_at || !judge_bucket_ready(service))
    {
        return;
    }

    sweep->arena = judge_arena_create(64 * 1024);
    if (sweep->arena == NULL) {
        return;
    }

    request.params[1].name = "prefix";
    sweep->folder = judge_bucket_folder(sweep->arena, sweep->service);
    if (sweep->folder.data == NULL) {
        judge_bucket_sweep_end(sweep, false);
        return;
    }

    request.params[1].value = sweep->folder;

    if (sweep->token.len) {
        request.nparams = 3;
        request.params[2].name = "continuation-token";
        request.params[2].value = judge_str_dup(sweep->arena,
                                      judge_buf_view(&sweep->token));
    }

    sweep->call = (judge_call_t) {
        .max_answer = JUDGE_BUCKET_SWEEP_PAGE, .arena = sweep->arena,
        .done = judge_bucket_sweep_listed, .data = sweep
    };
    judge_bucket_call(sweep->service, &sweep->call, &request);
}
