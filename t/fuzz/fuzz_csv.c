/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Tables: any bytes are read as an import reads them, in two pieces, and the
 * columns of what comes out are looked at.  What must hold: the parts of the
 * answer agree.
 *
 * clang -g -O1 -fsanitize=fuzzer,address,undefined -Isrc                     \
 *     t/fuzz/fuzz_csv.c $(find src/base src/analysis/columns -name '*.c')    \
 *     -lyajl -lcrypto -lm
 */


#include <stdlib.h>

#include "base/text/charset.h"
#include "base/text/utf8.h"
#include "analysis/columns/columns.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_check(const judge_columns_t *out)
{
    size_t       i;
    judge_str_t  issue;

    if (out->success_rate < 0 || out->success_rate > 1
        || out->nrecords > 5 || out->nrecords > out->estimated_rows)
    {
        abort();
    }

    for (i = 0; i < out->ndetected; i++) {
        if (out->detected[i].confidence < 0.5
            || out->detected[i].confidence > 1
            || (i > 0
                && out->detected[i].index <= out->detected[i - 1].index))
        {
            abort();
        }
    }

    for (i = 0; i < out->issues.n; i++) {
        issue = out->issues.items[i];

        if (judge_utf8_check(issue) < issue.len) {
            abort();
        }
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t                   half;
    judge_rc_e               rc;
    judge_buf_t              text;
    judge_arena_t           *arena;
    judge_columns_t          out;
    judge_charset_reader_t   reader;
    judge_columns_request_t  request;

    arena = judge_arena_create(4096);
    if (arena == NULL) {
        return 0;
    }

    half = size / 2;
    judge_buf_init(&text, arena);
    judge_charset_open(&reader);

    rc = judge_charset_feed(&reader, (judge_str_t) {
                                half, (const char *) data }, &text);
    if (rc == JUDGE_OK) {
        rc = judge_charset_feed(&reader, (judge_str_t) {
                                    size - half, (const char *) data + half },
                                &text);
    }

    if (rc == JUDGE_OK && judge_charset_finish(&reader, &text) == JUDGE_OK) {
        request = (judge_columns_request_t) {
            .csv_sample = judge_buf_view(&text),
            .expected = (1u << JUDGE_COLUMN_FIELDS) - 1,
            .confidence_threshold = 0.5,
            .suggest_transformations = true
        };

        if (judge_utf8_check(request.csv_sample) < request.csv_sample.len) {
            abort();
        }

        if (judge_columns_detect(arena, &request, &out, NULL) == JUDGE_OK) {
            fuzz_check(&out);
        }
    }

    judge_charset_close(&reader);
    judge_arena_destroy(arena);

    return 0;
}
