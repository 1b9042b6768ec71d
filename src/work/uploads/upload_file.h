/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reading an uploaded file, in a thread; types of files (upload_type.c).
 */


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

/* The media type of an image that language models are shown; else absent. */
judge_str_t judge_upload_file_image(judge_str_t bytes);


/* What a file is (text, video, audio, image), by its extension. */
typedef struct {
    const char  *kind;
    const char  *extension;
    const char  *type;                 /* Content-Type */
} judge_upload_type_t;

/* Without an extension the usual one of the kind; an unknown one of texts is
 * plain text. */
const judge_upload_type_t *judge_upload_type(judge_str_t kind,
    judge_str_t extension);

/* By an extension; text where it is unknown. */
judge_str_t judge_upload_type_kind(judge_str_t extension);

/* Whether a Content-Type is the usual one of such a file, another of the same
 * kind, or application/octet-stream.  What stands behind ";" is not read. */
bool judge_upload_type_fits(judge_str_t kind, judge_str_t extension,
    judge_str_t given);


#endif /* JUDGE_UPLOAD_FILE_H */
