/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A formula in the first line, and a template behind it: what their checks let
 * pass is computed and rendered, but for values that are not there. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "extensions/openai/openai_grader.h"


#define FUZZ_ITEM  "{\"a\":\"{{item.b}}\",\"b\":[1,{\"c d\":null}]}"
#define FUZZ_SAMPLE  "{\"output_text\":\"{\\\"y\\\":[0]}\"}"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static void
fuzz_formula(judge_str_t text)
{
    double       v;
    const char  *error;
    static const double       values[] = { 0, 0.5, -3 };
    static const judge_str_t  names[] = {
        judge_str("a"), judge_str("b"), judge_str("max")
    };

    error = judge_openai_calculate(text, names, values, 3, &v);

    if (error == NULL
        && (!isfinite(v)
            || judge_openai_calculate(text, names, NULL, 3, &v) != NULL))
    {
        abort();
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_rc_e         rc;
    judge_str_t        text, out, error;
    const char        *end;
    judge_json_t      *item, *sample;
    judge_arena_t     *a;
    openai_subject_t   subject, none;

    a = judge_arena_create(0);
    text = (judge_str_t) { size, (const char *) data };
    end = memchr(text.data, '\n', text.len);

    fuzz_formula((judge_str_t) { end ? (size_t) (end - text.data) : size,
                                 text.data });

    if (end && judge_json_parse(a, JUDGE_STR(FUZZ_ITEM), &item, NULL) == 0
        && judge_json_parse(a, JUDGE_STR(FUZZ_SAMPLE), &sample, NULL) == 0)
    {
        text = judge_str_from(text, (size_t) (end + 1 - text.data));
        none = (openai_subject_t) { .arena = a };
        subject = (openai_subject_t) { .arena = a, .item = item };
        if (judge_openai_subject_sample(&subject, sample) != JUDGE_OK) {
            abort();
        }

        rc = judge_openai_template_render(&none, text, false, &out, &error);
        if (rc != JUDGE_OK
            && judge_openai_template_render(&subject, text, size & 1, &out,
                                            &error) == JUDGE_OK)
        {
            abort();
        }

        if (rc == JUDGE_OK
            && judge_openai_template_render(&subject, text, size & 1, &out,
                                            &error) == JUDGE_INVALID
            && memmem(error.data, error.len, "} is not in the ", 16) == NULL)
        {
            abort();
        }
    }

    judge_arena_destroy(a);

    return 0;
}
