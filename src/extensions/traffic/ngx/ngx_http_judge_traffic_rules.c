/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The parameters of judge_detect, and how its lines are merged. */


#include <ngx_config.h>

#include "analysis/text/language.h"
#include "ngx/ngx_http_judge_conf.h"
#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


#define NGX_HTTP_JUDGE_RULE_FILE  (1024 * 1024)

typedef struct {
    judge_detect_expressions_t   all;
    judge_arena_t               *arena;
} ngx_http_judge_rule_expressions_t;


const char *
ngx_http_judge_traffic_types(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    judge_str_t  type, sub, major, *slot, rest = ngx_http_judge_str(*value);

    do {
        type = judge_str_until(&rest, ',');
        sub = type;
        major = judge_str_until(&sub, '/');
        slot = ngx_array_push(&t->passing);
        if (slot == NULL || !judge_extract_is_token(major)
            || !judge_extract_is_token(sub))
        {
            return "types such as image/*,application/pdf";
        }
        *slot = type;
    } while (rest.len);

    return NULL;
}


const char *
ngx_http_judge_rule_message(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    t->detect->rule->message = ngx_http_judge_str(*value);

    return value->len ? NULL : "a sentence";
}


/* Reads a small file into the arena; absent: it can't be read. */

static judge_str_t
ngx_http_judge_rule_file(ngx_conf_t *cf, judge_arena_t *arena,
    ngx_str_t *value)
{
    char         *data;
    ssize_t       n;
    ngx_fd_t      fd;
    ngx_str_t     name = *value;
    judge_str_t   text = { 0, NULL };

    if (value->len == 0 || ngx_conf_full_name(cf->cycle, &name, 1) != NGX_OK) {
        return text;
    }

    fd = ngx_open_file(name.data, NGX_FILE_RDONLY, NGX_FILE_OPEN, 0);
    if (fd == NGX_INVALID_FILE) {
        return text;
    }

    data = judge_alloc(arena, NGX_HTTP_JUDGE_RULE_FILE + 1);
    n = data ? ngx_read_fd(fd, data, NGX_HTTP_JUDGE_RULE_FILE + 1) : -1;
    (void) ngx_close_file(fd);

    if (n >= 0 && n <= NGX_HTTP_JUDGE_RULE_FILE) {
        text = (judge_str_t) { (size_t) n, data };
    }

    return text;
}


/* Parses words= or leak=. */

const char *
ngx_http_judge_rule_words(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    bool                     quotes = field == &t->arena;
    judge_str_t              text;
    judge_detect_rule_t     *rule = t->detect->rule;

    text = ngx_http_judge_rule_file(cf, t->arena, value);

    return text.data
           && judge_detect_phrases(t->arena, text, !quotes,
                                   quotes ? &rule->leak : &rule->words)
              == JUDGE_OK
           ? NULL
           : quotes ? "a file of at most 1 MB with a text of 8 words or more"
           : "a file of at most 1 MB, a word or a phrase of up to 8 on a line";
}


const char *
ngx_http_judge_rule_hosts(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    size_t                n = 1, i;
    judge_str_t          *hosts, rest = ngx_http_judge_str(*value);
    judge_detect_rule_t  *rule = t->detect->rule;

    for (i = 0; i < rest.len; i++) {
        n += rest.data[i] == ',';
    }

    hosts = judge_array_alloc(t->arena, n, sizeof(judge_str_t));
    if (hosts == NULL) {
        return "more memory";
    }

    for (i = 0; i < n; i++) {
        hosts[i] = judge_str_until(&rest, ',');
        if (hosts[i].len == 0) {
            return "hosts such as example.com,example.org";
        }
    }

    rule->hosts = hosts;
    rule->nhosts = n;

    return NULL;
}


const char *
ngx_http_judge_rule_languages(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    uint8_t               language;
    judge_str_t           rest = ngx_http_judge_str(*value);
    judge_detect_rule_t  *rule = t->detect->rule;

    do {
        language = judge_language_find(judge_str_until(&rest, ','));
        if (language == JUDGE_LANGUAGE_UNKNOWN) {
            return "codes of languages such as en,de";
        }
        rule->languages[language] = true;
        rule->nlanguages++;
    } while (rest.len);

    return NULL;
}


/* --- Expressions --------------------------------------------------------- */

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

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "%V: %V: expected %*s",
                       &cmd->name, &value[1], error.len, error.data);

    return NGX_CONF_ERROR;
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
