/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What is wrong with the data, and what to do about it. */


#include "analysis/columns/columns_table.h"


typedef struct {
    const judge_table_t  *table;
    judge_notes_t        *issues;
    judge_notes_t        *advice;
} judge_report_t;

/* Values that an import or a person has to do something about; NULL: there is
 * nothing to say. */

#define judge_type(type)      (1u << JUDGE_TYPE_##type)
#define JUDGE_REPORT_NUMBERS  (judge_type(INTEGER) | judge_type(NUMBER))

static const struct {
    unsigned     bits;
    unsigned     types;                /* of columns; 0: of any */
    const char  *transformation;
    const char  *issue;                /* behind "has N values" */
    const char  *advice;
} judge_report_marks[] = {
    { JUDGE_CELL_DAMAGED, 0, "repair the encoding",
      "with characters damaged by a wrong encoding",
      "Export the file again as UTF-8." },
    { JUDGE_CELL_FORMULA, 0, NULL, "that may be formulas of a spreadsheet",
      "Replace formulas by their results." },
    { JUDGE_CELL_HTML, 0, "strip HTML tags", "with HTML tags", NULL },
    { JUDGE_CELL_ENTITY, 0, "decode HTML entities", "with HTML entities",
      NULL },
    { JUDGE_VALUE_SPACED, 0, "trim spaces", NULL, NULL },
    { JUDGE_VALUE_MARKER, 0, "treat \"N/A\" and the like as missing", NULL,
      NULL },
    { JUDGE_VALUE_CURRENCY, JUDGE_REPORT_NUMBERS, "remove the currency sign",
      NULL, NULL },
    { JUDGE_VALUE_PERCENT, JUDGE_REPORT_NUMBERS, "remove the percent sign",
      NULL, NULL },
    { JUDGE_VALUE_GROUPED, JUDGE_REPORT_NUMBERS,
      "remove the separators of thousands", NULL, NULL },
    { JUDGE_VALUE_COMMA, JUDGE_REPORT_NUMBERS,
      "replace the decimal comma by a point", NULL, NULL },
    { JUDGE_VALUE_WORDS | JUDGE_VALUE_BIT, judge_type(BOOLEAN),
      "turn into true and false", NULL, NULL }
};

#define JUDGE_REPORT_MARKS  (sizeof(judge_report_marks)                       \
                             / sizeof(judge_report_marks[0]))


static size_t
judge_report_marked(const judge_column_stat_t *c, size_t mark)
{
    unsigned  types;

    types = judge_report_marks[mark].types;

    return (types == 0 || (types & (1u << c->type)))
           ? judge_column_count(c, judge_report_marks[mark].bits) : 0;
}


static const char *
judge_report_quote(const judge_report_t *r, judge_str_t value)
{
    return judge_notes_quote(r->table->arena, value);
}


/* --- Issues of the file ------------------------------------------------ */

static void
judge_report_rows(judge_report_t *r)
{
    size_t                    uneven, strays;
    uint64_t                  line;
    const judge_table_t      *t;
    const judge_table_row_t  *row;

    t = r->table;
    uneven = strays = 0;
    line = 0;

    for (row = t->rows; row != NULL; row = row->next) {
        strays += (row->flags & (JUDGE_CSV_STRAY | JUDGE_CSV_UNCLOSED)) != 0;

        if (row->nfields != t->ncolumns) {
            line = (uneven++ == 0) ? row->line : line;
        }
    }

    if (uneven > 0) {
        judge_notes_add(r->issues, "%zu row%s not %zu fields (first on line "
                        "%llu).", uneven, (uneven == 1) ? " has" : "s have",
                        t->ncolumns, (unsigned long long) line);
        judge_notes_add(r->advice, "Put quotes around cells that contain the "
                        "delimiter or a line break, and fill missing cells "
                        "with nothing between delimiters.");
    }

    if (strays > 0) {
        judge_notes_add(r->issues, "%zu row%s quotation marks that are not "
                        "closed or not doubled.", strays,
                        (strays == 1) ? " has" : "s have");
    }

    if (t->cut) {
        judge_notes_add(r->issues, "The sample ends in the middle of a row, "
                        "which was left out.");
    }

    if (t->blank > 0) {
        judge_notes_add(r->issues, "%zu row%s empty.", t->blank,
                        (t->blank == 1) ? " is" : "s are");
    }

    if (t->values.again > 0) {
        judge_notes_add(r->issues, "%zu row%s of an earlier row (first on "
                        "line %llu).", t->values.again,
                        (t->values.again == 1) ? " is duplicate"
                                               : "s are duplicates",
                        (unsigned long long) t->values.first->line);
        judge_notes_add(r->advice, "Remove duplicate rows, or they are "
                        "judged twice.");
    }
}


static void
judge_report_names(judge_report_t *r)
{
    size_t                i, k, unnamed;
    const judge_table_t  *t;

    t = r->table;

    for (i = 0, unnamed = 0; i < t->ncolumns; i++) {
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
        judge_notes_add(r->issues, "%zu column%s no name in the header.",
                        unnamed, (unnamed == 1) ? " has" : "s have");
    }
}


