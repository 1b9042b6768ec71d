/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Stores uploaded files in a bucket of an object store (s3.h) instead of a
 * directory.  Clients get pre-signed addresses of files; the service makes its
 * own calls through the location with `judge_files`.  A file_path is
 * s3://<bucket>/<prefix><store>/<org>/<id>.<ext>, where <store> identifies the
 * database, because several may share a bucket.
 */


#ifndef JUDGE_BUCKET_H
#define JUDGE_BUCKET_H


#include "extensions/s3/s3.h"
#include "work/service/extension.h"
#include "work/uploads/object_store.h"
#include "api/http/request.h"


#define JUDGE_BUCKET_ROUTE  "files"    /* judge_call_t.route */

/* service->settings.objects_conf, which lives as long as nginx's cycle. */
typedef struct {
    judge_s3_place_t        place;     /* for the service's own calls */
    judge_s3_place_t        shown;     /* for clients */
    judge_str_t             prefix;    /* empty, or ends with a slash */
    judge_str_t             file;      /* path of the credentials, zero-
                                          terminated; or absent */
    judge_s3_credentials_t  credentials;  /* of the environment, if file is
                                          absent */
    judge_str_t             profile;   /* section of the file */
    judge_str_t             events;    /* path of the events' secret, zero-
                                          terminated; absent: no events */
    judge_ms_t              timeout;   /* for a call */
} judge_bucket_conf_t;

extern const judge_extension_t     judge_extension_s3;
extern const judge_object_store_t  judge_extension_s3_objects;
extern const judge_route_t         judge_bucket_events_routes[];

#define judge_bucket_conf(service)                                            \
    ((const judge_bucket_conf_t *) (service)->settings.objects_conf)

/* The secrets that are read from files. */
typedef struct {
    judge_s3_credentials_t  keys;
    judge_str_t             events;
} judge_bucket_secrets_t;

/* The sweep deletes files that no row of the database refers to.  It lists the
 * bucket page by page, and deletes the files of a page one after the other. */
typedef struct {
    judge_service_t      *service;
    judge_arena_t        *arena;       /* for the page; NULL: idle */
    judge_call_t          call;
    judge_files_known_t   known;
    size_t                turn;
    judge_str_t           folder;      /* prefix of keys, before <org> */
    judge_buf_t           token;       /* of the last page; empty: begin with
                                          the first page */
    judge_ms_t            next_at;     /* when the next page is due */
} judge_bucket_sweep_t;


#define JUDGE_BUCKET_ERROR  400

/* The data of the extension. */
typedef struct {
    judge_service_t             *service;
    const judge_bucket_conf_t   *conf;
    judge_bucket_secrets_t       secrets;      /* keys.id absent: not read */
    judge_arena_t               *arena;        /* for secrets */
    judge_arena_t               *read_arena;   /* for the secrets being read */
    judge_bucket_secrets_t       read;
    judge_str_t                  reading_error;         /* set by a thread */
    judge_str_t                  read_error;   /* of the last reading */
    judge_task_t                 reading;
    judge_ms_t                   read_at;
    judge_arena_t               *probe_arena;
    judge_call_t                 probe;
    judge_ms_t                   probe_at;
    judge_ms_t                   at;    /* last log of a failure */
    size_t                       deletions;    /* number under way */
    bool                         busy;         /* files are being read */
    judge_bucket_sweep_t         sweep;
    char                         error[JUDGE_BUCKET_ERROR];
} judge_bucket_t;

/* The work beside requests (judge_extension_t); nothing without a bucket. */
bool judge_bucket_create(judge_service_t *service);
void judge_bucket_destroy(judge_service_t *service);
void judge_bucket_tick(judge_service_t *service);
bool judge_bucket_busy(judge_service_t *service);


/* Returns the sweep of the service; NULL: there is no bucket. */
judge_bucket_sweep_t *judge_bucket_sweep(judge_service_t *service);
void judge_bucket_sweep_tick(judge_service_t *service);

/* Reads the files of secrets.  On failure *error is a sentence for the log,
 * which names the file, and nothing that stands in it. */
judge_rc_e judge_bucket_secrets(judge_arena_t *arena,
    const judge_bucket_conf_t *conf, judge_bucket_secrets_t *out,
    judge_str_t *error);

/* Returns the current secrets; NULL: there is no bucket. */
const judge_bucket_secrets_t *judge_bucket_current(
    const judge_service_t *service);


/* --- The functions of judge_object_store_t ------------------------------- */

bool judge_bucket_ready(const judge_service_t *service);
judge_str_t judge_bucket_path(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t org, judge_str_t id,
    judge_str_t extension);

/* A GET address sets a media type that browsers don't execute. */
judge_str_t judge_bucket_url(judge_arena_t *arena,
    const judge_service_t *service, const char *method, judge_str_t file_path,
    judge_ms_t until);

void judge_bucket_begin(judge_service_t *service, judge_call_t *call,
    judge_str_t file_path);
judge_str_t judge_bucket_begun(judge_service_t *service,
    const judge_call_t *call);

/* Writes the member "multipart" of an answer. */
void judge_bucket_parts_json(judge_json_writer_t *w,
    const judge_service_t *service, const judge_upload_row_t *row);

void judge_bucket_lookup(judge_object_lookup_t *lookup);
judge_rc_e judge_bucket_read(const judge_object_lookup_t *lookup,
    judge_upload_finish_t *finish);
void judge_bucket_fetch(judge_service_t *service, judge_call_t *call,
    judge_str_t file_path);

/* Reports no outcome: if this fails, the sweep deletes the file later. */
void judge_bucket_delete(judge_service_t *service, judge_str_t file_path,
    judge_str_t multipart);


/* --- Keys ---------------------------------------------------------------- */

/* Returns the address of a part of the file, counted from 1. */
judge_str_t judge_bucket_part_url(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t file_path,
    judge_str_t multipart, size_t part, judge_ms_t until);

/* Parses the key of a file in `folder`, and points *org and *id into it.
 * Returns NULL, or the reason why the key is not one of this store. */
const char *judge_bucket_owner(const judge_service_t *service,
    judge_str_t folder, judge_str_t bucket, judge_str_t key, judge_str_t *org,
    judge_str_t *id);

/* Returns the prefix of the keys of this store, which ends with a slash. */
judge_str_t judge_bucket_folder(judge_arena_t *arena,
    const judge_service_t *service);


/* --- Calls --------------------------------------------------------------- */

/* Calls the object store.  The caller sets the call's arena, max_answer, done
 * and optional headers; method, key and parameters come from the request. */
void judge_bucket_call(judge_service_t *service, judge_call_t *call,
    judge_s3_request_t *request);

/* Call this when a call has failed: it logs the failure, once a minute at
 * most, and probes the bucket. */
void judge_bucket_failed(judge_service_t *service, const judge_call_t *call);


#endif /* JUDGE_BUCKET_H */
