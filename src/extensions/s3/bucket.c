/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A thread reads the credentials again every few seconds.  Every minute, and
 * after failures, a probe lists one key of the bucket.  Uploads are accepted
 * only if it succeeds, because it needs what other calls need: a connection,
 * valid credentials, synchronized clocks, and the bucket.
 */


#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "extensions/s3/bucket.h"


#define JUDGE_BUCKET_FILE     65536    /* bytes of a file of secrets */
#define JUDGE_BUCKET_EVENTS   16       /* least bytes of the secret */
#define JUDGE_BUCKET_READ     5000     /* ms between two reads of files */
#define JUDGE_BUCKET_PROBE    60000    /* ms between two probes */
#define JUDGE_BUCKET_AGAIN    3000     /* likewise after a failure */
#define JUDGE_BUCKET_VALID    300      /* s; validity of its own signatures */

static judge_bucket_t *
judge_bucket_of(const judge_service_t *service)
{
    judge_bucket_t  *bucket;

    bucket = judge_extensions_data(service, &judge_extension_s3);

    return bucket && bucket->service ? bucket : NULL;
}


bool
judge_bucket_create(judge_service_t *service)
{
    judge_bucket_t  *bucket;

    if (service->settings.objects != &judge_extension_s3_objects) {
        return true;
    }

    bucket = judge_extensions_data(service, &judge_extension_s3);
    bucket->service = service;
    bucket->conf = judge_bucket_conf(service);
    bucket->secrets.keys = bucket->conf->credentials;
    bucket->sweep.service = service;
    judge_buf_init(&bucket->sweep.token, NULL);

    return true;
}


void
judge_bucket_destroy(judge_service_t *service)
{
    judge_bucket_t  *bucket = judge_bucket_of(service);

    if (bucket) {
        judge_arena_destroy(bucket->arena);
        judge_arena_destroy(bucket->read_arena);
        judge_arena_destroy(bucket->probe_arena);
        judge_arena_destroy(bucket->sweep.arena);
        judge_buf_free(&bucket->sweep.token);
    }
}


bool
judge_bucket_busy(judge_service_t *service)
{
    judge_bucket_t  *bucket = judge_bucket_of(service);

    return bucket && (bucket->busy || bucket->probe_arena
                      || bucket->deletions || bucket->sweep.arena);
}


judge_bucket_sweep_t *
judge_bucket_sweep(judge_service_t *service)
{
    judge_bucket_t  *bucket = judge_bucket_of(service);

    return bucket ? &bucket->sweep : NULL;
}


const judge_bucket_secrets_t *
judge_bucket_current(const judge_service_t *service)
{
    judge_bucket_t  *bucket = judge_bucket_of(service);

    return bucket ? &bucket->secrets : NULL;
}


bool
judge_bucket_ready(const judge_service_t *service)
{
    judge_bucket_t  *bucket = judge_bucket_of(service);

    return bucket && bucket->error[0] == '\0'
           && bucket->secrets.keys.id.data;
}


static void
judge_bucket_warn(judge_bucket_t *bucket, judge_str_t what)
{
    char                     line[JUDGE_BUCKET_ERROR + 400];
    const judge_s3_place_t  *place = &bucket->conf->place;

    (void) snprintf(line, sizeof(line), "files in bucket %.*s of %.*s: %.*s",
                    judge_str_args(place->bucket), (int) place->authority.len,
                    place->authority.data, judge_str_args(what));
    bucket->service->warn(bucket->service->data, judge_str_c(line));
}


/* Notes the state of the bucket, and logs each change of it. */

static void
judge_bucket_state(judge_bucket_t *bucket, judge_str_t error)
{
    if (judge_str_eq_c(error, bucket->error)
        || (error.data == NULL && bucket->error[0] == '\0'))
    {
        return;
    }

    (void) snprintf(bucket->error, sizeof(bucket->error), "%.*s",
                    (int) error.len, error.data ? error.data : "");
    judge_bucket_warn(bucket, error.data ? error
                                           : JUDGE_STR("it works again"));
}


/* Returns a sentence on what is wrong with an answer; data NULL: nothing, or
 * out of memory.  An error code, such as RequestTimeTooSkewed, is quoted only
 * if it has no other characters than letters. */

static judge_str_t
judge_bucket_wrong(judge_arena_t *arena, const judge_call_t *call, bool list)
{
    judge_str_t         code, answer = call->answer;
    static const char   letters[] = "abcdefghijklmnopqrstuvwxyz"
                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    if (call->outcome != JUDGE_CALL_OK) {
        return judge_str_c(judge_call_outcome(call->outcome));
    }

    if (call->status < 300) {
        return list && judge_s3_element(&answer, "IsTruncated").data == NULL
               ? JUDGE_STR("what it answered is not the list of a bucket")
               : (judge_str_t) { 0, NULL };
    }

    code = judge_s3_element(&answer, "Code");
    if (code.len > 80 || judge_str_trim(code, letters).len) {
        code.len = 0;
    }

    return judge_str_printf(arena, "it answered %d%s%.*s", call->status,
                            code.len ? ", " : "", (int) code.len,
                            code.len ? code.data : "");
}


