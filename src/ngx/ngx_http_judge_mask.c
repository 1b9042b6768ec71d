/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * nginx logs the request line, and everybody who reads the signature of a
 * pre-signed address there could use the address.  Therefore, once a request
 * is known to be for the service, the query is copied for the service, and the
 * signature is overwritten wherever nginx has it.
 */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_request.h"


static bool
ngx_http_judge_mask_value(ngx_str_t *in)
{
    bool     masked;
    u_char  *p, *last;

    static const char  name[] = "signature=";

    masked = false;
    last = in->data + in->len;

    for (p = in->data; (p = ngx_strlcasestrn(p, last, (u_char *) name,
                                             sizeof(name) - 2));
         /* void */)
    {
        masked = true;
        for (p += sizeof(name) - 1; p < last && *p != '&' && *p != ' '; p++) {
            *p = '*';
        }
    }

    return masked;
}


static ngx_int_t
ngx_http_judge_mask(ngx_http_request_t *r)
{
    ngx_str_t                   query;
    ngx_http_judge_ctx_t       *ctx;
    ngx_http_judge_loc_conf_t  *jlcf;

    if (r->args.len == 0) {
        return NGX_DECLINED;
    }

    jlcf = ngx_http_get_module_loc_conf(r, ngx_http_judge_module);
    if (jlcf->service == NULL
        || ngx_http_get_module_ctx(r, ngx_http_judge_module))
    {
        return NGX_DECLINED;
    }

    query.len = r->args.len;
    query.data = ngx_pstrdup(r->pool, &r->args);
    if (query.data == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (!ngx_http_judge_mask_value(&r->args)) {
        return NGX_DECLINED;
    }

    /* With HTTP/1 all three point to the same bytes. */
    (void) ngx_http_judge_mask_value(&r->unparsed_uri);
    (void) ngx_http_judge_mask_value(&r->request_line);

    ctx = ngx_pcalloc(r->pool, sizeof(ngx_http_judge_ctx_t));
    if (ctx == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ctx->query = query;
    ngx_http_set_ctx(r, ctx, ngx_http_judge_module);

    return NGX_DECLINED;
}


ngx_int_t
ngx_http_judge_mask_init(ngx_conf_t *cf)
{
    ngx_http_handler_pt        *h;
    ngx_http_core_main_conf_t  *cmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    /* this is the first phase after the location was found */
    h = ngx_array_push(&cmcf->phases[NGX_HTTP_REWRITE_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_judge_mask;

    return NGX_OK;
}
