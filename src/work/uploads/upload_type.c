/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/uploads/upload_file.h"


static const judge_upload_type_t  judge_upload_types[] = {

    /* The first of a kind is the usual one. */
    { "text", "txt", "text/plain" },
    { "text", "md", "text/markdown" },
    { "text", "csv", "text/csv" },
    { "text", "html", "text/html" },
    { "text", "htm", "text/html" },
    { "text", "json", "application/json" },
    { "text", "xml", "application/xml" },

    { "video", "mp4", "video/mp4" },
    { "video", "m4v", "video/mp4" },
    { "video", "mov", "video/quicktime" },
    { "video", "webm", "video/webm" },
    { "video", "mkv", "video/x-matroska" },
    { "video", "avi", "video/x-msvideo" },
    { "video", "mpg", "video/mpeg" },
    { "video", "ogv", "video/ogg" },

    { "audio", "mp3", "audio/mpeg" },
    { "audio", "wav", "audio/wav" },
    { "audio", "m4a", "audio/mp4" },
    { "audio", "aac", "audio/aac" },
    { "audio", "flac", "audio/flac" },
    { "audio", "ogg", "audio/ogg" },
    { "audio", "opus", "audio/ogg" },

    { "image", "png", "image/png" },
    { "image", "jpg", "image/jpeg" },
    { "image", "jpeg", "image/jpeg" },
    { "image", "gif", "image/gif" },
    { "image", "webp", "image/webp" },
    { "image", "bmp", "image/bmp" },
    { "image", "tif", "image/tiff" },
    { "image", "tiff", "image/tiff" },
    { .kind = NULL }
};


const judge_upload_type_t *
judge_upload_type(judge_str_t kind, judge_str_t extension)
{
    const judge_upload_type_t         *type;
    static const judge_upload_type_t   any = { "", "bin",
                                               "application/octet-stream" };

    for (type = judge_upload_types; type->kind; type++) {
        if (judge_str_eq_c(kind, type->kind)
            && (extension.data == NULL
                || judge_str_caseeq(extension, judge_str_c(type->extension))))
        {
            return type;
        }
    }

    return judge_str_eq_c(kind, "text") ? judge_upload_types : &any;
}


judge_str_t
judge_upload_type_kind(judge_str_t extension)
{
    size_t  i;

    for (i = 0; judge_upload_types[i].kind; i++) {
        if (judge_str_caseeq(extension,
                             judge_str_c(judge_upload_types[i].extension)))
        {
            return judge_str_c(judge_upload_types[i].kind);
        }
    }

    return JUDGE_STR("text");
}


bool
judge_upload_type_fits(judge_str_t kind, judge_str_t extension,
    judge_str_t given)
{
    size_t       i;
    judge_str_t  usual;

    usual = judge_str_c(judge_upload_type(kind, extension)->type);

    for (i = 0; i < given.len && given.data[i] != ';' && given.data[i] != ' ';
         i++)
    {
        /* void */
    }

    given.len = i;

    if (judge_str_caseeq(given, usual)
        || judge_str_caseeq(given, JUDGE_STR("application/octet-stream")))
    {
        return true;
    }

    if (given.len <= kind.len || given.data[kind.len] != '/') {
        return false;
    }

    given.len = kind.len;

    return judge_str_caseeq(given, kind);
}
