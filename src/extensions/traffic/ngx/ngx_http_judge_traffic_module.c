/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The traffic module: its directives and their parameters. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_conf.h"
#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


#define NGX_HTTP_JUDGE_TRAFFIC_RATE  100       /* default, per second */


static char *ngx_http_judge_traffic(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_judge_detect(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static void *ngx_http_judge_rule_expressions(ngx_conf_t *cf);
static char *ngx_http_judge_rule_expression(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static void *ngx_http_judge_traffic_create_conf(ngx_conf_t *cf);
static char *ngx_http_judge_traffic_merge_conf(ngx_conf_t *cf, void *parent,
    void *child);


static ngx_command_t  ngx_http_judge_traffic_commands[] = {

    { ngx_string("judge_traffic"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF
      |NGX_HTTP_LIF_CONF|NGX_CONF_1MORE,
      ngx_http_judge_traffic,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_judge_traffic_conf_t, traffic),
      NULL },

    { ngx_string("judge_request"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF
      |NGX_HTTP_LIF_CONF|NGX_CONF_1MORE,
      ngx_http_judge_traffic,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_judge_traffic_conf_t, request),
      NULL },

    { ngx_string("judge_detect"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF
      |NGX_HTTP_LIF_CONF|NGX_CONF_1MORE,
      ngx_http_judge_detect,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_judge_traffic_conf_t, detect),
      NULL },

    { ngx_string("judge_detect_expression"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE2,
      ngx_http_judge_rule_expression,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};

static ngx_http_module_t  ngx_http_judge_traffic_module_ctx = {
    .preconfiguration = ngx_http_judge_traffic_variables,
    .postconfiguration = ngx_http_judge_traffic_handlers,
    .create_main_conf = ngx_http_judge_rule_expressions,
    .create_loc_conf = ngx_http_judge_traffic_create_conf,
    .merge_loc_conf = ngx_http_judge_traffic_merge_conf
};


ngx_module_t  ngx_http_judge_traffic_module = {
    NGX_MODULE_V1, .ctx = &ngx_http_judge_traffic_module_ctx,
    .commands = ngx_http_judge_traffic_commands, .type = NGX_HTTP_MODULE
};


/* --- Directives ---------------------------------------------------------- */

static void
ngx_http_judge_traffic_free(void *data)
{
    ngx_http_judge_traffic_t  *t = data;

    judge_arena_destroy(t->arena);
}


static ngx_http_judge_traffic_t *
ngx_http_judge_traffic_new(ngx_conf_t *cf)
{
    u_char                    *p;
    ngx_pool_cleanup_t        *cln;
    ngx_http_judge_traffic_t  *t;

    t = ngx_pcalloc(cf->pool, sizeof(ngx_http_judge_traffic_t));
    cln = ngx_pool_cleanup_add(cf->pool, 0);
    if (t == NULL || cln == NULL) {
        return NULL;
    }

    t->arena = judge_arena_create(4096);
    cln->handler = ngx_http_judge_traffic_free;
    cln->data = t;

    ngx_http_judge_place(cf, &t->place);
    p = ngx_pnalloc(cf->pool, ngx_strlen(t->place.file) + NGX_INT_T_LEN + 10);

    if (p == NULL || t->arena == NULL
        || ngx_array_init(&t->redact, cf->pool, 2, sizeof(judge_regex_t *))
           != NGX_OK
        || ngx_array_init(&t->fields, cf->pool, 2, sizeof(judge_str_t))
           != NGX_OK
        || !judge_extract_formats(t->arena, JUDGE_STR("auto"), &t->answer)
        || !judge_extract_formats(t->arena, JUDGE_STR("auto"), &t->request))
    {
        return NULL;
    }

    t->bucket.data = (char *) p;
    t->bucket.len = (size_t) (ngx_sprintf(p, "traffic %s:%ui", t->place.file,
                                          t->place.line)
                              - p);
    t->sourced = 1;
    t->max = 256 * 1024;
    t->memory = 64 * 1024 * 1024;
    t->timeout = 5000;
    t->rate.period = 1000;
    t->min = -1;
    t->block = NGX_CONF_UNSET;
    t->rewrite = 1;
    t->restore = NGX_CONF_UNSET;

    return t;
}


static void
ngx_http_judge_traffic_paced(ngx_http_judge_traffic_t *t)
{
    t->window = t->window ? t->window : 1024;
    t->delay = t->delay ? t->delay : 1000;
}


/* Returns what was expected, for an error; NULL: the parameters fit. */

static const char *
ngx_http_judge_traffic_misfit(const ngx_http_judge_traffic_t *t)
{
    ngx_uint_t  i;

    const struct {
        bool         wrong;
        const char  *expected;
    } rules[] = {
        { t->judge == NULL, "judge=, the identifier of a judge" },
        { t->organization == NULL, "organization=, that of the judge" },
        { t->asks && t->min < 0,
          "min=, the score from which on a request passes" },
        { t->guard != (t->min >= 0),
          "mode=guard and min=, the score from which on an answer passes,"
          " together" },
        { t->stream != NGX_HTTP_JUDGE_STREAM_HOLD && !t->guard,
          "mode=guard with stream=" },
        { t->conversation && (!t->sourced || t->redact.nelts),
          "no request=off and no redact= with conversation=: it is made of the"
          " request's messages, as they came" },
        { (t->window || t->delay) && t->stream == NGX_HTTP_JUDGE_STREAM_HOLD,
          "stream=window or stream=end with window= and delay=" },
        { t->message.len && !t->guard, "mode=guard with message=" },
        { t->guard && t->sample,
          "no sample=, because what is not judged must not pass" }
    };

    for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].wrong) {
            return rules[i].expected;
        }
    }

    return NULL;
}


static char *
ngx_http_judge_traffic(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                  *value;
    const char                 *expected;
    ngx_http_judge_traffic_t   *t, **slot;

    slot = (ngx_http_judge_traffic_t **) ((char *) conf + cmd->offset);
    value = cf->args->elts;

    if (*slot != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    if (cf->args->nelts == 2 && ngx_http_judge_is(&value[1], "off")) {
        *slot = NULL;
        return NGX_CONF_OK;
    }

    t = ngx_http_judge_traffic_new(cf);
    if (t == NULL) {
        return NGX_CONF_ERROR;
    }

    t->asks = cmd->offset == offsetof(ngx_http_judge_traffic_conf_t, request);
    t->guard = t->asks;
    t->sourced = !t->asks;

    if (ngx_http_judge_traffic_params(cf, cmd, t, 1) != NGX_CONF_OK) {
        return NGX_CONF_ERROR;
    }

    expected = ngx_http_judge_traffic_misfit(t);
    if (expected) {
        return ngx_http_judge_conf_error(cf, NULL, "%V: expected %s",
                                         &cmd->name, expected);
    }

    ngx_http_judge_traffic_paced(t);
    if (t->block == NGX_CONF_UNSET) {
        t->block = t->guard;
    }

    if (t->rate.limit == 0 && !t->guard) {
        t->rate.limit = NGX_HTTP_JUDGE_TRAFFIC_RATE;
        t->rate.burst = NGX_HTTP_JUDGE_TRAFFIC_RATE;
    }

    *slot = t;

    return NGX_CONF_OK;
}


/* --- judge_detect -------------------------------------------------------- */

static void *
ngx_http_judge_rule_expressions(ngx_conf_t *cf)
{
    ngx_pool_cleanup_t          *cln;
    judge_detect_expressions_t  *all;

    all = ngx_pcalloc(cf->pool, sizeof(judge_detect_expressions_t));
    cln = ngx_pool_cleanup_add(cf->pool, 0);
    if (all == NULL || cln == NULL) {
        return NULL;
    }

    cln->handler = judge_detect_expressions_free;
    cln->data = all;

    return all;
}


static char *
ngx_http_judge_rule_expression(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t    *value = cf->args->elts;
    judge_rc_e    rc;
    judge_str_t   error;

    rc = judge_detect_express(conf, ngx_http_judge_str(value[1]),
                              ngx_http_judge_str(value[2]), &error);
    if (rc != JUDGE_INVALID) {
        return rc == JUDGE_OK ? NGX_CONF_OK : "lacks memory";
    }

    return ngx_http_judge_conf_error(cf, NULL, "%V: %V: expected %*s",
                                     &cmd->name, &value[1], error.len,
                                     error.data);
}


static ngx_http_judge_detect_t *
ngx_http_judge_detect_new(ngx_conf_t *cf)
{
    ngx_http_judge_detect_t  *d;

    d = ngx_pcalloc(cf->pool, sizeof(ngx_http_judge_detect_t));
    if (d == NULL || (d->answer = ngx_http_judge_traffic_new(cf)) == NULL) {
        return NULL;
    }

    d->answer->detect = d;

    return d;
}


/* Parses a line; several lines add up. */

static char *
ngx_http_judge_detect(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                 *value = cf->args->elts;
    ngx_flag_t                 restore;
    const char                *expected;
    judge_detect_rule_t       *rule;
    ngx_http_judge_traffic_t  *t;
    ngx_http_judge_detect_t  **slot;

    slot = (ngx_http_judge_detect_t **) ((char *) conf + cmd->offset);

    if (cf->args->nelts == 2 && ngx_http_judge_is(&value[1], "off")) {
        if (*slot != NGX_CONF_UNSET_PTR) {
            return "is duplicate";
        }
        *slot = NULL;
        return NGX_CONF_OK;
    }

    if (*slot == NGX_CONF_UNSET_PTR) {
        *slot = ngx_http_judge_detect_new(cf);
    } else if (*slot == NULL) {
        return "is duplicate";
    }

    rule = ngx_pcalloc(cf->pool, sizeof(judge_detect_rule_t));
    if (*slot == NULL || rule == NULL || ngx_thread_pool_add(cf, NULL) == NULL)
    {
        return NGX_CONF_ERROR;
    }

    t = (*slot)->answer;
    *((*slot)->rule ? &(*slot)->rule->next : &(*slot)->rules) = rule;
    (*slot)->rule = rule;
    t->action = JUDGE_DETECT_BLOCK;
    t->where = 0;
    restore = t->restore;
    t->restore = NGX_CONF_UNSET;
    judge_detectors_parse(ngx_http_judge_str(value[1]),
                          ngx_http_conf_get_module_main_conf(cf,
                                             ngx_http_judge_traffic_module),
                          rule);

    if (ngx_http_judge_traffic_params(cf, cmd, t, 2) != NGX_CONF_OK) {
        return NGX_CONF_ERROR;
    }

    rule->action = (judge_detect_action_e) t->action;
    rule->directions = t->where ? (unsigned) t->where
                       : JUDGE_DETECT_REQUEST | JUDGE_DETECT_ANSWER;
    expected = restore != NGX_CONF_UNSET && t->restore != NGX_CONF_UNSET
               && restore != t->restore
               ? "the same restore= in all lines of a place"
               : judge_detect_rule_error(rule);
    if (expected) {
        return ngx_http_judge_conf_error(cf, NULL, "judge_detect: %V: expected"
                                         " %s", &value[1], expected);
    }
    t->restore = t->restore == NGX_CONF_UNSET ? restore : t->restore;

    return NGX_CONF_OK;
}


/* --- Configurations ------------------------------------------------------ */

/* Merges the lines of judge_detect in a location.  Without a service nothing
 * is counted. */

static void
ngx_http_judge_detect_settle(ngx_conf_t *cf, ngx_http_judge_detect_t *d)
{
    unsigned                    guards = 0;
    ngx_str_t                   none = ngx_null_string;
    const judge_detect_rule_t  *rule;
    ngx_http_judge_traffic_t   *t = d->answer;

    for (rule = d->rules; rule; rule = rule->next) {
        d->directions |= rule->directions;
        guards |= rule->action != JUDGE_DETECT_TAG ? rule->directions : 0;
    }

    ngx_http_judge_traffic_paced(t);
    t->restore = t->restore == 1;
    d->directions |= t->restore ? JUDGE_DETECT_ANSWER : 0;
    guards |= t->restore ? JUDGE_DETECT_ANSWER : 0;
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


static void *
ngx_http_judge_traffic_create_conf(ngx_conf_t *cf)
{
    ngx_http_judge_traffic_conf_t  *conf;

    conf = ngx_pcalloc(cf->pool, sizeof(ngx_http_judge_traffic_conf_t));
    if (conf) {
        conf->traffic = NGX_CONF_UNSET_PTR;
        conf->request = NGX_CONF_UNSET_PTR;
        conf->detect = NGX_CONF_UNSET_PTR;
    }

    return conf;
}


/* Turns judging off in locations of the service itself, whose module is merged
 * before this one, and finds the service by its name, as all are known. */

static char *
ngx_http_judge_traffic_merge(ngx_conf_t *cf, ngx_http_judge_traffic_t **conf,
    ngx_http_judge_traffic_t *prev)
{
    ngx_str_t                    sentence;
    const char                  *name;
    ngx_http_judge_traffic_t    *t;
    ngx_http_judge_loc_conf_t   *jlcf;
    ngx_http_judge_main_conf_t  *jmcf;

    jlcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_judge_module);
    jmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_judge_module);

    if (jlcf->service && *conf == NGX_CONF_UNSET_PTR) {
        *conf = NULL;
    }

    ngx_conf_merge_ptr_value(*conf, prev, NULL);
    t = *conf;
    if (t == NULL) {
        return NGX_CONF_OK;
    }

    name = t->asks ? "judge_request" : "judge_traffic";
    if (jlcf->service) {
        return ngx_http_judge_conf_error(cf, &t->place, "%s: this location is"
                                         " the service's own: expected another"
                                         " one", name);
    }

    t->service = t->service ? t->service
                 : ngx_http_judge_service_find(jmcf, &t->name);
    if (t->service == NULL) {
        sentence = ngx_http_judge_service_missing(cf, jmcf, &t->name);
        return ngx_http_judge_conf_error(cf, &t->place, "%s: %V", name,
                                         &sentence);
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_judge_traffic_merge_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_judge_detect_t        *d;
    ngx_http_judge_loc_conf_t      *jlcf;
    ngx_http_judge_traffic_conf_t  *prev = parent, *conf = child;

    jlcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_judge_module);
    if (jlcf->service && conf->detect == NGX_CONF_UNSET_PTR) {
        conf->detect = NULL;
    }
    ngx_conf_merge_ptr_value(conf->detect, prev->detect, NULL);

    if (conf->detect && conf->detect->directions == 0) {
        ngx_http_judge_detect_settle(cf, conf->detect);
    }

    if (conf->detect
        && (jlcf->service
            || (conf->traffic != NGX_CONF_UNSET_PTR && conf->traffic)
            || (conf->request != NGX_CONF_UNSET_PTR && conf->request)))
    {
        return ngx_http_judge_conf_error(cf, &conf->detect->answer->place,
                                         "judge_detect: expected a location"
                                         " without judge, judge_traffic and"
                                         " judge_request");
    }

    if (ngx_http_judge_traffic_merge(cf, &conf->traffic, prev->traffic)
        != NGX_CONF_OK
        || ngx_http_judge_traffic_merge(cf, &conf->request, prev->request)
           != NGX_CONF_OK)
    {
        return NGX_CONF_ERROR;
    }

    d = conf->detect;
    conf->answers = d == NULL ? conf->traffic
                    : d->directions & JUDGE_DETECT_ANSWER ? d->answer : NULL;
    conf->requests = d == NULL ? conf->request
                     : d->directions & JUDGE_DETECT_REQUEST ? &d->request
                     : NULL;

    return NGX_CONF_OK;
}
