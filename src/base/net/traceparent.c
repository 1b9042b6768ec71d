/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/net/traceparent.h"
#include "base/text/ascii.h"


/* Whether s has n lower-case hexadecimal digits at `start`, which a hyphen or
 * the end of s follows. */

static bool
judge_traceparent_hex(judge_str_t s, size_t start, size_t n)
{
    return judge_str_only(((judge_str_t) { n, s.data + start }),
                          "0123456789abcdef")
           && (start + n == s.len || s.data[start + n] == '-');
}


judge_rc_e
judge_traceparent_read(judge_str_t value, judge_traceparent_t *out)
{
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
    out->flags = (unsigned) (judge_ascii_hex(value.data[53]) * 16
                             + judge_ascii_hex(value.data[54]));

    return judge_str_only(out->trace_id, "0")
           || judge_str_only(out->span_id, "0") ? JUDGE_INVALID : JUDGE_OK;
}


judge_str_t
judge_traceparent_part(judge_str_t value)
{
    judge_traceparent_t  read;

    return judge_traceparent_read(value, &read) == JUDGE_OK
           ? (judge_str_t) { JUDGE_TRACEPARENT, value.data }
           : (judge_str_t) { 0, NULL };
}
