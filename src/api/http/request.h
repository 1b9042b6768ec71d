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
    JUDGE_HEADER_IDEMPOTENCY_KEY,
    JUDGE_HEADER_IF_MATCH,
    JUDGE_HEADER_IF_NONE_MATCH,
    JUDGE_HEADER_PREFER,
    JUDGE_HEADER_LAST_EVENT_ID,
    JUDGE_HEADER_X_WEBHOOK_SIGNATURE,
    JUDGE_HEADER_RANGE,
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
 * request stays, even if its client leaves; release() returns whether the
 * client is still there, and if not the request is gone.
 *
 * stream() sends the head of r->answer, whose body comes in pieces; write()
 * sends one, which stays in place until judge_req_ready() is called; the last
 * one ends the request.  pause() calls judge_req_ready() after a while, and
 * wake() ends a pause.
 * judge_req_ready() is always called later, never from within.
 *
 * receive() writes the body to a temporary file, makes it durable, gives it
 * its name and calls judge_req_received(); whatever ends it before leaves no
 * file.  send_file() answers with a file, ranges of it too.
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
    void  (*receive)(judge_req_t *r);  /* r->file */
    void  (*send_file)(judge_req_t *r);
} judge_binding_t;


#define JUDGE_PARAMS  4

struct judge_req {
    /* Filled in by the server before judge_req_start(). */
    judge_arena_t          *arena;
    judge_service_t        *service;
    const judge_binding_t  *binding;
    judge_method_e          method;
    judge_str_t             path;      /* after the mount, without the query,
                                          percent-decoded, begins with '/' */
    judge_str_t             query;     /* as it was sent; absent: none */
    judge_str_t             base_url;  /* scheme, host and mount, no slash */
    judge_str_t             headers[JUDGE_HEADER_COUNT]; /* absent: not sent */
    bool                    repeated[JUDGE_HEADER_COUNT];
    int64_t                 content_length;              /* -1: not sent */
    void                   *server;    /* the server's own */

    /* Filled in by the pipeline before the handler. */
    const judge_route_t    *route;
    judge_str_t             params[JUDGE_PARAMS];  /* of the path's {…} */
    void                   *ctx;       /* of route->ctx_size, zeroed, bound */
    judge_json_t           *body;      /* absent where there was none */
    judge_str_t             org;
    judge_str_t             key_id;
    uint64_t                permissions;
    judge_ms_t              expires_at;  /* of the key; 0: never */
    judge_auth_find_t      *auth;        /* how it was found */

    /* For the log and the metrics. */
    judge_ms_t              began_at;
    judge_ms_t              store_time;  /* its operations took, in all */
    judge_ms_t              queued_at;   /* judge_hold_queued() */
    judge_ms_t              queue_time;  /* in all */
    bool                    stored_any;  /* it had an operation */
    bool                    queued;      /* it waited for the queue */

    /* Of the pipeline and the functions below. */
    judge_answer_t          answer;
    judge_step_pt           step;
    bool                    reading;   /* judge_await_live() does */
    uint64_t                changes;   /* of what it reads, before */
    void                  (*committed)(judge_req_t *r, judge_op_t *op);
    judge_step_pt           streamed;  /* judge_stream_events() */
    judge_step_pt           again;     /* judge_auth_again() */
    judge_op_t             *created;   /* the write of judge_await_create() */
    bool                    changed;   /* a write of it is committed */
    bool                    stored;    /* it is, and the answer that says so is
                                          kept: what fails behind it does not
                                          make it an error */
    judge_json_parser_t    *parser;
    judge_digest_t         *digest;
    size_t                  received;
    size_t                  receive_max;
    judge_str_t             file;      /* path of what is received or sent */
    judge_str_t             refusal;   /* of the body, while it comes */
    int                     refusal_status;
    judge_idempotency_t     idempotency;
    judge_idempotency_find_t *replay;
    judge_buf_t                reply_buf;
    judge_json_writer_t        reply;
    judge_arena_t             *page;   /* judge_req_page() */
    size_t                     reserve; /* bytes that a stream takes at most */
    size_t                     common;  /* headers that every answer has */
    void                  (*run)(judge_req_t *r);
    judge_task_t            task;
    judge_rc_e              bound;
    judge_str_t             bind_error;
    judge_unknown_t         unknown;   /* what no table has */
    bool                    strict;    /* it is an error */

