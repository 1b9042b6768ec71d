/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The directives of locations for outgoing calls. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_conf.h"
#include "ngx/ngx_http_judge_outbound.h"
#include "analysis/llm/panel.h"
#include "work/llm/llm_catalog.h"


#define NGX_HTTP_JUDGE_AT_ONCE     64
#define NGX_HTTP_JUDGE_WEBHOOKS_AT_ONCE  256
#define NGX_HTTP_JUDGE_WEBHOOKS_TIMEOUT  (15 * 1000)


char *
ngx_http_judge_outlet_params(ngx_conf_t *cf, ngx_http_judge_outlet_t *outlet,
    ngx_uint_t first)
{
    char        *rv;
    ngx_str_t   *value;
    ngx_uint_t   i;

    value = cf->args->elts;

    for (i = first, rv = NGX_CONF_OK;
         i < cf->args->nelts && rv == NGX_CONF_OK;
         i++)
    {
        rv = ngx_http_judge_outlet_param(cf, outlet, &value[i]);
    }

    return rv == NGX_CONF_OK ? ngx_http_judge_conf_once(cf) : rv;
}


/* judge_outbound [store=name] [allow=cidr]... [at_once=n] [timeout=time];
 * judge_mail [store=name] [timeout=time]; */

char *
ngx_http_judge_outbound(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    bool                      mail;
    ngx_str_t                 names[] = {
        ngx_string(NGX_HTTP_JUDGE_WEBHOOKS), ngx_string(NGX_HTTP_JUDGE_MAIL)
    };
    ngx_http_judge_outlet_t  *outlet;

    mail = ngx_strcmp(cmd->name.data, "judge_mail") == 0;

    outlet = ngx_http_judge_outlet_add(cf, &names[mail]);
    if (outlet == NULL) {
        return NGX_CONF_ERROR;
    }

    outlet->fixed = mail;
    outlet->at_once = NGX_HTTP_JUDGE_WEBHOOKS_AT_ONCE;
    outlet->timeout = NGX_HTTP_JUDGE_WEBHOOKS_TIMEOUT;

    return ngx_http_judge_outlet_params(cf, outlet, 1);
}


/* judge_model name [store=name] [served=name] [at_once=n] [in_all=n]
 * [timeout=time] [images=on|off]; */

char *
ngx_http_judge_model(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                *value;
    ngx_http_judge_outlet_t  *outlet;

    value = cf->args->elts;

    if (value[1].len == 0 || value[1].len > JUDGE_LLM_NAME
        || ngx_strcmp(value[1].data, JUDGE_ENGINE_NAME) == 0
        || ngx_strcmp(value[1].data, JUDGE_PANEL_NAME) == 0)
    {
        return ngx_http_judge_conf_error(cf, NULL,
                           "judge_model \"%V\": expected a name of at most"
                           " %d bytes that is not \"" JUDGE_ENGINE_NAME "\""
                           " or \"" JUDGE_PANEL_NAME "\"",
                           &value[1], JUDGE_LLM_NAME);
    }

    outlet = ngx_http_judge_outlet_add(cf, &value[1]);
    if (outlet == NULL) {
        return NGX_CONF_ERROR;
    }

    outlet->fixed = true;
    outlet->model.name = ngx_http_judge_str(value[1]);
    outlet->model.served = outlet->model.name;
    outlet->model.timeout = 60 * 1000;

    return ngx_http_judge_outlet_params(cf, outlet, 2);
}


ngx_http_judge_outlet_t *
ngx_http_judge_outlet_add(ngx_conf_t *cf, ngx_str_t *name)
{
    ngx_http_judge_outlet_t     *outlet;
    ngx_http_judge_main_conf_t  *jmcf;

    jmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_judge_module);

    outlet = ngx_array_push(&jmcf->outlets);
    if (outlet == NULL) {
        return NULL;
    }

    ngx_memzero(outlet, sizeof(ngx_http_judge_outlet_t));
    if (ngx_array_init(&outlet->allowed, cf->pool, 2, sizeof(judge_cidr_t))
        != NGX_OK)
    {
        return NULL;
    }

    outlet->directive = (const char *) ((ngx_str_t *) cf->args->elts)->data;
    outlet->name = *name;
    outlet->at_once = NGX_HTTP_JUDGE_AT_ONCE;
    ngx_http_judge_place(cf, &outlet->place);
    outlet->conf = cf->ctx;
    outlet->clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    return outlet;
}


