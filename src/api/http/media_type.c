/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "api/http/media_type.h"


static const struct {
    const char  *kind;
    const char  *extension;
    const char  *type;
} judge_media_types[] = {

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
};

#define JUDGE_MEDIA_TYPES                                                     \
    (sizeof(judge_media_types) / sizeof(judge_media_types[0]))


judge_str_t
judge_media_type(judge_str_t kind, judge_str_t extension)
{
    size_t  i;

    for (i = 0; i < JUDGE_MEDIA_TYPES; i++) {
        if (judge_str_eq_c(kind, judge_media_types[i].kind)
            && judge_str_caseeq(extension,
                   judge_str_c(judge_media_types[i].extension)))
        {
            return judge_str_c(judge_media_types[i].type);
        }
    }

    return judge_str_eq_c(kind, "text")
           ? JUDGE_STR("text/plain")
           : JUDGE_STR("application/octet-stream");
}


bool
judge_media_type_fits(judge_str_t content_type, judge_str_t kind,
    judge_str_t extension)
{
    size_t       n;
    judge_str_t  main;

    for (n = 0; n < content_type.len && content_type.data[n] != ';'
                && content_type.data[n] != ' '; n++)
    {
        /* void */
    }
    content_type.len = n;

    if (n == 0) {
        return false;
    }

    if (judge_str_caseeq(content_type, judge_media_type(kind, extension))
        || judge_str_caseeq(content_type,
                            JUDGE_STR("application/octet-stream")))
    {
        return true;
    }

    if (n <= kind.len || content_type.data[kind.len] != '/') {
        return false;
    }

    main = (judge_str_t) { kind.len, content_type.data };

    return judge_str_caseeq(main, kind);
}


judge_str_t
judge_media_extension(judge_str_t kind)
{
    size_t  i;

    for (i = 0; i < JUDGE_MEDIA_TYPES; i++) {
        if (judge_str_eq_c(kind, judge_media_types[i].kind)) {
            return judge_str_c(judge_media_types[i].extension);
        }
    }

    return JUDGE_STR("bin");
}


judge_str_t
judge_media_kind(judge_str_t extension)
{
    size_t  i;

    for (i = 0; i < JUDGE_MEDIA_TYPES; i++) {
        if (judge_str_caseeq(extension,
                judge_str_c(judge_media_types[i].extension)))
        {
            return judge_str_c(judge_media_types[i].kind);
        }
    }

    return JUDGE_STR("text");
}


const char *
judge_media_download(judge_str_t kind)
{
    return judge_str_eq_c(kind, "text") ? "text/plain"
                                        : "application/octet-stream";
}
