/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What is wrong with the data, what to do about it, and what an import would
 * make of the rows.
 */


#include <math.h>
#include <string.h>

#include "analysis/columns/columns_table.h"


#define JUDGE_REPORT_RECORDS  5
#define JUDGE_REPORT_REPEATS  8        /* issues of one kind */

typedef struct {
    const judge_table_t  *table;
    judge_notes_t        *issues;
    judge_notes_t        *advice;
} judge_report_t;

/* Adds the issue of a column; false: the column has none. */
typedef bool (*judge_report_column_pt)(judge_report_t *r,
    const judge_column_stat_t *column, const char *name);


/* "1 row is", "2 rows are" */

static const char *
judge_report_count(const judge_report_t *r, size_t n, const char *what,
    const char *one, const char *more)
{
    judge_str_t  s;

    s = judge_str_printf(r->table->arena, "%zu %s%s %s", n, what,
                         (n == 1) ? "" : "s", (n == 1) ? one : more);

    return (s.data == NULL) ? "" : s.data;
}


static const char *
judge_report_quote(const judge_report_t *r, judge_str_t value)
{
    return judge_notes_quote(r->table->arena, value).data;
}


/* --- Issues of the file ------------------------------------------------ */


static void
judge_report_rows(judge_report_t *r)
{
    size_t                i, uneven, strays;
    uint64_t              line;
    const judge_table_t  *t;

    t = r->table;
    uneven = strays = 0;
    line = 0;

    for (i = 0; i < t->nrows; i++) {
        strays += (t->rows[i].flags
                   & (JUDGE_CSV_STRAY | JUDGE_CSV_UNCLOSED)) != 0;

        if (t->rows[i].nfields != t->ncolumns) {
            line = (uneven == 0) ? t->rows[i].line : line;
            uneven++;
        }
    }

    if (uneven > 0) {
        judge_notes_add(r->issues, "%s not %zu fields (first on line %llu).",
                        judge_report_count(r, uneven, "row", "has", "have"),
                        t->ncolumns, (unsigned long long) line);
        judge_notes_add(r->advice, "Put quotes around cells that contain the "
                        "delimiter or a line break, and fill missing cells "
                        "with nothing between delimiters.");
    }

    if (strays > 0) {
        judge_notes_add(r->issues, "%s quotation marks that are not closed "
                        "or not doubled.",
                        judge_report_count(r, strays, "row", "has", "have"));
    }

    if (t->cut) {
        judge_notes_add(r->issues, "The sample ends in the middle of a row, "
                        "which was left out.");
    }

    if (t->blank > 0) {
        judge_notes_add(r->issues, "%s empty.",
                        judge_report_count(r, t->blank, "row", "is", "are"));
    }

    if (t->repeated > 0) {
        judge_notes_add(r->issues, "%s of an earlier row (first on line "
                        "%llu).",
                        judge_report_count(r, t->repeated, "row",
                                           "is duplicate", "are duplicates"),
                        (unsigned long long) t->repeated_line);
        judge_notes_add(r->advice, "Remove duplicate rows, or they are "
                        "judged twice.");
    }
}


static void
judge_report_head(judge_report_t *r)
{
    size_t                i, k, unnamed;
    const judge_table_t  *t;

    t = r->table;
    unnamed = 0;

    if (t->total == 0) {
        judge_notes_add(r->issues, "There are no rows below the header.");
        judge_notes_add(r->advice, "Send some rows of data with the header: "
                        "columns are told by their values, too.");
    }

    if (t->sniff.dialect.skip_rows > 0) {
        judge_notes_add(r->issues, "%s skipped.",
                        judge_report_count(r, t->sniff.dialect.skip_rows,
                                           "row", "above the header was",
                                           "above the header were"));
    }

    if (!t->sniff.dialect.header) {
        judge_notes_add(r->issues, "There is no header row; columns are "
                        "named by their position.");
        judge_notes_add(r->advice, "Add a header row with the names of the "
                        "columns.");
        return;
    }

    for (i = 0; i < t->ncolumns; i++) {
        unnamed += !t->columns[i].named;

        for (k = 0; t->columns[i].named && k < i; k++) {
            if (judge_str_caseeq(t->columns[i].name, t->columns[k].name)) {
                judge_notes_add(r->issues, "The header has duplicate names: "
                                "\"%s\" in columns %zu and %zu.",
                                judge_report_quote(r, t->columns[i].name),
                                k + 1, i + 1);
                break;
            }
        }
    }

    if (unnamed > 0) {
        judge_notes_add(r->issues, "%s no name in the header.",
                        judge_report_count(r, unnamed, "column", "has",
                                           "have"));
    }
}


