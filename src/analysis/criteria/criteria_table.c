/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Tables of criteria, and lists that are a scale of scores.
 */


#include "analysis/criteria/criteria_parts.h"


#define JUDGE_LIST_CELLS  12           /* columns of a table */


/* "5 - excellent", "4 - good", ... are classes of scores, not criteria: how
 * many items from this one on. */

size_t
judge_parse_scale(judge_parse_ctx_t *p, size_t b)
{
    size_t    n, i;
    double    value, top, values[16];
    unsigned  level, levels[16];

    top = 0;

    for (n = 0; b + n < p->nblocks && n < 16
                && p->blocks[b + n].kind != JUDGE_P_HEADING
                && p->blocks[b + n].kind != JUDGE_P_ROW; n++)
    {
        if (!judge_parse_level(p, p->blocks[b + n].span, &level, &value)
            || (p->tokens[p->blocks[b + n].span.from].kind
                != JUDGE_P_NUMBER
                && p->blocks[b + n].span.to - p->blocks[b + n].span.from
                   > 8))
        {
            break;
        }

        values[n] = value;
        levels[n] = level;
        top = (value > top) ? value : top;
    }

    if (n < 3) {
        return 0;
    }

    for (i = 0; i < n; i++) {
        /* stars and grades of five or ten are read as hundredths */

        if (p->levels[levels[i]] < 0) {
            p->levels[levels[i]] = (top > 10) ? values[i]
                                   : (values[i] - 0.5) / top * 100;
        }
    }

    return n;
}


static size_t
judge_list_cells(const judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_span_t *cells)
{
    size_t  i, n, from;

    n = 0;
    from = span.from + judge_parse_mark(&p->tokens[span.from], '|');

    for (i = from; i <= span.to && n < JUDGE_LIST_CELLS; i++) {
        if (i == span.to || judge_parse_mark(&p->tokens[i], '|')) {
            if (i == span.to && from == span.to) {
                break;
            }

            cells[n++] = (judge_parse_span_t) { from, i };
            from = i + 1;
        }
    }

    return n;
}


size_t
judge_parse_row(judge_parse_ctx_t *p, judge_parse_span_t span, bool first)
{
    size_t              i, n, at;
    judge_parse_cue_t   cue;
    judge_parse_span_t  cells[JUDGE_LIST_CELLS], name, cell;

    n = judge_list_cells(p, span, cells);
    name = (n == 0) ? span : judge_parse_trim(p, cells[0]);

    /* the names of the columns, and the line of dashes below them */

    if (n == 0 || name.from >= name.to
        || (first && (judge_parse_phrase(p->tokens, name.from, name.to,
                                         "criterion") > 0
                      || judge_parse_phrase(p->tokens, name.from, name.to,
                                            "criteria") > 0
                      || judge_parse_phrase(p->tokens, name.from, name.to,
                                            "name") > 0
                      || !judge_parse_has_quality(p, name.from, name.to))))
    {
        return 0;
    }

    at = judge_parse_add(p, name, JUDGE_P_LABELLED);

    for (i = 1; at != JUDGE_PARSE_FOUND && i < n; i++) {
        cell = judge_parse_trim(p, cells[i]);

        if (cell.from >= cell.to) {
            continue;
        }

        (void) judge_parse_take(p, cell, &cue);

        if (cell.to - cell.from <= 2
            && (cue.any
                || p->tokens[cell.from].kind == JUDGE_P_NUMBER))
        {
            if (!cue.any) {
                cue.points = p->tokens[cell.from].number;
                cue.any = cue.points > 0;
            }

            judge_parse_apply(p, at, &cue);
            continue;
        }

        judge_parse_statements(p, at, cell);
    }

    return at != JUDGE_PARSE_FOUND;
}
