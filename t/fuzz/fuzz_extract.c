/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A body that passes through a gateway: text, JSON, forms and event streams,
 * plain or compressed.  The first byte says which, the second how many bytes
 * of it come at a time.  Its text must not depend on the pieces in which the
 * body comes, and is UTF-8 within its bound.
 */


#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "extensions/traffic/extract.h"


#define FUZZ_MAX  4096


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static const char *const  fuzz_formats[] = {
    "auto", "openai-chat", "anthropic-messages", "$.a[*].b"
};

static const char *const  fuzz_codings[] = { "", "br", "gzip", "deflate" };


static judge_str_t
fuzz_text(judge_arena_t *arena, unsigned how, judge_str_t body, size_t piece,
    judge_skip_e *skip)
{
    size_t           i, n;
    judge_str_t      text;
    judge_arena_t   *scratch = judge_arena_create(4096);
    judge_extract_t  e = {
        .type = JUDGE_STR("multipart/form-data; boundary=x"),
        .request = (how & 0x80) != 0,
        .passing = JUDGE_STR("image/*")
    };

    if (scratch == NULL
        || !judge_extract_formats(arena,
                judge_str_c(fuzz_formats[(how >> 3) & 3]), &e.formats))
    {
        abort();
    }

    judge_extract_begin(&e, (judge_extract_kind_e) ((how & 7) % 5),
                        judge_str_c(fuzz_codings[(how >> 5) & 3]), FUZZ_MAX);

    for (i = 0; i < body.len; i += n) {
        n = (body.len - i < piece) ? body.len - i : piece;
        judge_extract_feed(&e, scratch, body.data + i, n);
    }

    judge_extract_finish(&e, scratch);
    *skip = e.skip;
    text = (e.skip == JUDGE_SKIP_NONE)
           ? judge_str_dup(arena, judge_buf_view(&e.text)) : JUDGE_STR("");
    judge_extract_free(&e);
    judge_arena_destroy(scratch);

    return text;
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_str_t     body, whole, pieces;
    judge_skip_e    skip[2];
    judge_arena_t  *arena;

    if (size < 3) {
        return 0;
    }

    arena = judge_arena_create(4096);
    if (arena == NULL) {
        return 0;
    }

    body = (judge_str_t) { size - 2, (const char *) data + 2 };
    whole = fuzz_text(arena, data[0], body, body.len, &skip[0]);
    pieces = fuzz_text(arena, data[0], body, (size_t) data[1] % 32 + 1,
                       &skip[1]);

    if (skip[0] != skip[1] || !judge_str_eq(whole, pieces)
        || judge_utf8_check(whole) < whole.len || whole.len > 4 * FUZZ_MAX)
    {
        abort();
    }

    judge_arena_destroy(arena);

    return 0;
}
