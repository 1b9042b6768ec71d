/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * judge_traffic and judge_request: judge the responses and requests that pass
 * through a location.  They are a module of their own, because both need a
 * context of the same request.
 */


#ifndef NGX_HTTP_JUDGE_TRAFFIC_H
#define NGX_HTTP_JUDGE_TRAFFIC_H


#include "ngx/ngx_http_judge.h"

#include "base/text/number.h"
#include "extensions/traffic/blocked.h"
#include "extensions/traffic/exchange.h"


typedef enum {
    NGX_HTTP_JUDGE_STREAM_HOLD,            /* sent after its end */
    NGX_HTTP_JUDGE_STREAM_WINDOW,          /* sent in parts, once judged */
    NGX_HTTP_JUDGE_STREAM_END              /* sent at once, except its end */
} ngx_http_judge_stream_e;

typedef struct ngx_http_judge_detect_s  ngx_http_judge_detect_t;

/* One line of a directive, or all of judge_detect. */
typedef struct {
    ngx_http_judge_detect_t    *detect;    /* in place of a judge, or NULL */
    ngx_flag_t                  asks;      /* requests are judged, by
                                              judge_request; `answer` has their
                                              formats then */
    ngx_str_t                   name;      /* of the service; may be empty */
    ngx_http_judge_service_t   *service;
    ngx_http_judge_place_t      place;
    ngx_http_complex_value_t   *judge;
    ngx_http_complex_value_t   *organization;
    ngx_http_complex_value_t   *sample;    /* NULL: all */
    ngx_http_complex_value_t   *route;     /* NULL: the location's name */
    judge_extract_formats_t     answer;
    judge_extract_formats_t     request;
    ngx_flag_t                  sourced;   /* requests are judged as sources */
    ngx_flag_t                  conversation;       /* judged as a whole */
    ngx_http_complex_value_t   *conversation_id;    /* NULL: it is in the */
    judge_extract_path_t        conversation_path;  /* request, at this path */
    ngx_flag_t                  scores;    /* only scores are stored */
    size_t                      max;       /* bytes of a body, */
    size_t                      memory;    /* and of all bodies in a worker */
    size_t                      used;      /* bytes in use */
    ngx_flag_t                  guard;
    double                      min;       /* lowest score that passes */
    ngx_str_t                   message;   /* to the client of a refused one;
                                              empty: the reason */
    ngx_flag_t                  block;     /* block what can't be judged */
    judge_str_t                 passing;   /* types that pass unread */
    ngx_uint_t                  stream;    /* ngx_http_judge_stream_e */
    size_t                      window;    /* bytes of new text per judging, */
    ngx_msec_t                  delay;     /* and the maximum delay */
    ngx_msec_t                  timeout;   /* for a verdict after the end */
    judge_token_bucket_rate_t   rate;      /* limit 0: none */
    judge_str_t                 bucket;    /* name of the rate's bucket */
    ngx_array_t                 redact;    /* of judge_regex_t * */
    ngx_array_t                 fields;    /* of judge_str_t */
    judge_arena_t              *arena;     /* for compiled expressions */
    ngx_uint_t                  action;    /* of the line being parsed */
    ngx_uint_t                  where;     /* likewise; 0: both directions */
    ngx_flag_t                  restore;   /* placeholders */
    ngx_flag_t                  keeps;     /* store texts in the sample */
    ngx_flag_t                  rewrite;   /* send a request in the form in
                                              which it was read */
} ngx_http_judge_traffic_t;

/* All lines of judge_detect in a location. */
struct ngx_http_judge_detect_s {
    ngx_http_judge_traffic_t   *answer;
    ngx_http_judge_traffic_t    request;
    const judge_detect_rule_t  *rules;
    judge_detect_rule_t        *rule;      /* the last one, of the line that is
                                              read */
    unsigned                    directions;         /* of all rules; 0: they
                                              are not known yet */
};

