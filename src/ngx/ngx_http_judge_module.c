/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The module: its directives and configurations. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_conf.h"
#include "ngx/ngx_http_judge_outbound.h"
#include "ngx/ngx_http_judge_request.h"


#define NGX_HTTP_JUDGE_BODY_RAISED   (2ll * 1024 * 1024 * 1024)
#define NGX_HTTP_JUDGE_BODY_DEFAULT  (1024 * 1024)

#define NGX_HTTP_JUDGE_BESIDE                                                 \
    "is beside \"proxy_pass\" or another directive that answers: expected"    \
    " a location for each"


static char *ngx_http_judge_location(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static void *ngx_http_judge_create_main_conf(ngx_conf_t *cf);
static char *ngx_http_judge_init_main_conf(ngx_conf_t *cf, void *conf);
static void *ngx_http_judge_create_loc_conf(ngx_conf_t *cf);
static char *ngx_http_judge_merge_loc_conf(ngx_conf_t *cf, void *parent,
    void *child);
static ngx_int_t ngx_http_judge_variables(ngx_conf_t *cf);
static ngx_int_t ngx_http_judge_filters(ngx_conf_t *cf);


static ngx_command_t  ngx_http_judge_commands[] = {

    { ngx_string("judge_store"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_judge_store,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("judge_tuning"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_MAIN_CONF_OFFSET,
      offsetof(ngx_http_judge_main_conf_t, tuning),
      NULL },

    { ngx_string("judge"),
      NGX_HTTP_LOC_CONF|NGX_CONF_TAKE1,
      ngx_http_judge_location,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("judge_outbound"),
      NGX_HTTP_LOC_CONF|NGX_CONF_ANY,
      ngx_http_judge_outbound,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("judge_mail"),
      NGX_HTTP_LOC_CONF|NGX_CONF_ANY,
      ngx_http_judge_outbound,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("judge_model"),
      NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_judge_model,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};

static ngx_http_module_t  ngx_http_judge_module_ctx = {
    ngx_http_judge_variables,              /* preconfiguration */
    ngx_http_judge_filters,                /* postconfiguration */

    ngx_http_judge_create_main_conf,       /* create main configuration */
    ngx_http_judge_init_main_conf,         /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    ngx_http_judge_create_loc_conf,        /* create location configuration */
    ngx_http_judge_merge_loc_conf          /* merge location configuration */
};


ngx_http_module_t  ngx_http_judge_extension_ctx;

ngx_module_t  ngx_http_judge_module = {
    NGX_MODULE_V1,
    &ngx_http_judge_module_ctx,            /* module context */
    ngx_http_judge_commands,               /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    ngx_http_judge_init_process,           /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    ngx_http_judge_exit_process,           /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


ngx_int_t
ngx_http_judge_variables_add(ngx_conf_t *cf, ngx_http_variable_t *v)
{
    ngx_http_variable_t  *var;

    for ( /* void */ ; v->name.len; v++) {
        var = ngx_http_add_variable(cf, &v->name, v->flags);
        if (var == NULL) {
            return NGX_ERROR;
        }

        var->get_handler = v->get_handler;
        var->data = v->data;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_judge_variables(ngx_conf_t *cf)
{
    return ngx_http_judge_variables_add(cf, ngx_http_judge_background_vars)
           == NGX_OK
           ? ngx_http_judge_variables_add(cf, ngx_http_judge_log_vars)
           : NGX_ERROR;
}


static ngx_int_t
ngx_http_judge_filters(ngx_conf_t *cf)
{
    if (ngx_http_judge_error_init(cf) != NGX_OK
        || ngx_http_judge_mask_init(cf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_judge_background_filter(cf);
}


/* --- judge --------------------------------------------------------------- */

static char *
ngx_http_judge_location(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                   *value;
    ngx_http_conf_ctx_t        **ctx;
    ngx_http_core_loc_conf_t    *clcf;
    ngx_http_judge_loc_conf_t   *jlcf = conf;
    ngx_http_judge_main_conf_t  *jmcf;

    if (jlcf->wanted.data) {
        return "is duplicate";
    }

    value = cf->args->elts;
    jlcf->wanted = value[1];
    ngx_http_judge_place(cf, &jlcf->place);

    if (ngx_http_judge_is(&value[1], "off")) {
        return NGX_CONF_OK;
    }

    jmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_judge_module);

    ctx = ngx_array_push(&jmcf->locations);
    if (ctx == NULL) {
        return NGX_CONF_ERROR;
    }
    *ctx = cf->ctx;

    jlcf->judged = true;
    jlcf->errors = true;
    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    if (clcf->handler) {
        return NGX_HTTP_JUDGE_BESIDE;
    }

    jlcf->location = clcf;
    clcf->handler = ngx_http_judge_handler;
    clcf->auto_redirect = clcf->name.len
                          && clcf->name.data[clcf->name.len - 1] == '/';

    return NGX_CONF_OK;
}


char *
ngx_http_judge_pages(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                  *value;
    ngx_uint_t                  i;
    ngx_http_judge_loc_conf_t  *jlcf;

    value = cf->args->elts;
    jlcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_judge_module);

    for (i = 0; i < jlcf->npages; i++) {
        if (jlcf->pages[i].directive == cmd) {
            return "is duplicate";
        }
    }

    if (i == NGX_HTTP_JUDGE_PAGES) {
        return "is one too many in this location";
    }

    if (ngx_http_judge_is(&value[1], "on")) {
        jlcf->pages[i].pages = cmd->post;
    } else if (!ngx_http_judge_is(&value[1], "off")) {
        return "is neither on nor off";
    }

    jlcf->pages[i].directive = cmd;
    jlcf->npages++;

    return NGX_CONF_OK;
}


static char *
ngx_http_judge_pages_check(ngx_conf_t *cf, ngx_http_judge_loc_conf_t *jlcf)
{
    ngx_uint_t  i;

    for (i = 0; i < jlcf->npages && !jlcf->judged; i++) {
        if (jlcf->pages[i].pages) {
            return ngx_http_judge_conf_error(cf, NULL,
                       "%V: there is no service in this location: expected"
                       " \"judge on\" beside it",
                       &jlcf->pages[i].directive->name);
        }
    }

    return NGX_CONF_OK;
}


/* --- Configurations ------------------------------------------------------ */

static void *
ngx_http_judge_create_main_conf(ngx_conf_t *cf)
{
    ngx_http_judge_main_conf_t  *jmcf;

    jmcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_judge_main_conf_t));
    if (jmcf == NULL
        || ngx_array_init(&jmcf->services, cf->pool, 2,
                          sizeof(ngx_http_judge_service_t *))
           != NGX_OK
        || ngx_array_init(&jmcf->locations, cf->pool, 4,
                          sizeof(ngx_http_conf_ctx_t *))
           != NGX_OK
        || ngx_array_init(&jmcf->outlets, cf->pool, 2,
                          sizeof(ngx_http_judge_outlet_t))
           != NGX_OK)
    {
        return NULL;
    }

    jmcf->tuning = NGX_CONF_UNSET;

    return jmcf;
}


/* Raises nginx's default client_max_body_size of 1m, which would refuse
 * batches and uploads; a larger max_upload= needs a configured one.  A
 * configured 1m can't be distinguished from the default after the merge. */

static void
ngx_http_judge_body_max(ngx_http_core_loc_conf_t *clcf)
{
    if (clcf->client_max_body_size == NGX_HTTP_JUDGE_BODY_DEFAULT) {
        clcf->client_max_body_size = NGX_HTTP_JUDGE_BODY_RAISED;
    }
}


static char *
ngx_http_judge_location_init(ngx_conf_t *cf, ngx_http_conf_ctx_t *ctx)
{
    ngx_http_core_srv_conf_t   *cscf;
    ngx_http_core_loc_conf_t   *clcf;
    ngx_http_judge_loc_conf_t  *jlcf, *server;

    clcf = ctx->loc_conf[ngx_http_core_module.ctx_index];
    jlcf = ctx->loc_conf[ngx_http_judge_module.ctx_index];

    if (clcf->handler != ngx_http_judge_handler) {
        return ngx_http_judge_conf_error(cf, &jlcf->place,
                   "\"judge\" directive " NGX_HTTP_JUDGE_BESIDE);
    }

    ngx_http_judge_body_max(clcf);

    /* A request that fails before a location is found has the server's
     * configuration. */
    if (clcf->name.len == 1 && clcf->name.data[0] == '/') {
        cscf = ctx->srv_conf[ngx_http_core_module.ctx_index];
        server = cscf->ctx->loc_conf[ngx_http_judge_module.ctx_index];
        server->errors = true;
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_judge_init_main_conf(ngx_conf_t *cf, void *conf)
{
    ngx_uint_t                    i;
    ngx_http_conf_ctx_t         **locations;
    ngx_http_judge_main_conf_t   *jmcf = conf;

    ngx_conf_init_value(jmcf->tuning, 0);
    locations = jmcf->locations.elts;

    for (i = 0; i < jmcf->locations.nelts; i++) {
        if (ngx_http_judge_location_init(cf, locations[i]) != NGX_CONF_OK) {
            return NGX_CONF_ERROR;
        }
    }

    return ngx_http_judge_attach_outlets(cf, jmcf);
}


static void *
ngx_http_judge_create_loc_conf(ngx_conf_t *cf)
{
    return ngx_pcalloc(cf->pool, sizeof(ngx_http_judge_loc_conf_t));
}


/* Blocks of `if` and `limit_except`, which are locations, inherit `judge`. */

static char *
ngx_http_judge_inherit(ngx_http_core_loc_conf_t *clcf,
    ngx_http_judge_loc_conf_t *parent, ngx_http_judge_loc_conf_t *jlcf)
{
    if (!clcf->noname || parent->service == NULL) {
        return NGX_CONF_OK;
    }

    jlcf->judged = true;
    jlcf->errors = true;

    if (clcf->handler == NULL) {
        jlcf->service = parent->service;
        jlcf->npages = parent->npages;
        ngx_memcpy(jlcf->pages, parent->pages, sizeof(jlcf->pages));
        jlcf->location = parent->location;
        clcf->handler = ngx_http_judge_handler;
        ngx_http_judge_body_max(clcf);
    }

    return NGX_CONF_OK;
}


/* Finds the service that `judge` names; nested locations don't inherit it. */

static char *
ngx_http_judge_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_str_t                    name = ngx_null_string;
    ngx_http_core_loc_conf_t    *clcf;
    ngx_http_judge_loc_conf_t   *jlcf = child;
    ngx_http_judge_main_conf_t  *jmcf;

    if (ngx_http_judge_pages_check(cf, jlcf) != NGX_CONF_OK) {
        return NGX_CONF_ERROR;
    }

    if (jlcf->wanted.data == NULL || !jlcf->judged) {
        clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
        return ngx_http_judge_inherit(clcf, parent, jlcf);
    }

    jmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_judge_module);

    if (!ngx_http_judge_is(&jlcf->wanted, "on")) {
        name = jlcf->wanted;
    }

    jlcf->service = ngx_http_judge_service_find(jmcf, &name);
    if (jlcf->service) {
        return NGX_CONF_OK;
    }

    name = ngx_http_judge_service_missing(cf, jmcf, &name);
    return ngx_http_judge_conf_error(cf, &jlcf->place, "judge: %V", &name);
}
