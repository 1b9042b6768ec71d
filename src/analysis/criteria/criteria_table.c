/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Tables: rows of cells between tabs, "|", semicolons or commas.  What a
 * column has is told by its heading, or else by the cells themselves.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_TABLE_COLUMNS  12
#define JUDGE_TABLE_HEADING  4         /* words */

enum { JUDGE_COLUMN_UNKNOWN, JUDGE_COLUMN_NAME, JUDGE_COLUMN_WEIGHT,
       JUDGE_COLUMN_TEXT, JUDGE_COLUMN_NUMBER };

typedef struct {
    judge_str_t  cell[JUDGE_TABLE_COLUMNS];
    size_t       n;
} judge_row_t;


/* The last cell takes what is beyond the last column. */

static void
judge_row_read(judge_str_t s, char mark, size_t columns, judge_row_t *row)
{
    bool         quoted = false;
    const char  *p, *from;

    s = (mark == '|') ? judge_str_trim(s, "| \t\r") : s;   /* at its ends */

    for (row->n = 0, p = from = s.data; p <= judge_end(s); p++) {
        quoted ^= p < judge_end(s) && *p == '"';

        if (p == judge_end(s)
            || (!quoted && *p == mark && row->n + 1 < columns))
        {
            row->cell[row->n++] = judge_str_trim(judge_words_span(from, p),
                                                 " \t\r*_");
            from = p + 1;
        }
    }
}


static bool
judge_row_weighed(judge_prose_t *p, const judge_row_t *row)
{
    size_t         i;
    judge_weigh_t  w;

    for (i = 0; i < row->n && !judge_weigh_cell(p, row->cell[i], &w); i++) {
        /* void */
    }

    return i < row->n;
}


/* What the columns have; returns how many headings say so. */

static size_t
judge_table_columns(judge_prose_t *p, const judge_row_t *head,
    const judge_row_t *first, unsigned *roles)
{
    size_t         i, named, weights;
    judge_str_t    word;
    judge_weigh_t  w;

    for (i = named = weights = 0; i < head->n; i++) {
        word = judge_words_begins(p, head->cell[i], JUDGE_CLASS_COLUMN);
        roles[i] = JUDGE_COLUMN_UNKNOWN;

        if (word.data != NULL
            && judge_words_count(p, head->cell[i]) <= JUDGE_TABLE_HEADING
            && !judge_weigh_cell(p, head->cell[i], &w))
        {
            roles[i] = (unsigned) judge_words_value(p, JUDGE_CLASS_COLUMN,
                                                    word);
            named++;
        }

        if (judge_weigh_cell(p, first->cell[i], &w)) {
            weights++;
            roles[i] = roles[i] ? roles[i] : JUDGE_COLUMN_WEIGHT;
        }
    }

    if (roles[0] == JUDGE_COLUMN_WEIGHT && weights > 1) {
        roles[0] = JUDGE_COLUMN_NUMBER;
    }

    return named;
}


static void
judge_table_row(judge_prose_t *p, const judge_row_t *row,
    const unsigned *roles)
{
    size_t         i, name;
    judge_buf_t    text;
    judge_str_t    s;
    judge_weigh_t  cell, w = { .share = 0 };

    for (i = 0, name = row->n; i < row->n; i++) {
        if ((roles[i] == JUDGE_COLUMN_NAME
             && (name == row->n || roles[name] != JUDGE_COLUMN_NAME))
            || (roles[i] % JUDGE_COLUMN_TEXT == 0 && name == row->n))
        {
            name = i;
        }
    }

    if (name == row->n || judge_begins(p, row->cell[name], TOTAL)
        || judge_words_count(p, row->cell[name]) == 0)
    {
        return;
    }

    judge_buf_init(&text, p->arena);

    for (i = 0; i < row->n; i++) {
        s = judge_str_trim(row->cell[i], "\"");

        if (roles[i] == JUDGE_COLUMN_WEIGHT && judge_weigh_cell(p, s, &cell)) {
            w = cell;

        } else if (roles[i] != JUDGE_COLUMN_NUMBER
                   && judge_words_count(p, s) > 0
                   && (i != name || judge_has(p, s, NOT)))
        {
            judge_buf_c(&text, text.len ? "; " : "");
            judge_buf_str(&text, s);
        }
    }

    s = judge_str_trim(row->cell[name], "\"");

    if (w.share + w.points + w.factor == 0
        && judge_weigh_read(p, s, false, &w) && !w.first)
    {
        s = judge_before(s, w.at);
    }

    (void) judge_draft_put(p, s, text.len ? judge_buf_view(&text) : s, &w);
}


size_t
judge_rows_read(judge_prose_t *p, const judge_str_t *line, size_t n)
{
    bool         head = false;
    size_t       i, next, named;
    unsigned     roles[JUDGE_TABLE_COLUMNS] = { 0 };
    judge_row_t  first, row;
    const char  *mark;

    for (next = 1; next < n && next < 3 && line[next].len > 0
         && judge_words_count(p, line[next]) == 0; next++)
    { /* void: "|---|---|" */ }

    for (mark = "\t|;,"; *mark && next < n; mark++) {
        judge_row_read(line[0], *mark, JUDGE_TABLE_COLUMNS, &first);
        judge_row_read(line[next], *mark, first.n, &row);

        if (first.n < 2 || row.n != first.n) {
            continue;
        }

        named = judge_table_columns(p, &first, &row, roles);
        head = next > 1 || named == first.n
               || (!judge_row_weighed(p, &first) && judge_row_weighed(p, &row))
               || (named > 0 && (*mark == '|' || *mark == '\t'));

        if (head || judge_row_weighed(p, &first) || *mark == '|'
            || *mark == '\t')
        {
            break;
        }
    }

    if (next >= n || *mark == '\0') {
        return 0;
    }

    for (i = head ? next : 0; i < n; i++) {
        judge_row_read(line[i], *mark, first.n, &row);

        if (row.n < 2) {
            break;
        }

        judge_table_row(p, &row, roles);
    }

    return i;
}
