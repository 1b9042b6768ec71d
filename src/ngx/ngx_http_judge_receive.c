/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reads the body of a request unbuffered, without nginx's temporary files.  A
 * JSON body is parsed piece by piece, so that only the parser's result needs
 * memory.  An upload is collected in a buffer, which a thread writes to the
 * file while the socket is not read.  So an upload needs only one buffer,
 * and a slow disk delays only its client.
 */


#include <ngx_config.h>

#include <fcntl.h>
#include <ngx_thread_pool.h>

#include "ngx/ngx_http_judge_executor.h"
#include "ngx/ngx_http_judge_request.h"


#define NGX_HTTP_JUDGE_PIECE  (256 * 1024)
#define NGX_HTTP_JUDGE_LOAD   16384        /* bytes read at once from a body
                                              that is in a file */

struct ngx_http_judge_upload {
    ngx_thread_task_t      task;
    ngx_http_judge_ctx_t  *ctx;
    ngx_fd_t               fd;
    u_char                *temporary;
    u_char                *path;
    size_t                 filled;
    ngx_err_t              err;
    bool                   last;
    bool                   created;        /* cleanup must remove the file */
    bool                   named;          /* it was renamed to `path` */
    u_char                 piece[NGX_HTTP_JUDGE_PIECE];
};

/* Closes and removes the file of an upload that did not complete. */
typedef struct {
    judge_task_t  task;
    ngx_fd_t      fd;
    u_char        path[NGX_MAX_PATH];
} ngx_http_judge_undo_t;


static void ngx_http_judge_body_start(ngx_http_request_t *r);
static void ngx_http_judge_body_more(ngx_http_request_t *r);
static void ngx_http_judge_receive_written(ngx_event_t *ev);


static void
ngx_http_judge_body_begin(ngx_http_judge_ctx_t *ctx)
{
    ngx_int_t  rc;

    ctx->body = 1;
    ctx->r->request_body_no_buffering = 1;

    rc = ngx_http_read_client_request_body(ctx->r, ngx_http_judge_body_start);

    if (rc >= NGX_HTTP_SPECIAL_RESPONSE) {
        ngx_http_judge_answer_body_failed(ctx, rc);
    }
}


void
ngx_http_judge_read_body(judge_req_t *req)
{
    ngx_http_judge_ctx_t  *ctx = req->server;

    if (req->content_length > 0
        && (size_t) req->content_length > judge_req_body_max(req))
    {
        judge_fail(req, 413, "the body is larger than %zu bytes",
                   judge_req_body_max(req));
        return;
    }

    ngx_http_judge_body_begin(ctx);
}


void
ngx_http_judge_receive(judge_req_t *req)
{
    judge_str_t               temporary;
    ngx_http_judge_ctx_t     *ctx = req->server;
    ngx_http_judge_upload_t  *u;

    temporary = judge_str_printf(req->arena, "%.*s.part",
                                 judge_str_args(req->file));
    u = temporary.data && temporary.len < NGX_MAX_PATH
        ? ngx_alloc(sizeof(ngx_http_judge_upload_t), ctx->r->connection->log)
        : NULL;
    if (u == NULL) {
        judge_req_received(req, JUDGE_NOMEM);
        return;
    }

    ngx_memzero(u, offsetof(ngx_http_judge_upload_t, piece));
    u->ctx = ctx;
    u->fd = NGX_INVALID_FILE;
    u->temporary = (u_char *) temporary.data;
    u->path = (u_char *) req->file.data;

    ctx->upload = u;
    ngx_http_judge_body_begin(ctx);
}


/* Reads a body from a file: another module, such as nginx's mirror, may have
 * made nginx write it there. */

static ngx_int_t
ngx_http_judge_body_load(ngx_http_request_t *r, ngx_buf_t *b)
{
    ssize_t  n;

    if (b->pos != b->last || !b->in_file || b->file_pos == b->file_last) {
        return NGX_OK;
    }

    if (b->start == NULL) {
        b->start = ngx_palloc(r->pool, NGX_HTTP_JUDGE_LOAD);
    }

    n = b->start == NULL ? NGX_ERROR
        : ngx_read_file(b->file, b->start,
                        (size_t) ngx_min(NGX_HTTP_JUDGE_LOAD,
                                         b->file_last - b->file_pos),
                        b->file_pos);
    if (n <= 0) {
        return NGX_ERROR;
    }

    b->file_pos += n;
    b->pos = b->start;
    b->last = b->start + n;

    return NGX_OK;
}


/* Consumes received bytes, for an upload at most those that fit into its
 * buffer.  Returns their number, or NGX_ERROR. */

