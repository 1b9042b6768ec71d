/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A request as the handlers see it, without any server.  The pipeline matches
 * its route, authenticates it, reads and binds it, and renders every error.
 * A handler is a chain of short steps; the last call of each submits an
 * operation with the next step (judge_await) or answers (judge_reply_...,
 * judge_fail), and the request may be gone afterwards.
 */


#ifndef JUDGE_REQUEST_H
#define JUDGE_REQUEST_H


#include "base/crypto/crypto.h"
#include "base/json/fields.h"
#include "work/evaluation/waiters.h"
#include "work/render/resource_json.h"   /* judge_priorities */
#include "work/service/service.h"
#include "api/http/gzip.h"


typedef struct judge_req    judge_req_t;
typedef struct judge_route  judge_route_t;
typedef struct judge_auth_find  judge_auth_find_t;
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

/* The request headers that the service reads. */
typedef enum {
    JUDGE_HEADER_AUTHORIZATION,
    JUDGE_HEADER_X_API_KEY,
    JUDGE_HEADER_CONTENT_TYPE,
    JUDGE_HEADER_CONTENT_ENCODING,
    JUDGE_HEADER_IDEMPOTENCY_KEY,
    JUDGE_HEADER_IF_MATCH,
    JUDGE_HEADER_IF_NONE_MATCH,
    JUDGE_HEADER_PREFER,
    JUDGE_HEADER_LAST_EVENT_ID,
    JUDGE_HEADER_X_WEBHOOK_SIGNATURE,
    JUDGE_HEADER_RANGE,
    JUDGE_HEADER_TRACEPARENT,          /* absent unless it is valid and results
                                          are exported */
    JUDGE_HEADER_COUNT
} judge_header_e;

extern const char *const  judge_header_names[JUDGE_HEADER_COUNT]; /* lower */


typedef struct {
    const char   *name;
    judge_str_t   value;
} judge_header_t;

#define JUDGE_ANSWER_HEADERS  20

typedef struct {
    int             status;
    const char     *content_type;
    judge_str_t     body;              /* in the request's arena */
    judge_header_t  headers[JUDGE_ANSWER_HEADERS];
    size_t          nheaders;
} judge_answer_t;


/*
 * What the server does for a request.  read_body() makes it call
 * judge_req_body() for every piece and judge_req_body_end() once.  answer()
 * sends r->answer and ends the request.  Between hold() and release() the
 * request is not freed, even if its client leaves; if release() returns false,
 * the client has left and the request must not be touched any more.
 *
 * stream() sends the head of r->answer, whose body comes in pieces; write()
 * sends a piece, whose memory must stay until judge_req_ready() is called; the
 * last one ends the request.  pause() calls judge_req_ready() after that time,
 * wake() ends a pause.  None of them calls judge_req_ready() before it
 * returns.
 *
 * receive() writes the body to a temporary file, syncs it, renames it to
 * r->file and calls judge_req_received(); if anything fails before, no file is
 * left.  send_file() answers with r->file, or with a range of it.
 */
typedef struct {
    void  (*read_body)(judge_req_t *r);
    void  (*answer)(judge_req_t *r);
    void  (*hold)(judge_req_t *r);
    bool  (*release)(judge_req_t *r);
    void  (*stream)(judge_req_t *r);
    void  (*write)(judge_req_t *r, judge_str_t data, bool last);
    void  (*pause)(judge_req_t *r, judge_ms_t ms);
    void  (*wake)(judge_req_t *r);
    void  (*receive)(judge_req_t *r);
    void  (*send_file)(judge_req_t *r);
} judge_binding_t;


/* What stands at an offset of the context. */
#define judge_req_at(r, offset)  ((void *) ((char *) (r)->ctx + (offset)))

#define JUDGE_PARAMS  4