    judge_waiter_t          watch;     /* of a stream */
    bool                    watching;

    /* A handler's: called once when the request is over, however it ended,
     * for what its context holds outside of the arena. */
    void                  (*cleanup)(judge_req_t *r);
};


/* It need not be woken any more. */

static inline void
judge_stream_unwatch(judge_req_t *r)
{
    if (r->watching) {
        r->watching = false;
        judge_waiters_remove(r->service, &r->watch);
    }
}


/* --- Words of the interface ---------------------------------------------- */

/* The words that a field or a filter may be; each list ends with NULL. */
extern const char *const  judge_content_types[];
extern const char *const  judge_judge_statuses[];
extern const char *const  judge_content_statuses[];
extern const char *const  judge_evaluation_statuses[];
extern const char *const  judge_batch_statuses[];
extern const char *const  judge_key_statuses[];   /* the last: expired, is
                                                     only ever shown */
extern const char *const  judge_key_settings[];   /* that a client may set */


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
#define JUDGE_MAY_ALL                (UINT64_C(1) << 62)

/* 0: there is no such permission. */
uint64_t judge_permission(judge_str_t name);

/* Writes the names as a JSON array; the first name of a set. */
void judge_permissions_write(judge_json_writer_t *w, uint64_t permissions);
const char *judge_permission_name(uint64_t permission);

/*
 * Finds the key of a request and fills in who it belongs to, then calls
 * `next`; or answers with 401.  Each worker remembers the keys that it found.
 * The answer to a request that changes or deletes a key comes after
 * judge_auth_changed(), from which on no worker goes by what it remembers.
 * What was found is read again after JUDGE_AUTH_TTL all the same: a process
 * may die after its commit.
 */
#define JUDGE_AUTH_TTL  250            /* ms */
void judge_authenticate(judge_req_t *r, judge_step_pt next);

/* The `committed` of an operation that changes keys. */
void judge_auth_changed(judge_req_t *r, judge_op_t *op);
uint64_t judge_auth_changes(const judge_service_t *service);

/* For a request that has waited: finds its key again if any key was changed
 * or its own has expired.  Answers with 401 or 403, or ends its stream, unless
 * the key still may do what the route is for. */
void judge_auth_again(judge_req_t *r, judge_step_pt next);

/* That time, or the end of the key's life if it is earlier. */
judge_ms_t judge_auth_until(const judge_req_t *r, judge_ms_t until);

/* Whether the key may do what the route is for, and counts the request as
 * one of the key's; false: it has answered 403. */
bool judge_auth_permits(judge_req_t *r);

/* What a worker knows of at most so many keys, at least one; in bytes. */
size_t judge_auth_size(size_t keys);
judge_auth_t *judge_auth_create(size_t keys);
void judge_auth_destroy(judge_auth_t *auth);

/*
 * Answers that a worker remembers, in at most so many bytes.  find() answers
 * if it has the one that the request asks for and nothing was committed since;
 * keep() remembers the prepared answer, if it is small.  It is to be made of
 * nothing but the inline read whose step this is (JUDGE_ROUTE_REMEMBERED).
 */
judge_answers_t *judge_answers_create(size_t bytes);
void judge_answers_destroy(judge_answers_t *answers);    /* NULL is allowed */
bool judge_answers_find(judge_req_t *r);
void judge_answers_keep(judge_req_t *r);

/*
 * Likewise reports, which take long: one is given again as long as the judge
 * has the same active version and nobody has corrected its scores, and for a
 * minute, or 10 s where other nodes change the store.  find() is to be asked
 * before anything is read but the judge.
 */
typedef struct {
    uint64_t  changes;
    int64_t   version;
} judge_report_t;

bool judge_report_find(judge_req_t *r, judge_str_t judge_id, int64_t version,
    judge_report_t *seen);             /* out */
void judge_report_keep(judge_req_t *r, const judge_report_t *seen);


/* --- Routes ------------------------------------------------------------- */