typedef struct {
    ngx_http_judge_traffic_t   *traffic;   /* NULL: off */
    ngx_http_judge_traffic_t   *request;   /* likewise */
    ngx_http_judge_detect_t    *detect;    /* likewise; it takes the place of
                                              the other two */
    ngx_http_judge_traffic_t   *answers;   /* what counts for answers, */
    ngx_http_judge_traffic_t   *requests;  /* and for requests; or NULL */
} ngx_http_judge_traffic_conf_t;

#define NGX_HTTP_JUDGE_UNPROCESSABLE  422

/* A bit of r->buffered.  nginx's image filter uses the same bit, but it
 * handles no text. */
#define NGX_HTTP_JUDGE_BUFFERED  0x08

typedef enum {
    NGX_HTTP_JUDGE_GUARD_OFF,          /* everything is passed on */
    NGX_HTTP_JUDGE_GUARD_HOLD,         /* held back, until it is judged */
    NGX_HTTP_JUDGE_GUARD_PASS,         /* it may be sent */
    NGX_HTTP_JUDGE_GUARD_REFUSED
} ngx_http_judge_guard_e;

typedef struct ngx_http_judge_traffic_ctx_s  ngx_http_judge_traffic_ctx_t;
typedef void (*ngx_http_judge_step_pt)(ngx_http_judge_traffic_ctx_t *ctx);

/* The state of a request, which is freed with it. */
struct ngx_http_judge_traffic_ctx_s {
    ngx_http_request_t         *r;
    judge_arena_t              *arena;     /* until the request ends */
    ngx_http_judge_traffic_t   *traffic;
    judge_extract_t             body;
    size_t                      used;      /* its share of traffic->used */
    judge_skip_e                skip;
    judge_exchange_t           *judging;   /* being judged; or NULL */
    unsigned                    collecting:1;
    unsigned                    named:1;   /* its type may pass unread */
    unsigned                    live:1;    /* judged while it streams */
    unsigned                    over:1;    /* the last byte was received */
    unsigned                    final:1;   /* the whole text is judged */
    unsigned                    post_action:1; /* it began in one */

    judge_buf_t                 held;      /* held back */
    ngx_chain_t                *free;      /* buffers of what was sent */
    ngx_chain_t                *busy;      /* those of what is being sent, */
    size_t                      sending;   /* and their memory */

    /* mode=guard */
    ngx_http_judge_guard_e      guard;
    ngx_int_t                   status;    /* result of the phase handler */
    ngx_event_t                 resume;    /* calls go() */
    ngx_event_t                 timer;     /* calls late(), unless a
                                              post_action has taken the place
                                              of the request */
    ngx_http_judge_step_pt      go;
    ngx_http_judge_step_pt      late;

    /* mode=guard, only if `live` */
    ngx_buf_t                  *unread;    /* of nginx: it was copied, but is
                                              not marked as consumed */
    size_t                      mark;      /* bytes held back that the last
                                              verdict covers */
    size_t                      judged;    /* bytes of text at the last
                                              judging */
    size_t                      due;       /* bytes of text, to judge next */
    judge_extract_provider_e    provider;
    int64_t                     events;

    /* The verdict. */
    judge_str_t                 why;       /* a sentence for the client */
    judge_str_t                 detail;    /* JSON with it */
    judge_detect_t             *found;     /* of judge_detect, or NULL */
    judge_detect_stream_t      *stream;    /* its events */
    judge_buf_t                 anew;      /* its output */
    judge_detect_masks_t        masks;

    /* Values of variables; empty: unknown. */
    judge_str_t                 reason;    /* why it was skipped */
    judge_str_t                 score;
    judge_str_t                 passed;
    judge_str_t                 evaluation;
    judge_str_t                 time;
    judge_str_t                 detected;  /* names with counts */
    judge_str_t                 blocked;   /* the identifier in the sample */
};


extern ngx_module_t  ngx_http_judge_traffic_module;

/* Parses the parameters from `first` on into t; NGX_CONF_ERROR: the log has
 * the error. */
char *ngx_http_judge_traffic_params(ngx_conf_t *cf, ngx_command_t *cmd,
    ngx_http_judge_traffic_t *t, ngx_uint_t first);

/* Parses a share such as "12.5%"; false: it is malformed. */
bool ngx_http_judge_traffic_share(const ngx_str_t *value, double *share);

