/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The directive judge_login, which names the variable with the login of the
 * user. */


#include <ngx_config.h>

#include "base/text/utf8.h"
#include "extensions/people/people.h"
#include "ngx/ngx_http_judge.h"


typedef struct {
    ngx_int_t                  variable;   /* NGX_DECLINED: off */
    ngx_http_complex_value_t  *org;        /* NULL: there is only one */
} ngx_http_judge_people_loc_conf_t;


static void *ngx_http_judge_people_create_loc_conf(ngx_conf_t *cf);
static char *ngx_http_judge_people_merge_loc_conf(ngx_conf_t *cf,
    void *parent, void *child);
static char *ngx_http_judge_login(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);


/* Variables that a client can set. nginx reads remote_user from the header
 * Authorization, even if it asks for no password. */

static const char *const  ngx_http_judge_people_claims[] = {
    "arg_", "args", "cookie_", "document_uri", "host", "http_", "is_args",
    "query_string", "remote_user", "request", "uri", NULL
};

static ngx_command_t  ngx_http_judge_people_commands[] = {

    { ngx_string("judge_login"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_TAKE12,
      ngx_http_judge_login,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};

static ngx_http_module_t  ngx_http_judge_people_module_ctx = {
    .create_loc_conf = ngx_http_judge_people_create_loc_conf,
    .merge_loc_conf = ngx_http_judge_people_merge_loc_conf
};


ngx_module_t  ngx_http_judge_people_module = {
    NGX_MODULE_V1, .ctx = &ngx_http_judge_people_module_ctx,
    .commands = ngx_http_judge_people_commands, .type = NGX_HTTP_MODULE
};


/* --- Requests ------------------------------------------------------------ */

/*
 * Browsers send the cookies of a login also with requests that pages of other
 * sites make; those must not count as the user's (CSRF).  Browsers tell where
 * a request is from by Sec-Fetch-Site, older ones by Origin.
 */

static bool
ngx_http_judge_people_foreign(ngx_http_request_t *r)
{
    judge_str_t        site, origin, scheme;
    const ngx_list_t  *headers = &r->headers_in.headers;

    site = ngx_http_judge_header(headers, "sec-fetch-site");
    if (site.data) {
        return !judge_str_eq_c(site, "same-origin")
               && !judge_str_eq_c(site, "none");
    }

    origin = ngx_http_judge_header(headers, "origin");

    return origin.data
           && (r->headers_in.host == NULL
               || !judge_str_cut(&origin, JUDGE_STR("://"), &scheme)
               || !judge_str_caseeq(origin, ngx_http_judge_str(
                                                r->headers_in.host->value)));
}


/* On an error nobody is logged in. */

static void
ngx_http_judge_people_set_login(ngx_http_request_t *r, judge_req_t *req)
{
    ngx_str_t                          org;
    judge_str_t                        name;
    ngx_http_variable_value_t         *login;
    ngx_http_judge_people_loc_conf_t  *plcf;

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_judge_people_module);

    if (plcf->variable == NGX_DECLINED || ngx_http_judge_people_foreign(r)) {
        return;
    }

    login = ngx_http_get_indexed_variable(r, (ngx_uint_t) plcf->variable);
    if (login == NULL || login->not_found) {
        return;
    }

    name = (judge_str_t) { login->len, (char *) login->data };
    if (name.len == 0 || memchr(name.data, 0, name.len)
        || judge_utf8_check(name) != name.len
        || judge_utf8_length(name) > JUDGE_LOGIN_MAX)
    {
        return;
    }

    if (plcf->org) {
        if (ngx_http_complex_value(r, plcf->org, &org) != NGX_OK) {
            return;
        }

        /* an empty value must not mean the only organization */
        req->login_org = ngx_http_judge_str(org);
        req->login_org.data = org.len ? req->login_org.data : "";
    }

    req->login = name;
}


/* --- Configurations ------------------------------------------------------ */

static void *
ngx_http_judge_people_create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_judge_people_loc_conf_t  *plcf;

    plcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_judge_people_loc_conf_t));
    if (plcf) {
        plcf->variable = NGX_CONF_UNSET;
        plcf->org = NGX_CONF_UNSET_PTR;
    }

    return plcf;
}


static char *
ngx_http_judge_people_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_judge_people_loc_conf_t  *prev = parent, *conf = child;

    if (conf->variable == NGX_CONF_UNSET) {
        conf->variable = prev->variable == NGX_CONF_UNSET ? NGX_DECLINED
                                                          : prev->variable;
        conf->org = prev->org;
    }

    ngx_conf_init_ptr_value(conf->org, NULL);

    return NGX_CONF_OK;
}


static bool
ngx_http_judge_people_claimed(const ngx_str_t *name)
{
    ngx_uint_t  i;

    for (i = 0; ngx_http_judge_people_claims[i]; i++) {
        if (judge_str_casestarts(ngx_http_judge_str(*name),
                                 judge_str_c(ngx_http_judge_people_claims[i])))
        {
            return true;
        }
    }

    return false;
}


static char *
ngx_http_judge_login_org(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_complex_value_t **org)
{
    ngx_str_t                         text;
    ngx_http_compile_complex_value_t  ccv;

    if (value->len <= 13 || ngx_strncmp(value->data, "organization=", 13)) {
        return "has another argument than \"organization=\"";
    }

    text.data = value->data + 13;
    text.len = value->len - 13;

    *org = ngx_palloc(cf->pool, sizeof(ngx_http_complex_value_t));
    if (*org == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_memzero(&ccv, sizeof(ccv));
    ccv.cf = cf;
    ccv.value = &text;
    ccv.complex_value = *org;

    return ngx_http_compile_complex_value(&ccv) == NGX_OK ? NGX_CONF_OK
                                                          : NGX_CONF_ERROR;
}


/* judge_login off | $variable [organization=value]; */

static char *
ngx_http_judge_login(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    char                              *rv = NGX_CONF_OK;
    ngx_str_t                         *value, name;
    ngx_http_judge_main_conf_t        *jmcf;
    ngx_http_judge_people_loc_conf_t  *plcf = conf;

    if (plcf->variable != NGX_CONF_UNSET) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (ngx_http_judge_is(&value[1], "off") && cf->args->nelts == 2) {
        plcf->variable = NGX_DECLINED;
        plcf->org = NULL;
        return NGX_CONF_OK;
    }

    name = value[1];
    if (name.len < 2 || name.data[0] != '$' || name.data[1] == '{'
        || name.data[1] == '$')
    {
        return "has no variable: expected off, or one such as $login, which"
               " auth_request_set sets";
    }

    name.data++;
    name.len--;

    if (ngx_http_judge_people_claimed(&name)) {
        return "has a variable that clients set: expected one that nginx sets"
               " after it has asked who it is, as auth_request_set does";
    }

    plcf->variable = ngx_http_get_variable_index(cf, &name);
    if (plcf->variable == NGX_ERROR) {
        return NGX_CONF_ERROR;
    }

    if (cf->args->nelts == 3) {
        rv = ngx_http_judge_login_org(cf, &value[2], &plcf->org);
    }

    jmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_judge_module);
    jmcf->set_login = ngx_http_judge_people_set_login;

    return rv;
}