static ssize_t
ngx_http_judge_body_take(ngx_http_judge_ctx_t *ctx)
{
    size_t                    n, taken;
    ngx_buf_t                *b;
    ngx_chain_t              *cl;
    ngx_http_judge_upload_t  *u = ctx->upload;
    ngx_http_request_body_t  *rb = ctx->r->request_body;

    for (taken = 0; rb && rb->bufs; taken += n) {
        cl = rb->bufs;
        b = cl->buf;

        if (u && u->filled == NGX_HTTP_JUDGE_PIECE) {
            break;
        }

        if (ngx_http_judge_body_load(ctx->r, b) != NGX_OK) {
            return NGX_ERROR;
        }

        n = (size_t) (b->last - b->pos);

        if (u && n) {
            n = ngx_min(n, NGX_HTTP_JUDGE_PIECE - u->filled);
            ngx_memcpy(u->piece + u->filled, b->pos, n);
            u->filled += n;
            ctx->req.received += n;

        } else if (n) {
            judge_req_body(&ctx->req, (char *) b->pos, n);
        }

        b->pos += n;

        if (b->pos == b->last
            && (!b->in_file || b->file_pos == b->file_last))
        {
            rb->bufs = cl->next;
            ngx_free_chain(ctx->r->pool, cl);
        }
    }

    return (ssize_t) taken;
}


/* Syncs the file, renames it, and then syncs the directory. */

static bool
ngx_http_judge_receive_name(ngx_http_judge_upload_t *u)
{
    int       failed;
    u_char    directory[NGX_MAX_PATH], *slash;
    ngx_fd_t  fd;

    failed = fsync(u->fd) != 0;
    failed = close(u->fd) != 0 || failed;
    u->fd = NGX_INVALID_FILE;

    if (failed || rename((char *) u->temporary, (char *) u->path) != 0) {
        return false;
    }
    u->named = true;

    (void) ngx_cpystrn(directory, u->path, sizeof(directory));
    slash = (u_char *) strrchr((char *) directory, '/');
    if (slash == NULL) {
        return true;
    }
    *slash = '\0';

    fd = open((char *) directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd == NGX_INVALID_FILE) {
        return false;
    }

    failed = fsync(fd) != 0;
    (void) close(fd);

    return !failed;
}