#define JUDGE_ROUTE_PUBLIC         0x1 /* no key needed */
#define JUDGE_ROUTE_CREATES        0x2 /* takes an Idempotency-Key */
#define JUDGE_ROUTE_OPTIONAL_BODY  0x4 /* an empty body counts as {} */
#define JUDGE_ROUTE_LARGE_BODY     0x8 /* max_batch instead of max_body */
#define JUDGE_ROUTE_REMEMBERED    0x10 /* judge_answers_keep() */

/* What the first {…} of a path names, or what a list lists. */
typedef struct {
    const char  *prefix;               /* of its identifiers */
    const char  *name;                 /* "there is no such <name>" */
    const char  *plural;               /* the member of a list's answer */
} judge_resource_t;

/*
 * A row that runs one operation, on its resource or on the organization where
 * it has none, needs no handler; one that takes more steps before that has a
 * handler, whose last step calls judge_resource_run().  Offsets are in the
 * context.  JUDGE_NOT_FOUND is answered with 404, JUDGE_CONFLICT with the
 * sentence `conflict`, or by next() if that is for what was refused, too.  On
 * success next() goes on, or write() adds the members of the answer; without
 * both the answer is 204.
 *
 * Where an Idempotency-Key may come (JUDGE_ROUTE_CREATES), the answer is
 * written before the operation, to be stored with it: by write(), or else by
 * prepare().  next() may then replace it.  committed() is called after the
 * commit even when the client has left.
 */
typedef struct {
    judge_op_kind_e   kind;            /* 0: this is no such row */
    size_t            op;
    size_t            id;              /* of the resource, in the operation */
    size_t            now;             /* the time, in it; 0: it has none */
    bool            (*prepare)(judge_req_t *r);  /* the other inputs, or NULL;
                                                    false: it has answered */
    const char       *missing;         /* NULL: no such <resource> */
    const char       *conflict;
    void            (*committed)(judge_req_t *r, judge_op_t *op);
    judge_step_pt     next;
    bool              refused;         /* next() answers conflicts */
    void            (*write)(judge_req_t *r, judge_json_writer_t *w);
    int               status;          /* with write(); 0: 200 */
} judge_route_op_t;

/* What every row has; `of` is the type of its context. */
#define judge_route(verb, path, may, traits, of)                              \
    .method = JUDGE_##verb, .pattern = path, .permission = may,               \
    .flags = traits, .ctx_size = sizeof(of)

#define judge_route_op(operation, of, member)                                 \
    .kind = operation, .op = offsetof(of, member op),                         \
    .id = offsetof(of, member id)


/* A row that lists a resource page by page needs no handler either. */
typedef struct {
    judge_op_kind_e              kind; /* 0: this is no such row */
    size_t                       query;          /* judge_list_query_t */
    size_t                       op;
    size_t                       page;
    size_t                       rows; /* the pointer to the first */
    size_t                       count;
    size_t                       row_size;
    size_t                       row_id;         /* in a row */
    size_t                       now;  /* as above */
    void                       (*write)(judge_req_t *r, judge_json_writer_t *w,
                                        const void *row);
} judge_route_list_t;

/* The context has the members query and list; write() writes one value. */
#define judge_route_list(operation, of, row_type)                             \
    .kind = operation, .query = offsetof(of, query),                          \
    .op = offsetof(of, list.op), .page = offsetof(of, list.page),             \
    .rows = offsetof(of, list.rows), .count = offsetof(of, list.count),       \
    .row_size = sizeof(row_type), .row_id = offsetof(row_type, id)

/*
 * Of a body with many items, the array `items` is handed to item() one by one
 * as it comes and is not in r->body; JUDGE_INVALID with *error refuses the
 * body.  It must not answer, and touches nothing but the request's memory.
 *
 * A body that is not JSON is handed to consume() as it comes; it refuses the
 * body with judge_req_refuse(), and after the last piece the handler is
 * called.  `accepts` are the types it takes, ended by NULL.
 */

