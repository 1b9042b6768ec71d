/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * judge_traffic and judge_request: what passes through a location is judged,
 * answers and requests.  A module of its own beside the service's, since each
 * of the two keeps something with a request.
 */


#ifndef NGX_HTTP_JUDGE_TRAFFIC_H
#define NGX_HTTP_JUDGE_TRAFFIC_H


#include "ngx/ngx_http_judge.h"

#include "base/text/number.h"
#include "extensions/traffic/exchange.h"


typedef enum {
    NGX_HTTP_JUDGE_STREAM_HOLD,            /* to its end */
    NGX_HTTP_JUDGE_STREAM_WINDOW,          /* up to what is judged */
    NGX_HTTP_JUDGE_STREAM_END              /* not at all */
} ngx_http_judge_stream_e;

/* One line of a directive. */
typedef struct {
    ngx_flag_t                  asks;      /* judge_request: then `answer` is
                                              where requests have texts */
    ngx_str_t                   name;      /* of the service; maybe empty */
    ngx_http_judge_service_t   *service;
    ngx_http_judge_place_t      place;
    ngx_http_complex_value_t   *judge;
    ngx_http_complex_value_t   *organization;
    ngx_http_complex_value_t   *sample;    /* NULL: all */
    ngx_http_complex_value_t   *route;     /* NULL: the location's name */
    judge_extract_formats_t     answer;
    judge_extract_formats_t     request;
    ngx_flag_t                  sourced;   /* requests are looked at */
    ngx_flag_t                  scores;    /* only these are stored */
    size_t                      max;       /* bytes of a body, */
    size_t                      memory;    /* and of all in a worker */
    size_t                      held;      /* so many are there now */
    ngx_flag_t                  guard;
    double                      min;       /* then: what passes */
    ngx_flag_t                  block;     /* and what can't be judged, not */
    ngx_uint_t                  stream;    /* how events are held back, */
    size_t                      window;    /* bytes of their text, */
    ngx_msec_t                  delay;     /* and how long */
    ngx_msec_t                  timeout;   /* of a verdict on all of it */
    judge_token_bucket_rate_t   rate;      /* of limit 0: none */
    judge_str_t                 bucket;    /* of the rate */
    ngx_array_t                 redact;    /* of judge_regex_t * */
    ngx_array_t                 fields;    /* of judge_str_t */
    judge_arena_t              *arena;     /* of what is compiled */
} ngx_http_judge_traffic_t;

typedef struct {
    ngx_http_judge_traffic_t   *traffic;   /* NULL: off */
    ngx_http_judge_traffic_t   *request;   /* likewise */
} ngx_http_judge_traffic_conf_t;

#define NGX_HTTP_JUDGE_UNPROCESSABLE  422

/* Of r->buffered; the image filter's, which answers otherwise anyway. */
#define NGX_HTTP_JUDGE_BUFFERED  0x08

typedef enum {
    NGX_HTTP_JUDGE_GUARD_OFF,          /* what comes passes */
    NGX_HTTP_JUDGE_GUARD_HOLD,         /* is held back */
    NGX_HTTP_JUDGE_GUARD_WAIT,         /* all is; it is being judged */
    NGX_HTTP_JUDGE_GUARD_PASS,         /* all may go */
    NGX_HTTP_JUDGE_GUARD_REFUSED
} ngx_http_judge_guard_e;

typedef struct ngx_http_judge_piece_s  ngx_http_judge_piece_t;

/* Of one request, for as long as it lasts. */
typedef struct {
    ngx_http_request_t         *r;
    ngx_http_judge_traffic_t   *traffic;
    judge_extract_t             body;
    size_t                      held;      /* of the traffic's */
    judge_skip_e                skip;
    judge_exchange_t           *judging;   /* it, or NULL */
    unsigned                    collecting:1;
    unsigned                    live:1;    /* judged while it streams: */
    unsigned                    ending:1;  /* the last event has come, */
    unsigned                    over:1;    /* the last byte, */
    unsigned                    final:1;   /* and all is judged, or being so */

    /* What is collected; of events only where they are held back. */
    ngx_chain_t                *out;
    ngx_chain_t               **last;
    size_t                      size;      /* its bytes */

    /* mode=guard */
    ngx_http_judge_guard_e      guard;
    ngx_int_t                   status;    /* of the phase, for a request */
    ngx_event_t                 resume;

    /* and live */
    ngx_chain_t                *free;      /* pieces that were sent, */
    ngx_chain_t                *busy;      /* and that are */
    ngx_chain_t                *owed;      /* taken, but not said to be */
    ngx_http_judge_piece_t     *pieces;    /* all, of the heap, */
    size_t                      room;      /* and what they take */
    ngx_buf_t                  *tail;      /* the last piece that is held */
    size_t                      mark;      /* held bytes that are judged */
    size_t                      judged;    /* bytes of text that are, */
    size_t                      due;       /* that will be next */
    judge_extract_provider_e    provider;
    int64_t                     events;
    ngx_event_t                 timer;

    /* Of the verdict. */
    ngx_str_t                   detail;    /* JSON, if it is refused */
    judge_id_t                  id;
    u_char                      number[JUDGE_NUMBER_LEN];
    u_char                      seconds[NGX_TIME_T_LEN + 4];

    /* The variables; empty: not known. */
    ngx_str_t                   reason;    /* of the skip */
    ngx_str_t                   score;
    ngx_str_t                   passed;
    ngx_str_t                   evaluation;
    ngx_str_t                   time;
} ngx_http_judge_traffic_ctx_t;


