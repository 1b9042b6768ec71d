/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/text/number.h"
#include "base/text/utf8.h"
#include "api/batches/batch_map.h"
#include "api/contents/contents.h"


#define JUDGE_COLUMN_SHOWN         60  /* bytes of a name in a sentence */
#define JUDGE_COLUMN_SYSTEM  "system"  /* the member for an item's system */

_Static_assert(JUDGE_COLUMN_TITLE_MAX == JUDGE_BATCH_ITEM_NAME_MAX
               && JUDGE_COLUMN_DESCRIPTION_MAX == JUDGE_BATCH_DESCRIPTION_MAX,
               "an item takes what its columns take");

#define JUDGE_COLUMN_NONE  SIZE_MAX

static const char *const  judge_column_added[JUDGE_COLUMN_ADDED] = {
    "source", "preferred", "question", "reference"
};


static judge_rc_e
judge_batch_map_format(judge_batch_map_t *m, judge_buf_t *buf,
    const char *fmt, va_list args)
{
    judge_buf_vprintf(buf, fmt, args);

    return judge_invalid(&m->error, judge_buf_view(buf));
}


judge_rc_e
judge_batch_map_refuse(judge_batch_map_t *m, const char *fmt, ...)
{
    va_list      args;
    judge_rc_e   rc;
    judge_buf_t  buf;

    judge_buf_init(&buf, m->arena);

    va_start(args, fmt);
    rc = judge_batch_map_format(m, &buf, fmt, args);
    va_end(args);

    return rc;
}


/* Spreadsheets leave white space around names. */

static judge_str_t
judge_batch_map_trim(judge_str_t s)
{
    return judge_str_trim(s, " \t\n\v\f\r");
}


/* A column is found by its exact name, else by its name in any case, else by
 * its number. */

static judge_rc_e
judge_batch_map_column(judge_batch_map_t *m, const char *parameter,
    judge_str_t wanted, size_t columns, size_t *column)
{
    size_t       i, other;
    int64_t      number;
    judge_str_t  digits;

    for (i = 0; i < 2 * m->nnames; i++) {
        *column = i % m->nnames;
        if (i < m->nnames ? judge_str_eq(m->names[*column], wanted)
                          : judge_str_caseeq(m->names[*column], wanted))
        {
            other = *column + 1;
            other += judge_str_index(&m->names[other], m->nnames - other,
                                     m->names[*column]);
            return other == m->nnames ? JUDGE_OK
                   : judge_batch_map_refuse(m, "%s: two columns are called"
                                            " that; expected the number of"
                                            " one, #%zu or #%zu", parameter,
                                            *column + 1, other + 1);
        }
    }

    if (wanted.len > 1 && wanted.data[0] == '#') {
        digits = (judge_str_t) { wanted.len - 1, wanted.data + 1 };
        if (judge_integer_parse(digits, &number) == JUDGE_OK && number >= 1
            && (uint64_t) number <= columns)
        {
            *column = (size_t) number - 1;
            return JUDGE_OK;
        }
    }

    wanted = judge_utf8_prefix(wanted, JUDGE_COLUMN_SHOWN);

    return judge_batch_map_refuse(m, "%s: the table has no column \"%.*s\";"
                                  " expected the name or the number (#1 to"
                                  " #%zu) of one that it has", parameter,
                                  judge_str_args(wanted), columns);
}


/* A member has the name of its column, or "#N" if that has none. */

