/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reading the sample: its cells, and per column what they are.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "base/text/ascii.h"
#include "analysis/columns/columns_table.h"


typedef struct {
    uint64_t  hash;
    size_t    row;
} judge_table_hash_t;


const char *
judge_column_type_name(judge_column_type_e type)
{
    static const char *const  names[] = {
        "empty", "integer", "number", "boolean", "date", "url", "email",
        "json", "category", "text", "long_text"
    };

    return names[type];
}


static judge_rc_e
judge_table_header(judge_table_t *t, const judge_csv_row_t *row)
{
    size_t                i;
    judge_str_t           name;
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
        name = (judge_str_t) { 0, NULL };

        if (t->sniff.dialect.header && i < row->nfields) {
            name = judge_value_type_trim(row->fields[i]);
        }

        column->named = name.len > 0;
        column->name = column->named
                       ? judge_str_dup(t->arena, name)
                       : judge_str_printf(t->arena, "column_%zu", i + 1);

        if (column->name.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    return JUDGE_OK;
}


static bool
judge_table_blank(const judge_csv_row_t *row)
{
    size_t  i;

    for (i = 0; i < row->nfields; i++) {
        if (judge_value_type_trim(row->fields[i]).len > 0) {
            return false;
        }
    }

    return true;
}


static judge_rc_e
judge_table_keep(judge_table_t *t, const judge_csv_row_t *row)
{
    size_t              i, size;
    judge_table_row_t  *kept, *rows;

    if (t->nrows == t->rows_size) {
        size = t->rows_size * 2 + 64;
        rows = judge_array_alloc(t->arena, size, sizeof(judge_table_row_t));
        if (rows == NULL) {
            return JUDGE_NOMEM;
        }

        if (t->nrows > 0) {
            memcpy(rows, t->rows, t->nrows * sizeof(judge_table_row_t));
        }

        t->rows = rows;
        t->rows_size = size;
    }

    kept = &t->rows[t->nrows++];
    kept->nfields = row->nfields;
    kept->line = row->line;
    kept->flags = row->flags;
    kept->cells = judge_array_alloc(t->arena, t->ncolumns,
                                    sizeof(judge_str_t));
    if (kept->cells == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->ncolumns && i < row->nfields; i++) {
        kept->cells[i] = judge_str_dup(t->arena, row->fields[i]);

        if (kept->cells[i].data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    t->cells += t->ncolumns;

    return JUDGE_OK;
}


static judge_rc_e
judge_table_row(void *data, const judge_csv_row_t *row)
{
    judge_rc_e      rc;
    judge_table_t  *t;

    t = data;

    if (t->columns == NULL) {
        rc = judge_table_header(t, row);

        if (rc != JUDGE_OK || t->sniff.dialect.header) {
            return rc;
        }
    }

    if (judge_table_blank(row)) {
        t->blank++;
        return JUDGE_OK;
    }

    t->total++;

    /* a sample is often cut by bytes, and so is its last row */

    if ((row->flags & JUDGE_CSV_LAST) != 0 && t->total > 1
        && ((row->flags & JUDGE_CSV_UNCLOSED) != 0
            || row->nfields < t->ncolumns))
    {
        t->cut = true;
        return JUDGE_OK;
    }

    if (t->cells + t->ncolumns > JUDGE_TABLE_CELLS) {
        return JUDGE_OK;
    }

    return judge_table_keep(t, row);
}


/* --- What is in a cell ------------------------------------------------- */


/* Whether one of the texts is in s; NULL ends them. */

static bool
judge_table_has(judge_str_t s, const char *const *what)
{
    for ( ; *what != NULL; what++) {
        if (memmem(s.data, s.len, *what, strlen(*what)) != NULL) {
            return true;
        }
    }

    return false;
}


static size_t
judge_table_words(judge_str_t s)
{
    size_t  i, n;
    bool    in;

    n = 0;
    in = false;

    for (i = 0; i < s.len; i++) {
        if ((unsigned char) s.data[i] <= ' ') {
            in = false;

        } else if (!in) {
            in = true;
            n++;
        }
    }

    return n;
}


static bool
judge_table_digit(judge_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {
        if (judge_ascii_digit(s.data[i])) {
            return true;
        }
    }

    return false;
}


/* Two or more items of at most three words, no sentence. */

static bool
judge_table_list(judge_str_t s)
{
    size_t  i, items, words;
    bool    in;

    items = 1;
    words = 0;
    in = false;

    if (s.len > 200) {
        return false;
    }

    for (i = 0; i < s.len; i++) {
        switch (s.data[i]) {
        case ',': case ';': case '|':
            if (words == 0 || words > 3) {
                return false;
            }

            items++;
            words = 0;
            in = false;
            break;

        case '.': case '!': case '?': case '\n':
            return false;

        case ' ':
            in = false;
            break;

        default:
            words += !in;
            in = true;
        }
    }

    return items > 1 && words > 0 && words <= 3;
}


static void
judge_table_text(judge_column_stat_t *column, judge_str_t cell)
{
    size_t  words;
    static const char *const  html[] = { "</", "<br", "<p>", "/>", NULL };
    static const char *const  call[] = { "(", NULL };
    static const char *const  entities[] = {
        "&amp;", "&quot;", "&#", "&lt;", "&nbsp;", NULL
    };

    /* U+FFFD; "Ã©", "â€™": bytes of UTF-8 that somebody read as
     * Windows-1252 */

    static const char *const  damaged[] = {
        "\xef\xbf\xbd", "\xc3\x83\xc2", "\xc3\xa2\xe2\x82\xac", NULL
    };

    words = judge_table_words(cell);

    column->bytes += cell.len;
    column->longest = (cell.len > column->longest) ? cell.len
                                                   : column->longest;
    column->words += words;
    column->html += judge_table_has(cell, html);
    column->entities += judge_table_has(cell, entities);
    column->damaged += judge_table_has(cell, damaged);
    column->lists += judge_table_list(cell);
    column->formulas += cell.len > 1
                        && (cell.data[0] == '='
                            || (cell.data[0] == '@' && words > 1
                                && judge_table_has(cell, call)));

    if (words == 1) {
        column->tokens++;
        column->digits += judge_table_digit(cell);
    }
}


static void
judge_table_count(judge_table_t *t, size_t i)
{
    size_t                r, bit;
    unsigned              flags;
    judge_str_t           cell;
    judge_value_type_e    kind;
    judge_column_stat_t  *column;

    column = &t->columns[i];

    for (r = 0; r < t->nrows; r++) {
        cell = t->rows[r].cells[i];

        if (cell.data == NULL) {
            continue;
        }

        kind = judge_value_type_of(cell, &flags);
        column->kinds[kind]++;

        for (bit = 0; bit < JUDGE_COLUMN_FLAGS; bit++) {
            column->flags[bit] += (flags >> bit) & 1;
        }

        if (kind == JUDGE_VALUE_MISSING) {
            column->empty++;
            column->markers += (flags & JUDGE_VALUE_MARKER) != 0;
            continue;
        }

        column->filled++;
        judge_table_text(column, judge_value_type_trim(cell));
    }
}


/* --- Values that come again -------------------------------------------- */


static uint64_t
judge_table_fold(uint64_t hash, judge_str_t s, bool fold)
{
    char    c;
    size_t  i;

    for (i = 0; i < s.len; i++) {
        c = fold ? judge_ascii_lower(s.data[i]) : s.data[i];
        hash = judge_fnv_byte(hash, (unsigned char) c);
    }

    /* the end of the cell counts, too */

    return judge_fnv_byte(hash, 0xff);
}


static int
judge_table_compare(const void *a, const void *b)
{
    const judge_table_hash_t  *x, *y;

    x = a;
    y = b;

    if (x->hash != y->hash) {
        return (x->hash < y->hash) ? -1 : 1;
    }

    return (x->row < y->row) ? -1 : x->row > y->row;
}


static size_t
judge_table_distinct(judge_table_t *t, size_t i, bool fold,
    judge_table_hash_t *hashes)
{
    size_t                r, n, distinct, first;
    judge_str_t           cell;
    judge_column_stat_t  *column;

    column = &t->columns[i];

    for (r = 0, n = 0; r < t->nrows; r++) {
        cell = judge_value_type_trim(t->rows[r].cells[i]);

        if (cell.len > 0) {
            hashes[n].hash = judge_table_fold(JUDGE_FNV_START, cell, fold);
            hashes[n++].row = r;
        }
    }

    qsort(hashes, n, sizeof(judge_table_hash_t), judge_table_compare);

    first = t->nrows;

    for (r = 0, distinct = 0; r < n; r++) {
        if (r == 0 || hashes[r].hash != hashes[r - 1].hash) {
            distinct++;

        } else if (hashes[r].row < first) {
            first = hashes[r].row;
        }
    }

    if (first < t->nrows && !fold) {
        column->twice = judge_value_type_trim(t->rows[first].cells[i]);
    }

    return distinct;
}


static void
judge_table_repeated(judge_table_t *t, judge_table_hash_t *hashes)
{
    size_t  r, i;

    for (r = 0; r < t->nrows; r++) {
        hashes[r].hash = JUDGE_FNV_START;
        hashes[r].row = r;

        for (i = 0; i < t->ncolumns; i++) {
            hashes[r].hash = judge_table_fold(hashes[r].hash,
                                              t->rows[r].cells[i], false);
        }
    }

    qsort(hashes, t->nrows, sizeof(judge_table_hash_t), judge_table_compare);

    for (r = 1; r < t->nrows; r++) {
        if (hashes[r].hash != hashes[r - 1].hash) {
            continue;
        }

        t->repeated++;
        i = hashes[r].row;

        if (t->repeated == 1 || t->rows[i].line < t->repeated_line) {
            t->repeated_line = t->rows[i].line;
        }
    }
}


/* --- The type of a column ---------------------------------------------- */


static judge_column_type_e
judge_table_text_type(const judge_column_stat_t *column)
{
    double  bytes, words;

    bytes = judge_column_share(column, column->bytes);
    words = judge_column_share(column, column->words);

    if (bytes >= 80 || words >= 12) {
        return JUDGE_TYPE_LONG_TEXT;
    }

    /* a few values that come again and again */

    if (column->filled >= 3 && bytes <= 40 && words <= 4
        && column->folded <= 50 && column->folded * 3 <= column->filled * 2)
    {
        return JUDGE_TYPE_CATEGORY;
    }

    return JUDGE_TYPE_TEXT;
}


/* Zeros and ones under a name like "is_active". */

static bool
judge_table_flagged(const judge_column_stat_t *column)
{
    judge_str_t  head;

    if (judge_column_flag(column, JUDGE_VALUE_BIT) != column->filled
        || column->distinct != 2)
    {
        return false;
    }

    head = (judge_str_t) { (column->name.len < 3) ? column->name.len : 3,
                           column->name.data };

    return judge_str_caseeq(head, JUDGE_STR("is_"))
           || judge_str_caseeq(head, JUDGE_STR("is "))
           || judge_str_caseeq(head, JUDGE_STR("has"))
           || judge_str_starts(column->name, JUDGE_STR("is"));
}


#define judge_kind(kind)  (1u << JUDGE_VALUE_##kind)

/* The types of columns by the kinds of most of their cells, the first that
 * fits; `also` are kinds that are not out of place in such a column. */

static const struct {
    judge_column_type_e  type;
    unsigned             kinds;
    unsigned             also;
} judge_table_types[] = {
    { JUDGE_TYPE_INTEGER, judge_kind(INTEGER), 0 },
    { JUDGE_TYPE_BOOLEAN, judge_kind(BOOLEAN), judge_kind(INTEGER) },
    { JUDGE_TYPE_DATE, judge_kind(DATE), 0 },
    { JUDGE_TYPE_URL, judge_kind(URL), 0 },
    { JUDGE_TYPE_EMAIL, judge_kind(EMAIL), 0 },
    { JUDGE_TYPE_JSON, judge_kind(JSON), 0 },
    { JUDGE_TYPE_NUMBER, judge_kind(INTEGER) | judge_kind(NUMBER), 0 }
};

#define JUDGE_TABLE_TYPES  (sizeof(judge_table_types)                         \
                            / sizeof(judge_table_types[0]))


static judge_column_type_e
judge_table_type(const judge_column_stat_t *column)
{
    size_t  i, kind, n;

    if (column->filled == 0) {
        return JUDGE_TYPE_EMPTY;
    }

    if (judge_table_flagged(column)) {
        return JUDGE_TYPE_BOOLEAN;
    }

    /* a code like 00123 is no number, though it looks like one */

    if (judge_column_flag(column, JUDGE_VALUE_ZEROS) > 0
        && column->kinds[JUDGE_VALUE_INTEGER] * 4 >= column->filled * 3)
    {
        return judge_table_text_type(column);
    }

    for (i = 0; i < JUDGE_TABLE_TYPES; i++) {
        for (kind = 0, n = 0; kind < JUDGE_VALUE_KINDS; kind++) {
            n += (judge_table_types[i].kinds & (1u << kind))
                 ? column->kinds[kind] : 0;
        }

        if (n * 4 >= column->filled * 3
            && (judge_table_types[i].type != JUDGE_TYPE_INTEGER
                || column->kinds[JUDGE_VALUE_NUMBER] == 0))
        {
            return judge_table_types[i].type;
        }
    }

    return judge_table_text_type(column);
}


/* Whether a cell of that kind fits a column of that type. */

static bool
judge_table_fits(judge_column_type_e type, judge_value_type_e kind)
{
    size_t  i;

    for (i = 0; i < JUDGE_TABLE_TYPES; i++) {
        if (judge_table_types[i].type == type) {
            return ((judge_table_types[i].kinds | judge_table_types[i].also)
                    & (1u << kind)) != 0;
        }
    }

    return true;
}


static void
judge_table_odd(judge_table_t *t, size_t i)
{
    size_t                r;
    unsigned              flags;
    judge_str_t           cell;
    judge_value_type_e    kind;
    judge_column_stat_t  *column;

    column = &t->columns[i];

    for (r = 0; r < t->nrows && column->odd.data == NULL; r++) {
        cell = t->rows[r].cells[i];

        if (cell.data == NULL) {
            continue;
        }

        kind = judge_value_type_of(cell, &flags);

        if (kind != JUDGE_VALUE_MISSING
            && !judge_table_fits(column->type, kind))
        {
            column->odd = judge_value_type_trim(cell);
        }
    }
}


static judge_rc_e
judge_table_measure(judge_table_t *t)
{
    size_t               i;
    judge_table_hash_t  *hashes;

    hashes = judge_array_alloc(t->arena, t->nrows + 1,
                               sizeof(judge_table_hash_t));
    if (hashes == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->ncolumns; i++) {
        judge_table_count(t, i);
        t->columns[i].distinct = judge_table_distinct(t, i, false, hashes);
        t->columns[i].folded = judge_table_distinct(t, i, true, hashes);
        t->columns[i].type = judge_table_type(&t->columns[i]);
        judge_table_odd(t, i);
    }

    judge_table_repeated(t, hashes);

    return JUDGE_OK;
}


judge_rc_e
judge_table_read(judge_table_t *t, judge_str_t sample, judge_str_t *error)
{
    judge_rc_e    rc;
    judge_str_t   why;
    judge_csv_t  *csv;

    rc = judge_csv_sniff(sample, &t->sniff);
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
                                  (int) why.len, why.data);
        rc = (error->data == NULL) ? JUDGE_NOMEM : rc;
    }

    judge_csv_free(csv);

    return (rc == JUDGE_OK) ? judge_table_measure(t) : rc;
}
