/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * All results of a batch in one answer, which is made page by page: a page is
 * read, rendered in a thread and sent before the next one is read, so that
 * memory does not grow with the batch nor with a client that reads slowly.
 * The answer begins when its first page is there: then it is known whether
 * it is a large one.
 */


#include "work/render/evaluation_json.h"
#include "api/batches/batches.h"
#include "api/batches/results_csv.h"
#include "api/http/request.h"


#define JUDGE_EXPORT_PAGE     200

/* While a page is rendered it is in memory twice. */
#define JUDGE_EXPORT_RESERVE  (2 * JUDGE_PAGE_BYTES)

typedef struct judge_export  judge_export_t;

typedef struct {
    const char   *type;                /* Content-Type */
    const char   *suffix;
    void        (*head)(judge_export_t *c, judge_buf_t *out);
    judge_rc_e  (*row)(judge_export_t *c, judge_buf_t *out,
                       const judge_batch_result_row_t *row);
    void        (*tail)(judge_export_t *c, judge_buf_t *out);
} judge_export_format_t;

struct judge_export {
    judge_choice_t                format;
    const judge_export_format_t  *as;
    judge_batch_find_t            find;
    judge_batch_criteria_t        criteria;
    judge_results_csv_columns_t   columns;
    judge_batch_results_t         page;
    judge_id_t                    last; /* of the page before */
    bool                          started;
    bool                          begun;    /* the head is sent */
    judge_buf_t                   out;
    judge_str_t                   text;     /* of the page */
    judge_rc_e                    rc;
};


static bool judge_export(judge_req_t *r);
static void judge_export_found(judge_req_t *r);
static judge_rc_e judge_export_judges(judge_req_t *r);
static void judge_export_columns(judge_req_t *r);
static void judge_export_page(judge_req_t *r);
static void judge_export_read(judge_req_t *r);
static void judge_export_render(judge_req_t *r);
static void judge_export_rendered(judge_req_t *r);
static void judge_export_begin(judge_req_t *r);
static void judge_export_send(judge_req_t *r);
static void judge_export_json_head(judge_export_t *c, judge_buf_t *out);
static judge_rc_e judge_export_json_row(judge_export_t *c, judge_buf_t *out,
    const judge_batch_result_row_t *row);
static void judge_export_json_tail(judge_export_t *c, judge_buf_t *out);
static judge_rc_e judge_export_jsonl_row(judge_export_t *c, judge_buf_t *out,
    const judge_batch_result_row_t *row);
static void judge_export_csv_head(judge_export_t *c, judge_buf_t *out);
static judge_rc_e judge_export_csv_row(judge_export_t *c, judge_buf_t *out,
    const judge_batch_result_row_t *row);


#define JUDGE_EXPORT_CSV  2

static const char *const  judge_export_formats[] = {
    "json", "jsonl", "csv", NULL
};

static const judge_export_format_t  judge_export_as[] = {
    { "application/json", "json", judge_export_json_head,
      judge_export_json_row, judge_export_json_tail },
    { "application/x-ndjson", "jsonl", NULL, judge_export_jsonl_row, NULL },
    { "text/csv; charset=utf-8; header=present", "csv",
      judge_export_csv_head, judge_export_csv_row, NULL }
};

static const judge_field_t  judge_export_query[] = {
    judge_field_one_of(judge_export_t, format, CHOICE, 0,
                       judge_export_formats),
    { .name = NULL }
};


const judge_route_t  judge_batch_results_routes[] = {
    { .method = JUDGE_GET, .pattern = "/batches/{batch_id}/results",
      .permission = JUDGE_MAY_READ_EVALUATIONS,
      .ctx_size = sizeof(judge_export_t), .query = judge_export_query,
      .resource = &judge_batches_resource,
      .op = { judge_route_op(JUDGE_OP_BATCH_FIND, judge_export_t, find.),
              .prepare = judge_export, .next = judge_export_found } },
    { .pattern = NULL }
};


static bool
judge_export(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    c->as = &judge_export_as[c->format.set ? c->format.value : 0];
    c->find.brief = true;

    return true;
}


static void
judge_export_found(judge_req_t *r)
{
    judge_rc_e       rc;
    judge_export_t  *c = r->ctx;

    if (c->format.value != JUDGE_EXPORT_CSV) {
        judge_export_page(r);
        return;
    }

    rc = judge_export_judges(r);
    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    c->criteria.op.kind = JUDGE_OP_BATCH_CRITERIA;
    judge_await(r, &c->criteria.op, judge_export_columns);
}


/* The judges of the batch in the versions that it was made with. */

static judge_rc_e
judge_export_judges(judge_req_t *r)
{
    size_t               i, n;
    judge_json_t        *ids, *versions;
    const judge_json_t  *id, *version;
    judge_export_t      *c = r->ctx;

    if (judge_json_parse(r->arena, c->find.row.judge_ids, &ids, NULL)
        != JUDGE_OK
        || judge_json_parse(r->arena, c->find.row.judge_versions, &versions,
                            NULL)
           != JUDGE_OK
        || ids->type != JUDGE_JSON_ARRAY || versions->type != JUDGE_JSON_ARRAY
        || ids->count != versions->count)
    {
        return JUDGE_ERROR;
    }

    n = ids->count;
    c->criteria.count = n;
    c->criteria.judge_ids = judge_array_alloc(r->arena, n,
                                              sizeof(judge_str_t));
    c->criteria.versions = judge_array_alloc(r->arena, n, sizeof(int64_t));
    c->criteria.criteria = judge_array_alloc(r->arena, n,
                                             sizeof(judge_str_t));
    if (c->criteria.judge_ids == NULL || c->criteria.versions == NULL
        || c->criteria.criteria == NULL)
    {
        return JUDGE_NOMEM;
    }

    id = ids->first;
    version = versions->first;

    for (i = 0; i < n; i++) {
        if (id->type != JUDGE_JSON_STRING
            || version->type != JUDGE_JSON_INTEGER)
        {
            return JUDGE_ERROR;
        }
        c->criteria.judge_ids[i] = id->string;
        c->criteria.versions[i] = version->integer;
        id = id->next;
        version = version->next;
    }

    return JUDGE_OK;
}


