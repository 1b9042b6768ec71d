/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "extensions/openai/openai_error.h"


static const struct {
    int          status;               /* this and those above, up to the
                                          next */
    const char  *type;
    const char  *code;
} judge_openai_errors[] = {
    { 500, "server_error", NULL },
    { 429, "requests", "rate_limit_exceeded" },
    { 413, "invalid_request_error", "request_too_large" },
    { 409, "invalid_request_error", "conflict" },
    { 405, "invalid_request_error", "method_not_supported" },
    { 404, "invalid_request_error", "not_found" },
    { 403, "invalid_request_error", "insufficient_permissions" },
    { 401, "invalid_request_error", "invalid_api_key" },
    { 0, "invalid_request_error", NULL },
};


/* The path before ": ", if it is one. */

static judge_str_t
judge_openai_error_param(judge_str_t sentence)
{
    size_t  n;

    static const char  path[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_.[]";

    for (n = 0; n < sentence.len && strchr(path, sentence.data[n]); n++) {
        if (sentence.data[n] == '\0') {
            break;
        }
    }

    if (n == 0 || n + 1 >= sentence.len || sentence.data[n] != ':'
        || sentence.data[n + 1] != ' ')
    {
        return (judge_str_t) { 0, NULL };
    }

    return (judge_str_t) { n, sentence.data };
}


void
judge_openai_error(judge_json_writer_t *w, int status, judge_str_t sentence)
{
    size_t       i;
    judge_str_t  param;

    for (i = 0; judge_openai_errors[i].status > status; i++) { /* void */ }

    if (status > 413 && status < 500 && status != 429) {
        i = sizeof(judge_openai_errors) / sizeof(judge_openai_errors[0]) - 1;
    }

    param = judge_openai_error_param(sentence);

    judge_json_key_object(w, "error");
    judge_json_put_str(w, "message", sentence);
    judge_json_put_c(w, "type", judge_openai_errors[i].type);

    judge_json_key(w, "param");
    if (param.data) {
        judge_json_str(w, param);
    } else {
        judge_json_null(w);
    }

    judge_json_key(w, "code");
    if (judge_openai_errors[i].code) {
        judge_json_str(w, judge_str_c(judge_openai_errors[i].code));
    } else {
        judge_json_null(w);
    }

    judge_json_object_end(w);
}
