/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints of annotation queues.  Evaluations are drawn, and each is
 * given to a number of people, one by one, who score it or leave it to
 * others. */


#include "extensions/people/people.h"
#include "store/store_annotation.h"


#define JUDGE_ANNOTATION_ITEMS   1000
#define JUDGE_ANNOTATION_PEOPLE  10
#define JUDGE_ANNOTATION_LEASE   (60 * 60)                 /* s */

typedef struct {
    judge_id_t                 id;
    judge_integer_t            items, people, lease;
    judge_annotation_create_t  create;
    judge_annotation_find_t    find;   /* of a repeat */
} judge_annotation_making_t;

typedef struct {
    judge_list_query_t       query;
    judge_annotation_list_t  list;
} judge_annotation_listing_t;


static void judge_annotation_record(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static bool judge_annotation_create(judge_req_t *r);
static void judge_annotation_created(judge_req_t *r);
static void judge_annotation_replayed(judge_req_t *r);
static void judge_annotation_write(judge_req_t *r, judge_json_writer_t *w);
static bool judge_annotation_person(judge_req_t *r);
static void judge_annotation_given(judge_req_t *r);


static const char *const  judge_annotation_samplings[] = {
    "random", "review", NULL
};

static const judge_field_t  judge_annotation_fields[] = {
    judge_field_as("name", judge_annotation_making_t, create.row.name, STRING,
                   JUDGE_REQUIRED, 1, 200),
    judge_field_as("judge_id", judge_annotation_making_t, create.row.judge_id,
                   STRING, JUDGE_REQUIRED, 1, 40),
    judge_field_as("batch_id", judge_annotation_making_t, create.row.batch_id,
                   STRING, 0, 1, 40),
    judge_field_one_of_as("sampling", judge_annotation_making_t,
                          create.row.sampling, WORD, 0,
                          judge_annotation_samplings),
    judge_field(judge_annotation_making_t, items, INTEGER, JUDGE_REQUIRED, 1,
                JUDGE_ANNOTATION_ITEMS),
    judge_field(judge_annotation_making_t, people, INTEGER, 0, 1,
                JUDGE_ANNOTATION_PEOPLE),
    judge_field_as("lease_seconds", judge_annotation_making_t, lease, INTEGER,
                   0, 1, 7 * 24 * JUDGE_ANNOTATION_LEASE),
    { .name = NULL }
};

static const judge_field_t  judge_annotation_query[] = {
    judge_list_query_fields(judge_annotation_listing_t, query),
    { .name = NULL }
};

static const judge_field_t  judge_annotation_leave_fields[] = {
    judge_field(judge_annotation_leave_t, evaluation_id, STRING,
                JUDGE_REQUIRED, 1, 40),
    { .name = NULL }
};

const judge_resource_t  judge_annotation_resource = {
    "anq", "annotation queue", "annotation_queues"
};

const judge_route_t  judge_annotation_routes[] = {
    { judge_route(POST, "/annotation-queues", JUDGE_MAY_WRITE_JUDGES,
                  JUDGE_ROUTE_CREATES | JUDGE_ROUTE_REREAD,
                  judge_annotation_making_t),
      .body = judge_annotation_fields,
      .op = { .kind = JUDGE_OP_ANNOTATION_CREATE,
              .op = offsetof(judge_annotation_making_t, create.op),
              .now = offsetof(judge_annotation_making_t,
                              create.row.created_at),
              .prepare = judge_annotation_create,
              .record = judge_annotation_record, .status = 201,
              .row = offsetof(judge_annotation_making_t, create.row),
              .next = judge_annotation_created, .refused = true },
      .location = "/annotation-queues/{id}",
      .replayed = judge_annotation_replayed },
    { judge_route(GET, "/annotation-queues", JUDGE_MAY_READ_FEEDBACK, 0,
                  judge_annotation_listing_t),
      .query = judge_annotation_query, .resource = &judge_annotation_resource,
      .list = { judge_route_list(JUDGE_OP_ANNOTATION_LIST,
                                 judge_annotation_listing_t,
                                 judge_annotation_row_t),
                .record = judge_annotation_record } },
    { judge_route(GET, "/annotation-queues/{queue_id}",
                  JUDGE_MAY_READ_FEEDBACK, 0, judge_annotation_find_t),
      .resource = &judge_annotation_resource,
      .op = { judge_route_op_now(JUDGE_OP_ANNOTATION_FIND,
                                 judge_annotation_find_t, ),
              .person = offsetof(judge_annotation_find_t, person),
              .write = judge_annotation_write } },
    { judge_route(DELETE, "/annotation-queues/{queue_id}",
                  JUDGE_MAY_WRITE_JUDGES, 0, judge_annotation_delete_t),
      .resource = &judge_annotation_resource,
      .op = { judge_route_op(JUDGE_OP_ANNOTATION_DELETE,
                             judge_annotation_delete_t, ) } },
    { judge_route(POST, "/annotation-queues/{queue_id}/next",
                  JUDGE_MAY_WRITE_FEEDBACK, 0, judge_annotation_next_t),
      .resource = &judge_annotation_resource,
      .op = { judge_route_op_now(JUDGE_OP_ANNOTATION_NEXT,
                                 judge_annotation_next_t, ),
              .person = offsetof(judge_annotation_next_t, person),
              .prepare = judge_annotation_person, .refused = true,
              .next = judge_annotation_given } },
    { judge_route(POST, "/annotation-queues/{queue_id}/leave",
                  JUDGE_MAY_WRITE_FEEDBACK, 0, judge_annotation_leave_t),
      .resource = &judge_annotation_resource,
      .body = judge_annotation_leave_fields,
      .op = { judge_route_op_now(JUDGE_OP_ANNOTATION_LEAVE,
                                 judge_annotation_leave_t, ),
              .person = offsetof(judge_annotation_leave_t, person),
              .prepare = judge_annotation_person,
              .missing = "this person was given no such evaluation here" } },
    { .pattern = NULL }
};


static void
judge_annotation_record(judge_req_t *r, judge_json_writer_t *w,
    const void *record)
{
    const judge_annotation_row_t  *row = record;

    judge_json_put_id(w, "queue_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "judge_id", row->judge_id);
    judge_json_put_str(w, "batch_id", row->batch_id);
    judge_json_put_str(w, "sampling", row->sampling);
    judge_json_put_int(w, "items", row->items);
    judge_json_put_int(w, "done", row->done);
    judge_json_put_int(w, "people_per_item", row->people);
    judge_json_put_int(w, "lease_seconds", row->lease / 1000);
    judge_json_put_time(w, "created_at", row->created_at);
}


/* --- Drawing ------------------------------------------------------------- */

static bool
judge_annotation_create(judge_req_t *r)
{
    judge_rc_e                  rc;
    judge_annotation_making_t  *c = r->ctx;
    judge_annotation_row_t     *row = &c->create.row;

    rc = judge_id_make(&c->id, judge_annotation_resource.prefix,
                       row->created_at);
    row->id = judge_id_str(&c->id);
    row->sampling = row->sampling.data ? row->sampling : JUDGE_STR("random");
    row->items = c->items.value;
    row->people = c->people.set ? c->people.value : 1;
    row->lease = (c->lease.set ? c->lease.value : JUDGE_ANNOTATION_LEASE)
                 * 1000;

    return judge_check(r, rc, NULL);
}


static void
judge_annotation_created(judge_req_t *r)
{
    judge_annotation_making_t  *c = r->ctx;

    if (c->create.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, c->create.row.batch_id.data
                           ? "there is no such judge, or no such batch"
                           : "judge_id: there is no such judge");

    } else if (c->create.op.rc == JUDGE_CONFLICT) {
        judge_fail(r, 409, "there is no evaluation to be looked at: none of"
                   " this judge is completed or failed with NOT_JUDGED");

    } else {
        judge_annotation_record(r, judge_reply_begin(r, 201), &c->create.row);
        judge_reply_end(r);
    }
}


static void
judge_annotation_reread(judge_req_t *r)
{
    judge_annotation_making_t  *c = r->ctx;

    judge_annotation_record(r, judge_reply_begin(r, 201), &c->find.row);
    judge_reply_end(r);
}


static void
judge_annotation_replayed(judge_req_t *r)
{
    judge_annotation_making_t  *c = r->ctx;

    c->find.op.kind = JUDGE_OP_ANNOTATION_FIND;
    c->find.id = judge_reply_id(r);
    c->find.now = judge_now(r->service);
    judge_await_found(r, &c->find.op, "the queue has been deleted",
                      judge_annotation_reread);
}


static void
judge_annotation_write(judge_req_t *r, judge_json_writer_t *w)
{
    size_t                            i;
    const judge_annotation_find_t    *c = r->ctx;
    const judge_annotation_person_t  *one;

    judge_annotation_record(r, w, &c->row);

    if (c->person.data) {
        judge_json_put_int(w, "remaining", c->remaining);
    }

    judge_json_key_array(w, "people");

    for (i = 0; i < c->npeople; i++) {
        one = &c->people[i];
        judge_json_object(w);
        judge_json_put_str(w, "person_id", one->person);
        judge_json_put_str(w, "name", one->name);
        judge_json_put_int(w, "done", one->done);
        judge_json_put_int(w, "left", one->skipped);
        judge_json_put_int(w, "open", one->held);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


/* --- Taking turns -------------------------------------------------------- */

static bool
judge_annotation_person(judge_req_t *r)
{
    return r->person.data
           || judge_fail(r, 403, "an annotation queue is worked through by"
                         " people: the API key belongs to nobody");
}


static void
judge_annotation_given(judge_req_t *r)
{
    judge_json_writer_t      *w;
    judge_annotation_next_t  *c = r->ctx;

    if (c->op.rc == JUDGE_NOT_FOUND) {
        judge_resource_missing(r);
        return;
    }

    if (c->op.rc == JUDGE_CONFLICT) {
        judge_reply_empty(r, 204);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, "evaluation_id", c->evaluation_id);
    judge_json_put_int(w, "item", c->seq);
    judge_json_put_time(w, "until", c->until);
    judge_reply_end(r);
}
