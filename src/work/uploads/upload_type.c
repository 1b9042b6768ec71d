/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "work/uploads/upload_file.h"


/* The first media type is IANA's; others are names that browsers and tools use
 * for the same format. */

static const judge_upload_type_t  judge_upload_types[] = {

    /* The first row of a kind is its usual type. */
    { "text", "txt", { "text/plain" }, false },
    { "text", "md", { "text/markdown", "text/x-markdown" }, false },
    { "text", "markdown", { "text/markdown", "text/x-markdown" }, false },
    { "text", "csv", { "text/csv", "application/csv",
                       "application/vnd.ms-excel" }, false },
    { "text", "tsv", { "text/tab-separated-values" }, false },
    { "text", "html", { "text/html" }, false },
    { "text", "htm", { "text/html" }, false },
    { "text", "json", { "application/json" }, false },
    { "text", "jsonl", { "application/jsonl", "application/x-ndjson" },
      false },
    { "text", "xml", { "application/xml", "text/xml" }, false },
    { "text", "yaml", { "application/yaml", "application/x-yaml",
                        "text/yaml" }, false },
    { "text", "yml", { "application/yaml", "application/x-yaml",
                       "text/yaml" }, false },
    { "text", "tex", { "application/x-tex", "text/x-tex" }, false },
    { "text", "srt", { "application/x-subrip" }, false },
    { "text", "vtt", { "text/vtt" }, false },

    { "text", "pdf", { "application/pdf" }, true },
    { "text", "rtf", { "application/rtf", "text/rtf" }, true },
    { "text", "doc", { "application/msword" }, true },
    { "text", "docx", { "application/vnd.openxmlformats-officedocument"
                        ".wordprocessingml.document" }, true },
    { "text", "odt", { "application/vnd.oasis.opendocument.text" }, true },

    { "video", "mp4", { "video/mp4" }, false },
    { "video", "m4v", { "video/mp4", "video/x-m4v" }, false },
    { "video", "mov", { "video/quicktime" }, false },
    { "video", "webm", { "video/webm" }, false },
    { "video", "mkv", { "video/matroska", "video/x-matroska" }, false },
    { "video", "avi", { "video/vnd.avi", "video/x-msvideo", "video/avi" },
      false },
    { "video", "mpg", { "video/mpeg" }, false },
    { "video", "mpeg", { "video/mpeg" }, false },
    { "video", "ogv", { "video/ogg" }, false },
    { "video", "flv", { "video/x-flv" }, false },
    { "video", "ts", { "video/mp2t" }, false },

    { "audio", "mp3", { "audio/mpeg", "audio/mp3" }, false },
    { "audio", "wav", { "audio/wav", "audio/vnd.wave", "audio/x-wav" },
      false },
    { "audio", "m4a", { "audio/mp4", "audio/x-m4a" }, false },
    { "audio", "aac", { "audio/aac", "audio/x-aac" }, false },
    { "audio", "flac", { "audio/flac", "audio/x-flac" }, false },
    { "audio", "ogg", { "audio/ogg", "application/ogg" }, false },
    { "audio", "oga", { "audio/ogg", "application/ogg" }, false },
    { "audio", "opus", { "audio/ogg", "audio/opus" }, false },
    { "audio", "aiff", { "audio/aiff", "audio/x-aiff" }, false },

    { "image", "png", { "image/png" }, false },
    { "image", "jpg", { "image/jpeg" }, false },
    { "image", "jpeg", { "image/jpeg" }, false },
    { "image", "gif", { "image/gif" }, false },
    { "image", "webp", { "image/webp" }, false },
    { "image", "bmp", { "image/bmp", "image/x-ms-bmp" }, false },
    { "image", "tif", { "image/tiff" }, false },
    { "image", "tiff", { "image/tiff" }, false },
    { "image", "avif", { "image/avif" }, false },
    { "image", "heic", { "image/heic" }, false },
    { .kind = NULL }
};


const judge_upload_type_t *
judge_upload_type(judge_str_t kind, judge_str_t extension)
{
    const judge_upload_type_t  *type;

    for (type = judge_upload_types; type->kind; type++) {
        if ((kind.len == 0 || judge_str_eq_c(kind, type->kind))
            && (extension.len == 0
                || judge_str_caseeq(extension, judge_str_c(type->extension))))
        {
            return type;
        }
    }

    return NULL;
}


const char *
judge_upload_type_usual(judge_str_t kind, judge_str_t extension)
{
    const judge_upload_type_t  *type;

    type = judge_upload_type(kind, extension);
    type = type ? type : judge_upload_type(kind, (judge_str_t) { 0, NULL });

    return type->types[0];
}


static bool
judge_upload_type_has(const judge_upload_type_t *type, judge_str_t given)
{
    size_t  i;

    for (i = 0; i < JUDGE_UPLOAD_NAMES && type->types[i]; i++) {
        if (judge_str_caseeq(given, judge_str_c(type->types[i]))) {
            return true;
        }
    }

    return false;
}


bool
judge_upload_type_fits(judge_str_t kind, judge_str_t extension,
    judge_str_t given)
{
    const judge_upload_type_t  *type, *only;

    given = judge_str_until(&given, ';');
    given = judge_str_until(&given, ' ');
    only = extension.len ? judge_upload_type(kind, extension) : NULL;

    for (type = judge_upload_types; type->kind; type++) {
        if ((only ? type == only
                  : judge_str_eq_c(kind, type->kind) && !type->closed)
            && judge_upload_type_has(type, given))
        {
            return true;
        }
    }

    return false;
}


judge_str_t
judge_upload_type_list(judge_arena_t *arena, judge_str_t kind)
{
    judge_buf_t                 out;
    const judge_upload_type_t  *type;

    judge_buf_init(&out, arena);

    for (type = judge_upload_types; type->kind; type++) {
        if (kind.len == 0
            || (judge_str_eq_c(kind, type->kind) && !type->closed))
        {
            if (out.len) {
                judge_buf_append(&out, ", ", 2);
            }
            judge_buf_append(&out, type->extension, strlen(type->extension));
        }
    }

    return out.failed ? (judge_str_t) { 0, NULL } : judge_buf_view(&out);
}
