/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Matching a path against the patterns of the routes. */


#include <string.h>

#include "api/http/route_match.h"


static const char *const  judge_method_names[JUDGE_METHODS] = {
    [JUDGE_GET] = "GET, HEAD",
    [JUDGE_POST] = "POST",
    [JUDGE_PUT] = "PUT",
    [JUDGE_PATCH] = "PATCH",
    [JUDGE_DELETE] = "DELETE",
};


static bool judge_route_match_pattern(const char *pattern, judge_str_t path,
    judge_str_t *params);


int
judge_route_find(judge_req_t *r, const judge_route_t *const *routes,
    unsigned *allow)
{
    judge_str_t           path, params[JUDGE_PARAMS];
    judge_method_e        method;
    const judge_route_t  *route;

    *allow = 0;
    path = judge_route_path(r->path);
    method = r->method == JUDGE_HEAD ? JUDGE_GET : r->method;

    for ( /* void */ ; *routes; routes++) {
        for (route = *routes; route->pattern; route++) {
            if (!judge_route_match_pattern(route->pattern, path, params)) {
                continue;
            }

            if (route->method == method) {
                r->route = route;
                memcpy(r->params, params, sizeof(params));
                return 0;
            }

            *allow |= 1u << route->method;
        }
    }

    if (*allow == 0) {
        return 404;
    }

    return method == JUDGE_OPTIONS ? 204 : 405;
}


judge_str_t
judge_route_path(judge_str_t path)
{
    if (judge_str_starts(path, JUDGE_STR("/v1/"))) {
        path.data += 3;
        path.len -= 3;
    }

    return path;
}


/* {…} takes one segment, which must not be empty. */

static bool
judge_route_match_pattern(const char *pattern, judge_str_t path,
    judge_str_t *params)
{
    size_t       n;
    const char  *p, *end;

    n = 0;
    p = path.data;
    end = path.data + path.len;

    for ( /* void */ ; *pattern; pattern++) {
        if (*pattern != '{') {
            if (p == end || *p++ != *pattern) {
                return false;
            }
            continue;
        }

        params[n].data = p;
        while (p < end && *p != '/') {
            p++;
        }
        params[n].len = (size_t) (p - params[n].data);

        if (params[n].len == 0 || ++n > JUDGE_PARAMS) {
            return false;
        }

        pattern = strchr(pattern, '}');
    }

    return p == end;
}


judge_str_t
judge_route_allow(judge_arena_t *arena, unsigned allow)
{
    size_t       i;
    judge_buf_t  buf;

    judge_buf_init(&buf, arena);

    for (i = 0; i < JUDGE_METHODS; i++) {
        if (allow & 1u << i) {
            judge_buf_c(&buf, judge_method_names[i]);
            judge_buf_c(&buf, ", ");
        }
    }

    judge_buf_c(&buf, "OPTIONS");

    return judge_buf_view(&buf);
}
