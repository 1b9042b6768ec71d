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


/* What lies behind the limit is counted, not looked at. */
#define JUDGE_TABLE_CELLS  200000

typedef struct {
    uint64_t                  hash;
    const judge_table_row_t  *row;
} judge_table_hash_t;


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
        }

        column->named = column->name.len > 0;
        column->name = column->named
                       ? judge_str_dup(t->arena, column->name)
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
    size_t              i;
    judge_table_row_t  *kept;

    kept = judge_calloc(t->arena, sizeof(judge_table_row_t));
    if (kept == NULL) {
        return JUDGE_NOMEM;
    }

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

    *(t->last ? &t->last->next : &t->rows) = kept;
    t->last = kept;
    t->nrows++;

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

    return ((t->nrows + 1) * t->ncolumns > JUDGE_TABLE_CELLS)
           ? JUDGE_OK : judge_table_keep(t, row);
}


/* --- What is in a cell ------------------------------------------------- */

bool
judge_table_missing(judge_str_t cell)
{
    unsigned  flags;

    return judge_value_type_of(cell, &flags) == JUDGE_VALUE_MISSING;
}


static unsigned
judge_table_marks(judge_str_t s)
{
    size_t    i;
    unsigned  bits;
    static const struct {
        const char  *text;
        unsigned     bit;
    } marks[] = {
        { "</", JUDGE_CELL_HTML }, { "/>", JUDGE_CELL_HTML },
        { "<br", JUDGE_CELL_HTML }, { "<p>", JUDGE_CELL_HTML },
        { "&amp;", JUDGE_CELL_ENTITY }, { "&quot;", JUDGE_CELL_ENTITY },
        { "&#", JUDGE_CELL_ENTITY }, { "&lt;", JUDGE_CELL_ENTITY },
        { "&nbsp;", JUDGE_CELL_ENTITY },

        /* U+FFFD; "Ã©", "â€™": bytes of UTF-8 that somebody read as
         * Windows-1252 */

        { "\xef\xbf\xbd", JUDGE_CELL_DAMAGED },
        { "\xc3\x83\xc2", JUDGE_CELL_DAMAGED },
        { "\xc3\xa2\xe2\x82\xac", JUDGE_CELL_DAMAGED }
    };

    bits = (s.len > 1 && s.data[0] == '=') ? JUDGE_CELL_FORMULA : 0;

    for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (memmem(s.data, s.len, marks[i].text, strlen(marks[i].text))) {
            bits |= marks[i].bit;
        }
    }

    return bits;
}


/* The number of words, and bits by the forms of them. */

static size_t
judge_table_words(judge_str_t s, unsigned *bits)
{
    bool    in, digit, sentence;
    char    c;
    size_t  i, words, items;

    words = 0;
    items = 1;
    in = digit = sentence = false;

    for (i = 0; i < s.len; i++) {
        c = s.data[i];
        words += (unsigned char) c > ' ' && !in;
        in = (unsigned char) c > ' ';
        digit |= judge_ascii_digit(c);
        items += c == ',' || c == ';' || c == '|';
        sentence |= c == '.' || c == '!' || c == '?' || c == '\n';
    }

    if (words == 1) {
        *bits |= JUDGE_CELL_TOKEN | (digit ? JUDGE_CELL_CODE : 0);
    }

    if (items > 1 && words >= items && words <= 2 * items && !sentence) {
        *bits |= JUDGE_CELL_LIST;
    }

    return words;
}


static void
judge_table_count(judge_column_stat_t *column, judge_str_t cell)
{
    size_t              bit;
    unsigned            bits;
    judge_value_type_e  kind;

    kind = judge_value_type_of(cell, &bits);
    cell = judge_value_type_trim(cell);

    if (column->kinds[kind]++ == 0) {
        column->example[kind] = cell;
    }

    if (kind != JUDGE_VALUE_MISSING) {
        bits |= judge_table_marks(cell);
        column->filled++;
        column->words += judge_table_words(cell, &bits);
        column->bytes += cell.len;
        column->longest = (cell.len > column->longest) ? cell.len
                                                       : column->longest;
    }

    for (bit = 0; bit < JUDGE_CELL_BITS; bit++) {
        column->bits[bit] += (bits >> bit) & 1;
    }
}


size_t
judge_column_count(const judge_column_stat_t *column, unsigned bits)
{
    size_t  bit, n;

    for (bit = 0, n = 0; bit < JUDGE_CELL_BITS; bit++) {
        n += ((bits >> bit) & 1) ? column->bits[bit] : 0;
    }

    return n;
}


/* --- Values that come again -------------------------------------------- */

static int
judge_table_compare(const void *a, const void *b)
{
    const judge_table_hash_t  *x, *y;

    x = a;
    y = b;

    if (x->hash != y->hash) {
        return (x->hash < y->hash) ? -1 : 1;
    }

    return (x->row->line < y->row->line) ? -1 : x->row->line > y->row->line;
}


/* Of n columns together, in which something is; fold: "A" is "a". */

