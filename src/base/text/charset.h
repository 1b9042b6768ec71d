/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Detects the encodings in which people save texts and tables, and converts
 * them to UTF-8 while the bytes arrive. */


#ifndef JUDGE_CHARSET_H
#define JUDGE_CHARSET_H


#include "base/core/str.h"


/* Bytes by which a reader detects the encoding. */
#define JUDGE_CHARSET_SAMPLE  65536

typedef enum {
    JUDGE_CHARSET_UNDECIDED,           /* the sample is not complete */
    JUDGE_CHARSET_ASCII,               /* also valid UTF-8 */
    JUDGE_CHARSET_UTF8,
    JUDGE_CHARSET_UTF16LE,
    JUDGE_CHARSET_UTF16BE,
    JUDGE_CHARSET_WINDOWS_1252,
    JUDGE_CHARSET_BINARY               /* not text */
} judge_charset_e;

typedef struct {
    judge_charset_e  charset;
    size_t           bom;              /* bytes of the byte order mark */
    bool             doubtful;         /* Windows-1252 is only a guess: it may
                                          be another encoding */
} judge_charset_guess_t;


/* Uses the byte order mark, else the bytes: in UTF-16 every ASCII character
 * has a zero byte.  whole: no bytes follow the sample, so that a truncated
 * character at its end is an error.  The result is never UNDECIDED. */
judge_charset_guess_t judge_charset_detect(judge_str_t sample, bool whole);

const char *judge_charset_name(judge_charset_e charset); /* "UTF-8" */


/*
 * Converts bytes in pieces of any length and appends UTF-8 to a buffer,
 * without the byte order mark.  The reader stores the first
 * JUDGE_CHARSET_SAMPLE bytes to detect the encoding.  Invalid bytes become
 * U+FFFD and are counted.  close() frees its memory, which is on the heap.
 */

typedef struct {
    judge_charset_e  charset;
    bool             doubtful;
    uint64_t         replaced;         /* how often U+FFFD was written */
    judge_buf_t      sample;
    unsigned char    pending[4];
    unsigned         npending;
} judge_charset_reader_t;

void judge_charset_open(judge_charset_reader_t *r);

/* JUDGE_INVALID: this is not text; all later calls return it, too.  A failure
 * of `out` is JUDGE_NOMEM. */
judge_rc_e judge_charset_feed(judge_charset_reader_t *r, judge_str_t bytes,
    judge_buf_t *out);
judge_rc_e judge_charset_finish(judge_charset_reader_t *r, judge_buf_t *out);
void judge_charset_close(judge_charset_reader_t *r);     /* may be called
                                                            repeatedly */


#endif /* JUDGE_CHARSET_H */
