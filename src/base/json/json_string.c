/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/json/json.h"
#include "base/json/json_string.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"


typedef struct {
    judge_str_t   text;                /* with both quotes */
    size_t        at;
    char         *out;
    const char   *fault;               /* what is wrong with the byte there */
} judge_json_quoted_t;


static bool
judge_json_fault(judge_json_quoted_t *q, size_t at, const char *fault)
{
    q->at = at;
    q->fault = fault;

    return false;
}


/* Reads the four digits behind "\u". */

static bool
judge_json_unit(judge_json_quoted_t *q, uint32_t *unit)
{
    int  i, digit;

    *unit = 0;

    for (i = 0; i < 4; i++) {
        digit = judge_ascii_hex(q->text.data[q->at]);
        if (digit < 0) {
            return judge_json_fault(q, q->at, "invalid escape in a string");
        }

        *unit = (*unit << 4) | (uint32_t) digit;
        q->at++;
    }

    return true;
}


/* Reads the digits behind "\u", and the low surrogate behind a high one. */

static bool
judge_json_code_point(judge_json_quoted_t *q)
{
    size_t       lone;
    uint32_t     u, low;
    const char  *p;

    if (!judge_json_unit(q, &u)) {
        return false;
    }

    lone = q->at - 1;

    if (u >= 0xd800 && u <= 0xdbff) {
        p = q->text.data + q->at;
        lone = q->at + (p[0] == '\\');

        if (p[0] == '\\' && p[1] == 'u') {
            q->at += 2;
            if (!judge_json_unit(q, &low)) {
                return false;
            }

            lone = q->at - 1;
            u = low >= 0xdc00 && low <= 0xdfff
                ? 0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00) : u;
        }
    }

    if (u >= 0xd800 && u <= 0xdfff) {
        return judge_json_fault(q, lone, "lone surrogate in a string");
    }

    q->out += judge_utf8_put(q->out, u);

    return true;
}


static bool
judge_json_escaped(judge_json_quoted_t *q)
{
    char                c;
    const char         *found;
    static const char   from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";

    c = q->text.data[q->at + 1];

    if (c == 'u') {
        q->at += 2;
        return judge_json_code_point(q);
    }

    found = c ? strchr(from, c) : NULL;
    if (found == NULL) {
        return judge_json_fault(q, q->at + 1, "invalid escape in a string");
    }

    *q->out++ = to[found - from];
    q->at += 2;

    return true;
}


/* Finds the wrong byte of a character that begins at `at`. */

static bool
judge_json_not_utf8(judge_json_quoted_t *q, size_t at)
{
    judge_utf8_tail_t  tail;

    if (judge_utf8_begin(&tail, (unsigned char) q->text.data[at])) {
        do {
            at++;
        } while (judge_utf8_take(&tail, (unsigned char) q->text.data[at]));
    }

    return judge_json_fault(q, at, "invalid UTF-8 in a string");
}


static bool
judge_json_unescape(judge_json_quoted_t *q)
{
    size_t  n, end;

    n = judge_utf8_check(q->text);
    if (n < q->text.len) {
        return judge_json_not_utf8(q, n);
    }

    end = q->text.len - 1;

    for (q->at = 1; q->at < end; /* void */) {
        n = judge_json_plain(q->text.data + q->at, end - q->at);
        memcpy(q->out, q->text.data + q->at, n);
        q->out += n;
        q->at += n;

        if (q->at < end && q->text.data[q->at] != '\\') {
            return judge_json_fault(q, q->at,
                                    "control character in a string");
        }

        if (q->at < end && !judge_json_escaped(q)) {
            return false;
        }
    }

    return true;
}


judge_rc_e
judge_json_unquote(judge_arena_t *arena, judge_str_t quoted, judge_str_t *s,
    size_t *at, const char **fault)
{
    char                 *copy;
    judge_json_quoted_t   q = { .text = quoted };

    /* an escape is never shorter than what it stands for */

    q.out = copy = judge_alloc(arena, quoted.len);
    if (copy == NULL) {
        return JUDGE_NOMEM;
    }

    if (!judge_json_unescape(&q)) {
        *at = q.at;
        *fault = q.fault;
        return JUDGE_INVALID;
    }

    *q.out = '\0';
    *s = (judge_str_t) { (size_t) (q.out - copy), copy };

    return JUDGE_OK;
}