struct judge_req {
    /* Filled in by the server before judge_req_start(). */
    judge_arena_t          *arena;
    judge_service_t        *service;
    const judge_binding_t  *binding;
    judge_method_e          method;
    judge_str_t             path;      /* after the location's name, without
                                          the query, decoded, begins with
                                          '/' */
    judge_str_t             query;     /* as it was sent; absent: none */
    judge_str_t             base_url;  /* scheme, host and mount, no slash */
    judge_str_t             login;     /* who is logged in to the server; never
                                          from a header; empty: nobody */
    judge_str_t             login_org; /* the login's organization; absent: the
                                          only one */
    judge_str_t             headers[JUDGE_HEADER_COUNT]; /* absent: not sent */
    bool                    repeated[JUDGE_HEADER_COUNT];
    int64_t                 content_length;              /* -1: not sent */
    void                   *server;    /* data of the server */
    void                   *extra;     /* of the extension whose routes are
                                          served; NULL: they are the
                                          service's */
    void                  (*problem)(judge_json_writer_t *w, int status,
                                     judge_str_t sentence); /* the members of
                                          an error; NULL: "detail" */

    /* Filled in by the pipeline before the handler. */
    const judge_route_t    *route;
    judge_str_t             params[JUDGE_PARAMS];  /* of the path's {…} */
    void                   *ctx;       /* route->ctx_size bytes: zeros, and
                                          the bound fields */
    judge_json_t           *body;      /* NULL: there was none */
    judge_str_t             org;
    judge_str_t             key_id;
    judge_str_t             person;    /* whose key or login it is; absent: no
                                          registered person's */
    judge_str_t             role;      /* the person's */
    uint64_t                permissions;  /* the key's, within the role's */
    judge_ms_t              expires_at;  /* the key's; 0: never */
    judge_auth_find_t      *auth;        /* NULL: the route is public */

    /* For the log and the metrics. */
    judge_ms_t              began_at;
    judge_ms_t              store_time;  /* sum over its operations */
    judge_ms_t              queued_at;   /* set by judge_hold_queued() */
    judge_ms_t              queue_time;  /* sum */
    bool                    stored_any;  /* it submitted an operation */
    bool                    queued;      /* it waited for an evaluation */

    /* Private to the pipeline and the functions below. */
    judge_answer_t          answer;
    judge_step_pt           step;
    void                  (*committed)(judge_req_t *r, judge_op_t *op);
    judge_step_pt           streamed;  /* judge_stream_events() */
    judge_step_pt           rechecked; /* judge_auth_recheck() */
    judge_op_t             *created;   /* the write of judge_await_create() */
    bool                    changed;   /* a write has been committed */
    bool                    audits;    /* the next write is noted in the
                                          audit log */
    bool                    any_outcome; /* judge_await_any() */
    bool                    stored;    /* the write of `created` has been, and
                                          its answer, prepared before, is sent
                                          even if a later step fails */
    judge_gzip_t           *gzip;      /* NULL: the body is not compressed */
    judge_json_parser_t    *parser;
    judge_digest_t         *digest;
    size_t                  received;
    size_t                  receive_max;
    judge_str_t             file;      /* path of what is received or sent */
    judge_str_t             refusal;   /* why the body is discarded */
    int                     refusal_status;
    judge_idempotency_t     idempotency;
    judge_idempotency_find_t *replay;
    judge_buf_t                reply_buf;
    judge_json_writer_t        reply;
    judge_arena_t             *page;   /* judge_req_page() */
    size_t                     reserve; /* bytes that a stream takes at most */
    size_t                     common;  /* number of headers that every answer
                                           has */
    void                  (*run)(judge_req_t *r);
    judge_task_t            task;
    judge_rc_e              bound;
    judge_str_t             bind_error;
    judge_unknown_t         unknown;   /* fields that no table has */
    bool                    strict;    /* unknown fields are an error */

    struct {                           /* response_cache.h */
        judge_str_t         key;       /* absent: it is not cached */
        judge_ms_t          until;
        judge_store_seen_t  version;
    }                       response;

    judge_waiter_t          watch;     /* judge_stream_watch() */
    bool                    watching;

    /* Set by a handler: called once when the request is over, however it
     * ended, to free what the context has outside of the arena. */
    void                  (*cleanup)(judge_req_t *r);
};


/* Ends judge_stream_watch(), if it is waiting. */

static inline void
judge_stream_unwatch(judge_req_t *r)
{
    if (r->watching) {
        r->watching = false;
        judge_waiters_remove(r->service, &r->watch);
    }
}


/* --- Words of the interface ---------------------------------------------- */

