/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The directives, which docs/directives.md explains. */


#ifndef NGX_HTTP_JUDGE_CONF_H
#define NGX_HTTP_JUDGE_CONF_H


#include "ngx/ngx_http_judge_outbound.h"


/* judge_store, judge_outbound and judge_mail, judge_model. */
char *ngx_http_judge_store(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_judge_outbound(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_judge_model(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* _add() adds a location for outgoing calls, with defaults, which the caller
 * may change; NULL: out of memory.  _param() parses one parameter: store= and
 * timeout= of every location; at_once= unless it is `fixed` without a model;
 * allow= of judge_outbound; and those of judge_model.  It logs errors.
 * _params() parses those of the directive from `first` on. */
ngx_http_judge_outlet_t *ngx_http_judge_outlet_add(ngx_conf_t *cf,
    ngx_str_t *name);
char *ngx_http_judge_outlet_params(ngx_conf_t *cf,
    ngx_http_judge_outlet_t *outlet, ngx_uint_t first);
char *ngx_http_judge_outlet_param(ngx_conf_t *cf,
    ngx_http_judge_outlet_t *outlet, ngx_str_t *arg);

/* _place() stores the place of the directive that is being read; _error() logs
 * a sentence with a place (NULL: that one), and returns NGX_CONF_ERROR. */
void ngx_http_judge_place(ngx_conf_t *cf, ngx_http_judge_place_t *place);
char *ngx_http_judge_conf_error(ngx_conf_t *cf,
    const ngx_http_judge_place_t *place, const char *fmt, ...);

/* Refuses a parameter that the directive has twice, unless its values add up.
 * To be called when all were parsed: a first parameter may have a password,
 * which is not logged. */
char *ngx_http_judge_conf_once(ngx_conf_t *cf);

/* Finds a service by its name; empty: the only one or the default. */
ngx_http_judge_service_t *ngx_http_judge_service_find(
    ngx_http_judge_main_conf_t *jmcf, ngx_str_t *name);

/* Returns an error sentence that lists the existing services. */
ngx_str_t ngx_http_judge_service_missing(ngx_conf_t *cf,
    ngx_http_judge_main_conf_t *jmcf, ngx_str_t *name);

/* Gives each service its locations, once all of them are known. */
char *ngx_http_judge_attach_outlets(ngx_conf_t *cf,
    ngx_http_judge_main_conf_t *jmcf);


#endif /* NGX_HTTP_JUDGE_CONF_H */
