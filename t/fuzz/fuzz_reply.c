/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * An answer of a model, by the form in the first byte; the rest is the body,
 * or the text in it.  What is taken has all its scores in their range, what
 * is not has a reason; and nothing breaks out of its fence.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/text/utf8.h"
#include "analysis/llm/prompt.h"
#include "analysis/llm/reply.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static judge_criterion_t  fuzz_criteria[] = { { .weight = 1 },
                                              { .weight = 3 } };

static judge_rubric_t  fuzz_rubric = { .criteria = fuzz_criteria,
                                       .ncriteria = 2 };


static judge_str_t
fuzz_wrap(judge_arena_t *a, judge_str_t text)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_buf_init(&buf, a);
    judge_buf_c(&buf, "{\"choices\":[{\"message\":{\"content\":");
    judge_json_begin(&w, &buf);
    judge_json_str(&w, text);
    (void) judge_json_finish(&w);
    judge_buf_c(&buf, "}}]}");

    return judge_buf_view(&buf);
}


static void
fuzz_reply(judge_arena_t *a, judge_str_t text, unsigned how)
{
    size_t                  i;
    judge_item_t            item = { .text = text };
    judge_reply_t           r;
    judge_prompt_request_t  asked = { .rubric = &fuzz_rubric, .item = &item };

    if (how & 0x10) {
        asked.key = JUDGE_STR("k");
    }

    if (how & 0x20) {
        text = fuzz_wrap(a, text);
    }

    if (judge_reply_read(a, &asked, text, &r) == JUDGE_NOMEM
        || r.start.len > JUDGE_REPLY_START)
    {
        abort();
    }

    if (r.outcome != JUDGE_REPLY_OK) {
        if (r.reason.len == 0
            || judge_utf8_check(r.reason) != r.reason.len)
        {
            abort();
        }
        return;
    }

    for (i = 0; i < 2; i++) {
        if (!(r.verdict.scores[i].score >= 0)
            || !(r.verdict.scores[i].score <= 100)
            || r.verdict.scores[i].feedback.len == 0)
        {
            abort();
        }
    }
}


static void
fuzz_fence(judge_arena_t *a, judge_str_t text)
{
    size_t             altered;
    judge_buf_t        buf;
    judge_str_t        out;
    judge_delimiter_t  fence;

    altered = 0;
    judge_buf_init(&buf, a);
    judge_delimiter_text(&buf, text, &altered);
    out = judge_buf_view(&buf);

    if (out.len
        && (judge_utf8_check(out) != out.len || memmem(out.data, out.len, "<|",
                                                       2)
            || memmem(out.data, out.len, "\xe2\x9f\xa6", 3)))
    {
        abort();
    }

    if (judge_delimiter_make(&fence, &text, 1) != JUDGE_OK
        || (text.len && memmem(text.data, text.len, fence.number,
                               JUDGE_DELIMITER_LEN)))
    {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_str_t             text;
    judge_arena_t          *a;
    judge_prompt_t          request = { .max_tokens = 1 };
    judge_provider_error_t  error;

    if (size == 0) {
        return 0;
    }

    a = judge_arena_create(0);
    text = (judge_str_t) { size - 1, (const char *) data + 1 };

    fuzz_reply(a, text, data[0]);
    fuzz_fence(a, text);

    if (judge_provider_error_read(a, 400 + data[0] % 130, text, &request,
                                  &error) != JUDGE_OK
        || error.message.len > JUDGE_PROVIDER_MESSAGE)
    {
        abort();
    }

    judge_arena_destroy(a);

    return 0;
}
