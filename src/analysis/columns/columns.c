/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The columns of a sample, step by step, and what an import would make of its
 * rows.
 */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/columns/columns_table.h"


#define JUDGE_COLUMNS_RECORDS  5


static judge_rc_e
judge_columns_check(judge_arena_t *arena, judge_str_t sample,
    judge_str_t *error)
{
    const char  *why;

    if (sample.len > JUDGE_COLUMNS_SAMPLE_MAX) {
        why = "expected at most 1048576 bytes";

    } else if (judge_value_type_trim(sample).len == 0) {
        why = "expected a header or rows";

    } else if (memchr(sample.data, 0, sample.len) != NULL) {
        why = "expected text without zero bytes";

    } else if (judge_utf8_check(sample) < sample.len) {
        why = "expected UTF-8";

    } else {
        return JUDGE_OK;
    }

    *error = judge_str_printf(arena, "csv_sample: %s", why);

    return (error->data == NULL) ? JUDGE_NOMEM : JUDGE_INVALID;
}


/* Whether an import takes the row: whole, and with something to judge. */

static bool
judge_columns_imports(const judge_table_t *t, const judge_table_row_t *row,
    const judge_columns_request_t *request, const judge_columns_t *out)
{
    size_t                 i, filled;
    const judge_column_t  *column;

    if (row->nfields > t->ncolumns
        || (row->flags & JUDGE_CSV_UNCLOSED) != 0)
    {
        return false;
    }

    for (i = 0, filled = 0; i < out->ndetected; i++) {
        column = &out->detected[i];

        if (!judge_table_missing(row->cells[column->index])) {
            filled++;

        } else if (column->field == JUDGE_COLUMN_CONTENT
                   || column->field == JUDGE_COLUMN_ID)
        {
            return false;
        }
    }

    return filled > 0
           && ((request->expected & (1u << JUDGE_COLUMN_CONTENT)) == 0
               || judge_columns_mapped(out, JUDGE_COLUMN_CONTENT) != NULL);
}


static judge_str_t *
judge_columns_record(const judge_table_t *t, const judge_table_row_t *row,
    const judge_columns_t *out)
{
    size_t        i;
    judge_str_t   cell, *values;

    values = judge_array_alloc(t->arena, out->ndetected, sizeof(judge_str_t));

    for (i = 0; values != NULL && i < out->ndetected; i++) {
        cell = row->cells[out->detected[i].index];

        if (!judge_table_missing(cell)) {
            values[i] = judge_value_type_trim(cell);
        }
    }

    return values;
}


static judge_rc_e
judge_columns_preview(const judge_table_t *t,
    const judge_columns_request_t *request, judge_columns_t *out)
{
    size_t                    good;
    judge_str_t              *record;
    const judge_table_row_t  *row;

    good = 0;
    out->records = judge_array_alloc(t->arena, JUDGE_COLUMNS_RECORDS,
                                     sizeof(judge_str_t *));
    if (out->records == NULL) {
        return JUDGE_NOMEM;
    }

    for (row = t->rows; row != NULL; row = row->next) {
        if (!judge_columns_imports(t, row, request, out)) {
            continue;
        }

        good++;

        if (out->nrecords < JUDGE_COLUMNS_RECORDS) {
            record = judge_columns_record(t, row, out);
            if (record == NULL) {
                return JUDGE_NOMEM;
            }

            out->records[out->nrecords++] = record;
        }
    }

    if (t->nrows > 0) {
        out->success_rate = floor(100 * (double) good / (double) t->nrows)
                            / 100;
    }

    return JUDGE_OK;
}


judge_rc_e
judge_columns_detect(judge_arena_t *arena,
    const judge_columns_request_t *request, judge_columns_t *out,
    judge_str_t *error)
{
    judge_rc_e     rc;
    judge_str_t    why;
    judge_table_t  table = { .arena = arena };
    judge_notes_t  issues = { .arena = arena }, advice = issues;

    memset(out, 0, sizeof(judge_columns_t));
    error = (error == NULL) ? &why : error;

    rc = judge_columns_check(arena, request->csv_sample, error);

    if (rc == JUDGE_OK) {
        rc = judge_table_read(&table, request->csv_sample, error);
    }

    if (rc == JUDGE_OK) {
        out->sniff = table.sniff;
        out->estimated_rows = table.total;
        rc = judge_columns_map(&table, request, out, &issues);
    }

    if (rc == JUDGE_OK) {
        rc = judge_columns_preview(&table, request, out);
    }

    if (rc == JUDGE_OK && request->suggest_transformations) {
        rc = judge_columns_transform(&table, out);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_columns_issues(&table, request, out, &issues, &advice);

    out->issues = issues.items;
    out->nissues = issues.n;
    out->recommendations = advice.items;
    out->nrecommendations = advice.n;

    return (issues.failed || advice.failed) ? JUDGE_NOMEM : JUDGE_OK;
}
