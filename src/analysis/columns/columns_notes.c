/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Sentences about a table. */


#include "base/text/utf8.h"
#include "analysis/columns/columns_table.h"


#define JUDGE_NOTES_MAX    40          /* sentences of one list */
#define JUDGE_NOTES_QUOTE  40          /* bytes of a value in a sentence */


void
judge_notes_add(judge_notes_t *notes, const char *fmt, ...)
{
    va_list      args;
    judge_buf_t  line;

    if (notes->items == NULL) {
        notes->items = judge_array_alloc(notes->arena, JUDGE_NOTES_MAX,
                                         sizeof(judge_str_t));
        notes->failed |= notes->items == NULL;
    }

    if (notes->failed || notes->n == JUDGE_NOTES_MAX) {
        return;
    }

    judge_buf_init(&line, notes->arena);
    va_start(args, fmt);
    judge_buf_vprintf(&line, fmt, args);
    va_end(args);

    notes->items[notes->n++] = judge_buf_view(&line);
    notes->failed |= line.failed;
}


const char *
judge_notes_quote(judge_arena_t *arena, judge_str_t value)
{
    char         *p;
    judge_str_t   s;

    value = judge_value_type_trim(value);
    s = judge_utf8_prefix(value, JUDGE_NOTES_QUOTE);
    s = judge_str_printf(arena, "%.*s%s", (int) s.len, s.data,
                         (s.len < value.len) ? "..." : "");

    if (s.data == NULL) {
        return "";
    }

    for (p = (char *) s.data; *p != '\0'; p++) {
        if (*p == '"') {
            *p = '\'';

        } else if ((unsigned char) *p < ' ') {
            *p = ' ';
        }
    }

    return s.data;
}