/* Why a response or request with these headers is not judged; or NONE. */
judge_skip_e ngx_http_judge_traffic_admit(ngx_http_request_t *r,
    ngx_http_judge_traffic_ctx_t *ctx);

/* Whether a server behind nginx has sent the response. */
bool ngx_http_judge_traffic_behind(const ngx_http_request_t *r);

/* Counts n in the extension's metrics, if the location has a service. */
void ngx_http_judge_traffic_count(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_uint_t metric, size_t i, size_t n);

/* Sets why the body was not judged. */
void ngx_http_judge_traffic_reason(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip);

/* Makes an exchange of the text so far, or, with `end`, of all text: it then
 * owns the body, which does not count in traffic->used any more.  NULL: the
 * text was skipped. */
judge_exchange_t *ngx_http_judge_traffic_take(
    ngx_http_judge_traffic_ctx_t *ctx, ngx_uint_t end);

/* The bytes of a buffer; empty: they are not in memory. */
judge_str_t ngx_http_judge_traffic_bytes(const ngx_buf_t *b);

/* Makes the state of a request; NULL: out of memory. */
ngx_http_judge_traffic_ctx_t *ngx_http_judge_traffic_begin(
    ngx_http_request_t *r, ngx_http_judge_traffic_t *t);

/* Whether a post_action has taken the place of the request, whose client has
 * left: what was to become of it does not matter any more. */
ngx_uint_t ngx_http_judge_traffic_left(
    const ngx_http_judge_traffic_ctx_t *ctx);

/* Ends collecting, and counts the reason; drop() only ends collecting. */
void ngx_http_judge_traffic_skip(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip);

void ngx_http_judge_traffic_drop(ngx_http_judge_traffic_ctx_t *ctx);

/* Updates traffic->used by this request's memory. */
void ngx_http_judge_held_account(ngx_http_judge_traffic_ctx_t *ctx);

/* The filters after those of this module. */
extern ngx_http_output_header_filter_pt  ngx_http_judge_next_header;
extern ngx_http_output_body_filter_pt    ngx_http_judge_next_body;

/* Sends a chain, after the header if that was not sent yet. */
ngx_int_t ngx_http_judge_held_pass(ngx_http_request_t *r, ngx_chain_t *out);

/* The worker's scratch arena, for use until the next call. */
extern judge_arena_t  *ngx_http_judge_scratch;

/* _header() returns NGX_DECLINED if the header is held back, NGX_OK if it may
 * be sent, or a status that ends the request.  _headers() adds those of the
 * verdict, unless what was refused before has added them.  _send() continues
 * after the verdict. */
ngx_int_t ngx_http_judge_guard_header(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip);
ngx_int_t ngx_http_judge_guard_body(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_chain_t *in, ngx_uint_t last);
ngx_int_t ngx_http_judge_guard_headers(ngx_http_judge_traffic_ctx_t *ctx);
ngx_int_t ngx_http_judge_guard_send(ngx_http_judge_traffic_ctx_t *ctx);

/* _verdict() decides by the exchange (NULL: the body did not come to be
 * judged), and reports what it refuses to the operator.  _strict(): a body
 * that is skipped for this reason is refused.  _found() reports what
 * judge_detect has found; _detail() writes ctx->detail, with ctx->why. */
void ngx_http_judge_report_verdict(ngx_http_judge_traffic_ctx_t *ctx,
    judge_exchange_t *x);
bool ngx_http_judge_report_strict(const ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip);
void ngx_http_judge_report_found(ngx_http_judge_traffic_ctx_t *ctx);
void ngx_http_judge_report_detail(ngx_http_judge_traffic_ctx_t *ctx,
    const judge_exchange_t *x);

/* The identifier of a request: the client's own, if it sent one. */
judge_str_t ngx_http_judge_traffic_id(ngx_http_request_t *r);

/* Hides headers of these names from the upstream; NULL ends the list. */
void ngx_http_judge_anew_hide(ngx_http_request_t *r, const char *const *names);