/* The values that a field or a filter may have; NULL ends each list. */
extern const char *const  judge_content_types[];
extern const char *const  judge_judge_statuses[];
extern const char *const  judge_content_statuses[];
extern const char *const  judge_evaluation_statuses[];
extern const char *const  judge_batch_statuses[];
extern const char *const  judge_key_statuses[];   /* "expired" can't be set */
extern const char *const  judge_key_settings[];   /* a client may set these */


/* --- Keys and their permissions ------------------------------------------ */

#define JUDGE_MAY_READ_JUDGES        (UINT64_C(1) << 0)
#define JUDGE_MAY_WRITE_JUDGES       (UINT64_C(1) << 1)
#define JUDGE_MAY_READ_CONTENT       (UINT64_C(1) << 2)
#define JUDGE_MAY_WRITE_CONTENT      (UINT64_C(1) << 3)
#define JUDGE_MAY_READ_EVALUATIONS   (UINT64_C(1) << 4)
#define JUDGE_MAY_WRITE_EVALUATIONS  (UINT64_C(1) << 5)
#define JUDGE_MAY_READ_FEEDBACK      (UINT64_C(1) << 6)
#define JUDGE_MAY_WRITE_FEEDBACK     (UINT64_C(1) << 7)
#define JUDGE_MAY_READ_TRAINING      (UINT64_C(1) << 8)
#define JUDGE_MAY_WRITE_TRAINING     (UINT64_C(1) << 9)
#define JUDGE_MAY_USE_LLM            (UINT64_C(1) << 10)
#define JUDGE_MAY_READ_CONFIG        (UINT64_C(1) << 11)
#define JUDGE_MAY_WRITE_CONFIG       (UINT64_C(1) << 12)
#define JUDGE_MAY_READ_KEYS          (UINT64_C(1) << 13)
#define JUDGE_MAY_WRITE_KEYS         (UINT64_C(1) << 14)
#define JUDGE_MAY_WRITE_REFERENCES   (UINT64_C(1) << 15)
#define JUDGE_MAY_CLAIM_WORK         (UINT64_C(1) << 16)
#define JUDGE_MAY_READ_PEOPLE        (UINT64_C(1) << 17)
#define JUDGE_MAY_WRITE_PEOPLE       (UINT64_C(1) << 18)
#define JUDGE_MAY_READ_AUDIT         (UINT64_C(1) << 19)
#define JUDGE_MAY_ALL                (UINT64_C(1) << 62)

/* 0: there is no such permission. */
uint64_t judge_permission(judge_str_t name);

/* Writes the names as a JSON array.  Returns the first name of a set. */
void judge_permissions_write(judge_json_writer_t *w, uint64_t permissions);
const char *judge_permission_name(uint64_t permission);

/* The permissions of a role; 0: there is no such role. */
extern const char *const  judge_roles[];
uint64_t judge_role_permissions(judge_str_t role);

/* Whether the route's first write is noted in the audit log; attaches the note
 * to it: JUDGE_OK, JUDGE_NOMEM, or JUDGE_ERROR. */
bool judge_audit_wanted(const judge_req_t *r);
judge_rc_e judge_audit_note(judge_req_t *r, judge_op_t *op);

/* Whether the request may grant these permissions to others; false: it was
 * answered with 403. */
bool judge_auth_may_grant(judge_req_t *r, uint64_t permissions);

/* Returns the person if it is an annotator, who must not see the feedback of
 * others before everybody has given theirs; else absent. */
judge_str_t judge_auth_blind(const judge_req_t *r);

/* Sets a field that names a person to who is logged in.  If nobody is, the
 * client may name anybody who is not registered.  JUDGE_INVALID with *error:
 * the client named another one. */
judge_rc_e judge_auth_person(const judge_req_t *r, const char *field,
    judge_str_t *person, judge_str_t *error);

/*
 * Finds the API key or the login of a request, fills in key, organization and
 * person, and calls `next`; or answers with 401.  With both, the request has
 * the permissions that both have.  With a login only, key_id is the person's
 * identifier.  Each worker caches the keys and logins that it found.  A
 * request that changes or deletes a key calls judge_auth_changed() before it
 * is answered, which makes the entries of all workers invalid.  Entries expire
 * after JUDGE_AUTH_TTL as well, because a process may die between its commit
 * and that call.
 */