extern ngx_module_t  ngx_http_judge_traffic_module;

/* The directive. */
char *ngx_http_judge_traffic(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* "12.5%"; false: it is no share. */
bool ngx_http_judge_traffic_share(const ngx_str_t *value, double *share);

/* Why an answer, or a request, with this head is not judged; or NONE. */
judge_skip_e ngx_http_judge_traffic_admit(ngx_http_request_t *r,
    ngx_http_judge_traffic_ctx_t *ctx);

/* Makes of it what is judged; NULL: no memory. */
judge_exchange_t *ngx_http_judge_traffic_exchange(ngx_http_request_t *r,
    ngx_http_judge_traffic_ctx_t *ctx);

/* Sets why it was not judged. */
void ngx_http_judge_traffic_reason(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip);

/* The same of what is collected so far; or to its end, it is no longer held
 * then.  NULL: it has been skipped. */
judge_exchange_t *ngx_http_judge_traffic_take(
    ngx_http_judge_traffic_ctx_t *ctx, ngx_uint_t end);

/* Keeps something with the request, not as its context; NULL: no memory. */
ngx_http_judge_traffic_ctx_t *ngx_http_judge_traffic_begin(
    ngx_http_request_t *r, ngx_http_judge_traffic_t *t);

/* No more is collected; skip: for this reason, which is counted. */
void ngx_http_judge_traffic_skip(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip);

void ngx_http_judge_traffic_drop(ngx_http_judge_traffic_ctx_t *ctx);

/* Counts what it holds among what all requests of this worker hold; held back
 * memory is the request's until that ends. */
void ngx_http_judge_held_account(ngx_http_judge_traffic_ctx_t *ctx);

/* The filters behind ours. */
extern ngx_http_output_header_filter_pt  ngx_http_judge_next_header;
extern ngx_http_output_body_filter_pt    ngx_http_judge_next_body;

/* Sends this, and the head before it if it has not gone. */
ngx_int_t ngx_http_judge_held_pass(ngx_http_request_t *r,
    ngx_chain_t *out);

/* This worker's, for the moment. */
judge_arena_t *ngx_http_judge_traffic_scratch(void);

/* header: NGX_DECLINED: the head is held back; NGX_OK: it passes; or a status
 * to end with.  send: once there is a verdict. */
ngx_int_t ngx_http_judge_guard_header(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip);
ngx_int_t ngx_http_judge_guard_body(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_chain_t *in, ngx_uint_t last);
ngx_int_t ngx_http_judge_guard_send(ngx_http_judge_traffic_ctx_t *ctx);
void ngx_http_judge_guard_verdict(ngx_http_judge_traffic_ctx_t *ctx,
    judge_exchange_t *x);

/* The client's Range goes to nobody. */
void ngx_http_judge_guard_whole(ngx_http_request_t *r);

/* A verdict is no longer waited for. */
void ngx_http_judge_guard_leave(ngx_http_judge_traffic_ctx_t *ctx);

/* Has it judged; then `resume` is posted.  NULL: it can't be. */
void ngx_http_judge_guard_run(ngx_http_judge_traffic_ctx_t *ctx,
    judge_exchange_t *x);

/* Answers with 422 in its place. */
void ngx_http_judge_guard_replace(ngx_http_judge_traffic_ctx_t *ctx);

/* Streams: instead of guard_body(), once header() has said so. */
ngx_uint_t ngx_http_judge_live_header(ngx_http_judge_traffic_ctx_t *ctx);
ngx_int_t ngx_http_judge_live_body(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_chain_t *in, ngx_uint_t last);

/* Bytes are held in pieces; the first n of them go, with `end` all that are to
 * come; or none of them will.  free() is for where none has gone. */
ngx_int_t ngx_http_judge_held_add(ngx_http_judge_traffic_ctx_t *ctx,
    const u_char *data, size_t len);
ngx_int_t ngx_http_judge_held_release(ngx_http_judge_traffic_ctx_t *ctx,
    size_t n, ngx_uint_t end);
void ngx_http_judge_held_drop(ngx_http_judge_traffic_ctx_t *ctx);
void ngx_http_judge_held_free(ngx_http_judge_traffic_ctx_t *ctx);

/* Moves buffers that nginx has sent to those that are free. */
void ngx_http_judge_held_sent(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_chain_t *out);

/* Instead of it without `in`. */
ngx_int_t ngx_http_judge_live_flush(ngx_http_judge_traffic_ctx_t *ctx);

/* Whether such a skip is one that on_error= decides about, and blocks. */
bool ngx_http_judge_guard_blocks(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip);

/* Of the answer or the request, also after an internal redirect; NULL: there
 * is none. */
ngx_http_judge_traffic_ctx_t *ngx_http_judge_traffic_ctx(
    ngx_http_request_t *r, ngx_flag_t asks);

/* judge_request. */
ngx_int_t ngx_http_judge_request_handler(ngx_http_request_t *r);

ngx_int_t ngx_http_judge_traffic_filters(ngx_conf_t *cf);
ngx_int_t ngx_http_judge_traffic_variables(ngx_conf_t *cf);


#endif /* NGX_HTTP_JUDGE_TRAFFIC_H */
