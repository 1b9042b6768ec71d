/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* r->count has one reference for the content phase and one for the module,
 * which is released by the answer.  While the request waits for an
 * operation, r->blocked is set, as nginx does for its own threads. */


#include <ngx_config.h>

#include "api/http/request.h"
#include "ngx/ngx_http_judge_request.h"


static void ngx_http_judge_hold(judge_req_t *req);
static bool ngx_http_judge_release(judge_req_t *req);


static const judge_binding_t  ngx_http_judge_binding = {
    .read_body = ngx_http_judge_read_body,
    .answer = ngx_http_judge_answer,
    .hold = ngx_http_judge_hold,
    .release = ngx_http_judge_release,
    .stream = ngx_http_judge_stream,
    .write = ngx_http_judge_stream_write,
    .pause = ngx_http_judge_stream_pause,
    .wake = ngx_http_judge_stream_wake,
    .receive = ngx_http_judge_receive,
    .send_file = ngx_http_judge_send_file
};

static const struct {
    ngx_uint_t      nginx;
    judge_method_e  judge;
} ngx_http_judge_methods[] = {
    { NGX_HTTP_GET, JUDGE_GET },
    { NGX_HTTP_HEAD, JUDGE_HEAD },
    { NGX_HTTP_POST, JUDGE_POST },
    { NGX_HTTP_PUT, JUDGE_PUT },
    { NGX_HTTP_PATCH, JUDGE_PATCH },
    { NGX_HTTP_DELETE, JUDGE_DELETE },
    { NGX_HTTP_OPTIONS, JUDGE_OPTIONS },
};


/* The length of the path's prefix that is not for the service: the location's
 * name.  A regular expression has none.  The last segment of an exact
 * location, such as one for a monitor only, is for the service. */

static size_t
ngx_http_judge_mount(ngx_http_request_t *r, ngx_http_core_loc_conf_t *clcf)
{
    size_t  mount;

    mount = clcf->name.len;

#if (NGX_PCRE)
    if (clcf->regex) {
        mount = 0;
    }
#endif

    if (clcf->named || mount > r->uri.len) {
        mount = 0;
    }

    if (clcf->exact_match) {
        while (mount && clcf->name.data[mount - 1] != '/') {
            mount--;
        }
    }

    if (mount && clcf->name.data[mount - 1] == '/') {
        mount--;
    }

    return mount;
}


static void
ngx_http_judge_take_base(ngx_http_judge_ctx_t *ctx, size_t mount)
{
    const char          *scheme;
    ngx_str_t            host, addr;
    u_char               buf[NGX_SOCKADDR_STRLEN];
    ngx_http_request_t  *r = ctx->r;

    if (ctx->req.service->settings.public_url.data) {
        ctx->req.base_url = ctx->req.service->settings.public_url;
        return;
    }

    scheme = "http";
#if (NGX_HTTP_SSL)
    if (r->connection->ssl) {
        scheme = "https";
    }
#endif

    if (r->headers_in.host) {
        host = r->headers_in.host->value;

    } else {
        addr.len = sizeof(buf);
        addr.data = buf;
        if (ngx_connection_local_sockaddr(r->connection, &addr, 1)
            != NGX_OK)
        {
            return;
        }
        host = addr;
    }

    ctx->req.base_url = judge_str_printf(ctx->req.arena, "%s://%.*s%.*s",
                                         scheme, judge_str_args(host),
                                         (int) mount, r->uri.data);
}


static void
ngx_http_judge_take_path(ngx_http_judge_ctx_t *ctx)
{
    size_t               mount;
    ngx_http_request_t  *r = ctx->r;

    mount = ngx_http_judge_mount(r, ((ngx_http_judge_loc_conf_t *)
            ngx_http_get_module_loc_conf(r, ngx_http_judge_module))->location);

    ctx->req.path = (judge_str_t) { r->uri.len - mount,
                                    (char *) r->uri.data + mount };
    if (r->uri.len == mount) {
        ctx->req.path = JUDGE_STR("/");
    }

    if (ctx->query.len) {
        ctx->req.query = ngx_http_judge_str(ctx->query);
    } else if (r->args.len) {
        ctx->req.query = ngx_http_judge_str(r->args);
    }

    ngx_http_judge_take_base(ctx, mount);
}


