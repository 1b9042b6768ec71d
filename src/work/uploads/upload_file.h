/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reading an uploaded file, in a thread.
 */


#ifndef JUDGE_UPLOAD_FILE_H
#define JUDGE_UPLOAD_FILE_H


#include "base/core/str.h"


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

/* The media type of an image that language models are shown; else absent. */
judge_str_t judge_upload_file_image(judge_str_t bytes);


#endif /* JUDGE_UPLOAD_FILE_H */
