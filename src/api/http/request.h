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
#include "api/http/auth.h"
#include "api/http/gzip.h"
#include "api/http/route.h"


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

    /* Set by what runs in a thread: see judge_compute(). */
    judge_rc_e              rc;        /* in a step: of its operation */
    judge_str_t             error;     /* a sentence */

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
    judge_step_pt           computed;  /* judge_await_compute() */
    judge_step_pt           found;     /* judge_await_found(), as the next */
    const char             *missing;
    void                  (*committed)(judge_req_t *r, judge_op_t *op);
    judge_step_pt           streamed;  /* judge_stream_events() */
    judge_step_pt           rechecked; /* judge_auth_recheck() */
    judge_op_t             *created;   /* of judge_await_create() */
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
    size_t                  began_size;  /* the arena's before the body */
    size_t                  weight;      /* the part of service->bodies */
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
        judge_str_t           key;     /* absent: it is not cached */
        judge_ms_t            until;
        judge_data_version_t  version;
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

/* The same, but only success reaches the step: JUDGE_NOT_FOUND is answered
 * with 404 and the sentence `missing`, or, if that is NULL, as by
 * judge_resource_missing(). */
void judge_await_found(judge_req_t *r, judge_op_t *op, const char *missing,
    judge_step_pt next);

/* For the pipeline: finds the route of a path, with or without the prefix /v1,
 * and method, and fills in r->route and r->params; false: the request has been
 * answered.  The second returns the path without that prefix. */
bool judge_route_find(judge_req_t *r, judge_routes_pt routes);
judge_str_t judge_route_path(judge_str_t path);

/* The binding's hold() and release() around a wait for an evaluation, whose
 * time is added to queue_time. */
void judge_hold_queued(judge_req_t *r);
bool judge_release_queued(judge_req_t *r);

/* judge_await() for the write that an Idempotency-Key protects: the answer
 * must have been prepared (judge_reply_ready).  committed(), unless NULL, is
 * called after the commit even if the client has left. */
void judge_await_create(judge_req_t *r, judge_op_t *op,
    void (*committed)(judge_req_t *r, judge_op_t *op), judge_step_pt next);

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
 * meanwhile.  If run() sets r->rc, that is answered in place of `next`, after
 * JUDGE_INVALID (or _NOT_FOUND, if it sets it) with the sentence r->error.
 * Must be the last call of a step. */
void judge_compute(judge_req_t *r, void (*run)(judge_req_t *r),
    judge_step_pt next);

/* Calls run() after an operation that has succeeded. */
void judge_await_compute(judge_req_t *r, judge_op_t *op,
    void (*run)(judge_req_t *r), judge_step_pt next);

/* To be called after binding more fields than the route's table, with
 * &r->unknown: names unknown fields in the header Judge-Ignored, or answers
 * with 400 and returns false under "Prefer: handling=strict". */
bool judge_req_known(judge_req_t *r);

/* Refuses a body; the rest of it is discarded and the sentence, which is not
 * copied, answered. */
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

/*
 * Lets a request that creates something answer when that has ended, if its
 * client wants to wait so long (Prefer: wait).
 */

/* A part of the request's context. */
typedef struct {
    int64_t         seconds;           /* 0: the request does not wait */
    judge_str_t     id;                /* what is waited for */
    uint64_t        changes;           /* its counter before it was read */
    judge_step_pt   read;
    judge_ms_t      until;
    judge_waiter_t  waiter;
} judge_await_end_t;

/* To be called before what is waited for is created or read. */
void judge_await_end_note(judge_req_t *r, judge_await_end_t *waiting,
    judge_str_t id);

/* To be called after it was created, or found by a repeat.  false: the client
 * does not wait, and has been sent the prepared answer. */
bool judge_await_end_begin(judge_req_t *r, judge_await_end_t *waiting);

/* Calls `read` when what is waited for has changed since _note(), or now and
 * then, at the latest when the time is over; holds the request meanwhile.
 * false: the client has waited long enough. */
bool judge_await_end_rest(judge_req_t *r, judge_await_end_t *waiting,
    judge_step_pt read);

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
 * A pause of JUDGE_STREAM_REST after events were sent lets many changes be
 * sent together.
 */
#define JUDGE_STREAM_QUIET  15000      /* ms */
#define JUDGE_STREAM_REST   30         /* ms */

void judge_stream_watch(judge_req_t *r, judge_str_t id, uint64_t changes,
    judge_step_pt next);

/* What a stream of events knows; a part of the request's context. */
typedef struct {
    int64_t     after;                 /* number of the last event sent */
    bool        done;                  /* the client has seen the end, too */
    judge_ms_t  sent_at;
    uint64_t    changes;               /* as of judge_stream_watch() */
} judge_stream_t;

/* Sends events and calls `sent`, or without any watches the resource of the
 * path and calls `poll`; `last`: ends the stream with them. */
void judge_stream_report(judge_req_t *r, judge_stream_t *stream,
    judge_buf_t *events, bool last, judge_step_pt sent, judge_step_pt poll);

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
/* Adds a header, of which nothing is copied.  One with an absent value, or
 * beyond JUDGE_ANSWER_HEADERS, is left out. */
void judge_reply_header(judge_req_t *r, const char *name, judge_str_t value);

/* Answers with {"detail": sentence}, with r->problem as more members; returns
 * false. */
bool judge_fail(judge_req_t *r, int status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Answers with the status and sentence of a result code, or, if the write of
 * judge_await_create() has been stored, with its prepared answer; returns
 * false. */
bool judge_fail_rc(judge_req_t *r, judge_rc_e rc);

/* Whether rc is JUDGE_OK; otherwise answers with an error: JUDGE_INVALID with
 * 400 and *sentence.  `sentence` may be NULL if rc is never JUDGE_INVALID. */
bool judge_check(judge_req_t *r, judge_rc_e rc, const judge_str_t *sentence);

/* Whether a field is absent or a URL that calls may be made to, which is then
 * normalized; otherwise the request has been answered. */
bool judge_check_url(judge_req_t *r, const char *field, judge_str_t *url);

/* Writes next_cursor if there are more rows. */
void judge_reply_cursor(judge_req_t *r, judge_json_writer_t *w,
    const judge_page_t *page, judge_str_t last_id);


/* Decodes in place a name or value of a query or a form (`+` and %XX), which
 * gets no longer; false: a '%' is not followed by two hexadecimal digits. */
bool judge_form_decode(judge_str_t *s);


/* --- Headers ------------------------------------------------------------- */

/* Headers of requests, parsed. */

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

/* Whether the first handling=… of the header is strict. */
bool judge_prefer_strict(judge_str_t header);


#endif /* JUDGE_REQUEST_H */