/* Prefer is a list and may be in several headers, which are joined; if memory
 * is exhausted, the last one is used. */

static void
ngx_http_judge_take_header(ngx_http_judge_ctx_t *ctx, size_t i,
    const ngx_str_t *value)
{
    judge_buf_t  *list = &ctx->prefer;
    judge_str_t  *header = &ctx->req.headers[i];

    ctx->req.repeated[i] = header->data != NULL;

    if (i == JUDGE_HEADER_PREFER && header->data) {
        if (list->len == 0) {
            judge_buf_init(list, ctx->req.arena);
            judge_buf_str(list, *header);
        }

        judge_buf_c(list, ", ");
        judge_buf_str(list, ngx_http_judge_str(*value));

        if (!list->failed) {
            *header = judge_buf_view(list);
            return;
        }
    }

    *header = ngx_http_judge_str(*value);
}


static void
ngx_http_judge_take_headers(ngx_http_judge_ctx_t *ctx)
{
    size_t            i;
    ngx_uint_t        n;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    part = &ctx->r->headers_in.headers.part;
    header = part->elts;

    for (n = 0; /* void */; n++) {
        if (n >= part->nelts) {
            if (part->next == NULL) {
                break;
            }
            part = part->next;
            header = part->elts;
            n = 0;
        }

        for (i = 0; i < JUDGE_HEADER_COUNT; i++) {
            if (header[n].key.len == ngx_strlen(judge_header_names[i])
                && ngx_strncmp(header[n].lowcase_key, judge_header_names[i],
                               header[n].key.len)
                   == 0)
            {
                ngx_http_judge_take_header(ctx, i, &header[n].value);
                break;
            }
        }
    }
}


static void
ngx_http_judge_ctx_cleanup(void *data)
{
    ngx_http_judge_ctx_t  *ctx = data;

    if (ctx->weight) {
        ngx_queue_remove(&ctx->unread);
    }

    ngx_http_judge_stream_cleanup(ctx);
    ngx_http_judge_receive_cleanup(ctx);
    judge_req_cleanup(&ctx->req);
    judge_arena_destroy(ctx->req.arena);
    ctx->js->requests--;
}


static ngx_http_judge_ctx_t *
ngx_http_judge_ctx_create(ngx_http_request_t *r, ngx_http_judge_service_t *js)
{
    ngx_uint_t                   i;
    ngx_pool_cleanup_t          *cln;
    ngx_http_judge_ctx_t        *ctx;
    ngx_http_judge_main_conf_t  *jmcf;

    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_module);
    if (ctx == NULL) {
        ctx = ngx_pcalloc(r->pool, sizeof(ngx_http_judge_ctx_t));
    }

    cln = ngx_pool_cleanup_add(r->pool, 0);
    if (ctx == NULL || cln == NULL) {
        return NULL;
    }

    ctx->req.arena = judge_arena_create(4096);
    if (ctx->req.arena == NULL) {
        return NULL;
    }

    cln->handler = ngx_http_judge_ctx_cleanup;
    cln->data = ctx;

    ctx->r = r;
    ctx->js = js;
    ctx->req.service = &js->service;
    ctx->req.binding = &ngx_http_judge_binding;
    ctx->req.server = ctx;
    ctx->req.content_length = r->headers_in.content_length_n;
    ctx->req.method = JUDGE_OTHER;

    for (i = 0; i < sizeof(ngx_http_judge_methods)
                    / sizeof(ngx_http_judge_methods[0]); i++)
    {
        if (ngx_http_judge_methods[i].nginx == r->method) {
            ctx->req.method = ngx_http_judge_methods[i].judge;
        }
    }

    ngx_http_judge_take_path(ctx);
    ngx_http_judge_take_headers(ctx);

    jmcf = ngx_http_get_module_main_conf(r, ngx_http_judge_module);
    if (jmcf->set_login) {
        jmcf->set_login(r, &ctx->req);
    }

    js->requests++;
    js->begun++;
    ngx_http_judge_stay(js);

    ngx_http_set_ctx(r, ctx, ngx_http_judge_module);

    return ctx;
}