static void
judge_report_head(judge_report_t *r)
{
    unsigned              skipped;
    const judge_table_t  *t;

    t = r->table;
    skipped = t->sniff.dialect.skip_rows;

    if (t->sniff.columns > 1 && t->sniff.confidence < 0.6) {
        judge_notes_add(r->issues, "The rows are so uneven that the delimiter "
                        "is not certain.");
    }

    if (t->total == 0) {
        judge_notes_add(r->issues, "There are no rows below the header.");
        judge_notes_add(r->advice, "Send some rows of data with the header: "
                        "columns are told by their values, too.");
    }

    if (skipped > 0) {
        judge_notes_add(r->issues, "%u row%s skipped.", skipped,
                        (skipped == 1) ? " above the header was"
                                       : "s above the header were");
    }

    if (t->sniff.dialect.header) {
        judge_report_names(r);

    } else {
        judge_notes_add(r->issues, "There is no header row; columns are "
                        "named by their position.");
        judge_notes_add(r->advice, "Add a header row with the names of the "
                        "columns.");
    }
}


/* --- Issues of a column ------------------------------------------------ */

/* How dates are written, for who converts them; *issue: what is doubtful. */

static const char *
judge_report_dates(const judge_column_stat_t *c, const char **issue)
{
    bool    dmy, mdy;
    size_t  dates, named;

    dates = c->kinds[JUDGE_VALUE_DATE];
    named = judge_column_count(c, JUDGE_VALUE_NAMED);
    dmy = judge_column_count(c, JUDGE_VALUE_DMY) == dates;
    mdy = judge_column_count(c, JUDGE_VALUE_MDY) == dates;
    *issue = NULL;

    if (dmy && mdy && named == 0) {
        *issue = "dates may be day/month or month/day; nothing in the sample"
                 " decides";

    } else if (!dmy && !mdy && named != dates
               && judge_column_count(c, JUDGE_VALUE_YMD) != dates)
    {
        *issue = "dates are written in different ways";
    }

    return (named > 0) ? "dates with names of months"
           : (dmy && !mdy) ? "dates from day/month/year"
           : (mdy && !dmy) ? "dates from month/day/year" : "dates";
}


/* The first value whose kind is not in its place. */

static judge_str_t
judge_report_odd(const judge_column_stat_t *c)
{
    int  kind;

    for (kind = JUDGE_VALUE_INTEGER; kind < JUDGE_VALUE_KINDS; kind++) {
        if (c->kinds[kind] > 0
            && (judge_column_type_kinds(c->type) & (1u << kind)) == 0)
        {
            return c->example[kind];
        }
    }

    return (judge_str_t) { 0, NULL };
}


static void
judge_report_missing(judge_report_t *r, const judge_column_stat_t *c,
    const char *name)
{
    size_t  missing;

    missing = c->kinds[JUDGE_VALUE_MISSING];

    if (c->type == JUDGE_TYPE_EMPTY && r->table->nrows > 0) {
        judge_notes_add(r->issues, "Column \"%s\" is empty.", name);

    } else if (missing > 0) {
        judge_notes_add(r->issues, "Column \"%s\": %zu of %zu values %s "
                        "missing%s.", name, missing, c->filled + missing,
                        (missing == 1) ? "is" : "are",
                        (judge_column_count(c, JUDGE_VALUE_MARKER) > 0)
                        ? " (written as N/A or the like)" : "");
    }
}


static void
judge_report_column(judge_report_t *r, const judge_column_stat_t *c)
{
    size_t       i, n;
    const char  *name, *dates;
    judge_str_t  odd;

    name = judge_report_quote(r, c->name);

    for (i = 0; i < JUDGE_REPORT_MARKS; i++) {
        n = judge_report_marked(c, i);

        if (n > 0 && judge_report_marks[i].issue != NULL) {
            judge_notes_add(r->issues, "Column \"%s\" has %zu value%s %s.",
                            name, n, (n == 1) ? "" : "s",
                            judge_report_marks[i].issue);
        }

        if (n > 0 && judge_report_marks[i].advice != NULL) {
            judge_notes_add(r->advice, "%s", judge_report_marks[i].advice);
        }
    }

    judge_report_missing(r, c, name);
    odd = judge_report_odd(c);

    if (odd.data != NULL) {
        judge_notes_add(r->issues, "Column \"%s\" has mixed types: mostly "
                        "%s, but also \"%s\".", name,
                        judge_column_type_name(c->type),
                        judge_report_quote(r, odd));
    }

    (void) judge_report_dates(c, &dates);

    if (c->type == JUDGE_TYPE_DATE && dates != NULL) {
        judge_notes_add(r->issues, "Column \"%s\": %s.", name, dates);
        judge_notes_add(r->advice, "Write dates as YYYY-MM-DD.");
    }

    if (judge_column_count(c, JUDGE_VALUE_ZEROS) > 0
        && c->kinds[JUDGE_VALUE_INTEGER] * 2 >= c->filled)
    {
        judge_notes_add(r->issues, "Column \"%s\" has codes with leading "
                        "zeros; read as numbers they would lose them.", name);
    }

    if (c->type == JUDGE_TYPE_CATEGORY && c->folded < c->values.distinct) {
        judge_notes_add(r->issues, "Column \"%s\" has categories that differ "
                        "only in upper and lower case.", name);
    }
}


