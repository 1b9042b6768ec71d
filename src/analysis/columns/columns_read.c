/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reading the sample: its cells, and per column what they are.
 */


#include <math.h>

#include "base/core/hash.h"
#include "base/text/ascii.h"
#include "analysis/columns/columns_table.h"
#include "analysis/features/feature.h"


#define JUDGE_TABLE_CELLS   200000     /* further rows are only counted */


/* The scores are for content, title, description, category, metadata, id. */

const judge_column_type_t  judge_column_types[JUDGE_TYPES] = {
    [JUDGE_TYPE_EMPTY] = { "empty", { 0 } },
    [JUDGE_VALUE_INTEGER] = { "integer",
                              { 0.00, 0.02, 0.00, 0.40, 0.30, 0.95 } },
    [JUDGE_VALUE_NUMBER] = { "number",
                             { 0.00, 0.02, 0.00, 0.00, 0.30, 0.00 } },
    [JUDGE_VALUE_BOOLEAN] = { "boolean",
                              { 0.00, 0.02, 0.00, 0.40, 0.30, 0.00 } },
    [JUDGE_VALUE_DATE] = { "date", { 0.00, 0.02, 0.00, 0.00, 0.30, 0.00 } },
    [JUDGE_VALUE_URL] = { "url", { 0.10, 0.02, 0.00, 0.00, 0.30, 0.30 } },
    [JUDGE_VALUE_EMAIL] = { "email", { 0.00, 0.02, 0.00, 0.00, 0.30, 0.10 } },
    [JUDGE_VALUE_JSON] = { "json", { 0.25, 0.02, 0.00, 0.00, 1.00, 0.10 } },
    [JUDGE_TYPE_CATEGORY] = { "category",
                              { 0.15, 0.35, 0.25, 1.00, 0.30, 0.10 } },
    [JUDGE_TYPE_WORD] = { "text", { 0.25, 0.50, 0.40, 0.60, 0.30, 1.00 } },
    [JUDGE_TYPE_TEXT] = { "text", { 1.00, 0.90, 0.70, 0.40, 0.30, 0.20 } },
    [JUDGE_TYPE_LONG_TEXT] = { "long_text",
                               { 1.00, 0.20, 0.80, 0.00, 0.30, 0.00 } }
};

const judge_column_mark_t  judge_column_marks[JUDGE_COLUMN_MARKS] = {
    { JUDGE_CELL_DAMAGED, true, "repair the encoding",
      "characters damaged by a wrong encoding",
      "Export the file again as UTF-8." },
    { JUDGE_CELL_HTML, true, "strip HTML", "HTML", NULL },
    { JUDGE_VALUE_SPACED, true, "trim spaces", NULL, NULL },
    { JUDGE_VALUE_MARKER, true, "treat \"N/A\" and the like as missing", NULL,
      NULL },
    { JUDGE_VALUE_CURRENCY | JUDGE_VALUE_PERCENT | JUDGE_VALUE_GROUPED
      | JUDGE_VALUE_COMMA, false, "write numbers as 1234.5", NULL, NULL },
    { JUDGE_VALUE_WORDS, false, "turn into true and false", NULL, NULL },
    { JUDGE_VALUE_DMY | JUDGE_VALUE_MDY, false, "convert dates to YYYY-MM-DD",
      NULL, NULL }
};


