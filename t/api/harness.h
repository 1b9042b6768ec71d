/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The whole service but its server: the real pipeline, handlers, work and
 * SQLite store (in a folder of its own), with a clock that stands still and
 * threads that run at once.  A call is a request from its first byte to its
 * answer; what every answer must be is checked on the way.
 */


#ifndef JUDGE_T_HARNESS_H
#define JUDGE_T_HARNESS_H


#include "store/store_open.h"
#include "api/http/request.h"
#include "tap.h"
#include "work/evaluation/queue.h"
#include "work/service/budget.h"
#include "work/service/expiry.h"
#include "work/service/metrics.h"
#include "work/service/usage.h"
#include "work/service/progress.h"
#include "work/uploads/upload_reader.h"
#include "work/webhooks/webhook.h"


#define T_START  INT64_C(1780000000000)           /* 2026-05-28T20:26:40Z */

typedef struct t_api   t_api_t;
typedef struct t_call  t_call_t;

struct t_api {
    judge_arena_t    *arena;
    judge_service_t   service;
    judge_runner_t   *db;
    char              directory[64];
    judge_ms_t        now;             /* the clock */
    judge_str_t       org;
    judge_str_t       key;             /* with every permission */
    judge_str_t       key_id;
    size_t            warnings;        /* lines in the log */

    /* For the next call only. */
    const char       *headers[JUDGE_HEADER_COUNT];
    bool              repeated[JUDGE_HEADER_COUNT];
    bool              no_key;
    bool              no_length;       /* as with chunks */

    /* Threads: when `later` is set, they run in t_run(). */
    bool              later;
    judge_task_t     *tasks;
    size_t            computed;        /* so far */

    /* The store: when `slow` is set, what is not done inline is done in
     * t_run(); what happens in place of, or before, an operation. */
    bool              slow;
    judge_op_t       *waiting;
    bool              fails;
    judge_op_kind_e   fail_kind;
    judge_rc_e        fail_rc;
    void            (*before)(t_api_t *api, judge_op_t *op);
    size_t            ops;             /* so far */

    t_call_t         *calls;

    /* Outgoing calls: when `answers` is set, they wait for t_outgoing(). */
    bool              answers;
    judge_call_t     *outgoing;
};

struct t_call {
    judge_req_t     req;
    t_api_t        *api;
    int             status;            /* 0: not answered yet */
    judge_str_t     body;
    judge_json_t   *json;              /* NULL: no body */
    const char     *method;
    const char     *sends;
    size_t          held;
    bool            left;
    judge_buf_t     pieces;            /* of an answer that comes in pieces */
    size_t          npieces;
    bool            ended;             /* the last piece has come */
    bool            cut;               /* or it was cut off before */
    bool            ready;             /* for the next one, in t_run() */
    judge_ms_t      resume_at;         /* 0: no pause */
    t_call_t       *next;
};


/* With one organization and its first key; exits when that fails. */
/* Ends the test: it can't go on. */
void t_bail(const char *what);

t_api_t *t_api_create(void);
void t_api_destroy(t_api_t *api);

/* Another organization, whose key the calls that follow bear. */
void t_api_organization(t_api_t *api);
void t_api_bear(t_api_t *api, judge_str_t key);

/* Sets a header of the next call. */
void t_header(t_api_t *api, judge_header_e header, const char *value);

/* Sends a request; path with query; body NULL: none.  The call lives until
 * the end, or until its client leaves. */
t_call_t *t_send(t_api_t *api, const char *method, const char *path,
    const char *body);
t_call_t *t_sendf(t_api_t *api, const char *method, const char *body,
    const char *path, ...) __attribute__((format(printf, 4, 5)));

/* The client goes; the call must not be used any more. */
void t_leave(t_call_t *call);

/* The oldest outgoing call that waits; NULL: there is none.  The test sets
 * what came of it and calls done(). */
judge_call_t *t_outgoing(t_api_t *api);

/* Runs what waits for a thread or the store, the store's part in one group,
 * and takes what is ready to be sent; the tick of the worker, and the end of
 * pauses, at a later time. */
void t_run(t_api_t *api);
void t_tick(t_api_t *api, judge_ms_t later);

/* As if the worker died, and another one took its place. */
void t_other_worker(t_api_t *api);

/* The record of a new evaluation, which may wait for a training. */
t_call_t *t_evaluated(t_api_t *api, const char *judge, const char *content);

/*
 * A value of the answer by its path ("criteria[0].name"): a string as it is,
 * anything else as JSON; absent if it is not there.
 */
judge_str_t t_get(t_call_t *call, const char *path);

/* Whether the answer's body, at whose end is no NUL, contains the text. */
bool t_has(const t_call_t *call, const char *text);
judge_str_t t_answer_header(t_call_t *call, const char *name);

/* As a C string, good for a path. */
const char *t_text(t_call_t *call, const char *path);

/*
 * One assertion of several values: "status completed|attempts 1|score", each
 * as t_get() has it; where no value stands behind a path it is absent.
 */
void t_are(t_call_t *call, const char *values, const char *name);

/* Two assertions: the status and, if wanted, the detail or all of the body. */
void t_is_status(t_call_t *call, int status, const char *name);
void t_is_detail(t_call_t *call, int status, const char *detail,
    const char *name);

/* What fails is where it is asserted, as with t_ok(). */
#define t_are(...)        (t_at(__FILE__, __LINE__), t_are(__VA_ARGS__))
#define t_is_status(...)  (t_at(__FILE__, __LINE__), t_is_status(__VA_ARGS__))
#define t_is_detail(...)  (t_at(__FILE__, __LINE__), t_is_detail(__VA_ARGS__))

/* What most tests begin with; each gives the identifier. */
const char *t_judge(t_api_t *api, const char *content_type);
const char *t_content(t_api_t *api, const char *text);
const char *t_evaluation(t_api_t *api, const char *judge_id,
    const char *content_id);

/* The text with the first of the identifiers instead of %0, and so on. */
const char *t_filled(t_api_t *api, const char *text, const char *const *ids);

/* Runs one operation of the organization; op->arena is the api's. */
judge_rc_e t_op(t_api_t *api, judge_op_t *op, judge_op_kind_e kind);

/* For the harness itself: the binding's part for files, the network; and
 * removing a folder with the files in it. */
void t_network(void *data, judge_call_t *call);
void t_receive(judge_req_t *r);
void t_send_file(judge_req_t *r);
void t_write(judge_req_t *r, judge_str_t data, bool last);
void t_record(const t_call_t *call);
void t_empty(const char *directory);


#endif /* JUDGE_T_HARNESS_H */
