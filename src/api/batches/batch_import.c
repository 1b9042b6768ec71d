/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Batches out of tables: CSV in any usual encoding and dialect, whose rows
 * become items while the bytes arrive.  What is held back is what the dialect
 * is told by: the beginning of the text.
 */


#include <string.h>

#include "base/text/charset.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "analysis/columns/columns.h"
#include "api/batches/batches.h"
#include "api/http/request.h"


#define JUDGE_IMPORT_SAMPLE  65536     /* bytes of text */
#define JUDGE_IMPORT_NO_TEXT  "body: expected a table as text"

#define JUDGE_COLUMN_METADATA_MAX  2097152
#define JUDGE_COLUMN_SHOWN         60  /* bytes of a name in a sentence */

_Static_assert(JUDGE_COLUMN_TITLE_MAX == JUDGE_BATCH_ITEM_NAME_MAX
               && JUDGE_COLUMN_DESCRIPTION_MAX == JUDGE_BATCH_DESCRIPTION_MAX,
               "an item takes what its columns take");

#define JUDGE_COLUMN_NONE  SIZE_MAX

/* A column that becomes a member of the metadata. */
typedef struct {
    judge_str_t  key;
    size_t       column;
} judge_column_member_t;

typedef struct {
    judge_arena_t          *arena;
    judge_str_t             error;     /* the sentence, of JUDGE_INVALID */

    judge_str_t             wanted[JUDGE_COLUMN_FIELDS];  /* absent: none; of
                                          the metadata, separated by commas */

    size_t                  columns[JUDGE_COLUMN_FIELDS];
    judge_column_member_t  *members;
    size_t                  nmembers;
    judge_str_t            *names;     /* absent: no header */
    size_t                  nnames;
} judge_csv_mapping_t;

typedef struct {
    judge_batch_creation_t      make;
    judge_str_t                 judges;  /* separated by commas */
    judge_boolean_t             header;  /* not set: there is one */
    judge_csv_mapping_t         mapping;

    judge_req_t            *r;
    bool                    open;
    bool                    mapped;
    judge_charset_reader_t  charset;
    judge_buf_t             text;      /* decoded, not yet read */
    judge_csv_t            *csv;
    judge_rc_e              rc;
} judge_batch_import_t;


static void judge_batch_import(judge_req_t *r);
static void judge_batch_import_piece(judge_req_t *r, const char *data,
    size_t len);
static bool judge_batch_import_open(judge_req_t *r);
static judge_rc_e judge_batch_import_judges(judge_req_t *r);
static void judge_batch_import_close(judge_req_t *r);
static judge_rc_e judge_batch_import_read(judge_batch_import_t *c, bool all);
static judge_rc_e judge_batch_import_row(void *data,
    const judge_csv_row_t *row);