static void
judge_export_columns(judge_req_t *r)
{
    judge_rc_e       rc;
    judge_export_t  *c = r->ctx;

    rc = judge_results_csv_columns(r->arena, c->criteria.criteria,
                                   c->criteria.count, &c->columns);
    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    judge_export_page(r);
}


static void
judge_export_page(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    c->page.op.kind = JUDGE_OP_BATCH_RESULTS;
    c->page.id = c->find.id;
    c->page.page.limit = JUDGE_EXPORT_PAGE;
    c->page.rows = NULL;
    c->page.count = 0;
    c->page.page.more = false;
    if (c->last.text[0]) {
        c->page.after = judge_id_str(&c->last);
    }

    judge_await_page(r, &c->page.op, judge_export_read);
}


static void
judge_export_read(judge_req_t *r)
{
    judge_compute(r, judge_export_render, judge_export_rendered);
}


/* In a thread. */

static void
judge_export_render(judge_req_t *r)
{
    size_t           i;
    judge_export_t  *c = r->ctx;

    judge_buf_init(&c->out, c->page.op.arena);

    if (!c->started && c->as->head) {
        c->as->head(c, &c->out);
    }

    for (i = 0; c->rc == JUDGE_OK && i < c->page.count; i++) {
        c->rc = c->as->row(c, &c->out, &c->page.rows[i]);
        c->started = true;
    }

    c->started = true;

    if (c->page.count) {
        judge_id_set(&c->last, c->page.rows[c->page.count - 1].evaluation.id);
    }

    if (!c->page.page.more && c->as->tail) {
        c->as->tail(c, &c->out);
    }

    if (c->rc == JUDGE_OK && c->out.failed) {
        c->rc = JUDGE_NOMEM;
    }

    c->text = c->out.len ? judge_req_keep(r, judge_buf_view(&c->out))
                         : JUDGE_STR("");
}


/* An answer that has begun and can't go on is cut off, so that no client takes
 * a part for the whole. */

static void
judge_export_rendered(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    if (c->rc != JUDGE_OK) {
        judge_fail_rc(r, c->rc);
        return;
    }

    if (c->begun) {
        judge_export_send(r);
    } else {
        judge_export_begin(r);
    }
}


static void
judge_export_begin(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    c->begun = true;
    r->reserve = c->page.page.more ? JUDGE_EXPORT_RESERVE : 0;
    judge_reply_header(r, "Content-Disposition",
                       judge_str_printf(r->arena,
                                        "attachment; filename=\"%.*s.%s\"",
                                        (int) c->find.id.len, c->find.id.data,
                                        c->as->suffix));
    judge_stream_begin(r, 200, c->as->type, judge_export_send);
}


static void
judge_export_send(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    if (c->page.page.more) {
        judge_stream_write(r, c->text, judge_export_page);
    } else {
        judge_stream_end(r, c->text);
    }
}


/* The array is the last member, closed by the tail. */

static void
judge_export_json_head(judge_export_t *c, judge_buf_t *out)
{
    judge_buf_printf(out, "{\"batch_id\":\"%.*s\",\"status\":\"%.*s\","
                     "\"total_evaluations\":%lld,\"results\":[",
                     (int) c->find.id.len, c->find.id.data,
                     (int) c->find.row.status.len, c->find.row.status.data,
                     (long long) c->find.row.total);
}


static judge_rc_e
judge_export_json_row(judge_export_t *c, judge_buf_t *out,
    const judge_batch_result_row_t *row)
{
    judge_json_writer_t  w;

    if (c->started) {
        judge_buf_append(out, ",", 1);
    }

    judge_json_begin(&w, out);
    judge_evaluation_json(&w, &row->evaluation, false);

    return judge_json_finish(&w);
}


static void
judge_export_json_tail(judge_export_t *c, judge_buf_t *out)
{
    judge_buf_c(out, "]}");
}


static judge_rc_e
judge_export_jsonl_row(judge_export_t *c, judge_buf_t *out,
    const judge_batch_result_row_t *row)
{
    judge_rc_e           rc;
    judge_json_writer_t  w;

    judge_json_begin(&w, out);
    judge_evaluation_json(&w, &row->evaluation, false);
    rc = judge_json_finish(&w);
    judge_buf_append(out, "\n", 1);

    return rc;
}


static void
judge_export_csv_head(judge_export_t *c, judge_buf_t *out)
{
    judge_csv_writer_t  w;

    judge_csv_begin(&w, out);
    judge_results_csv_head(&w, &c->columns);
}


static judge_rc_e
judge_export_csv_row(judge_export_t *c, judge_buf_t *out,
    const judge_batch_result_row_t *row)
{
    judge_csv_writer_t  w;

    judge_csv_begin(&w, out);

    return judge_results_csv_row(&w, c->page.op.arena, &c->columns, row);
}
