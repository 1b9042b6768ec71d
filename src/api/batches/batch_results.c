/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * GET /batches/{batch_id}/results: all results in one answer.  A page is read,
 * rendered in a thread and sent before the next one is read, so that memory
 * grows neither with the batch nor with a client that reads slowly.  The
 * head is sent when the first page has been rendered, because only then it is
 * known whether more pages follow and memory has to be reserved for them.
 */


#include "base/csv/csv.h"
#include "work/render/evaluation_json.h"
#include "api/batches/batches.h"
#include "api/http/request.h"


#define JUDGE_EXPORT_PAGE     200
#define JUDGE_EXPORT_EXCERPT  300      /* characters of a text */

/* A page is in memory twice while it is rendered. */
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
    judge_boolean_t               contents;  /* adds the contents */
    bool                          names_seen;  /* whoever asks may read names
                                                  of contents */
    const judge_export_format_t  *writer;
    judge_batch_find_t            find;
    judge_str_t                  *judge_ids; /* CSV: those of the batch */
    int64_t                      *versions;  /* by judge */
    size_t                        njudges;
    size_t                        judge;     /* its criteria are read next */
    judge_batch_criteria_t        criteria;
    judge_str_t                   text_of_criteria;
    judge_buf_t                   names;     /* of criteria, for columns */
    judge_str_t                  *columns;
    size_t                        ncolumns;
    judge_batch_results_t         page;
    judge_id_t                    last; /* last id of the page before */
    bool                          started;
    bool                          begun;    /* the head has been sent */
    judge_buf_t                   out;
    judge_str_t                   text;     /* the rendered page */
};


static bool judge_export(judge_req_t *r);
static void judge_export_found(judge_req_t *r);
static void judge_export_criteria(judge_req_t *r);
static void judge_export_rendered(judge_req_t *r);
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

/* The columns before and after those of the criteria. */

static const char *const  judge_export_csv_front[] = {
    "evaluation_id", "content_id", "content_name", "judge_id", "status",
    "overall_score", NULL
};

static const char *const  judge_export_csv_back[] = {
    "summary", "strengths", "weaknesses", "suggestions", "error_code",
    "error_message", "evaluated_at", "coverage", "not_judged", NULL
};

#define JUDGE_EXPORT_LISTS      1      /* first index of a list's column */
#define JUDGE_EXPORT_LISTS_END  4

static const char *const  judge_export_formats[] = {
    "json", "jsonl", "csv", NULL
};

static const judge_export_format_t  judge_export_writers[] = {
    { "application/json", "json", judge_export_json_head,
      judge_export_json_row, judge_export_json_tail },
    { "application/x-ndjson", "jsonl", NULL, judge_export_jsonl_row, NULL },
    { "text/csv; charset=utf-8; header=present", "csv",
      judge_export_csv_head, judge_export_csv_row, NULL }
};

static const judge_field_t  judge_export_query[] = {
    judge_field_one_of(judge_export_t, format, CHOICE, 0,
                       judge_export_formats),
    judge_field(judge_export_t, contents, BOOLEAN, 0, 0, 0),
    { .name = NULL }
};


const judge_route_t  judge_batch_results_routes[] = {
    { judge_route(GET, "/batches/{batch_id}/results",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_export_t),
      .query = judge_export_query,
      .resource = &judge_batches_resource,
      .op = { judge_route_op(JUDGE_OP_BATCH_FIND, judge_export_t, find.),
              .prepare = judge_export, .next = judge_export_found } },
    { .pattern = NULL }
};


static bool
judge_export(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    c->names_seen = judge_auth_may(r, JUDGE_MAY_READ_CONTENT);
    if (c->contents.value && !c->names_seen) {
        return judge_fail(r, 403, "contents: the API key lacks the"
                          " permission %s",
                          judge_permission_name(JUDGE_MAY_READ_CONTENT));
    }

    c->writer = &judge_export_writers[c->format.set ? c->format.value : 0];
    c->find.brief = true;

    return true;
}


