/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Prefer: wait=10, respond-async; of repeated ones the first counts. */


#include <string.h>

#include "api/http/prefer.h"


static bool judge_prefer_seconds(judge_str_t item, int64_t *seconds);
static judge_str_t judge_prefer_trim(const char *p, const char *end);


int64_t
judge_prefer_wait(judge_str_t header)
{
    int64_t      seconds;
    const char  *p, *end, *stop;

    end = header.data + header.len;

    for (p = header.data; p && p < end; p = stop + 1) {
        stop = memchr(p, ',', (size_t) (end - p));
        stop = stop ? stop : end;

        if (judge_prefer_seconds(judge_prefer_trim(p, stop), &seconds)) {
            return seconds;
        }
    }

    return 0;
}


/* wait = N, with or without quotes, parameters behind it ignored. */

static bool
judge_prefer_seconds(judge_str_t item, int64_t *seconds)
{
    size_t       i;
    judge_str_t  name, value;
    const char  *equals, *end;

    end = memchr(item.data, ';', item.len);
    end = end ? end : item.data + item.len;

    equals = memchr(item.data, '=', (size_t) (end - item.data));
    if (equals == NULL) {
        return false;
    }

    name = judge_prefer_trim(item.data, equals);
    value = judge_prefer_trim(equals + 1, end);

    if (!judge_str_caseeq(name, JUDGE_STR("wait"))) {
        return false;
    }

    if (value.len > 2 && value.data[0] == '"'
        && value.data[value.len - 1] == '"')
    {
        value.data++;
        value.len -= 2;
    }

    *seconds = 0;

    for (i = 0; i < value.len; i++) {
        if (value.data[i] < '0' || value.data[i] > '9') {
            return false;
        }

        *seconds = *seconds * 10 + (value.data[i] - '0');
        if (*seconds > JUDGE_WAIT_MAX) {
            *seconds = JUDGE_WAIT_MAX;
        }
    }

    return value.len > 0;
}


static judge_str_t
judge_prefer_trim(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }

    while (end > p && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }

    return (judge_str_t) { (size_t) (end - p), p };
}
