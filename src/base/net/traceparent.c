/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/net/traceparent.h"


#define JUDGE_TRACEPARENT_HEX  "0123456789abcdef"


/* Whether s has n lower-case hexadecimal digits at `start`, which a hyphen or
 * the end of s follows. */

static bool
judge_traceparent_hex(judge_str_t s, size_t start, size_t n)
{
    size_t  i;

    for (i = start; i < start + n; i++) {
        if (strchr(JUDGE_TRACEPARENT_HEX, s.data[i]) == NULL
            || s.data[i] == '\0')
        {
            return false;
        }
    }

    return i == s.len || s.data[i] == '-';
}


static bool
judge_traceparent_zero(judge_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len && s.data[i] == '0'; i++) { /* void */ }

    return i == s.len;
}


judge_rc_e
judge_traceparent_read(judge_str_t value, judge_traceparent_t *out)
{
    const char  *flags;

    if (value.len < JUDGE_TRACEPARENT
        || !judge_traceparent_hex(value, 0, 2)
        || !judge_traceparent_hex(value, 3, 32)
        || !judge_traceparent_hex(value, 36, 16)
        || !judge_traceparent_hex(value, 53, 2)
        || memcmp(value.data, "ff", 2) == 0
        || (memcmp(value.data, "00", 2) == 0
            && value.len != JUDGE_TRACEPARENT))
    {
        return JUDGE_INVALID;
    }

    out->trace_id = (judge_str_t) { 32, value.data + 3 };
    out->span_id = (judge_str_t) { 16, value.data + 36 };

    flags = value.data + 53;
    out->flags = (unsigned) ((strchr(JUDGE_TRACEPARENT_HEX, flags[0])
                              - JUDGE_TRACEPARENT_HEX) * 16
                             + (strchr(JUDGE_TRACEPARENT_HEX, flags[1])
                                - JUDGE_TRACEPARENT_HEX));

    return judge_traceparent_zero(out->trace_id)
           || judge_traceparent_zero(out->span_id) ? JUDGE_INVALID : JUDGE_OK;
}


judge_str_t
judge_traceparent_part(judge_str_t value)
{
    judge_traceparent_t  read;

    return judge_traceparent_read(value, &read) == JUDGE_OK
           ? (judge_str_t) { JUDGE_TRACEPARENT, value.data }
           : (judge_str_t) { 0, NULL };
}