/* --- What the mapping has to do with it -------------------------------- */

static void
judge_report_unique(judge_report_t *r, const judge_columns_t *out,
    judge_column_field_e field)
{
    const judge_column_t        *mapped;
    const judge_table_values_t  *values;

    mapped = judge_columns_mapped(out, field);

    if (mapped == NULL) {
        return;
    }

    values = &r->table->columns[mapped->index].values;

    if (values->again == 0) {
        return;
    }

    judge_notes_add(r->issues, "Column \"%s\": %zu value%s of an earlier one, "
                    "as \"%s\".", judge_report_quote(r, mapped->name),
                    values->again, (values->again == 1) ? " is duplicate"
                                                        : "s are duplicates",
                    judge_report_quote(r,
                        values->first->cells[mapped->index]));

    if (field == JUDGE_COLUMN_ID) {
        judge_notes_add(r->advice, "Give every row an id of its own.");
    }
}


static void
judge_report_mapping(judge_report_t *r, unsigned expected,
    const judge_columns_t *out)
{
    int                    i;
    const judge_column_t  *mapped;

    for (i = 0; i < JUDGE_COLUMN_FIELDS; i++) {
        mapped = judge_columns_mapped(out, (judge_column_field_e) i);

        if (mapped != NULL) {
            if (i != JUDGE_COLUMN_METADATA && mapped->confidence < 0.6) {
                judge_notes_add(r->advice, "Check that \"%s\" is the %s: it "
                                "is not certain.",
                                judge_report_quote(r, mapped->name),
                                judge_column_fields[i].name);
            }

            continue;
        }

        if ((expected & (1u << i)) == 0) {
            continue;
        }

        judge_notes_add(r->issues, "No column was found for %s.",
                        judge_column_fields[i].name);

        if (i == JUDGE_COLUMN_CONTENT) {
            judge_notes_add(r->advice, "Name the column that is to be judged "
                            "\"content\": without it nothing can be "
                            "imported.");
        }
    }
}


void
judge_columns_issues(const judge_table_t *t,
    const judge_columns_request_t *request, const judge_columns_t *out,
    judge_notes_t *issues, judge_notes_t *advice)
{
    size_t          i;
    judge_report_t  r = { t, issues, advice };

    judge_report_mapping(&r, request->expected, out);
    judge_report_head(&r);
    judge_report_rows(&r);
    judge_report_unique(&r, out, JUDGE_COLUMN_ID);
    judge_report_unique(&r, out, JUDGE_COLUMN_CONTENT);

    for (i = 0; i < t->ncolumns; i++) {
        judge_report_column(&r, &t->columns[i]);
    }
}


/* --- Transformations --------------------------------------------------- */

static void
judge_report_transform(judge_notes_t *n, const judge_column_stat_t *c)
{
    size_t       i;
    const char  *dates, *issue;

    for (i = 0; i < JUDGE_REPORT_MARKS; i++) {
        if (judge_report_marks[i].transformation != NULL
            && judge_report_marked(c, i) > 0)
        {
            judge_notes_add(n, "%s", judge_report_marks[i].transformation);
        }
    }

    if (c->type == JUDGE_TYPE_DATE
        && judge_column_count(c, JUDGE_VALUE_ISO) < c->kinds[JUDGE_VALUE_DATE])
    {
        dates = judge_report_dates(c, &issue);
        judge_notes_add(n, "convert %s to YYYY-MM-DD", dates);
    }

    if (c->type == JUDGE_TYPE_JSON) {
        judge_notes_add(n, "parse as JSON");
    }

    if (c->type == JUDGE_TYPE_CATEGORY && c->folded < c->values.distinct) {
        judge_notes_add(n, "make upper and lower case the same");
    }

    if ((judge_column_is_short(c) || c->type == JUDGE_TYPE_CATEGORY)
        && judge_column_share(c, judge_column_count(c, JUDGE_CELL_LIST))
           >= 0.5)
    {
        judge_notes_add(n, "split into a list");
    }
}


judge_rc_e
judge_columns_transform(const judge_table_t *t, judge_columns_t *out)
{
    size_t         i;
    judge_notes_t  notes;

    for (i = 0; i < out->ndetected; i++) {
        notes = (judge_notes_t) { .arena = t->arena };
        judge_report_transform(&notes, &t->columns[out->detected[i].index]);

        if (notes.failed) {
            return JUDGE_NOMEM;
        }

        out->detected[i].transformations = notes.items;
        out->detected[i].ntransformations = notes.n;
    }

    return JUDGE_OK;
}
