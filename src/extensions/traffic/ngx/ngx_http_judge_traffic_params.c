/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The parameters of judge_traffic, judge_request and judge_detect. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_conf.h"
#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


#define NGX_HTTP_JUDGE_RULE_FILE  (1024 * 1024)

/* Bits: the directives that accept a parameter. */
#define NGX_HTTP_JUDGE_ANSWER   1
#define NGX_HTTP_JUDGE_REQUEST  2
#define NGX_HTTP_JUDGE_BOTH     3
#define NGX_HTTP_JUDGE_RULE     4
#define NGX_HTTP_JUDGE_ASKED    6
#define NGX_HTTP_JUDGE_ALL      7

typedef struct {
    ngx_str_t    name;
    ngx_uint_t   scope;
    size_t       offset;               /* in ngx_http_judge_traffic_t */
    const char *(*set)(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
                       ngx_str_t *value, void *field);
    const char  *words[3];             /* if set is NULL: names of 0 to 2 */
    const char  *expected;             /* for the error sentence */
} ngx_http_judge_traffic_param_t;


/* --- Setters: return NULL, or what was expected -------------------------- */

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
        || (field != &t->route && field != &t->sample
            && field != &t->conversation_id && !ngx_strchr(value->data, '$')
            && !judge_str_starts(ngx_http_judge_str(*value),
                                 field == &t->judge ? JUDGE_STR("jdg_")
                                                    : JUDGE_STR("org_")))
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
ngx_http_judge_traffic_conversation(ngx_conf_t *cf,
    ngx_http_judge_traffic_t *t, ngx_str_t *value, void *field)
{
    t->conversation = 1;

    if (value->len > 1 && ngx_strncmp(value->data, "$.", 2) == 0) {
        return judge_extract_path(ngx_http_judge_str(*value),
                                  &t->conversation_path)
               ? NULL : "a path such as $.conversation, or a variable";
    }

    return ngx_http_judge_traffic_value(cf, t, value, field);
}


static const char *
ngx_http_judge_traffic_text(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    if (t->detect) {                       /* its message */
        t->detect->rule->message = ngx_http_judge_str(*value);
    } else {
        *(ngx_str_t *) field = *value;
    }

    return value->len ? NULL
           : field == &t->name ? "the name of a service" : "a sentence";
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
                               judge_str_args(why));
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


static const char *
ngx_http_judge_traffic_types(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    judge_str_t  sub, major, rest = ngx_http_judge_str(*value);

    t->passing = judge_str_printf(t->arena, "%.*s,%.*s",
                                  judge_str_args(t->passing),
                                  judge_str_args(rest));
    do {
        sub = judge_str_until(&rest, ',');
        major = judge_str_until(&sub, '/');
        if (t->passing.data == NULL || !judge_extract_is_token(major)
            || !judge_extract_is_token(sub))
        {
            return "types such as image/*,application/pdf";
        }
    } while (rest.len);

    return NULL;
}


/* Reads a small file into the arena; absent: it can't be read. */

