/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/text/charset.h"
#include "work/uploads/upload_file.h"


#define JUDGE_UPLOAD_FILE_PIECE  65536


/* The signatures of formats: `len` bytes of `magic` at the offset `at`.  Each
 * is taken from the format's own specification. */

static const struct {
    const char  *kind;
    size_t       at;
    size_t       len;
    const char  *magic;
    const char  *type;                 /* media type, if models take it */
} judge_magics[] = {    /* those with a media type first */
    { "image", 0, 8, "\x89PNG\r\n\x1a\n", "image/png" },
    { "image", 0, 3, "\xff\xd8\xff", "image/jpeg" },
    { "image", 0, 4, "GIF8", "image/gif" },
    { "image", 8, 4, "WEBP", "image/webp" },
    { "image", 0, 2, "BM", NULL },
    { "image", 0, 4, "II*\0", NULL },
    { "image", 0, 4, "MM\0*", NULL },
    { "image", 4, 8, "ftypavif", NULL },
    { "image", 4, 8, "ftypheic", NULL },

    { "audio", 0, 3, "ID3", NULL },
    { "audio", 0, 2, "\xff\xfb", NULL },
    { "audio", 0, 2, "\xff\xf3", NULL },
    { "audio", 0, 2, "\xff\xf2", NULL },
    { "audio", 0, 2, "\xff\xf1", NULL },
    { "audio", 0, 2, "\xff\xf9", NULL },
    { "audio", 8, 4, "WAVE", NULL },
    { "audio", 0, 4, "fLaC", NULL },
    { "audio", 0, 4, "OggS", NULL },
    { "audio", 4, 7, "ftypM4A", NULL },
    { "audio", 4, 4, "ftyp", NULL },
    { "audio", 0, 4, "\x1a\x45\xdf\xa3", NULL },
    { "audio", 8, 4, "AIFF", NULL },

    { "video", 4, 4, "ftyp", NULL },
    { "video", 4, 4, "moov", NULL },
    { "video", 4, 4, "mdat", NULL },
    { "video", 4, 4, "wide", NULL },
    { "video", 4, 4, "free", NULL },
    { "video", 0, 4, "\x1a\x45\xdf\xa3", NULL },
    { "video", 8, 4, "AVI ", NULL },
    { "video", 0, 4, "OggS", NULL },
    { "video", 0, 3, "FLV", NULL },
    { "video", 0, 4, "\0\0\x01\xba", NULL },
    { "video", 0, 4, "\0\0\x01\xb3", NULL },
    { "video", 0, 1, "\x47", NULL },
};


/* Decodes a little more than the limit, because a longer text is refused. */

