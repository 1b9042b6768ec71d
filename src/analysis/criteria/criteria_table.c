/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Tables: lines with the same mark between cells, a weight in one column. */


#include "analysis/criteria/criteria_parts.h"


#define JUDGE_TABLE_COLUMNS  12

/* The values of JUDGE_CLASS_COLUMN. */
enum { JUDGE_COLUMN_NAME = 1, JUDGE_COLUMN_WEIGHT };

typedef struct {
    judge_span_t  cell[JUDGE_TABLE_COLUMNS];
    size_t        n;
} judge_row_t;

typedef struct {
    char          mark;                /* between the cells; 0: no table */
    bool          headed;              /* the first row has headings */
    judge_row_t   head;
    size_t        name, weight;        /* columns; weight: n where none is */
    size_t        texts;               /* columns of words */
} judge_rows_t;


/* The last cell takes what is beyond the last column. */

static void
judge_row_read(judge_span_t s, char mark, size_t columns, judge_row_t *row)
{
    judge_term_t  *t, *from;

    if (mark == '|') {                 /* at the ends, too */
        while (s.from < s.to && s.from->mark == '|') { s.from++; }
        while (s.from < s.to && s.to[-1].mark == '|') { s.to--; }
    }

    for (row->n = 0, t = from = s.from; t <= s.to; t++) {
        if (t == s.to || (t->depth == 0 && t->kind == JUDGE_TERM_MARK
                          && t->mark == mark && row->n + 1 < columns))
        {
            row->cell[row->n++] = judge_span_trim(judge_span(from, t));
            from = t + 1;
        }
    }
}


static double
judge_rows_role(judge_span_t s)
{
    return (judge_begins(s, COLUMN) && judge_span_words(s) < 5)
           ? s.from->value : 0;
}


/* Whether the two rows begin a table, and what its columns are. */

static bool
judge_rows_columns(judge_rows_t *t, const judge_row_t *second, bool ruled)
{
    size_t              i, named, weights;
    judge_weigh_t       w;
    const judge_row_t  *head = &t->head;

    t->weight = t->name = head->n;
    t->texts = head->n;

    for (i = named = weights = 0; i < head->n; i++) {
        named += judge_rows_role(head->cell[i]) > 0;

        if (judge_weigh_cell(second->cell[i], &w)) {
            t->weight = (t->weight < head->n
                         && judge_rows_role(head->cell[t->weight])
                            == JUDGE_COLUMN_WEIGHT) ? t->weight : i;
            weights += judge_weigh_cell(head->cell[i], &w);
            t->texts--;

        } else if (t->name == head->n
                   || (judge_rows_role(head->cell[i]) == JUDGE_COLUMN_NAME
                       && judge_rows_role(head->cell[t->name])
                          != JUDGE_COLUMN_NAME))
        {
            t->name = i;
        }
    }

    t->headed = ruled || named == head->n || (named > 0 && weights == 0
                                              && t->weight < head->n);

    return t->name < head->n
           && (t->headed || weights > 0 || t->mark == '|' || t->mark == '\t');
}


static void
judge_rows_row(judge_prose_t *p, const judge_rows_t *t,
    const judge_row_t *row)
{
    size_t         i;
    judge_buf_t    text;
    judge_span_t   s, name = row->cell[t->name];
    judge_weigh_t  w = { .share = 0 }, cell;

    if (judge_begins(name, TOTAL) || judge_span_words(name) == 0) {
        return;
    }

    if (t->weight == t->head.n || t->weight >= row->n
        || !judge_weigh_cell(row->cell[t->weight], &w))
    {
        (void) judge_weigh_read(name, &w, false);
    }

    judge_buf_init(&text, p->arena);

    for (i = 0; i < row->n; i++) {
        s = row->cell[i];

        if (i == t->name || i == t->weight || judge_span_words(s) == 0
            || (i == 0 && judge_weigh_cell(s, &cell)))
        {
            continue;
        }

        judge_buf_c(&text, text.len ? "; " : "");

        if (t->headed && t->texts > 2 && judge_rows_role(t->head.cell[i]) == 0
            && judge_span_words(t->head.cell[i]) > 0)
        {
            judge_buf_str(&text, judge_span_text(t->head.cell[i]));
            judge_buf_c(&text, ": ");
        }

        judge_buf_str(&text, judge_span_text(s));
    }

    if (judge_span_negated(name) && text.len > 0) {
        judge_buf_c(&text, "; ");
        judge_buf_str(&text, judge_span_text(name));
    }

    (void) judge_draft_row(p, name, judge_buf_view(&text), &w);
}


size_t
judge_rows_read(judge_prose_t *p, const judge_lines_t *lines, size_t i)
{
    bool           ruled;
    size_t         k, next;
    judge_row_t    row;
    const char    *mark;
    judge_span_t   at;
    judge_rows_t  t;

    for (next = i + 1; next < lines->n
         && lines->line[next].kind == JUDGE_LINE_EMPTY
         && lines->line[next].at.from < lines->line[next].at.to; next++)
    { /* void: "|---|---|" */ }

    ruled = next > i + 1;

    for (mark = "\t|;,"; *mark; mark++) {
        t.mark = *mark;
        judge_row_read(lines->line[i].at, *mark, JUDGE_TABLE_COLUMNS, &t.head);
        judge_row_read(lines->line[next].at, *mark, t.head.n, &row);

        if (t.head.n > 1 && row.n == t.head.n
            && judge_rows_columns(&t, &row, ruled))
        {
            break;
        }
    }

    if (*mark == '\0') {
        return 0;
    }

    for (k = t.headed ? next : i; k < lines->n; k++) {
        at = lines->line[k].at;
        judge_row_read(at, *mark, t.head.n, &row);

        if (row.n > t.name && row.n > 1) {
            judge_rows_row(p, &t, &row);

        } else if (at.from == at.to || judge_span_words(at) > 0) {
            break;
        }
    }

    return k - i;
}
