/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* judge_detect_expression, and how the lines of judge_detect are merged. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_conf.h"
#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


typedef struct {
    judge_detect_expressions_t   all;
    judge_arena_t               *arena;
} ngx_http_judge_rule_expressions_t;


static void
ngx_http_judge_rule_free(void *data)
{
    ngx_http_judge_rule_expressions_t  *e = data;

    judge_detect_expressions_free(&e->all);
    judge_arena_destroy(e->arena);
}


void *
ngx_http_judge_rule_expressions(ngx_conf_t *cf)
{
    ngx_pool_cleanup_t                 *cln;
    ngx_http_judge_rule_expressions_t  *e;

    e = ngx_pcalloc(cf->pool, sizeof(ngx_http_judge_rule_expressions_t));
    cln = ngx_pool_cleanup_add(cf->pool, 0);
    if (e == NULL || cln == NULL) {
        return NULL;
    }

    e->arena = judge_arena_create(1024);
    cln->handler = ngx_http_judge_rule_free;
    cln->data = e;

    return e->arena ? e : NULL;
}


char *
ngx_http_judge_rule_expression(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                          *value = cf->args->elts;
    judge_rc_e                          rc;
    judge_str_t                         error;
    ngx_http_judge_rule_expressions_t  *e = conf;

    rc = judge_detect_express(&e->all, e->arena, ngx_http_judge_str(value[1]),
                              ngx_http_judge_str(value[2]), &error);
    if (rc != JUDGE_INVALID) {
        return rc == JUDGE_OK ? NGX_CONF_OK : "lacks memory";
    }

    return ngx_http_judge_conf_error(cf, NULL, "%V: %V: expected %*s",
                                     &cmd->name, &value[1], error.len,
                                     error.data);
}


void
ngx_http_judge_detect_settle(ngx_conf_t *cf, ngx_http_judge_detect_t *d)
{
    unsigned                      guards = 0;
    ngx_uint_t                    i;
    ngx_str_t                     none = ngx_null_string;
    judge_detect_rule_t         **rules = d->rules.elts;
    ngx_http_judge_traffic_t     *t = d->answer;

    for (i = 0; i < d->rules.nelts; i++) {
        d->directions |= rules[i]->directions;
        guards |= rules[i]->action != JUDGE_DETECT_TAG
                  ? rules[i]->directions : 0;
    }

    d->directions |= t->restore ? JUDGE_DETECT_ANSWER : 0;
    guards |= t->restore ? JUDGE_DETECT_ANSWER : 0;
    d->set = (judge_detect_rules_t) { d->rules.elts, d->rules.nelts };
    t->service = ngx_http_judge_service_find(
                     ngx_http_conf_get_module_main_conf(cf,
                                                ngx_http_judge_module), &none);

    d->request = *t;
    d->request.asks = 1;
    d->request.guard = 1;
    d->request.rewrite = t->rewrite && (guards & JUDGE_DETECT_REQUEST);
    t->guard = (guards & JUDGE_DETECT_ANSWER) != 0;
    t->stream = NGX_HTTP_JUDGE_STREAM_WINDOW;
    d->request.block = t->block && (guards & JUDGE_DETECT_REQUEST);
    t->block = t->block && t->guard;
}