/* Whether `arg` is that parameter; if so, sets `value` to its value. */
#define ngx_http_judge_param_is(name)                                         \
    (arg->len >= sizeof(name "=") - 1                                         \
     && ngx_strncmp(arg->data, name "=", sizeof(name "=") - 1) == 0           \
     && (value.data = arg->data + sizeof(name "=") - 1,                       \
         value.len = arg->len - (sizeof(name "=") - 1), 1))


static char *
ngx_http_judge_outlet_wrong(ngx_conf_t *cf, ngx_http_judge_outlet_t *outlet,
    ngx_str_t *arg, const char *expected)
{
    return ngx_http_judge_conf_error(cf, NULL, "%s: %V: expected %s",
                       outlet->directive, arg, expected);
}


static char *
ngx_http_judge_outlet_allow(ngx_conf_t *cf, ngx_http_judge_outlet_t *outlet,
    ngx_str_t *arg, ngx_str_t *value)
{
    judge_cidr_t  *cidr;

    cidr = ngx_array_push(&outlet->allowed);
    if (cidr == NULL) {
        return NGX_CONF_ERROR;
    }

    return judge_cidr_parse(ngx_http_judge_str(*value), cidr) == JUDGE_OK
           ? NGX_CONF_OK
           : ngx_http_judge_outlet_wrong(cf, outlet, arg, "a range of"
                            " addresses such as 10.0.0.0/8 or fd00::/8");
}


char *
ngx_http_judge_outlet_param(ngx_conf_t *cf, ngx_http_judge_outlet_t *outlet,
    ngx_str_t *arg)
{
    bool       model = outlet->model.name.len != 0;
    ngx_int_t  n;
    ngx_str_t  value;

    if (ngx_http_judge_param_is("store")) {
        outlet->service = value;
        return value.len ? NGX_CONF_OK
               : ngx_http_judge_outlet_wrong(cf, outlet, arg, "a name");
    }

    if (model && ngx_http_judge_param_is("served")) {
        outlet->model.served = ngx_http_judge_str(value);
        return value.len ? NGX_CONF_OK
               : ngx_http_judge_outlet_wrong(cf, outlet, arg, "a name");
    }

    if ((ngx_http_judge_param_is("at_once") && (model || !outlet->fixed))
        || (model && ngx_http_judge_param_is("in_all")))
    {
        n = ngx_atoi(value.data, value.len);
        *(arg->data[0] == 'a' ? &outlet->at_once : &outlet->model.in_all) = n;
        return n >= 1 && n <= 65536 ? NGX_CONF_OK
               : ngx_http_judge_outlet_wrong(cf, outlet, arg,
                                         "a whole number from 1 to 65536");
    }

    if (!outlet->fixed && !outlet->params && ngx_http_judge_param_is("allow"))
    {
        return ngx_http_judge_outlet_allow(cf, outlet, arg, &value);
    }

    if (ngx_http_judge_param_is("timeout")) {
        n = ngx_parse_time(&value, 0);
        *(model ? &outlet->model.timeout : &outlet->timeout) = n;
        return n >= 1 ? NGX_CONF_OK
               : ngx_http_judge_outlet_wrong(cf, outlet, arg,
                                             "a time such as 30s");
    }

    if (model && ngx_http_judge_param_is("images")) {
        outlet->model.images = ngx_http_judge_is(&value, "on");
        return outlet->model.images || ngx_http_judge_is(&value, "off")
               ? NGX_CONF_OK
               : ngx_http_judge_outlet_wrong(cf, outlet, arg, "on or off");
    }

    return ngx_http_judge_conf_error(cf, NULL,
                       "%s: \"%V\" is not one of its parameters: %s",
                       outlet->directive, arg,
                       outlet->params ? outlet->params
                       : model ? "store=, served=, at_once=, in_all=,"
                                 " timeout=, images=on|off"
                       : outlet->fixed ? "store=, timeout="
                       : "store=, allow=, at_once=, timeout=");
}


/*
 * The location must be internal: if clients could reach it, it would be an
 * open proxy with the provider's key.  It must have a content handler other
 * than that of `judge`; the one of proxy_pass is private to its module and
 * can't be compared.  It must have a path, because calls go to a path.
 */

