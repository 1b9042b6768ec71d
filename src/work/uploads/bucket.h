/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Uploaded files in a bucket of an object store (base/net/s3.h), in place of
 * the folder: clients get pre-signed addresses of it, and what the service
 * itself wants of it, it asks through the location with `judge_files`.  Their
 * file_path is s3://<bucket>/<prefix><store>/<org>/<id>.<ext>, where <store>
 * tells one database from others that share the bucket.
 */


#ifndef JUDGE_BUCKET_H
#define JUDGE_BUCKET_H


#include "base/json/json.h"
#include "base/net/s3.h"
#include "store/store_upload.h"
#include "work/service/service.h"


#define JUDGE_BUCKET_ROUTE  "files"    /* of outgoing calls */

/* Of the cycle; service->settings.bucket, NULL where files are in a folder. */
struct judge_bucket_conf {
    judge_s3_place_t        place;     /* for the service's own calls */
    judge_s3_place_t        shown;     /* for clients */
    judge_str_t             prefix;    /* empty, or with a slash behind it */
    judge_str_t             file;      /* of credentials, zero-terminated;
                                          absent: these, */
    judge_s3_credentials_t  credentials;                 /* of the
                                          environment */
    judge_str_t             profile;   /* in the file */
    judge_str_t             events;    /* the file of the secret that events
                                          bear, the same; absent: none come */
    judge_ms_t              timeout;   /* of a call */
};

/* What is read of files. */
typedef struct {
    judge_s3_credentials_t  keys;
    judge_str_t             events;
} judge_bucket_secrets_t;

/* A file that comes in parts, as the client asks for it; put together when all
 * of them are there. */
typedef struct {
    judge_service_t        *service;
    judge_arena_t          *arena;
    judge_str_t             file_path;
    judge_str_t             multipart;
    int64_t                 size;      /* bytes of all parts */
    bool                    failed;    /* whether they are there is unknown */
    void                  (*done)(void *data, bool tried);
    void                   *data;
    judge_call_t            call;
} judge_bucket_assembly_t;


/* What deletes files that belong to nothing: a page of the list at a time, its
 * files one after the other. */
typedef struct {
    judge_service_t      *service;
    judge_arena_t        *arena;       /* of the page; NULL: at rest */
    judge_call_t          call;
    judge_files_known_t   known;
    size_t                turn;
    judge_str_t           folder;      /* of keys, up to <org> */
    judge_buf_t           after;       /* the last page's token; empty: from
                                          the beginning */
    judge_ms_t            at;          /* the next page */
    bool                  stopped;
} judge_bucket_sweep_t;


/* Parts of judge_background; without a bucket they do nothing. */
bool judge_bucket_create(judge_service_t *service);
void judge_bucket_destroy(judge_service_t *service);
void judge_bucket_tick(judge_service_t *service);
void judge_bucket_stop(judge_service_t *service);
bool judge_bucket_busy(judge_service_t *service);


/* Of the service's bucket, if it has one. */
judge_bucket_sweep_t *judge_bucket_sweep(judge_service_t *service);
void judge_bucket_sweep_tick(judge_service_t *service);

/* Reads the files of secrets; where it fails, *error is a sentence that names
 * none of them. */
judge_rc_e judge_bucket_secrets(judge_arena_t *arena,
    const judge_bucket_conf_t *conf, judge_bucket_secrets_t *out,
    judge_str_t *error);

/* Whether that is the secret that events bear, compared in constant time. */
bool judge_bucket_believes(const judge_service_t *service, judge_str_t secret);

/* Whether it can't be used at present. */
bool judge_bucket_trouble(const judge_service_t *service);

/* Whether that file is in a bucket; and which one a new file gets. */
bool judge_bucket_has(judge_str_t file_path);
judge_str_t judge_bucket_path(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t org, judge_str_t id,
    judge_str_t extension);

/* The address of a file for clients, for PUT, or for GET as nothing that a
 * browser runs.  data NULL: there are no credentials, or no memory. */
judge_str_t judge_bucket_url(judge_arena_t *arena,
    const judge_service_t *service, const char *method, judge_str_t file_path,
    judge_ms_t until);

/* The address of one of its parts, from 1. */
judge_str_t judge_bucket_part_url(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t file_path,
    judge_str_t multipart, size_t part, judge_ms_t until);

/* Whose file that is: NULL, with *org and *id in `key`; or why it is none of
 * this store's, whose folder that is. */
const char *judge_bucket_owner(const judge_service_t *service,
    judge_str_t folder, judge_str_t bucket, judge_str_t key, judge_str_t *org,
    judge_str_t *id);

/* The key of a file in the bucket. */
judge_str_t judge_bucket_key(judge_str_t file_path);

/* Its prefix of this store's files, with a slash behind it. */
judge_str_t judge_bucket_folder(judge_arena_t *arena,
    const judge_service_t *service);

/* Calls the object store.  The call has an arena, max_answer, done, and
 * headers if it wants; method, key and parameters are the request's. */
void judge_bucket_call(judge_service_t *service, judge_call_t *call,
    judge_s3_request_t *request);

/* What became of a file that is there, by the call that read it: its text, or
 * the reason why it can't be used. */
judge_rc_e judge_bucket_read_file(judge_arena_t *arena,
    const judge_call_t *call, const judge_upload_row_t *row, size_t max,
    judge_upload_finish_t *finish);

/* Room for files whose owners are asked for, also of those in the folder. */
bool judge_bucket_known(judge_arena_t *arena, judge_files_known_t *known,
    size_t most);

/* A call failed in a way that may concern all: says so in the log, but once a
 * minute, and looks into it. */
void judge_bucket_failed(judge_service_t *service, const judge_call_t *call);

/* Deletes the file, or, unless that is absent, aborts its upload in parts.
 * Without waiting; what fails is swept up later. */
void judge_bucket_delete(judge_service_t *service, judge_str_t file_path,
    judge_str_t multipart);


/* --- Files in parts (bucket_parts.c) ------------------------------------- */

#define JUDGE_BUCKET_WHOLE    (100 * 1000 * 1000)        /* bytes; larger files
                                          may come in parts */
#define JUDGE_BUCKET_PARTED   3600000  /* ms in which they come, at least */

/* Asks for an upload in parts, by a call that has the file's Content-Type as a
 * header; its name, or data NULL: that failed. */
void judge_bucket_begin(judge_service_t *service, judge_call_t *call,
    judge_str_t file_path);
judge_str_t judge_bucket_begun(judge_service_t *service,
    const judge_call_t *call);

/* The member "multipart" of an answer. */
void judge_bucket_parts_json(judge_json_writer_t *w,
    const judge_service_t *service, const judge_upload_row_t *row);

/* Puts it together if all is there; done() says whether it tried. */
void judge_bucket_assemble(judge_bucket_assembly_t *assembly);


#endif /* JUDGE_BUCKET_H */
