/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The encodings in which people save texts and tables: detected, and read
 * as UTF-8 while the bytes arrive. */


#ifndef JUDGE_CHARSET_H
#define JUDGE_CHARSET_H


#include "base/core/str.h"


/* What a reader looks at before it decides; bytes. */
#define JUDGE_CHARSET_SAMPLE  65536

typedef enum {
    JUDGE_CHARSET_UNDECIDED,           /* a reader that has seen too little */
    JUDGE_CHARSET_ASCII,               /* which is UTF-8, too */
    JUDGE_CHARSET_UTF8,
    JUDGE_CHARSET_UTF16LE,
    JUDGE_CHARSET_UTF16BE,
    JUDGE_CHARSET_WINDOWS_1252,
    JUDGE_CHARSET_BINARY               /* not text */
} judge_charset_e;

typedef struct {
    judge_charset_e  charset;
    size_t           bom;              /* bytes of the mark in front */
    bool             doubtful;         /* Windows-1252 for want of a better
                                          guess: it may be another encoding */
} judge_charset_guess_t;


/* By its mark, else by its bytes.  whole: nothing follows the sample, so that
 * a character cut at its end is an error.  UTF-16 is also found without a
 * mark, by the zero bytes of its ASCII characters.  Never UNDECIDED. */
judge_charset_guess_t judge_charset_detect(judge_str_t sample, bool whole);

const char *judge_charset_name(judge_charset_e charset); /* "UTF-8" */


/*
 * A reader takes bytes in pieces of any length and appends UTF-8 to a buffer,
 * without the mark in front.  It decides by the first JUDGE_CHARSET_SAMPLE
 * bytes, which it holds back until then.  What can't be read becomes U+FFFD
 * and is counted.  Its memory is on the heap: close() frees it.
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

/* JUDGE_INVALID: it is not text; nothing more is taken.  JUDGE_NOMEM also
 * when `out` has failed. */
judge_rc_e judge_charset_feed(judge_charset_reader_t *r, judge_str_t bytes,
    judge_buf_t *out);
judge_rc_e judge_charset_finish(judge_charset_reader_t *r, judge_buf_t *out);
void judge_charset_close(judge_charset_reader_t *r);     /* more than once is
                                                            allowed */


#endif /* JUDGE_CHARSET_H */
