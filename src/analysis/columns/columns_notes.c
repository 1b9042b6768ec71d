/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Sentences about a table. */


#include <stdio.h>

#include "base/text/utf8.h"
#include "analysis/columns/columns_table.h"


#define JUDGE_NOTES_MAX    40          /* sentences of one list */
#define JUDGE_NOTES_QUOTE  40          /* bytes of a value in a sentence */


void
judge_notes_add(judge_notes_t *notes, const char *fmt, ...)
{
    int           n;
    char          line[1024];
    va_list       args;
    judge_str_t   s;

    if (notes->failed || notes->n == JUDGE_NOTES_MAX) {
        return;
    }

    if (notes->items == NULL) {
        notes->items = judge_array_alloc(notes->arena, JUDGE_NOTES_MAX,
                                         sizeof(judge_str_t));
    }

    va_start(args, fmt);
    n = vsnprintf(line, sizeof(line), fmt, args);
    va_end(args);

    /* a long one may have been cut within a character */

    s = judge_str_c(n < 0 ? NULL : line);
    s.len = judge_utf8_check(s);
    s = judge_str_dup(notes->arena, s);

    if (notes->items == NULL || s.data == NULL) {
        notes->failed = true;
        return;
    }

    notes->items[notes->n++] = s;
}


judge_str_t
judge_notes_quote(judge_arena_t *arena, judge_str_t value)
{
    char         *p;
    size_t        i;
    judge_str_t   s;

    s = judge_utf8_prefix(judge_value_type_trim(value), JUDGE_NOTES_QUOTE);
    s = judge_str_printf(arena, "%.*s%s", (int) s.len,
                         (s.data == NULL) ? "" : s.data,
                         (s.len < judge_value_type_trim(value).len)
                         ? "..." : "");

    if (s.data == NULL) {
        return JUDGE_STR("");
    }

    for (p = (char *) s.data, i = 0; i < s.len; i++) {
        if ((unsigned char) p[i] < ' ' || p[i] == '"') {
            p[i] = (p[i] == '"') ? '\'' : ' ';
        }
    }

    return s;
}