static judge_rc_e
judge_table_header(judge_table_t *t, const judge_csv_row_t *row)
{
    size_t                i;
    judge_column_stat_t  *column;

    t->ncolumns = t->sniff.columns;

    if (t->sniff.dialect.header && row->nfields > t->ncolumns) {
        t->ncolumns = row->nfields;
    }

    t->columns = judge_array_alloc(t->arena, t->ncolumns,
                                   sizeof(judge_column_stat_t));
    if (t->columns == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->ncolumns; i++) {
        column = &t->columns[i];

        if (t->sniff.dialect.header && i < row->nfields) {
            column->name = judge_value_type_trim(row->fields[i]);
            column->named = column->name.len > 0;
        }

        column->name = column->named
                       ? judge_str_dup(t->arena, column->name)
                       : judge_str_printf(t->arena, "column_%zu", i + 1);

        if (column->name.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    return JUDGE_OK;
}


/* --- What is in a cell ------------------------------------------------- */

static void
judge_table_tally(judge_tally_t *tally, const judge_table_row_t *row)
{
    if (tally->n++ == 0) {
        tally->first = row;
    }
}


static unsigned
judge_table_bits(judge_str_t s)
{
    size_t    i;
    unsigned  bits;
    static const struct {
        const char  *text;
        unsigned     bit;
    } parts[] = {
        { "</", JUDGE_CELL_HTML }, { "/>", JUDGE_CELL_HTML },
        { "<br", JUDGE_CELL_HTML }, { "<p>", JUDGE_CELL_HTML },
        { "&amp;", JUDGE_CELL_HTML }, { "&quot;", JUDGE_CELL_HTML },
        { "&#", JUDGE_CELL_HTML }, { "&lt;", JUDGE_CELL_HTML },
        { "&nbsp;", JUDGE_CELL_HTML },

        /* U+FFFD; "Ã©", "â€™": bytes of UTF-8 that somebody read as
         * Windows-1252 */

        { "\xef\xbf\xbd", JUDGE_CELL_DAMAGED },
        { "\xc3\x83\xc2", JUDGE_CELL_DAMAGED },
        { "\xc3\xa2\xe2\x82\xac", JUDGE_CELL_DAMAGED }
    };

    for (i = 0, bits = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (judge_str_find(s, judge_str_c(parts[i].text))) {
            bits |= parts[i].bit;
        }
    }

    return bits;
}


static void
judge_table_count(const judge_value_types_t *types,
    judge_column_stat_t *column, const judge_table_row_t *row,
    judge_str_t cell)
{
    bool                in;
    size_t              i, words;
    unsigned            bits;
    judge_value_type_e  kind;

    kind = judge_value_type_of(types, cell, &bits);
    cell = judge_value_type_trim(cell);
    bits |= judge_table_bits(cell);

    for (i = 0; i < JUDGE_COLUMN_MARKS; i++) {
        if (bits & judge_column_marks[i].bits) {
            judge_table_tally(&column->marks[i], row);
        }
    }

    /* a code like 00123 is no number, though it looks like one */

    if (kind == JUDGE_VALUE_INTEGER && (bits & JUDGE_VALUE_ZEROS)) {
        kind = JUDGE_VALUE_TEXT;
    }

    judge_table_tally(&column->kinds[kind], row);

    if (kind == JUDGE_VALUE_MISSING) {
        return;
    }

    in = false;

    for (i = 0, words = 0; i < cell.len; i++) {
        words += !in && (unsigned char) cell.data[i] > ' ';
        in = (unsigned char) cell.data[i] > ' ';
    }

    column->filled++;
    column->single += words == 1;
    column->words += words;
    column->bytes += cell.len;
}


static judge_rc_e
judge_table_keep(judge_table_t *t, const judge_csv_row_t *row)
{
    size_t              i;
    judge_table_row_t  *kept;

    kept = judge_calloc(t->arena, sizeof(judge_table_row_t)
                                  + t->ncolumns * sizeof(judge_str_t));
    if (kept == NULL) {
        return JUDGE_NOMEM;
    }

    kept->line = row->line;
    kept->broken = row->nfields != t->ncolumns
                   || (row->flags & JUDGE_CSV_UNCLOSED) != 0;

    if (kept->broken) {
        judge_table_tally(&t->broken, kept);
    }

    for (i = 0; i < t->ncolumns && i < row->nfields; i++) {
        kept->cells[i] = judge_str_dup(t->arena, row->fields[i]);

        if (kept->cells[i].data == NULL) {
            return JUDGE_NOMEM;
        }

        judge_table_count(&t->types, &t->columns[i], kept,
                          kept->cells[i]);
    }

    *(t->last ? &t->last->next : &t->rows) = kept;
    t->last = kept;
    t->nrows++;

    return JUDGE_OK;
}


static judge_rc_e
judge_table_row(void *data, const judge_csv_row_t *row)
{
    judge_rc_e      rc;
    judge_table_t  *t = data;

    if (t->columns == NULL) {
        rc = judge_table_header(t, row);

        if (rc != JUDGE_OK || t->sniff.dialect.header) {
            return rc;
        }
    }

    t->total++;

    /* a sample is often cut by bytes, and so is its last row */

    if ((row->flags & JUDGE_CSV_LAST) != 0 && t->total > 1
        && ((row->flags & JUDGE_CSV_UNCLOSED) != 0
            || row->nfields < t->ncolumns))
    {
        return JUDGE_OK;
    }

    return ((t->nrows + 1) * t->ncolumns > JUDGE_TABLE_CELLS)
           ? JUDGE_OK : judge_table_keep(t, row);
}


/* --- What is in a column ----------------------------------------------- */

/* Counts the distinct values of a column and notes rows whose value came
 * before.  Where many hashes crowd in the set, some values are not recognized
 * when they come again. */

static judge_rc_e
judge_table_values(const judge_table_t *t, size_t column)
{
    size_t                    i;
    uint64_t                  hash;
    judge_str_t               cell;
    judge_hash_set_t          seen;
    judge_column_stat_t      *c = &t->columns[column];
    const judge_table_row_t  *row;

    if (judge_hash_set_create(&seen, t->arena, t->nrows) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    for (row = t->rows; row != NULL; row = row->next) {
        cell = judge_value_type_trim(row->cells[column]);

        for (i = 0, hash = JUDGE_FNV_START; i < cell.len; i++) {
            hash = judge_fnv_byte(hash, (unsigned char)
                                  judge_ascii_lower(cell.data[i]));
        }

        if (cell.len == 0) {
            continue;
        }

        if (judge_hash_set_add(&seen, hash | 1)) {    /* 0 is none */
            c->distinct++;

        } else {
            judge_table_tally(&c->again, row);
        }
    }

    return JUDGE_OK;
}


/* Returns the type of a column: that of three quarters of its cells, or a kind
 * of text. */

static size_t
judge_table_type(const judge_column_stat_t *c)
{
    size_t  kind;
    double  bytes, words;

    if (c->filled == 0) {
        return JUDGE_TYPE_EMPTY;
    }

    if (c->kinds[JUDGE_VALUE_NUMBER].n > 0
        && (c->kinds[JUDGE_VALUE_NUMBER].n + c->kinds[JUDGE_VALUE_INTEGER].n)
           * 4 >= c->filled * 3)
    {
        return JUDGE_VALUE_NUMBER;
    }

    for (kind = JUDGE_VALUE_INTEGER; kind < JUDGE_VALUE_TEXT; kind++) {
        if (c->kinds[kind].n * 4 >= c->filled * 3) {
            return kind;
        }
    }

    bytes = judge_column_share(c, c->bytes);
    words = judge_column_share(c, c->words);

    if (bytes >= 80 || words >= 12) {
        return JUDGE_TYPE_LONG_TEXT;
    }

    /* a category has few values, which come again and again */

    if (c->filled >= 3 && bytes <= 40 && words <= 4 && c->distinct <= 50
        && c->distinct * 3 <= c->filled * 2)
    {
        return JUDGE_TYPE_CATEGORY;
    }

    return (c->single * 5 >= c->filled * 4) ? JUDGE_TYPE_WORD
                                           : JUDGE_TYPE_TEXT;
}


static judge_rc_e
judge_table_measure(judge_table_t *t)
{
    size_t                i;
    judge_column_stat_t  *column;

    for (i = 0; i < t->ncolumns; i++) {
        column = &t->columns[i];

        if (judge_table_values(t, i) != JUDGE_OK) {
            return JUDGE_NOMEM;
        }

        column->type = judge_table_type(column);
        t->longest = fmax(t->longest,
                          judge_column_share(column, column->bytes));
    }

    return JUDGE_OK;
}


judge_rc_e
judge_table_read(judge_table_t *t, judge_str_t sample, judge_str_t *error)
{
    judge_rc_e    rc = judge_csv_sniff(sample, &t->sniff);
    judge_str_t   why;
    judge_csv_t  *csv;

    if (rc == JUDGE_OK) {
        rc = judge_value_types_init(&t->types, t->arena);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    csv = judge_csv_create(&t->sniff.dialect, NULL, judge_table_row, t);
    if (csv == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_csv_feed(csv, sample);
    if (rc == JUDGE_OK) {
        rc = judge_csv_finish(csv);
    }

    if (rc == JUDGE_INVALID) {
        why = judge_csv_error(csv);
        *error = judge_str_printf(t->arena, "csv_sample: %.*s",
                                  judge_str_args(why));
        rc = (error->data == NULL) ? JUDGE_NOMEM : rc;
    }

    judge_csv_free(csv);

    return (rc == JUDGE_OK) ? judge_table_measure(t) : rc;
}
