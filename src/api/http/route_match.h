/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Matching a path against the patterns of the routes.
 */


#ifndef JUDGE_ROUTE_MATCH_H
#define JUDGE_ROUTE_MATCH_H


#include "api/http/request.h"


/*
 * Finds the route of a path and method, with and without the prefix /v1, and
 * fills in r->route and r->params.  0: found; 404; or 405 and 204 with the
 * methods that the path has in *allow (a set of 1 << judge_method_e).
 * `routes` is a list of tables, ended by NULL.
 */
int judge_route_find(judge_req_t *r, const judge_route_t *const *routes,
    unsigned *allow);

/* Without the prefix. */
judge_str_t judge_route_path(judge_str_t path);

/* "GET, HEAD, POST" in the arena. */
judge_str_t judge_route_allow(judge_arena_t *arena, unsigned allow);


#endif /* JUDGE_ROUTE_MATCH_H */
