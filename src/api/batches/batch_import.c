/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* POST /batches/import: a batch from CSV in any usual encoding and dialect, or
 * from lines of JSON.  Rows become items while the bytes arrive; of CSV only
 * the beginning of the text is buffered, because the dialect is detected from
 * it. */


#include "base/text/charset.h"
#include "base/text/utf8.h"
#include "api/batches/batches.h"
#include "api/batches/batch_map.h"
#include "api/http/request.h"


#define JUDGE_IMPORT_SAMPLE  65536     /* bytes that show the dialect */
#define JUDGE_IMPORT_NO_TEXT  "body: expected a table as text"

/* What a row has may stand in the item of each system, and in several members
 * of its metadata.  All items may have so many times the bytes that a body may
 * have; small ones, whose number is limited, do not count. */
#define JUDGE_IMPORT_TIMES  4
#define JUDGE_IMPORT_SMALL  256


typedef struct {
    judge_batch_creation_t      make;
    judge_str_t                 judges;  /* separated by commas */
    judge_boolean_t             header;  /* not set: true */
    judge_boolean_t             check;   /* stores nothing */
    judge_choice_t              empty;
    int64_t                     characters;    /* of all texts */
    size_t                      bytes; /* of all items, but small ones */
    judge_batch_map_t           mapping;

    judge_req_t            *r;
    bool                    open;
    bool                    mapped;
    judge_charset_reader_t  charset;
    judge_buf_t             text;      /* decoded, not yet parsed */
    judge_csv_t            *csv;       /* NULL with lines of JSON */
    judge_batch_jsonl_t     lines;
    bool                    json;
    judge_rc_e              rc;
} judge_batch_import_t;


static void judge_batch_import(judge_req_t *r);
static void judge_batch_import_piece(judge_req_t *r, const char *data,
    size_t len);
static void judge_batch_import_ended(judge_req_t *r);


/* What becomes of a table with an empty text. */
static const char *const  judge_batch_import_empty[] = {
    "refuse", "fail", NULL
};

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
    judge_field(judge_batch_import_t, check, BOOLEAN, 0, 0, 0),
    judge_field_one_of(judge_batch_import_t, empty, CHOICE, 0,
                       judge_batch_import_empty),
    judge_batch_import_column("content", JUDGE_COLUMN_CONTENT),
    judge_batch_import_column("title", JUDGE_COLUMN_TITLE),
    judge_batch_import_column("description", JUDGE_COLUMN_DESCRIPTION),
    judge_batch_import_column("category", JUDGE_COLUMN_CATEGORY),
    judge_batch_import_column("id", JUDGE_COLUMN_ID),
    judge_field_as("metadata", judge_batch_import_t,
                   mapping.wanted[JUDGE_COLUMN_METADATA], STRING, 0, 1, 5000),
    judge_field_as("systems", judge_batch_import_t, mapping.wanted_systems,
                   STRING, 0, 1, 5000),
    judge_field_as("source", judge_batch_import_t,
                   mapping.added[JUDGE_COLUMN_SOURCE], STRING, 0, 1, 200),
    judge_field_as("preferred", judge_batch_import_t,
                   mapping.added[JUDGE_COLUMN_PREFERRED], STRING, 0, 1, 200),
    judge_batch_calls_field(judge_batch_import_t, make),
    judge_field_as("question", judge_batch_import_t,
                   mapping.added[JUDGE_COLUMN_QUESTION], STRING, 0, 1, 200),
    judge_field_as("reference", judge_batch_import_t,
                   mapping.added[JUDGE_COLUMN_REFERENCE], STRING, 0, 1, 200),
    { .name = NULL }
};

static const char *const  judge_batch_import_types[] = {
    "text/csv", "application/csv", "application/jsonl",
    "application/x-ndjson", NULL
};

static const char *const *const  judge_batch_import_lines =
    &judge_batch_import_types[2];


const judge_route_t  judge_batch_import_routes[] = {
    { judge_route(POST, "/batches/import", JUDGE_MAY_WRITE_EVALUATIONS,
                  JUDGE_ROUTE_CREATES|JUDGE_ROUTE_LARGE_BODY,
                  judge_batch_import_t),
      .query = judge_batch_import_query,
      .handler = judge_batch_import, judge_batch_creation_op,
      .consume = judge_batch_import_piece,
      .accepts = judge_batch_import_types, .location = "/batches/{id}" },
    { .pattern = NULL }
};