static judge_rc_e
judge_upload_reader_decode(int fd, size_t max, judge_charset_reader_t *reader,
    judge_buf_t *out)
{
    char        piece[JUDGE_UPLOAD_FILE_PIECE];
    ssize_t     n;
    judge_rc_e  rc;

    while (out->len <= max) {
        n = read(fd, piece, sizeof(piece));
        if (n < 0) {
            return JUDGE_ERROR;
        }

        if (n == 0) {
            return judge_charset_finish(reader, out);
        }

        rc = judge_charset_feed(reader, (judge_str_t) { (size_t) n, piece },
                                out);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


/* Copies the decoded text to the arena, or sets the reason; frees the
 * reader. */

static judge_rc_e
judge_upload_reader_decoded(judge_arena_t *arena, judge_rc_e rc,
    judge_buf_t *out, size_t max, judge_str_t *text, judge_str_t *reason)
{
    if (rc == JUDGE_INVALID) {
        *reason = JUDGE_STR("the file is not a text in UTF-8, UTF-16 or"
                            " Windows-1252");
        rc = JUDGE_OK;

    } else if (rc == JUDGE_OK && out->len > max) {
        *reason = judge_str_printf(arena, "the text is longer than %zu bytes",
                                   max);
        rc = reason->data ? JUDGE_OK : JUDGE_NOMEM;

    } else if (rc == JUDGE_OK && out->len == 0) {
        *reason = JUDGE_STR("the file has no text in it");

    } else if (rc == JUDGE_OK) {
        *text = judge_str_dup(arena, judge_buf_view(out));
        rc = text->data ? JUDGE_OK : JUDGE_NOMEM;
    }

    judge_buf_free(out);

    return rc;
}


judge_rc_e
judge_upload_file_text(judge_arena_t *arena, const char *path, size_t max,
    judge_str_t *text, judge_str_t *reason)
{
    int                     fd;
    judge_rc_e              rc;
    judge_buf_t             out;
    judge_charset_reader_t  reader;

    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd == -1) {
        return JUDGE_ERROR;
    }

    judge_buf_init(&out, NULL);
    judge_charset_open(&reader);
    rc = judge_upload_reader_decode(fd, max, &reader, &out);
    judge_charset_close(&reader);
    (void) close(fd);

    return judge_upload_reader_decoded(arena, rc, &out, max, text, reason);
}


judge_rc_e
judge_upload_file_text_bytes(judge_arena_t *arena, judge_str_t bytes,
    size_t max, judge_str_t *text, judge_str_t *reason)
{
    judge_rc_e              rc;
    judge_buf_t             out;
    judge_charset_reader_t  reader;

    judge_buf_init(&out, NULL);
    judge_charset_open(&reader);
    rc = judge_charset_feed(&reader, bytes, &out);
    rc = rc ? rc : judge_charset_finish(&reader, &out);
    judge_charset_close(&reader);

    return judge_upload_reader_decoded(arena, rc, &out, max, text, reason);
}


judge_rc_e
judge_upload_file_media(judge_arena_t *arena, const char *path,
    judge_str_t kind, judge_str_t *reason)
{
    int      fd;
    char     head[JUDGE_UPLOAD_HEAD];
    ssize_t  n;

    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd == -1) {
        return JUDGE_ERROR;
    }

    n = read(fd, head, sizeof(head));
    (void) close(fd);
    if (n < 0) {
        return JUDGE_ERROR;
    }

    return judge_upload_file_media_bytes(arena,
                                         (judge_str_t) { (size_t) n, head },
                                         kind, reason);
}


judge_rc_e
judge_upload_file_media_bytes(judge_arena_t *arena, judge_str_t bytes,
    judge_str_t kind, judge_str_t *reason)
{
    char    head[JUDGE_UPLOAD_HEAD];
    size_t  i;

    memset(head, 0, sizeof(head));
    memcpy(head, bytes.data, bytes.len < sizeof(head) ? bytes.len
                                                      : sizeof(head));

    for (i = 0; i < sizeof(judge_magics) / sizeof(judge_magics[0]); i++) {
        if (judge_str_eq_c(kind, judge_magics[i].kind)
            && memcmp(head + judge_magics[i].at, judge_magics[i].magic,
                      judge_magics[i].len)
               == 0)
        {
            return JUDGE_OK;
        }
    }

    *reason = judge_str_printf(arena, "the file does not begin like a known"
                               " %.*s format", judge_str_args(kind));

    return reason->data ? JUDGE_OK : JUDGE_NOMEM;
}


judge_str_t
judge_upload_file_image(judge_str_t bytes)
{
    size_t  i;

    for (i = 0; judge_magics[i].type; i++) {
        if (bytes.len >= judge_magics[i].at + judge_magics[i].len
            && memcmp(bytes.data + judge_magics[i].at, judge_magics[i].magic,
                      judge_magics[i].len)
               == 0)
        {
            return judge_str_c(judge_magics[i].type);
        }
    }

    return (judge_str_t) { 0, NULL };
}


judge_rc_e
judge_upload_metadata(judge_arena_t *arena, judge_str_t given,
    judge_str_t reason, judge_str_t *metadata)
{
    judge_rc_e            rc;
    judge_buf_t           buf;
    judge_json_t         *root;
    judge_json_writer_t   w;

    static const char *const  error[] = { "error", NULL };

    *metadata = given;
    if (reason.data == NULL) {
        return JUDGE_OK;
    }

    root = NULL;
    if (given.data) {
        rc = judge_json_parse(arena, given, &root, NULL);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    judge_json_begin_object(&w, &buf, arena);
    judge_json_members(&w, root, error);
    judge_json_put_str(&w, "error", reason);
    *metadata = judge_json_text(&w);

    return metadata->data ? JUDGE_OK : JUDGE_NOMEM;
}
