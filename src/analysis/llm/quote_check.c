/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/llm/llm_parts.h"


/* Characters that don't count around a quote or a part of it. */
#define JUDGE_QUOTE_MARKS  " \"'[]()"


/* Looks up what a character becomes; false: it stays as it is. */

static bool
judge_quote_form_of(uint32_t c, const char **to)
{
    size_t  low = 0, high, mid;

    high = judge_quote_forms_n;

    while (low < high) {
        mid = (low + high) / 2;

        if (c > judge_quote_forms[mid].last) {
            low = mid + 1;

        } else if (c < judge_quote_forms[mid].first) {
            high = mid;

        } else {
            *to = judge_quote_forms[mid].to;
            return true;
        }
    }

    return false;
}


/* No character's form has more bytes than the character (the ellipsis has
 * three in both). */

judge_str_t
judge_quote_form(judge_arena_t *arena, judge_str_t text)
{
    char        *out, *put;
    uint32_t     c;
    const char  *p, *end, *start, *to;

    out = judge_alloc(arena, text.len + 1);
    if (out == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    put = out;
    p = text.data;
    end = p + text.len;

    while (p < end) {
        start = p;
        c = judge_utf8_next(&p, end);

        if (c >= 'A' && c <= 'Z') {
            *put++ = (char) (c | 0x20);
            continue;
        }

        if (c == JUDGE_UTF8_INVALID) {
            continue;
        }

        if (!judge_quote_form_of(c, &to)) {
            memcpy(put, start, (size_t) (p - start));
            put += p - start;
            continue;
        }

        for (/* void */; to && *to; to++) {
            if (*to != ' ' || (put > out && put[-1] != ' ')) {
                *put++ = *to;
            }
        }
    }

    if (put > out && put[-1] == ' ') {
        put--;
    }

    *put = '\0';

    return (judge_str_t) { (size_t) (put - out), out };
}


/* Cuts off the part before the next ellipsis; *rest begins behind that. */

static judge_str_t
judge_quote_part(judge_str_t *rest)
{
    size_t       n;
    judge_str_t  part;
    const char  *dots;

    dots = judge_str_find(*rest, JUDGE_STR("..."));
    n = dots ? (size_t) (dots - rest->data) : rest->len;
    part = (judge_str_t) { n, rest->data };

    while (n < rest->len && rest->data[n] == '.') {
        n++;
    }

    rest->data += n;
    rest->len -= n;

    return judge_str_trim(part, JUDGE_QUOTE_MARKS);
}


bool
judge_quote_stands(judge_str_t text, judge_str_t quote)
{
    bool         found = false;
    judge_str_t  part;
    const char  *start;

    while (quote.len) {
        part = judge_quote_part(&quote);

        if (part.len == 0) {
            continue;
        }

        start = judge_str_find(text, part);
        if (start == NULL) {
            return false;
        }

        text.len -= (size_t) (start - text.data) + part.len;
        text.data = start + part.len;
        found = true;
    }

    return found;
}