/* --- Issues of a column ------------------------------------------------ */


/* Some values of a column, and what to do about them. */

static bool
judge_report_values(judge_report_t *r, const char *name, size_t n,
    const char *one, const char *more, const char *advice)
{
    if (n > 0) {
        judge_notes_add(r->issues, "Column \"%s\": %s.", name,
                        judge_report_count(r, n, "value", one, more));
        judge_notes_add(r->advice, "%s", advice);
    }

    return n > 0;
}


static bool
judge_report_missing(judge_report_t *r, const judge_column_stat_t *c,
    const char *name)
{
    if (c->type == JUDGE_TYPE_EMPTY && r->table->nrows > 0) {
        judge_notes_add(r->issues, "Column \"%s\" is empty.", name);
        return true;
    }

    if (c->empty > 0) {
        judge_notes_add(r->issues, "Column \"%s\": %zu of %zu values %s "
                        "missing%s.", name, c->empty, c->filled + c->empty,
                        (c->empty == 1) ? "is" : "are",
                        (c->markers > 0) ? " (written as N/A or the like)"
                                         : "");
    }

    return c->empty > 0;
}


static bool
judge_report_mixed(judge_report_t *r, const judge_column_stat_t *c,
    const char *name)
{
    if (c->odd.data != NULL) {
        judge_notes_add(r->issues, "Column \"%s\" has mixed types: mostly "
                        "%s, but also \"%s\".", name,
                        judge_column_type_name(c->type),
                        judge_report_quote(r, c->odd));
    }

    return c->odd.data != NULL;
}


static bool
judge_report_dates(judge_report_t *r, const judge_column_stat_t *c,
    const char *name)
{
    size_t  dmy, mdy, dates, named;

    if (c->type != JUDGE_TYPE_DATE) {
        return false;
    }

    dates = c->kinds[JUDGE_VALUE_DATE];
    named = judge_column_flag(c, JUDGE_VALUE_NAMED);
    dmy = judge_column_flag(c, JUDGE_VALUE_DMY);
    mdy = judge_column_flag(c, JUDGE_VALUE_MDY);

    if (named == 0 && dmy > 0 && dmy == dates && mdy == dates) {
        judge_notes_add(r->issues, "Column \"%s\": dates may be day/month or "
                        "month/day; nothing in the sample decides.", name);

    } else if (judge_column_flag(c, JUDGE_VALUE_YMD) != dates
               && named != dates && dmy != dates && mdy != dates)
    {
        judge_notes_add(r->issues, "Column \"%s\": dates are written in "
                        "different ways.", name);

    } else {
        return false;
    }

    judge_notes_add(r->advice, "Write dates as YYYY-MM-DD.");

    return true;
}


static bool
judge_report_zeros(judge_report_t *r, const judge_column_stat_t *c,
    const char *name)
{
    if (judge_column_flag(c, JUDGE_VALUE_ZEROS) == 0
        || c->kinds[JUDGE_VALUE_INTEGER] * 2 < c->filled)
    {
        return false;
    }

    judge_notes_add(r->issues, "Column \"%s\" has codes with leading zeros; "
                    "read as numbers they would lose them.", name);

    return true;
}


