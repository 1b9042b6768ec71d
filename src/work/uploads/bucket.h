/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Uploaded files in a bucket of an object store (base/net/s3.h), in place of a
 * directory: clients get pre-signed addresses of it, and the service makes its
 * own calls through the location with `judge_files`.  A file_path is
 * s3://<bucket>/<prefix><store>/<org>/<id>.<ext>, where <store> identifies the
 * database, because several may share a bucket.
 */


#ifndef JUDGE_BUCKET_H
#define JUDGE_BUCKET_H


#include "base/json/json.h"
#include "base/net/s3.h"
#include "store/store_upload.h"
#include "work/service/service.h"


#define JUDGE_BUCKET_ROUTE  "files"    /* judge_call_t.route */

/* service->settings.bucket, which lives as long as nginx's cycle; NULL: files
 * are in a directory. */
struct judge_bucket_conf {
    judge_s3_place_t        place;     /* for the service's own calls */
    judge_s3_place_t        shown;     /* for clients */
    judge_str_t             prefix;    /* empty, or ends with a slash */
    judge_str_t             file;      /* path of the credentials, zero-
                                          terminated; absent: not in a file, */
    judge_s3_credentials_t  credentials;                 /* but from the
                                          environment */
    judge_str_t             profile;   /* section of the file */
    judge_str_t             events;    /* path of the events' secret, zero-
                                          terminated; absent: no events */
    judge_ms_t              timeout;   /* for a call */
};

/* The secrets that are read from files. */
typedef struct {
    judge_s3_credentials_t  keys;
    judge_str_t             events;
} judge_bucket_secrets_t;

/* Completes a multipart upload when all of its parts have been uploaded. */
typedef struct {
    judge_service_t        *service;
    judge_arena_t          *arena;
    judge_str_t             file_path;
    judge_str_t             multipart;
    int64_t                 size;      /* bytes of all parts */
    bool                    failed;    /* a call failed: nothing is known */
    void                  (*done)(void *data, bool tried);
    void                   *data;
    judge_call_t            call;
} judge_bucket_assembly_t;


/* Deletes files without a row: reads the list page by page, and deletes the
 * files of a page one after the other. */
typedef struct {
    judge_service_t      *service;
    judge_arena_t        *arena;       /* for the page; NULL: idle */
    judge_call_t          call;
    judge_files_known_t   known;
    size_t                turn;
    judge_str_t           folder;      /* beginning of keys, before <org> */
    judge_buf_t           after;       /* token of the last page; empty: start
                                          at the beginning */
    judge_ms_t            at;          /* when the next page is due */
    bool                  stopped;
} judge_bucket_sweep_t;


/* The module of judge_background; without a bucket it does nothing. */
bool judge_bucket_create(judge_service_t *service);
void judge_bucket_destroy(judge_service_t *service);
void judge_bucket_tick(judge_service_t *service);
void judge_bucket_stop(judge_service_t *service);
bool judge_bucket_busy(judge_service_t *service);


/* The sweep of the service's bucket; NULL: it has none. */
judge_bucket_sweep_t *judge_bucket_sweep(judge_service_t *service);
void judge_bucket_sweep_tick(judge_service_t *service);

/* Reads the files of secrets; on failure *error is a sentence that does not
 * contain their paths. */
judge_rc_e judge_bucket_secrets(judge_arena_t *arena,
    const judge_bucket_conf_t *conf, judge_bucket_secrets_t *out,
    judge_str_t *error);

/* Whether that is the secret of events; compares in constant time. */
bool judge_bucket_believes(const judge_service_t *service, judge_str_t secret);

/* Whether the bucket can't be used at present. */
bool judge_bucket_trouble(const judge_service_t *service);

/* Whether a file is in a bucket; the path of a new file. */
bool judge_bucket_has(judge_str_t file_path);
judge_str_t judge_bucket_path(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t org, judge_str_t id,
    judge_str_t extension);

/* The address of a file for clients, for PUT or for GET; with GET the answer's
 * media type is one that browsers don't execute.  data NULL: there are no
 * credentials, or memory is out. */
judge_str_t judge_bucket_url(judge_arena_t *arena,
    const judge_service_t *service, const char *method, judge_str_t file_path,
    judge_ms_t until);

/* The address of one of the file's parts, counted from 1. */
judge_str_t judge_bucket_part_url(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t file_path,
    judge_str_t multipart, size_t part, judge_ms_t until);

/* Finds whose file a key names.  Returns NULL, with *org and *id pointing into
 * `key`, or the reason why it is not in `folder`, this store's. */
const char *judge_bucket_owner(const judge_service_t *service,
    judge_str_t folder, judge_str_t bucket, judge_str_t key, judge_str_t *org,
    judge_str_t *id);

/* The key of a file in the bucket. */
judge_str_t judge_bucket_key(judge_str_t file_path);

/* The prefix of this store's keys, which ends with a slash. */
judge_str_t judge_bucket_folder(judge_arena_t *arena,
    const judge_service_t *service);

/* Calls the object store.  The caller sets the call's arena, max_answer, done
 * and optional headers; method, key and parameters come from the request. */
void judge_bucket_call(judge_service_t *service, judge_call_t *call,
    judge_s3_request_t *request);

/* Sets in `finish`, by the call that read the file, its text or the reason why
 * it can't be used. */
judge_rc_e judge_bucket_read_file(judge_arena_t *arena,
    const judge_call_t *call, const judge_upload_row_t *row, size_t max,
    judge_upload_finish_t *finish);

/* Allocates room for names of files whose rows are to be looked up; used for
 * files in a directory, too. */
bool judge_bucket_known(judge_arena_t *arena, judge_files_known_t *known,
    size_t most);

/* To be called when a call has failed: logs it, once a minute at most, and
 * probes the bucket. */
void judge_bucket_failed(judge_service_t *service, const judge_call_t *call);

/* Deletes the file, or aborts its multipart upload unless that is absent.  The
 * outcome is not reported: if it fails, the sweep does it later. */
void judge_bucket_delete(judge_service_t *service, judge_str_t file_path,
    judge_str_t multipart);


/* --- Files in parts (bucket_parts.c) ------------------------------------- */

#define JUDGE_BUCKET_WHOLE    (100 * 1000 * 1000)        /* bytes; larger files
                                          are uploaded in parts */
#define JUDGE_BUCKET_PARTED   3600000  /* ms that addresses of parts are valid,
                                          at least */

/* _begin() creates a multipart upload by a call that has the file's
 * Content-Type as a header; _begun() returns its id; data NULL: it failed. */
void judge_bucket_begin(judge_service_t *service, judge_call_t *call,
    judge_str_t file_path);
judge_str_t judge_bucket_begun(judge_service_t *service,
    const judge_call_t *call);

/* Writes the member "multipart" of an answer. */
void judge_bucket_parts_json(judge_json_writer_t *w,
    const judge_service_t *service, const judge_upload_row_t *row);

/* Completes the upload if all parts exist; done() tells whether it tried. */
void judge_bucket_assemble(judge_bucket_assembly_t *assembly);


#endif /* JUDGE_BUCKET_H */
