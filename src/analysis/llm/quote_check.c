/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Quotes are looked for in a normal form of the text. */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/llm/llm_parts.h"


/* What writers put around a quote and around its parts. */
#define JUDGE_QUOTE_MARKS  " \"'[]()"


/* The form of a character; false: it stays as it is. */

static bool
judge_quote_check_form(uint32_t c, const char **to)
{
    size_t  low = 0, high, mid;

    high = judge_quote_check_forms_n;

    while (low < high) {
        mid = (low + high) / 2;

        if (c > judge_quote_check_forms[mid].last) {
            low = mid + 1;

        } else if (c < judge_quote_check_forms[mid].first) {
            high = mid;

        } else {
            *to = judge_quote_check_forms[mid].to;
            return true;
        }
    }

    return false;
}


/* No character's form is longer than itself but the ellipsis: 3 bytes, 3. */

static judge_str_t
judge_quote_check_normalize(judge_arena_t *arena, judge_str_t text)
{
    char        *out, *q;
    uint32_t     c;
    const char  *p, *end, *start, *to;

    out = judge_alloc(arena, text.len + 1);
    if (out == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    q = out;
    p = text.data;
    end = p + text.len;

    while (p < end) {
        start = p;
        c = judge_utf8_next(&p, end);

        if (c >= 'A' && c <= 'Z') {
            *q++ = (char) (c | 0x20);
            continue;
        }

        if (c == JUDGE_UTF8_INVALID) {
            continue;
        }

        if (!judge_quote_check_form(c, &to)) {
            memcpy(q, start, (size_t) (p - start));
            q += p - start;
            continue;
        }

        for (/* void */; to && *to; to++) {
            if (*to != ' ' || (q > out && q[-1] != ' ')) {
                *q++ = *to;
            }
        }
    }

    if (q > out && q[-1] == ' ') {
        q--;
    }

    *q = '\0';

    return (judge_str_t) { (size_t) (q - out), out };
}


judge_rc_e
judge_quote_check_create(judge_quote_check_t *e, judge_arena_t *arena,
    judge_str_t text)
{
    e->arena = arena;
    e->text = judge_quote_check_normalize(arena, text);

    return e->text.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* The part before the next ellipsis; *rest begins behind it. */

static judge_str_t
judge_quote_check_part(judge_str_t *rest)
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


judge_rc_e
judge_quote_check_find(const judge_quote_check_t *e, judge_str_t quote)
{
    bool         any;
    judge_str_t  part, rest, text;
    const char  *at;

    rest = judge_quote_check_normalize(e->arena, quote);
    if (rest.data == NULL) {
        return JUDGE_NOMEM;
    }

    text = e->text;
    any = false;

    while (rest.len) {
        part = judge_quote_check_part(&rest);

        if (part.len == 0) {
            continue;
        }

        at = judge_str_find(text, part);
        if (at == NULL) {
            return JUDGE_NOT_FOUND;
        }

        text.len -= (size_t) (at - text.data) + part.len;
        text.data = at + part.len;
        any = true;
    }

    return any ? JUDGE_OK : JUDGE_NOT_FOUND;
}