#define JUDGE_AUTH_TTL  250            /* ms */
void judge_authenticate(judge_req_t *r, judge_step_pt next);

/* The `committed` of an operation that changes keys. */
void judge_auth_changed(judge_req_t *r, judge_op_t *op);
uint64_t judge_auth_changes(const judge_service_t *service);

/* To be called after a request has waited: looks the key up again if any key
 * was changed or its own has expired.  If the key may no longer use the route,
 * answers with 401 or 403, or ends the stream. */
void judge_auth_recheck(judge_req_t *r, judge_step_pt next);

/* The earlier of `until` and the time when the key expires. */
judge_ms_t judge_auth_until(const judge_req_t *r, judge_ms_t until);

/* Whether the key may use the route; counts the request as one of the key's.
 * false: the request was answered with 403. */
bool judge_auth_permits(judge_req_t *r);

/* A worker's cache of so many keys, at least one; its size in bytes. */
size_t judge_auth_size(size_t keys);
judge_auth_t *judge_auth_create(size_t keys);
void judge_auth_destroy(judge_auth_t *auth);


/* --- Routes ------------------------------------------------------------- */

#define JUDGE_ROUTE_PUBLIC         0x1 /* no key needed */
#define JUDGE_ROUTE_CREATES        0x2 /* takes an Idempotency-Key */
#define JUDGE_ROUTE_OPTIONAL_BODY  0x4 /* an empty body counts as {} */
#define JUDGE_ROUTE_LARGE_BODY     0x8 /* max_batch instead of max_body */
#define JUDGE_ROUTE_CACHED        0x10 /* cached, see response_cache.h */

/* Writes the members of a record. */
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
 * sentence `conflict`.  If `refused` is set, next() must answer conflicts, and
 * JUDGE_NOT_FOUND if there is neither `missing` nor a resource.  After success
 * next() goes on, or write() adds the members of the answer, or record() those
 * of the row at the offset `row`; without all three the answer is 204.
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
    int               status;          /* of the answer; 0: 200 */
} judge_route_op_t;

/* The members of every route; `obj` is the type of its context. */
#define judge_route(verb, path, may, traits, obj)                             \
    .method = JUDGE_##verb, .pattern = path, .permission = may,               \
    .flags = traits, .ctx_size = sizeof(obj)

#define judge_route_op(operation, obj, member)                                \
    .kind = operation, .op = offsetof(obj, member op),                        \
    .id = offsetof(obj, member id)


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
 * A body that is not JSON is passed to consume() as it arrives, which may
 * refuse it by judge_req_refuse(); the handler is called after the last piece.
 * `accepts` lists the media types, ended by NULL.
 */

struct judge_route {
    judge_method_e        method;
    const char           *pattern;     /* without /v1; {name} is one segment;
                                          NULL ends a table */
    uint64_t              permission;  /* 0: every key may use the route */
    unsigned              flags;
    size_t                ctx_size;
    const judge_field_t  *body;        /* fields of the body, in ctx */
    const judge_field_t  *query;       /* fields of the query, in ctx */
    judge_step_pt         handler;     /* NULL: op or list is set */
    const judge_resource_t  *resource; /* if set, a malformed identifier in
                                          the path is answered with 404 */
    judge_route_op_t      op;
    judge_route_list_t    list;
    void                (*consume)(judge_req_t *r, const char *data,
                                   size_t len);
    const char *const    *accepts;
    const char           *etag;        /* ETag of what it creates, in replayed
                                          answers, too; quoted */
    const char           *location;    /* path of what it creates; {id} is the
                                          answer's first member */
    const char           *items;
    judge_rc_e          (*item)(judge_req_t *r, const judge_json_t *item,
                                size_t index, judge_str_t *error);
};


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


/* --- For the server ------------------------------------------------------ */

/* Starts a request: finds its route in the tables, and runs it until it has
 * been answered or waits for something. */
void judge_req_start(judge_req_t *r, judge_routes_pt routes);
void judge_req_body(judge_req_t *r, const char *data, size_t len);
void judge_req_body_end(judge_req_t *r);

/* Called when a piece of a stream has been sent or a pause is over. */
void judge_req_ready(judge_req_t *r);