struct judge_route {
    judge_method_e        method;
    const char           *pattern;     /* without /v1; {name} is one segment;
                                          NULL ends a table */
    uint64_t              permission;  /* 0: any key will do */
    unsigned              flags;
    size_t                ctx_size;
    const judge_field_t  *body;        /* fields of the body, in ctx */
    const judge_field_t  *query;       /* fields of the query, in ctx */
    judge_step_pt         handler;     /* NULL: op or list */
    const judge_resource_t  *resource; /* a malformed identifier in the path
                                          never reaches the handler */
    judge_route_op_t      op;
    judge_route_list_t    list;
    void                (*consume)(judge_req_t *r, const char *data,
                                   size_t len);
    const char *const    *accepts;
    const char           *etag;        /* of what it creates, quoted: also
                                          in the answer to a repeat */
    const char           *location;    /* of what it creates: a path with the
                                          answer's first member as {id} */
    const char           *items;
    judge_rc_e          (*item)(judge_req_t *r, const judge_json_t *item,
                                size_t index, judge_str_t *error);
};


/* One table per resource, each on top of its file. */

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
extern const judge_route_t  judge_review_routes[];
extern const judge_route_t  judge_estimate_routes[];
extern const judge_route_t  judge_drift_routes[];
extern const judge_route_t  judge_canary_routes[];
extern const judge_route_t  judge_canary_report_routes[];
extern const judge_route_t  judge_training_routes[];
extern const judge_route_t  judge_training_run_routes[];
extern const judge_route_t  judge_training_events_routes[];
extern const judge_route_t  judge_settings_routes[];
extern const judge_route_t  judge_health_routes[];
extern const judge_route_t  judge_metrics_routes[];
extern const judge_route_t  judge_assist_criteria_routes[];
extern const judge_route_t  judge_assist_columns_routes[];
extern const judge_route_t  judge_openapi_routes[];
extern const judge_route_t  judge_social_routes[];
extern const judge_route_t  judge_callback_routes[];
extern const judge_route_t  judge_upload_routes[];
extern const judge_route_t  judge_arrival_routes[];
extern const judge_route_t  judge_webhook_routes[];
extern const judge_route_t  judge_work_routes[];
extern const judge_route_t  judge_keyframe_routes[];
extern const judge_route_t  judge_explanation_routes[];

extern const judge_route_t *const  judge_routes[];       /* NULL ends it */


/* --- For the server ------------------------------------------------------ */

/* Matches the request against the routes, a list of tables ended by NULL, and
 * goes on until it is answered or waits. */
void judge_req_start(judge_req_t *r, const judge_route_t *const *routes);
void judge_req_body(judge_req_t *r, const char *data, size_t len);
void judge_req_body_end(judge_req_t *r);

/* The piece of a stream is out, or the pause is over. */
void judge_req_ready(judge_req_t *r);

/* The body is in its file, r->received bytes; else rc is not JUDGE_OK. */
void judge_req_received(judge_req_t *r, judge_rc_e rc);

/* The most bytes that the body of this request may have. */
size_t judge_req_body_max(const judge_req_t *r);

/* The memory that stays in use until the client has taken the answer. */
size_t judge_req_weight(const judge_req_t *r);

/* Answers in place of a large answer: too many wait for their clients, of
 * this API key or organization (`whose`), or of all (NULL). */
void judge_fail_unread(judge_req_t *r, const char *whose);

/* Must be called when the request is over, however it ended. */
void judge_req_cleanup(judge_req_t *r);


/* --- For handlers -------------------------------------------------------- */

/*
 * Submits an operation of the request's organization; `next` is called when
 * it is done, unless the store failed or the client has left.  Outcomes that
 * reach the step: JUDGE_OK, _NOT_FOUND, _CONFLICT, _STALE, _INVALID.
 */
void judge_await(judge_req_t *r, judge_op_t *op, judge_step_pt next);

/* The same with the outcome in the arena of judge_req_page(). */
void judge_await_page(judge_req_t *r, judge_op_t *op, judge_step_pt next);

/* The same, but every outcome reaches the step. */
void judge_await_any(judge_req_t *r, judge_op_t *op, judge_step_pt next);

/* Whether judge_live_take() may follow, for the batch or training job of the
 * path.  False: it is read, and `step` is called then, which asks again. */
bool judge_await_live(judge_req_t *r, judge_step_pt step);

