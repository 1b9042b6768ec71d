/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */



#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "tool.h"


#define JUDGE_TOOL_NAME  200           /* characters, as in the API */


int
judge_tool_fail(int status, const char *fmt, ...)
{
    va_list  args;

    fputs("judge: ", stderr);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputs(status == JUDGE_TOOL_USAGE ? " (try --help)\n" : "\n", stderr);

    return status;
}


/* A cell is shown on one line: names may hold anything. */

static judge_str_t
judge_tool_clean(judge_tool_t *t, judge_str_t s)
{
    char         *copy;
    size_t        i;
    judge_str_t   dup;

    dup = judge_str_dup(t->arena, s.data ? s : JUDGE_STR("-"));
    copy = (char *) dup.data;

    for (i = 0; copy && i < dup.len; i++) {
        if ((unsigned char) copy[i] < 0x20 || copy[i] == 0x7f) {
            copy[i] = '?';

        } else if ((unsigned char) copy[i] == 0xc2 && i + 1 < dup.len
                   && (unsigned char) copy[i + 1] < 0xa0)
        {
            copy[i++] = '?';           /* U+0080 to U+009F are controls */
            copy[i] = '?';
        }
    }

    return dup;
}


void
judge_table_add(judge_tool_t *t, judge_table_t *table, judge_str_t cell)
{
    size_t        room;
    judge_str_t  *cells;

    if (table->count == table->room) {
        room = table->room ? 2 * table->room : 64;
        cells = judge_array_alloc(t->arena, room, sizeof(judge_str_t));
        if (cells == NULL) {
            t->out.failed = true;
            return;
        }
        if (table->count) {
            memcpy(cells, table->cells, table->count * sizeof(judge_str_t));
        }
        table->cells = cells;
        table->room = room;
    }

    cell = judge_tool_clean(t, cell);
    if (cell.data == NULL) {
        t->out.failed = true;
    }
    table->cells[table->count++] = cell;
}


static void
judge_table_cell(judge_tool_t *t, judge_str_t cell, size_t width, bool last)
{
    size_t  n;

    judge_buf_str(&t->out, cell);

    if (last) {
        judge_buf_c(&t->out, "\n");
        return;
    }

    for (n = judge_utf8_length(cell); n < width + 2; n++) {
        judge_buf_c(&t->out, " ");
    }
}


void
judge_table_print(judge_tool_t *t, const judge_table_t *table)
{
    size_t  i, n, c, width[JUDGE_TOOL_COLUMNS];

    if (t->out.failed) {
        return;
    }

    for (c = 0; c < table->columns; c++) {
        width[c] = strlen(table->heads[c]);
    }

    for (i = 0; i < table->count; i++) {
        c = i % table->columns;
        n = judge_utf8_length(table->cells[i]);
        width[c] = n > width[c] ? n : width[c];
    }

    for (c = 0; c < table->columns; c++) {
        judge_table_cell(t, judge_str_c(table->heads[c]), width[c],
                         c + 1 == table->columns);
    }

    for (i = 0; i < table->count; i++) {
        c = i % table->columns;
        judge_table_cell(t, table->cells[i], width[c],
                         c + 1 == table->columns);
    }
}


void
judge_tool_pair(judge_tool_t *t, const char *label, judge_str_t value)
{
    judge_buf_printf(&t->out, "%-15s ", label);
    judge_buf_str(&t->out, judge_tool_clean(t, value));
    judge_buf_c(&t->out, "\n");
}


int
judge_tool_name(judge_str_t name, const char *what)
{
    size_t  i;

    if (name.len == 0 || judge_utf8_check(name) != name.len
        || judge_utf8_length(name) > JUDGE_TOOL_NAME)
    {
        return judge_tool_fail(JUDGE_TOOL_FAILED, "the name of %s has 1 to"
                               " %d characters in UTF-8", what,
                               JUDGE_TOOL_NAME);
    }

    for (i = 0; i < name.len; i++) {
        if ((unsigned char) name.data[i] < 0x20 || name.data[i] == 0x7f) {
            return judge_tool_fail(JUDGE_TOOL_FAILED, "the name of %s has no"
                                   " control characters", what);
        }
    }

    return JUDGE_TOOL_OK;
}
