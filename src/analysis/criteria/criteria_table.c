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
    judge_span_t   cell[JUDGE_TABLE_COLUMNS];
    size_t         n;
} judge_row_t;


/* The last cell takes what is beyond the last column. */

static void
judge_row_read(judge_span_t s, char mark, size_t columns, judge_row_t *row)
{
    judge_span_t   cell;
    judge_term_t  *t, *from;

    if (mark == '|') {                 /* at the ends, too */
        while (s.from < s.to && s.from->mark == '|') { s.from++; }
        while (s.from < s.to && s.to[-1].mark == '|') { s.to--; }
    }

    for (row->n = 0, t = from = s.from; t <= s.to; t++) {
        if (t < s.to && (t->depth > 0 || t->kind != JUDGE_TERM_MARK
                         || t->mark != mark || row->n + 1 >= columns))
        {
            continue;
        }

        cell = judge_span_trim(judge_span(from, t));
        from = t + 1;

        if (cell.to - cell.from > 2 && cell.from->mark == '"'
            && cell.to[-1].mark == '"')
        {
            cell = judge_span(cell.from + 1, cell.to - 1);
        }

        row->cell[row->n++] = cell;
    }
}


static bool
judge_row_weighed(const judge_row_t *row)
{
    size_t         i;
    judge_weigh_t  w;

    for (i = 0; i < row->n && !judge_weigh_cell(row->cell[i], &w); i++) {
        /* void */
    }

    return i < row->n;
}


/* What the columns have; returns how many headings say so. */

static size_t
judge_table_columns(const judge_row_t *head, const judge_row_t *first,
    unsigned *roles)
{
    size_t         i, named, weights;
    judge_weigh_t  w;

    for (i = named = weights = 0; i < head->n; i++) {
        roles[i] = JUDGE_COLUMN_UNKNOWN;

        if (judge_begins(head->cell[i], COLUMN)
            && judge_span_words(head->cell[i]) <= JUDGE_TABLE_HEADING
            && !judge_weigh_cell(head->cell[i], &w))
        {
            roles[i] = (unsigned) head->cell[i].from->value;
            named++;
        }

        if (judge_weigh_cell(first->cell[i], &w)) {
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
    judge_str_t    head;
    judge_span_t   s;
    judge_weigh_t  cell, w = { .share = 0 };

    for (i = 0, name = row->n; i < row->n; i++) {
        if ((roles[i] == JUDGE_COLUMN_NAME
             && (name == row->n || roles[name] != JUDGE_COLUMN_NAME))
            || (roles[i] % JUDGE_COLUMN_TEXT == 0 && name == row->n))
        {
            name = i;
        }
    }

    if (name == row->n || judge_begins(row->cell[name], TOTAL)
        || judge_span_words(row->cell[name]) == 0)
    {
        return;
    }

    judge_buf_init(&text, p->arena);

    for (i = 0; i < row->n; i++) {
        s = row->cell[i];

        if (roles[i] == JUDGE_COLUMN_WEIGHT && judge_weigh_cell(s, &cell)) {
            w = cell;

        } else if (roles[i] != JUDGE_COLUMN_NUMBER && judge_span_words(s) > 0
                   && (i != name || judge_span_negated(s)))
        {
            judge_buf_c(&text, text.len ? "; " : "");
            judge_buf_str(&text, judge_span_text(s));
        }
    }

    s = row->cell[name];

    if (w.share + w.points + w.factor == 0) {
        (void) judge_weigh_read(s, &w, false);
    }

    head = judge_span_text(s);
    (void) judge_draft_put(p, s, head, text.len ? judge_buf_view(&text) : head,
                           &w);
}


size_t
judge_rows_read(judge_prose_t *p, const judge_line_t *line, size_t n)
{
    bool           head = false;
    size_t         i, next, named;
    unsigned       roles[JUDGE_TABLE_COLUMNS] = { 0 };
    judge_row_t    first, row;
    const char    *mark;

    for (next = 1; next < n && line[next].kind == JUDGE_LINE_EMPTY
         && line[next].at.from < line[next].at.to; next++)
    { /* void: "|---|---|" */ }

    for (mark = "\t|;,"; *mark && next < n; mark++) {
        judge_row_read(line[0].at, *mark, JUDGE_TABLE_COLUMNS, &first);
        judge_row_read(line[next].at, *mark, first.n, &row);

        if (first.n < 2 || row.n != first.n) {
            continue;
        }

        named = judge_table_columns(&first, &row, roles);
        head = next > 1 || named == first.n
               || (!judge_row_weighed(&first) && judge_row_weighed(&row))
               || (named > 0 && (*mark == '|' || *mark == '\t'));

        if (head || judge_row_weighed(&first) || *mark == '|'
            || *mark == '\t')
        {
            break;
        }
    }

    if (next >= n || *mark == '\0') {
        return 0;
    }

    for (i = head ? next : 0; i < n; i++) {
        judge_row_read(line[i].at, *mark, first.n, &row);

        if (row.n < 2 && (line[i].kind != JUDGE_LINE_EMPTY
                          || line[i].at.from == line[i].at.to))
        {
            break;
        }

        if (row.n > 1) {
            judge_table_row(p, &row, roles);
        }
    }

    return i;
}
