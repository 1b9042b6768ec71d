/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What came of the items of a run. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_ITEM_PATH                                                \
    JUDGE_OPENAI_PATH "/evals/{eval_id}/runs/{run_id}/output_items"


/* The context begins with that of all routes. */
typedef struct {
    judge_openai_t            c;
    judge_openai_item_list_t  items;
    judge_openai_item_find_t  item;
} judge_openai_outputs_t;

static void judge_openai_item_list(judge_req_t *r);
static void judge_openai_item_get(judge_req_t *r);

static const char *const  judge_openai_item_statuses[] = {
    "pass", "fail", "error", NULL
};

static const char *const  judge_openai_item_orders[] = {
    "asc", "desc", NULL
};

static const judge_field_t  judge_openai_item_query[] = {
    judge_field_as("after", judge_openai_outputs_t, c.after, STRING, 0, 1, 80),
    judge_field_as("limit", judge_openai_outputs_t, c.limit, INTEGER, 0, 0,
                   100),
    judge_field_one_of_as("order", judge_openai_outputs_t, c.order, WORD, 0,
                          judge_openai_item_orders),
    judge_field_one_of_as("status", judge_openai_outputs_t, c.status, WORD, 0,
                          judge_openai_item_statuses),
    { .name = NULL }
};

const judge_route_t  judge_openai_item_routes[] = {
    { judge_route(GET, JUDGE_OPENAI_ITEM_PATH, JUDGE_MAY_READ_EVALUATIONS, 0,
                  judge_openai_outputs_t),
      .query = judge_openai_item_query, .handler = judge_openai_item_list },
    { judge_route(GET, JUDGE_OPENAI_ITEM_PATH "/{output_item_id}",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_openai_outputs_t),
      .handler = judge_openai_item_get },
    { .pattern = NULL }
};


/* --- Identifiers --------------------------------------------------------- */

/* An item has that of its run and its position. */

static judge_str_t
judge_openai_item_id(judge_req_t *r, int64_t position)
{
    judge_str_t  run;

    run = judge_str_from(r->params[1], sizeof("evalrun_") - 1);

    return judge_str_printf(r->arena, "outputitem_%.*s_%05lld", (int) run.len,
                            run.data, (long long) position);
}


/* Negative: it is none of this run. */

static int64_t
judge_openai_item_position(judge_req_t *r, judge_str_t id)
{
    size_t       i;
    int64_t      position;
    judge_str_t  digits;

    if (id.len < 5) {
        return -1;
    }

    position = 0;
    digits = judge_str_from(id, id.len - 5);

    for (i = 0; i < 5; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9') {
            return -1;
        }
        position = position * 10 + digits.data[i] - '0';
    }

    return judge_str_eq(id, judge_openai_item_id(r, position)) ? position : -1;
}


/* --- Answers ------------------------------------------------------------- */

static void
judge_openai_item_write(judge_req_t *r, judge_json_writer_t *w,
    const judge_openai_item_t *row)
{
    judge_json_t  *item, *result, *v;

    if (judge_json_parse(r->arena, row->item, &item, NULL) != JUDGE_OK
        || judge_json_parse(r->arena, row->result, &result, NULL) != JUDGE_OK)
    {
        w->failed = true;
        return;
    }

    judge_json_put_c(w, "object", "eval.run.output_item");
    judge_json_put_str(w, "id", judge_openai_item_id(r, row->position));
    judge_json_put_str(w, "eval_id", r->params[0]);
    judge_json_put_str(w, "run_id", r->params[1]);
    judge_json_put_int(w, "created_at", row->created_at / 1000);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_int(w, "datasource_item_id", row->position);
    judge_json_key(w, "datasource_item");

    v = judge_json_get(item, "item");
    if (v) {
        judge_json_value(w, v);
    } else {
        judge_json_null(w);
    }

    for (v = result->first; v; v = v->next) {
        judge_json_key_str(w, v->key);
        judge_json_value(w, v);
    }
}


static void
judge_openai_item_listed(judge_req_t *r)
{
    size_t                     i;
    judge_str_t                none = { 0, NULL };
    judge_json_writer_t       *w;
    judge_openai_outputs_t    *o = r->ctx;
    judge_openai_item_list_t  *list = &o->items;

    if (!judge_check(r, list->op.rc, NULL)) {
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_c(w, "object", "list");
    judge_json_key_array(w, "data");

    for (i = 0; i < list->count; i++) {
        judge_json_object(w);
        judge_openai_item_write(r, w, &list->rows[i]);
        judge_json_object_end(w);
    }

    i = list->count;
    judge_openai_list_end(w,
        i ? judge_openai_item_id(r, list->rows[0].position) : none,
        i ? judge_openai_item_id(r, list->rows[i - 1].position) : none,
        list->page.more);
    judge_reply_end(r);
}


static void
judge_openai_item_page(judge_req_t *r)
{
    judge_openai_outputs_t    *o = r->ctx;
    judge_openai_item_list_t  *list = &o->items;

    list->op.kind = JUDGE_OP_OPENAI_ITEM_LIST;
    list->parent = r->params[1];
    list->status = o->c.status;
    list->ascending = o->c.order.data == NULL
                      || judge_str_eq_c(o->c.order, "asc");
    list->after = list->ascending ? -1 : INT32_MAX;
    list->page.limit = o->c.limit.set && o->c.limit.value ? o->c.limit.value
                                                     : JUDGE_OPENAI_PAGE;
    if (o->c.after.data) {
        list->after = judge_openai_item_position(r, o->c.after);

        if (list->after < 0) {
            judge_fail(r, 400, "after: expected an item of this run");
            return;
        }
    }

    judge_await_page(r, &list->op, judge_openai_item_listed);
}


static void
judge_openai_item_list(judge_req_t *r)
{
    judge_openai_find(r, &judge_openai_run, judge_openai_item_page);
}


static void
judge_openai_item_found(judge_req_t *r)
{
    judge_openai_outputs_t  *o = r->ctx;

    if (o->item.op.rc == JUDGE_NOT_FOUND
        || (o->item.op.rc == JUDGE_OK && o->item.row.result.data == NULL))
    {
        judge_fail(r, 404, "there is no such output item");

    } else if (judge_check(r, o->item.op.rc, NULL)) {
        judge_openai_item_write(r, judge_reply_begin(r, 200), &o->item.row);
        judge_reply_end(r);
    }
}


static void
judge_openai_item_read(judge_req_t *r)
{
    judge_openai_outputs_t  *o = r->ctx;

    o->item.op.kind = JUDGE_OP_OPENAI_ITEM_FIND;
    o->item.parent = r->params[1];
    o->item.position = judge_openai_item_position(r, r->params[2]);
    judge_await(r, &o->item.op, judge_openai_item_found);
}


static void
judge_openai_item_get(judge_req_t *r)
{
    judge_openai_find(r, &judge_openai_run, judge_openai_item_read);
}
