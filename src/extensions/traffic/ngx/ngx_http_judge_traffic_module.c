/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The traffic module: its directives and their parameters. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_conf.h"
#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


#define NGX_HTTP_JUDGE_TRAFFIC_RATE  100       /* default, per second */

/* Bits: the directives that accept a parameter. */
#define NGX_HTTP_JUDGE_ANSWER   1
#define NGX_HTTP_JUDGE_REQUEST  2
#define NGX_HTTP_JUDGE_BOTH     3
#define NGX_HTTP_JUDGE_RULE     4
#define NGX_HTTP_JUDGE_ALL      7

typedef struct {
    ngx_str_t    name;
    ngx_uint_t   of;
    size_t       offset;               /* in ngx_http_judge_traffic_t */
    const char *(*set)(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
                       ngx_str_t *value, void *field);
    const char  *words[3];             /* if set is NULL: names of 0 to 2 */
    const char  *expected;             /* for the error sentence */
} ngx_http_judge_traffic_param_t;


static char *ngx_http_judge_detect(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static ngx_int_t ngx_http_judge_traffic_init(ngx_conf_t *cf);
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
    ngx_http_judge_traffic_variables,      /* preconfiguration */
    ngx_http_judge_traffic_init,           /* postconfiguration */
    ngx_http_judge_rule_expressions,       /* create main configuration */
    NULL,                                  /* init main configuration */
    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */
    ngx_http_judge_traffic_create_conf,    /* create location configuration */
    ngx_http_judge_traffic_merge_conf      /* merge location configuration */
};


