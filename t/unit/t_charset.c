/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Encodings: told apart, and read as UTF-8 in pieces of any length. */


#include <string.h>

#include "base/text/charset.h"
#include "base/text/utf8.h"
#include "tap.h"


#define BYTES(literal)  { sizeof(literal) - 1, literal }


static const struct {
    const char       *name;
    judge_str_t       bytes;
    judge_charset_e   charset;
    const char       *utf8;            /* NULL: refused */
    unsigned          replaced;
} rows[] = {
    { "nothing", BYTES(""), JUDGE_CHARSET_ASCII, "", 0 },
    { "ASCII", BYTES("a,b\r\n1,2"), JUDGE_CHARSET_ASCII, "a,b\r\n1,2", 0 },
    { "UTF-8", BYTES("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80"),
      JUDGE_CHARSET_UTF8, "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80", 0 },
    { "UTF-8 with its mark", BYTES("\xef\xbb\xbfname"), JUDGE_CHARSET_UTF8,
      "name", 0 },
    { "the mark alone", BYTES("\xef\xbb\xbf"), JUDGE_CHARSET_UTF8, "", 0 },
    { "the mark and damage", BYTES("\xef\xbb\xbf" "a\xff" "b"),
      JUDGE_CHARSET_UTF8, "a\xef\xbf\xbd" "b", 1 },
    { "UTF-16LE", BYTES("\xff\xfe" "a\0\xe9\0\xac\x20\x3d\xd8\x00\xde"),
      JUDGE_CHARSET_UTF16LE, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 0 },
    { "UTF-16BE", BYTES("\xfe\xff" "\0a\0\xe9\x20\xac\xd8\x3d\xde\x00"),
      JUDGE_CHARSET_UTF16BE, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 0 },
    { "a lone surrogate", BYTES("\xff\xfe\x3d\xd8" "a\0"),
      JUDGE_CHARSET_UTF16LE, "\xef\xbf\xbd" "a", 1 },
    { "the wrong surrogate", BYTES("\xff\xfe\x00\xde" "a\0"),
      JUDGE_CHARSET_UTF16LE, "\xef\xbf\xbd" "a", 1 },
    { "three high surrogates",
      BYTES("\xff\xfe\x3d\xd8\x3d\xd8\x3d\xd8\x00\xde"),
      JUDGE_CHARSET_UTF16LE, "\xef\xbf\xbd\xef\xbf\xbd\xf0\x9f\x98\x80", 2 },
    { "half a unit", BYTES("\xff\xfe" "a\0b"), JUDGE_CHARSET_UTF16LE,
      "a\xef\xbf\xbd", 1 },
    { "UTF-16LE without a mark", BYTES("n\0a\0m\0e\0,\0i\0d\0\n\0"),
      JUDGE_CHARSET_UTF16LE, "name,id\n", 0 },
    { "UTF-16BE without a mark", BYTES("\0n\0a\0m\0e\0,\0i\0d\0\n"),
      JUDGE_CHARSET_UTF16BE, "name,id\n", 0 },
    { "Windows-1252", BYTES("caf\xe9 \x80" "5 \x93quoted\x94"),
      JUDGE_CHARSET_WINDOWS_1252,
      "caf\xc3\xa9 \xe2\x82\xac" "5 \xe2\x80\x9cquoted\xe2\x80\x9d", 0 },
    { "one that it lacks", BYTES("\xe9t\xe9 \x81"),
      JUDGE_CHARSET_WINDOWS_1252, "\xc3\xa9t\xc3\xa9 \xef\xbf\xbd", 1 },
    { "a cut character is none", BYTES("caf\xc3"),
      JUDGE_CHARSET_WINDOWS_1252, "caf\xc3\x83", 0 },
    { "an overlong form", BYTES("a\xc0\xaf"), JUDGE_CHARSET_WINDOWS_1252,
      "a\xc3\x80\xc2\xaf", 0 },
    { "a zero byte", BYTES("a,b\n1,\0\n"), JUDGE_CHARSET_BINARY, NULL, 0 },
    { "control bytes", BYTES("\001\002\003\004\005"), JUDGE_CHARSET_BINARY,
      NULL, 0 },
    { "a spreadsheet", BYTES("PK\003\004 xl/workbook.xml"),
      JUDGE_CHARSET_BINARY, NULL, 0 },
    { "a PDF", BYTES("%PDF-1.7 text"), JUDGE_CHARSET_BINARY, NULL, 0 }
};