void
judge_bucket_failed(judge_service_t *service, const judge_call_t *call)
{
    judge_ms_t       now;
    judge_str_t      wrong;
    judge_bucket_t  *bucket = judge_bucket_of(service);

    if (bucket == NULL || call->outcome == JUDGE_CALL_STOPPED) {
        return;
    }

    now = judge_now(service);
    bucket->probe_at = 0;
    wrong = judge_bucket_wrong(call->arena, call, false);
    if (wrong.data == NULL) {
        wrong = JUDGE_STR("what it answered can't be understood");
    }

    if (now - bucket->at >= JUDGE_BUCKET_PROBE) {
        bucket->at = now;
        wrong = judge_str_printf(call->arena, "%s: %.*s", call->method,
                                 judge_str_args(wrong));
        judge_bucket_warn(bucket, wrong.data ? wrong : JUDGE_STR("no memory"));
    }
}


/* Reads a file, and removes white space around its content. */

static judge_str_t
judge_bucket_file(judge_arena_t *arena, judge_str_t path)
{
    int      fd;
    char    *text;
    ssize_t  n;

    text = judge_alloc(arena, JUDGE_BUCKET_FILE);
    fd = text ? open(path.data, O_RDONLY | O_CLOEXEC) : -1;
    if (fd == -1) {
        return (judge_str_t) { 0, NULL };
    }

    n = read(fd, text, JUDGE_BUCKET_FILE);
    (void) close(fd);

    return n < 0 ? (judge_str_t) { 0, NULL }
           : judge_str_trim((judge_str_t) { (size_t) n, text }, " \t\r\n");
}


judge_rc_e
judge_bucket_secrets(judge_arena_t *arena, const judge_bucket_conf_t *conf,
    judge_bucket_secrets_t *out, judge_str_t *error)
{
    judge_str_t         text;
    const char         *wrong;
    static const char   unread[] = "the file can't be read by this user";

    *out = (judge_bucket_secrets_t) { .keys = conf->credentials };

    if (conf->file.data) {
        wrong = unread;
        text = judge_bucket_file(arena, conf->file);
        if (text.data == NULL
            || judge_s3_credentials_parse(text, conf->profile, &out->keys,
                                          &wrong) != JUDGE_OK)
        {
            *error = judge_str_printf(arena, "credentials=%s profile=%.*s: %s",
                                      conf->file.data,
                                      judge_str_args(conf->profile), wrong);
            return JUDGE_INVALID;
        }
    }

    if (conf->events.data) {
        out->events = judge_bucket_file(arena, conf->events);
        if (out->events.len < JUDGE_BUCKET_EVENTS) {
            *error = judge_str_printf(arena, "events=%s: %s",
                         conf->events.data, out->events.data == NULL ? unread
                         : "expected a secret of 16 characters or more");
            return JUDGE_INVALID;
        }
    }

    return JUDGE_OK;
}


static void
judge_bucket_read_run(judge_task_t *task)
{
    judge_bucket_t  *bucket = task->data;

    bucket->reading_error = (judge_str_t) { 0, NULL };

    if (judge_bucket_secrets(bucket->read_arena, bucket->conf, &bucket->read,
                             &bucket->reading_error) != JUDGE_OK
        && bucket->reading_error.data == NULL)
    {
        bucket->reading_error = JUDGE_STR("no memory");
    }
}


/* If reading failed, perhaps because a file is just being written, the
 * previous secrets remain in use. */

static void
judge_bucket_read_done(judge_task_t *task)
{
    judge_bucket_t          *bucket = task->data;
    judge_s3_credentials_t  *was = &bucket->secrets.keys;
    judge_s3_credentials_t  *is = &bucket->read.keys;

    bucket->busy = false;
    bucket->read_error = bucket->reading_error;

    if (bucket->read_error.data == NULL) {
        if (!judge_str_eq(is->id, was->id)
            || !judge_str_eq(is->secret, was->secret)
            || !judge_str_eq(is->token, was->token))
        {
            bucket->probe_at = 0;
        }
        judge_arena_destroy(bucket->arena);
        bucket->arena = bucket->read_arena;
        bucket->secrets = bucket->read;

    } else {
        if (bucket->arena == NULL) {
            judge_bucket_state(bucket, bucket->read_error);
        }
        judge_arena_destroy(bucket->read_arena);
    }

    bucket->read_arena = NULL;
}