/* The same for the write that an Idempotency-Key protects: the answer must
 * have been prepared (judge_reply_ready).  committed(), unless NULL, is called
 * after the commit even when the client has left.  Where `next` is NULL the
 * prepared answer is sent. */
void judge_await_create(judge_req_t *r, judge_op_t *op,
    void (*committed)(judge_req_t *r, judge_op_t *op), judge_step_pt next);

/* For the pipeline: finds the row of a path and method, with and without the
 * prefix /v1, and fills in r->route and r->params; false: it has answered.
 * And the path without that prefix. */
bool judge_route_find(judge_req_t *r, const judge_route_t *const *routes);
judge_str_t judge_route_path(judge_str_t path);

/* hold() and release() of the binding, around waiting for the queue; false:
 * the request is gone. */
void judge_hold_queued(judge_req_t *r);
bool judge_release_queued(judge_req_t *r);

/* For the pipeline: runs the request's row, which names an operation, a list
 * or a handler. */
void judge_resource_handle(judge_req_t *r);

/* Runs the operation of the row. */
void judge_resource_run(judge_req_t *r);

/* Answers 404: there is no such …. */
void judge_resource_missing(judge_req_t *r);

/* The batch or training job of the path as it is now, as judge_await_live();
 * NULL: it has answered, or the step is called again. */
struct judge_live_entry *judge_resource_entry(judge_req_t *r,
    judge_step_pt step);

/* For handlers whose answer has more members than a list: the array, and the
 * cursor behind it. */
void judge_resource_rows(judge_req_t *r, judge_json_writer_t *w);
void judge_resource_cursor(judge_req_t *r, judge_json_writer_t *w);

/* Runs in a thread what would block the event loop; nothing else may touch
 * the request meanwhile.  Ends the step as judge_await() does. */
void judge_compute(judge_req_t *r, void (*run)(judge_req_t *r),
    judge_step_pt next);

/*
 * For who binds more than the table of the row, with &r->unknown: names what
 * is unknown in the header Judge-Ignored; under "Prefer: handling=strict" it
 * is an error.  false: it has answered 400.
 */
bool judge_req_known(judge_req_t *r);

/* Refuses a body that consume() gets; the rest of it is not handed on. */
void judge_req_refuse(judge_req_t *r, int status, judge_str_t sentence);

/*
 * An arena for one page of many: emptied by each call, NULL without memory.
 * An answer that is begun while there is one is made in it.  keep() frees all
 * of it but `text`.
 */
judge_arena_t *judge_req_page(judge_req_t *r);
judge_str_t judge_req_keep(judge_req_t *r, judge_str_t text);

/*
 * Writes the body into a file, at most `max` bytes; `next` is called when it
 * is complete.  A file as the answer, with ranges; 404 where it is not there.
 * Both paths stay in place and are zero-terminated.
 */
void judge_receive(judge_req_t *r, judge_str_t path, size_t max,
    judge_step_pt next);
void judge_send_file(judge_req_t *r, judge_str_t path, const char *type);

/*
 * An answer in pieces.  Every step ends with one of these; data stays in
 * place until `next` is called.  A client that leaves ends it all.
 */
void judge_stream_begin(judge_req_t *r, int status, const char *type,
    judge_step_pt next);
/* The same for server-sent events: no proxy may hold them back, and a client
 * that was cut off comes back after a second. */
void judge_stream_events(judge_req_t *r, judge_step_pt next);
void judge_stream_write(judge_req_t *r, judge_str_t data, judge_step_pt next);
void judge_stream_pause(judge_req_t *r, judge_ms_t ms, judge_step_pt next);
void judge_stream_end(judge_req_t *r, judge_str_t data);

/*
 * Events of a batch or training job: watch() goes on when it has changed since
 * `changes` (judge_waiters_changes(), asked before it was read), and at the
 * latest after JUDGE_STREAM_QUIET, when a comment is due.  What was sent is
 * followed by rest(), so that of many changes not each is sent alone.
 */
#define JUDGE_STREAM_QUIET  15000      /* ms */
#define JUDGE_STREAM_REST   30         /* ms */

