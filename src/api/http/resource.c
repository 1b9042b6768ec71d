/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "api/http/request.h"


void
judge_resource_missing(judge_req_t *r)
{
    judge_fail(r, 404, "there is no such %s", r->route->resource->name);
}


static void
judge_resource_found(judge_req_t *r)
{
    if (r->rc == JUDGE_NOT_FOUND && r->missing) {
        judge_fail(r, 404, "%s", r->missing);

    } else if (r->rc == JUDGE_NOT_FOUND && r->route->resource) {
        judge_resource_missing(r);

    } else if (judge_check(r, r->rc, NULL)) {
        r->found(r);
    }
}


void
judge_await_found(judge_req_t *r, judge_op_t *op, const char *missing,
    judge_step_pt next)
{
    r->found = next;
    r->missing = missing;
    judge_await(r, op, judge_resource_found);
}


/* --- One operation ------------------------------------------------------- */

static void
judge_resource_write(judge_req_t *r, int status)
{
    judge_json_writer_t     *w;
    const judge_route_op_t  *row = &r->route->op;

    w = judge_reply_begin(r, status);

    if (row->record) {
        row->record(r, w, judge_req_at(r, row->row));
    } else {
        row->write(r, w);
    }
}


static void
judge_resource_done(judge_req_t *r)
{
    judge_op_t              *op;
    const judge_route_op_t  *row = &r->route->op;

    op = judge_req_at(r, row->op);

    if (op->rc == JUDGE_NOT_FOUND && row->missing) {
        judge_fail(r, 404, "%s", row->missing);
        return;
    }

    if (op->rc == JUDGE_NOT_FOUND && r->route->resource) {
        judge_resource_missing(r);
        return;
    }

    if (op->rc == JUDGE_CONFLICT && row->conflict) {
        judge_fail(r, 409, "%s", row->conflict);
        return;
    }

    if (op->rc != JUDGE_OK
        && !(row->refused && (op->rc == JUDGE_CONFLICT
                              || op->rc == JUDGE_NOT_FOUND)))
    {
        judge_fail_rc(r, op->rc);
        return;
    }

    if (row->next) {
        row->next(r);
        return;
    }

    if (r->route->flags & JUDGE_ROUTE_CREATES) {
        judge_reply_send(r);
        return;
    }

    if (row->write == NULL && row->record == NULL) {
        judge_reply_empty(r, 204);
        return;
    }

    judge_resource_write(r, row->status ? row->status : 200);
    judge_reply_end(r);
}


void
judge_resource_run(judge_req_t *r)
{
    judge_op_t              *op;
    const judge_route_op_t  *row = &r->route->op;

    op = judge_req_at(r, row->op);
    op->kind = row->kind;

    if (r->route->resource) {
        *(judge_str_t *) judge_req_at(r, row->id) = r->params[0];
    }

    if (row->now) {
        *(judge_ms_t *) judge_req_at(r, row->now) = judge_now(r->service);
    }

    if (row->flag) {
        *(bool *) judge_req_at(r, row->flag) = true;
    }

    if (row->person) {
        *(judge_str_t *) judge_req_at(r, row->person) = r->person;
    }

    if (row->prepare && !row->prepare(r)) {
        return;
    }

    if (!(r->route->flags & JUDGE_ROUTE_CREATES)) {
        r->committed = row->committed;
        judge_await(r, op, judge_resource_done);
        return;
    }

    if (row->write || row->record) {
        judge_resource_write(r, row->status);
        if (!judge_reply_ready(r)) {
            return;
        }
    }

    judge_await_create(r, op, row->committed, judge_resource_done);
}


/* --- Lists --------------------------------------------------------------- */

static void
judge_resource_listed(judge_req_t *r)
{
    judge_json_writer_t  *w;

    w = judge_reply_begin(r, 200);
    judge_resource_rows(r, w);
    judge_resource_cursor(r, w);
    judge_reply_end(r);
}


void
judge_resource_list(judge_req_t *r)
{
    judge_op_t                *op;
    const judge_route_list_t  *row = &r->route->list;

    if (!judge_list_page(r, judge_req_at(r, row->query),
                         r->route->resource->prefix,
                         judge_req_at(r, row->page)))
    {
        return;
    }

    if (row->now) {
        *(judge_ms_t *) judge_req_at(r, row->now) = judge_now(r->service);
    }

    if (row->parent) {
        *(judge_str_t *) judge_req_at(r, row->parent) = r->params[0];
    }

    op = judge_req_at(r, row->op);
    op->kind = row->kind;
    r->found = judge_resource_listed;
    r->missing = row->missing;
    judge_await_page(r, op, judge_resource_found);
}


/* Copies the pointer by memcpy(), because its type differs between lists. */

static const char *
judge_resource_row(judge_req_t *r, size_t i)
{
    const char                *rows;
    const judge_route_list_t  *row = &r->route->list;

    memcpy(&rows, judge_req_at(r, row->rows), sizeof(rows));

    return rows + i * row->row_size;
}


void
judge_resource_rows(judge_req_t *r, judge_json_writer_t *w)
{
    size_t                     i, n;
    const judge_route_list_t  *row = &r->route->list;

    n = *(size_t *) judge_req_at(r, row->count);

    judge_json_key_array(w, r->route->resource->plural);

    for (i = 0; i < n; i++) {
        if (row->record) {
            judge_json_object(w);
            row->record(r, w, judge_resource_row(r, i));
            judge_json_object_end(w);
        } else {
            row->write(r, w, judge_resource_row(r, i));
        }
    }

    judge_json_array_end(w);
}


void
judge_resource_cursor(judge_req_t *r, judge_json_writer_t *w)
{
    size_t                     n;
    const char                *last;
    const judge_route_list_t  *row = &r->route->list;

    n = *(size_t *) judge_req_at(r, row->count);

    if (n) {
        last = judge_resource_row(r, n - 1);
        judge_reply_cursor(r, w, judge_req_at(r, row->page),
                           *(const judge_str_t *) (last + row->row_id));
    }
}
