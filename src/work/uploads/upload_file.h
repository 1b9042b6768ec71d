/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reads uploaded files, in a thread; and the types of files
 * (upload_type.c). */


#ifndef JUDGE_UPLOAD_FILE_H
#define JUDGE_UPLOAD_FILE_H


#include "base/core/str.h"


#define JUDGE_UPLOAD_HEAD  64          /* bytes that identify a format */

/*
 * Return JUDGE_OK also for a file that can't be used: then *reason is a
 * sentence for the client, else it is absent.  After any other code reading
 * may be retried.  text() returns UTF-8 of at most max bytes; media() reads
 * only the first bytes.
 */
judge_rc_e judge_upload_file_text(judge_arena_t *arena, const char *path,
    size_t max, judge_str_t *text, judge_str_t *reason);
judge_rc_e judge_upload_file_media(judge_arena_t *arena, const char *path,
    judge_str_t kind, judge_str_t *reason);

/* The same for bytes in memory; media_bytes() needs the first
 * JUDGE_UPLOAD_HEAD bytes, or all of a shorter file. */
judge_rc_e judge_upload_file_text_bytes(judge_arena_t *arena,
    judge_str_t bytes, size_t max, judge_str_t *text, judge_str_t *reason);
judge_rc_e judge_upload_file_media_bytes(judge_arena_t *arena,
    judge_str_t bytes, judge_str_t kind, judge_str_t *reason);

/* Copies the client's metadata (JSON), with the reason, if any, as `error`. */
judge_rc_e judge_upload_metadata(judge_arena_t *arena, judge_str_t given,
    judge_str_t reason, judge_str_t *metadata);

/* The media type of an image, if language models take it; else absent. */
judge_str_t judge_upload_file_image(judge_str_t bytes);


/* The number of media types of an extension, at most. */
#define JUDGE_UPLOAD_NAMES  3

typedef struct {
    const char  *kind;
    const char  *extension;
    const char  *types[JUDGE_UPLOAD_NAMES];    /* media types; the first is the
                                          one that clients should send */
    bool         closed;               /* its text can't be extracted */
} judge_upload_type_t;

/* The type of an extension (kind absent: of any kind), or without an extension
 * the usual type of the kind.  NULL: there is none. */
const judge_upload_type_t *judge_upload_type(judge_str_t kind,
    judge_str_t extension);

/* The Content-Type that clients should send with such a file. */
const char *judge_upload_type_usual(judge_str_t kind, judge_str_t extension);

/* Whether a Content-Type fits such a file, or without an extension any file of
 * that kind.  Parameters after ";" are ignored. */
bool judge_upload_type_fits(judge_str_t kind, judge_str_t extension,
    judge_str_t given);

/* The readable extensions of a kind, or of all kinds, for a sentence; data
 * NULL: out of memory. */
judge_str_t judge_upload_type_list(judge_arena_t *arena, judge_str_t kind);


#endif /* JUDGE_UPLOAD_FILE_H */
