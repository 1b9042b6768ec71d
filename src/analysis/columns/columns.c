/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The columns of a sample, step by step: what an import would make of its
 * rows, and what is wrong with the data, in sentences.
 */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/columns/columns_table.h"


#define JUDGE_COLUMNS_QUOTE  40        /* bytes of a value in a sentence */

typedef struct {
    const judge_table_t            *table;
    const judge_columns_request_t  *request;
    judge_columns_t                *out;
    bool                            failed;
} judge_report_t;


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


/* --- What an import would make of the rows ----------------------------- */

/* Makes the record of the row, if an import takes it: whole, with something to
 * judge, and no field longer than it may be. */

static bool
judge_columns_record(const judge_report_t *r, const judge_table_row_t *row,
    judge_str_t *record)
{
    bool                   content;
    size_t                 i, max;
    unsigned               flags;
    judge_str_t            cell;
    const judge_column_t  *column;

    content = (r->request->expected & (1u << JUDGE_COLUMN_CONTENT)) == 0;

    for (i = 0; i < r->out->ndetected; i++) {
        column = &r->out->detected[i];
        cell = judge_value_type_trim(row->cells[column->index]);
        max = judge_column_fields[column->field].max;
        record[i] = (judge_str_t) { 0, NULL };

        if (max > 0 && judge_utf8_length(cell) > max) {
            return false;
        }

        if (judge_value_type_of(&r->table->types, cell, &flags)
            != JUDGE_VALUE_MISSING)
        {
            content |= column->field == JUDGE_COLUMN_CONTENT;
            record[i] = cell;
        }
    }

    return content && !row->broken;
}


static judge_rc_e
judge_columns_preview(const judge_report_t *r)
{
    size_t                    good = 0;
    judge_str_t              *record = NULL;
    judge_columns_t          *out = r->out;
    const judge_table_row_t  *row;

    for (row = r->table->rows; row != NULL; row = row->next) {
        if (record == NULL) {
            record = judge_array_alloc(r->table->arena, out->ndetected,
                                       sizeof(judge_str_t));
            if (record == NULL) {
                return JUDGE_NOMEM;
            }
        }

        if (judge_columns_record(r, row, record)
            && good++ < JUDGE_COLUMNS_RECORDS)
        {
            out->records[out->nrecords++] = record;
            record = NULL;
        }
    }

    out->success_rate = (r->table->nrows == 0) ? 0
                        : floor(100 * (double) good
                                / (double) r->table->nrows) / 100;

    return JUDGE_OK;
}


/* --- What is wrong ----------------------------------------------------- */

/* Adds a sentence, unless it is there already or there are enough. */

__attribute__((format(printf, 3, 4)))
static void
judge_report_add(judge_report_t *r, judge_column_notes_t *notes,
    const char *fmt, ...)
{
    va_list      args;
    judge_buf_t  line;

    judge_buf_init(&line, r->table->arena);
    va_start(args, fmt);
    judge_buf_vprintf(&line, fmt, args);
    va_end(args);

    r->failed |= line.failed;

    if (notes->n < JUDGE_COLUMNS_NOTES
        && judge_str_index(notes->items, notes->n, judge_buf_view(&line))
           == notes->n)
    {
        notes->items[notes->n++] = judge_buf_view(&line);
    }
}


static judge_str_t
judge_report_quote(judge_str_t value)
{
    size_t  n;

    value = judge_value_type_trim(value);

    for (n = 0; n < value.len && n < JUDGE_COLUMNS_QUOTE
                && (unsigned char) value.data[n] >= ' '; n++) { /* void */ }

    return judge_utf8_prefix(value, n);
}


static void
judge_report_file(judge_report_t *r, unsigned missing)
{
    int                    field;
    judge_column_notes_t  *issues = &r->out->issues, *advice;
    const judge_table_t   *t = r->table;

    advice = &r->out->recommendations;

    for (field = 0; field < JUDGE_COLUMN_FIELDS; field++) {
        if (missing & (1u << field)) {
            judge_report_add(r, issues, "No column was found for %s.",
                             judge_column_fields[field].name);
        }
    }

    if (missing & (1u << JUDGE_COLUMN_CONTENT)) {
        judge_report_add(r, advice, "Name the column that is to be judged "
                         "\"content\": without it nothing can be imported.");
    }

    if (!t->sniff.dialect.header) {
        judge_report_add(r, issues, "There is no header row; columns are "
                         "named by their position.");
        judge_report_add(r, advice, "Add a header row with the names of the "
                         "columns.");
    }

    if (t->broken.n > 0) {
        judge_report_add(r, issues, "Not %zu fields, or quotation marks that "
                         "are not closed, in %zu of %zu rows, first on line "
                         "%llu.", t->ncolumns, t->broken.n, t->nrows,
                         (unsigned long long) t->broken.first->line);
        judge_report_add(r, advice, "Put quotes around cells that contain the "
                         "delimiter or a line break, and fill missing cells "
                         "with nothing between delimiters.");
    }
}


