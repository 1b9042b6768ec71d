/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Routes: what an endpoint takes, and which operation, list or handler answers
 * it. */


#ifndef JUDGE_ROUTE_H
#define JUDGE_ROUTE_H


#include "base/json/fields.h"
#include "store/store.h"


typedef struct judge_req    judge_req_t;
typedef struct judge_route  judge_route_t;
typedef void (*judge_step_pt)(judge_req_t *r);

typedef enum {
    JUDGE_GET,
    JUDGE_POST,
    JUDGE_PUT,
    JUDGE_PATCH,
    JUDGE_DELETE,
    JUDGE_METHODS,                     /* how many have routes */
    JUDGE_HEAD,
    JUDGE_OPTIONS,
    JUDGE_OTHER
} judge_method_e;


#define JUDGE_ROUTE_PUBLIC         0x1 /* no key needed */
#define JUDGE_ROUTE_CREATES        0x2 /* takes an Idempotency-Key */
#define JUDGE_ROUTE_OPTIONAL_BODY  0x4 /* an empty body counts as {} */
#define JUDGE_ROUTE_LARGE_BODY     0x8 /* max_batch instead of max_body */
#define JUDGE_ROUTE_CACHED        0x10 /* cached, see response_cache.h */
#define JUDGE_ROUTE_REREAD        0x20 /* of the answer only the identifier is
                                          stored for an Idempotency-Key, so
                                          that what is deleted does not stand
                                          there; `replayed` reads the rest */

/* Writes a row: its members into an open object (`record`), or as a value of
 * its own (`write` of a list). */
typedef void (*judge_record_pt)(judge_req_t *r, judge_json_writer_t *w,
    const void *row);

/* The kind of resource that the first {…} of a path or a list's rows name. */
typedef struct {
    const char  *prefix;               /* of its identifiers */
    const char  *name;                 /* "there is no such <name>" */
    const char  *plural;               /* the member of a list's answer */
} judge_resource_t;

/*
 * A route that runs one operation, on its resource or else on the
 * organization, needs no handler; one with more steps before the operation has
 * a handler, whose last step calls judge_resource_run().  Offsets are in the
 * context.  JUDGE_NOT_FOUND is answered with 404, JUDGE_CONFLICT with the
 * sentence `conflict`.  If `refused` is set, next() must answer those without
 * a `conflict`, and JUDGE_NOT_FOUND without `missing` and resource.  After
 * success next() goes on, or write() adds the members of the answer, or
 * record() those of the row at the offset `row`; without all three the answer
 * is 204.
 *
 * If the route takes an Idempotency-Key (JUDGE_ROUTE_CREATES), the answer is
 * stored together with the operation, so that write(), record() or else
 * prepare() makes it before; next() may replace it.  committed() is called
 * after the commit even if the client has left.
 */
typedef struct {
    judge_op_kind_e   kind;            /* 0: the route runs no operation */
    size_t            op;
    size_t            id;              /* offset of the resource's id */
    size_t            now;             /* offset of the time; 0: none */
    size_t            flag;            /* of a bool that is set; 0: none */
    size_t            person;          /* offset of the caller's; 0: none */
    bool            (*prepare)(judge_req_t *r);  /* fills in other inputs; may
                                                    be NULL; false: answered */
    const char       *missing;         /* NULL: no such <resource> */
    const char       *conflict;
    void            (*committed)(judge_req_t *r, judge_op_t *op);
    judge_step_pt     next;
    bool              refused;         /* next() answers refusals */
    void            (*write)(judge_req_t *r, judge_json_writer_t *w);
    judge_record_pt   record;
    size_t            row;
    int               status;          /* of the answer; 0: 200, but must be
                                          set for JUDGE_ROUTE_CREATES */
} judge_route_op_t;

/* The members of every route; `obj` is the type of its context. */
#define judge_route(verb, path, may, traits, obj)                             \
    .method = JUDGE_##verb, .pattern = path, .permission = may,               \
    .flags = traits, .ctx_size = sizeof(obj)

#define judge_route_run(operation, obj, member)                               \
    .kind = operation, .op = offsetof(obj, member op)

/* The same for one on the resource of the path, also with the time. */
#define judge_route_op(operation, obj, member)                                \
    judge_route_run(operation, obj, member), .id = offsetof(obj, member id)
#define judge_route_op_now(operation, obj, member)                            \
    judge_route_op(operation, obj, member), .now = offsetof(obj, member now)


/* A route that lists a resource page by page needs no handler, either. */
typedef struct {
    judge_op_kind_e              kind; /* 0: the route is no list */
    size_t                       query;          /* judge_list_query_t */
    size_t                       op;
    size_t                       page;
    size_t                       rows; /* offset of the pointer to them */
    size_t                       count;
    size_t                       row_size;
    size_t                       row_id;         /* offset in a row */
    size_t                       now;  /* as in judge_route_op_t */
    size_t                       parent;         /* offset of the owner's id,
                                          as in the path; 0: no owner */
    const char                  *missing;        /* if there is no parent */
    judge_record_pt              write;          /* a row as a value, or */
    judge_record_pt              record;         /* its members */
} judge_route_list_t;

