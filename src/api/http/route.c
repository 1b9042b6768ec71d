/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Finds the route of a request in the tables, or answers with 404 or 405 if
 * there is none. */


#include <string.h>

#include "base/text/nearest.h"
#include "base/text/utf8.h"
#include "api/http/request.h"


#define JUDGE_ROUTE_EDIT  32           /* cost of an edit: more than that of
                                          all {…} of a pattern */


static const char *const  judge_method_names[JUDGE_METHODS] = {
    [JUDGE_GET] = "GET, HEAD",
    [JUDGE_POST] = "POST",
    [JUDGE_PUT] = "PUT",
    [JUDGE_PATCH] = "PATCH",
    [JUDGE_DELETE] = "DELETE",
};


/* Each {…} matches one segment, which must not be empty. */

static bool
judge_route_matches(const char *pattern, judge_str_t path, judge_str_t *params)
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

        if (n == JUDGE_PARAMS) {
            return false;
        }

        params[n].data = p;
        while (p < end && *p != '/') {
            p++;
        }
        params[n].len = (size_t) (p - params[n].data);

        if (params[n].len == 0) {
            return false;
        }

        /* What is no UTF-8 names nothing, which PostgreSQL calls a failure. */
        if (judge_utf8_check(params[n]) < params[n].len) {
            params[n].len = 0;
        }
        n++;

        pattern = strchr(pattern, '}');
    }

    return p == end;
}


/* Removes "/segment" from a path; an empty path gives an empty segment. */

static judge_str_t
judge_route_segment(judge_str_t *path)
{
    const char   *slash;
    judge_str_t   segment;

    if (path->len == 0) {
        return *path;
    }

    segment = judge_str_from(*path, 1);
    slash = segment.len ? memchr(segment.data, '/', segment.len) : NULL;

    if (slash) {
        segment.len = (size_t) (slash - segment.data);
    }

    *path = judge_str_from(*path, segment.len + 1);

    return segment;
}


/* The edit distance by segments: an empty one, from a slash too many, is one
 * edit.  Each {…} adds 1, so that of two patterns with the same number of
 * edits the one with fewer {…} is nearer. */

static size_t
judge_route_nearness(const char *pattern, judge_str_t path)
{
    size_t       distance, edits;
    judge_str_t  rest, segment, wanted;

    distance = 0;
    rest = judge_str_c(pattern);

    while (path.len) {
        segment = judge_route_segment(&path);
        if (segment.len == 0) {
            distance += JUDGE_ROUTE_EDIT;
            continue;
        }

        wanted = judge_route_segment(&rest);
        if (wanted.len && *wanted.data == '{') {
            distance++;
            continue;
        }

        edits = judge_name_distance(segment, wanted);
        if (edits == JUDGE_FAR) {
            return JUDGE_FAR;
        }

        distance += edits * JUDGE_ROUTE_EDIT;
    }

    return rest.len ? JUDGE_FAR : distance;
}


static const char *
judge_route_nearest(judge_routes_pt routes, judge_str_t path)
{
    size_t                i, least, distance;
    const char           *nearest;
    const judge_route_t  *route;

    nearest = NULL;
    least = JUDGE_FAR;

    for (i = 0; (route = routes(i)); i++) {
        for ( /* void */ ; route->pattern; route++) {
            distance = judge_route_nearness(route->pattern, path);

            if (distance < least) {
                least = distance;
                nearest = route->pattern;
            }
        }
    }

    return nearest;
}


/* `allow` is the set of methods that the path has: 1 << judge_method_e. */

static void
judge_route_none(judge_req_t *r, judge_routes_pt routes, judge_str_t path,
    unsigned allow)
{
    size_t       i;
    judge_str_t  methods;
    const char  *nearest;
    judge_buf_t  buf;

    if (allow == 0) {
        nearest = judge_route_nearest(routes, path);
        judge_fail(r, 404, "there is nothing at this path%s%s%s",
                   nearest ? "; did you mean " : "", nearest ? nearest : "",
                   nearest ? "?" : "");
        return;
    }

    judge_buf_init(&buf, r->arena);

    for (i = 0; i < JUDGE_METHODS; i++) {
        if (allow & 1u << i) {
            judge_buf_c(&buf, judge_method_names[i]);
            judge_buf_c(&buf, ", ");
        }
    }

    judge_buf_c(&buf, "OPTIONS");
    methods = judge_buf_view(&buf);
    judge_reply_header(r, "Allow", methods);

    if (r->method == JUDGE_OPTIONS) {
        judge_reply_empty(r, 204);
    } else {
        judge_fail(r, 405, "this path does not take that method; it takes"
                           " %.*s", judge_str_args(methods));
    }
}


bool
judge_route_find(judge_req_t *r, judge_routes_pt routes)
{
    size_t                i;
    unsigned              allow;
    judge_str_t           path, params[JUDGE_PARAMS];
    judge_method_e        method;
    const judge_route_t  *route;

    allow = 0;
    path = judge_route_path(r->path);
    method = r->method == JUDGE_HEAD ? JUDGE_GET : r->method;

    for (i = 0; (route = routes(i)); i++) {
        for ( /* void */ ; route->pattern; route++) {
            if (!judge_route_matches(route->pattern, path, params)) {
                continue;
            }

            if (route->method == method) {
                r->route = route;
                memcpy(r->params, params, sizeof(params));
                return true;
            }

            allow |= 1u << route->method;
        }
    }

    judge_route_none(r, routes, path, allow);

    return false;
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