static bool
judge_report_case(judge_report_t *r, const judge_column_stat_t *c,
    const char *name)
{
    if (c->type != JUDGE_TYPE_CATEGORY || c->folded == c->distinct) {
        return false;
    }

    judge_notes_add(r->issues, "Column \"%s\" has categories that differ "
                    "only in upper and lower case.", name);

    return true;
}


static bool
judge_report_damaged(judge_report_t *r, const judge_column_stat_t *c,
    const char *name)
{
    return judge_report_values(r, name, c->damaged,
                       "has characters damaged by a wrong encoding",
                       "have characters damaged by a wrong encoding",
                       "Export the file again as UTF-8.");
}


static bool
judge_report_formula(judge_report_t *r, const judge_column_stat_t *c,
    const char *name)
{
    return judge_report_values(r, name, c->formulas,
                               "looks like a formula of a spreadsheet",
                               "look like a formula of a spreadsheet",
                               "Replace formulas by their results.");
}


static bool
judge_report_html(judge_report_t *r, const judge_column_stat_t *c,
    const char *name)
{
    size_t  n;

    n = (c->html > c->entities) ? c->html : c->entities;

    if (n > 0) {
        judge_notes_add(r->issues, "Column \"%s\" has HTML in %zu value%s.",
                        name, n, (n == 1) ? "" : "s");
    }

    return n > 0;
}


/* --- What the mapping has to do with it -------------------------------- */


static const judge_column_t *
judge_report_mapped(const judge_columns_t *out, judge_column_field_e field)
{
    size_t  i;

    for (i = 0; i < out->ndetected; i++) {
        if (out->detected[i].field == field) {
            return &out->detected[i];
        }
    }

    return NULL;
}


static void
judge_report_unique(judge_report_t *r, const judge_columns_t *out,
    judge_column_field_e field)
{
    size_t                      again;
    const judge_column_t       *mapped;
    const judge_column_stat_t  *c;

    mapped = judge_report_mapped(out, field);

    if (mapped == NULL) {
        return;
    }

    c = &r->table->columns[mapped->index];

    if (c->twice.data == NULL || c->filled + c->markers <= c->distinct) {
        return;
    }

    again = c->filled + c->markers - c->distinct;

    judge_notes_add(r->issues, "Column \"%s\": %s of an earlier one, as "
                    "\"%s\".", judge_report_quote(r, c->name),
                    judge_report_count(r, again, "value", "is duplicate",
                                       "are duplicates"),
                    judge_report_quote(r, c->twice));

    if (field == JUDGE_COLUMN_ID) {
        judge_notes_add(r->advice, "Give every row an id of its own.");
    }
}


static void
judge_report_mapping(judge_report_t *r,
    const judge_columns_request_t *request, const judge_columns_t *out)
{
    int     field;
    size_t  i;

    for (field = 0; field < JUDGE_COLUMN_FIELDS; field++) {
        if ((request->expected & (1u << field)) == 0
            || judge_report_mapped(out, (judge_column_field_e) field) != NULL)
        {
            continue;
        }

        judge_notes_add(r->issues, "No column was found for %s.",
                        judge_column_fields[field].name);

        if (field == JUDGE_COLUMN_CONTENT) {
            judge_notes_add(r->advice, "Name the column that is to be judged "
                            "\"content\": without it nothing can be "
                            "imported.");
        }
    }

    for (i = 0; i < out->ndetected; i++) {
        if (out->detected[i].field != JUDGE_COLUMN_METADATA
            && out->detected[i].confidence < 0.6)
        {
            judge_notes_add(r->advice, "Check that \"%s\" is the %s: it is "
                            "not certain.",
                            judge_report_quote(r, out->detected[i].name),
                            judge_column_fields[out->detected[i].field]
                                .name);
        }
    }
}