ngx_module_t  ngx_http_judge_traffic_module = {
    NGX_MODULE_V1,
    &ngx_http_judge_traffic_module_ctx,    /* module context */
    ngx_http_judge_traffic_commands,       /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    NULL,                                  /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    NULL,                                  /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


/* --- Parameters; returns NULL, or what was expected ---------------------- */

static const char *
ngx_http_judge_traffic_value(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    ngx_http_compile_complex_value_t   ccv;
    ngx_http_complex_value_t         **slot = field;

    *slot = ngx_pcalloc(cf->pool, sizeof(ngx_http_complex_value_t));

    ngx_memzero(&ccv, sizeof(ngx_http_compile_complex_value_t));
    ccv.cf = cf;
    ccv.value = value;
    ccv.complex_value = *slot;

    if (value->len == 0 || *slot == NULL
        || ngx_http_compile_complex_value(&ccv) != NGX_OK)
    {
        return field == &t->route ? "a name, or a variable that has one"
               : "an identifier, or a variable that has one";
    }

    return NULL;
}


static const char *
ngx_http_judge_traffic_sample(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    double  share;

    if (value->len && !ngx_strlchr(value->data, value->data + value->len, '$')
        && !ngx_http_judge_traffic_share(value, &share))
    {
        return "a share from 0% to 100%, or a variable that has one";
    }

    return ngx_http_judge_traffic_value(cf, t, value, field);
}


static const char *
ngx_http_judge_traffic_name(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    t->name = *value;

    return value->len ? NULL : "the name of a service";
}


static const char *
ngx_http_judge_traffic_time(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    ngx_int_t  ms;

    ms = ngx_parse_time(value, 0);
    *(ngx_msec_t *) field = (ngx_msec_t) ms;

    return ms >= 10 && ms <= 600000 ? NULL
           : "a time such as 500ms, from 10ms to 10m";
}


static const char *
ngx_http_judge_traffic_min(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    return judge_number_parse(ngx_http_judge_str(*value), &t->min) == JUDGE_OK
           && t->min >= 0 && t->min <= 100 ? NULL : "a score from 0 to 100";
}


static const char *
ngx_http_judge_traffic_message(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    *(ngx_str_t *) field = *value;

    return value->len ? NULL : "a sentence";
}


static const char *
ngx_http_judge_traffic_format(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    if (field == &t->request && ngx_http_judge_is(value, "off")) {
        t->sourced = 0;
        return NULL;
    }

    return judge_extract_formats(t->arena, ngx_http_judge_str(*value), field)
           ? NULL
           : "auto, openai-chat, openai-responses, anthropic-messages,"
             " google-generate or a path such as $.answer[0].text";
}


static const char *
ngx_http_judge_traffic_size(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    off_t    size;
    size_t  *slot = field;

    size = ngx_parse_offset(value);
    if (field == &t->window && (size < 16 || size > 1024 * 1024)) {
        return "a size such as 512, from 16 to 1m";
    }

    if ((size < 1024 && field != &t->window) || size > (off_t) 1 << 34) {
        return "a size such as 256k, from 1k to 16g";
    }

    *slot = (size_t) size;

    return NULL;
}


static const char *
ngx_http_judge_traffic_rate(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    ngx_int_t  number;

    number = value->len > 2
             && ngx_strncmp(value->data + value->len - 2, "/s", 2) == 0
             ? ngx_atoi(value->data, value->len - 2) : NGX_ERROR;

    if (number < 1 || number > 100000) {
        return "how many are judged in a second, such as 100/s, from 1 to"
               " 100000";
    }

    t->rate.limit = (uint32_t) number;
    t->rate.burst = (uint32_t) number;

    return NULL;
}


static const char *
ngx_http_judge_traffic_redact(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    judge_str_t      why;
    judge_regex_t  **pattern;

    pattern = ngx_array_push(&t->redact);
    why = JUDGE_STR("out of memory");

    if (pattern == NULL
        || judge_regex_compile(t->arena, ngx_http_judge_str(*value),
                               JUDGE_REGEX_OTHERS, pattern, &why)
           != JUDGE_OK)
    {
        why = judge_str_printf(t->arena, "a regular expression: %.*s",
                               (int) why.len, why.data);
        return why.data ? why.data : "";
    }

    return NULL;
}


static const char *
ngx_http_judge_traffic_add_field(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    judge_str_t  *name;

    name = ngx_array_push(&t->fields);
    if (name) {
        *name = ngx_http_judge_str(*value);
    }

    return name && value->len ? NULL : "the name of a form's field";
}


#define ngx_http_judge_traffic_set(name, of, field, set)                      \
    { ngx_string(name), NGX_HTTP_JUDGE_ ## of,                                \
      offsetof(ngx_http_judge_traffic_t, field),                              \
      ngx_http_judge_traffic_ ## set, { NULL, NULL, NULL }, NULL }
#define ngx_http_judge_traffic_rule(name, field, set)                         \
    { ngx_string(name), NGX_HTTP_JUDGE_RULE,                                  \
      offsetof(ngx_http_judge_traffic_t, field),                              \
      ngx_http_judge_rule_ ## set, { NULL, NULL, NULL }, NULL }
#define ngx_http_judge_traffic_choice(name, of, field, a, b, c, expected)     \
    { ngx_string(name), NGX_HTTP_JUDGE_ ## of,                                \
      offsetof(ngx_http_judge_traffic_t, field), NULL, { a, b, c }, expected }

static const ngx_http_judge_traffic_param_t
    ngx_http_judge_traffic_params[] = {
    ngx_http_judge_traffic_set("judge", BOTH, judge, value),
    ngx_http_judge_traffic_set("organization", BOTH, organization, value),
    ngx_http_judge_traffic_set("service", BOTH, name, name),
    ngx_http_judge_traffic_choice("mode", ANSWER, guard, "observe", "guard",
                                  "", "observe or guard"),
    ngx_http_judge_traffic_set("min", BOTH, min, min),
    ngx_http_judge_traffic_set("message", BOTH, message, message),
    ngx_http_judge_traffic_choice("on_error", ALL, block, "pass", "block",
                                  "", "pass or block"),
    ngx_http_judge_traffic_set("pass_types", ALL, passing, types),
    ngx_http_judge_traffic_choice("stream", ANSWER, stream, "hold", "window",
                                  "end", "hold, window or end"),
    ngx_http_judge_traffic_set("window", ANSWER, window, size),
    ngx_http_judge_traffic_set("delay", ANSWER, delay, time),
    ngx_http_judge_traffic_set("timeout", BOTH, timeout, time),
    ngx_http_judge_traffic_set("sample", BOTH, sample, sample),
    ngx_http_judge_traffic_set("route", BOTH, route, value),
    ngx_http_judge_traffic_set("format", BOTH, answer, format),
    ngx_http_judge_traffic_set("field", REQUEST, fields, add_field),
    ngx_http_judge_traffic_set("request", ANSWER, request, format),
    ngx_http_judge_traffic_choice("store", BOTH, scores, "all", "scores", "",
                                  "all or scores"),
    ngx_http_judge_traffic_set("max", ALL, max, size),
    ngx_http_judge_traffic_set("memory", ALL, memory, size),
    ngx_http_judge_traffic_set("rate", BOTH, rate, rate),
    ngx_http_judge_traffic_set("redact", BOTH, redact, redact),
    ngx_http_judge_traffic_choice("action", RULE, action, "tag", "mask",
                                  "block", "tag, mask or block"),
    ngx_http_judge_traffic_choice("on", RULE, where, "both", "request",
                                  "answer", "both, request or answer"),
    ngx_http_judge_traffic_choice("restore", RULE, restore, "off", "on", "",
                                  "on or off"),
    ngx_http_judge_traffic_rule("message", name, message),
    ngx_http_judge_traffic_rule("words", name, words),
    ngx_http_judge_traffic_rule("leak", arena, words),
    ngx_http_judge_traffic_rule("hosts", name, hosts),
    ngx_http_judge_traffic_rule("languages", name, languages),
};

#define NGX_HTTP_JUDGE_TRAFFIC_PARAMS                                         \
    (sizeof(ngx_http_judge_traffic_params)                                    \
     / sizeof(ngx_http_judge_traffic_params[0]))


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
        || ngx_array_init(&t->passing, cf->pool, 2, sizeof(judge_str_t))
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
    t->window = 1024;
    t->delay = 1000;
    t->timeout = 5000;
    t->rate.period = 1000;
    t->min = -1;
    t->block = NGX_CONF_UNSET;

    return t;
}


/* Sets a flag or an enum to the index of the word. */

static const char *
ngx_http_judge_traffic_choose(const ngx_http_judge_traffic_param_t *param,
    ngx_str_t *value, ngx_uint_t *field)
{
    ngx_uint_t  i;

    for (i = 0; i < 3; i++) {
        if (value->len && judge_str_eq_c(ngx_http_judge_str(*value),
                                         param->words[i]))
        {
            *field = i;
            return NULL;
        }
    }

    return param->expected;
}


static char *
ngx_http_judge_traffic_param(ngx_conf_t *cf, ngx_command_t *cmd,
    ngx_http_judge_traffic_t *t, ngx_str_t *arg)
{
    void                                 *field;
    u_char                               *p, known[256];
    ngx_str_t                             name, value;
    ngx_uint_t                            i;
    const char                           *expected;
    const ngx_http_judge_traffic_param_t *param;

    p = ngx_strlchr(arg->data, arg->data + arg->len, '=');
    name.data = arg->data;
    name.len = p ? (size_t) (p - arg->data) : arg->len;
    value.data = p ? p + 1 : arg->data + arg->len;
    value.len = (size_t) (arg->data + arg->len - value.data);
    p = known;

    for (i = 0; i < NGX_HTTP_JUDGE_TRAFFIC_PARAMS; i++) {
        param = &ngx_http_judge_traffic_params[i];

        if (!(param->of & (t->detect ? NGX_HTTP_JUDGE_RULE
                           : t->asks ? NGX_HTTP_JUDGE_REQUEST
                           : NGX_HTTP_JUDGE_ANSWER)))
        {
            continue;
        }

        if (!ngx_http_judge_eq(&param->name, &name)) {
            p = ngx_slprintf(p, known + sizeof(known), ", %V=", &param->name);
            continue;
        }

        field = (char *) t + param->offset;
        expected = param->set
                   ? param->set(cf, t, &value, field)
                   : ngx_http_judge_traffic_choose(param, &value, field);
        if (expected == NULL) {
            return NGX_CONF_OK;
        }

        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "%V: %V: expected %s",
                           &cmd->name, arg, expected);
        return NGX_CONF_ERROR;
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "%V: there is no"
                       " parameter \"%V\"; there are %*s", &cmd->name, &name,
                       (size_t) (p - known - 2), known + 2);

    return NGX_CONF_ERROR;
}


/* Returns what is missing, for an error; or NULL. */

static const char *
ngx_http_judge_traffic_missing(const ngx_http_judge_traffic_t *t)
{
    if (t->judge == NULL) {
        return "judge=, the identifier of a judge";
    }
    if (t->organization == NULL) {
        return "organization=, whose the judge is";
    }
    if (t->asks && t->min < 0) {
        return "min=, the score from which on a request passes";
    }
    if (t->guard != (t->min >= 0)) {
        return "mode=guard and min=, the score from which on an answer"
               " passes, together";
    }
    if (t->stream != NGX_HTTP_JUDGE_STREAM_HOLD && !t->guard) {
        return "mode=guard with stream=";
    }
    if (t->message.len && !t->guard) {
        return "mode=guard with message=";
    }
    if (t->guard && t->sample) {
        return "no sample=, because what is not judged must not pass";
    }

    return NULL;
}


char *
ngx_http_judge_traffic(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                  *value;
    ngx_uint_t                  i;
    const char                 *missing;
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

    for (i = 1; i < cf->args->nelts; i++) {
        if (ngx_http_judge_traffic_param(cf, cmd, t, &value[i])
            != NGX_CONF_OK)
        {
            return NGX_CONF_ERROR;
        }
    }

    missing = ngx_http_judge_traffic_missing(t);
    if (missing) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "%V: expected %s",
                           &cmd->name, missing);
        return NGX_CONF_ERROR;
    }

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