ngx_int_t
ngx_http_judge_serve(ngx_http_request_t *r, judge_routes_pt routes,
    void *extra, ngx_http_judge_problem_pt problem)
{
    ngx_http_judge_ctx_t       *ctx;
    ngx_http_judge_loc_conf_t  *jlcf;

    jlcf = ngx_http_get_module_loc_conf(r, ngx_http_judge_module);

    if (!jlcf->service->open) {
        return NGX_HTTP_SERVICE_UNAVAILABLE;
    }

    ctx = ngx_http_judge_ctx_create(r, jlcf->service);
    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->main->count++;
    r->write_event_handler = ngx_http_request_empty_handler;

    ctx->req.extra = extra;
    ctx->req.problem = problem;
    judge_req_start(&ctx->req, routes);
    ctx->phase_ended = 1;

    return NGX_DONE;
}


const ngx_http_judge_pages_t *
ngx_http_judge_pages_find(ngx_http_request_t *r, ngx_str_t *path)
{
    size_t                         mount;
    ngx_uint_t                     i;
    ngx_http_judge_loc_conf_t     *jlcf;
    const ngx_http_judge_pages_t  *pages;

    jlcf = ngx_http_get_module_loc_conf(r, ngx_http_judge_module);
    if (jlcf->npages == 0 || jlcf->location == NULL) {
        return NULL;
    }

    mount = ngx_http_judge_mount(r, jlcf->location);
    path->data = r->uri.data + mount;
    path->len = r->uri.len - mount;

    for (i = 0; i < jlcf->npages; i++) {
        pages = jlcf->pages[i].pages;
        if (pages && path->len >= pages->prefix.len
            && ngx_strncmp(path->data, pages->prefix.data, pages->prefix.len)
               == 0)
        {
            return pages;
        }
    }

    return NULL;
}


ngx_int_t
ngx_http_judge_handler(ngx_http_request_t *r)
{
    ngx_int_t                      rc;
    ngx_str_t                      path;
    const ngx_http_judge_pages_t  *pages;

    pages = ngx_http_judge_pages_find(r, &path);
    if (pages && pages->routes) {
        return ngx_http_judge_serve(r, pages->routes, NULL, pages->problem);
    }

    rc = pages ? pages->answer(r, &path) : NGX_DECLINED;

    return rc == NGX_DECLINED
           ? ngx_http_judge_serve(r, judge_routes, NULL, NULL) : rc;
}


/* --- Waiting ------------------------------------------------------------- */

static void
ngx_http_judge_hold(judge_req_t *req)
{
    ngx_http_request_t    *r;
    ngx_http_judge_ctx_t  *ctx = req->server;

    r = ctx->r;
    r->main->blocked++;
    r->aio = 1;
    r->read_event_handler = ngx_http_test_reading;
}


/* c->error is set if the client disconnected while the request was blocked and
 * nginx could not end it.  A stream tests that between its pieces, too. */

static bool
ngx_http_judge_release(judge_req_t *req)
{
    ngx_connection_t      *c;
    ngx_http_request_t    *r;
    ngx_http_judge_ctx_t  *ctx = req->server;

    r = ctx->r;
    c = r->connection;

    r->main->blocked--;
    r->aio = 0;

    if (!c->error) {
        r->read_event_handler = ctx->answered ? ngx_http_test_reading
                                              : ngx_http_block_reading;
        return true;
    }

    ngx_http_finalize_request(r, NGX_ERROR);
    ngx_http_run_posted_requests(c);

    return false;
}