static judge_str_t
ngx_http_judge_traffic_file(ngx_conf_t *cf, judge_arena_t *arena,
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

static const char *
ngx_http_judge_traffic_words(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    bool                     quotes = field == &t->arena;
    judge_str_t              text;
    judge_detect_rule_t     *rule = t->detect->rule;

    text = ngx_http_judge_traffic_file(cf, t->arena, value);

    return text.data
           && judge_detect_phrases(t->arena, text, !quotes,
                                   quotes ? &rule->leak : &rule->words)
              == JUDGE_OK
           ? NULL
           : quotes ? "a file that can be read, of at most 1 MB, with a text"
                      " of 8 words or more"
           : "a file that can be read, of at most 1 MB, a word or a phrase of"
             " up to 8 on a line";
}


static const char *
ngx_http_judge_traffic_hosts(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    return judge_detect_rule_hosts(t->detect->rule,
                                   ngx_http_judge_str(*value));
}


static const char *
ngx_http_judge_traffic_languages(ngx_conf_t *cf, ngx_http_judge_traffic_t *t,
    ngx_str_t *value, void *field)
{
    return judge_detect_rule_languages(t->detect->rule,
                                       ngx_http_judge_str(*value));
}


#define ngx_http_judge_traffic_set(name, of, field, set)                      \
    { ngx_string(name), NGX_HTTP_JUDGE_ ## of,                                \
      offsetof(ngx_http_judge_traffic_t, field),                              \
      ngx_http_judge_traffic_ ## set, { NULL, NULL, NULL }, NULL }
#define ngx_http_judge_traffic_choice(name, of, field, a, b, c, expected)     \
    { ngx_string(name), NGX_HTTP_JUDGE_ ## of,                                \
      offsetof(ngx_http_judge_traffic_t, field), NULL, { a, b, c }, expected }

static const ngx_http_judge_traffic_param_t
    ngx_http_judge_traffic_table[] = {
    ngx_http_judge_traffic_set("judge", BOTH, judge, value),
    ngx_http_judge_traffic_set("organization", ALL, organization, value),
    ngx_http_judge_traffic_set("service", BOTH, name, text),
    ngx_http_judge_traffic_choice("mode", ANSWER, guard, "observe", "guard",
                                  "", "observe or guard"),
    ngx_http_judge_traffic_set("min", BOTH, min, min),
    ngx_http_judge_traffic_set("message", ALL, message, text),
    ngx_http_judge_traffic_choice("on_error", ALL, block, "pass", "block",
                                  "", "pass or block"),
    ngx_http_judge_traffic_set("pass_types", ALL, passing, types),
    ngx_http_judge_traffic_choice("stream", ANSWER, stream, "hold", "window",
                                  "end", "hold, window or end"),
    ngx_http_judge_traffic_set("window", ANSWER, window, size),
    ngx_http_judge_traffic_set("delay", ANSWER, delay, time),
    ngx_http_judge_traffic_set("timeout", BOTH, timeout, time),
    ngx_http_judge_traffic_set("sample", ANSWER, sample, sample),
    ngx_http_judge_traffic_set("route", BOTH, route, value),
    ngx_http_judge_traffic_set("format", BOTH, answer, format),
    ngx_http_judge_traffic_set("field", REQUEST, fields, add_field),
    ngx_http_judge_traffic_set("request", ANSWER, request, format),
    ngx_http_judge_traffic_set("conversation", ANSWER, conversation_id,
                               conversation),
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
    ngx_http_judge_traffic_choice("keep_text", ALL, keeps, "off", "on", "",
                                  "on or off"),
    ngx_http_judge_traffic_choice("rewrite", ASKED, rewrite, "off", "on", "",
                                  "on or off"),
    ngx_http_judge_traffic_set("words", RULE, name, words),
    ngx_http_judge_traffic_set("leak", RULE, arena, words),
    ngx_http_judge_traffic_set("hosts", RULE, name, hosts),
    ngx_http_judge_traffic_set("languages", RULE, name, languages),
};

#define NGX_HTTP_JUDGE_TRAFFIC_PARAMS                                         \
    (sizeof(ngx_http_judge_traffic_table)                                     \
     / sizeof(ngx_http_judge_traffic_table[0]))


/* --- Reading one --------------------------------------------------------- */

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
        param = &ngx_http_judge_traffic_table[i];

        if (!(param->scope & (t->detect ? NGX_HTTP_JUDGE_RULE
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

        return ngx_http_judge_conf_error(cf, NULL, "%V: %V: expected %s",
                                         &cmd->name, arg, expected);
    }

    return ngx_http_judge_conf_error(cf, NULL, "%V: there is no parameter"
                                     " \"%V\"; there are %*s", &cmd->name,
                                     &name, (size_t) (p - known - 2),
                                     known + 2);
}


char *
ngx_http_judge_traffic_params(ngx_conf_t *cf, ngx_command_t *cmd,
    ngx_http_judge_traffic_t *t, ngx_uint_t first)
{
    char        *rv = NGX_CONF_OK;
    ngx_str_t   *value = cf->args->elts;
    ngx_uint_t   i;

    for (i = first; i < cf->args->nelts && rv == NGX_CONF_OK; i++) {
        rv = ngx_http_judge_traffic_param(cf, cmd, t, &value[i]);
    }

    return rv == NGX_CONF_OK ? ngx_http_judge_conf_once(cf) : rv;
}