/* Runs in a thread. */

static void
judge_export_render(judge_req_t *r)
{
    size_t           i;
    judge_export_t  *c = r->ctx;

    judge_buf_init(&c->out, c->page.op.arena);

    if (!c->started && c->writer->head) {
        c->writer->head(c, &c->out);
    }

    for (i = 0; r->rc == JUDGE_OK && i < c->page.count; i++) {
        r->rc = c->writer->row(c, &c->out, &c->page.rows[i]);
        c->started = true;
    }

    c->started = true;

    if (c->page.count) {
        judge_id_set(&c->last, c->page.rows[c->page.count - 1].evaluation.id);
    }

    if (!c->page.page.more && c->writer->tail) {
        c->writer->tail(c, &c->out);
    }

    if (r->rc == JUDGE_OK && c->out.failed) {
        r->rc = JUDGE_NOMEM;
    }

    c->text = c->out.len ? judge_req_keep(r, judge_buf_view(&c->out))
                         : JUDGE_STR("");
}


static void
judge_export_read(judge_req_t *r)
{
    judge_compute(r, judge_export_render, judge_export_rendered);
}


static void
judge_export_page(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    c->page.op.kind = JUDGE_OP_BATCH_RESULTS;
    c->page.id = c->find.id;
    c->page.page.limit = JUDGE_EXPORT_PAGE;
    c->page.excerpt = c->contents.value ? JUDGE_EXPORT_EXCERPT : 0;
    c->page.rows = NULL;
    c->page.count = 0;
    c->page.page.more = false;
    if (c->last.text[0]) {
        c->page.after = judge_id_str(&c->last);
    }

    judge_await_page(r, &c->page.op, judge_export_read);
}


static void
judge_export_found(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    if (c->format.value != JUDGE_EXPORT_CSV) {
        judge_export_page(r);

    } else if (judge_check(r, judge_batch_judges(r->arena, &c->find.row,
                                                 &c->judge_ids, &c->versions,
                                                 &c->njudges), NULL))
    {
        judge_buf_init(&c->names, r->arena);
        judge_export_criteria(r);
    }
}


/* Runs in a thread.  Collects the names of a judge's criteria, each once, in
 * their order. */

static judge_rc_e
judge_export_names(judge_req_t *r)
{
    judge_rc_e           rc;
    judge_str_t          name;
    judge_json_t        *root;
    const judge_json_t  *criterion;
    judge_export_t      *c = r->ctx;

    rc = judge_json_parse(c->criteria.op.arena, c->text_of_criteria, &root,
                          NULL);
    if (rc != JUDGE_OK || root->type != JUDGE_JSON_ARRAY) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_ERROR;
    }

    for (criterion = root->first; criterion; criterion = criterion->next) {
        name = judge_json_string(criterion, "name");
        if (name.data == NULL) {
            return JUDGE_ERROR;
        }

        if (judge_str_index(c->columns, c->ncolumns, name) == c->ncolumns) {
            name = judge_str_dup(r->arena, name);
            judge_buf_append(&c->names, &name, sizeof(judge_str_t));
            if (name.data == NULL || c->names.failed) {
                return JUDGE_NOMEM;
            }
            c->columns = (judge_str_t *) (void *) c->names.data;
            c->ncolumns++;
        }
    }

    return JUDGE_OK;
}


static void
judge_export_columns(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    r->rc = c->text_of_criteria.data ? judge_export_names(r) : JUDGE_OK;
}


static void
judge_export_criteria_read(judge_req_t *r)
{
    judge_compute(r, judge_export_columns, judge_export_criteria);
}


/* Reads the criteria of one judge after the other, because those of a judge
 * may be as large as a body. */

