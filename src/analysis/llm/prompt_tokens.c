/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The tokens of a text, estimated: tokenizers differ by model, and a limit
 * needs no more than a rough count.
 */


#include "analysis/llm/prompt.h"


int64_t
judge_prompt_tokens(judge_str_t text)
{
    size_t         i;
    int64_t        quarters;
    unsigned char  c;

    quarters = 0;

    for (i = 0; i < text.len; i++) {
        c = (unsigned char) text.data[i];

        if (c < 0x80) {
            quarters += 1;

        } else if (c >= 0xf0) {
            quarters += 8;

        } else if (c >= 0xe0) {
            quarters += 4;

        } else if (c >= 0xc0) {
            quarters += 2;
        }
    }

    return (quarters + 3) / 4;
}
