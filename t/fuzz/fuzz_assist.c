/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Answers of a model about criteria and columns, by the form and the question
 * in the first byte; the rest is the text of the answer.  What is taken
 * can be used as it is: weights that add up, thresholds that fall, fields that
 * were asked for; what is not has a reason.
 */


#include <math.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/text/utf8.h"
#include "analysis/llm/assist_prompt.h"


#define FUZZ_COLUMNS  3


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


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
fuzz_refused(const judge_reply_t *reply)
{
    if (reply->reason.len == 0
        || judge_utf8_check(reply->reason) != reply->reason.len)
    {
        abort();
    }
}


static void
fuzz_criteria(judge_arena_t *a, const judge_prompt_request_t *asked,
    judge_str_t body)
{
    size_t                   i;
    double                   sum;
    judge_parsed_criteria_t  out;
    judge_reply_t            reply;
    judge_parse_request_t    request = { .description = JUDGE_STR("x"),
                                       .max_criteria = 5 };

    if (judge_assist_reply_criteria(a, asked, &request, body, &reply, &out)
        == JUDGE_NOMEM)
    {
        abort();
    }

    if (reply.outcome != JUDGE_REPLY_OK) {
        fuzz_refused(&reply);
        return;
    }

    if (out.ncriteria == 0 || out.ncriteria > 5
        || !(out.confidence >= 0 && out.confidence <= 1))
    {
        abort();
    }

    for (i = 0, sum = 0; i < out.ncriteria; i++) {
        sum += out.criteria[i].weight;

        if (out.criteria[i].name.len == 0
            || out.criteria[i].description.len == 0
            || !(out.criteria[i].weight > 0)
            || !(out.criteria[i].excellent > out.criteria[i].good)
            || !(out.criteria[i].fair > out.criteria[i].poor))
        {
            abort();
        }
    }

    if (fabs(sum - 1) > 1e-9) {
        abort();
    }
}


static void
fuzz_columns(judge_arena_t *a, const judge_prompt_request_t *asked,
    judge_str_t body)
{
    size_t                    i;
    unsigned                  once;
    judge_reply_t             reply;
    judge_column_hint_t       hints[FUZZ_COLUMNS];
    judge_columns_request_t   request = {
        .csv_sample = JUDGE_STR("a,b,c\n1,2,3\n"),
        .expected = 1u << JUDGE_COLUMN_CONTENT | 1u << JUDGE_COLUMN_METADATA
    };

    if (judge_assist_reply_columns(a, asked, &request, FUZZ_COLUMNS, body,
                                   &reply, hints)
        == JUDGE_NOMEM)
    {
        abort();
    }

    if (reply.outcome != JUDGE_REPLY_OK) {
        fuzz_refused(&reply);
        return;
    }

    for (i = 0, once = 0; i < FUZZ_COLUMNS; i++) {
        if (hints[i].field < -1
            || (hints[i].field >= 0
                && !(request.expected & 1u << hints[i].field))
            || !(hints[i].confidence >= 0 && hints[i].confidence <= 1))
        {
            abort();
        }
        once += hints[i].field == JUDGE_COLUMN_CONTENT;
    }

    if (once > 1) {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_str_t              body;
    judge_arena_t           *a;
    judge_prompt_request_t   asked = { .format = JUDGE_FORMAT_SCHEMA };

    a = size ? judge_arena_create(65536) : NULL;
    if (a == NULL) {
        return 0;
    }

    body = fuzz_wrap(a, (judge_str_t) { size - 1, (const char *) data + 1 });

    if (data[0] & 0x1) {
        asked.format = JUDGE_FORMAT_PLAIN;
        asked.key = JUDGE_STR("k");
    }

    if (data[0] & 0x2) {
        fuzz_criteria(a, &asked, body);
    } else {
        fuzz_columns(a, &asked, body);
    }

    judge_arena_destroy(a);

    return 0;
}