/* Called by receive(): r->received bytes are in r->file, if rc is JUDGE_OK. */
void judge_req_received(judge_req_t *r, judge_rc_e rc);

/* The most bytes that the body of this request may have. */
size_t judge_req_body_max(const judge_req_t *r);

/* Bytes that stay in use until the client has read the answer. */
size_t judge_req_weight(const judge_req_t *r);

/* Refuses a large answer, because clients have too many unread ones: those of
 * the API key or organization (`whose`), or all clients (NULL). */
void judge_fail_unread(judge_req_t *r, const char *whose);

/* Must be called when the request is over, however it ended. */
void judge_req_cleanup(judge_req_t *r);


/* --- For handlers -------------------------------------------------------- */

/* Submits an operation of the request's organization; `next` is called when it
 * is done, with JUDGE_OK, _NOT_FOUND, _CONFLICT, _STALE or _INVALID in op->rc.
 * Other errors are answered.  The request ends if the client has left. */
void judge_await(judge_req_t *r, judge_op_t *op, judge_step_pt next);

/* The same, but the outcome is in the arena of judge_req_page(). */
void judge_await_page(judge_req_t *r, judge_op_t *op, judge_step_pt next);

/* The same, but every outcome reaches the step. */
void judge_await_any(judge_req_t *r, judge_op_t *op, judge_step_pt next);

/* judge_await() for the write that an Idempotency-Key protects: the answer
 * must have been prepared (judge_reply_ready).  committed(), unless NULL, is
 * called after the commit even if the client has left.  If `next` is NULL, the
 * prepared answer is sent. */
void judge_await_create(judge_req_t *r, judge_op_t *op,
    void (*committed)(judge_req_t *r, judge_op_t *op), judge_step_pt next);

/* For the pipeline: finds the route of a path, with or without the prefix /v1,
 * and method, and fills in r->route and r->params; false: the request has been
 * answered.  The second returns the path without that prefix. */
bool judge_route_find(judge_req_t *r, judge_routes_pt routes);
judge_str_t judge_route_path(judge_str_t path);

/* The binding's hold() and release() around a wait for an evaluation, whose
 * time is added to queue_time. */
void judge_hold_queued(judge_req_t *r);
bool judge_release_queued(judge_req_t *r);

/* Run the route's operation or list. */
void judge_resource_run(judge_req_t *r);
void judge_resource_list(judge_req_t *r);

/* Answers with 404, naming the route's resource. */
void judge_resource_missing(judge_req_t *r);

/* For handlers that add members to the answer of a list: they write its array,
 * and the cursor that follows. */
void judge_resource_rows(judge_req_t *r, judge_json_writer_t *w);
void judge_resource_cursor(judge_req_t *r, judge_json_writer_t *w);

/* Calls run() in a thread, and then `next`; nothing else may touch the request
 * meanwhile.  Must be the last call of a step. */
void judge_compute(judge_req_t *r, void (*run)(judge_req_t *r),
    judge_step_pt next);

/* To be called after binding more fields than the route's table, with
 * &r->unknown: names unknown fields in the header Judge-Ignored, or answers
 * with 400 and returns false under "Prefer: handling=strict". */
bool judge_req_known(judge_req_t *r);

/* Refuses a body; the rest of it is discarded and the sentence answered. */
void judge_req_refuse(judge_req_t *r, int status, judge_str_t sentence);

/* An arena for one page of many, which each call empties; NULL: out of memory.
 * If it exists, judge_reply_begin() uses it for the answer.  keep() copies
 * `text` and frees the rest of the page. */
judge_arena_t *judge_req_page(judge_req_t *r);
judge_str_t judge_req_keep(judge_req_t *r, judge_str_t text);

/* judge_receive() writes the body to a file of at most `max` bytes and calls
 * `next`.  judge_send_file() answers with a file, or 404 if it does not exist.
 * Both paths must be zero-terminated and outlive the request. */
void judge_receive(judge_req_t *r, judge_str_t path, size_t max,
    judge_step_pt next);
void judge_send_file(judge_req_t *r, judge_str_t path, const char *type);

/* A streamed answer.  Every step ends with one of these; `data` must stay in
 * place until `next` is called.  If the client leaves, the request ends. */
void judge_stream_begin(judge_req_t *r, int status, const char *type,
    judge_step_pt next);