static ngx_http_judge_detect_t *
ngx_http_judge_detect_new(ngx_conf_t *cf)
{
    ngx_http_judge_detect_t  *d;

    d = ngx_pcalloc(cf->pool, sizeof(ngx_http_judge_detect_t));
    if (d == NULL
        || ngx_array_init(&d->rules, cf->pool, 4,
                          sizeof(judge_detect_rule_t *)) != NGX_OK)
    {
        return NULL;
    }

    d->answer = ngx_http_judge_traffic_new(cf);
    if (d->answer == NULL) {
        return NULL;
    }

    d->answer->detect = d;

    return d;
}


/* Reads one line; several add up. */

static char *
ngx_http_judge_detect(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                 *value = cf->args->elts;
    ngx_uint_t                 i;
    const char                *expected;
    judge_detect_rule_t      **rule;
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

    rule = *slot ? ngx_array_push(&(*slot)->rules) : NULL;
    if (rule == NULL
        || !(*rule = ngx_pcalloc(cf->pool, sizeof(judge_detect_rule_t))))
    {
        return NGX_CONF_ERROR;
    }

    t = (*slot)->answer;
    (*slot)->rule = *rule;
    t->action = JUDGE_DETECT_BLOCK;
    t->where = 0;
    judge_detectors_parse(ngx_http_judge_str(value[1]),
                          ngx_http_conf_get_module_main_conf(cf,
                                             ngx_http_judge_traffic_module),
                          *rule);

    for (i = 2; i < cf->args->nelts; i++) {
        if (ngx_http_judge_traffic_param(cf, cmd, t, &value[i])
            != NGX_CONF_OK)
        {
            return NGX_CONF_ERROR;
        }
    }

    (*rule)->action = (judge_detect_action_e) t->action;
    (*rule)->on = t->where ? (unsigned) t->where
                           : JUDGE_DETECT_REQUEST | JUDGE_DETECT_ANSWER;
    expected = judge_detect_missing(*rule);
    if (expected) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "judge_detect: expected %s",
                           expected);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