static judge_rc_e
read_in_pieces(judge_str_t s, size_t piece, judge_charset_reader_t *r,
    judge_buf_t *out)
{
    size_t      i, n;
    judge_rc_e  rc;

    judge_charset_open(r);
    rc = JUDGE_OK;

    for (i = 0; i < s.len && rc == JUDGE_OK; i += n) {
        n = (s.len - i < piece) ? s.len - i : piece;
        rc = judge_charset_feed(r, (judge_str_t) { n, s.data + i }, out);
    }

    if (rc == JUDGE_OK) {
        rc = judge_charset_finish(r, out);
    }

    judge_charset_close(r);

    return rc;
}


static void
test_rows(void)
{
    size_t                  i, piece;
    judge_rc_e              rc;
    judge_buf_t             out;
    judge_charset_reader_t  r;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_int(judge_charset_detect(rows[i].bytes, true).charset,
                 rows[i].charset, "%s: the encoding is found", rows[i].name);

        for (piece = 1; piece <= 8; piece++) {
            judge_buf_init(&out, NULL);
            rc = read_in_pieces(rows[i].bytes, piece, &r, &out);

            if (rows[i].utf8 == NULL) {
                t_is_int(rc, JUDGE_INVALID,
                         "%s: the bytes are refused in any pieces",
                         rows[i].name);

            } else {
                t_is_str(judge_buf_view(&out), rows[i].utf8,
                         "%s: the bytes are read in pieces of %zu",
                         rows[i].name, piece);
                t_is_int((int64_t) r.replaced, rows[i].replaced,
                         "%s: each byte that can't be read is counted as "
                         "replaced", rows[i].name);
            }

            judge_buf_free(&out);
        }
    }
}


/* A file of ASCII whose first other character stands behind the sample. */

static void
test_late(void)
{
    size_t                  piece;
    judge_str_t             s;
    judge_buf_t             in, out;
    judge_charset_reader_t  r;

    for (piece = 1; piece <= 70001; piece += 35000) {
        judge_buf_init(&in, NULL);
        judge_buf_init(&out, NULL);

        while (in.len < 70000) {
            judge_buf_c(&in, "plain text, ");
        }

        judge_buf_c(&in, "\xe9t\xe9 \xc3\xa9");
        s = judge_buf_view(&in);

        t_is_int(read_in_pieces(s, piece, &r, &out), JUDGE_OK,
                 "a file whose first accent comes late is read in pieces of "
                 "%zu", piece);
        t_is_int(r.charset, JUDGE_CHARSET_WINDOWS_1252,
                 "the first accent decides for Windows-1252");
        t_ok(out.len > 10
             && memcmp(out.data + out.len - 10,
                       "\xc3\xa9t\xc3\xa9 \xc3\x83\xc2\xa9", 10) == 0,
             "an encoding that was decided for stays");

        judge_buf_free(&in);
        judge_buf_free(&out);
    }

    judge_buf_init(&in, NULL);
    judge_buf_init(&out, NULL);

    while (in.len < 70000) {
        judge_buf_c(&in, "plain text, ");
    }

    judge_buf_append(&in, "\0", 1);
    t_is_int(read_in_pieces(judge_buf_view(&in), 4096, &r, &out),
             JUDGE_INVALID, "a zero byte behind the sample is refused");

    judge_buf_free(&in);
    judge_buf_free(&out);
}


static void
test_doubt(void)
{
    judge_charset_guess_t  guess;

    guess = judge_charset_detect(JUDGE_STR("\xcf\xf0\xe8\xe2\xe5\xf2, "
                                           "\xec\xe8\xf0! \xca\xe0\xea "
                                           "\xe4\xe5\xeb\xe0?"), true);
    t_is_int(guess.charset, JUDGE_CHARSET_WINDOWS_1252,
             "Cyrillic letters of one byte are read as Windows-1252");
    t_ok(guess.doubtful, "Cyrillic letters of one byte leave doubt");

    guess = judge_charset_detect(JUDGE_STR("Un caf\xe9 s'il vous pla\xeet"),
                                 true);
    t_ok(!guess.doubtful, "French letters of one byte leave no doubt");

    guess = judge_charset_detect(JUDGE_STR("caf\xc3"), false);
    t_is_int(guess.charset, JUDGE_CHARSET_ASCII,
             "a character cut at the end of the sample does not count");

    t_is_str(judge_str_c(judge_charset_name(JUDGE_CHARSET_WINDOWS_1252)),
             "Windows-1252", "an encoding has a name that people know");
}


int
main(void)
{
    test_rows();
    test_late();
    test_doubt();

    return t_done();
}