static judge_rc_e
judge_batch_map_member(judge_batch_map_t *m, judge_str_t key, size_t column)
{
    size_t  i;

    if (m->names) {
        key = m->names[column];
    }

    if (key.len == 0) {
        key = judge_str_printf(m->arena, "#%zu", column + 1);
        if (key.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    for (i = 0; i < m->nmembers && !judge_str_eq(m->members[i].key, key); i++)
    {
        /* void */
    }

    if (i < m->nmembers
        || (m->nsystems && judge_str_eq_c(key, JUDGE_COLUMN_SYSTEM)))
    {
        key = judge_utf8_prefix(key, JUDGE_COLUMN_SHOWN);
        return judge_batch_map_refuse(m, "metadata: two columns would become"
                                      " \"%.*s\"", judge_str_args(key));
    }

    m->members[m->nmembers++] = (judge_column_member_t) { key, column };

    return JUDGE_OK;
}


judge_str_t
judge_batch_map_part(judge_str_t *rest)
{
    size_t       n;
    judge_str_t  part;

    for (n = 0; n < rest->len && rest->data[n] != ','; n++) { /* void */ }

    part = judge_batch_map_trim((judge_str_t) { n, rest->data });
    n += n < rest->len;
    rest->data += n;
    rest->len -= n;

    return part;
}


static judge_rc_e
judge_batch_map_systems(judge_batch_map_t *m, size_t columns)
{
    size_t       n;
    judge_rc_e   rc;
    judge_str_t  name, rest = m->wanted_systems;

    for (n = 0; rest.len; n++) {
        name = judge_batch_map_part(&rest);
        if (n == JUDGE_BATCH_SYSTEMS_MAX
            || name.len == 0
            || judge_str_index(m->systems, n, name) < n
            || judge_str_eq_c(name, JUDGE_BATCH_TIE)
            || judge_utf8_length(name) > JUDGE_BATCH_SYSTEM_NAME)
        {
            n = 0;
            break;
        }

        rc = judge_batch_map_column(m, "systems", name, columns, &m->texts[n]);
        if (rc != JUDGE_OK) {
            return rc;
        }
        m->systems[n] = name;
    }

    m->nsystems = n;

    return n >= JUDGE_BATCH_SYSTEMS_LEAST ? JUDGE_OK
           : judge_batch_map_refuse(m, "systems: expected %d to %d different"
                                    " columns, separated by commas, with names"
                                    " of at most %d characters; \"tie\" is"
                                    " none",
                                    JUDGE_BATCH_SYSTEMS_LEAST,
                                    JUDGE_BATCH_SYSTEMS_MAX,
                                    JUDGE_BATCH_SYSTEM_NAME);
}


static judge_rc_e
judge_batch_map_added(judge_batch_map_t *m, size_t columns)
{
    size_t       i, column;
    judge_rc_e   rc;
    judge_str_t  title = { 0, NULL };

    m->preferred = JUDGE_COLUMN_NONE;

    /* Titles are often in a column "question", and criteria look for it in the
     * metadata. */
    if (m->columns[JUDGE_COLUMN_TITLE] < m->nnames) {
        title = m->names[m->columns[JUDGE_COLUMN_TITLE]];
    }

    if (m->added[JUDGE_COLUMN_QUESTION].data == NULL
        && judge_str_caseeq(title, JUDGE_STR("question"))
        && !judge_str_find(m->wanted[JUDGE_COLUMN_METADATA], title))
    {
        m->added[JUDGE_COLUMN_QUESTION] = title;
    }

    for (i = 0; i < JUDGE_COLUMN_ADDED; i++) {
        if (m->added[i].data == NULL) {
            continue;
        }

        rc = judge_batch_map_column(m, judge_column_added[i], m->added[i],
                                    columns, &column);
        if (rc != JUDGE_OK) {
            return rc;
        }

        m->members[m->nmembers++] = (judge_column_member_t) {
            judge_str_c(judge_column_added[i]), column
        };
        m->preferred = i == JUDGE_COLUMN_PREFERRED ? column : m->preferred;
    }

    return JUDGE_OK;
}


/* The members of the metadata are category, id and others, if mapped, and then
 * the columns that the parameter `metadata` names. */

static judge_rc_e
judge_batch_map_members(judge_batch_map_t *m, size_t columns)
{
    size_t       i, n, column;
    judge_rc_e   rc;
    judge_str_t  rest, part;

    rest = m->wanted[JUDGE_COLUMN_METADATA];
    for (i = 0, n = 1; i < rest.len; i++) {
        n += rest.data[i] == ',';
    }

    m->members = judge_array_alloc(m->arena, n + JUDGE_COLUMN_FIELDS
                                             + JUDGE_COLUMN_ADDED,
                                   sizeof(judge_column_member_t));
    if (m->members == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < JUDGE_COLUMN_FIELDS; i++) {
        if (judge_column_fields[i].member
            && m->columns[i] != JUDGE_COLUMN_NONE)
        {
            m->members[m->nmembers++] = (judge_column_member_t) {
                judge_str_c(judge_column_fields[i].name), m->columns[i]
            };
        }
    }

    rc = judge_batch_map_added(m, columns);
    if (rc != JUDGE_OK) {
        return rc;
    }

    while (rest.len) {
        part = judge_batch_map_part(&rest);
        rc = judge_batch_map_column(m, "metadata", part, columns, &column);
        rc = rc ? rc : judge_batch_map_member(m, part, column);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_batch_map_find(judge_batch_map_t *m, const judge_csv_row_t *row,
    bool header)
{
    size_t      i;
    judge_rc_e  rc;

    if (header) {
        m->nnames = row->nfields;
        m->names = judge_array_alloc(m->arena, m->nnames, sizeof(judge_str_t));
        if (m->names == NULL) {
            return JUDGE_NOMEM;
        }
    }

    for (i = 0; i < m->nnames; i++) {
        m->names[i] = judge_str_dup(m->arena,
                                    judge_batch_map_trim(row->fields[i]));
        if (m->names[i].data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    for (i = 0; i < JUDGE_COLUMN_FIELDS; i++) {
        m->columns[i] = JUDGE_COLUMN_NONE;
        if (i == JUDGE_COLUMN_METADATA || m->wanted[i].data == NULL) {
            continue;
        }

        rc = judge_batch_map_column(m, judge_column_fields[i].name,
                                    m->wanted[i], row->nfields,
                                    &m->columns[i]);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    if (m->wanted_systems.data) {
        rc = judge_batch_map_systems(m, row->nfields);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return judge_batch_map_members(m, row->nfields);
}


static judge_rc_e
judge_batch_map_wrong(judge_batch_map_t *m, const judge_csv_row_t *row,
    size_t column, const char *fmt, ...)
{
    va_list      args;
    judge_rc_e   rc;
    judge_str_t  name;
    judge_buf_t  buf;

    judge_buf_init(&buf, m->arena);
    judge_buf_printf(&buf, "row %llu, column ",
                     (unsigned long long) row->number);

    if (column < m->nnames && m->names[column].len) {
        name = judge_utf8_prefix(m->names[column], JUDGE_COLUMN_SHOWN);
        judge_buf_printf(&buf, "\"%.*s\": ", judge_str_args(name));
    } else {
        judge_buf_printf(&buf, "#%zu: ", column + 1);
    }

    va_start(args, fmt);
    rc = judge_batch_map_format(m, &buf, fmt, args);
    va_end(args);

    return rc;
}


/* An empty cell counts as absent; the caller requires the content. */

static judge_rc_e
judge_batch_map_cell(judge_batch_map_t *m, const judge_csv_row_t *row,
    judge_column_field_e field, judge_str_t *out)
{
    size_t       max, column;
    judge_str_t  cell;

    *out = (judge_str_t) { 0, NULL };

    column = m->columns[field];
    if (column == JUDGE_COLUMN_NONE) {
        return JUDGE_OK;
    }

    cell = row->fields[column];
    if (field == JUDGE_COLUMN_TITLE) {
        cell = judge_batch_map_trim(cell);
    }

    if (cell.len == 0) {
        return JUDGE_OK;
    }

    if (memchr(cell.data, '\0', cell.len)) {
        return judge_batch_map_wrong(m, row, column, "must not contain the"
                                     " character U+0000");
    }

    max = judge_column_fields[field].max;
    if (max && judge_utf8_length(cell) > max) {
        return judge_batch_map_wrong(m, row, column, "expected at most %zu"
                                     " characters", max);
    }

    *out = judge_str_dup(m->arena, cell);

    return out->data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_batch_map_metadata(judge_batch_map_t *m, const judge_csv_row_t *row,
    judge_str_t *json)
{
    size_t               i, n;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, m->arena);
    judge_json_put_str(&w, JUDGE_COLUMN_SYSTEM, m->system);

    for (i = 0, n = m->system.len > 0; i < m->nmembers; i++) {
        if (row->fields[m->members[i].column].len) {
            judge_json_key_str(&w, m->members[i].key);
            judge_json_str(&w, row->fields[m->members[i].column]);
            n++;
        }
    }

    *json = judge_json_text(&w);
    if (json->data == NULL) {
        return JUDGE_NOMEM;
    }

    if (json->len > JUDGE_METADATA_MAX) {
        return judge_batch_map_refuse(m, "row %llu: expected metadata of at"
                                      " most %d bytes",
                                      (unsigned long long) row->number,
                                      JUDGE_METADATA_MAX);
    }

    if (n == 0) {
        *json = (judge_str_t) { 0, NULL };
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_batch_map_preference(judge_batch_map_t *m, const judge_csv_row_t *row)
{
    judge_str_t  cell;

    if (m->preferred == JUDGE_COLUMN_NONE || m->nsystems == 0) {
        return JUDGE_OK;
    }

    cell = row->fields[m->preferred];

    return cell.len == 0 || judge_str_eq_c(cell, JUDGE_BATCH_TIE)
           || judge_str_index(m->systems, m->nsystems, cell) < m->nsystems
           ? JUDGE_OK
           : judge_batch_map_wrong(m, row, m->preferred, "expected the name of"
                                   " a system, \"" JUDGE_BATCH_TIE "\", or"
                                   " nothing");
}


/* A content without a text fails each of its evaluations.  A row with several
 * systems has as many contents, and is named once. */

static judge_rc_e
judge_batch_map_empty(judge_batch_map_t *m, const judge_csv_row_t *row,
    size_t column)
{
    size_t  n = m->nnamed;

    if (!m->empty_fails) {
        return judge_batch_map_wrong(m, row, column, "expected a text; the"
                                     " cell is empty");
    }

    if (n < JUDGE_BATCH_EMPTY_NAMED
        && (n == 0 || m->empty[n - 1] != row->number))
    {
        m->empty[m->nnamed++] = row->number;
    }
    m->nempty++;

    return JUDGE_OK;
}


/* A row with a cell too few or too many is refused, because its values may be
 * in the wrong columns. */

judge_rc_e
judge_batch_map_item(judge_batch_map_t *m, const judge_csv_row_t *row,
    size_t max_text, judge_batch_item_t *item)
{
    size_t       i, content;
    judge_rc_e   rc;
    judge_str_t  cells[JUDGE_COLUMN_FIELDS], *name;

    if (row->flags & JUDGE_CSV_UNCLOSED) {
        return judge_batch_map_wrong(m, row, row->nfields - 1,
                                     "the quotes are not closed");
    }

    if (row->flags & JUDGE_CSV_UNEVEN) {
        return judge_batch_map_refuse(m, "row %llu: expected as many columns"
                                      " as the first row has; there are %zu",
                                      (unsigned long long) row->number,
                                      row->nfields);
    }

    for (i = 0; i < JUDGE_COLUMN_FIELDS; i++) {
        rc = judge_batch_map_cell(m, row, (judge_column_field_e) i, &cells[i]);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    rc = judge_batch_map_preference(m, row);
    if (rc != JUDGE_OK) {
        return rc;
    }

    content = m->columns[JUDGE_COLUMN_CONTENT];

    if (judge_batch_map_trim(cells[JUDGE_COLUMN_CONTENT]).len == 0) {
        rc = judge_batch_map_empty(m, row, content);
        if (rc != JUDGE_OK) {
            return rc;
        }
        cells[JUDGE_COLUMN_CONTENT] = (judge_str_t) { 0, NULL };
    }

    if (cells[JUDGE_COLUMN_CONTENT].len > max_text) {
        return judge_batch_map_wrong(m, row, content, "expected at most %zu"
                                     " bytes", max_text);
    }

    name = &cells[JUDGE_COLUMN_TITLE];
    if (name->len == 0) {
        *name = judge_str_printf(m->arena, "Row %llu",
                                 (unsigned long long) row->number);
        if (name->data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    *item = (judge_batch_item_t) {
        .name = *name,
        .description = cells[JUDGE_COLUMN_DESCRIPTION],
        .text_content = cells[JUDGE_COLUMN_CONTENT]
    };

    return judge_batch_map_metadata(m, row, &item->metadata);
}