static char *
ngx_http_judge_outlet_check(ngx_conf_t *cf, ngx_http_judge_outlet_t *outlet)
{
    bool                        path;
    const char                 *wrong;
    ngx_http_core_loc_conf_t   *clcf = outlet->clcf;
    ngx_http_judge_loc_conf_t  *jlcf;

    jlcf = clcf->loc_conf[ngx_http_judge_module.ctx_index];

    path = clcf->name.len && clcf->name.data[0] == '/';

#if (NGX_PCRE)
    path = path && clcf->regex == NULL;
#endif

    if (!path) {
        wrong = "cannot be called: expected a path, without ~ and @";

    } else if (!clcf->internal) {
        wrong = "can be reached by every client: add \"internal;\"";

    } else if (jlcf->judged) {
        wrong = "has \"judge\", too: expected a location for each";

    } else if (clcf->handler == NULL) {
        wrong = "leads nowhere: add \"proxy_pass\"";

    } else {
        return NGX_CONF_OK;
    }

    return ngx_http_judge_conf_error(cf, &outlet->place,
                                     "%s: the location \"%V\" %s",
                                     outlet->directive, &clcf->name, wrong);
}


static char *
ngx_http_judge_outlet_attach(ngx_conf_t *cf, ngx_http_judge_service_t *js,
    ngx_http_judge_outlet_t *outlet)
{
    ngx_uint_t                i;
    judge_llm_t              *model;
    ngx_http_judge_outlet_t  *other, *copy;

    other = js->outlets.elts;

    for (i = 0; i < js->outlets.nelts; i++) {
        if (ngx_http_judge_eq(&other[i].name, &outlet->name)) {
            return ngx_http_judge_conf_error(cf, &outlet->place,
                       "the store \"%V\" has a location for \"%V\" already,"
                       " at %s:%ui; give it one only", &js->name,
                       &outlet->name, other[i].place.file,
                       other[i].place.line);
        }
    }

    copy = ngx_array_push(&js->outlets);
    if (copy == NULL) {
        return NGX_CONF_ERROR;
    }

    *copy = *outlet;
    copy->location = outlet->clcf->name;
    copy->resolver = outlet->clcf->resolver;

    if (outlet->model.name.len) {
        model = ngx_array_push(&js->models);
        if (model == NULL) {
            return NGX_CONF_ERROR;
        }
        *model = outlet->model;
        copy->at_once = model->in_all && model->in_all < copy->at_once
                        ? model->in_all : copy->at_once;
        model->at_once = copy->at_once;
        js->settings.models = js->models.elts;
        js->settings.nmodels = js->models.nelts;

    } else if (outlet->attach) {
        outlet->attach(&js->settings, outlet->extra, outlet->timeout);

    } else if (outlet->fixed) {
        js->settings.mail_timeout = outlet->timeout;

    } else {
        js->settings.webhook_calls = outlet->at_once;
        js->settings.webhook_timeout = outlet->timeout;
        js->settings.webhook_allowed = outlet->allowed.elts;
        js->settings.nwebhook_allowed = outlet->allowed.nelts;
    }

    return NGX_CONF_OK;
}


/* Called when all services are known and locations have their resolvers. */

char *
ngx_http_judge_attach_outlets(ngx_conf_t *cf, ngx_http_judge_main_conf_t *jmcf)
{
    char                      *rv;
    ngx_str_t                  missing;
    ngx_uint_t                 i;
    ngx_http_judge_outlet_t   *outlets;
    ngx_http_judge_service_t  *js;

    outlets = jmcf->outlets.elts;

    for (i = 0; i < jmcf->outlets.nelts; i++) {
        js = ngx_http_judge_service_find(jmcf, &outlets[i].service);
        if (js == NULL) {
            missing = ngx_http_judge_service_missing(cf, jmcf,
                                                     &outlets[i].service);
            return ngx_http_judge_conf_error(cf, &outlets[i].place, "%s: %V",
                                             outlets[i].directive, &missing);
        }

        rv = ngx_http_judge_outlet_check(cf, &outlets[i]);
        if (rv == NGX_CONF_OK) {
            rv = ngx_http_judge_outlet_attach(cf, js, &outlets[i]);
        }
        if (rv != NGX_CONF_OK) {
            return rv;
        }
    }

    return NGX_CONF_OK;
}