void
judge_columns_issues(const judge_table_t *t,
    const judge_columns_request_t *request, const judge_columns_t *out,
    judge_notes_t *issues, judge_notes_t *advice)
{
    size_t           i, k, n;
    const char      *name;
    judge_report_t   r;
    static const judge_report_column_pt  checks[] = {
        judge_report_damaged, judge_report_mixed, judge_report_missing,
        judge_report_dates, judge_report_zeros, judge_report_case,
        judge_report_formula, judge_report_html
    };

    r = (judge_report_t) { t, issues, advice };

    if (t->sniff.columns > 1 && t->sniff.confidence < 0.6) {
        judge_notes_add(issues, "The rows are so uneven that the delimiter "
                        "is not certain.");
    }

    judge_report_mapping(&r, request, out);
    judge_report_head(&r);
    judge_report_rows(&r);
    judge_report_unique(&r, out, JUDGE_COLUMN_ID);
    judge_report_unique(&r, out, JUDGE_COLUMN_CONTENT);

    for (k = 0; k < sizeof(checks) / sizeof(checks[0]); k++) {
        n = 0;

        for (i = 0; i < t->ncolumns && n < JUDGE_REPORT_REPEATS; i++) {
            name = judge_report_quote(&r, t->columns[i].name);
            n += checks[k](&r, &t->columns[i], name);
        }
    }
}


/* --- Transformations --------------------------------------------------- */


static const char *
judge_report_date_form(const judge_column_stat_t *c)
{
    size_t  dates, dmy, mdy;

    dates = c->kinds[JUDGE_VALUE_DATE];
    dmy = judge_column_flag(c, JUDGE_VALUE_DMY);
    mdy = judge_column_flag(c, JUDGE_VALUE_MDY);

    if (judge_column_flag(c, JUDGE_VALUE_NAMED) > 0) {
        return "dates with names of months";
    }

    if (dmy == dates && mdy < dates) {
        return "dates from day/month/year";
    }

    if (mdy == dates && dmy < dates) {
        return "dates from month/day/year";
    }

    return "dates";
}


static void
judge_report_when(judge_notes_t *n, bool needed, const char *what)
{
    if (needed) {
        judge_notes_add(n, "%s", what);
    }
}


static void
judge_report_column(judge_notes_t *n, const judge_column_stat_t *c)
{
    bool  number, category;

    number = c->type == JUDGE_TYPE_NUMBER || c->type == JUDGE_TYPE_INTEGER;
    category = c->type == JUDGE_TYPE_CATEGORY;

    judge_report_when(n, judge_column_flag(c, JUDGE_VALUE_SPACED) > 0
                         && c->filled > 0, "trim spaces");
    judge_report_when(n, c->markers > 0,
                      "treat \"N/A\" and the like as missing");
    judge_report_when(n, number
                         && judge_column_flag(c, JUDGE_VALUE_CURRENCY) > 0,
                      "remove the currency sign");
    judge_report_when(n, number
                         && judge_column_flag(c, JUDGE_VALUE_PERCENT) > 0,
                      "remove the percent sign");
    judge_report_when(n, number
                         && judge_column_flag(c, JUDGE_VALUE_GROUPED) > 0,
                      "remove the separators of thousands");
    judge_report_when(n, number
                         && judge_column_flag(c, JUDGE_VALUE_COMMA) > 0,
                      "replace the decimal comma by a point");
    judge_report_when(n, c->type == JUDGE_TYPE_BOOLEAN
                         && judge_column_flag(c, JUDGE_VALUE_WORDS)
                            + judge_column_flag(c, JUDGE_VALUE_BIT) > 0,
                      "turn into true and false");

    if (c->type == JUDGE_TYPE_DATE
        && judge_column_flag(c, JUDGE_VALUE_ISO) < c->kinds[JUDGE_VALUE_DATE])
    {
        judge_notes_add(n, "convert %s to YYYY-MM-DD",
                        judge_report_date_form(c));
    }

    judge_report_when(n, c->type == JUDGE_TYPE_JSON, "parse as JSON");
    judge_report_when(n, c->html > 0, "strip HTML tags");
    judge_report_when(n, c->entities > 0, "decode HTML entities");
    judge_report_when(n, c->damaged > 0, "repair the encoding");
    judge_report_when(n, category && c->folded < c->distinct,
                      "make upper and lower case the same");
    judge_report_when(n, (c->type == JUDGE_TYPE_TEXT || category)
                         && judge_column_share(c, c->lists) >= 0.5,
                      "split into a list");
}