static judge_rc_e
judge_batch_import_judges(judge_req_t *r)
{
    size_t                 i, n;
    judge_str_t           *ids, rest;
    judge_batch_import_t  *c = r->ctx;

    if (c->judges.data == NULL) {
        return JUDGE_INVALID;
    }

    for (i = 0, n = 1; i < c->judges.len; i++) {
        n += c->judges.data[i] == ',';
    }

    ids = judge_array_alloc(r->arena, n, sizeof(judge_str_t));
    if (ids == NULL) {
        return JUDGE_NOMEM;
    }

    c->make.judge_ids = (judge_list_t) { ids, n, true };

    for (i = 0, rest = c->judges; i < n; i++) {
        ids[i] = judge_batch_map_part(&rest);
        if (ids[i].len == 0) {
            return JUDGE_INVALID;
        }
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
judge_batch_import_item(judge_batch_import_t *c, const judge_csv_row_t *row)
{
    size_t                   max, bytes;
    judge_rc_e               rc;
    judge_batch_item_t       item;
    const judge_settings_t  *settings = &c->r->service->settings;

    rc = judge_batch_map_item(&c->mapping, row, settings->max_text, &item);
    if (rc != JUDGE_OK) {
        return rc;
    }

    max = JUDGE_IMPORT_TIMES * settings->max_batch;
    c->characters += (int64_t) judge_utf8_length(item.text_content);
    bytes = item.name.len + item.description.len + item.metadata.len
            + item.text_content.len;
    c->bytes += bytes > JUDGE_IMPORT_SMALL ? bytes : 0;

    if (c->bytes > max) {
        return judge_batch_map_refuse(&c->mapping, "row %llu: the items up to"
                                      " this row have more than %zu bytes,"
                                      " because they repeat columns; expected"
                                      " fewer rows, systems or columns of"
                                      " metadata",
                                      (unsigned long long) row->number, max);
    }

    return judge_batch_item_add(c->r, &item) ? JUDGE_OK : JUDGE_NOMEM;
}


/* Adds the item of a row, or one for each of the systems. */

static judge_rc_e
judge_batch_import_add(judge_batch_import_t *c, const judge_csv_row_t *row)
{
    size_t              i;
    judge_rc_e          rc;
    judge_batch_map_t  *m = &c->mapping;

    for (i = 0; i == 0 || i < m->nsystems; i++) {
        if (m->nsystems) {
            m->system = m->systems[i];
            m->columns[JUDGE_COLUMN_CONTENT] = m->texts[i];
        }

        rc = judge_batch_import_item(c, row);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


static bool
judge_batch_import_header(const judge_batch_import_t *c)
{
    return c->json || !c->header.set || c->header.value;
}


static judge_rc_e
judge_batch_import_row(void *data, const judge_csv_row_t *row)
{
    bool                   header;
    size_t                 max, each;
    judge_rc_e             rc;
    judge_batch_import_t  *c = data;

    header = judge_batch_import_header(c);

    if (!c->mapped) {
        c->mapped = true;
        rc = judge_batch_map_find(&c->mapping, row, header);
        if (rc != JUDGE_OK || header) {
            return rc;
        }
    }

    each = c->mapping.nsystems ? c->mapping.nsystems : 1;
    max = (size_t) c->r->service->settings.max_items / each;
    if (c->make.nitems >= max * each) {
        return judge_batch_map_refuse(&c->mapping, "row %llu: expected at"
                                      " most %zu rows%s",
                                      (unsigned long long) row->number, max,
                                      c->json ? "" : header
                                      ? " below the header" : "");
    }

    return judge_batch_import_add(c, row);
}


/* The required query parameters are checked before the body is parsed. */

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

    if (c->mapping.wanted_systems.data
        && c->mapping.wanted[JUDGE_COLUMN_CONTENT].data)
    {
        judge_req_refuse(r, 400, JUDGE_STR("systems: expected either systems"
                         " or content, not both"));
        return false;
    }

    if (c->mapping.wanted[JUDGE_COLUMN_CONTENT].data == NULL
        && c->mapping.wanted_systems.data == NULL)
    {
        c->mapping.wanted[JUDGE_COLUMN_CONTENT] = JUDGE_STR("content");
    }

    c->r = r;
    c->mapping.arena = r->arena;
    c->mapping.empty_fails = c->check.value || c->empty.value != 0;
    c->make.table = true;
    c->json = judge_str_caseamong(judge_content_type(r),
                                  judge_batch_import_lines);
    c->lines = (judge_batch_jsonl_t) {
        .arena = r->arena, .handler = judge_batch_import_row, .data = c
    };
    judge_charset_open(&c->charset);
    judge_buf_init(&c->text, NULL);
    r->cleanup = judge_batch_import_close;
    c->open = true;

    return true;
}


static judge_rc_e
judge_batch_import_read(judge_batch_import_t *c, bool all)
{
    judge_rc_e         rc;
    judge_str_t        text;
    judge_csv_sniff_t  sniff;

    if (c->json) {
        rc = judge_batch_jsonl_feed(&c->lines, &c->text, all);
        return rc == JUDGE_INVALID && c->lines.error.data
               ? judge_batch_map_refuse(&c->mapping, "%.*s",
                                        judge_str_args(c->lines.error))
               : rc;
    }

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
        return judge_batch_map_refuse(&c->mapping, "body: %.*s",
                                      (int) judge_csv_error(c->csv).len,
                                      judge_csv_error(c->csv).data);
    }

    return rc;
}


static judge_rc_e
judge_batch_import_rest(judge_batch_import_t *c)
{
    bool        header;
    judge_rc_e  rc;

    header = judge_batch_import_header(c);

    rc = judge_charset_finish(&c->charset, &c->text);
    if (rc == JUDGE_INVALID) {
        return judge_batch_map_refuse(&c->mapping, JUDGE_IMPORT_NO_TEXT);
    }

    if (rc == JUDGE_OK && c->charset.replaced) {
        return judge_batch_map_refuse(&c->mapping, "body: it is not"
                                      " well-formed %s",
                                      judge_charset_name(c->charset.charset));
    }

    rc = rc ? rc : judge_batch_import_read(c, true);

    if (rc == JUDGE_OK && c->csv) {
        rc = judge_csv_finish(c->csv);
        if (rc == JUDGE_INVALID && c->mapping.error.data == NULL) {
            return judge_batch_map_refuse(&c->mapping, "body: the last row"
                                          " is too long");
        }
    }

    if (rc == JUDGE_OK && c->make.nitems == 0) {
        return judge_batch_map_refuse(&c->mapping, "body: expected %s",
                                      c->json ? "lines of JSON objects"
                                      : header ? "a table with a header and"
                                                 " at least one row below it"
                                      : "a table of at least one row");
    }

    return rc;
}


/* Runs in a thread. */

static void
judge_batch_import_end(judge_req_t *r)
{
    judge_batch_import_t  *c = r->ctx;

    c->rc = judge_batch_import_rest(c);
}


/* The body is complete: the rest of it is parsed in a thread. */

static void
judge_batch_import(judge_req_t *r)
{
    judge_batch_import_t  *c = r->ctx;

    if (!c->open && !judge_batch_import_open(r)) {
        judge_fail(r, r->refusal_status, "%.*s", judge_str_args(r->refusal));
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


/* Answers what a table would become, and stores nothing. */

static void
judge_batch_import_checked(judge_req_t *r)
{
    size_t                 i;
    judge_json_writer_t   *w;
    judge_batch_import_t  *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_put_int(w, "items", (int64_t) c->make.nitems);
    judge_json_put_int(w, "characters", c->characters);
    judge_json_put_int(w, "empty", (int64_t) c->mapping.nempty);
    judge_json_key_array(w, "empty_rows");

    for (i = 0; i < c->mapping.nnamed; i++) {
        judge_json_int(w, (int64_t) c->mapping.empty[i]);
    }

    judge_json_array_end(w);
    judge_reply_end(r);
}


static void
judge_batch_import_ended(judge_req_t *r)
{
    judge_batch_import_t  *c = r->ctx;

    if (c->rc == JUDGE_OK && c->mapping.nsystems) {
        c->make.create.systems = judge_json_strings_text(r->arena,
                                       c->mapping.systems,
                                       c->mapping.nsystems);
        c->rc = c->make.create.systems.data ? JUDGE_OK : JUDGE_NOMEM;
    }

    if (!judge_check(r, c->rc, &c->mapping.error)) {
        return;
    }

    if (c->check.value) {
        judge_batch_import_checked(r);
    } else {
        judge_batch_create(r);
    }
}