/* The context must have the members query and list. */
#define judge_route_list(operation, obj, row_type)                            \
    .kind = operation, .query = offsetof(obj, query),                         \
    .op = offsetof(obj, list.op), .page = offsetof(obj, list.page),           \
    .rows = offsetof(obj, list.rows), .count = offsetof(obj, list.count),     \
    .row_size = sizeof(row_type), .row_id = offsetof(row_type, id)

/*
 * The elements of the array `items` are passed to item() one by one as they
 * arrive, so that a body with many is never in memory as a whole; r->body does
 * not contain them.  item() refuses the body by JUDGE_INVALID with *error; it
 * must not answer, nor touch anything but the request's memory.
 *
 * A body that is not JSON is passed to consume() as it arrives, with its
 * Content-Encoding, if any; consume() may refuse it by judge_req_refuse().
 * The handler is called after the last piece.
 * `accepts` lists the media types, ended by NULL.
 */

struct judge_route {
    judge_method_e        method;
    const char           *pattern;     /* without /v1; {name} is one segment;
                                          NULL ends a table */
    uint64_t              permission;  /* 0: every key may use the route */
    unsigned              flags;
    size_t                ctx_size;
    const judge_field_t  *body;        /* fields of the body, in ctx; NULL: the
                                          body has none, or is not read unless
                                          JUDGE_ROUTE_OPTIONAL_BODY is set */
    const judge_field_t  *query;       /* fields of the query, in ctx */
    judge_step_pt         handler;     /* NULL: op or list is set */
    const judge_resource_t  *resource; /* if set, a malformed identifier in
                                          the path is answered with 404, but
                                          for a list, of whose rows it is */
    judge_route_op_t      op;
    judge_route_list_t    list;
    void                (*consume)(judge_req_t *r, const char *data,
                                   size_t len);
    const char *const    *accepts;
    const char           *etag;        /* ETag of what it creates, in replayed
                                          answers, too; quoted */
    const char           *location;    /* path of what it creates; {id} is the
                                          answer's first member; "/{id}": below
                                          the path of the request */
    judge_step_pt         replayed;    /* goes on with the prepared answer of
                                          a repeat; NULL: it is sent */
    const char           *items;
    judge_rc_e          (*item)(judge_req_t *r, const judge_json_t *item,
                                size_t index, judge_str_t *error);
};


/* Of both files of training jobs. */
extern const judge_resource_t  judge_training_jobs_resource;

/* A table per resource, which stands at the top of its file. */

extern const judge_route_t  judge_judge_routes[];
extern const judge_route_t  judge_judge_update_routes[];
extern const judge_route_t  judge_content_routes[];
extern const judge_route_t  judge_evaluation_routes[];
extern const judge_route_t  judge_batch_routes[];
extern const judge_route_t  judge_batch_evaluate_routes[];
extern const judge_route_t  judge_batch_import_routes[];
extern const judge_route_t  judge_batch_events_routes[];
extern const judge_route_t  judge_batch_results_routes[];
extern const judge_route_t  judge_result_routes[];
extern const judge_route_t  judge_key_routes[];
extern const judge_route_t  judge_feedback_routes[];
extern const judge_route_t  judge_feedback_batch_routes[];
extern const judge_route_t  judge_feedback_session_routes[];
extern const judge_route_t  judge_agreement_routes[];
extern const judge_route_t  judge_training_routes[];
extern const judge_route_t  judge_training_run_routes[];
extern const judge_route_t  judge_training_events_routes[];
extern const judge_route_t  judge_settings_routes[];
extern const judge_route_t  judge_health_routes[];
extern const judge_route_t  judge_metrics_routes[];
extern const judge_route_t  judge_assist_criteria_routes[];
extern const judge_route_t  judge_assist_columns_routes[];
extern const judge_route_t  judge_openapi_routes[];
extern const judge_route_t  judge_upload_routes[];
extern const judge_route_t  judge_upload_notice_routes[];
extern const judge_route_t  judge_webhook_routes[];
extern const judge_route_t  judge_explanation_routes[];

/* Returns the i-th table; NULL: there are fewer. */
typedef const judge_route_t *(*judge_routes_pt)(size_t i);
const judge_route_t *judge_routes(size_t i);


/* --- Lists --------------------------------------------------------------- */

/* The query parameters of every list; the first member of its context. */
typedef struct {
    judge_integer_t  limit;
    judge_str_t      cursor;
} judge_list_query_t;

#define JUDGE_LIST_LIMIT  25
#define JUDGE_LIST_MAX    200

#define judge_list_query_fields(obj, member)                                  \
    judge_field_as("limit", obj, member.limit, INTEGER, 0, 1,                 \
                   JUDGE_LIST_MAX),                                           \
    judge_field_as("cursor", obj, member.cursor, STRING, 0, 1, 200)

/* false: the cursor is not valid, and the request has been answered. */
bool judge_list_page(judge_req_t *r, const judge_list_query_t *query,
    const char *prefix, judge_page_t *page);


#endif /* JUDGE_ROUTE_H */
