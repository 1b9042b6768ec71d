/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The console: built-in web pages below the location of a service.  Used by
 * the file that is generated from them. */


#ifndef NGX_HTTP_JUDGE_CONSOLE_H
#define NGX_HTTP_JUDGE_CONSOLE_H


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


typedef struct {
    ngx_str_t  name;                   /* below /console/ */
    ngx_str_t  type;
    ngx_str_t  etag;
    ngx_str_t  bytes;                  /* compressed by gzip */
} ngx_http_judge_console_file_t;


/* Generated from util/console/site; the last one has no name. */
extern const ngx_http_judge_console_file_t  judge_console_files[];

#endif /* NGX_HTTP_JUDGE_CONSOLE_H */