/* --- Configurations ------------------------------------------------------ */

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


/* Finds the service by its name, when all services are known. */

static char *
ngx_http_judge_traffic_resolve(ngx_conf_t *cf, ngx_http_judge_traffic_t *t)
{
    const char                  *name;
    ngx_str_t                    sentence;
    ngx_http_judge_main_conf_t  *jmcf;

    if (t == NULL || t->service) {
        return NGX_CONF_OK;
    }

    name = t->asks ? "judge_request" : "judge_traffic";
    jmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_judge_module);
    t->service = ngx_http_judge_service_find(jmcf, &t->name);
    if (t->service) {
        return NGX_CONF_OK;
    }

    sentence = ngx_http_judge_service_missing(cf, jmcf, &t->name);
    ngx_http_judge_conf_error(cf, &t->place, "%s: %V", name, &sentence);

    return NGX_CONF_ERROR;
}


/* Turns judging off in locations of the service itself, whose module is merged
 * before this one. */

static char *
ngx_http_judge_traffic_merge(ngx_conf_t *cf, ngx_http_judge_traffic_t **conf,
    ngx_http_judge_traffic_t *prev)
{
    ngx_http_judge_loc_conf_t  *jlcf;

    jlcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_judge_module);

    if (jlcf->service) {
        if (*conf != NGX_CONF_UNSET_PTR && *conf) {
            ngx_http_judge_conf_error(cf, &(*conf)->place, "%s: this location"
                                      " is the service's own: expected"
                                      " another one",
                                      (*conf)->asks ? "judge_request"
                                                    : "judge_traffic");
            return NGX_CONF_ERROR;
        }

        *conf = NULL;
    }

    ngx_conf_merge_ptr_value(*conf, prev, NULL);

    return ngx_http_judge_traffic_resolve(cf, *conf);
}