/* Replaces the body of the request, and, with e->rewrite, its type. */
ngx_int_t ngx_http_judge_anew(ngx_http_judge_traffic_ctx_t *ctx,
    const judge_extract_t *e, judge_str_t body);

/* _traffic_leave() stops the verdict, the timer and `resume`; _guard_leave()
 * decides without the verdict, because it is late. */
void ngx_http_judge_traffic_leave(ngx_http_judge_traffic_ctx_t *ctx);
void ngx_http_judge_guard_leave(ngx_http_judge_traffic_ctx_t *ctx);

/* Judges an exchange (NULL: it could not be made), and then posts `resume`. */
void ngx_http_judge_guard_run(ngx_http_judge_traffic_ctx_t *ctx,
    judge_exchange_t *x);

/* Replaces the response by an answer with 422. */
void ngx_http_judge_guard_replace(ngx_http_judge_traffic_ctx_t *ctx);

/* If _live_header() returns 1, _live_body() replaces _guard_body(). */
ngx_uint_t ngx_http_judge_live_header(ngx_http_judge_traffic_ctx_t *ctx);
ngx_int_t ngx_http_judge_live_body(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_chain_t *in, ngx_uint_t last);

/* _begin() allocates room for a body; _add() copies bytes; _release() sends
 * the first n of them, with `end` as the last; _drop() discards them;
 * _replace() holds other ones in their place, as a body that nginx has not
 * seen before; _free() also frees what is being sent, at the end. */
ngx_int_t ngx_http_judge_held_begin(ngx_http_judge_traffic_ctx_t *ctx);
ngx_int_t ngx_http_judge_held_add(ngx_http_judge_traffic_ctx_t *ctx,
    judge_str_t bytes);
ngx_int_t ngx_http_judge_held_release(ngx_http_judge_traffic_ctx_t *ctx,
    size_t n, ngx_uint_t end);
void ngx_http_judge_held_drop(ngx_http_judge_traffic_ctx_t *ctx);
ngx_int_t ngx_http_judge_held_replace(ngx_http_judge_traffic_ctx_t *ctx,
    judge_str_t body);
void ngx_http_judge_held_free(ngx_http_judge_traffic_ctx_t *ctx);

/* Frees what nginx has sent of `out` and of what it was given before. */
void ngx_http_judge_held_sent(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_chain_t *out);

/* Runs in place of the body filter when nginx calls that without a chain. */
ngx_int_t ngx_http_judge_live_flush(ngx_http_judge_traffic_ctx_t *ctx);

/* Whether on_error= makes a skip block the response. */
bool ngx_http_judge_guard_blocks(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip);

/* Finds the state of a response (0), of a request (1), or of what was refused,
 * also after an internal redirect; or NULL. */
#define NGX_HTTP_JUDGE_ANY_REFUSED  2
ngx_http_judge_traffic_ctx_t *ngx_http_judge_traffic_ctx(
    ngx_http_request_t *r, ngx_int_t asks);

/* Searches the body that was collected, or an open file (-1: none), and gives
 * the verdict; NGX_AGAIN: a thread takes the file and does so, and `resume` is
 * posted then, unless the body has already passed. */
ngx_int_t ngx_http_judge_detect_look(ngx_http_judge_traffic_ctx_t *ctx,
    int file, ngx_uint_t passed);

/* Counts and logs the matches, and gives the verdict. */
void ngx_http_judge_detect_verdict(ngx_http_judge_traffic_ctx_t *ctx);

/* Replaces the body filter for a stream of events that is collected and passed
 * on piece by piece. */
ngx_int_t ngx_http_judge_detect_live(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_chain_t *in, ngx_uint_t last);

/* The phase handler of judge_request. */
ngx_int_t ngx_http_judge_request_handler(ngx_http_request_t *r);

/* Installs the phase handler of judge_request, and the filters of answers. */
ngx_int_t ngx_http_judge_traffic_handlers(ngx_conf_t *cf);
ngx_int_t ngx_http_judge_traffic_variables(ngx_conf_t *cf);


#endif /* NGX_HTTP_JUDGE_TRAFFIC_H */
