/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Media types of files, by what they are (text, video, audio, image) and by
 * their extension.
 */


#ifndef JUDGE_MEDIA_TYPE_H
#define JUDGE_MEDIA_TYPE_H


#include "base/core/str.h"


/* What Content-Type such a file is sent with: "text/plain". */
judge_str_t judge_media_type(judge_str_t kind, judge_str_t extension);

/* Whether a Content-Type, with or without parameters, is one for it: the
 * usual one, another of the same kind, or application/octet-stream. */
bool judge_media_type_fits(judge_str_t content_type, judge_str_t kind,
    judge_str_t extension);

judge_str_t judge_media_extension(judge_str_t kind);     /* where none given */
judge_str_t judge_media_kind(judge_str_t extension);     /* unknown: text */

/* What a stored file is sent with: nothing that a browser would run. */
const char *judge_media_download(judge_str_t kind);


#endif /* JUDGE_MEDIA_TYPE_H */
