/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reading an uploaded file, in a thread; types of files (upload_type.c). */


#ifndef JUDGE_UPLOAD_FILE_H
#define JUDGE_UPLOAD_FILE_H


#include "base/core/str.h"


#define JUDGE_UPLOAD_HEAD  64          /* bytes that identify a format */

/*
 * JUDGE_OK also for a file that can't be used: then *reason is a sentence for
 * the client, else it stays absent.  Other codes: the file or memory failed,
 * to be tried again.  text() gives the text as UTF-8, of at most max bytes;
 * media() looks at the first bytes only.
 */
judge_rc_e judge_upload_reader_text(judge_arena_t *arena, const char *path,
    size_t max, judge_str_t *text, judge_str_t *reason);
judge_rc_e judge_upload_reader_media(judge_arena_t *arena, const char *path,
    judge_str_t kind, judge_str_t *reason);

/* The same for what is in memory; media_bytes() wants the first
 * JUDGE_UPLOAD_HEAD bytes, or all of a shorter one. */
judge_rc_e judge_upload_reader_text_bytes(judge_arena_t *arena,
    judge_str_t bytes, size_t max, judge_str_t *text, judge_str_t *reason);
judge_rc_e judge_upload_reader_media_bytes(judge_arena_t *arena,
    judge_str_t bytes, judge_str_t kind, judge_str_t *reason);

/* The client's metadata (JSON), with the reason in `error` if there is one. */
judge_rc_e judge_upload_metadata(judge_arena_t *arena, judge_str_t given,
    judge_str_t reason, judge_str_t *metadata);

/* The media type of an image that language models are shown; else absent. */
judge_str_t judge_upload_file_image(judge_str_t bytes);


/* What a file is (text, video, audio, image), by its extension. */
#define JUDGE_UPLOAD_NAMES  3

typedef struct {
    const char  *kind;
    const char  *extension;
    const char  *types[JUDGE_UPLOAD_NAMES];    /* Content-Type, the first is
                                          what clients are told to send */
    bool         closed;               /* its text can't be read here */
} judge_upload_type_t;

/* Of an extension, of any kind if that is absent; without an extension the
 * usual one of the kind.  NULL: there is none. */
const judge_upload_type_t *judge_upload_type(judge_str_t kind,
    judge_str_t extension);

/* The Content-Type that such a file is to be sent with. */
const char *judge_upload_type_usual(judge_str_t kind, judge_str_t extension);

/* Whether a Content-Type is one of such a file; without an extension, of any
 * file of that kind.  What stands behind ";" is not read. */
bool judge_upload_type_fits(judge_str_t kind, judge_str_t extension,
    judge_str_t given);

/* The extensions of a kind whose files can be read, or all of them, for a
 * sentence; data NULL: a fault. */
judge_str_t judge_upload_type_list(judge_arena_t *arena, judge_str_t kind);


#endif /* JUDGE_UPLOAD_FILE_H */