static char *
ngx_http_judge_traffic_merge_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_judge_loc_conf_t      *jlcf;
    ngx_http_judge_traffic_conf_t  *prev = parent, *conf = child;

    jlcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_judge_module);
    if (jlcf->service && conf->detect == NGX_CONF_UNSET_PTR) {
        conf->detect = NULL;
    }
    ngx_conf_merge_ptr_value(conf->detect, prev->detect, NULL);

    if (conf->detect && conf->detect->set.n == 0) {
        ngx_http_judge_detect_settle(cf, conf->detect);
    }

    if (conf->detect
        && (jlcf->service
            || (conf->traffic != NGX_CONF_UNSET_PTR && conf->traffic)
            || (conf->request != NGX_CONF_UNSET_PTR && conf->request)))
    {
        ngx_http_judge_conf_error(cf, &conf->detect->answer->place,
                                  "judge_detect: expected a location without"
                                  " judge, judge_traffic and judge_request");
        return NGX_CONF_ERROR;
    }

    return ngx_http_judge_traffic_merge(cf, &conf->traffic, prev->traffic)
           == NGX_CONF_OK
           ? ngx_http_judge_traffic_merge(cf, &conf->request, prev->request)
           : NGX_CONF_ERROR;
}


static ngx_int_t
ngx_http_judge_traffic_init(ngx_conf_t *cf)
{
    ngx_http_handler_pt        *h;
    ngx_http_core_main_conf_t  *cmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    h = ngx_array_push(&cmcf->phases[NGX_HTTP_PRECONTENT_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_judge_request_handler;

    return ngx_http_judge_traffic_filters(cf);
}