static void
judge_export_criteria(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    if (c->judge == c->njudges) {
        judge_export_page(r);
        return;
    }

    c->text_of_criteria = (judge_str_t) { 0, NULL };
    c->criteria = (judge_batch_criteria_t) {
        .op = { .kind = JUDGE_OP_BATCH_CRITERIA },
        .judge_ids = &c->judge_ids[c->judge],
        .versions = &c->versions[c->judge],
        .criteria = &c->text_of_criteria, .count = 1
    };
    c->judge++;
    judge_await_page(r, &c->criteria.op, judge_export_criteria_read);
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


/* After the head has been sent an error closes the connection, so that no
 * client takes a part for the whole. */

static void
judge_export_rendered(judge_req_t *r)
{
    judge_export_t  *c = r->ctx;

    if (c->begun) {
        judge_export_send(r);
        return;
    }

    c->begun = true;
    r->reserve = c->page.page.more ? JUDGE_EXPORT_RESERVE : 0;
    judge_reply_header(r, "Content-Disposition",
                       judge_str_printf(r->arena,
                                        "attachment; filename=\"%.*s.%s\"",
                                        judge_str_args(c->find.id),
                                        c->writer->suffix));
    judge_stream_begin(r, 200, c->writer->type, judge_export_send);
}


/* The array of results is the last member; the tail closes both. */

static void
judge_export_json_head(judge_export_t *c, judge_buf_t *out)
{
    judge_buf_printf(out, "{\"batch_id\":\"%.*s\",\"status\":\"%.*s\","
                     "\"total_evaluations\":%lld,\"results\":[",
                     judge_str_args(c->find.id), (int) c->find.row.status.len,
                     c->find.row.status.data, (long long) c->find.row.total);
}


/* The record of an evaluation is stored as it is sent; the content is inserted
 * before the brace that closes it. */

static judge_rc_e
judge_export_record(judge_export_t *c, judge_buf_t *out,
    const judge_batch_result_row_t *row)
{
    judge_rc_e           rc;
    judge_json_writer_t  w;

    judge_json_begin(&w, out);
    judge_evaluation_json(&w, &row->evaluation, false);
    rc = judge_json_finish(&w);

    if (rc != JUDGE_OK || !c->contents.value
        || row->content_name.data == NULL)
    {
        return rc;
    }

    out->len--;
    judge_buf_c(out, ",\"content\":");
    judge_json_begin(&w, out);
    judge_json_object(&w);
    judge_json_put_str(&w, "name", row->content_name);
    judge_json_put_raw(&w, "metadata", row->content_metadata);
    judge_json_put_str(&w, "excerpt", row->content_excerpt);
    judge_json_object_end(&w);
    rc = judge_json_finish(&w);
    judge_buf_c(out, "}");

    return rc;
}


static judge_rc_e
judge_export_json_row(judge_export_t *c, judge_buf_t *out,
    const judge_batch_result_row_t *row)
{
    if (c->started) {
        judge_buf_append(out, ",", 1);
    }

    return judge_export_record(c, out, row);
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
    judge_rc_e  rc;

    rc = judge_export_record(c, out, row);
    judge_buf_append(out, "\n", 1);

    return rc;
}


/* --- CSV: a column for each name that a criterion has -------------------- */

static void
judge_export_csv_head(judge_export_t *c, judge_buf_t *out)
{
    size_t              i;
    judge_csv_writer_t  w;

    judge_csv_begin(&w, out);

    for (i = 0; judge_export_csv_front[i]; i++) {
        judge_csv_plain(&w, judge_str_c(judge_export_csv_front[i]));
    }

    for (i = 0; i < c->ncolumns; i++) {
        judge_csv_text(&w, c->columns[i]);
    }

    for (i = 0; judge_export_csv_back[i]; i++) {
        judge_csv_plain(&w, judge_str_c(judge_export_csv_back[i]));
    }

    judge_csv_row_end(&w);
}


static void
judge_export_csv_member(judge_csv_writer_t *w, const judge_json_t *object,
    const char *key)
{
    const judge_json_t  *v;

    v = judge_json_get(object, key);

    if (judge_json_is_number(v)) {
        judge_csv_number2(w, judge_json_double(v));

    } else {
        judge_csv_text(w, v && v->type == JUDGE_JSON_STRING ? v->string
                                                            : JUDGE_STR(""));
    }
}


/* The cell of a criterion that the row's judge does not have is empty. */

static void
judge_export_csv_scores(judge_csv_writer_t *w, const judge_export_t *c,
    const judge_json_t *record)
{
    size_t               i;
    const judge_json_t  *scores, *score;

    scores = judge_json_member(record, "criteria_scores", JUDGE_JSON_ARRAY);

    for (i = 0; i < c->ncolumns; i++) {
        for (score = scores ? scores->first : NULL; score;
             score = score->next)
        {
            if (judge_str_eq(judge_json_string(score, "name"),
                             c->columns[i]))
            {
                break;
            }
        }

        judge_export_csv_member(w, score, "score");
    }
}


/* Joins the strings, or the names of objects, in one cell. */

static judge_rc_e
judge_export_csv_strings(judge_csv_writer_t *w, judge_arena_t *arena,
    const judge_json_t *array, const char *between)
{
    judge_str_t          s;
    judge_buf_t          cell;
    const judge_json_t  *v;

    judge_buf_init(&cell, arena);

    for (v = array ? array->first : NULL; v; v = v->next) {
        s = v->type == JUDGE_JSON_STRING ? v->string
                                         : judge_json_string(v, "name");
        if (s.data) {
            judge_buf_c(&cell, cell.len ? between : "");
            judge_buf_str(&cell, s);
        }
    }

    if (cell.failed) {
        return JUDGE_NOMEM;
    }

    judge_csv_text(w, (judge_str_t) { cell.len, cell.data });

    return JUDGE_OK;
}


/* Columns of lists are named as the record's members are. */

static judge_rc_e
judge_export_csv_row(judge_export_t *c, judge_buf_t *out,
    const judge_batch_result_row_t *row)
{
    size_t                         i;
    judge_rc_e                     rc;
    judge_json_t                  *record;
    judge_arena_t                 *arena = c->page.op.arena;
    judge_csv_writer_t             w;
    const judge_json_t            *error;
    const judge_evaluation_row_t  *e = &row->evaluation;

    record = NULL;

    if (e->body.data) {
        rc = judge_json_parse(arena, e->body, &record, NULL);
        if (rc != JUDGE_OK || record->type != JUDGE_JSON_OBJECT) {
            return rc == JUDGE_NOMEM ? rc : JUDGE_ERROR;
        }
    }

    judge_csv_begin(&w, out);
    judge_csv_plain(&w, e->id);
    judge_csv_plain(&w, e->content_id);
    judge_csv_text(&w, c->names_seen ? row->content_name : JUDGE_STR(""));
    judge_csv_plain(&w, e->judge_id);
    judge_csv_plain(&w, e->status);
    judge_export_csv_member(&w, record, "overall_score");
    judge_export_csv_scores(&w, c, record);
    judge_export_csv_member(&w, record, "summary");

    for (i = JUDGE_EXPORT_LISTS; i < JUDGE_EXPORT_LISTS_END; i++) {
        rc = judge_export_csv_strings(&w, arena,
                 judge_json_member(record, judge_export_csv_back[i],
                                   JUDGE_JSON_ARRAY), "\n");
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    error = judge_json_member(record, "error", JUDGE_JSON_OBJECT);
    judge_export_csv_member(&w, error, "code");
    judge_export_csv_member(&w, error, "message");
    judge_export_csv_member(&w, record, "evaluated_at");
    judge_export_csv_member(&w, record, "coverage");
    rc = judge_export_csv_strings(&w, arena,
             judge_json_member(record, "not_judged", JUDGE_JSON_ARRAY), "; ");
    judge_csv_row_end(&w);

    return out->failed ? JUDGE_NOMEM : rc;
}