/* Begins a stream of server-sent events, which proxies must not buffer; a
 * client that is cut off reconnects after a second. */
void judge_stream_events(judge_req_t *r, judge_step_pt next);
void judge_stream_write(judge_req_t *r, judge_str_t data, judge_step_pt next);
void judge_stream_pause(judge_req_t *r, judge_ms_t ms, judge_step_pt next);
void judge_stream_end(judge_req_t *r, judge_str_t data);

/*
 * Events of a batch or training job: watch() calls `next` when it has changed
 * since `changes` (judge_waiters_changes(), before it was read), and after
 * JUDGE_STREAM_QUIET at the latest, when a comment keeps the connection alive.
 * A pause of JUDGE_STREAM_REST after events were sent lets many changes be sent
 * together.
 */
#define JUDGE_STREAM_QUIET  15000      /* ms */
#define JUDGE_STREAM_REST   30         /* ms */

void judge_stream_watch(judge_req_t *r, judge_str_t id, uint64_t changes,
    judge_step_pt next);

/* Begins a JSON answer; end() completes and sends it, ready() completes it for
 * a later send().  raw() sends JSON text. */
judge_json_writer_t *judge_reply_begin(judge_req_t *r, int status);
void judge_reply_end(judge_req_t *r);
bool judge_reply_ready(judge_req_t *r);     /* false: failed and answered */
void judge_reply_send(judge_req_t *r);
/* The identifier in the first member of the prepared answer, or none. */
judge_str_t judge_reply_id(const judge_req_t *r);
/* Sends the prepared answer if op succeeded, or answers with `status` and the
 * sentence `deleted` if what it is about was deleted meanwhile. */
void judge_reply_created(judge_req_t *r, const judge_op_t *op, int status,
    const char *deleted);
void judge_reply_raw(judge_req_t *r, int status, judge_str_t json);
void judge_reply_empty(judge_req_t *r, int status);
void judge_reply_header(judge_req_t *r, const char *name, judge_str_t value);

/* Answers with {"detail": sentence}. */
void judge_fail(judge_req_t *r, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void judge_fail_rc(judge_req_t *r, judge_rc_e rc);       /* NOMEM, BUSY, … */

/* Whether rc is JUDGE_OK; otherwise answers with an error: JUDGE_INVALID with
 * 400 and *sentence.  `sentence` may be NULL if rc is never JUDGE_INVALID. */
bool judge_check(judge_req_t *r, judge_rc_e rc, const judge_str_t *sentence);

/* Whether a field is absent or a URL that calls may be made to, which is then
 * normalized; otherwise the request has been answered. */
bool judge_check_url(judge_req_t *r, const char *field, judge_str_t *url);

/* Writes next_cursor if there are more rows. */
void judge_reply_cursor(judge_req_t *r, judge_json_writer_t *w,
    const judge_page_t *page, judge_str_t last_id);


/* --- Request headers ----------------------------------------------------- */

/* Content-Type without its parameters. */
judge_str_t judge_content_type(judge_req_t *r);

/* Whether the header, a list of tags or "*", contains the tag, which is passed
 * without quotes.  With `weak`, weak tags match, as If-None-Match requires.  A
 * bare word is taken for a tag.  An absent header matches nothing. */
bool judge_etag_matches(judge_str_t header, judge_str_t tag, bool weak);

/* Makes a version the ETag of the answer; whether If-Match or If-None-Match
 * names it. */
void judge_etag_version(judge_req_t *r, int64_t version);
bool judge_etag_version_matches(judge_str_t header, int64_t version,
    bool weak);

#define JUDGE_WAIT_MAX  60             /* s */

/* The seconds of "wait=N", at most JUDGE_WAIT_MAX; 0 if the header is absent
 * or can't be parsed, because a preference never makes a request fail. */
int64_t judge_prefer_wait(judge_str_t header);

/* Parses the Last-Event-ID of a client that reconnects: the number, and
 * whether it was the last event; "17" or "17-done".  false: malformed. */
bool judge_last_event(judge_str_t header, int64_t *number, bool *done);

/* Whether the header contains handling=strict. */
bool judge_prefer_strict(judge_str_t header);


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


#endif /* JUDGE_REQUEST_H */
