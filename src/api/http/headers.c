/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Parses request headers: media types, entity tags (RFC 9110, section 8.8.3),
 * preferences (RFC 7240) and Last-Event-ID; and the values of forms. */


#include "base/text/ascii.h"
#include "base/text/number.h"
#include "work/render/event_json.h"
#include "api/http/request.h"


judge_str_t
judge_content_type(judge_req_t *r)
{
    size_t       n;
    judge_str_t  type;

    type = r->headers[JUDGE_HEADER_CONTENT_TYPE];
    for (n = 0; n < type.len && type.data[n] != ';' && type.data[n] != ' ';
         n++)
    {
        /* void */
    }
    type.len = n;

    return type;
}


bool
judge_form_decode(judge_str_t *s)
{
    int     high, low;
    char   *to, *begin;
    size_t  i;

    begin = (char *) (uintptr_t) s->data;
    to = begin;

    for (i = 0; i < s->len; i++) {
        if (s->data[i] != '%') {
            *to++ = s->data[i] == '+' ? ' ' : s->data[i];
            continue;
        }

        high = i + 2 < s->len ? judge_ascii_hex(s->data[i + 1]) : -1;
        low = high >= 0 ? judge_ascii_hex(s->data[i + 2]) : -1;
        if (low < 0) {
            return false;
        }

        *to++ = (char) (high * 16 + low);
        i += 2;
    }

    s->len = (size_t) (to - begin);

    return true;
}


/* Removes the next member from a list; false: the list is empty. */

static bool
judge_headers_next(judge_str_t *list, judge_str_t *member)
{
    if (list->len == 0) {
        return false;
    }

    *member = judge_str_trim(judge_str_until(list, ','), " \t");

    return true;
}


static judge_str_t
judge_headers_unquote(judge_str_t s)
{
    if (s.len >= 2 && s.data[0] == '"' && s.data[s.len - 1] == '"') {
        s.data++;
        s.len -= 2;
    }

    return s;
}


bool
judge_etag_matches(judge_str_t header, judge_str_t tag, bool weak)
{
    judge_str_t  one;

    while (judge_headers_next(&header, &one)) {
        if (judge_str_eq_c(one, "*")) {
            return true;
        }

        if (weak && judge_str_starts(one, JUDGE_STR("W/"))) {
            one.data += 2;
            one.len -= 2;
        }

        if (judge_str_eq(judge_headers_unquote(one), tag)) {
            return true;
        }
    }

    return false;
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


/* Finds the next name=value, with or without quotes, and ignores parameters;
 * false: there is none. */

static bool
judge_prefer_next(judge_str_t *header, judge_str_t wanted, judge_str_t *value)
{
    judge_str_t  item, name;

    while (judge_headers_next(header, &item)) {
        item = judge_str_until(&item, ';');

        if (!judge_str_cut(&item, JUDGE_STR("="), &name)) {
            continue;
        }

        if (judge_str_caseeq(judge_str_trim(name, " \t"), wanted)) {
            *value = judge_headers_unquote(judge_str_trim(item, " \t"));
            return true;
        }
    }

    return false;
}


/* If a preference is repeated, the first one that is a number counts. */

int64_t
judge_prefer_wait(judge_str_t header)
{
    size_t       i;
    int64_t      seconds;
    judge_str_t  value;

    while (judge_prefer_next(&header, JUDGE_STR("wait"), &value)) {
        for (i = 0, seconds = 0; i < value.len; i++) {
            if (value.data[i] < '0' || value.data[i] > '9') {
                break;
            }

            seconds = seconds * 10 + (value.data[i] - '0');
            seconds = seconds > JUDGE_WAIT_MAX ? JUDGE_WAIT_MAX : seconds;
        }

        if (i && i == value.len) {
            return seconds;
        }
    }

    return 0;
}


bool
judge_prefer_strict(judge_str_t header)
{
    judge_str_t  value;

    return judge_prefer_next(&header, JUDGE_STR("handling"), &value)
           && judge_str_caseeq(value, JUDGE_STR("strict"));
}


bool
judge_last_event(judge_str_t header, int64_t *number, bool *done)
{
    judge_str_t  last, suffix;

    suffix = JUDGE_STR(JUDGE_EVENT_DONE);
    last = header;
    *done = header.len > suffix.len
            && judge_str_eq(judge_str_from(header, header.len - suffix.len),
                            suffix);
    if (*done) {
        last.len -= suffix.len;
    }

    return last.data && judge_integer_parse(last, number) == JUDGE_OK
           && *number >= 0;
}