void judge_stream_watch(judge_req_t *r, judge_str_t id, uint64_t changes,
    judge_step_pt next);
void judge_stream_rest(judge_req_t *r, judge_step_pt next);

/* Begins a JSON answer; end() sends it; ready() only keeps it for send().
 * raw() and keep() are the same for an answer that is JSON already. */
judge_json_writer_t *judge_reply_begin(judge_req_t *r, int status);
void judge_reply_end(judge_req_t *r);
bool judge_reply_ready(judge_req_t *r);     /* false: failed and answered */
void judge_reply_send(judge_req_t *r);
/* The prepared answer where op succeeded; the error where what it is about is
 * gone meanwhile. */
void judge_reply_created(judge_req_t *r, const judge_op_t *op, int status,
    const char *gone);
void judge_reply_keep(judge_req_t *r, int status, judge_str_t json);
void judge_reply_raw(judge_req_t *r, int status, judge_str_t json);
void judge_reply_kept(judge_req_t *r, judge_str_t json);    /* 200; copied */
void judge_reply_empty(judge_req_t *r, int status);
void judge_reply_header(judge_req_t *r, const char *name, judge_str_t value);

/* Answers with {"detail": sentence}. */
void judge_fail(judge_req_t *r, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void judge_fail_rc(judge_req_t *r, judge_rc_e rc);       /* NOMEM, BUSY, … */

/* Whether rc is JUDGE_OK; else it has answered: JUDGE_INVALID with 400 and the
 * sentence, which is read only then; NULL where there is none. */
bool judge_check(judge_req_t *r, judge_rc_e rc, const judge_str_t *sentence);

/* Whether a field is absent or an address, which is brought to its usual form,
 * and which is not one that calls are never made to; else it has answered. */
bool judge_check_url(judge_req_t *r, const char *field, judge_str_t *url);

/* The tail of a list: next_cursor where there is more. */
void judge_reply_cursor(judge_req_t *r, judge_json_writer_t *w,
    const judge_page_t *page, judge_str_t last_id);


/* --- Request headers ----------------------------------------------------- */

/* Content-Type without its parameters. */
judge_str_t judge_content_type(judge_req_t *r);

/*
 * Whether the header, a list of tags or "*", names the tag, which is given
 * without its quotes.  `weak` compares as If-None-Match does: a weak tag
 * counts, too.  A bare word is taken for a tag.  An absent header: false.
 */
bool judge_etag_matches(judge_str_t header, judge_str_t tag, bool weak);

/* A version as the tag of the answer; whether If-Match or If-None-Match names
 * it. */
void judge_etag_version(judge_req_t *r, int64_t version);
bool judge_etag_version_matches(judge_str_t header, int64_t version,
    bool weak);

#define JUDGE_WAIT_MAX  60             /* s */

/*
 * The seconds of "wait=N", at most JUDGE_WAIT_MAX; 0 where the header is
 * absent or asks for nothing that can be understood: a preference never
 * makes a request fail.
 */
int64_t judge_prefer_wait(judge_str_t header);

/* The number out of the Last-Event-ID of a client that comes back, and whether
 * the event was the last one: "17" or, of the last, "17-done".  false: it is
 * none. */
#define JUDGE_EVENT_DONE  "-done"
bool judge_last_event(judge_str_t header, int64_t *number, bool *done);

/* Whether it asks for handling=strict. */
bool judge_prefer_strict(judge_str_t header);


/* --- Lists --------------------------------------------------------------- */

/* The two query parameters that every list has; first in its context. */
typedef struct {
    judge_integer_t  limit;
    judge_str_t      cursor;
} judge_list_query_t;

#define JUDGE_LIST_LIMIT  25
#define JUDGE_LIST_MAX    200

#define judge_list_query_fields(of, member)                                   \
    judge_field_as("limit", of, member.limit, INTEGER, 0, 1, JUDGE_LIST_MAX), \
    judge_field_as("cursor", of, member.cursor, STRING, 0, 1, 200)

/* false: the cursor is not valid, and it has answered. */
bool judge_list_page(judge_req_t *r, const judge_list_query_t *query,
    const char *prefix, judge_page_t *page);


#endif /* JUDGE_REQUEST_H */
