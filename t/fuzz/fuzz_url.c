/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What is taken reads back as the same; ranges and addresses don't crash. */


#include <stdlib.h>

#include "base/net/url.h"


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge_str_t     text, error;
    judge_url_t     url, again;
    judge_cidr_t    cidr;
    judge_arena_t  *a;

    a = judge_arena_create(0);
    text = (judge_str_t) { size, (const char *) data };

    if (judge_url_parse(a, text, &url, &error) == JUDGE_OK
        && url.text.len <= JUDGE_URL_MAX
        && (judge_url_parse(a, url.text, &again, &error) != JUDGE_OK
            || !judge_str_eq(url.text, again.text)
            || !judge_str_eq(url.host, again.host)
            || url.port != again.port))
    {
        abort();
    }

    if (judge_cidr_parse(text, &cidr) == JUDGE_OK) {
        if (!judge_cidr_contains(&cidr, &cidr.base)) {
            abort();
        }
        (void) judge_address_is_public(&cidr.base);
    }

    judge_arena_destroy(a);

    return 0;
}