static void judge_batch_import_end(judge_req_t *r);
static judge_rc_e judge_batch_import_rest(judge_batch_import_t *c);
static void judge_batch_import_ended(judge_req_t *r);
static judge_rc_e judge_csv_mapping_refuse(judge_csv_mapping_t *m,
    const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static judge_rc_e judge_csv_mapping_find(judge_csv_mapping_t *m,
    const judge_csv_row_t *row, bool header);
static judge_rc_e judge_csv_mapping_column(judge_csv_mapping_t *m,
    const char *parameter, judge_str_t wanted, size_t columns, size_t *column);
static judge_rc_e judge_csv_mapping_members(judge_csv_mapping_t *m,
    size_t columns);
static judge_rc_e judge_csv_mapping_member(judge_csv_mapping_t *m,
    judge_str_t key, size_t column);
static judge_str_t judge_csv_mapping_trim(judge_str_t s);
static judge_rc_e judge_csv_mapping_cell(judge_csv_mapping_t *m,
    const judge_csv_row_t *row, judge_column_field_e field, judge_str_t *out);
static judge_rc_e judge_csv_mapping_wrong(judge_csv_mapping_t *m,
    const judge_csv_row_t *row, size_t column, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static judge_rc_e judge_csv_mapping_metadata(judge_csv_mapping_t *m,
    const judge_csv_row_t *row, judge_str_t *json);
static judge_rc_e judge_csv_mapping_item(judge_csv_mapping_t *m,
    const judge_csv_row_t *row, size_t max_text, judge_batch_item_t *item);


#define judge_batch_import_column(field, index)                               \
    { .name = field, .type = JUDGE_FIELD_STRING, .min = 1, .max = 200,        \
      .offset = offsetof(judge_batch_import_t, mapping.wanted[index]) }

static const judge_field_t  judge_batch_import_query[] = {
    judge_field_as("name", judge_batch_import_t, make.create.row.name, STRING,
                   0, 1, JUDGE_BATCH_NAME_MAX),
    judge_field_as("judge_ids", judge_batch_import_t, judges, STRING, 0, 1,
                   40000),
    judge_field_one_of_as("priority", judge_batch_import_t, make.priority,
                          CHOICE, 0, judge_priorities),
    judge_field_as("auto_start", judge_batch_import_t, make.auto_start,
                   BOOLEAN, 0, 0, 0),
    judge_field(judge_batch_import_t, header, BOOLEAN, 0, 0, 0),
    judge_batch_import_column("content", JUDGE_COLUMN_CONTENT),
    judge_batch_import_column("title", JUDGE_COLUMN_TITLE),
    judge_batch_import_column("description", JUDGE_COLUMN_DESCRIPTION),
    judge_batch_import_column("category", JUDGE_COLUMN_CATEGORY),
    judge_batch_import_column("id", JUDGE_COLUMN_ID),
    judge_field_as("metadata", judge_batch_import_t,
                   mapping.wanted[JUDGE_COLUMN_METADATA], STRING, 0, 1, 5000),
    { .name = NULL }
};

static const char *const  judge_batch_import_types[] = {
    "text/csv", "application/csv", NULL
};


const judge_route_t  judge_batch_import_routes[] = {
    { judge_route(POST, "/batches/import", JUDGE_MAY_WRITE_EVALUATIONS,
                  JUDGE_ROUTE_CREATES|JUDGE_ROUTE_LARGE_BODY,
                  judge_batch_import_t),
      .query = judge_batch_import_query,
      .handler = judge_batch_import, judge_batch_creation_op,
      .consume = judge_batch_import_piece,
      .accepts = judge_batch_import_types },
    { .pattern = NULL }
};


/* The body is complete: the rest of it is parsed in a thread. */

static void
judge_batch_import(judge_req_t *r)
{
    judge_batch_import_t  *c = r->ctx;

    if (!c->open && !judge_batch_import_open(r)) {
        judge_fail(r, r->refusal_status, "%.*s", (int) r->refusal.len,
                   r->refusal.data);
        return;
    }

    judge_compute(r, judge_batch_import_end, judge_batch_import_ended);
}


static void
judge_batch_import_piece(judge_req_t *r, const char *data, size_t len)
{
    judge_batch_import_t  *c = r->ctx;

    if (!c->open && !judge_batch_import_open(r)) {
        return;
    }

    c->rc = judge_charset_feed(&c->charset, (judge_str_t) { len, data },
                               &c->text);

    if (c->rc == JUDGE_INVALID) {
        c->mapping.error = JUDGE_STR(JUDGE_IMPORT_NO_TEXT);
    } else if (c->rc == JUDGE_OK) {
        c->rc = judge_batch_import_read(c, false);
    }

    if (c->rc == JUDGE_INVALID) {
        judge_req_refuse(r, 400, c->mapping.error);
    } else if (c->rc != JUDGE_OK) {
        judge_req_refuse(r, 500, JUDGE_STR("out of memory"));
    }
}


/* The required parameters of the query are checked before the body is read. */

static bool
judge_batch_import_open(judge_req_t *r)
{
    judge_rc_e             rc;
    judge_batch_import_t  *c = r->ctx;

    if (c->make.create.row.name.data == NULL) {
        judge_req_refuse(r, 400, JUDGE_STR("name: required, expected a"
                         " non-empty string of at most 200 characters"));
        return false;
    }

    rc = judge_batch_import_judges(r);
    if (rc == JUDGE_INVALID) {
        judge_req_refuse(r, 400, JUDGE_STR("judge_ids: required, expected"
                         " identifiers of judges, separated by commas"));
        return false;
    }
    if (rc != JUDGE_OK) {
        judge_req_refuse(r, 500, JUDGE_STR("out of memory"));
        return false;
    }

    if (c->mapping.wanted[JUDGE_COLUMN_CONTENT].data == NULL) {
        c->mapping.wanted[JUDGE_COLUMN_CONTENT] = JUDGE_STR("content");
    }

    c->r = r;
    c->mapping.arena = r->arena;
    c->make.table = true;
    judge_charset_open(&c->charset);
    judge_buf_init(&c->text, NULL);
    r->cleanup = judge_batch_import_close;
    c->open = true;

    return true;
}


static judge_rc_e
judge_batch_import_judges(judge_req_t *r)
{
    size_t                 i, n;
    judge_str_t           *ids, part;
    judge_batch_import_t  *c = r->ctx;

    for (i = 0, n = 1; i < c->judges.len; i++) {
        n += c->judges.data[i] == ',';
    }

    ids = judge_array_alloc(r->arena, n, sizeof(judge_str_t));
    if (ids == NULL) {
        return JUDGE_NOMEM;
    }

    c->make.judge_ids = (judge_list_t) { ids, n, true };
    part.data = c->judges.data;

    for (i = 0; i < n; i++) {
        part.len = 0;
        while (part.data + part.len < c->judges.data + c->judges.len
               && part.data[part.len] != ',')
        {
            part.len++;
        }

        if (part.len == 0) {
            return JUDGE_INVALID;
        }

        ids[i] = part;
        part.data += part.len + 1;
    }

    return JUDGE_OK;
}


static void
judge_batch_import_close(judge_req_t *r)
{
    judge_batch_import_t  *c = r->ctx;

    judge_charset_close(&c->charset);
    judge_buf_free(&c->text);
    judge_csv_free(c->csv);
    c->csv = NULL;
}


static judge_rc_e
judge_batch_import_read(judge_batch_import_t *c, bool all)
{
    judge_rc_e         rc;
    judge_str_t        text;
    judge_csv_sniff_t  sniff;

    text = (judge_str_t) { c->text.len, c->text.len ? c->text.data : "" };

    if (c->csv == NULL) {
        if (!all && text.len < JUDGE_IMPORT_SAMPLE) {
            return JUDGE_OK;
        }

        rc = judge_csv_sniff(text, &sniff);
        if (rc != JUDGE_OK) {
            return rc;
        }

        c->csv = judge_csv_create(&sniff.dialect, NULL, judge_batch_import_row,
                                  c);
        if (c->csv == NULL) {
            return JUDGE_NOMEM;
        }
    }

    rc = judge_csv_feed(c->csv, text);
    c->text.len = 0;

    if (rc == JUDGE_INVALID && c->mapping.error.data == NULL) {
        return judge_csv_mapping_refuse(&c->mapping, "body: %.*s",
                                        (int) judge_csv_error(c->csv).len,
                                        judge_csv_error(c->csv).data);
    }

    return rc;
}


static judge_rc_e
judge_batch_import_row(void *data, const judge_csv_row_t *row)
{
    bool                   header;
    size_t                 max;
    judge_rc_e             rc;
    judge_batch_import_t  *c = data;
    judge_settings_t      *settings;
    judge_batch_item_t     item;

    settings = &c->r->service->settings;
    header = !c->header.set || c->header.value;

    if (!c->mapped) {
        c->mapped = true;
        rc = judge_csv_mapping_find(&c->mapping, row, header);
        if (rc != JUDGE_OK || header) {
            return rc;
        }
    }

    max = (size_t) settings->max_items;
    if (judge_batch_item_count(&c->make) == max) {
        return judge_csv_mapping_refuse(&c->mapping, "row %llu: expected at"
                                        " most %zu rows%s",
                                        (unsigned long long) row->number, max,
                                        header ? " below the header" : "");
    }

    rc = judge_csv_mapping_item(&c->mapping, row, settings->max_text, &item);
    if (rc != JUDGE_OK) {
        return rc;
    }

    return judge_batch_item_add(c->r, &item) ? JUDGE_OK : JUDGE_NOMEM;
}


/* In a thread. */

static void
judge_batch_import_end(judge_req_t *r)
{
    judge_batch_import_t  *c = r->ctx;

    c->rc = judge_batch_import_rest(c);
}


static judge_rc_e
judge_batch_import_rest(judge_batch_import_t *c)
{
    bool        header;
    judge_rc_e  rc;

    header = !c->header.set || c->header.value;

    rc = judge_charset_finish(&c->charset, &c->text);
    if (rc == JUDGE_INVALID) {
        return judge_csv_mapping_refuse(&c->mapping, JUDGE_IMPORT_NO_TEXT);
    }

    if (rc == JUDGE_OK && c->charset.replaced) {
        return judge_csv_mapping_refuse(&c->mapping, "body: it is not"
                                        " well-formed %s",
                                        judge_charset_name(
                                            c->charset.charset));
    }

    if (rc == JUDGE_OK) {
        rc = judge_batch_import_read(c, true);
    }

    if (rc == JUDGE_OK) {
        rc = judge_csv_finish(c->csv);
        if (rc == JUDGE_INVALID && c->mapping.error.data == NULL) {
            return judge_csv_mapping_refuse(&c->mapping, "body: the last row"
                                            " is too long");
        }
    }

    if (rc == JUDGE_OK && judge_batch_item_count(&c->make) == 0) {
        return judge_csv_mapping_refuse(&c->mapping, "body: expected a table"
                                        " %s row%s",
                                        header ? "with a header and at least"
                                                 " one" : "of at least one",
                                        header ? " below it" : "");
    }

    return rc;
}


static void
judge_batch_import_ended(judge_req_t *r)
{
    judge_batch_import_t  *c = r->ctx;

    if (judge_check(r, c->rc, &c->mapping.error)) {
        judge_batch_create(r);
    }
}


/*
 * Which column of a table becomes what of an item, and making items out of
 * rows by that.  A column is named by its header or, from 1 on, as #N.
 */

static judge_rc_e
judge_csv_mapping_refuse(judge_csv_mapping_t *m, const char *fmt, ...)
{
    va_list      args;
    judge_buf_t  buf;

    judge_buf_init(&buf, m->arena);

    va_start(args, fmt);
    judge_buf_vprintf(&buf, fmt, args);
    va_end(args);

    m->error = judge_buf_view(&buf);

    return m->error.data ? JUDGE_INVALID : JUDGE_NOMEM;
}


static judge_rc_e
judge_csv_mapping_find(judge_csv_mapping_t *m, const judge_csv_row_t *row,
    bool header)
{
    size_t      i;
    judge_rc_e  rc;

    if (header) {
        m->nnames = row->nfields;
        m->names = judge_array_alloc(m->arena, m->nnames,
                                     sizeof(judge_str_t));
        if (m->names == NULL) {
            return JUDGE_NOMEM;
        }
    }

    for (i = 0; i < m->nnames; i++) {
        m->names[i] = judge_str_dup(m->arena,
                                    judge_csv_mapping_trim(row->fields[i]));
        if (m->names[i].data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    for (i = 0; i < JUDGE_COLUMN_FIELDS; i++) {
        m->columns[i] = JUDGE_COLUMN_NONE;
        if (i == JUDGE_COLUMN_METADATA || m->wanted[i].data == NULL) {
            continue;
        }

        rc = judge_csv_mapping_column(m, judge_column_fields[i].name,
                                      m->wanted[i], row->nfields,
                                      &m->columns[i]);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return judge_csv_mapping_members(m, row->nfields);
}


/* By its very name first, then by the letters of it, then by its number. */

static judge_rc_e
judge_csv_mapping_column(judge_csv_mapping_t *m, const char *parameter,
    judge_str_t wanted, size_t columns, size_t *column)
{
    size_t       i;
    int64_t      number;
    judge_str_t  digits;

    for (i = 0; i < 2 * m->nnames; i++) {
        *column = i % m->nnames;
        if (i < m->nnames ? judge_str_eq(m->names[*column], wanted)
                          : judge_str_caseeq(m->names[*column], wanted))
        {
            return JUDGE_OK;
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

    return judge_csv_mapping_refuse(m, "%s: the table has no column \"%.*s\";"
                                    " expected the name or the number (#1 to"
                                    " #%zu) of one that it has", parameter,
                                    (int) wanted.len, wanted.data, columns);
}


/* category and id first, then what is asked for as metadata. */

static judge_rc_e
judge_csv_mapping_members(judge_csv_mapping_t *m, size_t columns)
{
    size_t       i, n, column;
    judge_rc_e   rc;
    judge_str_t  rest, part;

    rest = m->wanted[JUDGE_COLUMN_METADATA];
    for (i = 0, n = 1; i < rest.len; i++) {
        n += rest.data[i] == ',';
    }

    m->members = judge_array_alloc(m->arena, n + JUDGE_COLUMN_FIELDS,
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

    while (rest.len) {
        for (n = 0; n < rest.len && rest.data[n] != ','; n++) { /* void */ }

        part = judge_csv_mapping_trim((judge_str_t) { n, rest.data });
        n += n < rest.len;
        rest.data += n;
        rest.len -= n;

        rc = judge_csv_mapping_column(m, "metadata", part, columns, &column);
        if (rc == JUDGE_OK) {
            rc = judge_csv_mapping_member(m, part, column);
        }
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


/* A member is called as its column is; without a header, by the number. */

static judge_rc_e
judge_csv_mapping_member(judge_csv_mapping_t *m, judge_str_t key,
    size_t column)
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

    for (i = 0; i < m->nmembers; i++) {
        if (judge_str_eq(m->members[i].key, key)) {
            key = judge_utf8_prefix(key, JUDGE_COLUMN_SHOWN);
            return judge_csv_mapping_refuse(m, "metadata: two columns would"
                                            " become \"%.*s\"",
                                            (int) key.len, key.data);
        }
    }

    m->members[m->nmembers++] = (judge_column_member_t) { key, column };

    return JUDGE_OK;
}


static judge_str_t
judge_csv_mapping_trim(judge_str_t s)
{
    while (s.len && (unsigned char) s.data[0] <= ' ') {
        s.data++;
        s.len--;
    }

    while (s.len && (unsigned char) s.data[s.len - 1] <= ' ') {
        s.len--;
    }

    return s;
}


/* With a cell too few or too many, values would be in the wrong columns. */

static judge_rc_e
judge_csv_mapping_item(judge_csv_mapping_t *m, const judge_csv_row_t *row,
    size_t max_text, judge_batch_item_t *item)
{
    size_t       i, content;
    judge_rc_e   rc;
    judge_str_t  cells[JUDGE_COLUMN_FIELDS], *name;

    if (row->flags & JUDGE_CSV_UNCLOSED) {
        return judge_csv_mapping_wrong(m, row, row->nfields - 1,
                                       "the quotes are not closed");
    }

    if (row->flags & JUDGE_CSV_UNEVEN) {
        return judge_csv_mapping_refuse(m, "row %llu: expected as many columns"
                                        " as the first row has; there are %zu",
                                        (unsigned long long) row->number,
                                        row->nfields);
    }

    for (i = 0; i < JUDGE_COLUMN_FIELDS; i++) {
        rc = judge_csv_mapping_cell(m, row, (judge_column_field_e) i,
                                    &cells[i]);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    content = m->columns[JUDGE_COLUMN_CONTENT];

    if (judge_csv_mapping_trim(cells[JUDGE_COLUMN_CONTENT]).len == 0) {
        return judge_csv_mapping_wrong(m, row, content, "expected a text; the"
                                       " cell is empty");
    }

    if (cells[JUDGE_COLUMN_CONTENT].len > max_text) {
        return judge_csv_mapping_wrong(m, row, content, "expected at most %zu"
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

    return judge_csv_mapping_metadata(m, row, &item->metadata);
}


/* An empty cell is absent, but for the content. */

static judge_rc_e
judge_csv_mapping_cell(judge_csv_mapping_t *m, const judge_csv_row_t *row,
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
        cell = judge_csv_mapping_trim(cell);
    }

    if (cell.len == 0) {
        return JUDGE_OK;
    }

    if (memchr(cell.data, '\0', cell.len)) {
        return judge_csv_mapping_wrong(m, row, column, "must not contain the"
                                       " character U+0000");
    }

    max = judge_column_fields[field].max;
    if (max && judge_utf8_length(cell) > max) {
        return judge_csv_mapping_wrong(m, row, column, "expected at most %zu"
                                       " characters", max);
    }

    *out = judge_str_dup(m->arena, cell);

    return out->data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_csv_mapping_wrong(judge_csv_mapping_t *m, const judge_csv_row_t *row,
    size_t column, const char *fmt, ...)
{
    va_list      args;
    judge_str_t  name;
    judge_buf_t  buf;

    judge_buf_init(&buf, m->arena);
    judge_buf_printf(&buf, "row %llu, column ",
                     (unsigned long long) row->number);

    if (column < m->nnames && m->names[column].len) {
        name = judge_utf8_prefix(m->names[column], JUDGE_COLUMN_SHOWN);
        judge_buf_printf(&buf, "\"%.*s\": ", (int) name.len, name.data);
    } else {
        judge_buf_printf(&buf, "#%zu: ", column + 1);
    }

    va_start(args, fmt);
    judge_buf_vprintf(&buf, fmt, args);
    va_end(args);

    m->error = judge_buf_view(&buf);

    return m->error.data ? JUDGE_INVALID : JUDGE_NOMEM;
}


static judge_rc_e
judge_csv_mapping_metadata(judge_csv_mapping_t *m, const judge_csv_row_t *row,
    judge_str_t *json)
{
    size_t               i, n;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, m->arena);

    for (i = 0, n = 0; i < m->nmembers; i++) {
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

    if (json->len > JUDGE_COLUMN_METADATA_MAX) {
        return judge_csv_mapping_refuse(m, "row %llu: expected metadata of at"
                                        " most %d bytes",
                                        (unsigned long long) row->number,
                                        JUDGE_COLUMN_METADATA_MAX);
    }

    if (n == 0) {
        *json = (judge_str_t) { 0, NULL };
    }

    return JUDGE_OK;
}
