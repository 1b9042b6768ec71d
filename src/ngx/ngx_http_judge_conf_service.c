/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The directive judge_store: a service, its directory, zone and settings. */


#include <ngx_config.h>
#include <ngx_thread_pool.h>

#include "ngx/ngx_http_judge_conf.h"
#include "ngx/ngx_http_judge_outbound.h"
#include "ngx/ngx_http_judge_zone.h"
#include "store/store_open.h"
#include "work/service/progress.h"


#define NGX_HTTP_JUDGE_RATE_MAX  1000000

/* The bounds of keep_...=: from an hour to a hundred years. */
#define NGX_HTTP_JUDGE_KEEP_BOUNDS                                            \
    3600 * 1000, 36525ll * 24 * 3600 * 1000


typedef enum {
    NGX_HTTP_JUDGE_SIZE,
    NGX_HTTP_JUDGE_TIME,
    NGX_HTTP_JUDGE_NUMBER,
    NGX_HTTP_JUDGE_FLAG
} ngx_http_judge_param_e;

typedef struct {
    ngx_str_t                name;
    ngx_http_judge_param_e   type;
    size_t                   offset;       /* in judge_settings_t */
    int64_t                  value;        /* default; it may be outside of
                                              min .. max: 0 means off or for
                                              ever */
    int64_t                  min;
    int64_t                  max;
} ngx_http_judge_param_t;


