/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Uploaded files in an object store, in place of a directory: clients get
 * addresses in the object store.  An extension implements it by a struct of
 * functions in the settings.  The file_path of such a file contains "://".
 */


#ifndef JUDGE_OBJECT_STORE_H
#define JUDGE_OBJECT_STORE_H


#include "base/json/json.h"
#include "store/store_upload.h"
#include "work/service/service.h"


#define JUDGE_OBJECT_WHOLE    (100 * 1000 * 1000)        /* bytes; larger files
                                          are uploaded in parts */
#define JUDGE_OBJECT_PARTED   3600000  /* ms that addresses of parts are valid,
                                          at least */

typedef enum {
    JUDGE_OBJECT_UNKNOWN,              /* a call failed */
    JUDGE_OBJECT_MISSING,
    JUDGE_OBJECT_PRESENT
} judge_object_e;

typedef struct judge_object_lookup  judge_object_lookup_t;

/* Asks whether the object store has the file of an upload, and puts its parts
 * together; reads the file if the upload was received before. */
struct judge_object_lookup {
    judge_service_t           *service;
    judge_arena_t             *arena;
    const judge_upload_row_t  *row;
    void                     (*done)(judge_object_lookup_t *lookup);
    void                      *data;
    judge_object_e             outcome;          /* out */
    judge_call_t               call;             /* the last one */
    judge_call_header_t        range;
    bool                       joined;           /* its parts were joined */
    bool                       failed;           /* joining them failed */
};

struct judge_object_store {
    /* Whether the object store can be used at present. */
    bool        (*ready)(const judge_service_t *service);

    /* The file_path of a new file; and its address for clients, for PUT or for
     * GET.  data NULL: there are no credentials, or memory is out. */
    judge_str_t (*path)(judge_arena_t *arena, const judge_service_t *service,
                        judge_str_t org, judge_str_t id,
                        judge_str_t extension);
    judge_str_t (*url)(judge_arena_t *arena, const judge_service_t *service,
                       const char *method, judge_str_t file_path,
                       judge_ms_t until);

    /* begin() prepares the call that begins an upload in parts; it has the
     * file's Content-Type as a header.  begun() reads the upload's id from the
     * answer, or data NULL.  write() writes the addresses of the parts. */
    void        (*begin)(judge_service_t *service, judge_call_t *call,
                         judge_str_t file_path);
    judge_str_t (*begun)(judge_service_t *service, const judge_call_t *call);
    void        (*write)(judge_json_writer_t *w,
                         const judge_service_t *service,
                         const judge_upload_row_t *row);

    /* Finds out whether a file is there, and calls lookup->done(), which may
     * be before it returns. */
    void        (*lookup)(judge_object_lookup_t *lookup);

    /* In a thread, after a lookup: sets the text of the file or the reason why
     * it can't be used. */
    judge_rc_e  (*read)(const judge_object_lookup_t *lookup,
                        judge_upload_finish_t *finish);

    /* Fills in a call that gets the file, and begins it. */
    void        (*fetch)(judge_service_t *service, judge_call_t *call,
                         judge_str_t file_path);

    /* Removes a file, or the parts of an upload that was not completed. */
    void        (*remove)(judge_service_t *service, judge_str_t file_path,
                          judge_str_t multipart);
};


/* Whether a file_path is one of an object store, not a name in the directory;
 * nobody is asked. */
bool judge_object_is_path(judge_str_t file_path);

/* Call the functions above.  The settings may have no object store any more,
 * although the file was stored in one. */
judge_str_t judge_object_url(judge_arena_t *arena,
    const judge_service_t *service, judge_str_t file_path, judge_ms_t until);
void judge_object_lookup(judge_object_lookup_t *lookup);
void judge_object_fetch(judge_service_t *service, judge_call_t *call,
    judge_str_t file_path);
void judge_object_remove(judge_service_t *service, judge_str_t file_path,
    judge_str_t multipart);


#endif /* JUDGE_OBJECT_STORE_H */
