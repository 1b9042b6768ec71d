/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The object store reports uploads to the bucket by events.  An event only
 * makes the service check the bucket sooner, so it does no harm if it comes
 * twice, comes too early, or is wrong. */


#include <string.h>
#include <strings.h>

#include "base/crypto/crypto.h"
#include "extensions/s3/bucket.h"
#include "work/uploads/upload_reader.h"


#define JUDGE_BUCKET_EVENT_BYTES  65536    /* size of a notification */
#define JUDGE_BUCKET_EVENT_FILES  100      /* files that it may name */

typedef struct {
    judge_buf_t             raw;
    size_t                  count;     /* entries of the four arrays below */
    judge_str_t             keys[JUDGE_BUCKET_EVENT_FILES];
    judge_str_t             orgs[JUDGE_BUCKET_EVENT_FILES];
    judge_str_t             ids[JUDGE_BUCKET_EVENT_FILES];
    bool                    known[JUDGE_BUCKET_EVENT_FILES];
    size_t                  nignored;
    judge_str_t             ignored[JUDGE_BUCKET_EVENT_FILES];
    const char             *reasons[JUDGE_BUCKET_EVENT_FILES];
    judge_upload_hasten_t   hasten;
} judge_bucket_event_t;


static bool
judge_bucket_event_believes(judge_req_t *r, judge_str_t secret)
{
    const judge_bucket_secrets_t  *secrets = judge_bucket_current(r->service);

    return secrets && judge_secret_eq(secrets->events, secret);
}


/* The secret is a Bearer token or the password of Basic, because each is the
 * only method of some object stores. */

static bool
judge_bucket_event_authorized(judge_req_t *r)
{
    const char   *colon;
    judge_str_t   given;

    given = r->headers[JUDGE_HEADER_AUTHORIZATION];

    if (judge_str_starts(given, JUDGE_STR("Basic "))) {
        given = judge_unbase64(r->arena, judge_str_from(given, 6));
        colon = given.len ? memchr(given.data, ':', given.len) : NULL;
        return colon
               && judge_bucket_event_believes(r, judge_str_from(given,
                                    (size_t) (colon + 1 - given.data)));
    }

    return judge_str_starts(given, JUDGE_STR("Bearer "))
           && judge_bucket_event_believes(r, judge_str_from(given, 7));
}


/* The body of a sender without the secret is not stored. */

static void
judge_bucket_event_piece(judge_req_t *r, const char *data, size_t len)
{
    judge_bucket_event_t  *c = r->ctx;

    if (c->raw.arena == NULL) {
        if (!judge_bucket_event_authorized(r)) {
            return;
        }
        judge_buf_init(&c->raw, r->arena);
    }

    if (c->raw.len + len > JUDGE_BUCKET_EVENT_BYTES) {
        judge_req_refuse(r, 413, JUDGE_STR("body: expected at most 65536"
                                           " bytes"));
        return;
    }

    judge_buf_append(&c->raw, data, len);
}


/* Decodes only %2F: the service's keys have no other encoded characters. */

static judge_str_t
judge_bucket_event_key(judge_arena_t *arena, judge_str_t s)
{
    char    *out;
    size_t   i, n;

    out = judge_alloc(arena, s.len + 1);

    for (i = 0, n = 0; out && i < s.len; i++) {
        out[n++] = s.data[i];
        if (s.len - i >= 3 && strncasecmp(s.data + i, "%2f", 3) == 0) {
            out[n - 1] = '/';
            i += 2;
        }
    }

    return (judge_str_t) { out ? n : 0, out };
}


static void
judge_bucket_event_sort(judge_req_t *r, const judge_json_t *list,
    judge_str_t folder)
{
    size_t                    n;
    const char               *reason;
    judge_str_t               where, bucket, key;
    const judge_json_t       *at, *s3;
    judge_bucket_event_t  *c = r->ctx;

    for (at = list ? list->first : NULL; at; at = at->next) {
        s3 = judge_json_get(at, "s3");
        bucket = judge_json_string(judge_json_get(s3, "bucket"), "name");
        key = judge_json_string(judge_json_get(s3, "object"), "key");

        n = c->count;
        where = key.data ? judge_bucket_event_key(r->arena, key) : key;
        reason = bucket.data && key.data
                 ? judge_bucket_owner(r->service, folder, bucket, where,
                                      &c->orgs[n], &c->ids[n])
                 : "it names no bucket and key";

        if (reason) {
            c->ignored[c->nignored] = where;
            c->reasons[c->nignored++] = reason;
        } else {
            c->keys[c->count++] = where;
        }
    }
}


static void
judge_bucket_event_hastened(judge_req_t *r)
{
    size_t                    i, noticed;
    judge_json_writer_t      *w;
    judge_bucket_event_t  *c = r->ctx;

    for (i = 0, noticed = 0; i < c->count; i++) {
        if (c->known[i]) {
            noticed++;
        } else {
            c->ignored[c->nignored] = c->keys[i];
            c->reasons[c->nignored++] = "it belongs to no upload";
        }
    }

    judge_leases_wake(r->service, &judge_upload_reads);

    w = judge_reply_begin(r, 200);
    judge_json_put_int(w, "noticed", (int64_t) noticed);
    judge_json_key_array(w, "ignored");

    for (i = 0; i < c->nignored; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "key", c->ignored[i]);
        judge_json_put_c(w, "reason", c->reasons[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_reply_end(r);
}


/* When notifications are configured, S3 sends an object without "Records",
 * which must be accepted. */

static void
judge_bucket_events(judge_req_t *r)
{
    judge_str_t               folder, error;
    judge_json_t             *root;
    const judge_json_t       *list;
    judge_bucket_event_t  *c = r->ctx;

    if (c->raw.arena == NULL) {
        judge_reply_header(r, "WWW-Authenticate",
                           JUDGE_STR("Bearer realm=\"judge\""));
        judge_fail(r, 401, "Authorization: expected the secret of the file"
                           " that events= of judge_files names");
        return;
    }

    folder = judge_bucket_folder(r->arena, r->service);
    if (c->raw.failed || folder.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    if (!judge_check(r, judge_json_parse(r->arena, judge_buf_view(&c->raw),
                                         &root, &error), &error))
    {
        return;
    }

    list = judge_json_member(root, "Records", JUDGE_JSON_ARRAY);

    if (list ? list->count > JUDGE_BUCKET_EVENT_FILES
             : judge_json_member(root, "Event", JUDGE_JSON_STRING) == NULL)
    {
        judge_fail(r, 400, "Records: expected an array of at most %d, as in"
                           " an event notification of S3",
                   JUDGE_BUCKET_EVENT_FILES);
        return;
    }

    judge_bucket_event_sort(r, list, folder);
    c->hasten = (judge_upload_hasten_t) {
        .op.kind = JUDGE_OP_UPLOAD_HASTEN, .now = judge_now(r->service),
        .orgs = c->orgs, .ids = c->ids, .known = c->known, .count = c->count
    };
    judge_await(r, &c->hasten.op, judge_bucket_event_hastened);
}


static const char *const  judge_bucket_event_accepts[] = {
    "application/json", NULL
};

const judge_route_t  judge_bucket_events_routes[] = {
    { judge_route(POST, "/uploads/events", 0, JUDGE_ROUTE_PUBLIC,
                  judge_bucket_event_t),
      .handler = judge_bucket_events,
      .consume = judge_bucket_event_piece,
      .accepts = judge_bucket_event_accepts },
    { .pattern = NULL }
};