static void
ngx_http_judge_receive_thread(void *data, ngx_log_t *log)
{
    size_t                    done;
    ssize_t                   n;
    ngx_http_judge_upload_t  *u = data;

    if (u->fd == NGX_INVALID_FILE) {
        u->fd = open((char *) u->temporary,
                     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        u->created = u->fd != NGX_INVALID_FILE;
        if (!u->created) {
            u->err = ngx_errno;
        }
    }

    for (done = 0; u->err == 0 && done < u->filled; done += (size_t) n) {
        n = write(u->fd, u->piece + done, u->filled - done);
        if (n < 0) {
            n = 0;
            u->err = ngx_errno == NGX_EINTR ? 0 : ngx_errno;
        }
    }

    u->filled = 0;

    if (u->err == 0 && u->last && !ngx_http_judge_receive_name(u)) {
        u->err = ngx_errno;
    }

    if (u->err) {
        ngx_log_error(NGX_LOG_ERR, log, u->err,
                      "judge: writing \"%s\" failed", u->temporary);
    }
}


static void
ngx_http_judge_receive_write(ngx_http_judge_ctx_t *ctx)
{
    ngx_http_judge_upload_t  *u = ctx->upload;

    if (ctx->req.received > ctx->req.receive_max) {
        judge_fail(&ctx->req, 413, "the file is larger than %zu bytes",
                   ctx->req.receive_max);
        return;
    }

    ctx->req.binding->hold(&ctx->req);

    if (ngx_http_judge_executor_post(ctx->js->executor, &u->task, u,
                                     ngx_http_judge_receive_thread,
                                     ngx_http_judge_receive_written)
        != NGX_OK
        && ctx->req.binding->release(&ctx->req))
    {
        judge_req_received(&ctx->req, JUDGE_BUSY);
    }
}


/* Reads until a piece is complete, the body ends or the socket is empty. */

static void
ngx_http_judge_body_pump(ngx_http_judge_ctx_t *ctx)
{
    bool                      last;
    ssize_t                   n, taken;
    ngx_int_t                 rc;
    ngx_http_request_t       *r = ctx->r;
    ngx_http_judge_upload_t  *u = ctx->upload;

    r->read_event_handler = ngx_http_judge_body_more;

    for (taken = 0; /* void */; /* void */) {
        n = ngx_http_judge_body_take(ctx);
        if (n == NGX_ERROR) {
            ngx_http_judge_answer_body_failed(ctx,
                                              NGX_HTTP_INTERNAL_SERVER_ERROR);
            return;
        }

        taken += n;
        last = !r->reading_body
               && (r->request_body == NULL || r->request_body->bufs == NULL);

        if (u && (last || u->filled == NGX_HTTP_JUDGE_PIECE)) {
            u->last = last;
            ngx_http_judge_receive_write(ctx);
            return;
        }

        if (last) {
            r->read_event_handler = ngx_http_block_reading;
            judge_req_body_end(&ctx->req);
            return;
        }

        if (taken >= NGX_HTTP_JUDGE_PIECE) {
            break;
        }

        rc = ngx_http_read_unbuffered_request_body(r);

        if (rc >= NGX_HTTP_SPECIAL_RESPONSE) {
            ngx_http_judge_answer_body_failed(ctx, rc);
            return;
        }

        if (rc == NGX_AGAIN && r->request_body->bufs == NULL) {
            return;
        }
    }

    /* A fast client must not delay the others. */
    ngx_post_event(r->connection->read, &ngx_posted_next_events);
}


/* Takes copies of the buffers, of which those who read the body after this
 * request see nothing: nginx's mirror, or the parent of a subrequest. */

static ngx_int_t
ngx_http_judge_body_share(ngx_http_request_t *r)
{
    ngx_buf_t                *b;
    ngx_chain_t              *cl, *in, **last;
    ngx_http_request_body_t  *rb;

    if (r->request_body == NULL || (r == r->main && !r->preserve_body)) {
        return NGX_OK;
    }

    rb = ngx_palloc(r->pool, sizeof(ngx_http_request_body_t));
    if (rb == NULL) {
        return NGX_ERROR;
    }

    *rb = *r->request_body;
    last = &rb->bufs;

    for (in = r->request_body->bufs; in; in = in->next) {
        cl = ngx_alloc_chain_link(r->pool);
        b = ngx_alloc_buf(r->pool);
        if (cl == NULL || b == NULL) {
            return NGX_ERROR;
        }

        *b = *in->buf;
        cl->buf = b;
        *last = cl;
        last = &cl->next;
    }

    *last = NULL;
    r->request_body = rb;

    return NGX_OK;
}


/* Called with the first piece of the body, or before it came.  Releases the
 * reference of nginx's body reader, because the module has its own. */

static void
ngx_http_judge_body_start(ngx_http_request_t *r)
{
    ngx_http_judge_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_module);
    r->main->count--;

    if (ngx_http_judge_body_share(r) != NGX_OK) {
        ngx_http_judge_answer_body_failed(ctx, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    ngx_http_judge_body_pump(ctx);
}


static void
ngx_http_judge_body_more(ngx_http_request_t *r)
{
    ngx_http_judge_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_module);

    if (r->connection->read->timedout) {
        r->connection->timedout = 1;
        ngx_http_judge_answer_body_failed(ctx, NGX_HTTP_REQUEST_TIME_OUT);
        return;
    }

    ngx_http_judge_body_pump(ctx);
}


/* --- On the event loop --------------------------------------------------- */

static void
ngx_http_judge_receive_written(ngx_event_t *ev)
{
    ngx_connection_t         *c;
    ngx_http_judge_ctx_t     *ctx;
    ngx_http_judge_upload_t  *u = ev->data;

    ctx = u->ctx;
    c = ctx->r->connection;

    if (!ctx->req.binding->release(&ctx->req)) {
        return;                        /* the cleanup removed the file */
    }

    if (u->err) {
        if (u->err == NGX_ENOSPC) {
            atomic_store(&ctx->js->service.store_error, "the disk is full");
        }
        judge_req_received(&ctx->req, u->err == NGX_ENOSPC ? JUDGE_BUSY
                                                           : JUDGE_ERROR);

    } else if (u->last) {
        u->created = false;            /* now the handler owns the file */
        judge_req_received(&ctx->req, JUDGE_OK);

    } else {
        ngx_http_judge_body_pump(ctx);
    }

    ngx_http_run_posted_requests(c);
}


static void
ngx_http_judge_undo_run(judge_task_t *task)
{
    ngx_http_judge_undo_t  *undo = task->data;

    if (undo->fd != NGX_INVALID_FILE) {
        (void) close(undo->fd);
    }

    (void) unlink((char *) undo->path);
}


static void
ngx_http_judge_undo_done(judge_task_t *task)
{
    ngx_free(task->data);
}


void
ngx_http_judge_receive_cleanup(ngx_http_judge_ctx_t *ctx)
{
    ngx_http_judge_undo_t    *undo;
    ngx_http_judge_upload_t  *u = ctx->upload;

    if (u == NULL) {
        return;
    }

    ctx->upload = NULL;

    if (!u->created) {
        ngx_free(u);
        return;
    }

    undo = ngx_calloc(sizeof(ngx_http_judge_undo_t), ngx_cycle->log);
    if (undo) {
        undo->fd = u->fd;
        (void) ngx_cpystrn(undo->path, u->named ? u->path : u->temporary,
                           NGX_MAX_PATH);
        judge_service_compute(&ctx->js->service, &undo->task,
                              ngx_http_judge_undo_run,
                              ngx_http_judge_undo_done, undo);
    }

    ngx_free(u);
}
