/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A cache, in each worker, of responses to GET requests.  The key, its
 * permission and its rate are checked before.  _of_route() and _of_judge()
 * answer the request with the cached response and return true, if nothing that
 * it depends on has changed; otherwise they note in the request how
 * judge_response_keep() caches the new response.
 */


#ifndef JUDGE_RESPONSE_CACHE_H
#define JUDGE_RESPONSE_CACHE_H


#include "api/http/request.h"


judge_response_cache_t *judge_response_cache_create(size_t bytes);
void judge_response_cache_destroy(judge_response_cache_t *cache);

/* Of a route with JUDGE_ROUTE_CACHED: valid until any process commits anything
 * to the store.  Must be called before the store is read. */
bool judge_response_of_route(judge_req_t *r);

/* Of a report on a judge, which takes long to make: valid while the judge has
 * the same active version and nobody has corrected its scores, for a minute at
 * most, or 10 s if other nodes write to the store.  Must be called before
 * anything but the judge is read. */
bool judge_response_of_judge(judge_req_t *r, judge_str_t judge_id,
    int64_t version);

/* Caches the prepared response if a key was noted by one of the above, its
 * status is 200 or 304, it has no header but ETag, and it is not large. */
void judge_response_keep(judge_req_t *r);


#endif /* JUDGE_RESPONSE_CACHE_H */