static judge_table_values_t
judge_table_values(const judge_table_t *t, size_t from, size_t n, bool fold,
    judge_table_hash_t *hashes)
{
    size_t                    i, k, len, rows;
    uint64_t                  hash;
    judge_str_t               cell;
    judge_table_values_t      found = { 0, 0, NULL };
    const judge_table_row_t  *row;

    for (row = t->rows, rows = 0; row != NULL; row = row->next) {
        hash = JUDGE_FNV_START;

        for (i = from, len = 0; i < from + n; i++) {
            cell = judge_value_type_trim(row->cells[i]);
            len += cell.len;

            for (k = 0; k < cell.len; k++) {
                hash = judge_fnv_byte(hash, (unsigned char)
                                      (fold ? judge_ascii_lower(cell.data[k])
                                            : cell.data[k]));
            }

            /* the end of the cell counts, too */

            hash = judge_fnv_byte(hash, 0xff);
        }

        if (len > 0) {
            hashes[rows++] = (judge_table_hash_t) { hash, row };
        }
    }

    qsort(hashes, rows, sizeof(judge_table_hash_t), judge_table_compare);

    for (i = 0; i < rows; i++) {
        if (i == 0 || hashes[i].hash != hashes[i - 1].hash) {
            found.distinct++;
            continue;
        }

        found.again++;

        if (found.first == NULL || hashes[i].row->line < found.first->line) {
            found.first = hashes[i].row;
        }
    }

    return found;
}


/* --- The type of a column ---------------------------------------------- */

#define judge_kind(kind)  (1u << JUDGE_VALUE_##kind)

unsigned
judge_column_type_kinds(judge_column_type_e type)
{
    static const unsigned  kinds[JUDGE_TYPES] = {
        [JUDGE_TYPE_INTEGER] = judge_kind(INTEGER),
        [JUDGE_TYPE_NUMBER] = judge_kind(INTEGER) | judge_kind(NUMBER),
        [JUDGE_TYPE_BOOLEAN] = judge_kind(BOOLEAN) | judge_kind(INTEGER),
        [JUDGE_TYPE_DATE] = judge_kind(DATE),
        [JUDGE_TYPE_URL] = judge_kind(URL),
        [JUDGE_TYPE_EMAIL] = judge_kind(EMAIL),
        [JUDGE_TYPE_JSON] = judge_kind(JSON)
    };

    return kinds[type] ? kinds[type] : ~0u;
}


const char *
judge_column_type_name(judge_column_type_e type)
{
    static const char *const  names[JUDGE_TYPES] = {
        "empty", "integer", "number", "boolean", "date", "url", "email",
        "json", "category", "text", "text", "text", "text", "long_text",
        "long_text"
    };

    return names[type];
}


static judge_column_type_e
judge_table_text_type(const judge_column_stat_t *c)
{
    double  bytes, words;

    bytes = judge_column_share(c, c->bytes);
    words = judge_column_share(c, c->words);

    if (bytes >= 80 || words >= 12) {
        return (words <= 18 && c->longest <= 200) ? JUDGE_TYPE_LINE
                                                  : JUDGE_TYPE_LONG_TEXT;
    }

    /* a few values that come again and again */

    if (c->filled >= 3 && bytes <= 40 && words <= 4 && c->folded <= 50
        && c->folded * 3 <= c->filled * 2)
    {
        return JUDGE_TYPE_CATEGORY;
    }

    if (judge_column_share(c, judge_column_count(c, JUDGE_CELL_TOKEN))
        < 0.95)
    {
        return (words < 6) ? JUDGE_TYPE_PHRASE : JUDGE_TYPE_SENTENCE;
    }

    return (judge_column_share(c, judge_column_count(c, JUDGE_CELL_CODE))
            >= 0.8) ? JUDGE_TYPE_CODE : JUDGE_TYPE_WORD;
}


/* The first type whose kinds most of the cells have. */

static judge_column_type_e
judge_table_type(const judge_column_stat_t *c)
{
    int     type;
    size_t  kind, n;

    if (c->filled == 0) {
        return JUDGE_TYPE_EMPTY;
    }

    /* zeros and ones under a name like "is_active" */

    if (judge_column_count(c, JUDGE_VALUE_BIT) == c->filled
        && c->values.distinct == 2
        && (judge_str_casestarts(c->name, JUDGE_STR("is"))
            || judge_str_casestarts(c->name, JUDGE_STR("has"))))
    {
        return JUDGE_TYPE_BOOLEAN;
    }

    /* a code like 00123 is no number, though it looks like one */

    if (judge_column_count(c, JUDGE_VALUE_ZEROS) > 0
        && c->kinds[JUDGE_VALUE_INTEGER] * 4 >= c->filled * 3)
    {
        return judge_table_text_type(c);
    }

    type = (c->kinds[JUDGE_VALUE_NUMBER] == 0) ? JUDGE_TYPE_INTEGER
                                               : JUDGE_TYPE_NUMBER;

    for (/* void */; type <= JUDGE_TYPE_JSON; type++) {
        for (kind = 1, n = 0; kind < JUDGE_VALUE_KINDS; kind++) {
            n += (judge_column_type_kinds((judge_column_type_e) type)
                  & (1u << kind)) ? c->kinds[kind] : 0;
        }

        if (n * 4 >= c->filled * 3) {
            return (judge_column_type_e) type;
        }
    }

    return judge_table_text_type(c);
}


static judge_rc_e
judge_table_measure(judge_table_t *t)
{
    size_t                i;
    judge_table_row_t    *row;
    judge_table_hash_t   *hashes;
    judge_column_stat_t  *column;

    hashes = judge_array_alloc(t->arena, t->nrows + 1,
                               sizeof(judge_table_hash_t));
    if (hashes == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->ncolumns; i++) {
        column = &t->columns[i];

        for (row = t->rows; row != NULL; row = row->next) {
            if (row->cells[i].data != NULL) {
                judge_table_count(column, row->cells[i]);
            }
        }

        column->values = judge_table_values(t, i, 1, false, hashes);
        column->folded = judge_table_values(t, i, 1, true, hashes).distinct;
        column->type = judge_table_type(column);
    }

    t->values = judge_table_values(t, 0, t->ncolumns, false, hashes);

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
