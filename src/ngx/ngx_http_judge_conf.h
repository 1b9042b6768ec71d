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
char *ngx_http_judge_outbound(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
char *ngx_http_judge_model(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/* Adds a location for outgoing calls, with defaults; parses the parameters
 * that all of these have: store=, at_once=, timeout=. */
ngx_http_judge_route_t *ngx_http_judge_route_add(ngx_conf_t *cf,
    ngx_str_t *name);
char *ngx_http_judge_route_param(ngx_conf_t *cf,
    ngx_http_judge_route_t *route, ngx_str_t *arg);

/* Store the place of the directive that is being read; log a sentence with a
 * place. */
void ngx_http_judge_place(ngx_conf_t *cf, ngx_http_judge_place_t *place);
void ngx_http_judge_conf_error(ngx_conf_t *cf,
    const ngx_http_judge_place_t *place, const char *fmt, ...);

/* Finds a service by its name; empty: the only one or the default. */
ngx_http_judge_service_t *ngx_http_judge_service_find(
    ngx_http_judge_main_conf_t *jmcf, ngx_str_t *name);

/* Returns an error sentence that lists the existing services. */
ngx_str_t ngx_http_judge_service_missing(ngx_conf_t *cf,
    ngx_http_judge_main_conf_t *jmcf, ngx_str_t *name);

/* Gives each service its locations, once all of them are known. */
char *ngx_http_judge_attach_routes(ngx_conf_t *cf,
    ngx_http_judge_main_conf_t *jmcf);


#endif /* NGX_HTTP_JUDGE_CONF_H */
