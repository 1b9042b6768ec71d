/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the readers of JSON and CSV make of documents, for t/readers.t, which
 * holds it against what others make of them.  On standard input, again and
 * again, a line and so many bytes:
 *
 *     json SIZE PIECE          PIECE: bytes that are fed at a time
 *     csv SIZE PIECE DELIMITER QUOTE         as numbers; 0: none
 *
 * and on standard output a line each: "ok" and the value, written anew, or
 * "no" and the error; then what yajl alone says, "ok" or "no".  Of a table
 * for each row its flags and, in hexadecimal, its fields.
 */


#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <yajl/yajl_parse.h>

#include "base/csv/csv.h"
#include "base/json/json.h"


static bool
reader_yajl(judge_str_t text)
{
    bool         ok;
    yajl_handle  yajl;

    yajl = yajl_alloc(NULL, NULL, NULL);
    ok = yajl != NULL
         && yajl_parse(yajl, (const unsigned char *) text.data, text.len)
            == yajl_status_ok
         && yajl_complete_parse(yajl) == yajl_status_ok;

    if (yajl) {
        yajl_free(yajl);
    }

    return ok;
}


static judge_str_t
reader_piece(judge_str_t text, size_t at, size_t piece)
{
    return (judge_str_t) { text.len - at < piece ? text.len - at : piece,
                           text.data + at };
}


static void
reader_json(judge_arena_t *a, judge_str_t text, size_t piece)
{
    size_t                at;
    judge_rc_e            rc;
    judge_str_t           part;
    judge_buf_t           buf;
    judge_json_t         *root;
    judge_json_parser_t  *p;
    judge_json_writer_t   w;

    p = judge_json_parser_create(a);
    rc = p ? JUDGE_OK : JUDGE_NOMEM;

    for (at = 0; rc == JUDGE_OK && at < text.len; at += piece) {
        part = reader_piece(text, at, piece);
        rc = judge_json_parser_feed(p, part.data, part.len);
    }

    if (rc == JUDGE_OK) {
        rc = judge_json_parser_finish(p, &root);
    }

    if (rc == JUDGE_OK) {
        judge_buf_init(&buf, a);
        judge_json_begin(&w, &buf);
        judge_json_value(&w, root);
        rc = judge_json_finish(&w);
        part = judge_buf_view(&buf);
        printf("ok %.*s\n", (int) part.len, part.data);

    } else {
        part = judge_json_parser_error(p);
        printf("no %.*s\n", (int) part.len, part.data);
    }

    if (rc != JUDGE_OK && rc != JUDGE_INVALID) {
        exit(1);
    }

    judge_json_parser_free(p);
    puts(reader_yajl(text) ? "ok" : "no");
}


static judge_rc_e
reader_row(void *data, const judge_csv_row_t *row)
{
    size_t  n, i;

    printf(" %u", row->flags);

    for (n = 0; n < row->nfields; n++) {
        putchar(':');
        for (i = 0; i < row->fields[n].len; i++) {
            printf("%02x", (unsigned char) row->fields[n].data[i]);
        }
    }

    return JUDGE_OK;
}


static void
reader_csv(judge_str_t text, size_t piece, const judge_csv_dialect_t *dialect)
{
    size_t        at;
    judge_rc_e    rc;
    judge_csv_t  *csv;

    csv = judge_csv_create(dialect, NULL, reader_row, NULL);
    rc = csv ? JUDGE_OK : JUDGE_NOMEM;

    printf("ok");

    for (at = 0; rc == JUDGE_OK && at < text.len; at += piece) {
        rc = judge_csv_feed(csv, reader_piece(text, at, piece));
    }

    if (rc != JUDGE_OK || judge_csv_finish(csv) != JUDGE_OK) {
        exit(1);
    }

    printf("\n");
    judge_csv_free(csv);
}


int
main(void)
{
    int             delimiter, quote;
    char            line[128], kind[8], *data;
    size_t          size, piece;
    judge_arena_t  *a;

    while (fgets(line, sizeof(line), stdin)) {
        delimiter = quote = 0;

        if (sscanf(line, "%7s %zu %zu %d %d", kind, &size, &piece, &delimiter,
                   &quote) < 3 || piece == 0)
        {
            return 2;
        }

        a = judge_arena_create(0);
        data = a ? judge_alloc(a, size + 1) : NULL;
        if (data == NULL || fread(data, 1, size, stdin) != size) {
            return 2;
        }

        if (kind[0] == 'j') {
            reader_json(a, (judge_str_t) { size, data }, piece);
        } else {
            reader_csv((judge_str_t) { size, data }, piece,
                       &(judge_csv_dialect_t) { .delimiter = (char) delimiter,
                                                .quote = (char) quote });
        }

        judge_arena_destroy(a);
    }

    return 0;
}
