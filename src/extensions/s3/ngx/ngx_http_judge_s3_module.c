/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The directive judge_files, which makes a service store uploaded files in a
 * bucket. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_conf.h"
#include "extensions/s3/bucket.h"


#define NGX_HTTP_JUDGE_FILES_TIMEOUT  (15 * 1000)

/* Characters that names of buckets and prefixes may have. */
#define NGX_HTTP_JUDGE_FILES_NAME                                             \
    "abcdefghijklmnopqrstuvwxyz0123456789.-"
#define NGX_HTTP_JUDGE_FILES_PREFIX                                           \
    NGX_HTTP_JUDGE_FILES_NAME "ABCDEFGHIJKLMNOPQRSTUVWXYZ_/"


static judge_str_t
ngx_http_judge_files_copy(ngx_conf_t *cf, judge_str_t s)
{
    char  *copy;

    copy = ngx_pnalloc(cf->pool, s.len);
    if (copy == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    ngx_memcpy(copy, s.data, s.len);

    return (judge_str_t) { s.len, copy };
}


static char *
ngx_http_judge_files_uri(ngx_conf_t *cf, judge_bucket_conf_t *bucket,
    ngx_str_t *uri)
{
    bool         fits;
    judge_str_t  text, name;

    text = ngx_http_judge_str(*uri);
    fits = judge_str_starts(text, JUDGE_STR("s3://"));
    text = judge_str_from(text, fits ? 5 : 0);
    name.data = text.data;
    name.len = strspn(text.data, NGX_HTTP_JUDGE_FILES_NAME);
    text = judge_str_from(text, name.len);
    fits = fits && (text.len == 0 || text.data[0] == '/');
    text = judge_str_trim(text, "/");

    if (!fits || name.len < 3 || name.len > 63
        || strspn(text.data, NGX_HTTP_JUDGE_FILES_PREFIX) < text.len)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "judge_files \"%V\": expected s3://bucket or"
                           " s3://bucket/prefix: a name of 3 to 63 lower-case"
                           " letters, digits, dots and hyphens, and a prefix"
                           " of letters, digits and - . _ /", uri);
        return NGX_CONF_ERROR;
    }

    bucket->place.bucket = name;
    bucket->prefix = JUDGE_STR("");

    if (text.len) {
        text.len++;                    /* include the slash, or the zero */
        bucket->prefix = ngx_http_judge_files_copy(cf, text);
        if (bucket->prefix.data == NULL) {
            return NGX_CONF_ERROR;
        }
        ((char *) bucket->prefix.data)[text.len - 1] = '/';
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_judge_files_endpoint(ngx_conf_t *cf, judge_s3_place_t *place,
    ngx_str_t *arg, judge_str_t text)
{
    judge_rc_e      rc;
    judge_str_t     error;
    judge_url_t     url;
    judge_arena_t  *arena;

    arena = judge_arena_create(4096);
    if (arena == NULL) {
        return NGX_CONF_ERROR;
    }

    error = JUDGE_STR("a URL without a path");
    rc = judge_url_parse(arena, text, &url, &error);

    if (rc == JUDGE_OK && judge_str_eq_c(url.target, "/")) {
        place->scheme = url.tls ? JUDGE_STR("https") : JUDGE_STR("http");
        place->authority = ngx_http_judge_files_copy(cf, url.authority);
        judge_arena_destroy(arena);
        return place->authority.data ? NGX_CONF_OK : NGX_CONF_ERROR;
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "judge_files: %V: expected %*s, such as"
                       " https://s3.example.com or http://127.0.0.1:9000", arg,
                       error.len, error.data);
    judge_arena_destroy(arena);

    return NGX_CONF_ERROR;
}


static char *
ngx_http_judge_files_param(ngx_conf_t *cf, ngx_http_judge_outlet_t *outlet,
    ngx_str_t *arg)
{
    u_char               *p;
    ngx_str_t             path;
    judge_str_t           name, value;
    judge_bucket_conf_t  *bucket = outlet->extra;

    p = ngx_strlchr(arg->data, arg->data + arg->len, '=');
    name = ngx_http_judge_str(*arg);
    name.len = p ? (size_t) (p - arg->data) : arg->len;
    value = judge_str_from(ngx_http_judge_str(*arg), name.len + (p ? 1 : 0));

    if (judge_str_eq_c(name, "endpoint")) {
        return ngx_http_judge_files_endpoint(cf, &bucket->place, arg, value);
    }

    if (judge_str_eq_c(name, "public")) {
        return ngx_http_judge_files_endpoint(cf, &bucket->shown, arg, value);
    }

    if (value.len && (judge_str_eq_c(name, "region")
                      || judge_str_eq_c(name, "profile")))
    {
        *(name.data[0] == 'r' ? &bucket->place.region : &bucket->profile)
            = value;
        return NGX_CONF_OK;
    }

    if (judge_str_eq_c(name, "style")
        && (judge_str_eq_c(value, "path") || judge_str_eq_c(value, "virtual")))
    {
        bucket->place.virtual_host = judge_str_eq_c(value, "virtual");
        return NGX_CONF_OK;
    }

    if (value.len && (judge_str_eq_c(name, "credentials")
                      || judge_str_eq_c(name, "events")))
    {
        path.data = (u_char *) value.data;
        path.len = value.len;
        if (ngx_conf_full_name(cf->cycle, &path, 1) != NGX_OK) {
            return NGX_CONF_ERROR;
        }
        *(name.data[0] == 'c' ? &bucket->file : &bucket->events)
            = ngx_http_judge_str(path);
        return NGX_CONF_OK;
    }

    return ngx_http_judge_outlet_param(cf, outlet, arg);
}


/* Reads the files of secrets once, to report mistakes at the start; the
 * workers read them regularly. */

static char *
ngx_http_judge_files_secrets(ngx_conf_t *cf, judge_bucket_conf_t *bucket)
{
    judge_rc_e               rc;
    judge_str_t              error;
    judge_arena_t           *arena;
    judge_bucket_secrets_t   secrets;

    arena = judge_arena_create(4096);
    if (arena == NULL) {
        return NGX_CONF_ERROR;
    }

    error = JUDGE_STR("no memory");
    rc = judge_bucket_secrets(arena, bucket, &secrets, &error);
    if (rc != JUDGE_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "judge_files: %*s", error.len,
                           error.data);
    }

    judge_arena_destroy(arena);

    return rc == JUDGE_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static char *
ngx_http_judge_files_environment(ngx_conf_t *cf, judge_bucket_conf_t *bucket)
{
    char  *id, *secret, *token;

    id = getenv("AWS_ACCESS_KEY_ID");
    secret = getenv("AWS_SECRET_ACCESS_KEY");
    token = getenv("AWS_SESSION_TOKEN");

    if (id == NULL || *id == '\0' || secret == NULL || *secret == '\0') {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "judge_files: there are no credentials: expected"
                           " credentials=FILE, or AWS_ACCESS_KEY_ID and"
                           " AWS_SECRET_ACCESS_KEY in the environment of"
                           " nginx");
        return NGX_CONF_ERROR;
    }

    bucket->credentials.id = ngx_http_judge_files_copy(cf, judge_str_c(id));
    bucket->credentials.secret = ngx_http_judge_files_copy(cf,
                                                         judge_str_c(secret));
    if (token && *token) {
        bucket->credentials.token = ngx_http_judge_files_copy(cf,
                                                          judge_str_c(token));
    }

    return bucket->credentials.id.data && bucket->credentials.secret.data
           ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static void
ngx_http_judge_files_attach(judge_settings_t *settings, void *conf,
    judge_ms_t timeout)
{
    judge_bucket_conf_t  *bucket = conf;
    judge_s3_place_t      shown = bucket->shown;

    bucket->shown = bucket->place;
    if (shown.authority.data) {
        bucket->shown.scheme = shown.scheme;
        bucket->shown.authority = shown.authority;
    }

    bucket->timeout = timeout;
    settings->objects = &judge_extension_s3_objects;
    settings->objects_conf = conf;
}


/* judge_files s3://bucket[/prefix] endpoint=url region=name [parameter]...; */

static char *
ngx_http_judge_files(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    char                    *rv;
    ngx_str_t               *value;
    ngx_str_t                name = ngx_string(JUDGE_BUCKET_ROUTE);
    ngx_uint_t               i;
    judge_cidr_t            *any;
    judge_bucket_conf_t     *bucket;
    ngx_http_judge_outlet_t  *outlet;

    value = cf->args->elts;
    bucket = ngx_pcalloc(cf->pool, sizeof(judge_bucket_conf_t));
    outlet = ngx_http_judge_outlet_add(cf, &name);
    any = outlet ? ngx_array_push_n(&outlet->allowed, 2) : NULL;
    if (bucket == NULL || any == NULL) {
        return NGX_CONF_ERROR;
    }

    /* Any network is allowed, because the administrator set the address. */
    (void) judge_cidr_parse(JUDGE_STR("0.0.0.0/0"), &any[0]);
    (void) judge_cidr_parse(JUDGE_STR("::/0"), &any[1]);

    outlet->params = "endpoint=, region=, public=, style=path|virtual,"
                     " credentials=, profile=, events=, store=, at_once=,"
                     " timeout=";
    outlet->attach = ngx_http_judge_files_attach;
    outlet->extra = bucket;
    outlet->timeout = NGX_HTTP_JUDGE_FILES_TIMEOUT;
    bucket->profile = JUDGE_STR("default");

    rv = ngx_http_judge_files_uri(cf, bucket, &value[1]);

    for (i = 2; i < cf->args->nelts && rv == NGX_CONF_OK; i++) {
        rv = ngx_http_judge_files_param(cf, outlet, &value[i]);
    }

    rv = rv == NGX_CONF_OK ? ngx_http_judge_conf_once(cf) : rv;
    if (rv != NGX_CONF_OK) {
        return rv;
    }

    if (bucket->place.authority.data == NULL
        || bucket->place.region.len == 0)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "judge_files \"%V\": expected %s beside it",
                           &value[1], bucket->place.authority.data
                           ? "region=, such as region=eu-central-1,"
                           : "endpoint=, such as"
                             " endpoint=https://s3.example.com,");
        return NGX_CONF_ERROR;
    }

    rv = bucket->file.data ? NGX_CONF_OK
                           : ngx_http_judge_files_environment(cf, bucket);

    return rv == NGX_CONF_OK ? ngx_http_judge_files_secrets(cf, bucket) : rv;
}


static ngx_command_t  ngx_http_judge_s3_commands[] = {

    { ngx_string("judge_files"),
      NGX_HTTP_LOC_CONF|NGX_CONF_1MORE,
      ngx_http_judge_files,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};

static ngx_http_module_t  ngx_http_judge_s3_module_ctx;


ngx_module_t  ngx_http_judge_s3_module = {
    NGX_MODULE_V1, .ctx = &ngx_http_judge_s3_module_ctx,
    .commands = ngx_http_judge_s3_commands, .type = NGX_HTTP_MODULE
};
