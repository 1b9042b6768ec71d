/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * nginx requires a connection for a request.  This one is fake: it has no
 * descriptor and never gets an event.  The upstream's finalization function is
 * wrapped, because only its argument tells whether a response was complete or
 * truncated.
 */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_background.h"


#define NGX_HTTP_JUDGE_POOL  4096

struct ngx_http_judge_background {
    ngx_http_log_ctx_t       log_ctx;      /* must be first, for upstream */
    ngx_connection_t         connection;
    ngx_event_t              read;
    ngx_event_t              write;
    ngx_event_t              done;
    ngx_log_t                log;
    ngx_http_connection_t    hc;
    ngx_pool_t              *pool;
    ngx_http_request_t      *main;
    judge_call_t            *call;
    judge_buf_t              answer;
    ngx_http_judge_target_t  target;
    ngx_int_t                finalized;    /* result of the upstream */
    void                   (*finalize)(ngx_http_request_t *r, ngx_int_t rc);
    void                   (*ended)(judge_call_t *call);
    unsigned                 finished:1;   /* the subrequest has ended */
    unsigned                 too_large:1;
};


static ngx_int_t ngx_http_judge_background_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);


ngx_http_variable_t  ngx_http_judge_background_vars[] = {

    { ngx_string("judge_url"), NULL, ngx_http_judge_background_variable,
      offsetof(ngx_http_judge_background_t, target.url),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("judge_host"), NULL, ngx_http_judge_background_variable,
      offsetof(ngx_http_judge_background_t, target.host),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("judge_name"), NULL, ngx_http_judge_background_variable,
      offsetof(ngx_http_judge_background_t, target.name),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

      ngx_http_null_variable
};

static struct sockaddr_un  ngx_http_judge_nowhere = { .sun_family = AF_UNIX };
static ngx_str_t  ngx_http_judge_nowhere_text = ngx_string("judge");

static ngx_http_output_body_filter_pt  ngx_http_judge_next_body_filter;


static void
ngx_http_judge_background_nothing(ngx_event_t *ev)
{
    /* void */
}


/* Logs only the host, because paths of webhooks are often secret. */

static u_char *
ngx_http_judge_background_log(ngx_log_t *log, u_char *buf, size_t len)
{
    u_char                       *p;
    ngx_str_t                     name;
    ngx_http_judge_background_t  *b = log->data;

    p = buf;
    name = b->target.location;

    if (b->target.host.len) {
        name.len = b->target.host.len;
        name.data = (u_char *) b->target.host.data;
    }

    if (log->action) {
        p = ngx_snprintf(p, len, " while %s", log->action);
        len -= (size_t) (p - buf);
        buf = p;
    }

    return ngx_snprintf(buf, len, ", judge calls \"%V\"", &name);
}


static void
ngx_http_judge_background_free(ngx_http_judge_background_t *b)
{
    if (b->main) {
        b->finished = 1;
        b->connection.error = 0;
        ngx_http_free_request(b->main, 0);
    }

    ngx_destroy_pool(b->pool);
}


/* Only the event loop calls this, so that no function on the stack still uses
 * the request. */

static void
ngx_http_judge_background_done(ngx_event_t *ev)
{
    judge_call_t                 *call;
    ngx_http_judge_background_t  *b = ev->data;
    void                        (*ended)(judge_call_t *call);

    call = b->call;
    ended = b->ended;

    ngx_http_judge_background_free(b);
    ended(call);
}


static void
ngx_http_judge_background_connection(ngx_http_judge_background_t *b)
{
    ngx_connection_t  *c = &b->connection;

    b->log = *ngx_cycle->log;
    b->log.data = &b->log_ctx;
    b->log.handler = ngx_http_judge_background_log;
    b->log.connection = 0;
    b->log_ctx.connection = c;

    b->read.handler = ngx_http_judge_background_nothing;
    b->read.data = c;
    b->read.log = &b->log;
    b->read.active = 1;

    b->write.handler = ngx_http_judge_background_nothing;
    b->write.data = c;
    b->write.log = &b->log;
    b->write.write = 1;
    b->write.active = 1;
    b->write.ready = 1;

    b->done.handler = ngx_http_judge_background_done;
    b->done.data = b;
    b->done.log = &b->log;

    c->fd = (ngx_socket_t) -1;
    c->read = &b->read;
    c->write = &b->write;
    c->pool = b->pool;
    c->log = &b->log;
    c->tcp_nodelay = NGX_TCP_NODELAY_DISABLED;
    c->tcp_nopush = NGX_TCP_NOPUSH_DISABLED;
    c->sockaddr = (struct sockaddr *) &ngx_http_judge_nowhere;
    c->socklen = sizeof(ngx_http_judge_nowhere);
    c->local_sockaddr = c->sockaddr;
    c->local_socklen = c->socklen;
    c->addr_text = ngx_http_judge_nowhere_text;
    c->data = &b->hc;
}


/* nginx sends the name, and has numbers for some methods only. */

static void
ngx_http_judge_background_method(ngx_http_judge_background_t *b,
    ngx_http_request_t *r)
{
    r->method = NGX_HTTP_POST;
    r->method_name.data = (u_char *) (b->call->method ? b->call->method
                                                      : "POST");
    r->method_name.len = ngx_strlen(r->method_name.data);
}


static ngx_int_t
ngx_http_judge_background_headers(ngx_http_judge_background_t *b)
{
    size_t               n;
    ngx_table_elt_t     *h;
    judge_call_t        *call = b->call;
    ngx_http_request_t  *r = b->main;

    if (ngx_list_init(&r->headers_in.headers, r->pool, 12,
                      sizeof(ngx_table_elt_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (n = 0; n < call->nheaders; n++) {
        h = ngx_list_push(&r->headers_in.headers);
        if (h == NULL) {
            return NGX_ERROR;
        }

        h->key.len = ngx_strlen(call->headers[n].name);
        h->key.data = (u_char *) call->headers[n].name;
        h->value.len = call->headers[n].value.len;
        h->value.data = (u_char *) call->headers[n].value.data;
        h->lowcase_key = ngx_pnalloc(r->pool, h->key.len);
        if (h->lowcase_key == NULL) {
            return NGX_ERROR;
        }

        h->hash = ngx_hash_strlow(h->lowcase_key, h->key.data, h->key.len);
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_judge_background_request(ngx_http_judge_background_t *b)
{
    ngx_buf_t           *buf;
    ngx_chain_t         *cl;
    ngx_http_request_t  *r;

    r = ngx_http_create_request(&b->connection);
    if (r == NULL) {
        return NGX_ERROR;
    }

    b->main = r;
    b->connection.data = r;
    r->logged = 1;
    ngx_http_judge_background_method(b, r);
    ngx_str_set(&r->http_protocol, "HTTP/1.1");
    ngx_str_set(&r->uri, "/");
    ngx_str_set(&r->unparsed_uri, "/");
    ngx_str_set(&r->request_line, "a call of judge");
    r->http_version = NGX_HTTP_VERSION_11;
    r->valid_unparsed_uri = 1;
    r->read_event_handler = ngx_http_block_reading;
    r->write_event_handler = ngx_http_request_empty_handler;
    ngx_http_set_ctx(r, b, ngx_http_judge_module);

    r->request_body = ngx_pcalloc(r->pool, sizeof(ngx_http_request_body_t));
    buf = ngx_calloc_buf(r->pool);
    cl = ngx_alloc_chain_link(r->pool);
    if (r->request_body == NULL || buf == NULL || cl == NULL) {
        return NGX_ERROR;
    }

    /* nginx sends from `start` again if a kept-alive connection was closed. */
    buf->start = (u_char *) b->call->body.data;
    buf->pos = buf->start;
    buf->last = buf->pos + b->call->body.len;
    buf->end = buf->last;
    buf->memory = 1;
    buf->last_buf = 1;
    cl->buf = buf;
    cl->next = NULL;

    r->request_body->bufs = b->call->body.len ? cl : NULL;
    r->headers_in.content_length_n = (off_t) b->call->body.len;

    return ngx_http_judge_background_headers(b);
}


static void
ngx_http_judge_background_finalize(ngx_http_request_t *r, ngx_int_t rc)
{
    ngx_http_judge_background_t  *b;

    b = ngx_http_get_module_ctx(r->main, ngx_http_judge_module);
    b->finalized = rc;
    b->finalize(r, rc);
}


/* connect_time is set once TCP and TLS are established. */

static judge_call_outcome_e
ngx_http_judge_background_outcome(ngx_http_judge_background_t *b,
    ngx_http_request_t *r, ngx_int_t rc)
{
    ngx_http_upstream_t  *u = r->upstream;

    if (b->too_large) {
        return JUDGE_CALL_TOO_LARGE;
    }

    if (b->answer.failed || u == NULL) {
        return u ? JUDGE_CALL_FAULT : JUDGE_CALL_UNCONFIGURED;
    }

    if (rc == NGX_HTTP_GATEWAY_TIME_OUT
        || b->finalized == NGX_HTTP_GATEWAY_TIME_OUT)
    {
        return JUDGE_CALL_TIMEOUT;
    }

    if (u->headers_in.status_n == 0) {
        return u->state == NULL || u->state->connect_time == (ngx_msec_t) -1
               ? JUDGE_CALL_REFUSED
               : u->state->bytes_received > 0 ? JUDGE_CALL_GARBLED
                                              : JUDGE_CALL_CUT;
    }

    if (rc == NGX_ERROR || (rc >= NGX_HTTP_SPECIAL_RESPONSE)
        || b->finalized == NGX_ERROR
        || b->finalized >= NGX_HTTP_SPECIAL_RESPONSE
        || (u->headers_in.chunked ? u->length != 0 : u->length > 0))
    {
        return JUDGE_CALL_CUT;
    }

    return JUDGE_CALL_OK;
}


/* Copies the headers that calls need from the response. */

static void
ngx_http_judge_background_response(ngx_http_judge_background_t *b,
    ngx_http_request_t *r)
{
    judge_str_t       after;
    ngx_table_elt_t  *h;

    b->call->length = r->upstream->headers_in.content_length_n;

    h = r->upstream->headers_in.content_type;
    if (h) {
        b->call->type = judge_str_dup(b->call->arena,
                                      ngx_http_judge_str(h->value));
    }

    after = ngx_http_judge_header(&r->upstream->headers_in.headers,
                                  "Retry-After");
    if (after.data) {
        b->call->retry_after = judge_str_dup(b->call->arena, after);
    }
}


/* The subrequest has ended.  Its error must not reach the fake connection,
 * which nginx would close then. */

static ngx_int_t
ngx_http_judge_background_finished(ngx_http_request_t *r, void *data,
    ngx_int_t rc)
{
    ngx_http_judge_background_t  *b = data;

    if (b->finished) {
        return NGX_OK;
    }

    b->finished = 1;
    b->call->outcome = ngx_http_judge_background_outcome(b, r, rc);

    if (b->call->outcome == JUDGE_CALL_OK
        || b->call->outcome == JUDGE_CALL_TOO_LARGE)
    {
        b->call->status = (int) r->upstream->headers_in.status_n;
        b->call->answer = judge_buf_view(&b->answer);
        ngx_http_judge_background_response(b, r);
    }

    r->buffered = 0;
    r->connection->error = 0;
    r->connection->buffered = 0;

    ngx_post_event(&b->done, &ngx_posted_events);

    return NGX_OK;
}


static ngx_int_t
ngx_http_judge_background_run(ngx_http_judge_background_t *b)
{
    ngx_http_request_t          *sr;
    ngx_http_post_subrequest_t  *ps;

    ps = ngx_palloc(b->main->pool, sizeof(ngx_http_post_subrequest_t));
    if (ps == NULL) {
        return NGX_ERROR;
    }

    ps->handler = ngx_http_judge_background_finished;
    ps->data = b;

    if (ngx_http_subrequest(b->main, &b->target.location, NULL, &sr, ps,
                            NGX_HTTP_SUBREQUEST_IN_MEMORY
                            |NGX_HTTP_SUBREQUEST_WAITED
                            |NGX_HTTP_SUBREQUEST_BACKGROUND)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_http_judge_background_method(b, sr);
    ngx_http_run_posted_requests(&b->connection);

    /* An answer that is buffered would wait for a client that reads it. */
    if (!b->finished && sr->upstream) {
        sr->upstream->buffering = 0;
        b->finalize = sr->upstream->finalize_request;
        sr->upstream->finalize_request = ngx_http_judge_background_finalize;
    }

    return NGX_OK;
}


ngx_http_judge_background_t *
ngx_http_judge_background_start(judge_call_t *call,
    const ngx_http_judge_target_t *target, void (*ended)(judge_call_t *call))
{
    ngx_pool_t                   *pool;
    ngx_http_judge_background_t  *b;

    pool = ngx_create_pool(NGX_HTTP_JUDGE_POOL, ngx_cycle->log);
    if (pool == NULL) {
        return NULL;
    }

    b = ngx_pcalloc(pool, sizeof(ngx_http_judge_background_t));
    if (b == NULL) {
        ngx_destroy_pool(pool);
        return NULL;
    }

    b->pool = pool;
    b->call = call;
    b->target = *target;
    b->ended = ended;
    b->finalized = NGX_OK;
    b->hc.conf_ctx = target->conf;
    judge_buf_init(&b->answer, call->arena);
    ngx_http_judge_background_connection(b);

    if (ngx_http_judge_background_request(b) != NGX_OK
        || ngx_http_judge_background_run(b) != NGX_OK)
    {
        ngx_http_judge_background_free(b);
        return NULL;
    }

    return b;
}


void
ngx_http_judge_background_abort(ngx_http_judge_background_t *b,
    judge_call_outcome_e outcome)
{
    if (!b->finished) {
        b->finished = 1;
        b->call->outcome = outcome;
    }

    if (b->done.posted) {
        ngx_delete_posted_event(&b->done);
    }

    ngx_http_judge_background_done(&b->done);
}


/* --- In the location ----------------------------------------------------- */

/* NULL: this is a client's request, which has another context or none. */

static ngx_http_judge_background_t *
ngx_http_judge_background_get(ngx_http_request_t *r)
{
    return ngx_http_judge_is_background(r)
           ? ngx_http_get_module_ctx(r->main, ngx_http_judge_module) : NULL;
}


static ngx_int_t
ngx_http_judge_background_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    judge_str_t                  *value;
    ngx_http_judge_background_t  *b;

    b = ngx_http_judge_background_get(r);
    if (b == NULL) {
        v->not_found = 1;
        return NGX_OK;
    }

    value = (judge_str_t *) ((char *) b + data);
    v->data = (u_char *) value->data;
    v->len = (unsigned) value->len;
    v->valid = 1;
    v->no_cacheable = 1;
    v->not_found = 0;

    return NGX_OK;
}


/* Collects the answer in the call's arena, up to the call's limit. */

static ngx_int_t
ngx_http_judge_background_collect(ngx_http_request_t *r, ngx_chain_t *in)
{
    size_t                        n;
    ngx_chain_t                  *cl;
    ngx_http_judge_background_t  *b;

    b = r == r->main ? NULL : ngx_http_judge_background_get(r);
    if (b == NULL) {
        return ngx_http_judge_next_body_filter(r, in);
    }

    for (cl = in; cl; cl = cl->next) {
        if (!ngx_buf_in_memory(cl->buf)) {
            continue;
        }

        n = (size_t) (cl->buf->last - cl->buf->pos);

        if (n > b->call->max_answer - b->answer.len) {
            n = b->call->max_answer - b->answer.len;
            b->too_large = 1;
        }

        judge_buf_append(&b->answer, cl->buf->pos, n);
        cl->buf->pos = cl->buf->last;

        if (b->too_large) {
            return NGX_ERROR;
        }
    }

    return b->answer.failed ? NGX_ERROR : NGX_OK;
}


ngx_int_t
ngx_http_judge_background_filter(ngx_conf_t *cf)
{
    ngx_http_judge_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_judge_background_collect;

    return NGX_OK;
}