static void
judge_report_cells(judge_report_t *r, const judge_column_t *column,
    const judge_tally_t *cells, const char *what)
{
    judge_str_t  name, value;

    if (cells->n > 0) {
        name = judge_report_quote(column->name);
        value = judge_report_quote(cells->first->cells[column->index]);
        judge_report_add(r, &r->out->issues, "Column \"%.*s\": %s in %zu of "
                         "%zu rows, first on line %llu: \"%.*s\".",
                         judge_str_args(name), what, cells->n, r->table->nrows,
                         (unsigned long long) cells->first->line,
                         (int) value.len, value.len ? value.data : "");
    }
}


static void
judge_report_marks(judge_report_t *r, judge_column_t *column)
{
    size_t                      i;
    const judge_column_mark_t  *mark;
    const judge_column_stat_t  *c = &r->table->columns[column->index];

    for (i = 0; i < JUDGE_COLUMN_MARKS; i++) {
        mark = &judge_column_marks[i];

        if (c->marks[i].n == 0
            || (!mark->text && c->type >= JUDGE_VALUE_TEXT))
        {
            continue;
        }

        if (r->request->suggest_transformations) {
            column->transformations[column->ntransformations++] =
                judge_str_c(mark->transformation);
        }

        if (mark->issue != NULL) {
            judge_report_cells(r, column, &c->marks[i], mark->issue);
        }

        if (mark->advice != NULL) {
            judge_report_add(r, &r->out->recommendations, "%s", mark->advice);
        }
    }
}


static void
judge_report_column(judge_report_t *r, judge_column_t *column)
{
    size_t                      kind;
    judge_str_t                 name, rival;
    judge_column_notes_t       *advice = &r->out->recommendations;
    const judge_column_stat_t  *c = &r->table->columns[column->index];

    judge_report_marks(r, column);
    judge_report_cells(r, column, &c->kinds[JUDGE_VALUE_MISSING], "no value");

    for (kind = JUDGE_VALUE_INTEGER;
         c->type < JUDGE_VALUE_TEXT && kind < JUDGE_VALUE_KINDS; kind++)
    {
        if (kind != c->type && (c->type != JUDGE_VALUE_NUMBER
                                || kind != JUDGE_VALUE_INTEGER))
        {
            judge_report_cells(r, column, &c->kinds[kind], "another type");
        }
    }

    if ((column->field == JUDGE_COLUMN_ID
         || column->field == JUDGE_COLUMN_CONTENT) && c->again.n > 0)
    {
        judge_report_cells(r, column, &c->again, "a value that came before");
        judge_report_add(r, advice, "Remove rows that come again, or they are "
                         "judged twice.");
    }

    name = judge_report_quote(column->name);

    if (c->rival != NULL) {
        rival = judge_report_quote(c->rival->name);
        judge_report_add(r, &r->out->issues, "Columns \"%.*s\" and \"%.*s\" "
                         "could both be the %s; the first was taken.",
                         judge_str_args(name), judge_str_args(rival),
                         judge_column_fields[column->field].name);
    }

    if (column->field != JUDGE_COLUMN_METADATA && column->confidence < 0.6) {
        judge_report_add(r, advice, "Check that \"%.*s\" is the %s: it is not "
                         "certain.", judge_str_args(name),
                         judge_column_fields[column->field].name);
    }
}


judge_rc_e
judge_columns_detect(judge_arena_t *arena,
    const judge_columns_request_t *request, judge_columns_t *out,
    judge_str_t *error)
{
    size_t          i;
    unsigned        missing;
    judge_rc_e      rc;
    judge_str_t     why;
    judge_table_t   table = { .arena = arena };
    judge_report_t  r = { &table, request, out, false };

    memset(out, 0, sizeof(judge_columns_t));
    error = (error == NULL) ? &why : error;

    rc = judge_columns_check(arena, request->csv_sample, error);

    if (rc == JUDGE_OK) {
        rc = judge_table_read(&table, request->csv_sample, error);
    }

    if (rc == JUDGE_OK) {
        out->sniff = table.sniff;
        out->estimated_rows = table.total;
        rc = judge_columns_map(&table, request, out);
    }

    if (rc == JUDGE_OK) {
        rc = judge_columns_preview(&r);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    for (i = 0, missing = request->expected; i < out->ndetected; i++) {
        missing &= ~(1u << out->detected[i].field);
    }

    judge_report_file(&r, missing);

    for (i = 0; i < out->ndetected; i++) {
        judge_report_column(&r, &out->detected[i]);
    }

    return r.failed ? JUDGE_NOMEM : JUDGE_OK;
}