static void
judge_bucket_reread(judge_bucket_t *bucket)
{
    bucket->read_arena = judge_arena_create(JUDGE_BUCKET_FILE);
    if (bucket->read_arena == NULL) {
        return;
    }

    bucket->busy = true;
    judge_service_compute(bucket->service, &bucket->reading,
                          judge_bucket_read_run, judge_bucket_read_done,
                          bucket);
}


void
judge_bucket_call(judge_service_t *service, judge_call_t *call,
    judge_s3_request_t *request)
{
    judge_bucket_t  *bucket = judge_bucket_of(service);

    call->outcome = JUDGE_CALL_UNCONFIGURED;

    if (bucket && bucket->secrets.keys.id.data) {
        request->now = judge_now(service);
        request->valid = JUDGE_BUCKET_VALID;
        call->url = judge_s3_presign(call->arena, &bucket->conf->place,
                                     &bucket->secrets.keys, request);
        call->outcome = JUDGE_CALL_FAULT;
    } else {
        call->url = (judge_str_t) { 0, NULL };
    }

    if (call->url.data == NULL) {
        call->done(call);
        return;
    }

    call->route = JUDGE_STR(JUDGE_BUCKET_ROUTE);
    call->method = request->method;
    call->timeout = bucket->conf->timeout;
    service->call(service->network, call);
}


static void
judge_bucket_probed(judge_call_t *call)
{
    judge_str_t      wrong;
    judge_bucket_t  *bucket = call->data;

    wrong = judge_bucket_wrong(bucket->probe_arena, call, true);

    if (call->outcome != JUDGE_CALL_STOPPED) {
        judge_bucket_state(bucket, wrong);
    }

    if (wrong.data) {
        bucket->probe_at = judge_now(bucket->service) + JUDGE_BUCKET_AGAIN;
    }

    judge_arena_destroy(bucket->probe_arena);
    bucket->probe_arena = NULL;
}


static void
judge_bucket_probe(judge_bucket_t *bucket)
{
    judge_s3_request_t  request = {
        .method = "GET", .nparams = 3, .params = {
            { "list-type", JUDGE_STR("2") }, { "max-keys", JUDGE_STR("1") },
            { "prefix", bucket->conf->prefix }
        }
    };

    bucket->probe_arena = judge_arena_create(16 * 1024);
    if (bucket->probe_arena == NULL) {
        return;
    }

    bucket->probe_at = judge_now(bucket->service) + JUDGE_BUCKET_PROBE;
    bucket->probe = (judge_call_t) {
        .max_answer = 16 * 1024, .arena = bucket->probe_arena,
        .done = judge_bucket_probed, .data = bucket
    };
    judge_bucket_call(bucket->service, &bucket->probe, &request);
}


void
judge_bucket_tick(judge_service_t *service)
{
    judge_ms_t       now;
    judge_bucket_t  *bucket = judge_bucket_of(service);

    if (bucket == NULL || service->stopped) {
        return;
    }

    now = judge_now(service);

    if ((bucket->conf->file.data || bucket->conf->events.data)
        && !bucket->busy && now - bucket->read_at >= JUDGE_BUCKET_READ)
    {
        bucket->read_at = now;
        judge_bucket_reread(bucket);
    }

    /* a probe needs the credentials from the files */

    if (bucket->secrets.keys.id.data && bucket->probe_arena == NULL
        && now >= bucket->probe_at
        && !(bucket->read_error.data && bucket->arena == NULL))
    {
        judge_bucket_probe(bucket);
    }
}


static void
judge_bucket_deleted(judge_call_t *call)
{
    judge_bucket_t  *bucket = call->data;

    bucket->deletions--;

    if (call->outcome != JUDGE_CALL_OK || call->status >= 500
        || call->status == 403)
    {
        judge_bucket_failed(bucket->service, call);
    }

    judge_arena_destroy(call->arena);
}


void
judge_bucket_delete(judge_service_t *service, judge_str_t file_path,
    judge_str_t multipart)
{
    judge_call_t        *call;
    judge_arena_t       *arena;
    judge_bucket_t      *bucket = judge_bucket_of(service);
    judge_s3_request_t   request = { .method = "DELETE" };

    if (bucket == NULL) {
        return;
    }

    arena = judge_arena_create(8 * 1024);
    call = arena ? judge_calloc(arena, sizeof(judge_call_t)) : NULL;
    if (call == NULL) {
        judge_arena_destroy(arena);
        return;
    }

    *call = (judge_call_t) {
        .max_answer = 8 * 1024, .arena = arena, .done = judge_bucket_deleted,
        .data = bucket
    };
    request.key = judge_s3_uri_key(file_path);
    request.params[0] = (judge_s3_param_t) { "uploadId", multipart };
    request.nparams = multipart.data ? 1 : 0;
    bucket->deletions++;
    judge_bucket_call(service, call, &request);
}
