/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/text/number.h"
#include "api/http/etag.h"


static judge_str_t judge_etag_trim(const char *p, const char *end);


bool
judge_etag_matches(judge_str_t header, judge_str_t tag, bool weak)
{
    judge_str_t  one;
    const char  *p, *end, *stop;

    end = header.data + header.len;

    for (p = header.data; p && p < end; p = stop + 1) {
        stop = memchr(p, ',', (size_t) (end - p));
        stop = stop ? stop : end;
        one = judge_etag_trim(p, stop);

        if (judge_str_eq_c(one, "*")) {
            return true;
        }

        if (weak && judge_str_starts(one, JUDGE_STR("W/"))) {
            one.data += 2;
            one.len -= 2;
        }

        if (one.len >= 2 && one.data[0] == '"'
            && one.data[one.len - 1] == '"')
        {
            one.data++;
            one.len -= 2;
        }

        if (judge_str_eq(one, tag)) {
            return true;
        }
    }

    return false;
}


static judge_str_t
judge_etag_trim(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }

    while (end > p && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }

    return (judge_str_t) { (size_t) (end - p), p };
}


void
judge_etag_version(judge_req_t *r, int64_t version)
{
    judge_reply_header(r, "ETag", judge_str_printf(r->arena, "\"%lld\"",
                                                   (long long) version));
}


bool
judge_etag_version_matches(judge_str_t header, int64_t version, bool weak)
{
    char    text[JUDGE_NUMBER_LEN];
    size_t  len;

    len = judge_integer_format(version, text);

    return judge_etag_matches(header, (judge_str_t) { len, text }, weak);
}