judge_rc_e
judge_columns_transform(const judge_table_t *t, judge_columns_t *out)
{
    size_t         i;
    judge_notes_t  notes;

    for (i = 0; i < out->ndetected; i++) {
        notes = (judge_notes_t) { .arena = t->arena };

        judge_report_column(&notes, &t->columns[out->detected[i].index]);

        if (notes.failed) {
            return JUDGE_NOMEM;
        }

        out->detected[i].transformations = notes.items;
        out->detected[i].ntransformations = notes.n;
    }

    return JUDGE_OK;
}


/* --- Preview ----------------------------------------------------------- */


static bool
judge_report_missing_cell(judge_str_t cell)
{
    unsigned  flags;

    return judge_value_type_of(cell, &flags) == JUDGE_VALUE_MISSING;
}


/* Whether an import takes the row: whole, and with something to judge. */

static bool
judge_report_imports(const judge_table_row_t *row, const judge_table_t *t,
    const judge_columns_request_t *request, const judge_columns_t *out)
{
    size_t                i, filled;
    judge_str_t           cell;
    const judge_column_t *column;

    if (row->nfields > t->ncolumns
        || (row->flags & JUDGE_CSV_UNCLOSED) != 0)
    {
        return false;
    }

    filled = 0;

    for (i = 0; i < out->ndetected; i++) {
        column = &out->detected[i];
        cell = row->cells[column->index];

        if (!judge_report_missing_cell(cell)) {
            filled++;

        } else if (column->field == JUDGE_COLUMN_CONTENT
                   || column->field == JUDGE_COLUMN_ID)
        {
            return false;
        }
    }

    return filled > 0
           && ((request->expected & (1u << JUDGE_COLUMN_CONTENT)) == 0
               || judge_report_mapped(out, JUDGE_COLUMN_CONTENT) != NULL);
}


static judge_rc_e
judge_report_record(const judge_table_t *t, const judge_table_row_t *row,
    const judge_columns_t *out, judge_column_record_t *record)
{
    size_t                 i;
    judge_str_t            cell;
    judge_column_value_t  *value;

    record->fields = judge_array_alloc(t->arena, out->ndetected + 1,
                                       sizeof(judge_column_value_t));
    record->metadata = judge_array_alloc(t->arena, out->ndetected + 1,
                                         sizeof(judge_column_value_t));
    if (record->fields == NULL || record->metadata == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < out->ndetected; i++) {
        cell = judge_value_type_trim(row->cells[out->detected[i].index]);

        if (judge_report_missing_cell(cell)) {
            continue;
        }

        if (out->detected[i].field == JUDGE_COLUMN_METADATA) {
            value = &record->metadata[record->nmetadata++];
            value->name = out->detected[i].name;

        } else {
            value = &record->fields[record->nfields++];
            value->name = judge_str_c(
                judge_column_fields[out->detected[i].field].name);
        }

        value->value = cell;
    }

    return JUDGE_OK;
}


judge_rc_e
judge_columns_preview(const judge_table_t *t,
    const judge_columns_request_t *request, judge_columns_t *out)
{
    size_t      i, good;
    judge_rc_e  rc;

    good = 0;

    out->records = judge_array_alloc(t->arena, JUDGE_REPORT_RECORDS,
                                     sizeof(judge_column_record_t));
    if (out->records == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->nrows; i++) {
        if (!judge_report_imports(&t->rows[i], t, request, out)) {
            continue;
        }

        good++;

        if (out->nrecords < JUDGE_REPORT_RECORDS) {
            rc = judge_report_record(t, &t->rows[i], out,
                                     &out->records[out->nrecords++]);
            if (rc != JUDGE_OK) {
                return rc;
            }
        }
    }

    if (t->nrows > 0) {
        out->success_rate = floor(100 * (double) good / (double) t->nrows)
                            / 100;
    }

    return JUDGE_OK;
}
