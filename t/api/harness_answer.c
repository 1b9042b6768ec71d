/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What is in an answer. */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#undef t_ok
#undef t_is_int
#undef t_is_str
#undef t_are
#undef t_is_status
#undef t_is_detail


static const judge_json_t *
t_walk(const judge_json_t *v, const char *path)
{
    char    name[64];
    size_t  n;

    while (v && *path) {
        if (*path == '[') {
            n = strtoul(path + 1, (char **) &path, 10);
            path++;
            for (v = v->type == JUDGE_JSON_ARRAY ? v->first : NULL; v && n;
                 n--)
            {
                v = v->next;
            }
            continue;
        }

        path += *path == '.';
        n = strcspn(path, ".[");
        (void) snprintf(name, sizeof(name), "%.*s", (int) n, path);
        v = v->type == JUDGE_JSON_OBJECT ? judge_json_get(v, name) : NULL;
        path += n;
    }

    return v;
}


judge_str_t
t_get(t_call_t *call, const char *path)
{
    judge_buf_t           buf;
    judge_json_writer_t   w;
    const judge_json_t   *v;

    v = t_walk(call->json, path);
    if (v == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    if (v->type == JUDGE_JSON_STRING) {
        return v->string;
    }

    judge_buf_init(&buf, call->req.arena);
    judge_json_begin(&w, &buf);
    judge_json_value(&w, v);
    if (judge_json_finish(&w) != JUDGE_OK) {
        t_bail("no memory");
    }

    return judge_buf_view(&buf);
}


const char *
t_text(t_call_t *call, const char *path)
{
    judge_str_t  s;

    s = judge_str_dup(call->api->arena, t_get(call, path));

    return s.data ? s.data : "(absent)";
}


judge_str_t
t_answer_header(t_call_t *call, const char *name)
{
    size_t                 i;
    const judge_answer_t  *answer;

    answer = &call->req.answer;

    for (i = 0; i < answer->nheaders; i++) {
        if (strcmp(answer->headers[i].name, name) == 0) {
            return answer->headers[i].value;
        }
    }

    return (judge_str_t) { 0, NULL };
}


void
t_are(t_call_t *call, const char *values, const char *name)
{
    int          len;
    bool         right;
    char         path[128], value[256];
    judge_str_t  got;

    for (right = true; *values; values += len + (values[len] == '|')) {
        value[0] = '\0';
        len = 0;
        (void) sscanf(values, "%127[^ |]%n %255[^|]%n", path, &len, value,
                      &len);

        if (len == 0) {
            t_bail("values that can't be read");
        }

        got = t_get(call, path);

        if (value[0] ? !judge_str_eq_c(got, value) : got.data != NULL) {
            fprintf(stderr, "#   %s: %.*s, not %s\n", path, (int) got.len,
                    got.data ? got.data : "", value[0] ? value : "absent");
            right = false;
        }
    }

    t_ok(right, "%s", name);
}


void
t_is_status(t_call_t *call, int status, const char *name)
{
    t_is_int(call->status, status, "%s: the status is %d", name, status);

    if (call->status != status) {
        printf("# %.*s\n", (int) call->body.len, call->body.data);
    }
}


void
t_is_detail(t_call_t *call, int status, const char *detail, const char *name)
{
    t_is_status(call, status, name);
    t_is_str(t_get(call, "detail"), detail, "%s: the detail says so", name);
}