#define ngx_http_judge_setting(type, name, ...)                               \
    { ngx_string(#name), NGX_HTTP_JUDGE_ ## type,                             \
      offsetof(judge_settings_t, name), __VA_ARGS__ }

static const ngx_http_judge_param_t  ngx_http_judge_params[] = {
    ngx_http_judge_setting(SIZE, max_body, 8 << 20, 1 << 10, 1 << 30),
    ngx_http_judge_setting(SIZE, max_batch, 64 << 20, 1 << 10, 1 << 30),
    ngx_http_judge_setting(NUMBER, max_items, 10000, 1, 1000000),
    ngx_http_judge_setting(NUMBER, max_judges, 20, 1, 1000),
    ngx_http_judge_setting(SIZE, max_text, 1 << 20, 1 << 10, 64 << 20),
    ngx_http_judge_setting(SIZE, max_upload, 2ll << 30, 1 << 10, 1ll << 40),
    ngx_http_judge_setting(SIZE, max_bodies, 512 << 20, 1 << 20, 1ll << 40),
    ngx_http_judge_setting(SIZE, max_unread, 64 << 20, 1 << 20, 1ll << 40),
    ngx_http_judge_setting(SIZE, answers, 4 << 20, 0, 1 << 30),
    ngx_http_judge_setting(NUMBER, keys, 1024, 1, 1 << 20),
    ngx_http_judge_setting(SIZE, pages, 32 << 20, 1 << 20, 1 << 30),
    ngx_http_judge_setting(TIME, upload_valid, 300 * 1000, 1000,
                           24 * 3600 * 1000),
    ngx_http_judge_setting(TIME, deadline, 3600 * 1000, 1000,
                           30ll * 24 * 3600 * 1000),
    ngx_http_judge_setting(TIME, callback_deadline, 24 * 3600 * 1000, 1000,
                           30ll * 24 * 3600 * 1000),
    ngx_http_judge_setting(TIME, lease, 60 * 1000, 1000, 24 * 3600 * 1000),
    ngx_http_judge_setting(TIME, aging, 60 * 1000, 1, 24 * 3600 * 1000),
    ngx_http_judge_setting(NUMBER, attempts, 5, 1, 100),
    ngx_http_judge_setting(NUMBER, model_attempts, 0, 0, 1000),
    ngx_http_judge_setting(TIME, keep_contents, 0, NGX_HTTP_JUDGE_KEEP_BOUNDS),
    ngx_http_judge_setting(TIME, keep_results, 0, NGX_HTTP_JUDGE_KEEP_BOUNDS),
    ngx_http_judge_setting(TIME, keep_feedback, 0, NGX_HTTP_JUDGE_KEEP_BOUNDS),
    ngx_http_judge_setting(TIME, keep_deliveries, 30ll * 24 * 3600 * 1000,
                           NGX_HTTP_JUDGE_KEEP_BOUNDS),
    ngx_http_judge_setting(TIME, keep_audit, 0, NGX_HTTP_JUDGE_KEEP_BOUNDS),
    ngx_http_judge_setting(TIME, keep_logs, 30ll * 24 * 3600 * 1000,
                           NGX_HTTP_JUDGE_KEEP_BOUNDS),
    ngx_http_judge_setting(NUMBER, burst, 0, 1, 1000000),
    ngx_http_judge_setting(NUMBER, progress, JUDGE_PROGRESS_DEFAULT,
                           JUDGE_PROGRESS_MIN, JUDGE_PROGRESS_MAX),
    ngx_http_judge_setting(SIZE, max_live, 2 * 1024 * 1024, 64 * 1024,
                           1024 * 1024 * 1024),
    ngx_http_judge_setting(SIZE, max_learned, 16 * 1024 * 1024, 64 * 1024,
                           1024 * 1024 * 1024),
    { ngx_string("evaluate"), NGX_HTTP_JUDGE_FLAG,
      offsetof(judge_settings_t, evaluates), 1, 0, 1 },
    ngx_http_judge_setting(FLAG, fleet, 0, 0, 1),   /* default: by the store */
};

#define NGX_HTTP_JUDGE_PARAMS                                                 \
    (sizeof(ngx_http_judge_params) / sizeof(ngx_http_judge_params[0]))


/* Refuses names that `judge` could not refer to, such as "on" and "off". */

static char *
ngx_http_judge_service_name(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_judge_service_t *js)
{
    if (value->len == 0 || ngx_http_judge_is(value, "on")
        || ngx_http_judge_is(value, "off"))
    {
        return ngx_http_judge_conf_error(cf, NULL,
                           "judge_store: name=%V: expected a name, which"
                           " is not on or off", value);
    }

    js->name = *value;

    return NGX_CONF_OK;
}


static char *
ngx_http_judge_service_zone(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_judge_service_t *js)
{
    js->zone_size = ngx_parse_size(value);

    if (js->zone_size < NGX_HTTP_JUDGE_ZONE_MIN) {
        return ngx_http_judge_conf_error(cf, NULL,
                           "judge_store: zone=%V: expected a size of at"
                           " least 3m", value);
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_judge_service_rate(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_judge_service_t *js)
{
    u_char     unit;
    ngx_int_t  number;

    number = NGX_ERROR;
    unit = 0;

    if (value->len > 2 && value->data[value->len - 2] == '/') {
        unit = value->data[value->len - 1];
        number = ngx_atoi(value->data, value->len - 2);
    }

    if (number < 1 || number > NGX_HTTP_JUDGE_RATE_MAX
        || (unit != 's' && unit != 'm'))
    {
        return ngx_http_judge_conf_error(cf, NULL,
                           "judge_store: rate=%V: expected requests of a key"
                           " per second or minute, such as 10/s or 300/m,"
                           " from 1 to %d", value, NGX_HTTP_JUDGE_RATE_MAX);
    }

    js->settings.rate.limit = (uint32_t) number;
    js->settings.rate.period = unit == 's' ? 1000 : 60000;

    return NGX_CONF_OK;
}


static char *
ngx_http_judge_service_url(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_judge_service_t *js)
{
    size_t  scheme;

    scheme = value->len > 7 && ngx_strncmp(value->data, "http://", 7) == 0
             ? 7
             : value->len > 8 && ngx_strncmp(value->data, "https://", 8) == 0
               ? 8 : 0;

    if (scheme == 0 || value->data[scheme] == '/'
        || ngx_strlchr(value->data, value->data + value->len, '?')
        || ngx_strlchr(value->data, value->data + value->len, '#'))
    {
        return ngx_http_judge_conf_error(cf, NULL,
                           "judge_store: public_url=%V: expected a URL such"
                           " as https://judge.example.com/judging", value);
    }

    while (value->data[value->len - 1] == '/') {
        value->len--;
    }

    js->settings.public_url = ngx_http_judge_str(*value);

    return NGX_CONF_OK;
}


static char *
ngx_http_judge_service_folder(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_judge_service_t *js)
{
    if (value->len == 0) {
        return "files= expects a directory";
    }

    js->folder = *value;

    return NGX_CONF_OK;
}


/* Parameters that are no numbers of judge_settings_t. */

static const struct {
    ngx_str_t   name;
    char     *(*set)(ngx_conf_t *cf, ngx_str_t *value,
                     ngx_http_judge_service_t *js);
} ngx_http_judge_setters[] = {

    { ngx_string("name"), ngx_http_judge_service_name },
    { ngx_string("zone"), ngx_http_judge_service_zone },
    { ngx_string("public_url"), ngx_http_judge_service_url },
    { ngx_string("rate"), ngx_http_judge_service_rate },
    { ngx_string("files"), ngx_http_judge_service_folder },
};

#define NGX_HTTP_JUDGE_SETTERS                                                \
    (sizeof(ngx_http_judge_setters) / sizeof(ngx_http_judge_setters[0]))


static void
ngx_http_judge_param_put(const ngx_http_judge_param_t *param, int64_t value,
    judge_settings_t *settings)
{
    char  *field = (char *) settings + param->offset;

    switch (param->type) {
    case NGX_HTTP_JUDGE_SIZE:
        *(size_t *) field = (size_t) value;
        break;
    case NGX_HTTP_JUDGE_FLAG:
        *(bool *) field = value != 0;
        break;
    default:
        *(int64_t *) field = value;
        break;
    }
}


static char *
ngx_http_judge_param_set(ngx_conf_t *cf, const ngx_http_judge_param_t *param,
    ngx_str_t *value, judge_settings_t *settings)
{
    int64_t      number;
    const char  *expected;

    switch (param->type) {

    case NGX_HTTP_JUDGE_SIZE:
        expected = "a size such as 512k or 8m";
        number = ngx_parse_offset(value);
        break;

    case NGX_HTTP_JUDGE_TIME:
        expected = "a time such as 500ms, 30s or 2h";
        number = ngx_parse_time(value, 0);
        break;

    case NGX_HTTP_JUDGE_NUMBER:
        expected = "a whole number";
        number = ngx_atoi(value->data, value->len);
        break;

    default:
        expected = "on or off";
        number = ngx_http_judge_is(value, "on") ? 1
                 : ngx_http_judge_is(value, "off") ? 0 : NGX_ERROR;
        break;
    }

    if (number == NGX_ERROR || number < param->min || number > param->max) {
        return ngx_http_judge_conf_error(cf, NULL,
                           param->type == NGX_HTTP_JUDGE_FLAG
                           ? "judge_store: %V=%V: expected %s"
                           : "judge_store: %V=%V: expected %s,"
                             " from %L to %L%s",
                           &param->name, value, expected,
                           param->min, param->max,
                           param->type == NGX_HTTP_JUDGE_SIZE ? " bytes"
                           : param->type == NGX_HTTP_JUDGE_TIME
                             ? " milliseconds" : "");
    }

    ngx_http_judge_param_put(param, number, settings);

    return NGX_CONF_OK;
}


static char *
ngx_http_judge_service_unknown(ngx_conf_t *cf, ngx_str_t *name)
{
    u_char      *p, *last, known[768];
    ngx_uint_t   i;

    p = known;
    last = known + sizeof(known);

    for (i = 0; i < NGX_HTTP_JUDGE_SETTERS; i++) {
        p = ngx_slprintf(p, last, ", %V=", &ngx_http_judge_setters[i].name);
    }

    for (i = 0; i < NGX_HTTP_JUDGE_PARAMS; i++) {
        p = ngx_slprintf(p, last, ", %V=", &ngx_http_judge_params[i].name);
    }

    return ngx_http_judge_conf_error(cf, NULL,
                       "judge_store: there is no parameter \"%V\"; there are"
                       " %*s", name, (size_t) (p - known - 2), known + 2);
}


static char *
ngx_http_judge_service_param(ngx_conf_t *cf, ngx_http_judge_service_t *js,
    ngx_str_t *arg)
{
    u_char      *p;
    ngx_str_t    name, value;
    ngx_uint_t   i;

    /* The address may contain a password, which must not be logged. */
    if (judge_store_remote(ngx_http_judge_str(*arg))) {
        return "expects the address as its first parameter";
    }

    p = ngx_strlchr(arg->data, arg->data + arg->len, '=');
    if (p == NULL) {
        return ngx_http_judge_conf_error(cf, NULL,
                           "judge_store: expected a parameter of the form"
                           " name=value, found \"%V\"", arg);
    }

    name.data = arg->data;
    name.len = p - arg->data;
    value.data = p + 1;
    value.len = arg->data + arg->len - value.data;

    for (i = 0; i < NGX_HTTP_JUDGE_SETTERS; i++) {
        if (ngx_http_judge_eq(&ngx_http_judge_setters[i].name, &name)) {
            return ngx_http_judge_setters[i].set(cf, &value, js);
        }
    }

    for (i = 0; i < NGX_HTTP_JUDGE_PARAMS; i++) {
        if (ngx_http_judge_eq(&ngx_http_judge_params[i].name, &name)) {
            return ngx_http_judge_param_set(cf, &ngx_http_judge_params[i],
                                            &value, &js->settings);
        }
    }

    return ngx_http_judge_service_unknown(cf, &name);
}


static ngx_int_t
ngx_http_judge_service_path(ngx_conf_t *cf, ngx_path_t **slot, ngx_str_t *name)
{
    ngx_path_t  *path;

    path = ngx_pcalloc(cf->pool, sizeof(ngx_path_t));
    if (path == NULL) {
        return NGX_ERROR;
    }

    path->name = *name;
    path->conf_file = cf->conf_file->file.name.data;
    path->line = cf->conf_file->line;
    *slot = path;

    return ngx_add_path(cf, slot);
}


/* Registers the directories: nginx creates them for its user at the start. */

static char *
ngx_http_judge_service_directory(ngx_conf_t *cf, ngx_http_judge_service_t *js,
    ngx_str_t *name)
{
    ngx_str_t  full, files;

    full = *name;
    if (full.len > 1 && full.data[full.len - 1] == '/') {
        full.len--;
    }

    if (ngx_conf_full_name(cf->cycle, &full, 0) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    files.len = full.len + sizeof("/files") - 1;
    files.data = ngx_pnalloc(cf->pool, files.len + 1);
    if (files.data == NULL) {
        return NGX_CONF_ERROR;
    }
    (void) ngx_sprintf(files.data, "%V/files%Z", &full);

    if (ngx_http_judge_service_path(cf, &js->directory, &full) != NGX_OK
        || ngx_http_judge_service_path(cf, &js->files, &files) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    js->settings.files = ngx_http_judge_str(js->files->name);
    js->store = js->directory->name;

    return NGX_CONF_OK;
}


/* Checks the address; errors don't quote it, since it may contain a
 * password. */

static char *
ngx_http_judge_service_database(ngx_conf_t *cf, ngx_http_judge_service_t *js,
    ngx_str_t *url)
{
    char           *rv;
    judge_rc_e      rc;
    judge_str_t     error;
    judge_arena_t  *arena;

    arena = judge_arena_create(1024);
    error = JUDGE_STR("out of memory");
    rc = arena ? judge_store_check(arena, ngx_http_judge_str(*url), &error)
               : JUDGE_NOMEM;
    if (rc != JUDGE_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "judge_store: postgresql://... %*s", error.len,
                           error.data);
    }

    judge_arena_destroy(arena);
    if (rc != JUDGE_OK) {
        return NGX_CONF_ERROR;
    }

    if (js->folder.data == NULL) {
        ngx_str_set(&js->folder, "judge");
    }

    rv = ngx_http_judge_service_directory(cf, js, &js->folder);
    js->store = *url;

    return rv;
}


static char *
ngx_http_judge_service_add(ngx_conf_t *cf, ngx_http_judge_service_t *js)
{
    ngx_str_t                    zone;
    ngx_uint_t                   i;
    ngx_http_judge_service_t   **others, **slot;
    ngx_http_judge_main_conf_t  *jmcf;

    jmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_judge_module);
    others = jmcf->services.elts;

    for (i = 0; i < jmcf->services.nelts; i++) {
        if (ngx_http_judge_eq(&others[i]->name, &js->name)) {
            return ngx_http_judge_conf_error(cf, NULL,
                               "judge_store: there is a store \"%V\" already;"
                               " give this one another name=", &js->name);
        }

        if (others[i]->directory == js->directory) {
            return ngx_http_judge_conf_error(cf, NULL,
                               "judge_store: the directory \"%V\" has a store"
                               " already", &js->directory->name);
        }
    }

    zone.len = sizeof("judge:") - 1 + js->name.len;
    zone.data = ngx_pnalloc(cf->pool, zone.len);
    if (zone.data == NULL) {
        return NGX_CONF_ERROR;
    }
    (void) ngx_sprintf(zone.data, "judge:%V", &js->name);

    js->zone = ngx_shared_memory_add(cf, &zone, (size_t) js->zone_size,
                                     &ngx_http_judge_module);
    if (js->zone == NULL || ngx_thread_pool_add(cf, NULL) == NULL) {
        return NGX_CONF_ERROR;
    }
    js->zone->init = ngx_http_judge_zone_init;
    js->zone->data = js;

    if (ngx_array_init(&js->outlets, cf->pool, 2,
                       sizeof(ngx_http_judge_outlet_t)) != NGX_OK
        || ngx_array_init(&js->models, cf->pool, 2, sizeof(judge_llm_t))
           != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    slot = ngx_array_push(&jmcf->services);
    if (slot == NULL) {
        return NGX_CONF_ERROR;
    }
    *slot = js;

    return ngx_http_judge_conf_once(cf);
}


char *
ngx_http_judge_store(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    char                      *rv;
    ngx_str_t                 *value;
    ngx_uint_t                 i;
    ngx_http_judge_service_t  *js;

    value = cf->args->elts;

    js = ngx_pcalloc(cf->pool, sizeof(ngx_http_judge_service_t));
    if (js == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_str_set(&js->name, "default");
    js->zone_size = 4 * 1024 * 1024;

    for (i = 0; i < NGX_HTTP_JUDGE_PARAMS; i++) {
        ngx_http_judge_param_put(&ngx_http_judge_params[i],
                                 ngx_http_judge_params[i].value,
                                 &js->settings);
    }

    /* A store on a server may have several nodes. */
    js->settings.fleet = judge_store_remote(ngx_http_judge_str(value[1]));

    for (i = 2; i < cf->args->nelts; i++) {
        rv = ngx_http_judge_service_param(cf, js, &value[i]);
        if (rv != NGX_CONF_OK) {
            return rv;
        }
    }

    js->settings.name = ngx_http_judge_str(js->name);

    if (js->settings.burst && js->settings.rate.limit == 0) {
        return ngx_http_judge_conf_error(cf, NULL,
                           "judge_store: burst= expects a rate= beside it");
    }

    /* The default burst is what one period allows. */
    js->settings.rate.burst = js->settings.burst
                              ? (uint32_t) js->settings.burst
                              : js->settings.rate.limit;

    rv = judge_store_remote(ngx_http_judge_str(value[1]))
         ? ngx_http_judge_service_database(cf, js, &value[1])
         : js->folder.data
         ? "files= is for a store in PostgreSQL: a directory has its own"
         : ngx_http_judge_service_directory(cf, js, &value[1]);

    return rv == NGX_CONF_OK ? ngx_http_judge_service_add(cf, js) : rv;
}


ngx_http_judge_service_t *
ngx_http_judge_service_find(ngx_http_judge_main_conf_t *jmcf, ngx_str_t *name)
{
    ngx_str_t                   wanted = ngx_string("default");
    ngx_uint_t                  i;
    ngx_http_judge_service_t  **services;

    services = jmcf->services.elts;

    if (name->len) {
        wanted = *name;
    } else if (jmcf->services.nelts == 1) {
        return services[0];
    }

    for (i = 0; i < jmcf->services.nelts; i++) {
        if (ngx_http_judge_eq(&services[i]->name, &wanted)) {
            return services[i];
        }
    }

    return NULL;
}


ngx_str_t
ngx_http_judge_service_missing(ngx_conf_t *cf,
    ngx_http_judge_main_conf_t *jmcf, ngx_str_t *name)
{
    size_t                      size;
    u_char                     *p, *last;
    ngx_str_t                   names, wanted = ngx_string("default");
    ngx_uint_t                  i;
    ngx_http_judge_service_t  **services = jmcf->services.elts;

    if (name->len) {
        wanted = *name;
    }

    size = 2 * wanted.len + 200;
    for (i = 0; i < jmcf->services.nelts; i++) {
        size += services[i]->name.len + sizeof(", \"\"");
    }

    ngx_str_set(&names, "out of memory");
    p = ngx_pnalloc(cf->pool, size);
    if (p == NULL) {
        return names;
    }

    names.data = p;
    last = p + size;
    p = ngx_slprintf(p, last, "there is no store \"%V\"", &wanted);

    for (i = 0; i < jmcf->services.nelts; i++) {
        p = ngx_slprintf(p, last, "%s\"%V\"", i ? ", " : "; there are: ",
                         &services[i]->name);
    }

    p = i ? ngx_slprintf(p, last, "; name one of these or add \"judge_store"
                         " DIRECTORY name=%V;\" to http", &wanted)
          : ngx_slprintf(p, last, "; add \"judge_store DIRECTORY;\" to http");
    names.len = p - names.data;

    return names;
}


char *
ngx_http_judge_conf_once(ngx_conf_t *cf)
{
    size_t              i, k;
    ngx_str_t          *arg = cf->args->elts;
    judge_str_t         name, rest;
    const judge_str_t   lists = JUDGE_STR("allow= field= languages="
                                          " pass_types= redact=");

    for (i = 2; i < cf->args->nelts; i++) {
        rest = ngx_http_judge_str(arg[i]);
        name = judge_str_until(&rest, '=');
        name.len += name.len < arg[i].len;

        for (k = 1; k < i && !judge_str_find(lists, name); k++) {
            if (judge_str_starts(ngx_http_judge_str(arg[k]), name)) {
                return ngx_http_judge_conf_error(cf, NULL,
                           "%V: expected only one %*s", &arg[0], name.len,
                           name.data);
            }
        }
    }

    return NGX_CONF_OK;
}


void
ngx_http_judge_place(ngx_conf_t *cf, ngx_http_judge_place_t *place)
{
    place->file = cf->conf_file->file.name.data;
    place->line = cf->conf_file->line;
}


char *
ngx_http_judge_conf_error(ngx_conf_t *cf, const ngx_http_judge_place_t *place,
    const char *fmt, ...)
{
    u_char                  text[NGX_MAX_CONF_ERRSTR], *p;
    va_list                 args;
    ngx_http_judge_place_t  here;

    va_start(args, fmt);
    p = ngx_vslprintf(text, text + sizeof(text), fmt, args);
    va_end(args);

    if (place == NULL) {
        ngx_http_judge_place(cf, &here);
        place = &here;
    }

    ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "%*s in %s:%ui",
                  (size_t) (p - text), text, place->file, place->line);

    return NGX_CONF_ERROR;
}
